(** * The default of the forest: the zero vector's chains in a queue of their own; and what a sweep costs. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Paths Order Geometry Norms RunsEvaluations Forest ForestNodes
  ForestClasses ForestSteps ForestLoops ForestSweep ForestEnds ForestRuns ForestTrees ForestTheorem2.

Section ForestDefault.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V) (arrivals : forest V -> list (arrival V)).

Local Notation k := (half cfg).
Local Notation value := (value cfg oracle).
Local Notation forest_node := (forest_node cfg trees).
Local Notation forest_levels := (forest_levels cfg trees).

(** The default keeps later trees apart. *)
Lemma separate_origin_keeps_later_trees_apart : forall x y : leaf V,
  tree_of (place x) < trees -> trees <= tree_of (place y) -> separate_origin trees x <> separate_origin trees y.
Proof.
  intros x y Hx Hy. unfold separate_origin. apply Nat.leb_gt in Hx. apply Nat.leb_le in Hy. rewrite Hx, Hy.
  destruct (norm x =? 0)%Z; discriminate.
Qed.

(** ** The nodes to be counted *)

Section Count.
Context (theta : nat -> V) (group : option nat).

Local Notation in_group := (in_group cfg group).

(** The trees of the group. *)
Definition trees_in : list nat := filter (fun t => in_group [t]) (seq 0 trees).

(** The value of [x], a node of depth k <= h, is at most one of theta_k, ..., theta_h. *)
Definition below_a_threshold (h : nat) (x : path) : bool :=
  existsb (fun l => negb (less (theta l) (value x))) (seq (level_of x) (S h - level_of x)).

Definition is_zero (x : path) : bool := (Nrm k (dimension_of cfg (tree_of x)) (inner x) =? 0)%Z.

Lemma length_trees_in : length trees_in <= trees.
Proof.
  unfold trees_in. rewrite <- (seq_length trees 0) at 2. generalize (seq 0 trees). intros ts.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [filter length]. destruct (in_group [t]); cbn [length]; lia.
Qed.

(** The near-optimal nodes of depth at most h, of the trees of the group, whose base point is not the zero vector. *)
Definition rest_near (h : nat) : list path :=
  filter (fun x => in_group x && (negb (is_zero x) && below_a_threshold h x)) (forest_levels h).

(** All near-optimal nodes of depth at most h, of the trees of the group. *)
Definition all_near (h : nat) : list path := filter (fun x => in_group x && below_a_threshold h x) (forest_levels h).

Lemma below_iff h x :
  below_a_threshold h x = true <-> exists l, level_of x <= l <= h /\ at_most less (value x) (theta l).
Proof.
  unfold below_a_threshold. rewrite existsb_exists. split.
  - intros (l & Hl%in_seq & H%negb_true_iff). exists l. split; [lia|exact H].
  - intros (l & Hl & H). exists l. split; [apply in_seq; lia|now apply negb_true_iff].
Qed.

Lemma near_is_below queue p x : near less cfg oracle queue theta p x = true -> below_a_threshold (level_of p) x = true.
Proof. rewrite near_iff, below_iff. intros (l & H1 & _ & H2). eauto. Qed.

Lemma filter_length_le {A} (f g : A -> bool) xs :
  (forall x, In x xs -> f x = true -> g x = true) -> length (filter f xs) <= length (filter g xs).
Proof.
  induction xs as [|x xs IH]; intros H; [apply Nat.le_refl|]. cbn [filter].
  pose proof (H x (or_introl eq_refl)) as Hx. specialize (IH (fun y Hy => H y (or_intror Hy))).
  destruct (f x); [rewrite (Hx eq_refl); cbn; lia|]. destruct (g x); cbn; lia.
Qed.

(** Claim [forest-lemma-1].  Whatever the queues, S_h is at most the number of near-optimal nodes of all trees that are counted:
    all P trees, or those of one dimension. *)
Theorem S_of_a_forest_is_at_most_all_near_optimal_nodes queue p :
  S_ less cfg trees oracle queue group theta p <= length (all_near (level_of p)).
Proof.
  unfold S_, G, all_near. apply filter_length_le. intros x _ H. apply andb_true_iff in H. destruct H as [-> H].
  exact (near_is_below _ _ _ H).
Qed.

Hypothesis d_positive : forall t, 1 <= dimension_of cfg t.

(** Claim [forest-zero-vector-once].  The nodes whose base point is the zero vector are, in each tree, the center chain of the root. *)
Theorem the_zero_vector_is_the_center_chain_of_each_root x :
  forest_node x -> (is_zero x = true <-> inner x = repeat k (level_of x)).
Proof.
  intros (_ & _ & Hn). unfold is_zero, level_of. rewrite Z.eqb_eq.
  rewrite <- (zero_vector_is_the_center_chain_of_the_root k _ (d_positive (tree_of x)) (inner x) Hn). split.
  - exact (norm_zero (tree_settings cfg (tree_of x)) (d_positive (tree_of x)) (inner x)).
  - intros H. rewrite (Nrm_is k _ (d_positive (tree_of x))).
    assert (Hs : forall n f, (forall j, j < n -> f j = 0%Z) -> sum_below n f = 0%Z).
    { induction n as [|n IH]; intros f Hf; [reflexivity|]. cbn [sum_below]. rewrite IH, Hf by (intros; auto; lia). reflexivity. }
    apply Hs. intros j Hj. rewrite H by exact Hj. reflexivity.
Qed.

(** The zero chains down to depth [h]. *)
Definition zero_chains (h : nat) : list path :=
  flat_map (fun t => map (fun n => repeat k n ++ [t]) (seq 0 (S h))) trees_in.

Lemma length_zero_chains h : length (zero_chains h) = length trees_in * S h.
Proof.
  assert (H : forall ts, length (flat_map (fun t => map (fun n => repeat k n ++ [t]) (seq 0 (S h))) ts) = length ts * S h).
  { induction ts as [|t ts IH]; [reflexivity|]. cbn [flat_map length]. rewrite app_length, map_length, seq_length, IH. lia. }
  apply H.
Qed.

Lemma in_zero_chains h x : forest_node x -> in_group x = true -> level_of x <= h -> is_zero x = true -> In x (zero_chains h).
Proof.
  intros Hx Hg Hl Hz. apply the_zero_vector_is_the_center_chain_of_each_root in Hz; [|exact Hx].
  destruct Hx as (Hne & Ht & _). apply in_flat_map. exists (tree_of x). split; [apply filter_In; split; [apply in_seq; lia|exact Hg]|].
  apply in_map_iff. exists (level_of x). split; [|apply in_seq; lia]. rewrite <- Hz. symmetry.
  now apply node_is_inner_and_tree.
Qed.

(** Claim [forest-lemma-1].  With the zero vector in a queue of its own, S_h is at most P (h + 1), for the zero vector, plus
    the number of near-optimal nodes of all trees with another base point; or the same of the trees of one dimension. *)
Theorem S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest queue p :
  S_ less cfg trees oracle queue group theta p <= length trees_in * S (level_of p) + length (rest_near (level_of p)).
Proof.
  rewrite <- length_zero_chains, <- app_length. unfold S_. apply NoDup_incl_length.
  - unfold G, ForestTrees.forest_levels. apply NoDup_filter.
    assert (H : forall ts, NoDup ts -> NoDup (flat_map (fun t => map (fun q => q ++ [t]) (levels k (level_of p))) ts)).
    { induction 1 as [|t ts Ht Hts IH]; [constructor|]. cbn [flat_map]. apply nodup_app; [|exact IH|].
      - apply FinFun.Injective_map_NoDup; [|apply nodup_levels]. intros a b E. now apply app_inv_tail in E.
      - intros x Hx Hx2. apply in_map_iff in Hx. destruct Hx as (q & <- & _). apply in_flat_map in Hx2.
        destruct Hx2 as (t' & Ht' & Hx2). apply in_map_iff in Hx2. destruct Hx2 as (q' & E & _).
        apply app_inj_tail in E. destruct E as [_ ->]. easy. }
    apply H, seq_NoDup.
  - intros x Hx. apply in_G in Hx. destruct Hx as (Hx & Hg & Hn). pose proof (near_is_below _ _ _ Hn) as Hb.
    assert (Hl : level_of x <= level_of p) by (apply below_iff in Hb; destruct Hb as (l & H & _); lia).
    apply in_or_app. destruct (is_zero x) eqn:Ez; [left; now apply in_zero_chains|right].
    apply filter_In. split; [now apply in_forest_levels|]. now rewrite Hg, Ez, Hb.
Qed.

End Count.

(** ** Evaluations *)

Section Cost.
Context (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation key := (key queue rank).
Local Notation classes := (Forest.classes cfg queue rank).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later arrivals queue).

(** Every class of every visit has one of these keys. *)
Variable keys : list (nat * Z).
Hypothesis keys_are_all : forall s x, reached s -> In x (leaves s) -> In (key x) keys.

Lemma classes_at_most_keys n l s : reached s -> length (classes n l (leaves s)) <= length keys.
Proof.
  intros Hr. rewrite <- (map_length fst). apply NoDup_incl_length.
  - apply classes_have_different_keys.
  - intros r Hin. apply in_map_iff in Hin. destruct Hin as ([r' ms] & E & Hin). cbn in E. subst r'.
    destruct (classes_hold_only_their_leaves cfg queue rank n l (leaves s) r ms Hin) as [Hne Hx].
    destruct ms as [|x ms]; [easy|]. destruct (Hx x (or_introl eq_refl)) as (H1 & _ & _ & <-).
    now apply (keys_are_all s).
Qed.

Lemma visit_made l s : exhausted s = false -> reached s -> made (visit l s) <= made s + 2 * k * length keys.
Proof.
  intros Hx Hr. pose proof (classes_at_most_keys (sweeps s) l s Hr) as Hk. pose proof (reached_invariant s Hr) as Hi.
  set (P := fun (cs : list ((nat * Z) * list (leaf V))) (s' : forest V) =>
    made s' + 2 * k * length cs <= made s + 2 * k * length (classes (sweeps s) l (leaves s))).
  assert (Hstep : forall r ms cs s1, invariant cfg trees oracle s1 -> (forall x, In x ms -> In x (leaves s1)) ->
    P ((r, ms) :: cs) s1 -> P cs (Forest.visit_class less cfg trees oracle later queue (fst r) ms s1)).
  { intros r [|x rest] cs s1 Hi1 Hm H; unfold P in *; cbn [Forest.visit_class length] in *; [lia|].
    destruct (Forest.exhausted cfg s1); [lia|]. destruct (below _ _ _); [|lia].
    rewrite expand_made, length_performed by (apply (leaf_is_a_node cfg trees oracle s1); auto; apply Hm, argmin_in). lia. }
  enough (H : P [] (visit l s)) by (unfold P in H; cbn [length] in H; nia).
  pose proof (forest_is_lawful less cfg trees oracle later arrivals queue rank) as L.
  apply (SearchSteps.visit_classes_induction L P l).
  - intros r ms cs s1 Hi1 Hf H. destruct (SearchSteps.next_class _ _ _ _ _ Hf) as [_ Hm].
    exact (Hstep r ms cs s1 Hi1 (fun x Hin => proj1 (Hm x Hin)) H).
  - exact (Search.holds_visit _ L l s Hx Hi).
  - exact (SearchSteps.frozen_ok_classes L l s).
  - exact (Nat.le_refl _).
Qed.

(** What a sweep may cost. *)
Definition sweep_cost : nat := 2 * k * length keys * S (h_max cfg).

(** Claim [forest-theorem-2].  A sweep takes at most (K - 1) (h_max + 1) evaluations for each class of a depth. *)
Theorem a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class s :
  exhausted s = false -> reached s -> made (sweep s) <= made s + sweep_cost.
Proof.
  intros Hx Hr. pose proof (limit_h_max cfg s) as Hl.
  assert (H : made (sweep s) <= made s + 2 * k * length keys * S (Forest.limit cfg s) /\ reached (sweep s)).
  { apply (sweep_induction less cfg trees oracle later arrivals queue rank
      (fun l s1 => made s1 <= made s + 2 * k * length keys * l /\ reached s1) s Hx (reached_invariant s Hr)).
    - intros l s1 Hl1 Hx1 Hi1 [H1 H2]. split; [pose proof (visit_made l s1 Hx1 H2); nia|].
      eapply reached_steps; [exact H2|]. apply visit_steps; auto. lia.
    - intros l s1 _ [H1 H2]. split; [nia|exact H2].
    - split; [cbn; lia|]. eapply reached_steps; [exact Hr|]. apply steps_one. now apply step_sweep. }
  unfold sweep_cost. nia.
Qed.

(** The evaluations of the first P trees, and the others. *)
Definition own (e : path * nat * V) : bool := tree_of (fst (fst e)) <? trees.
Definition own_made (s : forest V) : nat := length (filter own (evaluations (log s))).

Lemma enter_own news s : reached s -> incl news (arrivals s) -> own_made (enter news s) = own_made s.
Proof.
  intros Hr Hn.
  assert (H : forall news s1, reached s1 -> incl news (arrivals s) -> own_made (enter news s1) = own_made s1).
  { clear news Hn. induction news as [|a news IH]; intros s1 Hr1 Hn; cbn [Forest.enter]; [reflexivity|].
    destruct (exhausted s1) eqn:Ex; [reflexivity|].
    assert (Hst : reached (enter_one a s1)).
    { eapply reached_steps; [exact Hr1|]. apply steps_one, step_enter; [exact Ex|]. exists s. apply Hn. now left. }
    rewrite IH; [|exact Hst|intros b Hb; apply Hn; now right]. unfold own_made.
    destruct (enter_one_evaluations less cfg trees oracle later a s1) as [(-> & _)|(v & -> & _)]; [reflexivity|].
    cbn [filter]. unfold own at 1. cbn [fst]. change (tree_of [roots s1]) with (roots s1).
    destruct (nodes_are_sound _ _ _ s1 (reached_invariant s1 Hr1)) as [Hroots _].
    destruct (Nat.ltb_spec (roots s1) trees); [lia|reflexivity]. }
  now apply H.
Qed.

Lemma sweep_own s : exhausted s = false -> reached s -> own_made (sweep s) <= own_made s + sweep_cost.
Proof.
  intros Hx Hr. pose proof (a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class s Hx Hr) as Hc.
  assert (Hs : reached (sweep s)).
  { eapply reached_steps; [exact Hr|]. apply sweep_steps; [exact Hx|now apply reached_invariant]. }
  rewrite <- (evaluations_made less cfg trees oracle later arrivals queue s Hr),
    <- (evaluations_made less cfg trees oracle later arrivals queue _ Hs) in Hc.
  destruct (sweep_log_grows less cfg trees oracle later queue rank s Hx (reached_invariant s Hr)) as (new & E).
  unfold own_made. rewrite E in Hc |- *. rewrite evaluations_app in Hc |- *. cbn [Forest.begin_sweep log evaluations] in *.
  rewrite filter_app, app_length in *.
  assert (Hf : length (filter own (evaluations new)) <= length (evaluations new)).
  { generalize (evaluations new). intros es. induction es as [|e es IH]; [cbn; lia|].
    cbn [filter]. destruct (own e); cbn [length]; lia. }
  lia.
Qed.

(** At the beginning of each sweep all evaluations are at most [share] times those of the P trees, and [slack] more. *)
Variables share slack : nat.
Hypothesis share_positive : 1 <= share.
Hypothesis entering_is_bounded : forall n,
  made (enter (arrivals (run_for n start)) (run_for n start)) <= share * own_made (run_for n start) + slack.

(** Claim [forest-theorem-2].  What n sweeps of a forest cost, with all that enters between them. *)
Theorem n_sweeps_of_a_forest_cost_at_most n :
  1 <= trees -> made (run_for n start) <= share * (1 + n * sweep_cost) + slack.
Proof.
  intros Ht.
  assert (H : own_made (run_for n start) <= 1 + n * sweep_cost /\
    made (run_for n start) <= share * (1 + n * sweep_cost) + slack); [|apply H].
  induction n as [|n [IH1 IH2]].
  - split; [cbn; unfold own; cbn; destruct trees; cbn; lia|cbn; lia].
  - pose proof (run_for_reached less cfg trees oracle later arrivals queue rank n) as Hr.
    destruct (run_for_next less cfg trees oracle later arrivals queue rank n start (start_invariant cfg trees oracle))
      as [[_ ->]|[Hx [-> |[-> _]]]]; [nia| |nia].
    unfold Forest.round. pose proof (entering_is_bounded n) as He. set (s := run_for n start) in *.
    pose proof (enter_own (arrivals s) s Hr (incl_refl _)) as Ho.
    destruct (exhausted (enter (arrivals s) s)) eqn:Ex; [rewrite Ho; nia|].
    assert (Hr1 : reached (enter (arrivals s) s)) by (eapply reached_steps; [exact Hr|apply enter_steps]).
    pose proof (a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class _ Ex Hr1).
    pose proof (sweep_own _ Ex Hr1). nia.
Qed.

Section InEvaluations.
Context (theta : nat -> V) (group : option nat).
Hypothesis order : total_order less.
Hypothesis group_has_turns : has_turns cfg group.
Hypothesis later_trees_keep_apart : forall x y : leaf V,
  tree_of (place x) < trees -> trees <= tree_of (place y) -> queue x <> queue y.
Variables (c : nat) (p : path).
Hypothesis p_is_no_root_of_all : p <> [].
Hypothesis branch_is_in_a_tree : forest_node (c :: p).
Hypothesis p_in_group : in_group cfg group p = true.
Hypothesis depth_at_most_h_max : level_of p <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch less cfg oracle theta (c :: p).
Hypothesis k_positive : 1 <= k.

Local Notation enough := (period cfg group * S_ less cfg trees oracle queue group theta p).

(** Claim [forest-theorem-2].  Theorem 2 for forests, in evaluations: a budget for 2 S_h sweeps (S_h, if every sweep ranges over
    all trees), or for 2 G S_h(d) sweeps, and for what enters between them makes the answer at most f* + eps_l, l <= h + 1, for the branch of any of the P trees. *)
Theorem with_a_budget_for_S_sweeps_the_answer_of_a_forest_is_near_optimal :
  share * (1 + enough * sweep_cost) + slack < budget cfg ->
  forall l, l <= S (level_of p) ->
  at_most less (answer (Forest.hunt less cfg trees oracle later arrivals queue rank)) (theta l).
Proof.
  intros Hb l Hl. pose proof (forest_node_child cfg trees c p p_is_no_root_of_all) as Hfn.
  assert (Ht : 1 <= trees) by (destruct branch_is_in_a_tree as (_ & H & _); lia).
  assert (Hx : exhausted (run_for enough start) = false).
  { apply not_exhausted. pose proof (n_sweeps_of_a_forest_cost_at_most enough Ht). lia. }
  rewrite <- (every_run_of_a_forest_ends less cfg trees oracle later arrivals queue rank k_positive
    (Nat.max (spacing cfg * budget cfg) enough)) by lia.
  apply (after_S_sweeps_the_answer_of_a_forest_is_near_optimal less cfg trees oracle later arrivals queue rank group theta order
    group_has_turns later_trees_keep_apart c p p_is_no_root_of_all branch_is_in_a_tree p_in_group depth_at_most_h_max
    branch_is_optimal enough); auto.
  apply run_for_steps_later. lia.
Qed.

End InEvaluations.

End Cost.

End ForestDefault.
