(** * An interpreter for the part of Python in which the search is written.

    It gives a meaning to the terms of PythonSyntax.v.  It stops ([Raised]) for an exception, for anything that it does not
    know, and if its fuel is used up.  A theorem that says that it comes to an end with a value says that no exception is raised.

    It either does what CPython does, or it stops, as far as was tested: tests/differential runs it beside CPython on programs
    that are to tell the two apart and on 3,000 random ones.  What it does not look at, Refusals.v judges before it runs:
    whatever stands outside of functions, names, and iterators that are read twice or in part.

    - Objects, lists and dictionaries lie in a store, and a reference is an index in it.  Tuples and named tuples are values.
    - Integers are exact.  Floats are any type with the operations of [floats]; there is no nan.
    - Definitions of functions and classes are found by their names; the modules are one list of definitions, and
      no name is defined twice.  Default values are computed at each call; they are constants, or new empty lists.
      [lru_cache] changes no result, since its keys are integers and what it keeps does not change.
    - A [for] over a list reads its elements one by one, as CPython does, and stops if the list has another length
      at the end.  [range], [zip] and generator expressions make tuples at once.
    - [yield] hands a value out, and the interpreter goes on when it is given one, with the store as the caller
      left it.  A function in the text cannot call a generator.
    - [insort] is the binary search of Python's module bisect: it asks [<] of the elements, which for objects is their
      method [__lt__].  [sorted] is known for the keys of a dictionary alone, [min] for two numbers, and for a list or
      a tuple of them with a default. *)

From Coq Require Import List ZArith String Bool.
From EmbeddedHunter Require Import PythonSyntax.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.

(** What is used of floats: [quotient a b] is the float a / b of two integers, if this is not too great ([finite a b]). *)
Record floats := Floats {
  float : Type;
  infinity : float;
  less : float -> float -> bool;
  quotient : Z -> Z -> float;
  finite : Z -> Z -> bool;
  product : float -> float -> float;
  square_root : float -> float
}.

Set Implicit Arguments.
Set Contextual Implicit.
Set Maximal Implicit Insertion.

Section Python.

Variable F : floats.

(** A tuple has the name of its class: "tuple", or that of a named tuple.  [VGlobal] is a function, a class, a module. *)
Inductive value :=
| VNone
| VBool (b : bool)
| VInt (z : Z)
| VFloat (x : float F)
| VTuple (kind : string) (items : list value)
| VRef (l : nat)
| VGlobal (name : string).

Inductive object :=
| Instance (kind : string) (fields : list (string * value))
| ListObject (items : list value)
| DictObject (items : list (Z * value)).          (* its keys are integers; the order of insertion *)

Variable modules : list stmt.

(** ** States, results *)

Definition store := list object.
Definition names := list (string * option value).   (* the local variables; None: not bound yet *)
Record state := State { locals : names; objects : store }.

Inductive result (A : Type) :=
| Done (a : A) (s : state)
| Raised (why : string)
| Yielded (v : value) (h : store) (resume : value -> store -> result A).
Arguments Done {A}. Arguments Raised {A}. Arguments Yielded {A}.

Definition M (A : Type) := state -> result A.
Definition ret {A} (a : A) : M A := fun s => Done a s.
Definition raise {A} (why : string) : M A := fun _ => Raised why.

Fixpoint bind_result {A B} (r : result A) (f : A -> M B) : result B :=
  match r with
  | Done a s => f a s
  | Raised why => Raised why
  | Yielded v h resume => Yielded v h (fun x h' => bind_result (resume x h') f)
  end.
Definition bind {A B} (m : M A) (f : A -> M B) : M B := fun s => bind_result (m s) f.
Local Notation "x <- m ;; f" := (bind m (fun x => f)) (at level 61, m at next level, right associativity).
Local Notation "m ;;; f" := (bind m (fun _ => f)) (at level 61, right associativity).

Definition get_object (l : nat) : M object := fun s =>
  match nth_error (objects s) l with Some o => Done o s | None => Raised "no object" end.

Fixpoint replace_at {A} (l : nat) (o : A) (h : list A) : list A :=
  match h, l with
  | [], _ => []
  | _ :: rest, 0 => o :: rest
  | x :: rest, S l' => x :: replace_at l' o rest
  end.
Definition set_object (l : nat) (o : object) : M unit := fun s =>
  Done tt (State (locals s) (replace_at l o (objects s))).
Definition new_object (o : object) : M value := fun s =>
  Done (VRef (List.length (objects s))) (State (locals s) (objects s ++ [o])).

(** ** Names and fields *)

Fixpoint find {A} (x : string) (xs : list (string * A)) : option A :=
  match xs with [] => None | (y, a) :: rest => if String.eqb x y then Some a else find x rest end.

(** The binding of x, changed; None if there is none. *)
Fixpoint update {A} (x : string) (a : A) (xs : list (string * A)) : option (list (string * A)) :=
  match xs with
  | [] => None
  | (y, b) :: rest =>
      if String.eqb x y then Some ((y, a) :: rest)
      else match update x a rest with Some rest' => Some ((y, b) :: rest') | None => None end
  end.

Fixpoint first_names {A} (xs : list (string * A)) : list string :=
  match xs with [] => [] | (x, _) :: rest => x :: first_names rest end.

Definition set_field (x : string) (a : value) (fields : list (string * value)) : list (string * value) :=
  match update x a fields with Some fields' => fields' | None => fields ++ [(x, a)] end.

Definition get_name (x : string) : M value := fun s =>
  match find x (locals s) with
  | Some (Some v) => Done v s
  | Some None => Raised "UnboundLocalError"
  | None => Done (VGlobal x) s
  end.
Definition set_name (x : string) (v : value) : M unit := fun s =>
  match update x (Some v) (locals s) with
  | Some names' => Done tt (State names' (objects s))
  | None => Raised "no such local variable"
  end.

(** What [lru_cache] asks of an argument: integers are its only keys here. *)
Definition must_be_integer (x : string) : stmt := Expr (BinOp (Name x) Sub (Name x)).

Fixpoint find_function (f : string) (defs : list stmt) : option (arguments * list stmt) :=
  match defs with
  | [] => None
  | FunctionDef g a body decorators :: rest =>
      if String.eqb f g then Some (a, match decorators with [] => body | _ => map must_be_integer (args a) ++ body end)
      else find_function f rest
  | _ :: rest => find_function f rest
  end.
Fixpoint find_class (c : string) (defs : list stmt) : option (list expr * list stmt * list expr) :=
  match defs with
  | [] => None
  | ClassDef c' bases body decorators :: rest =>
      if String.eqb c c' then Some (bases, body, decorators) else find_class c rest
  | _ :: rest => find_class c rest
  end.

(** The fields that a class declares, with their default values. *)
Fixpoint fields_of (body : list stmt) : list (string * option expr) :=
  match body with
  | [] => []
  | AnnAssign (Name x) _ d :: rest => (x, d) :: fields_of rest
  | _ :: rest => fields_of rest
  end.

Definition method (c m : string) : option (arguments * list stmt) :=
  match find_class c modules with Some (_, body, _) => find_function m body | None => None end.

Definition get_attribute (v : value) (a : string) : M value :=
  match v with
  | VRef l => o <- get_object l ;;
      match o with
      | Instance _ fields => match find a fields with Some x => ret x | None => raise "AttributeError" end
      | _ => raise "AttributeError"
      end
  | VTuple kind items =>
      match find_class kind modules with
      | Some (_, body, _) =>
          match find a (combine (first_names (fields_of body)) items) with
          | Some x => ret x
          | None => raise "AttributeError"
          end
      | None => raise "AttributeError"
      end
  | VGlobal m =>
      if String.eqb m "math" && String.eqb a "inf" then ret (VFloat (infinity F)) else ret (VGlobal (m ++ "." ++ a)%string)
  | _ => raise "AttributeError"
  end.
(** An attribute is new only as one of [self]: Refusals.v sees to it that the class has room for it. *)
Definition set_attribute (owner : expr) (v : value) (a : string) (x : value) : M unit :=
  match v with
  | VRef l => o <- get_object l ;;
      match o with
      | Instance c fields =>
          match owner, find a fields with
          | Name "self", _ | _, Some _ => set_object l (Instance c (set_field a x fields))
          | _, None => raise "AttributeError"
          end
      | _ => raise "AttributeError"
      end
  | _ => raise "AttributeError"
  end.

(** ** Operators *)

Definition equal (a b : float F) : bool := negb (less F a b) && negb (less F b a).

Definition truth (v : value) : M bool :=
  match v with
  | VNone => ret false
  | VBool b => ret b
  | VRef l => o <- get_object l ;;
      match o with ListObject items => ret (negb (List.length items =? 0)%nat) | _ => raise "truth" end
  | _ => raise "truth"
  end.

Definition compare (op : cmpop) (a b : value) : M bool :=
  match op, a, b with
  | Eq, VInt x, VInt y => ret (x =? y)%Z
  | NotEq, VInt x, VInt y => ret (negb (x =? y)%Z)
  | Lt, VInt x, VInt y => ret (x <? y)%Z
  | LtE, VInt x, VInt y => ret (x <=? y)%Z
  | Gt, VInt x, VInt y => ret (y <? x)%Z
  | GtE, VInt x, VInt y => ret (y <=? x)%Z
  | Eq, VFloat x, VFloat y => ret (equal x y)
  | NotEq, VFloat x, VFloat y => ret (negb (equal x y))
  | Lt, VFloat x, VFloat y => ret (less F x y)
  | Gt, VFloat x, VFloat y => ret (less F y x)
  | LtE, VFloat x, VFloat y => ret (negb (less F y x))
  | GtE, VFloat x, VFloat y => ret (negb (less F x y))
  | Is, VNone, VNone => ret true
  | Is, _, VNone => ret false
  | IsNot, VNone, VNone => ret false
  | IsNot, _, VNone => ret true
  | _, _, _ => raise "comparison"
  end.

Fixpoint repeated (n : nat) (items : list value) : list value :=
  match n with 0 => [] | S n' => items ++ repeated n' items end.

Definition plain (kind : string) : bool := String.eqb kind "tuple".

Definition operate (op : operator) (a b : value) : M value :=
  match op, a, b with
  | Add, VInt x, VInt y => ret (VInt (x + y))
  | Sub, VInt x, VInt y => ret (VInt (x - y))
  | Mult, VInt x, VInt y => ret (VInt (x * y))
  | FloorDiv, VInt x, VInt y => if (y =? 0)%Z then raise "ZeroDivisionError" else ret (VInt (x / y))
  | Mod, VInt x, VInt y => if (y =? 0)%Z then raise "ZeroDivisionError" else ret (VInt (x mod y))
  | Pow, VInt x, VInt y => if (y <? 0)%Z then raise "negative power" else ret (VInt (x ^ y))
  | Div, VInt x, VInt y =>
      if (y =? 0)%Z then raise "ZeroDivisionError"
      else if finite F x y then ret (VFloat (quotient F x y)) else raise "OverflowError"
  | Mult, VFloat x, VFloat y => ret (VFloat (product F x y))
  | Add, VTuple kind xs, VTuple kind' ys =>
      if plain kind && plain kind' then ret (VTuple "tuple" (xs ++ ys)) else raise "TypeError"
  | Mult, VTuple kind xs, VInt n =>
      if plain kind then ret (VTuple "tuple" (repeated (Z.to_nat n) xs)) else raise "TypeError"
  | _, _, _ => raise "TypeError"
  end.

(** The elements of a tuple or a list. *)
Definition elements (v : value) : M (list value) :=
  match v with
  | VTuple _ items => ret items
  | VRef l => o <- get_object l ;; match o with ListObject items => ret items | _ => raise "elements" end
  | _ => raise "elements"
  end.

(** [a op= b]: a list is changed itself. *)
Definition operate_in_place (op : operator) (a b : value) : M value :=
  match op, a with
  | Add, VRef l =>
      xs <- elements a ;; ys <- elements b ;; set_object l (ListObject (xs ++ ys)) ;;; ret a
  | _, _ => operate op a b
  end.

(** The place that a bound of a slice, or an index, stands for in a list of length n. *)
Definition bound (i : Z) (n : nat) : nat :=
  Z.to_nat (Z.min (Z.of_nat n) (Z.max 0 (if i <? 0 then i + Z.of_nat n else i)%Z)).
Definition position (i : Z) (n : nat) : option nat :=
  let i' := (if i <? 0 then i + Z.of_nat n else i)%Z in
  if (0 <=? i')%Z && (i' <? Z.of_nat n)%Z then Some (Z.to_nat i') else None.

Fixpoint find_key {A} (k : Z) (items : list (Z * A)) : option A :=
  match items with [] => None | (j, a) :: rest => if (k =? j)%Z then Some a else find_key k rest end.
Fixpoint set_key {A} (k : Z) (a : A) (items : list (Z * A)) : list (Z * A) :=
  match items with
  | [] => [(k, a)]
  | (j, b) :: rest => if (k =? j)%Z then (j, a) :: rest else (j, b) :: set_key k a rest
  end.
Fixpoint delete_key {A} (k : Z) (items : list (Z * A)) : list (Z * A) :=
  match items with
  | [] => []
  | (j, b) :: rest => if (k =? j)%Z then rest else (j, b) :: delete_key k rest
  end.

(** v[i] *)
Definition get_item (v : value) (i : Z) : M value :=
  let at_place items :=
    match position i (List.length items) with
    | Some j => match nth_error items j with Some x => ret x | None => raise "IndexError" end
    | None => raise "IndexError"
    end in
  match v with
  | VTuple _ items => at_place items
  | VRef l => o <- get_object l ;;
      match o with
      | ListObject items => at_place items
      | DictObject items => match find_key i items with Some x => ret x | None => raise "KeyError" end
      | Instance _ _ => raise "TypeError"
      end
  | _ => raise "TypeError"
  end.

(** v[lower:upper] *)
Definition get_slice (v : value) (lower upper : option Z) : M value :=
  let part items :=
    let n := List.length items in
    let i := match lower with Some z => bound z n | None => 0 end in
    let j := match upper with Some z => bound z n | None => n end in
    firstn (j - i) (skipn i items) in
  match v with
  | VTuple kind items => if plain kind then ret (VTuple "tuple" (part items)) else raise "TypeError"
  | VRef _ => items <- elements v ;; new_object (ListObject (part items))
  | _ => raise "TypeError"
  end.

(** v[i] = x *)
Definition set_item (v : value) (i : Z) (x : value) : M unit :=
  match v with
  | VRef l => o <- get_object l ;;
      match o with
      | ListObject items =>
          match position i (List.length items) with
          | Some j => set_object l (ListObject (replace_at j x items))
          | None => raise "IndexError"
          end
      | DictObject items => set_object l (DictObject (set_key i x items))
      | Instance _ _ => raise "TypeError"
      end
  | _ => raise "TypeError"
  end.

Definition delete_item (v : value) (i : Z) : M unit :=
  match v with
  | VRef l => o <- get_object l ;;
      match o with
      | ListObject items =>
          match position i (List.length items) with
          | Some j => set_object l (ListObject (firstn j items ++ skipn (S j) items))
          | None => raise "IndexError"
          end
      | DictObject items =>
          match find_key i items with
          | Some _ => set_object l (DictObject (delete_key i items))
          | None => raise "KeyError"
          end
      | Instance _ _ => raise "TypeError"
      end
  | _ => raise "TypeError"
  end.

(** del v[lower:] *)
Definition delete_slice (v : value) (lower : Z) : M unit :=
  match v with
  | VRef l => items <- elements v ;; set_object l (ListObject (firstn (bound lower (List.length items)) items))
  | _ => raise "TypeError"
  end.

(** ** Built-in functions and methods *)

Definition kwargs := list (string * value).

Definition integers (n : nat) : list value := map (fun i => VInt (Z.of_nat i)) (seq 0 n).

Definition int_of (v : value) : M Z := match v with VInt z => ret z | _ => raise "TypeError" end.

(** Distinct integers, the largest first. *)
Fixpoint put_falling (z : Z) (zs : list Z) : list Z :=
  match zs with
  | [] => [z]
  | a :: rest => if (a <? z)%Z then z :: zs else a :: put_falling z rest
  end.
Definition falling (zs : list Z) : list Z := fold_right put_falling [] zs.

Fixpoint zipped (xs ys : list value) : list value :=
  match xs, ys with
  | x :: xs', y :: ys' => VTuple "tuple" [x; y] :: zipped xs' ys'
  | _, _ => []
  end.

Definition element (v : value) (i : nat) : M value :=
  items <- elements v ;; match nth_error items i with Some x => ret x | None => raise "the list is shorter now" end.

(** [bisect_right]: where x belongs in a list, among the places from lo to hi; behind what is equal to it. *)
Fixpoint bisect (less_than : value -> value -> M bool) (fuel : nat) (l x : value) (lo hi : nat) : M nat :=
  match fuel with
  | 0 => raise "no fuel"
  | S fuel' =>
      if (lo <? hi)%nat then
        let middle := ((lo + hi) / 2)%nat in
        y <- element l middle ;; c <- less_than x y ;;
        if c : bool then bisect less_than fuel' l x lo middle else bisect less_than fuel' l x (S middle) hi
      else ret lo
  end.

(** The least of some floats or integers, the first of those that are equal. *)
Fixpoint least_of (a : value) (items : list value) : M value :=
  match items with
  | [] => ret a
  | b :: rest => c <- compare Lt b a ;; least_of (if c : bool then b else a) rest
  end.

(** [less_than a b] is a < b. *)
Definition builtin (less_than : value -> value -> M bool) (f : string) (vs : list value) (kws : kwargs) : M value :=
  let is := String.eqb f in
  if is "len" then
    match vs, kws with
    | [v], [] => items <- elements v ;; ret (VInt (Z.of_nat (List.length items)))
    | _, _ => raise "len"
    end
  else if is "range" then
    match vs, kws with
    | [VInt n], [] => ret (VTuple "tuple" (integers (Z.to_nat n)))
    | _, _ => raise "range"
    end
  else if is "tuple" then
    match vs, kws with
    | [v], [] => items <- elements v ;; ret (VTuple "tuple" items)
    | _, _ => raise "tuple"
    end
  else if is "divmod" then
    match vs, kws with
    | [VInt a; VInt b], [] =>
        if (b =? 0)%Z then raise "ZeroDivisionError" else ret (VTuple "tuple" [VInt (a / b); VInt (a mod b)])
    | _, _ => raise "divmod"
    end
  else if is "zip" then
    match vs, kws with
    | [v; w], [(word, VBool true)] =>
        xs <- elements v ;; ys <- elements w ;;
        if (word =? "strict")%string && (List.length xs =? List.length ys)%nat
        then ret (VTuple "tuple" (zipped xs ys)) else raise "ValueError"
    | _, _ => raise "zip"
    end
  else if is "min" then
    match vs, kws with
    | [a; b], [] => c <- compare Lt b a ;; ret (if c : bool then b else a)
    | [v], [(word, otherwise)] =>
        items <- elements v ;;
        if (word =? "default")%string then match items with [] => ret otherwise | a :: rest => least_of a rest end
        else raise "min"
    | _, _ => raise "min"
    end
  else if is "field" then
    match vs, kws with
    | [], [(word, VGlobal factory)] =>
        if (word =? "default_factory")%string && (factory =? "list")%string then new_object (ListObject []) else raise "field"
    | _, _ => raise "field"
    end
  else if is "math.sqrt" then
    match vs, kws with
    | [VFloat x], [] => ret (VFloat (square_root F x))
    | _, _ => raise "sqrt"
    end
  else if is "insort" then
    match vs, kws with
    | [VRef l; x], [] =>
        items <- elements (VRef l) ;; i <- bisect less_than (S (List.length items)) (VRef l) x 0 (List.length items) ;;
        now <- elements (VRef l) ;; set_object l (ListObject (firstn i now ++ x :: skipn i now)) ;;; ret VNone
    | _, _ => raise "insort"
    end
  else if is "sorted" then
    match vs, kws with
    | [VRef l], [(word, VBool true)] =>
        o <- get_object l ;;
        match o with
        | DictObject items =>
            if (word =? "reverse")%string then new_object (ListObject (map VInt (falling (map fst items)))) else raise "sorted"
        | _ => raise "sorted"
        end
    | _, _ => raise "sorted"
    end
  else raise "NameError".

Definition builtin_method (l : nat) (o : object) (m : string) (vs : list value) (kws : kwargs) : M value :=
  let is := String.eqb m in
  match o, vs, kws with
  | ListObject items, [x], [] =>
      if is "append" then set_object l (ListObject (items ++ [x])) ;;; ret VNone else raise "AttributeError"
  | DictObject items, [VInt k; x], [] =>
      if is "setdefault" then
        match find_key k items with
        | Some y => ret y
        | None => set_object l (DictObject (set_key k x items)) ;;; ret x
        end
      else raise "AttributeError"
  | _, _, _ => raise "AttributeError"
  end.

(** ** Loops *)

(** How a statement ends. *)
Inductive flow := Next | Broken | Returned (v : value).

(** The elements i, i + 1, ..., n of them, and then no more. *)
Fixpoint loop (v : value) (body : value -> M flow) (i n : nat) : M flow :=
  match n with
  | 0 => items <- elements v ;; if (List.length items =? i)%nat then ret Next else raise "another length"
  | S n' =>
      x <- element v i ;; how <- body x ;;
      match how with
      | Next => loop v body (S i) n'
      | Broken => ret Next
      | Returned r => ret (Returned r)
      end
  end.

(** The elements that a comprehension makes; [body] gives None for one that its conditions reject. *)
Fixpoint gather (v : value) (body : value -> M (option value)) (i n : nat) : M (list value) :=
  match n with
  | 0 => items <- elements v ;; if (List.length items =? i)%nat then ret [] else raise "another length"
  | S n' =>
      x <- element v i ;; y <- body x ;; ys <- gather v body (S i) n' ;;
      ret (match y with Some a => a :: ys | None => ys end)
  end.

Fixpoint repeat_while (fuel : nat) (test : M bool) (body : M flow) : M flow :=
  match fuel with
  | 0 => raise "no fuel"
  | S fuel' =>
      b <- test ;;
      if b : bool then
        how <- body ;;
        match how with Next => repeat_while fuel' test body | Broken => ret Next | Returned r => ret (Returned r) end
      else ret Next
  end.

(** ** Expressions and statements *)

(** Names that a target binds. *)
Fixpoint bound_names (target : expr) : list string :=
  match target with
  | Name x => [x]
  | Tuple es => flat_map bound_names es
  | _ => []
  end.
Definition unbound (xs : list string) : names := map (fun x => (x, None)) xs.

(** Variables of a comprehension are its own. *)
Definition within {A} (xs : list string) (m : M A) : M A := fun s =>
  bind_result (m (State (unbound xs ++ locals s) (objects s)))
              (fun a s' => Done a (State (locals s) (objects s'))).

Definition literal (c : constant) : M value :=
  match c with
  | PNone => ret VNone
  | PTrue => ret (VBool true)
  | PFalse => ret (VBool false)
  | PInt z => ret (VInt z)
  | PString _ | PEllipsis => raise "constant"
  end.

(** What is done with the expressions in an expression, by [eval]. *)
Section Parts.

Variable eval : expr -> M value.

Fixpoint eval_items (es : list expr) : M (list value) :=
  match es with
  | [] => ret []
  | Starred e :: rest => v <- eval e ;; xs <- elements v ;; ys <- eval_items rest ;; ret (xs ++ ys)
  | e :: rest => v <- eval e ;; vs <- eval_items rest ;; ret (v :: vs)
  end.

Fixpoint eval_keywords (es : list (string * expr)) : M kwargs :=
  match es with
  | [] => ret []
  | (x, e) :: rest => v <- eval e ;; vs <- eval_keywords rest ;; ret ((x, v) :: vs)
  end.

Definition eval_integer (e : expr) : M Z := v <- eval e ;; int_of v.
Definition eval_optional (e : option expr) : M (option Z) :=
  match e with None => ret None | Some e' => z <- eval_integer e' ;; ret (Some z) end.
Definition eval_truth (e : expr) : M bool := v <- eval e ;; truth v.

(** Targets and values, one for one. *)
Section Targets.
Variable assign : expr -> value -> M unit.
Fixpoint assign_all (es : list expr) (vs : list value) : M unit :=
  match es, vs with
  | [], [] => ret tt
  | e :: es', x :: vs' => assign e x ;;; assign_all es' vs'
  | _, _ => raise "ValueError"
  end.
End Targets.

Fixpoint assign (target : expr) (v : value) : M unit :=
  match target with
  | Name x => set_name x v
  | Attribute e a => o <- eval e ;; set_attribute e o a v
  | Subscript e index => o <- eval e ;; z <- eval_integer index ;; set_item o z v
  | Tuple es =>
      vs <- elements v ;; assign_all assign es vs
  | _ => raise "target"
  end.

(** One element of a comprehension with at most one condition. *)
Definition eval_element (elt target : expr) (conditions : list expr) (x : value) : M (option value) :=
  assign target x ;;;
  match conditions with
  | [] => y <- eval elt ;; ret (Some y)
  | [test] => b <- eval_truth test ;; if b : bool then y <- eval elt ;; ret (Some y) else ret None
  | _ => raise "two conditions"
  end.

Definition eval_comprehension (elt : expr) (g : list (expr * expr * list expr)) : M (list value) :=
  match g with
  | [(target, iter, conditions)] =>
      v <- eval iter ;; xs <- elements v ;;
      within (bound_names target) (gather v (eval_element elt target conditions) 0 (List.length xs))
  | _ => raise "two generators"
  end.

Definition eval_index (e : expr) (v : value) : M value :=
  match e with
  | Slice lower upper => i <- eval_optional lower ;; j <- eval_optional upper ;; get_slice v i j
  | _ => z <- eval_integer e ;; get_item v z
  end.

End Parts.

Section Calls.

(** The call of a function or a class, by its name, and of a method. *)
Variable call : string -> list value -> kwargs -> M value.
Variable call_method : value -> string -> list value -> kwargs -> M value.

(** The meaning of an expression by that of its parts. *)
Definition eval_by (eval : expr -> M value) (e : expr) : M value :=
  match e with
  | Constant c => literal c
  | Name x => get_name x
  | Attribute e' a => v <- eval e' ;; get_attribute v a
  | Subscript e' index => v <- eval e' ;; eval_index eval index v
  | BinOp a op b => v <- eval a ;; w <- eval b ;; operate op v w
  | UnaryOp Not a => b <- eval_truth eval a ;; ret (VBool (negb b))
  | UnaryOp USub a => z <- eval_integer eval a ;; ret (VInt (- z))
  | BoolOp And [a; b] => v <- eval a ;; c <- truth v ;; if c : bool then eval b else ret v
  | BoolOp Or [a; b] => v <- eval a ;; c <- truth v ;; if c : bool then ret v else eval b
  | Compare a [op] [b] => v <- eval a ;; w <- eval b ;; c <- compare op v w ;; ret (VBool c)
  | IfExp test a b => c <- eval_truth eval test ;; if c : bool then eval a else eval b
  | Tuple es => vs <- eval_items eval es ;; ret (VTuple "tuple" vs)
  | List es => vs <- eval_items eval es ;; new_object (ListObject vs)
  | Dict [] [] => new_object (DictObject [])
  | Call f es ks =>
      match f with
      | Attribute e' m =>
          v <- eval e' ;; vs <- eval_items eval es ;; ws <- eval_keywords eval ks ;; call_method v m vs ws
      | Name g =>
          v <- get_name g ;; vs <- eval_items eval es ;; ws <- eval_keywords eval ks ;;
          match v with VGlobal g' => call g' vs ws | _ => raise "TypeError" end
      | _ => raise "call"
      end
  | ListComp elt g => vs <- eval_comprehension eval elt g ;; new_object (ListObject vs)
  | GeneratorExp elt g => vs <- eval_comprehension eval elt g ;; ret (VTuple "tuple" vs)
  | Yield e' => v <- eval e' ;; (fun s => Yielded v (objects s) (fun x h => Done x (State (locals s) h)))
  | _ => raise "expression"
  end.

Fixpoint eval (e : expr) : M value := eval_by eval e.

(** A loop takes at most [fuel] turns, if it is a [while]. *)
Variable fuel : nat.

Definition delete (target : expr) : M unit :=
  match target with
  | Subscript e (Slice (Some lower) None) => v <- eval e ;; z <- eval_integer eval lower ;; delete_slice v z
  | Subscript e index => v <- eval e ;; z <- eval_integer eval index ;; delete_item v z
  | _ => raise "target"
  end.

Definition augment (target : expr) (op : operator) (e : expr) : M unit :=
  match target with
  | Name x => a <- get_name x ;; b <- eval e ;; c <- operate_in_place op a b ;; set_name x c
  | Attribute e' x =>
      o <- eval e' ;; a <- get_attribute o x ;; b <- eval e ;; c <- operate_in_place op a b ;; set_attribute e' o x c
  | _ => raise "target"
  end.

Section Blocks.
Variable exec : stmt -> M flow.
Fixpoint exec_all (ss : list stmt) : M flow :=
  match ss with
  | [] => ret Next
  | s :: rest =>
      how <- exec s ;;
      match how with Next => exec_all rest | Broken => ret Broken | Returned v => ret (Returned v) end
  end.
End Blocks.

Definition exec_by (exec : stmt -> M flow) (s : stmt) : M flow :=
  match s with
  | Return e => v <- eval e ;; ret (Returned v)
  | Delete [target] => delete target ;;; ret Next
  | Assign [target] e => v <- eval e ;; assign eval target v ;;; ret Next
  | AugAssign target op e => augment target op e ;;; ret Next
  | AnnAssign target _ (Some e) => v <- eval e ;; assign eval target v ;;; ret Next
  | For target iter body =>
      v <- eval iter ;; xs <- elements v ;;
      loop v (fun x => assign eval target x ;;; exec_all exec body) 0 (List.length xs)
  | While test body => repeat_while fuel (eval_truth eval test) (exec_all exec body)
  | If test body orelse => b <- eval_truth eval test ;; if b : bool then exec_all exec body else exec_all exec orelse
  | Expr e => eval e ;;; ret Next
  | Break => ret Broken
  | _ => raise "statement"
  end.

Fixpoint exec (s : stmt) : M flow := exec_by exec s.

(** ** Calls *)

(** The names that a block binds. *)
Fixpoint assigned (s : stmt) : list string :=
  match s with
  | Assign targets _ => flat_map bound_names targets
  | AugAssign target _ _ | AnnAssign target _ _ => bound_names target
  | For target _ body => bound_names target ++ flat_map assigned body
  | While _ body => flat_map assigned body
  | If _ body orelse => flat_map assigned body ++ flat_map assigned orelse
  | _ => []
  end.

(** Parameters and what they are bound to: first by position, then by keyword or default. *)
Fixpoint joined {A} (xs ys : list A) : list A := match xs with [] => ys | x :: rest => x :: joined rest ys end.

Fixpoint by_keyword (ps : list (string * option expr)) (kws : kwargs) : M names :=
  match ps with
  | [] => ret []
  | (x, d) :: rest =>
      v <- match find x kws, d with
           | Some v, _ => ret v
           | None, Some e => eval e
           | None, None => raise "TypeError: missing argument"
           end ;;
      more <- by_keyword rest kws ;; ret ((x, Some v) :: more)
  end.
Fixpoint by_position (ps only : list (string * option expr)) (vs : list value) (kws : kwargs) : M names :=
  match ps, vs with
  | (x, _) :: rest, v :: vs' => more <- by_position rest only vs' kws ;; ret ((x, Some v) :: more)
  | [], _ :: _ => raise "TypeError: too many arguments"
  | _, [] =>
      if forallb (fun kw => existsb (String.eqb (fst kw)) (first_names (joined ps only))) kws
      then by_keyword (joined ps only) kws else raise "TypeError: unexpected keyword"
  end.

Definition parameters (a : arguments) : list (string * option expr) :=
  combine (args a) (repeat None (List.length (args a) - List.length (defaults a)) ++ map Some (defaults a)).
Definition only_keywords (a : arguments) : list (string * option expr) := combine (kwonlyargs a) (kw_defaults a).

Fixpoint not_among (xs : list string) (ys : list string) : list string :=
  match xs with
  | [] => []
  | x :: rest => if existsb (String.eqb x) (ys ++ rest) then not_among rest ys else x :: not_among rest ys
  end.

(** The caller's variables are not seen, and come back. *)
Definition isolated {A} (m : M A) : M A := fun s =>
  bind_result (m (State [] (objects s))) (fun v s' => Done v (State (locals s) (objects s'))).

(** Run the body of a function to its end; the value is None without a [return]. *)
Definition enter (ps : names) (body : list stmt) : M unit := fun s =>
  Done tt (State (joined ps (unbound (not_among (flat_map assigned body) (first_names ps)))) (objects s)).
Definition answer (how : flow) : M value :=
  match how with Next => ret VNone | Returned v => ret v | Broken => raise "break" end.
Definition run_function (a : arguments) (body : list stmt) (vs : list value) (kws : kwargs) : M value :=
  isolated
    (ps <- by_position (parameters a) (only_keywords a) vs kws ;; enter ps body ;;; how <- exec_all exec body ;; answer how).

Fixpoint values_of (xs : names) : list (string * value) :=
  match xs with
  | [] => []
  | (x, Some v) :: rest => (x, v) :: values_of rest
  | (_, None) :: rest => values_of rest
  end.

(** A class with [__init__] makes an object by it, a named tuple a tuple, and a dataclass an object of its fields. *)
Definition make_instance (c : string) (vs : list value) (kws : kwargs) : M value :=
  match find_class c modules with
  | None => raise "NameError"
  | Some (bases, body, decorators) =>
      match find_function "__init__" body, bases, decorators with
      | Some (a, init), [], [] =>
          self <- new_object (Instance c []) ;; run_function a init (self :: vs) kws ;;; ret self
      | None, [Name base], [] =>
          if negb (String.eqb base "NamedTuple") then raise "class" else
          xs <- isolated (by_position (fields_of body) [] vs kws) ;;
          ret (VTuple c (map snd (values_of xs)))
      | None, [], [Call (Name decorator) _ _] =>
          if negb (String.eqb decorator "dataclass") then raise "class" else
          xs <- isolated (by_position (fields_of body) [] vs kws) ;;
          new_object (Instance c (values_of xs))
      | _, _, _ => raise "class"
      end
  end.

End Calls.

(** A function of the text that yields is no function that the text can call. *)
Definition sealed {A} (r : result A) : result A :=
  match r with Yielded _ _ _ => Raised "a generator was called" | _ => r end.

(** The call of a function, of a class, or of a method of [self]; calls are nested at most [depth] deep. *)
Fixpoint call (depth : nat) (self : option value) (f : string) (vs : list value) (kws : kwargs) : M value :=
  match depth with
  | 0 => raise "no fuel"
  | S n =>
      let function := call n None in
      let method_of := fun v => call n (Some v) in
      let less_than a b :=
        match a with
        | VRef _ => v <- call n (Some a) "__lt__" [b] [] ;; match v with VBool c => ret c | _ => raise "TypeError" end
        | _ => compare Lt a b
        end in
      match self with
      | None =>
          match find_function f modules, find_class f modules with
          | Some (a, body), _ => fun s => sealed (run_function function method_of n a body vs kws s)
          | None, Some _ => fun s => sealed (make_instance function method_of n f vs kws s)
          | None, None => builtin less_than f vs kws
          end
      | Some (VGlobal module) => builtin less_than (module ++ "." ++ f)%string vs kws
      | Some (VRef l) =>
          o <- get_object l ;;
          match o with
          | Instance c _ =>
              match method c f with
              | Some (a, body) => fun s => sealed (run_function function method_of n a body (VRef l :: vs) kws s)
              | None => raise "AttributeError"
              end
          | _ => builtin_method l o f vs kws
          end
      | Some _ => raise "AttributeError"
      end
  end.

(** A generator of the text, begun: it yields, or it is done. *)
Definition generate (depth : nat) (f : string) (vs : list value) (h : store) : result value :=
  match find_function f modules with
  | Some (a, body) => run_function (call depth None) (fun v => call depth (Some v)) depth a body vs [] (State [] h)
  | None => Raised "NameError"
  end.

End Python.
