(** * Norms of base points: the corner is farthest, depths have few classes.

    [Nrm p / K ^ (2 m)], m = ceil (h / d), is the squared norm of the base point
    of [p] in units of (2R)^2 (Lattice.v), so norms of nodes of any two depths
    are compared exactly. *)
From Coq Require Import List ZArith Lia Arith.
From EmbeddedHunter Require Import Lattice Geometry.
Import ListNotations.

Local Open Scope Z_scope.

Section Norms.
Variables k d : nat.
Hypothesis d_pos : (1 <= d)%nat.

Notation splits := (splits d).
Notation levels := (rounds d).
Notation valid := (node k).
Notation num := (num k d).
Notation pw := (pw k).

Let valid_cons := valid_cons k.
Let splits_0 := splits_0 d d_pos.
Let splits_S := splits_S d d_pos.
Let splits_le_levels := splits_le_levels d d_pos.
Let num_cons := num_cons k d d_pos.
Let numerators_are_in_the_centered_range := numerators_are_in_the_centered_range k d d_pos.
Let equal_points_are_on_one_center_chain := equal_points_are_on_one_center_chain k d d_pos.

Fixpoint sum_below (n : nat) (f : nat -> Z) : Z :=
  match n with O => 0 | S m => sum_below m f + f m end.

Lemma square_le a b : Z.abs a <= Z.abs b -> a ^ 2 <= b ^ 2.
Proof.
  intros H. rewrite !Z.pow_2_r. apply Z.square_le_mono_nonneg in H; [|lia].
  rewrite <- !Z.abs_mul in H. rewrite !Z.abs_eq in H by nia. exact H.
Qed.

Lemma sum_below_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> sum_below n f <= sum_below n g.
Proof.
  induction n as [|n IH]; intros H; cbn; [lia|].
  pose proof (H n ltac:(lia)). assert (sum_below n f <= sum_below n g) by (apply IH; auto). lia.
Qed.

Lemma sum_below_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> sum_below n f = sum_below n g.
Proof. induction n as [|n IH]; intros H; cbn; [reflexivity|]. rewrite IH, H by auto. reflexivity. Qed.

Lemma sum_below_first n f : sum_below (S n) f = f 0%nat + sum_below n (fun i => f (S i)).
Proof.
  induction n as [|n IH]; [cbn; lia|].
  change (sum_below (S (S n)) f) with (sum_below (S n) f + f (S n)). rewrite IH. cbn [sum_below]. lia.
Qed.

Lemma sum_below_scale n f c : sum_below n f * c = sum_below n (fun j => f j * c).
Proof. induction n as [|n IH]; cbn; [lia|]. rewrite <- IH. ring. Qed.

Lemma sum_below_const n c : sum_below n (fun _ => c) = Z.of_nat n * c.
Proof. induction n as [|n IH]; cbn [sum_below]; [lia|]. rewrite IH. lia. Qed.

Lemma sum_of_squares_is h m j ys :
  sum_of_squares k d h m j ys
  = sum_below (length ys) (fun i => (nth i ys 0 * pw (m - splits h (j + i))) ^ 2).
Proof.
  revert j. induction ys as [|y ys IH]; intros j; [reflexivity|].
  cbn [sum_of_squares length]. rewrite IH, sum_below_first, Nat.add_0_r.
  cbn [nth]. fold (pw (m - splits h j)). rewrite Z.pow_2_r. f_equal.
  apply sum_below_ext. intros i _. rewrite <- Nat.add_succ_comm. reflexivity.
Qed.

Lemma Nrm_is p : Nrm k d p =
  sum_below d (fun j => (num p j * pw (levels (length p) - splits (length p) j)) ^ 2).
Proof. unfold Nrm. rewrite sum_of_squares_is, length_numerators. reflexivity. Qed.

Notation norm2 := (Nrm k d).

Lemma norm_of_the_root : norm2 [] = 0.
Proof.
  rewrite Nrm_is, (sum_below_ext _ _ (fun _ => 0)), sum_below_const; [lia|]. intros. rewrite num_nil. reflexivity.
Qed.

Lemma term_of_a_sum_below n f j : (forall i, 0 <= f i) -> (j < n)%nat -> f j <= sum_below n f.
Proof.
  intros Hf. induction n as [|n IH]; intros Hj; [lia|]. cbn [sum_below]. pose proof (Hf n). pose proof (Hf j).
  assert (0 <= sum_below n f) by (clear - Hf; induction n as [|n IH]; cbn; [lia|]; specialize (Hf n); lia).
  destruct (Nat.eq_dec j n) as [->|N]; [lia|]. specialize (IH ltac:(lia)). lia.
Qed.

(** The norm is zero at the origin only. *)
Lemma norm_zero p : norm2 p = 0 -> forall j, (j < d)%nat -> num p j = 0.
Proof.
  rewrite Nrm_is. intros E j Hj.
  pose proof (term_of_a_sum_below d (fun j => (num p j * pw (levels (length p) - splits (length p) j)) ^ 2) j
    ltac:(intros; apply Z.pow_even_nonneg; exists 1; reflexivity) Hj) as T.
  pose proof (pw_pos k (levels (length p) - splits (length p) j)). cbv beta in T. rewrite E in T. nia.
Qed.

(** The norm of [p] is at most the norm of [q], whatever their depths. *)
Definition norm_at_most (p q : path) : Prop :=
  norm2 p * pw (levels (length q)) ^ 2 <= norm2 q * pw (levels (length p)) ^ 2.

Lemma norm2_nonneg p : 0 <= norm2 p.
Proof.
  rewrite ?Nrm_is. rewrite <- (Z.mul_0_r (Z.of_nat d)), <- sum_below_const.
  apply sum_below_le. intros. apply Z.pow_even_nonneg. exists 1. reflexivity.
Qed.

Lemma pw_levels h j : pw (levels h) = pw (splits h j) * pw (levels h - splits h j).
Proof. rewrite <- pw_add. f_equal. pose proof (splits_le_levels h j). lia. Qed.

(** Equal points have equal norms. *)
Lemma equal_points_have_equal_norms p q : same_point k d p q ->
  norm2 p * pw (levels (length q)) ^ 2 = norm2 q * pw (levels (length p)) ^ 2.
Proof.
  intros H. rewrite ?Nrm_is. rewrite !sum_below_scale. apply sum_below_ext. intros j Hj.
  specialize (H j Hj). rewrite <- !Z.pow_mul_l. f_equal.
  rewrite (pw_levels (length q) j), (pw_levels (length p) j).
  set (u := pw (levels (length p) - splits (length p) j)).
  set (w := pw (levels (length q) - splits (length q) j)).
  transitivity (num p j * pw (splits (length q) j) * (u * w)); [ring|]. rewrite H. ring.
Qed.

(** The node of all last digits: the cell in the corner of [Y]. *)
Definition corner (h : nat) : path := repeat (2 * k)%nat h.

Lemma valid_repeat a h : (a <= 2 * k)%nat -> valid (repeat a h).
Proof. intros. unfold node, K. induction h; cbn; constructor; auto. lia. Qed.

Lemma corner_num h j : (j < d)%nat -> 2 * num (corner h) j = pw (splits h j) - 1.
Proof.
  intros Hj. unfold corner. induction h as [|h IH].
  - rewrite splits_0, pw_0. cbn [repeat]. rewrite num_nil. reflexivity.
  - cbn [repeat]. rewrite num_cons, repeat_length, splits_S by exact Hj.
    destruct (Nat.eqb j (h mod d)).
    + rewrite Nat.add_1_r, pw_S. lia.
    + rewrite Nat.add_0_r. exact IH.
Qed.

(** Claim [norm-monotonicity]. The greatest norm of a depth is that of the corner node. *)
Theorem the_corner_has_the_greatest_norm_of_its_depth p : valid p -> norm2 p <= norm2 (corner (length p)).
Proof.
  intros Hp. rewrite !Nrm_is. unfold corner at 2 3. rewrite repeat_length.
  apply sum_below_le. intros j Hj.
  pose proof (numerators_are_in_the_centered_range p j Hp Hj) as B.
  pose proof (corner_num (length p) j Hj) as C.
  set (w := pw (levels (length p) - splits (length p) j)).
  assert (0 < w) by apply pw_pos.
  apply square_le. rewrite !Z.abs_mul. nia.
Qed.

(** Claim [norm-monotonicity]. The greatest norm of a depth does not decrease with the depth:
    for every node some node of any later depth is at least as far from the origin. *)
Theorem the_greatest_norm_is_non_decreasing_in_depth p h : valid p -> (length p <= h)%nat ->
  norm_at_most p (corner h).
Proof.
  intros Hp Hh. set (q := repeat k (h - length p) ++ p).
  assert (L : length q = h) by (unfold q; rewrite app_length, repeat_length; lia).
  assert (V : valid q).
  { unfold node, q. apply Forall_app. split; [|exact Hp]. apply valid_repeat. lia. }
  assert (S : same_point k d p q).
  { apply equal_points_are_on_one_center_chain; auto; [lia|]. unfold q at 1. rewrite L. reflexivity. }
  apply equal_points_have_equal_norms in S. unfold norm_at_most.
  unfold corner at 1. rewrite repeat_length. rewrite L in S. rewrite S.
  apply Z.mul_le_mono_nonneg_r; [apply Z.pow_even_nonneg; exists 1; reflexivity|].
  rewrite <- L. apply the_corner_has_the_greatest_norm_of_its_depth. exact V.
Qed.

(** ** Norm classes. *)

Lemma norm2_bound p : valid p ->
  norm2 p <= Z.of_nat d * ((pw (levels (length p)) - 1) / 2) ^ 2.
Proof.
  intros Hp. rewrite <- sum_below_const, Nrm_is. apply sum_below_le. intros j Hj.
  pose proof (numerators_are_in_the_centered_range p j Hp Hj) as B.
  rewrite (pw_levels (length p) j).
  set (w := pw (levels (length p) - splits (length p) j)) in *.
  set (u := pw (splits (length p) j)) in *.
  assert (0 < w) by apply pw_pos. assert (0 < u) by apply pw_pos.
  assert (2 * Z.abs (num p j * w) <= u * w - 1) by (rewrite Z.abs_mul; nia).
  apply square_le.
  assert (Z.abs (num p j * w) <= (u * w - 1) / 2) by (apply Z.div_le_lower_bound; lia). lia.
Qed.

(** All nodes of depth [h], in spatial order. *)
Fixpoint nodes_of_depth (h : nat) : list path :=
  match h with
  | O => [[]]
  | S h => flat_map (fun p => map (fun a => a :: p) (seq 0 (2 * k + 1))) (nodes_of_depth h)
  end.

Lemma nodes_of_depth_are_the_valid_paths p h : In p (nodes_of_depth h) <-> valid p /\ length p = h.
Proof.
  revert p. induction h as [|h IH]; intros p; cbn [nodes_of_depth].
  - split.
    + intros [<-|[]]. split; [constructor|reflexivity].
    + intros [_ H]. destruct p; [left; reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros (q & Hq & Hp). apply IH in Hq. apply in_map_iff in Hp. destruct Hp as (a & <- & Ha).
      apply in_seq in Ha. split; [apply valid_cons; split; [lia|tauto]|]. cbn. f_equal. tauto.
    + intros [V L]. destruct p as [|a p]; [discriminate|]. apply valid_cons in V. exists p. split.
      * apply IH. cbn in L. split; [tauto|lia].
      * apply in_map_iff. exists a. split; [reflexivity|]. apply in_seq. lia.
Qed.

Lemma length_flat_map_const {A B} (f : A -> list B) c l : (forall x, length (f x) = c) ->
  length (flat_map f l) = (length l * c)%nat.
Proof.
  intros H. induction l as [|x l IH]; [reflexivity|].
  change (flat_map f (x :: l)) with (f x ++ flat_map f l). rewrite app_length, IH, H. reflexivity.
Qed.

Lemma number_of_nodes_of_depth h : Z.of_nat (length (nodes_of_depth h)) = pw h.
Proof.
  induction h as [|h IH]; [reflexivity|]. cbn [nodes_of_depth].
  rewrite length_flat_map_const with (c := (2 * k + 1)%nat).
  - rewrite Nat2Z.inj_mul, pw_S. unfold path in *. rewrite IH. lia.
  - intros. rewrite map_length, seq_length. reflexivity.
Qed.

Lemma distinct_integers_in_a_range (l : list Z) b : 0 <= b -> NoDup l ->
  (forall x, In x l -> 0 <= x <= b) -> Z.of_nat (length l) <= b + 1.
Proof.
  intros Hb N H. assert (I : incl l (map Z.of_nat (seq 0 (Z.to_nat (b + 1))))).
  { intros x Hx. specialize (H x Hx). apply in_map_iff. exists (Z.to_nat x).
    split; [lia|]. apply in_seq. lia. }
  apply NoDup_incl_length in I; auto. rewrite map_length, seq_length in I. lia.
Qed.

(** Claim [norm-classes]. The nodes of depth [h] have at most
    [min (K^h) (1 + d ((K^m - 1)/2)^2)] distinct norms, [m] being [h / d] rounded up. *)
Theorem the_norm_classes_of_a_depth_are_few h (norms : list Z) : NoDup norms ->
  (forall x, In x norms -> exists p, valid p /\ length p = h /\ norm2 p = x) ->
  Z.of_nat (length norms) <= Z.min (pw h) (1 + Z.of_nat d * ((pw (levels h) - 1) / 2) ^ 2).
Proof.
  intros N H. apply Z.min_glb.
  - rewrite <- number_of_nodes_of_depth. apply inj_le.
    rewrite <- (map_length norm2 (nodes_of_depth h)). apply NoDup_incl_length; auto.
    intros x Hx. destruct (H x Hx) as (p & V & L & <-). apply in_map.
    apply nodes_of_depth_are_the_valid_paths. auto.
  - rewrite Z.add_comm. apply distinct_integers_in_a_range; auto.
    + pose proof (Z.pow_even_nonneg ((pw (levels h) - 1) / 2) 2 ltac:(exists 1; reflexivity)). lia.
    + intros x Hx. destruct (H x Hx) as (p & V & L & <-). split; [apply norm2_nonneg|].
      rewrite <- L. apply norm2_bound. exact V.
Qed.

End Norms.
