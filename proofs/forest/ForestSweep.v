(** * One sweep of a forest: what each queue expands, and that every run ends. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order RunsTree Forest ForestNodes ForestClasses ForestSteps ForestLoops.
Import ListNotations.
Open Scope nat_scope.

Section ForestSweep.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).
Context (arrivals : forest V -> list (arrival V)) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation k := (half cfg).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation expand := (Forest.expand less cfg trees oracle later queue).
Local Notation visit_class := (Forest.visit_class less cfg trees oracle later queue).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation key := (key queue rank).
Local Notation classes := (Forest.classes queue rank).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation enter := (enter less cfg trees oracle later).
Local Notation round := (round less cfg trees oracle later arrivals queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation hunt := (Forest.hunt less cfg trees oracle later arrivals queue rank).
Local Notation limit := (Forest.limit cfg).
Local Notation sound := (sound cfg trees oracle).
Local Notation invariant := (invariant cfg trees oracle).
Local Notation frozen_ok := (frozen_ok queue rank).
Local Notation moves := (moves less cfg trees oracle later queue).
Local Notation steps := (steps less cfg trees oracle later arrivals queue).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).

Local Notation moves_induction := (moves_induction less cfg trees oracle later queue).
Local Notation visit_classes_induction := (visit_classes_induction less cfg trees oracle later queue rank).
Local Notation sweep_induction := (sweep_induction less cfg trees oracle later queue rank).

(** ** Facts about moves *)

Lemma made_grows lim s s' : invariant s -> moves lim s s' -> made s <= made s'.
Proof.
  intros Hi. revert s'. refine (moves_induction lim s _ Hi _ _ _); auto.
  intros x s1 _ Hin _ Hi1 H. rewrite expand_made; [lia|]. now apply (leaf_is_a_node cfg trees oracle s1).
Qed.

Lemma nu_is_kept lim s s' : invariant s -> moves lim s s' -> nu_mins s' = [] -> nu_mins s = [].
Proof.
  intros Hi. revert s'. refine (moves_induction lim s _ Hi _ _ _); auto.
  intros x s1 _ Hin _ Hi1 _ H. rewrite expand_nu in H; [discriminate|].
  now apply (leaf_is_a_node cfg trees oracle s1).
Qed.

Lemma log_grows lim s s' : invariant s -> moves lim s s' -> exists new, log s' = new ++ log s.
Proof.
  intros Hi. revert s'. refine (moves_induction lim s _ Hi _ _ _).
  - now exists [].
  - intros l s1 _ _ _ (new & E). exists (Visit l :: new). cbn. now rewrite E.
  - intros x s1 _ Hin _ Hi1 (new & E).
    destruct (expand_log less cfg trees oracle later queue x s1) as (new' & E' & _);
      [now apply (leaf_is_a_node cfg trees oracle s1)|].
    exists (new' ++ Expand (place x) (best x) :: new). rewrite E', E. now rewrite <- app_assoc.
Qed.

Lemma visit_keeps_other_depths l s x :
  exhausted s = false -> invariant s -> In x (leaves s) -> depth x <> l -> In x (leaves (visit l s)).
Proof.
  intros He Hi Hx Hd. unfold Forest.visit.
  apply (visit_classes_induction (fun _ s1 => In x (leaves s1)) l); auto.
  - intros [r ms] cs1 s1 Hn1 [_ Hm] H1. destruct (Hm r ms) as [Hne Hy]; [now left|].
    apply visit_class_keeps; auto; cbn [snd].
    + intros y H. now destruct (Hy y H).
    + intros H. destruct (Hy x H) as (_ & E & _). easy.
  - now apply begin_visit_invariant.
  - exact (frozen_ok_classes queue rank l (begin_visit l s)).
Qed.

(** ** The key lemma, in each queue *)

Section KeyLemma.
Hypothesis order : total_order less.

(** In the log [new], some leaf [x] of queue [u], of depth at most [b] and value [w], was expanded. *)
Definition expands (s : forest V) (new : list (event V)) (u b : nat) (x : leaf V) : Prop :=
  In (Expand (place x) (best x)) new /\ sound s x /\ queue x = u /\ depth x <= b.

Lemma expands_more s s' new new' u b b' x :
  roots s <= roots s' -> incl new new' -> b <= b' -> expands s new u b x -> expands s' new' u b' x.
Proof.
  intros Hr Hn Hb (H1 & H2 & H3 & H4). split; [auto|]. split; [now apply (sound_roots cfg trees oracle s)|].
  split; [exact H3|lia].
Qed.

(** Each nu_min is the value of a leaf of its queue expanded since the sweep began in [s0]. *)
Definition nu_is_a_value (s0 : forest V) (b : nat) (s : forest V) : Prop :=
  exists new, log s = new ++ log s0 /\
    forall u w, nu_min u (nu_mins s) = Some w -> exists x, expands s new u b x /\ best x = w.

Lemma nu_is_a_value_moves s0 b s s' :
  invariant s -> moves b s s' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b s'.
Proof.
  intros Hi H HI. revert s' H. refine (moves_induction b s _ Hi _ _ _); auto.
  - intros l s1 _ _ _ (new & E & Hw). exists (Visit l :: new). split; [cbn; now rewrite E|].
    intros u w Ew. destruct (Hw u w Ew) as (x & H1 & H2). exists x. split; [|exact H2].
    apply (expands_more s1 _ new _ u b); auto. apply incl_tl, incl_refl.
  - intros x s1 _ Hin Hd Hi1 (new & E & Hw).
    assert (Hp : place x <> []) by now apply (leaf_is_a_node cfg trees oracle s1).
    destruct (expand_log less cfg trees oracle later queue x s1 Hp) as (new' & E' & _).
    exists (new' ++ Expand (place x) (best x) :: new). split; [rewrite E', E; now rewrite <- app_assoc|].
    assert (Er : roots (expand x s1) = roots s1) by now apply expand_roots.
    intros u w. rewrite expand_nu by exact Hp. cbn [nu_min]. destruct (Nat.eqb_spec u (queue x)) as [->|N].
    + intros [= <-]. exists x. split; [|reflexivity]. split; [apply in_or_app; right; now left|]. split; [|auto].
      apply (sound_roots cfg trees oracle s1); [lia|]. apply (proj2 (nodes_are_sound _ _ _ s1 Hi1) x Hin).
    + intros Ew. destruct (Hw u w Ew) as (y & H1 & H2). exists y. split; [|exact H2].
      apply (expands_more s1 _ new _ u b); auto; [lia|]. apply incl_appr, incl_tl, incl_refl.
Qed.

Lemma nu_is_a_value_weaken s0 b b' s : b <= b' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b' s.
Proof.
  intros Hb (new & E & H). exists new. split; [exact E|]. intros u w Hw.
  destruct (H u w Hw) as (x & H1 & H2). exists x. split; [|exact H2].
  apply (expands_more s _ new _ u b); auto. apply incl_refl.
Qed.

(** Once the nu_min of a leaf's queue is at most the leaf's value, it stays so. *)
Lemma nu_falls u members s o w :
  members <> [] -> (forall x, In x members -> place x <> []) -> (forall x, In x members -> queue x = u) ->
  nu_min (queue o) (nu_mins s) = Some w -> at_most less w (best o) ->
  exists w', nu_min (queue o) (nu_mins (visit_class u members s)) = Some w' /\ at_most less w' (best o).
Proof.
  intros Hne Hp Hq Hw Hle.
  destruct (visit_class_cases less cfg trees oracle later queue u members s Hne)
    as [[-> _]|(a & Ha & Hx & Hb & _ & ->)]; [eauto|].
  rewrite expand_nu by auto. cbn [nu_min]. rewrite (Hq a Ha).
  destruct (Nat.eqb_spec (queue o) u) as [<-|N]; [|eauto]. exists (best a). split; [reflexivity|].
  rewrite Hw in Hb. cbn in Hb. apply (at_most_trans less order _ w); [|exact Hle]. now apply less_at_most.
Qed.

(** After its class has been worked through, the nu_min of a leaf's queue is at most the leaf's value. *)
Lemma nu_is_below_the_class l s o cs :
  invariant s -> frozen_ok l cs s -> (exists r ms, In (r, ms) cs /\ In o ms) ->
  let s' := visit_classes cs s in
  exhausted s' = true \/ exists w, nu_min (queue o) (nu_mins s') = Some w /\ at_most less w (best o).
Proof.
  intros Hi Hf Ho. cbv zeta.
  set (P := fun (cs : list ((nat * Z) * list (leaf V))) s' =>
    exhausted s' = true \/ (exists r ms, In (r, ms) cs /\ In o ms) \/
    (exists w, nu_min (queue o) (nu_mins s') = Some w /\ at_most less w (best o))).
  assert (HP : P [] (visit_classes cs s)).
  { apply (visit_classes_induction P l); auto; [|right; left; exact Ho].
    clear - order. intros [r ms] cs s Hi Hf HP. cbn [fst snd].
    destruct Hf as [_ Hm]. destruct (Hm r ms) as [Hne Hy]; [now left|].
    assert (Hq : forall x, In x ms -> queue x = fst r).
    { intros x Hx. destruct (Hy x Hx) as (_ & _ & <-). reflexivity. }
    assert (Hp : forall x, In x ms -> place x <> []).
    { intros x Hx. apply (leaf_is_a_node cfg trees oracle s); auto. now apply Hy. }
    destruct HP as [HP|[(r' & ms' & [[= <- <-]|Hin] & Ho)|(w & Hw & Hle)]].
    - left. destruct ms; cbn [Forest.visit_class]; [exact HP|]. now rewrite HP.
    - destruct (visit_class_cases less cfg trees oracle later queue (fst r) ms s Hne)
        as [[E [Hx|(w & Hw & Hle)]]|(a & Ha & Hx & Hb & Hle & E)].
      + left. now rewrite E.
      + right. right. exists w. rewrite E, (Hq o Ho). auto.
      + right. right. exists (best a). rewrite E, expand_nu by auto. cbn [nu_min].
        rewrite (Hq a Ha), (Hq o Ho), Nat.eqb_refl. auto.
    - right. left. eauto.
    - right. right. now apply (nu_falls (fst r) ms s o w). }
  destruct HP as [HP|[(r & ms & [] & _)|HP]]; auto.
Qed.

(** Claim [forest-queues].  In each queue: if o is a leaf at the start of a sweep, within the
    reach of the sweep, then the sweep expands some leaf x of o's queue, at most as deep as o and at most as large
    in value (unless the budget runs out first). *)
Theorem a_sweep_expands_in_each_queue s o :
  exhausted s = false -> invariant s -> In o (leaves s) -> depth o <= limit s ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In (Expand (place x) (best x)) new /\
    (place x <> [] /\ x = Forest.new_leaf cfg (place x) (best x) /\
       (tree_of (place x) < trees -> best x = value cfg oracle (place x))) /\
    queue x = queue o /\ depth x <= depth o /\ at_most less (best x) (best o).
Proof.
  intros He Hi Ho Hl.
  set (done := fun s1 => exists new x, log s1 = new ++ log s /\ expands s1 new (queue o) (depth o) x /\
    at_most less (best x) (best o)).
  set (P := fun l s1 => exhausted s1 = true \/
    ((l <= depth o -> In o (leaves s1) /\ nu_is_a_value s l s1) /\ (depth o < l -> done s1))).
  assert (HP : P (S (limit s)) (sweep s)).
  { apply (sweep_induction P s He Hi).
    - intros l s1 Hlim Hx Hn1 [HP|[HP1 HP2]]; [congruence|].
      pose proof (visit_moves less cfg trees oracle later queue rank l s1 Hx Hn1) as Hmv.
      destruct (lt_eq_lt_dec l (depth o)) as [[H|H]|H].
      + right. destruct HP1 as [H1 H2]; [lia|]. split; [|lia]. intros _. split.
        * apply visit_keeps_other_depths; auto. lia.
        * apply (nu_is_a_value_weaken s l); [lia|]. eapply nu_is_a_value_moves; eauto.
      + destruct HP1 as [H1 H2]; [lia|].
        destruct (nu_is_below_the_class l (begin_visit l s1) o (classes l (leaves s1))) as [E|(w & Hw & Hle)].
        * now apply begin_visit_invariant.
        * exact (frozen_ok_classes queue rank l (begin_visit l s1)).
        * destruct (every_leaf_is_in_its_class queue rank l (leaves s1) o H1) as (ms & H3 & H4); [auto|]. eauto.
        * left. exact E.
        * right. split; [lia|]. intros _.
          destruct (nu_is_a_value_moves s l s1 _ Hn1 Hmv H2) as (new & E & Hv).
          destruct (Hv _ w Hw) as (x & Hx1 & Hx2). exists new, x.
          split; [exact E|]. split; [|now rewrite Hx2].
          apply (expands_more (visit l s1) _ new _ (queue o) l); auto; [apply incl_refl|lia].
      + right. split; [lia|]. intros _. destruct HP2 as (new & x & E & H1 & H2); [exact H|].
        destruct (log_grows l s1 _ Hn1 Hmv) as (new' & E'). exists (new' ++ new), x.
        split; [rewrite E', E; apply app_assoc|]. split; [|exact H2].
        apply (expands_more s1 _ new _ (queue o) (depth o)); auto; [|apply incl_appr, incl_refl].
        clear - Hmv Hn1. revert Hmv. generalize (visit l s1).
        refine (moves_induction l s1 _ Hn1 _ _ _); auto.
        intros x s _ Hin _ Hi H. rewrite expand_roots; [exact H|]. now apply (leaf_is_a_node cfg trees oracle s).
    - intros l s1 Hx _. left. exact Hx.
    - right. split; [|lia]. intros _. split; [exact Ho|].
      exists [Sweep (limit s)]. split; [reflexivity|]. intros u w [=]. }
  destruct HP as [HP|[_ HP]]; [auto|]. right. destruct HP as (new & x & H1 & (H2 & (H3 & H4 & H5 & _) & H6 & H7) & H8); [lia|].
  exists new, x. repeat split; auto.
Qed.

End KeyLemma.

End ForestSweep.
