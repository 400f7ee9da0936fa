(** * What a run of the indexed policy depends on

    Not on n, and not on the scale of the matrices and the size of Y apart: on the effective rows, and on the product of
    scale and R.  (The cap M ||y|| is held fixed: it is a setting of its own.) *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Causality RealValues Vectors Cells Indexed IndexedRegret.
Local Open Scope R_scope.

Section Invariance.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (cfg : settings).
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  (** Claim [n-invariance]. Only the rows S on which f depends matter: matrices that agree there, of any number of rows,
      give one and the same run. *)
  Theorem runs_depend_on_the_effective_rows_alone : forall (A A' : nat -> matrix) radius,
    (forall p i j, In i S -> (j < dimension cfg)%nat -> A p i j = A' p i j) ->
    hunt less_real (indexed_oracle f A radius cfg) cfg = hunt less_real (indexed_oracle f A' radius cfg) cfg.
  Proof.
    intros A A' radius same. apply equal_oracles_give_equal_runs; [apply reals_are_equal_or_not|].
    intros p visit. unfold indexed_oracle, g. apply (images_that_agree_have_one_value n S L); try assumption.
    intros i member. apply sum_of_equal_terms. intros j small. apply in_coordinates in small.
    rewrite same by assumption. reflexivity.
  Qed.

  (** Claim [n-invariance]. Matrices c times as large on a space Y of radius R give the run of the matrices themselves on
      a space of radius c R. *)
  Theorem runs_depend_on_scale_times_radius : forall (A : nat -> matrix) radius c,
    hunt less_real (indexed_oracle f (fun p i j => c * A p i j) radius cfg) cfg
    = hunt less_real (indexed_oracle f A (c * radius) cfg) cfg.
  Proof.
    intros A radius c. apply equal_oracles_give_equal_runs; [apply reals_are_equal_or_not|].
    intros p visit. unfold indexed_oracle, g. apply (images_that_agree_have_one_value n S L); try assumption.
    intros i member. apply sum_of_equal_terms. intros j _. unfold base_point, Rdiv. ring.
  Qed.

End Invariance.
