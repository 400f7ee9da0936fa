(** * Continuous bounded functions of Gaussian variables

    A continuous bounded function X of N has a mean, and the part of the integral outside [-T, T] is at most
    M (1 - 2 Phi(T)) if |X| <= M.  So the means of two independent normals may be taken in either order: on a square by
    the derivative of an integral with a parameter, on the plane because little lies outside a large square. *)

From Coq Require Import List Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Expectation Gauss GaussExpectation.
Local Open Scope R_scope.

(** ** One variable *)

(** The probability of |N| > T. *)
Definition tail (T : R) : R := 1 - 2 * Phi T.

Lemma tail_vanishes : forall eps, 0 < eps -> exists T, 0 < T /\ tail T < eps.
Proof.
  intros eps positive. pose proof Phi_tends_to_one_half as limit. apply is_lim_spec in limit.
  destruct (limit (mkposreal (eps / 2) ltac:(lra))) as [M near]. cbn [pos] in near.
  exists (Rmax 1 (M + 1)). pose proof (Rmax_l 1 (M + 1)). pose proof (Rmax_r 1 (M + 1)).
  split; [lra|]. specialize (near (Rmax 1 (M + 1)) ltac:(lra)). apply Rabs_def2 in near. unfold tail. lra.
Qed.

Lemma Phi_difference : forall s t, is_RInt density s t (Phi t - Phi s).
Proof.
  intros s t. replace (Phi t - Phi s) with (opp (Phi s) + Phi t) by (change (- Phi s + Phi t = Phi t - Phi s); ring).
  apply (is_RInt_Chasles density s 0 t (opp (Phi s)) (Phi t)); [|apply Phi_is_the_integral].
  apply (is_RInt_swap density s 0). apply Phi_is_the_integral.
Qed.

Lemma Phi_is_monotone : forall s t, s <= t -> Phi s <= Phi t.
Proof.
  intros s t order. assert (0 <= Phi t - Phi s); [|lra].
  apply (is_RInt_ge_0 density s t); [assumption | apply Phi_difference | intros; apply Rlt_le, density_is_positive].
Qed.

Lemma Phi_is_below_one_half : forall t, Phi t <= / 2.
Proof.
  intros t. apply (is_lim_le_loc (fun _ => Phi t) Phi p_infty (Phi t) (/ 2)); [|apply is_lim_const | apply Phi_tends_to_one_half].
  exists t. intros u large. apply Phi_is_monotone. lra.
Qed.

Lemma tail_is_nonnegative : forall T, 0 <= tail T.
Proof. intros T. unfold tail. pose proof (Phi_is_below_one_half T). lra. Qed.

Section Bounded.

  Variables (X : R -> R) (M : R).
  Hypothesis X_is_continuous : forall x, continuous X x.
  Hypothesis X_is_bounded : forall x, Rabs (X x) <= M.

  Lemma product_with_density_is_continuous : forall x, continuous (fun x => X x * density x) x.
  Proof. intros x. apply (continuous_mult X density); [apply X_is_continuous | apply density_is_continuous]. Qed.

  Lemma product_with_density_is_integrable : forall a b, ex_RInt (fun x => X x * density x) a b.
  Proof. intros. apply (ex_RInt_continuous (fun x => X x * density x)). intros. apply product_with_density_is_continuous. Qed.

  (** A part of the integral is at most M times the probability of the interval. *)
  Lemma integral_is_at_most : forall s t, s <= t ->
    Rabs (RInt (fun x => X x * density x) s t) <= M * (Phi t - Phi s).
  Proof.
    intros s t order.
    apply (norm_RInt_le (fun x => X x * density x) (fun x => M * density x) s t); [assumption | | |].
    - intros x _. change (Rabs (X x * density x) <= M * density x). rewrite Rabs_mult.
      rewrite (Rabs_right (density x)) by apply Rle_ge, Rlt_le, density_is_positive.
      apply Rmult_le_compat_r; [apply Rlt_le, density_is_positive | apply X_is_bounded].
    - apply (RInt_correct (fun x => X x * density x)). apply product_with_density_is_integrable.
    - apply (is_RInt_scal density s t M (Phi t - Phi s)). apply Phi_difference.
  Qed.

  Lemma parts_of_the_integral : forall s t,
    RInt (fun x => X x * density x) 0 t - RInt (fun x => X x * density x) 0 s = RInt (fun x => X x * density x) s t.
  Proof.
    intros s t. pose proof (RInt_Chasles (fun x => X x * density x) 0 s t
      (product_with_density_is_integrable 0 s) (product_with_density_is_integrable s t)) as parts.
    change plus with Rplus in parts. lra.
  Qed.

End Bounded.

(** A function that changes by at most M (Phi(t) - Phi(s)) from s to t has a limit. *)
Lemma limit_by_Phi : forall (g : R -> R) M,
  (forall s t, 0 <= s <= t -> Rabs (g t - g s) <= M * (Phi t - Phi s)) ->
  exists l : R, is_lim g p_infty l /\ forall T, 0 <= T -> Rabs (l - g T) <= M * (tail T / 2).
Proof.
  intros g M steps.
  assert (large : forall s t, 0 <= s <= t -> Rabs (g t - g s) <= Rabs M * (tail s / 2)).
  { intros s t order. eapply Rle_trans; [apply steps; assumption|].
    pose proof (Phi_is_monotone s t ltac:(lra)). pose proof (Phi_is_below_one_half t). pose proof (Rle_abs M).
    unfold tail. apply Rle_trans with (Rabs M * (Phi t - Phi s)); [apply Rmult_le_compat_r; lra|].
    apply Rmult_le_compat_l; [apply Rabs_pos | lra]. }
  assert (converges : exists l : R, filterlim g (Rbar_locally p_infty) (locally l)).
  { apply (filterlim_locally_cauchy (U := R_CompleteSpace)). intros eps. pose proof (cond_pos eps) as positive. pose proof (Rabs_pos M).
    destruct (tail_vanishes (eps / (Rabs M + 1))) as (T & some & small); [apply Rdiv_lt_0_compat; lra|].
    assert (bound : Rabs M * (tail T / 2) < eps / 2).
    { apply Rlt_div_r in small; [|lra]. pose proof (tail_is_nonnegative T). nra. }
    exists (fun t => T < t). split; [exists T; auto|]. intros u v above_u above_v.
    change (Rabs (g v - g u) < eps).
    pose proof (large T u ltac:(lra)) as first. pose proof (large T v ltac:(lra)) as second.
    apply Rabs_le_between in first. apply Rabs_le_between in second. apply Rabs_def1; lra. }
  destruct converges as [l limit]. exists l. split; [exact limit|]. intros T positive.
  assert (difference : is_lim (fun t => Rabs (g t - g T)) p_infty (Rabs (l - g T))).
  { apply (is_lim_Rabs (fun t => g t - g T) p_infty (l - g T)).
    apply (is_lim_minus' g (fun _ => g T)); [exact limit | apply is_lim_const]. }
  apply (is_lim_le_loc (fun t => Rabs (g t - g T)) (fun t => M * (Phi t - Phi T)) p_infty (Rabs (l - g T)) (M * (tail T / 2)));
    [|assumption|].
  - exists T. intros t above. apply steps. lra.
  - replace (M * (tail T / 2)) with (M * (/ 2 - Phi T)) by (unfold tail; field).
    apply (is_lim_scal_l (fun t => Phi t - Phi T) M p_infty (/ 2 - Phi T)).
    apply (is_lim_minus' Phi (fun _ => Phi T)); [apply Phi_tends_to_one_half | apply is_lim_const].
Qed.

(** A continuous bounded function has a mean, and the integral over [-T, T] is near to it. *)
Lemma continuous_bounded_functions_have_means : forall X M,
  (forall x, continuous X x) -> (forall x, Rabs (X x) <= M) ->
  has_mean X (E gauss X) /\
  forall T, 0 <= T -> Rabs (E gauss X - RInt (fun x => X x * density x) (- T) T) <= M * tail T.
Proof.
  intros X M cont bound. set (G := fun t => RInt (fun x => X x * density x) 0 t).
  assert (parts : forall s t, G t - G s = RInt (fun x => X x * density x) s t) by (apply parts_of_the_integral; assumption).
  destruct (limit_by_Phi G M) as (B & right & near_right).
  { intros s t order. rewrite parts. apply (integral_is_at_most X M cont bound). lra. }
  destruct (limit_by_Phi (fun t => G (- t)) M) as (A & left & near_left).
  { intros s t order. rewrite <- Rabs_Ropp. replace (- (G (- t) - G (- s))) with (G (- s) - G (- t)) by ring.
    rewrite parts. replace (Phi t - Phi s) with (Phi (- s) - Phi (- t)) by (rewrite !Phi_is_odd; ring).
    apply (integral_is_at_most X M cont bound). lra. }
  assert (mean : has_mean X (B - A)).
  { exists G, A, B. repeat split; [|assumption..].
    intros t. apply (RInt_correct (fun x => X x * density x)). apply product_with_density_is_integrable. assumption. }
  assert (value : E gauss X = B - A) by (apply (mean_is _ _ mean)). rewrite value. split; [assumption|].
  intros T positive. rewrite <- parts. specialize (near_left T positive). specialize (near_right T positive).
  apply Rabs_le_between in near_left. apply Rabs_le_between in near_right. apply Rabs_le_between. lra.
Qed.

Lemma continuous_bounded_is_integrable : forall X M,
  (forall x, continuous X x) -> (forall x, Rabs (X x) <= M) -> integrable gauss X.
Proof. intros X M cont bound. eexists. apply (continuous_bounded_functions_have_means X M cont bound). Qed.

(** A mean is at most the bound. *)
Lemma mean_is_bounded : forall {Omega} (P : expectation Omega) X M,
  integrable P X -> (forall w, Rabs (X w) <= M) -> Rabs (E P X) <= M.
Proof.
  intros Omega P X M random bound. apply Rabs_le_between. split.
  - rewrite <- (E_of_constant P (- M)). apply E_is_monotone; [apply constant_is_integrable | assumption |].
    intros w. specialize (bound w). apply Rabs_le_between in bound. lra.
  - rewrite <- (E_of_constant P M). apply E_is_monotone; [assumption | apply constant_is_integrable |].
    intros w. specialize (bound w). apply Rabs_le_between in bound. lra.
Qed.

(** Two functions that differ by at most eps on [-T, T] have means that differ by little. *)
Lemma means_of_near_functions : forall X Y M eps T, 0 <= T -> 0 <= eps ->
  (forall x, continuous X x) -> (forall x, continuous Y x) ->
  (forall x, Rabs (X x) <= M) -> (forall x, Rabs (Y x) <= M) ->
  (forall x, Rabs x <= T -> Rabs (X x - Y x) <= eps) ->
  Rabs (E gauss X - E gauss Y) <= eps + 2 * M * tail T.
Proof.
  intros X Y M eps T some small cont_X cont_Y bound_X bound_Y near.
  set (inside := fun x => if Rle_dec (Rabs x) T then 1 else 0).
  assert (event : has_mean inside (2 * Phi T)).
  { apply mean_of_a_centered_interval; [assumption | |]; intros x; unfold inside; destruct (Rle_dec (Rabs x) T); intros; lra. }
  set (Z := fun x => (eps + 2 * M) * 1 + (- (2 * M)) * inside x).
  assert (mean_Z : has_mean Z ((eps + 2 * M) * 1 + (- (2 * M)) * (2 * Phi T)))
    by (apply has_mean_linear; [apply has_mean_one | assumption]).
  destruct (gauss_has _ _ mean_Z) as [random_Z value_Z].
  pose proof (continuous_bounded_is_integrable X M cont_X bound_X) as random_X.
  pose proof (continuous_bounded_is_integrable Y M cont_Y bound_Y) as random_Y.
  assert (pointwise : forall x, Rabs (X x - Y x) <= Z x).
  { intros x. unfold Z, inside. destruct (Rle_dec (Rabs x) T) as [close | far]; [specialize (near x close); lra|].
    specialize (bound_X x). specialize (bound_Y x). apply Rabs_le_between in bound_X. apply Rabs_le_between in bound_Y.
    apply Rabs_le_between. lra. }
  assert (half : forall a, a = 1 \/ a = -1 -> a * (E gauss X - E gauss Y) <= eps + 2 * M * tail T).
  { intros a unit. replace (a * (E gauss X - E gauss Y)) with (a * E gauss X + (- a) * E gauss Y) by ring.
    rewrite <- E_linear by assumption. replace (eps + 2 * M * tail T) with (E gauss Z) by (rewrite value_Z; unfold tail; ring).
    apply E_is_monotone; [apply integrable_linear; assumption | assumption |].
    intros x. specialize (pointwise x). apply Rabs_le_between in pointwise. destruct unit; subst; lra. }
  pose proof (half 1 ltac:(auto)). pose proof (half (-1) ltac:(auto)). apply Rabs_le_between. lra.
Qed.
