(** * The printed Theorem 2 is false.

    K = 3, d = n = 1, one matrix A = (eta), eta = 3/10, h_max = 1, and the objective [valley], whose
    least value 0 is at x = 2/9.  All assumptions of the paper hold with delta(h) = 3^(1-h), tau = 0,
    m = R/3, m_hat = 1; balls are open, the loop bound is read once per sweep, and the
    near-optimality dimension is exactly 1/2, with C = 16/5.  Then h(6) = 2, so Theorem 2 promises
    a regret of at most delta(2) = 1/3 after 6 iterations.  The regret is 1: Algorithm 1 expands
    the optimal node of depth 1 at iteration 7. *)

From Coq Require Import List ZArith QArith Reals Qreals Rpower Lra Lia Psatz.
From EmbeddedHunter Require Import Lattice Geometry Norms Vectors Model Cells WellShaped Packing
  RealValues Values Printed LineOfK Line Valley.
Import ListNotations.
Local Open Scope R_scope.

Notation valley_problem := (line_problem 1 1 valley).
Notation valley_analysis := (line_analysis 1 1 valley (fun h => 3 / 3 ^ h) 3).

Local Notation P := valley_problem.
Local Notation T := valley_analysis.

Lemma inverse_powers_of_3 h : / 3 ^ S (S h) <= 1/9.
Proof.
  pose proof (Rinv_0_lt_compat _ (three_pos h)). cbn [pow].
  assert (1 <= 3 ^ h) by (apply pow_R1_Rle; lra).
  assert (E : / (3 * (3 * 3 ^ h)) = / 3 ^ h / 9) by (field; pose proof (three_pos h); lra).
  rewrite E. assert (/ 3 ^ h <= / 1) by (apply Rinv_le_contravar; lra). lra.
Qed.

Lemma minimum_of_the_valley x : -1 <= x < 1 -> valley x = f_star T -> x = 2/9.
Proof. intros _. apply valley_is_0_only_at_the_bottom. Qed.

(** The base points of the optimal nodes: 0, 0, and 2/9 from depth 2 on. *)
Lemma position_cons a p : position (a :: p) = position p + 2 * (INR a - 1) / 3 ^ S (length p).
Proof.
  unfold position. rewrite num_cons by lia. cbn [length]. rewrite Nat.mod_1_r. cbn [Nat.eqb].
  rewrite minus_IZR, plus_IZR, mult_IZR, <- INR_IZR_INZ.
  change (2 * Z.of_nat 1 + 1)%Z with 3%Z. change (Z.of_nat 1) with 1%Z.
  cbn [pow]. field. pose proof (three_pos (length p)). lra.
Qed.

Lemma digits_of_3 a : (a < K 1)%nat -> a = 0%nat \/ a = 1%nat \/ a = 2%nat.
Proof. unfold K. lia. Qed.

Lemma optimal_positions p : node 1 p -> - / 3 ^ length p <= 2/9 - position p < / 3 ^ length p ->
  match length p with O => position p = 0 | S O => position p = 0 | _ => position p = 2/9 end.
Proof.
  induction p as [|a p IH]; intros V B.
  - unfold position. cbn. lra.
  - apply Forall_cons_iff in V. destruct V as [Ha V]. pose proof (position_cons a p) as E.
    assert (three := three_pos (length p)).
    assert (I3 : / 3 ^ S (length p) = / 3 ^ length p / 3) by (cbn [pow]; field; lra).
    assert (pos : 0 < / 3 ^ length p) by (apply Rinv_0_lt_compat; lra).
    cbn [length] in *. unfold Rdiv in E. rewrite I3 in *.
    assert (D : INR a = 0 \/ INR a = 1 \/ INR a = 2)
      by (destruct (digits_of_3 a Ha) as [-> | [-> | -> ]]; cbn; lra).
    set (i := / 3 ^ length p) in *.
    assert (B' : - i <= 2/9 - position p < i) by (destruct D as [D | [D | D]]; rewrite D in E; lra).
    specialize (IH V B'). destruct p as [|b [|c p]]; cbn [length] in *.
    + unfold i in *. cbn [pow] in *. rewrite Rinv_1 in *.
      destruct D as [D | [D | D]]; rewrite D in E; lra.
    + unfold i in *. cbn [pow] in *. replace (/ (3 * 1)) with (1/3) in * by lra.
      destruct D as [D | [D | D]]; rewrite D in E; lra.
    + destruct D as [D | [D | D]]; rewrite D in E; lra.
Qed.

(** Claim [theorem-2]. The valley problem satisfies all assumptions of the paper in their repaired reading. *)
Theorem assumptions_hold_for_the_valley : assumptions_hold P T.
Proof.
  apply (assumptions_on_the_line (2/9) 9); try lra.
  - intros x _. apply valley_nonneg.
  - apply valley_at_the_bottom.
  - apply valley_is_lipschitz.
  - intros h. lra.
  - intros h. cbn [pow]. pose proof (three_pos h).
    assert (E : 3 / (3 * 3 ^ h) = 3 / 3 ^ h / 3) by (field; lra). rewrite E.
    assert (0 < 3 / 3 ^ h) by (apply Rdiv_lt_0_compat; lra). lra.
  - intros p x O In C. apply (optimal_on_the_line T (2/9) p minimum_of_the_valley) in O.
    destruct O as [V B]. apply optimal_positions in B; [|exact V]. pose proof (valley_nonneg x) as N.
    destruct (length p) as [|[|h]].
    + rewrite B, valley_at_0. pose proof (valley_at_most_4 x ltac:(lra)). cbn [pow].
      apply Rabs_le. lra.
    + rewrite B, valley_at_0. rewrite B in C. cbn [pow] in *.
      pose proof (valley_at_most_1 x ltac:(lra)). apply Rabs_le. lra.
    + rewrite B, valley_at_the_bottom. rewrite B in C.
      pose proof (inverse_powers_of_3 h) as I. unfold Rdiv. set (i := / 3 ^ S (S h)) in *.
      assert (D : Rabs (x - 2/9) <= i) by (apply Rabs_le; lra).
      pose proof (valley_near_the_bottom x ltac:(lra)) as Hv.
      assert (Sq : (x - 2/9) ^ 2 <= i * i).
      { rewrite <- square_of_abs. pose proof (Rabs_pos (x - 2/9)). nra. }
      assert (pos : 0 < i) by apply Rinv_0_lt_compat, three_pos.
      rewrite Rabs_left1 by lra. nra.
Qed.

(** ** The near-optimality dimension is 1/2 *)

Lemma Rpower_minus_half eps : 0 < eps -> Rpower eps (- (1/2)) = / sqrt eps.
Proof.
  intros H. rewrite Rpower_Ropp. f_equal. replace (1/2) with (/2) by lra. apply Rpower_sqrt, H.
Qed.

(** Disjoint balls whose centers, seen in [-1, 1], lie in [a, b]. *)
Lemma centers_in_an_interval eps a b centers : 0 < eps -> centers <> [] ->
  disjoint_balls (distance 1) (m T / m_hat T * eps) centers ->
  (forall y, In y centers -> a <= 3/10 * y 0%nat <= b) ->
  (INR (length centers) - 1) * (2 / 3 * eps) <= b - a.
Proof.
  intros He NE D B.
  replace (m T / m_hat T * eps) with (10/3 * (eps / 3)) in D
    by (cbn [m m_hat line_analysis]; rewrite radius_of_the_line; lra).
  pose proof (disjoint_balls_on_the_line_are_few (10/3 * (eps / 3)) (10/3 * a) (10/3 * b) centers) as F.
  specialize (F ltac:(lra) D NE).
  assert (F' : (INR (length centers) - 1) * (2 * (10/3 * (eps/3))) <= 10/3 * b - 10/3 * a).
  { apply F. intros y Hy. specialize (B y Hy). lra. }
  lra.
Qed.

Lemma sixteen_fifths_and_one_half_are_admissible : is_admissible P T (16/5) (1/2).
Proof.
  intros eps centers He Hc D. cbn [m_hat delta line_analysis pow] in He.
  rewrite Rpower_minus_half by lra. set (s := sqrt eps).
  assert (Hs : 0 < s) by (apply sqrt_lt_R0; lra).
  assert (Ss : s * s = eps) by (apply sqrt_sqrt; lra).
  apply Rmult_lt_reg_r with s; [exact Hs|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  destruct centers as [|c cs]; [cbn [length INR]; lra|]. set (l := c :: cs) in *.
  assert (near : forall y, In y l -> valley (3/10 * y 0%nat) <= eps).
  { intros y Hy. destruct (Hc y Hy) as [Sy Gy].
    apply in_space_of_the_line in Sy. rewrite g_of_the_line, clip_is_the_identity_inside in Gy by lra.
    cbn [f_star line_analysis] in Gy. lra. }
  destruct (Rlt_dec eps 1) as [L|L].
  - assert (F : (INR (length l) - 1) * (2/3 * eps) <= (2/9 + 2/9 * s) - (2/9 - 2/9 * s)).
    { apply centers_in_an_interval; [lra | discriminate | exact D |]. intros y Hy.
      pose proof (near_optimal_below_1 _ _ (near y Hy) L) as B. split; nra. }
    assert (s < 1) by nra. rewrite <- Ss in F.
    assert ((INR (length l) - 1) * s <= 2/3) by nra. nra.
  - assert (F : (INR (length l) - 1) * (2/3 * eps) <= (eps + 5) / 9 - - ((eps + 5) / 9)).
    { apply centers_in_an_interval; [lra | discriminate | exact D |]. intros y Hy.
      pose proof (near_optimal_above_1 _ _ (near y Hy) ltac:(lra)) as B.
      revert B. unfold Rabs. destruct (Rcase_abs _); lra. }
    clearbody l. destruct (length l) as [|[|[|[|n]]]]; rewrite ?S_INR in *; cbn [INR] in *.
    + lra.
    + nra.
    + assert (eps <= 5/2) by lra. nra.
    + assert (eps <= 1) by lra. nra.
    + pose proof (pos_INR n). nra.
Qed.

(** N + 1 disjoint balls for eps = 1 / (12 N^2). *)
Definition comb (N : nat) : list vector :=
  map (fun i => fun _ : nat => 10/3 * (2/9 + INR i / (18 * INR N ^ 2))) (seq 0 (S N)).

Lemma the_comb_is_near_optimal N y : (1 <= N)%nat -> In y (comb N) ->
  near_optimal 1 (box_radius P) (g P) (f_star T) (/ (12 * INR N ^ 2)) y.
Proof.
  intros HN Hy. apply in_map_iff in Hy. destruct Hy as (i & <- & Hi). apply in_seq in Hi.
  assert (1 <= INR N) by (apply (le_INR 1); exact HN).
  assert (Hi0 := pos_INR i). assert (HiN : INR i <= INR N) by (apply le_INR; lia).
  set (n := INR N) in *. set (u := INR i / (18 * n ^ 2)).
  assert (U : 0 <= u <= / (18 * n)).
  { unfold u. split.
    - apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. nra.
    - apply Rmult_le_reg_r with (18 * n ^ 2); [nra|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l by nra.
      replace (/ (18 * n) * (18 * n ^ 2)) with n by (field; lra). lra. }
  assert (I : / (18 * n) <= 1/18).
  { replace (1/18) with (/ (18 * 1)) by lra. apply Rinv_le_contravar; lra. }
  assert (E : 3/10 * (10/3 * (2/9 + u)) = 2/9 + u) by lra. split.
  - apply in_space_of_the_line. cbn beta. fold u. rewrite E. lra.
  - rewrite g_of_the_line. cbn beta. fold u. rewrite E, clip_is_the_identity_inside by lra. cbn [f_star line_analysis].
    eapply Rle_trans; [apply valley_near_the_bottom; rewrite Rabs_right; lra|].
    replace (2/9 + u - 2/9) with u by lra.
    replace (/ (12 * n ^ 2)) with (27 * (/ (18 * n)) ^ 2) by (field; lra). nra.
Qed.

Lemma the_comb_has_disjoint_balls N : (1 <= N)%nat ->
  disjoint_balls (distance 1) (m T / m_hat T * / (12 * INR N ^ 2)) (comb N).
Proof.
  intros HN. assert (1 <= INR N) by (apply (le_INR 1); exact HN).
  assert (Em : m T / m_hat T * / (12 * INR N ^ 2) = 5/3 * / (18 * INR N ^ 2)).
  { cbn [m m_hat line_analysis]. rewrite radius_of_the_line. field. nra. }
  rewrite Em. enough (G : forall len start, disjoint_balls (distance 1) (5/3 * / (18 * INR N ^ 2))
    (map (fun i => fun _ : nat => 10/3 * (2/9 + INR i / (18 * INR N ^ 2))) (seq start len))) by apply G.
  unfold disjoint_balls.
  induction len as [|len IH]; intros start; cbn [seq map]; constructor; [|apply IH].
  apply Forall_forall. intros y Hy z [Z1 Z2]. apply in_map_iff in Hy. destruct Hy as (i & <- & Hi).
  apply in_seq in Hi. rewrite distance_on_the_line in Z1, Z2.
  assert (INR start + 1 <= INR i) by (rewrite <- S_INR; apply le_INR; lia).
  assert (pos : 0 < / (18 * INR N ^ 2)) by (apply Rinv_0_lt_compat; nra).
  unfold Rdiv at 3 in Z1. unfold Rdiv at 3 in Z2. set (w := / (18 * INR N ^ 2)) in *.
  apply Rabs_def2 in Z1. apply Rabs_def2 in Z2. nra.
Qed.

Lemma no_dimension_below_one_half_is_admissible C' d' : 0 <= d' < 1/2 -> ~ is_admissible P T C' d'.
Proof.
  intros Hd H. set (B := 4 * Rabs C' + 1). assert (HB : 1 <= B) by (unfold B; pose proof (Rabs_pos C'); lra).
  set (s := 1/2 - d'). assert (Hs : 0 < s) by (unfold s; lra).
  set (b := Rpower B (1 / s)).
  assert (Eb : Rpower b s = B).
  { unfold b. rewrite Rpower_mult. replace (1 / s * s) with 1 by (field; lra). apply Rpower_1. lra. }
  assert (Hb : 0 < b) by apply exp_pos.
  destruct (archimed b) as [Up _]. set (N := S (Z.to_nat (up b))).
  assert (HN : b <= INR N).
  { unfold N. rewrite S_INR, INR_IZR_INZ, Z2Nat.id; [lra|]. apply le_IZR. lra. }
  assert (H1 : 1 <= INR N) by (apply (le_INR 1); unfold N; lia).
  set (a := 12 * INR N ^ 2). assert (Ha : 0 < a) by (unfold a; nra).
  specialize (H (/ a) (comb N)).
  assert (L : INR (length (comb N)) < C' * Rpower (/ a) (- d')).
  { apply H.
    - split; [apply Rinv_0_lt_compat, Ha|]. cbn [m_hat delta line_analysis pow].
      replace (1 * (3 / 1)) with (/ / 3) by lra. apply Rinv_le_contravar; [lra|]. unfold a. nra.
    - intros y Hy. apply the_comb_is_near_optimal; [unfold N; lia | exact Hy].
    - apply the_comb_has_disjoint_balls. unfold N. lia. }
  unfold comb in L. rewrite map_length, seq_length, S_INR in L.
  assert (E1 : Rpower (/ a) (- d') = Rpower a d').
  { unfold Rpower. rewrite ln_Rinv by exact Ha. f_equal. ring. }
  assert (E2 : Rpower a d' * Rpower a s = sqrt a).
  { rewrite <- Rpower_plus. replace (d' + s) with (/2) by (unfold s; lra). apply Rpower_sqrt, Ha. }
  assert (E3 : B <= Rpower a s).
  { rewrite <- Eb. apply Rle_Rpower_l; [lra|]. split; [exact Hb|]. unfold a. nra. }
  assert (E4 : sqrt a <= 4 * INR N).
  { rewrite <- (sqrt_Rsqr (4 * INR N)) by lra. apply sqrt_le_1_alt. unfold a, Rsqr. nra. }
  rewrite E1 in L. set (w := Rpower a d') in *. set (q := Rpower a s) in *.
  assert (Hw : 0 < w) by apply exp_pos.
  assert (E5 : w * B <= 4 * INR N) by nra.
  pose proof (Rle_abs C') as E6.
  assert (E7 : C' * w <= Rabs C' * w) by nra.
  assert (E8 : Rabs C' * w * 4 <= 4 * INR N) by (unfold B in E5; nra). lra.
Qed.

(** Claim [definition-2]. The near-optimality dimension of the valley is 1/2: C = 16/5 is a constant
    for it, and no smaller dimension has any. *)
Theorem the_near_optimality_dimension_of_the_valley_is_one_half :
  is_the_near_optimality_dimension P T (16/5) (1/2).
Proof.
  split; [lra|]. split; [exact sixteen_fifths_and_one_half_are_admissible|].
  intros C' d' H. apply no_dimension_below_one_half_is_admissible. exact H.
Qed.

(** ** Theorem 2 at t = 6 *)

Lemma h_of_6_is_2 : is_h_of_t T (depth_bound P) (16/5) (1/2) 6 2.
Proof.
  assert (R3 : Rpower 3 (- (1/2)) < 7/8 /\ 0 < Rpower 3 (- (1/2))).
  { split; [|apply exp_pos]. rewrite Rpower_minus_half by lra.
    assert (3/2 <= sqrt 3).
    { rewrite <- (sqrt_Rsqr (3/2)) by lra. apply sqrt_le_1_alt. unfold Rsqr. lra. }
    replace (7/8) with (/ (8/7)) by field. apply Rinv_lt_contravar; nra. }
  assert (R1 : Rpower 1 (- (1/2)) = 1).
  { rewrite Rpower_minus_half by lra. rewrite sqrt_1. lra. }
  assert (R13 : 1 <= Rpower (1/3) (- (1/2))).
  { rewrite Rpower_minus_half by lra.
    assert (sqrt (1/3) <= 1) 
      by (apply Rle_trans with (sqrt 1); [apply sqrt_le_1_alt; lra | rewrite sqrt_1; lra]).
    assert (0 < sqrt (1/3)) by (apply sqrt_lt_R0; lra).
    apply Rle_trans with (/ 1); [lra|]. apply Rinv_le_contravar; lra. }
  assert (terms : Rpower (m_hat T * delta T 0) (- (1/2)) = Rpower 3 (- (1/2))
    /\ Rpower (m_hat T * delta T 1) (- (1/2)) = Rpower 1 (- (1/2))
    /\ Rpower (m_hat T * delta T 2) (- (1/2)) = Rpower (1/3) (- (1/2))).
  { cbn [m_hat delta line_analysis pow]. repeat split; f_equal; lra. }
  destruct terms as (T0 & T1 & T2).
  split; [|intros h' Hh]; unfold bound_of_equation_9;
    cbn [depth_bound line_problem].
  - cbn [seq sum]. rewrite T0, T1, T2, R1. cbn [INR]. lra.
  - destruct h' as [|[|h']]; [| |lia]; cbn [seq sum]; rewrite T0, ?T1, ?R1; cbn [INR]; lra.
Qed.

(** Claim [theorem-2] [supplement-a6]. What Algorithm 1 does on the valley: the nodes expanded, the latest first, and in
    which iteration. *)
Theorem the_run_on_the_valley :
  expansions (log (the_run P 100)) = [([1], 7); ([2], 5); ([0], 3); ([], 1)]%nat.
Proof.
  rewrite (expansions_of_the_line rational_valley rational_valley_is). vm_compute. reflexivity.
Qed.

Lemma the_run_on_the_valley_is_long : (7 <= iterations (the_run P 100))%nat.
Proof.
  rewrite (iterations_of_the_line rational_valley rational_valley_is). vm_compute. lia.
Qed.

Lemma no_value_below_1_is_seen_within_6_iterations value i :
  In (value, i) (values_seen (log (the_run P 100))) -> (i <= 6)%nat -> 1 <= value.
Proof.
  rewrite (values_seen_of_the_line rational_valley rational_valley_is).
  remember (values_seen (log (rational_run_in 1 1 rational_valley 100))) as seen eqn:Es.
  assert (A : forallb (fun e => (6 <? snd e)%nat || Qle_bool 1 (fst e))%bool seen = true)
    by (rewrite Es; vm_compute; reflexivity).
  clear Es. intros H L. apply in_map_iff in H. destruct H as ([q j] & E & H).
  cbn in E. injection E as <- <-.
  rewrite forallb_forall in A. specialize (A _ H). cbn [fst snd] in A.
  apply Bool.orb_true_iff in A. destruct A as [A|A]; [apply Nat.ltb_lt in A; lia|].
  apply Qle_bool_iff, Qle_Rle in A. unfold Q2R at 1 in A. cbn in A. lra.
Qed.

(** Claim [theorem-2]. The printed Theorem 2 is false: all assumptions hold, 1/2 is the near-optimality
    dimension with C = 16/5, h(6) = 2, the promise after 6 iterations is a regret of at most
    delta(2) = 1/3, and the regret is 1. *)
Theorem the_printed_theorem_2_is_false :
  assumptions_hold P T /\ is_the_near_optimality_dimension P T (16/5) (1/2)
  /\ ~ theorem_2_as_printed P T (16/5) (1/2).
Proof.
  split; [exact assumptions_hold_for_the_valley|].
  split; [exact the_near_optimality_dimension_of_the_valley_is_one_half|]. intros H.
  destruct (H 100%nat 6%nat 2%nat 2%nat) as (value & i & Hi & Li & Hv).
  - pose proof the_run_on_the_valley_is_long. lia.
  - exact h_of_6_is_2.
  - cbn. lia.
  - pose proof (no_value_below_1_is_seen_within_6_iterations value i Hi Li).
    cbn [f_star tau delta line_analysis pow] in Hv. lra.
Qed.
