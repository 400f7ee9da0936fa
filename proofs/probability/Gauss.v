(** * The integral of exp(-x^2/2)

    The integral over the whole line is sqrt(2 pi).  The proof uses one variable only: with I(t) the integral from 0
    to t, I(t)^2/2 + int_0^1 exp(-t^2(1+x^2)/2)/(1+x^2) dx has derivative 0, is pi/4 at t = 0, and its second term
    tends to 0. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Definition bell (x : R) : R := exp (- (x ^ 2 / 2)).

Lemma bell_is_positive : forall x, 0 < bell x.
Proof. intros. apply exp_pos. Qed.

Lemma bell_has_derivative : forall x, is_derive bell x (- x * bell x).
Proof. intros x. unfold bell. auto_derive; [trivial|]. simpl. lra. Qed.

Lemma bell_is_continuous : forall x, continuous bell x.
Proof. intros x. apply (ex_derive_continuous bell). eexists. apply bell_has_derivative. Qed.

Lemma bell_is_even : forall x, bell (- x) = bell x.
Proof. intros. unfold bell. f_equal. field. Qed.

(** The integral from 0 to t. *)
Definition bell_integral (t : R) : R := RInt bell 0 t.

Lemma bell_is_integrable : forall a b, ex_RInt bell a b.
Proof. intros. apply (ex_RInt_continuous bell). intros. apply bell_is_continuous. Qed.

Lemma bell_integral_is_the_integral : forall t, is_RInt bell 0 t (bell_integral t).
Proof. intros. apply (RInt_correct bell), bell_is_integrable. Qed.

Lemma bell_integral_has_derivative : forall t, is_derive bell_integral t (bell t).
Proof.
  intros t. apply (is_derive_RInt bell bell_integral 0 t); [|apply bell_is_continuous].
  apply filter_forall. intros. apply bell_integral_is_the_integral.
Qed.

Lemma bell_integral_is_odd : forall t, bell_integral (- t) = - bell_integral t.
Proof.
  intros t. unfold bell_integral. apply (is_RInt_unique bell).
  replace (- RInt bell 0 t) with (opp (RInt bell 0 t)) by reflexivity.
  apply (is_RInt_ext (fun x => opp (opp (bell (- x))))).
  - intros x _. rewrite opp_opp. apply bell_is_even.
  - apply (is_RInt_opp (fun x => opp (bell (- x)))). apply (is_RInt_comp_opp bell 0 (- t)). rewrite Ropp_0, Ropp_involutive.
    apply bell_integral_is_the_integral.
Qed.

Lemma bell_integral_is_nonnegative : forall t, 0 <= t -> 0 <= bell_integral t.
Proof.
  intros t positive. apply (RInt_ge_0 bell); [assumption | apply bell_is_integrable |].
  intros. apply Rlt_le, bell_is_positive.
Qed.

(** The second term. *)
Definition kernel (t x : R) : R := exp (- (t ^ 2 * (1 + x ^ 2) / 2)) / (1 + x ^ 2).
Definition remainder (t : R) : R := RInt (kernel t) 0 1.

Lemma kernel_has_derivative : forall t x, is_derive (fun u => kernel u x) t (- t * exp (- (t ^ 2 * (1 + x ^ 2) / 2))).
Proof.
  intros t x. unfold kernel. pose proof (pow2_ge_0 x). auto_derive; [trivial|].
  match goal with |- context [exp ?a] => replace a with (- (t ^ 2 * (1 + x ^ 2) / 2)) by (simpl; field) end.
  simpl in *. field. lra.
Qed.

Lemma kernel_is_continuous : forall t x, continuous (kernel t) x.
Proof.
  intros t x. apply (ex_derive_continuous (kernel t)). unfold kernel. pose proof (pow2_ge_0 x).
  auto_derive. simpl in *. lra.
Qed.

Lemma kernel_is_integrable : forall t a b, ex_RInt (kernel t) a b.
Proof. intros. apply (ex_RInt_continuous (kernel t)). intros. apply kernel_is_continuous. Qed.

Lemma derivative_of_the_kernel_is_continuous : forall t x,
  continuity_2d_pt (fun u v => Derive (fun z => kernel z v) u) t x.
Proof.
  intros t x.
  apply (continuity_2d_pt_ext (fun u v => - u * exp (- (u ^ 2 * (1 + v ^ 2) / 2)))).
  - intros u v. symmetry. apply is_derive_unique, kernel_has_derivative.
  - apply continuity_2d_pt_mult.
    + apply continuity_2d_pt_opp, continuity_2d_pt_id1.
    + apply (continuity_1d_2d_pt_comp exp (fun u v => - (u ^ 2 * (1 + v ^ 2) / 2))).
      * apply derivable_continuous_pt, derivable_pt_exp.
      * apply continuity_2d_pt_opp. unfold Rdiv. apply continuity_2d_pt_mult; [|apply continuity_2d_pt_const].
        apply continuity_2d_pt_mult.
        -- simpl. apply continuity_2d_pt_mult; [apply continuity_2d_pt_id1|].
           apply continuity_2d_pt_mult; [apply continuity_2d_pt_id1 | apply continuity_2d_pt_const].
        -- apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|]. simpl.
           apply continuity_2d_pt_mult; [apply continuity_2d_pt_id2|].
           apply continuity_2d_pt_mult; [apply continuity_2d_pt_id2 | apply continuity_2d_pt_const].
Qed.

(** int_0^1 -t exp(-t^2(1+x^2)/2) dx = - exp(-t^2/2) I(t), by the substitution u = t x. *)
Lemma substitution : forall t,
  is_RInt (fun x => - t * exp (- (t ^ 2 * (1 + x ^ 2) / 2))) 0 1 (- bell t * bell_integral t).
Proof.
  intros t.
  apply (is_RInt_ext (fun x => scal (- bell t) (scal t (bell (t * x + 0))))).
  - intros x _. change (- bell t * (t * bell (t * x + 0)) = - t * exp (- (t ^ 2 * (1 + x ^ 2) / 2))). unfold bell.
    replace (- (t ^ 2 * (1 + x ^ 2) / 2)) with (- (t ^ 2 / 2) + - ((t * x + 0) ^ 2 / 2)) by field.
    rewrite exp_plus. ring.
  - apply (is_RInt_scal (fun x => scal t (bell (t * x + 0)))). apply (is_RInt_comp_lin bell t 0 0 1).
    replace (t * 0 + 0) with 0 by ring. replace (t * 1 + 0) with t by ring. apply bell_integral_is_the_integral.
Qed.

Lemma remainder_has_derivative : forall t, is_derive remainder t (- bell t * bell_integral t).
Proof.
  intros t.
  replace (- bell t * bell_integral t) with (RInt (fun x => Derive (fun u => kernel u x) t) 0 1).
  - apply (is_derive_RInt_param kernel 0 1 t).
    + apply filter_forall. intros u x _. eexists. apply kernel_has_derivative.
    + intros. apply derivative_of_the_kernel_is_continuous.
    + apply filter_forall. intros. apply kernel_is_integrable.
  - apply is_RInt_unique. eapply is_RInt_ext; [|apply substitution].
    intros x _. symmetry. apply is_derive_unique, kernel_has_derivative.
Qed.

Lemma remainder_at_0 : remainder 0 = PI / 4.
Proof.
  unfold remainder. apply is_RInt_unique.
  replace (PI / 4) with (minus (atan 1) (atan 0)).
  - apply (is_RInt_ext (fun x => / (1 + x ^ 2))).
    + intros x _. unfold kernel. replace (- (0 ^ 2 * (1 + x ^ 2) / 2)) with 0 by (simpl; field).
      rewrite exp_0. symmetry. apply Rmult_1_l.
    + apply (is_RInt_derive atan (fun x => / (1 + x ^ 2))).
      * intros x _. rewrite <- Rsqr_pow2. apply is_derive_atan.
      * intros x _. apply (ex_derive_continuous (fun x => / (1 + x ^ 2))). pose proof (pow2_ge_0 x).
        auto_derive. simpl in *. lra.
  - rewrite atan_1, atan_0. unfold minus, plus, opp; simpl. ring.
Qed.

Lemma square_and_remainder : forall t, bell_integral t ^ 2 / 2 + remainder t = PI / 4.
Proof.
  intros t. set (F := fun t => bell_integral t ^ 2 / 2 + remainder t). change (F t = PI / 4).
  assert (derivative : forall u, is_derive F u 0).
  { intros u. unfold F.
    replace 0 with (plus (bell_integral u * bell u) (- bell u * bell_integral u)) by (unfold plus; simpl; ring).
    apply (is_derive_plus (fun t => bell_integral t ^ 2 / 2) remainder); [|apply remainder_has_derivative].
    auto_derive; [eexists; apply bell_integral_has_derivative|].
    match goal with |- context [Derive ?f u] =>
      replace (Derive f u) with (bell u) by (symmetry; apply is_derive_unique, bell_integral_has_derivative) end. simpl. field. }
  assert (constant : F t = F 0).
  { destruct (MVT_gen F 0 t (fun _ => 0)) as (c & _ & equal).
    - intros. apply derivative.
    - intros x _. apply derivable_continuous_pt. exists 0. apply is_derive_Reals, derivative.
    - lra. }
  rewrite constant. unfold F. rewrite remainder_at_0. unfold bell_integral.
  rewrite RInt_point. unfold zero; simpl. lra.
Qed.

Lemma remainder_is_small : forall t, 0 <= remainder t <= bell t.
Proof.
  intros t. unfold remainder. split.
  - apply RInt_ge_0; [lra | apply kernel_is_integrable |]. intros x _. unfold kernel. pose proof (pow2_ge_0 x).
    apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos | lra].
  - replace (bell t) with (RInt (fun _ : R => bell t) 0 1) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra | apply kernel_is_integrable | apply ex_RInt_const |].
    intros x _. unfold kernel, bell. pose proof (pow2_ge_0 x). pose proof (pow2_ge_0 t).
    apply Rle_trans with (exp (- (t ^ 2 * (1 + x ^ 2) / 2))).
    + rewrite <- (Rmult_1_r (exp _)) at 2. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
      rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
    + destruct (Req_dec (t ^ 2 * x ^ 2) 0) as [zero | other].
      * right. f_equal. lra.
      * apply Rlt_le, exp_increasing. assert (0 <= t ^ 2 * x ^ 2) by (apply Rmult_le_pos; assumption). lra.
Qed.

Lemma bell_is_at_most : forall t, 0 < t -> bell t <= 2 * / t.
Proof.
  intros t positive. unfold bell. rewrite exp_Ropp.
  assert (t / 2 < exp (t ^ 2 / 2)).
  { eapply Rlt_le_trans; [|apply exp_ineq1_le]. pose proof (pow2_ge_0 (t - 1)). simpl in *. nra. }
  replace (2 * / t) with (/ (t / 2)) by (field; lra). apply Rinv_le_contravar; lra.
Qed.

Lemma bell_vanishes : is_lim bell p_infty 0.
Proof.
  apply (is_lim_le_le_loc (fun _ => 0) (fun t => 2 * / t)).
  - exists 0. intros t positive. split; [apply Rlt_le, bell_is_positive | apply bell_is_at_most; assumption].
  - apply is_lim_const.
  - replace (Finite 0) with (Rbar_mult 2 (Rbar_inv p_infty)) by (simpl; f_equal; ring).
    apply (is_lim_scal_l (fun t => / t) 2 p_infty (Rbar_inv p_infty)). apply is_lim_inv; [apply is_lim_id | discriminate].
Qed.

(** Claim [coverage]. The integral of exp(-x^2/2) from 0 to infinity is sqrt(pi/2). *)
Theorem bell_integral_tends_to : is_lim bell_integral p_infty (sqrt (PI / 2)).
Proof.
  apply (is_lim_ext_loc (fun t => sqrt (PI / 2 - 2 * remainder t))).
  - exists 0. intros t positive. rewrite <- (sqrt_pow2 (bell_integral t)) by (apply bell_integral_is_nonnegative; lra).
    f_equal. pose proof (square_and_remainder t). lra.
  - apply (is_lim_comp_continuous (fun t => PI / 2 - 2 * remainder t) sqrt).
    + replace (Finite (PI / 2)) with (Finite (PI / 2 - 2 * 0)) by (f_equal; ring).
      apply (is_lim_minus' (fun _ => PI / 2) (fun t => 2 * remainder t)); [apply is_lim_const|].
      apply (is_lim_scal_l remainder 2 p_infty 0).
      apply (is_lim_le_le_loc (fun _ => 0) bell); [|apply is_lim_const | apply bell_vanishes].
      exists 0. intros t _. apply remainder_is_small.
    + apply continuity_pt_filterlim. apply continuity_pt_sqrt. pose proof PI_RGT_0. lra.
Qed.
