(** * Problems on the line with K = 3: those of LineOfK.v, with the powers of 3 written out. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Vectors Model Cells WellShaped Packing RealValues Values Printed LineOfK.
Import ListNotations.
Local Open Scope R_scope.

(** Where a node's base point lies in [-1, 1]. *)
Definition position (p : path) : R := 2 * IZR (num 1 1 p 0) / 3 ^ length p.

Lemma power_is_3 h : power 1 h = 3 ^ h.
Proof.
  induction h as [|h IH]; [rewrite power_0; reflexivity|].
  rewrite (power_S 1 h). rewrite IH. cbn [pow]. f_equal.
Qed.

Lemma three_pos h : 0 < 3 ^ h. Proof. apply pow_lt. lra. Qed.

Lemma position_is p : position_in 1 p = position p.
Proof. unfold position_in. now rewrite power_is_3. Qed.

Section Line.
Context {h_max : nat} {phi : R -> R}.

Notation P := (line_problem 1 h_max phi).

(** Nodes that hold the only minimiser [x0]. *)
Lemma optimal_on_the_line T x0 p :
  (forall x, -1 <= x < 1 -> phi x = f_star T -> x = x0) ->
  optimal P T p -> node 1 p /\ - / 3 ^ length p <= x0 - position p < / 3 ^ length p.
Proof.
  intros U [V (y & Hy & E)]. cbn in V. split; [exact V|].
  rewrite (g_in_a_cell_of_the_line p y V Hy) in E.
  rewrite <- (U _ (a_cell_of_the_line_is_inside p y V Hy) E), <- position_is, <- power_is_3.
  apply in_cell_of_the_line in Hy. exact Hy.
Qed.

(** All assumptions; [falls]: delta is at most s 3^(-h). *)
Lemma assumptions_on_the_line x0 L s delta :
  (forall x, -1 <= x <= 1 -> 0 <= phi x) -> -1 <= x0 < 1 -> phi x0 = 0 ->
  (forall a b, Rabs (phi a - phi b) <= L * Rabs (a - b)) ->
  0 < s -> (forall h, delta h <= s / 3 ^ h) -> (forall h, 0 < delta (S h) < delta h) ->
  (forall p x, optimal P (line_analysis 1 h_max phi delta s) p -> -1 <= x < 1 -> - / 3 ^ length p <= x - position p < / 3 ^ length p ->
     Rabs (phi (position p) - phi x) <= delta (length p)) ->
  assumptions_hold P (line_analysis 1 h_max phi delta s).
Proof.
  intros least Hx0 Z lip Hs small falls variation. split.
  - apply (other_assumptions_of_the_line x0 L); auto. intros h. rewrite power_is_3. apply small.
  - intros p y O. apply variation_in_a_cell_of_the_line; [apply O|]. rewrite power_is_3, position_is.
    intros x. now apply variation.
Qed.

End Line.

(** ** Disjoint intervals *)

Lemma greatest_of_a_list (xs : list R) : xs <> [] -> exists x, In x xs /\ forall y, In y xs -> y <= x.
Proof.
  induction xs as [|x xs IH]; [congruence|]. intros _. destruct xs as [|y ys].
  - exists x. split; [left; reflexivity|]. intros z [->|[]]. lra.
  - destruct (IH ltac:(congruence)) as (b & Hb & U). destruct (Rle_dec x b) as [H|H].
    + exists b. split; [right; exact Hb|]. intros z [<-|Hz]; [exact H | apply U, Hz].
    + exists x. split; [left; reflexivity|]. intros z [<-|Hz]; [lra|]. specialize (U z Hz). lra.
Qed.

Lemma spaced_points_are_few (gap : R) (xs : list R) : forall a b, 0 < gap -> NoDup xs -> xs <> [] ->
  (forall x, In x xs -> a <= x <= b) ->
  (forall x y, In x xs -> In y xs -> x <> y -> gap <= Rabs (x - y)) ->
  (INR (length xs) - 1) * gap <= b - a.
Proof.
  remember (length xs) as n eqn:L. revert xs L.
  induction n as [|n IH]; intros xs L a b Hg N NE B S; [destruct xs; [congruence|discriminate]|].
  destruct (greatest_of_a_list xs NE) as (x & Hx & U).
  apply in_split in Hx. destruct Hx as (l1 & l2 & ->).
  pose proof (NoDup_remove _ _ _ N) as [N' Nx].
  assert (sub : forall y, In y (l1 ++ l2) -> In y (l1 ++ x :: l2)).
  { intros y. rewrite !in_app_iff. cbn. tauto. }
  assert (L' : n = length (l1 ++ l2)) by (rewrite app_length in *; cbn in L; lia).
  pose proof (B x ltac:(apply in_elt)) as Bx. rewrite S_INR. destruct (l1 ++ l2) as [|z zs] eqn:E.
  - subst n. cbn. lra.
  - rewrite <- E in *. assert (I : (INR n - 1) * gap <= (x - gap) - a).
    { apply (IH (l1 ++ l2)); auto; [congruence|]. intros y Hy. split; [apply B; auto|].
      assert (y <> x) by (intros ->; exact (Nx Hy)).
      pose proof (S y x (sub y Hy) ltac:(apply in_elt) H) as D. pose proof (U y (sub y Hy)).
      rewrite Rabs_left1 in D by lra. lra. }
    lra.
Qed.

(** Disjoint balls on the line whose centers lie in an interval. *)
Lemma disjoint_balls_on_the_line_are_few (r a b : R) (centers : list vector) : 0 < r ->
  disjoint_balls (distance 1) r centers -> centers <> [] ->
  (forall y, In y centers -> a <= y 0%nat <= b) ->
  (INR (length centers) - 1) * (2 * r) <= b - a.
Proof.
  intros Hr D NE B. set (xs := map (fun y : vector => y 0%nat) centers).
  assert (far : NoDup xs /\ forall x y, In x xs -> In y xs -> x <> y -> 2 * r <= Rabs (x - y)).
  { unfold xs. clear NE B xs. unfold disjoint_balls in D. induction D as [|c cs Hc D [N S]]; cbn [map].
    - split; [constructor | intros x y []].
    - assert (F : forall e, In e cs -> 2 * r <= Rabs (c 0%nat - e 0%nat)).
      { intros e He. rewrite Forall_forall in Hc. specialize (Hc e He). apply Rnot_lt_le. intros H.
        destruct (overlap_on_the_line c e r H) as (z & Z). apply (Hc z). exact Z. }
      split.
      + constructor; [|exact N]. intros H. apply in_map_iff in H. destruct H as (e & E & He).
        specialize (F e He). rewrite E in F. rewrite Rminus_eq_0, Rabs_R0 in F. lra.
      + intros x y [<-|Hx] [<-|Hy] NE.
        * congruence.
        * apply in_map_iff in Hy. destruct Hy as (e & <- & He). apply F, He.
        * apply in_map_iff in Hx. destruct Hx as (e & <- & He). rewrite Rabs_minus_sym. apply F, He.
        * apply S; assumption. }
  destruct far as [N S]. rewrite <- (map_length (fun y : vector => y 0%nat) centers).
  apply spaced_points_are_few; auto; [lra| |].
  - destruct centers; [congruence|discriminate].
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). auto.
Qed.
