(** * The policy fresh with Gaussian matrices

    A new Gaussian matrix A is drawn for every evaluation, and f is any continuous function on X = [-1,1]^n.  The
    law of the observation f(P_X(A y)) depends on the radius ||y|| alone.  So a search over points is a search over radii, and
    the theorems of LowerMeans.v become theorems about Gaussian matrices, for every rule, measurable or not.

    A law is known by the means of the continuous functions of the observation: these are the integrable ones here.  The
    outer probability of "the value is at most theta" is then its probability, as {o <= theta} is closed: the infimum of the
    means of continuous functions above the indicator. *)

From Coq Require Import List Arith Bool Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Lattice Model Cells HunterCeiling Vectors Expectation Ceiling
  CeilingOfTheMean OptimalRule LowerMeans ContinuousOnBoxes GaussVectors.
Import ListNotations.
Local Open Scope R_scope.

(** ** The law of a real random variable, by the means of continuous functions *)

Section Law.

  Context {Omega : Type} (P : expectation Omega) (g : Omega -> R).
  Hypothesis means_exist : forall X, (forall x, continuous X x) -> integrable P (fun w => X (g w)).

  Definition law_of : expectation R.
  Proof.
    refine {| integrable := fun X => forall x : R, continuous X x; E := fun X => E P (fun w => X (g w)) |}.
    - intros X Y same cont x. apply (continuous_ext X); [assumption | apply cont].
    - intros a b X Y cont_X cont_Y x. apply (continuous_plus (fun x => a * X x) (fun x => b * Y x));
        [apply (continuous_scal_r a X) | apply (continuous_scal_r b Y)]; auto.
    - intros x. apply continuous_const.
    - intros X Y same. apply E_same. auto.
    - intros a b X Y cont_X cont_Y. apply (E_linear _ P a b (fun w => X (g w)) (fun w => Y (g w))); auto.
    - intros X cont positive. apply E_positive; auto.
    - apply E_one.
  Defined.

End Law.

Section Fresh.

  Variables (n d : nat) (sigma : R) (f : continuous_objective n).

  Let f_is_continuous : continuous_on_the_box n f := objective_is_continuous n f.

  (** X(f(P_X(v))) is continuous and bounded, as a function of v. *)
  Lemma function_of_a_value_is_continuous : forall X : R -> R, (forall x, continuous X x) ->
    bounded (fun v => X (f (project v))) /\ continuous_in n (fun v => X (f (project v))).
  Proof.
    intros X cont. split.
    - apply (bounded_after_projection n (fun x : vector => X (f x))). intros x eps inside positive.
      specialize (cont (f x)). apply filterlim_locally with (eps := mkposreal eps positive) in cont. destruct cont as [delta near].
      destruct (f_is_continuous x delta inside (cond_pos delta)) as (delta' & some & near').
      exists delta'. split; [assumption|]. intros x' inside' close. apply near, near'; assumption.
    - intros v eps positive. specialize (cont (f (project v))).
      apply filterlim_locally with (eps := mkposreal eps positive) in cont. destruct cont as [delta near].
      destruct (continuous_after_projection n f f_is_continuous v delta (cond_pos delta)) as (delta' & some & near').
      exists delta'. split; [assumption|]. intros v' close. apply near, near'. assumption.
  Qed.

  Lemma means_of_an_observation : forall y X, (forall x, continuous X x) ->
    integrable (gaussian_matrix n d sigma) (fun A => X (embedded f d A y)) /\
    integrable (normal_vector n) (fun z => X (f (project (multiple (sigma * norm (coordinates d) y) z)))) /\
    E (gaussian_matrix n d sigma) (fun A => X (embedded f d A y))
    = E (normal_vector n) (fun z => X (f (project (multiple (sigma * norm (coordinates d) y) z)))).
  Proof.
    intros y X cont. destruct (function_of_a_value_is_continuous X cont) as [bound continuous].
    apply (law_of_an_image_under_a_gaussian_matrix n d sigma y (fun v => X (f (project v)))); assumption.
  Qed.

  (** The law of g_P(y) = f(P_X(A y)). *)
  Definition observation_at (y : vector) : expectation R :=
    law_of (gaussian_matrix n d sigma) (fun A => embedded f d A y) (fun X cont => proj1 (means_of_an_observation y X cont)).

  Lemma means_at_a_radius : forall rho X, (forall x, continuous X x) ->
    integrable (normal_vector n) (fun z => X (f (project (multiple rho z)))).
  Proof.
    intros rho X cont. destruct (function_of_a_value_is_continuous X cont) as [[M bound] continuous].
    apply normal_vector_integrable; [exists M; intros; apply bound|].
    apply (composition_is_uniformly_continuous n n (Rabs rho) (multiple rho) (fun v => X (f (project v))));
      [apply Rabs_pos | apply multiple_is_lipschitz | apply heine; assumption].
  Qed.

  (** The law of f(P_X(rho z)), z a vector of n independent normals. *)
  Definition observation_at_radius (rho : R) : expectation R :=
    law_of (normal_vector n) (fun z => f (project (multiple rho z))) (means_at_a_radius rho).

  (** ** Radial collapse *)

  (** Claim [radial-collapse]. With Gaussian matrices the law of an observation at y depends on ||y|| alone: it is the law of
      f(P_X(sigma ||y|| z)), for every n and d and every continuous f. *)
  Theorem law_of_an_observation_is_radial : forall y (X : R -> R), (forall x, continuous X x) ->
    E (observation_at y) X = E (observation_at_radius (sigma * norm (coordinates d) y)) X.
  Proof. intros y X cont. apply (means_of_an_observation y X cont). Qed.

  Lemma equal_norms_have_equal_laws : forall y y' X, norm (coordinates d) y = norm (coordinates d) y' ->
    integrable (observation_at y) X -> integrable (observation_at y') X /\ E (observation_at y') X = E (observation_at y) X.
  Proof.
    intros y y' X same cont. split; [exact cont|].
    rewrite (law_of_an_observation_is_radial y X cont), (law_of_an_observation_is_radial y' X cont), same. reflexivity.
  Qed.

  (** Claim [radial-collapse]. With Gaussian matrices two rules that choose points of equal norms after equal histories have
      equal laws: equal lower means of every function of the history, and equal means where those of the one exist. *)
  Theorem gaussian_matrices_collapse_to_radii : forall r r' : list R -> vector,
    (forall history, norm (coordinates d) (r history) = norm (coordinates d) (r' history)) ->
    forall F, (forall v c, mean_at_least observation_at v r [] F c <-> mean_at_least observation_at v r' [] F c) /\
              (has_means observation_at r F ->
               has_means observation_at r' F /\ forall v, mean_of_run observation_at v r F = mean_of_run observation_at v r' F).
  Proof.
    intros r r' same F. split.
    - intros v c. split; apply rules_with_equal_laws_have_equal_lower_means; intros history X;
        apply equal_norms_have_equal_laws; [|symmetry]; apply same.
    - apply rules_with_equal_laws_have_equal_means. intros history X. apply equal_norms_have_equal_laws, same.
  Qed.

  (** Claim [radial-collapse]. So a search over points is a search over radii, which draws f(P_X(sigma rho z)) at the radius
      rho: the two have equal lower means, and equal means where those of the first exist. *)
  Theorem a_search_with_gaussian_matrices_is_a_search_over_radii : forall (r : list R -> vector) (F : list R -> R),
    let law rho := observation_at_radius (sigma * rho) in
    let radius history := norm (coordinates d) (r history) in
    (forall v c, mean_at_least observation_at v r [] F c <-> mean_at_least law v radius [] F c) /\
    (has_means observation_at r F ->
     has_means law radius F /\ forall v, mean_of_run observation_at v r F = mean_of_run law v radius F).
  Proof.
    intros r F law radius. split.
    - intros v c. split; apply rules_with_equal_laws_have_equal_lower_means; intros history X cont; split;
        try exact cont; [symmetry|]; apply law_of_an_observation_is_radial; exact cont.
    - apply rules_with_equal_laws_have_equal_means. intros history X cont. split; [exact cont|].
      symmetry. apply law_of_an_observation_is_radial. exact cont.
  Qed.

  (** ** The ceiling *)

  Lemma outer_probability_is_radial : forall y success,
    outer_probability (observation_at y) success
    = outer_probability (observation_at_radius (sigma * norm (coordinates d) y)) success.
  Proof.
    intros y success. apply Rle_antisym; apply outer_probability_of_equal_laws; intros s cont; split;
      try exact cont; [|symmetry]; apply law_of_an_observation_is_radial; exact cont.
  Qed.

  (** "The value is at most theta", and a continuous function that is 1 up to theta and 0 from theta + 1/(k + 1) on. *)
  Definition value_at_most (theta o : R) : bool := if Rle_dec o theta then true else false.
  Definition ramp (theta : R) (k : nat) (o : R) : R := Rmax 0 (Rmin 1 (1 - (INR k + 1) * (o - theta))).

  Lemma ramp_is_continuous : forall theta k x, continuous (ramp theta k) x.
  Proof.
    intros theta k x. pose proof (pos_INR k). apply filterlim_locally. intros eps. pose proof (cond_pos eps) as positive.
    assert (distance : 0 < eps / (INR k + 1)) by (apply Rdiv_lt_0_compat; lra).
    exists (mkposreal _ distance). intros y near. change (Rabs (ramp theta k y - ramp theta k x) < eps).
    change (Rabs (y - x) < eps / (INR k + 1)) in near. apply Rlt_div_r in near; [|lra].
    eapply Rle_lt_trans; [|exact near]. rewrite Rmult_comm.
    rewrite <- (Rabs_right (INR k + 1)) at 1 by lra. rewrite <- Rabs_mult. unfold ramp.
    replace ((INR k + 1) * (y - x)) with ((INR k + 1) * (y - theta) - (INR k + 1) * (x - theta)) by ring.
    generalize ((INR k + 1) * (y - theta)) ((INR k + 1) * (x - theta)). intros a b. unfold Rmax, Rmin.
    repeat destruct (Rle_dec _ _); unfold_distances.
  Qed.

  (** Claim [fresh-ceiling]. The outer probability of a value of at most theta is what one takes it for: the limit of the means
      of continuous functions that decrease to the indicator. *)
  Theorem outer_probability_of_a_value_of_at_most_theta : forall rho theta,
    is_lim_seq (fun k => E (observation_at_radius rho) (ramp theta k))
      (outer_probability (observation_at_radius rho) (value_at_most theta)).
  Proof.
    intros rho theta. set (law := observation_at_radius rho). set (p := outer_probability law (value_at_most theta)).
    assert (above : forall k, is_above (value_at_most theta) law (ramp theta k)).
    { intros k. split; [exact (ramp_is_continuous theta k)|]. intros o. pose proof (pos_INR k). unfold value_at_most, ramp.
      destruct (Rle_dec o theta); [|apply Rmax_l]. rewrite Rmin_left; [apply Rmax_r|]. nra. }
    apply is_lim_seq_spec. intros eps. pose proof (cond_pos eps) as positive.
    destruct (outer_probability_is_approached law (value_at_most theta) (eps / 3)) as (s & [cont indicator] & near); [lra|].
    fold p in near.
    (* s is nearly 1 a little to the right of theta, where the ramp ends for large k. *)
    assert (at_theta : 1 <= s theta).
    { specialize (indicator theta). unfold value_at_most in indicator. destruct (Rle_dec theta theta); lra. }
    assert (close : exists delta : posreal, forall o, Rabs (o - theta) < delta -> Rabs (s o - s theta) < eps / 3).
    { specialize (cont theta). apply filterlim_locally with (eps := mkposreal (eps / 3) ltac:(lra)) in cont. exact cont. }
    destruct close as [delta close]. destruct (archimed_cor1 delta (cond_pos delta)) as (N & fine & some).
    exists N. intros k large. pose proof (outer_probability_is_a_lower_bound law (value_at_most theta) _ (above k)) as lower.
    fold p in lower.
    assert (upper : E law (ramp theta k) <= E law (fun o => 1 * s o + eps / 3 * 1)).
    { apply E_is_monotone; [apply above | apply integrable_linear; [exact cont | apply integrable_one] |]. intros o.
      specialize (indicator o). unfold value_at_most in indicator. unfold ramp.
      assert (at_most_1 : Rmax 0 (Rmin 1 (1 - (INR k + 1) * (o - theta))) <= 1) by (apply Rmax_lub; [lra | apply Rmin_l]).
      destruct (Rle_dec o theta) as [left | right]; [lra|]. destruct (Rlt_dec (o - theta) delta) as [near_theta | far].
      - assert (Rabs (s o - s theta) < eps / 3) as step by (apply close; rewrite Rabs_right; lra).
        apply Rabs_def2 in step. lra.
      - rewrite Rmax_left; [lra|]. eapply Rle_trans; [apply Rmin_r|].
        assert (1 <= (INR k + 1) * (o - theta)); [|lra].
        apply le_INR in large. assert (0 < INR N) by (apply lt_0_INR; assumption).
        apply Rle_trans with (INR N * / INR N); [right; field; lra | apply Rmult_le_compat; lra || (apply Rlt_le, Rinv_0_lt_compat; lra)]. }
    pose proof (E_linear _ law 1 (eps / 3) s (fun _ => 1) cont (integrable_one _ law)) as parts. rewrite parts, E_one in upper.
    apply Rabs_def1; lra.
  Qed.

  (** Claim [fresh-ceiling]. The ceiling for Gaussian matrices.  Let pbar bound the outer probability that f(P_X(sigma rho z))
      is a success, for all radii rho that the rule may use.  Then every adaptive rule, measurable or not, fails in v
      evaluations with lower probability at least (1 - pbar)^v.  f is any continuous function. *)
  Theorem no_rule_succeeds_more_surely_than_the_best_radius_of_gaussian_matrices : forall (radii : R -> Prop) (success : R -> bool) pbar,
    (forall rho, radii rho -> outer_probability (observation_at_radius (sigma * rho)) success <= pbar) -> pbar <= 1 ->
    forall r : list R -> vector, (forall history, radii (norm (coordinates d) (r history))) ->
    forall v c, c < (1 - pbar) ^ v -> mean_at_least observation_at v r [] (never success) c.
  Proof.
    intros radii success pbar bound small r inside v c below.
    apply (every_rule_fails_whatever_success_is observation_at success r pbar); try assumption.
    intros past. rewrite outer_probability_is_radial. apply bound, inside.
  Qed.

  (** Claim [fresh-ceiling]. Random search at the best radius attains it: a rule that always evaluates a point of norm rho fails
      in v evaluations with lower probability at most (1 - p)^v, p the outer probability of success at rho. *)
  Theorem the_best_radius_of_gaussian_matrices_attains_the_ceiling : forall y success v c,
    mean_at_least observation_at v (fun _ => y) [] (never success) c ->
    c <= (1 - outer_probability (observation_at_radius (sigma * norm (coordinates d) y)) success) ^ v.
  Proof.
    intros y success v c below. rewrite <- outer_probability_is_radial.
    apply (a_constant_rule_fails_no_more observation_at success y v c below).
  Qed.

  (** Claim [fresh-ceiling]. EmbeddedHunter with a new Gaussian matrix for every evaluation stays under the ceiling: if no
      base point has an outer probability of success above pbar at its radius, a run fails in v evaluations with lower
      probability at least (1 - pbar)^v. *)
  Theorem embedded_hunter_with_gaussian_matrices_does_not_beat_the_ceiling :
    forall (cfg : settings) (radius : R) (success : R -> bool) pbar,
    (forall p, outer_probability (observation_at_radius (sigma * norm (coordinates d) (base_point (half cfg) d radius p))) success
               <= pbar) -> pbar <= 1 ->
    forall v c, c < (1 - pbar) ^ v ->
    mean_at_least observation_at v (fun values => base_point (half cfg) d radius (hunter_rule cfg values)) [] (never success) c.
  Proof.
    intros cfg radius success pbar bound small v c below.
    apply (no_rule_succeeds_more_surely_than_the_best_radius_of_gaussian_matrices
             (fun rho => exists p, rho = norm (coordinates d) (base_point (half cfg) d radius p)) success pbar); try assumption.
    - intros rho [p same]. subst rho. apply bound.
    - intros history. eexists. reflexivity.
  Qed.

  (** The regret of an observation (no value of f is below f_star). *)
  Definition regret_above (f_star o : R) : R := Rmax 0 (o - f_star).

  (** Claim [fresh-ceiling]. The mean of the best regret with Gaussian matrices: for every adaptive rule, measurable or not,
      the lower mean of the best regret in v evaluations is at least every lower sum of the integral of (1 - pbar(e))^v over
      e, where pbar(e) bounds the probability of a regret of at most e at each radius that the rule may use. *)
  Theorem lower_mean_of_the_best_regret_with_gaussian_matrices :
    forall (radii : R -> Prop) (f_star : R) (pbar : R -> R) (thresholds : list R),
    (forall e rho, radii rho ->
       outer_probability (observation_at_radius (sigma * rho)) (at_most (regret_above f_star) e) <= pbar e) ->
    (forall e, pbar e <= 1) -> ascending 0 thresholds ->
    forall r : list R -> vector, (forall history, radii (norm (coordinates d) (r history))) ->
    forall v c, (0 < v)%nat -> c < layers 0 thresholds (fun e => (1 - pbar e) ^ v) ->
    mean_at_least observation_at v r [] (best_of (regret_above f_star)) c.
  Proof.
    intros radii f_star pbar thresholds bound small order r inside v c some below.
    apply (lower_mean_of_the_best_regret_of_every_rule_is_at_least observation_at (regret_above f_star) pbar r v thresholds);
      try assumption; [intros o; apply Rmax_l|].
    intros e past. rewrite outer_probability_is_radial. apply bound, inside.
  Qed.

  (** ** The best rule for the mean *)

  Section BestRule.

    (** The radii among which a rule chooses. *)
    Variables (first : R) (others : list R).

    Let law (rho : R) : expectation R := observation_at_radius (sigma * rho).
    Let value := V first others law (fun o => o).

    Lemma minimum_moves_no_points_apart : forall s t c, Rabs (Rmin s c - Rmin t c) <= Rabs (s - t).
    Proof. intros s t c. unfold Rmin. destruct (Rle_dec s c), (Rle_dec t c); unfold_distances. Qed.

    Let changes_little (k : nat) : Prop := forall b b', value k b' - value k b <= Rabs (b' - b).

    Lemma a_value_that_changes_little_has_means : forall k, changes_little k ->
      forall rho b, integrable (law rho) (fun o => value k (Rmin o b)).
    Proof.
      intros k lip rho b x. apply filterlim_locally. intros eps. exists eps. intros y near.
      change (Rabs (value k (Rmin y b) - value k (Rmin x b)) < eps). change (Rabs (y - x) < eps) in near.
      pose proof (minimum_moves_no_points_apart y x b). pose proof (lip (Rmin x b) (Rmin y b)).
      pose proof (lip (Rmin y b) (Rmin x b)) as back. rewrite Rabs_minus_sym in back. apply Rabs_def1; lra.
    Qed.

    (** The value of the program changes by no more than the best value to begin with. *)
    Lemma the_value_of_the_program_changes_little : forall k, changes_little k.
    Proof.
      induction k; intros b b'; [apply Rle_abs|].
      pose proof (a_value_that_changes_little_has_means k IHk) as random.
      set (cost := fun b rho => E (law rho) (fun o => value k (Rmin o b))).
      change (least first others (cost b') - least first others (cost b) <= Rabs (b' - b)).
      rewrite <- (cheapest_has_the_least_cost first others (cost b)). set (rho := cheapest first others (cost b)).
      pose proof (least_is_a_lower_bound first others (cost b') rho (cheapest_is_a_choice first others (cost b))) as chosen.
      assert (moved : cost b' rho <= E (law rho) (fun o => 1 * value k (Rmin o b) + Rabs (b' - b) * 1)).
      { apply E_is_monotone; [apply random | apply integrable_linear; [apply random | apply integrable_one] |].
        intros o. pose proof (IHk (Rmin o b) (Rmin o b')) as step.
        pose proof (minimum_moves_no_points_apart b' b o) as order. rewrite (Rmin_comm b'), (Rmin_comm b) in order. lra. }
      pose proof (E_linear _ (law rho) 1 (Rabs (b' - b)) (fun o => value k (Rmin o b)) (fun _ => 1)
                    (random rho b) (integrable_one _ (law rho))) as parts.
      rewrite parts, E_one in moved.
      unfold cost in *. lra.
    Qed.

    Lemma the_program_has_means_for_gaussian_matrices : program_has_means first others law (fun o => o).
    Proof. intros rho k b. apply a_value_that_changes_little_has_means, the_value_of_the_program_changes_little. Qed.

    (** Claim [optimal-rule]. For Gaussian matrices and finitely many radii no means are left to assume: the rule of the program
        has the mean V v b, and no rule that chooses among the radii, measurable or not, has a smaller lower mean. *)
    Theorem the_rule_of_the_program_is_optimal_for_gaussian_matrices : forall v b,
      mean_of_run law v (program_rule first others law (fun o => o) v b) (best (fun o => o) b) = value v b /\
      forall r, (forall past, In (r past) (first :: others)) -> mean_at_least law v r [] (best (fun o => o) b) (value v b).
    Proof.
      intros v b. split; [apply the_rule_of_the_program_attains_its_value|].
      intros r inside. apply no_rule_measurable_or_not_has_a_smaller_mean_than_the_program;
        [apply the_program_has_means_for_gaussian_matrices | assumption].
    Qed.

  End BestRule.

End Fresh.
