(** * Algorithm 1 of the paper, as one executable function: [hunt].

    Everything that the theorems say, and everything that is extracted as the
    oracle of the differential tests, is about the function [hunt] below.
    How to read it without knowing Rocq: [Definition] and [Fixpoint] define
    functions ([Fixpoint]: recursive ones), [x :: rest] is a list with first
    element x, [S n] is n + 1, [None] is "none", and a [Record] is a tuple with
    named fields.  "Line n" is line n of Algorithm 1 in the paper. *)

From Coq Require Import List ZArith Bool Arith.
From EmbeddedHunter Require Import Lattice.
Import ListNotations.
Open Scope nat_scope.

(** ** Settings *)

(** The input of Algorithm 1.  The cap M ||y|| on the number of evaluations of a
    base point is handed over exactly: (2 R M)^2 = cap_num / cap_den. *)
Record settings := Settings {
  half : nat;        (* k; the branching factor is K = 2k + 1 *)
  dimension : nat;   (* d, the dimension of Y *)
  h_max : nat;       (* nodes of depth h_max are the deepest that are expanded *)
  budget : nat;      (* v, the number of evaluations *)
  cap_num : Z;
  cap_den : Z
}.

Set Implicit Arguments.
Set Contextual Implicit.
Set Maximal Implicit Insertion.

Section AlgorithmOne.

(** Values are of any type V with a strict comparison [less].  The stochastic
    function g_P is an oracle: [oracle y p] is the value of the p-th evaluation
    (p = 1, 2, ...) of base point y, where y is named by the first node that has
    it (see [birth] in Lattice.v: two nodes of different depths can have equal
    numerators and yet be different points, so numerators alone are no name). *)
Variable V : Type.
Variable less : V -> V -> bool.
Variable oracle : path -> nat -> V.
Variable cfg : settings.

(** ** The tree *)

(** A leaf (h,i) of T.  The first three fields are the node itself: [place] is
    its path, and depth and norm are functions of the path, computed once. *)
Record leaf := Leaf {
  depth : nat;      (* h *)
  place : path;     (* the digits that lead to the node, last one first *)
  norm : Z;         (* Nrm of the base point y_(h,i) *)
  best : V;         (* f*_(h,i), the least value seen at the base point *)
  count : nat       (* number of evaluations of the base point so far *)
}.

Definition new_leaf (p : path) (value : V) (evaluations : nat) : leaf :=
  Leaf (length p) p (Nrm (half cfg) (dimension cfg) p) value evaluations.

(** What happened, event by event. *)
Inductive event :=
| Sweep (lim : nat)
    (* lines 1-3: a sweep begins; it will visit depths 0 .. lim *)
| Visit (l : nat)
    (* line 3: iteration t begins, the visit of depth l *)
| Expand (p : path) (nu : V)
    (* lines 6-8: node p is expanded, nu_min is now nu *)
| Evaluate (p : path) (visit_number : nat) (value : V).
    (* line 9: node p's base point is evaluated for the visit_number-th time *)

(** The variables of Algorithm 1. *)
Record state := State {
  leaves : list leaf;      (* leaves of T in spatial order, left to right *)
  nu_min : option V;       (* None is the paper's "infinity" of line 2 *)
  answer : V;              (* the least value ever evaluated *)
  made : nat;              (* number of evaluations made *)
  iterations : nat;        (* t: number of visits of a depth *)
  sweeps : nat;            (* number of sweeps begun *)
  log : list event         (* what happened, the latest event first *)
}.

(** The budget is used up. *)
Definition exhausted (s : state) : bool := budget cfg <=? made s.

(** The smaller of a new and an old value. *)
Definition smaller (new old : V) : V := if less new old then new else old.

(** Depth of T: the greatest depth of a leaf. *)
Fixpoint deepest (xs : list leaf) : nat :=
  match xs with
  | [] => 0
  | x :: rest => Nat.max (depth x) (deepest rest)
  end.

(** ** Line 9: evaluations *)

(** One evaluation of the base point of node [p], its [n]-th. *)
Definition evaluate (p : path) (n : nat) (s : state) : V * state :=
  let value := oracle (birth (half cfg) p) n in
  (value,
   State (leaves s) (nu_min s) (smaller value (answer s)) (S (made s))
         (iterations s) (sweeps s) (Evaluate p n value :: log s)).

(** Claim [evaluation-cap].  The center child's base point is evaluated again
    iff the number of its evaluations so far is at most M ||y||, exactly:
    count^2 K^(2m) <= (2 R M)^2 Nrm, m = ceil(h/d). *)
Definition within_cap (x : leaf) : bool :=
  let n := Z.of_nat (count x) in
  let m := Z.of_nat (rounds (dimension cfg) (depth x)) in
  (n * n * Z.of_nat (K (half cfg)) ^ (2 * m) * cap_den cfg
     <=? cap_num cfg * norm x)%Z.

(** Claim [alg1-line-9].  The children of leaf [x] with the given digits, in
    that order.  The center child (digit k) keeps base point, count and f* of
    its parent, and is evaluated again only within the cap; any other child is a
    new base point and is evaluated once.  [None] when the budget ran out before
    all children were made. *)
Fixpoint make_children (digits : list nat) (x : leaf) (s : state)
  : option (list leaf) * state :=
  match digits with
  | [] => (Some [], s)
  | c :: rest =>
      let p := c :: place x in
      if (c =? half cfg) && negb (within_cap x) then
        match make_children rest x s with
        | (Some children, s') => (Some (new_leaf p (best x) (count x) :: children), s')
        | (None, s') => (None, s')
        end
      else if exhausted s then (None, s)
      else
        let n := if c =? half cfg then S (count x) else 1 in
        match evaluate p n s with
        | (value, s1) =>
            let f := if c =? half cfg then smaller value (best x) else value in
            match make_children rest x s1 with
            | (Some children, s') => (Some (new_leaf p f n :: children), s')
            | (None, s') => (None, s')
            end
        end
  end.

(** ** Lines 4-12: one iteration, the visit of a depth *)

Fixpoint same_path (p q : path) : bool :=
  match p, q with
  | [], [] => true
  | a :: p', b :: q' => (a =? b) && same_path p' q'
  | _, _ => false
  end.

(** Claim [alg1-line-10].  The children take their parent's place among the
    leaves, so that the leaves stay in spatial order. *)
Fixpoint replace_leaf (p : path) (children xs : list leaf) : list leaf :=
  match xs with
  | [] => []
  | x :: rest =>
      if same_path (place x) p then children ++ rest
      else x :: replace_leaf p children rest
  end.

(** Claims [alg1-line-7] [alg1-line-8].  nu_min := f*, and the expansion of [x];
    an expansion that the budget cuts adds no child to T. *)
Definition expand (x : leaf) (s : state) : state :=
  let s1 := State (leaves s) (Some (best x)) (answer s) (made s)
                  (iterations s) (sweeps s)
                  (Expand (place x) (best x) :: log s) in
  match make_children (seq 0 (K (half cfg))) x s1 with
  | (None, s2) => s2
  | (Some children, s2) =>
      State (replace_leaf (place x) children (leaves s2)) (nu_min s2)
            (answer s2) (made s2) (iterations s2) (sweeps s2) (log s2)
  end.

(** Claim [alg1-line-5].  The leaf of least f*; the first one (least index i)
    among equals. *)
Fixpoint argmin (x : leaf) (rest : list leaf) : leaf :=
  match rest with
  | [] => x
  | y :: rest' => argmin (if less (best y) (best x) then y else x) rest'
  end.

(** Claim [alg1-line-6].  f* < nu_min, strictly; any value is below "none". *)
Definition below (f : V) (nu : option V) : bool :=
  match nu with
  | None => true
  | Some w => less f w
  end.

(** Lines 5-11 for one class L^j_(t,l) of equal norms.  Nothing is done once
    the budget is used up. *)
Definition visit_class (members : list leaf) (s : state) : state :=
  match members with
  | [] => s
  | x :: rest =>
      let a := argmin x rest in
      if exhausted s then s
      else if below (best a) (nu_min s) then expand a s
      else s
  end.

(** Claim [alg1-line-4].  The classes L^1_(t,l), L^2_(t,l), ... of the leaves of
    depth [l]: leaves of equal norm together, in spatial order; largest norm
    first.  Each class comes with its norm. *)
Fixpoint add_to_classes (x : leaf) (classes : list (Z * list leaf))
  : list (Z * list leaf) :=
  match classes with
  | [] => [(norm x, [x])]
  | (r, members) :: rest =>
      if (norm x =? r)%Z then (r, x :: members) :: rest
      else if (r <? norm x)%Z then (norm x, [x]) :: classes
      else (r, members) :: add_to_classes x rest
  end.

Fixpoint classes (l : nat) (xs : list leaf) : list (Z * list leaf) :=
  match xs with
  | [] => []
  | x :: rest =>
      if depth x =? l then add_to_classes x (classes l rest)
      else classes l rest
  end.

Fixpoint visit_classes (frozen : list (Z * list leaf)) (s : state) : state :=
  match frozen with
  | [] => s
  | (_, members) :: rest => visit_classes rest (visit_class members s)
  end.

(** One iteration t, lines 4-14.  The classes are frozen when it begins. *)
Definition begin_visit (l : nat) (s : state) : state :=
  State (leaves s) (nu_min s) (answer s) (made s)
        (S (iterations s)) (sweeps s) (Visit l :: log s).

Definition visit (l : nat) (s : state) : state :=
  visit_classes (classes l (leaves s)) (begin_visit l s).

(** ** Lines 1-3 and 15-17: sweeps and the run *)

(** Claim [alg1-line-3].  [n] visits, of depths l, l+1, ...; a visit begins only
    if the budget is not used up. *)
Fixpoint visits (n l : nat) (s : state) : state :=
  match n with
  | 0 => s
  | S n' => if exhausted s then s else visits n' (S l) (visit l s)
  end.

(** Claim [loop-bound-static].  The bound of line 3, read once per sweep. *)
Definition limit (s : state) : nat := Nat.min (deepest (leaves s)) (h_max cfg).

(** Claim [alg1-line-2].  A sweep begins with nu_min := none. *)
Definition begin_sweep (s : state) : state :=
  State (leaves s) None (answer s) (made s)
        (iterations s) (S (sweeps s)) (Sweep (limit s) :: log s).

Definition sweep (s : state) : state :=
  visits (S (limit s)) 0 (begin_sweep s).

(** Claim [alg1-line-1].  At most [n] sweeps.  The run ends when the budget is
    used up, and after a sweep that expanded nothing: nu_min is still none. *)
Fixpoint run_for (n : nat) (s : state) : state :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted s then s
      else
        let s' := sweep s in
        match nu_min s' with
        | None => s'
        | Some _ => run_for n' s'
        end
  end.

(** Claim [alg1-input].  The initial tree: the root alone, evaluated once. *)
Definition start : state :=
  let value := oracle [] 1 in
  State [new_leaf [] value 1] None value 1 0 0 [Evaluate [] 1 value].

(** Claim [alg1-line-17].  The whole run; [answer] of the result is the value
    that Algorithm 1 returns.  [budget] sweeps are always enough (theorem
    [the_run_ends]). *)
Definition hunt : state := run_for (budget cfg) start.

End AlgorithmOne.
