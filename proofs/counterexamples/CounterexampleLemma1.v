(** * The printed Lemma 1 is false.

    K = 3, d = n = 1, one matrix A = (eta), eta = 3/10, h_max = 1, and the piecewise linear
    objective through (-1, 1.1), (-2/3, .9), (0, 1), (.2, 0), (2/3, .95), (1, 1.1).  All assumptions
    of the paper hold with delta = (1.2, 1, 5/9, 5/27, ...), tau = 0, m_hat = 1.  Lemma 1 promises
    that an optimal node of depth 1 is expanded within t_1 = h_max (1 + 3) = 4 iterations.
    Algorithm 1 expands it at iteration 7. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Norms Vectors Model Cells WellShaped Packing
  RealValues Values Printed LineOfK Line.
Import ListNotations.
Local Open Scope R_scope.

Definition tent (x : R) : R :=
  if Rle_dec x (-2/3) then 9/10 - 3/5 * (x + 2/3)
  else if Rle_dec x 0 then 9/10 + 3/20 * (x + 2/3)
  else if Rle_dec x (1/5) then 1 - 5 * x
  else if Rle_dec x (2/3) then 57/28 * (x - 1/5)
  else 19/20 + 9/20 * (x - 2/3).

Definition rational_tent (x : Q) : Q :=
  if Qle_bool x (-2#3) then (9#10) - (3#5) * (x + (2#3))
  else if Qle_bool x 0 then (9#10) + (3#20) * (x + (2#3))
  else if Qle_bool x (1#5) then 1 - (5#1) * x
  else if Qle_bool x (2#3) then (57#28) * (x - (1#5))
  else (19#20) + (9#20) * (x - (2#3)).

Lemma rational_tent_is q : Q2R (rational_tent q) = tent (Q2R q).
Proof.
  assert (E1 : Q2R (-2#3) = -2/3) by (unfold Q2R; cbn; lra).
  assert (E2 : Q2R 0 = 0) by (unfold Q2R; cbn; lra).
  assert (E3 : Q2R (1#5) = 1/5) by (unfold Q2R; cbn; lra).
  assert (E4 : Q2R (2#3) = 2/3) by (unfold Q2R; cbn; lra).
  unfold rational_tent, tent.
  destruct (Qle_bool_cases q (-2#3)) as [[-> H1]|[-> H1]]; rewrite E1 in H1;
    [|destruct (Qle_bool_cases q 0) as [[-> H2]|[-> H2]]; rewrite E2 in H2;
      [|destruct (Qle_bool_cases q (1#5)) as [[-> H3]|[-> H3]]; rewrite E3 in H3;
        [|destruct (Qle_bool_cases q (2#3)) as [[-> H4]|[-> H4]]; rewrite E4 in H4]]];
    repeat destruct (Rle_dec _ _); try lra;
    rewrite ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_plus, ?Q2R_minus, ?E1, ?E2, ?E3, ?E4;
    unfold Q2R; cbn; lra.
Qed.

Lemma tent_is_lipschitz a b : Rabs (tent a - tent b) <= 5 * Rabs (a - b).
Proof.
  unfold tent. repeat destruct (Rle_dec _ _); unfold Rabs;
    destruct (Rcase_abs _); destruct (Rcase_abs _); lra.
Qed.

Lemma tent_range x : -1 <= x <= 1 -> 0 <= tent x <= 11/10.
Proof. intros H. unfold tent. repeat destruct (Rle_dec _ _); lra. Qed.

Lemma tent_at_0 : tent 0 = 1.
Proof. unfold tent. repeat destruct (Rle_dec _ _); lra. Qed.

Notation tent_problem := (line_problem 1 1 tent).

Definition tent_delta (h : nat) : R :=
  match h with O => 6/5 | S O => 1 | _ => 5 / 3 ^ h end.

Notation tent_analysis := (line_analysis 1 1 tent tent_delta 5).

Local Notation P := tent_problem.
Local Notation T := tent_analysis.

(** The optimal nodes of depths 0 and 1 have the base point 0. *)
Lemma optimal_nodes_are_at_0_first p : optimal P T p -> (length p <= 1)%nat -> position p = 0.
Proof.
  intros O L. apply (optimal_on_the_line T (1/5)) in O.
  - destruct O as [V B]. destruct p as [|a [|b p]].
    + unfold position. cbn. lra.
    + unfold position in *. apply Forall_inv in V. cbn [length pow] in B |- *.
      rewrite num_cons in * by lia. cbn [length Nat.eqb Nat.modulo fst snd Nat.divmod] in *.
      rewrite num_nil in *. change (Z.of_nat 1) with 1%Z in *. unfold K in V.
      assert (a = 0 \/ a = 1 \/ a = 2)%nat as [-> | [-> | -> ]] by lia; cbn in *; lra.
    + cbn in L. lia.
  - intros x Hx E. change (tent x = 0) in E. unfold tent in E. repeat destruct (Rle_dec _ _); lra.
Qed.

(** Claim [lemma-1]. The tent problem satisfies all assumptions of the paper in their repaired reading. *)
Theorem assumptions_hold_for_the_tent : assumptions_hold P T.
Proof.
  apply (assumptions_on_the_line (1/5) 5); try lra.
  - intros x Hx. now apply tent_range.
  - unfold tent. repeat destruct (Rle_dec _ _); lra.
  - apply tent_is_lipschitz.
  - intros [|[|h]]; unfold tent_delta; cbn [pow]; lra.
  - intros h. pose proof (three_pos h). destruct h as [|[|h]]; unfold tent_delta; cbn [pow] in *; [lra|lra|].
    assert (E : 5 / (3 * (3 * (3 * 3 ^ h))) = 5 / (3 * (3 * 3 ^ h)) / 3) by (field; lra).
    rewrite E. assert (0 < 5 / (3 * (3 * 3 ^ h))) by (apply Rdiv_lt_0_compat; lra). lra.
  - intros p x O Hx C. destruct (Nat.le_gt_cases (length p) 1) as [L|L].
    + rewrite (optimal_nodes_are_at_0_first p O L), tent_at_0. pose proof (tent_range x ltac:(lra)).
      assert (1 <= tent_delta (length p)) by (destruct (length p) as [|[|?]]; cbn; lra || lia).
      apply Rabs_le. lra.
    + eapply Rle_trans; [apply tent_is_lipschitz|].
      replace (tent_delta (length p)) with (5 * / 3 ^ length p)
        by (destruct (length p) as [|[|?]]; [lia | lia | reflexivity]).
      apply Rmult_le_compat_l; [lra|]. apply Rabs_le. lra.
Qed.

(** I_0 and I_1 are all nodes of depths 0 and 1, so t_1 = 4. *)
Lemma t_1_is_4 : (depth_bound P * near_optimal_count_up_to P T 1 = 4)%nat.
Proof.
  (* [A]: a node whose value is at most delta of its depth is counted as near-optimal. *)
  assert (A0 : tent 0 <= 6/5) by (rewrite tent_at_0; lra).
  assert (A : forall p, node 1 p -> tent (position p) <= tent_delta (length p) ->
    (if Rle_dec (g P (base P p)) (f_star T + m_hat T * delta T (length p)) then true else false) = true).
  { intros p V H. rewrite (g_at_a_base_point_of_the_line p V), position_is.
    cbn [f_star m_hat delta line_analysis]. destruct (Rle_dec _ _); [reflexivity|]. lra. }
  (* [B]: if all nodes of a depth have such values, all are counted. *)
  assert (B : forall h, (forall p, In p (nodes_of_depth 1 h) -> node 1 p /\ length p = h /\ tent (position p) <= tent_delta h) ->
    near_optimal_count P T h = length (nodes_of_depth 1 h)).
  { intros h H. unfold near_optimal_count. change (half_K P) with 1%nat.
    induction (nodes_of_depth 1 h) as [|p ps IH]; [reflexivity|]. cbn [filter].
    destruct (H p ltac:(left; reflexivity)) as (V & L & E). specialize (A p V). rewrite L in A.
    rewrite (A E). cbn [length]. f_equal. apply IH. intros q Hq. apply H. right. exact Hq. }
  (* The three nodes of depth 1 and the root have such values, and h_max = 1. *)
  unfold near_optimal_count_up_to. cbn [seq map fold_right]. rewrite !B; [reflexivity| |].
  - intros p Hp. cbn in Hp.
    assert (V : node 1 p).
    { destruct Hp as [<-|[<-|[<-|[]]]]; constructor; unfold K; try lia; constructor. }
    split; [exact V|]. destruct Hp as [<-|[<-|[<-|[]]]]; split; try reflexivity;
      unfold position, tent, tent_delta; cbn; repeat destruct (Rle_dec _ _); lra.
  - intros p [<-|[]]. split; [constructor|]. split; [reflexivity|].
    unfold position, tent, tent_delta; cbn; repeat destruct (Rle_dec _ _); lra.
Qed.

(** Claim [lemma-1]. What Algorithm 1 does on the tent: the nodes expanded, the latest first, and in which iteration. *)
Theorem the_run_on_the_tent :
  expansions (log (the_run P 100)) = [([1], 7); ([2], 5); ([0], 3); ([], 1)]%nat.
Proof.
  (* At the base points the tent has rational values, so Rocq computes the run with rational
     numbers. *)
  rewrite (expansions_of_the_line rational_tent rational_tent_is).
  vm_compute. reflexivity.
Qed.

Lemma the_run_on_the_tent_is_long : (7 <= iterations (the_run P 100))%nat.
Proof.
  rewrite (iterations_of_the_line rational_tent rational_tent_is). vm_compute. lia.
Qed.

(** Claim [lemma-1]. The printed Lemma 1 is false: all assumptions hold, h_max = 1, and after t_1 = 4
    (even after 6) iterations no optimal node of depth 1 is expanded. *)
Theorem the_printed_lemma_1_is_false :
  assumptions_hold P T /\ depth_bound P = 1%nat /\ ~ lemma_1_as_printed P T.
Proof.
  (* The assumptions hold, and h_max = 1. Suppose that the printed lemma holds, too, and apply it to
     depth 1 and t = 6. *)
  split; [exact assumptions_hold_for_the_tent|]. split; [reflexivity|]. intros H.
  destruct (H 100%nat 1%nat 6%nat) as (p & O & L & i & Hi & Li).
  - cbn. lia.
  - rewrite t_1_is_4. lia.
  - pose proof the_run_on_the_tent_is_long. lia.
  (* It gives an expanded optimal node of depth 1 or more. But in 6 iterations Algorithm 1 expands
     the root and its outer children alone, and no outer child is optimal. *)
  - rewrite the_run_on_the_tent in Hi. cbn in Hi.
    destruct Hi as [E|[E|[E|[E|[]]]]]; injection E as <- <-; cbn in L; try lia;
      pose proof (optimal_nodes_are_at_0_first _ O ltac:(cbn; lia)) as Z;
      unfold position in Z; cbn in Z; lra.
Qed.

(** The same problem with h_max = 0. *)
Notation tent_problem_0 := (line_problem 1 0 tent).

(** Claim [lemma-1]. For h_max = 0 the printed t_0 is 0: the root would have to be expanded before the first
    iteration. *)
Theorem the_printed_lemma_1_is_false_for_h_max_0 :
  assumptions_hold tent_problem_0 T /\ ~ lemma_1_as_printed tent_problem_0 T.
Proof.
  split.
  - destruct assumptions_hold_for_the_tent as [[H1 H2 H3 H4 H5 H6 [H7 H8]] H9].
    constructor; [constructor|]; try assumption. split; [exact H7|]. intros h Hh. apply (H8 h). cbn in *. lia.
  - intros H. destruct (H 100%nat 0%nat 0%nat) as (p & _ & _ & i & Hi & Li); [cbn; lia | cbn; lia | |].
    + rewrite (iterations_of_the_line rational_tent rational_tent_is). vm_compute. lia.
    + rewrite (expansions_of_the_line rational_tent rational_tent_is) in Hi.
      assert (E : expansions (log (rational_run_in 1 0 rational_tent 100)) = [([], 1)]%nat)
        by (vm_compute; reflexivity).
      rewrite E in Hi. destruct Hi as [Hi|[]]. injection Hi as _ <-. lia.
Qed.
