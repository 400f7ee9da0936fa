(** * Radial collapse

    If the law of an observation at y depends on ||y|| alone, a tree search learns nothing from the directions of its
    nodes: it is a choice of radii.  The hypothesis is proved below for every random matrix whose law does not change
    when it is composed with a reflection of R^d (for Gaussian matrices GaussFresh.v proves it without reflections), and
    for matrices of independent fair signs, with (|y_1|, ..., |y_d|) in the place of ||y||, which for d = 1 is ||y||. *)

From Coq Require Import List Arith Reals Lra Lia.
From EmbeddedHunter Require Import Vectors Expectation Moments SignMatrices Ceiling.
Import ListNotations.
Local Open Scope R_scope.

Section RadialCollapse.

  (** The law of an observation at node y depends on the norm of y alone. *)
  Context {Node Radius Observation : Type} (law : Node -> expectation Observation) (norm : Node -> Radius).
  Hypothesis law_depends_on_the_norm : forall y y', norm y = norm y' -> forall X, E (law y) X = E (law y') X.

  (** Claim [radial-collapse]. Two rules that choose equal norms after equal histories have equal laws of
      observations: every mean of the history is the same. *)
  Theorem rules_of_equal_norms_have_equal_laws : forall r r' : list Observation -> Node,
    (forall history, norm (r history) = norm (r' history)) ->
    forall v F, mean_of_run law v r F = mean_of_run law v r' F.
  Proof.
    intros r r' same v F. unfold mean_of_run. generalize (@nil Observation).
    induction v; intros past; cbn [mean_after]; [reflexivity|].
    rewrite (law_depends_on_the_norm (r past) (r' past)) by apply same.
    apply E_same. intros o. apply IHv.
  Qed.

  (** Claim [radial-collapse]. So a search over nodes is a search over radii: [pick] chooses any node of a given
      norm. *)
  Theorem a_search_over_nodes_is_a_search_over_radii : forall (pick : Radius -> Node) (r : list Observation -> Node),
    (forall y, norm (pick (norm y)) = norm y) ->
    forall v F, mean_of_run law v r F
                = mean_of_run (fun radius => law (pick radius)) v (fun history => norm (r history)) F.
  Proof.
    intros pick r picks v F. unfold mean_of_run. generalize (@nil Observation).
    induction v; intros past; cbn [mean_after]; [reflexivity|].
    rewrite (law_depends_on_the_norm (r past) (pick (norm (r past)))) by (symmetry; apply picks).
    apply E_same. intros o. apply IHv.
  Qed.

End RadialCollapse.

(** ** Matrices whose law no reflection changes *)

(** The inner product of two vectors of dimension d. *)
Definition inner (d : nat) (v y : vector) : R := sum (coordinates d) (fun j => v j * y j).

(** A composed with the reflection y |-> y - 2 <v,y> v / ||v||^2 in the hyperplane orthogonal to v. *)
Definition reflected (d : nat) (v : vector) (A : matrix) : matrix :=
  fun i j => A i j - 2 * times d A v i / square_norm (coordinates d) v * v j.

Lemma image_under_a_reflected_matrix : forall d v A y i,
  times d (reflected d v A) y i = times d A y i - 2 * times d A v i / square_norm (coordinates d) v * inner d v y.
Proof.
  intros d v A y i. unfold inner, reflected. unfold times at 1.
  set (c := 2 * times d A v i / square_norm (coordinates d) v).
  replace (times d A y i - c * sum (coordinates d) (fun j => v j * y j))
    with (times d A y i + (- c) * sum (coordinates d) (fun j => v j * y j)) by ring.
  rewrite <- sum_of_multiples. unfold times. rewrite <- sum_of_sums. apply sum_of_equal_terms. intros. ring.
Qed.

(** The reflection that exchanges two vectors of equal norm. *)
Lemma a_reflection_exchanges_vectors_of_equal_norm : forall d A y y' i,
  square_norm (coordinates d) y = square_norm (coordinates d) y' ->
  square_norm (coordinates d) (minus y y') <> 0 ->
  times d (reflected d (minus y y') A) y i = times d A y' i.
Proof.
  intros d A y y' i same different. rewrite image_under_a_reflected_matrix.
  assert (half : 2 * inner d (minus y y') y = square_norm (coordinates d) (minus y y')).
  { assert (expansion : square_norm (coordinates d) (minus y y')
                        = 2 * inner d (minus y y') y
                          + (square_norm (coordinates d) y' + -1 * square_norm (coordinates d) y)).
    { unfold inner, square_norm. rewrite <- !sum_of_multiples, <- !sum_of_sums.
      apply sum_of_equal_terms. intros j _. unfold minus. ring. }
    lra. }
  replace (2 * times d A (minus y y') i / square_norm (coordinates d) (minus y y') * inner d (minus y y') y)
    with (times d A (minus y y') i * (2 * inner d (minus y y') y) / square_norm (coordinates d) (minus y y'))
    by (unfold Rdiv; ring).
  rewrite half, <- times_is_linear. unfold minus at 1. field. assumption.
Qed.

(** Claim [radial-collapse]. If no reflection changes the law of the random matrix A, the law of A y depends on ||y||
    alone: every mean E F(A y) is the same at two points of equal norm.  (F reads the first n coordinates.) *)
Theorem reflection_invariance_gives_radial_collapse :
  forall (Omega : Type) (P : expectation Omega) (A : Omega -> matrix) (n d : nat),
  (forall (v : vector) (F : matrix -> R),
     (forall B B', (forall i j, (i < n)%nat -> (j < d)%nat -> B i j = B' i j) -> F B = F B') ->
     E P (fun w => F (reflected d v (A w))) = E P (fun w => F (A w))) ->
  forall (F : vector -> R) y y',
  (forall x x', (forall i, (i < n)%nat -> x i = x' i) -> F x = F x') ->
  norm (coordinates d) y = norm (coordinates d) y' ->
  E P (fun w => F (times d (A w) y)) = E P (fun w => F (times d (A w) y')).
Proof.
  intros Omega P A n d invariant F y y' extensional same.
  assert (same_square : square_norm (coordinates d) y = square_norm (coordinates d) y')
    by (rewrite <- !norm_squared, same; reflexivity).
  destruct (Req_dec (square_norm (coordinates d) (minus y y')) 0) as [zero | different].
  - apply E_same. intros w. apply extensional. intros i _. apply sum_of_equal_terms. intros j member.
    assert (bound : minus y y' j ^ 2 <= 0).
    { rewrite <- zero. apply (sum_contains_each_term _ _ (fun i => minus y y' i ^ 2) j);
        [intros; apply pow2_ge_0 | assumption]. }
    assert (equal : y j = y' j).
    { apply Rminus_diag_uniq. change (minus y y' j = 0).
      destruct (Req_dec (minus y y' j) 0) as [null | other]; [assumption|].
      pose proof (Rsqr_pos_lt _ other) as positive. rewrite Rsqr_pow2 in positive. lra. }
    rewrite equal. reflexivity.
  - rewrite <- (invariant (minus y y') (fun B => F (times d B y))).
    + apply E_same. intros w. apply extensional. intros i _.
      apply a_reflection_exchanges_vectors_of_equal_norm; assumption.
    + intros B B' equal. apply extensional. intros i small_i. apply sum_of_equal_terms. intros j member.
      apply in_coordinates in member. rewrite equal by assumption. reflexivity.
Qed.

(** ** A concrete instance: matrices of independent fair signs *)

(** Flipping any of the first m signs leaves their law as it is. *)
Lemma flipping_signs_keeps_the_mean : forall m flips X,
  (forall s s', (forall i, s i = s' i) -> X s = X s') ->
  (forall i, flips i = 1 \/ flips i = -1) -> (forall i, (m <= i)%nat -> flips i = 1) ->
  average m (fun signs => X (fun i => flips i * signs i)) = average m X.
Proof.
  induction m; intros flips X extensional units rest; cbn [average].
  - apply extensional. intros i. rewrite rest by lia. ring.
  - set (others := fun i => if Nat.eqb i m then 1 else flips i).
    assert (half : forall c, average m (fun signs => X (fun i => flips i * (if Nat.eqb i m then c else signs i)))
                             = average m (fun signs => X (fun i => if Nat.eqb i m then flips m * c else signs i))).
    { intros c.
      rewrite <- (IHm others (fun signs => X (fun i => if Nat.eqb i m then flips m * c else signs i))).
      - apply average_of_equals. intros signs. apply extensional. intros i. unfold others.
        destruct (Nat.eqb_spec i m); [subst; reflexivity | reflexivity].
      - intros s s' same. apply extensional. intros i. destruct (Nat.eqb i m); [reflexivity | apply same].
      - intros i. unfold others. destruct (Nat.eqb i m); [left; reflexivity | apply units].
      - intros i large. unfold others. destruct (Nat.eqb_spec i m); [reflexivity | apply rest; lia]. }
    rewrite !half. destruct (units m) as [plus | minus]; [rewrite plus | rewrite minus].
    + replace (1 * 1) with 1 by ring. replace (1 * -1) with (-1) by ring. reflexivity.
    + replace (-1 * 1) with (-1) by ring. replace (-1 * -1) with 1 by ring. lra.
Qed.

Section SignMatrices.

  Variables n d : nat.

  (** The law of g_P(y) = f(P_X(A y)), A a random n x d matrix of entries +-1/sqrt n. *)
  Definition observation (f : vector -> R) (y : vector) : expectation R :=
    image (signs_expectation n d) (fun signs => embedded f d (signs_p n d signs) y).

  (** Claim [radial-collapse]. For a random sign matrix A the law of A y depends on |y_1|, ..., |y_d| alone. *)
  Theorem law_of_a_sign_matrix_depends_on_absolute_values : forall (F : vector -> R) y y',
    (forall x x', (forall i, (i < n)%nat -> x i = x' i) -> F x = F x') ->
    (forall j, (j < d)%nat -> Rabs (y j) = Rabs (y' j)) ->
    E (signs_expectation n d) (fun signs => F (times d (signs_p n d signs) y))
    = E (signs_expectation n d) (fun signs => F (times d (signs_p n d signs) y')).
  Proof.
    intros F y y' extensional same. cbn [E signs_expectation fair_signs].
    set (turn := fun j => if Req_EM_T (y j) (y' j) then 1 else -1).
    set (flips := fun a => if Nat.ltb a (n * d) then turn (a mod d)%nat else 1).
    rewrite <- (flipping_signs_keeps_the_mean (n * d + n * d) flips
                  (fun signs => F (times d (signs_p n d signs) y))).
    - apply average_of_equals. intros signs. apply extensional. intros i small_i. unfold times.
      apply sum_of_equal_terms. intros j small_j. apply in_coordinates in small_j. unfold signs_p, flips.
      assert (place : (i * d + j < n * d)%nat) by nia.
      apply Nat.ltb_lt in place. rewrite place.
      replace ((i * d + j) mod d)%nat with j
        by (rewrite Nat.add_comm, Nat.mod_add by lia; symmetry; apply Nat.mod_small; assumption).
      unfold turn. specialize (same j small_j).
      destruct (Req_EM_T (y j) (y' j)) as [equal | different]; [rewrite equal; ring|].
      assert (opposite : y' j = - y j) by (revert same; unfold_distances).
      rewrite opposite. ring.
    - intros s s' equal. apply extensional. intros i _. unfold times. apply sum_of_equal_terms. intros j _.
      unfold signs_p. rewrite equal. reflexivity.
    - intros a. unfold flips, turn. destruct (Nat.ltb a (n * d)); [|auto].
      destruct (Req_EM_T _ _); auto.
    - intros a large. unfold flips. destruct (Nat.ltb_spec a (n * d)); [lia | reflexivity].
  Qed.

  Lemma lipschitz_objectives_read_n_coordinates : forall L f x x',
    lipschitz n (coordinates n) L f -> (forall i, (i < n)%nat -> x i = x' i) -> f (project x) = f (project x').
  Proof.
    intros L f x x' lip same.
    pose proof (lip (project x) (project x') (projection_lands_in_the_box n x) (projection_lands_in_the_box n x')) as bound.
    replace (norm (coordinates n) (minus (project x) (project x'))) with 0 in bound.
    - rewrite Rmult_0_r in bound. pose proof (Rabs_pos (f (project x) - f (project x'))).
      apply Rminus_diag_uniq. destruct (Req_dec (f (project x) - f (project x')) 0) as [zero | other]; [assumption|].
      apply Rabs_no_R0 in other. lra.
    - unfold norm, square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
      + rewrite sum_of_a_constant, Rmult_0_r, sqrt_0. reflexivity.
      + intros i inside. apply in_coordinates in inside. unfold minus, project. rewrite same by assumption. ring.
  Qed.

  (** Claim [radial-collapse]. For a random sign matrix the law of an observation g_P(y) depends on |y_1|, ..., |y_d|
      alone. *)
  Theorem law_of_an_observation_depends_on_absolute_values : forall L f y y',
    lipschitz n (coordinates n) L f -> (forall j, (j < d)%nat -> Rabs (y j) = Rabs (y' j)) ->
    forall X, E (observation f y) X = E (observation f y') X.
  Proof.
    intros L f y y' lip same X.
    apply (law_of_a_sign_matrix_depends_on_absolute_values (fun x => X (f (project x)))); [|assumption].
    intros x x' equal. f_equal. eapply lipschitz_objectives_read_n_coordinates; eassumption.
  Qed.

End SignMatrices.

(** Claim [radial-collapse]. In dimension d = 1 the law of an observation depends on ||y|| alone, so the hypothesis of
    [rules_of_equal_norms_have_equal_laws] holds for sign matrices. *)
Theorem sign_matrices_collapse_in_dimension_1 : forall n L f, lipschitz n (coordinates n) L f ->
  forall y y', norm (coordinates 1) y = norm (coordinates 1) y' ->
  forall X, E (observation n 1 f y) X = E (observation n 1 f y') X.
Proof.
  intros n L f lip y y' same X. eapply law_of_an_observation_depends_on_absolute_values; [eassumption|].
  intros j small. replace j with 0%nat by lia.
  assert (reads : forall z, norm (coordinates 1) z = Rabs (z 0%nat)).
  { intros z. unfold norm, square_norm. cbn [coordinates seq sum].
    replace (z 0%nat ^ 2 + 0) with (Rsqr (z 0%nat)) by (unfold Rsqr; ring). apply sqrt_Rsqr_abs. }
  rewrite <- !reads. assumption.
Qed.

(** Claim [radial-collapse]. In dimension d = 1 sign matrices satisfy the hypothesis of
    [reflection_invariance_gives_radial_collapse]. *)
Theorem sign_matrices_are_reflection_invariant_in_dimension_1 : forall n (v : vector) (F : matrix -> R),
  (forall B B', (forall i j, (i < n)%nat -> (j < 1)%nat -> B i j = B' i j) -> F B = F B') ->
  E (signs_expectation n 1) (fun w => F (reflected 1 v (signs_p n 1 w)))
  = E (signs_expectation n 1) (fun w => F (signs_p n 1 w)).
Proof.
  intros n v F extensional.
  assert (entry : forall B i, times 1 B v i = B i 0%nat * v 0%nat)
    by (intros; unfold times; cbn [coordinates seq sum]; ring).
  assert (square : square_norm (coordinates 1) v = v 0%nat ^ 2)
    by (unfold square_norm; cbn [coordinates seq sum]; ring).
  destruct (Req_dec (v 0%nat) 0) as [zero | other].
  - apply E_same. intros w. apply extensional. intros i j _ small. replace j with 0%nat by lia.
    unfold reflected. rewrite zero. ring.
  - cbn [E signs_expectation fair_signs].
    set (flips := fun a => if Nat.ltb a (n * 1 + n * 1) then -1 else 1).
    rewrite <- (flipping_signs_keeps_the_mean (n * 1 + n * 1) flips (fun w => F (signs_p n 1 w))).
    + apply average_of_equals. intros w. apply extensional. intros i j small_i small. replace j with 0%nat by lia.
      unfold reflected. rewrite entry, square. unfold signs_p, flips.
      destruct (Nat.ltb_spec (i * 1 + 0) (n * 1 + n * 1)); [|lia].
      replace (/ sqrt (INR n) * (-1 * w (i * 1 + 0)%nat)) with (- (/ sqrt (INR n) * w (i * 1 + 0)%nat)) by ring.
      generalize (/ sqrt (INR n) * w (i * 1 + 0)%nat). intros c. field. assumption.
    + intros s s' same. apply extensional. intros i j _ _. unfold signs_p. rewrite same. reflexivity.
    + intros a. unfold flips. destruct (Nat.ltb a (n * 1 + n * 1)); auto.
    + intros a large. unfold flips. destruct (Nat.ltb_spec a (n * 1 + n * 1)); [lia | reflexivity].
Qed.
