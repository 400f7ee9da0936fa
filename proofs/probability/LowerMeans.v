(** * Lower means: theorems on every rule, measurable or not

    A rule chooses the law of the next observation from the history.  If the rule is no measurable function, or if few
    functions count as integrable, the means of its run need not exist.  Its lower means do: at each step an integrable
    lower bound takes the place of the mean.  With them the ceiling, the equality of rules that choose equal laws, and the
    bound of the dynamic program hold for every rule.

    In the same way an event has an outer probability: the infimum of the means of the integrable functions above its
    indicator.  For a closed set and continuous functions this is its probability. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling CeilingOfTheMean OptimalRule.
Local Open Scope R_scope.

(** ** The lower mean of a run *)

(** The mean of F(history) over v further evaluations is at least c, without asking that the mean exists: at each step
    an integrable lower bound is enough. *)
Fixpoint mean_at_least {Choice Observation : Type} (law : Choice -> expectation Observation) (v : nat)
    (r : list Observation -> Choice) (past : list Observation) (F : list Observation -> R) (c : R) : Prop :=
  match v with
  | O => c <= F past
  | S v' => exists Y, integrable (law (r past)) Y /\
              (forall o, mean_at_least law v' r (o :: past) F (Y o)) /\ c <= E (law (r past)) Y
  end.

Section AnyRule.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation).

  Lemma smaller_bounds_hold : forall r F v past c c',
    c' <= c -> mean_at_least law v r past F c -> mean_at_least law v r past F c'.
  Proof.
    intros r F [|v] past c c' below; cbn [mean_at_least]; [lra|].
    intros (Y & random & above & bound). exists Y. repeat split; [assumption | assumption | lra].
  Qed.

  Lemma lower_mean_is_monotone : forall r F G, (forall history, history <> [] -> F history <= G history) ->
    forall v past c, (v <> 0 \/ past <> [])%nat -> mean_at_least law v r past F c -> mean_at_least law v r past G c.
  Proof.
    intros r F G below. induction v; intros past c nonempty; cbn [mean_at_least].
    - specialize (below past). intuition lra.
    - intros (Y & random & above & bound). exists Y. split; [assumption|]. split; [|assumption].
      intros o. apply IHv; [right; discriminate | apply above].
  Qed.

  Lemma lower_mean_of_a_combination : forall r F G a b, 0 <= a -> 0 <= b -> forall v past c c',
    mean_at_least law v r past F c -> mean_at_least law v r past G c' ->
    mean_at_least law v r past (fun history => a * F history + b * G history) (a * c + b * c').
  Proof.
    intros r F G a b positive_a positive_b. induction v; intros past c c'; cbn [mean_at_least].
    - intros. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
    - intros (Y & random & above & bound) (Y' & random' & above' & bound'). exists (fun o => a * Y o + b * Y' o).
      split; [apply integrable_linear; assumption|]. split; [intros o; apply IHv; auto|].
      rewrite E_linear by assumption. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
  Qed.

  Lemma lower_mean_of_a_constant : forall r C v past c, c <= C -> mean_at_least law v r past (fun _ => C) c.
  Proof.
    intros r C. induction v; intros past c below; cbn [mean_at_least]; [assumption|].
    exists (fun _ => C). split; [apply constant_is_integrable|]. rewrite E_of_constant. split; [|assumption].
    intros o. apply IHv. lra.
  Qed.

End AnyRule.

(** ** The ceiling, if success is an event *)

Section EveryRule.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation) (success : Observation -> bool).
  Hypothesis success_is_an_event : forall c, integrable (law c) (fun o => if success o then 1 else 0).
  Variable pbar : R.
  Hypothesis pbar_is_a_bound : forall choice, probability (law choice) success <= pbar.
  Hypothesis pbar_is_a_probability : pbar <= 1.

  (** For every adaptive rule, measurable or not, the probability of no success in v evaluations
      is at least (1 - pbar)^v: for a rule whose means do not exist, a bound from below by integrable functions. *)
  Lemma every_rule_measurable_or_not_fails_with_at_least_this_probability : forall r v,
    mean_at_least law v r [] (never success) ((1 - pbar) ^ v).
  Proof.
    intros r v.
    enough (general : forall v past c, (existsb success past = true -> c <= 0) -> c <= (1 - pbar) ^ v ->
              mean_at_least law v r past (never success) c) by (apply general; [discriminate | lra]).
    clear v. assert (some : 0 <= 1 - pbar) by lra.
    induction v; intros past c zero below; cbn [mean_at_least pow] in *.
    - unfold never. destruct (existsb success past); [auto | lra].
    - destruct (existsb success past) eqn:reached.
      + exists (fun _ => 0). split; [apply constant_is_integrable|]. rewrite E_of_constant. split; [|auto].
        intros o. apply IHv; [lra | apply pow_le; assumption].
      + destruct (mean_unless_success law success success_is_an_event (r past) ((1 - pbar) ^ v)) as [random value].
        assert (0 <= (1 - pbar) ^ v) by (apply pow_le; assumption).
        exists (fun o => if success o then 0 else (1 - pbar) ^ v). split; [assumption|]. split.
        * intros o. apply IHv; cbn [existsb]; destruct (success o); try lra. rewrite reached. discriminate.
        * rewrite value. specialize (pbar_is_a_bound (r past)). nra.
  Qed.

End EveryRule.

(** ** The ceiling, for any success *)

Section OuterProbability.

  Context {O : Type} (P : expectation O) (event : O -> bool).

  (** s is integrable and above the indicator of the event. *)
  Definition is_above (s : O -> R) : Prop := integrable P s /\ forall o, (if event o then 1 else 0) <= s o.

  Lemma one_is_above : is_above (fun _ => 1).
  Proof. split; [apply integrable_one|]. intros o. destruct (event o); lra. Qed.

  Let opposites (m : R) : Prop := exists s, is_above s /\ m = - E P s.

  Let opposites_are_bounded : bound opposites.
  Proof.
    exists 0. intros m (s & [random indicator] & value). subst m.
    assert (0 <= E P s); [|lra]. apply E_positive; [assumption|]. intros o. specialize (indicator o). destruct (event o); lra.
  Qed.

  Let some_opposite : exists m, opposites m.
  Proof. exists (- E P (fun _ => 1)), (fun _ => 1). split; [apply one_is_above | reflexivity]. Qed.

  (** The infimum of the means of such functions. *)
  Definition outer_probability : R := - proj1_sig (completeness opposites opposites_are_bounded some_opposite).

  Lemma outer_probability_is_a_lower_bound : forall s, is_above s -> outer_probability <= E P s.
  Proof.
    intros s above. unfold outer_probability. destruct (completeness _ _ _) as [m [upper least]]. cbn [proj1_sig].
    specialize (upper (- E P s)). assert (- E P s <= m) by (apply upper; exists s; auto). lra.
  Qed.

  Lemma outer_probability_is_approached : forall eta, 0 < eta -> exists s, is_above s /\ E P s <= outer_probability + eta.
  Proof.
    intros eta positive. unfold outer_probability. destruct (completeness _ _ _) as [m [upper least]]. cbn [proj1_sig].
    apply Classical_Prop.NNPP. intros none. assert (m <= m - eta); [|lra]. apply least. intros x (s & above & value). subst x.
    apply Rnot_lt_le. intros less. apply none. exists s. split; [assumption | lra].
  Qed.

  Lemma outer_probability_is_at_most_1 : outer_probability <= 1.
  Proof. rewrite <- (E_one _ P). apply outer_probability_is_a_lower_bound, one_is_above. Qed.

End OuterProbability.

Section AnySuccess.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation) (success : Observation -> bool).

  Lemma every_rule_fails : forall q r, 0 <= q ->
    (forall past, exists s, is_above (law (r past)) success s /\ E (law (r past)) s <= 1 - q) ->
    forall v past, mean_at_least law v r past (never success) (if existsb success past then 0 else q ^ v).
  Proof.
    intros q r positive above. induction v; intros past; cbn [mean_at_least pow].
    - unfold never. destruct (existsb success past); lra.
    - assert (power : 0 <= q ^ v) by (apply pow_le; assumption).
      destruct (existsb success past) eqn:reached.
      + exists (fun _ => 0). split; [apply constant_is_integrable|]. rewrite E_of_constant. split; [|lra].
        intros o. specialize (IHv (o :: past)). cbn [existsb] in IHv. rewrite reached, orb_true_r in IHv. exact IHv.
      + destruct (above past) as (s & [random indicator] & bound).
        exists (fun o => q ^ v * 1 + (- q ^ v) * s o). split; [apply integrable_linear; [apply integrable_one | assumption]|].
        split.
        * intros o. eapply smaller_bounds_hold; [|apply IHv]. cbn [existsb]. rewrite reached, orb_false_r.
          specialize (indicator o). destruct (success o); nra.
        * rewrite (E_linear _ _ _ _ (fun _ => 1) s), E_one by (apply integrable_one || assumption). nra.
  Qed.

  (** Claim [fresh-ceiling]. For every adaptive rule, measurable or not, and any success: if no choice of the rule succeeds
      with an outer probability above pbar, the lower probability of no success in v evaluations is at least
      (1 - pbar)^v. *)
  Theorem every_rule_fails_whatever_success_is : forall r pbar,
    (forall past, outer_probability (law (r past)) success <= pbar) -> pbar <= 1 ->
    forall v c, c < (1 - pbar) ^ v -> mean_at_least law v r [] (never success) c.
  Proof.
    intros r pbar bound small v c below.
    (* Some q below 1 - pbar, or q = 0, has q^v >= c. *)
    assert (near : exists q, 0 <= q /\ c <= q ^ v /\ (q = 0 \/ q < 1 - pbar)).
    { destruct small as [smaller | one].
      - assert (cont : continuity_pt (fun x => x ^ v) (1 - pbar)) by (apply derivable_continuous_pt, derivable_pt_pow).
        destruct (cont ((1 - pbar) ^ v - c)) as (delta & some & close); [lra|].
        set (q := Rmax 0 (1 - pbar - delta / 2)). exists q.
        assert (q_below : q < 1 - pbar) by (apply Rmax_lub_lt; lra).
        pose proof (Rmax_l 0 (1 - pbar - delta / 2)) as q_positive. pose proof (Rmax_r 0 (1 - pbar - delta / 2)) as q_near.
        fold q in q_positive, q_near. split; [assumption|]. split; [|right; assumption].
        specialize (close q). cbn [dist R_met Base] in close. unfold R_dist, D_x, no_cond in close.
        assert (Rabs (q ^ v - (1 - pbar) ^ v) < (1 - pbar) ^ v - c) as less.
        { apply close. split; [split; [trivial | lra]|]. apply Rabs_def1; lra. }
        apply Rabs_def2 in less. lra.
      - exists 0. split; [lra|]. subst pbar. rewrite Rminus_eq_0 in below. split; [lra | left; reflexivity]. }
    destruct near as (q & positive & power & which).
    eapply smaller_bounds_hold; [exact power|]. apply (every_rule_fails q r positive) with (past := []).
    intros past. destruct which as [zero | less].
    - exists (fun _ => 1). subst q. rewrite E_one. split; [apply one_is_above | lra].
    - destruct (outer_probability_is_approached (law (r past)) success (1 - pbar - q)) as (s & above & mean); [lra|].
      exists s. specialize (bound past). split; [assumption | lra].
  Qed.

  (** Claim [fresh-ceiling]. The ceiling is attained by the rule that always makes one choice: if it succeeds with outer
      probability p, its lower probability of no success in v evaluations is at most (1 - p)^v. *)
  Theorem a_constant_rule_fails_no_more : forall choice v c,
    mean_at_least law v (fun _ => choice) [] (never success) c -> c <= (1 - outer_probability (law choice) success) ^ v.
  Proof.
    intros choice v c. set (p := outer_probability (law choice) success).
    enough (general : forall v past c, mean_at_least law v (fun _ => choice) past (never success) c ->
              c <= if existsb success past then 0 else (1 - p) ^ v) by apply (general v []).
    clear v c. pose proof (outer_probability_is_at_most_1 (law choice) success) as at_most_1. fold p in at_most_1.
    induction v; intros past c; cbn [mean_at_least pow].
    - unfold never. destruct (existsb success past); lra.
    - intros (Y & random & below & bound).
      assert (power : 0 <= (1 - p) ^ v) by (apply pow_le; lra).
      assert (pointwise : forall o, Y o <= if existsb success (o :: past) then 0 else (1 - p) ^ v)
        by (intros o; apply IHv, below).
      assert (zero : (forall o, Y o <= 0) -> c <= 0).
      { intros negative. eapply Rle_trans; [exact bound|]. rewrite <- (E_of_constant (law choice) 0).
        apply E_is_monotone; [assumption | apply constant_is_integrable | assumption]. }
      cbn [existsb] in pointwise. destruct (existsb success past) eqn:reached.
      + apply zero. intros o. specialize (pointwise o). rewrite orb_true_r in pointwise. assumption.
      + destruct power as [positive | null].
        * (* 1 - Y / (1 - p)^v is above the indicator. *)
          set (b := (1 - p) ^ v) in *.
          assert (above : p <= E (law choice) (fun o => 1 * 1 + (- / b) * Y o)).
          { apply outer_probability_is_a_lower_bound. split; [apply integrable_linear; [apply integrable_one | assumption]|].
            intros o. specialize (pointwise o). rewrite orb_false_r in pointwise.
            assert (inverse : 0 < / b) by (apply Rinv_0_lt_compat; assumption). destruct (success o); [nra|].
            assert (/ b * Y o <= / b * b) by (apply Rmult_le_compat_l; lra). rewrite Rinv_l in H by lra. lra. }
          rewrite (E_linear _ _ _ _ (fun _ => 1) Y), E_one in above by (apply integrable_one || assumption).
          apply (Rmult_le_compat_l b) in above; [|lra].
          replace (b * (1 * 1 + - / b * E (law choice) Y)) with (b - E (law choice) Y) in above by (field; lra). nra.
        * rewrite <- null, Rmult_0_r. apply zero. intros o. specialize (pointwise o). rewrite orb_false_r, <- null in pointwise.
          destruct (success o); assumption.
  Qed.

End AnySuccess.

(** ** The mean of the best regret *)

(** For every adaptive rule, measurable or not, the lower mean of the best regret in v evaluations is
    at least every lower sum of the integral of (1 - pbar(e))^v over e, where pbar(e) bounds the outer probability that
    one evaluation comes within e of the optimum. *)
Lemma lower_mean_of_the_best_regret_of_every_rule_is_at_least :
  forall {Choice Observation : Type} (law : Choice -> expectation Observation) (regret : Observation -> R)
    (pbar : R -> R) (r : list Observation -> Choice) (v : nat) (thresholds : list R),
  (forall o, 0 <= regret o) -> (0 < v)%nat ->
  (forall e past, outer_probability (law (r past)) (at_most regret e) <= pbar e) -> (forall e, pbar e <= 1) ->
  ascending 0 thresholds ->
  forall c, c < layers 0 thresholds (fun e => (1 - pbar e) ^ v) -> mean_at_least law v r [] (best_of regret) c.
Proof.
  intros Choice Observation law regret pbar r v thresholds nonneg some bound small order c below.
  (* The layers one by one, the bound of each a little smaller. *)
  assert (layer_by_layer : forall thresholds low, ascending low thresholds -> forall eta, 0 < eta ->
    mean_at_least law v r [] (fun history => layers low thresholds (fun e => never (at_most regret e) history))
      (layers low thresholds (fun e => (1 - pbar e) ^ v - eta))).
  { clear thresholds order below c. induction thresholds as [|e rest IH]; intros low order eta positive; cbn [layers ascending] in *.
    - apply lower_mean_of_a_constant. lra.
    - destruct order as [above order].
      replace ((e - low) * ((1 - pbar e) ^ v - eta) + layers e rest (fun e => (1 - pbar e) ^ v - eta))
        with ((e - low) * ((1 - pbar e) ^ v - eta) + 1 * layers e rest (fun e => (1 - pbar e) ^ v - eta)) by ring.
      apply (lower_mean_is_monotone law r (fun history => (e - low) * never (at_most regret e) history
               + 1 * layers e rest (fun e' => never (at_most regret e') history))); [intros; lra | left; lia |].
      apply (lower_mean_of_a_combination law r (never (at_most regret e))
               (fun history => layers e rest (fun e' => never (at_most regret e') history))); [lra | lra | | apply IH; assumption].
      apply (every_rule_fails_whatever_success_is law (at_most regret e) r (pbar e)); [intros; apply bound | apply small | lra]. }
  (* The smaller bounds add up to the whole sum, less eta times its width. *)
  assert (width : forall thresholds low, ascending low thresholds -> exists width, 0 <= width /\ forall P eta,
    layers low thresholds (fun e => P e - eta) = layers low thresholds P - eta * width).
  { clear. induction thresholds as [|e rest IH]; intros low order; cbn [layers ascending] in *.
    - exists 0. split; [lra | intros; lra].
    - destruct order as [above order]. destruct (IH e order) as (width & positive & sum). exists (e - low + width).
      split; [lra|]. intros P eta. rewrite sum. ring. }
  destruct (width thresholds 0 order) as (w & positive & sum).
  set (gap := layers 0 thresholds (fun e => (1 - pbar e) ^ v) - c) in *.
  assert (eta : 0 < gap / (w + 1)) by (apply Rdiv_lt_0_compat; unfold gap; lra).
  specialize (layer_by_layer thresholds 0 order (gap / (w + 1)) eta). rewrite (sum (fun e => (1 - pbar e) ^ v)) in layer_by_layer.
  apply (smaller_bounds_hold law r _ v [] _ c) in layer_by_layer.
  - apply (lower_mean_is_monotone law r
             (fun history => layers 0 thresholds (fun e => never (at_most regret e) history))); [|left; lia | assumption].
    intros history nonempty. replace (best_of regret history) with (best_of regret history - 0) by ring.
    apply layers_below_best; [assumption | assumption | apply best_is_nonnegative; assumption].
  - replace (gap / (w + 1) * w) with (gap - gap / (w + 1)) by (field; lra). unfold gap in *. lra.
Qed.

(** ** Rules with equal laws *)

Section EqualLaws.

  Context {Choice Choice' Observation : Type}.
  Variables (law : Choice -> expectation Observation) (law' : Choice' -> expectation Observation).
  Variables (r : list Observation -> Choice) (r' : list Observation -> Choice').
  Hypothesis laws_are_equal : forall history X, integrable (law (r history)) X ->
    integrable (law' (r' history)) X /\ E (law' (r' history)) X = E (law (r history)) X.

  (** Two rules that choose equal laws after equal histories have equal lower means: what is a lower
      bound for one is a lower bound for the other. *)
  Lemma rules_with_equal_laws_have_equal_lower_means : forall F v past c,
    mean_at_least law v r past F c -> mean_at_least law' v r' past F c.
  Proof.
    intros F. induction v; intros past c; cbn [mean_at_least]; [trivial|].
    intros (Y & random & below & bound). exists Y. destruct (laws_are_equal past Y random) as [random' mean]. rewrite mean.
    repeat split; [assumption | intros o; apply IHv, below | assumption].
  Qed.

  (** And where the means of the one exist, those of the other exist and are equal to them. *)
  Lemma rules_with_equal_laws_have_equal_means : forall F, has_means law r F ->
    has_means law' r' F /\ forall v, mean_of_run law v r F = mean_of_run law' v r' F.
  Proof.
    intros F means.
    assert (equal : forall v past, mean_after law v r past F = mean_after law' v r' past F).
    { induction v; intros past; cbn [mean_after]; [reflexivity|].
      rewrite <- (proj2 (laws_are_equal past _ (means v past))). apply E_same. intros o. apply IHv. }
    split; [|intros v; apply equal]. intros v past.
    apply (integrable_same _ _ (fun o => mean_after law v r (o :: past) F)); [intros o; apply equal|].
    apply laws_are_equal, means.
  Qed.

End EqualLaws.

(** ** The best rule for the mean *)

(** For every rule, measurable or not, that chooses one of finitely many laws from its history, the
    lower mean of the best value of v evaluations, from the best value b on, is at least V v b. *)
Lemma no_rule_measurable_or_not_has_a_smaller_mean_than_the_program :
  forall {Choice Observation : Type} (first : Choice) (others : list Choice) (law : Choice -> expectation Observation)
    (value : Observation -> R), program_has_means first others law value ->
  forall r v b, (forall past, In (r past) (first :: others)) ->
  mean_at_least law v r [] (best value b) (V first others law value v b).
Proof.
  intros Choice Observation first others law value means r v b inside.
  enough (general : forall v past, mean_at_least law v r past (best value b) (V first others law value v (best value b past)))
    by apply (general v []).
  clear v. induction v; intros past; cbn [mean_at_least V]; [lra|].
  exists (fun o => V first others law value v (Rmin (value o) (best value b past))).
  split; [apply means|]. split; [intros o; apply (IHv (o :: past))|].
  apply (least_is_a_lower_bound first others (fun c => E (law c) (fun o => V first others law value v (Rmin (value o) (best value b past))))).
  apply inside.
Qed.
