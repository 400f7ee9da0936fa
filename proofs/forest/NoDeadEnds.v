(** * Nodes that lead to the optimum are no obstacles: one effective direction

    The objective on Y = [-R, R]^d is g(y) = phi(|b y - x*|), phi strictly increasing.  Many nodes of a depth are near the
    optimum, but each of them has a child that is nearer: it is no obstacle.  So SOO, whose test is "at most",
    comes nearer by a factor K every d depths, whatever b is.  The first part has no geometry: nodes are good or not. *)

From Coq Require Import Permutation Reals Lra.
From EmbeddedHunter Require Import Lists Filters Lattice Geometry Vectors Cells Model Order RealValues Soo.

(** ** The nodes in the order of their values *)

Section Sorted.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V).


Lemma insert_permutes x xs : Permutation (x :: xs) (insert less value x xs).
Proof.
  induction xs as [|y rest IH]; cbn [Soo.insert]; [reflexivity|].
  destruct (less (value y) (value x)); [|reflexivity].
  rewrite perm_swap. now constructor.
Qed.

Lemma sorted_permutes xs : Permutation xs (sorted less value xs).
Proof.
  induction xs as [|x rest IH]; cbn [Soo.sorted]; [constructor|].
  rewrite <- insert_permutes. now constructor.
Qed.

Hypothesis order : total_order less.

Local Notation in_order := (StronglySorted (fun x y => at_most less (value x) (value y))).

Lemma insert_keeps_order x xs : in_order xs -> in_order (insert less value x xs).
Proof.
  induction 1 as [|y rest sorted_rest IH above]; cbn [Soo.insert]; [repeat constructor|].
  destruct (less (value y) (value x)) eqn:E.
  - constructor; [exact IH|]. rewrite <- insert_permutes. constructor; [|exact above].
    now apply less_at_most.
  - constructor; [now constructor|]. constructor; [exact E|].
    eapply Forall_impl; [|exact above]. cbn beta. intros z. now apply at_most_trans.
Qed.

Lemma sorted_is_in_order xs : in_order (sorted less value xs).
Proof. induction xs; cbn [Soo.sorted]; [constructor|]. now apply insert_keeps_order. Qed.

End Sorted.

(** ** SOO *)

Section Soo.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V) (children : Node -> list Node) (root : Node) (h_max : nat).

Local Notation allows := (Soo.allows less).
Local Notation visit := (Soo.visit less value children).
Local Notation sweep := (Soo.sweep less value children h_max).
Local Notation after := (Soo.after less value children root h_max).

Lemma least_first x rest xs : sorted less value xs = x :: rest -> forall o, In o xs <-> o = x \/ In o rest.
Proof. intros same o. rewrite (sorted_permutes less value xs), same. cbn. intuition. Qed.

Lemma in_expand T h x rest l o : In o (leaves (Soo.expand children T h x rest) l) <->
  l = h /\ In o rest \/ l <> h /\ (In o (leaves T l) \/ l = S h /\ In o (children x)).
Proof.
  cbn [Soo.expand leaves]. destruct (Nat.eqb_spec l h); [intuition|].
  destruct (Nat.eqb_spec l (S h)) as [-> |]; rewrite ?in_app_iff; intuition.
Qed.

(** A visit does nothing, or it expands the first leaf of least value. *)
Lemma visit_cases s h :
  sorted less value (leaves (fst s) h) = [] /\ visit s h = s \/
  exists x rest, sorted less value (leaves (fst s) h) = x :: rest /\
    (allows (snd s) (value x) = false /\ visit s h = s \/
     allows (snd s) (value x) = true /\ visit s h = (Soo.expand children (fst s) h x rest, Some (value x))).
Proof.
  unfold Soo.visit. destruct (sorted less value (leaves (fst s) h)) as [|x rest]; [auto|right].
  exists x, rest. destruct (allows (snd s) (value x)); auto.
Qed.

(** ** The number of expansions *)

Lemma visits_expand_little hs s : let s' := fold_left visit hs s in forall h, (forall l, In l hs -> l <= h) ->
  expansions (fst s') <= expansions (fst s) + length hs /\ deepest (fst s') <= Nat.max (deepest (fst s)) (S h).
Proof.
  cbv zeta. revert s. induction hs as [|l hs IH]; intros s h below; cbn [fold_left length]; [lia|].
  destruct (IH (visit s l) h ltac:(intros; apply below; now right)) as [few shallow].
  specialize (below l (or_introl eq_refl)).
  assert (expansions (fst (visit s l)) <= S (expansions (fst s)) /\
    deepest (fst (visit s l)) <= Nat.max (deepest (fst s)) (S l)); [|lia].
  destruct (visit_cases s l) as [[_ ->]|(x & rest & _ & [[_ ->]|[_ ->]])]; cbn [fst Soo.expand expansions deepest]; lia.
Qed.

(** Claim [no-dead-ends]. After s sweeps SOO has made at most s (s + 1) / 2 expansions. *)
Theorem sweeps_of_soo_make_few_expansions s : 2 * expansions (after s) <= s * (s + 1).
Proof.
  assert (deepest (after s) <= s /\ 2 * expansions (after s) <= s * (s + 1)); [|tauto].
  induction s as [|s IH]; [cbn; lia|]. change (after (S s)) with (sweep (after s)). unfold Soo.sweep.
  pose proof (visits_expand_little (seq 0 (S (Nat.min (deepest (after s)) h_max))) (after s, None) s) as few.
  cbv zeta in few. rewrite seq_length in few. cbn [fst] in few.
  assert (forall l, In l (seq 0 (S (Nat.min (deepest (after s)) h_max))) -> l <= s) as below.
  { intros l inside. apply in_seq in inside. lia. }
  specialize (few below). nia.
Qed.

(** ** Good nodes *)

Section Good.

Hypothesis order : total_order less.
Variable depth : Node -> nat.
Hypothesis the_root_has_depth_0 : depth root = 0.
Hypothesis a_child_is_deeper_by_one : forall x y, In y (children x) -> depth y = S (depth x).

(** A good node has a good child, and a node of its depth with a value that is no greater is good. *)
Variable good : Node -> Prop.
Hypothesis the_root_is_good : good root.
Hypothesis a_good_node_has_a_good_child : forall x, good x -> exists y, In y (children x) /\ good y.
Hypothesis better_nodes_are_good : forall x y, good x -> depth y = depth x -> at_most less (value y) (value x) -> good y.

Lemma the_first_is_least x rest xs o : sorted less value xs = x :: rest -> In o xs -> at_most less (value x) (value o).
Proof.
  intros same inside. pose proof (sorted_is_in_order less value order xs) as ordered. rewrite same in ordered.
  apply (least_first x rest) in inside; [|exact same]. inversion ordered as [|? ? _ above]; subst.
  destruct inside as [-> | inside]; [now apply at_most_refl|]. rewrite Forall_forall in above. now apply above.
Qed.

Hypothesis the_center_child_has_the_value : forall x, exists y, In y (children x) /\ value y = value x.

Definition well_sorted (T : tree) : Prop := (forall l x, In x (leaves T l) -> depth x = l /\ In x (evaluated T) /\ l <= deepest T).

(** A leaf of depth [m] or more is good. *)
Definition reached (m : nat) (T : tree) : Prop := exists l o, m <= l /\ In o (leaves T l) /\ good o.

(** After the first expansion of a sweep there is a leaf at the next depth that the test allows. *)
Definition goes_on (s : tree * option V) (h : nat) : Prop :=
  match snd s with None => True | Some nu => exists y, In y (leaves (fst s) h) /\ at_most less (value y) nu end.

Lemma a_visit_keeps_the_leaves_sorted s h : well_sorted (fst s) -> well_sorted (fst (visit s h)).
Proof.
  intros known. destruct (visit_cases s h) as [[_ ->]|(x & rest & E & [[_ ->]|[_ ->]])]; [exact known | exact known|].
  pose proof (least_first x rest _ E) as all. intros l o inside%in_expand. cbn [fst Soo.expand evaluated deepest].
  rewrite in_app_iff. destruct inside as [[-> inside]|[_ [inside|[-> child]]]].
  - destruct (known h o (proj2 (all o) (or_intror inside))) as (? & ? & ?). repeat split; auto. lia.
  - destruct (known l o inside) as (? & ? & ?). repeat split; auto. lia.
  - destruct (known h x (proj2 (all x) (or_introl eq_refl))) as (deep & _ & _).
    repeat split; [rewrite (a_child_is_deeper_by_one x o child); congruence | auto | lia].
Qed.

Lemma a_visit_keeps_what_is_reached m s h : reached m (fst s) -> reached m (fst (visit s h)).
Proof.
  intros (l & o & deep & inside & is_good).
  destruct (visit_cases s h) as [[_ ->]|(x & rest & E & [[_ ->]|[_ ->]])]; [now exists l, o | now exists l, o|]. cbn [fst].
  destruct (Nat.eq_dec l h) as [-> | other]; [apply (least_first x rest _ E) in inside; destruct inside as [-> | still]|].
  - destruct (a_good_node_has_a_good_child x is_good) as (y & child & y_is_good). exists (S h), y.
    split; [lia|]. split; [|exact y_is_good]. apply in_expand. right. split; [lia | auto].
  - exists h, o. repeat split; auto. apply in_expand. auto.
  - exists l, o. repeat split; auto. apply in_expand. auto.
Qed.

Lemma the_test_allows_the_least_leaf s h x rest : goes_on s h -> sorted less value (leaves (fst s) h) = x :: rest ->
  allows (snd s) (value x) = true.
Proof.
  unfold goes_on. intros now_ E. destruct (snd s) as [nu|]; [|reflexivity]. destruct now_ as (y & inside & below).
  cbn [Soo.allows]. apply negb_true_iff. apply (at_most_trans less order _ (value y)); [|exact below].
  now apply (the_first_is_least x rest _ y E).
Qed.

Lemma no_leaf_is_sorted (s : tree * option V) h y : sorted less value (leaves (fst s) h) = [] -> ~ In y (leaves (fst s) h).
Proof. intros E. rewrite (sorted_permutes less value (leaves (fst s) h)), E. easy. Qed.

Lemma a_sweep_goes_on s h : goes_on s h -> goes_on (visit s h) (S h).
Proof.
  intros now_. destruct (visit_cases s h) as [[E ->]|(x & rest & E & [[no ->]|[_ ->]])].
  - unfold goes_on in *. destruct (snd s) as [nu|]; [|exact I]. destruct now_ as (y & inside & _).
    now apply (no_leaf_is_sorted s h y) in E.
  - rewrite (the_test_allows_the_least_leaf s h x rest now_ E) in no. discriminate.
  - unfold goes_on. cbn [snd fst]. destruct (the_center_child_has_the_value x) as (y & child & same). exists y. rewrite same.
    split; [|now apply at_most_refl]. apply in_expand. right. split; [lia | auto].
Qed.

(** The visit of the depth of a good leaf expands a good node. *)
Lemma a_good_leaf_is_followed s h o : well_sorted (fst s) -> goes_on s h -> In o (leaves (fst s) h) -> good o ->
  reached (S h) (fst (visit s h)).
Proof.
  intros known now_ inside is_good. destruct (visit_cases s h) as [[E ->]|(x & rest & E & [[no ->]|[_ ->]])].
  - now apply (no_leaf_is_sorted s h o) in E.
  - rewrite (the_test_allows_the_least_leaf s h x rest now_ E) in no. discriminate.
  - assert (x_is_good : good x).
    { apply (better_nodes_are_good o); [exact is_good | | now apply (the_first_is_least x rest _ o E)].
      assert (member : In x (leaves (fst s) h)) by (apply (least_first x rest _ E); auto).
      destruct (known h x member) as [-> _], (known h o inside) as [-> _]. reflexivity. }
    destruct (a_good_node_has_a_good_child x x_is_good) as (y & child & y_is_good).
    exists (S h), y. split; [lia|]. split; [|exact y_is_good]. apply in_expand. right. split; [lia | auto].
Qed.

Lemma visits_keep hs s m : well_sorted (fst s) -> reached m (fst s) ->
  well_sorted (fst (fold_left visit hs s)) /\ reached m (fst (fold_left visit hs s)).
Proof.
  revert s. induction hs as [|h hs IH]; intros s known far; cbn [fold_left]; [now split|].
  apply IH; [now apply a_visit_keeps_the_leaves_sorted | now apply a_visit_keeps_what_is_reached].
Qed.

(** Visits of less deep leaves leave those of depth [l]. *)
Lemma visits_before h s l o : well_sorted (fst s) -> goes_on s 0 -> h <= l -> In o (leaves (fst s) l) ->
  let s' := fold_left visit (seq 0 h) s in well_sorted (fst s') /\ goes_on s' h /\ In o (leaves (fst s') l).
Proof.
  intros known first low inside. cbv zeta. induction h as [|h IH]; [cbn; auto|].
  rewrite seq_S, fold_left_app. cbn [fold_left plus]. destruct IH as (known' & now_ & inside'); [lia|].
  split; [now apply a_visit_keeps_the_leaves_sorted|]. split; [now apply a_sweep_goes_on|].
  revert inside'. generalize (fold_left visit (seq 0 h) s). intros s' inside'.
  destruct (visit_cases s' h) as [[_ ->]|(x & rest & _ & [[_ ->]|[_ ->]])]; [exact inside' | exact inside'|].
  apply in_expand. right. split; [lia | auto].
Qed.

Lemma soo_reaches_the_depth_of_the_sweep s : s <= S h_max -> well_sorted (after s) /\ reached s (after s).
Proof.
  induction s as [|s IH]; intros low.
  - split.
    + intros l x. change (after 0) with (Soo.only_the_root root). unfold Soo.only_the_root. cbn [leaves evaluated deepest].
      destruct (Nat.eqb_spec l 0) as [-> |]; cbn [In]; [|contradiction]. intros [<- | []]. split; [exact the_root_has_depth_0|]. split; [now left | lia].
    + exists 0, root. split; [lia|]. split; [now left | exact the_root_is_good].
  - destruct IH as (known & l & o & deep & inside & is_good); [lia|]. change (after (S s)) with (sweep (after s)).
    unfold Soo.sweep. set (last := Nat.min (deepest (after s)) h_max).
    destruct (le_lt_dec (S s) l) as [further | here].
    { apply (visits_keep _ (after s, None)); [exact known | now exists l, o]. }
    assert (l = s) as -> by lia. destruct (known s o inside) as (_ & _ & low').
    replace (seq 0 (S last)) with (seq 0 s ++ s :: seq (S s) (last - s)).
    2:{ replace (S last) with (s + S (last - s)) by lia. now rewrite seq_app. }
    rewrite fold_left_app. cbn [fold_left].
    destruct (visits_before s (after s, None) s o known I (Nat.le_refl s) inside) as (known' & now_ & inside').
    apply visits_keep; [now apply a_visit_keeps_the_leaves_sorted | now apply (a_good_leaf_is_followed _ s o)].
Qed.

Lemma soo_evaluates_a_good_node s : s <= S h_max -> exists o, In o (evaluated (after s)) /\ good o /\ s <= depth o.
Proof.
  intros low. destruct (soo_reaches_the_depth_of_the_sweep s low) as (known & l & o & deep & inside & is_good).
  destruct (known l o inside) as (<- & seen & _). now exists o.
Qed.

End Good.
End Soo.

(** ** One effective direction *)

Local Open Scope R_scope.

(** Of the 2k + 1 shifts of u by multiples of s, one is near 0. *)
Lemma a_shift_is_near : forall k u s rho, Rabs s <= 2 * rho -> Rabs u <= rho + INR k * Rabs s ->
  exists e : Z, (- Z.of_nat k <= e <= Z.of_nat k)%Z /\ Rabs (u + IZR e * s) <= rho.
Proof.
  induction k as [|k IH]; intros u s rho fine near.
  - exists 0%Z. split; [lia|]. rewrite Rmult_0_l, Rplus_0_r. cbn in near. lra.
  - destruct (Rle_lt_dec (Rabs u) (rho + INR k * Rabs s)) as [nearer | far].
    + destruct (IH u s rho fine nearer) as (e & range & close). exists e. split; [lia | exact close].
    + rewrite S_INR in near. pose proof (pos_INR k) as positive. pose proof (Rabs_pos s) as size.
      assert (0 <= INR k * Rabs s) as product by (now apply Rmult_le_pos).
      assert (towards : exists step : Z, (-1 <= step <= 1)%Z /\ Rabs (u + IZR step * s) <= rho + INR k * Rabs s).
      { destruct (Rle_lt_dec 0 u) as [up | down], (Rle_lt_dec 0 s) as [up' | down'];
          rewrite ?(Rabs_right u), ?(Rabs_left u), ?(Rabs_right s), ?(Rabs_left s) in * by lra.
        - exists (-1)%Z. split; [lia|]. apply Rabs_le. lra.
        - exists 1%Z. split; [lia|]. apply Rabs_le. lra.
        - exists 1%Z. split; [lia|]. apply Rabs_le. lra.
        - exists (-1)%Z. split; [lia|]. apply Rabs_le. lra. }
      destruct towards as (step & one & nearer). destruct (IH (u + IZR step * s) s rho fine nearer) as (e & range & close).
      exists (e + step)%Z. split; [lia|]. rewrite plus_IZR.
      replace (u + (IZR e + IZR step) * s) with (u + IZR step * s + IZR e * s) by ring. exact close.
Qed.

Section OneDirection.

Variables (k d : nat) (radius : R) (b : vector) (x_star : R) (phi : R -> R).
Hypothesis d_pos : (1 <= d)%nat.
Hypothesis radius_pos : 0 < radius.
Hypothesis phi_increases : forall s t, 0 <= s < t -> phi s < phi t.

Notation power := (power k).
Notation base_point := (base_point k d radius).
Notation children := (children k).

Definition b_times (y : vector) : R := sum (coordinates d) (fun j => b j * y j).
Definition one_norm : R := sum (coordinates d) (fun j => Rabs (b j)).
Definition value (p : path) : R := phi (Rabs (b_times (base_point p) - x_star)).

Hypothesis the_optimum_is_in_reach : Rabs x_star <= radius * one_norm.

(** Half of the range of b y on a cell of depth [h]. *)
Definition half_range (h : nat) : R := sum (coordinates d) (fun j => Rabs (b j) * radius / power (splits d h j)).
Definition good (p : path) : Prop := Rabs (b_times (base_point p) - x_star) <= half_range (length p).

Lemma one_term_more : forall i (a c : nat -> R), (i < d)%nat -> (forall j, (j < d)%nat -> j <> i -> a j = c j) ->
  sum (coordinates d) a = sum (coordinates d) c + (a i - c i).
Proof.
  intros i a c small same.
  rewrite <- (sum_of_a_diagonal (coordinates d) (fun j => a j - c j) i); [|apply coordinates_are_distinct | now apply in_coordinates].
  rewrite <- sum_of_sums. apply sum_of_equal_terms. intros j inside. apply in_coordinates in inside.
  destruct (Nat.eqb_spec i j) as [<- | other]; [ring|]. rewrite same by auto. ring.
Qed.

(** How far a child moves b y from its neighbour. *)
Definition step (p : path) : R := b (length p mod d)%nat * (2 * radius) / power (splits d (S (length p)) (length p mod d)).

Lemma a_child_is_shifted : forall a p, b_times (base_point (a :: p)) = b_times (base_point p) + (INR a - INR k) * step p.
Proof.
  intros a p. set (i := (length p mod d)%nat). assert (small : (i < d)%nat) by (now apply mod_d_lt).
  unfold b_times. rewrite (one_term_more i _ (fun j => b j * base_point p j)); [|exact small|].
  - f_equal. unfold step, Cells.base_point. cbn [length]. fold i. rewrite num_cons by exact d_pos. fold i. rewrite Nat.eqb_refl.
    rewrite splits_S by assumption. fold i. rewrite Nat.eqb_refl, Nat.add_1_r, power_S.
    rewrite minus_IZR, plus_IZR, !mult_IZR, <- !INR_IZR_INZ.
    assert (0 < power (splits d (length p) i)) by apply power_pos. pose proof (Kr_pos k). field. split; lra.
  - intros j low other. unfold Cells.base_point. cbn [length]. rewrite num_cons, splits_S by assumption. fold i.
    destruct (Nat.eqb_spec j i); [contradiction|]. now rewrite Nat.add_0_r.
Qed.

Lemma the_range_shrinks : forall p, half_range (length p) = half_range (S (length p)) + INR k * Rabs (step p)
  /\ Rabs (step p) <= 2 * half_range (S (length p)).
Proof.
  intros p. set (h := length p). set (i := (h mod d)%nat). assert (small : (i < d)%nat) by (now apply mod_d_lt).
  assert (positive : 0 < power (splits d (S h) i)) by apply power_pos.
  assert (size : Rabs (step p) = 2 * (Rabs (b i) * radius / power (splits d (S h) i))).
  { unfold step. fold h. fold i. unfold Rdiv. rewrite !Rabs_mult, (Rabs_right (/ _)), (Rabs_right radius), (Rabs_right 2);
      [ring | lra | lra |]. apply Rle_ge, Rlt_le, Rinv_0_lt_compat, positive. }
  split.
  - unfold half_range at 1. rewrite (one_term_more i _ (fun j => Rabs (b j) * radius / power (splits d (S h) j))); [|exact small|].
    + unfold half_range. f_equal. rewrite size, splits_S by assumption. fold i. rewrite Nat.eqb_refl, Nat.add_1_r, power_S.
      rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ.
      assert (0 < power (splits d h i)) by apply power_pos. pose proof (pos_INR k). field. split; lra.
    + intros j low other. rewrite splits_S by assumption. fold i.
      destruct (Nat.eqb_spec j i); [contradiction|]. now rewrite Nat.add_0_r.
  - rewrite size. apply Rmult_le_compat_l; [lra|]. unfold half_range.
    apply (sum_contains_each_term nat (coordinates d) (fun j => Rabs (b j) * radius / power (splits d (S h) j)) i).
    + intros j _. apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rabs_pos | lra]|].
      apply Rlt_le, Rinv_0_lt_compat, power_pos.
    + now apply in_coordinates.
Qed.

Lemma the_root_is_good : good [].
Proof.
  unfold good, b_times, half_range. cbn [length].
  rewrite (sum_of_equal_terms nat _ _ (fun _ => 0)), sum_of_a_constant, Rmult_0_r.
  2:{ intros j _. unfold Cells.base_point. rewrite num_nil. unfold Rdiv. ring. }
  rewrite (sum_of_equal_terms nat _ _ (fun j => radius * Rabs (b j))), sum_of_multiples.
  2:{ intros j _. rewrite (splits_0 d d_pos), power_0. field. }
  rewrite Rminus_0_l, Rabs_Ropp. exact the_optimum_is_in_reach.
Qed.

Lemma a_good_node_has_a_good_child : forall p, good p -> exists q, In q (children p) /\ good q.
Proof.
  intros p near. destruct (the_range_shrinks p) as [range fine]. unfold good in near. rewrite range in near.
  destruct (a_shift_is_near k _ _ _ fine near) as (e & limits & close).
  exists (Z.to_nat (e + Z.of_nat k) :: p). split.
  - unfold Cells.children. apply (in_map (fun a => a :: p)). apply in_seq. unfold K. lia.
  - unfold good. rewrite a_child_is_shifted. cbn [length]. rewrite (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id, plus_IZR, <- INR_IZR_INZ by lia.
    replace (IZR e + INR k - INR k) with (IZR e) by ring.
    replace (b_times (base_point p) + IZR e * step p - x_star) with (b_times (base_point p) - x_star + IZR e * step p) by ring.
    exact close.
Qed.

Lemma better_nodes_are_good : forall p q, good p -> length q = length p -> at_most less_real (value q) (value p) -> good q.
Proof.
  unfold good, value. intros p q near same below. apply at_most_is_below in below. rewrite same.
  eapply Rle_trans; [|exact near]. apply Rnot_lt_le. intros further.
  pose proof (phi_increases _ _ (conj (Rabs_pos _) further)). lra.
Qed.

Lemma the_center_child_has_the_value : forall p, exists q, In q (children p) /\ value q = value p.
Proof.
  intros p. exists (k :: p). split.
  - unfold Cells.children. apply (in_map (fun a => a :: p)). apply in_seq. unfold K. lia.
  - unfold value. rewrite a_child_is_shifted. replace (INR k - INR k) with 0 by ring. now rewrite Rmult_0_l, Rplus_0_r.
Qed.

Lemma the_range_at_depth : forall h m, (m <= h)%nat -> half_range h <= radius * one_norm / power (m / d).
Proof.
  intros h m deep. unfold half_range, one_norm, Rdiv. rewrite (Rmult_comm radius), Rmult_assoc, Rmult_comm, <- sum_of_multiples.
  apply sum_is_monotone. intros j inside. rewrite Rmult_assoc, Rmult_comm.
  apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rmult_le_compat_l; [lra|].
  apply Rinv_le_contravar; [apply power_pos|]. apply power_mono. unfold splits.
  pose proof (Nat.div_le_mono m h d ltac:(lia) deep). destruct (Nat.ltb _ _); lia.
Qed.

Lemma the_value_of_a_good_node : forall p m, good p -> (m <= length p)%nat -> value p <= phi (radius * one_norm / power (m / d)).
Proof.
  intros p m near deep. unfold good in near. pose proof (the_range_at_depth _ m deep) as bound. unfold value.
  destruct (Rle_lt_or_eq_dec _ _ (Rle_trans _ _ _ near bound)) as [below | same].
  - apply Rlt_le, phi_increases. split; [apply Rabs_pos | exact below].
  - rewrite same. lra.
Qed.

Lemma a_child_is_deeper_by_one : forall p q : path, In q (children p) -> length q = S (length p).
Proof. intros p q child. apply in_map_iff in child. destruct child as (a & <- & _). reflexivity. Qed.

(** Claim [no-dead-ends]. SOO: after s <= h_max + 1 sweeps the least value is at most phi(R ||b||_1 K^(-floor(s/d))). *)
Theorem soo_in_one_direction : forall h_max s, (s <= S h_max)%nat ->
  least_value less_real value [] (after less_real value children [] h_max s) <= phi (radius * one_norm / power (s / d)).
Proof.
  intros h_max s low.
  destruct (soo_evaluates_a_good_node less_real value children [] h_max real_values_are_totally_ordered (@length nat) eq_refl
    a_child_is_deeper_by_one good the_root_is_good a_good_node_has_a_good_child better_nodes_are_good
    the_center_child_has_the_value s low) as (o & inside & near & deep).
  eapply Rle_trans; [|exact (the_value_of_a_good_node o s near deep)]. apply at_most_is_below.
  now apply (fold_smaller less_real real_values_are_totally_ordered).
Qed.

End OneDirection.
