(** * The tree of a run: nodes occur once, parents are expanded, leaves partition.

    Every theorem holds for every state that any run passes through
    ([reached]), with any oracle, any values and any budget. *)

From EmbeddedHunter Require Import Lists SearchTree Lattice Model Nodes Steps Paths.

Section RunsTree.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation affordable := (affordable less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation reached := (reached less oracle cfg).

(** ** What one expansion does to the tree *)

Lemma expanded_expand q s :
  expanded (log (expand (node_at q) s)) = q :: expanded (log s).
Proof. now rewrite expand_log, expanded_evaluations. Qed.

Lemma made_expand_cut q s :
  affordable q s = false -> exhausted s = false -> exhausted (expand (node_at q) s) = true.
Proof.
  intros Ha Hx. apply exhausted_left. rewrite expand_made, (performed_cut _ _ _ _ _ Ha). lia.
Qed.

Lemma not_exhausted_affordable q s :
  exhausted s = false -> exhausted (expand (node_at q) s) = false -> affordable q s = true.
Proof.
  intros Hx Hx'. destruct (affordable q s) eqn:E; [reflexivity|].
  rewrite (made_expand_cut _ _ E Hx) in Hx'. discriminate.
Qed.

Lemma places_expand q s :
  In q (places s) ->
  (affordable q s = false /\ places (expand (node_at q) s) = places s) \/
  (affordable q s = true /\ exists l1 l2, places s = l1 ++ q :: l2 /\
     places (expand (node_at q) s) = l1 ++ children cfg q ++ l2).
Proof.
  intros Hq. unfold places in *. rewrite expand_leaves.
  destruct (affordable q s); [right|left; auto]. split; [reflexivity|].
  destruct (replace_leaf_split q (map node_at (children cfg q)) (leaves s) Hq)
    as (l1 & x & l2 & -> & <- & ->).
  exists (map place l1), (map place l2). rewrite !map_app. cbn [map].
  split; [reflexivity|]. f_equal. f_equal. rewrite map_map.
  erewrite map_ext; [apply map_id|]. intros p. apply place_node_at.
Qed.

Lemma in_places_expand q s p :
  In q (places s) -> In p (places (expand (node_at q) s)) ->
  In p (places s) \/ (exists c, c < K k /\ p = c :: q).
Proof.
  intros Hq Hp. destruct (places_expand q s Hq) as [[_ E]|(_ & l1 & l2 & E & E')].
  - rewrite E in Hp. auto.
  - rewrite E' in Hp. rewrite E. rewrite !in_app_iff in Hp. rewrite in_app_iff. cbn.
    destruct Hp as [H|[H|H]]; auto. right. now apply in_children in H.
Qed.

Lemma places_expand_keeps q s p :
  In q (places s) -> In p (places s) -> p <> q -> In p (places (expand (node_at q) s)).
Proof.
  intros Hq Hp Hne. destruct (places_expand q s Hq) as [[_ E]|(_ & l1 & l2 & E & E')].
  - now rewrite E.
  - rewrite E' , !in_app_iff. rewrite E, in_app_iff in Hp. cbn in Hp.
    destruct Hp as [H|[H|H]]; auto. congruence.
Qed.

(** ** Nodes occur once *)

Definition no_leaf_is_expanded (s : state V) : Prop :=
  forall q, In q (expanded (log s)) -> ~ In q (places s).

Lemma tree_invariant s :
  reached s -> tree (fun p q => exists c, p = c :: q) (negb (exhausted s)) (places s) (expanded (log s)).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - split; cbn; repeat constructor; auto. intros p q (c & ->) [[H|[]]|[]]. discriminate H.
  - intros q s Hr Hx Hin Hd Hb IH. rewrite expanded_expand, Hx in *.
    destruct (places_expand q s Hin) as [[Ha ->]|(_ & l1 & l2 & E & ->)].
    + rewrite (made_expand_cut _ _ Ha Hx). now apply tree_cut.
    + rewrite E in IH. apply tree_expand; auto.
      * intros p q1 q2 (c & ->) (c' & E'). congruence.
      * intros p (c & E'). apply (f_equal (@length nat)) in E'. cbn in E'. lia.
      * apply nodup_children.
      * intros p Hp. apply in_children in Hp. destruct Hp as (c & _ & ->). now exists c.
Qed.

(** Claims [alg1-line-8] [alg1-line-10].  The parent of every leaf and of every
    expanded node was expanded. *)
Theorem every_parent_is_expanded s :
  reached s ->
  forall c q, In (c :: q) (places s) \/ In (c :: q) (expanded (log s)) ->
  In q (expanded (log s)).
Proof. intros H c q. apply (parents_are_expanded _ _ _ _ (tree_invariant s H)). now exists c. Qed.

(** Claim [alg1-line-10].  No node stands twice among the leaves. *)
Theorem nodes_occur_once s : reached s -> NoDup (places s).
Proof. intros H. apply (leaves_occur_once _ _ _ _ (tree_invariant s H)). Qed.

(** Claim [alg1-line-8].  No node is expanded twice. *)
Theorem no_node_is_expanded_twice s : reached s -> NoDup (expanded (log s)).
Proof. intros H. apply (expansions_occur_once _ _ _ _ (tree_invariant s H)). Qed.

(** Claim [alg1-line-8].  An expanded node is no leaf any more, unless the budget
    cut its expansion. *)
Theorem an_expanded_node_is_no_leaf s :
  reached s -> exhausted s = false -> no_leaf_is_expanded s.
Proof. intros H Hx. exact (leaves_are_not_expanded _ _ _ _ (tree_invariant s H) (f_equal negb Hx)). Qed.

(** ** Depths and digits *)

Lemma nodes_are_nodes s :
  reached s ->
  (forall q, In q (places s) -> node k q /\ length q <= S (h_max cfg)) /\
  (forall q, In q (expanded (log s)) -> node k q /\ length q <= h_max cfg).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - split; [|intros q []]. intros q [<-|[]]. split; [constructor|cbn; lia].
  - intros q s Hr Hx Hin Hd Hb [H1 H2].
    rewrite expanded_expand. split.
    + intros p Hp. destruct (in_places_expand q s p Hin Hp) as [H|(c & Hc & ->)]; [auto|].
      split; [|cbn; lia]. constructor; [exact Hc|]. now apply H1.
    + intros p [<-|Hp]; [|auto]. split; [now apply H1|exact Hd].
Qed.

(** Claim [alg1-line-3].  No node of depth more than h_max is expanded. *)
Theorem expanded_nodes_have_depth_at_most_h_max s q :
  reached s -> In q (expanded (log s)) -> node k q /\ length q <= h_max cfg.
Proof. intros H. apply (nodes_are_nodes s H). Qed.

(** Claim [alg1-line-3].  No leaf has a depth of more than h_max + 1. *)
Theorem leaves_have_depth_at_most_h_max_plus_1 s q :
  reached s -> In q (places s) -> node k q /\ length q <= S (h_max cfg).
Proof. intros H. apply (nodes_are_nodes s H). Qed.

(** ** The leaves partition *)

(** While budget is left, the root and every child of an expanded node is a leaf
    or is itself expanded. *)
Lemma leaf_or_expanded s :
  reached s -> exhausted s = false ->
  (In [] (places s) \/ In [] (expanded (log s))) /\
  (forall q c, In q (expanded (log s)) -> c < K k ->
     In (c :: q) (places s) \/ In (c :: q) (expanded (log s))).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros _. split; [left; now left|intros q c []].
  - intros q s Hr Hx Hin Hd Hb IH Hx'. destruct (IH Hx) as [H1 H2].
    pose proof (not_exhausted_affordable q s Hx Hx') as Ha.
    rewrite expanded_expand.
    destruct (places_expand q s Hin) as [[E _]|(_ & l1 & l2 & E & ->)]; [congruence|]. rewrite E in *.
    pose proof (nodes_are_kept (list_eq_dec Nat.eq_dec) q) as Hkeep.
    split; [now apply Hkeep|]. intros p c [<-|Hp] Hc; [|now apply Hkeep, H2].
    left. rewrite !in_app_iff. right. left. apply in_children. eauto.
Qed.

(** Every node of the infinite tree is expanded or lies at or under a leaf. *)
Lemma expanded_or_under_a_leaf s :
  reached s -> exhausted s = false ->
  forall p, node k p -> In p (expanded (log s)) \/ exists q, In q (places s) /\ ancestor q p.
Proof.
  intros Hr Hx. destruct (leaf_or_expanded s Hr Hx) as [H1 H2].
  intros p Hp. induction Hp as [|c q Hc Hq IH].
  - destruct H1 as [H1|H1]; [right; exists []; split; [exact H1|apply ancestor_refl]|auto].
  - destruct IH as [IH|(q' & Hq' & Ha)].
    + destruct (H2 q c IH Hc) as [H|H]; [|auto]. right. exists (c :: q).
      split; [exact H|apply ancestor_refl].
    + right. exists q'. split; [exact Hq'|now apply ancestor_child].
Qed.

(** Ancestors of leaves and of expanded nodes are expanded. *)
Lemma ancestors_are_expanded s q p :
  reached s -> In p (places s) \/ In p (expanded (log s)) -> ancestor q p -> q <> p ->
  In q (expanded (log s)).
Proof.
  intros Hr Hp (m & ->). revert Hp. induction m as [|c m IH]; intros Hp Hn; [easy|].
  pose proof (every_parent_is_expanded s Hr c (m ++ q) Hp) as H.
  destruct m as [|c' m]; [exact H|]. apply IH; [auto|].
  intros E. apply (f_equal (@length nat)) in E. cbn in E. rewrite app_length in E. lia.
Qed.

Lemma no_leaf_under_a_leaf s q p :
  reached s -> exhausted s = false -> In q (places s) -> In p (places s) ->
  ancestor q p -> q = p.
Proof.
  intros Hr Hx Hq Hp Ha. destruct (list_eq_dec Nat.eq_dec q p) as [E|N]; [exact E|].
  exfalso. apply (an_expanded_node_is_no_leaf s Hr Hx q); [|exact Hq].
  eapply ancestors_are_expanded; eauto.
Qed.

(** The parts of the tree that the budget may cut are no leaves less: while an
    expansion is cut its leaf stays.  So the partition holds in every state. *)
Lemma partition_invariant s :
  reached s ->
  forall p, node k p -> S (h_max cfg) <= length p ->
  exists q, In q (places s) /\ ancestor q p /\
    forall q', In q' (places s) -> ancestor q' p -> q' = q.
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros p _ _. exists []. split; [now left|]. split; [exists p; now rewrite app_nil_r|].
    intros q' [<-|[]] _. reflexivity.
  - intros q s Hr Hx Hin Hd Hb IH p Hp Hl. destruct (IH p Hp Hl) as (r & Hr1 & Hr2 & Hr3).
    destruct (places_expand q s Hin) as [[_ E]|(_ & l1 & l2 & E & E')].
    + rewrite E. eauto.
    + pose proof (nodes_occur_once s Hr) as Hnd.
      rewrite E in Hnd. destruct (nodup_parts _ _ _ Hnd) as (_ & _ & N1 & N2 & _).
      destruct (list_eq_dec Nat.eq_dec r q) as [->|N].
      * destruct Hr2 as (m & ->).
        assert (Hm : exists m' c, m = m' ++ [c]).
        { destruct (exists_last (l := m)) as (m' & c & ->); [|eauto].
          intros ->. cbn in Hl. lia. }
        destruct Hm as (m' & c & ->). rewrite <- app_assoc in *. cbn [app] in *.
        assert (Hc : c < K k).
        { unfold node in Hp. rewrite Forall_app in Hp. destruct Hp as [_ Hp]. now inversion Hp. }
        exists (c :: q). rewrite E'. split; [|split].
        -- rewrite !in_app_iff. right. left. apply in_children. eauto.
        -- now exists m'.
        -- intros q' Hq' Ha. rewrite !in_app_iff in Hq'.
           assert (Hold : In q' l1 \/ In q' l2 -> q' = q).
           { intros H. apply Hr3; [|exact Ha]. rewrite E, in_app_iff. cbn. tauto. }
           destruct Hq' as [H|[H|H]].
           ++ rewrite (Hold (or_introl H)) in H. tauto.
           ++ apply in_children in H. destruct H as (c' & _ & ->).
              apply ancestor_same_length; [|reflexivity].
              apply ancestors_nested with (q := m' ++ c :: q); auto. now exists m'.
           ++ rewrite (Hold (or_intror H)) in H. tauto.
      * exists r. split; [now apply places_expand_keeps|]. split; [exact Hr2|].
        intros q' Hq' Ha. destruct (in_places_expand q s q' Hin Hq') as [H|(c & _ & ->)]; [auto|].
        exfalso. apply N. symmetry. apply Hr3; [exact Hin|].
        destruct Ha as (m & ->). exists (m ++ [c]). now rewrite <- app_assoc.
Qed.

(** ** Depth of the tree *)

Lemma deepest_is_a_depth (xs : list (leaf V)) : xs <> [] -> exists x, In x xs /\ depth x = deepest xs.
Proof.
  induction xs as [|x xs IH]; [easy|]. intros _. cbn [deepest].
  destruct xs as [|y xs]; [exists x; cbn; split; [auto|lia]|].
  destruct IH as (z & Hz & E); [easy|].
  destruct (Nat.max_spec (depth x) (deepest (y :: xs))) as [[_ ->]|[_ ->]].
  - exists z. split; [now right|exact E].
  - exists x. split; [now left|reflexivity].
Qed.

(** The tree is full: all its leaves have depth h_max + 1. *)
Definition full (s : state V) : Prop := forall q, In q (places s) -> length q = S (h_max cfg).

(** Claim [termination].  The leaves of a full tree are all the K^(h_max+1) nodes of depth h_max + 1. *)
Theorem a_full_tree_has_all_the_deepest_leaves s :
  reached s -> full s -> length (places s) = K k ^ S (h_max cfg).
Proof.
  intros Hr Hf. rewrite <- length_level. apply Nat.le_antisymm.
  - apply NoDup_incl_length; [now apply nodes_occur_once|]. intros q Hq. apply in_level.
    split; [now apply (leaves_have_depth_at_most_h_max_plus_1 s q Hr)|auto].
  - apply NoDup_incl_length; [apply nodup_level|]. intros p Hp. apply in_level in Hp.
    destruct Hp as [Hp Hl]. destruct (partition_invariant s Hr p Hp) as (q & H1 & H2 & _); [lia|].
    rewrite <- (ancestor_same_length q p H2); [exact H1|]. now rewrite (Hf q H1).
Qed.

(** In a full tree every node of depth at most h_max was expanded. *)
Lemma full_expanded s p :
  reached s -> full s -> node k p -> length p <= h_max cfg -> In p (expanded (log s)).
Proof.
  intros Hr Hf Hp Hl.
  set (n := S (h_max cfg) - length p).
  assert (Hd : node k (repeat 0 n ++ p)).
  { unfold node. apply Forall_app. split; [|exact Hp]. apply Forall_forall.
    intros c Hc%repeat_spec. subst. unfold K. lia. }
  assert (Hlen : length (repeat 0 n ++ p) = S (h_max cfg)).
  { rewrite app_length, repeat_length. unfold n. lia. }
  destruct (partition_invariant s Hr (repeat 0 n ++ p) Hd) as (q & H1 & H2 & _); [lia|].
  assert (E : q = repeat 0 n ++ p) by (apply ancestor_same_length; [exact H2|rewrite Hlen; auto]).
  subst q. apply (ancestors_are_expanded s p (repeat 0 n ++ p) Hr); [now left|now exists (repeat 0 n)|].
  intros E. apply (f_equal (@length nat)) in E. rewrite Hlen in E. lia.
Qed.

End RunsTree.
