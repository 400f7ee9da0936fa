(** * The expansions of a run: what the cap decides, what a cut leaves, and what follows a sweep without expansion. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths RunsTree RunsEvaluations RunsNumbers Sweep RunsEnd.
From EmbeddedHunter Require SearchSweep.

Section RunsExpansions.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation evaluation := (evaluation less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation reached := (reached less oracle cfg).

(** An expansion in the log after another expansion: it is this one, or an older one. *)
Lemma expansion_in_log ps p w (l newer older : list (event V)) q nu :
  map evaluation ps ++ Expand p w :: l = newer ++ Expand q nu :: older ->
  (q = p /\ newer = map evaluation ps /\ older = l) \/
  exists newer', l = newer' ++ Expand q nu :: older /\ newer = map evaluation ps ++ Expand p w :: newer'.
Proof.
  revert newer. induction ps as [|x ps IH]; intros [|e newer] E; cbn [map app] in *.
  - injection E as -> -> ->. auto.
  - injection E as <- ->. right. exists newer. auto.
  - discriminate E.
  - injection E as <- E. destruct (IH newer E) as [(-> & -> & ->)|(newer' & -> & ->)]; [auto|].
    right. exists newer'. auto.
Qed.

Section Cap.
Hypothesis d_positive : 1 <= dimension cfg.

(** Claim [evaluation-cap].  When a leaf is expanded, its base point is evaluated again, through the center child and
    with the next visit number, if and only if its evaluations before are at most M ||y||.  The only expansion excepted
    is the one that the budget cuts: its leaf is still a leaf at the end. *)
Theorem a_base_point_is_evaluated_again_iff_the_cap_allows_it s newer q nu older :
  reached s -> log s = newer ++ Expand q nu :: older -> ~ In q (places s) ->
  let n := length (at_point cfg (birth k q) older) in
  (exists v, In (k :: q, S n, v) (evaluations newer)) <-> cap_holds cfg n q.
Proof.
  intros Hr. revert s Hr newer. cbv zeta.
  refine (reached_induction less oracle cfg _ _ _ _ _).
  - intros newer E. destruct newer as [|e newer]; [discriminate E|]. destruct newer; discriminate E.
  - intros s _ _ IH [|e newer] E Hq; [discriminate E|]. injection E as <- E. exact (IH newer E Hq).
  - intros l s _ _ _ IH [|e newer] E Hq; [discriminate E|]. injection E as <- E. exact (IH newer E Hq).
  - intros p s Hr Hx Hin Hd Hb IH newer E Hq. rewrite expand_log, <- map_rev in E.
    (* The evaluations of an expansion of another node. *)
    assert (others : forall newer', q <> p ->
      (exists v, In (k :: q, S (length (at_point cfg (birth k q) older)), v)
         (evaluations (map evaluation (rev (performed less oracle cfg p s)) ++ Expand p (value less oracle cfg p) :: newer'))) <->
      exists v, In (k :: q, S (length (at_point cfg (birth k q) older)), v) (evaluations newer')).
    { intros newer' N. rewrite map_rev, evaluations_evaluations. cbn [evaluations].
      split; intros (v & H); exists v; rewrite in_app_iff in *; [|auto]. destruct H as [H|H]; [|exact H].
      exfalso. apply in_map_iff in H. destruct H as (x & [= Ex _ _] & H). rewrite <- in_rev in H.
      apply performed_wanted, in_wanted in H. destruct H as (c & _ & -> & _). injection Ex as _ ->. easy. }
    destruct (places_expand less oracle cfg p s Hin) as [[Ha Ep]|(Ha & l1 & l2 & Ep & Ep')];
      (destruct (expansion_in_log _ _ _ _ _ _ _ _ E) as [(-> & -> & ->)|(newer' & Es & ->)]).
    + rewrite Ep in Hq. easy.
    + rewrite Ep in Hq. rewrite <- (IH newer' Es Hq). apply others. intros ->. exact (Hq Hin).
    + rewrite (the_count_of_a_leaf_is_the_number_of_evaluations less oracle cfg s p Hr Hx Hin).
      rewrite <- (within_cap_holds less oracle cfg d_positive), map_rev, <- (app_nil_r (rev _)),
        evaluations_evaluations, (performed_all _ _ _ _ _ Ha). cbn [evaluations]. rewrite app_nil_r.
      split.
      * intros (v & H). apply in_map_iff in H. destruct H as (x & [= Ex _ _] & H). rewrite <- in_rev in H.
        apply in_wanted in H. destruct H as (c & _ & -> & He). injection Ex as ->.
        cbn [Nodes.evaluated] in He. rewrite Nat.eqb_refl in He. exact He.
      * intros Hw. exists (sample less oracle cfg (k :: p)). apply in_map_iff. exists (k :: p). split.
        -- f_equal. f_equal. rewrite visits_of_cons, Nat.eqb_refl, Hw. reflexivity.
        -- rewrite <- in_rev. apply in_wanted. exists k. split; [unfold K; lia|]. split; [reflexivity|].
           cbn [Nodes.evaluated]. now rewrite Nat.eqb_refl, Hw.
    + assert (Hqs : ~ In q (places s)).
      { intros H. apply (an_expanded_node_is_no_leaf less oracle cfg s Hr Hx q); [|exact H].
        rewrite Es, expanded_app, in_app_iff. cbn. auto. }
      rewrite <- (IH newer' Es Hqs). apply others. intros ->. exact (Hqs Hin).
Qed.

End Cap.

(** Claim [budget-exact].  The children of an expanded node are all in the tree, or the budget is used up and none is:
    then the node is a leaf still. *)
Theorem an_expansion_makes_all_children_or_none s q :
  reached s -> In q (expanded (log s)) ->
  (forall c, c < K k -> In (c :: q) (places s) \/ In (c :: q) (expanded (log s))) \/
  (exhausted s = true /\ In q (places s) /\
   forall c, ~ In (c :: q) (places s) /\ ~ In (c :: q) (expanded (log s))).
Proof.
  intros Hr. revert s Hr q. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  intros p s Hr Hx Hin Hd Hb _ q.
  destruct (leaf_or_expanded less oracle cfg s Hr Hx) as [_ Hall].
  pose proof (an_expanded_node_is_no_leaf less oracle cfg s Hr Hx) as Hno.
  rewrite expanded_expand. intros [<-|Hq].
  - destruct (places_expand less oracle cfg p s Hin) as [[Ha Ep]|(Ha & l1 & l2 & Ep & Ep')].
    + right. split; [now apply made_expand_cut|]. rewrite Ep. split; [exact Hin|].
      assert (Hp : ~ In p (expanded (log s))) by (intros H; exact (Hno p H Hin)).
      intros c. split.
      * intros H. apply Hp, (every_parent_is_expanded less oracle cfg s Hr c p). auto.
      * intros [E|H].
        -- apply (f_equal (@length nat)) in E. cbn in E. lia.
        -- apply Hp, (every_parent_is_expanded less oracle cfg s Hr c p). auto.
    + left. intros c Hc. left. rewrite Ep', !in_app_iff. right. left. apply in_children. eauto.
  - left. intros c Hc. destruct (Hall q c Hq Hc) as [H|H]; [|right; now right].
    destruct (list_eq_dec Nat.eq_dec (c :: q) p) as [<-|N]; [right; now left|].
    left. now apply places_expand_keeps.
Qed.

(** Claim [termination].  Without the end of the run, a sweep that expands nothing would be followed by sweeps that
    evaluate nothing and change nothing, for ever. *)
Theorem after_a_sweep_that_expands_nothing_no_sweep_evaluates s n :
  reached s -> exhausted s = false -> nu_min (sweep s) = None ->
  full cfg s /\ leaves (Nat.iter n sweep s) = leaves s /\ made (Nat.iter n sweep s) = made s.
Proof.
  intros Hr Hx Hnu. pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  destruct (a_sweep_that_expands_nothing_met_a_full_tree less oracle cfg s Hn Hx Hnu) as (_ & _ & Hs).
  split; [apply (nothing_to_expand_full less oracle); assumption|].
  assert (H : reached (Nat.iter n sweep s) /\ leaves (Nat.iter n sweep s) = leaves s /\
    made (Nat.iter n sweep s) = made s); [|apply H].
  induction n as [|n (IH1 & IH2 & IH3)]; [auto|].
  change (Nat.iter (S n) sweep s) with (sweep (Nat.iter n sweep s)).
  assert (Hx' : exhausted (Nat.iter n sweep s) = false) by (unfold Model.exhausted in *; now rewrite IH3).
  assert (Hs' : nothing_to_expand cfg (Nat.iter n sweep s)) by (unfold nothing_to_expand; now rewrite IH2).
  set (s' := Nat.iter n sweep s) in *. assert (E : leaves (sweep s') = leaves s' /\ made (sweep s') = made s')
    by exact (SearchSweep.a_sweep_with_nothing_to_expand (algorithm_one_is_lawful less oracle cfg) _ Hx'
      (reached_leaves_are_nodes less oracle cfg _ IH1) Hs').
  destruct E as [E1 E2].
  split; [|split; congruence].
  eapply reached_steps; [exact IH1|]. apply sweep_steps; [|now apply reached_leaves_are_nodes].
  unfold Model.exhausted in *. now rewrite IH3.
Qed.

End RunsExpansions.
