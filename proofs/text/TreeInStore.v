(** * The tree of Program.v in a store of Python.

    [tree_at h p tr]: in the store h, at the places p, lies the tree [tr] of Program.v, as tree.py builds it.  Its
    heaps are lists of references to nodes, with the operations of [heapq].  The tree owns the places [owned_by_tree p]: only
    its methods write to them, and no two of them are the same.  The nodes in its heaps they only read.
    [tree_in own l tr h] hides the places: [own] are all of them, and [l] is that of the object. *)

From Coq Require Import List ZArith String Bool Arith Lia Permutation Sorted.
From EmbeddedHunter Require Import Order PriorityQueue Program ProgramNodes ProgramLevels PythonSyntax Python PythonRules
  Heapq TextOfNode.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

#[local] Existing Instance greatest_float.

(** ** What a method leaves as it is *)

Section Stores.

Context {F : floats}.

(** From h to h' nothing changes that lies at none of the places [ws]. *)
Definition changes_only (ws : list nat) (h h' : store F) : Prop :=
  List.length h <= List.length h' /\ forall l o, nth_error h l = Some o -> ~ In l ws -> nth_error h' l = Some o.

Lemma changes_nothing ws h : changes_only ws h h.
Proof. now split. Qed.

Lemma changes_then ws h1 h2 h3 : changes_only ws h1 h2 -> changes_only ws h2 h3 -> changes_only ws h1 h3.
Proof. intros [L1 E1] [L2 E2]. split; [lia|]. auto. Qed.

Lemma changes_more ws ws' h h' : incl ws ws' -> changes_only ws h h' -> changes_only ws' h h'.
Proof. intros I [L E]. split; [exact L|]. intros l o Ho Hl. apply E; auto. Qed.

Lemma changes_one l o (h : store F) ws : In l ws -> changes_only ws h (replace_at l o h).
Proof.
  intros Hl. split; [now rewrite length_replace_at|]. intros m o' Ho Hm. rewrite nth_error_replace_at.
  destruct (Nat.eqb_spec l m) as [->|_]; [now apply Hm in Hl|exact Ho].
Qed.

Lemma changes_at_the_end ws (h more : store F) : changes_only ws h (h ++ more).
Proof. split; [rewrite app_length; lia|]. intros l o Ho _. now apply nth_error_app_old. Qed.

Lemma in_store (h : store F) l o : nth_error h l = Some o -> l < List.length h.
Proof. intros E. apply nth_error_Some. congruence. Qed.

End Stores.

Lemma forall2_in {A B} (P P' : A -> B -> Prop) xs ys :
  (forall x y, In x xs -> P x y -> P' x y) -> Forall2 P xs ys -> Forall2 P' xs ys.
Proof.
  intros I. induction 1 as [|x y xs ys Hxy _ IH]; constructor; [apply I; [now left|exact Hxy]|].
  apply IH. intros u v Hu. apply I. now right.
Qed.

Lemma forall2_partner {A B} (P : A -> B -> Prop) xs ys x : Forall2 P xs ys -> In x xs -> exists y, P x y.
Proof.
  induction 1 as [|x' y xs ys Hxy _ IH]; [easy|]. intros [->|Hx]; [now exists y|now apply IH].
Qed.

(** ** Places *)

(** Of a heap: its norm, its list, its nodes in the order of the list. *)
Record heap_places := HeapPlaces { norm_of_heap : Z; at_list : nat; at_nodes : list nat }.

(** Of a level: its object, the dictionary, the list of the norms, the kept list if there is one, the heaps, the largest norm first. *)
Record level_places := LevelPlaces {
  at_level : nat; at_heaps : nat; at_norms : nat; at_snapshot : option nat; heaps_at : list heap_places
}.

(** Of a tree: its object, the list of the levels, the levels. *)
Record tree_places := TreePlaces { at_tree : nat; at_levels : nat; levels_at : list level_places }.

Definition kept (s : option nat) : list nat := match s with Some l => [l] | None => [] end.
Definition owned_by_level (p : level_places) : list nat :=
  at_level p :: at_heaps p :: at_norms p :: kept (at_snapshot p) ++ map at_list (heaps_at p).
Definition nodes_of_level (p : level_places) : list nat := flat_map at_nodes (heaps_at p).
Definition owned_by_tree (p : tree_places) : list nat := at_tree p :: at_levels p :: flat_map owned_by_level (levels_at p).
Definition nodes_of_tree (p : tree_places) : list nat := flat_map nodes_of_level (levels_at p).
Definition footprint (p : tree_places) : list nat := owned_by_tree p ++ nodes_of_tree p.

(** ** What lies there *)

Section TreeInStore.

Context (F : floats) (H : heapq) (correct : is_heapq H) (order : total_order (less F)).

Local Notation node := (entry (float F)).
Local Notation node_object := (node_object F).
Local Notation Q := (heap_lists (before (less F)) H correct (before_is_an_order (less F) order)).
Local Notation level := (Program.level (float F) (less F) Q).
Local Notation tree := (Program.tree (float F) (less F) Q).
Local Notation str s := (s%string) (only parsing).

Definition node_in (h : store F) (n : nat) (x : node) : Prop := nth_error h n = Some (node_object x).

Definition heap_in (h : store F) (p : heap_places) (c : Z * list node) : Prop :=
  norm_of_heap p = fst c /\ nth_error h (at_list p) = Some (ListObject (map VRef (at_nodes p))) /\
  Forall2 (node_in h) (at_nodes p) (snd c).

(** The value in the field [_least]; it may be another float than Program.v has, if neither of the two is less. *)
Definition same_least (v : value F) (f : option (float F)) : Prop :=
  match f with
  | None => v = VNone
  | Some f => exists f', v = VFloat f' /\ Program.equal (less F) f f' = true
  end.

Definition reference (s : option nat) : value F := match s with Some l => VRef l | None => VNone end.

Definition level_object (p : level_places) (least : value F) : object F :=
  Instance "_Level" [(str "_heaps", VRef (at_heaps p)); (str "_norms", VRef (at_norms p));
                     (str "_snapshot", reference (at_snapshot p)); (str "_least", least)].

Definition list_of_heaps (ps : list heap_places) : object F := ListObject (map (fun q => VRef (at_list q)) ps).

(** Heaps, with the dictionary, in the order of insertion, and the ascending list of its keys. *)
Record heaps_in (h : store F) (dict norms : nat) (ps : list heap_places) (cs : list (Z * list node)) : Prop := HeapsIn {
  the_dictionary : exists items, nth_error h dict = Some (DictObject items) /\
    Permutation items (map (fun q => (norm_of_heap q, VRef (at_list q))) ps);
  the_norms : nth_error h norms = Some (ListObject (map VInt (rev (map norm_of_heap ps))));
  each_heap : Forall2 (heap_in h) ps cs;
  norms_fall : StronglySorted larger_key cs;
  no_heap_is_empty : Forall (fun c => snd c <> []) cs
}.

(** The kept list holds the lists that the dictionary holds. *)
Record level_in (h : store F) (p : level_places) (lv : level) : Prop := LevelIn {
  the_level : exists v, nth_error h (at_level p) = Some (level_object p v) /\ same_least v (least lv);
  the_kept_list : match at_snapshot p with
                  | Some s => nth_error h s = Some (list_of_heaps (heaps_at p)) /\ snapshot lv = Some (map snd (heaps lv))
                  | None => snapshot lv = None
                  end;
  the_heaps : heaps_in h (at_heaps p) (at_norms p) (heaps_at p) (heaps lv)
}.

Definition tree_object (p : tree_places) (tr : tree) : object F :=
  Instance "Tree" [(str "_by_norm", VBool true); (str "depth", VInt (Z.of_nat (depth_of tr)));
                   (str "leaf_count", VInt (Z.of_nat (leaf_count tr))); (str "_levels", VRef (at_levels p))].

Record tree_at (h : store F) (p : tree_places) (tr : tree) : Prop := TreeIn {
  the_tree : nth_error h (at_tree p) = Some (tree_object p tr);
  the_list_of_levels : nth_error h (at_levels p) = Some (ListObject (map (fun q => VRef (at_level q)) (levels_at p)));
  the_levels : Forall2 (level_in h) (levels_at p) (levels tr);
  nothing_is_shared : NoDup (owned_by_tree p)
}.

(** ** What a method does to a level or a tree, besides what its theorem says *)

(** Only places that were owned are changed; what is owned now was so, or is new; the nodes were there, or are added. *)
Record becomes (h : store F) (owned nodes added : list nat) (h' : store F) (owned' nodes' : list nat) : Prop := Becomes {
  nothing_else_changes : changes_only owned h h';
  owned_or_new : forall l, In l owned' -> In l owned \/ List.length h <= l;
  there_or_added : forall l, In l nodes' -> In l nodes \/ In l added
}.

Definition level_becomes h p added h' p' : Prop :=
  at_level p' = at_level p /\ NoDup (owned_by_level p') /\
  becomes h (owned_by_level p) (nodes_of_level p) added h' (owned_by_level p') (nodes_of_level p').
Definition tree_becomes h p added h' p' : Prop :=
  at_tree p' = at_tree p /\ becomes h (owned_by_tree p) (nodes_of_tree p) added h' (owned_by_tree p') (nodes_of_tree p').

Lemma becomes_itself h owned nodes added : becomes h owned nodes added h owned nodes.
Proof. split; [apply changes_nothing|now left|now left]. Qed.

Lemma becomes_then h1 o1 n1 a1 h2 o2 n2 a2 h3 o3 n3 :
  becomes h1 o1 n1 a1 h2 o2 n2 -> becomes h2 o2 n2 a2 h3 o3 n3 -> becomes h1 o1 n1 (a1 ++ a2) h3 o3 n3.
Proof.
  intros [[L1 C1] O1 N1] [[L2 C2] O2 N2]. split.
  - split; [lia|]. intros l o E Hl. apply C2; [now apply C1|]. intros Hl2. destruct (O1 l Hl2) as [Hl1|Hl1]; [auto|].
    apply in_store in E. lia.
  - intros l Hl. destruct (O2 l Hl) as [Hl2|Hl2]; [auto|right; lia].
  - intros l Hl. destruct (N2 l Hl) as [Hl2|Hl2]; [|rewrite in_app_iff; auto].
    destruct (N1 l Hl2) as [Hl1|Hl1]; [now left|rewrite in_app_iff; auto].
Qed.

Lemma tree_becomes_then h1 p1 a1 h2 p2 a2 h3 p3 :
  tree_becomes h1 p1 a1 h2 p2 -> tree_becomes h2 p2 a2 h3 p3 -> tree_becomes h1 p1 (a1 ++ a2) h3 p3.
Proof. intros [E1 B1] [E2 B2]. split; [congruence|]. eapply becomes_then; eassumption. Qed.

(** ** Owned objects are no nodes *)

Lemma owned_by_heaps_is_there h d ns ps cs l : heaps_in h d ns ps cs -> In l (d :: ns :: map at_list ps) ->
  exists o, nth_error h l = Some o /\ forall x, o <> node_object x.
Proof.
  intros [(items & E1 & _) E2 E3 _ _] [<-|[<-|Hl]].
  - eexists. split; [exact E1|discriminate].
  - eexists. split; [exact E2|discriminate].
  - apply in_map_iff in Hl. destruct Hl as (q & <- & Hq).
    destruct (forall2_partner _ _ _ _ E3 Hq) as (c & _ & E & _). eexists. split; [exact E|discriminate].
Qed.

Lemma owned_by_level_is_there h p lv l : level_in h p lv -> In l (owned_by_level p) ->
  exists o, nth_error h l = Some o /\ forall x, o <> node_object x.
Proof.
  intros [(v & E1 & _) E2 E3] [<-|Hl]; [eexists; split; [exact E1|discriminate]|].
  pose proof (owned_by_heaps_is_there _ _ _ _ _ l E3) as Own.
  destruct Hl as [<-|[<-|Hl]]; [apply Own; now left|apply Own; right; now left|].
  apply in_app_or in Hl. destruct Hl as [Hl|Hl]; [|apply Own; right; now right].
  destruct (at_snapshot p) as [s|]; [|destruct Hl]. destruct Hl as [<-|[]]. destruct E2 as [E2 _].
  eexists. split; [exact E2|discriminate].
Qed.

Lemma owned_by_tree_is_there h p tr l : tree_at h p tr -> In l (owned_by_tree p) ->
  exists o, nth_error h l = Some o /\ forall x, o <> node_object x.
Proof.
  intros [E1 E2 E3 _] [<-|[<-|Hl]].
  - eexists. split; [exact E1|discriminate].
  - eexists. split; [exact E2|discriminate].
  - apply in_flat_map in Hl. destruct Hl as (q & Hq & Hl). destruct (forall2_partner _ _ _ _ E3 Hq) as (lv & E).
    now apply (owned_by_level_is_there h q lv).
Qed.

Lemma owned_is_no_node h p tr n x : tree_at h p tr -> node_in h n x -> ~ In n (owned_by_tree p).
Proof.
  intros Ht Hn Hin. destruct (owned_by_tree_is_there h p tr n Ht Hin) as (o & E & No). apply (No x).
  unfold node_in in Hn. congruence.
Qed.

(** ** A store that agrees with it holds the same tree *)

Lemma each_heap_agreeing h h' ps cs :
  (forall l o, In l (map at_list ps) -> nth_error h l = Some o -> nth_error h' l = Some o) ->
  (forall n x, In n (flat_map at_nodes ps) -> node_in h n x -> node_in h' n x) ->
  Forall2 (heap_in h) ps cs -> Forall2 (heap_in h') ps cs.
Proof.
  intros Lists Nodes. apply forall2_in. intros q c Hq (N & L & E). split; [exact N|]. split.
  - apply Lists; [now apply in_map|exact L].
  - apply (forall2_in (node_in h)); [|exact E]. intros n x Hn. apply Nodes, in_flat_map. now exists q.
Qed.

Lemma heaps_in_agreeing h h' d ns ps cs :
  (forall l o, In l (d :: ns :: map at_list ps) -> nth_error h l = Some o -> nth_error h' l = Some o) ->
  (forall n x, In n (flat_map at_nodes ps) -> node_in h n x -> node_in h' n x) ->
  heaps_in h d ns ps cs -> heaps_in h' d ns ps cs.
Proof.
  intros Own Nodes [(items & E1 & P) E2 E3 E4 E5]. split; try assumption.
  - exists items. split; [apply Own; [now left|exact E1]|exact P].
  - apply Own; [right; now left|exact E2].
  - apply (each_heap_agreeing h); [|exact Nodes|exact E3]. intros l o Hl. apply Own. right. now right.
Qed.

Lemma level_in_agreeing h h' p lv :
  (forall l o, In l (owned_by_level p) -> nth_error h l = Some o -> nth_error h' l = Some o) ->
  (forall n x, In n (nodes_of_level p) -> node_in h n x -> node_in h' n x) ->
  level_in h p lv -> level_in h' p lv.
Proof.
  intros Own Nodes [(v & E1 & V) E2 E3]. unfold owned_by_level in Own. split.
  - exists v. split; [apply Own; [now left|exact E1]|exact V].
  - destruct (at_snapshot p) as [s|]; [|exact E2]. split; [|apply E2]. apply Own; [|apply E2]. do 3 right. now left.
  - apply (heaps_in_agreeing h); [|exact Nodes|exact E3]. intros l o Hl. apply Own. right.
    destruct Hl as [<-|[<-|Hl]]; [now left|right; now left|do 2 right; apply in_or_app; now right].
Qed.

(** The frame: a store with the same objects at the footprint. *)
Lemma tree_at_frame h h' p tr :
  (forall l o, In l (footprint p) -> nth_error h l = Some o -> nth_error h' l = Some o) ->
  tree_at h p tr -> tree_at h' p tr.
Proof.
  intros Same [E1 E2 E3 E4].
  assert (Own : forall l o, In l (owned_by_tree p) -> nth_error h l = Some o -> nth_error h' l = Some o)
    by (intros; apply Same; [apply in_or_app; now left|assumption]).
  unfold owned_by_tree in Own. split; [|..|exact E4].
  - apply Own; [now left|exact E1].
  - apply Own; [right; now left|exact E2].
  - apply (forall2_in (level_in h)); [|exact E3]. intros q lv Hq. apply level_in_agreeing.
    + intros l o Hl. apply Own. do 2 right. apply in_flat_map. now exists q.
    + intros n x Hn. apply Same, in_or_app. right. apply in_flat_map. now exists q.
Qed.

(** ** The tree without its places *)

(** The tree lies at l, and it is made of the objects at the places [own]. *)
Definition tree_in (own : list nat) (l : nat) (tr : tree) (h : store F) : Prop :=
  exists p, own = footprint p /\ l = at_tree p /\ tree_at h p tr.

(** Objects at other places, and nodes, stay as they are. *)
Definition keeps (own : list nat) (h h' : store F) : Prop :=
  List.length h <= List.length h' /\
  (forall m, ~ In m own -> m < List.length h -> nth_error h' m = nth_error h m) /\
  (forall m x, nth_error h m = Some (node_object x) -> nth_error h' m = Some (node_object x)).

(** The tree is made of what it was made of, of [new] and of new objects. *)
Definition grows (own : list nat) (h : store F) (own' new : list nat) : Prop :=
  forall m, In m own' -> In m own \/ In m new \/ List.length h <= m.

Lemma tree_in_frame own l tr h h' :
  tree_in own l tr h -> (forall m, In m own -> nth_error h' m = nth_error h m) -> tree_in own l tr h'.
Proof.
  intros (p & -> & -> & T) Same. exists p. split; [reflexivity|]. split; [reflexivity|].
  apply (tree_at_frame h); [|exact T]. intros m o Hm <-. now apply Same.
Qed.

Lemma tree_in_bounds own l tr h : tree_in own l tr h -> forall m, In m own -> m < List.length h.
Proof.
  intros (p & -> & -> & T) m Hm. apply in_app_or in Hm. destruct Hm as [Hm|Hm].
  - destruct (owned_by_tree_is_there h p tr m T Hm) as (o & E & _). now apply (in_store h m o).
  - unfold nodes_of_tree, nodes_of_level in Hm. apply in_flat_map in Hm. destruct Hm as (q & Hq & Hm).
    apply in_flat_map in Hm. destruct Hm as (c & Hc & Hm).
    destruct (forall2_partner _ _ _ _ (the_levels _ _ _ T) Hq) as (lv & L).
    destruct (forall2_partner _ _ _ _ (each_heap _ _ _ _ _ (the_heaps _ _ _ L)) Hc) as (d & _ & _ & N).
    destruct (forall2_partner _ _ _ _ N Hm) as (x & E). now apply (in_store h m (node_object x)).
Qed.

(** What a method does to a tree at its places, without them. *)
Lemma without_places h p tr added h' p' tr' : tree_at h p tr -> tree_becomes h p added h' p' -> tree_at h' p' tr' ->
  tree_in (footprint p') (at_tree p) tr' h' /\ keeps (footprint p) h h' /\ grows (footprint p) h (footprint p') added.
Proof.
  intros T [E [[L C] O N]] T'. split; [exists p'; now rewrite E|]. split.
  - split; [exact L|]. split.
    + intros m Hm Hl. destruct (nth_error h m) as [o|] eqn:Eo; [|apply nth_error_None in Eo; lia].
      apply C; [exact Eo|]. intros Ho. apply Hm, in_or_app. now left.
    + intros m x Eo. apply C; [exact Eo|]. now apply (owned_is_no_node h p tr m x).
  - intros m Hm. apply in_app_or in Hm. destruct Hm as [Hm|Hm].
    + destruct (O m Hm); [left; apply in_or_app; now left|now right; right].
    + destruct (N m Hm); [left; apply in_or_app; now right|now right; left].
Qed.

(** The number of levels that the tree's object shows. *)
Lemma depth_in_store own l tr h : tree_in own l tr h ->
  exists fields, nth_error h l = Some (Instance "Tree" fields) /\ find "depth" fields = Some (VInt (Z.of_nat (depth_of tr))).
Proof. intros (p & _ & -> & T). eexists. split; [exact (the_tree _ _ _ T)|reflexivity]. Qed.

End TreeInStore.

Arguments the_tree {F H correct order h p tr}. Arguments the_list_of_levels {F H correct order h p tr}.
Arguments tree_becomes_then {F h1 p1 a1 h2 p2 a2 h3 p3}.
