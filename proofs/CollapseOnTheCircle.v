(** * Reflection invariance in dimension 2: an instance

    A random matrix with two columns whose law no reflection of the plane changes: each row is a multiple of one unit
    vector of random direction.  The mean over the directions needs no integral.  A function X of the angle has the mean c
    if for every epsilon > 0 some average of translates of X is within epsilon of c everywhere. *)

From Coq Require Import List Arith Reals Lra Lia.
From EmbeddedHunter Require Import Vectors Expectation Collapse.
Import ListNotations.
Local Open Scope R_scope.

(** ** Averages of translates *)

(** The average of X at t + s, s in a list. *)
Definition translates (shifts : list R) (X : R -> R) (t : R) : R :=
  sum shifts (fun s => X (t + s)) / INR (length shifts).

(** All sums s + s'. *)
Definition sums (a b : list R) : list R := flat_map (fun s => map (fun s' => s + s') b) a.

Lemma sum_over_an_appended_list : forall (a b : list R) f, sum (a ++ b) f = sum a f + sum b f.
Proof. induction a as [|s a IH]; intros b f; cbn [app sum]; [lra|]. rewrite IH. lra. Qed.

Lemma sum_over_sums : forall a b f, sum (sums a b) f = sum a (fun s => sum b (fun s' => f (s + s'))).
Proof.
  intros a b f.
  assert (moved : forall s, sum (map (fun s' => s + s') b) f = sum b (fun s' => f (s + s')))
    by (intros s; induction b as [|s' b IHb]; cbn [map sum]; [reflexivity | rewrite IHb; reflexivity]).
  unfold sums. induction a as [|s a IH]; cbn [flat_map sum]; [reflexivity|].
  rewrite sum_over_an_appended_list, IH, moved. reflexivity.
Qed.

Lemma length_of_sums : forall a b, length (sums a b) = (length a * length b)%nat.
Proof.
  intros a b. unfold sums. induction a as [|s a IH]; [reflexivity|]. cbn [flat_map length].
  rewrite app_length, map_length, IH. reflexivity.
Qed.

Lemma some_shifts : forall (a : list R), a <> [] -> 0 < INR (length a).
Proof. intros [|s a] other; [easy|]. apply lt_0_INR. cbn. lia. Qed.

Lemma sums_are_not_empty : forall a b, a <> [] -> b <> [] -> sums a b <> [].
Proof. intros [|s a] [|s' b]; intros; try easy. Qed.

Lemma translates_of_translates : forall a b X t, a <> [] -> b <> [] ->
  translates (sums a b) X t = translates a (translates b X) t.
Proof.
  intros a b X t some_a some_b. unfold translates.
  rewrite sum_over_sums, length_of_sums, mult_INR. pose proof (some_shifts a some_a). pose proof (some_shifts b some_b).
  rewrite (sum_of_equal_terms _ a (fun s => sum b (fun s' => X (t + s + s')) / INR (length b))
    (fun s => / INR (length b) * sum b (fun s' => X (t + (s + s'))))).
  - rewrite sum_of_multiples. field. lra.
  - intros s _. rewrite (sum_of_equal_terms _ b _ (fun s' => X (t + (s + s')))) by (intros; f_equal; lra).
    field. lra.
Qed.

Lemma sums_commute : forall a b X t, translates (sums a b) X t = translates (sums b a) X t.
Proof.
  intros a b X t. unfold translates. rewrite !sum_over_sums, !length_of_sums, Nat.mul_comm. f_equal.
  induction a as [|s a IH]; cbn [sum].
  - induction b as [|s' b IHb]; cbn [sum]; [reflexivity|]. rewrite <- IHb. lra.
  - rewrite IH. rewrite <- sum_of_sums. apply sum_of_equal_terms. intros s' _. cbn [sum]. f_equal. f_equal. lra.
Qed.

Lemma translates_are_at_most : forall a X t u, a <> [] -> (forall t', X t' <= u) -> translates a X t <= u.
Proof.
  intros a X t u some below. unfold translates. pose proof (some_shifts a some).
  apply Rmult_le_reg_r with (INR (length a)); [assumption|].
  replace (sum a (fun s => X (t + s)) / INR (length a) * INR (length a)) with (sum a (fun s => X (t + s))) by (field; lra).
  clear some H. induction a as [|s a IH]; cbn [sum]; [cbn; lra|].
  cbn [length]. rewrite S_INR. specialize (below (t + s)). lra.
Qed.

Lemma translates_of_a_combination : forall a c c' X Y t,
  translates a (fun t => c * X t + c' * Y t) t = c * translates a X t + c' * translates a Y t.
Proof.
  intros a c c' X Y t. unfold translates.
  rewrite (sum_of_sums _ a (fun s => c * X (t + s)) (fun s => c' * Y (t + s))), !sum_of_multiples. unfold Rdiv. ring.
Qed.

Lemma translates_of_equals : forall a X Y t, (forall t, X t = Y t) -> translates a X t = translates a Y t.
Proof. intros a X Y t same. unfold translates. f_equal. apply sum_of_equal_terms. intros. apply same. Qed.

(** ** The mean *)

(** Some average of translates of X is at most u everywhere. *)
Definition is_above (X : R -> R) (u : R) : Prop := exists a, a <> [] /\ forall t, translates a X t <= u.

(** Averages of translates of X are as near to c as one likes, everywhere. *)
Definition has_mean (X : R -> R) (c : R) : Prop :=
  forall epsilon, 0 < epsilon -> exists a, a <> [] /\ forall t, Rabs (translates a X t - c) <= epsilon.

(** The real numbers, mapped onto the interval (-1, 1); so that every set has a supremum. *)
Definition squeezed (x : R) : R := x / (1 + Rabs x).

(** The mean is the greatest number that is at most every u with [is_above X u].  It is found through the squeezed numbers;
    of a function without a mean it may be any number. *)
Definition below_all (X : R -> R) (w : R) : Prop :=
  w = -1 \/ exists x, (forall u, is_above X u -> x <= u) /\ w = squeezed x.

Lemma squeezed_is_small : forall x, -1 <= squeezed x <= 1.
Proof.
  intros x. unfold squeezed. pose proof (Rabs_pos x). pose proof (Rle_abs x). pose proof (Rle_abs (- x)) as opposite.
  rewrite Rabs_Ropp in opposite.
  split; apply Rmult_le_reg_r with (1 + Rabs x); try lra;
    replace (x / (1 + Rabs x) * (1 + Rabs x)) with x by (field; lra); lra.
Qed.

Lemma below_all_is_bounded : forall X, bound (below_all X).
Proof.
  intros X. exists 1. intros w [-> | (x & _ & ->)]; [lra|]. apply squeezed_is_small.
Qed.

Lemma below_all_has_a_member : forall X, exists w, below_all X w.
Proof. intros X. exists (-1). left. reflexivity. Qed.

Definition supremum (X : R -> R) : R := proj1_sig (completeness (below_all X) (below_all_is_bounded X) (below_all_has_a_member X)).

Definition mean_of (X : R -> R) : R := supremum X / (1 - Rabs (supremum X)).

Lemma supremum_is : forall X, is_lub (below_all X) (supremum X).
Proof. intros X. unfold supremum. apply proj2_sig. Qed.

Lemma mean_of_equivalents : forall X Y, (forall u, is_above X u <-> is_above Y u) -> mean_of X = mean_of Y.
Proof.
  intros X Y same. unfold mean_of. replace (supremum X) with (supremum Y); [reflexivity|].
  apply (is_lub_u (below_all X)); [|apply supremum_is].
  assert (equal : forall w, below_all Y w <-> below_all X w).
  { intros w. unfold below_all. split; (intros [low | (x & below & ->)]; [now left|right; exists x; split; [|reflexivity]]);
      intros u above; apply below; now apply same. }
  destruct (supremum_is Y) as [upper least]. split.
  - intros w member. apply upper. now apply equal.
  - intros b upper'. apply least. intros w member. apply upper'. now apply equal.
Qed.

Lemma squeezed_is_monotone : forall x y, x <= y -> squeezed x <= squeezed y.
Proof.
  intros x y below. unfold squeezed. pose proof (Rabs_pos x). pose proof (Rabs_pos y).
  apply Rmult_le_reg_r with ((1 + Rabs x) * (1 + Rabs y)); [nra|].
  replace (x / (1 + Rabs x) * ((1 + Rabs x) * (1 + Rabs y))) with (x * (1 + Rabs y)) by (field; lra).
  replace (y / (1 + Rabs y) * ((1 + Rabs x) * (1 + Rabs y))) with (y * (1 + Rabs x)) by (field; lra).
  unfold Rabs. destruct (Rcase_abs x), (Rcase_abs y); nra.
Qed.

Lemma mean_is : forall X c, has_mean X c -> mean_of X = c.
Proof.
  intros X c mean.
  assert (least : forall u, is_above X u -> c <= u).
  { intros u (b & some_b & above). apply Rnot_lt_le. intros less.
    destruct (mean ((c - u) / 2) ltac:(lra)) as (a & some_a & near).
    pose proof (translates_of_translates a b X 0 some_a some_b) as one.
    pose proof (translates_of_translates b a X 0 some_b some_a) as two.
    rewrite sums_commute, two in one.
    assert (high : translates a (translates b X) 0 <= u) by now apply translates_are_at_most.
    assert (low : translates b (fun t => - 1 * translates a X t + 0 * 0) 0 <= - c + (c - u) / 2).
    { apply translates_are_at_most; [assumption|]. intros t. specialize (near t). revert near. unfold Rabs.
      destruct (Rcase_abs _); lra. }
    rewrite (translates_of_a_combination b (-1) 0 (translates a X) (fun _ => 0)) in low. lra. }
  assert (greatest : forall x, (forall u, is_above X u -> x <= u) -> x <= c).
  { intros x below. apply Rnot_lt_le. intros less.
    destruct (mean ((x - c) / 2) ltac:(lra)) as (a & some_a & near).
    assert (above : is_above X (c + (x - c) / 2)).
    { exists a. split; [assumption|]. intros t. specialize (near t). revert near. unfold Rabs. destruct (Rcase_abs _); lra. }
    specialize (below _ above). lra. }
  assert (sup : supremum X = squeezed c).
  { apply (is_lub_u (below_all X)); [apply supremum_is|]. split.
    - intros w [-> | (x & below & ->)]; [apply squeezed_is_small|]. apply squeezed_is_monotone. now apply greatest.
    - intros b upper. apply upper. right. exists c. now split. }
  unfold mean_of. rewrite sup. unfold squeezed. pose proof (Rabs_pos c).
  assert (size : Rabs (c / (1 + Rabs c)) = Rabs c / (1 + Rabs c)).
  { unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ (1 + Rabs c))); [reflexivity|].
    apply Rlt_le, Rinv_0_lt_compat. lra. }
  rewrite size. field. split; [|lra]. replace (1 + Rabs c - Rabs c) with 1 by ring. lra.
Qed.

Lemma mean_of_a_combination : forall c c' X Y m m', has_mean X m -> has_mean Y m' ->
  has_mean (fun t => c * X t + c' * Y t) (c * m + c' * m').
Proof.
  intros c c' X Y m m' mean_X mean_Y epsilon positive.
  set (size := Rabs c + Rabs c' + 1). pose proof (Rabs_pos c). pose proof (Rabs_pos c').
  assert (0 < size) by (unfold size; lra).
  assert (small : 0 < epsilon / size) by now apply Rdiv_lt_0_compat.
  destruct (mean_X (epsilon / size) small) as (a & some_a & near_X).
  destruct (mean_Y (epsilon / size) small) as (b & some_b & near_Y).
  assert (near : forall d Z n, d <> [] -> (forall t, Rabs (Z t - n) <= epsilon / size) ->
    forall t, Rabs (translates d Z t - n) <= epsilon / size).
  { intros d Z n some close t.
    assert (high : translates d (fun t => 1 * Z t + (- n) * 1) t <= epsilon / size).
    { apply translates_are_at_most; [assumption|]. intros t'. specialize (close t'). revert close. unfold Rabs.
      destruct (Rcase_abs _); lra. }
    assert (low : translates d (fun t => (-1) * Z t + n * 1) t <= epsilon / size).
    { apply translates_are_at_most; [assumption|]. intros t'. specialize (close t'). revert close. unfold Rabs.
      destruct (Rcase_abs _); lra. }
    rewrite (translates_of_a_combination d 1 (- n) Z (fun _ => 1)) in high.
    rewrite (translates_of_a_combination d (-1) n Z (fun _ => 1)) in low.
    assert (one : translates d (fun _ => 1) t = 1).
    { unfold translates. rewrite sum_of_a_constant. pose proof (some_shifts d some). field. lra. }
    rewrite one in high, low. unfold Rabs. destruct (Rcase_abs _); lra. }
  exists (sums a b). split; [now apply sums_are_not_empty|]. intros t.
  rewrite translates_of_a_combination.
  assert (close_X : Rabs (translates (sums a b) X t - m) <= epsilon / size).
  { rewrite sums_commute, translates_of_translates by assumption. now apply near. }
  assert (close_Y : Rabs (translates (sums a b) Y t - m') <= epsilon / size).
  { rewrite translates_of_translates by assumption. now apply near. }
  replace (c * translates (sums a b) X t + c' * translates (sums a b) Y t - (c * m + c' * m'))
    with (c * (translates (sums a b) X t - m) + c' * (translates (sums a b) Y t - m')) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
  assert (sum_of_both : Rabs c * Rabs (translates (sums a b) X t - m) + Rabs c' * Rabs (translates (sums a b) Y t - m')
    <= (Rabs c + Rabs c') * (epsilon / size)) by nra.
  eapply Rle_trans; [exact sum_of_both|].
  apply Rle_trans with (size * (epsilon / size)); [|right; field; lra].
  apply Rmult_le_compat_r; [lra|]. unfold size. lra.
Qed.

Lemma mean_of_equals : forall X Y c, (forall t, X t = Y t) -> has_mean X c -> has_mean Y c.
Proof.
  intros X Y c same mean epsilon positive. destruct (mean epsilon positive) as (a & some & near).
  exists a. split; [assumption|]. intros t. rewrite <- (translates_of_equals a X Y t same). apply near.
Qed.

Lemma constants_have_means : forall c, has_mean (fun _ => c) c.
Proof.
  intros c epsilon positive. exists [0]. split; [easy|]. intros t. unfold translates. cbn [sum length INR].
  replace ((c + 0) / 1 - c) with 0 by field. rewrite Rabs_R0. lra.
Qed.

(** A direction at random. *)
Definition circle : expectation R.
Proof.
  refine {| integrable := fun X => exists c, has_mean X c; E := mean_of |}.
  - intros X Y same (c & mean). exists c. now apply (mean_of_equals X).
  - intros a b X Y (c & mean) (c' & mean'). exists (a * c + b * c'). now apply mean_of_a_combination.
  - exists 1. apply constants_have_means.
  - intros X Y same. apply mean_of_equivalents. intros u. unfold is_above.
    split; intros (a & some & above); exists a; split; try assumption; intros t.
    + rewrite <- (translates_of_equals a X Y t same). apply above.
    + rewrite (translates_of_equals a X Y t same). apply above.
  - intros a b X Y (c & mean) (c' & mean'). rewrite (mean_is X c mean), (mean_is Y c' mean').
    apply mean_is. now apply mean_of_a_combination.
  - intros X (c & mean) positive. rewrite (mean_is X c mean). apply Rnot_lt_le. intros negative.
    destruct (mean (- c / 2) ltac:(lra)) as (a & some & near).
    assert (low : translates a (fun t => (-1) * X t + 0 * 0) 0 <= 0).
    { apply translates_are_at_most; [assumption|]. intros t. specialize (positive t). lra. }
    rewrite (translates_of_a_combination a (-1) 0 X (fun _ => 0)) in low. specialize (near 0). revert near.
    unfold Rabs. destruct (Rcase_abs _); lra.
  - apply mean_is, constants_have_means.
Defined.

(** To count the angles backwards from c changes no mean. *)
Lemma mean_of_the_opposite_directions : forall X c, mean_of (fun t => X (c - t)) = mean_of X.
Proof.
  intros X c. apply mean_of_equivalents. intros u.
  assert (H : forall Y, is_above Y u -> is_above (fun t => Y (c - t)) u).
  { intros Y (a & some & above). exists (map Ropp a). split; [now destruct a|]. intros t.
    unfold translates. rewrite map_length. specialize (above (c - t)). unfold translates in above.
    replace (sum (map Ropp a) (fun s => Y (c - (t + s)))) with (sum a (fun s => Y (c - t + s))); [assumption|].
    clear. induction a as [|s a IH]; cbn [map sum]; [reflexivity|]. rewrite IH. f_equal. f_equal. lra. }
  split; intros above; [|now apply H]. apply H in above. destruct above as (a & some & above). exists a.
  split; [assumption|]. intros t. specialize (above t). revert above.
  rewrite (translates_of_equals a (fun t0 => X (c - (c - t0))) X); [auto|]. intros t'. f_equal. lra.
Qed.

(** ** A matrix of random direction *)

(** Row i is u_i (cos t, sin t). *)
Definition turned (u : nat -> R) (t : R) : matrix := fun i j => u i * (if Nat.eqb j 0 then cos t else sin t).

(** Every point of the unit circle has an angle. *)
Lemma a_point_of_the_circle_has_an_angle : forall p q, p * p + q * q = 1 -> exists t, cos t = p /\ sin t = q.
Proof.
  intros p q unit. assert (range : -1 <= p <= 1) by nra.
  pose proof (cos_acos p range) as cosine. pose proof (sin_acos p range) as sine.
  replace (1 - Rsqr p) with (Rsqr q) in sine by (unfold Rsqr; lra). rewrite sqrt_Rsqr_abs in sine.
  destruct (Rle_lt_dec 0 q) as [upper | lower].
  - exists (acos p). rewrite sine, Rabs_pos_eq by assumption. now split.
  - exists (- acos p). rewrite cos_neg, sin_neg, sine, Rabs_left by assumption. split; [assumption | ring].
Qed.

(** Claim [radial-collapse]. No reflection of the plane changes the law of a matrix whose rows are multiples of one unit
    vector of random direction: an instance, with d = 2, of the hypothesis of [reflection_invariance_gives_radial_collapse]. *)
Theorem matrices_of_random_direction_are_reflection_invariant_in_dimension_2 : forall n u (v : vector) (F : matrix -> R),
  (forall B B', (forall i j, (i < n)%nat -> (j < 2)%nat -> B i j = B' i j) -> F B = F B') ->
  E circle (fun t => F (reflected 2 v (turned u t))) = E circle (fun t => F (turned u t)).
Proof.
  intros n u v F extensional.
  assert (square : square_norm (coordinates 2) v = v 0%nat * v 0%nat + v 1%nat * v 1%nat)
    by (unfold square_norm; cbn [coordinates seq sum]; ring).
  assert (entry : forall t i, times 2 (turned u t) v i = u i * (cos t * v 0%nat + sin t * v 1%nat))
    by (intros; unfold times, turned; cbn [coordinates seq sum Nat.eqb]; ring).
  destruct (Req_dec (v 0%nat * v 0%nat + v 1%nat * v 1%nat) 0) as [zero | other].
  - apply E_same. intros t. apply extensional. intros i j _ small. unfold reflected.
    assert (v 0%nat = 0 /\ v 1%nat = 0) as [zero_0 zero_1] by (split; nra).
    replace (v j) with 0; [ring|]. destruct j as [|[|j]]; [now rewrite zero_0 | now rewrite zero_1 | lia].
  - set (r := v 0%nat * v 0%nat + v 1%nat * v 1%nat) in *.
    destruct (a_point_of_the_circle_has_an_angle ((v 1%nat * v 1%nat - v 0%nat * v 0%nat) / r) (- (2 * v 0%nat * v 1%nat) / r))
      as (c & cosine & sine).
    { replace 1 with (r * r / (r * r)) by (field; assumption). unfold r. field. exact other. }
    change (mean_of (fun t => F (reflected 2 v (turned u t))) = mean_of (fun t => F (turned u t))).
    rewrite <- (mean_of_the_opposite_directions (fun t => F (turned u t)) c).
    apply (E_same _ circle). intros t. apply extensional. intros i j _ small. unfold reflected.
    rewrite entry, square. fold r. unfold turned. rewrite cos_minus, sin_minus, cosine, sine.
    destruct j as [|[|j]]; [| |lia]; cbn [Nat.eqb]; unfold r; field; exact other.
Qed.

(** ** The law is not degenerate *)

(** Claim [radial-collapse]. The entries of this matrix have mean 0, and their squares have mean u_i^2 / 2. *)
Theorem a_matrix_of_random_direction_has_centered_entries : forall u i j, (j < 2)%nat ->
  integrable circle (fun t => turned u t i j) /\ E circle (fun t => turned u t i j) = 0 /\
  integrable circle (fun t => turned u t i j ^ 2) /\ E circle (fun t => turned u t i j ^ 2) = u i ^ 2 / 2.
Proof.
  intros u i j small.
  assert (first : has_mean (fun t => turned u t i j) 0).
  { intros epsilon positive. exists [0; PI]. split; [easy|]. intros t. unfold translates, turned. cbn [sum length INR].
    rewrite !Rplus_0_r. destruct (Nat.eqb j 0); rewrite ?neg_cos, ?neg_sin;
      match goal with |- Rabs ?x <= _ => replace x with 0 by field end; rewrite Rabs_R0; lra. }
  assert (second : has_mean (fun t => turned u t i j ^ 2) (u i ^ 2 / 2)).
  { intros epsilon positive. exists [0; PI / 2]. split; [easy|]. intros t. unfold translates, turned. cbn [sum length INR].
    rewrite !Rplus_0_r, (Rplus_comm t (PI / 2)).
    pose proof (sin2_cos2 t) as circle_equation. unfold Rsqr in circle_equation.
    assert (cosine : cos (PI / 2 + t) = - sin t) by (rewrite sin_cos; ring).
    assert (sine : sin (PI / 2 + t) = cos t) by (rewrite <- cos_sin; reflexivity).
    destruct (Nat.eqb j 0); rewrite ?cosine, ?sine;
      match goal with |- Rabs ?x <= _ => replace x with 0 end; try (rewrite Rabs_R0; lra).
    - replace (u i ^ 2 / 2) with (u i ^ 2 / 2 * (sin t * sin t + cos t * cos t)) by (rewrite circle_equation; ring). field.
    - replace (u i ^ 2 / 2) with (u i ^ 2 / 2 * (sin t * sin t + cos t * cos t)) by (rewrite circle_equation; ring). field. }
  repeat split; try (now apply mean_is); eexists; eassumption.
Qed.
