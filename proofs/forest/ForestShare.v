(** * Rule F6: who has the next turn in the policy forest, and what each member is sure of

    Three members take turns: the forest with its local searches (0), the evolution strategy (1) and the uniform points
    (2).  The rule is about numbers of turns alone, except where the best values of the forest and of the strategy decide;
    there either may be next.  The evaluation of the zero vector is a turn of the forest and one of the strategy. *)

From EmbeddedHunter Require Import Lists ConstantShare.

Section Rule.

(** One evaluation in [sample] is a uniform point.  Forest and strategy have one in [each] of the evaluations of the two; but of
    the first [head] of them the forest has one in [first]. *)
Variables (sample each first head : nat).
Hypothesis some_sample : 1 <= sample.
Hypothesis each_is_2_or_more : 2 <= each.
Hypothesis each_at_most_first : each <= first.

(** What the forest is sure of, of n evaluations of forest and strategy. *)
Definition due_to_the_forest (n : nat) : nat := Nat.max (one_in first n) (Nat.min (one_in each n) (n - head)).

(** What the uniform points are sure of: of n turns one, that at the zero vector, is counted twice. *)
Definition due_to_the_sample (n : nat) : nat := one_in sample (n - 1).

Lemma the_forest_is_due : is_due due_to_the_forest.
Proof.
  destruct (one_in_is_due first ltac:(lia)) as [A0 A1 A2], (one_in_is_due each ltac:(lia)) as [B0 B1 B2].
  split; unfold due_to_the_forest.
  - rewrite A0, B0. lia.
  - intros m n H. specialize (A1 m n H). specialize (B1 m n H). lia.
  - intros n. specialize (A2 n). specialize (B2 n). lia.
Qed.

Lemma the_sample_is_due : is_due due_to_the_sample.
Proof.
  destruct (one_in_is_due sample some_sample) as [A0 A1 A2]. split; unfold due_to_the_sample.
  - exact A0.
  - intros m n H. apply A1. lia.
  - intros [|n]; [cbn [Nat.sub]; lia|]. replace (S (S n) - 1) with (S (S n - 1)) by lia. apply A2.
Qed.

(** Whether the uniform points are next after [made] evaluations, [uniform] of them their own. *)
Definition sample_is_next (made uniform : nat) : bool := sample * uniform <? made.

(** Whether the forest is next, of forest and strategy; [ahead]: whether its best value is at most that of the strategy. *)
Definition forest_is_next (forest strategy : nat) (ahead : bool) : bool :=
  let n := forest + strategy in
  if forest <? due_to_the_forest n then true
  else if (n <=? head) || (each * strategy <? n) then false
  else ahead.

Lemma whoever_is_not_next_has_its_share forest strategy ahead :
  if forest_is_next forest strategy ahead
  then one_in each (forest + strategy) <= strategy
  else due_to_the_forest (forest + strategy) <= forest.
Proof.
  unfold forest_is_next. set (n := forest + strategy). destruct (Nat.ltb_spec forest (due_to_the_forest n)) as [H|H].
  - apply one_in_is_enough; [lia|].
    assert (L : due_to_the_forest n <= one_in each n).
    { unfold due_to_the_forest. enough (one_in first n <= one_in each n) by lia.
      apply one_in_is_enough; [lia|]. pose proof (proj2 (one_in_is_enough each n _ ltac:(lia)) (Nat.le_refl _)). nia. }
    assert (~ n <= each * forest) by (rewrite (one_in_is_enough each n forest) by lia; lia). subst n. nia.
  - destruct (Nat.leb_spec n head), (Nat.ltb_spec (each * strategy) n); cbn [orb]; try exact H.
    destruct ahead; [apply one_in_is_enough; lia|exact H].
Qed.

(** At most so many turns of a member follow one another before the rule is asked again. *)
Variable longest : nat -> nat.

(** The forest asks for no more after so many turns. *)
Variable ended : nat -> Prop.

Definition others (j : nat) (turns : list nat) : list nat := filter (fun i => negb (i =? j)) turns.

(** The turns by this rule, the latest first, the last ones perhaps cut by the budget. *)
Inductive by_F6 : list nat -> Prop :=
| the_zero_vector : by_F6 [1; 0]
| to_the_sample turns : by_F6 turns ->
    sample_is_next (length turns - 1) (number_of_turns turns 2) = true -> by_F6 (2 :: turns)
| to_the_others turns i n ahead : by_F6 turns ->
    sample_is_next (length turns - 1) (number_of_turns turns 2) = false ->
    (i = (if forest_is_next (number_of_turns turns 0) (number_of_turns turns 1) ahead then 0 else 1) \/
     i = 1 /\ ended (number_of_turns turns 0)) ->
    n <= longest i -> by_F6 (repeat i n ++ turns).

Hypothesis longest_of_the_others : 1 <= longest 0 /\ 1 <= longest 1.
Hypothesis the_end_lasts : forall m n, m <= n -> ended m -> ended n.

Lemma of_repeat turns i j n : number_of_turns (repeat i n ++ turns) j = (if i =? j then n else 0) + number_of_turns turns j.
Proof.
  unfold number_of_turns. induction n as [|n IH]; cbn [repeat app count_occ].
  - destruct (i =? j); reflexivity.
  - destruct (Nat.eqb_spec i j) as [->|N]; destruct (Nat.eq_dec _ _); try congruence; now rewrite IH.
Qed.

Lemma others_of_repeat i n turns : others 2 (repeat i n ++ turns) = (if i =? 2 then [] else repeat i n) ++ others 2 turns.
Proof.
  unfold others. rewrite filter_app. f_equal. destruct (Nat.eqb_spec i 2) as [->|H].
  - induction n; [reflexivity|exact IHn].
  - induction n as [|n IH]; [reflexivity|]. cbn [repeat filter]. apply Nat.eqb_neq in H. rewrite H. cbn [negb]. now f_equal.
Qed.

Lemma turns_of_three turns : by_F6 turns ->
  number_of_turns (others 2 turns) 0 = number_of_turns turns 0 /\ number_of_turns (others 2 turns) 1 = number_of_turns turns 1 /\
  length (others 2 turns) = number_of_turns turns 0 + number_of_turns turns 1 /\
  length turns = length (others 2 turns) + number_of_turns turns 2.
Proof.
  assert (S2 : forall turns j, number_of_turns (2 :: turns) j = (if 2 =? j then 1 else 0) + number_of_turns turns j)
    by (intros t j; apply (of_repeat t 2 j 1)).
  induction 1 as [|turns _ IH _|turns i n ahead _ IH _ Hi _]; [repeat split|..].
  - change (others 2 (2 :: turns)) with (others 2 turns). rewrite !S2. cbn [Nat.eqb length]. lia.
  - assert (i = 0 \/ i = 1) as [-> | ->] by (destruct Hi as [-> | [-> _]]; [destruct (forest_is_next _ _ _)|]; auto);
      rewrite others_of_repeat; cbn [Nat.eqb]; rewrite !of_repeat, !app_length, !repeat_length; cbn [Nat.eqb]; lia.
Qed.

(** Claim [constant-share].  By rule F6 the forest has what is due of the evaluations of forest and strategy, but for the longest
    generation B of the strategy; or it asks for no more. *)
Theorem the_forest_keeps_its_share_by_F6 turns : by_F6 turns ->
  keeps_share due_to_the_forest 0 (longest 1) ended (others 2 turns).
Proof.
  induction 1 as [|turns _ IH _|turns i n ahead Ht IH _ Hi Hn].
  - apply (other_turns _ 0 _ _ [0] [1]); [repeat constructor| |exact (proj2 longest_of_the_others)].
    left. pose proof (due_grows_by_1 _ the_forest_is_due 0). rewrite (nothing_is_due_at_first _ the_forest_is_due) in *. cbn. lia.
  - exact IH.
  - rewrite others_of_repeat. destruct (turns_of_three turns Ht) as (E0 & E1 & El & _).
    pose proof (whoever_is_not_next_has_its_share (number_of_turns turns 0) (number_of_turns turns 1) ahead) as Hw.
    assert (M : i = 0 \/ i = 1 /\ (due_to_the_forest (number_of_turns turns 0 + number_of_turns turns 1) <= number_of_turns turns 0
      \/ ended (number_of_turns turns 0))).
    { destruct Hi as [-> | [-> He]]; [destruct (forest_is_next _ _ _)|]; auto. }
    destruct M as [-> | [-> Hd]]; cbn [Nat.eqb]; [now apply own_turns|].
    apply other_turns; [exact IH|now rewrite El, E0|now rewrite repeat_length].
Qed.

(** Claim [constant-share].  By rule F6 the strategy has one in [each] of these evaluations, but for the longest turn of the
    forest. *)
Theorem the_strategy_keeps_its_share_by_F6 turns : by_F6 turns ->
  keeps_share (one_in each) 1 (longest 0) (fun _ => False) (others 2 turns).
Proof.
  induction 1 as [|turns _ IH _|turns i n ahead Ht IH _ Hi Hn].
  - apply own_turn. apply (other_turns _ 1 _ _ [] [0]); [apply no_turn| |exact (proj1 longest_of_the_others)].
    left. cbn [length]. now rewrite (nothing_is_due_at_first _ (one_in_is_due each ltac:(lia))).
  - exact IH.
  - rewrite others_of_repeat. destruct (turns_of_three turns Ht) as (E0 & E1 & El & _).
    pose proof (whoever_is_not_next_has_its_share (number_of_turns turns 0) (number_of_turns turns 1) ahead) as Hw.
    assert (M : i = 1 \/ i = 0 /\ one_in each (number_of_turns turns 0 + number_of_turns turns 1) <= number_of_turns turns 1).
    { destruct Hi as [-> | [-> He]]; [destruct (forest_is_next _ _ _)|]; auto. }
    destruct M as [-> | [-> Hd]]; cbn [Nat.eqb]; [now apply own_turns|].
    apply other_turns; [exact IH|left; now rewrite El, E1|now rewrite repeat_length].
Qed.

(** Claims [constant-share] and [uniform-share].  By rule F6 the uniform points have one in [sample] of all evaluations, but for the longest turn of
    another member. *)
Theorem the_sample_keeps_its_share_by_F6 turns B : 2 <= B -> longest 0 <= B -> longest 1 <= B -> by_F6 turns ->
  keeps_share due_to_the_sample 2 B (fun _ => False) turns.
Proof.
  intros H2 H0 H1. induction 1 as [|turns _ IH _|turns i n ahead Ht IH Hs Hi Hn].
  - apply (other_turns _ 2 _ _ [] [1; 0]); [apply no_turn| |cbn; lia].
    left. cbn [length]. now rewrite (nothing_is_due_at_first _ the_sample_is_due).
  - now constructor.
  - apply other_turns; [exact IH| |].
    + left. unfold sample_is_next in Hs. apply Nat.ltb_ge in Hs. now apply one_in_is_enough.
    + rewrite repeat_length. destruct Hi as [-> | [-> _]]; [destruct (forest_is_next _ _ _)|]; lia.
Qed.

(** Claim [constant-share].  So after a run of v evaluations by rule F6: the strategy has had one in [each], and the forest what is due, of all that the
    uniform points leave, but for one turn of the other; and the uniform points one in [sample], but for one turn of the others. *)
Theorem what_each_member_is_sure_of_by_F6 turns B : by_F6 turns -> 2 <= B -> longest 0 <= B -> longest 1 <= B ->
  let v := length turns - 1 in let n := length (others 2 turns) in
  (due_to_the_forest (n - longest 1) <= number_of_turns turns 0 \/ ended (number_of_turns turns 0)) /\
  n - longest 0 <= each * number_of_turns turns 1 /\
  v - B <= sample * number_of_turns turns 2 /\ S v = n + number_of_turns turns 2.
Proof.
  intros Ht H2 H0 H1. cbv zeta. destruct (turns_of_three turns Ht) as (E0 & E1 & El & Ea).
  assert (never : forall m n : nat, m <= n -> False -> False) by tauto.
  pose proof (a_member_gets_its_share _ _ _ _ the_forest_is_due the_end_lasts _ (the_forest_keeps_its_share_by_F6 turns Ht)) as F.
  destruct (a_member_gets_its_share _ _ _ _ (one_in_is_due each ltac:(lia)) never _ (the_strategy_keeps_its_share_by_F6 turns Ht)) as [G|[]].
  destruct (a_member_gets_its_share _ _ _ _ the_sample_is_due never _ (the_sample_keeps_its_share_by_F6 turns B H2 H0 H1 Ht)) as [U|[]].
  rewrite E0 in F. rewrite E1 in G.
  assert (some : 1 <= length turns) by (clear - Ht; induction Ht; cbn [length]; rewrite ?app_length; lia).
  apply one_in_is_enough in G; [|lia]. unfold due_to_the_sample in U.
  apply one_in_is_enough in U; [|exact some_sample].
  repeat split; [exact F|exact G|lia|lia].
Qed.

End Rule.

(** ** An instance

    The constants of the program, but the first 40 evaluations in the place of the first 1,000 or 2,000; each turn is one evaluation.  The forest
    is always behind. *)

Fixpoint turns_of (steps : nat) : list nat :=
  match steps with
  | 0 => [1; 0]
  | S steps' =>
      let turns := turns_of steps' in
      if sample_is_next 32 (length turns - 1) (number_of_turns turns 2) then 2 :: turns
      else repeat (if forest_is_next 4 32 40 (number_of_turns turns 0) (number_of_turns turns 1) false then 0 else 1) 1 ++ turns
  end.

(** Claim [constant-share].  An instance: of 400 evaluations 97 are the forest's, 291 the strategy's and 13 uniform points; the
    zero vector counts twice. *)
Theorem all_three_members_have_turns : by_F6 32 4 32 40 (fun _ => 1) (fun _ => False) (turns_of 399) /\
  map (number_of_turns (turns_of 399)) [0; 1; 2] = [97; 291; 13].
Proof.
  split; [|vm_compute; reflexivity]. generalize (399). intros n. induction n as [|n IH]; [apply the_zero_vector|]. cbn [turns_of].
  destruct (sample_is_next 32 (length (turns_of n) - 1) (number_of_turns (turns_of n) 2)) eqn:E; [now apply to_the_sample|].
  now apply to_the_others with (ahead := false); [| |left|].
Qed.
