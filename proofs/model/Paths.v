(** * All nodes of a depth, ancestors, and the names of base points. *)

From EmbeddedHunter Require Import Lists Lattice Geometry Norms.

(** The K^n nodes of depth [n] of the infinite tree. *)
Notation level := nodes_of_depth.

Section Paths.

Context (k : nat).

(** All nodes of depth at most [n]. *)
Fixpoint levels (n : nat) : list path :=
  match n with
  | 0 => level k 0
  | S n' => level k n ++ levels n'
  end.

Lemma in_level n p : In p (level k n) <-> node k p /\ length p = n.
Proof. exact (nodes_of_depth_are_the_valid_paths k 1 (le_n 1) p n). Qed.

Lemma in_levels n p : In p (levels n) <-> node k p /\ length p <= n.
Proof.
  induction n as [|n IH]; cbn [levels].
  - rewrite in_level. split; intros [H1 H2]; split; auto; lia.
  - rewrite in_app_iff, IH, in_level. split.
    + intros [[H1 H2]|[H1 H2]]; split; auto; lia.
    + intros [H1 H2]. destruct (Nat.eq_dec (length p) (S n)); [left|right]; split; auto; lia.
Qed.

Lemma length_level n : length (level k n) = K k ^ n.
Proof. apply Nat2Z.inj. rewrite (number_of_nodes_of_depth k 1 (le_n 1)). unfold pw. now rewrite Nat2Z.inj_pow. Qed.

Lemma nodup_level n : NoDup (level k n).
Proof.
  induction n as [|n IH]; [repeat constructor; auto|]. cbn [nodes_of_depth].
  induction IH as [|p l Hp Hl IHl]; [constructor|]. cbn [flat_map]. apply nodup_app.
  - apply Injective_map_NoDup; [|apply seq_NoDup]. intros a b E. congruence.
  - exact IHl.
  - intros x Hx Hx2. apply in_map_iff in Hx. destruct Hx as (c & <- & _).
    apply in_flat_map in Hx2. destruct Hx2 as (q & Hq & Hx2).
    apply in_map_iff in Hx2. destruct Hx2 as (c' & [= _ ->] & _). easy.
Qed.

Lemma nodup_levels n : NoDup (levels n).
Proof.
  induction n as [|n IH]; [apply nodup_level|]. cbn [levels]. apply nodup_app; auto.
  - apply nodup_level.
  - intros x Hx%in_level Hx2%in_levels. lia.
Qed.

(** ** Ancestors *)

(** [p] is [q] or an ancestor of [q]: [q] is reached from [p] by further digits. *)
Definition ancestor (p q : path) : Prop := exists more, q = more ++ p.

Lemma ancestor_refl p : ancestor p p.
Proof. now exists []. Qed.

Lemma ancestor_child c p q : ancestor p q -> ancestor p (c :: q).
Proof. intros (m & ->). now exists (c :: m). Qed.

Lemma ancestor_length p q : ancestor p q -> length p <= length q.
Proof. intros (m & ->). rewrite app_length. lia. Qed.

Lemma ancestor_same_length p q : ancestor p q -> length p = length q -> p = q.
Proof.
  intros (m & ->) H. rewrite app_length in H. destruct m; [reflexivity|cbn in H; lia].
Qed.

Lemma ancestor_cons p c q : ancestor p (c :: q) -> p = c :: q \/ ancestor p q.
Proof.
  intros ([|a m] & E); [left; cbn in E; congruence|].
  injection E as -> ->. right. now exists m.
Qed.

(** Two ancestors of one node: one is an ancestor of the other. *)
Lemma ancestors_nested p p' q :
  ancestor p q -> ancestor p' q -> length p <= length p' -> ancestor p p'.
Proof.
  revert p p'; induction q as [|c q IH]; intros p p' Hp Hp' Hl.
  - destruct Hp as (m & E). symmetry in E. apply app_eq_nil in E. destruct E as [_ ->].
    destruct Hp' as (m' & E). symmetry in E. apply app_eq_nil in E. destruct E as [_ ->].
    apply ancestor_refl.
  - destruct (ancestor_cons _ _ _ Hp') as [->|H']; [exact Hp|].
    destruct (ancestor_cons _ _ _ Hp) as [->|H]; [|now apply IH].
    apply ancestor_length in H'. cbn in Hl. lia.
Qed.

(** ** Base points *)

(** A node is its base point's first node followed by center digits. *)
Lemma birth_chain p : exists n, p = repeat k n ++ birth k p.
Proof.
  induction p as [|c p (n & IH)]; [now exists 0|]. cbn [birth].
  destruct (c =? k) eqn:E; [|now exists 0].
  apply Nat.eqb_eq in E. subst. exists (S n). cbn. congruence.
Qed.

Lemma birth_idempotent p : birth k (birth k p) = birth k p.
Proof.
  induction p as [|c p IH]; [reflexivity|]. cbn [birth].
  destruct (c =? k) eqn:E; [exact IH|]. cbn [birth]. now rewrite E.
Qed.

(** Nodes of one base point are nested. *)
Lemma same_birth_nested p q :
  birth k p = birth k q -> length p <= length q -> exists n, q = repeat k n ++ p.
Proof.
  intros E Hl. destruct (birth_chain p) as (a & Hp). destruct (birth_chain q) as (b & Hq).
  rewrite E in Hp. exists (b - a).
  assert (Hab : a <= b).
  { apply (f_equal (@length nat)) in Hp, Hq. rewrite app_length, repeat_length in Hp, Hq. lia. }
  rewrite Hq, Hp, app_assoc, <- repeat_app.
  replace (b - a + a) with b by lia. reflexivity.
Qed.

End Paths.
