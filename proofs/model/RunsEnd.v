(** * Every run ends, and it ends with the budget used up or the tree full. *)

From Coq Require Import List ZArith Bool Arith Lia.
From EmbeddedHunter Require Import Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Sweep.
Import ListNotations.
Open Scope nat_scope.

Section RunsEnd.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation steps := (steps less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation hunt := (hunt less oracle cfg).
Local Notation full := (full cfg).

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : state V) : Prop := forall x, In x (leaves s) -> h_max cfg < depth x.

Lemma nothing_to_expand_full s : reached s -> nothing_to_expand s -> full s.
Proof.
  intros Hr Hs q Hq. pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  destruct (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s q Hr Hq) as [_ H].
  apply (in_places less oracle cfg s q Hn) in Hq. apply Hs in Hq.
  rewrite depth_node_at in Hq. lia.
Qed.

(** One sweep more: the run goes on, or it has ended. *)
Lemma run_for_next n s :
  leaves_are_nodes s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = sweep (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof.
  revert s; induction n as [|n IH]; intros s Hn.
  - cbn [Model.run_for]. destruct (exhausted s); [left; auto|right; split; [reflexivity|]].
    left. destruct (nu_min (sweep s)); reflexivity.
  - change (run_for (S (S n)) s) with (if exhausted s then s else
      let s' := sweep s in match nu_min s' with None => s' | Some _ => run_for (S n) s' end).
    change (run_for (S n) s) with (if exhausted s then s else
      let s' := sweep s in match nu_min s' with None => s' | Some _ => run_for n s' end).
    destruct (exhausted s) eqn:Ex; [left; auto|]. cbv zeta.
    destruct (nu_min (sweep s)) eqn:Enu.
    + apply IH. eapply leaves_are_nodes_steps; [exact Hn|]. now apply sweep_steps.
    + destruct (a_sweep_that_expands_nothing_met_a_full_tree less oracle cfg s Hn Ex Enu)
        as (H1 & H2 & H3).
      right. split; [unfold Model.exhausted in *; now rewrite H2|]. right. split; [reflexivity|].
      unfold nothing_to_expand. now rewrite H1.
Qed.

Lemma run_for_steps_next n s : leaves_are_nodes s -> steps (run_for n s) (run_for (S n) s).
Proof.
  intros Hn. pose proof (run_for_steps less oracle cfg n s Hn) as Hs.
  pose proof (leaves_are_nodes_steps less oracle cfg _ _ Hn Hs) as Hn'.
  destruct (run_for_next n s Hn) as [[_ ->]|[Hx [-> |[-> _]]]]; [apply steps_none| |apply steps_none].
  now apply sweep_steps.
Qed.

Lemma run_for_steps_later n m : n <= m -> steps (run_for n start) (run_for m start).
Proof.
  induction 1 as [|m _ IH]; [apply steps_none|].
  eapply steps_trans; [exact IH|]. apply run_for_steps_next, leaves_are_nodes_start.
Qed.

Hypothesis k_positive : 1 <= k.

(** The run has ended. *)
Definition ended (s : state V) : Prop := exhausted s = true \/ full s.

Lemma run_for_ends n s :
  reached s -> budget cfg <= made s + n ->
  forall m, n <= m -> run_for m s = run_for n s /\ ended (run_for n s).
Proof.
  revert s; induction n as [|n IH]; intros s Hr Hb m Hm.
  - assert (Hx : exhausted s = true) by (apply exhausted_left; lia).
    split; [|left; exact Hx]. destruct m; [reflexivity|]. cbn [Model.run_for]. now rewrite Hx.
  - destruct m as [|m]; [lia|]. cbn [Model.run_for].
    destruct (exhausted s) eqn:Ex; [split; [reflexivity|left; exact Ex]|].
    pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
    assert (Hr' : reached (sweep s)).
    { eapply reached_steps; [exact Hr|]. now apply sweep_steps. }
    destruct (nu_min (sweep s)) eqn:Enu.
    + apply IH; [exact Hr'| |lia].
      assert (made s < made (sweep s)); [|lia].
      apply a_sweep_that_expands_evaluates; auto. congruence.
    + split; [reflexivity|]. right. apply nothing_to_expand_full; [exact Hr'|].
      destruct (a_sweep_that_expands_nothing_met_a_full_tree less oracle cfg s Hn Ex Enu)
        as (H1 & _ & H3).
      unfold nothing_to_expand. now rewrite H1.
Qed.

(** Claims [termination] [alg1-line-1].  Every run ends: v sweeps are
    always enough, and allowing more gives the same run. *)
Theorem the_run_ends n : budget cfg <= n -> run_for n start = hunt.
Proof.
  intros H. apply run_for_ends; [apply steps_none|lia|exact H].
Qed.

(** Claim [termination].  The run ends with the budget used up or the tree full. *)
Theorem the_run_ends_exhausted_or_full : ended hunt.
Proof.
  apply (run_for_ends (budget cfg) start) with (m := budget cfg); [apply steps_none|lia|auto].
Qed.

Lemma hunt_reached : reached hunt.
Proof. apply run_for_reached. Qed.

Hypothesis budget_positive : 1 <= budget cfg.

(** Claim [budget-exact].  The run makes exactly v evaluations, unless it fills the
    tree: then all leaves have depth h_max + 1. *)
Theorem the_budget_is_used_exactly_unless_the_tree_is_full :
  length (evaluations (log hunt)) = budget cfg \/ full hunt.
Proof.
  destruct the_run_ends_exhausted_or_full as [H|H]; [left|auto].
  pose proof (evaluations_never_exceed_the_budget less oracle cfg hunt budget_positive hunt_reached).
  rewrite <- (evaluations_made less oracle cfg hunt hunt_reached) in *.
  apply exhausted_left in H. lia.
Qed.

(** Claim [budget-exact].  A full tree takes K^(h_max+1) evaluations at least, so
    that a budget up to that number is always used exactly. *)
Theorem a_budget_up_to_the_number_of_deepest_nodes_is_used_exactly :
  budget cfg <= K k ^ S (h_max cfg) -> length (evaluations (log hunt)) = budget cfg.
Proof.
  intros Hb. destruct the_budget_is_used_exactly_unless_the_tree_is_full as [H|H]; [exact H|].
  pose proof (a_full_tree_has_all_the_deepest_leaves less oracle cfg hunt hunt_reached H) as Hl.
  pose proof (leaves_at_most_evaluations less oracle cfg hunt k_positive hunt_reached) as Hm.
  pose proof (evaluations_never_exceed_the_budget less oracle cfg hunt budget_positive hunt_reached).
  rewrite <- (evaluations_made less oracle cfg hunt hunt_reached) in *. lia.
Qed.

End RunsEnd.

(** Claim [budget-exact].  The default h_max = floor(sqrt v) always allows the
    whole budget: v <= 3^(floor(sqrt v) + 1) <= K^(h_max + 1). *)
Theorem the_default_h_max_allows_the_budget k v :
  1 <= k -> v <= K k ^ S (Nat.sqrt v).
Proof.
  intros Hk. pose proof (Nat.sqrt_spec v (Nat.le_0_l v)) as [_ H].
  set (n := S (Nat.sqrt v)) in *.
  assert (H3 : n * n <= 3 ^ n).
  { clear. destruct n as [|[|n]]; [cbn; lia|cbn; lia|].
    induction n as [|n IH]; [cbn; lia|].
    rewrite Nat.pow_succ_r'. revert IH. generalize (3 ^ S (S n)). intros; nia. }
  assert (3 ^ n <= K k ^ n) by (apply Nat.pow_le_mono_l; unfold K; lia). lia.
Qed.
