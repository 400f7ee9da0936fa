(** * The syntax of the Python text.

    The constructors have the names and the arguments of Python's abstract grammar (the classes of its module `ast`),
    without what has no meaning: annotations of parameters and results, docstrings, positions, and whether a name is
    read or written.  A keyword is a pair of a name and an expression; a comprehension is a triple of its target, what it goes
    through, and its conditions.  [print_python.py] writes Python files as terms of [list stmt]. *)

From Coq Require Import List ZArith String.

Inductive constant := PNone | PTrue | PFalse | PEllipsis | PInt (value : Z) | PString (value : string).
Inductive operator := Add | Sub | Mult | Div | FloorDiv | Mod | Pow | BitOr.
Inductive unaryop := Not | USub.
Inductive boolop := And | Or.
Inductive cmpop := Eq | NotEq | Lt | LtE | Gt | GtE | Is | IsNot.

Inductive expr :=
| Constant (value : constant)
| Name (id : string)
| Attribute (value : expr) (attr : string)
| Subscript (value slice : expr)
| Slice (lower upper : option expr)
| BinOp (left : expr) (op : operator) (right : expr)
| UnaryOp (op : unaryop) (operand : expr)
| BoolOp (op : boolop) (values : list expr)
| Compare (left : expr) (ops : list cmpop) (comparators : list expr)
| IfExp (test body orelse : expr)
| Tuple (elts : list expr)
| List (elts : list expr)
| Dict (keys values : list expr)
| Starred (value : expr)
| Call (func : expr) (args : list expr) (keywords : list (string * expr))
| ListComp (elt : expr) (generators : list (expr * expr * list expr))
| GeneratorExp (elt : expr) (generators : list (expr * expr * list expr))
| Yield (value : expr)
| YieldFrom (value : expr).

Record arguments := Arguments {
  args : list string;
  kwonlyargs : list string;
  kw_defaults : list (option expr);
  defaults : list expr                (* of the last of [args] *)
}.

Inductive stmt :=
| FunctionDef (name : string) (args : arguments) (body : list stmt) (decorator_list : list expr)
| ClassDef (name : string) (bases : list expr) (body : list stmt) (decorator_list : list expr)
| Return (value : expr)
| Delete (targets : list expr)
| Assign (targets : list expr) (value : expr)
| AugAssign (target : expr) (op : operator) (value : expr)
| AnnAssign (target annotation : expr) (value : option expr)
| For (target iter : expr) (body : list stmt)
| While (test : expr) (body : list stmt)
| If (test : expr) (body orelse : list stmt)
| Import (names : list string)
| ImportFrom (module : string) (names : list string)
| Expr (value : expr)
| Break.
