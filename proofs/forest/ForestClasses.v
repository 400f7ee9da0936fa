(** * The classes of a visit of a forest: by queue, and in each queue by rank, each once. *)

From Coq Require Import List ZArith Bool Arith Lia Sorted.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order Forest ForestNodes.
Import ListNotations.
Open Scope nat_scope.

Section ForestClasses.

Context {V : Type} (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation key := (key queue rank).
Local Notation add_to_classes := (Forest.add_to_classes queue rank).
Local Notation classes := (Forest.classes queue rank).

Lemma same_key_iff a b : same_key a b = true <-> a = b.
Proof.
  destruct a as [u r], b as [u' r']. unfold same_key. cbn [fst snd].
  rewrite andb_true_iff, Nat.eqb_eq, Z.eqb_eq. split; [intros [-> ->]; reflexivity|intros [= -> ->]; auto].
Qed.

Definition before (a b : (nat * Z) * list (leaf V)) : Prop := earlier (fst a) (fst b) = true.

Lemma earlier_iff a b : earlier a b = true <-> fst a < fst b \/ fst a = fst b /\ (snd b < snd a)%Z.
Proof.
  unfold earlier. rewrite orb_true_iff, andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, Z.ltb_lt. reflexivity.
Qed.

Lemma earlier_or_later a b : same_key a b = false -> earlier a b = false -> earlier b a = true.
Proof.
  destruct a as [u r], b as [u' r']. unfold same_key, earlier. cbn [fst snd].
  intros H1 H2. apply andb_false_iff in H1. apply orb_false_iff in H2. destruct H2 as [H2 H3].
  apply Nat.ltb_ge in H2. apply andb_false_iff in H3. rewrite Nat.eqb_neq, Z.eqb_neq in H1.
  rewrite Nat.eqb_neq, Z.ltb_ge in H3. apply orb_true_iff. rewrite andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, Z.ltb_lt.
  lia.
Qed.

Lemma add_to_classes_from x cs r ms :
  In (r, ms) (add_to_classes x cs) ->
  (r = key x /\ (ms = [x] \/ exists ms', In (r, ms') cs /\ ms = x :: ms')) \/ In (r, ms) cs.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [Forest.add_to_classes].
  - intros [[= <- <-]|[]]. left. auto.
  - destruct (same_key (key x) r0) eqn:E.
    + apply same_key_iff in E. intros [[= <- <-]|H]; [|right; now right].
      left. split; [auto|]. right. exists ms0. split; [now left|reflexivity].
    + destruct (earlier (key x) r0).
      * intros [[= <- <-]|H]; [left; auto|right; exact H].
      * intros [H|H]; [right; now left|].
        destruct (IH H) as [(E1 & [E2|(ms' & H1 & H2)])|H1]; [left; auto| |right; now right].
        left. split; [auto|]. right. exists ms'. split; [now right|exact H2].
Qed.

Lemma add_to_classes_keeps x cs r ms y :
  In (r, ms) cs -> In y ms -> exists ms', In (r, ms') (add_to_classes x cs) /\ In y ms'.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [Forest.add_to_classes]; [easy|].
  destruct (same_key (key x) r0).
  - intros [[= -> ->]|H] Hy; [exists (x :: ms); cbn; auto|exists ms; cbn; auto].
  - destruct (earlier (key x) r0).
    + intros H Hy. exists ms. cbn. auto.
    + intros [[= -> ->]|H] Hy; [exists ms; cbn; auto|].
      destruct (IH H Hy) as (ms' & H1 & H2). exists ms'. cbn. auto.
Qed.

Lemma add_to_classes_new x cs : exists ms, In (key x, ms) (add_to_classes x cs) /\ In x ms.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [Forest.add_to_classes].
  - exists [x]. cbn. auto.
  - destruct (same_key (key x) r0) eqn:E.
    + apply same_key_iff in E. subst. exists (x :: ms0). cbn. auto.
    + destruct (earlier (key x) r0); [exists [x]; cbn; auto|].
      destruct IH as (ms & H1 & H2). exists ms. cbn. auto.
Qed.

Lemma add_to_classes_sorted x cs : StronglySorted before cs -> StronglySorted before (add_to_classes x cs).
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn [Forest.add_to_classes]; [repeat constructor|].
  destruct (same_key (key x) r0) eqn:E.
  - constructor; [exact Hs|]. eapply Forall_impl; [|exact Hf]. auto.
  - destruct (earlier (key x) r0) eqn:L.
    + constructor; [now constructor|]. constructor; [exact L|].
      eapply Forall_impl; [|exact Hf]. unfold before. cbn [fst]. intros a Ha.
      rewrite earlier_iff in *. lia.
    + constructor; [exact IH|]. apply Forall_forall. intros [r ms] Hin. rewrite Forall_forall in Hf.
      unfold before. cbn [fst].
      destruct (add_to_classes_from _ _ _ _ Hin) as [(-> & _)|Hin']; [now apply earlier_or_later|].
      apply (Hf _ Hin').
Qed.

Lemma classes_sorted l xs : StronglySorted before (classes l xs).
Proof.
  induction xs as [|x xs IH]; cbn [Forest.classes]; [constructor|].
  destruct (depth x =? l); [now apply add_to_classes_sorted|exact IH].
Qed.

Lemma every_leaf_is_in_its_class l xs x :
  In x xs -> depth x = l -> exists members, In (key x, members) (classes l xs) /\ In x members.
Proof.
  induction xs as [|y xs IH]; cbn [Forest.classes]; [easy|]. intros [->|H] Hd.
  - rewrite (proj2 (Nat.eqb_eq _ _) Hd). apply add_to_classes_new.
  - destruct (IH H Hd) as (ms & H1 & H2).
    destruct (depth y =? l); [|eauto]. eapply add_to_classes_keeps; eauto.
Qed.

Lemma classes_hold_only_their_leaves l xs r members :
  In (r, members) (classes l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ key x = r).
Proof.
  revert r members; induction xs as [|y xs IH]; cbn [Forest.classes]; [easy|]. intros r ms.
  destruct (depth y =? l) eqn:E.
  - apply Nat.eqb_eq in E. intros H.
    destruct (add_to_classes_from _ _ _ _ H) as [(-> & [->|(ms' & H1 & ->)])|H1].
    + split; [easy|]. intros x [<-|[]]. cbn. auto.
    + split; [easy|]. destruct (IH _ _ H1) as [_ H2].
      intros x [<-|Hx]; [cbn; auto|]. destruct (H2 x Hx) as (? & ? & ?). cbn. auto.
    + destruct (IH _ _ H1) as [Hne H2]. split; [exact Hne|].
      intros x Hx. destruct (H2 x Hx) as (? & ? & ?). cbn. auto.
  - intros H1. destruct (IH _ _ H1) as [Hne H2]. split; [exact Hne|].
    intros x Hx. destruct (H2 x Hx) as (? & ? & ?). cbn. auto.
Qed.

End ForestClasses.
