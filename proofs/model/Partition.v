(** * Partition: at any moment of a run the leaves of T divide Y among themselves. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Geometry Vectors Model Nodes Steps RunsTree Cells.

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
    assert (here : in_cell p y -> l1 = before -> l2 = after -> in_exactly_one_cell (before ++ children k p ++ after) y).
    { intros Cp -> ->. destruct (children_of_a_cell_that_holds_y p y Cp) as (c1 & c & c2 & -> & Cc & Oc).
      exists (before ++ c1), c, (c2 ++ after). split; [rewrite <- !app_assoc; reflexivity|].
      split; [exact Cc|]. intros r Hr. rewrite !in_app_iff in Hr.
      destruct Hr as [[Hr|Hr]|[Hr|Hr]];
        [apply O | apply Oc | apply Oc | apply O]; rewrite !in_app_iff; auto. }
    (* The leaf that holds y is p, before p, or after p. *)
    destruct (app_eq_app _ _ _ _ E) as ([|x l3] & [[E1 E2]|[E1 E2]]); cbn in E2; injection E2 as Ex E2.
    + rewrite app_nil_r in E1. apply here; [rewrite <- Ex; exact Cq|congruence|congruence].
    + rewrite app_nil_r in E1. apply here; [rewrite Ex; exact Cq|congruence|congruence].
    + subst x l2 before. assert (Np : ~ in_cell p y) by (apply O; rewrite !in_app_iff; cbn; auto).
      exists l1, q, (l3 ++ children k p ++ after). split; [rewrite <- app_assoc; reflexivity|].
      split; [exact Cq|]. intros r Hr. rewrite !in_app_iff in Hr.
      destruct Hr as [Hr|[Hr|[Hr|Hr]]]; [| |apply outside; auto|]; apply O; rewrite !in_app_iff; cbn; auto.
    + subst x after l1. assert (Np : ~ in_cell p y) by (apply O; rewrite !in_app_iff; cbn; auto).
      exists (before ++ children k p ++ l3), q, l2. split; [rewrite <- !app_assoc; reflexivity|].
      split; [exact Cq|]. intros r Hr. rewrite !in_app_iff in Hr.
      destruct Hr as [[Hr|[Hr|Hr]]|Hr]; [|apply outside; auto| |]; apply O; rewrite !in_app_iff; cbn; auto.
Qed.

End Partition.

(** ** The leaves of the model *)

Section Model.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Lemma the_leaves_are_those_of_a_tree s : reached less oracle cfg s -> leaves_of_a_tree (half cfg) (places s).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto; [apply the_root_alone|].
  intros q s Hr _ Hin _ _ IH.
  destruct (places_expand less oracle cfg q s Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
  rewrite E in IH. exact (after_an_expansion _ _ _ _ IH).
Qed.

(** Claim [partition-coverage]. After any number of sweeps the leaves are those of a tree. *)
Theorem the_leaves_are_those_of_a_tree_after_any_number_of_sweeps n :
  leaves_of_a_tree (half cfg) (map place (leaves (run_for less oracle cfg n (start oracle cfg)))).
Proof. apply the_leaves_are_those_of_a_tree, run_for_reached. Qed.

(** Claim [partition-coverage]. After any number of sweeps of Algorithm 1, each point of Y is in
    the cell of exactly one leaf. *)
Theorem leaves_partition_the_space_after_any_number_of_sweeps n radius y :
  (1 <= dimension cfg)%nat -> (0 < radius)%R -> in_space (dimension cfg) radius y ->
  in_exactly_one_cell (half cfg) (dimension cfg) radius
    (map place (leaves (run_for less oracle cfg n (start oracle cfg)))) y.
Proof.
  intros Hd Hr Hy. apply leaves_partition_the_space; auto.
  apply the_leaves_are_those_of_a_tree_after_any_number_of_sweeps.
Qed.

End Model.
