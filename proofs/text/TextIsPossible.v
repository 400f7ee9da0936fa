(** * hunt: each visit of the program's run is possible.

    The proof of [hunt] supposes of each visit that a leaf is in the tree when its turn to be replaced comes
    ([a_visit_is_possible]).  It is, as the program's tree holds the model's leaves ([same_state]). *)

From Coq Require Import List ZArith Bool Arith Lia Permutation.
From EmbeddedHunter Require Import Python TextOfNode TextOfVisit TextOfSweep.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Geometry Steps Order Paths RunsTree Batch RunsOrder PriorityQueue
  Program ProgramNodes ProgramLevels ProgramTree ProgramVisits ProgramIsModel.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

Section TextIsPossible.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings).
#[local] Existing Instance greatest_float.
Context (order : total_order (less F)) (Q : priority_queue (before (less F))).
Hypothesis greatest : forall a : float F, a = infinity \/ less F a infinity = true.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.

Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached (less F) oracle cfg).
Local Notation expand := (expand (less F) oracle cfg).
Local Notation wanted := (wanted (less F) oracle cfg).
Local Notation all_wanted := (all_wanted (less F) oracle cfg).
Local Notation sample := (sample (less F) oracle cfg).
Local Notation entry_at := (entry_at (less F) oracle cfg).
Local Notation expansions := (expansions (less F) oracle cfg).
Local Notation take_until := (take_until (less F) oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes (less F) oracle cfg).
Local Notation tree := (Program.tree (float F) (less F) Q).
Local Notation variables := (Program.variables (float F) (less F) Q).
Local Notation tree_holds := (tree_holds (less F) cfg Q).
Local Notation same_depth_of_tree := (same_depth_of_tree (less F) Q).
Local Notation selected := (selected (less F) cfg).
Local Notation same_state := (same_state (less F) cfg Q).
Local Notation expanded_is_right := (expanded_is_right (less F) Q).
Local Notation each_leaf_is_there := (each_leaf_is_there F Q).
Local Notation visit_depth := (Program.visit_depth (less F) oracle cfg Q).

(** A leaf that is least in its class is the first of its heap, and its children are at most one depth deeper than the tree. *)
Lemma a_least_leaf_is_there (tr : tree) s x :
  leaves_are_nodes s -> In x (leaves s) -> is_least_of_its_class (less F) cfg x (leaves s) ->
  tree_holds tr (leaves s) -> same_depth_of_tree tr s ->
  h_of (entry_at (place x)) < length (levels tr) /\
  In (nrm_of (entry_at (place x))) (map fst (heaps (level_at (h_of (entry_at (place x))) tr))) /\
  0 < leaf_count tr /\
  forall y, In y (map entry_at (Nodes.children cfg (place x))) -> h_of y <= length (levels tr).
Proof.
  intros Hn Hx Hl [H1 H2] Hd. unfold ProgramVisits.same_depth_of_tree in Hd.
  assert (E : entry_at (place x) = entry_of cfg x) by (unfold ProgramNodes.entry_at; rewrite <- (Hn x Hx); reflexivity).
  pose proof (depth_le_deepest (leaves s) x Hx) as D. rewrite E, Hd. cbn [h_of nrm_of entry_of].
  split; [lia|]. split; [|split].
  - destruct (class_of_least (less F) cfg Q (level_at (depth x) tr) _ x (H1 (depth x))) as (q & Hq & _).
    + apply filter_In. split; [exact Hx|apply Nat.eqb_refl].
    + intros y Hy Hnorm. apply filter_In in Hy. destruct Hy as [Hy Hdepth]. apply Nat.eqb_eq in Hdepth. exact (Hl y Hy Hdepth Hnorm).
    + exact (in_map fst _ _ Hq).
  - rewrite H2. destruct (leaves s); [destruct Hx|cbn; lia].
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp). apply (in_children cfg) in Hp. destruct Hp as (c & _ & ->).
    rewrite entry_at_is. cbn [h_of length].
    assert (depth x = length (place x)) by (rewrite (Hn x Hx) at 1; apply depth_node_at). lia.
Qed.

(** Each leaf of a visit is there when its turn comes: what went before has replaced leaves of other classes. *)
Lemma each_leaf_is_there_in_time l xs : forall s (tr : tree),
  exhausted s = false -> leaves_are_nodes s -> selected l xs s -> tree_holds tr (leaves s) -> same_depth_of_tree tr s ->
  let room := budget cfg - made s in
  let es := take_until room xs in
  each_leaf_is_there tr
    (firstn (if room <? length (all_wanted es) then length es - 1 else length es)
       (record (less F) cfg (expansions es) (map sample (firstn room (all_wanted es))))).
Proof.
  induction xs as [|x xs IH]; intros s tr Hx Hn Hsel Ht Hd; cbv zeta.
  - cbn [ProgramVisits.take_until ProgramVisits.expansions map record]. rewrite firstn_nil. exact I.
  - destruct (proj2 Hsel x (or_introl eq_refl)) as (Hin & _ & Hleast).
    pose proof (Hn x Hin) as E. set (n := length (wanted (place x))). set (room := budget cfg - made s).
    destruct (a_least_leaf_is_there tr s x Hn Hin Hleast Ht Hd) as (L1 & L2 & L3 & L4).
    cbn [ProgramVisits.take_until]. fold n. destruct (room <=? n) eqn:Ern.
    + apply Nat.leb_le in Ern. cbn [ProgramVisits.all_wanted flat_map]. rewrite app_nil_r. fold n.
      destruct (room <? n) eqn:Ecut; [exact I|]. apply Nat.ltb_ge in Ecut.
      rewrite (firstn_all2 (wanted (place x))) by (fold n; lia).
      pose proof (whole_expansions (less F) oracle cfg greatest d_pos x [] _ eq_refl []) as W. rewrite app_nil_r in W. rewrite W.
      exact (conj L1 (conj L2 (conj L3 (conj L4 I)))).
    + apply Nat.leb_gt in Ern.
      assert (Er : budget cfg - made (expand x s) = room - n) by (rewrite E; apply made_after_expand; assumption).
      assert (Ex' : exhausted (expand x s) = false).
      { rewrite E, exhausted_after_expand by assumption. apply Nat.leb_gt. exact Ern. }
      assert (Haff : affordable (less F) oracle cfg (place x) s = true) by (apply Nat.leb_le; fold room n; lia).
      destruct (replace_follows (less F) oracle cfg order k_pos d_pos Q tr s x Hn Hin Hleast Haff Ht Hd) as (T1 & T2 & _).
      specialize (IH (expand x s) _ Ex' (leaves_are_nodes_after_expand (less F) oracle cfg x s Hn Hin)
        (selected_after_expand (less F) oracle cfg k_pos d_pos l x xs s Hn Hsel) T1 T2).
      cbv zeta in IH. rewrite Er in IH. set (es := take_until (room - n) xs) in *.
      cbn [ProgramVisits.all_wanted flat_map length]. fold (all_wanted es).
      rewrite app_length. fold n. rewrite firstn_app. fold n. rewrite (firstn_all2 (wanted (place x))) by (fold n; lia).
      rewrite map_app, (whole_expansions (less F) oracle cfg greatest d_pos x es _ eq_refl).
      replace (room <? n + length (all_wanted es)) with (room - n <? length (all_wanted es))
        by (apply eq_true_iff_eq; rewrite !Nat.ltb_lt; lia).
      replace (if room - n <? length (all_wanted es) then S (length es) - 1 else S (length es))
        with (S (if room - n <? length (all_wanted es) then length es - 1 else length es)).
      2:{ destruct (room - n <? length (all_wanted es)) eqn:Ec; [|reflexivity].
          destruct es; [|cbn; lia]. apply Nat.ltb_lt in Ec. cbn in Ec. lia. }
      cbn [firstn TextOfVisit.each_leaf_is_there]. exact (conj L1 (conj L2 (conj L3 (conj L4 IH)))).
Qed.

Lemma in_take_until xs : forall n x, In x (take_until n xs) -> In x xs.
Proof.
  induction xs as [|y ys IH]; intros n x; [intros []|]. cbn [ProgramVisits.take_until].
  intros [<-|Hin]; [now left|]. right. destruct (n <=? length (wanted (place y))); [destruct Hin|]. exact (IH _ _ Hin).
Qed.

(** Claim [python-text]. Each visit that the program makes is possible: its depth is in the tree, an evaluation is left, nodes have d numerators, and each leaf is in the tree when it is replaced. *)
Theorem each_visit_is_possible l (p : variables) s :
  reached s -> exhausted s = false -> l < length (levels (leaves_of p)) -> same_state p s ->
  a_visit_is_possible F oracle cfg Q l p.
Proof.
  intros Hr Hx Hlen H.
  destruct (a_visit_chooses (less F) oracle cfg Q order d_pos l p s Hr Hlen H) as (Hchoose & Hsel & _ & T1 & T2 & Hfirst).
  pose proof (reached_leaves_are_nodes (less F) oracle cfg s Hr) as Hn.
  assert (Hp : forall x, In x (chosen (less F) (nu_min s) (classes l (leaves s))) -> node (half cfg) (place x)).
  { intros x Hx0. apply (leaves_have_depth_at_most_h_max_plus_1 (less F) oracle cfg s (place x) Hr).
    apply in_map. apply (proj2 Hsel x Hx0). }
  split; [exact Hlen|]. split; [|split].
  - pose proof (left_is_exhausted (less F) cfg Q p s H) as E. rewrite Hx in E. apply Nat.eqb_neq in E. lia.
  - intros q x Hq Hf. destruct (Hfirst q x Hq Hf) as (y & _ & ->). apply length_numerators.
  - rewrite Hchoose. set (es := take_until (left p) _).
    assert (Hnode : forall q, In q (firstn (left p) (all_wanted es)) -> node (half cfg) q).
    { intros q Hq. assert (Hq' : In q (all_wanted es)).
      { rewrite <- (firstn_skipn (left p)). apply in_or_app. left. exact Hq. }
      apply in_flat_map in Hq'. destruct Hq' as (x & Hx0 & Hq'). apply in_take_until in Hx0.
      exact (valid_wanted (less F) oracle cfg (place x) q (Hp x Hx0) Hq'). }
    rewrite map_length, firstn_map, (replies_are_samples (less F) oracle cfg d_pos _ Hnode).
    unfold ProgramVisits.expansions at 1 2. rewrite map_length.
    subst es. rewrite (same_budget _ _ _ _ _ H).
    apply (each_leaf_is_there_in_time l); [exact Hx|exact Hn|exact Hsel|exact T1|].
    unfold ProgramVisits.same_depth_of_tree. rewrite T2. apply H.
Qed.

Lemma visits_are_possible_from n : forall l (p : variables) s,
  reached s -> exhausted s = false -> n + l <= S (h_max cfg) -> n + l <= length (levels (leaves_of p)) ->
  same_state p s -> expanded_is_right p -> visits_are_possible F oracle cfg Q n l p.
Proof.
  induction n as [|n IH]; intros l p s Hr Hx Hl Hlen H He; [exact I|].
  cbn [visits_are_possible]. cbv zeta. split; [apply (each_visit_is_possible l p s Hr Hx ltac:(lia) H)|].
  destruct (visit_depth_is_visit (less F) oracle cfg Q greatest order k_pos d_pos l p s Hr Hx ltac:(lia) ltac:(lia) H He) as (H1 & H2 & H3).
  rewrite (left_is_exhausted (less F) cfg Q _ _ H1). destruct (exhausted (visit (less F) oracle cfg l s)) eqn:Ex; [exact I|].
  apply (IH (S l) _ (visit (less F) oracle cfg l s)); [|exact Ex|lia|lia|exact H1|exact H2].
  eapply reached_steps; [exact Hr|]. apply (moves_steps (less F) oracle cfg l); [lia|]. apply visit_moves; [exact Hx|exact (reached_leaves_are_nodes (less F) oracle cfg s Hr)].
Qed.

Lemma sweeps_are_possible_from n : forall (p : variables) s,
  reached s -> same_state p s -> expanded p = true -> sweeps_are_possible F oracle cfg Q n p.
Proof.
  induction n as [|n IH]; intros p s Hr H He; [exact I|].
  cbn [sweeps_are_possible]. destruct (goes_on F Q p) eqn:G; [|exact I].
  assert (Ex : exhausted s = false).
  { rewrite <- (left_is_exhausted (less F) cfg Q p s H). unfold goes_on in G. apply andb_true_iff in G. destruct G as [G _].
    apply Nat.ltb_lt in G. apply Nat.eqb_neq. lia. }
  assert (E : Nat.min (depth_of (leaves_of p)) (h_max cfg) = limit cfg s).
  { unfold depth_of, limit. rewrite (same_depth _ _ _ _ _ H). reflexivity. }
  split.
  - unfold TextOfSweep.visits_of, sweep_begins. rewrite E.
    apply (visits_are_possible_from _ 0 _ (begin_sweep cfg s)).
    + eapply reached_steps; [exact Hr|]. apply step_sweep, Ex.
    + exact Ex.
    + unfold limit. lia.
    + cbn [leaves_of]. rewrite (same_depth _ _ _ _ _ H). unfold limit. lia.
    + destruct H as [H1 H2 H3 H4 H5 H6 H7 H8].
      split; cbn [leaves_of nu f_least left t sweep_number events]; auto.
      * now rewrite H7.
      * now rewrite H8.
    + reflexivity.
  - destruct (one_sweep_is_sweep (less F) oracle cfg Q greatest order k_pos d_pos p s Hr Ex H) as [H1 H2].
    unfold ProgramIsModel.expanded_is_right in H2. rewrite (same_nu _ _ _ _ _ H1) in H2.
    destruct (nu_min (sweep (less F) oracle cfg s)).
    + apply (IH _ (sweep (less F) oracle cfg s)); [|exact H1|exact H2]. eapply reached_steps; [exact Hr|]. apply sweep_steps; [exact Ex|].
      exact (reached_leaves_are_nodes (less F) oracle cfg s Hr).
    + destruct n; [exact I|]. cbn [sweeps_are_possible]. unfold goes_on. rewrite H2, andb_false_r. exact I.
Qed.

(** Claim [python-text]. What the proof of [hunt] supposes of the visits of the program's run holds. *)
Theorem all_sweeps_are_possible : sweeps_are_possible F oracle cfg Q (budget cfg) (begin (less F) oracle cfg Q).
Proof.
  apply (sweeps_are_possible_from _ _ (start oracle cfg)); [apply steps_none| |reflexivity].
  apply begin_is_start; assumption.
Qed.

End TextIsPossible.
