(** * Lemma 1, corrected: when the optimal node of a depth is expanded.

    The paper counts h_max iterations per near-optimal node; the right number is
    h_max + 1, and the right sets are the sharp sets G_h below (the printed sets
    contain them: see Theorem2Real.v).  Values are of any totally ordered type:
    "f* + eps_l" is a threshold [theta l]. *)

From Coq Require Import List ZArith Bool Arith Lia.
From EmbeddedHunter Require Import Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts.
Import ListNotations.
Open Scope nat_scope.

Section Lemma1.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation value := (value less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation hunt := (hunt less oracle cfg).
Local Notation limit := (limit cfg).

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

(** Claim [lemma-1].  S_h is at most (K^(h+1) - 1)/(K - 1), the number of nodes of depth at most h. *)
Theorem S_is_at_most_the_number_of_nodes h : (K k - 1) * S_ h + 1 <= K k ^ S h.
Proof.
  rewrite <- length_levels. apply Nat.add_le_mono_r, Nat.mul_le_mono_l.
  unfold S_, G. generalize (levels k h). intros l. induction l as [|x l IH]; cbn; [lia|].
  destruct (near h x); cbn; lia.
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

Lemma expanded_is_kept n m :
  n <= m -> In p (expanded (log (run_for n start))) -> In p (expanded (log (run_for m start))).
Proof.
  intros H Hp. pose proof (run_for_steps_later less oracle cfg n m H) as Hs.
  revert Hs. generalize (run_for m start).
  refine (steps_induction less oracle cfg _ _ _ _ _ _); auto.
  intros q s _ Hq. rewrite expanded_expand. now right.
Qed.

(** Each complete sweep that leaves [p] unexpanded expands a new node of G_h. *)
Lemma expanded_or_one_per_sweep n :
  exhausted (run_for n start) = false ->
  In p (expanded (log (run_for n start))) \/
  n <= length (filter (near h) (expanded (log (run_for n start)))).
Proof.
  (* Induction on the number of sweeps. If the budget was used up before the last one, there is
     nothing to show. *)
  induction n as [|n IH]; intros Hx; [right; lia|].
  pose proof (leaves_are_nodes_start less oracle cfg) as H0.
  pose proof (run_for_reached less oracle cfg n) as Hr.
  destruct (run_for_next less oracle cfg n start H0) as [[E1 E2]|[Ex [E|[E Hd]]]].
  - rewrite E2 in Hx. congruence.
  (* A sweep was made, and [p] was not expanded before it. Then [p] or an ancestor of it is a leaf
     [o] that the sweep reaches. *)
  - destruct (IH Ex) as [Hp|Hn]; [left; apply (expanded_is_kept n); auto|].
    destruct (expanded_or_under_a_leaf less oracle cfg _ Hr Ex p p_is_a_node) as [Hp|(o & Ho & Ha)];
      [left; apply (expanded_is_kept n); auto|].
    pose proof (reached_leaves_are_nodes less oracle cfg _ Hr) as Hln.
    assert (Hlo : length o <= h) by (rewrite <- p_has_depth_h; now apply ancestor_length).
    assert (Hlim : length o <= limit (run_for n start)).
    { unfold Model.limit. apply (in_places less oracle cfg) in Ho; [|exact Hln].
      pose proof (depth_le_deepest _ _ Ho) as Hd. rewrite depth_node_at in Hd. lia. }
    (* By the key lemma the sweep expands a node [x] whose depth and value are at most those of [o].
       So [x] is near-optimal, and there is one more such node. *)
    destruct (sweep_expands less oracle cfg order (run_for n start) o Hln Ho Hlim)
      as [Hex|(new & x & Elog & Hin & Hlx & Hvx)].
    + rewrite E in Hx. congruence.
    + right. rewrite E, Elog, expanded_app, filter_app, app_length.
      enough (1 <= length (filter (near h) (expanded new))) by lia.
      assert (Hnear : In x (filter (near h) (expanded new))).
      { apply filter_In. split; [exact Hin|]. apply near_iff. split; [lia|].
        exists (length o). split; [lia|].
        apply (at_most_trans less order _ (value o)); [exact Hvx|]. now apply branch_is_optimal. }
      destruct (filter (near h) (expanded new)); [easy|cbn; lia].
  (* No sweep was made because there is nothing to expand. Then all nodes of depth at most h_max are
     expanded, also [p]. *)
  - left. rewrite E. apply (full_expanded less oracle cfg); auto; [|lia].
    now apply (nothing_to_expand_full less oracle cfg).
Qed.

(** Claim [lemma-1] [supplement-a4].  Lemma 1 in sweeps: the optimal node of depth h is expanded
    within the first S_h complete sweeps. *)
Theorem the_optimal_node_is_expanded_within_S_sweeps n :
  S_ h <= n -> exhausted (run_for n start) = false ->
  In p (expanded (log (run_for n start))).
Proof.
  (* Suppose that [p] is not expanded. Then at least [n], so at least S_h, near-optimal nodes are
     expanded. *)
  intros Hn Hx. pose proof (run_for_reached less oracle cfg n) as Hr.
  destruct (expanded_or_one_per_sweep n Hx) as [H|H]; [exact H|].
  destruct (in_dec (list_eq_dec Nat.eq_dec) p (expanded (log (run_for n start)))) as [Hp|Hp];
    [exact Hp|]. exfalso.
  (* Together with [p] they are more than S_h different elements of the list G_h, which has S_h
     elements: a contradiction. *)
  assert (Hlt : length (p :: filter (near h) (expanded (log (run_for n start)))) <= length (G h)).
  { apply NoDup_incl_length.
    - constructor; [rewrite filter_In; tauto|]. apply NoDup_filter.
      now apply (no_node_is_expanded_twice less oracle cfg).
    - intros x [<-|Hx'%filter_In]; [apply p_in_G|]. apply in_G. split; [|tauto].
      now apply (expanded_nodes_have_depth_at_most_h_max less oracle cfg (run_for n start) x Hr). }
  cbn [length] in Hlt. unfold S_ in Hn. lia.
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
  intros Ht Hx.
  destruct (Nat.le_gt_cases (S_ h) n) as [Hn|Hn];
    [now apply the_optimal_node_is_expanded_within_S_sweeps|].
  exfalso. pose proof (n_sweeps_make_at_most_a_triangle_of_iterations less oracle cfg n) as H.
  assert (Hlt : forall b n m, 1 <= b -> n < m -> triangle b n < triangle b m).
  { intros b n0 m Hb. induction 1 as [|m Hm IH]; cbn [triangle]; lia. }
  pose proof (Hlt (S (h_max cfg)) n (S_ h) ltac:(lia) Hn). lia.
Qed.

(** Claim [lemma-1] [supplement-a6].  A run that made more iterations than
    min(1,h_max+1) + ... + min(S_h,h_max+1) has expanded the optimal node of depth h, whether or not the
    budget ended it. *)
Theorem a_run_of_more_iterations_has_expanded_the_optimal_node n :
  triangle (S (h_max cfg)) (S_ h) < iterations (run_for n start) ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Ht. pose proof (leaves_are_nodes_start less oracle cfg) as H0.
  assert (Hn : S_ h < n).
  { destruct (Nat.le_gt_cases n (S_ h)) as [Hn|Hn]; [|exact Hn]. exfalso.
    pose proof (n_sweeps_make_at_most_a_triangle_of_iterations less oracle cfg n) as H.
    assert (Hle : forall b n m, n <= m -> triangle b n <= triangle b m).
    { intros b n0 m. induction 1 as [|m Hm IH]; cbn [triangle]; lia. }
    pose proof (Hle (S (h_max cfg)) n (S_ h) Hn). lia. }
  apply (expanded_is_kept (S_ h)); [lia|].
  apply the_optimal_node_is_expanded_within_S_sweeps; [lia|].
  destruct (exhausted (run_for (S_ h) start)) eqn:Ex; [|reflexivity]. exfalso.
  (* an exhausted run stays as it is, and it has made too few iterations *)
  assert (E : forall m, S_ h <= m -> run_for m start = run_for (S_ h) start).
  { induction 1 as [|m Hm IH]; [reflexivity|].
    destruct (run_for_next less oracle cfg m start H0) as [[_ E]|[E _]]; [now rewrite E|].
    rewrite IH in E. congruence. }
  rewrite (E n) in Ht by lia.
  pose proof (n_sweeps_make_at_most_a_triangle_of_iterations less oracle cfg (S_ h)). lia.
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
  In p (expanded (log hunt)).
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
