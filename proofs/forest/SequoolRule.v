(** * SequOOL's rule as a function

    The rule of Bartlett, Gabillon and Valko (2019) for values without noise, on any trees.  It visits each depth once,
    from the roots on.  At depth h >= 1 it expands the floor(H/h) nodes with the least values among those that it has
    evaluated there; at depth 0 it expands all roots.  Their children are the evaluated nodes of depth h + 1.  The
    theorems are in Sequool.v. *)

From EmbeddedHunter Require Import Lists Model.

(** ** The n nodes with the least values *)

Section Least.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V).

(** In the order of values; of equal values the one that is first in the list comes first. *)
Fixpoint insert (x : Node) (xs : list Node) : list Node :=
  match xs with
  | [] => [x]
  | y :: rest => if less (value y) (value x) then y :: insert x rest else x :: xs
  end.

Fixpoint sorted (xs : list Node) : list Node :=
  match xs with
  | [] => []
  | x :: rest => insert x (sorted rest)
  end.

Definition n_least (n : nat) (xs : list Node) : list Node := firstn n (sorted xs).

End Least.

(** ** The rule *)

Section Rule.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V) (children : Node -> list Node).

(** The roots of the trees, one at least.  Nodes compete within a queue: SequOOL has one queue, and a forest in which the
    nodes of the zero vector are apart has two. *)
Context (root : Node) (other_roots : list Node) (queue : Node -> nat) (queues : nat).

(** The greatest depth that is visited. *)
Context (H : nat).

Definition roots : list Node := root :: other_roots.

Definition share (h : nat) : nat := match h with 0 => length roots | _ => H / h end.

Definition in_queue (q : nat) (xs : list Node) : list Node := filter (fun x => queue x =? q) xs.

(** The nodes that are expanded, of the evaluated nodes [xs] of depth [h]. *)
Definition selected (h : nat) (xs : list Node) : list Node :=
  flat_map (fun q => n_least less value (share h) (in_queue q xs)) (seq 0 queues).

(** The evaluated nodes of depth [h]. *)
Fixpoint level (h : nat) : list Node :=
  match h with
  | 0 => roots
  | S h' => flat_map children (selected h' (level h'))
  end.

Definition expanded (h : nat) : list Node := selected h (level h).

(** The least value of the run: depths up to H are visited, so nodes of depth up to H + 1 are evaluated. *)
Definition answer : V :=
  fold_left (fun a x => smaller V less (value x) a) (flat_map level (seq 0 (H + 2))) (value root).

(** All nodes of depth [h], evaluated or not: for the theorems. *)
Fixpoint nodes_of_depth (h : nat) : list Node :=
  match h with
  | 0 => roots
  | S h' => flat_map children (nodes_of_depth h')
  end.

End Rule.
