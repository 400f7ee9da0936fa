(** * Theorem 2 in the paper's words, true with h_max + 1.

    The statement that CounterexampleTheorem2.v refutes for the factor h_max in eq. (9) holds,
    under the same assumptions and for every problem, with the factor h_max + 1. *)

From Coq Require Import Reals Rpower Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree RunsEvaluations
  Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Theorem2 RealValues Theorem2Real Vectors Cells WellShaped
  Packing SharperLemma1 Printed CorrectedLemma1.

Section Corrected.
Variable P : problem.
Variable T : analysis.
Hypothesis assumptions : assumptions_hold P T.
Variables C d_hat : R.
Hypothesis admissible : is_admissible P T C d_hat.

Lemma m_hat_is_at_least_1 : (1 <= m_hat T)%R.
Proof.
  destruct (equation_7 _ _ assumptions) as [(i & Hi & ->) _]. apply (le_INR 1). exact Hi.
Qed.

Lemma thresholds_are_in_range l : (0 < m_hat T * delta T l <= m_hat T * delta T 0)%R.
Proof.
  pose proof m_hat_is_at_least_1. pose proof (delta_is_positive_here P T assumptions l).
  pose proof (delta_is_non_increasing_here P T assumptions 0 l ltac:(lia)). split; nra.
Qed.

(** Claim [lemma-2]. *)
Lemma lemma_2_for_the_printed_counts l :
  (INR (near_optimal_count P T l) <= C * Rpower (m_hat T * delta T l) (- d_hat))%R.
Proof.
  pose proof m_hat_is_at_least_1 as M. destruct (assumption_3 _ _ assumptions) as [_ W].
  apply (near_optimal_nodes_are_few (half_K P) (dim P) (box_radius P) (distance (dim P)) (g P) (f_star T)
    (dim_is_positive P T assumptions) (box_radius_is_positive P T assumptions) (m T) (m_hat T) C d_hat
    (m_hat T * delta T 0) (delta T)); [lra | exact W | | apply thresholds_are_in_range |].
  - intros eps He centers Hc Hb. apply Rlt_le. apply admissible; assumption.
  - split; [apply NoDup_filter, nodup_level|].
    intros p Hp. apply filter_In in Hp. destruct Hp as [Hp Hv].
    apply in_level in Hp.
    destruct Hp as [N L]. split; [exact N|]. split; [exact L|].
    destruct (Rle_dec _ _) as [B|] in Hv; [exact B|discriminate].
Qed.

Lemma counts_are_below_equation_9 h :
  (INR (near_optimal_count_up_to P T h)
   <= C * sum (seq 0 (S h)) (fun l => Rpower (m_hat T * delta T l) (- d_hat)))%R.
Proof.
  induction h as [|h IH].
  - unfold near_optimal_count_up_to. cbn [seq map fold_right sum]. rewrite Nat.add_0_r.
    pose proof (lemma_2_for_the_printed_counts 0). lra.
  - rewrite (counts_add_up P T), plus_INR, (seq_S (S h)), sum_of_an_append. cbn [sum Nat.add].
    pose proof (lemma_2_for_the_printed_counts (S h)). lra.
Qed.

Lemma theorem_2_holds_in_each_run : theorem_2_with_factor P T (S (depth_bound P)) C d_hat.
Proof.
  intros v t H j [Ht Hit] [_ Hsmall] Hj.
  set (cfg := Settings (half_K P) (dim P) (depth_bound P) v (fst (cap P)) (snd (cap P))).
  set (oracle := fun (p : path) (_ : nat) => g P (base P p)).
  set (theta := Theorem2Real.theta (f_star T) (tau T) (delta T)).
  (* A value in the log of a state that the run passes through. *)
  assert (seen : forall newer older w, log (the_run P v) = newer ++ older -> visits_in older <= t ->
    at_most less_real w (theta j) -> In w (map snd (evaluations older)) ->
    regret_is_at_most P T v t (tau T j + delta T j)).
  { intros newer older w E Hv Hw Hin. destruct (an_evaluation_has_its_iteration w _ Hin) as (i & Hi & Li).
    exists w, i. rewrite E. split; [now apply values_seen_are_kept|]. split; [lia|].
    apply at_most_is_below in Hw. unfold theta, Theorem2Real.theta in Hw. lra. }
  destruct (the_branch_of_the_minimiser P T assumptions v j) as (p & Op & Lp & branch). fold cfg oracle theta in branch.
  destruct j as [|h], p as [|c p]; try discriminate Lp.
  - destruct (log_grows less_real oracle cfg _ _ (run_for_reached less_real oracle cfg v)) as (newer & E).
    apply (seen newer _ (value less_real oracle cfg []) E); [cbn; lia | | now left].
    exact (branch [] (ancestor_refl [])).
  - injection Lp as Lp. destruct Op as [Vp _]. assert (Vp' : node (half_K P) p) by now inversion Vp.
    assert (Hh : h <= depth_bound P) by lia.
    assert (Hc : S (depth_bound P) * near_optimal_count_up_to P T h < t).
    { specialize (Hsmall h ltac:(lia)). apply INR_lt. eapply Rle_lt_trans; [|exact Hsmall].
      unfold bound_of_equation_9. rewrite mult_INR.
      pose proof (counts_are_below_equation_9 h). pose proof (pos_INR (S (depth_bound P))). nra. }
    pose proof (sharper_triangle_at_most (S (depth_bound P)) (S h) (near_optimal_count_up_to P T h) ltac:(lia)).
    destruct (the_run_expanded_the_optimal_node P T assumptions v h (t - 1) p) as (s & newer & Hr & Hx & Hp & E & Hv);
      auto; [lia|lia| |].
    { intros q Hq. apply branch. now apply ancestor_child. }
    apply (seen newer (log s) (answer s) E); [lia| |].
    + apply (answer_after_expansion less_real oracle cfg theta real_values_are_totally_ordered h p c); auto.
    + now apply (the_answer_is_the_least_evaluation less_real oracle cfg real_values_are_totally_ordered).
Qed.

End Corrected.

(** Claim [theorem-2]. Theorem 2 as printed, with h_max + 1 for h_max in eq. (9), is true for every problem
    that satisfies [assumptions_hold] (one matrix, f_star attained at a point of [-R, R)^d, Assumption 2 in every optimal
    cell) and every admissible near-optimality dimension. *)
Theorem theorem_2_is_true_with_h_max_plus_1 P T C d_hat : assumptions_hold P T ->
  is_admissible P T C d_hat -> theorem_2_with_factor P T (S (depth_bound P)) C d_hat.
Proof. intros H A. apply theorem_2_holds_in_each_run; assumption. Qed.
