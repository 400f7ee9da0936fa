(** * An expansion of the model of the forest is that of SpecForest.v: rule F3. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import SpecPoints ForestContext ForestNodes ForestSteps ForestRuns ForestTrees SpecForestValues.
From EmbeddedHunter Require Commands Spec SpecForest.

Section SpecForestExpansions.

Context {V : Type} {F : rules V} {g : nat -> Spec.point -> V} {eta : nat -> R} {separate by_norm : bool}.
Context {spec : follows g eta separate by_norm}.

(** ** The budget *)

Lemma all_values_of (log : list (event V)) :
  Spec.all_values V (events_of log) = map snd (rev (evaluations log)).
Proof.
  induction log as [|e log IH]; [reflexivity|]. unfold forest_events in *. cbn [rev]. rewrite map_app, all_values_app, IH.
  destruct e; cbn [map forest_event Spec.all_values evaluations rev]; rewrite ?app_nil_r; try reflexivity.
  now rewrite map_app.
Qed.

Lemma budget_is_left n (s : forest V) : length (evaluations (log s)) = made s ->
  (budget_left V (state_of n s) <-> exhausted s = false).
Proof.
  intros Hm. unfold SpecForest.budget_left. cbn [SpecForest.past forest_state].
  rewrite all_values_of, map_length, rev_length, Hm. unfold Forest.exhausted. rewrite Nat.leb_gt. reflexivity.
Qed.

Lemma budget_is_used_up n (s : forest V) : length (evaluations (log s)) = made s ->
  exhausted s = true -> ~ budget_left V (state_of n s).
Proof. intros Hm Hx H. apply (budget_is_left n s Hm) in H. congruence. Qed.

(** ** Rule F3: the children of an expanded leaf *)

Lemma is_no_center_iff c q s : q <> [] -> c < K k -> (SpecForest.is_no_center V (K k) (name (c :: q)) s <-> c <> k).
Proof.
  intros Hq Hc. unfold SpecForest.is_no_center. rewrite name_of_child by exact Hq. cbn [snd].
  destruct (child_number k (snd (name q)) c Hc) as [_ ->].
  replace (K k / 2) with k by (unfold K; apply Nat.div_unique with 1; lia). reflexivity.
Qed.

Lemma rule_F3 q n digits s :
  forest_node q -> (forall c, In c digits -> c < K k) -> length (evaluations (log s)) = made s ->
  for_each V (evaluate_child g eta) (map name (children_of q digits)) (state_of n s)
    (state_of n (record_all (firstn (budget cfg - made s) (wanted_of q digits)) s)).
Proof.
  intros Hq. pose proof (proj1 Hq) as Nq. revert s.
  induction digits as [|c digits IH]; intros s Hd Hm.
  - cbn. rewrite firstn_nil. apply Commands.no_more_rounds.
  - destruct (exhausted s) eqn:Hx.
    { pose proof (proj1 (exhausted_left s) Hx) as E. rewrite E. cbn [firstn ForestNodes.record_all].
      apply Commands.no_more_budget. now apply budget_is_used_up. }
    assert (Hc : c < K k) by (apply Hd; now left).
    assert (Hd' : forall c', In c' digits -> c' < K k) by (intros c' H; apply Hd; now right).
    cbn [children_of map]. fold (children_of q digits).
    destruct (Nat.eq_dec c k) as [->|N].
    + rewrite wanted_of_center. eapply Commands.one_round; [now apply budget_is_left| |now apply IH].
      right. split; [|reflexivity]. intros H. apply is_no_center_iff in H; auto.
    + rewrite wanted_of_another by exact N.
      assert (Hleft : budget cfg - made s = S (budget cfg - S (made s))) by (apply not_exhausted in Hx; lia).
      rewrite Hleft. cbn [firstn ForestNodes.record_all].
      set (s1 := snd (evaluate (c :: q) s)).
      assert (Hcq : forest_node (c :: q)) by (apply forest_node_child; auto).
      eapply Commands.one_round; [now apply budget_is_left| |].
      * left. split; [now apply is_no_center_iff|]. unfold SpecForest.evaluate, SpecForest.note. reflexivity.
      * match goal with |- Commands.for_each _ _ _ ?a _ => replace a with (state_of n s1) end.
        -- replace (budget cfg - S (made s)) with (budget cfg - made s1) by (cbn; lia).
           apply IH; [exact Hd'|]. cbn [s1 Forest.evaluate snd log evaluations length made]. now rewrite Hm.
        -- unfold forest_state, s1, Forest.evaluate, Forest.sample. cbn [snd log].
           unfold forest_events. cbn [rev]. rewrite map_app. cbn [map forest_event].
           unfold SpecForest.matrix_of. rewrite tree_of_name, base_point_of_name by exact Hcq.
           replace (tree_of (c :: q) <? trees) with true by (symmetry; apply Nat.ltb_lt, Hcq). rewrite oracle_of_g. reflexivity.
Qed.

Lemma last_forest_child_performed q (s : forest V) : In (2 * k :: q) (performed q s) -> affordable q s = true.
Proof.
  assert (E : exists before, wanted q = before ++ [2 * k :: q]).
  { unfold ForestNodes.wanted, ForestNodes.wanted_of, children_of, K.
    replace (2 * k + 1) with (S (2 * k)) by lia. rewrite seq_S, filter_app, map_app. cbn [filter Nat.add].
    replace (2 * k =? k) with false by (symmetry; apply Nat.eqb_neq; pose proof k_pos; lia). cbn [negb map]. eauto. }
  destruct E as (before & E). pose proof (nodup_wanted q) as Hnd.
  unfold ForestNodes.performed, ForestNodes.affordable. rewrite E in *. intros H. apply Nat.leb_le. now apply last_of_the_first.
Qed.

Lemma all_forest_children_have_values x s n s2 : reached s -> exhausted s = false -> In x (leaves s) ->
  log s2 = log (expand x s) ->
  (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) (name (place x))) (state_of n s2)
   <-> affordable (place x) s = true).
Proof.
  intros Hr Hx Hin E. destruct (leaf_facts s x Hr Hin) as (F0 & F1 & F2 & _).
  pose proof (expansion_is_well_evaluated x s F1 (log_is_well_evaluated s Hr)) as Hw. set (q := place x) in *.
  unfold SpecForest.all_have_values, SpecForest.f_star. cbn [SpecForest.past forest_state]. rewrite E.
  rewrite <- names_of_forest_children by exact F2. split.
  - intros H. apply last_forest_child_performed.
    assert (Hl : 2 * k < K k) by (unfold K; lia). assert (Nk : 2 * k =? k = false) by (apply Nat.eqb_neq; pose proof k_pos; lia).
    assert (Hf : forest_node (2 * k :: q)) by (apply forest_node_child; auto).
    specialize (H (name (2 * k :: q))). destruct (SpecForest.value_of V _ _ _ (name (2 * k :: q)) _) as [w|] eqn:Ev.
    + apply some_value in Ev. destruct Ev as (p & m & Hp & G). apply in_rev, evaluation_event in Hp.
      destruct (Hw p m w Hp) as (P1 & P2 & _). apply gives_iff in G; auto. destruct G as [G1 G2].
      rewrite inner_child in G1, G2 by exact F2. cbn [birth] in G1, G2. rewrite Nk in G1, G2.
      destruct G2 as [G2|G2]; [|discriminate].
      assert (Ep : p = 2 * k :: q).
      { apply nodes_are_equal; [apply P1|easy|exact G2|]. rewrite inner_child by exact F2. congruence. }
      subst p. assert (Hq : In (2 * k :: q) (evaluated_nodes (expand x s))) by (apply in_map_iff; exists (2 * k :: q, m, w); auto).
      rewrite evaluated_nodes_expand in Hq by exact F2. apply in_app_or in Hq. destruct Hq as [Hq|Hq]; [now apply in_rev|exfalso].
      destruct (evaluated_nodes_are s trees_pos Hr) as [_ Hev].
      destruct (Hev _ Hq) as (_ & [(t & [= _ Eq] & _)|(c & q' & [= _ <-] & _ & _ & Hex)]); [easy|].
      exact (leaf_or_expanded s (reached_invariant s Hr) Hx q Hex F0).
    + exfalso. apply H; [|reflexivity]. apply in_map, in_children. exists (2 * k). auto.
  - intros Ha y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp). apply in_children in Hp.
    destruct Hp as (c & Hc & ->). rewrite value_is_witnessed; [discriminate|exact Hw|apply forest_node_child; auto|].
    change (In (witness (c :: q)) (evaluated_nodes (expand x s))). rewrite evaluated_nodes_expand by exact F2.
    apply witness_of_child; auto. now apply leaves_have_witnesses.
Qed.

(** ** An expansion *)

Lemma queue_of_leaf s x : reached s -> In x (leaves s) ->
  SpecForest.queue_of (K k) d eta separate (name (place x)) = queue x.
Proof.
  intros Hr Hx. destruct (leaf_facts s x Hr Hx) as (_ & F1 & _ & _ & F4 & _). rewrite queue_of_rules.
  unfold SpecForest.queue_of, queue_rule, separate_origin, one_queue. rewrite is_zero_norm by exact F1.
  destruct F1 as (_ & F1 & _). apply Nat.leb_gt in F1. destruct separate; rewrite F1; [now rewrite F4|reflexivity].
Qed.

Lemma an_expansion x s n : reached s -> exhausted s = false -> In x (leaves s) -> depth x <= h_max cfg ->
  expansion g eta separate (name (place x)) (state_of n s) (state_of n (expand x s)).
Proof.
  intros Hr Hx Hin Hd. destruct (leaf_facts s x Hr Hin) as (F0 & F1 & F2 & F3 & F4 & F5).
  pose proof (reached_invariant s Hr) as Hi.
  set (s1 := Forest (leaves s) ((queue x, best x) :: nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (roots s)
                    (Expand (place x) (best x) :: log s)).
  set (s2 := record_all (performed (place x) s) s1).
  exists (Some (best x)). split; [unfold SpecForest.f_star_is; symmetry; now apply f_star_of_best|].
  exists (SpecForest.State V (SpecForest.T V (state_of n s)) (fun u => nu_min u (nu_mins s1)) n (events_of (log s))).
  split.
  { repeat split. intros w. cbn [SpecForest.nu_min forest_state s1 nu_mins ForestNodes.record_all].
    rewrite (queue_of_leaf s x Hr Hin). cbn [nu_min nu_mins]. reflexivity. }
  exists (state_of n s1). split.
  { unfold SpecForest.note, forest_state, forest_events, s1.
    cbn [log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. rewrite map_app. reflexivity. }
  exists (state_of n s2). split.
  - rewrite <- names_of_forest_children by exact F2.
    apply (rule_F3 (place x) n (seq 0 (K k)) s1); [exact F1|intros c Hc%in_seq; lia|].
    cbn [s1 made log evaluations]. now apply evaluations_made.
  - assert (Hclosed : log (expand x s) = log s2 /\ nu_mins (expand x s) = nu_mins s2).
    { pose proof (expand_closed x s F2) as H. cbv zeta in H. fold s1 in H. fold s2 in H.
      destruct (affordable (place x) s); [destruct H as (ch & _ & _ & ->)|rewrite H]; auto. }
    destruct Hclosed as [Hlog Hnu].
    assert (Hplaces : places s2 = places s).
    { unfold places, s2. now destruct (record_all_frame (performed (place x) s) s1) as (-> & _). }
    pose proof (all_forest_children_have_values x s n s2 Hr Hx Hin (eq_sym Hlog)) as Hall.
    destruct (places_expand x s F2 Hin) as [[Ha E]|(Ha & l1 & l2 & E & E')].
    + right. split; [intros H; apply Hall in H; congruence|].
      unfold forest_state. rewrite Hlog, Hnu, E, Hplaces. reflexivity.
    + left. split; [now apply Hall|]. unfold SpecForest.add_children, forest_state. rewrite Hlog, Hnu, E', Hplaces.
      cbn [SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. split; [|auto]. intros y.
      pose proof (leaves_occur_once s Hi) as Hnd. rewrite E in Hnd.
      rewrite <- names_of_forest_children by exact F2. 
      rewrite E. apply (names_after_replacement _ _ _ _ _ _ Hnd). intros p Hp Ep. rewrite <- E in Hp.
      apply forest_names_are_unique in Ep; auto. now apply (forest_node_of_leaf s).
Qed.

End SpecForestExpansions.
