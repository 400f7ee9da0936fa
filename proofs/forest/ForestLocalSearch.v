(** * Rule F6: when a local search is asked, and how many evaluations it makes.

    Between two sweeps of the forest a local search, any one, is asked for evaluations again and again, as long as every
    tree has had an evaluation besides the zero vector, the last sweep has not ended the run, and all evaluations are fewer
    than [share] times the forest's own.  Each time it makes at most B evaluations.  Here this rule is a state machine, and
    its runs meet the hypotheses of ForestOutside.v: so the bound on the evaluations, and with it the guarantee of the
    forest, follow from the rule, whatever the local search does.  In the
    program [share] is 4, and B is 8: a generation. *)

From EmbeddedHunter Require Import ForestTerms ForestNodes ForestSteps ForestEnds ForestOutside.
From EmbeddedHunter Require ForestContext.

Section ForestLocalSearch.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).

(** [oracle]: the forest's values; [later]: the values that the local search finds, at any points that it chooses from
    all that has happened. *)
Context (oracle : nat -> path -> V) (later : forest V -> path -> V) (queue : leaf V -> nat) (rank : leaf V -> Z).

(** The local search.  It was asked in the first state and is now in the second: does it make one more evaluation before
    it hands back?  A program with a memory of its own is such a function, as what has happened determines its memory. *)
Variable goes_on : forest V -> forest V -> bool.

(** The forest has one in [share] of all evaluations. *)
Variable share : nat.

(** It makes at most so many evaluations each time it is asked, and is asked at most so many times before a sweep. *)
Variable B : nat.
Variable patience : forest V -> nat.

Local Notation exhausted := (Forest.exhausted cfg).
Local Notation enter_one := (enter_one less cfg trees oracle later).
Local Notation own_made := (ForestTerms.own_made trees).

(** ** The rule *)

(** Every tree has had an evaluation besides the zero vector. *)
Definition all_trees_have_begun (s : forest V) : bool :=
  forallb (fun t => existsb (fun e => let p := fst (fst e) in (tree_of p =? t) && negb (same_path (inner p) []))
                            (evaluations (log s)))
    (seq 0 trees).

(** Whether the local search is asked in state [s]; the forest's last sweep ended in state [s0]. *)
Definition is_due (s0 s : forest V) : bool :=
  all_trees_have_begun s0 && negb (Forest.idle cfg s0) && (made s <? share * own_made s0).

(** It is asked in state [s0]. *)
Fixpoint ask (n : nat) (s0 s : forest V) : forest V :=
  match n with
  | 0 => s
  | S n' => if exhausted s then s else if goes_on s0 s then ask n' s0 (enter_one Aside s) else s
  end.

Fixpoint refine (n : nat) (s0 s : forest V) : forest V :=
  match n with
  | 0 => s
  | S n' => if negb (exhausted s) && is_due s0 s then refine n' s0 (ask B s s) else s
  end.

(** What it does between two sweeps, as [arrivals]: as many evaluations outside the forest. *)
Definition refinement (s : forest V) : list (arrival V) :=
  repeat Aside (made (refine (patience s) s s) - made s).

(** ** The rule meets the hypotheses *)

(** From [s] to [s'] with [m] evaluations, the budget not being used up before. *)
Inductive asides : nat -> forest V -> forest V -> Prop :=
| no_asides s : asides 0 s s
| one_aside m s s' : exhausted s = false -> asides m (enter_one Aside s) s' -> asides (S m) s s'.

Lemma asides_made m s s' : asides m s s' -> made s' = made s + m.
Proof. induction 1 as [s|m s s' _ _ IH]; [lia|]. rewrite IH. cbn. lia. Qed.

Lemma asides_enter m s s' : asides m s s' -> enter less cfg trees oracle later (repeat Aside m) s = s'.
Proof. induction 1 as [s|m s s' Hx _ IH]; [reflexivity|]. cbn [repeat Forest.enter]. now rewrite Hx. Qed.

Lemma asides_app m m' s s1 s2 : asides m s s1 -> asides m' s1 s2 -> asides (m + m') s s2.
Proof. induction 1 as [s|m s s1 Hx _ IH]; intros H; [exact H|]. cbn. constructor; auto. Qed.

Lemma ask_makes_few n s0 s : exists m, m <= n /\ asides m s (ask n s0 s).
Proof.
  revert s. induction n as [|n IH]; intros s; cbn [ask]; [exists 0; split; [lia|constructor]|].
  destruct (exhausted s) eqn:Hx, (goes_on s0 s); try (exists 0; split; [lia|constructor]).
  destruct (IH (enter_one Aside s)) as (m & H1 & H2). exists (S m). split; [lia|]. now constructor.
Qed.

Lemma refine_makes_few n s0 s : exists m, asides m s (refine n s0 s) /\ (m = 0 \/ made s + m < share * own_made s0 + B).
Proof.
  revert s. induction n as [|n IH]; intros s; cbn [refine].
  - exists 0. split; [constructor|now left].
  - destruct (negb (exhausted s) && is_due s0 s) eqn:E; [|exists 0; split; [constructor|now left]].
    apply andb_true_iff in E. destruct E as [_ E]. apply andb_true_iff in E. destruct E as [_ E]. apply Nat.ltb_lt in E.
    destruct (ask_makes_few B s s) as (m & H1 & H2). destruct (IH (ask B s s)) as (m' & H3 & H4).
    exists (m + m'). split; [now apply (asides_app m m' s (ask B s s))|].
    pose proof (asides_made _ _ _ H2). right. lia.
Qed.

Lemma refinement_makes_asides s a : In a (refinement s) -> a = Aside.
Proof. apply repeat_spec. Qed.

Lemma refinement_is_short s : length (refinement s) <= share * own_made s + B - made s.
Proof.
  unfold refinement. rewrite repeat_length. destruct (refine_makes_few (patience s) s s) as (m & H1 & H2).
  pose proof (asides_made _ _ _ H1). lia.
Qed.

(** Claim [forest-refinement-share].  To let these evaluations enter is to let the local search do what it does. *)
Theorem the_evaluations_outside_the_forest_are_those_of_the_local_search s :
  enter less cfg trees oracle later (refinement s) s = refine (patience s) s s.
Proof.
  unfold refinement. destruct (refine_makes_few (patience s) s s) as (m & H1 & _).
  rewrite (asides_made _ _ _ H1). replace (made s + m - made s) with m by lia. now apply asides_enter.
Qed.

(** ** The bound *)

Local Notation run_for := (Forest.run_for less cfg trees oracle later refinement queue rank).
Local Notation start := (Forest.start cfg trees oracle).

Hypothesis share_positive : 1 <= share.
Hypothesis trees_positive : 1 <= trees.

(** Claim [forest-refinement-share].  Rule F6 for any local search: after every sweep, and so at the end of the run, all
    evaluations are at most [share] times the forest's own, and B more. *)
Theorem all_evaluations_are_at_most_share_times_those_of_the_forest_and_B_more n :
  made (run_for n start) <= share * own_made (run_for n start) + B.
Proof.
  pose proof (evaluations_outside_the_forest_keep_their_share (F := ForestContext.Rules less cfg trees oracle later refinement queue rank)
    refinement_makes_asides share B share_positive trees_positive refinement_is_short n) as H.
  pose proof (enter_made (F := ForestContext.Rules less cfg trees oracle later refinement queue rank) (refinement (run_for n start)) (run_for n start)).
  cbn in *. lia.
Qed.

End ForestLocalSearch.
