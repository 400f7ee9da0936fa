(** * The run of the model of the forest is the run of the policy forest, and the only one.

    [hunt] (Forest.v), with nothing entering between the sweeps, computes a run in the sense of SpecForest.v: the same
    events in the same order, the same leaves, the same answer.  SpecForest.v has no second run (SpecForestOneRun.v). *)

From Coq Require Import List ZArith Reals Bool Arith Sorted Lia Lra.
From EmbeddedHunter Require Import Lattice Model Nodes Classes Paths Order Geometry Norms RunsTree RunsEvaluations RunsOrder
  NormIsEuclidean SpecPoints Forest ForestNodes ForestClasses ForestSteps ForestLoops ForestSweep ForestEnds ForestRuns
  ForestTrees ForestDefault ForestOutside.
From EmbeddedHunter Require Vectors Commands Spec SpecOneRun SpecForest SpecForestOneRun.
Import ListNotations.
Open Scope nat_scope.

(** The pair (h, i) that names a node of the forest. *)
Definition forest_name (k : nat) (p : path) : Spec.node := (length (inner p), index k p).

(** The oracle of the model: g, asked with the matrix of the tree. *)
Definition forest_oracle_of {V : Type} (g : nat -> Spec.point -> V) (cfg : settings) (eta : R) (t : nat) (p : path) : V :=
  g (S t) (point_of (half cfg) (dimension cfg) eta p).

(** The rules that the settings choose. *)
Definition queue_rule {V : Type} (separate : bool) (trees : nat) : leaf V -> nat :=
  if separate then separate_origin trees else one_queue trees.
Definition class_rule {V : Type} (by_norm : bool) : leaf V -> Z := if by_norm then norm_class else one_class.

Definition forest_event {V : Type} (k : nat) (e : event V) : Spec.event V :=
  match e with
  | Sweep last => Spec.Sweep V last
  | Visit l => Spec.Visit V l
  | Expand p nu => Spec.Expand V (forest_name k p) (Some nu)
  | Evaluate p n value => Spec.Evaluate V (forest_name k p) n value
  end.

(** A log of the model, latest event first, as SpecForest.v has it. *)
Definition forest_events {V : Type} (k : nat) (log : list (event V)) : list (Spec.event V) := map (forest_event k) (rev log).

(** A state of the model as SpecForest.v has it; t is kept apart. *)
Definition forest_state {V : Type} (cfg : settings) (t : nat) (s : forest V) : SpecForest.state V :=
  SpecForest.State V (fun x => exists p, In p (places s) /\ x = forest_name (half cfg) p)
    (fun u => nu_min u (nu_mins s)) t (forest_events (half cfg) (log s)).

Section SpecForestIsModel.

Context {V : Type} (less : V -> V -> bool).
Variable g : nat -> Spec.point -> V.
Variable cfg : settings.
Variable trees : nat.
Variable eta : R.
Variables separate by_norm : bool.
Variable later : forest V -> path -> V.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation name := (forest_name k).
Local Notation point_of := (point_of k d eta).
Local Notation base_point := (Spec.base_point (K k) d eta).
Local Notation oracle := (forest_oracle_of g cfg eta).
Local Notation queue := (queue_rule (V := V) separate trees).
Local Notation rank := (class_rule (V := V) by_norm).
Local Notation value := (value cfg oracle).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation sample := (sample trees oracle later).
Local Notation record_all := (record_all less trees oracle later).
Local Notation performed := (performed cfg).
Local Notation affordable := (affordable cfg).
Local Notation wanted := (wanted cfg).
Local Notation wanted_of := (wanted_of cfg).
Local Notation expand := (Forest.expand less cfg trees oracle later queue).
Local Notation visit_class := (Forest.visit_class less cfg trees oracle later queue).
Local Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue).
Local Notation key := (Forest.key queue rank).
Local Notation classes := (Forest.classes queue rank).
Local Notation begin_visit := (@Forest.begin_visit V).
Local Notation visit := (Forest.visit less cfg trees oracle later queue rank).
Local Notation visits := (Forest.visits less cfg trees oracle later queue rank).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue rank).
Local Notation run_for := (Forest.run_for less cfg trees oracle later nothing queue rank).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation hunt := (Forest.hunt less cfg trees oracle later nothing queue rank).
Local Notation reached := (reached less cfg trees oracle later nothing queue).
Local Notation reached_induction := (reached_induction less cfg trees oracle later nothing queue).
Local Notation reached_steps := (reached_steps less cfg trees oracle later nothing queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later nothing queue).
Local Notation forest_node := (forest_node cfg trees).
Local Notation state_of := (forest_state cfg).
Local Notation events_of := (forest_events k).
Local Notation budget_left := (SpecForest.budget_left V (budget cfg)).
Local Notation for_each := (Commands.for_each budget_left).
Local Notation f_star := (SpecForest.f_star V (K k) d eta).
Local Notation label := (SpecForest.label (K k) d eta separate by_norm).

Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= k.
Hypothesis d_pos : 1 <= d.
Hypothesis trees_pos : 1 <= trees.
Hypothesis eta_pos : (0 < eta)%R.

(** ** Names, base points and trees *)

Lemma forest_node_split p : forest_node p -> exists m t, p = m ++ [t] /\ node k m /\ t < trees.
Proof.
  intros (Hp & Ht & Hn). exists (inner p), (tree_of p). auto using node_is_inner_and_tree.
Qed.

Lemma index_of_tree m t : index k (m ++ [t]) = K k ^ length m * t + index k m.
Proof.
  induction m as [|c m IH]; [cbn; lia|]. cbn [app index length]. rewrite IH, Nat.pow_succ_r'. lia.
Qed.

Lemma index_small m : node k m -> index k m < K k ^ length m.
Proof. intros H. pose proof (index_app k m [] H). rewrite app_nil_r in *. cbn in *. lia. Qed.

Lemma name_is m t : name (m ++ [t]) = (length m, K k ^ length m * t + index k m).
Proof. unfold forest_name. now rewrite inner_app, index_of_tree. Qed.

Lemma tree_of_name p : forest_node p -> SpecForest.tree_of (K k) (name p) = tree_of p.
Proof.
  intros H. destruct (forest_node_split p H) as (m & t & -> & Hm & _).
  rewrite name_is, tree_of_app. unfold SpecForest.tree_of. cbn [fst snd]. pose proof (index_small m Hm).
  symmetry. now apply Nat.div_unique with (index k m).
Qed.

Lemma forest_names_are_unique p q : forest_node p -> forest_node q -> name p = name q -> p = q.
Proof.
  intros Hp Hq E. pose proof (tree_of_name p Hp) as Tp. rewrite E, (tree_of_name q Hq) in Tp.
  destruct (forest_node_split p Hp) as (m & t & -> & Hm & _).
  destruct (forest_node_split q Hq) as (m' & t' & -> & Hm' & _).
  rewrite !tree_of_app in Tp. subst t'. rewrite !name_is in E. injection E as El Ei. rewrite El in Ei.
  f_equal. apply (names_are_unique k); auto. unfold SpecPoints.name_of. f_equal; [exact El|lia].
Qed.

Lemma name_of_child c q : q <> [] -> name (c :: q) = (S (fst (name q)), K k * snd (name q) + c).
Proof. intros Hq. unfold forest_name. rewrite inner_child by exact Hq. reflexivity. Qed.

Lemma names_of_forest_children q : q <> [] -> map name (children cfg q) = Spec.children (K k) (name q).
Proof.
  intros Hq. unfold Spec.children, children, children_of. rewrite map_map. apply map_ext. intros c.
  now apply name_of_child.
Qed.

Lemma lower_end_of_tree m t j : node k m ->
  Spec.lower_end (K k) d eta (length m) (index k (m ++ [t])) j = Spec.lower_end (K k) d eta (length m) (index k m) j.
Proof.
  induction 1 as [|c m Hc Hm IH]; [reflexivity|]. cbn [app length index Spec.lower_end].
  destruct (child_number k (index k (m ++ [t])) c Hc) as [-> ->].
  destruct (child_number k (index k m) c Hc) as [-> ->]. now rewrite IH.
Qed.

Lemma base_point_of_name p : forest_node p -> base_point (name p) = point_of (inner p).
Proof.
  intros H. destruct (forest_node_split p H) as (m & t & -> & Hm & _).
  rewrite inner_app. unfold SpecPoints.point_of, Spec.base_point, forest_name, SpecPoints.name_of. rewrite inner_app.
  cbn [fst snd]. apply map_ext. intros j. now rewrite lower_end_of_tree.
Qed.

Lemma zero_is_the_point_of_a_root : map (fun _ => 0%R) (seq 0 d) = point_of [].
Proof.
  unfold SpecPoints.point_of, Spec.base_point. apply map_ext. intros j.
  cbn [SpecPoints.name_of fst snd length Spec.lower_end Spec.width]. unfold Spec.half_width_of_Y. lra.
Qed.

Lemma is_zero_iff p : forest_node p ->
  (SpecForest.is_zero (K k) d eta (name p) = true <-> birth k (inner p) = []).
Proof.
  intros Hp. unfold SpecForest.is_zero. rewrite base_point_of_name, zero_is_the_point_of_a_root by exact Hp.
  destruct Hp as (_ & _ & Hn).
  rewrite <- (equal_points_iff k d eta d_pos eta_pos (inner p) []) by (auto; constructor).
  destruct (Spec.same_point _ _); split; auto; discriminate.
Qed.

Lemma birth_is_the_root p : birth k p = [] <-> p = repeat k (length p).
Proof.
  split.
  - intros H. destruct (birth_chain k p) as (n & E). rewrite H, app_nil_r in E. rewrite E at 1.
    f_equal. rewrite E. now rewrite repeat_length.
  - intros ->. rewrite <- (app_nil_r (repeat k (length p))). now rewrite birth_center_chain.
Qed.

Lemma is_zero_norm p : forest_node p -> SpecForest.is_zero (K k) d eta (name p) = (Nrm k d (inner p) =? 0)%Z.
Proof.
  intros Hp. apply eq_true_iff_eq. rewrite is_zero_iff, birth_is_the_root by exact Hp. symmetry.
  exact (the_zero_vector_is_the_center_chain_of_each_root cfg trees d_pos p Hp).
Qed.

(** ** Values *)

Lemma gives_iff q p : forest_node q -> forest_node p ->
  (SpecForest.gives_its_value_to (K k) d eta (name q) (name p) = true <->
   birth k (inner q) = birth k (inner p) /\ (tree_of q = tree_of p \/ birth k (inner p) = [])).
Proof.
  intros Hq Hp. unfold SpecForest.gives_its_value_to.
  rewrite andb_true_iff, orb_true_iff, is_zero_iff, !tree_of_name, Nat.eqb_eq, !base_point_of_name by assumption.
  destruct Hq as (_ & _ & Nq). destruct Hp as (_ & _ & Np).
  rewrite <- (equal_points_iff k d eta d_pos eta_pos (inner q) (inner p)) by auto.
  destruct (Spec.same_point _ _); intuition; discriminate.
Qed.

Lemma evaluation_event p n w (log : list (event V)) : In (p, n, w) (evaluations log) <-> In (Evaluate p n w) log.
Proof.
  induction log as [|e log IH]; [reflexivity|]. destruct e; cbn [evaluations In]; rewrite IH; intuition congruence.
Qed.

Lemma some_value x w (l : list (event V)) :
  SpecForest.value_of V (K k) d eta x (map (forest_event k) l) = Some w ->
  exists p n, In (Evaluate p n w) l /\ SpecForest.gives_its_value_to (K k) d eta (name p) x = true.
Proof.
  induction l as [|e l IH]; [discriminate|].
  destruct e as [a|a|p nu|p n w']; cbn [map forest_event SpecForest.value_of]; intros H;
    try (destruct (IH H) as (q & m & H1 & H2); exists q, m; split; [now right|exact H2]).
  destruct (SpecForest.gives_its_value_to _ _ _ _ _) eqn:E.
  - injection H as ->. exists p, n. split; [now left|exact E].
  - destruct (IH H) as (q & m & H1 & H2). exists q, m. split; [now right|exact H2].
Qed.

Lemma no_value x (l : list (event V)) :
  SpecForest.value_of V (K k) d eta x (map (forest_event k) l) = None ->
  forall p n w, In (Evaluate p n w) l -> SpecForest.gives_its_value_to (K k) d eta (name p) x = false.
Proof.
  induction l as [|e l IH]; [easy|].
  destruct e as [a|a|p nu|p n w']; cbn [map forest_event SpecForest.value_of]; intros H q m w [E|Hin];
    try discriminate; try (eapply IH; eassumption).
  - injection E as <- <- <-. now destruct (SpecForest.gives_its_value_to _ _ _ _ _).
  - destruct (SpecForest.gives_its_value_to (K k) d eta (name p) x); [discriminate|]. eapply IH; eassumption.
Qed.

(** What holds of every evaluation of a log. *)
Definition well_evaluated (log : list (event V)) : Prop := forall p n w, In (p, n, w) (evaluations log) ->
  forest_node p /\ birth k (inner p) = inner p /\ (inner p = [] -> p = [0]) /\ n = S (tree_of p) /\
  w = oracle (tree_of p) (inner p).

Lemma value_of_name q log : well_evaluated log -> forest_node q ->
  SpecForest.value_of V (K k) d eta (name q) (events_of log) = Some (value q) \/
  SpecForest.value_of V (K k) d eta (name q) (events_of log) = None.
Proof.
  intros Hw Hq. unfold forest_events. destruct (SpecForest.value_of _ _ _ _ _ _) as [w|] eqn:E; [left|right; reflexivity].
  apply some_value in E. destruct E as (p & n & Hin & E). apply in_rev, evaluation_event in Hin.
  destruct (Hw p n w Hin) as (H1 & H2 & H3 & _ & ->). apply gives_iff in E; auto. destruct E as [E1 E2].
  f_equal. unfold ForestNodes.value. rewrite <- E1, H2.
  destruct (inner p) as [|c m] eqn:Ep.
  - rewrite (H3 eq_refl). reflexivity.
  - destruct E2 as [-> |E2]; [reflexivity|]. rewrite <- E1, H2 in E2. discriminate.
Qed.

Lemma value_is_known q p n w log : well_evaluated log -> forest_node q -> In (p, n, w) (evaluations log) ->
  birth k (inner p) = birth k (inner q) -> tree_of p = tree_of q \/ birth k (inner q) = [] ->
  SpecForest.value_of V (K k) d eta (name q) (events_of log) = Some (value q).
Proof.
  intros Hw Hq Hin E1 E2. destruct (value_of_name q log Hw Hq) as [H|H]; [exact H|exfalso].
  assert (F := no_value _ _ H p n w). rewrite <- in_rev, <- evaluation_event in F. specialize (F Hin).
  destruct (Hw p n w Hin) as (Hp & _). assert (G : SpecForest.gives_its_value_to (K k) d eta (name p) (name q) = true).
  { apply gives_iff; auto. }
  congruence.
Qed.

(** ** What holds in every state of a run *)

Lemma nothing_enters : forall (s : forest V) a, In a (nothing s) -> a = Aside.
Proof. intros s a []. Qed.

Lemma leaf_facts s x : reached s -> In x (leaves s) ->
  In (place x) (places s) /\ forest_node (place x) /\ place x <> [] /\ length (inner (place x)) = depth x /\
  norm x = Nrm k d (inner (place x)) /\ best x = value (place x).
Proof.
  intros Hr Hx. pose proof (leaves_are_of_the_forest less cfg trees oracle later nothing queue nothing_enters s x Hr Hx) as Ht.
  pose proof (reached_invariant s Hr) as Hi.
  destruct (proj2 (nodes_are_sound _ _ _ s Hi) x Hx) as (H1 & H2 & H3 & _).
  assert (Hp : In (place x) (places s)) by now apply in_map.
  destruct (nodes_are_nodes less cfg trees oracle later nothing queue s Hr) as [Hn _].
  repeat split; auto.
  - now apply (Hn (place x) Hp Ht).
  - rewrite H2 at 2. reflexivity.
  - rewrite H2 at 1. reflexivity.
Qed.

Lemma leaf_of_place (s : forest V) q : In q (places s) -> exists x, In x (leaves s) /\ place x = q.
Proof. intros H. apply in_map_iff in H. destruct H as (x & <- & H). eauto. Qed.

Lemma forest_node_of_leaf s q : reached s -> In q (places s) -> forest_node q.
Proof. intros Hr Hq. destruct (leaf_of_place s q Hq) as (x & Hx & <-). now apply (leaf_facts s x). Qed.

Lemma expansion_evaluations x s p n w : place x <> [] -> In (p, n, w) (evaluations (log (expand x s))) ->
  In (p, n, w) (evaluations (log s)) \/
  In p (performed (place x) s) /\ n = S (tree_of p) /\ (tree_of p < trees -> w = oracle (tree_of p) (inner p)).
Proof.
  intros Hp. destruct (expand_log less cfg trees oracle later queue x s Hp) as (new & -> & _ & Hm & Hf & _).
  rewrite evaluations_app, in_app_iff. cbn [evaluations]. intros [H|H]; [right|now left].
  rewrite Forall_forall in Hf. destruct (Hf _ H) as [F1 F2]. split; [|auto].
  apply in_rev. rewrite <- Hm. apply in_map_iff. now exists (p, n, w).
Qed.

Lemma log_is_well_evaluated s : reached s -> well_evaluated (log s).
Proof.
  revert s. refine (reached_induction _ _ _).
  - intros p n w [[= <- <- <-]|[]]. repeat split; auto; [easy|constructor].
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    destruct (leaf_facts s x Hr Hin) as (_ & F1 & F2 & _). intros p n w H.
    destruct (expansion_evaluations x s p n w F2 H) as [H0|(H1 & H2 & H3)]; [now apply IH|].
    apply performed_wanted, in_wanted in H1. destruct H1 as (c & Hc & Nc & ->).
    assert (Hf : forest_node (c :: place x)) by (apply forest_node_child; auto).
    repeat split; try apply Hf; auto.
    + rewrite inner_child by exact F2. cbn [birth]. now rewrite (proj2 (Nat.eqb_neq c k) Nc).
    + rewrite inner_child by exact F2. discriminate.
    + apply H3. apply Hf.
Qed.

(** The node through which the value of node [p] was found. *)
Definition witness (p : path) : path :=
  match birth k (inner p) with [] => [0] | q => q ++ [tree_of p] end.

Lemma leaves_have_witnesses s : reached s -> forall p, In p (places s) -> In (witness p) (evaluated_nodes s).
Proof.
  revert s. refine (reached_induction _ _ _).
  - intros p Hp. cbn in Hp. rewrite map_map in Hp. apply in_map_iff in Hp. destruct Hp as (t & <- & _).
    now left.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    destruct (leaf_facts s x Hr Hin) as (F0 & F1 & F2 & _). intros p Hp.
    rewrite evaluated_nodes_expand by exact F2. apply in_or_app.
    pose proof (nodes_are_sound _ _ _ s Hi) as Hn.
    destruct (places_expand less cfg trees oracle later queue x s Hn Hin) as [[_ E]|(Ha & l1 & l2 & E & E')];
      [rewrite E in Hp; right; now apply IH|].
    rewrite E', !in_app_iff in Hp.
    destruct Hp as [Hp|[Hp|Hp]]; [right; apply IH; rewrite E, in_app_iff; auto| |
      right; apply IH; rewrite E, in_app_iff; cbn; auto].
    apply in_children in Hp. destruct Hp as (c & Hc & ->). unfold witness.
    rewrite inner_child, tree_of_child by exact F2. cbn [birth].
    destruct (Nat.eqb_spec c k) as [->|N]; [right; now apply IH|].
    left. apply in_rev. rewrite rev_involutive, (performed_all _ _ _ Ha). apply in_wanted.
    exists c. repeat split; auto. cbn [app]. f_equal. symmetry. now apply node_is_inner_and_tree.
Qed.

Lemma f_star_of_leaf s n q : reached s -> In q (places s) -> f_star (name q) (state_of n s) = Some (value q).
Proof.
  intros Hr Hq. pose proof (forest_node_of_leaf s q Hr Hq) as Hf.
  pose proof (leaves_have_witnesses s Hr q Hq) as Hw. apply in_map_iff in Hw.
  destruct Hw as ([[p m] w] & E & Hw). cbn [fst] in E. subst p.
  apply (value_is_known q (witness q) m w); auto; [now apply log_is_well_evaluated| |]; unfold witness.
  - destruct (birth k (inner q)) as [|c r] eqn:Eb; [reflexivity|]. rewrite inner_app, <- Eb. apply birth_idempotent.
  - destruct (birth k (inner q)) as [|c r]; [now right|left; apply tree_of_app].
Qed.

Lemma f_star_of_best s n x : reached s -> In x (leaves s) -> f_star (name (place x)) (state_of n s) = Some (best x).
Proof. intros Hr Hx. destruct (leaf_facts s x Hr Hx) as (F0 & _ & _ & _ & _ & ->). now apply f_star_of_leaf. Qed.

(** ** The budget *)

Lemma all_values_of (log : list (event V)) :
  Spec.all_values V (events_of log) = map snd (rev (evaluations log)).
Proof.
  induction log as [|e log IH]; [reflexivity|]. unfold forest_events in *. cbn [rev]. rewrite map_app, all_values_app, IH.
  destruct e; cbn [map forest_event Spec.all_values evaluations rev]; rewrite ?app_nil_r; try reflexivity.
  now rewrite map_app.
Qed.

Lemma budget_is_left n (s : forest V) : length (evaluations (log s)) = made s ->
  (budget_left (state_of n s) <-> exhausted s = false).
Proof.
  intros Hm. unfold SpecForest.budget_left. cbn [SpecForest.past forest_state].
  rewrite all_values_of, map_length, rev_length, Hm. unfold Forest.exhausted. rewrite Nat.leb_gt. reflexivity.
Qed.

Lemma budget_is_used_up n (s : forest V) : length (evaluations (log s)) = made s ->
  exhausted s = true -> ~ budget_left (state_of n s).
Proof. intros Hm Hx H. apply (budget_is_left n s Hm) in H. congruence. Qed.

(** ** Rule F3: the children of an expanded leaf *)

Local Notation evaluate_child := (fun x => Commands.conditional
  (SpecForest.is_no_center V (K k) x) (SpecForest.evaluate V g (K k) d eta x)).

Lemma center_number : K k / 2 = k.
Proof. unfold K. symmetry. apply Nat.div_unique with 1; lia. Qed.

Lemma is_no_center_iff c q s : q <> [] -> c < K k -> (SpecForest.is_no_center V (K k) (name (c :: q)) s <-> c <> k).
Proof.
  intros Hq Hc. unfold SpecForest.is_no_center. rewrite name_of_child by exact Hq. cbn [snd].
  destruct (child_number k (snd (name q)) c Hc) as [_ ->]. rewrite center_number. reflexivity.
Qed.

Lemma rule_F3 q n digits s :
  forest_node q -> (forall c, In c digits -> c < K k) -> length (evaluations (log s)) = made s ->
  for_each evaluate_child (map name (children_of q digits)) (state_of n s)
    (state_of n (record_all (firstn (budget cfg - made s) (wanted_of q digits)) s)).
Proof.
  intros Hq. pose proof (proj1 Hq) as Nq. revert s.
  induction digits as [|c digits IH]; intros s Hd Hm.
  - cbn. rewrite firstn_nil. apply Commands.no_more_rounds.
  - destruct (exhausted s) eqn:Hx.
    { pose proof (proj1 (exhausted_left cfg s) Hx) as E. rewrite E. cbn [firstn ForestNodes.record_all].
      apply Commands.no_more_budget. now apply budget_is_used_up. }
    assert (Hc : c < K k) by (apply Hd; now left).
    assert (Hd' : forall c', In c' digits -> c' < K k) by (intros c' H; apply Hd; now right).
    cbn [children_of map]. fold (children_of q digits).
    destruct (Nat.eq_dec c k) as [->|N].
    + rewrite wanted_of_center. eapply Commands.one_round; [now apply budget_is_left| |now apply IH].
      right. split; [|reflexivity]. intros H. apply is_no_center_iff in H; auto.
    + rewrite wanted_of_another by exact N.
      assert (Hleft : budget cfg - made s = S (budget cfg - S (made s))) by (apply not_exhausted in Hx; lia).
      rewrite Hleft. cbn [firstn ForestNodes.record_all].
      set (s1 := snd (Forest.evaluate less trees oracle later (c :: q) s)).
      assert (Hcq : forest_node (c :: q)) by (apply forest_node_child; auto).
      eapply Commands.one_round; [now apply budget_is_left| |].
      * left. split; [now apply is_no_center_iff|]. unfold SpecForest.evaluate, SpecForest.note. reflexivity.
      * match goal with |- Commands.for_each _ _ _ ?a _ => replace a with (state_of n s1) end.
        -- replace (budget cfg - S (made s)) with (budget cfg - made s1) by (cbn; lia).
           apply IH; [exact Hd'|]. cbn [s1 Forest.evaluate snd log evaluations length made]. now rewrite Hm.
        -- unfold forest_state, s1, Forest.evaluate, Forest.sample. cbn [snd log].
           unfold forest_events. cbn [rev]. rewrite map_app. cbn [map forest_event].
           unfold SpecForest.matrix_of. rewrite tree_of_name, base_point_of_name by exact Hcq.
           replace (tree_of (c :: q) <? trees) with true by (symmetry; apply Nat.ltb_lt, Hcq). reflexivity.
Qed.

Lemma last_forest_child_performed q (s : forest V) : In (2 * k :: q) (performed q s) -> affordable q s = true.
Proof.
  intros H. destruct (affordable q s) eqn:Ha; [reflexivity|]. exfalso.
  assert (E : exists before, wanted q = before ++ [2 * k :: q]).
  { unfold ForestNodes.wanted, ForestNodes.wanted_of, children_of, K.
    replace (2 * k + 1) with (S (2 * k)) by lia. rewrite seq_S, filter_app, map_app. cbn [filter Nat.add].
    replace (2 * k =? k) with false by (symmetry; apply Nat.eqb_neq; lia). cbn [negb map]. eauto. }
  destruct E as (before & E). pose proof (nodup_wanted cfg q) as Hnd.
  unfold ForestNodes.performed, ForestNodes.affordable in *. apply Nat.leb_gt in Ha. rewrite E in *.
  rewrite app_length in Ha. cbn [length] in Ha. rewrite firstn_app in H.
  replace (budget cfg - made s - length before) with 0 in H by lia.
  cbn [firstn] in H. rewrite app_nil_r in H. apply NoDup_remove_2 in Hnd. apply Hnd. rewrite app_nil_r.
  rewrite <- (firstn_skipn (budget cfg - made s) before). apply in_or_app. now left.
Qed.

Lemma all_forest_children_have_values x s n s2 : reached s -> exhausted s = false -> In x (leaves s) ->
  log s2 = log (expand x s) ->
  (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) (name (place x))) (state_of n s2)
   <-> affordable (place x) s = true).
Proof.
  intros Hr Hx Hin E. destruct (leaf_facts s x Hr Hin) as (F0 & F1 & F2 & _). set (q := place x) in *.
  pose proof (reached_invariant s Hr) as Hi.
  assert (Hnew : forall p, In p (evaluated_nodes (expand x s)) -> In p (performed q s) \/ In p (evaluated_nodes s)).
  { intros p H. rewrite evaluated_nodes_expand in H by exact F2. apply in_app_or in H. destruct H as [H|H]; auto.
    left. now apply in_rev. }
  assert (Hw : well_evaluated (log (expand x s))).
  { intros p m w H. destruct (expansion_evaluations x s p m w F2 H) as [H0|(H1 & H2 & H3)];
      [now apply (log_is_well_evaluated s Hr)|].
    apply performed_wanted, in_wanted in H1. destruct H1 as (c & Hc & Nc & ->).
    assert (Hf : forest_node (c :: q)) by (apply forest_node_child; auto).
    repeat split; try apply Hf; auto.
    - rewrite inner_child by exact F2. cbn [birth]. now rewrite (proj2 (Nat.eqb_neq c k) Nc).
    - rewrite inner_child by exact F2. discriminate.
    - apply H3. apply Hf. }
  unfold SpecForest.all_have_values, SpecForest.f_star. cbn [SpecForest.past forest_state]. rewrite E.
  rewrite <- names_of_forest_children by exact F2. split.
  - intros H. apply last_forest_child_performed.
    assert (Hl : 2 * k < K k) by (unfold K; lia).
    assert (Hf : forest_node (2 * k :: q)) by (apply forest_node_child; auto).
    specialize (H (name (2 * k :: q))). destruct (SpecForest.value_of V _ _ _ (name (2 * k :: q)) _) as [w|] eqn:Ev.
    + apply some_value in Ev. destruct Ev as (p & m & Hp & G). apply in_rev, evaluation_event in Hp.
      destruct (Hw p m w Hp) as (P1 & P2 & _). apply gives_iff in G; auto. destruct G as [G1 G2].
      rewrite inner_child in G1, G2 by exact F2. cbn [birth] in G1, G2.
      replace (2 * k =? k) with false in G1, G2 by (symmetry; apply Nat.eqb_neq; lia).
      destruct G2 as [G2|G2]; [|discriminate].
      assert (Ep : p = 2 * k :: q).
      { apply nodes_are_equal; [apply P1|easy|exact G2|]. rewrite inner_child by exact F2. congruence. }
      subst p. destruct (Hnew (2 * k :: q)) as [Hq|Hq].
      * apply in_map_iff. exists (2 * k :: q, m, w). auto.
      * exact Hq.
      * exfalso. destruct (evaluated_nodes_are less cfg trees oracle later nothing queue s trees_pos Hr) as [_ Hev].
        destruct (Hev _ Hq) as (_ & [(t & [= _ Eq] & _)|(c & q' & [= _ <-] & _ & _ & Hex)]); [easy|].
        exact (leaf_or_expanded _ _ _ s Hi Hx q Hex F0).
    + exfalso. apply H; [|reflexivity]. apply in_map, in_children. exists (2 * k). auto.
  - intros Ha y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp). apply in_children in Hp.
    destruct Hp as (c & Hc & ->). assert (Hf : forest_node (c :: q)) by (apply forest_node_child; auto).
    assert (Hwit : In (witness (c :: q)) (evaluated_nodes (expand x s))).
    { rewrite evaluated_nodes_expand by exact F2. apply in_or_app. unfold witness.
      rewrite inner_child, tree_of_child by exact F2. cbn [birth].
      destruct (Nat.eqb_spec c k) as [->|N]; [right; exact (leaves_have_witnesses s Hr q F0)|].
      left. apply in_rev. rewrite rev_involutive, (performed_all cfg (place x) s Ha). apply in_wanted.
      exists c. repeat split; auto. cbn [app]. f_equal. symmetry. now apply node_is_inner_and_tree. }
    apply in_map_iff in Hwit. destruct Hwit as ([[p m] w] & Ep & Hwit). cbn [fst] in Ep. subst p.
    rewrite (value_is_known (c :: q) (witness (c :: q)) m w); auto; [discriminate| |]; unfold witness.
    + destruct (birth k (inner (c :: q))) as [|c' r] eqn:Eb; [reflexivity|]. rewrite inner_app, <- Eb. apply birth_idempotent.
    + destruct (birth k (inner (c :: q))) as [|c' r]; [now right|left; apply tree_of_app].
Qed.

(** ** An expansion *)

Lemma queue_of_leaf s x : reached s -> In x (leaves s) ->
  SpecForest.queue_of (K k) d eta separate (name (place x)) = queue x.
Proof.
  intros Hr Hx. destruct (leaf_facts s x Hr Hx) as (_ & F1 & _ & _ & F4 & _).
  unfold SpecForest.queue_of, queue_rule, separate_origin, one_queue. rewrite is_zero_norm by exact F1.
  destruct F1 as (_ & F1 & _). apply Nat.leb_gt in F1. destruct separate; rewrite F1; [|reflexivity].
  rewrite F4. reflexivity.
Qed.

Lemma an_expansion x s n : reached s -> exhausted s = false -> In x (leaves s) -> depth x <= h_max cfg ->
  Commands.with_the (SpecForest.f_star_is V (K k) d eta (name (place x))) (fun f =>
    Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate (name (place x))) f)
      (Commands.sequence (SpecForest.note V (Spec.Expand V (name (place x)) f))
        (Commands.sequence (for_each evaluate_child (Spec.children (K k) (name (place x))))
          (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) (name (place x))))
            (SpecForest.add_children V (K k) (name (place x)))))))
    (state_of n s) (state_of n (expand x s)).
Proof.
  intros Hr Hx Hin Hd. destruct (leaf_facts s x Hr Hin) as (F0 & F1 & F2 & F3 & F4 & F5).
  pose proof (reached_invariant s Hr) as Hi. pose proof (nodes_are_sound _ _ _ s Hi) as Hn.
  set (s1 := Forest (leaves s) ((queue x, best x) :: nu_mins s) (answer s) (made s) (iterations s) (sweeps s) (roots s)
                    (Expand (place x) (best x) :: log s)).
  set (s2 := record_all (performed (place x) s) s1).
  exists (Some (best x)). split; [unfold SpecForest.f_star_is; symmetry; now apply f_star_of_best|].
  exists (SpecForest.State V (SpecForest.T V (state_of n s)) (fun u => nu_min u (nu_mins s1)) n (events_of (log s))).
  split.
  { repeat split. intros w. cbn [SpecForest.nu_min forest_state s1 nu_mins ForestNodes.record_all].
    rewrite (queue_of_leaf s x Hr Hin). cbn [nu_min nu_mins]. reflexivity. }
  exists (state_of n s1). split.
  { unfold SpecForest.note, forest_state, forest_events, s1.
    cbn [log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. rewrite map_app. reflexivity. }
  exists (state_of n s2). split.
  - rewrite <- names_of_forest_children by exact F2.
    apply (rule_F3 (place x) n (seq 0 (K k)) s1); [exact F1|intros c Hc%in_seq; lia|].
    cbn [s1 made log evaluations]. now apply (evaluations_made less cfg trees oracle later nothing queue).
  - assert (Hclosed : log (expand x s) = log s2 /\ nu_mins (expand x s) = nu_mins s2).
    { pose proof (expand_closed less cfg trees oracle later queue x s F2) as H. cbv zeta in H. fold s1 in H. fold s2 in H.
      destruct (affordable (place x) s); [destruct H as (ch & _ & _ & ->)|rewrite H]; auto. }
    destruct Hclosed as [Hlog Hnu].
    assert (Hplaces : places s2 = places s) by (unfold places, s2; now rewrite record_all_leaves).
    pose proof (all_forest_children_have_values x s n s2 Hr Hx Hin (eq_sym Hlog)) as Hall.
    destruct (places_expand less cfg trees oracle later queue x s Hn Hin) as [[Ha E]|(Ha & l1 & l2 & E & E')].
    + right. split; [intros H; apply Hall in H; congruence|].
      unfold forest_state. rewrite Hlog, Hnu, E, Hplaces. reflexivity.
    + left. split; [now apply Hall|]. unfold SpecForest.add_children, forest_state. rewrite Hlog, Hnu, E', Hplaces.
      cbn [SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. split; [|auto]. intros y.
      pose proof (leaves_occur_once _ _ _ s Hi) as Hnd. rewrite E in Hnd.
      destruct (nodup_parts _ _ _ Hnd) as (_ & _ & N3 & N4 & _).
      assert (Hnode : forall p, In p (places s) -> forest_node p) by (intros p; now apply forest_node_of_leaf).
      rewrite <- names_of_forest_children by exact F2. split.
      * intros (p & Hp & ->). rewrite !in_app_iff in Hp. destruct Hp as [Hp|[Hp|Hp]].
        -- left. assert (Hp' : In p (places s)) by (rewrite E, in_app_iff; auto). split; [eauto|].
           intros N. apply forest_names_are_unique in N; auto. subst. tauto.
        -- right. now apply in_map.
        -- left. assert (Hp' : In p (places s)) by (rewrite E, in_app_iff; cbn; auto). split; [eauto|].
           intros N. apply forest_names_are_unique in N; auto. subst. tauto.
      * intros [[(p & Hp & ->) N]|H].
        -- exists p. split; [|reflexivity]. rewrite E, in_app_iff in Hp. rewrite !in_app_iff.
           destruct Hp as [Hp|[Hp|Hp]]; auto. now subst.
        -- apply in_map_iff in H. destruct H as (p & <- & Hp). exists p. split; [|reflexivity].
           rewrite !in_app_iff. auto.
Qed.

(** ** Ties: the leaves stand in the order of their numbers *)

Lemma forest_leaves_stand_in_order s : reached s -> StronglySorted left_of (places s).
Proof.
  revert s. refine (reached_induction _ _ _).
  - unfold places. cbn [leaves Forest.start]. rewrite map_map. cbn [place Forest.new_leaf].
    assert (G : forall n a, StronglySorted left_of (map (fun t => [t]) (seq a n))).
    { induction n as [|n IH]; intros a; cbn [seq map]; constructor; [apply IH|].
      apply Forall_forall. intros p Hp. apply in_map_iff in Hp. destruct Hp as (c & <- & Hc%in_seq).
      exists [], a, c, [], []. repeat split; auto. lia. }
    apply G.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    pose proof (nodes_are_sound _ _ _ s Hi) as Hn. set (q := place x).
    destruct (places_expand less cfg trees oracle later queue x s Hn Hin) as [[_ ->]|(_ & l1 & l2 & E & ->)]; [exact IH|].
    fold q in E |- *. rewrite E in IH. apply strongly_sorted_parts in IH. destruct IH as (H1 & H2 & H3).
    inversion H2 as [|? ? H4 H5]; subst. rewrite Forall_forall in H5.
    apply strongly_sorted_app; [exact H1| |].
    + apply strongly_sorted_app; [|exact H4|].
      * unfold children, children_of. generalize 0 at 1. induction (K k) as [|n IHn]; intros a;
          cbn [seq map]; constructor; [apply IHn|].
        apply Forall_forall. intros p Hp. apply in_map_iff in Hp.
        destruct Hp as (c & <- & Hc%in_seq). exists q, a, c, [], []. repeat split; auto. lia.
      * intros y z Hy Hz. apply in_children in Hy. destruct Hy as (c & _ & ->).
        destruct (H5 z Hz) as (r & a & b & m & m' & Eq & Ey & Hab).
        exists r, a, b, (c :: m), m'. rewrite Eq. auto.
    + intros y z Hy Hz. apply in_app_or in Hz. destruct Hz as [Hz|Hz].
      * apply in_children in Hz. destruct Hz as (c & _ & ->).
        destruct (H3 y q Hy (or_introl eq_refl)) as (r & a & b & m & m' & Ex & Eq & Hab).
        exists r, a, b, m, (c :: m'). rewrite Eq. auto.
      * apply H3; auto. now right.
Qed.

Lemma left_of_forest_index p q : forest_node p -> forest_node q -> length p = length q -> left_of p q ->
  index k p < index k q.
Proof.
  intros (_ & _ & Hp) (_ & _ & Hq) Hl (r & a & b & m & m' & -> & -> & Hab).
  assert (Hm : forall m a, node k (inner (m ++ a :: r)) -> node k m).
  { intros m0 a0 H. unfold inner in H. rewrite removelast_app in H by easy. unfold node in *.
    now apply Forall_app in H. }
  apply Hm in Hp, Hq. rewrite !app_length in Hl. cbn [length] in Hl.
  pose proof (index_app k m (a :: r) Hp) as [_ H1]. pose proof (index_app k m' (b :: r) Hq) as [H2 _].
  cbn [index] in H1, H2. replace (length m') with (length m) in H2 by lia.
  (* the digit a of a root is a tree's number: it may be K or more *)
  nia.
Qed.

Lemma forest_classes_sorted (R : leaf V -> leaf V -> Prop) l xs :
  StronglySorted R xs -> forall r ms, In (r, ms) (classes l xs) -> StronglySorted R ms.
Proof.
  induction 1 as [|x xs Hs IH Hf]; intros r ms Hin; [easy|]. cbn [Forest.classes] in Hin.
  destruct (depth x =? l); [|eauto].
  destruct (add_to_classes_from queue rank _ _ _ _ Hin) as [(_ & [-> |(ms' & H1 & ->)])|H1]; [repeat constructor| |eauto].
  constructor; [eauto|]. rewrite Forall_forall in *. intros y Hy.
  destruct (classes_hold_only_their_leaves queue rank l xs r ms' H1) as [_ H]. apply Hf. now apply H.
Qed.

Lemma the_least_index_is_selected s l r x rest :
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
  { pose proof (forest_leaves_stand_in_order s Hr) as H. unfold places in H. revert H.
    generalize (leaves s). clear. intros xs. induction xs as [|u xs IH]; intros H; [constructor|].
    cbn in H. inversion H as [|? ? Ha Hb]; subst. constructor; [auto|].
    rewrite Forall_forall in *. intros w Hw. apply Hb, in_map, Hw. }
  pose proof (forest_classes_sorted _ l _ Hs r _ Hin) as Hc. rewrite E in Hc.
  apply strongly_sorted_parts in Hc. destruct Hc as (_ & Hc & _).
  inversion Hc as [|? ? _ Hf]; subst. rewrite Forall_forall in Hf. specialize (Hf y Hy).
  destruct (classes_hold_only_their_leaves queue rank l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a) as (Ha1 & Ha2 & _); [rewrite E, in_app_iff; cbn; auto|].
  destruct (Hm y) as (Hy1 & Hy2 & _); [rewrite E, in_app_iff; cbn; auto|].
  destruct (leaf_facts s a Hr Ha1) as (_ & A1 & A2 & A3 & _).
  destruct (leaf_facts s y Hr Hy1) as (_ & B1 & B2 & B3 & _).
  apply left_of_forest_index; auto. rewrite (length_inner _ A2), (length_inner _ B2). congruence.
Qed.

(** ** Rule F5: labels and classes *)

(** The label of a node as an integer. *)
Definition integer_label (p : path) : Z :=
  if by_norm then Nrm k d (inner p) else if separate && (Nrm k d (inner p) =? 0)%Z then 0%Z else 1%Z.

Lemma label_order p q : forest_node p -> forest_node q -> length (inner p) = length (inner q) ->
  ((label (name p) < label (name q))%R <-> (integer_label p < integer_label q)%Z) /\
  (label (name p) = label (name q) <-> integer_label p = integer_label q).
Proof.
  intros Hp Hq El. unfold SpecForest.label, integer_label. rewrite !is_zero_norm by assumption.
  destruct by_norm.
  - rewrite !base_point_of_name by assumption. destruct Hp as (_ & _ & Np). destruct Hq as (_ & _ & Nq).
    rewrite !(norm_of_point_of k d eta d_pos eta_pos) by assumption. split; symmetry.
    + apply larger_integers_are_larger_Euclidean_norms; [exact d_pos|now apply radius_pos|exact El].
    + apply equal_integers_are_equal_Euclidean_norms; [exact d_pos|now apply radius_pos|exact El].
  - destruct (separate && _)%bool, (separate && _)%bool; split; split; intros; try lra; try lia; reflexivity.
Qed.

Lemma Nrm_nonneg p : (0 <= Nrm k d p)%Z.
Proof.
  rewrite (Nrm_is k d d_pos).
  assert (H : forall n f, (forall j, 0 <= f j)%Z -> (0 <= sum_below n f)%Z).
  { induction n as [|n IH]; intros f Hf; cbn [sum_below]; [lia|]. specialize (IH f Hf). specialize (Hf n). lia. }
  apply H. intros j. nia.
Qed.

Lemma key_order s x y : reached s -> In x (leaves s) -> In y (leaves s) ->
  (earlier (key x) (key y) = true <-> (integer_label (place y) < integer_label (place x))%Z) /\
  (key x = key y <-> integer_label (place x) = integer_label (place y)).
Proof.
  intros Hr Hx Hy. destruct (leaf_facts s x Hr Hx) as (_ & (_ & Tx & _) & _ & _ & Nx & _).
  destruct (leaf_facts s y Hr Hy) as (_ & (_ & Ty & _) & _ & _ & Ny & _).
  rewrite earlier_iff. unfold Forest.key. rewrite pair_equal_spec. cbn [fst snd].
  unfold queue_rule, class_rule, separate_origin, one_queue, norm_class, one_class, integer_label.
  apply Nat.leb_gt in Tx, Ty. pose proof (Nrm_nonneg (inner (place x))). pose proof (Nrm_nonneg (inner (place y))).
  destruct separate, by_norm; rewrite ?Tx, ?Ty, ?Nx, ?Ny; cbn [andb];
    destruct (Z.eqb_spec (Nrm k d (inner (place x))) 0), (Z.eqb_spec (Nrm k d (inner (place y))) 0);
    split; lia.
Qed.

Definition label_of_class (c : (nat * Z) * list (leaf V)) : R :=
  match snd c with [] => 0%R | x :: _ => label (name (place x)) end.

Section Visit.

Variables (s0 : forest V) (l t0 : nat).
Hypothesis reached_0 : reached s0.
Hypothesis l_small : l <= h_max cfg.

Local Notation T_t := (SpecForest.T V (state_of t0 s0)).
Local Notation frozen := (classes l (leaves s0)).

Lemma member_facts r ms x : In (r, ms) frozen -> In x ms ->
  In x (leaves s0) /\ In (place x) (places s0) /\ forest_node (place x) /\ length (inner (place x)) = l /\
  key x = r /\ label_of_class (r, ms) = label (name (place x)).
Proof.
  intros Hin Hx.
  destruct (classes_hold_only_their_leaves queue rank l (leaves s0) r ms Hin) as [_ H].
  assert (F : forall y, In y ms -> In y (leaves s0) /\ In (place y) (places s0) /\ forest_node (place y) /\
    length (inner (place y)) = l /\ key y = r).
  { intros y Hy. destruct (H y Hy) as (H1 & H2 & H3).
    destruct (leaf_facts s0 y reached_0 H1) as (F1 & F2 & F3 & F4 & _). repeat split; try apply F2; auto; congruence. }
  destruct (F x Hx) as (F1 & F2 & F3 & F4 & F5). repeat split; try apply F3; auto.
  unfold label_of_class. cbn [snd]. destruct ms as [|y ms]; [easy|].
  destruct (F y (or_introl eq_refl)) as (G1 & _ & G3 & G4 & G5).
  apply label_order; [exact G3|exact F3|congruence|].
  apply (key_order s0 y x reached_0 G1 F1). congruence.
Qed.

Lemma class_of_leaf p : In p (places s0) -> length (inner p) = l ->
  exists x ms, In (key x, ms) frozen /\ In x ms /\ place x = p.
Proof.
  intros Hp Hl. destruct (leaf_of_place s0 p Hp) as (x & Hx & <-).
  destruct (leaf_facts s0 x reached_0 Hx) as (_ & _ & _ & F3 & _).
  destruct (every_leaf_is_in_its_class queue rank l (leaves s0) x Hx) as (ms & H1 & H2); [congruence|].
  exists x, ms. auto.
Qed.

Lemma labels_of_classes :
  SpecForest.labels_of (K k) d eta separate by_norm T_t l (map label_of_class frozen).
Proof.
  split.
  - pose proof (classes_sorted queue rank l (leaves s0)) as Hs.
    assert (G : forall cs, StronglySorted before cs -> (forall c, In c cs -> In c frozen) ->
      StronglySorted Rgt (map label_of_class cs)).
    { induction 1 as [|c cs Hs' IH Hf]; intros Hin; [constructor|]. cbn [map]. constructor.
      - apply IH. intros c' Hc'. apply Hin. now right.
      - apply Forall_forall. intros r Hr. apply in_map_iff in Hr. destruct Hr as (c' & <- & Hc').
        rewrite Forall_forall in Hf. specialize (Hf c' Hc'). unfold before in Hf.
        destruct c as [r ms], c' as [r' ms']. cbn [fst] in Hf.
        pose proof (Hin (r, ms) (or_introl eq_refl)) as I.
        pose proof (Hin (r', ms') (or_intror Hc')) as I'.
        destruct (classes_hold_only_their_leaves queue rank l (leaves s0) r ms I) as [Hne _].
        destruct (classes_hold_only_their_leaves queue rank l (leaves s0) r' ms' I') as [Hne' _].
        destruct ms as [|x ms]; [easy|]. destruct ms' as [|x' ms']; [easy|].
        destruct (member_facts r (x :: ms) x I (or_introl eq_refl)) as (A0 & _ & A1 & A2 & A3 & ->).
        destruct (member_facts r' (x' :: ms') x' I' (or_introl eq_refl)) as (B0 & _ & B1 & B2 & B3 & ->).
        apply label_order; [exact B1|exact A1|congruence|]. apply (key_order s0 x x' reached_0 A0 B0). congruence. }
    now apply G.
  - intros r. split.
    + intros Hr. apply in_map_iff in Hr. destruct Hr as ([z ms] & <- & I).
      destruct (classes_hold_only_their_leaves queue rank l (leaves s0) z ms I) as [Hne _].
      destruct ms as [|x ms]; [easy|].
      destruct (member_facts z (x :: ms) x I (or_introl eq_refl)) as (_ & A0 & A1 & A2 & A3 & ->).
      exists (index k (place x)).
      replace (l, index k (place x)) with (name (place x)) by (unfold forest_name; now rewrite A2).
      split; [|reflexivity]. cbn. eauto.
    + intros (i & (p & Hp & E) & <-).
      assert (Hl : length (inner p) = l) by now injection E. rewrite E.
      destruct (class_of_leaf p Hp Hl) as (x & ms & I & Im & <-).
      apply in_map_iff. exists (key x, ms). split; [|exact I].
      now destruct (member_facts _ _ _ I Im) as (_ & _ & _ & _ & _ & ->).
Qed.

Lemma class_is_a_class r ms y : In (r, ms) frozen ->
  (SpecForest.class (K k) d eta separate by_norm T_t l (label_of_class (r, ms)) y <->
   exists x, In x ms /\ y = name (place x)).
Proof.
  intros I. split.
  - intros ((p & Hp & ->) & Hl & Hr). cbn [fst forest_name] in Hl.
    destruct (class_of_leaf p Hp Hl) as (z & ms' & I' & Im & Ez).
    destruct (classes_hold_only_their_leaves queue rank l (leaves s0) r ms I) as [Hne _].
    destruct ms as [|x ms]; [easy|].
    destruct (member_facts r (x :: ms) x I (or_introl eq_refl)) as (B0 & A0 & A1 & A2 & A3 & A4).
    destruct (member_facts _ _ z I' Im) as (C0 & _ & C1 & C2 & _ & _).
    rewrite A4, <- Ez in Hr. apply label_order in Hr; [|exact C1|exact A1|congruence].
    apply (key_order s0 z x reached_0 C0 B0) in Hr.
    assert (E : ms' = x :: ms).
    { pose proof (classes_sorted queue rank l (leaves s0)) as Hs. rewrite Hr, A3 in I'.
      clear - Hs I I'. induction Hs as [|c cs Hs IH Hf]; [easy|]. rewrite Forall_forall in Hf.
      assert (N : forall m, ~ In (r, m) cs \/ fst c <> r).
      { intros m. destruct (same_key (fst c) r) eqn:E.
        - apply same_key_iff in E. left. intros J. specialize (Hf _ J). unfold before in Hf. cbn [fst] in Hf.
          rewrite E, earlier_iff in Hf. lia.
        - right. intros J. apply same_key_iff in J. congruence. }
      destruct I as [->|I], I' as [E|I']; [congruence| | |auto].
      - destruct (N ms') as [J|J]; [now apply J in I'|now cbn in J].
      - subst c. destruct (N (x :: ms)) as [J|J]; [now apply J in I|now cbn in J]. }
    subst ms'. exists z. split; [exact Im|]. now rewrite Ez.
  - intros (x & Hx & ->). destruct (member_facts r ms x I Hx) as (_ & A0 & A1 & A2 & A3 & A4).
    repeat split; [cbn; eauto|exact A2|]. now rewrite A4.
Qed.

(** What happens to the class of label [r]. *)
Local Notation visit_label := (fun r =>
  Commands.with_the (SpecForest.argmin V less (K k) d eta (SpecForest.class (K k) d eta separate by_norm T_t l r)) (fun o =>
    Commands.conditional (SpecForest.below_nu_min V less (K k) d eta separate o)
      (Commands.with_the (SpecForest.f_star_is V (K k) d eta o) (fun f =>
        Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate o) f)
          (Commands.sequence (SpecForest.note V (Spec.Expand V o f))
            (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
              (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) o))
                (SpecForest.add_children V (K k) o)))))))).

Lemma a_class c s n : In c frozen -> reached s -> exhausted s = false ->
  (forall x, In x (snd c) -> In x (leaves s)) ->
  visit_label (label_of_class c) (state_of n s) (state_of n (visit_class (fst (fst c)) (snd c) s)).
Proof.
  destruct c as [r ms]. cbn [fst snd]. intros I Hr Hx Hm.
  destruct (classes_hold_only_their_leaves queue rank l (leaves s0) r ms I) as [Hne _].
  destruct ms as [|x rest]; [easy|].
  set (a := argmin less x rest). assert (Ha : In a (x :: rest)) by apply argmin_in.
  destruct (member_facts r _ a I Ha) as (_ & _ & A1 & A2 & A3 & _).
  exists (name (place a)). split.
  - split; [apply class_is_a_class; eauto|]. intros y Hy N.
    apply (class_is_a_class r _ y I) in Hy. destruct Hy as (z & Hz & ->).
    rewrite !f_star_of_best by auto.
    assert (Nz : z <> a) by (intros ->; now apply N).
    destruct (the_least_index_is_selected s0 l r x rest reached_0 I z Hz Nz) as [H1 [H2|H2]]; fold a in H1, H2;
      cbn [Spec.smaller_than].
    + left. exact H2.
    + right. split; [|exact H2]. unfold at_most in H1. congruence.
  - assert (Hq : fst r = queue a) by (rewrite <- A3; reflexivity).
    assert (Hb : SpecForest.below_nu_min V less (K k) d eta separate (name (place a)) (state_of n s)
      <-> below less (best a) (nu_min (fst r) (nu_mins s)) = true).
    { unfold SpecForest.below_nu_min. rewrite f_star_of_best, (queue_of_leaf s a Hr), Hq by auto.
      cbn [SpecForest.nu_min forest_state]. destruct (nu_min (queue a) (nu_mins s)); cbn; tauto. }
    cbn [Forest.visit_class]. rewrite Hx. fold a.
    destruct (below less (best a) (nu_min (fst r) (nu_mins s))) eqn:E.
    + left. split; [now apply Hb|]. apply an_expansion; auto.
      destruct (leaf_facts s a Hr (Hm a Ha)) as (_ & _ & _ & F3 & _). lia.
    + right. split; [|reflexivity]. intros H. apply Hb in H. discriminate.
Qed.

Lemma visit_classes_exhausted cs s : exhausted s = true -> visit_classes cs s = s.
Proof.
  intros Hx. revert cs. induction cs as [|[r [|x ms]] cs IH]; cbn [Forest.visit_classes Forest.visit_class];
    [reflexivity|exact IH|]. rewrite Hx. exact IH.
Qed.

Lemma the_classes n cs s : (forall c, In c cs -> In c frozen) -> reached s -> frozen_ok queue rank l cs s ->
  for_each visit_label (map label_of_class cs) (state_of n s) (state_of n (visit_classes cs s)).
Proof.
  revert s. induction cs as [|c cs IH]; intros s Hin Hr Hf; [apply Commands.no_more_rounds|].
  pose proof (evaluations_made less cfg trees oracle later nothing queue s Hr) as Hm.
  destruct (exhausted s) eqn:Hx.
  - rewrite visit_classes_exhausted by exact Hx. apply Commands.no_more_budget. now apply budget_is_used_up.
  - pose proof (reached_invariant s Hr) as Hi.
    pose proof Hf as [_ Hmem]. rewrite visit_classes_cons. cbn [map].
    destruct (Hmem (fst c) (snd c)) as [Hne Hx']; [left; now destruct c|].
    eapply Commands.one_round; [now apply budget_is_left| |].
    + apply a_class; auto; [apply Hin; now left|]. intros x H. now apply Hx'.
    + apply IH.
      * intros c' H. apply Hin. now right.
      * eapply reached_steps; [exact Hr|].
        apply (moves_steps less cfg trees oracle later nothing queue l); [exact l_small|].
        apply visit_class_moves; auto. intros y Hy. now destruct (Hx' y Hy) as (? & ? & _).
      * now apply frozen_ok_tail.
Qed.

End Visit.

(** ** Rule F4: visits and sweeps *)

(** Between two visits the iteration t is one more than the number of visits made. *)
Local Notation between_visits s := (state_of (S (iterations s)) s).

Local Notation a_visit := (fun l =>
  Commands.sequence (SpecForest.note V (Spec.Visit V l))
    (Commands.with_the (SpecForest.leaves_now V) (fun T_t =>
      Commands.with_the (fun _ => SpecForest.labels_of (K k) d eta separate by_norm T_t l) (fun labels =>
        Commands.sequence
          (for_each (fun r =>
            Commands.with_the (SpecForest.argmin V less (K k) d eta (SpecForest.class (K k) d eta separate by_norm T_t l r))
              (fun o => Commands.conditional (SpecForest.below_nu_min V less (K k) d eta separate o)
                (Commands.with_the (SpecForest.f_star_is V (K k) d eta o) (fun f =>
                  Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate o) f)
                    (Commands.sequence (SpecForest.note V (Spec.Expand V o f))
                      (Commands.sequence (for_each evaluate_child (Spec.children (K k) o))
                        (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) o))
                          (SpecForest.add_children V (K k) o)))))))) labels)
          (SpecForest.next_t V))))).

Lemma visit_is_reached l s : l <= h_max cfg -> reached s -> exhausted s = false -> reached (visit l s).
Proof.
  intros Hl Hr Hx. eapply reached_steps; [exact Hr|].
  apply (moves_steps less cfg trees oracle later nothing queue l); [exact Hl|].
  apply visit_moves; [exact Hx|now apply reached_invariant].
Qed.

Lemma the_visit l s : l <= h_max cfg -> reached s -> exhausted s = false ->
  a_visit l (between_visits s) (between_visits (visit l s)).
Proof.
  intros Hl Hr Hx. set (s0 := begin_visit l s). set (n := S (iterations s)).
  assert (Hr0 : reached s0).
  { eapply reached_steps; [exact Hr|]. apply steps_one, step_visit; auto. }
  exists (state_of n s0). split.
  { unfold SpecForest.note, forest_state, forest_events, s0.
    cbn [Forest.begin_visit log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past].
    rewrite map_app. reflexivity. }
  exists (SpecForest.T V (state_of n s0)). split; [reflexivity|].
  exists (map label_of_class (classes l (leaves s0))). split; [now apply labels_of_classes|].
  exists (state_of n (visit_classes (classes l (leaves s0)) s0)). split.
  - apply the_classes; auto. apply frozen_ok_classes.
  - rewrite (visit_iterations less cfg trees oracle later queue rank l s Hx (reached_invariant s Hr)). reflexivity.
Qed.

Lemma the_visits n l s : l + n <= S (h_max cfg) -> reached s ->
  for_each a_visit (seq l n) (between_visits s) (between_visits (visits n l s)) /\ reached (visits n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s Hl Hr; cbn [Forest.visits seq].
  - split; [apply Commands.no_more_rounds|exact Hr].
  - pose proof (evaluations_made less cfg trees oracle later nothing queue s Hr) as Hm. destruct (exhausted s) eqn:Hx.
    + split; [|exact Hr]. apply Commands.no_more_budget. now apply budget_is_used_up.
    + assert (Hr' : reached (visit l s)) by (apply visit_is_reached; auto; lia).
      destruct (IH (S l) (visit l s)) as [H1 H2]; [lia|exact Hr'|]. split; [|exact H2].
      eapply Commands.one_round; [now apply budget_is_left| |exact H1].
      apply the_visit; auto. lia.
Qed.

Lemma there_is_a_leaf s : reached s -> leaves s <> [].
Proof.
  intros Hr E. assert (H : places s <> []); [|now unfold places in H; rewrite E in H].
  clear E. revert s Hr. refine (reached_induction _ _ _).
  - unfold places. cbn. destruct trees; [lia|easy].
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]]; [exact IH|exact IH|].
    destruct (places_expand less cfg trees oracle later queue x s (nodes_are_sound _ _ _ s Hi) Hin)
      as [[_ ->]|(_ & l1 & l2 & _ & ->)]; [exact IH|].
    intros E. apply app_eq_nil in E. destruct E as [_ E]. apply app_eq_nil in E. destruct E as [E _].
    assert (I : In (0 :: place x) (children cfg (place x))) by (apply in_children; exists 0; unfold K; split; [lia|reflexivity]).
    rewrite E in I. easy.
Qed.

Lemma depth_is_deepest n s : reached s -> SpecForest.depth_of_T V (state_of n s) (deepest (leaves s)).
Proof.
  intros Hr. split.
  - destruct (deepest_is_a_depth (leaves s) (there_is_a_leaf s Hr)) as (x & Hx & E).
    destruct (leaf_facts s x Hr Hx) as (F1 & _ & _ & F3 & _).
    exists (index k (place x)). exists (place x). split; [exact F1|]. unfold forest_name. now rewrite F3, E.
  - intros h i (p & Hp & [= -> _]). destruct (leaf_of_place s p Hp) as (x & Hx & <-).
    destruct (leaf_facts s x Hr Hx) as (_ & _ & _ & -> & _). now apply depth_le_deepest.
Qed.

Local Notation a_sweep :=
  (Commands.sequence (SpecForest.reset_nu_min V)
    (Commands.with_the (SpecForest.depth_of_T V) (fun depth =>
      Commands.sequence (SpecForest.note V (Spec.Sweep V (Nat.min depth (h_max cfg))))
        (for_each a_visit (seq 0 (S (Nat.min depth (h_max cfg)))))))).

Lemma the_sweep s : reached s -> exhausted s = false ->
  a_sweep (between_visits s) (between_visits (sweep s)) /\ reached (sweep s).
Proof.
  intros Hr Hx. set (s1 := Forest.begin_sweep cfg s).
  assert (Hr1 : reached s1).
  { eapply reached_steps; [exact Hr|]. now apply steps_one, step_sweep. }
  destruct (the_visits (S (limit cfg s)) 0 s1) as [H1 H2]; [unfold limit; lia|exact Hr1|].
  split; [|exact H2].
  exists (SpecForest.State V (SpecForest.T V (between_visits s)) (fun _ => None) (S (iterations s)) (events_of (log s))).
  split; [repeat split|]. exists (deepest (leaves s)).
  split; [exact (depth_is_deepest (S (iterations s)) s Hr)|].
  exists (between_visits s1). split; [|exact H1].
  unfold SpecForest.note, forest_state, forest_events, s1.
  cbn [Forest.begin_sweep log rev SpecForest.T SpecForest.nu_min SpecForest.t SpecForest.past]. rewrite map_app. reflexivity.
Qed.

Lemma nothing_was_expanded n s : SpecForest.no_queue_has_expanded V (state_of n s) <-> nu_mins s = [].
Proof.
  unfold SpecForest.no_queue_has_expanded. cbn [SpecForest.nu_min forest_state]. split.
  - intros H. destruct (nu_mins s) as [|[u w] nus]; [reflexivity|]. specialize (H u). cbn in H.
    now rewrite Nat.eqb_refl in H.
  - now intros ->.
Qed.

Lemma the_sweeps n s : reached s -> budget cfg <= made s + n ->
  Commands.while_budget_is_left budget_left (SpecForest.no_queue_has_expanded V) a_sweep
    (between_visits s) (between_visits (run_for n s)) /\
  reached (run_for n s).
Proof.
  revert s. induction n as [|n IH]; intros s Hr Hb; cbn [Forest.run_for];
    pose proof (evaluations_made less cfg trees oracle later nothing queue s Hr) as Hm.
  - split; [|exact Hr]. apply Commands.budget_used_up. apply budget_is_used_up; [exact Hm|].
    unfold Forest.exhausted. apply Nat.leb_le. lia.
  - destruct (exhausted s) eqn:Hx.
    { split; [|exact Hr]. apply Commands.budget_used_up. now apply budget_is_used_up. }
    destruct (the_sweep s Hr Hx) as [H1 H2].
    assert (Er : Forest.round less cfg trees oracle later nothing queue rank s = sweep s)
      by (unfold Forest.round, nothing; cbn [Forest.enter]; now rewrite Hx).
    cbv zeta. rewrite Er. destruct (nu_mins (sweep s)) as [|nu nus] eqn:Enu.
    + split; [|exact H2]. apply Commands.nothing_expanded; [now apply budget_is_left|exact H1|].
      now apply nothing_was_expanded.
    + destruct (IH (sweep s) H2) as [H3 H4].
      { assert (made s < made (sweep s)); [|lia].
        apply (a_sweep_that_expands_evaluates less cfg trees oracle later nothing queue rank); auto;
          [now apply reached_invariant|congruence]. }
      split; [|exact H4]. eapply Commands.one_sweep; [now apply budget_is_left|exact H1| |exact H3].
      rewrite nothing_was_expanded. congruence.
Qed.

(** ** Rule F8: the answer *)

Lemma least_of_more xs (es : list (path * nat * V)) a : Spec.least V less xs = Some a ->
  Spec.least V less (xs ++ map snd (rev es)) = Some (fold_right (fun e a => smaller less (snd e) a) a es).
Proof.
  intros E. induction es as [|e es IH]; cbn [rev map fold_right]; [now rewrite app_nil_r|].
  rewrite map_app, app_assoc. cbn [map]. rewrite (least_app less order), IH. reflexivity.
Qed.

Lemma answer_is_least s : reached s ->
  Spec.least V less (Spec.all_values V (events_of (log s))) = Some (answer s).
Proof.
  revert s. refine (reached_induction _ _ _).
  - reflexivity.
  - intros s s' Hr Hi IH Hst. destruct Hst as [s Hx|l s Hx _|x s Hx Hin _|a s Hx [s0 []]];
      rewrite all_values_of in *; [exact IH|exact IH|].
    destruct (leaf_facts s x Hr Hin) as (_ & _ & F2 & _).
    destruct (expand_log less cfg trees oracle later queue x s F2) as (new & -> & _ & _ & _ & ->).
    rewrite evaluations_app. cbn [evaluations]. rewrite rev_app_distr, map_app. now apply least_of_more.
Qed.

(** ** The theorem *)

Hypothesis budget_pos : 1 <= budget cfg.

Local Notation run_of_the_forest :=
  (SpecForest.run V less g (K k) d trees eta (h_max cfg) (budget cfg) separate by_norm).

Lemma hunt_is_a_run : run_of_the_forest (between_visits hunt) (answer hunt).
Proof.
  destruct (the_sweeps (budget cfg) start) as [H1 H2]; [apply steps_none|lia|].
  split; [|now apply answer_is_least].
  exists (SpecForest.State V (SpecForest.T V (state_of 1 start)) (fun _ => None) 1 []). split.
  - split; [|repeat split]. intros [h i]. cbn [SpecForest.T forest_state]. unfold places. cbn [leaves Forest.start].
    rewrite map_map. cbn [place Forest.new_leaf fst snd]. split.
    + intros (p & Hp & E). apply in_map_iff in Hp. destruct Hp as (t & <- & Ht%in_seq).
      unfold forest_name in E. cbn [inner removelast length index] in E. injection E as -> ->. lia.
    + intros [-> Hi]. exists [i]. split; [apply in_map_iff; exists i; split; [reflexivity|apply in_seq; lia]|].
      unfold forest_name. cbn [inner removelast length index]. f_equal. lia.
  - exists (between_visits start). split; [|exact H1].
    assert (H0 : forest_node [0]) by (repeat split; [easy|exact trees_pos|constructor]).
    unfold SpecForest.evaluate, SpecForest.note, SpecForest.matrix_of.
    replace (0, 0) with (name [0]) by (unfold forest_name; cbn; f_equal; lia).
    rewrite tree_of_name, base_point_of_name by exact H0. reflexivity.
Qed.

(** Claim [forest-rules].  The run of the model of the forest, nothing entering between the sweeps, is a run of the policy
    forest as SpecForest.v writes it, and the only one.  This holds for every g with values in a total order, all odd K >= 3, d >= 1, P >= 1, eta > 0, h_max and
    v >= 1, with the zero vector in a queue of its own or not, and with one class for each depth or for each norm: each
    run has the events, the leaves, the iterations and the answer of [hunt]. *)
Theorem hunt_is_the_policy_forest :
  run_of_the_forest (between_visits hunt) (answer hunt) /\
  (forall s f, run_of_the_forest s f ->
     SpecForestOneRun.same V s (between_visits hunt) /\ f = answer hunt).
Proof.
  split; [exact hunt_is_a_run|]. intros s f Hs.
  exact (SpecForestOneRun.the_policy_forest_has_at_most_one_run V less g (K k) d trees eta (h_max cfg) (budget cfg)
    separate by_norm (less_is_asymmetric less order) s f _ _ Hs hunt_is_a_run).
Qed.

End SpecForestIsModel.
