(** * The classes of a depth: those of SearchClasses.v, by norm, the largest first. *)

From EmbeddedHunter Require Import Lists Filters Lattice Model Nodes.
From EmbeddedHunter Require SearchClasses.

Lemma larger_first : SearchClasses.class_order Z.eqb (fun a b => (b <? a)%Z).
Proof. split; intros *; rewrite ?Z.eqb_eq, ?Z.eqb_neq, ?Z.ltb_ge, ?Z.ltb_lt; lia || apply Z.ltb_irrefl. Qed.

Section Classes.

Context {V : Type}.

Definition larger_norm (a b : Z * list (leaf V)) : Prop := (fst b < fst a)%Z.

(** Claims [norm-classes] [alg1-line-4].  The classes of a visit come largest norm first, each norm once. *)
Theorem classes_come_largest_norm_first l (xs : list (leaf V)) :
  StronglySorted larger_norm (classes l xs).
Proof.
  pose proof (SearchClasses.classes_sorted depth norm _ _ (fun _ => true) larger_first l xs) as H.
  change (SearchClasses.classes depth norm _ _ (fun _ => true) l xs) with (classes l xs) in H.
  induction H as [|c cs _ IH Hf]; constructor; [exact IH|].
  eapply Forall_impl; [|exact Hf]. intros a. apply Z.ltb_lt.
Qed.

(** Claims [leaves-by-depth] [norms-of-depth].  Every leaf of the depth is in the class of its norm. *)
Theorem every_leaf_of_the_depth_is_in_its_class l (xs : list (leaf V)) x :
  In x xs -> depth x = l -> exists members, In (norm x, members) (classes l xs) /\ In x members.
Proof.
  intros Hx Hl.
  exact (SearchClasses.every_leaf_is_in_its_class depth norm _ _ (fun _ => true) larger_first l xs x Hx Hl eq_refl).
Qed.

(** Claims [leaves-by-depth] [norms-of-depth].  A class is not empty and holds only leaves of the
    visited depth and of its own norm. *)
Theorem classes_hold_only_leaves_of_their_depth_and_norm l (xs : list (leaf V)) r members :
  In (r, members) (classes l xs) ->
  members <> [] /\
  (forall x, In x members -> In x xs /\ depth x = l /\ norm x = r).
Proof.
  intros H.
  destruct (SearchClasses.classes_hold_only_their_leaves depth norm _ _ (fun _ => true) larger_first l xs r members H)
    as [Hne Hx]. split; [exact Hne|]. intros x Hin. now destruct (Hx x Hin) as (? & ? & _ & ?).
Qed.

Lemma norms_occur_once l (xs : list (leaf V)) : NoDup (map fst (classes l xs)).
Proof.
  pose proof (classes_come_largest_norm_first l xs) as H. induction H as [|c cs _ IH Hf]; cbn [map]; constructor; [|exact IH].
  intros (c' & E & Hin)%in_map_iff. rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold larger_norm in Hf. lia.
Qed.

Lemma one_class_of_a_norm l (xs : list (leaf V)) r ms ms' : In (r, ms) (classes l xs) -> In (r, ms') (classes l xs) -> ms = ms'.
Proof. intros H H'. now injection (nodup_map_injective _ _ _ _ (norms_occur_once l xs) H H' eq_refl). Qed.

End Classes.
