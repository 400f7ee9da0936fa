(** * Frozen classes: when its turn comes, a class is what it was when the visit began. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Steps.
Import ListNotations.
Open Scope nat_scope.

Section Frozen.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation node_at := (node_at less oracle cfg).
Local Notation visit_class := (visit_class less oracle cfg).
Local Notation visit_classes := (visit_classes less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).

(** The leaves of depth [l] and norm [r], left to right. *)
Definition class_now (l : nat) (r : Z) (xs : list (leaf V)) : list (leaf V) :=
  filter (fun x => (depth x =? l) && (norm x =? r)%Z) xs.

Lemma add_to_classes_other x (cs : list (Z * list (leaf V))) r ms :
  norm x <> r -> In (r, ms) (add_to_classes x cs) <-> In (r, ms) cs.
Proof.
  intros Hr. induction cs as [|[r0 ms0] cs IH]; cbn.
  - split; [|easy]. intros [[= E _]|[]]. easy.
  - destruct (Z.eqb_spec (norm x) r0) as [E|E].
    + cbn. split; (intros [[= E' _]|H]; [congruence|auto]).
    + destruct (r0 <? norm x)%Z; cbn.
      * split; [intros [[= E' _]|H]; [easy|exact H]|auto].
      * rewrite IH. reflexivity.
Qed.

Lemma add_to_classes_own x (cs : list (Z * list (leaf V))) ms :
  StronglySorted larger_norm cs -> In (norm x, ms) (add_to_classes x cs) ->
  exists ms', ms = x :: ms' /\ (In (norm x, ms') cs \/ ms' = [] /\ forall ms'', ~ In (norm x, ms'') cs).
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn; intros Hin.
  - destruct Hin as [[= <-]|[]]. exists []. auto.
  - rewrite Forall_forall in Hf.
    assert (Hsmall : forall ms'', In (norm x, ms'') cs -> (norm x < r0)%Z).
    { intros ms'' H. apply (Hf _ H). }
    destruct (Z.eqb_spec (norm x) r0) as [E|E].
    + destruct Hin as [[= _ <-]|Hin].
      * exists ms0. split; [reflexivity|]. left. left. congruence.
      * specialize (Hsmall _ Hin). lia.
    + destruct (Z.ltb_spec r0 (norm x)).
      * destruct Hin as [[= <-]|[[= E2 _]|Hin]]; [|congruence|specialize (Hsmall _ Hin); lia].
        exists []. split; [reflexivity|]. right. split; [reflexivity|].
        intros ms'' [[= E2 _]|H']; [congruence|specialize (Hsmall _ H'); lia].
      * destruct Hin as [[= E2 _]|Hin]; [congruence|].
        destruct (IH Hin) as (ms' & -> & H2). exists ms'. split; [reflexivity|].
        destruct H2 as [H2|[-> H2]]; [auto|]. right. split; [reflexivity|].
        intros ms'' [[= E2 _]|H']; [congruence|]. now apply (H2 ms'').
Qed.

(** A class holds all leaves of its depth and norm, in spatial order. *)
Lemma class_is_class_now l (xs : list (leaf V)) r ms :
  In (r, ms) (classes l xs) -> ms = class_now l r xs.
Proof.
  revert r ms; induction xs as [|x xs IH]; intros r ms Hin; [easy|].
  cbn [classes class_now filter] in *. fold (class_now l r xs).
  destruct (depth x =? l) eqn:Ed; cbn [andb]; [|now apply IH].
  destruct (Z.eqb_spec (norm x) r) as [<-|N].
  - destruct (add_to_classes_own x (classes l xs) ms) as (ms' & -> & [H|[-> H]]).
    + apply classes_come_largest_norm_first.
    + exact Hin.
    + f_equal. now apply IH.
    + f_equal. unfold class_now. apply Nat.eqb_eq in Ed.
      destruct (filter (fun x0 => (depth x0 =? l) && (norm x0 =? norm x)%Z) xs) as [|y ys] eqn:E;
        [reflexivity|].
      exfalso. assert (Hy : In y (y :: ys)) by now left. rewrite <- E in Hy.
      apply filter_In in Hy. destruct Hy as [Hy Hc]. apply andb_true_iff in Hc.
      destruct Hc as [Hc1%Nat.eqb_eq Hc2%Z.eqb_eq].
      destruct (every_leaf_of_the_depth_is_in_its_class l xs y Hy Hc1) as (ms'' & H1 & _).
      rewrite Hc2 in H1. now apply (H ms'').
  - apply IH. now apply (add_to_classes_other x (classes l xs) r ms).
Qed.

Lemma class_now_replace l r q new (xs : list (leaf V)) :
  (forall x, In x xs -> place x = q -> norm x <> r) ->
  (forall y, In y new -> depth y <> l) ->
  class_now l r (replace_leaf q new xs) = class_now l r xs.
Proof.
  intros Hq Hnew. induction xs as [|x xs IH]; [reflexivity|]. cbn [replace_leaf].
  destruct (same_path (place x) q) eqn:E.
  - apply same_path_iff in E. unfold class_now. rewrite filter_app. cbn [filter].
    rewrite (proj2 (Z.eqb_neq _ _) (Hq x (or_introl eq_refl) E)), andb_false_r.
    replace (filter (fun x0 => (depth x0 =? l) && (norm x0 =? r)%Z) new) with (@nil (leaf V));
      [reflexivity|].
    symmetry. clear - Hnew. induction new as [|y new IH]; [reflexivity|]. cbn [filter].
    rewrite (proj2 (Nat.eqb_neq _ _) (Hnew y (or_introl eq_refl))). cbn [andb]. apply IH.
    intros z Hz. apply Hnew. now right.
  - cbn [class_now filter]. fold (class_now l r xs) (class_now l r (replace_leaf q new xs)).
    rewrite IH by (intros y Hy; apply Hq; now right). reflexivity.
Qed.

(** Claims [frozen-classes] [alg1-line-4].  When a class's turn comes, its frozen members are exactly the leaves of its
    depth and norm that T has at that moment, in spatial order: what was expanded before in the visit touched other
    norms and made deeper leaves only. *)
Theorem a_frozen_class_is_current_when_its_turn_comes l s before r members after :
  leaves_are_nodes s ->
  classes l (leaves s) = before ++ (r, members) :: after ->
  members = class_now l r (leaves (visit_classes before (begin_visit l s))).
Proof.
  intros Hn Ec.
  assert (H0 : members = class_now l r (leaves s)).
  { apply class_is_class_now. rewrite Ec, in_app_iff. cbn. auto. }
  rewrite H0. symmetry.
  assert (Hf : frozen_ok l (before ++ (r, members) :: after) (begin_visit l s)).
  { rewrite <- Ec. exact (frozen_ok_classes l (begin_visit l s)). }
  change (class_now l r (leaves (visit_classes before (begin_visit l s))) =
    class_now l r (leaves (begin_visit l s))).
  assert (Hn' : leaves_are_nodes (begin_visit l s)) by exact Hn.
  revert Hf Hn'. generalize (begin_visit l s). clear.
  induction before as [|c cs IH]; intros s Hf Hn; [reflexivity|].
  rewrite visit_classes_cons. destruct c as [r0 ms0]. cbn [snd].
  pose proof Hf as [Hs Hm]. destruct (Hm r0 ms0) as [Hne Hx]; [now left|].
  assert (Hr : r <> r0).
  { cbn [app] in Hs. inversion Hs as [|? ? _ Hall]; subst. rewrite Forall_forall in Hall.
    specialize (Hall (r, members)). unfold larger_norm in Hall. cbn in Hall.
    specialize (Hall ltac:(rewrite in_app_iff; cbn; auto)). lia. }
  rewrite IH.
  - destruct (visit_class_cases less oracle cfg ms0 s Hne Hn (fun y Hy => proj1 (Hx y Hy)))
      as [-> |(q & Hq & _ & _ & _ & ->)]; [reflexivity|].
    rewrite expand_leaves. destruct (affordable less oracle cfg q s); [|reflexivity].
    destruct (Hx _ Hq) as (H1 & H2 & H3). apply class_now_replace.
    + intros x Hxin Ex. rewrite (Hn x Hxin), Ex. congruence.
    + intros y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp).
      apply in_children in Hp. destruct Hp as (c & _ & ->).
      rewrite depth_node_at in *. cbn [length]. lia.
  - apply (frozen_ok_tail less oracle cfg l (r0, ms0)); [exact Hn|exact Hf].
  - eapply leaves_are_nodes_moves; [exact Hn|]. apply (visit_class_moves less oracle cfg l); auto.
    intros y Hy. now destruct (Hx y Hy) as (? & ? & _).
Qed.

End Frozen.
