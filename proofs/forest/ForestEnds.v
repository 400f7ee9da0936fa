(** * Every run of a forest ends, and what its sweeps cost in iterations. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order RunsTree Forest ForestNodes ForestClasses ForestSteps ForestLoops ForestSweep.
Import ListNotations.
Open Scope nat_scope.

Section ForestEnds.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation expand := (Forest.expand less cfg trees oracle later queue).
Local Notation visit_class := (Forest.visit_class less cfg trees oracle later queue).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation key := (key queue rank).
Local Notation classes := (Forest.classes queue rank).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation round := (round less cfg trees oracle later arrivals queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation hunt := (Forest.hunt less cfg trees oracle later arrivals queue rank).
Local Notation limit := (Forest.limit cfg).
Local Notation sound := (sound cfg trees oracle).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation frozen_ok := (frozen_ok queue rank).
Local Notation moves := (moves less cfg trees oracle later queue).
Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).

Local Notation moves_induction := (moves_induction less cfg trees oracle later queue).
Local Notation visit_classes_induction := (visit_classes_induction less cfg trees oracle later queue rank).
Local Notation sweep_induction := (sweep_induction less cfg trees oracle later queue rank).

Local Notation nu_is_kept := (nu_is_kept less cfg trees oracle later queue).
Local Notation expands := (expands cfg trees oracle queue).

(** ** Progress *)

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : forest V) : Prop := forall x, In x (leaves s) -> h_max cfg < depth x.

Lemma a_sweep_that_expands_nothing_met_full_trees s :
  exhausted s = false -> invariant s -> nu_mins (sweep s) = [] ->
  made (sweep s) = made s /\ nothing_to_expand (sweep s).
Proof.
  intros Hx Hi Hnu.
  set (P := fun l s1 => nu_mins s1 = [] -> made s1 = made s /\ leaves s1 = leaves s /\
    forall x, In x (leaves s) -> l <= depth x).
  assert (HP : P (S (limit s)) (sweep s)).
  { apply (sweep_induction P s Hx Hi).
    - intros l s1 Hlim Hx1 Hn1 HP Hnu1.
      pose proof (visit_moves less cfg trees oracle later queue rank l s1 Hx1 Hn1) as Hmv.
      destruct (HP (nu_is_kept l _ _ Hn1 Hmv Hnu1)) as (H1 & H2 & H3).
      unfold Forest.visit in Hnu1 |- *.
      pose proof (frozen_ok_classes queue rank l (begin_visit l s1)) as Hf. cbn [leaves Forest.begin_visit] in Hf.
      destruct (classes l (leaves s1)) as [|[r ms] cs] eqn:Ec.
      + cbn. split; [exact H1|]. split; [exact H2|]. intros x Hin.
        specialize (H3 x Hin). enough (depth x <> l) by lia. intros E.
        rewrite <- H2 in Hin.
        destruct (every_leaf_is_in_its_class queue rank l (leaves s1) x Hin E) as (ms & H & _).
        rewrite Ec in H. easy.
      + exfalso. rewrite visit_classes_cons in Hnu1. cbn [fst snd] in Hnu1.
        assert (Hb : invariant (begin_visit l s1)) by now apply begin_visit_invariant.
        destruct Hf as [Hs Hm]. destruct (Hm r ms) as [Hne Hy]; [now left|].
        assert (Hmv2 : moves l (begin_visit l s1) (visit_class (fst r) ms (begin_visit l s1))).
        { apply visit_class_moves; auto. intros y H. destruct (Hy y H) as (? & ? & _). auto. }
        assert (Hi2 : invariant (visit_class (fst r) ms (begin_visit l s1)))
          by (eapply moves_invariant; [exact Hmv2|exact Hb]).
        assert (Hf2 : frozen_ok l cs (visit_class (fst r) ms (begin_visit l s1)))
          by (apply (frozen_ok_tail less cfg trees oracle later queue rank l (r, ms)); [exact Hb|split; auto]).
        pose proof (visit_classes_moves less cfg trees oracle later queue rank l cs _ Hi2 Hf2) as Hmv3.
        pose proof (nu_is_kept l _ _ Hi2 Hmv3 Hnu1) as Hc.
        pose proof (nu_is_kept l _ _ Hb Hmv2 Hc) as Hnu0.
        destruct (visit_class_cases less cfg trees oracle later queue (fst r) ms (begin_visit l s1) Hne)
          as [[_ [E|(w & Hw & _)]]|(a & Ha & _ & _ & _ & E)].
        * change (exhausted s1 = true) in E. congruence.
        * rewrite Hnu0 in Hw. discriminate.
        * rewrite E, expand_nu in Hc; [discriminate|].
          apply (leaf_is_a_node cfg trees oracle (begin_visit l s1)); auto. now apply Hy.
    - intros l s1 Hx1 HP Hnu1. exfalso. destruct (HP Hnu1) as (H1 & _).
      unfold Forest.exhausted in Hx, Hx1. rewrite H1 in Hx1. congruence.
    - intros _. repeat split; auto. intros; lia. }
  destruct (HP Hnu) as (H1 & H2 & H3). split; [exact H1|]. intros x Hin. rewrite H2 in Hin.
  specialize (H3 x Hin). pose proof (depth_le_deepest (leaves s) x Hin).
  unfold Forest.limit in H3. lia.
Qed.

(** A sweep that expands something makes an evaluation. *)
Lemma a_sweep_that_expands_evaluates s :
  1 <= k -> exhausted s = false -> invariant s -> nu_mins (sweep s) <> [] -> made s < made (sweep s).
Proof.
  intros Hk Hx Hi Hnu.
  assert (Hb : invariant (Forest.begin_sweep cfg s)) by now apply begin_sweep_invariant.
  assert (H : made s <= made (sweep s) /\ (nu_mins (sweep s) = [] \/ made s < made (sweep s))).
  { pose proof (sweep_moves less cfg trees oracle later queue rank s Hx Hi) as H. revert H. generalize (sweep s).
    refine (moves_induction _ _ _ Hb _ _ _); auto.
    intros x s1 H1 H2 H3 H4 [H5 _]. rewrite expand_made by now apply (leaf_is_a_node cfg trees oracle s1).
    rewrite length_performed. apply not_exhausted in H1. split; [lia|right; lia]. }
  tauto.
Qed.

(** One more sweep: either the run goes on, or it has ended. *)
Lemma run_for_next n s :
  invariant s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = round (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof.
  revert s; induction n as [|n IH]; intros s Hi.
  - cbn [Forest.run_for]. destruct (exhausted s); [left; auto|right; split; [reflexivity|]].
    left. destruct (nu_mins (round s)); reflexivity.
  - change (run_for (S (S n)) s) with (if exhausted s then s else
      let s' := round s in match nu_mins s' with [] => s' | _ :: _ => run_for (S n) s' end).
    change (run_for (S n) s) with (if exhausted s then s else
      let s' := round s in match nu_mins s' with [] => s' | _ :: _ => run_for n s' end).
    destruct (exhausted s) eqn:Ex; [left; auto|]. cbv zeta.
    pose proof (round_steps less cfg trees oracle later arrivals queue rank s Hi) as Hr.
    pose proof (steps_invariant less cfg trees oracle later arrivals queue _ _ Hr Hi) as Hi'.
    destruct (nu_mins (round s)) eqn:Enu; [|now apply IH].
    destruct (exhausted (round s)) eqn:Ex'; [left; auto|]. right. split; [reflexivity|]. right. split; [reflexivity|].
    unfold Forest.round in *. destruct (exhausted (enter (arrivals s) s)) eqn:Ee; [congruence|].
    apply a_sweep_that_expands_nothing_met_full_trees; auto.
    exact (steps_invariant _ _ _ _ _ _ _ _ _ (enter_steps less cfg trees oracle later arrivals queue s s) Hi).
Qed.

Lemma run_for_steps_next n : steps (run_for n start) (run_for (S n) start).
Proof.
  pose proof (start_invariant cfg trees oracle) as H0.
  destruct (run_for_next n start H0) as [[_ ->]|[_ [-> |[-> _]]]]; [apply steps_none| |apply steps_none].
  apply round_steps. apply (reached_invariant less cfg trees oracle later arrivals queue), run_for_reached.
Qed.

Lemma run_for_steps_later n m : n <= m -> steps (run_for n start) (run_for m start).
Proof.
  induction 1 as [|m _ IH]; [apply steps_none|]. eapply steps_trans; [exact IH|]. apply run_for_steps_next.
Qed.

(** ** Iterations *)

Lemma visit_class_iterations u members s :
  (forall x, In x members -> place x <> []) -> iterations (visit_class u members s) = iterations s.
Proof.
  intros Hp. destruct members as [|x rest]; [reflexivity|].
  destruct (visit_class_cases less cfg trees oracle later queue u (x :: rest) s)
    as [[-> _]|(a & Ha & _ & _ & _ & ->)]; [easy|reflexivity|]. apply expand_iterations. auto.
Qed.

Lemma visit_iterations l s : exhausted s = false -> invariant s -> iterations (visit l s) = S (iterations s).
Proof.
  intros Hx Hi. unfold Forest.visit.
  apply (visit_classes_induction (fun _ s1 => iterations s1 = S (iterations s)) l).
  - intros [r ms] cs s1 Hi1 [_ Hm] <-. destruct (Hm r ms) as [Hne Hy]; [now left|].
    apply visit_class_iterations. intros x Hx1. apply (leaf_is_a_node cfg trees oracle s1); auto. now apply Hy.
  - now apply begin_visit_invariant.
  - exact (frozen_ok_classes queue rank l (begin_visit l s)).
  - reflexivity.
Qed.

Lemma enter_iterations news s : iterations (enter news s) = iterations s.
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [reflexivity|].
  destruct (exhausted s); [reflexivity|]. rewrite IH. destruct a; reflexivity.
Qed.

Lemma round_iterations s : invariant s -> iterations (round s) <= iterations s + S (h_max cfg).
Proof.
  intros Hi. unfold Forest.round. set (s1 := enter (arrivals s) s).
  assert (E : iterations s1 = iterations s) by apply enter_iterations.
  destruct (exhausted s1) eqn:Ex; [lia|].
  assert (Hi1 : invariant s1).
  { exact (steps_invariant _ _ _ _ _ _ _ _ _ (enter_steps less cfg trees oracle later arrivals queue s s) Hi). }
  pose proof (limit_h_max cfg s1).
  assert (H1 : iterations (sweep s1) <= iterations s1 + S (limit s1)); [|lia].
  apply (sweep_induction (fun l s2 => iterations s2 <= iterations s1 + l) s1 Ex Hi1).
  - intros l s2 _ Hx2 Hi2 H2. rewrite visit_iterations by assumption. lia.
  - intros. lia.
  - cbn. lia.
Qed.

(** Claim [forest-lemma-1].  A run of n sweeps makes at most (h_max + 1) n iterations. *)
Theorem n_sweeps_of_a_forest_make_at_most_h_max_plus_1_times_n_iterations n :
  iterations (run_for n start) <= S (h_max cfg) * n.
Proof.
  induction n as [|n IH]; [cbn; lia|].
  destruct (run_for_next n start (start_invariant cfg trees oracle)) as [[_ ->]|[_ [-> |[-> _]]]]; [lia| |lia].
  pose proof (round_iterations (run_for n start)
    (reached_invariant _ _ _ _ _ _ _ _ (run_for_reached less cfg trees oracle later arrivals queue rank n))). lia.
Qed.

(** ** Every run ends *)

Definition ended (s : forest V) : Prop := exhausted s = true \/ nothing_to_expand s.

Lemma enter_made news s : made s <= made (enter news s).
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [lia|].
  destruct (exhausted s); [lia|]. etransitivity; [|apply IH]. destruct a; cbn; lia.
Qed.

Hypothesis k_positive : 1 <= k.

Lemma run_for_ends n s :
  invariant s -> budget cfg <= made s + n ->
  forall m, n <= m -> run_for m s = run_for n s /\ ended (run_for n s).
Proof.
  revert s; induction n as [|n IH]; intros s Hi Hb m Hm.
  - assert (Hx : exhausted s = true) by (apply exhausted_left; lia).
    split; [|left; exact Hx]. destruct m; [reflexivity|]. cbn [Forest.run_for]. now rewrite Hx.
  - destruct m as [|m]; [lia|]. cbn [Forest.run_for].
    destruct (exhausted s) eqn:Ex; [split; [reflexivity|left; exact Ex]|].
    pose proof (enter_steps less cfg trees oracle later arrivals queue s s) as He.
    pose proof (steps_invariant _ _ _ _ _ _ _ _ _ He Hi) as Hi1.
    pose proof (enter_made (arrivals s) s) as Hm1.
    pose proof (round_steps less cfg trees oracle later arrivals queue rank s Hi) as Hr.
    pose proof (steps_invariant _ _ _ _ _ _ _ _ _ Hr Hi) as Hi'.
    unfold Forest.round in *. destruct (exhausted (enter (arrivals s) s)) eqn:Ee.
    + assert (E : forall j, run_for j (enter (arrivals s) s) = enter (arrivals s) s)
        by (intros [|j]; cbn [Forest.run_for]; [|rewrite Ee]; reflexivity).
      destruct (nu_mins (enter (arrivals s) s)); rewrite ?E; (split; [reflexivity|left; exact Ee]).
    + destruct (nu_mins (sweep (enter (arrivals s) s))) eqn:Enu.
      * split; [reflexivity|]. right. now apply a_sweep_that_expands_nothing_met_full_trees.
      * apply IH; [exact Hi'| |lia].
        assert (made (enter (arrivals s) s) < made (sweep (enter (arrivals s) s))); [|lia].
        apply a_sweep_that_expands_evaluates; auto. congruence.
Qed.

(** Claim [forest-termination].  Every run of a forest ends, whatever enters: v sweeps are always enough, and
    allowing more gives the same run. *)
Theorem every_run_of_a_forest_ends n : budget cfg <= n -> run_for n start = hunt.
Proof. intros H. apply run_for_ends; [apply start_invariant|lia|exact H]. Qed.

(** Claim [forest-termination].  The run ends with the budget used up or all leaves of all trees deeper than h_max. *)
Theorem a_run_of_a_forest_ends_exhausted_or_full : ended hunt.
Proof. apply (run_for_ends (budget cfg) start) with (m := budget cfg); [apply start_invariant|lia|auto]. Qed.

End ForestEnds.
