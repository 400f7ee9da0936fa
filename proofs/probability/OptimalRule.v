(** * The best rule of the fresh policy: no rule has a smaller mean of the best value than the dynamic program

    Ceiling.v bounds the chance that a rule reaches one fixed value.  Here the aim is the mean of the best value of v
    evaluations.  A rule chooses one of finitely many laws (radii) from its whole history.  Let b be the best value so
    far and let X_c have the law c.  The dynamic program

      V 0 b = b,    V (k + 1) b = min over c of E[V k (min(X_c, b))]

    knows nothing of the history but b and the number k of evaluations left.  No rule has a smaller mean than
    V v b, and the rule that always takes a law which attains the minimum has this mean.  Larger values or fewer
    evaluations never lower V. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling.
Local Open Scope R_scope.

(** ** The least of finitely many numbers *)

Section Least.

  Context {Choice : Type} (first : Choice) (others : list Choice).

  Definition least (cost : Choice -> R) : R :=
    fold_right (fun c found => Rmin (cost c) found) (cost first) others.

  (** A choice with the least cost. *)
  Definition cheapest (cost : Choice -> R) : Choice :=
    fold_right (fun c found => if Rle_dec (cost c) (cost found) then c else found) first others.

  Lemma cheapest_is_a_choice : forall cost, In (cheapest cost) (first :: others).
  Proof.
    intros cost. unfold cheapest. induction others as [|c rest IH]; cbn [fold_right]; [left; reflexivity|].
    destruct (Rle_dec _ _); [right; left; reflexivity|].
    destruct IH as [same | inside]; [left; exact same | right; right; exact inside].
  Qed.

  Lemma cheapest_has_the_least_cost : forall cost, cost (cheapest cost) = least cost.
  Proof.
    intros cost. unfold cheapest, least. induction others as [|c rest IH]; cbn [fold_right]; [reflexivity|].
    rewrite <- IH. unfold Rmin. destruct (Rle_dec (cost c) _); reflexivity.
  Qed.

  Lemma least_is_a_lower_bound : forall cost c, In c (first :: others) -> least cost <= cost c.
  Proof.
    intros cost c. unfold least. induction others as [|c' rest IH]; cbn [fold_right].
    - intros [same | []]. subst. lra.
    - intros [same | [same | inside]].
      + eapply Rle_trans; [apply Rmin_r | apply IH; left; exact same].
      + subst. apply Rmin_l.
      + eapply Rle_trans; [apply Rmin_r | apply IH; right; exact inside].
  Qed.

  Lemma least_is_monotone : forall cost cost',
    (forall c, In c (first :: others) -> cost c <= cost' c) -> least cost <= least cost'.
  Proof.
    intros cost cost' below. rewrite <- (cheapest_has_the_least_cost cost').
    eapply Rle_trans; [apply least_is_a_lower_bound, cheapest_is_a_choice | apply below, cheapest_is_a_choice].
  Qed.

  Lemma least_of_equals : forall cost cost', (forall c, cost c = cost' c) -> least cost = least cost'.
  Proof. intros. apply Rle_antisym; apply least_is_monotone; intros; rewrite H; lra. Qed.

End Least.

(** ** The dynamic program, for any laws *)

Section Program.

  Context {Choice Observation : Type} (first : Choice) (others : list Choice).
  Variable law : Choice -> expectation Observation.
  Variable value : Observation -> R.

  (** The best value of a history, or b if no value is smaller. *)
  Definition best (b : R) (history : list Observation) : R :=
    fold_right (fun o found => Rmin (value o) found) b history.

  Fixpoint V (k : nat) (b : R) : R :=
    match k with
    | O => b
    | S k' => least first others (fun c => E (law c) (fun o => V k' (Rmin (value o) b)))
    end.

  (** The rule of the program, for v evaluations from the best value b on: it takes a law that attains the minimum.
      What it takes depends on the number of evaluations left and the best value so far, and on nothing else. *)
  Definition choice (left : nat) (b : R) : Choice :=
    cheapest first others (fun c => E (law c) (fun o => V (left - 1) (Rmin (value o) b))).

  Definition program_rule (v : nat) (b : R) : list Observation -> Choice :=
    fun past => choice (v - length past) (best b past).

  (** The means of the program exist: always so for finite laws. *)
  Definition program_has_means : Prop :=
    forall c k b, integrable (law c) (fun o => V k (Rmin (value o) b)).

  (** For every rule, measurable or not. *)
  Lemma no_rule_measurable_or_not_has_a_smaller_mean_than_the_program : program_has_means -> forall r v b,
    (forall past, In (r past) (first :: others)) -> mean_at_least law v r [] (best b) (V v b).
  Proof.
    intros means r v b inside.
    enough (general : forall v past, mean_at_least law v r past (best b) (V v (best b past))) by apply (general v []).
    clear v. induction v; intros past; cbn [mean_at_least V]; [lra|].
    exists (fun o => V v (Rmin (value o) (best b past))).
    split; [apply means|]. split; [intros o; apply (IHv (o :: past))|].
    apply (least_is_a_lower_bound first others (fun c => E (law c) (fun o => V v (Rmin (value o) (best b past))))).
    apply inside.
  Qed.

  (** Claim [optimal-rule]. For every rule that chooses one of finitely many laws from its history, the mean of the best
      value of v evaluations, from the best value b on, is at least V v b. *)
  Theorem no_rule_has_a_smaller_mean_than_the_program : program_has_means -> forall r v b,
    (forall past, In (r past) (first :: others)) -> has_means law r (best b) ->
    V v b <= mean_of_run law v r (best b).
  Proof. intros. apply mean_is_at_least; [assumption|]. now apply no_rule_measurable_or_not_has_a_smaller_mean_than_the_program. Qed.

  (** Claim [optimal-rule]. Coins do not help: the bound holds for a rule that is itself drawn at random. *)
  Theorem no_randomised_rule_has_a_smaller_mean_than_the_program : program_has_means ->
    forall (Seed : Type) (seeds : expectation Seed) (rules : Seed -> rule) v b,
    (forall seed past, In (rules seed past) (first :: others)) ->
    (forall seed, has_means law (rules seed) (best b)) ->
    integrable seeds (fun seed => mean_of_run law v (rules seed) (best b)) ->
    V v b <= E seeds (fun seed => mean_of_run law v (rules seed) (best b)).
  Proof.
    intros means Seed seeds rules v b inside means_r random_variable.
    rewrite <- (E_of_constant seeds (V v b)).
    apply E_is_monotone; [apply constant_is_integrable | assumption |].
    intros seed. apply no_rule_has_a_smaller_mean_than_the_program; auto.
  Qed.

  (** Claim [optimal-rule]. The rule of the program has the mean V v b. *)
  Theorem the_rule_of_the_program_attains_its_value : forall v b,
    mean_of_run law v (program_rule v b) (best b) = V v b.
  Proof.
    intros v b. unfold mean_of_run. change b with (best b []) at 3.
    enough (after : forall k past, (k + length past = v)%nat ->
      mean_after law k (program_rule v b) past (best b) = V k (best b past)) by (apply after; cbn; lia).
    induction k; intros past total; cbn [mean_after V]; [reflexivity|].
    rewrite <- cheapest_has_the_least_cost.
    replace (cheapest first others (fun c => E (law c) (fun o => V k (Rmin (value o) (best b past)))))
      with (program_rule v b past).
    - apply E_same. intros o. apply (IHk (o :: past)). cbn [length]. lia.
    - unfold program_rule, choice. replace (v - length past - 1)%nat with k by lia. reflexivity.
  Qed.

  Lemma the_program_never_ends_above_b : program_has_means -> forall k b, V k b <= b.
  Proof.
    intros means. induction k; intros b; cbn [V]; [lra|].
    eapply Rle_trans; [apply least_is_a_lower_bound; left; reflexivity|].
    eapply Rle_trans; [|apply Req_le, (E_of_constant (law first) b)].
    apply E_is_monotone; [apply means | apply constant_is_integrable |].
    intros o. eapply Rle_trans; [apply IHk | apply Rmin_r].
  Qed.

  (** Claim [optimal-rule]. One evaluation more never raises the result. *)
  Theorem one_evaluation_more_never_raises_the_value_of_the_program : program_has_means -> forall k b,
    V (S k) b <= V k b.
  Proof.
    intros means. induction k; intros b; [apply the_program_never_ends_above_b; assumption|].
    cbn [V]. apply least_is_monotone. intros c _.
    apply (E_is_monotone _ _ (fun o => V k (Rmin (value o) b))); [apply (means c (S k)) | apply means |].
    intros o. apply IHk.
  Qed.

End Program.

(** Claim [optimal-rule]. Larger values never lower the result, nor does a larger best value to begin with.  So for values
    rounded down to a grid the result is at most the true one, and for values rounded up it is at least that. *)
Theorem larger_values_never_lower_the_value_of_the_program :
  forall (Choice Observation : Type) (first : Choice) (others : list Choice)
         (law : Choice -> expectation Observation) (value value' : Observation -> R),
  program_has_means first others law value -> program_has_means first others law value' ->
  (forall o, value o <= value' o) ->
  forall k b b', b <= b' -> V first others law value k b <= V first others law value' k b'.
Proof.
  intros Choice Observation first others law value value' means means' below.
  induction k; intros b b' order; cbn [V]; [assumption|].
  apply least_is_monotone. intros c _. apply E_is_monotone; [apply means | apply means' |].
  intros o. apply IHk. specialize (below o). unfold Rmin. repeat destruct (Rle_dec _ _); lra.
Qed.

(** Claim [optimal-rule]. For finite laws no means are left to assume: the rule of the program chooses among the laws, has
    the mean V v b, and no rule that chooses among them has a smaller one. *)
Theorem the_rule_of_the_program_is_optimal_for_finite_laws :
  forall (Choice Observation : Type) (first : Choice) (others : list Choice)
         (law : Choice -> finite_distribution Observation) (value : Observation -> R) (v : nat) (b : R),
  let laws := fun c => finite_expectation (law c) in
  let best_rule := program_rule first others laws value v b in
  (forall past, In (best_rule past) (first :: others)) /\
  mean_of_run laws v best_rule (best value b) = V first others laws value v b /\
  (forall r, (forall past, In (r past) (first :: others)) ->
     V first others laws value v b <= mean_of_run laws v r (best value b)).
Proof.
  intros. split; [|split].
  - intros. apply cheapest_is_a_choice.
  - apply the_rule_of_the_program_attains_its_value.
  - intros r inside. apply no_rule_has_a_smaller_mean_than_the_program; [|assumption|]; intros ? **; exact I.
Qed.
