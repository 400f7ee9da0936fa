(** * The loops of a run of the forest consist of steps. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order Forest ForestNodes ForestClasses ForestSteps.
Import ListNotations.
Open Scope nat_scope.

Section ForestLoops.

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

Local Notation classes_sorted := (classes_sorted queue rank).
Local Notation classes_hold_only_their_leaves := (classes_hold_only_their_leaves queue rank).
Local Notation step := (step less cfg trees oracle later arrivals queue).
Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation steps_one := (steps_one less cfg trees oracle later arrivals queue).
Local Notation steps_trans := (steps_trans less cfg trees oracle later arrivals queue).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation moves := (moves less cfg trees oracle later queue).
Local Notation moves_one := (moves_one less cfg trees oracle later queue).
Local Notation moves_trans := (moves_trans less cfg trees oracle later queue).
Local Notation moves_weaken := (moves_weaken less cfg trees oracle later queue).
Local Notation moves_steps := (moves_steps less cfg trees oracle later arrivals queue).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation start_invariant := (start_invariant cfg trees oracle).
Local Notation same_tree_invariant := (same_tree_invariant cfg trees oracle).
Local Notation steps_invariant := (steps_invariant less cfg trees oracle later arrivals queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later arrivals queue).
Local Notation moves_invariant := (moves_invariant less cfg trees oracle later queue).
Local Notation step_sweep := (step_sweep less cfg trees oracle later arrivals queue).
Local Notation step_enter := (step_enter less cfg trees oracle later arrivals queue).
Local Notation steps_none := (steps_none less cfg trees oracle later arrivals queue).
Local Notation move_visit := (move_visit less cfg trees oracle later queue).
Local Notation move_expand := (move_expand less cfg trees oracle later queue).
Local Notation moves_none := (moves_none less cfg trees oracle later queue).
Local Notation nodes_are_sound := (nodes_are_sound cfg trees oracle).
Local Notation leaves_occur_once := (leaves_occur_once cfg trees oracle).

(** What the classes of a visit of depth [l] may rely on: their members are still leaves. *)
Definition frozen_ok (l : nat) (cs : list ((nat * Z) * list (leaf V))) (s : forest V) : Prop :=
  StronglySorted before cs /\
  forall r ms, In (r, ms) cs -> ms <> [] /\ forall x, In x ms -> In x (leaves s) /\ depth x = l /\ key x = r.

Lemma frozen_ok_classes l s : frozen_ok l (classes l (leaves s)) s.
Proof.
  split; [apply classes_sorted|]. intros r ms H. now apply (classes_hold_only_their_leaves l (leaves s)).
Qed.

Lemma visit_class_cases u members s :
  members <> [] ->
  visit_class u members s = s /\
    (exhausted s = true \/ exists w, nu_min u (nu_mins s) = Some w /\ forall order : total_order less,
       forall x, In x members -> at_most less w (best x)) \/
  exists a, In a members /\ exhausted s = false /\ below less (best a) (nu_min u (nu_mins s)) = true /\
    (forall order : total_order less, forall x, In x members -> at_most less (best a) (best x)) /\
    visit_class u members s = expand a s.
Proof.
  intros Hne. destruct members as [|x rest]; [easy|]. cbn [Forest.visit_class].
  destruct (exhausted s) eqn:Ex; [left; auto|].
  destruct (below less (best (argmin less x rest)) (nu_min u (nu_mins s))) eqn:B.
  - right. exists (argmin less x rest). repeat split; auto; [apply argmin_in|].
    intros order y Hy. now apply argmin_at_most.
  - left. split; [reflexivity|]. right. unfold below in B. destruct (nu_min u (nu_mins s)) as [w|]; [|discriminate].
    exists w. split; [reflexivity|]. intros order y Hy.
    apply (at_most_trans less order _ (best (argmin less x rest))); [exact B|]. now apply argmin_at_most.
Qed.

Lemma expand_keeps x s y :
  place x <> [] -> In y (leaves s) -> place y <> place x -> In y (leaves (expand x s)).
Proof.
  intros Hx Hy Hn. pose proof (expand_leaves less cfg trees oracle later queue x s Hx) as H.
  destruct (affordable (place x) s); [|now rewrite H]. destruct H as (ch & _ & _ & ->). now apply replace_leaf_keeps.
Qed.

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

Lemma visit_class_keeps u members s x :
  members <> [] -> invariant s -> (forall y, In y members -> In y (leaves s)) ->
  In x (leaves s) -> ~ In x members -> In x (leaves (visit_class u members s)).
Proof.
  intros Hne Hi Hm Hx Hn.
  destruct (visit_class_cases u members s Hne) as [[-> _]|(a & Ha & _ & _ & _ & ->)]; [exact Hx|].
  apply expand_keeps; auto; [now apply (leaf_is_a_node s); auto|].
  intros E. apply Hn. rewrite (one_leaf_each s x a); auto.
Qed.

Lemma visit_class_moves l u members s :
  members <> [] -> (forall y, In y members -> In y (leaves s) /\ depth y = l) ->
  moves l s (visit_class u members s).
Proof.
  intros Hne Hm.
  destruct (visit_class_cases u members s Hne) as [[-> _]|(a & Ha & Hex & Hb & _ & ->)]; [apply moves_none|].
  destruct (Hm _ Ha) as [H1 H2]. apply moves_one, move_expand; auto. lia.
Qed.

Lemma frozen_ok_tail l c cs s :
  invariant s -> frozen_ok l (c :: cs) s -> frozen_ok l cs (visit_class (fst (fst c)) (snd c) s).
Proof.
  destruct c as [r0 ms0]. cbn [fst snd]. intros Hi [Hs Hm].
  inversion Hs as [|? ? Hs' Hf]; subst. split; [exact Hs'|]. intros r ms Hin.
  destruct (Hm r ms) as [Hne Hx]; [now right|]. split; [exact Hne|]. intros x Hxin.
  destruct (Hx x Hxin) as (H1 & H2 & H3). split; [|auto].
  destruct (Hm r0 ms0) as [Hne0 Hx0]; [now left|].
  apply visit_class_keeps; auto; [intros y Hy; now apply Hx0|].
  intros H0. destruct (Hx0 x H0) as (_ & _ & H4).
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold before in Hf. cbn [fst] in Hf.
  rewrite earlier_iff in Hf. subst r r0. lia.
Qed.

Lemma visit_classes_cons c cs s :
  visit_classes (c :: cs) s = visit_classes cs (visit_class (fst (fst c)) (snd c) s).
Proof. destruct c. reflexivity. Qed.

(** Induction over the classes of a visit. *)
Lemma visit_classes_induction (P : list ((nat * Z) * list (leaf V)) -> forest V -> Prop) l :
  (forall c cs s, invariant s -> frozen_ok l (c :: cs) s -> P (c :: cs) s ->
     P cs (visit_class (fst (fst c)) (snd c) s)) ->
  forall cs s, invariant s -> frozen_ok l cs s -> P cs s -> P [] (visit_classes cs s).
Proof.
  intros Hstep cs. induction cs as [|c cs IH]; intros s Hi Hf HP; [exact HP|].
  rewrite visit_classes_cons. apply IH.
  - destruct c as [r ms]. destruct Hf as [_ Hm]. destruct (Hm r ms) as [Hne Hx]; [now left|].
    cbn [fst snd]. eapply moves_invariant; [|exact Hi].
    apply (visit_class_moves l); auto. intros y Hy. now destruct (Hx y Hy) as (? & ? & _).
  - now apply frozen_ok_tail.
  - now apply Hstep.
Qed.

Lemma visit_classes_moves l cs s : invariant s -> frozen_ok l cs s -> moves l s (visit_classes cs s).
Proof.
  intros Hi Hf.
  apply (visit_classes_induction (fun _ s' => moves l s s') l); auto; [|apply moves_none].
  intros [r ms] cs' s1 Hi1 [_ Hm] H1. destruct (Hm r ms) as [Hne Hx]; [now left|].
  eapply moves_trans; [exact H1|]. apply visit_class_moves; auto.
  intros y Hy. now destruct (Hx y Hy) as (? & ? & _).
Qed.

Lemma begin_visit_invariant l s : exhausted s = false -> invariant s -> invariant (begin_visit l s).
Proof. intros Hx Hi. eapply (same_tree_invariant s); auto. Qed.

Lemma visit_moves l s : exhausted s = false -> invariant s -> moves l s (visit l s).
Proof.
  intros Hex Hi. eapply moves_trans.
  - apply moves_one, (move_visit l l); [exact Hex|auto].
  - apply visit_classes_moves; [now apply begin_visit_invariant|]. exact (frozen_ok_classes l (begin_visit l s)).
Qed.

(** Induction over the visits of a sweep: [P l] holds before the visit of depth [l]; when the budget
    is used up the remaining visits do not take place. *)
Lemma visits_induction (P : nat -> forest V -> Prop) lim :
  (forall l s, l <= lim -> exhausted s = false -> invariant s -> P l s -> P (S l) (visit l s)) ->
  (forall l s, exhausted s = true -> P l s -> P (S l) s) ->
  forall n l s, n + l <= S lim -> invariant s -> P l s -> P (n + l) (visits n l s).
Proof.
  intros Hstep Hend n. induction n as [|n IH]; intros l s Hn Hi HP; [exact HP|].
  cbn [Forest.visits]. destruct (exhausted s) eqn:Ex.
  - clear IH Hn. replace (S n + l) with (n + S l) by lia.
    assert (H1 : P (S l) s) by auto. revert H1. generalize (S l). clear HP l.
    induction n as [|n IH]; intros l H1; [exact H1|].
    replace (S n + l) with (n + S l) by lia. apply IH. now apply Hend.
  - replace (S n + l) with (n + S l) by lia. apply IH; [lia| |].
    + eapply moves_invariant; [now apply visit_moves|exact Hi].
    + apply Hstep; auto. lia.
Qed.

Lemma begin_sweep_invariant s : exhausted s = false -> invariant s -> invariant (begin_sweep s).
Proof. intros Hx Hi. eapply (same_tree_invariant s); auto. Qed.

Lemma sweep_induction (P : nat -> forest V -> Prop) s :
  exhausted s = false -> invariant s ->
  (forall l s1, l <= limit cfg s -> exhausted s1 = false -> invariant s1 -> P l s1 -> P (S l) (visit l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit cfg s)) (sweep s).
Proof.
  intros Hx Hi H1 H2 H3. unfold Forest.sweep.
  replace (S (limit cfg s)) with (S (limit cfg s) + 0) at 1 by lia.
  apply (visits_induction P (limit cfg s)); auto; [lia|]. now apply begin_sweep_invariant.
Qed.

Lemma limit_h_max (s : forest V) : limit cfg s <= h_max cfg.
Proof. unfold limit. lia. Qed.

Lemma sweep_moves s : exhausted s = false -> invariant s -> moves (limit cfg s) (begin_sweep s) (sweep s).
Proof.
  intros Hx Hi. apply (sweep_induction (fun _ s' => moves (limit cfg s) (begin_sweep s) s') s Hx Hi);
    [|auto|apply moves_none].
  intros l s1 H1 H2 H3 H4. eapply moves_trans; [exact H4|].
  apply (moves_weaken l); [exact H1|]. now apply visit_moves.
Qed.

Lemma sweep_steps s : exhausted s = false -> invariant s -> steps s (sweep s).
Proof.
  intros Hx Hi. eapply steps_trans; [apply steps_one, step_sweep; exact Hx|].
  apply (moves_steps (limit cfg s)); [apply limit_h_max|]. now apply sweep_moves.
Qed.

Lemma enter_steps s0 s : steps s (enter (arrivals s0) s).
Proof.
  assert (H : forall news, incl news (arrivals s0) -> forall s, steps s (enter news s)).
  { induction news as [|a news IH]; intros Hin s1; cbn [Forest.enter]; [apply steps_none|].
    destruct (exhausted s1) eqn:Ex; [apply steps_none|].
    eapply steps_trans; [apply steps_one, (step_enter a); [exact Ex|exists s0; apply Hin; now left]|].
    apply IH. intros b Hb. apply Hin. now right. }
  apply H, incl_refl.
Qed.

Lemma round_steps s : invariant s -> steps s (round s).
Proof.
  intros Hi. unfold Forest.round. pose proof (enter_steps s s) as He.
  destruct (exhausted (enter (arrivals s) s)) eqn:Ex; [exact He|].
  eapply steps_trans; [exact He|]. apply sweep_steps; [exact Ex|]. exact (steps_invariant _ _ He Hi).
Qed.

Lemma run_for_steps n s : invariant s -> steps s (run_for n s).
Proof.
  revert s. induction n as [|n IH]; intros s Hi; cbn [Forest.run_for]; [apply steps_none|].
  destruct (exhausted s); [apply steps_none|]. pose proof (round_steps s Hi) as H.
  destruct (nu_mins (round s)); [exact H|]. eapply steps_trans; [exact H|]. apply IH. exact (steps_invariant _ _ H Hi).
Qed.

Lemma run_for_reached n : reached (run_for n start).
Proof. apply run_for_steps, start_invariant. Qed.

Lemma reached_steps s s' : reached s -> steps s s' -> reached s'.
Proof. apply steps_trans. Qed.

(** What the steps preserve holds in every state of every run. *)
Lemma reached_induction (P : forest V -> Prop) :
  P start -> (forall s s', reached s -> invariant s -> P s -> step s s' -> P s') -> forall s, reached s -> P s.
Proof.
  intros H0 H1 s Hs. unfold reached in *. remember start as s0 eqn:E.
  induction Hs as [|s s1 s2 Hs IH Hst]; [now subst|]. specialize (IH E). subst s.
  apply (H1 s1); auto. exact (reached_invariant s1 Hs).
Qed.

Lemma moves_induction lim (s0 : forest V) (P : forest V -> Prop) :
  invariant s0 -> P s0 ->
  (forall l s, exhausted s = false -> l <= lim -> invariant s -> P s -> P (begin_visit l s)) ->
  (forall x s, exhausted s = false -> In x (leaves s) -> depth x <= lim -> invariant s -> P s -> P (expand x s)) ->
  forall s, moves lim s0 s -> P s.
Proof.
  intros Hi H0 H1 H2 s Hs. induction Hs as [|s s1 s2 Hs IH Hst]; [easy|]. specialize (IH Hi H0).
  pose proof (moves_invariant _ _ _ Hs Hi). destruct Hst; auto.
Qed.

End ForestLoops.
