(** * Algorithm 1 is the case P = 1.

    A forest of one tree with Algorithm 1's norm classes and one queue makes the run of Algorithm 1 with M = 0,
    event by event: the same sweeps, visits, expansions, evaluations and values, in the same order.  Node p of the one is
    node p ++ [0] of the other. *)

From EmbeddedHunter Require Import ForestTerms ForestNodes.

(** A leaf, and an event, of Algorithm 1 as one of the forest. *)
Definition lift_leaf {V} (x : leaf V) : leaf V := Leaf (depth x) (place x ++ [0]) (norm x) (best x) (count x).

Definition lift_event {V} (e : event V) : event V :=
  match e with
  | Sweep lim => Sweep lim
  | Visit l => Visit l
  | Expand p nu => Expand (p ++ [0]) nu
  | Evaluate p n v => Evaluate (p ++ [0]) n v
  end.

Section OneTree.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (later : forest V -> path -> V).

Hypothesis cap_is_zero : cap_num cfg = 0%Z.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

Local Notation k := (half cfg).
Local Notation forest_cfg := (one_dimension cfg).
Local Notation tree_oracle := (fun (_ : nat) (p : path) => oracle p 1).
Local Notation queue := (one_queue (V := V) 1).
Local Notation rank := (norm_class (V := V)).

(** The two states say the same. *)
Record same (s : state V) (s' : forest V) : Prop := Same {
  same_leaves : Forest.leaves s' = map lift_leaf (Model.leaves s);
  counts_are_1 : forall x, In x (Model.leaves s) -> count x = 1;
  same_nu : (Model.nu_min s = None /\ nu_mins s' = []) \/
            (exists w more, Model.nu_min s = Some w /\ nu_mins s' = (0, w) :: more);
  same_answer : Forest.answer s' = Model.answer s;
  same_made : Forest.made s' = Model.made s;
  same_iterations : Forest.iterations s' = Model.iterations s;
  same_sweeps : Forest.sweeps s' = Model.sweeps s;
  same_log : Forest.log s' = map lift_event (Model.log s)
}.

Lemma same_exhausted s s' : same s s' -> Forest.exhausted forest_cfg s' = Model.exhausted cfg s.
Proof. intros H. unfold Forest.exhausted, Model.exhausted. now rewrite (same_made _ _ H). Qed.

Lemma never_again x : count x = 1 -> within_cap (V := V) cfg x = false.
Proof.
  intros E. unfold within_cap. rewrite E, cap_is_zero, Z.mul_0_l. apply Z.leb_gt.
  assert (0 < Z.of_nat (K k) ^ (2 * Z.of_nat (rounds (dimension cfg) (depth x))))%Z
    by (apply Z.pow_pos_nonneg; unfold K; lia). change (Z.of_nat 1) with 1%Z. nia.
Qed.

Lemma lift_new_leaf p (v : V) : lift_leaf (Model.new_leaf cfg p v 1) = Forest.new_leaf forest_cfg (p ++ [0]) v.
Proof. unfold lift_leaf, Model.new_leaf, Forest.new_leaf. cbn [depth place norm best count]. now rewrite inner_app. Qed.

Lemma same_evaluation c (x : leaf V) s s' : c <> k -> same s s' ->
  let e := Model.evaluate less oracle cfg (c :: place x) 1 s in
  let e' := Forest.evaluate less 1 tree_oracle later (c :: place x ++ [0]) s' in
  fst e' = fst e /\ same (snd e) (snd e').
Proof.
  intros Hc H. unfold Model.evaluate, Forest.evaluate, sample. cbn [fst snd].
  change (c :: place x ++ [0]) with ((c :: place x) ++ [0]). rewrite tree_of_app, inner_app.
  cbn [Nat.ltb Nat.leb birth]. apply Nat.eqb_neq in Hc. rewrite Hc. split; [reflexivity|].
  destruct H as [H1 H2 H3 H4 H5 H6 H7 H8]. split; cbn; try assumption; congruence.
Qed.

(** The children made so far, and the states; the leaves have count 1. *)
Definition same_results (r : option (list (leaf V)) * state V) (r' : option (list (leaf V)) * forest V) : Prop :=
  same (snd r) (snd r') /\ fst r' = option_map (map lift_leaf) (fst r) /\ forall ch y, fst r = Some ch -> In y ch -> count y = 1.

Lemma one_child_more p v r r' : same_results r r' ->
  same_results
    (match r with (Some ch, s) => (Some (Model.new_leaf cfg p v 1 :: ch), s) | (None, s) => (None, s) end)
    (match r' with (Some ch, s) => (Some (Forest.new_leaf forest_cfg (p ++ [0]) v :: ch), s) | (None, s) => (None, s) end).
Proof.
  destruct r as [[ch|] s], r' as [o s']; intros (H1 & H2 & H3); cbn [fst snd option_map] in *; subst o.
  - split; [exact H1|]. cbn [fst snd option_map map]. rewrite lift_new_leaf. split; [reflexivity|].
    intros ch' y [= <-] [<-|Hy]; [reflexivity|]. now apply (H3 ch).
  - split; [exact H1|]. split; [reflexivity|discriminate].
Qed.

Lemma same_children digits (x : leaf V) : count x = 1 -> forall s s', same s s' ->
  same_results (Model.make_children less oracle cfg digits x s)
    (Forest.make_children less forest_cfg 1 tree_oracle later digits (lift_leaf x) s').
Proof.
  intros Hx. induction digits as [|c digits IH]; intros s s' H.
  - split; [exact H|]. split; [reflexivity|]. intros ch y [= <-] [].
  - cbn [Model.make_children Forest.make_children]. change (half forest_cfg) with k. rewrite (never_again x Hx). cbn [negb].
    rewrite andb_true_r. change (place (lift_leaf x)) with (place x ++ [0]). destruct (Nat.eqb_spec c k) as [->|N].
    + rewrite Hx. exact (one_child_more (k :: place x) (best x) _ _ (IH s s' H)).
    + rewrite (same_exhausted s s' H).
      destruct (Model.exhausted cfg s); [split; [exact H|]; split; [reflexivity|discriminate]|].
      destruct (same_evaluation c x s s' N H) as [E Hs].
      destruct (Model.evaluate less oracle cfg (c :: place x) 1 s) as [v s1].
      destruct (Forest.evaluate less 1 tree_oracle later (c :: place x ++ [0]) s') as [v' s1']. cbn [fst snd] in E, Hs. subst v'.
      exact (one_child_more (c :: place x) v _ _ (IH s1 s1' Hs)).
Qed.

Lemma same_path_lift p q : same_path (p ++ [0]) (q ++ [0]) = same_path p q.
Proof.
  destruct (same_path p q) eqn:E.
  - apply same_path_iff in E. subst. now apply same_path_iff.
  - destruct (same_path (p ++ [0]) (q ++ [0])) eqn:E'; [|reflexivity]. apply same_path_iff, app_inv_tail in E'. subst.
    assert (H : same_path q q = true) by now apply same_path_iff. congruence.
Qed.

Lemma replace_leaf_lift p (ch xs : list (leaf V)) :
  replace_leaf (p ++ [0]) (map lift_leaf ch) (map lift_leaf xs) = map (@lift_leaf V) (replace_leaf p ch xs).
Proof.
  induction xs as [|x xs IH]; [reflexivity|]. cbn [map replace_leaf]. change (place (lift_leaf x)) with (place x ++ [0]).
  rewrite same_path_lift. destruct (same_path (place x) p); [now rewrite map_app|]. cbn [map]. now rewrite IH.
Qed.

Lemma queue_is_0 (x : leaf V) : queue (lift_leaf x) = 0.
Proof. unfold one_queue, lift_leaf. cbn [place]. now rewrite tree_of_app. Qed.

Lemma same_expansion (x : leaf V) s s' : count x = 1 -> same s s' ->
  same (Model.expand less oracle cfg x s) (Forest.expand less forest_cfg 1 tree_oracle later queue (lift_leaf x) s').
Proof.
  intros Hx H. unfold Model.expand, Forest.expand. rewrite queue_is_0. cbn [best lift_leaf].
  set (s1 := State _ _ _ _ _ _ _). set (s1' := Forest _ _ _ _ _ _ _ _).
  assert (H1 : same s1 s1').
  { destruct H as [A1 A2 A3 A4 A5 A6 A7 A8]. unfold s1, s1'. split; cbn; try assumption; [|now rewrite A8].
    right. eauto. }
  change (half forest_cfg) with k. destruct (same_children (seq 0 (K k)) x Hx s1 s1' H1) as (H2 & H3 & H4).
  destruct (Model.make_children less oracle cfg (seq 0 (K k)) x s1) as [[ch|] s2];
    change (place (lift_leaf x)) with (place x ++ [0]) in *;
    destruct (Forest.make_children less forest_cfg 1 tree_oracle later (seq 0 (K k)) (lift_leaf x) s1') as [o s2'];
    cbn [fst snd] in *; subst o; cbn [option_map]; [|exact H2].
  destruct H2 as [A1 A2 A3 A4 A5 A6 A7 A8]. split; cbn; try assumption.
  - rewrite A1. apply replace_leaf_lift.
  - intros y Hy. apply in_replace_leaf in Hy. destruct Hy as [Hy|Hy]; [now apply (H4 ch)|now apply A2].
Qed.

Lemma argmin_lift (x : leaf V) rest : argmin less (lift_leaf x) (map lift_leaf rest) = lift_leaf (argmin less x rest).
Proof.
  revert x; induction rest as [|y rest IH]; intros x; [reflexivity|]. cbn [map argmin]. rewrite <- IH.
  change (best (lift_leaf y)) with (best y). change (best (lift_leaf x)) with (best x).
  now destruct (less (best y) (best x)).
Qed.

Lemma same_class (members : list (leaf V)) s s' : (forall x, In x members -> count x = 1) -> same s s' ->
  same (Model.visit_class less oracle cfg members s)
       (Forest.visit_class less forest_cfg 1 tree_oracle later queue 0 (map lift_leaf members) s').
Proof.
  intros Hm H. destruct members as [|x rest]; [exact H|]. cbn [map Model.visit_class Forest.visit_class].
  rewrite argmin_lift, (same_exhausted s s' H). destruct (Model.exhausted cfg s); [exact H|].
  assert (E : nu_min 0 (nu_mins s') = Model.nu_min s).
  { destruct (same_nu s s' H) as [[-> ->]|(w & more & -> & ->)]; reflexivity. }
  rewrite E. change (best (lift_leaf (argmin less x rest))) with (best (argmin less x rest)).
  destruct (below less (best (argmin less x rest)) (Model.nu_min s)); [|exact H].
  apply same_expansion; [apply Hm, argmin_in|exact H].
Qed.

Definition lift_class (c : Z * list (leaf V)) : (nat * Z) * list (leaf V) := ((0, fst c), map lift_leaf (snd c)).

Lemma add_to_classes_lift (x : leaf V) cs :
  Forest.add_to_classes queue rank (lift_leaf x) (map lift_class cs) = map lift_class (Model.add_to_classes x cs).
Proof.
  induction cs as [|[r ms] cs IH]; cbn [map Forest.add_to_classes Model.add_to_classes lift_class fst snd];
    unfold key; rewrite queue_is_0; [reflexivity|].
  unfold same_key, earlier. cbn [fst snd Nat.eqb Nat.ltb Nat.leb andb orb]. unfold norm_class. cbn [norm lift_leaf].
  destruct (norm x =? r)%Z; [reflexivity|]. destruct (r <? norm x)%Z; [reflexivity|].
  cbn [map]. f_equal. exact IH.
Qed.

(** Every sweep ranges over all leaves. *)
Lemma no_turn n : turn forest_cfg n = None.
Proof. unfold turn. cbn [turns one_dimension]. destruct (_ =? _); [|reflexivity]. now destruct (_ mod _). Qed.

Lemma classes_lift n l xs : Forest.classes forest_cfg queue rank n l (map lift_leaf xs) = map lift_class (Model.classes l xs).
Proof.
  induction xs as [|x xs IH]; [reflexivity|]. cbn [map Forest.classes Model.classes].
  change (depth (lift_leaf x)) with (depth x). destruct (depth x =? l); [|exact IH].
  unfold in_range. rewrite no_turn, IH. apply add_to_classes_lift.
Qed.

Lemma same_classes cs : forall s s', (forall r ms x, In (r, ms) cs -> In x ms -> count x = 1) -> same s s' ->
  same (Model.visit_classes less oracle cfg cs s)
       (Forest.visit_classes less forest_cfg 1 tree_oracle later queue (map lift_class cs) s').
Proof.
  induction cs as [|[r ms] cs IH]; intros s s' Hc H; [exact H|].
  cbn [map Model.visit_classes Forest.visit_classes lift_class fst snd]. apply IH.
  - intros r' ms' x Hin. apply (Hc r'). now right.
  - apply same_class; [|exact H]. intros x. apply (Hc r). now left.
Qed.

Lemma same_visit l s s' : same s s' ->
  same (Model.visit less oracle cfg l s) (Forest.visit less forest_cfg 1 tree_oracle later queue rank l s').
Proof.
  intros H. unfold Model.visit, Forest.visit. rewrite (same_leaves s s' H), classes_lift. apply same_classes.
  - intros r ms x Hin Hx. destruct (classes_hold_only_leaves_of_their_depth_and_norm l _ r ms Hin) as [_ Hy].
    apply (counts_are_1 s s' H). now apply Hy.
  - destruct H as [A1 A2 A3 A4 A5 A6 A7 A8]. split; cbn; try assumption; congruence.
Qed.

Lemma same_visits n : forall l s s', same s s' ->
  same (Model.visits less oracle cfg n l s) (Forest.visits less forest_cfg 1 tree_oracle later queue rank n l s').
Proof.
  induction n as [|n IH]; intros l s s' H; [exact H|]. cbn [Model.visits Forest.visits].
  rewrite (same_exhausted s s' H). destruct (Model.exhausted cfg s); [exact H|]. apply IH. now apply same_visit.
Qed.

Lemma deepest_lift xs : deepest (map (@lift_leaf V) xs) = deepest xs.
Proof. induction xs as [|x xs IH]; [reflexivity|]. cbn [map deepest]. now rewrite IH. Qed.

Lemma same_sweep s s' : same s s' ->
  same (Model.sweep less oracle cfg s) (Forest.sweep less forest_cfg 1 tree_oracle later queue rank s').
Proof.
  intros H. assert (E : Forest.limit forest_cfg s' = Model.limit cfg s).
  { unfold Forest.limit, Model.limit. now rewrite (same_leaves s s' H), deepest_lift. }
  unfold Model.sweep, Forest.sweep. rewrite E. apply same_visits. unfold Model.begin_sweep, Forest.begin_sweep. rewrite E.
  destruct H as [A1 A2 A3 A4 A5 A6 A7 A8]. split; cbn; try assumption; [now left|congruence|now rewrite A8].
Qed.

Lemma same_run n : forall s s', same s s' ->
  same (Model.run_for less oracle cfg n s) (Forest.run_for less forest_cfg 1 tree_oracle later nothing queue rank n s').
Proof.
  induction n as [|n IH]; intros s s' H; [exact H|]. cbn [Model.run_for Forest.run_for].
  pose proof (same_exhausted s s' H) as E. rewrite E. destruct (Model.exhausted cfg s); [exact H|].
  unfold round. cbn [nothing enter]. rewrite E. cbv zeta. pose proof (same_sweep s s' H) as Hs.
  unfold Forest.idle. rewrite no_turn.
  destruct (same_nu _ _ Hs) as [[-> ->]|(w & more & -> & ->)]; [exact Hs|]. now apply IH.
Qed.

Lemma same_start : same (Model.start oracle cfg) (Forest.start forest_cfg 1 tree_oracle).
Proof. split; cbn; try reflexivity; [|now left]. intros x [<-|[]]. reflexivity. Qed.

(** Claim [forest-algorithm-1].  With P = 1, one queue and norm classes the run of the forest is the run of Algorithm 1 with
    M = 0, event by event, and both end with the same answer after the same numbers of evaluations, iterations and sweeps. *)
Theorem Algorithm_1_is_the_forest_of_one_tree :
  let s := Model.hunt less oracle cfg in
  let s' := Forest.hunt less forest_cfg 1 tree_oracle later nothing queue rank in
  Forest.log s' = map lift_event (Model.log s) /\ Forest.leaves s' = map lift_leaf (Model.leaves s) /\
  Forest.answer s' = Model.answer s /\ Forest.made s' = Model.made s /\
  Forest.iterations s' = Model.iterations s /\ Forest.sweeps s' = Model.sweeps s.
Proof.
  cbv zeta. pose proof (same_run (budget cfg) _ _ same_start) as [A1 A2 A3 A4 A5 A6 A7 A8].
  unfold Model.hunt, Forest.hunt. cbn [spacing turns one_dimension]. rewrite Nat.mul_1_l. repeat split; assumption.
Qed.

End OneTree.
