(** * The regret of the forest policy, with numbers that can be computed

    Tree t of the forest has its own dimension d_t and half width R_t of its space Y, and is evaluated with the matrix A_t
    alone, so every recorded value of it is the value of g_t(y) = f(P_X(A_t y)) at the node's base point.  For every tree t < P and every y in Y the bound of
    ForestTheorem2.v is (g_t(y) - f_star) + L ||B_t|| r_h: with y a minimiser of g_t it is (g_t* - f_star) + L ||B_t|| r_h,
    and the regret is at most the least of these P bounds, each after its own number of sweeps. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import ForestTerms Geometry RealValues Vectors Cells WellShaped Indexed IndexedRegret Forest ForestNodes ForestSteps
  ForestEnds ForestTrees ForestTheorem2 ForestDefault ForestOutside ForestCosts ForestLocalSearch.
From EmbeddedHunter Require ForestContext.
Local Open Scope R_scope.

Section ForestRegret.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : nat -> R) (cfg : forest_settings)
    (trees : nat).
  Notation k := (Model.half cfg).
  Notation d := (dimension_of cfg).
  Notation base_point t := (base_point k (d t) (radius t)).

  (** g_t(y) = f(P_X(A_t y)). *)
  Definition g_of (t : nat) (y : vector) : R := embedded f (d t) (A t) y.
  Notation g := g_of.

  (** Tree t uses A_t; trees and matrices are counted from 0 here. *)
  Definition forest_oracle (t : nat) (p : path) : R := g t (base_point t p).

  Notation value := (ForestTerms.value cfg forest_oracle).

  Hypothesis d_pos : forall t, (1 <= d t)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  (** Claim [forest-zero-vector-once]. The zero vector has one value with all embeddings: this is why the P roots can share one
      evaluation. *)
  Theorem all_embeddings_agree_at_the_zero_vector : forall t t' y y',
    (forall j, (j < d t)%nat -> y j = 0) -> (forall j, (j < d t')%nat -> y' j = 0) -> g t y = g t' y'.
  Proof.
    intros t t' y y' zero zero'. unfold g_of.
    assert (image : forall q z i, (forall j, (j < d q)%nat -> z j = 0) -> times (d q) (A q) z i = 0).
    { intros q z i zeros. unfold times. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
      - rewrite sum_of_a_constant. ring.
      - intros j small. apply in_coordinates in small. rewrite zeros by assumption. ring. }
    pose proof (f_is_lipschitz (project (times (d t) (A t) y)) (project (times (d t') (A t') y'))
      (projection_lands_in_the_box _ _) (projection_lands_in_the_box _ _)) as near.
    pose proof (projection_is_1_lipschitz S (times (d t) (A t) y) (times (d t') (A t') y')) as nearer.
    replace (Vectors.norm S (minus (times (d t) (A t) y) (times (d t') (A t') y'))) with 0 in nearer.
    - unfold embedded. apply Rminus_diag_uniq. destruct (Req_dec (f (project (times (d t) (A t) y)) - f (project (times (d t') (A t') y'))) 0) as [none | some]; [assumption|].
      apply Rabs_pos_lt in some. nra.
    - unfold Vectors.norm, square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
      + rewrite sum_of_a_constant, Rmult_0_r, sqrt_0. reflexivity.
      + intros i _. unfold minus. rewrite !image by assumption. ring.
  Qed.

  (** Claim [forest-regret-bound]. The recorded value of every node of tree t is the value of g_t at the node's base point. *)
  Theorem recorded_values_of_a_tree_are_those_of_its_embedding : forall p, value p = g (tree_of p) (base_point (tree_of p) (inner p)).
  Proof.
    intros p. unfold ForestTerms.value.
    assert (same : forall t, g t (base_point t (birth k (inner p))) = g t (base_point t (inner p))).
    { intros t. apply (g_reads_the_coordinates n S L f A (tree_settings cfg t) L_is_nonnegative f_is_lipschitz).
      apply (same_point_same_base_point k (d t) (radius t)). apply same_point_birth. apply d_pos. }
    rewrite <- same. destruct (birth k (inner p)) as [|c q]; [|reflexivity].
    unfold forest_oracle. apply all_embeddings_agree_at_the_zero_vector; intros j small; unfold Cells.base_point;
      rewrite num_nil; unfold Rdiv; ring.
  Qed.

  Hypothesis radius_pos : forall t, 0 < radius t.

  (** N bounds the stretch of the rows S of A_t, as their operator norm and their Frobenius norm do; y is any point of Y. *)
  Variable t : nat.
  Hypothesis t_is_a_tree : (t < trees)%nat.
  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S (d t) (A t) N.
  Variable y : vector.
  Hypothesis y_is_in_the_space : in_closed_space (d t) (radius t) y.

  (** f_star + eps_h = g_t(y) + L N r_h. *)
  Definition forest_threshold (h : nat) : R := g t y + L * N * circumradius k (d t) (radius t) h.

  Lemma forest_thresholds_never_grow : forall h h', (h <= h')%nat -> forest_threshold h' <= forest_threshold h.
  Proof.
    intros h h' deeper. unfold forest_threshold. apply Rplus_le_compat_l. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [assumption | apply stretch].
    - apply circumradius_never_grows; auto.
  Qed.

  (** Claim [forest-regret-bound]. The nodes to be counted are those whose value is at most the threshold of their own depth. *)
  Theorem near_optimal_nodes_of_a_forest_are_below_their_threshold : forall h x, (level_of x <= h)%nat ->
    (below_a_threshold less_real cfg forest_oracle forest_threshold h x = true <->
     value x <= forest_threshold (level_of x)).
  Proof.
    intros h x small. rewrite below_iff. split.
    - intros (l & between & below). apply at_most_is_below in below.
      eapply Rle_trans; [exact below|]. apply forest_thresholds_never_grow. lia.
    - intros below. exists (level_of x). split; [lia|]. apply at_most_is_below. assumption.
  Qed.

  (** [q] is a node whose cell, and those of its ancestors, contain y. *)
  Definition branch_of_y (q : path) : Prop :=
    node k q /\ forall more r, q = more ++ r -> in_closed_cell k (d t) (radius t) r y.

  Lemma ancestor_in_the_tree : forall a q, a <> [] -> ancestor a (q ++ [t]) ->
    tree_of a = t /\ exists more, q = more ++ inner a.
  Proof.
    intros a q proper (more & split). rewrite (node_is_inner_and_tree a proper), app_assoc in split.
    apply app_inj_tail in split. destruct split as [parts same]. split; [congruence|]. exists more. assumption.
  Qed.

  Lemma branch_of_y_is_optimal : forall q, branch_of_y q ->
    optimal_branch less_real cfg forest_oracle forest_threshold (q ++ [t]).
  Proof.
    intros q [valid cells] a proper above. apply at_most_is_below.
    destruct (ancestor_in_the_tree a q proper above) as [same (more & split)].
    rewrite recorded_values_of_a_tree_are_those_of_its_embedding, same.
    apply (base_point_is_nearly_as_good_as_its_cell k (d t) (radius t) (radius_pos t) n S); try assumption.
    apply (cells more). assumption.
  Qed.

  Lemma branch_of_y_is_in_the_forest : forall q, branch_of_y q -> forest_node cfg trees (q ++ [t]).
  Proof.
    intros q [valid _]. unfold forest_node. rewrite inner_app, tree_of_app.
    split; [destruct q; discriminate|]. split; assumption.
  Qed.

  Lemma y_has_a_branch : forall h, exists c q, branch_of_y (c :: q) /\ length q = h.
  Proof.
    intros h. destruct (every_point_has_a_branch k (d t) (radius t) (d_pos t) (radius_pos t) (Datatypes.S h) y y_is_in_the_space)
      as (x & valid & depth & cells).
    destruct x as [|c q]; [discriminate|]. exists c, q.
    split; [split; assumption|]. cbn in depth. lia.
  Qed.

  Lemma level_of_app : forall q, level_of (q ++ [t]) = length q.
  Proof. intros. unfold level_of. rewrite inner_app. reflexivity. Qed.

  Variable f_star : R.

  (** A group of trees that has sweeps of its own, and to which tree t belongs: all trees, or those of one dimension. *)
  Variable group : option nat.
  Hypothesis group_has_turns : has_turns cfg group.
  Hypothesis t_is_in_the_group : in_group cfg group [t] = true.
  Notation trees_of_the_group := (length (trees_in cfg trees group)).

  Lemma branch_of_y_is_in_the_group : forall q, in_group cfg group (q ++ [t]) = true.
  Proof. intros q. revert t_is_in_the_group. unfold in_group. destruct group; [|auto]. rewrite tree_of_app. auto. Qed.

  Lemma branch_facts : forall c q, branch_of_y (c :: q) -> (length q <= h_max cfg)%nat ->
    q ++ [t] <> [] /\ forest_node cfg trees (c :: q ++ [t]) /\ in_group cfg group (q ++ [t]) = true /\
    (level_of (q ++ [t]) <= h_max cfg)%nat /\ optimal_branch less_real cfg forest_oracle forest_threshold (c :: q ++ [t]).
  Proof.
    intros c q branch shallow. split; [destruct q; discriminate|]. split; [exact (branch_of_y_is_in_the_forest (c :: q) branch)|].
    split; [apply branch_of_y_is_in_the_group|]. split; [now rewrite level_of_app|]. exact (branch_of_y_is_optimal (c :: q) branch).
  Qed.

  (** (g_t(y) - f_star) + L N r_(h+1). *)
  Notation bound h := ((g t y - f_star) + L * N * circumradius k (d t) (radius t) (Datatypes.S h)).

  Lemma the_thresholds_bound_the_regret : forall q (s : forest R),
    (forall l, (l <= Datatypes.S (level_of (q ++ [t])))%nat -> at_most less_real (answer s) (forest_threshold l)) ->
    answer s - f_star <= bound (length q).
  Proof.
    intros q s near. rewrite level_of_app in near. specialize (near _ (Nat.le_refl _)).
    apply at_most_is_below in near. unfold forest_threshold in near. lra.
  Qed.

  Section AnyRules.

    Variables (later : forest R -> path -> R) (arrivals : forest R -> list (arrival R)) (queue : leaf R -> nat)
      (rank : leaf R -> Z).
    Hypothesis later_trees_keep_apart : forall x x', (tree_of (place x) < trees)%nat -> (trees <= tree_of (place x'))%nat ->
      queue x <> queue x'.
    Notation rules := (ForestContext.Rules less_real cfg trees forest_oracle later arrivals queue rank).
    Notation run_for := (Forest.run_for less_real cfg trees forest_oracle later arrivals queue rank).
    Notation start := (Forest.start cfg trees forest_oracle).

    (** Claims [forest-regret-bound] [forest-theorem-2]. Regret of the forest policy in sweeps, for any queues, classes and
        arrivals: after 2 S_h complete sweeps (S_h, if every sweep ranges over all trees), and ever after, it is at most
        (g_t(y) - f_star) + L N r_(h+1), for every tree t < P and every y in Y; S_h counts the near-optimal nodes of all P trees in
        the queues of the branch of y.  It is so after 2 G S_h(d) sweeps too, if t has one of the G dimensions, d; S_h(d) counts
        the near-optimal nodes of the trees of dimension d alone. *)
    Theorem regret_of_the_forest_after_S_sweeps : forall c q m s,
      branch_of_y (c :: q) -> (length q <= h_max cfg)%nat ->
      (period cfg group * S_ less_real cfg trees forest_oracle queue group forest_threshold (q ++ [t]) <= m)%nat ->
      Forest.exhausted cfg (run_for m start) = false ->
      steps less_real cfg trees forest_oracle later arrivals queue rank (run_for m start) s ->
      answer s - f_star <= bound (length q).
    Proof.
      intros c q m s branch shallow enough left_over after.
      destruct (branch_facts c q branch shallow) as (proper & inside & grouped & small & optimal).
      apply the_thresholds_bound_the_regret. exact (after_S_sweeps_the_answer_of_a_forest_is_near_optimal (F := rules)
        group forest_threshold real_values_are_totally_ordered group_has_turns later_trees_keep_apart c (q ++ [t]) proper inside grouped
        small optimal m s enough left_over after).
    Qed.

  End AnyRules.

  (** ** The default: one class for each depth, the zero vector apart *)

  Section Default.

    Variables (later : forest R -> path -> R) (arrivals : forest R -> list (arrival R)).
    Notation rules := (ForestContext.Rules less_real cfg trees forest_oracle later arrivals (separate_origin trees) one_class).
    Notation run_for := (Forest.run_for less_real cfg trees forest_oracle later arrivals (separate_origin trees) one_class).
    Notation start := (Forest.start cfg trees forest_oracle).
    Notation rest h := (length (rest_near less_real cfg trees forest_oracle forest_threshold group h)).

    (** Claims [forest-regret-bound] [forest-theorem-2]. Regret of the default policy in sweeps: after 2 P (h + 1) complete sweeps,
        for the zero vector, and two for each near-optimal node of depth at most h of the P trees with another base point (half as
        many, if every sweep ranges over all trees), and ever after, it is at most (g_t(y) - f_star) + L N r_(h+1).  For each of the G
        dimensions it is so after 2 G P_d (h + 1) and 2 G for each of these nodes, too, the P_d trees of this dimension alone being
        counted; t has this dimension. *)
    Theorem regret_of_the_default_forest_in_sweeps : forall h m s, (h <= h_max cfg)%nat ->
      (period cfg group * (trees_of_the_group * Datatypes.S h + rest h) <= m)%nat ->
      Forest.exhausted cfg (run_for m start) = false ->
      steps less_real cfg trees forest_oracle later arrivals (separate_origin trees) one_class (run_for m start) s ->
      answer s - f_star <= bound h.
    Proof.
      intros h m s shallow enough left_over after. destruct (y_has_a_branch h) as (c & q & branch & <-).
      apply (regret_of_the_forest_after_S_sweeps later arrivals (separate_origin trees) one_class
        (separate_origin_keeps_later_trees_apart trees) c q m s); try assumption.
      pose proof (S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest (F := rules) forest_threshold group d_pos (q ++ [t])) as less.
      rewrite level_of_app in less. ForestContext.with_given_rules. nia.
    Qed.

    Variables share slack : nat.
    Hypothesis share_positive : (1 <= share)%nat.
    Hypothesis odd_K : (1 <= k)%nat.
    Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.
    Hypothesis few_asides : forall s, (length (arrivals s) <= share * own_made trees s + slack - made s)%nat.

    (** Claims [forest-regret-bound] [forest-theorem-2]. Regret of the default policy in evaluations: with at most
        2 (K - 1) (h_max + 1) evaluations for each sweep, and with so few evaluations outside the forest between the sweeps that
        all evaluations are at most [share] times the forest's own and [slack] more. *)
    Theorem regret_of_the_default_forest_within_a_budget : forall h, (h <= h_max cfg)%nat ->
      (share * (1 + period cfg group * (trees_of_the_group * Datatypes.S h + rest h) * (2 * k * 2 * Datatypes.S (h_max cfg))) + slack
         < budget cfg)%nat ->
      answer (Forest.hunt less_real cfg trees forest_oracle later arrivals (separate_origin trees) one_class) - f_star <= bound h.
    Proof.
      intros h shallow enough. destruct (y_has_a_branch h) as (c & q & branch & <-).
      destruct (branch_facts c q branch shallow) as (proper & inside & grouped & small & optimal).
      pose proof (S_of_the_default_forest_is_at_most_the_zero_chains_and_the_rest (F := rules) forest_threshold group d_pos (q ++ [t])) as less.
      rewrite level_of_app in less. ForestContext.with_given_rules.
      apply (Nat.mul_le_mono_l _ _ (period cfg group)), (Nat.mul_le_mono_r _ _ (2 * k * 2 * Datatypes.S (h_max cfg))), le_n_S,
        (Nat.mul_le_mono_l _ _ share) in less.
      apply the_thresholds_bound_the_regret. refine (with_a_budget_for_S_sweeps_the_answer_of_a_forest_is_near_optimal (F := rules)
        forest_threshold group [(0%nat, 0%Z); (1%nat, 0%Z)] (two_keys less_real cfg trees forest_oracle later arrivals no_tree_enters)
        share slack share_positive (evaluations_outside_the_forest_keep_their_share (F := rules) no_tree_enters share slack share_positive _
          few_asides)
        real_values_are_totally_ordered group_has_turns (separate_origin_keeps_later_trees_apart trees) c (q ++ [t]) proper inside grouped
        small optimal odd_K _); ForestContext.with_given_rules; [lia|unfold sweep_cost; cbn [length]; lia].
    Qed.

  End Default.

  (** Claims [forest-regret-bound] [forest-theorem-2]. With any local search under rule F6 that makes at most B evaluations each
      time it is asked, a budget of more than [share] times what the forest alone needs and B suffices. *)
  Theorem regret_of_the_forest_with_any_local_search_within_a_budget : forall later goes_on share B patience, (1 <= k)%nat -> (1 <= share)%nat ->
    forall h, (h <= h_max cfg)%nat ->
    (share * (1 + period cfg group
              * (trees_of_the_group * Datatypes.S h + length (rest_near less_real cfg trees forest_oracle forest_threshold group h))
              * (2 * k * 2 * Datatypes.S (h_max cfg))) + B < budget cfg)%nat ->
    answer (Forest.hunt less_real cfg trees forest_oracle later
      (refinement less_real cfg trees forest_oracle later goes_on share B patience) (separate_origin trees) one_class) - f_star <= bound h.
  Proof.
    intros later goes_on share B patience odd_K some_share h shallow enough.
    apply (regret_of_the_default_forest_within_a_budget later
      (refinement less_real cfg trees forest_oracle later goes_on share B patience) share B); auto.
    - apply refinement_makes_asides.
    - apply refinement_is_short.
  Qed.

  (** Claims [forest-regret-bound] [forest-theorem-2]. The plain forest, nothing being evaluated outside the forest, with
      a budget that needs no knowledge of f: all nodes of depth at most h instead of the near-optimal ones. *)
  Theorem regret_of_the_plain_forest_within_a_budget_for_all_nodes : forall later, (1 <= k)%nat ->
    forall h, (h <= h_max cfg)%nat ->
    (2 + period cfg group * (trees_of_the_group * Datatypes.S h + length (forest_levels cfg trees h))
           * (2 * k * 2 * Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
    answer (Forest.hunt less_real cfg trees forest_oracle later nothing (separate_origin trees) one_class) - f_star <= bound h.
  Proof.
    intros later odd_K h shallow enough.
    assert (fewer : (length (rest_near less_real cfg trees forest_oracle forest_threshold group h) <=
      length (forest_levels cfg trees h))%nat) by apply length_filter.
    apply (regret_of_the_default_forest_within_a_budget later nothing 1 0); auto.
    - intros s a [].
    - intros s. cbn. lia.
    - apply (Nat.add_le_mono_l _ _ (trees_of_the_group * Datatypes.S h)), (Nat.mul_le_mono_l _ _ (period cfg group)),
        (Nat.mul_le_mono_r _ _ (2 * k * 2 * Datatypes.S (h_max cfg))) in fewer. lia.
  Qed.

End ForestRegret.

(** ** Covered optima *)

(** Claims [forest-regret-bound] [forest-coverage]. If any of the P embeddings covers the optimum, that is P_X(A_t y) = x* for some y of Y,
    the plain forest comes as near to it as one likes, as soon as h_max and the budget are large enough. *)
Theorem the_forest_finds_an_optimum_that_one_embedding_covers :
  forall n S L f A radius trees t y x_star k d,
  (forall q, 1 <= d q)%nat -> 0 <= L -> lipschitz n S L f -> (forall q, 0 < radius q) -> (t < trees)%nat -> (1 <= k)%nat ->
  in_closed_space (d t) (radius t) y -> embedded f (d t) (A t) y = f x_star ->
  forall epsilon, 0 < epsilon -> exists h, forall (cfg : forest_settings) later,
  Model.half cfg = k -> dimension_of cfg = d -> (h <= h_max cfg)%nat ->
  (2 + spacing cfg * (trees * Datatypes.S h + length (forest_levels cfg trees h)) * (2 * k * 2 * Datatypes.S (h_max cfg))
     <= budget cfg)%nat ->
  answer (Forest.hunt less_real cfg trees (forest_oracle f A radius cfg) later nothing (separate_origin trees) one_class)
    <= f x_star + epsilon.
Proof.
  intros n S L f A radius trees t y x_star k d d_pos L_pos lip radius_pos tree odd_K inside covered epsilon positive.
  set (c := L * frobenius S (d t) (A t)).
  assert (0 <= c) by (apply Rmult_le_pos; [assumption | apply sqrt_pos]).
  destruct (circumradius_tends_to_zero k (d t) (radius t) (d_pos t) (radius_pos t) odd_K (epsilon / (c + 1))) as [h shallow].
  { apply Rdiv_lt_0_compat; lra. }
  exists h. intros cfg later half_is dimension_is small enough. subst k d.
  pose proof (regret_of_the_plain_forest_within_a_budget_for_all_nodes n S L f A radius cfg trees d_pos L_pos lip radius_pos t
    tree (frobenius S (dimension_of cfg t) (A t)) (frobenius_norm_bounds_the_stretch S (dimension_of cfg t) (A t)) y inside (f x_star)
    None I eq_refl later odd_K h small) as regret.
  pose proof (length_trees_in cfg trees None). specialize (regret ltac:(unfold period; nia)).
  unfold g_of in regret. rewrite covered in regret. fold c in regret.
  specialize (shallow (Datatypes.S h) ltac:(lia)).
  pose proof (circumradius_is_nonnegative (Model.half cfg) (dimension_of cfg t) (radius t) (Datatypes.S h)).
  assert (c * circumradius (Model.half cfg) (dimension_of cfg t) (radius t) (Datatypes.S h) <= epsilon).
  { apply Rle_trans with ((c + 1) * (epsilon / (c + 1))); [|right; field; lra].
    apply Rle_trans with (c * (epsilon / (c + 1))).
    - apply Rmult_le_compat_l; lra.
    - apply Rmult_le_compat_r; [|lra]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
  lra.
Qed.

(** ** Every dimension at once

    Nobody has to know which dimension, or which matrix, is the right one: the run is as good as the best of these bounds. *)

(** Claims [dimension-guarantee] [forest-regret-bound]. For all G dimensions at once: after m complete sweeps, and ever after, the regret of the
    default policy is at most (g_t(y) - f_star) + L N_t r_(h+1) for every dimension d, tree t of this dimension, y in its space Y
    and h <= h_max such that 2 G (P_d (h + 1) + n_d(h)) <= m: P_d is the number of trees of dimension d, and n_d(h) that of their
    near-optimal nodes of depth at most h whose base point is not the zero vector. *)
Theorem every_dimension_has_its_bound_in_sweeps :
  forall n S L f A radius (cfg : forest_settings) trees later arrivals f_star m s,
  let k := Model.half cfg in
  let oracle := forest_oracle f A radius cfg in
  let run := Forest.run_for less_real cfg trees oracle later arrivals (separate_origin trees) one_class m
    (Forest.start cfg trees oracle) in
  (forall q, 1 <= dimension_of cfg q)%nat -> 0 <= L -> lipschitz n S L f -> (forall q, 0 < radius q) ->
  Forest.exhausted cfg run = false ->
  steps less_real cfg trees oracle later arrivals (separate_origin trees) one_class run s ->
  forall d t N y h, In d (turns cfg) -> dimension_of cfg t = d -> (t < trees)%nat -> stretches_by_at_most S d (A t) N ->
  in_closed_space d (radius t) y -> (h <= h_max cfg)%nat ->
  (2 * length (turns cfg)
     * (length (trees_in cfg trees (Some d)) * Datatypes.S h
        + length (rest_near less_real cfg trees oracle (forest_threshold L f A radius cfg t N y) (Some d) h)) <= m)%nat ->
  answer s - f_star <= (g_of f A cfg t y - f_star) + L * N * circumradius k d (radius t) (Datatypes.S h).
Proof.
  intros n S L f A radius cfg trees later arrivals f_star m s k oracle run d_pos L_pos lip radius_pos left_over after
    d t N y h has_turn <- tree stretch inside shallow enough.
  exact (regret_of_the_default_forest_in_sweeps n S L f A radius cfg trees d_pos L_pos lip radius_pos t tree N stretch y inside
    f_star (Some (dimension_of cfg t)) has_turn (Nat.eqb_refl _) later arrivals h m s shallow enough left_over after).
Qed.

(** Claims [dimension-guarantee] [forest-coverage]. For all G dimensions at once, in evaluations: if some matrix A_t of dimension d covers the
    optimum, the plain forest ends at most L N r_(h+1) above it, for every h <= h_max for which the budget v is more than E(m),
    m = 2 G (P_d (h + 1) + n_d(h)): no tree of another dimension is counted.
    E(m) = 1 + (K - 1) (min(1, h_max + 1) + ... + min(m, h_max + 1)). *)
Theorem every_dimension_has_its_bound_within_a_budget :
  forall n S L f A radius (cfg : forest_settings) trees later x_star,
  let k := Model.half cfg in
  let oracle := forest_oracle f A radius cfg in
  (forall q, 1 <= dimension_of cfg q)%nat -> 0 <= L -> lipschitz n S L f -> (forall q, 0 < radius q) -> (1 <= k)%nat ->
  forall d t N y h, In d (turns cfg) -> dimension_of cfg t = d -> (t < trees)%nat -> stretches_by_at_most S d (A t) N ->
  in_closed_space d (radius t) y -> embedded f d (A t) y = f x_star -> (h <= h_max cfg)%nat ->
  (1 + 2 * k * triangle (Datatypes.S (h_max cfg)) (2 * length (turns cfg)
         * (length (trees_in cfg trees (Some d)) * Datatypes.S h
            + length (rest_near less_real cfg trees oracle (forest_threshold L f A radius cfg t N y) (Some d) h)))
     < budget cfg)%nat ->
  answer (Forest.hunt less_real cfg trees oracle later nothing (separate_origin trees) one_class)
    <= f x_star + L * N * circumradius k d (radius t) (Datatypes.S h).
Proof.
  intros n S L f A radius cfg trees later x_star k oracle d_pos L_pos lip radius_pos odd_K
    d t N y h has_turn <- tree stretch inside covered shallow enough.
  set (m := (2 * length (turns cfg) * _)%nat) in enough.
  pose proof (n_sweeps_of_the_default_forest_make_at_most_E_evaluations less_real cfg trees oracle later m
    real_values_are_totally_ordered d_pos) as cost.
  set (F := ForestContext.Rules less_real cfg trees oracle later nothing (separate_origin trees) one_class).
  pose proof (every_run_of_a_forest_ends (F := F) odd_K (Nat.max (spacing cfg * budget cfg) m)) as ends.
  unfold F in ends. ForestContext.with_given_rules. rewrite <- ends by lia. clear ends.
  pose proof (every_dimension_has_its_bound_in_sweeps n S L f A radius cfg trees later nothing (f x_star) m
    (Forest.run_for less_real cfg trees oracle later nothing (separate_origin trees) one_class (Nat.max (spacing cfg * budget cfg) m)
      (Forest.start cfg trees oracle)) d_pos L_pos lip radius_pos
    ltac:(apply Nat.leb_gt; fold oracle; unfold k in enough; lia)
    ltac:(apply (run_for_steps_later (F := F)); lia) _ t N y h has_turn eq_refl tree stretch inside shallow (Nat.le_refl m)) as regret.
  unfold g_of in regret. rewrite covered in regret. fold k in regret. lra.
Qed.
