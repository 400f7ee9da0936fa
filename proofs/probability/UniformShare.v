(** * A share of independent uniform points is a guarantee for every function

    One member of a run draws independent, uniform points of a finite set, such as the grid of a generator of random
    numbers.  The others may do anything: they may depend on all that happens, and the turns may be shared by any rule that keeps
    a share for this member.  Then after v evaluations the answer is as good as the best of N uniform points, N what is due of
    v - B, whatever the function is and however many variables it has. *)

From Coq Require Import Reals Lra Psatz.
From EmbeddedHunter Require Import Lists Filters Vectors Expectation Ceiling Model Nodes Order RealValues ConstantShare.

(** ** The first draws bound the answer, surely *)

Section Draws.

Context {X V : Type} (less : V -> V -> bool) (order : total_order less) (f : X -> V).

(** Member j draws.  The others are any members: as they may depend on all draws, they may depend on all that happens. *)
Variables (next : list X -> nat -> list V -> option X) (j : nat).

(** Its next point is the next draw, whatever the values were. *)
Definition drawing (draws : list X) (i : nat) (own : list V) : option X :=
  if i =? j then nth_error draws (length own) else next draws i own.

Lemma alone_it_evaluates_its_draws draws k : k <= length draws ->
  alone (drawing draws) f j k = rev (map f (firstn k draws)).
Proof.
  induction k as [|k IH]; intros Hk; [reflexivity|]. cbn [alone]. rewrite IH by lia.
  unfold turn, drawing. rewrite Nat.eqb_refl, rev_length, map_length, firstn_length, Nat.min_l by lia.
  destruct (nth_error draws k) as [x|] eqn:Hx; [|apply nth_error_None in Hx; lia].
  now rewrite (firstn_one_more _ _ _ Hx), map_app, rev_app_distr.
Qed.

(** The answer of a run in which these were the turns. *)
Definition answer (draws : list X) (turns : list nat) : option V := least less (all_values (drawing draws) f turns).

Lemma the_answer_is_at_most_each_first_draw draws turns N x :
  N <= number_of_turns turns j -> N <= length draws -> In x (firstn N draws) ->
  exists a, answer draws turns = Some a /\ at_most less a (f x).
Proof.
  intros Ht Hd Hx. unfold answer. apply least_is_below; [exact order|].
  apply (own_values_are_found (drawing draws) f turns j). rewrite own_values_are_those_alone.
  apply (values_alone_stay (drawing draws) f j N); [exact Ht|].
  rewrite alone_it_evaluates_its_draws by exact Hd. apply -> in_rev. now apply in_map.
Qed.

End Draws.

(** ** Uniform draws *)

Local Open Scope R_scope.

(** The share of some points for which an event holds. *)
Definition proportion {X} (points : list X) (event : X -> bool) : R :=
  INR (length (filter event points)) / INR (length points).

Section Uniform.

Context {X : Type} (points : list X).
Hypothesis some_points : points <> [].

Lemma there_are_points : 0 < INR (length points).
Proof. destruct points; [congruence|]. apply lt_0_INR. cbn. lia. Qed.

Lemma sum_of_indicators (l : list X) (event : X -> bool) w :
  sum l (fun x => w * (if event x then 1 else 0)) = w * INR (length (filter event l)).
Proof.
  induction l as [|x l IH]; [cbn; lra|]. cbn [filter]. change (sum (x :: l) (fun x => w * (if event x then 1 else 0)))
    with (w * (if event x then 1 else 0) + sum l (fun x => w * (if event x then 1 else 0))).
  rewrite IH. destruct (event x); [cbn [length]; rewrite S_INR|]; lra.
Qed.

Lemma sum_of_a_map {I J} (g : I -> J) (l : list I) (term : J -> R) : sum (map g l) term = sum l (fun i => term (g i)).
Proof. induction l as [|i l IH]; [reflexivity|]. cbn. now f_equal. Qed.

Definition uniform : finite_distribution X.
Proof.
  refine {| outcomes := map (fun x => (/ INR (length points), x)) points |}.
  - intros o H. apply in_map_iff in H. destruct H as (x & <- & _). cbn.
    left. apply Rinv_0_lt_compat, there_are_points.
  - rewrite sum_of_a_map. cbn. rewrite sum_of_a_constant. apply Rinv_r.
    apply Rgt_not_eq, there_are_points.
Defined.

Lemma probability_is_the_proportion event : probability (finite_expectation uniform) event = proportion points event.
Proof.
  unfold probability, proportion. cbn. unfold mean. cbn. rewrite sum_of_a_map. cbn.
  rewrite sum_of_indicators. unfold Rdiv. apply Rmult_comm.
Qed.

Lemma proportion_is_monotone (a b : X -> bool) : (forall x, In x points -> a x = true -> b x = true) -> proportion points a <= proportion points b.
Proof.
  intros H. unfold proportion, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, there_are_points|].
  apply le_INR. now apply length_filter_mono.
Qed.

Lemma proportion_is_at_most_1 event : proportion points event <= 1.
Proof.
  pose proof there_are_points. unfold proportion. apply (Rmult_le_reg_r (INR (length points))); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. apply le_INR, length_filter.
Qed.

Lemma proportion_of_all event : (forall x, In x points -> event x = true) -> proportion points event = 1.
Proof.
  intros H. pose proof there_are_points. apply Rle_antisym; [apply proportion_is_at_most_1|].
  replace 1 with (proportion points (fun _ => true)); [now apply proportion_is_monotone; intros; apply H|].
  unfold proportion. replace (filter _ points) with points; [apply Rinv_r; lra|].
  symmetry. now apply filter_all.
Qed.

(** The mean of F over v independent uniform draws, the latest first. *)
Definition mean_over_draws (v : nat) (F : list X -> R) : R :=
  mean_of_run (fun _ : unit => finite_expectation uniform) v (fun _ => tt) F.

Local Notation after := (mean_after (fun _ : unit => finite_expectation uniform)).

Lemma mean_after_in_two_parts a b r past F : after (a + b) r past F = after a r past (fun h => after b r h F).
Proof.
  revert past. induction a as [|a IH]; intros past; [reflexivity|]. cbn [Nat.add mean_after].
  apply (E_same _ (finite_expectation uniform)). intros x. apply IH.
Qed.

Lemma mean_after_is_monotone v r past F G : (forall more, length more = v -> F (more ++ past) <= G (more ++ past)) ->
  after v r past F <= after v r past G.
Proof.
  revert past. induction v as [|v IH]; intros past H; cbn [mean_after]; [now apply (H [])|].
  apply E_is_monotone; [exact I|exact I|]. intros x. apply IH. intros more Hm.
  specialize (H (more ++ [x])). rewrite app_length, <- app_assoc in H. apply H. cbn. lia.
Qed.

Lemma mean_after_of_a_constant v r past k : after v r past (fun _ => k) = k.
Proof.
  revert past. induction v as [|v IH]; intros past; cbn [mean_after]; [reflexivity|].
  rewrite (E_same _ (finite_expectation uniform) _ (fun _ => k)) by (intros; apply IH). apply E_of_constant.
Qed.

(** If a success among the first N draws decides an event, the event is at least as probable as such a success. *)
Lemma an_event_that_the_first_draws_decide success N v (event : list X -> bool) : (N <= v)%nat ->
  (forall draws x, length draws = v -> In x (firstn N draws) -> success x = true -> event draws = true) ->
  1 - (1 - proportion points success) ^ N <= mean_over_draws v (fun h => if event (rev h) then 1 else 0).
Proof.
  intros HN H. rewrite <- probability_is_the_proportion.
  rewrite <- (constant_rule_attains_the_ceiling (fun _ : unit => finite_expectation uniform) success
                (fun _ => I) tt N).
  unfold mean_over_draws, mean_of_run. replace v with (N + (v - N))%nat at 1 by lia. rewrite mean_after_in_two_parts.
  apply mean_after_is_monotone. intros first Hf. rewrite app_nil_r.
  rewrite <- (mean_after_of_a_constant (v - N) (fun _ => tt) first (ever success first)).
  apply mean_after_is_monotone. intros more Hm. unfold ever.
  destruct (existsb success first) eqn:He; [|destruct (event _); lra].
  apply existsb_exists in He. destruct He as (x & Hx & Hs).
  rewrite (H (rev (more ++ first)) x); [lra| | |exact Hs].
  - rewrite rev_length, app_length. lia.
  - rewrite rev_app_distr, firstn_app, firstn_all2 by (rewrite rev_length; lia).
    apply in_or_app. left. now apply -> in_rev.
Qed.

End Uniform.

(** ** The guarantee *)

Section Guarantee.

Context {X V : Type} (points : list X) (some_points : points <> []).
Context (less : V -> V -> bool) (order : total_order less) (f : X -> V).
Variables (next : list X -> nat -> list V -> option X) (j : nat).

(** The turns of a run of v evaluations or more.  They may depend on all that happens, so on the draws. *)
Variables (due : nat -> nat) (B v : nat) (turns : list X -> list nat).
Hypothesis such_turns_are_due : is_due due.
Hypothesis the_share_is_kept : forall draws, keeps_share due j B (fun _ => False) (turns draws).
Hypothesis all_turns_are_made : forall draws, (v <= length (turns draws))%nat.

(** The number of uniform points that the run has evaluated at least. *)
Definition uniform_points : nat := due (v - B).

Lemma uniform_points_are_drawn draws : (uniform_points <= number_of_turns (turns draws) j)%nat.
Proof.
  destruct (a_member_gets_its_share due j B (fun _ => False) such_turns_are_due) with (turns := turns draws) as [H|[]];
    [easy|apply the_share_is_kept|]. unfold uniform_points. specialize (all_turns_are_made draws).
  pose proof (due_grows due such_turns_are_due (v - B) (length (turns draws) - B) ltac:(lia)). lia.
Qed.

Lemma uniform_points_at_most_v : (uniform_points <= v)%nat.
Proof.
  unfold uniform_points. enough (H : forall n, (due n <= n)%nat) by (specialize (H (v - B)%nat); lia).
  intros n. induction n as [|n IH]; [now rewrite (nothing_is_due_at_first due such_turns_are_due)|].
  pose proof (due_grows_by_1 due such_turns_are_due n). lia.
Qed.

(** The answer of the run with these draws is at most theta. *)
Definition reaches (theta : V) (draws : list X) : bool :=
  match answer less f next j draws (turns draws) with
  | Some a => negb (less theta a)
  | None => false
  end.

(** Claim [uniform-share].  The run reaches theta at least as probably as N independent uniform points do, whatever the
    other members do, and whatever the function is. *)
Theorem a_run_reaches_what_uniform_points_reach theta :
  1 - (1 - proportion points (fun x => negb (less theta (f x)))) ^ uniform_points
  <= mean_over_draws points some_points v (fun h => if reaches theta (rev h) then 1 else 0).
Proof.
  apply an_event_that_the_first_draws_decide; [apply uniform_points_at_most_v|].
  intros draws x Hl Hx Hs. unfold reaches.
  destruct (the_answer_is_at_most_each_first_draw less order f next j draws (turns draws) uniform_points x)
    as (a & -> & Ha); [apply uniform_points_are_drawn|rewrite Hl; apply uniform_points_at_most_v|exact Hx|].
  apply negb_true_iff in Hs. apply negb_true_iff.
  now apply (at_most_trans less order a (f x) theta Ha Hs).
Qed.

(** *** The share of the points that are better than the answer *)

Definition better_than (a : V) : R := proportion points (fun x => less (f x) a).

Definition few_are_better (q : R) (draws : list X) : bool :=
  match answer less f next j draws (turns draws) with
  | Some a => if Rlt_dec (better_than a) q then true else false
  | None => false
  end.

(** The values of the points have a quantile. *)
Lemma a_quantile q : 0 < q <= 1 -> exists x, better_than (f x) < q /\
  q <= proportion points (fun y => negb (less (f x) (f y))).
Proof.
  intros Hq. set (enough := fun x => if Rle_dec q (proportion points (fun y => negb (less (f x) (f y)))) then true else false).
  assert (total : forall x y, at_most less (f x) (f y) \/ at_most less (f y) (f x)).
  { intros x y. destruct (less (f y) (f x)) eqn:E; [right; now apply (less_at_most less order)|now left]. }
  pose proof (fun x y z => at_most_trans less order (f x) (f y) (f z)) as trans.
  destruct (an_extreme_member (fun x y => at_most less (f y) (f x)) points) as (g & Hg & Gg); [auto|eauto|exact some_points|].
  destruct (an_extreme_member (fun x y => at_most less (f x) (f y)) (filter enough points)) as (x & Hx & least_x); [auto|eauto| |].
  { intros E. apply (in_nil (a := g)). rewrite <- E. apply filter_In. split; [exact Hg|]. unfold enough. destruct (Rle_dec _ _) as [|N]; [reflexivity|].
    exfalso. apply N. rewrite (proportion_of_all points some_points); [lra|]. intros y Hy. unfold at_most in Gg. now rewrite Gg. }
  apply filter_In in Hx. destruct Hx as [Hx Px]. unfold enough in Px. destruct (Rle_dec _ _) as [Qx|]; [|discriminate].
  exists x. split; [|exact Qx]. apply Rnot_le_lt. intros bad.
  (* The greatest value below that of x has as many values at most itself. *)
  destruct (an_extreme_member (fun x y => at_most less (f y) (f x)) (filter (fun y => less (f y) (f x)) points)) as (m & Hm & Gm); [auto|eauto| |].
  { intros E. unfold better_than, proportion in bad. rewrite E in bad. cbn in bad. unfold Rdiv in bad. lra. }
  apply filter_In in Hm. destruct Hm as [Hm Lm]. enough (less (f m) (f x) = false) by congruence.
  apply least_x, filter_In. split; [exact Hm|]. unfold enough. destruct (Rle_dec _ _) as [|N]; [reflexivity|]. exfalso. apply N.
  eapply Rle_trans; [exact bad|]. apply (proportion_is_monotone points some_points). intros y Hy Hl.
  rewrite Gm; [reflexivity|]. now apply filter_In.
Qed.

(** Claim [uniform-share].  With probability at least 1 - (1 - q)^N, less than the share q of all points is better than the
    answer: for every function, discontinuous or not, of any number of variables. *)
Theorem few_points_are_better_than_the_answer q : 0 < q <= 1 ->
  1 - (1 - q) ^ uniform_points
  <= mean_over_draws points some_points v (fun h => if few_are_better q (rev h) then 1 else 0).
Proof.
  intros Hq. destruct (a_quantile q Hq) as (x & Hb & Ht).
  eapply Rle_trans; [|eapply Rle_trans; [apply (a_run_reaches_what_uniform_points_reach (f x))|]].
  - apply Rplus_le_compat_l, Ropp_le_contravar, pow_incr.
    pose proof (proportion_is_at_most_1 points some_points (fun y => negb (less (f x) (f y)))). lra.
  - apply mean_after_is_monotone. intros more _. unfold reaches, few_are_better.
    destruct (answer _ _ _ _ _ _) as [a|]; [|lra]. destruct (less (f x) a) eqn:E; cbn [negb].
    + destruct (Rlt_dec _ q); lra.
    + destruct (Rlt_dec (better_than a) q) as [_|N]; [lra|]. exfalso. apply N.
      eapply Rle_lt_trans; [|exact Hb]. apply (proportion_is_monotone points some_points). intros y _ Hy.
      now apply (less_at_most_less less order _ a).
Qed.

End Guarantee.

(** ** Functions of a few unknown variables *)

Section FewVariables.

(** The points with n coordinates from a list of values. *)
Fixpoint grid (n : nat) (values : list R) : list (list R) :=
  match n with
  | 0%nat => [[]]
  | S n' => flat_map (fun a => map (cons a) (grid n' values)) values
  end.

Definition within (r a b : R) : bool := if Rle_dec (Rabs (a - b)) r then true else false.

(** Two points differ by at most r in each variable that matters. *)
Fixpoint close (r : R) (matters : list bool) (x y : list R) : bool :=
  match matters, x, y with
  | m :: matters', a :: x', b :: y' => (if m then within r a b else true) && close r matters' x' y'
  | _, _, _ => true
  end.

Definition effective_dimension (matters : list bool) : nat := count_occ Bool.bool_dec matters true.

Lemma length_of_a_flat_map {I J} (g : I -> list J) (p : I -> bool) k (l : list I) :
  (forall i, length (g i) = if p i then k else 0%nat) -> length (flat_map g l) = (length (filter p l) * k)%nat.
Proof.
  intros H. induction l as [|i l IH]; [reflexivity|]. cbn. rewrite app_length, H, IH. destruct (p i); cbn; lia.
Qed.

Lemma filter_map {I J} (g : I -> J) (p : J -> bool) (l : list I) : filter p (map g l) = map g (filter (fun i => p (g i)) l).
Proof. induction l as [|i l IH]; [reflexivity|]. cbn. destruct (p (g i)); cbn; now rewrite IH. Qed.

Lemma filter_flat_map {I J} (g : I -> list J) (p : J -> bool) (l : list I) :
  filter p (flat_map g l) = flat_map (fun i => filter p (g i)) l.
Proof. induction l as [|i l IH]; [reflexivity|]. cbn. now rewrite filter_app, IH. Qed.

Lemma length_of_the_grid n values : length (grid n values) = (length values ^ n)%nat.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [grid].
  rewrite (length_of_a_flat_map _ (fun _ => true) (length values ^ n)) by (intros; now rewrite map_length, IH).
  rewrite filter_all by reflexivity. reflexivity.
Qed.

Lemma points_of_the_grid n values x : In x (grid n values) -> length x = n.
Proof.
  revert x. induction n as [|n IH]; intros x; cbn [grid]; [now intros [<-|[]]|].
  intros (a & _ & H)%in_flat_map. apply in_map_iff in H. destruct H as (x' & <- & H). cbn. now rewrite (IH x' H).
Qed.

Lemma length_of_close r values m matters b y :
  length (filter (fun x => close r (m :: matters) x (b :: y)) (grid (S (length matters)) values))
  = (length (filter (fun a => if m then within r a b else true) values)
     * length (filter (fun x => close r matters x y) (grid (length matters) values)))%nat.
Proof.
  cbn [grid]. rewrite filter_flat_map. apply length_of_a_flat_map. intros a.
  rewrite filter_map, map_length. cbn [close]. destruct (if m then within r a b else true); [reflexivity|].
  now induction (grid (length matters) values).
Qed.

(** The share of the points that are close to y in all variables that matter. *)
Lemma proportion_of_close_points r values matters y w : values <> [] -> 0 <= w -> length y = length matters ->
  (forall b, In b y -> w <= proportion values (fun a => within r a b)) ->
  w ^ effective_dimension matters <= proportion (grid (length matters) values) (fun x => close r matters x y).
Proof.
  intros some Hw. revert y. induction matters as [|m matters IH]; intros [|b y] Hl Hb; try discriminate Hl.
  - cbn. unfold proportion. cbn. lra.
  - injection Hl as Hl. specialize (IH y Hl (fun b' H => Hb b' (or_intror H))).
    specialize (Hb b (or_introl eq_refl)). cbn [length]. unfold proportion at 1.
    rewrite length_of_close, length_of_the_grid. cbn [Nat.pow]. rewrite !mult_INR, <- length_of_the_grid.
    pose proof (there_are_points values some) as Hv.
    assert (Hg : 0 < INR (length (grid (length matters) values))).
    { rewrite length_of_the_grid. apply lt_0_INR, Nat.neq_0_lt_0, Nat.pow_nonzero. now destruct values. }
    set (G := INR (length (grid (length matters) values))) in *. set (W := INR (length values)) in *.
    replace (_ * _ / (W * G)) with
      (INR (length (filter (fun a => if m then within r a b else true) values)) / W
       * (INR (length (filter (fun x => close r matters x y) (grid (length matters) values))) / G)) by (field; lra).
    fold G W in IH. unfold proportion in IH. fold G in IH. unfold effective_dimension in *. destruct m.
    + rewrite count_occ_cons_eq by reflexivity. cbn [pow]. apply Rmult_le_compat; [exact Hw|now apply pow_le|exact Hb|exact IH].
    + rewrite count_occ_cons_neq by discriminate. rewrite filter_all by reflexivity. fold W.
      replace (W / W) with 1 by (field; lra). lra.
Qed.

(** The values -1, -1 + 2/M, -1 + 4/M, ..., below 1: those of a generator of random numbers, with M = 2^53. *)
Definition generated (M : nat) : list R := map (fun k => 2 * INR k / INR M - 1) (seq 0 M).

Lemma numbers_between s t M : 0 <= s -> t <= INR M ->
  t - s - 1 <= INR (length (filter (fun k => if Rle_dec s (INR k) then if Rle_dec (INR k) t then true else false else false) (seq 0 M))).
Proof.
  revert t. induction M as [|M IH]; intros t Hs Ht; [cbn in *; lra|].
  rewrite seq_S, filter_app, app_length, plus_INR. cbn [Nat.add filter]. rewrite S_INR in Ht.
  destruct (Rle_dec t (INR M)) as [Hm|Hm].
  - pose proof (IH t Hs Hm). destruct (if Rle_dec s (INR M) then _ else _); cbn; lra.
  - destruct (Rle_dec s (INR M)) as [Hs'|Hs'].
    + destruct (Rle_dec (INR M) t) as [_|N]; [|lra]. specialize (IH (INR M) Hs (Rle_refl _)).
      assert (L : (length (filter (fun k => if Rle_dec s (INR k) then if Rle_dec (INR k) (INR M) then true else false else false) (seq 0 M))
                   <= length (filter (fun k => if Rle_dec s (INR k) then if Rle_dec (INR k) t then true else false else false) (seq 0 M)))%nat).
      { apply length_filter_mono. intros k _. destruct (Rle_dec s (INR k)); [|easy].
        destruct (Rle_dec (INR k) (INR M)); [|easy]. destruct (Rle_dec (INR k) t); [easy|lra]. }
      apply le_INR in L. cbn. lra.
    + pose proof (pos_INR (length (filter (fun k => if Rle_dec s (INR k) then if Rle_dec (INR k) t then true else false else false) (seq 0 M)))).
      cbn. lra.
Qed.

Lemma generated_values_are_dense M r b : (1 <= M)%nat -> 0 <= r <= 2 -> -1 <= b <= 1 ->
  r / 2 - / INR M <= proportion (generated M) (fun a => within r a b).
Proof.
  intros HM Hr Hb. apply (le_INR 1) in HM. cbn in HM. set (m := INR M) in *.
  set (s := Rmax 0 (m * (b + 1 - r) / 2)). set (t := Rmin m (m * (b + 1 + r) / 2)).
  pose proof (numbers_between s t M (Rmax_l _ _) (Rmin_l _ _)) as H.
  unfold proportion, generated. rewrite filter_map, !map_length, seq_length. fold m.
  apply (Rmult_le_reg_r m); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace ((r / 2 - / m) * m) with (m * r / 2 - 1) by (field; lra).
  apply Rle_trans with (t - s - 1).
  - unfold s, t, Rmax, Rmin. destruct (Rle_dec 0 _), (Rle_dec m _); nra.
  - eapply Rle_trans; [exact H|]. apply le_INR, length_filter_mono. intros k _.
    destruct (Rle_dec s (INR k)) as [Hs|]; [|easy]. destruct (Rle_dec (INR k) t) as [Ht|]; [intros _|easy].
    unfold within. destruct (Rle_dec _ _) as [_|N]; [reflexivity|]. exfalso. apply N. apply Rabs_le.
    assert (Hs' : m * (b + 1 - r) / 2 <= INR k) by (eapply Rle_trans; [apply Rmax_r|exact Hs]).
    assert (Ht' : INR k <= m * (b + 1 + r) / 2) by (eapply Rle_trans; [exact Ht|apply Rmin_r]).
    split; apply (Rmult_le_reg_r m); try lra;
      replace ((2 * INR k / m - 1 - b) * m) with (2 * INR k - m - b * m) by (field; lra); nra.
Qed.

Context (f : list R -> R) (next : list (list R) -> nat -> list R -> option (list R)) (due : nat -> nat) (j B v M : nat) (turns : list (list R) -> list nat).
Hypothesis such_turns_are_due : is_due due.
Hypothesis the_share_is_kept : forall draws, keeps_share due j B (fun _ => False) (turns draws).
Hypothesis all_turns_are_made : forall draws, (v <= length (turns draws))%nat.
Hypothesis M_at_least_1 : (1 <= M)%nat.

(** [f] is L-Lipschitz in the variables that matter, with the greatest difference as the distance; nobody needs to know
    which these are. *)
Variables (matters : list bool) (L : R).
Hypothesis f_is_lipschitz : forall r x y, 0 <= r -> length x = length matters -> length y = length matters ->
  close r matters x y = true -> Rabs (f x - f y) <= L * r.

Let points := grid (length matters) (generated M).

Lemma the_grid_has_points : points <> [].
Proof.
  intros E. apply (f_equal (@length _)) in E. unfold points in E. rewrite length_of_the_grid in E.
  unfold generated in E. rewrite map_length, seq_length in E. revert E. apply Nat.pow_nonzero. lia.
Qed.

(** Claim [uniform-share].  The regret to any point y of the box, so to an optimum, is at most L r with probability at least
    1 - (1 - (r/2 - 1/M)^d)^N, d the number of variables that matter.  The number of variables does not occur. *)
Theorem the_regret_in_a_few_unknown_variables r y : 2 / INR M <= r <= 2 -> length y = length matters ->
  (forall b, In b y -> -1 <= b <= 1) ->
  1 - (1 - (r / 2 - / INR M) ^ effective_dimension matters) ^ uniform_points due B v
  <= mean_over_draws points the_grid_has_points v
       (fun h => if reaches less_real f next j turns (f y + L * r) (rev h) then 1 else 0).
Proof.
  intros Hr Hl Hy. pose proof (le_INR 1 M M_at_least_1) as HM. cbn in HM.
  assert (Hw : 0 <= r / 2 - / INR M) by (unfold Rdiv in Hr; lra).
  assert (Hi : 0 < / INR M) by (apply Rinv_0_lt_compat; lra).
  eapply Rle_trans; [|apply (a_run_reaches_what_uniform_points_reach points the_grid_has_points less_real
    real_values_are_totally_ordered f next j due B v turns such_turns_are_due the_share_is_kept all_turns_are_made)].
  apply Rplus_le_compat_l, Ropp_le_contravar, pow_incr. split.
  - pose proof (proportion_is_at_most_1 points the_grid_has_points (fun x => negb (less_real (f y + L * r) (f x)))). lra.
  - apply Rplus_le_compat_l, Ropp_le_contravar.
    eapply Rle_trans; [apply (proportion_of_close_points r (generated M) matters y); [|exact Hw|exact Hl|]|].
    + intros E. apply (f_equal (@length _)) in E. unfold generated in E. rewrite map_length, seq_length in E. cbn in E. lia.
    + intros b Hb. apply generated_values_are_dense; [exact M_at_least_1| |now apply Hy].
      split; [|lra]. apply Rle_trans with (2 / INR M); [unfold Rdiv; lra|lra].
    + apply (proportion_is_monotone points the_grid_has_points). intros x Hin Hx. apply f_is_lipschitz in Hx;
        [|unfold Rdiv in Hr; lra|exact (points_of_the_grid _ _ _ Hin)|exact Hl].
      unfold less_real. destruct (Rlt_dec _ _) as [Hlt|]; [|reflexivity].
      pose proof (Rle_abs (f x - f y)). lra.
Qed.

End FewVariables.

(** ** The hypotheses hold together, and the conclusion says something *)

(** Turns as supposed: after each uniform point the other member has c - 1 turns. *)
Fixpoint in_turns (c k : nat) : list nat :=
  match k with
  | 0%nat => []
  | S k' => repeat 0%nat (c - 1) ++ 1%nat :: in_turns c k'
  end.

Lemma such_turns_exist c k : (1 <= c)%nat ->
  keeps_share (one_in c) 1 (c - 1) (fun _ => False) (in_turns c k) /\ length (in_turns c k) = (c * k)%nat.
Proof.
  intros Hc. enough (keeps_share (one_in c) 1 (c - 1) (fun _ => False) (in_turns c k) /\ length (in_turns c k) = (c * k)%nat /\
    number_of_turns (in_turns c k) 1 = k) by tauto.
  induction k as [|k (IHs & IHl & IHn)]; [repeat split; [apply no_turn|cbn; lia]|]. cbn [in_turns].
  assert (Hn : number_of_turns (1%nat :: in_turns c k) 1 = S k).
  { unfold number_of_turns in *. rewrite count_occ_cons_eq by reflexivity. now rewrite IHn. }
  repeat split.
  - apply other_turns; [now apply own_turn| |rewrite repeat_length; lia].
    left. apply one_in_is_enough; [exact Hc|]. rewrite Hn. cbn [length]. rewrite IHl. nia.
  - rewrite app_length, repeat_length. cbn [length]. rewrite IHl. nia.
  - unfold number_of_turns in *. rewrite count_occ_app, Hn.
    replace (count_occ Nat.eq_dec (repeat 0%nat (c - 1)) 1%nat) with 0%nat; [reflexivity|].
    clear. induction (c - 1)%nat as [|m IH]; [reflexivity|exact IH].
Qed.

(** Claim [uniform-share].  An instance: a share of one in 32, and 1,920 evaluations, of which 60 are at uniform points. Whatever
    the function, the points and the other member are, with a probability of at least 95 % less than a twentieth of all points
    is better than the answer. *)
Theorem after_1920_evaluations_a_twentieth_is_better_at_most {X V} (points : list X) some_points (less : V -> V -> bool) f next :
  total_order less ->
  95 / 100 <= mean_over_draws points some_points 1920
    (fun h => if few_are_better points less f next 1 (fun _ => in_turns 32 60) (1 / 20) (rev h) then 1 else 0).
Proof.
  intros order. destruct (such_turns_exist 32 60 ltac:(lia)) as [Hs Hl].
  eapply Rle_trans; [|apply (few_points_are_better_than_the_answer points some_points less order f next 1 (one_in 32) 31 1920
    (fun _ => in_turns 32 60)); [apply one_in_is_due; lia|intros _; exact Hs|intros _; rewrite Hl; lia|lra]].
  replace (uniform_points (one_in 32) 31 1920) with 60%nat by (vm_compute; reflexivity). lra.
Qed.

(** Claim [uniform-share].  The same for the distance |x_1| in 1,000 variables, on the grid of 1,024 values in each: with a
    probability of at least 95 % the answer is at most 1/8. *)
Theorem after_1920_evaluations_the_first_variable_is_found next (some : (1 <= 2 ^ 10)%nat) :
  let matters := true :: repeat false 999 in
  95 / 100 <= mean_over_draws (grid (length matters) (generated (2 ^ 10))) (the_grid_has_points (2 ^ 10) some matters) 1920
    (fun h => if reaches less_real (fun x => Rabs (hd 0 x)) next 1 (fun _ => in_turns 32 60) (1 / 8) (rev h) then 1 else 0).
Proof.
  destruct (such_turns_exist 32 60 ltac:(lia)) as [Hs Hl]. intros matters.
  assert (Hv : (1920 <= length (in_turns 32 60))%nat) by (rewrite Hl; lia).
  assert (n : length matters = 1000%nat) by (unfold matters; cbn [length]; now rewrite repeat_length).
  assert (M : INR (2 ^ 10) = 1024) by (cbn; lra).
  assert (lipschitz : forall r x y, 0 <= r -> length x = length matters -> length y = length matters ->
    close r matters x y = true -> Rabs (Rabs (hd 0 x) - Rabs (hd 0 y)) <= 1 * r).
  { intros r [|a x] [|b y] _ Hx Hy H; rewrite n in *; try discriminate. unfold matters in H. cbn [close] in H.
    apply andb_true_iff in H. destruct H as [H _]. unfold within in H. destruct (Rle_dec _ _) as [H'|]; [|discriminate].
    cbn [hd]. rewrite Rmult_1_l. eapply Rle_trans; [apply Rabs_triang_inv2|exact H']. }
  pose proof (the_regret_in_a_few_unknown_variables (fun x => Rabs (hd 0 x)) next (one_in 32) 1 31 1920 (2 ^ 10)
    (fun _ => in_turns 32 60) (one_in_is_due 32 ltac:(lia)) (fun _ => Hs) (fun _ => Hv)
    some matters 1 lipschitz (1 / 8) (repeat 0 1000)) as H.
  specialize (H ltac:(rewrite M; lra) ltac:(now rewrite repeat_length) ltac:(intros b Hb; apply repeat_spec in Hb; lra)).
  replace (uniform_points (one_in 32) 31 1920) with 60%nat in H by (vm_compute; reflexivity).
  replace (effective_dimension matters) with 1%nat in H by reflexivity. rewrite M in H.
  change (Rabs (hd 0 (repeat 0 1000)) + 1 * (1 / 8)) with (Rabs 0 + 1 * (1 / 8)) in H.
  replace (Rabs 0 + 1 * (1 / 8)) with (1 / 8) in H by (rewrite Rabs_R0; lra).
  eapply Rle_trans; [|exact H]. lra.
Qed.
