(** * Problems on the line: d = n = 1, K = 3, A = (eta), so that y |-> A y maps Y onto [-1, 1].

    What the counterexamples share: such a problem is a function [phi] on [-1, 1], the base points
    are the fractions 2 c / 3^h, and a run can be computed with rational numbers. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Vectors Model Cells WellShaped Packing RealValues Values Printed.
Import ListNotations.
Local Open Scope R_scope.

(** Where a node's base point lies in [-1, 1]. *)
Definition position (p : path) : R := 2 * IZR (num 1 1 p 0) / 3 ^ length p.
Definition rational_position (p : path) : Q :=
  Qmake (2 * num 1 1 p 0) (Z.to_pos (3 ^ Z.of_nat (length p))).

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

Lemma power_is_3 h : power 1 h = 3 ^ h.
Proof.
  induction h as [|h IH]; [rewrite power_0; reflexivity|].
  rewrite (power_S 1 h). rewrite IH. cbn [pow]. f_equal.
Qed.

Lemma three_pos h : 0 < 3 ^ h. Proof. apply pow_lt. lra. Qed.

Lemma splits_on_the_line h : splits 1 h 0 = h.
Proof. unfold splits. rewrite Nat.div_1_r, Nat.mod_1_r. cbn. lia. Qed.

Lemma rational_position_is p : Q2R (rational_position p) = position p.
Proof.
  unfold Q2R, rational_position, position. cbn [Qnum Qden].
  rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; lia).
  rewrite mult_IZR, <- pow_IZR. reflexivity.
Qed.

Section Line.
Variable h_max : nat.
Variables eta M : R.
Variable cap : Z * Z.
Variable phi : R -> R.
Hypothesis eta_pos : 0 < eta.

Definition on_the_line : problem :=
  Problem 1 1 1 h_max eta M cap (fun x => phi (x 0%nat)) (fun _ _ => eta).

Notation P := on_the_line.

Lemma radius_on_the_line : box_radius P * eta = 1.
Proof. unfold box_radius. cbn. field. lra. Qed.

Lemma radius_pos_on_the_line : 0 < box_radius P.
Proof. unfold box_radius. cbn. apply Rdiv_lt_0_compat; lra. Qed.

Lemma g_on_the_line y : g P y = phi (clip (eta * y 0%nat)).
Proof.
  unfold g, embedded, project, times. cbn [f A dim on_the_line coordinates seq sum].
  do 2 f_equal. lra.
Qed.

Lemma base_on_the_line p : eta * base P p 0%nat = position p.
Proof.
  unfold base, base_point, position. cbn [half_K dim on_the_line].
  rewrite splits_on_the_line, power_is_3.
  replace (2 * IZR (num 1 1 p 0) / 3 ^ length p)
    with (box_radius P * eta * (2 * IZR (num 1 1 p 0) / 3 ^ length p)) by (rewrite radius_on_the_line; lra).
  unfold Rdiv. ring.
Qed.

Lemma in_space_on_the_line y : in_space 1 (box_radius P) y <-> -1 <= eta * y 0%nat < 1.
Proof.
  pose proof radius_on_the_line as E. pose proof radius_pos_on_the_line as Rp. split.
  - intros H. specialize (H 0%nat ltac:(lia)). nra.
  - intros H j Hj. replace j with 0%nat by lia.
    replace (y 0%nat) with (box_radius P * (eta * y 0%nat)) by (rewrite <- Rmult_assoc, E; lra). nra.
Qed.

Lemma in_cell_on_the_line p y :
  cell P p y <-> - / 3 ^ length p <= eta * y 0%nat - position p < / 3 ^ length p.
Proof.
  pose proof radius_on_the_line as E. pose proof radius_pos_on_the_line as Rp.
  pose proof (Rinv_0_lt_compat _ (three_pos (length p))) as I.
  assert (B : forall y, (2 * IZR (num 1 1 p 0) - 1) * box_radius P
      <= power 1 (splits 1 (length p) 0) * y 0%nat < (2 * IZR (num 1 1 p 0) + 1) * box_radius P
    <-> - / 3 ^ length p <= eta * y 0%nat - position p < / 3 ^ length p).
  { intros z. rewrite (in_cell_coordinate 1 1 (box_radius P) p z 0%nat).
    rewrite splits_on_the_line, power_is_3.
    change (base_point 1 1 (box_radius P) p 0%nat) with (base P p 0%nat).
    rewrite <- base_on_the_line. unfold Rdiv. set (i := / 3 ^ length p) in *.
    set (b := base P p 0%nat). set (r := box_radius P) in *.
    replace (eta * z 0%nat - eta * b) with (eta * (z 0%nat - b)) by lra.
    assert (Ei : eta * (r * i) = i) by (rewrite <- Rmult_assoc, (Rmult_comm eta), E; lra).
    assert (Er : forall t, r * (eta * t) = t) by (intros; rewrite <- Rmult_assoc, E; lra).
    split; intros [H1 H2]; split.
    - apply (Rmult_le_compat_l eta) in H1; lra.
    - apply (Rmult_lt_compat_l eta) in H2; lra.
    - apply (Rmult_le_compat_l r) in H1; [rewrite Er in H1|]; lra.
    - apply (Rmult_lt_compat_l r) in H2; [rewrite Er in H2|]; lra. }
  unfold cell, in_cell. cbn [half_K dim on_the_line]. split.
  - intros H. apply B. apply H. lia.
  - intros H j Hj. replace j with 0%nat by lia. apply B. exact H.
Qed.

Lemma position_in_the_interval p : node 1 p -> -1 <= position p < 1.
Proof.
  intros V. rewrite <- base_on_the_line. apply in_space_on_the_line.
  apply (a_base_point_is_in_the_space 1 1 (box_radius P)); [lia | apply radius_pos_on_the_line | exact V].
Qed.

Lemma g_at_a_base_point p : node 1 p -> g P (base P p) = phi (position p).
Proof.
  intros V. rewrite g_on_the_line, base_on_the_line, clip_is_the_identity_inside; [reflexivity|].
  pose proof (position_in_the_interval p V). lra.
Qed.

Lemma cell_is_inside_the_interval p y : node 1 p -> cell P p y -> -1 <= eta * y 0%nat < 1.
Proof.
  intros V H. apply in_space_on_the_line.
  apply (a_cell_is_inside_the_space 1 1 (box_radius P) ltac:(lia) radius_pos_on_the_line p); assumption.
Qed.

Lemma g_in_a_cell p y : node 1 p -> cell P p y -> g P y = phi (eta * y 0%nat).
Proof.
  intros V H. rewrite g_on_the_line, clip_is_the_identity_inside; [reflexivity|].
  pose proof (cell_is_inside_the_interval p y V H). lra.
Qed.

(** A Lipschitz [phi] is a Lipschitz objective. *)
Lemma lipschitz_on_the_line L :
  (forall a b, -1 <= a <= 1 -> -1 <= b <= 1 -> Rabs (phi a - phi b) <= L * Rabs (a - b)) ->
  lipschitz 1 (coordinates 1) L (f P).
Proof.
  intros H x x' Hx Hx'. cbn [f on_the_line].
  change (Vectors.norm (coordinates 1) (minus x x')) with (distance 1 x x').
  rewrite distance_on_the_line. apply H; [apply Hx | apply Hx']; lia.
Qed.

(** Nodes that hold the only minimiser [x0]. *)
Lemma optimal_on_the_line T x0 p :
  (forall x, -1 <= x < 1 -> phi x = f_star T -> x = x0) ->
  optimal P T p -> node 1 p /\ - / 3 ^ length p <= x0 - position p < / 3 ^ length p.
Proof.
  intros U [V (y & Hy & E)]. cbn in V. split; [exact V|].
  rewrite (g_in_a_cell p y V Hy) in E.
  rewrite <- (U _ (cell_is_inside_the_interval p y V Hy) E). apply in_cell_on_the_line. exact Hy.
Qed.

(** Assumption 3: delta(h) <= s 3^(-h) lets m be R / s. *)
Lemma well_shaped_on_the_line s delta : 0 < s -> (forall h, delta h <= s / 3 ^ h) ->
  well_shaped 1 1 (box_radius P) (distance 1) (box_radius P / s) delta.
Proof.
  intros Hs H. pose proof radius_pos_on_the_line as Rp.
  apply well_shaped_iff_balls_fit; [lia | exact Rp |]. intros h. unfold inscribed_radius.
  rewrite (rounds_is 1), splits_on_the_line, power_is_3 by lia.
  pose proof (three_pos h). specialize (H h).
  apply Rle_trans with (box_radius P / s * (s / 3 ^ h)).
  - apply Rmult_le_compat_l; [|exact H]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - right. field. lra.
Qed.

(** The run, computed with rational numbers. *)
Variable rational_phi : Q -> Q.
Hypothesis rational_phi_is : forall q, Q2R (rational_phi q) = phi (Q2R q).

Definition rational_oracle (p : path) (visit : nat) : Q :=
  rational_phi (rational_clip (rational_position p)).

Definition rational_run (v : nat) : state Q :=
  hunt less_rational rational_oracle (Settings 1 1 h_max v (fst cap) (snd cap)).

Lemma the_run_is_the_rational_run v :
  the_run P v = state_value Q R Q2R (rational_run v).
Proof.
  apply only_the_order_of_the_values_matters; [intros; apply less_real_of_rationals|].
  intros p visit. unfold rational_oracle.
  rewrite rational_phi_is, rational_clip_is, rational_position_is, g_on_the_line, base_on_the_line.
  reflexivity.
Qed.

Lemma expansions_of_the_run v :
  expansions (log (the_run P v)) = expansions (log (rational_run v)).
Proof. rewrite the_run_is_the_rational_run. apply expansions_of_values. Qed.

Lemma iterations_of_the_run v : iterations (the_run P v) = iterations (rational_run v).
Proof. rewrite the_run_is_the_rational_run. reflexivity. Qed.

Lemma values_seen_in_the_run v : values_seen (log (the_run P v))
  = map (fun e => (Q2R (fst e), snd e)) (values_seen (log (rational_run v))).
Proof. rewrite the_run_is_the_rational_run. apply values_seen_of_values. Qed.

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
