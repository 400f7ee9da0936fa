(** * A sum of two independent normals is normal

    E phi(s N + t N') = E phi(sqrt(s^2 + t^2) N) for every continuous bounded phi.  No rotation of the plane is needed:
    with r = sqrt(s^2 + t^2), the substitution y = (r u - s x)/t in the inner mean, one exchange of the two means,
    and the same substitution back in the other variable, since the product of the two densities is symmetric in x and u:

      x^2 + ((r u - s x)/t)^2 = ((r x - s u)/t)^2 + u^2.

    Both variables are also scaled by sqrt 2.  This makes the function under the means bounded, as the exchange needs. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Expectation Gauss GaussExpectation GaussContinuous GaussExchange.
Local Open Scope R_scope.

(** ** Affine substitutions *)

(** The ratio a phi(a x + b) / phi(x) of the densities. *)
Definition tilt (a b x : R) : R := a * exp ((x ^ 2 - (a * x + b) ^ 2) / 2).

Lemma tilt_is_the_ratio : forall a b x, tilt a b x * density x = a * density (a * x + b).
Proof.
  intros a b x. unfold tilt, density, bell, Rdiv.
  replace (exp (- ((a * x + b) ^ 2 * / 2))) with (exp ((x ^ 2 - (a * x + b) ^ 2) * / 2) * exp (- (x ^ 2 * / 2))); [ring|].
  rewrite <- exp_plus. f_equal. field.
Qed.

Lemma limit_along_a_line : forall G a b (l : R), 0 < a -> is_lim G p_infty l -> is_lim (fun t => G (a * t + b)) p_infty l.
Proof.
  intros G a b l positive limit P near. destruct (limit P near) as [M large]. exists ((M - b) / a).
  intros t above. apply large. apply Rlt_div_l in above; lra.
Qed.

Lemma affine_substitution : forall X m a b, 0 < a -> has_mean X m -> has_mean (fun x => X (a * x + b) * tilt a b x) m.
Proof.
  intros X m a b positive (G & A & B & (integral & left & right) & value).
  exists (fun t => - G b + G (a * t + b)), (- G b + A), (- G b + B). repeat split; [| | |subst; ring].
  - intros t. apply (is_RInt_ext (fun x => scal a (X (a * x + b) * density (a * x + b)))).
    + intros x _. change (a * (X (a * x + b) * density (a * x + b)) = X (a * x + b) * tilt a b x * density x).
      rewrite Rmult_assoc, tilt_is_the_ratio. ring.
    + apply (is_RInt_comp_lin (fun x => X x * density x) a b 0 t).
      apply (is_RInt_Chasles (fun x => X x * density x) _ 0 _ (opp (G b)) (G (a * t + b))); [|apply integral].
      replace (a * 0 + b) with b by ring. apply (is_RInt_swap (fun x => X x * density x) b 0). apply integral.
  - apply (is_lim_plus' (fun _ => - G b) (fun t => G (a * - t + b))); [apply is_lim_const|].
    apply (is_lim_ext (fun t => G (- (a * t + - b)))); [intros; f_equal; ring|].
    apply (limit_along_a_line (fun t => G (- t))); assumption.
  - apply (is_lim_plus' (fun _ => - G b) (fun t => G (a * t + b))); [apply is_lim_const|].
    apply limit_along_a_line; assumption.
Qed.

Lemma mean_after_a_substitution : forall X a b, 0 < a -> integrable gauss X ->
  integrable gauss (fun x => X (a * x + b) * tilt a b x) /\ E gauss (fun x => X (a * x + b) * tilt a b x) = E gauss X.
Proof.
  intros X a b positive [m mean]. replace (E gauss X) with m by (symmetry; apply mean_is; assumption).
  apply gauss_has, affine_substitution; assumption.
Qed.

(** N and -N have the same law. *)
Lemma mean_of_the_reflected : forall X, integrable gauss X -> E gauss (fun x => X (- x)) = E gauss X.
Proof.
  intros X [m mean]. replace (E gauss X) with m by (symmetry; apply mean_is; assumption). apply mean_is. destruct mean as (G & A & B & (integral & left & right) & value).
  exists (fun t => - G (- t)), (- B), (- A). repeat split; [| | |subst; ring].
  - intros t. apply (is_RInt_ext (fun x => opp (opp (X (- x) * density (- x))))).
    + intros x _. rewrite opp_opp, density_is_even. reflexivity.
    + apply (is_RInt_opp (fun x => opp (X (- x) * density (- x)))).
      apply (is_RInt_comp_opp (fun x => X x * density x)). rewrite Ropp_0. apply integral.
  - apply (is_lim_ext (fun t => - G t)); [intros; rewrite Ropp_involutive; reflexivity|].
    apply (is_lim_opp G p_infty B). assumption.
  - apply (is_lim_opp (fun t => G (- t)) p_infty A). assumption.
Qed.

(** ** The sum *)

Section Sum.

  Variables (phi : R -> R) (M s t : R).
  Hypothesis phi_is_continuous : forall x, continuous phi x.
  Hypothesis phi_is_bounded : forall x, Rabs (phi x) <= M.

  Lemma composition_is_continuous : forall c d x, continuous (fun x => phi (c + d * x)) x.
  Proof.
    intros c d x. apply (continuous_comp (fun x => c + d * x) phi); [|apply phi_is_continuous].
    apply (ex_derive_continuous (fun x => c + d * x)). auto_derive. trivial.
  Qed.

  Lemma composition_is_integrable : forall c d, integrable gauss (fun x => phi (c + d * x)).
  Proof. intros. apply (continuous_bounded_is_integrable _ M); [apply composition_is_continuous | intros; apply phi_is_bounded]. Qed.

  Lemma multiple_is_integrable_too : forall d, integrable gauss (fun x => phi (d * x)).
  Proof.
    intros d. apply (integrable_same _ gauss (fun x => phi (0 + d * x))); [|apply composition_is_integrable].
    intros x. rewrite Rplus_0_l. reflexivity.
  Qed.

  Hypothesis t_is_positive : 0 < t.

  Let r := sqrt (s ^ 2 + t ^ 2).

  (** The common density of (x, u), with both variables scaled by sqrt 2, over that of two normals: symmetric. *)
  Let W (x u : R) : R := 2 * r / t * exp (- ((r * u - s * x) ^ 2 + (r * x - s * u) ^ 2) / (2 * t ^ 2)).

  Let square_of_r : r ^ 2 = s ^ 2 + t ^ 2.
  Proof. unfold r. rewrite pow2_sqrt; [reflexivity|]. pose proof (pow2_ge_0 s). pose proof (pow2_ge_0 t). lra. Qed.

  Let r_is_positive : 0 < r.
  Proof. apply sqrt_lt_R0. pose proof (pow2_ge_0 s). pose proof (pow_lt t 2 t_is_positive). lra. Qed.

  Let W_is_symmetric : forall x u, W x u = W u x.
  Proof. intros. unfold W. f_equal. f_equal. f_equal. ring. Qed.

  Let W_is_bounded : forall x u, 0 <= W x u <= 2 * r / t.
  Proof.
    intros x u. unfold W. assert (0 < 2 * r / t) by (apply Rdiv_lt_0_compat; lra).
    split; [apply Rmult_le_pos; [lra | apply Rlt_le, exp_pos]|].
    rewrite <- (Rmult_1_r (2 * r / t)) at 2. apply Rmult_le_compat_l; [lra|]. rewrite <- exp_0.
    assert (exponent : - ((r * u - s * x) ^ 2 + (r * x - s * u) ^ 2) / (2 * t ^ 2) <= 0).
    { pose proof (pow2_ge_0 (r * u - s * x)). pose proof (pow2_ge_0 (r * x - s * u)). pose proof (pow_lt t 2 t_is_positive).
      unfold Rdiv. rewrite Ropp_mult_distr_l_reverse. apply Ropp_le_contravar in H0.
      assert (0 < / (2 * t ^ 2)) by (apply Rinv_0_lt_compat; lra).
      assert (0 <= ((r * u - s * x) ^ 2 + (r * x - s * u) ^ 2) * / (2 * t ^ 2)) by (apply Rmult_le_pos; lra). lra. }
    destruct exponent as [below | zero]; [apply Rlt_le, exp_increasing; assumption | right; f_equal; assumption].
  Qed.

  Let W_is_a_product_of_tilts : forall x u, tilt (sqrt 2 * r / t) (- (sqrt 2 * s * x / t)) u * tilt (sqrt 2) 0 x = W x u.
  Proof.
    intros x u. unfold tilt, W. assert (root : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
    set (q := sqrt 2) in *. clearbody q.
    match goal with |- (?a * exp ?b) * (?c * exp ?d) = _ => replace (a * exp b * (c * exp d)) with (a * c * exp (b + d)) end.
    2: { rewrite exp_plus. ring. }
    f_equal; [unfold Rdiv; rewrite <- root; ring|]. f_equal.
    apply (Rmult_eq_reg_r (2 * t ^ 2)); [|pose proof (pow_lt t 2 t_is_positive); lra].
    replace (((u ^ 2 - (q * r / t * u + - (q * s * x / t)) ^ 2) / 2 + (x ^ 2 - (q * x + 0) ^ 2) / 2) * (2 * t ^ 2))
      with (t ^ 2 * (u ^ 2 + x ^ 2) - (q * q) * (r * u - s * x) ^ 2 - (q * q) * (t ^ 2 * x ^ 2)) by (field; lra).
    rewrite root. replace (- ((r * u - s * x) ^ 2 + (r * x - s * u) ^ 2) / (2 * t ^ 2) * (2 * t ^ 2))
      with (- ((r * u - s * x) ^ 2 + (r * x - s * u) ^ 2)) by (field; lra).
    replace (t ^ 2) with (r ^ 2 - s ^ 2) by lra. ring.
  Qed.

  Let W_is_continuous : forall x u, continuity_2d_pt W x u.
  Proof.
    intros x u. unfold W. apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|].
    apply (continuity_1d_2d_pt_comp exp).
    - apply derivable_continuous_pt, derivable_pt_exp.
    - unfold Rdiv. apply continuity_2d_pt_mult; [|apply continuity_2d_pt_const]. apply continuity_2d_pt_opp.
      assert (linear : forall a b, continuity_2d_pt (fun x u => a * u - b * x) x u).
      { intros. apply continuity_2d_pt_minus; apply continuity_2d_pt_mult;
          first [apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2]. }
      assert (linear' : forall a b, continuity_2d_pt (fun x u => a * x - b * u) x u).
      { intros. apply continuity_2d_pt_minus; apply continuity_2d_pt_mult;
          first [apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2]. }
      apply continuity_2d_pt_plus; simpl; (apply continuity_2d_pt_mult; [|apply continuity_2d_pt_mult;
        [|apply continuity_2d_pt_const]]); first [apply linear | apply linear'].
  Qed.

  Lemma sum_with_a_positive_factor : E gauss (fun x => E gauss (fun y => phi (s * x + t * y))) = E gauss (fun z => phi (r * z)).
  Proof.
    assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (scale : 0 < sqrt 2 * r / t) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; assumption).
    set (H := fun x u => phi (sqrt 2 * r * u) * W x u).
    assert (cont : forall x u, continuity_2d_pt H x u).
    { intros x u. apply continuity_2d_pt_mult; [|apply W_is_continuous].
      apply (continuity_of_a_function_of_the_second (fun u => phi (sqrt 2 * r * u))).
      apply (continuous_ext (fun u => phi (0 + sqrt 2 * r * u))); [intros; f_equal; apply Rplus_0_l | apply composition_is_continuous]. }
    assert (bound : forall x u, Rabs (H x u) <= M * (2 * r / t)).
    { intros x u. unfold H. rewrite Rabs_mult. destruct (W_is_bounded x u).
      apply Rmult_le_compat; try apply Rabs_pos; [apply phi_is_bounded|]. rewrite Rabs_right; lra. }
    assert (mean_is_integrable : integrable gauss (fun x => E gauss (fun y => phi (s * x + t * y)))).
    { apply (continuous_bounded_is_integrable _ M).
      - apply (mean_of_a_column_is_continuous (fun x y => phi (s * x + t * y)) M); [|intros; apply phi_is_bounded].
        intros x y. apply (continuity_1d_2d_pt_comp phi (fun x y => s * x + t * y)); [apply continuity_pt_filterlim, phi_is_continuous|].
        apply continuity_2d_pt_plus; apply continuity_2d_pt_mult;
          first [apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2].
      - intros x. apply mean_is_bounded; [apply composition_is_integrable | intros; apply phi_is_bounded]. }
    (* x is scaled by sqrt 2, and y = (sqrt 2 r u - sqrt 2 s x)/t. *)
    rewrite <- (proj2 (mean_after_a_substitution _ (sqrt 2) 0 root mean_is_integrable)).
    transitivity (E gauss (fun x => E gauss (H x))).
    { apply E_same. intros x. destruct (mean_after_a_substitution (fun y => phi (s * (sqrt 2 * x + 0) + t * y))
        (sqrt 2 * r / t) (- (sqrt 2 * s * x / t)) scale (composition_is_integrable _ _)) as [random value].
      rewrite <- value, Rmult_comm, <- E_of_multiple by assumption. apply E_same. intros u. unfold H.
      rewrite <- W_is_a_product_of_tilts.
      replace (s * (sqrt 2 * x + 0) + t * (sqrt 2 * r / t * u + - (sqrt 2 * s * x / t))) with (sqrt 2 * r * u) by (field; lra).
      ring. }
    (* The exchange. *)
    change (E gauss (fun x => E gauss (H x))) with (E gauss (fun x => E gauss (fun u => H x u))).
    rewrite (means_exchange H (M * (2 * r / t)) cont bound).
    (* The same substitution in x. *)
    rewrite <- (proj2 (mean_after_a_substitution _ (sqrt 2) 0 root (multiple_is_integrable_too r))).
    apply E_same. intros u.
    destruct (mean_after_a_substitution (fun _ => 1) (sqrt 2 * r / t) (- (sqrt 2 * s * u / t)) scale (integrable_one _ gauss))
      as [random value]. rewrite E_one in value.
    transitivity (E gauss (fun x => phi (sqrt 2 * r * u) * tilt (sqrt 2) 0 u
                                    * (1 * tilt (sqrt 2 * r / t) (- (sqrt 2 * s * u / t)) x))).
    - apply E_same. intros x. unfold H. rewrite W_is_symmetric, <- W_is_a_product_of_tilts. ring.
    - rewrite E_of_multiple, value by assumption. replace (r * (sqrt 2 * u + 0)) with (sqrt 2 * r * u) by ring. ring.
  Qed.

End Sum.

(** A sum of two independent normals is normal: E phi(s N + t N') = E phi(sqrt(s^2 + t^2) N) for
    every continuous bounded phi; the left side is an iterated mean, first over N', then over N. *)
Lemma sum_of_two_normals : forall (phi : R -> R) (M s t : R), (forall x, continuous phi x) -> (forall x, Rabs (phi x) <= M) ->
  E gauss (fun x => E gauss (fun y => phi (s * x + t * y))) = E gauss (fun z => phi (sqrt (s ^ 2 + t ^ 2) * z)).
Proof.
  intros phi M s t cont bound. destruct (Rtotal_order t 0) as [below | [zero | above]].
  - (* t < 0: N' reflected. *)
    replace (s ^ 2 + t ^ 2) with (s ^ 2 + (- t) ^ 2) by ring.
    rewrite <- (sum_with_a_positive_factor phi M s (- t) cont bound) by lra. apply E_same. intros x.
    rewrite <- (mean_of_the_reflected (fun y => phi (s * x + t * y))) by (apply (composition_is_integrable phi M); assumption).
    apply E_same. intros y. f_equal. ring.
  - (* t = 0: the law of |s| N is that of s N. *)
    subst t. replace (s ^ 2 + 0 ^ 2) with (Rsqr s) by (unfold Rsqr; ring). rewrite sqrt_Rsqr_abs.
    transitivity (E gauss (fun x => phi (s * x))).
    { apply E_same. intros x. rewrite <- (E_of_constant gauss). apply E_same. intros y. f_equal. ring. }
    unfold Rabs. destruct (Rcase_abs s); [|reflexivity].
    rewrite <- (mean_of_the_reflected (fun x => phi (s * x))) by (apply (multiple_is_integrable_too phi M); assumption).
    apply E_same. intros x. f_equal. ring.
  - apply (sum_with_a_positive_factor phi M); assumption.
Qed.
