(** * A visit of the model of the forest is that of SpecForest.v: ties and rule F5. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Order Norms RunsOrder NormIsEuclidean SpecPoints Forest
  ForestNodes ForestClasses ForestSteps ForestLoops ForestRuns ForestTrees SpecForestValues SpecForestExpansions.
From EmbeddedHunter Require Search SearchClasses SearchSteps SearchListing Commands Spec SpecForest.

Section SpecForestVisits.

Context {V : Type} (less : V -> V -> bool).
Variable g : nat -> Spec.point -> V.
Variable cfg : forest_settings.
Variable trees : nat.
Variable eta : nat -> R.
Variables separate by_norm : bool.
Variable later : forest V -> path -> V.

Local Notation k := (half cfg).
Local Notation d := (dimension_of cfg).
Local Notation name := (forest_name k).
Local Notation oracle := (forest_oracle_of g cfg eta).
Local Notation queue := (queue_rule (V := V) separate trees).
Local Notation rank := (class_rule (V := V) by_norm).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation visit_class := (Forest.visit_class less cfg trees oracle later queue).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation key := (Forest.key queue rank).
Local Notation classes := (Forest.classes cfg queue rank).
Local Notation reached := (reached less cfg trees oracle later nothing queue).
Local Notation reached_induction := (reached_induction less cfg trees oracle later nothing queue).
Local Notation reached_steps := (reached_steps less cfg trees oracle later nothing queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later nothing queue).
Local Notation forest_node := (forest_node cfg trees).
Local Notation state_of := (forest_state cfg).
Local Notation budget_left := (SpecForest.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).
Local Notation label := (SpecForest.label (K k) d eta separate by_norm).

(** ** Rule F4: the leaves over which a sweep ranges *)

Definition is_sweep (e : event V) : bool := match e with Sweep _ => true | _ => false end.

Lemma record_all_is_no_sweep ps s :
  filter is_sweep (log (record_all less trees oracle later ps s)) = filter is_sweep (log s).
Proof. revert s. induction ps as [|p ps IH]; intros s; [reflexivity|]. cbn [record_all]. now rewrite IH. Qed.

Lemma number_of_sweeps_is n s : reached s -> SpecForest.number_of_sweeps V (state_of n s) = sweeps s.
Proof.
  intros Hr. assert (E : length (filter is_sweep (log s)) = sweeps s).
  { revert s Hr. refine (reached_induction _ _ _); [reflexivity|].
    intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [cbn; now rewrite IH|exact IH|].
    pose proof (leaf_is_a_node cfg trees oracle s x Hi Hin) as F2. rewrite (expand_sweeps less cfg trees oracle later queue x s F2), <- IH.
    pose proof (expand_closed less cfg trees oracle later queue x s F2) as H. cbv zeta in H.
    destruct (affordable cfg (place x) s); [destruct H as (ch & _ & _ & ->)|rewrite H]; cbn [log];
      now rewrite record_all_is_no_sweep. }
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

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : forall t, 1 <= d t.
Hypothesis trees_pos : 1 <= trees.
Hypothesis eta_pos : forall t, (0 < eta t)%R.

(** The model compares norms as integers, which have a meaning in one space Y. *)
Hypothesis norms_of_one_space : by_norm = true -> forall t, d t = d 0 /\ eta t = eta 0.

(** What the earlier files prove, of these variables. *)
Local Notation tree_of_name := (tree_of_name cfg trees k_pos trees_pos).
Local Notation base_point_of_name := (base_point_of_name cfg trees eta k_pos trees_pos).
Local Notation is_zero_norm := (is_zero_norm cfg trees eta k_pos d_pos trees_pos eta_pos).
Local Notation leaf_facts := (leaf_facts less g cfg trees eta separate later).
Local Notation f_star_of_best := (f_star_of_best less g cfg trees eta separate later k_pos d_pos trees_pos eta_pos).
Local Notation queue_of_leaf := (queue_of_leaf less g cfg trees eta separate later k_pos d_pos trees_pos eta_pos).
Local Notation an_expansion := (an_expansion less g cfg trees eta separate later k_pos d_pos trees_pos eta_pos).
Local Notation evaluate_child := (fun x => Commands.conditional
  (SpecForest.is_no_center V (K k) x) (SpecForest.evaluate V g (K k) d eta x)).

Lemma budget_left_iff n s : reached s -> (budget_left (state_of n s) <-> exhausted s = false).
Proof. intros Hr. apply budget_is_left. now apply (evaluations_made less cfg trees oracle later nothing queue). Qed.

(** The states of a run, whatever the ranks. *)
Lemma reached_steps_of_rank s s' :
  reached s -> Search.steps (A := forest_search less cfg trees oracle later nothing queue rank) s s' -> reached s'.
Proof. intros Hr Hs. apply (reached_steps s); [exact Hr|]. now apply (steps_of_rank _ _ _ _ _ _ _ rank). Qed.

Lemma in_range_is n (x : leaf V) : forest_node (place x) ->
  (SpecForest.in_range (K k) d (turns cfg) n (name (place x)) <-> in_range cfg n x = true).
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
  revert s. refine (reached_induction _ _ _).
  - unfold places. cbn [leaves Forest.start]. rewrite map_map. cbn [place Forest.new_leaf].
    assert (G : forall n a, StronglySorted left_of (map (fun t => [t]) (seq a n))).
    { induction n as [|n IH]; intros a; cbn [seq map]; constructor; [apply IH|].
      apply Forall_forall. intros p Hp. apply in_map_iff in Hp. destruct Hp as (c & <- & Hc%in_seq).
      exists [], a, c, [], []. repeat split; auto. lia. }
    apply G.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    pose proof (nodes_are_sound _ _ _ s Hi) as Hn. set (q := place x).
    destruct (places_expand less cfg trees oracle later queue x s Hn Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
    fold q in E |- *. rewrite E in IH. apply strongly_sorted_parts in IH. destruct IH as (H1 & H2 & H3).
    inversion H2 as [|? ? H4 H5]; subst. rewrite Forall_forall in H5.
    apply strongly_sorted_app; [exact H1| |].
    + apply strongly_sorted_app; [|exact H4|].
      * unfold children, children_of. generalize 0 at 1. induction (K k) as [|n IHn]; intros a;
          cbn [seq map]; constructor; [apply IHn|].
        apply Forall_forall. intros p Hp. apply in_map_iff in Hp.
        destruct Hp as (c & <- & Hc%in_seq). exists q, a, c, [], []. repeat split; auto. lia.
      * intros y z Hy Hz. apply in_children in Hy. destruct Hy as (c & _ & ->).
        destruct (H5 z Hz) as (r & a & b & m & m' & Eq & Ey & Hab).
        exists r, a, b, (c :: m), m'. rewrite Eq. auto.
    + intros y z Hy Hz. apply in_app_or in Hz. destruct Hz as [Hz|Hz].
      * apply in_children in Hz. destruct Hz as (c & _ & ->).
        destruct (H3 y q Hy (or_introl eq_refl)) as (r & a & b & m & m' & Ex & Eq & Hab).
        exists r, a, b, m, (c :: m'). rewrite Eq. auto.
      * apply H3; auto. now right.
Qed.

Lemma left_of_forest_index p q : forest_node p -> forest_node q -> length p = length q -> left_of p q ->
  index k p < index k q.
Proof.
  intros (_ & _ & Hp) (_ & _ & Hq) Hl (r & a & b & m & m' & -> & -> & Hab).
  assert (Hm : forall m a, node k (inner (m ++ a :: r)) -> node k m).
  { intros m0 a0 H. unfold inner in H. rewrite removelast_app in H by easy. unfold node in *.
    now apply Forall_app in H. }
  apply Hm in Hp, Hq. rewrite !app_length in Hl. cbn [length] in Hl.
  pose proof (index_app k m (a :: r) Hp) as [_ H1]. pose proof (index_app k m' (b :: r) Hq) as [H2 _].
  cbn [index] in H1, H2. replace (length m') with (length m) in H2 by lia.
  (* the digit a of a root is a tree's number: it may be K or more *)
  nia.
Qed.

Lemma the_least_index_is_selected s l r x rest :
  reached s -> In (r, x :: rest) (classes (sweeps s) l (leaves s)) ->
  let a := argmin less x rest in
  forall y, In y (x :: rest) -> y <> a ->
    at_most less (best a) (best y) /\
    (less (best a) (best y) = true \/ index k (place a) < index k (place y)).
Proof.
  intros Hr Hin a y Hy Hne.
  destruct (argmin_is_the_first_of_the_least less order x rest) as (l1 & l2 & E & H1 & H2).
  fold a in E, H1, H2. rewrite E in Hy. apply in_app_or in Hy.
  destruct Hy as [Hy|[Hy|Hy]]; [split; [apply (less_at_most less order)|left]; auto|congruence|].
  split; [auto|right].
  assert (Hs : StronglySorted (fun u w => left_of (place u) (place w)) (leaves s)).
  { pose proof (forest_leaves_stand_in_order s Hr) as H. unfold places in H. revert H.
    generalize (leaves s). clear. intros xs. induction xs as [|u xs IH]; intros H; [constructor|].
    cbn in H. inversion H as [|? ? Ha Hb]; subst. constructor; [auto|].
    rewrite Forall_forall in *. intros w Hw. apply Hb, in_map, Hw. }
  pose proof (SearchClasses.classes_stay_sorted depth key _ _ (in_range cfg (sweeps s)) keys_ordered _ l _ Hs r _ Hin) as Hc. rewrite E in Hc.
  apply strongly_sorted_parts in Hc. destruct Hc as (_ & Hc & _).
  inversion Hc as [|? ? _ Hf]; subst. rewrite Forall_forall in Hf. specialize (Hf y Hy).
  destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s) l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a) as (Ha1 & Ha2 & _); [rewrite E, in_app_iff; cbn; auto|].
  destruct (Hm y) as (Hy1 & Hy2 & _); [rewrite E, in_app_iff; cbn; auto|].
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
    + apply larger_integers_are_larger_Euclidean_norms; [exact (d_pos 0)|now apply radius_pos|exact El].
    + apply equal_integers_are_equal_Euclidean_norms; [exact (d_pos 0)|now apply radius_pos|exact El].
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
  rewrite earlier_iff. unfold Forest.key. rewrite pair_equal_spec. cbn [fst snd].
  unfold queue_rule, class_rule, separate_origin, one_queue, norm_class, one_class, integer_label.
  apply Nat.leb_gt in Tx, Ty. pose proof (Nrm_nonneg (tree_of (place x)) (inner (place x))). pose proof (Nrm_nonneg (tree_of (place y)) (inner (place y))).
  destruct separate, by_norm; rewrite ?Tx, ?Ty, ?Nx, ?Ny; cbn [andb];
    destruct (Z.eqb_spec (Nrm k (d (tree_of (place x))) (inner (place x))) 0), (Z.eqb_spec (Nrm k (d (tree_of (place y))) (inner (place y))) 0);
    split; lia.
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
  destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) r ms Hin) as [_ H].
  assert (F : forall y, In y ms -> In y (leaves s0) /\ T_t (name (place y)) /\ forest_node (place y) /\
    length (inner (place y)) = l /\ key y = r).
  { intros y Hy. destruct (H y Hy) as (H1 & H2 & H3 & H4).
    destruct (leaf_facts s0 y reached_0 H1) as (F1 & F2 & F3 & F4 & _). split; [exact H1|]. split; [split; [cbn; eauto|]|].
    - rewrite (number_of_sweeps_is t0 s0 reached_0). now apply in_range_is.
    - repeat split; try apply F2; congruence. }
  destruct (F x Hx) as (F1 & F2 & F3 & F4 & F5). split; [exact F1|]. split; [exact F2|]. repeat split; try apply F3; auto.
  unfold label_of_class. cbn [snd]. destruct ms as [|y ms]; [easy|].
  destruct (F y (or_introl eq_refl)) as (G1 & _ & G3 & G4 & G5).
  apply label_order; [exact G3|exact F3|congruence|].
  apply (key_order s0 y x reached_0 G1 F1). congruence.
Qed.

Lemma class_of_leaf p : T_t (name p) -> In p (places s0) -> length (inner p) = l ->
  exists x ms, In (key x, ms) frozen /\ In x ms /\ place x = p.
Proof.
  intros [_ Ht] Hp Hl. destruct (leaf_of_place s0 p Hp) as (x & Hx & <-).
  destruct (leaf_facts s0 x reached_0 Hx) as (_ & F1 & _ & F3 & _).
  destruct (SearchClasses.every_leaf_is_in_its_class depth key _ _ (in_range cfg (sweeps s0)) keys_ordered l (leaves s0) x Hx)
    as (ms & H1 & H2); [congruence|rewrite <- (number_of_sweeps_is t0 s0 reached_0); now apply in_range_is|].
  exists x, ms. auto.
Qed.

Lemma labels_of_classes :
  SpecForest.labels_of (K k) d eta separate by_norm T_t l (map label_of_class frozen).
Proof.
  split.
  - pose proof (classes_sorted cfg queue rank (sweeps s0) l (leaves s0)) as Hs.
    assert (G : forall cs, StronglySorted before cs -> (forall c, In c cs -> In c frozen) ->
      StronglySorted Rgt (map label_of_class cs)).
    { induction 1 as [|c cs Hs' IH Hf]; intros Hin; [constructor|]. cbn [map]. constructor.
      - apply IH. intros c' Hc'. apply Hin. now right.
      - apply Forall_forall. intros r Hr. apply in_map_iff in Hr. destruct Hr as (c' & <- & Hc').
        rewrite Forall_forall in Hf. specialize (Hf c' Hc'). unfold before in Hf.
        destruct c as [r ms], c' as [r' ms']. cbn [fst] in Hf.
        pose proof (Hin (r, ms) (or_introl eq_refl)) as I.
        pose proof (Hin (r', ms') (or_intror Hc')) as I'.
        destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) r ms I) as [Hne _].
        destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) r' ms' I') as [Hne' _].
        destruct ms as [|x ms]; [easy|]. destruct ms' as [|x' ms']; [easy|].
        destruct (member_facts r (x :: ms) x I (or_introl eq_refl)) as (A0 & _ & A1 & A2 & A3 & ->).
        destruct (member_facts r' (x' :: ms') x' I' (or_introl eq_refl)) as (B0 & _ & B1 & B2 & B3 & ->).
        apply label_order; [exact B1|exact A1|congruence|]. apply (key_order s0 x x' reached_0 A0 B0). congruence. }
    now apply G.
  - intros r. split.
    + intros Hr. apply in_map_iff in Hr. destruct Hr as ([z ms] & <- & I).
      destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) z ms I) as [Hne _].
      destruct ms as [|x ms]; [easy|].
      destruct (member_facts z (x :: ms) x I (or_introl eq_refl)) as (_ & A0 & A1 & A2 & A3 & ->).
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
    destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) r ms I) as [Hne _].
    destruct ms as [|x ms]; [easy|].
    destruct (member_facts r (x :: ms) x I (or_introl eq_refl)) as (B0 & A0 & A1 & A2 & A3 & A4).
    destruct (member_facts _ _ z I' Im) as (C0 & _ & C1 & C2 & _ & _).
    rewrite A4, <- Ez in Hr. apply label_order in Hr; [|exact C1|exact A1|congruence].
    apply (key_order s0 z x reached_0 C0 B0) in Hr.
    assert (E : ms' = x :: ms).
    { pose proof (classes_sorted cfg queue rank (sweeps s0) l (leaves s0)) as Hs. rewrite Hr, A3 in I'.
      clear - Hs I I'. induction Hs as [|c cs Hs IH Hf]; [easy|]. rewrite Forall_forall in Hf.
      assert (N : forall m, ~ In (r, m) cs \/ fst c <> r).
      { intros m. destruct (same_key (fst c) r) eqn:E.
        - apply same_key_iff in E. left. intros J. specialize (Hf _ J). unfold before in Hf. cbn [fst] in Hf.
          rewrite E, earlier_iff in Hf. lia.
        - right. intros J. apply same_key_iff in J. congruence. }
      destruct I as [->|I], I' as [E|I']; [congruence| | |auto].
      - destruct (N ms') as [J|J]; [now apply J in I'|now cbn in J].
      - subst c. destruct (N (x :: ms)) as [J|J]; [now apply J in I|now cbn in J]. }
    subst ms'. exists z. split; [exact Im|]. now rewrite Ez.
  - intros (x & Hx & ->). destruct (member_facts r ms x I Hx) as (_ & A0 & A1 & A2 & A3 & A4).
    split; [exact A0|]. split; [exact A2|]. now rewrite A4.
Qed.

(** What happens to the class of label [r]. *)
Local Notation visit_label := (fun r =>
  Commands.with_the (SpecForest.argmin V less (K k) d eta (SpecForest.class (K k) d eta separate by_norm T_t l r)) (fun o =>
    Commands.conditional (SpecForest.below_nu_min V less (K k) d eta separate o)
      (Commands.with_the (SpecForest.f_star_is V (K k) d eta o) (fun f =>
        Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate o) f)
          (Commands.sequence (SpecForest.note V (Spec.Expand V o f))
            (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
              (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) o))
                (SpecForest.add_children V (K k) o)))))))).

Lemma a_class c s n : In c frozen -> reached s -> exhausted s = false ->
  (forall x, In x (snd c) -> In x (leaves s)) ->
  visit_label (label_of_class c) (state_of n s) (state_of n (visit_class (fst (fst c)) (snd c) s)).
Proof.
  destruct c as [r ms]. cbn [fst snd]. intros I Hr Hx Hm.
  destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s0) l (leaves s0) r ms I) as [Hne _].
  destruct ms as [|x rest]; [easy|].
  set (a := argmin less x rest). assert (Ha : In a (x :: rest)) by apply argmin_in.
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

Lemma the_classes n cs s :
  incl cs frozen -> reached s ->
  SearchSteps.frozen_ok (A := forest_search less cfg trees oracle later nothing queue rank) l cs s ->
  for_each visit_label (map label_of_class cs) (state_of n s) (state_of n (visit_classes cs s)).
Proof.
  exact (SearchListing.for_each_class (forest_is_lawful less cfg trees oracle later nothing queue rank) budget_left state_of
    reached reached_invariant reached_steps_of_rank budget_left_iff label_of_class visit_label l frozen n l_small
    (fun c s => a_class c s n) cs s).
Qed.

End Visit.

End SpecForestVisits.
