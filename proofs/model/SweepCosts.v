(** * What a sweep costs: iterations, depth, and evaluations. *)

From EmbeddedHunter Require Import Lists Filters Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms Sweep RunsEnd.
From EmbeddedHunter Require Search SearchSteps SearchSweep SearchEnds.

(** Claim [norm-classes].  gamma_l, the greatest number of norm classes that depth
    [l] can have. *)
Definition gamma (k d l : nat) : nat :=
  Nat.min (K k ^ l) (1 + d * ((K k ^ rounds d l - 1) / 2) ^ 2).

(** gamma_0 + ... + gamma_(n-1). *)
Fixpoint sum_of_gammas (k d n : nat) : nat :=
  match n with
  | 0 => 0
  | S n' => sum_of_gammas k d n' + gamma k d n'
  end.

Lemma sum_of_gammas_positive k d n : 1 <= sum_of_gammas k d (S n).
Proof.
  induction n as [|n IH].
  - unfold sum_of_gammas, gamma. cbn [Nat.pow]. lia.
  - cbn [sum_of_gammas] in *. lia.
Qed.

Section SweepCosts.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).

(** ** Iterations *)

Lemma visit_iterations l s :
  exhausted s = false -> leaves_are_nodes s -> iterations (visit less oracle cfg l s) = S (iterations s).
Proof. exact (SearchSweep.visit_iterations lawful l s). Qed.

Lemma deepest_run_for n : deepest (leaves (run_for n start)) <= n.
Proof.
  apply deepest_at_most. rewrite run_for_is. apply (SearchEnds.depth_after_sweeps lawful (last_sweep less oracle cfg) start
    (leaves_are_nodes_start less oracle cfg)). intros x [<-|[]]. reflexivity.
Qed.

(** Claims [loop-bound-static] [lemma-1].  The first n sweeps make at most
    min(1, h_max + 1) + ... + min(n, h_max + 1) iterations: when sweep s begins, the tree has
    depth s - 1 at most. *)
Theorem n_sweeps_make_at_most_a_triangle_of_iterations n :
  iterations (run_for n start) <= triangle (S (h_max cfg)) n.
Proof.
  rewrite run_for_is. apply (SearchEnds.n_sweeps_iterations lawful (last_sweep less oracle cfg) start
    (leaves_are_nodes_start less oracle cfg)). intros x [<-|[]]. reflexivity.
Qed.

(** ** Evaluations *)

Section Evaluations.
Hypothesis d_positive : 1 <= d.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

Lemma gamma_is l : Z.of_nat (gamma k d l) =
  Z.min (pw k l) (1 + Z.of_nat d * ((pw k (rounds d l) - 1) / 2) ^ 2)%Z.
Proof.
  unfold gamma, pw. rewrite Nat2Z.inj_min, Nat2Z.inj_add, Nat2Z.inj_mul, !Nat2Z.inj_pow,
    Nat2Z.inj_div, Nat2Z.inj_sub, Nat2Z.inj_pow; [reflexivity|].
  change 1 with (K k ^ 0). apply Nat.pow_le_mono_r; unfold K; lia.
Qed.

(** Claim [norm-classes].  The leaves of depth l have at most gamma_l classes, gamma_l =
    min(K^l, 1 + d ((K^ceil(l/d) - 1)/2)^2). *)
Theorem a_depth_has_at_most_gamma_classes s l :
  reached s -> length (classes l (leaves s)) <= gamma k d l.
Proof.
  intros Hr. apply Nat2Z.inj_le. rewrite gamma_is.
  rewrite <- (map_length fst). apply (the_norm_classes_of_a_depth_are_few k d d_positive l).
  - apply norms_occur_once.
  - intros r Hin. apply in_map_iff in Hin. destruct Hin as ([r' ms] & E & Hin). cbn in E. subst r'.
    destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r ms Hin) as [Hne Hx].
    destruct ms as [|x ms]; [easy|]. destruct (Hx x (or_introl eq_refl)) as (H1 & H2 & H3).
    pose proof (reached_leaves_are_nodes less oracle cfg s Hr x H1) as E.
    exists (place x). split; [|split].
    + apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place x) Hr).
      apply in_map. exact H1.
    + rewrite <- H2, E, depth_node_at, place_node_at. reflexivity.
    + rewrite <- H3, E, norm_node_at, place_node_at. reflexivity.
Qed.

(** Expanding one class takes K evaluations at most. *)
Lemma visit_class_made members s :
  members <> [] -> leaves_are_nodes s -> (forall x, In x members -> In x (leaves s)) ->
  made (visit_class less oracle cfg members s) <= made s + K k.
Proof.
  intros H1 H2 H3.
  destruct members as [|x rest]; [easy|]. cbn [Model.visit_class]. destruct (exhausted s); [lia|].
  destruct (below _ _ _); [|lia]. rewrite (H2 _ (H3 _ (argmin_in less x rest))), expand_made.
  set (q := place _). pose proof (length_performed less oracle cfg q s). pose proof (length_wanted less oracle cfg q). lia.
Qed.

Lemma visit_made l s :
  leaves_are_nodes s -> made (visit less oracle cfg l s) <= made s + K k * length (classes l (leaves s)).
Proof.
  intros Hn. unfold Model.visit. set (n := length (classes l (leaves s))).
  set (P := fun (cs : list (Z * list (leaf V))) (s' : state V) => made s' + K k * length cs <= made s + K k * n).
  assert (Hstep : forall r ms cs s1, leaves_are_nodes s1 -> ms <> [] -> (forall x, In x ms -> In x (leaves s1)) ->
    P ((r, ms) :: cs) s1 -> P cs (visit_class less oracle cfg ms s1)).
  { intros r ms cs s1 Hn1 Hne Hx H. pose proof (visit_class_made ms s1 Hne Hn1 Hx). unfold P in *. cbn [length] in H. lia. }
  enough (H : P [] (visit_classes less oracle cfg (classes l (leaves s)) (begin_visit l s))) by (unfold P in H; cbn [length] in H; lia).
  apply (SearchSteps.visit_classes_induction lawful P l).
  - intros r ms cs s1 Hn1 Hf H. destruct (SearchSteps.next_class _ _ _ _ _ Hf) as [Hne Hx].
    exact (Hstep r ms cs s1 Hn1 Hne (fun x Hin => proj1 (Hx x Hin)) H).
  - exact Hn.
  - exact (SearchSteps.frozen_ok_classes lawful l s).
  - exact (Nat.le_refl _).
Qed.

(** Claim [theorem-2].  A sweep makes at most K (gamma_0 + ... + gamma_h_max) evaluations. *)
Theorem a_sweep_makes_at_most_K_evaluations_per_class s :
  reached s -> exhausted s = false ->
  made (sweep s) <= made s + K k * sum_of_gammas k d (S (h_max cfg)).
Proof.
  intros Hr Hx. pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  assert (H : made (sweep s) <= made s + K k * sum_of_gammas k d (S (limit cfg s)) /\ reached (sweep s)).
  { apply (sweep_induction less oracle cfg
      (fun l s1 => made s1 <= made s + K k * sum_of_gammas k d l /\ reached s1) s Hn).
    - intros l s1 Hl Hx1 Hn1 [H1 H2]. split.
      + pose proof (visit_made l s1 Hn1). pose proof (a_depth_has_at_most_gamma_classes s1 l H2).
        cbn [sum_of_gammas]. nia.
      + eapply reached_steps; [exact H2|]. apply (moves_steps less oracle cfg l).
        * pose proof (limit_h_max cfg s). lia.
        * now apply visit_moves.
    - intros l s1 _ [H1 H2]. split; [cbn [sum_of_gammas]; nia|exact H2].
    - cbn. split; [lia|]. eapply reached_steps; [exact Hr|]. now apply step_sweep. }
  destruct H as [H _]. etransitivity; [exact H|].
  apply Nat.add_le_mono_l, Nat.mul_le_mono_l.
  assert (Hm : forall a b, a <= b -> sum_of_gammas k d a <= sum_of_gammas k d b).
  { induction 1; cbn [sum_of_gammas]; lia. }
  apply Hm. pose proof (limit_h_max cfg s). lia.
Qed.

(** The first sweep expands the root, whose center child is not evaluated again. *)
Lemma made_first_sweep : made (sweep start) <= K k.
Proof.
  unfold Model.sweep. cbn [Model.limit start leaves deepest new_leaf depth Nat.max Nat.min length].
  change (limit cfg start) with (Nat.min (Nat.max 0 0) (h_max cfg)). cbn [Nat.max Nat.min Model.visits].
  destruct (exhausted (begin_sweep cfg start)); [cbn; unfold K; lia|].
  unfold Model.visit. cbn [begin_sweep leaves start classes depth new_leaf length Nat.eqb
    add_to_classes Model.visit_classes Model.visit_class argmin].
  match goal with |- context [if ?b then _ else _] => destruct b end; [cbn; unfold K; lia|].
  cbn [below nu_min begin_visit begin_sweep].
  change (new_leaf cfg [] (oracle [] 1) 1) with (node_at less oracle cfg []).
  rewrite expand_made. cbn [made begin_visit begin_sweep start].
  pose proof (length_performed less oracle cfg [] (begin_visit 0 (begin_sweep cfg start))).
  enough (length (wanted less oracle cfg []) <= K k - 1) by (unfold K in *; lia).
  unfold Nodes.wanted.
  assert (Hc : evaluated less oracle cfg [k] = false).
  { cbn [evaluated]. rewrite Nat.eqb_refl. cbn [negb orb].
    unfold within_cap. cbn [node_at count new_leaf depth norm length].
    apply Z.leb_gt.
    rewrite norm_of_the_root, Z.mul_0_r by exact d_positive.
    assert (Hp : (0 < Z.of_nat (K k) ^ (2 * Z.of_nat (rounds d 0)))%Z)
      by (apply Z.pow_pos_nonneg; unfold K; lia).
    change (Z.of_nat 1) with 1%Z. nia. }
  assert (Hk : In [k] (children cfg [])) by (apply in_children; exists k; unfold K; split; [lia|reflexivity]).
  apply in_split in Hk. destruct Hk as (l1 & l2 & E). pose proof (length_children cfg []) as El. rewrite E in El |- *.
  rewrite app_length in El. rewrite filter_app, app_length. cbn [filter length] in *. rewrite Hc.
  pose proof (length_filter (evaluated less oracle cfg) l1). pose proof (length_filter (evaluated less oracle cfg) l2).
  unfold path in *. lia.
Qed.

(** Claim [theorem-2].  The first n sweeps make at most n K (gamma_0 + ... + gamma_h_max) evaluations,
    the root's included. *)
Theorem n_sweeps_make_at_most_n_K_gamma_evaluations n :
  1 <= n -> made (run_for n start) <= K k * n * sum_of_gammas k d (S (h_max cfg)).
Proof.
  pose proof (sum_of_gammas_positive k d (h_max cfg)) as HG.
  pose proof (leaves_are_nodes_start less oracle cfg) as H0.
  induction 1 as [|n Hn IH].
  - assert (HK : made (run_for 1 start) <= K k).
    { destruct (run_for_next less oracle cfg 0 start H0) as [[_ ->]|[_ [-> |[-> _]]]];
        [change (1 <= K k); unfold K; lia| |change (1 <= K k); unfold K; lia].
      apply made_first_sweep. }
    nia.
  - destruct (run_for_next less oracle cfg n start H0) as [[_ ->]|[Hx [-> |[-> _]]]]; [nia| |nia].
    pose proof (a_sweep_makes_at_most_K_evaluations_per_class (run_for n start)
      (run_for_reached less oracle cfg n) Hx). nia.
Qed.

End Evaluations.

End SweepCosts.
