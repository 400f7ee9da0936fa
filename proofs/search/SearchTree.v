(** * The tree of a search: nodes occur once, and the parents of all nodes are expanded. *)

From EmbeddedHunter Require Import Lists.

Section SearchTree.

(** [child p q]: [p] is a child of [q]. *)
Context {node : Type} (child : node -> node -> Prop).
Hypothesis one_parent : forall p q q', child p q -> child p q' -> q = q'.
Hypothesis no_loop : forall p, ~ child p p.

(** What holds of the leaves and the expanded nodes of a run; [live]: budget is left. *)
Record tree (live : bool) (leaves expanded : list node) : Prop := Tree {
  parents_are_expanded : forall p q, child p q -> In p leaves \/ In p expanded -> In q expanded;
  leaves_occur_once : NoDup leaves;
  expansions_occur_once : NoDup expanded;
  leaves_are_not_expanded : live = true -> forall q, In q expanded -> ~ In q leaves
}.

(** The budget ends while the children of [q] are made. *)
Lemma tree_cut q leaves expanded : In q leaves -> tree true leaves expanded -> tree false leaves (q :: expanded).
Proof.
  intros Hq [Hp H1 H2 H3]. specialize (H3 eq_refl). split; [|exact H1| |discriminate].
  - intros p q' Hc [H|[<-|H]]; right; eauto.
  - constructor; [|exact H2]. intros E. exact (H3 q E Hq).
Qed.

(** The children [ch] of [q] take its place. *)
Lemma tree_expand live q ch l1 l2 expanded :
  NoDup ch -> (forall p, In p ch -> child p q) ->
  tree true (l1 ++ q :: l2) expanded -> tree live (l1 ++ ch ++ l2) (q :: expanded).
Proof.
  intros Hd Hc [Hp H1 H2 H3]. specialize (H3 eq_refl).
  destruct (nodup_parts _ _ _ H1) as (N1 & N2 & N3 & N4 & N5).
  assert (Hin : In q (l1 ++ q :: l2)) by (apply in_or_app; right; now left).
  assert (Hq : ~ In q expanded) by (intros E; exact (H3 q E Hin)).
  assert (Hch : forall p, In p ch -> ~ In p (l1 ++ q :: l2) /\ ~ In p expanded)
    by (intros p H; split; intros E; apply Hq, (Hp p q); auto).
  split.
  - intros p p' Hpp. rewrite !in_app_iff. intros [[H|[H|H]]|[<-|H]].
    + right. apply (Hp p p' Hpp). rewrite in_app_iff. auto.
    + left. apply (one_parent p); auto.
    + right. apply (Hp p p' Hpp). rewrite in_app_iff. cbn. auto.
    + right. apply (Hp _ p' Hpp). auto.
    + right. apply (Hp p p' Hpp). auto.
  - apply nodup_app; [exact N1| |].
    + apply nodup_app; [exact Hd|exact N2|]. intros p H H'. apply (proj1 (Hch p H)), in_or_app. cbn. auto.
    + intros p H H'. apply in_app_or in H'. destruct H' as [H'|H']; [|now apply (N5 p)].
      apply (proj1 (Hch p H')), in_or_app. auto.
  - now constructor.
  - intros _ p [<-|He]; rewrite !in_app_iff.
    + intros [H|[H|H]]; try tauto. exact (no_loop q (Hc q H)).
    + intros [H|[H|H]]; [| |]; [|now destruct (Hch p H)|]; apply (H3 p He); rewrite in_app_iff; cbn; auto.
Qed.

(** Expanded nodes and leaves together: no node is lost. *)
Lemma nodes_are_kept (eq_dec : forall p q : node, {p = q} + {p <> q}) (q p : node) ch l1 l2 expanded :
  In p (l1 ++ q :: l2) \/ In p expanded -> In p (l1 ++ ch ++ l2) \/ In p (q :: expanded).
Proof.
  rewrite !in_app_iff. cbn. destruct (eq_dec p q) as [->|N]; [auto|]. intuition congruence.
Qed.

End SearchTree.
