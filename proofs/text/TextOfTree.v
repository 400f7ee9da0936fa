(** * tree.py: each method of the text does to the leaves in the store what the model does to its leaves.

    The theorems are about [tree_py] of SearchText.v, for every store in which a tree lies ([tree_in], TreeInStore.v).
    Each says which value the call ends with, which leaves the tree has then, and that nothing else has changed. *)

From Coq Require Import Permutation String.
From EmbeddedHunter Require Import Lists Filters Lattice Model Classes Nodes Order PythonNodes.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules TextOfNode GeneratorRules TreeInStore.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Lists *)

Lemma put_falling_permutes z zs : Permutation (put_falling z zs) (z :: zs).
Proof. induction zs as [|a zs IH]; [reflexivity|]. cbn. destruct (a <? z)%Z; [reflexivity|]. rewrite IH. apply perm_swap. Qed.

Lemma falling_permutes zs : Permutation (Python.falling zs) zs.
Proof. induction zs as [|z zs IH]; [reflexivity|]. cbn. rewrite put_falling_permutes. now constructor. Qed.

Lemma falling_falls zs : NoDup zs -> StronglySorted (fun a b => b < a)%Z (Python.falling zs).
Proof.
  induction 1 as [|z zs Hz _ IH]; [constructor|]. cbn [Python.falling fold_right]. fold (Python.falling zs).
  assert (Hz' : ~ In z (Python.falling zs)) by (intros C; apply Hz; exact (Permutation_in _ (falling_permutes zs) C)).
  induction IH as [|a l Hs IH Hf]; [repeat constructor|]. cbn [put_falling]. destruct (Z.ltb_spec a z).
  - constructor; [now constructor|]. constructor; [lia|]. eapply Forall_impl; [|exact Hf]. intros b Hb. cbn in Hb. lia.
  - constructor; [apply IH; intros C; apply Hz'; now right|].
    apply (Permutation_Forall (Permutation_sym (put_falling_permutes z l))). constructor; [|exact Hf].
    assert (a <> z) by (intros ->; apply Hz'; now left). lia.
Qed.

(** Falling lists with the same elements are the same. *)
Lemma falling_lists_are_equal xs : forall ys, StronglySorted (fun a b => b < a)%Z xs -> StronglySorted (fun a b => b < a)%Z ys ->
  (forall z, In z xs <-> In z ys) -> xs = ys.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] Hx Hy E; [reflexivity|now destruct (proj2 (E y) (or_introl eq_refl))|
    now destruct (proj1 (E x) (or_introl eq_refl))|].
  apply StronglySorted_inv in Hx, Hy. destruct Hx as [Hx Fx], Hy as [Hy Fy]. rewrite Forall_forall in Fx, Fy.
  assert (x = y) as ->.
  { destruct (proj1 (E x) (or_introl eq_refl)) as [->|A]; [reflexivity|].
    destruct (proj2 (E y) (or_introl eq_refl)) as [->|B]; [reflexivity|]. specialize (Fx _ B). specialize (Fy _ A). lia. }
  f_equal. apply IH; [exact Hx|exact Hy|]. intros z. specialize (E z). cbn [In] in E.
  split; intros Hz; [specialize (Fx _ Hz)|specialize (Fy _ Hz)]; destruct E as [E1 E2].
  - destruct (E1 (or_intror Hz)) as [->|?]; [lia|assumption].
  - destruct (E2 (or_intror Hz)) as [->|?]; [lia|assumption].
Qed.

Lemma sorted_nth {A} (R : A -> A -> Prop) xs i j a b : StronglySorted R xs -> i < j -> nth_error xs i = Some a -> nth_error xs j = Some b -> R a b.
Proof.
  intros Hs. revert i j. induction Hs as [|x xs _ IH Hf]; intros [|i] [|j] Hij Ha Hb; try lia; try discriminate Ha.
  - injection Ha as ->. rewrite Forall_forall in Hf. apply Hf. exact (nth_error_In xs j Hb).
  - apply (IH i j); [lia|exact Ha|exact Hb].
Qed.

Lemma in_firstn_at {A} i (xs : list A) a : In a (firstn i xs) -> exists j, j < i /\ nth_error xs j = Some a.
Proof.
  intros Ha. apply In_nth_error in Ha. destruct Ha as (j & Hj). pose proof (proj1 (nth_error_Some (firstn i xs) j) ltac:(congruence)) as L.
  rewrite firstn_length in L. exists j. split; [lia|]. rewrite <- (firstn_skipn i xs), nth_error_app1; [exact Hj|]. rewrite firstn_length. lia.
Qed.

Lemma in_skipn_at {A} i (xs : list A) a : In a (skipn i xs) -> exists j, i <= j /\ nth_error xs j = Some a.
Proof.
  intros Ha. apply In_nth_error in Ha. destruct Ha as (j & Hj). destruct (Nat.le_gt_cases (List.length xs) i).
  - rewrite skipn_all2 in Hj by lia. destruct j; discriminate Hj.
  - exists (i + j). split; [lia|]. rewrite <- (firstn_skipn i xs), nth_error_app2; rewrite firstn_length; [|lia].
    rewrite <- Hj. f_equal. lia.
Qed.

Lemma find_key_in {A} r (v : A) kvs : NoDup (map fst kvs) -> In (r, v) kvs -> find_key r kvs = Some v.
Proof.
  induction kvs as [|[k a] kvs IH]; intros N Hin; [destruct Hin|]. cbn [map fst] in N.
  apply NoDup_cons_iff in N. destruct N as [N1 N2]. cbn [find_key].
  destruct Hin as [[= -> ->]|Hin]; [now rewrite Z.eqb_refl|].
  destruct (Z.eqb_spec r k) as [->|_]; [|now apply IH]. exfalso. apply N1. now apply (in_map fst) in Hin.
Qed.

Lemma find_key_some {A} r (v : A) kvs : find_key r kvs = Some v -> In (r, v) kvs.
Proof.
  induction kvs as [|[k a] kvs IH]; [discriminate|]. cbn [find_key]. destruct (Z.eqb_spec r k) as [->|_]; [|right; auto].
  intros [= ->]. now left.
Qed.

Lemma set_key_new {A} r (v : A) kvs : find_key r kvs = None -> set_key r v kvs = kvs ++ [(r, v)].
Proof.
  induction kvs as [|[k a] kvs IH]; intros N; [reflexivity|]. cbn [find_key set_key app] in *.
  destruct (r =? k)%Z; [discriminate|]. now rewrite IH.
Qed.

Lemma position_zero n : position 0 (S n) = Some 0.
Proof. apply (position_of_nat 0). lia. Qed.

Section TextOfTree.

Context (F : floats) (cfg : settings) (order : total_order (less F)).

Local Notation node := (leaf (float F)).
Local Notation call := (call search_py).
Local Notation node_in := (node_in F cfg).
Local Notation before := (before F cfg).
Local Notation tree_places := (tree_places F).
Local Notation tree_at := (tree_at F cfg).
Local Notation holds := (holds F cfg).
Local Notation becomes := (becomes F).
Local Notation items := (items F).
Local Notation list_of := (list_of F).
Local Notation str s := (s%string) (only parsing).

Let before_orders : total_order before := before_is_an_order F cfg order.

(** Run the interpreter up to the next [if]. *)
Ltac run_up_to_if :=
  repeat lazymatch goal with |- wp (exec _ _ _ _ (If _ _ _)) _ _ => fail | _ => first [step | eapply wp_get_object;
    [look|]; cbv beta iota] end.

(** Run the interpreter up to the next expression that is a statement. *)
Ltac run_up_to_expression :=
  repeat lazymatch goal with |- wp (exec _ _ _ _ (Expr _)) _ _ => fail | _ => first [step | eapply wp_get_object;
    [look|]; cbv beta iota] end.

(** A call that ends with v, in some store. *)
Lemma wp_answer {A} (m : M F A) ns s v (R : store F -> Prop) :
  wp m s (fun a s' => a = v /\ exists h', s' = State ns h' /\ R h') -> exists h', m s = Done v (State ns h') /\ R h'.
Proof. intros W. apply wp_done in W. destruct W as (a & s' & E & -> & h' & -> & HR). now exists h'. Qed.

(** ** insort *)

Definition is_place_for (x : node) (xs : list node) (i : nat) : Prop :=
  i <= List.length xs /\
  (forall j y, nth_error xs j = Some y -> j < i -> before x y = false) /\
  (forall j y, nth_error xs j = Some y -> i <= j -> before x y = true).

Lemma less_than_is_before n ns h m x q y : node_in h m x -> node_in h q y ->
  less_than search_py (S n) (VRef m) (VRef q) (State ns h) = Done (before x y) (State ns h).
Proof. intros Hx Hy. unfold less_than, bind. now rewrite (the_text_orders_nodes_by_line_5 F cfg n m q x y ns h Hx Hy). Qed.

Lemma wp_bisect n ns h l ms m x (P : nat -> state F -> Prop) :
  nth_error h l = Some (list_of ms) -> (forall q y, In (q, y) ms -> node_in h q y) -> node_in h m x ->
  StronglySorted (at_most before) (map snd ms) ->
  (forall i, is_place_for x (map snd ms) i -> P i (State ns h)) ->
  forall fuel lo hi, hi - lo < fuel -> lo <= hi <= List.length ms ->
  (forall j y, nth_error (map snd ms) j = Some y -> j < lo -> before x y = false) ->
  (forall j y, nth_error (map snd ms) j = Some y -> hi <= j -> before x y = true) ->
  wp (bisect (less_than search_py (S n)) fuel (VRef l) (VRef m) lo hi) (State ns h) P.
Proof.
  intros Hl Hms Hm Hs HP. induction fuel as [|fuel IH]; intros lo hi Hf Hlh Hlo Hhi; [lia|]. cbn [bisect].
  destruct (Nat.ltb_spec lo hi) as [L|L].
  - set (i := (lo + hi) / 2). assert (Hi : lo <= i < hi).
    { unfold i. split; [apply Nat.div_le_lower_bound; lia|apply Nat.div_lt_upper_bound; lia]. }
    destruct (nth_error ms i) as [[q y]|] eqn:Ei; [|apply nth_error_None in Ei; lia].
    assert (Ey : nth_error (map snd ms) i = Some y) by (rewrite nth_error_map, Ei; reflexivity).
    apply wp_bind, wp_bind, wp_bind. eapply wp_get_object; [exact Hl|]. apply wp_ret.
    rewrite nth_error_map, Ei. apply wp_ret, wp_bind.
    eapply wp_is_done; [apply (less_than_is_before n ns h m x q y Hm)|].
    { apply Hms. exact (nth_error_In _ _ Ei). }
    destruct (before x y) eqn:Eb.
    + apply IH; [lia|lia|exact Hlo|]. intros j z Hz Hj. destruct (Nat.eq_dec i j) as [<-|Nij]; [congruence|].
      apply (less_at_most_less before before_orders x y z Eb). apply (sorted_nth _ _ i j y z Hs); [lia|exact Ey|exact Hz].
    + apply IH; [lia|lia| |exact Hhi]. intros j z Hz Hj. destruct (Nat.eq_dec j i) as [->|Nij]; [congruence|].
      apply (at_most_trans before before_orders z y x); [|exact Eb]. apply (sorted_nth _ _ j i z y Hs); [lia|exact Hz|exact Ey].
  - apply wp_ret, HP. assert (hi = lo) by lia. subst hi. split; [rewrite map_length; lia|]. now split.
Qed.

(** [insort] keeps the order of line 5. *)
Lemma insertion_sorts xs x i : StronglySorted (at_most before) xs -> is_place_for x xs i ->
  StronglySorted (at_most before) (firstn i xs ++ x :: skipn i xs).
Proof.
  intros Hs (Hi & Hlo & Hhi). rewrite <- (firstn_skipn i xs) in Hs.
  assert (Parts : StronglySorted (at_most before) (firstn i xs) /\ StronglySorted (at_most before) (skipn i xs) /\
    forall a b, In a (firstn i xs) -> In b (skipn i xs) -> at_most before a b) by now apply strongly_sorted_parts in Hs.
  destruct Parts as (S1 & S2 & S3). apply strongly_sorted_app; [exact S1| |].
  - constructor; [exact S2|]. apply Forall_forall. intros b Hb. apply in_skipn_at in Hb. destruct Hb as (j & L & Hj).
    apply (less_at_most before before_orders). now apply (Hhi j b Hj).
  - intros a b Ha [<-|Hb]; [|now apply S3]. apply in_firstn_at in Ha. destruct Ha as (j & L & Hj).
    now apply (Hlo j a).
Qed.

Lemma wp_insort n ns h l ms m x (P : value F -> state F -> Prop) :
  nth_error h l = Some (list_of ms) -> (forall q y, In (q, y) ms -> node_in h q y) -> node_in h m x ->
  StronglySorted (at_most before) (map snd ms) ->
  (forall ms', Permutation ms' ((m, x) :: ms) -> StronglySorted (at_most before) (map snd ms') ->
     P VNone (State ns (replace_at l (list_of ms') h))) ->
  wp (builtin (less_than search_py (S n)) "insort" [VRef l; VRef m] []) (State ns h) P.
Proof.
  intros Hl Hms Hm Hs HP. unfold builtin. cbn [String.eqb Ascii.eqb Bool.eqb].
  apply wp_bind, wp_bind. eapply wp_get_object; [exact Hl|]. apply wp_ret, wp_bind.
  apply (wp_bisect n ns h l ms m x); [exact Hl|exact Hms|exact Hm|exact Hs| |lia|rewrite map_length; lia|lia| ].
  - intros i Hi. apply wp_bind, wp_bind. eapply wp_get_object; [exact Hl|]. apply wp_ret, wp_bind, wp_set_object, wp_ret.
    replace (ListObject _) with (list_of (firstn i ms ++ (m, x) :: skipn i ms)).
    + apply HP.
      * rewrite <- (firstn_skipn i ms) at 3. symmetry. apply Permutation_middle.
      * rewrite map_app. cbn [map snd]. rewrite <- firstn_map, <- skipn_map. now apply insertion_sorts.
    + unfold TreeInStore.list_of. rewrite map_app. cbn [map fst]. now rewrite firstn_map, skipn_map.
  - intros j y Hj L. rewrite map_length in L. assert (j < List.length (map snd ms)) by (apply nth_error_Some; congruence).
    rewrite map_length in *. lia.
Qed.


(** ** Adding a leaf *)

Definition with_members (T : tree_places) pre (c : class F) post ms : tree_places :=
  TreePlaces F (at_tree F T) (at_levels F T) (at_dicts F T) (pre ++ Class F (class_depth F c) (class_norm F c) (at_list F c) ms :: post)
    (at_least F T) (least_of_depths F T).

Lemma members_change h T n pre c post ms added : tree_at h T n -> classes_at F T = pre ++ c :: post ->
  (forall m, In m (map fst ms) -> In m (map fst (members F c)) \/ In m added) ->
  becomes h T added (replace_at (at_list F c) (list_of ms) h) (with_members T pre c post ms).
Proof.
  intros Ht Ec Hms.
  assert (Same : map (at_list F) (pre ++ Class F (class_depth F c) (class_norm F c) (at_list F c) ms :: post) = map (at_list F) (classes_at F T))
    by (rewrite Ec, !map_app; reflexivity).
  split.
  - apply same_but_replace. do 3 right. apply in_or_app. right. apply in_map. rewrite Ec. apply in_elt.
  - reflexivity.
  - intros l Hl. left. unfold owned in *. cbn [at_tree at_levels at_dicts classes_at at_least with_members] in Hl. now rewrite Same in Hl.
  - intros m. unfold nodes_of. cbn [classes_at with_members]. rewrite Ec, !flat_map_app, !in_app_iff. cbn [flat_map members].
    rewrite !in_app_iff. intros [Hm|[Hm|Hm]]; auto. destruct (Hms m Hm); auto.
Qed.

Lemma becomes_itself h T added more : becomes h T added (h ++ more) T.
Proof. split; [apply same_but_app|reflexivity|now left|now left]. Qed.

(** The object of the tree at another count. *)
Lemma count_changes h T n n' added : tree_at h T n -> becomes h T added (replace_at (at_tree F T) (tree_object F T n') h) T.
Proof. intros Ht. split; [apply same_but_replace; now left|reflexivity|now left|now left]. Qed.

Lemma class_depths h T N xs : tree_at h T (List.length xs) -> holds T N xs -> forall c, In c (classes_at F T) -> class_depth F c < N.
Proof.
  intros Ht Hh c Hc. destruct (each_class _ _ _ _ _ Hh c Hc) as (Ne & _ & Hx). destruct (members F c) as [|[m x] ms] eqn:Em; [easy|].
  destruct (Hx x (or_introl eq_refl)) as [<- _]. apply (deep_enough _ _ _ _ _ Hh), (Permutation_in _ (all_leaves _ _ _ _ _ Hh)).
  apply in_flat_map. exists c. split; [exact Hc|]. rewrite Em. now left.
Qed.

Lemma the_text_names_the_class n ns h T k m x : tree_at h T k -> node_in h m x ->
  call (S n) (Some (VRef (at_tree F T))) "class_of" [VRef m] [] (State ns h) = Done (VInt (norm x)) (State ns h).
Proof.
  intros [T1 _ _ _ _ _] Hm. unfold tree_object in T1. unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm.
  set (cs := int_tuple F _) in Hm. apply wp_equal. run_method. run. split; reflexivity.
Qed.

(** Where the class of a leaf is found in the dictionary of its depth. *)
Lemma found_class T i r v : find_key r (items i (classes_at F T)) = Some v ->
  exists pre c post, classes_at F T = pre ++ c :: post /\ class_depth F c = i /\ class_norm F c = r /\ v = VRef (at_list F c).
Proof.
  intros E. apply find_key_some in E. unfold TreeInStore.items in E. apply in_map_iff in E. destruct E as (c & [= <- <-] & Hc).
  apply filter_In in Hc. destruct Hc as [Hc Ei]. apply Nat.eqb_eq in Ei. destruct (in_split _ _ Hc) as (pre & post & Es).
  exists pre, c, post. auto.
Qed.

Lemma norms_of_a_depth_differ cs k : NoDup (map (fun c => (class_depth F c, class_norm F c)) cs) -> NoDup (map fst (items k cs)).
Proof.
  unfold TreeInStore.items. rewrite map_map. cbn [fst]. induction cs as [|c cs IH]; cbn [map filter]; intros N; [constructor|].
  apply NoDup_cons_iff in N. destruct N as [N1 N2]. destruct (Nat.eqb_spec (class_depth F c) k) as [E|_]; [|now apply IH].
  cbn [map]. constructor; [|now apply IH]. intros (b & Eb & [Hb Db%Nat.eqb_eq]%filter_In)%in_map_iff.
  apply N1, in_map_iff. exists b. split; [congruence|exact Hb].
Qed.

Lemma class_is_found T pre c post : NoDup (map (fun c => (class_depth F c, class_norm F c)) (classes_at F T)) -> classes_at F T = pre ++ c :: post ->
  find_key (class_norm F c) (items (class_depth F c) (classes_at F T)) = Some (VRef (at_list F c)).
Proof.
  intros N Ec. apply find_key_in.
  - now apply norms_of_a_depth_differ.
  - unfold TreeInStore.items. apply in_map_iff. exists c. split; [reflexivity|]. apply filter_In. split; [rewrite Ec; apply in_elt|apply Nat.eqb_refl].
Qed.

Lemma class_not_found T i r : find_key r (items i (classes_at F T)) = None -> ~ In (i, r) (map (fun c => (class_depth F c, class_norm F c)) (classes_at F T)).
Proof.
  intros E C. apply in_map_iff in C. destruct C as (c & [= <- <-] & Hc). unfold TreeInStore.items in E.
  induction (classes_at F T) as [|b bs IH]; [easy|]. cbn [filter] in E. destruct Hc as [->|Hc].
  - rewrite Nat.eqb_refl in E. cbn [map find_key] in E. now rewrite Z.eqb_refl in E.
  - destruct (class_depth F b =? class_depth F c); [|now apply IH]. cbn [map find_key] in E.
    destruct (class_norm F c =? class_norm F b)%Z; [discriminate|now apply IH].
Qed.

(** As [holds], but the class c may be without members. *)
Definition nearly_holds (T : tree_places) N xs pre c post : Prop :=
  classes_at F T = pre ++ c :: post /\ List.length (at_dicts F T) = N /\ (forall x, In x xs -> depth x < N) /\
  NoDup (map (fun c => (class_depth F c, class_norm F c)) (classes_at F T)) /\
  (forall b, In b (pre ++ post) -> members F b <> []) /\
  (forall b, In b (classes_at F T) -> StronglySorted (at_most before) (map snd (members F b)) /\
     forall x, In x (map snd (members F b)) -> depth x = class_depth F b /\ norm x = class_norm F b) /\
  Permutation (flat_map (fun c => map snd (members F c)) (classes_at F T)) xs /\
  List.length (least_of_depths F T) = N /\
  (forall x b, In x xs -> nth_error (least_of_depths F T) (depth x) = Some b -> less F (best x) b = false).

Lemma nearly_holds_if T N xs pre c post : holds T N xs -> classes_at F T = pre ++ c :: post -> nearly_holds T N xs pre c post.
Proof.
  intros [H1 H2 H3 H4 H5 H6 H7] Ec. repeat (split; [assumption|]). split; [|split; [|auto]].
  - intros b Hb. apply H4. rewrite Ec. apply in_app_or in Hb. apply in_or_app. cbn. tauto.
  - intros b Hb. split; now apply H4.
Qed.

(** The class c has other members: a leaf more, or a leaf less. *)
Lemma holds_with_members T N xs xs' pre c post ms : nearly_holds T N xs pre c post -> ms <> [] ->
  StronglySorted (at_most before) (map snd ms) ->
  (forall x, In x (map snd ms) -> depth x = class_depth F c /\ norm x = class_norm F c) ->
  (forall x, In x xs' -> depth x < N) ->
  (forall others, Permutation (map snd (members F c) ++ others) xs -> Permutation (map snd ms ++ others) xs') ->
  (forall x b, In x xs' -> nth_error (least_of_depths F T) (depth x) = Some b -> less F (best x) b = false) ->
  holds (with_members T pre c post ms) N xs'.
Proof.
  intros (Ec & H1 & H2 & H3 & H4 & H5 & H6 & H7 & _) Ne Hs Hx Hd Hp Hless. rewrite Ec in *. split; cbn [at_dicts classes_at least_of_depths with_members]; trivial.
  - rewrite !map_app in *. exact H3.
  - intros b Hb. destruct (in_app_or _ _ _ Hb) as [Hb'|[<-|Hb']].
    2:{ cbn [members class_depth class_norm]. auto. }
    all: split; [apply H4, in_or_app; auto|]; apply H5, in_or_app; cbn; auto.
  - rewrite flat_map_app in *. cbn [flat_map members] in *.
    set (l1 := flat_map _ pre) in *. set (l2 := flat_map _ post) in *.
    rewrite (Permutation_app_comm l1), <- app_assoc. rewrite (Permutation_app_comm l1), <- app_assoc in H6. exact (Hp _ H6).
Qed.

(** ** The least f* of each depth *)

Definition with_least (T : tree_places) bs : tree_places :=
  TreePlaces F (at_tree F T) (at_levels F T) (at_dicts F T) (classes_at F T) (at_least F T) bs.

Lemma map_replace_at {A B} (f : A -> B) k a (l : list A) : map f (replace_at k a l) = replace_at k (f a) (map f l).
Proof. revert k. induction l as [|y l IH]; intros [|k]; cbn; [reflexivity|reflexivity|reflexivity|]. now rewrite IH. Qed.

(** Another number for the depth k, of which no leaf is less. *)
Lemma least_changes h T n N xs k b : tree_at h T n -> holds T N xs -> k < N -> (forall x, In x xs -> depth x = k -> less F (best x) b = false) ->
  exists T', at_tree F T' = at_tree F T /\ tree_at (replace_at (at_least F T) (ListObject (replace_at k (VFloat b) (map VFloat (least_of_depths F T)))) h) T' n /\
    holds T' N xs /\ nth_error (least_of_depths F T') k = Some b /\
    becomes h T [] (replace_at (at_least F T) (ListObject (replace_at k (VFloat b) (map VFloat (least_of_depths F T)))) h) T'.
Proof.
  intros Ht [H1 H2 H3 H4 H5 H6 H7] Hk Hb. rewrite <- map_replace_at. exists (with_least T (replace_at k b (least_of_depths F T))).
  assert (Here : forall a, nth_error (replace_at k b (least_of_depths F T)) k = Some a -> a = b).
  { intros a Ha. destruct (nth_error (least_of_depths F T) k) as [o|] eqn:E; [|apply nth_error_None in E; lia].
    rewrite (nth_error_replaced _ _ _ _ E) in Ha. now injection Ha as ->. }
  split; [reflexivity|]. split; [exact (tree_with_least F cfg h T n _ Ht)|]. split; [|split].
  - split; cbn [at_dicts classes_at least_of_depths with_least]; trivial; [now rewrite length_replace_at|].
    intros x a Hx Ha. destruct (Nat.eq_dec (depth x) k) as [E|E]; [rewrite E in Ha; rewrite (Here a Ha); now apply Hb|].
    apply (H7 x a Hx). rewrite nth_error_replace_at, (proj2 (Nat.eqb_neq _ _)) in Ha by congruence. exact Ha.
  - cbn [least_of_depths with_least]. destruct (nth_error (least_of_depths F T) k) as [o|] eqn:E; [|apply nth_error_None in E; lia].
    exact (nth_error_replaced _ _ _ _ E).
  - split; [apply same_but_replace; right; right; now left|reflexivity|now left|now left].
Qed.

Lemma add_to_a_tree n ns h T xs N m x :
  tree_at h T (List.length xs) -> holds T N xs -> node_in h m x -> depth x <= N ->
  exists h', call (S (S (S n))) (Some (VRef (at_tree F T))) "add" [VRef m] [] (State ns h) = Done VNone (State ns h') /\
    exists T', tree_at h' T' (S (List.length xs)) /\ holds T' (Nat.max N (S (depth x))) (x :: xs) /\ becomes h T [m] h' T'.
Proof.
  intros Ht Hh Hm Hd. pose proof Ht as [T1 T2 TL T3 T4 T5].
  pose proof (proj1 (owned_parts F T) T5) as (Ndiff & _ & _ & (Ndiff2 & Ndiff3 & _) & _).
  pose proof (fun _ : True => Hm) as Hm0. unfold tree_object in T1.
  unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm. set (cs := int_tuple F (numerators _ _ _)) in Hm.
  pose proof (depths _ _ _ _ _ Hh) as Len.
  apply wp_answer. eapply wp_call_method; [exact T1|vm_compute; reflexivity|]. run_up_to_if.
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun how s' => how = Next /\ exists h1,
    s' = State (locals s0) h1 /\ exists T0, tree_at h1 T0 (List.length xs) /\ holds T0 (Nat.max N (S (depth x))) xs /\ becomes h T [] h1 T0) end.
  { cbn [locals]. run. run_builtin. run. rewrite map_length, Len.
    replace (Z.of_nat (depth x) =? Z.of_nat N)%Z with (depth x =? N).
    2:{ destruct (Nat.eqb_spec (depth x) N); symmetry; [apply Z.eqb_eq|apply Z.eqb_neq]; lia. }
    destruct (Nat.eqb_spec (depth x) N) as [Ed|Nd]; run.
    - pose proof (no_node F cfg h _ _ m x TL (fun y => ltac:(discriminate)) (Hm0 I)) as Nm2.
      pose proof (no_node F cfg h _ _ m x T2 (fun y => ltac:(discriminate)) (Hm0 I)) as Nm.
      run. eapply wp_call_list_method; [apply nth_error_app_old; exact T2|]. run. eapply wp_call_list_method; [look|]. run.
      split; [reflexivity|]. eexists. split; [reflexivity|].
      pose proof (tree_with_level F cfg h T _ Ht) as New. cbv zeta in New.
      eexists. split; [|split].
      + unfold tree_object in New. cbn [at_dicts at_levels] in New. rewrite app_length, Nat.add_1_r in New. cbn [pred] in New.
        rewrite Ed, <- Len. apply New. rewrite Len. now apply (class_depths h T N xs).
      + destruct Hh as [_ H2 H3 H4 H5 H6 H7]. split; cbn [at_dicts classes_at least_of_depths]; try assumption.
        * rewrite app_length, Len. cbn [List.length]. lia.
        * intros y Hy. specialize (H2 y Hy). lia.
        * rewrite app_length, H6. cbn [List.length]. lia.
        * intros y b Hy Hb. apply (H7 y b Hy). rewrite nth_error_app1 in Hb; [exact Hb|]. rewrite H6. now apply H2.
      + split.
        * apply (same_but_trans _ _ (h ++ [DictObject []])); [apply same_but_app|]. eapply same_but_trans; [|apply same_but_replace; now left].
          eapply same_but_trans; apply same_but_replace; [right; now left|right; right; now left].
        * reflexivity.
        * unfold owned. cbn [at_tree at_levels at_dicts classes_at at_least]. intros l. cbn [In]. rewrite !in_app_iff. cbn [In]. intuition lia.
        * now left.
    - split; [reflexivity|]. exists h. split; [reflexivity|]. exists T. split; [exact Ht|]. split.
      + now replace (Nat.max N (S (depth x))) with N by lia.
      + split; [apply same_but_refl|reflexivity|now left|now left]. }
  intros how s' (-> & h0 & -> & Tl & Htl & Hhl & Bl). cbn [locals]. clear T1 T2 TL T3 T4 T5 Hm.
  set (N0 := Nat.max N (S (depth x))) in *. pose proof (node_stays F cfg h T _ [] h0 Tl m x Ht Bl (Hm0 I)) as Hm.
  pose proof Htl as [T1 _ TL _ _ _]. rewrite (same_object _ _ _ _ _ _ Bl) in T1. unfold tree_object in T1.
  unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm. fold cs in Hm.
  assert (Lt : depth x < List.length (least_of_depths F Tl)) by (rewrite (least_depths _ _ _ _ _ Hhl); unfold N0; lia).
  destruct (nth_error (least_of_depths F Tl) (depth x)) as [w|] eqn:Eb; [|apply nth_error_None in Eb; lia].
  run. rewrite map_length, position_of_nat by exact Lt. rewrite nth_error_map, Eb. cbn [option_map]. run. run_builtin. run.
  rewrite map_length, position_of_nat by exact Lt. run_up_to_expression.
  replace (if less F (best x) w then VFloat (best x) else VFloat w) with (VFloat (smaller (less F) (best x) w))
    by (unfold smaller; now destruct (less F (best x) w)).
  destruct (least_changes h0 Tl _ N0 xs (depth x) (smaller (less F) (best x) w) Htl Hhl ltac:(unfold N0; lia)) as (T0 & E0 & Ht0 & Hh0 & Eb0 & B0').
  { intros y Hy Ey. rewrite <- Ey in Eb. pose proof (none_is_less _ _ _ _ _ Hhl y w Hy Eb) as L. unfold smaller.
    destruct (less F (best x) w) eqn:E; [|exact L]. exact (at_most_trans _ order _ _ _ (less_at_most _ order _ _ E) L). }
  pose proof (becomes_then F _ _ _ _ _ _ _ _ Bl B0') as B0. cbn [app] in B0. clear T1 TL Hm Lt B0'. set (h1 := replace_at (at_least F Tl) _ h0) in *.
  pose proof (node_stays F cfg h T _ [] h1 T0 m x Ht B0 (Hm0 I)) as Hm.
  pose proof Ht0 as [T1 T2 _ T3 T4 T5]. rewrite (same_object _ _ _ _ _ _ B0) in T1. unfold tree_object in T1.
  pose proof (fun _ : True => Hm) as Hm1. unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm. fold cs in Hm.
  assert (Lt : depth x < List.length (at_dicts F T0)) by (rewrite (depths _ _ _ _ _ Hh0); unfold N0; lia).
  destruct (nth_error (at_dicts F T0) (depth x)) as [d|] eqn:Ed; [|apply nth_error_None in Ed; lia].
  pose proof (T3 _ _ Ed) as D1.
  run. rewrite map_length, position_of_nat by exact Lt. rewrite nth_error_map, Ed. cbn [option_map]. run.
  rewrite <- (same_object _ _ _ _ _ _ B0).
  eapply wp_is_done; [exact (the_text_names_the_class (S n) _ h1 T0 _ m x Ht0 (Hm1 I))|]. run.
  eapply wp_call_dict_method; [apply nth_error_app_old; exact D1|].
  pose proof (tree_at_app F cfg h1 [ListObject []] T0 _ Ht0) as Ht0'.
  match goal with |- wp _ (State ?names _) _ => apply wp_weaken with (P := fun v s' => exists h2 T2 pre c post, v = VRef (at_list F c) /\
    s' = State names h2 /\ nearly_holds T2 N0 xs pre c post /\ least_of_depths F T2 = least_of_depths F T0 /\ class_depth F c = depth x /\ class_norm F c = norm x /\
    tree_at h2 T2 (List.length xs) /\ becomes h1 T0 [] h2 T2) end.
  { run. destruct (find_key (norm x) (items (depth x) (classes_at F T0))) as [v|] eqn:Ef; run.
    - destruct (found_class _ _ _ _ Ef) as (pre & c & post & Ec & E1 & E2 & ->).
      exists (h1 ++ [ListObject []]), T0, pre, c, post. repeat (split; [reflexivity|]). split; [now apply nearly_holds_if|].
      repeat (split; [first [reflexivity|assumption]|]). apply becomes_itself.
    - rewrite (set_key_new _ _ _ Ef). pose proof (class_not_found _ _ _ Ef) as Out.
      eexists. exists (TreePlaces F (at_tree F T0) (at_levels F T0) (at_dicts F T0) (classes_at F T0 ++ [Class F (depth x) (norm x) (List.length h1) []]) (at_least F T0) (least_of_depths F T0)).
      exists (classes_at F T0). eexists. exists []. split; [|split; [reflexivity|split; [|split; [|split; [|split; [|split]]]]]].
      7:{ split.
          - apply (same_but_trans _ _ (h1 ++ [ListObject []])); [apply same_but_app|]. apply same_but_replace. do 3 right.
            apply in_or_app. left. now apply nth_error_In in Ed.
          - reflexivity.
          - unfold owned. cbn [at_tree at_levels at_dicts classes_at at_least]. intros l. cbn [In]. rewrite map_app, !in_app_iff. cbn [map In at_list]. intuition lia.
          - unfold nodes_of. cbn [classes_at]. intros q. rewrite flat_map_app. cbn [flat_map members map app]. rewrite app_nil_r. now left. }
      6:{ exact (tree_with_class F cfg h1 T0 _ (depth x) d (norm x) Ht0 Ed). }
      2:{ destruct Hh0 as [H1 H2 H3 H4 H5 H6 H7]. split; [reflexivity|]. cbn [at_dicts classes_at least_of_depths]. split; [exact H1|].
          split; [exact H2|]. split; [|split; [|split; [|split; [|now split]]]].
          - rewrite map_app. cbn [map class_depth class_norm]. apply nodup_app; [exact H3|repeat constructor; easy|]. intros y Hy [<-|[]]. now apply Out.
          - intros b. rewrite app_nil_r. intros Hb. now apply H4.
          - intros b [Hb|[<-|[]]]%in_app_or; [split; now apply H4|]. cbn [members map]. split; [constructor|easy].
          - rewrite flat_map_app. cbn [flat_map members map app]. now rewrite app_nil_r. }
      all: reflexivity. }
  intros v s' (h2 & T2' & pre & c & post & -> & -> & Hn & El & Ec1 & Ec2 & Ht2 & B1).
  pose proof (node_stays F cfg h1 T0 _ [] h2 T2' m x Ht0 B1 (Hm1 I)) as Hm2. pose proof Hn as (Ec & H1 & H2 & H3 & H4 & H5 & H6 & _ & H8).
  assert (Hc : In c (classes_at F T2')) by (rewrite Ec; apply in_elt).
  destruct (the_classes Ht2 c Hc) as [Lc Mc]. destruct (H5 c Hc) as [Sc Dc].
  run. run_builtin. apply (wp_insort n _ h2 (at_list F c) (members F c) m x); [exact Lc|exact Mc|exact Hm2|exact Sc|].
  intros ms Pms Sms. run. 
  assert (Hms : forall q y, In (q, y) ms -> node_in h2 q y).
  { intros q y Hq. apply (Permutation_in _ Pms) in Hq. destruct Hq as [[= <- <-]|Hq]; [exact Hm2|now apply Mc]. }
  pose proof (tree_with_members F cfg h2 T2' _ pre c post ms Ec Ht2 Hms) as Ht3.
  assert (B2 : becomes h2 T2' [m] (replace_at (at_list F c) (list_of ms) h2) (with_members T2' pre c post ms)).
  { apply (members_change h2 T2' (List.length xs)); [exact Ht2|exact Ec|]. intros q Hq. apply (Permutation_map fst) in Pms.
    apply (Permutation_in _ Pms) in Hq. destruct Hq as [<-|Hq]; [right; now left|now left]. }
  set (h3 := replace_at (at_list F c) (list_of ms) h2) in *. set (T3' := with_members T2' pre c post ms) in *.
  change (TreePlaces F _ _ _ _ _ _) with T3' in Ht3.
  assert (Hh3 : holds T3' N0 (x :: xs)).
  { apply (holds_with_members T2' N0 xs); [exact Hn| |exact Sms| | | |].
    - intros ->. now apply Permutation_nil in Pms.
    - intros y Hy. apply (Permutation_map snd) in Pms. apply (Permutation_in _ Pms) in Hy. destruct Hy as [<-|Hy]; [auto|now apply Dc].
    - intros y [<-|Hy]; [unfold N0; lia|now apply H2].
    - intros others P. apply (Permutation_map snd) in Pms. rewrite Pms. cbn [map snd app]. now constructor.
    - intros y a [<-|Hy] Ha; [|exact (H8 y a Hy Ha)]. rewrite El, Eb0 in Ha. injection Ha as <-. apply smaller_at_most_new, order. }
  pose proof (becomes_then F _ _ _ _ _ _ _ _ B0 (becomes_then F _ _ _ _ _ _ _ _ B1 B2)) as B3. cbn [app] in B3.
  pose proof (the_tree Ht3) as T6. rewrite (same_object _ _ _ _ _ _ B3) in T6. unfold tree_object in T6.
  rewrite (same_object _ _ _ _ _ _ B0) in *.
  run. split; [reflexivity|]. eexists. split; [reflexivity|]. exists T3'. cbn [objects].
  replace (Z.of_nat (List.length xs) + 1)%Z with (Z.of_nat (S (List.length xs))) by lia.
  rewrite <- (same_object _ _ _ _ _ _ B3).
  split; [exact (tree_with_count F cfg h3 T3' _ _ Ht3)|]. split; [exact Hh3|].
  exact (becomes_then F _ _ _ _ _ _ _ _ B3 (count_changes h3 T3' _ (S (List.length xs)) [] Ht3)).
Qed.

(** ** Listing the classes *)

(** The norms of a depth, as [sorted] puts them, are those of the model's classes. *)
Lemma sorted_norms T N xs k : holds T N xs -> Python.falling (map fst (items k (classes_at F T))) = map fst (classes k xs).
Proof.
  intros [_ _ H3 H4 H5 _ _]. unfold TreeInStore.items. rewrite map_map. cbn [fst]. apply falling_lists_are_equal.
  - apply falling_falls. pose proof (norms_of_a_depth_differ _ k H3) as N1. unfold TreeInStore.items in N1. now rewrite map_map in N1.
  - pose proof (classes_come_largest_norm_first k xs) as Hs. induction Hs as [|c cs _ IH Hf]; cbn [map]; constructor; [exact IH|].
    apply Forall_map. exact Hf.
  - intros r. assert (P : In r (Python.falling (map (fun c => class_norm F c) (filter (fun c => class_depth F c =? k) (classes_at F T)))) <->
      In r (map (fun c => class_norm F c) (filter (fun c => class_depth F c =? k) (classes_at F T)))).
    { split; apply Permutation_in; [|symmetry]; apply falling_permutes. }
    rewrite P. clear P. split; intros Hr; apply in_map_iff in Hr.
    + destruct Hr as (c & <- & Hc). apply filter_In in Hc. destruct Hc as [Hc Dc]. apply Nat.eqb_eq in Dc.
      destruct (H4 c Hc) as (Ne & _ & Hd). destruct (members F c) as [|[q x] ms] eqn:Em; [easy|].
      destruct (Hd x (or_introl eq_refl)) as [D1 D2].
      destruct (every_leaf_of_the_depth_is_in_its_class k xs x) as (ys & Hys & _).
      * apply (Permutation_in _ H5), in_flat_map. exists c. split; [exact Hc|]. rewrite Em. now left.
      * congruence.
      * rewrite <- D2. exact (in_map fst _ _ Hys).
    + destruct Hr as ([r' ys] & <- & Hc). destruct (classes_hold_only_leaves_of_their_depth_and_norm k xs r' ys Hc) as [Ne Hy].
      destruct ys as [|y ys]; [easy|]. destruct (Hy y (or_introl eq_refl)) as (Y1 & Y2 & Y3). cbn [fst].
      apply (Permutation_in _ (Permutation_sym H5)), in_flat_map in Y1. destruct Y1 as (c & Hc' & Hyc).
      destruct (H4 c Hc') as (_ & _ & Hd). destruct (Hd y Hyc) as [D1 D2]. apply in_map_iff. exists c. split; [congruence|].
      apply filter_In. split; [exact Hc'|]. apply Nat.eqb_eq. congruence.
Qed.

(** What the text holds at r of a class of the model: a list that begins with the leaf that is least. *)
Definition first_at (h : store F) (r : nat) (c : Z * list node) : Prop :=
  exists m x rest, nth_error h r = Some (ListObject (VRef m :: rest)) /\ node_in h m x /\ In x (snd c) /\
    forall y, In y (snd c) -> before y x = false.

Lemma list_the_classes n ns h T count N xs k :
  tree_at h T count -> holds T N xs -> k < N ->
  exists more c rs, call (S (S n)) (Some (VRef (at_tree F T))) "norm_classes" [VInt (Z.of_nat k)] [] (State ns h) = Done (VRef c) (State ns (h ++ more)) /\
    List.length h <= c /\ nth_error (h ++ more) c = Some (ListObject (map VRef rs)) /\ (forall r, In r rs -> In r (footprint F T)) /\
    Forall2 (first_at h) rs (classes k xs).
Proof.
  intros Ht Hh Hk. pose proof Ht as [T1 T2 _ T3 T4 T5]. unfold tree_object in T1.
  pose proof Hh as [H1 H2 H3 H4 H5 _ _]. rewrite <- H1 in Hk.
  destruct (nth_error (at_dicts F T) k) as [d|] eqn:Ed; [|apply nth_error_None in Ed; lia]. pose proof (T3 _ _ Ed) as D1.
  assert (Each : forall c, In c (classes k xs) -> exists r, In r (footprint F T) /\
    find_key (fst c) (items k (classes_at F T)) = Some (VRef r) /\ first_at h r c).
  { intros [r ys] Hc. destruct (classes_hold_only_leaves_of_their_depth_and_norm k xs r ys Hc) as [Ne Hy].
    assert (Class_of : forall y, In y ys -> exists b, In b (classes_at F T) /\ class_depth F b = k /\ class_norm F b = r /\ In y (map snd (members F b))).
    { intros y Hyy. destruct (Hy y Hyy) as (Y1 & Y2 & Y3). apply (Permutation_in _ (Permutation_sym H5)), in_flat_map in Y1.
      destruct Y1 as (b & Hb & Hyb). destruct (H4 b Hb) as (_ & _ & Hd). destruct (Hd y Hyb) as [D2 D3]. exists b. repeat split; congruence || assumption. }
    destruct ys as [|y0 ys0] eqn:Ey; [easy|]. destruct (Class_of y0 (or_introl eq_refl)) as (b & Hb & B1 & B2 & _). rewrite <- Ey in *. clear y0 ys0 Ey.
    exists (at_list F b). split; [apply in_or_app; left; do 3 right; apply in_or_app; right; now apply in_map|].
    destruct (in_split _ _ Hb) as (pre & post & Eb). cbn [fst]. rewrite <- B1, <- B2. split; [exact (class_is_found T pre b post H3 Eb)|].
    destruct (H4 b Hb) as (Neb & Hs & Hd). destruct (T4 b Hb) as [Lb Mb]. destruct (members F b) as [|[m x] ms] eqn:Em; [easy|].
    exists m, x, (map (fun mx => VRef (fst mx)) ms). split; [exact Lb|]. split; [apply Mb; now left|]. cbn [snd].
    destruct (Hd x (or_introl eq_refl)) as [D2 D3]. split.
    - destruct (every_leaf_of_the_depth_is_in_its_class k xs x) as (zs & Hzs & Hx).
      + apply (Permutation_in _ H5), in_flat_map. exists b. split; [exact Hb|]. rewrite Em. now left.
      + congruence.
      + replace (norm x) with r in Hzs by congruence. now rewrite (one_class_of_a_norm k xs r ys zs Hc Hzs).
    - intros y Hyy. destruct (Class_of y Hyy) as (b' & Hb' & B1' & B2' & Hyb).
      pose proof (nodup_map_injective _ _ _ _ H3 Hb' Hb ltac:(cbn; congruence)) as ->.
      rewrite Em in Hyb. cbn [map snd] in Hs, Hyb. apply StronglySorted_inv in Hs. destruct Hs as [_ Hf]. rewrite Forall_forall in Hf.
      destruct Hyb as [<-|Hyb]; [apply (at_most_refl before before_orders)|exact (Hf y Hyb)]. }
  set (keys := map fst (classes k xs)).
  set (f := fun z : Z => find_key z (items k (classes_at F T))).
  assert (Found : exists rs, kept f keys = map VRef rs /\ (forall r, In r rs -> In r (footprint F T)) /\ Forall2 (first_at h) rs (classes k xs) /\
    forall z, In z keys -> exists v, f z = Some v).
  { unfold keys. clear - Each. induction (classes k xs) as [|c cs IH]; [exists []; repeat split; easy || constructor|].
    destruct (Each c (or_introl eq_refl)) as (r & R1 & R2 & R3). destruct IH as (rs & E & I1 & I2 & I3); [intros c' Hc'; apply Each; now right|].
    exists (r :: rs). cbn [map kept flat_map]. unfold f at 1. rewrite R2. cbn [app map]. split; [now rewrite <- E|].
    split; [intros r' [<-|Hr']; auto|]. split; [now constructor|]. intros z [<-|Hz]; [now exists (VRef r)|now apply I3]. }
  destruct Found as (rs & Ers & Hin & Hrs & Some_of).
  exists [ListObject (map VInt keys); ListObject (map VRef rs)], (S (List.length h)), rs.
  split; [|split; [lia|split; [|split; [exact Hin|exact Hrs]]]].
  - apply wp_equal. run_method. run. rewrite map_length, position_of_nat by exact Hk. rewrite nth_error_map, Ed. cbn [option_map]. run.
    run_builtin. run. rewrite (sorted_norms T N xs k Hh). fold keys. rewrite map_length.
    rewrite <- (map_length (@VInt F) keys).
    apply wp_gather with (f := f) (inv := fun s' => exists a, s' = State [(str "name", a); (str "self", Some (VRef (at_tree F T))); (str "h", Some (VInt (Z.of_nat k)));
        (str "level", Some (VRef d))] (h ++ [ListObject (map VInt keys)])).
    + intros s' (a & ->). unfold elements, bind, get_object. cbn [objects]. now rewrite nth_error_app_here.
    + intros z s' Hz (a & ->). destruct (Some_of z Hz) as (v & Ev). unfold f in Ev. run. rewrite Ev. run. split; [unfold f; now rewrite Ev|now eexists].
    + now eexists.
    + intros s' (a & ->). cbn [objects]. run. split; [rewrite app_length, Nat.add_1_r; reflexivity|]. cbn [objects]. rewrite Ers, <- app_assoc. reflexivity.
  - rewrite <- Nat.add_1_r. now rewrite nth_error_app_later.
Qed.

(** Claim [python-text]. [Tree.norm_classes] lists the classes of a depth, largest norm first; the first of each is least in it. *)
Theorem the_text_lists_the_classes n ns h own l xs k :
  tree_in F cfg own l xs h -> k < depths_of F xs ->
  exists more c rs, call (S (S n)) (Some (VRef l)) "norm_classes" [VInt (Z.of_nat k)] [] (State ns h) = Done (VRef c) (State ns (h ++ more)) /\
    List.length h <= c /\ nth_error (h ++ more) c = Some (ListObject (map VRef rs)) /\ (forall r, In r rs -> In r own) /\
    Forall2 (first_at h) rs (classes k xs).
Proof. intros (T & -> & -> & Ht & Hh) Hk. exact (list_the_classes n ns h T _ _ xs k Ht Hh Hk). Qed.

(** The lists with their first nodes. *)
Lemma first_nodes h rs cs : Forall2 (first_at h) rs cs -> exists ps : list (nat * node), rs = map fst ps /\
  (forall p, In p ps -> exists m rest, nth_error h (fst p) = Some (ListObject (VRef m :: rest)) /\ node_in h m (snd p)) /\
  forall c y, In c cs -> In y (snd c) -> exists p, In p ps /\ less F (best y) (best (snd p)) = false.
Proof.
  induction 1 as [|r c rs cs (m & x & rest & Hr & Hm & Hx & Hy) _ (ps & -> & IH1 & IH2)]; [exists []; repeat split; easy|].
  exists ((r, x) :: ps). split; [reflexivity|]. split.
  - intros p [<-|Hp]; [now exists m, rest|now apply IH1].
  - intros c' y [<-|Hc] Hyc; [|destruct (IH2 c' y Hc Hyc) as (p & Hp & L); exists p; split; [now right|exact L]].
    exists (r, x). split; [now left|]. specialize (Hy y Hyc). rewrite before_is in Hy. now apply orb_false_iff in Hy.
Qed.

(** [min] of a list of floats. *)
Lemma wp_least_of bs : forall a s (P : value F -> state F -> Prop),
  (forall w, (forall b, In b (a :: bs) -> less F b w = false) -> P (VFloat w) s) -> wp (least_of (VFloat a) (map VFloat bs)) s P.
Proof.
  induction bs as [|b bs IH]; intros a s P HP; cbn [map least_of].
  - apply wp_ret, HP. intros b [<-|[]]. apply (at_most_refl (less F) order).
  - apply wp_bind, wp_ret. replace (if less F b a then VFloat b else VFloat a) with (VFloat (smaller (less F) b a))
      by (unfold smaller; now destruct (less F b a)).
    apply IH. intros w Hw. apply HP. intros z [<-|[<-|Hz]]; [| |apply Hw; now right].
    all: apply (at_most_trans (less F) order _ (smaller (less F) b a)); [exact (Hw _ (or_introl eq_refl))|].
    + apply (smaller_at_most_old (less F) order).
    + apply (smaller_at_most_new (less F) order).
Qed.

(** ** Replacing a leaf *)

(** The class of a leaf, and its first member if it is least. *)
Lemma class_of_a_leaf T N xs x : holds T N xs -> In x xs ->
  (forall y, In y xs -> depth y = depth x -> norm y = norm x -> y = x \/ before x y = true) ->
  exists pre c post q ms, classes_at F T = pre ++ c :: post /\ class_depth F c = depth x /\ class_norm F c = norm x /\ members F c = (q, x) :: ms.
Proof.
  intros Hh Hx Hl. pose proof Hh as [_ _ _ H4 H5].
  apply (Permutation_in _ (Permutation_sym H5)), in_flat_map in Hx. destruct Hx as (c & Hc & Hx).
  destruct (H4 c Hc) as (Ne & Hs & Hd). destruct (Hd x Hx) as [E1 E2]. destruct (in_split _ _ Hc) as (pre & post & Ec).
  destruct (members F c) as [|[q y] ms] eqn:Em; [easy|]. exists pre, c, post, q, ms. repeat (split; [auto|]).
  cbn [map snd] in *. enough (y = x) as -> by exact Em. destruct Hx as [Hx|Hx]; [exact Hx|].
  apply StronglySorted_inv in Hs. destruct Hs as [_ Hf]. rewrite Forall_forall in Hf. specialize (Hf x Hx). unfold at_most in Hf.
  destruct (Hd y (or_introl eq_refl)) as [D1 D2].
  destruct (Hl y) as [->|C]; [|congruence|congruence|reflexivity|congruence].
  apply (Permutation_in _ H5), in_flat_map. exists c. split; [exact Hc|]. rewrite Em. now left.
Qed.

(** Claim [python-text]. [Tree.replace] takes the first leaf of a class away, and adds the children. *)
Theorem the_text_replaces_a_leaf n ns h own l xs m x others c kids :
  tree_in F cfg own l xs h -> node_in h m x -> Permutation xs (x :: others) ->
  (forall y, In y xs -> depth y = depth x -> norm y = norm x -> y = x \/ before x y = true) ->
  nth_error h c = Some (list_of kids) -> (forall q y, In (q, y) kids -> node_in h q y) -> ~ In c own ->
  kids <> [] -> (forall y, In y (map snd kids) -> depth y = S (depth x)) ->
  exists own' h', call (S (S (S (S n)))) (Some (VRef l)) "replace" [VRef m; VRef c] [] (State ns h) = Done VNone (State ns h') /\
    tree_in F cfg own' l (map snd kids ++ others) h' /\ keeps F cfg own h h' /\ grows F own h own' (map fst kids).
Proof.
  intros (T & -> & -> & Ht & Hh) Hm Hp Hl Hc Hkids Nc Ne Hd.
  enough (E : exists h', call (S (S (S (S n)))) (Some (VRef (at_tree F T))) "replace" [VRef m; VRef c] [] (State ns h) = Done VNone (State ns h') /\
    exists T', tree_at h' T' (List.length (map snd kids ++ others)) /\ holds T' (depths_of F (map snd kids ++ others)) (map snd kids ++ others) /\
      becomes h T (map fst kids) h' T').
  { destruct E as (h' & E & T' & Ht' & Hh' & B). exists (footprint F T'), h'. split; [exact E|].
    split; [exists T'; rewrite (same_object _ _ _ _ _ _ B); auto|]. exact (without_places F cfg h T _ _ h' T' Ht B). }
  assert (Hx : In x xs) by (apply (Permutation_in _ (Permutation_sym Hp)); now left).
  destruct (class_of_a_leaf T _ xs x Hh Hx Hl) as (pre & b & post & q & ms & Eb & Ed & En & Em).
  assert (Hb : In b (classes_at F T)) by (rewrite Eb; apply in_elt).
  pose proof (nearly_holds_if T _ xs pre b post Hh Eb) as Hn.
  pose proof Ht as [T1 T2 _ T3 T4 T5]. unfold tree_object in T1. destruct (T4 b Hb) as [Lb Mb].
  set (N := depths_of F xs) in *. pose proof (depths _ _ _ _ _ Hh) as Len.
  assert (Lt : depth x < List.length (at_dicts F T)) by (rewrite Len; now apply (deep_enough _ _ _ _ _ Hh)).
  destruct (nth_error (at_dicts F T) (depth x)) as [d|] eqn:Edict; [|apply nth_error_None in Edict; lia].
  pose proof (T3 _ _ Edict) as D1. pose proof (class_is_found T pre b post (names_differ _ _ _ _ _ Hh) Eb) as Found. rewrite Ed, En in Found.
  pose proof (proj1 (owned_parts F T) T5) as (_ & (N2 & N3) & _ & _ & _ & _ & N8).
  pose proof (in_map (at_list F) _ _ Hb) as Hlist. pose proof (nth_error_In _ _ Edict) as Hdict.
  assert (Nld : at_list F b <> d) by (intros E; apply (N8 d Hdict); now rewrite <- E).
  assert (Nlt : at_list F b <> at_tree F T) by (intros E; apply N3; now rewrite <- E).
  assert (Ndt : d <> at_tree F T) by (intros E; apply N2; now rewrite <- E).
  pose proof (fun _ : True => Hm) as Hm0. unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm.
  set (cs := int_tuple F (numerators _ _ _)) in Hm.
  apply wp_answer. eapply wp_call_method; [exact T1|vm_compute; reflexivity|]. run.
  rewrite map_length, position_of_nat by exact Lt. rewrite nth_error_map, Edict. cbn [option_map]. run.
  eapply wp_is_done; [exact (the_text_names_the_class _ _ h T _ m x Ht (Hm0 I))|]. run. rewrite Found. run.
  rewrite Em. unfold TreeInStore.list_of at 1. cbn [map List.length]. rewrite position_zero. cbn [firstn skipn app]. run_up_to_if.
  assert (Hms : forall q' y, In (q', y) ms -> node_in h q' y) by (intros q' y Hq; apply Mb; rewrite Em; now right).
  pose proof (tree_with_members F cfg h T _ pre b post ms Eb Ht Hms) as Ht1.
  assert (B1 : becomes h T [] (replace_at (at_list F b) (list_of ms) h) (with_members T pre b post ms)).
  { apply (members_change h T (List.length xs)); [exact Ht|exact Eb|]. intros q' Hq. left. rewrite Em. now right. }
  change (TreePlaces F _ _ _ _ _ _) with (with_members T pre b post ms) in Ht1.
  change (ListObject (map (fun mx : nat * node => VRef (fst mx)) ms)) with (list_of ms).
  set (h1 := replace_at (at_list F b) (list_of ms) h) in *.
  assert (D2 : nth_error h1 d = Some (DictObject (items (depth x) (classes_at F T)))) by (now apply nth_error_replaced_apart).
  assert (L2 : nth_error h1 (at_list F b) = Some (list_of ms)) by exact (nth_error_replaced _ _ _ _ Lb).
  assert (Rest : forall os, Permutation (map snd (members F b) ++ os) xs -> Permutation (map snd ms ++ os) others).
  { intros os P. rewrite Em in P. cbn [map snd app] in P. apply (Permutation_cons_inv (a := x)). now rewrite P. }
  assert (Still : forall y, In y others -> In y xs) by (intros y Hy; apply (Permutation_in _ (Permutation_sym Hp)); now right).
  assert (Deep : forall y, In y others -> depth y < N) by (intros y Hy; now apply (deep_enough _ _ _ _ _ Hh), Still).
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun how s' => how = Next /\ exists h2,
    s' = State (locals s0) h2 /\ exists T0, tree_at h2 T0 (List.length xs) /\ holds T0 N others /\ becomes h T [] h2 T0) end.
  { cbn [locals]. unfold TreeInStore.list_of in L2. run. rewrite Found. run. rewrite map_length.
    destruct ms as [|[q1 x1] ms1]; cbn [List.length Nat.eqb negb]; run.
    - rewrite Found. run. split; [reflexivity|]. eexists. split; [reflexivity|].
      eexists. pose proof (tree_without_class F cfg h1 (with_members T pre b post []) _ pre
        (Class F (class_depth F b) (class_norm F b) (at_list F b) []) post d eq_refl Ht1) as Ht2.
      cbn [class_depth class_norm at_dicts classes_at at_tree at_levels with_members] in Ht2.
      assert (Ei : items (class_depth F b) (pre ++ Class F (class_depth F b) (class_norm F b) (at_list F b) [] :: post) = items (depth x) (classes_at F T)).
      { unfold TreeInStore.items. rewrite Ed, Eb, !filter_app, !map_app. cbn [filter class_depth]. rewrite Ed. now destruct (depth x =? depth x). }
      rewrite Ei, En in Ht2. split; [apply Ht2; [|now rewrite Ed]|].
      { destruct Hn as (_ & _ & _ & H3 & _). rewrite Eb in H3. rewrite map_app in *. cbn [map class_depth class_norm] in *. now rewrite En in H3. }
      split.
      + destruct Hn as (_ & H1 & _ & H3 & H4 & H5 & H6 & H7 & H8). rewrite Eb in *. split; cbn [at_dicts classes_at least_of_depths]; trivial.
        * rewrite map_app in *. cbn [map] in H3. now apply NoDup_remove_1 in H3.
        * intros b' Hb'. split; [now apply H4|]. apply H5. apply in_app_or in Hb'. apply in_or_app. cbn. tauto.
        * rewrite flat_map_app in *. cbn [flat_map] in H6. apply (Rest (flat_map (fun c => map snd (members F c)) pre ++ flat_map (fun c => map snd (members F c)) post)).
          rewrite <- H6, !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
        * intros y a Hy. now apply H8, Still.
      + split.
        * apply (same_but_trans _ _ h1); [apply B1|]. apply same_but_replace. do 3 right. apply in_or_app. left. now apply nth_error_In in Edict.
        * reflexivity.
        * unfold owned. cbn [at_tree at_levels at_dicts classes_at at_least]. rewrite Eb. intros l'. cbn [In]. rewrite !map_app, !in_app_iff. cbn [map In]. tauto.
        * unfold nodes_of. cbn [classes_at]. rewrite Eb. intros q'. rewrite !flat_map_app, !in_app_iff. cbn [flat_map]. rewrite in_app_iff. tauto.
    - split; [reflexivity|]. exists h1. split; [reflexivity|]. exists (with_members T pre b post ((q1, x1) :: ms1)).
      split; [exact Ht1|]. split; [|exact B1]. destruct Hn as (En' & H1 & H2 & H3 & H4 & H5 & H6 & H7 & H8).
      pose proof (H5 b Hb) as [Sb Db]. rewrite Em in Sb, Db. cbn [map snd] in Sb, Db. apply StronglySorted_inv in Sb. destruct Sb as [Sb _].
      apply (holds_with_members T N xs); [repeat (split; [assumption|]); assumption|discriminate|exact Sb| |exact Deep|exact Rest|].
      + intros y Hy. apply Db. now right.
      + intros y a Hy. now apply H8, Still. }
  intros how s' (-> & h1' & -> & Tl & Htl & Hhl & Bl). cbn [locals]. run_up_to_if.
  eapply wp_weaken with (P := fun how s' => how = Next /\ exists a h2, s' = State [(str "self", Some (VRef (at_tree F T)));
    (str "leaf", Some (VRef m)); (str "children", Some (VRef c)); (str "level", Some (VRef d)); (str "name", Some (VInt (norm x)));
    (str "firsts", a); (str "child", None)] h2 /\ exists T0, tree_at h2 T0 (List.length xs) /\ holds T0 N others /\ becomes h T [] h2 T0).
  { pose proof (node_stays F cfg h T _ _ h1' Tl m x Ht Bl (Hm0 I)) as Hm1. pose proof Htl as [U1 _ UL _ _ _].
    pose proof (same_object _ _ _ _ _ _ Bl) as Same. rewrite Same in U1. unfold tree_object in U1.
    unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hm1. fold cs in Hm1.
    assert (Ll : depth x < List.length (least_of_depths F Tl)) by (rewrite (least_depths _ _ _ _ _ Hhl); now apply (deep_enough _ _ _ _ _ Hh)).
    destruct (nth_error (least_of_depths F Tl) (depth x)) as [w|] eqn:Ew; [|apply nth_error_None in Ew; lia].
    run. rewrite map_length, position_of_nat by exact Ll. rewrite nth_error_map, Ew. cbn [option_map]. run.
    destruct (equal F (best x) w); run; [|split; [reflexivity|]; do 2 eexists; split; [reflexivity|]; now exists Tl].
    assert (Lx : depth x < N) by now apply (deep_enough _ _ _ _ _ Hh).
    lazymatch goal with |- wp _ (State ?names _) _ =>
      destruct (list_the_classes (S n) names h1' Tl _ N others (depth x) Htl Hhl Lx) as (more & lc & rs & Call & _ & Hlc & _ & Hfirst) end.
    rewrite Same in Call. eapply wp_is_done; [exact Call|]. run.
    destruct (first_nodes h1' rs _ Hfirst) as (ps & -> & Hps & Hleast). rewrite map_map in *.
    set (h2 := h1' ++ more) in *. pose proof (tree_at_app F cfg h1' more Tl _ Htl) as Htl2. fold h2 in Htl2.
    apply wp_gather with (g := fun p => VRef (fst p)) (f := fun p => Some (VFloat (best (snd p)))) (inv := fun s' => exists a,
      s' = State [(str "L_j", a); (str "self", Some (VRef (at_tree F T))); (str "leaf", Some (VRef m)); (str "children", Some (VRef c));
        (str "level", Some (VRef d)); (str "name", Some (VInt (norm x))); (str "firsts", None); (str "child", None)] h2).
    - intros s' (a & ->). unfold elements, bind, get_object. cbn [objects]. now rewrite Hlc.
    - intros p s' Hp' (a & ->). destruct (Hps p Hp') as (mp & rest & Hr & Hmp).
      assert (Hr2 : nth_error h2 (fst p) = Some (ListObject (VRef mp :: rest))) by now apply nth_error_app_old.
      assert (Hmp2 : node_in h2 mp (snd p)) by now apply nth_error_app_old.
      unfold TreeInStore.node_in, TextOfNode.node_object, node_with in Hmp2. set (cp := int_tuple F (numerators _ _ _)) in Hmp2.
      run. cbn [List.length]. rewrite position_zero. cbn [nth_error]. run. split; [reflexivity|now eexists].
    - now eexists.
    - intros s' (a & ->). cbn [objects].
      set (bs := map (fun p => best (snd p)) ps). replace (kept _ ps) with (map (@VFloat F) bs)
        by (unfold bs; clear; induction ps as [|p ps IH]; [reflexivity|]; cbn; now f_equal).
      run. run_builtin.
      pose proof (tree_at_app F cfg h2 [ListObject (map VFloat bs)] Tl _ Htl2) as Htl3. set (h3 := h2 ++ [ListObject (map VFloat bs)]) in *.
      assert (F3 : nth_error h3 (List.length h2) = Some (ListObject (map VFloat bs))) by apply nth_error_app_here.
      pose proof (the_tree Htl3) as U3. rewrite Same in U3. unfold tree_object in U3. pose proof (the_least Htl3) as UL3.
      assert (Hm3 : nth_error h3 m = Some (node_object F cfg x)) by (unfold h3, h2; now do 2 apply nth_error_app_old).
      unfold TextOfNode.node_object, node_with in Hm3. fold cs in Hm3.
      assert (Nq : forall y, In y others -> depth y = depth x -> exists b, In b bs /\ less F (best y) b = false).
      { intros y Hy Dy. destruct (every_leaf_of_the_depth_is_in_its_class (depth x) others y Hy Dy) as (ys & Hys & Hyy).
        destruct (Hleast _ y Hys Hyy) as (p & Hp' & L). exists (best (snd p)). split; [|exact L]. unfold bs. exact (in_map (fun p => best (snd p)) _ _ Hp'). }
      apply wp_weaken with (P := fun v s' => exists b, v = VFloat b /\ s' = State [(str "self", Some (VRef (at_tree F T)));
        (str "leaf", Some (VRef m)); (str "children", Some (VRef c)); (str "level", Some (VRef d)); (str "name", Some (VInt (norm x)));
        (str "firsts", Some (VRef (List.length h2))); (str "child", None)] h3 /\ forall y, In y others -> depth y = depth x -> less F (best y) b = false).
      { run. clearbody bs. destruct bs as [|b0 bs]; cbn [map].
        - run. eexists. split; [reflexivity|]. split; [reflexivity|]. intros y Hy Dy. now destruct (Nq y Hy Dy) as (b' & [] & _).
        - apply wp_least_of. intros b1 Hb1. exists b1. split; [reflexivity|]. split; [reflexivity|]. intros y Hy Dy.
          destruct (Nq y Hy Dy) as (b' & Hb' & L). exact (at_most_trans (less F) order _ _ _ (Hb1 b' Hb') L). }
      intros v s' (b1 & -> & -> & Hb1).
      destruct (least_changes h3 Tl _ N others (depth x) b1 Htl3 Hhl Lx Hb1) as (T0 & _ & Ht0 & Hh0 & _ & Ba).
      run. rewrite map_length, position_of_nat by exact Ll. run. split; [reflexivity|]. do 2 eexists. split; [reflexivity|].
      exists T0. split; [exact Ht0|]. split; [exact Hh0|].
      pose proof (becomes_then F _ _ _ _ _ _ _ _ Bl (becomes_itself h1' Tl [] (more ++ [ListObject (map VFloat bs)]))) as Bb.
      rewrite app_assoc in Bb. fold h2 in Bb. fold h3 in Bb. exact (becomes_then F _ _ _ _ _ _ _ _ Bb Ba). }
  intros how s' (-> & a0 & h2 & -> & T0 & Ht0 & Hh0 & B0).
  pose proof (the_tree Ht0) as T6. rewrite (same_object _ _ _ _ _ _ B0) in T6. unfold tree_object in T6. run.
  pose proof (Permutation_length Hp) as Lp. cbn [List.length] in Lp.
  replace (Z.of_nat (List.length xs) - 1)%Z with (Z.of_nat (List.length others)) by lia.
  pose proof (tree_with_count F cfg h2 T0 _ (List.length others) Ht0) as Ht3.
  pose proof (becomes_then F _ _ _ _ _ _ _ _ B0 (count_changes h2 T0 _ (List.length others) [] Ht0)) as B3. cbn [app] in B3.
  rewrite (same_object _ _ _ _ _ _ B0) in Ht3, B3. unfold tree_object in Ht3, B3. set (h3 := replace_at (at_tree F T) _ h2) in *.
  assert (Stays : forall added h' T', becomes h T added h' T' -> nth_error h' c = Some (list_of kids)).
  { intros added h' T' B. apply (same_but_get (owned F T) h); [apply B|exact Hc|]. intros C. apply Nc, in_or_app. now left. }
  eapply wp_get_object; [exact (Stays _ _ _ B3)|]. cbv beta iota. run.
  set (later := fun i => if i =? 0 then N else Nat.max N (S (S (depth x)))).
  apply wp_loop with (out := fun _ => False) (inv := fun i s' => exists a h', s' = State [(str "self", Some (VRef (at_tree F T))); (str "leaf", Some (VRef m));
      (str "children", Some (VRef c)); (str "level", Some (VRef d)); (str "name", Some (VInt (norm x))); (str "firsts", a0); (str "child", a)] h' /\
        exists T', tree_at h' T' (List.length (rev (map snd (firstn i kids)) ++ others)) /\ holds T' (later i) (rev (map snd (firstn i kids)) ++ others) /\
          becomes h T (map fst (firstn i kids)) h' T').
  - intros i s' (a & h' & -> & T' & _ & _ & B). unfold elements, bind, get_object. cbn [objects]. now rewrite (Stays _ _ _ B).
  - intros i v s' Hv (a & h' & -> & T' & Ht' & Hh' & B). rewrite nth_error_map in Hv.
    destruct (nth_error kids i) as [[mi xi]|] eqn:Ei; [|discriminate]. injection Hv as <-. cbn [fst].
    pose proof (node_stays F cfg h T _ _ h' T' mi xi Ht B (Hkids mi xi (nth_error_In _ _ Ei))) as Hmi.
    assert (Dxi : depth xi = S (depth x)) by (apply Hd, (in_map snd kids (mi, xi)), (nth_error_In _ _ Ei)).
    assert (Dx : depth x < N) by now apply (deep_enough _ _ _ _ _ Hh).
    assert (Dl : depth xi <= later i) by (unfold later; destruct (i =? 0); lia).
    run. match goal with |- wp _ (State ?names _) _ => destruct (add_to_a_tree n names h' T' _ _ mi xi Ht' Hh' Hmi Dl) as (h4 & E4 & T4' & Ht4 & Hh4 & B4) end.
    rewrite (same_object _ _ _ _ _ _ B) in E4. eapply wp_is_done; [exact E4|]. run. left. split; [reflexivity|]. do 2 eexists.
    split; [reflexivity|]. exists T4'.
    rewrite (firstn_one_more _ _ _ Ei), !map_app, rev_app_distr. cbn [map rev app fst snd]. split; [exact Ht4|]. split.
    + replace (later (S i)) with (Nat.max (later i) (S (depth xi))); [exact Hh4|]. unfold later. cbn [Nat.eqb]. destruct (i =? 0); lia.
    + exact (becomes_then F _ _ _ _ _ _ _ _ B B4).
  - do 2 eexists. split; [reflexivity|]. exists T0. cbn [firstn map rev app]. split; [exact Ht3|]. split; [exact Hh0|exact B3].
  - intros s' [(a & h' & -> & T' & Ht' & Hh' & B)|[]]. run. split; [reflexivity|]. eexists. split; [reflexivity|]. exists T'. cbn [objects].
    rewrite map_length, firstn_all in *.
    assert (P : Permutation (rev (map snd kids) ++ others) (map snd kids ++ others)) by (apply Permutation_app_tail, Permutation_sym, Permutation_rev).
    rewrite (Permutation_length P) in Ht'. split; [exact Ht'|]. split; [|exact B]. apply (holds_permutation F cfg _ _ _ _ P).
    replace (depths_of F (map snd kids ++ others)) with (later (List.length kids)); [exact Hh'|].
    rewrite depths_of_app, (depths_of_one_depth F (S (depth x)) (map snd kids)) by (auto; now destruct kids).
    unfold later, N. rewrite (depths_of_permutation F _ _ Hp), depths_of_cons. destruct kids; [easy|]. cbn [List.length Nat.eqb]. lia.
Qed.

(** Claim [python-text]. [Tree()] makes a tree without leaves, of new objects. *)
Theorem the_text_makes_a_tree n ns h :
  exists own l h', call (S (S n)) None "Tree" [] [] (State ns h) = Done (VRef l) (State ns h') /\
    tree_in F cfg own l [] h' /\ keeps F cfg [] h h' /\ grows F [] h own [].
Proof.
  set (T := TreePlaces F (List.length h) (List.length h + 2) [] [] (List.length h + 1) []).
  exists (footprint F T), (List.length h), (h ++ [tree_object F T 0; ListObject []; ListObject []]). split; [|split; [|split]].
  - apply wp_equal. eapply wp_call_class; [vm_compute; reflexivity|vm_compute; reflexivity|].
    eapply wp_make_by_init; [vm_compute; reflexivity|vm_compute; reflexivity|]. run.
    cbn [set_field update String.eqb Ascii.eqb Bool.eqb app objects]. rewrite <- ?app_assoc. cbn [app].
    rewrite !replace_at_app, ?app_length. cbn [Datatypes.length].
    rewrite <- ?app_assoc. cbn [app]. rewrite !replace_at_app. split; [reflexivity|].
    unfold tree_object. cbn [at_levels at_dicts at_least List.length pred T]. rewrite <- app_assoc. cbn [app]. rewrite replace_at_app, app_length. reflexivity.
  - exists T. split; [reflexivity|]. split; [reflexivity|]. split; split; cbn [at_tree at_levels at_dicts classes_at at_least least_of_depths T map flat_map].
    + apply nth_error_app_here.
    + now rewrite nth_error_app_later.
    + now rewrite nth_error_app_later.
    + intros [|i] d Hd; discriminate Hd.
    + intros c [].
    + unfold owned. cbn. repeat constructor; cbn; lia.
    + reflexivity.
    + intros x [].
    + constructor.
    + intros c [].
    + constructor.
    + reflexivity.
    + intros x b [].
  - split; [apply same_but_app|]. intros m x Hm. unfold TreeInStore.node_in. now apply nth_error_app_old.
  - intros m Hm. cbn in Hm. right. right. lia.
Qed.

(** Claim [python-text]. [Tree.add] adds a leaf. *)
Theorem the_text_adds_a_leaf n ns h own l xs m x :
  tree_in F cfg own l xs h -> node_in h m x -> depth x <= depths_of F xs ->
  exists own' h', call (S (S (S n))) (Some (VRef l)) "add" [VRef m] [] (State ns h) = Done VNone (State ns h') /\
    tree_in F cfg own' l (x :: xs) h' /\ keeps F cfg own h h' /\ grows F own h own' [m].
Proof.
  intros (T & -> & -> & Ht & Hh) Hm Hx. destruct (add_to_a_tree n ns h T xs _ m x Ht Hh Hm Hx) as (h' & E & T' & Ht' & Hh' & B).
  exists (footprint F T'), h'. split; [exact E|]. split; [|exact (without_places F cfg h T _ _ h' T' Ht B)].
  exists T'. split; [reflexivity|]. split; [symmetry; exact (same_object _ _ _ _ _ _ B)|]. split; [exact Ht'|].
  replace (depths_of F (x :: xs)) with (Nat.max (depths_of F xs) (S (depth x))); [exact Hh'|].
  rewrite depths_of_cons. lia.
Qed.

End TextOfTree.
