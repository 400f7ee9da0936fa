(** * hunt: the statements of one visit do what [visit_depth] of Program.v does.

    Of the tree it is supposed that its methods do what the functions of Program.v do ([tree_methods]): TextOfTree.v. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lists Lattice Model Order PriorityQueue Program ProgramLevels ProgramTree PythonSyntax Python SearchText PythonRules
  TextOfNode GeneratorRules TextOfHunter TextOfChoose.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfHunt.

Context (F : floats) (H : heapq) (cfg : settings).
#[local] Existing Instance greatest_float.
Context (order : total_order (less F)) (Q : priority_queue (before (less F))).

Local Notation d := (dimension cfg).
Local Notation node := (entry (float F)).
Local Notation tree := (Program.tree (float F) (less F) Q).
Local Notation node_object := (node_object F).
Local Notation placed := (placed F).
Local Notation in_store := (in_store F).
Local Notation references := (references F).
Local Notation wanted := (wanted F cfg).
Local Notation evaluation_value := (evaluation_value F).
Local Notation visit_object := (visit_object F).
Local Notation nu_value := (nu_value F).
Local Notation grown := (grown F).
Local Notation expansion_value := (expansion_value F).
Local Notation expansion_of := (expansion_of F).
Local Notation expansion_in := (expansion_in F).
Local Notation new_places := (new_places F).
Local Notation all_wanted := (all_wanted F cfg).
Local Notation request_of := (request_of F).
Local Notation str s := (s%string) (only parsing).

Hypothesis d_pos : (0 < d)%nat.

Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call H search_py deep None) (fun v => call H search_py deep (Some v)) deep).

(** ** The methods of the tree *)

(** Of the objects of h only those at [own] may have changed, and of them no node. *)
Definition keeps (own : list nat) (h h' : store F) : Prop :=
  same_but own h h' /\ forall m x, nth_error h m = Some (node_object x) -> nth_error h' m = Some (node_object x).

(** The places of a tree afterwards: those before, those given to it, and new ones. *)
Definition grows (own : list nat) (h : store F) (own' new : list nat) : Prop :=
  forall m, In m own' -> In m own \/ In m new \/ (List.length h <= m)%nat.

(** [tree_in own l tr h]: the tree [tr] lies in h, its object at l, all its objects and nodes at the places [own]. *)
Variable tree_in : list nat -> nat -> tree -> store F -> Prop.

Record tree_methods : Prop := TreeMethods {
  tree_stays : forall own l tr h h', tree_in own l tr h ->
    (forall m, In m own -> nth_error h' m = nth_error h m) -> tree_in own l tr h';
  tree_is_there : forall own l tr h m, tree_in own l tr h -> In m own -> (m < List.length h)%nat;
  depth_is_there : forall own l tr h, tree_in own l tr h -> exists fields,
    nth_error h l = Some (Instance "Tree" fields) /\ find (str "depth") fields = Some (VInt (Z.of_nat (depth_of tr)));
  tree_begins : forall ns h, exists own l h',
    call H search_py deep None "Tree" [] [] (State ns h) = Done (VRef l) (State ns h') /\
    tree_in own l (Tree Q [] 0 0 0) h' /\ keeps [] h h' /\ grows [] h own [];
  tree_add : forall ns h own l tr m x, tree_in own l tr h -> nth_error h m = Some (node_object x) -> ~ In m own ->
    (h_of x <= List.length (levels tr))%nat -> exists own' h',
    call H search_py deep (Some (VRef l)) "add" [VRef m] [] (State ns h) = Done VNone (State ns h') /\
    tree_in own' l (add tr x) h' /\ keeps own h h' /\ grows own h own' [m];
  tree_replace : forall ns h own l tr m x c kids, tree_in own l tr h -> nth_error h m = Some (node_object x) ->
    (h_of x < List.length (levels tr))%nat -> In (nrm_of x) (map fst (heaps (level_at (h_of x) tr))) -> (0 < leaf_count tr)%nat ->
    nth_error h c = Some (ListObject (references kids)) -> in_store h kids -> NoDup (c :: map fst kids) ->
    (forall m', In m' (c :: map fst kids) -> ~ In m' own) ->
    (forall y, In y (map snd kids) -> (h_of y <= List.length (levels tr))%nat) -> exists own' h',
    call H search_py deep (Some (VRef l)) "replace" [VRef m; VRef c] [] (State ns h) = Done VNone (State ns h') /\
    tree_in own' l (replace tr (x, map snd kids)) h' /\ keeps own h h' /\ grows own h own' (map fst kids);
  tree_least : forall ns h own l tr k, tree_in own l tr h -> (k < List.length (levels tr))%nat -> exists own' h' f,
    call H search_py deep (Some (VRef l)) "least" [VInt (Z.of_nat k)] [] (State ns h) = Done (VFloat f) (State ns h') /\
    Program.equal (less F) f (fst (least_f_star (level_at k tr))) = true /\
    tree_in own' l (with_level k (snd (least_f_star (level_at k tr))) tr) h' /\ keeps own h h' /\ grows own h own' [];
  tree_classes : forall ns h own l tr k, tree_in own l tr h -> (k < List.length (levels tr))%nat -> exists own' h' c rs,
    call H search_py deep (Some (VRef l)) "norm_classes" [VInt (Z.of_nat k)] [] (State ns h) = Done (VRef c) (State ns h') /\
    In c own' /\ nth_error h' c = Some (ListObject (map VRef rs)) /\
    tree_in own' l (with_level k (snd (classes_of (level_at k tr))) tr) h' /\ keeps own h h' /\ grows own h own' [] /\
    Forall2 (fun r q => exists m x rest, In r own' /\ In m own' /\ nth_error h' r = Some (ListObject (VRef m :: rest)) /\
                        nth_error h' m = Some (node_object x) /\ first Q q = Some x) rs (fst (classes_of (level_at k tr)))
}.

Hypothesis methods : tree_methods.

(** ** Values go to the nodes of the expansions *)

Lemma in_store_elsewhere rs h xs : in_store h xs -> (forall m, In m (map fst xs) -> ~ In m (map (fun r => fst (fst r)) rs)) ->
  in_store (record_all F h rs) xs.
Proof. intros Hx Hn q y Hq. rewrite record_all_elsewhere; [now apply Hx|]. apply Hn. exact (in_map fst _ _ Hq). Qed.

Lemma recorded_places (xs : list placed) (vs : list (float F)) m :
  In m (map (fun r => fst (fst r)) (combine (wanted xs) vs)) -> In m (map fst xs).
Proof.
  intros Hm. apply in_map_iff in Hm. destruct Hm as ([px v] & <- & Hm). apply in_combine_l, filter_In in Hm.
  apply in_map. apply Hm.
Qed.

Lemma take_values_in_store xs : forall vs h, in_store h xs -> NoDup (map fst xs) ->
  exists ys, take_values (less F) cfg (map snd xs) vs = (map snd ys, skipn (List.length (wanted xs)) vs) /\
    map fst ys = map fst xs /\ in_store (record_all F h (combine (wanted xs) vs)) ys.
Proof.
  induction xs as [|[q y] xs IH]; intros vs h Hx Hn.
  - exists []. cbn. now split.
  - apply NoDup_cons_iff in Hn. destruct Hn as [Hq Hn]. cbn [map snd take_values TextOfHunter.wanted filter].
    fold (wanted xs).
    assert (Hx' : in_store h xs) by (intros q' y' Hin; apply Hx; now right).
    destruct (may_be_evaluated cfg y).
    + destruct vs as [|v vs].
      * exists ((q, y) :: xs). cbn [combine skipn List.length]. now split.
      * set (h1 := record_one F h ((q, y), v)).
        assert (Hx1 : in_store h1 xs).
        { apply (in_store_elsewhere [((q, y), v)] h xs Hx'). intros m Hm [<-|[]]. now apply Hq. }
        destruct (IH vs h1 Hx1 Hn) as (ys & E1 & E2 & E3). rewrite E1.
        exists ((q, recorded (less F) y v) :: ys). cbn [combine skipn List.length map snd fst record_all]. fold h1.
        split; [reflexivity|]. split; [now rewrite E2|]. intros q' y' [[= <- <-]|Hin]; [|now apply E3].
        rewrite record_all_elsewhere by (intros Hm; now apply Hq, (recorded_places xs vs)).
        unfold h1, record_one. cbn [fst snd]. apply (nth_error_replaced _ _ _ (node_object y)). apply Hx. now left.
    + destruct (IH vs h Hx' Hn) as (ys & E1 & E2 & E3). rewrite E1. exists ((q, y) :: ys). cbn [map snd fst].
      split; [reflexivity|]. split; [now rewrite E2|]. intros q' y' [[= <- <-]|Hin]; [|now apply E3].
      rewrite record_all_elsewhere by (intros Hm; now apply Hq, (recorded_places xs vs)). apply Hx. now left.
Qed.

(** The expansions after their values have come. *)
Definition same_places (e e' : grown) : Prop :=
  parent F e' = parent F e /\ list_at F e' = list_at F e /\ map fst (kids F e') = map fst (kids F e).

Lemma nodup_parts {A} (xs ys : list A) : NoDup (xs ++ ys) -> NoDup xs /\ NoDup ys /\ forall x, In x xs -> ~ In x ys.
Proof.
  induction xs as [|x xs IH]; cbn; intros Hn; [now repeat split; try constructor|].
  apply NoDup_cons_iff in Hn. destruct Hn as [Hx Hn]. destruct (IH Hn) as (N1 & N2 & N3). rewrite in_app_iff in Hx.
  split; [constructor; tauto|]. split; [exact N2|]. intros y [<-|Hy]; [tauto|now apply N3].
Qed.

Lemma combine_app_l {A B} (xs ys : list A) (vs : list B) :
  combine (xs ++ ys) vs = combine xs vs ++ combine ys (skipn (List.length xs) vs).
Proof. revert vs; induction xs as [|x xs IH]; intros [|v vs]; cbn; try reflexivity; [now destruct ys|]. now rewrite IH. Qed.

Lemma expansion_elsewhere rs h e : expansion_in h e ->
  (forall m, In m (fst (parent F e) :: list_at F e :: map fst (kids F e)) -> ~ In m (map (fun r : placed * float F => fst (fst r)) rs)) ->
  expansion_in (record_all F h rs) e.
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
  exists es', record (less F) cfg (map expansion_of es) vs = map expansion_of es' /\ Forall2 same_places es es' /\
    forall e, In e es' -> expansion_in (record_all F h (combine (all_wanted es) vs)) e.
Proof.
  induction es as [|e es IH]; intros vs h Hx Hn Hp Hb; [now exists []|].
  cbn [TextOfChoose.new_places flat_map] in Hn, Hb. fold (new_places es) in Hn, Hb.
  destruct (nodup_parts _ _ Hn) as (Hne & Hnes & Hdis).
  apply NoDup_cons_iff in Hne. destruct Hne as [Hl Hk].
  destruct (Hx e (or_introl eq_refl)) as (E1 & E2 & E3).
  destruct (take_values_in_store (kids F e) vs h E3 Hk) as (ys & T1 & T2 & T3).
  set (h1 := record_all F h (combine (wanted (kids F e)) vs)) in *.
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
Local Notation input_in := (input_in F cfg p cap side side_as_float).
Local Notation ready_to_choose := (ready_to_choose F cfg Q p cap side side_as_float).

Definition apart (own : list nat) (h : store F) : Prop :=
  input_in h /\ ~ In p own /\ ~ In cap own.

Lemma apart_later own own' new h h' : apart own h -> keeps own h h' -> grows own h own' new -> ~ In p new -> ~ In cap new ->
  apart own' h'.
Proof.
  intros ([I1 I2] & N1 & N2) [S _] G Np Nc. split; [|split].
  - split; [now apply (same_but_get own h)|now apply (same_but_get own h)].
  - intros Hp. destruct (G p Hp) as [?|[?|?]]; auto. apply in_bounds in I1. lia.
  - intros Hp. destruct (G cap Hp) as [?|[?|?]]; auto. apply in_bounds in I2. lia.
Qed.

Lemma apart_stays own ms h h' : apart own h -> same_but ms h h' -> ~ In p ms -> ~ In cap ms -> apart own h'.
Proof. intros (I & N1 & N2) S Np Nc. split; [now apply (input_stays F cfg p cap side side_as_float ms h)|now split]. Qed.

Lemma less_of_equal a b w : Program.equal (less F) a b = true -> less F a w = less F b w.
Proof.
  unfold Program.equal. intros E. apply andb_true_iff in E. destruct E as [E1 E2]. apply negb_true_iff in E1, E2.
  destruct (less F a w) eqn:A, (less F b w) eqn:B; try reflexivity; exfalso.
  - pose proof (at_most_trans (less F) order w b a B E1) as T. unfold at_most in T. congruence.
  - pose proof (at_most_trans (less F) order w a b A E2) as T. unfold at_most in T. congruence.
Qed.

Lemma set_level_twice k lv lv' (ls : list (level (float F) (less F) Q)) : set_level k lv (set_level k lv' ls) = set_level k lv ls.
Proof. revert ls; induction k as [|k IH]; intros [|l ls]; cbn; try reflexivity; now rewrite IH. Qed.

(** What line 4 reads of the tree. *)
Lemma norm_classes_is k nu (tr : tree) :
  let lv := level_at k tr in
  let tr1 := with_level k (snd (least_f_star lv)) tr in
  norm_classes k nu tr =
  if below (less F) (fst (least_f_star lv)) nu then
    (fst (classes_of (level_at k tr1)), with_level k (snd (classes_of (level_at k tr1))) tr1)
  else ([], tr1).
Proof.
  cbv zeta. unfold norm_classes, with_level. destruct (least_f_star (level_at k tr)) as [f lv1].
  cbn [fst snd levels leaf_count pushes pops]. rewrite !level_at_set, !Nat.eqb_refl, set_level_twice.
  change (match nu with None => true | Some b => less F f b end) with (below (less F) f nu).
  now destruct (below (less F) f nu), (classes_of lv1) as [qs lv2].
Qed.

Variable at_tree : nat.
Local Notation locals_at := (hunt_locals F cfg p at_tree).

(** A dataclass of the text makes an object. *)
Ltac run_dataclass :=
  lazymatch goal with
  | |- wp (call ?H ?m (S ?n) None ?k ?vs ?kws) ?s ?Q =>
      with_class k m ltac:(fun bases body decorators =>
        apply (wp_call_class H m n k (bases, body, decorators) vs kws s Q); [vm_compute; reflexivity|vm_compute; reflexivity|];
        eapply (wp_make_object m _ _ n k body); [vm_compute; reflexivity|vm_compute; reflexivity|])
  end.

Definition first_part : list stmt := firstn 2 (body_of depth_loop).

(** Claim [python-text]. The first statements of a visit make the visit and read from the tree what line 4 reads in the program. *)
Theorem the_text_begins_a_visit own (tr : tree) h first_ sweep k visit_ classes_ a b nu complete values best left expanded e t :
  tree_in own at_tree tr h -> apart own h -> (k < List.length (levels tr))%nat ->
  (forall q x, In q (fst (norm_classes k nu tr)) -> first Q q = Some x -> List.length (c_of x) = d) ->
  wp (exec_all exec first_part)
     (State (locals_at first_ sweep (Some (VInt (Z.of_nat k))) visit_ classes_ a b (Some (nu_value nu)) complete values best left expanded e t) h)
     (fun how s' => how = Next /\ exists own' h' v pe pv c rs,
        s' = State (locals_at first_ sweep (Some (VInt (Z.of_nat k))) (Some (VRef v)) (Some (VRef c)) a b (Some (nu_value nu))
                              complete values best left expanded e t) h' /\
        tree_in own' at_tree (snd (norm_classes k nu tr)) h' /\ apart own' h' /\
        ready_to_choose v pe pv c h' (VRef at_tree) sweep t rs (fst (norm_classes k nu tr)) (Z.of_nat k) /\
        forall m, In m [v; pe; pv] -> ~ In m own').
Proof.
  intros Ht Hap Hk Hc.
  let b := eval vm_compute in first_part in change first_part with b. unfold hunt_locals. run.
  run_dataclass. run. run_builtin. run. run_builtin. run. cbn [objects locals values_of]. run.
  rewrite !app_length. cbn [List.length]. rewrite <- !app_assoc. cbn [app].
  set (v := (List.length h + 1 + 1)%nat). set (pv := (List.length h + 1)%nat). set (pe := List.length h).
  set (h1 := h ++ _).
  assert (S1 : same_but [] h h1) by apply same_but_app.
  assert (L1 : List.length h1 = (List.length h + 3)%nat) by (unfold h1; rewrite app_length; reflexivity).
  assert (E1 : nth_error h1 pe = Some (ListObject [])).
  { unfold h1, pe. now rewrite nth_error_app_here. }
  assert (W1 : nth_error h1 pv = Some (ListObject [])) by (unfold h1, pv; now rewrite nth_error_app_later).
  assert (V1 : nth_error h1 v = Some (visit_object (VRef at_tree) sweep t (Z.of_nat k) pe pv)).
  { unfold h1, v. rewrite <- Nat.add_assoc. now rewrite nth_error_app_later. }
  assert (T1 : tree_in own at_tree tr h1).
  { apply (tree_stays methods own at_tree tr h); [exact Ht|]. intros m Hm. apply S1; [exact (tree_is_there methods own at_tree tr h m Ht Hm)|apply (in_nil (A := nat))]. }
  assert (A1 : apart own h1) by (apply (apart_stays own [] h); auto).
  assert (O1 : forall m, In m [v; pe; pv] -> ~ In m own).
  { intros m Hm Hin. apply (tree_is_there methods own at_tree tr h m Ht) in Hin. destruct Hm as [<-|[<-|[<-|[]]]]; unfold v, pe, pv in *; lia. }
  clearbody h1.
  assert (B1 : forall m, In m [v; pe; pv] -> (m < List.length h1)%nat).
  { intros m [<-|[<-|[<-|[]]]]; unfold v, pe, pv; lia. }
  assert (N1 : NoDup [v; pe; pv]).
  { unfold v, pe, pv. repeat constructor; cbn; lia. }
  assert (P1 : ~ In p [v; pe; pv] /\ ~ In cap [v; pe; pv]).
  { destruct Hap as ([I1 I2] & _). apply in_bounds in I1, I2. cbn. unfold v, pe, pv. lia. }
  clearbody v pe pv.
  lazymatch goal with |- wp _ (State ?ns _) _ => destruct (tree_least methods ns h1 own at_tree tr k T1 Hk) as (own2 & h2 & f & Call2 & Ef & T2 & K2 & G2) end.
  eapply wp_is_done; [exact Call2|]. run. eapply wp_is_done; [apply the_text_decides_as_line_6|]. run.
  assert (A2 : apart own2 h2) by (apply (apart_later own own2 [] h1); auto; apply (in_nil (A := nat))).
  assert (O2 : forall m, In m [v; pe; pv] -> ~ In m own2).
  { intros m Hm Hin. destruct (G2 m Hin) as [C|[C|C]]; [now apply (O1 m)|destruct C|]. specialize (B1 m Hm). lia. }
  assert (get2 : forall m o, In m [v; pe; pv] -> nth_error h1 m = Some o -> nth_error h2 m = Some o).
  { intros m o Hm Ho. apply (same_but_get own h1); [apply K2|exact Ho|now apply O1]. }
  pose proof (get2 v _ ltac:(now left) V1) as V2. pose proof (get2 pe _ ltac:(right; now left) E1) as E2.
  pose proof (get2 pv _ ltac:(right; right; now left) W1) as W2.
  pose proof (norm_classes_is k nu tr) as Hnorm. cbv zeta in Hnorm. rewrite Hnorm in *.
  replace (below (less F) f nu) with (below (less F) (fst (least_f_star (level_at k tr))) nu).
  2:{ destruct nu as [w|]; [|reflexivity]. cbn [below]. symmetry. now apply less_of_equal. }
  destruct (below (less F) (fst (least_f_star (level_at k tr))) nu).
  - run. set (tr1 := with_level k (snd (least_f_star (level_at k tr))) tr) in *.
    assert (Hk1 : (k < List.length (levels tr1))%nat).
    { unfold tr1, with_level. cbn [levels]. rewrite length_set_level. lia. }
    lazymatch goal with |- wp _ (State ?ns _) _ => destruct (tree_classes methods ns h2 own2 at_tree tr1 k T2 Hk1) as (own3 & h3 & c & rs & Call3 & Hc3 & R3 & T3 & K3 & G3 & Q3) end.
    eapply wp_is_done; [exact Call3|]. run. split; [reflexivity|]. cbn [fst snd] in *.
    assert (get3 : forall m o, In m [v; pe; pv] -> nth_error h2 m = Some o -> nth_error h3 m = Some o).
    { intros m o Hm Ho. apply (same_but_get own2 h2); [apply K3|exact Ho|now apply O2]. }
    assert (O3 : forall m, In m [v; pe; pv] -> ~ In m own3).
    { intros m Hm Hin. destruct (G3 m Hin) as [C|[C|C]]; [now apply (O2 m)|destruct C|]. specialize (B1 m Hm). destruct K2 as [[L2 _] _]. lia. }
    assert (A3 : apart own3 h3) by (apply (apart_later own2 own3 [] h2); auto; apply (in_nil (A := nat))).
    exists own3, h3, v, pe, pv, c, rs. split; [reflexivity|]. split; [exact T3|]. split; [exact A3|]. split; [|exact O3].
    refine (conj (get3 v _ (or_introl eq_refl) V2) (conj (get3 pe _ (or_intror (or_introl eq_refl)) E2)
      (conj (get3 pv _ (or_intror (or_intror (or_introl eq_refl))) W2) (conj R3 (conj (proj1 A3) (conj N1
      (conj (proj1 P1) (conj (proj2 P1) (conj _ _))))))))); [intros Hin; now apply (O3 c)|].
    clear - Q3 Hc. induction Q3 as [|r q rs qs (m & x & rest & _ & _ & Hr & Hm & Hf) Q3 IH]; constructor.
    + exists m, x, rest. repeat split; auto. apply (Hc q x); [now left|exact Hf].
    + apply IH. intros q' x' Hq'. apply Hc. now right.
  - run. split; [reflexivity|]. cbn [fst snd].
    assert (S3 : same_but [] h2 (h2 ++ [ListObject []])) by apply same_but_app.
    assert (A3 : apart own2 (h2 ++ [ListObject []])) by (apply (apart_stays own2 [] h2); auto).
    exists own2, (h2 ++ [ListObject []]), v, pe, pv, (List.length h2), [].
    split; [reflexivity|]. split.
    { apply (tree_stays methods own2 at_tree _ h2); [exact T2|]. intros m Hm. apply S3; [exact (tree_is_there methods own2 at_tree _ h2 m T2 Hm)|apply (in_nil (A := nat))]. }
    split; [exact A3|]. split; [|exact O2].
    refine (conj (nth_error_app_old _ _ _ _ V2) (conj (nth_error_app_old _ _ _ _ E2) (conj (nth_error_app_old _ _ _ _ W2)
      (conj (nth_error_app_here _ _ _) (conj (proj1 A3) (conj N1 (conj (proj1 P1) (conj (proj2 P1) (conj _ (Forall2_nil _)))))))))).
    intros Hin. specialize (B1 _ Hin). destruct K2 as [[L2 _] _]. lia.
Qed.

Definition cut_part : list stmt := firstn 2 (skipn 3 (body_of depth_loop)).
Definition replace_loop : stmt := nth 7 (body_of depth_loop) Break.

(** How many expansions are complete if [left] evaluations are left. *)
Definition complete_ones (left : nat) (es : list grown) (ws : list placed) : nat :=
  if (left <? List.length ws)%nat then (List.length es - 1)%nat else List.length es.

(** Claim [python-text]. If more evaluations are wanted than are left, the rest is not asked for, and the last expansion is not complete. *)
Theorem the_text_cuts_a_visit h first_ sweep lv classes_ a b nu complete values best left expanded e t v pe pv l es ws :
  nth_error h v = Some (visit_object (VRef at_tree) sweep t l pe pv) ->
  nth_error h pe = Some (ListObject (map expansion_value es)) ->
  nth_error h pv = Some (ListObject (map evaluation_value ws)) -> NoDup [v; pe; pv] ->
  wp (exec_all exec cut_part)
     (State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu complete values best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = Next /\ exists k h',
        s' = State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu (Some (VRef k)) values best (Z.of_nat left) expanded e t) h' /\
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

(** Each leaf is there when its turn comes. *)
Fixpoint may_replace (tr : tree) (es : list grown) : Prop :=
  match es with
  | [] => True
  | e :: rest =>
      let x := snd (parent F e) in
      (h_of x < List.length (levels tr))%nat /\ In (nrm_of x) (map fst (heaps (level_at (h_of x) tr))) /\
      (0 < leaf_count tr)%nat /\ (forall y, In y (map snd (kids F e)) -> (h_of y <= List.length (levels tr))%nat) /\
      may_replace (replace tr (expansion_of e)) rest
  end.

(** Claim [python-text]. Line 10 after the loop over the classes: the tree is that of the program after all complete expansions. *)
Theorem the_text_replaces_the_leaves own (tr : tree) h first_ sweep lv visit_ classes_ a b nu values best left expanded e0 t k es :
  tree_in own at_tree tr h -> apart own h -> nth_error h k = Some (ListObject (map expansion_value es)) -> ~ In k own ->
  (forall e, In e es -> expansion_in h e) -> NoDup (new_places es) ->
  (forall m, In m (new_places es) -> ~ In m own /\ m <> k /\ m <> p /\ m <> cap) -> may_replace tr es ->
  wp (exec replace_loop)
     (State (locals_at first_ sweep lv visit_ classes_ a b nu (Some (VRef k)) values best left expanded e0 t) h)
     (fun how s' => how = Next /\ exists own' h' e,
        s' = State (locals_at first_ sweep lv visit_ classes_ a b nu (Some (VRef k)) values best left expanded e t) h' /\
        tree_in own' at_tree (fold_left (replace (Q := Q)) (map expansion_of es) tr) h' /\ apart own' h' /\
        (List.length h <= List.length h')%nat /\ forall m x, nth_error h m = Some (node_object x) -> nth_error h' m = Some (node_object x)).
Proof.
  intros Ht Ha Hk Hko Hx Hn Hb Hmay.
  let b := eval vm_compute in replace_loop in change replace_loop with b. unfold hunt_locals. run.
  pose (inv := fun i (s' : state F) => exists own' h' e,
    s' = State (locals_at first_ sweep lv visit_ classes_ a b nu (Some (VRef k)) values best left expanded e t) h' /\
    tree_in own' at_tree (fold_left (replace (Q := Q)) (map expansion_of (firstn i es)) tr) h' /\ apart own' h' /\
    nth_error h' k = Some (ListObject (map expansion_value es)) /\ ~ In k own' /\
    (forall e, In e (skipn i es) -> expansion_in h' e) /\ NoDup (new_places (skipn i es)) /\
    (forall m, In m (new_places (skipn i es)) -> ~ In m own') /\
    may_replace (fold_left (replace (Q := Q)) (map expansion_of (firstn i es)) tr) (skipn i es) /\
    (List.length h <= List.length h')%nat /\ forall m x, nth_error h m = Some (node_object x) -> nth_error h' m = Some (node_object x)).
  apply wp_loop with (inv := inv) (out := fun _ => False).
  - intros i s' (own' & h' & e & -> & _ & _ & Hk' & _). unfold elements, bind, get_object. cbn [objects]. now rewrite Hk'.
  - intros i item s' Hi (own' & h' & e & -> & T1 & A1 & K1 & O1 & X1 & D1 & B1 & M1 & L1 & F1).
    rewrite nth_error_map in Hi. destruct (nth_error es i) as [g|] eqn:Ei; [|discriminate]. injection Hi as <-.
    rewrite (skipn_nth _ _ _ Ei) in *. destruct M1 as (M1 & M2 & M3 & M4 & M5).
    destruct (X1 g (or_introl eq_refl)) as (X2 & X3 & X4).
    cbn [TextOfChoose.new_places flat_map] in D1, B1. fold (new_places (skipn (S i) es)) in D1, B1.
    destruct (nodup_parts _ _ D1) as (D2 & D3 & D4).
    assert (Hin : forall m, In m (list_at F g :: map fst (kids F g)) -> ~ In m own').
    { intros m Hm. apply B1, in_or_app. left. exact Hm. }
    assert (Hg : In g es) by exact (nth_error_In _ _ Ei).
    assert (Hnew : forall m, In m (map fst (kids F g)) -> m <> k /\ m <> p /\ m <> cap).
    { intros m Hm. apply Hb. apply in_flat_map. exists g. split; [exact Hg|right; exact Hm]. }
    unfold TextOfChoose.expansion_value, hunt_locals. run.
    lazymatch goal with |- wp _ (State ?ns _) _ =>
      destruct (tree_replace methods ns h' own' at_tree _ (fst (parent F g)) (snd (parent F g)) (list_at F g) (kids F g)
                  T1 X2 M1 M2 M3 X3 X4 D2 Hin M4) as (own2 & h2 & Call2 & T2 & K2 & G2) end.
    eapply wp_is_done; [exact Call2|]. run. left. split; [reflexivity|].
    exists own2, h2. eexists. split; [reflexivity|].
    assert (Hfold : fold_left (replace (Q := Q)) (map expansion_of (firstn (S i) es)) tr =
                    replace (fold_left (replace (Q := Q)) (map expansion_of (firstn i es)) tr) (expansion_of g)).
    { clear - Ei. revert i tr Ei. induction es as [|e' es' IH]; intros [|i] tr Ei; try discriminate Ei.
      - injection Ei as ->. reflexivity.
      - exact (IH i _ Ei). }
    rewrite Hfold. split; [exact T2|].
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
      intros m y Hy. exact (F2 _ _ (Y3 m y Hy)). }
    split; [exact D3|]. split.
    { intros m Hm C. destruct (Hlater m C) as [C'|[C'|C']].
      - exact (B1 m (in_or_app _ _ _ (or_intror Hm)) C').
      - exact (D4 m (or_intror C') Hm).
      - apply in_flat_map in Hm. destruct Hm as (g' & Hg' & Hm). destruct (X1 g' (or_intror Hg')) as (_ & Y2 & Y3).
        destruct Hm as [<-|Hm]; [apply in_bounds in Y2; lia|].
        apply in_map_iff in Hm. destruct Hm as ([q y] & <- & Hy). apply Y3, in_bounds in Hy. cbn [fst] in C'. lia. }
    split; [exact M5|]. destruct S2 as [L2 _]. split; [lia|]. intros m x Hm. exact (F2 _ _ (F1 m x Hm)).
  - exists own, h, e0. cbn [firstn skipn map fold_left].
    refine (conj eq_refl (conj Ht (conj Ha (conj Hk (conj Hko (conj Hx (conj Hn (conj _ (conj Hmay (conj (le_n _) (fun m x Hm => Hm))))))))))).
    intros m Hm. exact (proj1 (Hb m Hm)).
  - intros s' [(own' & h' & e & -> & T1 & A1 & _ & _ & _ & _ & _ & _ & L1 & F1)|[]]. split; [reflexivity|].
    rewrite map_length, firstn_all in T1. exists own', h', e.
    exact (conj eq_refl (conj T1 (conj A1 (conj L1 F1)))).
Qed.

Definition yield_values : stmt := nth 5 (body_of depth_loop) Break.
Definition record_part : stmt := nth 6 (body_of depth_loop) Break.
Definition last_part : list stmt := skipn 8 (body_of depth_loop).

Lemma the_body_of_the_loop_over_depths :
  body_of depth_loop = first_part ++ [class_loop] ++ cut_part ++ [yield_values] ++ [record_part] ++ [replace_loop] ++ last_part.
Proof. reflexivity. Qed.

(** Claim [python-text]. The visit is yielded, and what the caller sends are its values. *)
Theorem the_text_asks_for_values {seen} (shows : value F -> store F -> seen -> Prop) (sends : seen -> store F -> value F -> store F -> Prop) log h first_ sweep lv classes_ a b nu complete values best left expanded e t v what
  (R : list seen -> flow F -> state F -> Prop) :
  shows (VRef v) h what ->
  (forall x h', sends what h x h' ->
     R (what :: log) Next (State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu complete (Some x) best left expanded e t) h')) ->
  goes shows sends (exec yield_values) log
    (State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu complete values best left expanded e t) h) R.
Proof.
  intros Hs HR. let b := eval vm_compute in yield_values in change yield_values with b. unfold hunt_locals.
  do 4 generator_step. repeat step. eapply goes_yield; [exact Hs|].
  intros x h' Hx. cbv beta. apply goes_wp. repeat step. exact (HR x h' Hx).
Qed.

(** Claim [python-text]. The values of a visit go to its nodes and to the least value so far, and its evaluations are counted. *)
Theorem the_text_takes_the_values h first_ sweep lv classes_ a b nu complete x best left expanded e t v pe pv l es ws xs :
  nth_error h v = Some (visit_object (VRef at_tree) sweep t l pe pv) ->
  nth_error h pe = Some (ListObject (map expansion_value es)) ->
  nth_error h pv = Some (ListObject (map evaluation_value ws)) ->
  are_floats F h x xs -> List.length xs = List.length ws -> in_store h ws -> NoDup (map fst ws) ->
  (es = [] -> ws = []) -> (List.length ws <= left)%nat ->
  wp (exec record_part)
     (State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu complete (Some x) best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = Next /\
        s' = State (locals_at first_ sweep lv (Some (VRef v)) classes_ a b nu complete (Some x) (fold_left (min (less F)) xs best)
                              (Z.of_nat (left - List.length ws)) (match es with [] => false | _ => true end || expanded) e t)
                   (record_all F h (combine ws xs))).
Proof.
  intros V1 E1 W1 Hx Hlen Hin Hnd Hes Hleft.
  assert (Hnot : forall m o, nth_error h m = Some o -> (forall y, o <> node_object y) ->
                 nth_error (record_all F h (combine ws xs)) m = Some o).
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
    eapply wp_is_done; [exact (the_text_records_values F H _ v (VRef at_tree) sweep t l pe pv x best ws xs _ h V1 W1 Hx Hlen Hin Hnd)|].
    run. run_builtin. run. split; [reflexivity|]. rewrite map_length, Nat2Z.inj_sub by exact Hleft. reflexivity.
Qed.

(** Claim [python-text]. The number of visits is counted, and the loop over the depths ends if no evaluation is left. *)
Theorem the_text_ends_a_visit h first_ sweep lv visit_ classes_ a b nu complete values best left expanded e t :
  wp (exec_all exec last_part)
     (State (locals_at first_ sweep lv visit_ classes_ a b nu complete values best (Z.of_nat left) expanded e t) h)
     (fun how s' => how = (if (left =? 0)%nat then Broken else Next) /\
        s' = State (locals_at first_ sweep lv visit_ classes_ a b nu complete values best (Z.of_nat left) expanded e (t + 1)) h).
Proof.
  let b := eval vm_compute in last_part in change last_part with b. unfold hunt_locals. run.
  replace (Z.of_nat left =? 0) with (left =? 0)%nat.
  2:{ apply eq_true_iff_eq. rewrite Nat.eqb_eq, Z.eqb_eq. lia. }
  destruct (left =? 0)%nat; run; split; reflexivity.
Qed.

End TextOfHunt.
