(** * The parts of a way.

    A vector of numbers of the format binary64 is split into parts of few bits each: part i is what the parts before it
    leave, to the nearest multiple of a power of two.  So the products with each part are exact (ExactProducts.v).  The parts
    sum to the vector, or nearly so. *)

From Coq Require Import List Arith ZArith Reals Bool Lia Lra Permutation.
From Flocq Require Import Core.
From EmbeddedHunter Require Import ExactProducts.
Import ListNotations.

Local Notation "2^ e" := (bpow radix2 e) (at level 30, right associativity, format "2^ e").

(** ** The nearest multiple of a power of two *)

(** x to the nearest multiple of 2^e, ties to even: ldexp (rint (ldexp x (-e))) e. *)
Definition to_multiple (e : Z) (x : R) : R := round radix2 (FIX_exp e) ZnearestE x.

Definition is_multiple (e : Z) (x : R) : Prop := exists n : Z, x = (IZR n * 2^ e)%R.

Lemma is_multiple_in_format e x : is_multiple e x <-> generic_format radix2 (FIX_exp e) x.
Proof.
  split.
  - intros (n & ->). apply generic_format_FIX. now exists (Float radix2 n e).
  - intros H. destruct (FIX_format_generic _ _ _ H) as [[n f] E F]. cbn in F. subst f. now exists n.
Qed.

Lemma to_multiple_is_a_multiple e x : is_multiple e (to_multiple e x).
Proof. apply is_multiple_in_format, generic_format_round; apply _. Qed.

Lemma distance_to_multiple e x : (Rabs (x - to_multiple e x) <= / 2 * 2^ e)%R.
Proof.
  rewrite Rabs_minus_sym. unfold to_multiple.
  pose proof (error_le_half_ulp radix2 (FIX_exp e) (fun n => negb (Z.even n)) x) as H.
  now rewrite ulp_FIX in H.
Qed.

Lemma to_multiple_is_no_farther_than_0 e x : (Rabs (x - to_multiple e x) <= Rabs x)%R.
Proof.
  destruct (round_N_pt radix2 (FIX_exp e) (fun n => negb (Z.even n)) x) as [_ H].
  specialize (H 0%R (generic_format_0 _ _)). rewrite Rabs_minus_sym. unfold to_multiple.
  now rewrite <- (Rabs_Ropp x), <- (Rminus_0_l x).
Qed.

Lemma is_multiple_of_less e f x : (f <= e)%Z -> is_multiple e x -> is_multiple f x.
Proof.
  intros H (n & ->). exists (n * 2 ^ (e - f))%Z.
  rewrite mult_IZR, (IZR_Zpower radix2), Rmult_assoc, <- bpow_plus by lia. do 2 f_equal. lia.
Qed.

Lemma is_multiple_minus e x y : is_multiple e x -> is_multiple e y -> is_multiple e (x - y).
Proof. intros (n & ->) (m & ->). exists (n - m)%Z. rewrite minus_IZR. ring. Qed.

Lemma nearest_minus_even y m : Z.even m = true -> ZnearestE (y - IZR m) = (ZnearestE y - m)%Z.
Proof.
  intros Hm. unfold Znearest.
  assert (F : Zfloor (y - IZR m) = (Zfloor y - m)%Z).
  { apply Zfloor_imp. rewrite plus_IZR, minus_IZR. pose proof (Zfloor_lb y). pose proof (Zfloor_ub y). lra. }
  assert (C : Zceil (y - IZR m) = (Zceil y - m)%Z).
  { unfold Zceil. replace (- (y - IZR m))%R with (- y - IZR (- m))%R by (rewrite opp_IZR; lra).
    enough (E : Zfloor (- y - IZR (- m)) = (Zfloor (- y) - - m)%Z) by lia. apply Zfloor_imp.
    rewrite plus_IZR, minus_IZR, opp_IZR. pose proof (Zfloor_lb (- y)). pose proof (Zfloor_ub (- y)). lra. }
  rewrite F, C, Z.even_sub, Hm, minus_IZR.
  replace (y - IZR m - (IZR (Zfloor y) - IZR m))%R with (y - IZR (Zfloor y))%R by lra.
  destruct (Rcompare _ _), (Z.even (Zfloor y)); reflexivity.
Qed.

Lemma to_multiple_minus e x m : Z.even m = true ->
  to_multiple e (x - IZR m * 2^ e) = (to_multiple e x - IZR m * 2^ e)%R.
Proof.
  intros Hm. unfold to_multiple, round, F2R, scaled_mantissa, cexp, FIX_exp. cbn [Fnum Fexp].
  replace ((x - IZR m * 2^ e) * 2^ (- e))%R with (x * 2^ (- e) - IZR m)%R.
  - rewrite nearest_minus_even, minus_IZR by exact Hm. ring.
  - rewrite Rmult_minus_distr_r, Rmult_assoc, <- bpow_plus. replace (e + - e)%Z with 0%Z by lia. cbn [bpow]. ring.
Qed.

Lemma magnitude_of_a_multiple e n b : (Rabs (IZR n * 2^ e) <= IZR b * 2^ e)%R -> (Z.abs n <= b)%Z.
Proof.
  rewrite Rabs_mult, (Rabs_pos_eq (2^ e)), <- abs_IZR by apply bpow_ge_0.
  intros H. apply le_IZR, (Rmult_le_reg_r (2^ e)); [apply bpow_gt_0|exact H].
Qed.

(** ** The parts *)

Section Parts.

Context (rnd : R -> Z) {valid : Valid_rnd rnd}.
Variables bits e : Z.

(** The exponent of part i = 0, 1, 2, ... *)
Definition exponent (i : nat) : Z := e - bits * Z.of_nat (S i).

(** What is left of w before part i, as the processor computes it, and part i. *)
Fixpoint left_of (w : R) (i : nat) : R :=
  match i with
  | 0 => w
  | S i' => rounded rnd (left_of w i' - to_multiple (exponent i') (left_of w i'))
  end.

Definition part (w : R) (i : nat) : R := to_multiple (exponent i) (left_of w i).

Fixpoint sum_of_parts (w : R) (k : nat) : R :=
  match k with
  | 0 => 0
  | S k' => sum_of_parts w k' + part w k'
  end.

Variable w : R.
Hypothesis w_is_binary64 : binary64 w.
Hypothesis largest : (Rabs w <= 2^ e)%R.
Hypothesis bits_positive : (0 <= bits)%Z.

Lemma what_is_left_is_exact i : binary64 (left_of w i) /\ left_of w (S i) = (left_of w i - part w i)%R.
Proof.
  assert (H : forall i, binary64 (left_of w i) -> binary64 (left_of w i - part w i)).
  { clear. intros i (n & f & E & Hn & Hf). unfold part.
    assert (G : is_multiple f (left_of w i - to_multiple (exponent i) (left_of w i))).
    { destruct (Z_le_gt_dec f (exponent i)) as [L|L].
      - apply is_multiple_minus; [now exists n|]. eapply is_multiple_of_less; [exact L|apply to_multiple_is_a_multiple].
      - unfold to_multiple. rewrite round_generic, Rminus_diag_eq; [exists 0%Z; lra|reflexivity|apply _|].
        apply is_multiple_in_format. apply (is_multiple_of_less f); [lia|now exists n]. }
    destruct G as (m & G). rewrite G. exists m, f. split; [reflexivity|split; [|exact Hf]].
    apply Z.le_lt_trans with (2 := Hn), (magnitude_of_a_multiple f).
    replace (IZR (Z.abs n) * 2^ f)%R with (Rabs (left_of w i))
      by (rewrite E, Rabs_mult, <- abs_IZR, (Rabs_pos_eq (2^ f)) by apply bpow_ge_0; reflexivity).
    rewrite <- G. apply to_multiple_is_no_farther_than_0. }
  assert (B : binary64 (left_of w i)).
  { induction i as [|i IH]; [exact w_is_binary64|]. cbn [left_of].
    rewrite (binary64_is_rounded_to_itself rnd) by now apply H. now apply H. }
  split; [exact B|]. cbn [left_of]. now apply (binary64_is_rounded_to_itself rnd), H.
Qed.

Lemma what_is_left_is_small i : (Rabs (left_of w i) <= 2^ (e - bits * Z.of_nat i))%R.
Proof.
  destruct i as [|i]; [now rewrite Z.mul_0_r, Z.sub_0_r|].
  rewrite (proj2 (what_is_left_is_exact i)). apply Rle_trans with (1 := distance_to_multiple _ _).
  fold (exponent i). pose proof (bpow_gt_0 radix2 (exponent i)). lra.
Qed.

(** Claim [exact-products].  Part i of a way is a multiple of 2^(e - (i+1) bits), and at most 2^bits of them. *)
Theorem a_part_has_few_bits i : multiple (exponent i) (2 ^ bits) (part w i).
Proof.
  destruct (to_multiple_is_a_multiple (exponent i) (left_of w i)) as (n & E).
  exists n. split; [exact E|]. apply (magnitude_of_a_multiple (exponent i)). rewrite <- E.
  rewrite (IZR_Zpower radix2), <- bpow_plus by exact bits_positive. unfold to_multiple.
  apply abs_round_le_generic; [apply _|apply _| |].
  - apply is_multiple_in_format, (is_multiple_of_less (bits + exponent i)); [lia|].
    exists 1%Z. lra.
  - replace (bits + exponent i)%Z with (e - bits * Z.of_nat i)%Z by (unfold exponent; lia).
    apply what_is_left_is_small.
Qed.

Lemma sum_of_parts_and_what_is_left k : (sum_of_parts w k + left_of w k = w)%R.
Proof.
  induction k as [|k IH]; [cbn; lra|]. rewrite (proj2 (what_is_left_is_exact k)). cbn [sum_of_parts]. lra.
Qed.

(** Claim [exact-products].  The sum of the first k >= 1 parts differs from w by at most half a multiple of 2^(e - k bits). *)
Theorem parts_sum_to_w_nearly k : (Rabs (w - sum_of_parts w (S k)) <= / 2 * 2^ (exponent k))%R.
Proof.
  replace (w - sum_of_parts w (S k))%R with (left_of w (S k)) by (pose proof (sum_of_parts_and_what_is_left (S k)); lra).
  rewrite (proj2 (what_is_left_is_exact k)). apply distance_to_multiple.
Qed.

(** Claim [exact-products].  The sum of the first k >= 1 parts is w if w is not small: at least 2^(e + 52 - k bits). *)
Theorem parts_sum_to_w k : (2^ (exponent k + 52) <= Rabs w)%R -> sum_of_parts w (S k) = w.
Proof.
  intros L. assert (G : is_multiple (exponent k) w).
  { destruct w_is_binary64 as (n & f & E & Hn & _). apply (is_multiple_of_less f); [|now exists n].
    assert (exponent k + 52 < f + 53)%Z; [|lia]. apply (lt_bpow radix2). apply Rle_lt_trans with (1 := L).
    rewrite E, Rabs_mult, (Rabs_pos_eq (2^ f)), (Z.add_comm f), bpow_plus by apply bpow_ge_0.
    apply Rmult_lt_compat_r; [apply bpow_gt_0|]. rewrite <- abs_IZR, <- (IZR_Zpower radix2) by lia. now apply IZR_lt. }
  assert (M : forall i, i <= S k -> is_multiple (exponent k) (left_of w i)).
  { induction i as [|i IH]; intros H; [exact G|]. rewrite (proj2 (what_is_left_is_exact i)).
    apply is_multiple_minus; [apply IH; lia|]. apply (is_multiple_of_less (exponent i)); [unfold exponent; nia|].
    apply to_multiple_is_a_multiple. }
  pose proof (sum_of_parts_and_what_is_left (S k)) as S. pose proof (parts_sum_to_w_nearly k) as N.
  destruct (M _ (le_n _)) as (n & E).
  replace (w - sum_of_parts w (Datatypes.S k))%R with (left_of w (Datatypes.S k)) in N by lra.
  assert (n = 0)%Z; [|subst n; rewrite Rmult_0_l in E; lra].
  assert (Z.abs (2 * n) <= 1)%Z; [|lia]. apply (magnitude_of_a_multiple (exponent k)).
  rewrite mult_IZR, Rmult_assoc, <- E, Rabs_mult, Rabs_pos_eq by lra. lra.
Qed.

(** ** The parts as differences *)

Hypothesis at_least_one_bit : (1 <= bits)%Z.

Lemma sum_of_parts_is_a_multiple k : sum_of_parts w (S k) = to_multiple (exponent k) w.
Proof.
  induction k as [|k IH]; [cbn; unfold part; cbn; lra|].
  cbn [sum_of_parts] in *. rewrite IH. unfold part at 1.
  pose proof (sum_of_parts_and_what_is_left (S k)) as E. cbn [sum_of_parts] in E. rewrite IH in E.
  replace (left_of w (S k)) with (w - to_multiple (exponent k) w)%R by lra.
  destruct (to_multiple_is_a_multiple (exponent k) w) as (n & G).
  assert (G' : to_multiple (exponent k) w = (IZR (n * 2 ^ bits) * 2^ (exponent (S k)))%R).
  { rewrite G, mult_IZR, (IZR_Zpower radix2), Rmult_assoc, <- bpow_plus by lia. do 2 f_equal. unfold exponent. lia. }
  rewrite G' at 2. rewrite to_multiple_minus; [lra|].
  rewrite Z.even_mul, (Z.even_pow 2 bits) by lia. apply orb_true_r.
Qed.

(** Claim [exact-products].  The program computes the parts as differences: w to the nearest multiple of 2^(e - (i+1) bits), less
    w to the nearest multiple of 2^(e - i bits).  The difference is a number of the format, so it is exact. *)
Theorem parts_are_differences i : (-1074 <= exponent (S i))%Z -> (e <= 970)%Z -> (bits <= 53)%Z ->
  part w 0 = to_multiple (exponent 0) w /\
  rounded rnd (to_multiple (exponent (S i)) w - to_multiple (exponent i) w) = part w (S i).
Proof.
  intros H1 H2 H3. split; [reflexivity|].
  replace (to_multiple (exponent (S i)) w - to_multiple (exponent i) w)%R with (part w (S i))
    by (rewrite <- !sum_of_parts_is_a_multiple; cbn [sum_of_parts]; lra).
  apply (binary64_is_rounded_to_itself rnd), (a_short_multiple_is_binary64 (exponent (S i))).
  - destruct (a_part_has_few_bits (S i)) as (n & E & Hn). exists n. split; [exact E|].
    apply Z.le_trans with (1 := Hn). apply Z.pow_le_mono_r; lia.
  - unfold exponent in *. nia.
Qed.

End Parts.

(** Claim [exact-products].  The computed product of columns with each part of a way is exact, in every order: for d columns
    of numbers |z| <= 16 in steps of 2^-18, a way of numbers |w_j| <= 2^e, and parts of so few bits that
    22 + bits + log2 d <= 53. *)
Corollary products_with_the_parts_are_exact (rnd : R -> Z) {valid : Valid_rnd rnd} (w z : nat -> R) d bits e i s :
  (Z.of_nat d * 2 ^ (22 + bits) <= 2 ^ 53)%Z -> (0 <= bits)%Z -> (-1056 <= exponent bits e i)%Z -> (e <= 988)%Z ->
  (forall j, j < d -> multiple (-18) (2 ^ 22) (z j)) ->
  (forall j, j < d -> binary64 (w j) /\ (Rabs (w j) <= 2^ e)%R) ->
  Permutation (summands s) (seq 0 d) ->
  let part_i j := part rnd bits e (w j) i in
  computed rnd part_i z s = exact part_i z (seq 0 d).
Proof.
  intros Hd Hb Hi He Hz Hw Hs part_i. apply (products_are_exact_in_every_order _ _ d (exponent bits e i) bits); auto.
  - intros j Hj. destruct (Hw j Hj). now apply a_part_has_few_bits.
  - unfold exponent in *. nia.
Qed.
