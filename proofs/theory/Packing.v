(** * Lemma 2: near-optimal nodes are as few as disjoint balls among near-optimal points.

    The paper's Definition 2 asks for its bound "for any eps > 0", which no pair (C, d_m) with
    d_m > 0 can meet ([the_printed_near_optimality_dimension_is_never_positive]); here it is
    asked for 0 < eps <= eps_0.  Balls are open, and nodes are those of the infinite tree. *)

From Coq Require Import Reals Rpower Lra Psatz.
From EmbeddedHunter Require Import Lists Filters Lattice Geometry Vectors Cells WellShaped.
Local Open Scope R_scope.

(** ** The paper's definitions *)

Section Definitions.
Variables k d : nat.
Variable radius : R.                    (* Y = [-radius, radius)^d *)
Variable ell : vector -> vector -> R.   (* the paper's l *)
Variable g : vector -> R.               (* the least of the realisations, min over p of g_p *)
Variable f_star : R.                    (* the least value of the objective *)

(** Y_eps, the eps-optimal points. *)
Definition near_optimal (eps : R) (y : vector) : Prop := in_space d radius y /\ g y <= f_star + eps.

(** Open balls of radius [r] about the given centers, no two of which meet. *)
Definition disjoint_balls (r : R) (centers : list vector) : Prop :=
  ForallOrdPairs (fun a b => forall z, ~ (ell z a < r /\ ell z b < r)) centers.

(** At most C eps^(-dim) disjoint balls of radius ratio * eps have their centers in Y_eps. *)
Definition packing_bound (ratio C dim eps : R) : Prop :=
  forall centers, (forall y, In y centers -> near_optimal eps y) ->
    disjoint_balls (ratio * eps) centers ->
    INR (length centers) <= C * Rpower eps (- dim).

(** Claim [definition-2], repaired: [dim] is admissible as the [ratio]-near-optimality dimension,
    with constant [C], up to [eps_0]. *)
Definition near_optimality_dimension (ratio C dim eps_0 : R) : Prop :=
  forall eps, 0 < eps <= eps_0 -> packing_bound ratio C dim eps.

(** Claim [assumption-3]. *)
Definition well_shaped (m : R) (delta : nat -> R) : Prop :=
  forall p, node k p -> forall z, ell z (base_point k d radius p) < m * delta (length p) ->
    in_cell k d radius p z.

(** [nodes] is a list of distinct nodes of depth [h], whose base points are in Y_eps. *)
Definition near_optimal_nodes (eps : R) (h : nat) (nodes : list path) : Prop :=
  NoDup nodes /\ forall p, In p nodes ->
    node k p /\ length p = h /\ g (base_point k d radius p) <= f_star + eps.

End Definitions.

(** ** The printed Definition 2 *)

(** Claim [definition-2]. "For any eps > 0" cannot be met by any d_m > 0 and any C. *)
Theorem the_printed_near_optimality_dimension_is_never_positive
  d radius ell g f_star ratio C dim y :
  near_optimal d radius g f_star 1 y -> 0 < dim ->
  ~ (forall eps, 0 < eps -> packing_bound d radius ell g f_star ratio C dim eps).
Proof.
  intros [Sy Gy] Hdim H. set (b := Rabs C + 2). pose proof (Rabs_pos C) as P.
  assert (E : Rpower (Rpower b (1 / dim)) (- dim) = / b).
  { rewrite Rpower_mult. replace (1 / dim * - dim) with (Ropp 1) by (field; lra).
    rewrite Rpower_Ropp, Rpower_1; unfold b; lra. }
  assert (B : 1 <= Rpower b (1 / dim)).
  { apply Rle_trans with (Rpower b 0); [rewrite Rpower_O by (unfold b; lra); lra|].
    apply Rle_Rpower; [unfold b; lra|].
    apply Rlt_le, Rdiv_lt_0_compat; lra. }
  specialize (H (Rpower b (1 / dim)) ltac:(lra) [y]). rewrite E in H.
  assert (L : INR (length [y]) <= C * / b).
  { apply H; [|repeat constructor]. intros z [<-|[]]. split; [exact Sy|]. lra. }
  cbn in L. assert (C < b) by (unfold b; pose proof (Rle_abs C); lra).
  assert (C * / b < b * / b) by (apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; unfold b; lra | lra]).
  rewrite Rinv_r in H1 by (unfold b; lra). lra.
Qed.

(** ** Lemma 2 *)

Section LemmaTwo.
Variables k d : nat.
Variable radius : R.
Variable ell : vector -> vector -> R.
Variable g : vector -> R.
Variable f_star : R.
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : 0 < radius.
Variables m m_hat C dim eps_0 : R.
Variable delta : nat -> R.
Hypothesis m_hat_pos : 0 < m_hat.
Hypothesis assumption_3 : well_shaped k d radius ell m delta.
Hypothesis definition_2 : near_optimality_dimension d radius ell g f_star (m / m_hat) C dim eps_0.

(** Claim [lemma-2] [supplement-a5]. A depth h has at most C (m_hat delta(h))^(-d_hat) nodes whose base points are
    (m_hat delta(h))-optimal. *)
Theorem near_optimal_nodes_are_few h nodes : 0 < m_hat * delta h <= eps_0 ->
  near_optimal_nodes k d radius g f_star (m_hat * delta h) h nodes ->
  INR (length nodes) <= C * Rpower (m_hat * delta h) (- dim).
Proof.
  intros Heps [N H]. rewrite <- (map_length (base_point k d radius) nodes).
  apply (definition_2 _ Heps).
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp).
    destruct (H p Hp) as (V & _ & G). split; [|exact G].
    apply a_base_point_is_in_the_space; assumption.
  - unfold disjoint_balls.
    replace (m / m_hat * (m_hat * delta h)) with (m * delta h) by (field; lra).
    induction N as [|p nodes Np N IH]; cbn [map]; constructor.
    + apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (q & <- & Hq).
      intros z [Zp Zq]. destruct (H p ltac:(cbn; auto)) as (Vp & Lp & _).
      destruct (H q ltac:(cbn; auto)) as (Vq & Lq & _).
      apply Np. replace p with q; [exact Hq|]. symmetry.
      apply (cells_of_one_depth_are_disjoint k d radius d_pos radius_pos p q z); auto; [congruence| |].
      * apply assumption_3; [exact Vp|]. rewrite Lp. exact Zp.
      * apply assumption_3; [exact Vq|]. rewrite Lq. exact Zq.
    + apply IH. intros q Hq. apply H. cbn. auto.
Qed.

(** Summed over the depths up to [h]: the number S_h of Lemma 1. *)
Lemma length_by_depth (h : nat) (nodes : list path) : (forall p, In p nodes -> (length p <= h)%nat) ->
  INR (length nodes)
  = sum (seq 0 (S h)) (fun l => INR (length (filter (fun p => Nat.eqb (length p) l) nodes))).
Proof.
  induction nodes as [|p nodes IH]; intros H.
  - cbn [length filter INR]. rewrite sum_of_a_constant. lra.
  - replace (INR (length (p :: nodes))) with (INR (length nodes) + 1) by (cbn [length]; rewrite S_INR; lra).
    rewrite IH by (intros q Hq; apply H; cbn; auto).
    rewrite <- (sum_of_a_diagonal (seq 0 (S h)) (fun _ => 1) (length p)) at 1.
    + rewrite <- sum_of_sums. apply sum_of_equal_terms. intros l _. cbn [filter].
      destruct (Nat.eqb (length p) l); [cbn [length]; rewrite S_INR|]; lra.
    + apply seq_NoDup.
    + apply in_seq. specialize (H p ltac:(cbn; auto)). lia.
Qed.

(** Claim [lemma-2] [theorem-2] [supplement-a6]. All nodes of depth at most h that are (m_hat delta)-optimal at their
    own depth: at most C times the sum of (m_hat delta(l))^(-d_hat), l <= h. *)
Theorem near_optimal_nodes_up_to_a_depth_are_few h nodes :
  (forall l, (l <= h)%nat -> 0 < m_hat * delta l <= eps_0) -> NoDup nodes ->
  (forall p, In p nodes -> node k p /\ (length p <= h)%nat
     /\ g (base_point k d radius p) <= f_star + m_hat * delta (length p)) ->
  INR (length nodes) <= C * sum (seq 0 (S h)) (fun l => Rpower (m_hat * delta l) (- dim)).
Proof.
  intros Heps N H. rewrite (length_by_depth h nodes) by (intros p Hp; apply H; exact Hp).
  rewrite <- sum_of_multiples. apply sum_is_monotone. intros l Hl. apply in_seq in Hl.
  apply near_optimal_nodes_are_few; [apply Heps; lia|]. split; [apply NoDup_filter; exact N|].
  intros p Hp. apply filter_In in Hp. destruct Hp as [Hp E]. apply Nat.eqb_eq in E.
  destruct (H p Hp) as (V & _ & G). rewrite E in G. auto.
Qed.

End LemmaTwo.

(** Claim [assumption-3]. On the cells of Algorithm 1, with the Euclidean distance, Assumption 3
    says just this: m delta(h) <= R / K^ceil(h/d) at every depth. *)
Theorem well_shaped_iff_balls_fit k d radius m delta : (1 <= d)%nat -> 0 < radius ->
  (well_shaped k d radius (distance d) m delta
   <-> forall h, m * delta h <= inscribed_radius k d radius h).
Proof.
  intros Hd Hr. split.
  - intros H h. pose proof (H (repeat k h)) as E. rewrite repeat_length in E.
    rewrite <- (repeat_length k h) at 2.
    apply a_ball_about_the_base_point_is_inside_the_cell_iff_its_radius_is_at_most_the_inscribed_one;
      [exact Hd | exact Hr |]. apply E. apply Forall_forall. intros c Hc.
    apply repeat_spec in Hc. subst c. unfold K. lia.
  - intros H p _ z Hz. apply a_cell_contains_the_ball_about_its_base_point; auto.
    specialize (H (length p)). lra.
Qed.

(** Claim [eq-7]. With tau non-decreasing, delta non-increasing and m_hat chosen at h_max as in
    Eq. (7), tau(l) + delta(l) <= m_hat delta(j) whenever j <= l <= h_max. *)
Theorem m_hat_delta_is_above_tau_plus_delta (tau delta : nat -> R) (m_hat : R) (h_max j l : nat) :
  (forall a b, (a <= b)%nat -> tau a <= tau b) -> (forall a b, (a <= b)%nat -> delta b <= delta a) ->
  1 <= m_hat -> tau h_max + delta h_max <= m_hat * delta h_max ->
  (j <= l <= h_max)%nat -> tau l + delta l <= m_hat * delta j.
Proof.
  intros T D M E [J L]. pose proof (T l h_max L). pose proof (D j l J).
  pose proof (D j h_max ltac:(lia)). nra.
Qed.

(** ** Disjoint balls on the line *)

Lemma distance_on_the_line x y : distance 1 x y = Rabs (x 0%nat - y 0%nat).
Proof.
  unfold distance, norm, square_norm, minus. cbn [coordinates seq sum].
  rewrite <- sqrt_Rsqr_abs. f_equal. unfold Rsqr. ring.
Qed.

Lemma overlap_on_the_line a b r : Rabs (a 0%nat - b 0%nat) < 2 * r ->
  exists z, distance 1 z a < r /\ distance 1 z b < r.
Proof.
  intros H. exists (fun i => (a i + b i) / 2). rewrite !distance_on_the_line.
  apply Rabs_def2 in H. split; apply Rabs_def1; lra.
Qed.

Lemma spaced_points_are_few (gap : R) (xs : list R) : forall a b, 0 < gap -> NoDup xs -> xs <> [] ->
  (forall x, In x xs -> a <= x <= b) ->
  (forall x y, In x xs -> In y xs -> x <> y -> gap <= Rabs (x - y)) ->
  (INR (length xs) - 1) * gap <= b - a.
Proof.
  remember (length xs) as n eqn:L. revert xs L.
  induction n as [|n IH]; intros xs L a b Hg N NE B S; [destruct xs; [congruence|discriminate]|].
  destruct (an_extreme_member Rge xs) as (x & Hx & U); [intros; lra|intros; lra|exact NE|].
  apply in_split in Hx. destruct Hx as (l1 & l2 & ->).
  pose proof (NoDup_remove _ _ _ N) as [N' Nx].
  assert (sub : forall y, In y (l1 ++ l2) -> In y (l1 ++ x :: l2)).
  { intros y. rewrite !in_app_iff. cbn. tauto. }
  assert (L' : n = length (l1 ++ l2)) by (rewrite app_length in *; cbn in L; lia).
  pose proof (B x ltac:(apply in_elt)) as Bx. rewrite S_INR. destruct (l1 ++ l2) as [|z zs] eqn:E.
  - subst n. cbn. lra.
  - rewrite <- E in *. assert (I : (INR n - 1) * gap <= (x - gap) - a).
    { apply (IH (l1 ++ l2)); auto; [congruence|]. intros y Hy. split; [apply B; auto|].
      assert (y <> x) by (intros ->; exact (Nx Hy)).
      pose proof (S y x (sub y Hy) ltac:(apply in_elt) H) as D. pose proof (U y (sub y Hy)).
      rewrite Rabs_left1 in D by lra. lra. }
    lra.
Qed.

(** Disjoint balls on the line whose centers lie in an interval. *)
Lemma disjoint_balls_on_the_line_are_few (r a b : R) (centers : list vector) : 0 < r ->
  disjoint_balls (distance 1) r centers -> centers <> [] ->
  (forall y, In y centers -> a <= y 0%nat <= b) ->
  (INR (length centers) - 1) * (2 * r) <= b - a.
Proof.
  intros Hr D NE B. set (xs := map (fun y : vector => y 0%nat) centers).
  assert (far : NoDup xs /\ forall x y, In x xs -> In y xs -> x <> y -> 2 * r <= Rabs (x - y)).
  { unfold xs. clear NE B xs. unfold disjoint_balls in D. induction D as [|c cs Hc D [N S]]; cbn [map].
    - split; [constructor | intros x y []].
    - assert (F : forall e, In e cs -> 2 * r <= Rabs (c 0%nat - e 0%nat)).
      { intros e He. rewrite Forall_forall in Hc. specialize (Hc e He). apply Rnot_lt_le. intros H.
        destruct (overlap_on_the_line c e r H) as (z & Z). apply (Hc z). exact Z. }
      split.
      + constructor; [|exact N]. intros H. apply in_map_iff in H. destruct H as (e & E & He).
        specialize (F e He). rewrite E in F. rewrite Rminus_eq_0, Rabs_R0 in F. lra.
      + intros x y [<-|Hx] [<-|Hy] NE.
        * congruence.
        * apply in_map_iff in Hy. destruct Hy as (e & <- & He). apply F, He.
        * apply in_map_iff in Hx. destruct Hx as (e & <- & He). rewrite Rabs_minus_sym. apply F, He.
        * apply S; assumption. }
  destruct far as [N S]. rewrite <- (map_length (fun y : vector => y 0%nat) centers).
  apply spaced_points_are_few; auto; [lra| |].
  - destruct centers; [congruence|discriminate].
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & <- & Hy). auto.
Qed.

(** ** An instance: all hypotheses of Lemma 2 hold together *)

Section Instance.

(** K = 3, d = 1, Y = [-1, 1), g(y) = |y|, f* = 0, delta(h) = 3^(-h), m = m_hat = 1: two balls at most. *)
Let third (h : nat) : R := inscribed_radius 1 1 1 h.
Let absolute (y : vector) : R := Rabs (y 0%nat).

(** Claim [lemma-2].  The hypotheses of Lemma 2 have an instance: K = 3, d = 1, the absolute value. *)
Theorem lemma_2_has_an_instance :
  well_shaped 1 1 1 (distance 1) 1 third
  /\ near_optimality_dimension 1 1 (distance 1) absolute 0 (1 / 1) 2 0 1
  /\ (forall h, 0 < 1 * third h <= 1).
Proof.
  split; [|split; [|intros h; split]].
  - apply well_shaped_iff_balls_fit; [lia|lra|]. intros h. unfold third. lra.
  - intros eps Heps centers Hc Hd. rewrite Ropp_0, Rpower_O by lra.
    destruct centers as [|a rest]; [cbn; lra|].
    pose proof (disjoint_balls_on_the_line_are_few (1 / 1 * eps) (- eps) eps (a :: rest) ltac:(lra) Hd) as F.
    assert ((INR (length (a :: rest)) - 1) * (2 * (1 / 1 * eps)) <= eps - - eps); [|nra].
    apply F; [discriminate|]. intros x Hx. destruct (Hc x Hx) as [_ G]. unfold absolute in G. revert G. unfold_distances.
  - unfold third. pose proof (inscribed_radius_pos 1 1 1 ltac:(lra) h). lra.
  - unfold third, inscribed_radius.
    pose proof (power_pos 1 (rounds 1 h)). pose proof (power_mono 1 0 (rounds 1 h) ltac:(lia)).
    rewrite power_0 in H0. rewrite Rmult_1_l. apply Rmult_le_reg_r with (power 1 (rounds 1 h)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

End Instance.
