(** * One sweep: the key lemma, progress, and what a sweep costs. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Order.
From EmbeddedHunter Require Search SearchSteps SearchSweep.

Section Sweep.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation exhausted := (exhausted cfg).
Local Notation value := (value less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation lawful := (algorithm_one_is_lawful less oracle cfg).

(** ** The key lemma *)

Section KeyLemma.
Hypothesis order : total_order less.

Lemma algorithm_one_is_ordered : Search.ordered (algorithm_one less oracle cfg).
Proof.
  split; cbn.
  - exact (less_at_most less order).
  - exact (at_most_trans less order).
  - exact (argmin_at_most less order).
Qed.

Lemma expanded_in_log x (nu : V) (l : list (event V)) : In (Expand x nu) l -> In x (expanded l).
Proof. induction l as [|e l IH]; [easy|]. intros [->|H]; [now left|]. specialize (IH H). destruct e; cbn; auto. Qed.

(** The visits of the depths 0, ..., lim suffice for every leaf [o] of one of these depths. *)
Lemma first_visits_expand lim s o :
  leaves_are_nodes s -> In o (places s) -> length o <= lim ->
  let s' := visits less oracle cfg (S lim) 0 (begin_sweep cfg s) in
  exhausted s' = true \/
  exists new x, log s' = new ++ log s /\ In x (expanded new) /\
    length x <= length o /\ at_most less (value x) (value o).
Proof.
  intros Hn Ho Hl. apply (in_places less oracle cfg) in Ho; [|exact Hn].
  destruct (SearchSweep.first_visits_expand lawful algorithm_one_is_ordered lim s (node_at less oracle cfg o) Hn Ho)
    as [H|(new & x & H1 & (H2 & (s1 & Hn1 & Hx) & _ & H3 & _) & H4)];
    [cbn; now rewrite depth_node_at|reflexivity|now left|right].
  cbn in *. exists new, (place x). rewrite (Hn1 x Hx), !depth_node_at in H3.
  repeat split; auto; [now apply (expanded_in_log _ (best x))|]. unfold Nodes.value. now rewrite <- (Hn1 x Hx).
Qed.

(** Claims [sweep-expands] [sentence-after-eq-7].  If o is a leaf at the start of a sweep, within the
    reach of the sweep, then the sweep expands some node x, at most as deep as
    o and at most as large in value (unless the budget runs out first). *)
Theorem sweep_expands s o :
  leaves_are_nodes s -> In o (places s) -> length o <= limit cfg s ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In x (expanded new) /\
    length x <= length o /\ at_most less (value x) (value o).
Proof.
  (* The sweep is the case where [limit s] is the last depth. *)
  apply first_visits_expand.
Qed.

End KeyLemma.

(** ** Progress *)

(** Claim [termination].  A sweep that expands nothing has met no leaf of depth at most h_max, and has
    changed nothing. *)
Theorem a_sweep_that_expands_nothing_met_a_full_tree s :
  leaves_are_nodes s -> exhausted s = false -> nu_min (sweep s) = None ->
  leaves (sweep s) = leaves s /\ made (sweep s) = made s /\
  forall x, In x (leaves s) -> h_max cfg < depth x.
Proof.
  intros Hn Hx Hnu.
  destruct (SearchSweep.a_sweep_that_expands_nothing lawful s Hx Hn) as (H1 & H2 & H3); [now intros []|].
  repeat split; auto. intros x Hin. now apply H3.
Qed.

End Sweep.
