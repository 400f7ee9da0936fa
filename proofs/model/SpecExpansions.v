(** * An expansion of the model is lines 7 to 10 of Spec.v. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Order RunsTree RunsEvaluations NormIsEuclidean SpecPoints
  SpecValues.
From EmbeddedHunter Require Commands Spec.

Section SpecExpansions.

Context {V : Type} (less : V -> V -> bool).
Variable g : Spec.point -> nat -> V.
Variable cfg : settings.
Variables eta M : R.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation oracle := (oracle_of g cfg eta).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluated := (evaluated less oracle cfg).
Local Notation evaluation := (evaluation less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation affordable := (affordable less oracle cfg).
Local Notation record_all := (record_all less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation name_of := (name_of k).
Local Notation point_of := (point_of k d eta).
Local Notation state_of := (state_of cfg).
Local Notation budget_left := (Spec.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).
Local Notation f_star := (Spec.f_star V less (K k) d eta).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.
Hypothesis M_nonneg : (0 <= M)%R.
Hypothesis den_pos : (0 < cap_den cfg)%Z.
Hypothesis cap : (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR d / eta) * M) ^ 2)%R.

(** What the earlier files prove, of these variables. *)
Local Notation values_of := (values_of cfg).
Local Notation nodes_of_log := (nodes_of_log less g cfg eta).
Local Notation values_at_name := (values_at_name cfg eta d_pos eta_pos).
Local Notation values_of_batch := (values_of_batch less g cfg eta).
Local Notation values_of_expand_event := (values_of_expand_event cfg).
Local Notation children_have_different_births := (children_have_different_births cfg k_pos d_pos).
Local Notation node_of_leaf := (node_of_leaf less g cfg eta).
Local Notation count_of_leaf := (count_of_leaf less g cfg eta).
Local Notation values_at_new_point := (values_at_new_point less g cfg eta).
Local Notation values_of_child := (values_of_child less g cfg eta k_pos d_pos).
Local Notation f_star_of_leaf := (f_star_of_leaf less g cfg eta order k_pos d_pos eta_pos).
Local Notation budget_is_left := (budget_is_left cfg).
Local Notation budget_is_used_up := (budget_is_used_up cfg).

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
    replace (Spec.base_point (K k) d eta (name_of (c :: q))) with (point_of q); [reflexivity|].
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
        { unfold SpecValues.state_of. rewrite Hlog, events_of_cons. cbn [Spec.T Spec.nu_min Spec.t Spec.past].
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

Lemma last_child_performed q s : In (2 * k :: q) (performed q s) -> affordable q s = true.
Proof.
  intros H. destruct (affordable q s) eqn:Ha; [reflexivity|]. exfalso.
  destruct (last_wanted q) as (before & E).
  assert (Hnd : NoDup (wanted q)) by (apply NoDup_filter, nodup_children).
  unfold Nodes.performed, Nodes.affordable in *. apply Nat.leb_gt in Ha. rewrite E in *.
  rewrite app_length in Ha. cbn [length] in Ha. rewrite firstn_app in H.
  replace (budget cfg - made s - length before) with 0 in H by lia.
  cbn [firstn] in H. rewrite app_nil_r in H. apply NoDup_remove_2 in Hnd. apply Hnd. rewrite app_nil_r.
  rewrite <- (firstn_skipn (budget cfg - made s) before). apply in_or_app. now left.
Qed.

Lemma all_children_have_values q s n s2 : reached s -> exhausted s = false -> In q (places s) ->
  log s2 = rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s ->
  of_nodes k (log s2) ->
  (Spec.all_have_values V less (K k) d eta (Spec.children (K k) (name_of q)) (state_of n s2)
   <-> affordable q s = true).
Proof.
  intros Hr Hx Hq E Hn. pose proof (node_of_leaf s q Hr Hq) as Hnq.
  assert (F : forall c, c < K k ->
    (f_star (name_of (c :: q)) (state_of n s2) = Spec.infinity V <->
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
    + unfold SpecValues.state_of. cbn [s1 log nu_min Spec.T Spec.nu_min Spec.t Spec.past].
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
      unfold SpecValues.state_of. rewrite Hlog', Hnu, E, Hplaces. reflexivity.
    + left. split; [now apply Hall|]. unfold Spec.add_children.
      unfold SpecValues.state_of. rewrite Hlog', Hnu, E', Hplaces. cbn [Spec.T Spec.nu_min Spec.t Spec.past].
      split; [|auto]. intros y.
      pose proof (nodes_occur_once less oracle cfg s Hr) as Hnd. rewrite E in Hnd.
      destruct (nodup_parts _ _ _ Hnd) as (_ & _ & N1 & N2 & _).
      assert (Hnode : forall p, In p (places s) -> node k p) by (intros p; now apply node_of_leaf).
      rewrite <- names_of_children. split.
      * intros (p & Hp & ->). rewrite !in_app_iff in Hp. destruct Hp as [Hp|[Hp|Hp]].
        -- left. assert (Hp' : In p (places s)) by (rewrite E, in_app_iff; auto). split; [eauto|].
           intros N. apply names_are_unique in N; auto. subst. tauto.
        -- right. now apply in_map.
        -- left. assert (Hp' : In p (places s)) by (rewrite E, in_app_iff; cbn; auto). split; [eauto|].
           intros N. apply names_are_unique in N; auto. subst. tauto.
      * intros [[(p & Hp & ->) N]|H].
        -- exists p. split; [|reflexivity]. rewrite E, in_app_iff in Hp. rewrite !in_app_iff.
           destruct Hp as [Hp|[Hp|Hp]]; auto. now subst.
        -- apply in_map_iff in H. destruct H as (p & <- & Hp). exists p. split; [|reflexivity].
           rewrite !in_app_iff. auto.
Qed.

End SpecExpansions.
