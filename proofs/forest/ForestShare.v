(** * Rule F9: the forest and an evolution strategy share the evaluations.

    Between two sweeps the evolution strategy has generations for as long as rule F9 says.  In the model of the forest they
    are evaluations outside it, at any points.  Then a run is shared in the sense of ConstantShare.v: member 0 is the
    forest, member 1 the strategy, and the zero vector is a turn of each.  Here the forest makes no local searches. *)

From EmbeddedHunter Require Import ForestTerms ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestDefault ForestOutside
  ForestLocalSearch ForestAlone ConstantShare.
From EmbeddedHunter Require ForestContext.

(** ** The rule *)

Section Rule.

Context {V : Type} (less : V -> V -> bool).

(** A member that has made less than 1/c of the evaluations is next. *)
Variable c : nat.
Hypothesis c_at_least_2 : 2 <= c.

(** The first n of some values, of which the latest one comes first. *)
Definition first_values (n : nat) (values : list V) : list V := skipn (length values - n) values.

(** Whether the evolution strategy is next, by the values of the forest and its own; [grows]: whether the last sweep
    has not ended the run of the forest. *)
Definition evolution_is_next (grows : bool) (forest evolution : list V) : bool :=
  let fewer := Nat.min (length forest) (length evolution) in
  (if c * fewer <? length forest + length evolution then length evolution <? length forest
   else match least less (first_values fewer evolution), least less (first_values fewer forest) with
        | Some a, Some b => less a b
        | _, _ => false
        end) || negb grows.

(** Claim [constant-share].  Rule F9 is a rule of two members that share the turns: whoever is next by F9 may be next. *)
Theorem whoever_is_next_by_F9_may_be_next {X : Type} (next : nat -> list V -> option X) (f : X -> V) turns grows forest evolution :
  length forest = number_of_turns turns 0 -> length evolution = number_of_turns turns 1 ->
  length turns = number_of_turns turns 0 + number_of_turns turns 1 ->
  (grows = false -> has_ended next f 0 (number_of_turns turns 0)) ->
  may_be_next next f c turns (if evolution_is_next grows forest evolution then 1 else 0).
Proof.
  intros H0 H1 Hl He. unfold evolution_is_next, may_be_next. rewrite H0, H1, Hl.
  set (a := number_of_turns turns 0) in *. set (b := number_of_turns turns 1) in *.
  destruct grows; [clear He; rewrite orb_false_r|rewrite orb_true_r; right; right; now apply He].
  destruct (Nat.ltb_spec (c * Nat.min a b) (a + b)) as [Hs|Hs].
  - destruct (Nat.ltb_spec b a) as [H|H]; left; cbn [other Nat.sub]; fold a b; lia.
  - right; left. destruct (match least less _ with Some _ => _ | None => _ end); cbn [other Nat.sub]; fold a b; nia.
Qed.

End Rule.

(** ** A run of the forest with the strategy *)

Section ForestShare.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V) (queue : leaf V -> nat) (rank : leaf V -> Z).

Variable c : nat.
Hypothesis c_at_least_2 : 2 <= c.

(** The number of evaluations of the next generation, which may depend on all that has happened. *)
Variables (size : forest V -> nat) (B : nat).
Hypothesis sizes : forall s, 1 <= size s <= B.

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation own_made := (ForestTerms.own_made trees).
Local Notation asides := (asides less cfg trees oracle later).

Definition outside (e : path * nat * V) : bool := negb (own trees e).
Definition outside_made (s : forest V) : nat := length (filter outside (evaluations (log s))).

(** The values of the members; that of the zero vector is a value of both. *)
Definition forest_values (s : forest V) : list V := map snd (filter (own trees) (evaluations (log s))).
Definition evolution_values (s : forest V) : list V :=
  map snd (filter outside (evaluations (log s))) ++ [oracle 0 []].

(** Generations as long as rule F9 says; the forest grows, or the run of the model has ended. *)
Fixpoint evolve (n : nat) (s : forest V) : forest V :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted s then s
      else if evolution_is_next less c true (forest_values s) (evolution_values s)
      then evolve n' (enter (repeat Aside (size s)) s) else s
  end.

(** They enter the forest as evaluations outside it.  The minimum concerns only states that no run reaches
    ([the_generations_are_those_of_F9]). *)
Definition generations (s : forest V) : list (arrival V) :=
  repeat Aside (Nat.min (made (evolve (budget cfg) s) - made s) (c * own_made s + B - made s)).

Local Notation run_for := (Forest.run_for less cfg trees oracle later generations queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation reached := (ForestTerms.reached less cfg trees oracle later generations queue rank).
Local Notation rules := (ForestContext.Rules less cfg trees oracle later generations queue rank).

Lemma generations_are_asides s a : In a (generations s) -> a = Aside.
Proof. apply repeat_spec. Qed.

Lemma generations_are_few s : length (generations s) <= c * own_made s + B - made s.
Proof. unfold generations. rewrite repeat_length. lia. Qed.

Lemma enter_repeat m s : exists m', m' <= m /\ asides m' s (enter (repeat Aside m) s) /\
  (exhausted s = false -> 1 <= m -> 1 <= m').
Proof.
  revert s. induction m as [|m IH]; intros s; cbn [repeat Forest.enter].
  - exists 0. repeat split; [lia|constructor|lia].
  - destruct (exhausted s) eqn:Hx; [exists 0; repeat split; [lia|constructor|discriminate]|].
    destruct (IH (enter_one Aside s)) as (m' & H1 & H2 & _). exists (S m'). repeat split; [lia|now constructor|lia].
Qed.

Lemma asides_counts m s s' : asides m s s' -> trees <= roots s ->
  own_made s' = own_made s /\ outside_made s' = outside_made s + m /\ trees <= roots s'.
Proof.
  induction 1 as [s|m s s' _ _ IH]; intros Hr; [lia|].
  destruct IH as (H1 & H2 & H3); [cbn; lia|]. rewrite H1, H2.
  assert (E : (roots s <? trees) = false) by (apply Nat.ltb_ge; lia).
  unfold ForestTerms.own_made, outside_made, outside, own.
  cbn [Forest.enter_one Forest.evaluate pass_over log evaluations filter fst].
  change (tree_of [roots s]) with (roots s). rewrite E. cbn [negb length]. repeat split; [lia|]. cbn in H3. lia.
Qed.

Lemma made_is_the_sum s : reached s -> made s = own_made s + outside_made s.
Proof.
  intros Hr. rewrite <- (evaluations_made (F := rules) s Hr).
  unfold ForestTerms.own_made, outside_made, outside. induction (evaluations (log s)) as [|e es IH]; [reflexivity|].
  cbn [filter length]. destruct (own trees e); cbn [negb length]; lia.
Qed.

Lemma roots_are_there s : reached s -> trees <= roots s.
Proof. intros Hr. apply (nodes_are_sound _ _ _ s (reached_invariant (F := rules) s Hr)). Qed.

Lemma evolve_ends n s : budget cfg <= made s + n ->
  exhausted (evolve n s) = true \/
  evolution_is_next less c true (forest_values (evolve n s)) (evolution_values (evolve n s)) = false.
Proof.
  revert s. induction n as [|n IH]; intros s Hb; cbn [evolve].
  - left. apply Nat.leb_le. lia.
  - destruct (exhausted s) eqn:Hx; [now left|].
    destruct (evolution_is_next less c true (forest_values s) (evolution_values s)) eqn:E; [|now right].
    apply IH. destruct (enter_repeat (size s) s) as (m & _ & Ha & Hm). pose proof (sizes s).
    pose proof (asides_made _ _ _ _ _ _ _ _ Ha). specialize (Hm Hx). lia.
Qed.

(** The turns so far. *)
Section Turns.

Context {X : Type} (next : nat -> list V -> option X) (f : X -> V) (most : nat -> nat).
Hypothesis nobody_ends : forall j values, next j values <> None.
Hypothesis most_of_the_strategy : B <= most 1.

Definition turns_of (turns : list nat) (s : forest V) : Prop :=
  shared next f c most turns /\ number_of_turns turns 0 = own_made s /\ number_of_turns turns 1 = S (outside_made s).

Lemma next_by_F9 turns s : turns_of turns s ->
  may_be_next next f c turns
    (if evolution_is_next less c true (forest_values s) (evolution_values s) then 1 else 0).
Proof.
  intros (Hs & H0 & H1). apply whoever_is_next_by_F9_may_be_next; [exact c_at_least_2| | | |discriminate].
  - unfold forest_values. now rewrite map_length, H0.
  - unfold evolution_values. rewrite app_length, map_length, H1. cbn. unfold outside_made. lia.
  - now apply (turns_are_of_two_members next f c c_at_least_2 most).
Qed.

Lemma evolve_shares n s turns : trees <= roots s -> turns_of turns s ->
  exists m turns', asides m s (evolve n s) /\ turns_of turns' (evolve n s) /\
    (m = 0 \/ own_made s + outside_made s + m < c * own_made s + B).
Proof.
  revert s turns. induction n as [|n IH]; intros s turns Hr Ht; cbn [evolve].
  - exists 0, turns. split; [constructor|auto].
  - destruct (exhausted s); [exists 0, turns; split; [constructor|auto]|].
    pose proof (next_by_F9 turns s Ht) as Hn. destruct (evolution_is_next _ _ _ _ _);
      [|exists 0, turns; split; [constructor|auto]].
    destruct (enter_repeat (size s) s) as (m & Hm & Ha & _). pose proof (sizes s) as Hb.
    set (s1 := enter (repeat Aside (size s)) s) in *. destruct (asides_counts m s s1 Ha Hr) as (E0 & E1 & Hr1).
    pose proof Ht as (Hs & H0 & H1).
    assert (Ht1 : turns_of (repeat 1 m ++ turns) s1).
    { split; [|rewrite !number_of_turns_repeat; cbn [Nat.eqb]; lia].
      apply next_turns; [exact Hs|lia|exact Hn|lia]. }
    destruct (IH s1 _ Hr1 Ht1) as (m' & turns' & Ha' & Ht' & Hc). exists (m + m'), turns'.
    split; [eapply asides_app; eassumption|]. split; [exact Ht'|]. right.
    assert (H : own_made s + outside_made s < c * own_made s).
    { pose proof (turns_are_of_two_members next f c c_at_least_2 most turns Hs) as Hl. unfold may_be_next in Hn.
      cbn [other Nat.sub] in Hn. rewrite Hl, H0, H1 in Hn. destruct Hn as [Hn|[Hn|Hn]]; [nia|lia|].
      now apply nobody_ends in Hn. }
    destruct Hc as [->|Hc]; lia.
Qed.

Hypothesis most_of_the_forest : forall s, reached s -> exhausted s = false -> made (sweep s) <= made s + most 0.
Hypothesis trees_positive : 1 <= trees.

Lemma generations_in_a_run s turns : reached s -> turns_of turns s ->
  enter (generations s) s = evolve (budget cfg) s.
Proof.
  intros Hr Ht. destruct (evolve_shares (budget cfg) s turns (roots_are_there s Hr) Ht) as (m & _ & Ha & _ & Hc).
  unfold generations. pose proof (asides_made _ _ _ _ _ _ _ _ Ha) as E. pose proof (made_is_the_sum s Hr).
  replace (Nat.min _ _) with m by lia. now apply asides_enter.
Qed.

Hypothesis most_are_positive : 1 <= most 0.

Lemma the_start_is_shared : turns_of [1; 0] start.
Proof.
  split; [|unfold ForestTerms.own_made, outside_made, outside, own; cbn; destruct trees; [lia|now cbn]].
  pose proof (sizes start).
  apply (next_turns next f c most [0] 1 1); [|lia|left; cbn; lia|lia].
  apply (next_turns next f c most [] 0 1); [constructor|lia|left; cbn; lia|lia].
Qed.

(** Claim [constant-share].  A run of the forest with an evolution strategy under rule F9 is a run of two members that share
    the turns: member 0 has had a turn for each evaluation of the forest, member 1 one for each of its own and one for
    the zero vector. *)
Theorem a_run_under_F9_is_shared n : exists turns, turns_of turns (run_for n start).
Proof.
  apply (runs_induction (F := rules) (fun _ s => exists turns, turns_of turns s)); [exists [1; 0]; exact the_start_is_shared|auto|].
  ForestContext.with_given_rules. clear n. intros n. set (s := run_for n start). intros Hr Hr1 (turns & Ht). rewrite (generations_in_a_run s turns Hr Ht) in *.
  destruct (evolve_shares (budget cfg) s turns (roots_are_there s Hr) Ht) as (m & turns1 & _ & Ht1 & _).
  split; intros Ex; [now exists turns1|].
  destruct (evolve_ends (budget cfg) s ltac:(lia)) as [E|E]; [congruence|].
  pose proof (next_by_F9 turns1 _ Ht1) as Hn. rewrite E in Hn. set (s1 := evolve (budget cfg) s) in *.
  pose proof (sweep_adds_to_both (F := rules) generations_are_asides s1 Ex Hr1) as Hb.
  pose proof (reached_steps (F := rules) _ _ Hr1 (sweep_steps (F := rules) s1 Ex Hr1)) as Hr2.
  pose proof (made_is_the_sum s1 Hr1) as Hsum1. pose proof (made_is_the_sum _ Hr2) as Hsum2.
  pose proof (most_of_the_forest s1 Hr1 Ex) as Hm.
  pose proof (sweep_made_grows (F := rules) s1 Ex (reached_invariant (F := rules) s1 Hr1)) as Hg. ForestContext.with_given_rules.
  destruct Ht1 as (Hs & H0 & H1). exists (repeat 0 (made (sweep s1) - made s1) ++ turns1).
  split; [|rewrite !number_of_turns_repeat; cbn [Nat.eqb]; lia].
  apply next_turns; [exact Hs|lia|exact Hn|lia].
Qed.

End Turns.

(** Claim [constant-share].  Under rule F9 each member has had at least (v - B)/c of v turns after every sweep and at the end,
    the zero vector being a turn of each; B is the greatest number of evaluations that the other one makes at once. *)
Corollary each_member_gets_its_share_under_F9 B0 n : 1 <= trees -> 1 <= B0 ->
  (forall s, reached s -> exhausted s = false -> made (sweep s) <= made s + B0) ->
  let s := run_for n start in
  made s = own_made s + outside_made s /\
  S (made s) <= c * own_made s + B /\ S (made s) <= c * S (outside_made s) + B0.
Proof.
  intros Ht Hp Hm. cbv zeta.
  set (next := fun (_ : nat) (_ : list V) => Some tt). set (f := fun _ : unit => oracle 0 []).
  set (most := fun j => match j with 0 => B0 | _ => B end).
  assert (never : forall j n, ~ has_ended next f j n) by (intros j m; discriminate).
  destruct (a_run_under_F9_is_shared next f most ltac:(discriminate) (Nat.le_refl B) Hm Ht Hp n) as (turns & Hs & H0 & H1).
  pose proof (turns_are_of_two_members next f c c_at_least_2 most turns Hs) as Hl.
  pose proof (made_is_the_sum _ (run_for_reached (F := rules) n)) as E. ForestContext.with_given_rules.
  destruct (each_member_gets_its_share next f c c_at_least_2 most turns 0 Hs ltac:(lia)) as [S0|S0]; [|now apply never in S0].
  destruct (each_member_gets_its_share next f c c_at_least_2 most turns 1 Hs ltac:(lia)) as [S1|S1]; [|now apply never in S1].
  change (most (other 0)) with B in S0. change (most (other 1)) with B0 in S1. lia.
Qed.

(** Claim [constant-share].  Under rule F9 the answer is at most that of the forest alone with any budget w such that c w + B is
    at most the whole budget; B is the greatest number of evaluations of a generation. *)
Theorem under_F9_the_answer_is_at_most_that_of_the_forest_alone later' w :
  total_order less -> 1 <= trees -> 1 <= half cfg -> 1 <= w -> c * w + B <= budget cfg ->
  at_most less (answer (Forest.hunt less cfg trees oracle later generations queue rank))
    (answer (Forest.hunt less (with_budget w cfg) trees oracle later' nothing queue rank)).
Proof.
  intros order Ht Hk Hw Hb.
  apply (the_answer_is_at_most_that_of_the_forest_alone_with_its_share (F := rules) later' w c B); auto; [lia|exact generations_are_asides|exact generations_are_few].
Qed.

End ForestShare.

(** ** An instance

    Two trees on the line, and a strategy with three evaluations in each generation. *)

Definition a_shared_run : forest Z :=
  let cfg := one_dimension (Settings 1 1 3 60 0 1) in
  Forest.hunt Z.ltb cfg 2 some_oracle some_later
    (generations Z.ltb cfg 2 some_oracle some_later 4 (fun _ => 3) 3) (separate_origin 2) one_class.

(** Claim [constant-share].  An instance in which both members are asked: of 60 evaluations 45 are the forest's. *)
Theorem both_members_are_asked : made a_shared_run = 60 /\ own_made 2 a_shared_run = 45.
Proof. vm_compute. auto. Qed.
