(** * Problems on the line with any K: d = n = 1, A = (eta), so that y |-> A y maps Y onto [-1, 1].

    What the counterexamples share: such a problem is a function [phi] on [-1, 1], the base points are the
    fractions 2 c / K^h, and a run can be computed with rational numbers. *)

From Coq Require Import List ZArith QArith Reals Qreals Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Norms Vectors Model Cells WellShaped Packing RealValues Values Printed.
Import ListNotations.
Local Open Scope R_scope.

Definition rational_clip (q : Q) : Q :=
  if Qle_bool q (-1 # 1) then -1 # 1 else if Qle_bool 1 q then 1 else q.

Lemma Qle_bool_cases a b :
  (Qle_bool a b = true /\ Q2R a <= Q2R b) \/ (Qle_bool a b = false /\ Q2R b < Q2R a).
Proof.
  destruct (Qle_bool a b) eqn:E; [left|right]; split; auto.
  - apply Qle_Rle, Qle_bool_iff, E.
  - apply Qlt_Rlt. apply Qnot_le_lt. intros H. apply Qle_bool_iff in H. congruence.
Qed.

Lemma Q2R_minus_one : Q2R (-1 # 1) = -1. Proof. unfold Q2R. cbn. lra. Qed.
Lemma Q2R_one : Q2R 1 = 1. Proof. unfold Q2R. cbn. lra. Qed.

Lemma rational_clip_is q : Q2R (rational_clip q) = clip (Q2R q).
Proof.
  unfold rational_clip, clip.
  destruct (Qle_bool_cases q (-1 # 1)) as [[-> H]|[-> H]]; rewrite Q2R_minus_one in H.
  - rewrite Q2R_minus_one. rewrite Rmin_right, Rmax_left by lra. reflexivity.
  - destruct (Qle_bool_cases 1 q) as [[-> H']|[-> H']]; rewrite Q2R_one in H'.
    + rewrite Q2R_one, Rmin_left, Rmax_right by lra. reflexivity.
    + rewrite Rmin_right, Rmax_right by lra. reflexivity.
Qed.

Lemma splits_on_the_line h : splits 1 h 0 = h.
Proof. unfold splits. rewrite Nat.div_1_r, Nat.mod_1_r. cbn. lia. Qed.

Section LineOfK.
Variables (k h_max : nat) (eta M : R) (cap : Z * Z) (phi : R -> R).
Hypothesis eta_pos : 0 < eta.

(** Where a node's base point lies in [-1, 1]. *)
Definition position_in (p : path) : R := 2 * IZR (num k 1 p 0) / power k (length p).
Definition rational_position_in (p : path) : Q := Qmake (2 * num k 1 p 0) (Z.to_pos (pw k (length p))).

Definition line_problem : problem :=
  Problem k 1 1 h_max eta M cap (fun x => phi (x 0%nat)) (fun _ _ => eta).

Notation P := line_problem.

Lemma rational_position_in_is p : Q2R (rational_position_in p) = position_in p.
Proof.
  unfold Q2R, rational_position_in, position_in, power. cbn [Qnum Qden].
  rewrite Z2Pos.id by apply pw_pos. rewrite mult_IZR. reflexivity.
Qed.

Lemma radius_of_the_line : box_radius P * eta = 1.
Proof. unfold box_radius. cbn. field. lra. Qed.

Lemma radius_of_the_line_pos : 0 < box_radius P.
Proof. unfold box_radius. cbn. apply Rdiv_lt_0_compat; lra. Qed.

Lemma g_of_the_line y : g P y = phi (clip (eta * y 0%nat)).
Proof.
  unfold g, embedded, project, times. cbn [f A dim line_problem coordinates seq sum].
  do 2 f_equal. lra.
Qed.

Lemma base_of_the_line p : eta * base P p 0%nat = position_in p.
Proof.
  unfold base, base_point, position_in. cbn [half_K dim line_problem]. rewrite splits_on_the_line.
  replace (2 * IZR (num k 1 p 0) / power k (length p))
    with (box_radius P * eta * (2 * IZR (num k 1 p 0) / power k (length p))) by (rewrite radius_of_the_line; lra).
  unfold Rdiv. ring.
Qed.

Lemma in_space_of_the_line y : in_space 1 (box_radius P) y <-> -1 <= eta * y 0%nat < 1.
Proof.
  pose proof radius_of_the_line as E. pose proof radius_of_the_line_pos as Rp. split.
  - intros H. specialize (H 0%nat ltac:(lia)). nra.
  - intros H j Hj. replace j with 0%nat by lia.
    replace (y 0%nat) with (box_radius P * (eta * y 0%nat)) by (rewrite <- Rmult_assoc, E; lra). nra.
Qed.

Lemma in_cell_of_the_line p y :
  cell P p y <-> - / power k (length p) <= eta * y 0%nat - position_in p < / power k (length p).
Proof.
  pose proof radius_of_the_line as E. pose proof radius_of_the_line_pos as Rp.
  unfold cell. cbn [half_K dim line_problem].
  assert (B : in_cell k 1 (box_radius P) p y <->
    - (box_radius P / power k (length p)) <= y 0%nat - base P p 0%nat < box_radius P / power k (length p)).
  { split.
    - intros H. specialize (H 0%nat ltac:(lia)). apply in_cell_coordinate in H.
      rewrite splits_on_the_line in H. exact H.
    - intros H j Hj. replace j with 0%nat by lia. apply in_cell_coordinate. rewrite splits_on_the_line. exact H. }
  rewrite B, <- base_of_the_line. unfold Rdiv. set (i := / power k (length p)). set (b := base P p 0%nat).
  set (r := box_radius P) in *.
  replace (eta * y 0%nat - eta * b) with (eta * (y 0%nat - b)) by ring.
  assert (Ei : eta * (r * i) = i) by (rewrite <- Rmult_assoc, (Rmult_comm eta), E; lra).
  assert (Er : r * (eta * (y 0%nat - b)) = y 0%nat - b) by (rewrite <- Rmult_assoc, E; lra).
  split; intros [H1 H2]; split.
  - apply (Rmult_le_compat_l eta) in H1; lra.
  - apply (Rmult_lt_compat_l eta) in H2; lra.
  - apply (Rmult_le_compat_l r) in H1; lra.
  - apply (Rmult_lt_compat_l r) in H2; lra.
Qed.

Lemma g_at_a_base_point_of_the_line p : node k p -> g P (base P p) = phi (position_in p).
Proof.
  intros V. rewrite g_of_the_line, base_of_the_line, clip_is_the_identity_inside; [reflexivity|].
  assert (H : -1 <= position_in p < 1); [|lra].
  rewrite <- base_of_the_line. apply in_space_of_the_line.
  apply (a_base_point_is_in_the_space k 1 (box_radius P)); [lia | apply radius_of_the_line_pos | exact V].
Qed.

Lemma a_cell_of_the_line_is_inside p y : node k p -> cell P p y -> -1 <= eta * y 0%nat < 1.
Proof.
  intros V H. apply in_space_of_the_line.
  apply (a_cell_is_inside_the_space k 1 (box_radius P) ltac:(lia) radius_of_the_line_pos p); assumption.
Qed.

Lemma g_in_a_cell_of_the_line p y : node k p -> cell P p y -> g P y = phi (eta * y 0%nat).
Proof.
  intros V H. rewrite g_of_the_line, clip_is_the_identity_inside; [reflexivity|].
  pose proof (a_cell_of_the_line_is_inside p y V H). lra.
Qed.

(** A Lipschitz [phi] is a Lipschitz objective. *)
Lemma lipschitz_of_the_line L :
  (forall a b, -1 <= a <= 1 -> -1 <= b <= 1 -> Rabs (phi a - phi b) <= L * Rabs (a - b)) ->
  lipschitz 1 (coordinates 1) L (f P).
Proof.
  intros H x x' Hx Hx'. cbn [f line_problem].
  change (Vectors.norm (coordinates 1) (minus x x')) with (distance 1 x x').
  rewrite distance_on_the_line. apply H; [apply Hx | apply Hx']; lia.
Qed.

(** Assumption 3: delta(h) <= s K^(-h) lets m be R / s. *)
Lemma well_shaped_of_the_line s delta : 0 < s -> (forall h, delta h <= s / power k h) ->
  well_shaped k 1 (box_radius P) (distance 1) (box_radius P / s) delta.
Proof.
  intros Hs H. pose proof radius_of_the_line_pos as Rp.
  apply well_shaped_iff_balls_fit; [lia | exact Rp |]. intros h. unfold inscribed_radius.
  rewrite (rounds_is 1), splits_on_the_line by lia.
  pose proof (power_pos k h). specialize (H h).
  apply Rle_trans with (box_radius P / s * (s / power k h)).
  - apply Rmult_le_compat_l; [|exact H]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - right. field. lra.
Qed.

(** The run, computed with rational numbers. *)
Variable rational_phi : Q -> Q.
Hypothesis rational_phi_is : forall q, Q2R (rational_phi q) = phi (Q2R q).

Definition rational_oracle_in (p : path) (visit : nat) : Q :=
  rational_phi (rational_clip (rational_position_in p)).

Definition rational_run_in (v : nat) : state Q :=
  hunt less_rational rational_oracle_in (Settings k 1 h_max v (fst cap) (snd cap)).

Lemma rational_oracle_in_is p visit : Q2R (rational_oracle_in p visit) = g P (base P p).
Proof.
  unfold rational_oracle_in.
  rewrite rational_phi_is, rational_clip_is, rational_position_in_is, g_of_the_line, base_of_the_line. reflexivity.
Qed.

Lemma the_run_is_the_rational_run_in v : the_run P v = state_value Q R Q2R (rational_run_in v).
Proof.
  apply only_the_order_of_the_values_matters; [intros; apply less_real_of_rationals|].
  intros p visit. symmetry. apply rational_oracle_in_is.
Qed.

Lemma expansions_of_the_line v : expansions (log (the_run P v)) = expansions (log (rational_run_in v)).
Proof. rewrite the_run_is_the_rational_run_in. apply expansions_of_values. Qed.

Lemma iterations_of_the_line v : iterations (the_run P v) = iterations (rational_run_in v).
Proof. rewrite the_run_is_the_rational_run_in. reflexivity. Qed.

Lemma values_seen_of_the_line v : values_seen (log (the_run P v))
  = map (fun e => (Q2R (fst e), snd e)) (values_seen (log (rational_run_in v))).
Proof. rewrite the_run_is_the_rational_run_in. apply values_seen_of_values. Qed.

(** |I_h|, computed with rational numbers. *)
Lemma near_optimal_count_of_the_line T h bound : Q2R bound = f_star T + m_hat T * delta T h ->
  near_optimal_count P T h
  = length (filter (fun p => Qle_bool (rational_oracle_in p 1) bound) (nodes_of_depth k h)).
Proof.
  intros E. unfold near_optimal_count. change (half_K P) with k. f_equal. apply filter_ext. intros p.
  rewrite <- E, <- (rational_oracle_in_is p 1).
  destruct (Rle_dec _ _) as [H|H]; destruct (Qle_bool_cases (rational_oracle_in p 1) bound) as [[-> H']|[-> H']];
    try reflexivity; exfalso; lra.
Qed.

End LineOfK.
