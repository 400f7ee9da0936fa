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
