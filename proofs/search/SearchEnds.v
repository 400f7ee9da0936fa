(** * The run of a search: sweep after sweep, until the budget is used up or nothing is left to expand. *)

From EmbeddedHunter Require Import Lists Search SearchSteps SearchSweep.

Section SearchEnds.

Context {A : search} {holds : state -> Prop} (L : lawful A holds).

(** A sweep over all leaves that expands nothing has nothing to expand. *)
Lemma an_idle_sweep_met_full_trees s :
  (forall x, In x (leaves s) -> ranges (begin_sweep s) x = true) ->
  exhausted s = false -> holds s -> (forall u, nu u (sweep s) = None) -> nothing_to_expand (sweep s).
Proof.
  intros Hr Hx Hi He. destruct (a_sweep_that_expands_nothing L s Hx Hi He) as (H1 & _ & H3).
  intros x Hin. rewrite H1 in Hin. auto.
Qed.

(** A sweep ends the run only if nothing is left to expand. *)
Hypothesis last_sweep : forall s, exhausted s = false -> holds s -> idle (sweep s) = true -> nothing_to_expand (sweep s).

(** One more sweep: either the run goes on, or it has ended. *)
Lemma run_for_next n s :
  holds s ->
  (exhausted (run_for n s) = true /\ run_for (S n) s = run_for n s) \/
  (exhausted (run_for n s) = false /\
   (run_for (S n) s = round (run_for n s) \/
    (run_for (S n) s = run_for n s /\ nothing_to_expand (run_for n s)))).
Proof.
  revert s; induction n as [|n IH]; intros s Hi.
  - cbn [run_for]. destruct (exhausted s); [left; auto|right; split; [reflexivity|]].
    left. destruct (idle (round s)); reflexivity.
  - change (run_for (S (S n)) s) with (if exhausted s then s else
      let s' := round s in if idle s' then s' else run_for (S n) s').
    change (run_for (S n) s) with (if exhausted s then s else
      let s' := round s in if idle s' then s' else run_for n s').
    destruct (exhausted s) eqn:Ex; [left; auto|]. cbv zeta. pose proof (round_steps L s Hi) as Hr.
    destruct (idle (round s)) eqn:El; [|apply IH; exact (steps_hold L _ _ Hr Hi)].
    destruct (exhausted (round s)) eqn:Ex'; [left; auto|]. right. split; [reflexivity|]. right. split; [reflexivity|].
    unfold round in *. destruct (exhausted (enter s)) eqn:Ee; [congruence|].
    apply last_sweep; auto. exact (steps_hold L _ _ (enter_steps _ L s) Hi).
Qed.

Lemma rounds_next n s : rounds n (round s) = rounds (S n) s.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [rounds] in *. now rewrite IH. Qed.

(** As long as the run has not ended, it has made all its rounds. *)
Lemma run_for_is_rounds n s : holds s ->
  exhausted (run_for n s) = true \/ nothing_to_expand (run_for n s) \/ run_for n s = rounds n s.
Proof.
  revert s; induction n as [|n IH]; intros s Hi; [auto|]. cbn [run_for].
  destruct (exhausted s) eqn:Ex; [auto|]. pose proof (round_steps L s Hi) as Hr.
  destruct (idle (round s)) eqn:El; [|rewrite <- rounds_next; apply IH; exact (steps_hold L _ _ Hr Hi)].
  unfold round in *. destruct (exhausted (enter s)) eqn:Ee; [auto|]. right. left.
  apply last_sweep; auto. exact (steps_hold L _ _ (enter_steps _ L s) Hi).
Qed.

Lemma run_for_steps_next n s : holds s -> steps (run_for n s) (run_for (S n) s).
Proof.
  intros Hi. destruct (run_for_next n s Hi) as [[_ ->]|[_ [-> |[-> _]]]]; [apply steps_none| |apply steps_none].
  apply (round_steps L). exact (steps_hold L _ _ (run_for_steps L n s Hi) Hi).
Qed.

Lemma run_for_steps_later n m s : holds s -> n <= m -> steps (run_for n s) (run_for m s).
Proof.
  intros Hi. induction 1 as [|m _ IH]; [apply steps_none|].
  eapply steps_trans; [exact IH|]. now apply run_for_steps_next.
Qed.

(** An exhausted run stays as it is. *)
Lemma exhausted_run_stays n m s :
  holds s -> n <= m -> exhausted (run_for n s) = true -> run_for m s = run_for n s.
Proof.
  intros Hi H Hx. induction H as [|m H IH]; [reflexivity|].
  destruct (run_for_next m s Hi) as [[_ E]|[E _]]; [now rewrite E|]. rewrite IH in E. congruence.
Qed.

(** ** Iterations *)

(** A sweep deepens the leaves by one at most. *)
Lemma sweep_deepens s b : holds s ->
  (forall x, In x (leaves s) -> depth x <= b) -> forall x, In x (leaves (sweep s)) -> depth x <= S b.
Proof.
  intros Hi Hb. pose proof (limit_at_most _ L s b Hb) as Hl. destruct (exhausted s) eqn:Ex.
  - intros x. unfold sweep. cbn [visits]. rewrite (exhausted_same s), Ex, (leaves_sweep _ L) by apply (made_sweep _ L). auto.
  - pose proof (sweep_moves L s Hi) as H. revert H. generalize (sweep s).
    refine (moves_induction L _ _ _ (holds_sweep _ L s Ex Hi) _ _ _).
    + rewrite (leaves_sweep _ L). auto.
    + intros l s1 _ _ _ IH. now rewrite (leaves_visit _ L).
    + intros y s1 Hx Hin Hd _ _ Hi1 IH x Hx'.
      destruct (leaves_expand _ L y s1 Hi1 Hx Hin) as [[E _]|(l1 & ch & l2 & E & E' & _ & Hc)]; [rewrite E in Hx'; auto|].
      rewrite E', !in_app_iff in Hx'. destruct Hx' as [H|[H|H]]; [|rewrite (Hc x H); lia|];
        apply IH; rewrite E, in_app_iff; cbn; auto.
Qed.

Section FromTheRoots.
Context (s : state) (s_holds : holds s).
Hypothesis leaves_are_roots : forall x, In x (leaves s) -> depth x = 0.

Lemma depth_after_sweeps n : forall x, In x (leaves (run_for n s)) -> depth x <= n.
Proof.
  induction n as [|n IH]; intros x; [intros H; apply leaves_are_roots in H; lia|].
  destruct (run_for_next n s s_holds) as [[_ ->]|[_ [-> |[-> _]]]]; [intros H; specialize (IH x H); lia| |intros H; specialize (IH x H); lia].
  assert (He : forall y, In y (leaves (enter (run_for n s))) -> depth y <= n)
    by (intros y Hy; destruct (leaves_enter _ L _ y Hy); [auto|lia]).
  unfold round. destruct (exhausted _); [intros H; specialize (He x H); lia|].
  apply sweep_deepens; [|exact He].
  exact (steps_hold L _ _ (enter_steps _ L _) (steps_hold L _ _ (run_for_steps L n s s_holds) s_holds)).
Qed.

(** When sweep n + 1 begins, the leaves have depth n at most. *)
Lemma n_sweeps_iterations n : iterations (run_for n s) <= iterations s + triangle (S h_max) n.
Proof.
  induction n as [|n IH]; [cbn; lia|]. cbn [triangle].
  destruct (run_for_next n s s_holds) as [[_ ->]|[_ [-> |[-> _]]]]; [lia| |lia].
  set (s1 := enter (run_for n s)). pose proof (iterations_enter _ L (run_for n s)) as E. fold s1 in E.
  unfold round. fold s1. destruct (exhausted s1) eqn:Ex; [lia|].
  assert (Hi : holds s1)
    by exact (steps_hold L _ _ (enter_steps _ L _) (steps_hold L _ _ (run_for_steps L n s s_holds) s_holds)).
  pose proof (sweep_iterations L s1 Hi). pose proof (limit_h_max _ L s1).
  assert (limit s1 <= n).
  { apply (limit_at_most _ L). intros y Hy. destruct (leaves_enter _ L _ y Hy) as [H1|H1]; [exact (depth_after_sweeps n y H1)|lia]. }
  lia.
Qed.

End FromTheRoots.

(** ** Every run ends *)

Definition ended (s : state) : Prop := exhausted s = true \/ nothing_to_expand s.

Hypothesis expansions_evaluate : forall x s,
  exhausted s = false -> holds s -> In x (leaves s) -> made s < made (expand x s).

(** A sweep that expands something makes an evaluation. *)
Lemma a_sweep_that_expands_evaluates s :
  exhausted s = false -> holds s ->
  made s <= made (sweep s) /\ ((forall u, nu u (sweep s) = None) \/ made s < made (sweep s)).
Proof.
  intros Hx Hi. pose proof (holds_sweep _ L s Hx Hi) as Hb.
  pose proof (sweep_moves L s Hi) as H. revert H. generalize (sweep s).
  refine (moves_induction L _ _ _ Hb _ _ _).
  - rewrite (made_sweep _ L). split; [auto|]. left. intros u. apply (nu_sweep _ L).
  - intros l s1 _ _ _ [H1 H2]. rewrite (made_visit _ L). split; [exact H1|].
    destruct H2 as [H2|H2]; [left|auto]. intros u. now rewrite (nu_visit _ L).
  - intros x s1 H1 H2 _ _ _ H3 [H4 _]. pose proof (expansions_evaluate x s1 H1 H3 H2). split; [lia|right; lia].
Qed.

(** A bound on the number of sweeps that a run still makes. *)
Context (left : state -> nat).
Hypothesis none_left : forall s, left s = 0 -> exhausted s = true.
Hypothesis left_enter : forall s, holds s -> left (enter s) <= left s.
Hypothesis left_sweep : forall s, exhausted s = false -> holds s -> idle (sweep s) = false -> left (sweep s) < left s.

Lemma run_for_ends n s :
  holds s -> left s <= n -> forall m, n <= m -> run_for m s = run_for n s /\ ended (run_for n s).
Proof.
  revert s; induction n as [|n IH]; intros s Hi Hb m Hm.
  - assert (Hx : exhausted s = true) by (apply none_left; lia).
    split; [|left; exact Hx]. destruct m; [reflexivity|]. cbn [run_for]. now rewrite Hx.
  - destruct m as [|m]; [lia|]. cbn [run_for].
    destruct (exhausted s) eqn:Ex; [split; [reflexivity|left; exact Ex]|].
    pose proof (steps_hold L _ _ (enter_steps _ L s) Hi) as Hi1.
    pose proof (left_enter s Hi) as Hm1.
    pose proof (steps_hold L _ _ (round_steps L s Hi) Hi) as Hi2.
    unfold round in *. destruct (exhausted (enter s)) eqn:Ee.
    + assert (E : forall j, run_for j (enter s) = enter s) by (intros [|j]; cbn [run_for]; [|rewrite Ee]; reflexivity).
      destruct (idle (enter s)); rewrite ?E; (split; [reflexivity|left; exact Ee]).
    + destruct (idle (sweep (enter s))) eqn:El.
      * split; [reflexivity|]. right. now apply last_sweep.
      * apply IH; [exact Hi2| |lia]. pose proof (left_sweep _ Ee Hi1 El). lia.
Qed.

End SearchEnds.
