(** * hunt: the statements of one visit.

    Each theorem is about some statements of the loop over the depths, for every store in which a tree lies. *)

From Coq Require Import Permutation String.
From EmbeddedHunter Require Import Lists Filters Lattice Model Classes Nodes Order PythonNodes VisitInParts.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules TextOfNode GeneratorRules TreeInStore TextOfTree TextOfHunter
  TextOfChoose.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfHunt.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings) (order : total_order (less F)).

Local Notation placed := (placed F).
Local Notation in_store := (in_store F cfg).
Local Notation wanted := (wanted F cfg).
Local Notation evaluation_value := (evaluation_value F).
Local Notation visit_object := (visit_object F).
Local Notation nu_value := (nu_value F).
Local Notation expansion_value := (expansion_value F).
Local Notation expansion_of := (expansion_of F).
Local Notation expansion_in := (expansion_in F cfg).
Local Notation new_places := (new_places F).
Local Notation all_wanted := (all_wanted F cfg).
Local Notation before := (before F cfg).
Local Notation tree_in := (tree_in F cfg).
Local Notation replaced := (replaced F oracle cfg).

Hypothesis d_pos : (0 < dimension cfg)%nat.

Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call search_py deep None) (fun v => call search_py deep (Some v)) deep).

(** ** Values go to the nodes of the expansions *)

Lemma in_store_elsewhere rs h xs : in_store h xs -> (forall m, In m (map fst xs) -> ~ In m (map (fun r => fst (fst r)) rs)) ->
  in_store (record_all F cfg h rs) xs.
Proof. intros Hx Hn q y Hq. rewrite record_all_elsewhere; [now apply Hx|]. apply Hn. exact (in_map fst _ _ Hq). Qed.

Lemma recorded_places (xs : list placed) (vs : list (float F)) m :
  In m (map (fun r => fst (fst r)) (combine (wanted xs) vs)) -> In m (map fst xs).
Proof.
  intros Hm. apply in_map_iff in Hm. destruct Hm as ([px v] & <- & Hm). apply in_combine_l, filter_In in Hm.
  apply in_map. apply Hm.
Qed.

Lemma take_values_in_store xs : forall vs h, in_store h xs -> NoDup (map fst xs) ->
  exists ys, take_values F cfg (map snd xs) vs = (map snd ys, skipn (List.length (wanted xs)) vs) /\
    map fst ys = map fst xs /\ in_store (record_all F cfg h (combine (wanted xs) vs)) ys.
Proof.
  induction xs as [|[q y] xs IH]; intros vs h Hx Hn.
  - exists []. cbn. now split.
  - apply NoDup_cons_iff in Hn. destruct Hn as [Hq Hn]. cbn [map snd take_values TextOfHunter.wanted filter].
    fold (wanted xs).
    assert (Hx' : in_store h xs) by (intros q' y' Hin; apply Hx; now right).
    destruct (may_be_evaluated F cfg y).
    + destruct vs as [|v vs].
      * exists ((q, y) :: xs). cbn [combine skipn List.length]. now split.
      * set (h1 := record_one F cfg h ((q, y), v)).
        assert (Hx1 : in_store h1 xs).
        { apply (in_store_elsewhere [((q, y), v)] h xs Hx'). intros m Hm [<-|[]]. now apply Hq. }
        destruct (IH vs h1 Hx1 Hn) as (ys & E1 & E2 & E3). rewrite E1.
        exists ((q, recorded F y v) :: ys). cbn [combine skipn List.length map snd fst record_all]. fold h1.
        split; [reflexivity|]. split; [now rewrite E2|]. intros q' y' [[= <- <-]|Hin]; [|now apply E3].
        rewrite record_all_elsewhere by (intros Hm; now apply Hq, (recorded_places xs vs)).
        unfold h1, record_one. cbn [fst snd]. apply (nth_error_replaced _ _ _ (node_object F cfg y)). apply Hx. now left.
    + destruct (IH vs h Hx' Hn) as (ys & E1 & E2 & E3). rewrite E1. exists ((q, y) :: ys). cbn [map snd fst].
      split; [reflexivity|]. split; [now rewrite E2|]. intros q' y' [[= <- <-]|Hin]; [|now apply E3].
      rewrite record_all_elsewhere by (intros Hm; now apply Hq, (recorded_places xs vs)). apply Hx. now left.
Qed.

(** The expansions after their values have come. *)
Definition same_places (e e' : grown F) : Prop :=
  parent F e' = parent F e /\ list_at F e' = list_at F e /\ map fst (kids F e') = map fst (kids F e).

Lemma combine_app_l {A B} (xs ys : list A) (vs : list B) :
  combine (xs ++ ys) vs = combine xs vs ++ combine ys (skipn (List.length xs) vs).
Proof. revert vs; induction xs as [|x xs IH]; intros [|v vs]; cbn; try reflexivity; [now destruct ys|]. now rewrite IH. Qed.

Lemma expansion_elsewhere rs h e : expansion_in h e ->
  (forall m, In m (fst (parent F e) :: list_at F e :: map fst (kids F e)) -> ~ In m (map (fun r : placed * float F => fst (fst r)) rs)) ->
  expansion_in (record_all F cfg h rs) e.
Proof.
  intros (E1 & E2 & E3) Hn. split; [|split].
  - rewrite record_all_elsewhere; [exact E1|]. apply Hn. now left.
  - rewrite record_all_elsewhere; [exact E2|]. apply Hn. right. now left.
  - apply in_store_elsewhere; [exact E3|]. intros m Hm. apply Hn. right. now right.
Qed.

Lemma wanted_places es vs m : In m (map (fun r : placed * float F => fst (fst r)) (combine (all_wanted es) vs)) ->
  exists e, In e es /\ In m (map fst (kids F e)).
Proof.
  intros Hm. apply in_map_iff in Hm. destruct Hm as ([px v] & <- & Hm). apply in_combine_l, in_flat_map in Hm.
  destruct Hm as (e & He & Hm). exists e. split; [exact He|]. apply filter_In in Hm. apply in_map, Hm.
Qed.

Lemma record_in_store n es : forall vs h, (forall e, In e es -> expansion_in h e) -> NoDup (new_places es) ->
  (forall e, In e es -> (fst (parent F e) < n)%nat) -> (forall m, In m (new_places es) -> (n <= m)%nat) ->
  exists es', record F cfg (map expansion_of es) vs = map expansion_of es' /\ Forall2 same_places es es' /\
    forall e, In e es' -> expansion_in (record_all F cfg h (combine (all_wanted es) vs)) e.
Proof.
  induction es as [|e es IH]; intros vs h Hx Hn Hp Hb; [now exists []|].
  cbn [TextOfChoose.new_places flat_map] in Hn, Hb. fold (new_places es) in Hn, Hb.
  destruct (nodup_app_parts _ _ Hn) as (Hne & Hnes & Hdis).
  apply NoDup_cons_iff in Hne. destruct Hne as [Hl Hk].
  destruct (Hx e (or_introl eq_refl)) as (E1 & E2 & E3).
  destruct (take_values_in_store (kids F e) vs h E3 Hk) as (ys & T1 & T2 & T3).
  set (h1 := record_all F cfg h (combine (wanted (kids F e)) vs)) in *.
  assert (Hkids : forall m us, In m (map (fun r => fst (fst r)) (combine (wanted (kids F e)) us)) -> In m (map fst (kids F e)))
    by (intros m us; apply recorded_places).
  assert (Hrest : forall e', In e' es -> forall m, In m (list_at F e' :: map fst (kids F e')) -> In m (new_places es)).
  { intros e' He' m Hm. apply in_flat_map. now exists e'. }
  assert (Hx1 : forall e', In e' es -> expansion_in h1 e').
  { intros e' He'. apply expansion_elsewhere; [apply Hx; now right|]. intros m Hm Hin. apply Hkids in Hin.
    destruct Hm as [<-|Hm].
    - specialize (Hp e' (or_intror He')). specialize (Hb (fst (parent F e')) ltac:(apply in_or_app; left; now right)). lia.
    - apply (Hdis m); [now right|]. now apply (Hrest e'). }
  destruct (IH (skipn (List.length (wanted (kids F e))) vs) h1 Hx1 Hnes) as (es' & R1 & R2 & R3).
  { intros e' He'. apply Hp. now right. }
  { intros m Hm. apply Hb, in_or_app. now right. }
  exists (Grown F (parent F e) (list_at F e) ys :: es'). cbn [map record]. unfold TextOfChoose.expansion_of at 1. rewrite T1, R1.
  split; [reflexivity|]. split; [constructor; [now repeat split|exact R2]|].
  cbn [TextOfChoose.all_wanted flat_map]. fold (all_wanted es). rewrite combine_app_l, record_all_app. fold h1.
  intros e' [<-|He']; [|now apply R3]. apply expansion_elsewhere.
  - split; [|split]; cbn [parent list_at kids].
    + unfold h1. rewrite record_all_elsewhere; [exact E1|]. intros Hin. apply Hkids in Hin.
      specialize (Hp e (or_introl eq_refl)). specialize (Hb (fst (parent F e)) ltac:(apply in_or_app; left; now right)). lia.
    + unfold h1. rewrite record_all_elsewhere.
      * rewrite E2. do 2 f_equal. unfold TextOfHunter.references. rewrite <- !(map_map fst VRef). now rewrite T2.
      * intros Hin. apply Hkids in Hin. contradiction.
    + exact T3.
  - cbn [parent list_at kids]. rewrite T2. intros m Hm Hin. destruct (wanted_places es _ m Hin) as (e' & He' & Hm').
    assert (In m (new_places es)) by (apply (Hrest e' He'); now right). destruct Hm as [<-|Hm].
    + specialize (Hp e (or_introl eq_refl)). specialize (Hb (fst (parent F e)) ltac:(apply in_or_app; now right)). lia.
    + now apply (Hdis m).
Qed.



(** ** One visit, statement by statement *)

(** The settings lie in the store, and are not part of the tree. *)
Variables (p cap side : nat) (side_as_float : float F).

Definition apart (own : list nat) (h : store F) : Prop :=
  input_in F cfg p cap side side_as_float h /\ ~ In p own /\ ~ In cap own.

Lemma apart_later own own' new h h' : apart own h -> keeps F cfg own h h' -> grows F own h own' new -> ~ In p new -> ~ In cap new ->
  apart own' h'.
Proof.
  intros ([I1 I2] & N1 & N2) [S _] G Np Nc. split; [|split].
  - split; [now apply (same_but_get own h)|now apply (same_but_get own h)].
  - intros Hp. destruct (G p Hp) as [?|[?|?]]; auto. apply in_bounds in I1. lia.
  - intros Hp. destruct (G cap Hp) as [?|[?|?]]; auto. apply in_bounds in I2. lia.
Qed.

Lemma apart_stays own ms h h' : apart own h -> same_but ms h h' -> ~ In p ms -> ~ In cap ms -> apart own h'.
Proof. intros (I & N1 & N2) S Np Nc. split; [now apply (input_stays F cfg p cap side side_as_float ms h)|now split]. Qed.

Variable at_tree : nat.
Local Notation locals_at := (hunt_locals F cfg p at_tree).

Definition first_part : list stmt := firstn 1 (body_of depth_loop).

(** Claim [python-text]. The first statement of a visit makes the visit. *)
Theorem the_text_begins_a_visit own xs h first_ sweep k visit_ cl a b nu complete values best left expanded e t :
  tree_in own at_tree xs h -> apart own h ->
  wp (exec_all exec first_part)
     (State (locals_at first_ sweep (Some (VInt k)) visit_ cl a b nu complete values best left expanded e t) h)
     (fun how s' => how = Next /\ exists h' v pe pv,
        s' = State (locals_at first_ sweep (Some (VInt k)) (Some (VRef v)) cl a b nu complete values best left expanded e t) h' /\
        same_but [] h h' /\ nth_error h' v = Some (visit_object (VRef at_tree) sweep t k pe pv) /\
        nth_error h' pe = Some (ListObject []) /\ nth_error h' pv = Some (ListObject []) /\ NoDup [v; pe; pv] /\
        forall m, In m [v; pe; pv] -> (List.length h <= m)%nat).
Proof.
  intros Ht Hap. let b := eval vm_compute in first_part in change first_part with b. unfold hunt_locals. run.
  run_dataclass. run. run_builtin. run. run_builtin. run. cbn [objects locals values_of]. run.
  rewrite !app_length. cbn [List.length]. rewrite <- !app_assoc. cbn [app].
  split; [reflexivity|]. eexists. exists (List.length h + 1 + 1)%nat, (List.length h), (List.length h + 1)%nat. split; [reflexivity|].
  split; [apply same_but_app|]. split; [rewrite <- Nat.add_assoc; now rewrite nth_error_app_later|].
  split; [now rewrite nth_error_app_here|]. split; [now rewrite nth_error_app_later|].
  split; [repeat constructor; cbn; lia|]. intros m [<-|[<-|[<-|[]]]]; lia.
Qed.

Definition class_part : list stmt := firstn 2 (skipn 1 (body_of depth_loop)).

(** Claim [python-text]. Lines 4 to 9: what the tree lists of its classes, unless no leaf is below nu_min, and the loop over them. *)
Theorem the_text_expands_the_leaves own xs h first_ sweep k v pe pv cl a b nu complete values best left expanded e t :
  tree_in own at_tree xs h -> apart own h -> (k < depths_of F xs)%nat -> (0 < left)%nat ->
  nth_error h v = Some (visit_object (VRef at_tree) sweep t (Z.of_nat k) pe pv) ->
  nth_error h pe = Some (ListObject []) -> nth_error h pv = Some (ListObject []) -> NoDup [v; pe; pv] ->
  ~ In p [v; pe; pv] -> ~ In cap [v; pe; pv] ->
  (forall c x, In c (classes k xs) -> In x (snd c) -> (forall y, In y (snd c) -> before y x = false) -> proper F cfg x /\ first_is F x c) ->
  wp (exec_all exec class_part)
     (State (locals_at first_ sweep (Some (VInt (Z.of_nat k))) (Some (VRef v)) cl a b (Some (nu_value nu)) complete values best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = Next /\ exists more firsts es nu' h' cl' a' b' e',
        s' = State (locals_at first_ sweep (Some (VInt (Z.of_nat k))) (Some (VRef v)) cl' a' b' (Some (nu_value nu')) complete values best (Z.of_nat left) expanded e' t) h' /\
        Forall2 (first_is F) firsts (classes k xs) /\
        chosen_in F cfg v pe pv (h ++ more) (VRef at_tree) sweep t (Z.of_nat k) es h' /\
        choose F cfg firsts nu left = (map expansion_of es, map (request_of F) (all_wanted es), nu')).
Proof.
  intros Ht Hap Hk Hleft V1 E1 W1 N1 Np Ncap Hleast.
  destruct (least_is_there F cfg own at_tree xs h k Ht Hk) as (by_norm & depth_ & count_ & q & levels & bs & least_ & O1 & O2 & Ek & Least).
  let b := eval vm_compute in class_part in change class_part with b. unfold hunt_locals. run.
  rewrite map_length, position_of_nat by (apply nth_error_Some; congruence). rewrite nth_error_map, Ek. cbn [option_map]. run.
  eapply wp_is_done; [apply the_text_decides_as_line_6|]. run.
  assert (Firsts : forall rs, Forall2 (first_at F cfg h) rs (classes k xs) -> exists firsts, Forall2 (first_in F cfg h) rs firsts /\
    Forall2 (first_is F) firsts (classes k xs) /\ forall x, In x firsts -> less F (Model.best x) least_ = false).
  { assert (Of_the_depth : forall c x, In c (classes k xs) -> In x (snd c) -> less F (Model.best x) least_ = false).
    { intros [r ys] x Hc Hx. destruct (classes_hold_only_leaves_of_their_depth_and_norm k xs r ys Hc) as [_ Hy].
      destruct (Hy x Hx) as (Y1 & Y2 & _). now apply Least. }
    intros rs Hfirst. revert Hleast Of_the_depth. clear - Hfirst.
    induction Hfirst as [|r c rs cs (m & x & rest & Hr & Hm & Hx & Hy) _ IH]; intros Hleast Of_the_depth.
    - exists []. split; [constructor|]. split; [constructor|easy].
    - destruct IH as (firsts & I1 & I2 & I3); [intros c' x' Hc'; apply Hleast; now right|intros c' x' Hc'; apply Of_the_depth; now right|].
      destruct (Hleast c x (or_introl eq_refl) Hx Hy) as [P1 P2]. exists (x :: firsts). split; [|split].
      + constructor; [now exists m, rest|exact I1].
      + now constructor.
      + intros y [<-|Hyf]; [exact (Of_the_depth c x (or_introl eq_refl) Hx)|now apply I3]. }
  lazymatch goal with |- context [State ?ns h] =>
    destruct (the_text_lists_the_classes F cfg order (S (S (S (S (S (S fuel)))))) ns h own at_tree xs k Ht Hk) as (more & c & rs & Call2 & Lc & Hc & Hrs & Hfirst) end.
  destruct (Firsts rs Hfirst) as (firsts & F1 & F2 & F3).
  apply wp_weaken with (P := fun v0 s' => exists more c rs' firsts', v0 = VRef c /\ s' = State (locals_at first_ sweep (Some (VInt (Z.of_nat k)))
    (Some (VRef v)) cl a b (Some (nu_value nu)) complete values best (Z.of_nat left) expanded e t) (h ++ more) /\ (List.length h <= c)%nat /\
    nth_error (h ++ more) c = Some (ListObject (map VRef rs')) /\ Forall2 (first_in F cfg h) rs' firsts' /\
    choose F cfg firsts nu left = choose F cfg firsts' nu left).
  { destruct (below (less F) least_ nu) eqn:Eb; run.
    - eapply wp_is_done; [exact Call2|]. exists more, c, rs, firsts. repeat (split; [reflexivity|]). auto.
    - exists [ListObject []], (List.length h), [], []. split; [reflexivity|]. split; [reflexivity|]. split; [lia|]. split; [apply nth_error_app_here|].
      split; [constructor|]. clear - F3 Eb order. revert F3. induction firsts as [|x firsts IH]; intros F3; [reflexivity|]. cbn [choose].
      replace (below (less F) (Model.best x) nu) with false; [apply IH; intros y Hy; apply F3; now right|].
      destruct nu as [w|]; [|discriminate Eb]. symmetry. exact (at_most_trans (less F) order w least_ _ Eb (F3 x (or_introl eq_refl))). }
  clear more c rs Call2 Lc Hc Hrs Hfirst F1. intros v0 s' (more & c & rs & firsts' & -> & -> & Lc & Hc & F1 & Same).
  assert (App : forall m o, nth_error h m = Some o -> nth_error (h ++ more) m = Some o) by (intros m o; apply nth_error_app_old).
  assert (F4 : Forall2 (first_in F cfg (h ++ more)) rs firsts').
  { clear - F1 App. induction F1 as [|r x rs xs (m & rest & Hr & Hm & Hx) _ IH]; constructor; [|exact IH].
    exists m, rest. split; [now apply App|]. split; [now apply App|exact Hx]. }
  assert (Old : forall m, In m [v; pe; pv] -> (m < List.length h)%nat).
  { intros m [<-|[<-|[<-|[]]]]; eapply in_bounds; eassumption. }
  unfold hunt_locals. run.
  eapply wp_weaken; [apply (the_text_chooses_as_lines_4_to_9 F cfg d_pos fuel p cap side side_as_float at_tree v pe pv c (h ++ more) (VRef at_tree) sweep t sweep rs
    firsts' nu left (Z.of_nat k) first_ complete values best expanded (Some (VInt (Z.of_nat k))) a b e); [|exact Hleft]|].
  - destruct Hap as ((I1 & I2) & _).
    refine (conj (App _ _ V1) (conj (App _ _ E1) (conj (App _ _ W1) (conj Hc (conj (conj (App _ _ I1) (App _ _ I2)) (conj N1 (conj Np (conj Ncap (conj _ F4))))))))).
    intros C. specialize (Old c C). lia.
  - intros how s' (-> & es & nu' & h' & a' & b' & e' & -> & C1 & C2). run. split; [reflexivity|].
    exists more, firsts, es, nu', h', (Some (VRef c)), a', b', e'. split; [reflexivity|]. split; [exact F2|]. split; [exact C1|].
    now rewrite Same.
Qed.

Definition cut_part : list stmt := firstn 2 (skipn 3 (body_of depth_loop)).
Definition replace_loop : stmt := nth 7 (body_of depth_loop) Break.

(** How many expansions are complete if [left] evaluations are left. *)
Definition complete_ones (left : nat) (es : list (grown F)) (ws : list placed) : nat :=
  if (left <? List.length ws)%nat then (List.length es - 1)%nat else List.length es.

(** Claim [python-text]. If more evaluations are wanted than are left, the rest is not asked for, and the last expansion is not complete. *)
Theorem the_text_cuts_a_visit h first_ sweep lv cl a b nu complete values best left expanded e t v pe pv l es ws :
  nth_error h v = Some (visit_object (VRef at_tree) sweep t l pe pv) ->
  nth_error h pe = Some (ListObject (map expansion_value es)) ->
  nth_error h pv = Some (ListObject (map evaluation_value ws)) -> NoDup [v; pe; pv] ->
  wp (exec_all exec cut_part)
     (State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu complete values best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = Next /\ exists k h',
        s' = State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu (Some (VRef k)) values best (Z.of_nat left) expanded e t) h' /\
        same_but [pv] h h' /\ (k = pe \/ (List.length h <= k)%nat) /\
        nth_error h' k = Some (ListObject (map expansion_value (firstn (complete_ones left es ws) es))) /\
        nth_error h' pv = Some (ListObject (map evaluation_value (firstn left ws)))).
Proof.
  intros V1 E1 W1 Hn.
  assert (Nv : ~ In v [pv] /\ ~ In pe [pv]).
  { apply NoDup_cons_iff in Hn. destruct Hn as [N1 N2]. apply NoDup_cons_iff in N2. destruct N2 as [N2 _]. cbn in *. tauto. }
  destruct Nv as [Nv Ne].
  let b := eval vm_compute in cut_part in change cut_part with b.
  unfold TextOfHunter.visit_object in V1. unfold hunt_locals. run. run_builtin. run. rewrite map_length. unfold complete_ones.
  replace (Z.of_nat left <? Z.of_nat (List.length ws)) with (left <? List.length ws)%nat
    by (apply eq_true_iff_eq; rewrite Nat.ltb_lt, Z.ltb_lt; lia).
  destruct (left <? List.length ws)%nat eqn:El.
  - run. set (part := firstn _ _).
    assert (Hpart : part = map expansion_value (firstn (List.length es - 1) es)).
    { unfold part. rewrite map_length, <- firstn_map. f_equal. unfold bound.
      match goal with |- context [?a <? 0] => replace (a <? 0) with true by reflexivity end. lia. }
    rewrite Hpart. clear part Hpart. set (part := map expansion_value (firstn (List.length es - 1) es)).
    pose (h1 := h ++ [ListObject part]). change (h ++ [ListObject part]) with h1.
    assert (V2 : nth_error h1 v = Some (visit_object (VRef at_tree) sweep t l pe pv)) by now apply nth_error_app_old.
    assert (W2 : nth_error h1 pv = Some (ListObject (map evaluation_value ws))) by now apply nth_error_app_old.
    assert (P2 : nth_error h1 (List.length h) = Some (ListObject part)) by apply nth_error_app_here.
    assert (S2 : same_but [pv] h h1) by apply same_but_app.
    clearbody h1. unfold TextOfHunter.visit_object in V2. run.
    rewrite map_length, bound_of_nat. apply Nat.ltb_lt in El. rewrite Nat.min_r by lia. rewrite firstn_map.
    split; [reflexivity|]. exists (List.length h). eexists. split; [reflexivity|].
    split; [apply (same_but_trans _ _ h1); [exact S2|apply same_but_replace; now left]|]. split; [right; lia|].
    split; [|exact (nth_error_replaced _ _ _ _ W2)].
    apply (same_but_get [pv] h1); [apply same_but_replace; now left|exact P2|]. intros [Epv|[]]. apply in_bounds in W1. lia.
  - run. split; [reflexivity|]. exists pe, h. split; [reflexivity|]. split; [apply same_but_refl|]. split; [now left|].
    apply Nat.ltb_ge in El. now rewrite !firstn_all2 by lia.
Qed.

(** Claim [python-text]. Line 10 after the loop over the classes: the leaves are those after all complete expansions. *)
Theorem the_text_replaces_the_leaves own xs h first_ sweep lv visit_ cl a b nu values best left expanded e0 t k es ys :
  tree_in own at_tree xs h -> apart own h -> nth_error h k = Some (ListObject (map expansion_value es)) -> ~ In k own ->
  (forall e, In e es -> expansion_in h e) -> NoDup (new_places es) ->
  (forall m, In m (new_places es) -> ~ In m own /\ m <> k /\ m <> p /\ m <> cap) ->
  map expansion_of es = map (finished F oracle cfg) ys -> in_turn F oracle cfg ys xs ->
  wp (exec replace_loop)
     (State (locals_at first_ sweep lv visit_ cl a b nu (Some (VRef k)) values best left expanded e0 t) h)
     (fun how s' => how = Next /\ exists own' h' e,
        s' = State (locals_at first_ sweep lv visit_ cl a b nu (Some (VRef k)) values best left expanded e t) h' /\
        tree_in own' at_tree (fold_left (fun xs y => replaced y xs) ys xs) h' /\ apart own' h').
Proof.
  intros Ht Ha Hk Hko Hx Hn Hb Hys Hturn.
  let b := eval vm_compute in replace_loop in change replace_loop with b. unfold hunt_locals. run.
  pose (inv := fun i (s' : state F) => exists own' h' e,
    s' = State (locals_at first_ sweep lv visit_ cl a b nu (Some (VRef k)) values best left expanded e t) h' /\
    tree_in own' at_tree (fold_left (fun xs y => replaced y xs) (firstn i ys) xs) h' /\ apart own' h' /\
    nth_error h' k = Some (ListObject (map expansion_value es)) /\ ~ In k own' /\
    (forall e, In e (skipn i es) -> expansion_in h' e) /\ NoDup (new_places (skipn i es)) /\
    (forall m, In m (new_places (skipn i es)) -> ~ In m own') /\
    in_turn F oracle cfg (skipn i ys) (fold_left (fun xs y => replaced y xs) (firstn i ys) xs)).
  apply wp_loop with (inv := inv) (out := fun _ => False).
  - intros i s' (own' & h' & e & -> & _ & _ & Hk' & _). unfold elements, bind, get_object. cbn [objects]. now rewrite Hk'.
  - intros i item s' Hi (own' & h' & e & -> & T1 & A1 & K1 & O1 & X1 & D1 & B1 & M1).
    rewrite nth_error_map in Hi. destruct (nth_error es i) as [g|] eqn:Ei; [|discriminate]. injection Hi as <-.
    assert (Ey : exists y, nth_error ys i = Some y /\ expansion_of g = finished F oracle cfg y).
    { pose proof (map_nth_error expansion_of _ _ Ei) as E. rewrite Hys, nth_error_map in E. destruct (nth_error ys i) as [y|]; [|discriminate].
      exists y. split; [reflexivity|]. cbn [option_map] in E. congruence. }
    destruct Ey as (y & Ey & Eg). unfold TextOfChoose.expansion_of, finished in Eg. injection Eg as Eg1 Eg2.
    rewrite (skipn_nth _ _ _ Ei), (skipn_nth _ _ _ Ey) in *. destruct M1 as (M1 & M2 & (others & M3 & M4) & M5).
    destruct (X1 g (or_introl eq_refl)) as (X2 & X3 & X4). rewrite Eg1 in X2.
    cbn [TextOfChoose.new_places flat_map] in D1, B1. fold (new_places (skipn (S i) es)) in D1, B1.
    destruct (nodup_app_parts _ _ D1) as (D2 & D3 & D4).
    assert (Hin : forall m, In m (list_at F g :: map fst (kids F g)) -> ~ In m own').
    { intros m Hm. apply B1, in_or_app. left. exact Hm. }
    assert (Hg : In g es) by exact (nth_error_In _ _ Ei).
    assert (Hnew : forall m, In m (map fst (kids F g)) -> m <> k /\ m <> p /\ m <> cap).
    { intros m Hm. apply Hb. apply in_flat_map. exists g. split; [exact Hg|right; exact Hm]. }
    assert (Ne : kids F g <> []).
    { intros E. rewrite E in Eg2. symmetry in Eg2. apply map_eq_nil in Eg2. pose proof (length_children cfg (place y)) as L. rewrite Eg2 in L.
      unfold K in L. cbn in L. lia. }
    assert (Deep : forall z, In z (map snd (kids F g)) -> depth z = S (depth y)).
    { intros z Hz. rewrite Eg2 in Hz. apply in_map_iff in Hz. destruct Hz as (q & <- & Hq). apply in_children in Hq. destruct Hq as (c & _ & ->).
      assert (Dy : depth y = List.length (place y)) by (rewrite M1 at 1; apply depth_node_at). rewrite depth_node_at, Dy. reflexivity. }
    unfold TextOfChoose.expansion_value, hunt_locals. run.
    lazymatch goal with |- wp _ (State ?ns _) _ =>
      destruct (the_text_replaces_a_leaf F cfg order (S (S (S (S fuel)))) ns h' own' at_tree _ (fst (parent F g)) y others (list_at F g) (kids F g)
                  T1 X2 M3 M2 X3 X4 (Hin _ (or_introl eq_refl)) Ne Deep) as (own2 & h2 & Call2 & T2 & K2 & G2) end.
    eapply wp_is_done; [exact Call2|]. run. left. split; [reflexivity|].
    exists own2, h2. eexists. split; [reflexivity|].
    rewrite (firstn_one_more _ _ _ Ey), fold_left_app. cbn [fold_left]. split.
    { apply (tree_in_permutation F cfg own2 at_tree (map snd (kids F g) ++ others)); [|exact T2]. rewrite Eg2. symmetry. exact M4. }
    assert (Hlater : forall m, In m own2 -> In m own' \/ In m (map fst (kids F g)) \/ (List.length h' <= m)%nat) by exact G2.
    destruct K2 as [S2 F2].
    split.
    { apply (apart_later own' own2 (map fst (kids F g)) h' h2 A1 (conj S2 F2) Hlater); intros C; destruct (Hnew _ C) as (_ & N1 & N2); congruence. }
    split; [exact (same_but_get own' h' h2 k _ S2 K1 O1)|].
    split. { intros C. destruct (Hlater k C) as [C'|[C'|C']]; [exact (O1 C')|destruct (Hnew k C') as (N1 & _); congruence|]. apply in_bounds in K1. lia. }
    split.
    { intros g' Hg'. destruct (X1 g' (or_intror Hg')) as (Y1 & Y2 & Y3).
      assert (Hm : forall m, In m (list_at F g' :: map fst (kids F g')) -> ~ In m own').
      { intros m Hm. apply B1, in_or_app. right. apply in_flat_map. exists g'. exact (conj Hg' Hm). }
      split; [exact (F2 _ _ Y1)|]. split; [exact (same_but_get own' h' h2 _ _ S2 Y2 (Hm _ (or_introl eq_refl)))|].
      intros m z Hz. exact (F2 _ _ (Y3 m z Hz)). }
    split; [exact D3|]. split; [|exact M5].
    intros m Hm C. destruct (Hlater m C) as [C'|[C'|C']].
    + exact (B1 m (in_or_app _ _ _ (or_intror Hm)) C').
    + exact (D4 m (or_intror C') Hm).
    + apply in_flat_map in Hm. destruct Hm as (g' & Hg' & Hm). destruct (X1 g' (or_intror Hg')) as (_ & Y2 & Y3).
      destruct Hm as [<-|Hm]; [apply in_bounds in Y2; lia|].
      apply in_map_iff in Hm. destruct Hm as ([q z] & <- & Hy). apply Y3, in_bounds in Hy. cbn [fst] in C'. lia.
  - exists own, h, e0. cbn [firstn skipn fold_left].
    refine (conj eq_refl (conj Ht (conj Ha (conj Hk (conj Hko (conj Hx (conj Hn (conj _ Hturn)))))))).
    intros m Hm. exact (proj1 (Hb m Hm)).
  - intros s' [(own' & h' & e & -> & T1 & A1 & _)|[]]. split; [reflexivity|].
    pose proof (f_equal (@List.length _) Hys) as L. rewrite !map_length in L. rewrite map_length, L, firstn_all in T1.
    exists own', h', e. exact (conj eq_refl (conj T1 A1)).
Qed.

Definition yield_values : stmt := nth 5 (body_of depth_loop) Break.
Definition record_part : stmt := nth 6 (body_of depth_loop) Break.
Definition last_part : list stmt := skipn 8 (body_of depth_loop).

Lemma the_body_of_the_loop_over_depths :
  body_of depth_loop = first_part ++ class_part ++ cut_part ++ [yield_values] ++ [record_part] ++ [replace_loop] ++ last_part.
Proof. reflexivity. Qed.

(** Claim [python-text]. The visit is yielded, and what the caller sends are its values. *)
Theorem the_text_asks_for_values {seen} (shows : value F -> store F -> seen -> Prop) (sends : seen -> store F -> value F -> store F -> Prop) log h first_ sweep lv cl a b nu complete values best left expanded e t v what
  (R : list seen -> flow F -> state F -> Prop) :
  shows (VRef v) h what ->
  (forall x h', sends what h x h' ->
     R (what :: log) Next (State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu complete (Some x) best left expanded e t) h')) ->
  goes shows sends (exec yield_values) log
    (State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu complete values best left expanded e t) h) R.
Proof.
  intros Hs HR. let b := eval vm_compute in yield_values in change yield_values with b. unfold hunt_locals.
  do 4 generator_step. repeat step. eapply goes_yield; [exact Hs|].
  intros x h' Hx. cbv beta. apply goes_wp. repeat step. exact (HR x h' Hx).
Qed.

(** Claim [python-text]. The values of a visit go to its nodes and to the least value so far, and its evaluations are counted. *)
Theorem the_text_takes_the_values h first_ sweep lv cl a b nu complete x best left expanded e t v pe pv l es ws xs :
  nth_error h v = Some (visit_object (VRef at_tree) sweep t l pe pv) ->
  nth_error h pe = Some (ListObject (map expansion_value es)) ->
  nth_error h pv = Some (ListObject (map evaluation_value ws)) ->
  are_floats F h x xs -> List.length xs = List.length ws -> in_store h ws -> NoDup (map fst ws) ->
  (es = [] -> ws = []) -> (List.length ws <= left)%nat ->
  wp (exec record_part)
     (State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu complete (Some x) best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = Next /\
        s' = State (locals_at first_ sweep lv (Some (VRef v)) cl a b nu complete (Some x) (fold_left (least F) xs best)
                              (Z.of_nat (left - List.length ws)) (match es with [] => false | _ => true end || expanded) e t)
                   (record_all F cfg h (combine ws xs))).
Proof.
  intros V1 E1 W1 Hx Hlen Hin Hnd Hes Hleft.
  assert (Hnot : forall m o, nth_error h m = Some o -> (forall y, o <> node_object F cfg y) ->
                 nth_error (record_all F cfg h (combine ws xs)) m = Some o).
  { intros m o Hm Ho. rewrite record_all_elsewhere; [exact Hm|]. intros C. apply in_map_iff in C.
    destruct C as ([[q y] w] & <- & C). apply in_combine_l, Hin in C. cbn [fst] in Hm. rewrite Hm in C. injection C as ->.
    exact (Ho y eq_refl). }
  assert (V2 := Hnot v _ V1 (fun y => ltac:(discriminate))). assert (W2 := Hnot pv _ W1 (fun y => ltac:(discriminate))).

  let b := eval vm_compute in record_part in change record_part with b.
  unfold TextOfHunter.visit_object in V1, V2. unfold hunt_locals. run. rewrite map_length.
  destruct es as [|g es].
  - specialize (Hes eq_refl). subst ws. destruct xs; [|discriminate]. cbn [List.length Nat.eqb negb]. run.
    rewrite Nat.sub_0_r. split; reflexivity.
  - cbn [List.length Nat.eqb negb]. run.
    eapply wp_is_done; [exact (the_text_records_values F cfg _ v (VRef at_tree) sweep t l pe pv x best ws xs _ h V1 W1 Hx Hlen Hin Hnd)|].
    run. run_builtin. run. split; [reflexivity|]. rewrite map_length, Nat2Z.inj_sub by exact Hleft. reflexivity.
Qed.

(** Claim [python-text]. The number of visits is counted, and the loop over the depths ends if no evaluation is left. *)
Theorem the_text_ends_a_visit h first_ sweep lv visit_ cl a b nu complete values best left expanded e t :
  wp (exec_all exec last_part)
     (State (locals_at first_ sweep lv visit_ cl a b nu complete values best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = (if (left =? 0)%nat then Broken else Next) /\
        s' = State (locals_at first_ sweep lv visit_ cl a b nu complete values best (Z.of_nat left) expanded e (t + 1)) h).
Proof.
  let b := eval vm_compute in last_part in change last_part with b. unfold hunt_locals. run.
  replace (Z.of_nat left =? 0) with (left =? 0)%nat.
  2:{ apply eq_true_iff_eq. rewrite Nat.eqb_eq, Z.eqb_eq. lia. }
  destruct (left =? 0)%nat; run; split; reflexivity.
Qed.

End TextOfHunt.
