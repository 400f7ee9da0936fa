(** * The classes of a visit: in their order, each once, with all leaves of the depth. *)

From EmbeddedHunter Require Import Lists.

(** What classes need of their order. *)
Record class_order {class : Type} (same earlier : class -> class -> bool) : Prop := ClassOrder {
  same_iff : forall a b, same a b = true <-> a = b;
  earlier_irreflexive : forall a, earlier a a = false;
  earlier_transitive : forall a b c, earlier a b = true -> earlier b c = true -> earlier a c = true;
  earlier_or_later : forall a b, same a b = false -> earlier a b = false -> earlier b a = true
}.

Section SearchClasses.

Context {leaf class : Type} (depth : leaf -> nat) (class_of : leaf -> class) (same earlier : class -> class -> bool).

Fixpoint add_to_classes (x : leaf) (classes : list (class * list leaf)) : list (class * list leaf) :=
  match classes with
  | [] => [(class_of x, [x])]
  | (r, members) :: rest =>
      if same (class_of x) r then (r, x :: members) :: rest
      else if earlier (class_of x) r then (class_of x, [x]) :: classes
      else (r, members) :: add_to_classes x rest
  end.

(** The leaves over which a sweep ranges. *)
Context (p : leaf -> bool).

(** The classes of the leaves [xs] of depth [l]. *)
Fixpoint classes (l : nat) (xs : list leaf) : list (class * list leaf) :=
  match xs with
  | [] => []
  | x :: rest =>
      if depth x =? l then if p x then add_to_classes x (classes l rest) else classes l rest
      else classes l rest
  end.

Hypothesis O : class_order same earlier.

Definition before (a b : class * list leaf) : Prop := earlier (fst a) (fst b) = true.

Lemma add_to_classes_from x cs r ms :
  In (r, ms) (add_to_classes x cs) ->
  (r = class_of x /\ (ms = [x] \/ exists ms', In (r, ms') cs /\ ms = x :: ms')) \/ In (r, ms) cs.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [add_to_classes].
  - intros [[= <- <-]|[]]. left. auto.
  - destruct (same (class_of x) r0) eqn:E.
    + apply (same_iff _ _ O) in E. intros [[= <- <-]|H]; [|right; now right].
      left. split; [auto|]. right. exists ms0. split; [now left|reflexivity].
    + destruct (earlier (class_of x) r0).
      * intros [[= <- <-]|H]; [left; auto|right; exact H].
      * intros [H|H]; [right; now left|].
        destruct (IH H) as [(E1 & [E2|(ms' & H1 & H2)])|H1]; [left; auto| |right; now right].
        left. split; [auto|]. right. exists ms'. split; [now right|exact H2].
Qed.

Lemma add_to_classes_keeps x cs r ms y :
  In (r, ms) cs -> In y ms -> exists ms', In (r, ms') (add_to_classes x cs) /\ In y ms'.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [add_to_classes]; [easy|].
  destruct (same (class_of x) r0).
  - intros [[= -> ->]|H] Hy; [exists (x :: ms); cbn; auto|exists ms; cbn; auto].
  - destruct (earlier (class_of x) r0).
    + intros H Hy. exists ms. cbn. auto.
    + intros [[= -> ->]|H] Hy; [exists ms; cbn; auto|].
      destruct (IH H Hy) as (ms' & H1 & H2). exists ms'. cbn. auto.
Qed.

Lemma add_to_classes_new x cs : exists ms, In (class_of x, ms) (add_to_classes x cs) /\ In x ms.
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [add_to_classes].
  - exists [x]. cbn. auto.
  - destruct (same (class_of x) r0) eqn:E.
    + apply (same_iff _ _ O) in E. subst. exists (x :: ms0). cbn. auto.
    + destruct (earlier (class_of x) r0); [exists [x]; cbn; auto|].
      destruct IH as (ms & H1 & H2). exists ms. cbn. auto.
Qed.

Lemma add_to_classes_sorted x cs : StronglySorted before cs -> StronglySorted before (add_to_classes x cs).
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn [add_to_classes]; [repeat constructor|].
  destruct (same (class_of x) r0) eqn:E.
  - constructor; [exact Hs|]. eapply Forall_impl; [|exact Hf]. auto.
  - destruct (earlier (class_of x) r0) eqn:E'.
    + constructor; [now constructor|]. constructor; [exact E'|].
      eapply Forall_impl; [|exact Hf]. intros a. now apply (earlier_transitive _ _ O).
    + constructor; [exact IH|]. apply Forall_forall. intros [r ms] Hin. rewrite Forall_forall in Hf.
      unfold before. cbn [fst].
      destruct (add_to_classes_from _ _ _ _ Hin) as [(-> & _)|Hin']; [now apply (earlier_or_later _ _ O)|].
      apply (Hf _ Hin').
Qed.

Lemma classes_sorted l xs : StronglySorted before (classes l xs).
Proof.
  induction xs as [|x xs IH]; cbn [classes]; [constructor|].
  destruct (depth x =? l); [destruct (p x)|]; [now apply add_to_classes_sorted|exact IH|exact IH].
Qed.

Lemma every_leaf_is_in_its_class l xs x :
  In x xs -> depth x = l -> p x = true -> exists members, In (class_of x, members) (classes l xs) /\ In x members.
Proof.
  induction xs as [|y xs IH]; cbn [classes]; [easy|]. intros [->|H] Hd Hp.
  - rewrite (proj2 (Nat.eqb_eq _ _) Hd), Hp. apply add_to_classes_new.
  - destruct (IH H Hd Hp) as (ms & H1 & H2).
    destruct (depth y =? l); [destruct (p y)|]; eauto. eapply add_to_classes_keeps; eauto.
Qed.

Lemma classes_hold_only_their_leaves l xs r members :
  In (r, members) (classes l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ p x = true /\ class_of x = r).
Proof.
  revert r members; induction xs as [|y xs IH]; cbn [classes]; [easy|]. intros r ms.
  assert (Hold : In (r, ms) (classes l xs) -> ms <> [] /\ (forall x, In x ms ->
    In x (y :: xs) /\ depth x = l /\ p x = true /\ class_of x = r)).
  { intros H. destruct (IH _ _ H) as [Hne H1]. split; [exact Hne|]. intros x Hx. destruct (H1 x Hx). cbn. auto. }
  destruct (depth y =? l) eqn:E; [destruct (p y) eqn:Ep|]; auto. apply Nat.eqb_eq in E. intros H.
  destruct (add_to_classes_from _ _ _ _ H) as [(-> & [->|(ms' & H1 & ->)])|H1]; auto.
  - split; [easy|]. intros x [<-|[]]. cbn. auto.
  - split; [easy|]. destruct (IH _ _ H1) as [_ H2]. intros x [<-|Hx]; cbn; [auto|]. destruct (H2 x Hx). auto.
Qed.

(** ** A class is a filter *)

(** The leaves of depth [l] and class [r], left to right. *)
Definition class_now (l : nat) (r : class) (xs : list leaf) : list leaf :=
  filter (fun x => (depth x =? l) && (p x && same (class_of x) r)) xs.

Lemma add_to_classes_members x cs r ms :
  StronglySorted before cs -> In (r, ms) (add_to_classes x cs) ->
  if same (class_of x) r then
    exists ms', ms = x :: ms' /\ (In (r, ms') cs \/ ms' = [] /\ forall ms'', ~ In (r, ms'') cs)
  else In (r, ms) cs.
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn [add_to_classes]; intros Hin.
  - destruct Hin as [[= <- <-]|[]]. rewrite (proj2 (same_iff _ _ O _ _) eq_refl). exists []. auto.
  - rewrite Forall_forall in Hf. pose proof (earlier_irreflexive _ _ O) as Hirr.
    assert (Hlater : forall r' ms', In (r', ms') cs -> earlier r0 r' = true) by (intros r' ms' H; exact (Hf _ H)).
    destruct (same (class_of x) r0) eqn:E.
    + apply (same_iff _ _ O) in E. subst r0. destruct Hin as [[= <- <-]|Hin].
      * rewrite (proj2 (same_iff _ _ O _ _) eq_refl). exists ms0. split; [reflexivity|]. left. now left.
      * destruct (same (class_of x) r) eqn:E; [|now right]. apply (same_iff _ _ O) in E. subst r.
        pose proof (Hlater _ _ Hin). rewrite Hirr in *. discriminate.
    + destruct (earlier (class_of x) r0) eqn:E'.
      * destruct Hin as [[= <- <-]|Hin].
        -- rewrite (proj2 (same_iff _ _ O _ _) eq_refl). exists []. split; [reflexivity|]. right. split; [reflexivity|].
           intros ms'' [[= -> _]|H]; [now rewrite Hirr in E'|].
           pose proof (earlier_transitive _ _ O _ _ _ E' (Hlater _ _ H)). rewrite Hirr in *. discriminate.
        -- destruct (same (class_of x) r) eqn:E2; [|exact Hin]. apply (same_iff _ _ O) in E2. subst r. exfalso.
           destruct Hin as [[= -> _]|H]; [now rewrite Hirr in E'|].
           pose proof (earlier_transitive _ _ O _ _ _ E' (Hlater _ _ H)). rewrite Hirr in *. discriminate.
      * destruct Hin as [[= -> ->]|Hin]; [rewrite E; now left|]. specialize (IH Hin).
        destruct (same (class_of x) r) eqn:E2; [|now right]. destruct IH as (ms' & H1 & H2). exists ms'.
        split; [exact H1|]. destruct H2 as [H2|[H2 H3]]; [left; now right|right]. split; [exact H2|].
        intros ms'' [[= -> _]|H]; [congruence|exact (H3 _ H)].
Qed.

Lemma class_is_class_now l xs r ms : In (r, ms) (classes l xs) -> ms = class_now l r xs.
Proof.
  revert r ms; induction xs as [|x xs IH]; intros r ms; [easy|]. cbn [classes class_now filter].
  destruct (depth x =? l) eqn:Ed; [destruct (p x) eqn:Ep|]; cbn [andb]; try exact (IH r ms). intros Hin.
  pose proof (add_to_classes_members _ _ _ _ (classes_sorted l xs) Hin) as H.
  destruct (same (class_of x) r) eqn:E; [|now apply IH]. destruct H as (ms' & -> & [H|[-> H]]).
  - f_equal. now apply IH.
  - f_equal. fold (class_now l r xs). destruct (class_now l r xs) as [|y ys] eqn:Ey; [reflexivity|]. exfalso.
    assert (Hy : In y (class_now l r xs)) by (rewrite Ey; now left). apply filter_In in Hy.
    destruct Hy as [Hy Hc]. apply andb_true_iff in Hc. destruct Hc as [Hc1%Nat.eqb_eq Hc].
    apply andb_true_iff in Hc. destruct Hc as [Hc2 Hc3%(same_iff _ _ O)]. subst r.
    destruct (every_leaf_is_in_its_class l xs y Hy Hc1 Hc2) as (ms'' & H1 & _). exact (H _ H1).
Qed.

(** The order of the leaves is kept in a class. *)
Lemma classes_stay_sorted (R : leaf -> leaf -> Prop) l xs :
  StronglySorted R xs -> forall r ms, In (r, ms) (classes l xs) -> StronglySorted R ms.
Proof. intros H r ms Hin. rewrite (class_is_class_now l xs r ms Hin). now apply strongly_sorted_filter. Qed.

End SearchClasses.
