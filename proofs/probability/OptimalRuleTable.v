(** * The dynamic program of OptimalRule.v on distribution functions

    This is what the regret module computes.  The laws are finite.  What happens to V if distribution functions are replaced by
    bounds; an example. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Vectors Expectation Ceiling OptimalRule.
Local Open Scope R_scope.

(** Values are the levels b_0 <= b_1 <= ..., and an observation is the number of a level.  The regret module computes the
    program from F_c(l) = P(X_c <= b_l) by summation by parts. *)

(** P(X <= b_l). *)
Definition distribution (mu : finite_distribution nat) (l : nat) : R :=
  probability (finite_expectation mu) (fun i => Nat.leb i l).

(** The sum of F(l) (W(l + 1) - W(l)) over l < j. *)
Fixpoint gain (F : nat -> R) (W : nat -> R) (j : nat) : R :=
  match j with
  | O => 0
  | S l => gain F W l + F l * (W (S l) - W l)
  end.

Lemma summation_by_parts : forall mu W j,
  mean mu (fun i => W (min i j)) = W j - gain (distribution mu) W j.
Proof.
  intros mu W. induction j as [|l IH]; cbn [gain].
  - rewrite Rminus_0_r, <- (E_of_constant (finite_expectation mu) (W O)).
    apply (E_same _ (finite_expectation mu)). intros i. rewrite Nat.min_0_r. reflexivity.
  - change (mean mu) with (E (finite_expectation mu)) in *.
    rewrite (E_same _ (finite_expectation mu) _
      (fun i => 1 * (1 * W (min i l) + (W (S l) - W l) * 1) + - (W (S l) - W l) * (if Nat.leb i l then 1 else 0))).
    + rewrite (E_linear _ (finite_expectation mu) 1 _ (fun i => 1 * W (min i l) + (W (S l) - W l) * 1)) by exact I.
      rewrite (E_linear _ (finite_expectation mu) 1 _ (fun i => W (min i l)) (fun _ => 1)), IH, E_one by exact I.
      unfold distribution, probability. lra.
    + intros i. destruct (Nat.leb_spec i l) as [small | large].
      * rewrite !Nat.min_l by lia. ring.
      * rewrite !Nat.min_r by lia. ring.
Qed.

Lemma gain_of_equals : forall F W W' j, (forall i, (i <= j)%nat -> W i = W' i) -> gain F W j = gain F W' j.
Proof.
  intros F W W'. induction j as [|l IH]; intros same; cbn [gain]; [reflexivity|].
  rewrite IH by (intros; apply same; lia). rewrite !same by lia. reflexivity.
Qed.

Lemma gain_is_monotone_in_F : forall F F' W j, (forall l, F l <= F' l) -> (forall l, W l <= W (S l)) ->
  gain F W j <= gain F' W j.
Proof.
  intros F F' W j below increasing. induction j as [|l IH]; cbn [gain]; [lra|].
  apply Rplus_le_compat; [assumption|]. apply Rmult_le_compat_r; [specialize (increasing l); lra | apply below].
Qed.

Section Levels.

  Context {Choice : Type} (first : Choice) (others : list Choice).
  Variable level : nat -> R.
  Hypothesis levels_increase : forall l, level l <= level (S l).

  (** V k b_j, from the distribution functions: row k + 1 from row k. *)
  Fixpoint table (F : Choice -> nat -> R) (k : nat) (j : nat) : R :=
    match k with
    | O => level j
    | S k' => least first others (fun c => table F k' j - gain (F c) (table F k') j)
    end.

  Definition value_of_laws (law : Choice -> finite_distribution nat) (k j : nat) : R :=
    V first others (fun c => finite_expectation (law c)) level k (level j).

  Lemma levels_are_ordered : forall i j, (i <= j)%nat -> level i <= level j.
  Proof. intros i j order. induction order; [lra | specialize (levels_increase m); lra]. Qed.

  Lemma the_smaller_of_two_levels : forall i j, Rmin (level i) (level j) = level (min i j).
  Proof.
    intros i j. destruct (Nat.le_ge_cases i j) as [order | order].
    - rewrite Nat.min_l by assumption. apply Rmin_left, levels_are_ordered. assumption.
    - rewrite Nat.min_r by assumption. apply Rmin_right, levels_are_ordered. assumption.
  Qed.

  (** Claim [optimal-rule]. What is computed from the distribution functions, row by row, is the value of the program. *)
  Theorem the_table_is_the_value_of_the_program : forall law k j,
    table (fun c => distribution (law c)) k j = value_of_laws law k j.
  Proof.
    intros law. unfold value_of_laws. induction k; intros j; cbn [table V]; [reflexivity|].
    apply least_of_equals. intros c. rewrite <- summation_by_parts.
    apply (E_same _ (finite_expectation (law c))). intros i. rewrite the_smaller_of_two_levels. apply IHk.
  Qed.

  Lemma the_value_increases_with_the_level : forall law k l, value_of_laws law k l <= value_of_laws law k (S l).
  Proof.
    intros. apply larger_values_never_lower_the_value_of_the_program; try (intros ? **; exact I); [intros; lra|].
    apply levels_increase.
  Qed.

  (** What stays below row after row is at the end below the value of the program. *)
  Lemma rows_below_stay_below : forall law (B : nat -> nat -> R),
    (forall j, B O j <= level j) ->
    (forall k j c, In c (first :: others) -> B (S k) j <= B k j - gain (distribution (law c)) (B k) j) ->
    forall k j, B k j <= value_of_laws law k j.
  Proof.
    intros law B start step. induction k; intros j; [apply start|]. unfold value_of_laws. cbn [V].
    set (row := fun c => E (finite_expectation (law c)) (fun i => value_of_laws law k (min i j))).
    rewrite (least_of_equals first others _ row).
    - rewrite <- cheapest_has_the_least_cost. set (c := cheapest _ _ _).
      eapply Rle_trans; [apply (step k j c), cheapest_is_a_choice|].
      rewrite <- summation_by_parts. apply (E_is_monotone (finite_expectation (law c))); try exact I.
      intros i. apply IHk.
    - intros c. apply E_same. intros i. rewrite the_smaller_of_two_levels. reflexivity.
  Qed.

  (** Claim [optimal-rule]. Larger distribution functions never raise the result.  So upper bounds of all distribution
      functions give a lower bound for every rule. *)
  Theorem larger_distribution_functions_never_raise_the_value_of_the_program : forall law law',
    (forall c l, In c (first :: others) -> distribution (law c) l <= distribution (law' c) l) ->
    forall k j, value_of_laws law' k j <= value_of_laws law k j.
  Proof.
    intros law law' below. apply rows_below_stay_below; [intros; unfold value_of_laws; cbn; lra|].
    intros k j c inside. rewrite <- the_table_is_the_value_of_the_program at 1. cbn [table].
    eapply Rle_trans; [apply (least_is_a_lower_bound first others _ c inside)|].
    rewrite the_table_is_the_value_of_the_program. apply Rplus_le_compat_l, Ropp_le_contravar.
    rewrite (gain_of_equals _ (table _ k) (value_of_laws law' k))
      by (intros; apply the_table_is_the_value_of_the_program).
    apply gain_is_monotone_in_F; [intros; apply below; assumption | apply the_value_increases_with_the_level].
  Qed.

  (** b_0 + the sum of (1 - pbar(l))^k (b_(l + 1) - b_l) over l < j. *)
  Fixpoint ceiling_mean (pbar : nat -> R) (k : nat) (j : nat) : R :=
    match j with
    | O => level O
    | S l => ceiling_mean pbar k l + (1 - pbar l) ^ k * (level (S l) - level l)
    end.

  Lemma next_ceiling_mean : forall pbar k j,
    ceiling_mean pbar (S k) j = ceiling_mean pbar k j - gain pbar (ceiling_mean pbar k) j.
  Proof.
    intros pbar k. induction j as [|l IH]; [cbn; ring|].
    cbn [ceiling_mean gain]. rewrite IH. cbn [ceiling_mean pow]. ring.
  Qed.

  Lemma the_only_law : forall (law : Choice -> finite_distribution nat) c k j,
    V c [] (fun c => finite_expectation (law c)) level k (level j) = ceiling_mean (distribution (law c)) k j.
  Proof.
    intros law c k. enough (rows : forall j, V c [] (fun c => finite_expectation (law c)) level k (level j)
      = ceiling_mean (distribution (law c)) k j) by exact rows.
    induction k; intros j.
    - cbn [V]. induction j as [|l IH]; cbn [ceiling_mean pow]; lra.
    - rewrite next_ceiling_mean, <- summation_by_parts. cbn [V least fold_right].
      apply (E_same _ (finite_expectation (law c))). intros i. rewrite the_smaller_of_two_levels. apply IHk.
  Qed.

  (** Claim [optimal-rule]. The mean of the best of k values of one law, from the level b_j on, in closed form. *)
  Theorem the_mean_of_one_law : forall (law : Choice -> finite_distribution nat) c k j,
    mean_of_run (fun c => finite_expectation (law c)) k (fun _ => c) (best level (level j))
    = ceiling_mean (distribution (law c)) k j.
  Proof.
    intros law c k j.
    exact (eq_trans
      (the_rule_of_the_program_attains_its_value c [] (fun c => finite_expectation (law c)) level k (level j))
      (the_only_law law c k j)).
  Qed.

End Levels.

(** ** An example: a sure 1, or 0 and 10 with equal chances *)

Definition sure : finite_distribution nat.
Proof. refine {| outcomes := [(1, 1%nat)] |}; weights. Defined.

Definition gamble : finite_distribution nat.
Proof. refine {| outcomes := [(/2, 0%nat); (/2, 2%nat)] |}; weights. Defined.

Definition sure_or_gamble (c : bool) : finite_distribution nat := if c then sure else gamble.

Definition three_levels (l : nat) : R := match l with 0%nat => 0 | 1%nat => 1 | _ => 10 end.

(** The larger of the two distribution functions: P(X <= 0) is 0 or 1/2, and P(X <= 1) is 1 or 1/2. *)
Definition larger_of_both (l : nat) : R := match l with 0%nat => /2 | _ => 1 end.

(** Claims [optimal-rule] [fresh-ceiling]. With three evaluations the best mean is 1/4.  The two constant rules have 1 and 5/4, and the
    ceiling gives the lower bound 1/8. *)
Theorem the_best_rule_can_beat_all_constant_rules_and_exceed_the_ceiling :
  value_of_laws true [false] three_levels sure_or_gamble 3 2 = /4 /\
  mean_of_run (fun c => finite_expectation (sure_or_gamble c)) 3 (fun _ => true) (best three_levels 10) = 1 /\
  mean_of_run (fun c => finite_expectation (sure_or_gamble c)) 3 (fun _ => false) (best three_levels 10) = 5/4 /\
  ceiling_mean three_levels larger_of_both 3 2 = /8.
Proof.
  assert (increase : forall l, three_levels l <= three_levels (S l)) by (intros [|[|l]]; cbn; lra).
  assert (s0 : distribution sure 0 = 0) by (unfold distribution, probability; cbn; lra).
  assert (s1 : distribution sure 1 = 1) by (unfold distribution, probability; cbn; lra).
  assert (g0 : distribution gamble 0 = /2) by (unfold distribution, probability; cbn; lra).
  assert (g1 : distribution gamble 1 = /2) by (unfold distribution, probability; cbn; lra).
  split; [|split; [|split]].
  - rewrite <- the_table_is_the_value_of_the_program by assumption.
    set (F := fun c => distribution (sure_or_gamble c)).
    assert (row : forall k,
      table true [false] three_levels F (S k) 0 = table true [false] three_levels F k 0 /\
      table true [false] three_levels F (S k) 1
      = Rmin (/2 * table true [false] three_levels F k 1 + /2 * table true [false] three_levels F k 0)
             (table true [false] three_levels F k 1) /\
      table true [false] three_levels F (S k) 2
      = Rmin (/2 * table true [false] three_levels F k 2 + /2 * table true [false] three_levels F k 0)
             (table true [false] three_levels F k 1)).
    { intros k. cbn [table least fold_right gain]. unfold least. cbn [fold_right]. unfold F. cbn [sure_or_gamble].
      rewrite s0, s1, g0, g1. repeat split; [rewrite Rmin_left; lra | f_equal; lra ..]. }
    assert (row0 : table true [false] three_levels F 0 0 = 0 /\ table true [false] three_levels F 0 1 = 1 /\
                   table true [false] three_levels F 0 2 = 10) by (cbn; auto).
    destruct row0 as (a0 & a1 & a2).
    destruct (row 0%nat) as (b0 & b1 & b2). rewrite a0, a1, a2 in *. rewrite Rmin_left in b1 by lra. rewrite Rmin_right in b2 by lra.
    destruct (row 1%nat) as (c0 & c1 & c2). rewrite b0, b1, b2 in *. rewrite Rmin_left in c1, c2 by lra.
    destruct (row 2%nat) as (_ & _ & ->). rewrite c0, c1, c2. rewrite Rmin_left; lra.
  - change 10 with (three_levels 2). rewrite the_mean_of_one_law by assumption. cbn [ceiling_mean sure_or_gamble]. rewrite s0, s1. cbn. lra.
  - change 10 with (three_levels 2). rewrite the_mean_of_one_law by assumption. cbn [ceiling_mean sure_or_gamble]. rewrite g0, g1. cbn. lra.
  - cbn. lra.
Qed.
