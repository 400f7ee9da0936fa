(** * Every oracle of the forest's model is a function g of matrices and base points.

    [hunt_is_the_policy_forest] is about the oracles that a function g of matrix numbers and real base points gives.  The
    model takes any oracle, a function of trees and nodes; a run sees no difference. *)

From Coq Require Import Reals.
From EmbeddedHunter Require Import SpecPoints SpecOracles ForestContext ForestNodes ForestSteps ForestTrees ForestOutside SpecForestValues
  SpecForestIsModel.
From EmbeddedHunter Require Spec SpecForest SpecForestOneRun.

Section TwoOracles.

Context {V : Type} {F : rules V} (oracle' : nat -> path -> V).

Hypothesis nothing_enters : arrivals = nothing.

(** The two agree at every node that may be evaluated. *)
Hypothesis the_same_values : forall t p, t < trees -> node k p -> length p <= S (h_max cfg) -> birth k p = p ->
  oracle t p = oracle' t p.

(** A leaf that may be expanded. *)
Definition in_reach (x : leaf V) : Prop := forest_node (place x) /\ level_of (place x) <= h_max cfg.

Lemma same_children digits x s : in_reach x -> (forall c, In c digits -> c < K k) ->
  make_children digits x s = Forest.make_children less cfg trees oracle' later digits x s.
Proof.
  intros [Hx Hl]. pose proof Hx as (Hp & Ht & Hn). revert s.
  induction digits as [|c digits IH]; intros s Hd; cbn [Forest.make_children]; [reflexivity|].
  assert (Hd' : forall c', In c' digits -> c' < K k) by (intros c' H; apply Hd; now right).
  destruct (c =? k) eqn:Ec; [now rewrite IH|]. destruct (exhausted s); [reflexivity|].
  assert (E : sample (c :: place x) s = Forest.sample trees oracle' later (c :: place x) s).
  { unfold Forest.sample. rewrite tree_of_child, inner_child by exact Hp. rewrite (proj2 (Nat.ltb_lt _ _) Ht).
    apply the_same_values; auto.
    - constructor; [apply Hd; now left|exact Hn].
    - unfold level_of in Hl. cbn [length]. lia.
    - cbn [birth]. now rewrite Ec. }
  unfold Forest.evaluate. now rewrite E, IH.
Qed.

Lemma same_expansion x s : in_reach x -> expand x s = Forest.expand less cfg trees oracle' later queue x s.
Proof. intros Hx. unfold Forest.expand. rewrite same_children; [reflexivity|exact Hx|]. intros c Hc%in_seq. lia. Qed.

Lemma same_classes cs s : (forall r ms x, In (r, ms) cs -> In x ms -> in_reach x) ->
  visit_classes cs s = Forest.visit_classes less cfg trees oracle' later queue cs s.
Proof.
  revert s. induction cs as [|[r ms] cs IH]; intros s Hm; cbn [Forest.visit_classes]; [reflexivity|].
  assert (E : visit_class (fst r) ms s = Forest.visit_class less cfg trees oracle' later queue (fst r) ms s).
  { destruct ms as [|x ms]; cbn [Forest.visit_class]; [reflexivity|]. rewrite same_expansion; [reflexivity|].
    apply (Hm r (x :: ms)); [now left|apply argmin_in]. }
  rewrite E. apply IH. intros r' ms' x Hi. apply (Hm r' ms'). now right.
Qed.

Lemma leaves_in_reach s x l : reached s -> In x (leaves s) -> depth x = l -> l <= h_max cfg -> in_reach x.
Proof.
  intros Hr Hx Hd Hl. split; [|rewrite <- (sound_depth s); [lia|now apply leaf_is_sound, Hx; apply reached_invariant]].
  apply (leaf_is_a_forest_node) with (s := s); auto. intros s0 a. rewrite nothing_enters. intros [].
Qed.

Lemma same_visits n l s : reached s -> n + l <= S (h_max cfg) ->
  visits n l s = Forest.visits less cfg trees oracle' later queue rank n l s /\ reached (visits n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s Hr Hl; cbn [Forest.visits]; [now split|].
  destruct (exhausted s) eqn:Hx; [now split|].
  assert (E : visit l s = Forest.visit less cfg trees oracle' later queue rank l s).
  { apply same_classes. intros r ms x Hi Hm.
    destruct (classes_hold_only_their_leaves (sweeps s) l (leaves s) r ms Hi) as [_ H]. destruct (H x Hm) as (H1 & H2 & _).
    apply (leaves_in_reach s x l Hr H1 H2). lia. }
  rewrite <- E. apply IH; [|lia]. apply (reached_steps s); [exact Hr|]. apply visit_steps; auto. lia.
Qed.

Lemma same_runs n s : reached s -> run_for n s = Forest.run_for less cfg trees oracle' later arrivals queue rank n s.
Proof.
  revert s. induction n as [|n IH]; intros s Hr; [reflexivity|]. cbn [Forest.run_for].
  destruct (exhausted s) eqn:Hx; [reflexivity|].
  assert (R : forall o, Forest.round less cfg trees o later arrivals queue rank s = Forest.sweep less cfg trees o later queue rank s)
    by (intros o; unfold Forest.round; rewrite nothing_enters; cbn [nothing Forest.enter]; now rewrite Hx).
  cbv zeta. rewrite !R. unfold Forest.sweep.
  destruct (same_visits (S (limit s)) 0 (begin_sweep s) (reached_steps _ _ Hr (step_sweep s Hx))) as [E H]; [unfold Forest.limit; lia|].
  rewrite <- E. destruct (idle _); [reflexivity|]. now apply IH.
Qed.

Lemma same_hunts : 1 <= trees -> hunt = Forest.hunt less cfg trees oracle' later arrivals queue rank.
Proof.
  intros Ht. unfold Forest.hunt. rewrite same_runs by apply steps_none. f_equal. unfold Forest.start.
  rewrite (the_same_values 0 []); [reflexivity|lia|constructor|cbn; lia|reflexivity].
Qed.

End TwoOracles.

(** Claim [forest-rules].  For every oracle of the model of the forest and all its settings (K >= 3, P, v >= 1, dimensions d >= 1 and eta > 0 of each tree; of all trees the same, if classes are those of equal norm) there is a
    g with the same values, and the run of the model, nothing entering between the sweeps, is the only run of the policy
    forest with it. *)
Theorem every_run_of_the_forest_is_the_run_of_the_policy_forest {V : Type} (less : V -> V -> bool) (oracle : nat -> path -> V)
  (cfg : forest_settings) (trees : nat) (eta : nat -> R) (separate by_norm : bool) (later : forest V -> path -> V) :
  total_order less -> 1 <= half cfg -> (forall t, 1 <= dimension_of cfg t) -> 1 <= trees -> (forall t, 0 < eta t)%R ->
  (by_norm = true -> forall t, dimension_of cfg t = dimension_of cfg 0 /\ eta t = eta 0) -> 1 <= budget cfg ->
  let s := Forest.hunt less cfg trees oracle later nothing (queue_rule separate trees) (class_rule by_norm) in
  exists g : nat -> Spec.point -> V,
    (forall t p, node (half cfg) p -> length p <= S (h_max cfg) ->
       g (S t) (point_of (half cfg) (dimension_of cfg t) (eta t) p) = oracle t (birth (half cfg) p)) /\
    SpecForest.run V less g (K (half cfg)) (dimension_of cfg) trees eta (h_max cfg) (budget cfg) (turns cfg) separate by_norm
      (forest_state cfg (S (iterations s)) s) (answer s) /\
    (forall s' f, SpecForest.run V less g (K (half cfg)) (dimension_of cfg) trees eta (h_max cfg) (budget cfg) (turns cfg) separate by_norm
       s' f -> SpecForestOneRun.same V s' (forest_state cfg (S (iterations s)) s) /\ f = answer s).
Proof.
  intros order Hk Hd Ht He Hn Hv s.
  set (g := fun (p : nat) (y : Spec.point) => g_of (fun q _ => oracle (pred p) q) (tree_settings cfg (pred p)) (eta (pred p)) y 1).
  assert (Hg : forall t p, node (half cfg) p -> length p <= S (h_max cfg) ->
    g (S t) (point_of (half cfg) (dimension_of cfg t) (eta t) p) = oracle t (birth (half cfg) p)).
  { intros t p Hp Hl. unfold g. cbn [pred].
    apply (g_of_point_of (fun q _ => oracle t q) (tree_settings cfg t) (eta t) (Hd t) (He t)); assumption. }
  exists g. split; [exact Hg|].
  assert (E : s = Forest.hunt less cfg trees (forest_oracle_of g cfg eta) later nothing (queue_rule separate trees)
    (class_rule by_norm)).
  { apply (same_hunts (F := Rules less cfg trees oracle later nothing (queue_rule separate trees) (class_rule by_norm)));
      [reflexivity| |exact Ht]. intros t p _ Hp Hl Hb. with_given_rules.
    unfold forest_oracle_of. rewrite Hg by assumption. now rewrite Hb. }
  rewrite E. exact (hunt_is_the_policy_forest less g cfg trees eta separate by_norm later order Hk Hd Ht He Hn Hv).
Qed.
