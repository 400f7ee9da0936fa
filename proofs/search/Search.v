(** * A search in sweeps: what Algorithm 1 and the policy forest have in common.

    A search keeps the leaves of one or several trees.  A sweep visits the depths 0, 1, 2, ... one after the other.
    A visit divides the leaves of its depth into classes, once, and works through the classes.  Of each class the least
    leaf is expanded if it is below the nu_min of its queue.  All else is a parameter, also which leaves a sweep ranges
    over ([ranges]), and what happens between two sweeps ([enter]).  Algorithm 1 (Steps.v) and the forest
    (ForestSteps.v) are instances: with these parameters the functions below are theirs. *)

From EmbeddedHunter Require Import Lists.
From EmbeddedHunter Require SearchClasses.

Class search := Search {
  value : Type;
  less : value -> value -> bool;
  node : Type;
  leaf : Type;
  place : leaf -> node;
  depth : leaf -> nat;
  best : leaf -> value;                        (* what is least in a class *)
  children : node -> list node;
  least : leaf -> list leaf -> leaf;           (* the least of a class, given as its first leaf and the others *)
  class : Type;
  class_of : leaf -> class;
  same : class -> class -> bool;
  earlier : class -> class -> bool;            (* the order of the classes of a visit *)
  queue : Type;
  queue_of : class -> queue;
  state : Type;
  event : Type;
  leaves : state -> list leaf;
  nu : queue -> state -> option value;         (* nu_min of a queue *)
  made : state -> nat;                         (* number of evaluations *)
  iterations : state -> nat;
  log : state -> list event;                   (* the latest event first *)
  mark : leaf -> event;                        (* the expansion of a leaf, as an event *)
  expanded : list event -> list node;
  budget : nat;
  h_max : nat;
  limit : state -> nat;                        (* the last depth that the sweep visits *)
  ranges : state -> leaf -> bool;              (* the leaves that the present sweep ranges over *)
  begin_sweep : state -> state;
  begin_visit : nat -> state -> state;
  expand : leaf -> state -> state;
  allowed : state -> leaf -> Prop;             (* what is known of a leaf that is expanded *)
  enter : state -> state;                      (* between two sweeps *)
  outside : state -> state -> Prop;            (* the steps of [enter] *)
  idle : state -> bool                         (* the last sweep ends the run *)
}.

Section Functions.

Context {A : search}.

Definition queue_of_leaf (x : leaf) : queue := queue_of (class_of x).
Definition exhausted (s : state) : bool := budget <=? made s.

Definition below (v : value) (bound : option value) : bool :=
  match bound with
  | None => true
  | Some w => less v w
  end.

Definition visit_class (u : queue) (members : list leaf) (s : state) : state :=
  match members with
  | [] => s
  | x :: rest =>
      let a := least x rest in
      if exhausted s then s
      else if below (best a) (nu u s) then expand a s
      else s
  end.

(** The classes of a visit of depth [l]. *)
Definition classes (l : nat) (s : state) : list (class * list leaf) :=
  SearchClasses.classes depth class_of same earlier (ranges s) l (leaves s).

Fixpoint visit_classes (frozen : list (class * list leaf)) (s : state) : state :=
  match frozen with
  | [] => s
  | (r, members) :: rest => visit_classes rest (visit_class (queue_of r) members s)
  end.

Definition visit (l : nat) (s : state) : state :=
  visit_classes (classes l s) (begin_visit l s).

Fixpoint visits (n l : nat) (s : state) : state :=
  match n with
  | 0 => s
  | S n' => if exhausted s then s else visits n' (S l) (visit l s)
  end.

Definition sweep (s : state) : state := visits (S (limit s)) 0 (begin_sweep s).

Definition round (s : state) : state :=
  let s1 := enter s in
  if exhausted s1 then s1 else sweep s1.

(** [n] rounds, whether or not the run has ended before. *)
Fixpoint rounds (n : nat) (s : state) : state :=
  match n with
  | 0 => s
  | S n' => round (rounds n' s)
  end.

Fixpoint run_for (n : nat) (s : state) : state :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted s then s
      else
        let s' := round s in
        if idle s' then s' else run_for n' s'
  end.

(** ** A run is a sequence of steps *)

Inductive step : state -> state -> Prop :=
| step_sweep s : exhausted s = false -> step s (begin_sweep s)
| step_visit l s : exhausted s = false -> l <= h_max -> step s (begin_visit l s)
| step_expand x s :
    exhausted s = false -> In x (leaves s) -> depth x <= h_max -> allowed s x -> step s (expand x s)
| step_enter s s' : exhausted s = false -> outside s s' -> step s s'.

Inductive steps : state -> state -> Prop :=
| steps_none s : steps s s
| steps_more s s1 s2 : steps s s1 -> step s1 s2 -> steps s s2.

(** The steps inside a sweep: nothing below depth [lim] is visited or expanded. *)
Inductive move (lim : nat) : state -> state -> Prop :=
| move_visit l s : exhausted s = false -> l <= lim -> move lim s (begin_visit l s)
| move_expand x s :
    exhausted s = false -> In x (leaves s) -> depth x <= lim -> ranges s x = true -> allowed s x ->
    move lim s (expand x s).

Inductive moves (lim : nat) : state -> state -> Prop :=
| moves_none s : moves lim s s
| moves_more s s1 s2 : moves lim s s1 -> move lim s1 s2 -> moves lim s s2.

(** [a] is at most [b]: [b] is not less than [a]. *)
Definition at_most (a b : value) : Prop := less b a = false.

(** Values are ordered, and [least] is what it says. *)
Record ordered : Prop := Ordered {
  less_at_most : forall a b, less a b = true -> at_most a b;
  at_most_trans : forall a b c, at_most a b -> at_most b c -> at_most a c;
  least_at_most : forall x rest y, In y (x :: rest) -> at_most (best (least x rest)) (best y)
}.

(** What the theory needs to know of a search; [holds] is an invariant of its runs. *)
Record lawful (holds : state -> Prop) : Prop := Lawful {
  classes_ordered : SearchClasses.class_order same earlier;
  least_in : forall x rest, In (least x rest) (x :: rest);
  limit_h_max : forall s, limit s <= h_max;
  limit_covers : forall s x, In x (leaves s) -> depth x <= limit s \/ h_max < depth x;
  limit_at_most : forall s b, (forall x, In x (leaves s) -> depth x <= b) -> limit s <= b;
  expanded_app : forall a b, expanded (a ++ b) = expanded a ++ expanded b;
  expanded_mark : forall x, expanded [mark x] = [place x];

  leaves_sweep : forall s, leaves (begin_sweep s) = leaves s;
  made_sweep : forall s, made (begin_sweep s) = made s;
  iterations_sweep : forall s, iterations (begin_sweep s) = iterations s;
  nu_sweep : forall u s, nu u (begin_sweep s) = None;
  log_sweep : forall s, exists e, log (begin_sweep s) = e :: log s /\ expanded [e] = [];

  leaves_visit : forall l s, leaves (begin_visit l s) = leaves s;
  made_visit : forall l s, made (begin_visit l s) = made s;
  iterations_visit : forall l s, iterations (begin_visit l s) = S (iterations s);
  nu_visit : forall u l s, nu u (begin_visit l s) = nu u s;
  log_visit : forall l s, exists e, log (begin_visit l s) = e :: log s /\ expanded [e] = [];
  ranges_visit : forall l s, ranges (begin_visit l s) = ranges s;

  iterations_expand : forall x s, holds s -> In x (leaves s) -> iterations (expand x s) = iterations s;
  nu_expand : forall u x s, holds s -> In x (leaves s) ->
    (u = queue_of_leaf x /\ nu u (expand x s) = Some (best x)) \/
    (u <> queue_of_leaf x /\ nu u (expand x s) = nu u s);
  log_expand : forall x s, holds s -> In x (leaves s) ->
    exists new, log (expand x s) = new ++ mark x :: log s /\ expanded new = [];
  ranges_expand : forall x s, holds s -> In x (leaves s) -> ranges (expand x s) = ranges s;
  (* The children take the place of the leaf, or the budget is used up. *)
  leaves_expand : forall x s, holds s -> exhausted s = false -> In x (leaves s) ->
    (leaves (expand x s) = leaves s /\ exhausted (expand x s) = true) \/
    exists l1 ch l2, leaves s = l1 ++ x :: l2 /\ leaves (expand x s) = l1 ++ ch ++ l2 /\
      map place ch = children (place x) /\ forall y, In y ch -> depth y = S (depth x);

  expansion_allowed : forall x s, holds s -> In x (leaves s) ->
    below (best x) (nu (queue_of_leaf x) s) = true -> allowed s x;
  idle_nu : forall s, idle s = true -> forall u, nu u s = None;
  enter_steps : forall s, steps s (enter s);
  leaves_enter : forall s x, In x (leaves (enter s)) -> In x (leaves s) \/ depth x = 0;
  iterations_enter : forall s, iterations (enter s) = iterations s;
  expanded_outside : forall s s', outside s s' -> expanded (log s') = expanded (log s);

  holds_sweep : forall s, exhausted s = false -> holds s -> holds (begin_sweep s);
  holds_visit : forall l s, exhausted s = false -> holds s -> holds (begin_visit l s);
  holds_expand : forall x s, exhausted s = false -> In x (leaves s) -> holds s -> holds (expand x s);
  holds_outside : forall s s', exhausted s = false -> outside s s' -> holds s -> holds s'
}.

End Functions.

Arguments ordered : clear implicits.
Arguments lawful : clear implicits.
