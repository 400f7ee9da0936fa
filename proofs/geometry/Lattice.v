(** * The lattice: nodes, cells, base points and norms, in exact integers.

    Throughout, [k] is the paper's half branching factor: every node has
    [K = 2k+1] children, an odd number, so that one child has its parent's
    base point.  [d] is the dimension of the search space
    Y = [-R, R]^d, R = d / eta.  No real number occurs here: a base point is
    given by integer numerators over powers of K. *)

From Coq Require Import List ZArith Bool Arith.
Import ListNotations.
Open Scope nat_scope.

(** A node is the list of the digits that lead to it from the root, the last
    digit first: the root (0,0) is [[]], and child number [c] of node [p]
    (0 <= c < K) is [c :: p].  Its depth h is [length p]. *)
Definition path := list nat.

(** The branching factor K = 2k+1. *)
Definition K (k : nat) : nat := 2 * k + 1.

(** A path is a node of the infinite tree when its digits are below K. *)
Definition node (k : nat) (p : path) : Prop := Forall (fun c => c < K k) p.

(** The index i of node (h,i): child [c] of (h,i) is (h+1, K i + c). *)
Fixpoint index (k : nat) (p : path) : nat :=
  match p with
  | [] => 0
  | c :: parent => K k * index k parent + c
  end.

(** Number of times that coordinate [j] has been split at depth [h]: depth l
    splits coordinate l mod d. *)
Definition splits (d h j : nat) : nat :=
  h / d + (if j <? h mod d then 1 else 0).

(** m = ceil(h / d): the number of splits of the most often split coordinate. *)
Definition rounds (d h : nat) : nat := (h + d - 1) / d.

(** A split of coordinate [j] with digit [c] maps its numerator y to
    K y + c - k. *)
Fixpoint split_coordinate (k j c : nat) (ys : list Z) : list Z :=
  match ys with
  | [] => []
  | y :: rest =>
      match j with
      | 0 => (Z.of_nat (K k) * y + Z.of_nat c - Z.of_nat k)%Z :: rest
      | S j' => y :: split_coordinate k j' c rest
      end
  end.

(** The numerators c_0 .. c_(d-1) of a node's base point:
    y_j = 2 R c_j / K^(splits d h j), h the depth of the node. *)
Fixpoint numerators (k d : nat) (p : path) : list Z :=
  match p with
  | [] => repeat 0%Z d
  | c :: parent =>
      split_coordinate k (length parent mod d) c (numerators k d parent)
  end.

(** Sum of the squares of c_j K^(m - splits d h j), over the coordinates
    j, j+1, ... whose numerators are [ys]. *)
Fixpoint sum_of_squares (k d h m j : nat) (ys : list Z) : Z :=
  match ys with
  | [] => 0%Z
  | y :: rest =>
      let scaled := (y * Z.of_nat (K k) ^ Z.of_nat (m - splits d h j))%Z in
      (scaled * scaled + sum_of_squares k d h m (S j) rest)%Z
  end.

(** The squared norm of a base point as an integer:
    ||y||^2 = (2R)^2 Nrm / K^(2m).  Two nodes of one depth have equal norms iff
    their [Nrm] are equal, and the larger norm has the larger [Nrm]. *)
Definition Nrm (k d : nat) (p : path) : Z :=
  let h := length p in
  sum_of_squares k d h (rounds d h) 0 (numerators k d p).

(** The center child (digit k) keeps its parent's base point.  So the nodes
    that share one base point form a chain of center children, and the first
    node of the chain, [birth p], names the base point of [p]: last digits that
    are k are dropped.  It is the key under which a base point is evaluated. *)
Fixpoint birth (k : nat) (p : path) : path :=
  match p with
  | [] => []
  | c :: parent => if c =? k then birth k parent else p
  end.
