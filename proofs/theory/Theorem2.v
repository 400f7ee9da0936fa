(** * Theorem 2, corrected: the regret, in sweeps, in iterations, in evaluations.

    Counting form: S_h is the size of the sharp set G_h of Lemma1.v.  The
    real-valued form, with the paper's tau, delta and printed sets, is in
    Theorem2Real.v. *)

From EmbeddedHunter Require Import Lists Filters Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts Lemma1.

(** A node has an ancestor at every depth up to its own. *)
Lemma ancestor_of_depth p l : l <= length p -> exists q, ancestor q p /\ length q = l.
Proof.
  induction p as [|c p IH]; intros H.
  - exists []. split; [apply ancestor_refl|cbn in *; lia].
  - destruct (Nat.eq_dec l (S (length p))) as [->|N].
    + exists (c :: p). split; [apply ancestor_refl|reflexivity].
    + cbn in H. destruct IH as (q & H1 & H2); [lia|]. exists q. split; [now apply ancestor_child|exact H2].
Qed.

Section Theorem2.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (theta : nat -> V).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation S_ := (S_ less oracle cfg theta).

Hypothesis order : total_order less.

(** Claim [theorem-2].  The answer is at most the root's value, whatever the run did. *)
Theorem the_answer_is_at_most_the_root's_value n :
  at_most less (answer (run_for n start)) (value less oracle cfg []).
Proof.
  apply (the_answer_is_at_most_every_value_in_the_tree less oracle cfg order);
    [apply run_for_reached|].
  pose proof (run_for_steps_later less oracle cfg 0 n ltac:(lia)) as Hs.
  cbn [Model.run_for] in Hs. revert Hs. generalize (run_for n start).
  refine (steps_induction less oracle cfg _ _ _ _ _ _); auto.
  - left. now left.
  - intros q s Hx H. destruct (list_eq_dec Nat.eq_dec [] q) as [<-|N].
    + right. rewrite expanded_expand. now left.
    + destruct H as [H|H]; [|right; rewrite expanded_expand; now right].
      left. unfold places in *. rewrite expand_leaves.
      destruct (affordable less oracle cfg q s); [|exact H].
      apply in_map_iff in H. destruct H as (x & E & Hin). apply in_map_iff. exists x.
      split; [exact E|]. apply replace_leaf_keeps; congruence.
Qed.

(** The branch to [c :: p], a node of depth h + 1 <= h_max + 1. *)
Variables (h : nat) (p : path) (c : nat).
Hypothesis branch_is_in_the_tree : node k (c :: p).
Hypothesis p_has_depth_h : length p = h.
Hypothesis h_at_most_h_max : h <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch less oracle cfg theta (c :: p).

Let node_p : node k p.
Proof. now inversion branch_is_in_the_tree. Qed.

Let optimal_p : optimal_branch less oracle cfg theta p.
Proof. intros q Hq. apply branch_is_optimal. now apply ancestor_child. Qed.

Lemma answer_after_expansion s :
  reached less oracle cfg s -> exhausted s = false -> In p (expanded (log s)) ->
  forall l, l <= S h -> at_most less (answer s) (theta l).
Proof.
  (* Let [q] be the node of depth [l] on the branch to [c :: p]. It is enough that the answer is at
     most its value, and its value at most theta_l. *)
  intros Hr Hx Hp l Hl.
  destruct (ancestor_of_depth (c :: p) l) as (q & Hq & El); [cbn; lia|].
  apply (at_most_trans less order _ (value less oracle cfg q)).
  (* [q] is in the tree: it is the child [c :: p] of the expanded node [p], or it is [p] or an
     ancestor of [p], and then it is expanded. *)
  - apply (the_answer_is_at_most_every_value_in_the_tree less oracle cfg order s Hr).
    destruct (ancestor_cons _ _ _ Hq) as [->|Hq'].
    + destruct (leaf_or_expanded less oracle cfg s Hr Hx) as [_ H].
      apply H; [exact Hp|]. now inversion branch_is_in_the_tree.
    + right. destruct (list_eq_dec Nat.eq_dec q p) as [->|N]; [exact Hp|].
      apply (ancestors_are_expanded less oracle cfg s q p Hr); auto.
  (* The value of [q] is at most theta_l, because the branch is optimal. *)
  - rewrite <- El. now apply branch_is_optimal.
Qed.

(** Claim [theorem-2].  Theorem 2 in sweeps: after S_h complete sweeps, and ever
    after, the answer is at most f* + eps_l for every l <= h + 1. *)
Theorem after_S_sweeps_the_answer_is_near_optimal n s :
  S_ h <= n -> exhausted (run_for n start) = false -> steps less oracle cfg (run_for n start) s ->
  forall l, l <= S h -> at_most less (answer s) (theta l).
Proof.
  (* The answer never grows, so it is enough to look at the state after [n] sweeps. *)
  intros Hn Hx Hs l Hl. apply (at_most_trans less order _ (answer (run_for n start))).
  - now apply (answer_never_grows less oracle cfg order).
  (* By Lemma 1 the optimal node [p] of depth [h] is expanded in this state. *)
  - apply answer_after_expansion; auto; [apply run_for_reached|].
    now apply (the_optimal_node_is_expanded_within_S_sweeps less oracle cfg theta order h).
Qed.

(** Claim [theorem-2].  Theorem 2 in iterations: once a run has made
    min(1,h_max+1) + ... + min(S_h,h_max+1) <= (h_max + 1) S_h iterations (one more,
    if the budget is used up), the answer is at most f* + eps_l, l <= h + 1. *)
Theorem after_h_max_plus_1_times_S_iterations_the_answer_is_near_optimal n :
  (triangle (S (h_max cfg)) (S_ h) < iterations (run_for n start) \/
   triangle (S (h_max cfg)) (S_ h) <= iterations (run_for n start) /\
   exhausted (run_for n start) = false) ->
  forall l, l <= S h -> at_most less (answer (run_for n start)) (theta l).
Proof.
  intros Ht l Hl.
  destruct (enough_sweeps less oracle cfg theta h n Ht) as [Hn Hx].
  apply (after_S_sweeps_the_answer_is_near_optimal (S_ h)); auto. now apply run_for_steps_later.
Qed.

Section InEvaluations.
Hypothesis d_positive : 1 <= d.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

(** Claim [theorem-2].  Theorem 2 in evaluations: with a budget of at least
    1 + K S_h (gamma_0 + ... + gamma_h_max) evaluations, gamma_l =
    min(K^l, 1 + d ((K^ceil(l/d) - 1)/2)^2), the answer of the run is at most
    f* + eps_l for every l <= h + 1. *)
Theorem with_budget_K_S_gamma_the_answer_is_near_optimal :
  1 + K k * S_ h * sum_of_gammas k d (S (h_max cfg)) <= budget cfg ->
  forall l, l <= S h -> at_most less (answer (hunt less oracle cfg)) (theta l).
Proof.
  intros Hb l Hl.
  assert (Hs : S_ h <= budget cfg).
  { pose proof (sum_of_gammas_positive k d (h_max cfg)). unfold K in *. nia. }
  apply (after_S_sweeps_the_answer_is_near_optimal (S_ h)); auto.
  - now apply (the_budget_lets_S_sweeps_be_complete less oracle cfg theta h p).
  - now apply run_for_steps_later.
Qed.

(** Claim [theorem-2].  Theorem 2 in evaluations, without knowledge of the function: a
    budget of 1 + K (number of nodes of depth at most h) (gamma_0 + ... + gamma_h_max) suffices. *)
Corollary with_budget_for_all_nodes_the_answer_is_near_optimal :
  1 + K k * length (levels k h) * sum_of_gammas k d (S (h_max cfg)) <= budget cfg ->
  forall l, l <= S h -> at_most less (answer (hunt less oracle cfg)) (theta l).
Proof.
  intros Hb. apply with_budget_K_S_gamma_the_answer_is_near_optimal.
  assert (S_ h <= length (levels k h)) by apply length_filter.
  assert (K k * S_ h * sum_of_gammas k d (S (h_max cfg))
    <= K k * length (levels k h) * sum_of_gammas k d (S (h_max cfg)));
    [|lia].
  apply Nat.mul_le_mono_r, Nat.mul_le_mono_l. assumption.
Qed.

End InEvaluations.

End Theorem2.
