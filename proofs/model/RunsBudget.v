(** * A larger budget continues the run of a smaller one. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Loops RunsEvaluations RunsEnd.

(** The same settings with another budget. *)
Definition with_budget (cfg : settings) (v : nat) : settings :=
  Settings (half cfg) (dimension cfg) (h_max cfg) v (cap_num cfg) (cap_den cfg).

Section RunsBudget.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (more : nat).
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

Lemma larger_budget_kept : kept less oracle cfg' goes_on.
Proof.
  split; [exact goes_on_refl|exact goes_on_trans| | |].
  - intros s _. now eapply goes_on_log.
  - intros l s _. now eapply goes_on_log.
  - intros x s _. unfold expand. set (s1 := State _ _ _ _ _ _ _).
    assert (H : goes_on s s1) by (eapply goes_on_log; reflexivity).
    pose proof (make_children_goes_on (seq 0 (K (half cfg'))) x s1) as H1.
    destruct (make_children less oracle cfg' (seq 0 (K (half cfg'))) x s1) as [[ch|] s2]; cbn [snd] in H1;
      eapply goes_on_trans; eauto.
Qed.

(** The two runs part when the smaller budget is used up; then the larger one goes on. *)
Definition together : state V -> state V -> Prop := related (apart := fun s s' => exhausted s = true /\ goes_on s s').

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
  destruct (make_children_together (seq 0 (K k)) x s1) as [-> |(H1 & H2 & H3)]; [now left|].
  destruct (make_children less oracle cfg (seq 0 (K k)) x s1) as [[ch|] s2]; [discriminate|].
  right. cbn [snd] in *. split; [exact H2|]. eapply goes_on_trans; [exact H3|].
  destruct (make_children less oracle cfg' (seq 0 (K k)) x s1) as [[ch'|] s3]; now exists [].
Qed.

(** A used up budget ends the smaller run. *)
Lemma smaller_budget_kept : kept less oracle cfg (fun s s' => exhausted s = true -> s' = s).
Proof.
  split; [auto| |congruence|congruence|congruence].
  intros s s1 s2 H H1 Ex. specialize (H Ex). subst s1. auto.
Qed.

(** Claim [budget-exact].  A run with a larger budget (and the same h_max) begins with the whole run of the smaller
    budget, event by event: so one long run shows the answers of all smaller budgets. *)
Theorem a_larger_budget_continues_the_run :
  1 <= k ->
  exists newer, log (hunt less oracle cfg') = newer ++ log (hunt less oracle cfg).
Proof.
  intros Hk. rewrite <- (the_run_ends less oracle cfg Hk more more_is_more).
  destruct (run_for_related smaller_budget_kept larger_budget_kept eq_refl not_exhausted'
    (apart := fun s s' => exhausted s = true /\ goes_on s s')) with (n := more) (s := start oracle cfg) (s' := start oracle cfg)
    as [E|[_ H]]; [| | |now left| |exact H].
  - intros s s' t t' [Ex H] Hs Hs'. rewrite (Hs Ex). split; [exact Ex|]. eapply goes_on_trans; eauto.
  - intros s Ex _. split; [exact Ex|apply goes_on_refl].
  - intros x s _. apply expand_together.
  - rewrite E. now exists [].
Qed.

End RunsBudget.
