(** * A run is a sequence of three kinds of steps.

    A sweep begins, a visit begins, or a leaf is expanded.  Whatever these three
    preserve holds for every state of every run: that is how the theorems of
    Runs*.v are proved. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Export Classes.
From EmbeddedHunter Require Import Lattice Model Nodes.
Import ListNotations.
Open Scope nat_scope.

Section Steps.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation children := (children cfg).
Local Notation affordable := (affordable less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation visit_class := (visit_class less oracle cfg).
Local Notation visit_classes := (visit_classes less oracle cfg).
Local Notation visit := (visit less oracle cfg).
Local Notation visits := (visits less oracle cfg).
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
  intros H x. rewrite expand_leaves. destruct (affordable q s); [|apply H].
  intros [Hx|Hx]%in_replace_leaf; [|now apply H].
  apply in_map_iff in Hx. destruct Hx as (p & <- & _). now rewrite place_node_at.
Qed.

(** ** The steps *)

Inductive step : state V -> state V -> Prop :=
| step_sweep s :
    exhausted s = false -> step s (begin_sweep s)
| step_visit l s :
    exhausted s = false -> l <= h_max cfg -> step s (begin_visit l s)
| step_expand q s :
    exhausted s = false -> In (node_at q) (leaves s) -> length q <= h_max cfg ->
    below less (value q) (nu_min s) = true -> step s (expand (node_at q) s).

Inductive steps : state V -> state V -> Prop :=
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
Definition reached (s : state V) : Prop := steps start s.

(** The steps inside one sweep, or one visit: no sweep begins, and nothing below
    depth [lim] is visited or expanded. *)
Inductive move (lim : nat) : state V -> state V -> Prop :=
| move_visit l s :
    exhausted s = false -> l <= lim -> move lim s (begin_visit l s)
| move_expand q s :
    exhausted s = false -> In (node_at q) (leaves s) -> length q <= lim ->
    below less (value q) (nu_min s) = true -> move lim s (expand (node_at q) s).

Inductive moves (lim : nat) : state V -> state V -> Prop :=
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
  eapply moves_more; [exact IH|].
  destruct Hst; [apply move_visit|apply move_expand]; auto; lia.
Qed.

Lemma moves_steps lim s s' : lim <= h_max cfg -> moves lim s s' -> steps s s'.
Proof.
  intros Hl H. induction H as [|s s1 s2 _ IH Hst]; [apply steps_none|].
  eapply steps_more; [exact IH|].
  destruct Hst; [apply step_visit|apply step_expand]; auto; lia.
Qed.

Lemma leaves_are_nodes_steps s s' : leaves_are_nodes s -> steps s s' -> leaves_are_nodes s'.
Proof.
  intros H Hs. induction Hs as [|s s1 s2 _ IH Hstep]; [exact H|].
  specialize (IH H). destruct Hstep; [exact IH|exact IH|now apply leaves_are_nodes_expand].
Qed.

Lemma reached_leaves_are_nodes s : reached s -> leaves_are_nodes s.
Proof. apply leaves_are_nodes_steps, leaves_are_nodes_start. Qed.

(** ** The loops consist of steps *)

(** What the classes of a visit of depth [l] may rely on while they are worked
    through: their members are leaves still. *)
Definition frozen_ok (l : nat) (cs : list (Z * list (leaf V))) (s : state V) : Prop :=
  StronglySorted larger_norm cs /\
  forall r ms, In (r, ms) cs ->
    ms <> [] /\ forall x, In x ms -> In x (leaves s) /\ depth x = l /\ norm x = r.

Lemma frozen_ok_classes l s : frozen_ok l (classes l (leaves s)) s.
Proof.
  split; [apply classes_come_largest_norm_first|].
  intros r ms H. now apply (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s)).
Qed.

Lemma visit_class_cases members s :
  members <> [] -> leaves_are_nodes s -> (forall x, In x members -> In x (leaves s)) ->
  visit_class members s = s \/
  exists q, In (node_at q) members /\ exhausted s = false /\
    below less (value q) (nu_min s) = true /\
    (forall x rest, members = x :: rest -> node_at q = argmin less x rest) /\
    visit_class members s = expand (node_at q) s.
Proof.
  intros Hne Hl Hm. destruct members as [|x rest]; [easy|]. cbn [Model.visit_class].
  destruct (exhausted s) eqn:Ex; [now left|].
  destruct (below less (best (argmin less x rest)) (nu_min s)) eqn:B; [|now left].
  right. assert (Hin := argmin_in less x rest). assert (E := Hl _ (Hm _ Hin)).
  exists (place (argmin less x rest)). unfold Nodes.value. rewrite <- E.
  repeat split; auto. intros y r [= <- <-]. reflexivity.
Qed.

Lemma expand_keeps q s x :
  leaves_are_nodes s -> In x (leaves s) -> place x <> q ->
  In x (leaves (expand (node_at q) s)).
Proof.
  intros Hl Hx Hq. rewrite expand_leaves.
  destruct (affordable q s); [now apply replace_leaf_keeps|exact Hx].
Qed.

Lemma visit_class_keeps members s x :
  members <> [] -> leaves_are_nodes s -> (forall y, In y members -> In y (leaves s)) ->
  In x (leaves s) -> ~ In x members -> In x (leaves (visit_class members s)).
Proof.
  intros Hne Hl Hm Hx Hn.
  destruct (visit_class_cases members s Hne Hl Hm) as [->|(q & Hq & _ & _ & _ & ->)]; [exact Hx|].
  apply expand_keeps; auto. intros <-. apply Hn. now rewrite (Hl x Hx).
Qed.

Lemma leaves_are_nodes_moves lim s s' :
  leaves_are_nodes s -> moves lim s s' -> leaves_are_nodes s'.
Proof.
  intros H Hs. induction Hs as [|s s1 s2 _ IH Hstep]; [exact H|].
  specialize (IH H). destruct Hstep; [exact IH|now apply leaves_are_nodes_expand].
Qed.

Lemma visit_class_moves l members s :
  members <> [] -> leaves_are_nodes s ->
  (forall y, In y members -> In y (leaves s) /\ depth y = l) ->
  moves l s (visit_class members s).
Proof.
  intros Hne Hn Hm.
  destruct (visit_class_cases members s Hne Hn (fun y Hy => proj1 (Hm y Hy)))
    as [->|(q & Hq & Hex & Hb & _ & ->)]; [apply moves_none|].
  apply moves_one, move_expand; auto; [now apply Hm|].
  destruct (Hm _ Hq) as [_ E]. rewrite depth_node_at in E. lia.
Qed.

Lemma frozen_ok_tail l c cs s :
  leaves_are_nodes s -> frozen_ok l (c :: cs) s -> frozen_ok l cs (visit_class (snd c) s).
Proof.
  destruct c as [r0 ms0]. cbn [snd]. intros Hl [Hs Hm].
  inversion Hs as [|? ? Hs' Hf]; subst. split; [exact Hs'|]. intros r ms Hin.
  destruct (Hm r ms) as [Hne Hx]; [now right|]. split; [exact Hne|]. intros x Hxin.
  destruct (Hx x Hxin) as (H1 & H2 & H3). split; [|auto].
  destruct (Hm r0 ms0) as [Hne0 Hx0]; [now left|].
  apply visit_class_keeps; auto; [intros y Hy; now apply Hx0|].
  intros H0. destruct (Hx0 x H0) as (_ & _ & H4).
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold larger_norm in Hf. cbn in Hf. lia.
Qed.

Lemma visit_classes_cons c cs s :
  visit_classes (c :: cs) s = visit_classes cs (visit_class (snd c) s).
Proof. destruct c. reflexivity. Qed.

(** Induction over the classes of a visit. *)
Lemma visit_classes_induction (P : list (Z * list (leaf V)) -> state V -> Prop) l :
  (forall c cs s, leaves_are_nodes s -> frozen_ok l (c :: cs) s -> P (c :: cs) s ->
     P cs (visit_class (snd c) s)) ->
  forall cs s, leaves_are_nodes s -> frozen_ok l cs s -> P cs s -> P [] (visit_classes cs s).
Proof.
  intros Hstep cs. induction cs as [|c cs IH]; intros s Hn Hf HP; [exact HP|].
  rewrite visit_classes_cons. apply IH.
  - destruct c as [r ms]. destruct Hf as [_ Hm]. destruct (Hm r ms) as [Hne Hx]; [now left|].
    cbn. eapply leaves_are_nodes_moves; [exact Hn|].
    apply (visit_class_moves l); auto. intros y Hy. now destruct (Hx y Hy) as (? & ? & _).
  - now apply frozen_ok_tail.
  - now apply Hstep.
Qed.

Lemma visit_classes_moves l cs s :
  leaves_are_nodes s -> frozen_ok l cs s -> moves l s (visit_classes cs s).
Proof.
  intros Hn Hf.
  apply (visit_classes_induction (fun _ s' => moves l s s') l); auto; [|apply moves_none].
  intros [r ms] cs' s1 Hn1 [_ Hm] H1. destruct (Hm r ms) as [Hne Hx]; [now left|].
  eapply moves_trans; [exact H1|]. apply visit_class_moves; auto.
  intros y Hy. now destruct (Hx y Hy) as (? & ? & _).
Qed.

Lemma visit_moves l s :
  exhausted s = false -> leaves_are_nodes s -> moves l s (visit l s).
Proof.
  intros Hex Hn. eapply moves_trans.
  - apply moves_one, (move_visit l l); [exact Hex|auto].
  - apply visit_classes_moves; auto. exact (frozen_ok_classes l (begin_visit l s)).
Qed.

(** Induction over the visits of a sweep: [P l] holds before the visit of depth
    [l]; when the budget is used up the remaining visits do not take place. *)
Lemma visits_induction (P : nat -> state V -> Prop) lim :
  (forall l s, l <= lim -> exhausted s = false -> leaves_are_nodes s -> P l s ->
     P (S l) (visit l s)) ->
  (forall l s, exhausted s = true -> P l s -> P (S l) s) ->
  forall n l s, n + l <= S lim -> leaves_are_nodes s -> P l s ->
    P (n + l) (visits n l s).
Proof.
  intros Hstep Hend n. induction n as [|n IH]; intros l s Hn Hl HP; [exact HP|].
  cbn [Model.visits]. destruct (exhausted s) eqn:Ex.
  - clear IH Hn. replace (S n + l) with (n + S l) by lia.
    assert (H1 : P (S l) s) by auto. revert H1. generalize (S l). clear HP l.
    induction n as [|n IH]; intros l H1; [exact H1|].
    replace (S n + l) with (n + S l) by lia. apply IH. now apply Hend.
  - replace (S n + l) with (n + S l) by lia. apply IH; [lia| |].
    + eapply leaves_are_nodes_moves; [exact Hl|]. now apply visit_moves.
    + apply Hstep; auto. lia.
Qed.

Lemma sweep_induction (P : nat -> state V -> Prop) s :
  leaves_are_nodes s ->
  (forall l s1, l <= limit cfg s -> exhausted s1 = false -> leaves_are_nodes s1 -> P l s1 ->
     P (S l) (visit l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit cfg s)) (sweep s).
Proof.
  intros Hn H1 H2 H3. unfold Model.sweep.
  replace (S (limit cfg s)) with (S (limit cfg s) + 0) at 1 by lia.
  apply (visits_induction P (limit cfg s)); auto. lia.
Qed.

Lemma limit_h_max (s : state V) : limit cfg s <= h_max cfg.
Proof. unfold limit. lia. Qed.

Lemma sweep_moves s :
  leaves_are_nodes s -> moves (limit cfg s) (begin_sweep s) (sweep s).
Proof.
  intros Hl. apply (sweep_induction (fun _ s' => moves (limit cfg s) (begin_sweep s) s') s Hl);
    [|auto|apply moves_none].
  intros l s1 H1 H2 H3 H4. eapply moves_trans; [exact H4|].
  apply (moves_weaken l); [exact H1|]. now apply visit_moves.
Qed.

Lemma sweep_steps s :
  exhausted s = false -> leaves_are_nodes s -> steps s (sweep s).
Proof.
  intros Hex Hl. eapply steps_trans; [apply steps_one, step_sweep; exact Hex|].
  apply (moves_steps (limit cfg s)); [apply limit_h_max|]. now apply sweep_moves.
Qed.

Lemma run_for_steps n s : leaves_are_nodes s -> steps s (run_for n s).
Proof.
  revert s. induction n as [|n IH]; intros s Hl; cbn [Model.run_for]; [apply steps_none|].
  destruct (exhausted s) eqn:Ex; [apply steps_none|].
  assert (H := sweep_steps s Ex Hl).
  destruct (nu_min (sweep s)); [|exact H].
  eapply steps_trans; [exact H|]. apply IH. eapply leaves_are_nodes_steps; eauto.
Qed.

Lemma run_for_reached n : reached (run_for n start).
Proof. apply run_for_steps, leaves_are_nodes_start. Qed.

Lemma reached_steps s s' : reached s -> steps s s' -> reached s'.
Proof. apply steps_trans. Qed.

(** A property of the start that the three steps preserve holds in every state of
    every run; earlier states are at hand as [reached]. *)
Lemma reached_induction (P : state V -> Prop) :
  P start ->
  (forall s, reached s -> exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, reached s -> exhausted s = false -> l <= h_max cfg -> P s ->
     P (begin_visit l s)) ->
  (forall q s, reached s -> exhausted s = false -> In (node_at q) (leaves s) ->
     length q <= h_max cfg -> below less (value q) (nu_min s) = true -> P s ->
     P (expand (node_at q) s)) ->
  forall s, reached s -> P s.
Proof.
  intros H0 H1 H2 H3 s Hs. unfold reached in *.
  remember start as s0 eqn:E. induction Hs as [|s s1 s2 Hs IH Hstep]; [now subst|].
  specialize (IH E). subst s. destruct Hstep; auto.
Qed.

Lemma steps_induction (s0 : state V) (P : state V -> Prop) :
  P s0 ->
  (forall s, exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, exhausted s = false -> P s -> P (begin_visit l s)) ->
  (forall q s, exhausted s = false -> P s -> P (expand (node_at q) s)) ->
  forall s, steps s0 s -> P s.
Proof.
  intros H0 H1 H2 H3 s Hs. induction Hs as [|s s1 s2 Hs IH Hstep]; [easy|].
  specialize (IH H0). destruct Hstep; auto.
Qed.

Lemma moves_induction lim (s0 : state V) (P : state V -> Prop) :
  P s0 ->
  (forall l s, exhausted s = false -> l <= lim -> P s -> P (begin_visit l s)) ->
  (forall q s, exhausted s = false -> In (node_at q) (leaves s) -> length q <= lim ->
     below less (value q) (nu_min s) = true -> P s -> P (expand (node_at q) s)) ->
  forall s, moves lim s0 s -> P s.
Proof.
  intros H0 H1 H2 s Hs. induction Hs as [|s s1 s2 Hs IH Hstep]; [easy|].
  specialize (IH H0). destruct Hstep; auto.
Qed.

End Steps.
