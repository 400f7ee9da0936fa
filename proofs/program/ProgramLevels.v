(** * One level of the program's tree: its heaps hold the classes of the model's leaves of that depth. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Order PriorityQueue Program ProgramNodes.

(** ** Lists of pairs by norm *)

Definition larger_key {B} (a b : Z * B) : Prop := (fst b < fst a)%Z.

(** All that a list of pairs has under the key [r]. *)
Definition found {B C} (f : B -> list C) (r : Z) (cs : list (Z * B)) : list C :=
  flat_map (fun c => if (r =? fst c)%Z then f (snd c) else []) cs.

Lemma found_cons {B C} (f : B -> list C) r r' b cs :
  found f r ((r', b) :: cs) = (if (r =? r')%Z then f b else []) ++ found f r cs.
Proof. reflexivity. Qed.

Lemma found_nothing {B C} (f : B -> list C) r (cs : list (Z * B)) :
  (forall c, In c cs -> fst c <> r) -> found f r cs = [].
Proof.
  induction cs as [|[r' b] cs IH]; intros H; [reflexivity|]. rewrite found_cons.
  destruct (r =? r')%Z eqn:E.
  - apply Z.eqb_eq in E. exfalso. apply (H (r', b)); [now left|symmetry; exact E].
  - apply IH. intros c Hc. apply H. now right.
Qed.

Lemma found_below {B C} (f : B -> list C) r (cs : list (Z * B)) :
  Forall (fun c => (fst c < r)%Z) cs -> found f r cs = [].
Proof.
  intros H. apply found_nothing. intros c Hc. rewrite Forall_forall in H. specialize (H c Hc). lia.
Qed.

Lemma found_in {B C} (f : B -> list C) r b cs :
  StronglySorted larger_key cs -> In (r, b) cs -> found f r cs = f b.
Proof.
  induction 1 as [|[r' b'] cs Hs IH Hf]; [easy|]. rewrite found_cons. intros [[= <- <-]|Hin].
  - rewrite Z.eqb_refl, found_below; [apply app_nil_r|].
    eapply Forall_impl; [|exact Hf]. unfold larger_key. cbn. auto.
  - rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold larger_key in Hf. cbn in Hf.
    rewrite (proj2 (Z.eqb_neq r r')) by lia. now apply IH.
Qed.

(** Two such lists with the same things under each key have the same keys in the same order. *)
Lemma same_keys {B B' C C'} (f : B -> list C) (g : B' -> list C') (into : C' -> C) hs cs :
  StronglySorted larger_key hs -> StronglySorted larger_key cs ->
  (forall c, In c hs -> f (snd c) <> []) -> (forall c, In c cs -> g (snd c) <> []) ->
  (forall r, Permutation (found f r hs) (map into (found g r cs))) ->
  Forall2 (fun a b => fst a = fst b /\ Permutation (f (snd a)) (map into (g (snd b)))) hs cs.
Proof.
  intros H. revert cs. induction H as [|[r q] hs Hs IH Hf]; intros cs Hc Hne Hne' Hp.
  - destruct cs as [|[r' b'] cs]; [constructor|]. exfalso. specialize (Hp r'). rewrite found_cons, Z.eqb_refl in Hp.
    apply Permutation_nil in Hp. apply (Hne' (r', b')); [now left|]. cbn [snd].
    destruct (g b'); [reflexivity|discriminate].
  - destruct Hc as [|[r' b'] cs Hc Hf'].
    { exfalso. specialize (Hp r). rewrite found_cons, Z.eqb_refl in Hp. apply Permutation_sym, Permutation_nil in Hp.
      apply app_eq_nil in Hp. apply (Hne (r, q)); [now left|tauto]. }
    assert (B1 : Forall (fun c => (fst c < r)%Z) hs).
    { eapply Forall_impl; [|exact Hf]. unfold larger_key. cbn. auto. }
    assert (B2 : Forall (fun c => (fst c < r')%Z) cs).
    { eapply Forall_impl; [|exact Hf']. unfold larger_key. cbn. auto. }
    assert (E : r = r').
    { destruct (Z.lt_trichotomy r r') as [L|[L|L]]; [|exact L|].
      - exfalso. specialize (Hp r'). rewrite !found_cons, Z.eqb_refl, (proj2 (Z.eqb_neq r' r)) in Hp by lia.
        rewrite (found_below f) in Hp by (eapply Forall_impl; [|exact B1]; cbn; lia).
        apply Permutation_nil in Hp. apply (Hne' (r', b')); [now left|]. cbn [snd].
        destruct (g b'); [reflexivity|discriminate].
      - exfalso. specialize (Hp r). rewrite !found_cons, Z.eqb_refl, (proj2 (Z.eqb_neq r r')) in Hp by lia.
        rewrite (found_below g) in Hp by (eapply Forall_impl; [|exact B2]; cbn; lia).
        apply Permutation_sym, Permutation_nil, app_eq_nil in Hp. apply (Hne (r, q)); [now left|tauto]. }
    subst r'. constructor.
    + cbn [fst snd]. split; [reflexivity|]. specialize (Hp r). rewrite !found_cons, !Z.eqb_refl in Hp.
      rewrite (found_below f r hs B1), (found_below g r cs B2), !app_nil_r in Hp. exact Hp.
    + apply IH; [exact Hc|intros c Hin; apply Hne; now right|intros c Hin; apply Hne'; now right|].
      intros r'. destruct (Z.eq_dec r' r) as [->|N].
      * rewrite (found_below f r hs B1), (found_below g r cs B2). reflexivity.
      * specialize (Hp r'). rewrite !found_cons, (proj2 (Z.eqb_neq r' r) N) in Hp. exact Hp.
Qed.

Lemma deepest_app {V} (xs ys : list (leaf V)) : deepest (xs ++ ys) = Nat.max (deepest xs) (deepest ys).
Proof. induction xs as [|x xs IH]; cbn; [reflexivity|]. rewrite IH. lia. Qed.

Section ProgramLevels.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (cfg : settings).
Hypothesis order : total_order less.
Variable Q : priority_queue (before less).

Local Notation entry_of := (entry_of cfg).
Local Notation before := (before less).
Local Notation contents_at := (found (contents Q)).

(** ** One level *)

Lemma members_of_classes l r (xs : list (leaf V)) :
  found (fun ms => ms) r (classes l xs) = filter (fun x => (norm x =? r)%Z) (filter (fun x => depth x =? l) xs).
Proof.
  assert (A : forall x (cs : list (Z * list (leaf V))),
    found (fun ms => ms) r (add_to_classes x cs)
    = (if (norm x =? r)%Z then [x] else []) ++ found (fun ms => ms) r cs).
  { intros x cs. induction cs as [|[r' ms] cs IH]; cbn [add_to_classes].
    - rewrite found_cons, Z.eqb_sym. destruct (norm x =? r)%Z; reflexivity.
    - destruct (norm x =? r')%Z eqn:E.
      + apply Z.eqb_eq in E. subst r'. rewrite !found_cons, (Z.eqb_sym r).
        destruct (norm x =? r)%Z; reflexivity.
      + destruct (r' <? norm x)%Z.
        * rewrite !found_cons, (Z.eqb_sym r (norm x)). destruct (norm x =? r)%Z; reflexivity.
        * rewrite !found_cons, IH. destruct (norm x =? r)%Z eqn:E1; [|reflexivity].
          apply Z.eqb_eq in E1. subst r. rewrite E. reflexivity. }
  induction xs as [|x xs IH]; [reflexivity|]. cbn [classes filter].
  destruct (depth x =? l); [|exact IH]. rewrite A, IH. cbn [filter].
  destruct (norm x =? r)%Z; reflexivity.
Qed.

Lemma members_of_a_class l (xs : list (leaf V)) r ms : In (r, ms) (classes l xs) ->
  ms = filter (fun x => (norm x =? r)%Z) (filter (fun x => depth x =? l) xs).
Proof.
  intros H. rewrite <- members_of_classes. symmetry. apply (found_in (fun ms => ms)); [|exact H].
  apply classes_come_largest_norm_first.
Qed.

(** A level holds the leaves [ms]. *)
Record level_holds (lv : level V less Q) (ms : list (leaf V)) : Prop := LevelHolds {
  norms_descend : StronglySorted larger_key (heaps lv);
  heaps_are_valid : forall c, In c (heaps lv) -> valid Q (snd c) /\ contents Q (snd c) <> [];
  heaps_hold : forall r, Permutation (contents_at r (heaps lv)) (map entry_of (filter (fun x => (norm x =? r)%Z) ms));
  snapshot_is_right : forall qs, snapshot lv = Some qs -> qs = map snd (heaps lv);
  least_is_low : forall f, least lv = Some f -> forall x, In x ms -> at_most less f (best x);
  least_is_attained : forall f, least lv = Some f -> f = infinity \/ exists x, In x ms /\ best x = f
}.

Lemma filter_permutation {A} (f : A -> bool) l l' : Permutation l l' -> Permutation (filter f l) (filter f l').
Proof.
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH1 _ IH2]; cbn.
  - constructor.
  - destruct (f x); [now constructor|exact IH].
  - destruct (f x), (f y); try reflexivity. apply perm_swap.
  - etransitivity; eassumption.
Qed.

Lemma level_holds_permutation lv ms ms' : Permutation ms ms' -> level_holds lv ms -> level_holds lv ms'.
Proof.
  intros P [H1 H2 H3 H4 H5 H6]. split; auto.
  - intros r. rewrite (H3 r). apply Permutation_map, filter_permutation, P.
  - intros f Hf x Hx. apply (H5 f Hf). now apply (Permutation_in x (Permutation_sym P)).
  - intros f Hf. destruct (H6 f Hf) as [->|(x & Hx & E)]; [now left|right].
    exists x. split; [now apply (Permutation_in x P)|exact E].
Qed.

Lemma push_into_keys r x (hs : list (Z * queue Q)) c :
  In c (push_into Q r x hs) -> fst c = r \/ In (fst c) (map fst hs).
Proof.
  induction hs as [|[r' q] hs IH]; cbn [push_into].
  - intros [<-|[]]. now left.
  - destruct (r =? r')%Z eqn:E.
    + intros [<-|H]; right; [now left|right; now apply in_map].
    + destruct (r' <? r)%Z.
      * intros [<-|H]; [now left|right; now apply in_map].
      * intros [<-|H]; [right; now left|]. destruct (IH H); [now left|right; now right].
Qed.

Lemma push_into_sorted r x (hs : list (Z * queue Q)) :
  StronglySorted larger_key hs -> StronglySorted larger_key (push_into Q r x hs).
Proof.
  induction 1 as [|[r' q] hs Hs IH Hf]; cbn [push_into]; [repeat constructor|].
  destruct (r =? r')%Z eqn:E; [constructor; [exact Hs|exact Hf]|].
  destruct (r' <? r)%Z eqn:L.
  - apply Z.ltb_lt in L. constructor; [now constructor|]. constructor; [exact L|].
    eapply Forall_impl; [|exact Hf]. unfold larger_key. cbn. lia.
  - apply Z.eqb_neq in E. apply Z.ltb_ge in L. constructor; [exact IH|]. apply Forall_forall. intros c Hc.
    unfold larger_key. cbn. destruct (push_into_keys _ _ _ _ Hc) as [->|Hin]; [lia|].
    apply in_map_iff in Hin. destruct Hin as (c' & <- & Hin). rewrite Forall_forall in Hf. apply (Hf c' Hin).
Qed.

Lemma push_into_valid r x (hs : list (Z * queue Q)) :
  (forall c, In c hs -> valid Q (snd c) /\ contents Q (snd c) <> []) ->
  forall c, In c (push_into Q r x hs) -> valid Q (snd c) /\ contents Q (snd c) <> [].
Proof.
  assert (P : forall q, valid Q q -> valid Q (push Q x q) /\ contents Q (push Q x q) <> []).
  { intros q Hq. split; [now apply push_is_valid|]. intros E.
    pose proof (push_adds _ Q x q Hq) as P. rewrite E in P. now apply Permutation_nil in P. }
  induction hs as [|[r' q] hs IH]; intros H c; cbn [push_into].
  - intros [<-|[]]. apply P, none_is_valid.
  - destruct (r =? r')%Z.
    + intros [<-|Hc]; [apply P, (H (r', q)); now left|apply H; now right].
    + destruct (r' <? r)%Z.
      * intros [<-|Hc]; [apply P, none_is_valid|now apply H].
      * intros [<-|Hc]; [apply H; now left|]. apply IH; [|exact Hc]. intros c' Hc'. apply H. now right.
Qed.

Lemma push_into_adds r x (hs : list (Z * queue Q)) r0 :
  (forall c, In c hs -> valid Q (snd c) /\ contents Q (snd c) <> []) ->
  Permutation (contents_at r0 (push_into Q r x hs)) ((if (r =? r0)%Z then [x] else []) ++ contents_at r0 hs).
Proof.
  assert (N : Permutation (contents Q (push Q x (none Q))) [x]).
  { rewrite push_adds by apply none_is_valid. now rewrite none_is_empty. }
  induction hs as [|[r' q] hs IH]; intros H; cbn [push_into].
  - rewrite found_cons, Z.eqb_sym. destruct (r =? r0)%Z; [|reflexivity]. now rewrite N.
  - destruct (r =? r')%Z eqn:E.
    + apply Z.eqb_eq in E. subst r'. rewrite !found_cons, (Z.eqb_sym r0). destruct (r =? r0)%Z; [|reflexivity].
      rewrite push_adds by (apply (H (r, q)); now left). reflexivity.
    + destruct (r' <? r)%Z.
      * rewrite found_cons, (Z.eqb_sym r0). destruct (r =? r0)%Z; [|reflexivity]. now rewrite N.
      * rewrite !found_cons, IH by (intros c Hc; apply H; now right).
        destruct (r =? r0)%Z eqn:E1; [|reflexivity]. apply Z.eqb_eq in E1. subst r0. now rewrite E.
Qed.

Lemma level_holds_add lv ms x :
  level_holds lv ms -> level_holds (add_to_level (entry_of x) lv) (x :: ms).
Proof.
  intros [H1 H2 H3 H4 H5 H6]. unfold add_to_level. split; cbn [heaps snapshot least].
  - now apply push_into_sorted.
  - now apply push_into_valid.
  - intros r. rewrite push_into_adds by exact H2. cbn [filter entry_of nrm_of ProgramNodes.entry_of].
    destruct (norm x =? r)%Z; [|apply H3]. cbn [map app]. constructor. apply H3.
  - discriminate.
  - cbn [f_star ProgramNodes.entry_of]. destruct (least lv) as [g|]; [|discriminate]. intros f [= <-].
    unfold min. intros y [<-|Hy]; destruct (less (best x) g) eqn:E.
    + now apply at_most_refl.
    + exact E.
    + apply (at_most_trans less order _ g); [now apply less_at_most|now apply H5].
    + now apply H5.
  - cbn [f_star ProgramNodes.entry_of]. destruct (least lv) as [g|]; [|discriminate]. intros f [= <-]. unfold min.
    destruct (less (best x) g); [right; exists x; split; [now left|reflexivity]|].
    destruct (H6 g eq_refl) as [->|(y & Hy & E)]; [now left|right]. exists y. split; [now right|exact E].
Qed.

Lemma pop_from_keys r (hs : list (Z * queue Q)) c :
  In c (pop_from Q r hs) -> In (fst c) (map fst hs).
Proof.
  induction hs as [|[r' q] hs IH]; cbn [pop_from]; [easy|].
  destruct (r =? r')%Z.
  - destruct (first Q (pop Q q)); [intros [<-|H]; [now left|]|intros H]; right; now apply in_map.
  - intros [<-|H]; [now left|right; now apply IH].
Qed.

Lemma pop_from_sorted r (hs : list (Z * queue Q)) :
  StronglySorted larger_key hs -> StronglySorted larger_key (pop_from Q r hs).
Proof.
  induction 1 as [|[r' q] hs Hs IH Hf]; cbn [pop_from]; [constructor|].
  destruct (r =? r')%Z.
  - destruct (first Q (pop Q q)); [constructor; [exact Hs|exact Hf]|exact Hs].
  - constructor; [exact IH|]. apply Forall_forall. intros c Hc.
    apply pop_from_keys, in_map_iff in Hc. destruct Hc as (c' & E & Hin). rewrite Forall_forall in Hf.
    specialize (Hf c' Hin). unfold larger_key in *. cbn in *. lia.
Qed.

Lemma pop_from_valid r (hs : list (Z * queue Q)) :
  (forall c, In c hs -> valid Q (snd c) /\ contents Q (snd c) <> []) ->
  forall c, In c (pop_from Q r hs) -> valid Q (snd c) /\ contents Q (snd c) <> [].
Proof.
  induction hs as [|[r' q] hs IH]; intros H c; cbn [pop_from]; [easy|].
  destruct (r =? r')%Z.
  - destruct (H (r', q)) as [Hq _]; [now left|]. cbn [snd] in Hq.
    destruct (first Q (pop Q q)) eqn:F; [|intros Hc; apply H; now right].
    intros [<-|Hc]; [|apply H; now right]. cbn [snd]. pose proof (pop_is_valid _ Q q Hq) as Hv.
    split; [exact Hv|]. intros E. pose proof (pop_removes_first _ Q _ _ Hv F) as P. rewrite E in P.
    now apply Permutation_nil in P.
  - intros [<-|Hc]; [apply H; now left|]. apply IH; [|exact Hc]. intros c' Hc'. apply H. now right.
Qed.

Lemma pop_from_others r r0 (hs : list (Z * queue Q)) : r0 <> r ->
  contents_at r0 (pop_from Q r hs) = contents_at r0 hs.
Proof.
  intros N. induction hs as [|[r' q] hs IH]; cbn [pop_from]; [reflexivity|].
  destruct (r =? r')%Z eqn:E.
  - apply Z.eqb_eq in E. subst r'. destruct (first Q (pop Q q)); rewrite !found_cons;
      now rewrite (proj2 (Z.eqb_neq r0 r) N).
  - rewrite !found_cons. now rewrite IH.
Qed.

Lemma pop_from_removes r q x (hs : list (Z * queue Q)) :
  StronglySorted larger_key hs -> In (r, q) hs -> valid Q q -> first Q q = Some x ->
  Permutation (contents_at r hs) (x :: contents_at r (pop_from Q r hs)).
Proof.
  intros Hs Hin Hv F. induction Hs as [|[r' q'] hs Hs IH Hf]; [easy|]. cbn [pop_from].
  destruct Hin as [[= -> ->]|Hin].
  - rewrite Z.eqb_refl. pose proof (pop_removes_first _ Q _ _ Hv F) as P.
    destruct (first Q (pop Q q)) eqn:F2.
    + rewrite !found_cons, Z.eqb_refl, P. reflexivity.
    + rewrite found_cons, Z.eqb_refl, P.
      rewrite (first_of_none _ Q _ (pop_is_valid _ Q q Hv) F2). reflexivity.
  - assert (N : (r < r')%Z) by (rewrite Forall_forall in Hf; exact (Hf _ Hin)).
    rewrite (proj2 (Z.eqb_neq r r')) by lia. rewrite !found_cons, (proj2 (Z.eqb_neq r r')) by lia.
    now apply IH.
Qed.

(** [x] is the leaf that line 5 would select of its class. *)
Definition is_least (x : leaf V) (ms : list (leaf V)) : Prop :=
  forall y, In y ms -> norm y = norm x -> y = x \/ before (entry_of x) (entry_of y) = true.

Lemma found_is_in r x (hs : list (Z * queue Q)) : In x (contents_at r hs) -> exists q, In (r, q) hs.
Proof.
  unfold found. rewrite in_flat_map. intros ([r' q] & Hin & Hx). cbn [fst snd] in Hx.
  destruct (r =? r')%Z eqn:E; [|easy]. apply Z.eqb_eq in E. subst. eauto.
Qed.

Lemma class_of_least lv ms x : level_holds lv ms -> In x ms -> is_least x ms ->
  exists q, In (norm x, q) (heaps lv) /\ valid Q q /\ first Q q = Some (entry_of x).
Proof.
  intros [H1 H2 H3 _ _ _] Hx Hl.
  assert (Hin : In (entry_of x) (contents_at (norm x) (heaps lv))).
  { apply (Permutation_in _ (Permutation_sym (H3 (norm x)))), in_map, filter_In.
    split; [exact Hx|apply Z.eqb_refl]. }
  destruct (found_is_in _ _ _ Hin) as (q & Hq). exists q. split; [exact Hq|].
  destruct (H2 _ Hq) as [Hv Hne]. cbn [snd] in *. split; [exact Hv|].
  pose proof (found_in (contents Q) _ _ _ H1 Hq) as E. rewrite E in Hin.
  destruct (first Q q) as [y|] eqn:F; [|now apply first_of_none in F].
  pose proof (pop_removes_first _ Q _ _ Hv F) as P.
  assert (Hy : In y (contents_at (norm x) (heaps lv))).
  { rewrite E. apply (Permutation_in _ (Permutation_sym P)). now left. }
  apply (Permutation_in _ (H3 (norm x))), in_map_iff in Hy. destruct Hy as (z & <- & Hz).
  apply filter_In in Hz. destruct Hz as [Hz Hn]. apply Z.eqb_eq in Hn.
  pose proof (first_is_least _ Q _ _ _ Hv F Hin) as B.
  destruct (Hl z Hz Hn) as [->|B2]; [reflexivity|]. rewrite B2 in B. discriminate.
Qed.

Lemma heap_of_in r q (hs : list (Z * queue Q)) : StronglySorted larger_key hs -> In (r, q) hs -> heap_of r hs = q.
Proof.
  induction 1 as [|[r' q'] hs Hs IH Hf]; [easy|]. cbn [heap_of]. intros [[= -> ->]|Hin]; [now rewrite Z.eqb_refl|].
  rewrite Forall_forall in Hf. specialize (Hf _ Hin). unfold larger_key in Hf. cbn in Hf.
  rewrite (proj2 (Z.eqb_neq r r')) by lia. now apply IH.
Qed.

Lemma level_holds_remove lv ms x : level_holds lv (x :: ms) -> is_least x (x :: ms) ->
  level_holds (remove_least (norm x) lv) ms.
Proof.
  intros H Hl. destruct (class_of_least lv _ x H (or_introl eq_refl) Hl) as (q & Hq & Hv & F).
  destruct H as [H1 H2 H3 H4 H5 H6]. unfold remove_least.
  rewrite (heap_of_in _ q _ H1 Hq). unfold first_f_star. rewrite F. cbn [f_star ProgramNodes.entry_of].
  split; cbn [heaps snapshot least].
  - now apply pop_from_sorted.
  - now apply pop_from_valid.
  - intros r. destruct (Z.eq_dec r (norm x)) as [->|N].
    + apply (Permutation_cons_inv (a := entry_of x)).
      rewrite <- (pop_from_removes _ q _ _ H1 Hq Hv F), (H3 (norm x)). cbn [filter].
      now rewrite Z.eqb_refl.
    + rewrite pop_from_others by exact N. rewrite (H3 r). cbn [filter].
      now rewrite (proj2 (Z.eqb_neq (norm x) r)) by congruence.
  - discriminate.
  - destruct (least lv) as [g|]; [|discriminate]. destruct (equal less (best x) g); [discriminate|].
    intros f [= <-] y Hy. apply (H5 g eq_refl). now right.
  - destruct (least lv) as [g|]; [|discriminate]. destruct (equal less (best x) g) eqn:E; [discriminate|].
    intros f [= <-]. destruct (H6 g eq_refl) as [->|(y & [->|Hy] & Eg)]; [now left| |right; exists y; now split].
    subst g. rewrite (proj2 (equal_spec less _ _)) in E by (split; now apply at_most_refl). discriminate.
Qed.

Lemma level_holds_nothing : level_holds (empty_level Q) [].
Proof. split; cbn; try easy; [constructor|]. intros f [= <-]. now left. Qed.

End ProgramLevels.
