(** * What the other embeddings contribute to the regret of the policy indexed: the paper's tau

    At every base point two embeddings differ by at most tau = L ||A_0 - A_q|| R sqrt d. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Vectors Moments Cells WellShaped Indexed IndexedRegret.
Local Open Scope R_scope.

Section AnyEmbedding.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  (** Any embedding q; T bounds the stretch of A_0 - A_q. *)
  Variables (q : nat) (T : R).
  Hypothesis stretch_of_the_difference : stretches_by_at_most S d (fun i j => A 0%nat i j - A q i j) T.

  (** The paper's tau for embedding q: no base point is further than R sqrt d from the origin. *)
  Definition tau : R := L * T * (radius * sqrt (INR d)).

  Lemma base_points_have_bounded_norm : forall p, node k p ->
    Vectors.norm (coordinates d) (base_point k d radius p) <= radius * sqrt (INR d).
  Proof.
    intros p valid. pose proof (a_base_point_is_in_the_space k d radius d_pos radius_pos p valid) as inside.
    apply square_root_bound; [apply Rmult_le_pos; [lra | apply sqrt_pos]|].
    rewrite norm_squared, Rpow_mult_distr, <- (Rsqr_pow2 (sqrt _)), Rsqr_sqrt by apply pos_INR.
    rewrite Rmult_comm.
    replace (INR d) with (INR (length (coordinates d))) by (rewrite length_of_coordinates; reflexivity).
    unfold square_norm. rewrite <- sum_of_a_constant. apply sum_is_monotone. intros j member.
    apply in_coordinates in member. apply smaller_distance_smaller_square. rewrite (Rabs_right radius) by lra.
    specialize (inside j member). apply Rabs_le. lra.
  Qed.

  (** Claims [assumption-4] [indexed-regret-bound]. At every base point g_0 and g_q differ by at most
      tau = L T R sqrt d, T the stretch of A_0 - A_q. *)
  Theorem embeddings_differ_by_at_most_tau : forall p, node k p ->
    Rabs (g f A cfg 0 (base_point k d radius p) - g f A cfg q (base_point k d radius p)) <= tau.
  Proof.
    intros p valid. destruct stretch_of_the_difference as [T_nonneg bound].
    eapply Rle_trans; [apply (embedded_differs_at_most_as_the_images n S L); assumption|].
    unfold tau. rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
    apply Rle_trans with (T * Vectors.norm (coordinates d) (base_point k d radius p)).
    - eapply Rle_trans; [|apply bound]. apply norm_is_monotone. intros i _. right. f_equal.
      exact (image_of_a_difference (fun _ : unit => A 0%nat) (fun _ => A q) d _ tt i).
    - apply Rmult_le_compat_l; [assumption|]. apply base_points_have_bounded_norm. assumption.
  Qed.

End AnyEmbedding.
