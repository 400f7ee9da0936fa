(** * The forest is a search: its runs are sequences of steps; what holds of its trees in every state.

    [forest_search] is the forest as an instance of Search.v; the lemmas about the loops are those of SearchSteps.v. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Paths Order Forest ForestNodes ForestClasses.
From EmbeddedHunter Require Search SearchSteps SearchTree.

Section ForestSteps.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat).

Local Notation k := (half cfg).
Local Notation new_leaf := (Forest.new_leaf cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation evaluate := (Forest.evaluate less trees oracle later).
Local Notation value := (value cfg oracle).
Local Notation children := (children cfg).
Local Notation affordable := (affordable cfg).
Local Notation expand := (Forest.expand less cfg trees oracle later queue).
Local Notation begin_sweep := (Forest.begin_sweep cfg).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation start := (Forest.start cfg trees oracle).

(** ** Leaves are nodes *)

(** A leaf has its path's depth and norm, and, in one of the first P trees, its value. *)
Definition sound (s : forest V) (x : leaf V) : Prop :=
  place x <> [] /\ x = new_leaf (place x) (best x) /\ (tree_of (place x) < trees -> best x = value (place x)) /\
  tree_of (place x) < roots s.

Definition leaves_are_nodes (s : forest V) : Prop :=
  trees <= roots s /\ forall x, In x (leaves s) -> sound s x.

Definition places (s : forest V) : list path := map place (leaves s).

Lemma sound_depth s x : sound s x -> depth x = length (inner (place x)).
Proof. intros (_ & E & _). now rewrite E. Qed.

Lemma sound_roots s s' x : roots s <= roots s' -> sound s x -> sound s' x.
Proof. intros H (H1 & H2 & H3 & H4). repeat split; auto. lia. Qed.

Lemma leaves_are_nodes_start : leaves_are_nodes start.
Proof.
  split; [apply Nat.le_refl|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq).
  repeat split; [easy|]. cbn. lia.
Qed.

Lemma in_leaves_expand x s y :
  place x <> [] -> In y (leaves (expand x s)) ->
  In y (leaves s) \/ (exists c, c < K k /\ place y = c :: place x) /\ well_made cfg trees oracle x y.
Proof.
  intros Hx Hy. pose proof (expand_leaves less cfg trees oracle later queue x s Hx) as H.
  destruct (affordable (place x) s); [|rewrite H in Hy; auto].
  destruct H as (ch & H1 & H2 & E). rewrite E in Hy. apply in_replace_leaf in Hy.
  destruct Hy as [Hy|Hy]; [right|auto]. split; [|rewrite Forall_forall in H2; auto].
  apply (in_map place) in Hy. rewrite H1 in Hy. now apply in_children in Hy.
Qed.

Lemma leaves_are_nodes_expand x s : In x (leaves s) -> leaves_are_nodes s -> leaves_are_nodes (expand x s).
Proof.
  intros Hin [Hr Hl]. destruct (Hl x Hin) as (H1 & H2 & H3 & H4).
  assert (Er : roots (expand x s) = roots s) by (apply expand_roots; exact H1).
  split; [now rewrite Er|]. intros y Hy.
  destruct (in_leaves_expand x s y H1 Hy) as [Hold|((c & _ & Ep) & Ew & Ev)].
  - apply (sound_roots s); [lia|auto].
  - unfold sound. rewrite Er. rewrite Ep at 1 3 5. rewrite tree_of_child by exact H1.
    repeat split; auto; easy.
Qed.

(** ** The instance *)

Definition forest_search (rank : leaf V -> Z) : Search.search := {|
  Search.value := V; Search.less := less;
  Search.node := path; Search.leaf := leaf V; Search.place := place; Search.depth := depth; Search.best := best;
  Search.children := children; Search.least := argmin less;
  Search.class := nat * Z; Search.class_of := key queue rank; Search.same := same_key; Search.earlier := earlier;
  Search.queue := nat; Search.queue_of := fst;
  Search.state := forest V; Search.event := event V; Search.leaves := leaves;
  Search.nu := fun u s => nu_min u (nu_mins s); Search.made := made; Search.iterations := iterations; Search.log := log;
  Search.mark := fun x => Expand (place x) (best x); Search.expanded := expanded;
  Search.budget := budget cfg; Search.h_max := h_max cfg; Search.limit := limit cfg; Search.ranges := fun s => in_range cfg (sweeps s);
  Search.begin_sweep := begin_sweep; Search.begin_visit := begin_visit; Search.expand := expand;
  Search.allowed := fun _ _ => True;
  Search.enter := fun s => enter (arrivals s) s;
  Search.outside := fun s s' => exists a s0, In a (arrivals s0) /\ s' = enter_one a s;
  Search.idle := Forest.idle cfg
|}.

(** ** The tree *)

(** [p] is a child of [q], a node. *)
Definition is_child (p q : path) : Prop := q <> [] /\ exists c, p = c :: q.

(** What holds in every state of a run. *)
Record invariant (s : forest V) : Prop := Invariant {
  nodes_are_sound : leaves_are_nodes s;
  expanded_are_nodes : forall q, In q (expanded (log s)) -> q <> [] /\ tree_of q < roots s;
  is_a_tree : SearchTree.tree is_child (negb (exhausted s)) (places s) (expanded (log s))
}.

Lemma parents_are_expanded s : invariant s -> forall c q, q <> [] ->
  In (c :: q) (places s) \/ In (c :: q) (expanded (log s)) -> In q (expanded (log s)).
Proof.
  intros Hi c q Hq. apply (SearchTree.parents_are_expanded _ _ _ _ (is_a_tree s Hi)). split; [exact Hq|now exists c].
Qed.

Lemma leaves_occur_once s : invariant s -> NoDup (places s).
Proof. intros Hi. apply (SearchTree.leaves_occur_once _ _ _ _ (is_a_tree s Hi)). Qed.

Lemma expansions_occur_once s : invariant s -> NoDup (expanded (log s)).
Proof. intros Hi. apply (SearchTree.expansions_occur_once _ _ _ _ (is_a_tree s Hi)). Qed.

Lemma leaf_or_expanded s : invariant s -> exhausted s = false -> forall q, In q (expanded (log s)) -> ~ In q (places s).
Proof. intros Hi Hx. exact (SearchTree.leaves_are_not_expanded _ _ _ _ (is_a_tree s Hi) (f_equal negb Hx)). Qed.

Lemma one_leaf_each s x y :
  invariant s -> In x (leaves s) -> In y (leaves s) -> place x = place y -> x = y.
Proof.
  intros Hi. pose proof (leaves_occur_once s Hi) as H. unfold places in H. revert H.
  induction (leaves s) as [|z zs IH]; [easy|]. cbn [map]. intros H Hx Hy E. inversion H as [|? ? Hz Hzs]; subst.
  destruct Hx as [->|Hx], Hy as [->|Hy]; auto.
  - exfalso. apply Hz. rewrite E. now apply in_map.
  - exfalso. apply Hz. rewrite <- E. now apply in_map.
Qed.

Lemma leaf_is_a_node s x : invariant s -> In x (leaves s) -> place x <> [].
Proof. intros Hi Hx. apply (proj2 (nodes_are_sound s Hi) x Hx). Qed.

Lemma start_invariant : invariant start.
Proof.
  split; [apply leaves_are_nodes_start|intros q []|]. split; [| |constructor|intros _ q []].
  - intros p q [Hq (c & ->)] [H|[]]. cbn in H. rewrite map_map in H. apply in_map_iff in H.
    destruct H as (t & [= _ <-] & _). easy.
  - cbn. rewrite map_map. cbn. apply FinFun.Injective_map_NoDup; [intros a b [= ->]; reflexivity|apply seq_NoDup].
Qed.

Lemma places_expand x s :
  leaves_are_nodes s -> In x (leaves s) ->
  (affordable (place x) s = false /\ places (expand x s) = places s) \/
  (affordable (place x) s = true /\ exists l1 l2, places s = l1 ++ place x :: l2 /\
     places (expand x s) = l1 ++ children (place x) ++ l2).
Proof.
  intros [_ Hl] Hx. destruct (Hl x Hx) as [Hp _].
  pose proof (expand_leaves less cfg trees oracle later queue x s Hp) as H. unfold places.
  destruct (affordable (place x) s); [right|left; now rewrite H].
  split; [reflexivity|]. destruct H as (ch & H1 & _ & E).
  destruct (replace_leaf_split (place x) ch (leaves s)) as (l1 & y & l2 & E1 & E2 & E3); [now apply in_map|].
  exists (map place l1), (map place l2). rewrite E, E3, E1, !map_app, H1. cbn [map]. now rewrite E2.
Qed.

Lemma expanded_expand x s : place x <> [] -> expanded (log (expand x s)) = place x :: expanded (log s).
Proof.
  intros Hp. destruct (expand_log less cfg trees oracle later queue x s Hp) as (new & -> & H & _).
  now rewrite expanded_app, H.
Qed.

Lemma cut_expansion_exhausts x s :
  place x <> [] -> exhausted s = false -> affordable (place x) s = false -> exhausted (expand x s) = true.
Proof. intros Hp Hx Ha. apply exhausted_left. rewrite expand_made, performed_cut by assumption. lia. Qed.

Lemma not_exhausted_affordable x s :
  place x <> [] -> exhausted s = false -> exhausted (expand x s) = false -> affordable (place x) s = true.
Proof.
  intros Hp Hx Hx'. destruct (affordable (place x) s) eqn:E; [reflexivity|].
  rewrite cut_expansion_exhausts in Hx' by assumption. discriminate.
Qed.

Lemma in_places_expand x s q :
  leaves_are_nodes s -> In x (leaves s) -> In q (places (expand x s)) ->
  In q (places s) \/ exists c, c < K k /\ q = c :: place x.
Proof.
  intros Hn Hx Hq. destruct (places_expand x s Hn Hx) as [[_ E]|(_ & l1 & l2 & E & E')].
  - rewrite E in Hq. auto.
  - rewrite E' in Hq. rewrite E. rewrite !in_app_iff in Hq. rewrite in_app_iff. cbn.
    destruct Hq as [H|[H|H]]; auto. right. now apply in_children in H.
Qed.

Lemma expand_invariant x s :
  exhausted s = false -> In x (leaves s) -> invariant s -> invariant (expand x s).
Proof.
  clear arrivals. intros Hx Hin [Hn He Ht]. pose proof Hn as [_ Hl].
  destruct (Hl x Hin) as (Hx1 & _ & _ & Hx4).
  assert (Hpx : In (place x) (places s)) by (apply in_map; exact Hin).
  assert (Ee : expanded (log (expand x s)) = place x :: expanded (log s)) by (apply expanded_expand; exact Hx1).
  split.
  - now apply leaves_are_nodes_expand.
  - intros q. rewrite Ee, expand_roots by exact Hx1. intros [<-|Hq]; auto.
  - rewrite Ee, Hx in *. destruct (places_expand x s Hn Hin) as [[Ha ->]|(_ & l1 & l2 & E & ->)].
    + rewrite (cut_expansion_exhausts x s Hx1 Hx Ha). now apply SearchTree.tree_cut.
    + rewrite E in Ht. apply SearchTree.tree_expand; auto.
      * intros p q q' [_ (c & ->)] [_ (c' & E')]. congruence.
      * intros p [_ (c & E')]. apply (f_equal (@length nat)) in E'. cbn in E'. lia.
      * apply nodup_children.
      * intros p Hp. apply in_children in Hp. destruct Hp as (c & _ & ->). split; [exact Hx1|now exists c].
Qed.

(** A new root is new. *)
Lemma plant_invariant v s : exhausted s = false -> invariant s -> invariant (plant cfg v s).
Proof.
  intros Hx [[Hr Hl] He [Hp H1 H2 H3]]. rewrite Hx in H3. specialize (H3 eq_refl).
  assert (Hnew : forall q, In q (places s) \/ In q (expanded (log s)) -> q <> [roots s]).
  { intros q [H|H] ->.
    - apply in_map_iff in H. destruct H as (x & E & H). destruct (Hl x H) as (_ & _ & _ & H4).
      rewrite E in H4. cbn in H4. lia.
    - destruct (He _ H) as [_ H4]. cbn in H4. lia. }
  assert (Epl : places (plant cfg v s) = places s ++ [[roots s]])
    by (unfold places; cbn [plant leaves]; now rewrite map_app).
  split; [split; [cbn; lia|]| |split; try exact H2; rewrite Epl].
  - intros x Hin. apply in_app_or in Hin. destruct Hin as [Hin|[<-|[]]].
    + apply (sound_roots s); [cbn; lia|auto].
    + repeat split; [easy| |cbn; lia]. intros Ht. exfalso. cbn in Ht. lia.
  - intros q Hq. destruct (He q Hq). split; [assumption|cbn; lia].
  - intros p q Hc H. apply (Hp p q Hc). rewrite in_app_iff in H. cbn in H.
    destruct H as [[H|[<-|[]]]|H]; auto. destruct Hc as [Hq (c & [= _ <-])]. easy.
  - apply nodup_app; [exact H1|repeat constructor; easy|].
    intros q Hq [<-|[]]. apply (Hnew [roots s]); auto.
  - intros _ q Hq Hin. rewrite in_app_iff in Hin. destruct Hin as [Hin|[<-|[]]]; [exact (H3 q Hq Hin)|].
    apply (Hnew [roots s]); auto.
Qed.

(** Evaluating something, and taking a tree's number, changes nothing in the tree. *)
Lemma same_tree_invariant s s' :
  leaves s' = leaves s -> roots s <= roots s' -> expanded (log s') = expanded (log s) ->
  exhausted s = false -> invariant s -> invariant s'.
Proof.
  intros El Er Ee Hx [[Hr Hl] He [Hp H1 H2 H3]]. rewrite Hx in H3.
  assert (Epl : places s' = places s) by (unfold places; now rewrite El).
  split; [split; [lia|]| |split]; rewrite ?Epl, ?Ee, ?El; auto.
  - intros x Hin. apply (sound_roots s); auto.
  - intros q Hq. destruct (He q Hq). split; [assumption|lia].
Qed.

Lemma enter_one_invariant a s : exhausted s = false -> invariant s -> invariant (enter_one a s).
Proof.
  intros Hx Hi. destruct a as [v| |]; cbn [Forest.enter_one].
  - now apply plant_invariant.
  - apply (same_tree_invariant (plant cfg (fst (evaluate [roots s] s)) s)); try reflexivity;
      [exact Hx|now apply plant_invariant].
  - eapply (same_tree_invariant s); auto. cbn. lia.
Qed.

(** ** The forest is lawful *)

Lemma enter_steps_of_arrivals rank news s0 s :
  incl news (arrivals s0) -> @Search.steps (forest_search rank) s (enter news s).
Proof.
  revert s. induction news as [|a news IH]; intros s Hn; cbn [Forest.enter]; [apply Search.steps_none|].
  destruct (exhausted s) eqn:Ex; [apply Search.steps_none|].
  apply (SearchSteps.steps_trans (A := (forest_search rank)) s (enter_one a s)).
  - apply SearchSteps.steps_one, (Search.step_enter (A := (forest_search rank))); [exact Ex|].
    exists a, s0. split; [apply Hn; now left|reflexivity].
  - apply IH. intros b Hb. apply Hn. now right.
Qed.

Lemma forest_is_lawful rank : Search.lawful (forest_search rank) invariant.
Proof.
  pose proof leaf_is_a_node as Hnode. pose proof nodes_are_sound as Hsound.
  split; cbn; try reflexivity; try easy; auto.
  - exact keys_ordered.
  - apply argmin_in.
  - intros s. unfold limit. lia.
  - intros s x Hx. pose proof (depth_le_deepest _ _ Hx). unfold limit. lia.
  - intros s b Hb. pose proof (deepest_at_most (leaves s) b Hb). unfold limit. lia.
  - apply expanded_app.
  - intros s. eexists. split; reflexivity.
  - intros l s. eexists. split; reflexivity.
  - intros x s Hi Hin. rewrite expand_made by eauto. lia.
  - intros x s Hi Hin. apply expand_iterations. eauto.
  - intros u x s Hi Hin. rewrite expand_nu by eauto. cbn [nu_min].
    destruct (Nat.eqb_spec u (queue x)) as [->|N]; [left|right]; auto.
  - intros x s Hi Hin. destruct (expand_log less cfg trees oracle later queue x s) as (new & E & H & _); eauto.
  - intros x s Hi Hin. now rewrite expand_sweeps by eauto.
  - intros x s Hi Hx Hin. destruct (Hsound s Hi) as [_ Hl].
    pose proof (expand_leaves less cfg trees oracle later queue x s (Hnode s x Hi Hin)) as H.
    destruct (affordable (place x) s) eqn:Ea; [right|left].
    + destruct H as (ch & H1 & H2 & ->).
      destruct (replace_leaf_split (place x) ch (leaves s)) as (l1 & y & l2 & E1 & E2 & E3); [now apply in_map|].
      assert (y = x) as -> by (apply (one_leaf_each s); auto; rewrite E1; apply in_or_app; right; now left).
      exists l1, ch, l2. repeat split; auto. intros y Hy. rewrite Forall_forall in H2. destruct (H2 y Hy) as [-> _].
      rewrite (sound_depth s x) by auto. cbn [Forest.new_leaf depth].
      apply (in_map place) in Hy. rewrite H1 in Hy. apply in_children in Hy. destruct Hy as (c & _ & ->).
      now rewrite inner_child by eauto.
    + split; [exact H|]. apply cut_expansion_exhausts; eauto.
  - intros s. unfold Forest.idle. now destruct (nu_mins s).
  - intros s. apply (enter_steps_of_arrivals rank _ s), incl_refl.
  - intros s. generalize (arrivals s). intros news. revert s.
    induction news as [|a news IH]; intros s x; cbn [Forest.enter]; [auto|]. destruct (exhausted s); [auto|].
    intros H. destruct (IH _ _ H) as [H1|H1]; [|auto].
    destruct a; [| |now left]; cbn in H1; apply in_app_or in H1; destruct H1 as [H1|[<-|[]]]; auto.
  - intros s s' (a & s0 & _ & ->). destruct a; cbn; lia.
  - intros s. generalize (arrivals s). intros news. revert s.
    induction news as [|a news IH]; intros s; cbn [Forest.enter]; [reflexivity|].
    destruct (exhausted s); [reflexivity|]. rewrite IH. now destruct a.
  - intros s s' (a & s0 & _ & ->). now destruct a.
  - intros s Hx Hi. now apply (same_tree_invariant s).
  - intros l s Hx Hi. now apply (same_tree_invariant s).
  - intros x s Hx Hin Hi. now apply expand_invariant.
  - intros s s' Hx (a & s0 & _ & ->). now apply enter_one_invariant.
Qed.

(** ** The steps *)

Inductive step : forest V -> forest V -> Prop :=
| step_sweep s : exhausted s = false -> step s (begin_sweep s)
| step_visit l s : exhausted s = false -> l <= h_max cfg -> step s (begin_visit l s)
| step_expand x s : exhausted s = false -> In x (leaves s) -> depth x <= h_max cfg -> step s (expand x s)
| step_enter a s : exhausted s = false -> (exists s0, In a (arrivals s0)) -> step s (enter_one a s).

Lemma step_iff r s s' : step s s' <-> @Search.step (forest_search r) s s'.
Proof.
  split.
  - intros [t Hx|l t Hx Hl|x t Hx Hin Hd|a t Hx (s0 & Ha)].
    + now apply (Search.step_sweep (A := forest_search r)).
    + now apply (Search.step_visit (A := forest_search r)).
    + now apply (Search.step_expand (A := forest_search r)).
    + apply (Search.step_enter (A := forest_search r)); [exact Hx|]. exists a, s0. auto.
  - intros [t Hx|l t Hx Hl|x t Hx Hin Hd _|t t' Hx (a & s0 & Ha & ->)].
    + now apply step_sweep.
    + now apply step_visit.
    + now apply step_expand.
    + apply step_enter; [exact Hx|now exists s0].
Qed.

(** The steps do not depend on the ranks. *)
Definition steps : forest V -> forest V -> Prop := @Search.steps (forest_search (fun _ => 0%Z)).

(** The states of a run. *)
Definition reached (s : forest V) : Prop := steps start s.

End ForestSteps.
