(** * Lemma 1 in the paper's words, true with h_max + 1.

    The statement that CounterexampleLemma1.v refutes for the factor h_max holds, under the same
    assumptions and for every problem, with the factor h_max + 1. *)

From Coq Require Import Reals Lra FunctionalExtensionality.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree RunsEvaluations
  Geometry Norms Sweep RunsEnd SweepCosts Lemma1 SharperLemma1 RealValues Theorem2Real Vectors Cells WellShaped
  Packing Theorem2Paper Printed.

(** ** Logs *)

Section Logs.
Context {V : Type}.

Lemma expansions_are_kept (newer older : list (event V)) e :
  In e (expansions older) -> In e (expansions (newer ++ older)).
Proof. intros H. induction newer as [|[] newer IH]; cbn; auto. Qed.

Lemma values_seen_are_kept (newer older : list (event V)) e :
  In e (values_seen older) -> In e (values_seen (newer ++ older)).
Proof. intros H. induction newer as [|[] newer IH]; cbn; auto. Qed.

Lemma an_expanded_node_has_its_iteration p (l : list (event V)) :
  In p (expanded l) -> exists i, In (p, i) (expansions l) /\ i <= visits_in l.
Proof.
  induction l as [|[] l IH]; cbn [expanded expansions visits_in]; [easy| | | |exact IH];
    try (intros [->|H]; [exists (visits_in l); split; [now left|lia]|revert H]);
    intros H; destruct (IH H) as (i & Hi & Li); exists i; split; [auto|lia|auto|lia|now right|lia].
Qed.

Lemma an_evaluation_has_its_iteration w (l : list (event V)) :
  In w (map snd (evaluations l)) -> exists i, In (w, i) (values_seen l) /\ i <= visits_in l.
Proof.
  induction l as [|[] l IH]; cbn [evaluations map snd values_seen visits_in]; [easy| | |exact IH|];
    try (intros [->|H]; [exists (visits_in l); split; [now left|lia]|revert H]);
    intros H; destruct (IH H) as (i & Hi & Li); exists i; split; [auto|lia|auto|lia|now right|lia].
Qed.

Lemma visits_in_counts (l : list (event V)) : visits_in l = length (filter is_visit l).
Proof. induction l as [|[] l IH]; cbn; auto. Qed.

End Logs.

(** ** The corrected lemma *)

Section Corrected.
Variable P : problem.
Variable T : analysis.
Hypothesis assumptions : assumptions_hold P T.
Variable v : nat.

Local Notation cfg := (Settings (half_K P) (dim P) (depth_bound P) v (fst (cap P)) (snd (cap P))).
Local Notation oracle := (fun (p : path) (_ : nat) => g P (base P p)).
Local Notation theta := (theta (f_star T) (tau T) (delta T)).

Lemma dim_is_positive : 1 <= dim P.
Proof. destruct (input_is_valid _ _ assumptions) as (_ & H & _). lia. Qed.

Lemma box_radius_is_positive : (0 < box_radius P)%R.
Proof.
  destruct (input_is_valid _ _ assumptions) as (_ & H & He & _). unfold box_radius.
  apply Rdiv_lt_0_compat; [apply lt_0_INR; lia | lra].
Qed.

Lemma values_are_those_of_the_base_points p : value less_real oracle cfg p = g P (base P p).
Proof.
  destruct (value_is_a_realisation cfg (box_radius P) dim_is_positive (fun _ : unit => g P) (fun _ _ => tt))
    with (p := p) as (w & E); [|exact E].
  intros _ y y' H. unfold g, embedded. f_equal. f_equal. unfold times. apply functional_extensionality.
  intros i. apply sum_of_equal_terms. intros j Hj. rewrite H; [reflexivity|].
  apply in_coordinates in Hj. exact Hj.
Qed.

Lemma delta_is_non_increasing_here a b : a <= b -> (delta T b <= delta T a)%R.
Proof.
  intros H. induction H as [|b H IH]; [lra|].
  pose proof (delta_decreases _ _ assumptions b). lra.
Qed.

Lemma tau_is_non_decreasing_here a b : a <= b -> (tau T a <= tau T b)%R.
Proof.
  intros H. induction H as [|b H IH]; [lra|]. pose proof (assumption_4 _ _ assumptions b). lra.
Qed.

Lemma delta_is_positive_here h : (0 < delta T h)%R.
Proof. pose proof (delta_decreases _ _ assumptions h). lra. Qed.

Lemma counts_add_up h :
  near_optimal_count_up_to P T (S h) = near_optimal_count_up_to P T h + near_optimal_count P T (S h).
Proof.
  unfold near_optimal_count_up_to. rewrite (seq_S (S h)), map_app.
  etransitivity; [apply list_sum_app|]. unfold list_sum. cbn [map fold_right]. now rewrite Nat.add_0_r.
Qed.

Lemma the_printed_counts_are_the_same h :
  printed_sum oracle cfg (f_star T) (delta T) (m_hat T) h <= near_optimal_count_up_to P T h.
Proof.
  assert (one : forall l, length (I oracle cfg (f_star T) l (m_hat T * delta T l)) <= near_optimal_count P T l).
  { intros l. apply NoDup_incl_length; [apply NoDup_filter, nodup_level|]. intros p Hp.
    unfold I in Hp. apply filter_In in Hp. destruct Hp as [Hl Hv]. apply filter_In.
    split; [exact Hl|]. rewrite values_are_those_of_the_base_points in Hv. exact Hv. }
  induction h as [|h IH]; cbn [printed_sum].
  - unfold near_optimal_count_up_to. cbn [seq map fold_right]. specialize (one 0). lia.
  - rewrite counts_add_up. specialize (one (S h)). lia.
Qed.

(** The nodes whose cells hold a minimiser are an optimal branch. *)
Lemma the_branch_of_the_minimiser h : exists p, optimal P T p /\ length p = h
  /\ optimal_branch less_real oracle cfg theta p.
Proof.
  pose proof dim_is_positive as Hd. pose proof box_radius_is_positive as Hr.
  destruct (f_star_is_the_least_value _ _ assumptions) as [_ (y & Sy & Gy)].
  destruct (every_point_is_in_one_cell_of_each_depth (half_K P) (dim P) (box_radius P) Hd Hr h y Sy)
    as (p & [[Vp Lp] Cp] & _).
  exists p. split; [split; [exact Vp | exists y; auto]|]. split; [exact Lp|].
  intros q (more & E). subst p. clear Lp.
  assert (Hq : node (half_K P) q /\ cell P q y).
  { induction more as [|c more IH]; cbn [app] in *; [split; assumption|].
    apply Forall_cons_iff in Vp. destruct Vp as [Vc Vp]. apply IH; [|exact Vp].
    destruct (children_partition_their_parent (half_K P) (dim P) (box_radius P) Hd Hr (more ++ q) y)
      as [_ H]. exact (H c Vc Cp). }
  destruct Hq as [Vq Cq]. apply at_most_is_below. rewrite values_are_those_of_the_base_points.
  pose proof (assumption_2 _ _ assumptions q y (conj Vq (ex_intro _ y (conj Cq Gy))) Cq) as H. rewrite Gy in H.
  pose proof (Rle_abs (g P (base P q) - f_star T)). pose proof (assumption_4 _ _ assumptions (length q)).
  unfold Theorem2Real.theta. lra.
Qed.

Lemma S_is_at_most_the_printed_count h : h <= depth_bound P ->
  S_ less_real oracle cfg theta h <= near_optimal_count_up_to P T h.
Proof.
  intros Hh. etransitivity; [|apply the_printed_counts_are_the_same].
  destruct (equation_7 _ _ assumptions) as [_ E7].
  apply S_is_at_most_the_printed_sum; cbn [h_max]; auto.
  - intros l _. apply delta_is_positive_here.
  - intros l l' H. apply delta_is_non_increasing_here. lia.
  - pose proof (assumption_4 _ _ assumptions 0). lra.
  - intros l l' H. apply tau_is_non_decreasing_here. lia.
Qed.

(** A run of more iterations than the sharper number passed through a state that had expanded the optimal node. *)
Lemma the_run_expanded_the_optimal_node h t p : h <= depth_bound P ->
  sharper_triangle (S (depth_bound P)) (S h) (near_optimal_count_up_to P T h) <= t ->
  t < iterations (the_run P v) ->
  node (half_K P) p -> length p = h -> optimal_branch less_real oracle cfg theta p ->
  exists s newer, reached less_real oracle cfg s /\ exhausted cfg s = false /\ In p (expanded (log s)) /\
    log (the_run P v) = newer ++ log s /\ visits_in (log s) <= t.
Proof.
  intros Hh Ht Hlt Vp Lp branch.
  pose proof (sharper_triangle_grows (S (depth_bound P)) (S h) _ _ (S_is_at_most_the_printed_count h Hh)) as Hn.
  change (the_run P v) with (run_for less_real oracle cfg v (start oracle cfg)) in *.
  destruct (the_run_expands_p_early less_real oracle cfg theta real_values_are_totally_ordered h p Vp Lp Hh branch v)
    as (s & Hr & Hs & Hx & Hp & Hi); [left; left; cbn [h_max]; lia|].
  destruct (log_grows less_real oracle cfg s _ Hs) as (newer & E). exists s, newer. repeat split; auto.
  destruct (the_counters_count less_real oracle cfg s Hr) as [C _]. rewrite visits_in_counts, <- C. cbn [h_max] in Hi. lia.
Qed.

Lemma the_sharper_lemma_1_holds_in_this_run h t : h <= depth_bound P ->
  sharper_triangle (S (depth_bound P)) (S h) (near_optimal_count_up_to P T h) <= t ->
  t < iterations (the_run P v) ->
  exists p, optimal P T p /\ h <= length p /\ expanded_within t p (log (the_run P v)).
Proof.
  intros Hh Ht Hlt. destruct (the_branch_of_the_minimiser h) as (p & Op & Lp & branch).
  exists p. split; [exact Op|]. split; [lia|].
  destruct (the_run_expanded_the_optimal_node h t p Hh Ht Hlt (proj1 Op) Lp branch) as (s & newer & _ & _ & Hp & -> & Hv).
  destruct (an_expanded_node_has_its_iteration p _ Hp) as (i & Hi & Li).
  exists i. split; [now apply expansions_are_kept|lia].
Qed.

End Corrected.

(** Claim [lemma-1-sharper]. Lemma 1 in the paper's words with the sharper number of iterations: with n = |I_0| + ... + |I_h|, an optimal node of
    depth at least h is expanded within min(1,h_max+1) + ... + min(n-1,h_max+1) + min(n,h+1) iterations. *)
Theorem lemma_1_is_true_with_the_sharper_number_of_iterations P T : assumptions_hold P T ->
  forall v h t, h <= depth_bound P ->
  sharper_triangle (S (depth_bound P)) (S h) (near_optimal_count_up_to P T h) <= t ->
  t < iterations (the_run P v) ->
  exists p, optimal P T p /\ h <= length p /\ expanded_within t p (log (the_run P v)).
Proof. intros H v h t. apply the_sharper_lemma_1_holds_in_this_run. exact H. Qed.

(** Claim [lemma-1]. Lemma 1 as printed, with h_max + 1 for h_max, is true for every problem that satisfies
    [assumptions_hold]: one matrix, f_star attained at a point of [-R, R)^d (coverage), and Assumption 2 in every optimal cell. *)
Theorem lemma_1_is_true_with_h_max_plus_1 P T : assumptions_hold P T ->
  lemma_1_with_factor P T (S (depth_bound P)).
Proof.
  intros H v h t Hh Ht. apply lemma_1_is_true_with_the_sharper_number_of_iterations; auto.
  etransitivity; [apply sharper_triangle_at_most|exact Ht]. lia.
Qed.
