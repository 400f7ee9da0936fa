(** * Every run ends, and it ends with the budget used up or the tree full. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Sweep.
From EmbeddedHunter Require Search SearchEnds.

Section RunsEnd.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation exhausted := (exhausted cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation hunt := (hunt less oracle cfg).
Local Notation full := (full cfg).
Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : state V) : Prop := forall x, In x (leaves s) -> h_max cfg < depth x.

Lemma nothing_to_expand_full s : reached less oracle cfg s -> nothing_to_expand s -> full s.
Proof.
  intros Hr Hs q Hq. pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  destruct (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s q Hr Hq) as [_ H].
  apply (in_places less oracle cfg s q Hn) in Hq. apply Hs in Hq.
  rewrite depth_node_at in Hq. lia.
Qed.

(** A sweep that ends the run has nothing to expand. *)
Lemma last_sweep (s : state V) : exhausted s = false -> leaves_are_nodes s ->
  @Search.idle (algorithm_one less oracle cfg) (sweep s) = true -> nothing_to_expand (sweep s).
Proof.
  intros Hx Hn He. apply (SearchEnds.an_idle_sweep_met_full_trees lawful); auto. exact (Search.idle_nu _ lawful _ He).
Qed.

(** One sweep more: the run goes on, or it has ended. *)
Lemma run_for_next n s :
  leaves_are_nodes s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = sweep (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof.
  rewrite !run_for_is. intros Hn.
  destruct (SearchEnds.run_for_next lawful last_sweep n s Hn) as [H|[Hx H]]; [now left|right].
  split; [exact Hx|]. destruct H as [H|H]; [left|right; exact H]. rewrite H. unfold Search.round. cbn [Search.enter algorithm_one]. now rewrite Hx.
Qed.

Lemma run_for_steps_later n m : n <= m -> steps less oracle cfg (run_for n start) (run_for m start).
Proof.
  rewrite !run_for_is. apply (SearchEnds.run_for_steps_later lawful last_sweep), leaves_are_nodes_start.
Qed.

(** An exhausted run stays as it is. *)
Lemma exhausted_run_stays n m : n <= m -> exhausted (run_for n start) = true -> run_for m start = run_for n start.
Proof.
  rewrite !run_for_is. exact (SearchEnds.exhausted_run_stays lawful last_sweep n m start
    (leaves_are_nodes_start less oracle cfg)).
Qed.

Hypothesis k_positive : 1 <= half cfg.

(** The run has ended. *)
Definition ended (s : state V) : Prop := exhausted s = true \/ full s.

Lemma expansions_evaluate x s :
  exhausted s = false -> leaves_are_nodes s -> In x (leaves s) -> made s < made (expand less oracle cfg x s).
Proof.
  intros Hx Hi Hin. rewrite (Hi x Hin), expand_made.
  pose proof (performed_nonempty less oracle cfg (place x) s k_positive Hx). lia.
Qed.

(** A sweep that expands something makes an evaluation. *)
Lemma a_sweep_that_expands_evaluates s :
  exhausted s = false -> leaves_are_nodes s -> nu_min (sweep s) <> None -> made s < made (sweep s).
Proof.
  intros Hx Hn Hnu. destruct (SearchEnds.a_sweep_that_expands_evaluates lawful expansions_evaluate s Hx Hn) as [_ [H|H]]; [|exact H].
  now specialize (H tt).
Qed.

(** The number of evaluations left bounds that of sweeps left. *)
Definition left (s : state V) : nat := budget cfg - made s.

Lemma left_sweep s : exhausted s = false -> leaves_are_nodes s ->
  @Search.idle (algorithm_one less oracle cfg) (sweep s) = false -> left (sweep s) < left s.
Proof.
  intros Hx Hn Hi. assert (H : made s < made (sweep s)).
  { apply a_sweep_that_expands_evaluates; auto. intros E. unfold Search.idle, algorithm_one in Hi. now rewrite E in Hi. }
  unfold left, Model.exhausted in *. apply Nat.leb_gt in Hx. lia.
Qed.

Lemma none_left s : left s = 0 -> exhausted s = true.
Proof. intros H%Nat.sub_0_le. now apply Nat.leb_le. Qed.

Lemma run_for_ends m : budget cfg <= m -> run_for m start = hunt /\ ended hunt.
Proof.
  intros Hm. pose proof (leaves_are_nodes_start less oracle cfg) as Hn. unfold Model.hunt. rewrite !run_for_is.
  destruct (SearchEnds.run_for_ends lawful last_sweep left none_left (fun s _ => le_n (left s)) left_sweep (budget cfg) start Hn) with (m := m)
    as [H1 H2]; [unfold left; lia|exact Hm|].
  split; [exact H1|]. destruct H2 as [H2|H2]; [now left|right]. apply nothing_to_expand_full; [|exact H2].
  rewrite <- run_for_is. apply run_for_reached.
Qed.

(** Claims [termination] [alg1-line-1].  Every run ends: v sweeps are
    always enough, and allowing more gives the same run. *)
Theorem the_run_ends n : budget cfg <= n -> run_for n start = hunt.
Proof. apply run_for_ends. Qed.

(** Claim [termination].  The run ends with the budget used up or the tree full. *)
Theorem the_run_ends_exhausted_or_full : ended hunt.
Proof. now apply (run_for_ends (budget cfg)). Qed.

Lemma hunt_reached : reached less oracle cfg hunt.
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
  budget cfg <= K (half cfg) ^ S (h_max cfg) -> length (evaluations (log hunt)) = budget cfg.
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
