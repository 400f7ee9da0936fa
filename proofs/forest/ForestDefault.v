(** * The default of the forest: the zero vector's chains in a queue of their own; and what a sweep costs. *)

From EmbeddedHunter Require Import ForestContext Geometry Norms RunsEvaluations ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns
  ForestTrees ForestTheorem2.
From EmbeddedHunter Require SearchSteps.

(** ** The nodes to be counted *)

(** The default keeps later trees apart. *)
Lemma separate_origin_keeps_later_trees_apart {V} trees (x y : leaf V) :
  tree_of (place x) < trees -> trees <= tree_of (place y) -> separate_origin trees x <> separate_origin trees y.
Proof.
  intros Hx Hy. unfold separate_origin. apply Nat.leb_gt in Hx. apply Nat.leb_le in Hy. rewrite Hx, Hy.
  destruct (norm x =? 0)%Z; discriminate.
Qed.

Lemma length_trees_in cfg trees group : length (ForestTerms.trees_in cfg trees group) <= trees.
Proof. rewrite <- (seq_length trees 0) at 2. apply length_filter. Qed.

Lemma below_iff {V} (less : V -> V -> bool) cfg oracle theta h x :
  ForestTerms.below_a_threshold less cfg oracle theta h x = true <->
  exists l, level_of x <= l <= h /\ at_most less (ForestTerms.value cfg oracle x) (theta l).
Proof.
  unfold ForestTerms.below_a_threshold. rewrite existsb_exists. split.
  - intros (l & Hl%in_seq & H%negb_true_iff). exists l. split; [lia|exact H].
  - intros (l & Hl & H). exists l. split; [apply in_seq; lia|now apply negb_true_iff].
Qed.

(** Claim [forest-zero-vector-once].  The nodes whose base point is the zero vector are, in each tree, the center chain of the root. *)
Theorem the_zero_vector_is_the_center_chain_of_each_root (cfg : forest_settings) (trees : nat) :
  (forall t, 1 <= dimension_of cfg t) -> forall x,
  ForestTerms.forest_node cfg trees x -> (ForestTerms.is_zero cfg x = true <-> inner x = repeat (half cfg) (level_of x)).
Proof.
  intros d_positive x (_ & _ & Hn). unfold ForestTerms.is_zero, level_of. rewrite Z.eqb_eq.
  rewrite <- (zero_vector_is_the_center_chain_of_the_root _ _ (d_positive (tree_of x)) (inner x) Hn). split.
  - exact (norm_zero _ _ (d_positive (tree_of x)) (inner x)).
  - intros H. rewrite (Nrm_is _ _ (d_positive (tree_of x))).
    assert (Hs : forall n f, (forall j, j < n -> f j = 0%Z) -> sum_below n f = 0%Z).
    { induction n as [|n IH]; intros f Hf; [reflexivity|]. cbn [sum_below]. rewrite IH, Hf by (intros; auto; lia). reflexivity. }
    apply Hs. intros j Hj. rewrite H by exact Hj. reflexivity.
Qed.

Section ForestDefault.

Context {V : Type} {F : rules V} (theta : nat -> V) (group : option nat).

Lemma near_is_below p x : near theta p x = true -> below_a_threshold theta (level_of p) x = true.
Proof. rewrite near_iff, below_iff. intros (l & H1 & _ & H2). eauto. Qed.

Section Zero.
Hypothesis d_positive : forall t, 1 <= dimension_of cfg t.

(** The zero chains down to depth [h]. *)
Definition zero_chains (h : nat) : list path :=
  flat_map (fun t => map (fun n => repeat k n ++ [t]) (seq 0 (S h))) (trees_in group).

Lemma length_zero_chains h : length (zero_chains h) = length (trees_in group) * S h.
Proof.
  assert (H : forall ts, length (flat_map (fun t => map (fun n => repeat k n ++ [t]) (seq 0 (S h))) ts) = length ts * S h); [|apply H].
  induction ts as [|t ts IH]; [reflexivity|]. cbn [flat_map length]. rewrite app_length, map_length, seq_length, IH. lia.
Qed.

Lemma in_zero_chains h x : forest_node x -> in_group group x = true -> level_of x <= h -> is_zero x = true -> In x (zero_chains h).
Proof.
  intros Hx Hg Hl Hz. apply (the_zero_vector_is_the_center_chain_of_each_root cfg trees) in Hz; [|exact d_positive|exact Hx].
  destruct Hx as (Hne & Ht & _). apply in_flat_map. exists (tree_of x). split; [apply filter_In; split; [apply in_seq; lia|exact Hg]|].
  apply in_map_iff. exists (level_of x). split; [|apply in_seq; lia]. rewrite <- Hz. symmetry.
  now apply node_is_inner_and_tree.
Qed.

(** Claim [forest-lemma-1].  With the zero vector in a queue of its own, S_h is at most P (h + 1), for the zero vector, plus
    the number of near-optimal nodes of all trees with another base point; or the same of the trees of one dimension. *)
Theorem S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest p :
  S_ group theta p <= length (trees_in group) * S (level_of p) + length (rest_near theta group (level_of p)).
Proof.
  rewrite <- length_zero_chains, <- app_length. unfold S_. apply NoDup_incl_length.
  - apply NoDup_filter, nodup_forest_levels.
  - intros x Hx. apply in_G in Hx. destruct Hx as (Hx & Hg & Hn). pose proof (near_is_below _ _ Hn) as Hb.
    assert (Hl : level_of x <= level_of p) by (apply below_iff in Hb; destruct Hb as (l & H & _); lia).
    apply in_or_app. destruct (is_zero x) eqn:Ez; [left; now apply in_zero_chains|right].
    apply filter_In. split; [now apply in_forest_levels|]. now rewrite Hg, Ez, Hb.
Qed.

End Zero.

(** ** Evaluations *)

(** Every class of every visit has one of these keys. *)
Variable keys : list (nat * Z).
Hypothesis keys_are_all : forall s x, reached s -> In x (leaves s) -> In (key x) keys.

Lemma classes_at_most_keys n l s : reached s -> length (classes n l (leaves s)) <= length keys.
Proof.
  intros Hr. rewrite <- (map_length fst). apply NoDup_incl_length; [apply classes_have_different_keys|].
  intros r Hin. apply in_map_iff in Hin. destruct Hin as ([r' ms] & E & Hin). cbn in E. subst r'.
  destruct (classes_hold_only_their_leaves n l (leaves s) r ms Hin) as [Hne Hx].
  destruct ms as [|x ms]; [easy|]. destruct (Hx x (or_introl eq_refl)) as (H1 & _ & _ & <-). now apply (keys_are_all s).
Qed.

Lemma visit_made l s : l <= h_max cfg -> exhausted s = false -> reached s -> made (visit l s) <= made s + 2 * k * length keys.
Proof.
  intros Hl Hx Hr. pose proof (classes_at_most_keys (sweeps s) l s Hr) as Hk.
  set (P := fun (cs : list ((nat * Z) * list (leaf V))) (s1 : forest V) =>
    made s1 + 2 * k * length cs <= made s + 2 * k * length (classes (sweeps s) l (leaves s))).
  enough (H : P [] (visit l s)) by (unfold P in H; cbn [length] in H; nia).
  apply (visit_induction P l s Hl Hx Hr); [|exact (Nat.le_refl _)]. unfold P.
  intros r [|x rest] cs s1 Hr1 _ Hm H; cbn [Forest.visit_class length] in *; [lia|].
  destruct (exhausted s1); [lia|]. destruct (below _ _ _); [|lia].
  rewrite expand_made, length_performed; [lia|]. apply (leaf_is_a_node s1); [now apply reached_invariant|apply Hm, argmin_in].
Qed.

(** Claim [forest-theorem-2].  A sweep takes at most (K - 1) (h_max + 1) evaluations for each class of a depth. *)
Theorem a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class s :
  exhausted s = false -> reached s -> made (sweep s) <= made s + sweep_cost keys.
Proof.
  intros Hx Hr. pose proof (limit_h_max s) as Hl.
  assert (H : made (sweep s) <= made s + 2 * k * length keys * S (limit s)); [|unfold ForestTerms.sweep_cost; nia].
  apply (sweep_induction (fun l s1 => made s1 <= made s + 2 * k * length keys * l) s Hx Hr); [|intros; nia|cbn; lia].
  intros l s1 Hl1 Hx1 Hr1 H1. pose proof (visit_made l s1 ltac:(lia) Hx1 Hr1). nia.
Qed.

Lemma enter_own news s : reached s -> incl news (arrivals s) -> own_made (enter news s) = own_made s.
Proof.
  intros Hr Hn. enough (H : reached (enter news s) /\ own_made (enter news s) = own_made s) by apply H.
  apply (enter_induction (fun s1 => reached s1 /\ own_made s1 = own_made s)); [auto|]. intros a s1 Ha Hx [Hr1 <-].
  split; [apply (reached_steps s1); [exact Hr1|]; apply (step_enter a s); auto|]. unfold ForestTerms.own_made.
  destruct (enter_one_evaluations a s1) as [(-> & _)|(v & -> & _)]; [reflexivity|].
  cbn [filter]. unfold ForestTerms.own at 1. cbn [fst]. change (tree_of [roots s1]) with (roots s1).
  destruct (nodes_are_sound _ _ _ s1 (reached_invariant s1 Hr1)) as [Hroots _].
  destruct (Nat.ltb_spec (roots s1) trees); [lia|reflexivity].
Qed.

Lemma sweep_own s : exhausted s = false -> reached s -> own_made (sweep s) <= own_made s + sweep_cost keys.
Proof.
  intros Hx Hr. pose proof (a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class s Hx Hr) as Hc.
  pose proof (reached_steps _ _ Hr (sweep_steps s Hx Hr)) as Hs.
  rewrite <- (evaluations_made s Hr), <- (evaluations_made _ Hs) in Hc.
  destruct (sweep_log_grows s Hx (reached_invariant s Hr)) as (new & E). unfold ForestTerms.own_made.
  rewrite E, evaluations_app in *. rewrite filter_app, !app_length in *. pose proof (length_filter own (evaluations new)). lia.
Qed.

(** At the beginning of each sweep all evaluations are at most [share] times those of the P trees, and [slack] more. *)
Variables share slack : nat.
Hypothesis share_positive : 1 <= share.
Hypothesis entering_is_bounded : forall n,
  made (enter (arrivals (run_for n start)) (run_for n start)) <= share * own_made (run_for n start) + slack.

(** Claim [forest-theorem-2].  What n sweeps of a forest cost, with all that enters between them. *)
Theorem n_sweeps_of_a_forest_cost_at_most n :
  1 <= trees -> made (run_for n start) <= share * (1 + n * sweep_cost keys) + slack.
Proof.
  intros Ht.
  enough (H : own_made (run_for n start) <= 1 + n * sweep_cost keys /\
    made (run_for n start) <= share * (1 + n * sweep_cost keys) + slack) by apply H.
  apply (runs_induction (fun n s => own_made s <= 1 + n * sweep_cost keys /\ made s <= share * (1 + n * sweep_cost keys) + slack)).
  - split; [cbn; unfold ForestTerms.own; cbn; destruct trees; cbn; lia|cbn; lia].
  - intros m s [IH1 IH2]. nia.
  - intros m s s1 Hr Hr1 [IH1 IH2]. pose proof (entering_is_bounded m) as He. fold s s1 in He.
    pose proof (enter_own (arrivals s) s Hr (incl_refl _)) as Ho. fold s1 in Ho. split; intros Ex; [nia|].
    pose proof (a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class s1 Ex Hr1).
    pose proof (sweep_own s1 Ex Hr1). nia.
Qed.

Section InEvaluations.
Hypothesis order : total_order less.
Hypothesis group_has_turns : has_turns group.
Hypothesis later_trees_keep_apart : forall x y : leaf V,
  tree_of (place x) < trees -> trees <= tree_of (place y) -> queue x <> queue y.
Variables (c : nat) (p : path).
Hypothesis p_is_no_root_of_all : p <> [].
Hypothesis branch_is_in_a_tree : forest_node (c :: p).
Hypothesis p_in_group : in_group group p = true.
Hypothesis depth_at_most_h_max : level_of p <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch theta (c :: p).
Hypothesis k_positive : 1 <= k.

Local Notation enough := (period group * S_ group theta p).

(** Claim [forest-theorem-2].  Theorem 2 for forests, in evaluations: a budget for 2 S_h sweeps (S_h, if every sweep ranges over
    all trees), or for 2 G S_h(d) sweeps, and for what enters between them makes the answer at most f* + eps_l, l <= h + 1, for the branch of any of the P trees. *)
Theorem with_a_budget_for_S_sweeps_the_answer_of_a_forest_is_near_optimal :
  share * (1 + enough * sweep_cost keys) + slack < budget cfg ->
  forall l, l <= S (level_of p) -> at_most less (answer hunt) (theta l).
Proof.
  intros Hb l Hl. assert (Ht : 1 <= trees) by (destruct branch_is_in_a_tree as (_ & H & _); lia).
  assert (Hx : exhausted (run_for enough start) = false).
  { apply not_exhausted. pose proof (n_sweeps_of_a_forest_cost_at_most enough Ht). lia. }
  rewrite <- (every_run_of_a_forest_ends k_positive (Nat.max (spacing cfg * budget cfg) enough)) by lia.
  apply (after_S_sweeps_the_answer_of_a_forest_is_near_optimal group theta order
    group_has_turns later_trees_keep_apart c p p_is_no_root_of_all branch_is_in_a_tree p_in_group depth_at_most_h_max
    branch_is_optimal enough); auto.
  apply run_for_steps_later. lia.
Qed.

End InEvaluations.

End ForestDefault.
