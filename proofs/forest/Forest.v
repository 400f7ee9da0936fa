(** * The forest policy: one forest over P fixed embeddings, as one executable function.

    Algorithm 1 on P trees instead of one.  Tree t has its own dimension and is evaluated with an embedding of
    its own, always the same, so that a base point needs no second evaluation.  The P roots share one evaluation
    of the zero vector, which every embedding maps onto the same point.  The leaves are divided into queues, each
    with its own nu_min.  Every second sweep ranges over the trees of one dimension, the dimensions in turns; the other
    sweeps range over all trees.  Two things are parameters, and the theorems hold for all values of them: the
    rules that make queues and classes, and what enters the forest between two sweeps ([arrivals]).

    Leaves, events, [argmin], [below], [smaller], [deepest] and [replace_leaf] are those of
    Model.v, and a function with the same name does the same as there. *)

From Coq Require Import List ZArith Bool Arith.
From EmbeddedHunter Require Import Lattice Model.
Import ListNotations.
Open Scope nat_scope.

(** ** Nodes of the forest

    The tree's number is the first digit of all: the root of tree t is [[t]], its children are [[c; t]], and
    so on.  So [index] of Lattice.v numbers the nodes of one depth by tree, then by place: t K^h + i. *)

Definition tree_of (p : path) : nat := last p 0.

(** The node inside its tree, as a node of Lattice.v. *)
Definition inner (p : path) : path := removelast p.

(** ** States *)

Set Implicit Arguments.
Set Contextual Implicit.
Set Maximal Implicit Insertion.

Record forest (V : Type) := Forest {
  leaves : list (leaf V);       (* by tree, and in spatial order inside each *)
  nu_mins : list (nat * V);     (* nu_min of each queue that has expanded a leaf in this sweep, the latest first *)
  answer : V;                   (* the least value ever evaluated *)
  made : nat;                   (* number of evaluations made *)
  iterations : nat;             (* t: number of visits of a depth *)
  sweeps : nat;                 (* number of sweeps begun *)
  roots : nat;                  (* number of trees that have had a root so far *)
  log : list (event V)          (* what happened, the latest event first; an evaluation's number is its tree's, plus 1 *)
}.

(** What may enter between two sweeps. *)
Inductive arrival (V : Type) :=
| Known (value : V)    (* a new tree, the value of its root being known already *)
| Evaluated            (* a new tree, its root to be evaluated *)
| Aside.               (* an evaluation outside the forest, of a local search for instance *)

(** K, h_max and v are those of [shared]; the cap is not read, as if M were 0, and instead of its dimension there
    is one for each tree.  The dimensions [turns] have sweeps of their own, in turns; there may be none. *)
Record forest_settings := ForestSettings { shared :> settings; dimension_of : nat -> nat; turns : list nat }.

(** All trees have one dimension, and every sweep ranges over all of them. *)
Definition one_dimension (cfg : settings) : forest_settings := ForestSettings cfg (fun _ => dimension cfg) [].

(** One in [spacing] sweeps ranges over all trees. *)
Definition spacing (cfg : forest_settings) : nat := match turns cfg with [] => 1 | _ :: _ => 2 end.

(** The dimension over whose trees sweep n = 1, 2, ... ranges; none if it ranges over all trees.  Sweeps 2, 4, 6, ... are
    those of the dimensions [turns], in turns. *)
Definition turn (cfg : forest_settings) (n : nat) : option nat :=
  if n mod 2 =? 0 then nth_error (turns cfg) ((n / 2 - 1) mod length (turns cfg)) else None.

(** Tree t alone. *)
Definition tree_settings (cfg : forest_settings) (t : nat) : settings :=
  Settings (half cfg) (dimension_of cfg t) (h_max cfg) (budget cfg) 0 1.

Section Forest.

Variable V : Type.
Variable less : V -> V -> bool.

Variable cfg : forest_settings.

(** P, the number of trees at the start. *)
Variable trees : nat.

(** [oracle t p]: the value of base point [p] with the embedding of tree [t], t < P. *)
Variable oracle : nat -> path -> V.

(** A tree that enters later may have any embedding, chosen from all that has happened: [later s p] is
    the value of node [p] of such a tree when it is evaluated in state [s]. *)
Variable later : forest V -> path -> V.

(** What enters before a sweep: any function of the state. *)
Variable arrivals : forest V -> list (arrival V).

(** The queue of a leaf, and its rank: the leaves of one depth that agree in both are one class.  The
    classes of a visit come by queue, and in each queue by rank, the greatest first. *)
Variable queue : leaf V -> nat.
Variable rank : leaf V -> Z.

Definition new_leaf (p : path) (value : V) : leaf V :=
  Leaf (length (inner p)) p (Nrm (half cfg) (dimension_of cfg (tree_of p)) (inner p)) value 1.

Definition exhausted (s : forest V) : bool := budget cfg <=? made s.

(** ** Line 9: evaluations *)

Definition sample (p : path) (s : forest V) : V :=
  if tree_of p <? trees then oracle (tree_of p) (inner p) else later s p.

Definition evaluate (p : path) (s : forest V) : V * forest V :=
  let value := sample p s in
  (value,
   Forest (leaves s) (nu_mins s) (smaller less value (answer s)) (S (made s)) (iterations s) (sweeps s) (roots s)
          (Evaluate p (S (tree_of p)) value :: log s)).

(** The center child inherits and is never evaluated, any other child is evaluated once.  [None]
    when the budget ran out before all children were made. *)
Fixpoint make_children (digits : list nat) (x : leaf V) (s : forest V) : option (list (leaf V)) * forest V :=
  match digits with
  | [] => (Some [], s)
  | c :: rest =>
      let p := c :: place x in
      if c =? half cfg then
        match make_children rest x s with
        | (Some children, s') => (Some (new_leaf p (best x) :: children), s')
        | (None, s') => (None, s')
        end
      else if exhausted s then (None, s)
      else
        match evaluate p s with
        | (value, s1) =>
            match make_children rest x s1 with
            | (Some children, s') => (Some (new_leaf p value :: children), s')
            | (None, s') => (None, s')
            end
        end
  end.

(** ** Lines 4-12: one iteration, the visit of a depth *)

(** The nu_min of queue [u]; [None] while the queue has expanded nothing in this sweep. *)
Fixpoint nu_min (u : nat) (nus : list (nat * V)) : option V :=
  match nus with
  | [] => None
  | (u', w) :: rest => if u =? u' then Some w else nu_min u rest
  end.

Definition expand (x : leaf V) (s : forest V) : forest V :=
  let s1 := Forest (leaves s) ((queue x, best x) :: nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (roots s)
                   (Expand (place x) (best x) :: log s) in
  match make_children (seq 0 (K (half cfg))) x s1 with
  | (None, s2) => s2
  | (Some children, s2) =>
      Forest (replace_leaf (place x) children (leaves s2)) (nu_mins s2) (answer s2) (made s2) (iterations s2)
             (sweeps s2) (roots s2) (log s2)
  end.

(** One class, of queue [u]. *)
Definition visit_class (u : nat) (members : list (leaf V)) (s : forest V) : forest V :=
  match members with
  | [] => s
  | x :: rest =>
      let a := argmin less x rest in
      if exhausted s then s
      else if below less (best a) (nu_min u (nu_mins s)) then expand a s
      else s
  end.

(** Queue and rank of a class, and their order. *)
Definition key (x : leaf V) : nat * Z := (queue x, rank x).
Definition same_key (a b : nat * Z) : bool := (fst a =? fst b) && (snd a =? snd b)%Z.
Definition earlier (a b : nat * Z) : bool := (fst a <? fst b) || (fst a =? fst b) && (snd b <? snd a)%Z.

Fixpoint add_to_classes (x : leaf V) (classes : list ((nat * Z) * list (leaf V)))
  : list ((nat * Z) * list (leaf V)) :=
  match classes with
  | [] => [(key x, [x])]
  | (r, members) :: rest =>
      if same_key (key x) r then (r, x :: members) :: rest
      else if earlier (key x) r then (key x, [x]) :: classes
      else (r, members) :: add_to_classes x rest
  end.

Section Sweep.

(** The number of the sweep. *)
Variable n : nat.

(** The leaves over which it ranges. *)
Definition in_range (x : leaf V) : bool :=
  match turn cfg n with
  | None => true
  | Some d => dimension_of cfg (tree_of (place x)) =? d
  end.

(** The classes of those of the leaves [xs] that have depth [l]. *)
Fixpoint classes (l : nat) (xs : list (leaf V)) : list ((nat * Z) * list (leaf V)) :=
  match xs with
  | [] => []
  | x :: rest =>
      if depth x =? l then if in_range x then add_to_classes x (classes l rest) else classes l rest
      else classes l rest
  end.

End Sweep.

Fixpoint visit_classes (frozen : list ((nat * Z) * list (leaf V))) (s : forest V) : forest V :=
  match frozen with
  | [] => s
  | (r, members) :: rest => visit_classes rest (visit_class (fst r) members s)
  end.

Definition begin_visit (l : nat) (s : forest V) : forest V :=
  Forest (leaves s) (nu_mins s) (answer s) (made s) (S (iterations s)) (sweeps s) (roots s) (Visit l :: log s).

Definition visit (l : nat) (s : forest V) : forest V :=
  visit_classes (classes (sweeps s) l (leaves s)) (begin_visit l s).

(** ** Lines 1-3: sweeps *)

Fixpoint visits (n l : nat) (s : forest V) : forest V :=
  match n with
  | 0 => s
  | S n' => if exhausted s then s else visits n' (S l) (visit l s)
  end.

Definition limit (s : forest V) : nat := Nat.min (deepest (leaves s)) (h_max cfg).

Definition begin_sweep (s : forest V) : forest V :=
  Forest (leaves s) [] (answer s) (made s) (iterations s) (S (sweeps s)) (roots s) (Sweep (limit s) :: log s).

Definition sweep (s : forest V) : forest V := visits (S (limit s)) 0 (begin_sweep s).

(** ** Between two sweeps *)

(** A new tree takes the next number; its root becomes the last leaf. *)
Definition plant (value : V) (s : forest V) : forest V :=
  Forest (leaves s ++ [new_leaf [roots s] value]) (nu_mins s) (answer s) (made s) (iterations s) (sweeps s)
         (S (roots s)) (log s).

Definition pass_over (s : forest V) : forest V :=
  Forest (leaves s) (nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (S (roots s)) (log s).

Definition enter_one (a : arrival V) (s : forest V) : forest V :=
  match a with
  | Known value => plant value s
  | Evaluated => match evaluate [roots s] s with (value, s1) => plant value s1 end
  | Aside => match evaluate [roots s] s with (_, s1) => pass_over s1 end
  end.

Fixpoint enter (news : list (arrival V)) (s : forest V) : forest V :=
  match news with
  | [] => s
  | a :: rest => if exhausted s then s else enter rest (enter_one a s)
  end.

(** ** The run *)

(** What enters, and a sweep. *)
Definition round (s : forest V) : forest V :=
  let s1 := enter (arrivals s) s in
  if exhausted s1 then s1 else sweep s1.

(** The last sweep ranged over all trees and expanded nothing. *)
Definition idle (s : forest V) : bool :=
  match nu_mins s, turn cfg (sweeps s) with
  | [], None => true
  | _, _ => false
  end.

(** At most [n] sweeps.  The run ends when the budget is used up, and after a sweep over all trees that expanded
    nothing. *)
Fixpoint run_for (n : nat) (s : forest V) : forest V :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted s then s
      else
        let s' := round s in
        if idle s' then s' else run_for n' s'
  end.

(** P roots and one evaluation, of the zero vector. *)
Definition start : forest V :=
  let value := oracle 0 [] in
  Forest (map (fun t => new_leaf [t] value) (seq 0 trees)) [] value 1 0 0 trees [Evaluate [0] 1 value].

(** A sweep over all trees makes an evaluation, or it ends the run. *)
Definition hunt : forest V := run_for (spacing cfg * budget cfg) start.

(** ** Two instances of the rules *)

(** The default: one class for each depth, but the nodes whose base point is the zero vector in a queue of
    their own, and so the trees that enter later. *)
Definition separate_origin (x : leaf V) : nat :=
  if trees <=? tree_of (place x) then 2 else if (norm x =? 0)%Z then 1 else 0.
Definition one_class (x : leaf V) : Z := 0%Z.

(** Algorithm 1's classes: equal norms, in one queue. *)
Definition one_queue (x : leaf V) : nat := if trees <=? tree_of (place x) then 1 else 0.
Definition norm_class (x : leaf V) : Z := norm x.

End Forest.

(** The plain forest: nothing enters between the sweeps. *)
Definition nothing {V : Type} (s : forest V) : list (arrival V) := [].
