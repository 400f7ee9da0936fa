(** * Algorithm 1 is a search: its runs are sequences of steps.

    A sweep begins, a visit begins, or a leaf is expanded.  Whatever these three
    preserve holds for every state of every run: that is how the theorems of
    Runs*.v are proved.  [algorithm_one] is Algorithm 1 as an instance of Search.v;
    the lemmas about the loops are those of SearchSteps.v. *)

From EmbeddedHunter Require Export Classes.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order.
From EmbeddedHunter Require Search SearchSteps.

Section Steps.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation begin_sweep := (begin_sweep cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).
Local Notation start := (start oracle cfg).

(** ** Leaves are nodes *)

(** Every leaf holds what [node_at] says. *)
Definition leaves_are_nodes (s : state V) : Prop :=
  forall x, In x (leaves s) -> x = node_at (place x).

(** The paths of the leaves, left to right. *)
Definition places (s : state V) : list path := map place (leaves s).

Lemma in_places s q : leaves_are_nodes s -> (In q (places s) <-> In (node_at q) (leaves s)).
Proof.
  intros H. unfold places. rewrite in_map_iff. split.
  - intros (x & <- & Hx). now rewrite <- (H x Hx).
  - intros Hx. exists (node_at q). split; [apply place_node_at|exact Hx].
Qed.

Lemma leaves_are_nodes_start : leaves_are_nodes start.
Proof. intros x [<-|[]]. reflexivity. Qed.

Lemma leaves_are_nodes_expand q s :
  leaves_are_nodes s -> leaves_are_nodes (expand (node_at q) s).
Proof.
  intros H x. rewrite expand_leaves. destruct (affordable less oracle cfg q s); [|apply H].
  intros [Hx|Hx]%in_replace_leaf; [|now apply H].
  apply in_map_iff in Hx. destruct Hx as (p & <- & _). now rewrite place_node_at.
Qed.

(** ** The instance *)

Definition algorithm_one : Search.search := {|
  Search.value := V; Search.less := less;
  Search.node := path; Search.leaf := leaf V; Search.place := place; Search.depth := depth; Search.best := best;
  Search.children := children cfg; Search.least := argmin less;
  Search.class := Z; Search.class_of := norm; Search.same := Z.eqb; Search.earlier := fun a b => (b <? a)%Z;
  Search.queue := unit; Search.queue_of := fun _ => tt;
  Search.state := state V; Search.event := event V; Search.leaves := leaves; Search.nu := fun _ => nu_min;
  Search.made := made; Search.iterations := iterations; Search.log := log;
  Search.mark := fun x => Expand (place x) (best x); Search.expanded := expanded;
  Search.budget := budget cfg; Search.h_max := h_max cfg; Search.limit := limit cfg; Search.ranges := fun _ _ => true;
  Search.begin_sweep := begin_sweep; Search.begin_visit := begin_visit; Search.expand := expand;
  Search.allowed := fun s x => x = node_at (place x) /\ below less (best x) (nu_min s) = true;
  Search.enter := fun s => s; Search.outside := fun _ _ => False;
  Search.idle := fun s => match nu_min s with None => true | Some _ => false end
|}.

Lemma algorithm_one_is_lawful : Search.lawful algorithm_one leaves_are_nodes.
Proof.
  assert (Hnode : forall (s : state V) x, leaves_are_nodes s -> In x (leaves s) -> exists q, x = node_at q) by eauto.
  split; cbn; try reflexivity; try easy; auto.
  - apply larger_first.
  - apply argmin_in.
  - intros s. unfold limit. lia.
  - intros s x Hx. pose proof (depth_le_deepest _ _ Hx). unfold limit. lia.
  - intros s b Hb. pose proof (deepest_at_most (leaves s) b Hb). unfold limit. lia.
  - apply expanded_app.
  - intros s. eexists. split; reflexivity.
  - intros l s. eexists. split; reflexivity.
  - intros x s Hi Hin. destruct (Hnode s x Hi Hin) as (q & ->). apply expand_iterations.
  - intros [] x s Hi Hin. left. split; [reflexivity|]. destruct (Hnode s x Hi Hin) as (q & ->). apply expand_nu.
  - intros x s Hi Hin. destruct (Hnode s x Hi Hin) as (q & ->). rewrite expand_log, place_node_at.
    eexists. split; [reflexivity|]. rewrite <- (app_nil_r (rev _)). apply expanded_evaluations.
  - intros x s Hi Hx Hin. destruct (Hnode s x Hi Hin) as (q & ->). rewrite expand_leaves, place_node_at.
    destruct (affordable less oracle cfg q s) eqn:Ea; [right|left].
    + destruct (replace_leaf_split q (map node_at (children cfg q)) (leaves s)) as (l1 & y & l2 & E1 & E2 & E3).
      { apply in_map_iff. exists (node_at q). split; [apply place_node_at|exact Hin]. }
      assert (y = node_at q) as ->.
      { rewrite (Hi y), E2; [reflexivity|]. rewrite E1. apply in_or_app. right. now left. }
      exists l1, (map node_at (children cfg q)), l2. repeat split; auto.
      * rewrite map_map. erewrite map_ext; [apply map_id|]. intros p. apply place_node_at.
      * intros y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp). apply in_children in Hp.
        destruct Hp as (c & _ & ->). now rewrite !depth_node_at.
    + split; [reflexivity|]. change (exhausted (expand (node_at q) s) = true).
      apply exhausted_left. rewrite expand_made, (performed_cut _ _ _ _ _ Ea). lia.
  - intros s. now destruct (nu_min s).
  - intros s. apply Search.steps_none.
  - intros x s _ Hin Hi. destruct (Hnode s x Hi Hin) as (q & ->). now apply leaves_are_nodes_expand.
Qed.

(** ** The steps *)

Definition steps : state V -> state V -> Prop := @Search.steps algorithm_one.

(** The states of a run. *)
Definition reached (s : state V) : Prop := steps start s.

(** The steps inside one sweep, or one visit: no sweep begins, and nothing below
    depth [lim] is visited or expanded. *)
Definition moves : nat -> state V -> state V -> Prop := @Search.moves algorithm_one.

Lemma steps_none s : steps s s.
Proof. apply Search.steps_none. Qed.

Lemma steps_trans s s1 s2 : steps s s1 -> steps s1 s2 -> steps s s2.
Proof. apply SearchSteps.steps_trans. Qed.

Lemma moves_steps lim s s' : lim <= h_max cfg -> moves lim s s' -> steps s s'.
Proof. apply (SearchSteps.moves_steps (A := algorithm_one)). Qed.

Lemma step_sweep s : exhausted s = false -> steps s (begin_sweep s).
Proof. intros H. now apply SearchSteps.steps_one, (Search.step_sweep (A := algorithm_one)). Qed.

Lemma step_visit l s : exhausted s = false -> l <= h_max cfg -> steps s (begin_visit l s).
Proof. intros H Hl. now apply SearchSteps.steps_one, (Search.step_visit (A := algorithm_one)). Qed.

Lemma step_expand q s :
  exhausted s = false -> In (node_at q) (leaves s) -> length q <= h_max cfg ->
  below less (value less oracle cfg q) (nu_min s) = true -> steps s (expand (node_at q) s).
Proof.
  intros Hx Hin Hl Hb. apply SearchSteps.steps_one, (Search.step_expand (A := algorithm_one)); auto.
  - cbn. now rewrite depth_node_at.
  - cbn. now rewrite place_node_at.
Qed.

Lemma leaves_are_nodes_steps s s' : leaves_are_nodes s -> steps s s' -> leaves_are_nodes s'.
Proof. intros Hn H. exact (SearchSteps.steps_hold algorithm_one_is_lawful _ _ H Hn). Qed.

Lemma leaves_are_nodes_moves lim s s' : leaves_are_nodes s -> moves lim s s' -> leaves_are_nodes s'.
Proof. intros Hn H. exact (SearchSteps.moves_hold algorithm_one_is_lawful _ _ _ H Hn). Qed.

Lemma reached_leaves_are_nodes s : reached s -> leaves_are_nodes s.
Proof. apply leaves_are_nodes_steps, leaves_are_nodes_start. Qed.

Lemma reached_steps s s' : reached s -> steps s s' -> reached s'.
Proof. apply steps_trans. Qed.

Lemma steps_induction (s0 : state V) (P : state V -> Prop) :
  P s0 ->
  (forall s, exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, exhausted s = false -> P s -> P (begin_visit l s)) ->
  (forall q s, exhausted s = false -> P s -> P (expand (node_at q) s)) ->
  forall s, steps s0 s -> P s.
Proof.
  intros H0 H1 H2 H3 s Hs. induction Hs as [|s s1 s2 _ IH Hstep]; [easy|].
  specialize (IH H0). destruct Hstep as [s1 Hx|l s1 Hx _|x s1 Hx _ _ [E _]|? ? _ []]; cbn;
    [now apply H1|now apply H2|]. rewrite E. now apply H3.
Qed.

Lemma log_grows s s' : steps s s' -> exists newer, log s' = newer ++ log s.
Proof.
  revert s'. refine (steps_induction s _ _ _ _ _); [now exists []| | |]; cbn.
  - intros s1 _ (newer & ->). eexists. now rewrite app_comm_cons.
  - intros l s1 _ (newer & ->). eexists. now rewrite app_comm_cons.
  - intros q s1 _ (newer & E). eexists. rewrite expand_log, E. now rewrite app_comm_cons, app_assoc.
Qed.

(** A property of the start that the three steps preserve holds in every state of
    every run; earlier states are at hand as [reached]. *)
Lemma reached_induction (P : state V -> Prop) :
  P start ->
  (forall s, reached s -> exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, reached s -> exhausted s = false -> l <= h_max cfg -> P s ->
     P (begin_visit l s)) ->
  (forall q s, reached s -> exhausted s = false -> In q (places s) ->
     length q <= h_max cfg -> below less (value less oracle cfg q) (nu_min s) = true -> P s ->
     P (expand (node_at q) s)) ->
  forall s, reached s -> P s.
Proof.
  intros H0 H1 H2 H3. apply (SearchSteps.steps_induction algorithm_one_is_lawful start);
    [apply leaves_are_nodes_start|exact H0|].
  intros s s' Hr Hn HP Hst. destruct Hst as [s Hx|l s Hx Hl|x s Hx Hin Hd [E Hb]|? ? _ []]; cbn in *;
    [now apply H1|now apply H2|]. rewrite E in Hd, Hb. rewrite depth_node_at in Hd. rewrite E. apply H3; auto. now apply in_map.
Qed.

(** ** The loops consist of steps *)

Lemma limit_h_max (s : state V) : limit cfg s <= h_max cfg.
Proof. unfold limit. lia. Qed.

Lemma visit_moves l s : exhausted s = false -> leaves_are_nodes s -> moves l s (visit less oracle cfg l s).
Proof. exact (SearchSteps.visit_moves algorithm_one_is_lawful l s). Qed.

(** Induction over the visits of a sweep: [P l] holds before the visit of depth
    [l]; when the budget is used up the remaining visits do not take place. *)
Lemma sweep_induction (P : nat -> state V -> Prop) s :
  leaves_are_nodes s ->
  (forall l s1, l <= limit cfg s -> exhausted s1 = false -> leaves_are_nodes s1 -> P l s1 ->
     P (S l) (visit less oracle cfg l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit cfg s)) (sweep s).
Proof. exact (SearchSteps.sweep_induction algorithm_one_is_lawful P s). Qed.

Lemma sweep_steps s : exhausted s = false -> leaves_are_nodes s -> steps s (sweep s).
Proof. exact (SearchSteps.sweep_steps algorithm_one_is_lawful s). Qed.

Lemma run_for_is n s : run_for n s = @Search.run_for algorithm_one n s.
Proof.
  revert s; induction n as [|n IH]; intros s; [reflexivity|]. cbn [Model.run_for Search.run_for].
  change (@Search.exhausted algorithm_one s) with (exhausted s). destruct (exhausted s) eqn:Ex; [reflexivity|].
  replace (@Search.round algorithm_one s) with (sweep s).
  - cbn [Search.idle algorithm_one]. destruct (nu_min (sweep s)); [apply IH|reflexivity].
  - unfold Search.round. change (sweep s = if exhausted s then s else sweep s). now rewrite Ex.
Qed.

Lemma run_for_steps n s : leaves_are_nodes s -> steps s (run_for n s).
Proof. rewrite run_for_is. exact (SearchSteps.run_for_steps algorithm_one_is_lawful n s). Qed.

Lemma run_for_reached n : reached (run_for n start).
Proof. apply run_for_steps, leaves_are_nodes_start. Qed.

End Steps.
