(** * The tree of tree.py in a store.

    [tree_at h T n]: in the store h, at the places that T names, lies an object of the class Tree with n leaves.  For
    each depth it has a float and a dictionary from norms to lists of references to nodes.  No two of its places are the
    same, and none of them is a node's.  [holds T N xs]: these lists hold the leaves [xs], of depths below N, each list in
    the order of line 5, and no leaf is less than the float of its depth.  So the leaves of the model can be read off the
    store ([tree_in]). *)

From Coq Require Import Permutation String.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order PythonNodes.
From EmbeddedHunter Require Import PythonSyntax Python PythonRules TextOfNode.
Open Scope list_scope.
Open Scope nat_scope.

Section TreeInStore.

Context (F : floats) (cfg : settings).

Local Notation node := (leaf (float F)).
Local Notation node_object := (node_object F cfg).
Local Notation before := (before F cfg).
Local Notation str s := (s%string) (only parsing).

Definition node_in (h : store F) (m : nat) (x : node) : Prop := nth_error h m = Some (node_object x).

(** A class of a depth: its norm, where its list lies, and its nodes with their places. *)
Record class := Class { class_depth : nat; class_norm : Z; at_list : nat; members : list (nat * node) }.
(** Where the parts of a tree lie: its object, the list of its dictionaries, these, its classes, and the list of its floats. *)
Record tree_places := TreePlaces {
  at_tree : nat; at_levels : nat; at_dicts : list nat; classes_at : list class; at_least : nat; least_of_depths : list (float F)
}.

Definition items (i : nat) (cs : list class) : list (Z * value F) :=
  map (fun c => (class_norm c, VRef (at_list c))) (filter (fun c => class_depth c =? i) cs).
Definition owned (T : tree_places) : list nat := at_tree T :: at_levels T :: at_least T :: at_dicts T ++ map at_list (classes_at T).
Definition nodes_of (T : tree_places) : list nat := flat_map (fun c => map fst (members c)) (classes_at T).
Definition footprint (T : tree_places) : list nat := owned T ++ nodes_of T.

Definition tree_object (T : tree_places) (n : nat) : object F :=
  Instance "Tree" [(str "_by_norm", VBool true); (str "depth", VInt (Z.of_nat (pred (List.length (at_dicts T)))));
                   (str "leaf_count", VInt (Z.of_nat n)); (str "least", VRef (at_least T)); (str "_levels", VRef (at_levels T))].
Definition list_of (ms : list (nat * node)) : object F := ListObject (map (fun mx => VRef (fst mx)) ms).

Definition class_in (h : store F) (c : class) : Prop :=
  nth_error h (at_list c) = Some (list_of (members c)) /\ forall m x, In (m, x) (members c) -> node_in h m x.

Record tree_at (h : store F) (T : tree_places) (n : nat) : Prop := TreeAt {
  the_tree : nth_error h (at_tree T) = Some (tree_object T n);
  the_levels : nth_error h (at_levels T) = Some (ListObject (map VRef (at_dicts T)));
  the_least : nth_error h (at_least T) = Some (ListObject (map VFloat (least_of_depths T)));
  the_dicts : forall i d, nth_error (at_dicts T) i = Some d -> nth_error h d = Some (DictObject (items i (classes_at T)));
  the_classes : forall c, In c (classes_at T) -> class_in h c;
  nothing_is_shared : NoDup (owned T)
}.

(** The leaves that a tree holds, up to their order; N is the number of its depths. *)
Record holds (T : tree_places) (N : nat) (xs : list node) : Prop := Holds {
  depths : List.length (at_dicts T) = N;
  deep_enough : forall x, In x xs -> depth x < N;
  names_differ : NoDup (map (fun c => (class_depth c, class_norm c)) (classes_at T));
  each_class : forall c, In c (classes_at T) -> members c <> [] /\ StronglySorted (at_most before) (map snd (members c)) /\
    forall x, In x (map snd (members c)) -> depth x = class_depth c /\ norm x = class_norm c;
  all_leaves : Permutation (flat_map (fun c => map snd (members c)) (classes_at T)) xs;
  least_depths : List.length (least_of_depths T) = N;
  none_is_less : forall x b, In x xs -> nth_error (least_of_depths T) (depth x) = Some b -> less F (best x) b = false
}.

(** ** No two places are the same *)

Lemma owned_parts T : NoDup (owned T) <->
  at_tree T <> at_levels T /\ (~ In (at_tree T) (at_dicts T) /\ ~ In (at_tree T) (map at_list (classes_at T))) /\
  (~ In (at_levels T) (at_dicts T) /\ ~ In (at_levels T) (map at_list (classes_at T))) /\
  (at_tree T <> at_least T /\ at_levels T <> at_least T /\
   ~ In (at_least T) (at_dicts T) /\ ~ In (at_least T) (map at_list (classes_at T))) /\
  NoDup (at_dicts T) /\ NoDup (map at_list (classes_at T)) /\ forall d, In d (at_dicts T) -> ~ In d (map at_list (classes_at T)).
Proof.
  unfold owned. rewrite !NoDup_cons_iff. cbn [In]. rewrite !in_app_iff.
  set (ls := map at_list (classes_at T)).
  assert (E : NoDup (at_dicts T ++ ls) <-> NoDup (at_dicts T) /\ NoDup ls /\ forall d, In d (at_dicts T) -> ~ In d ls).
  { split; [apply nodup_app_parts|]. intros (A & B & C). now apply nodup_app. }
  rewrite E. intuition congruence.
Qed.

(** An object that is no node does not lie where a node lies. *)
Lemma no_node h l o m x : nth_error h l = Some o -> (forall y, o <> node_object y) -> node_in h m x -> l <> m.
Proof. intros Ho No Hm ->. apply (No x). unfold node_in in Hm. congruence. Qed.

(** ** The objects of a tree *)

(** At different places lie these objects, none of them a node. *)
Definition lie (h : store F) (cells : list (nat * object F)) : Prop :=
  NoDup (map fst cells) /\ forall l o, In (l, o) cells -> nth_error h l = Some o /\ forall x, o <> node_object x.

Lemma lie_write h pre l o o' post : lie h (pre ++ (l, o) :: post) -> (forall x, o' <> node_object x) ->
  lie (replace_at l o' h) (pre ++ (l, o') :: post) /\ forall m x, node_in h m x -> node_in (replace_at l o' h) m x.
Proof.
  intros [N L] No. destruct (L l o (in_elt _ _ _)) as [Ho No']. split; [split|].
  - now rewrite map_app in *.
  - rewrite map_app in N. cbn [map fst] in N. apply NoDup_remove_2 in N. rewrite <- map_app in N.
    intros l2 o2 Hin. apply in_elt_inv in Hin. destruct Hin as [[= -> ->]|Hin]; [split; [exact (nth_error_replaced _ _ _ _ Ho)|exact No]|].
    destruct (L l2 o2) as [L2 N2]; [apply in_app_or in Hin; apply in_or_app; cbn; tauto|]. split; [|exact N2].
    apply nth_error_replaced_apart; [|exact L2]. intros <-. exact (N (in_map fst _ _ Hin)).
  - intros m x Hm. apply nth_error_replaced_apart; [now apply (no_node h l o m x)|exact Hm].
Qed.

Lemma lie_new h pre o post : lie h (pre ++ post) -> (forall x, o <> node_object x) ->
  lie (h ++ [o]) (pre ++ (List.length h, o) :: post) /\ forall m x, node_in h m x -> node_in (h ++ [o]) m x.
Proof.
  intros [N L] No. split; [split|].
  - apply (Permutation_NoDup (l := map fst ((List.length h, o) :: pre ++ post))); [apply Permutation_map, Permutation_middle|].
    constructor; [|exact N]. intros C. apply in_map_iff in C. destruct C as ([l o'] & El & Hin). apply L in Hin. destruct Hin as [Hin _].
    apply in_bounds in Hin. cbn in El. lia.
  - intros l o' Hin. apply in_elt_inv in Hin. destruct Hin as [[= -> ->]|Hin]; [split; [apply nth_error_app_here|exact No]|].
    destruct (L l o' Hin) as [Hl No']. split; [now apply nth_error_app_old|exact No'].
  - intros m x. apply nth_error_app_old.
Qed.

Lemma lie_less h pre c post : lie h (pre ++ c :: post) -> lie h (pre ++ post).
Proof.
  intros [N L]. rewrite map_app in N. apply NoDup_remove_1 in N. rewrite <- map_app in N. split; [exact N|].
  intros l o Hin. apply L. apply in_app_or in Hin. apply in_or_app. cbn. tauto.
Qed.

Fixpoint dict_cells (i : nat) (ds : list nat) (cs : list class) : list (nat * object F) :=
  match ds with [] => [] | d :: rest => (d, DictObject (items i cs)) :: dict_cells (S i) rest cs end.

Lemma dict_cells_app ds ds' cs : forall i, dict_cells i (ds ++ ds') cs = dict_cells i ds cs ++ dict_cells (i + List.length ds) ds' cs.
Proof. induction ds as [|d ds IH]; intros i; cbn; [now rewrite Nat.add_0_r|]. now rewrite IH, Nat.add_succ_r. Qed.

Lemma dict_cells_same ds cs cs' : forall i, (forall j, i <= j < i + List.length ds -> items j cs = items j cs') -> dict_cells i ds cs = dict_cells i ds cs'.
Proof. induction ds as [|d ds IH]; intros i E; cbn in *; [reflexivity|]. rewrite E, IH; [reflexivity| |lia]. intros j Hj. apply E. lia. Qed.

Lemma in_dict_cells ds cs l o : forall i, In (l, o) (dict_cells i ds cs) <-> exists j, nth_error ds j = Some l /\ o = DictObject (items (i + j) cs).
Proof.
  induction ds as [|d ds IH]; intros i; cbn [dict_cells In]; [split; [easy|intros ([|j] & E & _); discriminate]|]. rewrite IH. split.
  - intros [[= <- <-]|(j & E & ->)]; [exists 0; now rewrite Nat.add_0_r|exists (S j); now rewrite Nat.add_succ_r].
  - intros ([|j] & E & ->); [left; injection E as ->; now rewrite Nat.add_0_r|right; exists j; now rewrite Nat.add_succ_r].
Qed.

Definition list_cells (cs : list class) : list (nat * object F) := map (fun c => (at_list c, list_of (members c))) cs.
Definition cells (T : tree_places) (n : nat) : list (nat * object F) :=
  (at_tree T, tree_object T n) :: (at_levels T, ListObject (map VRef (at_dicts T))) :: (at_least T, ListObject (map VFloat (least_of_depths T))) ::
  dict_cells 0 (at_dicts T) (classes_at T) ++ list_cells (classes_at T).

Lemma owned_cells T n : map fst (cells T n) = owned T.
Proof.
  unfold cells, owned. cbn [map fst]. do 3 f_equal. rewrite map_app. unfold list_cells. rewrite map_map. f_equal. generalize 0.
  induction (at_dicts T) as [|d ds IH]; intros i; cbn; [reflexivity|]. now rewrite IH.
Qed.

Lemma tree_at_cells h T n : tree_at h T n <->
  lie h (cells T n) /\ forall c m x, In c (classes_at T) -> In (m, x) (members c) -> node_in h m x.
Proof.
  unfold lie. rewrite owned_cells. split.
  - intros [E1 E2 EL E3 E4 E5]. split; [split; [exact E5|]|intros c m x Hc; now apply E4].
    intros l o [[= <- <-]|[[= <- <-]|[[= <- <-]|[Hl|Hl]%in_app_or]]]; try (split; [assumption|discriminate]).
    + apply in_dict_cells in Hl. destruct Hl as (j & Hj & ->). split; [now apply E3|discriminate].
    + apply in_map_iff in Hl. destruct Hl as (c & [= <- <-] & Hc). split; [now apply E4|discriminate].
  - intros [[N L] M]. split; [apply L; cbn; auto|apply L; cbn; auto|apply L; cbn; auto| | |exact N].
    + intros i d Hd. apply L. do 3 right. apply in_or_app. left. apply in_dict_cells. eauto.
    + intros c Hc. split; [|intros m x; now apply M]. apply L. do 3 right. apply in_or_app. right. apply in_map_iff. eauto.
Qed.

Lemma owned_is_there h T n l : tree_at h T n -> In l (owned T) -> exists o, nth_error h l = Some o /\ forall x, o <> node_object x.
Proof.
  intros Ht Hl. apply tree_at_cells in Ht. destruct Ht as [[_ L] _]. rewrite <- (owned_cells T n) in Hl.
  apply in_map_iff in Hl. destruct Hl as ([l' o] & <- & Hin). eauto.
Qed.

Lemma owned_is_no_node h T n m x : tree_at h T n -> node_in h m x -> ~ In m (owned T).
Proof. intros Ht Hm Hin. destruct (owned_is_there h T n m Ht Hin) as (o & Ho & No). now apply (no_node h m o m x Ho No Hm). Qed.

Lemma footprint_is_there h T n m : tree_at h T n -> In m (footprint T) -> m < List.length h.
Proof.
  intros Ht [Hm|Hm]%in_app_or.
  - destruct (owned_is_there h T n m Ht Hm) as (o & Ho & _). now apply (in_bounds h m o).
  - apply in_flat_map in Hm. destruct Hm as (c & Hc & Hm). apply in_map_iff in Hm. destruct Hm as ([q x] & <- & Hm).
    apply (in_bounds h q (node_object x)). now apply (the_classes h T n Ht c Hc).
Qed.

(** ** What changes the store *)

(** A store with the same objects at all these places. *)
Lemma tree_at_frame h h' T n : tree_at h T n -> (forall m, In m (footprint T) -> nth_error h' m = nth_error h m) -> tree_at h' T n.
Proof.
  intros [[N L] M]%tree_at_cells Same. apply tree_at_cells. split; [split; [exact N|]|].
  - intros l o Hin. destruct (L l o Hin) as [Ho No]. split; [|exact No]. rewrite Same; [exact Ho|].
    apply in_or_app. left. rewrite <- (owned_cells T n). exact (in_map fst _ _ Hin).
  - intros c m x Hc Hm. unfold node_in. rewrite Same; [now apply (M c)|]. apply in_or_app. right. apply in_flat_map.
    exists c. split; [exact Hc|exact (in_map fst _ _ Hm)].
Qed.

Lemma tree_at_app h more T n : tree_at h T n -> tree_at (h ++ more) T n.
Proof. intros Ht. apply (tree_at_frame h); [exact Ht|]. intros m Hm. apply nth_error_app1. now apply (footprint_is_there h T n). Qed.

(** The object of the tree is written anew: it has another number of leaves. *)
Lemma tree_with_count h T n n' : tree_at h T n -> tree_at (replace_at (at_tree T) (tree_object T n') h) T n'.
Proof.
  intros [L M]%tree_at_cells. apply tree_at_cells.
  destruct (lie_write h [] _ _ (tree_object T n') _ L ltac:(discriminate)) as [L1 S1]. split; [exact L1|]. eauto.
Qed.

(** A depth more. *)
Lemma tree_with_level h T n : tree_at h T n -> (forall c, In c (classes_at T) -> class_depth c < List.length (at_dicts T)) ->
  let T' := TreePlaces (at_tree T) (at_levels T) (at_dicts T ++ [List.length h]) (classes_at T) (at_least T) (least_of_depths T ++ [infinity F]) in
  tree_at (replace_at (at_tree T) (tree_object T' n)
             (replace_at (at_least T) (ListObject (map VFloat (least_of_depths T) ++ [VFloat (infinity F)]))
                (replace_at (at_levels T) (ListObject (map VRef (at_dicts T) ++ [VRef (List.length h)])) (h ++ [DictObject []])))) T' n.
Proof.
  intros [L M]%tree_at_cells Hdeep T'. apply tree_at_cells.
  destruct (lie_new h (_ :: _ :: _ :: dict_cells 0 (at_dicts T) (classes_at T)) (DictObject []) _ L ltac:(discriminate)) as [L1 S1].
  destruct (lie_write _ [_] _ _ (ListObject (map VRef (at_dicts T) ++ [VRef (List.length h)])) _ L1 ltac:(discriminate)) as [L2 S2].
  destruct (lie_write _ [_; _] _ _ (ListObject (map VFloat (least_of_depths T) ++ [VFloat (infinity F)])) _ L2 ltac:(discriminate)) as [L3 S3].
  destruct (lie_write _ [] _ _ (tree_object T' n) _ L3 ltac:(discriminate)) as [L4 S4]. split; [|eauto 6].
  unfold cells. cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths T'].
  rewrite dict_cells_app, !map_app, <- app_assoc. cbn [dict_cells Nat.add map app].
  replace (items (List.length (at_dicts T)) (classes_at T)) with (@nil (Z * value F)); [exact L4|].
  unfold items. replace (filter _ _) with (@nil class); [reflexivity|]. symmetry. clear - Hdeep.
  induction (classes_at T) as [|c cs IH]; [reflexivity|]. cbn [filter].
  rewrite (proj2 (Nat.eqb_neq _ _)) by (specialize (Hdeep c (or_introl eq_refl)); lia).
  apply IH. intros c' Hc'. apply Hdeep. now right.
Qed.

(** Another list of a class. *)
Lemma tree_with_members h T n pre c post ms : classes_at T = pre ++ c :: post -> tree_at h T n ->
  (forall m x, In (m, x) ms -> node_in h m x) ->
  tree_at (replace_at (at_list c) (list_of ms) h)
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (pre ++ Class (class_depth c) (class_norm c) (at_list c) ms :: post) (at_least T) (least_of_depths T)) n.
Proof.
  intros Ec [L M]%tree_at_cells Hms. apply tree_at_cells. unfold cells, list_cells in *. cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths].
  rewrite Ec, map_app, app_assoc in L. set (c' := Class _ _ _ ms).
  destruct (lie_write h (_ :: _ :: _ :: _ ++ _) _ _ (list_of ms) _ L ltac:(discriminate)) as [L1 S1]. split.
  - rewrite (dict_cells_same _ _ (pre ++ c :: post)), map_app, app_assoc; [exact L1|]. intros j _. unfold items. rewrite !filter_app, !map_app. cbn [filter c' class_depth].
    now destruct (class_depth c =? j).
  - intros b m x Hb Hm. apply S1. apply in_elt_inv in Hb. destruct Hb as [->|Hb]; [now apply Hms|]. apply (M b); [|exact Hm].
    rewrite Ec. apply in_app_or in Hb. apply in_or_app. cbn. tauto.
Qed.

(** The dictionary of a depth is written anew, and other classes have the same places in the other dictionaries. *)
Lemma dict_written T i d cs o : nth_error (at_dicts T) i = Some d -> (forall j, j <> i -> items j cs = items j (classes_at T)) ->
  exists before after, dict_cells 0 (at_dicts T) (classes_at T) = before ++ (d, DictObject (items i (classes_at T))) :: after /\
    (items i cs = o -> dict_cells 0 (at_dicts T) cs = before ++ (d, DictObject o) :: after).
Proof.
  intros (l1 & l2 & -> & <-)%nth_error_split Same. rewrite !dict_cells_app. cbn [dict_cells Nat.add].
  exists (dict_cells 0 l1 (classes_at T)), (dict_cells (S (List.length l1)) l2 (classes_at T)). split; [reflexivity|]. intros <-.
  f_equal; [|f_equal]; apply dict_cells_same; intros j Hj; apply Same; lia.
Qed.

(** A class without members more. *)
Lemma tree_with_class h T n i d r : tree_at h T n -> nth_error (at_dicts T) i = Some d ->
  tree_at (replace_at d (DictObject (items i (classes_at T) ++ [(r, VRef (List.length h))])) (h ++ [ListObject []]))
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (classes_at T ++ [Class i r (List.length h) []]) (at_least T) (least_of_depths T)) n.
Proof.
  intros [L M]%tree_at_cells Hi. apply tree_at_cells. unfold cells, list_cells in *. cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths].
  set (c := Class i r (List.length h) []).
  destruct (dict_written T i d (classes_at T ++ [c]) (items i (classes_at T) ++ [(r, VRef (List.length h))]) Hi) as (before & after & E & E').
  { intros j Hj. unfold items. rewrite filter_app, map_app. cbn [filter c class_depth]. rewrite (proj2 (Nat.eqb_neq i j)) by auto. apply app_nil_r. }
  rewrite E' by (unfold items; rewrite filter_app, map_app; cbn [filter c class_depth]; now rewrite Nat.eqb_refl).
  rewrite E, <- (app_nil_r (map _ (classes_at T))), app_assoc in L.
  destruct (lie_new h (_ :: _ :: _ :: _ ++ _) (ListObject []) [] L ltac:(discriminate)) as [L1 S1].
  cbn [app] in L1. rewrite <- !app_assoc in L1.
  destruct (lie_write _ (_ :: _ :: _ :: before) _ _ (DictObject (items i (classes_at T) ++ [(r, VRef (List.length h))])) _ L1 ltac:(discriminate)) as [L2 S2].
  split; [rewrite map_app, <- app_assoc; exact L2|]. intros b m x [Hb|[<-|[]]]%in_app_or Hm; [eauto|easy].
Qed.

(** A class less. *)
Lemma tree_without_class h T n pre c post d : classes_at T = pre ++ c :: post -> tree_at h T n ->
  NoDup (map (fun c => (class_depth c, class_norm c)) (classes_at T)) -> nth_error (at_dicts T) (class_depth c) = Some d ->
  tree_at (replace_at d (DictObject (delete_key (class_norm c) (items (class_depth c) (classes_at T)))) h)
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (pre ++ post) (at_least T) (least_of_depths T)) n.
Proof.
  intros Ec [L M]%tree_at_cells Hnames Hi. apply tree_at_cells. unfold cells, list_cells in *. cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths].
  destruct (dict_written T _ d (pre ++ post) (delete_key (class_norm c) (items (class_depth c) (classes_at T))) Hi) as (before & after & E & E').
  { intros j Hj. unfold items. rewrite Ec, !filter_app. cbn [filter]. now rewrite (proj2 (Nat.eqb_neq _ _)) by auto. }
  rewrite E'.
  2:{ rewrite Ec in *. unfold items. rewrite !filter_app, !map_app. cbn [filter]. rewrite Nat.eqb_refl. cbn [map].
      assert (Out : ~ In (class_norm c) (map fst (items (class_depth c) pre))).
      { intros C. unfold items in C. rewrite map_map in C. apply in_map_iff in C. destruct C as (b & Eb & Hb). cbn [fst] in Eb.
        apply filter_In in Hb. destruct Hb as [Hb Db]. apply Nat.eqb_eq in Db. rewrite map_app in Hnames. cbn [map] in Hnames.
        apply NoDup_remove_2 in Hnames. apply Hnames, in_or_app. left. apply in_map_iff. exists b. now rewrite Db, Eb. }
      unfold items in Out. induction (map _ (filter _ pre)) as [|[k a] kvs IH]; cbn [app delete_key map fst] in *.
      - now rewrite Z.eqb_refl.
      - rewrite (proj2 (Z.eqb_neq _ _)) by (intros <-; apply Out; now left). rewrite <- IH; [reflexivity|]. intros C. apply Out. now right. }
  rewrite E, <- app_assoc in L. set (new := delete_key _ _) in *.
  destruct (lie_write h (_ :: _ :: _ :: before) _ _ (DictObject new) _ L ltac:(discriminate)) as [L1 S1].
  assert (Parts : list_cells (classes_at T) = list_cells pre ++ (at_list c, list_of (members c)) :: list_cells post)
    by (unfold list_cells; now rewrite Ec, map_app).
  fold (list_cells (classes_at T)) in L1. rewrite Parts in L1. fold (list_cells (pre ++ post)). split.
  - unfold list_cells at 1. rewrite map_app. fold (list_cells pre) (list_cells post).
    rewrite !app_comm_cons, !app_assoc in L1. rewrite !app_comm_cons, !app_assoc. exact (lie_less _ _ _ _ L1).
  - intros b m x Hb Hm. apply S1, (M b); [|exact Hm]. rewrite Ec. apply in_app_or in Hb. apply in_or_app. cbn. tauto.
Qed.

(** Other floats. *)
Lemma tree_with_least h T n bs : tree_at h T n ->
  tree_at (replace_at (at_least T) (ListObject (map VFloat bs)) h) (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (classes_at T) (at_least T) bs) n.
Proof.
  intros [L M]%tree_at_cells. apply tree_at_cells.
  destruct (lie_write h [_; _] _ _ (ListObject (map VFloat bs)) _ L ltac:(discriminate)) as [L1 S1]. split; [exact L1|]. eauto.
Qed.

(** ** What a method does besides *)

(** Only places that the tree had are changed; what it has now it had, or is new; the nodes were there, or are added. *)
Record becomes (h : store F) (T : tree_places) (added : list nat) (h' : store F) (T' : tree_places) : Prop := Becomes {
  nothing_else_changes : same_but (owned T) h h';
  same_object : at_tree T' = at_tree T;
  owned_or_new : forall l, In l (owned T') -> In l (owned T) \/ List.length h <= l;
  there_or_added : forall m, In m (nodes_of T') -> In m (nodes_of T) \/ In m added
}.

Lemma becomes_then h1 T1 a1 h2 T2 a2 h3 T3 : becomes h1 T1 a1 h2 T2 -> becomes h2 T2 a2 h3 T3 -> becomes h1 T1 (a1 ++ a2) h3 T3.
Proof.
  intros [[L1 C1] S1 O1 N1] [[L2 C2] S2 O2 N2]. split.
  - split; [lia|]. intros m Hm Nm. rewrite C2; [now apply C1|lia|]. intros C. destruct (O1 m C) as [C'|C']; [now apply Nm|lia].
  - congruence.
  - intros l Hl. destruct (O2 l Hl) as [Hl'|Hl']; [now apply O1|right; lia].
  - intros m Hm. rewrite in_app_iff. destruct (N2 m Hm) as [Hm'|Hm']; [destruct (N1 m Hm')|]; auto.
Qed.

Lemma node_stays h T n added h' T' m x : tree_at h T n -> becomes h T added h' T' -> node_in h m x -> node_in h' m x.
Proof.
  intros Ht B Hm. apply (same_but_get (owned T) h); [apply B|exact Hm|]. now apply (owned_is_no_node h T n m x).
Qed.

(** ** The tree without its places *)

(** The number of depths of a tree with these leaves. *)
Definition depths_of (xs : list node) : nat := match xs with [] => 0 | _ => S (deepest xs) end.

Lemma depths_of_cons x xs : depths_of (x :: xs) = Nat.max (S (depth x)) (depths_of xs).
Proof. destruct xs; cbn [depths_of deepest]; lia. Qed.

Lemma depths_of_app xs ys : depths_of (xs ++ ys) = Nat.max (depths_of xs) (depths_of ys).
Proof. induction xs as [|x xs IH]; [reflexivity|]. cbn [app]. rewrite !depths_of_cons, IH. lia. Qed.

Lemma depths_of_permutation xs ys : Permutation xs ys -> depths_of xs = depths_of ys.
Proof. induction 1; rewrite ?depths_of_cons; lia. Qed.

Lemma depths_of_one_depth n xs : xs <> [] -> (forall x, In x xs -> depth x = n) -> depths_of xs = S n.
Proof.
  induction xs as [|x [|y xs] IH]; intros Ne H; [easy| |]; rewrite depths_of_cons, (H x) by now left.
  - cbn. lia.
  - rewrite IH; [lia|easy|]. intros z Hz. apply H. now right.
Qed.

(** A tree with the leaves [xs] lies at l, and it is made of the objects at the places [own]. *)
Definition tree_in (own : list nat) (l : nat) (xs : list node) (h : store F) : Prop :=
  exists T, own = footprint T /\ l = at_tree T /\ tree_at h T (List.length xs) /\ holds T (depths_of xs) xs.

(** Of the objects of h only those at [own] may have changed, and of them no node. *)
Definition keeps (own : list nat) (h h' : store F) : Prop :=
  same_but own h h' /\ forall m x, node_in h m x -> node_in h' m x.

(** The places of a tree afterwards: those before, those given to it, and new ones. *)
Definition grows (own : list nat) (h : store F) (own' new : list nat) : Prop :=
  forall m, In m own' -> In m own \/ In m new \/ List.length h <= m.

Lemma tree_stays own l xs h h' : tree_in own l xs h -> (forall m, In m own -> nth_error h' m = nth_error h m) -> tree_in own l xs h'.
Proof. intros (T & -> & -> & Ht & Hh) Same. exists T. repeat (split; [reflexivity|]). split; [|exact Hh]. now apply (tree_at_frame h). Qed.

Lemma holds_permutation T N xs xs' : Permutation xs xs' -> holds T N xs -> holds T N xs'.
Proof.
  intros P [H1 H2 H3 H4 H5 H6 H7]. split; auto; [|now rewrite H5|]; intros x; intros; [apply H2|apply (H7 x b)]; trivial;
    now apply (Permutation_in _ (Permutation_sym P)).
Qed.

Lemma tree_in_permutation own l xs xs' h : Permutation xs xs' -> tree_in own l xs h -> tree_in own l xs' h.
Proof.
  intros P (T & -> & -> & Ht & Hh). exists T. split; [reflexivity|]. split; [reflexivity|].
  rewrite (Permutation_length P) in Ht. split; [exact Ht|].
  rewrite <- (depths_of_permutation _ _ P). exact (holds_permutation _ _ _ _ P Hh).
Qed.

Lemma tree_is_there own l xs h m : tree_in own l xs h -> In m own -> m < List.length h.
Proof. intros (T & -> & -> & Ht & _). now apply (footprint_is_there h T (List.length xs)). Qed.

Lemma depth_is_there own l xs h : tree_in own l xs h -> exists fields,
  nth_error h l = Some (Instance "Tree" fields) /\ find (str "depth") fields = Some (VInt (Z.of_nat (deepest xs))).
Proof.
  intros (T & -> & -> & Ht & Hh). eexists. split; [exact (the_tree _ _ _ Ht)|]. cbn [find String.eqb Ascii.eqb Bool.eqb].
  rewrite (depths _ _ _ Hh). destruct xs; reflexivity.
Qed.

(** Of each depth the tree keeps a float, and no leaf is less. *)
Lemma least_is_there own l xs h k : tree_in own l xs h -> k < depths_of xs -> exists by_norm depth_ count_ q levels bs b,
  nth_error h l = Some (Instance "Tree" [(str "_by_norm", by_norm); (str "depth", depth_); (str "leaf_count", count_); (str "least", VRef q); (str "_levels", levels)]) /\
  nth_error h q = Some (ListObject (map VFloat bs)) /\ nth_error bs k = Some b /\ forall x, In x xs -> depth x = k -> less F (best x) b = false.
Proof.
  intros (T & -> & -> & Ht & Hh) Hk. rewrite <- (least_depths _ _ _ Hh) in Hk.
  destruct (nth_error (least_of_depths T) k) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
  do 5 eexists. exists (least_of_depths T), b. split; [exact (the_tree _ _ _ Ht)|]. split; [exact (the_least _ _ _ Ht)|]. split; [exact Eb|].
  intros x Hx <-. exact (none_is_less _ _ _ Hh x b Hx Eb).
Qed.

Lemma without_places h T n added h' T' : tree_at h T n -> becomes h T added h' T' ->
  keeps (footprint T) h h' /\ grows (footprint T) h (footprint T') added.
Proof.
  intros Ht B. pose proof B as [S _ O N]. split; [split|].
  - apply (same_but_weaken (owned T)); [|exact S]. intros m Hm. apply in_or_app. now left.
  - intros m x Hm. now apply (node_stays h T n added h' T').
  - intros m Hm. unfold footprint in *. rewrite in_app_iff. apply in_app_or in Hm. destruct Hm as [Hm|Hm].
    + destruct (O m Hm); auto.
    + destruct (N m Hm); auto.
Qed.

End TreeInStore.

Arguments the_tree {F cfg h T n}. Arguments the_levels {F cfg h T n}. Arguments the_least {F cfg h T n}. Arguments the_dicts {F cfg h T n}.
Arguments the_classes {F cfg h T n}. Arguments nothing_is_shared {F cfg h T n}.
