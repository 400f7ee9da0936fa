(** * What the sweeps of the default forest cost, sharply: at most K - 1 evaluations for each iteration.

    Each visit expands at most one leaf of the queue of the others, and the visit of depth 0 none: the roots have the base
    point 0.  The queue of the zero vector expands at most one leaf in a sweep, since all its leaves have the value of the
    zero vector.  So a sweep expands at most one leaf for each depth that it visits. *)

From EmbeddedHunter Require Import ForestContext ForestNodes ForestSteps ForestSweep ForestEnds ForestRuns ForestTrees ForestDefault
  ForestOutside.
From EmbeddedHunter Require SearchSweep.

Section ForestCosts.

Context {V : Type} {F : rules V}.

Hypothesis order : total_order less.
Hypothesis d_positive : forall t, 1 <= dimension_of cfg t.
Hypothesis no_tree_enters : forall s a, In a (arrivals s) -> a = Aside.
Hypothesis zero_vector_apart : forall x, queue x = separate_origin trees x.
Hypothesis one_rank : forall x, rank x = one_class x.

(** The leaves of the zero vector's queue have its value, and the leaves of depth 0 are among them. *)
Lemma queue_of_the_zero_vector s x : reached s -> In x (leaves s) ->
  (queue x = 1 -> best x = oracle 0 []) /\ (depth x = 0 -> queue x = 1) /\ (queue x = 0 \/ queue x = 1).
Proof.
  intros Hr Hx. pose proof (leaf_is_a_forest_node no_tree_enters s x Hr Hx) as Hn.
  destruct (leaf_is_sound s x (reached_invariant s Hr) Hx) as (_ & E & Hv & _).
  pose proof (the_zero_vector_is_the_center_chain_of_each_root cfg trees d_positive (place x) Hn) as Hz.
  destruct Hn as (_ & Ht & _). rewrite zero_vector_apart. unfold separate_origin. rewrite (proj2 (Nat.leb_gt _ _) Ht).
  replace (norm x =? 0)%Z with (is_zero (place x)) by now rewrite E. split; [|split].
  - destruct (is_zero (place x)); [|discriminate]. intros _. rewrite (Hv Ht). apply proj1 in Hz. specialize (Hz eq_refl).
    unfold ForestTerms.value. rewrite Hz. generalize (level_of (place x)). intros n.
    induction n as [|n IH]; [reflexivity|]. cbn [repeat birth]. now rewrite Nat.eqb_refl.
  - intros Hd. rewrite E in Hd. cbn in Hd. rewrite (proj2 Hz); [reflexivity|]. unfold level_of.
    apply length_zero_iff_nil in Hd. now rewrite Hd.
  - destruct (is_zero (place x)); auto.
Qed.

(** The evaluations made, and those that the zero vector's queue may still ask for in this sweep. *)
Definition charged (s : forest V) : nat :=
  made s + match nu_min 1 (nu_mins s) with None => 2 * k | Some _ => 0 end.

(** The nu_min of the zero vector's queue, if it is set, is the value of the zero vector. *)
Definition zero_nu (s : forest V) : Prop := forall w, nu_min 1 (nu_mins s) = Some w -> w = oracle 0 [].

Definition others (cs : list ((nat * Z) * list (leaf V))) : nat := length (filter (fun r => fst r =? 0) (map fst cs)).

Lemma class_charged (r : nat * Z) ms s : reached s -> zero_nu s -> ms <> [] ->
  (forall x, In x ms -> In x (leaves s) /\ queue x = fst r) ->
  let s' := visit_class (fst r) ms s in
  zero_nu s' /\ charged s' <= charged s + (if fst r =? 0 then 2 * k else 0).
Proof.
  intros Hr Hz Hne Hm. destruct ms as [|x rest]; [easy|]. cbn [Forest.visit_class].
  destruct (exhausted s); [split; [exact Hz|lia]|]. set (a := argmin less x rest).
  destruct (Hm a (argmin_in less x rest)) as [Ha Hq].
  destruct (below less (best a) (nu_min (fst r) (nu_mins s))) eqn:B; [|split; [exact Hz|lia]].
  pose proof (leaf_is_a_node s a (reached_invariant s Hr) Ha) as Hp.
  destruct (queue_of_the_zero_vector s a Hr Ha) as (Hv & _ & H01).
  unfold zero_nu, charged. rewrite expand_nu, expand_made, length_performed by exact Hp. cbn [nu_min].
  rewrite <- Hq in *. destruct H01 as [E|E]; rewrite E in *; cbn [Nat.eqb]; [split; [exact Hz|lia]|].
  split; [intros w [= <-]; now apply Hv|]. unfold zero_nu in Hz.
  destruct (nu_min 1 (nu_mins s)) as [w|] eqn:En; [exfalso|lia]. cbn [below] in B.
  rewrite (Hv eq_refl), (Hz w eq_refl) in B. pose proof (less_at_most less order _ _ B) as H. unfold at_most in H. congruence.
Qed.

Lemma visit_charged l s : exhausted s = false -> reached s -> zero_nu s -> l <= h_max cfg ->
  zero_nu (visit l s) /\ charged (visit l s) <= charged s + (if l =? 0 then 0 else 2 * k).
Proof.
  intros Hx Hr Hz Hl. set (frozen := classes (sweeps s) l (leaves s)).
  assert (Ho : others frozen <= if l =? 0 then 0 else 1).
  { assert (Hall : forall q, In q (filter (fun r => fst r =? 0) (map fst frozen)) -> l <> 0 /\ q = (0, 0%Z)).
    { intros q Hq. apply filter_In in Hq. destruct Hq as [Hq E%Nat.eqb_eq]. apply in_map_iff in Hq.
      destruct Hq as ([r ms] & <- & Hin). cbn [fst] in *.
      destruct (classes_hold_only_their_leaves (sweeps s) l (leaves s) r ms Hin) as [Hne H].
      destruct ms as [|x ms]; [easy|]. destruct (H x (or_introl eq_refl)) as (H1 & H2 & _ & <-). cbn [Forest.key fst] in *.
      destruct (queue_of_the_zero_vector s x Hr H1) as (_ & H0 & _). split; [intros ->; rewrite (H0 H2) in E; discriminate|].
      unfold Forest.key. now rewrite E, one_rank. }
    unfold others. destruct (Nat.eqb_spec l 0) as [E0|N0].
    - destruct (filter _ _) as [|q qs]; [auto|]. now destruct (Hall q (or_introl eq_refl)).
    - change 1 with (length [(0, 0%Z)]). apply NoDup_incl_length; [apply NoDup_filter, classes_have_different_keys|].
      intros q Hq. destruct (Hall q Hq) as [_ ->]. now left. }
  assert (H : zero_nu (visit l s) /\ charged (visit l s) + 2 * k * others [] <= charged s + 2 * k * others frozen).
  { apply (visit_induction (fun cs s1 => zero_nu s1 /\ charged s1 + 2 * k * others cs <= _) l s Hl Hx Hr); [|split; [exact Hz|reflexivity]].
    intros r ms cs s1 H1 Hne Hm (H2 & H3). destruct (class_charged r ms s1 H1 H2 Hne Hm) as [H4 H5]. split; [exact H4|].
    unfold others in *. cbn [map filter fst] in H3. destruct (fst r =? 0); cbn [length] in H3; nia. }
  destruct H as (H1 & H2). split; [exact H1|]. unfold others in H2 at 1. cbn [map filter length] in H2.
  destruct (l =? 0); nia.
Qed.

(** A sweep of the default forest, of either kind, makes at most K - 1 evaluations for each of its iterations. *)
Lemma a_sweep_makes_at_most_K_minus_1_evaluations_per_iteration s : exhausted s = false -> reached s ->
  made (sweep s) + 2 * k * iterations s <= made s + 2 * k * iterations (sweep s).
Proof.
  intros Hx Hr. pose proof (limit_h_max s) as Hl.
  set (P := fun l s1 => zero_nu s1 /\ match l with
    | 0 => s1 = begin_sweep s
    | S _ => charged s1 + 2 * k * iterations s <= made s + 2 * k * iterations s1
    end).
  enough (H : P (S (limit s)) (sweep s)) by (destruct H as [_ H]; unfold charged in H; lia).
  apply (sweep_induction P s Hx Hr).
  - intros l s1 Hl1 Hx1 Hr1 (H2 & H3). destruct (visit_charged l s1 Hx1 Hr1 H2 ltac:(lia)) as [H4 H5].
    assert (E : iterations (visit l s1) = S (iterations s1))
      by exact (SearchSweep.visit_iterations lawful l s1 Hx1 (reached_invariant s1 Hr1)).
    split; [exact H4|]. rewrite E, Nat.mul_succ_r. destruct l as [|l]; cbn [Nat.eqb] in H5; [|lia]. subst s1.
    change (charged (begin_sweep s)) with (made s + 2 * k) in H5. change (iterations (begin_sweep s)) with (iterations s). lia.
  - intros l s1 Hx1 (H2 & H3). split; [exact H2|]. destruct l as [|l]; [|exact H3].
    exfalso. rewrite H3 in Hx1. unfold Forest.exhausted in *. cbn in Hx1. congruence.
  - split; [|reflexivity]. intros w [=].
Qed.

End ForestCosts.

(** Claims [dimension-guarantee] [forest-theorem-2].  n sweeps of the default forest, of either kind, make at most
    E(n) = 1 + (K - 1) (min(1, h_max + 1) + ... + min(n, h_max + 1)) evaluations; nothing is evaluated outside the forest. *)
Theorem n_sweeps_of_the_default_forest_make_at_most_E_evaluations {V : Type} (less : V -> V -> bool) cfg trees oracle later n :
  total_order less -> (forall t, 1 <= dimension_of cfg t) ->
  made (Forest.run_for less cfg trees oracle later nothing (separate_origin trees) one_class n (Forest.start cfg trees oracle))
    <= 1 + 2 * half cfg * triangle (S (h_max cfg)) n.
Proof.
  intros order d_positive. pose (F := Rules less cfg trees oracle later nothing (separate_origin trees) one_class).
  pose proof (n_sweeps_of_a_forest_make_at_most_a_triangle_of_iterations (F := F) n) as Ht. cbn in Ht.
  enough (H : forall n, made (run_for n start) <= 1 + 2 * k * iterations (run_for n start)) by (specialize (H n); cbn in H; nia).
  apply (runs_induction (fun _ s => made s <= 1 + 2 * k * iterations s)); [cbn; lia|auto|].
  clear n Ht. intros n s s1 _ Hr1 IH. change s1 with s in *. split; [auto|]. intros Ex.
  pose proof (a_sweep_makes_at_most_K_minus_1_evaluations_per_iteration order d_positive ltac:(intros ? ? [])
    ltac:(reflexivity) ltac:(reflexivity) s Ex Hr1). nia.
Qed.
