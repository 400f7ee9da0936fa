(** * The nodes of the Python search are leaves of the model.

    A node of node.py is a leaf of Model.v: its path is (h, i) and its base point, and it has the same f* and count.  A
    node that has no value yet is the leaf with f* = infinity and the count 0 ([pending], before its evaluation).
    Here stand what node.py and hunter.py compute of nodes, as functions of leaves, and why a node that has its value is
    the model's [node_at]. *)

From EmbeddedHunter Require Import Lists Lattice Geometry Norms ChildNorms Model Nodes Order Python.

Section PythonNodes.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings).

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation infinity := (Python.infinity F).
Local Notation node := (leaf (float F)).

(** ** node.py *)

(** [__lt__]: by f*, ties by the least index. *)
Definition before (x y : node) : bool :=
  if equal F (best x) (best y) then index k (place x) <? index k (place y) else less F (best x) (best y).

Definition root : node := new_leaf cfg [] infinity 0.

(** The children before their evaluations: the center child has its parent's f* and count. *)
Definition offspring (x : node) : list node :=
  map (fun c => new_leaf cfg (c :: place x) (if c =? k then best x else infinity) (if c =? k then count x else 0))
    (seq 0 (K k)).

Definition may_be_evaluated (x : node) : bool := if count x =? 0 then true else within_cap cfg x.

(** ** hunter.py *)

(** A request: a node, and for the how-many-th time its base point is evaluated. *)
Definition request : Type := node * nat.
(** A leaf and its children. *)
Definition expansion : Type := node * list node.

Definition requests (e : expansion) : list request :=
  map (fun x => (x, S (count x))) (filter may_be_evaluated (snd e)).
Definition reply (r : request) : float F := oracle (birth k (place (fst r))) (snd r).

(** A value goes into f* and the count of the node that asked for it. *)
Definition recorded (x : node) (value : float F) : node :=
  Leaf (depth x) (place x) (norm x) (smaller (less F) value (best x)) (S (count x)).

(** The nodes with their values, and the values left over; too few values leave the last nodes as they are. *)
Fixpoint take_values (xs : list node) (values : list (float F)) : list node * list (float F) :=
  match xs with
  | [] => ([], values)
  | x :: rest =>
      if may_be_evaluated x then
        match values with
        | [] => (xs, [])
        | value :: values' =>
            let (rest', left_over) := take_values rest values' in (recorded x value :: rest', left_over)
        end
      else let (rest', left_over) := take_values rest values in (x :: rest', left_over)
  end.

Fixpoint record (es : list expansion) (values : list (float F)) : list expansion :=
  match es with
  | [] => []
  | (leaf, xs) :: rest =>
      let (xs', left_over) := take_values xs values in (leaf, xs') :: record rest left_over
  end.

(** Lines 4-8 on the first leaves of the classes: the expansions of a visit, their requests, and nu_min; [room]
    evaluations are left. *)
Fixpoint choose (firsts : list node) (nu : option (float F)) (room : nat) : list expansion * list request * option (float F) :=
  match firsts with
  | [] => ([], [], nu)
  | x :: rest =>
      if below (less F) (best x) nu then
        let e := (x, offspring x) in
        let wanted := requests e in
        if room <=? length wanted then ([e], wanted, Some (best x))
        else
          match choose rest (Some (best x)) (room - length wanted) with
          | (es, more, nu') => (e :: es, wanted ++ more, nu')
          end
      else choose rest nu room
  end.

(** The events of a visit, as Model.v logs them, the latest first. *)
Fixpoint happened (es : list expansion) (values : list (float F)) (log : list (event (float F))) : list (event (float F)) :=
  match es with
  | [] => log
  | e :: rest =>
      let evaluated :=
        map (fun rv => Evaluate (place (fst (fst rv))) (snd (fst rv)) (snd rv)) (combine (requests e) values) in
      happened rest (skipn (length (requests e)) values)
        (rev evaluated ++ Expand (place (fst e)) (best (fst e)) :: log)
  end.

(** ** The order of the nodes *)

Hypothesis order : total_order (less F).

Lemma before_is x y : before x y =
  less F (best x) (best y) || negb (less F (best y) (best x)) && (index k (place x) <? index k (place y)).
Proof. unfold before, equal. destruct (less F (best x) (best y)), (less F (best y) (best x)); reflexivity. Qed.

Lemma before_is_an_order : total_order before.
Proof.
  pose proof order as O. split; unfold at_most.
  - intros x y. rewrite !before_is. intros H. apply orb_true_iff in H. apply orb_false_iff. destruct H as [H|H].
    + rewrite (less_is_asymmetric _ O _ _ H), H. auto.
    + apply andb_true_iff in H. destruct H as [H1 H2]. apply negb_true_iff in H1. apply Nat.ltb_lt in H2.
      split; [exact H1|]. apply andb_false_iff. right. apply Nat.ltb_ge. lia.
  - intros x y z. rewrite !before_is. intros H1 H2. apply orb_false_iff in H1, H2. apply orb_false_iff.
    destruct H1 as [H1 I1], H2 as [H2 I2]. split; [exact (at_most_trans _ O _ _ _ H1 H2)|].
    destruct (less F (best x) (best z)) eqn:E; [reflexivity|]. cbn [negb andb].
    assert (E1 : less F (best x) (best y) = false) by exact (at_most_trans _ O (best y) (best z) (best x) H2 E).
    assert (E2 : less F (best y) (best z) = false) by exact (at_most_trans _ O (best z) (best x) (best y) E H1).
    rewrite E1 in I1. rewrite E2 in I2. cbn [negb andb] in *.
    apply Nat.ltb_ge in I1, I2. apply Nat.ltb_ge. lia.
Qed.

(** ** The nodes of the model *)

Hypothesis d_pos : 1 <= d.
Hypothesis greatest : forall a : float F, a = infinity \/ less F a infinity = true.

Local Notation node_at := (node_at (less F) oracle cfg).
Local Notation evaluated := (evaluated (less F) oracle cfg).
Local Notation sample := (sample (less F) oracle cfg).

(** A leaf whose depth and norm are those of its path. *)
Definition proper (x : node) : Prop := x = new_leaf cfg (place x) (best x) (count x).

Lemma node_at_is_proper p : proper (node_at p).
Proof. unfold proper. destruct p as [|c q]; [reflexivity|]. cbn [Nodes.node_at]. destruct (c =? k); [destruct (within_cap _ _)|]; reflexivity. Qed.

(** The node [p] before its own evaluation. *)
Definition pending (p : path) : node :=
  match p with
  | [] => root
  | c :: q => new_leaf cfg p (if c =? k then best (node_at q) else infinity) (if c =? k then count (node_at q) else 0)
  end.

Lemma offspring_of_node_at q : offspring (node_at q) = map pending (Nodes.children cfg q).
Proof. unfold offspring, Nodes.children, children_of. now rewrite map_map, place_node_at. Qed.

Lemma count_pos p : 1 <= count (node_at p).
Proof.
  induction p as [|c q IH]; [cbn; lia|]. cbn [Nodes.node_at].
  destruct (c =? k); [|cbn; lia]. destruct (within_cap cfg (node_at q)); cbn [count new_leaf]; lia.
Qed.

Lemma may_be_evaluated_pending c q : may_be_evaluated (pending (c :: q)) = evaluated (c :: q).
Proof.
  unfold may_be_evaluated, pending. cbn [count new_leaf Nodes.evaluated].
  destruct (c =? k) eqn:E; [|reflexivity]. cbn [negb orb].
  pose proof (count_pos q). rewrite (proj2 (Nat.eqb_neq _ 0)) by lia.
  unfold within_cap. rewrite depth_node_at, norm_node_at. cbn [depth norm count new_leaf length].
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

Lemma visits_of_evaluated c q : evaluated (c :: q) = true -> visits_of (less F) oracle cfg (c :: q) = S (count (pending (c :: q))).
Proof.
  unfold Nodes.evaluated, Nodes.visits_of. cbn [pending count new_leaf Nodes.node_at]. intros H.
  destruct (c =? k); [|reflexivity]. cbn [negb orb] in H. now rewrite H.
Qed.

Lemma smaller_than_infinity v : smaller (less F) v infinity = v.
Proof. unfold smaller. destruct (greatest v) as [->| ->]; [now destruct (less F infinity infinity)|reflexivity]. Qed.

Lemma recorded_pending c q : evaluated (c :: q) = true -> recorded (pending (c :: q)) (sample (c :: q)) = node_at (c :: q).
Proof.
  intros H. unfold recorded, Nodes.sample, Nodes.visits_of. cbn [pending Nodes.evaluated Nodes.node_at] in *.
  destruct (c =? k) eqn:E; cbn [depth place norm best count new_leaf].
  - cbn [negb orb] in H. now rewrite H.
  - now rewrite smaller_than_infinity.
Qed.

Lemma pending_not_evaluated c q : evaluated (c :: q) = false -> pending (c :: q) = node_at (c :: q).
Proof.
  intros H. cbn [pending Nodes.evaluated Nodes.node_at] in *.
  destruct (c =? k) eqn:E; [|discriminate]. cbn [negb orb] in H. now rewrite H.
Qed.

(** ** Requests and values of an expansion *)

Definition expansion_of (q : path) : expansion := (node_at q, map pending (Nodes.children cfg q)).
Definition request_of (p : path) : request := (pending p, visits_of (less F) oracle cfg p).

Lemma place_pending p : place (pending p) = p.
Proof. now destruct p. Qed.

Lemma reply_request_of p : reply (request_of p) = sample p.
Proof. unfold reply, request_of, Nodes.sample. cbn [fst snd]. now rewrite place_pending. Qed.

Lemma requests_of_expansion q : requests (expansion_of q) = map request_of (wanted (less F) oracle cfg q).
Proof.
  unfold requests, expansion_of, Nodes.wanted, Nodes.children. cbn [snd].
  induction (seq 0 (K k)) as [|c cs IH]; [reflexivity|]. unfold children_of in *. cbn [map filter].
  rewrite may_be_evaluated_pending. destruct (evaluated (c :: q)) eqn:E; [|exact IH]. cbn [map]. rewrite IH. f_equal.
  unfold request_of. now rewrite visits_of_evaluated.
Qed.

(** Enough values make the children the model's leaves. *)
Lemma take_values_of_expansion q more :
  take_values (map pending (Nodes.children cfg q)) (map sample (wanted (less F) oracle cfg q) ++ more) =
  (map node_at (Nodes.children cfg q), more).
Proof.
  unfold Nodes.wanted, Nodes.children. induction (seq 0 (K k)) as [|c cs IH]; [reflexivity|]. unfold children_of in *.
  cbn [map filter take_values]. rewrite may_be_evaluated_pending. destruct (evaluated (c :: q)) eqn:E.
  - cbn [map app]. rewrite IH. now rewrite recorded_pending.
  - rewrite IH. now rewrite pending_not_evaluated.
Qed.

End PythonNodes.

Arguments before F cfg : clear implicits.
