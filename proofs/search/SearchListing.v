(** * The run of a search is one that a listing allows: the loops, in the sense of Commands.v. *)

From EmbeddedHunter Require Import Lists Search SearchSteps SearchSweep SearchEnds.
From EmbeddedHunter Require Commands.

Section SearchListing.

Context {A : search} {holds : state -> Prop} (L : lawful A holds).
Context {states : Type} (budget_left : states -> Prop).

(** The state of the listing in iteration [t], and that between two visits. *)
Context (shown : nat -> state -> states).
Local Notation between_visits s := (shown (S (iterations s)) s).

(** The states of the runs. *)
Context (reached : state -> Prop).
Hypothesis reached_holds : forall s, reached s -> holds s.
Hypothesis reached_steps : forall s s', reached s -> steps s s' -> reached s'.
Hypothesis budget_left_iff : forall t s, reached s -> (budget_left (shown t s) <-> exhausted s = false).

Lemma budget_is_left t s : reached s -> exhausted s = false -> budget_left (shown t s).
Proof. intros Hr. now apply budget_left_iff. Qed.

Lemma budget_is_used_up t s : reached s -> exhausted s = true -> ~ budget_left (shown t s).
Proof. intros Hr Hx H. apply budget_left_iff in H; congruence. Qed.

(** The classes of a visit of depth [l], whose commands are [a_class]. *)
Lemma for_each_class {X : Type} (label : class * list leaf -> X) (a_class : X -> Commands.command states) l frozen t :
  l <= h_max ->
  (forall c s, In c frozen -> reached s -> exhausted s = false -> (forall x, In x (snd c) -> In x (leaves s)) ->
     a_class (label c) (shown t s) (shown t (visit_class (queue_of (fst c)) (snd c) s))) ->
  forall cs s, incl cs frozen -> reached s -> frozen_ok l cs s ->
  Commands.for_each budget_left a_class (map label cs) (shown t s) (shown t (visit_classes cs s)).
Proof.
  intros Hl Hc cs. induction cs as [|[r ms] cs IH]; intros s Hin Hr Hf; [apply Commands.no_more_rounds|].
  destruct (exhausted s) eqn:Hx.
  - rewrite (visit_classes_exhausted ((r, ms) :: cs) s Hx). apply Commands.no_more_budget. now apply budget_is_used_up.
  - pose proof (reached_holds s Hr) as Hi. destruct (next_class _ _ _ _ _ Hf) as [_ Hm].
    eapply Commands.one_round; [now apply budget_is_left| |].
    + apply (Hc (r, ms)); auto; [apply Hin; now left|]. intros x H. now apply Hm.
    + apply IH; [intros c H; apply Hin; now right| |exact (frozen_ok_tail L l r ms cs s Hi Hf)].
      apply (reached_steps s); [exact Hr|]. apply (moves_steps l); [exact Hl|]. now apply (visit_class_moves L l r ms cs).
Qed.

Lemma visit_is_reached l s : l <= h_max -> reached s -> exhausted s = false -> reached (visit l s).
Proof.
  intros Hl Hr Hx. apply (reached_steps s); [exact Hr|]. apply (moves_steps l); [exact Hl|]. apply (visit_moves L); auto.
Qed.

(** The visits of a sweep. *)
Lemma for_each_visit (a_visit : nat -> Commands.command states) :
  (forall l s, l <= h_max -> reached s -> exhausted s = false ->
     a_visit l (between_visits s) (between_visits (visit l s))) ->
  forall n l s, l + n <= S h_max -> reached s ->
  Commands.for_each budget_left a_visit (seq l n) (between_visits s) (between_visits (visits n l s)).
Proof.
  intros Hv n. induction n as [|n IH]; intros l s Hl Hr; cbn [visits seq]; [apply Commands.no_more_rounds|].
  destruct (exhausted s) eqn:Hx; [apply Commands.no_more_budget; now apply budget_is_used_up|].
  eapply Commands.one_round; [now apply budget_is_left|apply Hv; auto; lia|].
  apply IH; [lia|]. apply visit_is_reached; auto. lia.
Qed.

(** The sweeps of a run; nothing enters between them.  A run has at most [left s] sweeps left. *)
Lemma sweeps_while_budget_is_left (ends : states -> Prop) (a_sweep : Commands.command states) (left : state -> nat) :
  (forall s, enter s = s) ->
  (forall s, left s = 0 -> exhausted s = true) ->
  (forall s, exhausted s = false -> holds s -> idle (sweep s) = false -> left (sweep s) < left s) ->
  (forall t s, reached s -> (ends (shown t s) <-> idle s = true)) ->
  (forall s, reached s -> exhausted s = false -> a_sweep (between_visits s) (between_visits (sweep s))) ->
  forall n s, reached s -> left s <= n ->
  Commands.while_budget_is_left budget_left ends a_sweep (between_visits s) (between_visits (run_for n s)).
Proof.
  intros enters none_left left_sweep Hidle Hs n. induction n as [|n IH]; intros s Hr Hb; cbn [run_for].
  - apply Commands.budget_used_up, budget_is_used_up; [exact Hr|]. apply none_left. lia.
  - destruct (exhausted s) eqn:Hx; [apply Commands.budget_used_up; now apply budget_is_used_up|].
    assert (E : round s = sweep s) by (unfold round; now rewrite enters, Hx). cbv zeta. rewrite E.
    pose proof (reached_holds s Hr) as Hi.
    assert (Hr1 : reached (sweep s)) by (apply (reached_steps s); [exact Hr|now apply (sweep_steps L)]).
    destruct (idle (sweep s)) eqn:Ei.
    + apply Commands.nothing_expanded; [now apply budget_is_left|now apply Hs|now apply Hidle].
    + eapply Commands.one_sweep; [now apply budget_is_left|now apply Hs|rewrite Hidle by exact Hr1; congruence|].
      apply IH; [exact Hr1|]. pose proof (left_sweep s Hx Hi Ei). lia.
Qed.

End SearchListing.
