(** * End to end, in evaluations

    The theorems on the regret put together for objectives that grow at least linearly away from a point: how
    many evaluations make the regret how small.  A sweep of the plain forest makes at most 2 (K - 1) (h_max + 1)
    evaluations, and a number of sweeps proportional to h + 1 makes the regret at most g_t(y) - f_star and a constant times
    K^(-floor((h + 1)/d)); so v evaluations suffice for h + 1 = floor(sqrt((v - 2)/C)).  For Algorithm 1 with norm
    classes the bound on the evaluations of a sweep is K (gamma_0 + ... + gamma_h_max), which is of no such order. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import ForestTerms Geometry SweepCosts Lemma1 RealValues Vectors Cells WellShaped Indexed
  IndexedRegret IndexedTheorem2 IndexedRate Forest ForestNodes ForestTrees ForestTheorem2 ForestDefault ForestRegret.
Local Open Scope R_scope.

Section GrowingForest.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings)
    (trees : nat).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation base_point := (base_point k d radius).
  Notation forest_cfg := (one_dimension cfg).
  Notation g := (g_of f A forest_cfg).
  Notation oracle := (forest_oracle f A (fun _ => radius) forest_cfg).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.
  Hypothesis radius_pos : 0 < radius.

  (** N bounds the stretch of A_t; y is a point of Y. *)
  Variable t : nat.
  Hypothesis t_is_a_tree : (t < trees)%nat.
  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S d (A t) N.
  Variable y : vector.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  Notation threshold := (forest_threshold L f A (fun _ => radius) forest_cfg t N y).
  Notation near h := (all_near less_real forest_cfg trees oracle threshold None h).

  Lemma threshold_is : forall h, threshold h = g t y + L * N * circumradius k d radius h.
  Proof. reflexivity. Qed.

  Lemma thresholds_never_grow : forall h h', (h <= h')%nat -> threshold h' <= threshold h.
  Proof. apply (forest_thresholds_never_grow S); auto. Qed.

  (** Every embedded objective grows at least linearly away from a point, where it is at most the threshold of depth k0. *)
  Variables (center : nat -> vector) (c : R).
  Hypothesis c_pos : 0 < c.

  Section OneDepth.

    Variable k0 : nat.
    Hypothesis growth : forall q, (q < trees)%nat -> forall z, in_closed_space d radius z -> g q z <= threshold k0 ->
      g t y + c * Vectors.norm (coordinates d) (minus z (center q)) <= g q z.

    Variable w : nat.
    Hypothesis w_is_large : L * N * sqrt (INR d) * INR (K k) <= 2 * c * INR w.

    Lemma near_optimal_nodes_are_near_the_center : forall h x, (k0 <= h)%nat ->
      forest_node forest_cfg trees x -> level_of x = h -> ForestTerms.value forest_cfg oracle x <= threshold h ->
      c * Vectors.norm (coordinates d) (minus (base_point (inner x)) (center (tree_of x))) <= L * N * circumradius k d radius h.
    Proof.
      intros h x deep (_ & small & valid) depth below.
      rewrite (recorded_values_of_a_tree_are_those_of_its_embedding n S L) in below by auto.
      assert (in_Y : in_closed_space d radius (base_point (inner x))).
      { intros j small_j. pose proof (a_base_point_is_in_the_space k d radius d_pos radius_pos (inner x) valid j small_j). lra. }
      change (g (tree_of x) (base_point (inner x)) <= threshold h) in below. pose proof (thresholds_never_grow k0 h deep).
      pose proof (growth (tree_of x) small (base_point (inner x)) in_Y ltac:(lra)). rewrite threshold_is in below. lra.
    Qed.

    (** At most (2w + 1)^d of the nodes of one depth of one tree. *)
    Lemma few_nodes_are_near_a_point : forall h z (some : list path), NoDup some ->
      (forall x, In x some -> node k x /\ length x = h /\
         c * Vectors.norm (coordinates d) (minus (base_point x) z) <= L * N * circumradius k d radius h) ->
      (length some <= K w ^ d)%nat.
    Proof.
      intros h z some distinct known. set (a := fun j => power k (splits d h j) * z j / (2 * radius) - INR w).
      apply (few_nodes_in_a_box_of_numerators k d w h (fun j => (1 - up (- a j))%Z)); [assumption | assumption|].
      intros x member. destruct (known x member) as (valid & deep & close). split; [assumption|]. split; [assumption|].
      intros j small_j. rewrite <- deep in close.
      pose proof (near_base_points_have_near_numerators S L (fun _ => A t) radius cfg d_pos radius_pos L_is_nonnegative N stretch c c_pos
        w w_is_large x j z small_j close) as range.
      cbv zeta in range. rewrite deep in range. fold (a j) in range. destruct (archimed (- a j)) as [up_above up_below].
      assert (low : (1 - up (- a j) - 1 < num k d x j)%Z).
      { apply lt_IZR. rewrite !minus_IZR. lra. }
      assert (high : (num k d x j < 1 - up (- a j) + 2 * Z.of_nat w + 1)%Z).
      { apply lt_IZR. rewrite !plus_IZR, minus_IZR, mult_IZR, <- INR_IZR_INZ. lra. }
      lia.
    Qed.

    Lemma near_optimal_nodes_of_a_deep_level_are_few : forall h (some : list path), (k0 <= h)%nat -> NoDup some ->
      (forall x, In x some -> forest_node forest_cfg trees x /\ level_of x = h /\ ForestTerms.value forest_cfg oracle x <= threshold h) ->
      (length some <= trees * K w ^ d)%nat.
    Proof.
      intros h some deep distinct known. apply (union_bound (K w ^ d) trees (fun q x => Nat.eqb (tree_of x) q)); [assumption| |].
      { intros x member. destruct (known x member) as ((_ & small & _) & _). exists (tree_of x). split; [assumption | apply Nat.eqb_refl]. }
      intros q these _ distinct_these are. rewrite <- (map_length inner these).
      assert (facts : forall x, In x these -> x <> [] /\ tree_of x = q /\ node k (inner x) /\ length (inner x) = h /\
        c * Vectors.norm (coordinates d) (minus (base_point (inner x)) (center q)) <= L * N * circumradius k d radius h).
      { intros x member. destruct (are x member) as [in_some in_q%Nat.eqb_eq]. destruct (known x in_some) as (is_node & depth & below).
        pose proof (near_optimal_nodes_are_near_the_center h x deep is_node depth below) as close. rewrite in_q in close.
        destruct is_node as (proper & _ & valid). auto. }
      apply (few_nodes_are_near_a_point h (center q)).
      - clear are. induction distinct_these as [|x these new distinct_these IH]; cbn [map]; [constructor|]. constructor.
        + intros again. apply in_map_iff in again. destruct again as (x' & same & member').
          destruct (facts x (or_introl eq_refl)) as (proper & tree & _), (facts x' (or_intror member')) as (proper' & tree' & _).
          apply new. rewrite (nodes_are_equal x x'); congruence.
        + apply IH. intros x' member'. apply facts. now right.
      - intros p member. apply in_map_iff in member. destruct member as (x & <- & member). now apply facts.
    Qed.

  End OneDepth.

  (** Every embedded objective grows at least linearly away from a point, from the level g_t(y) on. *)
  Hypothesis growth : forall q, (q < trees)%nat -> forall z, in_closed_space d radius z ->
    g t y + c * Vectors.norm (coordinates d) (minus z (center q)) <= g q z.

  (** 2w + 1 is the number of base points, in one coordinate, that can be near a center. *)
  Variable w : nat.
  Hypothesis w_is_large : L * N * sqrt (INR d) * INR (K k) <= 2 * c * INR w.

  (** Claim [end-to-end]. If every tree's objective grows at least linearly, with slope c, away from a point and from the level g_t(y) on, the P trees
      have at most (h + 1) P (2w + 1)^d near-optimal nodes of depth at most h; w is any integer of at least L N K sqrt d / (2 c). *)
  Theorem near_optimal_nodes_of_a_growing_forest_are_few : forall h,
    (length (near h) <= (h + 1) * (trees * K w ^ d))%nat.
  Proof.
    intros h. apply (union_bound (trees * K w ^ d) (h + 1) (fun depth x => Nat.eqb (level_of x) depth)).
    - apply NoDup_filter, nodup_forest_levels.
    - intros x member. apply filter_In in member. destruct member as [inside%in_forest_levels _].
      exists (level_of x). split; [lia | apply Nat.eqb_refl].
    - intros depth some _ distinct inside. apply (near_optimal_nodes_of_a_deep_level_are_few 0) with (h := depth); auto; [lia|].
      intros x member. destruct (inside x member) as [is_near deep%Nat.eqb_eq]. apply filter_In in is_near.
      destruct is_near as [is_node%in_forest_levels below]. split; [apply is_node|]. split; [assumption|]. rewrite <- deep.
      apply (near_optimal_nodes_of_a_forest_are_below_their_threshold S L f A (fun _ => radius) forest_cfg trees (fun _ => d_pos)
        L_is_nonnegative (fun _ => radius_pos) t t_is_a_tree N stretch y h x (proj2 is_node)). exact below.
  Qed.

  Variable f_star : R.
  (** (g_t(y) - f_star) + L N R sqrt d / K^s, s rounds of splits. *)
  Notation regret_after rounds := ((g t y - f_star) + L * N * (radius * sqrt (INR d) / power k rounds)).

  Lemma bound_by_rounds : forall h,
    (g t y - f_star) + L * N * circumradius k d radius (Datatypes.S h) <= regret_after ((h + 1) / d)%nat.
  Proof.
    intros h. pose proof (circumradius_shrinks_geometrically k d radius d_pos radius_pos (Datatypes.S h)) as small.
    rewrite Nat.add_1_r. apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply Rmult_le_pos; [assumption | apply stretch] | assumption].
  Qed.

  (** What (h + 1) sweeps take at most for each of the depths 0, ..., h_max. *)
  Definition cost_of_growth : nat := trees * (1 + K w ^ d) * (4 * k).

  (** Claim [end-to-end]. In evaluations: if the budget v is at least 2 + (h + 1) (h_max + 1) C, C = 2 (K - 1) P (1 + (2w + 1)^d), the plain forest
      ends with a regret of at most (g_t(y) - f_star) + L N R sqrt d / K^(floor((h + 1)/d)). *)
  Theorem regret_of_a_growing_forest_in_evaluations : forall later h, (1 <= k)%nat -> (h <= h_max cfg)%nat ->
    (2 + (h + 1) * (h_max cfg + 1) * cost_of_growth <= budget cfg)%nat ->
    Forest.answer (Forest.hunt less_real forest_cfg trees oracle later nothing (separate_origin trees) one_class) - f_star
    <= regret_after ((h + 1) / d)%nat.
  Proof.
    intros later h odd_K shallow enough.
    pose proof (near_optimal_nodes_of_a_growing_forest_are_few h) as few.
    assert (fewer : (length (rest_near less_real forest_cfg trees oracle threshold None h) <= length (near h))%nat).
    { apply length_filter_mono. intros x _ both. apply andb_true_iff in both. destruct both as [_ both].
      apply andb_true_iff in both. apply both. }
    pose proof (regret_of_the_default_forest_within_a_budget n S L f A (fun _ => radius) forest_cfg trees (fun _ => d_pos)
      L_is_nonnegative f_is_lipschitz (fun _ => radius_pos) t t_is_a_tree N stretch y y_is_in_the_space f_star None I eq_refl later nothing 1 0 (le_n 1) odd_K) as regret.
    pose proof (length_trees_in forest_cfg trees None) as all_trees.
    specialize (regret ltac:(intros s a []) ltac:(intros s; cbn; lia) h shallow).
    set (all := length (trees_in forest_cfg trees None)) in *.
    set (rest := length (rest_near less_real forest_cfg trees oracle threshold None h)) in *.
    assert (affordable : (1 * (1 + 1 * (all * Datatypes.S h + rest) * (2 * k * 2 * Datatypes.S (h_max cfg))) + 0 < budget cfg)%nat).
    { assert (sum : (all * Datatypes.S h + rest <= (h + 1) * (trees * (1 + K w ^ d)))%nat) by nia.
      apply (Nat.mul_le_mono_r _ _ (2 * k * 2 * Datatypes.S (h_max cfg))) in sum. unfold cost_of_growth in enough.
      replace ((h + 1) * (trees * (1 + K w ^ d)) * (2 * k * 2 * Datatypes.S (h_max cfg)))%nat
        with ((h + 1) * (h_max cfg + 1) * (trees * (1 + K w ^ d) * (4 * k)))%nat in sum by ring. lia. }
    exact (Rle_trans _ _ _ (regret affordable) (bound_by_rounds h)).
  Qed.

  (** Claim [end-to-end]. Exponential in the square root of the number of evaluations: with h_max + 1 = floor(sqrt((v - 2)/C)) the plain forest ends, after v
      evaluations, with a regret of at most (g_t(y) - f_star) + L N R sqrt d / K^(floor((h_max + 1)/d)). *)
  Theorem regret_of_a_growing_forest_decays_exponentially_in_the_root_of_the_budget : forall later, (1 <= k)%nat ->
    (h_max cfg + 1 = Nat.sqrt ((budget cfg - 2) / cost_of_growth))%nat ->
    Forest.answer (Forest.hunt less_real forest_cfg trees oracle later nothing (separate_origin trees) one_class) - f_star
    <= regret_after (Nat.sqrt ((budget cfg - 2) / cost_of_growth) / d)%nat.
  Proof.
    intros later odd_K root. rewrite <- root. apply regret_of_a_growing_forest_in_evaluations; [assumption | lia|].
    assert (positive : cost_of_growth <> 0%nat).
    { unfold cost_of_growth. assert (1 <= trees)%nat by lia. nia. }
    pose proof (Nat.sqrt_spec ((budget cfg - 2) / cost_of_growth) (Nat.le_0_l _)) as [square _]. rewrite <- root in square.
    pose proof (Nat.mul_div_le (budget cfg - 2) cost_of_growth positive) as whole.
    apply (Nat.mul_le_mono_r _ _ cost_of_growth) in square.
    assert (1 <= cost_of_growth)%nat by lia.
    assert (1 <= (h_max cfg + 1) * (h_max cfg + 1) * cost_of_growth)%nat by nia. lia.
  Qed.

End GrowingForest.

(** ** A concrete instance of every hypothesis *)

(** A cone seen through embeddings that are z |-> z/R satisfies the hypotheses, with c = L/R. *)
Lemma the_cone_grows : forall d radius L y, 0 < radius -> 0 < L -> forall cfg, dimension cfg = d ->
  let g := g_of (shrunk_cone d radius L y) (shrinking radius) (one_dimension cfg) in
  in_closed_space d radius y -> g 0%nat y = 0 /\
  forall q z, in_closed_space d radius z -> g 0%nat y + L / radius * Vectors.norm (coordinates d) (minus z y) <= g q z.
Proof.
  intros d radius L y radius_pos L_pos cfg dimension_is g inside.
  assert (value : forall q z, in_closed_space d radius z -> g q z = L / radius * Vectors.norm (coordinates d) (minus z y)).
  { intros q z inside_z. unfold g, g_of. cbn. rewrite dimension_is. now apply value_of_the_shrunk_cone. }
  assert (at_y : g 0%nat y = 0).
  { rewrite value by assumption. unfold Vectors.norm, square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
    - rewrite sum_of_a_constant, Rmult_0_r, sqrt_0. ring.
    - intros. unfold minus. ring. }
  split; [exact at_y|]. intros q z inside_z. rewrite at_y, value by assumption. lra.
Qed.

Lemma the_slope_of_the_cone : forall radius L a b, 0 < radius -> 0 < L -> a <= 2 * b ->
  0 < L / radius /\ L * / radius * a <= 2 * (L / radius) * b.
Proof.
  intros radius L a b radius_pos L_pos large. assert (slope : 0 < L / radius) by (apply Rdiv_lt_0_compat; assumption).
  split; [exact slope|]. replace (2 * (L / radius) * b) with (L / radius * (2 * b)) by ring. apply Rmult_le_compat_l; lra.
Qed.

(** Claim [end-to-end]. For a cone seen through P embeddings that are z |-> z/R, with w at least K sqrt d / 2, the least value that the plain forest has
    found after v evaluations, with h_max + 1 = floor(sqrt((v - 2)/C)), is at most L sqrt d / K^(floor((h_max + 1)/d)): nothing is left to assume. *)
Theorem the_forest_on_a_cone : forall d radius L y, (1 <= d)%nat -> 0 < radius -> 0 < L -> in_closed_space d radius y ->
  forall cfg trees w later, dimension cfg = d -> (1 <= trees)%nat -> (1 <= Model.half cfg)%nat ->
  sqrt (INR d) * INR (K (Model.half cfg)) <= 2 * INR w ->
  (h_max cfg + 1 = Nat.sqrt ((budget cfg - 2) / cost_of_growth cfg trees w))%nat ->
  Forest.answer (Forest.hunt less_real (one_dimension cfg) trees (forest_oracle (shrunk_cone d radius L y) (shrinking radius) (fun _ => radius) (one_dimension cfg)) later nothing
    (separate_origin trees) one_class)
  <= L * (sqrt (INR d) / power (Model.half cfg) (Nat.sqrt ((budget cfg - 2) / cost_of_growth cfg trees w) / d)).
Proof.
  intros d radius L y d_pos radius_pos L_pos inside cfg trees w later dimension_is some_tree odd_K large root.
  destruct (the_cone_grows d radius L y radius_pos L_pos cfg dimension_is inside) as [at_y growth].
  destruct (the_slope_of_the_cone radius L _ _ radius_pos L_pos large) as [slope large'].
  assert (lip : lipschitz d (coordinates d) L (shrunk_cone d radius L y)) by (apply cone_is_lipschitz; lra).
  pose proof (shrinking_stretches d radius radius_pos) as stretch. subst d. rewrite <- Rmult_assoc in large'.
  pose proof (regret_of_a_growing_forest_decays_exponentially_in_the_root_of_the_budget (dimension cfg) (coordinates (dimension cfg)) L
    (shrunk_cone (dimension cfg) radius L y) (shrinking radius) radius cfg trees d_pos (Rlt_le _ _ L_pos) lip radius_pos 0%nat some_tree
    (/ radius) stretch y inside (fun _ => y) (L / radius) slope (fun q _ => growth q) w large' 0 later odd_K root) as rate.
  cbv zeta in at_y. rewrite at_y in rate.
  match goal with |- _ <= L * (sqrt ?x / ?e) =>
    replace (L * (sqrt x / e)) with (L * / radius * (radius * sqrt x / e))
      by (assert (0 < e) by apply power_pos; field; lra) end.
  lra.
Qed.

(** ** Algorithm 1 with norm classes *)

(** Claim [end-to-end]. The indexed policy in evaluations, if each of the embeddings 0, ..., h grows at least linearly away from one of P points and from the level
    g_0(y) on: a budget of 1 + K (h + 1) P (2w + 1)^d (gamma_0 + ... + gamma_h_max) makes the regret at most
    (g_0(y) - f_star) + L N R sqrt d / K^(floor((h + 1)/d)). *)
Theorem regret_of_the_indexed_policy_on_growing_objectives_within_a_budget :
  forall n S L f A radius cfg, (1 <= dimension cfg)%nat -> 0 < radius -> 0 <= L -> lipschitz n S L f ->
  forall N, stretches_by_at_most S (dimension cfg) (A 0%nat) N ->
  forall y, in_closed_space (dimension cfg) radius y ->
  forall h P center c, 0 < c ->
  (forall q, (q <= h)%nat -> exists i, (i < P)%nat /\ forall z, in_closed_space (dimension cfg) radius z ->
     IndexedRegret.g f A cfg 0 y + c * Vectors.norm (coordinates (dimension cfg)) (minus z (center i)) <= IndexedRegret.g f A cfg q z) ->
  forall w, L * N * sqrt (INR (dimension cfg)) * INR (K (Model.half cfg)) <= 2 * c * INR w ->
  forall f_star, (h <= h_max cfg)%nat -> (0 < cap_den cfg)%Z ->
  (1 + K (Model.half cfg) * ((h + 1) * (P * K w ^ dimension cfg))
     * sum_of_gammas (Model.half cfg) (dimension cfg) (Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
  Model.answer (Model.hunt less_real (indexed_oracle f A radius cfg) cfg) - f_star
  <= (IndexedRegret.g f A cfg 0 y - f_star)
     + L * N * (radius * sqrt (INR (dimension cfg)) / power (Model.half cfg) ((h + 1) / dimension cfg)).
Proof.
  intros n S L f A radius cfg d_pos radius_pos L_pos lip N stretch y inside h P center c c_pos growth w large f_star shallow cap enough.
  pose proof (S_is_small_on_growing_objectives n S L f A radius cfg d_pos radius_pos L_pos lip N stretch y h P center c c_pos growth w large) as few.
  assert (affordable : (1 + K (Model.half cfg) * Lemma1.S_ less_real (indexed_oracle f A radius cfg) cfg (threshold L f A radius cfg N y) h
    * sum_of_gammas (Model.half cfg) (dimension cfg) (Datatypes.S (h_max cfg)) <= budget cfg)%nat).
  { eapply Nat.le_trans; [|exact enough]. apply le_n_S, Nat.mul_le_mono_r, Nat.mul_le_mono_l. exact few. }
  pose proof (regret_of_the_indexed_policy_within_a_budget n S L f A radius cfg d_pos radius_pos L_pos lip N stretch y inside f_star h
    shallow cap affordable) as regret.
  pose proof (circumradius_shrinks_geometrically (Model.half cfg) (dimension cfg) radius d_pos radius_pos (Datatypes.S h)) as small.
  rewrite Nat.add_1_r.
  assert (L * N * circumradius (Model.half cfg) (dimension cfg) radius (Datatypes.S h)
    <= L * N * (radius * sqrt (INR (dimension cfg)) / power (Model.half cfg) (Datatypes.S h / dimension cfg))).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; [assumption | apply stretch] | assumption]. }
  lra.
Qed.
