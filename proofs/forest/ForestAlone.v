(** * The answer with local search is at most that of the forest alone with its share of the budget.

    Evaluations outside the forest change nothing in it.  So a run with them does what the forest alone would do, as long
    as the forest alone has budget, and its answer is at most as large; it may have found more outside. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestTrees ForestOutside
  ForestLocalSearch.
From EmbeddedHunter Require SearchSteps.

(** Other settings with the budget [w]. *)
Definition with_budget (w : nat) (cfg : forest_settings) : forest_settings :=
  ForestSettings (Settings (half cfg) (dimension cfg) (h_max cfg) w (cap_num cfg) (cap_den cfg)) (dimension_of cfg) (turns cfg).

Section ForestAlone.

Context {V : Type} {F : rules V} (later' : forest V -> path -> V).

(** The budget of the forest alone. *)
Variable w : nat.
Local Notation cfg' := (with_budget w cfg).
Local Notation alone := (Rules less cfg' trees oracle later' nothing queue rank).

Variables share slack : nat.
Hypothesis order : total_order less.
Hypothesis trees_positive : 1 <= trees.
Hypothesis share_positive : 1 <= share.
Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.
Hypothesis few_asides : forall s, length (arrivals s) <= share * own_made s + slack - made s.
Hypothesis enough : share * w + slack <= budget cfg.

Local Notation at_most := (at_most less).

(** ** The two runs side by side *)

(** A node of the forest, with its value. *)
Definition ours (x : leaf V) : Prop := place x <> [] /\ tree_of (place x) < trees /\ best x = value (place x).

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

Lemma budget_remains s s' : beside s s' -> w - made s' <= budget cfg - made s.
Proof. intros H. pose proof (own_is_all _ _ H). pose proof (within_share _ _ H). nia. Qed.

Lemma still_budget s s' : beside s s' -> Forest.exhausted cfg' s' = false -> exhausted s = false.
Proof. intros H Hx%(not_exhausted (F := alone)). apply not_exhausted. pose proof (budget_remains s s' H). cbn in Hx. lia. Qed.

Lemma ahead_no_worse s s' : ahead s s' -> at_most (answer s) (answer s').
Proof. intros [H|[_ H]]; [apply H|exact H]. Qed.

(** Whatever the run does once the forest alone is at its end. *)
Lemma ahead_spent s s2 s' : ahead s s' -> spent s' -> at_most (answer s2) (answer s) -> ahead s2 s'.
Proof. intros H Hx Hf. right. split; [exact Hx|]. exact (at_most_trans less order _ _ _ Hf (ahead_no_worse _ _ H)). Qed.

Lemma smaller_mono (v a b : V) : at_most a b -> at_most (smaller less v a) (smaller less v b).
Proof.
  intros H. destruct (smaller_is_one_of less v b) as [E|E]; rewrite E; [now apply smaller_at_most_new|].
  apply (at_most_trans less order _ a); [now apply smaller_at_most_old|exact H].
Qed.

Lemma beside_evaluations ps s s' : (forall p, In p ps -> tree_of p < trees) -> beside s s' ->
  beside (record_all ps s) (record_all (F := alone) ps s').
Proof.
  revert s s'. induction ps as [|p ps IH]; intros s s' Hps H; cbn [record_all]; [exact H|].
  apply IH; [intros q Hq; apply Hps; now right|]. pose proof (Hps p (or_introl eq_refl)) as Ht.
  pose proof (own_made_evaluate p s Ht) as Ho. destruct H as [H1 H2 H3 H0 H4 H5 H6 H7].
  unfold Forest.evaluate, Forest.sample in *. cbn [ForestContext.later ForestContext.oracle ForestContext.trees snd] in *.
  rewrite (proj2 (Nat.ltb_lt _ _) Ht) in *.
  split; cbn [leaves nu_mins sweeps made roots answer]; auto; [congruence|rewrite Ho; nia|now apply smaller_mono].
Qed.

Lemma evaluations_fall ps s : at_most (answer (record_all ps s)) (answer s).
Proof. destruct (record_all_log ps s) as (new & _ & _ & _ & _ & ->). now apply fold_right_smaller. Qed.

Lemma record_all_app ps qs s : record_all (ps ++ qs) s = record_all qs (record_all ps s).
Proof. revert s. induction ps as [|p ps IH]; intros s; cbn [app record_all]; auto. Qed.

Lemma children_are_ours x ch : ours x -> Forall (well_made x) ch -> ch = map node_at (map place ch).
Proof.
  intros (_ & Ht & Hv) H. rewrite map_map. induction H as [|y ch [E Hy] _ IH]; [reflexivity|]. cbn [map]. rewrite <- IH.
  f_equal. rewrite E at 1. unfold ForestTerms.node_at. now rewrite <- Hy.
Qed.

Lemma ahead_expand x s s' : ours x -> beside s s' -> ahead (expand x s) (Forest.expand less cfg' trees oracle later' queue x s').
Proof.
  intros Hx H. pose proof Hx as (Hp & Ht & _). pose proof (budget_remains s s' H) as Hb.
  pose proof (expand_closed x s Hp) as E. pose proof (expand_closed (F := alone) x s' Hp) as E'. cbv zeta in E, E'.
  set (s1 := Forest (leaves s) _ _ _ _ _ _ _) in E. set (s1' := Forest (leaves s') _ _ _ _ _ _ _) in E'.
  assert (H1 : beside s1 s1').
  { destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; cbn [leaves nu_mins sweeps made roots answer s1 s1']; auto. cbn. now rewrite H3. }
  assert (Hps : forall n p, In p (firstn n (wanted (place x))) -> tree_of p < trees).
  { intros n p Hq. apply in_firstn, in_wanted in Hq. destruct Hq as (c & _ & _ & ->). now rewrite tree_of_child. }
  pose proof (beside_evaluations _ _ _ (Hps (w - made s')) H1) as H2.
  change (firstn (w - made s') (wanted (place x))) with (performed (F := alone) (place x) s') in H2.
  destruct (affordable (F := alone) (place x) s') eqn:Ha'.
  - assert (Ha : affordable (place x) s = true).
    { apply Nat.leb_le in Ha'. apply Nat.leb_le. change (length (wanted (place x)) <= w - made s') in Ha'. lia. }
    rewrite Ha in E. rewrite (performed_all (F := alone) _ _ Ha') in E', H2. rewrite (performed_all _ _ Ha) in E.
    change (wanted (F := alone) (place x)) with (wanted (place x)) in *.
    destruct E as (ch & Ep & Ew & ->), E' as (ch' & Ep' & Ew' & E'). left.
    match type of E' with _ = ?e => change (Forest.expand less cfg' trees oracle later' queue x s' = e) in E' end. rewrite E'.
    apply (children_are_ours x ch Hx) in Ew. apply (children_are_ours x ch' Hx) in Ew'.
    assert (Ec : ch = ch') by (rewrite Ew, Ew', Ep, Ep'; reflexivity). rewrite <- Ec. clear E' Ep' Ew' Ec ch'.
    destruct H2 as [G1 G2 G3 G0 G4 G5 G6 G7]. split; cbn [leaves nu_mins sweeps made roots answer]; auto; [now rewrite G1|].
    intros y Hy. apply in_replace_leaf in Hy. destruct Hy as [Hy|Hy]; [|auto].
    rewrite Ew, Ep in Hy. apply in_map_iff in Hy. destruct Hy as (q & <- & Hq). apply in_children in Hq.
    destruct Hq as (c & _ & ->). split; [easy|]. cbn [ForestTerms.node_at Forest.new_leaf place best]. now rewrite tree_of_child.
  - right. change (Forest.expand less cfg' trees oracle later' queue x s' = record_all (F := alone) (performed (F := alone) (place x) s') s1') in E'.
    split.
    { destruct (Forest.exhausted cfg' s') eqn:Hx'; [|now apply (cut_expansion_exhausts (F := alone) x s' Hp)].
      apply (exhausted_left (F := alone)). apply (exhausted_left (F := alone)) in Hx'. rewrite E'.
      destruct (record_all_frame (F := alone) (performed (F := alone) (place x) s') s1') as (_ & _ & _ & _ & _ & ->). cbn in *. lia. }
    rewrite E'. apply (at_most_trans less order _ (answer (record_all (performed (F := alone) (place x) s') s1))); [|apply H2].
    assert (Es : exists more, performed (place x) s = performed (F := alone) (place x) s' ++ more).
    { exists (skipn (w - made s') (performed (place x) s)). rewrite <- (firstn_skipn (w - made s') (performed (place x) s)) at 1. f_equal.
      unfold performed at 1. rewrite firstn_firstn. now replace (Nat.min _ _) with (w - made s') by lia. }
    destruct Es as (more & Es). rewrite Es in E.
    destruct (affordable (place x) s); [destruct E as (ch & _ & _ & ->); cbn [answer]|rewrite E];
      rewrite record_all_app; apply evaluations_fall.
Qed.

Lemma ahead_visit_class u ms s s' : (forall x, In x ms -> ours x) -> ahead s s' ->
  ahead (visit_class u ms s) (Forest.visit_class less cfg' trees oracle later' queue u ms s').
Proof.
  intros Hm H. destruct ms as [|x ms]; cbn [Forest.visit_class]; [exact H|].
  pose proof (Hm _ (argmin_in less x ms)) as Ho. set (a := argmin less x ms) in *.
  destruct (Forest.exhausted cfg' s') eqn:Hx.
  - apply (ahead_spent s); [exact H|exact Hx|].
    destruct (exhausted s); [now apply at_most_refl|]. destruct (below _ _ _); [|now apply at_most_refl].
    destruct (expand_log a s (proj1 Ho)) as (new & _ & _ & _ & _ & ->). now apply fold_right_smaller.
  - destruct H as [H|[E _]]; [|congruence]. rewrite (still_budget s s' H Hx), <- (same_nu_mins s s' H).
    destruct (below _ _ _); [now apply ahead_expand|now left].
Qed.

Lemma ahead_visit_classes cs s s' : (forall r ms x, In (r, ms) cs -> In x ms -> ours x) -> ahead s s' ->
  ahead (visit_classes cs s) (Forest.visit_classes less cfg' trees oracle later' queue cs s').
Proof.
  revert s s'. induction cs as [|[r ms] cs IH]; intros s s' Hm H; cbn [Forest.visit_classes]; [exact H|].
  apply IH; [intros r' ms' x Hi; apply (Hm r' ms'); now right|].
  apply ahead_visit_class; [|exact H]. intros x. apply (Hm r). now left.
Qed.

Lemma ahead_visit l s s' : beside s s' -> ahead (visit l s) (Forest.visit less cfg' trees oracle later' queue rank l s').
Proof.
  intros H. unfold Forest.visit. rewrite <- (same_leaves s s' H), <- (same_sweeps s s' H). apply ahead_visit_classes.
  - intros r ms x Hi Hx. destruct (classes_hold_only_their_leaves (sweeps s) l (leaves s) r ms Hi) as [_ Hy].
    apply (leaves_are_ours s s' H). now apply Hy.
  - left. now destruct H.
Qed.

Lemma visits_steps n l s : reached s -> n + l <= S (h_max cfg) -> steps s (visits n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s Hr Hl; cbn [Forest.visits]; [apply steps_none|].
  destruct (exhausted s) eqn:Hx; [apply steps_none|]. assert (Hv : steps s (visit l s)) by (apply visit_steps; auto; lia).
  apply (steps_trans _ _ _ Hv), IH; [now apply (reached_steps s)|lia].
Qed.

Lemma ahead_visits n l s s' : reached s -> n + l <= S (h_max cfg) -> ahead s s' ->
  ahead (visits n l s) (Forest.visits less cfg' trees oracle later' queue rank n l s').
Proof.
  revert l s s'. induction n as [|n IH]; intros l s s' Hr Hl H; [exact H|].
  destruct (Forest.exhausted cfg' s') eqn:Hx.
  - pose proof (answer_never_grows order s _ Hr (visits_steps (S n) l s Hr Hl)) as Hf.
    cbn [Forest.visits] in Hf |- *. rewrite Hx. exact (ahead_spent s _ s' H Hx Hf).
  - destruct H as [H|[E _]]; [|congruence]. cbn [Forest.visits]. pose proof (still_budget s s' H Hx) as Hx1. rewrite Hx, Hx1.
    apply IH; [|lia|now apply ahead_visit]. apply (reached_steps s); [exact Hr|]. apply visit_steps; auto. lia.
Qed.

Lemma ahead_sweep s s' : reached s -> exhausted s = false -> beside s s' ->
  ahead (sweep s) (Forest.sweep less cfg' trees oracle later' queue rank s').
Proof.
  intros Hr Hx H. unfold Forest.sweep, Forest.limit. rewrite <- (same_leaves s s' H). change (h_max cfg') with (h_max cfg).
  apply ahead_visits; [now apply (reached_steps s), step_sweep|lia|].
  left. destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; auto. cbn. now rewrite H0.
Qed.

Lemma beside_enter news s s' : (forall a, In a news -> a = Aside) -> made s + length news <= share * own_made s + slack \/ news = [] ->
  beside s s' -> beside (enter news s) s'.
Proof.
  revert s. induction news as [|a news IH]; intros s Ha Hl H; cbn [Forest.enter]; [exact H|].
  destruct (exhausted s); [exact H|]. rewrite (Ha a (or_introl eq_refl)).
  destruct Hl as [Hl|Hl]; [|discriminate]. cbn [length] in Hl. set (s1 := enter_one Aside s).
  pose proof (own_made_aside s (numbers_taken s s' H)) as Ho. fold s1 in Ho. assert (Hm : made s1 = S (made s)) by reflexivity.
  apply IH; [intros b Hb; apply Ha; now right|left; rewrite Ho, Hm; lia|].
  destruct H as [H1 H2 H3 H0 H4 H5 H6 H7]. split; try rewrite Ho; try rewrite Hm; auto; [lia|cbn; lia|].
  refine (at_most_trans less order _ _ _ _ H7). now apply smaller_at_most_old.
Qed.

Local Notation run_alone_for := (Forest.run_for less cfg' trees oracle later' nothing queue rank).

Lemma ahead_run n s s' : reached s -> ahead s s' -> ahead (run_for n s) (run_alone_for n s').
Proof.
  assert (Hend : forall n s s', reached s -> ahead s s' -> spent s' -> ahead (run_for n s) (run_alone_for n s')).
  { clear n s s'. intros n s s' Hr H Hx. replace (run_alone_for n s') with s' by (destruct n; cbn [Forest.run_for]; [|rewrite Hx]; reflexivity).
    apply (ahead_spent s); auto. apply answer_never_grows; auto. rewrite run_for_is.
    exact (SearchSteps.run_for_steps lawful n s (reached_invariant s Hr)). }
  revert s s'. induction n as [|n IH]; intros s s' Hr H; [exact H|].
  destruct (Forest.exhausted cfg' s') eqn:Hx; [now apply Hend|].
  destruct H as [H|[E _]]; [|congruence]. cbn [Forest.run_for]. rewrite Hx, (still_budget s s' H Hx). cbv zeta.
  set (s1 := enter (arrivals s) s). pose proof (reached_steps _ _ Hr (enter_steps s)) as Hr1. fold s1 in Hr1.
  assert (H1 : beside s1 s').
  { apply beside_enter; [apply no_tree_enters| |exact H]. pose proof (few_asides s) as Hf. pose proof (within_share _ _ H).
    destruct (arrivals s) as [|a news]; [now right|left; lia]. }
  pose proof (still_budget s1 s' H1 Hx) as Hx1.
  assert (E : round s = sweep s1) by (unfold Forest.round; fold s1; now rewrite Hx1).
  assert (E' : Forest.round less cfg' trees oracle later' nothing queue rank s' = Forest.sweep less cfg' trees oracle later' queue rank s')
    by (unfold Forest.round, nothing; cbn [Forest.enter]; now rewrite Hx).
  rewrite E, E'. pose proof (ahead_sweep s1 s' Hr1 Hx1 H1) as Ha. pose proof (reached_steps _ _ Hr1 (sweep_steps s1 Hx1 Hr1)) as Hr2.
  set (s2 := sweep s1) in *. set (s2' := Forest.sweep less cfg' trees oracle later' queue rank s') in *.
  destruct (Forest.exhausted cfg' s2') eqn:Hx2.
  - pose proof (Hend n s2 s2' Hr2 Ha Hx2) as Hn. pose proof (Hend 0 s2 s2' Hr2 Ha Hx2) as H0.
    replace (run_alone_for n s2') with s2' in * by (destruct n; cbn [Forest.run_for]; [|rewrite Hx2]; reflexivity).
    destruct (idle s2), (Forest.idle cfg' s2'); auto.
  - destruct Ha as [Ha|[Ha _]]; [|congruence].
    assert (Ei : Forest.idle cfg' s2' = idle s2) by (unfold Forest.idle; now rewrite (same_nu_mins _ _ Ha), (same_sweeps _ _ Ha)).
    rewrite Ei. destruct (idle s2); [now left|]. apply IH; [exact Hr2|now left].
Qed.

(** Claim [forest-refinement-share].  Whatever is evaluated outside the forest between its sweeps, as long as all
    evaluations are at most [share] times the forest's own and [slack] more: the answer is at most that of the forest alone
    with any budget w of which [share] w + [slack] is at most the whole budget. *)
Theorem the_answer_is_at_most_that_of_the_forest_alone_with_its_share : 1 <= half cfg -> 1 <= w ->
  at_most (answer hunt) (answer (Forest.hunt less cfg' trees oracle later' nothing queue rank)).
Proof.
  intros Hk Hw. assert (Hend : run_alone_for (spacing cfg * budget cfg) start = Forest.hunt less cfg' trees oracle later' nothing queue rank).
  { apply (every_run_of_a_forest_ends (F := alone) Hk). apply Nat.mul_le_mono_l. cbn. nia. }
  rewrite <- Hend.
  apply ahead_no_worse. apply ahead_run; [apply steps_none|]. left. pose proof (own_made_start trees_positive) as E.
  split; try reflexivity; rewrite ?E; cbn [made Forest.start roots answer]; auto; [|lia|now apply at_most_refl].
  intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq). split; [easy|]. cbn. split; [lia|reflexivity].
Qed.

End ForestAlone.

(** Claim [forest-refinement-share].  Rule F6 for any local search that makes at most B evaluations each time it is asked: the
    answer is at most that of the forest alone with any budget w such that [share] w + B is at most the whole budget. *)
Corollary the_answer_with_a_local_search_is_at_most_that_of_the_forest_alone :
  forall (V : Type) (less : V -> V -> bool) (cfg : forest_settings) (trees : nat) (oracle : nat -> path -> V)
    (later later' : forest V -> path -> V) (queue : leaf V -> nat) (rank : leaf V -> Z)
    (goes_on : forest V -> forest V -> bool) (share B : nat) (patience : forest V -> nat) (w : nat),
  total_order less -> 1 <= half cfg -> 1 <= share -> 1 <= trees -> 1 <= w -> share * w + B <= budget cfg ->
  at_most less
    (answer (Forest.hunt less cfg trees oracle later (refinement less cfg trees oracle later goes_on share B patience) queue rank))
    (answer (Forest.hunt less (with_budget w cfg) trees oracle later' nothing queue rank)).
Proof.
  intros V less cfg trees oracle later later' queue rank goes_on share B patience w order Hk Hs Ht Hw Hb.
  apply (the_answer_is_at_most_that_of_the_forest_alone_with_its_share
    (F := Rules less cfg trees oracle later (refinement less cfg trees oracle later goes_on share B patience) queue rank) later' w share B); auto.
  - apply refinement_makes_asides.
  - apply refinement_is_short.
Qed.

(** ** An instance

    Two trees on the line, and a local search that makes three evaluations each time it is asked. *)

Definition some_oracle (t : nat) (p : path) : Z := Z.of_nat ((5 + t + 3 * length p + 2 * list_sum p) mod 11).

Definition some_later (s : forest Z) (p : path) : Z := Z.of_nat (made s).

Definition some_run : forest Z :=
  Forest.hunt Z.ltb (one_dimension (Settings 1 1 3 40 0 1)) 2 some_oracle some_later
    (refinement Z.ltb (one_dimension (Settings 1 1 3 40 0 1)) 2 some_oracle some_later (fun _ _ => true) 4 3 made)
    (separate_origin 2) one_class.

(** Claim [forest-refinement-share].  An instance in which the local search is asked: of 40 evaluations 13 are the forest's
    and 27 those of a local search that makes three each time it is asked. *)
Theorem a_local_search_is_asked : made some_run = 40 /\ ForestTerms.own_made 2 some_run = 13.
Proof. vm_compute. auto. Qed.
