(** * Instances: the hypotheses of a theorem hold together, and its conclusion says something

    Small data for theorems whose own files have no instance.  The comment of each theorem names the theorem of which it is an
    instance; its proof uses that theorem, on data that satisfy all its hypotheses. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Geometry Norms Vectors Cells WellShaped Model Nodes Steps Order RunsTree RunsEvaluations
  RunsNumbers RunsExpansions RunsOrder RunsEnd Frozen Sweep Lemma1 Theorem2 Packing Expectation Ceiling Coverage.
From EmbeddedHunter Require Spec SpecExpansions SpecIsModel.

(** ** The lattice *)

(** Claim [center-child]. For K = 3 and d = 1: of the three children of the root the middle one has its center, the last one
    not. Instance of [Geometry.a_child_shares_its_parent's_center_iff_its_offset_is_zero]. *)
Theorem one_child_of_three_shares_the_center : same_center 3 1 [1] [] /\ ~ same_center 3 1 [2] [].
Proof.
  pose proof (a_child_shares_its_parent's_center_iff_its_offset_is_zero 3 1 (le_n 1) ltac:(lia)) as H.
  split; [apply H; reflexivity|]. intros E%H. discriminate.
Qed.

(** Claim [norm-monotonicity]. For K = 3 and d = 1: the node of depth 1 on the right is no farther out than the corner of
    depth 2, and the corner is farther out. Instance of [Norms.the_greatest_norm_is_non_decreasing_in_depth]. *)
Theorem the_corner_of_depth_2_is_farther_out : norm_at_most 1 1 [2] (corner 1 2) /\ ~ norm_at_most 1 1 (corner 1 2) [2].
Proof.
  split; [|vm_compute; intros H; now apply H].
  apply (the_greatest_norm_is_non_decreasing_in_depth 1 1 (le_n 1)); [|cbn; lia]. repeat constructor.
Qed.

(** Claim [norm-classes]. For K = 3 and d = 1 the nodes of depth 2 have exactly five norms, fewer than their number 9.
    Instance of [Norms.the_norm_classes_of_a_depth_are_few]. *)
Theorem nine_nodes_have_five_norms :
  let norms := nodup Z.eq_dec (map (Nrm 1 1) [[0; 0]; [1; 0]; [2; 0]; [0; 1]; [1; 1]; [2; 1]; [0; 2]; [1; 2]; [2; 2]]) in
  length norms = 5 /\ (Z.of_nat (length norms) <= 17)%Z.
Proof.
  intros norms. split; [vm_compute; reflexivity|].
  assert (H : (Z.of_nat (length norms) <= Z.min (pw 1 2) (1 + Z.of_nat 1 * ((pw 1 (rounds 1 2) - 1) / 2) ^ 2))%Z).
  { apply (the_norm_classes_of_a_depth_are_few 1 1 (le_n 1)); [apply NoDup_nodup|].
    intros x H. apply nodup_In, in_map_iff in H. destruct H as (p & <- & H). exists p.
    repeat split; repeat destruct H as [<-|H]; try easy; repeat constructor. }
  eapply Z.le_trans; [exact H|]. vm_compute. easy.
Qed.

(** ** Runs of the model *)

(** K = 3, d = 1, h_max = 1, v = 12, and the cap 2 R M = 4: 4/3 at the base points of [0] and [2]. *)
Definition small : settings := Settings 1 1 1 12 16 1.
Definition small_oracle (p : path) (n : nat) : Z := Z.of_nat ((5 + n + 3 * length p + 2 * list_sum p) mod 7).
Definition small_run : state Z := hunt Z.ltb small_oracle small.

Lemma small_run_is_reached : reached Z.ltb small_oracle small small_run.
Proof. apply hunt_reached. Qed.

(** Claim [evaluation-cap]. In this run the base point of node [2] is evaluated twice, as often as the cap allows. Instance
    of [RunsEvaluations.visits_are_at_most_floor_of_M_norm_plus_1]. *)
Theorem a_base_point_is_evaluated_as_often_as_the_cap_allows :
  let times_of s b := length (filter (fun e : path * nat * Z => same_path (birth 1 (fst (fst e))) b) (evaluations (log s))) in
  times_of small_run [2] = 2 /\ floor_of_M_norm small [2] + 1 = 2 /\ times_of small_run [2] <= 2.
Proof.
  intros times_of. assert (F : floor_of_M_norm small [2] + 1 = 2) by (vm_compute; reflexivity).
  split; [vm_compute; reflexivity|]. split; [exact F|]. rewrite <- F.
  apply (visits_are_at_most_floor_of_M_norm_plus_1 Z.ltb small_oracle small (le_n 1) eq_refl small_run [2] small_run_is_reached).
Qed.

(** Claim [evaluation-cap]. At the expansion of [2] its base point had one evaluation, the cap allowed another, and it was
    made. Instance of [RunsExpansions.a_base_point_is_evaluated_again_iff_the_cap_allows_it]. *)
Theorem a_base_point_is_evaluated_again : cap_holds small 1 [2] /\
  exists newer older nu, log small_run = newer ++ Expand [2] nu :: older /\ In ([1; 2], 2, 0%Z) (evaluations newer).
Proof.
  assert (N : ~ In [2] (places small_run)) by (intros I'; vm_compute in I'; repeat destruct I' as [I'|I']; (discriminate I' || exact I')).
  assert (E : log small_run = firstn 12 (log small_run) ++ Expand [2] 6%Z :: skipn 13 (log small_run)) by (vm_compute; reflexivity).
  assert (I : In ([1; 2], 2, 0%Z) (evaluations (firstn 12 (log small_run)))) by (vm_compute; auto).
  split; [|exists (firstn 12 (log small_run)), (skipn 13 (log small_run)), 6%Z; exact (conj E I)].
  pose proof (a_base_point_is_evaluated_again_iff_the_cap_allows_it Z.ltb small_oracle small (le_n 1) small_run _ [2] 6%Z _
    small_run_is_reached E) as H.
  specialize (H N). cbv zeta in H.
  replace (length (at_point small (birth (half small) [2]) (skipn 13 (log small_run)))) with 1 in H by (clear; vm_compute; reflexivity).
  apply H. exists 0%Z. exact I.
Qed.

(** Claim [zero-vector-once]. Of the eleven evaluations of this run one is at the zero vector. Instance of
    [RunsEvaluations.the_zero_vector_is_evaluated_once]. *)
Theorem one_of_eleven_evaluations_is_at_the_zero_vector : length (evaluations (log small_run)) = 11 /\
  filter (fun e : path * nat * Z => (Nrm 1 1 (fst (fst e)) =? 0)%Z) (evaluations (log small_run)) = [([], 1, 6%Z)].
Proof.
  split; [vm_compute; reflexivity|].
  exact (the_zero_vector_is_evaluated_once Z.ltb small_oracle small (le_n 1) eq_refl small_run small_run_is_reached).
Qed.

(** Claim [budget-exact]. Both cases occur: with the budget 12 the tree is full after 11 evaluations, with 8 all are made.
    Instance of [RunsEnd.the_budget_is_used_exactly_unless_the_tree_is_full]. *)
Theorem a_budget_of_8_is_used_and_a_budget_of_12_fills_the_tree :
  let made_with v := length (evaluations (log (hunt Z.ltb small_oracle (Settings 1 1 1 v 16 1)))) in
  made_with 8 = 8 /\ made_with 12 = 11 /\ full small small_run.
Proof.
  intros made_with. split; [vm_compute; reflexivity|]. assert (L : made_with 12 = 11) by (vm_compute; reflexivity). split; [exact L|].
  destruct (the_budget_is_used_exactly_unless_the_tree_is_full Z.ltb small_oracle small (le_n 1) (le_n_S 0 11 (Nat.le_0_l 11))) as [H|H]; [|exact H].
  exfalso. change (made_with 12 = 12) in H. rewrite L in H. discriminate H.
Qed.

(** Claim [termination]. The last sweep of this run expands nothing: all leaves have depth 2, and h_max is 1. Instance of
    [Sweep.a_sweep_that_expands_nothing_met_a_full_tree]. *)
Theorem the_last_sweep_meets_a_full_tree : nu_min (sweep Z.ltb small_oracle small small_run) = None /\
  forall x, In x (leaves small_run) -> 1 < depth x.
Proof.
  assert (N : nu_min (sweep Z.ltb small_oracle small small_run) = None) by (vm_compute; reflexivity). split; [exact N|].
  apply (a_sweep_that_expands_nothing_met_a_full_tree Z.ltb small_oracle small small_run); [|vm_compute; reflexivity|exact N].
  apply reached_leaves_are_nodes, small_run_is_reached.
Qed.

(** ** One sweep of this run *)

(** The state after the first sweep: the leaves [0], [1] and [2] have the values 2, 6 and 6, and nu_min is 6. *)
Definition after_one_sweep : state Z := run_for Z.ltb small_oracle small 1 (start small_oracle small).

Lemma its_leaves : leaves after_one_sweep = [Leaf 1 [0] 1 2%Z 1; Leaf 1 [1] 0 6%Z 1; Leaf 1 [2] 1 6%Z 1].
Proof. vm_compute. reflexivity. Qed.

Lemma after_one_sweep_is_reached : reached Z.ltb small_oracle small after_one_sweep.
Proof. apply run_for_steps, leaves_are_nodes_start. Qed.

(** Claim [strict-expansion-sentence]. With nu_min = 6 a class whose least value is 2 expands it, and one with 6 does not.
    Instance of [RunsOrder.a_class_expands_iff_its_least_value_is_strictly_below_nu_min]. *)
Theorem a_leaf_of_value_2_is_expanded_and_one_of_6_is_not : let s := after_one_sweep in nu_min s = Some 6%Z /\
  visit_class Z.ltb small_oracle small [Leaf 1 [0] 1 2%Z 1] s = expand Z.ltb small_oracle small (Leaf 1 [0] 1 2%Z 1) s /\
  visit_class Z.ltb small_oracle small [Leaf 1 [2] 1 6%Z 1] s = s.
Proof.
  intros s. assert (N : nu_min s = Some 6%Z) by (vm_compute; reflexivity). split; [exact N|].
  split; rewrite (a_class_expands_iff_its_least_value_is_strictly_below_nu_min Z.ltb small_oracle small) by (vm_compute; reflexivity);
    rewrite N; reflexivity.
Qed.

(** Claim [ties-least-index]. Of the outer class of three leaves of equal values line 5 selects the left one.
    Instance of [RunsOrder.line_5_selects_the_least_index_among_the_least]. *)
Theorem of_equal_leaves_the_left_one_is_selected :
  let zeros (p : path) (n : nat) := 0%Z in let s := run_for Z.ltb zeros small 1 (start zeros small) in
  let left := Leaf 1 [0] 1 0%Z 1 in let right := Leaf 1 [2] 1 0%Z 1 in
  In (1%Z, [left; right]) (classes 1 (leaves s)) /\ argmin Z.ltb left [right] = left /\
  at_most Z.ltb (best left) (best right) /\ (Z.ltb (best left) (best right) = true \/ index 1 (place left) < index 1 (place right)).
Proof.
  intros zeros s left right. assert (C : In (1%Z, [left; right]) (classes 1 (leaves s))) by (vm_compute; tauto).
  split; [exact C|]. split; [reflexivity|].
  apply (line_5_selects_the_least_index_among_the_least Z.ltb zeros small the_integers_are_totally_ordered s 1 1%Z left [right]);
    [apply run_for_steps, leaves_are_nodes_start|exact C|cbn; tauto|discriminate].
Qed.

(** Claim [frozen-classes]. After the outer class of depth 1 has been visited, and [0] expanded, the class of [1] is still its own.
    Instance of [Frozen.a_frozen_class_is_current_when_its_turn_comes]. *)
Theorem the_inner_class_is_current_after_the_outer_one : let s := after_one_sweep in
  let outer := (1%Z, [Leaf 1 [0] 1 2%Z 1; Leaf 1 [2] 1 6%Z 1]) in
  let s' := visit_classes Z.ltb small_oracle small [outer] (begin_visit 1 s) in
  length (leaves s') = 5 /\ [Leaf 1 [1] 0 6%Z 1] = class_now 1 0 (leaves s').
Proof.
  intros s outer s'. split; [vm_compute; reflexivity|].
  apply (a_frozen_class_is_current_when_its_turn_comes Z.ltb small_oracle small 1 s [outer] 0%Z _ []);
    [apply reached_leaves_are_nodes, after_one_sweep_is_reached|vm_compute; reflexivity].
Qed.

(** Claim [sweep-expands]. The second sweep expands a node of depth at most 1 and value at most 6, the depth and the value of [2].
    Instance of [Sweep.sweep_expands]. *)
Theorem the_second_sweep_expands_something : let s := after_one_sweep in let s' := sweep Z.ltb small_oracle small s in
  exists new x, log s' = new ++ log s /\ In x (expanded new) /\ length x <= 1 /\ at_most Z.ltb (value Z.ltb small_oracle small x) 6%Z.
Proof.
  intros s s'. assert (N : exhausted small s' = false) by (vm_compute; reflexivity).
  destruct (sweep_expands Z.ltb small_oracle small the_integers_are_totally_ordered s [2]) as [H|(new & x & H)].
  - apply reached_leaves_are_nodes, after_one_sweep_is_reached.
  - unfold places. unfold s. rewrite its_leaves. cbn. tauto.
  - vm_compute. apply le_n.
  - exfalso. change (exhausted small s' = true) in H. rewrite N in H. discriminate H.
  - exists new, x. exact H.
Qed.

(** The branch to the node [2; 0], with the thresholds 6 at the root and 2 below. *)
Definition thresholds (l : nat) : Z := if l =? 0 then 6%Z else 2%Z.

Lemma the_branch_is_optimal : optimal_branch Z.ltb small_oracle small thresholds [2; 0].
Proof. intros a (m & E). destruct m as [|x [|y [|z m]]]; cbn in E; inversion E; reflexivity. Qed.

(** Claims [lemma-1] [theorem-2]. S_1 = 2: [0] is expanded within two sweeps, and then the answer is at most 2; the root has the value 6.
    Instance of [Lemma1.the_optimal_node_is_expanded_within_S_sweeps] and [Theorem2.after_S_sweeps_the_answer_is_near_optimal]. *)
Theorem after_two_sweeps_the_answer_is_at_most_2 : let s := run_for Z.ltb small_oracle small 2 (start small_oracle small) in
  S_ Z.ltb small_oracle small thresholds 1 = 2 /\ In [0] (expanded (log s)) /\ at_most Z.ltb (answer s) 2%Z.
Proof.
  intros s. assert (Two : S_ Z.ltb small_oracle small thresholds 1 = 2) by (vm_compute; reflexivity). split; [exact Two|].
  assert (N : exhausted small s = false) by (vm_compute; reflexivity). split.
  - apply (the_optimal_node_is_expanded_within_S_sweeps Z.ltb small_oracle small thresholds the_integers_are_totally_ordered 1 [0]);
      [repeat constructor|reflexivity|apply le_n| |now rewrite Two|exact N].
    intros a (m & E). apply the_branch_is_optimal. exists (2 :: m). cbn. now rewrite E.
  - apply (after_S_sweeps_the_answer_is_near_optimal Z.ltb small_oracle small thresholds the_integers_are_totally_ordered 1 [0] 2) with (n := 2) (l := 2);
      [repeat constructor|reflexivity|apply le_n|exact the_branch_is_optimal|now rewrite Two|exact N|constructor|apply le_n].
Qed.

(** ** Geometry over the reals *)

Local Open Scope R_scope.

Lemma sum_of_one_term (t : nat -> R) : sum (coordinates 1) t = t 0%nat.
Proof. cbn. lra. Qed.

(** Claim [eq-3]. On the line the projection of 3 is at the distance 2, and -1 is at the distance 4. Instance of
    [Vectors.projection_is_nearest_point_of_the_box]. *)
Theorem the_projection_of_3_is_nearer_than_minus_1 : let x := fun _ : nat => 3 in let z := fun _ : nat => -1 in
  Vectors.norm (coordinates 1) (minus x (project x)) = 2 /\ Vectors.norm (coordinates 1) (minus x z) = 4 /\
  Vectors.norm (coordinates 1) (minus x (project x)) <= Vectors.norm (coordinates 1) (minus x z).
Proof.
  intros x z. repeat split.
  - unfold Vectors.norm, square_norm. rewrite sum_of_one_term. unfold minus, project, clip, x, Rmax, Rmin.
    repeat destruct (Rle_dec _ _); try lra. replace ((3 - 1) ^ 2) with (2 * 2) by ring. apply sqrt_square. lra.
  - unfold Vectors.norm, square_norm. rewrite sum_of_one_term. unfold minus, x, z.
    replace ((3 - -1) ^ 2) with (4 * 4) by ring. apply sqrt_square. lra.
  - apply projection_is_nearest_point_of_the_box. intros i _. unfold z. lra.
Qed.

(** Claim [partition-coverage]. For K = 3 and Y = [-1, 1), the point 1/2 is in the right one of the three cells of depth 1,
    and in no other. Instance of [Cells.every_point_is_in_one_cell_of_each_depth]. *)
Theorem one_half_is_in_the_right_cell_alone : in_cell 1 1 1 [2%nat] (fun _ => 1 / 2) /\
  forall p, node 1 p -> length p = 1%nat -> in_cell 1 1 1 p (fun _ => 1 / 2) -> p = [2%nat].
Proof.
  assert (I : in_cell 1 1 1 [2%nat] (fun _ => 1 / 2)).
  { intros [|j] H; [|lia]. change (num 1 1 [2%nat] 0) with 1%Z. unfold power, splits. cbn. lra. }
  split; [exact I|]. intros p Hp Hl Hc.
  destruct (every_point_is_in_one_cell_of_each_depth 1 1 1 (le_n 1) ltac:(lra) 1 (fun _ => 1 / 2)) as (q & _ & one); [intros j _; lra|].
  rewrite <- (one p) by auto. apply one. split; [split; [|reflexivity]|exact I].
  constructor; [unfold K; lia|constructor].
Qed.

(** Claim [assumption-3]. For K = 3 and Y = [-1, 1), cells of depth h are well shaped with delta(h) = 3^(-h) and m = 1, and
    not with m = 2. Instance of [Packing.well_shaped_iff_balls_fit]. *)
Theorem cells_on_the_line_are_well_shaped_with_m_1 :
  well_shaped 1 1 1 (distance 1) 1 (fun h => / power 1 h) /\ ~ well_shaped 1 1 1 (distance 1) 2 (fun h => / power 1 h).
Proof.
  assert (E : forall h, inscribed_radius 1 1 1 h = / power 1 h).
  { intros h. unfold inscribed_radius, rounds. replace ((h + 1 - 1) / 1)%nat with h; [unfold Rdiv; ring|rewrite Nat.div_1_r; lia]. }
  split.
  - apply well_shaped_iff_balls_fit; [lia|lra|]. intros h. rewrite E. lra.
  - intros H. rewrite well_shaped_iff_balls_fit in H by (lia || lra). specialize (H 0%nat). rewrite E in H.
    replace (power 1 0) with 1 in H by (unfold power; cbn; lra). lra.
Qed.

(** Claim [definition-2]. For g(y) = |y| on [-1, 1), f* = 0 and a positive dimension 1 no constant C fits all eps, here C =
    10. Instance of [Packing.the_printed_near_optimality_dimension_is_never_positive]. *)
Theorem no_positive_dimension_fits_the_distance :
  ~ forall eps, 0 < eps -> packing_bound 1 1 (distance 1) (fun y => Rabs (y 0%nat)) 0 1 10 1 eps.
Proof.
  apply (the_printed_near_optimality_dimension_is_never_positive 1 1 (distance 1) _ 0 1 10 1 (fun _ => 0)); [|lra].
  split; [intros j _; lra|]. rewrite Rabs_R0. lra.
Qed.

(** Claim [eq-7]. For tau = 0 and delta(h) = 1/(h + 1): at the depths 1 and 3 of h_max = 4 it says 1/4 <= 1/2. Instance of
    [Packing.m_hat_delta_is_above_tau_plus_delta]. *)
Theorem equation_7_at_the_depths_1_and_3 : 0 + / (INR 3 + 1) <= 1 * / (INR 1 + 1).
Proof.
  apply (m_hat_delta_is_above_tau_plus_delta (fun _ => 0) (fun h => / (INR h + 1)) 1 4 1 3); try (intros; lra); try lia.
  intros a b H. apply le_INR in H. pose proof (pos_INR a). apply Rinv_le_contravar; lra.
Qed.

(** ** Coverage *)

(** A matrix whose entry is surely c. *)
Definition surely (c : R) : unit -> matrix := fun _ _ _ => c.

Definition one_outcome : finite_distribution unit.
Proof. refine {| outcomes := [(1, tt)] |}; [intros o [<-|[]]; cbn; lra|cbn; lra]. Defined.

(** Claim [coverage]. One effective row, d = 1, a matrix whose entry is surely 1 and R = 1: 1/2 is surely covered, and 1/4 <=
    1. Instance of [Coverage.coverage_probability_is_at_most]. *)
Theorem a_sure_matrix_covers_one_half :
  let x : vector := fun _ => 1 / 2 in let P := finite_expectation one_outcome in
  square_norm [0%nat] x * probability P (fun _ => true) = 1 / 4 /\
  square_norm [0%nat] x * probability P (fun _ => true) <= INR 1 * INR 1 ^ 2 * 1 * 1 ^ 2.
Proof.
  intros x P. split; [unfold square_norm, probability, P, x; cbn; unfold mean; cbn; lra|].
  apply (coverage_probability_is_at_most P [0%nat] 1 1 1 (surely 1) x); [lra| |exact I|].
  - intros i j _ _. split; [exact I|]. unfold P, surely. cbn. unfold mean. cbn. lra.
  - intros w _. exists x. split; [intros j _; unfold x; rewrite Rabs_pos_eq; lra|]. intros i _.
    unfold project, times, surely, x, clip, Rmax, Rmin. cbn. repeat destruct (Rle_dec _ _); lra.
Qed.

(** Claim [coverage]. For d = 1 and R = 1 an entry 2 covers the point 1/2, and an entry 1/4 does not. Instance of
    [Coverage.interior_optimum_is_covered_iff_solvable]. *)
Theorem an_entry_2_covers_one_half_and_an_entry_1_4_does_not :
  covers [0%nat] 1 1 (surely 2 tt) (fun _ => 1 / 2) /\ ~ covers [0%nat] 1 1 (surely (1 / 4) tt) (fun _ => 1 / 2).
Proof.
  assert (inside : forall i, In i [0%nat] -> -1 < 1 / 2 < 1) by (intros; lra). split.
  - apply interior_optimum_is_covered_iff_solvable; [exact inside|]. exists (fun _ => 1 / 4).
    split; [intros j _; rewrite Rabs_pos_eq; lra|]. intros i _. unfold times, surely. cbn. lra.
  - intros H. apply interior_optimum_is_covered_iff_solvable in H; [|exact inside]. destruct H as (y & Hy & E).
    specialize (E 0%nat (or_introl eq_refl)). specialize (Hy 0%nat (le_n 1)). unfold times, surely in E. cbn in E.
    revert Hy. unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

(** ** Algorithm 1 as Spec.v writes it *)

(** Claim [one-run]. With eta = 1/2, M = 1 and the number of an evaluation as its value, the run of the model is the only run of
    Algorithm 1, and its answer is 1.  Instance of [SpecIsModel.hunt_is_algorithm_1]. *)
Theorem a_run_of_answer_1_is_the_only_one : let g (y : Spec.point) (n : nat) := Z.of_nat n in
  let s := hunt Z.ltb (SpecExpansions.oracle_of g small (1 / 2)) small in let run := Spec.run Z Z.ltb g 3 1 (1 / 2) 1 1 12 in
  answer s = 1%Z /\ run (SpecExpansions.state_of small (S (iterations s)) s) 1%Z /\ forall s' f, run s' f -> f = 1%Z.
Proof.
  intros g s run. assert (A : answer s = 1%Z) by (vm_compute; reflexivity). split; [exact A|].
  destruct (SpecIsModel.hunt_is_algorithm_1 Z.ltb g small (1 / 2) 1 the_integers_are_totally_ordered (le_n 1) (le_n 1) ltac:(lra) ltac:(lra)
    eq_refl ltac:(cbn; lra) ltac:(cbn; lia)) as [H unique].
  fold s in H, unique. rewrite A in H, unique. split; [exact H|]. intros s' f H'. exact (proj2 (unique s' f H')).
Qed.
