(** * Lower means: theorems on every rule, measurable or not

    A rule chooses the law of the next observation from the history.  If the rule is no measurable function, or if few
    functions count as integrable, the means of its run need not exist.  Its lower means do: at each step an integrable
    lower bound takes the place of the mean.  With them the ceiling, the equality of rules that choose equal laws, and the
    bound of the dynamic program hold for every rule.

    In the same way an event has an outer probability: the infimum of the means of the integrable functions above its
    indicator.  For a closed set and continuous functions this is its probability. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling CeilingOfTheMean.
Local Open Scope R_scope.

(** ** The ceiling, for any success *)

Section OuterProbability.

  Context {O : Type} (P : expectation O) (event : O -> bool).

  Local Notation is_above := (is_above event P).

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

Lemma outer_probability_of_equal_laws : forall {O} (P Q : expectation O) event,
  (forall s, integrable P s -> integrable Q s /\ E Q s = E P s) -> outer_probability Q event <= outer_probability P event.
Proof.
  intros O P Q event equal. apply Rnot_lt_le. intros less.
  destruct (outer_probability_is_approached P event ((outer_probability Q event - outer_probability P event) / 2))
    as (s & [random above] & near); [lra|].
  destruct (equal s random) as [random' mean]. rewrite <- mean in near.
  assert (outer_probability Q event <= E Q s); [|lra]. apply outer_probability_is_a_lower_bound. split; assumption.
Qed.

Section AnySuccess.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation) (success : Observation -> bool).

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
    eapply smaller_bounds_hold; [exact power|]. apply (every_rule_fails law success q r positive) with (past := []).
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
  eapply smaller_bounds_hold; [|apply (lower_mean_of_the_best law regret nonneg r v thresholds
    (fun e => (1 - pbar e) ^ v - gap / (w + 1)) some order); intros e;
    apply (every_rule_fails_whatever_success_is law (at_most regret e) r (pbar e)); [intros; apply bound | apply small | cbn beta; lra]].
  rewrite (sum (fun e => (1 - pbar e) ^ v)).
  replace (gap / (w + 1) * w) with (gap - gap / (w + 1)) by (field; lra). unfold gap in *. lra.
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
