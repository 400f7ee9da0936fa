(** * With Gaussian matrices the means of a continuous rule exist

    If a rule chooses its next point as a continuous function of its history, every continuous bounded function of
    the history has a mean.  This is an instance of the hypothesis [has_means] for Gaussian matrices.  The rule may
    adapt to all that it has seen. *)

From Coq Require Import List Arith Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Vectors Expectation Independent Ceiling ContinuousOnBoxes
  GaussExpectation GaussVectors GaussFresh.
Import ListNotations.
Local Open Scope R_scope.

(** ** Continuous functions of n coordinates, composed *)

(** Being near x in the first n coordinates, as a filter: continuity is convergence along it. *)
Definition near_in (n : nat) (x : vector) (P : vector -> Prop) : Prop :=
  exists delta : posreal, forall x', (forall i, (i < n)%nat -> Rabs (x' i - x i) < delta) -> P x'.

Global Instance near_in_is_a_filter : forall n x, Filter (near_in n x).
Proof.
  intros n x. constructor.
  - exists (mkposreal 1 Rlt_0_1). trivial.
  - intros P Q [delta p] [delta' q].
    exists (mkposreal (Rmin delta delta') (Rmin_stable_in_posreal delta delta')). cbn [pos]. intros x' close. split.
    + apply p. intros i small. eapply Rlt_le_trans; [apply close; assumption | apply Rmin_l].
    + apply q. intros i small. eapply Rlt_le_trans; [apply close; assumption | apply Rmin_r].
  - intros P Q implies [delta p]. exists delta. auto.
Qed.

Lemma continuity_is_convergence : forall n F,
  continuous_in n F <-> forall x, filterlim F (near_in n x) (locally (F x)).
Proof.
  intros n F. split.
  - intros cont x. apply filterlim_locally. intros eps. destruct (cont x eps (cond_pos eps)) as (delta & some & near).
    exists (mkposreal delta some). exact near.
  - intros limit x eps positive. specialize (limit x). apply filterlim_locally with (eps := mkposreal eps positive) in limit.
    destruct limit as [delta near]. exists delta. split; [apply cond_pos | exact near].
Qed.

Lemma continuous_in_product : forall n F G, continuous_in n F -> continuous_in n G -> continuous_in n (fun x => F x * G x).
Proof.
  intros n F G cont_F cont_G. apply continuity_is_convergence. intros x.
  apply (filterlim_comp_2 (G := locally (F x)) (H := locally (G x))); [| | apply (filterlim_mult (K := R_AbsRing))];
    apply continuity_is_convergence; assumption.
Qed.

Lemma finitely_many_are_near : forall n m (g : vector -> vector) x delta, 0 < delta ->
  (forall j, (j < m)%nat -> continuous_in n (fun x => g x j)) ->
  near_in n x (fun x' => forall j, (j < m)%nat -> Rabs (g x' j - g x j) < delta).
Proof.
  intros n m g x delta some cont. induction m as [|m IH].
  - exists (mkposreal 1 Rlt_0_1). intros; lia.
  - apply (filter_imp (fun x' => (forall j, (j < m)%nat -> Rabs (g x' j - g x j) < delta) /\ Rabs (g x' m - g x m) < delta)).
    + intros x' [before last] j small. destruct (Nat.eq_dec j m); [subst; assumption | apply before; lia].
    + apply filter_and; [apply IH; intros; apply cont; lia|].
      destruct (cont m ltac:(lia) x delta some) as (d' & some' & near). exists (mkposreal d' some'). exact near.
Qed.

(** Coordinate by coordinate. *)
Lemma continuous_in_composition : forall n m F (g : vector -> vector),
  (forall j, (j < m)%nat -> continuous_in n (fun x => g x j)) -> continuous_in m F -> continuous_in n (fun x => F (g x)).
Proof.
  intros n m F g cont cont_F x eps positive. destruct (cont_F (g x) eps positive) as (delta & some & near).
  destruct (finitely_many_are_near n m g x delta some cont) as [delta' close].
  exists delta'. split; [apply cond_pos|]. intros x' small. apply near, close, small.
Qed.

Lemma coordinate_is_continuous : forall n j, (j < n)%nat -> continuous_in n (fun x => x j).
Proof. intros n j small x eps positive. exists eps. split; [assumption|]. intros x' near. apply near. assumption. Qed.

Lemma continuous_in_more_coordinates : forall n m F, (n <= m)%nat -> continuous_in n F -> continuous_in m F.
Proof.
  intros n m F below cont x eps positive. destruct (cont x eps positive) as (delta & some & near).
  exists delta. split; [assumption|]. intros x' close. apply near. intros i small. apply close. lia.
Qed.

Lemma constant_is_continuous_in : forall n c, continuous_in n (fun _ => c).
Proof. intros n c x eps positive. exists 1. split; [lra|]. intros. rewrite Rminus_eq_0, Rabs_R0. assumption. Qed.

Lemma norm_is_continuous : forall d, continuous_in d (norm (coordinates d)).
Proof.
  intros d x eps positive. set (c := sqrt (INR (length (coordinates d)))). assert (0 <= c) by apply sqrt_pos.
  assert (distance : 0 < eps / (c + 1)) by (apply Rdiv_lt_0_compat; lra). exists (eps / (c + 1)). split; [assumption|].
  intros x' near. apply Rle_lt_trans with (c * (eps / (c + 1))).
  - eapply Rle_trans; [apply norm_triangle|]. apply norm_below_coordinates; [lra|].
    intros i inside. apply Rlt_le, near, in_coordinates. assumption.
  - replace (c * (eps / (c + 1))) with (eps - eps / (c + 1)) by (field; lra). lra.
Qed.

Lemma continuous_in_ext : forall n F G, (forall x, F x = G x) -> continuous_in n F -> continuous_in n G.
Proof.
  intros n F G same cont x eps positive. destruct (cont x eps positive) as (delta & some & near). exists delta.
  split; [assumption|]. intros x' close. rewrite <- !same. apply near. assumption.
Qed.

(** ** A mean over n normals, with k parameters *)

(** The parameters u_0, ..., u_(k-1), then z_0, z_1, ... *)
Definition join (k : nat) (u z : vector) : vector := fun i => if Nat.ltb i k then u i else z (i - k)%nat.

Lemma mean_with_parameters_is_continuous : forall n k H, bounded H -> uniformly_continuous_in (k + n) H ->
  continuous_in k (fun u => E (normal_vector n) (fun z => H (join k u z))).
Proof.
  induction n; intros k H bound cont.
  - rewrite Nat.add_0_r in cont. apply uniformly_continuous_is_continuous in cont. cbn [E normal_vector draws certain].
    apply (continuous_in_composition k k H (fun u => join k u (fun _ => 0))); [|assumption].
    intros j small. unfold join. destruct (Nat.ltb_spec j k); [apply coordinate_is_continuous; assumption | lia].
  - rewrite Nat.add_succ_r in cont.
    apply (continuous_in_ext k (fun u => E (normal_vector n) (fun z => mean_over_the_last (k + n) H (join k u z)))).
    + intros u. rewrite normal_vector_mean. apply E_same. intros z. apply E_same. intros a.
      apply (continuous_functions_read_n_coordinates _ _ (uniformly_continuous_is_continuous _ _ cont)).
      intros i _. unfold extend, join.
      destruct (Nat.eqb_spec i (k + n)), (Nat.ltb_spec i k), (Nat.eqb_spec (i - k) n); reflexivity || lia.
    + apply IHn; [apply mean_over_the_last_is_bounded | apply mean_over_the_last_is_continuous]; assumption.
Qed.

(** ** Rules *)

(** The history u_0, ..., u_(k-1), the latest observation first. *)
Fixpoint history_of (k : nat) (u : vector) : list R :=
  match k with
  | O => []
  | S k' => u k' :: history_of k' u
  end.

Lemma history_reads_k_observations : forall k u u', (forall i, (i < k)%nat -> u i = u' i) -> history_of k u = history_of k u'.
Proof.
  induction k; intros u u' same; cbn [history_of]; [reflexivity|].
  rewrite (same k) by lia. rewrite (IHk u u') by (intros; apply same; lia). reflexivity.
Qed.

Lemma history_of_an_extended : forall k u o, history_of (S k) (extend k u o) = o :: history_of k u.
Proof.
  intros. cbn [history_of]. rewrite extend_here. f_equal. apply history_reads_k_observations.
  intros i small. apply extend_elsewhere. assumption.
Qed.

Lemma every_list_is_a_history : forall past, exists u, past = history_of (length past) u.
Proof.
  induction past as [|o past [u same]]; [exists (fun _ => 0); reflexivity|].
  exists (extend (length past) u o). cbn [length]. rewrite history_of_an_extended, <- same. reflexivity.
Qed.

(** A function of the history is continuous if it is for every length of the history. *)
Definition continuous_in_the_history (F : list R -> R) : Prop := forall k, continuous_in k (fun u => F (history_of k u)).

Section ContinuousRule.

  Variables (n d : nat) (sigma : R) (f : continuous_objective n).
  Variables (r : list R -> vector) (F : list R -> R) (M : R).
  Hypothesis r_is_continuous : forall j, (j < d)%nat -> continuous_in_the_history (fun history => r history j).
  Hypothesis F_is_continuous : continuous_in_the_history F.
  Hypothesis F_is_bounded : forall history, Rabs (F history) <= M.

  Let law := observation_at n d sigma f.

  Lemma mean_after_is_continuous : forall v k,
    continuous_in k (fun u => mean_after law v r (history_of k u) F) /\
    forall u, Rabs (mean_after law v r (history_of k u) F) <= M.
  Proof.
    induction v; intros k; [split; [apply F_is_continuous | intros; apply F_is_bounded]|].
    destruct (IHv (S k)) as [cont bound]. set (G := fun w => mean_after law v r (history_of (S k) w) F) in *.
    pose proof (heine _ _ cont) as uniform.
    assert (bounded_G : bounded G) by (exists M; exact bound).
    (* The mean over the next observation, the history being u. *)
    assert (next : forall u o, mean_after law v r (o :: history_of k u) F = G (extend k u o)).
    { intros u o. unfold G. rewrite history_of_an_extended. reflexivity. }
    assert (cont_next : forall u o, continuous (fun o => G (extend k u o)) o).
    { intros u o. apply (continuous_in_the_last_coordinate k G uniform). }
    set (rho := fun u => sigma * norm (coordinates d) (r (history_of k u))).
    set (H := fun w => G (extend k w (f (project (multiple (rho w) (fun i => w (k + i)%nat)))))).
    assert (value : forall u, mean_after law (S v) r (history_of k u) F = E (normal_vector n) (fun z => H (join k u z))).
    { intros u. transitivity (E (law (r (history_of k u))) (fun o => G (extend k u o))); [apply E_same, next|].
      transitivity (E (observation_at_radius n f (rho u)) (fun o => G (extend k u o)));
        [exact (law_of_an_observation_is_radial n d sigma f (r (history_of k u)) _ (cont_next u))|].
      apply (E_same _ (normal_vector n)). intros z. unfold H.
      assert (same : history_of k (join k u z) = history_of k u).
      { apply history_reads_k_observations. intros i small. unfold join. destruct (Nat.ltb_spec i k); [reflexivity | lia]. }
      assert (radius : rho (join k u z) = sigma * norm (coordinates d) (r (history_of k u))) by (unfold rho; rewrite same; reflexivity).
      rewrite radius. apply (continuous_functions_read_n_coordinates (S k) G cont). intros i small. unfold extend.
      destruct (Nat.eqb_spec i k).
      - apply (continuous_functions_read_n_coordinates n (fun x => f (project x)) (continuous_after_projection n f (objective_is_continuous n f))).
        intros j _. unfold multiple, join. destruct (Nat.ltb_spec (k + j) k); [lia|].
        replace (k + j - k)%nat with j by lia. reflexivity.
      - unfold join. destruct (Nat.ltb_spec i k); [reflexivity | lia]. }
    assert (cont_H : continuous_in (k + n) H).
    { apply (continuous_in_composition (k + n) (S k) G (fun w => extend k w (f (project (multiple (rho w) (fun i => w (k + i)%nat))))));
        [|assumption].
      intros j small. unfold extend. destruct (Nat.eqb_spec j k); [|apply coordinate_is_continuous; lia].
      apply (continuous_in_composition (k + n) n (fun x => f (project x)) (fun w => multiple (rho w) (fun i => w (k + i)%nat)));
        [|apply continuous_after_projection, objective_is_continuous].
      intros i small_i. unfold multiple. apply continuous_in_product; [|apply coordinate_is_continuous; lia].
      unfold rho. apply continuous_in_product; [apply constant_is_continuous_in|].
      apply (continuous_in_composition (k + n) d (norm (coordinates d)) (fun w => r (history_of k w))); [|apply norm_is_continuous].
      intros l small_l. apply (continuous_in_more_coordinates k); [lia|]. apply (r_is_continuous l small_l k). }
    assert (bounded_H : bounded H) by (exists M; intros w; apply bound).
    split.
    - apply (continuous_in_ext k (fun u => E (normal_vector n) (fun z => H (join k u z)))); [intros; symmetry; apply value|].
      apply mean_with_parameters_is_continuous; [assumption | apply heine; assumption].
    - intros u. cbn [mean_after]. rewrite (E_same _ (law (r (history_of k u))) _ _ (next u)).
      apply (GaussContinuous.mean_is_bounded (law (r (history_of k u)))); [exact (cont_next u) | intros o; apply bound].
  Qed.

  (** Claim [radial-collapse]. With Gaussian matrices and a continuous f, the means of every rule exist that
      chooses its next point as a continuous function of the history, for every continuous bounded function of the
      history. *)
  Theorem continuous_rules_have_means_with_gaussian_matrices : has_means law r F.
  Proof.
    intros v past o. destruct (every_list_is_a_history past) as [u same]. rewrite same. set (k := length past).
    destruct (mean_after_is_continuous v (S k)) as [cont _].
    apply (continuous_ext (fun o => mean_after law v r (history_of (S k) (extend k u o)) F)).
    - intros x. rewrite history_of_an_extended. reflexivity.
    - apply (continuous_in_the_last_coordinate k _ (heine _ _ cont)).
  Qed.

End ContinuousRule.
