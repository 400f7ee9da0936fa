(** * Expectations, by the few properties that the proofs use

    An expectation is a positive, normalised, linear functional on a space of "integrable" random variables.
    Every probability space gives one (take the integrable functions and their integral), so what is proved
    for all of them holds for Gaussian matrices too; no measure theory is needed to state it.  Finite
    distributions and independent fair signs are built below: for these the properties are theorems. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors.
Local Open Scope R_scope.

Record expectation (Omega : Type) := {
  integrable : (Omega -> R) -> Prop;
  E : (Omega -> R) -> R;
  integrable_same : forall X Y, (forall w, X w = Y w) -> integrable X -> integrable Y;
  integrable_linear : forall a b X Y,
    integrable X -> integrable Y -> integrable (fun w => a * X w + b * Y w);
  integrable_one : integrable (fun _ => 1);
  E_same : forall X Y, (forall w, X w = Y w) -> E X = E Y;
  E_linear : forall a b X Y,
    integrable X -> integrable Y -> E (fun w => a * X w + b * Y w) = a * E X + b * E Y;
  E_positive : forall X, integrable X -> (forall w, 0 <= X w) -> 0 <= E X;
  E_one : E (fun _ => 1) = 1
}.

Arguments integrable {Omega}.
Arguments E {Omega}.

Section ElementaryProperties.

  Context {Omega : Type} (P : expectation Omega).

  Lemma E_is_monotone : forall X Y,
    integrable P X -> integrable P Y -> (forall w, X w <= Y w) -> E P X <= E P Y.
  Proof.
    intros X Y iX iY below.
    assert (0 <= E P (fun w => 1 * Y w + -1 * X w)).
    { apply E_positive; [apply integrable_linear; assumption|]. intros w. specialize (below w). lra. }
    rewrite E_linear in * by assumption. lra.
  Qed.

  Lemma multiple_is_integrable : forall c X, integrable P X -> integrable P (fun w => c * X w).
  Proof.
    intros c X iX. apply (integrable_same _ P (fun w => c * X w + 0 * X w)); [intros; lra|].
    apply integrable_linear; assumption.
  Qed.

  Lemma E_of_multiple : forall c X, integrable P X -> E P (fun w => c * X w) = c * E P X.
  Proof.
    intros c X iX. rewrite (E_same _ P _ (fun w => c * X w + 0 * X w)) by (intros; lra).
    rewrite E_linear by assumption. lra.
  Qed.

  Lemma constant_is_integrable : forall c, integrable P (fun _ => c).
  Proof.
    intros c. apply (integrable_same _ P (fun _ => c * 1)); [intros; lra|].
    apply (multiple_is_integrable c (fun _ => 1)). apply integrable_one.
  Qed.

  Lemma E_of_constant : forall c, E P (fun _ => c) = c.
  Proof.
    intros c. rewrite (E_same _ P _ (fun _ => c * 1)) by (intros; lra).
    rewrite (E_of_multiple c (fun _ => 1)) by apply integrable_one. rewrite E_one. lra.
  Qed.

  Lemma sum_is_integrable : forall (I : Type) (indices : list I) (X : I -> Omega -> R),
    (forall i, In i indices -> integrable P (X i)) -> integrable P (fun w => sum indices (fun i => X i w)).
  Proof.
    induction indices as [|i rest IH]; intros X all; cbn [sum]; [apply constant_is_integrable|].
    apply (integrable_same _ P (fun w => 1 * X i w + 1 * sum rest (fun j => X j w))); [intros; lra|].
    apply integrable_linear; [apply all; left; reflexivity|]. apply IH. intros. apply all. right. assumption.
  Qed.

  Lemma E_of_sum : forall (I : Type) (indices : list I) (X : I -> Omega -> R),
    (forall i, In i indices -> integrable P (X i)) ->
    E P (fun w => sum indices (fun i => X i w)) = sum indices (fun i => E P (X i)).
  Proof.
    induction indices as [|i rest IH]; intros X all; cbn [sum]; [apply E_of_constant|].
    assert (first : integrable P (X i)) by (apply all; left; reflexivity).
    assert (others : integrable P (fun w => sum rest (fun j => X j w))).
    { apply sum_is_integrable. intros. apply all. right. assumption. }
    rewrite <- IH by (intros; apply all; right; assumption).
    rewrite (E_same _ P _ (fun w => 1 * X i w + 1 * sum rest (fun j => X j w))) by (intros; lra).
    rewrite E_linear by assumption. lra.
  Qed.

  Lemma double_sum : forall (I J : Type) (rows : list I) (columns : list J) (X : I -> J -> Omega -> R),
    (forall i j, In i rows -> In j columns -> integrable P (X i j)) ->
    integrable P (fun w => sum rows (fun i => sum columns (fun j => X i j w))) /\
    E P (fun w => sum rows (fun i => sum columns (fun j => X i j w)))
    = sum rows (fun i => sum columns (fun j => E P (X i j))).
  Proof.
    intros I J rows columns X all.
    assert (row : forall i, In i rows -> integrable P (fun w => sum columns (fun j => X i j w)))
      by (intros i inside; apply (sum_is_integrable J columns (X i)); auto).
    split; [apply (sum_is_integrable I rows (fun i w => sum columns (fun j => X i j w))); assumption|].
    rewrite (E_of_sum I rows (fun i w => sum columns (fun j => X i j w))) by assumption.
    apply sum_of_equal_terms. intros i inside. apply (E_of_sum J columns (X i)). auto.
  Qed.

  (** (E|X|)^2 <= E X^2. *)
  Lemma square_of_mean_below_mean_square : forall X,
    integrable P (fun w => Rabs (X w)) -> integrable P (fun w => X w ^ 2) ->
    E P (fun w => Rabs (X w)) ^ 2 <= E P (fun w => X w ^ 2).
  Proof.
    intros X i1 i2. set (m := E P (fun w => Rabs (X w))).
    assert (nonneg : 0 <= E P (fun w => 1 * (1 * X w ^ 2 + (-2 * m) * Rabs (X w)) + m ^ 2 * 1)).
    { apply E_positive.
      - apply (integrable_linear _ P 1 (m ^ 2) (fun w => 1 * X w ^ 2 + (-2 * m) * Rabs (X w)) (fun _ => 1)).
        + apply integrable_linear; assumption.
        + apply integrable_one.
      - intros w. rewrite <- square_of_absolute_value.
        replace (1 * (1 * Rabs (X w) ^ 2 + -2 * m * Rabs (X w)) + m ^ 2 * 1)
          with ((Rabs (X w) - m) ^ 2) by ring. apply pow2_ge_0. }
    rewrite (E_linear _ P 1 (m ^ 2) (fun w => 1 * X w ^ 2 + (-2 * m) * Rabs (X w)) (fun _ => 1)) in nonneg.
    - rewrite E_linear, E_one in nonneg by assumption. fold m in nonneg. nra.
    - apply integrable_linear; assumption.
    - apply integrable_one.
  Qed.

  (** Markov's inequality for the indicator X of an event: if Y >= c whenever the event happens, and Y >= 0
      always, then c P(event) <= E Y. *)
  Lemma markov : forall (event : Omega -> bool) (Y : Omega -> R) c,
    integrable P (fun w => if event w then 1 else 0) -> integrable P Y ->
    (forall w, 0 <= Y w) -> (forall w, event w = true -> c <= Y w) ->
    c * E P (fun w => if event w then 1 else 0) <= E P Y.
  Proof.
    intros event Y c ie iY positive large. rewrite <- E_of_multiple by assumption.
    apply E_is_monotone; [apply (multiple_is_integrable c (fun w => if event w then 1 else 0)) | |]; auto.
    intros w. destruct (event w) eqn:happens.
    - specialize (large w happens). lra.
    - specialize (positive w). lra.
  Qed.

End ElementaryProperties.

(** ** The law of a random variable *)

(** The expectation of functions of g(w), w random. *)
Definition image {Omega O : Type} (P : expectation Omega) (g : Omega -> O) : expectation O.
Proof.
  refine {| integrable := fun X => integrable P (fun w => X (g w)); E := fun X => E P (fun w => X (g w)) |}.
  - intros X Y same. apply integrable_same. auto.
  - intros a b X Y. apply (integrable_linear _ P a b (fun w => X (g w)) (fun w => Y (g w))).
  - apply integrable_one.
  - intros X Y same. apply E_same. auto.
  - intros a b X Y. apply (E_linear _ P a b (fun w => X (g w)) (fun w => Y (g w))).
  - intros X iX positive. apply E_positive; auto.
  - apply E_one.
Defined.

(** ** Finite distributions *)

(** A finite list of outcomes with nonnegative weights of sum 1. *)
Record finite_distribution (O : Type) := {
  outcomes : list (R * O);
  weights_are_nonnegative : forall outcome, In outcome outcomes -> 0 <= fst outcome;
  weights_add_up_to_1 : sum outcomes fst = 1
}.

Arguments outcomes {O}.

(** The weights of a list that is written out. *)
Ltac weights :=
  cbn; intros;
  repeat match goal with
         | H : _ \/ _ |- _ => destruct H as [<- | H]
         | H : False |- _ => destruct H
         end; cbn; lra.

Section Finite.

  Context {O : Type} (mu : finite_distribution O).

  Definition mean (X : O -> R) : R := sum (outcomes mu) (fun outcome => fst outcome * X (snd outcome)).

  (** The mean of a finite distribution is an expectation; here every random variable is integrable. *)
  Definition finite_expectation : expectation O.
  Proof.
    refine {| integrable := fun _ => True; E := mean |}; auto; unfold mean.
    - intros X Y same. apply sum_of_equal_terms. intros. rewrite same. reflexivity.
    - intros a b X Y _ _. rewrite <- !sum_of_multiples, <- sum_of_sums.
      apply sum_of_equal_terms. intros. ring.
    - intros X _ positive. apply sum_is_nonnegative. intros outcome inside.
      apply Rmult_le_pos; [apply (weights_are_nonnegative _ mu); assumption | apply positive].
    - rewrite (sum_of_equal_terms _ _ _ fst) by (intros; ring). apply weights_add_up_to_1.
  Defined.

End Finite.

(** ** Independent fair signs *)

(** The mean over the first m signs, +1 and -1 with equal weight, one after the other; the others are +1. *)
Fixpoint average (m : nat) (X : (nat -> R) -> R) : R :=
  match m with
  | O => X (fun _ => 1)
  | S m' => (average m' (fun signs => X (fun i => if Nat.eqb i m' then 1 else signs i))
             + average m' (fun signs => X (fun i => if Nat.eqb i m' then -1 else signs i))) / 2
  end.

Lemma average_of_equals : forall m X Y, (forall signs, X signs = Y signs) -> average m X = average m Y.
Proof.
  induction m; intros X Y same; cbn [average]; [apply same|]. f_equal. f_equal; apply IHm; intros; apply same.
Qed.

Lemma average_is_linear : forall m a b X Y,
  average m (fun signs => a * X signs + b * Y signs) = a * average m X + b * average m Y.
Proof. induction m; intros; cbn [average]; [reflexivity|]. rewrite !IHm. lra. Qed.

Lemma average_is_positive : forall m X, (forall signs, 0 <= X signs) -> 0 <= average m X.
Proof.
  induction m; intros X positive; cbn [average]; [apply positive|].
  assert (0 <= average m (fun signs => X (fun i => if Nat.eqb i m then 1 else signs i)))
    by (apply IHm; intros; apply positive).
  assert (0 <= average m (fun signs => X (fun i => if Nat.eqb i m then -1 else signs i)))
    by (apply IHm; intros; apply positive).
  lra.
Qed.

Lemma average_of_a_multiple : forall m c X, average m (fun signs => c * X signs) = c * average m X.
Proof. induction m; intros; cbn [average]; [reflexivity|]. rewrite !IHm. lra. Qed.

Lemma average_of_a_constant : forall m c, average m (fun _ => c) = c.
Proof. induction m; intros; cbn [average]; [reflexivity|]. rewrite !IHm. lra. Qed.

(** The uniform distribution of m signs: all 2^m of them are equally likely, so they are independent. *)
Definition fair_signs (m : nat) : expectation (nat -> R).
Proof.
  refine {| integrable := fun _ => True; E := average m |}; auto.
  - intros. apply average_of_equals. assumption.
  - intros. apply average_is_linear.
  - intros. apply average_is_positive. assumption.
  - apply average_of_a_constant.
Defined.

Lemma fair_sign_has_mean_0 : forall m i, (i < m)%nat -> average m (fun signs => signs i) = 0.
Proof.
  induction m; intros i small; [lia|]. cbn [average].
  destruct (Nat.eqb_spec i m).
  - rewrite !average_of_a_constant. lra.
  - rewrite IHm by lia. lra.
Qed.

(** E[s_i s_j] = 1 if i = j, and 0 otherwise. *)
Lemma fair_signs_are_uncorrelated : forall m i j, (i < m)%nat -> (j < m)%nat ->
  average m (fun signs => signs i * signs j) = if Nat.eqb i j then 1 else 0.
Proof.
  induction m; intros i j small_i small_j; [lia|]. cbn [average].
  destruct (Nat.eqb_spec i m) as [last_i | inner_i]; destruct (Nat.eqb_spec j m) as [last_j | inner_j].
  - subst. rewrite Nat.eqb_refl, !average_of_a_constant. lra.
  - rewrite !average_of_a_multiple, fair_sign_has_mean_0 by lia.
    destruct (Nat.eqb_spec i j); [lia | lra].
  - assert (swap : forall c, average m (fun signs => signs i * c) = c * average m (fun signs => signs i)).
    { intros c. rewrite <- average_of_a_multiple. apply average_of_equals. intros; lra. }
    rewrite !swap, fair_sign_has_mean_0 by lia. destruct (Nat.eqb_spec i j); [lia | lra].
  - rewrite IHm by lia. destruct (Nat.eqb i j); lra.
Qed.
