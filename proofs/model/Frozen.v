(** * Frozen classes: when its turn comes, a class is what it was when the visit began. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps.
From EmbeddedHunter Require SearchClasses SearchSteps SearchSweep.

Section Frozen.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).


(** The leaves of depth [l] and norm [r], left to right. *)
Definition class_now (l : nat) (r : Z) (xs : list (leaf V)) : list (leaf V) :=
  filter (fun x => (depth x =? l) && (norm x =? r)%Z) xs.

(** Claims [frozen-classes] [alg1-line-4].  When a class's turn comes, its frozen members are exactly the leaves of its
    depth and norm that T has at that moment, in spatial order: what was expanded before in the visit touched other
    norms and made deeper leaves only. *)
Theorem a_frozen_class_is_current_when_its_turn_comes l s before r members after :
  leaves_are_nodes less oracle cfg s ->
  classes l (leaves s) = before ++ (r, members) :: after ->
  members = class_now l r (leaves (visit_classes less oracle cfg before (begin_visit l s))).
Proof.
  apply (SearchSteps.a_frozen_class_is_current (algorithm_one_is_lawful less oracle cfg)).
Qed.

End Frozen.
