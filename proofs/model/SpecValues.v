(** * The states of the model as Spec.v has them: values at base points, and the budget. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree Cells RunsEvaluations RunsNumbers
  SpecPoints.
From EmbeddedHunter Require Spec.

(** The oracle of the model: g, asked by the node that a base point has first. *)
Definition oracle_of {V : Type} (g : Spec.point -> nat -> V) (cfg : settings) (eta : R)
  (p : path) (n : nat) : V := g (point_of (half cfg) (dimension cfg) eta p) n.

(** A state of the model as Spec.v has it; t is kept apart. *)
Definition state_of {V : Type} (cfg : settings) (t : nat) (s : state V) : Spec.state V :=
  Spec.State V (fun x => exists p, In p (places s) /\ x = name_of (half cfg) p)
    (nu_min s) t (events_of (half cfg) (log s)).

Section SpecValues.

Context {V : Type} (less : V -> V -> bool).
Variable g : Spec.point -> nat -> V.
Variable cfg : settings.
Variables eta M : R.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation oracle := (oracle_of g cfg eta).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluation := (evaluation less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation name_of := (name_of k).
Local Notation state_of := (state_of cfg).
Local Notation budget_left := (Spec.budget_left V (budget cfg)).
Local Notation f_star := (Spec.f_star V less (K k) d eta).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.
Hypothesis M_nonneg : (0 <= M)%R.
Hypothesis den_pos : (0 < cap_den cfg)%Z.
Hypothesis cap : (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR d / eta) * M) ^ 2)%R.

(** ** The values at the base point of a node *)

(** The values of all evaluations of the base point of [q] in a log, in their order. *)
Definition values_of (q : path) (log : list (event V)) : list V :=
  map snd (rev (at_point cfg (birth k q) log)).

Lemma nodes_of_log s : reached s -> of_nodes k (log s).
Proof.
  intros Hr p n w H. now destruct (evaluations_of_nodes less oracle cfg s Hr p n w H) as (_ & _ & _ & ? & _).
Qed.

Lemma values_at_name q s n : of_nodes k (log s) -> node k q ->
  Spec.values_at V (K k) d eta (Spec.base_point (K k) d eta (name_of q)) (Spec.past V (state_of n s))
  = values_of q (log s).
Proof.
  intros Hn Hq. exact (values_at_point_of k d eta d_pos eta_pos cfg q (log s) eq_refl Hn Hq).
Qed.

Lemma values_of_batch q ps older :
  values_of q (rev (map evaluation ps) ++ older)
  = values_of q older ++ map sample (filter (fun p => same_path (birth k p) (birth k q)) ps).
Proof.
  revert older. induction ps as [|p ps IH]; intros older; cbn [map rev filter]; [now rewrite app_nil_r|].
  rewrite <- app_assoc. cbn [app]. rewrite IH.
  assert (E : values_of q (evaluation p :: older) = values_of q older ++
    (if same_path (birth k p) (birth k q) then [sample p] else [])).
  { unfold values_of, at_point. cbn [Nodes.evaluation evaluations filter fst].
    destruct (same_path (birth k p) (birth k q)); [|now rewrite app_nil_r].
    cbn [rev]. now rewrite map_app. }
  rewrite E, <- app_assoc. now destruct (same_path (birth k p) (birth k q)).
Qed.

Lemma values_of_expand_event q p nu older :
  values_of q (Expand p nu :: older) = values_of q older.
Proof. reflexivity. Qed.

(** Two children of one node have different base points. *)
Lemma children_have_different_births q c c' : birth k (c :: q) = birth k (c' :: q) -> c = c'.
Proof.
  assert (Hlen : length (birth k q) <= length q).
  { destruct (birth_chain k q) as (j & Hj). rewrite Hj at 2. rewrite app_length. lia. }
  cbn [birth]. destruct (Nat.eqb_spec c k) as [->|N], (Nat.eqb_spec c' k) as [->|N']; intros E.
  - reflexivity.
  - rewrite E in Hlen. cbn in Hlen. lia.
  - rewrite <- E in Hlen. cbn in Hlen. lia.
  - congruence.
Qed.

Lemma filter_children q c ps : NoDup ps -> (forall p, In p ps -> exists c', p = c' :: q) ->
  filter (fun p => same_path (birth k p) (birth k (c :: q))) ps
  = if in_dec (list_eq_dec Nat.eq_dec) (c :: q) ps then [c :: q] else [].
Proof.
  induction 1 as [|p ps Hp Hps IH]; intros Hc; [reflexivity|].
  specialize (IH (fun p' H => Hc p' (or_intror H))). cbn [filter]. rewrite IH. clear IH.
  destruct (Hc p (or_introl eq_refl)) as (c' & ->).
  destruct (same_path (birth k (c' :: q)) (birth k (c :: q))) eqn:E.
  - apply same_path_iff, children_have_different_births in E. subst c'.
    destruct (in_dec _ (c :: q) ps); [contradiction|].
    destruct (in_dec _ (c :: q) ((c :: q) :: ps)) as [|N]; [reflexivity|]. exfalso. apply N. now left.
  - assert (N : c' <> c).
    { intros ->. rewrite (proj2 (same_path_iff _ _) eq_refl) in E. discriminate. }
    destruct (in_dec _ (c :: q) ps) as [I|I], (in_dec _ (c :: q) ((c' :: q) :: ps)) as [J|J];
      try reflexivity.
    + exfalso. apply J. now right.
    + exfalso. destruct J as [J|J]; [congruence|contradiction].
Qed.

Lemma node_of_leaf s q : reached s -> In q (places s) -> node k q.
Proof. intros Hr Hq. now destruct (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s q Hr Hq). Qed.

(** A leaf's count and f* are the number and the least of the values at its base point. *)
Lemma count_of_leaf s q : reached s -> exhausted s = false -> In q (places s) ->
  length (values_of q (log s)) = visits_of q.
Proof.
  intros Hr Hx Hq. unfold values_of. rewrite map_length, rev_length.
  now apply the_count_of_a_leaf_is_the_number_of_evaluations.
Qed.

Lemma values_at_new_point s q c : reached s -> exhausted s = false -> In q (places s) -> c <> k ->
  values_of (c :: q) (log s) = [].
Proof.
  intros Hr Hx Hq Hc. unfold values_of. cbn [birth]. rewrite (proj2 (Nat.eqb_neq c k) Hc).
  now rewrite (nothing_at_a_new_point less oracle cfg s q c Hr Hx Hq Hc).
Qed.

Lemma children_performed q s p : In p (performed q s) -> exists c, p = c :: q.
Proof.
  intros H. apply performed_wanted, in_wanted in H. destruct H as (c & _ & -> & _). eauto.
Qed.

(** What one expansion adds to the values at a child. *)
Lemma values_of_child q s c nu :
  values_of (c :: q) (rev (map evaluation (performed q s)) ++ Expand q nu :: log s)
  = values_of (c :: q) (log s) ++
    (if in_dec (list_eq_dec Nat.eq_dec) (c :: q) (performed q s) then [sample (c :: q)] else []).
Proof.
  rewrite values_of_batch, values_of_expand_event, filter_children;
    [|apply nodup_performed|apply children_performed].
  now destruct (in_dec _ (c :: q) (performed q s)).
Qed.

Lemma births_of_leaves s q p : reached s -> exhausted s = false ->
  In q (places s) -> In p (places s) -> birth k p = birth k q -> p = q.
Proof.
  intros Hr Hx Hq Hp E.
  destruct (Nat.le_ge_cases (length p) (length q)) as [Hl|Hl].
  - destruct (same_birth_nested k p q E Hl) as (j & Ej).
    apply (no_leaf_under_a_leaf less oracle cfg s); auto. now exists (repeat k j).
  - destruct (same_birth_nested k q p (eq_sym E) Hl) as (j & Ej).
    symmetry. apply (no_leaf_under_a_leaf less oracle cfg s); auto. now exists (repeat k j).
Qed.

Lemma least_of_leaf s : reached s -> exhausted s = false -> forall q, In q (places s) ->
  Spec.least V less (values_of q (log s)) = Some (value q).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros _ q [<-|[]]. unfold values_of, at_point. cbn. reflexivity.
  - intros q s Hr Hx Hin Hd Hb IH Hx' p Hp.
    specialize (IH Hx).
    apply (in_places less oracle cfg) in Hin; [|now apply reached_leaves_are_nodes].
    pose proof (not_exhausted_affordable less oracle cfg q s Hx Hx') as Ha.
    rewrite expand_log.
    destruct (places_expand less oracle cfg q s Hin) as [[E _]|(_ & l1 & l2 & E & E')]; [congruence|].
    assert (Hold : In p (places s) -> p <> q ->
      Spec.least V less (values_of p (rev (map evaluation (performed q s)) ++ Expand q (value q) :: log s))
      = Some (value p)).
    { intros Hp' N. rewrite values_of_batch, values_of_expand_event.
      replace (filter _ (performed q s)) with (@nil path); [rewrite app_nil_r; now apply IH|].
      symmetry. pose proof (children_performed q s) as Hc.
      induction (performed q s) as [|r rs IHr]; [reflexivity|]. cbn [filter].
      rewrite IHr by (intros r' Hr'; apply Hc; now right).
      destruct (same_path (birth k r) (birth k p)) eqn:S; [|reflexivity]. exfalso. apply N.
      apply same_path_iff in S. destruct (Hc r (or_introl eq_refl)) as (c & ->).
      cbn [birth] in S. destruct (c =? k) eqn:Ec; [symmetry; now apply (births_of_leaves s p q)|].
      destruct (birth_chain k p) as (j & Ej). rewrite <- S in Ej.
      symmetry. apply (no_leaf_under_a_leaf less oracle cfg s); auto.
      exists (repeat k j ++ [c]). rewrite Ej, <- app_assoc. reflexivity. }
    pose proof (nodes_occur_once less oracle cfg s Hr) as Hnd. rewrite E in Hnd.
    destruct (nodup_parts _ _ _ Hnd) as (_ & _ & N1 & N2 & _).
    rewrite E', !in_app_iff in Hp. destruct Hp as [Hp|[Hp|Hp]].
    + apply Hold; [rewrite E, in_app_iff; auto|]. intros ->. tauto.
    + apply in_children in Hp. destruct Hp as (c & Hc & ->).
      rewrite values_of_child, value_cons, (performed_all _ _ _ _ _ Ha).
      destruct (c =? k) eqn:Ec.
      * assert (Hv : values_of (c :: q) (log s) = values_of q (log s))
          by (unfold values_of; cbn [birth]; now rewrite Ec).
        rewrite Hv. destruct (in_dec _ (c :: q) (wanted q)) as [I|I].
        -- apply in_wanted in I. destruct I as (c' & _ & [= <-] & He). cbn [Nodes.evaluated] in He.
           rewrite Ec in He. cbn in He. rewrite He, (least_app less order), (IH q Hin). reflexivity.
        -- destruct (within_cap cfg (node_at q)) eqn:Ew.
           ++ exfalso. apply I, in_wanted. exists c. cbn [Nodes.evaluated]. rewrite Ew, orb_true_r. auto.
           ++ rewrite app_nil_r. now apply IH.
      * rewrite values_at_new_point by (auto; now apply Nat.eqb_neq).
        destruct (in_dec _ (c :: q) (wanted q)) as [I|I]; [reflexivity|].
        exfalso. apply I, in_wanted. exists c. cbn [Nodes.evaluated]. rewrite Ec. auto.
    + apply Hold; [rewrite E, in_app_iff; cbn; auto|]. intros ->. tauto.
Qed.

Lemma f_star_of_leaf s n q : reached s -> exhausted s = false -> In q (places s) ->
  f_star (name_of q) (state_of n s) = Some (value q).
Proof.
  intros Hr Hx Hq. unfold Spec.f_star.
  rewrite values_at_name by eauto using nodes_of_log, node_of_leaf. now apply least_of_leaf.
Qed.

(** ** The budget *)

Lemma budget_is_left n (s : state V) : made s = length (evaluations (log s)) ->
  (budget_left (state_of n s) <-> exhausted s = false).
Proof.
  intros Hm. unfold Spec.budget_left. cbn [Spec.past SpecValues.state_of].
  rewrite all_values_of, map_length, rev_length, <- Hm. unfold Model.exhausted.
  rewrite Nat.leb_gt. reflexivity.
Qed.

Lemma budget_is_used_up n (s : state V) : made s = length (evaluations (log s)) ->
  exhausted s = true -> ~ budget_left (state_of n s).
Proof. intros Hm Hx H. apply (budget_is_left n s Hm) in H. congruence. Qed.

End SpecValues.
