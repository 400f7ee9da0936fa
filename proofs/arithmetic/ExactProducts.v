(** * Products that every order of summation computes alike.

    The program computes A y from a product of a vector w, the way, with columns of random numbers z.  The numbers z are
    multiples of 2^-22, and w is the sum of three parts, each a multiple of a power of two (projection.py).  For each part every
    product w_j z_j and every partial sum is then a number of the format binary64.  A number of the format is
    rounded to itself.  So the computed sum is the exact one, in whatever order a library adds, and
    whether or not it adds a product without rounding it before (FMA).

    [rounded x] is what the processor computes for the real number x: Flocq's rounding to binary64, in any
    direction.  Real numbers have one zero: nothing is said about the sign of a sum that is zero. *)

From Coq Require Import List Arith ZArith Reals Lia Lra Permutation.
From Flocq Require Import Core.
Import ListNotations.

Local Notation "2^ e" := (bpow radix2 e) (at level 30, right associativity, format "2^ e").

(** ** The format *)

(** The finite numbers of the format binary64. *)
Definition binary64 (x : R) : Prop :=
  exists m e : Z, x = (IZR m * 2^ e)%R /\ (Z.abs m < 2 ^ 53)%Z /\ (-1074 <= e <= 971)%Z.

(** x is n times 2^e, and n is at most [most] in magnitude. *)
Definition multiple (e most : Z) (x : R) : Prop :=
  exists n : Z, x = (IZR n * 2^ e)%R /\ (Z.abs n <= most)%Z.

Lemma a_short_multiple_is_binary64 e x :
  multiple e (2 ^ 53) x -> (-1074 <= e <= 970)%Z -> binary64 x.
Proof.
  intros (n & -> & Hn) He. destruct (Z.eq_dec (Z.abs n) (2 ^ 53)) as [E|N].
  - exists (n / 2)%Z, (e + 1)%Z.
    assert (D : (n = 2 * (n / 2))%Z) by (destruct (Z.abs_spec n) as [[_ A]|[_ A]]; rewrite A in E;
      [|apply (f_equal Z.opp) in E; rewrite Z.opp_involutive in E]; rewrite E; reflexivity).
    split; [|split; lia]. rewrite bpow_plus, D at 1. rewrite mult_IZR. change (2^ 1)%R with 2%R. ring.
  - exists n, e. split; [reflexivity|lia].
Qed.

Section Rounding.

(** The direction of rounding; to the nearest, ties to even, is [ZnearestE]. *)
Context (rnd : R -> Z) {valid : Valid_rnd rnd}.

Definition rounded (x : R) : R := round radix2 (FLT_exp (-1074) 53) rnd x.

Lemma binary64_is_rounded_to_itself x : binary64 x -> rounded x = x.
Proof.
  intros (m & e & -> & Hm & He). apply round_generic; [exact valid|].
  apply generic_format_FLT. exists (Float radix2 m e); [reflexivity|exact Hm|apply He].
Qed.

(** ** Orders of summation *)

(** A way to add up products w_j z_j, named by j: any tree of additions and of fused additions of a product.
    [Once] is a multiplication by 1, such as that by the alpha of a BLAS. *)
Inductive summation :=
| Nothing
| Product (j : nat)
| Plus (a b : summation)
| Fused (j : nat) (a : summation)
| Once (a : summation).

Fixpoint summands (s : summation) : list nat :=
  match s with
  | Nothing => []
  | Product j => [j]
  | Plus a b => summands a ++ summands b
  | Fused j a => j :: summands a
  | Once a => summands a
  end.

Variables w z : nat -> R.

(** What the processor computes: every operation is rounded. *)
Fixpoint computed (s : summation) : R :=
  match s with
  | Nothing => 0
  | Product j => rounded (w j * z j)
  | Plus a b => rounded (computed a + computed b)
  | Fused j a => rounded (w j * z j + computed a)
  | Once a => rounded (1 * computed a)
  end.

Fixpoint exact (js : list nat) : R :=
  match js with
  | [] => 0
  | j :: rest => w j * z j + exact rest
  end.

Lemma no_repetition_in_parts (js ks : list nat) : NoDup (js ++ ks) -> NoDup js /\ NoDup ks.
Proof.
  induction js as [|j js IH]; cbn [app]; [intros H; split; [constructor|exact H]|].
  inversion 1 as [|? ? N H']. subst. destruct (IH H') as [A B]. split; [|exact B].
  constructor; [|exact A]. intros Hj. apply N, in_or_app. now left.
Qed.

Lemma exact_app js ks : exact (js ++ ks) = (exact js + exact ks)%R.
Proof. induction js as [|j js IH]; cbn [app exact]; [lra|]. rewrite IH. lra. Qed.

Lemma exact_permutation js ks : Permutation js ks -> exact js = exact ks.
Proof. induction 1; cbn [exact]; lra. Qed.

Variables (e most : Z) (d : nat).

Hypothesis products : forall j, j < d -> multiple e most (w j * z j).

Lemma exact_is_a_multiple js :
  (forall j, In j js -> j < d) -> multiple e (Z.of_nat (length js) * most) (exact js).
Proof.
  induction js as [|j js IH]; intros H.
  - exists 0%Z. split; [cbn; lra|reflexivity].
  - destruct (IH (fun i Hi => H i (or_intror Hi))) as (n & E & Hn).
    destruct (products j (H j (or_introl eq_refl))) as (m & E' & Hm).
    exists (m + n)%Z. split; [|cbn [length]; lia].
    cbn [exact]. rewrite E, E', plus_IZR. lra.
Qed.

Hypothesis short : (Z.of_nat d * most <= 2 ^ 53)%Z.
Hypothesis range : (-1074 <= e <= 970)%Z.

Lemma exact_is_binary64 js : NoDup js -> (forall j, In j js -> j < d) -> binary64 (exact js).
Proof.
  intros Hd Hj. apply a_short_multiple_is_binary64 with e; [|exact range].
  destruct (exact_is_a_multiple js Hj) as (n & E & Hn). exists n. split; [exact E|].
  assert (L : length js <= d).
  { rewrite <- (seq_length d 0). apply NoDup_incl_length; [exact Hd|]. intros j H. apply in_seq. specialize (Hj j H). lia. }
  destruct d as [|d']; [replace (length js) with 0 in Hn by lia; lia|].
  assert (0 <= most)%Z by (destruct (products 0 ltac:(lia)) as (m & _ & Hm); lia). nia.
Qed.

Lemma partial_sums_are_exact s :
  NoDup (summands s) -> (forall j, In j (summands s) -> j < d) ->
  computed s = exact (summands s) /\ binary64 (computed s).
Proof.
  intros Hd Hj. assert (E : computed s = exact (summands s)).
  { pose proof exact_is_binary64 as B. induction s as [|j|a IHa b IHb|j a IHa|a IHa]; cbn [computed summands] in *.
    - reflexivity.
    - specialize (B _ Hd Hj). cbn [exact] in B |- *. rewrite Rplus_0_r in *. now apply binary64_is_rounded_to_itself.
    - rewrite exact_app in *. rewrite IHa, IHb; [rewrite <- exact_app|..].
      + apply binary64_is_rounded_to_itself. now apply B.
      + now apply no_repetition_in_parts in Hd.
      + intros j Hin. apply Hj, in_or_app. now right.
      + now apply no_repetition_in_parts in Hd.
      + intros j Hin. apply Hj, in_or_app. now left.
    - rewrite IHa; [|now inversion Hd|intros i Hin; apply Hj; now right].
      apply binary64_is_rounded_to_itself, (B _ Hd Hj).
    - rewrite IHa, Rmult_1_l by assumption. apply binary64_is_rounded_to_itself. now apply B. }
  split; [exact E|]. rewrite E. now apply exact_is_binary64.
Qed.

End Rounding.

(** ** The product of a way with columns *)

Lemma a_product_of_multiples e f m n x y :
  multiple e m x -> multiple f n y -> multiple (e + f) (m * n) (x * y).
Proof.
  intros (i & -> & Hi) (j & -> & Hj). exists (i * j)%Z.
  split; [rewrite mult_IZR, bpow_plus; ring|rewrite Z.abs_mul; nia].
Qed.

Section Columns.

Variables w z : nat -> R.              (* a part of a way, and the numbers of one row of the columns *)
Variables (d : nat) (q bits : Z).

(** |z| <= 16, in steps of 2^-22. *)
Hypothesis columns : forall j, j < d -> multiple (-22) (2 ^ 26) (z j).

(** |w_j| <= 2^bits 2^q, in steps of 2^q. *)
Hypothesis ways : forall j, j < d -> multiple q (2 ^ bits) (w j).

(** 26 + bits + log2 d <= 53. *)
Hypothesis not_too_many : (Z.of_nat d * 2 ^ (26 + bits) <= 2 ^ 53)%Z.
Hypothesis range : (0 <= bits)%Z /\ (-1052 <= q <= 992)%Z.

Lemma products_are_multiples j : j < d -> multiple (q - 22) (2 ^ (26 + bits)) (w j * z j).
Proof.
  intros H. rewrite Z.add_comm, Z.pow_add_r by lia. apply (a_product_of_multiples q (-22)); auto.
Qed.

(** Claim [exact-products].  Every product and every partial sum of the products is a number of the format
    binary64, and what the processor computes for it is exact: in any order of additions, with or without fused
    additions, in any direction of rounding. *)
Theorem every_partial_sum_is_exact (rnd : R -> Z) {valid : Valid_rnd rnd} (s : summation) :
  NoDup (summands s) -> (forall j, In j (summands s) -> j < d) ->
  computed rnd w z s = exact w z (summands s) /\ binary64 (computed rnd w z s).
Proof.
  intros Hd Hj. apply (partial_sums_are_exact rnd w z (q - 22) (2 ^ (26 + bits)) d); auto using products_are_multiples; lia.
Qed.

(** Claim [exact-products].  Whatever the order in which all d products are added, the computed sum is
    w_0 z_0 + ... + w_{d-1} z_{d-1}. *)
Corollary products_are_exact_in_every_order (rnd : R -> Z) {valid : Valid_rnd rnd} (s : summation) :
  Permutation (summands s) (seq 0 d) -> computed rnd w z s = exact w z (seq 0 d).
Proof.
  intros H. rewrite <- (exact_permutation w z _ _ H). apply (every_partial_sum_is_exact rnd s).
  - apply (Permutation_NoDup (Permutation_sym H)), seq_NoDup.
  - intros j Hj. apply (Permutation_in _ H), in_seq in Hj. lia.
Qed.

End Columns.

(** ** The parts of a way *)

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

Lemma magnitude_of_a_multiple e n b : (Rabs (IZR n * 2^ e) <= IZR b * 2^ e)%R -> (Z.abs n <= b)%Z.
Proof.
  rewrite Rabs_mult, (Rabs_pos_eq (2^ e)), <- abs_IZR by apply bpow_ge_0.
  intros H. apply le_IZR, (Rmult_le_reg_r (2^ e)); [apply bpow_gt_0|exact H].
Qed.

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

End Parts.

(** Claim [exact-products].  The computed product of columns with each part of a way is exact, in every order: for d columns
    of numbers |z| <= 16 in steps of 2^-22, a way of numbers |w_j| <= 2^e, and parts of so few bits that
    26 + bits + log2 d <= 53. *)
Corollary products_with_the_parts_are_exact (rnd : R -> Z) {valid : Valid_rnd rnd} (w z : nat -> R) d bits e i s :
  (Z.of_nat d * 2 ^ (26 + bits) <= 2 ^ 53)%Z -> (0 <= bits)%Z -> (-1052 <= exponent bits e i)%Z -> (e <= 992)%Z ->
  (forall j, j < d -> multiple (-22) (2 ^ 26) (z j)) ->
  (forall j, j < d -> binary64 (w j) /\ (Rabs (w j) <= 2^ e)%R) ->
  Permutation (summands s) (seq 0 d) ->
  let part_i j := part rnd bits e (w j) i in
  computed rnd part_i z s = exact part_i z (seq 0 d).
Proof.
  intros Hd Hb Hi He Hz Hw Hs part_i. apply (products_are_exact_in_every_order _ _ d (exponent bits e i) bits); auto.
  - intros j Hj. destruct (Hw j Hj). now apply a_part_has_few_bits.
  - unfold exponent in *. nia.
Qed.
