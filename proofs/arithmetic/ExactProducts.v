(** * Products that every order of summation computes alike.

    The program computes A y from a product of a vector w, the way, with columns of random numbers z.  The numbers z are
    multiples of 2^-18, and w is a sum of parts, each a multiple of a power of two (ExactParts.v).  For each part every
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

(** |z| <= 16, in steps of 2^-18. *)
Hypothesis columns : forall j, j < d -> multiple (-18) (2 ^ 22) (z j).

(** |w_j| <= 2^bits 2^q, in steps of 2^q. *)
Hypothesis ways : forall j, j < d -> multiple q (2 ^ bits) (w j).

(** 22 + bits + log2 d <= 53. *)
Hypothesis not_too_many : (Z.of_nat d * 2 ^ (22 + bits) <= 2 ^ 53)%Z.
Hypothesis range : (0 <= bits)%Z /\ (-1056 <= q <= 988)%Z.

Lemma products_are_multiples j : j < d -> multiple (q - 18) (2 ^ (22 + bits)) (w j * z j).
Proof.
  intros H. rewrite Z.add_comm, Z.pow_add_r by lia. apply (a_product_of_multiples q (-18)); auto.
Qed.

(** Claim [exact-products].  Every product and every partial sum of the products is a number of the format
    binary64, and what the processor computes for it is exact: in any order of additions, with or without fused
    additions, in any direction of rounding. *)
Theorem every_partial_sum_is_exact (rnd : R -> Z) {valid : Valid_rnd rnd} (s : summation) :
  NoDup (summands s) -> (forall j, In j (summands s) -> j < d) ->
  computed rnd w z s = exact w z (summands s) /\ binary64 (computed rnd w z s).
Proof.
  intros Hd Hj. apply (partial_sums_are_exact rnd w z (q - 18) (2 ^ (22 + bits)) d); auto using products_are_multiples; lia.
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
