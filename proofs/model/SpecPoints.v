(** * Nodes, base points, norms and values: those of Spec.v are those of the model.

    A node of the model is a list of digits, its base point a list of integers.  In Spec.v the node is
    the pair (h, i) and its base point the center of a cell. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order Paths Geometry Norms Cells RunsNumbers
  NormIsEuclidean.
From EmbeddedHunter Require Vectors Spec.

(** The pair (h, i) that names a node. *)
Definition name_of (k : nat) (p : path) : Spec.node := (length p, index k p).

Section SpecPoints.

Variables k d : nat.
Variable eta : R.
(** ** Names *)

Lemma child_number i c : c < K k -> (K k * i + c) / K k = i /\ (K k * i + c) mod K k = c.
Proof.
  intros H. split.
  - symmetry. apply Nat.div_unique with c; auto.
  - symmetry. apply Nat.mod_unique with i; auto.
Qed.

Lemma names_are_unique p q : node k p -> node k q -> name_of k p = name_of k q -> p = q.
Proof.
  intros Hp. revert q. induction Hp as [|c p Hc Hp IH]; intros q Hq [= L I].
  - destruct q; [reflexivity|discriminate].
  - destruct Hq as [|c' q Hc' Hq]; [discriminate|]. cbn [length index] in L, I.
    destruct (child_number (index k p) c Hc) as [D1 M1].
    destruct (child_number (index k q) c' Hc') as [D2 M2].
    rewrite I in D1, M1. rewrite M1 in M2. rewrite D1 in D2.
    f_equal; [exact M2|]. apply IH; [exact Hq|]. unfold name_of. f_equal; [lia|exact D2].
Qed.

Lemma names_of_children p :
  map (name_of k) (map (fun c => c :: p) (seq 0 (K k))) = Spec.children (K k) (name_of k p).
Proof. unfold Spec.children. rewrite map_map. reflexivity. Qed.

(** ** Base points *)

Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.

Local Notation radius := (INR d / eta)%R.

Lemma radius_pos : (0 < radius)%R.
Proof. apply Rdiv_lt_0_compat; [|exact eta_pos]. apply (lt_INR 0). exact d_pos. Qed.

Lemma INR_of_K : INR (K k) = IZR (2 * Z.of_nat k + 1).
Proof. rewrite INR_IZR_INZ. f_equal. unfold K. lia. Qed.

Lemma width_is h j : j < d ->
  Spec.width (K k) d eta h j = (2 * radius / power k (splits d h j))%R.
Proof.
  intros Hj. induction h as [|h IH].
  - rewrite splits_0, power_0 by exact d_pos. cbn [Spec.width]. unfold Spec.half_width_of_Y. field. lra.
  - cbn [Spec.width]. rewrite splits_S by assumption.
    destruct (j =? h mod d); [|rewrite Nat.add_0_r; exact IH].
    rewrite Nat.add_1_r, power_S, IH, INR_of_K.
    pose proof (power_pos k (splits d h j)). pose proof (Kr_pos k). field. lra.
Qed.

Lemma lower_end_is p j : node k p -> j < d ->
  (Spec.lower_end (K k) d eta (length p) (index k p) j + Spec.width (K k) d eta (length p) j / 2
   = base_point k d radius p j)%R.
Proof.
  intros Hp Hj. rewrite width_is by exact Hj. unfold base_point.
  induction Hp as [|c p Hc Hp IH].
  - cbn [length index Spec.lower_end]. rewrite num_nil, splits_0, power_0 by exact d_pos.
    unfold Spec.half_width_of_Y. field. lra.
  - cbn [length index Spec.lower_end]. destruct (child_number (index k p) c Hc) as [-> ->].
    rewrite width_is, num_cons, splits_S by assumption.
    destruct (j =? length p mod d) eqn:E; [|rewrite Nat.add_0_r; exact IH].
    rewrite Nat.add_1_r, power_S. unfold path in *.
    pose proof (power_pos k (splits d (length p) j)) as P. pose proof (Kr_pos k) as Q.
    set (W := power k (splits d (length p) j)) in *.
    assert (Ek : INR k = ((IZR (2 * Z.of_nat k + 1) - 1) / 2)%R)
      by (rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ; field).
    replace (Spec.lower_end (K k) d eta (length p) (index k p) j)
      with (2 * radius * IZR (num k d p j) / W - 2 * radius / W / 2)%R by lra.
    set (Kz := (2 * Z.of_nat k + 1)%Z) in *.
    rewrite minus_IZR, plus_IZR, mult_IZR, <- !INR_IZR_INZ, Ek. field. lra.
Qed.

(** The base point of a node as Spec.v has it: a list of real numbers. *)
Definition point_of (p : path) : Spec.point := Spec.base_point (K k) d eta (name_of k p).

Lemma point_of_is p : node k p -> point_of p = map (base_point k d radius p) (seq 0 d).
Proof.
  intros Hp. unfold point_of, Spec.base_point, name_of. cbn [fst snd]. apply map_ext_in.
  intros j Hj. apply in_seq in Hj. apply lower_end_is; [exact Hp|lia].
Qed.

Lemma norm_of_point_of p : node k p ->
  Spec.norm (point_of p) = Vectors.norm (Vectors.coordinates d) (base_point k d radius p).
Proof.
  intros Hp. rewrite point_of_is by exact Hp. unfold Spec.norm, Vectors.norm. f_equal.
  unfold Vectors.square_norm, Vectors.coordinates.
  induction (seq 0 d) as [|j l IH]; cbn [map fold_right Vectors.sum]; [reflexivity|].
  rewrite IH. ring.
Qed.

Lemma equal_points_iff p q : node k p -> node k q ->
  (point_of p = point_of q <-> birth k p = birth k q).
Proof.
  intros Hp Hq. rewrite <- (equal_points_are_the_nodes_of_one_birth k d d_pos p q Hp Hq).
  rewrite !point_of_is by assumption. pose proof radius_pos as Rpos.
  assert (E : forall j, base_point k d radius p j = base_point k d radius q j <->
    (num k d p j * pw k (splits d (length q) j) = num k d q j * pw k (splits d (length p) j))%Z).
  { intros j. unfold base_point.
    pose proof (power_pos k (splits d (length p) j)) as P.
    pose proof (power_pos k (splits d (length q) j)) as Q. unfold power in *.
    set (A := IZR (pw k (splits d (length p) j))) in *.
    set (B := IZR (pw k (splits d (length q) j))) in *.
    assert (F : forall a b : R, (2 * radius * a / A = 2 * radius * b / B <-> a * B = b * A)%R).
    { intros a b. split; intros H.
      - apply Rmult_eq_reg_l with (2 * radius / (A * B))%R.
        + transitivity (2 * radius * a / A)%R; [field; lra|]. rewrite H. field; lra.
        + apply Rgt_not_eq, Rdiv_lt_0_compat; [lra|]. now apply Rmult_lt_0_compat.
      - transitivity (2 * radius / (A * B) * (a * B))%R; [field; lra|]. rewrite H. field; lra. }
    rewrite F. unfold A, B. rewrite <- !mult_IZR. split; [apply eq_IZR|intros ->; reflexivity]. }
  unfold same_point. split.
  - intros H j Hj. apply E. apply (f_equal (fun l => nth j l 0%R)) in H.
    rewrite !(nth_indep _ 0%R (base_point k d radius p 0)) in H
      by (rewrite map_length, seq_length; exact Hj).
    rewrite (map_nth (base_point k d radius p)) in H.
    rewrite (nth_indep _ (base_point k d radius p 0) (base_point k d radius q 0)) in H
      by (rewrite map_length, seq_length; exact Hj).
    rewrite (map_nth (base_point k d radius q)), !seq_nth in H by exact Hj. exact H.
  - intros H. apply map_ext_in. intros j Hj. apply in_seq in Hj. apply E, H. lia.
Qed.

Lemma point_of_birth p : node k p -> point_of (birth k p) = point_of p.
Proof.
  intros Hp. apply equal_points_iff; [|exact Hp|apply birth_idempotent].
  clear d_pos eta_pos. induction Hp as [|c p Hc Hp IH]; [constructor|]. cbn [birth].
  destruct (c =? k); [exact IH|now constructor].
Qed.

(** ** Events and the values at a point *)

Context {V : Type}.

Definition event_of (e : event V) : Spec.event V :=
  match e with
  | Sweep last => Spec.Sweep V last
  | Visit l => Spec.Visit V l
  | Expand p nu => Spec.Expand V (name_of k p) (Some nu)
  | Evaluate p n value => Spec.Evaluate V (name_of k p) n value
  end.

(** A log of the model, latest event first, as Spec.v has it. *)
Definition events_of (log : list (event V)) : list (Spec.event V) := map event_of (rev log).

Lemma events_of_cons e log : events_of (e :: log) = events_of log ++ [event_of e].
Proof. unfold events_of. cbn [rev]. now rewrite map_app. Qed.

Lemma all_values_app (a b : list (Spec.event V)) :
  Spec.all_values V (a ++ b) = Spec.all_values V a ++ Spec.all_values V b.
Proof. induction a as [|[] a IH]; cbn; congruence. Qed.

Lemma values_at_app y (a b : list (Spec.event V)) :
  Spec.values_at V (K k) d eta y (a ++ b)
  = Spec.values_at V (K k) d eta y a ++ Spec.values_at V (K k) d eta y b.
Proof.
  induction a as [|[] a IH]; cbn [app Spec.values_at]; try exact IH; [reflexivity|].
  rewrite IH. now destruct (Spec.same_point _ y).
Qed.

Lemma all_values_of log : Spec.all_values V (events_of log) = map snd (rev (evaluations log)).
Proof.
  induction log as [|e log IH]; [reflexivity|]. rewrite events_of_cons, all_values_app, IH.
  destruct e; cbn [event_of Spec.all_values evaluations rev]; rewrite ?app_nil_r; try reflexivity.
  now rewrite map_app.
Qed.

(** Every evaluated node of a log is a node. *)
Definition of_nodes (log : list (event V)) : Prop :=
  forall p n value, In (p, n, value) (evaluations log) -> node k p.

Lemma values_at_point_of cfg p log : half cfg = k -> of_nodes log -> node k p ->
  Spec.values_at V (K k) d eta (point_of p) (events_of log)
  = map snd (rev (at_point cfg (birth k p) log)).
Proof.
  intros Hk Hn Hp. unfold at_point. rewrite Hk.
  induction log as [|e log IH]; [reflexivity|].
  assert (Hlog : of_nodes log).
  { intros q n value H. apply (Hn q n value). destruct e; try exact H. now right. }
  specialize (IH Hlog). rewrite events_of_cons, values_at_app, IH.
  destruct e as [last|l|q nu|q n value]; cbn [event_of Spec.values_at evaluations];
    rewrite ?app_nil_r; try reflexivity.
  cbn [filter fst]. assert (Hq : node k q) by (apply (Hn q n value); now left).
  fold (point_of q). destruct (Spec.same_point (point_of q) (point_of p)) as [E|E].
  - apply equal_points_iff in E; auto.
    rewrite (proj2 (same_path_iff _ _) E). cbn [rev]. now rewrite map_app.
  - destruct (same_path (birth k q) (birth k p)) eqn:S.
    + exfalso. apply E, equal_points_iff; auto. now apply same_path_iff.
    + now rewrite app_nil_r.
Qed.

(** ** The least of some values *)

Lemma least_app (less : V -> V -> bool) (order : total_order less) xs x :
  Spec.least V less (xs ++ [x]) =
  Some (match Spec.least V less xs with None => x | Some w => smaller less x w end).
Proof.
  induction xs as [|a xs IH]; [reflexivity|]. cbn [app Spec.least]. rewrite IH.
  destruct (Spec.least V less xs) as [b|]; unfold smaller; [|now destruct (less x a)].
  destruct (less x b) eqn:Xb, (less b a) eqn:Ba; rewrite ?Xb, ?Ba; try reflexivity.
  - assert (Xa : less x a = true).
    { destruct (less x a) eqn:Xa; [reflexivity|].
      pose proof (at_most_trans less order a x b Xa (less_at_most less order _ _ Xb)) as H.
      unfold at_most in H. congruence. }
    now rewrite Xa.
  - now destruct (less x a).
  - destruct (less x a) eqn:Xa; [|reflexivity]. exfalso.
    pose proof (at_most_trans less order a b x Ba Xb) as H. unfold at_most in H. congruence.
Qed.

End SpecPoints.
