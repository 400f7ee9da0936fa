(** * The states of the model of the forest as SpecForest.v has them: names, trees and values. *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Geometry RunsOrder SpecPoints ForestContext ForestNodes ForestSteps ForestRuns ForestTrees ForestDefault
  ForestOutside.
From EmbeddedHunter Require Commands Spec SpecForest.

(** The pair (h, i) that names a node of the forest. *)
Definition forest_name (k : nat) (p : path) : Spec.node := (length (inner p), index k p).

(** The oracle of the model: g, asked with the matrix of the tree. *)
Definition forest_oracle_of {V : Type} (g : nat -> Spec.point -> V) (cfg : forest_settings) (eta : nat -> R) (t : nat) (p : path) : V :=
  g (S t) (point_of (half cfg) (dimension_of cfg t) (eta t) p).

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
Definition forest_state {V : Type} (cfg : forest_settings) (t : nat) (s : forest V) : SpecForest.state V :=
  SpecForest.State V (fun x => exists p, In p (places s) /\ x = forest_name (half cfg) p)
    (fun u => nu_min u (nu_mins s)) t (forest_events (half cfg) (log s)).

(** What these files assume of a forest: nothing enters between the sweeps, and it has the oracle and the rules that a function
    [g] and the settings give.  The model compares norms as integers, which have a meaning in one space Y. *)
Class follows {V : Type} {F : rules V} (g : nat -> Spec.point -> V) (eta : nat -> R) (separate by_norm : bool) : Prop := Follows {
  oracle_of_g : oracle = forest_oracle_of g cfg eta;
  queue_of_rules : queue = queue_rule separate trees;
  rank_of_rules : rank = class_rule by_norm;
  nothing_enters : arrivals = nothing;
  order : total_order less;
  k_pos : 1 <= half cfg;
  d_pos : forall t, 1 <= dimension_of cfg t;
  trees_pos : 1 <= trees;
  eta_pos : forall t, (0 < eta t)%R;
  norms_of_one_space : by_norm = true -> forall t, dimension_of cfg t = dimension_of cfg 0 /\ eta t = eta 0
}.

Notation d := (dimension_of cfg) (only parsing).
Notation name := (forest_name k) (only parsing).
Notation state_of := (forest_state cfg) (only parsing).
Notation events_of := (forest_events k) (only parsing).
Notation budget_left V := (SpecForest.budget_left V (budget cfg)) (only parsing).
Notation for_each V := (Commands.for_each (budget_left V)) (only parsing).

(** ** The commands of the listing (SpecForest.v) *)

Section Listing.

Context {V : Type} {F : rules V} (g : nat -> Spec.point -> V) (eta : nat -> R) (separate by_norm : bool).

Definition evaluate_child (x : Spec.node) : Commands.command (SpecForest.state V) :=
  Commands.conditional (SpecForest.is_no_center V (K k) x) (SpecForest.evaluate V g (K k) d eta x).

Definition expansion (o : Spec.node) : Commands.command (SpecForest.state V) :=
  Commands.with_the (SpecForest.f_star_is V (K k) d eta o) (fun f =>
    Commands.sequence (SpecForest.set_nu_min V (SpecForest.queue_of (K k) d eta separate o) f)
      (Commands.sequence (SpecForest.note V (Spec.Expand V o f))
        (Commands.sequence (for_each V evaluate_child (Spec.children (K k) o))
          (Commands.conditional (SpecForest.all_have_values V (K k) d eta (Spec.children (K k) o))
            (SpecForest.add_children V (K k) o))))).

Definition class_visit (T_t : Spec.node -> Prop) (l : nat) (r : R) : Commands.command (SpecForest.state V) :=
  Commands.with_the (SpecForest.argmin V less (K k) d eta (SpecForest.class (K k) d eta separate by_norm T_t l r))
    (fun o => Commands.conditional (SpecForest.below_nu_min V less (K k) d eta separate o) (expansion o)).

Definition depth_visit (l : nat) : Commands.command (SpecForest.state V) :=
  Commands.sequence (SpecForest.note V (Spec.Visit V l))
    (Commands.with_the (SpecForest.leaves_in_range V (K k) d (turns cfg)) (fun T_t =>
      Commands.with_the (fun _ => SpecForest.labels_of (K k) d eta separate by_norm T_t l) (fun labels =>
        Commands.sequence (for_each V (class_visit T_t l) labels) (SpecForest.next_t V)))).

Definition one_sweep : Commands.command (SpecForest.state V) :=
  Commands.sequence (SpecForest.reset_nu_min V)
    (Commands.with_the (SpecForest.depth_of_T V) (fun depth =>
      Commands.sequence (SpecForest.note V (Spec.Sweep V (Nat.min depth (h_max cfg))))
        (for_each V depth_visit (seq 0 (S (Nat.min depth (h_max cfg))))))).

End Listing.

Section SpecForestValues.

Context {V : Type} {F : rules V} {g : nat -> Spec.point -> V} {eta : nat -> R} {separate by_norm : bool}.
Context {spec : follows g eta separate by_norm}.

Local Notation point_of t := (point_of k (d t) (eta t)).
Local Notation f_star := (SpecForest.f_star V (K k) d eta).

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

Lemma names_of_forest_children q : q <> [] -> map name (children q) = Spec.children (K k) (name q).
Proof.
  intros Hq. unfold Spec.children, Nodes.children, children_of. rewrite map_map. apply map_ext. intros c.
  now apply name_of_child.
Qed.

Lemma lower_end_of_tree m t j : node k m ->
  Spec.lower_end (K k) (d t) (eta t) (length m) (index k (m ++ [t])) j =
  Spec.lower_end (K k) (d t) (eta t) (length m) (index k m) j.
Proof.
  induction 1 as [|c m Hc Hm IH]; [reflexivity|]. cbn [app length index Spec.lower_end].
  destruct (child_number k (index k (m ++ [t])) c Hc) as [-> ->].
  destruct (child_number k (index k m) c Hc) as [-> ->]. now rewrite IH.
Qed.

Lemma base_point_of_name p : forest_node p -> SpecForest.base_point (K k) d eta (name p) = point_of (tree_of p) (inner p).
Proof.
  intros H. unfold SpecForest.base_point. rewrite tree_of_name by exact H.
  destruct (forest_node_split p H) as (m & t & -> & Hm & _).
  rewrite inner_app, tree_of_app. unfold SpecPoints.point_of, Spec.base_point, forest_name, SpecPoints.name_of. rewrite inner_app.
  cbn [fst snd]. apply map_ext. intros j. now rewrite lower_end_of_tree.
Qed.

Lemma zero_is_the_point_of_a_root t : map (fun _ => 0%R) (seq 0 (d t)) = point_of t [].
Proof.
  unfold SpecPoints.point_of, Spec.base_point. apply map_ext. intros j.
  cbn [SpecPoints.name_of fst snd length Spec.lower_end Spec.width]. unfold Spec.half_width_of_Y. lra.
Qed.

Lemma is_zero_iff p : forest_node p ->
  (SpecForest.is_zero (K k) d eta (name p) = true <-> birth k (inner p) = []).
Proof.
  intros Hp. unfold SpecForest.is_zero. rewrite base_point_of_name, tree_of_name, zero_is_the_point_of_a_root by exact Hp.
  destruct Hp as (_ & _ & Hn).
  rewrite <- (equal_points_iff k _ _ (d_pos (tree_of p)) (eta_pos (tree_of p)) (inner p) []) by (auto; constructor).
  destruct (Spec.same_point _ _); split; auto; discriminate.
Qed.

Lemma birth_is_the_root p : birth k p = [] <-> p = repeat k (length p).
Proof.
  split.
  - intros H. destruct (birth_chain k p) as (n & E). rewrite H, app_nil_r in E. rewrite E at 1.
    f_equal. rewrite E. now rewrite repeat_length.
  - intros ->. rewrite <- (app_nil_r (repeat k (length p))). now rewrite birth_center_chain.
Qed.

Lemma is_zero_norm p : forest_node p -> SpecForest.is_zero (K k) d eta (name p) = (Nrm k (d (tree_of p)) (inner p) =? 0)%Z.
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
  rewrite orb_true_iff, !andb_true_iff, !is_zero_iff, !tree_of_name, Nat.eqb_eq, !base_point_of_name by assumption.
  destruct Hq as (_ & _ & Nq). destruct Hp as (_ & _ & Np). split.
  - intros [[E H]|[E1 E2]]; [|split; [congruence|auto]]. rewrite E in H. split; [|auto].
    apply (equal_points_iff k _ _ (d_pos (tree_of p)) (eta_pos (tree_of p))); auto.
    destruct (Spec.same_point _ _); [assumption|discriminate].
  - intros [E [Et|E0]]; [left|right; split; congruence]. split; [exact Et|]. rewrite Et.
    apply (equal_points_iff k _ _ (d_pos (tree_of p)) (eta_pos (tree_of p))) in E; auto.
    destruct (Spec.same_point _ _); [reflexivity|contradiction].
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
  f_equal. unfold ForestTerms.value. rewrite <- E1, H2.
  destruct (inner p) as [|c m] eqn:Ep.
  - rewrite (H3 eq_refl). reflexivity.
  - destruct E2 as [-> |E2]; [reflexivity|]. rewrite <- E1, H2 in E2. discriminate.
Qed.

Lemma value_is_known q p n w log : well_evaluated log -> forest_node q -> In (p, n, w) (evaluations log) ->
  birth k (inner p) = birth k (inner q) -> tree_of p = tree_of q \/ birth k (inner q) = [] ->
  SpecForest.value_of V (K k) d eta (name q) (events_of log) = Some (value q).
Proof.
  intros Hw Hq Hin E1 E2. destruct (value_of_name q log Hw Hq) as [H|H]; [exact H|exfalso].
  assert (Hno := no_value _ _ H p n w). rewrite <- in_rev, <- evaluation_event in Hno. specialize (Hno Hin).
  destruct (Hw p n w Hin) as (Hp & _). assert (G : SpecForest.gives_its_value_to (K k) d eta (name p) (name q) = true).
  { apply gives_iff; auto. }
  congruence.
Qed.

(** ** What holds in every state of a run *)

Lemma no_tree_enters (s : forest V) a : In a (arrivals s) -> a = Aside.
Proof. rewrite nothing_enters. intros []. Qed.

Lemma leaf_facts s x : reached s -> In x (leaves s) ->
  In (place x) (places s) /\ forest_node (place x) /\ place x <> [] /\ length (inner (place x)) = depth x /\
  norm x = Nrm k (d (tree_of (place x))) (inner (place x)) /\ best x = value (place x).
Proof.
  intros Hr Hx. pose proof (leaf_is_a_forest_node no_tree_enters s x Hr Hx) as Hn.
  destruct (leaf_is_sound s x (reached_invariant s Hr) Hx) as (H1 & H2 & H3 & _).
  split; [now apply in_map|]. split; [exact Hn|]. repeat split; auto; [now rewrite H2 at 2|now rewrite H2 at 1|apply H3, Hn].
Qed.

Lemma leaf_of_place (s : forest V) q : In q (places s) -> exists x, In x (leaves s) /\ place x = q.
Proof. intros H. apply in_map_iff in H. destruct H as (x & <- & H). eauto. Qed.

Lemma forest_node_of_leaf s q : reached s -> In q (places s) -> forest_node q.
Proof. intros Hr Hq. destruct (leaf_of_place s q Hq) as (x & Hx & <-). now apply (leaf_facts s x). Qed.

Lemma expansion_is_well_evaluated x s : forest_node (place x) -> well_evaluated (log s) -> well_evaluated (log (expand x s)).
Proof.
  intros F1 IH p n w H. pose proof (proj1 F1) as F2.
  destruct (expansion_evaluations x s p n w F2 H) as [H0|([H2 H3] & c & Hc & Nc & ->)]; [now apply IH|].
  assert (Hf : forest_node (c :: place x)) by (apply forest_node_child; auto).
  repeat split; try apply Hf; auto.
  - rewrite inner_child by exact F2. cbn [birth]. now rewrite (proj2 (Nat.eqb_neq c k) Nc).
  - rewrite inner_child by exact F2. discriminate.
  - apply H3. apply Hf.
Qed.

Lemma log_is_well_evaluated s : reached s -> well_evaluated (log s).
Proof.
  revert s. along_the_run.
  - intros p n w [[= <- <- <-]|[]]. repeat split; auto; [easy|exact trees_pos|constructor].
  - apply expansion_is_well_evaluated; [now apply (leaf_facts s x)|exact IH].
  - destruct Ha as (s0 & Ha). rewrite nothing_enters in Ha. easy.
Qed.

(** The node through which the value of node [p] was found. *)
Definition witness (p : path) : path :=
  match birth k (inner p) with [] => [0] | q => q ++ [tree_of p] end.

Lemma witness_of_child q c s : q <> [] -> affordable q s = true -> c < K k ->
  In (witness q) (evaluated_nodes s) -> In (witness (c :: q)) (rev (performed q s) ++ evaluated_nodes s).
Proof.
  intros Hq Ha Hc Hw. apply in_or_app. unfold witness. rewrite inner_child, tree_of_child by exact Hq. cbn [birth].
  destruct (Nat.eqb_spec c k) as [->|N]; [right; exact Hw|left].
  apply in_rev. rewrite rev_involutive, (performed_all _ _ Ha). apply in_wanted.
  exists c. repeat split; auto. cbn [app]. f_equal. symmetry. now apply node_is_inner_and_tree.
Qed.

Lemma leaves_have_witnesses s : reached s -> forall p, In p (places s) -> In (witness p) (evaluated_nodes s).
Proof.
  revert s. along_the_run.
  - rewrite root_places. intros p Hp. apply in_map_iff in Hp. destruct Hp as (t & <- & _). now left.
  - intros p H. rewrite evaluated_nodes_expand by exact Hp.
    destruct (in_places_expand x s p Hp Hin H) as [H0|(Ha & c & Hc & ->)]; [apply in_or_app; right; now apply IH|].
    apply witness_of_child; auto. apply IH. now apply in_map.
  - destruct Ha as (s0 & Ha). rewrite nothing_enters in Ha. easy.
Qed.

(** The value of a node is known once its witness was evaluated. *)
Lemma value_is_witnessed q log : well_evaluated log -> forest_node q -> In (witness q) (map (fun e => fst (fst e)) (evaluations log)) ->
  SpecForest.value_of V (K k) d eta (name q) (events_of log) = Some (value q).
Proof.
  intros Hw Hf H. apply in_map_iff in H. destruct H as ([[p m] w] & E & H). cbn [fst] in E. subst p.
  apply (value_is_known q (witness q) m w); auto; unfold witness.
  - destruct (birth k (inner q)) as [|c r] eqn:Eb; [reflexivity|]. rewrite inner_app, <- Eb. apply birth_idempotent.
  - destruct (birth k (inner q)) as [|c r]; [now right|left; apply tree_of_app].
Qed.

Lemma f_star_of_leaf s n q : reached s -> In q (places s) -> f_star (name q) (state_of n s) = Some (value q).
Proof.
  intros Hr Hq. apply value_is_witnessed; [now apply log_is_well_evaluated|now apply (forest_node_of_leaf s)|].
  now apply leaves_have_witnesses.
Qed.

Lemma f_star_of_best s n x : reached s -> In x (leaves s) -> f_star (name (place x)) (state_of n s) = Some (best x).
Proof. intros Hr Hx. destruct (leaf_facts s x Hr Hx) as (F0 & _ & _ & _ & _ & ->). now apply f_star_of_leaf. Qed.

End SpecForestValues.
