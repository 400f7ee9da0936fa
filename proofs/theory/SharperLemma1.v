(** * A sharper Lemma 1: the last sweep needs only the visits of depths 0, ..., h.

    Lemma1.v counts all iterations of the S_h sweeps.  The sweep that expands the optimal node of
    depth h does so at a visit of depth h or less, so of that sweep only the first h + 1
    iterations count. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Theorem2.

(** The iterations of n - 1 sweeps, the s-th of at most min(s, b) iterations, and of the first m
    visits of the n-th sweep:
    min(1,b) + ... + min(n-1,b) + min(n,m). *)
Definition sharper_triangle (b m n : nat) : nat := triangle b (n - 1) + Nat.min n m.

Lemma triangle_grows b n n' : n <= n' -> triangle b n <= triangle b n'.
Proof. induction 1 as [|n' H IH]; cbn [triangle]; lia. Qed.

Lemma sharper_triangle_at_most b m n : m <= b -> sharper_triangle b m n <= b * n.
Proof.
  unfold sharper_triangle. destruct n as [|n]; [cbn; lia|]. pose proof (triangle_at_most b n).
  cbn [Nat.sub]. rewrite Nat.sub_0_r. lia.
Qed.

Lemma sharper_triangle_grows b m n n' : n <= n' -> sharper_triangle b m n <= sharper_triangle b m n'.
Proof. intros H. unfold sharper_triangle. pose proof (triangle_grows b (n - 1) (n' - 1) ltac:(lia)). lia. Qed.

Section SharperLemma1.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (theta : nat -> V).

Local Notation exhausted := (exhausted cfg).
Local Notation visits := (visits less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation steps := (steps less oracle cfg).
Local Notation limit := (limit cfg).
Local Notation S_ := (S_ less oracle cfg theta).

(** ** The first visits of a sweep *)

(** The state of a sweep after its visits of depths 0, ..., l. *)
Definition first_visits (l : nat) (s : state V) : state V := visits (S l) 0 (begin_sweep cfg s).

Lemma visits_of_an_exhausted_state n l s : exhausted s = true -> visits n l s = s.
Proof. intros H. destruct n; cbn [Model.visits]; [reflexivity|]. now rewrite H. Qed.

Lemma visits_in_two_parts n m l s : visits (n + m) l s = visits m (n + l) (visits n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s; [reflexivity|]. cbn [Nat.add Model.visits].
  destruct (exhausted s) eqn:E; [now rewrite visits_of_an_exhausted_state|].
  rewrite IH. f_equal. lia.
Qed.

Lemma a_sweep_goes_on l s : l <= limit s ->
  sweep less oracle cfg s = visits (limit s - l) (S l) (first_visits l s).
Proof.
  intros H. unfold Model.sweep, first_visits.
  replace (S (limit s)) with (S l + (limit s - l)) by lia.
  rewrite visits_in_two_parts. f_equal. lia.
Qed.

Lemma visits_iterations n l s :
  leaves_are_nodes less oracle cfg s -> iterations (visits n l s) <= iterations s + n.
Proof.
  revert l s. induction n as [|n IH]; intros l s Hn; cbn [Model.visits]; [lia|].
  destruct (exhausted s) eqn:E; [lia|]. specialize (IH (S l) (visit less oracle cfg l s)).
  rewrite (visit_iterations less oracle cfg) in IH by assumption.
  enough (H : leaves_are_nodes less oracle cfg (visit less oracle cfg l s)) by (specialize (IH H); lia).
  eapply leaves_are_nodes_moves; [exact Hn|now apply visit_moves].
Qed.

Lemma visits_steps n l s : n + l <= S (h_max cfg) -> leaves_are_nodes less oracle cfg s ->
  steps s (visits n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s H Hn; cbn [Model.visits]; [apply steps_none|].
  destruct (exhausted s) eqn:E; [apply steps_none|].
  pose proof (visit_moves less oracle cfg l s E Hn) as Hm.
  eapply steps_trans; [apply (moves_steps less oracle cfg l); [lia|exact Hm]|].
  apply IH; [lia|]. eapply leaves_are_nodes_moves; eauto.
Qed.

Lemma first_visits_steps l s : exhausted s = false -> l <= h_max cfg ->
  leaves_are_nodes less oracle cfg s -> steps s (first_visits l s).
Proof.
  intros E Hl Hn. eapply steps_trans; [apply step_sweep, E|].
  apply visits_steps; [lia|exact Hn].
Qed.

(** ** The sharper lemma *)

Hypothesis order : total_order less.

Variables (h : nat) (p : path).
Hypothesis p_is_a_node : node (half cfg) p.
Hypothesis p_has_depth_h : length p = h.
Hypothesis h_at_most_h_max : h <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch less oracle cfg theta p.

Local Notation enough := (sharper_triangle (S (h_max cfg)) (S h) (S_ h)).

(** A run of S_h sweeps or more passes through a state, after so few iterations, in which p is expanded; or the
    budget was used up before. *)
Lemma the_run_expands_p_or_ends_early n : S_ h <= n ->
  (exists s, reached s /\ steps s (run_for n start) /\ exhausted s = false /\
     In p (expanded (log s)) /\ iterations s <= enough) \/
  (exhausted (run_for n start) = true /\ iterations (run_for n start) <= enough).
Proof.
  intros Hn.
  pose proof (S_positive less oracle cfg theta h p p_is_a_node p_has_depth_h h_at_most_h_max branch_is_optimal) as H1.
  set (m := S_ h - 1). set (s := run_for m start).
  pose proof (run_for_reached less oracle cfg m) as Hr. fold s in Hr.
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hln.
  assert (Ht : iterations s <= triangle (S (h_max cfg)) m)
    by apply n_sweeps_make_at_most_a_triangle_of_iterations.
  assert (He : triangle (S (h_max cfg)) m + Nat.min (S m) (S h) = enough).
  { unfold sharper_triangle. fold m. replace (S m) with (S_ h) by lia. reflexivity. }
  assert (later : forall j, j <= n -> steps (run_for j start) (run_for n start))
    by (intros j Hj; now apply run_for_steps_later).
  assert (stops : forall j, j <= n -> exhausted (run_for j start) = true ->
    run_for n start = run_for j start).
  { intros j Hj Ej. now apply exhausted_run_stays. }
  destruct (exhausted s) eqn:Es; [right; rewrite (stops m ltac:(lia) Es); fold s; split; [exact Es|lia]|].
  assert (already : In p (expanded (log s)) -> exists s, reached s /\ steps s (run_for n start) /\
    exhausted s = false /\ In p (expanded (log s)) /\ iterations s <= enough).
  { intros Hp. exists s. split; [exact Hr|]. split; [apply later; lia|]. repeat split; auto. lia. }
  destruct (expanded_or_one_per_sweep less oracle cfg theta order h p p_is_a_node p_has_depth_h
    h_at_most_h_max branch_is_optimal m Es) as [Hp|Hm]; [left; auto|]. fold s in Hm.
  destruct (expanded_or_under_a_leaf less oracle cfg s Hr Es p p_is_a_node) as [Hp|(o & Ho & Ha)];
    [left; auto|].
  assert (Hlo : length o <= h) by (rewrite <- p_has_depth_h; now apply ancestor_length).
  assert (Hlim : length o <= limit s).
  { unfold Model.limit. pose proof Ho as Ho'. apply (in_places less oracle cfg) in Ho'; [|exact Hln].
    pose proof (depth_le_deepest _ _ Ho') as Hd. rewrite depth_node_at in Hd. lia. }
  assert (Hlm : length o <= m).
  { pose proof (deepest_run_for less oracle cfg m) as Hd. fold s in Hd. unfold Model.limit in Hlim. lia. }
  destruct (run_for_next less oracle cfg m start (leaves_are_nodes_start less oracle cfg))
    as [[E _]|[_ [E|[_ Hd]]]]; [fold s in E; congruence| |].
  2:{ left. apply already, (full_expanded less oracle cfg); auto; [|lia].
      now apply (nothing_to_expand_full less oracle cfg). }
  fold s in E. set (s1 := first_visits (length o) s).
  pose proof (a_sweep_goes_on (length o) s Hlim) as Eg. fold s1 in Eg.
  assert (Hi : iterations s1 <= enough).
  { pose proof (visits_iterations (S (length o)) 0 (begin_sweep cfg s) Hln) as H. fold (first_visits (length o) s) in H.
    fold s1 in H. cbn [begin_sweep iterations] in H. lia. }
  pose proof (first_visits_steps (length o) s Es ltac:(lia) Hln) as Hs1. fold s1 in Hs1.
  destruct (exhausted s1) eqn:E1.
  - right. rewrite visits_of_an_exhausted_state in Eg by exact E1.
    rewrite (stops (S m) ltac:(lia)); rewrite E, Eg; auto.
  - left. exists s1. pose proof (reached_steps less oracle cfg _ _ Hr Hs1) as Hr1.
    split; [exact Hr1|]. split; [|split; [exact E1|split; [|exact Hi]]].
    + eapply steps_trans; [|apply (later (S m)); lia]. rewrite E, Eg.
      apply visits_steps; [pose proof (limit_h_max cfg s); lia|].
      now apply (reached_leaves_are_nodes less oracle cfg).
    + destruct (first_visits_expand less oracle cfg order (length o) s o Hln Ho (le_n _))
        as [Ex|(new & x & Elog & Hin & Hlx & Hvx)].
      * change (exhausted s1 = true) in Ex. congruence.
      * change (log s1 = new ++ log s) in Elog.
        destruct (in_dec (list_eq_dec Nat.eq_dec) p (expanded (log s1))) as [Hp|Hp]; [exact Hp|].
        exfalso. pose proof (near_nodes_leave_room_for_p less oracle cfg theta order h p p_is_a_node p_has_depth_h h_at_most_h_max branch_is_optimal s1 Hr1 Hp) as Hlt.
        rewrite Elog, expanded_app, filter_app, app_length in Hlt.
        assert (Hnear : In x (filter (near less oracle cfg theta h) (expanded new))).
        { apply filter_In. split; [exact Hin|]. apply near_iff. split; [lia|].
          exists (length o). split; [lia|].
          apply (at_most_trans less order _ (value less oracle cfg o)); [exact Hvx|]. now apply branch_is_optimal. }
        destruct (filter (near less oracle cfg theta h) (expanded new)); [easy|]. cbn [length] in Hlt. lia.
Qed.

(** The run made the iterations that are enough, and the budget did not cut the last of them. *)
Definition makes_enough_iterations (n : nat) : Prop :=
  enough < iterations (run_for n start) \/
  enough <= iterations (run_for n start) /\ exhausted (run_for n start) = false.

Lemma the_run_expands_p_early n :
  makes_enough_iterations n \/ S_ h <= n /\ exhausted (run_for n start) = false ->
  exists s, reached s /\ steps s (run_for n start) /\ exhausted s = false /\
    In p (expanded (log s)) /\ iterations s <= enough.
Proof.
  intros H.
  pose proof (S_positive less oracle cfg theta h p p_is_a_node p_has_depth_h h_at_most_h_max branch_is_optimal) as H1.
  assert (Hn : S_ h <= n).
  { destruct H as [H|[H _]]; [|exact H]. destruct (Nat.le_gt_cases (S_ h) n) as [Hn|Hn]; [exact Hn|]. exfalso.
    pose proof (n_sweeps_make_at_most_a_triangle_of_iterations less oracle cfg n).
    pose proof (triangle_grows (S (h_max cfg)) n (S_ h - 1) ltac:(lia)).
    unfold makes_enough_iterations, sharper_triangle in H. lia. }
  destruct (the_run_expands_p_or_ends_early n Hn) as [Hs|[Ex Hi]]; [exact Hs|].
  destruct H as [[H|[_ H]]|[_ H]]; [lia|congruence|congruence].
Qed.

(** Claim [lemma-1-sharper].  Lemma 1, sharper: the optimal node of depth h is expanded within
    min(1,h_max+1) + ... + min(S_h - 1,h_max+1) + min(S_h,h+1) iterations.  The run, S_h complete sweeps or more, passes
    through a state that has made no more iterations and has expanded it. *)
Theorem the_optimal_node_is_expanded_within_the_sharper_number_of_iterations n :
  S_ h <= n -> exhausted (run_for n start) = false ->
  exists s, reached s /\ steps s (run_for n start) /\
    In p (expanded (log s)) /\ iterations s <= enough.
Proof.
  intros Hn Hx. destruct (the_run_expands_p_early n (or_intror (conj Hn Hx))) as (s & H1 & H2 & _ & H3 & H4).
  exists s. auto.
Qed.

End SharperLemma1.

Section SharperTheorem2.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (theta : nat -> V).
Hypothesis order : total_order less.
Variables (h : nat) (p : path) (c : nat).
Hypothesis branch_is_in_the_tree : node (half cfg) (c :: p).
Hypothesis p_has_depth_h : length p = h.
Hypothesis h_at_most_h_max : h <= h_max cfg.
Hypothesis branch_is_optimal : optimal_branch less oracle cfg theta (c :: p).

(** Claims [lemma-1-sharper] [theorem-2].  Theorem 2 with the sharper number of iterations: after so many, with budget left,
    or after more, the answer is at most f* + eps_l, l <= h + 1. *)
Theorem after_the_sharper_number_of_iterations_the_answer_is_near_optimal n :
  makes_enough_iterations less oracle cfg theta h n ->
  forall l, l <= S h -> at_most less (answer (run_for less oracle cfg n (start oracle cfg))) (theta l).
Proof.
  intros H l Hl.
  assert (node_p : node (half cfg) p) by now inversion branch_is_in_the_tree.
  assert (optimal_p : optimal_branch less oracle cfg theta p).
  { intros q Hq. apply branch_is_optimal. now apply ancestor_child. }
  destruct (the_run_expands_p_early less oracle cfg theta order h p node_p p_has_depth_h h_at_most_h_max
    optimal_p n (or_introl H)) as (s & Hr & Hs & Hx & Hp & _).
  apply (at_most_trans less order _ (answer s)); [now apply (answer_never_grows less oracle cfg order)|].
  now apply (answer_after_expansion less oracle cfg theta order h p c).
Qed.

End SharperTheorem2.
