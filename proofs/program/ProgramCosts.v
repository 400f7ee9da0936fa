(** * What the program's data structures cost.

    A run makes at most two heap operations for each evaluation; in a leftist heap each takes at most a logarithmic
    number of comparisons (PriorityQueue.v).  The heaps of a depth are listed anew, for line 4, at most twice for
    each visit that expands a leaf, and once more; a visit that expands no leaf is given no heap. *)

From Coq Require Import List ZArith Bool Arith Lia Permutation.
From EmbeddedHunter Require Import Lattice Model Classes Nodes Steps Order RunsTree RunsBudget
  PriorityQueue Program ProgramNodes ProgramLevels ProgramTree ProgramVisits ProgramIsModel.
Import ListNotations.
Open Scope nat_scope.

Section HeapOperations.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Variable Q : priority_queue (before less).

Local Notation k := (half cfg).
Local Notation Kk := (K (half cfg)).
Local Notation requests := (requests cfg).

Lemma length_children_of_entry (x : entry V) : length (Program.children cfg x) = Kk.
Proof. unfold Program.children. now rewrite map_length, seq_length. Qed.

(** All children but the center child are evaluated. *)
Lemma requests_are_many (x : entry V) : Kk - 1 <= length (requests (x, Program.children cfg x)) <= Kk.
Proof.
  unfold Program.requests. cbn [snd]. rewrite map_length. split.
  - unfold Program.children. set (make := fun digit => _).
    assert (A : forall a, a <> k -> may_be_evaluated cfg (make a) = true).
    { intros a N. unfold may_be_evaluated, make. cbn [past]. rewrite (proj2 (Nat.eqb_neq a k) N). reflexivity. }
    replace (seq 0 Kk) with (seq 0 k ++ k :: seq (S k) k)
      by (unfold K; replace (2 * k + 1) with (k + S k) by lia; rewrite seq_app; reflexivity).
    rewrite map_app, filter_app, app_length. cbn [map filter].
    assert (B : forall l, (forall a, In a l -> a <> k) ->
      length (filter (may_be_evaluated cfg) (map make l)) = length l).
    { induction l as [|a l IH]; intros H; [reflexivity|]. cbn [map filter].
      rewrite (A a) by (apply H; now left). cbn [length]. rewrite IH; [reflexivity|]. intros b Hb. apply H. now right. }
    rewrite B by (intros a Ha%in_seq; lia). rewrite seq_length.
    destruct (may_be_evaluated cfg (make k)); cbn [length]; rewrite B by (intros a Ha%in_seq; lia);
      rewrite seq_length; unfold K; lia.
  - rewrite <- (length_children_of_entry x). generalize (Program.children cfg x). intros l.
    induction l as [|y l IH]; [reflexivity|]. cbn. destruct (may_be_evaluated cfg y); cbn; lia.
Qed.

(** What a visit chooses: expansions of first leaves, all their requests, and no more than needed. *)
Lemma choose_costs qs : forall nu0 room es wanted nu1, choose cfg Q qs nu0 room = (es, wanted, nu1) ->
  wanted = flat_map requests es /\
  (forall e, In e es -> snd e = Program.children cfg (fst e) /\ exists q, In q qs /\ first Q q = Some (fst e)) /\
  length (flat_map requests (removelast es)) <= room.
Proof.
  induction qs as [|q qs IH]; intros nu0 room es wanted nu1; cbn [choose].
  - intros [= <- <- <-]. split; [reflexivity|]. split; [easy|cbn; lia].
  - assert (skip : choose cfg Q qs nu0 room = (es, wanted, nu1) ->
      wanted = flat_map requests es /\
      (forall e, In e es -> snd e = Program.children cfg (fst e) /\ exists q0, In q0 (q :: qs) /\ first Q q0 = Some (fst e)) /\
      length (flat_map requests (removelast es)) <= room).
    { intros E. destruct (IH _ _ _ _ _ E) as (H1 & H2 & H3). split; [exact H1|]. split; [|exact H3].
      intros e He. destruct (H2 e He) as (A & q' & B & C). split; [exact A|]. exists q'. split; [now right|exact C]. }
    destruct (first Q q) as [x|] eqn:F; [|exact skip].
    match goal with |- (if ?b then _ else _) = _ -> _ => destruct b end; [|exact skip].
    set (e := (x, Program.children cfg x)).
    destruct (room <=? length (requests e)) eqn:L.
    + intros [= <- <- <-]. cbn [flat_map removelast]. rewrite app_nil_r. split; [reflexivity|].
      split; [|cbn; lia]. intros e' [<-|[]]. split; [reflexivity|]. exists q. split; [now left|exact F].
    + apply Nat.leb_gt in L.
      destruct (choose cfg Q qs (f_star x) (room - length (requests e))) as [[es' more] nu'] eqn:E.
      intros [= <- <- <-]. destruct (IH _ _ _ _ _ E) as (H1 & H2 & H3).
      split; [cbn [flat_map]; now rewrite <- H1|]. split.
      * intros e' [<-|He]; [split; [reflexivity|]; exists q; split; [now left|exact F]|].
        destruct (H2 e' He) as (A & q' & B & C). split; [exact A|]. exists q'. split; [now right|exact C].
      * destruct es' as [|e' es']; [cbn; lia|].
        change (removelast (e :: e' :: es')) with (e :: removelast (e' :: es')).
        cbn [flat_map]. rewrite app_length. lia.
Qed.

Lemma many_requests (es : list (expansion V)) :
  (forall e, In e es -> snd e = Program.children cfg (fst e)) ->
  (Kk - 1) * length es <= length (flat_map requests es).
Proof.
  induction es as [|[x xs] es IH]; intros H; [cbn; lia|]. cbn [length flat_map]. rewrite app_length.
  pose proof (H (x, xs) (or_introl eq_refl)) as E. cbn [fst snd] in E. subst xs.
  pose proof (requests_are_many x) as [R _].
  specialize (IH (fun e He => H e (or_intror He))). rewrite Nat.mul_succ_r. lia.
Qed.

Lemma length_record es vs : length (record less cfg es vs) = length es.
Proof.
  revert vs; induction es as [|[x xs] es IH]; intros vs; [reflexivity|]. cbn [record].
  destruct (take_values less cfg xs vs). cbn. now rewrite IH.
Qed.

Lemma length_take_values xs vs : length (fst (take_values less cfg xs vs)) = length xs.
Proof.
  revert vs; induction xs as [|x xs IH]; intros vs; [reflexivity|]. cbn [take_values].
  destruct (may_be_evaluated cfg x).
  - destruct vs as [|v vs]; [reflexivity|]. specialize (IH vs).
    destruct (take_values less cfg xs vs). cbn in *. now rewrite IH.
  - specialize (IH vs). destruct (take_values less cfg xs vs). cbn in *. now rewrite IH.
Qed.

Lemma record_children es vs e : (forall e, In e es -> length (snd e) = Kk) ->
  In e (record less cfg es vs) -> length (snd e) = Kk /\ exists e', In e' es /\ fst e' = fst e.
Proof.
  revert vs; induction es as [|[x xs] es IH]; intros vs H He; [easy|]. cbn [record] in He.
  pose proof (length_take_values xs vs) as L. destruct (take_values less cfg xs vs) as [xs' ws].
  destruct He as [<-|He].
  - cbn [fst snd] in *. split; [rewrite L; apply (H (x, xs)); now left|]. exists (x, xs). split; [now left|reflexivity].
  - destruct (IH ws (fun e He => H e (or_intror He)) He) as (A & e' & B & C).
    split; [exact A|]. exists e'. split; [now right|exact C].
Qed.

Lemma replace_costs (tr : tree V less Q) e :
  pushes (replace tr e) = pushes tr + length (snd e) /\ pops (replace tr e) = S (pops tr) /\
  snapshots (replace tr e) = snapshots tr.
Proof.
  unfold replace. destruct e as [x xs]. cbn [fst snd].
  match goal with |- context [fold_left _ xs ?t] => set (tr0 := t) end.
  assert (A : forall ys (t0 : tree V less Q), pushes (fold_left (add (Q := Q)) ys t0) = pushes t0 + length ys /\
    pops (fold_left (add (Q := Q)) ys t0) = pops t0 /\ snapshots (fold_left (add (Q := Q)) ys t0) = snapshots t0).
  { induction ys as [|y ys IH]; intros t0; cbn [fold_left length]; [lia|].
    destruct (IH (add t0 y)) as (-> & -> & ->). cbn. lia. }
  destruct (A xs tr0) as (-> & -> & ->). cbn. lia.
Qed.

Lemma replace_all_costs es : forall (tr : tree V less Q), (forall e, In e es -> length (snd e) = Kk) ->
  pushes (fold_left (replace (Q := Q)) es tr) = pushes tr + Kk * length es /\
  pops (fold_left (replace (Q := Q)) es tr) = pops tr + length es /\
  snapshots (fold_left (replace (Q := Q)) es tr) = snapshots tr.
Proof.
  induction es as [|e es IH]; intros tr H; cbn [fold_left length]; [lia|].
  destruct (IH (replace tr e) (fun e He => H e (or_intror He))) as (-> & -> & ->).
  destruct (replace_costs tr e) as (-> & -> & ->). rewrite (H e) by now left. lia.
Qed.

Lemma norm_classes_costs l bound (tr : tree V less Q) :
  pushes (snd (norm_classes l bound tr)) = pushes tr /\ pops (snd (norm_classes l bound tr)) = pops tr.
Proof.
  unfold norm_classes. destruct (classes_of (level_at l tr)) as [qs lv]. destruct bound as [b|].
  - destruct (lt less (least (level_at l tr)) (Some b)); [|now split].
    destruct (lt less (least lv) (Some b)); now split.
  - now split.
Qed.

(** One push for the root and K for each pop; K - 1 evaluations at least for each pop. *)
Definition costs_ok (p : variables V less Q) : Prop :=
  pushes (leaves_of p) = 1 + Kk * pops (leaves_of p) /\
  1 + (Kk - 1) * pops (leaves_of p) + left p <= budget cfg.

Lemma costs_of_a_visit l p : costs_ok p -> costs_ok (visit_depth less oracle cfg Q l p).
Proof.
  intros [H1 H2]. unfold visit_depth.
  pose proof (norm_classes_costs l (nu p) (leaves_of p)) as N.
  destruct (norm_classes l (nu p) (leaves_of p)) as [qs tr]. cbn [snd] in N. destruct N as [N1 N2].
  destruct (choose cfg Q qs (nu p) (left p)) as [[es wanted] nu1] eqn:E.
  destruct (choose_costs _ _ _ _ _ _ E) as (C1 & C2 & C3).
  set (asked := firstn (left p) wanted). set (vs := map (reply oracle cfg) asked).
  set (n := if left p <? length wanted then length es - 1 else length es).
  assert (Hk : forall e, In e (firstn n (record less cfg es vs)) -> length (snd e) = Kk).
  { intros e He. apply (record_children es vs).
    - intros e' He'. destruct (C2 e' He') as [-> _]. apply length_children_of_entry.
    - rewrite <- (firstn_skipn n). apply in_or_app. now left. }
  destruct (replace_all_costs _ tr Hk) as (R1 & R2 & _).
  rewrite firstn_length, length_record in R1, R2.
  assert (Hlen : (Kk - 1) * Nat.min n (length es) <= length asked).
  { unfold asked. rewrite firstn_length. unfold n. destruct (left p <? length wanted) eqn:Ec.
    - apply Nat.ltb_lt in Ec. rewrite Nat.min_l by lia. rewrite (Nat.min_l (left p)) by lia.
      assert (M : (Kk - 1) * length (removelast es) <= length (flat_map requests (removelast es))).
      { apply many_requests. intros e He. apply C2.
        destruct es as [|e0 es']; [exact He|]. rewrite (app_removelast_last e0) by easy.
        apply in_or_app. now left. }
      replace (length es - 1) with (length (removelast es)); [lia|].
      destruct es as [|e0 es']; [reflexivity|].
      pose proof (f_equal (@length _) (app_removelast_last (l := e0 :: es') e0 ltac:(easy))) as L.
      rewrite app_length in L. cbn [length] in *. lia.
    - apply Nat.ltb_ge in Ec. rewrite Nat.min_id, (Nat.min_r (left p)) by lia. rewrite C1.
      apply many_requests. intros e He. now apply C2. }
  assert (Hleft : length asked <= left p) by (unfold asked; rewrite firstn_length; lia).
  set (m := Nat.min n (length es)) in *.
  unfold costs_ok. cbn [leaves_of left].
  destruct asked as [|r rs] eqn:Ea.
  - rewrite N1, N2. cbn [length]. split; [exact H1|lia].
  - rewrite R1, R2, N1, N2. split; [rewrite H1; lia|]. rewrite Nat.mul_add_distr_l. lia.
Qed.

Lemma costs_of_visits n : forall l p, costs_ok p -> costs_ok (visit_depths less oracle cfg Q n l p).
Proof.
  induction n as [|n IH]; intros l p H; [exact H|]. cbn [visit_depths].
  pose proof (costs_of_a_visit l p H) as H1.
  destruct (left (visit_depth less oracle cfg Q l p) =? 0); [exact H1|now apply IH].
Qed.

Lemma costs_of_sweeps n : forall p, costs_ok p -> costs_ok (sweep_while less oracle cfg Q n p).
Proof.
  induction n as [|n IH]; intros p H; [exact H|]. cbn [sweep_while].
  destruct ((0 <? left p) && expanded p); [|exact H]. apply IH. apply costs_of_visits. exact H.
Qed.

Lemma costs_of_the_run : 1 <= budget cfg -> costs_ok (run less oracle cfg Q).
Proof. intros Hv. apply costs_of_sweeps. split; cbn [leaves_of begin add pushes pops left]; lia. Qed.

(** Claim [heaps-change-nothing].  A run pushes the root and, for each leaf that it pops, K children; each pop has its K - 1 or K evaluations.  So it
    makes at most two heap operations for each evaluation, and with v evaluations at most 2 v - 1. *)
Theorem a_run_makes_at_most_two_heap_operations_per_evaluation : 1 <= k -> 1 <= budget cfg ->
  let tr := leaves_of (run less oracle cfg Q) in
  let evaluations := budget cfg - left (run less oracle cfg Q) in
  pushes tr = 1 + Kk * pops tr /\ 1 + (Kk - 1) * pops tr <= evaluations /\
  pushes tr + pops tr + 1 <= 2 * evaluations.
Proof.
  intros Hk Hv. cbv zeta. destruct (costs_of_the_run Hv) as [H1 H2].
  set (n := pops (leaves_of (run less oracle cfg Q))) in *. split; [exact H1|].
  split; [lia|]. rewrite H1. unfold K in *.
  replace (2 * half cfg + 1 - 1) with (2 * half cfg) in H2 by lia.
  assert (n <= half cfg * n) by nia. nia.
Qed.

End HeapOperations.

(** ** The lists of heaps *)

Section Snapshots.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Variable Q : priority_queue (before less).
Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.

Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation tree_holds := (tree_holds less cfg Q).
Local Notation visit_depth := (visit_depth less oracle cfg Q).
Local Notation visit := (visit less oracle cfg).

(** A level without its list counts 1. *)
Definition stale (lv : level V less Q) : nat := match snapshot lv with None => 1 | Some _ => 0 end.

Fixpoint stale_levels (ls : list (level V less Q)) : nat :=
  match ls with [] => 0 | lv :: rest => stale lv + stale_levels rest end.

(** 1 if the level can still become stale. *)
Definition fresh (h : nat) (ls : list (level V less Q)) : nat :=
  if h <? length ls then 1 - stale (nth h ls (empty_level Q)) else 1.

Lemma stale_at_most_1 lv : stale lv <= 1.
Proof. unfold stale. destruct (snapshot lv); lia. Qed.

Lemma stale_levels_set h lv ls : h < length ls ->
  stale_levels (set_level h lv ls) + stale (nth h ls (empty_level Q)) = stale_levels ls + stale lv.
Proof.
  revert ls; induction h as [|h IH]; intros [|l0 ls] H; cbn in H; try lia; cbn [set_level stale_levels nth]; [lia|].
  specialize (IH ls ltac:(lia)). lia.
Qed.

Lemma stale_levels_new lv ls :
  stale_levels (set_level (length ls) lv ls) = stale_levels ls + stale lv.
Proof. induction ls as [|l0 ls IH]; cbn [length set_level stale_levels]; [cbn; lia|]. rewrite IH. lia. Qed.

Lemma make_stale h lv ls : h <= length ls -> stale lv = 1 ->
  stale_levels (set_level h lv ls) + fresh h (set_level h lv ls) = stale_levels ls + fresh h ls /\
  forall h', h' <> h -> fresh h' (set_level h lv ls) = fresh h' ls.
Proof.
  intros H E. split.
  - unfold fresh. rewrite length_set_level, nth_set_level, Nat.eqb_refl, E.
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
  destruct (make_stale (S l) (add_to_level x (level_at (S l) tr)) (levels tr) ltac:(lia) eq_refl) as [A B].
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
          (pred (leaf_count tr)) (pushes tr) (S (pops tr)) (snapshots tr)).
  assert (A : potential l tr0 = potential l tr /\ l < length (levels tr0)).
  { unfold potential, tr0. cbn [levels]. rewrite E1.
    destruct (make_stale l (remove_least (nrm_of (fst e)) (level_at l tr)) (levels tr) ltac:(lia) eq_refl) as [A B].
    rewrite (B (S l)) by lia. split; [lia|]. rewrite length_set_level. lia. }
  destruct A as [A1 A2]. destruct (potential_add_all l (snd e) tr0 A2 E2) as [B1 B2].
  change (replace tr e) with (fold_left (add (Q := Q)) (snd e) tr0).
  rewrite IH; [congruence|exact B2|]. intros e' He'. apply E. now right.
Qed.

(** Each list that is made makes a level less stale. *)
Lemma snapshots_of_norm_classes l bound (tr : tree V less Q) : l < length (levels tr) ->
  let tr' := snd (norm_classes l bound tr) in
  snapshots tr' + stale_levels (levels tr') = snapshots tr + stale_levels (levels tr).
Proof.
  intros H. cbv zeta. unfold norm_classes, classes_of, level_at.
  set (lv := nth l (levels tr) (empty_level Q)).
  pose proof (fun lv' => stale_levels_set l lv' (levels tr) H) as S. fold lv in S.
  destruct (snapshot lv) as [qs|] eqn:E.
  - pose proof (S lv) as S0.
    destruct bound as [b|]; [destruct (lt less (least lv) (Some b))|]; cbn [snd snapshots levels]; lia.
  - assert (E0 : stale lv = 1) by (unfold stale; now rewrite E).
    set (lv' := Level Q (heaps lv) (Some (map snd (heaps lv))) _). pose proof (S lv') as S0.
    assert (E1 : stale lv' = 0) by reflexivity.
    destruct bound as [b|]; [destruct (lt less (least lv) (Some b)); [destruct (lt less (least lv') (Some b))|]|];
      cbn [snd snapshots levels]; lia.
Qed.

(** The first leaves of the heaps of a depth have this depth. *)
Lemma firsts_have_the_depth (tr : tree V less Q) xs l q x : tree_holds tr xs ->
  In q (map snd (heaps (level_at l tr))) -> first Q q = Some x -> h_of x = l.
Proof.
  intros [H _] Hq F. destruct (H l) as [H1 H2 H3 _ _]. apply in_map_iff in Hq.
  destruct Hq as ([r q'] & E & Hq). cbn [snd] in E. subst q'. destruct (H2 _ Hq) as [Hv _]. cbn [snd] in Hv.
  assert (Hx : In x (contents Q q)) by (apply (Permutation_in _ (Permutation_sym (pop_removes_first _ Q _ _ Hv F))); now left).
  rewrite <- (found_in (contents Q) _ _ _ H1 Hq) in Hx. apply (Permutation_in _ (H3 r)), in_map_iff in Hx.
  destruct Hx as (y & <- & Hy). apply filter_In in Hy. destruct Hy as [Hy _]. apply filter_In in Hy.
  now apply Nat.eqb_eq.
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

Definition lists_ok (p : variables V less Q) : Prop :=
  snapshots (leaves_of p) + stale_levels (levels (leaves_of p)) <= 1 + 2 * expanding p /\
  expanding p <= pops (leaves_of p) + (if left p =? 0 then 1 else 0).

Lemma lists_of_a_visit l p s : same_state less cfg Q p s -> l < length (levels (leaves_of p)) -> left p <> 0 ->
  lists_ok p -> lists_ok (visit_depth l p).
Proof.
  intros H Hl Hleft [L1 L2]. rewrite (proj2 (Nat.eqb_neq _ 0) Hleft), Nat.add_0_r in L2.
  unfold Program.visit_depth.
  pose proof (norm_classes_costs less Q l (nu p) (leaves_of p)) as N.
  pose proof (snapshots_of_norm_classes l (nu p) (leaves_of p) Hl) as N3. cbv zeta in N3.
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
  destruct (replace_all_costs less cfg Q _ tr Hk) as (_ & R2 & R3).
  rewrite firstn_length, length_record in R2.
  pose proof (potential_replace_all l _ tr ltac:(lia) Hrec) as P.
  unfold lists_ok. cbn [leaves_of expanding left].
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

Lemma lists_of_visits n : forall l p s,
  reached s -> exhausted s = false -> n + l <= S (h_max cfg) -> n + l <= length (levels (leaves_of p)) ->
  same_state less cfg Q p s -> expanded_is_right less Q p -> lists_ok p ->
  lists_ok (visit_depths less oracle cfg Q n l p).
Proof.
  induction n as [|n IH]; intros l p s Hr Hx Hl Hlen H He HL; [exact HL|]. cbn [visit_depths].
  destruct (visit_depth_is_visit less oracle cfg Q order k_pos d_pos l p s Hr Hx ltac:(lia) ltac:(lia) H He) as (H1 & H2 & H3).
  assert (Hleft : left p <> 0).
  { pose proof (left_is_exhausted less cfg Q p s H) as E. rewrite Hx in E. now apply Nat.eqb_neq. }
  pose proof (lists_of_a_visit l p s H ltac:(lia) Hleft HL) as HL1.
  pose proof (left_is_exhausted less cfg Q _ _ H1) as E. rewrite E.
  destruct (exhausted (visit l s)) eqn:Ex; [exact HL1|].
  apply (IH (S l) _ (visit l s)); auto; try lia.
  eapply reached_steps; [exact Hr|]. apply (moves_steps less oracle cfg l); [lia|].
  apply visit_moves; [exact Hx|]. now apply reached_leaves_are_nodes.
Qed.

Lemma lists_of_sweeps n : forall p s, reached s -> same_state less cfg Q p s -> expanded p = true -> lists_ok p ->
  lists_ok (sweep_while less oracle cfg Q n p).
Proof.
  induction n as [|n IH]; intros p s Hr H He HL; [exact HL|]. cbn [sweep_while].
  rewrite He, andb_true_r. replace (0 <? left p) with (negb (exhausted s))
    by (rewrite <- (left_is_exhausted less cfg Q _ _ H); destruct (left p); reflexivity).
  destruct (exhausted s) eqn:Ex; [exact HL|]. cbn [negb].
  destruct (one_sweep_is_sweep less oracle cfg Q order k_pos d_pos p s Hr Ex H) as [H1 H2].
  assert (HL1 : lists_ok (one_sweep less oracle cfg Q p)).
  { unfold one_sweep.
    assert (E : Nat.min (depth_of (leaves_of p)) (h_max cfg) = limit cfg s).
    { unfold depth_of, limit. now rewrite (same_depth _ _ _ _ _ H). }
    rewrite E. apply (lists_of_visits _ 0 _ (begin_sweep cfg s)).
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

(** Claim [heaps-change-nothing]. Over a run the heaps of a depth are listed anew at most 1 + 2 e times, e the number of visits that expand a leaf; and e
    is at most the number of pops and one more. *)
Theorem a_run_lists_heaps_at_most_twice_per_visit_that_expands :
  let p := run less oracle cfg Q in
  snapshots (leaves_of p) <= 1 + 2 * expanding p /\ expanding p <= 1 + pops (leaves_of p).
Proof.
  cbv zeta. assert (H : lists_ok (run less oracle cfg Q)).
  { apply (lists_of_sweeps _ _ (start oracle cfg)).
    - apply steps_none.
    - now apply begin_is_start.
    - reflexivity.
    - split; cbn; lia. }
  destruct H as [H1 H2]. split; [lia|]. destruct (left _ =? 0); lia.
Qed.

(** ** Visits that expand nothing *)

Lemma choose_nothing qs nu0 room wanted nu1 q x : choose cfg Q qs nu0 room = ([], wanted, nu1) ->
  In q qs -> first Q q = Some x -> match nu0 with None => true | Some _ => lt less (f_star x) nu0 end = false.
Proof.
  induction qs as [|q0 qs IH]; [easy|]. cbn [choose]. intros E Hq F.
  destruct (first Q q0) as [y|] eqn:F0.
  - destruct (match nu0 with None => true | Some _ => lt less (f_star y) nu0 end) eqn:B.
    + match type of E with (if ?b then _ else _) = _ => destruct b end; [discriminate|].
      destruct (choose cfg Q qs (f_star y) _) as [[es more] nu']. discriminate.
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
  destruct H as [H _]. destruct (level_holds_classes_of less cfg order Q _ _ (H l)) as (_ & C2 & _ & _ & C5).
  unfold norm_classes in En. destruct (classes_of (level_at l tr)) as [qs0 lv'] eqn:El. cbn [fst snd] in *.
  destruct nu0 as [b|].
  - destruct (lt less (least (level_at l tr)) (Some b)); [|now injection En].
    destruct (lt less (least lv') (Some b)) eqn:L; [|now injection En].
    injection En as E0 _. subst qs0. destruct (C5 (Some b) L) as (q & x & Hq & F & B).
    pose proof (choose_nothing _ _ _ _ _ q x Ec Hq F) as N. cbn in N. congruence.
  - injection En as E0 _. subst qs0. destruct qs as [|q qs]; [reflexivity|]. exfalso.
    destruct (H l) as [_ H2 _ _ _]. destruct (heaps (level_at l tr)) as [|[r q'] hs]; [discriminate|].
    injection C2 as -> ->. destruct (H2 (r, q')) as [Hv Hne]; [now left|]. cbn [snd] in *.
    destruct (first Q q') as [x|] eqn:F; [|now apply first_of_none in F].
    pose proof (choose_nothing _ _ _ _ _ q' x Ec (or_introl eq_refl) F) as N. discriminate.
Qed.

End Snapshots.
