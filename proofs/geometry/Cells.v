(** * Cells: the sets of real points that the nodes stand for.

    Y = [-R, R]^d.  The cell of a node is a box about its base point: coordinate
    [j] of its points is within R / K^s of the base point's, s the number of
    splits of that coordinate.  Cells are half-open here, so that they are
    disjoint; [in_closed_cell] takes both ends. *)

From Coq Require Import List ZArith Reals Lra Lia Psatz.
From EmbeddedHunter Require Import Lattice Geometry Vectors.
Import ListNotations.
Local Open Scope R_scope.

Section Cells.
Variables k d : nat.
Variable radius : R.            (* the paper's d / eta *)

Notation valid := (node k).
Notation num := (num k d).

(** K^s as a real number. *)
Definition power (s : nat) : R := IZR (pw k s).

(** The number of splits of coordinate [j] on the way to node [p]. *)
Notation split_count p j := (splits d (length p) j).

(** The base point y_(h,i) of a node. *)
Definition base_point (p : path) : vector :=
  fun j => 2 * radius * IZR (num p j) / power (split_count p j).

Definition in_cell (p : path) (y : vector) : Prop := forall j, (j < d)%nat ->
  (2 * IZR (num p j) - 1) * radius <= power (split_count p j) * y j
  < (2 * IZR (num p j) + 1) * radius.

Definition in_closed_cell (p : path) (y : vector) : Prop := forall j, (j < d)%nat ->
  (2 * IZR (num p j) - 1) * radius <= power (split_count p j) * y j
  <= (2 * IZR (num p j) + 1) * radius.

Definition in_open_cell (p : path) (y : vector) : Prop := forall j, (j < d)%nat ->
  (2 * IZR (num p j) - 1) * radius < power (split_count p j) * y j
  < (2 * IZR (num p j) + 1) * radius.

(** The search space, half-open and closed. *)
Definition in_space (y : vector) : Prop := forall j, (j < d)%nat -> - radius <= y j < radius.
Definition in_closed_space (y : vector) : Prop :=
  forall j, (j < d)%nat -> - radius <= y j <= radius.

(** The K children of a node, left to right. *)
Definition children (p : path) : list path := map (fun a => a :: p) (seq 0 (K k)).

Let Kr : R := IZR (2 * Z.of_nat k + 1).

Lemma Kr_pos : 1 <= Kr.
Proof. unfold Kr. apply IZR_le. lia. Qed.

Lemma power_pos s : 0 < power s.
Proof. unfold power. apply IZR_lt. apply pw_pos. Qed.

(** Nodes with the same point in whole numbers have one base point. *)
Lemma same_point_same_base_point p q : same_point k d p q ->
  forall j, (j < d)%nat -> base_point p j = base_point q j.
Proof.
  intros same j small. specialize (same j small). unfold base_point.
  pose proof (power_pos (split_count p j)) as positive_p.
  pose proof (power_pos (split_count q j)) as positive_q.
  unfold power in *.
  apply (f_equal IZR) in same. rewrite !mult_IZR in same.
  apply (Rmult_eq_reg_r (IZR (pw k (split_count p j)) * IZR (pw k (split_count q j)))); [|nra].
  replace (2 * radius * IZR (num p j) / IZR (pw k (split_count p j))
           * (IZR (pw k (split_count p j)) * IZR (pw k (split_count q j))))
    with (2 * radius * (IZR (num p j) * IZR (pw k (split_count q j)))) by (field; lra).
  rewrite same. field. lra.
Qed.

Lemma power_0 : power 0 = 1.
Proof. unfold power. rewrite pw_0. reflexivity. Qed.

Lemma power_S s : power (S s) = Kr * power s.
Proof. unfold power. rewrite pw_S, mult_IZR. reflexivity. Qed.

Lemma power_mono s t : (s <= t)%nat -> power s <= power t.
Proof.
  intros H. induction H; [lra|]. rewrite power_S.
  pose proof (power_pos m). pose proof Kr_pos. nra.
Qed.

(** ** Children divide their parent's cell *)

Lemma floor_exists (t : R) : exists n : Z, IZR n <= t < IZR n + 1.
Proof.
  exists (up t - 1)%Z. rewrite minus_IZR. destruct (archimed t). split; lra.
Qed.

Lemma floor_unique (t : R) (m n : Z) : IZR m <= t < IZR m + 1 -> IZR n <= t < IZR n + 1 -> m = n.
Proof.
  intros H1 H2. assert (A : IZR m < IZR (n + 1)) by (rewrite plus_IZR; lra).
  assert (B : IZR n < IZR (m + 1)) by (rewrite plus_IZR; lra).
  apply lt_IZR in A. apply lt_IZR in B. lia.
Qed.

Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : 0 < radius.

(** One coordinate: in units of the child's cell the point is at height [t] above the lower end. *)
Let height (c u : R) : R := Kr * (u / radius - (2 * c - 1)) / 2.

Lemma height_is c u : 2 * height c u * radius = Kr * u - Kr * (2 * c - 1) * radius.
Proof. unfold height. field. lra. Qed.

Lemma child_interval c u a :
  (2 * (Kr * c + a - INR k) - 1) * radius <= Kr * u < (2 * (Kr * c + a - INR k) + 1) * radius
  <-> a <= height c u < a + 1.
Proof.
  pose proof (height_is c u) as E.
  assert (Kk : Kr = 2 * INR k + 1).
  { unfold Kr. rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ. lra. }
  replace (Kr * u) with (2 * height c u * radius + Kr * (2 * c - 1) * radius) by lra.
  rewrite Kk. split; intros [H1 H2]; split; nra.
Qed.

Lemma parent_interval c u : (2 * c - 1) * radius <= u < (2 * c + 1) * radius
  <-> 0 <= height c u < Kr.
Proof.
  pose proof (height_is c u) as E. pose proof Kr_pos as HK.
  split; intros [H1 H2]; split.
  - assert (0 <= Kr * (u - (2 * c - 1) * radius)) by (apply Rmult_le_pos; lra). nra.
  - assert (0 < Kr * ((2 * c + 1) * radius - u)) by (apply Rmult_lt_0_compat; lra). nra.
  - assert (0 <= Kr * (u - (2 * c - 1) * radius)) by nra. nra.
  - assert (0 < Kr * ((2 * c + 1) * radius - u)) by nra. nra.
Qed.

Notation split_coord p := (length p mod d)%nat.
Let splits_S := splits_S d d_pos.
Let num_cons := num_cons k d d_pos.

(** A point is in child [a] iff it is in the parent's cell and its height there is in [a, a+1). *)
Lemma in_child_cell a p y : (a < K k)%nat ->
  in_cell (a :: p) y <->
  in_cell p y /\ INR a <= height (IZR (num p (split_coord p)))
                                 (power (split_count p (split_coord p)) * y (split_coord p)) < INR a + 1.
Proof.
  intros Ha. pose proof (mod_d_lt d d_pos (length p)) as Hs. set (s := split_coord p) in *.
  assert (C : forall j, (j < d)%nat -> j <> s ->
    ((2 * IZR (num (a :: p) j) - 1) * radius <= power (split_count (a :: p) j) * y j
     < (2 * IZR (num (a :: p) j) + 1) * radius)
    <-> ((2 * IZR (num p j) - 1) * radius <= power (split_count p j) * y j
     < (2 * IZR (num p j) + 1) * radius)).
  { intros j Hj N. rewrite num_cons. cbn [length]. rewrite splits_S by exact Hj. fold s.
    apply Nat.eqb_neq in N. rewrite N, Nat.add_0_r. tauto. }
  assert (D : ((2 * IZR (num (a :: p) s) - 1) * radius <= power (split_count (a :: p) s) * y s
     < (2 * IZR (num (a :: p) s) + 1) * radius)
     <-> INR a <= height (IZR (num p s)) (power (split_count p s) * y s) < INR a + 1).
  { rewrite <- child_interval. rewrite num_cons. cbn [length]. rewrite splits_S by exact Hs. fold s.
    rewrite Nat.eqb_refl, Nat.add_1_r, power_S, minus_IZR, plus_IZR, mult_IZR, <- !INR_IZR_INZ.
    fold Kr. rewrite Rmult_assoc. tauto. }
  split.
  - intros H. split.
    + intros j Hj. destruct (Nat.eq_dec j s) as [->|N]; [|apply C; auto].
      apply parent_interval. apply D in H; [|exact Hs]. clear C D.
      pose proof (pos_INR a). assert (INR a + 1 <= Kr).
      { unfold Kr. rewrite INR_IZR_INZ, <- plus_IZR. apply IZR_le. unfold K in Ha. lia. }
      lra.
    + apply D. apply H. exact Hs.
  - intros [H1 H2] j Hj. destruct (Nat.eq_dec j s) as [->|N]; [apply D; exact H2 | apply C; auto].
Qed.

(** Claim [partition-coverage]. A point of a cell is in the cell of exactly one child,
    and the children's cells are inside their parent's. *)
Theorem children_partition_their_parent p y :
  (in_cell p y -> exists! a, (a < K k)%nat /\ in_cell (a :: p) y)
  /\ forall a, (a < K k)%nat -> in_cell (a :: p) y -> in_cell p y.
Proof.
  split.
  - intros H. pose proof (mod_d_lt d d_pos (length p)) as Hs. set (s := split_coord p) in *.
    set (t := height (IZR (num p s)) (power (split_count p s) * y s)).
    assert (B : 0 <= t < Kr) by (apply parent_interval; apply H; exact Hs).
    destruct (floor_exists t) as [n Hn].
    assert (N0 : (0 <= n)%Z).
    { assert (IZR (-1) < IZR n) by lra. apply lt_IZR in H0. lia. }
    assert (NK : (n < 2 * Z.of_nat k + 1)%Z) by (apply lt_IZR; fold Kr; lra).
    exists (Z.to_nat n). split; [split|].
    + unfold K. lia.
    + apply in_child_cell; [unfold K; lia|]. split; [exact H|].
      rewrite INR_IZR_INZ, Z2Nat.id by exact N0. exact Hn.
    + intros b [Hb Cb]. apply in_child_cell in Cb; [|exact Hb]. destruct Cb as [_ Cb].
      rewrite INR_IZR_INZ in Cb. pose proof (floor_unique _ _ _ Hn Cb). lia.
  - intros a Ha H. apply in_child_cell in H; tauto.
Qed.

Lemma in_root_cell y : in_cell [] y <-> in_space y.
Proof.
  unfold in_cell, in_space. split; intros H j Hj; specialize (H j Hj);
    rewrite num_nil in *; cbn [length] in *; rewrite (splits_0 d d_pos) in *; rewrite power_0 in *; lra.
Qed.

(** Claim [partition-coverage]. At each depth every point of Y is in the cell of exactly one node. *)
Theorem every_point_is_in_one_cell_of_each_depth h y : in_space y ->
  exists! p, (valid p /\ length p = h) /\ in_cell p y.
Proof.
  intros Hy. induction h as [|h (p & [[Vp Lp] Cp] & Up)].
  - exists []. split.
    + repeat split; [constructor | apply in_root_cell in Hy; apply Hy; assumption ..].
    + intros q [[_ L] _]. destruct q; [reflexivity|discriminate].
  - destruct (children_partition_their_parent p y) as [E _]. destruct (E Cp) as (a & [Ha Ca] & Ua).
    exists (a :: p). split.
    + repeat split; [constructor; assumption | cbn; congruence | apply Ca; assumption ..].
    + intros [|b q] [[Vq Lq] Cq]; [discriminate|].
      apply Forall_cons_iff in Vq. destruct Vq as [Hb Vq].
      destruct (children_partition_their_parent q y) as [_ P]. specialize (P b Hb Cq).
      assert (q = p).
      { symmetry. apply Up. split; [split; [exact Vq | cbn in Lq; congruence] | exact P]. }
      subst q. f_equal. apply Ua. auto.
Qed.

Lemma a_cell_is_inside_the_space p y : valid p -> in_cell p y -> in_space y.
Proof.
  intros Vp Hp. apply in_root_cell. induction p as [|a p IH]; [exact Hp|].
  apply Forall_cons_iff in Vp. destruct Vp as [Ha Vp]. apply IH; [exact Vp|].
  destruct (children_partition_their_parent p y) as [_ P]. apply (P a Ha). exact Hp.
Qed.

(** Claim [partition-coverage]. The cells of two nodes of one depth have no common point. *)
Theorem cells_of_one_depth_are_disjoint p q y : valid p -> valid q -> length p = length q ->
  in_cell p y -> in_cell q y -> p = q.
Proof.
  intros Vp Vq L Hp Hq. pose proof (a_cell_is_inside_the_space p y Vp Hp) as Y.
  destruct (every_point_is_in_one_cell_of_each_depth (length p) y Y) as (r & _ & U).
  transitivity r; [symmetry|]; apply U; auto.
Qed.

(** Claim [partition-coverage]. Closed cells of one depth overlap in faces only. *)
Theorem open_cells_of_one_depth_are_disjoint p q y : valid p -> valid q -> length p = length q ->
  in_open_cell p y -> in_open_cell q y -> p = q.
Proof.
  intros Vp Vq L Hp Hq. apply (cells_of_one_depth_are_disjoint p q y); auto;
    intros j Hj; [specialize (Hp j Hj) | specialize (Hq j Hj)]; lra.
Qed.

(** ** Closed cells cover the closed cube *)

Lemma closed_parent_interval c u : (2 * c - 1) * radius <= u <= (2 * c + 1) * radius
  -> 0 <= height c u <= Kr.
Proof.
  pose proof (height_is c u) as E. pose proof Kr_pos as HK. intros [H1 H2].
  assert (0 <= Kr * (u - (2 * c - 1) * radius)) by (apply Rmult_le_pos; lra).
  assert (0 <= Kr * ((2 * c + 1) * radius - u)) by (apply Rmult_le_pos; lra). split; nra.
Qed.

Lemma closed_child_interval c u a : a <= height c u <= a + 1 ->
  (2 * (Kr * c + a - INR k) - 1) * radius <= Kr * u <= (2 * (Kr * c + a - INR k) + 1) * radius.
Proof.
  pose proof (height_is c u) as E.
  assert (Kk : Kr = 2 * INR k + 1).
  { unfold Kr. rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ. lra. }
  replace (Kr * u) with (2 * height c u * radius + Kr * (2 * c - 1) * radius) by lra.
  rewrite Kk. intros [H1 H2]; split; nra.
Qed.

Lemma closed_children_cover_their_parent p y : in_closed_cell p y ->
  exists a, (a < K k)%nat /\ in_closed_cell (a :: p) y.
Proof.
  intros H. pose proof (mod_d_lt d d_pos (length p)) as Hs. set (s := split_coord p) in *.
  set (t := height (IZR (num p s)) (power (split_count p s) * y s)).
  assert (B : 0 <= t <= Kr) by (apply closed_parent_interval; apply H; exact Hs).
  assert (N : exists a, (a < K k)%nat /\ INR a <= t <= INR a + 1).
  { destruct (Req_dec t Kr) as [E|E].
    - exists (2 * k)%nat. split; [unfold K; lia|]. rewrite E. unfold Kr.
      rewrite INR_IZR_INZ, <- plus_IZR. split; apply IZR_le; lia.
    - destruct (floor_exists t) as [n Hn].
      assert (N0 : IZR (-1) < IZR n) by lra. apply lt_IZR in N0.
      assert (NK : (n < 2 * Z.of_nat k + 1)%Z) by (apply lt_IZR; fold Kr; lra).
      exists (Z.to_nat n). split; [unfold K; lia|]. rewrite INR_IZR_INZ, Z2Nat.id by lia. lra. }
  destruct N as (a & Ha & Na). exists a. split; [exact Ha|]. intros j Hj. rewrite num_cons.
  cbn [length]. rewrite splits_S by exact Hj. fold s. destruct (Nat.eqb_spec j s) as [->|_].
  - apply closed_child_interval in Na.
    rewrite Nat.add_1_r, power_S, minus_IZR, plus_IZR, mult_IZR, <- !INR_IZR_INZ.
    fold Kr. rewrite (Rmult_assoc Kr). exact Na.
  - rewrite Nat.add_0_r. apply H. exact Hj.
Qed.

(** Claim [partition-coverage]. The closed cells of each depth cover the closed cube [-R, R]^d. *)
Theorem closed_cells_of_each_depth_cover_the_closed_space h y : in_closed_space y ->
  exists p, (valid p /\ length p = h) /\ in_closed_cell p y.
Proof.
  intros Hy. induction h as [|h (p & [Vp Lp] & Cp)].
  - exists []. split; [split; [constructor|reflexivity]|]. intros j Hj. specialize (Hy j Hj).
    rewrite num_nil. cbn [length]. rewrite (splits_0 d d_pos), power_0. lra.
  - destruct (closed_children_cover_their_parent p y Cp) as (a & Ha & Ca). exists (a :: p).
    split; [split; [constructor; assumption | cbn; congruence] | exact Ca].
Qed.

End Cells.
