(** * Well-shaped cells: the largest ball inside a cell and the smallest ball around it.

    The paper assumes (Assumption 3) that cells contain balls about their base points.  On the
    concrete cells of Algorithm 1 this is a theorem with the exact radius: R / K^m at depth h,
    m = ceil (h / d).  The radius of the smallest ball around a cell is exact, too. *)

From Coq Require Import List ZArith Reals Lra Lia Psatz.
From EmbeddedHunter Require Import Lattice Geometry Vectors Cells.
Import ListNotations.
Local Open Scope R_scope.

Section WellShaped.
Variables k d : nat.
Variable radius : R.
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : 0 < radius.

Notation num := (num k d).
Notation power := (power k).
Notation in_cell := (in_cell k d radius).
Notation base_point := (base_point k d radius).
Notation split_count p j := (splits d (length p) j).

(** Euclidean distance in the d coordinates of Y. *)
Definition distance (x y : vector) : R := norm (coordinates d) (minus x y).

(** R / K^m. *)
Definition inscribed_radius (h : nat) : R := radius / power (rounds d h).

(** The square of the distance from a base point of depth h to the corners of its cell. *)
Definition square_circumscribed_radius (h : nat) : R :=
  sum (coordinates d) (fun j => (radius / power (splits d h j)) ^ 2).

Let power_pos := power_pos k.

Lemma inscribed_radius_pos h : 0 < inscribed_radius h.
Proof. unfold inscribed_radius. apply Rdiv_lt_0_compat; auto. Qed.

Lemma a_coordinate_is_within_the_distance x y j : (j < d)%nat -> Rabs (x j - y j) <= distance x y.
Proof.
  intros Hj. unfold distance, norm. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt.
  rewrite Rsqr_pow2. unfold square_norm, minus.
  apply (sum_contains_each_term _ (coordinates d) (fun i => (x i - y i) ^ 2) j).
  - intros. apply pow2_ge_0.
  - apply in_coordinates. exact Hj.
Qed.

Lemma in_cell_coordinate p z j :
  ((2 * IZR (num p j) - 1) * radius <= power (split_count p j) * z j
   < (2 * IZR (num p j) + 1) * radius)
  <-> - (radius / power (split_count p j)) <= z j - base_point p j < radius / power (split_count p j).
Proof.
  unfold base_point. set (P := power (split_count p j)). assert (HP : 0 < P) by apply power_pos.
  set (c := IZR (num p j)).
  assert (E : z j - 2 * radius * c / P = (P * z j - 2 * radius * c) / P) by (field; lra).
  rewrite E. clear E.
  assert (M : forall a b, a <= b <-> a / P <= b / P).
  { intros. unfold Rdiv. pose proof (Rinv_0_lt_compat P HP). split; intros H0.
    - apply Rmult_le_compat_r; lra.
    - apply Rmult_le_reg_r with (/ P); lra. }
  assert (N : forall a b, a < b <-> a / P < b / P).
  { intros. unfold Rdiv. pose proof (Rinv_0_lt_compat P HP). split; intros H0.
    - apply Rmult_lt_compat_r; lra.
    - apply Rmult_lt_reg_r with (/ P); lra. }
  replace (- (radius / P)) with ((- radius) / P) by (field; lra).
  rewrite <- M, <- N. split; intros [H1 H2]; split; lra.
Qed.

Lemma inscribed_radius_is_least h j : inscribed_radius h <= radius / power (splits d h j).
Proof.
  unfold inscribed_radius. apply Rmult_le_compat_l; [lra|].
  apply Rinv_le_contravar; [apply power_pos|].
  apply power_mono. apply splits_le_levels. exact d_pos.
Qed.

(** Claim [assumption-3]. The cell of a node contains the open ball of radius R / K^m about its
    base point, in the sup norm (each coordinate within R / K^m). *)
Theorem a_cell_contains_the_sup_ball_about_its_base_point p z :
  (forall j, (j < d)%nat -> Rabs (z j - base_point p j) < inscribed_radius (length p)) ->
  in_cell p z.
Proof.
  intros H j Hj. apply in_cell_coordinate. specialize (H j Hj). apply Rabs_def2 in H.
  pose proof (inscribed_radius_is_least (length p) j). lra.
Qed.

(** Claim [assumption-3]. Hence it contains the open Euclidean ball of that radius. *)
Theorem a_cell_contains_the_ball_about_its_base_point p z :
  distance z (base_point p) < inscribed_radius (length p) -> in_cell p z.
Proof.
  intros H. apply a_cell_contains_the_sup_ball_about_its_base_point. intros j Hj.
  eapply Rle_lt_trans; [apply a_coordinate_is_within_the_distance; exact Hj | exact H].
Qed.

Lemma distance_of_one_coordinate x y j : (j < d)%nat -> (forall i, i <> j -> x i = y i) ->
  distance x y = Rabs (x j - y j).
Proof.
  intros Hj H. unfold distance, norm. rewrite <- sqrt_Rsqr_abs. f_equal. rewrite Rsqr_pow2.
  unfold square_norm.
  rewrite (sum_of_equal_terms _ _ _ (fun i => if Nat.eqb j i then (minus x y i) ^ 2 else 0)).
  - rewrite sum_of_a_diagonal; [reflexivity | apply coordinates_are_distinct|].
    apply in_coordinates. exact Hj.
  - intros i _. destruct (Nat.eqb_spec j i) as [->|N]; [reflexivity|].
    unfold minus. rewrite H by auto. ring.
Qed.

(** Base points are points of Y. *)
Lemma a_base_point_is_in_the_space p : node k p -> in_space d radius (base_point p).
Proof.
  intros V. apply (a_cell_is_inside_the_space k d radius d_pos radius_pos p); [exact V|].
  apply a_cell_contains_the_sup_ball_about_its_base_point. intros j _.
  rewrite Rminus_eq_0, Rabs_R0. apply inscribed_radius_pos.
Qed.

(** Claim [assumption-3]. The radius is sharp: the open balls about the base point that are
    inside the cell are those of radius at most R / K^m. *)
Theorem a_ball_about_the_base_point_is_inside_the_cell_iff_its_radius_is_at_most_the_inscribed_one
  p r : (forall z, distance z (base_point p) < r -> in_cell p z) <-> r <= inscribed_radius (length p).
Proof.
  split.
  - intros H. apply Rnot_lt_le. intros L.
    set (z := fun j => base_point p j + (if Nat.eqb 0 j then inscribed_radius (length p) else 0)).
    assert (z_away : distance z (base_point p) = inscribed_radius (length p)).
    { rewrite (distance_of_one_coordinate z (base_point p) 0 d_pos).
      - unfold z. cbn [Nat.eqb]. rewrite Rabs_right; [lra|].
        pose proof (inscribed_radius_pos (length p)). lra.
      - intros i N. unfold z. destruct (Nat.eqb_spec 0 i); [congruence|]. lra. }
    specialize (H z ltac:(lra) 0%nat d_pos). apply in_cell_coordinate in H.
    unfold z in H. cbn [Nat.eqb] in H. unfold inscribed_radius in H. rewrite (rounds_is d d_pos) in H. lra.
  - intros H z Hz. apply a_cell_contains_the_ball_about_its_base_point. lra.
Qed.

End WellShaped.
