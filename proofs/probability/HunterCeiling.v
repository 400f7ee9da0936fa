(** * EmbeddedHunter under fresh matrices stays under the ceiling *)

From Coq Require Import Reals.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Causality RealValues Vectors Expectation Ceiling CeilingOfTheMean.
Local Open Scope R_scope.

(** The base point that Algorithm 1 evaluates next, given the values so far (the latest first); the root's if its run is
    over.  By [algorithm_one_is_an_adaptive_rule] this is what every run does. *)
Definition hunter_rule (cfg : settings) (values : list R) : path :=
  match next_request less_real cfg 0 values with
  | Some (p, _) => birth (half cfg) p
  | None => []
  end.

(** Claims [fresh-ceiling] [determinism]. Every run follows [hunter_rule]: the base point of evaluation j + 1 is the rule's
    choice after the values of the first j evaluations. *)
Theorem every_run_follows_the_hunter_rule : forall cfg (oracle : path -> nat -> R) j p n,
  nth_error (requests (hunt less_real oracle cfg)) j = Some (p, n) ->
  hunter_rule cfg (answers less_real cfg oracle j) = birth (half cfg) p.
Proof.
  intros cfg oracle j p n next. unfold hunter_rule.
  rewrite <- algorithm_one_is_an_adaptive_rule.
  - rewrite next. reflexivity.
  - apply reals_are_equal_or_not.
  - apply Nat.lt_le_incl, nth_error_Some. rewrite next. discriminate.
Qed.

(** Claim [fresh-ceiling]. Let [law y] be the law of an evaluation at base point y with a fresh matrix, and let none of
    these laws succeed with probability above pbar.  Then EmbeddedHunter succeeds within v evaluations with probability
    at most 1 - (1 - pbar)^v. *)
Theorem embedded_hunter_does_not_beat_the_ceiling :
  forall (cfg : settings) (law : path -> expectation R) (success : R -> bool) (pbar : R) (v : nat),
  (forall y, integrable (law y) (fun value => if success value then 1 else 0)) ->
  (forall y, probability (law y) success <= pbar) -> pbar <= 1 ->
  has_means law (hunter_rule cfg) (never success) ->
  mean_of_run law v (hunter_rule cfg) (ever success) <= 1 - (1 - pbar) ^ v.
Proof. intros. apply no_adaptive_rule_beats_the_ceiling; assumption. Qed.

(** Claim [fresh-ceiling]. EmbeddedHunter stays under the ceiling of any family of finite laws, with no integrability to
    assume. *)
Theorem embedded_hunter_does_not_beat_the_ceiling_of_finite_laws :
  forall (cfg : settings) (law : path -> finite_distribution R) (success : R -> bool) (pbar : R) (v : nat),
  pbar <= 1 -> (forall y, probability (finite_expectation (law y)) success <= pbar) ->
  mean_of_run (fun y => finite_expectation (law y)) v (hunter_rule cfg) (ever success) <= 1 - (1 - pbar) ^ v.
Proof. intros. apply no_rule_beats_the_ceiling_of_finite_laws; assumption. Qed.
