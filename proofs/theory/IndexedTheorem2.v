(** * Theorem 2 for the indexed policy, with numbers that can be computed

    Under the policy [indexed] the abstract eps_h of Theorem 2 is (g_0(y) - f_star) + L ||B|| r_h, for any point y of
    Y: no tau, no Assumption 2.  Take y a minimiser of g_0; on the event that g_0 attains f_star (coverage), the first
    term vanishes and the regret after S_h complete sweeps is at most L ||B|| r_(h+1), which tends to 0. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsEvaluations Geometry SweepCosts Lemma1 Theorem2
  RealValues Vectors Cells WellShaped Indexed IndexedRegret.
Local Open Scope R_scope.

Section RegretOfTheIndexedPolicy.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation oracle := (indexed_oracle f A radius cfg).
  Notation g_0 := (g f A cfg 0).
  Notation start := (start oracle cfg).
  Notation run_for := (run_for less_real oracle cfg).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  (** N bounds the stretch of the rows S of A_0, as their operator norm and their Frobenius norm do. *)
  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S d (A 0%nat) N.

  (** Any point of Y. *)
  Variable y : vector.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  (** f_star + eps_h = g_0(y) + L N r_h. *)
  Definition threshold (h : nat) : R := g_0 y + L * N * circumradius k d radius h.

  Notation S_ h := (S_ less_real oracle cfg threshold h).

  (** Claim [indexed-regret-bound]. The thresholds never grow with the depth. *)
  Lemma thresholds_never_grow : forall h h', (h <= h')%nat -> threshold h' <= threshold h.
  Proof.
    intros h h' deeper. unfold threshold. apply Rplus_le_compat_l. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [assumption | apply stretch].
    - apply circumradius_never_grows; assumption.
  Qed.

  (** Claim [indexed-regret-bound]. S_h counts the nodes x of depth at most h whose value is at most
      g_0(y) + L N r_(depth of x). *)
  Theorem S_counts_the_nodes_below_their_threshold : forall h x, node k x -> (length x <= h)%nat ->
    (In x (G less_real oracle cfg threshold h) <-> value less_real oracle cfg x <= threshold (length x)).
  Proof.
    intros h x valid small. rewrite in_G, near_iff. split.
    - intros (_ & _ & l & between & below). apply at_most_is_below in below.
      eapply Rle_trans; [exact below|]. apply thresholds_never_grow. lia.
    - intros below. split; [assumption|]. split; [assumption|]. exists (length x).
      split; [lia|]. apply at_most_is_below. assumption.
  Qed.

  (** The branch of y satisfies what Theorem 2 asks for. *)
  Lemma branch_of_a_point_is_optimal : forall h, exists c p,
    node k (c :: p) /\ length p = h /\ optimal_branch less_real oracle cfg threshold (c :: p).
  Proof.
    intros h.
    destruct (every_point_has_a_branch k d radius d_pos radius_pos (Datatypes.S h) y y_is_in_the_space)
      as (x & valid & depth & cells).
    destruct x as [|c p]; [discriminate|]. exists c, p.
    split; [assumption|]. split; [cbn in depth; lia|].
    intros q [more split]. apply at_most_is_below.
    apply (recorded_value_near_a_point n S L f A radius cfg); try assumption.
    apply (cells more). assumption.
  Qed.

  Variable f_star : R.
  Variable h : nat.
  Hypothesis h_at_most_h_max : (h <= h_max cfg)%nat.

  (** (g_0(y) - f_star) + L N r_(h+1). *)
  Notation bound := ((g_0 y - f_star) + L * N * circumradius k d radius (Datatypes.S h)).

  (** What Theorem 2 says at the depth h + 1 of the branch. *)
  Lemma bound_from_the_threshold : forall s : state R,
    (forall l, (l <= Datatypes.S h)%nat -> Order.at_most less_real (answer s) (threshold l)) -> answer s - f_star <= bound.
  Proof.
    intros s near. specialize (near (Datatypes.S h) (Nat.le_refl _)).
    apply at_most_is_below in near. unfold threshold in near. lra.
  Qed.

  (** Claims [indexed-regret-bound] [theorem-2] [regret-without-probability]. Regret of the indexed policy in sweeps: after
      S_h complete sweeps, and ever after, it is at most (g_0(y) - f_star) + L N r_(h+1), for every y in Y. *)
  Theorem regret_of_the_indexed_policy_after_S_sweeps : forall m s,
    (S_ h <= m)%nat -> exhausted cfg (run_for m start) = false -> steps less_real oracle cfg (run_for m start) s ->
    answer s - f_star <= bound.
  Proof.
    intros m s enough left_over later. destruct (branch_of_a_point_is_optimal h) as (c & p & valid & depth & optimal).
    apply bound_from_the_threshold. exact (after_S_sweeps_the_answer_is_near_optimal less_real oracle cfg threshold
      real_values_are_totally_ordered h p c valid depth h_at_most_h_max optimal m s enough left_over later).
  Qed.

  Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

  (** Claims [indexed-regret-bound] [theorem-2]. Regret of the indexed policy in evaluations: a budget of
      1 + K S_h (gamma_0 + ... + gamma_h_max) makes it at most (g_0(y) - f_star) + L N r_(h+1). *)
  Theorem regret_of_the_indexed_policy_within_a_budget :
    (1 + K k * S_ h * sum_of_gammas k d (Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
    answer (hunt less_real oracle cfg) - f_star <= bound.
  Proof.
    intros enough. destruct (branch_of_a_point_is_optimal h) as (c & p & valid & depth & optimal).
    apply bound_from_the_threshold. exact (with_budget_K_S_gamma_the_answer_is_near_optimal less_real oracle cfg threshold
      real_values_are_totally_ordered h p c valid depth h_at_most_h_max optimal d_pos cap_den_positive enough).
  Qed.

  (** Claims [indexed-regret-bound] [theorem-2]. The same regret with a budget that needs no knowledge of f: S_h replaced by
      the number of nodes of depth at most h. *)
  Theorem regret_of_the_indexed_policy_within_a_budget_for_all_nodes :
    (1 + K k * length (levels k h) * sum_of_gammas k d (Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
    answer (hunt less_real oracle cfg) - f_star <= bound.
  Proof.
    intros enough. destruct (branch_of_a_point_is_optimal h) as (c & p & valid & depth & optimal).
    apply bound_from_the_threshold. exact (with_budget_for_all_nodes_the_answer_is_near_optimal less_real oracle cfg threshold
      real_values_are_totally_ordered h p c valid depth h_at_most_h_max optimal d_pos cap_den_positive enough).
  Qed.

End RegretOfTheIndexedPolicy.

(** ** A concrete instance of every hypothesis

    Any matrices A_p, any point y of Y, and the cone f(x) = L ||x - x*|| about the image x* of y under A_0: its least
    value f_star = 0 is g_0(y). *)
Section ConeInstance.

  Variables (n : nat) (L : R) (A : nat -> matrix) (d : nat) (y : vector).

  Definition optimum : vector := project (times d (A 0%nat) y).
  Definition cone : vector -> R := fun x => L * Vectors.norm (coordinates n) (minus x optimum).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.

  Lemma cone_is_nonnegative : forall x, 0 <= cone x.
  Proof. intros. apply Rmult_le_pos; [assumption | apply norm_is_nonnegative]. Qed.

  Lemma cone_vanishes_at_its_optimum : embedded cone d (A 0%nat) y = 0.
  Proof.
    unfold embedded, cone. fold optimum. rewrite norm_of_zeros; [ring|]. intros. unfold minus. ring.
  Qed.

  Variables (radius : R) (k : nat).
  Hypothesis radius_pos : 0 < radius.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  (** Claim [indexed-regret-bound]. For a cone whose optimum is covered, the least value found with a budget for all
      nodes of depth at most h is between 0 and L ||A_0||_F r_(h+1): nothing is left to assume. *)
  Theorem regret_of_the_indexed_policy_on_a_covered_cone : forall cfg h,
    Model.half cfg = k -> dimension cfg = d -> (0 < cap_den cfg)%Z -> (h <= h_max cfg)%nat ->
    (1 + K k * length (levels k h) * sum_of_gammas k d (Datatypes.S (h_max cfg)) <= budget cfg)%nat ->
    0 <= answer (hunt less_real (indexed_oracle cone A radius cfg) cfg)
      <= L * frobenius (coordinates n) d (A 0%nat) * circumradius k d radius (Datatypes.S h).
  Proof.
    intros cfg h half_is dimension_is cap small enough. split.
    - apply (answers_are_values_of_f n cone A radius cfg); [intros; apply cone_is_nonnegative|].
      apply run_for_reached.
    - assert (d_pos' := d_pos). assert (inside := y_is_in_the_space).
      rewrite <- dimension_is in d_pos', inside. rewrite <- half_is, <- dimension_is in *.
      pose proof (regret_of_the_indexed_policy_within_a_budget_for_all_nodes n (coordinates n) L cone A radius cfg
        d_pos' radius_pos L_is_nonnegative (cone_is_lipschitz n (coordinates n) L optimum L_is_nonnegative)
        (frobenius (coordinates n) (dimension cfg) (A 0%nat))
        (frobenius_norm_bounds_the_stretch (coordinates n) (dimension cfg) (A 0%nat))
        y inside 0 h small cap enough) as regret.
      unfold g in regret. rewrite dimension_is, cone_vanishes_at_its_optimum, <- dimension_is in regret. lra.
  Qed.

End ConeInstance.
