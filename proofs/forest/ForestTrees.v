(** * The nodes of the first P trees, and which of them a run has expanded. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Paths Order Forest ForestNodes ForestClasses ForestSteps ForestLoops ForestSweep ForestEnds
  ForestRuns.

Section ForestTrees.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation reached_induction := (reached_induction less cfg trees oracle later arrivals queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later arrivals queue).
Local Notation node_of_leaf := (leaf_is_a_node cfg trees oracle).
Local Notation nothing_to_expand := (nothing_to_expand cfg).

(** The depth of a node in its tree. *)
Definition level_of (p : path) : nat := length (inner p).

(** [p] is a node of one of the first P trees. *)
Definition forest_node (p : path) : Prop := p <> [] /\ tree_of p < trees /\ node k (inner p).

Lemma forest_node_child c q : q <> [] -> forest_node (c :: q) <-> c < K k /\ forest_node q.
Proof.
  intros Hq. unfold forest_node, node. rewrite tree_of_child, inner_child by exact Hq. split.
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

(** All nodes of the first P trees of depth at most [h]. *)
Definition forest_levels (h : nat) : list path := flat_map (fun t => map (fun q => q ++ [t]) (levels k h)) (seq 0 trees).

Lemma in_forest_levels h p : In p (forest_levels h) <-> forest_node p /\ level_of p <= h.
Proof.
  unfold forest_levels, forest_node, level_of. rewrite in_flat_map. split.
  - intros (t & Ht%in_seq & Hp). apply in_map_iff in Hp. destruct Hp as (q & <- & Hq).
    apply in_levels in Hq. rewrite inner_app, tree_of_app. destruct Hq. repeat split; auto; [now destruct q|lia].
  - intros ((H1 & H2 & H3) & H4). exists (tree_of p). split; [apply in_seq; lia|].
    apply in_map_iff. exists (inner p). split; [symmetry; now apply node_is_inner_and_tree|]. now apply in_levels.
Qed.

(** Claim [forest-lemma-1].  The P trees have P (K^(h+1) - 1) / (K - 1) nodes of depth at most h. *)
Theorem the_forest_has_P_times_the_nodes_of_a_tree h :
  (K k - 1) * length (forest_levels h) + trees = trees * K k ^ S h.
Proof.
  pose proof (length_levels k h) as H. unfold forest_levels.
  assert (Hts : forall ts, (K k - 1) * length (flat_map (fun t => map (fun q => q ++ [t]) (levels k h)) ts) + length ts =
    length ts * K k ^ S h).
  { induction ts as [|t ts IH]; [cbn; lia|]. cbn [flat_map length]. rewrite app_length, map_length, Nat.mul_add_distr_l, Nat.mul_succ_l, <- IH, <- H.
    unfold path. lia. }
  specialize (Hts (seq 0 trees)). now rewrite seq_length in Hts.
Qed.

(** ** The trees of a run *)

Lemma nodes_are_nodes s : reached s ->
  (forall q, In q (places s) -> tree_of q < trees -> forest_node q) /\
  (forall q, In q (expanded (log s)) -> tree_of q < trees -> forest_node q /\ level_of q <= h_max cfg).
Proof.
  revert s. refine (reached_induction _ _ _).
  - split; [|intros q []]. intros q Hq Ht. cbn in Hq. rewrite map_map in Hq. apply in_map_iff in Hq.
    destruct Hq as (t & <- & _). repeat split; auto; [easy|constructor].
  - intros s s' Hr Hi [H1 H2] Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin Hd|a s Hx _]; [split; auto|split; auto| |].
    + pose proof (node_of_leaf s x Hi Hin) as Hp. pose proof (nodes_are_sound _ _ _ s Hi) as Hn.
      assert (Hpx : In (place x) (places s)) by (apply in_map; exact Hin).
      rewrite expanded_expand by exact Hp. split.
      * intros q Hq Ht. destruct (in_places_expand less cfg trees oracle later queue x s q Hn Hin Hq) as [H|(c & Hc & ->)];
          [auto|]. apply forest_node_child; [exact Hp|]. split; [exact Hc|]. apply H1; [exact Hpx|].
        now rewrite tree_of_child in Ht.
      * intros q [<-|Hq] Ht; [|auto]. split; [auto|].
        rewrite (sound_depth cfg trees oracle s) in Hd; [exact Hd|]. now apply Hn.
    + assert (He : expanded (log (enter_one a s)) = expanded (log s)) by now destruct a.
      rewrite He. split; [|auto]. intros q Hq Ht. destruct (nodes_are_sound _ _ _ s Hi) as [Hroots _].
      unfold places in Hq. destruct a as [v| |]; cbn in Hq; [| |now apply H1]; rewrite map_app, in_app_iff in Hq;
        (destruct Hq as [Hq|[<-|[]]]; [now apply H1|cbn in Ht; lia]).
Qed.

(** While budget is left, the roots and every child of an expanded node are leaves or are themselves expanded. *)
Lemma leaf_or_expanded_nodes s :
  reached s -> exhausted s = false ->
  (forall t, t < trees -> In [t] (places s) \/ In [t] (expanded (log s))) /\
  (forall q c, In q (expanded (log s)) -> c < K k -> In (c :: q) (places s) \/ In (c :: q) (expanded (log s))).
Proof.
  revert s. refine (reached_induction _ _ _).
  - intros _. split; [|intros q c []]. intros t Ht. left. cbn. rewrite map_map. apply in_map_iff.
    exists t. split; [reflexivity|]. apply in_seq. lia.
  - intros s s' Hr Hi IH Hst Hx'. destruct Hst as [s Hx|l s Hx _|x s Hx Hin Hd|a s Hx _]; [auto|auto| |];
      specialize (IH Hx); destruct IH as [IH1 IH2].
    + pose proof (node_of_leaf s x Hi Hin) as Hp. pose proof (nodes_are_sound _ _ _ s Hi) as Hn.
      pose proof (not_exhausted_affordable less cfg trees oracle later queue x s Hp Hx Hx') as Ha.
      rewrite expanded_expand by exact Hp.
      destruct (places_expand less cfg trees oracle later queue x s Hn Hin) as [[E _]|(_ & l1 & l2 & E & ->)]; [congruence|].
      rewrite E in *. pose proof (SearchTree.nodes_are_kept (list_eq_dec Nat.eq_dec) (place x)) as Hkeep.
      split; [intros t Ht; now apply Hkeep, IH1|]. intros q c [<-|H] Hc; [|now apply Hkeep, IH2].
      left. rewrite !in_app_iff. right. left. apply in_children. eauto.
    + assert (He : expanded (log (enter_one a s)) = expanded (log s)) by now destruct a.
      assert (Hpl : forall p, In p (places s) -> In p (places (enter_one a s))).
      { intros p H. unfold places. destruct a; cbn; rewrite ?map_app, ?in_app_iff; auto. }
      rewrite He. split.
      * intros t Ht. destruct (IH1 t Ht); auto.
      * intros q c Hq Hc. destruct (IH2 q c Hq Hc); auto.
Qed.

Lemma expanded_or_under_a_leaf s p :
  reached s -> exhausted s = false -> forest_node p ->
  In p (expanded (log s)) \/ exists q, In q (places s) /\ q <> [] /\ ancestor q p.
Proof.
  intros Hr Hx. destruct (leaf_or_expanded_nodes s Hr Hx) as [H1 H2].
  induction p as [|c q IH]; intros Hp; [destruct Hp; easy|].
  destruct (list_eq_dec Nat.eq_dec q []) as [->|N].
  - destruct Hp as (_ & Ht & _). cbn in Ht. destruct (H1 c Ht) as [H|H]; [|auto].
    right. exists [c]. split; [exact H|]. split; [easy|apply ancestor_refl].
  - apply forest_node_child in Hp; [|exact N]. destruct Hp as [Hc Hp].
    destruct (IH Hp) as [H|(a & Ha & Hne & Hanc)].
    + destruct (H2 q c H Hc) as [H'|H']; [|auto]. right. exists (c :: q).
      split; [exact H'|]. split; [easy|apply ancestor_refl].
    + right. exists a. split; [exact Ha|]. split; [exact Hne|now apply ancestor_child].
Qed.

(** When nothing is left to expand, every node of depth at most h_max of the first P trees was expanded. *)
Lemma full_expanded s p :
  reached s -> exhausted s = false -> nothing_to_expand s -> forest_node p -> level_of p <= h_max cfg ->
  In p (expanded (log s)).
Proof.
  intros Hr Hx Hf Hp Hl. destruct (expanded_or_under_a_leaf s p Hr Hx Hp) as [H|(q & Hq & Hne & Ha)]; [exact H|].
  exfalso. apply in_map_iff in Hq. destruct Hq as (x & <- & Hin). specialize (Hf x Hin).
  pose proof (nodes_are_sound _ _ _ s (reached_invariant s Hr)) as [_ Hn].
  rewrite (sound_depth cfg trees oracle s x (Hn x Hin)) in Hf.
  pose proof (level_of_ancestor (place x) p Hne Ha). unfold level_of in *. lia.
Qed.

(** Ancestors of leaves and of expanded nodes are expanded. *)
Lemma ancestors_are_expanded s q p :
  reached s -> In p (places s) \/ In p (expanded (log s)) -> q <> [] -> ancestor q p -> q <> p ->
  In q (expanded (log s)).
Proof.
  intros Hr Hp Hq (m & ->). revert Hp. induction m as [|c m IH]; intros Hp Hn; [easy|].
  assert (Hmq : m ++ q <> []) by (destruct m; [exact Hq|easy]).
  pose proof (parents_are_expanded _ _ _ s (reached_invariant s Hr) c (m ++ q) Hmq Hp) as H.
  destruct m as [|c' m]; [exact H|]. apply IH; [auto|].
  intros E. apply (f_equal (@length nat)) in E. cbn in E. rewrite app_length in E. lia.
Qed.

Lemma enter_expanded news s : expanded (log (enter news s)) = expanded (log s).
Proof.
  revert s; induction news as [|a news IH]; intros s; cbn [Forest.enter]; [reflexivity|].
  destruct (exhausted s); [reflexivity|]. rewrite IH. now destruct a.
Qed.

End ForestTrees.
