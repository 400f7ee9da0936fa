(** * Algorithm 1 on the data structures of the program.

    [run] below is the program's search (src/embedded_hunter: node.py, tree.py, hunter.py), with the same data:
    a node with its index, its numerators, its norm computed from its parent's, its f* and its count; the
    leaves of a depth in one heap for each norm; the kept list of these heaps and the least f*, if it is known; all
    evaluations of the visit of a depth asked for at once.  Theorem [the_program_is_the_model]
    (ProgramIsModel.v) says that its run is the run of [hunt] (Model.v).

    What differs from the Python text:
    - A heap is any priority queue in the sense of PriorityQueue.v.
    - The dictionary from norms to heaps and the sorted list of its keys are one list of pairs, the largest
      norm first.
    - An object that Python changes is a new value here.  Values go to the nodes that asked for them by
      position.
    - Numbers are exact.  Values are of any type with a total order; [infinity] is its greatest element, Python's
      +infinity.  It is the f* of a node that has no value yet, and a value like others: the program does not
      tell these two apart, and need not.
    - The numbers [pushes] and [pops] count; the program does not keep them. *)

From Coq Require Import List ZArith Bool Arith.
From EmbeddedHunter Require Import Lattice Model PriorityQueue.
Import ListNotations.
Open Scope nat_scope.

(** Python's +infinity among the values. *)
Class with_infinity (V : Type) := infinity : V.

Section Program.

Variable V : Type.
Context {top : with_infinity V}.
Variable less : V -> V -> bool.
Variable oracle : path -> nat -> V.
Variable cfg : settings.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).

(** a == b: neither is less. *)
Definition equal (a b : V) : bool := negb (less a b) && negb (less b a).

(** min (a, b): the first one if they are equal. *)
Definition min (a b : V) : V := if less b a then b else a.

(** ** node.py *)

Record entry := Entry {
  h_of : nat;
  i_of : nat;
  c_of : list Z;           (* numerators of the base point *)
  nrm_of : Z;
  f_star : V;
  past : nat               (* evaluations of the base point *)
}.

(** [__lt__]: by f*, ties by the least index. *)
Definition before (x y : entry) : bool :=
  if equal (f_star x) (f_star y) then i_of x <? i_of y else less (f_star x) (f_star y).

Definition root : entry := Entry 0 0 (repeat 0%Z d) 0 infinity 0.

(** The norms of the children are the parent's norm with one square changed. *)
Definition children (parent : entry) : list entry :=
  let h := h_of parent in
  let c := c_of parent in
  let j := h mod d in
  let big_K := Z.of_nat (K k) in
  let at_j := (big_K * nth j c 0)%Z in
  let scaled := (if (j =? 0)%nat then nrm_of parent * big_K * big_K else nrm_of parent)%Z in
  let others := (scaled - at_j * at_j)%Z in
  map (fun digit =>
         let numerator := (at_j + Z.of_nat digit - Z.of_nat k)%Z in
         let center := digit =? k in
         Entry (S h) (K k * i_of parent + digit)
               (firstn j c ++ numerator :: skipn (S j) c) (others + numerator * numerator)%Z
               (if center then f_star parent else infinity) (if center then past parent else 0))
      (seq 0 (K k)).

(** The past evaluations of the base point are at most M ||y||. *)
Definition may_be_evaluated (x : entry) : bool :=
  if past x =? 0 then true
  else
    let n := Z.of_nat (past x) in
    let m := Z.of_nat (rounds d (h_of x)) in
    (n * n * Z.of_nat (K k) ^ (2 * m) * cap_den cfg <=? cap_num cfg * nrm_of x)%Z.

(** The digits that lead to node (h, i), by which the oracle and the log of Model.v name it. *)
Fixpoint path_of (h i : nat) : path :=
  match h with
  | 0 => []
  | S h' => i mod K k :: path_of h' (i / K k)
  end.

Definition name (x : entry) : path := path_of (h_of x) (i_of x).

(** ** Evaluations *)

(** A request: a node and for the how-many-th time its base point is evaluated. *)
Definition request : Type := entry * nat.
Definition expansion : Type := entry * list entry.

Definition requests (e : expansion) : list request :=
  map (fun x => (x, S (past x))) (filter may_be_evaluated (snd e)).

Definition reply (r : request) : V := oracle (birth k (name (fst r))) (snd r).

(** A value goes into f* and the count of the node that asked for it. *)
Definition recorded (x : entry) (value : V) : entry :=
  Entry (h_of x) (i_of x) (c_of x) (nrm_of x)
        (min (f_star x) value) (S (past x)).

(** The nodes with their values, and the values left over; too few values leave the last nodes as they are. *)
Fixpoint take_values (xs : list entry) (values : list V) : list entry * list V :=
  match xs with
  | [] => ([], values)
  | x :: rest =>
      if may_be_evaluated x then
        match values with
        | [] => (xs, [])
        | value :: values' =>
            let (rest', left_over) := take_values rest values' in (recorded x value :: rest', left_over)
        end
      else let (rest', left_over) := take_values rest values in (x :: rest', left_over)
  end.

Fixpoint record (es : list expansion) (values : list V) : list expansion :=
  match es with
  | [] => []
  | (leaf, xs) :: rest =>
      let (xs', left_over) := take_values xs values in (leaf, xs') :: record rest left_over
  end.

(** ** tree.py *)

Variable Q : priority_queue before.

Record level := Level {
  heaps : list (Z * queue Q);              (* largest norm first *)
  snapshot : option (list (queue Q));      (* the heaps, if they were listed since the last change *)
  least : option V                         (* the least f*, if it is known; infinity without leaves *)
}.

Record tree := Tree {
  levels : list level;                     (* by depth *)
  leaf_count : nat;
  pushes : nat;
  pops : nat
}.

Definition depth_of (tr : tree) : nat := pred (length (levels tr)).

Fixpoint push_into (r : Z) (x : entry) (hs : list (Z * queue Q)) : list (Z * queue Q) :=
  match hs with
  | [] => [(r, push Q x (none Q))]
  | (r', q) :: rest =>
      if (r =? r')%Z then (r', push Q x q) :: rest
      else if (r' <? r)%Z then (r, push Q x (none Q)) :: hs
      else (r', q) :: push_into r x rest
  end.

(** A heap that is empty afterwards is removed. *)
Fixpoint pop_from (r : Z) (hs : list (Z * queue Q)) : list (Z * queue Q) :=
  match hs with
  | [] => []
  | (r', q) :: rest =>
      if (r =? r')%Z then
        match first Q (pop Q q) with
        | None => rest
        | Some _ => (r', pop Q q) :: rest
        end
      else (r', q) :: pop_from r rest
  end.

Definition empty_level : level := Level [] None (Some infinity).

Definition add_to_level (x : entry) (lv : level) : level :=
  Level (push_into (nrm_of x) x (heaps lv)) None
        (match least lv with Some f => Some (min f (f_star x)) | None => None end).

Fixpoint heap_of (r : Z) (hs : list (Z * queue Q)) : queue Q :=
  match hs with
  | [] => none Q
  | (r', q) :: rest => if (r =? r')%Z then q else heap_of r rest
  end.

Definition first_f_star (q : queue Q) : V :=
  match first Q q with None => infinity | Some x => f_star x end.

(** If the leaf that goes has the least f*, the least one is not known any more. *)
Definition remove_least (r : Z) (lv : level) : level :=
  Level (pop_from r (heaps lv)) None
        (match least lv with
         | Some f => if equal (first_f_star (heap_of r (heaps lv))) f then None else Some f
         | None => None
         end).

Definition least_of (firsts : list V) : V := fold_left min firsts infinity.

(** The least f* of a level, and the level that knows it. *)
Definition least_f_star (lv : level) : V * level :=
  match least lv with
  | Some f => (f, lv)
  | None =>
      let f := least_of (map first_f_star (map snd (heaps lv))) in (f, Level (heaps lv) (snapshot lv) (Some f))
  end.

(** The list of the heaps, and the level that keeps it. *)
Definition classes_of (lv : level) : list (queue Q) * level :=
  match snapshot lv with
  | Some qs => (qs, lv)
  | None => let qs := map snd (heaps lv) in (qs, Level (heaps lv) (Some qs) (least lv))
  end.

(** The list with another element at one place; it grows as far as needed. *)
Fixpoint set_level (h : nat) (lv : level) (ls : list level) : list level :=
  match h, ls with
  | 0, [] => [lv]
  | 0, _ :: rest => lv :: rest
  | S h', [] => empty_level :: set_level h' lv []
  | S h', other :: rest => other :: set_level h' lv rest
  end.

Definition level_at (h : nat) (tr : tree) : level := nth h (levels tr) empty_level.

Definition add (tr : tree) (x : entry) : tree :=
  Tree (set_level (h_of x) (add_to_level x (level_at (h_of x) tr)) (levels tr))
       (S (leaf_count tr)) (S (pushes tr)) (pops tr).

Definition replace (tr : tree) (e : expansion) : tree :=
  let leaf := fst e in
  fold_left add (snd e)
    (Tree (set_level (h_of leaf) (remove_least (nrm_of leaf) (level_at (h_of leaf) tr)) (levels tr))
          (pred (leaf_count tr)) (pushes tr) (S (pops tr))).

(** The tree with another level at depth h. *)
Definition with_level (h : nat) (lv : level) (tr : tree) : tree :=
  Tree (set_level h lv (levels tr)) (leaf_count tr) (pushes tr) (pops tr).

(** Line 4: the heaps of depth h, none if no leaf there has f* < bound; the least f* is found in both cases. *)
Definition norm_classes (h : nat) (bound : option V) (tr : tree) : list (queue Q) * tree :=
  let (f, lv1) := least_f_star (level_at h tr) in
  if match bound with None => true | Some b => less f b end then
    let (qs, lv') := classes_of lv1 in (qs, with_level h lv' tr)
  else ([], with_level h lv1 tr).

(** ** hunter.py *)

(** Lines 4-8: the expansions of a visit, their requests, and nu_min; [room] evaluations are left. *)
Fixpoint choose (qs : list (queue Q)) (nu : option V) (room : nat)
  : list expansion * list request * option V :=
  match qs with
  | [] => ([], [], nu)
  | q :: rest =>
      match first Q q with
      | None => choose rest nu room
      | Some leaf =>
          if match nu with None => true | Some w => less (f_star leaf) w end then
            let e := (leaf, children leaf) in
            let wanted := requests e in
            if room <=? length wanted then ([e], wanted, Some (f_star leaf))
            else
              match choose rest (Some (f_star leaf)) (room - length wanted) with
              | (es, more, nu') => (e :: es, wanted ++ more, nu')
              end
          else choose rest nu room
      end
  end.

(** The events of a visit, as Model.v logs them, the latest first. *)
Fixpoint happened (es : list expansion) (values : list V) (log : list (event V)) : list (event V) :=
  match es with
  | [] => log
  | e :: rest =>
      let evaluated :=
        map (fun rv => Evaluate (name (fst (fst rv))) (snd (fst rv)) (snd rv)) (combine (requests e) values) in
      happened rest (skipn (length (requests e)) values)
        (rev evaluated ++ Expand (name (fst e)) (f_star (fst e)) :: log)
  end.

(** The variables of [hunt] in hunter.py. *)
Record variables := Variables {
  leaves_of : tree;
  nu : option V;
  f_least : V;                (* best *)
  left : nat;
  t : nat;
  sweep_number : nat;
  expanded : bool;
  events : list (event V)
}.

(** The visit of depth l: choose, ask for all values at once, record them, replace the leaves. *)
Definition visit_depth (l : nat) (s : variables) : variables :=
  let (qs, tr) := norm_classes l (nu s) (leaves_of s) in
  match choose qs (nu s) (left s) with
  | (es, wanted, nu') =>
      let cut := left s <? length wanted in
      let asked := firstn (left s) wanted in
      let values := map reply asked in
      let whole := firstn (if cut then length es - 1 else length es) (record es values) in
      let some := match asked with [] => false | _ => true end in
      Variables (if some then fold_left replace whole tr else tr) nu'
        (fold_left (fun a value => smaller less value a) values (f_least s))
        (left s - length asked) (S (t s)) (sweep_number s) (some || expanded s)
        (happened es values (Visit l :: events s))
  end.

(** [n] visits of depths l, l + 1, ...; none after the budget is used up. *)
Fixpoint visit_depths (n l : nat) (s : variables) : variables :=
  match n with
  | 0 => s
  | S n' =>
      let s' := visit_depth l s in
      if left s' =? 0 then s' else visit_depths n' (S l) s'
  end.

Definition one_sweep (s : variables) : variables :=
  let last := Nat.min (depth_of (leaves_of s)) (h_max cfg) in
  visit_depths (S last) 0
    (Variables (leaves_of s) None (f_least s) (left s) (t s) (S (sweep_number s)) false
       (Sweep last :: events s)).

(** The loop of line 1, at most [n] times. *)
Fixpoint sweep_while (n : nat) (s : variables) : variables :=
  match n with
  | 0 => s
  | S n' => if (0 <? left s) && expanded s then sweep_while n' (one_sweep s) else s
  end.

Definition begin : variables :=
  let value := reply (root, 1) in
  Variables (add (Tree [] 0 0 0) (recorded root value)) None value (budget cfg - 1) 1 0 true
    [Evaluate [] 1 value].

Definition run : variables := sweep_while (budget cfg) begin.

End Program.

Arguments equal {V}. Arguments min {V}.
Arguments Entry {V}. Arguments h_of {V}. Arguments i_of {V}. Arguments c_of {V}.
Arguments nrm_of {V}. Arguments f_star {V}. Arguments past {V}. Arguments before {V}. Arguments name {V}.
Arguments children {V top}. Arguments may_be_evaluated {V}. Arguments requests {V}. Arguments reply {V}.
Arguments recorded {V}. Arguments take_values {V}. Arguments record {V}. Arguments path_of : clear implicits.
Arguments Level {V less}. Arguments heaps {V less Q}. Arguments snapshot {V less Q}. Arguments least {V less Q}.
Arguments Tree {V less}. Arguments levels {V less Q}. Arguments leaf_count {V less Q}. Arguments pushes {V less Q}.
Arguments pops {V less Q}. Arguments depth_of {V less Q}.
Arguments push_into {V less}. Arguments pop_from {V less}. Arguments heap_of {V less Q}.
Arguments empty_level {V top less}. Arguments add_to_level {V less Q}. Arguments remove_least {V top less Q}.
Arguments least_of {V top}. Arguments first_f_star {V top less Q}. Arguments least_f_star {V top less Q}.
Arguments classes_of {V less Q}. Arguments set_level {V top less Q}. Arguments level_at {V top less Q}.
Arguments add {V top less Q}. Arguments replace {V top less Q}. Arguments with_level {V top less Q}.
Arguments norm_classes {V top less Q}. Arguments choose {V top less}. Arguments happened {V}.
Arguments Variables {V less}. Arguments leaves_of {V less Q}. Arguments nu {V less Q}. Arguments f_least {V less Q}.
Arguments left {V less Q}. Arguments t {V less Q}. Arguments sweep_number {V less Q}. Arguments expanded {V less Q}.
Arguments events {V less Q}.
Arguments visit_depth {V top}. Arguments visit_depths {V top}. Arguments one_sweep {V top}. Arguments sweep_while {V top}.
Arguments begin {V top}. Arguments run {V top}.
