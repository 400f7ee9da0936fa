(** * Parts of a list: filters and first members. *)

From EmbeddedHunter Require Import Lists.

Lemma in_firstn {A} n (l : list A) x : In x (firstn n l) -> In x l.
Proof. intros H. rewrite <- (firstn_skipn n l). apply in_or_app. now left. Qed.

Lemma firstn_one_more {A} (l : list A) j x : nth_error l j = Some x -> firstn (S j) l = firstn j l ++ [x].
Proof.
  revert j. induction l as [|a l IH]; intros [|j] E; try discriminate E; [now injection E as ->|].
  cbn [app]. change (a :: firstn (S j) l = a :: firstn j l ++ [x]). f_equal. now apply IH.
Qed.

Lemma filter_all {A} (f : A -> bool) l : (forall x, In x l -> f x = true) -> filter f l = l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)).
  f_equal. apply IH. intros y Hy. apply H. now right.
Qed.

Lemma filter_none {A} (f : A -> bool) l : (forall x, In x l -> f x = false) -> filter f l = [].
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. cbn [filter]. rewrite (H x (or_introl eq_refl)).
  apply IH. intros y Hy. apply H. now right.
Qed.

Lemma length_filter_mono {A} (f g : A -> bool) l :
  (forall x, In x l -> f x = true -> g x = true) -> length (filter f l) <= length (filter g l).
Proof.
  induction l as [|x l IH]; intros H; [apply Nat.le_refl|]. cbn [filter].
  pose proof (H x (or_introl eq_refl)) as Hx. specialize (IH (fun y Hy => H y (or_intror Hy))).
  destruct (f x); [rewrite (Hx eq_refl); cbn; lia|]. destruct (g x); cbn; lia.
Qed.

(** Of some members one is the least, in any total order. *)
Lemma an_extreme_member {A} (R : A -> A -> Prop) l : (forall x y, R x y \/ R y x) -> (forall x y z, R x y -> R y z -> R x z) -> l <> [] ->
  exists x, In x l /\ forall y, In y l -> R x y.
Proof.
  intros total trans. induction l as [|a [|b l] IH]; [easy| |]; intros _.
  - exists a. split; [now left|]. intros y [<-|[]]. now destruct (total a a).
  - destruct IH as (m & Hm & Gm); [easy|]. destruct (total a m) as [Ham|Ham]; [exists a|exists m].
    + split; [now left|]. intros y [<-|Hy]; [now destruct (total a a)|eauto].
    + split; [now right|]. intros y [<-|Hy]; auto.
Qed.

Lemma nodup_map_injective {A B} (f : A -> B) l a b : NoDup (map f l) -> In a l -> In b l -> f a = f b -> a = b.
Proof.
  induction l as [|c l IH]; cbn [map]; intros N Ha Hb E; [easy|]. apply NoDup_cons_iff in N. destruct N as [N1 N2].
  destruct Ha as [->|Ha], Hb as [->|Hb]; [reflexivity| | |now apply IH]; exfalso; apply N1;
    [rewrite E|rewrite <- E]; now apply in_map.
Qed.

Lemma length_filter {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. etransitivity; [apply (length_filter_mono f (fun _ => true)); auto|]. now rewrite filter_all. Qed.
