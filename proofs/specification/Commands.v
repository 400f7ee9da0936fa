(** * The commands of a listing.

    Spec.v and SpecForest.v are listings.  This file says what their commands mean, on states of any kind,
    and how they are written.  A command is a relation: [A s s'] says that A, begun in state s, can end in
    state s'. *)

From Coq Require Import List.
Import ListNotations.

Definition command (states : Type) := states -> states -> Prop.

Section Commands.

Context {states : Type} (budget_left : states -> Prop).

(** A, then B. *)
Definition sequence (A B : command states) : command states := fun s s' =>
  exists between, A s between /\ B between s'.

Definition conditional (condition : states -> Prop) (A : command states) : command states := fun s s' =>
  (condition s /\ A s s') \/ (~ condition s /\ s' = s).

(** A, with x such that [is_x s x] in the present state s. *)
Definition with_the {X : Type} (is_x : states -> X -> Prop) (A : X -> command states) : command states :=
  fun s s' => exists x, is_x s x /\ A x s s'.

(** A for each x of a list.  A round is begun only if budget is left. *)
Inductive for_each {X : Type} (A : X -> command states) : list X -> command states :=
| no_more_rounds s : for_each A [] s s
| no_more_budget xs s : ~ budget_left s -> for_each A xs s s
| one_round x xs s s1 s2 :
    budget_left s -> A x s s1 -> for_each A xs s1 s2 -> for_each A (x :: xs) s s2.

(** Sweep after sweep, until the budget is used up or a sweep over all leaves has expanded nothing: then all leaves
    are deeper than h_max, and each further sweep would do the same. *)
Inductive while_budget_is_left (expanded_nothing : states -> Prop) (A : command states) : command states :=
| budget_used_up s : ~ budget_left s -> while_budget_is_left expanded_nothing A s s
| nothing_expanded s s1 :
    budget_left s -> A s s1 -> expanded_nothing s1 -> while_budget_is_left expanded_nothing A s s1
| one_sweep s s1 s2 :
    budget_left s -> A s s1 -> ~ expanded_nothing s1 -> while_budget_is_left expanded_nothing A s1 s2 ->
    while_budget_is_left expanded_nothing A s s2.

End Commands.

Notation "A ;; B" := (sequence A B) (at level 100, right associativity).
Notation "'If' condition 'Then' A 'Endif'" := (conditional condition A)
  (at level 99, condition at level 200, A at level 200).
Notation "'Let' x 'Be' 'The' is_x 'in' A" := (with_the is_x (fun x => A))
  (at level 100, x name, is_x at level 99, A at level 200).

(** The loops.  Each listing says when budget is left, and when a sweep over all leaves has expanded nothing. *)
Reserved Notation "'For' x 'From' xs 'Do' A 'Endfor'" (at level 99, x name, xs at level 200, A at level 200).
Reserved Notation "'While_budget_is_left' 'Do' A 'Endwhile'" (at level 99, A at level 200).
