(** * One sweep: the key lemma, progress, and what a sweep costs. *)

From Coq Require Import List ZArith Bool Arith Lia.
From EmbeddedHunter Require Import Lattice Model Nodes Steps Paths Order RunsTree
  RunsEvaluations Geometry Norms.
Import ListNotations.
Open Scope nat_scope.

Section Sweep.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation children := (children cfg).
Local Notation affordable := (affordable less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation visit_class := (visit_class less oracle cfg).
Local Notation visit_classes := (visit_classes less oracle cfg).
Local Notation visit := (visit less oracle cfg).
Local Notation visits := (visits less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation frozen_ok := (frozen_ok).
Local Notation moves := (moves less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation limit := (limit cfg).
Local Notation start := (start oracle cfg).

(** ** Facts about moves *)

Lemma nu_is_kept lim s s' : moves lim s s' -> nu_min s' = None -> nu_min s = None.
Proof.
  revert s'. refine (moves_induction less oracle cfg lim s _ _ _ _); auto.
  intros q s1 _ _ _ _ _ H. rewrite expand_nu in H. discriminate.
Qed.

Lemma log_grows lim s s' : moves lim s s' -> exists new, log s' = new ++ log s.
Proof.
  revert s'. refine (moves_induction less oracle cfg lim s _ _ _ _).
  - now exists [].
  - intros l s1 _ _ (new & E). exists (Visit l :: new). cbn. now rewrite E.
  - intros q s1 _ _ _ _ (new & E). rewrite expand_log, E.
    eexists (rev (map _ (performed q s1)) ++ Expand q (value q) :: new).
    now rewrite <- app_assoc.
Qed.

Lemma other_depths_are_kept l s s' x :
  leaves_are_nodes s -> In x (leaves s) -> depth x <> l ->
  (forall cs, frozen_ok l cs s -> s' = visit_classes cs s -> In x (leaves s')).
Proof.
  intros Hn Hx Hd cs Hf ->.
  apply (visit_classes_induction less oracle cfg (fun _ s1 => In x (leaves s1)) l); auto.
  intros [r ms] cs1 s1 Hn1 [_ Hm] H1. destruct (Hm r ms) as [Hne Hy]; [now left|].
  apply visit_class_keeps; auto; cbn.
  - intros y H. now destruct (Hy y H).
  - intros H. destruct (Hy x H) as (_ & E & _). easy.
Qed.

Lemma visit_keeps_other_depths l s x :
  leaves_are_nodes s -> In x (leaves s) -> depth x <> l -> In x (leaves (visit l s)).
Proof.
  intros Hn Hx Hd.
  refine (other_depths_are_kept l (begin_visit l s) _ x Hn Hx Hd (classes l (leaves s)) _ eq_refl).
  exact (frozen_ok_classes l (begin_visit l s)).
Qed.

(** ** The key lemma *)

Section KeyLemma.
Hypothesis order : total_order less.

(** nu_min is the value of a node expanded since the sweep began in [s0], of depth
    at most [b]. *)
Definition nu_is_a_value (s0 : state V) (b : nat) (s : state V) : Prop :=
  exists new, log s = new ++ log s0 /\
    forall w, nu_min s = Some w -> exists x, In x (expanded new) /\ length x <= b /\ value x = w.

Lemma nu_is_a_value_moves s0 b s s' :
  moves b s s' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b s'.
Proof.
  intros H HI. revert s' H. refine (moves_induction less oracle cfg b s _ _ _ _); auto.
  - intros l s1 _ _ (new & E & Hw). exists (Visit l :: new). split; [cbn; now rewrite E|].
    intros w Ew. destruct (Hw w Ew) as (x & H1 & H2). exists x. auto.
  - intros q s1 _ _ Hl _ (new & E & Hw). unfold nu_is_a_value. rewrite expand_log.
    exists (rev (map (evaluation less oracle cfg) (performed q s1)) ++ Expand q (value q) :: new).
    split; [rewrite E; now rewrite <- app_assoc|].
    intros w Ew. rewrite expand_nu in Ew. injection Ew as <-. exists q.
    split; [|auto]. rewrite expanded_evaluations. now left.
Qed.

Lemma nu_is_a_value_weaken s0 b b' s :
  b <= b' -> nu_is_a_value s0 b s -> nu_is_a_value s0 b' s.
Proof.
  intros Hb (new & E & H). exists new. split; [exact E|]. intros w Hw.
  destruct (H w Hw) as (x & H1 & H2 & H3). exists x. repeat split; auto. lia.
Qed.

(** After a class has been worked through, nu_min is at most all its values. *)
Lemma nu_is_below_the_class l s o cs :
  leaves_are_nodes s -> frozen_ok l cs s ->
  (exists r ms, In (r, ms) cs /\ In (node_at o) ms) ->
  let s' := visit_classes cs s in
  exhausted s' = true \/ exists w, nu_min s' = Some w /\ at_most less w (value o).
Proof.
  (* Invariant [P cs s']: the budget is used up, or the class of [o] is still to come, or nu_min is
     at most the value of [o]. *)
  intros Hn Hf Ho. cbv zeta.
  set (P := fun (cs : list (Z * list (leaf V))) s' =>
    exhausted s' = true \/ (exists r ms, In (r, ms) cs /\ In (node_at o) ms) \/
    (exists w, nu_min s' = Some w /\ at_most less w (value o))).
  assert (HP : P [] (visit_classes cs s)).
  { apply (visit_classes_induction less oracle cfg P l); auto; [|right; left; exact Ho].
    clear - order. intros [r ms] cs s Hn Hf HP. cbn [snd].
    pose proof Hf as [_ Hm]. destruct (Hm r ms) as [Hne Hy]; [now left|].
    assert (Hmv : moves l s (visit_class ms s)).
    { apply visit_class_moves; auto. intros y H. destruct (Hy y H) as (? & ? & _). auto. }
    destruct (visit_class_cases less oracle cfg ms s Hne Hn (fun y H => proj1 (Hy y H)))
      as [E|(q & Hq & Hx & Hb & Ha & E)].
    (* A class whose least leaf is not expanded: if it is the class of [o], the budget is used up,
       or nu_min is at most its least value already. *)
    - destruct HP as [HP|[(r' & ms' & [[= <- <-]|Hin] & Ho)|HP]].
      + left. now rewrite E.
      + destruct ms as [|x rest]; [easy|]. cbn [Model.visit_class] in E.
        destruct (exhausted s) eqn:Ex; [left; cbn [Model.visit_class]; now rewrite Ex|].
        cbn [Model.visit_class]. rewrite Ex.
        destruct (below less (best (argmin less x rest)) (nu_min s)) eqn:B.
        * exfalso. assert (Hin := argmin_in less x rest).
          assert (E2 := Hn _ (proj1 (Hy _ Hin))). rewrite E2 in E.
          apply (f_equal log) in E. rewrite expand_log in E.
          apply (f_equal (@length _)) in E. rewrite app_length in E. cbn in E. lia.
        * right. right. unfold below in B. destruct (nu_min s) as [w|]; [|discriminate].
          exists w. split; [reflexivity|].
          apply (at_most_trans less order _ (best (argmin less x rest))); [exact B|].
          now apply argmin_at_most.
      + right. left. eauto.
      + right. right. rewrite E. exact HP.
    (* A class whose least leaf [q] is expanded: nu_min is now the value of [q], which is the least
       of the class and below the old nu_min. *)
    - rewrite E. destruct HP as [HP|[(r' & ms' & [[= <- <-]|Hin] & Ho)|(w & Hw & Hle)]].
      + congruence.
      + right. right. exists (value q). rewrite expand_nu. split; [reflexivity|].
        destruct ms as [|x rest]; [easy|]. unfold Nodes.value at 1. rewrite (Ha x rest eq_refl).
        now apply argmin_at_most.
      + right. left. eauto.
      + right. right. exists (value q). rewrite expand_nu. split; [reflexivity|].
        rewrite Hw in Hb. cbn in Hb. apply (at_most_trans less order _ w); [|exact Hle].
        now apply less_at_most. }
  destruct HP as [HP|[(r & ms & [] & _)|HP]]; auto.
Qed.

(** The visits of the depths 0, ..., lim suffice for every leaf [o] of one of these depths. *)
Lemma first_visits_expand lim s o :
  leaves_are_nodes s -> In o (places s) -> length o <= lim ->
  let s' := visits (S lim) 0 (begin_sweep cfg s) in
  exhausted s' = true \/
  exists new x, log s' = new ++ log s /\ In x (expanded new) /\
    length x <= length o /\ at_most less (value x) (value o).
Proof.
  (* Invariant [P l s1] before the visit of depth [l]: the budget is used up; or [o] is still a
     leaf, and nu_min is a value of this sweep; or [x] has been found. *)
  intros Hn Ho Hl. cbv zeta. apply (in_places less oracle cfg) in Ho; [|exact Hn].
  set (P := fun l s1 =>
    exhausted s1 = true \/
    ((l <= length o -> In (node_at o) (leaves s1) /\ nu_is_a_value s l s1) /\
     (length o < l -> exists new x, log s1 = new ++ log s /\ In x (expanded new) /\
        length x <= length o /\ at_most less (value x) (value o)))).
  assert (HP : P (S lim + 0) (visits (S lim) 0 (begin_sweep cfg s))).
  { apply (visits_induction less oracle cfg P lim); [| |lia|exact Hn|].
    - intros l s1 Hlim Hx Hn1 [HP|[HP1 HP2]]; [congruence|].
      pose proof (visit_moves less oracle cfg l s1 Hx Hn1) as Hmv.
      destruct (lt_eq_lt_dec l (length o)) as [[H|H]|H].
      (* The visit of a smaller depth than that of [o] leaves [o] a leaf. *)
      + right. destruct HP1 as [H1 H2]; [lia|]. split; [|lia]. intros _. split.
        * apply visit_keeps_other_depths; auto. rewrite depth_node_at. lia.
        * apply (nu_is_a_value_weaken s l); [lia|]. eapply nu_is_a_value_moves; eauto.
      (* The visit of the depth of [o]: after it nu_min is at most the value of [o], and nu_min is
         the value of an expanded node [x]. *)
      + destruct HP1 as [H1 H2]; [lia|].
        destruct (nu_is_below_the_class l (begin_visit l s1) o (classes l (leaves s1)))
          as [E|(w & Hw & Hle)].
        * exact Hn1.
        * exact (frozen_ok_classes l (begin_visit l s1)).
        * destruct (every_leaf_of_the_depth_is_in_its_class l (leaves s1) (node_at o) H1)
            as (ms & H3 & H4); [rewrite depth_node_at; auto|]. eauto.
        * left. exact E.
        * right. split; [lia|]. intros _.
          destruct (nu_is_a_value_moves s l s1 _ Hmv H2) as (new & E & Hv).
          destruct (Hv w Hw) as (x & Hx1 & Hx2 & Hx3). exists new, x.
          repeat split; auto; [lia|]. now rewrite Hx3.
      (* Later visits keep the node [x] that was found. The invariant holds at the start of the
         sweep, and its last case is the statement. *)
      + right. split; [lia|]. intros _. destruct HP2 as (new & x & E & H1 & H2); [exact H|].
        destruct (log_grows l s1 _ Hmv) as (new' & E'). exists (new' ++ new), x.
        split; [rewrite E', E; apply app_assoc|]. rewrite expanded_app, in_app_iff. auto.
    - intros l s1 Hx _. left. exact Hx.
    - right. split; [|lia]. intros _. split; [exact Ho|].
      exists [Sweep (limit s)]. split; [reflexivity|]. intros w [=]. }
  destruct HP as [HP|[_ HP]]; [auto|]. right. apply HP. lia.
Qed.

(** Claim [sweep-expands].  If o is a leaf at the start of a sweep, within the
    reach of the sweep, then the sweep expands some node x, at most as deep as
    o and at most as large in value (unless the budget runs out first). *)
Theorem sweep_expands s o :
  leaves_are_nodes s -> In o (places s) -> length o <= limit s ->
  exhausted (sweep s) = true \/
  exists new x, log (sweep s) = new ++ log s /\ In x (expanded new) /\
    length x <= length o /\ at_most less (value x) (value o).
Proof.
  (* The sweep is the case where [limit s] is the last depth. *)
  apply first_visits_expand.
 Qed.

End KeyLemma.

(** ** Progress *)

(** Claim [termination].  A sweep that expands nothing has met no leaf of depth at most h_max, and has
    changed nothing. *)
Theorem a_sweep_that_expands_nothing_met_a_full_tree s :
  leaves_are_nodes s -> exhausted s = false -> nu_min (sweep s) = None ->
  leaves (sweep s) = leaves s /\ made (sweep s) = made s /\
  forall x, In x (leaves s) -> h_max cfg < depth x.
Proof.
  intros Hn Hx Hnu.
  set (P := fun l s1 => nu_min s1 = None -> made s1 = made s /\ leaves s1 = leaves s /\
    forall x, In x (leaves s) -> l <= depth x).
  assert (HP : P (S (limit s)) (sweep s)).
  { apply (sweep_induction less oracle cfg P s Hn).
    - intros l s1 Hlim Hx1 Hn1 HP Hnu1.
      pose proof (visit_moves less oracle cfg l s1 Hx1 Hn1) as Hmv.
      destruct (HP (nu_is_kept l _ _ Hmv Hnu1)) as (H1 & H2 & H3).
      unfold Model.visit in Hnu1 |- *.
      pose proof (frozen_ok_classes l (begin_visit l s1)) as Hf. cbn [leaves] in Hf.
      destruct (classes l (leaves s1)) as [|[r ms] cs] eqn:Ec.
      + cbn. split; [exact H1|]. split; [exact H2|]. intros x Hin.
        specialize (H3 x Hin). enough (depth x <> l) by lia. intros E.
        rewrite <- H2 in Hin.
        destruct (every_leaf_of_the_depth_is_in_its_class l (leaves s1) x Hin E) as (ms & H & _).
        rewrite Ec in H. easy.
      + exfalso. unfold Steps.frozen_ok in Hf. cbn [begin_visit leaves] in Hf. rewrite Ec in Hf.
        rewrite visit_classes_cons in Hnu1. cbn [snd] in Hnu1.
        destruct Hf as [Hs Hm]. destruct (Hm r ms) as [Hne Hy]; [now left|].
        assert (Hc : nu_min (visit_class ms (begin_visit l s1)) = None).
        { eapply nu_is_kept; [|exact Hnu1]. apply visit_classes_moves.
          - eapply leaves_are_nodes_moves; [exact Hn1|].
            apply (moves_trans less oracle cfg l s1 (begin_visit l s1)).
            + apply moves_one, move_visit; auto.
            + apply visit_class_moves; auto.
              intros y H. destruct (Hy y H) as (? & ? & _). auto.
          - apply (frozen_ok_tail less oracle cfg l (r, ms)); [exact Hn1|]. split; auto. }
        destruct ms as [|x rest]; [easy|]. cbn [Model.visit_class] in Hc.
        assert (Hx1' : exhausted (begin_visit l s1) = false) by exact Hx1. rewrite Hx1' in Hc.
        assert (Hnu0 : nu_min (begin_visit l s1) = None) by exact (nu_is_kept l _ _ Hmv
          ltac:(unfold Model.visit; rewrite Ec, visit_classes_cons; exact Hnu1)).
        rewrite Hnu0 in Hc. cbn [below] in Hc.
        assert (Hin := argmin_in less x rest).
        rewrite (Hn1 _ (proj1 (Hy _ Hin))), expand_nu in Hc. discriminate.
    - intros l s1 Hx1 HP Hnu1. exfalso. destruct (HP Hnu1) as (H1 & _).
      unfold Model.exhausted in Hx, Hx1. rewrite H1 in Hx1. congruence.
    - intros _. repeat split; auto. intros; lia. }
  destruct (HP Hnu) as (H1 & H2 & H3). repeat split; auto. intros x Hin.
  specialize (H3 x Hin). pose proof (depth_le_deepest (leaves s) x Hin).
  unfold Model.limit in H3. lia.
Qed.

(** A sweep that expands something makes an evaluation. *)
Lemma a_sweep_that_expands_evaluates s :
  1 <= k -> leaves_are_nodes s -> nu_min (sweep s) <> None -> made s < made (sweep s).
Proof.
  intros Hk Hn Hnu.
  assert (H : made s <= made (sweep s) /\ (nu_min (sweep s) = None \/ made s < made (sweep s))).
  { pose proof (sweep_moves less oracle cfg s Hn) as H. revert H. generalize (sweep s).
    refine (moves_induction less oracle cfg _ _ _ _ _ _); auto.
    intros q s1 H1 H2 H3 H4 [H5 _]. rewrite expand_made.
    pose proof (performed_nonempty less oracle cfg q s1 Hk H1). split; [lia|right; lia]. }
  tauto.
Qed.

End Sweep.
