(** * Gaussian vectors and matrices: A y has the law of sigma ||y|| z

    The entries of a Gaussian matrix are independent draws of N(0, 1), times sigma.  For every n and d and every continuous
    bounded F on R^n, E F(A y) = E F(sigma ||y|| z), z a vector of n independent normals.  First for one row, by induction
    on d: a sum of two independent normals is normal.  Then row by row. *)

From Coq Require Import List Arith Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From EmbeddedHunter Require Import Vectors Expectation Independent ContinuousOnBoxes Gauss
  GaussExpectation GaussContinuous GaussExchange GaussSum.
Local Open Scope R_scope.

(** z_0, ..., z_(n-1) independent and N(0, 1). *)
Definition normal_vector (n : nat) : expectation vector := draws 0 gauss n.

(** n independent rows of d entries. *)
Definition normal_matrix (n d : nat) : expectation matrix := draws (fun _ => 0) (normal_vector d) n.

(** Entries of law N(0, sigma^2). *)
Definition gaussian_matrix (n d : nat) (sigma : R) : expectation matrix :=
  image (normal_matrix n d) (fun Z i j => sigma * Z i j).

(** The mean over the last entry, then over the others. *)
Lemma normal_vector_mean : forall n X,
  E (normal_vector (S n)) X = E (normal_vector n) (fun w => E gauss (fun a => X (extend n w a))).
Proof. reflexivity. Qed.

Definition multiple (c : R) (x : vector) : vector := fun i => c * x i.

(** ** The mean over one coordinate *)

Section LastCoordinate.

  Variables (n : nat) (F : vector -> R).
  Hypothesis F_is_bounded : bounded F.
  Hypothesis F_is_continuous : uniformly_continuous_in (S n) F.

  (** As a function of its last coordinate, F is continuous. *)
  Lemma continuous_in_the_last_coordinate : forall w a, continuous (fun a => F (extend n w a)) a.
  Proof.
    intros w a. apply filterlim_locally. intros eps.
    destruct (uniformly_continuous_is_continuous _ _ F_is_continuous (extend n w a) eps (cond_pos eps)) as (delta & some & near).
    exists (mkposreal delta some). intros b close. apply near. intros i small. unfold extend.
    destruct (Nat.eqb_spec i n); [exact close | rewrite Rminus_eq_0, Rabs_R0; assumption].
  Qed.

  Lemma last_coordinate_is_integrable : forall w, integrable gauss (fun a => F (extend n w a)).
  Proof.
    intros w. destruct F_is_bounded as [M bound].
    apply (continuous_bounded_is_integrable _ M); [apply continuous_in_the_last_coordinate | intros; apply bound].
  Qed.

  Definition mean_over_the_last : vector -> R := fun w => E gauss (fun a => F (extend n w a)).

  Lemma mean_over_the_last_is_bounded : bounded mean_over_the_last.
  Proof.
    destruct F_is_bounded as [M bound]. exists M. intros w.
    apply mean_is_bounded; [apply last_coordinate_is_integrable | intros; apply bound].
  Qed.

  Lemma mean_over_the_last_is_continuous : uniformly_continuous_in n mean_over_the_last.
  Proof.
    intros rho eps positive. destruct F_is_bounded as [M bound].
    assert (0 <= M) by (eapply Rle_trans; [apply Rabs_pos | apply (bound (fun _ => 0))]).
    destruct (tail_vanishes (eps / (4 * (M + 1)))) as (T & some & small); [apply Rdiv_lt_0_compat; lra|].
    apply Rlt_div_r in small; [|lra]. pose proof (tail_is_nonnegative T).
    destruct (F_is_continuous (Rmax rho T) (eps / 2)) as (delta & some' & near); [lra|].
    exists delta. split; [assumption|]. intros w w' inside. unfold mean_over_the_last.
    apply Rle_lt_trans with (eps / 2 + 2 * M * tail T); [|assert (0 <= M * tail T) by (apply Rmult_le_pos; assumption); lra].
    apply means_of_near_functions; try (intros; apply bound); try (intros; apply continuous_in_the_last_coordinate); try lra.
    intros a close. apply Rlt_le, near. intros i below. unfold extend. destruct (Nat.eqb_spec i n).
    - rewrite Rminus_eq_0, Rabs_R0. pose proof (Rmax_r rho T). repeat split; lra.
    - destruct (inside i ltac:(lia)) as (first & second & step). pose proof (Rmax_l rho T). repeat split; lra.
  Qed.

End LastCoordinate.

(** Continuous bounded functions of a Gaussian vector have means. *)
Lemma normal_vector_integrable : forall n F, bounded F -> uniformly_continuous_in n F -> integrable (normal_vector n) F.
Proof.
  induction n; intros F bound cont; [exact I|]. apply (draws_integrable 0 gauss).
  - apply last_coordinate_is_integrable; assumption.
  - apply (IHn (mean_over_the_last n F)); [apply mean_over_the_last_is_bounded | apply mean_over_the_last_is_continuous]; assumption.
Qed.

(** ** One row *)

(** row . y *)
Definition row_times (d : nat) (row y : vector) : R := sum (coordinates d) (fun j => row j * y j).

Lemma sum_to_the_last : forall d (a : nat -> R), sum (coordinates (S d)) a = sum (coordinates d) a + a d.
Proof.
  intros d a. unfold coordinates. rewrite seq_S, sum_of_an_append. cbn [Nat.add sum]. lra.
Qed.

Lemma row_times_of_an_extended_row : forall d row a y, row_times (S d) (extend d row a) y = row_times d row y + y d * a.
Proof.
  intros. unfold row_times. rewrite sum_to_the_last, extend_here.
  rewrite (sum_of_equal_terms _ _ _ (fun j => row j * y j)); [ring|].
  intros j member. apply in_coordinates in member. rewrite extend_elsewhere by assumption. reflexivity.
Qed.

Lemma norm_of_one_coordinate_more : forall d y, sqrt (norm (coordinates d) y ^ 2 + y d ^ 2) = norm (coordinates (S d)) y.
Proof. intros d y. rewrite norm_squared. unfold norm, square_norm. rewrite sum_to_the_last. reflexivity. Qed.

(** The inner product of y with a vector of d independent normals has the law of ||y|| N: for
    every continuous bounded phi and every d, E phi(z . y) = E phi(||y|| N). *)
Lemma inner_product_with_a_normal_vector : forall d y (phi : R -> R) M,
  (forall x, continuous phi x) -> (forall x, Rabs (phi x) <= M) ->
  E (normal_vector d) (fun row => phi (row_times d row y)) = E gauss (fun x => phi (norm (coordinates d) y * x)).
Proof.
  intros d y. induction d; intros phi M cont bound.
  - cbn [E normal_vector draws certain]. unfold row_times, norm, square_norm. cbn [coordinates seq sum]. rewrite sqrt_0.
    rewrite (E_same _ gauss _ (fun _ => phi 0)) by (intros; f_equal; ring). symmetry. apply E_of_constant.
  - rewrite normal_vector_mean.
    set (Psi := fun v => E gauss (fun a => phi (v + y d * a))).
    assert (plane : forall v a, continuity_2d_pt (fun v a => phi (v + y d * a)) v a).
    { intros v a. apply (continuity_1d_2d_pt_comp phi (fun v a => v + y d * a)); [apply continuity_pt_filterlim, cont|].
      apply continuity_2d_pt_plus; [apply continuity_2d_pt_id1|].
      apply continuity_2d_pt_mult; [apply continuity_2d_pt_const | apply continuity_2d_pt_id2]. }
    (* The last entry first; then the others by induction; then the sum of two normals. *)
    transitivity (E (normal_vector d) (fun row => Psi (row_times d row y))).
    { apply E_same. intros row. apply E_same. intros a. rewrite row_times_of_an_extended_row. reflexivity. }
    rewrite (IHd Psi M).
    + rewrite <- norm_of_one_coordinate_more. apply (sum_of_two_normals phi M); assumption.
    + apply (mean_of_a_column_is_continuous _ M plane). intros; apply bound.
    + apply (mean_of_a_column_is_bounded _ M plane). intros; apply bound.
Qed.

(** ** All rows *)

Lemma times_an_extended_matrix : forall n d A row y i,
  times d (extend n A row) y i = extend n (times d A y) (row_times d row y) i.
Proof. intros. unfold times, extend, row_times. destruct (Nat.eqb i n); reflexivity. Qed.

(** Multiplying the last coordinate by c, and replacing it by an inner product. *)
Lemma scaling_the_last_is_lipschitz : forall n c,
  lipschitz_map (S n) (S n) (Rabs c + 1) (fun w => extend n w (c * w n)).
Proof.
  intros n c w w' eta positive near j small. pose proof (Rabs_pos c). unfold extend. destruct (Nat.eqb_spec j n).
  - replace (c * w' n - c * w n) with (c * (w' n - w n)) by ring. rewrite Rabs_mult. specialize (near n ltac:(lia)).
    assert (Rabs c * Rabs (w' n - w n) <= Rabs c * eta) by (apply Rmult_le_compat_l; assumption). lra.
  - specialize (near j small). nra.
Qed.

Lemma row_times_is_lipschitz : forall n d v y,
  lipschitz_map d (S n) (sum (coordinates d) (fun j => Rabs (y j))) (fun row => extend n v (row_times d row y)).
Proof.
  intros n d v y row row' eta positive near j small. unfold extend. destruct (Nat.eqb_spec j n).
  - unfold row_times.
    assert (step : forall l, (forall i, In i l -> Rabs (row' i - row i) <= eta) ->
      Rabs (sum l (fun j => row' j * y j) - sum l (fun j => row j * y j)) <= sum l (fun j => Rabs (y j)) * eta).
    { induction l as [|i rest IH]; intros close; cbn [sum]; [rewrite Rminus_eq_0, Rabs_R0; lra|].
      specialize (IH ltac:(intros; apply close; right; assumption)). specialize (close i (or_introl eq_refl)).
      replace (row' i * y i + sum rest (fun j => row' j * y j) - (row i * y i + sum rest (fun j => row j * y j)))
        with (y i * (row' i - row i) + (sum rest (fun j => row' j * y j) - sum rest (fun j => row j * y j))) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, Rmult_plus_distr_r.
      apply Rplus_le_compat; [apply Rmult_le_compat_l; [apply Rabs_pos | assumption] | assumption]. }
    apply step. intros i member. apply near, in_coordinates. assumption.
  - rewrite Rminus_eq_0, Rabs_R0. apply Rmult_le_pos; [apply sum_is_nonnegative; intros; apply Rabs_pos | assumption].
Qed.

Lemma law_of_an_image_under_a_normal_matrix : forall d y n F, bounded F -> uniformly_continuous_in n F ->
  integrable (normal_matrix n d) (fun A => F (times d A y)) /\
  E (normal_matrix n d) (fun A => F (times d A y)) = E (normal_vector n) (fun z => F (multiple (norm (coordinates d) y) z)).
Proof.
  intros d y. set (c := norm (coordinates d) y). induction n; intros F bound cont.
  - split; [exact I|]. apply (continuous_functions_read_n_coordinates 0); [apply uniformly_continuous_is_continuous; assumption|].
    intros; lia.
  - pose proof (continuous_functions_read_n_coordinates _ _ (uniformly_continuous_is_continuous _ _ cont)) as same.
    (* Psi(v): the mean over the last coordinate c N, the others being v. *)
    set (F' := fun w => F (extend n w (c * w n))). set (Psi := mean_over_the_last n F').
    assert (bound' : bounded F') by (destruct bound as [M bound]; exists M; intros; apply bound).
    assert (cont' : uniformly_continuous_in (S n) F').
    { apply (composition_is_uniformly_continuous _ (S n) (Rabs c + 1) (fun w => extend n w (c * w n)) F); [pose proof (Rabs_pos c); lra | | assumption].
      apply scaling_the_last_is_lipschitz. }
    assert (last : forall w a, F' (extend n w a) = F (extend n w (c * a))).
    { intros w a. apply same. intros i small. unfold extend. rewrite Nat.eqb_refl. destruct (Nat.eqb i n); reflexivity. }
    destruct (IHn Psi) as [random mean];
      [apply mean_over_the_last_is_bounded | apply mean_over_the_last_is_continuous |]; try assumption.
    assert (row : forall A, E (normal_vector d) (fun row => F (times d (extend n A row) y)) = Psi (times d A y)).
    { intros A. transitivity (E (normal_vector d) (fun row => F (extend n (times d A y) (row_times d row y)))).
      - apply E_same. intros row. apply same. intros i _. apply times_an_extended_matrix.
      - destruct bound as [M bound].
        rewrite (inner_product_with_a_normal_vector d y (fun a => F (extend n (times d A y) a)) M);
          [|apply continuous_in_the_last_coordinate; assumption | intros; apply bound].
        apply E_same. intros a. symmetry. apply last. }
    split.
    + apply (draws_integrable (fun _ => 0) (normal_vector d)).
      * intros A. apply (integrable_same _ _ (fun row => F (extend n (times d A y) (row_times d row y)))).
        -- intros row'. apply same. intros i _. symmetry. apply times_an_extended_matrix.
        -- apply normal_vector_integrable; [destruct bound as [M bound]; exists M; intros; apply bound|].
           apply (composition_is_uniformly_continuous d (S n) (sum (coordinates d) (fun j => Rabs (y j)))
                    (fun row => extend n (times d A y) (row_times d row y)) F);
             [apply sum_is_nonnegative; intros; apply Rabs_pos | apply row_times_is_lipschitz | assumption].
      * eapply integrable_same; [intros A; symmetry; apply row | exact random].
    + transitivity (E (normal_matrix n d) (fun A => Psi (times d A y))); [apply (E_same _ (normal_matrix n d)), row|].
      rewrite mean, normal_vector_mean. apply E_same. intros z. unfold Psi, mean_over_the_last. apply E_same.
      intros a. rewrite last. apply same. intros i _. unfold extend, multiple. destruct (Nat.eqb i n); reflexivity.
Qed.

Lemma multiple_is_lipschitz : forall n c, lipschitz_map n n (Rabs c) (multiple c).
Proof.
  intros n c x x' eta positive near j small. unfold multiple. replace (c * x' j - c * x j) with (c * (x' j - x j)) by ring.
  rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | apply near; assumption].
Qed.

Lemma times_a_multiple : forall d sigma Z y i, times d (fun i j => sigma * Z i j) y i = multiple sigma (times d Z y) i.
Proof.
  intros. unfold times, multiple. rewrite <- sum_of_multiples. apply sum_of_equal_terms. intros. ring.
Qed.

(** Claim [radial-collapse]. A y has the law of sigma ||y|| z, for every n and d: if the entries of A are
    independent and N(0, sigma^2) and z is a vector of n independent normals, E F(A y) = E F(sigma ||y|| z) for every F
    that is bounded and continuous on R^n; these means exist. *)
Theorem law_of_an_image_under_a_gaussian_matrix : forall n d sigma y F, bounded F -> continuous_in n F ->
  integrable (gaussian_matrix n d sigma) (fun A => F (times d A y)) /\
  integrable (normal_vector n) (fun z => F (multiple (sigma * norm (coordinates d) y) z)) /\
  E (gaussian_matrix n d sigma) (fun A => F (times d A y))
  = E (normal_vector n) (fun z => F (multiple (sigma * norm (coordinates d) y) z)).
Proof.
  intros n d sigma y F bound cont. pose proof (continuous_functions_read_n_coordinates _ _ cont) as same.
  apply heine in cont. destruct bound as [M bound].
  assert (multiples : forall c, bounded (fun x => F (multiple c x)) /\ uniformly_continuous_in n (fun x => F (multiple c x))).
  { intros c. split; [exists M; intros; apply bound|].
    apply (composition_is_uniformly_continuous n n (Rabs c) (multiple c) F); [apply Rabs_pos | apply multiple_is_lipschitz | assumption]. }
  destruct (law_of_an_image_under_a_normal_matrix d y n (fun x => F (multiple sigma x))) as [random mean];
    [apply multiples | apply multiples |].
  assert (scaled : forall Z, F (multiple sigma (times d Z y)) = F (times d (fun i j => sigma * Z i j) y)).
  { intros Z. apply same. intros i _. symmetry. apply times_a_multiple. }
  split; [exact (integrable_same _ _ _ _ scaled random)|].
  split; [apply normal_vector_integrable; apply multiples|].
  transitivity (E (normal_matrix n d) (fun Z => F (multiple sigma (times d Z y)))).
  - apply (E_same _ (normal_matrix n d)). intros Z. symmetry. apply scaled.
  - rewrite mean. apply E_same. intros z. apply same. intros i _. unfold multiple. ring.
Qed.
