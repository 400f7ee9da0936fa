(** * An instance of Theorem 2 with two realisations, tau > 0 and the optimum at no base point. *)

From Coq Require Import Reals Rpower Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Paths SweepCosts RealValues Theorem2Real
  Geometry Norms Vectors Cells WellShaped Packing Theorem2Paper Instances.

Section TwoRealisations.

Variables (h_max v : nat).

(** K = 3, d = 1, Y = [-1, 1). *)
Local Notation settings_of_the_line := (interval h_max v).

(** The noise has the size of the finest cells. *)
Definition noise : R := third h_max.

(** Two realisations: the distance from 1/2, and the same with noise. *)
Definition noisy (w : bool) (y : vector) : R := (Rabs (y 0%nat - / 2) + (if w then 0 else noise))%R.
Definition one_half : vector := fun _ => (/ 2)%R.

(** Which realisation the n-th evaluation of a base point draws. *)
Variable draw : path -> nat -> bool.

Lemma noise_positive : (0 < noise)%R.
Proof. apply third_positive. Qed.

Lemma one_half_is_in_the_space : in_space 1 1 one_half.
Proof. intros j _. unfold one_half. lra. Qed.

(** 1/2 = 2 c / 3^h has no solution in integers. *)
Lemma the_optimum_is_at_no_base_point q : base_point 1 1 1 q 0 <> (/ 2)%R.
Proof.
  intros H. unfold base_point in H.
  pose proof (power_pos 1 (splits 1 (length q) 0)) as P. unfold power in *.
  destruct (pw_odd 1 (splits 1 (length q) 0)) as (c & E).
  assert (H1 : (4 * IZR (num 1 1 q 0) = IZR (pw 1 (splits 1 (length q) 0)))%R).
  { apply (f_equal (fun r => (2 * IZR (pw 1 (splits 1 (length q) 0)) * r)%R)) in H.
    field_simplify in H; lra. }
  rewrite <- mult_IZR in H1. apply eq_IZR in H1. rewrite E in H1. lia.
Qed.

(** The base point of a cell that holds 1/2 is at most half a cell away. *)
Lemma near_one_half q : in_cell 1 1 1 q one_half -> (Rabs (base_point 1 1 1 q 0%nat - / 2) <= third (length q))%R.
Proof.
  intros H. specialize (H 0 ltac:(lia)). unfold one_half in H.
  unfold third, inscribed_radius. rewrite (rounds_is 1 (le_n 1)). unfold base_point.
  pose proof (power_pos 1 (splits 1 (length q) 0)) as P.
  set (p := power 1 (splits 1 (length q) 0)) in *. set (c := IZR (num 1 1 q 0)) in *.
  assert (E : (2 * 1 * c / p - / 2 = (2 * c - p / 2) / p)%R) by (field; lra).
  rewrite E. unfold Rdiv at 1. rewrite Rabs_mult, (Rabs_pos_eq (/ p)) by (apply Rlt_le, Rinv_0_lt_compat, P).
  unfold Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, P|].
  apply Rabs_le. lra.
Qed.

(** At most three disjoint balls of radius eps/2 have their centers within eps of 1/2. *)
Lemma at_most_three_balls : near_optimality_dimension 1 1 (distance 1) (noisy true) 0 (1 / 2) 3 0 2.
Proof.
  intros eps Heps centers Hc Hd. rewrite Ropp_0, Rpower_O by lra.
  destruct centers as [|a rest]; [cbn; lra|].
  pose proof (disjoint_balls_on_the_line_are_few (1 / 2 * eps) (/ 2 - eps) (/ 2 + eps) (a :: rest) ltac:(lra) Hd) as F.
  assert ((INR (length (a :: rest)) - 1) * (2 * (1 / 2 * eps)) <= / 2 + eps - (/ 2 - eps))%R; [|nra].
  apply F; [discriminate|]. intros x Hx. destruct (Hc x Hx) as [_ G]. unfold noisy in G.
  assert (G' : (Rabs (x 0%nat - / 2) <= eps)%R) by lra. revert G'. unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

(** Claims [theorem-2] [assumption-2] [assumption-4] [eq-7].  The repaired assumptions of the paper have an instance with two
    realisations, tau > 0 and the optimum at no base point: K = 3, d = 1, |y - 1/2| and |y - 1/2| + tau with
    tau = 3^(-h_max) > 0, drawn in any way; the optimum is 1/2, delta(h) = 3^(-h), m = 1, m_hat = 2, C = 3, d_hat = 0.  With a
    budget of 1 + 3 * 3 (h + 1) (gamma_0 + ... + gamma_h_max) evaluations the answer is at most tau + 3^(-l), l <= h + 1. *)
Theorem theorem_2_has_an_instance_with_two_realisations h l :
  h <= h_max -> l <= S h ->
  (1 + 3 * (3 * INR (S h)) * INR (sum_of_gammas 1 1 (S h_max)) <= INR v)%R ->
  (answer (hunt less_real (oracle_of_realisations settings_of_the_line 1 noisy draw) settings_of_the_line)
     <= noise + third l)%R /\
  (0 < noise)%R /\ noisy true one_half = 0%R /\ (forall w y, 0 <= noisy w y)%R /\
  noisy false one_half <> noisy true one_half /\
  forall q, base_point 1 1 1 q 0 <> (/ 2)%R.
Proof.
  intros Hh Hl Hb. pose proof noise_positive as Hn.
  assert (Hpos : forall w y, (0 <= noisy w y)%R).
  { intros w y. unfold noisy. pose proof (Rabs_pos (y 0%nat - / 2)). destruct w; lra. }
  assert (Hhalf : noisy true one_half = 0%R).
  { unfold noisy, one_half. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra. }
  split; [|split; [exact Hn|split; [exact Hhalf|split; [exact Hpos|split; [|exact the_optimum_is_at_no_base_point]]]]].
  2:{ rewrite Hhalf. unfold noisy. pose proof (Rabs_pos (one_half 0%nat - / 2)). lra. }
  destruct lemma_2_has_an_instance as (Hw & _ & _).
  assert (H : (answer (hunt less_real (oracle_of_realisations settings_of_the_line 1 noisy draw) settings_of_the_line) - 0
    <= noise + third l)%R).
  { apply (theorem_2_in_evaluations_from_the_assumptions settings_of_the_line 1) with
      (tau := fun _ => noise) (m := 1%R) (m_hat := 2%R) (C := 3%R) (d_hat := 0%R) (eps_0 := 2%R) (ell := distance 1)
      (g_min := noisy true) (best_w := true) (y_star := one_half) (h := h); auto; try (cbn; lia); try lra.
    - intros w y y' E. unfold noisy. rewrite (E 0); [reflexivity|cbn; lia].
    - intros w y. unfold noisy. destruct w; lra.
    - apply one_half_is_in_the_space.
    - intros q Hq Hc _. cbn [half dimension interval] in *. pose proof (near_one_half q Hc). unfold noisy. lra.
    - intros q w _ _ _. unfold noisy.
      match goal with |- (Rabs ?e <= _)%R => assert (E : (e = if w then 0 else noise)%R) by (destruct w; lra); rewrite E end.
      destruct w; [rewrite Rabs_R0|rewrite Rabs_pos_eq]; lra.
    - intros. apply third_positive.
    - intros a b Hab. apply third_non_increasing. lia.
    - intros. lra.
    - change (Model.h_max settings_of_the_line) with h_max. unfold noise. lra.
    - apply at_most_three_balls.
    - assert (third 0 = 1%R).
      { unfold third, inscribed_radius. rewrite (rounds_is 1 (le_n 1)), (splits_0 1 (le_n 1)), power_0. lra. }
      lra.
    - rewrite sum_of_zeroth_powers by lra. replace (INR (K (half settings_of_the_line))) with 3%R by (cbn; lra). exact Hb. }
  lra.
Qed.

End TwoRealisations.
