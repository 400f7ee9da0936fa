(** * One sweep of a forest: what each queue expands. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Paths Order RunsTree Forest ForestNodes ForestClasses ForestSteps ForestLoops.
From EmbeddedHunter Require Search SearchSteps SearchSweep.

Section ForestSweep.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation limit := (Forest.limit cfg).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation lawful := (forest_is_lawful less cfg trees oracle later nothing queue rank).

Lemma sweep_made_grows s : exhausted s = false -> invariant s -> made s <= made (sweep s).
Proof.
  intros Hx Hi.
  exact (SearchSweep.made_grows lawful _ (Forest.begin_sweep cfg s) _ (Search.holds_sweep _ lawful s Hx Hi)
    (SearchSteps.sweep_moves lawful s Hi)).
Qed.

Lemma sweep_log_grows s : exhausted s = false -> invariant s -> exists new, log (sweep s) = new ++ Sweep (limit s) :: log s.
Proof.
  intros Hx Hi.
  exact (SearchSweep.log_grows lawful _ (Forest.begin_sweep cfg s) _ (Search.holds_sweep _ lawful s Hx Hi)
    (SearchSteps.sweep_moves lawful s Hi)).
Qed.

(** ** The key lemma, in each queue *)

Section KeyLemma.
Hypothesis order : total_order less.

Lemma forest_is_ordered arrivals : Search.ordered (forest_search less cfg trees oracle later arrivals queue rank).
Proof.
  split; cbn.
  - exact (less_at_most less order).
  - exact (at_most_trans less order).
  - exact (argmin_at_most less order).
Qed.

(** Claim [forest-queues].  In each queue: if o is a leaf at the start of a sweep, within the
    reach of the sweep, then the sweep expands some leaf x of o's queue, at most as deep as o and at most as large
    in value (unless the budget runs out first). *)
Theorem a_sweep_expands_in_each_queue s o :
  exhausted s = false -> invariant s -> In o (leaves s) -> depth o <= limit s ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In (Expand (place x) (best x)) new /\
    (place x <> [] /\ x = Forest.new_leaf cfg (place x) (best x) /\
       (tree_of (place x) < trees -> best x = value cfg oracle (place x))) /\
    queue x = queue o /\ depth x <= depth o /\ at_most less (best x) (best o).
Proof.
  intros He Hi Ho Hl.
  destruct (SearchSweep.sweep_expands lawful (forest_is_ordered nothing) s o Hi Ho Hl eq_refl)
    as [H|(new & x & H1 & (H2 & (s1 & Hi1 & Hx) & H3 & H4 & _) & H5)]; [now left|right].
  destruct (proj2 (nodes_are_sound _ _ _ s1 Hi1) x Hx) as (H6 & H7 & H8 & _).
  exists new, x. repeat split; auto.
Qed.

End KeyLemma.

End ForestSweep.
