(** * A visit in one batch.

    No decision inside one visit of a depth depends on the children made in it.  So
    the evaluations that a visit will make are known when it begins: they can be
    asked for together, and their values handed out afterwards.  This file says how
    ([visit_in_one_batch]) and proves that nothing changes. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps.

Section Batch.

Context {V : Type} (less : V -> V -> bool) (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).

(** The leaves that a visit will expand, chosen from its frozen classes and nu_min
    alone. *)
Fixpoint chosen (nu : option V) (frozen : list (Z * list (leaf V))) : list (leaf V) :=
  match frozen with
  | [] => []
  | (_, []) :: rest => chosen nu rest
  | (_, x :: others) :: rest =>
      let a := argmin less x others in
      if below less (best a) nu then a :: chosen (Some (best a)) rest
      else chosen nu rest
  end.

(** The evaluations (node, visit number) that the children of [x] with the given
    digits need. *)
Fixpoint needs (digits : list nat) (x : leaf V) : list (path * nat) :=
  match digits with
  | [] => []
  | c :: rest =>
      if (c =? k) && negb (within_cap cfg x) then needs rest x
      else (c :: place x, if c =? k then S (count x) else 1) :: needs rest x
  end.

Definition needs_of (x : leaf V) : list (path * nat) := needs (seq 0 (K k)) x.

(** The batch: all evaluations of the visit of depth [l], in the order of
    Algorithm 1, cut to what the budget leaves.  No oracle is asked. *)
Definition batch (l : nat) (s : state V) : list (path * nat) :=
  firstn (budget cfg - made s) (flat_map needs_of (chosen (nu_min s) (classes l (leaves s)))).

(** The values received, by base point and visit number. *)
Fixpoint look_up (default : V) (table : list ((path * nat) * V)) (y : path) (n : nat) : V :=
  match table with
  | [] => default
  | ((p, m), v) :: rest =>
      if same_path (birth k p) y && (m =? n) then v else look_up default rest y n
  end.

Variable oracle : path -> nat -> V.

(** One evaluation asked of the oracle. *)
Definition ask (r : path * nat) : V := oracle (birth k (fst r)) (snd r).

(** The batched visit: ask for the whole batch, then carry the visit out on the
    values received, without asking again. *)
Definition visit_in_one_batch (l : nat) (s : state V) : state V :=
  let asked := batch l s in
  let received := combine asked (map ask asked) in
  visit less (look_up (answer s) received) cfg l s.

(** ** The visit depends on the batch alone *)

Definition agree (o o' : path -> nat -> V) (rs : list (path * nat)) : Prop :=
  forall r, In r rs -> o (birth k (fst r)) (snd r) = o' (birth k (fst r)) (snd r).

Lemma children_in_batch o o' digits x s :
  agree o o' (firstn (budget cfg - made s) (needs digits x)) ->
  make_children less o cfg digits x s = make_children less o' cfg digits x s /\
  let s' := snd (make_children less o cfg digits x s) in
  made s' = made s + length (firstn (budget cfg - made s) (needs digits x)) /\
  nu_min s' = nu_min s /\
  evaluations (log s') =
    rev (map (fun r => (fst r, snd r, o (birth k (fst r)) (snd r)))
      (firstn (budget cfg - made s) (needs digits x))) ++ evaluations (log s).
Proof.
  revert s; induction digits as [|c digits IH]; intros s Ha.
  - cbn [needs make_children]. rewrite firstn_nil. cbn. auto.
  - cbn [needs make_children] in *. destruct ((c =? k) && negb (within_cap cfg x)).
    + destruct (IH s Ha) as (E & H1 & H2 & H3). rewrite <- E.
      destruct (make_children less o cfg digits x s) as [[ch|] s']; cbn [snd] in *; auto.
    + destruct (exhausted s) eqn:Ex.
      * apply exhausted_left in Ex. rewrite Ex. cbn. rewrite Nat.add_0_r. auto.
      * assert (Hl : budget cfg - made s = S (budget cfg - S (made s))).
        { unfold Model.exhausted in Ex. apply Nat.leb_gt in Ex. lia. }
        rewrite Hl in Ha |- *. cbn [firstn] in Ha |- *.
        set (n := if c =? k then S (count x) else 1) in *.
        assert (Hv : o (birth k (c :: place x)) n = o' (birth k (c :: place x)) n)
          by (apply (Ha (c :: place x, n)); now left).
        unfold Model.evaluate. rewrite <- Hv.
        set (s1 := State _ _ _ _ _ _ _).
        destruct (IH s1) as (E & H1 & H2 & H3).
        { intros r Hr. apply Ha. right. exact Hr. }
        rewrite <- E. change (made s1) with (S (made s)) in *.
        destruct (make_children less o cfg digits x s1) as [[ch|] s']; cbn [snd] in *;
          (split; [reflexivity|]; cbn [length map rev fst snd];
           split; [lia|]; split; [rewrite H2; reflexivity|];
           rewrite H3, <- app_assoc; reflexivity).
Qed.

Lemma expand_in_batch o o' x s :
  agree o o' (firstn (budget cfg - made s) (needs_of x)) ->
  expand less o cfg x s = expand less o' cfg x s /\
  let s' := expand less o cfg x s in
  made s' = made s + length (firstn (budget cfg - made s) (needs_of x)) /\
  nu_min s' = Some (best x) /\
  evaluations (log s') =
    rev (map (fun r => (fst r, snd r, o (birth k (fst r)) (snd r)))
      (firstn (budget cfg - made s) (needs_of x))) ++ evaluations (log s).
Proof.
  intros Ha. unfold expand. set (s1 := State _ _ _ _ _ _ _).
  destruct (children_in_batch o o' (seq 0 (K k)) x s1 Ha) as (E & H1 & H2 & H3).
  rewrite <- E. destruct (make_children less o cfg (seq 0 (K k)) x s1) as [[ch|] s2];
    cbn [snd] in *; auto.
Qed.

Lemma firstn_left (A B : list (path * nat)) n :
  firstn n (A ++ B) = firstn n A ++ firstn (n - length (firstn n A)) B.
Proof.
  rewrite firstn_app, firstn_length. f_equal.
  destruct (Nat.le_ge_cases n (length A)).
  - replace (n - length A) with 0 by lia. replace (n - Nat.min n (length A)) with 0 by lia. reflexivity.
  - f_equal. lia.
Qed.

Lemma classes_in_batch o o' frozen s :
  let rs := firstn (budget cfg - made s) (flat_map needs_of (chosen (nu_min s) frozen)) in
  agree o o' rs ->
  visit_classes less o cfg frozen s = visit_classes less o' cfg frozen s /\
  evaluations (log (visit_classes less o cfg frozen s)) =
    rev (map (fun r => (fst r, snd r, o (birth k (fst r)) (snd r))) rs) ++ evaluations (log s).
Proof.
  revert s; induction frozen as [|[r [|x others]] rest IH]; intros s; cbv zeta.
  - cbn. rewrite firstn_nil. auto.
  - cbn [chosen visit_classes visit_class]. apply IH.
  - cbn [chosen visit_classes visit_class]. set (a := argmin less x others).
    destruct (exhausted s) eqn:Ex.
    + intros Ha. pose proof (proj1 (exhausted_left cfg s) Ex) as Hz. rewrite Hz in *.
      specialize (IH s). cbv zeta in IH. rewrite Hz in IH. cbn [firstn] in *. apply IH.
      intros q [].
    + destruct (below less (best a) (nu_min s)) eqn:Eb; [|apply IH].
      cbn [flat_map]. rewrite firstn_left. intros Ha.
      destruct (expand_in_batch o o' a s) as (E & H1 & H2 & H3).
      { intros q Hq. apply Ha, in_or_app. now left. }
      specialize (IH (expand less o cfg a s)). cbv zeta in IH. rewrite H1, H2 in IH.
      rewrite Nat.sub_add_distr in IH.
      destruct IH as [IH1 IH2]. { intros q Hq. apply Ha, in_or_app. now right. }
      split; [now rewrite <- E|].
      rewrite IH2, H3, map_app, rev_app_distr, app_assoc. reflexivity.
Qed.

(** Claim [batch-equivalence].  A visit makes exactly the evaluations of its batch, in
    that order; and the batch was fixed when the visit began. *)
Theorem a_visit_evaluates_exactly_its_batch l s :
  evaluations (log (visit less oracle cfg l s)) =
  rev (map (fun r => (fst r, snd r, ask r)) (batch l s)) ++ evaluations (log s).
Proof.
  unfold visit, batch.
  apply (classes_in_batch oracle oracle (classes l (leaves s)) (begin_visit l s)).
  intros r _. reflexivity.
Qed.

Lemma look_up_agrees default asked :
  agree (look_up default (combine asked (map ask asked))) oracle asked.
Proof.
  assert (H : forall rs r, In r rs ->
    look_up default (combine rs (map ask rs)) (birth k (fst r)) (snd r) = ask r).
  { induction rs as [|[p m] rs IH]; intros r Hr; [easy|]. cbn [map combine look_up].
    destruct (same_path (birth k p) (birth k (fst r)) && (m =? snd r)) eqn:E.
    - apply andb_true_iff in E. destruct E as [E1 E2].
      apply same_path_iff in E1. apply Nat.eqb_eq in E2. unfold ask. cbn [fst snd]. congruence.
    - destruct Hr as [<-|Hr]; [|now apply IH]. exfalso. cbn [fst snd] in E.
      rewrite (proj2 (same_path_iff _ _) eq_refl), Nat.eqb_refl in E. discriminate. }
  intros r Hr. now apply H.
Qed.

(** Claim [batch-equivalence].  One visit, evaluated in one batch, gives the state
    that evaluating line by line gives: tree, answer, counters, budget and log. *)
Theorem a_visit_in_one_batch_is_the_visit_line_by_line l s :
  visit_in_one_batch l s = visit less oracle cfg l s.
Proof.
  unfold visit_in_one_batch, visit.
  apply (classes_in_batch _ oracle (classes l (leaves s)) (begin_visit l s)).
  apply look_up_agrees.
Qed.

(** ** The whole run in batches *)

Fixpoint visits_in_batches (n l : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' => if exhausted s then s else visits_in_batches n' (S l) (visit_in_one_batch l s)
  end.

Definition sweep_in_batches (s : state V) : state V :=
  visits_in_batches (S (limit cfg s)) 0 (begin_sweep cfg s).

Fixpoint run_in_batches_for (n : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted s then s
      else
        let s' := sweep_in_batches s in
        match nu_min s' with
        | None => s'
        | Some _ => run_in_batches_for n' s'
        end
  end.

Definition hunt_in_batches : state V := run_in_batches_for (budget cfg) (start oracle cfg).

(** Claim [batch-equivalence].  The run that evaluates visit by visit in batches is the
    run of Algorithm 1, event by event. *)
Theorem hunting_in_batches_is_hunting : hunt_in_batches = hunt less oracle cfg.
Proof.
  assert (Hv : forall n l s, visits_in_batches n l s = visits less oracle cfg n l s).
  { induction n as [|n IH]; intros l s; [reflexivity|]. cbn [visits_in_batches visits].
    now rewrite a_visit_in_one_batch_is_the_visit_line_by_line, IH. }
  unfold hunt_in_batches, hunt. generalize (start oracle cfg).
  generalize (budget cfg). induction n as [|n IH]; intros s; [reflexivity|].
  cbn [run_in_batches_for run_for]. unfold sweep_in_batches, sweep. rewrite Hv.
  destruct (exhausted s); [reflexivity|].
  destruct (nu_min (visits less oracle cfg (S (limit cfg s)) 0 (begin_sweep cfg s)));
    [apply IH|reflexivity].
Qed.

End Batch.
