(** * Partition: at any moment of a run the leaves of T divide Y among themselves. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Geometry Vectors Model Cells.

(** ** Trees as lists of leaves *)

(** The leaves of a tree that grew from the root by expansions, each of which puts the K
    children of a leaf in its place. *)
Inductive leaves_of_a_tree (k : nat) : list path -> Prop :=
| the_root_alone : leaves_of_a_tree k [[]]
| after_an_expansion : forall before p after,
    leaves_of_a_tree k (before ++ p :: after) ->
    leaves_of_a_tree k (before ++ children k p ++ after).

Section Partition.
Variables k d : nat.
Variable radius : R.
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : (0 < radius)%R.

Notation in_cell := (in_cell k d radius).

(** [y] is in the cell of exactly one member of the list, which occurs there once. *)
Definition in_exactly_one_cell (ps : list path) (y : vector) : Prop :=
  exists before p after, ps = before ++ p :: after /\ in_cell p y
    /\ forall q, In q (before ++ after) -> ~ in_cell q y.

Lemma children_of_a_cell_that_holds_y p y : in_cell p y -> in_exactly_one_cell (children k p) y.
Proof.
  intros H. destruct (children_partition_their_parent k d radius d_pos radius_pos p y) as [E _].
  destruct (E H) as (a & [Ha Ca] & U).
  exists (map (fun a => a :: p) (seq 0 a)), (a :: p), (map (fun a => a :: p) (seq (S a) (K k - S a))).
  split; [|split; [exact Ca|]].
  - unfold children. replace (K k) with (a + S (K k - S a)) by lia.
    rewrite seq_app, map_app. cbn [seq map]. repeat f_equal; lia.
  - intros q Hq Cq. apply in_app_iff in Hq.
    assert (exists b, q = b :: p /\ b < K k /\ b <> a) as (b & -> & Hb & N).
    { destruct Hq as [Hq|Hq]; apply in_map_iff in Hq; destruct Hq as (b & <- & Hb);
        apply in_seq in Hb; exists b; repeat split; lia. }
    apply N. symmetry. apply U. auto.
Qed.

(** Claim [partition-coverage]. Whatever the expansions, each point of Y is in the cell of
    exactly one leaf. *)
Theorem leaves_partition_the_space ps y : leaves_of_a_tree k ps -> in_space d radius y ->
  in_exactly_one_cell ps y.
Proof.
  intros T Hy. induction T as [|before p after T IH].
  - exists [], [], []. split; [reflexivity|]. split; [|intros q []].
    apply in_root_cell; assumption.
  - destruct IH as (l1 & q & l2 & E & Cq & O).
    destruct (children_partition_their_parent k d radius d_pos radius_pos p y) as [_ P].
    assert (outside : ~ in_cell p y -> forall r, In r (children k p) -> ~ in_cell r y).
    { intros N r Hr Cr. apply in_map_iff in Hr. destruct Hr as (a & <- & Ha).
      apply in_seq in Ha. apply N. apply (P a); [lia|exact Cr]. }
    destruct (Nat.lt_trichotomy (length l1) (length before)) as [L|[L|L]].
    + (* the leaf that holds y is before p *)
      assert (B : exists l3, before = l1 ++ q :: l3 /\ l2 = l3 ++ p :: after).
      { clear - E L. revert l1 E L. induction before as [|b before IH]; intros [|x l1] E L;
          cbn in *; try lia; injection E as -> E.
        - exists before. auto.
        - destruct (IH l1 E ltac:(lia)) as (l3 & -> & ->). exists l3. auto. }
      destruct B as (l3 & -> & ->). exists l1, q, (l3 ++ children k p ++ after).
      split; [rewrite <- app_assoc; reflexivity|]. split; [exact Cq|].
      intros r Hr. rewrite !in_app_iff in Hr.
      assert (Np : ~ in_cell p y) by (apply O; rewrite !in_app_iff; cbn; auto).
      destruct Hr as [Hr|[Hr|[Hr|Hr]]]; [| |apply outside; auto|]; apply O;
        rewrite !in_app_iff; cbn; auto.
    + (* it is p *)
      assert (B : before = l1 /\ p = q /\ after = l2).
      { clear - E L. revert l1 E L. induction before as [|b before IH]; intros [|x l1] E L;
          cbn in *; try lia; injection E as -> E; [auto|].
        destruct (IH l1 E ltac:(lia)) as (-> & -> & ->). auto. }
      destruct B as (-> & -> & ->).
      destruct (children_of_a_cell_that_holds_y q y Cq) as (c1 & c & c2 & -> & Cc & Oc).
      exists (l1 ++ c1), c, (c2 ++ l2). split; [rewrite <- !app_assoc; reflexivity|].
      split; [exact Cc|]. intros r Hr. rewrite !in_app_iff in Hr.
      destruct Hr as [[Hr|Hr]|[Hr|Hr]];
        [apply O | apply Oc | apply Oc | apply O]; rewrite !in_app_iff; auto.
    + (* it is after p *)
      assert (B : exists l3, after = l3 ++ q :: l2 /\ l1 = before ++ p :: l3).
      { clear - E L. revert l1 E L. induction before as [|b before IH]; intros [|x l1] E L;
          cbn in *; try lia; injection E as -> E.
        - exists l1. auto.
        - destruct (IH l1 E ltac:(lia)) as (l3 & -> & ->). exists l3. auto. }
      destruct B as (l3 & -> & ->). exists (before ++ children k p ++ l3), q, l2.
      split; [rewrite <- !app_assoc; reflexivity|]. split; [exact Cq|].
      intros r Hr. rewrite !in_app_iff in Hr.
      assert (Np : ~ in_cell p y) by (apply O; rewrite !in_app_iff; cbn; auto).
      destruct Hr as [[Hr|[Hr|Hr]]|Hr]; [|apply outside; auto| |]; apply O;
        rewrite !in_app_iff; cbn; auto.
Qed.

(** Claim [partition-coverage]. The closed cells of the leaves cover the closed cube. *)
Theorem closed_cells_of_the_leaves_cover_the_closed_space ps y : leaves_of_a_tree k ps ->
  in_closed_space d radius y -> exists p, In p ps /\ in_closed_cell k d radius p y.
Proof.
  intros T Hy. induction T as [|before p after T IH].
  - destruct (closed_cells_of_each_depth_cover_the_closed_space k d radius d_pos radius_pos 0 y Hy)
      as (p & [_ L] & C). destruct p; [|discriminate]. exists []. cbn. auto.
  - destruct IH as (q & Hq & Cq). apply in_app_iff in Hq. destruct Hq as [Hq|[->|Hq]].
    + exists q. rewrite !in_app_iff. auto.
    + destruct (closed_children_cover_their_parent k d radius d_pos radius_pos q y Cq) as (a & Ha & Ca).
      exists (a :: q). split; [|exact Ca]. rewrite !in_app_iff. right. left. apply in_map_iff.
      exists a. split; [reflexivity|]. apply in_seq. lia.
    + exists q. rewrite !in_app_iff. auto.
Qed.

End Partition.

(** ** The leaves of the model *)

Section Model.
Variable V : Type.
Variable less : V -> V -> bool.
Variable oracle : path -> nat -> V.
Variable cfg : settings.

Notation tree s := (leaves_of_a_tree (half cfg) (map place (leaves s))).

Lemma make_children_keeps_the_leaves digits (x : leaf V) s :
  let '(made, s') := make_children V less oracle cfg digits x s in
  leaves s' = leaves s
  /\ match made with
     | Some cs => map place cs = map (fun c => c :: place x) digits
     | None => True
     end.
Proof.
  revert s. induction digits as [|c rest IH]; intros s; cbn [make_children]; [auto|].
  destruct ((c =? half cfg)%nat && negb (within_cap V cfg x))%bool.
  - specialize (IH s). destruct (make_children V less oracle cfg rest x s) as [[cs|] s'];
      cbn in *; destruct IH as [E F]; rewrite ?F; auto.
  - destruct (exhausted V cfg s); [auto|]. cbn [evaluate].
    set (s1 := State _ _ _ _ _ _ _). specialize (IH s1).
    destruct (make_children V less oracle cfg rest x s1) as [[cs|] s'];
      cbn in *; destruct IH as [E F]; rewrite ?F; auto.
Qed.

Lemma same_path_is_equality p q : same_path p q = true <-> p = q.
Proof.
  revert q. induction p as [|a p IH]; intros [|b q]; cbn; split; intros H; try discriminate; auto.
  - apply andb_prop in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. apply IH in H2. congruence.
  - injection H as -> ->. rewrite Nat.eqb_refl. apply IH. reflexivity.
Qed.

Lemma replace_leaf_places p (cs xs : list (leaf V)) :
  map place (replace_leaf V p cs xs) = map place xs
  \/ exists before after, map place xs = before ++ p :: after
       /\ map place (replace_leaf V p cs xs) = before ++ map place cs ++ after.
Proof.
  induction xs as [|x xs IH]; cbn [replace_leaf]; [auto|].
  destruct (same_path (place x) p) eqn:E.
  - apply same_path_is_equality in E. right. exists [], (map place xs). cbn. subst p.
    rewrite map_app. auto.
  - destruct IH as [IH|(before & after & E1 & E2)]; cbn; [left; congruence|].
    right. exists (place x :: before), after. cbn. rewrite E1, E2. auto.
Qed.

Lemma expand_keeps_a_tree x s : tree s -> tree (expand V less oracle cfg x s).
Proof.
  intros T. unfold expand. set (s1 := State _ _ _ _ _ _ _).
  pose proof (make_children_keeps_the_leaves (seq 0 (K (half cfg))) x s1) as M.
  destruct (make_children V less oracle cfg (seq 0 (K (half cfg))) x s1) as [[cs|] s2].
  - destruct M as [L P]. cbn [leaves]. rewrite L. change (leaves s1) with (leaves s).
    destruct (replace_leaf_places (place x) cs (leaves s)) as [->|(before & after & E1 & E2)]; [exact T|].
    rewrite E2, P. rewrite E1 in T. apply after_an_expansion. exact T.
  - destruct M as [L _]. rewrite L. exact T.
Qed.

Lemma visit_classes_keeps_a_tree frozen s : tree s -> tree (visit_classes V less oracle cfg frozen s).
Proof.
  revert s. induction frozen as [|[r members] rest IH]; intros s T; cbn [visit_classes]; [exact T|].
  apply IH. destruct members as [|x members]; cbn [visit_class]; [exact T|].
  destruct (exhausted V cfg s); [exact T|].
  destruct (below V less _ (nu_min s)); [apply expand_keeps_a_tree|]; exact T.
Qed.

Lemma visits_keeps_a_tree n l s : tree s -> tree (visits V less oracle cfg n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s T; cbn [visits]; [exact T|].
  destruct (exhausted V cfg s); [exact T|]. apply IH. apply visit_classes_keeps_a_tree. exact T.
Qed.

(** Claim [partition-coverage]. After any number of sweeps the leaves are those of a tree. *)
Theorem the_leaves_are_those_of_a_tree_after_any_number_of_sweeps n :
  tree (run_for V less oracle cfg n (start V oracle cfg)).
Proof.
  assert (T : tree (start V oracle cfg)) by apply the_root_alone.
  revert T. generalize (start V oracle cfg) as s.
  induction n as [|n IH]; intros s T; cbn [run_for]; [exact T|].
  destruct (exhausted V cfg s); [exact T|].
  assert (T' : tree (sweep V less oracle cfg s)) by (apply visits_keeps_a_tree; exact T).
  destruct (nu_min (sweep V less oracle cfg s)); [apply IH|]; exact T'.
Qed.

(** Claim [partition-coverage]. After any number of sweeps of Algorithm 1, each point of Y is in
    the cell of exactly one leaf. *)
Theorem leaves_partition_the_space_after_any_number_of_sweeps n radius y :
  (1 <= dimension cfg)%nat -> (0 < radius)%R -> in_space (dimension cfg) radius y ->
  in_exactly_one_cell (half cfg) (dimension cfg) radius
    (map place (leaves (run_for V less oracle cfg n (start V oracle cfg)))) y.
Proof.
  intros Hd Hr Hy. apply leaves_partition_the_space; auto.
  apply the_leaves_are_those_of_a_tree_after_any_number_of_sweeps.
Qed.

End Model.
