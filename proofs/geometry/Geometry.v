(** * Geometry of the lattice: base points, center children and norms.

    Everything here is exact and about integers: the definitions of Lattice.v.
    [num p j] is the numerator of coordinate [j] of the base point of node [p],
    y_j = 2 R (num p j) / K^(splits j).  Cells of real points: Cells.v. *)
From Coq Require Import List ZArith Lia Arith.
Import ListNotations.
From EmbeddedHunter Require Import Lattice.

Local Open Scope Z_scope.

Section Geometry.
Variables k d : nat.

Notation Kz := (2 * Z.of_nat k + 1).
Notation splits := (splits d).
Notation levels := (rounds d).
Notation valid := (node k).

(** The numerator of coordinate [j]. *)
Definition num (p : path) (j : nat) : Z := nth j (numerators k d p) 0.

(** The power K^s. *)
Definition pw (s : nat) : Z := Z.of_nat (K k) ^ Z.of_nat s.

Lemma K_is : Z.of_nat (K k) = Kz. Proof. unfold K. lia. Qed.

Lemma pw_0 : pw 0 = 1. Proof. reflexivity. Qed.
Lemma pw_S s : pw (S s) = Kz * pw s.
Proof. unfold pw. rewrite K_is. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. Qed.
Lemma pw_add s t : pw (s + t) = pw s * pw t.
Proof. unfold pw. rewrite Nat2Z.inj_add, Z.pow_add_r by lia. reflexivity. Qed.
Lemma pw_pos s : 0 < pw s.
Proof. unfold pw. rewrite K_is. apply Z.pow_pos_nonneg; lia. Qed.
Lemma pw_odd s : exists q, pw s = 2 * q + 1.
Proof.
  induction s as [|s [q IH]]; [exists 0; reflexivity|].
  rewrite pw_S, IH. exists (Z.of_nat k * (2 * q + 1) + q). ring.
Qed.

Lemma valid_cons a p : valid (a :: p) <-> (a <= 2 * k)%nat /\ valid p.
Proof.
  unfold node, K. split.
  - intros H. inversion H. split; [lia|assumption].
  - intros [H1 H2]. constructor; [lia|assumption].
Qed.

Lemma length_split_coordinate j c ys : length (split_coordinate k j c ys) = length ys.
Proof. revert j. induction ys as [|y ys IH]; intros [|j]; cbn; auto. Qed.

Lemma length_numerators p : length (numerators k d p) = d.
Proof.
  induction p as [|a p IH]; cbn; [apply repeat_length|]. rewrite length_split_coordinate. exact IH.
Qed.

Lemma nth_split_coordinate i c ys j : (i < length ys)%nat ->
  nth j (split_coordinate k i c ys) 0
  = if Nat.eqb j i then Kz * nth j ys 0 + Z.of_nat c - Z.of_nat k else nth j ys 0.
Proof.
  revert i j. induction ys as [|y ys IH]; intros [|i] [|j] H; cbn [split_coordinate nth Nat.eqb];
    try (cbn in H; lia); rewrite ?K_is; try reflexivity.
  apply IH. cbn in H. lia.
Qed.

Hypothesis d_pos : (1 <= d)%nat.

Lemma splits_0 j : splits 0 j = 0%nat.
Proof. unfold Lattice.splits. rewrite Nat.div_0_l, Nat.mod_0_l by lia. reflexivity. Qed.

Lemma splits_S h j : (j < d)%nat ->
  splits (S h) j = (splits h j + if Nat.eqb j (h mod d) then 1 else 0)%nat.
Proof.
  intros Hj. unfold Lattice.splits.
  pose proof (Nat.div_mod h d ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound h d ltac:(lia)) as B.
  set (q := (h / d)%nat) in *. set (r := (h mod d)%nat) in *.
  destruct (Nat.eq_dec (S r) d) as [F|F].
  - assert (E1 : (S h / d = S q)%nat) by 
      (symmetry; apply Nat.div_unique with (r := 0%nat); rewrite ?Nat.mul_succ_r; lia).
    assert (E2 : (S h mod d = 0)%nat) by 
      (symmetry; apply Nat.mod_unique with (q := S q); rewrite ?Nat.mul_succ_r; lia).
    rewrite E1, E2. change (Nat.ltb j 0) with false. cbv iota.
    destruct (Nat.ltb_spec j r); destruct (Nat.eqb_spec j r); lia.
  - assert (E1 : (S h / d = q)%nat) by (symmetry; apply Nat.div_unique with (r := S r); lia).
    assert (E2 : (S h mod d = S r)%nat) by (symmetry; apply Nat.mod_unique with (q := q); lia).
    rewrite E1, E2.
    destruct (Nat.ltb_spec j r); destruct (Nat.ltb_spec j (S r)); destruct (Nat.eqb_spec j r); lia.
Qed.

Lemma rounds_is h : levels h = splits h 0.
Proof.
  unfold rounds, Lattice.splits.
  pose proof (Nat.div_mod h d ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound h d ltac:(lia)) as B.
  set (q := (h / d)%nat) in *. set (r := (h mod d)%nat) in *. symmetry.
  destruct (Nat.ltb_spec 0 r).
  - apply Nat.div_unique with (r := (r - 1)%nat); rewrite ?Nat.mul_add_distr_l; lia.
  - apply Nat.div_unique with (r := (d - 1)%nat); rewrite ?Nat.mul_add_distr_l; lia.
Qed.

Lemma splits_mono h h' j : (j < d)%nat -> (h <= h')%nat -> (splits h j <= splits h' j)%nat.
Proof.
  intros Hj H. induction H; [lia|]. rewrite splits_S by exact Hj.
  destruct (Nat.eqb j (m mod d)); lia.
Qed.

(** The first coordinate is split most often: [levels h] times, which is [h / d] rounded up. *)
Lemma splits_le_levels h j : (splits h j <= levels h)%nat.
Proof.
  rewrite rounds_is; unfold Lattice.splits.
  destruct (Nat.ltb_spec j (h mod d)); destruct (Nat.ltb_spec 0 (h mod d)); lia.
Qed.

Lemma levels_mono h h' : (h <= h')%nat -> (levels h <= levels h')%nat.
Proof. intros. rewrite !rounds_is. apply splits_mono; lia. Qed.

Lemma mod_d_lt h : (h mod d < d)%nat.
Proof. apply Nat.mod_upper_bound. lia. Qed.

Lemma num_nil j : num [] j = 0.
Proof.
  unfold num. cbn [numerators]. apply nth_repeat.
Qed.

Lemma num_cons a p j : num (a :: p) j =
  if Nat.eqb j (length p mod d) then Kz * num p j + Z.of_nat a - Z.of_nat k else num p j.
Proof.
  unfold num. cbn [numerators]. apply nth_split_coordinate.
  rewrite length_numerators. apply mod_d_lt.
Qed.

(** Two nodes, at any two depths, have the same base point:
    the fractions [num p j / K^splits] are equal in every coordinate. *)
Definition same_point (p q : path) := forall j, (j < d)%nat ->
  num p j * pw (splits (length q) j) = num q j * pw (splits (length p) j).

Lemma same_point_sym p q : same_point p q -> same_point q p.
Proof. intros H j Hj. symmetry. auto. Qed.

Lemma same_point_trans p q r : same_point p q -> same_point q r -> same_point p r.
Proof.
  intros H1 H2 j Hj. specialize (H1 j Hj). specialize (H2 j Hj).
  pose proof (pw_pos (splits (length q) j)).
  apply Z.mul_reg_r with (p := pw (splits (length q) j)); [lia|].
  replace (num p j * pw (splits (length r) j) * pw (splits (length q) j))
    with ((num p j * pw (splits (length q) j)) * pw (splits (length r) j)) by ring.
  rewrite H1.
  replace (num q j * pw (splits (length p) j) * pw (splits (length r) j))
    with ((num q j * pw (splits (length r) j)) * pw (splits (length p) j)) by ring.
  rewrite H2. ring.
Qed.

(** Claim [center-child]. A child has its parent's base point iff it is the center child. *)
Theorem center_child_same_base a p : same_point (a :: p) p <-> a = k.
Proof.
  split.
  - intros H. specialize (H _ (mod_d_lt (length p))).
    rewrite num_cons in H. cbn [length] in H.
    rewrite splits_S, Nat.eqb_refl, Nat.add_1_r, pw_S in H by apply mod_d_lt.
    pose proof (pw_pos (splits (length p) (length p mod d))). nia.
  - intros -> j Hj. rewrite num_cons. cbn [length]. rewrite splits_S by exact Hj.
    destruct (Nat.eqb j (length p mod d)).
    + rewrite Nat.add_1_r, pw_S. ring.
    + rewrite Nat.add_0_r. ring.
Qed.

(** Claim [center-child]. Numerators lie in the centered range of [K^s] integers. *)
Theorem numerators_are_in_the_centered_range p j : valid p -> (j < d)%nat ->
  2 * Z.abs (num p j) <= pw (splits (length p) j) - 1.
Proof.
  intros Hv Hj. induction p as [|a p IH].
  - cbn [length]. rewrite splits_0, num_nil. cbn. lia.
  - apply valid_cons in Hv. destruct Hv as [Ha Hp]. specialize (IH Hp).
    rewrite num_cons. cbn [length]. rewrite splits_S by exact Hj.
    destruct (Nat.eqb j (length p mod d)).
    + rewrite Nat.add_1_r, pw_S.
      assert (Z.abs (Kz * num p j + Z.of_nat a - Z.of_nat k) <= Kz * Z.abs (num p j) + Z.of_nat k) by nia.
      nia.
    + rewrite Nat.add_0_r. exact IH.
Qed.

Lemma balanced_digit_unique x y a b : (a <= 2 * k)%nat -> (b <= 2 * k)%nat ->
  Kz * x + Z.of_nat a - Z.of_nat k = Kz * y + Z.of_nat b - Z.of_nat k -> x = y /\ a = b.
Proof. intros Ha Hb E. assert (x = y) by nia. subst. split; lia. Qed.

(** Claim [center-child]. At one depth the numerators determine the digits. *)
Theorem numerators_determine_the_node p q : valid p -> valid q -> length p = length q ->
  (forall j, (j < d)%nat -> num p j = num q j) -> p = q.
Proof.
  revert q. induction p as [|a p IH]; intros [|b q] Hp Hq HL HE; try discriminate; auto.
  apply valid_cons in Hp. apply valid_cons in Hq. destruct Hp as [Ha Hp], Hq as [Hb Hq].
  cbn in HL. injection HL as HL.
  assert (D := HE _ (mod_d_lt (length p))).
  rewrite !num_cons, <- HL, Nat.eqb_refl in D.
  apply balanced_digit_unique in D; auto. destruct D as [_ ->]. f_equal.
  apply IH; auto. intros j Hj. specialize (HE j Hj). rewrite !num_cons, <- HL in HE.
  destruct (Nat.eqb j (length p mod d)); [|exact HE].
  apply balanced_digit_unique in HE; tauto.
Qed.

(** Claim [zero-vector-once]. Equal base points, at any two depths, lie on one chain of center children. *)
Theorem equal_points_are_on_one_center_chain p q : valid p -> valid q ->
  (length p <= length q)%nat ->
  (same_point p q <-> q = repeat k (length q - length p) ++ p).
Proof.
  intros Hp Hq HL. split.
  - revert Hq HL. induction q as [|a q IH]; intros Hq HL HS.
    + destruct p; [reflexivity | cbn in HL; lia].
    + destruct (Nat.eq_dec (length p) (length (a :: q))) as [E|N].
      * rewrite E, Nat.sub_diag. cbn [repeat app]. symmetry.
        apply numerators_determine_the_node; auto.
        intros j Hj. specialize (HS j Hj). rewrite E in HS.
        pose proof (pw_pos (splits (length (a :: q)) j)). nia.
      * assert (L : (length p <= length q)%nat) by (cbn in *; lia).
        apply valid_cons in Hq. destruct Hq as [Ha Hq].
        assert (Hk : a = k).
        { specialize (HS _ (mod_d_lt (length q))). rewrite num_cons in HS. cbn [length] in HS.
          rewrite Nat.eqb_refl, splits_S, Nat.eqb_refl, Nat.add_1_r, pw_S in HS by apply mod_d_lt.
          set (j := (length q mod d)%nat) in *.
          pose proof (splits_mono _ _ j (mod_d_lt _) L) as M.
          replace (splits (length q) j) with
            (splits (length p) j + (splits (length q) j - splits (length p) j))%nat in HS by lia.
          rewrite pw_add in HS. set (w := pw (splits (length q) j - splits (length p) j)) in *.
          pose proof (pw_pos (splits (length p) j)).
          assert (F : num p j * Kz * w = Kz * num q j + Z.of_nat a - Z.of_nat k) by nia.
          assert (G : Kz * (num p j * w - num q j) = Z.of_nat a - Z.of_nat k) by nia.
          assert (num p j * w - num q j = 0) by nia. nia. }
        subst a. cbn [length]. replace (S (length q) - length p)%nat with (S (length q - length p)) by lia.
        cbn [repeat app]. f_equal. apply IH; auto.
        eapply same_point_trans; [exact HS|]. apply center_child_same_base. reflexivity.
  - intros ->. generalize (length q - length p)%nat. intros n. induction n as [|n IH].
    + intros j Hj. reflexivity.
    + cbn [repeat app]. eapply same_point_trans; [exact IH|].
      apply same_point_sym, center_child_same_base. reflexivity.
Qed.

(** Claim [zero-vector-once]. The zero vector is the base point of the root's center chain,
    and of no other node. *)
Theorem zero_vector_is_the_center_chain_of_the_root p : valid p ->
  ((forall j, (j < d)%nat -> num p j = 0) <-> p = repeat k (length p)).
Proof.
  intros Hp.
  pose proof (equal_points_are_on_one_center_chain [] p (Forall_nil _) Hp (Nat.le_0_l _)) as E.
  cbn [length] in E. rewrite Nat.sub_0_r, app_nil_r in E. rewrite <- E. clear E.
  unfold same_point. split; intros H j Hj.
  - rewrite num_nil, (H j Hj). ring.
  - specialize (H j Hj). rewrite num_nil in H. cbn [length] in H. rewrite splits_0, pw_0 in H. lia.
Qed.

(** [birth] is a name of base points: equal names mean equal points, and conversely. *)
Lemma same_point_birth p : same_point (birth k p) p.
Proof.
  induction p as [|a p IH]; [intros j Hj; reflexivity|].
  cbn [birth]. destruct (Nat.eqb_spec a k) as [->|N]; [|intros j Hj; reflexivity].
  eapply same_point_trans; [exact IH|]. apply same_point_sym, center_child_same_base. reflexivity.
Qed.

Lemma birth_center_chain n p : birth k (repeat k n ++ p) = birth k p.
Proof. induction n as [|n IH]; cbn; [reflexivity|]. rewrite Nat.eqb_refl. exact IH. Qed.

(** Claim [center-child]. The oracle's name of a base point, [birth], is sound and complete. *)
Theorem equal_points_are_the_nodes_of_one_birth p q : valid p -> valid q ->
  (same_point p q <-> birth k p = birth k q).
Proof.
  intros Hp Hq. split.
  - intros H. destruct (Nat.le_ge_cases (length p) (length q)) as [L|L].
    + apply equal_points_are_on_one_center_chain in H; auto. rewrite H. symmetry.
      apply birth_center_chain.
    + apply same_point_sym, equal_points_are_on_one_center_chain in H; auto. rewrite H.
      apply birth_center_chain.
  - intros E. eapply same_point_trans; [apply same_point_sym, same_point_birth|].
    rewrite E. apply same_point_birth.
Qed.

End Geometry.

(** ** Any partition factor K, odd or even.
    The center of a child is measured in half cell widths: [y_j = R e_j / K^s]. *)
Section AnyPartitionFactor.
Variables K d : nat.
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis K_pos : (1 <= K)%nat.

Fixpoint half_widths (p : path) (j : nat) : Z :=
  match p with
  | [] => 0
  | g :: q => if Nat.eqb j (length q mod d)
              then Z.of_nat K * half_widths q j + (2 * Z.of_nat g - (Z.of_nat K - 1))
              else half_widths q j
  end.

Definition same_center (p q : path) := forall j, (j < d)%nat ->
  half_widths p j * Z.of_nat K ^ Z.of_nat (splits d (length q) j)
  = half_widths q j * Z.of_nat K ^ Z.of_nat (splits d (length p) j).

(** Claim [center-child]. Child [g] is [2 g - (K - 1)] half widths of its own cell,
    that is [(2 g - (K - 1)) / (2 K)] widths of its parent's cell, away from its parent's center. *)
Theorem a_child_shares_its_parent's_center_iff_its_offset_is_zero g p :
  same_center (g :: p) p <-> 2 * Z.of_nat g = Z.of_nat K - 1.
Proof.
  assert (M : (length p mod d < d)%nat) by (apply Nat.mod_upper_bound; lia).
  split.
  - intros H. specialize (H _ M). cbn [half_widths length] in H.
    rewrite Nat.eqb_refl, splits_S, Nat.eqb_refl, Nat.add_1_r, Nat2Z.inj_succ, Z.pow_succ_r in H by lia.
    set (s := Z.of_nat (splits d (length p) (length p mod d))) in *.
    pose proof (Z.pow_pos_nonneg (Z.of_nat K) s ltac:(lia) ltac:(lia)).
    nia.
  - intros E j Hj. cbn [half_widths length]. rewrite splits_S by lia.
    destruct (Nat.eqb j (length p mod d)).
    + rewrite Nat.add_1_r, Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite E. ring.
    + rewrite Nat.add_0_r. ring.
Qed.

(** Claim [center-child]. Some child shares its parent's base point iff K is odd. *)
Theorem a_center_child_exists_iff_K_is_odd p :
  (exists g, (g < K)%nat /\ same_center (g :: p) p) <-> Nat.odd K = true.
Proof.
  rewrite Nat.odd_spec. split.
  - intros (g & _ & H). apply a_child_shares_its_parent's_center_iff_its_offset_is_zero in H.
    exists g. lia.
  - intros [g E]. exists g. split; [lia|].
    apply a_child_shares_its_parent's_center_iff_its_offset_is_zero. lia.
Qed.

End AnyPartitionFactor.

