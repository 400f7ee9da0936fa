(** * What a run of the forest shows: all that theorem [hunt_is_the_policy_forest] fixes.

    Compiled by mutants.py against the model of the forest and against each of its mutants; as Observe.v, whose values and
    sets it uses. *)

From Coq Require Import List ZArith Bool.
From EmbeddedHunter Require Model Forest Observe.
Import ListNotations.
Open Scope Z_scope.

(** Node (h, i) of a path whose last digit is the tree's number. *)
Definition name (k : nat) (p : list nat) : list Z := [Z.of_nat (length p) - 1; Observe.index k p].

(** With each tree another hash of the base point. *)
Definition oracle (k : nat) (seed levels : Z) (t : nat) (p : list nat) : Observe.value :=
  Observe.oracle k (seed + 10 * Z.of_nat t) levels p 1.

Definition event (k : nat) (e : Model.event Observe.value) : list Z :=
  match e with
  | Model.Sweep last => [1; Z.of_nat last]
  | Model.Visit l => [2; Z.of_nat l]
  | Model.Expand p nu => 3 :: fst nu :: snd nu :: name k p
  | Model.Evaluate p n w => 4 :: Z.of_nat n :: fst w :: snd w :: name k p
  end.

(** The trees have the dimensions d, ..., d + [more] in turns.  The events in their order; then nu_min of each queue, t, the answer, and the leaves as a set. *)
Definition observe (k d h_max v trees separate by_norm more : nat) (seed levels : Z) : list (list Z) :=
  let shared := Model.Settings k d h_max v 0 1 in
  let cfg := match more with
    | O => Forest.one_dimension shared
    | S _ => Forest.ForestSettings shared (fun t => d + t mod S more)%nat (seq d (S more))
    end in
  let queue := match separate with O => Forest.one_queue trees | _ => Forest.separate_origin trees end in
  let rank := match by_norm with O => Forest.one_class | _ => Forest.norm_class end in
  let s := Forest.hunt Observe.less cfg trees (oracle k seed levels) (fun _ _ => (0, 0)) Forest.nothing queue rank in
  map (event k) (rev (Forest.log s))
  ++ map (fun u => 9 :: Z.of_nat u ::
       match Forest.nu_min u (Forest.nu_mins s) with None => [] | Some nu => [fst nu; snd nu] end) (seq 0 2)
  ++ [ [6; Z.of_nat (Forest.iterations s)]; [7; fst (Forest.answer s); snd (Forest.answer s)] ]
  ++ map (cons 8) (fold_right (fun x => Observe.insert (name k (Model.place x))) [] (Forest.leaves s)).
