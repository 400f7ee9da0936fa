(** * The run of the model is the run of Algorithm 1, and the only one.

    [hunt] (Model.v) computes a run of Algorithm 1 in the sense of Spec.v: the same events in the same
    order, the same leaves, the same answer.  Spec.v has no second run (SpecOneRun.v).  So whoever has
    read Spec.v knows what [hunt] computes without reading Model.v or Lattice.v. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Order RunsTree RunsEvaluations Sweep RunsEnd SweepCosts
  SpecPoints SpecValues SpecVisits.
From EmbeddedHunter Require SearchSteps SearchListing Commands Spec SpecOneRun.

Section SpecIsModel.

Context {V : Type} (less : V -> V -> bool).
Variable g : Spec.point -> nat -> V.
Variable cfg : settings.
Variables eta M : R.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation oracle := (oracle_of g cfg eta).
Local Notation exhausted := (exhausted cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation visit_classes := (visit_classes less oracle cfg).
Local Notation visit := (visit less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation start := (start oracle cfg).
Local Notation hunt := (hunt less oracle cfg).
Local Notation reached := (reached less oracle cfg).
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

(** What the earlier files prove, of these variables. *)
Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).
Local Notation norm_of_class := (norm_of_class cfg eta).
Local Notation leaf_facts := (leaf_facts less g cfg eta).
Local Notation Gamma_of_classes := (Gamma_of_classes less g cfg eta d_pos eta_pos den_pos).
Local Notation lines_4_to_12 := (lines_4_to_12 less g cfg eta M order k_pos d_pos eta_pos M_nonneg den_pos cap).
Local Notation evaluate_child := (fun x => Commands.conditional
  (Spec.within_cap V (K k) d eta M x) (Spec.evaluate V g (K k) d eta x)).

(** ** Lines 3 to 15: the visits of a sweep *)

(** Between two visits the iteration t is one more than the number of visits made. *)
Local Notation between_visits s := (state_of (S (iterations s)) s).

(** The commands of lines 4 to 14, at depth [l]. *)
Local Notation iteration := (fun l =>
  Commands.sequence (Spec.note V (Spec.Visit V l))
    (Commands.with_the (Spec.leaves_now V) (fun T_t =>
      Commands.with_the (fun _ => Spec.Gamma (K k) d eta T_t l) (fun norms =>
        Commands.sequence
          (for_each (fun r =>
            Commands.with_the (Spec.argmin V less (K k) d eta (Spec.L (K k) d eta T_t l r)) (fun o =>
              Commands.conditional (Spec.below_nu_min V less (K k) d eta o)
                (Commands.with_the (Spec.f_star_is V less (K k) d eta o) (fun f =>
                  Commands.sequence (Spec.set_nu_min V f)
                    (Commands.sequence (Spec.note V (Spec.Expand V o f))
                      (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
                        (Commands.conditional
                          (Spec.all_have_values V less (K k) d eta (Spec.children (K k) o))
                          (Spec.add_children V (K k) o)))))))) norms)
          (Spec.next_t V))))).

Lemma lines_4_to_14 l s : l <= h_max cfg -> reached s -> exhausted s = false ->
  iteration l (between_visits s) (between_visits (visit l s)).
Proof.
  intros Hl Hr Hx. set (s0 := begin_visit l s). set (n := S (iterations s)).
  assert (Hr0 : reached s0).
  { eapply reached_steps; [exact Hr|]. apply step_visit; auto. }
  exists (state_of n s0). split.
  { unfold Spec.note, SpecValues.state_of, s0. cbn [begin_visit log].
    now rewrite events_of_cons. }
  exists (Spec.T V (state_of n s0)). split; [reflexivity|].
  exists (map norm_of_class (classes l (leaves s0))). split; [now apply Gamma_of_classes|].
  exists (state_of n (visit_classes (classes l (leaves s0)) s0)). split.
  - apply lines_4_to_12; auto using incl_refl. apply (SearchSteps.frozen_ok_classes (algorithm_one_is_lawful less oracle cfg)).
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
  one_sweep (between_visits s) (between_visits (sweep s)).
Proof.
  intros Hr Hx. set (s1 := begin_sweep cfg s).
  assert (Hr1 : reached s1).
  { eapply reached_steps; [exact Hr|]. now apply step_sweep. }
  eexists. split; [reflexivity|]. exists (deepest (leaves s)).
  split; [exact (depth_is_deepest (S (iterations s)) s Hr)|].
  exists (between_visits s1). split.
  - unfold Spec.note, SpecValues.state_of, s1. cbn [begin_sweep log]. now rewrite events_of_cons.
  - exact (SearchListing.for_each_visit lawful budget_left state_of reached (reached_leaves_are_nodes less oracle cfg)
      (reached_steps less oracle cfg) (budget_left_iff less g cfg eta) iteration lines_4_to_14
      (S (limit cfg s)) 0 s1 (le_n_S _ _ (limit_h_max cfg s)) Hr1).
Qed.

Lemma lines_1_to_16 : Commands.while_budget_is_left budget_left
  (fun s => Spec.nu_min V s = Spec.infinity V) one_sweep (between_visits start) (between_visits hunt).
Proof.
  unfold Model.hunt. rewrite run_for_is.
  apply (SearchListing.sweeps_while_budget_is_left lawful budget_left state_of reached
    (reached_leaves_are_nodes less oracle cfg) (reached_steps less oracle cfg) (budget_left_iff less g cfg eta))
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
    unfold Spec.evaluate, Spec.note, SpecValues.state_of. reflexivity.
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
