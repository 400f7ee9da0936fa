(** * Every run of a forest ends, and what its sweeps cost in iterations. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep.
From EmbeddedHunter Require Search SearchEnds SearchSteps.

Section ForestEnds.

Context {V : Type} {F : rules V}.

(** A sweep that ends the run has nothing to expand. *)
Lemma last_sweep s : exhausted s = false -> invariant s -> idle (sweep s) = true -> nothing_to_expand (sweep s).
Proof.
  intros Hx Hi He. apply (SearchEnds.an_idle_sweep_met_full_trees lawful); auto; [|exact (Search.idle_nu _ lawful _ He)].
  intros x _. change (in_range (S (sweeps s)) x = true). rewrite <- (sweep_sweeps s Hx Hi).
  unfold Forest.idle in He. unfold Forest.in_range. destruct (nu_mins (sweep s)), (turn cfg (sweeps (sweep s))); easy.
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
Proof. rewrite !run_for_is. exact (SearchEnds.run_for_steps_later lawful last_sweep n m start start_invariant). Qed.

(** Induction over the sweeps of a run. *)
Lemma runs_induction (P : nat -> forest V -> Prop) :
  P 0 start -> (forall n s, P n s -> P (S n) s) ->
  (forall n, let s := run_for n start in let s1 := enter (arrivals s) s in reached s -> reached s1 -> P n s ->
     (exhausted s1 = true -> P (S n) s1) /\ (exhausted s1 = false -> P (S n) (sweep s1))) ->
  forall n, P n (run_for n start).
Proof.
  intros H0 Hs H1 n. induction n as [|n IH]; [exact H0|].
  destruct (run_for_next n start start_invariant) as [[_ ->]|[_ [-> |[-> _]]]]; auto. unfold Forest.round.
  pose proof (run_for_reached n) as Hr. destruct (H1 n Hr (steps_trans _ _ _ Hr (enter_steps _)) IH) as [H2 H3].
  destruct (exhausted _); auto.
Qed.

(** ** Iterations *)

(** Claim [forest-lemma-1].  The first n sweeps, of either kind, make at most min(1, h_max + 1) + ... + min(n, h_max + 1) iterations:
    when sweep s begins, the forest has depth s - 1 at most. *)
Theorem n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations n :
  iterations (run_for n start) <= triangle (S (h_max cfg)) n.
Proof.
  rewrite run_for_is. apply (SearchEnds.n_sweeps_iterations lawful last_sweep start start_invariant).
  intros x Hx. apply in_map_iff in Hx. now destruct Hx as (t & <- & _).
Qed.

(** Claim [forest-lemma-1].  A run of n sweeps makes at most (h_max + 1) n iterations. *)
Corollary n_sweeps_of_a_forest_make_at_most_h_max_plus_1_times_n_iterations n :
  iterations (run_for n start) <= S (h_max cfg) * n.
Proof. etransitivity; [apply n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations|apply triangle_at_most]. Qed.

(** ** The number of sweeps *)

(** After [n] rounds. *)
Lemma rounds_sweeps n s : s = Search.enter (Search.rounds (A := search) n start) -> exhausted s = false -> sweeps s = n.
Proof.
  revert s; induction n as [|n IH]; intros s -> H; [cbn; apply enter_sweeps|]. cbn [Search.rounds] in H |- *.
  set (s := Search.rounds (A := search) n start) in *. specialize (IH _ eq_refl).
  assert (Hi : invariant (enter (arrivals s) s)).
  { apply reached_invariant. eapply steps_trans; [exact (SearchSteps.rounds_steps lawful n start start_invariant)|apply enter_steps]. }
  change (exhausted (enter (arrivals (round s)) (round s)) = false) in H.
  change (sweeps (enter (arrivals (round s)) (round s)) = S n). rewrite enter_sweeps.
  change (exhausted (enter (arrivals s) s) = false -> sweeps (enter (arrivals s) s) = n) in IH.
  pose proof (enter_made (arrivals (round s)) (round s)) as Hm. apply not_exhausted in H. unfold Forest.round in *.
  destruct (exhausted (enter (arrivals s) s)) eqn:Ex; [apply exhausted_left in Ex; lia|].
  rewrite sweep_sweeps by assumption. now rewrite IH.
Qed.

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

Hypothesis k_positive : 1 <= k.

Lemma expansions_evaluate x s :
  exhausted s = false -> invariant s -> In x (leaves s) ->
  made s < made (expand x s).
Proof.
  intros Hx Hi Hin. rewrite expand_made, length_performed by now apply (leaf_is_a_node s).
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

Lemma left_sweep s : exhausted s = false -> invariant s -> idle (sweep s) = false -> left (sweep s) < left s.
Proof.
  intros Hx Hi He. pose proof (sweep_sweeps s Hx Hi) as Es.
  pose proof (sweep_made_grows s Hx Hi) as Hm. pose proof spacing_positive as Hp.
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
    (spacing cfg * budget cfg) start start_invariant left_start m Hm).
Qed.

(** Claim [forest-termination].  Every run of a forest ends, whatever enters: 2 v sweeps are always enough, v if every sweep
    ranges over all trees, and allowing more gives the same run. *)
Theorem every_run_of_a_forest_ends n : spacing cfg * budget cfg <= n -> run_for n start = hunt.
Proof. apply run_for_ends. Qed.

(** Claim [forest-termination].  The run ends with the budget used up or all leaves of all trees deeper than h_max. *)
Theorem a_run_of_a_forest_ends_exhausted_or_full : ended hunt.
Proof. now apply (run_for_ends (spacing cfg * budget cfg)). Qed.

End ForestEnds.

