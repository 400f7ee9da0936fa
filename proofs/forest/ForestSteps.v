(** * A run of the forest is a sequence of steps; what holds of its trees in every state. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order Forest ForestNodes.
Import ListNotations.
Open Scope nat_scope.

Lemma nodup_parts {A} (l1 l2 : list A) q : NoDup (l1 ++ q :: l2) ->
  NoDup l1 /\ NoDup l2 /\ ~ In q l1 /\ ~ In q l2 /\ forall x, In x l1 -> ~ In x l2.
Proof.
  intros H. induction l1 as [|y l1 IH]; cbn in H; inversion H as [|? ? H1 H2]; subst.
  - repeat split; auto; constructor.
  - destruct (IH H2) as (H3 & H4 & H5 & H6 & H7). rewrite in_app_iff in H1. cbn in H1.
    repeat split; auto.
    + constructor; tauto.
    + intros [->|E]; tauto.
    + intros z [->|Hz]; [tauto|auto].
Qed.

Section ForestSteps.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).
Local Notation new_leaf := (Forest.new_leaf cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation evaluate := (Forest.evaluate less trees oracle later).
Local Notation value := (value cfg oracle).
Local Notation children := (children cfg).
Local Notation affordable := (affordable cfg).
Local Notation expand := (Forest.expand less cfg trees oracle later queue).
Local Notation visit_class := (Forest.visit_class less cfg trees oracle later queue).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation key := (key queue rank).
Local Notation add_to_classes := (Forest.add_to_classes queue rank).
Local Notation classes := (Forest.classes queue rank).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation visits := (Forest.visits less cfg trees oracle later queue rank).
Local Notation begin_sweep := (Forest.begin_sweep cfg).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation round := (round less cfg trees oracle later arrivals queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
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

(** ** The steps *)

Inductive step : forest V -> forest V -> Prop :=
| step_sweep s : exhausted s = false -> step s (begin_sweep s)
| step_visit l s : exhausted s = false -> l <= h_max cfg -> step s (begin_visit l s)
| step_expand x s : exhausted s = false -> In x (leaves s) -> depth x <= h_max cfg -> step s (expand x s)
| step_enter a s : exhausted s = false -> (exists s0, In a (arrivals s0)) -> step s (enter_one a s).

Inductive steps : forest V -> forest V -> Prop :=
| steps_none s : steps s s
| steps_more s s1 s2 : steps s s1 -> step s1 s2 -> steps s s2.

Lemma steps_one s s' : step s s' -> steps s s'.
Proof. intros H. eapply steps_more; [apply steps_none|exact H]. Qed.

Lemma steps_trans s s1 s2 : steps s s1 -> steps s1 s2 -> steps s s2.
Proof.
  intros H H2. revert H. induction H2 as [|s1 s2 s3 _ IH Hst]; intros H; [exact H|].
  exact (steps_more _ _ _ (IH H) Hst).
Qed.

(** The states of a run. *)
Definition reached (s : forest V) : Prop := steps start s.

(** The steps inside a sweep: nothing below depth [lim] is visited or expanded. *)
Inductive move (lim : nat) : forest V -> forest V -> Prop :=
| move_visit l s : exhausted s = false -> l <= lim -> move lim s (begin_visit l s)
| move_expand x s : exhausted s = false -> In x (leaves s) -> depth x <= lim -> move lim s (expand x s).

Inductive moves (lim : nat) : forest V -> forest V -> Prop :=
| moves_none s : moves lim s s
| moves_more s s1 s2 : moves lim s s1 -> move lim s1 s2 -> moves lim s s2.

Lemma moves_one lim s s' : move lim s s' -> moves lim s s'.
Proof. intros H. eapply moves_more; [apply moves_none|exact H]. Qed.

Lemma moves_trans lim s s1 s2 : moves lim s s1 -> moves lim s1 s2 -> moves lim s s2.
Proof.
  intros H H2. revert H. induction H2 as [|s1 s2 s3 _ IH Hst]; intros H; [exact H|].
  exact (moves_more _ _ _ _ (IH H) Hst).
Qed.

Lemma moves_weaken lim lim' s s' : lim <= lim' -> moves lim s s' -> moves lim' s s'.
Proof.
  intros Hl H. induction H as [|s s1 s2 _ IH Hst]; [apply moves_none|].
  eapply moves_more; [exact IH|]. destruct Hst; [apply move_visit|apply move_expand]; auto; lia.
Qed.

Lemma moves_steps lim s s' : lim <= h_max cfg -> moves lim s s' -> steps s s'.
Proof.
  intros Hl H. induction H as [|s s1 s2 _ IH Hst]; [apply steps_none|].
  eapply steps_more; [exact IH|]. destruct Hst; [apply step_visit|apply step_expand]; auto; lia.
Qed.

(** ** The tree *)

Definition no_leaf_is_expanded (s : forest V) : Prop := forall q, In q (expanded (log s)) -> ~ In q (places s).

(** What holds in every state of a run. *)
Record invariant (s : forest V) : Prop := Invariant {
  nodes_are_sound : leaves_are_nodes s;
  expanded_are_nodes : forall q, In q (expanded (log s)) -> q <> [] /\ tree_of q < roots s;
  parents_are_expanded : forall c q, q <> [] -> In (c :: q) (places s) \/ In (c :: q) (expanded (log s)) ->
    In q (expanded (log s));
  leaves_occur_once : NoDup (places s);
  expansions_occur_once : NoDup (expanded (log s));
  leaf_or_expanded : exhausted s = false -> no_leaf_is_expanded s
}.

Lemma start_invariant : invariant start.
Proof.
  split; [apply leaves_are_nodes_start|intros q []| |
    |constructor|intros _ q []].
  - intros c q Hq [H|[]]. cbn in H. rewrite map_map in H. apply in_map_iff in H.
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

Lemma not_exhausted_affordable x s :
  place x <> [] -> exhausted s = false -> exhausted (expand x s) = false -> affordable (place x) s = true.
Proof.
  intros Hp Hx Hx'. destruct (affordable (place x) s) eqn:E; [reflexivity|]. exfalso.
  apply not_exhausted in Hx'. rewrite expand_made, performed_cut in Hx' by assumption. lia.
Qed.

Lemma places_expand_keeps x s q :
  leaves_are_nodes s -> In x (leaves s) -> In q (places s) -> q <> place x -> In q (places (expand x s)).
Proof.
  intros Hn Hx Hq Hne. destruct (places_expand x s Hn Hx) as [[_ E]|(_ & l1 & l2 & E & E')]; [now rewrite E|].
  rewrite E', !in_app_iff. rewrite E, in_app_iff in Hq. cbn in Hq. destruct Hq as [H|[H|H]]; auto. congruence.
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
  clear arrivals rank. intros Hx Hin [Hn He Hp H1 H2 H3]. specialize (H3 Hx). pose proof Hn as [_ Hl].
  destruct (Hl x Hin) as (Hx1 & _ & _ & Hx4).
  assert (Hpx : In (place x) (places s)) by (apply in_map; exact Hin).
  assert (Hq : ~ In (place x) (expanded (log s))) by (intros E; now apply (H3 (place x))).
  assert (Hch : forall q, In q (children (place x)) -> ~ In q (places s) /\ ~ In q (expanded (log s))).
  { intros q Hq'. apply in_children in Hq'. destruct Hq' as (c & _ & ->).
    split; intros E; apply Hq, (Hp c (place x)); auto. }
  assert (Er : roots (expand x s) = roots s) by (apply expand_roots; exact Hx1).
  assert (Ee : expanded (log (expand x s)) = place x :: expanded (log s)) by (apply expanded_expand; exact Hx1).
  split.
  - now apply leaves_are_nodes_expand.
  - intros q. rewrite Ee, Er. intros [<-|Hq']; auto.
  - intros c q Hne. rewrite Ee. intros [H|[E|H]].
    + destruct (in_places_expand x s _ Hn Hin H) as [H'|(c' & _ & [= _ ->])]; [right; apply (Hp c q Hne); auto|now left].
    + right. apply (Hp c q Hne). left. rewrite <- E. exact Hpx.
    + right. apply (Hp c q Hne). auto.
  - destruct (places_expand x s Hn Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact H1|].
    rewrite E in H1, Hch. destruct (nodup_parts _ _ _ H1) as (N1 & N2 & N3 & N4 & N5).
    apply nodup_app; [exact N1| |].
    + apply nodup_app; [apply nodup_children|exact N2|].
      intros q Hc Hq2. apply (proj1 (Hch q Hc)). apply in_or_app. cbn. auto.
    + intros q Hq1 Hq2. apply in_app_or in Hq2. destruct Hq2 as [Hq2|Hq2]; [|now apply (N5 q)].
      apply (proj1 (Hch q Hq2)). apply in_or_app. auto.
  - rewrite Ee. now constructor.
  - intros Hx' q Hqe Hqp. rewrite Ee in Hqe.
    pose proof (not_exhausted_affordable x s Hx1 Hx Hx') as Ha.
    destruct (places_expand x s Hn Hin) as [[E _]|(_ & l1 & l2 & E & E')]; [congruence|].
    rewrite E' in Hqp. rewrite E in H1. destruct (nodup_parts _ _ _ H1) as (N1 & N2 & N3 & N4 & N5).
    rewrite !in_app_iff in Hqp. destruct Hqe as [<-|Hqe].
    + destruct Hqp as [H|[H|H]]; [tauto| |tauto].
      apply in_children in H. destruct H as (c & _ & H). apply (f_equal (@length nat)) in H. cbn in H. lia.
    + apply (H3 q Hqe). rewrite E, in_app_iff. cbn.
      destruct Hqp as [H|[H|H]]; auto. now destruct (Hch q H).
Qed.

(** A new root is new. *)
Lemma plant_invariant v s : exhausted s = false -> invariant s -> invariant (plant cfg v s).
Proof.
  intros Hx [[Hr Hl] He Hp H1 H2 H3].
  assert (Hnew : forall q, In q (places s) \/ In q (expanded (log s)) -> q <> [roots s]).
  { intros q [H|H] ->.
    - apply in_map_iff in H. destruct H as (x & E & H). destruct (Hl x H) as (_ & _ & _ & H4).
      rewrite E in H4. cbn in H4. lia.
    - destruct (He _ H) as [_ H4]. cbn in H4. lia. }
  assert (Epl : places (plant cfg v s) = places s ++ [[roots s]])
    by (unfold places; cbn [plant leaves]; now rewrite map_app).
  split; try exact H2.
  - split; [cbn; lia|]. intros x Hin. apply in_app_or in Hin. destruct Hin as [Hin|[<-|[]]].
    + apply (sound_roots s); [cbn; lia|auto].
    + repeat split; [easy| |cbn; lia]. intros Ht. exfalso. cbn in Ht. lia.
  - intros q Hq. destruct (He q Hq). split; [assumption|cbn; lia].
  - intros c q Hne H. apply (Hp c q Hne). rewrite Epl, in_app_iff in H. cbn in H.
    destruct H as [[H|[[= _ <-]|[]]]|H]; auto. easy.
  - rewrite Epl. apply nodup_app; [exact H1|repeat constructor; easy|].
    intros q Hq [<-|[]]. apply (Hnew [roots s]); auto.
  - intros _ q Hq Hin. rewrite Epl, in_app_iff in Hin. destruct Hin as [Hin|[<-|[]]].
    + exact (H3 Hx q Hq Hin).
    + apply (Hnew [roots s]); auto.
Qed.

(** Evaluating something, and taking a tree's number, changes nothing in the tree. *)
Lemma same_tree_invariant s s' :
  leaves s' = leaves s -> roots s <= roots s' -> expanded (log s') = expanded (log s) ->
  exhausted s = false -> invariant s -> invariant s'.
Proof.
  intros El Er Ee Hx [[Hr Hl] He Hp H1 H2 H3].
  assert (Epl : places s' = places s) by (unfold places; now rewrite El).
  split; rewrite ?Epl, ?Ee; auto.
  - split; [lia|]. rewrite El. intros x Hin. apply (sound_roots s); auto.
  - intros q Hq. destruct (He q Hq). split; [assumption|lia].
  - intros _ q. rewrite Epl, Ee. exact (H3 Hx q).
Qed.

Lemma enter_one_invariant a s : exhausted s = false -> invariant s -> invariant (enter_one a s).
Proof.
  intros Hx Hi. destruct a as [v| |]; cbn [Forest.enter_one].
  - now apply plant_invariant.
  - apply (same_tree_invariant (plant cfg (fst (evaluate [roots s] s)) s)); try reflexivity;
      [exact Hx|now apply plant_invariant].
  - eapply (same_tree_invariant s); auto. cbn. lia.
Qed.

Lemma step_invariant s s' : step s s' -> invariant s -> invariant s'.
Proof.
  intros Hs Hi. destruct Hs as [s Hx|l s Hx _|x s Hx Hin _|a s Hx _].
  - eapply (same_tree_invariant s); auto.
  - eapply (same_tree_invariant s); auto.
  - now apply expand_invariant.
  - now apply enter_one_invariant.
Qed.

Lemma steps_invariant s s' : steps s s' -> invariant s -> invariant s'.
Proof.
  intros Hs Hi. induction Hs as [|s s1 s2 _ IH Hst]; [exact Hi|]. exact (step_invariant _ _ Hst (IH Hi)).
Qed.

Lemma reached_invariant s : reached s -> invariant s.
Proof. intros H. exact (steps_invariant _ _ H start_invariant). Qed.

Lemma moves_invariant lim s s' : moves lim s s' -> invariant s -> invariant s'.
Proof.
  intros Hs Hi. induction Hs as [|s s1 s2 _ IH Hst]; [exact Hi|]. specialize (IH Hi).
  destruct Hst as [l s1 Hx _|x s1 Hx Hin _]; [|now apply expand_invariant].
  eapply (same_tree_invariant s1); auto.
Qed.

End ForestSteps.
