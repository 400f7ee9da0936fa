(** * Theorem 2 from the paper's assumptions: Lemma 2 and the corrected Theorem 2 together. *)

From Coq Require Import List ZArith Arith Reals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Vectors Model Nodes Paths Cells WellShaped Packing
  Printed RealValues Theorem2Real.
Import ListNotations.
Local Open Scope R_scope.

Section Theorem2Packing.

Context (oracle : path -> nat -> R) (cfg : settings).
Context (radius : R) (ell : vector -> vector -> R) (g : vector -> R).
Context (f_star : R) (tau delta : nat -> R) (m m_hat C d_hat eps_0 : R).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation value := (value less_real oracle cfg).
Local Notation run_for := (run_for less_real oracle cfg).
Local Notation start := (start oracle cfg).

(** The space, and what a value is worth: g is the least of the realisations. *)
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : 0 < radius.
Hypothesis values_are_values_of_g : forall q, node k q -> g (base_point k d radius q) <= value q.

(** Assumptions 2 and 4, eq. (7). *)
Hypothesis delta_is_positive : forall l, (l <= h_max cfg)%nat -> 0 < delta l.
Hypothesis delta_is_non_increasing : forall l l', (l <= l' <= h_max cfg)%nat -> delta l' <= delta l.
Hypothesis tau_is_non_negative : 0 <= tau 0%nat.
Hypothesis tau_is_non_decreasing : forall l l', (l <= l' <= h_max cfg)%nat -> tau l <= tau l'.
Hypothesis m_hat_of_equation_7 : tau (h_max cfg) + delta (h_max cfg) <= m_hat * delta (h_max cfg).

(** Assumption 3 and Definition 2. *)
Hypothesis cells_are_well_shaped : well_shaped k d radius ell m delta.
Hypothesis d_hat_is_admissible : near_optimality_dimension d radius ell g f_star (m / m_hat) C d_hat eps_0.
Hypothesis eps_0_is_large_enough : m_hat * delta 0%nat <= eps_0.

Lemma m_hat_is_at_least_1 : 1 <= m_hat.
Proof.
  pose proof (delta_is_positive (h_max cfg) ltac:(lia)).
  pose proof (tau_is_non_decreasing 0 (h_max cfg) ltac:(lia)).
  apply Rnot_lt_le. intros L. nra.
Qed.

Lemma thresholds_are_in_range l : (l <= h_max cfg)%nat -> 0 < m_hat * delta l <= eps_0.
Proof.
  intros L. pose proof m_hat_is_at_least_1. pose proof (delta_is_positive l L).
  pose proof (delta_is_non_increasing 0 l ltac:(lia)). split; nra.
Qed.

Lemma C_is_not_negative : 0 <= C.
Proof.
  pose proof (thresholds_are_in_range 0 ltac:(lia)) as B.
  assert (H : INR (@length vector []) <= C * Rpower (m_hat * delta 0%nat) (- d_hat)).
  { apply (d_hat_is_admissible (m_hat * delta 0%nat) B); [intros y []|constructor]. }
  cbn in H. pose proof (exp_pos (- d_hat * ln (m_hat * delta 0%nat))) as E.
  unfold Rpower in H. apply Rnot_lt_le. intros N. nra.
Qed.

(** Claim [lemma-2]. Lemma 2 for the paper's sets I_l, whose nodes are those of value at most
    f* + m_hat delta(l). *)
Theorem lemma_2_for_the_sets_of_lemma_1 l : (l <= h_max cfg)%nat ->
  INR (length (I oracle cfg f_star l (m_hat * delta l))) <= C * Rpower (m_hat * delta l) (- d_hat).
Proof.
  intros L. pose proof m_hat_is_at_least_1.
  apply (near_optimal_nodes_are_few k d radius ell g f_star d_pos radius_pos m m_hat C d_hat eps_0 delta);
    [lra | exact cells_are_well_shaped | exact d_hat_is_admissible | apply thresholds_are_in_range, L |].
  split.
  - apply NoDup_filter. apply nodup_level.
  - intros p Hp. apply filter_In in Hp. destruct Hp as [Hp V]. apply in_level in Hp.
    destruct Hp as [N Lp]. split; [exact N|]. split; [exact Lp|].
    destruct (Rle_dec (value p) (f_star + m_hat * delta l)) as [B|]; [|discriminate].
    eapply Rle_trans; [apply values_are_values_of_g, N | exact B].
Qed.

(** An optimal branch down to depth h_max + 1: the nodes whose cells hold the optimum. *)
Variable P : path.
Hypothesis P_is_a_node : node k P.
Hypothesis P_has_depth_h_max_plus_1 : length P = S (h_max cfg).
Hypothesis P_is_optimal : forall q, ancestor q P ->
  value q - f_star <= tau (length q) + delta (length q).

(** Claim [theorem-2]. Theorem 2 as the paper means it, with h_max + 1 for h_max in eq. (8): from
    Assumptions 2-4, eq. (7) and a near-optimality dimension in the sense of the repaired Definition 2,
    after t iterations the regret is at most tau(l) + delta(l), l <= min (h(t), h_max + 1). *)
Theorem theorem_2_from_the_assumptions n H l : (0 < iterations (run_for n start))%nat ->
  is_h_of cfg delta m_hat C d_hat (INR (iterations (run_for n start))) H ->
  (l <= Nat.min H (S (h_max cfg)))%nat ->
  answer (run_for n start) - f_star <= tau l + delta l.
Proof.
  intros Ht HH Hl.
  apply (theorem_2_with_h_max_plus_1 oracle cfg f_star tau delta m_hat delta_is_positive
    delta_is_non_increasing tau_is_non_negative tau_is_non_decreasing m_hat_of_equation_7
    P P_is_a_node P_has_depth_h_max_plus_1 P_is_optimal C d_hat n H l C_is_not_negative
    lemma_2_for_the_sets_of_lemma_1 Ht HH Hl).
Qed.

End Theorem2Packing.
