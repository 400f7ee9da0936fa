(** * The run of the model of the forest is the run of the policy forest, and the only one.

    [hunt] (Forest.v), with nothing entering between the sweeps, computes a run in the sense of SpecForest.v: the same
    events in the same order, the same leaves, the same answer.  SpecForest.v has no second run (SpecForestOneRun.v). *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order RunsTree SpecPoints Forest ForestNodes ForestSteps
  ForestLoops ForestEnds ForestRuns ForestTrees SpecForestValues SpecForestExpansions SpecForestVisits.
From EmbeddedHunter Require SearchSteps SearchSweep SearchListing Commands Spec SpecForest SpecForestOneRun.

Section SpecForestIsModel.

Context {V : Type} (less : V -> V -> bool).
Variable g : nat -> Spec.point -> V.
Variable cfg : forest_settings.
Variable trees : nat.
Variable eta : nat -> R.
Variables separate by_norm : bool.
Variable later : forest V -> path -> V.

Local Notation k := (half cfg).
Local Notation d := (dimension_of cfg).
Local Notation name := (forest_name k).
Local Notation oracle := (forest_oracle_of g cfg eta).
Local Notation queue := (queue_rule (V := V) separate trees).
Local Notation rank := (class_rule (V := V) by_norm).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation classes := (Forest.classes cfg queue rank).
Local Notation begin_visit := (@Forest.begin_visit V).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation hunt := (Forest.hunt less cfg trees oracle later nothing queue rank).
Local Notation reached := (reached less cfg trees oracle later nothing queue).
Local Notation reached_induction := (reached_induction less cfg trees oracle later nothing queue).
Local Notation reached_steps := (reached_steps less cfg trees oracle later nothing queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later nothing queue).
Local Notation forest_node := (forest_node cfg trees).
Local Notation state_of := (forest_state cfg).
Local Notation events_of := (forest_events k).
Local Notation budget_left := (SpecForest.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : forall t, 1 <= d t.
Hypothesis trees_pos : 1 <= trees.
Hypothesis eta_pos : forall t, (0 < eta t)%R.
Hypothesis norms_of_one_space : by_norm = true -> forall t, d t = d 0 /\ eta t = eta 0.

(** What the earlier files prove, of these variables. *)
Local Notation tree_of_name := (tree_of_name cfg trees k_pos trees_pos).
Local Notation base_point_of_name := (base_point_of_name cfg trees eta k_pos trees_pos).
Local Notation leaf_facts := (leaf_facts less g cfg trees eta separate later).
Local Notation all_values_of := (all_values_of cfg).
Local Notation lawful := (forest_is_lawful less cfg trees oracle later nothing queue rank).
Local Notation budget_left_iff := (budget_left_iff less g cfg trees eta separate later).
Local Notation reached_steps_of_rank := (reached_steps_of_rank less g cfg trees eta separate by_norm later).
Local Notation number_of_sweeps_is := (number_of_sweeps_is less g cfg trees eta separate later).
Local Notation label_of_class := (label_of_class cfg eta separate by_norm).
Local Notation labels_of_classes := (labels_of_classes less g cfg trees eta separate by_norm later k_pos d_pos trees_pos eta_pos norms_of_one_space).
Local Notation the_classes := (the_classes less g cfg trees eta separate by_norm later order k_pos d_pos trees_pos eta_pos norms_of_one_space).
Local Notation evaluate_child := (fun x => Commands.conditional
  (SpecForest.is_no_center V (K k) x) (SpecForest.evaluate V g (K k) d eta x)).

(** ** Rule F4: visits and sweeps *)

(** Between two visits the iteration t is one more than the number of visits made. *)
Local Notation between_visits s := (state_of (S (iterations s)) s).

Local Notation a_visit := (fun l =>
  Commands.sequence (SpecForest.note V (Spec.Visit V l))
    (Commands.with_the (SpecForest.leaves_in_range V (K k) d (turns cfg)) (fun T_t =>
      Commands.with_the (fun _ => SpecForest.labels_of (K k) d eta separate by_norm T_t l) (fun labels =>
        Commands.sequence
          (for_each (fun r =>
            Commands.with_the (SpecForest.argmin V less (K k) d eta (SpecForest.class (K k) d eta separate by_norm T_t l r))
              (fun o => Commands.conditional (SpecForest.below_nu_min V less (K k) d eta separate o)
                (Commands.with_the (SpecForest.f_star_is V (K k) d eta o) (fun f =>
                  Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate o) f)
                    (Commands.sequence (SpecForest.note V (Spec.Expand V o f))
                      (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
                        (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) o))
                          (SpecForest.add_children V (K k) o)))))))) labels)
          (SpecForest.next_t V))))).

Lemma the_visit l s : l <= h_max cfg -> reached s -> exhausted s = false ->
  a_visit l (between_visits s) (between_visits (visit l s)).
Proof.
  intros Hl Hr Hx. set (s0 := begin_visit l s). set (n := S (iterations s)).
  assert (Hr0 : reached s0).
  { eapply reached_steps; [exact Hr|]. apply steps_one, step_visit; auto. }
  exists (state_of n s0). split.
  { unfold SpecForest.note, forest_state, forest_events, s0.
    cbn [Forest.begin_visit log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past].
    rewrite map_app. reflexivity. }
  eexists. split; [reflexivity|].
  exists (map label_of_class (classes (sweeps s0) l (leaves s0))). split; [now apply labels_of_classes|].
  exists (state_of n (visit_classes (classes (sweeps s0) l (leaves s0)) s0)). split.
  - apply the_classes; auto using incl_refl.
    apply (SearchSteps.frozen_ok_classes (forest_is_lawful less cfg trees oracle later nothing queue rank)).
  - assert (E : iterations (visit l s) = S (iterations s)) by exact (SearchSweep.visit_iterations
      (forest_is_lawful less cfg trees oracle later nothing queue rank) l s Hx (reached_invariant s Hr)).
    rewrite E. reflexivity.
Qed.

Lemma there_is_a_leaf s : reached s -> leaves s <> [].
Proof.
  intros Hr E. assert (H : places s <> []); [|now unfold places in H; rewrite E in H].
  clear E. revert s Hr. refine (reached_induction _ _ _).
  - unfold places. cbn. destruct trees; [lia|easy].
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    destruct (places_expand less cfg trees oracle later queue x s (nodes_are_sound _ _ _ s Hi) Hin)
      as [[_ ->]|(_ & l1 & l2 & _ & ->)]; [exact IH|].
    intros E. apply app_eq_nil in E. destruct E as [_ E]. apply app_eq_nil in E. destruct E as [E _].
    assert (I : In (0 :: place x) (children cfg (place x))) by (apply in_children; exists 0; unfold K; split; [lia|reflexivity]).
    rewrite E in I. easy.
Qed.

Lemma depth_is_deepest n s : reached s -> SpecForest.depth_of_T V (state_of n s) (deepest (leaves s)).
Proof.
  intros Hr. split.
  - destruct (deepest_is_a_depth (leaves s) (there_is_a_leaf s Hr)) as (x & Hx & E).
    destruct (leaf_facts s x Hr Hx) as (F1 & _ & _ & F3 & _).
    exists (index k (place x)). exists (place x). split; [exact F1|]. unfold forest_name. now rewrite F3, E.
  - intros h i (p & Hp & [= -> _]). destruct (leaf_of_place s p Hp) as (x & Hx & <-).
    destruct (leaf_facts s x Hr Hx) as (_ & _ & _ & -> & _). now apply depth_le_deepest.
Qed.

Local Notation a_sweep :=
  (Commands.sequence (SpecForest.reset_nu_min V)
    (Commands.with_the (SpecForest.depth_of_T V) (fun depth =>
      Commands.sequence (SpecForest.note V (Spec.Sweep V (Nat.min depth (h_max cfg))))
        (for_each a_visit (seq 0 (S (Nat.min depth (h_max cfg)))))))).

Lemma the_sweep s : reached s -> exhausted s = false ->
  a_sweep (between_visits s) (between_visits (sweep s)).
Proof.
  intros Hr Hx. set (s1 := Forest.begin_sweep cfg s).
  assert (Hr1 : reached s1).
  { eapply reached_steps; [exact Hr|]. now apply steps_one, step_sweep. }
  exists (SpecForest.State V (SpecForest.T V (between_visits s)) (fun _ => None) (S (iterations s)) (events_of (log s))).
  split; [repeat split|]. exists (deepest (leaves s)).
  split; [exact (depth_is_deepest (S (iterations s)) s Hr)|].
  exists (between_visits s1). split.
  - unfold SpecForest.note, forest_state, forest_events, s1.
    cbn [Forest.begin_sweep log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. rewrite map_app. reflexivity.
  - exact (SearchListing.for_each_visit lawful budget_left state_of reached reached_invariant reached_steps_of_rank
      budget_left_iff a_visit the_visit (S (limit cfg s)) 0 s1 (le_n_S _ _ (limit_h_max cfg s)) Hr1).
Qed.

Lemma nothing_was_expanded n s : reached s ->
  (SpecForest.expanded_nothing V (turns cfg) (state_of n s) <-> Forest.idle cfg s = true).
Proof.
  intros Hr. unfold SpecForest.expanded_nothing, SpecForest.no_queue_has_expanded, Forest.idle.
  rewrite number_of_sweeps_is, ranges_over_all_is by exact Hr. cbn [SpecForest.nu_min forest_state].
  destruct (nu_mins s) as [|[u w] nus].
  - destruct (turn cfg (sweeps s)); split; [now intros [_ H]|easy| |]; auto.
  - split; [|easy]. intros [H _]. specialize (H u). cbn in H. now rewrite Nat.eqb_refl in H.
Qed.

Lemma the_sweeps : Commands.while_budget_is_left budget_left (SpecForest.expanded_nothing V (turns cfg)) a_sweep
  (between_visits start) (between_visits hunt).
Proof.
  unfold Forest.hunt. rewrite run_for_is.
  apply (SearchListing.sweeps_while_budget_is_left lawful budget_left state_of reached reached_invariant
    reached_steps_of_rank budget_left_iff) with (left := left cfg).
  - reflexivity.
  - exact (none_left cfg).
  - exact (left_sweep less cfg trees oracle later nothing queue rank k_pos).
  - exact nothing_was_expanded.
  - exact the_sweep.
  - apply steps_none.
  - apply left_start.
Qed.

(** ** Rule F8: the answer *)

Lemma least_of_more xs (es : list (path * nat * V)) a : Spec.least V less xs = Some a ->
  Spec.least V less (xs ++ map snd (rev es)) = Some (fold_right (fun e a => smaller less (snd e) a) a es).
Proof.
  intros E. induction es as [|e es IH]; cbn [rev map fold_right]; [now rewrite app_nil_r|].
  rewrite map_app, app_assoc. cbn [map]. rewrite (least_app less order), IH. reflexivity.
Qed.

Lemma answer_is_least s : reached s ->
  Spec.least V less (Spec.all_values V (events_of (log s))) = Some (answer s).
Proof.
  revert s. refine (reached_induction _ _ _).
  - reflexivity.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]];
      rewrite all_values_of in *; [exact IH|exact IH|].
    destruct (leaf_facts s x Hr Hin) as (_ & _ & F2 & _).
    destruct (expand_log less cfg trees oracle later queue x s F2) as (new & -> & _ & _ & _ & ->).
    rewrite evaluations_app. cbn [evaluations]. rewrite rev_app_distr, map_app. now apply least_of_more.
Qed.

(** ** The theorem *)

Hypothesis budget_pos : 1 <= budget cfg.

Local Notation run_of_the_forest :=
  (SpecForest.run V less g (K k) d trees eta (h_max cfg) (budget cfg) (turns cfg) separate by_norm).

Lemma hunt_is_a_run : run_of_the_forest (between_visits hunt) (answer hunt).
Proof.
  split; [|apply answer_is_least, run_for_reached].
  exists (SpecForest.State V (SpecForest.T V (state_of 1 start)) (fun _ => None) 1 []). split.
  - split; [|repeat split]. intros [h i]. cbn [SpecForest.T forest_state]. unfold places. cbn [leaves Forest.start].
    rewrite map_map. cbn [place Forest.new_leaf fst snd]. split.
    + intros (p & Hp & E). apply in_map_iff in Hp. destruct Hp as (t & <- & Ht%in_seq).
      unfold forest_name in E. cbn [inner removelast length index] in E. injection E as -> ->. lia.
    + intros [-> Hi]. exists [i]. split; [apply in_map_iff; exists i; split; [reflexivity|apply in_seq; lia]|].
      unfold forest_name. cbn [inner removelast length index]. f_equal. lia.
  - exists (between_visits start). split; [|exact the_sweeps].
    assert (H0 : forest_node [0]) by (repeat split; [easy|exact trees_pos|constructor]).
    unfold SpecForest.evaluate, SpecForest.note, SpecForest.matrix_of.
    replace (0, 0) with (name [0]) by (unfold forest_name; cbn; f_equal; lia).
    rewrite tree_of_name, base_point_of_name by exact H0. reflexivity.
Qed.

(** Claim [forest-rules].  The run of the model of the forest, nothing entering between the sweeps, is a run of the policy
    forest as SpecForest.v writes it, and the only one.  This holds for every g with values in a total order, all odd K >= 3, P >= 1, h_max and v >= 1,
    dimensions d >= 1 and eta > 0 of each tree, dimensions that have sweeps of their own, with the zero vector in a queue of its own or not, with one class for each depth, and, if
    all trees have the same d and eta, with one class for each norm: each run has the events, the leaves, the iterations and the answer of [hunt]. *)
Theorem hunt_is_the_policy_forest :
  run_of_the_forest (between_visits hunt) (answer hunt) /\
  (forall s f, run_of_the_forest s f ->
     SpecForestOneRun.same V s (between_visits hunt) /\ f = answer hunt).
Proof.
  split; [exact hunt_is_a_run|]. intros s f Hs.
  exact (SpecForestOneRun.the_policy_forest_has_at_most_one_run V less g (K k) d trees eta (h_max cfg) (budget cfg)
    (turns cfg) separate by_norm (less_is_asymmetric less order) s f _ _ Hs hunt_is_a_run).
Qed.

End SpecForestIsModel.
