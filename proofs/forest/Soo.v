(** * SOO as a function

    Simultaneous optimistic optimisation (Munos, 2011) for values without noise, on any tree; the test of line 6 is "at most".
    Tests compare it with the Python search.  The theorems are in NoDeadEnds.v. *)

From EmbeddedHunter Require Import Lists Model.

(** ** The nodes in the order of their values *)

Section Sorted.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V).

(** Of equal values the one that is first in the list comes first. *)
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

End Sorted.

(** ** The search *)

Section Soo.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V) (children : Node -> list Node) (root : Node) (h_max : nat).

(** The leaves of each depth, the greatest depth, the number of expansions, and the evaluated nodes. *)
Record tree := Tree { leaves : nat -> list Node; deepest : nat; expansions : nat; evaluated : list Node }.

Definition only_the_root : tree := Tree (fun l => if l =? 0 then [root] else []) 0 0 [root].

(** The tree after leaf [x] of depth [h] was expanded; [rest] are the other leaves of this depth. *)
Definition expand (T : tree) (h : nat) (x : Node) (rest : list Node) : tree :=
  Tree (fun l => if l =? h then rest else if l =? S h then leaves T (S h) ++ children x else leaves T l)
    (Nat.max (deepest T) (S h)) (S (expansions T)) (evaluated T ++ children x).

(** The test: the first leaf of a sweep is expanded, and then those with a value of at most that of the last. *)
Definition allows (nu_min : option V) (a : V) : bool :=
  match nu_min with None => true | Some nu => negb (less nu a) end.

(** A visit of depth [h]: a leaf of least value is expanded if the test allows it. *)
Definition visit (s : tree * option V) (h : nat) : tree * option V :=
  match sorted less value (leaves (fst s) h) with
  | x :: rest => if allows (snd s) (value x) then (expand (fst s) h x rest, Some (value x)) else s
  | [] => s
  end.

Definition sweep (T : tree) : tree := fst (fold_left visit (seq 0 (S (Nat.min (deepest T) h_max))) (T, None)).

Definition after (sweeps : nat) : tree := Nat.iter sweeps sweep only_the_root.

(** The least value that was seen. *)
Definition least_value (T : tree) : V := fold_left (fun a x => smaller less (value x) a) (evaluated T) (value root).

End Soo.
