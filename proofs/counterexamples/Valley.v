(** * A valley on the line: the objective that refutes the printed Theorem 2.

    [valley x] is the smaller of a plateau, max (1, 9 |x| - 5), and of a hollow about x = 2/9, which is
    27 u^2 for u = |x - 2/9| <= 1/9 and goes on as the straight line 6 u - 1/3.  It is 9-Lipschitz. *)

From Coq Require Import List ZArith QArith Reals Qreals Lra Lia Psatz.
From EmbeddedHunter Require Import LineOfK Line.
Local Open Scope R_scope.

Definition hollow (u : R) : R := if Rle_dec u (1/9) then 27 * (u * u) else 6 * u - 1/3.
Definition plateau (x : R) : R := Rmax 1 (9 * Rabs x - 5).
Definition valley (x : R) : R := Rmin (hollow (Rabs (x - 2/9))) (plateau x).

Lemma square_of_abs t : Rabs t * Rabs t = t ^ 2.
Proof. unfold Rabs. destruct (Rcase_abs t); ring. Qed.

Lemma hollow_nonneg u : 0 <= u -> 0 <= hollow u.
Proof. intros H. unfold hollow. destruct (Rle_dec _ _); nra. Qed.

Lemma plateau_at_least_1 x : 1 <= plateau x.
Proof. apply Rmax_l. Qed.

Lemma valley_nonneg x : 0 <= valley x.
Proof.
  unfold valley. apply Rmin_glb; [apply hollow_nonneg, Rabs_pos|].
  pose proof (plateau_at_least_1 x). lra.
Qed.

Lemma valley_at_most_4 x : -1 <= x <= 1 -> valley x <= 4.
Proof.
  intros H. unfold valley. eapply Rle_trans; [apply Rmin_r|]. unfold plateau.
  apply Rmax_lub; [lra|]. assert (Rabs x <= 1) by (apply Rabs_le; lra). lra.
Qed.

Lemma valley_at_most_1 x : -2/3 <= x <= 2/3 -> valley x <= 1.
Proof.
  intros H. unfold valley. eapply Rle_trans; [apply Rmin_r|]. unfold plateau.
  apply Rmax_lub; [lra|]. assert (Rabs x <= 2/3) by (apply Rabs_le; lra). lra.
Qed.

Lemma valley_at_0 : valley 0 = 1.
Proof.
  unfold valley, plateau, hollow. rewrite Rabs_R0, (Rabs_left (0 - 2/9)) by lra.
  rewrite Rmax_left by lra. destruct (Rle_dec _ _); [lra|]. rewrite Rmin_left; lra.
Qed.

Lemma valley_at_the_bottom : valley (2/9) = 0.
Proof.
  unfold valley, hollow. rewrite Rminus_eq_0, Rabs_R0. destruct (Rle_dec _ _); [|lra].
  rewrite Rmin_left; [lra|]. pose proof (plateau_at_least_1 (2/9)). lra.
Qed.

Lemma valley_near_the_bottom x : Rabs (x - 2/9) <= 1/9 -> valley x <= 27 * (x - 2/9) ^ 2.
Proof.
  intros H. unfold valley. eapply Rle_trans; [apply Rmin_l|]. unfold hollow.
  destruct (Rle_dec _ _); [|lra]. rewrite square_of_abs. lra.
Qed.

Lemma below_the_plateau x eps : valley x <= eps -> eps < 1 -> hollow (Rabs (x - 2/9)) <= eps.
Proof.
  intros H L. unfold valley, Rmin in H. pose proof (plateau_at_least_1 x).
  destruct (Rle_dec _ _) in H; lra.
Qed.

Lemma valley_is_0_only_at_the_bottom x : valley x = 0 -> x = 2/9.
Proof.
  intros E. pose proof (below_the_plateau x 0 ltac:(lra) ltac:(lra)) as H. unfold hollow in H.
  pose proof (Rabs_pos (x - 2/9)) as A. destruct (Rle_dec _ _) in H; [|lra].
  assert (Z : Rabs (x - 2/9) = 0) by nra. revert Z. unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

(** The eps-optimal points lie in an interval, for eps < 1 and for eps >= 1. *)
Lemma near_optimal_below_1 x eps : valley x <= eps -> eps < 1 -> (x - 2/9) ^ 2 <= 4/81 * eps.
Proof.
  intros H L. pose proof (below_the_plateau x eps H L) as B. unfold hollow in B.
  pose proof (Rabs_pos (x - 2/9)) as A.
  rewrite <- square_of_abs.
  set (u := Rabs (x - 2/9)) in *. destruct (Rle_dec _ _) in B; nra.
Qed.

Lemma near_optimal_above_1 x eps : valley x <= eps -> 1 <= eps <= 3 -> Rabs x <= (eps + 5) / 9.
Proof.
  intros H L. unfold valley, Rmin in H. destruct (Rle_dec _ _) in H.
  - unfold hollow in H. pose proof (Rabs_triang (x - 2/9) (2/9)) as D.
    replace (x - 2/9 + 2/9) with x in D by lra. rewrite (Rabs_right (2/9)) in D by lra.
    destruct (Rle_dec _ _) in H; lra.
  - unfold plateau in H. pose proof (Rmax_r 1 (9 * Rabs x - 5)). lra.
Qed.

Lemma Rmin_is_lipschitz a b a' b' c : Rabs (a - a') <= c -> Rabs (b - b') <= c ->
  Rabs (Rmin a b - Rmin a' b') <= c.
Proof.
  unfold Rmin, Rabs. repeat destruct (Rle_dec _ _); repeat destruct (Rcase_abs _); lra.
Qed.

Lemma hollow_is_lipschitz u w : 0 <= u -> 0 <= w -> Rabs (hollow u - hollow w) <= 6 * Rabs (u - w).
Proof.
  intros Hu Hw. unfold hollow, Rabs.
  repeat destruct (Rle_dec _ _); repeat destruct (Rcase_abs _); nra.
Qed.

Lemma valley_is_lipschitz x y : Rabs (valley x - valley y) <= 9 * Rabs (x - y).
Proof.
  unfold valley. apply Rmin_is_lipschitz.
  - eapply Rle_trans; [apply hollow_is_lipschitz; apply Rabs_pos|].
    assert (D : Rabs (Rabs (x - 2/9) - Rabs (y - 2/9)) <= Rabs (x - y)).
    { replace (x - y) with ((x - 2/9) - (y - 2/9)) by lra. apply Rabs_triang_inv2. }
    pose proof (Rabs_pos (x - y)). lra.
  - assert (D : Rabs (Rabs x - Rabs y) <= Rabs (x - y)) by apply Rabs_triang_inv2.
    unfold plateau. revert D. generalize (Rabs x) (Rabs y) (Rabs (x - y)). intros a b c D.
    unfold Rmax. apply Rabs_le; revert D; unfold Rabs at 1;
      destruct (Rcase_abs (a - b)); intros D;
    repeat destruct (Rle_dec _ _); lra.
Qed.

(** ** The same function on rational numbers *)

Definition rational_abs (q : Q) : Q := if Qle_bool 0 q then q else - q.
Definition rational_hollow (u : Q) : Q :=
  if Qle_bool u (1#9) then (27#1) * (u * u) else (6#1) * u - (1#3).
Definition rational_plateau (q : Q) : Q :=
  let t := ((9#1) * rational_abs q - (5#1))%Q in if Qle_bool 1 t then t else 1%Q.
Definition rational_valley (q : Q) : Q :=
  let a := rational_hollow (rational_abs (q - (2#9))) in
  let b := rational_plateau q in
  if Qle_bool a b then a else b.

Ltac constants := unfold Q2R; cbn; lra.

Lemma rational_abs_is q : Q2R (rational_abs q) = Rabs (Q2R q).
Proof.
  assert (E : Q2R 0 = 0) by constants. unfold rational_abs.
  destruct (Qle_bool_cases 0 q) as [[-> H]|[-> H]]; rewrite E in H.
  - rewrite Rabs_right by lra. reflexivity.
  - rewrite Q2R_opp, Rabs_left by lra. reflexivity.
Qed.

Lemma rational_hollow_is q : Q2R (rational_hollow q) = hollow (Q2R q).
Proof.
  assert (E : Q2R (1#9) = 1/9) by constants. assert (E27 : Q2R (27#1) = 27) by constants.
  assert (E6 : Q2R (6#1) = 6) by constants. assert (E3 : Q2R (1#3) = 1/3) by constants.
  unfold rational_hollow, hollow.
  destruct (Qle_bool_cases q (1#9)) as [[-> H]|[-> H]]; rewrite E in H;
    destruct (Rle_dec _ _); try lra; rewrite ?Q2R_minus, !Q2R_mult; lra.
Qed.

Lemma rational_plateau_is q : Q2R (rational_plateau q) = plateau (Q2R q).
Proof.
  assert (E9 : Q2R (9#1) = 9) by constants. assert (E5 : Q2R (5#1) = 5) by constants.
  assert (E1 : Q2R 1 = 1) by constants. unfold rational_plateau, plateau.
  rewrite <- rational_abs_is. cbv zeta. set (t := ((9#1) * rational_abs q - (5#1))%Q).
  assert (Et : Q2R t = 9 * Q2R (rational_abs q) - 5)
    by (unfold t; rewrite Q2R_minus, Q2R_mult, E9, E5; reflexivity).
  rewrite <- Et. destruct (Qle_bool_cases 1 t) as [[-> H]|[-> H]]; rewrite E1 in H.
  - rewrite Rmax_right by lra. reflexivity.
  - rewrite Rmax_left by lra. exact E1.
Qed.

Lemma rational_valley_is q : Q2R (rational_valley q) = valley (Q2R q).
Proof.
  assert (E : Q2R (2#9) = 2/9) by constants. unfold rational_valley, valley. cbv zeta.
  rewrite <- rational_plateau_is, <- E, <- Q2R_minus, <- rational_abs_is, <- rational_hollow_is.
  set (a := rational_hollow _). set (b := rational_plateau q).
  destruct (Qle_bool_cases a b) as [[-> H]|[-> H]].
  - rewrite Rmin_left by lra. reflexivity.
  - rewrite Rmin_right by lra. reflexivity.
Qed.
