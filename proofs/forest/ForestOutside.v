(** * Evaluations outside the forest: how many may be made between the sweeps.

    Here no tree enters the forest.  Between two sweeps there may be evaluations of any kind ([Aside]), such as those of
    refinement, as long as they are at most a share of the forest's own. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestTrees ForestDefault.

Section ForestOutside.

Context {V : Type} {F : rules V}.

(** One evaluation more: the forest's own, or outside it. *)
Lemma own_made_start : 1 <= trees -> own_made start = 1.
Proof. intros Ht. unfold ForestTerms.own_made, ForestTerms.own. cbn. destruct trees; [lia|reflexivity]. Qed.

Lemma own_made_evaluate p s : tree_of p < trees -> own_made (snd (evaluate p s)) = S (own_made s).
Proof.
  intros Ht%Nat.ltb_lt. unfold ForestTerms.own_made, Forest.evaluate. cbn [snd log evaluations filter].
  unfold ForestTerms.own at 1. cbn [fst]. now rewrite Ht.
Qed.

Lemma own_made_aside s : trees <= roots s -> own_made (enter_one Aside s) = own_made s.
Proof.
  intros Hn%Nat.ltb_ge. unfold ForestTerms.own_made. cbn [Forest.enter_one Forest.evaluate pass_over log evaluations filter].
  unfold ForestTerms.own at 1. cbn [fst]. change (tree_of [roots s]) with (roots s). now rewrite Hn.
Qed.

Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.

Lemma leaves_are_of_the_forest s x : reached s -> In x (leaves s) -> tree_of (place x) < trees.
Proof.
  intros Hr. revert x. revert s Hr. along_the_run.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq). cbn. lia.
  - intros y Hy. destruct (in_leaves_expand x s y Hp Hy) as [H|((c & _ & E) & _)]; [auto|].
    rewrite E, tree_of_child by exact Hp. auto.
  - destruct Ha as (s0 & Ha). apply no_tree_enters in Ha. now subst a.
Qed.

Lemma leaf_is_a_forest_node s x : reached s -> In x (leaves s) -> forest_node (place x).
Proof.
  intros Hr Hx. apply (proj1 (nodes_are_nodes s Hr)); [now apply in_map|now apply (leaves_are_of_the_forest s)].
Qed.

(** The evaluations of an expansion are the forest's own. *)
Lemma expansion_own x s : place x <> [] -> tree_of (place x) < trees ->
  own_made (expand x s) + made s = own_made s + made (expand x s).
Proof.
  intros Hp Ht. rewrite expand_made by exact Hp. destruct (expand_log x s Hp) as (new & E & _ & Hm & _).
  unfold ForestTerms.own_made. rewrite E, evaluations_app, filter_app, app_length, filter_all; cbn [evaluations].
  - apply (f_equal (@length _)) in Hm. rewrite map_length, rev_length in Hm. lia.
  - intros e He. apply Nat.ltb_lt. apply (in_map (fun e => fst (fst e))) in He. rewrite Hm in He.
    apply performed_child in He. destruct He as (c & _ & _ & ->). now rewrite tree_of_child by exact Hp.
Qed.

Lemma sweep_adds_to_both s : exhausted s = false -> reached s ->
  own_made (sweep s) + made s = own_made s + made (sweep s).
Proof.
  intros Hx Hr.
  apply (in_a_sweep (fun s1 => reached s1 /\ own_made s1 + made s = own_made s + made s1)); [exact Hx|now apply reached_invariant|..].
  - split; [|reflexivity]. now apply (reached_steps s), step_sweep.
  - intros l s1 Hx1 Hl [Hr1 H]. split; [|exact H]. now apply (reached_steps s1), step_visit.
  - intros x s1 Hx1 Hin Hd Hp [Hr1 H]. split; [now apply (reached_steps s1), step_expand|].
    pose proof (expansion_own x s1 Hp (leaves_are_of_the_forest s1 x Hr1 Hin)). lia.
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
  { apply (runs_induction (fun _ s => made s <= share * own_made s + slack)); auto.
    - rewrite own_made_start by exact trees_positive. cbn [made Forest.start]. lia.
    - clear n. intros n s s1 Hr Hr1 IH. pose proof (enter_made_at_most (arrivals s) s) as Hm. pose proof (few_asides s).
      pose proof (enter_own (arrivals s) s Hr (incl_refl _)) as Ho. fold s1 in Ho, Hm. split; intros Ex; [lia|].
      pose proof (sweep_adds_to_both s1 Ex Hr1). pose proof (sweep_made_grows s1 Ex (reached_invariant s1 Hr1)). nia. }
  pose proof (enter_made_at_most (arrivals (run_for n start)) (run_for n start)).
  pose proof (few_asides (run_for n start)). lia.
Qed.

End ForestOutside.

(** With the zero vector apart and one class for each queue, every class of every visit has one of two keys. *)
Lemma two_keys {V : Type} (less : V -> V -> bool) cfg trees oracle later arrivals :
  (forall s a, In a (arrivals s) -> a = Aside) ->
  forall s x, ForestTerms.reached less cfg trees oracle later arrivals (separate_origin trees) one_class s -> In x (leaves s) ->
  In (Forest.key (separate_origin trees) one_class x) [(0, 0%Z); (1, 0%Z)].
Proof.
  intros Ha s x Hr Hx.
  pose proof (leaves_are_of_the_forest (F := Rules less cfg trees oracle later arrivals (separate_origin trees) one_class) Ha s x Hr Hx) as Ht.
  cbn in Ht. unfold Forest.key, separate_origin, one_class. apply Nat.leb_gt in Ht. rewrite Ht. destruct (norm x =? 0)%Z; cbn; auto.
Qed.
