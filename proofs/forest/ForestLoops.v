(** * The loops of a run of the forest consist of steps. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Paths Order Forest ForestNodes ForestClasses ForestSteps.
From EmbeddedHunter Require Search SearchSteps.

Section ForestLoops.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation begin_sweep := (Forest.begin_sweep cfg).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation round := (round less cfg trees oracle later arrivals queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation search := (forest_search less cfg trees oracle later arrivals queue).
Local Notation lawful := (forest_is_lawful less cfg trees oracle later arrivals queue).

Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation step := (step less cfg trees oracle later arrivals queue).

Lemma steps_of_rank s s' : @Search.steps (search rank) s s' -> steps s s'.
Proof.
  induction 1 as [|s s1 s2 _ IH Hst]; [apply Search.steps_none|].
  apply (Search.steps_more (A := search (fun _ => 0%Z)) s s1); [exact IH|]. now apply step_iff, (step_iff _ _ _ _ _ _ _ rank).
Qed.

Lemma steps_none s : steps s s.
Proof. apply Search.steps_none. Qed.

Lemma steps_one s s' : step s s' -> steps s s'.
Proof. intros H. apply SearchSteps.steps_one. now apply step_iff. Qed.

Lemma steps_trans s s1 s2 : steps s s1 -> steps s1 s2 -> steps s s2.
Proof. apply SearchSteps.steps_trans. Qed.

Lemma reached_steps s s' : reached s -> steps s s' -> reached s'.
Proof. apply steps_trans. Qed.

Lemma steps_invariant s s' : steps s s' -> invariant s -> invariant s'.
Proof. apply (SearchSteps.steps_hold (lawful (fun _ => 0%Z))). Qed.

Lemma reached_invariant s : reached s -> invariant s.
Proof. intros H. exact (steps_invariant _ _ H (start_invariant cfg trees oracle)). Qed.

Lemma steps_induction (s0 : forest V) (P : forest V -> Prop) :
  invariant s0 -> P s0 -> (forall s s', steps s0 s -> invariant s -> P s -> step s s' -> P s') ->
  forall s, steps s0 s -> P s.
Proof.
  intros Hi H0 H1. apply (SearchSteps.steps_induction (lawful (fun _ => 0%Z)) s0 P Hi H0).
  intros s s' Hs Hi1 HP Hst. apply (H1 s); auto. now apply step_iff in Hst.
Qed.

(** What the steps preserve holds in every state of every run. *)
Lemma reached_induction (P : forest V -> Prop) :
  P start -> (forall s s', reached s -> invariant s -> P s -> step s s' -> P s') -> forall s, reached s -> P s.
Proof. apply steps_induction, start_invariant. Qed.

(** ** The loops *)

Lemma visit_steps l s : l <= h_max cfg -> exhausted s = false -> invariant s -> steps s (visit l s).
Proof.
  intros Hl Hx Hi. apply steps_of_rank, (SearchSteps.moves_steps (A := search rank) l); [exact Hl|].
  exact (SearchSteps.visit_moves (lawful rank) l s Hx Hi).
Qed.

Lemma limit_h_max (s : forest V) : limit cfg s <= h_max cfg.
Proof. unfold limit. lia. Qed.

(** Induction over the visits of a sweep: [P l] holds before the visit of depth [l]; when the budget
    is used up the remaining visits do not take place. *)
Lemma sweep_induction (P : nat -> forest V -> Prop) s :
  exhausted s = false -> invariant s ->
  (forall l s1, l <= limit cfg s -> exhausted s1 = false -> invariant s1 -> P l s1 -> P (S l) (visit l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit cfg s)) (sweep s).
Proof. intros _. exact (SearchSteps.sweep_induction (lawful rank) P s). Qed.

Lemma sweep_steps s : exhausted s = false -> invariant s -> steps s (sweep s).
Proof. intros Hx Hi. apply steps_of_rank. exact (SearchSteps.sweep_steps (lawful rank) s Hx Hi). Qed.

Lemma enter_steps s : steps s (enter (arrivals s) s).
Proof. exact (Search.enter_steps _ (lawful (fun _ => 0%Z)) s). Qed.

Lemma run_for_is n s : run_for n s = @Search.run_for (search rank) n s.
Proof.
  revert s; induction n as [|n IH]; intros s; [reflexivity|]. cbn [Forest.run_for Search.run_for].
  change (@Search.exhausted (search rank) s) with (exhausted s). destruct (exhausted s); [reflexivity|].
  change (@Search.round (search rank) s) with (round s).
  change (@Search.idle (search rank) (round s)) with (Forest.idle cfg (round s)).
  destruct (Forest.idle cfg (round s)); [reflexivity|apply IH].
Qed.

Lemma run_for_reached n : reached (run_for n start).
Proof.
  apply steps_of_rank. rewrite run_for_is. exact (SearchSteps.run_for_steps (lawful rank) n start (start_invariant _ _ _)).
Qed.

End ForestLoops.
