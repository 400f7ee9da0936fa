(** * One sweep of a forest: what each queue expands. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps.
From EmbeddedHunter Require Search SearchSteps SearchSweep.

Section ForestSweep.

Context {V : Type} {F : rules V}.

Lemma sweep_made_grows s : exhausted s = false -> invariant s -> made s <= made (sweep s).
Proof.
  intros Hx Hi. apply in_a_sweep; auto. intros x s1 _ _ _ Hp H. rewrite expand_made by exact Hp. lia.
Qed.

Lemma sweep_log_grows s : exhausted s = false -> invariant s -> exists new, log (sweep s) = new ++ log s.
Proof.
  intros Hx Hi. apply (in_a_sweep (fun s1 => exists new, log s1 = new ++ log s)); auto.
  - now exists [Sweep (limit s)].
  - intros l s1 _ _ (new & E). exists (Visit l :: new). cbn. now rewrite E.
  - intros x s1 _ _ _ Hp (new & E). destruct (expand_log x s1 Hp) as (more & -> & _).
    exists (more ++ Expand (place x) (best x) :: new). rewrite E, <- app_assoc. reflexivity.
Qed.

(** The sweep has the next number, and it ranges over the leaves of this number. *)
Lemma sweep_sweeps s : exhausted s = false -> invariant s -> sweeps (sweep s) = S (sweeps s).
Proof.
  intros Hx Hi. apply (in_a_sweep (fun s1 => sweeps s1 = S (sweeps s))); auto.
  intros x s1 _ _ _ Hp <-. now apply expand_sweeps.
Qed.

(** ** The key lemma, in each queue *)

Section KeyLemma.
Hypothesis order : total_order less.

Lemma forest_is_ordered : Search.ordered search.
Proof. split; [exact (less_at_most less order)|exact (at_most_trans less order)|exact (argmin_at_most less order)]. Qed.

(** Claim [forest-queues].  In each queue: if o is a leaf at the start of a sweep, within the
    reach of the sweep and one of those over which it ranges, then the sweep expands some leaf x of o's queue over which it
    ranges, at most as deep as o and at most as large in value (unless the budget runs out first). *)
Theorem a_sweep_expands_in_each_queue s o :
  exhausted s = false -> invariant s -> In o (leaves s) -> depth o <= limit s -> in_range (S (sweeps s)) o = true ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In (Expand (place x) (best x)) new /\
    (place x <> [] /\ x = new_leaf (place x) (best x) /\
       (tree_of (place x) < trees -> best x = value (place x))) /\
    queue x = queue o /\ in_range (S (sweeps s)) x = true /\ depth x <= depth o /\ at_most less (best x) (best o).
Proof.
  intros He Hi Ho Hl Hr.
  destruct (SearchSweep.sweep_expands lawful forest_is_ordered s o Hi Ho Hl Hr)
    as [H|(new & x & H1 & (H2 & (s1 & Hi1 & Hx) & H3 & H4 & H9) & H5)]; [now left|right].
  destruct (leaf_is_sound s1 x Hi1 Hx) as (H6 & H7 & H8 & _). exists new, x. repeat split; auto.
Qed.

(** Claim [forest-queues].  In a sweep over the trees of one dimension: if o is a leaf of a tree of this dimension, within
    the reach of the sweep, then the sweep expands some leaf x of o's queue in a tree of this dimension, at most as deep as
    o and at most as large in value (unless the budget runs out first). *)
Corollary a_sweep_of_a_dimension_expands_in_each_queue d s o :
  turn cfg (S (sweeps s)) = Some d -> dimension_of cfg (tree_of (place o)) = d ->
  exhausted s = false -> invariant s -> In o (leaves s) -> depth o <= limit s ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In (Expand (place x) (best x)) new /\
    dimension_of cfg (tree_of (place x)) = d /\ queue x = queue o /\ depth x <= depth o /\ at_most less (best x) (best o).
Proof.
  intros Ht Hd He Hi Ho Hl. assert (Hr : forall x : leaf V, in_range (S (sweeps s)) x = (dimension_of cfg (tree_of (place x)) =? d))
    by (intros x; unfold Forest.in_range; now rewrite Ht).
  destruct (a_sweep_expands_in_each_queue s o He Hi Ho Hl) as [H|(new & x & H1 & H2 & _ & H3 & H4 & H5)];
    [rewrite Hr; now apply Nat.eqb_eq|now left|right]. rewrite Hr in H4. apply Nat.eqb_eq in H4.
  exists new, x. auto.
Qed.

End KeyLemma.

End ForestSweep.
