(** * The loops of a search consist of steps.

    Whatever the steps preserve holds for every state of every run. *)

From EmbeddedHunter Require Import Lists SearchClasses Search.

Section Relations.

Context {A : search}.

Lemma steps_one s s' : step s s' -> steps s s'.
Proof. intros H. eapply steps_more; [apply steps_none|exact H]. Qed.

Lemma steps_trans s s1 s2 : steps s s1 -> steps s1 s2 -> steps s s2.
Proof.
  intros H H2. revert H. induction H2 as [|s1 s2 s3 _ IH Hst]; intros H; [exact H|].
  exact (steps_more _ _ _ (IH H) Hst).
Qed.

Lemma moves_one lim s s' : move lim s s' -> moves lim s s'.
Proof. intros H. eapply moves_more; [apply moves_none|exact H]. Qed.

Lemma moves_trans lim s s1 s2 : moves lim s s1 -> moves lim s1 s2 -> moves lim s s2.
Proof.
  intros H H2. revert H. induction H2 as [|s1 s2 s3 _ IH Hst]; intros H; [exact H|].
  exact (moves_more _ _ _ _ (IH H) Hst).
Qed.

Lemma moves_weaken lim lim' s s' : lim <= lim' -> moves lim s s' -> moves lim' s s'.
Proof.
  intros Hl H. induction H as [|s s1 s2 _ IH Hst]; [apply moves_none|].
  eapply moves_more; [exact IH|]. destruct Hst; [apply move_visit|apply move_expand]; auto; lia.
Qed.

Lemma moves_steps lim s s' : lim <= h_max -> moves lim s s' -> steps s s'.
Proof.
  intros Hl H. induction H as [|s s1 s2 _ IH Hst]; [apply steps_none|].
  eapply steps_more; [exact IH|]. destruct Hst; [apply step_visit|apply step_expand]; auto; lia.
Qed.

Lemma exhausted_same (s s' : state) : made s' = made s -> exhausted s' = exhausted s.
Proof. unfold exhausted. now intros ->. Qed.

End Relations.

Section Loops.

Context {A : search} {holds : state -> Prop} (L : lawful A holds).

(** ** What steps preserve *)

Lemma step_holds s s' : step s s' -> holds s -> holds s'.
Proof.
  intros Hs Hi. destruct Hs.
  - now apply (holds_sweep _ L).
  - now apply (holds_visit _ L).
  - now apply (holds_expand _ L).
  - now apply (holds_outside _ L s).
Qed.

Lemma steps_hold s s' : steps s s' -> holds s -> holds s'.
Proof. intros Hs Hi. induction Hs as [|s s1 s2 _ IH Hst]; [exact Hi|]. exact (step_holds _ _ Hst (IH Hi)). Qed.

Lemma moves_hold lim s s' : moves lim s s' -> holds s -> holds s'.
Proof.
  intros Hs Hi. induction Hs as [|s s1 s2 _ IH Hst]; [exact Hi|]. specialize (IH Hi).
  destruct Hst; [now apply (holds_visit _ L)|now apply (holds_expand _ L)].
Qed.

Lemma moves_induction lim (s0 : state) (P : state -> Prop) :
  holds s0 -> P s0 ->
  (forall l s, exhausted s = false -> l <= lim -> holds s -> P s -> P (begin_visit l s)) ->
  (forall x s, exhausted s = false -> In x (leaves s) -> depth x <= lim -> ranges s x = true -> allowed s x ->
     holds s -> P s -> P (expand x s)) ->
  forall s, moves lim s0 s -> P s.
Proof.
  intros Hi H0 H1 H2 s Hs. induction Hs as [|s s1 s2 Hs IH Hst]; [easy|]. specialize (IH Hi H0).
  pose proof (moves_hold _ _ _ Hs Hi). destruct Hst; auto.
Qed.

Lemma steps_induction (s0 : state) (P : state -> Prop) :
  holds s0 -> P s0 -> (forall s s', steps s0 s -> holds s -> P s -> step s s' -> P s') -> forall s, steps s0 s -> P s.
Proof.
  intros Hi H0 H1 s Hs. induction Hs as [|s s1 s2 Hs IH Hst]; [easy|].
  apply (H1 s1); auto. exact (steps_hold _ _ Hs Hi).
Qed.

(** ** The classes of a visit *)

(** What the classes of a visit of depth [l] may rely on: their members are still leaves. *)
Definition frozen_ok (l : nat) (cs : list (class * list leaf)) (s : state) : Prop :=
  StronglySorted (before earlier) cs /\
  forall r ms, In (r, ms) cs ->
    ms <> [] /\ forall x, In x ms -> In x (leaves s) /\ depth x = l /\ ranges s x = true /\ class_of x = r.

Lemma frozen_ok_classes l s : frozen_ok l (classes l s) (begin_visit l s).
Proof.
  pose proof (classes_ordered _ L) as O. split; [now apply classes_sorted|]. intros r ms H.
  rewrite (leaves_visit _ L), (ranges_visit _ L). now apply (classes_hold_only_their_leaves _ _ _ _ _ O).
Qed.

Lemma visit_class_cases u members s :
  holds s -> members <> [] -> (forall x, In x members -> In x (leaves s) /\ queue_of_leaf x = u) ->
  visit_class u members s = s /\
    (exhausted s = true \/ exists w, nu u s = Some w /\
       forall order : ordered A, forall x, In x members -> at_most w (best x)) \/
  exists a, (forall x rest, members = x :: rest -> a = least x rest) /\ In a members /\ exhausted s = false /\
    below (best a) (nu u s) = true /\ (forall order : ordered A, forall x, In x members -> at_most (best a) (best x)) /\
    allowed s a /\ visit_class u members s = expand a s.
Proof.
  intros Hi Hne Hm. destruct members as [|x rest]; [easy|]. cbn [visit_class].
  destruct (exhausted s) eqn:Ex; [left; auto|].
  pose proof (least_in _ L x rest) as Hin. destruct (Hm _ Hin) as [Hin' Hq].
  destruct (below (best (least x rest)) (nu u s)) eqn:B.
  - right. exists (least x rest). split; [now intros y r [= -> ->]|].
    repeat split; auto; [intros order y Hy; now apply (least_at_most order)|].
    apply (expansion_allowed _ L); auto. now rewrite Hq.
  - left. split; [reflexivity|]. right. unfold below in B. destruct (nu u s) as [w|]; [|discriminate].
    exists w. split; [reflexivity|]. intros order y Hy.
    apply (at_most_trans order _ (best (least x rest))); [exact B|]. now apply (least_at_most order).
Qed.

Lemma expand_keeps x s y : holds s -> exhausted s = false -> In x (leaves s) -> In y (leaves s) -> y <> x ->
  In y (leaves (expand x s)).
Proof.
  intros Hi Hx Hin Hy Hne.
  destruct (leaves_expand _ L x s Hi Hx Hin) as [[-> _]|(l1 & ch & l2 & E & -> & _)]; [exact Hy|].
  rewrite E in Hy. rewrite !in_app_iff in *. cbn in Hy. destruct Hy as [Hy|[Hy|Hy]]; auto. congruence.
Qed.

Lemma visit_class_keeps u members s x :
  members <> [] -> holds s -> (forall y, In y members -> In y (leaves s) /\ queue_of_leaf y = u) ->
  In x (leaves s) -> ~ In x members -> In x (leaves (visit_class u members s)).
Proof.
  intros Hne Hi Hm Hx Hn.
  destruct (visit_class_cases u members s Hi Hne Hm) as [[-> _]|(a & _ & Ha & Hex & _ & _ & _ & ->)]; [exact Hx|].
  apply expand_keeps; auto; [now apply Hm|]. congruence.
Qed.

Lemma visit_class_ranges u members s :
  holds s -> members <> [] -> (forall y, In y members -> In y (leaves s) /\ queue_of_leaf y = u) ->
  ranges (visit_class u members s) = ranges s.
Proof.
  intros Hi Hne Hm.
  destruct (visit_class_cases u members s Hi Hne Hm) as [[-> _]|(a & _ & Ha & _ & _ & _ & _ & ->)]; [reflexivity|].
  apply (ranges_expand _ L); [exact Hi|]. now apply Hm.
Qed.

(** The facts about one class that is next. *)
Lemma next_class l r ms cs s : frozen_ok l ((r, ms) :: cs) s ->
  ms <> [] /\ forall x, In x ms -> In x (leaves s) /\ queue_of_leaf x = queue_of r.
Proof.
  intros [_ Hm]. destruct (Hm r ms) as [Hne Hx]; [now left|]. split; [exact Hne|].
  intros x Hin. destruct (Hx x Hin) as (H1 & _ & _ & <-). auto.
Qed.

Lemma visit_class_moves l r ms cs s :
  holds s -> frozen_ok l ((r, ms) :: cs) s -> moves l s (visit_class (queue_of r) ms s).
Proof.
  intros Hi Hf. destruct (next_class _ _ _ _ _ Hf) as [Hne Hm]. destruct Hf as [_ Hf].
  destruct (visit_class_cases (queue_of r) ms s Hi Hne Hm) as [[-> _]|(a & _ & Ha & Hex & _ & _ & Hal & ->)];
    [apply moves_none|].
  destruct (Hf r ms) as [_ Hx]; [now left|]. destruct (Hx a Ha) as (H1 & H2 & H3 & _).
  apply moves_one, move_expand; auto. lia.
Qed.

Lemma frozen_ok_tail l r ms cs s :
  holds s -> frozen_ok l ((r, ms) :: cs) s -> frozen_ok l cs (visit_class (queue_of r) ms s).
Proof.
  intros Hi Hf. destruct (next_class _ _ _ _ _ Hf) as [Hne0 Hm0]. destruct Hf as [Hs Hm].
  inversion Hs as [|? ? Hs' Hf]; subst. split; [exact Hs'|]. intros r' ms' Hin.
  destruct (Hm r' ms') as [Hne Hx]; [now right|]. split; [exact Hne|]. intros x Hxin.
  destruct (Hx x Hxin) as (H1 & H2 & H3 & H4). rewrite (visit_class_ranges _ _ _ Hi Hne0 Hm0).
  split; [|auto]. apply visit_class_keeps; auto.
  intros H0. destruct (Hm r ms) as [_ Hx0]; [now left|]. destruct (Hx0 x H0) as (_ & _ & _ & H5).
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold before in Hf. cbn [fst] in Hf.
  rewrite <- H4, <- H5, (earlier_irreflexive _ _ (classes_ordered _ L)) in Hf. discriminate.
Qed.

(** Induction over the classes of a visit. *)
Lemma visit_classes_induction (P : list (class * list leaf) -> state -> Prop) l :
  (forall r ms cs s, holds s -> frozen_ok l ((r, ms) :: cs) s -> P ((r, ms) :: cs) s ->
     P cs (visit_class (queue_of r) ms s)) ->
  forall cs s, holds s -> frozen_ok l cs s -> P cs s -> P [] (visit_classes cs s).
Proof.
  intros Hstep cs. induction cs as [|[r ms] cs IH]; intros s Hi Hf HP; [exact HP|].
  cbn [visit_classes]. apply IH.
  - eapply moves_hold; [|exact Hi]. eapply visit_class_moves; eauto.
  - now apply frozen_ok_tail.
  - now apply Hstep.
Qed.

Lemma visit_classes_moves l cs s : holds s -> frozen_ok l cs s -> moves l s (visit_classes cs s).
Proof.
  intros Hi Hf. apply (visit_classes_induction (fun _ s' => moves l s s') l); auto; [|apply moves_none].
  intros r ms cs' s1 Hi1 Hf1 H1. eapply moves_trans; [exact H1|]. eapply visit_class_moves; eauto.
Qed.

Lemma visit_moves l s : exhausted s = false -> holds s -> moves l s (visit l s).
Proof.
  intros Hex Hi. eapply moves_trans.
  - apply moves_one, (move_visit l l); [exact Hex|auto].
  - apply visit_classes_moves; [now apply (holds_visit _ L)|apply frozen_ok_classes].
Qed.

Lemma visit_classes_exhausted cs s : exhausted s = true -> visit_classes cs s = s.
Proof.
  intros Hx. induction cs as [|[r [|x ms]] cs IH]; cbn [visit_classes visit_class]; rewrite ?Hx; auto.
Qed.

(** When its turn comes, a class is what it was when the visit began. *)
Lemma a_frozen_class_is_current l s before r members after :
  holds s -> classes l s = before ++ (r, members) :: after ->
  members = class_now depth class_of same (ranges s) l r (leaves (visit_classes before (begin_visit l s))).
Proof.
  intros Hi Ec. pose proof (classes_ordered _ L) as O. set (now := class_now depth class_of same (ranges s) l r).
  assert (H0 : members = now (leaves (begin_visit l s))).
  { rewrite (leaves_visit _ L). apply (class_is_class_now _ _ _ _ _ O).
    change (In (r, members) (classes l s)). rewrite Ec, in_app_iff. cbn. auto. }
  rewrite H0. symmetry. destruct (exhausted s) eqn:Ex.
  { rewrite visit_classes_exhausted; [reflexivity|]. rewrite <- Ex. apply exhausted_same, (made_visit _ L). }
  pose proof (frozen_ok_classes l s) as [Hs Hm]. rewrite Ec in Hs, Hm.
  set (P := fun (cs : list (class * list leaf)) s1 => (forall c, In c cs -> fst c <> r) /\ now (leaves s1) = now (leaves (begin_visit l s))).
  enough (H : P [] (visit_classes before (begin_visit l s))) by exact (proj2 H).
  apply (visit_classes_induction P l).
  - intros r0 ms0 cs s1 Hi1 Hf [Hr E]. split; [intros c Hc; apply Hr; now right|]. rewrite <- E.
    destruct (next_class _ _ _ _ _ Hf) as [Hne Hm0]. destruct Hf as [_ Hf]. destruct (Hf r0 ms0) as [_ Hx]; [now left|].
    destruct (visit_class_cases (queue_of r0) ms0 s1 Hi1 Hne Hm0) as [[-> _]|(a & _ & Ha & Hx1 & _ & _ & _ & ->)];
      [reflexivity|]. destruct (Hx a Ha) as (Hin & Hd & _ & Hc).
    destruct (leaves_expand _ L a s1 Hi1 Hx1 Hin) as [[-> _]|(l1 & ch & l2 & E1 & -> & _ & Hch)]; [reflexivity|].
    rewrite E1. unfold now, class_now. rewrite !filter_app. cbn [filter]. f_equal.
    assert (Ea : same (class_of a) r = false).
    { destruct (same (class_of a) r) eqn:Es; [|reflexivity]. apply (same_iff _ _ O) in Es.
      exfalso. apply (Hr (r0, ms0)); [now left|]. cbn. congruence. }
    rewrite Ea, !andb_false_r. clear - Hch Hd. induction ch as [|y ch IH]; [reflexivity|]. cbn [app filter].
    rewrite (proj2 (Nat.eqb_neq (depth y) l)); [apply IH; intros z Hz; apply Hch; now right|].
    rewrite (Hch y (or_introl eq_refl)). lia.
  - now apply (holds_visit _ L).
  - split; [|intros r' ms' Hin; apply Hm, in_or_app; now left].
    clear - Hs. induction before as [|c cs IH]; [constructor|]. inversion Hs as [|? ? Hs' Hall]; subst.
    constructor; [now apply IH|]. rewrite Forall_app in Hall. apply Hall.
  - split; [|reflexivity]. intros c Hc E. clear - Hs Hc E O. induction before as [|c' cs IH]; [easy|].
    inversion Hs as [|? ? Hs' Hall]; subst. destruct Hc as [->|Hc]; [|now apply IH].
    rewrite Forall_app in Hall. destruct Hall as [_ Hall]. inversion Hall as [|? ? Hb _]; subst.
    unfold SearchClasses.before in Hb. cbn [fst] in Hb. rewrite (earlier_irreflexive _ _ O) in Hb. discriminate.
Qed.

(** ** Visits, sweeps, rounds *)

(** Induction over the visits of a sweep: [P l] holds before the visit of depth [l]; when the budget
    is used up the remaining visits do not take place. *)
Lemma visits_induction (P : nat -> state -> Prop) lim :
  (forall l s, l <= lim -> exhausted s = false -> holds s -> P l s -> P (S l) (visit l s)) ->
  (forall l s, exhausted s = true -> P l s -> P (S l) s) ->
  forall n l s, n + l <= S lim -> (exhausted s = false -> holds s) -> P l s -> P (n + l) (visits n l s).
Proof.
  intros Hstep Hend n. induction n as [|n IH]; intros l s Hn Hi HP; [exact HP|].
  cbn [visits]. replace (S n + l) with (n + S l) by lia. destruct (exhausted s) eqn:Ex.
  - clear IH Hn. assert (H1 : P (S l) s) by auto. revert H1. generalize (S l). clear HP l.
    induction n as [|n IH]; intros l H1; [exact H1|].
    replace (S n + l) with (n + S l) by lia. apply IH. now apply Hend.
  - apply IH; [lia| |].
    + intros _. eapply moves_hold; [apply visit_moves|]; auto.
    + apply Hstep; auto. lia.
Qed.

Lemma begin_sweep_holds s : holds s -> exhausted (begin_sweep s) = false -> holds (begin_sweep s).
Proof. intros Hi Hx. apply (holds_sweep _ L); [|exact Hi]. rewrite <- Hx. symmetry. apply exhausted_same, (made_sweep _ L). Qed.

Lemma sweep_induction (P : nat -> state -> Prop) s :
  holds s ->
  (forall l s1, l <= limit s -> exhausted s1 = false -> holds s1 -> P l s1 -> P (S l) (visit l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit s)) (sweep s).
Proof.
  intros Hi H1 H2 H3. unfold sweep.
  replace (S (limit s)) with (S (limit s) + 0) at 1 by lia.
  apply (visits_induction P (limit s)); auto; [lia|]. now apply begin_sweep_holds.
Qed.

Lemma sweep_moves s : holds s -> moves (limit s) (begin_sweep s) (sweep s).
Proof.
  intros Hi. apply (sweep_induction (fun _ s' => moves (limit s) (begin_sweep s) s') s Hi); [|auto|apply moves_none].
  intros l s1 H1 H2 H3 H4. eapply moves_trans; [exact H4|]. apply (moves_weaken l); [exact H1|]. now apply visit_moves.
Qed.

Lemma sweep_steps s : exhausted s = false -> holds s -> steps s (sweep s).
Proof.
  intros Hex Hi. eapply steps_trans; [apply steps_one, step_sweep; exact Hex|].
  apply (moves_steps (limit s)); [apply (limit_h_max _ L)|]. now apply sweep_moves.
Qed.

Lemma round_steps s : holds s -> steps s (round s).
Proof.
  intros Hi. unfold round. pose proof (enter_steps _ L s) as He.
  destruct (exhausted (enter s)) eqn:Ex; [exact He|].
  eapply steps_trans; [exact He|]. apply sweep_steps; [exact Ex|]. exact (steps_hold _ _ He Hi).
Qed.

Lemma rounds_steps n s : holds s -> steps s (rounds n s).
Proof.
  intros Hi. induction n as [|n IH]; cbn [rounds]; [apply steps_none|].
  eapply steps_trans; [exact IH|]. apply round_steps. exact (steps_hold _ _ IH Hi).
Qed.

Lemma run_for_steps n s : holds s -> steps s (run_for n s).
Proof.
  revert s. induction n as [|n IH]; intros s Hi; cbn [run_for]; [apply steps_none|].
  destruct (exhausted s); [apply steps_none|]. pose proof (round_steps s Hi) as H.
  destruct (idle (round s)); [exact H|]. eapply steps_trans; [exact H|]. apply IH. exact (steps_hold _ _ H Hi).
Qed.

End Loops.
