(** * An instance of the theorem on the Python text

    As in Canaries.v.  Floats are integers with +infinity. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import PythonSyntax Python SearchText Refusals GeneratorRules TextOfNode TextOfChoose TextOfHunter TextOfVisit
  TextOfRun TextIsAlgorithm1 Lattice Model Order.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

Definition integers : floats := {|
  float := option Z; infinity := None; less := less_with_infinity; quotient := fun a b => Some (a / b)%Z;
  finite := fun _ _ => true; product := fun _ _ => Some 0%Z; square_root := fun x => x
|}.

(** K = 3, d = 1, h_max = 2, v = 4 and 2 R M = 4, as an object of Python. *)
Definition four : settings := Settings 1 1 2 4 16 1.
Definition memory : store integers :=
  [settings_object integers four 1 2 (Some 2%Z); fraction integers 16 1; fraction integers 2 1].

(** The text, run with a caller that sends these values in tuples, one tuple for each visit. *)
Fixpoint drive (replies : list (list Z)) (r : result integers (value integers)) : option (value integers) :=
  match r, replies with
  | Done a _, [] => Some a
  | Yielded _ h resume, zs :: rest => drive rest (resume (VTuple "tuple" (map (fun z : Z => VFloat (F := integers) (Some z)) zs)) h)
  | _, _ => None
  end.

(** The same values as a function of the node: 5 at the root, 4 on the left, 3 on the right, and 2 below. *)
Definition values_of_four (p : path) (n : nat) : option Z := Some (Z.of_nat (5 - List.length p - list_sum p / 2)).

Lemma none_is_the_greatest (a : option Z) : a = None \/ less_with_infinity a None = true.
Proof. destruct a; [right|left]; reflexivity. Qed.

(** Claim [python-text]. The text of [hunt], run by the interpreter with K = 3, d = 1 and v = 4: a caller that answers its four visits with
    5, then 4 and 3, then nothing, then 2, one less with each evaluation that it has seen, is told 2 at the end, as the model is; and so is
    every caller that sends these values.  Instance of [TextIsAlgorithm1.the_python_text_makes_the_run_of_the_model]. *)
Theorem the_text_run_on_four_evaluations_returns_2 : let run := interpret modules_py 12 "hunt" [VRef 0] memory in
  drive [[5%Z]; [4%Z; 3%Z]; []; [2%Z]] run = Some (VFloat (F := integers) (Some 2%Z)) /\
  Model.answer (hunt less_with_infinity values_of_four four) = Some 2%Z /\
  ends (shows integers four) (sends integers values_of_four four) (fun _ v _ => v = VFloat (F := integers) (Some 2%Z)) [] run.
Proof.
  intros run. split; [vm_compute; reflexivity|].
  assert (A : Model.answer (hunt less_with_infinity values_of_four four) = Some 2%Z) by (vm_compute; reflexivity). split; [exact A|].
  eapply ends_weaken.
  - exact (the_python_text_makes_the_run_of_the_model integers four infinity_is_an_ordinary_value none_is_the_greatest (le_n 1) (le_n 1)
      (le_n_S 0 3 (Nat.le_0_l 3)) 0 1 2 (Some 2%Z) memory 4 (conj eq_refl eq_refl) (le_n 4) values_of_four).
  - cbv beta. intros log v h (-> & _). exact (f_equal (VFloat (F := integers)) A).
Qed.
