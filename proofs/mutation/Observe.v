(** * What a run shows: all that theorem [hunt_is_algorithm_1] fixes.

    Compiled by mutants.py against the model and against each of its mutants.  Nothing of this file is
    proved; nothing of Lattice.v is used, so that a mutant of it cannot hide. *)

From Coq Require Import List ZArith Bool.
From EmbeddedHunter Require Model.
Import ListNotations.
Open Scope Z_scope.

(** Node (h, i) of a path, and the first node that has the path's base point. *)
Fixpoint index (k : nat) (p : list nat) : Z :=
  match p with
  | [] => 0
  | c :: parent => (2 * Z.of_nat k + 1) * index k parent + Z.of_nat c
  end.

Definition name (k : nat) (p : list nat) : list Z := [Z.of_nat (length p); index k p].

Fixpoint first_node (k : nat) (p : list nat) : list nat :=
  match p with
  | [] => []
  | c :: parent => if Nat.eqb c k then first_node k parent else p
  end.

(** Values are pairs of which only the first member is compared: equal values can be told apart. *)
Definition value : Type := Z * Z.
Definition less (a b : value) : bool := fst a <? fst b.

(** An oracle of base points: some hash of the base point and the visit number, modulo [levels]. *)
Definition oracle (k : nat) (seed levels : Z) (p : list nat) (n : nat) : value :=
  let y := first_node k p in
  let h := fold_left (fun a c => (a * 31 + Z.of_nat c * seed + 7) mod 1000003) y (Z.of_nat (length y)) in
  let w := (h * 17 + seed * Z.of_nat (n * n) + 5) mod 1000003 in
  (w mod levels, w).

(** A set of nodes, as an increasing list without repetitions. *)
Fixpoint insert (x : list Z) (xs : list (list Z)) : list (list Z) :=
  match xs with
  | [] => [x]
  | y :: rest =>
      match x, y with
      | [h; i], [h'; i'] =>
          if (h =? h') && (i =? i') then xs
          else if (h <? h') || ((h =? h') && (i <? i')) then x :: xs
          else y :: insert x rest
      | _, _ => xs
      end
  end.

Definition event (k : nat) (e : Model.event value) : list Z :=
  match e with
  | Model.Sweep last => [1; Z.of_nat last]
  | Model.Visit l => [2; Z.of_nat l]
  | Model.Expand p nu => 3 :: fst nu :: snd nu :: name k p
  | Model.Evaluate p n w => 4 :: Z.of_nat n :: fst w :: snd w :: name k p
  end.

(** The events in their order; then nu_min, t, the answer, and the leaves as a set. *)
Definition observe (k d h_max v : nat) (cap_num cap_den seed levels : Z) : list (list Z) :=
  let s := Model.hunt less (oracle k seed levels) (Model.Settings k d h_max v cap_num cap_den) in
  map (event k) (rev (Model.log s))
  ++ [ match Model.nu_min s with None => [5] | Some nu => [5; fst nu; snd nu] end;
       [6; Z.of_nat (Model.iterations s)];
       [7; fst (Model.answer s); snd (Model.answer s)] ]
  ++ map (cons 8) (fold_right (fun x => insert (name k (Model.place x))) [] (Model.leaves s)).
