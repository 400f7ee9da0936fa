(** * What most files use: Rocq's lists and numbers, and facts about lists without repetition and sorted lists. *)

From Coq Require Export List ZArith Bool Arith Lia Sorted FinFun.
Export ListNotations.
Open Scope nat_scope.

(** min(1,b) + min(2,b) + ... + min(n,b). *)
Fixpoint triangle (b n : nat) : nat :=
  match n with
  | 0 => 0
  | S n' => triangle b n' + Nat.min n b
  end.

Lemma triangle_at_most b n : triangle b n <= b * n.
Proof. induction n as [|n IH]; cbn [triangle]; lia. Qed.

Lemma triangle_grows b n m : 1 <= b -> n < m -> triangle b n < triangle b m.
Proof. intros Hb. induction 1 as [|m Hm IH]; cbn [triangle]; lia. Qed.

Lemma nodup_app {A} (a b : list A) :
  NoDup a -> NoDup b -> (forall x, In x a -> ~ In x b) -> NoDup (a ++ b).
Proof.
  intros Ha Hb H. induction Ha as [|x a Hx Ha IH]; [exact Hb|]. cbn. constructor.
  - intros [Hi|Hi]%in_app_or; [easy|]. apply (H x); [now left|exact Hi].
  - apply IH. intros y Hy. apply H. now right.
Qed.

Lemma nodup_app_parts {A} (a b : list A) : NoDup (a ++ b) -> NoDup a /\ NoDup b /\ forall x, In x a -> ~ In x b.
Proof.
  induction a as [|x a IH]; cbn; intros Hn; [now repeat split; try constructor|].
  apply NoDup_cons_iff in Hn. destruct Hn as [Hx Hn]. destruct (IH Hn) as (N1 & N2 & N3). rewrite in_app_iff in Hx.
  split; [constructor; tauto|]. split; [exact N2|]. intros y [<-|Hy]; [tauto|now apply N3].
Qed.

Lemma nodup_parts {A} (l1 l2 : list A) q : NoDup (l1 ++ q :: l2) ->
  NoDup l1 /\ NoDup l2 /\ ~ In q l1 /\ ~ In q l2 /\ forall x, In x l1 -> ~ In x l2.
Proof.
  intros (H1 & H2 & H3)%nodup_app_parts. apply NoDup_cons_iff in H2. destruct H2 as [H2 H4].
  repeat split; auto; [intros Hq; apply (H3 q Hq); now left|]. intros x Hx C. apply (H3 x Hx). now right.
Qed.

Lemma nodup_firstn {A} n (l : list A) : NoDup l -> NoDup (firstn n l).
Proof.
  intros H. rewrite <- (firstn_skipn n l) in H. induction (firstn n l); [constructor|].
  cbn in H. inversion H; subst. constructor; [|auto]. intros Hin. apply H2, in_or_app. now left.
Qed.

Lemma strongly_sorted_app {A} (R : A -> A -> Prop) a b :
  StronglySorted R a -> StronglySorted R b -> (forall x y, In x a -> In y b -> R x y) ->
  StronglySorted R (a ++ b).
Proof.
  intros Ha Hb H. induction Ha as [|x a Ha IH Hx]; [exact Hb|]. cbn. constructor.
  - apply IH. intros y z Hy. apply H. now right.
  - apply Forall_app. split; [exact Hx|]. apply Forall_forall. intros y. apply H. now left.
Qed.

Lemma strongly_sorted_parts {A} (R : A -> A -> Prop) a b :
  StronglySorted R (a ++ b) ->
  StronglySorted R a /\ StronglySorted R b /\ (forall x y, In x a -> In y b -> R x y).
Proof.
  induction a as [|x a IH]; cbn; intros H; [split; [constructor|split; [exact H|easy]]|].
  inversion H as [|? ? Hs Hf]; subst. destruct (IH Hs) as (H1 & H2 & H3).
  apply Forall_app in Hf. destruct Hf as [Hf1 Hf2]. repeat split; auto.
  - constructor; auto.
  - intros y z [<-|Hy]; [|auto]. rewrite Forall_forall in Hf2. apply Hf2.
Qed.

Lemma strongly_sorted_filter {A} (R : A -> A -> Prop) f a : StronglySorted R a -> StronglySorted R (filter f a).
Proof.
  induction 1 as [|x a _ IH Hx]; cbn; [constructor|]. destruct (f x); [|exact IH]. constructor; [exact IH|].
  rewrite Forall_forall in *. intros y Hy%filter_In. now apply Hx.
Qed.

Lemma strongly_sorted_map {A B} (f : A -> B) (R : A -> A -> Prop) (S : B -> B -> Prop) a : StronglySorted R a ->
  (forall x y, In x a -> In y a -> R x y -> S (f x) (f y)) -> StronglySorted S (map f a).
Proof.
  induction 1 as [|x a _ IH Hx]; intros H; cbn; constructor; [apply IH; cbn in H; auto|].
  rewrite Forall_forall in Hx. apply Forall_map, Forall_forall. intros y Hy. apply H; cbn; auto.
Qed.

Lemma strongly_sorted_before_map {A B} (f : A -> B) (R : B -> B -> Prop) a :
  StronglySorted R (map f a) -> StronglySorted (fun x y => R (f x) (f y)) a.
Proof.
  induction a as [|x a IH]; intros H; constructor; apply StronglySorted_inv in H; [now apply IH|now apply Forall_map].
Qed.
