(** * Algorithm 1 has at most one run.

    No line of Spec.v leaves a choice: two runs make the same events in the same order, return the same
    value and have the same leaves. *)

From Coq Require Import List Arith Reals Sorted Lia Lra.
From EmbeddedHunter Require Import Commands Spec.
Import ListNotations.
Open Scope nat_scope.

(** ** Commands *)

Section Commands.

Context {states : Type} (budget_left : states -> Prop).

(** Which states are taken for equal. *)
Variable same : states -> states -> Prop.
Hypothesis same_budget : forall a b, same a b -> (budget_left a <-> budget_left b).

Local Notation command := (command states).
Local Notation for_each := (for_each budget_left).

(** Two commands end in the same state when they begin in the same one. *)
Definition agree (A B : command) : Prop :=
  forall a b a' b', same a b -> A a a' -> B b b' -> same a' b'.

Lemma agree_sequence A A' B B' : agree A A' -> agree B B' -> agree (sequence A B) (sequence A' B').
Proof. intros HA HB a b a' b' H (a1 & Ha & Ha') (b1 & Hb & Hb'). eauto. Qed.

Lemma agree_conditional (c : states -> Prop) A :
  (forall a b, same a b -> (c a <-> c b)) -> agree A A -> agree (conditional c A) (conditional c A).
Proof.
  intros Hc HA a b a' b' H [[C Ha]|[C Ha]] [[D Hb]|[D Hb]].
  - eauto.
  - now apply (Hc a b H) in C.
  - now apply (Hc a b H) in D.
  - now rewrite Ha, Hb.
Qed.

Lemma agree_with_the {X} (alike : X -> X -> Prop) (is_x is_y : states -> X -> Prop) A B :
  (forall a b x y, same a b -> is_x a x -> is_y b y -> alike x y) ->
  (forall x y, alike x y -> agree (A x) (B y)) ->
  agree (with_the is_x A) (with_the is_y B).
Proof. intros Hx HA a b a' b' H (x & X1 & Ha) (y & Y1 & Hb). eapply HA; eauto. Qed.

Lemma rounds_over {X} (A : X -> command) xs s s' : for_each A xs s s' -> ~ budget_left s -> s' = s.
Proof. intros H N. inversion H; subst; auto. contradiction. Qed.

Lemma rounds_of_none {X} (A : X -> command) s s' : for_each A [] s s' -> s' = s.
Proof. intros H. inversion H; auto. Qed.

Lemma first_round {X} (A : X -> command) x xs s s' :
  for_each A (x :: xs) s s' -> budget_left s -> exists s1, A x s s1 /\ for_each A xs s1 s'.
Proof. intros H B. inversion H; subst; [contradiction|eauto]. Qed.

Lemma agree_for_each {X} (A B : X -> command) xs :
  (forall x, agree (A x) (B x)) -> agree (for_each A xs) (for_each B xs).
Proof.
  intros HAB a b a' b' H Ha. revert b b' H.
  induction Ha as [a|xs a Hn|x xs a a1 a2 Hl Ha Hr IH]; intros b b' H Hb.
  - apply rounds_of_none in Hb. now rewrite Hb.
  - apply rounds_over in Hb; [now rewrite Hb|]. intros Hl. now apply (same_budget a b H) in Hl.
  - apply first_round in Hb; [|now apply (same_budget a b H)]. destruct Hb as (b1 & Hb & Hb').
    eapply IH; [|exact Hb']. eapply HAB; eassumption.
Qed.

Lemma agree_while (c : states -> Prop) A : (forall a b, same a b -> (c a <-> c b)) -> agree A A ->
  agree (while_budget_is_left budget_left c A) (while_budget_is_left budget_left c A).
Proof.
  intros Hc HA a b a' b' H Ha. revert b b' H.
  induction Ha as [a Hn|a a1 Hl Ha Hnu|a a1 a2 Hl Ha Hnu Hr IH]; intros b b' H Hb;
    pose proof (same_budget a b H) as HB;
    destruct Hb as [b Hn'|b b1 Hl' Hb Hnu'|b b1 b2 Hl' Hb Hnu' Hr'];
    try exact H; try (exfalso; tauto);
    assert (E : same a1 b1) by (eapply HA; eassumption); [exact E| | |now apply IH with b1];
    exfalso; apply Hc in E; tauto.
Qed.

End Commands.

(** Two sets have the same members. *)
Definition same_set (A B : node -> Prop) : Prop := forall x, A x <-> B x.

Lemma one_decreasing_list (xs ys : list R) :
  StronglySorted Rgt xs -> StronglySorted Rgt ys -> (forall r, In r xs <-> In r ys) -> xs = ys.
Proof.
  intros Hx. revert ys. induction Hx as [|x xs Hx IH Fx]; intros ys Hy E.
  - destruct ys as [|y ys]; [reflexivity|]. exfalso. apply (E y). now left.
  - destruct Hy as [|y ys Hy Fy]; [exfalso; apply (E x); now left|].
    rewrite Forall_forall in Fx, Fy.
    assert (x = y).
    { destruct (proj1 (E x) (or_introl eq_refl)) as [->|Ix]; [reflexivity|].
      destruct (proj2 (E y) (or_introl eq_refl)) as [->|Iy]; [reflexivity|].
      specialize (Fx y Iy). specialize (Fy x Ix). lra. }
    subst y. f_equal. apply IH; [exact Hy|]. intros r. split; intros I.
    + destruct (proj1 (E r) (or_intror I)) as [->|I']; [|exact I'].
      specialize (Fx r I). lra.
    + destruct (proj2 (E r) (or_intror I)) as [->|I']; [|exact I'].
      specialize (Fy r I). lra.
Qed.

(** One command, begun in states that are the same. *)
Ltac one_command :=
  intros s1 s2 s1' s2' (same_T & same_nu & same_t & same_past) step1 step2; hnf in same_T, step1, step2;
  first [subst s1' s2'; repeat split; cbn; intros; first [now apply same_T|congruence]
        |destruct step1 as (T1 & nu1 & t1 & past1), step2 as (T2 & nu2 & t2 & past2);
         split; [intros y; rewrite T1, T2, (same_T y); reflexivity|];
         repeat split; intros; first [congruence|rewrite nu1, nu2, ?same_nu; reflexivity]].

(** A listing, command by command; what it looks up and the conditions that it asks are left to prove. *)
Ltac command_by_command same_budget :=
  repeat first
    [apply agree_sequence
    |apply agree_while; [exact same_budget| |]
    |apply agree_for_each; [exact same_budget|intros ?]
    |apply agree_conditional
    |solve [one_command]].

(** ** What both listings look up *)

Lemma one_greatest_depth (A B : node -> Prop) D D' : same_set A B ->
  (exists i, A (D, i)) /\ (forall h i, A (h, i) -> h <= D) ->
  (exists i, B (D', i)) /\ (forall h i, B (h, i) -> h <= D') -> D = D'.
Proof.
  intros H [(i & A1) A2] [(j & B1) B2]. apply Nat.le_antisymm.
  - apply (B2 D i). now apply H.
  - apply (A2 D' j). now apply H.
Qed.

Lemma one_list_of_labels (label : node -> R) (A B : node -> Prop) l xs ys : same_set A B ->
  StronglySorted Rgt xs /\ (forall r, In r xs <-> exists i, A (l, i) /\ label (l, i) = r) ->
  StronglySorted Rgt ys /\ (forall r, In r ys <-> exists i, B (l, i) /\ label (l, i) = r) -> xs = ys.
Proof.
  intros E [S1 I1] [S2 I2]. apply one_decreasing_list; auto. intros r. rewrite I1, I2.
  split; intros (i & Hi & Hr); exists i; split; auto; now apply E.
Qed.

(** Of least value, and among equal ones of least index. *)
Lemma one_least {W : Type} (smaller : W -> W -> Prop) (value : node -> W) (A B : node -> Prop) (o o' : node) :
  (forall a b, smaller a b -> smaller b a -> False) -> same_set A B ->
  A o /\ (forall x, A x -> x <> o -> smaller (value o) (value x) \/ (~ smaller (value x) (value o) /\ snd o < snd x)) ->
  B o' /\ (forall x, B x -> x <> o' -> smaller (value o') (value x) \/ (~ smaller (value x) (value o') /\ snd o' < snd x)) ->
  o = o'.
Proof.
  intros asymmetric E [A1 A2] [B1 B2].
  assert (D : {o = o'} + {o <> o'}) by (repeat decide equality).
  destruct D as [|N]; [assumption|].
  exfalso. specialize (A2 o' (proj2 (E o') B1) (not_eq_sym N)). specialize (B2 o (proj1 (E o) A1) N).
  destruct A2 as [L1|[L1 I1]], B2 as [L2|[L2 I2]]; try contradiction; [|lia]. eapply asymmetric; eassumption.
Qed.

Lemma smaller_than_is_asymmetric {V : Type} (less : V -> V -> bool) a b :
  (forall a b, less a b = true -> less b a = false) -> smaller_than V less a b -> smaller_than V less b a -> False.
Proof.
  intros asymmetric. destruct a as [a|], b as [b|]; cbn; auto. intros H H'. apply asymmetric in H. congruence.
Qed.

(** ** Algorithm 1 *)

Section OneRun.

Context (V : Type) (less : V -> V -> bool) (g : point -> nat -> V) (K d : nat) (eta M : R) (h_max v : nat).

(** Values that are less are not greater. *)
Hypothesis less_is_asymmetric : forall a b, less a b = true -> less b a = false.

Local Notation f_star := (f_star V less K d eta).

(** Two states with the same leaves, and otherwise equal. *)
Definition same (s s' : state V) : Prop :=
  same_set (T V s) (T V s') /\ nu_min V s = nu_min V s' /\ t V s = t V s' /\ past V s = past V s'.

Local Notation agree := (agree same).

Lemma same_past a b : same a b -> past V a = past V b.
Proof. intros (_ & _ & _ & H). exact H. Qed.

Lemma same_f_star x a b : same a b -> f_star x a = f_star x b.
Proof. intros H. unfold Spec.f_star. now rewrite (same_past a b H). Qed.

Lemma same_budget a b : same a b -> (budget_left V v a <-> budget_left V v b).
Proof. intros H. unfold Spec.budget_left. now rewrite (same_past a b H). Qed.

(** ** Commands *)

Lemma agree_note e : agree (note V e) (note V e).
Proof. one_command. Qed.

Lemma agree_evaluate x : agree (evaluate V g K d eta x) (evaluate V g K d eta x).
Proof.
  intros a b a' b' H Ha Hb. unfold evaluate, evaluations_of in Ha, Hb.
  rewrite (same_past a b H) in Ha. exact (agree_note _ a b a' b' H Ha Hb).
Qed.

(** ** What the algorithm looks up is determined *)

Lemma one_argmin (A B : node -> Prop) a b o o' : same_set A B -> same a b ->
  argmin V less K d eta A a o -> argmin V less K d eta B b o' -> o = o'.
Proof.
  intros E H HA [B1 B2]. apply (one_least (smaller_than V less) (fun x => f_star x a) A B); auto.
  - intros x y. now apply smaller_than_is_asymmetric.
  - split; [exact B1|]. intros x Hx N. rewrite !(same_f_star _ a b H). now apply B2.
Qed.

(** ** The listing *)

Lemma algorithm_1_is_deterministic :
  agree (Algorithm_1 V less g K d eta M h_max v) (Algorithm_1 V less g K d eta M h_max v).
Proof.
  unfold Algorithm_1. command_by_command same_budget; try apply agree_evaluate; [intros a b (_ & -> & _); reflexivity|].
  apply (agree_with_the same eq); [intros a b D D' (H & _); now apply one_greatest_depth|]. intros D ? <-.
  command_by_command same_budget. rename x into l.
  apply (agree_with_the same same_set); [intros a b A B (H & _) -> ->; exact H|]. intros A B E.
  apply (agree_with_the same eq);
    [intros a b xs ys _; exact (one_list_of_labels (fun x => norm (base_point K d eta x)) A B l xs ys E)|]. intros norms ? <-.
  command_by_command same_budget.
  apply (agree_with_the same eq).
  { intros a b o o' H. apply one_argmin; [|exact H]. intros y. unfold L. now rewrite (E y). }
  intros o ? <-. apply agree_conditional.
  { intros a b H. unfold below_nu_min. rewrite (same_f_star o a b H).
    destruct H as (_ & -> & _). reflexivity. }
  apply (agree_with_the same eq).
  { unfold f_star_is. intros a b f f' H -> ->. now apply same_f_star. }
  intros f ? <-. command_by_command same_budget; try apply agree_evaluate; intros a b H.
  - unfold within_cap, evaluations_of. rewrite (same_past a b H). reflexivity.
  - unfold all_have_values.
    split; intros C y Hy; [rewrite <- (same_f_star y a b H)|rewrite (same_f_star y a b H)]; auto.
Qed.

(** Claims [one-run] [determinism].  Algorithm 1 as Spec.v writes it has at most one run: two runs with one g make the same events
    in the same order, return the same value and end with the same leaves. *)
Theorem algorithm_1_has_at_most_one_run s f s' f' :
  run V less g K d eta M h_max v s f -> run V less g K d eta M h_max v s' f' -> same s s' /\ f = f'.
Proof.
  intros [(a & (T1 & N1 & U1 & P1) & A) Hf] [(b & (T2 & N2 & U2 & P2) & B) Hf'].
  assert (E : same s s').
  { eapply algorithm_1_is_deterministic; [|exact A|exact B].
    split; [|repeat split; congruence]. intros x. now rewrite T1, T2. }
  split; [exact E|]. rewrite (same_past s s' E) in Hf. congruence.
Qed.

End OneRun.
