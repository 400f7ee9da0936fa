(** * Instances of the theorems on Gaussian matrices

    As in Canaries.v. *)

From Coq Require Import List Arith Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Vectors Expectation Ceiling LowerMeans ContinuousOnBoxes GaussVectors GaussFresh.
Import ListNotations.
Local Open Scope R_scope.

(** ** The law of a point *)

Lemma cosine_is_bounded : bounded (fun x : vector => cos (x 0%nat)).
Proof. exists 1. intros x. apply Rabs_le. pose proof (COS_bound (x 0%nat)). lra. Qed.

Lemma cosine_is_continuous : continuous_in 2 (fun x : vector => cos (x 0%nat)).
Proof.
  intros x eps positive. pose proof (continuous_cos (x 0%nat)) as cont.
  apply filterlim_locally with (eps := mkposreal eps positive) in cont. destruct cont as [delta near].
  exists delta. split; [apply cond_pos|]. intros y close. apply near, close. lia.
Qed.

(** Claim [radial-collapse]. For n = d = 2, sigma = 1 and every y of norm 1, the mean of cos (A y)_1 is that of cos z_1.
    Instance of [GaussVectors.law_of_an_image_under_a_gaussian_matrix]. *)
Theorem the_mean_cosine_of_an_image_is_that_of_a_normal : forall y, norm (coordinates 2) y = 1 ->
  E (gaussian_matrix 2 2 1) (fun A => cos (times 2 A y 0%nat)) = E (normal_vector 2) (fun z => cos (z 0%nat)).
Proof.
  intros y unit. destruct (law_of_an_image_under_a_gaussian_matrix 2 2 1 y _ cosine_is_bounded cosine_is_continuous) as (_ & _ & mean).
  rewrite mean, unit. apply E_same. intros z. unfold multiple. f_equal. ring.
Qed.

(** ** Rules with one Gaussian entry, and f(x) = x *)

Definition first_coordinate : continuous_objective 1.
Proof.
  refine {| objective := fun x => x 0%nat |}. intros x eps _ positive. exists eps. split; [assumption|]. intros x' _ near. apply near. lia.
Defined.

Local Notation observation := (observation_at 1 1 1 first_coordinate).
Definition line (rho : R) : vector := fun _ => rho.

(** Claim [radial-collapse]. With f(x) = x the rule that always moves to the right by the last value and the rule that moves to the left
    have equal lower means of the second value.  Instance of [GaussFresh.gaussian_matrices_collapse_to_radii]. *)
Theorem right_and_left_have_equal_laws : let right (past : list R) := line (1 + hd 0 past) in let left past := line (- (1 + hd 0 past)) in
  right [1] <> left [1] /\ forall c, mean_at_least observation 2 right [] (hd 0) c <-> mean_at_least observation 2 left [] (hd 0) c.
Proof.
  intros right left. split.
  - intros H. apply (f_equal (fun y => y 0%nat)) in H. unfold right, left, line in H. cbn in H. lra.
  - apply (gaussian_matrices_collapse_to_radii 1 1 1 first_coordinate right left).
    intros past. unfold norm, square_norm, right, left, line. cbn. f_equal. ring.
Qed.

(** Success is a value of at most -1/2. *)
Definition low (o : R) : bool := value_at_most (-1 / 2) o.

(** A continuous function that is 1 up to -1/2, and its mirror image. *)
Definition above_low (o : R) : R := Rmax 0 (Rmin 1 (-2 * o)).

Lemma above_low_is_continuous : forall x, continuous above_low x.
Proof.
  intros x. apply filterlim_locally. intros eps. pose proof (cond_pos eps) as positive.
  exists (mkposreal (eps / 2) ltac:(lra)). intros y near. change (Rabs (above_low y - above_low x) < eps).
  change (Rabs (y - x) < eps / 2) in near. apply Rabs_def2 in near. unfold above_low, Rmax, Rmin.
  apply Rabs_def1; repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma low_is_no_likelier_than_not : forall rho, 0 <= rho -> outer_probability (observation_at_radius 1 first_coordinate (1 * rho)) low <= / 2.
Proof.
  intros rho positive. set (law := observation_at_radius 1 first_coordinate (1 * rho)).
  assert (mirror : forall o, continuous (fun o => above_low (- o)) o).
  { intros o. apply (continuous_comp Ropp above_low); [apply (continuous_opp (fun x : R => x)), continuous_id|apply above_low_is_continuous]. }
  assert (radius : forall s, s = rho \/ s = - rho -> 1 * norm (coordinates 1) (line s) = 1 * rho).
  { intros s H. unfold norm, square_norm, line. cbn. replace (s * (s * 1) + 0) with (rho * rho) by (destruct H; subst; ring).
    rewrite sqrt_square; lra. }
  assert (same : E law (fun o => above_low (- o)) = E law above_low).
  { pose proof (law_of_an_observation_is_radial 1 1 1 first_coordinate (line (- rho)) _ mirror) as left.
    pose proof (law_of_an_observation_is_radial 1 1 1 first_coordinate (line rho) _ above_low_is_continuous) as right.
    rewrite radius in left, right by auto. etransitivity; [symmetry; exact left|]. etransitivity; [|exact right].
    cbn [E observation_at law_of]. apply E_same. intros A. f_equal. unfold embedded. cbn [objective first_coordinate].
    unfold project, times, line, clip, Rmax, Rmin. cbn. repeat destruct (Rle_dec _ _); lra. }
  pose proof (E_linear _ law 1 1 above_low (fun o => above_low (- o)) above_low_is_continuous mirror) as sum.
  assert (small : E law (fun o => 1 * above_low o + 1 * above_low (- o)) <= 1).
  { eapply Rle_trans; [apply (E_is_monotone law _ (fun _ => 1))|rewrite E_one; apply Rle_refl].
    - apply integrable_linear; [exact above_low_is_continuous|exact mirror].
    - apply integrable_one.
    - intros o. unfold above_low. destruct (Rle_dec 0 o).
      + rewrite (Rmax_left 0 (Rmin 1 (-2 * o))) by (apply Rle_trans with (-2 * o); [apply Rmin_r|lra]).
        pose proof (Rmin_l 1 (-2 * - o)). unfold Rmax. destruct (Rle_dec _ _); lra.
      + rewrite (Rmax_left 0 (Rmin 1 (-2 * - o))) by (apply Rle_trans with (-2 * - o); [apply Rmin_r|lra]).
        pose proof (Rmin_l 1 (-2 * o)). unfold Rmax. destruct (Rle_dec _ _); lra. }
  eapply Rle_trans; [apply (outer_probability_is_a_lower_bound law low above_low)|lra].
  split; [exact above_low_is_continuous|]. intros o. unfold low, value_at_most. destruct (Rle_dec o (-1 / 2)); [|apply Rmax_l].
  unfold above_low. rewrite Rmin_left by lra. apply Rmax_r.
Qed.

(** Claim [fresh-ceiling]. With one Gaussian entry and f(x) = x no rule, measurable or not, finds a value of at most -1/2 in v
    evaluations with a probability above 1 - 2^-v.
    Instance of [GaussFresh.no_rule_succeeds_more_surely_than_the_best_radius_of_gaussian_matrices]. *)
Theorem every_rule_misses_low_values : forall (r : list R -> vector) v c, c < (1 - / 2) ^ v ->
  mean_at_least observation v r [] (never low) c.
Proof.
  intros r. apply (no_rule_succeeds_more_surely_than_the_best_radius_of_gaussian_matrices 1 1 1 first_coordinate (fun rho => 0 <= rho) low).
  - exact low_is_no_likelier_than_not.
  - lra.
  - intros past. apply sqrt_pos.
Qed.
