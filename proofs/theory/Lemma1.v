(** * Lemma 1, corrected: when the optimal node of a depth is expanded.

    The paper counts h_max iterations per near-optimal node; the right number is
    h_max + 1, and the right sets are the sharp sets G_h below (the printed sets
    contain them: see Theorem2Real.v).  Values are of any totally ordered type:
    "f* + eps_l" is a threshold [theta l]. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts.
From EmbeddedHunter Require SearchLemma1.

Section Lemma1.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation value := (value less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).

(** The thresholds f* + eps_0, f* + eps_1, ... *)
Context (theta : nat -> V).

(** [x] is near-optimal for depth [h]: its depth k is at most h, and its value is at
    most one of theta_k, ..., theta_h; so at most f* + max(eps_k, ..., eps_h). *)
Definition near (h : nat) (x : path) : bool :=
  (length x <=? h) &&
  existsb (fun l => negb (less (theta l) (value x))) (seq (length x) (S h - length x)).

(** The sharp set G_h, and its size S_h. *)
Definition G (h : nat) : list path := filter (near h) (levels k h).
Definition S_ (h : nat) : nat := length (G h).

(** The branch to [p] is optimal: each of its nodes has a value of at most f* + eps
    of its depth. *)
Definition optimal_branch (p : path) : Prop :=
  forall q, ancestor q p -> at_most less (value q) (theta (length q)).

Lemma near_iff h x :
  near h x = true <->
  length x <= h /\ exists l, length x <= l <= h /\ at_most less (value x) (theta l).
Proof.
  unfold near. rewrite andb_true_iff, Nat.leb_le, existsb_exists. unfold at_most. split.
  - intros [H (l & Hl%in_seq & E%negb_true_iff)]. split; [exact H|]. exists l. split; [lia|exact E].
  - intros [H (l & Hl & E)]. split; [exact H|]. exists l. split; [apply in_seq; lia|].
    now apply negb_true_iff.
Qed.

Lemma in_G h x : In x (G h) <-> node k x /\ near h x = true.
Proof.
  unfold G. rewrite filter_In, in_levels. split; [tauto|]. intros [H1 H2].
  repeat split; auto. now apply near_iff in H2.
Qed.

(** Enough iterations are enough sweeps. *)
Lemma enough_sweeps h n :
  (triangle (S (h_max cfg)) (S_ h) < iterations (run_for n start) \/
   triangle (S (h_max cfg)) (S_ h) <= iterations (run_for n start) /\ exhausted (run_for n start) = false) ->
  S_ h <= n /\ exhausted (run_for (S_ h) start) = false.
Proof.
  assert (Hb : forall n, iterations (run_for n start) <= triangle (S (h_max cfg)) n)
    by apply n_sweeps_make_at_most_a_triangle_of_iterations.
  revert Hb. setoid_rewrite run_for_is. intros Hb. refine (SearchLemma1.enough_sweeps (algorithm_one_is_lawful less oracle cfg) (last_sweep less oracle cfg)
    start (triangle (S (h_max cfg))) (S_ h) n (leaves_are_nodes_start less oracle cfg) Hb _). intros a b. apply triangle_grows, le_n_S, Nat.le_0_l.
Qed.

Section Theorems.
Hypothesis order : total_order less.

Variables (h : nat) (p : path).
Hypothesis p_is_a_node : node k p.
Hypothesis p_has_depth_h : length p = h.
Hypothesis h_at_most_h_max : h <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch p.

Lemma p_in_G : In p (G h).
Proof.
  (* [p] is near-optimal for its own depth: its value is at most theta_h. *)
  apply in_G. split; [exact p_is_a_node|]. apply near_iff. split; [lia|]. exists h.
  split; [lia|]. rewrite <- p_has_depth_h at 1. apply branch_is_optimal, ancestor_refl.
Qed.

Lemma S_positive : 1 <= S_ h.
Proof. unfold S_. pose proof p_in_G as H. destruct (G h); [easy|cbn; lia]. Qed.

(** The branch to [p] is an optimal branch in the sense of SearchLemma1.v. *)
Lemma an_optimal_branch : SearchLemma1.optimal (A := algorithm_one less oracle cfg) (holds := leaves_are_nodes less oracle cfg)
  start p (fun o => o = node_at less oracle cfg (place o) /\ ancestor (place o) p) (near h) (G h) (fun _ => true).
Proof.
  (* The parts of the definition, one after another. *)
  split; cbn.
  - apply leaves_are_nodes_start.
  - reflexivity.
  - intros o [Eo Ha%ancestor_length]. rewrite Eo, depth_node_at. lia.
  (* While budget is left, [p] is expanded, or a leaf is [p] or an ancestor of [p]. *)
  - intros s Hr Hx. destruct (expanded_or_under_a_leaf less oracle cfg s Hr Hx p p_is_a_node) as [Hp|(o & Ho & Ha)]; [auto|].
    right. exists (node_at less oracle cfg o). rewrite place_node_at. split; [|auto].
    apply (in_places less oracle cfg); [now apply reached_leaves_are_nodes|exact Ho].
  (* If nothing is left to expand, all nodes of depth at most h_max are expanded. *)
  - intros s Hr _ Hs. apply (full_expanded less oracle cfg); auto; [|lia]. now apply (nothing_to_expand_full less oracle cfg).
  (* The key lemma finds a node [x] whose depth and value are at most those of [o], so [x] is near-optimal. *)
  - intros _ _ s' o x _ _ _ _ _ [Eo Ha] Hn Hx _ _ Hd Hv. rewrite (Hn x Hx) in Hd, Hv. rewrite Eo in Hd, Hv.
    rewrite !depth_node_at in Hd. pose proof (ancestor_length _ _ Ha). apply near_iff. split; [lia|].
    exists (length (place o)). split; [lia|]. apply (at_most_trans less order _ (value (place o))); [exact Hv|].
    now apply branch_is_optimal.
  - exact p_in_G.
  - intros s x Hr Hx Hnear. apply in_G. split; [|exact Hnear].
    now apply (expanded_nodes_have_depth_at_most_h_max less oracle cfg s x Hr).
  - intros s Hr. now apply (no_node_is_expanded_twice less oracle cfg).
Qed.

Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).
Local Notation ordered := (algorithm_one_is_ordered less oracle cfg order).

Lemma expanded_is_kept n m :
  n <= m -> In p (expanded (log (run_for n start))) -> In p (expanded (log (run_for m start))).
Proof.
  rewrite !run_for_is. exact (SearchLemma1.target_is_kept lawful (last_sweep less oracle cfg) an_optimal_branch n m).
Qed.

(** Each complete sweep that leaves [p] unexpanded expands a new node of G_h. *)
Lemma expanded_or_one_per_sweep n :
  exhausted (run_for n start) = false ->
  In p (expanded (log (run_for n start))) \/
  n <= length (filter (near h) (expanded (log (run_for n start)))).
Proof.
  rewrite !run_for_is. rewrite <- (SearchLemma1.number_of_all n) at 3.
  exact (SearchLemma1.expanded_or_one_per_sweep lawful ordered (last_sweep less oracle cfg) (fun _ => eq_refl) an_optimal_branch n).
Qed.

(** With p unexpanded there is room for at most S_h - 1 near-optimal nodes. *)
Lemma near_nodes_leave_room_for_p s : reached less oracle cfg s -> ~ In p (expanded (log s)) ->
  length (filter (near h) (expanded (log s))) < S_ h.
Proof. exact (SearchLemma1.near_nodes_leave_room an_optimal_branch s). Qed.

(** Claim [lemma-1] [supplement-a4].  Lemma 1 in sweeps: the optimal node of depth h is expanded
    within the first S_h complete sweeps. *)
Theorem the_optimal_node_is_expanded_within_S_sweeps n :
  S_ h <= n -> exhausted (run_for n start) = false ->
  In p (expanded (log (run_for n start))).
Proof.
  rewrite !run_for_is. rewrite <- (SearchLemma1.number_of_all n) at 1.
  exact (SearchLemma1.the_target_is_expanded lawful ordered (last_sweep less oracle cfg) (fun _ => eq_refl) an_optimal_branch
    (list_eq_dec Nat.eq_dec) n).
Qed.

(** Claims [lemma-1] [loop-bound-static].  Lemma 1 in iterations, sharp form: when the
    optimal node is expanded, at most min(1,h_max+1) + ... + min(S_h,h_max+1)
    iterations have been made, so at most (h_max + 1) S_h. *)
Theorem the_optimal_node_is_expanded_within_h_max_plus_1_times_S_iterations :
  exhausted (run_for (S_ h) start) = false ->
  In p (expanded (log (run_for (S_ h) start))) /\
  iterations (run_for (S_ h) start) <= triangle (S (h_max cfg)) (S_ h) /\
  triangle (S (h_max cfg)) (S_ h) <= S (h_max cfg) * S_ h.
Proof.
  (* S_h sweeps suffice, and n sweeps make at most min(1,h_max+1) + ... + min(n,h_max+1) iterations.
     *)
  intros Hx. split; [now apply the_optimal_node_is_expanded_within_S_sweeps|].
  split; [apply n_sweeps_make_at_most_a_triangle_of_iterations|apply triangle_at_most].
Qed.

(** Claim [lemma-1].  Lemma 1 for a reader who counts iterations t: once a run has
    made min(1,h_max+1) + ... + min(S_h,h_max+1) iterations and has budget left, the optimal node of
    depth h is expanded. *)
Theorem after_h_max_plus_1_times_S_iterations_the_optimal_node_is_expanded n :
  triangle (S (h_max cfg)) (S_ h) <= iterations (run_for n start) ->
  exhausted (run_for n start) = false ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Ht Hx. apply the_optimal_node_is_expanded_within_S_sweeps; [|exact Hx]. now apply (enough_sweeps h); right.
Qed.

(** Claim [lemma-1] [supplement-a6].  A run that made more iterations than
    min(1,h_max+1) + ... + min(S_h,h_max+1) has expanded the optimal node of depth h, whether or not the
    budget ended it. *)
Theorem a_run_of_more_iterations_has_expanded_the_optimal_node n :
  triangle (S (h_max cfg)) (S_ h) < iterations (run_for n start) ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Ht. destruct (enough_sweeps h n (or_introl Ht)) as [Hn Hx]. apply (expanded_is_kept (S_ h)); [exact Hn|].
  now apply the_optimal_node_is_expanded_within_S_sweeps.
Qed.

Section InEvaluations.
Hypothesis d_positive : 1 <= d.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

(** Claim [lemma-1].  Lemma 1 in evaluations: a budget of
    1 + K S_h (gamma_0 + ... + gamma_h_max) lets S_h sweeps be complete. *)
Theorem the_budget_lets_S_sweeps_be_complete :
  1 + K k * S_ h * sum_of_gammas k d (S (h_max cfg)) <= budget cfg ->
  exhausted (run_for (S_ h) start) = false.
Proof.
  intros Hb. unfold Model.exhausted. apply Nat.leb_gt.
  pose proof (n_sweeps_make_at_most_n_K_gamma_evaluations less oracle cfg
    d_positive cap_den_positive (S_ h) S_positive). lia.
Qed.

(** Claim [lemma-1].  A budget of 1 + K S_h (gamma_0 + ... + gamma_h_max) suffices for
    the run to expand the optimal node of depth h. *)
Theorem the_budget_suffices_to_expand_the_optimal_node :
  1 + K k * S_ h * sum_of_gammas k d (S (h_max cfg)) <= budget cfg ->
  In p (expanded (log (hunt less oracle cfg))).
Proof.
  intros Hb. assert (Hs : S_ h <= budget cfg).
  { pose proof (sum_of_gammas_positive k d (h_max cfg)). unfold K in *. nia. }
  apply (expanded_is_kept (S_ h)); [exact Hs|].
  apply the_optimal_node_is_expanded_within_S_sweeps; [lia|].
  now apply the_budget_lets_S_sweeps_be_complete.
Qed.

End InEvaluations.

End Theorems.

End Lemma1.
