(** * The chain of the paper, repaired: Assumptions 2-4 and Definition 2 give the regret.

    Everything together, for a family of realisations g_w on Y: Assumption 2 and 4 in
    their repaired form (one realisation [best_w] and one point [y_star] of Y attain
    f*; delta bounds the variation of g_(best_w) in the cells around y_star, tau that
    between realisations at their base points), Assumption 3, Definition 2 for eps up
    to eps_0.  Which realisation an evaluation draws is arbitrary. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms SweepCosts Lemma1 Theorem2 RealValues Theorem2Real
  Vectors Cells Packing.

Section Paper.

Context (cfg : settings) (radius : R).
Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation base_point := (base_point k d radius).
Local Notation in_cell := (in_cell k d radius).

Hypothesis d_positive : 1 <= d.
Hypothesis radius_positive : (0 < radius)%R.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

(** The realisations g_w of the stochastic function, functions on Y; the n-th
    evaluation of base point y draws the realisation [draw y n]. *)
Context {W : Type} (g : W -> vector -> R) (draw : path -> nat -> W).
Hypothesis g_reads_d_coordinates : forall w y y',
  (forall j, j < d -> y j = y' j) -> g w y = g w y'.

Definition oracle_of_realisations (y : path) (n : nat) : R := g (draw y n) (base_point y).

Local Notation oracle := oracle_of_realisations.
Local Notation value := (value less_real oracle cfg).
Local Notation run_for := (run_for less_real oracle cfg).
Local Notation start := (start oracle cfg).

(** A node's value is the value of some realisation at its base point. *)
Lemma value_is_a_realisation p : exists w, value p = g w (base_point p).
Proof.
  assert (H : exists n, value p = oracle (birth k p) n).
  { induction p as [|c q (n & IH)]; [now exists 1|].
    rewrite (value_cons less_real oracle cfg). destruct (c =? k) eqn:E; [|eexists; reflexivity].
    assert (Hb : birth k (c :: q) = birth k q) by (cbn [birth]; now rewrite E).
    rewrite Hb.
    destruct (within_cap cfg (node_at less_real oracle cfg q)); [|eauto].
    destruct (smaller_is_one_of less_real (sample less_real oracle cfg (c :: q)) (value q)) as [-> | ->];
      [|eauto].
    unfold sample. rewrite Hb. eauto. }
  destruct H as (n & ->). exists (draw (birth k p) n). apply g_reads_d_coordinates.
  intros j Hj. apply (same_point_same_base_point k d radius); [|exact Hj].
  now apply same_point_birth.
Qed.

Context (f_star : R) (tau delta : nat -> R) (m m_hat C d_hat eps_0 : R).
Context (ell : vector -> vector -> R) (g_min : vector -> R) (best_w : W) (y_star : vector).

(** g_min is min_p g_p, or anything below it. *)
Hypothesis g_min_is_below : forall w y, (g_min y <= g w y)%R.

Hypothesis y_star_is_in_Y : in_space d radius y_star.
(** Assumption 2. *)
Hypothesis assumption_2 : forall q, node k q -> in_cell q y_star -> length q <= S (h_max cfg) ->
  (g best_w (base_point q) <= f_star + delta (length q))%R.
(** Assumption 4. *)
Hypothesis assumption_4 : forall q w, node k q -> in_cell q y_star -> length q <= S (h_max cfg) ->
  (Rabs (g w (base_point q) - g best_w (base_point q)) <= tau (length q))%R.
Hypothesis delta_is_positive : forall l, l <= h_max cfg -> (0 < delta l)%R.
Hypothesis delta_is_non_increasing :
  forall l l', l <= l' <= h_max cfg -> (delta l' <= delta l)%R.
Hypothesis tau_is_non_negative : (0 <= tau 0)%R.
Hypothesis tau_is_non_decreasing :
  forall l l', l <= l' <= h_max cfg -> (tau l <= tau l')%R.
(** Eq. (7) at depth h_max. *)
Hypothesis equation_7 :
  (tau (h_max cfg) + delta (h_max cfg) <= m_hat * delta (h_max cfg))%R.
Hypothesis assumption_3 : well_shaped k d radius ell m delta.
Hypothesis C_is_non_negative : (0 <= C)%R.
Hypothesis definition_2 :
  near_optimality_dimension d radius ell g_min f_star (m / m_hat) C d_hat eps_0.
Hypothesis eps_0_suffices : (m_hat * delta 0 <= eps_0)%R.

Local Notation I l := (Theorem2Real.I oracle cfg f_star l (Rmult m_hat (delta l))).

Lemma m_hat_is_positive : (0 < m_hat)%R.
Proof.
  pose proof (delta_is_positive (h_max cfg) ltac:(lia)).
  pose proof (tau_is_non_decreasing 0 (h_max cfg) ltac:(lia)).
  apply Rnot_le_lt. intros Hn. nra.
Qed.

Lemma lemma_2_for_values j : j <= h_max cfg ->
  (INR (length (I j)) <= C * Rpower (m_hat * delta j) (- d_hat))%R.
Proof.
  intros Hj. pose proof m_hat_is_positive as Hm.
  apply (near_optimal_nodes_are_few k d radius ell g_min f_star d_positive radius_positive
    m m_hat C d_hat eps_0 delta Hm assumption_3 definition_2).
  - pose proof (delta_is_positive j Hj). pose proof (delta_is_non_increasing 0 j ltac:(lia)). nra.
  - split; [apply NoDup_filter, nodup_level|]. intros p Hp. unfold Theorem2Real.I in Hp.
    apply filter_In in Hp. destruct Hp as [Hp Hv]. apply in_level in Hp. destruct Hp as [H1 H2].
    repeat split; auto. destruct (Rle_dec (value p) (f_star + m_hat * delta j)) as [Hle|]; [|discriminate].
    destruct (value_is_a_realisation p) as (w & E). pose proof (g_min_is_below w (base_point p)). lra.
Qed.

(** The nodes whose cells hold y_star are an optimal branch. *)
Lemma optimal_branch_of_cells : exists P, node k P /\ length P = S (h_max cfg) /\
  forall q, ancestor q P -> in_cell q y_star /\
    (value q - f_star <= tau (length q) + delta (length q))%R.
Proof.
  (* [P] is the node of depth h_max + 1 whose cell holds [y_star]. *)
  destruct (every_point_is_in_one_cell_of_each_depth k d radius d_positive radius_positive
    (S (h_max cfg)) y_star y_star_is_in_Y) as (P & [[HP HL] HC] & _).
  exists P. split; [exact HP|]. split; [exact HL|]. intros q Hq.
  (* An ancestor [q] of [P] is a node, and its cell contains the cell of [P]. So it holds [y_star].
     *)
  assert (Hqn : node k q).
  { destruct Hq as (mm & ->). unfold node in *. now apply Forall_app in HP. }
  assert (Hqc : in_cell q y_star).
  { destruct Hq as (mm & ->). clear HL Hqn. revert HP HC.
    induction mm as [|c mm IH]; cbn [app]; intros HP HC; [exact HC|].
    inversion HP; subst. apply IH; [assumption|].
    destruct (children_partition_their_parent k d radius d_positive radius_positive (mm ++ q) y_star)
      as [_ H]. eapply H; eauto. }
  (* By Assumptions 2 and 4 the value of [q] is at most f* + tau + delta of its depth. *)
  split; [exact Hqc|].
  assert (Hql : length q <= S (h_max cfg)) by (rewrite <- HL; now apply ancestor_length).
  destruct (value_is_a_realisation q) as (w & ->).
  pose proof (assumption_2 q Hqn Hqc Hql). pose proof (assumption_4 q w Hqn Hqc Hql) as H4.
  pose proof (Rle_abs (g w (base_point q) - g best_w (base_point q))). lra.
Qed.

(** Claim [lemma-1].  Lemma 1 from the paper's assumptions, with h_max + 1 for h_max: after
    (h_max + 1) (|I_0| + ... + |I_h|) iterations, with budget left, the node of depth h whose cell
    holds the optimum has been expanded. *)
Theorem lemma_1_from_the_assumptions h p n :
  h <= h_max cfg -> node k p -> length p = h -> in_cell p y_star ->
  S (h_max cfg) * printed_sum oracle cfg f_star delta m_hat h <= iterations (run_for n start) ->
  exhausted cfg (run_for n start) = false ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Hh Hp Hl Hc. destruct optimal_branch_of_cells as (P & HP & HL & HO).
  assert (Ha : ancestor p P).
  { destruct (ancestor_of_depth P h) as (q & Hq & Eq); [lia|].
    replace p with q; [exact Hq|].
    apply (cells_of_one_depth_are_disjoint k d radius d_positive radius_positive q p y_star);
      auto; [|congruence|now apply HO].
    destruct Hq as (mm & ->). unfold node in *. now apply Forall_app in HP. }
  apply (lemma_1_with_h_max_plus_1 oracle cfg f_star tau delta m_hat) with (P := P); auto.
  intros q Hq. now apply HO.
Qed.

(** Claim [theorem-2].  Theorem 2 from the paper's assumptions, with h_max + 1 for h_max in eq. (9):
    the regret after t iterations is at most min { tau(h) + delta(h) : h <= min(h(t), h_max + 1) }. *)
Theorem theorem_2_from_the_assumptions n H l :
  0 < iterations (run_for n start) ->
  is_h_of cfg delta m_hat C d_hat (INR (iterations (run_for n start))) H ->
  l <= Nat.min H (S (h_max cfg)) ->
  (answer (run_for n start) - f_star <= tau l + delta l)%R.
Proof.
  (* The nodes whose cells hold [y_star] are an optimal branch. *)
  intros Ht HH Hl. destruct optimal_branch_of_cells as (P & HP & HL & HO).
  (* Theorem 2 for an optimal branch asks for the values on this branch, and for the bound of Lemma
     2. *)
  apply (theorem_2_with_h_max_plus_1 oracle cfg f_star tau delta m_hat) with
    (P := P) (C := C) (d_hat := d_hat) (H := H); auto.
  - intros q Hq. now apply HO.
  - apply lemma_2_for_values.
Qed.

(** Claim [theorem-2].  Theorem 2 in evaluations from the paper's assumptions: a budget of
    1 + K C (sum over l <= h of (m_hat delta(l))^(-d_hat)) (gamma_0 + ... + gamma_h_max) evaluations
    gives a regret of at most tau(l) + delta(l) for every l <= h + 1. *)
Theorem theorem_2_in_evaluations_from_the_assumptions h l :
  h <= h_max cfg -> l <= S h ->
  (1 + INR (K k) * (C * sum_to (fun j => Rpower (m_hat * delta j) (- d_hat)) (S h))
     * INR (sum_of_gammas k d (S (h_max cfg))) <= INR (budget cfg))%R ->
  (answer (hunt less_real oracle cfg) - f_star <= tau l + delta l)%R.
Proof.
  intros Hh Hl Hb. destruct optimal_branch_of_cells as (P & HP & HL & HO).
  apply (theorem_2_in_evaluations oracle cfg f_star tau delta m_hat) with (P := P) (h := h); auto.
  - intros q Hq. now apply HO.
  - pose proof (printed_sum_is_at_most oracle cfg f_star delta m_hat _ h lemma_2_for_values Hh) as Hsum.
    rewrite (sum_to_of_multiples C (fun j => Rpower (m_hat * delta j) (- d_hat))) in Hsum.
    apply INR_le. rewrite plus_INR, !mult_INR. change (INR 1) with 1%R.
    eapply Rle_trans; [|exact Hb]. apply Rplus_le_compat_l.
    apply Rmult_le_compat_r; [apply pos_INR|]. apply Rmult_le_compat_l; [apply pos_INR|].
    exact Hsum.
Qed.

End Paper.
