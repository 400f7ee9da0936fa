(** * Radial collapse in dimension 2: an instance

    The law of A y, A a matrix of independent fair signs, does not change when the two coordinates of y are exchanged or
    turned to their opposites.  On the 81 nodes of depth 4 (K = 3, d = 2) two base points of equal norm differ in nothing
    else, so on these nodes the hypothesis of [rules_of_equal_norms_have_equal_laws] holds. *)

From Coq Require Import List Arith ZArith Bool Reals Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Vectors Expectation Moments SignMatrices Ceiling Collapse
  Cells NormIsEuclidean.
From EmbeddedHunter Require Norms.
Import ListNotations.
Local Open Scope R_scope.

(** ** Exchanging signs *)

Definition exchange (a : nat) (s : nat -> R) (i : nat) : R :=
  if Nat.eqb i a then s (S a) else if Nat.eqb i (S a) then s a else s i.

Lemma exchanging_signs_keeps_the_mean : forall m a X,
  (forall s s', (forall i, s i = s' i) -> X s = X s') -> (S a < m)%nat ->
  average m (fun s => X (exchange a s)) = average m X.
Proof.
  induction m; intros a X extensional small; [lia|]. cbn [average].
  destruct (Nat.eq_dec (S a) m) as [last | inner].
  - subst m. cbn [average].
    assert (turn : forall c c',
      average a (fun s => X (exchange a (fun i => if Nat.eqb i (S a) then c else if Nat.eqb i a then c' else s i)))
      = average a (fun s => X (fun i => if Nat.eqb i (S a) then c' else if Nat.eqb i a then c else s i))).
    { intros c c'. apply average_of_equals. intros s. apply extensional. intros i. unfold exchange.
      rewrite !Nat.eqb_refl. destruct (Nat.eqb_spec i a) as [-> | other].
      - destruct (Nat.eqb_spec a (S a)); [lia | reflexivity].
      - destruct (Nat.eqb_spec i (S a)) as [-> | other'].
        + destruct (Nat.eqb_spec a (S a)); [lia | reflexivity].
        + reflexivity. }
    rewrite !turn. lra.
  - assert (half : forall c, average m (fun s => X (exchange a (fun i => if Nat.eqb i m then c else s i)))
                             = average m (fun s => X (fun i => if Nat.eqb i m then c else s i))).
    { intros c. rewrite <- (IHm a (fun s => X (fun i => if Nat.eqb i m then c else s i))); [| |lia].
      - apply average_of_equals. intros s. apply extensional. intros i. unfold exchange.
        destruct (Nat.eqb_spec i a) as [-> | other].
        + destruct (Nat.eqb_spec a m); [lia|]. destruct (Nat.eqb_spec (S a) m); [lia | reflexivity].
        + destruct (Nat.eqb_spec i (S a)) as [-> | other'].
          * destruct (Nat.eqb_spec (S a) m); [lia|]. destruct (Nat.eqb_spec a m); [lia | reflexivity].
          * reflexivity.
      - intros s s' same. apply extensional. intros i. destruct (Nat.eqb i m); [reflexivity | apply same]. }
    rewrite !half. reflexivity.
Qed.

(** The two columns of an n x 2 matrix of signs exchanged. *)
Fixpoint columns (n : nat) (s : nat -> R) : nat -> R :=
  match n with
  | O => s
  | S n' => columns n' (exchange (n' * 2) s)
  end.

Lemma columns_beyond n : forall s i, (n * 2 <= i)%nat -> columns n s i = s i.
Proof.
  induction n; intros s i large; cbn [columns]; [reflexivity|]. rewrite IHn by lia. unfold exchange.
  destruct (Nat.eqb_spec i (n * 2)); [lia|]. destruct (Nat.eqb_spec i (S (n * 2))); [lia | reflexivity].
Qed.

Lemma columns_are_exchanged n : forall s i, (i < n)%nat ->
  columns n s (i * 2 + 0)%nat = s (i * 2 + 1)%nat /\ columns n s (i * 2 + 1)%nat = s (i * 2 + 0)%nat.
Proof.
  induction n; intros s i small; [lia|]. cbn [columns].
  destruct (Nat.eq_dec i n) as [-> | other].
  - rewrite !columns_beyond by lia. unfold exchange.
    replace (n * 2 + 0)%nat with (n * 2)%nat by lia. replace (n * 2 + 1)%nat with (S (n * 2)) by lia.
    rewrite !Nat.eqb_refl. destruct (Nat.eqb_spec (S (n * 2)) (n * 2)); [lia|]. split; reflexivity.
  - destruct (IHn (exchange (n * 2) s) i ltac:(lia)) as [-> ->]. unfold exchange.
    destruct (Nat.eqb_spec (i * 2 + 1) (n * 2)); [lia|]. destruct (Nat.eqb_spec (i * 2 + 1) (S (n * 2))); [lia|].
    destruct (Nat.eqb_spec (i * 2 + 0) (n * 2)); [lia|]. destruct (Nat.eqb_spec (i * 2 + 0) (S (n * 2))); [lia|].
    split; reflexivity.
Qed.

Lemma columns_of_equals n : forall s s', (forall i, s i = s' i) -> forall i, columns n s i = columns n s' i.
Proof.
  induction n; intros s s' same i; cbn [columns]; [apply same|]. apply IHn. intros j. unfold exchange.
  now rewrite !same.
Qed.

Lemma exchanging_columns_keeps_the_mean : forall n m X,
  (forall s s', (forall i, s i = s' i) -> X s = X s') -> (n * 2 <= m)%nat ->
  average m (fun s => X (columns n s)) = average m X.
Proof.
  induction n; intros m X extensional small; cbn [columns]; [reflexivity|].
  rewrite (exchanging_signs_keeps_the_mean m (n * 2) (fun s => X (columns n s))); [|  |lia].
  - apply IHn; [assumption | lia].
  - intros s s' same. apply extensional. now apply columns_of_equals.
Qed.

(** ** The law of an observation *)

Definition exchanged (y : vector) : vector := fun j => if Nat.eqb j 0 then y 1%nat else y 0%nat.

Lemma law_of_an_exchanged_point : forall n L f y, lipschitz n (coordinates n) L f ->
  forall X, E (observation n 2 f (exchanged y)) X = E (observation n 2 f y) X.
Proof.
  intros n L f y lip X. unfold observation, image. cbn [E signs_expectation fair_signs].
  rewrite <- (exchanging_columns_keeps_the_mean n (n * 2 + n * 2)
    (fun s => X (embedded f 2 (signs_p n 2 s) y))); [| |lia].
  - apply average_of_equals. intros s. f_equal. unfold embedded.
    eapply lipschitz_objectives_read_n_coordinates; [eassumption|]. intros i small.
    unfold times. cbn [coordinates seq sum]. unfold signs_p, exchanged. cbn [Nat.eqb].
    destruct (columns_are_exchanged n s i small) as [-> ->]. ring.
  - intros s s' same. f_equal. unfold embedded.
    eapply lipschitz_objectives_read_n_coordinates; [eassumption|]. intros i small.
    unfold times. apply sum_of_equal_terms. intros j _. unfold signs_p. now rewrite same.
Qed.

(** ** The nodes of depth 4 *)

Lemma at_most_4 : forall x, (Z.abs x <= 4)%Z -> In (Z.to_nat (Z.abs x)) (seq 0 5).
Proof. intros x H. apply in_seq. lia. Qed.

Lemma two_squares : forall a b c e : Z, (Z.abs a <= 4 -> Z.abs b <= 4 -> Z.abs c <= 4 -> Z.abs e <= 4 ->
  a ^ 2 + b ^ 2 = c ^ 2 + e ^ 2 ->
  (Z.abs a = Z.abs c /\ Z.abs b = Z.abs e) \/ (Z.abs a = Z.abs e /\ Z.abs b = Z.abs c))%Z.
Proof.
  assert (check : forallb (fun a => forallb (fun b => forallb (fun c => forallb (fun e =>
    negb (a * a + b * b =? c * c + e * e)%nat || (a =? c)%nat && (b =? e)%nat || (a =? e)%nat && (b =? c)%nat)
    (seq 0 5)) (seq 0 5)) (seq 0 5)) (seq 0 5) = true) by (vm_compute; reflexivity).
  intros a b c e A B C D H.
  rewrite forallb_forall in check. specialize (check _ (at_most_4 a A)).
  rewrite forallb_forall in check. specialize (check _ (at_most_4 b B)).
  rewrite forallb_forall in check. specialize (check _ (at_most_4 c C)).
  rewrite forallb_forall in check. specialize (check _ (at_most_4 e D)).
  rewrite !orb_true_iff, !andb_true_iff, negb_true_iff, !Nat.eqb_eq, Nat.eqb_neq in check.
  pose proof (Z.abs_nonneg a) as Pa. pose proof (Z.abs_nonneg b) as Pb.
  pose proof (Z.abs_nonneg c) as Pc. pose proof (Z.abs_nonneg e) as Pe.
  destruct check as [[check | [E1 E2]] | [E1 E2]].
  - exfalso. apply check. apply Nat2Z.inj. rewrite !Nat2Z.inj_add, !Nat2Z.inj_mul, !Z2Nat.id by assumption.
    rewrite <- !Z.abs_mul, !(Z.abs_eq (_ * _)) by apply Z.square_nonneg. rewrite <- !Z.pow_2_r. exact H.
  - left. split; apply Z2Nat.inj; assumption.
  - right. split; apply Z2Nat.inj; assumption.
Qed.

(** Claim [radial-collapse]. On the 81 nodes of depth 4 in dimension d = 2, K = 3, the law of an observation through a
    matrix of independent fair signs depends on the norm of the base point alone. *)
Theorem sign_matrices_collapse_on_a_lattice_of_dimension_2 : forall n L f radius, 0 < radius ->
  lipschitz n (coordinates n) L f ->
  forall p q, node 1 p -> node 1 q -> length p = 4%nat -> length q = 4%nat ->
  norm (coordinates 2) (base_point 1 2 radius p) = norm (coordinates 2) (base_point 1 2 radius q) ->
  forall X, E (observation n 2 f (base_point 1 2 radius p)) X = E (observation n 2 f (base_point 1 2 radius q)) X.
Proof.
  intros n L f radius radius_pos lip p q Vp Vq Lp Lq same X.
  apply (equal_integers_are_equal_Euclidean_norms 1 2 radius) in same; [|lia | assumption | congruence].
  rewrite !(Norms.Nrm_is 1 2) in same by lia. rewrite Lp, Lq in same. cbn [Norms.sum_below] in same.
  change (rounds 2 4 - splits 2 4 0)%nat with 0%nat in same. change (rounds 2 4 - splits 2 4 1)%nat with 0%nat in same.
  rewrite pw_0, !Z.mul_1_r, !Z.add_0_l in same.
  assert (range : forall r j, node 1 r -> length r = 4%nat -> (j < 2)%nat -> (Z.abs (num 1 2 r j) <= 4)%Z).
  { intros r j Vr Lr small.
    pose proof (numerators_are_in_the_centered_range 1 2 ltac:(lia) r j Vr small) as bound. rewrite Lr in bound.
    destruct j as [|[|j]]; [| |lia].
    - change (pw 1 (splits 2 4 0)) with 9%Z in bound. lia.
    - change (pw 1 (splits 2 4 1)) with 9%Z in bound. lia. }
  assert (point : forall r j, length r = 4%nat -> (j < 2)%nat ->
    base_point 1 2 radius r j = 2 * radius * IZR (num 1 2 r j) / 9).
  { intros r j Lr small. unfold base_point, power. rewrite Lr. destruct j as [|[|j]]; [| |lia].
    - change (pw 1 (splits 2 4 0)) with 9%Z. reflexivity.
    - change (pw 1 (splits 2 4 1)) with 9%Z. reflexivity. }
  assert (absolute : forall r r' j j', length r = 4%nat -> length r' = 4%nat -> (j < 2)%nat -> (j' < 2)%nat ->
    Z.abs (num 1 2 r j) = Z.abs (num 1 2 r' j') -> Rabs (base_point 1 2 radius r j) = Rabs (base_point 1 2 radius r' j')).
  { intros r r' j j' Lr Lr' Hj Hj' H. rewrite !point by assumption.
    unfold Rdiv. rewrite !Rabs_mult, <- !abs_IZR, H. reflexivity. }
  destruct (two_squares _ _ _ _ (range p 0%nat Vp Lp ltac:(lia)) (range p 1%nat Vp Lp ltac:(lia))
    (range q 0%nat Vq Lq ltac:(lia)) (range q 1%nat Vq Lq ltac:(lia)) same) as [[E0 E1] | [E0 E1]].
  - eapply law_of_an_observation_depends_on_absolute_values; [eassumption|].
    intros j small. destruct j as [|[|j]]; [| |lia]; apply absolute; auto.
  - rewrite <- (law_of_an_exchanged_point n L f (base_point 1 2 radius q) lip X).
    eapply law_of_an_observation_depends_on_absolute_values; [eassumption|].
    intros j small. unfold exchanged. destruct j as [|[|j]]; [| |lia]; cbn [Nat.eqb]; apply absolute; auto.
Qed.

(** Claim [radial-collapse]. So two rules that choose among these nodes, with equal norms after equal histories, have equal
    laws of observations: the hypothesis of [rules_of_equal_norms_have_equal_laws] has an instance with d = 2. *)
Theorem radial_collapse_has_an_instance_in_dimension_2 : forall n L f radius, 0 < radius ->
  lipschitz n (coordinates n) L f ->
  let law (p : {p : path | node 1 p /\ length p = 4%nat}) := observation n 2 f (base_point 1 2 radius (proj1_sig p)) in
  let norm_of (p : {p : path | node 1 p /\ length p = 4%nat}) := norm (coordinates 2) (base_point 1 2 radius (proj1_sig p)) in
  forall r r', (forall history, norm_of (r history) = norm_of (r' history)) ->
  forall v F, mean_of_run law v r F = mean_of_run law v r' F.
Proof.
  intros n L f radius radius_pos lip law norm_of r r' same v F.
  apply (rules_of_equal_norms_have_equal_laws law norm_of); [|exact same].
  intros [p [Vp Lp]] [q [Vq Lq]]. unfold norm_of, law. cbn [proj1_sig]. intros equal X.
  eapply sign_matrices_collapse_on_a_lattice_of_dimension_2; eassumption.
Qed.
