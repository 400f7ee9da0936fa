(** * Continuous functions of n coordinates, and of the points of the box

    A function of vectors is continuous in the first n coordinates if it changes little whenever these change little.
    It then depends on no other coordinate.  By the theorem of Heine it is uniformly continuous on every box
    [-rho, rho]^n: this is the form in which the proofs use it. *)

From Coq Require Import List Arith Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot Markov Compactness.
From EmbeddedHunter Require Import Vectors.
Local Open Scope R_scope.

Definition bounded (F : vector -> R) : Prop := exists M, forall x, Rabs (F x) <= M.

Definition continuous_in (n : nat) (F : vector -> R) : Prop :=
  forall x eps, 0 < eps -> exists delta, 0 < delta /\
    forall x', (forall i, (i < n)%nat -> Rabs (x' i - x i) < delta) -> Rabs (F x' - F x) < eps.

Definition uniformly_continuous_in (n : nat) (F : vector -> R) : Prop :=
  forall rho eps, 0 < eps -> exists delta, 0 < delta /\
    forall x x', (forall i, (i < n)%nat -> Rabs (x i) <= rho /\ Rabs (x' i) <= rho /\ Rabs (x' i - x i) < delta) ->
    Rabs (F x' - F x) < eps.

(** Finitely many coordinates are bounded. *)
Lemma coordinates_are_bounded : forall n (x : vector), exists rho, 0 <= rho /\ forall i, (i < n)%nat -> Rabs (x i) <= rho.
Proof.
  intros n x. exists (sum (coordinates n) (fun i => Rabs (x i))). split.
  - apply sum_is_nonnegative. intros. apply Rabs_pos.
  - intros i small. apply (sum_contains_each_term _ _ (fun i => Rabs (x i)));
      [intros; apply Rabs_pos | apply in_coordinates; assumption].
Qed.

Lemma uniformly_continuous_is_continuous : forall n F, uniformly_continuous_in n F -> continuous_in n F.
Proof.
  intros n F uniform x eps positive. destruct (coordinates_are_bounded n x) as (rho & _ & bound).
  destruct (uniform (rho + 1) eps positive) as (delta & some & near). exists (Rmin delta 1).
  split; [apply Rmin_glb_lt; lra|]. intros x' close. apply near. intros i small. specialize (close i small).
  pose proof (Rmin_l delta 1). pose proof (Rmin_r delta 1). specialize (bound i small).
  assert (distance : Rabs (x' i - x i) < 1) by lra. apply Rabs_le_between in bound. apply Rabs_def2 in distance.
  repeat split; [| |lra]; apply Rabs_le_between; lra.
Qed.

Lemma continuous_functions_read_n_coordinates : forall n F, continuous_in n F ->
  forall x x', (forall i, (i < n)%nat -> x i = x' i) -> F x = F x'.
Proof.
  intros n F cont x x' same. symmetry. apply cond_eq. intros eps positive.
  destruct (cont x eps positive) as (delta & some & near). apply near. intros i small.
  rewrite same, Rminus_eq_0, Rabs_R0 by assumption. assumption.
Qed.

(** If all coordinates are at most eta in size, the norm is at most sqrt(|S|) eta. *)
Lemma norm_below_coordinates : forall S x eta, 0 <= eta -> (forall i, In i S -> Rabs (x i) <= eta) ->
  norm S x <= sqrt (INR (length S)) * eta.
Proof.
  intros S x eta positive below. apply Rle_trans with (norm S (fun _ => eta)).
  - apply norm_is_monotone. intros i inside. apply smaller_distance_smaller_square.
    rewrite (Rabs_right eta) by lra. apply below. assumption.
  - unfold norm, square_norm. rewrite sum_of_a_constant, sqrt_mult, sqrt_pow2 by (apply pos_INR || apply pow2_ge_0 || assumption).
    apply Rle_refl.
Qed.

(** ** The theorem of Heine *)

(** The n-tuple of the first n coordinates, and back. *)
Fixpoint tuple (n : nat) (x : vector) : Tn n R :=
  match n with
  | O => tt
  | S n' => (x 0%nat, tuple n' (fun i => x (S i)))
  end.

Fixpoint from_tuple (n : nat) : Tn n R -> vector :=
  match n with
  | O => fun _ _ => 0
  | S n' => fun t i => match i with O => fst t | S i' => from_tuple n' (snd t) i' end
  end.

Lemma tuple_is_bounded : forall n rho x, (forall i, (i < n)%nat -> Rabs (x i) <= rho) ->
  bounded_n n (tuple n (fun _ => - rho)) (tuple n (fun _ => rho)) (tuple n x).
Proof.
  induction n; intros rho x bound; cbn; [trivial|]. split.
  - apply Rabs_le_between, bound. lia.
  - apply IHn. intros i small. apply bound. lia.
Qed.

Lemma close_tuples : forall n delta x t, close_n n delta (tuple n x) t ->
  forall i, (i < n)%nat -> Rabs (x i - from_tuple n t i) < delta.
Proof.
  induction n; intros delta x t close i small; [lia|]. destruct t as [a t]. cbn in close. destruct close as [first rest].
  destruct i; cbn; [assumption|]. apply (IHn delta (fun i => x (S i)) t rest). lia.
Qed.

Lemma heine : forall n F, continuous_in n F -> uniformly_continuous_in n F.
Proof.
  intros n F cont rho eps positive.
  (* A positive number for each point: within twice its distance F changes by less than eps/2. *)
  assert (gauge : forall t : Tn n R, {delta : posreal | forall x,
            (forall i, (i < n)%nat -> Rabs (x i - from_tuple n t i) < 2 * delta) -> Rabs (F x - F (from_tuple n t)) < eps / 2}).
  { intros t.
    destruct (LPO (fun m => forall x, (forall i, (i < n)%nat -> Rabs (x i - from_tuple n t i) < 2 * (/ (INR m + 1))) ->
                                      Rabs (F x - F (from_tuple n t)) < eps / 2)) as [[m found] | none].
    - intros. apply classic.
    - pose proof (pos_INR m). exists (mkposreal (/ (INR m + 1)) ltac:(apply Rinv_0_lt_compat; lra)). exact found.
    - exfalso. destruct (cont (from_tuple n t) (eps / 2) ltac:(lra)) as (delta & some & near).
      destruct (archimed_cor1 (delta / 2) ltac:(lra)) as (m & small & some_m). apply (none m).
      intros x close. apply near. intros i inside. eapply Rlt_le_trans; [apply close; assumption|].
      apply lt_0_INR in some_m. assert (/ (INR m + 1) <= / INR m) by (apply Rinv_le_contravar; lra). lra. }
  destruct (compactness_value n (tuple n (fun _ => - rho)) (tuple n (fun _ => rho)) (fun t => proj1_sig (gauge t)))
    as [delta cover].
  exists delta. split; [apply cond_pos|]. intros x x' near. apply Rnot_le_lt. intros large.
  apply (cover (tuple n x)); [apply tuple_is_bounded; apply near|].
  intros (t & _ & close & least). destruct (gauge t) as [radius good]. cbn [proj1_sig] in *.
  pose proof (close_tuples n radius x t close) as close_x.
  assert (first : Rabs (F x - F (from_tuple n t)) < eps / 2).
  { apply good. intros i small. specialize (close_x i small). pose proof (cond_pos radius). lra. }
  assert (second : Rabs (F x' - F (from_tuple n t)) < eps / 2).
  { apply good. intros i small. specialize (close_x i small). destruct (near i small) as (_ & _ & step).
    apply Rabs_def2 in close_x. apply Rabs_def2 in step. apply Rabs_def1; lra. }
  apply Rabs_def2 in first. apply Rabs_def2 in second. assert (Rabs (F x' - F x) < eps) by (apply Rabs_def1; lra). lra.
Qed.

(** ** Compositions *)

(** Each of the first m coordinates of g(x) changes by at most c times as much as some of the first n of x. *)
Definition lipschitz_map (n m : nat) (c : R) (g : vector -> vector) : Prop :=
  forall x x' eta, 0 <= eta -> (forall i, (i < n)%nat -> Rabs (x' i - x i) <= eta) ->
  forall j, (j < m)%nat -> Rabs (g x' j - g x j) <= c * eta.

Lemma composition_is_uniformly_continuous : forall n m c g F, 0 <= c ->
  lipschitz_map n m c g -> uniformly_continuous_in m F -> uniformly_continuous_in n (fun x => F (g x)).
Proof.
  intros n m c g F positive map uniform rho eps some.
  destruct (coordinates_are_bounded m (g (fun _ => 0))) as (rho' & _ & bound).
  destruct (uniform (rho' + c * Rabs rho) eps some) as (delta & some' & near).
  exists (delta / (c + 1)). assert (0 < delta / (c + 1)) by (apply Rdiv_lt_0_compat; lra). split; [assumption|].
  intros x x' inside. apply near. intros j small.
  assert (image_is_bounded : forall y, (forall i, (i < n)%nat -> Rabs (y i) <= rho) -> Rabs (g y j) <= rho' + c * Rabs rho).
  { intros y y_inside. specialize (bound j small).
    assert (step : Rabs (g y j - g (fun _ => 0) j) <= c * Rabs rho).
    { apply map; [apply Rabs_pos | | assumption]. intros i small_i. rewrite Rminus_0_r.
      eapply Rle_trans; [apply y_inside; assumption | apply Rle_abs]. }
    apply Rabs_le_between in bound. apply Rabs_le_between in step. apply Rabs_le_between. lra. }
  split; [apply image_is_bounded; apply inside|]. split; [apply image_is_bounded; apply inside|].
  apply Rle_lt_trans with (c * (delta / (c + 1))).
  - apply map; [lra | | assumption]. intros i small_i. apply Rlt_le, inside. assumption.
  - replace (c * (delta / (c + 1))) with (delta - delta / (c + 1)) by (field; lra). lra.
Qed.

(** ** Continuous objectives *)

(** f is continuous on X = [-1,1]^n. *)
Definition continuous_on_the_box (n : nat) (f : vector -> R) : Prop :=
  forall x eps, in_box n x -> 0 < eps -> exists delta, 0 < delta /\
    forall x', in_box n x' -> (forall i, (i < n)%nat -> Rabs (x' i - x i) < delta) -> Rabs (f x' - f x) < eps.

Record continuous_objective (n : nat) := {
  objective :> vector -> R;
  objective_is_continuous : continuous_on_the_box n objective
}.

Lemma clip_moves_no_points_apart : forall s t, Rabs (clip s - clip t) <= Rabs (s - t).
Proof. intros. apply Rsqr_le_abs_0. rewrite !Rsqr_pow2. apply clip_is_1_lipschitz. Qed.

(** So f(P_X(x)) is continuous on R^n. *)
Lemma continuous_after_projection : forall n f, continuous_on_the_box n f -> continuous_in n (fun x => f (project x)).
Proof.
  intros n f cont x eps positive.
  destruct (cont (project x) eps (projection_lands_in_the_box n x) positive) as (delta & some & near).
  exists delta. split; [assumption|]. intros x' close. apply near; [apply projection_lands_in_the_box|].
  intros i small. eapply Rle_lt_trans; [apply clip_moves_no_points_apart | apply close; assumption].
Qed.

(** It is bounded: from 0 one reaches P_X(x) in N steps, and no step changes f by more than 1. *)
Lemma bounded_after_projection : forall n f, continuous_on_the_box n f -> bounded (fun x => f (project x)).
Proof.
  intros n f cont. pose proof (continuous_after_projection n f cont) as continuous. set (g := fun x => f (project x)) in *.
  destruct (heine n g continuous 1 1 ltac:(lra)) as (delta & some & near).
  destruct (archimed_cor1 delta some) as (N & fine & some_N). assert (positive : 0 < INR N) by (apply lt_0_INR; assumption).
  exists (Rabs (g (fun _ => 0)) + INR N). intros x.
  set (path := fun k i => INR k / INR N * clip (x i)).
  assert (ratio : forall k, (k <= N)%nat -> 0 <= INR k / INR N <= 1).
  { intros k below. apply le_INR in below. pose proof (pos_INR k). split.
    - apply Rmult_le_pos; [assumption | apply Rlt_le, Rinv_0_lt_compat; assumption].
    - apply Rle_div_l; lra. }
  assert (inside : forall k i, (k <= N)%nat -> Rabs (path k i) <= 1).
  { intros k i below. specialize (ratio k below). unfold path. rewrite Rabs_mult, (Rabs_right (INR k / INR N)) by lra.
    pose proof (clip_lies_in_the_interval (x i)) as range. assert (Rabs (clip (x i)) <= 1) by (apply Rabs_le_between; lra).
    pose proof (Rabs_pos (clip (x i))). nra. }
  assert (steps : forall k, (k <= N)%nat -> Rabs (g (path k) - g (fun _ => 0)) <= INR k).
  { induction k; intros below.
    - right. replace (g (path 0%nat)) with (g (fun _ => 0)); [rewrite Rminus_eq_0, Rabs_R0; reflexivity|].
      apply (continuous_functions_read_n_coordinates n g continuous). intros i _. unfold path. simpl. unfold Rdiv. ring.
    - specialize (IHk ltac:(lia)). rewrite S_INR.
      assert (step : Rabs (g (path (S k)) - g (path k)) < 1).
      { apply near. intros i _. split; [apply inside; lia|]. split; [apply inside; assumption|].
        unfold path. rewrite S_INR. replace ((INR k + 1) / INR N * clip (x i) - INR k / INR N * clip (x i))
          with (/ INR N * clip (x i)) by (field; lra).
        rewrite Rabs_mult, (Rabs_right (/ INR N)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat; assumption).
        pose proof (clip_lies_in_the_interval (x i)) as range. assert (Rabs (clip (x i)) <= 1) by (apply Rabs_le_between; lra).
        assert (0 < / INR N) by (apply Rinv_0_lt_compat; assumption). nra. }
      apply Rabs_le_between in IHk. apply Rabs_def2 in step. apply Rabs_le_between. lra. }
  specialize (steps N (Nat.le_refl N)).
  assert (last : g (path N) = g x).
  { unfold g. symmetry. apply cond_eq. intros eps small.
    destruct (cont (project (path N)) eps (projection_lands_in_the_box n _) small) as (delta' & some' & near').
    apply near'; [apply projection_lands_in_the_box|]. intros i _. unfold project.
    replace (path N i) with (clip (x i)) by (unfold path; field; lra).
    rewrite (clip_is_the_identity_inside (clip (x i))) by apply clip_lies_in_the_interval.
    rewrite Rminus_eq_0, Rabs_R0. assumption. }
  rewrite last in steps. apply Rabs_le_between in steps. pose proof (Rle_abs (g (fun _ => 0))).
  pose proof (Rabs_maj2 (g (fun _ => 0))). apply Rabs_le_between. lra.
Qed.

(** A Lipschitz objective is continuous. *)
Lemma lipschitz_objectives_are_continuous : forall n S L f, 0 <= L -> (forall i, In i S -> (i < n)%nat) ->
  lipschitz n S L f -> continuous_on_the_box n f.
Proof.
  intros n S L f positive inside lip x eps in_x some. set (c := L * sqrt (INR (length S))).
  assert (0 <= c) by (apply Rmult_le_pos; [assumption | apply sqrt_pos]).
  assert (distance : 0 < eps / (c + 1)) by (apply Rdiv_lt_0_compat; lra).
  exists (eps / (c + 1)). split; [assumption|]. intros x' in_x' near.
  apply Rle_lt_trans with (c * (eps / (c + 1))).
  - eapply Rle_trans; [apply lip; assumption|]. unfold c at 1. rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
    apply norm_below_coordinates; [lra|]. intros i member. apply Rlt_le, near, inside. assumption.
  - replace (c * (eps / (c + 1))) with (eps - eps / (c + 1)) by (field; lra). lra.
Qed.
