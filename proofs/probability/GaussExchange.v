(** * Two independent normals: the means may be taken in either order

    For H continuous and bounded on the plane.  On a rectangle both iterated integrals have the same derivative with
    respect to one side of it.  On the plane both iterated means are near the integral over a large square. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Expectation Gauss GaussExpectation GaussContinuous.
Local Open Scope R_scope.

(** ** Continuity on the plane *)

Lemma continuous_in_the_second : forall H x u, continuity_2d_pt H x u -> continuous (H x) u.
Proof.
  intros H x u cont. apply filterlim_locally. intros eps. destruct (cont eps) as [delta near]. exists delta.
  intros v close. change (Rabs (H x v - H x u) < eps). apply near; [|exact close].
  rewrite Rminus_eq_0, Rabs_R0. apply cond_pos.
Qed.

Lemma continuity_of_the_swapped : forall H x u, continuity_2d_pt H x u -> continuity_2d_pt (fun u x => H x u) u x.
Proof.
  intros H x u cont eps. destruct (cont eps) as [delta near]. exists delta. intros. apply near; assumption.
Qed.

Lemma continuous_in_the_first : forall H x u, continuity_2d_pt H x u -> continuous (fun x => H x u) x.
Proof.
  intros H x u cont. apply (continuous_in_the_second (fun u x => H x u)). apply continuity_of_the_swapped. assumption.
Qed.

Lemma continuity_of_a_function_of_the_second : forall g x u, continuous g u -> continuity_2d_pt (fun _ v => g v) x u.
Proof.
  intros g x u cont eps. apply filterlim_locally with (eps := eps) in cont. destruct cont as [delta near]. exists delta.
  intros v w _ close. apply near. exact close.
Qed.

(** Near one x the function is near to H x, on a whole interval. *)
Lemma uniformly_near : forall H x a b, (forall x u, continuity_2d_pt H x u) -> forall eps, 0 < eps ->
  exists delta : posreal, forall y, Rabs (y - x) < delta -> forall u, a <= u <= b -> Rabs (H y u - H x u) < eps.
Proof.
  intros H x a b cont eps positive.
  destruct (uniform_continuity_2d_1d' H a b x (fun u _ => cont x u) (mkposreal eps positive)) as [delta near].
  pose proof (cond_pos delta) as some. exists delta. intros y close u inside. apply Rabs_def2 in close.
  apply near; try assumption; try lra. rewrite Rminus_eq_0, Rabs_R0. assumption.
Qed.

(** ** A rectangle *)

Section Rectangle.

  Variable H : R -> R -> R.
  Hypothesis H_is_continuous : forall x u, continuity_2d_pt H x u.

  Lemma column_is_integrable : forall x c d, ex_RInt (H x) c d.
  Proof. intros. apply (ex_RInt_continuous (H x)). intros. apply continuous_in_the_second, H_is_continuous. Qed.

  Lemma integral_of_a_column_is_continuous : forall c d x, continuous (fun x => RInt (H x) c d) x.
  Proof.
    intros c d x. apply filterlim_locally. intros eps. pose proof (cond_pos eps) as positive.
    assert (width : 0 < Rabs (d - c) + 1) by (pose proof (Rabs_pos (d - c)); lra).
    destruct (uniformly_near H x (Rmin c d) (Rmax c d) H_is_continuous (eps / (Rabs (d - c) + 1))) as [delta near];
      [apply Rdiv_lt_0_compat; lra|].
    exists delta. intros y close. change (Rabs (RInt (H y) c d - RInt (H x) c d) < eps).
    apply Rle_lt_trans with (Rabs (d - c) * (eps / (Rabs (d - c) + 1))).
    - apply (norm_RInt_le_const_abs (fun u => H y u - H x u) c d).
      + intros u inside. apply Rlt_le. apply near; assumption.
      + apply (is_RInt_minus (H y) (H x)); apply (RInt_correct (V := R_CompleteNormedModule)), column_is_integrable.
    - replace (Rabs (d - c) * (eps / (Rabs (d - c) + 1))) with (eps - eps / (Rabs (d - c) + 1)) by (field; lra).
      assert (0 < eps / (Rabs (d - c) + 1)) by (apply Rdiv_lt_0_compat; lra). lra.
  Qed.

End Rectangle.

Lemma row_is_integrable : forall H, (forall x u, continuity_2d_pt H x u) -> forall u a b, ex_RInt (fun x => H x u) a b.
Proof.
  intros H cont u. apply (column_is_integrable (fun u x => H x u)). intros. apply continuity_of_the_swapped, cont.
Qed.

Lemma integrals_over_a_rectangle : forall H, (forall x u, continuity_2d_pt H x u) -> forall a b c d,
  RInt (fun x => RInt (H x) c d) a b = RInt (fun u => RInt (fun x => H x u) a b) c d.
Proof.
  intros H cont a b c d.
  set (first := fun t => RInt (fun x => RInt (H x) c d) a t).
  set (second := fun t => RInt (fun u => RInt (fun x => H x u) a t) c d).
  (* Both have the integral of the column at t as their derivative at t. *)
  assert (derivative_first : forall t, is_derive first t (RInt (H t) c d)).
  { intros t. apply (is_derive_RInt (fun x => RInt (H x) c d) first a t).
    - apply filter_forall. intros s. apply (RInt_correct (V := R_CompleteNormedModule)).
      apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros. apply integral_of_a_column_is_continuous. assumption.
    - apply integral_of_a_column_is_continuous. assumption. }
  assert (derivative_part : forall u t, is_derive (fun t => RInt (fun x => H x u) a t) t (H t u)).
  { intros u t. apply (is_derive_RInt (fun x => H x u) (fun t => RInt (fun x => H x u) a t) a t).
    - apply filter_forall. intros s. apply (RInt_correct (V := R_CompleteNormedModule)), row_is_integrable. assumption.
    - apply (continuous_in_the_first H), cont. }
  assert (derivative_second : forall t, is_derive second t (RInt (H t) c d)).
  { intros t. rewrite (RInt_ext (H t) (fun u => Derive (fun t => RInt (fun x => H x u) a t) t))
      by (intros u _; symmetry; apply is_derive_unique, derivative_part).
    apply (is_derive_RInt_param (fun t u => RInt (fun x => H x u) a t) c d t).
    - apply filter_forall. intros s u _. eexists. apply derivative_part.
    - intros u _. apply (continuity_2d_pt_ext H); [|apply cont].
      intros x v. symmetry. apply is_derive_unique, derivative_part.
    - apply filter_forall. intros s. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros u _.
      apply (integral_of_a_column_is_continuous (fun u x => H x u)). intros. apply continuity_of_the_swapped, cont. }
  (* Their difference is constant, and 0 at t = a. *)
  set (D := fun t => first t - second t).
  assert (derivative : forall t, is_derive D t 0).
  { intros t. replace 0 with (minus (RInt (H t) c d) (RInt (H t) c d)) by apply Rminus_eq_0.
    apply (is_derive_minus first second); [apply derivative_first | apply derivative_second]. }
  assert (constant : D b = D a).
  { destruct (MVT_gen D a b (fun _ => 0)) as (t & _ & equal).
    - intros. apply derivative.
    - intros x _. apply derivable_continuous_pt. exists 0. apply is_derive_Reals, derivative.
    - lra. }
  assert (start : D a = 0).
  { unfold D, first, second. rewrite RInt_point.
    rewrite (RInt_ext _ (fun _ => 0)) by (intros; apply (RInt_point (V := R_CompleteNormedModule))).
    rewrite (RInt_const (V := R_CompleteNormedModule)). unfold scal, zero; simpl; unfold mult; simpl. ring. }
  unfold D, first, second in *. lra.
Qed.

(** ** The plane *)

Section Plane.

  Variables (H : R -> R -> R) (M : R).
  Hypothesis H_is_continuous : forall x u, continuity_2d_pt H x u.
  Hypothesis H_is_bounded : forall x u, Rabs (H x u) <= M.

  Lemma columns_have_means : forall x, integrable gauss (H x).
  Proof.
    intros x. apply (continuous_bounded_is_integrable (H x) M); [|apply H_is_bounded].
    intros. apply continuous_in_the_second, H_is_continuous.
  Qed.

  Lemma mean_of_a_column_is_bounded : forall x, Rabs (E gauss (H x)) <= M.
  Proof. intros x. apply mean_is_bounded; [apply columns_have_means | apply H_is_bounded]. Qed.

  Lemma mean_of_a_column_is_continuous : forall x, continuous (fun x => E gauss (H x)) x.
  Proof.
    intros x. apply filterlim_locally. intros eps. pose proof (cond_pos eps) as positive.
    assert (0 <= M) by (eapply Rle_trans; [apply Rabs_pos | apply (H_is_bounded 0 0)]).
    destruct (tail_vanishes (eps / (4 * (M + 1)))) as (T & some & small); [apply Rdiv_lt_0_compat; lra|].
    apply Rlt_div_r in small; [|lra]. pose proof (tail_is_nonnegative T).
    destruct (uniformly_near H x (- T) T H_is_continuous (eps / 2)) as [delta near]; [lra|].
    exists delta. intros y close. change (Rabs (E gauss (H y) - E gauss (H x)) < eps).
    eapply Rle_lt_trans; [apply (means_of_near_functions (H y) (H x) M (eps / 2) T); try lra|nra];
      try (intros; apply H_is_bounded); try (intros; apply continuous_in_the_second, H_is_continuous).
    intros u inside. apply Rlt_le, near; [exact close | apply Rabs_le_between; assumption].
  Qed.

  (** Both iterated means are near the integral over a square. *)
  Lemma iterated_mean_is_near_the_square : forall T, 0 <= T ->
    Rabs (E gauss (fun x => E gauss (H x))
          - RInt (fun x => RInt (fun u => H x u * density u * density x) (- T) T) (- T) T) <= 2 * M * tail T.
  Proof.
    intros T positive.
    assert (0 <= M) by (eapply Rle_trans; [apply Rabs_pos | apply (H_is_bounded 0 0)]).
    assert (above : 0 <= M * tail T) by (apply Rmult_le_pos; [assumption | apply tail_is_nonnegative]).
    set (I := fun x => E gauss (H x)). set (J := fun x => RInt (fun u => H x u * density u) (- T) T).
    pose proof (proj2 (continuous_bounded_functions_have_means I M
      mean_of_a_column_is_continuous mean_of_a_column_is_bounded) T positive) as outer.
    assert (cont_density : forall x u, continuity_2d_pt (fun x u => H x u * density u) x u).
    { intros x u. apply continuity_2d_pt_mult; [apply H_is_continuous|].
      apply continuity_of_a_function_of_the_second, density_is_continuous. }
    assert (cont_J : forall x, continuous J x)
      by exact (integral_of_a_column_is_continuous (fun x u => H x u * density u) cont_density (- T) T).
    assert (inner : forall x, Rabs (I x - J x) <= M * tail T).
    { intros x. refine (proj2 (continuous_bounded_functions_have_means (H x) M _ (H_is_bounded x)) T positive).
      intros. apply continuous_in_the_second, H_is_continuous. }
    (* The integral over the square, written with J. *)
    rewrite (RInt_ext _ (fun x => J x * density x)).
    2: { intros x _. unfold J. rewrite (Rmult_comm (RInt _ _ _)).
         rewrite <- (RInt_scal (V := R_CompleteNormedModule) (fun u => H x u * density u)) 
           by (apply (column_is_integrable (fun x u => H x u * density u)); assumption).
         apply RInt_ext. intros u _. apply Rmult_comm. }
    assert (difference : Rabs (RInt (fun x => (I x - J x) * density x) (- T) T) <= M * tail T * (Phi T - Phi (- T))).
    { apply (integral_is_at_most (fun x => I x - J x)); [|assumption|lra].
      intros x. apply (continuous_minus I J); [apply mean_of_a_column_is_continuous | apply cont_J]. }
    assert (parts : RInt (fun x => (I x - J x) * density x) (- T) T
                    = RInt (fun x => I x * density x) (- T) T - RInt (fun x => J x * density x) (- T) T).
    { rewrite <- (RInt_minus (V := R_CompleteNormedModule) (fun x => I x * density x) (fun x => J x * density x)).
      - apply RInt_ext. intros x _. apply Rmult_minus_distr_r.
      - apply product_with_density_is_integrable, mean_of_a_column_is_continuous.
      - apply product_with_density_is_integrable, cont_J. }
    rewrite parts in difference. assert (probability : Phi T - Phi (- T) <= 1).
    { rewrite Phi_is_odd. pose proof (Phi_is_below_one_half T). lra. }
    assert (M * tail T * (Phi T - Phi (- T)) <= M * tail T) by nra.
    apply Rabs_le_between in outer. apply Rabs_le_between in difference. apply Rabs_le_between. lra.
  Qed.

End Plane.

(** The means over two independent normals may be taken in either order. *)
Lemma means_exchange : forall H M, (forall x u, continuity_2d_pt H x u) -> (forall x u, Rabs (H x u) <= M) ->
  E gauss (fun x => E gauss (fun u => H x u)) = E gauss (fun u => E gauss (fun x => H x u)).
Proof.
  intros H M cont bound.
  assert (0 <= M) by (eapply Rle_trans; [apply Rabs_pos | apply (bound 0 0)]).
  apply cond_eq. intros eps positive.
  destruct (tail_vanishes (eps / (4 * (M + 1)))) as (T & some & small); [apply Rdiv_lt_0_compat; lra|].
  apply Rlt_div_r in small; [|lra]. pose proof (tail_is_nonnegative T).
  pose proof (iterated_mean_is_near_the_square H M cont bound T ltac:(lra)) as first.
  assert (cont' : forall u x, continuity_2d_pt (fun u x => H x u) u x) by (intros; apply continuity_of_the_swapped, cont).
  pose proof (iterated_mean_is_near_the_square (fun u x => H x u) M cont' (fun u x => bound x u) T ltac:(lra)) as second.
  assert (square : RInt (fun x => RInt (fun u => H x u * density u * density x) (- T) T) (- T) T
                   = RInt (fun u => RInt (fun x => H x u * density x * density u) (- T) T) (- T) T).
  { rewrite (integrals_over_a_rectangle (fun x u => H x u * density u * density x)).
    - apply RInt_ext. intros u _. apply RInt_ext. intros x _.
      change (H x u * density u * density x = H x u * density x * density u). ring.
    - intros x u. apply (continuity_2d_pt_mult (fun x u => H x u * density u) (fun x _ => density x)).
      + apply (continuity_2d_pt_mult H (fun _ u => density u)); [apply cont|].
        apply continuity_of_a_function_of_the_second, density_is_continuous.
      + apply (continuity_of_the_swapped (fun _ x => density x)).
        apply continuity_of_a_function_of_the_second, density_is_continuous. }
  rewrite square in first. apply Rabs_le_between in first. apply Rabs_le_between in second.
  change (fun x => E gauss (fun u => H x u)) with (fun x => E gauss (H x)).
  assert (4 * (M * tail T) < eps) by lra. apply Rabs_def1; lra.
Qed.
