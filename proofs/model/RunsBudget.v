(** * A larger budget continues the run of a smaller one. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes RunsEvaluations RunsEnd.

(** The same settings with another budget. *)
Definition with_budget (cfg : settings) (v : nat) : settings :=
  Settings (half cfg) (dimension cfg) (h_max cfg) v (cap_num cfg) (cap_den cfg).

Section RunsBudget.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings) (more : nat).
Hypothesis more_is_more : budget cfg <= more.

Local Notation k := (half cfg).
Local Notation cfg' := (with_budget cfg more).
Local Notation exhausted := (exhausted cfg).
Local Notation exhausted' := (Model.exhausted cfg').

(** [s'] went on from [s]. *)
Definition goes_on (s s' : state V) : Prop := exists newer, log s' = newer ++ log s.

Lemma goes_on_refl s : goes_on s s.
Proof. now exists []. Qed.

Lemma goes_on_trans s s1 s2 : goes_on s s1 -> goes_on s1 s2 -> goes_on s s2.
Proof. intros (a & E) (b & E'). exists (b ++ a). rewrite E', E. apply app_assoc. Qed.

Lemma goes_on_log e s s' : log s' = e :: log s -> goes_on s s'.
Proof. intros E. now exists [e]. Qed.

(** With the larger budget every function of the model goes on. *)
Lemma make_children_goes_on digits x s : goes_on s (snd (make_children less oracle cfg' digits x s)).
Proof.
  revert s; induction digits as [|c digits IH]; intros s; [apply goes_on_refl|].
  cbn [make_children]. destruct ((c =? half cfg') && negb (within_cap cfg' x)).
  - specialize (IH s). destruct (make_children less oracle cfg' digits x s) as [[ch|] s1]; exact IH.
  - destruct (exhausted' s); [apply goes_on_refl|]. cbn [evaluate].
    match goal with |- context [make_children less oracle cfg' digits x ?s2] => set (s1 := s2) end.
    specialize (IH s1).
    assert (H : goes_on s s1) by (eapply goes_on_log; reflexivity).
    destruct (make_children less oracle cfg' digits x s1) as [[ch|] s2]; cbn [snd] in *;
      eapply goes_on_trans; eauto.
Qed.

Lemma expand_goes_on x s : goes_on s (expand less oracle cfg' x s).
Proof.
  unfold expand. set (s1 := State _ _ _ _ _ _ _).
  assert (H : goes_on s s1) by (eapply goes_on_log; reflexivity).
  pose proof (make_children_goes_on (seq 0 (K (half cfg'))) x s1) as H1.
  destruct (make_children less oracle cfg' (seq 0 (K (half cfg'))) x s1) as [[ch|] s2]; cbn [snd] in H1;
    eapply goes_on_trans; eauto.
Qed.

Lemma visit_class_goes_on ms s : goes_on s (visit_class less oracle cfg' ms s).
Proof.
  destruct ms as [|x ms]; [apply goes_on_refl|]. cbn [visit_class].
  destruct (exhausted' s); [apply goes_on_refl|].
  destruct (below less (best (argmin less x ms)) (nu_min s)); [apply expand_goes_on|apply goes_on_refl].
Qed.

Lemma visit_classes_goes_on cs s : goes_on s (visit_classes less oracle cfg' cs s).
Proof.
  revert s; induction cs as [|[r ms] cs IH]; intros s; [apply goes_on_refl|]. cbn [visit_classes].
  eapply goes_on_trans; [apply visit_class_goes_on|apply IH].
Qed.

Lemma visits_goes_on n l s : goes_on s (visits less oracle cfg' n l s).
Proof.
  revert l s; induction n as [|n IH]; intros l s; [apply goes_on_refl|]. cbn [visits].
  destruct (exhausted' s); [apply goes_on_refl|]. eapply goes_on_trans; [|apply IH].
  unfold visit. eapply goes_on_trans; [|apply visit_classes_goes_on].
  eapply goes_on_log; reflexivity.
Qed.

Lemma run_for_goes_on n s : goes_on s (run_for less oracle cfg' n s).
Proof.
  revert s; induction n as [|n IH]; intros s; [apply goes_on_refl|]. cbn [run_for].
  destruct (exhausted' s); [apply goes_on_refl|].
  assert (H : goes_on s (sweep less oracle cfg' s)).
  { unfold sweep. eapply goes_on_trans; [|apply visits_goes_on]. eapply goes_on_log; reflexivity. }
  destruct (nu_min (sweep less oracle cfg' s)); [|exact H]. eapply goes_on_trans; [exact H|apply IH].
Qed.

(** The two runs: in one state while the smaller budget lasts; then the larger one goes on. *)
Definition together (s s' : state V) : Prop :=
  (exhausted s = false /\ s' = s) \/ (exhausted s = true /\ goes_on s s').

Lemma together_same s : together s s.
Proof. unfold together. destruct (exhausted s); [right|left]; auto using goes_on_refl. Qed.

Lemma not_exhausted' (s : state V) : exhausted s = false -> exhausted' s = false.
Proof. unfold Model.exhausted. cbn [budget with_budget]. rewrite !Nat.leb_gt. lia. Qed.

Lemma make_children_together digits x s :
  make_children less oracle cfg' digits x s = make_children less oracle cfg digits x s \/
  (fst (make_children less oracle cfg digits x s) = None /\
   exhausted (snd (make_children less oracle cfg digits x s)) = true /\
   goes_on (snd (make_children less oracle cfg digits x s))
     (snd (make_children less oracle cfg' digits x s))).
Proof.
  revert s; induction digits as [|c digits IH]; intros s; [left; reflexivity|].
  destruct (exhausted s) eqn:Ex.
  - destruct ((c =? k) && negb (within_cap cfg x)) eqn:Ec.
    + cbn [make_children]. change (half cfg') with k.
      change (within_cap cfg' x) with (within_cap cfg x). rewrite Ec.
      destruct (IH s) as [-> |(H1 & H2 & H3)]; [left; reflexivity|right].
      destruct (make_children less oracle cfg digits x s) as [[ch|] s1]; [discriminate|].
      destruct (make_children less oracle cfg' digits x s) as [[ch'|] s2]; cbn [fst snd] in *; auto.
    + right. pose proof (make_children_goes_on (c :: digits) x s) as H.
      assert (E : make_children less oracle cfg (c :: digits) x s = (None, s)).
      { cbn [make_children]. now rewrite Ec, Ex. }
      rewrite E. cbn [fst snd]. auto.
  - cbn [make_children]. change (half cfg') with k.
    change (within_cap cfg' x) with (within_cap cfg x). rewrite Ex, (not_exhausted' s Ex).
    destruct ((c =? k) && negb (within_cap cfg x)).
    + destruct (IH s) as [-> |(H1 & H2 & H3)]; [left; reflexivity|right].
      destruct (make_children less oracle cfg digits x s) as [[ch|] s1]; [discriminate|].
      destruct (make_children less oracle cfg' digits x s) as [[ch'|] s2]; cbn [fst snd] in *; auto.
    + cbn [evaluate]. change (half cfg') with k.
      match goal with |- context [make_children less oracle cfg digits x ?s2] => set (s1 := s2) end.
      destruct (IH s1) as [-> |(H1 & H2 & H3)]; [left; reflexivity|right].
      destruct (make_children less oracle cfg digits x s1) as [[ch|] s2]; [discriminate|].
      destruct (make_children less oracle cfg' digits x s1) as [[ch'|] s3]; cbn [fst snd] in *; auto.
Qed.

Lemma expand_together x s :
  together (expand less oracle cfg x s) (expand less oracle cfg' x s).
Proof.
  unfold expand. change (half cfg') with k. set (s1 := State _ _ _ _ _ _ _).
  destruct (make_children_together (seq 0 (K k)) x s1) as [-> |(H1 & H2 & H3)]; [apply together_same|].
  destruct (make_children less oracle cfg (seq 0 (K k)) x s1) as [[ch|] s2]; [discriminate|].
  right. cbn [snd] in *. split; [exact H2|]. eapply goes_on_trans; [exact H3|].
  destruct (make_children less oracle cfg' (seq 0 (K k)) x s1) as [[ch'|] s3]; now exists [].
Qed.

Lemma visit_classes_together cs s s' :
  together s s' -> together (visit_classes less oracle cfg cs s) (visit_classes less oracle cfg' cs s').
Proof.
  revert s s'; induction cs as [|[r ms] cs IH]; intros s s' H; [exact H|]. cbn [visit_classes].
  apply IH. destruct H as [[Hx ->]|[Hx H]].
  - destruct ms as [|x ms]; [left; auto|]. cbn [visit_class]. rewrite Hx, (not_exhausted' s Hx).
    destruct (below less (best (argmin less x ms)) (nu_min s)); [apply expand_together|left; auto].
  - right. destruct ms as [|x ms]; cbn [visit_class].
    + auto.
    + rewrite Hx. split; [exact Hx|]. eapply goes_on_trans; [exact H|].
      apply (visit_class_goes_on (x :: ms)).
Qed.

Lemma visits_together n l s s' :
  together s s' -> together (visits less oracle cfg n l s) (visits less oracle cfg' n l s').
Proof.
  revert l s s'; induction n as [|n IH]; intros l s s' H; [exact H|].
  destruct H as [[Hx ->]|[Hx H]].
  - cbn [visits]. rewrite Hx, (not_exhausted' s Hx). apply IH. unfold visit.
    apply visit_classes_together. apply together_same.
  - right. assert (E : visits less oracle cfg (S n) l s = s) by (cbn [visits]; now rewrite Hx).
    rewrite E. split; [exact Hx|]. eapply goes_on_trans; [exact H|apply visits_goes_on].
Qed.

Lemma run_for_together n s s' :
  together s s' -> together (run_for less oracle cfg n s) (run_for less oracle cfg' n s').
Proof.
  revert s s'; induction n as [|n IH]; intros s s' H; [exact H|].
  destruct H as [[Hx ->]|[Hx H]].
  - cbn [run_for]. rewrite Hx, (not_exhausted' s Hx).
    assert (Hs : together (sweep less oracle cfg s) (sweep less oracle cfg' s)).
    { unfold sweep. change (limit cfg' s) with (limit cfg s). apply visits_together.
      apply together_same. }
    pose proof Hs as Hs0. destruct Hs as [[Hx' E]|[Hx' Hg]].
    + rewrite E. destruct (nu_min (sweep less oracle cfg s)); [|left; auto].
      apply IH. left. auto.
    + assert (E : forall m, run_for less oracle cfg m (sweep less oracle cfg s) = sweep less oracle cfg s)
        by (intros [|m]; cbn [run_for]; [|rewrite Hx']; reflexivity).
      rewrite E. right. destruct (nu_min (sweep less oracle cfg s));
        (split; [exact Hx'|]; destruct (nu_min (sweep less oracle cfg' s));
          [eapply goes_on_trans; [exact Hg|apply run_for_goes_on]|exact Hg]).
  - right. assert (E : run_for less oracle cfg (S n) s = s) by (cbn [run_for]; now rewrite Hx).
    rewrite E. split; [exact Hx|]. eapply goes_on_trans; [exact H|apply run_for_goes_on].
Qed.

(** Claim [budget-exact].  A run with a larger budget (and the same h_max) begins with the whole run of the smaller
    budget, event by event: so one long run shows the answers of all smaller budgets. *)
Theorem a_larger_budget_continues_the_run :
  1 <= k ->
  exists newer, log (hunt less oracle cfg') = newer ++ log (hunt less oracle cfg).
Proof.
  intros Hk.
  assert (H : together (run_for less oracle cfg more (start oracle cfg))
    (run_for less oracle cfg' more (start oracle cfg)))
    by (apply run_for_together, together_same).
  rewrite (the_run_ends less oracle cfg Hk more more_is_more) in H.
  change (run_for less oracle cfg' more (start oracle cfg)) with (hunt less oracle cfg') in H.
  destruct H as [[_ ->]|[_ H]]; [now exists []|exact H].
Qed.

End RunsBudget.
