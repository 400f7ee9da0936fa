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

(** Any two numbers may stand where paths part: at a root of the forest they are numbers of trees, and may be K or more. *)
Lemma index_where_paths_part k r a b m m' : node k m -> node k m' -> length m = length m' -> a < b ->
  index k (m ++ a :: r) < index k (m' ++ b :: r).
Proof.
  intros Hm Hm' Hl Hab.
  pose proof (index_app k m (a :: r) Hm) as [_ H1].
  pose proof (index_app k m' (b :: r) Hm') as [H2 _].
  cbn [index] in H1, H2. rewrite <- Hl in H2. nia.
Qed.

(** At equal depth, left means a smaller index. *)
Lemma left_of_index k p q : node k p -> node k q -> length p = length q -> left_of p q ->
  index k p < index k q.
Proof.
  intros Hp Hq Hl (r & a & b & m & m' & -> & -> & Hab).
  unfold node in Hp, Hq. apply Forall_app in Hp, Hq. rewrite !app_length in Hl. cbn [length] in Hl.
  apply index_where_paths_part; [apply Hp|apply Hq|lia|exact Hab].
Qed.

Lemma siblings_stand_in_order q n a : StronglySorted left_of (map (fun c => c :: q) (seq a n)).
Proof.
  revert a. induction n as [|n IH]; intros a; cbn [seq map]; constructor; [apply IH|].
  apply Forall_forall. intros p Hp. apply in_map_iff in Hp. destruct Hp as (c & <- & Hc%in_seq).
  exists q, a, c, [], []. repeat split; auto. lia.
Qed.

(** Children stand where their parent stood. *)
Lemma children_stand_in_order cfg q l1 l2 : StronglySorted left_of (l1 ++ q :: l2) ->
  StronglySorted left_of (l1 ++ children cfg q ++ l2).
Proof.
  intros (H1 & H2 & H3)%strongly_sorted_parts. apply StronglySorted_inv in H2. destruct H2 as [H4 H5].
  rewrite Forall_forall in H5.
  apply strongly_sorted_app; [exact H1|apply strongly_sorted_app; [apply siblings_stand_in_order|exact H4|]|].
  - intros y z Hy Hz. apply in_children in Hy. destruct Hy as (c & _ & ->).
    destruct (H5 z Hz) as (r & a & b & m & m' & Eq & Ey & Hab). exists r, a, b, (c :: m), m'. rewrite Eq. auto.
  - intros y z Hy Hz. apply in_app_or in Hz. destruct Hz as [Hz|Hz]; [|apply H3; auto; now right].
    apply in_children in Hz. destruct Hz as (c & _ & ->).
    destruct (H3 y q Hy (or_introl eq_refl)) as (r & a & b & m & m' & Ex & Eq & Hab).
    exists r, a, b, m, (c :: m'). rewrite Eq. auto.
Qed.

Section RunsOrder.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).

(** Claim [ties-least-index].  The leaves stand from left to right in space, in every state of every run. *)
Theorem leaves_stand_from_left_to_right s : reached less oracle cfg s -> StronglySorted left_of (places s).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto; [repeat constructor|].
  intros q s _ _ Hin _ _ IH.
  destruct (places_expand less oracle cfg q s Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
  rewrite E in IH. now apply children_stand_in_order.
Qed.

(** Claims [alg1-line-5] [ties-least-index].  Line 5 selects a leaf of least f*, and of all of these the one
    of least index i. *)
Theorem line_5_selects_the_least_index_among_the_least (order : total_order less) s l r x rest :
  reached less oracle cfg s -> In (r, x :: rest) (classes l (leaves s)) ->
  let a := argmin less x rest in
  forall y, In y (x :: rest) -> y <> a ->
    at_most less (best a) (best y) /\
    (less (best a) (best y) = true \/ index k (place a) < index k (place y)).
Proof.
  intros Hr Hin a y Hy Hne.
  pose proof (strongly_sorted_before_map place left_of _ (leaves_stand_from_left_to_right s Hr)) as Hs.
  pose proof (SearchClasses.classes_stay_sorted depth norm _ _ (fun _ => true) larger_first _ l _ Hs r _ Hin) as Hc.
  destruct (argmin_in_a_sorted_list less order _ x rest y Hc Hy Hne) as [H1 [H2|H2]]; (split; [exact H1|]); [now left|right].
  destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a (argmin_in less x rest)) as (Ha1 & Ha2 & _). destruct (Hm y Hy) as (Hy1 & Hy2 & _).
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  apply left_of_index; [| | |exact H2].
  - apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place a) Hr). now apply in_map.
  - apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place y) Hr). now apply in_map.
  - rewrite (Hn a Ha1) in Ha2 at 1. rewrite (Hn y Hy1) in Hy2 at 1. rewrite depth_node_at in Ha2, Hy2. congruence.
Qed.

(** Claims [alg1-line-6] [alg1-line-7] [strict-expansion-sentence].  What a class does to nu_min, with budget
    left: afterwards nu_min is the smaller of what it was and of the class's least f*; so at any time it is the least
    f* of all leaves visited in this sweep, expanded or not. *)
Theorem a_class_lowers_nu_min_to_its_least_value x rest s :
  exhausted cfg s = false ->
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
  exhausted cfg s = false ->
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
