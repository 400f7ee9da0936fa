(** * A constant share of the evaluations is a guarantee.

    Several members search one function in turns.  A member chooses its next point by its own values alone.  So its
    values are those that it would find alone, whoever has the turns between: the run is at most as far behind each
    member as the member's share of the turns says.  The last part is a rule that shares the turns among two
    members.

    A turn takes the value of the member's next point.  It makes at most one evaluation: none if the value of the point is
    known, as that of a point is with which both members begin.  So after v evaluations there were at least v turns. *)

From EmbeddedHunter Require Import Lists Model Nodes Order.

Section Members.

Context {X V : Type} (less : V -> V -> bool).

(** [next j own]: the point that member j asks for when its own values are [own], the latest first; [None] if it asks for
    no more. *)
Variable next : nat -> list V -> option X.

(** The function to be minimised. *)
Variable f : X -> V.

(** A turn of member j. *)
Definition turn (j : nat) (own : list V) : list V :=
  match next j own with
  | Some x => f x :: own
  | None => own
  end.

(** The values of member j alone, after n turns. *)
Fixpoint alone (j n : nat) : list V :=
  match n with
  | 0 => []
  | S n' => turn j (alone j n')
  end.

(** [turns]: whose turns they were, the latest first.  The own values of member j then. *)
Fixpoint own_values (turns : list nat) (j : nat) : list V :=
  match turns with
  | [] => []
  | i :: rest => if i =? j then turn j (own_values rest j) else own_values rest j
  end.

(** All values of the run: those of each turn. *)
Fixpoint all_values (turns : list nat) : list V :=
  match turns with
  | [] => []
  | i :: rest =>
      match next i (own_values rest i) with
      | Some x => f x :: all_values rest
      | None => all_values rest
      end
  end.

Definition number_of_turns (turns : list nat) (j : nat) : nat := count_occ Nat.eq_dec turns j.

(** The least of some values. *)
Fixpoint least (values : list V) : option V :=
  match values with
  | [] => None
  | a :: rest => match least rest with None => Some a | Some b => Some (smaller less a b) end
  end.

(** ** The members do not disturb one another *)

Lemma own_values_are_those_alone turns j : own_values turns j = alone j (number_of_turns turns j).
Proof.
  unfold number_of_turns. induction turns as [|i turns IH]; [reflexivity|]. cbn [own_values count_occ].
  destruct (Nat.eqb_spec i j) as [->|N]; destruct (Nat.eq_dec _ _); try congruence.
  cbn [alone]. now rewrite IH.
Qed.

Lemma own_values_are_found turns j : incl (own_values turns j) (all_values turns).
Proof.
  induction turns as [|i turns IH]; [easy|]. cbn [own_values all_values]. destruct (Nat.eqb_spec i j) as [->|N].
  - unfold turn. destruct (next j (own_values turns j)); [|exact IH].
    intros a [<-|H]; [now left|right; auto].
  - destruct (next i (own_values turns i)); [|exact IH]. intros a H. right. auto.
Qed.

(** Member j asks for no more after n turns. *)
Definition has_ended (j n : nat) : Prop := next j (alone j n) = None.

Lemma alone_after_its_end j n m : has_ended j n -> n <= m -> alone j m = alone j n.
Proof.
  intros He. induction 1 as [|m _ IH]; [reflexivity|]. cbn [alone]. rewrite IH. unfold turn. now rewrite He.
Qed.

Lemma values_alone_stay j n m : n <= m -> incl (alone j n) (alone j m).
Proof.
  induction 1 as [|m _ IH]; [easy|]. cbn [alone]. unfold turn. destruct (next j (alone j m)); [|exact IH].
  intros a H. right. auto.
Qed.

Hypothesis order : total_order less.

Lemma least_is_below values a : In a values -> exists b, least values = Some b /\ at_most less b a.
Proof.
  induction values as [|c values IH]; [easy|]. cbn [least]. intros [->|H].
  - destruct (least values) as [b|]; [|exists a; split; [reflexivity|now apply at_most_refl]].
    exists (smaller less a b). split; [reflexivity|now apply smaller_at_most_new].
  - destruct (IH H) as (b & -> & Hb). exists (smaller less c b). split; [reflexivity|].
    apply (at_most_trans less order _ b); [now apply smaller_at_most_old|exact Hb].
Qed.

Lemma least_is_a_value values b : least values = Some b -> In b values.
Proof.
  revert b. induction values as [|c values IH]; [easy|]. cbn [least]. intros b.
  destruct (least values) as [b'|]; intros [= <-]; [|now left].
  destruct (smaller_is_one_of less c b') as [-> | ->]; [now left|right; auto].
Qed.

(** Claim [constant-share].  A member that had k turns, or that asks for no more, is a guarantee: the best value of the run is at most
    the best value of this member alone after k turns, whoever had the other turns, and however they were chosen. *)
Theorem a_run_is_as_good_as_each_member_alone_after_its_turns turns j k b :
  k <= number_of_turns turns j \/ has_ended j (number_of_turns turns j) ->
  least (alone j k) = Some b -> exists a, least (all_values turns) = Some a /\ at_most less a b.
Proof.
  intros Hk Hb. apply least_is_below, (own_values_are_found turns j).
  rewrite own_values_are_those_alone. apply least_is_a_value in Hb.
  destruct (le_lt_dec k (number_of_turns turns j)) as [L|L]; [now apply (values_alone_stay j k)|].
  destruct Hk as [Hk|He]; [lia|]. now rewrite (alone_after_its_end _ _ k He) in Hb by lia.
Qed.

(** ** The rule that shares the turns among two members *)

Section TwoMembers.

(** Each member gets at least one turn in [share], up to the length of what the other does in one go. *)
Variable share : nat.
Hypothesis share_at_least_2 : 2 <= share.

(** At most so many turns of member j follow one another before the rule is asked again. *)
Variable longest : nat -> nat.

Definition other (j : nat) : nat := 1 - j.

(** Member i may be next: it has had no more turns than the other one, or the other one has had its share, or it asks for
    no more. *)
Definition may_be_next (turns : list nat) (i : nat) : Prop :=
  number_of_turns turns i <= number_of_turns turns (other i) \/
  length turns <= share * number_of_turns turns (other i) \/
  has_ended (other i) (number_of_turns turns (other i)).

(** The turns of members 0 and 1 by this rule, the last ones perhaps cut by the budget. *)
Inductive shared : list nat -> Prop :=
| none_yet : shared []
| next_turns turns i n : shared turns -> i <= 1 -> may_be_next turns i -> n <= longest i ->
    shared (repeat i n ++ turns).

Lemma number_of_turns_repeat turns i j n :
  number_of_turns (repeat i n ++ turns) j = (if i =? j then n else 0) + number_of_turns turns j.
Proof.
  unfold number_of_turns. induction n as [|n IH]; cbn [repeat app count_occ].
  - destruct (i =? j); reflexivity.
  - destruct (Nat.eqb_spec i j) as [->|N]; destruct (Nat.eq_dec _ _); try congruence; now rewrite IH.
Qed.

Lemma turns_are_of_two_members turns : shared turns ->
  length turns = number_of_turns turns 0 + number_of_turns turns 1.
Proof.
  induction 1 as [|turns i n _ IH Hi _ _]; [reflexivity|].
  rewrite app_length, repeat_length, !number_of_turns_repeat, IH. destruct i as [|[|i]]; cbn [Nat.eqb]; lia.
Qed.

(** Claim [constant-share].  By this rule each of two members has had at least (v - B)/c of v turns, or asks for no more; B is the
    greatest number of turns that the other one takes at once, and 1/c the share. *)
Theorem each_member_gets_its_share turns j : shared turns -> j <= 1 ->
  length turns <= share * number_of_turns turns j + longest (other j) \/ has_ended j (number_of_turns turns j).
Proof.
  intros Hs Hj. induction Hs as [|turns i n Hs IH Hi Hmay Hn]; [left; cbn; lia|].
  pose proof (turns_are_of_two_members turns Hs) as Hl. rewrite app_length, repeat_length, number_of_turns_repeat.
  destruct (Nat.eqb_spec i j) as [->|N].
  - destruct IH as [IH|He]; [left; nia|right]. unfold has_ended in *.
    now rewrite (alone_after_its_end j _ (n + number_of_turns turns j) He) by lia.
  - assert (E : other i = j) by (unfold other; lia). assert (E' : other j = i) by (unfold other; lia).
    unfold may_be_next in Hmay. rewrite E in Hmay. rewrite E' in *. cbn [Nat.add].
    destruct Hmay as [Hm|[Hm|He]]; [left|left; nia|now right].
    assert (length turns <= 2 * number_of_turns turns j); [|nia].
    rewrite Hl. destruct j as [|[|j]]; [| |lia]; destruct i as [|[|i]]; try congruence; lia.
Qed.

(** Claim [constant-share].  So after v evaluations the best value of the run is at most the best value of each member alone after
    (v - B)/c evaluations. *)
Corollary a_run_is_a_constant_factor_behind_each_member turns j v b : shared turns -> j <= 1 -> v <= length turns ->
  least (alone j ((v - longest (other j)) / share)) = Some b ->
  exists a, least (all_values turns) = Some a /\ at_most less a b.
Proof.
  intros Hs Hj Hv. apply a_run_is_as_good_as_each_member_alone_after_its_turns.
  destruct (each_member_gets_its_share turns j Hs Hj) as [H|H]; [left|now right].
  apply Nat.div_le_upper_bound; lia.
Qed.

End TwoMembers.

End Members.
