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

(** A sweep that ends the run has nothing to expand. *)
Lemma last_sweep s : exhausted s = false -> invariant s -> Forest.idle cfg (sweep s) = true -> nothing_to_expand (sweep s).
Proof.
  intros Hx Hi He. apply (SearchEnds.an_idle_sweep_met_full_trees lawful); auto; [|exact (Search.idle_nu _ lawful _ He)].
  intros x _. change (in_range cfg (S (sweeps s)) x = true). rewrite <- (sweep_sweeps less cfg trees oracle later queue rank s Hx Hi).
  unfold Forest.idle in He. unfold in_range. destruct (nu_mins (sweep s)), (turn cfg (sweeps (sweep s))); easy.
Qed.

(** One more sweep: either the run goes on, or it has ended. *)
Lemma run_for_next n s :
  invariant s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = round (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof. rewrite !run_for_is. exact (SearchEnds.run_for_next lawful last_sweep n s). Qed.

Lemma run_for_steps_later n m : n <= m -> steps (run_for n start) (run_for m start).
Proof.
  rewrite !run_for_is. intros H. eapply steps_of_rank.
  exact (SearchEnds.run_for_steps_later lawful last_sweep n m start initially H).
Qed.

(** ** Iterations *)

(** Claim [forest-lemma-1].  The first n sweeps, of either kind, make at most min(1, h_max + 1) + ... + min(n, h_max + 1) iterations:
    when sweep s begins, the forest has depth s - 1 at most. *)
Theorem n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations n :
  iterations (run_for n start) <= triangle (S (h_max cfg)) n.
Proof.
  rewrite run_for_is. apply (SearchEnds.n_sweeps_iterations lawful last_sweep start initially).
  intros x Hx. apply in_map_iff in Hx. now destruct Hx as (t & <- & _).
Qed.

(** Claim [forest-lemma-1].  A run of n sweeps makes at most (h_max + 1) n iterations. *)
Corollary n_sweeps_of_a_forest_make_at_most_h_max_plus_1_times_n_iterations n :
  iterations (run_for n start) <= S (h_max cfg) * n.
Proof. etransitivity; [apply n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations|apply triangle_at_most]. Qed.

(** ** Between two sweeps *)

Lemma enter_made news s : made s <= made (enter news s).
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [lia|].
  destruct (exhausted s); [lia|]. etransitivity; [|apply IH]. destruct a; cbn; lia.
Qed.

Lemma enter_sweeps news s : sweeps (enter news s) = sweeps s.
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [reflexivity|].
  destruct (exhausted s); [reflexivity|]. rewrite IH. now destruct a.
Qed.

(** The number of sweeps after [n] rounds. *)
Lemma rounds_sweeps n s : s = Search.enter (Search.rounds (A := forest_search less cfg trees oracle later arrivals queue rank) n start) ->
  exhausted s = false -> sweeps s = n.
Proof.
  revert s; induction n as [|n IH]; intros s -> H; [cbn; apply enter_sweeps|]. cbn [Search.rounds] in H |- *.
  set (s := Search.rounds (A := forest_search less cfg trees oracle later arrivals queue rank) n start) in *. specialize (IH _ eq_refl).
  assert (Hi : invariant (enter (arrivals s) s)).
  { apply (SearchSteps.steps_hold lawful start); [|exact initially].
    eapply SearchSteps.steps_trans; [exact (SearchSteps.rounds_steps lawful n start initially)|apply (Search.enter_steps _ lawful)]. }
  change (exhausted (enter (arrivals (round s)) (round s)) = false) in H.
  change (sweeps (enter (arrivals (round s)) (round s)) = S n). rewrite enter_sweeps.
  change (exhausted (enter (arrivals s) s) = false -> sweeps (enter (arrivals s) s) = n) in IH.
  pose proof (enter_made (arrivals (round s)) (round s)) as Hm. apply not_exhausted in H. unfold Forest.round in *.
  destruct (exhausted (enter (arrivals s) s)) eqn:Ex; [apply exhausted_left in Ex; lia|].
  rewrite (sweep_sweeps less cfg trees oracle later queue rank) by assumption. now rewrite IH.
Qed.

(** ** The number of sweeps *)

(** A bound on the number of sweeps left: a sweep over all trees makes an evaluation or ends the run, and every second
    sweep is one. *)
Definition left (s : forest V) : nat :=
  spacing cfg * (budget cfg - made s) + match turn cfg (S (sweeps s)) with None => 0 | Some _ => 1 end.

Lemma turns_are_spaced n d : turn cfg n = Some d -> spacing cfg = 2 /\ turn cfg (S n) = None.
Proof.
  unfold turn, spacing. destruct (Nat.eqb_spec (n mod 2) 0) as [E|]; [|discriminate]. intros Hd. split.
  - destruct (turns cfg); [|reflexivity]. now destruct ((n / 2 - 1) mod length (@nil nat)).
  - replace (S n mod 2) with 1; [reflexivity|]. pose proof (Nat.div_mod n 2). apply (Nat.mod_unique _ _ (n / 2)); lia.
Qed.

Lemma spacing_positive : 1 <= spacing cfg.
Proof. unfold spacing. destruct (turns cfg); lia. Qed.

Lemma none_left s : left s = 0 -> exhausted s = true.
Proof. unfold left. pose proof spacing_positive. intros H1. apply exhausted_left. nia. Qed.

Lemma left_enter s : left (enter (arrivals s) s) <= left s.
Proof. unfold left. rewrite enter_sweeps. pose proof (enter_made (arrivals s) s). nia. Qed.

Lemma left_start : left start <= spacing cfg * budget cfg.
Proof.
  unfold left. cbn [Forest.start made sweeps]. change (turn cfg 1) with (@None nat). rewrite Nat.add_0_r.
  apply Nat.mul_le_mono_l. lia.
Qed.

(** ** Every run ends *)

Definition ended (s : forest V) : Prop := exhausted s = true \/ nothing_to_expand s.

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
  intros Hx Hn Hnu. destruct (SearchEnds.a_sweep_that_expands_evaluates lawful expansions_evaluate s Hx Hn) as [_ [H|H]]; [|exact H].
  destruct (nu_mins (sweep s)) as [|[u w] nus] eqn:E; [easy|]. specialize (H u).
  change (nu_min u (nu_mins (sweep s)) = None) in H. rewrite E in H. cbn in H. now rewrite Nat.eqb_refl in H.
Qed.

Lemma left_sweep s : exhausted s = false -> invariant s -> Forest.idle cfg (sweep s) = false -> left (sweep s) < left s.
Proof.
  intros Hx Hi He. pose proof (sweep_sweeps less cfg trees oracle later queue rank s Hx Hi) as Es.
  pose proof (sweep_made_grows less cfg trees oracle later queue rank s Hx Hi) as Hm. pose proof spacing_positive as Hp.
  unfold left. rewrite Es. apply not_exhausted in Hx. destruct (turn cfg (S (sweeps s))) as [d|] eqn:Et.
  - destruct (turns_are_spaced _ _ Et) as [-> ->]. lia.
  - assert (H : made s < made (sweep s)).
    { apply a_sweep_that_expands_evaluates; [now apply not_exhausted|exact Hi|]. intros E. unfold Forest.idle in He.
      now rewrite E, Es, Et in He. }
    destruct (turn cfg (S (S (sweeps s)))) as [d|] eqn:Et'; [destruct (turns_are_spaced _ _ Et') as [-> _]|]; nia.
Qed.

Lemma run_for_ends m : spacing cfg * budget cfg <= m -> run_for m start = hunt /\ ended hunt.
Proof.
  intros Hm. unfold Forest.hunt. rewrite !run_for_is.
  exact (SearchEnds.run_for_ends lawful last_sweep left none_left (fun s _ => left_enter s) left_sweep
    (spacing cfg * budget cfg) start initially left_start m Hm).
Qed.

(** Claim [forest-termination].  Every run of a forest ends, whatever enters: 2 v sweeps are always enough, v if every sweep
    ranges over all trees, and allowing more gives the same run. *)
Theorem every_run_of_a_forest_ends n : spacing cfg * budget cfg <= n -> run_for n start = hunt.
Proof. apply run_for_ends. Qed.

(** Claim [forest-termination].  The run ends with the budget used up or all leaves of all trees deeper than h_max. *)
Theorem a_run_of_a_forest_ends_exhausted_or_full : ended hunt.
Proof. now apply (run_for_ends (spacing cfg * budget cfg)). Qed.

End ForestEnds.
