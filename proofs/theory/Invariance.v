(** * What a run of the indexed policy depends on

    Not on n, and not on the scale of the matrices and the size of Y apart: on the effective rows, and on the product of
    scale and R.  (The cap M ||y|| is held fixed: it is a setting of its own.) *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Causality RealValues Vectors Cells Indexed IndexedRegret.
Local Open Scope R_scope.

(** A Lipschitz objective gives one value to two images that agree in the coordinates S. *)
Lemma images_that_agree_have_one_value : forall n S L f d B B' y y',
  0 <= L -> lipschitz n S L f -> (forall i, In i S -> times d B y i = times d B' y' i) ->
  embedded f d B y = embedded f d B' y'.
Proof.
  intros n S L f d B B' y y' positive lip same.
  pose proof (embedded_varies_at_most_as_the_images n S L f d B B' y y' positive lip) as bound.
  replace (square_norm S (minus (times d B y) (times d B' y'))) with 0 in bound.
  - apply Rminus_diag_uniq.
    destruct (Req_dec (embedded f d B y - embedded f d B' y') 0) as [zero | other]; [assumption|].
    pose proof (Rsqr_pos_lt _ other) as positive_square. rewrite Rsqr_pow2 in positive_square. lra.
  - unfold square_norm. rewrite (sum_of_equal_terms _ _ _ (fun _ => 0)).
    + rewrite sum_of_a_constant. lra.
    + intros i member. unfold minus. rewrite same by assumption. ring.
Qed.

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
