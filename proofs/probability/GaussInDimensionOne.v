(** * Matrices of one Gaussian entry: coverage and the ceiling for n = d = 1

    The matrix is the number sigma w, w drawn from N(0, 1), as GaussExpectation.v defines it. *)

From Coq Require Import List Arith Bool Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Vectors Expectation Coverage Ceiling LowerMeans
  Gauss GaussExpectation GaussContinuous.
Import ListNotations.
Local Open Scope R_scope.

(** The matrix with the entry sigma w. *)
Definition entry (sigma w : R) : matrix := fun _ _ => sigma * w.

(** ** Coverage *)

(** |w| >= t. *)
Definition at_least_in_size (t w : R) : bool := if Rle_dec t (Rabs w) then true else false.

Lemma probability_of_a_large_normal : forall t, 0 <= t ->
  integrable gauss (fun w => if at_least_in_size t w then 1 else 0) /\
  probability gauss (at_least_in_size t) = 1 - 2 * Phi t.
Proof.
  intros t positive. unfold probability. apply gauss_has.
  apply (has_mean_ext (fun w => 1 * 1 + -1 * (if at_least_in_size t w then 0 else 1))).
  - intros w. destruct (at_least_in_size t w); ring.
  - replace (1 - 2 * Phi t) with (1 * 1 + -1 * (2 * Phi t)) by ring.
    apply (has_mean_linear 1 (-1) (fun _ => 1) (fun w => if at_least_in_size t w then 0 else 1)); [apply has_mean_one|].
    apply mean_of_a_centered_interval; [assumption | |]; intros x; unfold at_least_in_size;
      destruct (Rle_dec t (Rabs x)); intros; lra.
Qed.

(** Claim [coverage]. For one entry of law N(0, sigma^2) and an optimiser x inside (-1, 1), the matrix covers x with
    probability 1 - 2 Phi(|x| / (sigma R)), where Phi(t) is the integral of the density of N(0, 1) from 0 to t. *)
Theorem coverage_probability_of_a_gaussian_entry : forall sigma radius x,
  0 < sigma -> 0 < radius -> -1 < x 0%nat < 1 ->
  let event := at_least_in_size (Rabs (x 0%nat) / (sigma * radius)) in
  (forall w, event w = true <-> covers (coordinates 1) 1 radius (entry sigma w) x) /\
  integrable gauss (fun w => if event w then 1 else 0) /\
  probability gauss event = 1 - 2 * Phi (Rabs (x 0%nat) / (sigma * radius)).
Proof.
  intros sigma radius x some_sigma some_radius inside event.
  assert (scale : 0 < sigma * radius) by (apply Rmult_lt_0_compat; assumption).
  assert (quotient : 0 <= Rabs (x 0%nat) / (sigma * radius))
    by (apply Rmult_le_pos; [apply Rabs_pos | apply Rlt_le, Rinv_0_lt_compat; assumption]).
  split; [|apply probability_of_a_large_normal; assumption].
  intros w. rewrite coverage_in_dimension_one by (lra || assumption).
  unfold event, at_least_in_size, entry. rewrite Rabs_mult, (Rabs_right sigma) by lra.
  assert (same : Rabs (x 0%nat) / (sigma * radius) <= Rabs w <-> Rabs (x 0%nat) <= sigma * Rabs w * radius).
  { replace (sigma * Rabs w * radius) with (Rabs w * (sigma * radius)) by ring.
    apply Rle_div_l. assumption. }
  rewrite <- same. destruct (Rle_dec _ _); intuition discriminate.
Qed.

(** ** The ceiling for one Gaussian entry *)

(** A new matrix sigma w is drawn at each evaluation; the observation at y is the point clip (sigma w y) of [-1, 1]. *)
Definition observation_at (sigma y : R) : expectation R := image gauss (fun w => clip (sigma * w * y)).

(** The point lies as far out as x. *)
Definition as_far_out_as (x z : R) : bool := if Rle_dec x (Rabs z) then true else false.

Lemma chance_to_be_as_far_out : forall sigma x y, 0 < sigma -> 0 < x <= 1 ->
  integrable (observation_at sigma y) (fun z => if as_far_out_as x z then 1 else 0) /\
  probability (observation_at sigma y) (as_far_out_as x)
  = if Req_EM_T y 0 then 0 else 1 - 2 * Phi (x / (sigma * Rabs y)).
Proof.
  intros sigma x y some range. unfold probability. cbn [integrable E observation_at image].
  assert (clipped : forall t, as_far_out_as x (clip t) = if Rle_dec x (Rabs t) then true else false).
  { intros t. unfold as_far_out_as. 
    assert (x <= Rabs (clip t) <-> x <= Rabs t) by
      (unfold clip, Rmax, Rmin; repeat destruct (Rle_dec _ _); unfold Rabs; repeat destruct (Rcase_abs _); lra).
    destruct (Rle_dec x (Rabs (clip t))), (Rle_dec x (Rabs t)); tauto. }
  destruct (Req_EM_T y 0) as [zero | other].
  - assert (mean := has_mean_linear 0 0 _ _ _ _ has_mean_one has_mean_one).
    replace (0 * 1 + 0 * 1) with 0 in mean by ring. apply gauss_has. eapply has_mean_ext; [|exact mean].
    intros w. cbn beta. rewrite clipped, zero, Rmult_0_r, Rabs_R0. destruct (Rle_dec x 0); lra.
  - assert (0 < Rabs y) by (apply Rabs_pos_lt; assumption).
    assert (scale : 0 < sigma * Rabs y) by (apply Rmult_lt_0_compat; assumption).
    assert (quotient : 0 <= x / (sigma * Rabs y))
      by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; assumption]).
    destruct (probability_of_a_large_normal _ quotient) as [random value].
    assert (same : forall w, (if at_least_in_size (x / (sigma * Rabs y)) w then 1 else 0)
                             = (if as_far_out_as x (clip (sigma * w * y)) then 1 else 0)).
    { intros w. rewrite clipped. unfold at_least_in_size. rewrite !Rabs_mult, (Rabs_right sigma) by lra.
      assert (x / (sigma * Rabs y) <= Rabs w <-> x <= sigma * Rabs w * Rabs y).
      { replace (sigma * Rabs w * Rabs y) with (Rabs w * (sigma * Rabs y)) by ring. apply Rle_div_l. assumption. }
      destruct (Rle_dec _ _), (Rle_dec _ _); tauto. }
    split; [eapply integrable_same; [exact same | assumption]|].
    rewrite <- value. unfold probability. symmetry. exact (E_same _ gauss _ _ same).
Qed.

(** Claim [fresh-ceiling]. The ceiling for n = d = 1 and the law N(0, sigma^2), with success "the point lies as far out as
    x": every adaptive rule, measurable or not, that chooses its next y within [-r, r] fails in v evaluations with
    probability at least (2 Phi(x / (sigma r)))^v.  No mean is assumed to exist. *)
Theorem ceiling_for_a_gaussian_entry : forall sigma x r (rule : list R -> {y : R | Rabs y <= r}) v,
  0 < sigma -> 0 < x <= 1 -> 0 < r ->
  mean_at_least (fun y : {y : R | Rabs y <= r} => observation_at sigma (proj1_sig y)) v rule []
    (never (as_far_out_as x)) ((2 * Phi (x / (sigma * r))) ^ v).
Proof.
  intros sigma x r rule v some range bound.
  replace (2 * Phi (x / (sigma * r))) with (1 - (1 - 2 * Phi (x / (sigma * r)))) by ring.
  assert (scale : 0 < sigma * r) by (apply Rmult_lt_0_compat; assumption).
  assert (at_0 : Phi 0 = 0) by (pose proof (Phi_is_odd 0) as odd; rewrite Ropp_0 in odd; lra).
  assert (above : 0 <= 1 - 2 * Phi (x / (sigma * r)))
    by (destruct (probability_of_a_large_normal (x / (sigma * r))) as [random value];
        [apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; assumption]
        | rewrite <- value; unfold probability; apply E_positive; [assumption | intros w; destruct (at_least_in_size _ w); lra]]).
  apply every_rule_measurable_or_not_fails_with_at_least_this_probability.
  - intros y. apply chance_to_be_as_far_out; assumption.
  - intros [y small]. cbn [proj1_sig]. rewrite (proj2 (chance_to_be_as_far_out sigma x y some range)).
    destruct (Req_EM_T y 0) as [zero | other]; [assumption|].
    assert (0 < Rabs y) by (apply Rabs_pos_lt; assumption).
    assert (Phi (x / (sigma * r)) <= Phi (x / (sigma * Rabs y))); [|lra].
    apply Phi_is_monotone. apply Rmult_le_compat_l; [lra|].
    apply Rinv_le_contravar; [apply Rmult_lt_0_compat; assumption | apply Rmult_le_compat_l; lra].
  - assert (0 <= Phi (x / (sigma * r))); [|lra]. rewrite <- at_0. apply Phi_is_monotone.
    apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; assumption].
Qed.
