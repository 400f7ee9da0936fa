(** * Replacing a leaf, and the classes of a depth. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes.
Import ListNotations.
Open Scope nat_scope.

Section Classes.

Context {V : Type} (less : V -> V -> bool).

(** ** Replacing a leaf *)

Lemma same_path_iff p q : same_path p q = true <-> p = q.
Proof.
  revert q; induction p as [|a p IH]; intros [|b q]; cbn; split; intros H; try easy.
  - apply andb_true_iff in H. destruct H as [H%Nat.eqb_eq H2%IH]. congruence.
  - injection H as -> ->. rewrite Nat.eqb_refl. now apply IH.
Qed.

Lemma replace_leaf_split q new (xs : list (leaf V)) :
  In q (map place xs) ->
  exists l1 x l2, xs = l1 ++ x :: l2 /\ place x = q /\
    replace_leaf q new xs = l1 ++ new ++ l2.
Proof.
  induction xs as [|x xs IH]; cbn; [easy|]. intros H.
  destruct (same_path (place x) q) eqn:E.
  - apply same_path_iff in E. exists [], x, xs. auto.
  - destruct H as [H|H]; [apply same_path_iff in H; congruence|].
    destruct (IH H) as (l1 & y & l2 & -> & Hy & ->). exists (x :: l1), y, l2. auto.
Qed.

Lemma in_replace_leaf q new (xs : list (leaf V)) y :
  In y (replace_leaf q new xs) -> In y new \/ In y xs.
Proof.
  induction xs as [|x xs IH]; cbn; [easy|].
  destruct (same_path (place x) q).
  - intros [H|H]%in_app_or; auto.
  - intros [H|H]; [auto|]. destruct (IH H); auto.
Qed.

Lemma replace_leaf_keeps q new (xs : list (leaf V)) y :
  In y xs -> place y <> q -> In y (replace_leaf q new xs).
Proof.
  induction xs as [|x xs IH]; cbn; [easy|]. intros H Hq.
  destruct (same_path (place x) q) eqn:E.
  - apply same_path_iff in E. destruct H as [->|H]; [easy|]. apply in_or_app. auto.
  - destruct H as [->|H]; [now left|right; auto].
Qed.

(** ** Classes *)

Lemma add_to_classes_fst x (cs : list (Z * list (leaf V))) r ms :
  In (r, ms) (add_to_classes x cs) ->
  (r = norm x /\ (ms = [x] \/ exists ms', In (r, ms') cs /\ ms = x :: ms')) \/ In (r, ms) cs.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn.
  - intros [[= <- <-]|[]]. left. auto.
  - destruct (norm x =? r0)%Z eqn:E.
    + apply Z.eqb_eq in E. intros [[= <- <-]|H]; [|auto].
      left. split; [auto|]. right. exists ms0. auto.
    + destruct (r0 <? norm x)%Z.
      * intros [[= <- <-]|H]; [left; auto|right; exact H].
      * intros [H|H]; [right; auto|].
        destruct (IH H) as [(E1 & [E2|(ms' & H1 & H2)])|H1]; auto.
        left. split; [auto|]. right. exists ms'. auto.
Qed.

Lemma add_to_classes_keeps x (cs : list (Z * list (leaf V))) r ms y :
  In (r, ms) cs -> In y ms -> exists ms', In (r, ms') (add_to_classes x cs) /\ In y ms'.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn; [easy|].
  destruct (norm x =? r0)%Z eqn:E.
  - intros [[= -> ->]|H] Hy.
    + exists (x :: ms). cbn. auto.
    + exists ms. cbn. auto.
  - destruct (r0 <? norm x)%Z.
    + intros H Hy. exists ms. cbn. auto.
    + intros [[= -> ->]|H] Hy; [exists ms; cbn; auto|].
      destruct (IH H Hy) as (ms' & H1 & H2). exists ms'. cbn. auto.
Qed.

Lemma add_to_classes_new x (cs : list (Z * list (leaf V))) :
  exists ms, In (norm x, ms) (add_to_classes x cs) /\ In x ms.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn.
  - exists [x]. cbn. auto.
  - destruct (norm x =? r0)%Z eqn:E.
    + apply Z.eqb_eq in E. subst. exists (x :: ms0). cbn. auto.
    + destruct (r0 <? norm x)%Z; [exists [x]; cbn; auto|].
      destruct IH as (ms & H1 & H2). exists ms. cbn. auto.
Qed.

Definition larger_norm (a b : Z * list (leaf V)) : Prop := (fst b < fst a)%Z.

Lemma add_to_classes_sorted x (cs : list (Z * list (leaf V))) :
  StronglySorted larger_norm cs -> StronglySorted larger_norm (add_to_classes x cs).
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn.
  - repeat constructor.
  - destruct (norm x =? r0)%Z eqn:E.
    + constructor; [exact Hs|]. eapply Forall_impl; [|exact Hf]. auto.
    + apply Z.eqb_neq in E. destruct (r0 <? norm x)%Z eqn:L.
      * apply Z.ltb_lt in L. constructor; [now constructor|].
        constructor; [exact L|]. eapply Forall_impl; [|exact Hf].
        unfold larger_norm. cbn. lia.
      * apply Z.ltb_ge in L. constructor; [exact IH|].
        apply Forall_forall. intros [r ms] Hin. rewrite Forall_forall in Hf.
        unfold larger_norm. cbn.
        destruct (add_to_classes_fst _ _ _ _ Hin) as [(-> & _)|Hin']; [lia|].
        apply (Hf _ Hin').
Qed.

(** Claims [norm-classes] [alg1-line-4].  The classes of a visit come largest norm first, each norm once. *)
Theorem classes_come_largest_norm_first l (xs : list (leaf V)) :
  StronglySorted larger_norm (classes l xs).
Proof.
  induction xs as [|x xs IH]; cbn; [constructor|].
  destruct (depth x =? l); [now apply add_to_classes_sorted|exact IH].
Qed.

(** Claims [leaves-by-depth] [norms-of-depth].  Every leaf of the depth is in the class of its norm. *)
Theorem every_leaf_of_the_depth_is_in_its_class l (xs : list (leaf V)) x :
  In x xs -> depth x = l -> exists members, In (norm x, members) (classes l xs) /\ In x members.
Proof.
  induction xs as [|y xs IH]; cbn; [easy|]. intros [->|H] Hd.
  - rewrite (proj2 (Nat.eqb_eq _ _) Hd). apply add_to_classes_new.
  - destruct (IH H Hd) as (ms & H1 & H2).
    destruct (depth y =? l); [|eauto]. eapply add_to_classes_keeps; eauto.
Qed.

(** Claims [leaves-by-depth] [norms-of-depth].  A class is not empty and holds only leaves of the
    visited depth and of its own norm. *)
Theorem classes_hold_only_leaves_of_their_depth_and_norm l (xs : list (leaf V)) r members :
  In (r, members) (classes l xs) ->
  members <> [] /\
  (forall x, In x members -> In x xs /\ depth x = l /\ norm x = r).
Proof.
  revert r members; induction xs as [|y xs IH]; cbn; [easy|]. intros r ms.
  destruct (depth y =? l) eqn:E.
  - apply Nat.eqb_eq in E. intros H.
    destruct (add_to_classes_fst _ _ _ _ H) as [(-> & [->|(ms' & H1 & ->)])|H1].
    + split; [easy|]. intros x [<-|[]]. auto.
    + split; [easy|]. destruct (IH _ _ H1) as [_ H2].
      intros x [<-|Hx]; [auto|]. destruct (H2 x Hx) as (? & ? & ?). auto.
    + destruct (IH _ _ H1) as [Hne H2]. split; [exact Hne|].
      intros x Hx. destruct (H2 x Hx) as (? & ? & ?). auto.
  - intros H1. destruct (IH _ _ H1) as [Hne H2]. split; [exact Hne|].
    intros x Hx. destruct (H2 x Hx) as (? & ? & ?). auto.
Qed.

Lemma argmin_in x (rest : list (leaf V)) : In (argmin less x rest) (x :: rest).
Proof.
  revert x; induction rest as [|y rest IH]; intros x; cbn [argmin]; [now left|].
  destruct (less (best y) (best x)).
  - right. apply IH.
  - destruct (IH x) as [H|H]; [now left|right; now right].
Qed.

End Classes.
