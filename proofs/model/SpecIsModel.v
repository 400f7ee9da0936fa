(** * The run of the model is the run of Algorithm 1, and the only one.

    [hunt] (Model.v) computes a run of Algorithm 1 in the sense of Spec.v: the same events in the same
    order, the same leaves, the same answer.  Spec.v has no second run (SpecOneRun.v).  So whoever has
    read Spec.v knows what [hunt] computes without reading Model.v or Lattice.v. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Order RunsTree RunsEvaluations RunsOrder Sweep RunsEnd
  SweepCosts NormIsEuclidean SpecPoints SpecExpansions.
From EmbeddedHunter Require SearchSteps SearchListing Commands Spec SpecOneRun.

Section SpecIsModel.

Context {V : Type} (less : V -> V -> bool) (g : Spec.point -> nat -> V) (cfg : settings) (eta M : R).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation oracle := (oracle_of g cfg eta).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation hunt := (hunt less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation name_of := (name_of k).
Local Notation point_of := (point_of k d eta).
Local Notation state_of := (state_of cfg).
Local Notation budget_left := (Spec.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.
Hypothesis M_nonneg : (0 <= M)%R.
Hypothesis den_pos : (0 < cap_den cfg)%Z.
Hypothesis cap : (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR d / eta) * M) ^ 2)%R.

Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).

(** What SpecExpansions.v proves, of these variables. *)
Local Notation f_star_of_leaf := (f_star_of_leaf less g cfg eta order k_pos d_pos eta_pos).
Local Notation evaluate_child := (fun x => Commands.conditional
  (Spec.within_cap V (K k) d eta M x) (Spec.evaluate V g (K k) d eta x)).

Lemma budget_left_iff n s : reached s -> (budget_left (state_of n s) <-> exhausted s = false).
Proof. intros Hr. apply budget_is_left. now apply (evaluations_made less oracle cfg). Qed.

(** ** Lines 4 to 12: the classes of a visit *)

(** A class of the model holds nodes of one depth and norm. *)
Definition norm_of_class (c : Z * list (leaf V)) : R :=
  match snd c with [] => 0%R | x :: _ => Spec.norm (point_of (place x)) end.

Lemma norms_of_members p q l : node k p -> node k q -> length p = l -> length q = l ->
  (Nrm k d p < Nrm k d q)%Z <-> (Spec.norm (point_of p) < Spec.norm (point_of q))%R.
Proof.
  intros Hp Hq Lp Lq. rewrite !(norm_of_point_of k d eta d_pos eta_pos) by assumption.
  apply larger_integers_are_larger_Euclidean_norms; [exact d_pos|now apply radius_pos|congruence].
Qed.

Lemma equal_norms_of_members p q l : node k p -> node k q -> length p = l -> length q = l ->
  Nrm k d p = Nrm k d q <-> Spec.norm (point_of p) = Spec.norm (point_of q).
Proof.
  intros Hp Hq Lp Lq. rewrite !(norm_of_point_of k d eta d_pos eta_pos) by assumption.
  apply equal_integers_are_equal_Euclidean_norms; [exact d_pos|now apply radius_pos|congruence].
Qed.

Lemma leaf_facts s x : reached s -> In x (leaves s) ->
  In (place x) (places s) /\ node k (place x) /\ length (place x) = depth x /\
  norm x = Nrm k d (place x) /\ x = node_at (place x) /\ best x = value less oracle cfg (place x).
Proof.
  intros Hr Hx. assert (Hp : In (place x) (places s)) by now apply in_map.
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr x Hx) as E.
  repeat split; auto.
  - now apply (node_of_leaf less g cfg eta s).
  - rewrite E at 2. now rewrite depth_node_at.
  - rewrite E at 1. apply norm_node_at.
  - unfold Nodes.value. now rewrite <- E.
Qed.

(** The commands of lines 5 to 11, at depth [l] for the class of norm [r] of the leaves [T]. *)
Local Notation lines_5_to_11 T l := (fun r =>
  Commands.with_the (Spec.argmin V less (K k) d eta (Spec.L (K k) d eta T l r)) (fun o =>
    Commands.conditional (Spec.below_nu_min V less (K k) d eta o)
      (Commands.with_the (Spec.f_star_is V less (K k) d eta o) (fun f =>
        Commands.sequence (Spec.set_nu_min V f)
          (Commands.sequence (Spec.note V (Spec.Expand V o f))
            (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
              (Commands.conditional (Spec.all_have_values V less (K k) d eta (Spec.children (K k) o))
                (Spec.add_children V (K k) o)))))))).

Section Visit.

Variables (s0 : state V) (l t0 : nat).
Hypothesis reached_0 : reached s0.
Hypothesis l_small : l <= h_max cfg.

Local Notation T_t := (Spec.T V (state_of t0 s0)).
Local Notation frozen := (classes l (leaves s0)).

Lemma member_facts r ms x : In (r, ms) frozen -> In x ms ->
  In x (leaves s0) /\ In (place x) (places s0) /\ node k (place x) /\ length (place x) = l /\
  Nrm k d (place x) = r /\ norm_of_class (r, ms) = Spec.norm (point_of (place x)).
Proof.
  intros Hin Hx.
  destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s0) r ms Hin) as [_ H].
  assert (F : forall y, In y ms -> In y (leaves s0) /\ In (place y) (places s0) /\ node k (place y) /\
    length (place y) = l /\ Nrm k d (place y) = r).
  { intros y Hy. destruct (H y Hy) as (H1 & H2 & H3).
    destruct (leaf_facts s0 y reached_0 H1) as (F1 & F2 & F3 & F4 & _).
    repeat split; auto; congruence. }
  destruct (F x Hx) as (F1 & F2 & F3 & F4 & F5). repeat split; auto.
  unfold norm_of_class. cbn [snd]. destruct ms as [|y ms]; [easy|].
  destruct (F y (or_introl eq_refl)) as (_ & _ & G3 & G4 & G5).
  apply (equal_norms_of_members _ _ l); auto. congruence.
Qed.

Lemma class_has_a_member r ms : In (r, ms) frozen -> exists x rest, ms = x :: rest.
Proof.
  intros I. destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s0) r ms I) as [Hne _]. destruct ms; [easy|eauto].
Qed.

Lemma class_of_leaf p : In p (places s0) -> length p = l ->
  exists ms, In (Nrm k d p, ms) frozen /\ In (node_at p) ms.
Proof.
  intros Hp Hl. pose proof (reached_leaves_are_nodes less oracle cfg s0 reached_0) as Hn.
  apply (in_places less oracle cfg s0 p Hn) in Hp.
  destruct (every_leaf_of_the_depth_is_in_its_class l (leaves s0) (node_at p) Hp) as (ms & H1 & H2).
  - now rewrite depth_node_at.
  - rewrite norm_node_at in H1. eauto.
Qed.

Lemma Gamma_of_classes : Spec.Gamma (K k) d eta T_t l (map norm_of_class frozen).
Proof.
  split.
  - refine (strongly_sorted_map norm_of_class _ _ _ (classes_come_largest_norm_first l (leaves s0)) _). intros [r ms] [r' ms'] I I' Hf.
    unfold larger_norm in Hf. cbn [fst] in Hf.
    destruct (class_has_a_member r ms I) as (x & rest & ->). destruct (class_has_a_member r' ms' I') as (x' & rest' & ->).
    destruct (member_facts r _ x I (or_introl eq_refl)) as (_ & _ & A1 & A2 & A3 & ->).
    destruct (member_facts r' _ x' I' (or_introl eq_refl)) as (_ & _ & B1 & B2 & B3 & ->).
    apply (norms_of_members _ _ l); auto. congruence.
  - intros r. split.
    + intros Hr. apply in_map_iff in Hr. destruct Hr as ([z ms] & <- & I).
      destruct (class_has_a_member z ms I) as (x & rest & ->).
      destruct (member_facts z _ x I (or_introl eq_refl)) as (_ & A0 & A1 & A2 & A3 & ->).
      exists (index k (place x)).
      replace (l, index k (place x)) with (name_of (place x)) by (unfold SpecPoints.name_of; now rewrite A2).
      split; [|reflexivity]. cbn. eauto.
    + intros (i & (p & Hp & E) & <-).
      assert (Hl : length p = l) by now injection E. rewrite E.
      destruct (class_of_leaf p Hp Hl) as (ms & I & Im).
      apply in_map_iff. exists (Nrm k d p, ms). split; [|exact I].
      destruct (member_facts _ _ _ I Im) as (_ & _ & _ & _ & _ & ->). now rewrite place_node_at.
Qed.

(** L^j is the class of the model. *)
Lemma L_of_class r ms y : In (r, ms) frozen ->
  (Spec.L (K k) d eta T_t l (norm_of_class (r, ms)) y <-> exists x, In x ms /\ y = name_of (place x)).
Proof.
  intros I. split.
  - intros ((p & Hp & ->) & Hl & Hr). cbn [fst SpecPoints.name_of] in Hl.
    destruct (class_of_leaf p Hp Hl) as (ms' & I' & Im).
    destruct (class_has_a_member r ms I) as (x & rest & ->).
    destruct (member_facts r _ x I (or_introl eq_refl)) as (_ & A0 & A1 & A2 & A3 & A4).
    rewrite A4 in Hr. fold (point_of p) in Hr. symmetry in Hr.
    apply (equal_norms_of_members _ _ l) in Hr; auto; [|now apply (node_of_leaf less g cfg eta s0)].
    rewrite <- Hr, A3 in I'. pose proof (one_class_of_a_norm _ _ _ _ _ I' I) as ->. exists (node_at p). split; [exact Im|]. now rewrite place_node_at.
  - intros (x & Hx & ->). destruct (member_facts r ms x I Hx) as (_ & A0 & A1 & A2 & A3 & A4).
    repeat split; [cbn; eauto|exact A2|]. now rewrite A4.
Qed.

Lemma one_class c s n : In c frozen -> reached s -> exhausted s = false ->
  (forall x, In x (snd c) -> In x (leaves s)) ->
  lines_5_to_11 T_t l (norm_of_class c) (state_of n s) (state_of n (visit_class less oracle cfg (snd c) s)).
Proof.
  destruct c as [r ms]. cbn [snd]. intros I Hr Hx Hm.
  destruct (class_has_a_member r ms I) as (x & rest & ->).
  set (a := argmin less x rest). assert (Ha : In a (x :: rest)) by apply argmin_in.
  destruct (leaf_facts s a Hr (Hm a Ha)) as (A1 & A2 & A3 & A4 & A5 & A6).
  destruct (member_facts r _ a I Ha) as (_ & _ & _ & B1 & _ & _).
  exists (name_of (place a)). split.
  - split; [apply L_of_class; eauto|]. intros y Hy N.
    apply (L_of_class r _ y I) in Hy. destruct Hy as (z & Hz & ->).
    destruct (leaf_facts s z Hr (Hm z Hz)) as (C1 & C2 & C3 & C4 & C5 & C6).
    rewrite !f_star_of_leaf by auto. rewrite <- A6, <- C6.
    assert (Nz : z <> a) by (intros ->; now apply N).
    destruct (line_5_selects_the_least_index_among_the_least less oracle cfg order s0 l r x rest
      reached_0 I z Hz Nz) as [H1 [H2|H2]]; fold a in H1, H2; cbn [Spec.smaller_than].
    + left. exact H2.
    + right. split; [|exact H2]. unfold at_most in H1. congruence.
  - assert (Hb : Spec.below_nu_min V less (K k) d eta (name_of (place a)) (state_of n s)
      <-> below less (best a) (nu_min s) = true).
    { unfold Spec.below_nu_min. rewrite f_star_of_leaf, <- A6 by auto.
      unfold SpecExpansions.state_of. cbn [Spec.nu_min]. destruct (nu_min s); cbn; tauto. }
    cbn [Model.visit_class]. rewrite Hx. fold a.
    destruct (below less (best a) (nu_min s)) eqn:E.
    + left. split; [now apply Hb|].
      replace (expand less oracle cfg a s) with (expand less oracle cfg (node_at (place a)) s) by (now rewrite <- A5).
      apply (lines_7_to_10 less g cfg eta M order k_pos d_pos eta_pos M_nonneg den_pos cap); auto; [lia|].
      rewrite <- A6. exact E.
    + right. split; [|reflexivity]. intros H. apply Hb in H. discriminate.
Qed.

Lemma lines_4_to_12 n cs s :
  incl cs frozen -> reached s -> SearchSteps.frozen_ok (A := algorithm_one less oracle cfg) l cs s ->
  for_each (lines_5_to_11 T_t l) (map norm_of_class cs) (state_of n s) (state_of n (visit_classes less oracle cfg cs s)).
Proof.
  exact (SearchListing.for_each_class lawful budget_left state_of reached
    (reached_leaves_are_nodes less oracle cfg) (reached_steps less oracle cfg)
    budget_left_iff norm_of_class (lines_5_to_11 T_t l) l frozen n l_small (fun c s => one_class c s n) cs s).
Qed.

End Visit.

(** ** Lines 3 to 15: the visits of a sweep *)

(** Between two visits the iteration t is one more than the number of visits made. *)
Local Notation between_visits s := (state_of (S (iterations s)) s).

(** The commands of lines 4 to 14, at depth [l]. *)
Local Notation iteration := (fun l =>
  Commands.sequence (Spec.note V (Spec.Visit V l))
    (Commands.with_the (Spec.leaves_now V) (fun T_t =>
      Commands.with_the (fun _ => Spec.Gamma (K k) d eta T_t l) (fun norms =>
        Commands.sequence (for_each (lines_5_to_11 T_t l) norms) (Spec.next_t V))))).

Lemma lines_4_to_14 l s : l <= h_max cfg -> reached s -> exhausted s = false ->
  iteration l (between_visits s) (between_visits (visit less oracle cfg l s)).
Proof.
  intros Hl Hr Hx. set (s0 := begin_visit l s). set (n := S (iterations s)).
  assert (Hr0 : reached s0).
  { eapply reached_steps; [exact Hr|]. apply step_visit; auto. }
  exists (state_of n s0). split.
  { unfold Spec.note, SpecExpansions.state_of, s0. cbn [begin_visit log].
    now rewrite events_of_cons. }
  exists (Spec.T V (state_of n s0)). split; [reflexivity|].
  exists (map norm_of_class (classes l (leaves s0))). split; [now apply Gamma_of_classes|].
  exists (state_of n (visit_classes less oracle cfg (classes l (leaves s0)) s0)). split.
  - apply lines_4_to_12; auto using incl_refl. apply (SearchSteps.frozen_ok_classes lawful).
  - unfold Spec.next_t. rewrite (visit_iterations less oracle cfg); auto. now apply reached_leaves_are_nodes.
Qed.

(** ** Lines 1 to 16: sweeps *)

Lemma there_is_a_leaf s : reached s -> leaves s <> [].
Proof.
  intros Hr E.
  destruct (partition_invariant less oracle cfg s Hr (repeat 0 (S (h_max cfg)))) as (q & Hq & _).
  - apply Forall_forall. intros c Hc%repeat_spec. subst. unfold K. lia.
  - now rewrite repeat_length.
  - unfold places in Hq. now rewrite E in Hq.
Qed.

Lemma depth_is_deepest n s : reached s -> Spec.depth_of_T V (state_of n s) (deepest (leaves s)).
Proof.
  intros Hr. split.
  - destruct (deepest_is_a_depth (leaves s) (there_is_a_leaf s Hr)) as (x & Hx & E).
    destruct (leaf_facts s x Hr Hx) as (F1 & _ & F3 & _).
    exists (index k (place x)). exists (place x). split; [exact F1|].
    unfold SpecPoints.name_of. now rewrite F3, E.
  - intros h i (p & Hp & [= -> _]). apply in_map_iff in Hp. destruct Hp as (x & <- & Hx).
    destruct (leaf_facts s x Hr Hx) as (_ & _ & -> & _). now apply depth_le_deepest.
Qed.

(** The commands of lines 2 to 15. *)
Local Notation one_sweep :=
  (Commands.sequence (Spec.set_nu_min V (Spec.infinity V))
    (Commands.with_the (Spec.depth_of_T V) (fun depth =>
      Commands.sequence (Spec.note V (Spec.Sweep V (Nat.min depth (h_max cfg))))
        (for_each iteration (seq 0 (S (Nat.min depth (h_max cfg)))))))).

Lemma lines_2_to_15 s : reached s -> exhausted s = false ->
  one_sweep (between_visits s) (between_visits (sweep less oracle cfg s)).
Proof.
  intros Hr Hx. set (s1 := begin_sweep cfg s).
  assert (Hr1 : reached s1).
  { eapply reached_steps; [exact Hr|]. now apply step_sweep. }
  eexists. split; [reflexivity|]. exists (deepest (leaves s)).
  split; [exact (depth_is_deepest (S (iterations s)) s Hr)|].
  exists (between_visits s1). split.
  - unfold Spec.note, SpecExpansions.state_of, s1. cbn [begin_sweep log]. now rewrite events_of_cons.
  - exact (SearchListing.for_each_visit lawful budget_left state_of reached (reached_leaves_are_nodes less oracle cfg)
      (reached_steps less oracle cfg) budget_left_iff iteration lines_4_to_14
      (S (limit cfg s)) 0 s1 (le_n_S _ _ (limit_h_max cfg s)) Hr1).
Qed.

Lemma lines_1_to_16 : Commands.while_budget_is_left budget_left
  (fun s => Spec.nu_min V s = Spec.infinity V) one_sweep (between_visits start) (between_visits hunt).
Proof.
  unfold Model.hunt. rewrite run_for_is.
  apply (SearchListing.sweeps_while_budget_is_left lawful budget_left state_of reached
    (reached_leaves_are_nodes less oracle cfg) (reached_steps less oracle cfg) budget_left_iff)
    with (left := left cfg).
  - reflexivity.
  - exact (none_left cfg).
  - exact (left_sweep less oracle cfg k_pos).
  - intros n s _. cbn. unfold Spec.infinity. destruct (nu_min s); split; congruence.
  - exact lines_2_to_15.
  - apply steps_none.
  - unfold left. lia.
Qed.

(** ** Line 17: the answer *)

Lemma least_of_more xs (ps : list path) a : Spec.least V less xs = Some a ->
  Spec.least V less (xs ++ map sample ps)
  = Some (fold_left (fun a p => smaller less (sample p) a) ps a).
Proof.
  revert xs a. induction ps as [|p ps IH]; intros xs a E; cbn [map fold_left]; [now rewrite app_nil_r|].
  change (sample p :: map sample ps) with ([sample p] ++ map sample ps). rewrite app_assoc.
  apply IH. rewrite (least_app less order), E. reflexivity.
Qed.

Lemma answer_is_least s : reached s ->
  Spec.least V less (Spec.all_values V (events_of k (log s))) = Some (answer s).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _).
  - reflexivity.
  - intros s _ _ IH. rewrite all_values_of in *. exact IH.
  - intros l s _ _ _ IH. rewrite all_values_of in *. exact IH.
  - intros q s Hr Hx Hin Hd Hb IH. rewrite all_values_of in *.
    rewrite expand_answer, evaluations_expand, rev_app_distr, map_app, <- map_rev, rev_involutive, map_map.
    cbn [snd]. now apply least_of_more.
Qed.

(** ** The theorem *)

Hypothesis budget_pos : 1 <= budget cfg.

Local Notation run_of_algorithm_1 :=
  (Spec.run V less g (K k) d eta M (h_max cfg) (budget cfg)).

Lemma hunt_is_a_run : run_of_algorithm_1 (between_visits hunt) (answer hunt).
Proof using All.
  split; [|apply answer_is_least, run_for_reached].
  exists (Spec.State V (Spec.T V (state_of 1 start)) None 1 []). split.
  - repeat split; cbn [Spec.T].
    + intros (p & [<-|[]] & ->). reflexivity.
    + intros ->. exists []. split; [now left|reflexivity].
  - exists (between_visits start). split; [|exact lines_1_to_16].
    unfold Spec.evaluate, Spec.note, SpecExpansions.state_of. reflexivity.
Qed.

(** Claims [one-run] [alg1-input] [alg1-line-1] [alg1-line-2] [alg1-line-3] [alg1-line-4] [alg1-line-5] [alg1-line-6]
    [alg1-line-7] [alg1-line-8] [alg1-line-9] [alg1-line-10] [alg1-line-13] [alg1-line-14] [alg1-line-17].  The run of
    the model is a run of Algorithm 1 as Spec.v writes it, and the only one.  This holds for every g with values in a
    total order, all odd K >= 3, d >= 1, eta > 0, h_max and v >= 1, and every M >= 0 whose (2 M d / eta)^2 is a fraction:
    each run has the events, the leaves, the iterations and the answer of [hunt]. *)
Theorem hunt_is_algorithm_1 :
  run_of_algorithm_1 (between_visits hunt) (answer hunt) /\
  (forall s f, run_of_algorithm_1 s f ->
     SpecOneRun.same V s (between_visits hunt) /\ f = answer hunt).
Proof.
  split; [exact hunt_is_a_run|]. intros s f Hs.
  exact (SpecOneRun.algorithm_1_has_at_most_one_run V less g (K k) d eta M (h_max cfg) (budget cfg)
    (less_is_asymmetric less order) s f _ _ Hs hunt_is_a_run).
Qed.

End SpecIsModel.
