(** * The run of the model of the forest is the run of the policy forest, and the only one.

    [hunt] (Forest.v), with nothing entering between the sweeps, computes a run in the sense of SpecForest.v: the same
    events in the same order, the same leaves, the same answer.  SpecForest.v has no second run (SpecForestOneRun.v). *)

From Coq Require Import Reals.
From EmbeddedHunter Require Import RunsTree SpecPoints ForestContext ForestNodes ForestSteps ForestEnds ForestRuns ForestTrees
  SpecForestValues SpecForestExpansions SpecForestVisits.
From EmbeddedHunter Require SearchSteps SearchSweep SearchListing Commands Spec SpecForest SpecForestOneRun.

Section SpecForestIsModel.

Context {V : Type} {F : rules V} {g : nat -> Spec.point -> V} {eta : nat -> R} {separate by_norm : bool}.
Context {spec : follows g eta separate by_norm}.

(** ** Rule F4: visits and sweeps *)

(** Between two visits the iteration t is one more than the number of visits made. *)
Local Notation between_visits s := (state_of (S (iterations s)) s).

Lemma the_visit l s : l <= h_max cfg -> reached s -> exhausted s = false ->
  depth_visit g eta separate by_norm l (between_visits s) (between_visits (visit l s)).
Proof.
  intros Hl Hr Hx. set (s0 := begin_visit l s). set (n := S (iterations s)).
  pose proof (reached_steps _ _ Hr (step_visit l s Hx Hl)) as Hr0. fold s0 in Hr0.
  exists (state_of n s0). split.
  { unfold SpecForest.note, forest_state, forest_events, s0.
    cbn [Forest.begin_visit log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past].
    rewrite map_app. reflexivity. }
  eexists. split; [reflexivity|].
  exists (map (@label_of_class V F eta separate by_norm) (classes (sweeps s0) l (leaves s0))). split; [now apply labels_of_classes|].
  exists (state_of n (visit_classes (classes (sweeps s0) l (leaves s0)) s0)). split.
  - apply the_classes; auto using incl_refl. exact (SearchSteps.frozen_ok_classes lawful l s).
  - assert (E : iterations (visit l s) = S (iterations s))
      by exact (SearchSweep.visit_iterations lawful l s Hx (reached_invariant s Hr)).
    rewrite E. reflexivity.
Qed.

Lemma there_is_a_leaf s : reached s -> leaves s <> [].
Proof.
  intros Hr E. assert (H : places s <> []); [|now unfold places in H; rewrite E in H].
  clear E. revert s Hr. along_the_run.
  - rewrite root_places. pose proof trees_pos. destruct trees; [lia|easy].
  - destruct (places_expand x s Hp Hin) as [[_ ->]|(_ & l1 & l2 & _ & ->)]; [exact IH|].
    assert (I : In (0 :: place x) (children (place x))) by (apply in_children; exists 0; unfold K; split; [lia|reflexivity]).
    intros [_ [E _]%app_eq_nil]%app_eq_nil. now rewrite E in I.
  - destruct Ha as (s0 & Ha). rewrite nothing_enters in Ha. easy.
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

Lemma the_sweep s : reached s -> exhausted s = false ->
  one_sweep g eta separate by_norm (between_visits s) (between_visits (sweep s)).
Proof.
  intros Hr Hx. set (s1 := begin_sweep s). pose proof (reached_steps _ _ Hr (step_sweep s Hx)) as Hr1. fold s1 in Hr1.
  exists (SpecForest.State V (SpecForest.T V (between_visits s)) (fun _ => None) (S (iterations s)) (events_of (log s))).
  split; [repeat split|]. exists (deepest (leaves s)).
  split; [exact (depth_is_deepest (S (iterations s)) s Hr)|].
  exists (between_visits s1). split.
  - unfold SpecForest.note, forest_state, forest_events, s1.
    cbn [Forest.begin_sweep log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. rewrite map_app. reflexivity.
  - exact (SearchListing.for_each_visit lawful (budget_left V) state_of reached reached_invariant reached_steps
      budget_left_iff (depth_visit g eta separate by_norm) the_visit (S (limit s)) 0 s1 (le_n_S _ _ (limit_h_max s)) Hr1).
Qed.

Lemma nothing_was_expanded n s : reached s ->
  (SpecForest.expanded_nothing V (turns cfg) (state_of n s) <-> idle s = true).
Proof.
  intros Hr. unfold SpecForest.expanded_nothing, SpecForest.no_queue_has_expanded, Forest.idle.
  rewrite number_of_sweeps_is, ranges_over_all_is by exact Hr. cbn [SpecForest.nu_min forest_state].
  destruct (nu_mins s) as [|[u w] nus].
  - destruct (turn cfg (sweeps s)); split; [now intros [_ H]|easy| |]; auto.
  - split; [|easy]. intros [H _]. specialize (H u). cbn in H. now rewrite Nat.eqb_refl in H.
Qed.

Lemma the_sweeps : Commands.while_budget_is_left (budget_left V) (SpecForest.expanded_nothing V (turns cfg))
  (one_sweep g eta separate by_norm) (between_visits start) (between_visits hunt).
Proof.
  unfold Forest.hunt. rewrite run_for_is.
  apply (SearchListing.sweeps_while_budget_is_left lawful (budget_left V) state_of reached reached_invariant
    reached_steps budget_left_iff) with (left := left).
  - intros s. cbn. now rewrite nothing_enters.
  - exact none_left.
  - exact (left_sweep k_pos).
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
  intros Hr. rewrite all_values_of. revert s Hr. along_the_run; [reflexivity| |].
  - destruct (expand_log x s Hp) as (new & -> & _ & _ & _ & ->).
    rewrite evaluations_app. cbn [evaluations]. rewrite rev_app_distr, map_app. now apply least_of_more.
  - destruct Ha as (s0 & Ha). rewrite nothing_enters in Ha. easy.
Qed.

(** ** The theorem *)

Local Notation run_of_the_forest :=
  (SpecForest.run V less g (K k) d trees eta (h_max cfg) (budget cfg) (turns cfg) separate by_norm).

Lemma hunt_is_a_run : run_of_the_forest (between_visits hunt) (answer hunt).
Proof.
  split; [|apply answer_is_least, run_for_reached].
  exists (SpecForest.State V (SpecForest.T V (state_of 1 start)) (fun _ => None) 1 []). split.
  - split; [|repeat split]. intros [h i]. cbn [SpecForest.T forest_state]. rewrite root_places. cbn [fst snd]. split.
    + intros (p & Hp & E). apply in_map_iff in Hp. destruct Hp as (t & <- & Ht%in_seq).
      unfold forest_name in E. cbn [inner removelast length index] in E. injection E as -> ->. lia.
    + intros [-> Hi]. exists [i]. split; [apply in_map_iff; exists i; split; [reflexivity|apply in_seq; lia]|].
      unfold forest_name. cbn [inner removelast length index]. f_equal. lia.
  - exists (between_visits start). split; [|exact the_sweeps].
    assert (H0 : forest_node [0]) by (repeat split; [easy|exact trees_pos|constructor]).
    unfold SpecForest.evaluate, SpecForest.note, SpecForest.matrix_of.
    replace (0, 0) with (name [0]) by (unfold forest_name; cbn; f_equal; lia).
    rewrite tree_of_name, base_point_of_name by exact H0. unfold Forest.start. rewrite oracle_of_g. reflexivity.
Qed.

End SpecForestIsModel.

(** Claim [forest-rules].  The run of the model of the forest, nothing entering between the sweeps, is a run of the policy
    forest as SpecForest.v writes it, and the only one.  This holds for every g with values in a total order, all odd K >= 3, P >= 1, h_max and v >= 1,
    dimensions d >= 1 and eta > 0 of each tree, dimensions that have sweeps of their own, with the zero vector in a queue of its own or not, with one class for each depth, and, if
    all trees have the same d and eta, with one class for each norm: each run has the events, the leaves, the iterations and the answer of [hunt]. *)
Theorem hunt_is_the_policy_forest {V : Type} (less : V -> V -> bool) (g : nat -> Spec.point -> V) (cfg : forest_settings)
  (trees : nat) (eta : nat -> R) (separate by_norm : bool) (later : forest V -> path -> V) :
  total_order less -> 1 <= half cfg -> (forall t, 1 <= dimension_of cfg t) -> 1 <= trees -> (forall t, (0 < eta t)%R) ->
  (by_norm = true -> forall t, dimension_of cfg t = dimension_of cfg 0 /\ eta t = eta 0) -> 1 <= budget cfg ->
  let run := SpecForest.run V less g (K (half cfg)) (dimension_of cfg) trees eta (h_max cfg) (budget cfg) (turns cfg) separate by_norm in
  let hunt := Forest.hunt less cfg trees (forest_oracle_of g cfg eta) later nothing (queue_rule separate trees) (class_rule by_norm) in
  let last := forest_state cfg (S (iterations hunt)) hunt in
  run last (answer hunt) /\ (forall s f, run s f -> SpecForestOneRun.same V s last /\ f = answer hunt).
Proof.
  intros order k_pos d_pos trees_pos eta_pos norms _ run hunt last.
  pose (F := Rules less cfg trees (forest_oracle_of g cfg eta) later nothing (queue_rule separate trees) (class_rule by_norm)).
  assert (spec : follows (F := F) g eta separate by_norm) by now split.
  assert (H : run last (answer hunt)) by exact (hunt_is_a_run (F := F)).
  split; [exact H|]. intros s f Hs.
  exact (SpecForestOneRun.the_policy_forest_has_at_most_one_run V less g (K (half cfg)) (dimension_of cfg) trees eta (h_max cfg)
    (budget cfg) (turns cfg) separate by_norm (less_is_asymmetric less order) s f _ _ Hs H).
Qed.
