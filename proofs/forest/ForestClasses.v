(** * The classes of a visit of a forest: by queue, and in each queue by rank, each once. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Forest ForestNodes.
From EmbeddedHunter Require SearchClasses.

Lemma same_key_iff a b : same_key a b = true <-> a = b.
Proof.
  destruct a as [u r], b as [u' r']. unfold same_key. cbn [fst snd].
  rewrite andb_true_iff, Nat.eqb_eq, Z.eqb_eq. split; [intros [-> ->]; reflexivity|intros [= -> ->]; auto].
Qed.

Lemma earlier_iff a b : earlier a b = true <-> fst a < fst b \/ fst a = fst b /\ (snd b < snd a)%Z.
Proof.
  unfold earlier. rewrite orb_true_iff, andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, Z.ltb_lt. reflexivity.
Qed.

Lemma keys_ordered : SearchClasses.class_order same_key earlier.
Proof.
  split.
  - apply same_key_iff.
  - intros a. apply not_true_is_false. rewrite earlier_iff. lia.
  - intros a b c. rewrite !earlier_iff. lia.
  - intros [u r] [u' r'] H1 H2. apply not_true_iff_false in H1, H2. rewrite same_key_iff in H1.
    rewrite earlier_iff in *. cbn [fst snd] in *. destruct (Nat.eq_dec u u') as [->|N]; [|lia].
    destruct (Z.eq_dec r r') as [->|N]; [easy|lia].
Qed.

Section ForestClasses.

Context {V : Type} (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation key := (key queue rank).
Local Notation classes := (Forest.classes queue rank).

Definition before (a b : (nat * Z) * list (leaf V)) : Prop := earlier (fst a) (fst b) = true.

Lemma classes_sorted l xs : Sorted.StronglySorted before (classes l xs).
Proof. exact (SearchClasses.classes_sorted depth key _ _ (fun _ => true) keys_ordered l xs). Qed.

Lemma classes_hold_only_their_leaves l xs r members :
  In (r, members) (classes l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ key x = r).
Proof.
  intros H. destruct (SearchClasses.classes_hold_only_their_leaves depth key _ _ (fun _ => true) keys_ordered l xs r members H)
    as [Hne Hx]. split; [exact Hne|]. intros x Hin. now destruct (Hx x Hin) as (? & ? & _ & ?).
Qed.

End ForestClasses.
