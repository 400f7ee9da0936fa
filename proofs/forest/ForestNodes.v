(** * The nodes of a forest: what a node holds, and what an expansion does, in closed form. *)

From EmbeddedHunter Require Import ForestContext.

(** ** Trees and places *)

Lemma tree_of_child c q : q <> [] -> tree_of (c :: q) = tree_of q.
Proof. destruct q; [easy|]. reflexivity. Qed.

Lemma inner_child c q : q <> [] -> inner (c :: q) = c :: inner q.
Proof. destruct q; [easy|]. reflexivity. Qed.

Lemma node_is_inner_and_tree p : p <> [] -> p = inner p ++ [tree_of p].
Proof. apply app_removelast_last. Qed.

Lemma inner_app q t : inner (q ++ [t]) = q.
Proof. apply removelast_last. Qed.

Lemma tree_of_app q t : tree_of (q ++ [t]) = t.
Proof. apply last_last. Qed.

Lemma length_inner p : p <> [] -> length p = S (length (inner p)).
Proof.
  intros H. rewrite (node_is_inner_and_tree p H) at 1. rewrite app_length. cbn. lia.
Qed.

(** A node is determined by its tree and its place in it. *)
Lemma nodes_are_equal p q : p <> [] -> q <> [] -> tree_of p = tree_of q -> inner p = inner q -> p = q.
Proof.
  intros Hp Hq Ht Hi. rewrite (node_is_inner_and_tree p Hp), (node_is_inner_and_tree q Hq). congruence.
Qed.

(** Ancestors inside the forest (the empty path is no node). *)
Lemma ancestor_tree a p : a <> [] -> ancestor a p -> p <> [] /\ tree_of a = tree_of p.
Proof.
  intros Ha (m & ->). induction m as [|c m [H1 H2]]; [auto|]. cbn [app]. split; [easy|].
  now rewrite tree_of_child.
Qed.

Section Values.

Context {V : Type} {cfg : forest_settings} {oracle : nat -> path -> V}.
Local Notation value := (ForestTerms.value cfg oracle).

Lemma value_of_a_center_child q : q <> [] -> value (half cfg :: q) = value q.
Proof.
  intros Hq. unfold ForestTerms.value. rewrite inner_child, tree_of_child by exact Hq. cbn [birth].
  now rewrite Nat.eqb_refl.
Qed.

Lemma value_of_another_child c q :
  q <> [] -> c <> half cfg -> value (c :: q) = oracle (tree_of (c :: q)) (inner (c :: q)).
Proof.
  intros Hq Hc. unfold ForestTerms.value. rewrite inner_child by exact Hq. cbn [birth].
  apply Nat.eqb_neq in Hc. now rewrite Hc.
Qed.

End Values.

Section ForestNodes.

Context {V : Type} {F : rules V}.

(** ** Evaluations made one after another *)

Fixpoint record_all (ps : list path) (s : forest V) : forest V :=
  match ps with
  | [] => s
  | p :: rest => record_all rest (snd (evaluate p s))
  end.

(** Evaluations change the log, the answer and the number of evaluations alone. *)
Lemma record_all_frame ps s : let s' := record_all ps s in
  leaves s' = leaves s /\ nu_mins s' = nu_mins s /\ iterations s' = iterations s /\ sweeps s' = sweeps s /\
  roots s' = roots s /\ made s' = made s + length ps.
Proof.
  cbv zeta. revert s; induction ps as [|p ps IH]; intros s; cbn [record_all length]; [repeat split; lia|].
  destruct (IH (snd (evaluate p s))) as (-> & -> & -> & -> & -> & ->). repeat split. cbn. lia.
Qed.

(** Each evaluation is recorded with its tree's number plus 1; the embedding of one of the first P trees gives
    its value. *)
Definition recorded (e : path * nat * V) : Prop :=
  let '(p, n, v) := e in n = S (tree_of p) /\ (tree_of p < trees -> v = oracle (tree_of p) (inner p)).

Lemma record_all_log ps s : exists new,
  log (record_all ps s) = new ++ log s /\ expanded new = [] /\
  map (fun e => fst (fst e)) (evaluations new) = rev ps /\ Forall recorded (evaluations new) /\
  answer (record_all ps s) = fold_right (fun e a => smaller less (snd e) a) (answer s) (evaluations new).
Proof.
  revert s; induction ps as [|p ps IH]; intros s; [exists []; cbn; auto|]. cbn [record_all].
  destruct (IH (snd (evaluate p s))) as (new & H1 & H2 & H3 & H4 & H5).
  exists (new ++ [Evaluate p (S (tree_of p)) (sample p s)]).
  rewrite expanded_app, evaluations_app, map_app, Forall_app, H2, H3, <- app_assoc, fold_right_app.
  split; [exact H1|]. split; [reflexivity|]. split; [reflexivity|]. split; [split; [exact H4|]|exact H5].
  constructor; [|constructor]. split; [reflexivity|]. intros H. unfold Forest.sample.
  apply Nat.ltb_lt in H. now rewrite H.
Qed.

Lemma exhausted_left (s : forest V) : exhausted s = true <-> budget cfg - made s = 0.
Proof. unfold Forest.exhausted. rewrite Nat.leb_le. lia. Qed.

Lemma not_exhausted (s : forest V) : exhausted s = false <-> made s < budget cfg.
Proof. unfold Forest.exhausted. apply Nat.leb_gt. Qed.

(** ** An expansion in closed form *)

Definition wanted_of (q : path) (digits : list nat) : list path :=
  children_of q (filter (fun c => negb (c =? k)) digits).

(** The children that are evaluated: all but the center child. *)
Definition wanted (q : path) : list path := wanted_of q (seq 0 (K k)).

Definition performed (q : path) (s : forest V) : list path := firstn (budget cfg - made s) (wanted q).
Definition affordable (q : path) (s : forest V) : bool := length (wanted q) <=? budget cfg - made s.

(** A child made from leaf [x] has its path's depth and norm, count 1, and, in one of the first P trees, its value. *)
Definition well_made (x y : leaf V) : Prop :=
  y = new_leaf (place y) (best y) /\
  (tree_of (place x) < trees -> best x = value (place x) -> best y = value (place y)).

Lemma wanted_of_center q rest : wanted_of q (k :: rest) = wanted_of q rest.
Proof. unfold wanted_of. cbn [filter]. now rewrite Nat.eqb_refl. Qed.

Lemma wanted_of_another q c rest : c <> k -> wanted_of q (c :: rest) = (c :: q) :: wanted_of q rest.
Proof. unfold wanted_of. cbn [filter]. intros H%Nat.eqb_neq. now rewrite H. Qed.

Lemma make_children_closed digits x s : place x <> [] ->
  let w := wanted_of (place x) digits in
  let left := budget cfg - made s in
  snd (make_children digits x s) = record_all (firstn left w) s /\
  if length w <=? left then
    exists ch, fst (make_children digits x s) = Some ch /\
      map place ch = children_of (place x) digits /\ Forall (well_made x) ch
  else fst (make_children digits x s) = None.
Proof.
  intros Hp. cbv zeta. revert s; induction digits as [|c rest IH]; intros s.
  - cbn. rewrite firstn_nil. split; [reflexivity|]. exists []. auto.
  - cbn [Forest.make_children]. destruct (Nat.eqb_spec c k) as [->|N].
    + rewrite wanted_of_center. destruct (IH s) as [H1 H2]. rewrite <- H1.
      destruct (make_children rest x s) as [o s'] eqn:E. cbn [fst snd] in *.
      destruct (_ <=? _).
      * destruct H2 as (ch & -> & H3 & H4). cbn [fst snd]. split; [reflexivity|].
        exists (new_leaf (k :: place x) (best x) :: ch). cbn [map children_of Forest.new_leaf place].
        split; [reflexivity|]. split; [now rewrite H3|]. constructor; [|exact H4]. split; [reflexivity|].
        intros _ Hb. cbn [Forest.new_leaf best place]. rewrite value_of_a_center_child; auto.
      * subst o. auto.
    + rewrite wanted_of_another by exact N. cbn [length].
      destruct (exhausted s) eqn:Ex.
      * apply exhausted_left in Ex. rewrite Ex. cbn. auto.
      * assert (Hl : budget cfg - made s = S (budget cfg - S (made s))) by (apply not_exhausted in Ex; lia).
        rewrite Hl. cbn [firstn record_all Nat.leb].
        destruct (IH (snd (evaluate (c :: place x) s))) as [H1 H2]. revert H1 H2.
        unfold Forest.evaluate. cbn [snd made]. intros H1 H2. rewrite <- H1.
        match goal with |- context [make_children rest x ?s1] => destruct (make_children rest x s1) as [o s'] end.
        cbn [fst snd] in *. destruct (_ <=? _).
        -- destruct H2 as (ch & -> & H3 & H4). cbn [fst snd]. split; [reflexivity|].
           eexists. split; [reflexivity|]. cbn [map Forest.new_leaf place children_of]. split; [now rewrite H3|].
           constructor; [|exact H4]. split; [reflexivity|]. intros Ht _. cbn [Forest.new_leaf best place].
           rewrite value_of_another_child by assumption. unfold Forest.sample.
           rewrite tree_of_child by exact Hp. apply Nat.ltb_lt in Ht. now rewrite Ht.
        -- subst o. auto.
Qed.

Section Expansion.
Variables (x : leaf V) (s : forest V).
Hypothesis x_is_a_node : place x <> [].
Let s1 := Forest (leaves s) ((queue x, best x) :: nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (roots s)
                 (Expand (place x) (best x) :: log s).

Lemma expand_closed :
  let s2 := record_all (performed (place x) s) s1 in
  if affordable (place x) s then
    exists ch, map place ch = children (place x) /\ Forall (well_made x) ch /\
      expand x s = Forest (replace_leaf (place x) ch (leaves s2)) (nu_mins s2) (answer s2) (made s2) (iterations s2)
                          (sweeps s2) (roots s2) (log s2)
  else expand x s = s2.
Proof.
  cbv zeta. unfold Forest.expand. fold s1.
  destruct (make_children_closed (seq 0 (K k)) x s1 x_is_a_node) as [H1 H2]. cbn [made s1] in H1, H2.
  change (made s1) with (made s) in H1, H2.
  change (wanted_of (place x) (seq 0 (K k))) with (wanted (place x)) in H1, H2.
  change (firstn (budget cfg - made s) (wanted (place x))) with (performed (place x) s) in H1.
  change (length (wanted (place x)) <=? budget cfg - made s) with (affordable (place x) s) in H2.
  rewrite <- H1. destruct (make_children (seq 0 (K k)) x s1) as [o s2]. cbn [fst snd] in *.
  destruct (affordable (place x) s).
  - destruct H2 as (ch & -> & H3 & H4). exists ch. auto.
  - now subst o.
Qed.

Local Ltac close :=
  pose proof expand_closed as H; cbv zeta in H; destruct (affordable (place x) s);
  [destruct H as (ch & _ & _ & ->)|rewrite H]; destruct (record_all_frame (performed (place x) s) s1) as (? & ? & ? & ? & ? & ?); assumption.

Lemma expand_nu : nu_mins (expand x s) = (queue x, best x) :: nu_mins s. Proof. close. Qed.
Lemma expand_iterations : iterations (expand x s) = iterations s. Proof. close. Qed.
Lemma expand_sweeps : sweeps (expand x s) = sweeps s. Proof. close. Qed.
Lemma expand_roots : roots (expand x s) = roots s. Proof. close. Qed.
Lemma expand_made : made (expand x s) = made s + length (performed (place x) s). Proof. close. Qed.

Lemma expand_leaves :
  if affordable (place x) s then
    exists ch, map place ch = children (place x) /\ Forall (well_made x) ch /\
      leaves (expand x s) = replace_leaf (place x) ch (leaves s)
  else leaves (expand x s) = leaves s.
Proof.
  pose proof expand_closed as H. cbv zeta in H. destruct (record_all_frame (performed (place x) s) s1) as (E & _).
  destruct (affordable (place x) s); [|now rewrite H]. destruct H as (ch & H1 & H2 & ->). exists ch. cbn [leaves]. now rewrite E.
Qed.

Lemma expand_log : exists new,
  log (expand x s) = new ++ Expand (place x) (best x) :: log s /\ expanded new = [] /\
  map (fun e => fst (fst e)) (evaluations new) = rev (performed (place x) s) /\ Forall recorded (evaluations new) /\
  answer (expand x s) = fold_right (fun e a => smaller less (snd e) a) (answer s) (evaluations new).
Proof.
  destruct (record_all_log (performed (place x) s) s1) as (new & H1 & H2 & H3 & H4 & H5). exists new.
  pose proof expand_closed as H. cbv zeta in H. destruct (affordable (place x) s).
  - destruct H as (ch & _ & _ & ->). cbn. auto.
  - rewrite H. auto.
Qed.

End Expansion.

Lemma in_wanted q p : In p (wanted q) <-> exists c, c < K k /\ c <> k /\ p = c :: q.
Proof.
  unfold wanted, wanted_of, children_of. rewrite in_map_iff. split.
  - intros (c & <- & Hc). apply filter_In in Hc. destruct Hc as [Hc%in_seq Hk].
    exists c. apply negb_true_iff, Nat.eqb_neq in Hk. repeat split; auto. lia.
  - intros (c & Hc & Hk & ->). exists c. split; [reflexivity|]. apply filter_In.
    split; [apply in_seq; lia|]. now apply negb_true_iff, Nat.eqb_neq.
Qed.

Lemma nodup_wanted q : NoDup (wanted q).
Proof.
  unfold wanted, wanted_of, children_of. apply Injective_map_NoDup; [intros a b E; congruence|].
  apply NoDup_filter, seq_NoDup.
Qed.

Lemma performed_wanted q s p : In p (performed q s) -> In p (wanted q).
Proof. apply in_firstn. Qed.

Lemma nodup_performed q s : NoDup (performed q s).
Proof. apply nodup_firstn, nodup_wanted. Qed.

Lemma performed_all q s : affordable q s = true -> performed q s = wanted q.
Proof. unfold affordable, performed. intros H%Nat.leb_le. now apply firstn_all2. Qed.

Lemma performed_cut q s : affordable q s = false -> length (performed q s) = budget cfg - made s.
Proof. unfold affordable, performed. intros H%Nat.leb_gt. apply firstn_length_le. lia. Qed.

(** An expansion takes K - 1 = 2 k evaluations. *)
Lemma length_wanted q : length (wanted q) = 2 * k.
Proof.
  unfold wanted, wanted_of, children_of, K. rewrite map_length.
  replace (2 * k + 1) with (k + S k) by lia. rewrite seq_app, filter_app, app_length. cbn [seq filter Nat.add].
  rewrite Nat.eqb_refl. cbn [negb]. rewrite !filter_all, !seq_length; [lia| |];
    intros c Hc%in_seq; apply negb_true_iff, Nat.eqb_neq; lia.
Qed.

Lemma length_performed q s : length (performed q s) = Nat.min (budget cfg - made s) (2 * k).
Proof. unfold performed. now rewrite firstn_length, length_wanted. Qed.

End ForestNodes.

