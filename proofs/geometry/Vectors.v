(** * Vectors, finite sums, the Euclidean projection of eq. (3), and the functions g_p

    The real-valued vocabulary of Moments.v, Indexed.v and Coverage.v.  A vector is a function from its
    coordinates (0, 1, 2, ...) to the reals; how many of them count is said by the list of coordinates over
    which a sum runs. *)

From Coq Require Import List Reals Lra Lia Psatz.
Import ListNotations.
Local Open Scope R_scope.

(** ** Finite sums *)

Fixpoint sum {I : Type} (indices : list I) (term : I -> R) : R :=
  match indices with
  | [] => 0
  | i :: rest => term i + sum rest term
  end.

Lemma sum_of_equal_terms : forall (I : Type) (indices : list I) (a b : I -> R),
  (forall i, In i indices -> a i = b i) -> sum indices a = sum indices b.
Proof.
  induction indices as [|i rest IH]; simpl; intros a b same; [reflexivity|].
  rewrite (same i) by auto. rewrite (IH a b) by auto. reflexivity.
Qed.

Lemma sum_of_sums : forall (I : Type) (indices : list I) (a b : I -> R),
  sum indices (fun i => a i + b i) = sum indices a + sum indices b.
Proof. induction indices; simpl; intros; [lra|]. rewrite IHindices. lra. Qed.

Lemma sum_of_multiples : forall (I : Type) (indices : list I) (c : R) (a : I -> R),
  sum indices (fun i => c * a i) = c * sum indices a.
Proof. induction indices; simpl; intros; [lra|]. rewrite IHindices. lra. Qed.

Lemma sum_of_an_append : forall (I : Type) (a b : list I) (term : I -> R), sum (a ++ b) term = sum a term + sum b term.
Proof. induction a as [|i a IH]; simpl; intros; [lra|]. rewrite IH. lra. Qed.

Lemma sum_is_monotone : forall (I : Type) (indices : list I) (a b : I -> R),
  (forall i, In i indices -> a i <= b i) -> sum indices a <= sum indices b.
Proof.
  induction indices as [|i rest IH]; simpl; intros a b below; [lra|].
  pose proof (below i (or_introl eq_refl)). specialize (IH a b ltac:(auto)). lra.
Qed.

Lemma sum_of_a_constant : forall (I : Type) (indices : list I) (c : R),
  sum indices (fun _ => c) = INR (length indices) * c.
Proof.
  induction indices as [|i rest IH]; intros c; [simpl; lra|].
  change (length (i :: rest)) with (S (length rest)). rewrite S_INR. simpl sum. rewrite IH. lra.
Qed.

Lemma sum_is_nonnegative : forall (I : Type) (indices : list I) (a : I -> R),
  (forall i, In i indices -> 0 <= a i) -> 0 <= sum indices a.
Proof.
  intros I indices a nonneg.
  replace 0 with (sum indices (fun _ => 0)) by (rewrite sum_of_a_constant; lra).
  apply sum_is_monotone; exact nonneg.
Qed.

Lemma sum_contains_each_term : forall (I : Type) (indices : list I) (a : I -> R) i,
  (forall j, In j indices -> 0 <= a j) -> In i indices -> a i <= sum indices a.
Proof.
  induction indices as [|j rest IH]; simpl; intros a i nonneg inside; [contradiction|].
  destruct inside as [same | later].
  - subst j. pose proof (sum_is_nonnegative _ rest a ltac:(auto)). lra.
  - specialize (IH a i ltac:(auto) later). specialize (nonneg j ltac:(auto)). lra.
Qed.

Lemma product_of_sums : forall (I J : Type) (rows : list I) (columns : list J) (a : I -> R) (b : J -> R),
  sum rows a * sum columns b = sum rows (fun i => sum columns (fun j => a i * b j)).
Proof.
  intros. rewrite Rmult_comm, <- sum_of_multiples. apply sum_of_equal_terms. intros i _.
  rewrite sum_of_multiples. lra.
Qed.

(** A double sum of which only the diagonal remains. *)
Lemma sum_of_a_diagonal : forall (indices : list nat) (a : nat -> R) (i : nat),
  NoDup indices -> In i indices ->
  sum indices (fun j => if Nat.eqb i j then a j else 0) = a i.
Proof.
  induction indices as [|j rest IH]; simpl; intros a i distinct inside; [contradiction|].
  inversion distinct as [|? ? absent distinct']; subst. destruct inside as [same | later]; [subst j|].
  - rewrite Nat.eqb_refl.
    rewrite (sum_of_equal_terms _ rest _ (fun _ => 0)).
    + rewrite sum_of_a_constant. lra.
    + intros k inside. destruct (Nat.eqb_spec i k); [subst; contradiction | reflexivity].
  - destruct (Nat.eqb_spec i j); [subst; contradiction|]. rewrite IH by assumption. lra.
Qed.

(** The inequality of Cauchy and Schwarz. *)
Lemma cauchy_schwarz : forall (I : Type) (indices : list I) (a b : I -> R),
  (sum indices (fun i => a i * b i)) ^ 2
  <= sum indices (fun i => a i ^ 2) * sum indices (fun i => b i ^ 2).
Proof.
  induction indices as [|i rest IH]; intros a b; [simpl; lra|]. cbn [sum].
  specialize (IH a b).
  assert (positive_a : 0 <= sum rest (fun i => a i ^ 2))
    by (apply sum_is_nonnegative; intros; apply pow2_ge_0).
  assert (positive_b : 0 <= sum rest (fun i => b i ^ 2))
    by (apply sum_is_nonnegative; intros; apply pow2_ge_0).
  set (S := sum rest (fun i => a i * b i)) in *.
  set (A := sum rest (fun i => a i ^ 2)) in *.
  set (B := sum rest (fun i => b i ^ 2)) in *.
  clearbody S A B. generalize (a i). generalize (b i). clear a b. intros y x.
  assert (cross : 2 * (x * y * S) <= x ^ 2 * B + y ^ 2 * A).
  { assert (0 <= x ^ 2 * B) by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]).
    assert (0 <= y ^ 2 * A) by (apply Rmult_le_pos; [apply pow2_ge_0 | assumption]).
    assert ((2 * (x * y * S)) ^ 2 <= (x ^ 2 * B + y ^ 2 * A) ^ 2).
    { assert (0 <= x ^ 2 * y ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0).
      assert ((x ^ 2 * y ^ 2) * S ^ 2 <= (x ^ 2 * y ^ 2) * (A * B)) by (apply Rmult_le_compat_l; assumption).
      pose proof (pow2_ge_0 (x ^ 2 * B - y ^ 2 * A)).
      replace ((2 * (x * y * S)) ^ 2) with (4 * ((x ^ 2 * y ^ 2) * S ^ 2)) by ring.
      replace ((x ^ 2 * B + y ^ 2 * A) ^ 2)
        with ((x ^ 2 * B - y ^ 2 * A) ^ 2 + 4 * ((x ^ 2 * y ^ 2) * (A * B))) by ring.
      lra. }
    apply Rsqr_incr_0_var; [rewrite !Rsqr_pow2; assumption | lra]. }
  replace ((x * y + S) ^ 2) with (x ^ 2 * y ^ 2 + 2 * (x * y * S) + S ^ 2) by ring.
  replace ((x ^ 2 + A) * (y ^ 2 + B)) with (x ^ 2 * y ^ 2 + (x ^ 2 * B + y ^ 2 * A) + A * B) by ring.
  lra.
Qed.

(** ** Vectors, matrices, Euclidean norm *)

Definition vector := nat -> R.
Definition matrix := nat -> nat -> R.

(** The coordinates 0, ..., n-1. *)
Definition coordinates (n : nat) : list nat := seq 0 n.

Definition minus (x x' : vector) : vector := fun i => x i - x' i.

Definition square_norm (S : list nat) (x : vector) : R := sum S (fun i => x i ^ 2).

(** ||x||, over the coordinates in the list S. *)
Definition norm (S : list nat) (x : vector) : R := sqrt (square_norm S x).

(** The product A y of a matrix with d columns and a vector. *)
Definition times (d : nat) (A : matrix) (y : vector) : vector :=
  fun i => sum (coordinates d) (fun j => A i j * y j).

(** The square of the Frobenius norm of the rows S of a matrix with d columns. *)
Definition square_frobenius (S : list nat) (d : nat) (A : matrix) : R :=
  sum S (fun i => sum (coordinates d) (fun j => A i j ^ 2)).

Definition frobenius (S : list nat) (d : nat) (A : matrix) : R := sqrt (square_frobenius S d A).

Lemma length_of_coordinates : forall n, length (coordinates n) = n.
Proof. intros. apply seq_length. Qed.

Lemma in_coordinates : forall n i, In i (coordinates n) <-> (i < n)%nat.
Proof. intros. unfold coordinates. rewrite in_seq. lia. Qed.

Lemma coordinates_are_distinct : forall n, NoDup (coordinates n).
Proof. intros. apply seq_NoDup. Qed.

Lemma square_norm_is_nonnegative : forall S x, 0 <= square_norm S x.
Proof. intros. apply sum_is_nonnegative. intros. apply pow2_ge_0. Qed.

Lemma norm_is_nonnegative : forall S x, 0 <= norm S x.
Proof. intros. apply sqrt_pos. Qed.

Lemma norm_of_zeros : forall S x, (forall i, In i S -> x i = 0) -> norm S x = 0.
Proof.
  intros S x zeros. unfold norm, square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
  - rewrite sum_of_a_constant, Rmult_0_r. apply sqrt_0.
  - intros i inside. rewrite zeros by assumption. ring.
Qed.

Lemma norm_squared : forall S x, norm S x ^ 2 = square_norm S x.
Proof.
  intros. unfold norm. rewrite <- Rsqr_pow2. apply Rsqr_sqrt. apply square_norm_is_nonnegative.
Qed.

Lemma square_frobenius_is_nonnegative : forall S d A, 0 <= square_frobenius S d A.
Proof.
  intros. apply sum_is_nonnegative. intros. apply sum_is_nonnegative. intros. apply pow2_ge_0.
Qed.

Lemma frobenius_squared : forall S d A, frobenius S d A ^ 2 = square_frobenius S d A.
Proof.
  intros. unfold frobenius. rewrite <- Rsqr_pow2. apply Rsqr_sqrt. apply square_frobenius_is_nonnegative.
Qed.

Lemma square_root_bound : forall a b, 0 <= b -> a ^ 2 <= b ^ 2 -> a <= b.
Proof. intros. apply Rsqr_incr_0_var; [rewrite !Rsqr_pow2 |]; assumption. Qed.

Lemma times_is_linear : forall d A y y' i,
  minus (times d A y) (times d A y') i = times d A (minus y y') i.
Proof.
  intros. unfold minus, times.
  replace (sum (coordinates d) (fun j => A i j * y j) - sum (coordinates d) (fun j => A i j * y' j))
    with (sum (coordinates d) (fun j => A i j * y j) + -1 * sum (coordinates d) (fun j => A i j * y' j)) by lra.
  rewrite <- sum_of_multiples, <- sum_of_sums. apply sum_of_equal_terms. intros. lra.
Qed.

(** ||A y|| <= ||A||_F ||y||. *)
Lemma matrix_stretches_by_at_most_frobenius : forall S d A y,
  square_norm S (times d A y) <= square_frobenius S d A * square_norm (coordinates d) y.
Proof.
  intros. unfold square_frobenius. rewrite Rmult_comm. rewrite <- sum_of_multiples.
  apply sum_is_monotone. intros i _.
  rewrite Rmult_comm. apply (cauchy_schwarz _ (coordinates d) (A i) y).
Qed.

(** ** The Euclidean projection onto X = [-1,1]^n *)

Definition clip (t : R) : R := Rmax (-1) (Rmin 1 t).

Definition in_box (n : nat) (x : vector) : Prop := forall i, (i < n)%nat -> -1 <= x i <= 1.

(** P_X, coordinate by coordinate: eq. (3) with [Ay]_i in its tests. *)
Definition project (x : vector) : vector := fun i => clip (x i).

Ltac unfold_clip :=
  unfold clip, Rmax, Rmin;
  repeat match goal with
         | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
         | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
         end; try lra.

Lemma clip_lies_in_the_interval : forall t, -1 <= clip t <= 1.
Proof. intros. unfold_clip. Qed.

Lemma clip_is_the_identity_inside : forall t, -1 <= t <= 1 -> clip t = t.
Proof. intros. unfold_clip. Qed.

Lemma smaller_distance_smaller_square : forall a b, Rabs a <= Rabs b -> a ^ 2 <= b ^ 2.
Proof. intros. rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. assumption. Qed.

Ltac unfold_distances := unfold Rabs; repeat destruct (Rcase_abs _); try lra.

Lemma clip_is_1_lipschitz : forall s t, (clip s - clip t) ^ 2 <= (s - t) ^ 2.
Proof. intros. apply smaller_distance_smaller_square. unfold_clip; unfold_distances. Qed.

Lemma clip_is_nearest : forall t z, -1 <= z <= 1 -> (t - clip t) ^ 2 <= (t - z) ^ 2.
Proof. intros. apply smaller_distance_smaller_square. unfold_clip; unfold_distances. Qed.

Lemma clip_never_moves_away_from_zero : forall t, clip t ^ 2 <= t ^ 2.
Proof. intros. apply smaller_distance_smaller_square. unfold_clip; unfold_distances. Qed.

Lemma square_norm_is_monotone : forall S x x',
  (forall i, In i S -> x i ^ 2 <= x' i ^ 2) -> square_norm S x <= square_norm S x'.
Proof. intros. apply sum_is_monotone. assumption. Qed.

Lemma norm_is_monotone : forall S x x',
  (forall i, In i S -> x i ^ 2 <= x' i ^ 2) -> norm S x <= norm S x'.
Proof.
  intros. apply sqrt_le_1_alt. apply square_norm_is_monotone. assumption.
Qed.

(** Claim [eq-3]. P_X, clipping each coordinate of Ay, maps every point into X. *)
Theorem projection_lands_in_the_box : forall n x, in_box n (project x).
Proof. intros n x i _. apply clip_lies_in_the_interval. Qed.

(** Claim [eq-3]. P_X leaves the points of X where they are. *)
Theorem projection_fixes_the_box : forall n x, in_box n x -> forall i, (i < n)%nat -> project x i = x i.
Proof. intros n x inside i small. apply clip_is_the_identity_inside. apply inside. assumption. Qed.

(** Claim [eq-3]. P_X is the Euclidean projection: no point of X is nearer to x than P_X(x). *)
Theorem projection_is_nearest_point_of_the_box : forall n x z,
  in_box n z -> norm (coordinates n) (minus x (project x)) <= norm (coordinates n) (minus x z).
Proof.
  intros n x z inside. apply norm_is_monotone. intros i small. apply in_coordinates in small.
  apply clip_is_nearest. apply inside. assumption.
Qed.

(** Claim [eq-3]. P_X is 1-Lipschitz, over any set S of coordinates. *)
Theorem projection_is_1_lipschitz : forall S x x',
  norm S (minus (project x) (project x')) <= norm S (minus x x').
Proof. intros. apply norm_is_monotone. intros i _. apply clip_is_1_lipschitz. Qed.

(** Eq. (3) as it is printed, for one coordinate: the tests read [y]_i, the value [Ay]_i. *)
Definition printed_projection (y_i Ay_i : R) : R :=
  if Rle_dec 1 y_i then 1 else if Rle_dec y_i (-1) then -1 else Ay_i.

(** Claim [eq-3]. Eq. (3) as printed, which tests [y]_i, leaves X: with n = d = 1, A = (10), y = 1/2 it gives 5. *)
Theorem printed_projection_leaves_the_box :
  printed_projection (1/2) (10 * (1/2)) = 5 /\ ~ (-1 <= printed_projection (1/2) (10 * (1/2)) <= 1).
Proof.
  unfold printed_projection. destruct (Rle_dec 1 (1/2)); [lra|]. destruct (Rle_dec (1/2) (-1)); [lra|].
  lra.
Qed.

(** Claim [eq-3]. Eq. (3) as printed does not fix the points of X: with n = d = 1, A = (1/10), y = 5 it sends the point
    Ay = 1/2 of X to 1, whereas P_X leaves it where it is. *)
Theorem printed_projection_is_no_projection :
  printed_projection 5 (1/10 * 5) = 1 /\ clip (1/10 * 5) = 1/2.
Proof.
  unfold printed_projection. destruct (Rle_dec 1 5); [|lra]. split; [reflexivity|].
  rewrite clip_is_the_identity_inside; lra.
Qed.

(** ** Lipschitz objectives and g_p *)

(** Assumption 1, for an objective that depends on the coordinates S alone (S = [coordinates n] when nothing
    is known): |f(x) - f(x')| <= L ||x - x'||_S on X = [-1,1]^n. *)
Definition lipschitz (n : nat) (S : list nat) (L : R) (f : vector -> R) : Prop :=
  forall x x', in_box n x -> in_box n x' -> Rabs (f x - f x') <= L * norm S (minus x x').

(** g_p(y) = f(P_X(A_p y)). *)
Definition embedded (f : vector -> R) (d : nat) (A : matrix) (y : vector) : R :=
  f (project (times d A y)).

Lemma square_of_absolute_value : forall x, Rabs x ^ 2 = x ^ 2.
Proof. intros. rewrite <- !Rsqr_pow2. symmetry. apply Rsqr_abs. Qed.

(** f forgets the projection. *)
Lemma embedded_differs_at_most_as_the_images : forall n S L f d A A' y y',
  0 <= L -> lipschitz n S L f ->
  Rabs (embedded f d A y - embedded f d A' y') <= L * norm S (minus (times d A y) (times d A' y')).
Proof.
  intros n S L f d A A' y y' positive lip.
  eapply Rle_trans; [apply lip; apply projection_lands_in_the_box|].
  apply Rmult_le_compat_l; [assumption|]. apply projection_is_1_lipschitz.
Qed.

(** So it gives one value to images that agree in the coordinates S. *)
Lemma images_that_agree_have_one_value : forall n S L f d A A' y y',
  0 <= L -> lipschitz n S L f -> (forall i, In i S -> times d A y i = times d A' y' i) ->
  embedded f d A y = embedded f d A' y'.
Proof.
  intros n S L f d A A' y y' positive lip same.
  pose proof (embedded_differs_at_most_as_the_images n S L f d A A' y y' positive lip) as near.
  rewrite norm_of_zeros, Rmult_0_r in near.
  - revert near. unfold_distances.
  - intros i inside. unfold minus. rewrite same by assumption. ring.
Qed.

Lemma embedded_varies_at_most_as_the_images : forall n S L f d A A' y y',
  0 <= L -> lipschitz n S L f ->
  (embedded f d A y - embedded f d A' y') ^ 2
  <= L ^ 2 * square_norm S (minus (times d A y) (times d A' y')).
Proof.
  intros. rewrite <- square_of_absolute_value, <- norm_squared, <- Rpow_mult_distr.
  apply pow_incr. split; [apply Rabs_pos | apply (embedded_differs_at_most_as_the_images n); assumption].
Qed.

(** *** Instances: the hypotheses are not vacuous *)

(** x |-> L ||x||_S is Lipschitz, by the triangle inequality. *)
Lemma norm_triangle : forall S x x', Rabs (norm S x - norm S x') <= norm S (minus x x').
Proof.
  intros S x x'.
  assert (half : forall a b, norm S a - norm S b <= norm S (minus a b)).
  { intros a b.
    assert (norm S a <= norm S b + norm S (minus a b)); [|lra].
    pose proof (norm_is_nonnegative S b). pose proof (norm_is_nonnegative S (minus a b)).
    apply square_root_bound; [lra|].
    replace ((norm S b + norm S (minus a b)) ^ 2)
      with (norm S b ^ 2 + norm S (minus a b) ^ 2 + 2 * (norm S b * norm S (minus a b))) by ring.
    assert (cross : sum S (fun i => b i * minus a b i) <= norm S b * norm S (minus a b)).
    { apply square_root_bound; [nra|]. rewrite Rpow_mult_distr, !norm_squared. apply cauchy_schwarz. }
    rewrite !norm_squared.
    replace (square_norm S a)
      with (square_norm S b + square_norm S (minus a b) + 2 * sum S (fun i => b i * minus a b i)); [lra|].
    unfold square_norm. rewrite <- sum_of_multiples, <- !sum_of_sums.
    apply sum_of_equal_terms. intros. unfold minus. ring. }
  unfold Rabs. destruct (Rcase_abs _); [|apply half].
  replace (- (norm S x - norm S x')) with (norm S x' - norm S x) by ring.
  eapply Rle_trans; [apply half|]. apply norm_is_monotone. intros. unfold minus. nra.
Qed.

(** Claim [assumption-1]. The cone x |-> L ||x - c||_S, with its least value 0 at c, satisfies Assumption 1. *)
Theorem cone_is_lipschitz : forall n S L c, 0 <= L -> lipschitz n S L (fun x => L * norm S (minus x c)).
Proof.
  intros n S L c positive x x' _ _.
  replace (L * norm S (minus x c) - L * norm S (minus x' c))
    with (L * (norm S (minus x c) - norm S (minus x' c))) by ring.
  rewrite Rabs_mult, (Rabs_right L) by lra. apply Rmult_le_compat_l; [assumption|].
  eapply Rle_trans; [apply norm_triangle|]. apply norm_is_monotone. intros. unfold minus. nra.
Qed.

(** Claim [assumption-1]. One coordinate, x |-> L x_i, satisfies Assumption 1. *)
Theorem coordinate_is_lipschitz : forall n S L i, 0 <= L -> In i S -> lipschitz n S L (fun x => L * x i).
Proof.
  intros n S L i positive inside x x' _ _.
  replace (L * x i - L * x' i) with (L * minus x x' i) by (unfold minus; ring).
  rewrite Rabs_mult, (Rabs_right L) by lra. apply Rmult_le_compat_l; [assumption|].
  apply square_root_bound; [apply norm_is_nonnegative|].
  rewrite square_of_absolute_value, norm_squared. unfold square_norm.
  apply (sum_contains_each_term _ S (fun j => minus x x' j ^ 2) i); [intros; apply pow2_ge_0 | assumption].
Qed.
