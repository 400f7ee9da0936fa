(** * Independent outcomes

    The mean over independent outcomes is the iterated mean: over the second for each first, then over the first.  An
    n-fold draw takes one outcome after the other; its mean runs over the latest one first. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Vectors Expectation.
Local Open Scope R_scope.

(** Two independent outcomes: the mean over the second, then over the first. *)
Definition independent {A B : Type} (P : expectation A) (Q : expectation B) : expectation (A * B).
Proof.
  refine {| integrable := fun X => (forall a, integrable Q (fun b => X (a, b))) /\
                                   integrable P (fun a => E Q (fun b => X (a, b)));
            E := fun X => E P (fun a => E Q (fun b => X (a, b))) |}.
  - intros X Y same [inner outer]. split.
    + intros a. eapply integrable_same; [|apply inner]. intros b. apply same.
    + eapply integrable_same; [|exact outer]. intros a. apply E_same. intros b. apply same.
  - intros a b X Y [inner_X outer_X] [inner_Y outer_Y]. split.
    + intros p. apply (integrable_linear _ Q a b (fun q => X (p, q)) (fun q => Y (p, q))); auto.
    + apply (integrable_same _ P (fun p => a * E Q (fun q => X (p, q)) + b * E Q (fun q => Y (p, q)))).
      * intros p. symmetry. apply (E_linear _ Q a b (fun q => X (p, q)) (fun q => Y (p, q))); auto.
      * apply integrable_linear; assumption.
  - split; [intros; apply integrable_one|].
    eapply integrable_same; [|apply integrable_one]. intros a. symmetry. apply E_one.
  - intros X Y same. apply E_same. intros a. apply E_same. intros b. apply same.
  - intros a b X Y [inner_X outer_X] [inner_Y outer_Y]. rewrite <- E_linear by assumption.
    apply E_same. intros p. apply (E_linear _ Q a b (fun q => X (p, q)) (fun q => Y (p, q))); auto.
  - intros X [inner outer] positive. apply E_positive; [assumption|]. intros a. apply E_positive; auto.
  - rewrite (E_same _ P _ (fun _ => 1)) by (intros; apply E_one). apply E_one.
Defined.

(** The outcome is certain. *)
Definition certain {A : Type} (a : A) : expectation A.
Proof. refine {| integrable := fun _ => True; E := fun X => X a |}; auto. Defined.

(** w with a at place n. *)
Definition extend {A : Type} (n : nat) (w : nat -> A) (a : A) : nat -> A := fun i => if Nat.eqb i n then a else w i.

Lemma extend_here : forall {A : Type} n w (a : A), extend n w a n = a.
Proof. intros. unfold extend. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma extend_elsewhere : forall {A : Type} n w (a : A) i, (i < n)%nat -> extend n w a i = w i.
Proof. intros. unfold extend. destruct (Nat.eqb_spec i n); [lia | reflexivity]. Qed.

(** n independent outcomes w(0), ..., w(n-1) of law P; the others are a0. *)
Fixpoint draws {A : Type} (a0 : A) (P : expectation A) (n : nat) : expectation (nat -> A) :=
  match n with
  | O => certain (fun _ => a0)
  | S n' => image (independent (draws a0 P n') P) (fun wa => extend n' (fst wa) (snd wa))
  end.

Section Draws.

  Context {A : Type} (a0 : A) (P : expectation A).

  (** A mean and the existence of it, one outcome at a time. *)
  Lemma draws_integrable : forall n X,
    (forall w, integrable P (fun a => X (extend n w a))) ->
    integrable (draws a0 P n) (fun w => E P (fun a => X (extend n w a))) -> integrable (draws a0 P (S n)) X.
  Proof. intros n X inner outer. split; assumption. Qed.

  Lemma draws_mean : forall n X,
    E (draws a0 P (S n)) X = E (draws a0 P n) (fun w => E P (fun a => X (extend n w a))).
  Proof. reflexivity. Qed.

  (** A function of the earlier outcomes. *)
  Lemma mean_without_the_last : forall n X m, (forall w a, X (extend n w a) = X w) ->
    integrable (draws a0 P n) X /\ E (draws a0 P n) X = m ->
    integrable (draws a0 P (S n)) X /\ E (draws a0 P (S n)) X = m.
  Proof.
    intros n X m same [random mean].
    assert (value : forall w, X w = E P (fun a => X (extend n w a))).
    { intros w. rewrite <- (E_of_constant P (X w)) at 1. apply E_same. intros. symmetry. apply same. }
    split.
    - apply draws_integrable; [|exact (integrable_same _ _ _ _ value random)].
      intros w. apply (integrable_same _ P (fun _ => X w)); [intros; symmetry; apply same | apply constant_is_integrable].
    - rewrite draws_mean, <- (E_same _ _ _ _ value). assumption.
  Qed.

  (** One of the outcomes has the law P. *)
  Lemma mean_of_one_draw : forall n i X, (i < n)%nat -> integrable P X ->
    integrable (draws a0 P n) (fun w => X (w i)) /\ E (draws a0 P n) (fun w => X (w i)) = E P X.
  Proof.
    induction n; intros i X small random; [lia|]. destruct (Nat.eq_dec i n) as [same | other].
    - subst i. assert (inner : forall (w : nat -> A) a, X a = X (extend n w a n)) by (intros; rewrite extend_here; reflexivity).
      assert (value : forall w : nat -> A, E P X = E P (fun a => X (extend n w a n))) by (intros; apply E_same, inner).
      split.
      + apply draws_integrable; [|exact (integrable_same _ _ _ _ value (constant_is_integrable _ _))].
        intros w. exact (integrable_same _ P _ _ (inner w) random).
      + rewrite draws_mean, <- (E_same _ _ _ _ value). apply E_of_constant.
    - apply (mean_without_the_last n (fun w => X (w i))); [|apply IHn; [lia | assumption]].
      intros. rewrite extend_elsewhere by lia. reflexivity.
  Qed.

  (** Two of them have the law of two independent outcomes. *)
  Lemma mean_of_two_draws : forall n i j X, (i < j < n)%nat ->
    (forall a, integrable P (X a)) -> integrable P (fun a => E P (X a)) ->
    integrable (draws a0 P n) (fun w => X (w i) (w j)) /\
    E (draws a0 P n) (fun w => X (w i) (w j)) = E P (fun a => E P (X a)).
  Proof.
    induction n; intros i j X small inner_random outer_random; [lia|]. destruct (Nat.eq_dec j n) as [same | other].
    - subst j. destruct (mean_of_one_draw n i (fun a => E P (X a)) ltac:(lia) outer_random) as [random mean].
      assert (inner : forall (w : nat -> A) a, X (w i) a = X (extend n w a i) (extend n w a n)).
      { intros. rewrite extend_here, extend_elsewhere by lia. reflexivity. }
      assert (value : forall w : nat -> A, E P (X (w i)) = E P (fun a => X (extend n w a i) (extend n w a n))).
      { intros w. apply E_same, inner. }
      split.
      + apply draws_integrable; [|exact (integrable_same _ _ _ _ value random)].
        intros w. exact (integrable_same _ P _ _ (inner w) (inner_random (w i))).
      + rewrite draws_mean, <- (E_same _ _ _ _ value). assumption.
    - apply (mean_without_the_last n (fun w => X (w i) (w j))); [|apply IHn; [lia | assumption | assumption]].
      intros. rewrite !extend_elsewhere by lia. reflexivity.
  Qed.

  (** So they are uncorrelated, and so are all functions of them. *)
  Lemma mean_of_a_product_of_two_draws : forall n i j X Y, (i < j < n)%nat -> integrable P X -> integrable P Y ->
    integrable (draws a0 P n) (fun w => X (w i) * Y (w j)) /\
    E (draws a0 P n) (fun w => X (w i) * Y (w j)) = E P X * E P Y.
  Proof.
    intros n i j X Y small random_X random_Y.
    assert (value : forall a, E P Y * X a = E P (fun b => X a * Y b)).
    { intros a. rewrite E_of_multiple by assumption. apply Rmult_comm. }
    destruct (mean_of_two_draws n i j (fun a b => X a * Y b) small) as [random mean].
    - intros a. apply multiple_is_integrable. assumption.
    - exact (integrable_same _ P _ _ value (multiple_is_integrable P (E P Y) X random_X)).
    - split; [exact random|]. rewrite mean, <- (E_same _ P _ _ value), E_of_multiple by assumption. apply Rmult_comm.
  Qed.

End Draws.
