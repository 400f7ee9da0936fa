(** * The forest is a search: its runs are sequences of steps; what holds of its trees in every state.

    The lemmas about the loops are those of SearchSteps.v. *)

From EmbeddedHunter Require Import ForestContext ForestNodes.
From EmbeddedHunter Require Search SearchClasses SearchSteps SearchTree.

(** ** Classes: by queue, and in each queue by rank *)

Lemma same_key_iff a b : same_key a b = true <-> a = b.
Proof.
  destruct a as [u r], b as [u' r']. unfold same_key. cbn [fst snd].
  rewrite andb_true_iff, Nat.eqb_eq, Z.eqb_eq. split; [intros [-> ->]; reflexivity|intros [= -> ->]; auto].
Qed.

Lemma earlier_iff a b : earlier a b = true <-> fst a < fst b \/ fst a = fst b /\ (snd b < snd a)%Z.
Proof.
  unfold earlier. rewrite orb_true_iff, andb_true_iff, Nat.ltb_lt, Nat.eqb_eq, Z.ltb_lt. reflexivity.
Qed.

Lemma keys_ordered : SearchClasses.class_order same_key earlier.
Proof.
  split.
  - apply same_key_iff.
  - intros a. apply not_true_is_false. rewrite earlier_iff. lia.
  - intros a b c. rewrite !earlier_iff. lia.
  - intros [u r] [u' r'] H1 H2. apply not_true_iff_false in H1, H2. rewrite same_key_iff in H1.
    rewrite earlier_iff in *. cbn [fst snd] in *. destruct (Nat.eq_dec u u') as [->|N]; [|lia].
    destruct (Z.eq_dec r r') as [->|N]; [easy|lia].
Qed.

Section ForestSteps.

Context {V : Type} {F : rules V}.

Lemma classes_sorted n l xs : StronglySorted (SearchClasses.before earlier) (classes n l xs).
Proof. exact (SearchClasses.classes_sorted depth key _ _ (in_range n) keys_ordered l xs). Qed.

Lemma classes_have_different_keys n l xs : NoDup (map fst (classes n l xs)).
Proof.
  induction (classes_sorted n l xs) as [|[r ms] cs Hs IH Hf]; cbn [map]; constructor; [|exact IH].
  intros Hin. apply in_map_iff in Hin. destruct Hin as ([r' ms'] & E & Hin). cbn in E. subst r'.
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). apply earlier_iff in Hf. cbn in Hf. lia.
Qed.

Lemma classes_hold_only_their_leaves n l xs r members :
  In (r, members) (classes n l xs) ->
  members <> [] /\ (forall x, In x members -> In x xs /\ depth x = l /\ in_range n x = true /\ key x = r).
Proof. exact (SearchClasses.classes_hold_only_their_leaves depth key _ _ (in_range n) keys_ordered l xs r members). Qed.

(** ** Leaves are nodes *)

Lemma sound_depth s x : sound s x -> depth x = level_of (place x).
Proof. intros (_ & E & _). now rewrite E. Qed.

Lemma sound_roots s s' x : roots s <= roots s' -> sound s x -> sound s' x.
Proof. intros H (H1 & H2 & H3 & H4). repeat split; auto. lia. Qed.

Lemma in_leaves_expand x s y :
  place x <> [] -> In y (leaves (expand x s)) ->
  In y (leaves s) \/ (exists c, c < K k /\ place y = c :: place x) /\ well_made x y.
Proof.
  intros Hx Hy. pose proof (expand_leaves x s Hx) as H.
  destruct (affordable (place x) s); [|rewrite H in Hy; auto].
  destruct H as (ch & H1 & H2 & E). rewrite E in Hy. apply in_replace_leaf in Hy.
  destruct Hy as [Hy|Hy]; [right|auto]. split; [|rewrite Forall_forall in H2; auto].
  apply (in_map place) in Hy. rewrite H1 in Hy. now apply in_children in Hy.
Qed.

(** ** The tree *)

Lemma parents_are_expanded s : invariant s -> forall c q, q <> [] ->
  In (c :: q) (places s) \/ In (c :: q) (expanded (log s)) -> In q (expanded (log s)).
Proof.
  intros Hi c q Hq. apply (SearchTree.parents_are_expanded _ _ _ _ (is_a_tree _ _ _ s Hi)). split; [exact Hq|now exists c].
Qed.

Lemma leaves_occur_once s : invariant s -> NoDup (places s).
Proof. intros Hi. apply (SearchTree.leaves_occur_once _ _ _ _ (is_a_tree _ _ _ s Hi)). Qed.

Lemma expansions_occur_once s : invariant s -> NoDup (expanded (log s)).
Proof. intros Hi. apply (SearchTree.expansions_occur_once _ _ _ _ (is_a_tree _ _ _ s Hi)). Qed.

Lemma leaf_or_expanded s : invariant s -> exhausted s = false -> forall q, In q (expanded (log s)) -> ~ In q (places s).
Proof. intros Hi Hx. exact (SearchTree.leaves_are_not_expanded _ _ _ _ (is_a_tree _ _ _ s Hi) (f_equal negb Hx)). Qed.

Lemma one_leaf_each s x y :
  invariant s -> In x (leaves s) -> In y (leaves s) -> place x = place y -> x = y.
Proof. intros Hi. exact (nodup_map_injective _ _ _ _ (leaves_occur_once s Hi)). Qed.

Lemma leaf_is_sound s x : invariant s -> In x (leaves s) -> sound s x.
Proof. intros [[_ H] _ _]. apply H. Qed.

Lemma leaf_is_a_node s x : invariant s -> In x (leaves s) -> place x <> [].
Proof. intros Hi Hx. apply (leaf_is_sound s x Hi Hx). Qed.

Lemma root_places : places start = map (fun t => [t]) (seq 0 trees).
Proof. unfold places. cbn. now rewrite map_map. Qed.

Lemma start_invariant : invariant start.
Proof.
  split; [split; [apply Nat.le_refl|]|intros q []|].
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht%in_seq). repeat split; [easy|]. cbn. lia.
  - split; rewrite ?root_places; [| |constructor|intros _ q []].
    + intros p q [Hq (c & ->)] [H|[]]. apply in_map_iff in H. destruct H as (t & [= _ <-] & _). easy.
    + apply FinFun.Injective_map_NoDup; [intros a b [= ->]; reflexivity|apply seq_NoDup].
Qed.

Lemma places_expand x s :
  place x <> [] -> In x (leaves s) ->
  (affordable (place x) s = false /\ places (expand x s) = places s) \/
  (affordable (place x) s = true /\ exists l1 l2, places s = l1 ++ place x :: l2 /\
     places (expand x s) = l1 ++ children (place x) ++ l2).
Proof.
  intros Hp Hx. pose proof (expand_leaves x s Hp) as H. unfold places.
  destruct (affordable (place x) s); [right|left; now rewrite H].
  split; [reflexivity|]. destruct H as (ch & H1 & _ & E).
  destruct (replace_leaf_split (place x) ch (leaves s)) as (l1 & y & l2 & E1 & E2 & E3); [now apply in_map|].
  exists (map place l1), (map place l2). rewrite E, E3, E1, !map_app, H1. cbn [map]. now rewrite E2.
Qed.

Lemma expanded_expand x s : place x <> [] -> expanded (log (expand x s)) = place x :: expanded (log s).
Proof. intros Hp. destruct (expand_log x s Hp) as (new & -> & H & _). now rewrite expanded_app, H. Qed.

Lemma cut_expansion_exhausts x s :
  place x <> [] -> exhausted s = false -> affordable (place x) s = false -> exhausted (expand x s) = true.
Proof. intros Hp Hx Ha. apply exhausted_left. rewrite expand_made, performed_cut by assumption. lia. Qed.

Lemma not_exhausted_affordable x s :
  place x <> [] -> exhausted s = false -> exhausted (expand x s) = false -> affordable (place x) s = true.
Proof.
  intros Hp Hx Hx'. destruct (affordable (place x) s) eqn:E; [reflexivity|].
  rewrite cut_expansion_exhausts in Hx' by assumption. discriminate.
Qed.

Lemma in_places_expand x s q :
  place x <> [] -> In x (leaves s) -> In q (places (expand x s)) ->
  In q (places s) \/ affordable (place x) s = true /\ exists c, c < K k /\ q = c :: place x.
Proof.
  intros Hn Hx Hq. destruct (places_expand x s Hn Hx) as [[_ E]|(Ha & l1 & l2 & E & E')].
  - rewrite E in Hq. auto.
  - rewrite E', !in_app_iff, in_children in Hq. rewrite E, in_app_iff. cbn. intuition.
Qed.

Lemma expand_invariant x s : exhausted s = false -> In x (leaves s) -> invariant s -> invariant (expand x s).
Proof.
  intros Hx Hin [[Hr Hl] He Ht]. destruct (Hl x Hin) as (Hp & H2 & H3 & H4). split; [split|..].
  - now rewrite expand_roots.
  - intros y Hy. destruct (in_leaves_expand x s y Hp Hy) as [Hold|((c & _ & Ep) & Ew & Ev)].
    + apply (sound_roots s); [rewrite expand_roots by exact Hp; lia|auto].
    + unfold ForestTerms.sound. rewrite expand_roots by exact Hp. rewrite Ep at 1 3 5. rewrite tree_of_child by exact Hp.
      repeat split; auto; easy.
  - intros q. rewrite expanded_expand, expand_roots by exact Hp. intros [<-|Hq]; auto.
  - rewrite expanded_expand, Hx in * by exact Hp. destruct (places_expand x s Hp Hin) as [[Ha ->]|(_ & l1 & l2 & E & ->)].
    + rewrite (cut_expansion_exhausts x s Hp Hx Ha). apply SearchTree.tree_cut; [now apply in_map|exact Ht].
    + rewrite E in Ht. apply SearchTree.tree_expand; auto.
      * intros p q q' [_ (c & ->)] [_ (c' & E')]. congruence.
      * intros p [_ (c & E')]. apply (f_equal (@length nat)) in E'. cbn in E'. lia.
      * apply nodup_children.
      * intros p Hc. apply in_children in Hc. destruct Hc as (c & _ & ->). split; [exact Hp|now exists c].
Qed.

(** A new root is new. *)
Lemma plant_invariant v s : exhausted s = false -> invariant s -> invariant (plant v s).
Proof.
  intros Hx [[Hr Hl] He [Hp H1 H2 H3]]. rewrite Hx in H3. specialize (H3 eq_refl).
  assert (Hnew : forall q, In q (places s) \/ In q (expanded (log s)) -> q <> [roots s]).
  { intros q [H|H] ->; [apply in_map_iff in H; destruct H as (x & E & H); destruct (Hl x H) as (_ & _ & _ & H4);
      rewrite E in H4|destruct (He _ H) as [_ H4]]; cbn in H4; lia. }
  assert (Epl : places (plant v s) = places s ++ [[roots s]]) by (unfold places; cbn [Forest.plant leaves]; now rewrite map_app).
  split; [split; [cbn; lia|]| |split; try exact H2; rewrite Epl].
  - intros x Hin. apply in_app_or in Hin. destruct Hin as [Hin|[<-|[]]].
    + apply (sound_roots s); [cbn; lia|auto].
    + repeat split; [easy| |cbn; lia]. intros Ht. exfalso. cbn in Ht. lia.
  - intros q Hq. destruct (He q Hq). split; [assumption|cbn; lia].
  - intros p q Hc H. apply (Hp p q Hc). rewrite in_app_iff in H. cbn in H.
    destruct H as [[H|[<-|[]]]|H]; auto. destruct Hc as [Hq (c & [= _ <-])]. easy.
  - apply nodup_app; [exact H1|repeat constructor; easy|]. intros q Hq [<-|[]]. apply (Hnew [roots s]); auto.
  - intros _ q Hq Hin. rewrite in_app_iff in Hin. destruct Hin as [Hin|[<-|[]]]; [exact (H3 q Hq Hin)|].
    apply (Hnew [roots s]); auto.
Qed.

(** Evaluating something, and taking a tree's number, changes nothing in the tree. *)
Lemma same_tree_invariant s s' :
  leaves s' = leaves s -> roots s <= roots s' -> expanded (log s') = expanded (log s) ->
  exhausted s = false -> invariant s -> invariant s'.
Proof.
  intros El Er Ee Hx [[Hr Hl] He [Hp H1 H2 H3]]. rewrite Hx in H3.
  assert (Epl : places s' = places s) by (unfold places; now rewrite El).
  split; [split; [lia|]| |split]; rewrite ?Epl, ?Ee, ?El; auto.
  - intros x Hin. apply (sound_roots s); auto.
  - intros q Hq. destruct (He q Hq). split; [assumption|lia].
Qed.

Lemma enter_one_invariant a s : exhausted s = false -> invariant s -> invariant (enter_one a s).
Proof.
  intros Hx Hi. destruct a as [v| |]; cbn [Forest.enter_one].
  - now apply plant_invariant.
  - apply (same_tree_invariant (plant (fst (evaluate [roots s] s)) s)); try reflexivity; [exact Hx|now apply plant_invariant].
  - eapply (same_tree_invariant s); auto. cbn. lia.
Qed.

(** ** Between two sweeps *)

(** What holds before, and what each arrival preserves, holds after. *)
Lemma enter_induction (P : forest V -> Prop) news s :
  P s -> (forall a s1, In a news -> exhausted s1 = false -> P s1 -> P (enter_one a s1)) -> P (enter news s).
Proof.
  revert s; induction news as [|a news IH]; intros s H0 Hs; cbn [Forest.enter]; [exact H0|].
  destruct (exhausted s) eqn:Hx; [exact H0|]. apply IH; [apply Hs; auto; now left|]. intros b s1 Hb. apply Hs. now right.
Qed.

Lemma enter_expanded news s : expanded (log (enter news s)) = expanded (log s).
Proof. apply enter_induction; [reflexivity|]. intros a s1 _ _ <-. now destruct a. Qed.

Lemma enter_made news s : made s <= made (enter news s).
Proof. apply enter_induction; [reflexivity|]. intros a s1 _ _ H. destruct a; cbn; lia. Qed.

Lemma enter_sweeps news s : sweeps (enter news s) = sweeps s.
Proof. apply enter_induction; [reflexivity|]. intros a s1 _ _ <-. now destruct a. Qed.

(** ** The forest is lawful *)

Lemma lawful : Search.lawful search invariant.
Proof.
  pose proof leaf_is_a_node as Hnode.
  split; cbn; try reflexivity; try easy; auto.
  - exact keys_ordered.
  - apply argmin_in.
  - intros s. unfold Forest.limit. lia.
  - intros s x Hx. pose proof (depth_le_deepest _ _ Hx). unfold Forest.limit. lia.
  - intros s b Hb. pose proof (deepest_at_most (leaves s) b Hb). unfold Forest.limit. lia.
  - apply expanded_app.
  - intros s. eexists. split; reflexivity.
  - intros l s. eexists. split; reflexivity.
  - intros x s Hi Hin. apply expand_iterations. eauto.
  - intros u x s Hi Hin. rewrite expand_nu by eauto. cbn [nu_min].
    destruct (Nat.eqb_spec u (queue x)) as [->|N]; [left|right]; auto.
  - intros x s Hi Hin. destruct (expand_log x s) as (new & E & H & _); eauto.
  - intros x s Hi Hin. now rewrite expand_sweeps by eauto.
  - intros x s Hi Hx Hin. pose proof (expand_leaves x s (Hnode s x Hi Hin)) as H.
    destruct (affordable (place x) s) eqn:Ea; [right|left].
    + destruct H as (ch & H1 & H2 & ->).
      destruct (replace_leaf_split (place x) ch (leaves s)) as (l1 & y & l2 & E1 & E2 & E3); [now apply in_map|].
      assert (y = x) as -> by (apply (one_leaf_each s); auto; rewrite E1; apply in_or_app; right; now left).
      exists l1, ch, l2. repeat split; auto. intros y Hy. rewrite Forall_forall in H2. destruct (H2 y Hy) as [-> _].
      rewrite (sound_depth s x) by now apply leaf_is_sound. cbn [Forest.new_leaf depth].
      apply (in_map place) in Hy. rewrite H1 in Hy. apply in_children in Hy. destruct Hy as (c & _ & ->).
      now rewrite inner_child by eauto.
    + split; [exact H|]. apply cut_expansion_exhausts; eauto.
  - intros s. unfold Forest.idle. now destruct (nu_mins s).
  - intros s. apply enter_induction; [apply Search.steps_none|]. intros a s1 Ha Hx Hs.
    apply (Search.steps_more (A := search) _ s1); [exact Hs|]. apply (Search.step_enter (A := search)); [exact Hx|].
    exists a, s. auto.
  - intros s x. apply (enter_induction (fun s1 => In x (leaves s1) -> In x (leaves s) \/ depth x = 0)); [auto|]. intros a s1 _ _ H Hx.
    destruct a; cbn in Hx; auto; apply in_app_or in Hx; destruct Hx as [Hx|[<-|[]]]; auto.
  - intros s. apply enter_induction; [reflexivity|]. intros a s1 _ _ <-. now destruct a.
  - intros s s' (a & s0 & _ & ->). now destruct a.
  - intros s Hx Hi. now apply (same_tree_invariant s).
  - intros l s Hx Hi. now apply (same_tree_invariant s).
  - intros x s Hx Hin Hi. now apply expand_invariant.
  - intros s s' Hx (a & s0 & _ & ->). now apply enter_one_invariant.
Qed.

(** ** The steps *)

Lemma steps_none s : steps s s.
Proof. apply Search.steps_none. Qed.

Lemma steps_trans s s1 s2 : steps s s1 -> steps s1 s2 -> steps s s2.
Proof. apply SearchSteps.steps_trans. Qed.

Lemma step_sweep s : exhausted s = false -> steps s (begin_sweep s).
Proof. intros. now apply SearchSteps.steps_one, (Search.step_sweep (A := search)). Qed.

Lemma step_visit l s : exhausted s = false -> l <= h_max cfg -> steps s (begin_visit l s).
Proof. intros. now apply SearchSteps.steps_one, (Search.step_visit (A := search)). Qed.

Lemma step_expand x s : exhausted s = false -> In x (leaves s) -> depth x <= h_max cfg -> steps s (expand x s).
Proof. intros. now apply SearchSteps.steps_one, (Search.step_expand (A := search)). Qed.

Lemma step_enter a s0 s : exhausted s = false -> In a (arrivals s0) -> steps s (enter_one a s).
Proof. intros. apply SearchSteps.steps_one, (Search.step_enter (A := search)); [assumption|]. exists a, s0. auto. Qed.

Lemma reached_steps s s' : reached s -> steps s s' -> reached s'.
Proof. apply steps_trans. Qed.

Lemma reached_invariant s : reached s -> invariant s.
Proof. intros H. exact (SearchSteps.steps_hold lawful _ _ H start_invariant). Qed.

(** What the steps preserve holds in every later state of a run. *)
Lemma steps_induction (P : forest V -> Prop) s0 :
  reached s0 -> P s0 ->
  (forall s, reached s -> exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, reached s -> exhausted s = false -> P s -> P (begin_visit l s)) ->
  (forall x s, reached s -> exhausted s = false -> In x (leaves s) -> place x <> [] -> depth x <= h_max cfg -> P s -> P (expand x s)) ->
  (forall a s, reached s -> exhausted s = false -> (exists s0, In a (arrivals s0)) -> P s -> P (enter_one a s)) ->
  forall s, steps s0 s -> P s.
Proof.
  intros Hr H0 H1 H2 H3 H4. apply (SearchSteps.steps_induction lawful); [now apply reached_invariant|exact H0|].
  intros s s' Hs Hi HP Hst. pose proof (reached_steps _ _ Hr Hs). destruct Hst as [s Hx|l s Hx _|x s Hx Hin Hd _|s s' Hx (a & s1 & Ha & ->)];
    [now apply H1|now apply H2| |apply H4; eauto].
  apply H3; auto. now apply (leaf_is_a_node s).
Qed.

Lemma reached_induction (P : forest V -> Prop) :
  P start ->
  (forall s, reached s -> exhausted s = false -> P s -> P (begin_sweep s)) ->
  (forall l s, reached s -> exhausted s = false -> P s -> P (begin_visit l s)) ->
  (forall x s, reached s -> exhausted s = false -> In x (leaves s) -> place x <> [] -> depth x <= h_max cfg -> P s -> P (expand x s)) ->
  (forall a s, reached s -> exhausted s = false -> (exists s0, In a (arrivals s0)) -> P s -> P (enter_one a s)) ->
  forall s, reached s -> P s.
Proof. apply steps_induction, steps_none. Qed.

(** ** The loops *)

Lemma limit_h_max (s : forest V) : limit s <= h_max cfg.
Proof. unfold Forest.limit. lia. Qed.

Lemma visit_steps l s : l <= h_max cfg -> exhausted s = false -> reached s -> steps s (visit l s).
Proof.
  intros Hl Hx Hr. apply (SearchSteps.moves_steps (A := search) l); [exact Hl|].
  exact (SearchSteps.visit_moves lawful l s Hx (reached_invariant s Hr)).
Qed.

(** Induction over the classes of a visit. *)
Lemma visit_induction (P : list ((nat * Z) * list (leaf V)) -> forest V -> Prop) l s :
  l <= h_max cfg -> exhausted s = false -> reached s ->
  (forall r ms cs s1, reached s1 -> ms <> [] -> (forall x, In x ms -> In x (leaves s1) /\ queue x = fst r) ->
     P ((r, ms) :: cs) s1 -> P cs (visit_class (fst r) ms s1)) ->
  P (classes (sweeps s) l (leaves s)) (begin_visit l s) -> P [] (visit l s).
Proof.
  intros Hl Hx Hr Hs H0. pose proof (reached_steps _ _ Hr (step_visit l s Hx Hl)) as Hr0.
  enough (H : reached (visit l s) /\ P [] (visit l s)) by apply H.
  apply (SearchSteps.visit_classes_induction lawful (fun cs s1 => reached s1 /\ P cs s1) l); [|now apply reached_invariant| |auto].
  - intros r ms cs s1 Hi Hf [Hr1 HP]. destruct (SearchSteps.next_class _ _ _ _ _ Hf) as [Hne Hm]. split; [|now apply Hs].
    apply (reached_steps s1); [exact Hr1|]. apply (SearchSteps.moves_steps (A := search) l); [exact Hl|].
    exact (SearchSteps.visit_class_moves lawful l r ms cs s1 Hi Hf).
  - exact (SearchSteps.frozen_ok_classes lawful l s).
Qed.

(** Induction over the visits of a sweep: [P l] holds before the visit of depth [l]; when the budget
    is used up the remaining visits do not take place. *)
Lemma sweep_induction (P : nat -> forest V -> Prop) s :
  exhausted s = false -> reached s ->
  (forall l s1, l <= limit s -> exhausted s1 = false -> reached s1 -> P l s1 -> P (S l) (visit l s1)) ->
  (forall l s1, exhausted s1 = true -> P l s1 -> P (S l) s1) ->
  P 0 (begin_sweep s) -> P (S (limit s)) (sweep s).
Proof.
  intros Hx Hr H1 H2 H3. pose proof (limit_h_max s).
  enough (H4 : reached (sweep s) /\ P (S (limit s)) (sweep s)) by apply H4.
  apply (SearchSteps.sweep_induction lawful (fun l s1 => reached s1 /\ P l s1) s (reached_invariant s Hr)).
  - intros l s1 Hl Hx1 _ [Hr1 HP]. split; [|now apply H1]. apply (reached_steps s1); [exact Hr1|]. apply visit_steps; auto.
    cbn in Hl. lia.
  - intros l s1 Hx1 [Hr1 HP]. split; [exact Hr1|now apply H2].
  - split; [|exact H3]. apply (reached_steps s); [exact Hr|now apply step_sweep].
Qed.

(** What the steps of a sweep preserve holds after it. *)
Lemma in_a_sweep (P : forest V -> Prop) s :
  exhausted s = false -> invariant s -> P (begin_sweep s) ->
  (forall l s1, exhausted s1 = false -> l <= h_max cfg -> P s1 -> P (begin_visit l s1)) ->
  (forall x s1, exhausted s1 = false -> In x (leaves s1) -> depth x <= h_max cfg -> place x <> [] -> P s1 -> P (expand x s1)) ->
  P (sweep s).
Proof.
  intros Hx Hi H0 H1 H2. pose proof (limit_h_max s).
  refine (SearchSteps.moves_induction lawful (limit s) (begin_sweep s) P (Search.holds_sweep _ lawful s Hx Hi) H0 _ _ _
    (SearchSteps.sweep_moves lawful s Hi)).
  - intros l s1 Hx1 Hl _. apply H1; [exact Hx1|lia].
  - intros x s1 Hx1 Hin Hd _ _ Hi1. cbn in Hd. apply H2; auto; [lia|]. now apply (leaf_is_a_node s1).
Qed.

Lemma sweep_steps s : exhausted s = false -> reached s -> steps s (sweep s).
Proof. intros Hx Hr. exact (SearchSteps.sweep_steps lawful s Hx (reached_invariant s Hr)). Qed.

Lemma enter_steps s : steps s (enter (arrivals s) s).
Proof. exact (Search.enter_steps _ lawful s). Qed.

Lemma run_for_is n s : run_for n s = @Search.run_for search n s.
Proof.
  revert s; induction n as [|n IH]; intros s; [reflexivity|]. cbn [Forest.run_for Search.run_for].
  change (@Search.exhausted search s) with (exhausted s). destruct (exhausted s); [reflexivity|].
  change (@Search.round search s) with (round s). change (@Search.idle search (round s)) with (idle (round s)).
  destruct (idle (round s)); [reflexivity|apply IH].
Qed.

Lemma run_for_reached n : reached (run_for n start).
Proof. rewrite run_for_is. exact (SearchSteps.run_for_steps lawful n start start_invariant). Qed.

End ForestSteps.

(** Induction over the steps of a run; those that begin a sweep or a visit change nothing that is said. *)
Ltac along_the_run :=
  match goal with |- forall s, _ -> @?P s => refine (reached_induction P _ _ _ _ _) end; cbv beta;
  [|intros s ? ? IH; exact IH|intros l s ? ? IH; exact IH|intros x s Hr Hx Hin Hp Hd IH; pose proof (reached_invariant s Hr) as Hi
   |intros a s Hr Hx Ha IH; pose proof (reached_invariant s Hr) as Hi].
