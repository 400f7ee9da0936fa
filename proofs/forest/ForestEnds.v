(** * Every run of a forest ends, and what its sweeps cost in iterations. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Paths Order RunsTree Forest ForestNodes ForestClasses ForestSteps ForestLoops ForestSweep.
From EmbeddedHunter Require Search SearchEnds.

Section ForestEnds.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation round := (round less cfg trees oracle later arrivals queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation hunt := (Forest.hunt less cfg trees oracle later arrivals queue rank).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation lawful := (forest_is_lawful less cfg trees oracle later arrivals queue rank).
Local Notation initially := (start_invariant cfg trees oracle).

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : forest V) : Prop := forall x, In x (leaves s) -> h_max cfg < depth x.

(** One more sweep: either the run goes on, or it has ended. *)
Lemma run_for_next n s :
  invariant s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = round (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof. rewrite !run_for_is. exact (SearchEnds.run_for_next lawful (fun _ _ _ _ => eq_refl) n s). Qed.

Lemma run_for_steps_later n m : n <= m -> steps (run_for n start) (run_for m start).
Proof.
  rewrite !run_for_is. intros H. eapply steps_of_rank.
  exact (SearchEnds.run_for_steps_later lawful (fun _ _ _ _ => eq_refl) n m start initially H).
Qed.

(** An exhausted run stays as it is. *)
Lemma exhausted_run_stays n m : n <= m -> exhausted (run_for n start) = true -> run_for m start = run_for n start.
Proof. rewrite !run_for_is. exact (SearchEnds.exhausted_run_stays lawful (fun _ _ _ _ => eq_refl) n m start initially). Qed.

(** ** Iterations *)

(** Claim [forest-lemma-1].  A run of n sweeps makes at most (h_max + 1) n iterations. *)
Theorem n_sweeps_of_a_forest_make_at_most_h_max_plus_1_times_n_iterations n :
  iterations (run_for n start) <= S (h_max cfg) * n.
Proof. rewrite run_for_is. exact (SearchEnds.n_sweeps_iterations lawful (fun _ _ _ _ => eq_refl) n start initially). Qed.

(** ** Every run ends *)

Definition ended (s : forest V) : Prop := exhausted s = true \/ nothing_to_expand s.

Lemma enter_made news s : made s <= made (enter news s).
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [lia|].
  destruct (exhausted s); [lia|]. etransitivity; [|apply IH]. destruct a; cbn; lia.
Qed.

Hypothesis k_positive : 1 <= k.

Lemma expansions_evaluate x s :
  exhausted s = false -> invariant s -> In x (leaves s) ->
  made s < made (Forest.expand less cfg trees oracle later queue x s).
Proof.
  intros Hx Hi Hin. rewrite expand_made, length_performed by now apply (leaf_is_a_node cfg trees oracle s).
  apply not_exhausted in Hx. lia.
Qed.

(** A sweep that expands something makes an evaluation. *)
Lemma a_sweep_that_expands_evaluates s :
  exhausted s = false -> invariant s -> nu_mins (sweep s) <> [] -> made s < made (sweep s).
Proof.
  intros Hx Hn Hnu. apply (SearchEnds.a_sweep_that_expands_evaluates lawful expansions_evaluate s Hx Hn).
  change (match nu_mins (sweep s) with [] => true | _ :: _ => false end = false). now destruct (nu_mins (sweep s)).
Qed.

Lemma run_for_ends m : budget cfg <= m -> run_for m start = hunt /\ ended hunt.
Proof.
  intros Hm. unfold Forest.hunt. rewrite !run_for_is.
  refine (SearchEnds.run_for_ends lawful (fun _ _ _ _ => eq_refl) expansions_evaluate (budget cfg) start initially _ m Hm).
  cbn. lia.
Qed.

(** Claim [forest-termination].  Every run of a forest ends, whatever enters: v sweeps are always enough, and
    allowing more gives the same run. *)
Theorem every_run_of_a_forest_ends n : budget cfg <= n -> run_for n start = hunt.
Proof. apply run_for_ends. Qed.

(** Claim [forest-termination].  The run ends with the budget used up or all leaves of all trees deeper than h_max. *)
Theorem a_run_of_a_forest_ends_exhausted_or_full : ended hunt.
Proof. now apply (run_for_ends (budget cfg)). Qed.

End ForestEnds.
