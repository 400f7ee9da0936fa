(** * The terms of the theorems on the forest.

    Every term has as parameters what it depends on.  ForestContext.v has the same names without their parameters. *)

From EmbeddedHunter Require Export Lists Filters Lattice Model Nodes Classes Paths Order Forest.
From EmbeddedHunter Require Search SearchTree.

(** The depth of a node in its tree. *)
Definition level_of (p : path) : nat := length (inner p).

(** The ancestor of [p] of depth [l]. *)
Definition along (p : path) (l : nat) : path := skipn (length p - S l) p.

(** [p] is a child of [q], a node. *)
Definition is_child (p q : path) : Prop := q <> [] /\ exists c, p = c :: q.

Section ForestTerms.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).

(** ** Nodes *)

(** The value f* of a node of one of the first P trees: the value of its base point.  It is
    looked up at the birth of the node, the first node that has this base point.  All roots and their center chains share the
    value of the zero vector. *)
Definition value (p : path) : V :=
  match birth k (inner p) with
  | [] => oracle 0 []
  | q => oracle (tree_of p) q
  end.

(** The leaf that stands at [p] whenever [p], a node of one of the first P trees, is in the forest. *)
Definition node_at (p : path) : leaf V := Forest.new_leaf cfg p (value p).

(** [p] is a node of one of the first P trees. *)
Definition forest_node (p : path) : Prop := p <> [] /\ tree_of p < trees /\ node k (inner p).

(** All nodes of the first P trees of depth at most [h]. *)
Definition forest_levels (h : nat) : list path := flat_map (fun t => map (fun q => q ++ [t]) (levels k h)) (seq 0 trees).

Definition is_zero (x : path) : bool := (Nrm k (dimension_of cfg (tree_of x)) (inner x) =? 0)%Z.

(** ** States *)

Definition places (s : forest V) : list path := map place (leaves s).

(** A leaf has its path's depth and norm, and, in one of the first P trees, its value. *)
Definition sound (s : forest V) (x : leaf V) : Prop :=
  place x <> [] /\ x = Forest.new_leaf cfg (place x) (best x) /\ (tree_of (place x) < trees -> best x = value (place x)) /\
  tree_of (place x) < roots s.

Definition leaves_are_nodes (s : forest V) : Prop :=
  trees <= roots s /\ forall x, In x (leaves s) -> sound s x.

(** What holds in every state of a run. *)
Record invariant (s : forest V) : Prop := Invariant {
  nodes_are_sound : leaves_are_nodes s;
  expanded_are_nodes : forall q, In q (expanded (log s)) -> q <> [] /\ tree_of q < roots s;
  is_a_tree : SearchTree.tree is_child (negb (Forest.exhausted cfg s)) (places s) (expanded (log s))
}.

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : forest V) : Prop := forall x, In x (leaves s) -> h_max cfg < depth x.

Definition ended (s : forest V) : Prop := Forest.exhausted cfg s = true \/ nothing_to_expand s.

(** ** Evaluations *)

Definition evaluated_nodes (s : forest V) : list path := map (fun e => fst (fst e)) (evaluations (log s)).

(** An evaluation of the zero vector by one of the first P trees. *)
Definition of_the_zero_vector (e : path * nat * V) : bool :=
  let p := fst (fst e) in (tree_of p <? trees) && same_path (birth k (inner p)) [].

(** The evaluations of the first P trees. *)
Definition own (e : path * nat * V) : bool := tree_of (fst (fst e)) <? trees.
Definition own_made (s : forest V) : nat := length (filter own (evaluations (log s))).

(** What a sweep may cost, if every class of every visit has one of these keys. *)
Definition sweep_cost (keys : list (nat * Z)) : nat := 2 * k * length keys * S (h_max cfg).

(** ** The forest is a search *)

Definition forest_search : Search.search := {|
  Search.value := V; Search.less := less;
  Search.node := path; Search.leaf := leaf V; Search.place := place; Search.depth := depth; Search.best := best;
  Search.children := children cfg; Search.least := argmin less;
  Search.class := nat * Z; Search.class_of := key queue rank; Search.same := same_key; Search.earlier := earlier;
  Search.queue := nat; Search.queue_of := fst;
  Search.state := forest V; Search.event := event V; Search.leaves := leaves;
  Search.nu := fun u s => nu_min u (nu_mins s); Search.made := made; Search.iterations := iterations; Search.log := log;
  Search.mark := fun x => Expand (place x) (best x); Search.expanded := expanded;
  Search.budget := budget cfg; Search.h_max := h_max cfg; Search.limit := Forest.limit cfg;
  Search.ranges := fun s => in_range cfg (sweeps s);
  Search.begin_sweep := Forest.begin_sweep cfg; Search.begin_visit := Forest.begin_visit;
  Search.expand := Forest.expand less cfg trees oracle later queue; Search.allowed := fun _ _ => True;
  Search.enter := fun s => enter less cfg trees oracle later (arrivals s) s;
  Search.outside := fun s s' => exists a s0, In a (arrivals s0) /\ s' = enter_one less cfg trees oracle later a s;
  Search.idle := Forest.idle cfg
|}.

Definition steps : forest V -> forest V -> Prop := @Search.steps forest_search.

(** The states of a run. *)
Definition reached (s : forest V) : Prop := steps (Forest.start cfg trees oracle) s.

(** ** Groups of trees

    A group of trees is either all trees, [None], or the trees of one dimension, [Some d]. *)

(** The group of the tree of [x] is [group], or [x] is any node. *)
Definition in_group (group : option nat) (x : path) : bool :=
  match group with
  | None => true
  | Some d => dimension_of cfg (tree_of x) =? d
  end.

(** The trees of the group. *)
Definition trees_in (group : option nat) : list nat := filter (fun t => in_group group [t]) (seq 0 trees).

(** Whether the group has sweeps of its own, and how far apart they are. *)
Definition has_turns (group : option nat) : Prop :=
  match group with
  | None => True
  | Some d => In d (turns cfg)
  end.

Definition period (group : option nat) : nat :=
  match group with
  | None => spacing cfg
  | Some _ => 2 * length (turns cfg)
  end.

(** ** Near-optimal nodes *)

Section Branch.

(** The group whose trees are counted, and the thresholds f* + eps_0, f* + eps_1, ... *)
Context (group : option nat) (theta : nat -> V).

(** The branch to [p] is optimal: each of its nodes has a value of at most f* + eps of its depth. *)
Definition optimal_branch (p : path) : Prop :=
  forall a, a <> [] -> ancestor a p -> at_most less (value a) (theta (level_of a)).

(** [x] is near-optimal for the branch to [p], a node of depth h: its depth is at most h, and for some l
    between them its value is at most theta_l and its queue that of the branch's node of depth l. *)
Definition near (p x : path) : bool :=
  existsb (fun l => (queue (node_at x) =? queue (node_at (along p l))) && negb (less (theta l) (value x)))
    (seq (level_of x) (S (level_of p) - level_of x)).

(** The set G_h of the branch to [p], the trees of the group alone being counted, and its size S_h. *)
Definition G (p : path) : list path := filter (fun x => in_group group x && near p x) (forest_levels (level_of p)).
Definition S_ (p : path) : nat := length (G p).

End Branch.

Section Count.
Context (theta : nat -> V) (group : option nat).

(** The value of [x], a node of depth k <= h, is at most one of theta_k, ..., theta_h. *)
Definition below_a_threshold (h : nat) (x : path) : bool :=
  existsb (fun l => negb (less (theta l) (value x))) (seq (level_of x) (S h - level_of x)).

(** The near-optimal nodes of depth at most h, of the trees of the group, whose base point is not the zero vector. *)
Definition rest_near (h : nat) : list path :=
  filter (fun x => in_group group x && (negb (is_zero x) && below_a_threshold h x)) (forest_levels h).

(** All near-optimal nodes of depth at most h, of the trees of the group. *)
Definition all_near (h : nat) : list path := filter (fun x => in_group group x && below_a_threshold h x) (forest_levels h).

End Count.

End ForestTerms.
