(** * Lemma 1 and Theorem 2 for forests, in sweeps and in iterations.

    Counting form, for values of any totally ordered type, any rules for queues and classes, and any trees
    that enter later, as long as these have queues of their own: only nodes of the first P trees are counted,
    and of these only the nodes in the queues of the optimal branch. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestTrees.
From EmbeddedHunter Require Search SearchLemma1.

Section ForestTheorem2.

Context {V : Type} {F : rules V}.

(** ** The sweeps over a group of trees *)

(** Sweep n + 1 is one of the group. *)
Definition is_turn (group : option nat) (n : nat) : bool :=
  match turn cfg (S n), group with
  | None, None => true
  | Some d, Some d' => d =? d'
  | _, _ => false
  end.

Lemma is_turn_iff group n : is_turn group n = true <-> turn cfg (S n) = group.
Proof.
  unfold is_turn. destruct (turn cfg (S n)) as [d|], group as [d'|]; try easy.
  rewrite Nat.eqb_eq. split; [now intros ->|now intros [= ->]].
Qed.

Lemma in_range_in_group group n (x : leaf V) : is_turn group n = true -> in_range (S n) x = in_group group (place x).
Proof. intros H%is_turn_iff. unfold Forest.in_range. rewrite H. now destruct group. Qed.

(** Of the first n sweeps, one in [period group] is one of the group. *)
Lemma sweeps_of_a_group group n : has_turns group -> n <= SearchLemma1.number (is_turn group) (period group * n).
Proof.
  rewrite Nat.mul_comm. destruct group as [d|]; intros Hg; unfold period.
  - apply In_nth_error in Hg. destruct Hg as (i & Hi).
    assert (Hl : i < length (turns cfg)) by (apply nth_error_Some; congruence).
    apply (SearchLemma1.number_of_a_period _ _ (2 * i + 1)); [lia|]. intros j. apply is_turn_iff.
    set (m := length (turns cfg)) in *. unfold turn. fold m.
    replace (S (j * (2 * m) + (2 * i + 1))) with ((j * m + i + 1) * 2) by lia.
    rewrite Nat.mod_mul, Nat.div_mul by lia. replace (j * m + i + 1 - 1) with (i + j * m) by lia.
    rewrite Nat.mod_add, Nat.mod_small by lia. exact Hi.
  - unfold spacing. destruct (turns cfg) as [|d ds] eqn:E.
    + apply (SearchLemma1.number_of_a_period _ 1 0); [lia|]. intros j. apply is_turn_iff. unfold turn. rewrite E.
      destruct (_ =? _); [|reflexivity]. now destruct ((S (j * 1 + 0) / 2 - 1) mod length (@nil nat)).
    + apply (SearchLemma1.number_of_a_period _ 2 0); [lia|]. intros j. apply is_turn_iff. unfold turn.
      replace (S (j * 2 + 0) mod 2) with 1; [reflexivity|]. apply (Nat.mod_unique _ _ j); lia.
Qed.

(** ** Lemma 1 *)

Section Lemma1.

(** The group whose trees are counted. *)
Context (group : option nat).

(** The thresholds f* + eps_0, f* + eps_1, ... *)
Context (theta : nat -> V).

Lemma along_ancestor a p : a <> [] -> ancestor a p -> along p (level_of a) = a.
Proof.
  intros Ha (m & ->). unfold along, level_of. rewrite <- (length_inner a Ha), app_length.
  replace (length m + length a - length a) with (length m) by lia. now rewrite skipn_app, skipn_all, Nat.sub_diag.
Qed.

Lemma near_iff p x :
  near theta p x = true <->
  exists l, level_of x <= l <= level_of p /\ queue (node_at x) = queue (node_at (along p l)) /\
    at_most less (value x) (theta l).
Proof.
  unfold ForestTerms.near, at_most. rewrite existsb_exists. split.
  - intros (l & Hl%in_seq & H). apply andb_true_iff in H. destruct H as [H1%Nat.eqb_eq H2%negb_true_iff].
    exists l. split; [lia|auto].
  - intros (l & Hl & H1 & H2). exists l. split; [apply in_seq; lia|].
    apply andb_true_iff. split; [now apply Nat.eqb_eq|now apply negb_true_iff].
Qed.

Lemma in_G p x : In x (G group theta p) <-> forest_node x /\ in_group group x = true /\ near theta p x = true.
Proof.
  unfold ForestTerms.G. rewrite filter_In, in_forest_levels, andb_true_iff. split; [tauto|]. intros (H1 & Hg & H2).
  split; [split; [exact H1|]|auto]. apply near_iff in H2. destruct H2 as (l & H2 & _). lia.
Qed.

Section Theorems.
Hypothesis order : total_order less.
Hypothesis group_has_turns : has_turns group.

(** Trees that enter later have queues of their own. *)
Hypothesis later_trees_keep_apart : forall x y,
  tree_of (place x) < trees -> trees <= tree_of (place y) -> queue x <> queue y.

Variable p : path.
Hypothesis p_is_a_node : forest_node p.
Hypothesis p_in_group : in_group group p = true.
Hypothesis depth_at_most_h_max : level_of p <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch theta p.

Lemma p_in_G : In p (G group theta p).
Proof.
  apply in_G. split; [exact p_is_a_node|]. split; [exact p_in_group|]. apply near_iff. exists (level_of p).
  destruct p_is_a_node as [Hne _]. rewrite (along_ancestor p p Hne (ancestor_refl p)).
  split; [lia|]. split; [reflexivity|]. apply branch_is_optimal; [exact Hne|apply ancestor_refl].
Qed.

Definition counted (x : path) : bool := (tree_of x <? trees) && (in_group group x && near theta p x).

(** The branch to [p] is an optimal branch in the sense of SearchLemma1.v. *)
Lemma an_optimal_branch : SearchLemma1.optimal (A := search) (holds := invariant) start p
  (fun o => o = node_at (place o) /\ tree_of (place o) < trees /\ place o <> [] /\ ancestor (place o) p)
  counted (G group theta p) (is_turn group).
Proof.
  assert (Hnode : forall s x, invariant s -> In x (leaves s) -> tree_of (place x) < trees -> x = node_at (place x)).
  { intros s x Hi Hx Ht. destruct (leaf_is_sound s x Hi Hx) as (_ & E & Hv & _).
    unfold ForestTerms.node_at. now rewrite <- (Hv Ht). }
  split; cbn.
  - apply start_invariant.
  - intros n s o Hn Es Hx _ (_ & _ & Hne & Ha).
    rewrite (rounds_sweeps n s Es Hx), (in_range_in_group group n o Hn).
    destruct (ancestor_tree _ _ Hne Ha) as [_ Et]. revert p_in_group. unfold ForestTerms.in_group. now rewrite Et.
  - intros o (Eo & _ & Hne & Ha). pose proof (level_of_ancestor _ _ Hne Ha). rewrite Eo. unfold level_of in *. cbn. lia.
  - intros s Hs Hx. destruct (expanded_or_under_a_leaf s p Hs Hx p_is_a_node) as [Hp|(q & Hq & Hne & Ha)]; [now left|right].
    apply in_map_iff in Hq. destruct Hq as (o & <- & Ho).
    destruct (ancestor_forest_node _ _ Hne Ha p_is_a_node) as (_ & Ht & _).
    exists o. repeat split; auto. apply (Hnode s); auto. now apply reached_invariant.
  - intros s Hs Hx Hf. now apply full_expanded.
  - intros n s s' o x Hn Es Hxs _ _ (Eo & Ht & Hne & Ha) Hi Hx Hr Hq Hd Hv. change (queue x = queue o) in Hq.
    rewrite (rounds_sweeps n s Es Hxs), (in_range_in_group group n x Hn) in Hr.
    assert (Htx : tree_of (place x) < trees).
    { destruct (Nat.lt_ge_cases (tree_of (place x)) trees) as [H|H]; [exact H|].
      exfalso. apply (later_trees_keep_apart o x Ht H). now symmetry. }
    pose proof (Hnode s' x Hi Hx Htx) as Ex. unfold counted. rewrite Hr, (proj2 (Nat.ltb_lt _ _) Htx). apply near_iff.
    exists (level_of (place o)). pose proof (level_of_ancestor _ _ Hne Ha).
    rewrite (along_ancestor (place o) p Hne Ha), <- Ex, <- Eo. rewrite Ex, Eo in Hd, Hv. cbn in Hd, Hv.
    split; [unfold level_of in *; lia|]. split; [exact Hq|].
    apply (at_most_trans less order _ _ _ Hv). now apply branch_is_optimal.
  - exact p_in_G.
  - intros s x Hs Hx Hc. apply andb_true_iff in Hc. destruct Hc as [Ht%Nat.ltb_lt Hc%andb_true_iff].
    apply in_G. split; [|exact Hc]. now apply (nodes_are_nodes s).
  - intros s Hs. now apply expansions_occur_once, reached_invariant.
Qed.

Lemma expanded_is_kept n m :
  n <= m -> In p (expanded (log (run_for n start))) -> In p (expanded (log (run_for m start))).
Proof.
  rewrite !run_for_is. exact (SearchLemma1.target_is_kept lawful last_sweep an_optimal_branch n m).
Qed.

Lemma enough_sweeps n :
  (S (h_max cfg) * (period group * S_ group theta p) < iterations (run_for n start) \/
   S (h_max cfg) * (period group * S_ group theta p) <= iterations (run_for n start) /\ exhausted (run_for n start) = false) ->
  period group * S_ group theta p <= n /\ exhausted (run_for (period group * S_ group theta p) start) = false.
Proof.
  assert (Hb : forall n, iterations (run_for n start) <= S (h_max cfg) * n)
    by apply n_sweeps_of_a_forest_make_at_most_h_max_plus_1_times_n_iterations.
  revert Hb. setoid_rewrite run_for_is. intros Hb. refine (SearchLemma1.enough_sweeps lawful last_sweep
    start (fun n => S (h_max cfg) * n) (period group * S_ group theta p) n start_invariant Hb _).
  intros a b. apply Nat.mul_lt_mono_pos_l, Nat.lt_0_succ.
Qed.

(** Claim [forest-lemma-1].  Lemma 1 for forests, in sweeps: the optimal node of depth h of a tree is expanded within
    2 S_h complete sweeps, S_h counting near-optimal nodes of all P trees in the queues of its branch (S_h, if every sweep
    ranges over all trees); and for each of the G dimensions, within 2 G S_h(d) sweeps if the tree has the dimension d,
    S_h(d) counting near-optimal nodes of the trees of dimension d alone. *)
Theorem the_optimal_node_of_a_tree_is_expanded_within_S_sweeps n :
  period group * S_ group theta p <= n -> exhausted (run_for n start) = false -> In p (expanded (log (run_for n start))).
Proof.
  rewrite !run_for_is. intros Hn. pose proof (sweeps_of_a_group group (S_ group theta p) group_has_turns) as Hg.
  pose proof (SearchLemma1.number_grows (is_turn group) _ _ Hn) as Hm. refine (SearchLemma1.the_target_is_expanded lawful (forest_is_ordered order) last_sweep
    (fun s => enter_expanded (arrivals s) s) an_optimal_branch (list_eq_dec Nat.eq_dec) n _).
  exact (Nat.le_trans _ _ _ Hg Hm).
Qed.

(** Claim [forest-lemma-1].  A run that has made more than 2 (h_max + 1) S_h iterations, or 2 G (h_max + 1) S_h(d)
    (as many, if budget is left), has expanded the optimal node of depth h. *)
Theorem after_h_max_plus_1_times_S_iterations_the_optimal_node_of_a_tree_is_expanded n :
  (S (h_max cfg) * (period group * S_ group theta p) < iterations (run_for n start) \/
   S (h_max cfg) * (period group * S_ group theta p) <= iterations (run_for n start) /\ exhausted (run_for n start) = false) ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Ht. destruct (enough_sweeps n Ht) as [Hn Hx]. apply (expanded_is_kept (period group * S_ group theta p)); [exact Hn|].
  now apply the_optimal_node_of_a_tree_is_expanded_within_S_sweeps.
Qed.

End Theorems.

(** ** Theorem 2 *)

Section Theorem2.
Hypothesis order : total_order less.
Hypothesis group_has_turns : has_turns group.
Hypothesis later_trees_keep_apart : forall x y,
  tree_of (place x) < trees -> trees <= tree_of (place y) -> queue x <> queue y.

(** The branch to [c :: p], a node of depth h + 1 <= h_max + 1 of one of the P trees. *)
Variables (c : nat) (p : path).
Hypothesis p_is_no_root_of_all : p <> [].
Hypothesis branch_is_in_a_tree : forest_node (c :: p).
Hypothesis p_in_group : in_group group p = true.
Hypothesis depth_at_most_h_max : level_of p <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch theta (c :: p).

Let node_p : c < K k /\ forest_node p.
Proof. now apply forest_node_child. Qed.

Let optimal_p : optimal_branch theta p.
Proof. intros a Hne Ha. apply branch_is_optimal; [exact Hne|]. now apply ancestor_child. Qed.

Lemma answer_after_expansion s :
  1 <= trees -> reached s -> exhausted s = false -> In p (expanded (log s)) ->
  forall l, l <= S (level_of p) -> at_most less (answer s) (theta l).
Proof.
  intros Ht1 Hr Hx Hp l Hl.
  assert (Ha : exists a, a <> [] /\ ancestor a (c :: p) /\ level_of a = l).
  { exists (along (c :: p) l). unfold along.
    set (n := length (c :: p) - S l).
    assert (Hlen : length (skipn n (c :: p)) = S l).
    { rewrite skipn_length. unfold n. pose proof (length_inner p p_is_no_root_of_all) as H. unfold level_of in Hl. cbn [length]. unfold path in *. lia. }
    assert (Hne : skipn n (c :: p) <> []) by (intros E; rewrite E in Hlen; discriminate).
    split; [exact Hne|]. split; [exists (firstn n (c :: p)); symmetry; apply firstn_skipn|].
    unfold level_of. rewrite (length_inner _ Hne) in Hlen. lia. }
  destruct Ha as (a & Hne & Ha & <-).
  apply (at_most_trans less order _ (value a)); [|now apply branch_is_optimal].
  pose proof (ancestor_forest_node _ _ Hne Ha branch_is_in_a_tree) as (_ & Hta & _).
  apply (the_answer_of_a_forest_is_at_most_every_value_in_it order s); auto.
  destruct (ancestor_cons _ _ _ Ha) as [->|Ha'].
  - destruct (leaf_or_expanded_nodes s Hr Hx) as [_ H]. now apply H.
  - right. destruct (list_eq_dec Nat.eq_dec a p) as [->|N]; [exact Hp|].
    apply (ancestors_are_expanded s a p Hr); auto.
Qed.

(** Claim [forest-theorem-2].  Theorem 2 for forests, in sweeps: after 2 S_h complete sweeps (S_h, if every sweep ranges over
    all trees), and ever after, the answer is at most f* + eps_l for every l <= h + 1, for the branch of any of the P trees: so it is
    at most the least of these bounds.  For the branch of a tree of dimension d it is so after 2 G S_h(d) sweeps, too. *)
Theorem after_S_sweeps_the_answer_of_a_forest_is_near_optimal n s :
  period group * S_ group theta p <= n -> exhausted (run_for n start) = false -> steps (run_for n start) s ->
  forall l, l <= S (level_of p) -> at_most less (answer s) (theta l).
Proof.
  intros Hn Hx Hs l Hl.
  pose proof (run_for_reached n) as Hr.
  apply (at_most_trans less order _ (answer (run_for n start))).
  - now apply (answer_never_grows order).
  - destruct node_p as [_ Hp]. apply answer_after_expansion; auto; [destruct Hp as (_ & Ht & _); lia|].
    now apply the_optimal_node_of_a_tree_is_expanded_within_S_sweeps.
Qed.

(** Claim [forest-theorem-2].  Theorem 2 for forests, in iterations: once a run has made 2 (h_max + 1) S_h of them, or
    2 G (h_max + 1) S_h(d) (one more, if the budget is used up), the answer is at most f* + eps_l, l <= h + 1. *)
Theorem after_h_max_plus_1_times_S_iterations_the_answer_of_a_forest_is_near_optimal n :
  (S (h_max cfg) * (period group * S_ group theta p) < iterations (run_for n start) \/
   S (h_max cfg) * (period group * S_ group theta p) <= iterations (run_for n start) /\ exhausted (run_for n start) = false) ->
  forall l, l <= S (level_of p) -> at_most less (answer (run_for n start)) (theta l).
Proof.
  intros Ht l Hl. destruct node_p as [_ Hp].
  destruct (enough_sweeps p n Ht) as [Hn Hx].
  apply (after_S_sweeps_the_answer_of_a_forest_is_near_optimal (period group * S_ group theta p)); auto. now apply run_for_steps_later.
Qed.

End Theorem2.

End Lemma1.

End ForestTheorem2.

