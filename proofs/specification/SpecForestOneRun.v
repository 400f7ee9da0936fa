(** * The policy forest has at most one run.

    No rule of SpecForest.v leaves a choice: two runs make the same events in the same order, return the same
    value and have the same leaves. *)

From Coq Require Import List Bool Arith Reals Sorted Lia.
From EmbeddedHunter Require Import Commands Spec SpecOneRun SpecForest.
Import ListNotations.
Open Scope nat_scope.

Section ForestOneRun.

Context (V : Type) (less : V -> V -> bool) (g : nat -> point -> V) (K : nat) (d : nat -> nat) (P : nat) (eta : nat -> R).
Context (h_max v : nat) (turns : list nat) (separate_origin class_rule_is_norm : bool).

(** Values that are less are not greater. *)
Hypothesis less_is_asymmetric : forall a b, less a b = true -> less b a = false.

Local Notation f_star := (SpecForest.f_star V K d eta).

(** Two states with the same leaves, and otherwise equal. *)
Definition same (s s' : SpecForest.state V) : Prop :=
  same_set (T V s) (T V s') /\ (forall u, nu_min V s u = nu_min V s' u) /\ t V s = t V s' /\ past V s = past V s'.

Lemma same_past a b : same a b -> past V a = past V b.
Proof. intros (_ & _ & _ & H). exact H. Qed.

Lemma same_f_star x a b : same a b -> f_star x a = f_star x b.
Proof. intros H. unfold SpecForest.f_star. now rewrite (same_past a b H). Qed.

Lemma same_budget a b : same a b -> (SpecForest.budget_left V v a <-> SpecForest.budget_left V v b).
Proof. intros H. unfold SpecForest.budget_left. now rewrite (same_past a b H). Qed.

Lemma one_argmin (A B : node -> Prop) a b o o' : same_set A B -> same a b ->
  SpecForest.argmin V less K d eta A a o -> SpecForest.argmin V less K d eta B b o' -> o = o'.
Proof.
  intros E H HA [B1 B2]. apply (one_least (smaller_than V less) (fun x => f_star x a) A B); auto.
  - intros x y. now apply smaller_than_is_asymmetric.
  - split; [exact B1|]. intros x Hx N. rewrite !(same_f_star _ a b H). now apply B2.
Qed.

Local Notation forest := (forest V less g K d eta h_max v turns separate_origin class_rule_is_norm).

Lemma the_forest_is_deterministic : agree same forest forest.
Proof.
  unfold SpecForest.forest. command_by_command same_budget.
  { intros a b (_ & H & _ & Hp). unfold expanded_nothing, no_queue_has_expanded, number_of_sweeps. rewrite Hp.
    split; intros [E R]; (split; [|exact R]); intros u; [rewrite <- H|rewrite H]; apply E. }
  apply (agree_with_the same eq); [intros a b D D' (H & _); now apply one_greatest_depth|]. intros D ? <-.
  command_by_command same_budget. rename x into l.
  apply (agree_with_the same same_set);
    [intros a b A B (H & _ & _ & Hp) -> ->; intros x; unfold number_of_sweeps; now rewrite (H x), Hp|]. intros A B E.
  apply (agree_with_the same eq);
    [intros a b xs ys _; exact (one_list_of_labels (label K d eta separate_origin class_rule_is_norm) A B l xs ys E)|]. intros labels ? <-.
  command_by_command same_budget.
  apply (agree_with_the same eq).
  { intros a b o o' H. apply one_argmin; [|exact H]. intros y. unfold class. now rewrite (E y). }
  intros o ? <-. apply agree_conditional.
  { intros a b H. unfold below_nu_min. rewrite (same_f_star o a b H).
    destruct H as (_ & H & _). now rewrite H. }
  apply (agree_with_the same eq).
  { unfold f_star_is. intros a b f f' H -> ->. now apply same_f_star. }
  intros f ? <-. command_by_command same_budget; intros a b H; [reflexivity|].
  unfold all_have_values.
  split; intros C y Hy; [rewrite <- (same_f_star y a b H)|rewrite (same_f_star y a b H)]; auto.
Qed.

Local Notation run := (run V less g K d P eta h_max v turns separate_origin class_rule_is_norm).

(** Claim [forest-rules].  The policy forest as SpecForest.v writes it has at most one run: two runs with one g make the
    same events in the same order, return the same value and end with the same leaves. *)
Theorem the_policy_forest_has_at_most_one_run s f s' f' : run s f -> run s' f' -> same s s' /\ f = f'.
Proof.
  intros [(a & (T1 & N1 & U1 & P1) & A) Hf] [(b & (T2 & N2 & U2 & P2) & B) Hf'].
  assert (E : same s s').
  { eapply the_forest_is_deterministic; [|exact A|exact B].
    split; [intros x; now rewrite T1, T2|]. split; [|split; congruence].
    intros u. now rewrite N1, N2. }
  split; [exact E|]. rewrite (same_past s s' E) in Hf. congruence.
Qed.

End ForestOneRun.
