(** * The program's heaps hold the leaves.

    [tree_holds tr xs]: the tree of the program holds the leaves [xs] of the model, by depth and by norm.
    What the program does to its tree keeps this, and what it reads from it are the classes of the model. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Order PriorityQueue Program ProgramNodes
  ProgramLevels.

Section ProgramTree.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (cfg : settings).
Hypothesis order : total_order less.
Variable Q : priority_queue (before less).

Local Notation entry_of := (entry_of cfg).
Local Notation before := (before less).
Local Notation contents_at := (found (contents Q)).

(** What the earlier files prove, of these variables. *)
Local Notation level_holds := (level_holds less cfg Q).
Local Notation level_holds_permutation := (level_holds_permutation less cfg Q).
Local Notation level_holds_add := (level_holds_add less cfg order Q).
Local Notation is_least := (is_least less cfg).
Local Notation found_is_in := (found_is_in less Q).
Local Notation level_holds_remove := (level_holds_remove less cfg order Q).

(** ** The least f* *)

Lemma least_of_spec (fs : list V) :
  (forall f, In f fs -> at_most less (least_of less fs) f) /\
  (least_of less fs = infinity \/ In (least_of less fs) fs).
Proof.
  unfold least_of. generalize (infinity : V). induction fs as [|f fs IH]; intros a; cbn [fold_left].
  - split; [easy|now left].
  - destruct (IH (min less a f)) as [H1 H2].
    assert (E : at_most less (min less a f) f) by (unfold min; destruct (less f a) eqn:E; [now apply at_most_refl|exact E]).
    assert (D : at_most less (fold_left (min less) fs (min less a f)) (min less a f)).
    { clear - order. generalize (min less a f). induction fs as [|g fs IH]; intros b; [now apply at_most_refl|].
      cbn [fold_left]. apply (at_most_trans less order _ (min less b g)); [apply IH|].
      unfold min. destruct (less g b) eqn:L; [now apply less_at_most|now apply at_most_refl]. }
    split.
    + intros g [<-|Hg]; [exact (at_most_trans less order _ _ _ D E)|now apply H1].
    + destruct H2 as [->|H2]; [|right; now right]. unfold min. destruct (less f a); [right; now left|now left].
Qed.

(** The first leaf of a heap is a leaf of the level, and no leaf of the level is less than all first leaves. *)
Lemma firsts_of_a_level lv ms : level_holds lv ms ->
  (forall q y, In q (map snd (heaps lv)) -> first Q q = Some y -> exists x, In x ms /\ y = entry_of x) /\
  (forall x, In x ms -> exists q y, In q (map snd (heaps lv)) /\ first Q q = Some y /\ at_most less (f_star y) (best x)).
Proof.
  intros [H1 H2 H3 _ _ _]. split.
  - intros q y Hq F. apply in_map_iff in Hq. destruct Hq as ([r q'] & E & Hq). cbn [snd] in E. subst q'.
    destruct (H2 _ Hq) as [Hv _]. cbn [snd] in Hv.
    assert (Hy : In y (contents Q q)) by (apply (Permutation_in _ (Permutation_sym (pop_removes_first _ Q _ _ Hv F))); now left).
    rewrite <- (found_in (contents Q) _ _ _ H1 Hq) in Hy. apply (Permutation_in _ (H3 r)), in_map_iff in Hy.
    destruct Hy as (x & <- & Hx). apply filter_In in Hx. exists x. now split.
  - intros x Hx. assert (Hin : In (entry_of x) (contents_at (norm x) (heaps lv))).
    { apply (Permutation_in _ (Permutation_sym (H3 (norm x)))), in_map, filter_In.
      split; [exact Hx|apply Z.eqb_refl]. }
    destruct (found_is_in _ _ _ Hin) as (q & Hq). destruct (H2 _ Hq) as [Hv Hne]. cbn [snd] in *.
    rewrite (found_in (contents Q) _ _ _ H1 Hq) in Hin.
    destruct (first Q q) as [y|] eqn:F; [|now apply first_of_none in F].
    exists q, y. split; [now apply (in_map snd) in Hq|]. split; [exact F|].
    pose proof (first_is_least _ Q _ _ _ Hv F Hin) as B. now apply (before_at_most less) in B.
Qed.

(** Finding the least f* changes nothing else. *)
Lemma level_holds_least lv ms : level_holds lv ms ->
  level_holds (snd (least_f_star lv)) ms /\ heaps (snd (least_f_star lv)) = heaps lv /\
  least (snd (least_f_star lv)) = Some (fst (least_f_star lv)).
Proof.
  intros H. destruct (firsts_of_a_level lv ms H) as [F1 F2]. destruct H as [H1 H2 H3 H4 H5 H6].
  unfold least_f_star. destruct (least lv) as [f|] eqn:E; cbn [fst snd heaps least].
  { split; [now split; rewrite ?E|now split]. }
  set (fs := map first_f_star (map snd (heaps lv))). destruct (least_of_spec fs) as [L1 L2].
  split; [|now split]. split; cbn [heaps snapshot least]; auto.
  - intros f [= <-] x Hx. destruct (F2 x Hx) as (q & y & Hq & F & B).
    apply (at_most_trans less order _ (f_star y)); [|exact B]. apply L1. apply in_map_iff. exists q.
    split; [|exact Hq]. unfold first_f_star. now rewrite F.
  - intros f [= <-]. destruct L2 as [L2|L2]; [now left|].
    assert (G : forall g, In g fs -> g = infinity \/ exists x, In x ms /\ best x = g); [|now apply G].
    intros g Hg. apply in_map_iff in Hg. destruct Hg as (q & Eq & Hq). unfold first_f_star in Eq.
    destruct (first Q q) as [y|] eqn:F; [right|now left].
    destruct (F1 q y Hq F) as (x & Hx & ->). exists x. now split.
Qed.

(** Taking the snapshot changes nothing else. *)
Lemma level_holds_classes_of lv ms : level_holds lv ms ->
  level_holds (snd (classes_of lv)) ms /\ fst (classes_of lv) = map snd (heaps lv) /\
  heaps (snd (classes_of lv)) = heaps lv.
Proof.
  intros [H1 H2 H3 H4 H5 H6]. unfold classes_of. destruct (snapshot lv) as [qs|] eqn:E; cbn [fst snd heaps].
  - split; [now split; rewrite ?E|]. now rewrite (H4 qs eq_refl).
  - split; [|now split]. split; cbn [heaps snapshot least]; auto. now intros qs [= <-].
Qed.

(** ** The tree *)

Lemma nth_set_level h h' lv (ls : list (level V less Q)) :
  nth h' (set_level h lv ls) (empty_level Q) = if h' =? h then lv else nth h' ls (empty_level Q).
Proof.
  revert h' ls; induction h as [|h IH]; intros h' ls.
  - destruct ls as [|l ls]; destruct h' as [|h']; cbn; try reflexivity. destruct h'; reflexivity.
  - destruct ls as [|l ls]; destruct h' as [|h']; cbn [set_level nth Nat.eqb]; try reflexivity.
    + rewrite IH. destruct (h' =? h); [reflexivity|]. destruct h'; reflexivity.
    + apply IH.
Qed.

Lemma length_set_level h lv (ls : list (level V less Q)) :
  length (set_level h lv ls) = Nat.max (S h) (length ls).
Proof.
  revert ls; induction h as [|h IH]; intros [|l ls]; cbn [set_level length]; try lia; rewrite IH; cbn [length]; lia.
Qed.

Definition at_depth (h : nat) (xs : list (leaf V)) : list (leaf V) := filter (fun x => depth x =? h) xs.

Definition tree_holds (tr : tree V less Q) (xs : list (leaf V)) : Prop :=
  (forall h, level_holds (level_at h tr) (at_depth h xs)) /\ leaf_count tr = length xs.

Lemma tree_holds_permutation tr xs xs' : Permutation xs xs' -> tree_holds tr xs -> tree_holds tr xs'.
Proof.
  intros P [H1 H2]. split.
  - intros h. apply (level_holds_permutation _ (at_depth h xs)); [apply filter_permutation, P|apply H1].
  - now rewrite <- (Permutation_length P).
Qed.

Lemma level_at_set h h' lv (tr : tree V less Q) a b c :
  level_at h' (Tree Q (set_level h lv (levels tr)) a b c) = if h' =? h then lv else level_at h' tr.
Proof. apply nth_set_level. Qed.

Lemma tree_holds_add tr xs x : tree_holds tr xs -> tree_holds (add tr (entry_of x)) (x :: xs).
Proof.
  intros [H1 H2]. split; [|cbn; now rewrite H2].
  intros h. unfold add. rewrite level_at_set. cbn [h_of ProgramNodes.entry_of]. unfold at_depth. cbn [filter].
  rewrite (Nat.eqb_sym h). destruct (depth x =? h) eqn:E; [|apply H1].
  apply Nat.eqb_eq in E. subst h. apply level_holds_add, H1.
Qed.

Lemma tree_holds_add_all tr xs new : tree_holds tr xs ->
  tree_holds (fold_left (add (Q := Q)) (map entry_of new) tr) (new ++ xs).
Proof.
  revert tr xs; induction new as [|x new IH]; intros tr xs H; [exact H|]. cbn [map fold_left].
  apply (tree_holds_permutation _ (new ++ x :: xs)).
  - symmetry. apply Permutation_middle.
  - apply IH. now apply tree_holds_add.
Qed.

(** Least in its class among all leaves. *)
Definition is_least_of_its_class (x : leaf V) (xs : list (leaf V)) : Prop :=
  forall y, In y xs -> depth y = depth x -> norm y = norm x ->
    y = x \/ before (entry_of x) (entry_of y) = true.

Lemma tree_holds_replace tr x xs new : tree_holds tr (x :: xs) -> is_least_of_its_class x (x :: xs) ->
  tree_holds (replace tr (entry_of x, map entry_of new)) (new ++ xs).
Proof.
  intros [H1 H2] Hl. unfold replace. cbn [fst snd]. apply tree_holds_add_all.
  split; [|cbn; now rewrite H2].
  intros h. rewrite level_at_set. cbn [h_of nrm_of ProgramNodes.entry_of].
  pose proof (H1 h) as Hh. unfold at_depth in *. cbn [filter] in Hh.
  rewrite (Nat.eqb_sym h). destruct (depth x =? h) eqn:E; [|exact Hh].
  apply Nat.eqb_eq in E. subst h. apply level_holds_remove; [exact Hh|].
  intros y Hy Hn. apply Hl; [|destruct Hy as [<-|Hy]; [reflexivity|]|exact Hn].
  - destruct Hy as [<-|Hy]; [now left|]. right. apply filter_In in Hy. tauto.
  - apply filter_In in Hy. now apply Nat.eqb_eq.
Qed.

Lemma length_add (tr : tree V less Q) x : length (levels (add tr (entry_of x))) = Nat.max (S (depth x)) (length (levels tr)).
Proof. unfold add. cbn [levels]. now rewrite length_set_level. Qed.

Lemma length_replace (tr : tree V less Q) x (new : list (leaf V)) n :
  (forall y, In y new -> depth y = S (depth x)) -> new <> [] -> length (levels tr) = n ->
  length (levels (replace tr (entry_of x, map entry_of new))) = Nat.max (S (S (depth x))) n.
Proof.
  intros Hd Hne <-. unfold replace. cbn [fst snd].
  assert (A : forall new (tr : tree V less Q), (forall y, In y new -> depth y = S (depth x)) -> new <> [] ->
    length (levels (fold_left (add (Q := Q)) (map entry_of new) tr)) = Nat.max (S (S (depth x))) (length (levels tr))).
  { clear. induction new as [|y new IH]; intros tr Hd Hne; [easy|]. cbn [map fold_left].
    destruct new as [|z new].
    - cbn [map fold_left]. rewrite length_add, (Hd y) by now left. reflexivity.
    - rewrite IH; [|intros u Hu; apply Hd; now right|easy]. rewrite length_add, (Hd y) by now left. lia. }
  rewrite A by assumption. cbn [levels]. rewrite length_set_level. cbn [h_of ProgramNodes.entry_of]. lia.
Qed.

(** ** Line 4 *)

(** The heaps of a depth are the classes of the model, in the same order. *)
Lemma heaps_are_classes tr xs l : tree_holds tr xs ->
  Forall2 (fun a b => fst a = fst b /\ Permutation (contents Q (snd a)) (map entry_of (snd b)))
    (heaps (level_at l tr)) (classes l xs).
Proof.
  intros [H _]. destruct (H l) as [H1 H2 H3 _ _ _].
  apply (same_keys (contents Q) (fun ms : list (leaf V) => ms)).
  - exact H1.
  - apply classes_come_largest_norm_first.
  - intros c Hc. now apply H2.
  - intros [r ms] Hc. now apply (classes_hold_only_leaves_of_their_depth_and_norm l xs r ms).
  - intros r. rewrite (H3 r), members_of_classes. reflexivity.
Qed.

(** The first of each heap is the leaf that line 5 selects. *)
Definition first_is (q : queue Q) (c : Z * list (leaf V)) : Prop :=
  exists x rest, snd c = x :: rest /\ first Q q = Some (entry_of (argmin less x rest)).

Lemma firsts_are_selected tr xs l : tree_holds tr xs ->
  (forall r x rest, In (r, x :: rest) (classes l xs) ->
     is_least (argmin less x rest) (x :: rest)) ->
  Forall2 first_is (map snd (heaps (level_at l tr))) (classes l xs).
Proof.
  intros Ht Hl. pose proof (heaps_are_classes tr xs l Ht) as H. destruct Ht as [Ht _].
  destruct (Ht l) as [_ H2 _ _ _ _].
  assert (Hne : forall r ms, In (r, ms) (classes l xs) -> ms <> [] /\ forall y, In y ms -> norm y = r).
  { intros r ms Hin. destruct (classes_hold_only_leaves_of_their_depth_and_norm l xs r ms Hin) as [A B].
    split; [exact A|]. intros y Hy. now destruct (B y Hy) as (_ & _ & ?). }
  induction H as [|[r q] [r' ms] hs cs [E P] H IH]; cbn [map]; constructor.
  - cbn [fst snd] in *. destruct (Hne r' ms) as [N Hn]; [now left|]. destruct ms as [|x rest]; [easy|].
    exists x, rest. split; [reflexivity|]. specialize (Hl r' x rest (or_introl eq_refl)).
    destruct (H2 (r, q)) as [Hv Hq]; [now left|]. cbn [snd] in *.
    destruct (first Q q) as [y|] eqn:F; [|now apply first_of_none in F].
    pose proof (pop_removes_first _ Q _ _ Hv F) as P2.
    assert (Hy : In y (map entry_of (x :: rest))).
    { apply (Permutation_in _ P), (Permutation_in _ (Permutation_sym P2)). now left. }
    apply in_map_iff in Hy. destruct Hy as (z & <- & Hz).
    pose proof (argmin_in less x rest) as Ha.
    destruct (Hl z Hz) as [->|B]; [|reflexivity|].
    + rewrite (Hn z Hz), (Hn _ Ha). reflexivity.
    + assert (Hin : In (entry_of (argmin less x rest)) (contents Q q)).
      { apply (Permutation_in _ (Permutation_sym P)), in_map, Ha. }
      rewrite (first_is_least _ Q _ _ _ Hv F Hin) in B. discriminate.
  - apply IH.
    + intros r0 x rest Hin. apply (Hl r0). now right.
    + intros c Hc. apply H2. now right.
    + intros r0 ms0 Hin. apply Hne. now right.
Qed.

(** What [norm_classes] answers: the heaps of the depth, or nothing if no leaf there is below the bound. *)
Lemma norm_classes_spec l bound tr xs qs tr' : tree_holds tr xs -> l < length (levels tr) ->
  norm_classes l bound tr = (qs, tr') ->
  tree_holds tr' xs /\ length (levels tr') = length (levels tr) /\
  (qs = map snd (heaps (level_at l tr)) \/
   qs = [] /\ exists b, bound = Some b /\ forall x, In x xs -> depth x = l -> less (best x) b = false).
Proof.
  intros [H1 H2] Hlen.
  assert (T : forall lv, level_holds lv (at_depth l xs) -> tree_holds (with_level l lv tr) xs).
  { intros lv H. split; [|exact H2]. intros h. unfold with_level. rewrite level_at_set.
    destruct (Nat.eqb_spec h l) as [->|N]; [exact H|apply H1]. }
  assert (N : forall lv, length (levels (with_level l lv tr)) = length (levels tr)).
  { intros lv. cbn [with_level levels]. rewrite length_set_level. lia. }
  unfold norm_classes. destruct (level_holds_least _ _ (H1 l)) as (L1 & L2 & L3).
  destruct (least_f_star (level_at l tr)) as [f lv1]. cbn [fst snd] in *.
  destruct (level_holds_classes_of _ _ L1) as (C1 & C2 & C3).
  destruct (match bound with None => true | Some b => less f b end) eqn:E.
  - destruct (classes_of lv1) as [qs0 lv']. cbn [fst snd] in *. intros [= <- <-].
    split; [now apply T|]. split; [apply N|left; congruence].
  - intros [= <- <-]. split; [now apply T|]. split; [apply N|right]. split; [reflexivity|].
    destruct bound as [b|]; [|discriminate]. exists b. split; [reflexivity|]. intros x Hx Hd.
    apply (at_most_trans less order b f); [exact E|]. apply (least_is_low _ _ _ _ _ L1 f L3).
    apply filter_In. split; [exact Hx|now apply Nat.eqb_eq].
Qed.

End ProgramTree.
