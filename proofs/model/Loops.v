(** * The loops of the model, once for all: what every sweep does because its steps do.

    [kept]: a relation between earlier and later states of one run.  [in_step]: two runs, with two oracles or two budgets,
    are in one state until they part; then they stay apart. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes.

(** A relation that the three steps keep while budget is left. *)
Record kept {V : Type} less oracle cfg (G : state V -> state V -> Prop) : Prop := Kept {
  kept_none : forall s, G s s;
  kept_more : forall s s1 s2, G s s1 -> G s1 s2 -> G s s2;
  kept_sweep : forall s, exhausted cfg s = false -> G s (begin_sweep cfg s);
  kept_visit : forall l s, exhausted cfg s = false -> G s (begin_visit l s);
  kept_expand : forall x s, exhausted cfg s = false -> G s (expand less oracle cfg x s)
}.

Section OneRun.

Context {V : Type} {less : V -> V -> bool} {oracle : path -> nat -> V} {cfg : settings} {G : state V -> state V -> Prop}.
Hypothesis K : kept less oracle cfg G.

Lemma visit_classes_kept cs s : G s (visit_classes less oracle cfg cs s).
Proof.
  revert s; induction cs as [|[r ms] cs IH]; intros s; [apply (kept_none _ _ _ _ K)|]. cbn [visit_classes].
  eapply (kept_more _ _ _ _ K); [|apply IH]. destruct ms as [|x ms]; [apply (kept_none _ _ _ _ K)|]. cbn [visit_class].
  destruct (exhausted cfg s) eqn:Ex; [apply (kept_none _ _ _ _ K)|].
  destruct (below _ _ _); [now apply (kept_expand _ _ _ _ K)|apply (kept_none _ _ _ _ K)].
Qed.

Lemma visits_kept n l s : G s (visits less oracle cfg n l s).
Proof.
  revert l s; induction n as [|n IH]; intros l s; [apply (kept_none _ _ _ _ K)|]. cbn [visits].
  destruct (exhausted cfg s) eqn:Ex; [apply (kept_none _ _ _ _ K)|]. eapply (kept_more _ _ _ _ K); [|apply IH].
  eapply (kept_more _ _ _ _ K); [now apply (kept_visit _ _ _ _ K)|apply visit_classes_kept].
Qed.

Lemma run_for_kept n s : G s (run_for less oracle cfg n s).
Proof.
  revert s; induction n as [|n IH]; intros s; [apply (kept_none _ _ _ _ K)|]. cbn [run_for].
  destruct (exhausted cfg s) eqn:Ex; [apply (kept_none _ _ _ _ K)|].
  assert (H : G s (sweep less oracle cfg s)).
  { eapply (kept_more _ _ _ _ K); [now apply (kept_sweep _ _ _ _ K)|apply visits_kept]. }
  destruct (nu_min _); [|exact H]. eapply (kept_more _ _ _ _ K); [exact H|apply IH].
Qed.

End OneRun.

Section TwoRuns.

Context {V : Type} {less : V -> V -> bool} {oracle oracle' : path -> nat -> V} {cfg cfg' : settings}.
Context {G G' apart : state V -> state V -> Prop}.
Hypothesis K : kept less oracle cfg G.
Hypothesis K' : kept less oracle' cfg' G'.

(** In one state, or apart. *)
Definition related (s s' : state V) : Prop := s = s' \/ apart s s'.

Hypothesis same_h_max : h_max cfg' = h_max cfg.
Hypothesis less_budget : forall s : state V, exhausted cfg s = false -> exhausted cfg' s = false.
Hypothesis apart_stays : forall s s' t t', apart s s' -> G s t -> G' s' t' -> apart t t'.
Hypothesis apart_at_the_end : forall s, exhausted cfg s = true -> exhausted cfg' s = false -> apart s s.
Hypothesis related_expand : forall x s, exhausted cfg s = false ->
  related (expand less oracle cfg x s) (expand less oracle' cfg' x s).

(** Functions that do nothing when the budget is used up keep the two runs related. *)
Lemma stay_related F F' s s' :
  (forall s, G s (F s)) -> (forall s, G' s (F' s)) -> (forall s, exhausted cfg s = true -> F s = s) ->
  (forall s, exhausted cfg' s = true -> F' s = s) -> (forall s, exhausted cfg s = false -> related (F s) (F' s)) ->
  related s s' -> related (F s) (F' s').
Proof.
  intros HG HG' End End' H [<-|D]; [|right; eapply apart_stays; eauto].
  destruct (exhausted cfg s) eqn:Ex; [|auto]. rewrite End by exact Ex.
  destruct (exhausted cfg' s) eqn:Ex'; [left; symmetry; now apply End'|right].
  apply (apart_stays s s); [now apply apart_at_the_end|apply (kept_none _ _ _ _ K)|apply HG'].
Qed.

Lemma visit_classes_exhausted {o c} cs (s : state V) : exhausted c s = true -> visit_classes less o c cs s = s.
Proof.
  intros Ex. induction cs as [|[r [|x ms]] cs IH]; cbn [visit_classes visit_class]; [reflexivity|exact IH|].
  rewrite Ex. exact IH.
Qed.

Lemma visit_classes_related cs s s' : related s s' ->
  related (visit_classes less oracle cfg cs s) (visit_classes less oracle' cfg' cs s').
Proof.
  revert s s'; induction cs as [|[r ms] cs IH]; intros s s' H; [exact H|]. cbn [visit_classes]. apply IH.
  destruct ms as [|x ms]; [exact H|].
  apply (stay_related (visit_class less oracle cfg (x :: ms)) (visit_class less oracle' cfg' (x :: ms))); [| | | | |exact H].
  - intros t. exact (visit_classes_kept K [(r, x :: ms)] t).
  - intros t. exact (visit_classes_kept K' [(r, x :: ms)] t).
  - intros t. exact (visit_classes_exhausted [(r, x :: ms)] t).
  - intros t. exact (visit_classes_exhausted [(r, x :: ms)] t).
  - intros t Ex. cbn [visit_class]. rewrite Ex, (less_budget t Ex). destruct (below _ _ _); [now apply related_expand|now left].
Qed.

Lemma visits_related n l s s' : related s s' -> related (visits less oracle cfg n l s) (visits less oracle' cfg' n l s').
Proof.
  revert l s s'; induction n as [|n IH]; intros l s s'; [auto|].
  apply (stay_related (visits less oracle cfg (S n) l) (visits less oracle' cfg' (S n) l)).
  - apply (visits_kept K).
  - apply (visits_kept K').
  - intros t Ex. cbn [visits]. now rewrite Ex.
  - intros t Ex. cbn [visits]. now rewrite Ex.
  - intros t Ex. cbn [visits]. rewrite Ex, (less_budget t Ex). apply IH, visit_classes_related. now left.
Qed.

Lemma run_for_related n s s' : related s s' -> related (run_for less oracle cfg n s) (run_for less oracle' cfg' n s').
Proof.
  revert s s'; induction n as [|n IH]; intros s s'; [auto|].
  apply (stay_related (run_for less oracle cfg (S n)) (run_for less oracle' cfg' (S n))).
  - apply (run_for_kept K).
  - apply (run_for_kept K').
  - intros t Ex. cbn [run_for]. now rewrite Ex.
  - intros t Ex. cbn [run_for]. now rewrite Ex.
  - intros t Ex. cbn [run_for]. rewrite Ex, (less_budget t Ex).
    assert (H : related (sweep less oracle cfg t) (sweep less oracle' cfg' t)).
    { unfold sweep, begin_sweep, limit. rewrite same_h_max. apply visits_related. now left. }
    destruct H as [<-|D]; [destruct (nu_min _); [apply IH|]; now left|right].
    apply (apart_stays _ _ _ _ D); destruct (nu_min _);
      [apply (run_for_kept K)|apply (kept_none _ _ _ _ K)|apply (run_for_kept K')|apply (kept_none _ _ _ _ K')].
Qed.

End TwoRuns.
