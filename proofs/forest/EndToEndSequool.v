(** * End to end, with SequOOL's rule in the place of sweeps

    The count of EndToEnd.v and the rule of SequoolRule.v put together.  If the embedded objectives grow at least linearly
    near their least values, every depth has at most C near-optimal nodes, so the rule with the greatest depth H evaluates the
    optimal node of depth floor(H/C) + 1.  It takes about 2 (K - 1) H ln H evaluations.  With sweeps the same count gives
    a depth of the order of the square root of the number of evaluations. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import ForestTerms Geometry RealValues Vectors Cells WellShaped Indexed IndexedRegret IndexedRate
  Forest ForestNodes ForestTrees ForestDefault ForestRegret EndToEnd SequoolRule Sequool.
Local Open Scope R_scope.

Section SequoolInTheForest.

  Variables (n : nat) (S : list nat) (L : R) (f : vector -> R) (A : nat -> matrix) (radius : R) (cfg : settings)
    (trees : nat).
  Notation k := (Model.half cfg).
  Notation d := (dimension cfg).
  Notation base_point := (base_point k d radius).
  Notation forest_cfg := (one_dimension cfg).
  Notation g := (g_of f A forest_cfg).
  Notation oracle := (forest_oracle f A (fun _ => radius) forest_cfg).
  Notation value := (ForestTerms.value forest_cfg oracle).
  Notation children := (Nodes.children cfg).

  Hypothesis d_pos : (1 <= d)%nat.
  Hypothesis L_is_nonnegative : 0 <= L.
  Hypothesis f_is_lipschitz : lipschitz n S L f.
  Hypothesis radius_pos : 0 < radius.

  (** N bounds the stretch of A_t; y is a point of Y. *)
  Variable t : nat.
  Hypothesis t_is_a_tree : (t < trees)%nat.
  Variable N : R.
  Hypothesis stretch : stretches_by_at_most S d (A t) N.
  Variable y : vector.
  Hypothesis y_is_in_the_space : in_closed_space d radius y.

  Notation threshold := (forest_threshold L f A (fun _ => radius) forest_cfg t N y).

  (** The rule visits depths up to H; any queues. *)
  Variables (queue : path -> nat) (queues H : nat).
  Hypothesis queues_are_numbered : forall q, (queue q < queues)%nat.
  Definition roots_but_the_first : list path := map (fun q => [q]) (seq 1 (trees - 1)).
  Notation nodes := (nodes_of_depth children [0%nat] roots_but_the_first).
  Notation answer := (SequoolRule.answer less_real value children [0%nat] roots_but_the_first queue queues H).

  Lemma roots_of_the_forest : @SequoolRule.roots path [0%nat] roots_but_the_first = map (fun q => [q]) (seq 0 trees).
  Proof.
    unfold SequoolRule.roots, roots_but_the_first. destruct trees as [|P]; [lia|]. cbn. now rewrite Nat.sub_0_r.
  Qed.

  (** ** All nodes of a depth *)

  Lemma nodes_are_nodes_of_the_forest : forall h x, In x (nodes h) -> forest_node forest_cfg trees x /\ level_of x = h.
  Proof.
    induction h as [|h IH]; intros x member; cbn [nodes_of_depth] in member.
    - rewrite roots_of_the_forest in member. apply in_map_iff in member. destruct member as (q & <- & small).
      apply in_seq in small. split; [|reflexivity]. split; [discriminate|]. split; [cbn; lia | constructor].
    - apply in_flat_map in member. destruct member as (p & member & child). destruct (IH p member) as [is_node deep].
      apply in_children in child. destruct child as (c & small & ->). pose proof (proj1 is_node) as proper.
      split; [apply forest_node_child; auto|]. unfold level_of in *. rewrite inner_child by assumption. cbn. congruence.
  Qed.

  Lemma nodes_are_distinct : forall h, NoDup (nodes h).
  Proof.
    induction h as [|h IH]; cbn [nodes_of_depth].
    - rewrite roots_of_the_forest. apply FinFun.Injective_map_NoDup; [intros a b same; congruence | apply seq_NoDup].
    - generalize IH. generalize (nodes h). clear IH. intros xs distinct.
      induction distinct as [|x xs new distinct IH]; cbn [flat_map]; [constructor|].
      apply nodup_app; [apply nodup_children | exact IH|]. intros p child other.
      apply in_flat_map in other. destruct other as (x' & member & child').
      apply in_children in child, child'. destruct child as (c & _ & ->), child' as (c' & _ & same).
      apply new. congruence.
  Qed.

  Lemma number_of_nodes : forall h, length (nodes h) = (trees * K k ^ h)%nat.
  Proof.
    induction h as [|h IH]; cbn [nodes_of_depth].
    - rewrite roots_of_the_forest, map_length, seq_length. cbn. lia.
    - rewrite Nat.pow_succ_r', (Nat.mul_comm (K k)), Nat.mul_assoc, <- IH. generalize (nodes h). intros xs.
      induction xs as [|x xs IHxs]; [reflexivity|]. cbn [flat_map length]. rewrite app_length, IHxs.
      unfold Nodes.children, children_of. rewrite map_length, seq_length. lia.
  Qed.

  (** ** A branch of y *)

  (** From the node x of depth D on it goes to center children, which have the value of their parents. *)
  Definition branch_through (x : path) (D h : nat) : path := repeat k (h - D) ++ skipn (D - h) x ++ [t].

  Lemma skipn_one_less : forall (x : path) m, (m < length x)%nat -> exists c, skipn m x = c :: skipn (Datatypes.S m) x.
  Proof.
    induction x as [|a x IH]; intros m small; [cbn in small; lia|]. destruct m as [|m]; [now exists a|].
    cbn [length] in small. destruct (IH m ltac:(lia)) as [c same]. now exists c.
  Qed.

  Lemma value_below_x : forall x D h, length x = D -> (D <= h)%nat -> value (branch_through x D h) = value (x ++ [t]).
  Proof.
    intros x D h deep below. unfold branch_through. replace (D - h)%nat with 0%nat by lia. cbn [skipn].
    induction (h - D)%nat as [|m IH]; [reflexivity|]. cbn [repeat app]. etransitivity; [apply (value_of_a_center_child (cfg := forest_cfg)) | exact IH].
    destruct (repeat k m), x; discriminate.
  Qed.

  (** Claim [sequool-end-to-end]. SequOOL's rule in the forest: if at most floor(H/h) nodes of each depth h = 1, ..., l, of all trees and in one queue, have
      a value of at most g_t(y) + L N r_h, the regret is at most (g_t(y) - f_star) + L N r_(l+1). *)
  Theorem regret_of_sequools_rule_in_the_forest : forall f_star l,
    (forall h, (1 <= h <= l)%nat ->
       forall q, (h * number_up_to less_real value (threshold h) (in_queue queue q (nodes h)) <= H)%nat) ->
    answer - f_star <= (g t y - f_star) + L * N * circumradius k d radius (Datatypes.S l).
  Proof.
    intros f_star l few. set (D := Datatypes.S l).
    destruct (every_point_has_a_branch k d radius d_pos radius_pos D y y_is_in_the_space) as (x & valid & deep & cells).
    pose proof (the_answer_of_sequool_is_near_optimal less_real value children [0%nat] roots_but_the_first queue queues H
      real_values_are_totally_ordered (branch_through x D)) as found.
    assert (below : at_most less_real answer (threshold (Nat.min D D))).
    { apply (found) with (threshold := fun h => threshold (Nat.min D h)); clear found.
      - rewrite roots_of_the_forest. unfold branch_through. rewrite Nat.sub_0_r, <- deep, skipn_all. cbn.
        apply (in_map (fun q => [q])). apply in_seq. lia.
      - intros h. apply in_children. unfold branch_through. destruct (le_lt_dec D h) as [low | high].
        + exists k. split; [unfold K; lia|]. replace (Datatypes.S h - D)%nat with (Datatypes.S (h - D)) by lia.
          replace (D - Datatypes.S h)%nat with (D - h)%nat by lia. reflexivity.
        + destruct (skipn_one_less x (D - Datatypes.S h) ltac:(lia)) as [c same]. exists c.
          replace (Datatypes.S h - D)%nat with 0%nat by lia. replace (h - D)%nat with 0%nat by lia.
          rewrite same. replace (Datatypes.S (D - Datatypes.S h)) with (D - h)%nat by lia. split; [|reflexivity].
          unfold node in valid. rewrite Forall_forall in valid. apply valid.
          rewrite <- (firstn_skipn (D - Datatypes.S h) x), same. apply in_or_app. right. now left.
      - auto.
      - assert (near : forall h, (h <= D)%nat -> value (skipn (D - h) x ++ [t]) <= threshold h).
        { intros h small. rewrite (recorded_values_of_a_tree_are_those_of_its_embedding n S L) by auto.
          rewrite tree_of_app, inner_app. unfold forest_threshold.
          assert (length (skipn (D - h) x) = h) as depth by (rewrite skipn_length; lia). rewrite <- depth at 2.
          apply (base_point_is_nearly_as_good_as_its_cell k d radius radius_pos n S); try assumption.
          apply (cells (firstn (D - h) x)). symmetry. apply firstn_skipn. }
        intros h. apply at_most_is_below. destruct (le_lt_dec D h) as [low | high].
        + rewrite value_below_x by assumption. specialize (near D (Nat.le_refl _)). rewrite Nat.sub_diag in near.
          replace (Nat.min D h) with D by lia. exact near.
        + unfold branch_through. replace (h - D)%nat with 0%nat by lia. replace (Nat.min D h) with h by lia.
          apply near. lia.
      - intros h range. unfold Sequool.near_optimal. replace (Nat.min D h) with h by lia. now apply few. }
    rewrite Nat.min_id in below. apply at_most_is_below in below. unfold forest_threshold in below. fold D. cbn in below. lra.
  Qed.

  (** ** Growth *)

  (** Every embedded objective grows at least linearly away from a point, where it is at most the threshold of depth k0. *)
  Variables (k0 : nat) (center : nat -> vector) (c : R).
  Hypothesis c_pos : 0 < c.
  Hypothesis growth : forall q, (q < trees)%nat -> forall z, in_closed_space d radius z -> g q z <= threshold k0 ->
    g t y + c * Vectors.norm (coordinates d) (minus z (center q)) <= g q z.

  (** 2w + 1 is the number of base points, in one coordinate, that can be near a center. *)
  Variable w : nat.
  Hypothesis w_is_large : L * N * sqrt (INR d) * INR (K k) <= 2 * c * INR w.

  (** C: the greatest number of near-optimal nodes of one depth. *)
  Definition most_near_optimal_nodes : nat := trees * Nat.max (K k ^ (k0 - 1)) (K w ^ d).

  (** Claim [sequool-end-to-end]. At most C = P max{K^(k0 - 1), (2w + 1)^d} nodes of a depth, of all trees, have a value of at most the threshold. *)
  Theorem near_optimal_nodes_of_one_depth_are_few : forall h (some : list path), NoDup some ->
    (forall x, In x some -> forest_node forest_cfg trees x /\ level_of x = h /\ value x <= threshold h) ->
    (length some <= most_near_optimal_nodes)%nat.
  Proof.
    intros h some distinct known. unfold most_near_optimal_nodes. rewrite <- Nat.mul_max_distr_l.
    destruct (le_lt_dec k0 h) as [deep | shallow].
    - etransitivity; [|apply Nat.le_max_r].
      exact (near_optimal_nodes_of_a_deep_level_are_few n S L f A radius cfg trees d_pos L_is_nonnegative f_is_lipschitz radius_pos t
        t_is_a_tree N stretch y center c c_pos k0 growth w w_is_large h some deep distinct known).
    - etransitivity; [|apply Nat.le_max_l]. etransitivity; [apply (NoDup_incl_length distinct (l' := nodes h))|].
      + intros x member. destruct (known x member) as (is_node & depth & _). clear known distinct member shallow.
        revert x is_node depth. induction h as [|h IH]; intros x is_node depth; cbn [nodes_of_depth];
          pose proof is_node as (proper & small & valid); pose proof (node_is_inner_and_tree x proper) as split.
        * rewrite roots_of_the_forest. unfold level_of in depth. destruct (inner x); [|discriminate].
          rewrite split. apply (in_map (fun q => [q])). apply in_seq. lia.
        * unfold level_of in depth. destruct (inner x) as [|digit r] eqn:parts; [discriminate|]. cbn [app length] in *.
          apply in_flat_map. exists (r ++ [tree_of x]). split; [|apply in_children; exists digit; split; [now inversion valid | assumption]].
          apply IH; [|unfold level_of; rewrite inner_app; lia]. split; [destruct r; discriminate|].
          rewrite tree_of_app, inner_app. split; [assumption | now inversion valid].
      + rewrite number_of_nodes. apply Nat.mul_le_mono_l, Nat.pow_le_mono_r; [unfold K|]; lia.
  Qed.

  Lemma a_queue_has_few_near_optimal_nodes : forall h q,
    (number_up_to less_real value (threshold h) (in_queue queue q (nodes h)) <= most_near_optimal_nodes)%nat.
  Proof.
    intros h q. unfold number_up_to, in_queue. apply (near_optimal_nodes_of_one_depth_are_few h).
    - apply NoDup_filter, NoDup_filter, nodes_are_distinct.
    - intros x member. apply filter_In in member. destruct member as [member below].
      apply filter_In in member. destruct member as [member _].
      destruct (nodes_are_nodes_of_the_forest h x member) as [is_node depth]. split; [assumption|]. split; [assumption|].
      apply at_most_is_below. unfold at_most. now apply negb_true_iff.
  Qed.

  (** Claim [sequool-end-to-end]. With SequOOL's rule and the greatest depth H the regret is at most (g_t(y) - f_star) + L N r_(floor(H/C) + 1). *)
  Theorem regret_of_sequools_rule_on_growing_objectives : forall f_star,
    answer - f_star <= (g t y - f_star) + L * N * circumradius k d radius (Datatypes.S (H / most_near_optimal_nodes)).
  Proof.
    intros f_star. apply regret_of_sequools_rule_in_the_forest. intros h range q.
    pose proof (a_queue_has_few_near_optimal_nodes h q). destruct most_near_optimal_nodes as [|C] eqn:positive; [cbn in range; lia|].
    pose proof (Nat.mul_div_le H (Datatypes.S C) ltac:(lia)). nia.
  Qed.

  (** Claim [sequool-end-to-end]. In evaluations: if P + q H (1 + ln H) <= (v - 1)/(K - 1), the rule makes at most v evaluations, and the regret is at most
      (g_t(y) - f_star) + L N R sqrt d / K^(floor((floor(H/C) + 1)/d)). *)
  Theorem regret_of_sequools_rule_decays_exponentially_in_the_depth : forall f_star v, (1 <= k)%nat -> (1 <= H)%nat -> 
    INR trees + INR queues * (INR H * (1 + ln (INR H))) <= (INR v - 1) / INR (2 * k) ->
    (1 + 2 * k * expansions less_real value children [0%nat] roots_but_the_first queue queues H <= v)%nat /\
    answer - f_star <= (g t y - f_star)
      + L * N * (radius * sqrt (INR d) / power k (Datatypes.S (H / most_near_optimal_nodes) / d)).
  Proof.
    intros f_star v odd_K some enough. split.
    - apply INR_le. rewrite plus_INR, mult_INR. change (INR 1) with 1.
      pose proof (sequool_makes_few_expansions less_real value children [0%nat] roots_but_the_first queue queues H) as few.
      rewrite roots_of_the_forest, map_length, seq_length in few. apply le_INR in few. rewrite plus_INR, mult_INR in few.
      pose proof (the_shares_of_sequool_add_up_to_H_log_H H some) as shares.
      apply (Rmult_le_compat_l (INR queues)) in shares; [|apply pos_INR].
      assert (positive : 0 < INR (2 * k)) by (apply lt_0_INR; lia).
      apply (Rmult_le_compat_l (INR (2 * k))) in enough; [|lra].
      replace (INR (2 * k) * ((INR v - 1) / INR (2 * k))) with (INR v - 1) in enough by (field; lra).
      match type of few with ?a <= _ =>
        apply Rle_trans with (1 + INR (2 * k) * (INR trees + INR queues * (INR H * (1 + ln (INR H))))); [|lra];
        apply Rplus_le_compat_l, Rmult_le_compat_l; lra end.
    - pose proof (regret_of_sequools_rule_on_growing_objectives f_star) as regret.
      pose proof (circumradius_shrinks_geometrically k d radius d_pos radius_pos (Datatypes.S (H / most_near_optimal_nodes))) as small.
      eapply Rle_trans; [exact regret|]. apply Rplus_le_compat_l. apply Rmult_le_compat_l; [|assumption].
      apply Rmult_le_pos; [assumption | apply stretch].
  Qed.

End SequoolInTheForest.

(** ** Where the growth comes from *)

(** Claim [sequool-end-to-end]. Let f grow at least linearly, with slope c, away from a point of the cube at the distance theta from its faces, and from the
    level f_star on. Let every matrix map a point to it, and stretch every vector by at least m. Then every embedded objective grows with slope c m
    where it is less than f_star + c theta: there nothing was clipped. *)
Theorem embedded_objectives_grow_where_nothing_is_clipped : forall n S f A cfg trees x_star f_star c m theta level (center : nat -> vector),
  (forall i, In i S -> Rabs (x_star i) <= 1 - theta) ->
  0 < c -> (forall x, in_box n x -> f_star + c * Vectors.norm S (minus x x_star) <= f x) ->
  (forall q i, (q < trees)%nat -> In i S -> times (dimension cfg) (A q) (center q) i = x_star i) ->
  (forall q z, (q < trees)%nat -> m * Vectors.norm (coordinates (dimension cfg)) z <= Vectors.norm S (times (dimension cfg) (A q) z)) ->
  level < f_star + c * theta ->
  forall q, (q < trees)%nat -> forall z, IndexedRegret.g f A cfg q z <= level ->
  f_star + c * m * Vectors.norm (coordinates (dimension cfg)) (minus z (center q)) <= IndexedRegret.g f A cfg q z.
Proof.
  intros n S f A cfg trees x_star f_star c m theta level center room c_pos growth hit least low q small z below.
  unfold IndexedRegret.g, embedded in *. set (u := times (dimension cfg) (A q) z) in *.
  pose proof (growth (project u) (projection_lands_in_the_box n u)) as grows.
  assert (near : Vectors.norm S (minus (project u) x_star) < theta).
  { apply Rmult_lt_reg_l with c; [assumption|]. lra. }
  assert (inside : forall i, In i S -> project u i = u i).
  { intros i member.
    assert (close : Rabs (project u i - x_star i) <= Vectors.norm S (minus (project u) x_star)).
    { apply square_root_bound; [apply norm_is_nonnegative|]. rewrite square_of_absolute_value, norm_squared.
      apply (sum_contains_each_term _ S (fun i => minus (project u) x_star i ^ 2) i); [intros; apply pow2_ge_0 | assumption]. }
    specialize (room i member). revert close. unfold project, clip, Rabs, Rmax, Rmin in *.
    repeat destruct (Rcase_abs _); repeat destruct (Rle_dec _ _); lra. }
  assert (same : Vectors.norm S (minus (project u) x_star) = Vectors.norm S (times (dimension cfg) (A q) (minus z (center q)))).
  { unfold Vectors.norm, square_norm. f_equal. apply sum_of_equal_terms. intros i member.
    rewrite <- times_is_linear. fold u. unfold minus. rewrite inside, hit by assumption. reflexivity. }
  specialize (least q (minus z (center q)) small). rewrite same in grows.
  apply (Rmult_le_compat_l c) in least; [|lra]. lra.
Qed.

(** ** A concrete instance of every hypothesis *)

(** Claim [sequool-end-to-end]. For a cone seen through P embeddings that are z |-> z/R, with w at least K sqrt d / 2, the least value found with the greatest
    depth H and two queues is at most L sqrt d / K^(floor((floor(H/C) + 1)/d)), C = P (2w + 1)^d: nothing is left to assume. *)
Theorem sequools_rule_on_a_cone : forall d radius L y, (1 <= d)%nat -> 0 < radius -> 0 < L -> in_closed_space d radius y ->
  forall cfg trees w H v, dimension cfg = d -> (1 <= trees)%nat -> (1 <= Model.half cfg)%nat -> (1 <= H)%nat ->
  sqrt (INR d) * INR (K (Model.half cfg)) <= 2 * INR w ->
  INR trees + 2 * (INR H * (1 + ln (INR H))) <= (INR v - 1) / INR (2 * Model.half cfg) ->
  SequoolRule.answer less_real (ForestTerms.value (one_dimension cfg) (forest_oracle (shrunk_cone d radius L y) (shrinking radius) (fun _ => radius) (one_dimension cfg)))
    (Nodes.children cfg) [0%nat] (roots_but_the_first trees) (fun x => if is_zero (one_dimension cfg) x then 1%nat else 0%nat) 2 H
  <= L * (sqrt (INR d) / power (Model.half cfg) (Datatypes.S (H / (trees * K w ^ d)) / d)).
Proof.
  intros d radius L y d_pos radius_pos L_pos inside cfg trees w H v dimension_is some_tree odd_K some large enough.
  destruct (the_cone_grows d radius L y radius_pos L_pos cfg dimension_is inside) as [at_y growth].
  destruct (the_slope_of_the_cone radius L _ _ radius_pos L_pos large) as [slope large'].
  assert (lip : lipschitz d (coordinates d) L (shrunk_cone d radius L y)) by (apply cone_is_lipschitz; lra).
  pose proof (shrinking_stretches d radius radius_pos) as stretch. subst d. rewrite <- Rmult_assoc in large'.
  pose proof (regret_of_sequools_rule_decays_exponentially_in_the_depth (dimension cfg) (coordinates (dimension cfg)) L
    (shrunk_cone (dimension cfg) radius L y) (shrinking radius) radius cfg trees d_pos (Rlt_le _ _ L_pos) lip radius_pos 0%nat some_tree
    (/ radius) stretch y inside (fun x => if is_zero (one_dimension cfg) x then 1%nat else 0%nat) 2 H
    ltac:(intros x; cbn beta; destruct (is_zero (one_dimension cfg) x); lia) 0%nat (fun _ => y) (L / radius) slope
    (fun q _ z inside_z _ => growth q z inside_z) w large' 0 v odd_K some ltac:(change (INR 2) with (1 + 1); lra)) as [_ rate].
  assert (constant : most_near_optimal_nodes cfg trees 0 w = (trees * K w ^ dimension cfg)%nat).
  { unfold most_near_optimal_nodes. cbn [Nat.sub Nat.pow]. f_equal. apply Nat.max_r.
    assert (K w ^ dimension cfg <> 0)%nat by (apply Nat.pow_nonzero; unfold K; lia). lia. }
  cbv zeta in at_y. rewrite constant, at_y in rate.
  match goal with |- _ <= L * (sqrt ?x / ?e) =>
    replace (L * (sqrt x / e)) with (L * / radius * (radius * sqrt x / e))
      by (assert (0 < e) by apply power_pos; field; lra) end.
  lra.
Qed.
