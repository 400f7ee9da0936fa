(** Runs of the interpreter of proofs/text, for Rocq's own [vm_compute]: test_python_text.py compares them with CPython's. *)

From Coq Require Import List ZArith String.
From EmbeddedHunter Require Import PythonSyntax Python SearchText Refusals.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** Integers stand for floats, a great one for infinity. *)
Definition great : Z := 1000000.
Definition integers_as_floats : floats :=
  Floats Z great Z.ltb Z.div (fun a b => Z.abs (a / b) <? great) Z.mul Z.sqrt.
Definition the_value := value integers_as_floats.

(** A value as integers, with what it refers to. *)
Fixpoint row (n : nat) (h : store integers_as_floats) (v : the_value) : list Z :=
  match n with
  | O => [99]
  | S n' =>
      match v with
      | VNone => [0]
      | VBool b => [1; if b : bool then 1 else 0]
      | VInt z => [2; z]
      | VFloat x => [3; x]
      | VTuple _ items => 4 :: Z.of_nat (List.length items) :: flat_map (row n' h) items
      | VGlobal _ => [5]
      | VRef l =>
          match nth_error h l with
          | Some (ListObject items) => 6 :: Z.of_nat (List.length items) :: flat_map (row n' h) items
          | Some (DictObject items) =>
              7 :: Z.of_nat (List.length items) :: flat_map (fun kv => fst kv :: row n' h (snd kv)) items
          | Some (Instance _ fields) => 8 :: flat_map (fun f => row n' h (snd f)) fields
          | None => [98]
          end
      end
  end.

(** What a function of a module returns; nothing if it stops, or if something in the module is refused. *)
Definition returned (body : list stmt) (f : string) (a b : Z) : list (list Z) :=
  match refusals [("program"%string, body)], call body 60 None f [VInt a; VInt b] [] (State [] []) with
  | [], Done v s => [row 20 (objects s) v]
  | _, _ => []
  end.

(** ** The search *)

Definition attribute (h : store integers_as_floats) (v : the_value) (a : string) : the_value :=
  match get_attribute search_py v a (State [] h) with Done x _ => x | _ => VNone end.
Definition items (h : store integers_as_floats) (v : the_value) : list the_value :=
  match elements v (State [] h) with Done vs _ => vs | _ => [] end.
Definition number (v : the_value) : Z := match v with VInt z => z | VFloat z => z | _ => -1 end.

(** The value of an evaluation: some hash of the node and of the number of the evaluation. *)
Definition sample (seed levels : Z) (h : store integers_as_floats) (evaluation : the_value) : Z :=
  let node := attribute h evaluation "node" in
  (number (attribute h node "h") * 7919 + number (attribute h node "i") * seed * seed
   + number (attribute h evaluation "p") * 101 + seed) mod 1009 mod levels.

Definition node_row (h : store integers_as_floats) (node : the_value) : list Z :=
  [number (attribute h node "h"); number (attribute h node "i"); number (attribute h node "nrm")].

Definition visit_row (h : store integers_as_floats) (visit : the_value) : list Z :=
  [number (attribute h visit "sweep"); number (attribute h visit "t"); number (attribute h visit "l")]
  ++ flat_map (fun e => node_row h (attribute h e "leaf")) (items h (attribute h visit "expansions"))
  ++ flat_map (fun e => number (attribute h e "p") :: node_row h (attribute h e "node"))
              (items h (attribute h visit "evaluations")).

Fixpoint drive (n : nat) (seed levels : Z) (r : result integers_as_floats the_value) : list (list Z) :=
  match n, r with
  | S n', Yielded visit h resume =>
      let values := map (fun e => @VFloat integers_as_floats (sample seed levels h e)) (items h (attribute h visit "evaluations")) in
      visit_row h visit :: drive n' seed levels (resume (VTuple "tuple"%string values) h)
  | _, Done v _ => [[number v]]
  | _, _ => [[-1; -1]]
  end.

Definition hunts (d k v h_max cap_num cap_den seed levels : Z) : list (list Z) :=
  let settings := Instance "Settings" [("d", VInt d); ("K", VInt (2 * k + 1)); ("v", VInt v); ("h_max", VInt h_max);
                                       ("cap", VRef 1)]%string in
  let cap := Instance "Fraction" [("numerator", VInt cap_num); ("denominator", VInt cap_den)]%string in
  drive 1000 seed levels (interpret modules_py 200 "hunt" [VRef 0] [settings; cap]).
