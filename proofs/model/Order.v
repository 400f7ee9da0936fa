(** * Values: any type with a strict total comparison.

    Ties are allowed: two values neither of which is less count as equal.  So are
    +infinity and every other worst value; only nan is excluded. *)

From EmbeddedHunter Require Import Lists Model Nodes.

Section Order.

Context {V : Type} (less : V -> V -> bool).

(** [a] is at most [b]: [b] is not less than [a]. *)
Definition at_most (a b : V) : Prop := less b a = false.

Record total_order : Prop := TotalOrder {
  less_is_asymmetric : forall a b, less a b = true -> less b a = false;
  at_most_is_transitive : forall a b c, at_most a b -> at_most b c -> at_most a c
}.

Hypothesis order : total_order.

Lemma at_most_refl a : at_most a a.
Proof.
  unfold at_most. destruct (less a a) eqn:E; [|reflexivity].
  pose proof (less_is_asymmetric order a a E). congruence.
Qed.

Lemma at_most_trans a b c : at_most a b -> at_most b c -> at_most a c.
Proof. apply (at_most_is_transitive order). Qed.

Lemma less_at_most a b : less a b = true -> at_most a b.
Proof. apply (less_is_asymmetric order). Qed.

Lemma at_most_less a b c : at_most a b -> less b c = true -> less a c = true.
Proof.
  intros Hab Hbc. destruct (less a c) eqn:E; [reflexivity|]. pose proof (at_most_trans c a b E Hab) as H.
  unfold at_most in H. congruence.
Qed.

Lemma less_at_most_less a b c : less a b = true -> at_most b c -> less a c = true.
Proof.
  intros Hab Hbc. destruct (less a c) eqn:E; [reflexivity|]. pose proof (at_most_trans b c a Hbc E) as H.
  unfold at_most in H. congruence.
Qed.

Lemma smaller_at_most_new a b : at_most (smaller less a b) a.
Proof.
  unfold smaller. destruct (less a b) eqn:E; [apply at_most_refl|exact E].
Qed.

Lemma smaller_at_most_old a b : at_most (smaller less a b) b.
Proof.
  unfold smaller. destruct (less a b) eqn:E; [now apply less_at_most|apply at_most_refl].
Qed.

Lemma smaller_is_one_of a b : smaller less a b = a \/ smaller less a b = b.
Proof. unfold smaller. destruct (less a b); auto. Qed.

Lemma at_most_smaller a b c : at_most c a -> at_most c b -> at_most c (smaller less a b).
Proof. destruct (smaller_is_one_of a b) as [-> | ->]; auto. Qed.

Lemma fold_smaller {A} (f : A -> V) (l : list A) a :
  let r := fold_left (fun a x => smaller less (f x) a) l a in
  (r = a \/ exists x, In x l /\ r = f x) /\ at_most r a /\
  (forall x, In x l -> at_most r (f x)).
Proof.
  revert a; induction l as [|x l IH]; intros a; cbn.
  - split; [auto|]. split; [apply at_most_refl|easy].
  - destruct (IH (smaller less (f x) a)) as (H1 & H2 & H3). split; [|split].
    + destruct H1 as [H1|(y & Hy & H1)]; [|right; exists y; auto].
      rewrite H1. destruct (smaller_is_one_of (f x) a) as [-> | ->]; [right; exists x; auto|auto].
    + eapply at_most_trans; [exact H2|apply smaller_at_most_old].
    + intros y [<-|Hy]; [|auto].
      eapply at_most_trans; [exact H2|apply smaller_at_most_new].
Qed.

(** Claims [alg1-line-5] [ties-least-index].  The selection of line 5 takes a leaf of least
    f*, the first in the list that has it: all leaves before it are strictly worse. *)
Theorem argmin_is_the_first_of_the_least (x : leaf V) rest :
  exists before after, x :: rest = before ++ argmin less x rest :: after /\
    (forall y, In y before -> less (best (argmin less x rest)) (best y) = true) /\
    (forall y, In y after -> at_most (best (argmin less x rest)) (best y)).
Proof.
  revert x; induction rest as [|y rest IH]; intros x; cbn [argmin].
  - exists [], []. cbn. easy.
  - destruct (less (best y) (best x)) eqn:E.
    + destruct (IH y) as (l1 & l2 & H1 & H2 & H3). exists (x :: l1), l2.
      split; [cbn; now rewrite <- H1|]. split; [|exact H3].
      intros z [<-|Hz]; [|auto].
      assert (Hy : at_most (best (argmin less y rest)) (best y)).
      { assert (Hin : In y (y :: rest)) by now left. rewrite H1 in Hin.
        apply in_app_or in Hin. destruct Hin as [Hin|[Hin|Hin]].
        - apply less_at_most. auto.
        - rewrite <- Hin at 2. apply at_most_refl.
        - auto. }
      now apply (at_most_less _ (best y)).
    + destruct (IH x) as (l1 & l2 & H1 & H2 & H3).
      destruct l1 as [|x' l1]; cbn in H1.
      * injection H1 as H0 H1. exists [], (y :: rest). rewrite <- H0 in *. cbn.
        split; [reflexivity|]. split; [easy|].
        intros z [<-|Hz]; [exact E|]. apply H3. now rewrite <- H1.
      * injection H1 as -> H1. exists (x' :: y :: l1), l2.
        split; [cbn; now rewrite <- H1|]. split; [|exact H3].
        assert (Hx : less (best (argmin less x' rest)) (best x') = true) by (apply H2; now left).
        intros z [<-|[<-|Hz]]; [exact Hx| |apply H2; now right].
        now apply (less_at_most_less _ (best x')).
Qed.

Lemma argmin_at_most (x : leaf V) rest y :
  In y (x :: rest) -> at_most (best (argmin less x rest)) (best y).
Proof.
  destruct (argmin_is_the_first_of_the_least x rest) as (l1 & l2 & -> & H2 & H3).
  intros [H|[<-|H]]%in_app_or; [apply less_at_most; auto|apply at_most_refl|auto].
Qed.

(** In a sorted list, the others are greater, or equal and later. *)
Lemma argmin_in_a_sorted_list (R : leaf V -> leaf V -> Prop) x rest y : StronglySorted R (x :: rest) ->
  In y (x :: rest) -> y <> argmin less x rest ->
  at_most (best (argmin less x rest)) (best y) /\
  (less (best (argmin less x rest)) (best y) = true \/ R (argmin less x rest) y).
Proof.
  destruct (argmin_is_the_first_of_the_least x rest) as (l1 & l2 & -> & H1 & H2).
  intros Hs [Hy|[Hy|Hy]]%in_app_or N; [split; [apply less_at_most|left]; auto|congruence|].
  split; [auto|right]. apply strongly_sorted_parts in Hs. destruct Hs as (_ & Hs & _).
  apply StronglySorted_inv in Hs. destruct Hs as [_ Hs]. rewrite Forall_forall in Hs. auto.
Qed.

End Order.

(** Claim [one-run]. The integers are values in this sense. *)
Theorem the_integers_are_totally_ordered : total_order Z.ltb.
Proof.
  split; unfold at_most; intros.
  - apply Z.ltb_ge. apply Z.ltb_lt in H. lia.
  - apply Z.ltb_ge. apply Z.ltb_ge in H, H0. lia.
Qed.

Definition less_with_infinity (a b : option Z) : bool :=
  match a, b with
  | Some x, Some y => (x <? y)%Z
  | Some _, None => true
  | None, _ => false
  end.

(** Claim [nan-and-inf].  The integers with +infinity are values too: +infinity is an ordinary worst value. *)
Theorem infinity_is_an_ordinary_value : total_order less_with_infinity.
Proof.
  split; unfold at_most; intros [a|] [b|]; try intros [c|]; cbn; try easy.
  - rewrite Z.ltb_lt, Z.ltb_ge. lia.
  - rewrite !Z.ltb_ge. lia.
Qed.
