(** * Runs of a forest: the budget, what is evaluated and how often, the answer, the trees. *)

From EmbeddedHunter Require Import ForestContext Geometry ForestNodes ForestSteps ForestSweep ForestEnds.

Section ForestRuns.

Context {V : Type} {F : rules V}.

Lemma hunt_reached : reached hunt.
Proof. apply run_for_reached. Qed.

(** The evaluations that one arrival makes. *)
Lemma enter_one_evaluations a s :
  (evaluations (log (enter_one a s)) = evaluations (log s) /\ made (enter_one a s) = made s /\
     answer (enter_one a s) = answer s) \/
  (exists v, evaluations (log (enter_one a s)) = ([roots s], S (roots s), v) :: evaluations (log s) /\
     recorded ([roots s], S (roots s), v) /\
     made (enter_one a s) = S (made s) /\ answer (enter_one a s) = smaller less v (answer s)).
Proof.
  assert (H : recorded ([roots s], S (roots s), sample [roots s] s)).
  { split; [reflexivity|]. intros Ht. unfold Forest.sample. apply Nat.ltb_lt in Ht. now rewrite Ht. }
  destruct a as [v| |]; [left; auto| |]; right; exists (sample [roots s] s);
    (split; [reflexivity|split; [exact H|split; reflexivity]]).
Qed.

(** ** The budget *)

Lemma evaluations_made s : reached s -> length (evaluations (log s)) = made s.
Proof.
  revert s. along_the_run; [reflexivity| |].
  - rewrite expand_made by exact Hp. destruct (expand_log x s Hp) as (new & -> & _ & H & _).
    rewrite evaluations_app. cbn [evaluations]. rewrite app_length, IH.
    apply (f_equal (@length _)) in H. rewrite map_length, rev_length in H. lia.
  - destruct (enter_one_evaluations a s) as [(-> & -> & _)|(v & -> & _ & -> & _)]; [exact IH|]. cbn. now rewrite IH.
Qed.

Lemma made_at_most_the_budget s : 1 <= budget cfg -> reached s -> made s <= budget cfg.
Proof.
  intros Hb. revert s. along_the_run; [exact Hb| |].
  - rewrite expand_made, length_performed by exact Hp. lia.
  - apply not_exhausted in Hx. destruct (enter_one_evaluations a s) as [(_ & -> & _)|(v & _ & _ & -> & _)]; lia.
Qed.

(** Claim [forest-budget-exact].  A run of a forest never makes more evaluations than its budget, at no moment. *)
Theorem evaluations_of_a_forest_never_exceed_the_budget s :
  1 <= budget cfg -> reached s -> length (evaluations (log s)) <= budget cfg.
Proof. intros Hb Hr. rewrite evaluations_made by exact Hr. now apply made_at_most_the_budget. Qed.

(** Claim [forest-budget-exact].  A run of a forest makes exactly v evaluations, unless all leaves of all its trees are
    deeper than h_max. *)
Theorem the_budget_of_a_forest_is_used_exactly_unless_its_trees_are_full :
  1 <= k -> 1 <= budget cfg ->
  length (evaluations (log hunt)) = budget cfg \/ nothing_to_expand hunt.
Proof.
  intros Hk Hb. destruct (a_run_of_a_forest_ends_exhausted_or_full Hk) as [H|H]; [left|auto].
  pose proof (made_at_most_the_budget hunt Hb hunt_reached).
  rewrite (evaluations_made hunt hunt_reached). apply exhausted_left in H. lia.
Qed.

(** ** What is evaluated, and how often *)

Lemma evaluated_nodes_expand x s : place x <> [] ->
  evaluated_nodes (expand x s) = rev (performed (place x) s) ++ evaluated_nodes s.
Proof.
  intros Hp. unfold evaluated_nodes. destruct (expand_log x s Hp) as (new & -> & _ & H & _).
  rewrite evaluations_app, map_app, H. reflexivity.
Qed.

(** The nodes evaluated by an expansion are children, the center child excepted. *)
Lemma performed_child q s p : In p (rev (performed q s)) -> exists c, c < K k /\ c <> k /\ p = c :: q.
Proof. intros H. now apply in_wanted, (performed_wanted q s), in_rev. Qed.

Lemma expansion_evaluations x s p n w : place x <> [] -> In (p, n, w) (evaluations (log (expand x s))) ->
  In (p, n, w) (evaluations (log s)) \/ recorded (p, n, w) /\ exists c, c < K k /\ c <> k /\ p = c :: place x.
Proof.
  intros Hp. destruct (expand_log x s Hp) as (new & -> & _ & Hm & Hf & _).
  rewrite evaluations_app, in_app_iff. cbn [evaluations]. intros [H|H]; [right|now left].
  rewrite Forall_forall in Hf. split; [now apply Hf|]. apply (performed_child (place x) s). rewrite <- Hm.
  apply in_map_iff. now exists (p, n, w).
Qed.

(** Evaluated nodes: the first root, later roots, and children, the center child excepted, of expanded nodes. *)
Lemma evaluated_nodes_are s : 1 <= trees -> reached s ->
  NoDup (evaluated_nodes s) /\
  forall p, In p (evaluated_nodes s) -> tree_of p < roots s /\
    ((exists t, p = [t] /\ (t = 0 \/ trees <= t)) \/ exists c q, p = c :: q /\ q <> [] /\ c <> k /\ In q (expanded (log s))).
Proof.
  intros Ht. revert s. along_the_run.
  - split; [repeat constructor; easy|]. intros p [<-|[]]. split; [exact Ht|left; exists 0; auto].
  - destruct IH as [IH1 IH2]. rewrite evaluated_nodes_expand, expanded_expand, expand_roots by exact Hp. split.
    + apply nodup_app; [apply NoDup_rev, nodup_performed|exact IH1|]. intros p H1%performed_child H2.
      destruct H1 as (c & _ & Hc & ->). destruct (IH2 _ H2) as (_ & [(t & [= _ E] & _)|(c' & q & [= _ E] & _ & _ & H)]); [easy|].
      apply (leaf_or_expanded s Hi Hx (place x)); [now rewrite E|now apply in_map].
    + intros p H. apply in_app_or in H. destruct H as [H%performed_child|H].
      * destruct H as (c & _ & Hc & ->). split; [|right; exists c, (place x); cbn; auto]. rewrite tree_of_child by exact Hp.
        now destruct (leaf_is_sound s x Hi Hin) as (_ & _ & _ & H).
      * destruct (IH2 p H) as (H1 & [H2|(c & q & H2 & H3 & H4 & H5)]); split; auto. right. exists c, q. cbn. auto.
  - destruct IH as [IH1 IH2]. destruct (nodes_are_sound _ _ _ s Hi) as [Hroots _].
    replace (roots (enter_one a s)) with (S (roots s)) by now destruct a.
    replace (expanded (log (enter_one a s))) with (expanded (log s)) by now destruct a. unfold evaluated_nodes in *.
    destruct (enter_one_evaluations a s) as [(-> & _)|(v & -> & _)]; cbn [map fst].
    + split; [exact IH1|]. intros p H. destruct (IH2 p H). split; [lia|assumption].
    + split.
      * constructor; [|exact IH1]. intros H. destruct (IH2 _ H) as [H1 [(t & [= <-] & H2)|(c & q & [= _ E] & Hq & _)]]; [|congruence].
        change (tree_of [roots s]) with (roots s) in H1. lia.
      * intros p [<-|H]; [split; [cbn; lia|left; exists (roots s); auto]|]. destruct (IH2 p H). split; [lia|assumption].
Qed.

(** Claims [forest-evaluated-once] [forest-zero-vector-once].  Each node is evaluated at most once in a run. *)
Theorem no_node_of_a_forest_is_evaluated_twice s : 1 <= trees -> reached s -> NoDup (evaluated_nodes s).
Proof. intros Ht H. apply (evaluated_nodes_are s Ht H). Qed.

(** Claim [forest-evaluated-once].  No two evaluations of one tree are at the same base point. *)
Theorem no_base_point_is_evaluated_twice_in_a_tree s p q :
  1 <= trees -> reached s -> In p (evaluated_nodes s) -> In q (evaluated_nodes s) ->
  tree_of p = tree_of q -> birth k (inner p) = birth k (inner q) -> p = q.
Proof.
  intros Hd Hr Hp Hq Ht Hb. destruct (evaluated_nodes_are s Hd Hr) as [_ H].
  assert (Hbirth : forall p, In p (evaluated_nodes s) -> p <> [] /\ birth k (inner p) = inner p).
  { intros r Hin. destruct (H r Hin) as [_ [(t & -> & _)|(c & r' & -> & Hne & Hc & _)]]; [split; [easy|reflexivity]|].
    split; [easy|]. rewrite inner_child by exact Hne. cbn [birth]. apply Nat.eqb_neq in Hc. now rewrite Hc. }
  destruct (Hbirth p Hp) as [Np Ep]. destruct (Hbirth q Hq) as [Nq Eq].
  apply nodes_are_equal; congruence.
Qed.

(** Claim [forest-zero-vector-once].  The zero vector is evaluated exactly once by the P trees together, in
    every state of every run: at the very beginning, through the root of tree 0. *)
Theorem the_zero_vector_is_evaluated_once_by_the_forest s :
  1 <= trees -> reached s -> filter of_the_zero_vector (evaluations (log s)) = [([0], 1, oracle 0 [])].
Proof.
  intros Ht. revert s. along_the_run.
  - cbn. unfold ForestTerms.of_the_zero_vector. cbn. apply Nat.ltb_lt in Ht. cbn in Ht. now rewrite Ht.
  - destruct (expand_log x s Hp) as (new & -> & _ & H & _). rewrite evaluations_app, filter_app. cbn [evaluations].
    rewrite IH, filter_none; [reflexivity|]. intros e He.
    assert (Hw : In (fst (fst e)) (rev (performed (place x) s))) by (rewrite <- H; apply in_map_iff; eauto).
    apply performed_child in Hw. destruct Hw as (c & _ & Hc & Ee). unfold ForestTerms.of_the_zero_vector.
    rewrite Ee, inner_child by exact Hp. cbn [birth]. apply Nat.eqb_neq in Hc. rewrite Hc. apply andb_false_r.
  - destruct (enter_one_evaluations a s) as [(-> & _)|(v & -> & _)]; [exact IH|].
    cbn [filter]. unfold ForestTerms.of_the_zero_vector at 1. cbn [fst].
    destruct (nodes_are_sound _ _ _ s Hi) as [Hroots _].
    change (tree_of [roots s]) with (roots s). destruct (Nat.ltb_spec (roots s) trees); [lia|exact IH].
Qed.

(** ** The answer *)

Section Answer.
Hypothesis order : total_order less.

Lemma fold_right_smaller (es : list (path * nat * V)) (a : V) :
  let r := fold_right (fun e a => smaller less (snd e) a) a es in
  (r = a \/ In r (map snd es)) /\ at_most less r a /\ forall e, In e es -> at_most less r (snd e).
Proof.
  induction es as [|e es (H1 & H2 & H3)]; cbn [fold_right map In].
  - split; [auto|]. split; [now apply at_most_refl|easy].
  - set (r := fold_right (fun e a => smaller less (snd e) a) a es) in *. split; [|split].
    + destruct (smaller_is_one_of less (snd e) r) as [-> | ->]; tauto.
    + apply (at_most_trans less order _ r); [now apply smaller_at_most_old|exact H2].
    + intros e' [<-|He]; [now apply smaller_at_most_new|].
      apply (at_most_trans less order _ r); [now apply smaller_at_most_old|auto].
Qed.

(** Claim [forest-budget-exact].  The answer is the least of all evaluations made, in every state: also when the
    budget cut the last sweep. *)
Theorem the_answer_of_a_forest_is_its_least_evaluation s :
  reached s ->
  In (answer s) (map snd (evaluations (log s))) /\
  (forall v, In v (map snd (evaluations (log s))) -> at_most less (answer s) v).
Proof.
  revert s. along_the_run.
  - cbn. split; [auto|]. intros v [<-|[]]. now apply at_most_refl.
  - destruct IH as [IH1 IH2]. destruct (expand_log x s Hp) as (new & -> & _ & _ & _ & ->).
    destruct (fold_right_smaller (evaluations new) (answer s)) as (H1 & H2 & H3).
    rewrite evaluations_app, map_app. cbn [evaluations]. split.
    + apply in_or_app. destruct H1 as [-> |H1]; auto.
    + intros v Hv. apply in_app_or in Hv. destruct Hv as [Hv|Hv].
      * apply in_map_iff in Hv. destruct Hv as (e & <- & He). auto.
      * apply (at_most_trans less order _ (answer s)); auto.
  - destruct IH as [IH1 IH2]. destruct (enter_one_evaluations a s) as [(-> & _ & ->)|(v & -> & _ & _ & ->)]; [auto|].
    cbn [map snd]. split.
    + destruct (smaller_is_one_of less v (answer s)) as [-> | ->]; [now left|right; auto].
    + intros w [<-|Hw]; [now apply smaller_at_most_new|].
      apply (at_most_trans less order _ (answer s)); [now apply smaller_at_most_old|auto].
Qed.

Lemma answer_never_grows s s' : reached s -> steps s s' -> at_most less (answer s') (answer s).
Proof.
  intros Hr. revert s'. refine (steps_induction (fun s' => at_most less (answer s') (answer s)) s Hr _ _ _ _ _); auto.
  - now apply at_most_refl.
  - intros x s1 _ _ _ Hp _ IH. apply (at_most_trans less order _ (answer s1)); [|exact IH].
    destruct (expand_log x s1 Hp) as (new & _ & _ & _ & _ & ->). apply fold_right_smaller.
  - intros a s1 _ _ _ IH. apply (at_most_trans less order _ (answer s1)); [|exact IH].
    destruct (enter_one_evaluations a s1) as [(_ & _ & ->)|(v & _ & _ & _ & ->)];
      [now apply at_most_refl|now apply smaller_at_most_old].
Qed.

(** Claim [forest-theorem-2].  The answer is at most the value of every node, leaf or expanded, of the first P trees. *)
Theorem the_answer_of_a_forest_is_at_most_every_value_in_it s :
  1 <= trees -> reached s ->
  forall p, In p (places s) \/ In p (expanded (log s)) -> tree_of p < trees -> at_most less (answer s) (value p).
Proof.
  intros Ht. revert s. along_the_run.
  - rewrite root_places. intros p [H|[]] _. apply in_map_iff in H. destruct H as (t & <- & _). now apply at_most_refl.
  - intros p. assert (Hs : at_most less (answer (expand x s)) (answer s)) by now apply answer_never_grows, step_expand.
    assert (Hold : forall q, In q (places s) \/ In q (expanded (log s)) -> tree_of q < trees ->
      at_most less (answer (expand x s)) (value q)) by (intros q H Hq; apply (at_most_trans less order _ (answer s)); auto).
    assert (Hpx : In (place x) (places s)) by (apply in_map; exact Hin).
    rewrite expanded_expand by exact Hp. intros [H|[<-|H]] Htp; [|apply Hold; auto|apply Hold; auto].
    destruct (in_places_expand x s p Hp Hin H) as [H0|(Ha & c & Hc & ->)]; [apply Hold; auto|].
    destruct (Nat.eq_dec c k) as [->|N].
    + rewrite value_of_a_center_child by exact Hp. rewrite tree_of_child in Htp by exact Hp. apply Hold; auto.
    + destruct (expand_log x s Hp) as (new & _ & _ & H1 & H2 & ->).
      destruct (fold_right_smaller (evaluations new) (answer s)) as (_ & _ & H3).
      assert (Hw : In (c :: place x) (rev (performed (place x) s))).
      { rewrite <- in_rev, (performed_all _ _ Ha). apply in_wanted. eauto. }
      rewrite <- H1 in Hw. apply in_map_iff in Hw. destruct Hw as (((p' & n) & v) & Ep & He). cbn in Ep. subst p'.
      rewrite Forall_forall in H2. destruct (H2 _ He) as [_ Hv].
      rewrite value_of_another_child, <- Hv by auto. apply (H3 _ He).
  - assert (Hs : at_most less (answer (enter_one a s)) (answer s)) by (destruct Ha as (s0 & Ha); now apply answer_never_grows, (step_enter a s0)).
    intros p H Htp. apply (at_most_trans less order _ (answer s)); [exact Hs|]. apply IH; [|exact Htp].
    destruct (nodes_are_sound _ _ _ s Hi) as [Hroots _].
    destruct H as [H|H]; [left; unfold places in H|right; now destruct a]. destruct a as [v| |]; cbn in H; [| |exact H];
      rewrite map_app, in_app_iff in H; (destruct H as [H|[<-|[]]]; [exact H|cbn in Htp; lia]).
Qed.

End Answer.

End ForestRuns.
