(** * Instances of the theorems on fixed and on random matrices

    As in Canaries.v. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Vectors Cells WellShaped RealValues Indexed IndexedRegret IndexedCoverage Invariance
  Expectation Moments Ceiling CeilingOfTheMean SignMatrices Coverage Forest ForestRegret ExactProducts NoDeadEnds.
From EmbeddedHunter Require Filters Geometry ForestTerms Soo Canaries.
Local Open Scope R_scope.
Local Notation small := Canaries.small.

(** ** Coverage by one of several matrices *)

(** Claims [multiple-run-success] [forest-coverage]. Of three coins, each of which shows heads with probability 1/2, one does with
    probability 7/8.  Instance of [Coverage.independent_embeddings_cover_with_probability]. *)
Theorem one_of_three_coins_shows_heads : let heads (o : R) := if Rle_dec o 0 then true else false in
  mean_of_run (fun _ : unit => finite_expectation coin) 3 (fun _ => tt) (ever heads) = 7 / 8.
Proof.
  intros heads. rewrite (independent_embeddings_cover_with_probability R (finite_expectation coin) heads 3 I).
  unfold probability, heads. cbn [E finite_expectation]. unfold mean. cbn [outcomes coin sum fst snd].
  destruct (Rle_dec 0 0), (Rle_dec 1 0); lra.
Qed.

(** ** Theorem 1 *)

(** Claim [theorem-1]. For f(x) = x, the point 1/2 and four equally likely pairs of matrices the mean difference is sqrt 2 / 2, which
    the bound with d_e = 1 attains; the printed bound is sqrt 8 / 2.
    Instance of [Moments.theorem_1_as_printed] and [Moments.theorem_1_with_effective_coordinates]. *)
Theorem theorem_1_on_four_pairs : let P := finite_expectation four_pairs in
  let mean := E P (fun w => Rabs (variation only_coordinate 1 first_of_pair second_of_pair half w)) in
  mean = sqrt 2 * 1 * Vectors.norm (coordinates 1) half /\ mean <= sqrt (2 * INR 1 / INR 1) * 1 * Vectors.norm (coordinates 1) half /\
  mean <= sqrt 8 * 1 * Vectors.norm (coordinates 1) half.
Proof.
  intros P mean. destruct sqrt_2_is_attained as (lip & rows_p & rows_q & apart & attained). fold P in rows_p, rows_q, apart, attained.
  split; [exact attained|]. split.
  - apply (theorem_1_with_effective_coordinates P 1 1 (coordinates 1)); auto; [lra|repeat split].
  - apply (theorem_1_as_printed P 1 1); auto; [lra|repeat split].
Qed.

(** ** One fixed matrix *)

(** The distance from 1/2, and the matrices of the numbers 1, 1/2, 1/3, ... *)
Definition distance_from_half (x : vector) : R := 1 * Vectors.norm [0%nat] (minus x (fun _ => 1 / 2)).
Definition entries (q : nat) : matrix := fun _ _ => / (INR q + 1).

Lemma distance_from_half_is_lipschitz : lipschitz 1 [0%nat] 1 distance_from_half.
Proof. apply cone_is_lipschitz. lra. Qed.

(** Claim [assumption-2]. For the entry 1, K = 3 and R = 1 the base point 2/3 of the right cell of depth 1 is at most as far from 1/2 as
    the point 1/2 of the cell, and the stretch times the radius of the cell more.
    Instance of [Indexed.base_point_is_nearly_as_good_as_its_cell] and [Indexed.embedded_objective_is_lipschitz]. *)
Theorem a_base_point_is_nearly_as_good_as_the_optimum : let B := entries 0 in let N := frobenius [0%nat] 1 B in
  let g := embedded distance_from_half 1 B in let best : vector := fun _ => 1 / 2 in
  g (base_point 1 1 1 [2%nat]) <= g best + 1 * N * circumradius 1 1 1 1 /\
  Rabs (g (fun _ => 0) - g best) <= 1 * N * Vectors.norm (coordinates 1) (minus (fun _ => 0) best).
Proof.
  intros B N g best. pose proof (frobenius_norm_bounds_the_stretch [0%nat] 1 B) as stretch. split.
  - apply (base_point_is_nearly_as_good_as_its_cell 1 1 1 Rlt_0_1 1 [0%nat] 1 distance_from_half B N [2%nat] best Rle_0_1
      distance_from_half_is_lipschitz stretch).
    intros [|j] H; [|lia]. change (Geometry.num 1 1 [2%nat] 0) with 1%Z. unfold power, splits, best. cbn. lra.
  - apply (embedded_objective_is_lipschitz 1 [0%nat] 1 distance_from_half 1 B N _ best Rle_0_1 distance_from_half_is_lipschitz stretch).
Qed.

(** Claim [assumption-4]. The matrices of the entries 1 and 1/2 differ by at most tau at every base point, for K = 3 and d = R = 1.
    Instance of [IndexedCoverage.embeddings_differ_by_at_most_tau]. *)
Theorem two_entries_differ_by_at_most_tau : let T := frobenius [0%nat] 1 (fun i j => entries 0 i j - entries 1 i j) in
  let g q := g distance_from_half entries small q (base_point 1 1 1 [2%nat]) in Rabs (g 0%nat - g 1%nat) <= tau 1 1 small T.
Proof.
  intros T g. apply (embeddings_differ_by_at_most_tau 1 [0%nat] 1 distance_from_half entries 1 small (le_n 1) Rlt_0_1 Rle_0_1
    distance_from_half_is_lipschitz 1 T (frobenius_norm_bounds_the_stretch _ _ _) [2%nat]). repeat constructor.
Qed.

(** Claim [n-invariance]. With matrices twice as large on [-1, 1] the run is that on [-2, 2], and it does not read the rows below the first.
    Instance of [Invariance.runs_depend_on_scale_times_radius] and [Invariance.runs_depend_on_the_effective_rows_alone]. *)
Theorem matrices_twice_as_large_give_the_run_on_twice_the_space : let run A R := Model.hunt less_real (indexed_oracle distance_from_half A R small) small in
  run (fun q i j => 2 * entries q i j) 1 = run entries (2 * 1) /\ run entries 1 = run (fun q i j => entries q i j + INR i) 1.
Proof.
  intros run. split.
  - apply (runs_depend_on_scale_times_radius 1 [0%nat] 1 distance_from_half small Rle_0_1 distance_from_half_is_lipschitz).
  - apply (runs_depend_on_the_effective_rows_alone 1 [0%nat] 1 distance_from_half small Rle_0_1 distance_from_half_is_lipschitz).
    intros q i j [<-|[]] _. cbn. lra.
Qed.

(** ** Trees with fixed matrices *)

Lemma the_entry_1_covers_one_half : embedded distance_from_half 1 (entries 0) (fun _ => 1 / 2) = distance_from_half (fun _ => 1 / 2).
Proof.
  assert (image : times 1 (entries 0) (fun _ => 1 / 2) 0%nat = 1 / 2) by (unfold times, entries; cbn; lra).
  unfold embedded, distance_from_half, Vectors.norm. do 2 f_equal. unfold square_norm. cbn [sum]. do 2 f_equal.
  unfold minus, project. rewrite image, clip_is_the_identity_inside by lra. lra.
Qed.

Lemma one_half_is_in_the_space : in_closed_space 1 1 (fun _ => 1 / 2).
Proof. intros j _. lra. Qed.

(** Claim [forest-coverage]. Two trees with the entries 1 and 1/2 come within 1/10 of the optimum, from some depth and budget on.
    Instance of [ForestRegret.the_forest_finds_an_optimum_that_one_embedding_covers]. *)
Theorem two_trees_come_within_a_tenth : exists h, forall (cfg : forest_settings) later,
  Model.half cfg = 1%nat -> dimension_of cfg = (fun _ => 1%nat) -> (h <= h_max cfg)%nat ->
  (2 + spacing cfg * (2 * S h + length (ForestTerms.forest_levels cfg 2 h)) * (2 * 1 * 2 * S (h_max cfg)) <= budget cfg)%nat ->
  answer (Forest.hunt less_real cfg 2 (forest_oracle distance_from_half entries (fun _ => 1) cfg) later nothing (separate_origin 2) one_class)
    <= distance_from_half (fun _ => 1 / 2) + 1 / 10.
Proof.
  apply (the_forest_finds_an_optimum_that_one_embedding_covers 1 [0%nat] 1 distance_from_half entries (fun _ => 1) 2 0 (fun _ => 1 / 2)
    (fun _ => 1 / 2) 1 (fun _ => 1%nat)); try lra; try lia.
  - exact distance_from_half_is_lipschitz.
  - intros. exact Rlt_0_1.
  - exact one_half_is_in_the_space.
  - exact the_entry_1_covers_one_half.
Qed.

(** Claim [dimension-guarantee]. Two trees of dimension 1, which has sweeps of its own, with h_max = 0 and v = 100: the answer is at most
    the stretch times the radius of a cell of depth 1.  Instance of [ForestRegret.every_dimension_has_its_bound_within_a_budget]. *)
Theorem a_dimension_of_two_trees_has_its_bound : let cfg := ForestSettings (Settings 1 1 0 100 0 1) (fun _ => 1%nat) [1%nat] in
  forall later, answer (Forest.hunt less_real cfg 2 (forest_oracle distance_from_half entries (fun _ => 1) cfg) later nothing (separate_origin 2) one_class)
    <= distance_from_half (fun _ => 1 / 2) + 1 * frobenius [0%nat] 1 (entries 0) * circumradius 1 1 1 1.
Proof.
  intros cfg later.
  apply (every_dimension_has_its_bound_within_a_budget 1 [0%nat] 1 distance_from_half entries (fun _ => 1) cfg 2 later (fun _ => 1 / 2)
    (fun _ => le_n 1) Rle_0_1 distance_from_half_is_lipschitz (fun _ => Rlt_0_1) (le_n 1) 1 0
    (frobenius [0%nat] 1 (entries 0)) (fun _ => 1 / 2) 0 (or_introl eq_refl) eq_refl (le_S _ _ (le_n 1))
    (frobenius_norm_bounds_the_stretch _ _ _) one_half_is_in_the_space the_entry_1_covers_one_half (le_n 0)).
  match goal with |- context [length (ForestTerms.rest_near ?l ?c ?t ?o ?th ?g ?h)] =>
    assert (few : (length (ForestTerms.rest_near l c t o th g h) <= 2)%nat) by apply (Filters.length_filter _ (ForestTerms.forest_levels c t h));
    generalize dependent (length (ForestTerms.rest_near l c t o th g h)) end.
  intros m few. do 3 (destruct m as [|m]; [apply Nat.ltb_lt; reflexivity|]). lia.
Qed.

(** ** Exact products *)

(** Claim [exact-products]. With the entries 1 and 1 and the numbers 1 and 1 the sum of the products is computed without an error, rounded to
    nearest.  Instance of [ExactProducts.products_are_exact_in_every_order]. *)
Theorem one_and_one_are_two : let ones := (fun _ => 1) : nat -> R in let s := Plus (Product 0) (Product 1) in
  computed (Generic_fmt.Znearest (fun x => negb (Z.even x))) ones ones s = 2.
Proof.
  intros ones s. etransitivity; [apply (products_are_exact_in_every_order ones ones 2 0 0)|cbn; unfold ones; lra].
  - intros j _. exists (2 ^ 18)%Z. unfold ones. cbn. split; [lra|lia].
  - intros j _. exists 1%Z. unfold ones. cbn. split; [lra|lia].
  - cbn. lia.
  - lia.
  - apply Generic_fmt.valid_rnd_N.
  - apply Permutation.Permutation_refl.
Qed.

(** ** One effective direction *)

(** Claim [no-dead-ends]. For |y| on [-1, 1] and K = 3, SOO is within 3^-3 of the optimum after three sweeps.
    Instance of [NoDeadEnds.soo_in_one_direction]. *)
Theorem soo_comes_within_a_27th : let value := NoDeadEnds.value 1 1 1 (fun _ => 1) 0 (fun s => s) in
  Soo.least_value less_real value [] (Soo.after less_real value (Cells.children 1) [] 5 3) <= 1 * one_norm 1 (fun _ => 1) / power 1 (3 / 1).
Proof.
  intros value. apply (soo_in_one_direction 1 1 1 (fun _ => 1) 0 (fun s => s) (le_n 1) Rlt_0_1).
  - intros. lra.
  - rewrite Rabs_R0. unfold one_norm. cbn. rewrite Rabs_R1. lra.
  - lia.
Qed.
