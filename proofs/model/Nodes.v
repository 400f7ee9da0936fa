(** * What a node of the tree holds depends on the node alone.

    The value f*, the number of evaluations and the norm of a leaf are functions
    of its path and of the oracle, whatever happened elsewhere in the run:
    [node_at p] is the leaf that stands at [p] whenever [p] is in the tree.  With
    it an expansion has a closed form, from which all later theorems follow. *)

From EmbeddedHunter Require Import Lists Filters Lattice Model.

(** ** Lists drawn from the log *)

(** The nodes expanded, the latest first. *)
Fixpoint expanded {V} (log : list (event V)) : list path :=
  match log with
  | [] => []
  | Expand p _ :: rest => p :: expanded rest
  | _ :: rest => expanded rest
  end.

(** The nodes whose base point was evaluated (node, visit number, value), the
    latest first. *)
Fixpoint evaluations {V} (log : list (event V)) : list (path * nat * V) :=
  match log with
  | [] => []
  | Evaluate p n v :: rest => (p, n, v) :: evaluations rest
  | _ :: rest => evaluations rest
  end.

Lemma expanded_app {V} (a b : list (event V)) :
  expanded (a ++ b) = expanded a ++ expanded b.
Proof. induction a as [|[] a IH]; simpl; congruence. Qed.

Lemma evaluations_app {V} (a b : list (event V)) :
  evaluations (a ++ b) = evaluations a ++ evaluations b.
Proof. induction a as [|[] a IH]; simpl; congruence. Qed.

Section Leaves.

Context {V : Type} (less : V -> V -> bool).

(** ** Replacing a leaf *)

Lemma same_path_iff p q : same_path p q = true <-> p = q.
Proof.
  revert q; induction p as [|a p IH]; intros [|b q]; cbn; split; intros H; try easy.
  - apply andb_true_iff in H. destruct H as [H%Nat.eqb_eq H2%IH]. congruence.
  - injection H as -> ->. rewrite Nat.eqb_refl. now apply IH.
Qed.

Lemma replace_leaf_split q new (xs : list (leaf V)) :
  In q (map place xs) ->
  exists l1 x l2, xs = l1 ++ x :: l2 /\ place x = q /\
    replace_leaf q new xs = l1 ++ new ++ l2.
Proof.
  induction xs as [|x xs IH]; cbn; [easy|]. intros H.
  destruct (same_path (place x) q) eqn:E.
  - apply same_path_iff in E. exists [], x, xs. auto.
  - destruct H as [H|H]; [apply same_path_iff in H; congruence|].
    destruct (IH H) as (l1 & y & l2 & -> & Hy & ->). exists (x :: l1), y, l2. auto.
Qed.

Lemma in_replace_leaf q new (xs : list (leaf V)) y :
  In y (replace_leaf q new xs) -> In y new \/ In y xs.
Proof.
  induction xs as [|x xs IH]; cbn; [easy|].
  destruct (same_path (place x) q).
  - intros [H|H]%in_app_or; auto.
  - intros [H|H]; [auto|]. destruct (IH H); auto.
Qed.

Lemma replace_leaf_keeps q new (xs : list (leaf V)) y :
  In y xs -> place y <> q -> In y (replace_leaf q new xs).
Proof.
  induction xs as [|x xs IH]; cbn; [easy|]. intros H Hq.
  destruct (same_path (place x) q) eqn:E.
  - apply same_path_iff in E. destruct H as [->|H]; [easy|]. apply in_or_app. auto.
  - destruct H as [->|H]; [now left|right; auto].
Qed.

(** ** The least leaf of a class *)

Lemma argmin_in x (rest : list (leaf V)) : In (argmin less x rest) (x :: rest).
Proof.
  revert x; induction rest as [|y rest IH]; intros x; cbn [argmin]; [now left|].
  destruct (less (best y) (best x)).
  - right. apply IH.
  - destruct (IH x) as [H|H]; [now left|right; now right].
Qed.

Lemma depth_le_deepest (xs : list (leaf V)) x : In x xs -> depth x <= deepest xs.
Proof.
  induction xs as [|y xs IH]; cbn; [easy|]. intros [->|H]; [lia|]. specialize (IH H). lia.
Qed.

Lemma deepest_at_most (xs : list (leaf V)) n : (forall x, In x xs -> depth x <= n) -> deepest xs <= n.
Proof.
  induction xs as [|x xs IH]; cbn; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y Hy => H y (or_intror Hy))). lia.
Qed.

End Leaves.

Section Nodes.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation smaller := (smaller less).
Local Notation new_leaf := (new_leaf cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation within_cap := (within_cap cfg).

(** The leaf that stands at [p] whenever [p] is in the tree. *)
Fixpoint node_at (p : path) : leaf V :=
  match p with
  | [] => new_leaf [] (oracle [] 1) 1
  | c :: q =>
      let x := node_at q in
      if c =? k then
        if within_cap x then
          new_leaf p (smaller (oracle (birth k p) (S (count x))) (best x)) (S (count x))
        else new_leaf p (best x) (count x)
      else new_leaf p (oracle (birth k p) 1) 1
  end.

(** The value f* of a node. *)
Definition value (p : path) : V := best (node_at p).

(** The number of evaluations of its base point when the node is made. *)
Definition visits_of (p : path) : nat := count (node_at p).

(** Making the node takes an evaluation. *)
Definition evaluated (p : path) : bool :=
  match p with
  | [] => true
  | c :: q => negb (c =? k) || within_cap (node_at q)
  end.

(** The value of that evaluation, and the evaluation as an event. *)
Definition sample (p : path) : V := oracle (birth k p) (visits_of p).
Definition evaluation (p : path) : event V := Evaluate p (visits_of p) (sample p).

(** The children of [p] with the given digits, and those that are evaluated. *)
Definition children_of (p : path) (digits : list nat) : list path :=
  map (fun c => c :: p) digits.
Definition children (p : path) : list path := children_of p (seq 0 (K k)).
Definition wanted (p : path) : list path := filter evaluated (children p).

(** A fact about a child in each of its three cases: the center child within the cap and beyond it, and any other. *)
Ltac child_by_child p :=
  destruct p as [|c q]; [reflexivity|]; cbn [node_at]; destruct (c =? k); [destruct (within_cap (node_at q))|]; reflexivity.

Lemma place_node_at p : place (node_at p) = p.
Proof. child_by_child p. Qed.

Lemma depth_node_at p : depth (node_at p) = length p.
Proof. child_by_child p. Qed.

Lemma norm_node_at p : norm (node_at p) = Nrm k (dimension cfg) p.
Proof. child_by_child p. Qed.

(** Evaluations made one after another. *)
Fixpoint record_all (ps : list path) (s : state V) : state V :=
  match ps with
  | [] => s
  | p :: rest => record_all rest (snd (evaluate less oracle cfg p (visits_of p) s))
  end.

Lemma record_all_leaves ps s : leaves (record_all ps s) = leaves s.
Proof. revert s; induction ps; intros; simpl; [|rewrite IHps]; reflexivity. Qed.
Lemma record_all_nu ps s : nu_min (record_all ps s) = nu_min s.
Proof. revert s; induction ps; intros; simpl; [|rewrite IHps]; reflexivity. Qed.
Lemma record_all_iterations ps s : iterations (record_all ps s) = iterations s.
Proof. revert s; induction ps; intros; simpl; [|rewrite IHps]; reflexivity. Qed.
Lemma record_all_sweeps ps s : sweeps (record_all ps s) = sweeps s.
Proof. revert s; induction ps; intros; simpl; [|rewrite IHps]; reflexivity. Qed.
Lemma record_all_made ps s : made (record_all ps s) = made s + length ps.
Proof.
  revert s; induction ps; intros; cbn [record_all length]; [|rewrite IHps; cbn]; lia.
Qed.
Lemma record_all_log ps s :
  log (record_all ps s) = rev (map evaluation ps) ++ log s.
Proof.
  revert s; induction ps; intros; cbn [record_all map rev]; [reflexivity|].
  rewrite IHps. cbn. rewrite <- app_assoc. reflexivity.
Qed.
Lemma record_all_answer ps s :
  answer (record_all ps s) = fold_left (fun a p => smaller (sample p) a) ps (answer s).
Proof.
  revert s; induction ps; intros; cbn [record_all fold_left]; [reflexivity|].
  rewrite IHps. reflexivity.
Qed.

Lemma exhausted_left (s : state V) : exhausted s = true <-> budget cfg - made s = 0.
Proof. unfold Model.exhausted. rewrite Nat.leb_le. lia. Qed.

(** Line 9 in closed form: the evaluations wanted, cut to what the budget leaves;
    the children are all made iff it leaves enough. *)
Lemma make_children_closed digits q s :
  make_children less oracle cfg digits (node_at q) s =
  let w := filter evaluated (children_of q digits) in
  let left := budget cfg - made s in
  (if length w <=? left then Some (map node_at (children_of q digits)) else None,
   record_all (firstn left w) s).
Proof.
  revert s. induction digits as [|c rest IH]; intros s; [cbn; now rewrite firstn_nil|].
  cbn [Model.make_children children_of map filter]. fold (children_of q rest). rewrite place_node_at.
  replace ((c =? k) && negb (within_cap (node_at q))) with (negb (evaluated (c :: q)))
    by (cbn; destruct (c =? k), (within_cap (node_at q)); reflexivity).
  destruct (evaluated (c :: q)) eqn:He; cbn [negb].
  - destruct (exhausted s) eqn:Ex; [apply exhausted_left in Ex; rewrite Ex; reflexivity|].
    assert (Hl : budget cfg - made s = S (budget cfg - S (made s))).
    { unfold Model.exhausted in Ex. apply Nat.leb_gt in Ex. lia. }
    rewrite Hl. cbn [firstn record_all length Nat.leb].
    assert (Hn : visits_of (c :: q) = if c =? k then S (count (node_at q)) else 1).
    { unfold visits_of. cbn in He |- *. destruct (c =? k); [cbn in He; rewrite He|]; reflexivity. }
    rewrite Hn. unfold Model.evaluate at 1. rewrite IH. cbn [made snd Model.evaluate].
    destruct (length (filter evaluated (children_of q rest)) <=? budget cfg - S (made s)); [|reflexivity].
    do 3 f_equal. cbn in He |- *. destruct (c =? k); [cbn in He; rewrite He|]; reflexivity.
  - rewrite IH. cbv zeta.
    destruct (length (filter evaluated (children_of q rest)) <=? budget cfg - made s); [|reflexivity].
    do 3 f_equal. cbn in He |- *. destruct (c =? k); [cbn in He; rewrite He; reflexivity|discriminate].
Qed.

(** The evaluations of an expansion of [q] that starts in state [s]. *)
Definition performed (q : path) (s : state V) : list path :=
  firstn (budget cfg - made s) (wanted q).

(** The budget allows the whole expansion. *)
Definition affordable (q : path) (s : state V) : bool :=
  length (wanted q) <=? budget cfg - made s.

Section Expansion.
Variables (q : path) (s : state V).
Let s' := expand less oracle cfg (node_at q) s.

Lemma expand_closed :
  s' = let s1 := State (leaves s) (Some (value q)) (answer s) (made s)
                       (iterations s) (sweeps s) (Expand q (value q) :: log s) in
       let s2 := record_all (performed q s) s1 in
       if affordable q s then
         State (replace_leaf q (map node_at (children q)) (leaves s2)) (nu_min s2)
               (answer s2) (made s2) (iterations s2) (sweeps s2) (log s2)
       else s2.
Proof.
  subst s'. unfold Model.expand. rewrite make_children_closed, place_node_at.
  cbv zeta. cbn [made].
  change (children_of q (seq 0 (K k))) with (children q).
  change (filter evaluated (children q)) with (wanted q).
  change (length (wanted q) <=? budget cfg - made s) with (affordable q s).
  change (firstn (budget cfg - made s) (wanted q)) with (performed q s).
  destruct (affordable q s); reflexivity.
Qed.

Ltac in_closed_form fact := rewrite expand_closed; cbv zeta; destruct (affordable q s); cbn; now rewrite fact.

Lemma expand_leaves :
  leaves s' = if affordable q s
              then replace_leaf q (map node_at (children q)) (leaves s) else leaves s.
Proof. in_closed_form record_all_leaves. Qed.
Lemma expand_nu : nu_min s' = Some (value q).
Proof. in_closed_form record_all_nu. Qed.
Lemma expand_iterations : iterations s' = iterations s.
Proof. in_closed_form record_all_iterations. Qed.
Lemma expand_sweeps : sweeps s' = sweeps s.
Proof. in_closed_form record_all_sweeps. Qed.
Lemma expand_made : made s' = made s + length (performed q s).
Proof. in_closed_form record_all_made. Qed.
Lemma expand_answer :
  answer s' = fold_left (fun a p => smaller (sample p) a) (performed q s) (answer s).
Proof. in_closed_form record_all_answer. Qed.
Lemma expand_log :
  log s' = rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s.
Proof. in_closed_form record_all_log. Qed.
End Expansion.

Lemma expanded_evaluations ps (l : list (event V)) :
  expanded (rev (map evaluation ps) ++ l) = expanded l.
Proof.
  rewrite expanded_app. rewrite <- (app_nil_l (expanded l)) at 2. f_equal.
  rewrite <- map_rev. induction (rev ps); simpl; auto.
Qed.

Lemma evaluations_evaluations ps (l : list (event V)) :
  evaluations (rev (map evaluation ps) ++ l) =
  map (fun p => (p, visits_of p, sample p)) (rev ps) ++ evaluations l.
Proof.
  rewrite evaluations_app. f_equal. rewrite <- map_rev.
  induction (rev ps); simpl; congruence.
Qed.

Lemma performed_all q (s : state V) : affordable q s = true -> performed q s = wanted q.
Proof.
  unfold affordable, performed. intros H%Nat.leb_le. now apply firstn_all2.
Qed.

Lemma performed_cut q s :
  affordable q s = false -> length (performed q s) = budget cfg - made s.
Proof.
  unfold affordable, performed. intros H%Nat.leb_gt. apply firstn_length_le. lia.
Qed.

Lemma performed_wanted q s p : In p (performed q s) -> In p (wanted q).
Proof.
  unfold performed. intros H. rewrite <- (firstn_skipn (budget cfg - made s) (wanted q)).
  apply in_or_app. now left.
Qed.

Lemma in_children q p : In p (children q) <-> exists c, c < K k /\ p = c :: q.
Proof.
  unfold children, children_of. rewrite in_map_iff. split.
  - intros (c & <- & Hc%in_seq). exists c. split; [lia|reflexivity].
  - intros (c & Hc & ->). exists c. split; [reflexivity|]. apply in_seq. lia.
Qed.

Lemma in_wanted q p :
  In p (wanted q) <-> exists c, c < K k /\ p = c :: q /\ evaluated p = true.
Proof.
  unfold wanted. rewrite filter_In, in_children. split.
  - intros ((c & Hc & ->) & He). eauto.
  - intros (c & Hc & -> & He). eauto.
Qed.

Lemma nodup_children q : NoDup (children q).
Proof.
  unfold children, children_of. apply Injective_map_NoDup; [|apply seq_NoDup].
  intros a b E. congruence.
Qed.

Lemma nodup_performed q s : NoDup (performed q s).
Proof. apply nodup_firstn, NoDup_filter, nodup_children. Qed.

Lemma length_children q : length (children q) = K k.
Proof. unfold children, children_of. now rewrite map_length, seq_length. Qed.

Lemma length_wanted q : length (wanted q) <= K k.
Proof.
  rewrite <- (length_children q). apply length_filter.
Qed.

Lemma length_performed q s : length (performed q s) <= length (wanted q).
Proof. unfold performed. rewrite firstn_length. lia. Qed.

(** The first child is no center child: an expansion that starts with budget left
    makes at least one evaluation. *)
Lemma performed_nonempty q s :
  1 <= k -> exhausted s = false -> 1 <= length (performed q s).
Proof.
  intros Hk Hx. unfold performed, wanted, children, children_of, K.
  replace (2 * k + 1) with (S (2 * k)) by lia. cbn [seq map filter evaluated].
  replace (0 =? k) with false by (symmetry; apply Nat.eqb_neq; lia). cbn [negb orb].
  assert (Hl : budget cfg - made s = S (budget cfg - S (made s))).
  { unfold Model.exhausted in Hx. apply Nat.leb_gt in Hx. lia. }
  rewrite Hl. cbn. lia.
Qed.

End Nodes.
