(** * The ceiling of the fresh policy: with a new matrix for every evaluation, no adaptive rule reaches a value more surely than the best radius

    Under the policy [fresh] an evaluation at y is a draw from a law that depends on y alone, in fact on ||y||
    alone, whatever happened before.  So a search is a rule that chooses, from the history of its observations, the
    law of the next one.  For every such rule, EmbeddedHunter's included,
    P(no success in v evaluations) >= (1 - pbar)^v, where pbar bounds the chance of success in one evaluation.
    Success is one fixed event, such as a value below one fixed threshold; of the mean of the best value the ceiling says
    less (CeilingOfTheMean.v). *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation.
Local Open Scope R_scope.

Definition probability {O} (P : expectation O) (event : O -> bool) : R :=
  E P (fun o => if event o then 1 else 0).

(** ** Adaptive rules and the law of their histories *)

Section Rules.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation).

  (** A rule chooses from the history, the latest observation first. *)
  Definition rule := list Observation -> Choice.

  (** The mean of F(history) over v further evaluations by the rule, after a given past. *)
  Fixpoint mean_after (v : nat) (r : rule) (past : list Observation) (F : list Observation -> R) : R :=
    match v with
    | O => F past
    | S v' => E (law (r past)) (fun o => mean_after v' r (o :: past) F)
    end.

  (** The mean of F(history) over v evaluations. *)
  Definition mean_of_run (v : nat) (r : rule) (F : list Observation -> R) : R := mean_after v r [] F.

  (** The means of which this is made exist: always so for finite laws, and for measurable rules. *)
  Definition has_means (r : rule) (F : list Observation -> R) : Prop :=
    forall v past, integrable (law (r past)) (fun o => mean_after v r (o :: past) F).

  Lemma mean_after_is_monotone : forall r F G, has_means r F -> has_means r G ->
    (forall history, history <> [] -> F history <= G history) ->
    forall v past, (v <> 0 \/ past <> [])%nat -> mean_after v r past F <= mean_after v r past G.
  Proof.
    intros r F G means_F means_G below.
    induction v; intros past nonempty; cbn [mean_after].
    - apply below. intuition.
    - apply E_is_monotone; [apply means_F | apply means_G |].
      intros o. apply IHv. right. discriminate.
  Qed.

  Lemma mean_after_is_linear : forall r F G a b, has_means r F -> has_means r G ->
    forall v past, mean_after v r past (fun history => a * F history + b * G history)
                   = a * mean_after v r past F + b * mean_after v r past G.
  Proof.
    intros r F G a b means_F means_G. induction v; intros past; cbn [mean_after]; [reflexivity|].
    rewrite <- E_linear by (apply means_F || apply means_G). apply E_same. intros o. apply IHv.
  Qed.

  Lemma linear_combination_has_means : forall r F G a b, has_means r F -> has_means r G ->
    has_means r (fun history => a * F history + b * G history).
  Proof.
    intros r F G a b means_F means_G v past.
    eapply integrable_same; [intros o; symmetry; apply mean_after_is_linear; assumption|].
    apply (integrable_linear _ _ a b (fun o => mean_after v r (o :: past) F) (fun o => mean_after v r (o :: past) G));
      [apply means_F | apply means_G].
  Qed.

  Lemma mean_after_of_a_constant : forall r c v past, mean_after v r past (fun _ => c) = c.
  Proof.
    intros r c. induction v; intros past; cbn [mean_after]; [reflexivity|].
    rewrite (E_same _ _ _ (fun _ => c)) by (intros; apply IHv). apply E_of_constant.
  Qed.

  Lemma constant_has_means : forall r c, has_means r (fun _ => c).
  Proof.
    intros r c v past. eapply integrable_same; [intros o; symmetry; apply mean_after_of_a_constant|].
    apply constant_is_integrable.
  Qed.

  (** ** Success *)

  Variable success : Observation -> bool.

  (** The indicators of "no success in the history" and "some success in the history". *)
  Definition never (history : list Observation) : R := if existsb success history then 0 else 1.
  Definition ever (history : list Observation) : R := if existsb success history then 1 else 0.

  Hypothesis success_is_an_event : forall c, integrable (law c) (fun o => if success o then 1 else 0).

  Lemma success_forbids_never : forall v r past, existsb success past = true -> mean_after v r past never = 0.
  Proof.
    induction v; intros r past some; cbn [mean_after].
    - unfold never. rewrite some. reflexivity.
    - rewrite (E_same _ _ _ (fun _ => 0)); [apply E_of_constant|].
      intros o. apply IHv. cbn [existsb]. rewrite some. apply orb_true_r.
  Qed.

  (** The mean of "c unless success". *)
  Lemma mean_unless_success : forall choice c,
    integrable (law choice) (fun o => if success o then 0 else c) /\
    E (law choice) (fun o => if success o then 0 else c) = c * (1 - probability (law choice) success).
  Proof.
    intros choice c.
    assert (same : forall o, c * 1 + (- c) * (if success o then 1 else 0) = if success o then 0 else c)
      by (intros o; destruct (success o); ring).
    split.
    - eapply integrable_same; [exact same|].
      apply (integrable_linear _ _ c (- c) (fun _ => 1) (fun o => if success o then 1 else 0));
        [apply integrable_one | apply success_is_an_event].
    - rewrite <- (E_same _ _ _ _ same).
      rewrite (E_linear _ _ c (- c) (fun _ => 1) (fun o => if success o then 1 else 0)), E_one;
        [unfold probability; ring | apply integrable_one | apply success_is_an_event].
  Qed.

  Lemma probability_is_between_0_and_1 : forall choice, 0 <= probability (law choice) success <= 1.
  Proof.
    intros choice. split.
    - apply E_positive; [apply success_is_an_event | intros o; destruct (success o); lra].
    - rewrite <- (E_one _ (law choice)). apply E_is_monotone;
        [apply success_is_an_event | apply integrable_one | intros o; destruct (success o); lra].
  Qed.

  Lemma never_and_ever : forall history, ever history = 1 * 1 + (-1) * never history.
  Proof. intros. unfold ever, never. destruct (existsb success history); ring. Qed.

  Lemma ever_after : forall r, has_means r never ->
    forall v past, mean_after v r past ever = 1 - mean_after v r past never.
  Proof.
    intros r means. induction v; intros past; cbn [mean_after].
    - rewrite never_and_ever. ring.
    - rewrite (E_same _ _ _ (fun o => 1 * 1 + (-1) * mean_after v r (o :: past) never))
        by (intros; rewrite IHv; ring).
      rewrite (E_linear _ _ 1 (-1) (fun _ => 1)), E_one; [ring | apply integrable_one | apply means].
  Qed.

  Section Ceiling.

    (** pbar: no law succeeds with a larger probability. *)
    Variable pbar : R.
    Hypothesis pbar_is_a_bound : forall choice, probability (law choice) success <= pbar.
    Hypothesis pbar_is_a_probability : pbar <= 1.

    Lemma no_rule_fails_less : forall r, has_means r never ->
      forall v past, existsb success past = false -> (1 - pbar) ^ v <= mean_after v r past never.
    Proof.
      (* Induction on the number [v] of evaluations that remain. If none remains, [never] is 1. *)
      intros r means. induction v; intros past none; cbn [mean_after pow].
      - unfold never. rewrite none. lra.
      (* One more evaluation. If a success counts 0, and any other outcome (1 - pbar)^v, its mean is
         at least (1 - pbar)^(v+1). *)
      - destruct (mean_unless_success (r past) ((1 - pbar) ^ v)) as [integrable_bound value].
        assert (0 <= (1 - pbar) ^ v) by (apply pow_le; lra).
        specialize (pbar_is_a_bound (r past)).
        apply Rle_trans with (E (law (r past)) (fun o => if success o then 0 else (1 - pbar) ^ v)).
        + rewrite value, Rmult_comm. apply Rmult_le_compat_l; lra.
        (* For each outcome [never] has at least this mean: 0 after a success, and otherwise (1 -
           pbar)^v by the induction hypothesis. *)
        + apply E_is_monotone; [assumption | apply means |].
          intros o. destruct (success o) eqn:good.
          * rewrite success_forbids_never; [lra | cbn [existsb]; rewrite good; reflexivity].
          * apply IHv. cbn [existsb]. rewrite good. assumption.
    Qed.

    (** Claim [fresh-ceiling]. For every adaptive rule, P(no success in v evaluations) >= (1 - pbar)^v. *)
    Theorem every_adaptive_rule_fails_with_at_least_this_probability : forall r v,
      has_means r never -> (1 - pbar) ^ v <= mean_of_run v r never.
    Proof. intros r v means. apply no_rule_fails_less; [assumption | reflexivity]. Qed.

    (** Claim [fresh-ceiling]. For every adaptive rule, P(success in v evaluations) <= 1 - (1 - pbar)^v. *)
    Theorem no_adaptive_rule_beats_the_ceiling : forall r v,
      has_means r never -> mean_of_run v r ever <= 1 - (1 - pbar) ^ v.
    Proof.
      (* The probability of a success is 1 minus the mean of [never], which is at least (1 -
         pbar)^v. *)
      intros r v means. unfold mean_of_run. rewrite ever_after by assumption.
      pose proof (no_rule_fails_less r means v [] eq_refl). lra.
    Qed.

    Lemma bernoulli : forall v, 0 <= pbar -> 1 - (1 - pbar) ^ v <= INR v * pbar.
    Proof.
      intros v positive. induction v; [simpl; lra|].
      rewrite S_INR. cbn [pow]. assert (0 <= (1 - pbar) ^ v <= 1).
      { split; [apply pow_le; lra|].
        apply Rle_trans with (1 ^ v); [apply pow_incr; lra | rewrite pow1; lra]. }
      assert (0 <= pbar * (1 - (1 - pbar) ^ v)) by (apply Rmult_le_pos; lra). lra.
    Qed.

    (** Claim [fresh-ceiling]. For every adaptive rule, P(success in v evaluations) <= v pbar. *)
    Theorem success_is_at_most_v_times_pbar : forall r v,
      has_means r never -> mean_of_run v r ever <= INR v * pbar.
    Proof.
      intros r v means. eapply Rle_trans; [apply no_adaptive_rule_beats_the_ceiling; assumption|].
      apply bernoulli. pose proof (probability_is_between_0_and_1 (r [])). specialize (pbar_is_a_bound (r [])). lra.
    Qed.

    (** Claim [fresh-ceiling]. Coins do not help: the ceiling holds for a rule that is itself drawn at random. *)
    Theorem no_randomised_rule_beats_the_ceiling :
      forall (Seed : Type) (seeds : expectation Seed) (rules : Seed -> rule) v,
      (forall seed, has_means (rules seed) never) ->
      integrable seeds (fun seed => mean_of_run v (rules seed) ever) ->
      E seeds (fun seed => mean_of_run v (rules seed) ever) <= 1 - (1 - pbar) ^ v.
    Proof.
      intros Seed seeds rules v means random_variable.
      rewrite <- (E_of_constant seeds (1 - (1 - pbar) ^ v)).
      apply E_is_monotone; [assumption | apply constant_is_integrable |].
      intros seed. apply no_adaptive_rule_beats_the_ceiling. apply means.
    Qed.

  End Ceiling.

  Lemma constant_rule_never_succeeds : forall choice v past,
    mean_after v (fun _ => choice) past never
    = if existsb success past then 0 else (1 - probability (law choice) success) ^ v.
  Proof.
    intros choice. induction v; intros past; cbn [mean_after pow].
    - reflexivity.
    - destruct (existsb success past) eqn:some.
      + rewrite (E_same _ _ _ (fun _ => 0)); [apply E_of_constant|].
        intros o. rewrite IHv. cbn [existsb]. rewrite some, orb_true_r. reflexivity.
      + rewrite (E_same _ _ _ (fun o => if success o then 0 else (1 - probability (law choice) success) ^ v)).
        * rewrite (proj2 (mean_unless_success choice _)). ring.
        * intros o. rewrite IHv. cbn [existsb]. rewrite some, orb_false_r. reflexivity.
  Qed.

  Lemma constant_rule_has_means : forall choice, has_means (fun _ => choice) never.
  Proof.
    intros choice v past.
    eapply integrable_same; [intros o; symmetry; apply constant_rule_never_succeeds|].
    cbn [existsb]. destruct (existsb success past) eqn:some.
    - eapply integrable_same; [|apply (constant_is_integrable _ 0)].
      intros o. cbn beta. rewrite orb_true_r. reflexivity.
    - eapply integrable_same; [|apply (proj1 (mean_unless_success choice ((1 - probability (law choice) success) ^ v)))].
      intros o. cbn beta. rewrite orb_false_r. reflexivity.
  Qed.

  (** Claim [fresh-ceiling] [forest-coverage]. If some law attains pbar, the ceiling is attained: always choosing one law with success probability p succeeds
      within v evaluations with probability exactly 1 - (1 - p)^v. *)
  Theorem constant_rule_attains_the_ceiling : forall choice v,
    mean_of_run v (fun _ => choice) ever = 1 - (1 - probability (law choice) success) ^ v.
  Proof.
    (* For a constant rule the mean of [never] is exactly (1 - p)^v. *)
    intros choice v. unfold mean_of_run. rewrite ever_after by apply constant_rule_has_means.
    rewrite constant_rule_never_succeeds. reflexivity.
  Qed.

End Rules.

(** ** Finite laws: nothing is left to assume *)

Lemma finite_laws_have_means : forall {Choice Observation : Type}
  (law : Choice -> finite_distribution Observation) r F,
  has_means (fun choice => finite_expectation (law choice)) r F.
Proof. intros Choice Observation law r F v past. exact I. Qed.

(** Claim [fresh-ceiling]. The ceiling for every rule over every family of finite distributions: no integrability is left
    to assume. *)
Theorem no_rule_beats_the_ceiling_of_finite_laws :
  forall (Choice Observation : Type) (law : Choice -> finite_distribution Observation)
         (success : Observation -> bool) (pbar : R) (r : rule) (v : nat),
  pbar <= 1 ->
  (forall choice, probability (finite_expectation (law choice)) success <= pbar) ->
  mean_of_run (fun choice => finite_expectation (law choice)) v r (ever success) <= 1 - (1 - pbar) ^ v.
Proof.
  intros. apply no_adaptive_rule_beats_the_ceiling; try assumption; try (intros; exact I).
  apply finite_laws_have_means.
Qed.
