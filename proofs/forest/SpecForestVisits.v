(** * A visit of the model of the forest is that of SpecForest.v: ties and rule F5. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Norms RunsOrder NormIsEuclidean SpecPoints ForestContext ForestNodes ForestSteps ForestRuns ForestTrees
  SpecForestValues SpecForestExpansions.
From EmbeddedHunter Require Search SearchClasses SearchSteps SearchListing Commands Spec SpecForest.

Section SpecForestVisits.

Context {V : Type} {F : rules V} {g : nat -> Spec.point -> V} {eta : nat -> R} {separate by_norm : bool}.
Context {spec : follows g eta separate by_norm}.

Local Notation label := (SpecForest.label (K k) d eta separate by_norm).

(** ** Rule F4: the leaves over which a sweep ranges *)

Definition is_sweep (e : event V) : bool := match e with Sweep _ => true | _ => false end.

Lemma record_all_is_no_sweep ps s :
  filter is_sweep (log (record_all ps s)) = filter is_sweep (log s).
Proof. revert s. induction ps as [|p ps IH]; intros s; [reflexivity|]. cbn [record_all]. now rewrite IH. Qed.

Lemma number_of_sweeps_is n s : reached s -> SpecForest.number_of_sweeps V (state_of n s) = sweeps s.
Proof.
  intros Hr. assert (E : length (filter is_sweep (log s)) = sweeps s).
  { revert s Hr. refine (reached_induction _ _ _ _ _ _); [reflexivity|intros; cbn; now f_equal|now intros| |].
    - intros x s _ _ _ Hp _ IH. rewrite (expand_sweeps x s Hp), <- IH. pose proof (expand_closed x s Hp) as H. cbv zeta in H.
      destruct (affordable (place x) s); [destruct H as (ch & _ & _ & ->)|rewrite H]; cbn [log];
        now rewrite record_all_is_no_sweep.
    - intros a s _ _ (s0 & Ha). rewrite nothing_enters in Ha. easy. }
  rewrite <- E. unfold SpecForest.number_of_sweeps. cbn [SpecForest.past forest_state]. unfold forest_events.
  clear. induction (log s) as [|e es IH]; [reflexivity|]. cbn [rev filter]. rewrite map_app, filter_app, app_length, IH.
  destruct e; cbn; lia.
Qed.

Lemma ranges_over_all_is n : SpecForest.ranges_over_all (turns cfg) n <-> turn cfg n = None.
Proof.
  unfold SpecForest.ranges_over_all, turn. pose proof (Nat.div_mod n 2 ltac:(lia)) as Hn.
  destruct (Nat.eqb_spec (n mod 2) 0) as [E|N].
  - split.
    + intros [->|H]; [now destruct ((n / 2 - 1) mod length (@nil nat))|]. exfalso. apply (H (n / 2)). lia.
    + destruct (turns cfg) as [|t ts]; [now left|]. intros H. apply nth_error_None in H. exfalso.
      assert ((n / 2 - 1) mod length (t :: ts) < length (t :: ts)) by (apply Nat.mod_upper_bound; cbn; lia). lia.
  - split; [reflexivity|]. intros _. right. intros j Ej. apply N. rewrite Ej, Nat.mul_comm. now apply Nat.mod_mul.
Qed.

Lemma budget_left_iff n s : reached s -> (budget_left V (state_of n s) <-> exhausted s = false).
Proof. intros Hr. apply budget_is_left. now apply evaluations_made. Qed.

Lemma in_range_is n (x : leaf V) : forest_node (place x) ->
  (SpecForest.in_range (K k) d (turns cfg) n (name (place x)) <-> in_range n x = true).
Proof.
  intros Hx. unfold SpecForest.in_range, Forest.in_range, turn. rewrite tree_of_name by exact Hx.
  destruct (turns cfg) as [|t ts] eqn:Et.
  - split; [|now left]. intros _. destruct (n mod 2 =? 0); [|reflexivity].
    now destruct ((n / 2 - 1) mod length (@nil nat)).
  - set (ds := t :: ts) in *. pose proof (Nat.div_mod n 2 ltac:(lia)) as Hn. destruct (Nat.eqb_spec (n mod 2) 0) as [E|N].
    + assert (Hm : (n / 2 - 1) mod length ds < length ds) by (apply Nat.mod_upper_bound; cbn; lia).
      rewrite (nth_error_nth' ds 0 Hm), Nat.eqb_eq. split; [intros [H|H]; [easy|]; apply H; lia|].
      intros H. right. intros j Ej. replace j with (n / 2) by lia. exact H.
    + split; [reflexivity|]. intros _. right. intros j Ej. exfalso. apply N. rewrite Ej, Nat.mul_comm. now apply Nat.mod_mul.
Qed.

(** ** Ties: the leaves stand in the order of their numbers *)

Lemma forest_leaves_stand_in_order s : reached s -> StronglySorted left_of (places s).
Proof.
  revert s. along_the_run.
  - rewrite root_places. apply siblings_stand_in_order.
  - destruct (places_expand x s Hp Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
    rewrite E in IH. now apply children_stand_in_order.
  - destruct Ha as (s0 & Ha). rewrite nothing_enters in Ha. easy.
Qed.

Lemma left_of_forest_index p q : forest_node p -> forest_node q -> length p = length q -> left_of p q ->
  index k p < index k q.
Proof.
  intros (_ & _ & Hp) (_ & _ & Hq) Hl (r & a & b & m & m' & -> & -> & Hab).
  assert (Hm : forall m a, node k (inner (m ++ a :: r)) -> node k m).
  { intros m0 a0 H. unfold inner in H. rewrite removelast_app in H by easy. unfold node in *.
    now apply Forall_app in H. }
  apply Hm in Hp, Hq. rewrite !app_length in Hl. cbn [length] in Hl. apply index_where_paths_part; auto. lia.
Qed.

Lemma the_least_index_is_selected s l r x rest :
  reached s -> In (r, x :: rest) (classes (sweeps s) l (leaves s)) ->
  let a := argmin less x rest in
  forall y, In y (x :: rest) -> y <> a ->
    at_most less (best a) (best y) /\
    (less (best a) (best y) = true \/ index k (place a) < index k (place y)).
Proof.
  intros Hr Hin a y Hy Hne.
  pose proof (strongly_sorted_before_map place left_of _ (forest_leaves_stand_in_order s Hr)) as Hs.
  pose proof (SearchClasses.classes_stay_sorted depth key _ _ (in_range (sweeps s)) keys_ordered _ l _ Hs r _ Hin) as Hc.
  destruct (argmin_in_a_sorted_list less order _ x rest y Hc Hy Hne) as [H1 [H2|H2]]; (split; [exact H1|]); [now left|right].
  destruct (classes_hold_only_their_leaves (sweeps s) l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a (argmin_in less x rest)) as (Ha1 & Ha2 & _). destruct (Hm y Hy) as (Hy1 & Hy2 & _).
  destruct (leaf_facts s a Hr Ha1) as (_ & A1 & A2 & A3 & _).
  destruct (leaf_facts s y Hr Hy1) as (_ & B1 & B2 & B3 & _).
  apply left_of_forest_index; auto. rewrite (length_inner _ A2), (length_inner _ B2). congruence.
Qed.

(** ** Rule F5: labels and classes *)

(** The label of a node as an integer. *)
Definition integer_label (p : path) : Z :=
  if by_norm then Nrm k (d (tree_of p)) (inner p) else if separate && (Nrm k (d (tree_of p)) (inner p) =? 0)%Z then 0%Z else 1%Z.

Lemma label_order p q : forest_node p -> forest_node q -> length (inner p) = length (inner q) ->
  ((label (name p) < label (name q))%R <-> (integer_label p < integer_label q)%Z) /\
  (label (name p) = label (name q) <-> integer_label p = integer_label q).
Proof.
  intros Hp Hq El. unfold SpecForest.label, integer_label. rewrite !is_zero_norm by assumption.
  destruct by_norm.
  - rewrite !base_point_of_name by assumption. destruct Hp as (_ & _ & Np). destruct Hq as (_ & _ & Nq).
    destruct (norms_of_one_space eq_refl (tree_of p)) as [-> ->].
    destruct (norms_of_one_space eq_refl (tree_of q)) as [-> ->].
    rewrite !(norm_of_point_of k _ _ (d_pos 0) (eta_pos 0)) by assumption. split; symmetry.
    + apply larger_integers_are_larger_Euclidean_norms; [exact (d_pos 0)|apply radius_pos; [apply d_pos|apply eta_pos]|exact El].
    + apply equal_integers_are_equal_Euclidean_norms; [exact (d_pos 0)|apply radius_pos; [apply d_pos|apply eta_pos]|exact El].
  - destruct (separate && _)%bool, (separate && _)%bool; split; split; intros; try lra; try lia; reflexivity.
Qed.

Lemma Nrm_nonneg t p : (0 <= Nrm k (d t) p)%Z.
Proof.
  rewrite (Nrm_is k _ (d_pos t)).
  assert (H : forall n f, (forall j, 0 <= f j)%Z -> (0 <= sum_below n f)%Z).
  { induction n as [|n IH]; intros f Hf; cbn [sum_below]; [lia|]. specialize (IH f Hf). specialize (Hf n). lia. }
  apply H. intros j. nia.
Qed.

Lemma key_order s x y : reached s -> In x (leaves s) -> In y (leaves s) ->
  (earlier (key x) (key y) = true <-> (integer_label (place y) < integer_label (place x))%Z) /\
  (key x = key y <-> integer_label (place x) = integer_label (place y)).
Proof.
  intros Hr Hx Hy. destruct (leaf_facts s x Hr Hx) as (_ & (_ & Tx & _) & _ & _ & Nx & _).
  destruct (leaf_facts s y Hr Hy) as (_ & (_ & Ty & _) & _ & _ & Ny & _).
  rewrite earlier_iff. unfold Forest.key. rewrite pair_equal_spec, queue_of_rules, rank_of_rules. cbn [fst snd].
  unfold queue_rule, class_rule, separate_origin, one_queue, norm_class, one_class, integer_label. rewrite <- Nx, <- Ny.
  assert (H : forall z : leaf V, norm z = Nrm k (d (tree_of (place z))) (inner (place z)) -> (0 <= norm z)%Z)
    by (intros z ->; apply Nrm_nonneg).
  pose proof (H x Nx). pose proof (H y Ny). apply Nat.leb_gt in Tx, Ty.
  destruct separate, by_norm; rewrite ?Tx, ?Ty; cbn [andb]; destruct (Z.eqb_spec (norm x) 0), (Z.eqb_spec (norm y) 0); split; lia.
Qed.

Definition label_of_class (c : (nat * Z) * list (leaf V)) : R :=
  match snd c with [] => 0%R | x :: _ => label (name (place x)) end.

Section Visit.

Variables (s0 : forest V) (l t0 : nat).
Hypothesis reached_0 : reached s0.
Hypothesis l_small : l <= h_max cfg.

Local Notation T_t := (fun x => SpecForest.T V (state_of t0 s0) x /\
  SpecForest.in_range (K k) d (turns cfg) (SpecForest.number_of_sweeps V (state_of t0 s0)) x).
Local Notation frozen := (classes (sweeps s0) l (leaves s0)).

Lemma member_facts r ms x : In (r, ms) frozen -> In x ms ->
  In x (leaves s0) /\ T_t (name (place x)) /\ forest_node (place x) /\ length (inner (place x)) = l /\
  key x = r /\ label_of_class (r, ms) = label (name (place x)).
Proof.
  intros Hin Hx.
  destruct (classes_hold_only_their_leaves (sweeps s0) l (leaves s0) r ms Hin) as [_ H].
  assert (Hf : forall y, In y ms -> In y (leaves s0) /\ T_t (name (place y)) /\ forest_node (place y) /\
    length (inner (place y)) = l /\ key y = r).
  { intros y Hy. destruct (H y Hy) as (H1 & H2 & H3 & H4).
    destruct (leaf_facts s0 y reached_0 H1) as (F1 & F2 & F3 & F4 & _). split; [exact H1|]. split; [split; [cbn; eauto|]|].
    - rewrite (number_of_sweeps_is t0 s0 reached_0). now apply in_range_is.
    - repeat split; try apply F2; congruence. }
  destruct (Hf x Hx) as (F1 & F2 & F3 & F4 & F5). split; [exact F1|]. split; [exact F2|]. repeat split; try apply F3; auto.
  unfold label_of_class. cbn [snd]. destruct ms as [|y ms]; [easy|].
  destruct (Hf y (or_introl eq_refl)) as (G1 & _ & G3 & G4 & G5).
  apply label_order; [exact G3|exact F3|congruence|].
  apply (key_order s0 y x reached_0 G1 F1). congruence.
Qed.

Lemma class_has_a_member r ms : In (r, ms) frozen -> exists x rest, ms = x :: rest.
Proof.
  intros I. destruct (classes_hold_only_their_leaves (sweeps s0) l (leaves s0) r ms I) as [Hne _]. destruct ms; [easy|eauto].
Qed.

Lemma class_of_leaf p : T_t (name p) -> In p (places s0) -> length (inner p) = l ->
  exists x ms, In (key x, ms) frozen /\ In x ms /\ place x = p.
Proof.
  intros [_ Ht] Hp Hl. destruct (leaf_of_place s0 p Hp) as (x & Hx & <-).
  destruct (leaf_facts s0 x reached_0 Hx) as (_ & F1 & _ & F3 & _).
  destruct (SearchClasses.every_leaf_is_in_its_class depth key _ _ (in_range (sweeps s0)) keys_ordered l (leaves s0) x Hx)
    as (ms & H1 & H2); [congruence|rewrite <- (number_of_sweeps_is t0 s0 reached_0); now apply in_range_is|].
  exists x, ms. auto.
Qed.

Lemma labels_of_classes :
  SpecForest.labels_of (K k) d eta separate by_norm T_t l (map label_of_class frozen).
Proof.
  split.
  - refine (strongly_sorted_map label_of_class _ _ _ (classes_sorted _ _ _) _). intros [r ms] [r' ms'] I I' Hf.
    unfold SearchClasses.before in Hf. cbn [fst] in Hf.
    destruct (class_has_a_member r ms I) as (x & rest & ->). destruct (class_has_a_member r' ms' I') as (x' & rest' & ->).
    destruct (member_facts r _ x I (or_introl eq_refl)) as (A0 & _ & A1 & A2 & A3 & ->).
    destruct (member_facts r' _ x' I' (or_introl eq_refl)) as (B0 & _ & B1 & B2 & B3 & ->).
    apply label_order; [exact B1|exact A1|congruence|]. apply (key_order s0 x x' reached_0 A0 B0). congruence.
  - intros r. split.
    + intros Hr. apply in_map_iff in Hr. destruct Hr as ([z ms] & <- & I).
      destruct (class_has_a_member z ms I) as (x & rest & ->).
      destruct (member_facts z _ x I (or_introl eq_refl)) as (_ & A0 & A1 & A2 & A3 & ->).
      exists (index k (place x)).
      replace (l, index k (place x)) with (name (place x)) by (unfold forest_name; now rewrite A2).
      split; [exact A0|reflexivity].
    + intros (i & ((p & Hp & E) & Ht) & <-).
      assert (Hl : length (inner p) = l) by now injection E. rewrite E in Ht |- *.
      destruct (class_of_leaf p (conj (ex_intro _ p (conj Hp eq_refl)) Ht) Hp Hl) as (x & ms & I & Im & <-).
      apply in_map_iff. exists (key x, ms). split; [|exact I].
      now destruct (member_facts _ _ _ I Im) as (_ & _ & _ & _ & _ & ->).
Qed.

Lemma class_is_a_class r ms y : In (r, ms) frozen ->
  (SpecForest.class (K k) d eta separate by_norm T_t l (label_of_class (r, ms)) y <->
   exists x, In x ms /\ y = name (place x)).
Proof.
  intros I. split.
  - intros (((p & Hp & ->) & Ht) & Hl & Hr). cbn [fst forest_name] in Hl.
    destruct (class_of_leaf p (conj (ex_intro _ p (conj Hp eq_refl)) Ht) Hp Hl) as (z & ms' & I' & Im & Ez).
    exists z. split; [|now rewrite Ez]. destruct (class_has_a_member r ms I) as (x & rest & ->).
    destruct (member_facts r _ x I (or_introl eq_refl)) as (B0 & A0 & A1 & A2 & A3 & A4).
    destruct (member_facts _ _ z I' Im) as (C0 & _ & C1 & C2 & _ & _).
    rewrite A4, <- Ez in Hr. apply label_order in Hr; [|exact C1|exact A1|congruence].
    apply (key_order s0 z x reached_0 C0 B0) in Hr. rewrite Hr, A3 in I'.
    rewrite (SearchClasses.class_is_class_now depth key _ _ (in_range (sweeps s0)) keys_ordered l _ r _ I).
    now rewrite <- (SearchClasses.class_is_class_now depth key _ _ (in_range (sweeps s0)) keys_ordered l _ r _ I').
  - intros (x & Hx & ->). destruct (member_facts r ms x I Hx) as (_ & A0 & A1 & A2 & A3 & A4).
    split; [exact A0|]. split; [exact A2|]. now rewrite A4.
Qed.

Lemma a_class c s n : In c frozen -> reached s -> exhausted s = false ->
  (forall x, In x (snd c) -> In x (leaves s)) ->
  class_visit g eta separate by_norm T_t l (label_of_class c) (state_of n s) (state_of n (visit_class (fst (fst c)) (snd c) s)).
Proof.
  destruct c as [r ms]. cbn [fst snd]. intros I Hr Hx Hm.
  destruct (class_has_a_member r ms I) as (x & rest & ->). set (a := argmin less x rest). assert (Ha : In a (x :: rest)) by apply argmin_in.
  destruct (member_facts r _ a I Ha) as (_ & _ & A1 & A2 & A3 & _).
  exists (name (place a)). split.
  - split; [apply class_is_a_class; eauto|]. intros y Hy N.
    apply (class_is_a_class r _ y I) in Hy. destruct Hy as (z & Hz & ->).
    rewrite !f_star_of_best by auto.
    assert (Nz : z <> a) by (intros ->; now apply N).
    destruct (the_least_index_is_selected s0 l r x rest reached_0 I z Hz Nz) as [H1 [H2|H2]]; fold a in H1, H2;
      cbn [Spec.smaller_than].
    + left. exact H2.
    + right. split; [|exact H2]. unfold at_most in H1. congruence.
  - assert (Hq : fst r = queue a) by (rewrite <- A3; reflexivity).
    assert (Hb : SpecForest.below_nu_min V less (K k) d eta separate (name (place a)) (state_of n s)
      <-> below less (best a) (nu_min (fst r) (nu_mins s)) = true).
    { unfold SpecForest.below_nu_min. rewrite f_star_of_best, (queue_of_leaf s a Hr), Hq by auto.
      cbn [SpecForest.nu_min forest_state]. destruct (nu_min (queue a) (nu_mins s)); cbn; tauto. }
    cbn [Forest.visit_class]. rewrite Hx. fold a.
    destruct (below less (best a) (nu_min (fst r) (nu_mins s))) eqn:E.
    + left. split; [now apply Hb|]. apply an_expansion; auto.
      destruct (leaf_facts s a Hr (Hm a Ha)) as (_ & _ & _ & F3 & _). lia.
    + right. split; [|reflexivity]. intros H. apply Hb in H. discriminate.
Qed.

Lemma the_classes n cs s : incl cs frozen -> reached s -> SearchSteps.frozen_ok (A := search) l cs s ->
  for_each V (class_visit g eta separate by_norm T_t l) (map label_of_class cs) (state_of n s) (state_of n (visit_classes cs s)).
Proof.
  exact (SearchListing.for_each_class lawful (budget_left V) state_of reached reached_invariant reached_steps budget_left_iff
    label_of_class (class_visit g eta separate by_norm T_t l) l frozen n l_small (fun c s => a_class c s n) cs s).
Qed.

End Visit.

End SpecForestVisits.
