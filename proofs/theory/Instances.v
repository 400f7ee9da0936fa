(** * No theorem is empty: concrete instances of every set of hypotheses. *)

From Coq Require Import Reals Rpower Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Theorem2 RealValues Theorem2Real
  Vectors Cells WellShaped Packing Theorem2Paper.

(** ** Integers: K = 3, d = 1, h_max = 2, g(y) = |y| *)

Section OnTheLine.

(** The value of a base point is its distance from 0, in units of 2R / 27. *)
Definition distance_from_zero (y : path) (_ : nat) : Z :=
  fold_right (fun c s => (Z.abs c + s) * 3 ^ Z.of_nat (3 - length y))%Z 0%Z (numerators 1 1 y).

(** f* + eps_l with f* = 0, eps_l = 3^(3-l). *)
Definition allowed (l : nat) : Z := (3 ^ Z.of_nat (3 - l))%Z.

Definition line (v : nat) : settings := Settings 1 1 2 v 100 1.

Lemma ancestors_of_a_path p : forall q, ancestor q p ->
  In q ((fix tails (p : path) := p :: match p with [] => [] | _ :: r => tails r end) p).
Proof.
  induction p as [|c p IH]; intros q H.
  - destruct H as (m & E). symmetry in E. apply app_eq_nil in E. left. symmetry. apply E.
  - destruct (ancestor_cons _ _ _ H) as [->|H']; [now left|right; now apply IH].
Qed.

Lemma line_branch v : optimal_branch Z.ltb distance_from_zero (line v) allowed [1; 1; 1].
Proof.
  intros q Hq. apply ancestors_of_a_path in Hq. cbn in Hq.
  destruct Hq as [<-|[<-|[<-|[<-|[]]]]]; reflexivity.
Qed.

(** Claim [theorem-2].  The hypotheses of Lemma 1 and Theorem 2 hold together in an instance: with
    K = 3, d = 1, h_max = 2, g(y) = |y| the sharp set of depth 2 has S_2 = 7 nodes, and every run
    of 1 + 3 * 7 * (gamma_0 + gamma_1 + gamma_2) evaluations or more expands the optimal node of depth 2. *)
Theorem lemma_1_and_theorem_2_have_an_instance v :
  1 + 3 * 7 * sum_of_gammas 1 1 3 <= v ->
  In [1; 1] (expanded (log (hunt Z.ltb distance_from_zero (line v)))) /\
  forall l, l <= 3 -> at_most Z.ltb (answer (hunt Z.ltb distance_from_zero (line v))) (allowed l).
Proof.
  intros Hv. pose proof the_integers_are_totally_ordered as Ho. split.
  - apply (the_budget_suffices_to_expand_the_optimal_node Z.ltb distance_from_zero (line v) allowed
      Ho 2); auto; try (cbn; lia).
    + repeat constructor; cbn; lia.
    + intros q (m & E). apply line_branch. exists (1 :: m). cbn. now rewrite E.
  - apply (with_budget_K_S_gamma_the_answer_is_near_optimal Z.ltb distance_from_zero (line v) allowed
      Ho 2 [1; 1] 1); auto; try (cbn; lia).
    + repeat constructor; cbn; lia.
    + apply line_branch.
Qed.

End OnTheLine.

(** ** Reals: K = 3, d = 1, Y = [-1, 1), one realisation g(y) = |y|, optimum at 0 *)

Section AbsoluteValue.

Variables (h_max v : nat).

Definition interval : settings := Settings 1 1 h_max v 100 1.
Definition absolute (_ : unit) (y : vector) : R := Rabs (y 0).
Definition no_draw (_ : path) (_ : nat) : unit := tt.
Definition origin : vector := fun _ => 0%R.
Definition third (h : nat) : R := inscribed_radius 1 1 1 h.
Definition no_tau (_ : nat) : R := 0%R.

Lemma third_positive h : (0 < third h)%R.
Proof. apply inscribed_radius_pos. lra. Qed.

Lemma third_non_increasing l l' : l <= l' -> (third l' <= third l)%R.
Proof.
  intros H. unfold third, inscribed_radius. apply Rmult_le_compat_l; [lra|].
  apply Rinv_le_contravar; [apply power_pos|]. apply power_mono.
  apply (levels_mono 1 (le_n 1)). exact H.
Qed.

(** With d_hat = 0 each term of the sum of Lemma 2 is 1. *)
Lemma sum_of_zeroth_powers c n : (0 < c)%R -> sum_to (fun h => Rpower (c * third h) (- 0)) n = INR n.
Proof.
  intros Hc. induction n as [|n IH]; [reflexivity|]. cbn [sum_to]. rewrite S_INR, IH, Ropp_0, Rpower_O; [lra|].
  apply Rmult_lt_0_compat; [exact Hc|apply third_positive].
Qed.

Lemma origin_is_in_the_space : in_space 1 1 origin.
Proof. intros j _. unfold origin. lra. Qed.

(** The base point of a cell that holds 0 is 0: the cell is in the center chain. *)
Lemma the_cell_of_the_origin_has_its_base_point_there q :
  node 1 q -> in_cell 1 1 1 q origin -> base_point 1 1 1 q 0 = 0%R.
Proof.
  intros _ H. specialize (H 0 ltac:(lia)). unfold origin in H. rewrite Rmult_0_r in H.
  unfold base_point.
  assert (E : num 1 1 q 0 = 0%Z).
  { assert (H1 : (IZR (2 * num 1 1 q 0 - 1) <= 0)%R) by (rewrite minus_IZR, mult_IZR; lra).
    assert (H2 : (0 < IZR (2 * num 1 1 q 0 + 1))%R) by (rewrite plus_IZR, mult_IZR; lra).
    apply le_IZR in H1. apply lt_IZR in H2. lia. }
  rewrite E. unfold Rdiv. ring.
Qed.

(** Claims [theorem-2] [lemma-2] [assumption-2] [assumption-3] [assumption-4] [definition-2].
    The repaired assumptions of the paper have an instance: K = 3, d = 1, g(y) = |y|, tau = 0,
    delta(h) = 3^(-h), m = m_hat = 1, C = 2, d_hat = 0; so with a budget of
    1 + 3 * 2 (h + 1) (gamma_0 + ... + gamma_h_max) evaluations the answer is at most 3^(-l), l <= h + 1. *)
Theorem the_assumptions_of_theorem_2_have_an_instance h l :
  h <= h_max -> l <= S h ->
  (1 + 3 * (2 * INR (S h)) * INR (sum_of_gammas 1 1 (S h_max)) <= INR v)%R ->
  (answer (hunt less_real (oracle_of_realisations interval 1 absolute no_draw) interval) <= third l)%R.
Proof.
  intros Hh Hl Hb. destruct lemma_2_has_an_instance as (Hw & Hn & Hd).
  assert (H : (answer (hunt less_real (oracle_of_realisations interval 1 absolute no_draw) interval) - 0
    <= no_tau l + third l)%R).
  { apply (theorem_2_in_evaluations_from_the_assumptions interval 1) with
      (m := 1%R) (m_hat := 1%R) (C := 2%R) (d_hat := 0%R) (eps_0 := 1%R) (ell := distance 1)
      (g_min := absolute tt) (best_w := tt) (y_star := origin) (h := h); auto; try (cbn; lia); try lra.
    - intros w y y' E. unfold absolute. rewrite (E 0); [reflexivity|cbn; lia].
    - intros [] y. lra.
    - apply origin_is_in_the_space.
    - intros q Hq Hc _. unfold absolute. cbn [half dimension interval] in *.
      rewrite the_cell_of_the_origin_has_its_base_point_there by assumption.
      rewrite Rabs_R0. pose proof (third_positive (length q)). lra.
    - intros q [] _ _ _. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. unfold no_tau. lra.
    - intros. apply third_positive.
    - intros a b Hab. apply third_non_increasing. lia.
    - intros. unfold no_tau. lra.
    - intros. unfold no_tau. lra.
    - unfold no_tau. cbn [Model.h_max interval]. lra.
    - apply (Hd 0).
    - rewrite sum_of_zeroth_powers by lra. replace (INR (K (half interval))) with 3%R by (cbn; lra). exact Hb. }
  unfold no_tau in H. lra.
Qed.

End AbsoluteValue.
