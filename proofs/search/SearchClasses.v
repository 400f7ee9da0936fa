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

Lemma add_to_classes_adds x cs r : In r (map fst (add_to_classes x cs)) <-> r = class_of x \/ In r (map fst cs).
Proof.
  induction cs as [|[r0 ms0] cs IH]; cbn [add_to_classes]; [cbn; intuition congruence|].
  destruct (same (class_of x) r0) eqn:E; [apply (same_iff _ _ O) in E as <-; cbn; intuition congruence|].
  destruct (earlier (class_of x) r0); cbn [map fst In]; [intuition congruence|]. rewrite IH. tauto.
Qed.

Lemma add_to_classes_sorted x cs : StronglySorted before cs -> StronglySorted before (add_to_classes x cs).
Proof.
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn [add_to_classes]; [repeat constructor|].
  destruct (same (class_of x) r0) eqn:E.
  - constructor; [exact Hs|]. eapply Forall_impl; [|exact Hf]. auto.
  - destruct (earlier (class_of x) r0) eqn:E'.
    + constructor; [now constructor|]. constructor; [exact E'|].
      eapply Forall_impl; [|exact Hf]. intros a. now apply (earlier_transitive _ _ O).
    + constructor; [exact IH|]. apply Forall_forall. intros c Hin%(in_map fst). rewrite Forall_forall in Hf. unfold before.
      apply add_to_classes_adds in Hin. destruct Hin as [->|Hin]; [now apply (earlier_or_later _ _ O)|].
      apply in_map_iff in Hin. destruct Hin as (c' & <- & Hin). exact (Hf c' Hin).
Qed.

Lemma classes_sorted l xs : StronglySorted before (classes l xs).
Proof.
  induction xs as [|x xs IH]; cbn [classes]; [constructor|].
  destruct (depth x =? l); [destruct (p x)|]; [now apply add_to_classes_sorted|exact IH|exact IH].
Qed.

(** ** A class is a filter *)

(** The leaves of depth [l] and class [r], left to right. *)
Definition class_now (l : nat) (r : class) (xs : list leaf) : list leaf :=
  filter (fun x => (depth x =? l) && (p x && same (class_of x) r)) xs.

(** Of the class r a list of classes holds the leaves f r. *)
Lemma add_to_classes_members x (f : class -> list leaf) cs : StronglySorted before cs -> (forall r ms, In (r, ms) cs -> ms = f r) ->
  (~ In (class_of x) (map fst cs) -> f (class_of x) = []) ->
  forall r ms, In (r, ms) (add_to_classes x cs) -> ms = if same (class_of x) r then x :: f r else f r.
Proof.
  pose proof (earlier_irreflexive _ _ O) as Hirr. pose proof (fun r => proj2 (same_iff _ _ O r r) eq_refl) as Hsame.
  assert (Apart : forall r, earlier (class_of x) r = true \/ earlier r (class_of x) = true -> same (class_of x) r = false).
  { intros r [H|H]; destruct (same (class_of x) r) eqn:E; trivial; apply (same_iff _ _ O) in E as <-; now rewrite Hirr in H. }
  induction 1 as [|[r0 ms0] cs Hs IH Hf]; cbn [add_to_classes]; intros Hcs Hnew r ms.
  - intros [[= <- <-]|[]]. now rewrite Hsame, Hnew.
  - rewrite Forall_forall in Hf. destruct (same (class_of x) r0) eqn:E; [|destruct (earlier (class_of x) r0) eqn:E'].
    + apply (same_iff _ _ O) in E as <-. intros [[= <- <-]|Hin]; [rewrite Hsame; f_equal; apply Hcs; now left|].
      rewrite (Apart r) by (left; exact (Hf _ Hin)). apply Hcs. now right.
    + assert (Later : forall c, In c ((r0, ms0) :: cs) -> earlier (class_of x) (fst c) = true).
      { intros c [<-|Hin]; [exact E'|]. exact (earlier_transitive _ _ O _ _ _ E' (Hf c Hin)). }
      intros [[= <- <-]|Hin]; [|rewrite (Apart r) by (left; exact (Later _ Hin)); now apply Hcs].
      rewrite Hsame, Hnew; [reflexivity|]. intros C. apply in_map_iff in C. destruct C as (c & Ec & Hc).
      specialize (Later c Hc). rewrite Ec, Hirr in Later. discriminate.
    + intros [[= <- <-]|Hin]; [rewrite E; apply Hcs; now left|]. apply IH; [intros r1 ms1 H; apply Hcs; now right| |exact Hin].
      intros C. apply Hnew. intros [H|H]; [|easy]. cbn [fst] in H. rewrite H, Hsame in E. discriminate.
Qed.

Lemma classes_that_are_there l xs r : In r (map fst (classes l xs)) <-> class_now l r xs <> [].
Proof.
  induction xs as [|x xs IH]; cbn [classes class_now filter]; [easy|]. fold (class_now l r xs).
  destruct (depth x =? l); [destruct (p x)|]; cbn [andb]; try exact IH. rewrite add_to_classes_adds.
  destruct (same (class_of x) r) eqn:E; [apply (same_iff _ _ O) in E; split; [easy|auto]|]. rewrite IH. split; [|auto].
  intros [->|H]; [|exact H]. rewrite (proj2 (same_iff _ _ O _ _) eq_refl) in E. discriminate.
Qed.

Lemma class_is_class_now l xs r ms : In (r, ms) (classes l xs) -> ms = class_now l r xs.
Proof.
  revert r ms; induction xs as [|x xs IH]; intros r ms; [easy|]. cbn [classes class_now filter]. fold (class_now l r xs).
  destruct (depth x =? l); [destruct (p x)|]; cbn [andb]; try exact (IH r ms).
  apply (add_to_classes_members x (fun r => class_now l r xs)); [apply classes_sorted|exact IH|].
  rewrite classes_that_are_there. destruct (class_now l (class_of x) xs); [auto|]. intros C. now destruct C.
Qed.

Lemma in_class_now l r xs x : In x (class_now l r xs) <-> In x xs /\ depth x = l /\ p x = true /\ class_of x = r.
Proof. unfold class_now. rewrite filter_In, !andb_true_iff, Nat.eqb_eq, (same_iff _ _ O). tauto. Qed.

Lemma every_leaf_is_in_its_class l xs x :
  In x xs -> depth x = l -> p x = true -> exists members, In (class_of x, members) (classes l xs) /\ In x members.
Proof.
  intros Hx Hd Hp. assert (H : In x (class_now l (class_of x) xs)) by now apply in_class_now.
  assert (K : In (class_of x) (map fst (classes l xs))) by (apply classes_that_are_there; intros C; now rewrite C in H).
  apply in_map_iff in K. destruct K as ([r ms] & E & K). cbn [fst] in E. subst r. exists ms. split; [exact K|].
  now rewrite (class_is_class_now _ _ _ _ K).
Qed.

Lemma classes_hold_only_their_leaves l xs r members :
  In (r, members) (classes l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ p x = true /\ class_of x = r).
Proof.
  intros Hin. pose proof (class_is_class_now _ _ _ _ Hin) as ->.
  split; [apply classes_that_are_there; exact (in_map fst _ _ Hin)|]. intros x. apply in_class_now.
Qed.

(** The order of the leaves is kept in a class. *)
Lemma classes_stay_sorted (R : leaf -> leaf -> Prop) l xs :
  StronglySorted R xs -> forall r ms, In (r, ms) (classes l xs) -> StronglySorted R ms.
Proof. intros H r ms Hin. rewrite (class_is_class_now l xs r ms Hin). now apply strongly_sorted_filter. Qed.

End SearchClasses.
