(** * The expectation of N(0, 1)

    A function X has a mean if the integral of X(x) phi(x) from 0 to t exists for every t and has limits as t tends
    to plus and minus infinity: improper Riemann integrals.  Constants, |x|, x, x^2 and the indicators of bounded
    intervals have means.  The class of these functions is linear, so it is an [expectation]; it does not contain every
    bounded function, nor every bounded measurable one. *)

From Coq Require Import List Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Expectation Gauss.
Local Open Scope R_scope.

(** The density and the integral of it from 0 to t. *)
Definition density (x : R) : R := bell x / sqrt (2 * PI).
Definition Phi (t : R) : R := bell_integral t / sqrt (2 * PI).

Lemma density_is_positive : forall x, 0 < density x.
Proof. intros. apply Rdiv_lt_0_compat; [apply bell_is_positive | apply sqrt_lt_R0; pose proof PI_RGT_0; lra]. Qed.

Lemma Phi_is_the_integral : forall t, is_RInt density 0 t (Phi t).
Proof.
  intros t. unfold density, Phi, Rdiv.
  apply (is_RInt_ext (fun x => scal (/ sqrt (2 * PI)) (bell x))); [intros; apply Rmult_comm|].
  rewrite (Rmult_comm (bell_integral t)). apply (is_RInt_scal bell). apply bell_integral_is_the_integral.
Qed.

Lemma Phi_is_odd : forall t, Phi (- t) = - Phi t.
Proof. intros. unfold Phi. rewrite bell_integral_is_odd. unfold Rdiv. ring. Qed.

Lemma half_of_the_root : sqrt (PI / 2) / sqrt (2 * PI) = / 2.
Proof.
  replace (2 * PI) with (2 ^ 2 * (PI / 2)) by field. pose proof PI_RGT_0.
  rewrite sqrt_mult, sqrt_pow2 by lra. field. apply Rgt_not_eq, sqrt_lt_R0. lra.
Qed.

Lemma Phi_tends_to_one_half : is_lim Phi p_infty (/ 2).
Proof.
  rewrite <- half_of_the_root. unfold Phi, Rdiv.
  apply (is_lim_scal_r bell_integral (/ sqrt (2 * PI)) p_infty (sqrt (PI / 2))). apply bell_integral_tends_to.
Qed.

Lemma density_vanishes : is_lim density p_infty 0.
Proof.
  unfold density, Rdiv. replace (Finite 0) with (Finite (0 * / sqrt (2 * PI))) by (f_equal; ring).
  apply (is_lim_scal_r bell (/ sqrt (2 * PI)) p_infty 0). apply bell_vanishes.
Qed.

(** ** Means *)

(** G is the integral from 0 of X times the density, with limits B at plus infinity and A at minus infinity. *)
Definition has_mean_by (X G : R -> R) (A B : R) : Prop :=
  (forall t, is_RInt (fun x => X x * density x) 0 t (G t)) /\
  is_lim (fun t => G (- t)) p_infty A /\ is_lim G p_infty B.

Definition has_mean (X : R -> R) (m : R) : Prop := exists G A B, has_mean_by X G A B /\ m = B - A.

Definition gauss_mean (X : R -> R) : R :=
  real (Lim (fun t => RInt (fun x => X x * density x) 0 t - RInt (fun x => X x * density x) 0 (- t)) p_infty).

Lemma mean_is : forall X m, has_mean X m -> gauss_mean X = m.
Proof.
  intros X m (G & A & B & (integral & left & right) & value). unfold gauss_mean.
  rewrite (is_lim_unique _ p_infty (B - A)); [symmetry; assumption|].
  apply (is_lim_ext (fun t => G t - G (- t))).
  - intros t. rewrite (is_RInt_unique _ _ _ _ (integral t)), (is_RInt_unique _ _ _ _ (integral (- t))). reflexivity.
  - apply is_lim_minus'; assumption.
Qed.

Lemma has_mean_ext : forall X Y m, (forall x, X x = Y x) -> has_mean X m -> has_mean Y m.
Proof.
  intros X Y m same (G & A & B & (integral & left & right) & value). exists G, A, B. repeat split; try assumption.
  intros t. apply (is_RInt_ext (fun x => X x * density x)); [intros; rewrite same; reflexivity | apply integral].
Qed.

Lemma has_mean_linear : forall a b X Y m m', has_mean X m -> has_mean Y m' ->
  has_mean (fun x => a * X x + b * Y x) (a * m + b * m').
Proof.
  intros a b X Y m m' (G & A & B & (integral & left & right) & value) (G' & A' & B' & (integral' & left' & right') & value').
  exists (fun t => a * G t + b * G' t), (a * A + b * A'), (a * B + b * B'). subst. repeat split; [| | |ring].
  - intros t. apply (is_RInt_ext (fun x => plus (scal a (X x * density x)) (scal b (Y x * density x)))).
    + intros x _. change (a * (X x * density x) + b * (Y x * density x) = (a * X x + b * Y x) * density x). ring.
    + apply (is_RInt_plus (fun x => scal a (X x * density x)) (fun x => scal b (Y x * density x)));
        [apply (is_RInt_scal (fun x => X x * density x)); apply integral
        | apply (is_RInt_scal (fun x => Y x * density x)); apply integral'].
  - apply (is_lim_plus' (fun t => a * G (- t)) (fun t => b * G' (- t)));
      [apply (is_lim_scal_l (fun t => G (- t)) a p_infty A) | apply (is_lim_scal_l (fun t => G' (- t)) b p_infty A')];
      assumption.
  - apply (is_lim_plus' (fun t => a * G t) (fun t => b * G' t));
      [apply (is_lim_scal_l G a p_infty B) | apply (is_lim_scal_l G' b p_infty B')]; assumption.
Qed.

Lemma has_mean_positive : forall X m, has_mean X m -> (forall x, 0 <= X x) -> 0 <= m.
Proof.
  intros X m (G & A & B & (integral & left & right) & value) positive.
  assert (pointwise : forall x, 0 <= X x * density x)
    by (intros; apply Rmult_le_pos; [apply positive | apply Rlt_le, density_is_positive]).
  assert (upper : Rbar_le 0 B).
  { apply (is_lim_le_loc (fun _ => 0) G p_infty); [|apply is_lim_const | assumption].
    exists 0. intros t large. apply (is_RInt_ge_0 (fun x => X x * density x) 0 t); [lra | apply integral | auto]. }
  assert (lower : Rbar_le A 0).
  { apply (is_lim_le_loc (fun t => G (- t)) (fun _ => 0) p_infty); [|assumption | apply is_lim_const].
    exists 0. intros t large.
    assert (0 <= - G (- t)); [|lra].
    apply (is_RInt_ge_0 (fun x => X x * density x) (- t) 0); [lra | | auto].
    apply (is_RInt_swap (fun x => X x * density x) (- t) 0). apply integral. }
  simpl in upper, lower. lra.
Qed.

Lemma has_mean_one : has_mean (fun _ => 1) 1.
Proof.
  exists Phi, (- / 2), (/ 2). repeat split; [| | apply Phi_tends_to_one_half | field].
  - intros t. apply (is_RInt_ext density); [intros; symmetry; apply Rmult_1_l | apply Phi_is_the_integral].
  - apply (is_lim_ext (fun t => - Phi t)); [intros; symmetry; apply Phi_is_odd|].
    apply (is_lim_opp Phi p_infty (/ 2)). apply Phi_tends_to_one_half.
Qed.

(** The law N(0, 1) as an expectation. *)
Definition gauss : expectation R.
Proof.
  refine {| integrable := fun X => exists m, has_mean X m; E := gauss_mean |}.
  - intros X Y same [m mean]. exists m. eapply has_mean_ext; eassumption.
  - intros a b X Y [m mean] [m' mean']. exists (a * m + b * m'). apply has_mean_linear; assumption.
  - exists 1. apply has_mean_one.
  - intros X Y same. unfold gauss_mean. f_equal. apply Lim_ext. intros t.
    assert (parts : forall u, RInt (fun x => X x * density x) 0 u = RInt (fun x => Y x * density x) 0 u)
      by (intros; apply RInt_ext; intros; rewrite same; reflexivity).
    rewrite !parts. reflexivity.
  - intros a b X Y [m mean] [m' mean'].
    rewrite (mean_is _ _ (has_mean_linear a b X Y m m' mean mean')), (mean_is _ _ mean), (mean_is _ _ mean'). reflexivity.
  - intros X [m mean] positive. rewrite (mean_is _ _ mean). eapply has_mean_positive; eassumption.
  - apply mean_is, has_mean_one.
Defined.

Lemma gauss_has : forall X m, has_mean X m -> integrable gauss X /\ E gauss X = m.
Proof. intros X m mean. split; [exists m; assumption | apply mean_is; assumption]. Qed.

(** ** The moments *)

Lemma density_has_derivative : forall x, is_derive density x (- x * density x).
Proof.
  intros x. unfold density, Rdiv. rewrite <- Rmult_assoc.
  apply (is_derive_ext (fun x => scal (/ sqrt (2 * PI)) (bell x))); [intros; apply Rmult_comm|].
  rewrite (Rmult_comm (- x * bell x)). apply (is_derive_scal bell). apply bell_has_derivative.
Qed.

Lemma density_is_continuous : forall x, continuous density x.
Proof. intros x. apply (ex_derive_continuous density). eexists. apply density_has_derivative. Qed.

Lemma x_density_is_continuous : forall x, continuous (fun x => - x * density x) x.
Proof.
  intros x. apply (continuous_mult (fun x => - x) density); [|apply density_is_continuous].
  apply (ex_derive_continuous (fun x => - x)). auto_derive. trivial.
Qed.

Lemma integral_of_x : forall t, is_RInt (fun x => x * density x) 0 t (density 0 - density t).
Proof.
  intros t. replace (density 0 - density t) with (opp (minus (density t) (density 0)))
    by (unfold minus, plus, opp; simpl; ring).
  apply (is_RInt_ext (fun x => opp (- x * density x))).
  - intros x _. change (- (- x * density x) = x * density x). ring.
  - apply (is_RInt_opp (fun x => - x * density x)).
    apply (is_RInt_derive density (fun x => - x * density x));
      [intros; apply density_has_derivative | intros; apply x_density_is_continuous].
Qed.

Lemma density_is_even : forall x, density (- x) = density x.
Proof. intros. unfold density. rewrite bell_is_even. reflexivity. Qed.

Lemma limit_of_density_difference : is_lim (fun t => density 0 - density t) p_infty (density 0).
Proof.
  replace (Finite (density 0)) with (Finite (density 0 - 0)) by (f_equal; ring).
  apply (is_lim_minus' (fun _ => density 0) density); [apply is_lim_const | apply density_vanishes].
Qed.

(** E N = 0. *)
Lemma mean_of_N : integrable gauss (fun x => x) /\ E gauss (fun x => x) = 0.
Proof.
  apply gauss_has. exists (fun t => density 0 - density t), (density 0), (density 0).
  repeat split; [apply integral_of_x | | apply limit_of_density_difference | ring].
  apply (is_lim_ext (fun t => density 0 - density t)); [intros; rewrite density_is_even; reflexivity|].
  apply limit_of_density_difference.
Qed.

(** ** Probabilities of intervals *)

(** A function that is 1 inside (-t, t) and 0 outside [-t, t]. *)
Lemma mean_of_a_centered_interval : forall t X, 0 <= t ->
  (forall x, Rabs x < t -> X x = 1) -> (forall x, t < Rabs x -> X x = 0) -> has_mean X (2 * Phi t).
Proof.
  intros t X positive inside outside.
  assert (part : forall u, 0 <= u -> is_RInt (fun x => X x * density x) 0 u (Phi (Rmin u t)) /\
                 is_RInt (fun x => X x * density x) 0 (- u) (- Phi (Rmin u t))).
  { intros u above. assert (m_le : 0 <= Rmin u t <= u) by (split; [apply Rmin_glb; lra | apply Rmin_l]).
    assert (m_t : Rmin u t <= t) by apply Rmin_r. split.
    - replace (Phi (Rmin u t)) with (Phi (Rmin u t) + (u - Rmin u t) * 0) by ring.
      apply (is_RInt_Chasles (fun x => X x * density x) 0 (Rmin u t) u (Phi (Rmin u t)) ((u - Rmin u t) * 0)).
      + apply (is_RInt_ext density); [|apply Phi_is_the_integral]. intros x range.
        rewrite Rmin_left, Rmax_right in range by lra. rewrite inside; [symmetry; apply Rmult_1_l|]. rewrite Rabs_right; lra.
      + apply (is_RInt_ext (fun _ => 0)); [|apply (is_RInt_const (Rmin u t) u 0)]. intros x range.
        rewrite Rmin_left, Rmax_right in range by lra. rewrite outside; [symmetry; apply Rmult_0_l|]. rewrite Rabs_right by lra.
        revert range. unfold Rmin. destruct (Rle_dec u t); lra.
    - rewrite <- Phi_is_odd.
      replace (Phi (- Rmin u t)) with (Phi (- Rmin u t) + (- u - - Rmin u t) * 0) by ring.
      apply (is_RInt_Chasles (fun x => X x * density x) 0 (- Rmin u t) (- u)
               (Phi (- Rmin u t)) ((- u - - Rmin u t) * 0)).
      + apply (is_RInt_ext density); [|apply Phi_is_the_integral]. intros x range.
        rewrite Rmin_right, Rmax_left in range by lra. rewrite inside; [symmetry; apply Rmult_1_l|]. rewrite Rabs_left; lra.
      + apply (is_RInt_ext (fun _ => 0)); [|apply (is_RInt_const (- Rmin u t) (- u) 0)]. intros x range.
        rewrite Rmin_right, Rmax_left in range by lra. rewrite outside; [symmetry; apply Rmult_0_l|]. rewrite Rabs_left by lra.
        revert range. unfold Rmin. destruct (Rle_dec u t); lra. }
  exists (fun u => if Rle_dec 0 u then Phi (Rmin u t) else - Phi (Rmin (- u) t)), (- Phi t), (Phi t).
  repeat split; [| | |ring].
  - intros u. destruct (Rle_dec 0 u) as [above | below]; [apply part; assumption|].
    destruct (part (- u)) as [_ left]; [lra|]. rewrite Ropp_involutive in left. assumption.
  - apply (is_lim_ext_loc (fun _ => - Phi t)); [|apply is_lim_const].
    exists t. intros u large. destruct (Rle_dec 0 (- u)); [lra|]. rewrite Ropp_involutive, Rmin_right by lra. reflexivity.
  - apply (is_lim_ext_loc (fun _ => Phi t)); [|apply is_lim_const].
    exists t. intros u large. destruct (Rle_dec 0 u); [|lra]. rewrite Rmin_right by lra. reflexivity.
Qed.

(** ** The distance of two independent normals *)

(** The integral of the square of the density from 0 to t. *)
Definition Square (t : R) : R := bell_integral (sqrt 2 * t) / (sqrt 2 * (2 * PI)).

Lemma Square_has_derivative : forall t, is_derive Square t (density t ^ 2).
Proof.
  intros t. pose proof PI_RGT_0. assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (density t ^ 2) with (/ (sqrt 2 * (2 * PI)) * (sqrt 2 * bell (sqrt 2 * t))).
  - unfold Square, Rdiv.
    apply (is_derive_ext (fun t => scal (/ (sqrt 2 * (2 * PI))) (bell_integral (sqrt 2 * t)))); [intros; apply Rmult_comm|].
    apply (is_derive_scal (fun t => bell_integral (sqrt 2 * t))).
    apply (is_derive_comp bell_integral (fun t => sqrt 2 * t)); [apply bell_integral_has_derivative|].
    auto_derive; [trivial | ring].
  - unfold density, Rdiv. rewrite Rpow_mult_distr, pow_inv, pow2_sqrt by lra.
    replace (bell (sqrt 2 * t)) with (bell t ^ 2).
    + field. lra.
    + unfold bell. rewrite Rpow_mult_distr, pow2_sqrt by lra.
      replace (exp (- (t ^ 2 / 2)) ^ 2) with (exp (- (t ^ 2 / 2)) * exp (- (t ^ 2 / 2))) by ring.
      rewrite <- exp_plus. f_equal. field.
Qed.

Lemma Phi_has_derivative : forall t, is_derive Phi t (density t).
Proof.
  intros t. apply (is_derive_RInt density Phi 0 t); [|apply density_is_continuous].
  apply filter_forall. intros. apply Phi_is_the_integral.
Qed.

(** E|p - N|. *)
Definition mean_distance (p : R) : R := 2 * (p * Phi p) + 2 * density p.

Lemma integral_of_the_distance : forall p t,
  is_RInt (fun q => (q - p) * density q) p t ((- density t - p * Phi t) - (- density p - p * Phi p)).
Proof.
  intros p t. apply (is_RInt_derive (fun q => - density q - p * Phi q) (fun q => (q - p) * density q)).
  - intros q _. replace ((q - p) * density q) with (- (- q * density q) - p * density q) by ring.
    apply (is_derive_minus (fun q => - density q) (fun q => p * Phi q)).
    + apply (is_derive_opp density). apply density_has_derivative.
    + apply (is_derive_scal Phi). apply Phi_has_derivative.
  - intros q _. apply (continuous_mult (fun q => q - p) density); [|apply density_is_continuous].
    apply (ex_derive_continuous (fun q => q - p)). auto_derive. trivial.
Qed.

Lemma has_mean_distance : forall p, has_mean (fun q => Rabs (p - q)) (mean_distance p).
Proof.
  intros p. set (H := fun t => - density t - p * Phi t).
  set (K := fun t => if Rle_dec p t then H t - H p else - (H t - H p)).
  assert (part : forall t, is_RInt (fun q => Rabs (p - q) * density q) p t (K t)).
  { intros t. unfold K. destruct (Rle_dec p t) as [right | left].
    - apply (is_RInt_ext (fun q => (q - p) * density q)); [|apply integral_of_the_distance].
      intros q inside. rewrite Rmin_left in inside by lra. rewrite Rabs_left by lra.
      change ((q - p) * density q = - (p - q) * density q). ring.
    - apply (is_RInt_ext (fun q => opp ((q - p) * density q))).
      + intros q inside. rewrite Rmax_left in inside by lra. rewrite Rabs_right by lra.
        change (- ((q - p) * density q) = (p - q) * density q). ring.
      + apply (is_RInt_opp (fun q => (q - p) * density q)). apply integral_of_the_distance. }
  assert (limit : forall s, is_lim (fun t => - density t - s * Phi t) p_infty (- s / 2)).
  { intros s. replace (- s / 2) with (- 0 - s * / 2) by field.
    apply (is_lim_minus' (fun t => - density t) (fun t => s * Phi t)).
    - apply (is_lim_opp density p_infty 0). apply density_vanishes.
    - apply (is_lim_scal_l Phi s p_infty (/ 2)). apply Phi_tends_to_one_half. }
  exists (fun t => - K 0 + K t), (- K 0 + - (- - p / 2 - H p)), (- K 0 + (- p / 2 - H p)).
  repeat split.
  - intros t. apply (is_RInt_Chasles (fun q => Rabs (p - q) * density q) 0 p t (- K 0) (K t)); [|apply part].
    apply (is_RInt_swap (fun q => Rabs (p - q) * density q) 0 p (K 0)). apply part.
  - apply (is_lim_plus' (fun _ => - K 0) (fun t => K (- t))); [apply is_lim_const|].
    apply (is_lim_ext_loc (fun t => - ((- density t - - p * Phi t) - H p))).
    + exists (- p). intros t large. unfold K. destruct (Rle_dec p (- t)); [lra|].
      unfold H. rewrite density_is_even, Phi_is_odd. ring.
    + apply (is_lim_opp (fun t => (- density t - - p * Phi t) - H p) p_infty (- - p / 2 - H p)).
      apply (is_lim_minus' (fun t => - density t - - p * Phi t) (fun _ => H p)); [apply limit | apply is_lim_const].
  - apply (is_lim_plus' (fun _ => - K 0) K); [apply is_lim_const|].
    apply (is_lim_ext_loc (fun t => H t - H p)).
    + exists p. intros t large. unfold K. destruct (Rle_dec p t); [reflexivity | lra].
    + apply (is_lim_minus' H (fun _ => H p)); [apply limit | apply is_lim_const].
  - unfold mean_distance, H. field.
Qed.

Lemma has_mean_of_mean_distance : has_mean mean_distance (2 / sqrt PI).
Proof.
  pose proof PI_RGT_0 as positive.
  assert (root_2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (root_pi : 0 < sqrt PI) by (apply sqrt_lt_R0; lra).
  set (G := fun t => 4 * Square t - 2 * (Phi t * density t)).
  assert (odd : forall t, G (- t) = - G t).
  { intros t. unfold G, Square. rewrite Phi_is_odd, density_is_even.
    replace (sqrt 2 * - t) with (- (sqrt 2 * t)) by ring. rewrite bell_integral_is_odd. unfold Rdiv. ring. }
  assert (limit : is_lim G p_infty (/ sqrt PI)).
  { replace (/ sqrt PI) with (4 * (sqrt (PI / 2) / (sqrt 2 * (2 * PI))) - 2 * (/ 2 * 0)).
    - apply (is_lim_minus' (fun t => 4 * Square t) (fun t => 2 * (Phi t * density t))).
      + apply (is_lim_scal_l Square 4 p_infty (sqrt (PI / 2) / (sqrt 2 * (2 * PI)))).
        unfold Square, Rdiv.
        apply (is_lim_scal_r (fun t => bell_integral (sqrt 2 * t)) (/ (sqrt 2 * (2 * PI))) p_infty (sqrt (PI * / 2))).
        apply (is_lim_comp bell_integral (fun t => sqrt 2 * t) p_infty (sqrt (PI * / 2)) p_infty).
        * apply bell_integral_tends_to.
        * intros P [M large]. exists (M / sqrt 2). intros t above. apply large.
          apply Rlt_div_l in above; lra.
        * exists 0. intros t _. discriminate.
      + apply (is_lim_scal_l (fun t => Phi t * density t) 2 p_infty (/ 2 * 0)).
        apply (is_lim_mult Phi density p_infty (/ 2) 0); [apply Phi_tends_to_one_half | apply density_vanishes | simpl; trivial].
    - rewrite sqrt_div by lra. replace PI with (sqrt PI * sqrt PI) at 2 by (apply sqrt_sqrt; lra).
      replace (4 * (sqrt PI / sqrt 2 / (sqrt 2 * (2 * (sqrt PI * sqrt PI)))) - 2 * (/ 2 * 0))
        with (2 / (sqrt 2 * sqrt 2) * / sqrt PI) by (field; lra).
      rewrite sqrt_sqrt by lra. field. lra. }
  exists G, (- / sqrt PI), (/ sqrt PI). repeat split; [| |assumption|field; lra].
  - intros t. replace (G t) with (G t - G 0).
    + apply (is_RInt_derive G (fun p => mean_distance p * density p)).
      * intros p _. replace (mean_distance p * density p)
          with (4 * density p ^ 2 - 2 * (density p * density p + Phi p * (- p * density p))) by (unfold mean_distance; ring).
        apply (is_derive_minus (fun t => 4 * Square t) (fun t => 2 * (Phi t * density t))).
        -- apply (is_derive_scal Square). apply Square_has_derivative.
        -- apply (is_derive_scal (fun t => Phi t * density t)).
           apply (is_derive_mult Phi density); [apply Phi_has_derivative | apply density_has_derivative | intros; apply Rmult_comm].
      * intros p _. apply (continuous_mult mean_distance density); [|apply density_is_continuous].
        apply (continuous_plus (fun p => 2 * (p * Phi p)) (fun p => 2 * density p)).
        -- apply (continuous_scal_r 2 (fun p => p * Phi p)). apply (continuous_mult (fun p => p) Phi);
             [apply continuous_id | apply (ex_derive_continuous Phi); eexists; apply Phi_has_derivative].
        -- apply (continuous_scal_r 2 density). apply density_is_continuous.
    + assert (G 0 = 0) by (pose proof (odd 0) as half; rewrite Ropp_0 in half; lra). lra.
  - apply (is_lim_ext (fun t => - G t)); [intros; symmetry; apply odd|].
    apply (is_lim_opp G p_infty (/ sqrt PI)). assumption.
Qed.

(** Claim [theorem-1-sharp]. E|N - N'| = 2/sqrt(pi) for independent N and N', as an iterated mean: first over N', then over N. *)
Theorem mean_distance_of_two_normals :
  (forall p, integrable gauss (fun q => Rabs (p - q))) /\
  integrable gauss (fun p => E gauss (fun q => Rabs (p - q))) /\
  E gauss (fun p => E gauss (fun q => Rabs (p - q))) = 2 / sqrt PI.
Proof.
  split; [intros p; eexists; apply has_mean_distance|].
  apply (gauss_has (fun p => E gauss (fun q => Rabs (p - q)))).
  apply (has_mean_ext mean_distance); [|apply has_mean_of_mean_distance].
  intros p. symmetry. apply (mean_is _ _ (has_mean_distance p)).
Qed.
