(** * Theorem 2 in the paper's words, true with h_max + 1.

    The statement that CounterexampleTheorem2.v refutes for the factor h_max in eq. (9) holds,
    under the same assumptions and for every problem, with the factor h_max + 1. *)

From Coq Require Import Reals Rpower Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree RunsEvaluations
  Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Theorem2 RealValues Theorem2Real Vectors Cells WellShaped
  Packing Printed CorrectedLemma1.

(** ** Values seen stay seen *)

Section Logs.
Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Lemma values_seen_are_kept (newer older : list (event V)) e :
  In e (values_seen older) -> In e (values_seen (newer ++ older)).
Proof. intros H. induction newer as [|[] newer IH]; cbn; auto. Qed.

Lemma values_seen_are_kept_by_steps s s' e :
  steps less oracle cfg s s' -> In e (values_seen (log s)) -> In e (values_seen (log s')).
Proof.
  intros Hs He. revert s' Hs.
  refine (steps_induction less oracle cfg s (fun s' => In e (values_seen (log s'))) He _ _ _); auto.
  intros q s' _ H. rewrite expand_log. apply values_seen_are_kept. exact H.
Qed.

Lemma an_evaluation_has_its_iteration w (l : list (event V)) :
  In w (map snd (evaluations l)) -> exists i, In (w, i) (values_seen l) /\ i <= visits_in l.
Proof.
  induction l as [|[] l IH]; cbn [evaluations map snd values_seen visits_in]; try contradiction; try exact IH.
  - intros H. destruct (IH H) as (i & Hi & Li). exists i. split; [exact Hi|lia].
  - intros [->|H]; [exists (visits_in l); split; [left; reflexivity|lia]|].
    destruct (IH H) as (i & Hi & Li). exists i. split; [right; exact Hi|exact Li].
Qed.

End Logs.

Lemma nodes_of_depth_are_the_level k h : nodes_of_depth k h = level k h.
Proof. induction h as [|h IH]; cbn [nodes_of_depth level]; [reflexivity|]. rewrite IH. reflexivity. Qed.

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
  - split; [apply NoDup_filter; rewrite nodes_of_depth_are_the_level; apply nodup_level|].
    intros p Hp. apply filter_In in Hp. destruct Hp as [Hp Hv].
    apply (nodes_of_depth_are_the_valid_paths (half_K P) (dim P) (dim_is_positive P T assumptions)) in Hp.
    destruct Hp as [N L]. split; [exact N|]. split; [exact L|].
    destruct (Rle_dec _ _) as [B|] in Hv; [exact B|discriminate].
Qed.

Lemma counts_are_below_equation_9 h :
  (INR (near_optimal_count_up_to P T h)
   <= C * sum (seq 0 (S h)) (fun l => Rpower (m_hat T * delta T l) (- d_hat)))%R.
Proof.
  assert (A : forall (l1 l2 : list nat) (f : nat -> R), (sum (l1 ++ l2) f = sum l1 f + sum l2 f)%R).
  { intros l1 l2 f. induction l1 as [|x l1 IH]; cbn; [lra|]. rewrite IH. lra. }
  induction h as [|h IH].
  - unfold near_optimal_count_up_to. cbn [seq map fold_right sum]. rewrite Nat.add_0_r.
    pose proof (lemma_2_for_the_printed_counts 0). lra.
  - rewrite counts_add_up, plus_INR, (seq_S (S h)), A. cbn [sum Nat.add].
    pose proof (lemma_2_for_the_printed_counts (S h)). lra.
Qed.

Lemma theorem_2_holds_in_each_run : theorem_2_with_factor P T (S (depth_bound P)) C d_hat.
Proof.
  intros v t H j [Ht Hit] [_ Hsmall] Hj.
  set (cfg := Settings (half_K P) (dim P) (depth_bound P) v (fst (cap P)) (snd (cap P))).
  set (oracle := fun (p : path) (_ : nat) => g P (base P p)).
  set (run := fun n => run_for less_real oracle cfg n (start oracle cfg)).
  assert (seen : forall n w, n <= v -> visits_in (log (run n)) <= t -> (w - f_star T <= tau T j + delta T j)%R ->
    In w (map snd (evaluations (log (run n)))) -> regret_is_at_most P T v t (tau T j + delta T j)).
  { intros n w Hn Hv Hw Hin. destruct (an_evaluation_has_its_iteration w _ Hin) as (i & Hi & Li).
    exists w, i. split; [|split; [lia | exact Hw]].
    apply (values_seen_are_kept_by_steps less_real oracle cfg (run n)); [|exact Hi].
    apply run_for_steps_later. exact Hn. }
  destruct j as [|h].
  - destruct (the_branch_of_the_minimiser P T assumptions v 0) as (p & _ & Lp & branch).
    destruct p; [|discriminate]. specialize (branch [] (ancestor_refl [])).
    apply at_most_is_below in branch. unfold Theorem2Real.theta in branch. cbn [length] in branch.
    apply (seen 0 (value less_real oracle cfg [])); [lia | cbn; lia | | left; reflexivity].
    fold cfg oracle in branch. lra.
  - specialize (Hsmall h ltac:(lia)).
    assert (Hh : h <= depth_bound P) by lia.
    assert (Hc : S (depth_bound P) * near_optimal_count_up_to P T h < t).
    { apply INR_lt. eapply Rle_lt_trans; [|exact Hsmall]. unfold bound_of_equation_9. rewrite mult_INR.
      pose proof (counts_are_below_equation_9 h). pose proof (pos_INR (S (depth_bound P))). nra. }
    destruct (the_branch_of_the_minimiser P T assumptions v (S h)) as (p & Op & Lp & branch).
    destruct p as [|c p]; [discriminate|].
    pose proof (S_is_at_most_the_printed_count P T assumptions v h Hh) as Hn.
    fold cfg oracle in Hn, branch.
    set (n := S_ less_real oracle cfg (Theorem2Real.theta (f_star T) (tau T) (delta T)) h) in *.
    destruct (the_run_goes_on P v n (t - 1) ltac:(nia)) as [Hnv Hx].
    { change (the_run P v) with (run v) in Hit. unfold run, cfg, oracle in Hit. lia. }
    fold cfg oracle in Hx. fold (run n) in Hx.
    apply (seen n (answer (run n))); [lia | | |].
    + pose proof (visits_until P v n) as B. fold cfg oracle in B. fold (run n) in B. nia.
    + assert (Hat : at_most less_real (answer (run n))
        (Theorem2Real.theta (f_star T) (tau T) (delta T) (S h))).
      { apply (after_S_sweeps_the_answer_is_near_optimal less_real oracle cfg
          (Theorem2Real.theta (f_star T) (tau T) (delta T)) real_values_are_totally_ordered h p c)
          with (n := n); auto.
        - exact (proj1 Op).
        - apply steps_none. }
      apply at_most_is_below in Hat. unfold Theorem2Real.theta in Hat. lra.
    + apply (the_answer_is_the_least_evaluation less_real oracle cfg real_values_are_totally_ordered).
      apply run_for_reached.
Qed.

End Corrected.

(** Claim [theorem-2]. Theorem 2 as printed, with h_max + 1 for h_max in eq. (9), is true for every problem
    that satisfies [assumptions_hold] (one matrix, f_star attained at a point of [-R, R)^d, Assumption 2 in every optimal
    cell) and every admissible near-optimality dimension. *)
Theorem theorem_2_is_true_with_h_max_plus_1 P T C d_hat : assumptions_hold P T ->
  is_admissible P T C d_hat -> theorem_2_with_factor P T (S (depth_bound P)) C d_hat.
Proof. intros H A. apply theorem_2_holds_in_each_run; assumption. Qed.
