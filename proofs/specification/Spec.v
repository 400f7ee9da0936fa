(** * Algorithm 1 as the paper writes it.

    This file says what a run of Algorithm 1 is, line by line, and nothing else: it computes nothing
    and it proves nothing.  It shares no definition with Model.v, which computes such a run; theorem
    [hunt_is_algorithm_1] (SpecIsModel.v) says that the model's run is a run in the sense of this file,
    and the only one.

    How to read it without knowing Rocq:
    - [Definition] and [Fixpoint] define functions ([Fixpoint]: recursive ones); [f x y] is f(x, y);
      [fun x => e] is the function that maps x to e; [S n] is n + 1.
    - [(h, i)] is a pair, with members [fst] and [snd]; [[]] is the empty list, [x :: rest] a list with
      first element x, [map f xs] the list of all f(x), and [seq 0 n] the list 0, 1, ..., n - 1.
    - [/\] is "and", [\/] "or", [~] "not", [<->] "if and only if"; [/] and [mod] on whole numbers are division
      with remainder.  [nat] are the numbers 0, 1, 2, ..., [R] the real numbers, [Prop] the statements.
    - A set of nodes is a statement about a node: [T x] says that x belongs to T.
    - [option V] is V with one element more, [None], which stands for infinity.
    - A command of the algorithm is a relation: [C s s'] says that C, begun in state s, can end in
      state s'.  Commands.v says what [A ;; B], [If], [Let], [For] and [While_budget_is_left] mean.
    The listing itself is near the end, [Algorithm_1].

    What the paper's listing leaves open is read as follows:
    - Line 4 goes through the norms from the largest to the smallest; norms and classes are those of
      the leaves at the beginning of the iteration, line 3's bound is that of the beginning of the sweep.
    - Line 5: among equal f* the least index i.
    - Line 9: children from left to right.  A base point is evaluated if the number of its evaluations
      so far is at most M ||y||: a new one once, that of a center child perhaps again.
    - The budget is never exceeded: no round of a loop begins when it is used up.  If that happens
      between the children of a node, they are not added to the tree.
    - The run also ends after a sweep that expands nothing.
    - Line 17 returns the least value ever evaluated. *)

From Coq Require Import List Arith Reals Sorted.
From EmbeddedHunter Require Import Commands.
Import ListNotations.
Open Scope nat_scope.

Section AlgorithmOne.

(** ** Input *)

Variable V : Type.                    (* values of the objective: any type ... *)
Variable less : V -> V -> bool.       (* ... with a comparison: is a < b? *)

Definition point := list R.           (* a point of the search space Y: its d coordinates *)

(** The stochastic function: [g y p] is the value of the p-th evaluation (p = 1, 2, ...) at y.  This
    section holds for every such function, so for every outcome of the random matrices. *)
Variable g : point -> nat -> V.

Variable K : nat.                     (* number of children of a node *)
Variable d : nat.                     (* dimension of Y *)
Variables eta M : R.
Variable h_max : nat.                 (* nodes of greater depth are not expanded *)
Variable v : nat.                     (* the evaluation budget *)

(** ** Nodes, cells and base points *)

(** Node (h, i) is the i-th node of depth h. *)
Definition node : Type := nat * nat.

(** Its children are the nodes (h + 1, K i + c), c = 0, 1, ..., K - 1. *)
Definition children (x : node) : list node :=
  map (fun c => (S (fst x), K * snd x + c)) (seq 0 K).

(** The root's cell is Y = [-d/eta, d/eta]^d.  A node of depth h divides its cell into K equal parts
    along coordinate h mod d, one for each child. *)
Definition half_width_of_Y : R := INR d / eta.

Fixpoint width (h j : nat) : R :=             (* width of a cell of depth h in coordinate j *)
  match h with
  | 0 => 2 * half_width_of_Y
  | S parent => if j =? parent mod d then width parent j / INR K else width parent j
  end.

Fixpoint lower_end (h i j : nat) : R :=       (* lower end of the cell of (h, i) in coordinate j *)
  match h with
  | 0 => - half_width_of_Y
  | S parent =>
      if j =? parent mod d
      then lower_end parent (i / K) j + INR (i mod K) * width h j
      else lower_end parent (i / K) j
  end.

(** The base point y_(h,i): the center of the cell. *)
Definition base_point (x : node) : point :=
  map (fun j => lower_end (fst x) (snd x) j + width (fst x) j / 2)%R (seq 0 d).

(** The Euclidean norm ||y||. *)
Definition norm (y : point) : R := sqrt (fold_right Rplus 0%R (map (fun a => a * a)%R y)).

Definition same_point (y y' : point) : {y = y'} + {y <> y'} := list_eq_dec Req_EM_T y y'.

(** ** The variables of the algorithm *)

(** What happens in a run. *)
Inductive event :=
| Sweep (last : nat)                          (* lines 1-3: a sweep over depths 0, ..., last begins *)
| Visit (l : nat)                             (* line 3: the iteration at depth l begins *)
| Expand (x : node) (nu : option V)           (* lines 7-8: x is expanded; nu_min is now nu *)
| Evaluate (x : node) (p : nat) (value : V).  (* line 9: the p-th evaluation of x's base point *)

Record state := State {
  T : node -> Prop;                           (* the leaves of the tree *)
  nu_min : option V;
  t : nat;                                    (* the iteration *)
  past : list event                           (* all that has happened, in this order *)
}.

Definition infinity : option V := None.

(** [a << b]: a < b, for values and infinity. *)
Definition smaller_than (a b : option V) : Prop :=
  match a, b with
  | Some a, Some b => less a b = true
  | Some _, None => True
  | None, _ => False
  end.
Local Notation "a << b" := (smaller_than a b) (at level 70).

(** The least of some values, of equal ones the first; infinity if there are none. *)
Fixpoint least (values : list V) : option V :=
  match values with
  | [] => infinity
  | a :: rest =>
      match least rest with
      | Some b => if less b a then Some b else Some a
      | None => Some a
      end
  end.

(** The values of all evaluations made. *)
Fixpoint all_values (events : list event) : list V :=
  match events with
  | [] => []
  | Evaluate _ _ value :: rest => value :: all_values rest
  | _ :: rest => all_values rest
  end.

(** The values of all evaluations made at the point y. *)
Fixpoint values_at (y : point) (events : list event) : list V :=
  match events with
  | [] => []
  | Evaluate x _ value :: rest =>
      if same_point (base_point x) y then value :: values_at y rest else values_at y rest
  | _ :: rest => values_at y rest
  end.

(** The number of evaluations made at the base point of x, and f*_x, the best value among them. *)
Definition evaluations_of (x : node) (s : state) : nat := length (values_at (base_point x) (past s)).
Definition f_star (x : node) (s : state) : option V := least (values_at (base_point x) (past s)).

Definition budget_left (s : state) : Prop := length (all_values (past s)) < v.

(** ** Which nodes: Gamma, L^j and the argmin of line 5 *)

(** D is the depth of the tree. *)
Definition depth_of_T (s : state) (D : nat) : Prop :=
  (exists i, T s (D, i)) /\ (forall h i, T s (h, i) -> h <= D).

(** The norms of the leaves of depth l are those of the list, and the list is decreasing. *)
Definition Gamma (leaves : node -> Prop) (l : nat) (norms : list R) : Prop :=
  StronglySorted Rgt norms /\
  (forall r, In r norms <-> exists i, leaves (l, i) /\ norm (base_point (l, i)) = r).

(** L^j: the leaves of depth l whose norm is r, the j-th in Gamma. *)
Definition L (leaves : node -> Prop) (l : nat) (r : R) (x : node) : Prop :=
  leaves x /\ fst x = l /\ norm (base_point x) = r.

(** o is the node of least f* in a class; among equal ones that of least index i. *)
Definition argmin (class : node -> Prop) (s : state) (o : node) : Prop :=
  class o /\
  (forall x, class x -> x <> o ->
     f_star o s << f_star x s \/ (~ f_star x s << f_star o s /\ snd o < snd x)).

(** ** Commands *)

Local Notation "'For' x 'From' xs 'Do' A 'Endfor'" := (for_each budget_left (fun x => A) xs).
Local Notation "'While_budget_is_left' 'Do' A 'Endwhile'" :=
  (while_budget_is_left budget_left (fun s => nu_min s = infinity) A).

(** nu_min := nu. *)
Definition set_nu_min (nu : option V) : command state :=
  fun s s' => s' = State (T s) nu (t s) (past s).

(** t := t + 1. *)
Definition next_t : command state := fun s s' => s' = State (T s) (nu_min s) (S (t s)) (past s).

(** Note that e happens. *)
Definition note (e : event) : command state :=
  fun s s' => s' = State (T s) (nu_min s) (t s) (past s ++ [e]).

(** Evaluate g at the base point of x. *)
Definition evaluate (x : node) : command state := fun s s' =>
  let p := S (evaluations_of x s) in note (Evaluate x p (g (base_point x) p)) s s'.

(** The children of x take its place among the leaves. *)
Definition add_children (x : node) : command state := fun s s' =>
  (forall y, T s' y <-> (T s y /\ y <> x) \/ In y (children x)) /\
  nu_min s' = nu_min s /\ t s' = t s /\ past s' = past s.

(** ** The listing *)

(** The initial state: T_1 = {(0,0)} and t = 1; nothing has happened, and nu_min is infinity. *)
Definition initial (s : state) : Prop :=
  (forall x, T s x <-> x = (0, 0)) /\ nu_min s = infinity /\ t s = 1 /\ past s = [].

(** The leaves at this moment, as a set that later commands do not change. *)
Definition leaves_now (s : state) (leaves : node -> Prop) : Prop := leaves = T s.

Definition f_star_is (x : node) (s : state) (f : option V) : Prop := f = f_star x s.

(** Line 6.  The strict inequality. *)
Definition below_nu_min (x : node) (s : state) : Prop := f_star x s << nu_min s.

(** A base point is evaluated again iff the number of its evaluations so far is at most M ||y||; a
    base point without evaluations always is. *)
Definition within_cap (x : node) (s : state) : Prop :=
  (INR (evaluations_of x s) <= M * norm (base_point x))%R.

(** The children have values, all of them.  If the budget is used up between them, the last one has none. *)
Definition all_have_values (xs : list node) (s : state) : Prop :=
  forall x, In x xs -> f_star x s <> infinity.

(** Comments: the numbers of the lines of the paper's listing. *)
Definition Algorithm_1 : command state :=
  evaluate (0, 0) ;;
  While_budget_is_left Do                                               (*  1 *)
    set_nu_min infinity ;;                                              (*  2 *)
    Let depth Be The depth_of_T in
    note (Sweep (Nat.min depth h_max)) ;;
    For l From seq 0 (S (Nat.min depth h_max)) Do                       (*  3 *)
      note (Visit l) ;;
      Let T_t Be The leaves_now in
      Let norms Be The (fun _ => Gamma T_t l) in
      For r From norms Do                                               (*  4 *)
        Let o Be The argmin (L T_t l r) in                              (*  5 *)
        If below_nu_min o Then                                          (*  6 *)
          Let f Be The f_star_is o in
          set_nu_min f ;;                                               (*  7 *)
          note (Expand o f) ;;                                          (*  8 *)
          For x From children o Do                                      (*  9 *)
            If within_cap x Then evaluate x Endif
          Endfor ;;
          If all_have_values (children o) Then add_children o Endif     (* 10 *)
        Endif                                                           (* 11 *)
      Endfor ;;                                                         (* 12 *)
      next_t                                                            (* 13, 14 *)
    Endfor                                                              (* 15 *)
  Endwhile.                                                             (* 16 *)

(** A run of Algorithm 1 ends in state s and returns f, the least of all values. *)
Definition run (s : state) (f : V) : Prop :=
  (exists s0, initial s0 /\ Algorithm_1 s0 s) /\
  least (all_values (past s)) = Some f.                                  (* 17 *)

End AlgorithmOne.
