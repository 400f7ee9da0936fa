(** * Evaluations outside the forest: how many may be made between the sweeps.

    Here no tree enters the forest.  Between two sweeps there may be evaluations of any kind ([Aside]), such as those of
    refinement, as long as they are at most a share of the forest's own. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Paths Order Forest ForestNodes ForestClasses ForestSteps
  ForestLoops ForestSweep ForestEnds ForestRuns ForestDefault.

Section ForestOutside.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later arrivals queue).
Local Notation own_made := (own_made trees).

Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.

Lemma leaves_are_of_the_forest s x : reached s -> In x (leaves s) -> tree_of (place x) < trees.
Proof.
  intros Hr. revert x. revert s Hr. refine (reached_induction less cfg trees oracle later arrivals queue _ _ _).
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq). cbn. lia.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|y s Hx Hin Hd|a s Hx [s0 Ha]]; [exact IH|exact IH| |].
    + pose proof (leaf_is_a_node cfg trees oracle s y Hi Hin) as Hp. intros x Hx'.
      destruct (in_leaves_expand less cfg trees oracle later queue y s x Hp Hx') as [H|((c & _ & E) & _)]; [auto|].
      rewrite E, tree_of_child by exact Hp. auto.
    + apply no_tree_enters in Ha. subst a. exact IH.
Qed.

(** The evaluations of an expansion are the forest's own. *)
Lemma expansion_own x s : invariant cfg trees oracle s -> In x (leaves s) -> tree_of (place x) < trees ->
  own_made (Forest.expand less cfg trees oracle later queue x s) + made s =
  own_made s + made (Forest.expand less cfg trees oracle later queue x s).
Proof.
  intros Hi Hin Ht. pose proof (leaf_is_a_node cfg trees oracle s x Hi Hin) as Hp.
  rewrite expand_made by exact Hp.
  destruct (expand_log less cfg trees oracle later queue x s Hp) as (new & E & _ & Hm & _).
  unfold ForestDefault.own_made. rewrite E, evaluations_app, filter_app, app_length. cbn [evaluations].
  replace (filter (own trees) (evaluations new)) with (evaluations new).
  - apply (f_equal (@length _)) in Hm. rewrite map_length, rev_length in Hm. lia.
  - assert (Hall : forall e, In e (evaluations new) -> own trees e = true).
    { intros e He. apply Nat.ltb_lt.
      assert (Hw : In (fst (fst e)) (rev (performed cfg (place x) s))) by (rewrite <- Hm; apply in_map_iff; eauto).
      apply in_rev, performed_wanted, in_wanted in Hw. destruct Hw as (c & _ & _ & ->).
      now rewrite tree_of_child by exact Hp. }
    symmetry. clear - Hall. induction (evaluations new) as [|e es IH]; [reflexivity|]. cbn [filter].
    rewrite (Hall e) by now left. f_equal. apply IH. intros e' He. apply Hall. now right.
Qed.

Lemma sweep_adds_to_both s : exhausted s = false -> reached s ->
  own_made (sweep s) + made s = own_made s + made (sweep s).
Proof.
  intros Hx Hr. pose proof (reached_invariant s Hr) as Hi.
  pose proof (forest_is_lawful less cfg trees oracle later arrivals queue rank) as L.
  assert (Hb : reached (Forest.begin_sweep cfg s)) by (eapply reached_steps; [exact Hr|]; now apply steps_one, step_sweep).
  assert (H : forall s', Search.moves (A := forest_search less cfg trees oracle later arrivals queue rank) (limit cfg s)
    (Forest.begin_sweep cfg s) s' -> own_made s' + made s = own_made s + made s' /\ reached s');
    [|exact (proj1 (H _ (SearchSteps.sweep_moves L s Hi)))].
  refine (SearchSteps.moves_induction L _ _ _ (reached_invariant _ Hb) _ _ _).
  - split; [reflexivity|exact Hb].
  - intros l s1 Hx1 Hl Hi1 [H1 H2]. split; [exact H1|]. eapply reached_steps; [exact H2|]. apply steps_one, step_visit; auto.
    pose proof (limit_h_max cfg s). lia.
  - intros x s1 Hx1 Hin Hd _ _ Hi1 [H1 H2]. cbn in *. split.
    + pose proof (expansion_own x s1 Hi1 Hin (leaves_are_of_the_forest s1 x H2 Hin)). lia.
    + eapply reached_steps; [exact H2|]. apply steps_one, step_expand; auto. pose proof (limit_h_max cfg s). lia.
Qed.

Lemma enter_made_at_most news s : made (enter news s) <= made s + length news.
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter length]; [lia|].
  destruct (exhausted s); [lia|]. etransitivity; [apply IH|]. destruct a; cbn; lia.
Qed.

Variables share slack : nat.
Hypothesis share_positive : 1 <= share.
Hypothesis trees_positive : 1 <= trees.

(** The number of evaluations outside the forest that may be made before a sweep: with them, all evaluations are at most
    [share] times the forest's own, and [slack] more. *)
Hypothesis few_asides : forall s, length (arrivals s) <= share * own_made s + slack - made s.

(** Claim [forest-theorem-2].  A rule that looks, before each sweep, at how many evaluations were made, keeps all evaluations
    below its share of the forest's own throughout the run. *)
Theorem evaluations_outside_the_forest_keep_their_share n :
  made (enter (arrivals (run_for n start)) (run_for n start)) <= share * own_made (run_for n start) + slack.
Proof.
  assert (H : made (run_for n start) <= share * own_made (run_for n start) + slack).
  { induction n as [|n IH].
    - cbn [Forest.run_for]. assert (E : own_made start = 1).
      { unfold ForestDefault.own_made, own. cbn. destruct trees; [lia|reflexivity]. }
      rewrite E. cbn [made Forest.start]. lia.
    - pose proof (run_for_reached less cfg trees oracle later arrivals queue rank n) as Hr.
      destruct (run_for_next less cfg trees oracle later arrivals queue rank n start (start_invariant cfg trees oracle))
        as [[_ ->]|[Hx [-> |[-> _]]]]; [exact IH| |exact IH].
      unfold Forest.round. set (s := run_for n start) in *.
      pose proof (enter_made_at_most (arrivals s) s) as Hm. pose proof (few_asides s) as Hf.
      pose proof (enter_own less cfg trees oracle later arrivals queue (arrivals s) s Hr (incl_refl _)) as Ho.
      assert (Hs1 : made (enter (arrivals s) s) <= share * own_made (enter (arrivals s) s) + slack) by (rewrite Ho; lia).
      destruct (exhausted (enter (arrivals s) s)) eqn:Ex; [exact Hs1|].
      assert (Hr1 : reached (enter (arrivals s) s)) by (eapply reached_steps; [exact Hr|apply enter_steps]).
      pose proof (sweep_adds_to_both _ Ex Hr1) as Hb.
      pose proof (sweep_made_grows less cfg trees oracle later queue rank _ Ex (reached_invariant _ Hr1)) as Hg.
      nia. }
  pose proof (enter_made_at_most (arrivals (run_for n start)) (run_for n start)).
  pose proof (few_asides (run_for n start)). lia.
Qed.

End ForestOutside.

(** With the zero vector apart and one class for each queue, every class of every visit has one of two keys. *)
Lemma two_keys {V : Type} (less : V -> V -> bool) cfg trees oracle later (arrivals : forest V -> list (arrival V)) :
  (forall s a, In a (arrivals s) -> a = Aside) ->
  forall s x, reached less cfg trees oracle later arrivals (separate_origin trees) s -> In x (leaves s) ->
  In (key (separate_origin trees) one_class x) [(0, 0%Z); (1, 0%Z)].
Proof.
  intros Ha s x Hr Hx.
  pose proof (leaves_are_of_the_forest less cfg trees oracle later arrivals (separate_origin trees) Ha s x Hr Hx) as Ht.
  unfold key, separate_origin, one_class. apply Nat.leb_gt in Ht. rewrite Ht. destruct (norm x =? 0)%Z; cbn; auto.
Qed.
