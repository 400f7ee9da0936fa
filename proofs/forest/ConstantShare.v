(** * A constant share of the evaluations is a guarantee.

    Several members search one function in turns.  A member chooses its next point by its own values alone.  So its
    values are those that it would find alone, whoever has the turns between: the run is at most as far behind each
    member as the member's share of the turns says.  The first part is a rule that keeps a share for one member.

    A turn takes the value of the member's next point.  It makes at most one evaluation: none if the value of the point is
    known, as that of a point is with which both members begin.  So after v evaluations there were at least v turns. *)

From EmbeddedHunter Require Import Lists Model Nodes Order.

(** ** A rule that keeps a share for one member *)

Definition number_of_turns (turns : list nat) (j : nat) : nat := count_occ Nat.eq_dec turns j.

(** [due n]: how many of n turns a member is sure of, but for one turn of the others. *)
Record is_due (due : nat -> nat) : Prop := {
  nothing_is_due_at_first : due 0 = 0;
  due_grows : forall m n, m <= n -> due m <= due n;
  due_grows_by_1 : forall n, due (S n) <= S (due n) }.

Section Share.

Variables (due : nat -> nat) (j B : nat).

(** Member j asks for no more after n turns. *)
Variable ended : nat -> Prop.

(** The others have turns, at most B at once, only when member j has had what is due, or asks for no more. *)
Inductive keeps_share : list nat -> Prop :=
| no_turn : keeps_share []
| own_turn turns : keeps_share turns -> keeps_share (j :: turns)
| other_turns turns others : keeps_share turns ->
    due (length turns) <= number_of_turns turns j \/ ended (number_of_turns turns j) ->
    length others <= B -> keeps_share (others ++ turns).

Hypothesis such_turns_are_due : is_due due.
Hypothesis the_end_lasts : forall m n, m <= n -> ended m -> ended n.

(** Claim [constant-share].  By such a rule a member has had what is due of all turns but B, or asks for no more, however many
    other members there are and whatever they do. *)
Theorem a_member_gets_its_share turns : keeps_share turns ->
  due (length turns - B) <= number_of_turns turns j \/ ended (number_of_turns turns j).
Proof.
  destruct such_turns_are_due as [H0 Hm H1].
  unfold number_of_turns. induction 1 as [|turns _ IH|turns others _ _ Hmay Hn].
  - left. cbn. lia.
  - rewrite count_occ_cons_eq by reflexivity. cbn [length]. destruct IH as [IH|He]; [left|right].
    + pose proof (Hm (S (length turns) - B) (S (length turns - B)) ltac:(lia)).
      pose proof (H1 (length turns - B)). lia.
    + eapply the_end_lasts; [|exact He]. lia.
  - rewrite app_length, count_occ_app. unfold number_of_turns in Hmay. destruct Hmay as [Hmay|He]; [left|right].
    + pose proof (Hm (length others + length turns - B) (length turns) ltac:(lia)). lia.
    + eapply the_end_lasts; [|exact He]. lia.
Qed.

(** The member may have more turns than one after another. *)
Lemma own_turns n turns : keeps_share turns -> keeps_share (repeat j n ++ turns).
Proof. intros H. induction n; [exact H|now constructor]. Qed.

End Share.

(** ** One turn in c *)

Definition one_in (c n : nat) : nat := (n + (c - 1)) / c.

Lemma one_in_is_due c : 1 <= c -> is_due (one_in c).
Proof.
  intros Hc. split; unfold one_in.
  - apply Nat.div_small. lia.
  - intros m n H. apply Nat.div_le_mono; lia.
  - intros n. replace (S (_ / c)) with ((n + (c - 1) + 1 * c) / c) by (rewrite Nat.div_add; lia).
    apply Nat.div_le_mono; lia.
Qed.

Lemma one_in_is_enough c n k : 1 <= c -> n <= c * k <-> one_in c n <= k.
Proof.
  unfold one_in. intros Hc. split; intros H.
  - apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia.
  - pose proof (Nat.mul_succ_div_gt (n + (c - 1)) c ltac:(lia)). nia.
Qed.

(** ** Members that search one function *)

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

(** Claim [constant-share].  So after v evaluations the best value of the run is at most the best value of this member alone after
    what is due of v - B evaluations. *)
Corollary a_run_is_as_good_as_a_member_alone_with_its_share due j B turns v b : is_due due ->
  keeps_share due j B (has_ended j) turns -> v <= length turns -> least (alone j (due (v - B))) = Some b ->
  exists a, least (all_values turns) = Some a /\ at_most less a b.
Proof.
  intros D Hs Hv. apply a_run_is_as_good_as_each_member_alone_after_its_turns.
  pose proof (due_grows due D (v - B) (length turns - B) ltac:(lia)).
  destruct (a_member_gets_its_share due j B (has_ended j) D) with (turns := turns) as [H'|H'];
    [|exact Hs|left; lia|now right].
  unfold has_ended. intros m n Hmn He. now rewrite (alone_after_its_end j m n He Hmn).
Qed.

End Members.
