(** Runs of the two models as rows of integers, for Rocq's own [vm_compute]: test_computed_by_rocq.py
    compares them with what the translated models do.  Also what SequOOL's rule and SOO do: it is compared
    with the program. *)

From Coq Require Import List ZArith.
From EmbeddedHunter Require Import Lattice Model.
From EmbeddedHunter Require Forest SequoolRule Soo.
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
  let s := hunt Z Z.ltb (hash seed levels) (Settings k d h_max v cap_num cap_den) in
  [answer s; Z.of_nat (made s); Z.of_nat (iterations s); Z.of_nat (sweeps s)]
  :: map leaf_row (leaves s) ++ map event_row (log s).

(** [by_norm] and [apart] choose the rules of the forest of [trees] trees; [ds] holds their dimensions,
    [turns] those that have sweeps of their own. *)
Definition forest (k : nat) (ds turns : list nat) (h_max v trees : nat) (by_norm apart : bool) (seed levels : Z) : list (list Z) :=
  let queue := if apart then Forest.separate_origin Z trees else Forest.one_queue Z trees in
  let rank := if by_norm then Forest.norm_class Z else Forest.one_class Z in
  let s := Forest.hunt Z Z.ltb (Forest.ForestSettings (Settings k 0 h_max v 0 1) (fun t => nth t ds 1%nat) turns) trees (fun t p => hash seed levels p t)
    (fun _ _ => 0) Forest.nothing queue rank in
  [Forest.answer s; Z.of_nat (Forest.made s); Z.of_nat (Forest.iterations s);
   Z.of_nat (Forest.sweeps s)]
  :: map leaf_row (Forest.leaves s) ++ map event_row (Forest.log s).

(** What SequOOL's rule expands in [trees] trees: rows of depth, tree and path.  Equal values are ordered by index. *)
Definition sequool (k H trees : nat) (apart : bool) (seed levels : Z) : list (list Z) :=
  let at_zero (x : nat * path) := match birth k (snd x) with [] => true | _ => false end in
  let value (x : nat * path) :=
    (hash seed levels (birth k (snd x)) (if at_zero x then 0 else fst x),
     fold_right (fun c i => Z.of_nat (K k) * i + Z.of_nat c) (Z.of_nat (fst x)) (snd x)) in
  let less (a b : Z * Z) := orb (fst a <? fst b) (andb (fst a =? fst b) (snd a <? snd b)) in
  let children (x : nat * path) := map (fun c => (fst x, c :: snd x)) (seq 0 (K k)) in
  let queue (x : nat * path) := if andb apart (at_zero x) then 1%nat else 0%nat in
  let roots := map (fun t => (t, [])) (seq 1 (trees - 1)) in
  flat_map (fun h => map (fun x : nat * path => Z.of_nat h :: Z.of_nat (fst x) :: path_row (snd x))
                       (SequoolRule.expanded less value children (0%nat, []) roots queue 2 H h))
    (seq 0 (S H)).

(** The nodes of SOO's tree after some sweeps, in the order in which they entered it, after a row with the number
    of expansions. *)
Definition soo (k h_max sweeps : nat) (seed levels : Z) : list (list Z) :=
  let children (p : path) := map (fun c => c :: p) (seq 0 (K k)) in
  let T := Soo.after Z.ltb (fun p => hash seed levels (birth k p) 0) children [] h_max sweeps in
  [Z.of_nat (Soo.expansions T)] :: map path_row (Soo.evaluated T).
