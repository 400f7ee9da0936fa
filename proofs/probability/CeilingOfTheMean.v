(** * The ceiling of the fresh policy, continued: the mean of the best value

    P(regret > e after v evaluations) >= (1 - pbar(e))^v for every e, so the mean of the best regret is at least the
    integral of (1 - pbar(e))^v over e; here, at least every lower sum of that integral.  This is a lower bound, in
    general not attained: the law with the largest chance depends on e.  Nor is the best fixed law the best rule for the
    mean: a rule may choose by the best value so far. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling.
Local Open Scope R_scope.

Section BestValue.

  Context {Choice Observation : Type} (law : Choice -> expectation Observation).

  (** What an observation costs: f(x) - f_min. *)
  Variable regret : Observation -> R.
  Hypothesis regret_is_nonnegative : forall o, 0 <= regret o.

  Definition at_most (e : R) (o : Observation) : bool := if Rle_dec (regret o) e then true else false.

  (** The least regret of a history. *)
  Definition best_of (history : list Observation) : R :=
    match history with
    | [] => 0
    | o :: rest => fold_right (fun x least => Rmin (regret x) least) (regret o) rest
    end.

  (** (e_1 - e_0) P(e_1) + (e_2 - e_1) P(e_2) + ... for e_0 <= e_1 <= e_2 <= ..., e_0 = [low]: a lower sum of the
      integral of a decreasing P. *)
  Fixpoint layers (low : R) (thresholds : list R) (P : R -> R) : R :=
    match thresholds with
    | [] => 0
    | e :: rest => (e - low) * P e + layers e rest P
    end.

  Fixpoint ascending (low : R) (thresholds : list R) : Prop :=
    match thresholds with
    | [] => True
    | e :: rest => low <= e /\ ascending e rest
    end.

  Lemma best_is_nonnegative : forall history, 0 <= best_of history.
  Proof.
    intros [|o rest]; cbn [best_of]; [lra|].
    induction rest as [|x rest IH]; cbn [fold_right]; [apply regret_is_nonnegative|].
    apply Rmin_glb; [apply regret_is_nonnegative | assumption].
  Qed.

  Lemma best_exceeds_what_is_never_reached : forall history e,
    history <> [] -> existsb (at_most e) history = false -> e <= best_of history.
  Proof.
    assert (reads : forall e o, at_most e o = false -> e <= regret o).
    { intros e o. unfold at_most. destruct (Rle_dec (regret o) e); [discriminate | lra]. }
    intros [|o rest] e nonempty none; [contradiction|]. clear nonempty. cbn [best_of].
    induction rest as [|x rest IH]; cbn [existsb fold_right] in *.
    - rewrite orb_false_r in none. apply reads. assumption.
    - apply orb_false_iff in none. destruct none as [none_o none].
      apply orb_false_iff in none. destruct none as [none_x none].
      apply Rmin_glb; [apply reads; assumption|]. apply IH. rewrite none_o, none. reflexivity.
  Qed.

  Lemma reached_stays_reached : forall e e' history, e <= e' ->
    existsb (at_most e) history = true -> existsb (at_most e') history = true.
  Proof.
    intros e e' history below. rewrite !existsb_exists. intros (o & inside & good). exists o. split; [assumption|].
    unfold at_most in *. destruct (Rle_dec (regret o) e); [|discriminate].
    destruct (Rle_dec (regret o) e'); [reflexivity | lra].
  Qed.

  Lemma layers_vanish : forall thresholds low history, ascending low thresholds ->
    existsb (at_most low) history = true -> layers low thresholds (fun e => never (at_most e) history) = 0.
  Proof.
    induction thresholds as [|e rest IH]; intros low history; cbn [layers ascending]; [reflexivity|].
    intros [below order] reached. apply (reached_stays_reached low e) in reached; [|assumption].
    rewrite IH by assumption. unfold never. rewrite reached. ring.
  Qed.

  Lemma layers_below_best : forall history thresholds low, history <> [] -> ascending low thresholds ->
    low <= best_of history ->
    layers low thresholds (fun e => never (at_most e) history) <= best_of history - low.
  Proof.
    intros history. induction thresholds as [|e rest IH]; cbn [layers ascending]; intros low nonempty order above; [lra|].
    destruct order as [below order]. destruct (existsb (at_most e) history) eqn:reached.
    - rewrite layers_vanish by assumption. unfold never. rewrite reached. lra.
    - pose proof (best_exceeds_what_is_never_reached history e nonempty reached).
      specialize (IH e nonempty order ltac:(assumption)). unfold never at 1. rewrite reached. lra.
  Qed.

  (** Lower bounds of the probabilities of "never at most e" add up to one of the mean. *)
  Lemma lower_mean_of_the_best : forall r v thresholds (bounds : R -> R), (0 < v)%nat -> ascending 0 thresholds ->
    (forall e, mean_at_least law v r [] (never (at_most e)) (bounds e)) ->
    mean_at_least law v r [] best_of (layers 0 thresholds bounds).
  Proof.
    intros r v thresholds bounds some order below.
    apply (lower_mean_is_monotone law r (fun history => layers 0 thresholds (fun e => never (at_most e) history)));
      [|left; lia|].
    - intros history nonempty. replace (best_of history) with (best_of history - 0) by ring.
      apply layers_below_best; [assumption | assumption | apply best_is_nonnegative].
    - revert order. generalize 0. induction thresholds as [|e rest IH]; intros low order; cbn [layers ascending] in *.
      + apply lower_mean_of_a_constant. lra.
      + destruct order as [above order].
        replace ((e - low) * bounds e + layers e rest bounds) with ((e - low) * bounds e + 1 * layers e rest bounds) by ring.
        apply (lower_mean_is_monotone law r (fun history => (e - low) * never (at_most e) history
                 + 1 * layers e rest (fun e' => never (at_most e') history))); [intros; lra | left; lia |].
        apply (lower_mean_of_a_combination law r (never (at_most e))
                 (fun history => layers e rest (fun e' => never (at_most e') history))); auto; lra.
  Qed.

  (** Claim [fresh-ceiling]. The mean of the best regret in v evaluations is, for every adaptive rule, at least
      every lower sum of the integral of (1 - pbar(e))^v over e, where pbar(e) bounds the chance that one evaluation
      comes within e of the optimum. *)
  Theorem mean_best_regret_of_every_rule_is_at_least :
    forall (pbar : R -> R) (r : list Observation -> Choice) (v : nat) (thresholds : list R),
    (0 < v)%nat ->
    (forall e choice, integrable (law choice) (fun o => if at_most e o then 1 else 0)) ->
    (forall e choice, probability (law choice) (at_most e) <= pbar e) -> (forall e, pbar e <= 1) ->
    (forall e, has_means law r (never (at_most e))) -> has_means law r best_of ->
    ascending 0 thresholds ->
    layers 0 thresholds (fun e => (1 - pbar e) ^ v) <= mean_of_run law v r best_of.
  Proof.
    intros pbar r v thresholds some events bound at_most_1 means means_best order.
    apply mean_is_at_least; [assumption|].
    apply (lower_mean_of_the_best r v thresholds (fun e => (1 - pbar e) ^ v)); [assumption | assumption |].
    intros e. apply (every_rule_measurable_or_not_fails_with_at_least_this_probability law (at_most e) (events e)); auto.
  Qed.

End BestValue.

(** Claim [fresh-ceiling]. The bound on the mean of the best regret for finite laws, with nothing left to assume but the
    bounds pbar(e) themselves. *)
Theorem mean_best_regret_over_finite_laws_is_at_least :
  forall (Choice Observation : Type) (law : Choice -> finite_distribution Observation)
         (regret : Observation -> R) (pbar : R -> R) (r : list Observation -> Choice) (v : nat) (thresholds : list R),
  (forall o, 0 <= regret o) -> (0 < v)%nat ->
  (forall e choice, probability (finite_expectation (law choice)) (at_most regret e) <= pbar e) ->
  (forall e, pbar e <= 1) -> ascending 0 thresholds ->
  layers 0 thresholds (fun e => (1 - pbar e) ^ v)
  <= mean_of_run (fun choice => finite_expectation (law choice)) v r (best_of regret).
Proof.
  intros Choice Observation law regret pbar r v thresholds nonneg some bound small order.
  apply mean_best_regret_of_every_rule_is_at_least; try assumption; intros; try exact I;
    apply finite_laws_have_means.
Qed.

(** ** A concrete instance: a coin and a brick *)

(** The regret of a coin is 0 or 1, with equal weight; that of a brick is always 1. *)
Definition coin : finite_distribution R.
Proof. refine {| outcomes := [(/2, 0); (/2, 1)] |}; weights. Defined.

Definition brick : finite_distribution R.
Proof. refine {| outcomes := [(1, 1)] |}; weights. Defined.

Definition coin_or_brick (choice : bool) : finite_distribution R := if choice then coin else brick.

(** The chance that one evaluation comes within e of 0 is at most 1/2, for e < 1. *)
Definition pbar_of_coin (e : R) : R := if Rle_dec 1 e then 1 else /2.

Lemma coin_is_the_better_choice : forall (e : R) (choice : bool),
  probability (finite_expectation (coin_or_brick choice)) (at_most (fun o => Rabs o) e) <= pbar_of_coin e.
Proof.
  intros e choice. unfold probability, pbar_of_coin, at_most.
  destruct choice; cbn [E finite_expectation coin_or_brick]; unfold mean; cbn [outcomes coin brick sum fst snd];
    rewrite ?Rabs_R0, ?Rabs_R1;
    repeat match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end; lra.
Qed.

(** Claim [fresh-ceiling]. No rule that chooses between a coin (regret 0 or 1) and a brick (regret 1) makes the mean of the best regret in v evaluations smaller
    than e (1/2)^v, for any e < 1; and tossing the coin v times succeeds with probability exactly 1 - (1/2)^v. *)
Theorem the_ceiling_on_a_coin : forall (r : list R -> bool) (v : nat) (e : R), (0 < v)%nat -> 0 <= e < 1 ->
  e * (/2) ^ v <= mean_of_run (fun choice => finite_expectation (coin_or_brick choice)) v r (best_of (fun o => Rabs o)) /\
  mean_of_run (fun choice => finite_expectation (coin_or_brick choice)) v (fun _ => true)
    (ever (at_most (fun o => Rabs o) e)) = 1 - (/2) ^ v.
Proof.
  intros r v e some range. split.
  - pose proof (mean_best_regret_over_finite_laws_is_at_least bool R coin_or_brick (fun o => Rabs o) pbar_of_coin r v [e]
      Rabs_pos some coin_is_the_better_choice) as floor.
    cbn [layers ascending] in floor.
    assert (half : pbar_of_coin e = /2) by (unfold pbar_of_coin; destruct (Rle_dec 1 e); [lra | reflexivity]).
    rewrite half, Rminus_0_r, Rplus_0_r in floor.
    replace (1 - / 2) with (/2) in floor by lra.
    apply floor; [intros e'; unfold pbar_of_coin; destruct (Rle_dec 1 e'); lra | lra].
  - rewrite (constant_rule_attains_the_ceiling (fun choice => finite_expectation (coin_or_brick choice))
               (at_most (fun o => Rabs o) e)) by (intros; exact I).
    f_equal. f_equal. unfold probability, at_most. cbn [E finite_expectation coin_or_brick]. unfold mean.
    cbn [outcomes coin sum fst snd]. rewrite Rabs_R0, Rabs_R1.
    destruct (Rle_dec 0 e); [|lra]. destruct (Rle_dec 1 e); lra.
Qed.
