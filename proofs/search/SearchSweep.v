(** * One sweep of a search: the key lemma, progress, and that every run ends. *)

From EmbeddedHunter Require Import Lists SearchClasses Search SearchSteps.

Section SearchSweep.

Context {A : search} {holds : state -> Prop} (L : lawful A holds).

(** ** Facts about moves *)

Lemma nu_is_kept lim s s' : holds s -> moves lim s s' -> (forall u, nu u s' = None) -> forall u, nu u s = None.
Proof.
  intros Hi. revert s'. refine (moves_induction L lim s _ Hi _ _ _); auto.
  - intros l s1 _ _ _ IH H. apply IH. intros u. now rewrite <- (nu_visit _ L u l).
  - intros x s1 _ Hin _ _ _ Hi1 _ H. exfalso. specialize (H (queue_of_leaf x)).
    destruct (nu_expand _ L (queue_of_leaf x) x s1 Hi1 Hin) as [[_ E]|[E _]]; congruence.
Qed.

Lemma log_grows lim s s' : holds s -> moves lim s s' -> exists new, log s' = new ++ log s.
Proof.
  intros Hi. revert s'. refine (moves_induction L lim s _ Hi _ _ _).
  - now exists [].
  - intros l s1 _ _ _ (new & E). destruct (log_visit _ L l s1) as (e & -> & _). exists (e :: new). now rewrite E.
  - intros x s1 _ Hin _ _ _ Hi1 (new & E). destruct (log_expand _ L x s1 Hi1 Hin) as (new' & -> & _).
    exists (new' ++ mark x :: new). rewrite E. now rewrite <- app_assoc.
Qed.

Lemma ranges_kept lim s s' : holds s -> moves lim s s' -> ranges s' = ranges s.
Proof.
  intros Hi. revert s'. refine (moves_induction L lim s _ Hi _ _ _); auto.
  - intros l s1 _ _ _ <-. apply (ranges_visit _ L).
  - intros x s1 _ Hin _ _ _ Hi1 <-. now apply (ranges_expand _ L).
Qed.

Lemma visit_keeps_other_depths l s x :
  exhausted s = false -> holds s -> In x (leaves s) -> depth x <> l -> In x (leaves (visit l s)).
Proof.
  intros He Hi Hx Hd. unfold visit.
  apply (visit_classes_induction L (fun _ s1 => In x (leaves s1)) l).
  - intros r ms cs s1 Hi1 Hf H1. destruct (next_class _ _ _ _ _ Hf) as [Hne Hm].
    apply (visit_class_keeps L); auto.
    intros H. destruct Hf as [_ Hf]. destruct (Hf r ms) as [_ Hy]; [now left|]. now destruct (Hy x H) as (_ & E & _).
  - now apply (holds_visit _ L).
  - apply (frozen_ok_classes L).
  - now rewrite (leaves_visit _ L).
Qed.

(** ** The key lemma, in each queue *)

Section KeyLemma.
Hypothesis order : ordered A.

(** In the log [new], some leaf [x] of queue [u] and depth at most [b] was expanded, in a state of the run, by a
    sweep over [p]. *)
Definition expands (p : leaf -> bool) (new : list event) (u : queue) (b : nat) (x : leaf) : Prop :=
  In (mark x) new /\ (exists s, holds s /\ In x (leaves s)) /\ queue_of_leaf x = u /\ depth x <= b /\ p x = true.

Lemma expands_more p new new' u b b' x : incl new new' -> b <= b' -> expands p new u b x -> expands p new' u b' x.
Proof. intros Hn Hb (H1 & H2 & H3 & H4 & H5). repeat split; auto. lia. Qed.

(** Each nu_min is the value of a leaf of its queue expanded since the sweep began in [s0]. *)
Definition nu_is_a_value (s0 : state) (b : nat) (s : state) : Prop :=
  exists new, log s = new ++ log s0 /\
    forall u w, nu u s = Some w -> exists x, expands (ranges s) new u b x /\ best x = w.

Lemma nu_is_a_value_moves s0 b s s' : holds s -> moves b s s' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b s'.
Proof.
  intros Hi H HI. revert s' H. refine (moves_induction L b s _ Hi HI _ _).
  - intros l s1 _ _ _ (new & E & Hw). destruct (log_visit _ L l s1) as (e & El & _). exists (e :: new).
    split; [cbn; now rewrite El, E|]. intros u w Ew. rewrite (nu_visit _ L) in Ew.
    destruct (Hw u w Ew) as (x & H1 & H2). exists x. split; [|exact H2]. rewrite (ranges_visit _ L).
    apply (expands_more _ new _ u b); auto. apply incl_tl, incl_refl.
  - intros x s1 _ Hin Hd Hr _ Hi1 (new & E & Hw). destruct (log_expand _ L x s1 Hi1 Hin) as (new' & E' & _).
    exists (new' ++ mark x :: new). split; [rewrite E', E; now rewrite <- app_assoc|]. rewrite (ranges_expand _ L) by auto.
    intros u w Hu. destruct (nu_expand _ L u x s1 Hi1 Hin) as [[-> En]|[N En]]; rewrite En in Hu.
    + injection Hu as <-. exists x. split; [|reflexivity].
      split; [apply in_or_app; right; now left|]. split; [now exists s1|]. auto.
    + destruct (Hw u w Hu) as (y & H1 & H2). exists y. split; [|exact H2].
      apply (expands_more _ new _ u b); auto. apply incl_appr, incl_tl, incl_refl.
Qed.

Lemma nu_is_a_value_weaken s0 b b' s : b <= b' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b' s.
Proof.
  intros Hb (new & E & H). exists new. split; [exact E|]. intros u w Hw.
  destruct (H u w Hw) as (x & H1 & H2). exists x. split; [|exact H2].
  apply (expands_more _ new _ u b); auto. apply incl_refl.
Qed.

(** After its class has been worked through, the nu_min of a leaf's queue is at most the leaf's value. *)
Lemma nu_is_below_the_class l s o cs :
  holds s -> frozen_ok l cs s -> (exists r ms, In (r, ms) cs /\ In o ms) ->
  let s' := visit_classes cs s in
  exhausted s' = true \/ exists w, nu (queue_of_leaf o) s' = Some w /\ at_most w (best o).
Proof.
  (* Invariant [P cs s']: the budget is used up, or the class of [o] is still to come, or nu_min is
     at most the value of [o]. *)
  intros Hi Hf Ho. cbv zeta.
  set (P := fun (cs : list (class * list leaf)) s' =>
    exhausted s' = true \/ (exists r ms, In (r, ms) cs /\ In o ms) \/
    (exists w, nu (queue_of_leaf o) s' = Some w /\ at_most w (best o))).
  assert (HP : P [] (visit_classes cs s)).
  { apply (visit_classes_induction L P l); auto; [|right; left; exact Ho].
    clear - L order. intros r ms cs s Hi Hf HP. destruct (next_class _ _ _ _ _ Hf) as [Hne Hm].
    destruct (visit_class_cases L (queue_of r) ms s Hi Hne Hm)
      as [[E Hw]|(a & _ & Ha & Hx & Hb & Hle & _ & E)]; rewrite E.
    (* A class whose least leaf is not expanded: if it is the class of [o], the budget is used up,
       or nu_min is at most its least value already. *)
    - destruct HP as [HP|[(r' & ms' & [[= <- <-]|Hin] & Ho)|HP]]; [now left| |right; left; eauto|right; right; exact HP].
      destruct Hw as [Hw|(w & Hw & Hle)]; [now left|]. right. right. exists w.
      destruct (Hm o Ho) as [_ ->]. auto.
    (* A class whose least leaf [a] is expanded: the nu_min of its queue is now the value of [a], which is the least
       of the class and below the old nu_min. *)
    - destruct (Hm a Ha) as [Hin Hq].
      destruct HP as [HP|[(r' & ms' & [[= <- <-]|Hin'] & Ho)|(w & Hw & Hle')]]; [congruence| |right; left; eauto|].
      + right. right. exists (best a). destruct (Hm o Ho) as [_ ->]. rewrite <- Hq.
        destruct (nu_expand _ L (queue_of_leaf a) a s Hi Hin) as [[_ ->]|[N _]]; [auto|easy].
      + right. right. destruct (nu_expand _ L (queue_of_leaf o) a s Hi Hin) as [[Eq ->]|[_ ->]]; [|eauto].
        exists (best a). split; [reflexivity|]. rewrite <- Hq, <- Eq, Hw in Hb. cbn in Hb.
        apply (at_most_trans order _ w); [|exact Hle']. now apply (less_at_most order). }
  destruct HP as [HP|[(r & ms & [] & _)|HP]]; auto.
Qed.

(** The visits of the depths 0, ..., lim suffice for every leaf [o] of one of these depths. *)
Lemma first_visits_expand lim s o :
  holds s -> In o (leaves s) -> depth o <= lim -> ranges (begin_sweep s) o = true ->
  let s' := visits (S lim) 0 (begin_sweep s) in
  exhausted s' = true \/
  exists new x, log s' = new ++ log s /\ expands (ranges (begin_sweep s)) new (queue_of_leaf o) (depth o) x /\
    at_most (best x) (best o).
Proof.
  (* Invariant [P l s1] before the visit of depth [l]: the budget is used up; or [o] is still a
     leaf, and nu_min is a value of this sweep; or [x] has been found. *)
  intros Hi Ho Hl Hr. cbv zeta. set (p := ranges (begin_sweep s)) in *.
  set (P := fun l s1 => exhausted s1 = true \/
    (ranges s1 = p /\ (l <= depth o -> In o (leaves s1) /\ nu_is_a_value s l s1) /\
     (depth o < l -> exists new x, log s1 = new ++ log s /\ expands p new (queue_of_leaf o) (depth o) x /\
        at_most (best x) (best o)))).
  assert (HP : P (S lim + 0) (visits (S lim) 0 (begin_sweep s))).
  { apply (visits_induction L P lim); [| |lia|now apply (begin_sweep_holds L)|].
    - intros l s1 Hlim Hx Hi1 [HP|(Ep & HP1 & HP2)]; [congruence|].
      pose proof (visit_moves L l s1 Hx Hi1) as Hmv.
      pose proof (ranges_kept l s1 _ Hi1 Hmv) as Er. rewrite Ep in Er.
      destruct (lt_eq_lt_dec l (depth o)) as [[H|H]|H].
      (* The visit of a smaller depth than that of [o] leaves [o] a leaf. *)
      + right. destruct HP1 as [H1 H2]; [lia|]. split; [exact Er|]. split; [|lia]. intros _. split.
        * apply visit_keeps_other_depths; auto. lia.
        * apply (nu_is_a_value_weaken s l); [lia|]. eapply nu_is_a_value_moves; eauto.
      (* The visit of the depth of [o]: after it nu_min is at most the value of [o], and nu_min is
         the value of an expanded leaf [x]. *)
      + destruct HP1 as [H1 H2]; [lia|].
        destruct (nu_is_below_the_class l (begin_visit l s1) o (classes l s1))
          as [E|(w & Hw & Hle)].
        * now apply (holds_visit _ L).
        * apply (frozen_ok_classes L).
        * destruct (every_leaf_is_in_its_class depth class_of same earlier (ranges s1) (classes_ordered _ L) l (leaves s1) o H1) as (ms & H3 & H4);
            [auto|now rewrite Ep|]. eauto.
        * left. exact E.
        * right. split; [exact Er|]. split; [lia|]. intros _.
          destruct (nu_is_a_value_moves s l s1 _ Hi1 Hmv H2) as (new & E & Hv).
          destruct (Hv _ w Hw) as (x & Hx1 & Hx2). exists new, x. rewrite Er in Hx1.
          split; [exact E|]. split; [|now rewrite Hx2].
          apply (expands_more p new _ (queue_of_leaf o) l); auto; [apply incl_refl|lia].
      (* Later visits keep the leaf [x] that was found. *)
      + right. split; [exact Er|]. split; [lia|]. intros _. destruct HP2 as (new & x & E & H1 & H2); [exact H|].
        destruct (log_grows l s1 _ Hi1 Hmv) as (new' & E'). exists (new' ++ new), x.
        split; [rewrite E', E; apply app_assoc|]. split; [|exact H2].
        apply (expands_more p new _ (queue_of_leaf o) (depth o)); auto. apply incl_appr, incl_refl.
    - intros l s1 Hx _. left. exact Hx.
    - right. split; [reflexivity|]. split; [|lia]. intros _. rewrite (leaves_sweep _ L). split; [exact Ho|].
      destruct (log_sweep _ L s) as (e & E & _). exists [e]. split; [exact E|].
      intros u w Hu. rewrite (nu_sweep _ L) in Hu. discriminate. }
  destruct HP as [HP|(_ & _ & HP)]; [auto|]. right. apply HP. lia.
Qed.

(** If o is a leaf at the start of a sweep, within its reach and its range, then the sweep expands some leaf x of o's
    queue in its range, at most as deep as o and at most as large in value (unless the budget runs out first). *)
Lemma sweep_expands s o :
  holds s -> In o (leaves s) -> depth o <= limit s -> ranges (begin_sweep s) o = true ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\
    expands (ranges (begin_sweep s)) new (queue_of_leaf o) (depth o) x /\ at_most (best x) (best o).
Proof. apply first_visits_expand. Qed.

End KeyLemma.

(** ** Progress *)

(** Nothing is left to expand. *)
Definition nothing_to_expand (s : state) : Prop := forall x, In x (leaves s) -> h_max < depth x.

Lemma a_sweep_that_expands_nothing s :
  exhausted s = false -> holds s -> (forall u, nu u (sweep s) = None) ->
  leaves (sweep s) = leaves s /\ made (sweep s) = made s /\
  forall x, In x (leaves s) -> ranges (begin_sweep s) x = true -> h_max < depth x.
Proof.
  intros Hx Hi Hnu.
  set (P := fun l s1 => (forall u, nu u s1 = None) -> made s1 = made s /\ leaves s1 = leaves s /\
    ranges s1 = ranges (begin_sweep s) /\
    forall x, In x (leaves s) -> ranges (begin_sweep s) x = true -> l <= depth x).
  assert (HP : P (S (limit s)) (sweep s)).
  { apply (sweep_induction L P s Hi).
    - intros l s1 Hlim Hx1 Hi1 HP Hnu1. pose proof (visit_moves L l s1 Hx1 Hi1) as Hmv.
      destruct (HP (nu_is_kept l _ _ Hi1 Hmv Hnu1)) as (H1 & H2 & H3 & H4).
      pose proof (holds_visit _ L l s1 Hx1 Hi1) as Hb. unfold visit in Hnu1 |- *.
      pose proof (frozen_ok_classes L l s1) as Hf.
      destruct (classes l s1) as [|[r ms] cs] eqn:Ec.
      + cbn [visit_classes]. rewrite (made_visit _ L), (leaves_visit _ L), (ranges_visit _ L).
        repeat split; auto. intros x Hin Hrx. specialize (H4 x Hin Hrx).
        enough (depth x <> l) by lia. intros E. rewrite <- H2 in Hin. rewrite <- H3 in Hrx.
        destruct (every_leaf_is_in_its_class depth class_of same earlier (ranges s1) (classes_ordered _ L) l (leaves s1) x Hin E Hrx) as (ms & H & _).
        change (In (class_of x, ms) (classes l s1)) in H. rewrite Ec in H. easy.
      + exfalso. cbn [visit_classes] in Hnu1.
        pose proof (visit_class_moves L l r ms cs _ Hb Hf) as Hm1.
        pose proof (moves_hold L _ _ _ Hm1 Hb) as Hi2.
        pose proof (nu_is_kept l _ _ Hi2 (visit_classes_moves L l cs _ Hi2 (frozen_ok_tail L l r ms cs _ Hb Hf)) Hnu1) as Hc.
        destruct (next_class _ _ _ _ _ Hf) as [Hne Hm].
        destruct (visit_class_cases L (queue_of r) ms _ Hb Hne Hm)
          as [[_ [E|(w & Hw & _)]]|(a & _ & Ha & _ & _ & _ & _ & E)].
        * rewrite (exhausted_same s1) in E by apply (made_visit _ L). congruence.
        * rewrite (nu_is_kept l _ _ Hb Hm1 Hc) in Hw. discriminate.
        * rewrite E in Hc. destruct (Hm a Ha) as [Hin _].
          destruct (nu_expand _ L (queue_of_leaf a) a _ Hb Hin) as [[_ En]|[N _]]; [|easy]. rewrite Hc in En. discriminate.
    - intros l s1 Hx1 HP Hnu1. exfalso. destruct (HP Hnu1) as (H1 & _).
      rewrite (exhausted_same s) in Hx1 by exact H1. congruence.
    - intros _. rewrite (made_sweep _ L), (leaves_sweep _ L). repeat split; auto. intros; lia. }
  destruct (HP Hnu) as (H1 & H2 & _ & H3). repeat split; auto. intros x Hin Hr.
  specialize (H3 x Hin Hr). destruct (limit_covers _ L s x Hin); lia.
Qed.

(** A sweep over leaves that are all too deep changes nothing. *)
Lemma a_sweep_with_nothing_to_expand s :
  exhausted s = false -> holds s -> nothing_to_expand s -> leaves (sweep s) = leaves s /\ made (sweep s) = made s.
Proof.
  intros Hx Hi Hs. pose proof (sweep_moves L s Hi) as H. revert H. generalize (sweep s).
  pose proof (holds_sweep _ L s Hx Hi) as Hb.
  refine (moves_induction L _ (begin_sweep s) (fun s' => leaves s' = leaves s /\ made s' = made s) Hb _ _ _).
  - split; [apply (leaves_sweep _ L)|apply (made_sweep _ L)].
  - intros l s1 _ _ _ [E1 E2]. now rewrite (leaves_visit _ L), (made_visit _ L).
  - intros x s1 _ Hin Hd _ _ _ [E1 _]. exfalso. rewrite E1 in Hin. specialize (Hs _ Hin).
    pose proof (limit_h_max _ L s). lia.
Qed.

(** ** Iterations *)

Lemma visit_iterations l s : exhausted s = false -> holds s -> iterations (visit l s) = S (iterations s).
Proof.
  intros Hx Hi. unfold visit.
  apply (visit_classes_induction L (fun _ s1 => iterations s1 = S (iterations s)) l).
  - intros r ms cs s1 Hi1 Hf <-. destruct (next_class _ _ _ _ _ Hf) as [Hne Hm].
    destruct (visit_class_cases L (queue_of r) ms s1 Hi1 Hne Hm) as [[-> _]|(a & _ & Ha & _ & _ & _ & _ & ->)];
      [reflexivity|]. apply (iterations_expand _ L); [exact Hi1|]. now apply Hm.
  - now apply (holds_visit _ L).
  - apply (frozen_ok_classes L).
  - apply (iterations_visit _ L).
Qed.

Lemma sweep_iterations s : holds s -> iterations (sweep s) <= iterations s + S (limit s).
Proof.
  intros Hi. apply (sweep_induction L (fun l s1 => iterations s1 <= iterations s + l) s Hi).
  - intros l s1 _ Hx1 Hi1 H1. rewrite visit_iterations by assumption. lia.
  - intros. lia.
  - rewrite (iterations_sweep _ L). lia.
Qed.

End SearchSweep.
