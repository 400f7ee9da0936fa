(** * Assumption 2 as printed does not suffice for Lemma 1, not even with h_max + 1.

    Assumption 2 asks, at each depth, for the bound delta(h) in "one (or more)" optimal cell.  The
    proof of Lemma 1 needs it along one branch: in a cell of each depth, each inside the last.  Here
    it holds in one optimal cell of each depth, but these do not lie on one branch:
    K = 7, d = n = 1, A = (eta), h_max = 2, tau = 0, m_hat = 1, delta = (1, 1/2, 3/10, 98/7^3, 98/7^4, ...),
    and a 98-Lipschitz objective.  |I_0| = |I_1| = |I_2| = 1, so that Lemma 1 with h_max + 1 promises
    an optimal node of depth 2 within 3 (1 + 1 + 1) = 9 iterations.  The two that there are are expanded
    at iterations 18 and 33. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia.
From EmbeddedHunter Require Import Lattice Geometry Norms Vectors Model Cells WellShaped Packing RealValues Values
  Printed Line LineOfK.
Import ListNotations.
Local Open Scope R_scope.

(** ** The assumptions with Assumption 2 as printed *)

(** Assumption 2 as printed: at each depth one optimal cell, which may lie anywhere. *)
Record assumptions_hold_as_printed (P : problem) (T : analysis) : Prop := {
  others_hold_as_printed : other_assumptions_hold P T;
  assumption_2_in_one_cell_per_depth : forall h, exists p, optimal P T p /\ length p = h
    /\ forall y, cell P p y -> Rabs (g P (base P p) - g P y) <= delta T h
}.

(** ** The least of some cones and of 1 *)

(** A cone: value at the tip, slope, place of the tip. *)
Definition cones (l : list (Q * Q * Q)) (x : R) : R :=
  fold_right (fun '(v, s, c) rest => Rmin (Q2R v + Q2R s * Rabs (x - Q2R c)) rest) 1 l.

Definition rational_min (a b : Q) : Q := if Qle_bool a b then a else b.
Definition rational_distance (a b : Q) : Q := if Qle_bool b a then a - b else b - a.
Definition rational_cones (l : list (Q * Q * Q)) (x : Q) : Q :=
  fold_right (fun '(v, s, c) rest => rational_min (v + s * rational_distance x c) rest) 1%Q l.

Lemma rational_cones_are l q : Q2R (rational_cones l q) = cones l (Q2R q).
Proof.
  induction l as [|[[v s] c] l IH]; cbn [cones rational_cones fold_right]; [unfold Q2R; cbn; lra|].
  fold (cones l (Q2R q)). fold (rational_cones l q). rewrite <- IH.
  assert (D : Q2R (rational_distance q c) = Rabs (Q2R q - Q2R c)).
  { unfold rational_distance. destruct (Qle_bool_cases c q) as [[-> H]|[-> H]];
      rewrite Q2R_minus; [rewrite Rabs_pos_eq by lra | rewrite Rabs_left by lra]; lra. }
  rewrite <- D. assert (E : Q2R (v + s * rational_distance q c) = Q2R v + Q2R s * Q2R (rational_distance q c))
    by (rewrite Q2R_plus, Q2R_mult; reflexivity).
  rewrite <- E. unfold rational_min.
  destruct (Qle_bool_cases (v + s * rational_distance q c) (rational_cones l q)) as [[-> H]|[-> H]];
    [rewrite Rmin_left by lra | rewrite Rmin_right by lra]; reflexivity.
Qed.

Lemma cones_are_lipschitz L l : 0 <= L -> (forall v s c, In (v, s, c) l -> 0 <= Q2R s <= L) ->
  forall a b, Rabs (cones l a - cones l b) <= L * Rabs (a - b).
Proof.
  intros HL. induction l as [|[[v s] c] l IH]; intros H a b; cbn [cones fold_right].
  - rewrite Rminus_eq_0, Rabs_R0. pose proof (Rabs_pos (a - b)). nra.
  - fold (cones l a). fold (cones l b).
    assert (IHl : Rabs (cones l a - cones l b) <= L * Rabs (a - b)).
    { apply IH. intros v' s' c' Hin. apply (H v' s' c'). now right. }
    destruct (H v s c (or_introl eq_refl)) as [S0 S1].
    assert (T : Rabs (Rabs (a - Q2R c) - Rabs (b - Q2R c)) <= Rabs (a - b)).
    { eapply Rle_trans; [apply Rabs_triang_inv2|]. right. f_equal. ring. }
    pose proof (Rabs_pos (a - b)).
    assert (C : Rabs (Q2R s * (Rabs (a - Q2R c) - Rabs (b - Q2R c))) <= L * Rabs (a - b)).
    { rewrite Rabs_mult, (Rabs_pos_eq (Q2R s)) by lra. apply Rmult_le_compat; auto using Rabs_pos. }
    assert (both : forall u w, Rabs u <= w -> - w <= u <= w).
    { intros u w Hu. pose proof (Rle_abs u). pose proof (Rle_abs (- u)) as Hm. rewrite Rabs_Ropp in Hm. lra. }
    apply both in IHl. apply both in C. apply Rabs_le.
    unfold Rmin. repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma cones_are_at_most_1 l x : cones l x <= 1.
Proof.
  induction l as [|[[v s] c] l IH]; cbn [cones fold_right]; [lra|]. fold (cones l x).
  eapply Rle_trans; [apply Rmin_r|exact IH].
Qed.

(** The least is 1, or one of the cones. *)
Lemma cones_cases l x : cones l x = 1 \/
  exists v s c, In (v, s, c) l /\ cones l x = Q2R v + Q2R s * Rabs (x - Q2R c).
Proof.
  induction l as [|[[v s] c] l IH]; cbn [cones fold_right]; [left; reflexivity|]. fold (cones l x).
  unfold Rmin. destruct (Rle_dec _ _) as [H|H].
  - right. exists v, s, c. split; [left; reflexivity|reflexivity].
  - destruct IH as [E|(v' & s' & c' & Hin & E)]; [left; exact E|right].
    exists v', s', c'. split; [right; exact Hin|exact E].
Qed.

Lemma cones_are_below_each l x v s c : In (v, s, c) l -> cones l x <= Q2R v + Q2R s * Rabs (x - Q2R c).
Proof.
  induction l as [|[[v' s'] c'] l IH]; intros H; [easy|]. cbn [cones fold_right]. fold (cones l x).
  destruct H as [[= -> -> ->]|H]; [apply Rmin_l|]. eapply Rle_trans; [apply Rmin_r|auto].
Qed.

(** ** The problem *)

(** Depth 1 has its base points at 2c/7, c = -3, ..., 3, depth 2 at 2e/49, e = -24, ..., 24.  The tips at 6/7,
    ..., -2/7 make the values of depth 1 (all others are 1); the tip at 93/98 is a minimiser near the
    edge of the cell of depth 2 about 46/49, whose value is 1; the last two make the value 3/10 at 18/49 and a minimiser
    in the cell about it. *)
Definition two_branches : list (Q * Q * Q) :=
  [(1#2, 147#10, 6#7); (8#10, 147#10, -6#7); (9#10, 147#10, 4#7); (9#10, 147#10, -4#7); (9#10, 147#10, -2#7);
   (0, 98, 93#98); (3#10, 147#10, 18#49); (0, 441#10, 55#147)]%Q.

Definition phi : R -> R := cones two_branches.
Definition rational_phi : Q -> Q := rational_cones two_branches.

Definition two_branch_delta (h : nat) : R :=
  match h with 0%nat => 1 | 1%nat => 1/2 | 2%nat => 3/10 | _ => 98 / power 3 h end.

Notation two_branch_problem := (line_problem 3 2 phi).
Notation two_branch_analysis := (line_analysis 3 2 phi two_branch_delta 98).

Local Notation P := two_branch_problem.
Local Notation T := two_branch_analysis.

Ltac over_the_cones H :=
  repeat (destruct H as [H|H]; [injection H as <- <- <-|]); [..|destruct H].

Ltac numbers := unfold Q2R; cbn [Qnum Qden]; cbn.

Lemma phi_is_lipschitz a b : Rabs (phi a - phi b) <= 98 * Rabs (a - b).
Proof.
  apply cones_are_lipschitz; [lra|]. intros v s c H. unfold two_branches in H. over_the_cones H; numbers; lra.
Qed.

Lemma phi_is_not_negative x : 0 <= phi x.
Proof.
  destruct (cones_cases two_branches x) as [E|(v & s & c & H & E)]; 
    change (cones two_branches x) with (phi x) in E; rewrite E; [lra|].
  pose proof (Rabs_pos (x - Q2R c)). enough (0 <= Q2R v /\ 0 <= Q2R s) by nra.
  unfold two_branches in H. over_the_cones H; numbers; lra.
Qed.

Lemma zero_distance u : Rabs u = 0 -> u = 0.
Proof. intros H. destruct (Req_dec u 0) as [E|E]; [exact E|]. apply Rabs_no_R0 in E. contradiction. Qed.

Lemma the_minimisers x : phi x = 0 -> x = 55/147 \/ x = 93/98.
Proof.
  intros Z. destruct (cones_cases two_branches x) as [E|(v & s & c & H & E)];
    change (cones two_branches x) with (phi x) in E; [lra|].
  pose proof (Rabs_pos (x - Q2R c)) as A. rewrite Z in E.
  unfold two_branches in H. over_the_cones H; revert E A; numbers; intros E A; try lra.
  - right. match type of A with 0 <= Rabs ?u => assert (u = 0) by (apply zero_distance; lra) end. lra.
  - left. match type of A with 0 <= Rabs ?u => assert (u = 0) by (apply zero_distance; lra) end. lra.
Qed.

Lemma phi_at_a_rational q : phi (Q2R q) = Q2R (rational_phi q).
Proof. symmetry. apply rational_cones_are. Qed.

(** ** Its optimal nodes *)

Local Notation position := (position_in 3).

Lemma power_7 h : power 3 (S h) = 7 * power 3 h.
Proof. rewrite power_S. f_equal. Qed.

Lemma power_7_0 : power 3 0 = 1. Proof. apply power_0. Qed.

(** Whether the cell of [p] holds the point [x], computed. *)
Definition holds (x : Q) (p : path) : bool :=
  let w := Qmake 1 (Z.to_pos (pw 3 (length p))) in
  Qle_bool (- w) (x - rational_position_in 3 p) && negb (Qle_bool w (x - rational_position_in 3 p)).

Lemma holds_iff x p :
  holds x p = true <-> - / power 3 (length p) <= Q2R x - position p < / power 3 (length p).
Proof.
  unfold holds. set (w := Qmake 1 (Z.to_pos (pw 3 (length p)))).
  assert (W : Q2R w = / power 3 (length p)).
  { unfold w, Q2R, power. cbn [Qnum Qden]. rewrite Z2Pos.id by apply pw_pos. lra. }
  assert (D : Q2R (x - rational_position_in 3 p) = Q2R x - position p).
  { rewrite Q2R_minus, rational_position_in_is. reflexivity. }
  assert (N : Q2R (- w) = - / power 3 (length p)) by (rewrite Q2R_opp, W; reflexivity).
  destruct (Qle_bool_cases (- w) (x - rational_position_in 3 p)) as [[-> H1]|[-> H1]];
    destruct (Qle_bool_cases w (x - rational_position_in 3 p)) as [[-> H2]|[-> H2]];
    rewrite ?N, ?W, D in H1, H2; cbn [andb negb]; split; intros H; try discriminate; try lra; auto; lra.
Qed.

Lemma an_optimal_node_holds_a_minimiser p : optimal P T p ->
  holds (55#147) p = true \/ holds (93#98) p = true.
Proof.
  intros [V (y & C & E)]. cbn in V. rewrite (g_in_a_cell_of_the_line p y V C) in E.
  apply in_cell_of_the_line in C. cbn [f_star line_analysis] in E.
  destruct (the_minimisers _ E) as [X|X]; rewrite X in C; [left|right]; apply holds_iff;
    [replace (Q2R (55#147)) with (55/147) by (numbers; lra) | replace (Q2R (93#98)) with (93/98) by (numbers; lra)];
    exact C.
Qed.

(** An equation of rational numbers: the position of a node, or the objective at a rational number. *)
Ltac by_rationals :=
  rewrite <- ?rational_position_in_is, ?phi_at_a_rational;
  lazymatch goal with |- Q2R ?q = _ =>
    let r := eval vm_compute in (Qred q) in rewrite (Qeq_eqR q r) by (vm_compute; reflexivity) end; numbers; lra.

Lemma phi_is_0_at_both : phi (Q2R (55#147)) = 0 /\ phi (Q2R (93#98)) = 0.
Proof. split; by_rationals. Qed.

Lemma a_node_that_holds_a_minimiser_is_optimal p : node 3 p ->
  holds (55#147) p = true \/ holds (93#98) p = true -> optimal P T p.
Proof.
  intros V [H|H]; apply holds_iff in H; destruct phi_is_0_at_both as [Z1 Z2].
  - apply (optimal_of_the_line T p (Q2R (55#147))); auto. numbers. lra.
  - apply (optimal_of_the_line T p (Q2R (93#98))); auto. numbers. lra.
Qed.

(** ** The assumptions as printed *)

Lemma two_branch_delta_at_most h : two_branch_delta h <= 98 / power 3 h.
Proof.
  destruct h as [|[|[|h]]]; unfold two_branch_delta; rewrite ?power_7, ?power_7_0; lra.
Qed.

Lemma two_branch_delta_falls h : 0 < two_branch_delta (S h) < two_branch_delta h.
Proof.
  destruct h as [|[|[|h]]]; unfold two_branch_delta; rewrite ?power_7, ?power_7_0; try lra.
  pose proof (power_pos 3 h) as Hp.
  assert (E : 98 / (7 * (7 * (7 * (7 * power 3 h)))) = 98 / (7 * (7 * (7 * power 3 h))) / 7) by (field; lra).
  rewrite E. assert (0 < 98 / (7 * (7 * (7 * power 3 h)))) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma node_of_two_digits a b : (a < 7)%nat -> (b < 7)%nat -> node 3 [a; b].
Proof. intros Ha Hb. constructor; [unfold K; lia|]. constructor; [unfold K; lia|constructor]. Qed.

Lemma one_optimal_cell h : exists p, optimal P T p /\ length p = h
  /\ forall y, cell P p y -> Rabs (g P (base P p) - g P y) <= two_branch_delta h.
Proof.
  assert (use := fun p (O : optimal P T p) => variation_in_a_cell_of_the_line (k := 3) (h_max := 2) (phi := phi) p
    (two_branch_delta (length p)) (proj1 O)).
  assert (range : forall x, 0 <= phi x <= 1)
    by (intros x; split; [apply phi_is_not_negative|apply cones_are_at_most_1]).
  destruct h as [|[|[|h]]].
  - exists []. assert (O : optimal P T []).
    { apply a_node_that_holds_a_minimiser_is_optimal; [constructor|]. left. vm_compute. reflexivity. }
    split; [exact O|]. split; [reflexivity|]. apply (use [] O). intros x _ _.
    pose proof (range x). pose proof (range (position [])). cbn [length two_branch_delta]. apply Rabs_le. lra.
  - exists [6%nat]. assert (O : optimal P T [6%nat]).
    { apply a_node_that_holds_a_minimiser_is_optimal; [constructor; [unfold K; lia|constructor]|]. right. vm_compute. reflexivity. }
    split; [exact O|]. split; [reflexivity|]. apply (use [6%nat] O). intros x _ _.
    assert (E : phi (position [6%nat]) = 1/2) by by_rationals.
    rewrite E. pose proof (range x). cbn [length two_branch_delta]. apply Rabs_le. lra.
  - exists [5; 4]%nat. assert (O : optimal P T [5; 4]%nat).
    { apply a_node_that_holds_a_minimiser_is_optimal; [apply node_of_two_digits; lia|]. left. vm_compute. reflexivity. }
    split; [exact O|]. split; [reflexivity|]. apply (use [5; 4]%nat O). intros x _ C.
    assert (E : phi (position [5; 4]%nat) = 3/10) by by_rationals.
    assert (Ep : position [5; 4]%nat = 18/49) by by_rationals.
    rewrite E. rewrite Ep in C. cbn [length] in C |- *. rewrite !power_7, power_7_0 in C.
    replace (/ (7 * (7 * 1))) with (1/49) in C by field.
    pose proof (range x).
    pose proof (cones_are_below_each two_branches x (3#10) (147#10) (18#49) ltac:(cbn; tauto)) as B1.
    pose proof (cones_are_below_each two_branches x 0 (441#10) (55#147) ltac:(cbn; tauto)) as B2.
    change (cones two_branches x) with (phi x) in B1, B2.
    assert (L : phi x <= 6/10).
    { revert B1 B2. generalize (phi x). numbers. intros z B1 B2.
      destruct (Rle_dec x (18/49)).
      - rewrite Rabs_left1 in B1 by lra. lra.
      - destruct (Rle_dec x (55/147)); [rewrite (Rabs_left1 (x - 55 * / 147)) in B2 by lra|
          rewrite (Rabs_pos_eq (x - 55 * / 147)) in B2 by lra]; lra. }
    cbn [two_branch_delta]. apply Rabs_le. lra.
  - set (x0 := Q2R (55#147)).
    assert (S0 : in_space 1 (box_radius P) (fun _ => x0 / (3/10))).
    { apply in_space_of_the_line. cbn beta. unfold x0. numbers. lra. }
    destruct (every_point_is_in_one_cell_of_each_depth 3 1 (box_radius P) ltac:(lia)
      ltac:(rewrite radius_of_the_line; lra) (S (S (S h))) _ S0) as (p & [[V L] C] & _).
    assert (O : optimal P T p).
    { apply in_cell_of_the_line in C. cbn beta in C. replace (3/10 * (x0 / (3/10))) with x0 in C by field.
      apply (optimal_of_the_line T p x0); [exact V | apply phi_is_0_at_both | unfold x0; numbers; lra | exact C]. }
    exists p. split; [exact O|]. split; [exact L|]. rewrite <- L. apply (use p O). intros x _ Cx.
    rewrite Rabs_minus_sym. eapply Rle_trans; [apply phi_is_lipschitz|]. rewrite L in *. unfold two_branch_delta.
    unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rabs_le. lra.
Qed.

(** Claims [assumption-2] [lemma-1]. The two-branch problem satisfies all assumptions of the paper, Assumption 2 as printed: in one optimal
    cell of each depth. *)
Theorem assumptions_as_printed_hold_for_the_two_branches : assumptions_hold_as_printed P T.
Proof.
  split; [|exact one_optimal_cell]. apply (other_assumptions_of_the_line (Q2R (55#147)) 98); try lra.
  - lia.
  - intros x _. apply phi_is_not_negative.
  - apply phi_is_0_at_both.
  - apply phi_is_lipschitz.
  - apply two_branch_delta_at_most.
  - apply two_branch_delta_falls.
Qed.

(** ** What Algorithm 1 does *)

(** Claim [lemma-1]. |I_0| = |I_1| = |I_2| = 1 on the two-branch problem. *)
Theorem each_depth_has_one_near_optimal_node :
  near_optimal_count P T 0 = 1%nat /\ near_optimal_count P T 1 = 1%nat /\ near_optimal_count P T 2 = 1%nat.
Proof.
  pose proof (near_optimal_count_of_the_line rational_phi (rational_cones_are two_branches)
    (k := 3) (h_max := 2) (phi := phi) T) as C.
  split; [|split].
  - rewrite (C 0%nat 1%Q) by (cbn; numbers; lra). vm_compute. reflexivity.
  - rewrite (C 1%nat (1#2)) by (cbn; numbers; lra). vm_compute. reflexivity.
  - rewrite (C 2%nat (3#10)) by (cbn; numbers; lra). vm_compute. reflexivity.
Qed.

Lemma the_run_is_computed v :
  expansions (log (the_run P v)) = expansions (log (rational_run_in 3 2 rational_phi v)).
Proof. exact (expansions_of_the_line (k := 3) (h_max := 2) (phi := phi) rational_phi (rational_cones_are two_branches) v). Qed.

(** Claims [lemma-1] [assumption-2]. The optimal nodes of depth 2 that Algorithm 1 expands on the two-branch problem, the latest first, and
    in which iteration: the nodes about 18/49 and 46/49, at iterations 18 and 33. *)
Theorem the_optimal_nodes_of_depth_2_are_expanded_at_iterations_18_and_33 :
  filter (fun e => (length (fst e) =? 2)%nat && (holds (55#147) (fst e) || holds (93#98) (fst e)))
    (expansions (log (the_run P 400))) = [([5; 6], 33); ([5; 4], 18)]%nat
  /\ forall p, optimal P T p <-> node 3 p /\ (holds (55#147) p || holds (93#98) p = true).
Proof.
  split.
  - rewrite the_run_is_computed. vm_compute. reflexivity.
  - intros p. rewrite Bool.orb_true_iff. split.
    + intros O. split; [exact (proj1 O)|]. now apply an_optimal_node_holds_a_minimiser.
    + intros [V H]. now apply a_node_that_holds_a_minimiser_is_optimal.
Qed.

(** Claims [lemma-1] [assumption-2]. Lemma 1 is false under Assumption 2 as printed even with h_max + 1 for h_max: it
    promises an optimal node of depth 2 within 3 (1 + 1 + 1) = 9 iterations, and none is expanded in the first 17. *)
Theorem lemma_1_is_false_when_assumption_2_holds_in_one_cell_per_depth :
  assumptions_hold_as_printed P T /\ depth_bound P = 2%nat
  /\ ~ lemma_1_with_factor P T (S (depth_bound P)) /\ ~ lemma_1_as_printed P T.
Proof.
  split; [exact assumptions_as_printed_hold_for_the_two_branches|]. split; [reflexivity|].
  assert (N : near_optimal_count_up_to P T 2 = 3%nat).
  { unfold near_optimal_count_up_to. cbn [seq map fold_right].
    destruct each_depth_has_one_near_optimal_node as (-> & -> & ->). reflexivity. }
  assert (none : forall t, (t <= 17)%nat -> (t < iterations (the_run P 400))%nat ->
    ~ exists p, optimal P T p /\ (2 <= length p)%nat /\ expanded_within t p (log (the_run P 400))).
  { intros t Ht _ (p & O & L & i & Hi & Li). rewrite the_run_is_computed in Hi.
    assert (A : forallb (fun e => negb ((snd e <=? 17)%nat && (2 <=? length (fst e))%nat
        && (holds (55#147) (fst e) || holds (93#98) (fst e))))
      (expansions (log (rational_run_in 3 2 rational_phi 400))) = true)
      by (vm_compute; reflexivity).
    rewrite forallb_forall in A. specialize (A _ Hi). cbn [fst snd] in A.
    apply an_optimal_node_holds_a_minimiser in O. apply Bool.orb_true_iff in O. rewrite O in A.
    apply Bool.negb_true_iff in A. rewrite Bool.andb_true_r in A.
    apply Bool.andb_false_iff in A. destruct A as [A|A]; apply Nat.leb_gt in A; lia. }
  assert (long : (17 < iterations (the_run P 400))%nat).
  { rewrite (iterations_of_the_line (k := 3) (h_max := 2) (phi := phi) rational_phi (rational_cones_are two_branches)). vm_compute. lia. }
  split; intros H; apply (none 17%nat (le_n _) long), (H 400%nat 2%nat 17%nat); try exact long; rewrite ?N; cbn; lia.
Qed.
