(** * Visit numbers count: the n-th evaluation of a base point has number n. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths RunsTree RunsEvaluations.

Section RunsNumbers.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation reached := (reached less oracle cfg).

(** The evaluations of base point [b] in a log. *)
Definition at_point (b : path) (log : list (event V)) : list (path * nat * V) :=
  filter (fun e => same_path (birth k (fst (fst e))) b) (evaluations log).

Lemma in_at_point b log p n v :
  In (p, n, v) (at_point b log) <-> In (p, n, v) (evaluations log) /\ birth k p = b.
Proof. unfold at_point. rewrite filter_In. cbn. now rewrite same_path_iff. Qed.

(** No evaluation lies under a leaf, while budget is left. *)
Lemma nothing_evaluated_under_a_leaf s q p n v :
  reached s -> exhausted s = false -> In q (places s) ->
  In (p, n, v) (evaluations (log s)) -> ancestor q p -> p = q.
Proof.
  intros Hr Hx Hq Hp Ha. destruct p as [|c p].
  - apply ancestor_length in Ha. destruct q; [reflexivity|cbn in Ha; lia].
  - destruct (evaluations_of_nodes less oracle cfg s Hr _ _ _ Hp) as (_ & _ & _ & _ & Hpar).
    specialize (Hpar c p eq_refl).
    destruct (ancestor_cons _ _ _ Ha) as [E|Ha']; [congruence|]. exfalso.
    apply (an_expanded_node_is_no_leaf less oracle cfg s Hr Hx q); [|exact Hq].
    destruct (list_eq_dec Nat.eq_dec q p) as [->|N]; [exact Hpar|].
    apply (ancestors_are_expanded less oracle cfg s q p Hr); auto.
Qed.

(** All visit numbers up to that of a node of the tree have occurred. *)
Lemma all_numbers_occur s :
  reached s -> forall q, In q (places s) \/ In q (expanded (log s)) ->
  forall m, 1 <= m <= visits_of q ->
  exists p v, In (p, m, v) (evaluations (log s)) /\ birth k p = birth k q.
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros q [[<-|[]]|[]] m Hm. cbn in Hm. exists [], (oracle [] 1).
    split; [|reflexivity]. left. f_equal. f_equal. lia.
  - intros q s Hr Hx Hin Hd Hb IH p Hp m Hm.
    rewrite evaluations_expand, expanded_expand in *.
    assert (Hold : forall p', (In p' (places s) \/ In p' (expanded (log s))) ->
      birth k p' = birth k p -> 1 <= m <= visits_of p' ->
      exists p v, In (p, m, v) (map (fun p => (p, visits_of p, sample less oracle cfg p)) (rev (performed less oracle cfg q s)) ++
        evaluations (log s)) /\ birth k p = birth k p').
    { intros p' Hp' Hbp Hm'. destruct (IH p' Hp' m Hm') as (e & v & H1 & H2).
      exists e, v. split; [apply in_or_app; now right|exact H2]. }
    destruct Hp as [Hp|[<-|Hp]]; [|apply Hold; auto|apply Hold; auto].
    destruct (places_expand less oracle cfg q s Hin) as [[_ E]|(Ha & l1 & l2 & E & E')].
    + rewrite E in Hp. apply Hold; auto.
    + rewrite E', !in_app_iff in Hp.
      destruct Hp as [Hp|[Hp|Hp]];
        [apply Hold; auto; left; rewrite E, in_app_iff; auto| |
         apply Hold; auto; left; rewrite E, in_app_iff; cbn; auto].
      apply in_children in Hp. destruct Hp as (c & Hc & ->).
      destruct (Nat.eq_dec m (visits_of (c :: q))) as [->|Nm].
      * destruct (evaluated less oracle cfg (c :: q)) eqn:He.
        -- exists (c :: q), (sample less oracle cfg (c :: q)). split; [|reflexivity]. apply in_or_app. left.
           apply in_map_iff. exists (c :: q). split; [reflexivity|]. rewrite <- in_rev.
           rewrite (performed_all _ _ _ _ _ Ha). apply in_wanted. eauto.
        -- cbn [Nodes.evaluated] in He. apply orb_false_iff in He. destruct He as [He1 He2].
           apply negb_false_iff in He1.
           assert (Hbq : birth k (c :: q) = birth k q) by (cbn [birth]; now rewrite He1).
           rewrite visits_of_cons, He1, He2 in *. rewrite Hbq.
           apply Hold; auto.
      * rewrite visits_of_cons in Hm, Nm. destruct (c =? k) eqn:Ec; [|lia].
        assert (Hbq : birth k (c :: q) = birth k q) by (cbn [birth]; now rewrite Ec).
        rewrite Hbq. apply Hold; auto.
        destruct (within_cap cfg (node_at less oracle cfg q)); lia.
Qed.

(** Claim [evaluation-cap].  A leaf's count is the number of evaluations of its base point, while budget is left. *)
Theorem the_count_of_a_leaf_is_the_number_of_evaluations s q :
  reached s -> exhausted s = false -> In q (places s) ->
  length (at_point (birth k q) (log s)) = visits_of q.
Proof.
  intros Hr Hx Hq. set (numbers := map (fun e : path * nat * V => snd (fst e)) (at_point (birth k q) (log s))).
  assert (Hnd : NoDup numbers) by now apply (visit_numbers_are_distinct less oracle cfg).
  replace (length (at_point (birth k q) (log s))) with (length numbers)
    by (unfold numbers; now rewrite map_length).
  rewrite <- (seq_length (visits_of q) 1). apply Nat.le_antisymm; apply NoDup_incl_length;
    [exact Hnd| |apply seq_NoDup|]; intros n Hin.
  - apply in_map_iff in Hin. destruct Hin as ([[p n'] v] & E & Hin). cbn in E. subst n'.
    apply in_at_point in Hin. destruct Hin as [Hin Hb].
    destruct (evaluations_of_nodes less oracle cfg s Hr _ _ _ Hin) as (-> & _ & He & _).
    apply in_seq. pose proof (visits_of_positive less oracle cfg p). split; [lia|].
    destruct (Nat.le_gt_cases (length p) (length q)) as [Hl|Hl].
    + destruct (same_birth_nested k p q Hb Hl) as (j & ->).
      pose proof (visits_of_chain less oracle cfg j p). lia.
    + destruct (same_birth_nested k q p (eq_sym Hb) ltac:(lia)) as (j & ->).
      rewrite (nothing_evaluated_under_a_leaf s q _ _ _ Hr Hx Hq Hin) by (now exists (repeat k j)).
      lia.
  - apply in_seq in Hin.
    destruct (all_numbers_occur s Hr q (or_introl Hq) n ltac:(lia)) as (p & v & H1 & H2).
    apply in_map_iff. exists (p, n, v). split; [reflexivity|]. now apply in_at_point.
Qed.

Lemma nothing_at_a_new_point s q c :
  reached s -> exhausted s = false -> In q (places s) -> c <> k ->
  at_point (c :: q) (log s) = [].
Proof.
  intros Hr Hx Hq Hc. destruct (at_point (c :: q) (log s)) as [|[[p n] v] l] eqn:E; [reflexivity|].
  exfalso. assert (Hin : In (p, n, v) (at_point (c :: q) (log s))) by (rewrite E; now left).
  apply in_at_point in Hin. destruct Hin as [Hin Hb].
  destruct (birth_chain k p) as (j & Hj). rewrite Hb in Hj.
  assert (Ha : ancestor q p) by (exists (repeat k j ++ [c]); rewrite Hj, <- app_assoc; reflexivity).
  pose proof (nothing_evaluated_under_a_leaf s q p n v Hr Hx Hq Hin Ha) as Epq.
  apply (f_equal (@length nat)) in Hj. rewrite app_length, repeat_length in Hj.
  rewrite Epq in Hj. cbn in Hj. lia.
Qed.

(** In the log, every visit number is one more than the number of earlier evaluations of its
    base point. *)
Fixpoint numbered (log : list (event V)) : Prop :=
  match log with
  | [] => True
  | Evaluate p n _ :: older => n = S (length (at_point (birth k p) older)) /\ numbered older
  | _ :: older => numbered older
  end.

End RunsNumbers.
