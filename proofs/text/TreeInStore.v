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
  { generalize (at_dicts T). intros ds. split.
    - induction ds as [|d ds IH]; cbn [app]; intros N; [split; [constructor|]; split; [exact N|easy]|].
      apply NoDup_cons_iff in N. rewrite in_app_iff in N. destruct N as [N1 N2]. destruct (IH N2) as (A & B & C).
      split; [constructor; tauto|]. split; [exact B|]. intros x [<-|Hx]; [tauto|now apply C].
    - intros (A & B & C). now apply nodup_app. }
  rewrite E. intuition congruence.
Qed.

(** An object that is no node does not lie where a node lies. *)
Lemma no_node h l o m x : nth_error h l = Some o -> (forall y, o <> node_object y) -> node_in h m x -> l <> m.
Proof. intros Ho No Hm ->. apply (No x). unfold node_in in Hm. congruence. Qed.

Lemma owned_is_there h T n l : tree_at h T n -> In l (owned T) -> exists o, nth_error h l = Some o /\ forall x, o <> node_object x.
Proof.
  intros [E1 E2 EL E3 E4 _] [<-|[<-|[<-|[Hl|Hl]%in_app_or]]].
  - eexists. split; [exact E1|discriminate].
  - eexists. split; [exact E2|discriminate].
  - eexists. split; [exact EL|discriminate].
  - apply In_nth_error in Hl. destruct Hl as (i & Hi). eexists. split; [exact (E3 i l Hi)|discriminate].
  - apply in_map_iff in Hl. destruct Hl as (c & <- & Hc). eexists. split; [apply E4, Hc|discriminate].
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
  intros [E1 E2 EL E3 E4 E5] Same.
  assert (Own : forall m, In m (owned T) -> nth_error h' m = nth_error h m) by (intros; apply Same, in_or_app; now left).
  unfold owned in Own. split; [| | | | |exact E5].
  - rewrite Own; [exact E1|now left].
  - rewrite Own; [exact E2|right; now left].
  - rewrite Own; [exact EL|right; right; now left].
  - intros i d Hd. rewrite Own; [now apply E3|]. do 3 right. apply in_or_app. left. now apply nth_error_In in Hd.
  - intros c Hc. destruct (E4 c Hc) as [L M]. split.
    + rewrite Own; [exact L|]. do 3 right. apply in_or_app. right. now apply in_map.
    + intros m x Hm. unfold node_in. rewrite Same; [now apply M|]. apply in_or_app. right. apply in_flat_map.
      exists c. split; [exact Hc|exact (in_map fst _ _ Hm)].
Qed.

Lemma tree_at_app h more T n : tree_at h T n -> tree_at (h ++ more) T n.
Proof. intros Ht. apply (tree_at_frame h); [exact Ht|]. intros m Hm. apply nth_error_app1. now apply (footprint_is_there h T n). Qed.

(** The object of the tree is written anew: it has another number of leaves. *)
Lemma tree_with_count h T n n' : tree_at h T n -> tree_at (replace_at (at_tree T) (tree_object T n') h) T n'.
Proof.
  intros Ht. pose proof Ht as [E1 E2 EL E3 E4 E5]. pose proof (proj1 (owned_parts T) E5) as (N1 & (N2 & N3) & _ & (L1 & _) & _).
  split; [| | | | |exact E5].
  - exact (nth_error_replaced _ _ _ _ E1).
  - now apply nth_error_replaced_apart.
  - now apply nth_error_replaced_apart.
  - intros i d Hd. apply nth_error_replaced_apart; [|now apply E3]. intros <-. apply N2. now apply nth_error_In in Hd.
  - intros c Hc. destruct (E4 c Hc) as [L M]. split.
    + apply nth_error_replaced_apart; [|exact L]. intros E. apply N3. rewrite E. now apply in_map.
    + intros m x Hm. apply nth_error_replaced_apart; [|now apply M].
      apply (no_node h _ _ m x E1); [discriminate|now apply M].
Qed.

(** A depth more. *)
Lemma tree_with_level h T n : tree_at h T n -> (forall c, In c (classes_at T) -> class_depth c < List.length (at_dicts T)) ->
  let T' := TreePlaces (at_tree T) (at_levels T) (at_dicts T ++ [List.length h]) (classes_at T) (at_least T) (least_of_depths T ++ [infinity F]) in
  tree_at (replace_at (at_tree T) (tree_object T' n)
             (replace_at (at_least T) (ListObject (map VFloat (least_of_depths T) ++ [VFloat (infinity F)]))
                (replace_at (at_levels T) (ListObject (map VRef (at_dicts T) ++ [VRef (List.length h)])) (h ++ [DictObject []])))) T' n.
Proof.
  intros Ht Hdeep T'. pose proof (footprint_is_there h T n) as There. specialize (fun m => There m Ht).
  pose proof Ht as [E1 E2 EL E3 E4 E5]. pose proof (proj1 (owned_parts T) E5) as (N1 & (N2 & N3) & (N4 & N5) & (L1 & L2 & L3 & L4) & N6 & N7 & N8).
  assert (New : ~ In (List.length h) (owned T)).
  { intros C. assert (List.length h < List.length h); [|lia]. apply There, in_or_app. now left. }
  unfold owned in New. cbn [In] in New. rewrite in_app_iff in New.
  assert (Keep : forall m o, nth_error h m = Some o -> at_tree T <> m -> at_least T <> m -> at_levels T <> m ->
    nth_error (replace_at (at_tree T) (tree_object T' n) (replace_at (at_least T) (ListObject (map VFloat (least_of_depths T) ++ [VFloat (infinity F)]))
      (replace_at (at_levels T) (ListObject (map VRef (at_dicts T) ++ [VRef (List.length h)])) (h ++ [DictObject []])))) m = Some o).
  { intros m o Ho A B C. do 3 (apply nth_error_replaced_apart; [assumption|]). now apply nth_error_app_old. }
  split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths T'].
  - eapply nth_error_replaced. do 2 (apply nth_error_replaced_apart; [now apply not_eq_sym|]). apply nth_error_app_old. exact E1.
  - do 2 (apply nth_error_replaced_apart; [congruence|]). rewrite map_app. eapply nth_error_replaced. apply nth_error_app_old. exact E2.
  - apply nth_error_replaced_apart; [exact L1|]. rewrite map_app. eapply nth_error_replaced. apply nth_error_replaced_apart; [exact L2|].
    apply nth_error_app_old. exact EL.
  - intros i d Hd. destruct (Nat.lt_ge_cases i (List.length (at_dicts T))) as [Hi|Hi].
    + rewrite nth_error_app1 in Hd by exact Hi. apply Keep; [now apply E3| | |]; intros <-; apply nth_error_In in Hd; tauto.
    + rewrite nth_error_app2 in Hd by exact Hi. assert (Ei : i = List.length (at_dicts T)).
      { destruct (i - List.length (at_dicts T)) eqn:E; [lia|]. destruct n0; discriminate Hd. }
      subst i. rewrite Nat.sub_diag in Hd. injection Hd as <-.
      do 3 (apply nth_error_replaced_apart; [intuition congruence|]). rewrite nth_error_app_here. do 2 f_equal.
      unfold items. symmetry. replace (filter _ _) with (@nil class); [reflexivity|]. symmetry.
      clear - Hdeep. induction (classes_at T) as [|c cs IH]; [reflexivity|]. cbn [filter].
      rewrite (proj2 (Nat.eqb_neq _ _)) by (specialize (Hdeep c (or_introl eq_refl)); lia).
      apply IH. intros c' Hc'. apply Hdeep. now right.
  - intros c Hc. destruct (E4 c Hc) as [L M]. split.
    + apply Keep; [exact L| | |]; intros E; [apply N3|apply L4|apply N5]; rewrite E; now apply in_map.
    + intros m x Hm. apply Keep; [now apply M| | |].
      * apply (no_node h _ _ m x E1); [discriminate|now apply M].
      * apply (no_node h _ _ m x EL); [discriminate|now apply M].
      * apply (no_node h _ _ m x E2); [discriminate|now apply M].
  - apply owned_parts. cbn [at_tree at_levels at_dicts classes_at at_least T'].
    split; [exact N1|]. split; [split; [rewrite in_app_iff; cbn [In]; intuition congruence|exact N3]|].
    split; [split; [rewrite in_app_iff; cbn [In]; intuition congruence|exact N5]|].
    split; [repeat (split; [assumption|]); split; [rewrite in_app_iff; cbn [In]; intuition congruence|exact L4]|].
    split; [|split; [exact N7|]].
    + apply nodup_app; [exact N6|repeat constructor; easy|]. intros d Hd [<-|[]]. tauto.
    + intros d [Hd|[<-|[]]]%in_app_or; [now apply N8|tauto].
Qed.

(** Another list of a class. *)
Lemma tree_with_members h T n pre c post ms : classes_at T = pre ++ c :: post -> tree_at h T n ->
  (forall m x, In (m, x) ms -> node_in h m x) ->
  tree_at (replace_at (at_list c) (list_of ms) h)
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (pre ++ Class (class_depth c) (class_norm c) (at_list c) ms :: post) (at_least T) (least_of_depths T)) n.
Proof.
  intros Ec Ht Hms. pose proof Ht as [E1 E2 EL E3 E4 E5].
  pose proof (proj1 (owned_parts T) E5) as (N1 & (N2 & N3) & (N4 & N5) & (L1 & L2 & L3 & L4) & N6 & N7 & N8).
  set (c' := Class _ _ _ ms). set (T' := TreePlaces _ _ _ _).
  assert (Hc : In c (classes_at T)) by (rewrite Ec; apply in_elt). destruct (E4 c Hc) as [L _].
  assert (Hl : In (at_list c) (map at_list (classes_at T))) by now apply in_map.
  assert (Same : forall B (f : class -> B), f c' = f c -> map f (pre ++ c' :: post) = map f (classes_at T)).
  { intros B f Ef. rewrite Ec, !map_app. cbn [map]. now rewrite Ef. }
  split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths T'].
  - apply nth_error_replaced_apart; [intros E; apply N3; now rewrite <- E|]. exact E1.
  - apply nth_error_replaced_apart; [intros E; apply N5; now rewrite <- E|]. exact E2.
  - apply nth_error_replaced_apart; [intros E; apply L4; now rewrite <- E|]. exact EL.
  - intros i d Hd. apply nth_error_replaced_apart.
    + intros E. apply (N8 d); [now apply nth_error_In in Hd|now rewrite <- E].
    + rewrite (E3 i d Hd). do 2 f_equal. unfold items. rewrite Ec, !filter_app, !map_app. cbn [filter c' class_depth].
      now destruct (class_depth c =? i).
  - assert (Nodes : forall m x, node_in h m x -> node_in (replace_at (at_list c) (list_of ms) h) m x).
    { intros m x Hm. apply nth_error_replaced_apart; [|exact Hm]. apply (no_node h _ _ m x L); [discriminate|exact Hm]. }
    intros b Hb. destruct (in_app_or _ _ _ Hb) as [Hb'|[<-|Hb']].
    2:{ split; [exact (nth_error_replaced _ _ _ _ L)|]. cbn [members c']. auto. }
    all: destruct (E4 b) as [Lb Mb]; [rewrite Ec; apply in_or_app; cbn; auto|]; split; [|auto];
      apply nth_error_replaced_apart; [|exact Lb]; intros E; rewrite Ec, map_app in N7; cbn [map] in N7;
      apply NoDup_remove_2 in N7; apply N7; rewrite E, <- map_app; apply in_map, in_or_app; auto.
  - apply owned_parts. cbn [at_tree at_levels at_dicts classes_at at_least T']. rewrite (Same _ at_list) by reflexivity. auto 10.
Qed.

(** A class without members more. *)
Lemma tree_with_class h T n i d r : tree_at h T n -> nth_error (at_dicts T) i = Some d ->
  tree_at (replace_at d (DictObject (items i (classes_at T) ++ [(r, VRef (List.length h))])) (h ++ [ListObject []]))
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (classes_at T ++ [Class i r (List.length h) []]) (at_least T) (least_of_depths T)) n.
Proof.
  intros Ht Hi. pose proof (footprint_is_there h T n) as There. specialize (fun m => There m Ht).
  pose proof Ht as [E1 E2 EL E3 E4 E5]. pose proof (proj1 (owned_parts T) E5) as (N1 & (N2 & N3) & (N4 & N5) & (L1 & L2 & L3 & L4) & N6 & N7 & N8).
  assert (New : ~ In (List.length h) (owned T)).
  { intros C. assert (List.length h < List.length h); [|lia]. apply There, in_or_app. now left. }
  unfold owned in New. cbn [In] in New. rewrite in_app_iff in New.
  pose proof (nth_error_In _ _ Hi) as Hd. set (h' := replace_at _ _ _).
  assert (Keep : forall m o, nth_error h m = Some o -> d <> m -> nth_error h' m = Some o).
  { intros m o Ho A. apply nth_error_replaced_apart; [exact A|]. now apply nth_error_app_old. }
  split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths].
  - apply Keep; [exact E1|intros ->; tauto].
  - apply Keep; [exact E2|intros ->; tauto].
  - apply Keep; [exact EL|intros ->; tauto].
  - intros j d' Hd'. unfold items. rewrite filter_app, map_app. cbn [filter class_depth].
    destruct (Nat.eqb_spec i j) as [<-|Nij].
    + rewrite Hi in Hd'. injection Hd' as <-. eapply nth_error_replaced. apply nth_error_app_old. exact (E3 i d Hi).
    + cbn [map]. rewrite app_nil_r. apply Keep; [now apply E3|]. intros ->. apply Nij.
      apply (proj1 (NoDup_nth_error (at_dicts T)) N6); [apply nth_error_Some; congruence|congruence].
  - intros c [Hc|[<-|[]]]%in_app_or.
    + destruct (E4 c Hc) as [L M]. split.
      * apply Keep; [exact L|]. intros ->. apply (N8 _ Hd). now apply in_map.
      * intros m x Hm. apply Keep; [now apply M|]. apply (no_node h _ _ m x (E3 i d Hi)); [discriminate|now apply M].
    + split; [|intros m x []]. cbn [at_list members]. apply nth_error_replaced_apart; [intros ->; tauto|].
      apply nth_error_app_here.
  - apply owned_parts. cbn [at_tree at_levels at_dicts classes_at at_least]. rewrite map_app. cbn [map at_list].
    split; [exact N1|]. split; [split; [exact N2|rewrite in_app_iff; cbn [In]; intuition congruence]|].
    split; [split; [exact N4|rewrite in_app_iff; cbn [In]; intuition congruence]|].
    split; [repeat (split; [assumption|]); rewrite in_app_iff; cbn [In]; intuition congruence|].
    split; [exact N6|]. split.
    + apply nodup_app; [exact N7|repeat constructor; easy|]. intros l Hl [<-|[]]. tauto.
    + intros d' Hd' C. apply in_app_or in C. destruct C as [C|[<-|[]]]; [now apply (N8 d')|tauto].
Qed.

(** A class less. *)
Lemma tree_without_class h T n pre c post d : classes_at T = pre ++ c :: post -> tree_at h T n ->
  NoDup (map (fun c => (class_depth c, class_norm c)) (classes_at T)) -> nth_error (at_dicts T) (class_depth c) = Some d ->
  tree_at (replace_at d (DictObject (delete_key (class_norm c) (items (class_depth c) (classes_at T)))) h)
    (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (pre ++ post) (at_least T) (least_of_depths T)) n.
Proof.
  intros Ec Ht Hnames Hi. pose proof Ht as [E1 E2 EL E3 E4 E5].
  pose proof (proj1 (owned_parts T) E5) as (N1 & (N2 & N3) & (N4 & N5) & (L1 & L2 & L3 & L4) & N6 & N7 & N8).
  pose proof (nth_error_In _ _ Hi) as Hd.
  assert (Sub : forall b, In b (pre ++ post) -> In b (classes_at T)).
  { intros b Hb. rewrite Ec. apply in_app_or in Hb. apply in_or_app. cbn. tauto. }
  assert (Lists : forall l, In l (map at_list (pre ++ post)) -> In l (map at_list (classes_at T))).
  { intros l Hl. apply in_map_iff in Hl. destruct Hl as (b & <- & Hb). now apply in_map, Sub. }
  split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths].
  - apply nth_error_replaced_apart; [intros ->; tauto|exact E1].
  - apply nth_error_replaced_apart; [intros ->; tauto|exact E2].
  - apply nth_error_replaced_apart; [intros ->; tauto|exact EL].
  - intros j d' Hd'. destruct (Nat.eq_dec (class_depth c) j) as [<-|Nij].
    + rewrite Hi in Hd'. injection Hd' as <-. rewrite (nth_error_replaced _ _ _ _ (E3 _ _ Hi)). do 2 f_equal.
      rewrite Ec in *. unfold items. rewrite !filter_app, !map_app. cbn [filter]. rewrite Nat.eqb_refl. cbn [map].
      assert (Out : ~ In (class_norm c) (map fst (items (class_depth c) pre))).
      { intros C. unfold items in C. rewrite map_map in C. apply in_map_iff in C. destruct C as (b & Eb & Hb). cbn [fst] in Eb.
        apply filter_In in Hb. destruct Hb as [Hb Db]. apply Nat.eqb_eq in Db. rewrite map_app in Hnames. cbn [map] in Hnames.
        apply NoDup_remove_2 in Hnames. apply Hnames, in_or_app. left. apply in_map_iff. exists b. now rewrite Db, Eb. }
      unfold items in Out. generalize dependent (map (fun c0 => (class_norm c0, @VRef F (at_list c0))) (filter (fun c0 => class_depth c0 =? class_depth c) pre)).
      intros kvs Out. induction kvs as [|[k a] kvs IH]; cbn [app delete_key map fst] in *.
      * now rewrite Z.eqb_refl.
      * rewrite (proj2 (Z.eqb_neq _ _)) by (intros <-; apply Out; now left). rewrite IH; [reflexivity|]. intros C. apply Out. now right.
    + rewrite nth_error_replaced_apart with (o := DictObject (items j (classes_at T))).
      * do 2 f_equal. unfold items. rewrite Ec, !filter_app. cbn [filter]. now rewrite (proj2 (Nat.eqb_neq _ _) Nij).
      * intros ->. apply Nij. apply (proj1 (NoDup_nth_error (at_dicts T)) N6); [apply nth_error_Some; congruence|congruence].
      * now apply E3.
  - intros b Hb. apply Sub in Hb. destruct (E4 b Hb) as [L M]. split.
    + apply nth_error_replaced_apart; [|exact L]. intros ->. apply (N8 _ Hd). now apply in_map.
    + intros m x Hm. apply nth_error_replaced_apart; [|now apply M].
      apply (no_node h _ _ m x (E3 _ _ Hi)); [discriminate|now apply M].
  - apply owned_parts. cbn [at_tree at_levels at_dicts classes_at at_least].
    split; [exact N1|]. split; [split; [exact N2|intros C; now apply N3, Lists]|].
    split; [split; [exact N4|intros C; now apply N5, Lists]|].
    split; [repeat (split; [assumption|]); intros C; now apply L4, Lists|]. split; [exact N6|]. split.
    + rewrite Ec, map_app in N7. cbn [map] in N7. rewrite map_app. now apply NoDup_remove_1 in N7.
    + intros d' Hd' C. now apply (N8 d' Hd'), Lists.
Qed.

(** Other floats. *)
Lemma tree_with_least h T n bs : tree_at h T n ->
  tree_at (replace_at (at_least T) (ListObject (map VFloat bs)) h) (TreePlaces (at_tree T) (at_levels T) (at_dicts T) (classes_at T) (at_least T) bs) n.
Proof.
  intros Ht. pose proof Ht as [E1 E2 EL E3 E4 E5]. pose proof (proj1 (owned_parts T) E5) as (_ & _ & _ & (L1 & L2 & L3 & L4) & _).
  split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths]; [| | | | |exact E5].
  - apply nth_error_replaced_apart; [now apply not_eq_sym|exact E1].
  - apply nth_error_replaced_apart; [now apply not_eq_sym|exact E2].
  - exact (nth_error_replaced _ _ _ _ EL).
  - intros i d Hd. apply nth_error_replaced_apart; [|now apply E3]. intros E. apply L3. rewrite E. exact (nth_error_In _ _ Hd).
  - intros c Hc. destruct (E4 c Hc) as [L M]. split.
    + apply nth_error_replaced_apart; [|exact L]. intros E. apply L4. rewrite E. now apply in_map.
    + intros m x Hm. apply nth_error_replaced_apart; [|now apply M]. apply (no_node h _ _ m x EL); [discriminate|now apply M].
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
  assert (D : depths_of xs = depths_of xs').
  { assert (E : deepest xs = deepest xs').
    { apply Nat.le_antisymm; apply deepest_at_most; intros y Hy; apply depth_le_deepest;
        [exact (Permutation_in _ P Hy)|exact (Permutation_in _ (Permutation_sym P) Hy)]. }
    destruct xs as [|x xs], xs' as [|x' xs']; try reflexivity; [now apply Permutation_nil in P|symmetry in P; now apply Permutation_nil in P|].
    cbn [depths_of]. now rewrite E. }
  rewrite <- D. exact (holds_permutation _ _ _ _ P Hh).
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
