(** * The program's nodes are the model's.

    The norm of a child is its parent's with one square changed ([norms_of_children_from_the_norm_of_the_parent]),
    the index names the node, and a child that has been given its value is the model's leaf. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Geometry Norms Order Program.

(** ** Norms *)

Lemma split_coordinate_is k j c ys : j < length ys ->
  split_coordinate k j c ys =
  firstn j ys ++ (Z.of_nat (K k) * nth j ys 0 + Z.of_nat c - Z.of_nat k)%Z :: skipn (S j) ys.
Proof.
  revert j; induction ys as [|y ys IH]; intros [|j] H; cbn in H; try lia; [reflexivity|].
  cbn [split_coordinate firstn nth skipn app]. f_equal. apply IH. lia.
Qed.

Section IncrementalNorms.

Variables k d : nat.
Hypothesis d_pos : 1 <= d.

Local Notation num := (num k d).
Local Notation pw := (pw k).

Lemma sum_below_change n j f g :
  j < n -> (forall i, i < n -> i <> j -> f i = g i) ->
  sum_below n f = (sum_below n g - g j + f j)%Z.
Proof.
  induction n as [|n IH]; intros Hj H; [lia|]. cbn [sum_below].
  destruct (Nat.eq_dec j n) as [->|Hn].
  - rewrite (sum_below_ext n f g) by (intros i Hi; apply H; lia). lia.
  - rewrite IH by (try lia; intros i Hi Hi'; apply H; lia). rewrite (H n) by lia. lia.
Qed.

Lemma rounds_S h : rounds d (S h) = rounds d h + (if h mod d =? 0 then 1 else 0).
Proof.
  rewrite !(rounds_is d d_pos), (splits_S d d_pos) by lia. f_equal. rewrite Nat.eqb_sym. reflexivity.
Qed.

(** Claims [norms-of-depth] [norm-classes].  The norm of a child is computed from its parent's, with two squares and
    no sum over the coordinates: K^2 times as large an integer if the first coordinate is split, as the common
    denominator is K times finer then, less the square of the split numerator, plus the square of the new one. *)
Theorem norms_of_children_from_the_norm_of_the_parent a p :
  let h := length p in
  let j := h mod d in
  let big_K := Z.of_nat (K k) in
  let at_j := (big_K * nth j (numerators k d p) 0)%Z in
  let numerator := (at_j + Z.of_nat a - Z.of_nat k)%Z in
  Nrm k d (a :: p) =
  ((if (j =? 0)%nat then Nrm k d p * big_K * big_K else Nrm k d p) - at_j * at_j + numerator * numerator)%Z.
Proof.
  cbv zeta. rewrite K_is. fold (num p (length p mod d)).
  set (h := length p). set (j := h mod d). set (Kz := (2 * Z.of_nat k + 1)%Z).
  assert (Hj : j < d) by (apply Nat.mod_upper_bound; lia).
  rewrite !(Nrm_is k d d_pos). cbn [length]. fold h.
  set (g := fun i => ((num p i * pw (rounds d (S h) - splits d h i)) ^ 2)%Z).
  rewrite (sum_below_change d j _ g Hj).
  - assert (E1 : sum_below d g =
      if (j =? 0)%nat then
        (sum_below d (fun i => (num p i * pw (rounds d h - splits d h i)) ^ 2) * Kz * Kz)%Z
      else sum_below d (fun i => ((num p i * pw (rounds d h - splits d h i)) ^ 2)%Z)).
    { unfold g. rewrite rounds_S. fold j. destruct (j =? 0)%nat.
      - rewrite !(sum_below_scale d d_pos). apply sum_below_ext. intros i Hi.
        pose proof (splits_le_levels d d_pos h i).
        replace (rounds d h + 1 - splits d h i) with (S (rounds d h - splits d h i)) by lia.
        rewrite pw_S. fold Kz. ring.
      - apply sum_below_ext. intros i Hi. now rewrite Nat.add_0_r. }
    rewrite E1. f_equal; [f_equal|].
    + unfold g. assert (E2 : rounds d (S h) = S (splits d h j)).
      { pose proof (splits_S d d_pos h 0 ltac:(lia)) as E. rewrite (rounds_is d d_pos), E. fold j.
        destruct (Nat.eq_dec j 0) as [->|Hn]; [cbn; lia|].
        replace (0 =? j) with false by (symmetry; apply Nat.eqb_neq; lia).
        unfold splits. fold j. rewrite (proj2 (Nat.ltb_ge j j)) by lia.
        rewrite (proj2 (Nat.ltb_lt 0 j)) by lia. lia. }
      rewrite E2. replace (S (splits d h j) - splits d h j) with 1 by lia.
      rewrite pw_S, pw_0. fold Kz. ring.
    + rewrite (num_cons k d d_pos). fold h j. rewrite Nat.eqb_refl. fold Kz.
      assert (E2 : rounds d (S h) = splits d (S h) j).
      { rewrite (rounds_is d d_pos), !(splits_S d d_pos) by lia. fold j. rewrite Nat.eqb_refl.
        destruct (Nat.eq_dec j 0) as [->|Hn]; [reflexivity|].
        replace (0 =? j) with false by (symmetry; apply Nat.eqb_neq; lia).
        unfold splits. fold j. rewrite (proj2 (Nat.ltb_ge j j)) by lia.
        rewrite (proj2 (Nat.ltb_lt 0 j)) by lia. lia. }
      rewrite E2, Nat.sub_diag, pw_0. ring.
  - intros i Hi Hne. unfold g. rewrite (num_cons k d d_pos), (splits_S d d_pos) by lia. fold h j.
    rewrite (proj2 (Nat.eqb_neq i j) Hne), Nat.add_0_r. reflexivity.
Qed.

End IncrementalNorms.

(** ** The order of the nodes *)

Section Before.

Context {V : Type} (less : V -> V -> bool).
Hypothesis order : total_order less.

Lemma equal_spec a b : equal less a b = true <-> at_most less a b /\ at_most less b a.
Proof. unfold equal, at_most. rewrite andb_true_iff, !negb_true_iff. tauto. Qed.

Lemma before_is x y :
  before less x y = less (f_star x) (f_star y) || negb (less (f_star y) (f_star x)) && (i_of x <? i_of y).
Proof.
  unfold before, equal. destruct (less (f_star x) (f_star y)), (less (f_star y) (f_star x)); reflexivity.
Qed.

Lemma before_at_most x y : before less x y = false -> at_most less (f_star y) (f_star x).
Proof. rewrite before_is. intros H. apply orb_false_iff in H. apply H. Qed.

Lemma before_is_an_order : total_order (before less).
Proof.
  pose proof order as O. split; unfold at_most.
  - intros x y. rewrite !before_is. intros H. apply orb_true_iff in H. apply orb_false_iff. destruct H as [H|H].
    + rewrite (less_is_asymmetric _ O _ _ H), H. auto.
    + apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1. apply Nat.ltb_lt in H2.
      split; [exact H1|]. apply andb_false_iff. right. apply Nat.ltb_ge. lia.
  - intros x y z. rewrite !before_is. intros H1 H2. apply orb_false_iff in H1, H2. apply orb_false_iff.
    destruct H1 as [H1 I1], H2 as [H2 I2]. split; [exact (at_most_trans _ O _ _ _ H1 H2)|].
    destruct (less (f_star x) (f_star z)) eqn:E; [reflexivity|]. cbn [negb andb].
    assert (E1 : less (f_star x) (f_star y) = false).
    { exact (at_most_trans _ O (f_star y) (f_star z) (f_star x) H2 E). }
    assert (E2 : less (f_star y) (f_star z) = false).
    { exact (at_most_trans _ O (f_star z) (f_star x) (f_star y) E H1). }
    rewrite E1 in I1. rewrite E2 in I2. cbn [negb andb] in *.
    apply Nat.ltb_ge in I1, I2. apply Nat.ltb_ge. lia.
Qed.

End Before.

(** ** Names *)

Section Names.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Hypothesis d_pos : 1 <= dimension cfg.
Hypothesis greatest : forall a, a = infinity \/ less a infinity = true.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluated := (evaluated less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).

Lemma path_of_index p : node k p -> path_of cfg (length p) (index k p) = p.
Proof.
  induction 1 as [|c p Hc Hp IH]; [reflexivity|]. cbn [length index path_of].
  rewrite Nat.mul_comm, Nat.add_comm, Nat.mod_add by (unfold K; lia).
  rewrite Nat.div_add by (unfold K; lia). rewrite Nat.mod_small, Nat.div_small by exact Hc.
  cbn [Nat.add]. now rewrite IH.
Qed.

(** A leaf of the model as the program has it. *)
Definition entry_of (x : leaf V) : entry V :=
  Entry (depth x) (index k (place x)) (numerators k d (place x)) (norm x) (best x) (count x).

Definition entry_at (p : path) : entry V := entry_of (node_at p).

(** The node [p] before its own evaluation. *)
Definition pending (p : path) : entry V :=
  match p with
  | [] => root V cfg
  | c :: q =>
      Entry (length p) (index k p) (numerators k d p) (Nrm k d p)
        (if c =? k then best (node_at q) else infinity) (if c =? k then count (node_at q) else 0)
  end.

Lemma entry_at_is p :
  entry_at p = Entry (length p) (index k p) (numerators k d p) (Nrm k d p)
                     (best (node_at p)) (count (node_at p)).
Proof. unfold entry_at, entry_of. now rewrite place_node_at, depth_node_at, norm_node_at. Qed.

Lemma name_entry_at p : node k p -> name cfg (entry_at p) = p.
Proof. intros H. rewrite entry_at_is. now apply path_of_index. Qed.

Lemma name_pending p : node k p -> name cfg (pending p) = p.
Proof. intros H. destruct p as [|c q]; [reflexivity|]. exact (path_of_index _ H). Qed.

Lemma children_of_entry_at q :
  Program.children cfg (entry_at q) = map pending (Nodes.children cfg q).
Proof.
  unfold Program.children, Nodes.children, children_of. rewrite map_map, entry_at_is.
  cbn [h_of i_of c_of nrm_of f_star past]. apply map_ext. intros a.
  unfold pending. rewrite (norms_of_children_from_the_norm_of_the_parent k d d_pos).
  cbn [length numerators index].
  rewrite (split_coordinate_is k) by (rewrite (length_numerators k d); apply Nat.mod_upper_bound; lia).
  reflexivity.
Qed.

Lemma count_pos p : 1 <= count (node_at p).
Proof.
  induction p as [|c q IH]; [cbn; lia|]. cbn [Nodes.node_at].
  destruct (c =? k); [|cbn; lia]. destruct (within_cap cfg (node_at q)); cbn [count new_leaf]; lia.
Qed.

Lemma may_be_evaluated_pending c q :
  may_be_evaluated cfg (pending (c :: q)) = evaluated (c :: q).
Proof.
  unfold may_be_evaluated, pending. cbn [past h_of nrm_of Nodes.evaluated].
  destruct (c =? k) eqn:E; [|reflexivity]. cbn [negb orb].
  pose proof (count_pos q). rewrite (proj2 (Nat.eqb_neq _ 0)) by lia.
  unfold within_cap. rewrite depth_node_at, norm_node_at. cbn [length].
  set (n := Z.of_nat (count (node_at q))).
  apply Nat.eqb_eq in E. subst c.
  rewrite (norms_of_children_from_the_norm_of_the_parent k d d_pos), (rounds_S d d_pos).
  set (h := length q). set (at_j := (Z.of_nat (K k) * nth (h mod d) (numerators k d q) 0)%Z).
  replace (at_j + Z.of_nat k - Z.of_nat k)%Z with at_j by lia.
  set (kz := Z.of_nat (K k)). assert (Hk : (0 < kz)%Z) by (unfold kz, K; lia).
  destruct (h mod d =? 0)%nat.
  - replace (Z.of_nat (rounds d h + 1)) with (Z.of_nat (rounds d h) + 1)%Z by lia.
    rewrite Z.mul_add_distr_l, Z.pow_add_r by lia. replace (2 * 1)%Z with 2%Z by lia.
    rewrite Z.pow_2_r. apply eq_true_iff_eq. rewrite !Z.leb_le.
    set (P := (kz ^ (2 * Z.of_nat (rounds d h)))%Z). split; intros H'.
    + apply (Z.mul_le_mono_pos_r _ _ (kz * kz)%Z); [nia|].
      eapply Z.le_trans; [|eapply Z.le_trans; [exact H'|]]; apply Z.eq_le_incl; ring.
    + apply (Z.mul_le_mono_pos_r _ _ (kz * kz)%Z) in H'; [|nia].
      eapply Z.le_trans; [|eapply Z.le_trans; [exact H'|]]; apply Z.eq_le_incl; ring.
  - rewrite Nat.add_0_r. f_equal. f_equal. ring.
Qed.

Lemma visits_of_evaluated c q :
  evaluated (c :: q) = true -> visits_of (c :: q) = S (past (pending (c :: q))).
Proof.
  unfold Nodes.evaluated, Nodes.visits_of. cbn [pending past Nodes.node_at]. intros H.
  destruct (c =? k); [|reflexivity]. cbn [negb orb] in H. now rewrite H.
Qed.

Lemma recorded_pending c q :
  evaluated (c :: q) = true -> recorded less (pending (c :: q)) (sample (c :: q)) = entry_at (c :: q).
Proof.
  intros H. rewrite entry_at_is. unfold recorded. cbn [pending h_of i_of c_of nrm_of f_star past].
  unfold Nodes.sample, Nodes.visits_of. cbn [Nodes.evaluated Nodes.node_at] in *.
  unfold min, infinity in *. destruct (c =? k) eqn:E.
  - cbn [negb orb] in H. rewrite H. cbn [best count new_leaf]. unfold smaller.
    destruct (less (oracle (birth k (c :: q)) (S (count (node_at q)))) (best (node_at q))); reflexivity.
  - cbn [best count new_leaf]. destruct (greatest (oracle (birth k (c :: q)) 1)) as [-> | ->]; [|reflexivity].
    destruct (less top top); reflexivity.
Qed.

Lemma pending_not_evaluated c q : evaluated (c :: q) = false -> pending (c :: q) = entry_at (c :: q).
Proof.
  intros H. rewrite entry_at_is. cbn [pending]. cbn [Nodes.evaluated Nodes.node_at] in *.
  destruct (c =? k) eqn:E; [|discriminate]. cbn [negb orb] in H. rewrite H. reflexivity.
Qed.

(** ** Requests and values of an expansion *)

Definition expansion_of (q : path) : expansion V := (entry_at q, map pending (Nodes.children cfg q)).

Definition request_of (p : path) : request V := (pending p, visits_of p).

Lemma requests_of_children (cs : list nat) q :
  map (fun x => (x, S (past x)))
    (filter (may_be_evaluated cfg) (map pending (children_of q cs))) =
  map request_of (filter evaluated (children_of q cs)).
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. unfold children_of in *. cbn [map].
  set (rest := map (fun c0 => c0 :: q) cs) in *. cbn [filter]. rewrite may_be_evaluated_pending.
  destruct (evaluated (c :: q)) eqn:E; [|exact IH]. cbn [map]. rewrite IH. f_equal.
  unfold request_of. now rewrite visits_of_evaluated.
Qed.

Lemma requests_of_expansion q : requests cfg (expansion_of q) = map request_of (wanted q).
Proof. apply requests_of_children. Qed.

Lemma reply_request_of p : node k p -> reply oracle cfg (request_of p) = sample p.
Proof. intros H. unfold reply, request_of, Nodes.sample. cbn [fst snd]. now rewrite name_pending. Qed.

(** Enough values make the children the model's leaves. *)
Lemma take_values_of_children (cs : list nat) q more :
  take_values less cfg (map pending (children_of q cs))
    (map sample (filter evaluated (children_of q cs)) ++ more) =
  (map entry_at (children_of q cs), more).
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. unfold children_of in *. cbn [map].
  set (rest := map (fun c0 => c0 :: q) cs) in *. cbn [filter take_values].
  rewrite may_be_evaluated_pending. destruct (evaluated (c :: q)) eqn:E.
  - cbn [map app]. rewrite IH. now rewrite recorded_pending.
  - rewrite IH. now rewrite pending_not_evaluated.
Qed.

Lemma take_values_of_expansion q more :
  take_values less cfg (map pending (Nodes.children cfg q)) (map sample (wanted q) ++ more) =
  (map entry_at (Nodes.children cfg q), more).
Proof. apply take_values_of_children. Qed.

End Names.
