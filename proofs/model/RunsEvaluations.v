(** * The evaluations of a run: budget, cap, zero vector, answer. *)

From EmbeddedHunter Require Export Evaluations.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree Geometry Norms.

Section RunsEvaluations.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation within_cap := (within_cap cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluated := (evaluated less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation reached := (reached less oracle cfg).

Local Notation evaluations_expand :=
  (Evaluations.evaluations_expand less oracle cfg).
Local Notation evaluations_of_nodes :=
  (Evaluations.evaluations_of_nodes less oracle cfg).
Local Notation no_node_is_evaluated_twice :=
  (Evaluations.no_node_is_evaluated_twice less oracle cfg).
Local Notation visits_of_cons :=
  (Evaluations.visits_of_cons less oracle cfg).
Local Notation visits_of_positive :=
  (Evaluations.visits_of_positive less oracle cfg).
Local Notation no_evaluation_is_repeated :=
  (Evaluations.no_evaluation_is_repeated less oracle cfg).

(** ** The budget *)

Lemma evaluations_made s : reached s -> made s = length (evaluations (log s)).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  intros q s Hr Hx Hin Hd Hb IH. rewrite expand_made, evaluations_expand, app_length, map_length,
    rev_length. lia.
Qed.

(** Claim [budget-exact].  Never more evaluations than the budget. *)
Theorem evaluations_never_exceed_the_budget s :
  1 <= budget cfg -> reached s -> length (evaluations (log s)) <= budget cfg.
Proof.
  intros Hv Hr. rewrite <- (evaluations_made s Hr). revert s Hr.
  refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  intros q s Hr Hx Hin Hd Hb IH. rewrite expand_made.
  unfold Nodes.performed. rewrite firstn_length. lia.
Qed.

Definition is_visit (e : event V) : bool := match e with Visit _ => true | _ => false end.
Definition is_sweep (e : event V) : bool := match e with Sweep _ => true | _ => false end.

Lemma no_visit_among_evaluations ps (l : list (event V)) :
  filter is_visit (rev (map (evaluation less oracle cfg) ps) ++ l) = filter is_visit l /\
  filter is_sweep (rev (map (evaluation less oracle cfg) ps) ++ l) = filter is_sweep l.
Proof.
  rewrite !filter_app, <- map_rev. generalize (rev ps). clear ps. intros ps.
  induction ps; cbn; auto.
Qed.

(** Claims [alg1-line-13] [alg1-line-14].  The counter t is the number of visits of a depth, and nsweep
    the number of sweeps begun. *)
Theorem the_counters_count s :
  reached s ->
  iterations s = length (filter is_visit (log s)) /\ sweeps s = length (filter is_sweep (log s)).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - cbn. intros s _ _ [-> ->]. auto.
  - cbn. intros l s _ _ _ [-> ->]. auto.
  - intros q s Hr Hx Hin Hd Hb [H1 H2]. rewrite expand_iterations, expand_sweeps, expand_log.
    destruct (no_visit_among_evaluations (performed q s) (Expand q (value q) :: log s)) as [-> ->].
    auto.
Qed.

(** Every expansion makes K - 1 evaluations at least, unless the budget cuts it. *)
Lemma length_wanted_at_least q : K k - 1 <= length (wanted less oracle cfg q).
Proof.
  unfold Nodes.wanted, Nodes.children, children_of.
  assert (H : forall a n, n - 1 <= length (filter evaluated (map (fun c => c :: q) (seq a n))) /\
    (k < a \/ a + n <= k -> n <= length (filter evaluated (map (fun c => c :: q) (seq a n))))).
  { intros a n; revert a; induction n as [|n IH]; intros a; [cbn; lia|].
    destruct (IH (S a)) as [H1 H2]. cbn [seq map filter Nodes.evaluated].
    destruct (Nat.eqb_spec a k) as [->|N]; cbn [negb orb].
    - destruct (within_cap (node_at q)); cbn [length]; split; try lia.
    - cbn [length]. split; [lia|]. intros H. destruct H; lia. }
  apply (H 0 (K k)).
Qed.

Lemma leaves_at_most_evaluations s :
  1 <= k -> reached s -> length (places s) <= made s.
Proof.
  intros Hk. revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  intros q s Hr Hx Hin Hd Hb IH.
  rewrite expand_made.
  destruct (places_expand less oracle cfg q s Hin) as [[_ ->]|(Ha & l1 & l2 & E & ->)]; [lia|].
  rewrite (performed_all _ _ _ _ _ Ha). pose proof (length_wanted_at_least q).
  rewrite E in IH. rewrite !app_length in *. cbn [length] in IH.
  rewrite length_children. unfold K in *. lia.
Qed.

(** ** The answer *)

Section Answer.
Hypothesis order : total_order less.

(** Claim [alg1-line-17].  The answer is the least of all evaluations made, in
    every state: also when the budget cut the last sweep. *)
Theorem the_answer_is_the_least_evaluation s :
  reached s ->
  In (answer s) (map snd (evaluations (log s))) /\
  (forall v, In v (map snd (evaluations (log s))) -> at_most less (answer s) v).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - cbn. split; [auto|]. intros v [<-|[]]. now apply at_most_refl.
  - intros q s Hr Hx Hin Hd Hb [H1 H2]. rewrite evaluations_expand, map_app, map_map.
    cbn [snd]. rewrite expand_answer.
    destruct (fold_smaller less order sample (performed q s) (answer s)) as (H3 & H4 & H5).
    split.
    + apply in_or_app. destruct H3 as [-> |(x & Hx' & ->)]; [auto|].
      left. apply in_map_iff. exists x. split; [reflexivity|]. now apply in_rev in Hx'.
    + intros v [H|H]%in_app_or.
      * apply in_map_iff in H. destruct H as (p & <- & H). apply H5. now apply in_rev.
      * apply (at_most_trans less order _ (answer s)); auto.
Qed.

Lemma answer_never_grows s s' : steps less oracle cfg s s' -> at_most less (answer s') (answer s).
Proof.
  revert s'. refine (steps_induction less oracle cfg s _ _ _ _ _); auto.
  - now apply at_most_refl.
  - intros q s1 _ H. rewrite expand_answer.
    destruct (fold_smaller less order sample (performed q s1) (answer s1)) as (_ & H4 & _).
    apply (at_most_trans less order _ (answer s1)); auto.
Qed.

Lemma value_cons c q :
  value (c :: q) =
  if c =? k then
    if within_cap (node_at q) then smaller less (sample (c :: q)) (value q) else value q
  else sample (c :: q).
Proof.
  unfold Nodes.value, Nodes.sample. rewrite visits_of_cons. cbn [Nodes.node_at].
  destruct (c =? k); [destruct (within_cap (node_at q))|]; reflexivity.
Qed.

(** Claim [alg1-line-17].  The answer is at most the f* of every node in the tree. *)
Theorem the_answer_is_at_most_every_value_in_the_tree s :
  reached s ->
  forall q, In q (places s) \/ In q (expanded (log s)) -> at_most less (answer s) (value q).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros q [[<-|[]]|[]]. now apply at_most_refl.
  - intros q s Hr Hx Hin Hd Hb IH p Hp.
    rewrite expanded_expand in Hp. rewrite expand_answer.
    destruct (fold_smaller less order sample (performed q s) (answer s)) as (_ & H4 & H5).
    assert (Hold : forall p, In p (places s) \/ In p (expanded (log s)) ->
      at_most less (fold_left (fun a p => smaller less (sample p) a) (performed q s) (answer s))
        (value p)).
    { intros p' Hp'. apply (at_most_trans less order _ (answer s)); auto. }
    destruct Hp as [Hp|[<-|Hp]]; [|auto|auto].
    destruct (places_expand less oracle cfg q s Hin) as [[_ E]|(Ha & l1 & l2 & E & E')].
    + rewrite E in Hp. auto.
    + rewrite E', !in_app_iff in Hp. destruct Hp as [Hp|[Hp|Hp]].
      * apply Hold. rewrite E, in_app_iff. auto.
      * rewrite (performed_all _ _ _ _ _ Ha) in *. apply in_children in Hp.
        destruct Hp as (c & Hc & ->). rewrite value_cons.
        assert (Hw : evaluated (c :: q) = true -> In (c :: q) (wanted less oracle cfg q))
          by (intros He; apply in_wanted; eauto).
        cbn [Nodes.evaluated] in Hw.
        destruct (c =? k) eqn:Ec.
        -- destruct (within_cap (node_at q)) eqn:Ew.
           ++ apply at_most_smaller; auto.
           ++ apply Hold. auto.
        -- apply H5. apply Hw. reflexivity.
      * apply Hold. rewrite E, in_app_iff. cbn. auto.
Qed.

End Answer.

(** ** The cap *)

Section Cap.
Hypothesis d_positive : 1 <= dimension cfg.
Hypothesis cap_den_positive : (0 < cap_den cfg)%Z.

Local Notation d := (dimension cfg).

(** n <= M ||y||, squared and cleared of denominators, y the base point of [p]. *)
Definition cap_holds (n : nat) (p : path) : Prop :=
  (Z.of_nat n * Z.of_nat n * (pw k (rounds d (length p)) ^ 2) * cap_den cfg
     <= cap_num cfg * Nrm k d p)%Z.

(** floor (M ||y||): the integer square root of (2RM)^2 Nrm / K^(2m). *)
Definition floor_of_M_norm (p : path) : nat :=
  Z.to_nat (Z.sqrt (cap_num cfg * Nrm k d p / (pw k (rounds d (length p)) ^ 2 * cap_den cfg))).

Lemma within_cap_holds p : within_cap (node_at p) = true <-> cap_holds (visits_of p) p.
Proof.
  unfold Model.within_cap, cap_holds, pw. rewrite Z.leb_le, norm_node_at, depth_node_at.
  fold (visits_of p). rewrite (Z.mul_comm 2), Z.pow_mul_r by lia. reflexivity.
Qed.

Lemma cap_holds_floor n p : (1 <= n) -> cap_holds n p <-> n <= floor_of_M_norm p.
Proof.
  intros Hn. unfold cap_holds, floor_of_M_norm.
  set (P := (pw k (rounds d (length p)) ^ 2)%Z).
  assert (HP : (0 < P)%Z) by (pose proof (pw_pos k (rounds d (length p))); unfold P; nia).
  set (A := (cap_num cfg * Nrm k d p)%Z).
  assert (HD : (0 < P * cap_den cfg)%Z) by nia.
  replace (Z.of_nat n * Z.of_nat n * P * cap_den cfg)%Z
    with (P * cap_den cfg * (Z.of_nat n * Z.of_nat n))%Z by ring.
  generalize dependent (P * cap_den cfg)%Z. intros D HD.
  rewrite <- Z.mul_comm. split.
  - intros H. assert (H1 : (Z.of_nat n * Z.of_nat n <= A / D)%Z)
      by (apply Z.div_le_lower_bound; lia).
    assert (H2 : (Z.of_nat n <= Z.sqrt (A / D))%Z).
    { apply Z.sqrt_le_square; nia. }
    lia.
  - intros H. assert (H2 : (Z.of_nat n <= Z.sqrt (A / D))%Z) by lia.
    assert (H3 : (0 <= A / D)%Z).
    { destruct (Z.le_gt_cases 0 (A / D)); [assumption|]. rewrite (Z.sqrt_neg (A / D)) in H2; lia. }
    apply Z.sqrt_le_square in H2; [|lia|lia].
    pose proof (Z.mul_div_le A D HD). nia.
Qed.

Lemma cap_holds_same_point n p q :
  same_point k d p q -> cap_holds n p <-> cap_holds n q.
Proof.
  intros H. pose proof (equal_points_have_equal_norms k d d_positive p q H) as E.
  unfold cap_holds in *.
  pose proof (pw_pos k (rounds d (length p))) as Hp.
  pose proof (pw_pos k (rounds d (length q))) as Hq.
  set (a := (pw k (rounds d (length p)) ^ 2)%Z) in *.
  set (b := (pw k (rounds d (length q)) ^ 2)%Z) in *.
  assert (Ha : (0 < a)%Z) by (unfold a; nia). assert (Hb : (0 < b)%Z) by (unfold b; nia).
  set (N := (Z.of_nat n * Z.of_nat n * cap_den cfg)%Z).
  replace (Z.of_nat n * Z.of_nat n * a * cap_den cfg)%Z with (N * a)%Z by (unfold N; ring).
  replace (Z.of_nat n * Z.of_nat n * b * cap_den cfg)%Z with (N * b)%Z by (unfold N; ring).
  rewrite (Z.mul_le_mono_pos_r _ _ b Hb), (Z.mul_le_mono_pos_r (N * b) _ a Ha).
  replace (cap_num cfg * Nrm k d q * a)%Z with (cap_num cfg * (Nrm k d q * a))%Z by ring.
  rewrite <- E. split; intros; nia.
Qed.

Lemma cap_holds_birth n p : cap_holds n p <-> cap_holds n (birth k p).
Proof. apply cap_holds_same_point, same_point_sym, same_point_birth, d_positive. Qed.

(** Claim [evaluation-cap].  A re-evaluation, visit number n > 1, happens only if
    the n - 1 evaluations before it are at most M ||y||. *)
Theorem a_reevaluation_stays_within_the_cap s p n v :
  reached s -> In (p, n, v) (evaluations (log s)) ->
  n = 1 \/ (1 <= n - 1 /\ cap_holds (n - 1) (birth k p)).
Proof.
  intros Hr H. destruct (evaluations_of_nodes s Hr p n v H) as (-> & _ & He & _).
  destruct p as [|c q]; [now left|]. cbn [Nodes.evaluated] in He. rewrite visits_of_cons.
  cbn [birth]. destruct (c =? k); [|now left]. cbn [negb orb] in He. rewrite He. right.
  cbn [Nat.sub]. rewrite Nat.sub_0_r. split; [apply visits_of_positive|].
  exact (proj1 (cap_holds_birth _ _) (proj1 (within_cap_holds q) He)).
Qed.

(** Claim [evaluation-cap] [results-embedding-cap].  A base point is evaluated at most floor(M ||y||) + 1
    times (in the
    statement, b is the first node that has it). *)
Theorem visits_are_at_most_floor_of_M_norm_plus_1 s b :
  reached s ->
  length (filter (fun e => same_path (birth k (fst (fst e))) b) (evaluations (log s)))
  <= floor_of_M_norm b + 1.
Proof.
  intros Hr. pose proof (fun p n v => a_reevaluation_stays_within_the_cap s p n v Hr) as Hc.
  pose proof (evaluations_of_nodes s Hr) as He.
  rewrite <- (map_length (fun e => snd (fst e))), <- (seq_length (floor_of_M_norm b + 1) 1). apply NoDup_incl_length.
  - now apply (visit_numbers_are_distinct less oracle cfg).
  - intros n H. apply in_map_iff in H. destruct H as ([[p n'] v] & E & H). cbn in E. subst n'.
    apply filter_In in H. destruct H as [H Hf]. cbn in Hf. apply same_path_iff in Hf. apply in_seq. destruct (He p n v H) as (-> & _).
    pose proof (visits_of_positive p). destruct (Hc p (visits_of p) v H) as [E|[E1 E2]]; [lia|].
    rewrite Hf in E2. apply cap_holds_floor in E2; lia.
Qed.

(** ** The zero vector *)

(** Claims [zero-vector-once] [conclusion-zero-vector].  The zero vector is
    evaluated exactly once: one evaluation, the root's, has a base point of norm
    zero. *)
Theorem the_zero_vector_is_evaluated_once s :
  reached s ->
  filter (fun e => Z.eqb (Nrm k d (fst (fst e))) 0) (evaluations (log s))
  = [([], 1, oracle [] 1)].
Proof.
  (* [Hzero]: an evaluation of norm zero is the root's. Any other node of norm zero is a center
     child, and the cap of evaluations, M times the norm, is 0. *)
  intros Hr.
  assert (Hzero : forall p n v, In (p, n, v) (evaluations (log s)) -> Nrm k d p = 0%Z -> p = []).
  { intros p n v H Hz. destruct (evaluations_of_nodes s Hr p n v H) as (_ & _ & He & Hn & _).
    destruct p as [|c q]; [reflexivity|]. exfalso.
    pose proof (proj1 (zero_vector_is_the_center_chain_of_the_root k d d_positive (c :: q) Hn)
      (norm_zero k d d_positive _ Hz)) as Hz'.
    cbn [length repeat] in Hz'. injection Hz' as -> Hq.
    cbn [Nodes.evaluated] in He. rewrite Nat.eqb_refl in He. cbn [negb orb] in He.
    apply within_cap_holds in He. apply (proj1 (cap_holds_birth _ _)) in He.
    rewrite Hq in He. rewrite <- (app_nil_r (repeat k (length q))), birth_center_chain in He.
    cbn [birth] in He. pose proof (visits_of_positive (repeat k (length q) ++ [])) as Hv.
    unfold cap_holds in He. revert Hv He. generalize (visits_of (repeat k (length q) ++ [])).
    intros m Hm He.
    rewrite norm_of_the_root in He by exact d_positive. pose proof (pw_pos k (rounds d (length (@nil nat)))). nia. }
  (* [Hin]: the root's evaluation is in the log. *)
  assert (Hin : In ([], 1, oracle [] 1) (evaluations (log s))).
  { clear Hzero. revert s Hr. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
    - now left.
    - intros q s Hr Hx Hl Hd Hb IH. rewrite evaluations_expand. apply in_or_app. now right. }
  (* No node is evaluated twice. Induction on the list of evaluations. *)
  pose proof (no_node_is_evaluated_twice s Hr) as Hnd. unfold evaluated_nodes in Hnd.
  pose proof (evaluations_of_nodes s Hr) as He.
  induction (evaluations (log s)) as [|[[p n] v] l IH]; [easy|].
  cbn [filter fst map] in *. inversion Hnd as [|? ? Hnot Hnd']; subst.
  destruct Hin as [E|Hin].
  (* If the first evaluation of the list is the root's, no other one has norm zero. *)
  - injection E as -> -> ->.
    rewrite norm_of_the_root by exact d_positive. cbn [Z.eqb]. f_equal.
    assert (Hrest : forall e, In e l -> Z.eqb (Nrm k d (fst (fst e))) 0 = false).
    { intros [[p' n'] v'] H. apply Z.eqb_neq. intros E. cbn [fst] in E.
      assert (p' = []) by (eapply Hzero; [right; exact H|exact E]). subst.
      apply Hnot. apply in_map_iff. exists ([], n', v'). auto. }
    clear - Hrest. induction l as [|e l IH]; [reflexivity|]. cbn [filter].
    rewrite (Hrest e) by now left. apply IH. intros e' H. apply Hrest. now right.
  (* If it is not, its norm is not zero: the root would be evaluated twice. *)
  - destruct (Z.eqb_spec (Nrm k d p) 0) as [E|N].
    + exfalso. assert (p = []) by (eapply Hzero; [now left|exact E]). subst.
      apply Hnot. apply in_map_iff. eexists. split; [|exact Hin]. reflexivity.
    + apply IH; auto.
      * intros p' n' v' H. apply (Hzero p' n' v'). now right.
      * intros p' n' v' H. apply (He p' n' v'). now right.
Qed.

End Cap.

End RunsEvaluations.
