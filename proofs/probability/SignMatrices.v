(** * Theorem 1 on concrete matrices

    Independent fair entries +1/sqrt n and -1/sqrt n satisfy every hypothesis of Moments.v, for all n and d; and two
    small examples show that its constants cannot be lowered. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation Moments.
Local Open Scope R_scope.

(** ** Entries +-1/sqrt n *)

Section RandomSigns.

  Variables n d : nat.
  Hypothesis some_coordinate : (0 < n)%nat.

  (** The first n d signs make A_p, the next n d signs make A_q. *)
  Definition signs_expectation : expectation (nat -> R) := fair_signs (n * d + n * d).
  Definition signs_p : (nat -> R) -> matrix := fun signs i j => / sqrt (INR n) * signs (i * d + j)%nat.
  Definition signs_q : (nat -> R) -> matrix := fun signs i j => / sqrt (INR n) * signs (n * d + (i * d + j))%nat.

  Lemma inverse_root_squared : / sqrt (INR n) * / sqrt (INR n) = / INR n.
  Proof.
    assert (0 < INR n) by (apply lt_0_INR; assumption).
    rewrite <- Rinv_mult.
    rewrite sqrt_sqrt by lra. reflexivity.
  Qed.

  Lemma product_of_two_entries : forall a b, (a < n * d + n * d)%nat -> (b < n * d + n * d)%nat ->
    E signs_expectation (fun signs => (/ sqrt (INR n) * signs a) * (/ sqrt (INR n) * signs b))
    = if Nat.eqb a b then / INR n else 0.
  Proof.
    intros a b small_a small_b. cbn [E signs_expectation fair_signs].
    rewrite (average_of_equals _ _ (fun signs => / INR n * (signs a * signs b))).
    - rewrite average_of_a_multiple, fair_signs_are_uncorrelated by assumption.
      destruct (Nat.eqb a b); lra.
    - intros. rewrite <- inverse_root_squared. ring.
  Qed.

  Lemma place_of_an_entry : forall i j, (i < n)%nat -> (j < d)%nat -> (i * d + j < n * d)%nat.
  Proof. intros. nia. Qed.

  (** Claim [theorem-1]. Matrices of independent fair entries +-1/sqrt n satisfy the second-moment hypotheses of Moments.v,
      for all n and d. *)
  Theorem random_signs_have_uncorrelated_rows :
    uncorrelated_rows signs_expectation (coordinates n) d (/ INR n) signs_p /\
    uncorrelated_rows signs_expectation (coordinates n) d (/ INR n) signs_q /\
    uncorrelated_with_each_other signs_expectation (coordinates n) d signs_p signs_q.
  Proof.
    repeat split; unfold signs_p, signs_q;
      rename H into small_i, H0 into small_j, H1 into small_k; apply in_coordinates in small_i;
      pose proof (place_of_an_entry i j small_i small_j); pose proof (place_of_an_entry i k small_i small_k);
      rewrite product_of_two_entries by lia.
    - destruct (Nat.eqb_spec j k), (Nat.eqb_spec (i * d + j) (i * d + k)); lia || lra.
    - destruct (Nat.eqb_spec j k), (Nat.eqb_spec (n * d + (i * d + j)) (n * d + (i * d + k))); lia || lra.
    - destruct (Nat.eqb_spec (i * d + j) (n * d + (i * d + k))); lia || lra.
  Qed.

End RandomSigns.

(** ** From second moments alone the constants cannot be lowered (n = d = 1) *)

(** Four equally likely pairs (A_p, A_q): (sqrt 2, 0), (-sqrt 2, 0), (0, sqrt 2), (0, -sqrt 2). *)
Definition four_pairs : finite_distribution (R * R).
Proof. refine {| outcomes := [(/4, (sqrt 2, 0)); (/4, (- sqrt 2, 0)); (/4, (0, sqrt 2)); (/4, (0, - sqrt 2))] |}; weights. Defined.

(** Two equally likely pairs: (1, -1) and (-1, 1). *)
Definition two_pairs : finite_distribution (R * R).
Proof. refine {| outcomes := [(/2, (1, -1)); (/2, (-1, 1))] |}; weights. Defined.

Definition first_of_pair : R * R -> matrix := fun pair _ _ => fst pair.
Definition second_of_pair : R * R -> matrix := fun pair _ _ => snd pair.
Definition only_coordinate : vector -> R := fun x => 1 * x 0%nat.
Definition half : vector := fun _ => /2.

Lemma only_coordinate_of_an_image : forall (a : R), -2 <= a <= 2 ->
  embedded only_coordinate 1 (fun _ _ => a) half = a / 2.
Proof.
  intros a small. unfold embedded, only_coordinate, project, times, half. cbn [coordinates seq sum].
  rewrite clip_is_the_identity_inside; lra.
Qed.

Lemma norm_of_half : norm (coordinates 1) half = /2.
Proof.
  unfold norm, square_norm, half. cbn [coordinates seq sum].
  replace ((/ 2) ^ 2 + 0) with (/2 * /2) by ring. apply sqrt_square. lra.
Qed.

(** The hypotheses and the mean variation, entry by entry: a [law] on pairs has finitely many outcomes. *)
Ltac pair_by_pair law :=
  split; [apply coordinate_is_lipschitz; [lra | left; reflexivity]|];
  repeat match goal with |- _ /\ _ => split end;
  try (intros i j k _ small_j small_k; apply Nat.lt_1_r in small_j, small_k; subst j k; split; [exact I|];
       cbn [E finite_expectation]; unfold mean, law, first_of_pair, second_of_pair;
       cbn [outcomes sum fst snd Nat.eqb INR]; lra);
  rewrite norm_of_half; cbn [E finite_expectation]; unfold mean, law, variation; cbn [outcomes sum fst snd];
  unfold first_of_pair, second_of_pair; cbn [fst snd]; rewrite !only_coordinate_of_an_image by lra;
  unfold Rabs; repeat destruct (Rcase_abs _); lra.

(** Claim [theorem-1]. The constant sqrt 2 is attained (n = d = 1): some A_p, A_q satisfy every hypothesis of
    [theorem_1_with_sqrt_2] and give equality. *)
Theorem sqrt_2_is_attained :
  let P := finite_expectation four_pairs in
  lipschitz 1 (coordinates 1) 1 only_coordinate /\
  uncorrelated_rows P (coordinates 1) 1 (/ INR 1) first_of_pair /\
  uncorrelated_rows P (coordinates 1) 1 (/ INR 1) second_of_pair /\
  uncorrelated_with_each_other P (coordinates 1) 1 first_of_pair second_of_pair /\
  E P (fun w => Rabs (variation only_coordinate 1 first_of_pair second_of_pair half w))
  = sqrt 2 * 1 * norm (coordinates 1) half.
Proof.
  cbv zeta. assert (root := sqrt_sqrt 2 ltac:(lra)). assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (sqrt 2 <= 2) by nra. pair_by_pair four_pairs.
Qed.

(** Claim [theorem-1]. The constant 2 is attained (n = d = 1): some A_p, A_q satisfy every hypothesis of
    [theorem_1_without_independence] and give equality. *)
Theorem two_is_attained_without_independence :
  let P := finite_expectation two_pairs in
  lipschitz 1 (coordinates 1) 1 only_coordinate /\
  uncorrelated_rows P (coordinates 1) 1 (/ INR 1) first_of_pair /\
  uncorrelated_rows P (coordinates 1) 1 (/ INR 1) second_of_pair /\
  E P (fun w => Rabs (variation only_coordinate 1 first_of_pair second_of_pair half w))
  = 2 * 1 * norm (coordinates 1) half.
Proof. cbv zeta. pair_by_pair two_pairs. Qed.
