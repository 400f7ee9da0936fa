(** * The indexed policy, runs: the regret of a run is bounded by numbers that can be computed

    The p-th evaluation of every base point uses the matrix A_(p-1); so the first one uses A_0, and every node's
    recorded value is at most g_0 at its base point.  With Indexed.v, the branch of any point y of Y has recorded
    values at most g_0(y) + L ||B|| r_h, which is what the regret bound of Theorem2.v asks for. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Order RunsTree RunsEvaluations RealValues Geometry Vectors Cells WellShaped Indexed.
Local Open Scope R_scope.

Section IndexedPolicy.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation base_point := (base_point k d radius).

  (** g_p(y) = f(P_X(A_p y)). *)
  Definition g (p : nat) (y : vector) : R := embedded f d (A p) y.

  (** The oracle of the policy [indexed]: visit number p = 1, 2, ... of a base point uses A_(p-1). *)
  Definition indexed_oracle (p : path) (visit : nat) : R := g (visit - 1) (base_point p).


  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  Lemma g_reads_the_coordinates : forall p y y', (forall j, (j < d)%nat -> y j = y' j) -> g p y = g p y'.
  Proof.
    intros p y y' same. apply (images_that_agree_have_one_value n S L); try assumption. intros i _.
    apply sum_of_equal_terms. intros j small. apply in_coordinates in small. rewrite same by assumption. reflexivity.
  Qed.

  (** The first evaluation of a node's base point is the value of g_0 there. *)
  Lemma first_evaluation_is_g_0 : forall p, indexed_oracle (birth k p) 1 = g 0 (base_point p).
  Proof.
    intros p. unfold indexed_oracle. apply g_reads_the_coordinates.
    apply same_point_same_base_point. apply same_point_birth. assumption.
  Qed.

  (** Claim [indexed-regret-bound] [assumption-4]. Under the indexed policy every node's recorded value is at most g_0 at its base point. *)
  Theorem recorded_value_is_at_most_g_0 : forall p, value less_real indexed_oracle cfg p <= g 0 (base_point p).
  Proof.
    induction p as [|c p IH].
    - unfold Nodes.value. cbn [node_at new_leaf best]. right. apply (first_evaluation_is_g_0 []).
    - unfold Nodes.value in *. cbn [node_at].
      destruct (Nat.eqb_spec c k) as [center | other].
      + subst c.
        assert (parent : g 0 (base_point (k :: p)) = g 0 (base_point p)).
        { apply g_reads_the_coordinates. apply same_point_same_base_point.
          apply center_child_same_base; [assumption | reflexivity]. }
        rewrite parent. destruct (within_cap cfg _); cbn [new_leaf best]; [|assumption].
        eapply Rle_trans; [apply smaller_is_below_both | assumption].
      + cbn [new_leaf best]. rewrite first_evaluation_is_g_0. lra.
  Qed.

  Hypothesis radius_pos : 0 < radius.

  (** Claim [indexed-regret-bound]. If the cell of a node of depth h contains y, the node's recorded value is at most
      g_0(y) + L N r_h, where the rows S of A_0 stretch no vector by more than N. *)
  Theorem recorded_value_near_a_point : forall N p y,
    stretches_by_at_most S d (A 0%nat) N -> in_closed_cell k d radius p y ->
    value less_real indexed_oracle cfg p <= g 0 y + L * N * circumradius k d radius (length p).
  Proof.
    intros N p y stretch inside.
    eapply Rle_trans; [apply recorded_value_is_at_most_g_0|].
    apply (base_point_is_nearly_as_good_as_its_cell k d radius radius_pos n S); assumption.
  Qed.

  (** Claim [indexed-regret-bound]. Every answer is a value of f on X, so at least its least value. *)
  Theorem answers_are_values_of_f : forall f_min, (forall x, in_box n x -> f_min <= f x) ->
    forall s, reached less_real indexed_oracle cfg s -> f_min <= answer s.
  Proof.
    intros f_min least s within.
    destruct (the_answer_is_the_least_evaluation less_real indexed_oracle cfg real_values_are_totally_ordered s within)
      as [member _].
    apply in_map_iff in member. destruct member as ([[p visit] v] & answered & evaluated). cbn [snd] in answered.
    destruct (evaluations_of_nodes less_real indexed_oracle cfg s within p visit v evaluated)
      as (_ & value_is & _).
    rewrite <- answered, value_is. unfold indexed_oracle, g, embedded.
    apply least. apply projection_lands_in_the_box.
  Qed.

End IndexedPolicy.
