(** * Instances of the theorems on the forest

    As in Canaries.v. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestTheorem2 ForestDefault
  ForestOneTree PriceOfNormClasses.
From Coq Require Import Reals.
From EmbeddedHunter Require Spec SpecForest SpecForestValues SpecForestIsModel.

(** ** Two trees with integer values *)

(** K = 3, d = 1, h_max = 1, v evaluations, the default queues, nothing from outside.  The values differ between the trees. *)
Definition two_trees (v : nat) : rules Z :=
  Rules Z.ltb (one_dimension (Settings 1 1 1 v 0 1)) 2 (fun t p => Z.of_nat ((5 + (3 + t) * length p + (2 + t) * list_sum p) mod 7))
    (fun _ _ => 0%Z) nothing (separate_origin 2) one_class.

(** The run with twenty evaluations, more than two trees can make. *)
Local Instance rules_of_the_run : rules Z := two_trees 20.
Definition full_run : forest Z := hunt.

Lemma full_run_is_reached : reached full_run.
Proof. apply hunt_reached. Qed.

(** Claim [forest-budget-exact].  Both cases occur: of a budget of 8 all is used, and of a budget of 20 two trees use 17 and are full.
    Instance of [ForestRuns.the_budget_of_a_forest_is_used_exactly_unless_its_trees_are_full]. *)
Theorem a_budget_of_8_is_used_and_a_budget_of_20_fills_two_trees :
  let made_with v := let F := two_trees v in length (evaluations (log hunt)) in
  made_with 8 = 8 /\ made_with 20 = 17 /\ nothing_to_expand full_run.
Proof.
  intros made_with. split; [vm_compute; reflexivity|]. assert (L : made_with 20 = 17) by (vm_compute; reflexivity). split; [exact L|].
  destruct (the_budget_of_a_forest_is_used_exactly_unless_its_trees_are_full (F := rules_of_the_run) (le_n 1) (le_n_S 0 19 (Nat.le_0_l 19)))
    as [H|H]; [|exact H].
  exfalso. change (made_with 20 = 20) in H. rewrite L in H. discriminate H.
Qed.

(** Claim [forest-termination].  A run of two trees with 30 sweeps is the run, and it ends with budget left, so its trees are full.
    Instance of [ForestEnds.every_run_of_a_forest_ends] and [ForestEnds.a_run_of_a_forest_ends_exhausted_or_full]. *)
Theorem the_run_of_two_trees_ends_full :
  run_for 30 start = full_run /\ exhausted full_run = false /\ nothing_to_expand full_run.
Proof.
  split; [apply (every_run_of_a_forest_ends (F := rules_of_the_run) (le_n 1)), Nat.leb_le; reflexivity|].
  assert (L : exhausted full_run = false) by (vm_compute; reflexivity). split; [exact L|].
  destruct (a_run_of_a_forest_ends_exhausted_or_full (F := rules_of_the_run) (le_n 1) : ended full_run) as [H|H]; [|exact H].
  rewrite L in H. discriminate H.
Qed.

(** Claim [forest-zero-vector-once].  Of the 17 evaluations of two trees one is at the zero vector.
    Instance of [ForestRuns.the_zero_vector_is_evaluated_once_by_the_forest]. *)
Theorem one_of_17_evaluations_of_two_trees_is_at_the_zero_vector : length (evaluations (log full_run)) = 17 /\
  filter of_the_zero_vector (evaluations (log full_run)) = [([0], 1, 5%Z)].
Proof.
  split; [vm_compute; reflexivity|].
  exact (the_zero_vector_is_evaluated_once_by_the_forest full_run (le_S _ _ (le_n 1)) full_run_is_reached).
Qed.

(** Claim [forest-evaluated-once].  The base point of node [2; 0] is evaluated in tree 0, through this node alone, and the base point
    with the same coordinate in tree 1.  Instance of [ForestRuns.no_base_point_is_evaluated_twice_in_a_tree]. *)
Theorem a_base_point_is_evaluated_once_in_each_of_two_trees :
  In [2; 0] (evaluated_nodes full_run) /\ In [2; 1] (evaluated_nodes full_run) /\
  forall q, In q (evaluated_nodes full_run) -> tree_of q = 0 -> birth 1 (inner q) = [2] -> q = [2; 0].
Proof.
  assert (I : In [2; 0] (evaluated_nodes full_run)) by (vm_compute; tauto). split; [exact I|].
  split; [vm_compute; tauto|]. intros q Hq Ht Hb.
  apply (no_base_point_is_evaluated_twice_in_a_tree (F := rules_of_the_run) full_run q [2; 0] (le_S _ _ (le_n 1)) full_run_is_reached Hq I Ht). exact Hb.
Qed.

(** The branch of tree 1 to its node [1; 2; 1], with thresholds 5 at the root and 1 below. *)
Definition thresholds (l : nat) : Z := if l =? 0 then 5%Z else 1%Z.

Lemma the_branch_is_optimal : optimal_branch thresholds [1; 2; 1].
Proof.
  intros a Ne (m & E). destruct m as [|x [|y [|z m]]]; cbn in E.
  - subst a. reflexivity.
  - injection E as _ <-. reflexivity.
  - injection E as _ _ <-. reflexivity.
  - injection E as _ _ _ E. symmetry in E. apply app_eq_nil in E. now destruct E.
Qed.

Lemma the_node_of_the_branch_is_a_node : forest_node [2; 1].
Proof. split; [easy|]. split; [cbn; lia|]. repeat constructor. Qed.

(** Claim [forest-queues].  In the third sweep of two trees the queue of the leaf [2; 0], of depth 1 and value 5, expands a leaf that is
    no deeper and no larger.  Instance of [ForestSweep.a_sweep_expands_in_each_queue]. *)
Theorem the_third_sweep_expands_in_the_queue_of_a_leaf : let s := run_for 2 start in let o := new_leaf [2; 0] 5%Z in
  In o (leaves s) /\ exists new x, log (sweep s) = new ++ log s /\ In (Expand (place x) (best x)) new /\
    separate_origin 2 x = 0 /\ depth x <= 1 /\ at_most Z.ltb (best x) 5%Z.
Proof.
  intros s o. assert (I : In o (leaves s)) by (vm_compute; tauto). split; [exact I|].
  assert (N : exhausted (sweep s) = false) by (vm_compute; reflexivity).
  destruct (a_sweep_expands_in_each_queue (F := rules_of_the_run) the_integers_are_totally_ordered s o eq_refl) as [H|(new & x & H)].
  - apply reached_invariant, run_for_reached.
  - exact I.
  - apply le_n.
  - reflexivity.
  - exfalso. rewrite N in H. discriminate H.
  - exists new, x. destruct H as (H1 & H2 & _ & H3 & _ & H4 & H5). exact (conj H1 (conj H2 (conj H3 (conj H4 H5)))).
Qed.

(** Claim [forest-lemma-1].  S_1 = 4 for the branch to [2; 1], and the node is expanded within 4 sweeps of two trees.
    Instance of [ForestTheorem2.the_optimal_node_of_a_tree_is_expanded_within_S_sweeps]. *)
Theorem a_node_is_expanded_within_4_sweeps_of_two_trees :
  S_ None thresholds [2; 1] = 4 /\ In [2; 1] (expanded (log (run_for 4 start))).
Proof.
  split; [vm_compute; reflexivity|].
  apply (the_optimal_node_of_a_tree_is_expanded_within_S_sweeps (F := rules_of_the_run) None thresholds the_integers_are_totally_ordered I
    (separate_origin_keeps_later_trees_apart 2) [2; 1] the_node_of_the_branch_is_a_node eq_refl (le_n 1)).
  - intros a Ne Ha. apply the_branch_is_optimal; [exact Ne|]. destruct Ha as (m & E). exists (1 :: m). cbn. now rewrite E.
  - vm_compute. apply le_n.
  - reflexivity.
Qed.

(** Claim [forest-lemma-1].  S_1 = 4 for the branch to [2; 1]: at most 2 * 2 for the zero vector and 2 other nodes.
    Instance of [ForestDefault.S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest]. *)
Theorem four_is_at_most_the_zero_chains_and_two_nodes : S_ None thresholds [2; 1] = 4 /\
  length (rest_near thresholds None 1) = 2 /\ S_ None thresholds [2; 1] <= 2 * 2 + length (rest_near thresholds None 1).
Proof.
  split; [vm_compute; reflexivity|]. split; [vm_compute; reflexivity|].
  exact (S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest (F := rules_of_the_run) thresholds None (fun _ => le_n 1) [2; 1]).
Qed.

(** Claim [forest-theorem-2].  After 4 sweeps of two trees, and at the end, the answer is at most 1, the threshold of the branch; the
    root has the value 5.  Instance of [ForestTheorem2.after_S_sweeps_the_answer_of_a_forest_is_near_optimal]. *)
Theorem after_4_sweeps_the_answer_of_two_trees_is_at_most_1 : answer start = 5%Z /\ (answer full_run <= 1)%Z.
Proof.
  split; [reflexivity|]. apply Z.ltb_ge.
  apply (after_S_sweeps_the_answer_of_a_forest_is_near_optimal (F := rules_of_the_run) None thresholds the_integers_are_totally_ordered I
    (separate_origin_keeps_later_trees_apart 2) 1 [2; 1] ltac:(discriminate)) with (n := 4) (l := 2).
  - split; [easy|]. split; [cbn; lia|]. repeat constructor.
  - reflexivity.
  - apply le_n.
  - exact the_branch_is_optimal.
  - vm_compute. apply le_n.
  - reflexivity.
  - change full_run with (run_for 20 start). apply run_for_steps_later. lia.
  - apply le_n.
Qed.

(** ** One tree *)

(** Claim [forest-algorithm-1].  K = 3, d = 1, h_max = 1 and v = 12: the 27 events of this run of Algorithm 1 are those of a forest of
    one tree.  Instance of [ForestOneTree.Algorithm_1_is_the_forest_of_one_tree]. *)
Theorem a_run_of_27_events_is_that_of_one_tree :
  let cfg := Settings 1 1 1 12 0 1 in let values p (n : nat) := Z.of_nat ((5 + n + 3 * length p + 2 * list_sum p) mod 7) in
  let s := Model.hunt Z.ltb values cfg in
  let s' := Forest.hunt Z.ltb (one_dimension cfg) 1 (fun _ p => values p 1) (fun _ _ => 0%Z) nothing (one_queue 1) norm_class in
  length (Model.log s) = 27 /\ log s' = map lift_event (Model.log s).
Proof.
  intros cfg values s s'. split; [vm_compute; reflexivity|].
  apply (Algorithm_1_is_the_forest_of_one_tree Z.ltb values cfg (fun _ _ => 0%Z) eq_refl eq_refl).
Qed.

(** For |y| with K = 3, d = 1, h_max = 2 and M = 0: the state before the visit of depth 1 in the second sweep. *)
Definition on_the_line (p : path) (n : nat) : Z := distance_from_0 2 n p.
Definition before_depth_1 : state Z := let cfg := line_settings 2 200 in
  Model.visit Z.ltb on_the_line cfg 0 (Model.begin_sweep cfg (Model.run_for Z.ltb on_the_line cfg 1 (Model.start on_the_line cfg))).

(** Claim [price-of-norm-classes].  For |y| on the line the visit of depth 1 in the second sweep expands the leaves of both norms, with
    four evaluations.  Instance of [PriceOfNormClasses.a_visit_expands_every_class_of_decreasing_values]. *)
Theorem a_visit_expands_the_leaves_of_two_norms : let cfg := line_settings 2 200 in let s := before_depth_1 in
  length (Model.classes 1 (Model.leaves s)) = 2 /\ Model.made s = 3 /\
  length (expanded (Model.log (Model.visit Z.ltb on_the_line cfg 1 s))) = length (expanded (Model.log s)) + 2 /\
  3 + (3 - 1) * 2 <= Model.made (Model.visit Z.ltb on_the_line cfg 1 s).
Proof.
  intros cfg s. assert (L : Model.leaves s = [Leaf 1 [0] 1 9%Z 1; Leaf 1 [1] 0 0%Z 1; Leaf 1 [2] 1 9%Z 1]) by (vm_compute; reflexivity).
  split; [now rewrite L|]. assert (M : Model.made s = 3) by (vm_compute; reflexivity). split; [exact M|].
  rewrite <- M, <- (eq_refl : length (Model.classes 1 (Model.leaves s)) = 2) at 1 2.
  apply (a_visit_expands_every_class_of_decreasing_values Z.ltb on_the_line cfg 1 s).
  - intros x. rewrite L. intros [<-|[<-|[<-|[]]]]; vm_compute; reflexivity.
  - intros x. rewrite L. intros [<-|[<-|[<-|[]]]] _; vm_compute; reflexivity.
  - intros x y. rewrite L. intros [<-|[<-|[<-|[]]]] [<-|[<-|[<-|[]]]] _ _; cbn; lia || reflexivity.
  - vm_compute. reflexivity.
Qed.

(** Claim [price-of-norm-classes].  For |y| on the line the second sweep with one class for each depth makes two evaluations, of
    at most six.  Instance of
    [PriceOfNormClasses.a_sweep_with_one_class_per_depth_makes_at_most_K_minus_1_evaluations_per_depth]. *)
Theorem a_sweep_with_one_class_makes_two_evaluations_of_at_most_six : let cfg := one_dimension (line_settings 2 200) in
  let values := distance_from_0 2 in let later := fun _ _ => 0%Z in
  let s := Forest.run_for Z.ltb cfg 1 values later nothing (one_queue 1) one_class 1 (Forest.start cfg 1 values) in
  let s' := Forest.sweep Z.ltb cfg 1 values later (one_queue 1) one_class s in
  Forest.made s' = Forest.made s + 2 /\ Forest.made s' <= Forest.made s + 6.
Proof.
  intros cfg values later s s'. split; [vm_compute; reflexivity|].
  apply (a_sweep_with_one_class_per_depth_makes_at_most_K_minus_1_evaluations_per_depth Z.ltb cfg 1 values later s); [vm_compute; reflexivity|].
  exact (run_for_reached (F := Rules Z.ltb cfg 1 values later nothing (one_queue 1) one_class) 1).
Qed.

(** ** The rules of the forest as SpecForest.v writes them *)

(** Claim [forest-rules]. With the number of the tree as the value of each point, the run of the model of two trees is the only run of the
    policy forest, and its answer is 1, from tree 1.  Instance of [SpecForestIsModel.hunt_is_the_policy_forest]. *)
Theorem a_run_of_two_trees_is_the_only_one : let cfg := one_dimension (Settings 1 1 1 8 0 1) in
  let g (t : nat) (y : Spec.point) := Z.of_nat t in let one := (fun _ => 1%R) : nat -> R in
  let s := Forest.hunt Z.ltb cfg 2 (SpecForestValues.forest_oracle_of g cfg one) (fun _ _ => 0%Z) nothing (separate_origin 2) one_class in
  answer s = 1%Z /\ forall s' f, SpecForest.run Z Z.ltb g 3 (fun _ => 1) 2 one 1 8 [] true false s' f -> f = 1%Z.
Proof.
  intros cfg g one s. assert (A : answer s = 1%Z) by (vm_compute; reflexivity). split; [exact A|]. rewrite <- A.
  intros s' f H. refine (proj2 (proj2 (SpecForestIsModel.hunt_is_the_policy_forest Z.ltb g cfg 2 one true false (fun _ _ => 0%Z)
    the_integers_are_totally_ordered (le_n 1) (fun _ => le_n 1) (le_S _ _ (le_n 1)) (fun _ => Rlt_0_1) _ _) s' f H)); [discriminate|cbn; lia].
Qed.
