(** * The nodes of the first P trees, and which of them a run has expanded. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps.
From EmbeddedHunter Require SearchTree.

(** ** Nodes *)

Section Nodes.

Context {cfg : forest_settings} {trees : nat}.
Local Notation forest_node := (ForestTerms.forest_node cfg trees).

Lemma forest_node_child c q : q <> [] -> forest_node (c :: q) <-> c < K (half cfg) /\ forest_node q.
Proof.
  intros Hq. unfold ForestTerms.forest_node, node. rewrite tree_of_child, inner_child by exact Hq. split.
  - intros (_ & H1 & H2). inversion H2; subst. auto.
  - intros (H1 & _ & H2 & H3). repeat split; auto. easy.
Qed.

Lemma ancestor_forest_node a p : a <> [] -> ancestor a p -> forest_node p -> forest_node a.
Proof.
  intros Ha (m & ->). induction m as [|c m IH]; [auto|]. cbn [app]. intros H. apply IH.
  apply forest_node_child in H; [tauto|]. destruct m; [exact Ha|easy].
Qed.

Lemma level_of_ancestor a p : a <> [] -> ancestor a p -> level_of a <= level_of p.
Proof.
  intros Ha H. destruct (ancestor_tree a p Ha H) as [Hp _]. apply ancestor_length in H.
  rewrite (length_inner a Ha), (length_inner p Hp) in H. unfold level_of. lia.
Qed.

Lemma in_forest_levels h p : In p (ForestTerms.forest_levels cfg trees h) <-> forest_node p /\ level_of p <= h.
Proof.
  unfold ForestTerms.forest_levels, ForestTerms.forest_node, level_of. rewrite in_flat_map. split.
  - intros (t & Ht%in_seq & Hp). apply in_map_iff in Hp. destruct Hp as (q & <- & Hq).
    apply in_levels in Hq. rewrite inner_app, tree_of_app. destruct Hq. repeat split; auto; [now destruct q|lia].
  - intros ((H1 & H2 & H3) & H4). exists (tree_of p). split; [apply in_seq; lia|].
    apply in_map_iff. exists (inner p). split; [symmetry; now apply node_is_inner_and_tree|]. now apply in_levels.
Qed.

Lemma nodup_forest_levels h : NoDup (ForestTerms.forest_levels cfg trees h).
Proof.
  unfold ForestTerms.forest_levels. induction (seq_NoDup trees 0) as [|t ts Ht Hts IH]; [constructor|].
  cbn [flat_map]. apply nodup_app; [|exact IH|].
  - apply FinFun.Injective_map_NoDup; [|apply nodup_levels]. intros a b E. now apply app_inv_tail in E.
  - intros x Hx Hx2. apply in_map_iff in Hx. destruct Hx as (q & <- & _). apply in_flat_map in Hx2.
    destruct Hx2 as (t' & Ht' & Hx2). apply in_map_iff in Hx2. destruct Hx2 as (q' & E & _).
    apply app_inj_tail in E. destruct E as [_ ->]. easy.
Qed.

End Nodes.

(** ** The trees of a run *)

Section ForestTrees.

Context {V : Type} {F : rules V}.

Lemma nodes_are_nodes s : reached s ->
  (forall q, In q (places s) -> tree_of q < trees -> forest_node q) /\
  (forall q, In q (expanded (log s)) -> tree_of q < trees -> forest_node q /\ level_of q <= h_max cfg).
Proof.
  revert s. along_the_run.
  - rewrite root_places. split; [|intros q []]. intros q Hq Ht. apply in_map_iff in Hq.
    destruct Hq as (t & <- & _). repeat split; auto; [easy|constructor].
  - destruct IH as [H1 H2]. assert (Hpx : In (place x) (places s)) by (apply in_map; exact Hin).
    rewrite expanded_expand by exact Hp. split.
    + intros q Hq Ht. destruct (in_places_expand x s q Hp Hin Hq) as [H|(_ & c & Hc & ->)]; [auto|].
      rewrite tree_of_child in Ht by exact Hp. apply forest_node_child; auto.
    + intros q [<-|Hq] Ht; [|auto]. rewrite <- (sound_depth s) by now apply leaf_is_sound. auto.
  - destruct IH as [H1 H2]. destruct (nodes_are_sound _ _ _ s Hi) as [Hroots _].
    replace (expanded (log (enter_one a s))) with (expanded (log s)) by now destruct a.
    split; [|auto]. intros q Hq Ht. unfold places in Hq. destruct a as [v| |]; cbn in Hq; [| |now apply H1];
      rewrite map_app, in_app_iff in Hq; (destruct Hq as [Hq|[<-|[]]]; [now apply H1|cbn in Ht; lia]).
Qed.

(** While budget is left, the roots and every child of an expanded node are leaves or are themselves expanded. *)
Lemma leaf_or_expanded_nodes s :
  reached s -> exhausted s = false ->
  (forall t, t < trees -> In [t] (places s) \/ In [t] (expanded (log s))) /\
  (forall q c, In q (expanded (log s)) -> c < K k -> In (c :: q) (places s) \/ In (c :: q) (expanded (log s))).
Proof.
  revert s. along_the_run; auto.
  - intros _. split; [|intros q c []]. intros t Ht. left. rewrite root_places. apply (in_map (fun t => [t])), in_seq. lia.
  - intros Hx'. destruct (IH Hx) as [IH1 IH2]. pose proof (not_exhausted_affordable x s Hp Hx Hx') as Ha.
    rewrite expanded_expand by exact Hp.
    destruct (places_expand x s Hp Hin) as [[E _]|(_ & l1 & l2 & E & ->)]; [congruence|].
    rewrite E in *. pose proof (SearchTree.nodes_are_kept (list_eq_dec Nat.eq_dec) (place x)) as Hkeep.
    split; [intros t Ht; now apply Hkeep, IH1|]. intros q c [<-|H] Hc; [|now apply Hkeep, IH2].
    left. rewrite !in_app_iff. right. left. apply in_children. eauto.
  - intros _. destruct (IH Hx) as [IH1 IH2].
    replace (expanded (log (enter_one a s))) with (expanded (log s)) by now destruct a.
    assert (Hpl : forall p, In p (places s) -> In p (places (enter_one a s)))
      by (intros p H; unfold places; destruct a; cbn; rewrite ?map_app, ?in_app_iff; auto).
    split; [intros t Ht; destruct (IH1 t Ht); auto|intros q c Hq Hc; destruct (IH2 q c Hq Hc); auto].
Qed.

Lemma expanded_or_under_a_leaf s p :
  reached s -> exhausted s = false -> forest_node p ->
  In p (expanded (log s)) \/ exists q, In q (places s) /\ q <> [] /\ ancestor q p.
Proof.
  intros Hr Hx. destruct (leaf_or_expanded_nodes s Hr Hx) as [H1 H2].
  assert (Here : forall q, q <> [] -> In q (places s) -> exists a, In a (places s) /\ a <> [] /\ ancestor a q)
    by (intros q Hq H; exists q; auto using ancestor_refl).
  induction p as [|c q IH]; intros Hp; [destruct Hp; easy|].
  destruct (list_eq_dec Nat.eq_dec q []) as [->|N].
  - destruct Hp as (_ & Ht & _). cbn in Ht. destruct (H1 c Ht) as [H|H]; auto. right. apply Here; easy.
  - apply forest_node_child in Hp; [|exact N]. destruct Hp as [Hc Hp]. destruct (IH Hp) as [H|(a & Ha & Hne & Hanc)].
    + destruct (H2 q c H Hc) as [H'|H']; auto. right. apply Here; easy.
    + right. exists a. auto using ancestor_child.
Qed.

(** When nothing is left to expand, every node of depth at most h_max of the first P trees was expanded. *)
Lemma full_expanded s p :
  reached s -> exhausted s = false -> nothing_to_expand s -> forest_node p -> level_of p <= h_max cfg ->
  In p (expanded (log s)).
Proof.
  intros Hr Hx Hf Hp Hl. destruct (expanded_or_under_a_leaf s p Hr Hx Hp) as [H|(q & Hq & Hne & Ha)]; [exact H|].
  exfalso. apply in_map_iff in Hq. destruct Hq as (x & <- & Hin). specialize (Hf x Hin).
  rewrite (sound_depth s x) in Hf by now apply leaf_is_sound, Hin; apply reached_invariant.
  pose proof (level_of_ancestor (place x) p Hne Ha). lia.
Qed.

(** Ancestors of leaves and of expanded nodes are expanded. *)
Lemma ancestors_are_expanded s q p :
  reached s -> In p (places s) \/ In p (expanded (log s)) -> q <> [] -> ancestor q p -> q <> p ->
  In q (expanded (log s)).
Proof.
  intros Hr Hp Hq (m & ->). revert Hp. induction m as [|c m IH]; intros Hp Hn; [easy|].
  assert (Hmq : m ++ q <> []) by (destruct m; [exact Hq|easy]).
  pose proof (parents_are_expanded s (reached_invariant s Hr) c (m ++ q) Hmq Hp) as H.
  destruct m as [|c' m]; [exact H|]. apply IH; [auto|].
  intros E. apply (f_equal (@length nat)) in E. cbn in E. rewrite app_length in E. lia.
Qed.

End ForestTrees.
