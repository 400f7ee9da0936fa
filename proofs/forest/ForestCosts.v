(** * What the sweeps of the default forest cost, sharply: at most K - 1 evaluations for each iteration.

    Each visit expands at most one leaf of the queue of the others, and the visit of depth 0 none: the roots have the base
    point 0.  The queue of the zero vector expands at most one leaf in a sweep, since all its leaves have the value of the
    zero vector.  So a sweep expands at most one leaf for each depth that it visits. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Classes Paths Order Geometry Norms Forest ForestNodes ForestClasses
  ForestSteps ForestLoops ForestSweep ForestEnds ForestRuns ForestTrees ForestTheorem2 ForestDefault ForestOutside.
From EmbeddedHunter Require Search SearchSteps.

Section ForestCosts.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V) (arrivals : forest V -> list (arrival V)).

Local Notation k := (half cfg).
Local Notation queue := (separate_origin (V := V) trees).
Local Notation exhausted := (Forest.exhausted cfg).
Local Notation visit := (Forest.visit less cfg trees oracle later queue one_class).
Local Notation sweep := (Forest.sweep less cfg trees oracle later queue one_class).
Local Notation start := (Forest.start cfg trees oracle).
Local Notation reached := (reached less cfg trees oracle later arrivals queue).
Local Notation reached_invariant := (reached_invariant less cfg trees oracle later arrivals queue).
Local Notation lawful := (forest_is_lawful less cfg trees oracle later arrivals queue one_class).

Hypothesis order : total_order less.
Hypothesis d_positive : forall t, 1 <= dimension_of cfg t.
Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.

(** The leaves of the zero vector's queue have its value, and the leaves of depth 0 are among them. *)
Lemma queue_of_the_zero_vector s x : reached s -> In x (leaves s) ->
  (queue x = 1 -> best x = oracle 0 []) /\ (depth x = 0 -> queue x = 1) /\ (queue x = 0 \/ queue x = 1).
Proof.
  intros Hr Hx. pose proof (leaves_are_of_the_forest less cfg trees oracle later arrivals queue no_tree_enters s x Hr Hx) as Ht.
  destruct (proj2 (nodes_are_sound _ _ _ s (reached_invariant s Hr)) x Hx) as (H1 & H2 & H3 & _).
  destruct (nodes_are_nodes less cfg trees oracle later arrivals queue s Hr) as [Hn _].
  pose proof (Hn (place x) (in_map place _ _ Hx) Ht) as Hnode.
  assert (En : norm x = Nrm k (dimension_of cfg (tree_of (place x))) (inner (place x))) by (rewrite H2 at 1; reflexivity).
  assert (Ez : (norm x =? 0)%Z = is_zero cfg (place x)) by (unfold is_zero; now rewrite En).
  pose proof (the_zero_vector_is_the_center_chain_of_each_root cfg trees d_positive (place x) Hnode) as Hz.
  unfold separate_origin. apply Nat.leb_gt in Ht. rewrite Ht, Ez. split; [|split].
  - destruct (is_zero cfg (place x)) eqn:E; [|discriminate]. intros _. apply Nat.leb_gt in Ht. rewrite (H3 Ht).
    apply proj1 in Hz. specialize (Hz eq_refl). unfold ForestNodes.value. rewrite Hz. clear. generalize (level_of (place x)).
    induction n as [|n IH]; [reflexivity|]. cbn [repeat birth]. now rewrite Nat.eqb_refl.
  - intros Hd. rewrite (sound_depth cfg trees oracle s x) in Hd by (repeat split; auto; apply Nat.leb_gt in Ht; now destruct (proj2 (nodes_are_sound _ _ _ s (reached_invariant s Hr)) x Hx) as (_ & _ & _ & ?)).
    replace (is_zero cfg (place x)) with true; [reflexivity|]. symmetry. apply Hz. unfold level_of.
    apply length_zero_iff_nil in Hd. now rewrite Hd.
  - destruct (is_zero cfg (place x)); auto.
Qed.

(** The evaluations made, and those that the zero vector's queue may still ask for in this sweep. *)
Definition charged (s : forest V) : nat :=
  made s + match nu_min 1 (nu_mins s) with None => 2 * k | Some _ => 0 end.

(** The nu_min of the zero vector's queue, if it is set, is the value of the zero vector. *)
Definition zero_nu (s : forest V) : Prop := forall w, nu_min 1 (nu_mins s) = Some w -> w = oracle 0 [].

Definition others (cs : list ((nat * Z) * list (leaf V))) : nat := length (filter (fun r => fst r =? 0) (map fst cs)).

Lemma class_charged (r : nat * Z) ms s : reached s -> zero_nu s -> ms <> [] ->
  (forall x, In x ms -> In x (leaves s) /\ queue x = fst r) ->
  let s' := Forest.visit_class less cfg trees oracle later queue (fst r) ms s in
  zero_nu s' /\ charged s' <= charged s + (if fst r =? 0 then 2 * k else 0).
Proof.
  intros Hr Hz Hne Hm. destruct ms as [|x rest]; [easy|]. cbn [Forest.visit_class].
  destruct (exhausted s); [split; [exact Hz|lia]|]. set (a := argmin less x rest).
  destruct (Hm a (argmin_in less x rest)) as [Ha Hq].
  destruct (below less (best a) (nu_min (fst r) (nu_mins s))) eqn:B; [|split; [exact Hz|lia]].
  pose proof (leaf_is_a_node cfg trees oracle s a (reached_invariant s Hr) Ha) as Hp.
  destruct (queue_of_the_zero_vector s a Hr Ha) as (Hv & _ & H01).
  unfold zero_nu, charged. rewrite expand_nu, expand_made, length_performed by exact Hp. cbn [nu_min].
  rewrite <- Hq in *. destruct H01 as [E|E]; rewrite E in *; cbn [Nat.eqb].
  - split; [exact Hz|]. lia.
  - split; [intros w [= <-]; now apply Hv|]. unfold zero_nu in Hz.
    destruct (nu_min 1 (nu_mins s)) as [w|] eqn:En; [exfalso|lia]. cbn [below] in B.
    rewrite (Hv eq_refl), (Hz w eq_refl) in B. pose proof (less_at_most less order _ _ B) as H. unfold at_most in H. congruence.
Qed.

Lemma visit_charged l s : exhausted s = false -> reached s -> zero_nu s -> l <= h_max cfg ->
  zero_nu (visit l s) /\ charged (visit l s) <= charged s + (if l =? 0 then 0 else 2 * k).
Proof.
  intros Hx Hr Hz Hl.
  set (frozen := Forest.classes cfg queue one_class (sweeps s) l (leaves s)).
  assert (Hk : forall r ms, In (r, ms) frozen -> ms <> [] /\ forall x, In x ms -> In x (leaves s) /\ depth x = l /\ key queue one_class x = r).
  { intros r ms Hin. destruct (classes_hold_only_their_leaves cfg queue one_class (sweeps s) l (leaves s) r ms Hin) as [Hne H].
    split; [exact Hne|]. intros x Hxm. destruct (H x Hxm) as (H1 & H2 & _ & H3). auto. }
  assert (Ho : others frozen <= if l =? 0 then 0 else 1).
  { assert (Hall : forall q, In q (filter (fun r => fst r =? 0) (map fst frozen)) -> l <> 0 /\ q = (0, 0%Z)).
    { intros q Hq. apply filter_In in Hq. destruct Hq as [Hq E]. apply Nat.eqb_eq in E. apply in_map_iff in Hq.
      destruct Hq as ([r ms] & <- & Hin). cbn [fst] in *. destruct (Hk r ms Hin) as [Hne H].
      destruct ms as [|x ms]; [easy|]. destruct (H x (or_introl eq_refl)) as (H1 & H2 & <-). cbn [key fst] in *.
      destruct (queue_of_the_zero_vector s x Hr H1) as (_ & H0 & _). split; [intros ->; rewrite (H0 H2) in E; discriminate|].
      unfold key. now rewrite E. }
    unfold others. destruct (Nat.eqb_spec l 0) as [E0|N0].
    - destruct (filter _ _) as [|q qs]; [auto|]. now destruct (Hall q (or_introl eq_refl)).
    - change 1 with (length [(0, 0%Z)]). apply NoDup_incl_length; [apply NoDup_filter, classes_have_different_keys|].
      intros q Hq. destruct (Hall q Hq) as [_ ->]. now left. }
  set (P := fun (cs : list ((nat * Z) * list (leaf V))) (s' : forest V) =>
    reached s' /\ zero_nu s' /\ charged s' + 2 * k * others cs <= charged s + 2 * k * others frozen).
  assert (HP : P [] (visit l s)).
  { apply (SearchSteps.visit_classes_induction lawful P l).
    - intros r ms cs s1 Hi1 Hf (H1 & H2 & H3). destruct (SearchSteps.next_class _ _ _ _ _ Hf) as [Hne Hm].
      destruct (class_charged r ms s1 H1 H2 Hne Hm) as [H4 H5].
      change (P cs (Forest.visit_class less cfg trees oracle later queue (fst r) ms s1)). split; [|split; [exact H4|]].
      + apply (reached_steps less cfg trees oracle later arrivals queue s1); [exact H1|].
        apply (steps_of_rank less cfg trees oracle later arrivals queue one_class).
        apply (SearchSteps.moves_steps (A := forest_search less cfg trees oracle later arrivals queue one_class) l); [exact Hl|].
        exact (SearchSteps.visit_class_moves lawful l r ms cs s1 Hi1 Hf).
      + unfold others in *. cbn [map filter fst] in H3. destruct (fst r =? 0); cbn [length] in H3; nia.
    - exact (Search.holds_visit _ lawful l s Hx (reached_invariant s Hr)).
    - exact (SearchSteps.frozen_ok_classes lawful l s).
    - split; [|split; [exact Hz|exact (Nat.le_refl _)]].
      eapply reached_steps; [exact Hr|]. apply steps_one. now apply step_visit. }
  destruct HP as (_ & H1 & H2). split; [exact H1|]. unfold others in H2 at 1. cbn [map filter length] in H2.
  destruct (l =? 0); nia.
Qed.

(** Claim [forest-theorem-2].  A sweep of the default forest, of either kind, makes at most K - 1 evaluations for each of its iterations. *)
Theorem a_sweep_of_the_default_forest_makes_at_most_K_minus_1_evaluations_per_iteration s :
  exhausted s = false -> reached s ->
  made (sweep s) + 2 * k * iterations s <= made s + 2 * k * iterations (sweep s).
Proof.
  intros Hx Hr. pose proof (limit_h_max cfg s) as Hl.
  assert (Hb : reached (Forest.begin_sweep cfg s)) by (eapply reached_steps; [exact Hr|]; apply steps_one; now apply step_sweep).
  set (P := fun l s1 => reached s1 /\ zero_nu s1 /\ match l with
    | 0 => s1 = Forest.begin_sweep cfg s
    | S _ => charged s1 + 2 * k * iterations s <= made s + 2 * k * iterations s1
    end).
  assert (H : P (S (Forest.limit cfg s)) (sweep s)).
  { apply (sweep_induction less cfg trees oracle later arrivals queue one_class P s Hx (reached_invariant s Hr)).
    - intros l s1 Hl1 Hx1 Hi1 (H1 & H2 & H3). destruct (visit_charged l s1 Hx1 H1 H2 ltac:(lia)) as [H4 H5].
      assert (E : iterations (visit l s1) = S (iterations s1)) by exact (SearchSweep.visit_iterations lawful l s1 Hx1 Hi1).
      split; [|split; [exact H4|]].
      + eapply reached_steps; [exact H1|]. apply visit_steps; auto. lia.
      + rewrite E, Nat.mul_succ_r. destruct l as [|l]; cbn [Nat.eqb] in H5; [|lia]. subst s1.
        change (charged (Forest.begin_sweep cfg s)) with (made s + 2 * k) in H5.
        change (iterations (Forest.begin_sweep cfg s)) with (iterations s). lia.
    - intros l s1 Hx1 (H1 & H2 & H3). split; [exact H1|]. split; [exact H2|]. destruct l as [|l]; [|exact H3].
      exfalso. rewrite H3 in Hx1. unfold Forest.exhausted in *. cbn in Hx1. congruence.
    - split; [exact Hb|]. split; [|reflexivity]. intros w [=]. }
  destruct H as (_ & _ & H). unfold charged in H. lia.
Qed.

End ForestCosts.

(** Claims [dimension-guarantee] [forest-theorem-2].  n sweeps of the default forest, of either kind, make at most
    E(n) = 1 + (K - 1) (min(1, h_max + 1) + ... + min(n, h_max + 1)) evaluations; nothing is evaluated outside the forest. *)
Theorem n_sweeps_of_the_default_forest_make_at_most_E_evaluations {V : Type} (less : V -> V -> bool) cfg trees oracle later n :
  total_order less -> (forall t, 1 <= dimension_of cfg t) ->
  made (Forest.run_for less cfg trees oracle later nothing (separate_origin trees) one_class n (Forest.start cfg trees oracle))
    <= 1 + 2 * half cfg * triangle (S (h_max cfg)) n.
Proof.
  intros order d_positive. set (start := Forest.start cfg trees oracle).
  set (run := fun n => Forest.run_for less cfg trees oracle later nothing (separate_origin trees) one_class n start).
  pose proof (n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations less cfg trees oracle later nothing (separate_origin trees)
    one_class n) as Ht.
  enough (H : made (run n) <= 1 + 2 * half cfg * iterations (run n)) by (fold start in Ht; fold (run n) in Ht |- *; nia).
  clear Ht. induction n as [|n IH]; [cbn; lia|].
  destruct (run_for_next less cfg trees oracle later nothing (separate_origin trees) one_class n start
    (start_invariant cfg trees oracle)) as [[_ E]|[Hx [E|[E _]]]]; fold (run n) in E; fold (run (S n)) in E; rewrite E; auto.
  unfold Forest.round, nothing. cbn [Forest.enter]. fold (run n) in Hx. rewrite Hx.
  pose proof (a_sweep_of_the_default_forest_makes_at_most_K_minus_1_evaluations_per_iteration less cfg trees oracle later nothing order
    d_positive ltac:(intros s a []) (run n) Hx (run_for_reached less cfg trees oracle later nothing (separate_origin trees) one_class n)).
  fold (@nothing V) in *. nia.
Qed.
