(** * The integer norm is the Euclidean norm.

    Algorithm 1 compares Euclidean norms of real base points; the model computes with the integers
    [Nrm] (Lattice.v).  Here is the link: at one depth equal and larger integers are equal and larger
    norms, and the model's test of the cap is the test [n <= M ||y||] on real numbers. *)

From Coq Require Import List ZArith Reals Lra Lia Psatz.
From EmbeddedHunter Require Import Lattice Geometry Norms Vectors Cells.
Import ListNotations.
Local Open Scope R_scope.

Section NormIsEuclidean.
Variables k d : nat.
Variable radius : R.            (* the paper's d / eta *)
Hypothesis d_pos : (1 <= d)%nat.

Notation base_point := (base_point k d radius).
Notation power := (power k).
Notation euclidean_norm p := (norm (coordinates d) (base_point p)).

Lemma real_of_sum_below f n : IZR (sum_below n f) = sum (seq 0 n) (fun j => IZR (f j)).
Proof.
  induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, sum_of_an_append. cbn [sum_below Nat.add sum]. rewrite plus_IZR, IH. lra.
Qed.

(** A coordinate of the base point over the common denominator K^m, m = ceil (h / d). *)
Lemma coordinate_over_the_common_denominator p j :
  base_point p j = 2 * radius / power (rounds d (length p))
    * IZR (num k d p j * pw k (rounds d (length p) - splits d (length p) j)).
Proof.
  unfold Cells.base_point. rewrite mult_IZR.
  pose proof (pw_levels k d d_pos (length p) j) as E. apply (f_equal IZR) in E. rewrite mult_IZR in E.
  fold (power (rounds d (length p))) (power (splits d (length p) j)) in E. rewrite E.
  pose proof (power_pos k (splits d (length p) j)).
  pose proof (power_pos k (rounds d (length p) - splits d (length p) j)).
  fold (power (rounds d (length p) - splits d (length p) j)). field. lra.
Qed.

(** Claims [norms-of-depth] [norm-classes].  ||y||^2 = (2R)^2 Nrm / K^(2m), ||y|| the Euclidean norm of the real base
    point y of a node of depth h, m = ceil (h / d). *)
Theorem the_integer_norm_is_the_squared_Euclidean_norm p :
  euclidean_norm p ^ 2 = (2 * radius) ^ 2 * IZR (Nrm k d p) / power (rounds d (length p)) ^ 2.
Proof.
  rewrite norm_squared, (Nrm_is k d d_pos p), real_of_sum_below. unfold square_norm, coordinates.
  pose proof (power_pos k (rounds d (length p))) as P.
  transitivity ((2 * radius / power (rounds d (length p))) ^ 2
    * sum (seq 0 d) (fun j => IZR ((num k d p j * pw k (rounds d (length p) - splits d (length p) j)) ^ 2))).
  - rewrite <- sum_of_multiples. apply sum_of_equal_terms. intros j _.
    rewrite coordinate_over_the_common_denominator, Rpow_mult_distr. f_equal.
    rewrite Z.pow_2_r, (mult_IZR _ (_ * _)). cbn [pow]. lra.
  - field. lra.
Qed.

Hypothesis radius_pos : 0 < radius.

(** Claims [norms-of-depth] [norm-classes].  At one depth the larger Euclidean norm has the larger integer. *)
Theorem larger_integers_are_larger_Euclidean_norms p q : length p = length q ->
  ((Nrm k d p < Nrm k d q)%Z <-> euclidean_norm p < euclidean_norm q).
Proof.
  intros same_depth.
  pose proof (the_integer_norm_is_the_squared_Euclidean_norm p) as Ep.
  pose proof (the_integer_norm_is_the_squared_Euclidean_norm q) as Eq. rewrite <- same_depth in Eq.
  pose proof (power_pos k (rounds d (length p))) as P0. pose proof (pow_lt _ 2 P0) as P.
  set (c := (2 * radius) ^ 2 / power (rounds d (length p)) ^ 2).
  assert (C : 0 < c) by (apply Rdiv_lt_0_compat; [apply pow_lt; lra | exact P]).
  replace ((2 * radius) ^ 2 * IZR (Nrm k d p) / power (rounds d (length p)) ^ 2)
    with (c * IZR (Nrm k d p)) in Ep by (unfold c; field; lra).
  replace ((2 * radius) ^ 2 * IZR (Nrm k d q) / power (rounds d (length p)) ^ 2)
    with (c * IZR (Nrm k d q)) in Eq by (unfold c; field; lra).
  pose proof (norm_is_nonnegative (coordinates d) (base_point p)) as Np.
  pose proof (norm_is_nonnegative (coordinates d) (base_point q)) as Nq.
  split; intros H.
  - apply IZR_lt in H. apply Rnot_le_lt. intros L.
    assert (euclidean_norm q ^ 2 <= euclidean_norm p ^ 2) by (apply pow_incr; lra). nra.
  - apply lt_IZR. assert (euclidean_norm p ^ 2 < euclidean_norm q ^ 2) by nra. nra.
Qed.

(** Claims [norms-of-depth] [norm-classes].  At one depth equal Euclidean norms have equal integers: the classes of the
    model are those of the paper. *)
Corollary equal_integers_are_equal_Euclidean_norms p q : length p = length q ->
  (Nrm k d p = Nrm k d q <-> euclidean_norm p = euclidean_norm q).
Proof.
  intros same_depth.
  pose proof (larger_integers_are_larger_Euclidean_norms p q same_depth) as H1.
  pose proof (larger_integers_are_larger_Euclidean_norms q p (eq_sym same_depth)) as H2.
  split; intros E.
  - apply Rle_antisym; apply Rnot_lt_le; intros L; [apply H2 in L | apply H1 in L]; lia.
  - destruct (Z.lt_trichotomy (Nrm k d p) (Nrm k d q)) as [L|[->|L]]; [|reflexivity|];
      [apply H1 in L | apply H2 in L]; lra.
Qed.

(** Claim [evaluation-cap].  The cap in integers is the cap on real numbers: n <= M ||y||, for every M whose
    (2 R M)^2 is the fraction cap_num / cap_den. *)
Theorem the_integer_cap_is_M_times_the_Euclidean_norm (M : R) (cap_num cap_den : Z) n p :
  0 <= M -> (0 < cap_den)%Z -> IZR cap_num / IZR cap_den = (2 * radius * M) ^ 2 ->
  ((Z.of_nat n * Z.of_nat n * pw k (rounds d (length p)) ^ 2 * cap_den <= cap_num * Nrm k d p)%Z
   <-> INR n <= M * euclidean_norm p).
Proof.
  intros M_nonneg den_pos cap.
  pose proof (the_integer_norm_is_the_squared_Euclidean_norm p) as E.
  pose proof (norm_is_nonnegative (coordinates d) (base_point p)) as N.
  pose proof (power_pos k (rounds d (length p))) as P. unfold Cells.power in *.
  set (y := euclidean_norm p) in *. set (W := IZR (pw k (rounds d (length p)))) in *.
  apply IZR_lt in den_pos. pose proof (pos_INR n) as n_nonneg.
  assert (cap' : IZR cap_num = (2 * radius * M) ^ 2 * IZR cap_den) by (rewrite <- cap; field; lra).
  assert (E' : (2 * radius) ^ 2 * IZR (Nrm k d p) = y ^ 2 * W ^ 2) by (rewrite E; field; lra).
  assert (D : 0 < W ^ 2 * IZR cap_den) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra).
  assert (L : IZR (Z.of_nat n * Z.of_nat n * pw k (rounds d (length p)) ^ 2 * cap_den)
              = INR n ^ 2 * (W ^ 2 * IZR cap_den)).
  { rewrite Z.pow_2_r, !mult_IZR, <- INR_IZR_INZ. fold W. ring. }
  assert (G : IZR (cap_num * Nrm k d p) = (M * y) ^ 2 * (W ^ 2 * IZR cap_den)).
  { rewrite mult_IZR, cap'.
    transitivity (M ^ 2 * IZR cap_den * ((2 * radius) ^ 2 * IZR (Nrm k d p))); [ring|].
    rewrite E'. ring. }
  transitivity (INR n ^ 2 <= (M * y) ^ 2).
  - split; intros H.
    + apply IZR_le in H. rewrite L, G in H. now apply Rmult_le_reg_r in H.
    + apply le_IZR. rewrite L, G. apply Rmult_le_compat_r; lra.
  - assert (0 <= M * y) by (apply Rmult_le_pos; lra). split; intros H0.
    + now apply square_root_bound.
    + apply pow_incr. lra.
Qed.

End NormIsEuclidean.
