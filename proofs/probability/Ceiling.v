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

  (** The mean of F(history) over v further evaluations is at least c, without asking that the mean exist: at each step
      an integrable lower bound is enough. *)
  Fixpoint mean_at_least (v : nat) (r : rule) (past : list Observation) (F : list Observation -> R) (c : R) : Prop :=
    match v with
    | O => c <= F past
    | S v' => exists Y, integrable (law (r past)) Y /\
                (forall o, mean_at_least v' r (o :: past) F (Y o)) /\ c <= E (law (r past)) Y
    end.

  (** If the mean exists, it is at least c. *)
  Lemma mean_is_at_least : forall r F, has_means r F -> forall v past c,
    mean_at_least v r past F c -> c <= mean_after v r past F.
  Proof.
    intros r F means. induction v; intros past c; cbn [mean_at_least mean_after]; [trivial|].
    intros (Y & random & above & bound). eapply Rle_trans; [exact bound|].
    apply E_is_monotone; [assumption | apply means |]. intros o. apply IHv, above.
  Qed.

  Lemma smaller_bounds_hold : forall r F v past c c',
    c' <= c -> mean_at_least v r past F c -> mean_at_least v r past F c'.
  Proof.
    intros r F [|v] past c c' below; cbn [mean_at_least]; [lra|].
    intros (Y & random & above & bound). exists Y. repeat split; [assumption | assumption | lra].
  Qed.

  Lemma lower_mean_is_monotone : forall r F G, (forall history, history <> [] -> F history <= G history) ->
    forall v past c, (v <> 0 \/ past <> [])%nat -> mean_at_least v r past F c -> mean_at_least v r past G c.
  Proof.
    intros r F G below. induction v; intros past c nonempty; cbn [mean_at_least].
    - specialize (below past). intuition lra.
    - intros (Y & random & above & bound). exists Y. split; [assumption|]. split; [|assumption].
      intros o. apply IHv; [right; discriminate | apply above].
  Qed.

  Lemma lower_mean_of_a_combination : forall r F G a b, 0 <= a -> 0 <= b -> forall v past c c',
    mean_at_least v r past F c -> mean_at_least v r past G c' ->
    mean_at_least v r past (fun history => a * F history + b * G history) (a * c + b * c').
  Proof.
    intros r F G a b positive_a positive_b. induction v; intros past c c'; cbn [mean_at_least].
    - intros. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
    - intros (Y & random & above & bound) (Y' & random' & above' & bound'). exists (fun o => a * Y o + b * Y' o).
      split; [apply integrable_linear; assumption|]. split; [intros o; apply IHv; auto|].
      rewrite E_linear by assumption. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
  Qed.

  Lemma lower_mean_of_a_constant : forall r C v past c, c <= C -> mean_at_least v r past (fun _ => C) c.
  Proof.
    intros r C. induction v; intros past c below; cbn [mean_at_least]; [assumption|].
    exists (fun _ => C). split; [apply constant_is_integrable|]. rewrite E_of_constant. split; [|assumption].
    intros o. apply IHv. lra.
  Qed.

  (** ** Success *)

  Variable success : Observation -> bool.

  (** The indicators of "no success in the history" and "some success in the history". *)
  Definition never (history : list Observation) : R := if existsb success history then 0 else 1.
  Definition ever (history : list Observation) : R := if existsb success history then 1 else 0.

  (** s is integrable and above the indicator of success. *)
  Definition is_above (P : expectation Observation) (s : Observation -> R) : Prop :=
    integrable P s /\ forall o, (if success o then 1 else 0) <= s o.

  (** If after every past the indicator is below a function with a mean of at most 1 - q, the probability of no success in
      v evaluations is at least q^v. *)
  Lemma every_rule_fails : forall q r, 0 <= q ->
    (forall past, exists s, is_above (law (r past)) s /\ E (law (r past)) s <= 1 - q) ->
    forall v past, mean_at_least v r past never (if existsb success past then 0 else q ^ v).
  Proof.
    (* Induction on the number [v] of evaluations that remain. If none remains, [never] is 0 or 1. *)
    intros q r positive above. induction v; intros past; cbn [mean_at_least pow].
    - unfold never. destruct (existsb success past); lra.
    - assert (power : 0 <= q ^ v) by (apply pow_le; assumption).
      destruct (existsb success past) eqn:reached.
      + exists (fun _ => 0). split; [apply constant_is_integrable|]. rewrite E_of_constant. split; [|lra].
        intros o. specialize (IHv (o :: past)). cbn [existsb] in IHv. rewrite reached, orb_true_r in IHv. exact IHv.
      (* One more evaluation: q^v (1 - s) is at most 0 after a success and at most q^v after any other outcome, and its
         mean is at least q^(v+1). *)
      + destruct (above past) as (s & [random indicator] & bound).
        exists (fun o => q ^ v * 1 + (- q ^ v) * s o). split; [apply integrable_linear; [apply integrable_one | assumption]|].
        split.
        * intros o. eapply smaller_bounds_hold; [|apply IHv]. cbn [existsb]. rewrite reached, orb_false_r.
          specialize (indicator o). destruct (success o); nra.
        * rewrite (E_linear _ _ _ _ (fun _ => 1) s), E_one by (apply integrable_one || assumption). nra.
  Qed.

  Hypothesis success_is_an_event : forall c, integrable (law c) (fun o => if success o then 1 else 0).

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

    (** For every rule, measurable or not. *)
    Lemma every_rule_measurable_or_not_fails_with_at_least_this_probability : forall r v,
      mean_at_least v r [] never ((1 - pbar) ^ v).
    Proof.
      intros r v. apply (every_rule_fails (1 - pbar) r ltac:(lra)) with (past := []). intros past.
      exists (fun o => if success o then 1 else 0). split; [split; [apply success_is_an_event | intros; lra]|].
      specialize (pbar_is_a_bound (r past)). unfold probability in pbar_is_a_bound. lra.
    Qed.

    (** Claim [fresh-ceiling]. For every adaptive rule, P(no success in v evaluations) >= (1 - pbar)^v. *)
    Theorem every_adaptive_rule_fails_with_at_least_this_probability : forall r v,
      has_means r never -> (1 - pbar) ^ v <= mean_of_run v r never.
    Proof.
      intros r v means. apply mean_is_at_least; [assumption|].
      apply every_rule_measurable_or_not_fails_with_at_least_this_probability.
    Qed.

    (** Claim [fresh-ceiling]. For every adaptive rule, P(success in v evaluations) <= 1 - (1 - pbar)^v. *)
    Theorem no_adaptive_rule_beats_the_ceiling : forall r v,
      has_means r never -> mean_of_run v r ever <= 1 - (1 - pbar) ^ v.
    Proof.
      (* The probability of a success is 1 minus the mean of [never], which is at least (1 -
         pbar)^v. *)
      intros r v means. unfold mean_of_run. rewrite ever_after by assumption.
      pose proof (every_adaptive_rule_fails_with_at_least_this_probability r v means). unfold mean_of_run in *. lra.
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
