(** * Theorem 1 from second moments

    The mean variation E|g_p(y) - g_q(y)| between two random embeddings of one point y.  The paper bounds it by
    sqrt 8 L ||y|| through the operator norm of A_p - A_q.  Here y stays fixed, and second moments are enough: no
    Gaussian law, no independence of entries or rows. *)

From Coq Require Import Reals FunctionalExtensionality Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation.
Local Open Scope R_scope.

(** The rows S of the random matrix D (d columns) have entries of second moment at most s, and products of two
    entries of a row have mean 0: so it is when they are uncorrelated and have mean 0. *)
Definition uncorrelated_rows {Omega} (P : expectation Omega) (S : list nat) (d : nat) (s : R)
    (D : Omega -> matrix) : Prop :=
  forall i j k, In i S -> (j < d)%nat -> (k < d)%nat ->
  integrable P (fun w => D w i j * D w i k) /\
  if Nat.eqb j k then E P (fun w => D w i j * D w i k) <= s else E P (fun w => D w i j * D w i k) = 0.

(** No entry of a row of A is correlated with an entry of the same row of B; so it is when A and B are
    independent and centred. *)
Definition uncorrelated_with_each_other {Omega} (P : expectation Omega) (S : list nat) (d : nat)
    (A B : Omega -> matrix) : Prop :=
  forall i j k, In i S -> (j < d)%nat -> (k < d)%nat ->
  integrable P (fun w => A w i j * B w i k) /\ E P (fun w => A w i j * B w i k) = 0.

Definition difference {Omega} (A B : Omega -> matrix) : Omega -> matrix := fun w i j => A w i j - B w i j.

(** g_p(y) - g_q(y), a random variable. *)
Definition variation {Omega} (f : vector -> R) (d : nat) (A B : Omega -> matrix) (y : vector) : Omega -> R :=
  fun w => embedded f d (A w) y - embedded f d (B w) y.

(** The variation is a random variable with a mean and a mean square. *)
Definition has_a_mean_square {Omega} (P : expectation Omega) (X : Omega -> R) : Prop :=
  integrable P (fun w => Rabs (X w)) /\ integrable P (fun w => X w ^ 2).

Section SecondMoments.

  Context {Omega : Type} (P : expectation Omega) (S : list nat) (d : nat).

  Lemma square_of_a_product : forall (D : matrix) y i,
    times d D y i ^ 2
    = sum (coordinates d) (fun j => sum (coordinates d) (fun k => (y j * y k) * (D i j * D i k))).
  Proof.
    intros. unfold times.
    rewrite <- Rsqr_pow2. unfold Rsqr. rewrite product_of_sums.
    apply sum_of_equal_terms. intros j _. apply sum_of_equal_terms. intros k _. ring.
  Qed.

  Variables (s : R) (D : Omega -> matrix).
  Hypothesis rows : uncorrelated_rows P S d s D.

  (** E (D y)_i^2 exists and is at most s ||y||^2. *)
  Lemma mean_square_of_an_image : forall y i, In i S ->
    integrable P (fun w => times d (D w) y i ^ 2) /\
    E P (fun w => times d (D w) y i ^ 2) <= s * square_norm (coordinates d) y.
  Proof.
    intros y i inside.
    destruct (double_sum P nat nat (coordinates d) (coordinates d) (fun j k w => (y j * y k) * (D w i j * D w i k)))
      as [random value].
    { intros j k small_j small_k. apply in_coordinates in small_j, small_k.
      apply (multiple_is_integrable P (y j * y k) (fun w => D w i j * D w i k)). apply rows; assumption. }
    cbn beta in random, value.
    split; [eapply integrable_same; [intros w; symmetry; apply square_of_a_product | exact random]|].
    rewrite (E_same _ P _ _ (fun w => square_of_a_product (D w) y i)), value.
    unfold square_norm. rewrite <- sum_of_multiples. apply sum_is_monotone. intros j inside_j.
    assert (small_j := inside_j). apply in_coordinates in small_j.
    rewrite (sum_of_equal_terms nat (coordinates d) _
               (fun k => if Nat.eqb j k then (y j * y k) * E P (fun w => D w i j * D w i k) else 0)).
    - rewrite (sum_of_a_diagonal (coordinates d) (fun k => (y j * y k) * E P (fun w => D w i j * D w i k)));
        [| apply coordinates_are_distinct | assumption].
      destruct (rows i j j inside small_j small_j) as [_ moment]. rewrite Nat.eqb_refl in moment.
      replace (y j * y j) with (y j ^ 2) by ring. pose proof (pow2_ge_0 (y j)). nra.
    - intros k small_k. apply in_coordinates in small_k.
      destruct (rows i j k inside small_j small_k) as [ok moment].
      rewrite (E_of_multiple P (y j * y k) (fun w => D w i j * D w i k)) by assumption.
      destruct (Nat.eqb j k); [reflexivity | rewrite moment; lra].
  Qed.

  Lemma square_norm_of_an_image_is_integrable : forall y,
    integrable P (fun w => square_norm S (times d (D w) y)).
  Proof.
    intros y. apply (sum_is_integrable P nat S (fun i w => times d (D w) y i ^ 2)).
    intros. apply mean_square_of_an_image. assumption.
  Qed.

  (** E ||D y||^2 <= |S| s ||y||^2. *)
  Lemma mean_square_norm_of_an_image : forall y,
    E P (fun w => square_norm S (times d (D w) y))
    <= INR (length S) * s * square_norm (coordinates d) y.
  Proof.
    intros y. unfold square_norm at 1.
    rewrite (E_of_sum P nat S (fun i w => times d (D w) y i ^ 2)) by (intros; apply mean_square_of_an_image; assumption).
    rewrite Rmult_assoc, <- sum_of_a_constant. apply sum_is_monotone. intros. apply mean_square_of_an_image. assumption.
  Qed.

End SecondMoments.

Lemma image_of_a_difference : forall {Omega} (A B : Omega -> matrix) d y w i,
  minus (times d (A w) y) (times d (B w) y) i = times d (difference A B w) y i.
Proof.
  intros. unfold minus, times, difference.
  replace (sum (coordinates d) (fun j => A w i j * y j) - sum (coordinates d) (fun j => B w i j * y j))
    with (sum (coordinates d) (fun j => A w i j * y j) + -1 * sum (coordinates d) (fun j => B w i j * y j)) by lra.
  rewrite <- sum_of_multiples, <- sum_of_sums. apply sum_of_equal_terms. intros. lra.
Qed.

(** From a mean square to a mean. *)
Lemma mean_from_mean_square : forall {Omega} (P : expectation Omega) X c,
  has_a_mean_square P X -> 0 <= c -> E P (fun w => X w ^ 2) <= c ^ 2 -> E P (fun w => Rabs (X w)) <= c.
Proof.
  intros Omega P X c [i1 i2] positive bound. apply square_root_bound; [assumption|].
  eapply Rle_trans; [apply square_of_mean_below_mean_square; assumption | assumption].
Qed.

Section Theorem1.

  Context {Omega : Type} (P : expectation Omega).
  Variables (n d : nat) (S : list nat) (L : R) (f : vector -> R) (A_p A_q : Omega -> matrix) (y : vector).
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.
  Hypothesis random_variable : has_a_mean_square P (variation f d A_p A_q y).

  (** Claim [theorem-1]. Theorem 1 in mean square: when the rows of A_p - A_q have uncorrelated entries of second moment
      at most s, E (g_p(y) - g_q(y))^2 <= L^2 |S| s ||y||^2, S the coordinates on which f depends. *)
  Theorem mean_square_variation_from_second_moments : forall s,
    uncorrelated_rows P S d s (difference A_p A_q) ->
    E P (fun w => variation f d A_p A_q y w ^ 2)
    <= L ^ 2 * (INR (length S) * s * square_norm (coordinates d) y).
  Proof.
    intros s rows. destruct random_variable as [_ square].
    eapply Rle_trans;
      [| apply Rmult_le_compat_l;
         [apply pow2_ge_0 | apply (mean_square_norm_of_an_image P S d s (difference A_p A_q) rows)]].
    rewrite <- E_of_multiple by (eapply square_norm_of_an_image_is_integrable; eassumption).
    apply E_is_monotone; [assumption | |].
    - apply (multiple_is_integrable P (L ^ 2) (fun w => square_norm S (times d (difference A_p A_q w) y))).
      eapply square_norm_of_an_image_is_integrable; eassumption.
    - intros w. unfold variation.
      eapply Rle_trans; [apply (embedded_varies_at_most_as_the_images n S L); assumption|].
      apply Rmult_le_compat_l; [apply pow2_ge_0|]. right. apply sum_of_equal_terms. intros i _.
      rewrite image_of_a_difference. reflexivity.
  Qed.

  (** Claim [theorem-1]. Theorem 1 in general: under the same hypotheses E|g_p(y) - g_q(y)| <= sqrt(|S| s) L ||y||. *)
  Theorem mean_variation_from_second_moments : forall s, 0 <= s ->
    uncorrelated_rows P S d s (difference A_p A_q) ->
    E P (fun w => Rabs (variation f d A_p A_q y w))
    <= sqrt (INR (length S) * s) * L * norm (coordinates d) y.
  Proof.
    intros s positive rows. apply mean_from_mean_square; [assumption | |].
    - apply Rmult_le_pos; [apply Rmult_le_pos; [apply sqrt_pos | assumption] | apply norm_is_nonnegative].
    - eapply Rle_trans; [apply mean_square_variation_from_second_moments; eassumption|].
      rewrite !Rpow_mult_distr, norm_squared, <- (Rsqr_pow2 (sqrt _)), Rsqr_sqrt;
        [lra | apply Rmult_le_pos; [apply pos_INR | assumption]].
  Qed.

  (** When each of A_p, A_q has uncorrelated entries of second moment at most s in its rows, and the two are
      uncorrelated with each other, the rows of A_p - A_q have uncorrelated entries of second moment at most 2s. *)
  Lemma difference_has_uncorrelated_rows : forall s,
    uncorrelated_rows P S d s A_p -> uncorrelated_rows P S d s A_q ->
    uncorrelated_with_each_other P S d A_p A_q ->
    uncorrelated_rows P S d (2 * s) (difference A_p A_q).
  Proof.
    intros s rows_p rows_q cross i j k inside small_j small_k.
    destruct (rows_p i j k inside small_j small_k) as [int_p moment_p].
    destruct (rows_q i j k inside small_j small_k) as [int_q moment_q].
    destruct (cross i j k inside small_j small_k) as [int_jk moment_jk].
    destruct (cross i k j inside small_k small_j) as [int_kj moment_kj].
    set (X := fun w => 1 * (1 * (A_p w i j * A_p w i k) + 1 * (A_q w i j * A_q w i k))
                       + -1 * (1 * (A_p w i j * A_q w i k) + 1 * (A_p w i k * A_q w i j))).
    assert (same : forall w, X w = difference A_p A_q w i j * difference A_p A_q w i k)
      by (intros; unfold X, difference; ring).
    assert (int_1 : integrable P (fun w => 1 * (A_p w i j * A_p w i k) + 1 * (A_q w i j * A_q w i k)))
      by (apply integrable_linear; assumption).
    assert (int_2 : integrable P (fun w => 1 * (A_p w i j * A_q w i k) + 1 * (A_p w i k * A_q w i j)))
      by (apply integrable_linear; assumption).
    assert (int_X : integrable P X) by (unfold X;
      apply (integrable_linear _ P 1 (-1)
        (fun w => 1 * (A_p w i j * A_p w i k) + 1 * (A_q w i j * A_q w i k))
        (fun w => 1 * (A_p w i j * A_q w i k) + 1 * (A_p w i k * A_q w i j))); assumption).
    assert (value : E P X = E P (fun w => A_p w i j * A_p w i k) + E P (fun w => A_q w i j * A_q w i k)).
    { unfold X. rewrite (E_linear _ P 1 (-1)
        (fun w => 1 * (A_p w i j * A_p w i k) + 1 * (A_q w i j * A_q w i k))
        (fun w => 1 * (A_p w i j * A_q w i k) + 1 * (A_p w i k * A_q w i j))) by assumption.
      rewrite !E_linear by assumption. lra. }
    split; [eapply integrable_same; eassumption|].
    rewrite <- (E_same _ P X) by assumption. rewrite value.
    destruct (Nat.eqb j k); lra.
  Qed.

  (** Claim [theorem-1]. Theorem 1 with d_e effective coordinates: for entries of mean 0 and variance 1/n, uncorrelated,
      E|g_p(y) - g_q(y)| <= sqrt(2 d_e / n) L ||y||. *)
  Theorem theorem_1_with_effective_coordinates : (0 < n)%nat ->
    uncorrelated_rows P S d (/ INR n) A_p -> uncorrelated_rows P S d (/ INR n) A_q ->
    uncorrelated_with_each_other P S d A_p A_q ->
    E P (fun w => Rabs (variation f d A_p A_q y w))
    <= sqrt (2 * INR (length S) / INR n) * L * norm (coordinates d) y.
  Proof.
    intros some rows_p rows_q cross.
    assert (0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; assumption).
    replace (2 * INR (length S) / INR n) with (INR (length S) * (2 * / INR n)) by (unfold Rdiv; ring).
    apply mean_variation_from_second_moments; [lra|].
    apply difference_has_uncorrelated_rows; assumption.
  Qed.

  (** Claim [theorem-1]. With no assumption at all on the joint law of A_p and A_q (not even independence), and d_e
      effective coordinates: E|g_p(y) - g_q(y)| <= 2 sqrt(d_e / n) L ||y||. *)
  Theorem theorem_1_without_independence_with_effective_coordinates : (0 < n)%nat ->
    uncorrelated_rows P S d (/ INR n) A_p -> uncorrelated_rows P S d (/ INR n) A_q ->
    E P (fun w => Rabs (variation f d A_p A_q y w))
    <= 2 * sqrt (INR (length S) / INR n) * L * norm (coordinates d) y.
  Proof.
    intros some rows_p rows_q.
    assert (inverse : 0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; assumption).
    assert (ratio : 0 <= INR (length S) / INR n) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    assert (int_p := square_norm_of_an_image_is_integrable P S d _ A_p rows_p y).
    assert (int_q := square_norm_of_an_image_is_integrable P S d _ A_q rows_q y).
    assert (mean_p := mean_square_norm_of_an_image P S d _ A_p rows_p y).
    assert (mean_q := mean_square_norm_of_an_image P S d _ A_q rows_q y).
    apply mean_from_mean_square; [assumption | |].
    { repeat apply Rmult_le_pos; first [lra | apply sqrt_pos | apply norm_is_nonnegative]. }
    set (Y := fun w => (2 * L ^ 2) * square_norm S (times d (A_p w) y)
                       + (2 * L ^ 2) * square_norm S (times d (A_q w) y)).
    apply Rle_trans with (E P Y).
    - destruct random_variable as [_ square].
      apply E_is_monotone; [assumption | apply integrable_linear; assumption |].
      intros w. unfold variation, Y.
      eapply Rle_trans; [apply (embedded_varies_at_most_as_the_images n S L); assumption|].
      rewrite <- Rmult_plus_distr_l, (Rmult_comm 2), Rmult_assoc.
      apply Rmult_le_compat_l; [apply pow2_ge_0|].
      unfold square_norm. rewrite <- sum_of_sums, <- sum_of_multiples. apply sum_is_monotone.
      intros i _. unfold minus. pose proof (pow2_ge_0 (times d (A_p w) y i + times d (A_q w) y i)). nra.
    - unfold Y. rewrite E_linear by assumption.
      rewrite !Rpow_mult_distr, norm_squared, <- (Rsqr_pow2 (sqrt _)), Rsqr_sqrt by assumption.
      pose proof (pow2_ge_0 L). unfold Rdiv. nra.
  Qed.

End Theorem1.

Section Theorem1InAllCoordinates.

  (** Nothing is known of f but its Lipschitz constant: S is all of the n coordinates. *)
  Context {Omega : Type} (P : expectation Omega).
  Variables (n d : nat) (L : R) (f : vector -> R) (A_p A_q : Omega -> matrix) (y : vector).
  Hypothesis some_coordinate : (0 < n)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n (coordinates n) L f.
  Hypothesis random_variable : has_a_mean_square P (variation f d A_p A_q y).
  Hypothesis rows_p : uncorrelated_rows P (coordinates n) d (/ INR n) A_p.
  Hypothesis rows_q : uncorrelated_rows P (coordinates n) d (/ INR n) A_q.

  (** Claim [theorem-1]. Theorem 1 with the constant sqrt 2: E|g_p(y) - g_q(y)| <= sqrt 2 L ||y||. *)
  Theorem theorem_1_with_sqrt_2 :
    uncorrelated_with_each_other P (coordinates n) d A_p A_q ->
    E P (fun w => Rabs (variation f d A_p A_q y w)) <= sqrt 2 * L * norm (coordinates d) y.
  Proof.
    intros cross. assert (0 < INR n) by (apply lt_0_INR; assumption).
    replace 2 with (2 * INR (length (coordinates n)) / INR n)
      by (rewrite length_of_coordinates; field; lra).
    eapply theorem_1_with_effective_coordinates; eassumption.
  Qed.

  (** Claim [theorem-1]. Theorem 1 with the constant 2 and no assumption on the joint law of A_p and A_q:
      E|g_p(y) - g_q(y)| <= 2 L ||y||. *)
  Theorem theorem_1_without_independence :
    E P (fun w => Rabs (variation f d A_p A_q y w)) <= 2 * L * norm (coordinates d) y.
  Proof.
    assert (0 < INR n) by (apply lt_0_INR; assumption).
    replace 2 with (2 * sqrt (INR (length (coordinates n)) / INR n)).
    - eapply theorem_1_without_independence_with_effective_coordinates; eassumption.
    - rewrite length_of_coordinates. replace (INR n / INR n) with 1 by (field; lra). rewrite sqrt_1. lra.
  Qed.

  (** Claims [theorem-1] [conclusion-proportional]. Theorem 1 as it is printed, E|g_p(y) - g_q(y)| <= sqrt 8 L ||y||; it
      needs no independence of A_p and A_q. *)
  Theorem theorem_1_as_printed :
    E P (fun w => Rabs (variation f d A_p A_q y w)) <= sqrt 8 * L * norm (coordinates d) y.
  Proof.
    eapply Rle_trans; [apply theorem_1_without_independence|].
    apply Rmult_le_compat_r; [apply norm_is_nonnegative|]. apply Rmult_le_compat_r; [assumption|].
    rewrite <- (sqrt_square 2) by lra. apply sqrt_le_1_alt. lra.
  Qed.

End Theorem1InAllCoordinates.

(** Claims [theorem-1] [zero-vector-once]. The zero vector has no variation: every matrix gives it the same value, whatever f is. *)
Theorem zero_vector_has_the_same_value_for_every_matrix : forall f d A A' zero,
  (forall j, (j < d)%nat -> zero j = 0) -> embedded f d A zero = embedded f d A' zero.
Proof.
  intros f d A A' zero is_zero.
  assert (image : forall B i, times d B zero i = 0).
  { intros. unfold times. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
    - rewrite sum_of_a_constant. lra.
    - intros j small. apply in_coordinates in small. rewrite is_zero by assumption. lra. }
  unfold embedded. f_equal. f_equal. apply functional_extensionality. intros i. now rewrite !image.
Qed.
