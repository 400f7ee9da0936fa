(** * How often the program goes through the heaps of a depth.

    Listing them, and finding their least f*, takes a step for each heap.  The program keeps both; so it does either at
    most twice for each visit that expands a leaf, and a visit that expands nothing is given no heap at all. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted Permutation.
From EmbeddedHunter Require Import Lattice Model Classes Nodes Steps Order Paths RunsTree Batch RunsOrder RunsExpansions
  PriorityQueue Program ProgramNodes ProgramLevels ProgramTree ProgramVisits ProgramIsModel ProgramCosts.
Import ListNotations.
Open Scope nat_scope.

Section Passes.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Variable Q : priority_queue (before less).
Hypothesis greatest : forall a : V, a = infinity \/ less a infinity = true.
Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.

Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation tree_holds := (tree_holds less cfg Q).
Local Notation visit_depth := (visit_depth less oracle cfg Q).
Local Notation visit := (visit less oracle cfg).

Section Kept.

(** Something that a level keeps, the list of its heaps or its least f*: [stale lv] is 1 if the level does not have it, and
    [made_anew tr] counts how often a level got it. *)
Variable stale : level V less Q -> nat.
Variable made_anew : tree V less Q -> nat.
Hypothesis stale_at_most_1 : forall lv, stale lv <= 1.
Hypothesis replacing_makes_nothing : forall es tr, made_anew (fold_left (replace (Q := Q)) es tr) = made_anew tr.
Hypothesis making_it_ends_staleness : forall l bound tr, l < length (levels tr) ->
  made_anew (snd (norm_classes l bound tr)) + stale (level_at l (snd (norm_classes l bound tr))) =
  made_anew tr + stale (level_at l tr).
Hypothesis nothing_at_first : made_anew (leaves_of (begin less oracle cfg Q)) = 0.

Fixpoint stale_levels (ls : list (level V less Q)) : nat :=
  match ls with [] => 0 | lv :: rest => stale lv + stale_levels rest end.

(** 1 if the level can still become stale. *)
Definition fresh (h : nat) (ls : list (level V less Q)) : nat :=
  if h <? length ls then 1 - stale (nth h ls (empty_level Q)) else 1.

Lemma stale_levels_set h lv ls : h < length ls ->
  stale_levels (set_level h lv ls) + stale (nth h ls (empty_level Q)) = stale_levels ls + stale lv.
Proof.
  revert ls; induction h as [|h IH]; intros [|l0 ls] H; cbn in H; try lia; cbn [set_level stale_levels nth]; [lia|].
  specialize (IH ls ltac:(lia)). lia.
Qed.

Lemma stale_levels_new lv ls :
  stale_levels (set_level (length ls) lv ls) = stale_levels ls + stale lv.
Proof. induction ls as [|l0 ls IH]; cbn [length set_level stale_levels]; [cbn; lia|]. rewrite IH. lia. Qed.

Lemma make_stale h lv ls : h <= length ls ->
  stale_levels (set_level h lv ls) + fresh h (set_level h lv ls) = stale_levels ls + fresh h ls /\
  forall h', h' <> h -> fresh h' (set_level h lv ls) = fresh h' ls.
Proof.
  intros H. split.
  - unfold fresh. rewrite length_set_level, nth_set_level, Nat.eqb_refl. pose proof (stale_at_most_1 lv).
    rewrite (proj2 (Nat.ltb_lt h _)) by lia. destruct (h <? length ls) eqn:L.
    + apply Nat.ltb_lt in L. pose proof (stale_levels_set h lv ls L).
      pose proof (stale_at_most_1 (nth h ls (empty_level Q))). lia.
    + apply Nat.ltb_ge in L. replace h with (length ls) by lia. rewrite stale_levels_new. lia.
  - intros h' N. unfold fresh. rewrite length_set_level, nth_set_level, (proj2 (Nat.eqb_neq h' h) N).
    replace (h' <? Nat.max (S h) (length ls)) with (h' <? length ls); [reflexivity|].
    apply eq_true_iff_eq. rewrite !Nat.ltb_lt. lia.
Qed.

(** What replacing leaves of depth l can make stale: the levels l and l + 1. *)
Definition potential (l : nat) (tr : tree V less Q) : nat :=
  stale_levels (levels tr) + fresh l (levels tr) + fresh (S l) (levels tr).

Lemma potential_add l (tr : tree V less Q) x : l < length (levels tr) -> h_of x = S l ->
  potential l (add tr x) = potential l tr /\ l < length (levels (add tr x)).
Proof.
  intros H E. unfold potential, add. cbn [levels]. rewrite E.
  destruct (make_stale (S l) (add_to_level x (level_at (S l) tr)) (levels tr) ltac:(lia)) as [A B].
  rewrite (B l) by lia. split; [lia|]. rewrite length_set_level. lia.
Qed.

Lemma potential_add_all l xs : forall (tr : tree V less Q), l < length (levels tr) ->
  (forall x, In x xs -> h_of x = S l) ->
  potential l (fold_left (add (Q := Q)) xs tr) = potential l tr /\
  l < length (levels (fold_left (add (Q := Q)) xs tr)).
Proof.
  induction xs as [|x xs IH]; intros tr H E; [now split|]. cbn [fold_left].
  destruct (potential_add l tr x H (E x (or_introl eq_refl))) as [A B].
  destruct (IH _ B (fun y Hy => E y (or_intror Hy))) as [C D]. split; [congruence|exact D].
Qed.

Lemma potential_replace_all l es : forall (tr : tree V less Q), l < length (levels tr) ->
  (forall e, In e es -> h_of (fst e) = l /\ forall x, In x (snd e) -> h_of x = S l) ->
  potential l (fold_left (replace (Q := Q)) es tr) = potential l tr.
Proof.
  induction es as [|e es IH]; intros tr H E; [reflexivity|]. cbn [fold_left].
  destruct (E e (or_introl eq_refl)) as [E1 E2].
  set (tr0 := Tree Q (set_level (h_of (fst e)) (remove_least (nrm_of (fst e)) (level_at (h_of (fst e)) tr)) (levels tr))
          (pred (leaf_count tr)) (pushes tr) (S (pops tr)) (snapshots tr) (minima tr)).
  assert (A : potential l tr0 = potential l tr /\ l < length (levels tr0)).
  { unfold potential, tr0. cbn [levels]. rewrite E1.
    destruct (make_stale l (remove_least (nrm_of (fst e)) (level_at l tr)) (levels tr) ltac:(lia)) as [A B].
    rewrite (B (S l)) by lia. split; [lia|]. rewrite length_set_level. lia. }
  destruct A as [A1 A2]. destruct (potential_add_all l (snd e) tr0 A2 E2) as [B1 B2].
  change (replace tr e) with (fold_left (add (Q := Q)) (snd e) tr0).
  rewrite IH; [congruence|exact B2|]. intros e' He'. apply E. now right.
Qed.

Lemma made_by_norm_classes l bound (tr : tree V less Q) : l < length (levels tr) ->
  let tr' := snd (norm_classes l bound tr) in
  made_anew tr' + stale_levels (levels tr') = made_anew tr + stale_levels (levels tr).
Proof.
  intros H. cbv zeta. pose proof (making_it_ends_staleness l bound tr H) as E.
  assert (A : exists lv, levels (snd (norm_classes l bound tr)) = set_level l lv (levels tr)).
  { unfold norm_classes. destruct bound as [b|]; [destruct (least_f_star _) as [f lv1]; destruct (less f b)|];
      try destruct (classes_of _) as [qs lv']; eexists; reflexivity. }
  destruct A as (lv & A). unfold level_at in E. rewrite A in *. rewrite nth_set_level, Nat.eqb_refl in E.
  pose proof (stale_levels_set l lv (levels tr) H). lia.
Qed.

(** The first leaves of the heaps of a depth have this depth. *)
Lemma firsts_have_the_depth (tr : tree V less Q) xs l q x : tree_holds tr xs ->
  In q (map snd (heaps (level_at l tr))) -> first Q q = Some x -> h_of x = l.
Proof.
  intros [H _] Hq F. destruct (firsts_of_a_level less cfg Q _ _ (H l)) as [A _].
  destruct (A q x Hq F) as (y & Hy & ->). apply filter_In in Hy. now apply Nat.eqb_eq.
Qed.

Lemma record_depths l es vs e : (forall e, In e es -> h_of (fst e) = l /\ forall x, In x (snd e) -> h_of x = S l) ->
  In e (record less cfg es vs) -> h_of (fst e) = l /\ forall x, In x (snd e) -> h_of x = S l.
Proof.
  assert (T : forall xs ws x, In x (fst (take_values less cfg xs ws)) -> exists y, In y xs /\ h_of y = h_of x).
  { induction xs as [|y xs IH]; intros ws x; cbn [take_values]; [easy|].
    destruct (may_be_evaluated cfg y).
    - destruct ws as [|w ws]; [intros Hx; exists x; now split|]. specialize (IH ws x).
      destruct (take_values less cfg xs ws). cbn [fst] in *.
      intros [<-|Hx]; [exists y; split; [now left|reflexivity]|]. destruct (IH Hx) as (z & A & B). exists z. split; [now right|exact B].
    - specialize (IH ws x). destruct (take_values less cfg xs ws). cbn [fst] in *.
      intros [<-|Hx]; [exists y; split; [now left|reflexivity]|]. destruct (IH Hx) as (z & A & B). exists z. split; [now right|exact B]. }
  revert vs; induction es as [|[y ys] es IH]; intros vs H He; [easy|]. cbn [record] in He.
  pose proof (T ys vs) as T0. destruct (take_values less cfg ys vs) as [ys' ws]. cbn [fst] in T0.
  destruct He as [<-|He].
  - cbn [fst snd]. destruct (H (y, ys) (or_introl eq_refl)) as [A B]. cbn [fst snd] in *. split; [exact A|].
    intros x Hx. destruct (T0 x Hx) as (z & Hz & Ez). rewrite <- Ez. now apply B.
  - exact (IH ws (fun e He => H e (or_intror He)) He).
Qed.

Definition made_ok (p : variables V less Q) : Prop :=
  made_anew (leaves_of p) + stale_levels (levels (leaves_of p)) <= 1 + 2 * expanding p /\
  expanding p <= pops (leaves_of p) + (if left p =? 0 then 1 else 0).

Lemma made_by_a_visit l p s : same_state less cfg Q p s -> l < length (levels (leaves_of p)) -> left p <> 0 ->
  made_ok p -> made_ok (visit_depth l p).
Proof.
  intros H Hl Hleft [L1 L2]. rewrite (proj2 (Nat.eqb_neq _ 0) Hleft), Nat.add_0_r in L2.
  unfold Program.visit_depth.
  pose proof (norm_classes_costs less Q l (nu p) (leaves_of p)) as N.
  pose proof (made_by_norm_classes l (nu p) (leaves_of p) Hl) as N3. cbv zeta in N3.
  destruct (norm_classes l (nu p) (leaves_of p)) as [qs tr] eqn:En. cbn [snd] in N, N3. destruct N as [_ N2].
  destruct (norm_classes_spec less cfg order Q l _ _ _ _ _ (same_leaves _ _ _ _ _ H) Hl En) as (T1 & T2 & T3).
  destruct (choose cfg Q qs (nu p) (left p)) as [[es wanted] nu1] eqn:E.
  destruct (choose_costs less cfg Q _ _ _ _ _ _ E) as (C1 & C2 & C3).
  set (asked := firstn (left p) wanted). set (vs := map (reply oracle cfg) asked).
  set (n := if left p <? length wanted then length es - 1 else length es).
  assert (Hes : forall e, In e es -> h_of (fst e) = l /\ forall x, In x (snd e) -> h_of x = S l).
  { intros e He. destruct (C2 e He) as (A & q & Hq & F).
    assert (D : h_of (fst e) = l).
    { destruct T3 as [->|(-> & _)]; [|easy]. exact (firsts_have_the_depth _ _ l q _ (same_leaves _ _ _ _ _ H) Hq F). }
    split; [exact D|]. rewrite A. unfold Program.children. intros x Hx. apply in_map_iff in Hx.
    destruct Hx as (a & <- & _). cbn [h_of]. now rewrite D. }
  assert (Hrec : forall e, In e (firstn n (record less cfg es vs)) -> h_of (fst e) = l /\ forall x, In x (snd e) -> h_of x = S l).
  { intros e He. apply (record_depths l es vs e Hes). rewrite <- (firstn_skipn n). apply in_or_app. now left. }
  assert (Hk : forall e, In e (firstn n (record less cfg es vs)) -> length (snd e) = K (half cfg)).
  { intros e He. apply (record_children less cfg es vs).
    - intros e' He'. destruct (C2 e' He') as [-> _]. apply length_children_of_entry.
    - rewrite <- (firstn_skipn n). apply in_or_app. now left. }
  destruct (replace_all_costs less cfg Q _ tr Hk) as (_ & R2 & _ & _).
  rewrite firstn_length, length_record in R2.
  pose proof (replacing_makes_nothing (firstn n (record less cfg es vs)) tr) as R3.
  pose proof (potential_replace_all l _ tr ltac:(lia) Hrec) as P.
  unfold made_ok. cbn [leaves_of expanding left].
  destruct asked as [|r rs] eqn:Ea.
  - rewrite N2. cbn [length]. rewrite Nat.sub_0_r, (proj2 (Nat.eqb_neq _ 0) Hleft). lia.
  - rewrite R2, R3, N2. split.
    + unfold potential in P. unfold fresh in P at 3 4.
      assert (F1 : forall h ls, fresh h ls <= 1) by (intros h ls; unfold fresh; destruct (h <? length ls); lia).
      pose proof (F1 l (levels tr)) as F2. pose proof (F1 (S l) (levels tr)) as F3. unfold fresh in F2, F3. lia.
    + destruct (left p <? length wanted) eqn:Ec.
      * apply Nat.ltb_lt in Ec. assert (La : length (r :: rs) = left p) by (rewrite <- Ea; unfold asked; rewrite firstn_length; lia).
        rewrite La, Nat.sub_diag. cbn [Nat.eqb]. lia.
      * assert (Hne : 1 <= length es).
        { destruct es; [|cbn; lia]. cbn [flat_map] in C1. subst wanted. unfold asked in Ea. rewrite firstn_nil in Ea. discriminate. }
        unfold n. rewrite Nat.min_id. lia.
Qed.

Lemma made_by_visits n : forall l p s,
  reached s -> exhausted s = false -> n + l <= S (h_max cfg) -> n + l <= length (levels (leaves_of p)) ->
  same_state less cfg Q p s -> expanded_is_right less Q p -> made_ok p ->
  made_ok (visit_depths less oracle cfg Q n l p).
Proof.
  induction n as [|n IH]; intros l p s Hr Hx Hl Hlen H He HL; [exact HL|]. cbn [visit_depths].
  destruct (visit_depth_is_visit less oracle cfg Q greatest order k_pos d_pos l p s Hr Hx ltac:(lia) ltac:(lia) H He) as (H1 & H2 & H3).
  assert (Hleft : left p <> 0).
  { pose proof (left_is_exhausted less cfg Q p s H) as E. rewrite Hx in E. now apply Nat.eqb_neq. }
  pose proof (made_by_a_visit l p s H ltac:(lia) Hleft HL) as HL1.
  pose proof (left_is_exhausted less cfg Q _ _ H1) as E. rewrite E.
  destruct (exhausted (visit l s)) eqn:Ex; [exact HL1|].
  apply (IH (S l) _ (visit l s)); auto; try lia.
  eapply reached_steps; [exact Hr|]. apply (moves_steps less oracle cfg l); [lia|].
  apply visit_moves; [exact Hx|]. now apply reached_leaves_are_nodes.
Qed.

Lemma made_by_sweeps n : forall p s, reached s -> same_state less cfg Q p s -> expanded p = true -> made_ok p ->
  made_ok (sweep_while less oracle cfg Q n p).
Proof.
  induction n as [|n IH]; intros p s Hr H He HL; [exact HL|]. cbn [sweep_while].
  rewrite He, andb_true_r. replace (0 <? left p) with (negb (exhausted s))
    by (rewrite <- (left_is_exhausted less cfg Q _ _ H); destruct (left p); reflexivity).
  destruct (exhausted s) eqn:Ex; [exact HL|]. cbn [negb].
  destruct (one_sweep_is_sweep less oracle cfg Q greatest order k_pos d_pos p s Hr Ex H) as [H1 H2].
  assert (HL1 : made_ok (one_sweep less oracle cfg Q p)).
  { unfold one_sweep.
    assert (E : Nat.min (depth_of (leaves_of p)) (h_max cfg) = limit cfg s).
    { unfold depth_of, limit. now rewrite (same_depth _ _ _ _ _ H). }
    rewrite E. apply (made_by_visits _ 0 _ (begin_sweep cfg s)).
    - eapply reached_steps; [exact Hr|]. apply steps_one, step_sweep, Ex.
    - exact Ex.
    - unfold limit. lia.
    - cbn [leaves_of]. rewrite (same_depth _ _ _ _ _ H). unfold limit. lia.
    - destruct H as [A1 A2 A3 A4 A5 A6 A7 A8].
      split; cbn [leaves_of nu f_least left t sweep_number events]; auto; cbn; congruence.
    - reflexivity.
    - exact HL. }
  destruct (expanded (one_sweep less oracle cfg Q p)) eqn:Ee.
  - apply (IH _ (sweep less oracle cfg s)); auto. eapply reached_steps; [exact Hr|]. apply sweep_steps; [exact Ex|].
    now apply reached_leaves_are_nodes.
  - destruct n; cbn [sweep_while]; [exact HL1|]. now rewrite Ee, andb_false_r.
Qed.

Lemma made_by_a_run :
  let p := run less oracle cfg Q in
  made_anew (leaves_of p) <= 1 + 2 * expanding p /\ expanding p <= 1 + pops (leaves_of p).
Proof.
  cbv zeta. assert (H : made_ok (run less oracle cfg Q)).
  { apply (made_by_sweeps _ _ (start oracle cfg)).
    - apply steps_none.
    - now apply begin_is_start.
    - reflexivity.
    - split; [rewrite nothing_at_first|cbn; lia]. cbn.
      match goal with |- context [stale ?lv] => pose proof (stale_at_most_1 lv) end. lia. }
  destruct H as [H1 H2]. split; [lia|]. destruct (left _ =? 0); lia.
Qed.

End Kept.

(** Claim [heaps-change-nothing].  Over a run the heaps of a depth are listed anew at most 1 + 2 e times, and their least f* is found anew at most 1 + 2 e
    times, e the number of visits that expand a leaf; and e is at most the number of pops and one more. *)
Theorem a_run_goes_through_heaps_at_most_four_times_per_visit_that_expands :
  let p := run less oracle cfg Q in
  snapshots (leaves_of p) <= 1 + 2 * expanding p /\ minima (leaves_of p) <= 1 + 2 * expanding p /\
  expanding p <= 1 + pops (leaves_of p).
Proof.
  cbv zeta.
  assert (U : forall A (kept : option A), unknown kept <= 1) by (intros A [a|]; cbn; lia).
  assert (R : forall es (tr : tree V less Q), snapshots (fold_left (replace (Q := Q)) es tr) = snapshots tr /\
    minima (fold_left (replace (Q := Q)) es tr) = minima tr).
  { induction es as [|e es IH]; intros tr; [now split|]. cbn [fold_left]. destruct (IH (replace tr e)) as [-> ->].
    destruct (replace_costs less Q tr e) as (_ & _ & -> & ->). now split. }
  assert (E : forall l lv n m (tr : tree V less Q), level_at l (with_level l lv n m tr) = lv).
  { intros l lv n m tr. unfold with_level. now rewrite level_at_set, Nat.eqb_refl. }
  assert (S : forall l bound (tr : tree V less Q), let tr' := snd (norm_classes l bound tr) in
    snapshots tr' + unknown (snapshot (level_at l tr')) = snapshots tr + unknown (snapshot (level_at l tr)) /\
    minima tr' + unknown (least (level_at l tr')) = minima tr + unknown (least (level_at l tr))).
  { intros l bound tr. cbv zeta. unfold norm_classes, least_f_star, classes_of. destruct bound as [b|].
    - destruct (least (level_at l tr)) as [f|] eqn:F; cbn [fst snd snapshot];
        match goal with |- context [less ?a b] => destruct (less a b) end;
        destruct (snapshot (level_at l tr)) eqn:G; cbn [snd]; rewrite E; cbn; rewrite ?F, ?G; cbn; lia.
    - destruct (snapshot (level_at l tr)) eqn:G; cbn [snd]; rewrite E; cbn; rewrite ?G; cbn; lia. }
  destruct (made_by_a_run (fun lv => unknown (snapshot lv)) snapshots) as [A B];
    [auto|apply R|intros; apply S|reflexivity|].
  destruct (made_by_a_run (fun lv => unknown (least lv)) minima) as [C _];
    [auto|apply R|intros; apply S|reflexivity|]. auto.
Qed.

(** ** Visits that expand nothing *)

Lemma choose_nothing qs nu0 room wanted nu1 q x : choose cfg Q qs nu0 room = ([], wanted, nu1) ->
  In q qs -> first Q q = Some x -> match nu0 with None => true | Some w => less (f_star x) w end = false.
Proof.
  induction qs as [|q0 qs IH]; [easy|]. cbn [choose]. intros E Hq F.
  destruct (first Q q0) as [y|] eqn:F0.
  - destruct (match nu0 with None => true | Some w => less (f_star y) w end) eqn:B.
    + match type of E with (if ?b then _ else _) = _ => destruct b end; [discriminate|].
      destruct (choose cfg Q qs (Some (f_star y)) _) as [[es more] nu']. discriminate.
    + destruct Hq as [<-|Hq]; [|now apply IH]. rewrite F in F0. now injection F0 as ->.
  - destruct Hq as [<-|Hq]; [congruence|now apply IH].
Qed.

(** Claim [batch-equivalence].  A visit that expands nothing was given no heap in line 4. *)
Theorem a_visit_that_expands_nothing_is_given_no_heap l (tr : tree V less Q) xs nu0 room :
  tree_holds tr xs -> fst (fst (choose cfg Q (fst (norm_classes l nu0 tr)) nu0 room)) = [] ->
  fst (norm_classes l nu0 tr) = [].
Proof.
  intros H E. destruct (norm_classes l nu0 tr) as [qs tr'] eqn:En. cbn [fst] in *.
  destruct (choose cfg Q qs nu0 room) as [[es wanted] nu1] eqn:Ec. cbn [fst] in E. subst es.
  destruct H as [H _]. destruct (firsts_of_a_level less cfg Q _ _ (H l)) as [_ F2].
  unfold norm_classes in En. destruct nu0 as [b|].
  - destruct (level_holds_least less cfg order Q _ _ (H l)) as (L1 & L2 & L3).
    destruct (least_f_star (level_at l tr)) as [f lv1]. cbn [fst snd] in *.
    destruct (less f b) eqn:L; [|now injection En].
    destruct (level_holds_classes_of less cfg Q _ _ L1) as (_ & C2 & _).
    destruct (classes_of lv1) as [qs0 lv']. cbn [fst] in C2. injection En as E0 _. subst qs0. rewrite L2 in C2. subst qs.
    destruct (least_is_attained _ _ _ _ _ L1 f L3) as [->|(x & Hx & <-)].
    + exfalso. destruct (greatest b) as [->|G].
      * now rewrite (at_most_refl less order) in L.
      * apply (less_is_asymmetric less order) in G. congruence.
    + destruct (F2 x Hx) as (q & y & Hq & F & B). exfalso.
      pose proof (choose_nothing _ _ _ _ _ q y Ec Hq F) as N. cbn in N.
      pose proof (at_most_trans less order b (f_star y) (best x) N B) as T. unfold at_most in T. congruence.
  - destruct (level_holds_classes_of less cfg Q _ _ (H l)) as (_ & C2 & _).
    destruct (classes_of (level_at l tr)) as [qs0 lv']. cbn [fst] in C2. injection En as E0 _. subst qs0 qs.
    destruct (H l) as [_ H2 _ _ _ _]. destruct (heaps (level_at l tr)) as [|[r q] hs]; [reflexivity|]. exfalso.
    destruct (H2 (r, q)) as [Hv Hne]; [now left|]. cbn [snd] in *.
    destruct (first Q q) as [x|] eqn:F; [|now apply first_of_none in F].
    pose proof (choose_nothing _ _ _ _ _ q x Ec (or_introl eq_refl) F) as N. discriminate.
Qed.

End Passes.
