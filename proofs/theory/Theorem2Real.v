(** * Lemma 1 and Theorem 2 as the paper states them, corrected, over the reals.

    Values are real numbers.  The thresholds are f* + tau(l) + delta(l), tau
    non-decreasing and delta non-increasing; m_hat is eq. (7)'s m at depth h_max; the
    sets are the paper's I_l of nodes (of the infinite tree) with a value of at
    most f* + m_hat delta(l).  Only the factor h_max of the paper has become
    h_max + 1. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Theorem2 RealValues.

(** f 0 + ... + f (n-1). *)
Fixpoint sum_to (f : nat -> R) (n : nat) : R :=
  match n with
  | 0 => 0%R
  | S n' => (sum_to f n' + f n')%R
  end.

Lemma sum_to_of_multiples c f n : sum_to (fun i => c * f i)%R n = (c * sum_to f n)%R.
Proof. induction n as [|n IH]; cbn [sum_to]; [lra|]. rewrite IH. lra. Qed.

Section Theorem2Real.

Context (oracle : path -> nat -> R) (cfg : settings) (f_star : R) (tau delta : nat -> R) (m_hat : R).

Local Notation k := (half cfg).
Local Notation run_for := (run_for less_real oracle cfg).
Local Notation start := (start oracle cfg).

Definition theta (l : nat) : R := (f_star + (tau l + delta l))%R.

Local Notation S_ := (S_ less_real oracle cfg theta).

(** I_l^eps: the nodes of depth l whose value is at most f* + eps. *)
Definition I (l : nat) (eps : R) : list path :=
  filter (fun x => if Rle_dec (value less_real oracle cfg x) (f_star + eps) then true else false) (level k l).

(** |I_0^(m_hat delta(0))| + ... + |I_h^(m_hat delta(h))|: the paper's t_h over its factor. *)
Fixpoint printed_sum (h : nat) : nat :=
  match h with
  | 0 => length (I 0 (m_hat * delta 0))
  | S h' => printed_sum h' + length (I h (m_hat * delta h))
  end.

(** The assumptions on tau, delta and m_hat: eq. (7), and the monotonicity that the
    paper's Assumptions 2 and 4 mean, up to depth h_max. *)
Hypothesis delta_is_positive : forall l, l <= h_max cfg -> (0 < delta l)%R.
Hypothesis delta_is_non_increasing :
  forall l l', l <= l' <= h_max cfg -> (delta l' <= delta l)%R.
Hypothesis tau_is_non_negative : (0 <= tau 0)%R.
Hypothesis tau_is_non_decreasing :
  forall l l', l <= l' <= h_max cfg -> (tau l <= tau l')%R.
Hypothesis m_hat_of_equation_7 :
  (tau (h_max cfg) + delta (h_max cfg) <= m_hat * delta (h_max cfg))%R.

(** Claim [eq-7].  tau(l) + delta(l) <= m_hat delta(l') for l' <= l <= h_max. *)
Lemma the_threshold_is_at_most_m_hat_delta l' l :
  l' <= l <= h_max cfg -> (tau l + delta l <= m_hat * delta l')%R.
Proof.
  intros H.
  pose proof (delta_is_positive (h_max cfg) ltac:(lia)) as H1.
  pose proof (delta_is_non_increasing l (h_max cfg) ltac:(lia)) as H2.
  pose proof (delta_is_non_increasing l' l ltac:(lia)) as H3.
  pose proof (tau_is_non_decreasing l (h_max cfg) ltac:(lia)) as H4.
  pose proof (tau_is_non_decreasing 0 (h_max cfg) ltac:(lia)) as H5.
  assert (Hm : (0 <= m_hat - 1)%R).
  { apply Rnot_lt_le. intros Hlt. nra. }
  assert (H6 : (tau l <= (m_hat - 1) * delta (h_max cfg))%R) by lra.
  assert (H7 : ((m_hat - 1) * delta (h_max cfg) <= (m_hat - 1) * delta l')%R)
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** Claim [lemma-1] [supplement-a6].  The printed sets contain the sharp ones: S_h is at most the
    paper's sum. *)
Theorem S_is_at_most_the_printed_sum h : h <= h_max cfg -> S_ h <= printed_sum h.
Proof.
  intros Hh.
  assert (H : forall n, n <= h ->
    length (filter (near less_real oracle cfg theta h) (levels k n)) <= printed_sum n).
  { assert (Hl : forall n, n <= h ->
      length (filter (near less_real oracle cfg theta h) (level k n))
      <= length (I n (m_hat * delta n))).
    { intros n Hn. apply NoDup_incl_length; [apply NoDup_filter, nodup_level|].
      intros x [Hx Hnear]%filter_In. apply filter_In. split; [exact Hx|]. apply in_level in Hx. destruct Hx as [_ Hx].
      apply near_iff in Hnear. destruct Hnear as [_ (l & Hl & Hv)].
      apply at_most_is_below in Hv. unfold theta in Hv.
      pose proof (the_threshold_is_at_most_m_hat_delta n l ltac:(lia)).
      destruct (Rle_dec _ _) as [_|N]; [reflexivity|]. exfalso. apply N. lra. }
    induction n as [|n IH]; intros Hn; cbn [levels printed_sum]; [now apply Hl|].
    rewrite filter_app, app_length. specialize (IH ltac:(lia)). specialize (Hl (S n) Hn).
    cbn [levels] in *. lia. }
  now apply H.
Qed.

(** Bounds of all |I_l| add up. *)
Lemma printed_sum_is_at_most bound h :
  (forall j, j <= h_max cfg -> (INR (length (I j (m_hat * delta j))) <= bound j)%R) -> h <= h_max cfg ->
  (INR (printed_sum h) <= sum_to bound (S h))%R.
Proof.
  intros Hb. induction h as [|h IH]; intros Hh; specialize (Hb _ Hh).
  - cbn [printed_sum sum_to]. lra.
  - cbn [printed_sum]. rewrite plus_INR. specialize (IH ltac:(lia)). cbn [sum_to] in *. lra.
Qed.

(** An optimal branch down to depth h_max + 1: the nodes whose cells hold the
    optimum. *)
Variable P : path.
Hypothesis P_is_a_node : node k P.
Hypothesis P_has_depth_h_max_plus_1 : length P = S (h_max cfg).
Hypothesis P_is_optimal : forall q, ancestor q P ->
  (value less_real oracle cfg q - f_star <= tau (length q) + delta (length q))%R.

Lemma P_is_an_optimal_branch : optimal_branch less_real oracle cfg theta P.
Proof. intros q Hq. apply at_most_is_below. unfold theta. specialize (P_is_optimal q Hq). lra. Qed.

Lemma branch_at h : h <= h_max cfg ->
  exists c p, node k (c :: p) /\ length p = h /\ ancestor (c :: p) P /\ optimal_branch less_real oracle cfg theta (c :: p).
Proof.
  intros Hh. destruct (ancestor_of_depth P (S h)) as ([|c p] & Hq & E); [lia|discriminate E|].
  exists c, p. split; [|split; [|split]].
  - destruct Hq as (m & E'). unfold node in *. rewrite E' in P_is_a_node.
    now apply Forall_app in P_is_a_node.
  - cbn in E. lia.
  - exact Hq.
  - intros q (m & Hm). apply P_is_an_optimal_branch. destruct Hq as (m' & ->).
    exists (m' ++ m). rewrite <- app_assoc. now rewrite <- Hm.
Qed.

(** Claim [lemma-1].  Lemma 1 as the paper states it, with h_max + 1 for h_max: once
    t >= (h_max + 1) (|I_0| + ... + |I_h|) iterations have been made (and budget is
    left), the optimal node of depth h has been expanded. *)
Theorem lemma_1_with_h_max_plus_1 h p n :
  h <= h_max cfg -> ancestor p P -> length p = h ->
  S (h_max cfg) * printed_sum h <= iterations (run_for n start) ->
  exhausted cfg (run_for n start) = false ->
  In p (expanded (log (run_for n start))).
Proof.
  intros Hh Ha Hl Ht Hx.
  pose proof (S_is_at_most_the_printed_sum h Hh) as HS.
  pose proof (triangle_at_most (S (h_max cfg)) (S_ h)) as HT.
  apply (after_h_max_plus_1_times_S_iterations_the_optimal_node_is_expanded less_real oracle cfg theta
    real_values_are_totally_ordered h p); auto.
  - destruct Ha as (m & E). unfold node in *. rewrite E in P_is_a_node.
    now apply Forall_app in P_is_a_node.
  - intros q (m & Hm). apply P_is_an_optimal_branch. destruct Ha as (m' & ->).
    exists (m' ++ m). rewrite <- app_assoc. now rewrite <- Hm.
  - nia.
Qed.

(** Claim [theorem-2].  Theorem 2 in iterations, for any bounds bound(l) on
    |I_l^(m_hat delta(l))|: after t iterations, if H is such that
    (h_max + 1) (bound 0 + ... + bound (H-1)) < t, the regret is at most
    tau(l) + delta(l) for every l <= min(H, h_max + 1). *)
Theorem theorem_2_with_any_bound (bound : nat -> R) n H l :
  (forall j, j <= h_max cfg -> (INR (length (I j (m_hat * delta j))) <= bound j)%R) ->
  (INR (S (h_max cfg)) * sum_to bound H < INR (iterations (run_for n start)))%R ->
  (forall j, (0 <= bound j)%R) ->
  l <= Nat.min H (S (h_max cfg)) ->
  (answer (run_for n start) - f_star <= tau l + delta l)%R.
Proof.
  intros Hb Ht Hpos Hl.
  assert (Hmono : forall a b, a <= b -> (sum_to bound a <= sum_to bound b)%R).
  { induction 1 as [|b Hab IH]; [lra|]. cbn [sum_to]. specialize (Hpos b). lra. }
  destruct l as [|l].
  - pose proof (the_answer_is_at_most_the_root's_value less_real oracle cfg
      real_values_are_totally_ordered n) as Hroot.
    apply at_most_is_below in Hroot.
    assert (Ha : ancestor [] P) by (exists P; now rewrite app_nil_r).
    pose proof (P_is_optimal [] Ha) as Hv. cbn [length] in Hv. lra.
  - assert (Hh : l <= h_max cfg) by lia.
    destruct (branch_at l Hh) as (c & p & Hn & Hp & _ & Hopt).
    assert (Hlt : S (h_max cfg) * printed_sum l < iterations (run_for n start)).
    { apply INR_lt. rewrite mult_INR. eapply Rle_lt_trans; [|exact Ht].
      apply Rmult_le_compat_l; [apply pos_INR|].
      eapply Rle_trans; [apply (printed_sum_is_at_most bound l Hb Hh)|]. apply Hmono. lia. }
    pose proof (S_is_at_most_the_printed_sum l Hh) as HS.
    pose proof (triangle_at_most (S (h_max cfg)) (S_ l)) as HT.
    assert (Hat : at_most less_real (answer (run_for n start)) (theta (S l))).
    { apply (after_h_max_plus_1_times_S_iterations_the_answer_is_near_optimal less_real oracle cfg theta
        real_values_are_totally_ordered l p c); auto. left. nia. }
    apply at_most_is_below in Hat. unfold theta in Hat. lra.
Qed.

(** Eq. (9): H is the smallest h with C (h_max + 1) sum_{l <= h} (m_hat delta(l))^(-d_hat)
    at least t. *)
Definition is_h_of (C d_hat t : R) (H : nat) : Prop :=
  let lhs h := (C * INR (S (h_max cfg)) *
    sum_to (fun l => Rpower (m_hat * delta l) (- d_hat)) (S h))%R in
  (t <= lhs H)%R /\ forall h, h < H -> (lhs h < t)%R.

(** Claim [theorem-2].  Theorem 2 as the paper states it, with h_max + 1 for h_max in
    eq. (9), from the conclusion of Lemma 2. *)
Theorem theorem_2_with_h_max_plus_1 C d_hat n H l :
  (0 <= C)%R ->
  (forall j, j <= h_max cfg ->
    (INR (length (I j (m_hat * delta j))) <= C * Rpower (m_hat * delta j) (- d_hat))%R) ->
  (0 < iterations (run_for n start)) ->
  is_h_of C d_hat (INR (iterations (run_for n start))) H ->
  l <= Nat.min H (S (h_max cfg)) ->
  (answer (run_for n start) - f_star <= tau l + delta l)%R.
Proof.
  intros HC Hlemma2 Ht [_ Hsmall] Hl.
  apply (theorem_2_with_any_bound (fun j => C * Rpower (m_hat * delta j) (- d_hat))%R n H l); auto.
  - rewrite (sum_to_of_multiples C (fun j => Rpower (m_hat * delta j) (- d_hat))). destruct H as [|H].
    + cbn [sum_to]. rewrite Rmult_0_r, Rmult_0_r. now apply lt_0_INR.
    + specialize (Hsmall H ltac:(lia)). cbv zeta in Hsmall.
      eapply Rle_lt_trans; [|exact Hsmall]. apply Req_le. ring.
  - intros j. apply Rmult_le_pos; [exact HC|]. left. apply exp_pos.
Qed.

(** Claim [theorem-2].  Theorem 2 in evaluations, which is how eq. (2) counts the
    regret: a budget of 1 + K (|I_0| + ... + |I_h|) (gamma_0 + ... + gamma_h_max)
    evaluations suffices for a regret of at most tau(l) + delta(l), l <= h + 1. *)
Theorem theorem_2_in_evaluations h l :
  1 <= dimension cfg -> (0 < cap_den cfg)%Z ->
  h <= h_max cfg ->
  1 + K k * printed_sum h * sum_of_gammas k (dimension cfg) (S (h_max cfg)) <= budget cfg ->
  l <= S h ->
  (answer (hunt less_real oracle cfg) - f_star <= tau l + delta l)%R.
Proof.
  intros Hd Hq Hh Hb Hl. destruct (branch_at h Hh) as (c & p & Hn & Hp & _ & Hopt).
  pose proof (S_is_at_most_the_printed_sum h Hh) as HS.
  assert (Hat : at_most less_real (answer (hunt less_real oracle cfg)) (theta l)).
  { apply (with_budget_K_S_gamma_the_answer_is_near_optimal less_real oracle cfg theta
      real_values_are_totally_ordered h p c); auto.
    etransitivity; [|exact Hb]. apply Nat.add_le_mono_l, Nat.mul_le_mono_r, Nat.mul_le_mono_l.
    exact HS. }
  apply at_most_is_below in Hat. unfold theta in Hat. lra.
Qed.

End Theorem2Real.
