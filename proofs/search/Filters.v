(** * Parts of a list: filters and first members. *)

From EmbeddedHunter Require Import Lists.

Lemma in_firstn {A} n (l : list A) x : In x (firstn n l) -> In x l.
Proof. intros H. rewrite <- (firstn_skipn n l). apply in_or_app. now left. Qed.

Lemma firstn_one_more {A} (l : list A) j x : nth_error l j = Some x -> firstn (S j) l = firstn j l ++ [x].
Proof.
  revert j. induction l as [|a l IH]; intros [|j] E; try discriminate E; [now injection E as ->|].
  cbn [app]. change (a :: firstn (S j) l = a :: firstn j l ++ [x]). f_equal. now apply IH.
Qed.

Lemma last_of_the_first {A} n (l : list A) a : NoDup (l ++ [a]) -> In a (firstn n (l ++ [a])) -> length (l ++ [a]) <= n.
Proof.
  intros Hnd H. rewrite app_length. cbn [length]. destruct (Nat.le_gt_cases (length l + 1) n) as [|L]; [assumption|]. exfalso.
  rewrite firstn_app in H. replace (n - length l) with 0 in H by lia. apply NoDup_remove_2 in Hnd. rewrite app_nil_r in *.
  apply Hnd. now apply (in_firstn n).
Qed.

(** A member q of a list makes room for others: the names in the list afterwards. *)
Lemma names_after_replacement {A B} (name : A -> B) (a others b : list A) q y : NoDup (a ++ q :: b) ->
  (forall p, In p (a ++ q :: b) -> name p = name q -> p = q) ->
  (exists p, In p (a ++ others ++ b) /\ y = name p) <->
  ((exists p, In p (a ++ q :: b) /\ y = name p) /\ y <> name q) \/ In y (map name others).
Proof.
  intros (_ & _ & N1 & N2 & _)%nodup_parts Inj. rewrite in_map_iff. split.
  - intros (p & Hp & ->). rewrite !in_app_iff in Hp.
    assert (Old : In p a \/ In p b -> In p (a ++ q :: b)) by (rewrite in_app_iff; cbn; tauto).
    destruct Hp as [Hp|[Hp|Hp]]; [left|right; eauto|left]; (split; [eauto|]); intros E; apply Inj in E; auto; subst; tauto.
  - intros [[(p & Hp & ->) N]|(p & <- & Hp)]; exists p; (split; [|reflexivity]); rewrite !in_app_iff in *; [|auto].
    destruct Hp as [Hp|[->|Hp]]; auto. now destruct N.
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
