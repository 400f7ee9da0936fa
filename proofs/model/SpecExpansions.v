(** * An expansion of the model is lines 7 to 10 of Spec.v.

    First the states of the model as Spec.v has them: values at base points, and the budget. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Filters Lattice Model Nodes Steps Paths Order RunsTree Cells RunsEvaluations RunsNumbers
  NormIsEuclidean SpecPoints.
From EmbeddedHunter Require Commands Spec.

(** The oracle of the model: g, asked by the node that a base point has first. *)
Definition oracle_of {V : Type} (g : Spec.point -> nat -> V) (cfg : settings) (eta : R)
  (p : path) (n : nat) : V := g (point_of (half cfg) (dimension cfg) eta p) n.

(** A state of the model as Spec.v has it; t is kept apart. *)
Definition state_of {V : Type} (cfg : settings) (t : nat) (s : state V) : Spec.state V :=
  Spec.State V (fun x => exists p, In p (places s) /\ x = name_of (half cfg) p)
    (nu_min s) t (events_of (half cfg) (log s)).

Section SpecExpansions.

Context {V : Type} (less : V -> V -> bool) (g : Spec.point -> nat -> V) (cfg : settings) (eta M : R).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation oracle := (oracle_of g cfg eta).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation evaluated := (evaluated less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluation := (evaluation less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation record_all := (record_all less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation name_of := (name_of k).
Local Notation state_of := (state_of cfg).
Local Notation budget_left := (Spec.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.
Hypothesis M_nonneg : (0 <= M)%R.
Hypothesis den_pos : (0 < cap_den cfg)%Z.
Hypothesis cap : (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR d / eta) * M) ^ 2)%R.

(** ** The values at the base point of a node *)

(** The values of all evaluations of the base point of [q] in a log, in their order. *)
Definition values_of (q : path) (log : list (event V)) : list V :=
  map snd (rev (at_point cfg (birth k q) log)).

Lemma nodes_of_log s : reached s -> of_nodes k (log s).
Proof.
  intros Hr p n w H. now destruct (evaluations_of_nodes less oracle cfg s Hr p n w H) as (_ & _ & _ & ? & _).
Qed.

Lemma values_at_name q s n : of_nodes k (log s) -> node k q ->
  Spec.values_at V (K k) d eta (Spec.base_point (K k) d eta (name_of q)) (Spec.past V (state_of n s))
  = values_of q (log s).
Proof.
  intros Hn Hq. exact (values_at_point_of k d eta d_pos eta_pos cfg q (log s) eq_refl Hn Hq).
Qed.

Lemma values_of_batch q ps older :
  values_of q (rev (map evaluation ps) ++ older)
  = values_of q older ++ map sample (filter (fun p => same_path (birth k p) (birth k q)) ps).
Proof.
  revert older. induction ps as [|p ps IH]; intros older; cbn [map rev filter]; [now rewrite app_nil_r|].
  rewrite <- app_assoc. cbn [app]. rewrite IH.
  assert (E : values_of q (evaluation p :: older) = values_of q older ++
    (if same_path (birth k p) (birth k q) then [sample p] else [])).
  { unfold values_of, at_point. cbn [Nodes.evaluation evaluations filter fst].
    destruct (same_path (birth k p) (birth k q)); [|now rewrite app_nil_r].
    cbn [rev]. now rewrite map_app. }
  rewrite E, <- app_assoc. now destruct (same_path (birth k p) (birth k q)).
Qed.

Lemma values_of_expand_event q p nu older :
  values_of q (Expand p nu :: older) = values_of q older.
Proof. reflexivity. Qed.

(** Two children of one node have different base points. *)
Lemma children_have_different_births q c c' : birth k (c :: q) = birth k (c' :: q) -> c = c'.
Proof.
  assert (Hlen : length (birth k q) <= length q).
  { destruct (birth_chain k q) as (j & Hj). rewrite Hj at 2. rewrite app_length. lia. }
  cbn [birth]. destruct (Nat.eqb_spec c k) as [->|N], (Nat.eqb_spec c' k) as [->|N']; intros E.
  - reflexivity.
  - rewrite E in Hlen. cbn in Hlen. lia.
  - rewrite <- E in Hlen. cbn in Hlen. lia.
  - congruence.
Qed.

Lemma filter_children q c ps : NoDup ps -> (forall p, In p ps -> exists c', p = c' :: q) ->
  filter (fun p => same_path (birth k p) (birth k (c :: q))) ps
  = if in_dec (list_eq_dec Nat.eq_dec) (c :: q) ps then [c :: q] else [].
Proof.
  induction 1 as [|p ps Hp Hps IH]; intros Hc; [reflexivity|].
  specialize (IH (fun p' H => Hc p' (or_intror H))). cbn [filter]. rewrite IH. clear IH.
  destruct (Hc p (or_introl eq_refl)) as (c' & ->).
  destruct (same_path (birth k (c' :: q)) (birth k (c :: q))) eqn:E.
  - apply same_path_iff, children_have_different_births in E. subst c'.
    destruct (in_dec _ (c :: q) ps); [contradiction|].
    destruct (in_dec _ (c :: q) ((c :: q) :: ps)) as [|N]; [reflexivity|]. exfalso. apply N. now left.
  - assert (N : c' <> c).
    { intros ->. rewrite (proj2 (same_path_iff _ _) eq_refl) in E. discriminate. }
    destruct (in_dec _ (c :: q) ps) as [I|I], (in_dec _ (c :: q) ((c' :: q) :: ps)) as [J|J];
      try reflexivity.
    + exfalso. apply J. now right.
    + exfalso. destruct J as [J|J]; [congruence|contradiction].
Qed.

Lemma node_of_leaf s q : reached s -> In q (places s) -> node k q.
Proof. intros Hr Hq. now destruct (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s q Hr Hq). Qed.

(** A leaf's count and f* are the number and the least of the values at its base point. *)
Lemma count_of_leaf s q : reached s -> exhausted s = false -> In q (places s) ->
  length (values_of q (log s)) = visits_of q.
Proof.
  intros Hr Hx Hq. unfold values_of. rewrite map_length, rev_length.
  now apply the_count_of_a_leaf_is_the_number_of_evaluations.
Qed.

Lemma values_at_new_point s q c : reached s -> exhausted s = false -> In q (places s) -> c <> k ->
  values_of (c :: q) (log s) = [].
Proof.
  intros Hr Hx Hq Hc. unfold values_of. cbn [birth]. rewrite (proj2 (Nat.eqb_neq c k) Hc).
  now rewrite (nothing_at_a_new_point less oracle cfg s q c Hr Hx Hq Hc).
Qed.

Lemma children_performed q s p : In p (performed q s) -> exists c, p = c :: q.
Proof.
  intros H. apply performed_wanted, in_wanted in H. destruct H as (c & _ & -> & _). eauto.
Qed.

(** What one expansion adds to the values at a child. *)
Lemma values_of_child q s c nu :
  values_of (c :: q) (rev (map evaluation (performed q s)) ++ Expand q nu :: log s)
  = values_of (c :: q) (log s) ++
    (if in_dec (list_eq_dec Nat.eq_dec) (c :: q) (performed q s) then [sample (c :: q)] else []).
Proof.
  rewrite values_of_batch, values_of_expand_event, filter_children;
    [|apply nodup_performed|apply children_performed].
  now destruct (in_dec _ (c :: q) (performed q s)).
Qed.

Lemma births_of_leaves s q p : reached s -> exhausted s = false ->
  In q (places s) -> In p (places s) -> birth k p = birth k q -> p = q.
Proof.
  intros Hr Hx Hq Hp E.
  destruct (Nat.le_ge_cases (length p) (length q)) as [Hl|Hl].
  - destruct (same_birth_nested k p q E Hl) as (j & Ej).
    apply (no_leaf_under_a_leaf less oracle cfg s); auto. now exists (repeat k j).
  - destruct (same_birth_nested k q p (eq_sym E) Hl) as (j & Ej).
    symmetry. apply (no_leaf_under_a_leaf less oracle cfg s); auto. now exists (repeat k j).
Qed.

Lemma least_of_leaf s : reached s -> exhausted s = false -> forall q, In q (places s) ->
  Spec.least V less (values_of q (log s)) = Some (value q).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros _ q [<-|[]]. unfold values_of, at_point. cbn. reflexivity.
  - intros q s Hr Hx Hin Hd Hb IH Hx' p Hp.
    specialize (IH Hx).
    pose proof (not_exhausted_affordable less oracle cfg q s Hx Hx') as Ha.
    rewrite expand_log.
    destruct (places_expand less oracle cfg q s Hin) as [[E _]|(_ & l1 & l2 & E & E')]; [congruence|].
    assert (Hold : In p (places s) -> p <> q ->
      Spec.least V less (values_of p (rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s))
      = Some (value p)).
    { intros Hp' N. rewrite values_of_batch, values_of_expand_event.
      replace (filter _ (performed q s)) with (@nil path); [rewrite app_nil_r; now apply IH|].
      symmetry. pose proof (children_performed q s) as Hc.
      induction (performed q s) as [|r rs IHr]; [reflexivity|]. cbn [filter].
      rewrite IHr by (intros r' Hr'; apply Hc; now right).
      destruct (same_path (birth k r) (birth k p)) eqn:S; [|reflexivity]. exfalso. apply N.
      apply same_path_iff in S. destruct (Hc r (or_introl eq_refl)) as (c & ->).
      cbn [birth] in S. destruct (c =? k) eqn:Ec; [symmetry; now apply (births_of_leaves s p q)|].
      destruct (birth_chain k p) as (j & Ej). rewrite <- S in Ej.
      symmetry. apply (no_leaf_under_a_leaf less oracle cfg s); auto.
      exists (repeat k j ++ [c]). rewrite Ej, <- app_assoc. reflexivity. }
    pose proof (nodes_occur_once less oracle cfg s Hr) as Hnd. rewrite E in Hnd.
    destruct (nodup_parts _ _ _ Hnd) as (_ & _ & N1 & N2 & _).
    rewrite E', !in_app_iff in Hp. destruct Hp as [Hp|[Hp|Hp]].
    + apply Hold; [rewrite E, in_app_iff; auto|]. intros ->. tauto.
    + apply in_children in Hp. destruct Hp as (c & Hc & ->).
      rewrite values_of_child, value_cons, (performed_all _ _ _ _ _ Ha).
      destruct (c =? k) eqn:Ec.
      * assert (Hv : values_of (c :: q) (log s) = values_of q (log s))
          by (unfold values_of; cbn [birth]; now rewrite Ec).
        rewrite Hv. destruct (in_dec _ (c :: q) (wanted q)) as [I|I].
        -- apply in_wanted in I. destruct I as (c' & _ & [= <-] & He). cbn [Nodes.evaluated] in He.
           rewrite Ec in He. cbn in He. rewrite He, (least_app less order), (IH q Hin). reflexivity.
        -- destruct (within_cap cfg (node_at q)) eqn:Ew.
           ++ exfalso. apply I, in_wanted. exists c. cbn [Nodes.evaluated]. rewrite Ew, orb_true_r. auto.
           ++ rewrite app_nil_r. now apply IH.
      * rewrite values_at_new_point by (auto; now apply Nat.eqb_neq).
        destruct (in_dec _ (c :: q) (wanted q)) as [I|I]; [reflexivity|].
        exfalso. apply I, in_wanted. exists c. cbn [Nodes.evaluated]. rewrite Ec. auto.
    + apply Hold; [rewrite E, in_app_iff; cbn; auto|]. intros ->. tauto.
Qed.

Lemma f_star_of_leaf s n q : reached s -> exhausted s = false -> In q (places s) ->
  Spec.f_star V less (K k) d eta (name_of q) (state_of n s) = Some (value q).
Proof.
  intros Hr Hx Hq. unfold Spec.f_star.
  rewrite values_at_name by eauto using nodes_of_log, node_of_leaf. now apply least_of_leaf.
Qed.

(** ** The budget *)

Lemma budget_is_left n (s : state V) : made s = length (evaluations (log s)) ->
  (budget_left (state_of n s) <-> exhausted s = false).
Proof.
  intros Hm. unfold Spec.budget_left. cbn [Spec.past SpecExpansions.state_of].
  rewrite all_values_of, map_length, rev_length, <- Hm. unfold Model.exhausted.
  rewrite Nat.leb_gt. reflexivity.
Qed.

Lemma budget_is_used_up n (s : state V) : made s = length (evaluations (log s)) ->
  exhausted s = true -> ~ budget_left (state_of n s).
Proof. intros Hm Hx H. apply (budget_is_left n s Hm) in H. congruence. Qed.

(** ** Lines 9 and 10 *)

(** The body of line 9. *)
Local Notation evaluate_child := (fun x => Commands.conditional
  (Spec.within_cap V (K k) d eta M x) (Spec.evaluate V g (K k) d eta x)).

Lemma cap_of_child q c s n : node k q -> c < K k -> of_nodes k (log s) ->
  length (values_of (c :: q) (log s)) = (if c =? k then visits_of q else 0) ->
  (Spec.within_cap V (K k) d eta M (name_of (c :: q)) (state_of n s) <-> evaluated (c :: q) = true).
Proof.
  intros Hq Hc Hs Hl. assert (Hcq : node k (c :: q)) by (constructor; auto).
  unfold Spec.within_cap, Spec.evaluations_of. rewrite values_at_name, Hl by auto.
  cbn [Nodes.evaluated]. destruct (c =? k) eqn:Ec; cbn [negb orb].
  - rewrite (within_cap_holds less oracle cfg d_pos q). unfold cap_holds.
    rewrite (the_integer_cap_is_M_times_the_Euclidean_norm k d (INR d / eta) d_pos
      M (cap_num cfg) (cap_den cfg) (visits_of q) q M_nonneg den_pos cap).
    rewrite <- (norm_of_point_of k d eta d_pos eta_pos q Hq).
    replace (Spec.base_point (K k) d eta (name_of (c :: q))) with (point_of k d eta q); [reflexivity|].
    apply (equal_points_iff k d eta d_pos eta_pos q (c :: q) Hq Hcq). cbn [birth]. now rewrite Ec.
  - split; [reflexivity|]. intros _. cbn [INR]. apply Rmult_le_pos; [exact M_nonneg|].
    apply sqrt_pos.
Qed.

Lemma line_9 q n digits s :
  node k q -> NoDup digits -> (forall c, In c digits -> c < K k) ->
  of_nodes k (log s) -> made s = length (evaluations (log s)) ->
  (forall c, In c digits -> length (values_of (c :: q) (log s)) = if c =? k then visits_of q else 0) ->
  for_each evaluate_child (map name_of (children_of q digits)) (state_of n s)
    (state_of n (record_all (firstn (budget cfg - made s) (filter evaluated (children_of q digits))) s)).
Proof.
  intros Hq Hnd. revert s. induction Hnd as [|c digits Hc Hnd IH]; intros s Hd Hn Hm Hl.
  - cbn. rewrite firstn_nil. apply Commands.no_more_rounds.
  - destruct (exhausted s) eqn:Hx.
    { pose proof (proj1 (exhausted_left cfg s) Hx) as E. rewrite E. cbn [firstn Nodes.record_all].
      apply Commands.no_more_budget. now apply budget_is_used_up. }
    pose proof (cap_of_child q c s n Hq (Hd c (or_introl eq_refl)) Hn (Hl c (or_introl eq_refl))) as Hcap.
    assert (Hcq : node k (c :: q)) by (constructor; [apply Hd; now left|exact Hq]).
    assert (Hleft : budget cfg - made s = S (budget cfg - S (made s))).
    { unfold Model.exhausted in Hx. apply Nat.leb_gt in Hx. lia. }
    cbn [children_of map filter]. fold (children_of q digits).
    destruct (evaluated (c :: q)) eqn:He.
    + rewrite Hleft. cbn [firstn Nodes.record_all].
      set (s1 := snd (Model.evaluate less oracle cfg (c :: q) (visits_of (c :: q)) s)).
      assert (Hlog : log s1 = evaluation (c :: q) :: log s) by reflexivity.
      assert (Hmade : made s1 = S (made s)) by reflexivity.
      eapply Commands.one_round; [now apply budget_is_left| |].
      * left. split; [now apply Hcap|]. unfold Spec.evaluate, Spec.note, Spec.evaluations_of.
        rewrite values_at_name, (Hl c (or_introl eq_refl)) by auto. reflexivity.
      * assert (E : Spec.State V (Spec.T V (state_of n s)) (Spec.nu_min V (state_of n s))
            (Spec.t V (state_of n s)) (Spec.past V (state_of n s) ++ [Spec.Evaluate V (name_of (c :: q))
              (S (if c =? k then visits_of q else 0))
              (g (Spec.base_point (K k) d eta (name_of (c :: q))) (S (if c =? k then visits_of q else 0)))])
            = state_of n s1).
        { unfold SpecExpansions.state_of. rewrite Hlog, events_of_cons. cbn [Spec.T Spec.nu_min Spec.t Spec.past].
          f_equal. f_equal. f_equal. unfold Nodes.evaluation, event_of.
          assert (Hv : visits_of (c :: q) = S (if c =? k then visits_of q else 0)).
          { rewrite visits_of_cons. cbn [Nodes.evaluated] in He. destruct (c =? k); [|reflexivity].
            cbn in He. now rewrite He. }
          rewrite <- Hv. unfold Nodes.sample, oracle_of.
          rewrite (point_of_birth k d eta d_pos eta_pos (c :: q) Hcq). reflexivity. }
        rewrite E. replace (budget cfg - S (made s)) with (budget cfg - made s1) by (rewrite Hmade; lia).
        apply IH.
        -- intros c' H. apply Hd. now right.
        -- intros p m w. rewrite Hlog. cbn [Nodes.evaluation evaluations]. intros [[= <- _ _]|H]; [exact Hcq|].
           now apply (Hn p m w).
        -- rewrite Hmade, Hlog, Hm. reflexivity.
        -- intros c' H. rewrite <- (Hl c' (or_intror H)), Hlog. f_equal.
           change (evaluation (c :: q) :: log s) with (rev (map evaluation [c :: q]) ++ log s).
           rewrite values_of_batch. cbn [filter].
           destruct (same_path (birth k (c :: q)) (birth k (c' :: q))) eqn:S; [|apply app_nil_r].
           exfalso. apply same_path_iff, children_have_different_births in S. now subst.
    + eapply Commands.one_round; [now apply budget_is_left| |].
      * right. split; [|reflexivity]. intros H. apply Hcap in H. discriminate.
      * apply IH; auto.
        -- intros c' H. apply Hd. now right.
        -- intros c' H. apply Hl. now right.
Qed.

(** The last child is no center child. *)
Lemma last_wanted q : exists before, wanted q = before ++ [2 * k :: q].
Proof.
  unfold Nodes.wanted, Nodes.children, children_of, K.
  replace (2 * k + 1) with (S (2 * k)) by lia. rewrite seq_S, map_app, filter_app. cbn [map filter Nat.add].
  cbn [Nodes.evaluated]. replace (2 * k =? k) with false by (symmetry; apply Nat.eqb_neq; lia).
  cbn [negb orb]. eauto.
Qed.

Lemma last_child_performed q s : In (2 * k :: q) (performed q s) -> affordable less oracle cfg q s = true.
Proof.
  destruct (last_wanted q) as (before & E). assert (Hnd : NoDup (wanted q)) by (apply NoDup_filter, nodup_children).
  unfold Nodes.performed, Nodes.affordable. rewrite E in *. intros H. apply Nat.leb_le. now apply last_of_the_first.
Qed.

Lemma all_children_have_values q s n s2 : reached s -> exhausted s = false -> In q (places s) ->
  log s2 = rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s ->
  of_nodes k (log s2) ->
  (Spec.all_have_values V less (K k) d eta (Spec.children (K k) (name_of q)) (state_of n s2)
   <-> affordable less oracle cfg q s = true).
Proof.
  intros Hr Hx Hq E Hn. pose proof (node_of_leaf s q Hr Hq) as Hnq.
  assert (F : forall c, c < K k ->
    (Spec.f_star V less (K k) d eta (name_of (c :: q)) (state_of n s2) = Spec.infinity V <->
     values_of (c :: q) (log s2) = [])).
  { intros c Hc. unfold Spec.f_star. rewrite values_at_name; [|exact Hn|constructor; auto].
    destruct (values_of (c :: q) (log s2)) as [|a l]; [cbn; tauto|]. cbn [Spec.least].
    split; [|discriminate]. destruct (Spec.least V less l) as [b|]; [|discriminate].
    destruct (less b a); discriminate. }
  unfold Spec.all_have_values. rewrite <- names_of_children. split.
  - intros H. apply last_child_performed.
    assert (Hl : 2 * k < K k) by (unfold K; lia).
    destruct (in_dec (list_eq_dec Nat.eq_dec) (2 * k :: q) (performed q s)) as [I|I]; [exact I|].
    exfalso. apply (H (name_of (2 * k :: q))).
    + apply in_map, in_map_iff. exists (2 * k). split; [reflexivity|]. apply in_seq. lia.
    + apply F; [exact Hl|]. rewrite E, values_of_child, values_at_new_point by (auto; lia).
      now destruct (in_dec _ (2 * k :: q) (performed q s)).
  - intros Ha x Hi. rewrite map_map in Hi. apply in_map_iff in Hi. destruct Hi as (c & <- & Hi%in_seq).
    rewrite F by lia. rewrite E, values_of_child, (performed_all _ _ _ _ _ Ha). intros Z.
    apply app_eq_nil in Z. destruct Z as [Z1 Z2].
    destruct (in_dec _ (c :: q) (wanted q)) as [I|I]; [discriminate|].
    destruct (Nat.eq_dec c k) as [->|N].
    + assert (Hv : values_of (k :: q) (log s) = values_of q (log s))
        by (unfold values_of; cbn [birth]; now rewrite Nat.eqb_refl).
      rewrite Hv in Z1. pose proof (count_of_leaf s q Hr Hx Hq) as L. rewrite Z1 in L. cbn in L.
      pose proof (visits_of_positive less oracle cfg q). lia.
    + apply I, in_wanted. exists c. cbn [Nodes.evaluated].
      rewrite (proj2 (Nat.eqb_neq c k) N). split; [lia|auto].
Qed.

(** ** Lines 7 to 10: an expansion *)

Lemma lines_7_to_10 q s n : reached s -> exhausted s = false -> In q (places s) ->
  length q <= h_max cfg -> below less (value q) (nu_min s) = true ->
  Commands.with_the (Spec.f_star_is V less (K k) d eta (name_of q)) (fun f =>
    Commands.sequence (Spec.set_nu_min V f)
      (Commands.sequence (Spec.note V (Spec.Expand V (name_of q) f))
        (Commands.sequence (for_each evaluate_child (Spec.children (K k) (name_of q)))
          (Commands.conditional (Spec.all_have_values V less (K k) d eta (Spec.children (K k) (name_of q)))
            (Spec.add_children V (K k) (name_of q))))))
    (state_of n s) (state_of n (expand (node_at q) s)).
Proof.
  intros Hr Hx Hq Hd Hb. pose proof (node_of_leaf s q Hr Hq) as Hnq.
  pose proof (nodes_of_log s Hr) as Hn.
  set (s1 := State (leaves s) (Some (value q)) (answer s) (made s) (iterations s) (sweeps s)
                   (Expand q (value q) :: log s)).
  assert (Hr' : reached (expand (node_at q) s)).
  { eapply reached_steps; [exact Hr|]. apply step_expand; auto.
    apply (in_places less oracle cfg); [now apply reached_leaves_are_nodes|exact Hq]. }
  exists (Some (value q)). split; [symmetry; now apply f_star_of_leaf|].
  eexists. split; [reflexivity|]. eexists. split; [reflexivity|].
  exists (state_of n (record_all (performed q s) s1)). split.
  - rewrite <- names_of_children.
    match goal with |- for_each _ _ ?a _ => replace a with (state_of n s1) end.
    + apply (line_9 q n (seq 0 (K k)) s1); auto.
      * apply seq_NoDup.
      * intros c Hc%in_seq. lia.
      * cbn [s1 made log evaluations]. now apply (evaluations_made less oracle cfg).
      * intros c _. cbn [s1 log]. rewrite values_of_expand_event. destruct (c =? k) eqn:Ec.
        -- replace (values_of (c :: q) (log s)) with (values_of q (log s))
             by (unfold values_of; cbn [birth]; now rewrite Ec).
           now apply count_of_leaf.
        -- rewrite values_at_new_point by (auto; now apply Nat.eqb_neq). reflexivity.
    + unfold SpecExpansions.state_of. cbn [s1 log nu_min Spec.T Spec.nu_min Spec.t Spec.past].
      now rewrite events_of_cons.
  - set (s2 := record_all (performed q s) s1).
    assert (Hlog : log s2 = rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s)
      by (unfold s2; now rewrite record_all_log).
    assert (Hlog' : log (expand (node_at q) s) = log s2) by now rewrite expand_log.
    assert (Hn2 : of_nodes k (log s2)) by (rewrite <- Hlog'; now apply nodes_of_log).
    assert (Hnu : nu_min (expand (node_at q) s) = nu_min s2)
      by (unfold s2; now rewrite expand_nu, record_all_nu).
    assert (Hplaces : places s2 = places s) by (unfold places, s2; now rewrite record_all_leaves).
    pose proof (all_children_have_values q s n s2 Hr Hx Hq Hlog Hn2) as Hall.
    destruct (places_expand less oracle cfg q s Hq) as [[Ha E]|(Ha & l1 & l2 & E & E')].
    + right. split; [intros H; apply Hall in H; congruence|].
      unfold SpecExpansions.state_of. rewrite Hlog', Hnu, E, Hplaces. reflexivity.
    + left. split; [now apply Hall|]. unfold Spec.add_children.
      unfold SpecExpansions.state_of. rewrite Hlog', Hnu, E', Hplaces. cbn [Spec.T Spec.nu_min Spec.t Spec.past].
      split; [|auto]. intros y.
      pose proof (nodes_occur_once less oracle cfg s Hr) as Hnd. rewrite E in *. rewrite <- names_of_children.
      apply (names_after_replacement name_of l1 (Nodes.children cfg q) l2 q y Hnd). intros p Hp Ep.
      apply names_are_unique in Ep; auto. apply (node_of_leaf s); [exact Hr|now rewrite E].
Qed.

End SpecExpansions.
