(** * What the program's data structures cost.

    A run makes at most two heap operations for each evaluation. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Steps Order RunsTree RunsBudget
  PriorityQueue Program ProgramNodes ProgramLevels ProgramTree ProgramVisits ProgramIsModel.

Section HeapOperations.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
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
      destruct (choose cfg Q qs (Some (f_star x)) (room - length (requests e))) as [[es' more] nu'] eqn:E.
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
  pushes (replace tr e) = pushes tr + length (snd e) /\ pops (replace tr e) = S (pops tr).
Proof.
  unfold replace. destruct e as [x xs]. cbn [fst snd].
  match goal with |- context [fold_left _ xs ?t] => set (tr0 := t) end.
  assert (A : forall ys (t0 : tree V less Q), pushes (fold_left (add (Q := Q)) ys t0) = pushes t0 + length ys /\
    pops (fold_left (add (Q := Q)) ys t0) = pops t0).
  { induction ys as [|y ys IH]; intros t0; cbn [fold_left length]; [lia|].
    destruct (IH (add t0 y)) as [-> ->]. cbn. lia. }
  destruct (A xs tr0) as [-> ->]. cbn. lia.
Qed.

Lemma replace_all_costs es : forall (tr : tree V less Q), (forall e, In e es -> length (snd e) = Kk) ->
  pushes (fold_left (replace (Q := Q)) es tr) = pushes tr + Kk * length es /\
  pops (fold_left (replace (Q := Q)) es tr) = pops tr + length es.
Proof.
  induction es as [|e es IH]; intros tr H; cbn [fold_left length]; [lia|].
  destruct (IH (replace tr e) (fun e He => H e (or_intror He))) as [-> ->].
  destruct (replace_costs tr e) as [-> ->]. rewrite (H e) by now left. lia.
Qed.

Lemma norm_classes_costs l bound (tr : tree V less Q) :
  pushes (snd (norm_classes l bound tr)) = pushes tr /\ pops (snd (norm_classes l bound tr)) = pops tr.
Proof.
  unfold norm_classes. destruct (least_f_star (level_at l tr)) as [f lv].
  destruct (match bound with None => true | Some b => less f b end); [destruct (classes_of lv)|]; now split.
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
  destruct (replace_all_costs _ tr Hk) as [R1 R2].
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
