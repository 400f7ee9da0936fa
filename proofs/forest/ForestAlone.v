(** * The answer with local search is at most that of the forest alone with its share of the budget.

    Evaluations outside the forest change nothing in it.  So a run with them does what the forest alone would do, as long
    as the forest alone has budget, and its answer is at most as large; it may have found more outside. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Paths Order Forest ForestNodes ForestClasses ForestSteps
  ForestLoops ForestSweep ForestEnds ForestRuns ForestDefault ForestOutside ForestLocalSearch.

(** Other settings with the budget [w]. *)
Definition with_budget (w : nat) (cfg : forest_settings) : forest_settings :=
  ForestSettings (Settings (half cfg) (dimension cfg) (h_max cfg) w (cap_num cfg) (cap_den cfg)) (dimension_of cfg) (turns cfg).

Section ForestAlone.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later later' : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

(** The budget of the forest alone. *)
Variable w : nat.
Local Notation cfg' := (with_budget w cfg).

Variables share slack : nat.
Hypothesis order : total_order less.
Hypothesis trees_positive : 1 <= trees.
Hypothesis share_positive : 1 <= share.
Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.
Hypothesis few_asides : forall s, length (arrivals s) <= share * own_made trees s + slack - made s.
Hypothesis enough : share * w + slack <= budget cfg.

Local Notation own_made := (own_made trees).
Local Notation at_most := (at_most less).

(** ** The answer never grows *)

Definition falls (s s2 : forest V) : Prop := at_most (answer s2) (answer s).

Lemma falls_refl s : falls s s.
Proof. unfold falls. now apply at_most_refl. Qed.
Lemma falls_trans s s1 s2 : falls s s1 -> falls s1 s2 -> falls s s2.
Proof. intros H H2. exact (at_most_trans less order _ _ _ H2 H). Qed.

Lemma evaluate_falls p s : falls s (snd (Forest.evaluate less trees oracle later p s)).
Proof. unfold falls, Forest.evaluate. cbn [snd answer]. now apply smaller_at_most_old. Qed.

Lemma make_children_falls digits x s : falls s (snd (Forest.make_children less cfg trees oracle later digits x s)).
Proof.
  revert s. induction digits as [|c digits IH]; intros s; cbn [Forest.make_children]; [apply falls_refl|].
  destruct (c =? half cfg).
  - specialize (IH s). now destruct (Forest.make_children less cfg trees oracle later digits x s) as [[]].
  - destruct (Forest.exhausted cfg s); [apply falls_refl|].
    pose proof (evaluate_falls (c :: place x) s) as He. unfold Forest.evaluate in *. cbn [snd] in He.
    match goal with |- context [Forest.make_children _ _ _ _ _ digits x ?s1] => specialize (IH s1); set (s2 := s1) in * end.
    destruct (Forest.make_children less cfg trees oracle later digits x s2) as [[]]; eapply falls_trans; eassumption.
Qed.

Lemma expand_falls x s : falls s (Forest.expand less cfg trees oracle later queue x s).
Proof.
  unfold Forest.expand. match goal with |- context [Forest.make_children _ _ _ _ _ ?ds x ?s1] =>
    pose proof (make_children_falls ds x s1) as H; destruct (Forest.make_children less cfg trees oracle later ds x s1) as [[]] end;
    exact H.
Qed.

Lemma visit_class_falls u ms s : falls s (Forest.visit_class less cfg trees oracle later queue u ms s).
Proof.
  destruct ms as [|x ms]; cbn [Forest.visit_class]; [apply falls_refl|]. destruct (Forest.exhausted cfg s); [apply falls_refl|].
  destruct (below _ _ _); [apply expand_falls|apply falls_refl].
Qed.

Lemma visit_classes_falls cs s : falls s (Forest.visit_classes less cfg trees oracle later queue cs s).
Proof.
  revert s. induction cs as [|[r ms] cs IH]; intros s; cbn [Forest.visit_classes]; [apply falls_refl|].
  eapply falls_trans; [apply visit_class_falls|apply IH].
Qed.

Lemma visits_fall n l s : falls s (Forest.visits less cfg trees oracle later queue rank n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s; cbn [Forest.visits]; [apply falls_refl|].
  destruct (Forest.exhausted cfg s); [apply falls_refl|]. eapply falls_trans; [|apply IH].
  exact (visit_classes_falls _ (Forest.begin_visit l s)).
Qed.

Lemma enter_falls news s : falls s (enter less cfg trees oracle later news s).
Proof.
  revert s. induction news as [|a news IH]; intros s; cbn [Forest.enter]; [apply falls_refl|].
  destruct (Forest.exhausted cfg s); [apply falls_refl|]. eapply falls_trans; [|apply IH].
  destruct a; [unfold falls; now apply at_most_refl| |]; exact (evaluate_falls [roots s] s).
Qed.

Lemma round_falls s : falls s (round less cfg trees oracle later arrivals queue rank s).
Proof.
  unfold Forest.round. pose proof (enter_falls (arrivals s) s) as H.
  destruct (Forest.exhausted cfg _); [exact H|]. eapply falls_trans; [exact H|].
  exact (visits_fall _ _ (Forest.begin_sweep cfg (enter less cfg trees oracle later (arrivals s) s))).
Qed.

Lemma run_falls n s : falls s (Forest.run_for less cfg trees oracle later arrivals queue rank n s).
Proof.
  revert s. induction n as [|n IH]; intros s; cbn [Forest.run_for]; [apply falls_refl|].
  destruct (Forest.exhausted cfg s); [apply falls_refl|]. cbv zeta.
  destruct (Forest.idle _ _); [apply round_falls|]. eapply falls_trans; [apply round_falls|apply IH].
Qed.

(** ** The two runs side by side *)

(** A node of the forest. *)
Definition ours (x : leaf V) : Prop := place x <> [] /\ tree_of (place x) < trees.

(** The same forest; [s] is a state with evaluations outside the forest, [s'] one of the forest alone. *)
Record beside (s s' : forest V) : Prop := Beside {
  same_leaves : leaves s = leaves s';
  leaves_are_ours : forall x, In x (leaves s) -> ours x;
  same_nu_mins : nu_mins s = nu_mins s';
  same_sweeps : sweeps s = sweeps s';
  own_is_all : own_made s = made s';
  within_share : made s <= share * own_made s + slack;
  numbers_taken : trees <= roots s;
  no_worse : at_most (answer s) (answer s')
}.

Local Notation spent s' := (Forest.exhausted cfg' s' = true).

(** Beside each other, until the budget of the forest alone is used up. *)
Definition ahead (s s' : forest V) : Prop := beside s s' \/ spent s' /\ at_most (answer s) (answer s').

Lemma budget_remains s s' : beside s s' -> Forest.exhausted cfg' s' = false -> Forest.exhausted cfg s = false.
Proof.
  intros H Hx. apply not_exhausted in Hx. apply not_exhausted. cbn [budget shared with_budget] in Hx.
  pose proof (own_is_all _ _ H). pose proof (within_share _ _ H). nia.
Qed.

Lemma ahead_no_worse s s' : ahead s s' -> at_most (answer s) (answer s').
Proof. intros [H|[_ H]]; [apply H|exact H]. Qed.

(** Whatever the run does once the forest alone is at its end. *)
Lemma ahead_spent s s2 s' : ahead s s' -> spent s' -> falls s s2 -> ahead s2 s'.
Proof.
  intros H Hx Hf. right. split; [exact Hx|].
  exact (at_most_trans less order _ _ _ Hf (ahead_no_worse _ _ H)).
Qed.

Lemma smaller_mono (v a b : V) : at_most a b -> at_most (smaller less v a) (smaller less v b).
Proof.
  intros H. destruct (smaller_is_one_of less v b) as [E|E]; rewrite E.
  - now apply smaller_at_most_new.
  - apply (at_most_trans less order _ a); [now apply smaller_at_most_old|exact H].
Qed.

Lemma beside_evaluate p s s' : tree_of p < trees -> beside s s' ->
  fst (Forest.evaluate less trees oracle later p s) = fst (Forest.evaluate less trees oracle later' p s') /\
  beside (snd (Forest.evaluate less trees oracle later p s)) (snd (Forest.evaluate less trees oracle later' p s')).
Proof.
  intros Ht [H1 H2 H3 H0 H4 H5 H6 H7]. apply Nat.ltb_lt in Ht.
  assert (E : sample trees oracle later p s = sample trees oracle later' p s') by (unfold Forest.sample; now rewrite Ht).
  unfold Forest.evaluate. cbn [fst snd]. split; [exact E|].
  assert (Ho : own_made (snd (Forest.evaluate less trees oracle later p s)) = S (own_made s)).
  { unfold ForestDefault.own_made, Forest.evaluate. cbn [snd log evaluations filter]. unfold own at 1. cbn [fst]. now rewrite Ht. }
  unfold Forest.evaluate in Ho. cbn [snd] in Ho.
  split; cbn [leaves nu_mins sweeps made roots answer]; auto; [congruence|rewrite Ho; nia|].
  rewrite E. now apply smaller_mono.
Qed.

Lemma make_children_places digits x s ch s2 : Forest.make_children less cfg trees oracle later digits x s = (Some ch, s2) ->
  forall y, In y ch -> exists c, place y = c :: place x.
Proof.
  revert s ch s2. induction digits as [|c digits IH]; intros s ch s2; cbn [Forest.make_children].
  - intros [= <- _] y [].
  - destruct (c =? half cfg).
    + destruct (Forest.make_children less cfg trees oracle later digits x s) as [[ch'|] s3] eqn:E; [|discriminate].
      intros [= <- _] y [<-|Hy]; [cbn; eauto|eauto].
    + destruct (Forest.exhausted cfg s); [discriminate|]. unfold Forest.evaluate.
      match goal with |- context [Forest.make_children _ _ _ _ _ digits x ?s1] =>
        destruct (Forest.make_children less cfg trees oracle later digits x s1) as [[ch'|] s3] eqn:E end; [|discriminate].
      intros [= <- _] y [<-|Hy]; [cbn; eauto|eauto].
Qed.

Lemma beside_children digits x s s' : ours x -> beside s s' ->
  let r := Forest.make_children less cfg trees oracle later digits x s in
  let r' := Forest.make_children less cfg' trees oracle later' digits x s' in
  (fst r = fst r' /\ beside (snd r) (snd r')) \/
  (fst r' = None /\ spent (snd r') /\ at_most (answer (snd r)) (answer (snd r'))).
Proof.
  intros [Hp Ht]. revert s s'. induction digits as [|c digits IH]; intros s s' H; [left; auto|].
  pose proof (make_children_falls (c :: digits) x s) as Hf. revert Hf. cbn [Forest.make_children].
  change (half cfg') with (half cfg). destruct (c =? half cfg).
  - intros _. specialize (IH s s' H). cbv zeta in IH.
    destruct (Forest.make_children less cfg trees oracle later digits x s) as [o s1].
    destruct (Forest.make_children less cfg' trees oracle later' digits x s') as [o' s1']. cbn [fst snd] in IH.
    destruct IH as [[-> IH]|(-> & IH)]; [left|right; now destruct o].
    destruct o'; cbn [fst snd]; auto.
  - destruct (Forest.exhausted cfg' s') eqn:Hx.
    + intros Hf. right. split; [reflexivity|]. split; [exact Hx|].
      exact (at_most_trans less order _ _ _ Hf (no_worse _ _ H)).
    + intros _. rewrite (budget_remains s s' H Hx).
      assert (Hc : tree_of (c :: place x) < trees) by now rewrite tree_of_child.
      destruct (beside_evaluate (c :: place x) s s' Hc H) as [Ev Hb].
      destruct (Forest.evaluate less trees oracle later (c :: place x) s) as [v s1].
      destruct (Forest.evaluate less trees oracle later' (c :: place x) s') as [v' s1']. cbn [fst snd] in Ev, Hb. subst v'.
      specialize (IH s1 s1' Hb). cbv zeta in IH.
      destruct (Forest.make_children less cfg trees oracle later digits x s1) as [o s2].
      destruct (Forest.make_children less cfg' trees oracle later' digits x s1') as [o' s2']. cbn [fst snd] in IH.
      destruct IH as [[-> IH]|(-> & IH)]; [left|right; now destruct o].
      destruct o'; cbn [fst snd]; auto.
Qed.

Lemma ahead_expand x s s' : ours x -> beside s s' ->
  ahead (Forest.expand less cfg trees oracle later queue x s) (Forest.expand less cfg' trees oracle later' queue x s').
Proof.
  intros Hx H. unfold Forest.expand. change (half cfg') with (half cfg).
  set (s1 := Forest (leaves s) ((queue x, best x) :: nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (roots s)
                    (Expand (place x) (best x) :: log s)).
  set (s1' := Forest (leaves s') ((queue x, best x) :: nu_mins s') (answer s') (made s') (iterations s') (sweeps s') (roots s')
                    (Expand (place x) (best x) :: log s')).
  assert (Hb : beside s1 s1').
  { destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; cbn [leaves nu_mins sweeps made roots answer s1 s1']; auto. now rewrite H3. }
  pose proof (beside_children (seq 0 (K (half cfg))) x s1 s1' Hx Hb) as Hc. cbv zeta in Hc.
  pose proof (make_children_places (seq 0 (K (half cfg))) x s1) as Hp.
  destruct (Forest.make_children less cfg trees oracle later (seq 0 (K (half cfg))) x s1) as [o s2].
  destruct (Forest.make_children less cfg' trees oracle later' (seq 0 (K (half cfg))) x s1') as [o' s2']. cbn [fst snd] in Hc.
  destruct Hc as [[-> Hc]|(-> & Hc)]; [|right; now destruct o]. destruct o' as [ch|]; left; [|exact Hc].
  destruct Hc as [H1 H2 H3 H0 H4 H5 H6 H7]. split; cbn [leaves nu_mins sweeps made roots answer]; auto.
  - now rewrite H1.
  - intros y Hy. apply in_replace_leaf in Hy. destruct Hy as [Hy|Hy]; [|auto].
    destruct (Hp ch s2 eq_refl y Hy) as (c & E). destruct Hx as [Hx1 Hx2]. split; rewrite E; [easy|].
    now rewrite tree_of_child.
Qed.

Lemma ahead_visit_class u ms s s' : (forall x, In x ms -> ours x) -> ahead s s' ->
  ahead (Forest.visit_class less cfg trees oracle later queue u ms s)
        (Forest.visit_class less cfg' trees oracle later' queue u ms s').
Proof.
  intros Hm H. destruct (Forest.exhausted cfg' s') eqn:Hx.
  - replace (Forest.visit_class less cfg' trees oracle later' queue u ms s') with s'
      by (destruct ms; cbn [Forest.visit_class]; [|rewrite Hx]; reflexivity).
    exact (ahead_spent s _ s' H Hx (visit_class_falls u ms s)).
  - destruct H as [H|[E _]]; [|congruence]. destruct ms as [|x ms]; cbn [Forest.visit_class]; [now left|].
    rewrite Hx, (budget_remains s s' H Hx), <- (same_nu_mins s s' H).
    destruct (below _ _ _); [|now left]. apply ahead_expand; [apply Hm, argmin_in|exact H].
Qed.

Lemma ahead_visit_classes cs s s' : (forall r ms x, In (r, ms) cs -> In x ms -> ours x) -> ahead s s' ->
  ahead (Forest.visit_classes less cfg trees oracle later queue cs s)
        (Forest.visit_classes less cfg' trees oracle later' queue cs s').
Proof.
  revert s s'. induction cs as [|[r ms] cs IH]; intros s s' Hm H; cbn [Forest.visit_classes]; [exact H|].
  apply IH; [intros r' ms' x Hi; apply (Hm r' ms'); now right|].
  apply ahead_visit_class; [|exact H]. intros x. apply (Hm r). now left.
Qed.

Lemma ahead_visit l s s' : beside s s' ->
  ahead (Forest.visit less cfg trees oracle later queue rank l s) (Forest.visit less cfg' trees oracle later' queue rank l s').
Proof.
  intros H. unfold Forest.visit. rewrite <- (same_leaves s s' H), <- (same_sweeps s s' H). apply ahead_visit_classes.
  - intros r ms x Hi Hx. destruct (classes_hold_only_their_leaves cfg queue rank (sweeps s) l (leaves s) r ms Hi) as [_ Hy].
    apply (leaves_are_ours s s' H). now apply Hy.
  - left. destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. now split.
Qed.

Lemma ahead_visits n l s s' : ahead s s' ->
  ahead (Forest.visits less cfg trees oracle later queue rank n l s)
        (Forest.visits less cfg' trees oracle later' queue rank n l s').
Proof.
  revert l s s'. induction n as [|n IH]; intros l s s' H; [exact H|].
  destruct (Forest.exhausted cfg' s') eqn:Hx.
  - pose proof (visits_fall (S n) l s) as Hf. cbn [Forest.visits] in Hf |- *. rewrite Hx.
    exact (ahead_spent s _ s' H Hx Hf).
  - destruct H as [H|[E _]]; [|congruence]. cbn [Forest.visits]. rewrite Hx, (budget_remains s s' H Hx).
    apply IH. now apply ahead_visit.
Qed.

Lemma ahead_sweep s s' : beside s s' ->
  ahead (Forest.sweep less cfg trees oracle later queue rank s) (Forest.sweep less cfg' trees oracle later' queue rank s').
Proof.
  intros H. unfold Forest.sweep, Forest.limit. rewrite <- (same_leaves s s' H). change (h_max cfg') with (h_max cfg).
  apply ahead_visits. left. destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; auto. cbn. now rewrite H0.
Qed.

Lemma beside_enter news s s' : (forall a, In a news -> a = Aside) -> made s + length news <= share * own_made s + slack \/ news = [] ->
  beside s s' -> beside (enter less cfg trees oracle later news s) s'.
Proof.
  revert s. induction news as [|a news IH]; intros s Ha Hl H; cbn [Forest.enter]; [exact H|].
  destruct (Forest.exhausted cfg s); [exact H|]. rewrite (Ha a (or_introl eq_refl)).
  destruct Hl as [Hl|Hl]; [|discriminate]. cbn [length] in Hl.
  set (s1 := Forest.enter_one less cfg trees oracle later Aside s).
  assert (Ho : own_made s1 = own_made s).
  { unfold s1, ForestDefault.own_made. cbn [Forest.enter_one Forest.evaluate pass_over log evaluations filter].
    unfold own at 1. cbn [fst]. change (tree_of [roots s]) with (roots s).
    pose proof (numbers_taken s s' H) as Hn. apply Nat.ltb_ge in Hn. now rewrite Hn. }
  assert (Hm : made s1 = S (made s)) by reflexivity.
  apply IH; [intros b Hb; apply Ha; now right|left; rewrite Ho, Hm; lia|].
  destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; try rewrite Ho; try rewrite Hm; auto; [lia|cbn; lia|].
  exact (at_most_trans less order _ _ _ (evaluate_falls [roots s] s) H7).
Qed.

Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation run_alone_for := (Forest.run_for less cfg' trees oracle later' nothing queue rank).

Lemma ahead_run n s s' : ahead s s' -> ahead (run_for n s) (run_alone_for n s').
Proof.
  revert s s'. induction n as [|n IH]; intros s s' H; [exact H|].
  destruct (Forest.exhausted cfg' s') eqn:Hx.
  - pose proof (run_falls (S n) s) as Hf. cbn [Forest.run_for] in Hf |- *. rewrite Hx. exact (ahead_spent s _ s' H Hx Hf).
  - destruct H as [H|[E _]]; [|congruence]. cbn [Forest.run_for]. rewrite Hx, (budget_remains s s' H Hx). cbv zeta.
    set (s1 := enter less cfg trees oracle later (arrivals s) s).
    assert (H1 : beside s1 s').
    { apply beside_enter; [apply no_tree_enters| |exact H]. pose proof (few_asides s) as Hf. pose proof (within_share _ _ H).
      destruct (arrivals s) as [|a news]; [now right|left; lia]. }
    assert (E : round less cfg trees oracle later arrivals queue rank s = Forest.sweep less cfg trees oracle later queue rank s1).
    { unfold Forest.round. fold s1. now rewrite (budget_remains s1 s' H1 Hx). }
    assert (E' : round less cfg' trees oracle later' nothing queue rank s' = Forest.sweep less cfg' trees oracle later' queue rank s').
    { unfold Forest.round, nothing. cbn [Forest.enter]. now rewrite Hx. }
    rewrite E, E'. pose proof (ahead_sweep s1 s' H1) as Ha.
    set (s2 := Forest.sweep less cfg trees oracle later queue rank s1) in *.
    set (s2' := Forest.sweep less cfg' trees oracle later' queue rank s') in *.
    destruct (Forest.exhausted cfg' s2') eqn:Hx2.
    + assert (Er : forall m, run_alone_for m s2' = s2') by (intros [|m]; cbn [Forest.run_for]; [|rewrite Hx2]; reflexivity).
      assert (Hs : forall m, ahead (run_for m s2) s2') by (intros m; apply (ahead_spent s2 _ s2' Ha Hx2), run_falls).
      destruct (Forest.idle cfg s2), (Forest.idle cfg' s2'); rewrite ?Er; auto.
    + destruct Ha as [Ha|[Ha _]]; [|congruence].
      assert (Ei : Forest.idle cfg' s2' = Forest.idle cfg s2)
        by (unfold Forest.idle; now rewrite (same_nu_mins _ _ Ha), (same_sweeps _ _ Ha)).
      rewrite Ei. destruct (Forest.idle cfg s2); [now left|]. apply IH. now left.
Qed.

(** Claim [forest-refinement-share].  Whatever is evaluated outside the forest between its sweeps, as long as all
    evaluations are at most [share] times the forest's own and [slack] more: the answer is at most that of the forest alone
    with any budget w of which [share] w + [slack] is at most the whole budget. *)
Theorem the_answer_is_at_most_that_of_the_forest_alone_with_its_share : 1 <= half cfg -> 1 <= w ->
  at_most (answer (Forest.hunt less cfg trees oracle later arrivals queue rank))
          (answer (Forest.hunt less cfg' trees oracle later' nothing queue rank)).
Proof.
  intros Hk Hw.
  rewrite <- (every_run_of_a_forest_ends less cfg' trees oracle later' nothing queue rank Hk (spacing cfg * budget cfg))
    by (apply Nat.mul_le_mono_l; cbn; nia).
  apply ahead_no_worse. apply ahead_run. left. split; try reflexivity.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq). split; [easy|]. cbn. lia.
  - unfold ForestDefault.own_made, own. cbn. destruct trees; [lia|reflexivity].
  - assert (E : own_made (Forest.start cfg trees oracle) = 1)
      by (unfold ForestDefault.own_made, own; cbn; destruct trees; [lia|reflexivity]).
    rewrite E. cbn. lia.
  - now apply at_most_refl.
Qed.

End ForestAlone.

(** Claim [forest-refinement-share].  Rule F6 for any local search that makes at most B evaluations each time it is asked: the
    answer is at most that of the forest alone with any budget w such that 2 w + B is at most the whole budget. *)
Corollary the_answer_with_a_local_search_is_at_most_that_of_the_forest_alone :
  forall (V : Type) (less : V -> V -> bool) (cfg : forest_settings) (trees : nat) (oracle : nat -> path -> V)
    (later later' : forest V -> path -> V) (queue : leaf V -> nat) (rank : leaf V -> Z)
    (goes_on : forest V -> forest V -> bool) (B : nat) (patience : forest V -> nat) (w : nat),
  total_order less -> 1 <= half cfg -> 1 <= trees -> 1 <= w -> 2 * w + B <= budget cfg ->
  at_most less
    (answer (Forest.hunt less cfg trees oracle later (refinement less cfg trees oracle later goes_on B patience) queue rank))
    (answer (Forest.hunt less (with_budget w cfg) trees oracle later' nothing queue rank)).
Proof.
  intros V less cfg trees oracle later later' queue rank goes_on B patience w order Hk Ht Hw Hb.
  apply (the_answer_is_at_most_that_of_the_forest_alone_with_its_share less cfg trees oracle later later'
    (refinement less cfg trees oracle later goes_on B patience) queue rank w 2 B); auto.
  - apply refinement_makes_asides.
  - apply refinement_is_short.
Qed.

(** ** An instance

    Two trees on the line, and a local search that makes three evaluations each time it is asked. *)

Definition some_oracle (t : nat) (p : path) : Z := Z.of_nat ((5 + t + 3 * length p + 2 * list_sum p) mod 11).

Definition some_later (s : forest Z) (p : path) : Z := Z.of_nat (made s).

Definition some_run : forest Z :=
  Forest.hunt Z.ltb (one_dimension (Settings 1 1 3 40 0 1)) 2 some_oracle some_later
    (refinement Z.ltb (one_dimension (Settings 1 1 3 40 0 1)) 2 some_oracle some_later (fun _ _ => true) 3 made) (separate_origin 2) one_class.

(** Claim [forest-refinement-share].  An instance in which the local search is asked: of 40 evaluations 19 are the forest's
    and 21 those of a local search that makes three each time it is asked. *)
Theorem a_local_search_is_asked : made some_run = 40 /\ own_made 2 some_run = 19.
Proof. vm_compute. auto. Qed.
