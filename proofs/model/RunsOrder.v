(** * Order: leaves stand in spatial order, ties go to the least index, nu_min. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree Batch.

(** [p] lies to the left of [q]: where their paths part, [p] takes the smaller digit. *)
Definition left_of (p q : path) : Prop :=
  exists r a b m m', p = m ++ a :: r /\ q = m' ++ b :: r /\ a < b.

Lemma index_app k m p : node k m ->
  K k ^ length m * index k p <= index k (m ++ p) < K k ^ length m * (index k p + 1).
Proof.
  induction 1 as [|c m Hc Hm IH]; [cbn [length app Nat.pow]; lia|].
  cbn [length app index]. rewrite Nat.pow_succ_r'. nia.
Qed.

(** At equal depth, left means a smaller index. *)
Lemma left_of_index k p q : node k p -> node k q -> length p = length q -> left_of p q ->
  index k p < index k q.
Proof.
  intros Hp Hq Hl (r & a & b & m & m' & -> & -> & Hab).
  unfold node in Hp, Hq. apply Forall_app in Hp, Hq. destruct Hp as [Hm Hp], Hq as [Hm' Hq].
  rewrite !app_length in Hl. cbn [length] in Hl.
  pose proof (index_app k m (a :: r) Hm) as [_ H1].
  pose proof (index_app k m' (b :: r) Hm') as [H2 _].
  cbn [index] in H1, H2. replace (length m') with (length m) in H2 by lia. nia.
Qed.

Section RunsOrder.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Context (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached less oracle cfg).

(** Claim [ties-least-index].  The leaves stand from left to right in space, in every state of every run. *)
Theorem leaves_stand_from_left_to_right s : reached s -> StronglySorted left_of (places s).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - repeat constructor.
  - intros q s Hr Hx Hin Hd Hb IH.
    destruct (places_expand less oracle cfg q s Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
    rewrite E in IH. apply strongly_sorted_parts in IH. destruct IH as (H1 & H2 & H3).
    inversion H2 as [|? ? H4 H5]; subst. rewrite Forall_forall in H5.
    apply strongly_sorted_app; [exact H1| |].
    + apply strongly_sorted_app; [|exact H4|].
      * unfold children, children_of. generalize 0 at 1. induction (K k) as [|n IHn]; intros a;
          cbn [seq map]; constructor; [apply IHn|].
        apply Forall_forall. intros p Hp. apply in_map_iff in Hp.
        destruct Hp as (c & <- & Hc%in_seq). exists q, a, c, [], []. repeat split; auto. lia.
      * intros x y Hx' Hy. apply in_children in Hx'. destruct Hx' as (c & _ & ->).
        destruct (H5 y Hy) as (r & a & b & m & m' & Eq & Ey & Hab).
        exists r, a, b, (c :: m), m'. rewrite Eq. auto.
    + intros x y Hx' Hy. apply in_app_or in Hy. destruct Hy as [Hy|Hy].
      * apply in_children in Hy. destruct Hy as (c & _ & ->).
        destruct (H3 x q Hx' (or_introl eq_refl)) as (r & a & b & m & m' & Ex & Eq & Hab).
        exists r, a, b, m, (c :: m'). rewrite Eq. auto.
      * apply H3; auto. now right.
Qed.

(** Claims [alg1-line-5] [ties-least-index].  Line 5 selects a leaf of least f*, and of all of these the one
    of least index i. *)
Theorem line_5_selects_the_least_index_among_the_least (order : total_order less) s l r x rest :
  reached s -> In (r, x :: rest) (classes l (leaves s)) ->
  let a := argmin less x rest in
  forall y, In y (x :: rest) -> y <> a ->
    at_most less (best a) (best y) /\
    (less (best a) (best y) = true \/ index k (place a) < index k (place y)).
Proof.
  intros Hr Hin a y Hy Hne.
  destruct (argmin_is_the_first_of_the_least less order x rest) as (l1 & l2 & E & H1 & H2).
  fold a in E, H1, H2. rewrite E in Hy. apply in_app_or in Hy.
  destruct Hy as [Hy|[Hy|Hy]]; [split; [apply (less_at_most less order)|left]; auto|congruence|].
  split; [auto|right].
  assert (Hs : StronglySorted (fun u w => left_of (place u) (place w)) (leaves s)).
  { pose proof (leaves_stand_from_left_to_right s Hr) as H. unfold places in H. revert H.
    generalize (leaves s). clear. intros xs. induction xs as [|u xs IH]; intros H; [constructor|].
    cbn in H. inversion H as [|? ? Ha Hb]; subst. constructor; [auto|].
    rewrite Forall_forall in *. intros w Hw. apply Hb, in_map, Hw. }
  pose proof (SearchClasses.classes_stay_sorted depth norm _ _ (fun _ => true) larger_first _ l _ Hs r _ Hin) as Hc. rewrite E in Hc.
  apply strongly_sorted_parts in Hc. destruct Hc as (_ & Hc & _).
  inversion Hc as [|? ? _ Hf]; subst. rewrite Forall_forall in Hf. specialize (Hf y Hy).
  destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r _ Hin) as [_ Hm].
  assert (Ha' : In a (x :: rest)) by (rewrite E, in_app_iff; cbn; auto).
  assert (Hy' : In y (x :: rest)) by (rewrite E, in_app_iff; cbn; auto).
  destruct (Hm a Ha') as (Ha1 & Ha2 & _). destruct (Hm y Hy') as (Hy1 & Hy2 & _).
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  assert (Hl : length (place a) = length (place y)).
  { rewrite (Hn a Ha1) in Ha2 at 1. rewrite (Hn y Hy1) in Hy2 at 1.
    rewrite depth_node_at in Ha2, Hy2. congruence. }
  apply left_of_index; auto.
  - apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place a) Hr). now apply in_map.
  - apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place y) Hr). now apply in_map.
Qed.

(** Claims [alg1-line-6] [alg1-line-7] [strict-expansion-sentence].  What a class does to nu_min, with budget
    left: afterwards nu_min is the smaller of what it was and of the class's least f*; so at any time it is the least
    f* of all leaves visited in this sweep, expanded or not. *)
Theorem a_class_lowers_nu_min_to_its_least_value x rest s :
  exhausted s = false ->
  nu_min (visit_class less oracle cfg (x :: rest) s) =
  Some (match nu_min s with
        | None => best (argmin less x rest)
        | Some w => smaller less (best (argmin less x rest)) w
        end).
Proof.
  intros Hx. cbn [visit_class]. rewrite Hx. set (a := argmin less x rest).
  assert (He : nu_min (expand less oracle cfg a s) = Some (best a)).
  { apply (expand_in_batch less cfg oracle oracle a s). intros r _. reflexivity. }
  unfold below, smaller. destruct (nu_min s) as [w|] eqn:E; [|exact He].
  destruct (less (best a) w); [exact He|exact E].
Qed.

(** Claims [alg1-line-6] [strict-expansion-sentence].  A class expands its least leaf exactly when that leaf's f* is
    strictly less than nu_min (any value is, at the start of a sweep); otherwise nothing changes. *)
Theorem a_class_expands_iff_its_least_value_is_strictly_below_nu_min x rest s :
  exhausted s = false ->
  visit_class less oracle cfg (x :: rest) s =
  match nu_min s with
  | None => expand less oracle cfg (argmin less x rest) s
  | Some w => if less (best (argmin less x rest)) w
              then expand less oracle cfg (argmin less x rest) s else s
  end.
Proof.
  intros Hx. cbn [visit_class]. rewrite Hx. unfold below. destruct (nu_min s); reflexivity.
Qed.

End RunsOrder.
