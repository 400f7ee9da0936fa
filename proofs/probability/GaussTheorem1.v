(** * Theorem 1 for Gaussian matrices

    A_p and A_q are the first n and the last n rows of one Gaussian matrix of 2n rows, so they are independent.  The
    hypotheses of Moments.v hold: the entries have the second moments of N(0, sigma^2), and g_p(y) - g_q(y) has a mean and
    a mean square, as it is a continuous bounded function of the images of y.  Nothing is left to assume but
    Assumption 1.  If f depends on one coordinate, the constant is the sharp one, 2/sqrt(pi). *)

From Coq Require Import List Arith Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Vectors Expectation Independent Moments ContinuousOnBoxes
  Gauss GaussExpectation GaussVectors.
Local Open Scope R_scope.

(** ** Second moments *)

Lemma t_density_vanishes : is_lim (fun t => t * density t) p_infty 0.
Proof.
  assert (small : forall t, 0 < t -> t * bell t <= 8 * / t).
  { intros t positive. assert (root : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (square : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
    assert (half : bell t = bell (t / sqrt 2) * bell (t / sqrt 2)).
    { unfold bell. rewrite <- exp_plus. f_equal. replace ((t / sqrt 2) ^ 2) with (t ^ 2 / (sqrt 2 * sqrt 2)) by (field; lra).
      rewrite square. field. }
    assert (quotient : 0 < t / sqrt 2) by (apply Rdiv_lt_0_compat; assumption).
    pose proof (bell_is_at_most _ quotient) as bound. pose proof (bell_is_positive (t / sqrt 2)) as some.
    assert (product : bell t <= 2 * / (t / sqrt 2) * (2 * / (t / sqrt 2))) by (rewrite half; apply Rmult_le_compat; lra).
    replace (2 * / (t / sqrt 2) * (2 * / (t / sqrt 2))) with (4 * (sqrt 2 * sqrt 2) * / t * / t) in product by (field; lra).
    rewrite square in product. apply (Rmult_le_compat_l t) in product; [|lra].
    replace (t * (4 * 2 * / t * / t)) with (8 * / t) in product by (field; lra). assumption. }
  apply (is_lim_ext (fun t => t * bell t * / sqrt (2 * PI))); [intros; unfold density, Rdiv; ring|].
  replace (Finite 0) with (Finite (0 * / sqrt (2 * PI))) by (f_equal; ring).
  apply (is_lim_scal_r (fun t => t * bell t) (/ sqrt (2 * PI)) p_infty 0).
  apply (is_lim_le_le_loc (fun _ => 0) (fun t => 8 * / t)).
  - exists 0. intros t positive. split; [|apply small; assumption].
    apply Rmult_le_pos; [lra | apply Rlt_le, bell_is_positive].
  - apply is_lim_const.
  - replace (Finite 0) with (Rbar_mult 8 (Rbar_inv p_infty)) by (simpl; f_equal; ring).
    apply (is_lim_scal_l (fun t => / t) 8 p_infty (Rbar_inv p_infty)). apply is_lim_inv; [apply is_lim_id | discriminate].
Qed.

(** E N^2 = 1: the integral of x^2 phi(x) is Phi(t) - t phi(t). *)
Lemma mean_square_of_N : integrable gauss (fun x => x * x) /\ E gauss (fun x => x * x) = 1.
Proof.
  apply gauss_has. exists (fun t => Phi t - t * density t), (- / 2), (/ 2). repeat split; [| | |field].
  - intros t. replace (Phi t - t * density t) with (Hierarchy.minus (Phi t - t * density t) (Phi 0 - 0 * density 0)).
    + apply (is_RInt_derive (fun t => Phi t - t * density t) (fun x => x * x * density x)).
      * intros x _. replace (x * x * density x) with (density x - (1 * density x + x * (- x * density x))) by ring.
        apply (is_derive_minus Phi (fun t => t * density t)); [apply Phi_has_derivative|].
        apply (is_derive_mult (fun t => t) density); [apply (is_derive_id (K := R_AbsRing)) | apply density_has_derivative | intros; apply Rmult_comm].
      * intros x _. apply (continuous_mult (fun x => x * x) density); [|apply density_is_continuous].
        apply (ex_derive_continuous (fun x => x * x)). auto_derive. trivial.
    + pose proof (Phi_is_odd 0) as odd. rewrite Ropp_0 in odd. unfold Hierarchy.minus, plus, opp; simpl. lra.
  - apply (is_lim_ext (fun t => - (Phi t - t * density t))); [intros; rewrite Phi_is_odd, density_is_even; ring|].
    apply (is_lim_opp (fun t => Phi t - t * density t) p_infty (/ 2)).
    replace (Finite (/ 2)) with (Finite (/ 2 - 0)) by (f_equal; ring).
    apply (is_lim_minus' Phi (fun t => t * density t)); [apply Phi_tends_to_one_half | apply t_density_vanishes].
  - replace (Finite (/ 2)) with (Finite (/ 2 - 0)) by (f_equal; ring).
    apply (is_lim_minus' Phi (fun t => t * density t)); [apply Phi_tends_to_one_half | apply t_density_vanishes].
Qed.

(** Two entries of one row. *)
Lemma moments_of_a_normal_vector : forall d j k, (j < d)%nat -> (k < d)%nat ->
  integrable (normal_vector d) (fun z => z j * z k) /\
  E (normal_vector d) (fun z => z j * z k) = if Nat.eqb j k then 1 else 0.
Proof.
  intros d j k small_j small_k. destruct mean_square_of_N as [random_2 mean_2]. destruct mean_of_N as [random_1 mean_1].
  destruct (lt_eq_lt_dec j k) as [[less | same] | greater].
  - destruct (mean_of_a_product_of_two_draws 0 gauss d j k (fun x => x) (fun x => x) ltac:(lia) random_1 random_1) as [random mean].
    split; [exact random|]. rewrite mean_1 in mean. destruct (Nat.eqb_spec j k); [lia|]. rewrite Rmult_0_l in mean. exact mean.
  - subst k. rewrite Nat.eqb_refl, <- mean_2. apply (mean_of_one_draw 0 gauss d j (fun x => x * x)); assumption.
  - destruct (mean_of_a_product_of_two_draws 0 gauss d k j (fun x => x) (fun x => x) ltac:(lia) random_1 random_1) as [random mean].
    split; [apply (integrable_same _ (normal_vector d) (fun z => z k * z j)); [intros; ring | exact random]|].
    destruct (Nat.eqb_spec j k); [lia|]. rewrite mean_1, Rmult_0_l in mean. rewrite <- mean. apply E_same. intros. ring.
Qed.

(** Two entries of a matrix, from those of the matrix of independent normals. *)
Lemma moments_of_two_entries : forall n d sigma i i' j k m,
  integrable (normal_matrix n d) (fun Z => Z i j * Z i' k) /\ E (normal_matrix n d) (fun Z => Z i j * Z i' k) = m ->
  integrable (gaussian_matrix n d sigma) (fun A => A i j * A i' k) /\
  E (gaussian_matrix n d sigma) (fun A => A i j * A i' k) = sigma ^ 2 * m.
Proof.
  intros n d sigma i i' j k m [random mean].
  assert (same : forall Z : matrix, sigma ^ 2 * (Z i j * Z i' k) = sigma * Z i j * (sigma * Z i' k)) by (intros; ring).
  split.
  - exact (integrable_same _ (normal_matrix n d) _ _ same (multiple_is_integrable (normal_matrix n d) (sigma ^ 2) _ random)).
  - rewrite <- mean, <- (E_of_multiple (normal_matrix n d) (sigma ^ 2) (fun Z => Z i j * Z i' k) random).
    apply (E_same _ (normal_matrix n d)). intros Z. symmetry. apply same.
Qed.

Lemma moments_of_a_row : forall n d sigma i j k, (i < n)%nat -> (j < d)%nat -> (k < d)%nat ->
  integrable (gaussian_matrix n d sigma) (fun A => A i j * A i k) /\
  E (gaussian_matrix n d sigma) (fun A => A i j * A i k) = if Nat.eqb j k then sigma ^ 2 else 0.
Proof.
  intros n d sigma i j k small_i small_j small_k.
  destruct (moments_of_a_normal_vector d j k small_j small_k) as [random mean].
  pose proof (mean_of_one_draw (fun _ => 0) (normal_vector d) n i (fun row => row j * row k) small_i random) as draw.
  destruct (moments_of_two_entries n d sigma i i j k (if Nat.eqb j k then 1 else 0)) as [random' mean'];
    [rewrite <- mean; exact draw|]. split; [exact random'|]. rewrite mean'. destruct (Nat.eqb j k); ring.
Qed.

Lemma moments_of_two_rows : forall n d sigma i i' j k, (i < i' < n)%nat -> (j < d)%nat -> (k < d)%nat ->
  integrable (gaussian_matrix n d sigma) (fun A => A i j * A i' k) /\
  E (gaussian_matrix n d sigma) (fun A => A i j * A i' k) = 0.
Proof.
  intros n d sigma i i' j k small small_j small_k. destruct mean_of_N as [random_1 mean_1].
  destruct (mean_of_one_draw 0 gauss d j (fun x => x) small_j random_1) as [random_j mean_j].
  destruct (mean_of_one_draw 0 gauss d k (fun x => x) small_k random_1) as [random_k _].
  pose proof (mean_of_a_product_of_two_draws (fun _ => 0) (normal_vector d) n i i' (fun row => row j) (fun row => row k)
                small random_j random_k) as draws.
  destruct (moments_of_two_entries n d sigma i i' j k _ draws) as [random mean]. split; [exact random|].
  rewrite mean. unfold normal_vector at 1. rewrite mean_j, mean_1. ring.
Qed.

(** ** Two independent matrices *)

(** A_p: the first n of 2n rows (no theorem reads more than n rows of A_p). *)
Definition first_rows (A : matrix) : matrix := A.

(** A_q: the last n of 2n rows. *)
Definition last_rows (n : nat) (A : matrix) : matrix := fun i => A (n + i)%nat.

Section TwoMatrices.

  Variables (n d : nat) (S : list nat) (sigma : R).
  Hypothesis S_is_inside : forall i, In i S -> (i < n)%nat.

  Let P := gaussian_matrix (n + n) d sigma.

  Lemma gaussian_matrices_have_uncorrelated_rows :
    uncorrelated_rows P S d (sigma ^ 2) first_rows /\ uncorrelated_rows P S d (sigma ^ 2) (last_rows n) /\
    uncorrelated_with_each_other P S d first_rows (last_rows n).
  Proof.
    split; [|split]; intros i j k inside small_j small_k; specialize (S_is_inside i inside).
    - destruct (moments_of_a_row (n + n) d sigma i j k ltac:(lia) small_j small_k) as [random mean].
      split; [exact random|]. unfold P. destruct (Nat.eqb j k); [right|]; exact mean.
    - destruct (moments_of_a_row (n + n) d sigma (n + i) j k ltac:(lia) small_j small_k) as [random mean].
      split; [exact random|]. unfold P. destruct (Nat.eqb j k); [right|]; exact mean.
    - apply (moments_of_two_rows (n + n) d sigma i (n + i) j k); [lia | assumption | assumption].
  Qed.

  Variables (L : R) (f : vector -> R).
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  (** g_p(y) - g_q(y) as a function of the 2n coordinates of both images of y: continuous and bounded. *)
  Let D (v : vector) : R := f (project v) - f (project (fun i => v (n + i)%nat)).

  Let f_is_continuous : continuous_on_the_box n f.
  Proof. apply (lipschitz_objectives_are_continuous n S L); assumption. Qed.

  Lemma difference_is_bounded : exists M, 0 <= M /\ forall v, Rabs (D v) <= M.
  Proof.
    destruct (bounded_after_projection n f f_is_continuous) as [M bound]. exists (2 * M).
    assert (0 <= M) by (eapply Rle_trans; [apply Rabs_pos | apply (bound (fun _ => 0))]). split; [lra|].
    intros v. pose proof (bound v) as first. pose proof (bound (fun i => v (n + i)%nat)) as second.
    apply Rabs_le_between in first. apply Rabs_le_between in second. unfold D. apply Rabs_le_between. lra.
  Qed.

  Lemma difference_is_continuous : continuous_in (n + n) D.
  Proof.
    intros v eps positive. pose proof (continuous_after_projection n f f_is_continuous) as cont.
    destruct (cont v (eps / 2) ltac:(lra)) as (delta & some & near).
    destruct (cont (fun i => v (n + i)%nat) (eps / 2) ltac:(lra)) as (delta' & some' & near').
    exists (Rmin delta delta'). split; [apply Rmin_glb_lt; assumption|]. intros v' close.
    assert (first : Rabs (f (project v') - f (project v)) < eps / 2).
    { apply near. intros i small. eapply Rlt_le_trans; [apply close; lia | apply Rmin_l]. }
    assert (second : Rabs (f (project (fun i => v' (n + i)%nat)) - f (project (fun i => v (n + i)%nat))) < eps / 2).
    { apply (near' (fun i => v' (n + i)%nat)). intros i small. eapply Rlt_le_trans; [apply close; lia | apply Rmin_r]. }
    apply Rabs_def2 in first. apply Rabs_def2 in second. unfold D. apply Rabs_def1; lra.
  Qed.

  Lemma function_of_the_difference_has_a_mean : forall (phi : R -> R) M y, (forall x, continuous phi x) ->
    (forall v, Rabs (phi (D v)) <= M) -> integrable P (fun A => phi (variation f d first_rows (last_rows n) y A)).
  Proof.
    intros phi M y cont bound.
    apply (law_of_an_image_under_a_gaussian_matrix (n + n) d sigma y (fun v => phi (D v))); [exists M; assumption|].
    intros v eps positive. specialize (cont (D v)). apply filterlim_locally with (eps := mkposreal eps positive) in cont.
    destruct cont as [delta near]. destruct (difference_is_continuous v delta (cond_pos delta)) as (delta' & some & near').
    exists delta'. split; [assumption|]. intros v' close. apply near. apply near'. assumption.
  Qed.

  Lemma variation_has_a_mean_square : forall y, has_a_mean_square P (variation f d first_rows (last_rows n) y).
  Proof.
    intros y. destruct difference_is_bounded as (M & positive & bound). split.
    - apply (function_of_the_difference_has_a_mean Rabs M); [apply continuous_Rabs|].
      intros v. rewrite Rabs_Rabsolu. apply bound.
    - apply (function_of_the_difference_has_a_mean (fun x => x ^ 2) (M ^ 2)).
      + intros x. apply (ex_derive_continuous (fun x => x ^ 2)). auto_derive. trivial.
      + intros v. rewrite <- RPow_abs. apply pow_incr. split; [apply Rabs_pos | apply bound].
  Qed.

  (** Claim [theorem-1]. Theorem 1 for Gaussian matrices: if A_p and A_q are independent with independent entries of law
      N(0, sigma^2) and f depends on d_e coordinates, E|g_p(y) - g_q(y)| <= sqrt(2 d_e) sigma L ||y||.  The mean exists; nothing
      is assumed but Assumption 1. *)
  Theorem mean_variation_of_gaussian_matrices : forall y, 0 <= sigma ->
    integrable P (fun A => Rabs (variation f d first_rows (last_rows n) y A)) /\
    E P (fun A => Rabs (variation f d first_rows (last_rows n) y A))
    <= sqrt (2 * INR (length S)) * sigma * L * norm (coordinates d) y.
  Proof.
    intros y positive. destruct gaussian_matrices_have_uncorrelated_rows as (rows_p & rows_q & cross).
    split; [apply variation_has_a_mean_square|].
    replace (sqrt (2 * INR (length S)) * sigma) with (sqrt (INR (length S) * (2 * sigma ^ 2))).
    - apply (mean_variation_from_second_moments P n d S L f first_rows (last_rows n) y L_is_nonnegative f_is_lipschitz
               (variation_has_a_mean_square y)); [pose proof (pow2_ge_0 sigma); lra|].
      apply (difference_has_uncorrelated_rows P d S first_rows (last_rows n)); assumption.
    - replace (INR (length S) * (2 * sigma ^ 2)) with (2 * INR (length S) * sigma ^ 2) by ring.
      rewrite sqrt_mult, sqrt_pow2; [reflexivity | assumption | | apply pow2_ge_0].
      apply Rmult_le_pos; [lra | apply pos_INR].
  Qed.

End TwoMatrices.

(** Claim [theorem-1]. With entries of variance 1/n, as in the paper, Theorem 1 holds for Gaussian matrices with the
    constant sqrt 2, for every L-Lipschitz f; the mean exists. *)
Theorem theorem_1_for_gaussian_matrices : forall n d L f y, (0 < n)%nat -> 0 <= L -> lipschitz n (coordinates n) L f ->
  let P := gaussian_matrix (n + n) d (/ sqrt (INR n)) in
  let size := fun A => Rabs (variation f d first_rows (last_rows n) y A) in
  integrable P size /\ E P size <= sqrt 2 * L * norm (coordinates d) y.
Proof.
  intros n d L f y some positive lip P size. assert (0 < INR n) by (apply lt_0_INR; assumption).
  assert (root : 0 < sqrt (INR n)) by (apply sqrt_lt_R0; assumption).
  assert (inside : forall i, In i (coordinates n) -> (i < n)%nat) by (intros i; apply in_coordinates).
  assert (scale : 0 <= / sqrt (INR n)) by (apply Rlt_le, Rinv_0_lt_compat; assumption).
  destruct (mean_variation_of_gaussian_matrices n d (coordinates n) (/ sqrt (INR n)) inside L f positive lip y scale)
    as [random bound].
  split; [exact random|]. eapply Rle_trans; [exact bound|]. right.
  rewrite length_of_coordinates, sqrt_mult by lra. field. lra.
Qed.

(** Claim [theorem-1-sharp]. If f depends on one coordinate (d_e = 1), the sharp constant holds for independent Gaussian matrices
    of every n and d: E|g_p(y) - g_q(y)| <= (2/sqrt(pi)) sigma L ||y||; the mean exists. *)
Theorem sharp_mean_variation_in_one_coordinate : forall n d i sigma L f y, (i < n)%nat -> 0 <= sigma -> 0 <= L ->
  lipschitz n (cons i nil) L f ->
  let P := gaussian_matrix (n + n) d sigma in
  let size := fun A => Rabs (variation f d first_rows (last_rows n) y A) in
  integrable P size /\ E P size <= 2 / sqrt PI * sigma * L * norm (coordinates d) y.
Proof.
  intros n d i sigma L f y small positive positive_L lip P size. set (S := cons i nil).
  assert (inside : forall j, In j S -> (j < n)%nat) by (intros j [same | []]; subst; assumption).
  set (c := sigma * norm (coordinates d) y). assert (0 <= c) by (apply Rmult_le_pos; [assumption | apply norm_is_nonnegative]).
  set (D := fun v => f (project v) - f (project (fun j => v (n + j)%nat))).
  (* E|g_p(y) - g_q(y)| is the mean of |D(c z)|, z a vector of 2n normals. *)
  destruct (difference_is_bounded n S inside L f positive_L lip) as (M & _ & bound).
  assert (cont : continuous_in (n + n) (fun v => Rabs (D v))).
  { intros v eps some. destruct (difference_is_continuous n S inside L f positive_L lip v eps some) as (delta & some' & near).
    exists delta. split; [assumption|]. intros v' close. eapply Rle_lt_trans; [apply Rabs_triang_inv2 | apply near; assumption]. }
  destruct (law_of_an_image_under_a_gaussian_matrix (n + n) d sigma y (fun v => Rabs (D v))) as (random & random_z & equal);
    [exists M; intros v; rewrite Rabs_Rabsolu; apply bound | assumption |].
  fold c in random_z, equal. split; [exact random|].
  (* |D(c z)| <= L c |z_i - z_(n+i)|. *)
  assert (below : forall z, Rabs (D (multiple c z)) <= L * c * Rabs (z i - z (n + i)%nat)).
  { intros z. unfold D. eapply Rle_trans; [apply lip; apply projection_lands_in_the_box|]. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [assumption|]. unfold norm, square_norm. cbn [sum].
    replace (minus (project (multiple c z)) (project (fun j => multiple c z (n + j)%nat)) i ^ 2 + 0)
      with (Rsqr (clip (c * z i) - clip (c * z (n + i)%nat))) by (unfold minus, project, multiple, Rsqr; ring).
    rewrite sqrt_Rsqr_abs. eapply Rle_trans; [apply clip_moves_no_points_apart|].
    replace (c * z i - c * z (n + i)%nat) with (c * (z i - z (n + i)%nat)) by ring. rewrite Rabs_mult, (Rabs_right c) by lra. lra. }
  (* The mean of |z_i - z_(n+i)| is 2/sqrt(pi). *)
  destruct mean_distance_of_two_normals as (inner & outer & value).
  destruct (mean_of_two_draws 0 gauss (n + n) i (n + i) (fun p q => Rabs (p - q)) ltac:(lia) inner outer) as [random_d mean_d].
  replace (2 / sqrt PI * sigma * L * norm (coordinates d) y) with (L * c * (2 / sqrt PI)) by (unfold c; ring).
  rewrite <- value, <- mean_d. change (E P size) with (E (gaussian_matrix (n + n) d sigma) (fun A => Rabs (D (times d A y)))).
  rewrite equal, <- (E_of_multiple _ (L * c) _ random_d).
  apply (E_is_monotone (normal_vector (n + n))); [exact random_z | apply multiple_is_integrable; exact random_d | exact below].
Qed.
