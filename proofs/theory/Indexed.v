(** * The indexed policy, analysis: one fixed matrix varies little inside a small cell

    Under the policy [indexed] the p-th evaluation of every base point uses the same matrix A_(p-1).  Then every g_p is
    Lipschitz on Y, and inside a cell of depth h it varies by at most L ||B|| r_h, r_h the radius of the cell's
    circumscribed ball and B the rows of A_0 that matter to f. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Lattice Geometry Vectors Cells WellShaped.
Local Open Scope R_scope.

(** ** g_p is Lipschitz on Y *)

(** The rows S of the matrix B (d columns) stretch no vector by more than N; the least such N is the operator
    norm. *)
Definition stretches_by_at_most (S : list nat) (d : nat) (B : matrix) (N : R) : Prop :=
  0 <= N /\ forall y, norm S (times d B y) <= N * norm (coordinates d) y.

(** Claim [indexed-regret-bound]. No vector is stretched by more than the Frobenius norm of the matrix. *)
Theorem frobenius_norm_bounds_the_stretch : forall S d B, stretches_by_at_most S d B (frobenius S d B).
Proof.
  intros S d B. split; [apply sqrt_pos|]. intros y.
  apply square_root_bound.
  - apply Rmult_le_pos; [apply sqrt_pos | apply norm_is_nonnegative].
  - rewrite Rpow_mult_distr, !norm_squared, frobenius_squared. apply matrix_stretches_by_at_most_frobenius.
Qed.

(** Claim [indexed-regret-bound] [assumption-2]. With one fixed matrix B that stretches no vector by more than N,
    |g(y) - g(y')| <= L N ||y - y'||. *)
Theorem embedded_objective_is_lipschitz : forall n S L f d B N y y',
  0 <= L -> lipschitz n S L f -> stretches_by_at_most S d B N ->
  Rabs (embedded f d B y - embedded f d B y') <= L * N * norm (coordinates d) (minus y y').
Proof.
  intros n S L f d B N y y' positive lip [_ stretch].
  eapply Rle_trans; [apply (embedded_differs_at_most_as_the_images n S L); assumption|].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
  eapply Rle_trans; [|apply stretch]. apply norm_is_monotone. intros i _. right. f_equal. apply times_is_linear.
Qed.

(** ** The circumscribed ball of a cell *)

Section Circumradius.

  Variables k d : nat.
  Variable radius : R.
  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.

  Notation base_point := (base_point k d radius).
  Notation in_closed_cell := (in_closed_cell k d radius).
  Notation power := (power k).

  (** Half the width of a cell of depth h in coordinate j. *)
  Definition half_width (h j : nat) : R := radius / power (splits d h j).

  (** r_h, the radius of the ball about the base point that contains the cell (its square is in WellShaped.v, with the
      proof that a corner of the cell is that far away). *)
  Definition circumradius (h : nat) : R := sqrt (square_circumscribed_radius k d radius h).

  Lemma circumradius_is_the_norm_of_the_half_widths : forall h,
    circumradius h = norm (coordinates d) (half_width h).
  Proof. reflexivity. Qed.

  Lemma circumradius_is_nonnegative : forall h, 0 <= circumradius h.
  Proof. intros. apply sqrt_pos. Qed.

  Lemma inverse_power_is_positive : forall s, 0 < / power s.
  Proof. intros. apply Rinv_0_lt_compat. apply power_pos. Qed.

  Lemma half_width_is_positive : forall h j, 0 < half_width h j.
  Proof. intros. apply Rmult_lt_0_compat; [assumption | apply inverse_power_is_positive]. Qed.

  Lemma distance_to_the_base_point_in_one_coordinate : forall p y j, (j < d)%nat -> in_closed_cell p y ->
    Rabs (base_point p j - y j) <= half_width (length p) j.
  Proof.
    intros p y j small inside. specialize (inside j small).
    pose proof (power_pos k (splits d (length p) j)) as positive.
    set (P := power (splits d (length p) j)) in *. set (c := IZR (num k d p j)) in *.
    unfold half_width, Cells.base_point. fold P c.
    replace (2 * radius * c / P - y j) with ((2 * radius * c - P * y j) * / P) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ P)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat; assumption).
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
    apply Rabs_le. lra.
  Qed.

  (** Claim [indexed-regret-bound] [assumption-2]. Every point of a cell of depth h is within r_h of its base point. *)
  Theorem cell_lies_in_its_circumscribed_ball : forall p y, in_closed_cell p y ->
    norm (coordinates d) (minus (base_point p) y) <= circumradius (length p).
  Proof.
    intros p y inside. rewrite circumradius_is_the_norm_of_the_half_widths. apply norm_is_monotone. intros j small. apply in_coordinates in small.
    apply smaller_distance_smaller_square.
    rewrite (Rabs_right (half_width _ _)) by (apply Rle_ge, Rlt_le, half_width_is_positive).
    apply distance_to_the_base_point_in_one_coordinate; assumption.
  Qed.

  Lemma inverse_power_decreases : forall s t, (s <= t)%nat -> / power t <= / power s.
  Proof. intros. apply Rinv_le_contravar; [apply power_pos | apply power_mono; assumption]. Qed.

  (** Claim [indexed-regret-bound] [assumption-2]. The circumradius r_h never grows with the depth h. *)
  Theorem circumradius_never_grows : forall h h', (h <= h')%nat -> circumradius h' <= circumradius h.
  Proof.
    intros h h' deeper. rewrite !circumradius_is_the_norm_of_the_half_widths. apply norm_is_monotone. intros j small. apply in_coordinates in small.
    apply pow_incr. split; [apply Rlt_le, half_width_is_positive|].
    apply Rmult_le_compat_l; [lra|]. apply inverse_power_decreases.
    apply splits_mono; assumption.
  Qed.

  (** Claim [indexed-regret-bound]. The circumradius shrinks geometrically: r_h <= R sqrt d / K^(floor(h/d)). *)
  Theorem circumradius_shrinks_geometrically : forall h,
    circumradius h <= radius * sqrt (INR d) / power (h / d).
  Proof.
    intros h. apply square_root_bound.
    - apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply sqrt_pos] | apply Rlt_le, inverse_power_is_positive].
    - rewrite circumradius_is_the_norm_of_the_half_widths. unfold Rdiv. rewrite norm_squared, !Rpow_mult_distr.
      rewrite <- (Rsqr_pow2 (sqrt _)), Rsqr_sqrt by apply pos_INR.
      replace (radius ^ 2 * INR d * (/ power (h / d)) ^ 2)
        with (INR (length (coordinates d)) * (radius * / power (h / d)) ^ 2)
        by (rewrite length_of_coordinates; ring).
      rewrite <- sum_of_a_constant. apply sum_is_monotone. intros j _.
      apply pow_incr. split; [apply Rlt_le, half_width_is_positive|].
      apply Rmult_le_compat_l; [lra|]. apply inverse_power_decreases. unfold splits. lia.
  Qed.

  Lemma power_exceeds_its_exponent : (1 <= k)%nat -> forall s, INR s + 1 <= power s.
  Proof.
    intros odd_K. induction s as [|s IH].
    - rewrite power_0. simpl. lra.
    - rewrite power_S, S_INR. pose proof (pos_INR s).
      assert (3 <= IZR (2 * Z.of_nat k + 1)) by (apply IZR_le; lia). nra.
  Qed.

  (** Claim [indexed-regret-bound] [assumption-2]. The circumradius r_h tends to 0 (K >= 3). *)
  Theorem circumradius_tends_to_zero : (1 <= k)%nat -> forall epsilon, 0 < epsilon ->
    exists h_0, forall h, (h_0 <= h)%nat -> circumradius h < epsilon.
  Proof.
    intros odd_K epsilon positive.
    assert (numerator : 0 <= radius * sqrt (INR d)) by (apply Rmult_le_pos; [lra | apply sqrt_pos]).
    destruct (archimed (radius * sqrt (INR d) / epsilon)) as [above _].
    assert (0 <= radius * sqrt (INR d) / epsilon)
      by (apply Rmult_le_pos; [assumption | apply Rlt_le, Rinv_0_lt_compat; assumption]).
    set (q := Z.to_nat (up (radius * sqrt (INR d) / epsilon))).
    assert (value : INR q = IZR (up (radius * sqrt (INR d) / epsilon))).
    { unfold q. rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity|]. apply le_IZR. lra. }
    rewrite <- value in above.
    exists (q * d)%nat. intros h deep. eapply Rle_lt_trans; [apply circumradius_never_grows; exact deep|].
    eapply Rle_lt_trans; [apply circumradius_shrinks_geometrically|].
    rewrite Nat.div_mul by lia. pose proof (power_exceeds_its_exponent odd_K q).
    pose proof (power_pos k q).
    apply (Rmult_lt_reg_r (power q)); [assumption|].
    replace (radius * sqrt (INR d) / power q * power q) with (radius * sqrt (INR d) / epsilon * epsilon) by (field; lra).
    rewrite (Rmult_comm epsilon). apply Rmult_lt_compat_r; lra.
  Qed.

  (** ** Values along the branch of a point *)

  (** Claim [indexed-regret-bound]. The base point of a cell of depth h is at most L N r_h worse than any point of the
      cell, for the same matrix. *)
  Theorem base_point_is_nearly_as_good_as_its_cell : forall n S L f B N p y,
    0 <= L -> lipschitz n S L f -> stretches_by_at_most S d B N -> in_closed_cell p y ->
    embedded f d B (base_point p) <= embedded f d B y + L * N * circumradius (length p).
  Proof.
    intros n S L f B N p y positive lip stretch inside.
    pose proof (embedded_objective_is_lipschitz n S L f d B N (base_point p) y positive lip stretch) as near.
    pose proof (cell_lies_in_its_circumscribed_ball p y inside) as ball.
    assert (L * N * norm (coordinates d) (minus (base_point p) y) <= L * N * circumradius (length p)).
    { apply Rmult_le_compat_l; [|assumption]. apply Rmult_le_pos; [assumption | apply stretch]. }
    revert near. unfold_distances.
  Qed.

  (** Claim [partition-coverage]. Every point of Y has a branch: nodes of every depth, each a child of the one before, whose
      closed cells contain it. *)
  Theorem every_point_has_a_branch : forall h y, in_closed_space d radius y ->
    exists p, node k p /\ length p = h /\ forall more q, p = more ++ q -> in_closed_cell q y.
  Proof.
    induction h as [|h IH]; intros y inside.
    - destruct (closed_cells_of_each_depth_cover_the_closed_space k d radius d_pos radius_pos 0 y inside)
        as (p & [valid length_0] & cell).
      destruct p; [|discriminate]. exists []. split; [constructor|]. split; [reflexivity|].
      intros more q split. symmetry in split. apply app_eq_nil in split. destruct split; subst. assumption.
    - destruct (IH y inside) as (p & valid & depth_h & cells).
      destruct (closed_children_cover_their_parent k d radius d_pos radius_pos p y (cells [] p eq_refl))
        as (a & small & cell).
      exists (a :: p). split; [constructor; assumption|]. split; [cbn [length]; congruence|].
      intros more q split. destruct more as [|b more]; cbn [app] in split.
      + subst. assumption.
      + injection split as _ rest. apply (cells more). assumption.
  Qed.

End Circumradius.
