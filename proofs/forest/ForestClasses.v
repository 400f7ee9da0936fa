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

Context {V : Type} (cfg : forest_settings) (queue : leaf V -> nat) (rank : leaf V -> Z).

Local Notation key := (key queue rank).
Local Notation classes := (Forest.classes cfg queue rank).

Definition before (a b : (nat * Z) * list (leaf V)) : Prop := earlier (fst a) (fst b) = true.

Lemma classes_sorted n l xs : Sorted.StronglySorted before (classes n l xs).
Proof. exact (SearchClasses.classes_sorted depth key _ _ (in_range cfg n) keys_ordered l xs). Qed.

Lemma classes_have_different_keys n l xs : NoDup (map fst (classes n l xs)).
Proof.
  induction (classes_sorted n l xs) as [|[r ms] cs Hs IH Hf]; cbn [map]; constructor; [|exact IH].
  intros Hin. apply in_map_iff in Hin. destruct Hin as ([r' ms'] & E & Hin). cbn in E. subst r'.
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). apply earlier_iff in Hf. cbn in Hf. lia.
Qed.

Lemma classes_hold_only_their_leaves n l xs r members :
  In (r, members) (classes n l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ in_range cfg n x = true /\ key x = r).
Proof.
  exact (SearchClasses.classes_hold_only_their_leaves depth key _ _ (in_range cfg n) keys_ordered l xs r members).
Qed.

End ForestClasses.
