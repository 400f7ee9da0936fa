(** Runs of the two models as rows of integers, for Rocq's own [vm_compute]: test_computed_by_rocq.py
    compares them with what the translated models do.  Also what SOO does: it is compared with the program. *)

From Coq Require Import List ZArith.
From EmbeddedHunter Require Import Lattice Model.
From EmbeddedHunter Require Forest Soo.
Import ListNotations.
Open Scope Z_scope.

(** Some hash of a path and a number, modulo [levels]: the values of an oracle. *)
Definition hash (seed levels : Z) (p : path) (n : nat) : Z :=
  let start := Z.of_nat (length p) in
  let h := fold_left (fun a c => (a * 31 + Z.of_nat c * seed + 7) mod 1000003) p start in
  (h * 17 + seed * Z.of_nat n * Z.of_nat n + 5) mod levels.

Definition path_row (p : path) : list Z := map Z.of_nat p.

Definition event_row (e : event Z) : list Z :=
  match e with
  | Sweep last => [1; Z.of_nat last]
  | Visit l => [2; Z.of_nat l]
  | Expand p nu => 3 :: nu :: path_row p
  | Evaluate p n value => 4 :: Z.of_nat n :: value :: path_row p
  end.

Definition leaf_row (x : leaf Z) : list Z :=
  5 :: Z.of_nat (depth x) :: norm x :: best x :: Z.of_nat (count x) :: path_row (place x).

Definition algorithm_1 (k d h_max v : nat) (cap_num cap_den seed levels : Z) : list (list Z) :=
  let s := hunt Z.ltb (hash seed levels) (Settings k d h_max v cap_num cap_den) in
  [answer s; Z.of_nat (made s); Z.of_nat (iterations s); Z.of_nat (sweeps s)]
  :: map leaf_row (leaves s) ++ map event_row (log s).

(** [by_norm] and [apart] choose the rules of the forest of [trees] trees; [ds] holds their dimensions,
    [turns] those that have sweeps of their own. *)
Definition forest (k : nat) (ds turns : list nat) (h_max v trees : nat) (by_norm apart : bool) (seed levels : Z) : list (list Z) :=
  let queue := if apart then Forest.separate_origin trees else Forest.one_queue trees in
  let rank := if by_norm then Forest.norm_class else Forest.one_class in
  let s := Forest.hunt Z.ltb (Forest.ForestSettings (Settings k 0 h_max v 0 1) (fun t => nth t ds 1%nat) turns) trees (fun t p => hash seed levels p t)
    (fun _ _ => 0) Forest.nothing queue rank in
  [Forest.answer s; Z.of_nat (Forest.made s); Z.of_nat (Forest.iterations s);
   Z.of_nat (Forest.sweeps s)]
  :: map leaf_row (Forest.leaves s) ++ map event_row (Forest.log s).

(** The nodes of SOO's tree after some sweeps, in the order in which they entered it, after a row with the number
    of expansions. *)
Definition soo (k h_max sweeps : nat) (seed levels : Z) : list (list Z) :=
  let children (p : path) := map (fun c => c :: p) (seq 0 (K k)) in
  let T := Soo.after Z.ltb (fun p => hash seed levels (birth k p) 0) children [] h_max sweeps in
  [Z.of_nat (Soo.expansions T)] :: map path_row (Soo.evaluated T).
