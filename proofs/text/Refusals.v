(** * What the interpreter refuses before it runs a text.

    The interpreter of Python.v sees the bodies of functions and methods, and finds them by their names.  All else that a
    file of Python says is judged here, by a function that can be run: [refusals] lists what is not known to mean
    what the interpreter takes it for, and [interpret] runs a text only if nothing is refused.

    - Of a module: other statements than imports, definitions, and names for types; imports of what the interpreter does not
      know; a name that is defined twice, or that is one of Python's own.
    - Of a class: decorators but [dataclass] with [slots] and without the comparison by fields ([eq=False]); bases but
      [NamedTuple]; special methods but [__init__] and [__lt__]; annotations that are not types, such as [ClassVar]; default
      values but constants and new empty lists; assignments to attributes of [self] that [__slots__] leaves out.
    - Of a function: decorators but [lru_cache], and that one where a result is kept that could change; default
      values but constants; a call of a generator; a name that is neither a variable nor something to call.
    - Of an iterator ([range], [zip], a generator expression): any use but one reading from its
      beginning to its end, while nothing can change the lists that it reads. *)

From Coq Require Import List ZArith String Bool.
From EmbeddedHunter Require Import PythonSyntax Python.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.

(** A module has the name by which others import it. *)
Definition module : Type := string * list stmt.

Definition among (x : string) (xs : list string) : bool := existsb (String.eqb x) xs.
Fixpoint distinct (xs : list string) : bool :=
  match xs with [] => true | x :: rest => negb (among x rest) && distinct rest end.
Definition unless (b : bool) (why : string) : list string := if b then [] else [why].

(** ** The parts of a text *)

Definition of_option {A B} (f : A -> list B) (a : option A) : list B := match a with Some x => f x | None => [] end.

(** An expression and all expressions in it. *)
Fixpoint parts (e : expr) : list expr :=
  let of_generators (gs : list (expr * expr * list expr)) :=
    flat_map (fun '(target, iter, conditions) => parts target ++ parts iter ++ flat_map parts conditions) gs in
  e ::
  match e with
  | Constant _ | Name _ => []
  | Attribute a _ | UnaryOp _ a | Starred a | Yield a | YieldFrom a => parts a
  | Subscript a b | BinOp a _ b => parts a ++ parts b
  | Slice a b => of_option parts a ++ of_option parts b
  | BoolOp _ es | Tuple es | List es => flat_map parts es
  | Compare a _ es => parts a ++ flat_map parts es
  | IfExp a b c => parts a ++ parts b ++ parts c
  | Dict ks vs => flat_map parts ks ++ flat_map parts vs
  | Call f es ks => parts f ++ flat_map parts es ++ flat_map (fun '(_, a) => parts a) ks
  | ListComp a gs | GeneratorExp a gs => parts a ++ of_generators gs
  end.

(** All expressions in a statement of a function. *)
Fixpoint parts_of (s : stmt) : list expr :=
  match s with
  | Return a | Expr a => parts a
  | Delete es => flat_map parts es
  | Assign es a => flat_map parts es ++ parts a
  | AugAssign t _ a => parts t ++ parts a
  | AnnAssign t _ a => parts t ++ of_option parts a
  | For t a body => parts t ++ parts a ++ flat_map parts_of body
  | While a body => parts a ++ flat_map parts_of body
  | If a body orelse => parts a ++ flat_map parts_of body ++ flat_map parts_of orelse
  | _ => []
  end.

Definition is_yield (e : expr) : bool := match e with Yield _ | YieldFrom _ => true | _ => false end.
Definition yields (body : list stmt) : bool := existsb is_yield (flat_map parts_of body).
Definition is_special (x : string) : bool := String.prefix "__" x.

(** ** What can change nothing *)

(** No part of a quiet statement can change a list or a dictionary. *)
Definition quiet_part (e : expr) : bool :=
  match e with
  | Call (Name f) _ _ => among f ["len"; "min"; "divmod"; "tuple"; "range"]
  | Call _ _ _ | Yield _ | YieldFrom _ => false
  | _ => true
  end.
Definition quiet (e : expr) : bool := forallb quiet_part (parts e).
Fixpoint quiet_target (e : expr) : bool :=
  match e with Name _ => true | Attribute a _ => quiet a | Tuple es => forallb quiet_target es | _ => false end.
Fixpoint quiet_statement (s : stmt) : bool :=
  match s with
  | Return a | Expr a => quiet a
  | Assign [t] a | AnnAssign t _ (Some a) => quiet_target t && quiet a
  | AugAssign t _ (Constant (PInt _)) => quiet_target t
  | If a body orelse => quiet a && forallb quiet_statement body && forallb quiet_statement orelse
  | Break => true
  | _ => false
  end.

(** Iterators that are read as they go; those of [zip] read other things. *)
Definition iterators : list string := ["range"; "zip"].
(** What an iterator reads has no other name, or it is a tuple. *)
Fixpoint fresh (e : expr) : bool :=
  match e with
  | Subscript _ (Slice _ _) | Tuple _ | List _ | ListComp _ _ => true
  | Call (Name f) es _ => among f ["tuple"; "range"] || among f iterators && forallb fresh es
  | _ => false
  end.
(** A loop over this reads what was there at its beginning, or Python.v reads it element by element as CPython does. *)
Definition steady (e : expr) : bool :=
  match e with
  | Call (Name f) es _ => negb (among f iterators) || forallb fresh es || String.eqb f "range"
  | _ => true
  end.

(** A result that [lru_cache] keeps for integers: made of integers, by functions of this kind. *)
Section Kept.
Variable text : list stmt.
Fixpoint kept (depth : nat) (f : string) : bool :=
  match depth, find_function f text with
  | S n, Some (_, body) =>
      let part e :=
        match e with
        | Constant _ | Name _ | BinOp _ _ _ | UnaryOp _ _ | BoolOp _ _ | Compare _ _ _ | IfExp _ _ _ | Tuple _ | Starred _
        | Subscript _ _ | Slice _ _ | GeneratorExp _ _ => true
        | Call (Name g) _ [] => among g ["len"; "min"; "divmod"; "tuple"; "range"] || kept n g
        | _ => false
        end in
      let statement s := match s with Assign [t] _ => quiet_target t | Return _ | Expr _ => true | _ => false end in
      forallb statement body && forallb part (flat_map parts_of body)
  | _, _ => false
  end.
End Kept.

(** ** What a name stands for *)

(** Something to call in an expression; a type, for annotations; what makes classes; the module math. *)
Inductive kind := Callable | Type_ | Maker | Mathematics.
Definition same_kind (a b : kind) : bool :=
  match a, b with Callable, Callable | Type_, Type_ | Maker, Maker | Mathematics, Mathematics => true | _, _ => false end.
Definition meanings := list (string * kind).
Definition means (k : kind) (known : meanings) (x : string) : bool :=
  existsb (fun '(y, j) => String.eqb x y && same_kind k j) known.
Definition all_of (k : kind) (xs : list string) : meanings := map (fun x => (x, k)) xs.

(** Python's own names, and what can be imported. *)
Definition own : meanings :=
  all_of Callable ["len"; "range"; "tuple"; "divmod"; "zip"; "min"; "sorted"] ++
  all_of Type_ ["int"; "float"; "bool"; "str"; "tuple"; "list"; "dict"].
Definition library : list (string * meanings) :=
  [("dataclasses", all_of Maker ["dataclass"; "field"]);
   ("functools", all_of Maker ["lru_cache"]);
   ("typing", all_of Maker ["NamedTuple"] ++ all_of Type_ ["Any"]);
   ("bisect", all_of Callable ["insort"]);
   ("collections.abc", all_of Type_ ["Generator"; "Iterator"; "Sequence"]);
   ("embedded_hunter.settings", all_of Type_ ["Settings"; "Space"])].

(** The names that a statement of a module defines. *)
Definition defined_by (s : stmt) : meanings :=
  match s with
  | FunctionDef f _ _ _ => [(f, Callable)]
  | ClassDef c _ _ _ => [(c, Callable); (c, Type_)]
  | Assign [Name x] _ => [(x, Type_)]
  | _ => []
  end.
(** The names that a statement of a module gives a meaning to; [others] are the modules before it. *)
Definition imported (others : list module) (m : string) (x : string) : meanings :=
  let there := match find m library with
               | Some known => known
               | None => of_option (flat_map defined_by) (find m (map (fun '(n, body) => ("embedded_hunter." ++ n, body)%string) others))
               end in
  filter (fun '(y, _) => String.eqb x y) there.
Definition named_by (others : list module) (s : stmt) : meanings :=
  match s with
  | Import xs => if forallb (String.eqb "math") xs then all_of Mathematics xs else []
  | ImportFrom m xs => flat_map (imported others m) xs
  | _ => defined_by s
  end.

(** ** Names in functions *)

(** How a value is used: in any way, or read once from beginning to end, or that at once. *)
Inductive use := Any | Read | At_once.

Section Bodies.

Variable known : meanings.
(** The functions and methods that yield, and all methods. *)
Variables generators methods : list string.

Definition attribute (a : string) : bool := negb (is_special a).

(** Every name in an expression is a variable, one of [bound], or something to call. *)
Fixpoint named (bound : list string) (how : use) (e : expr) : bool :=
  let plainly := named bound Any in
  let comprehended elt (gs : list (expr * expr * list expr)) :=
    match gs with
    | [(target, iter, conditions)] =>
        let bound' := bound_names target ++ bound in
        named bound Read iter && named bound' Any target && forallb (named bound' Any) conditions && named bound' Any elt &&
        (steady iter || quiet elt && forallb quiet conditions && quiet_target target)
    | _ => false
    end in
  match e with
  | Constant _ => true
  | Name x => among x bound
  | Attribute a x =>
      attribute x && match a with
                     | Name m => among m bound || means Mathematics known m && String.eqb x "inf"
                     | _ => plainly a
                     end
  | Subscript a b => plainly a && plainly b
  | Slice a b => match a with Some a' => plainly a' | None => true end && match b with Some b' => plainly b' | None => true end
  | BinOp a _ b => plainly a && plainly b
  | UnaryOp _ a | Starred a | Yield a => plainly a
  | YieldFrom _ => true                    (* the interpreter stops there *)
  | BoolOp _ es | Tuple es | List es => forallb plainly es
  | Compare a _ es => plainly a && forallb plainly es
  | IfExp a b c => plainly a && plainly b && plainly c
  | Dict ks vs => forallb plainly ks && forallb plainly vs
  | ListComp a gs => comprehended a gs
  | GeneratorExp a gs => match how with At_once => comprehended a gs | _ => false end
  | Call f es ks =>
      distinct (map fst ks) && forallb (fun '(_, a) => plainly a) ks &&
      match f with
      | Name g =>
          negb (among g bound) && means Callable known g && negb (among g generators) &&
          (if among g iterators then match how with Any => false | _ => forallb (named bound Read) es end
           else if String.eqb g "tuple" then forallb (named bound At_once) es else forallb plainly es)
      | Attribute a m =>
          attribute m && negb (among m generators) && forallb plainly es &&
          match a with
          | Name x => among x bound || means Mathematics known x && String.eqb m "sqrt"
          | _ => plainly a
          end
      | _ => false
      end
  end.

Fixpoint target_is_known (bound : list string) (e : expr) : bool :=
  match e with
  | Name x => among x bound && negb (String.eqb x "self")
  | Attribute a x => named bound Any a && attribute x && negb (among x methods)
  | Subscript a b => named bound Any a && named bound Any b
  | Tuple es => forallb (target_is_known bound) es
  | _ => false
  end.

Fixpoint statement_is_known (bound : list string) (s : stmt) : bool :=
  match s with
  | Return a | Expr a => named bound Any a
  | Delete es => forallb (fun e => match e with Subscript a b => named bound Any a && named bound Any b | _ => false end) es
  | Assign es a => forallb (target_is_known bound) es && named bound Any a
  | AugAssign t _ a => target_is_known bound t && named bound Any a
  | AnnAssign t _ a => target_is_known bound t && match a with Some e => named bound Any e | None => true end
  | For t a body =>
      target_is_known bound t && named bound Read a && forallb (statement_is_known bound) body &&
      (steady a || quiet_target t && forallb quiet_statement body)
  | While a body => named bound Any a && forallb (statement_is_known bound) body
  | If a body orelse => named bound Any a && forallb (statement_is_known bound) body && forallb (statement_is_known bound) orelse
  | Break => true
  | FunctionDef _ _ _ _ | ClassDef _ _ _ _ | Import _ | ImportFrom _ _ => false
  end.

Definition default_is_constant (e : expr) : bool :=
  match e with
  | Constant _ | UnaryOp USub (Constant (PInt _)) => true
  | Attribute (Name m) "inf" => means Mathematics known m
  | _ => false
  end.
Definition default_is_known (e : expr) : bool :=
  match e with
  | Call (Name f) [] [("default_factory", Name "list")] => String.eqb f "field" && means Maker known f
  | _ => default_is_constant e
  end.

(** A function, or with [self] a method. *)
Definition function_is_known (self : bool) (a : arguments) (body : list stmt) : bool :=
  let names := args a ++ kwonlyargs a in
  let bound := names ++ flat_map assigned body in
  distinct names && (if self then match args a with "self" :: _ => true | _ => false end else negb (among "self" bound)) &&
  forallb (fun d => match d with Some e => default_is_constant e | None => true end) (kw_defaults a) &&
  forallb default_is_constant (defaults a) && forallb (statement_is_known bound) body.

(** Types are made of names of types, subscripts and [|]. *)
Fixpoint is_type (e : expr) : bool :=
  match e with
  | Name x => means Type_ known x
  | Constant PNone | Constant PEllipsis => true
  | Subscript a b => is_type a && is_type b
  | Tuple es => forallb is_type es
  | BinOp a BitOr b => is_type a && is_type b
  | _ => false
  end.

End Bodies.

(** ** Classes *)

Definition methods_of (body : list stmt) : list string := flat_map (fun s => match s with FunctionDef f _ _ _ => [f] | _ => [] end) body.

(** Fields of a dataclass or a named tuple: those without a default come first. *)
Fixpoint fields_are_known (known : meanings) (defaulted : bool) (body : list stmt) : bool :=
  match body with
  | [] => true
  | AnnAssign (Name x) t d :: rest =>
      negb (is_special x) && is_type known t &&
      match d with
      | None => negb defaulted && fields_are_known known false rest
      | Some e => default_is_known known e && fields_are_known known true rest
      end
  | FunctionDef _ _ _ _ :: rest => fields_are_known known defaulted rest
  | _ => false
  end.

Definition is_option_of_dataclass (option : string * expr) : bool :=
  match option with
  | ("slots", Constant PTrue) | ("slots", Constant PFalse) | ("eq", Constant PFalse) => true
  | _ => false
  end.

(** The attributes that an object can have, if its class says so. *)
Definition slots (body : list stmt) (decorators : list expr) : option (list string) :=
  match body, decorators with
  | _, _ :: _ => Some (map fst (fields_of body))
  | Assign [Name "__slots__"] (Tuple es) :: _, [] =>
      Some (flat_map (fun e => match e with Constant (PString x) => [x] | _ => [] end) es)
  | _, [] => None
  end.

Definition assigned_to_self (e : expr) : list string :=
  match e with Attribute (Name "self") a => [a] | _ => [] end.
Fixpoint targets (s : stmt) : list expr :=
  match s with
  | Assign es _ => flat_map parts es
  | AugAssign t _ _ | AnnAssign t _ _ => parts t
  | For t _ body => parts t ++ flat_map targets body
  | While _ body => flat_map targets body
  | If _ body orelse => flat_map targets body ++ flat_map targets orelse
  | _ => []
  end.

(** The head of a class, and which names it gives to its objects. *)
Definition class_is_known (known : meanings) (bases : list expr) (body : list stmt) (decorators : list expr) : bool :=
  let names := methods_of body ++ map fst (fields_of body) in
  distinct names && forallb (fun m => negb (is_special m) || among m ["__init__"; "__lt__"]) (methods_of body) &&
  match bases, decorators with
  | [Name b], [] =>
      String.eqb b "NamedTuple" && means Maker known b && fields_are_known known false body &&
      match methods_of body with [] => true | _ => false end &&
      forallb (fun x => negb (String.prefix "_" x)) (map fst (fields_of body))
  | [], [Call (Name f) [] options] =>
      String.eqb f "dataclass" && means Maker known f && distinct (map fst options) && forallb is_option_of_dataclass options &&
      fields_are_known known false body && negb (among "__init__" (methods_of body))
  | [], [] =>
      among "__init__" (methods_of body) &&
      let rest := match body with Assign [Name "__slots__"] (Tuple _) :: rest => rest | _ => body end in
      forallb (fun s => match s with FunctionDef _ _ _ _ => true | _ => false end) rest
  | _, _ => false
  end &&
  match slots body decorators with
  | None => true
  | Some known =>
      forallb (fun s => match s with
                        | FunctionDef _ _ inner _ =>
                            forallb (fun x => among x known) (flat_map assigned_to_self (flat_map targets inner))
                        | _ => true
                        end) body
  end.

Definition method_is_known (known : meanings) (generators methods : list string) (s : stmt) : bool :=
  match s with
  | FunctionDef m a body [] =>
      function_is_known known generators methods true a body &&
      (negb (is_special m) || negb (yields body)) &&
      (negb (String.eqb m "__init__") || forallb (fun s' => match s' with Return _ => false | _ => true end) body)
  | FunctionDef _ _ _ (_ :: _) => false
  | _ => true
  end.

(** ** Modules *)

Section Modules.

Variable text : list module.

Definition all : list stmt := flat_map snd text.
Definition generators : list string :=
  let of_statement s := match s with FunctionDef f _ body _ => if yields body then [f] else [] | _ => [] end in
  flat_map (fun s => match s with ClassDef _ _ body _ => flat_map of_statement body | _ => of_statement s end) all.
Definition methods : list string := flat_map (fun s => match s with ClassDef _ _ body _ => methods_of body | _ => [] end) all.
Definition attributes : list string :=
  flat_map (fun s => match s with
                     | ClassDef _ _ body _ =>
                         map fst (fields_of body) ++
                         flat_map (fun s' => match s' with FunctionDef _ _ inner _ =>
                                               flat_map assigned_to_self (flat_map targets inner) | _ => [] end) body
                     | _ => []
                     end) all.

(** What a statement of a module says outside of bodies, when [known] has a meaning. *)
Definition head_is_known (others : list module) (known : meanings) (s : stmt) : list string :=
  match s with
  | Import xs => unless (forallb (String.eqb "math") xs) "import"
  | ImportFrom m xs =>
      unless (forallb (fun x => negb (Nat.eqb (List.length (imported others m x)) 0)) xs) ("import from " ++ m)%string
  | FunctionDef f _ _ [] => []
  | FunctionDef f _ _ [Call (Name g) [] [("maxsize", Constant (PInt _))]] =>
      unless (String.eqb g "lru_cache" && means Maker known g && kept all 8 f) ("lru_cache of " ++ f)%string
  | FunctionDef f _ _ _ => ["decorator of " ++ f]%string
  | ClassDef c bases body decorators => unless (class_is_known known bases body decorators) ("class " ++ c)%string
  | Assign [Name x] e => unless (is_type known e) ("assignment to " ++ x)%string
  | _ => ["statement of a module"]
  end.
Definition body_is_known (known : meanings) (s : stmt) : list string :=
  match s with
  | FunctionDef f a body _ => unless (function_is_known known generators methods false a body) ("body of " ++ f)%string
  | ClassDef c _ body _ => unless (forallb (method_is_known known generators methods) body) ("methods of " ++ c)%string
  | _ => []
  end.

Fixpoint heads (others : list module) (known : meanings) (body : list stmt) : list string * meanings :=
  match body with
  | [] => ([], known)
  | s :: rest =>
      let (why, known') := heads others (named_by others s ++ known) rest in (head_is_known others known s ++ why, known')
  end.
Fixpoint modules_are_known (others rest : list module) : list string :=
  match rest with
  | [] => []
  | (m, body) :: rest' =>
      let (why, known) := heads others own body in
      why ++ flat_map (body_is_known known) body ++ modules_are_known ((m, body) :: others) rest'
  end.

(** A name is defined once, and is none of Python's. *)
Definition names_are_distinct : bool :=
  let names := flat_map (fun s => match defined_by s with (x, _) :: _ => [x] | [] => [] end) all in
  let taken := map fst (own ++ flat_map snd library) ++ ["math"; "self"; "field"] in
  distinct names && forallb (fun x => negb (among x taken) && negb (is_special x)) names.

Definition refusals : list string :=
  unless names_are_distinct "two definitions of a name" ++
  unless (forallb (fun x => negb (among x methods)) attributes) "an attribute named as a method" ++
  modules_are_known [] text.

End Modules.

(** A generator of a text, begun, if nothing in the text is refused. *)
Definition interpret {F} (text : list module) (depth : nat) (f : string) (vs : list (value F)) (h : store F) :
  result F (value F) :=
  match refusals text with
  | [] => generate (all text) depth f vs h
  | why :: _ => Raised why
  end.
