(** * The rate of the indexed policy: the regret decays exponentially in the number of sweeps

    If each embedded objective grows at least linearly away from some point of Y, P points in all, few nodes of a depth
    have a value below the threshold, a number that does not depend on the depth: S_h is at most (h + 1) P (2t + 1)^d.
    So the regret after that many sweeps is at most a constant times K^(-h/d).  EndToEnd.v has this in evaluations,
    the unit of what Ceiling.v proves about fresh matrices. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order Geometry SweepCosts Lemma1 Theorem2
  RealValues Vectors Cells WellShaped Indexed IndexedRegret IndexedTheorem2.
Local Open Scope R_scope.

(** ** Counting nodes *)

Lemma nth_of_a_mapped_range : forall (F : nat -> nat) d j, (j < d)%nat -> nth j (map F (seq 0 d)) 0%nat = F j.
Proof.
  intros F d j small. rewrite (nth_indep _ 0%nat (F 0%nat)) by (rewrite map_length, seq_length; assumption).
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

(** Distinct nodes of one depth whose numerators lie in intervals of 2t + 1 integers: at most (2t + 1)^d. *)
Lemma few_nodes_in_a_box_of_numerators : forall k d t depth (low : nat -> Z) (nodes : list path),
  (1 <= d)%nat -> NoDup nodes ->
  (forall x, In x nodes -> node k x /\ length x = depth /\
     forall j, (j < d)%nat -> (low j <= num k d x j <= low j + 2 * Z.of_nat t)%Z) ->
  (length nodes <= K t ^ d)%nat.
Proof.
  intros k d t depth low nodes d_pos distinct inside.
  set (code := fun x => map (fun j => Z.to_nat (num k d x j - low j)) (seq 0 d)).
  rewrite <- (map_length code nodes), <- (length_level t d). apply NoDup_incl_length.
  - assert (injective : forall x x', In x nodes -> In x' nodes -> code x = code x' -> x = x').
    { intros x x' member member' same.
      destruct (inside x member) as (valid & is_deep & range).
      destruct (inside x' member') as (valid' & is_deep' & range').
      apply (numerators_determine_the_node k d d_pos); [assumption | assumption | congruence|].
      intros j small. specialize (range j small). specialize (range' j small).
      assert (same_j : nth j (code x) 0%nat = nth j (code x') 0%nat) by (rewrite same; reflexivity).
      unfold code in same_j. rewrite !nth_of_a_mapped_range in same_j by assumption. lia. }
    clear inside. induction distinct as [|x nodes absent distinct IH]; cbn [map]; [constructor|].
    constructor.
    + intros again. apply in_map_iff in again. destruct again as (x' & same & member').
      apply absent. rewrite <- (injective x' x); [assumption | right; assumption | left; reflexivity | assumption].
    + apply IH. intros y y' member member'. apply injective; right; assumption.
  - intros c member. apply in_map_iff in member. destruct member as (x & <- & member).
    apply in_level. split.
    + apply Forall_forall. intros digit some. apply in_map_iff in some. destruct some as (j & <- & small).
      apply in_seq in small. destruct (inside x member) as (_ & _ & range). specialize (range j ltac:(lia)).
      unfold K. lia.
    + unfold code. rewrite map_length, seq_length. reflexivity.
Qed.

Lemma length_of_the_two_halves : forall {A} (b : A -> bool) (xs : list A),
  (length xs = length (filter b xs) + length (filter (fun x => negb (b x)) xs))%nat.
Proof. induction xs as [|x xs IH]; cbn; [reflexivity|]. destruct (b x); cbn; lia. Qed.

(** P properties, each of which at most Q distinct nodes have, and every node has one: at most P Q nodes. *)
Lemma union_bound : forall Q P (has : nat -> path -> bool) (nodes : list path), NoDup nodes ->
  (forall x, In x nodes -> exists i, (i < P)%nat /\ has i x = true) ->
  (forall i some, (i < P)%nat -> NoDup some -> (forall x, In x some -> In x nodes /\ has i x = true) ->
     (length some <= Q)%nat) ->
  (length nodes <= P * Q)%nat.
Proof.
  intros Q. induction P as [|P IH]; intros has nodes distinct covered few.
  - destruct nodes as [|x nodes]; [cbn; lia|]. destruct (covered x (or_introl eq_refl)) as (i & impossible & _). lia.
  - rewrite (length_of_the_two_halves (has P) nodes).
    assert (one : (length (filter (has P) nodes) <= Q)%nat).
    { apply (few P); [lia | apply NoDup_filter; assumption|]. intros x member. apply filter_In in member. exact member. }
    assert (others : (length (filter (fun x => negb (has P x)) nodes) <= P * Q)%nat).
    { apply (IH has).
      - apply NoDup_filter. assumption.
      - intros x member. apply filter_In in member. destruct member as [member not_last].
        destruct (covered x member) as (i & small & yes). exists i. split; [|assumption].
        destruct (Nat.eq_dec i P) as [-> | different]; [rewrite yes in not_last; discriminate | lia].
      - intros i some small distinct_some inside. apply (few i); [lia | assumption|].
        intros x member. destruct (inside x member) as [in_rest yes]. apply filter_In in in_rest. tauto. }
    cbn. lia.
Qed.

(** At most Q nodes of each of the depths 0, ..., h: at most (h + 1) Q nodes. *)
Lemma depth_by_depth : forall Q h (nodes : list path), NoDup nodes ->
  (forall x, In x nodes -> (length x <= h)%nat) ->
  (forall depth some, (depth <= h)%nat -> NoDup some ->
     (forall x, In x some -> In x nodes /\ length x = depth) -> (length some <= Q)%nat) ->
  (length nodes <= (h + 1) * Q)%nat.
Proof.
  intros Q h nodes distinct shallow few.
  apply (union_bound Q (h + 1) (fun depth x => Nat.eqb (length x) depth)); [assumption| |].
  - intros x member. exists (length x). cbn beta. rewrite Nat.eqb_refl. specialize (shallow x member). split; [lia | reflexivity].
  - intros depth some small distinct_some inside. apply (few depth); [lia | assumption |].
    intros x member. destruct (inside x member) as [in_nodes is]. now apply Nat.eqb_eq in is.
Qed.

Section Rate.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation oracle := (indexed_oracle f A radius cfg).
  Notation base_point := (base_point k d radius).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.

  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S d (A 0%nat) N.

  Variable y : vector.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  (** Each of the embeddings 0, ..., h grows at least linearly away from one of P points of Y: every base point is
      evaluated at most h + 1 times down to depth h, so no other embedding matters.  (One point if there is one embedding,
      or if they have one optimum in common; else P = h + 1 points will do, one for each embedding.) *)
  Variables (h P : nat) (center : nat -> vector) (c : R).
  Hypothesis c_pos : 0 < c.
  Hypothesis growth : forall q, (q <= h)%nat -> exists i, (i < P)%nat /\ forall z, in_closed_space d radius z ->
    g f A cfg 0 y + c * Vectors.norm (coordinates d) (minus z (center i)) <= g f A cfg q z.

  Lemma evaluation_is_g : forall p visit, oracle (birth k p) visit = g f A cfg (visit - 1) (base_point p).
  Proof.
    intros p visit. unfold indexed_oracle.
    apply (g_reads_the_coordinates n S L f A cfg L_is_nonnegative f_is_lipschitz).
    apply (same_point_same_base_point k d radius). apply same_point_birth. assumption.
  Qed.

  Lemma evaluations_are_at_most_the_depth_plus_1 : forall p,
    (count (node_at less_real oracle cfg p) <= length p + 1)%nat.
  Proof.
    induction p as [|a p IH]; cbn [node_at]; [cbn; lia|].
    destruct (Nat.eqb a k); [|cbn; lia]. destruct (within_cap cfg _); cbn in *; lia.
  Qed.

  Lemma recorded_values_grow : forall p, node k p -> (length p <= h)%nat -> exists i, (i < P)%nat /\
    g f A cfg 0 y + c * Vectors.norm (coordinates d) (minus (base_point p) (center i)) <= value less_real oracle cfg p.
  Proof.
    assert (evaluated : forall p visit, node k p -> (visit - 1 <= h)%nat -> exists i, (i < P)%nat /\
      g f A cfg 0 y + c * Vectors.norm (coordinates d) (minus (base_point p) (center i)) <= oracle (birth k p) visit).
    { intros p visit valid few. destruct (growth (visit - 1) few) as (i & small & grows). exists i.
      split; [assumption|]. rewrite evaluation_is_g. apply grows. intros j small_j.
      pose proof (a_base_point_is_in_the_space k d radius d_pos radius_pos p valid j small_j). lra. }
    induction p as [|a p IH]; intros valid shallow; unfold Nodes.value in *; cbn [node_at].
    - apply (evaluated [] 1%nat valid). lia.
    - destruct (Nat.eqb_spec a k) as [center_child | other]; [|apply evaluated; [assumption | lia]].
      assert (parent : node k p) by (inversion valid; assumption). cbn [length] in shallow.
      destruct (IH parent ltac:(lia)) as (i & small & grows).
      assert (same : Vectors.norm (coordinates d) (minus (base_point (a :: p)) (center i))
                     = Vectors.norm (coordinates d) (minus (base_point p) (center i))).
      { unfold Vectors.norm, square_norm. f_equal. apply sum_of_equal_terms. intros j small_j.
        apply in_coordinates in small_j. unfold minus.
        rewrite (same_point_same_base_point k d radius (a :: p) p); [reflexivity | | assumption].
        apply center_child_same_base; assumption. }
      pose proof (evaluations_are_at_most_the_depth_plus_1 p) as few.
      destruct (within_cap cfg _); cbn [new_leaf best]; [|exists i; rewrite same; auto].
      unfold smaller. destruct (less_real _ _); [apply evaluated; [assumption | lia] | exists i; rewrite same; auto].
  Qed.

  (** 2t + 1 is the number of base points, in one coordinate, that can be near y. *)
  Variable t : nat.
  Hypothesis t_is_large : L * N * sqrt (INR d) * INR (K k) <= 2 * c * INR t.

  Lemma near_base_points_have_near_numerators : forall p j z, (j < d)%nat ->
    c * Vectors.norm (coordinates d) (minus (base_point p) z) <= L * N * circumradius k d radius (length p) ->
    let a := power k (splits d (length p) j) * z j / (2 * radius) - INR t in
    a <= IZR (num k d p j) <= a + 2 * INR t.
  Proof.
    intros p j z small below a.
    set (W := power k (splits d (length p) j)) in *.
    assert (W_pos : 0 < W) by apply power_pos.
    set (q := (length p / d)%nat).
    assert (power_q : 0 < power k q) by apply power_pos.
    assert (W_small : W <= INR (K k) * power k q).
    { assert (next : power k (Datatypes.S q) = INR (K k) * power k q).
      { rewrite power_S. f_equal. unfold K. rewrite INR_IZR_INZ. f_equal. lia. }
      rewrite <- next. apply power_mono. unfold splits. fold q.
      destruct (Nat.ltb j (length p mod d)); lia. }
    assert (distance : Rabs (base_point p j - z j) <= Vectors.norm (coordinates d) (minus (base_point p) z)).
    { apply square_root_bound; [apply norm_is_nonnegative|]. rewrite square_of_absolute_value, norm_squared.
      apply (sum_contains_each_term _ (coordinates d) (fun i => minus (base_point p) z i ^ 2) j);
        [intros; apply pow2_ge_0 | apply in_coordinates; assumption]. }
    assert (LN : 0 <= L * N) by (apply Rmult_le_pos; [assumption | apply stretch]).
    pose proof (circumradius_shrinks_geometrically k d radius d_pos radius_pos (length p)) as small_cell. fold q in small_cell.
    assert (near : c * Rabs (base_point p j - z j) <= L * N * (radius * sqrt (INR d) / power k q)).
    { apply Rle_trans with (c * Vectors.norm (coordinates d) (minus (base_point p) z));
        [apply Rmult_le_compat_l; lra|].
      apply Rle_trans with (L * N * circumradius k d radius (length p)); [lra|].
      apply Rmult_le_compat_l; assumption. }
    assert (scaled : Rabs (base_point p j - z j) * W <= 2 * radius * INR t).
    { apply (Rmult_le_reg_l c); [assumption|].
      apply Rle_trans with (L * N * (radius * sqrt (INR d) / power k q) * W).
      - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
      - apply Rle_trans with (L * N * (radius * sqrt (INR d) / power k q) * (INR (K k) * power k q)).
        + apply Rmult_le_compat_l; [|assumption].
          apply Rmult_le_pos; [assumption|].
          apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply sqrt_pos] | apply Rlt_le, Rinv_0_lt_compat; assumption].
        + replace (L * N * (radius * sqrt (INR d) / power k q) * (INR (K k) * power k q))
            with (radius * (L * N * sqrt (INR d) * INR (K k))) by (field; lra).
          replace (c * (2 * radius * INR t)) with (radius * (2 * c * INR t)) by ring.
          apply Rmult_le_compat_l; lra. }
    assert (value_is : base_point p j * W = 2 * radius * IZR (num k d p j)).
    { unfold Cells.base_point. fold W. field. lra. }
    assert (both : Rabs (2 * radius * IZR (num k d p j) - W * z j) <= 2 * radius * INR t).
    { rewrite <- value_is. replace (base_point p j * W - W * z j) with ((base_point p j - z j) * W) by ring.
      rewrite Rabs_mult, (Rabs_right W) by lra. assumption. }
    assert (split : W * z j = 2 * radius * (a + INR t)) by (unfold a; field; lra).
    rewrite split in both.
    replace (2 * radius * IZR (num k d p j) - 2 * radius * (a + INR t))
      with (2 * radius * (IZR (num k d p j) - (a + INR t))) in both by ring.
    rewrite Rabs_mult, (Rabs_right (2 * radius)) in both by lra.
    apply Rmult_le_reg_l in both; [|lra].
    revert both. unfold_distances.
  Qed.

  (** Claim [indexed-regret-bound]. If each of the embeddings 0, ..., h grows at least linearly away from one of P points,
      S_h is at most (h + 1) P (2t + 1)^d; t is any integer of at least L N K sqrt d / (2 c). *)
  Theorem S_is_small_on_growing_objectives :
    (S_ less_real oracle cfg (threshold L f A radius cfg N y) h <= (h + 1) * (P * K t ^ d))%nat.
  Proof.
    unfold S_. apply depth_by_depth.
    - apply NoDup_filter. apply nodup_levels.
    - intros x member. apply in_G in member. destruct member as [_ near]. apply near_iff in near. tauto.
    - intros depth some small distinct inside.
      set (close := fun i x => if Rle_dec (c * Vectors.norm (coordinates d) (minus (base_point x) (center i)))
                                          (L * N * circumradius k d radius (length x)) then true else false).
      apply (union_bound _ P close); [assumption| |].
      + intros x member. destruct (inside x member) as [in_G_h is_deep].
        assert (in_the_tree : node k x) by (apply in_G in in_G_h; tauto).
        assert (below : value less_real oracle cfg x <= threshold L f A radius cfg N y (length x)).
        { apply (S_counts_the_nodes_below_their_threshold S L f A radius cfg d_pos radius_pos L_is_nonnegative N stretch y h);
            [assumption | lia | assumption]. }
        destruct (recorded_values_grow x in_the_tree ltac:(lia)) as (i & small_i & grows).
        exists i. split; [assumption|]. unfold close, threshold in *.
        destruct (Rle_dec _ _) as [yes | no]; [reflexivity | exfalso; lra].
      + intros i these small_i distinct_these inside_these.
        set (a := fun j => power k (splits d depth j) * center i j / (2 * radius) - INR t).
        apply (few_nodes_in_a_box_of_numerators k d t depth (fun j => (1 - up (- a j))%Z)); [assumption | assumption|].
        intros x member. destruct (inside_these x member) as [in_some near].
        destruct (inside x in_some) as [in_G_h is_deep].
        assert (in_the_tree : node k x) by (apply in_G in in_G_h; tauto).
        split; [assumption|]. split; [assumption|]. intros j small_j.
        unfold close in near. destruct (Rle_dec _ _) as [below | no] in near; [|discriminate].
        pose proof (near_base_points_have_near_numerators x j (center i) small_j below) as range.
        cbv zeta in range. rewrite is_deep in range. fold (a j) in range.
        destruct (archimed (- a j)) as [up_above up_below].
        assert (low : (1 - up (- a j) - 1 < num k d x j)%Z).
        { apply lt_IZR. rewrite !minus_IZR. lra. }
        assert (high : (num k d x j < 1 - up (- a j) + 2 * Z.of_nat t + 1)%Z).
        { apply lt_IZR. rewrite !plus_IZR, minus_IZR, mult_IZR, <- INR_IZR_INZ. lra. }
        lia.
  Qed.

  (** Claims [indexed-regret-bound] [theorem-2]. The regret of the indexed policy decays exponentially on growing objectives:
      after (h + 1) P (2t + 1)^d complete sweeps, and ever after, it is at most
      (g_0(y) - f_star) + L N R sqrt d / K^(floor((h + 1)/d)). *)
  Theorem regret_of_the_indexed_policy_decays_exponentially : forall f_star, (h <= h_max cfg)%nat ->
    forall m s, ((h + 1) * (P * K t ^ d) <= m)%nat -> exhausted cfg (run_for less_real oracle cfg m (start oracle cfg)) = false ->
    steps less_real oracle cfg (run_for less_real oracle cfg m (start oracle cfg)) s ->
    answer s - f_star
    <= (g f A cfg 0 y - f_star) + L * N * (radius * sqrt (INR d) / power k ((h + 1) / d)).
  Proof.
    intros f_star small m s enough left_over later.
    pose proof S_is_small_on_growing_objectives as few.
    pose proof (regret_of_the_indexed_policy_after_S_sweeps n S L f A radius cfg d_pos radius_pos L_is_nonnegative
      f_is_lipschitz N stretch y y_is_in_the_space f_star h small m s ltac:(lia) left_over later) as regret.
    pose proof (circumradius_shrinks_geometrically k d radius d_pos radius_pos (Datatypes.S h)) as small_cell.
    rewrite Nat.add_1_r.
    assert (L * N * circumradius k d radius (Datatypes.S h)
            <= L * N * (radius * sqrt (INR d) / power k (Datatypes.S h / d))).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; [assumption | apply stretch] | assumption]. }
    lra.
  Qed.

End Rate.

(** ** A concrete instance of every hypothesis

    Embeddings that shrink Y to the cube [-1,1]^d, and the cone about the image of any point y of Y. *)

Section RateInstance.

  Variables (d : nat) (radius L : R) (y : vector).
  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis radius_pos : 0 < radius.
  Hypothesis L_pos : 0 < L.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  (** Every A_q is the identity divided by R. *)
  Definition shrinking : nat -> matrix := fun _ i j => if Nat.eqb i j then / radius else 0.

  Definition shrunk_cone : vector -> R := cone d L shrinking d y.

  Lemma image_of_shrinking : forall q z i, (i < d)%nat -> times d (shrinking q) z i = z i / radius.
  Proof.
    intros q z i small. unfold times, shrinking.
    rewrite (sum_of_equal_terms _ _ _ (fun j => if Nat.eqb i j then z j / radius else 0)).
    - apply (sum_of_a_diagonal (coordinates d) (fun j => z j / radius));
        [apply coordinates_are_distinct | apply in_coordinates; assumption].
    - intros j _. destruct (Nat.eqb i j); [unfold Rdiv; ring | ring].
  Qed.

  Lemma shrinking_stretches : stretches_by_at_most (coordinates d) d (shrinking 0) (/ radius).
  Proof.
    assert (0 < / radius) by (apply Rinv_0_lt_compat; assumption).
    split; [lra|]. intros z. apply square_root_bound.
    - apply Rmult_le_pos; [lra | apply norm_is_nonnegative].
    - rewrite Rpow_mult_distr, !norm_squared. unfold square_norm. rewrite <- sum_of_multiples.
      apply sum_is_monotone. intros i member. apply in_coordinates in member.
      rewrite image_of_shrinking by assumption. right. unfold Rdiv. ring.
  Qed.

  Lemma value_of_the_shrunk_cone : forall q z, in_closed_space d radius z ->
    embedded shrunk_cone d (shrinking q) z = L / radius * Vectors.norm (coordinates d) (minus z y).
  Proof.
    intros q z inside.
    assert (0 < / radius) by (apply Rinv_0_lt_compat; assumption).
    assert (unclipped : forall w i, in_closed_space d radius w -> (i < d)%nat ->
                        clip (times d (shrinking q) w i) = w i / radius /\ clip (times d (shrinking 0) w i) = w i / radius).
    { intros w i inside_w small. rewrite !image_of_shrinking by assumption.
      specialize (inside_w i small).
      assert (-1 <= w i / radius <= 1).
      { split; apply (Rmult_le_reg_r radius); try assumption; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
      rewrite clip_is_the_identity_inside by assumption. auto. }
    unfold embedded, shrunk_cone, cone, optimum. unfold Rdiv at 1. rewrite Rmult_assoc. f_equal.
    assert (scaled : forall a b, 0 <= a -> 0 <= b -> a ^ 2 = b ^ 2 -> a = b).
    { intros a b nonneg_a nonneg_b squares. apply Rle_antisym; apply square_root_bound; lra. }
    apply scaled; [apply norm_is_nonnegative | apply Rmult_le_pos; [lra | apply norm_is_nonnegative] |].
    rewrite Rpow_mult_distr, !norm_squared. unfold square_norm. rewrite <- sum_of_multiples.
    apply sum_of_equal_terms. intros i member. apply in_coordinates in member. unfold minus, project.
    rewrite (proj1 (unclipped z i inside member)), (proj2 (unclipped y i y_is_in_the_space member)).
    unfold Rdiv. ring.
  Qed.

  (** Claim [indexed-regret-bound]. For a cone seen through the embedding z |-> z/R, with t at least K sqrt d / 2, the least value found after
      (h + 1) (2t + 1)^d complete sweeps is at most L sqrt d / K^(floor((h + 1)/d)): nothing is left to assume. *)
  Theorem the_rate_on_a_cone : forall cfg t h m s,
    dimension cfg = d -> sqrt (INR d) * INR (K (Model.half cfg)) <= 2 * INR t -> (h <= h_max cfg)%nat ->
    let oracle := indexed_oracle shrunk_cone shrinking radius cfg in
    ((h + 1) * K t ^ d <= m)%nat -> exhausted cfg (run_for less_real oracle cfg m (start oracle cfg)) = false ->
    steps less_real oracle cfg (run_for less_real oracle cfg m (start oracle cfg)) s ->
    answer s <= L * (sqrt (INR d) / power (Model.half cfg) ((h + 1) / d)).
  Proof.
    intros cfg t h m s dimension_is large small oracle enough left_over later.
    assert (0 < / radius) by (apply Rinv_0_lt_compat; assumption).
    assert (d_pos' := d_pos). assert (inside := y_is_in_the_space). assert (stretch := shrinking_stretches).
    assert (vanishes : g shrunk_cone shrinking cfg 0 y = 0).
    { unfold g. rewrite dimension_is, value_of_the_shrunk_cone by assumption.
      rewrite norm_of_zeros; [ring|]. intros. unfold minus. ring. }
    assert (growth : forall q, (q <= h)%nat -> exists i, (i < 1)%nat /\ forall z, in_closed_space (dimension cfg) radius z ->
      g shrunk_cone shrinking cfg 0 y + L / radius * Vectors.norm (coordinates (dimension cfg)) (minus z y)
      <= g shrunk_cone shrinking cfg q z).
    { intros q _. exists 0%nat. split; [lia|]. intros z inside_z. rewrite vanishes. unfold g. rewrite dimension_is in *.
      rewrite value_of_the_shrunk_cone by assumption. lra. }
    assert (slope : 0 < L / radius) by (apply Rdiv_lt_0_compat; assumption).
    rewrite <- dimension_is in d_pos', inside, stretch. rewrite <- dimension_is in enough, large |- *.
    assert (large' : L * / radius * sqrt (INR (dimension cfg)) * INR (K (Model.half cfg)) <= 2 * (L / radius) * INR t).
    { unfold Rdiv. replace (2 * (L * / radius) * INR t) with (L * / radius * (2 * INR t)) by ring.
      rewrite (Rmult_assoc (L * / radius)). apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | assumption]. }
    pose proof (regret_of_the_indexed_policy_decays_exponentially d (coordinates (dimension cfg)) L shrunk_cone shrinking
      radius cfg d_pos' radius_pos (Rlt_le _ _ L_pos)) as rate.
    specialize (rate ltac:(rewrite dimension_is; apply cone_is_lipschitz; lra) (/ radius) stretch y inside h 1%nat (fun _ => y) (L / radius) slope
      growth t large' 0 small m s ltac:(rewrite Nat.mul_1_l; exact enough) left_over later).
    rewrite vanishes in rate.
    replace (L * (sqrt (INR (dimension cfg)) / power (Model.half cfg) ((h + 1) / dimension cfg)))
      with (L * / radius * (radius * sqrt (INR (dimension cfg)) / power (Model.half cfg) ((h + 1) / dimension cfg)))
      by (pose proof (power_pos (Model.half cfg) ((h + 1) / dimension cfg)); field; lra).
    lra.
  Qed.

End RateInstance.
