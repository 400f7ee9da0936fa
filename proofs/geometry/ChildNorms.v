(** * The norm of a child is its parent's with one square changed. *)

From Coq Require Import List ZArith Arith Lia.
From EmbeddedHunter Require Import Lattice Geometry Norms.
Import ListNotations.
Open Scope nat_scope.

Lemma split_coordinate_is k j c ys : j < length ys ->
  split_coordinate k j c ys =
  firstn j ys ++ (Z.of_nat (K k) * nth j ys 0 + Z.of_nat c - Z.of_nat k)%Z :: skipn (S j) ys.
Proof.
  revert j; induction ys as [|y ys IH]; intros [|j] H; cbn in H; try lia; [reflexivity|].
  cbn [split_coordinate firstn nth skipn app]. f_equal. apply IH. lia.
Qed.

Section IncrementalNorms.

Variables k d : nat.
Hypothesis d_pos : 1 <= d.

Local Notation num := (num k d).
Local Notation pw := (pw k).

Lemma sum_below_change n j f g :
  j < n -> (forall i, i < n -> i <> j -> f i = g i) ->
  sum_below n f = (sum_below n g - g j + f j)%Z.
Proof.
  induction n as [|n IH]; intros Hj H; [lia|]. cbn [sum_below].
  destruct (Nat.eq_dec j n) as [->|Hn].
  - rewrite (sum_below_ext n f g) by (intros i Hi; apply H; lia). lia.
  - rewrite IH by (try lia; intros i Hi Hi'; apply H; lia). rewrite (H n) by lia. lia.
Qed.

Lemma rounds_S h : rounds d (S h) = rounds d h + (if h mod d =? 0 then 1 else 0).
Proof.
  rewrite !(rounds_is d d_pos), (splits_S d d_pos) by lia. f_equal. rewrite Nat.eqb_sym. reflexivity.
Qed.

(** Claims [norms-of-depth] [norm-classes].  The norm of a child is computed from its parent's, with two squares and
    no sum over the coordinates: K^2 times as large an integer if the first coordinate is split, as the common
    denominator is K times finer then, less the square of the split numerator, plus the square of the new one. *)
Theorem norms_of_children_from_the_norm_of_the_parent a p :
  let h := length p in
  let j := h mod d in
  let big_K := Z.of_nat (K k) in
  let at_j := (big_K * nth j (numerators k d p) 0)%Z in
  let numerator := (at_j + Z.of_nat a - Z.of_nat k)%Z in
  Nrm k d (a :: p) =
  ((if (j =? 0)%nat then Nrm k d p * big_K * big_K else Nrm k d p) - at_j * at_j + numerator * numerator)%Z.
Proof.
  cbv zeta. rewrite K_is. fold (num p (length p mod d)).
  set (h := length p). set (j := h mod d). set (Kz := (2 * Z.of_nat k + 1)%Z).
  assert (Hj : j < d) by (apply Nat.mod_upper_bound; lia).
  rewrite !(Nrm_is k d d_pos). cbn [length]. fold h.
  set (g := fun i => ((num p i * pw (rounds d (S h) - splits d h i)) ^ 2)%Z).
  rewrite (sum_below_change d j _ g Hj).
  - assert (E1 : sum_below d g =
      if (j =? 0)%nat then
        (sum_below d (fun i => (num p i * pw (rounds d h - splits d h i)) ^ 2) * Kz * Kz)%Z
      else sum_below d (fun i => ((num p i * pw (rounds d h - splits d h i)) ^ 2)%Z)).
    { unfold g. rewrite rounds_S. fold j. destruct (j =? 0)%nat.
      - rewrite !(sum_below_scale d d_pos). apply sum_below_ext. intros i Hi.
        pose proof (splits_le_levels d d_pos h i).
        replace (rounds d h + 1 - splits d h i) with (S (rounds d h - splits d h i)) by lia.
        rewrite pw_S. fold Kz. ring.
      - apply sum_below_ext. intros i Hi. now rewrite Nat.add_0_r. }
    rewrite E1. f_equal; [f_equal|].
    + unfold g. assert (E2 : rounds d (S h) = S (splits d h j)).
      { pose proof (splits_S d d_pos h 0 ltac:(lia)) as E. rewrite (rounds_is d d_pos), E. fold j.
        destruct (Nat.eq_dec j 0) as [->|Hn]; [cbn; lia|].
        replace (0 =? j) with false by (symmetry; apply Nat.eqb_neq; lia).
        unfold splits. fold j. rewrite (proj2 (Nat.ltb_ge j j)) by lia.
        rewrite (proj2 (Nat.ltb_lt 0 j)) by lia. lia. }
      rewrite E2. replace (S (splits d h j) - splits d h j) with 1 by lia.
      rewrite pw_S, pw_0. fold Kz. ring.
    + rewrite (num_cons k d d_pos). fold h j. rewrite Nat.eqb_refl. fold Kz.
      assert (E2 : rounds d (S h) = splits d (S h) j).
      { rewrite (rounds_is d d_pos), !(splits_S d d_pos) by lia. fold j. rewrite Nat.eqb_refl.
        destruct (Nat.eq_dec j 0) as [->|Hn]; [reflexivity|].
        replace (0 =? j) with false by (symmetry; apply Nat.eqb_neq; lia).
        unfold splits. fold j. rewrite (proj2 (Nat.ltb_ge j j)) by lia.
        rewrite (proj2 (Nat.ltb_lt 0 j)) by lia. lia. }
      rewrite E2, Nat.sub_diag, pw_0. ring.
  - intros i Hi Hne. unfold g. rewrite (num_cons k d d_pos), (splits_S d d_pos) by lia. fold h j.
    rewrite (proj2 (Nat.eqb_neq i j) Hne), Nat.add_0_r. reflexivity.
Qed.

End IncrementalNorms.
