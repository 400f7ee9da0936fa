(** * The policy forest as its rules say it.

    This file says what a run of the policy forest without refinement is, and nothing else: it computes
    nothing and it proves nothing.  The rules are F1 to F5 and F8 of the program (search.py); this file shares
    no definition with Forest.v, which computes such a run.  Theorem [hunt_is_the_policy_forest]
    (SpecForestIsModel.v) says that the model's run is a run in the sense of this file, and the only one.

    Read Spec.v first.  From there come the nodes (h, i) with their [children], their base points and
    norms, and the events; the commands are those of Commands.v.  What is new here: the first member of a
    node's number i says to which tree it belongs, each tree has its own space Y, f* is the value of a node in its tree,
    every second sweep ranges over the trees of one dimension, classes have two rules, and each of two queues has its
    nu_min.

    [b && c] is "and" for the truth values [true] and [false]; [if b then x else y] is x if b is true. *)

From Coq Require Import List Bool Arith Reals Sorted.
From EmbeddedHunter Require Import Commands Spec.
Import ListNotations.
Open Scope nat_scope.

Section PolicyForest.

(** ** Input *)

Variable V : Type.
Variable less : V -> V -> bool.

(** [g p y]: the value at the point y with the matrix A_p, p = 1, 2, ..., P. *)
Variable g : nat -> point -> V.

Variable K : nat.                     (* number of children of a node *)
Variable d : nat -> nat.              (* dimension of the space Y of each tree *)
Variable P : nat.                     (* number of trees *)
Variable eta : nat -> R.              (* its half width R is d/eta *)
Variables h_max v : nat.
Variable turns : list nat.            (* the dimensions that have sweeps of their own; [] if there is only one *)

(** The settings of rule F5: [separate_origin], and whether [class_rule] is "norm". *)
Variables separate_origin class_rule_is_norm : bool.

Local Notation children := (children K).

(** ** F1: trees

    Node (h, i), 0 <= i < P K^h, belongs to tree q = i div K^h, whose root is (0, q); children and base points
    are those of Spec.v.  Tree q is evaluated with the matrix A_p, p = q + 1. *)
Definition tree_of (x : node) : nat := snd x / K ^ fst x.
Definition matrix_of (x : node) : nat := S (tree_of x).
Definition base_point (x : node) : point := Spec.base_point K (d (tree_of x)) (eta (tree_of x)) x.

(** ** F2 and F3: values

    An evaluation gives a value to all nodes of its tree with its base point; the zero vector's value is
    that of all trees, also if it has another dimension there. *)
Definition is_zero (x : node) : bool :=
  if same_point (base_point x) (map (fun _ => 0%R) (seq 0 (d (tree_of x)))) then true else false.

Definition gives_its_value_to (y x : node) : bool :=
  (tree_of y =? tree_of x) && (if same_point (base_point y) (base_point x) then true else false) ||
  is_zero y && is_zero x.

(** The value of x: that of the first evaluation that gives it one; infinity if there is none. *)
Fixpoint value_of (x : node) (events : list (event V)) : option V :=
  match events with
  | [] => infinity V
  | Evaluate _ y _ value :: rest => if gives_its_value_to y x then Some value else value_of x rest
  | _ :: rest => value_of x rest
  end.

(** ** F4: the leaves over which a sweep ranges

    Sweeps 1, 3, 5, ... range over all leaves.  Sweeps 2, 4, 6, ... are those of the dimensions, in turns: sweep 2 j ranges
    over the leaves of the trees whose dimension is member (j - 1) mod G of the list, counted from 0; it has G members. *)
Definition in_range (n : nat) (x : node) : Prop :=
  turns = [] \/ forall j, n = 2 * j -> d (tree_of x) = nth ((j - 1) mod length turns) turns 0.

Definition ranges_over_all (n : nat) : Prop := turns = [] \/ forall j, n <> 2 * j.

(** ** F5: queues and classes *)

(** The queue of a node: 1 for the zero vector, 0 for the others. *)
Definition queue_of (x : node) : nat := if separate_origin && is_zero x then 1 else 0.

(** The leaves of one depth with one label are a class. *)
Definition label (x : node) : R :=
  if class_rule_is_norm then norm (base_point x) else if separate_origin && is_zero x then 0%R else 1%R.

(** The labels of the leaves of depth l, the largest first; so the zero vector is last. *)
Definition labels_of (leaves : node -> Prop) (l : nat) (labels : list R) : Prop :=
  StronglySorted Rgt labels /\ (forall r, In r labels <-> exists i, leaves (l, i) /\ label (l, i) = r).

Definition class (leaves : node -> Prop) (l : nat) (r : R) (x : node) : Prop :=
  leaves x /\ fst x = l /\ label x = r.

(** ** The variables of the search *)

Record state := State {
  T : node -> Prop;                   (* the leaves of all trees *)
  nu_min : nat -> option V;           (* nu_min of each queue *)
  t : nat;                            (* F8: the iteration; t counts all visits *)
  past : list (event V)               (* all that has happened; [Evaluate x p value]: x with the matrix A_p *)
}.

Definition f_star (x : node) (s : state) : option V := value_of x (past s).
Definition f_star_is (x : node) (s : state) (f : option V) : Prop := f = f_star x s.
(** The number of the present sweep, the first being sweep 1. *)
Definition number_of_sweeps (s : state) : nat :=
  length (filter (fun e => match e with Sweep _ _ => true | _ => false end) (past s)).

Definition budget_left (s : state) : Prop := length (all_values V (past s)) < v.

Local Notation "a << b" := (smaller_than V less a b) (at level 70).

(** F4: D is the depth of the forest. *)
Definition depth_of_T (s : state) (D : nat) : Prop :=
  (exists i, T s (D, i)) /\ (forall h i, T s (h, i) -> h <= D).

(** F4: o is the node of least f* in a class; among equal ones that of least index i. *)
Definition argmin (class : node -> Prop) (s : state) (o : node) : Prop :=
  class o /\
  (forall x, class x -> x <> o ->
     f_star o s << f_star x s \/ (~ f_star x s << f_star o s /\ snd o < snd x)).

(** F4: the strict test, against the nu_min of the node's queue. *)
Definition below_nu_min (x : node) (s : state) : Prop := f_star x s << nu_min s (queue_of x).

(** F3: the center child is child number (K - 1)/2, K being odd. *)
Definition is_no_center (x : node) (s : state) : Prop := snd x mod K <> K / 2.

(** The children have values, all of them.  If the budget is used up between them, the last one has none. *)
Definition all_have_values (xs : list node) (s : state) : Prop :=
  forall x, In x xs -> f_star x s <> infinity V.

Definition leaves_in_range (s : state) (leaves : node -> Prop) : Prop :=
  leaves = fun x => T s x /\ in_range (number_of_sweeps s) x.
Definition no_queue_has_expanded (s : state) : Prop := forall u, nu_min s u = infinity V.

(** The last sweep ranged over all leaves and expanded nothing. *)
Definition expanded_nothing (s : state) : Prop := no_queue_has_expanded s /\ ranges_over_all (number_of_sweeps s).

(** ** Commands *)

Local Notation "'For' x 'From' xs 'Do' A 'Endfor'" := (for_each budget_left (fun x => A) xs).
Local Notation "'While_budget_is_left' 'Do' A 'Endwhile'" :=
  (while_budget_is_left budget_left expanded_nothing A).

(** nu_min := infinity, in all queues. *)
Definition reset_nu_min : command state := fun s s' =>
  T s' = T s /\ (forall u, nu_min s' u = infinity V) /\ t s' = t s /\ past s' = past s.

(** nu_min := nu in queue u; the other queue keeps its own. *)
Definition set_nu_min (u : nat) (nu : option V) : command state := fun s s' =>
  T s' = T s /\ (forall w, nu_min s' w = if w =? u then nu else nu_min s w) /\ t s' = t s /\ past s' = past s.

(** t := t + 1. *)
Definition next_t : command state := fun s s' => s' = State (T s) (nu_min s) (S (t s)) (past s).

(** Note that e happens. *)
Definition note (e : event V) : command state := fun s s' => s' = State (T s) (nu_min s) (t s) (past s ++ [e]).

(** Evaluate x with the matrix of its tree. *)
Definition evaluate (x : node) : command state :=
  note (Evaluate V x (matrix_of x) (g (matrix_of x) (base_point x))).

(** The children of x take its place among the leaves. *)
Definition add_children (x : node) : command state := fun s s' =>
  (forall y, T s' y <-> (T s y /\ y <> x) \/ In y (children x)) /\
  (forall u, nu_min s' u = nu_min s u) /\ t s' = t s /\ past s' = past s.

(** ** The listing *)

(** The P roots are the leaves, t = 1, and nothing has happened. *)
Definition initial (s : state) : Prop :=
  (forall x, T s x <-> fst x = 0 /\ snd x < P) /\ no_queue_has_expanded s /\ t s = 1 /\ past s = [].

Definition forest : command state :=
  evaluate (0, 0) ;;                                                    (* F2 *)
  While_budget_is_left Do                                               (* F4 *)
    reset_nu_min ;;
    Let depth Be The depth_of_T in
    note (Sweep V (Nat.min depth h_max)) ;;
    For l From seq 0 (S (Nat.min depth h_max)) Do
      note (Visit V l) ;;
      Let T_t Be The leaves_in_range in                                 (* F4 *)
      Let labels Be The (fun _ => labels_of T_t l) in                   (* F5 *)
      For r From labels Do
        Let o Be The argmin (class T_t l r) in
        If below_nu_min o Then
          Let f Be The f_star_is o in
          set_nu_min (queue_of o) f ;;
          note (Expand V o f) ;;
          For x From children o Do                                      (* F3 *)
            If is_no_center x Then evaluate x Endif
          Endfor ;;
          If all_have_values (children o) Then add_children o Endif
        Endif
      Endfor ;;
      next_t                                                            (* F8 *)
    Endfor
  Endwhile.

(** A run ends in state s and returns f, the least of all values. *)
Definition run (s : state) (f : V) : Prop :=
  (exists s0, initial s0 /\ forest s0 s) /\ least V less (all_values V (past s)) = Some f.    (* F8 *)

End PolicyForest.
