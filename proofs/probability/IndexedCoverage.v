(** * The indexed policy finds a covered optimum, and what the other embeddings contribute

    Two readings of the regret bound of IndexedTheorem2.v: with y a preimage of the optimiser (coverage), and with y a
    good point for any other matrix A_q, at the price of the paper's tau, here L ||A_0 - A_q|| R sqrt d. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order Geometry SweepCosts Lemma1 Theorem2
  RealValues Vectors Expectation Moments SignMatrices Ceiling Coverage Cells WellShaped Indexed IndexedRegret
  IndexedTheorem2.
Local Open Scope R_scope.

(** An objective has one value at two points of X that agree in the coordinates S. *)
Lemma points_that_agree_have_one_value : forall n S L f x x',
  lipschitz n S L f -> in_box n x -> in_box n x' -> (forall i, In i S -> x i = x' i) -> f x = f x'.
Proof.
  intros n S L f x x' lip inside inside' same.
  pose proof (lip x x' inside inside') as bound.
  replace (Vectors.norm S (minus x x')) with 0 in bound.
  - rewrite Rmult_0_r in bound. pose proof (Rabs_pos (f x - f x')). apply Rminus_diag_uniq.
    destruct (Req_dec (f x - f x') 0) as [zero | other]; [assumption|]. apply Rabs_no_R0 in other. lra.
  - unfold Vectors.norm, square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
    + rewrite sum_of_a_constant, Rmult_0_r, sqrt_0. reflexivity.
    + intros i member. unfold minus. rewrite same by assumption. ring.
Qed.

Section CoveredOptimum.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation oracle := (indexed_oracle f A radius cfg).
  Notation run_for := (run_for less_real oracle cfg).
  Notation start := (start oracle cfg).
  Notation hunt := (hunt less_real oracle cfg).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  Section OneEmbedding.

  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S d (A 0%nat) N.

  Variable optimiser : vector.
  Hypothesis optimiser_is_in_the_box : in_box n optimiser.
  Hypothesis optimiser_is_covered : covers S d radius (A 0%nat) optimiser.

  Lemma a_covered_value_is_attained : exists y, in_closed_space d radius y /\ g f A cfg 0 y = f optimiser.
  Proof.
    destruct optimiser_is_covered as (y & small & maps). exists y. split.
    - intros j small_j. specialize (small j small_j). revert small. unfold_distances.
    - unfold g, embedded. apply (points_that_agree_have_one_value n S L); try assumption. apply projection_lands_in_the_box.
  Qed.

  (** f_star + eps_h = f(x_star) + L N r_h. *)
  Definition covered_threshold (h : nat) : R := f optimiser + L * N * circumradius k d radius h.

  Variable h : nat.
  Hypothesis h_at_most_h_max : (h <= h_max cfg)%nat.

  (** Claims [indexed-regret-bound] [coverage]. If A_0 covers the optimiser, the regret after S_h complete sweeps, and ever
      after, is at most L N r_(h+1). *)
  Theorem a_covered_optimum_is_approached_in_sweeps : forall m s,
    (S_ less_real oracle cfg covered_threshold h <= m)%nat ->
    exhausted cfg (run_for m start) = false -> steps less_real oracle cfg (run_for m start) s ->
    answer s - f optimiser <= L * N * circumradius k d radius (Datatypes.S h).
  Proof.
    intros m s enough left_over later. destruct a_covered_value_is_attained as (y & inside & value_is).
    unfold covered_threshold in enough. rewrite <- value_is in enough.
    pose proof (regret_of_the_indexed_policy_after_S_sweeps n S L f A radius cfg d_pos radius_pos L_is_nonnegative
      f_is_lipschitz N stretch y inside (f optimiser) h h_at_most_h_max m s enough left_over later) as regret.
    rewrite value_is in regret. lra.
  Qed.

  (** Claims [indexed-regret-bound] [coverage]. If A_0 covers the optimiser, a budget for all nodes of depth at most h makes
      the regret at most L N r_(h+1). *)
  Theorem a_covered_optimum_is_approached_within_a_budget : (0 < cap_den cfg)%Z ->
    (1 + K k * length (levels k h) * sum_of_gammas k d (Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
    answer hunt - f optimiser <= L * N * circumradius k d radius (Datatypes.S h).
  Proof.
    intros cap enough. destruct a_covered_value_is_attained as (y & inside & value_is).
    pose proof (regret_of_the_indexed_policy_within_a_budget_for_all_nodes n S L f A radius cfg d_pos radius_pos
      L_is_nonnegative f_is_lipschitz N stretch y inside (f optimiser) h h_at_most_h_max cap enough) as regret.
    rewrite value_is in regret. lra.
  Qed.

  End OneEmbedding.

  Section AnyEmbedding.

  (** Any embedding q and any point y of Y; N bounds the stretch of A_q, T that of A_0 - A_q. *)
  Variables (q : nat) (N T : R) (y : vector).
  Hypothesis stretch : stretches_by_at_most S d (A q) N.
  Hypothesis stretch_of_the_difference : stretches_by_at_most S d (fun i j => A 0%nat i j - A q i j) T.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  (** The paper's tau for embedding q: no base point is further than R sqrt d from the origin. *)
  Definition tau : R := L * T * (radius * sqrt (INR d)).

  Lemma base_points_have_bounded_norm : forall p, node k p ->
    Vectors.norm (coordinates d) (base_point k d radius p) <= radius * sqrt (INR d).
  Proof.
    intros p valid. pose proof (a_base_point_is_in_the_space k d radius d_pos radius_pos p valid) as inside.
    apply square_root_bound; [apply Rmult_le_pos; [lra | apply sqrt_pos]|].
    rewrite norm_squared, Rpow_mult_distr, <- (Rsqr_pow2 (sqrt _)), Rsqr_sqrt by apply pos_INR.
    rewrite Rmult_comm.
    replace (INR d) with (INR (length (coordinates d))) by (rewrite length_of_coordinates; reflexivity).
    unfold square_norm. rewrite <- sum_of_a_constant. apply sum_is_monotone. intros j member.
    apply in_coordinates in member. apply smaller_distance_smaller_square. rewrite (Rabs_right radius) by lra.
    specialize (inside j member). apply Rabs_le. lra.
  Qed.

  (** Claims [assumption-4] [indexed-regret-bound]. At every base point g_0 and g_q differ by at most
      tau = L T R sqrt d, T the stretch of A_0 - A_q. *)
  Theorem embeddings_differ_by_at_most_tau : forall p, node k p ->
    Rabs (g f A cfg 0 (base_point k d radius p) - g f A cfg q (base_point k d radius p)) <= tau.
  Proof.
    intros p valid. destruct stretch_of_the_difference as [T_nonneg bound].
    apply Rle_trans with (L * (T * Vectors.norm (coordinates d) (base_point k d radius p))).
    - apply square_root_bound.
      { repeat apply Rmult_le_pos; first [assumption | apply norm_is_nonnegative]. }
      rewrite square_of_absolute_value. unfold g.
      eapply Rle_trans; [apply (embedded_varies_at_most_as_the_images n S L); assumption|].
      rewrite Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0|].
      rewrite <- norm_squared. apply pow_incr. split; [apply norm_is_nonnegative|].
      eapply Rle_trans; [|apply bound]. apply norm_is_monotone. intros i _. right. f_equal.
      exact (image_of_a_difference (fun _ : unit => A 0%nat) (fun _ => A q) d _ tt i).
    - unfold tau. rewrite <- Rmult_assoc. apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|].
      apply base_points_have_bounded_norm. assumption.
  Qed.

  (** f_star + eps_h = g_q(y) + tau + L N r_h. *)
  Definition threshold_of_embedding (h : nat) : R := g f A cfg q y + tau + L * N * circumradius k d radius h.

  Lemma branch_of_a_point_is_optimal_for_any_embedding : forall h, exists c p,
    node k (c :: p) /\ length p = h /\ optimal_branch less_real oracle cfg threshold_of_embedding (c :: p).
  Proof.
    intros h.
    destruct (every_point_has_a_branch k d radius d_pos radius_pos (Datatypes.S h) y y_is_in_the_space)
      as (x & valid & depth & cells).
    destruct x as [|c p]; [discriminate|]. exists c, p.
    split; [assumption|]. split; [cbn in depth; lia|].
    intros x [more split]. apply at_most_is_below.
    assert (valid_x : node k x) by (unfold node in *; rewrite split in valid; apply Forall_app in valid; apply valid).
    pose proof (recorded_value_is_at_most_g_0 n S L f A radius cfg d_pos L_is_nonnegative f_is_lipschitz x) as first.
    pose proof (embeddings_differ_by_at_most_tau x valid_x) as close.
    pose proof (base_point_is_nearly_as_good_as_its_cell k d radius radius_pos n S L f (A q) N x y L_is_nonnegative
                  f_is_lipschitz stretch (cells more x split)) as near.
    unfold threshold_of_embedding, g in *. revert first close near. unfold_distances.
  Qed.

  Variables (f_star : R) (h : nat).
  Hypothesis h_at_most_h_max : (h <= h_max cfg)%nat.

  (** Claims [indexed-regret-bound] [theorem-2] [assumption-4]. For every embedding q and every y in Y: after S_h complete
      sweeps, and ever after, the regret is at most (g_q(y) - f_star) + tau + L N r_(h+1); S_h counts with these
      thresholds. *)
  Theorem regret_of_the_indexed_policy_by_any_embedding : forall m s,
    (S_ less_real oracle cfg threshold_of_embedding h <= m)%nat ->
    exhausted cfg (run_for m start) = false -> steps less_real oracle cfg (run_for m start) s ->
    answer s - f_star <= (g f A cfg q y - f_star) + tau + L * N * circumradius k d radius (Datatypes.S h).
  Proof.
    intros m s enough left_over later.
    destruct (branch_of_a_point_is_optimal_for_any_embedding h) as (c & p & valid & depth & optimal).
    pose proof (after_S_sweeps_the_answer_is_near_optimal less_real oracle cfg threshold_of_embedding
      real_values_are_totally_ordered h p c valid depth h_at_most_h_max optimal m s enough left_over later
      (Datatypes.S h) (Nat.le_refl _)) as near.
    apply at_most_is_below in near. unfold threshold_of_embedding in near. lra.
  Qed.

  End AnyEmbedding.

End CoveredOptimum.
