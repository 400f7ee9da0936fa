(** * Coverage: when does some y in Y = [-R, R]^d map onto the optimum?

    The paper: with probability at least 1 - eta, for R = d/eta and entries of variance 1/n.  Here: the exact event
    (no probability needed), the law for M independent matrices, and the proof that the printed probability is wrong:
    it tends to 0 as n grows, by second moments alone.  The exact Gaussian law is not formalised. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling.
Local Open Scope R_scope.

(** Some y of Y is mapped onto the optimiser x in the coordinates S that matter. *)
Definition covers (S : list nat) (d : nat) (radius : R) (B : matrix) (x : vector) : Prop :=
  exists y, (forall j, (j < d)%nat -> Rabs (y j) <= radius) /\
            forall i, In i S -> project (times d B y) i = x i.

(** ** The event, exactly *)

(** Claim [coverage]. A coordinate in the interior of [-1,1] is reached without clipping, or not at all. *)
Theorem interior_value_is_reached_only_unclipped : forall t x, -1 < x < 1 -> (clip t = x <-> t = x).
Proof.
  intros t x inside. split; intros reached.
  - revert reached. unfold_clip.
  - subst. apply clip_is_the_identity_inside. lra.
Qed.

(** Claim [coverage]. An interior optimiser x is covered iff B y = x has a solution in Y. *)
Theorem interior_optimum_is_covered_iff_solvable : forall S d radius B x,
  (forall i, In i S -> -1 < x i < 1) ->
  (covers S d radius B x <->
   exists y, (forall j, (j < d)%nat -> Rabs (y j) <= radius) /\ forall i, In i S -> times d B y i = x i).
Proof.
  intros S d radius B x inside.
  split; intros (y & small & maps); exists y; (split; [assumption|]); intros i member;
    apply (interior_value_is_reached_only_unclipped _ _ (inside i member)); apply maps; assumption.
Qed.

(** Claim [coverage]. When the block B of the effective rows is square and invertible (d = d_e), the interior optimiser
    x is covered iff its only preimage C x, C the inverse of B, lies in Y. *)
Theorem coverage_of_an_invertible_block : forall d radius B C x,
  (forall i, (i < d)%nat -> -1 < x i < 1) ->
  (forall y j, (j < d)%nat -> times d C (times d B y) j = y j) ->
  (forall z i, (i < d)%nat -> times d B (times d C z) i = z i) ->
  (covers (coordinates d) d radius B x <-> forall j, (j < d)%nat -> Rabs (times d C x j) <= radius).
Proof.
  intros d radius B C x inside left right.
  rewrite interior_optimum_is_covered_iff_solvable by (intros i member; apply inside, in_coordinates; assumption).
  split.
  - intros (y & small & maps) j small_j.
    replace (times d C x j) with (y j); [apply small; assumption|].
    rewrite <- (left y j small_j). apply sum_of_equal_terms. intros i member. rewrite maps by assumption. reflexivity.
  - intros small. exists (times d C x). split; [assumption|].
    intros i member. apply right. apply in_coordinates. assumption.
Qed.

(** Claim [coverage]. In dimension d = d_e = 1 the interior optimiser x is covered iff |x| <= |b| R. *)
Theorem coverage_in_dimension_one : forall radius B x, 0 <= radius -> -1 < x 0%nat < 1 ->
  (covers (coordinates 1) 1 radius B x <-> Rabs (x 0%nat) <= Rabs (B 0%nat 0%nat) * radius).
Proof.
  intros radius B x positive inside.
  rewrite interior_optimum_is_covered_iff_solvable
    by (intros i member; apply in_coordinates in member; replace i with 0%nat by lia; assumption).
  assert (image : forall y, times 1 B y 0%nat = B 0%nat 0%nat * y 0%nat)
    by (intros; unfold times; cbn [coordinates seq sum]; ring).
  split.
  - intros (y & small & maps). rewrite <- (maps 0%nat) by (left; reflexivity). rewrite image, Rabs_mult.
    apply Rmult_le_compat_l; [apply Rabs_pos | apply small; lia].
  - intros enough. destruct (Req_dec (B 0%nat 0%nat) 0) as [zero | other].
    + rewrite zero, Rabs_R0, Rmult_0_l in enough. exists (fun _ => 0). split.
      * intros. rewrite Rabs_R0. assumption.
      * intros i member. apply in_coordinates in member. replace i with 0%nat by lia. rewrite image, zero.
        pose proof (Rabs_pos (x 0%nat)).
        destruct (Req_dec (x 0%nat) 0) as [null | nonzero]; [lra|]. apply Rabs_no_R0 in nonzero. lra.
    + exists (fun _ => x 0%nat / B 0%nat 0%nat). split.
      * intros j _. unfold Rdiv. rewrite Rabs_mult, Rabs_inv.
        assert (0 < Rabs (B 0%nat 0%nat)) by (apply Rabs_pos_lt; assumption).
        apply (Rmult_le_reg_r (Rabs (B 0%nat 0%nat))); [assumption|].
        replace (Rabs (x 0%nat) * / Rabs (B 0%nat 0%nat) * Rabs (B 0%nat 0%nat)) with (Rabs (x 0%nat)) by (field; lra).
        lra.
      * intros i member. apply in_coordinates in member. replace i with 0%nat by lia. rewrite image. field. assumption.
Qed.

(** Claim [n-invariance]. Coverage depends on the scale of the matrix and on R through their product alone: a matrix
    c times as large with a box 1/c as large covers the same optimisers. *)
Theorem coverage_depends_on_scale_times_radius : forall S d radius c B x, 0 < c ->
  (covers S d radius (fun i j => c * B i j) x <-> covers S d (c * radius) B x).
Proof.
  intros S d radius c B x positive.
  split; intros (y & small & maps); [exists (fun j => c * y j) | exists (fun j => y j / c)]; split.
  - intros j small_j. rewrite Rabs_mult, (Rabs_right c) by lra. apply Rmult_le_compat_l; [lra | auto].
  - intros i member. rewrite <- maps by assumption. unfold project. f_equal.
    apply sum_of_equal_terms. intros. ring.
  - intros j small_j. unfold Rdiv. rewrite Rabs_mult, Rabs_inv, (Rabs_right c) by lra.
    specialize (small j small_j). apply (Rmult_le_reg_l c); [assumption|].
    replace (c * (Rabs (y j) * / c)) with (Rabs (y j)) by (field; lra). assumption.
  - intros i member. rewrite <- maps by assumption. unfold project. f_equal.
    apply sum_of_equal_terms. intros. field. lra.
Qed.

(** ** Only a large matrix covers *)

(** Claim [coverage]. If x is covered, clipped coordinates or not, then ||x||^2 <= d R^2 ||B||_F^2. *)
Theorem only_a_large_matrix_covers : forall S d radius B x, 0 <= radius ->
  covers S d radius B x -> square_norm S x <= INR d * radius ^ 2 * square_frobenius S d B.
Proof.
  intros S d radius B x positive (y & small & maps).
  apply Rle_trans with (square_norm S (times d B y)).
  - apply square_norm_is_monotone. intros i member. rewrite <- maps by assumption.
    apply clip_never_moves_away_from_zero.
  - eapply Rle_trans; [apply matrix_stretches_by_at_most_frobenius|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; [apply square_frobenius_is_nonnegative|].
    unfold square_norm.
    replace (INR d * radius ^ 2) with (INR (length (coordinates d)) * radius ^ 2)
      by (rewrite length_of_coordinates; reflexivity).
    rewrite <- sum_of_a_constant. apply sum_is_monotone.
    intros j member. apply in_coordinates in member. apply smaller_distance_smaller_square.
    rewrite (Rabs_right radius) by lra. apply small. assumption.
Qed.

Section SecondMoments.

  Context {Omega : Type} (P : expectation Omega) (S : list nat) (d : nat) (s radius : R) (B : Omega -> matrix).
  Variable x : vector.
  Hypothesis radius_is_nonnegative : 0 <= radius.

  (** The entries have second moment at most s (for the paper's matrices, s = 1/n). *)
  Hypothesis second_moments : forall i j, In i S -> (j < d)%nat ->
    integrable P (fun w => B w i j ^ 2) /\ E P (fun w => B w i j ^ 2) <= s.

  Lemma mean_square_frobenius :
    integrable P (fun w => square_frobenius S d (B w)) /\
    E P (fun w => square_frobenius S d (B w)) <= INR (length S) * (INR d * s).
  Proof.
    destruct (double_sum P nat nat S (coordinates d) (fun i j w => B w i j ^ 2)) as [random value].
    { intros i j member small. apply in_coordinates in small. apply second_moments; assumption. }
    cbn beta in random, value. split; [exact random|]. unfold square_frobenius. rewrite value, <- sum_of_a_constant.
    apply sum_is_monotone. intros i member.
    replace (INR d) with (INR (length (coordinates d))) by (rewrite length_of_coordinates; reflexivity).
    rewrite <- sum_of_a_constant. apply sum_is_monotone. intros j small. apply in_coordinates in small.
    apply second_moments; assumption.
  Qed.

  (** Claim [coverage]. The probability of any event on which x is covered is at most
      d_e d^2 s R^2 / ||x||^2. *)
  Theorem coverage_probability_is_at_most : forall event : Omega -> bool,
    integrable P (fun w => if event w then 1 else 0) ->
    (forall w, event w = true -> covers S d radius (B w) x) ->
    square_norm S x * probability P event <= INR (length S) * INR d ^ 2 * s * radius ^ 2.
  Proof.
    intros event random covered. destruct mean_square_frobenius as [integrable_norm mean_norm].
    assert (positive : 0 <= INR d * radius ^ 2)
      by (apply Rmult_le_pos; [apply pos_INR | apply pow2_ge_0]).
    apply Rle_trans with (E P (fun w => (INR d * radius ^ 2) * square_frobenius S d (B w))).
    - apply markov; [assumption | apply multiple_is_integrable; assumption | |].
      + intros w. apply Rmult_le_pos; [assumption | apply square_frobenius_is_nonnegative].
      + intros w happens. apply only_a_large_matrix_covers; auto.
    - rewrite E_of_multiple by assumption.
      replace (INR (length S) * INR d ^ 2 * s * radius ^ 2)
        with ((INR d * radius ^ 2) * (INR (length S) * (INR d * s))) by ring.
      apply Rmult_le_compat_l; assumption.
  Qed.

End SecondMoments.

(** ** The printed coverage claim is refuted *)

(** Claim [coverage]. With variance 1/n and R = d/eta the coverage probability tends to 0: for every eta, d, S and
    optimiser x other than 0 there is an n_0 from which on it is below 1 - eta, whatever the law of the matrix. *)
Theorem printed_coverage_fails_for_large_n : forall (S : list nat) (d : nat) (eta : R) (x : vector),
  0 < eta < 1 -> 0 < square_norm S x ->
  exists n_0, forall n, (n_0 <= n)%nat -> (0 < n)%nat /\
  forall (Omega : Type) (P : expectation Omega) (B : Omega -> matrix) (event : Omega -> bool),
  (forall i j, In i S -> (j < d)%nat ->
     integrable P (fun w => B w i j ^ 2) /\ E P (fun w => B w i j ^ 2) <= / INR n) ->
  integrable P (fun w => if event w then 1 else 0) ->
  (forall w, event w = true -> covers S d (INR d / eta) (B w) x) ->
  probability P event < 1 - eta.
Proof.
  intros S d eta x range nonzero.
  set (c := INR (length S) * INR d ^ 2 * (INR d / eta) ^ 2).
  assert (c_nonneg : 0 <= c).
  { unfold c. apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | apply pow2_ge_0] | apply pow2_ge_0]. }
  set (limit := c / (square_norm S x * (1 - eta))).
  assert (scale : 0 < square_norm S x * (1 - eta)) by (apply Rmult_lt_0_compat; lra).
  assert (limit_nonneg : 0 <= limit) by (apply Rmult_le_pos; [assumption | apply Rlt_le, Rinv_0_lt_compat; assumption]).
  destruct (archimed limit) as [above _].
  set (n_0 := Z.to_nat (up limit)).
  assert (value : INR n_0 = IZR (up limit)).
  { unfold n_0. rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity|]. apply le_IZR. lra. }
  rewrite <- value in above. assert (0 < INR n_0) by lra.
  exists n_0. intros n large. apply le_INR in large.
  assert (n_pos : 0 < INR n) by lra.
  split; [apply INR_lt; simpl; lra|].
  intros Omega P B event moments random covered.
  assert (0 <= INR d / eta)
    by (apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, Rinv_0_lt_compat; lra]).
  pose proof (coverage_probability_is_at_most P S d (/ INR n) (INR d / eta) B x ltac:(assumption) moments
                event random covered) as bound.
  replace (INR (length S) * INR d ^ 2 * / INR n * (INR d / eta) ^ 2) with (c * / INR n) in bound
    by (unfold c; ring).
  apply (Rmult_lt_reg_l (square_norm S x)); [assumption|].
  eapply Rle_lt_trans; [exact bound|].
  apply (Rmult_lt_reg_r (INR n)); [assumption|].
  replace (c * / INR n * INR n) with c by (field; lra).
  replace c with (limit * (square_norm S x * (1 - eta))) by (unfold limit; field; lra).
  rewrite (Rmult_comm _ (INR n)). apply Rmult_lt_compat_r; [assumption | lra].
Qed.

(** Claim [coverage]. In numbers: d = d_e = 10, eta = 3/10 and an optimiser at 0.4634 in every coordinate (Ackley's
    and the Ellipsoid's in the paper): the claim is 0.7; for n = 10^6 the probability is at most 0.52. *)
Theorem printed_coverage_fails_at_one_million :
  forall (Omega : Type) (P : expectation Omega) (B : Omega -> matrix) (event : Omega -> bool),
  (forall i j, In i (coordinates 10) -> (j < 10)%nat ->
     integrable P (fun w => B w i j ^ 2) /\ E P (fun w => B w i j ^ 2) <= / 1000000) ->
  integrable P (fun w => if event w then 1 else 0) ->
  (forall w, event w = true -> covers (coordinates 10) 10 (10 / (3 / 10)) (B w) (fun _ => 4634 / 10000)) ->
  probability P event <= 52 / 100.
Proof.
  intros Omega P B event moments random covered.
  pose proof (coverage_probability_is_at_most P (coordinates 10) 10 (/ 1000000) (10 / (3 / 10)) B
                (fun _ => 4634 / 10000) ltac:(lra) moments event random covered) as bound.
  unfold square_norm in bound. rewrite sum_of_a_constant, length_of_coordinates in bound.
  replace (INR 10) with 10 in bound by (simpl; lra). lra.
Qed.

(** ** In dimension 1 the claim holds for entries of unit scale *)

(** ** Several embeddings *)

(** Claims [coverage] [multiple-run-success] [forest-coverage]. M independent matrices, each of which covers the optimiser with
    probability p: some of them does with probability exactly 1 - (1 - p)^M. *)
Theorem independent_embeddings_cover_with_probability :
  forall (Matrix : Type) (P : expectation Matrix) (covered : Matrix -> bool) (M : nat),
  integrable P (fun A => if covered A then 1 else 0) ->
  mean_of_run (fun _ : unit => P) M (fun _ => tt) (ever covered) = 1 - (1 - probability P covered) ^ M.
Proof.
  intros Matrix P covered M random.
  apply (constant_rule_attains_the_ceiling (fun _ : unit => P) covered (fun _ => random) tt).
Qed.
