(** * Problems on the line with K = 3: those of LineOfK.v, with the powers of 3 written out. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Vectors Model Cells WellShaped Packing RealValues Values Printed LineOfK.
Import ListNotations.
Local Open Scope R_scope.

(** Where a node's base point lies in [-1, 1]. *)
Definition position (p : path) : R := 2 * IZR (num 1 1 p 0) / 3 ^ length p.

Notation rational_run := (rational_run_in 1).

Lemma power_is_3 h : power 1 h = 3 ^ h.
Proof.
  induction h as [|h IH]; [rewrite power_0; reflexivity|].
  rewrite (power_S 1 h). rewrite IH. cbn [pow]. f_equal.
Qed.

Lemma three_pos h : 0 < 3 ^ h. Proof. apply pow_lt. lra. Qed.

Lemma position_is p : position_in 1 p = position p.
Proof. unfold position_in. now rewrite power_is_3. Qed.

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
Proof. exact (radius_of_the_line 1 h_max eta M cap phi eta_pos). Qed.

Lemma radius_pos_on_the_line : 0 < box_radius P.
Proof. exact (radius_of_the_line_pos 1 h_max eta M cap phi eta_pos). Qed.

Lemma g_on_the_line y : g P y = phi (clip (eta * y 0%nat)).
Proof. exact (g_of_the_line 1 h_max eta M cap phi y). Qed.

Lemma in_space_on_the_line y : in_space 1 (box_radius P) y <-> -1 <= eta * y 0%nat < 1.
Proof. exact (in_space_of_the_line 1 h_max eta M cap phi eta_pos y). Qed.

Lemma in_cell_on_the_line p y :
  cell P p y <-> - / 3 ^ length p <= eta * y 0%nat - position p < / 3 ^ length p.
Proof. rewrite <- position_is, <- power_is_3. exact (in_cell_of_the_line 1 h_max eta M cap phi eta_pos p y). Qed.

Lemma g_at_a_base_point p : node 1 p -> g P (base P p) = phi (position p).
Proof. rewrite <- position_is. exact (g_at_a_base_point_of_the_line 1 h_max eta M cap phi eta_pos p). Qed.

Lemma cell_is_inside_the_interval p y : node 1 p -> cell P p y -> -1 <= eta * y 0%nat < 1.
Proof. exact (a_cell_of_the_line_is_inside 1 h_max eta M cap phi eta_pos p y). Qed.

Lemma g_in_a_cell p y : node 1 p -> cell P p y -> g P y = phi (eta * y 0%nat).
Proof. exact (g_in_a_cell_of_the_line 1 h_max eta M cap phi eta_pos p y). Qed.

Lemma lipschitz_on_the_line L :
  (forall a b, -1 <= a <= 1 -> -1 <= b <= 1 -> Rabs (phi a - phi b) <= L * Rabs (a - b)) ->
  lipschitz 1 (coordinates 1) L (f P).
Proof. exact (lipschitz_of_the_line 1 h_max eta M cap phi L). Qed.

(** Nodes that hold the only minimiser [x0]. *)
Lemma optimal_on_the_line T x0 p :
  (forall x, -1 <= x < 1 -> phi x = f_star T -> x = x0) ->
  optimal P T p -> node 1 p /\ - / 3 ^ length p <= x0 - position p < / 3 ^ length p.
Proof.
  intros U [V (y & Hy & E)]. cbn in V. split; [exact V|].
  rewrite (g_in_a_cell p y V Hy) in E.
  rewrite <- (U _ (cell_is_inside_the_interval p y V Hy) E). apply in_cell_on_the_line. exact Hy.
Qed.

Lemma well_shaped_on_the_line s delta : 0 < s -> (forall h, delta h <= s / 3 ^ h) ->
  well_shaped 1 1 (box_radius P) (distance 1) (box_radius P / s) delta.
Proof.
  intros Hs H. apply (well_shaped_of_the_line 1 h_max eta M cap phi eta_pos s delta Hs).
  intros h. rewrite power_is_3. apply H.
Qed.

(** The run, computed with rational numbers. *)
Variable rational_phi : Q -> Q.
Hypothesis rational_phi_is : forall q, Q2R (rational_phi q) = phi (Q2R q).

Lemma expansions_of_the_run v :
  expansions (log (the_run P v)) = expansions (log (rational_run h_max cap rational_phi v)).
Proof. exact (expansions_of_the_line 1 h_max eta M cap phi eta_pos rational_phi rational_phi_is v). Qed.

Lemma iterations_of_the_run v : iterations (the_run P v) = iterations (rational_run h_max cap rational_phi v).
Proof. exact (iterations_of_the_line 1 h_max eta M cap phi eta_pos rational_phi rational_phi_is v). Qed.

Lemma values_seen_in_the_run v : values_seen (log (the_run P v))
  = map (fun e => (Q2R (fst e), snd e)) (values_seen (log (rational_run h_max cap rational_phi v))).
Proof. exact (values_seen_of_the_line 1 h_max eta M cap phi eta_pos rational_phi rational_phi_is v). Qed.

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
