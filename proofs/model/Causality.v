(** * A run looks at nothing but the values it has been given

    Two runs with two oracles make the same evaluations until the oracles answer one of them differently.  So the next
    evaluation is a function of the values seen so far: Algorithm 1 is an adaptive rule, it can be asked for points and
    told their values, and a log of values is enough to resume it. *)

From EmbeddedHunter Require Import Lists Filters Lattice Model Nodes Loops.

Section TwoOracles.

Context {V : Type} (less : V -> V -> bool) (cfg : settings) (oracle oracle' : path -> nat -> V).
Hypothesis equal_or_not : forall a b : V, a = b \/ a <> b.

Local Notation k := (half cfg).

(** The evaluations of a state: (node, visit number, value), the latest first. *)
Definition seen (s : state V) : list (path * nat * V) := evaluations (log s).

(** The two states saw the same evaluations up to one that the oracles answered differently. *)
Definition diverged (s s' : state V) : Prop :=
  exists p n earlier later later',
    seen s = later ++ (p, n, oracle (birth k p) n) :: earlier /\
    seen s' = later' ++ (p, n, oracle' (birth k p) n) :: earlier /\
    oracle (birth k p) n <> oracle' (birth k p) n.

Definition grows (s s' : state V) : Prop := exists more, seen s' = more ++ seen s.

Lemma grows_refl : forall s, grows s s.
Proof. intros s. exists []. reflexivity. Qed.

Lemma grows_trans : forall s s1 s2, grows s s1 -> grows s1 s2 -> grows s s2.
Proof. intros s s1 s2 [more E] [more' E']. exists (more' ++ more). rewrite E', E, app_assoc. reflexivity. Qed.

Lemma diverged_stays_diverged : forall s s' t t',
  diverged s s' -> grows s t -> grows s' t' -> diverged t t'.
Proof.
  intros s s' t t' (p & n & earlier & later & later' & E & E' & different) [more G] [more' G'].
  exists p, n, earlier, (more ++ later), (more' ++ later').
  rewrite G, E, G', E', !app_assoc. auto.
Qed.

Lemma make_children_grows : forall o digits x s, grows s (snd (make_children less o cfg digits x s)).
Proof.
  intros o. induction digits as [|c rest IH]; intros x s; cbn [make_children]; [apply grows_refl|].
  destruct ((c =? k) && negb (within_cap cfg x)).
  - specialize (IH x s). destruct (make_children less o cfg rest x s) as [[children|] s1]; exact IH.
  - destruct (exhausted cfg s); [apply grows_refl|]. cbn [evaluate].
    match goal with |- context [make_children less o cfg rest x ?t] =>
      specialize (IH x t); destruct (make_children less o cfg rest x t) as [[children|] s1] end;
      cbn [snd] in *; (eapply grows_trans; [|exact IH]);
      eexists [_]; reflexivity.
Qed.

Lemma make_children_in_step : forall digits x s,
  make_children less oracle cfg digits x s = make_children less oracle' cfg digits x s \/
  diverged (snd (make_children less oracle cfg digits x s)) (snd (make_children less oracle' cfg digits x s)).
Proof.
  induction digits as [|c rest IH]; intros x s; cbn [make_children]; [auto|].
  destruct ((c =? k) && negb (within_cap cfg x)).
  - destruct (IH x s) as [E | D]; [rewrite E; auto|]. right.
    destruct (make_children less oracle cfg rest x s) as [[children|] s1],
             (make_children less oracle' cfg rest x s) as [[children'|] s1']; exact D.
  - destruct (exhausted cfg s); [auto|]. cbn [evaluate].
    set (p := c :: place x). set (n := if c =? k then S (count x) else 1).
    destruct (equal_or_not (oracle (birth k p) n) (oracle' (birth k p) n)) as [E | N].
    + rewrite <- E.
      match goal with |- context [make_children less oracle cfg rest x ?t] => destruct (IH x t) as [E' | D] end.
      * rewrite E'. auto.
      * right.
        match goal with |- context [make_children less oracle cfg rest x ?t] =>
          destruct (make_children less oracle cfg rest x t) as [[children|] s1],
                   (make_children less oracle' cfg rest x t) as [[children'|] s1'] end; exact D.
    + right.
      match goal with |- diverged (snd (match make_children less oracle cfg rest x ?t with _ => _ end))
                                  (snd (match make_children less oracle' cfg rest x ?t' with _ => _ end)) =>
        pose proof (make_children_grows oracle rest x t) as G;
        pose proof (make_children_grows oracle' rest x t') as G';
        assert (D : diverged t t') by (exists p, n, (seen s), [], []; auto);
        destruct (make_children less oracle cfg rest x t) as [[children|] s1],
                 (make_children less oracle' cfg rest x t') as [[children'|] s1'];
        exact (diverged_stays_diverged _ _ _ _ D G G')
      end.
Qed.

Lemma growth_kept : forall o, kept less o cfg grows.
Proof.
  intros o. split; [exact grows_refl | exact grows_trans | exists []; reflexivity | exists []; reflexivity |].
  intros x s _. unfold expand.
  match goal with |- context [make_children less o cfg ?ds x ?t] =>
    pose proof (make_children_grows o ds x t) as G;
    destruct (make_children less o cfg ds x t) as [[children|] s1] end; exact G.
Qed.

Lemma expand_in_step : forall x s, related (apart := diverged) (expand less oracle cfg x s) (expand less oracle' cfg x s).
Proof.
  intros x s. unfold related, expand.
  match goal with |- context [make_children less oracle cfg ?ds x ?t] =>
    destruct (make_children_in_step ds x t) as [E | D] end.
  - rewrite E. auto.
  - right.
    match goal with |- context [make_children less oracle cfg ?ds x ?t] =>
      destruct (make_children less oracle cfg ds x t) as [[children|] s1],
               (make_children less oracle' cfg ds x t) as [[children'|] s1'] end; exact D.
Qed.

(** Claim [determinism]. Two runs are equal, or they saw the same evaluations up to one that their oracles answered
    differently. *)
Theorem runs_differ_only_after_their_oracles_do :
  hunt less oracle cfg = hunt less oracle' cfg \/ diverged (hunt less oracle cfg) (hunt less oracle' cfg).
Proof.
  apply (run_for_related (growth_kept oracle) (growth_kept oracle') eq_refl (fun _ H => H) diverged_stays_diverged);
    [congruence | auto using expand_in_step |].
  unfold start. destruct (equal_or_not (oracle [] 1) (oracle' [] 1)) as [E | N]; [left; rewrite E; reflexivity|].
  right. exists [], 1, [], [], []. auto.
Qed.

(** Claim [determinism]. Oracles that answer alike give equal runs, whatever the type of values. *)
Theorem equal_oracles_give_equal_runs :
  (forall p n, oracle p n = oracle' p n) -> hunt less oracle cfg = hunt less oracle' cfg.
Proof.
  intros same. destruct runs_differ_only_after_their_oracles_do as [E | (p & n & _ & _ & _ & _ & _ & N)]; [exact E|].
  destruct N. apply same.
Qed.

(** The nodes and visit numbers of the evaluations of a run, the first one first. *)
Definition requests (s : state V) : list (path * nat) := rev (map fst (seen s)).

(** Claim [determinism]. If two oracles agree on the first j evaluations of a run, the next evaluation is the same for
    both. *)
Theorem the_next_evaluation_depends_on_the_past_alone : forall j,
  (forall p n, In (p, n) (firstn j (requests (hunt less oracle cfg))) -> oracle (birth k p) n = oracle' (birth k p) n) ->
  nth_error (requests (hunt less oracle cfg)) j = nth_error (requests (hunt less oracle' cfg)) j.
Proof.
  intros j agree.
  destruct runs_differ_only_after_their_oracles_do as [E | (p & n & earlier & later & later' & E & E' & N)];
    [rewrite E; reflexivity|].
  unfold requests in *. rewrite E in *. rewrite E'. clear E E'.
  rewrite !map_app, !rev_app_distr in *. cbn [map rev fst] in *. rewrite <- !app_assoc in *.
  set (common := rev (map fst earlier)) in *.
  destruct (Nat.le_gt_cases j (length common)) as [small | large].
  - destruct (Nat.eq_dec j (length common)) as [-> | smaller].
    + rewrite (nth_error_app2 common ([(p, n)] ++ rev (map fst later))),
        (nth_error_app2 common ([(p, n)] ++ rev (map fst later'))) by lia.
      rewrite Nat.sub_diag. reflexivity.
    + rewrite !nth_error_app1 by lia. reflexivity.
  - destruct N. apply agree. rewrite firstn_app. apply in_or_app. right.
    replace (j - length common) with (S (j - length common - 1)) by lia. left. reflexivity.
Qed.

End TwoOracles.

(** ** Algorithm 1 as an adaptive rule *)

Section TheRule.

Context {V : Type} (less : V -> V -> bool) (cfg : settings) (unknown : V).
Hypothesis equal_or_not : forall a b : V, a = b \/ a <> b.

Local Notation k := (half cfg).
Local Notation hunt o := (hunt less o cfg).

(** The oracle that answers from a list of base points, visit numbers and values. *)
Definition remembered (memory : list (path * nat * V)) : path -> nat -> V :=
  fun p n => match find (fun entry => same_path (fst (fst entry)) p && (snd (fst entry) =? n)) memory with
             | Some entry => snd entry
             | None => unknown
             end.

(** What a run has learnt from its values (the latest first): it asks, and is told. *)
Fixpoint learnt (values : list V) : list (path * nat * V) :=
  match values with
  | [] => []
  | v :: past =>
      match nth_error (requests (hunt (remembered (learnt past)))) (length past) with
      | Some (p, n) => (birth k p, n, v) :: learnt past
      | None => learnt past
      end
  end.

(** The next evaluation, a function of the values so far (the latest first); none if the run is over. *)
Definition next_request (values : list V) : option (path * nat) :=
  nth_error (requests (hunt (remembered (learnt values)))) (length values).

(** The values of the first j evaluations of a run, the latest first. *)
Definition answers (oracle : path -> nat -> V) (j : nat) : list V :=
  rev (map (fun request => oracle (birth k (fst request)) (snd request)) (firstn j (requests (hunt oracle)))).

Lemma remembered_is_right : forall memory (oracle : path -> nat -> V) p n,
  (forall q m v, In (q, m, v) memory -> v = oracle q m) ->
  (exists v, In (p, n, v) memory) -> remembered memory p n = oracle p n.
Proof.
  intros memory oracle p n right (v & inside). unfold remembered.
  destruct (find _ memory) as [[[q m] w]|] eqn:found.
  - apply find_some in found. destruct found as [member same]. cbn [fst snd] in *.
    apply andb_prop in same. destruct same as [same_p same_n].
    apply same_path_iff in same_p. apply Nat.eqb_eq in same_n. subst. apply right. assumption.
  - apply (find_none _ _ found) in inside. cbn [fst snd] in inside.
    rewrite (proj2 (same_path_iff p p) eq_refl), Nat.eqb_refl in inside. discriminate.
Qed.

Lemma learnt_is_right : forall oracle j, j <= length (requests (hunt oracle)) ->
  length (answers oracle j) = j /\
  (forall q m v, In (q, m, v) (learnt (answers oracle j)) -> v = oracle q m) /\
  (forall p n, In (p, n) (firstn j (requests (hunt oracle))) -> exists v, In (birth k p, n, v) (learnt (answers oracle j))) /\
  next_request (answers oracle j) = nth_error (requests (hunt oracle)) j.
Proof.
  intros oracle j small.
  assert (size : length (answers oracle j) = j).
  { unfold answers. rewrite rev_length, map_length, firstn_length. lia. }
  enough (right : (forall q m v, In (q, m, v) (learnt (answers oracle j)) -> v = oracle q m) /\
    (forall p n, In (p, n) (firstn j (requests (hunt oracle))) -> exists v, In (birth k p, n, v) (learnt (answers oracle j)))).
  { destruct right as [right all]. split; [assumption|]. split; [assumption|]. split; [assumption|].
    unfold next_request. rewrite size. symmetry.
    apply the_next_evaluation_depends_on_the_past_alone; [assumption|].
    intros p n inside. symmetry. apply remembered_is_right; auto. }
  clear size. induction j as [|j IH]; [split; [intros q m v [] | intros p n []]|].
  destruct (IH ltac:(lia)) as [right all].
  assert (size : length (answers oracle j) = j).
  { unfold answers. rewrite rev_length, map_length, firstn_length. lia. }
  destruct (nth_error (requests (hunt oracle)) j) as [[p n]|] eqn:next.
  2: { apply nth_error_None in next. lia. }
  assert (one_more : answers oracle (S j) = oracle (birth k p) n :: answers oracle j).
  { unfold answers. rewrite (firstn_one_more _ _ _ next), map_app, rev_app_distr. reflexivity. }
  assert (asked : nth_error (requests (hunt (remembered (learnt (answers oracle j))))) (length (answers oracle j))
                  = Some (p, n)).
  { rewrite size, <- next. symmetry. apply the_next_evaluation_depends_on_the_past_alone; [assumption|].
    intros p' n' inside. symmetry. apply remembered_is_right; auto. }
  rewrite one_more. cbn [learnt]. rewrite asked. rewrite (firstn_one_more _ _ _ next). split.
  - intros q m v [[= <- <- <-] | inside]; [reflexivity | apply right; assumption].
  - intros p' n' inside. apply in_app_or in inside. destruct inside as [inside | [[= <- <-] | []]].
    + destruct (all p' n' inside) as [v member]. exists v. right. exact member.
    + exists (oracle (birth k p) n). left. reflexivity.
Qed.

(** Claims [determinism] [fresh-ceiling]. Algorithm 1 is an adaptive rule: whatever the oracle, the evaluation after
    the first j ones is [next_request] of their values, a function that never sees the oracle. *)
Theorem algorithm_one_is_an_adaptive_rule : forall oracle j, j <= length (requests (hunt oracle)) ->
  nth_error (requests (hunt oracle)) j = next_request (answers oracle j).
Proof. intros oracle j small. symmetry. apply learnt_is_right. assumption. Qed.

End TheRule.
