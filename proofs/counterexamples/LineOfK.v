(** * Problems on the line with any K: d = n = 1, A = (eta), eta = 3/10, so that y |-> A y maps Y onto [-1, 1].

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

(** Where a node's base point lies in [-1, 1]. *)
Definition position_in (k : nat) (p : path) : R := 2 * IZR (num k 1 p 0) / power k (length p).
Definition rational_position_in (k : nat) (p : path) : Q := Qmake (2 * num k 1 p 0) (Z.to_pos (pw k (length p))).

Lemma rational_position_in_is k p : Q2R (rational_position_in k p) = position_in k p.
Proof.
  unfold Q2R, rational_position_in, position_in, power. cbn [Qnum Qden].
  rewrite Z2Pos.id by apply pw_pos. rewrite mult_IZR. reflexivity.
Qed.

Definition line_problem (k h_max : nat) (phi : R -> R) : problem :=
  Problem k 1 1 h_max (3/10) 5 (10000, 9)%Z (fun x => phi (x 0%nat)) (fun _ _ => 3/10).

Section LineOfK.
Context {k h_max : nat} {phi : R -> R}.

Notation P := (line_problem k h_max phi).
Notation position := (position_in k).

Lemma radius_of_the_line : box_radius P = 10/3.
Proof. unfold box_radius. cbn. lra. Qed.

Lemma g_of_the_line y : g P y = phi (clip (3/10 * y 0%nat)).
Proof.
  unfold g, embedded, project, times. cbn [f A dim line_problem coordinates seq sum].
  do 2 f_equal. lra.
Qed.

Lemma base_of_the_line p : 3/10 * base P p 0%nat = position p.
Proof.
  unfold base, base_point, position_in. rewrite radius_of_the_line. cbn [half_K dim line_problem].
  rewrite splits_on_the_line. pose proof (power_pos k (length p)). field. lra.
Qed.

Lemma in_space_of_the_line y : in_space 1 (box_radius P) y <-> -1 <= 3/10 * y 0%nat < 1.
Proof.
  rewrite radius_of_the_line. split; intros H; [specialize (H 0%nat ltac:(lia)); lra|].
  intros j Hj. replace j with 0%nat by lia. lra.
Qed.

Lemma in_cell_of_the_line p y :
  cell P p y <-> - / power k (length p) <= 3/10 * y 0%nat - position p < / power k (length p).
Proof.
  assert (B : cell P p y <->
    - (10/3 * / power k (length p)) <= y 0%nat - base P p 0%nat < 10/3 * / power k (length p)).
  { unfold cell, base. rewrite radius_of_the_line. cbn [half_K dim line_problem]. split.
    - intros H. specialize (H 0%nat ltac:(lia)). apply in_cell_coordinate in H.
      rewrite splits_on_the_line in H. exact H.
    - intros H j Hj. replace j with 0%nat by lia. apply in_cell_coordinate. rewrite splits_on_the_line. exact H. }
  rewrite B, <- base_of_the_line. split; lra.
Qed.

Lemma g_at_a_base_point_of_the_line p : node k p -> g P (base P p) = phi (position p).
Proof.
  intros V. rewrite g_of_the_line, base_of_the_line, clip_is_the_identity_inside; [reflexivity|].
  assert (H : -1 <= position p < 1); [|lra].
  rewrite <- base_of_the_line. apply in_space_of_the_line.
  apply (a_base_point_is_in_the_space k 1 (box_radius P)); [lia | rewrite radius_of_the_line; lra | exact V].
Qed.

Lemma a_cell_of_the_line_is_inside p y : node k p -> cell P p y -> -1 <= 3/10 * y 0%nat < 1.
Proof.
  intros V H. apply in_space_of_the_line. apply (a_cell_is_inside_the_space k 1 (box_radius P)) with (p := p); auto.
  rewrite radius_of_the_line. lra.
Qed.

Lemma g_in_a_cell_of_the_line p y : node k p -> cell P p y -> g P y = phi (3/10 * y 0%nat).
Proof.
  intros V H. rewrite g_of_the_line, clip_is_the_identity_inside; [reflexivity|].
  pose proof (a_cell_of_the_line_is_inside p y V H). lra.
Qed.

(** A node whose cell holds a minimiser. *)
Lemma optimal_of_the_line T p x : node k p -> phi x = f_star T -> -1 <= x <= 1 ->
  - / power k (length p) <= x - position p < / power k (length p) -> optimal P T p.
Proof.
  intros V Z Hx C. split; [exact V|]. exists (fun _ => x / (3/10)).
  assert (E : 3/10 * (x / (3/10)) = x) by field. split.
  - apply in_cell_of_the_line. cbn beta. rewrite E. exact C.
  - rewrite g_of_the_line. cbn beta. rewrite E, clip_is_the_identity_inside by exact Hx. exact Z.
Qed.

(** Assumption 3: delta(h) <= s K^(-h) lets m be R / s. *)
Lemma well_shaped_of_the_line s delta : 0 < s -> (forall h, delta h <= s / power k h) ->
  well_shaped k 1 (box_radius P) (distance 1) (box_radius P / s) delta.
Proof.
  intros Hs H. rewrite radius_of_the_line. apply well_shaped_iff_balls_fit; [lia | lra |].
  intros h. unfold inscribed_radius. rewrite (rounds_is 1), splits_on_the_line by lia.
  pose proof (power_pos k h). specialize (H h). apply Rle_trans with (10/3 / s * (s / power k h)).
  - apply Rmult_le_compat_l; [|exact H]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - right. field. lra.
Qed.

(** The paper's assumptions on such a problem, with f_star = 0, tau = 0 and m_hat = 1. *)
Definition line_analysis (delta : nat -> R) (s : R) : analysis :=
  Analysis 0 delta (fun _ => 0) (box_radius P / s) 1.

Lemma other_assumptions_of_the_line x0 L s delta :
  (1 <= k)%nat -> (forall x, -1 <= x <= 1 -> 0 <= phi x) -> -1 <= x0 < 1 -> phi x0 = 0 ->
  (forall a b, Rabs (phi a - phi b) <= L * Rabs (a - b)) ->
  0 < s -> (forall h, delta h <= s / power k h) -> (forall h, 0 < delta (S h) < delta h) ->
  other_assumptions_hold P (line_analysis delta s).
Proof.
  intros Hk least Hx0 Z lip Hs small falls. constructor.
  - cbn. repeat split; try lia; try lra. unfold box_radius. cbn. lra.
  - split; [intros x Hx; apply least, Hx; cbn; lia|]. exists (fun _ => x0 / (3/10)).
    assert (E : 3/10 * (x0 / (3/10)) = x0) by field. split.
    + apply in_space_of_the_line. cbn beta. lra.
    + rewrite g_of_the_line. cbn beta. rewrite E, clip_is_the_identity_inside by lra. exact Z.
  - exists L. intros x x' _ _. cbn [f ambient line_problem].
    change (Vectors.norm (coordinates 1) (minus x x')) with (distance 1 x x').
    rewrite distance_on_the_line. apply lip.
  - exact falls.
  - split; [|apply well_shaped_of_the_line; assumption]. cbn [m line_analysis]. rewrite radius_of_the_line.
    apply Rdiv_lt_0_compat; lra.
  - intros h. cbn. lra.
  - split; [exists 1%nat; split; [lia|reflexivity]|]. intros h _. cbn [tau Printed.delta line_analysis m_hat]. lra.
Qed.

(** Assumption 2 in a cell. *)
Lemma variation_in_a_cell_of_the_line p c : node k p ->
  (forall x, -1 <= x < 1 -> - / power k (length p) <= x - position p < / power k (length p) ->
     Rabs (phi (position p) - phi x) <= c) ->
  forall y, cell P p y -> Rabs (g P (base P p) - g P y) <= c.
Proof.
  intros V H y C. rewrite (g_in_a_cell_of_the_line p y V C), (g_at_a_base_point_of_the_line p V).
  apply H; [exact (a_cell_of_the_line_is_inside p y V C)|]. now apply in_cell_of_the_line.
Qed.

(** The run, computed with rational numbers. *)
Variable rational_phi : Q -> Q.
Hypothesis rational_phi_is : forall q, Q2R (rational_phi q) = phi (Q2R q).

Definition rational_oracle_in (p : path) (visit : nat) : Q :=
  rational_phi (rational_clip (rational_position_in k p)).

Definition rational_run_in (v : nat) : state Q :=
  hunt less_rational rational_oracle_in (Settings k 1 h_max v 10000 9).

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

Arguments rational_oracle_in : clear implicits.
Arguments rational_run_in : clear implicits.
Arguments line_analysis : clear implicits.
