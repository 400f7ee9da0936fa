(** * tree.py: each method of the text does to the store what the program of Program.v does to its tree.

    The theorems are about [tree_py] of SearchText.v, for every [heapq] that meets Heapq.v and every store in which the
    tree lies (TreeInStore.v).  Each says which value the call ends with, that the program's new tree lies in the store
    then, and that nothing else has changed. *)

From Coq Require Import List ZArith String Bool Arith Lia Permutation Sorted.
From EmbeddedHunter Require Import Order PriorityQueue Program ProgramNodes ProgramLevels ProgramTree PythonSyntax Python
  SearchText PythonRules TextOfNode GeneratorRules Heapq TreeInStore.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

#[local] Existing Instance greatest_float.

(** ** Lists *)

Lemma replace_at_commutes {A} (h : list A) l m o o' : l <> m ->
  replace_at l o (replace_at m o' h) = replace_at m o' (replace_at l o h).
Proof.
  intros N. apply same_elements. intros i. rewrite !nth_error_replace_at.
  destruct (Nat.eqb_spec l i) as [->|_], (Nat.eqb_spec m i) as [->|_]; try easy; destruct (nth_error h i); reflexivity.
Qed.

Lemma replace_at_same {A} (h : list A) l o : nth_error h l = Some o -> replace_at l o h = h.
Proof.
  intros E. apply same_elements. intros i. rewrite nth_error_replace_at.
  destruct (Nat.eqb_spec l i) as [<-|_]; [now rewrite E|reflexivity].
Qed.

Lemma nodup_app {A} (xs ys : list A) : NoDup (xs ++ ys) <-> NoDup xs /\ NoDup ys /\ (forall x, In x xs -> ~ In x ys).
Proof.
  induction xs as [|x xs IH]; cbn [app]; [split; [intros N; repeat split; [constructor|exact N|easy]|tauto]|].
  rewrite !NoDup_cons_iff, IH, in_app_iff. split.
  - intros (N & N1 & N2 & D). split; [tauto|]. split; [exact N2|]. intros y [<-|Hy]; [tauto|now apply D].
  - intros ((N & N1) & N2 & D). split; [intros [Hx|Hx]; [tauto|]; apply (D x); [now left|exact Hx]|].
    split; [exact N1|]. split; [exact N2|]. intros y Hy. apply D. now right.
Qed.

Lemma firstn_snoc {A} (xs : list A) i x : nth_error xs i = Some x -> firstn (S i) xs = firstn i xs ++ [x].
Proof.
  revert i. induction xs as [|y xs IH]; intros [|i] E; try discriminate; [now injection E as ->|].
  cbn [firstn app]. f_equal. now apply IH.
Qed.

Lemma forall2_nth {A B} (R : A -> B -> Prop) xs ys i x : Forall2 R xs ys -> nth_error xs i = Some x ->
  exists y, nth_error ys i = Some y /\ R x y.
Proof.
  intros E. revert i.
  induction E as [|x' y xs ys Hxy _ IH]; intros [|i] Hi; try discriminate; [injection Hi as ->; now exists y|now apply IH].
Qed.

Lemma forall2_split {A B} (R : A -> B -> Prop) xs ys i : Forall2 R xs ys -> i < List.length ys ->
  exists xa x xb ya y yb, xs = xa ++ x :: xb /\ ys = ya ++ y :: yb /\ List.length xa = i /\ List.length ya = i /\
    Forall2 R xa ya /\ R x y /\ Forall2 R xb yb.
Proof.
  intros E. revert i. induction E as [|x y xs ys Hxy E IH]; intros i Hi; [inversion Hi|]. destruct i as [|i].
  - exists [], x, xs, [], y, ys. repeat (split; [now constructor|]). now split.
  - cbn [List.length] in Hi. destruct (IH i ltac:(lia)) as (xa & x' & xb & ya & y' & yb & -> & -> & <- & L & Ea & Exy & Eb).
    exists (x :: xa), x', xb, (y :: ya), y', yb. cbn [List.length app]. rewrite L. repeat (split; [reflexivity|]).
    split; [now constructor|]. now split.
Qed.

(** ** Lists of pairs by norm *)

(** A falling list of pairs at a norm: what is larger, the pair if there is one, what is smaller. *)
Lemma split_at_norm {B} r (cs : list (Z * B)) : StronglySorted larger_key cs ->
  exists ca cb, Forall (fun c => (r < fst c)%Z) ca /\ Forall (fun c => (fst c < r)%Z) cb /\
    (cs = ca ++ cb \/ exists b, cs = ca ++ (r, b) :: cb).
Proof.
  induction 1 as [|[r' b] cs Hs IH Hf]; [exists [], []; auto|].
  destruct (Z.lt_trichotomy r r') as [L|[<-|L]].
  - destruct IH as (ca & cb & A & B' & C). exists ((r', b) :: ca), cb. split; [now constructor|]. split; [exact B'|].
    destruct C as [->|(b' & ->)]; [now left|right; now exists b'].
  - exists [], cs. split; [constructor|]. split; [exact Hf|]. right. now exists b.
  - exists [], ((r', b) :: cs). split; [constructor|]. split; [|now left]. constructor; [exact L|].
    eapply Forall_impl; [|exact Hf]. unfold larger_key. cbn. lia.
Qed.

Lemma norm_is_new {B} r (ca cb : list (Z * B)) : Forall (fun c => (r < fst c)%Z) ca -> Forall (fun c => (fst c < r)%Z) cb ->
  ~ In r (map fst (ca ++ cb)).
Proof.
  intros A C. rewrite map_app, in_app_iff, !in_map_iff. rewrite Forall_forall in A, C.
  intros [(c & Ec & Hc)|(c & Ec & Hc)]; [specialize (A c Hc)|specialize (C c Hc)]; lia.
Qed.

Lemma ascending_snoc zs z : ascending zs = true -> Forall (fun a => (a < z)%Z) zs -> ascending (zs ++ [z]) = true.
Proof.
  intros A B. induction zs as [|a zs IH]; [reflexivity|]. apply Forall_cons_iff in B. destruct B as [Ba B].
  destruct zs as [|b zs]; cbn [app] in *.
  - cbn [ascending]. rewrite andb_true_r. apply Z.leb_le. lia.
  - cbn [ascending] in A. apply andb_true_iff in A. destruct A as [A1 A2]. cbn [ascending]. rewrite A1. now apply IH.
Qed.

Lemma falling_reversed_is_ascending {B} (cs : list (Z * B)) : StronglySorted larger_key cs ->
  ascending (rev (map fst cs)) = true.
Proof.
  induction 1 as [|c cs Hs IH Hf]; [reflexivity|]. cbn [map rev]. apply ascending_snoc; [exact IH|].
  apply Forall_rev, Forall_map. exact Hf.
Qed.

Lemma falling_is_distinct {B} (cs : list (Z * B)) : StronglySorted larger_key cs -> NoDup (map fst cs).
Proof.
  induction 1 as [|c cs Hs IH Hf]; [constructor|]. cbn [map]. constructor; [|exact IH].
  intros Hin. apply in_map_iff in Hin. destruct Hin as (c' & E & Hin). rewrite Forall_forall in Hf.
  specialize (Hf c' Hin). unfold larger_key in Hf. lia.
Qed.

Lemma filter_all {A} (f : A -> bool) xs : Forall (fun a => f a = true) xs -> filter f xs = xs.
Proof. induction 1 as [|a xs E _ IH]; [reflexivity|]. cbn [filter]. now rewrite E, IH. Qed.

Lemma filter_none {A} (f : A -> bool) xs : Forall (fun a => f a = false) xs -> filter f xs = [].
Proof. induction 1 as [|a xs E _ IH]; [reflexivity|]. cbn [filter]. now rewrite E. Qed.

Lemma falling_by_keys {B C} (xs : list (Z * B)) (ys : list (Z * C)) :
  map fst xs = map fst ys -> StronglySorted larger_key xs -> StronglySorted larger_key ys.
Proof.
  intros E S. revert ys E. induction S as [|x xs S IH Hf]; intros [|y ys] E; try discriminate; [constructor|].
  injection E as E1 E2. constructor; [now apply IH|].
  apply (proj1 (Forall_map fst (fun k => (k < fst y)%Z) ys)). rewrite <- E2, <- E1. now apply Forall_map.
Qed.

Lemma falling_without {B} (xs ys : list (Z * B)) y : StronglySorted larger_key (xs ++ y :: ys) ->
  StronglySorted larger_key (xs ++ ys).
Proof.
  induction xs as [|x xs IH]; cbn [app]; intros S; apply StronglySorted_inv in S; destruct S as [S Hf]; [exact S|].
  constructor; [now apply IH|]. rewrite Forall_app in *. destruct Hf as [H1 H2]. apply Forall_cons_iff in H2. tauto.
Qed.

(** ** The list of the norms *)

Lemma norms_with_another r ka kb : Forall (fun a => (r < a)%Z) ka -> Forall (fun a => (a < r)%Z) kb ->
  filter (fun a => (a <=? r)%Z) (rev (ka ++ kb)) ++ r :: filter (fun a => (r <? a)%Z) (rev (ka ++ kb)) = rev (ka ++ r :: kb).
Proof.
  intros A B. apply Forall_rev in A, B. rewrite !rev_app_distr. cbn [rev]. rewrite !filter_app, <- app_assoc. cbn [app].
  rewrite (filter_all _ (rev kb)), (filter_none _ (rev ka)), (filter_none _ (rev kb)), (filter_all _ (rev ka)).
  - cbn [app]. now rewrite <- app_assoc.
  - eapply Forall_impl; [|exact A]. intros a L. now apply Z.ltb_lt.
  - eapply Forall_impl; [|exact B]. cbn. intros a L. apply Z.ltb_ge. lia.
  - eapply Forall_impl; [|exact A]. cbn. intros a L. apply Z.leb_gt. lia.
  - eapply Forall_impl; [|exact B]. cbn. intros a L. apply Z.leb_le. lia.
Qed.

Lemma place_of_a_norm r ka kb : Forall (fun a => (r < a)%Z) ka -> Forall (fun a => (a < r)%Z) kb ->
  List.length (filter (fun a => (a <? r)%Z) (rev (ka ++ r :: kb))) = List.length (rev kb) /\
  rev (ka ++ r :: kb) = rev kb ++ r :: rev ka /\ rev (ka ++ kb) = rev kb ++ rev ka.
Proof.
  intros A B. apply Forall_rev in A, B. rewrite !rev_app_distr. cbn [rev]. rewrite <- app_assoc. cbn [app].
  split; [|now split].
  rewrite filter_app. cbn [filter].
  rewrite Z.ltb_irrefl, (filter_all _ (rev kb)), (filter_none _ (rev ka)); [now rewrite app_nil_r|..].
  - eapply Forall_impl; [|exact A]. cbn. intros a L. apply Z.ltb_ge. lia.
  - eapply Forall_impl; [|exact B]. intros a L. now apply Z.ltb_lt.
Qed.

(** ** Dictionaries *)

Lemma find_key_in {A} r (v : A) items : NoDup (map fst items) -> In (r, v) items -> find_key r items = Some v.
Proof.
  induction items as [|[k a] items IH]; intros N Hin; [destruct Hin|]. cbn [map fst] in N.
  apply NoDup_cons_iff in N. destruct N as [N1 N2]. cbn [find_key].
  destruct Hin as [[= -> ->]|Hin]; [now rewrite Z.eqb_refl|].
  destruct (Z.eqb_spec r k) as [->|_]; [|now apply IH]. exfalso. apply N1. now apply (in_map fst) in Hin.
Qed.

Lemma find_key_none {A} r (items : list (Z * A)) : ~ In r (map fst items) -> find_key r items = None.
Proof.
  induction items as [|[k a] items IH]; intros N; [reflexivity|]. cbn [find_key map fst] in *.
  destruct (Z.eqb_spec r k) as [->|_]; [exfalso; apply N; now left|]. apply IH. intros Hin. apply N. now right.
Qed.

Lemma set_key_new {A} r (v : A) items : ~ In r (map fst items) -> set_key r v items = items ++ [(r, v)].
Proof.
  induction items as [|[k a] items IH]; intros N; [reflexivity|]. cbn [set_key map fst app] in *.
  destruct (Z.eqb_spec r k) as [->|_]; [exfalso; apply N; now left|]. rewrite IH; [reflexivity|]. intros Hin. apply N.
  now right.
Qed.

Lemma delete_key_permutes {A} r (v : A) items rest :
  NoDup (map fst items) -> Permutation items ((r, v) :: rest) -> Permutation (delete_key r items) rest.
Proof.
  intros N P. apply (Permutation_cons_inv (a := (r, v))). rewrite <- P.
  assert (Hin : In (r, v) items) by (apply (Permutation_in _ (Permutation_sym P)); now left). clear P rest.
  induction items as [|[k a] items IH]; [destruct Hin|]. cbn [map fst] in N. apply NoDup_cons_iff in N.
  destruct N as [N1 N2].
  cbn [delete_key]. destruct Hin as [[= -> ->]|Hin]; [now rewrite Z.eqb_refl|].
  destruct (Z.eqb_spec r k) as [->|_]; [exfalso; apply N1; now apply (in_map fst) in Hin|].
  etransitivity; [apply perm_swap|]. constructor. exact (IH N2 Hin).
Qed.

(** ** The lists of pairs in Program.v *)

Section Pairs.

Context {V : Type} {top : with_infinity V} (lt : V -> V -> bool) (Q : priority_queue (before lt)).
Variables (r : Z) (x : entry V) (ca cb : list (Z * queue Q)).

Lemma push_into_new : Forall (fun c => (r < fst c)%Z) ca -> Forall (fun c => (fst c < r)%Z) cb ->
  push_into Q r x (ca ++ cb) = ca ++ (r, push Q x (none Q)) :: cb.
Proof.
  intros A B. induction A as [|[r' q] cs L _ IH]; cbn [app push_into fst] in *.
  - destruct B as [|[r' q] cs L _]; [reflexivity|]. cbn [push_into fst] in *.
    rewrite (proj2 (Z.eqb_neq r r')), (proj2 (Z.ltb_lt r' r)) by lia. reflexivity.
  - rewrite (proj2 (Z.eqb_neq r r')), (proj2 (Z.ltb_ge r' r)) by lia. now rewrite IH.
Qed.

Lemma push_into_old q : Forall (fun c => (r < fst c)%Z) ca ->
  push_into Q r x (ca ++ (r, q) :: cb) = ca ++ (r, push Q x q) :: cb.
Proof.
  intros A. induction A as [|[r' q'] cs L _ IH]; cbn [app push_into fst] in *; [now rewrite Z.eqb_refl|].
  rewrite (proj2 (Z.eqb_neq r r')), (proj2 (Z.ltb_ge r' r)) by lia. now rewrite IH.
Qed.

Lemma heap_of_here q : Forall (fun c => (r < fst c)%Z) ca -> heap_of r (ca ++ (r, q) :: cb) = q.
Proof.
  intros A. induction A as [|[r' q'] cs L _ IH]; cbn [app heap_of fst] in *; [now rewrite Z.eqb_refl|].
  now rewrite (proj2 (Z.eqb_neq r r')) by lia.
Qed.

Lemma pop_from_here q : Forall (fun c => (r < fst c)%Z) ca -> pop_from Q r (ca ++ (r, q) :: cb) =
  ca ++ match first Q (pop Q q) with None => cb | Some _ => (r, pop Q q) :: cb end.
Proof.
  intros A. induction A as [|[r' q'] cs L _ IH]; cbn [app pop_from fst] in *; [rewrite Z.eqb_refl; now destruct (first Q _)|].
  rewrite (proj2 (Z.eqb_neq r r')) by lia. now rewrite IH.
Qed.

End Pairs.

Section TextOfTree.

Context (F : floats) (H : heapq) (correct : is_heapq H) (order : total_order (less F)).

Local Notation node := (entry (float F)).
Local Notation Q := (heap_lists (before (less F)) H correct (before_is_an_order (less F) order)).
Local Notation call := (call H search_py).
Local Notation node_in := (node_in F).
Local Notation heap_in := (heap_in F).
Local Notation heaps_in := (heaps_in F).
Local Notation level_in := (level_in F H correct order).
Local Notation tree_at := (tree_at F H correct order).
Local Notation level_becomes := (level_becomes F).
Local Notation tree_becomes := (tree_becomes F).
Local Notation str s := (s%string) (only parsing).

(** ** Values *)

Lemma equal_refl f : Program.equal (less F) f f = true.
Proof. unfold Program.equal. pose proof (at_most_refl (less F) order f) as E. unfold at_most in E. now rewrite E. Qed.

(** Values of which neither is less compare alike. *)
Lemma less_equal f f' g : Program.equal (less F) f f' = true -> less F f g = less F f' g /\ less F g f = less F g f'.
Proof.
  intros E. apply (equal_spec (less F)) in E. destruct E as [A B].
  pose proof (at_most_trans (less F) order) as T. unfold at_most in *. split.
  - destruct (less F f g) eqn:E1, (less F f' g) eqn:E2; try reflexivity; [pose proof (T g f' f)|pose proof (T g f f')];
      intuition congruence.
  - destruct (less F g f) eqn:E1, (less F g f') eqn:E2; try reflexivity; [pose proof (T f f' g)|pose proof (T f' f g)];
      intuition congruence.
Qed.

(** Run the interpreter up to the next [if]. *)
Ltac run_up_to_if :=
  repeat lazymatch goal with |- wp (exec _ _ _ _ (If _ _ _)) _ _ => fail | _ => first [step | eapply wp_get_object;
    [look|]; cbv beta iota] end.

(** ** The primitives *)

Lemma ints_of_ints zs : ints_of (map (@VInt F) zs) = Some zs.
Proof. induction zs as [|z zs IH]; [reflexivity|]. cbn [map ints_of]. now rewrite IH. Qed.

Lemma wp_sorted_ints l zs n h (P : list Z -> state F -> Prop) :
  nth_error h l = Some (ListObject (map VInt zs)) -> ascending zs = true -> P zs (State n h) ->
    wp (sorted_ints l) (State n h) P.
Proof.
  intros E A HP. unfold sorted_ints. apply wp_bind. cbn [elements]. apply wp_bind. eapply wp_get_object; [exact E|].
  cbv beta iota. apply wp_ret. rewrite ints_of_ints, A. now apply wp_ret.
Qed.

(** A reference to a node. *)
Definition refers (h : store F) (v : value F) (x : node) : Prop := exists l, v = VRef l /\ node_in h l x.

Lemma asks_lt_is_before n h v w x y : refers h v x -> refers h w y ->
  asks_lt H search_py (S n) h v w = before (less F) x y.
Proof.
  intros (l & -> & Hx) (m & -> & Hy). unfold asks_lt.
  now rewrite (the_text_orders_nodes_by_line_5 F H n l m x y [] h Hx Hy).
Qed.

Lemma references h ns (xs : list node) : Forall2 (node_in h) ns xs <-> Forall2 (refers h) (map VRef ns) xs.
Proof.
  split.
  - induction 1 as [|n x ns xs E _ IH]; constructor; [now exists n|exact IH].
  - revert xs. induction ns as [|n ns IH]; intros xs E; inversion E as [|v x vs xs' (l & El & Ex) Es Ev]; subst; constructor.
    + injection El as ->. exact Ex.
    + now apply IH.
Qed.

Lemma only_references h vs (xs : list node) : Forall2 (refers h) vs xs -> exists ns, vs = map VRef ns.
Proof.
  induction 1 as [|v x vs xs (l & -> & _) _ (ns & ->)]; [now exists []|]. now exists (l :: ns).
Qed.

Lemma in_references n ns : In (@VRef F n) (map VRef ns) -> In n ns.
Proof. intros Hn. apply in_map_iff in Hn. destruct Hn as (m & [= ->] & Hm). exact Hm. Qed.

(** [heappush] and [heappop] on references are those of the program on nodes. *)
Lemma pushed_references n h ns (q : list node) m x : Forall2 (node_in h) ns q -> node_in h m x ->
  exists ns', Python.heap_push H (asks_lt H search_py (S n) h) (map VRef ns) (VRef m) = map VRef ns' /\
    Forall2 (node_in h) ns' (push Q x q) /\ (forall l, In l ns' -> In l (m :: ns)).
Proof.
  intros Hq Hm. set (lt := asks_lt H search_py (S n) h).
  assert (R : Forall2 (refers h) (Python.heap_push H lt (map VRef ns) (VRef m)) (push Q x q)).
  { apply (push_only_compares H correct _ _ (refers h) lt (before (less F))).
    - intros v x1 w y1. apply asks_lt_is_before.
    - now apply references.
    - now exists m. }
  destruct (only_references _ _ _ R) as (ns' & E). exists ns'. split; [exact E|].
  split; [now apply references; rewrite <- E|].
  intros l Hl. apply (in_map (@VRef F)) in Hl. rewrite <- E in Hl.
  apply (Permutation_in _ (push_adds_it H correct _ _ _ _)) in Hl. now apply (in_references l (m :: ns)).
Qed.

Lemma popped_references n h ns (q : list node) m x : Forall2 (node_in h) ns q -> node_in h m x ->
  exists ns', Python.heap_pop H (asks_lt H search_py (S n) h) (map VRef (m :: ns)) = Some (VRef m, map VRef ns') /\
    Forall2 (node_in h) ns' (pop Q (x :: q)) /\ (forall l, In l ns' -> In l ns).
Proof.
  intros Hq Hm. set (lt := asks_lt H search_py (S n) h).
  destruct (pop_takes_the_first H correct _ lt (VRef m) (map VRef ns)) as (rest & E & P).
  destruct (pop_takes_the_first H correct _ (before (less F)) x q) as (rest' & E' & _).
  assert (R : Forall2 (refers h) rest (pop Q (x :: q))).
  { cbn [pop heap_lists]. unfold popped. rewrite E'.
    apply (pop_only_compares H correct _ _ (refers h) lt (before (less F)))
      with (xs := map VRef (m :: ns)) (ys := x :: q) (x := VRef m) (y := x).
    - intros v x1 w y1. apply asks_lt_is_before.
    - apply references. now constructor.
    - exact E.
    - exact E'. }
  destruct (only_references _ _ _ R) as (ns' & ->). exists ns'. split; [exact E|]. split; [now apply references|].
  intros l Hl. apply (in_map (@VRef F)) in Hl. apply (Permutation_in _ (Permutation_sym P)) in Hl. now apply in_references.
Qed.

(** ** Heaps, their dictionary and their norms *)

Lemma norms_are_keys h ps cs : Forall2 (heap_in h) ps cs -> map norm_of_heap ps = map fst cs.
Proof. induction 1 as [|p c ps cs (E & _) _ IH]; [reflexivity|]. cbn [map]. now rewrite E, IH. Qed.

Lemma norms_are_distinct h ps cs : Forall2 (heap_in h) ps cs -> StronglySorted larger_key cs -> NoDup (map norm_of_heap ps).
Proof. intros E S. rewrite (norms_are_keys _ _ _ E). now apply falling_is_distinct. Qed.

(** The dictionary at a norm that it has. *)
Lemma found_in_dictionary ps (items : list (Z * value F)) pa q pb : NoDup (map norm_of_heap ps) ->
  Permutation items (map (fun q => (norm_of_heap q, VRef (at_list q))) ps) -> ps = pa ++ q :: pb ->
  NoDup (map fst items) /\ find_key (norm_of_heap q) items = Some (VRef (at_list q)).
Proof.
  intros N P ->. assert (N' : NoDup (map fst items)).
  { apply (Permutation_NoDup (l := map norm_of_heap (pa ++ q :: pb))); [|exact N].
    rewrite P, map_map. reflexivity. }
  split; [exact N'|]. apply find_key_in; [exact N'|]. apply (Permutation_in _ (Permutation_sym P)).
  apply (in_map (fun q => (norm_of_heap q, VRef (at_list q)))), in_elt.
Qed.

Lemma not_in_dictionary ps (items : list (Z * value F)) r : ~ In r (map norm_of_heap ps) ->
  Permutation items (map (fun q => (norm_of_heap q, VRef (at_list q))) ps) -> ~ In r (map fst items).
Proof. intros N P Hin. apply N. apply (Permutation_map fst) in P. rewrite map_map in P. now apply (Permutation_in _ P). Qed.

(** ** _Level *)

(** Claim [python-text]. A new level of the text is an empty level. *)
Theorem the_text_makes_an_empty_level n ns h :
  let L := List.length h in
  let p := LevelPlaces L (1 + L) (2 + L) None [] in
  let h' := h ++ [level_object F p (VFloat (infinity F)); DictObject []; ListObject []] in
  call (S (S n)) None "_Level" [] [] (State ns h) = Done (VRef L) (State ns h') /\ level_in h' p (empty_level Q).
Proof.
  cbv zeta. split.
  - apply wp_equal. eapply wp_call_class; [vm_compute; reflexivity|vm_compute; reflexivity|].
    eapply wp_make_by_init; [vm_compute; reflexivity|vm_compute; reflexivity|]. run.
    cbn [set_field update String.eqb Ascii.eqb Bool.eqb app objects]. rewrite <- !app_assoc. cbn [app].
    rewrite !replace_at_app, ?app_length. cbn [Datatypes.length].
    rewrite <- !app_assoc. cbn [app]. rewrite !replace_at_app. split; [reflexivity|].
    unfold level_object, reference. cbn [at_level at_heaps at_norms at_snapshot].
    now rewrite !(Nat.add_comm (List.length h)).
  - set (L := List.length h). unfold Nat.add.
    split; cbn [at_level at_heaps at_norms at_snapshot heaps_at empty_level heaps snapshot least].
    + exists (VFloat (infinity F)). split; [apply nth_error_app_here|]. exists (infinity F).
      split; [reflexivity|apply equal_refl].
    + reflexivity.
    + split; [exists []; split; [|constructor]| |constructor|constructor|constructor].
      * replace (S L) with (L + 1) by lia. unfold L. now rewrite nth_error_app_later.
      * replace (S (S L)) with (L + 2) by lia. unfold L. now rewrite nth_error_app_later.
Qed.

(** Heaps that have become others, with their dictionary and their norms. *)
Definition heaps_become (h : store F) d nm ps added (h' : store F) ps' cs' : Prop :=
  heaps_in h' d nm ps' cs' /\ NoDup (d :: nm :: map at_list ps') /\
  becomes F h (d :: nm :: map at_list ps) (flat_map at_nodes ps) added h' (d :: nm :: map at_list ps') (flat_map at_nodes ps').

Lemma owned_incl p : incl (at_heaps p :: at_norms p :: map at_list (heaps_at p)) (owned_by_level p).
Proof.
  intros l [<-|[<-|Hl]]; [right; now left|right; right; now left|do 3 right; apply in_or_app; now right].
Qed.

(** The object of the level written anew, when its heaps have become others and no list is kept. *)
Local Notation level := (Program.level (float F) (less F) Q).

Lemma level_rewritten h p lv added h2 ps' (lv' : level) v :
  level_in h p lv -> NoDup (owned_by_level p) ->
  heaps_become h (at_heaps p) (at_norms p) (heaps_at p) added h2 ps' (heaps lv') ->
  snapshot lv' = None -> same_least F v (least lv') ->
  let p' := LevelPlaces (at_level p) (at_heaps p) (at_norms p) None ps' in
  let h' := replace_at (at_level p) (level_object F p' v) h2 in
  level_in h' p' lv' /\ level_becomes h p added h' p'.
Proof.
  intros L N (Hs & N' & B) S V p' h'. pose proof L as [(v0 & E & _) _ _]. apply NoDup_cons_iff in N. destruct N as [Na N].
  destruct B as [C O Nodes]. pose proof (in_store _ _ _ E) as Hl.
  assert (Nin : ~ In (at_level p) (at_heaps p :: at_norms p :: map at_list (heaps_at p))).
  { intros Hin. apply Na.
    destruct Hin as [Hin|[Hin|Hin]]; [now left|right; now left|do 2 right; apply in_or_app; now right]. }
  assert (Nin' : ~ In (at_level p) (at_heaps p :: at_norms p :: map at_list ps')).
  { intros Hin. destruct (O _ Hin) as [Hin'|Hin']; [now apply Nin|lia]. }
  assert (E2 : nth_error h2 (at_level p) = Some (level_object F p v0)) by (apply C; assumption).
  split; [split|split; [reflexivity|split; [|split]]].
  - exists v. split; [|exact V]. now apply (nth_error_replaced _ _ _ _ E2).
  - exact S.
  - apply (heaps_in_agreeing F h2); [| |exact Hs].
    + intros l o Hin Ho. apply nth_error_replaced_apart; [|exact Ho]. intros <-. now apply Nin'.
    + intros n x _ Hn. apply nth_error_replaced_apart; [|exact Hn]. intros <-. unfold TreeInStore.node_in in Hn.
      rewrite E2 in Hn. discriminate Hn.
  - cbn [owned_by_level at_level at_heaps at_norms at_snapshot heaps_at kept app p']. now constructor.
  - apply (changes_then _ h h2); [apply (changes_more _ _ _ _ (owned_incl p) C)|apply changes_one; now left].
  - intros l [<-|Hin]; [left; now left|]. destruct (O _ Hin) as [Hin'|Hin']; [left; now apply owned_incl|now right].
  - exact Nodes.
Qed.

(** A call that ends with v, in some store. *)
Lemma wp_answer {A} (m : M F A) ns s v (R : store F -> Prop) :
  wp m s (fun a s' => a = v /\ exists h', s' = State ns h' /\ R h') -> exists h', m s = Done v (State ns h') /\ R h'.
Proof. intros W. apply wp_done in W. destruct W as (a & s' & E & -> & h' & -> & HR). now exists h'. Qed.

Lemma heaps_are_distinct p : NoDup (owned_by_level p) -> NoDup (at_heaps p :: at_norms p :: map at_list (heaps_at p)).
Proof.
  intros N. apply NoDup_cons_iff in N. destruct N as [_ N]. destruct (at_snapshot p) as [s|]; [|exact N].
  cbn [kept app] in N.
  exact (NoDup_remove_1 [at_heaps p; at_norms p] _ s N).
Qed.
Lemma level_apart p : NoDup (owned_by_level p) -> at_level p <> at_heaps p /\ at_level p <> at_norms p /\
  at_heaps p <> at_norms p.
Proof.
  intros N. apply NoDup_cons_iff in N. destruct N as [N1 N]. apply NoDup_cons_iff in N. destruct N as [N2 _].
  split; [|split]; intros E; [apply N1; now left|apply N1; right; now left|apply N2; now left].
Qed.

(** ** A heap more *)

Lemma push_one (x : node) : push Q x (none Q) = [x].
Proof. apply Permutation_length_1_inv. symmetry. apply (push_adds_it H correct). Qed.

Lemma a_new_heap h d nm ps cs items ca cb r m x :
  heaps_in h d nm ps cs -> NoDup (d :: nm :: map at_list ps) -> node_in h m x ->
  nth_error h d = Some (DictObject items) -> Permutation items (map (fun q => (norm_of_heap q, VRef (at_list q))) ps) ->
  cs = ca ++ cb -> Forall (fun c => (r < fst c)%Z) ca -> Forall (fun c => (fst c < r)%Z) cb ->
  let h' := replace_at nm (ListObject (map VInt (filter (fun a => a <=? r)%Z (rev (map norm_of_heap ps)) ++
                                                 r :: filter (fun a => r <? a)%Z (rev (map norm_of_heap ps)))))
              (replace_at d (DictObject (items ++ [(r, VRef (List.length h))])) (h ++ [ListObject [VRef m]])) in
  exists ps', heaps_become h d nm ps [m] h' ps' (push_into Q r x cs).
Proof.
  intros Hh N Hm D P C A B h'.
  assert (Bound : forall l, In l (d :: nm :: map at_list ps) -> l < List.length h).
  { intros l Hl. destruct (owned_by_heaps_is_there F _ _ _ _ _ l Hh Hl) as (o & Eo & _). now apply (in_store h l o). }
  destruct Hh as [_ Nm Hs Fall Ne].
  pose proof (in_store _ _ _ D) as Ld. pose proof (in_store _ _ _ Nm) as Ln.
  pose proof N as Nall. apply NoDup_cons_iff in N. destruct N as [Nd N]. pose proof N as Nl. apply NoDup_cons_iff in N.
  destruct N as [Nn N].
  assert (Ndn : d <> nm) by (intros ->; apply Nd; now left).
  assert (Ch : changes_only [d; nm] h h').
  { apply (changes_then _ _ (h ++ [ListObject [VRef m]])); [apply changes_at_the_end|].
    eapply changes_then; apply changes_one; [now left|right; now left]. }
  destruct Ch as [Grow Ch].
  assert (Lists : forall l o, In l (map at_list ps) -> nth_error h l = Some o -> nth_error h' l = Some o).
  { intros l o Hl Ho. apply Ch; [exact Ho|]. intros [<-|[<-|[]]]; [apply Nd; now right|now apply Nn]. }
  assert (Nodes : forall n y, node_in h n y -> node_in h' n y).
  { intros n y Hn. unfold TreeInStore.node_in in *. apply Ch; [exact Hn|].
    intros [<-|[<-|[]]]; [rewrite D in Hn|rewrite Nm in Hn]; discriminate Hn. }
  pose proof (push_into_sorted (less F) Q r x cs Fall) as Fall'. subst cs.
  rewrite push_into_new, push_one in * by assumption.
  destruct (Forall2_app_inv_r _ _ Hs) as (pa & pb & Ha & Hb & ->).
  set (np := HeapPlaces r (List.length h) [m]). exists (pa ++ np :: pb). split; [split|split; [|split]].
  - eexists. split; [unfold h'; look|]. rewrite !map_app in *. cbn [map np norm_of_heap at_list]. rewrite P, <- app_assoc.
    apply Permutation_app_head. symmetry. apply Permutation_cons_append.
  - unfold h'. rewrite !(map_app norm_of_heap). cbn [map np norm_of_heap]. rewrite norms_with_another; [look|..].
    + rewrite (norms_are_keys h _ _ Ha). apply Forall_map. exact A.
    + rewrite (norms_are_keys h _ _ Hb). apply Forall_map. exact B.
  - apply Forall2_app; [|constructor].
    + apply (each_heap_agreeing F h); [|auto|exact Ha]. intros l o Hl. apply Lists. rewrite map_app, in_app_iff. now left.
    + split; [reflexivity|]. split; [cbn [at_list np at_nodes map]; unfold h'; look|].
      constructor; [now apply Nodes|constructor].
    + apply (each_heap_agreeing F h); [|auto|exact Hb]. intros l o Hl. apply Lists. rewrite map_app, in_app_iff. now right.
  - exact Fall'.
  - apply Forall_app in Ne. apply Forall_app. split; [apply Ne|]. constructor; [discriminate|apply Ne].
  - rewrite map_app in *. cbn [map at_list np].
    apply (Permutation_NoDup (l := List.length h :: (d :: nm :: map at_list pa) ++ map at_list pb)).
    + apply (Permutation_middle (d :: nm :: map at_list pa)).
    + constructor; [intros Hl; specialize (Bound _ Hl); lia|exact Nall].
  - split; [exact Grow|]. intros l o Ho Hl. apply Ch; [exact Ho|]. intros Hl'. apply Hl.
    destruct Hl' as [<-|[<-|[]]]; [now left|right; now left].
  - rewrite !map_app. cbn [map at_list np]. intros l [<-|[<-|Hl]]; [left; now left|left; right; now left|].
    apply in_elt_inv in Hl. destruct Hl as [<-|Hl]; [now right|left; right; now right].
  - intros l. rewrite !flat_map_app, !in_app_iff. cbn. tauto.
Qed.

(** ** A heap changed, a heap less *)

Section OneHeap.

Variables (h : store F) (d nm : nat) (pa pb : list heap_places) (p0 : heap_places) (ca cb : list (Z * list node)) (r : Z) (q : list node).
Hypothesis holds : heaps_in h d nm (pa ++ p0 :: pb) (ca ++ (r, q) :: cb).
Hypothesis distinct : NoDup (d :: nm :: map at_list (pa ++ p0 :: pb)).
Hypothesis before_it : Forall2 (heap_in h) pa ca.
Hypothesis it : heap_in h p0 (r, q).
Hypothesis after_it : Forall2 (heap_in h) pb cb.

Lemma list_is_apart l : In l (d :: nm :: map at_list (pa ++ pb)) -> at_list p0 <> l.
Proof.
  intros Hl <-. rewrite map_app in *. cbn [map] in distinct.
  apply (NoDup_remove_2 (d :: nm :: map at_list pa) (map at_list pb) _ distinct).
  exact Hl.
Qed.

Lemma distinct_without : NoDup (d :: nm :: map at_list (pa ++ pb)).
Proof. rewrite map_app in *. exact (NoDup_remove_1 (d :: nm :: map at_list pa) (map at_list pb) _ distinct). Qed.

Lemma nodes_are_apart l n x : In l (d :: nm :: map at_list (pa ++ p0 :: pb)) -> node_in h n x -> l <> n.
Proof.
  intros Hl Hn <-. destruct (owned_by_heaps_is_there F _ _ _ _ _ l holds Hl) as (o & Eo & No). apply (No x).
  unfold TreeInStore.node_in in Hn. congruence.
Qed.

Lemma owned_here : In (at_list p0) (d :: nm :: map at_list (pa ++ p0 :: pb)).
Proof. do 2 right. apply in_map, in_elt. Qed.

Lemma a_changed_heap ns q' added :
  Forall2 (node_in h) ns q' -> q' <> [] -> (forall l, In l ns -> In l (at_nodes p0) \/ In l added) ->
  let h' := replace_at (at_list p0) (ListObject (map VRef ns)) h in
  exists ps', heaps_become h d nm (pa ++ p0 :: pb) added h' ps' (ca ++ (r, q') :: cb).
Proof.
  intros Hns Hq' Hin h'. pose proof holds as [(items & D & P) Nm _ Fall Ne]. destruct it as (Er & L0 & _). cbn [fst] in Er.
  set (p1 := HeapPlaces r (at_list p0) ns). exists (pa ++ p1 :: pb).
  assert (Same : forall B (f : heap_places -> B), f p1 = f p0 -> map f (pa ++ p1 :: pb) = map f (pa ++ p0 :: pb)).
  { intros B f Ef. rewrite !map_app. cbn [map]. now rewrite Ef. }
  assert (Others : forall l o, In l (d :: nm :: map at_list (pa ++ pb)) -> nth_error h l = Some o -> nth_error h' l = Some o).
  { intros l o Hl Ho. apply nth_error_replaced_apart; [now apply list_is_apart|exact Ho]. }
  assert (Nodes : forall n x, node_in h n x -> node_in h' n x).
  { intros n x Hn. apply nth_error_replaced_apart; [|exact Hn]. apply (nodes_are_apart _ n x owned_here Hn). }
  unfold heaps_become. rewrite (Same _ at_list) by reflexivity. split; [split|split; [exact distinct|split]].
  - exists items. split; [apply Others; [now left|exact D]|]. rewrite P.
    rewrite (Same _ (fun q => (norm_of_heap q, VRef (at_list q)))); [reflexivity|].
    cbn [p1 norm_of_heap at_list]. now rewrite Er.
  - apply Others; [right; now left|]. rewrite Nm. rewrite (Same _ norm_of_heap); [reflexivity|]. symmetry. exact Er.
  - apply Forall2_app; [|constructor].
    + apply (each_heap_agreeing F h); [|auto|exact before_it]. intros l o Hl. apply Others. do 2 right.
      rewrite map_app, in_app_iff. now left.
    + split; [reflexivity|]. split; [apply (nth_error_replaced _ _ _ _ L0)|]. apply (forall2_in (node_in h)); auto.
    + apply (each_heap_agreeing F h); [|auto|exact after_it]. intros l o Hl. apply Others. do 2 right.
      rewrite map_app, in_app_iff. now right.
  - apply (falling_by_keys (ca ++ (r, q) :: cb)); [now rewrite !map_app|exact Fall].
  - apply Forall_app in Ne. destruct Ne as [Ne1 Ne2]. apply Forall_cons_iff in Ne2. apply Forall_app. split; [exact Ne1|].
    now constructor.
  - apply changes_one, owned_here.
  - now left.
  - intros l. rewrite !flat_map_app, !in_app_iff. cbn [flat_map p1 at_nodes]. rewrite !in_app_iff.
    intros [Hl|[Hl|Hl]]; [auto| |auto].
    destruct (Hin l Hl); auto.
Qed.

Lemma a_heap_less items added :
  nth_error h d = Some (DictObject items) -> Permutation items (map (fun q => (norm_of_heap q, VRef (at_list q))) (pa ++ p0 :: pb)) ->
  Forall (fun c => (r < fst c)%Z) ca -> Forall (fun c => (fst c < r)%Z) cb ->
  let zs := rev (map norm_of_heap (pa ++ p0 :: pb)) in
  let j := List.length (filter (fun a => (a <? r)%Z) zs) in
  let h' := replace_at nm (ListObject (firstn j (map VInt zs) ++ skipn (S j) (map VInt zs)))
              (replace_at d (DictObject (delete_key r items)) (replace_at (at_list p0) (ListObject []) h)) in
  heaps_become h d nm (pa ++ p0 :: pb) added h' (pa ++ pb) (ca ++ cb).
Proof.
  intros D P A B zs j h'. pose proof holds as [_ Nm Hs Fall Ne]. destruct it as (Er & L0 & _). cbn [fst] in Er.
  pose proof distinct_without as N'. pose proof N' as N. apply NoDup_cons_iff in N. destruct N as [Nd N].
  apply NoDup_cons_iff in N. destruct N as [Nn N].
  assert (Ndn : d <> nm) by (intros ->; apply Nd; now left).
  assert (Nld : at_list p0 <> d) by (apply list_is_apart; now left).
  assert (Nln : at_list p0 <> nm) by (apply list_is_apart; right; now left).
  assert (Lists : forall l o, In l (map at_list (pa ++ pb)) -> nth_error h l = Some o -> nth_error h' l = Some o).
  { intros l o Hl Ho. repeat apply nth_error_replaced_apart; [| | |exact Ho].
    - intros <-. now apply Nn.
    - intros <-. apply Nd. now right.
    - apply list_is_apart. right. now right. }
  assert (Nodes : forall n x, node_in h n x -> node_in h' n x).
  { intros n x Hn. repeat apply nth_error_replaced_apart; [| | |exact Hn].
    - apply (nodes_are_apart _ n x); [right; now left|exact Hn].
    - apply (nodes_are_apart _ n x); [now left|exact Hn].
    - apply (nodes_are_apart _ n x); [apply owned_here|exact Hn]. }
  assert (Ka : map norm_of_heap pa = map fst ca) by now apply (norms_are_keys h).
  assert (Kb : map norm_of_heap pb = map fst cb) by now apply (norms_are_keys h).
  assert (N0 : NoDup (map fst items)) by (apply (found_in_dictionary (pa ++ p0 :: pb) items pa p0 pb);
    [now apply (norms_are_distinct h _ _ Hs)|exact P|reflexivity]).
  split; [split|split; [exact N'|split]].
  - eexists. split; [unfold h'; look|]. apply (delete_key_permutes r (VRef (at_list p0))); [exact N0|].
    rewrite P, !map_app. cbn [map].
    rewrite Er. symmetry. apply Permutation_middle.
  - unfold h', j, zs. rewrite !(map_app norm_of_heap). cbn [map]. rewrite Ka, Kb, Er.
    destruct (place_of_a_norm r (map fst ca) (map fst cb)) as (-> & -> & ->); [now apply Forall_map|now apply Forall_map|].
    rewrite !map_app. cbn [map]. rewrite <- (map_length (@VInt F)), firstn_app, firstn_all, Nat.sub_diag, app_nil_r.
    rewrite skipn_app, skipn_all2, Nat.sub_succ_l, Nat.sub_diag by lia. cbn [skipn app].
    rewrite nth_error_replace_at, Nat.eqb_refl. rewrite nth_error_replace_at, (proj2 (Nat.eqb_neq _ _) Ndn).
    rewrite nth_error_replace_at, (proj2 (Nat.eqb_neq _ _) Nln), Nm.
    reflexivity.
  - apply Forall2_app.
    + apply (each_heap_agreeing F h); [|auto|exact before_it]. intros l o Hl. apply Lists. rewrite map_app, in_app_iff.
      now left.
    + apply (each_heap_agreeing F h); [|auto|exact after_it]. intros l o Hl. apply Lists. rewrite map_app, in_app_iff.
      now right.
  - now apply falling_without in Fall.
  - apply Forall_app in Ne. destruct Ne as [Ne1 Ne2]. apply Forall_cons_iff in Ne2. apply Forall_app. tauto.
  - eapply changes_then; [|eapply changes_then]; apply changes_one; [apply owned_here|now left|right; now left].
  - intros l [<-|[<-|Hl]]; left; [now left|right; now left|]. do 2 right. rewrite map_app, in_app_iff in *. cbn [map].
    destruct Hl; [now left|right; now right].
  - intros l. rewrite !flat_map_app, !in_app_iff. cbn [flat_map]. rewrite in_app_iff. tauto.
Qed.

End OneHeap.
Lemma wp_heappush lt l items x ns h (P : value F -> state F -> Prop) :
  nth_error h l = Some (ListObject items) ->
  P VNone (State ns (replace_at l (ListObject (Python.heap_push H (lt h) items x)) h)) ->
  wp (builtin H lt "heappush" [VRef l; x] []) (State ns h) P.
Proof. intros E HP. unfold wp. cbn. unfold bind, get_object. cbn. rewrite E. exact HP. Qed.

Lemma wp_heappop lt l items x rest ns h (P : value F -> state F -> Prop) :
  nth_error h l = Some (ListObject items) -> Python.heap_pop H (lt h) items = Some (x, rest) ->
  P x (State ns (replace_at l (ListObject rest) h)) ->
  wp (builtin H lt "heappop" [VRef l] []) (State ns h) P.
Proof. intros E Ep HP. unfold wp. cbn. unfold bind, get_object. cbn. rewrite E. cbn. rewrite Ep. exact HP. Qed.

(** Claim [python-text]. A node that is added to a level of the text is added to its heap in the program; the least f-star follows. *)
Theorem the_text_adds_to_a_level n ns h p (lv : level) m x :
  level_in h p lv -> NoDup (owned_by_level p) -> node_in h m x ->
  exists h', call (S (S (S n))) (Some (VRef (at_level p))) "add" [VInt (nrm_of x); VRef m] [] (State ns h)
    = Done VNone (State ns h') /\
    exists p', level_in h' p' (add_to_level x lv) /\ level_becomes h p [m] h' p'.
Proof.
  intros L N Hm. pose proof L as [(v & E & V) _ Hh]. pose proof Hh as [(items & D & P) Nm Hs Fall Ne].
  set (r := nrm_of x). destruct (split_at_norm r (heaps lv) Fall) as (ca & cb & A & B & C).
  pose proof (norms_are_keys _ _ _ Hs) as Keys. pose proof (norms_are_distinct _ _ _ Hs Fall) as Distinct.
  pose proof (heaps_are_distinct p N) as Nh.
  unfold level_object in E. apply wp_answer. run_method. run. eapply wp_call_dict_method; [eassumption|].
  run_up_to_if.
  set (gv := match find_key r items with Some x0 => x0 | None => VNone end).
  destruct (level_apart p N) as (N1 & N2 & N3).
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun how s' => how = Next /\
    exists h2, s' = State (locals s0) h2 /\
    exists ps', heaps_become h (at_heaps p) (at_norms p) (heaps_at p) [m] h2 ps' (push_into Q r x (heaps lv))) end.
  - cbn [locals]. destruct C as [C|(q & C)].
    + (* No heap has this norm. *)
      assert (New : ~ In r (map norm_of_heap (heaps_at p))) by (rewrite Keys, C; now apply norm_is_new).
      pose proof (not_in_dictionary _ _ _ New P) as New'.
      assert (Eg : gv = VNone) by (unfold gv; now rewrite find_key_none). clearbody gv. subst gv.
      assert (Sorted : ascending (rev (map norm_of_heap (heaps_at p))) = true)
        by (rewrite Keys; now apply falling_reversed_is_ascending).
      run. run_builtin. run. eapply wp_sorted_ints; [look|exact Sorted|]. run. rewrite (set_key_new _ _ _ New').
      split; [reflexivity|]. eexists. split; [reflexivity|]. apply (a_new_heap h _ _ _ _ items ca cb); assumption.
    + (* The node enters a heap. *)
      rewrite C in Hs. destruct (Forall2_app_inv_r _ _ Hs) as (pa & rest & Ha & Hb & Eps).
      inversion Hb as [|p0 c0 pb cb0 H0 Hb' E0 E1]. subst rest c0 cb0. pose proof H0 as (Er & L0 & Hns).
      destruct (found_in_dictionary _ items pa p0 pb Distinct P Eps) as (_ & Found). rewrite Er in Found.
      cbn [fst] in Found.
      assert (Eg : gv = VRef (at_list p0)) by (unfold gv; now rewrite Found). clearbody gv. subst gv.
      run. run_builtin. apply (wp_heappush _ _ _ _ _ _ _ L0). run.
      destruct (pushed_references n h (at_nodes p0) q m x Hns Hm) as (ns' & Ens & Hns' & Sub). rewrite Ens.
      split; [reflexivity|]. eexists. split; [reflexivity|]. rewrite Eps in *. rewrite C in *.
      rewrite push_into_old by exact A.
      apply (a_changed_heap h _ _ pa pb p0 ca cb r q); try assumption.

      * intros Eq. pose proof (push_adds_it H correct _ (before (less F)) q x) as Pm. cbn [push heap_lists] in Eq.
        rewrite Eq in Pm.
        now apply Permutation_nil in Pm.
      * intros l Hl. destruct (Sub l Hl) as [<-|Hl']; [right; now left|now left].
  - intros how s' (-> & h2 & -> & ps' & Hb). cbn [locals].
    pose proof Hb as (_ & _ & [Ch _ _]).
    assert (E2 : nth_error h2 (at_level p) = Some (level_object F p v)).
    { apply Ch; [exact E|]. apply NoDup_cons_iff in N. destruct N as [N _]. intros Hin. apply N.
      destruct Hin as [<-|[<-|Hin]]; [now left|right; now left|do 2 right; apply in_or_app; now right]. }
    assert (Hm2 : node_in h2 m x).
    { apply Ch; [exact Hm|]. intros Hin.
      destruct (owned_by_level_is_there F H correct order h p lv m L (owned_incl p m Hin)) as (o & Eo & No).
      apply (No x). unfold TreeInStore.node_in in Hm. congruence. }
    unfold level_object in E2. unfold TreeInStore.node_in, node_object, node_with in Hm2.
    set (cs := int_tuple F (c_of x)) in Hm2.
    assert (Nlm : at_level p <> m) by (intros Eq; rewrite Eq, Hm2 in E2; discriminate E2).
    run.
    assert (New : forall v', same_least F v' (least (add_to_level x lv)) -> exists p', 
      level_in (replace_at (at_level p) (level_object F (LevelPlaces (at_level p) (at_heaps p) (at_norms p) None ps') v') h2) p' (add_to_level x lv) /\
      level_becomes h p [m] (replace_at (at_level p) (level_object F (LevelPlaces (at_level p) (at_heaps p) (at_norms p) None ps') v') h2) p').
    { intros v' V'. eexists. now apply (level_rewritten h p lv [m] h2 ps' (add_to_level x lv)). }
    unfold level_object in New. cbn [at_heaps at_norms at_snapshot reference] in New.
    unfold add_to_level in New at 1. cbn [least] in New.
    destruct (least lv) as [f|]; cbn [same_least] in V; [destruct V as (f' & -> & Ef)|subst v]; run.
    + rewrite <- (proj2 (less_equal f f' (f_star x) Ef)). unfold min in New. destruct (less F (f_star x) f); run.
      all: split; [reflexivity|]; eexists; split; [reflexivity|].
      * rewrite replace_at_twice. apply New. exists (f_star x). split; [reflexivity|apply equal_refl].
      * apply New. now exists f'.
    + split; [reflexivity|]. eexists. split; [reflexivity|]. now apply New.
Qed.

(** Claim [python-text]. The least of a class is removed from its heap, the heap with it if it is empty; the least
    f-star is forgotten if it was this one. *)
Theorem the_text_removes_the_least_of_a_class n ns h p (lv : level) r :
  level_in h p lv -> NoDup (owned_by_level p) -> In r (map fst (heaps lv)) ->
  exists h', call (S (S (S n))) (Some (VRef (at_level p))) "remove_least" [VInt r] [] (State ns h)
    = Done VNone (State ns h') /\
    exists p', level_in h' p' (remove_least r lv) /\ level_becomes h p [] h' p'.
Proof.
  intros L N Hr. pose proof L as [(v & E & V) _ Hh]. pose proof Hh as [(items & D & P) Nm Hs Fall Ne].
  destruct (split_at_norm r (heaps lv) Fall) as (ca & cb & A & B & [C|(q & C)]).
  { exfalso. rewrite C in Hr. now apply norm_is_new in Hr. }
  pose proof (norms_are_keys _ _ _ Hs) as Keys. pose proof (norms_are_distinct _ _ _ Hs Fall) as Distinct.
  pose proof (heaps_are_distinct p N) as Nh. destruct (level_apart p N) as (N1 & N2 & N3).
  rewrite C in Hs. destruct (Forall2_app_inv_r _ _ Hs) as (pa & rest & Ha & Hb & Eps).
  inversion Hb as [|p0 c0 pb cb0 H0 Hb' E0 E1]. subst rest c0 cb0. pose proof H0 as (Er & L0 & Hns).
  cbn [fst snd] in Er, Hns.
  destruct (found_in_dictionary _ items pa p0 pb Distinct P Eps) as (_ & Found). rewrite Er in Found.
  assert (Ne' : q <> []) by (rewrite C in Ne; apply Forall_app in Ne; destruct Ne as [_ Ne]; now apply Forall_cons_iff in Ne).
  destruct q as [|x q]; [easy|]. inversion Hns as [|m x' ns0 q0 Hm Hns0 En Eq]. subst x' q0. symmetry in En.
  destruct (popped_references n h ns0 q m x Hns0 Hm) as (ns' & Ep & Hns' & Sub). rewrite En in L0.
  pose proof (in_store _ _ _ E).
  assert (N4 : at_level p <> at_list p0).
  { intros Eq. apply NoDup_cons_iff in N. destruct N as [N _]. apply N. rewrite Eq, Eps. do 2 right. apply in_or_app.
    right. apply in_map, in_elt. }
  rewrite Eps in Nh. pose proof Hh as Hh'. rewrite Eps, C in Hh'.
  assert (N5 : at_list p0 <> at_heaps p) by (apply (list_is_apart (at_heaps p) (at_norms p) pa pb p0 Nh); now left).
  assert (N6 : at_list p0 <> at_norms p) by (apply (list_is_apart (at_heaps p) (at_norms p) pa pb p0 Nh); right; now left).
  assert (N7 : at_list p0 <> m) by (apply (nodes_are_apart _ _ _ _ _ _ _ _ _ _ Hh' _ m x (owned_here _ _ _ _ _) Hm)).
  unfold level_object in E. unfold TreeInStore.node_in, node_object, node_with in Hm.
  set (cs := int_tuple F (c_of x)) in Hm.
  apply wp_answer. run_method. run. rewrite Found. run_up_to_if.
  set (h1 := replace_at (at_list p0) (ListObject (map VRef ns')) h).
  assert (E1 : nth_error h1 (at_level p) = Some (level_object F p v)) by (unfold h1; look). unfold level_object in E1.
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun how s' => how = Next /\ exists v1,
    s' = State (locals s0) (replace_at (at_level p) (level_object F p v1) h1) /\
      same_least F v1 (least (remove_least r lv))) end.
  { run. run_builtin. apply (wp_heappop _ _ _ _ _ _ _ _ L0 Ep). run. fold h1.
    unfold remove_least. rewrite C, heap_of_here by exact A. cbn [least first_f_star first heap_lists hd_error].
    destruct (least lv) as [f|]; cbn [same_least] in V; [destruct V as (f' & -> & Ef)|subst v]; run.
    - destruct (less_equal f f' (f_star x) Ef) as [Ef1 Ef2].
      assert (Same : Python.equal F (f_star x) f' = Program.equal (less F) (f_star x) f)
        by (unfold Python.equal, Program.equal; now rewrite Ef1, Ef2).
      rewrite Same. destruct (Program.equal (less F) (f_star x) f); run; split; try reflexivity.
      + exists VNone. split; reflexivity.
      + exists (VFloat f'). split; [f_equal; symmetry; now apply replace_at_same|]. now exists f'.
    - split; [reflexivity|]. exists VNone. split; [f_equal; symmetry; now apply replace_at_same|reflexivity]. }
  intros how s' (-> & v1 & -> & V1). cbn [locals]. unfold level_object. run.
  assert (Rest : forall h2 ps', heaps_become h (at_heaps p) (at_norms p) (heaps_at p) [] h2 ps' (pop_from Q r (heaps lv)) -> exists p',
    level_in (replace_at (at_level p) (level_object F (LevelPlaces (at_level p) (at_heaps p) (at_norms p) None ps') v1) h2) p' (remove_least r lv) /\
    level_becomes h p [] (replace_at (at_level p) (level_object F (LevelPlaces (at_level p) (at_heaps p) (at_norms p) None ps') v1) h2) p').
  { intros h2 ps' Hb2. eexists. now apply (level_rewritten h p lv [] h2 ps' (remove_least r lv)). }
  unfold level_object in Rest. cbn [at_heaps at_norms at_snapshot reference] in Rest.
  rewrite Eps, C, pop_from_here in Rest by exact A.
  destruct (pop Q (x :: q)) as [|y q'] eqn:Eq; inversion Hns' as [|m' y' ns'' q'' Hm' Hns'' En' Eq']; subst ns'.
  - (* The heap is empty. *)
    cbn [map List.length Nat.eqb first heap_lists hd_error] in *. run. rewrite Found. run. run_builtin. run.
    eapply wp_sorted_ints; [look|rewrite Keys; now apply falling_reversed_is_ascending|]. run.
    set (zs := rev (map norm_of_heap (heaps_at p))). set (j := List.length (filter (fun a => (a <? r)%Z) zs)).
    assert (Hj : (j < List.length (map (@VInt F) zs))%nat).
    { assert (Ek : map norm_of_heap (heaps_at p) = map fst ca ++ r :: map fst cb) by (rewrite Keys, C; apply map_app).
      rewrite map_length. unfold j, zs. rewrite Ek.
      destruct (place_of_a_norm r (map fst ca) (map fst cb)) as (-> & -> & _); [now apply Forall_map|now apply Forall_map|].
      rewrite app_length. cbn [List.length]. lia. }
    rewrite place_of_nat by exact Hj. run. split; [reflexivity|]. eexists. split; [reflexivity|]. cbn [objects].
    rewrite (replace_at_commutes h1 (at_heaps p) (at_level p)) by (now apply not_eq_sym).
    rewrite (replace_at_commutes _ (at_norms p) (at_level p)) by (now apply not_eq_sym). rewrite replace_at_twice.
    apply (Rest _ (pa ++ pb)). unfold j, zs. rewrite Eps.
    apply (a_heap_less h (at_heaps p) (at_norms p) pa pb p0 ca cb r (x :: q)); try assumption. now rewrite <- Eps.
  - cbn [map List.length Nat.eqb first heap_lists hd_error] in *. run. split; [reflexivity|]. eexists.
    split; [reflexivity|]. cbn [objects].
    rewrite replace_at_twice. unfold h1. 
    destruct (a_changed_heap h (at_heaps p) (at_norms p) pa pb p0 ca cb r (x :: q) Hh' Nh Ha H0 Hb' (m' :: ns'') (y :: q') []) as (ps' & Hb2).
    + exact Hns'.
    + discriminate.
    + intros l Hl. left. rewrite En. right. now apply Sub.
    + apply (Rest _ ps'). exact Hb2.
Qed.

(** A call that ends with some value, in some store. *)
Lemma wp_some_answer {A} (m : M F A) ns s (R : A -> store F -> Prop) :
  wp m s (fun a s' => exists h', s' = State ns h' /\ R a h') -> exists a h', m s = Done a (State ns h') /\ R a h'.
Proof. intros W. apply wp_done in W. destruct W as (a & s' & E & h' & -> & HR). now exists a, h'. Qed.

(** The object of the level written anew, with the same heaps; a kept list is the old one, or new. *)
Lemma level_object_rewritten h p lv h2 s (lv' : level) v :
  level_in h p lv -> NoDup (owned_by_level p) -> changes_only [] h h2 ->
  heaps lv' = heaps lv -> same_least F v (least lv') ->
  s = at_snapshot p /\ snapshot lv' = snapshot lv \/
  (exists l, s = Some l /\ List.length h <= l /\ nth_error h2 l = Some (list_of_heaps F (heaps_at p)) /\
    snapshot lv' = Some (map snd (heaps lv))) ->
  let p' := LevelPlaces (at_level p) (at_heaps p) (at_norms p) s (heaps_at p) in
  let h' := replace_at (at_level p) (level_object F p' v) h2 in
  level_in h' p' lv' /\ level_becomes h p [] h' p'.
Proof.
  intros L N [Grow Ch] Eh V K p' h'. pose proof L as [(v0 & E & _) K0 Hs]. pose proof (in_store _ _ _ E) as Hl.
  assert (E2 : nth_error h2 (at_level p) = Some (level_object F p v0)) by (apply Ch; [exact E|easy]).
  pose proof N as Nall. apply NoDup_cons_iff in N. destruct N as [Na N].
  assert (Others : forall l o, l <> at_level p -> nth_error h l = Some o -> nth_error h' l = Some o).
  { intros l o Nl Ho. apply nth_error_replaced_apart; [now apply not_eq_sym|]. apply Ch; [exact Ho|easy]. }
  split; [split|split; [reflexivity|split; [|split]]].
  - exists v. split; [|exact V]. now apply (nth_error_replaced _ _ _ _ E2).
  - cbn [p' at_snapshot heaps_at]. destruct K as [[-> Ks]|(l & -> & Hnew & Hk & Ks)].
    + rewrite Ks, Eh. destruct (at_snapshot p) as [s|] eqn:Es; [|exact K0]. destruct K0 as [K1 K2]. split; [|exact K2].
      apply Others; [|exact K1]. intros ->. apply Na. do 2 right. now left.
    + rewrite Ks, Eh. split; [|reflexivity]. apply nth_error_replaced_apart; [lia|exact Hk].
  - rewrite Eh. apply (heaps_in_agreeing F h); [| |exact Hs].
    + intros l o Hin. apply Others. intros ->. apply Na.
      destruct Hin as [Hin|[Hin|Hin]]; [now left|right; now left|do 2 right; apply in_or_app; now right].
    + intros n x _ Hn. apply Others; [|exact Hn]. intros ->. unfold TreeInStore.node_in in Hn. rewrite E in Hn.
      discriminate Hn.
  - destruct K as [[-> _]|(l & -> & Hnew & _)]; [exact Nall|].
    cbn [owned_by_level at_level at_heaps at_norms at_snapshot heaps_at kept app p'].
    assert (Bound : forall m, In m (owned_by_level p) -> m < List.length h).
    { intros m Hm. destruct (owned_by_level_is_there F H correct order h p lv m L Hm) as (o & Eo & _).
      now apply (in_store h m o). }
    apply (Permutation_NoDup (l := l :: at_level p :: at_heaps p :: at_norms p :: map at_list (heaps_at p))).
    { apply (Permutation_middle [at_level p; at_heaps p; at_norms p]). }
    constructor; [|constructor].
    + intros [Hin|Hin]; [lia|]. specialize (Bound l (owned_incl p l Hin)). lia.
    + intros [Hin|[Hin|Hin]]; apply Na; [now left|right; now left|do 2 right; apply in_or_app; now right].
    + now apply heaps_are_distinct.
  - apply (changes_then _ h h2); [apply (changes_more [] _); [easy|now split]|apply changes_one; now left].
  - destruct K as [[-> _]|(l & -> & Hnew & _)]; [now left|]. intros m [<-|[<-|[<-|[<-|Hm]]]].
    + left. now left.
    + left. right. now left.
    + left. do 2 right. now left.
    + now right.
    + left. do 3 right. apply in_or_app. now right.
  - now left.
Qed.

(** ** The least f-star *)

Lemma least_of_floats a fs s : Python.least_of (@VFloat F a) (map VFloat fs) s
  = Done (VFloat (fold_left (min (less F)) fs a)) s.
Proof.
  revert a. induction fs as [|f fs IH]; intros a; [reflexivity|]. cbn [map Python.least_of fold_left].
  unfold bind. cbn [compare]. cbn [bind_result ret]. unfold min at 2. destruct (less F f a); apply IH.
Qed.

Hypothesis greatest : forall a : float F, a = infinity F \/ less F a (infinity F) = true.

Lemma least_from_the_first a fs : fold_left (min (less F)) fs a = Program.least_of (less F) (a :: fs).
Proof.
  unfold Program.least_of. cbn [fold_left]. f_equal. unfold min.
  change (@Program.infinity _ (greatest_float F)) with (infinity F).
  destruct (greatest a) as [->| ->]; [now destruct (less F (infinity F) (infinity F))|reflexivity].
Qed.

Lemma least_in_any_order fs gs : Permutation fs gs ->
  Program.equal (less F) (Program.least_of (less F) gs) (Program.least_of (less F) fs) = true.
Proof.
  assert (Low : forall fs gs, Permutation fs gs -> at_most (less F) (Program.least_of (less F) fs) (Program.least_of (less F) gs)).
  { clear fs gs. intros fs gs P.
    destruct (least_of_spec (less F) order fs) as [A _], (least_of_spec (less F) order gs) as [_ [->|B]].
    - unfold at_most. change (@Program.infinity _ (greatest_float F)) with (infinity F).
      destruct (greatest (Program.least_of (less F) fs)) as [->|G];
        [apply (at_most_refl (less F) order)|now apply less_is_asymmetric].
    - apply A. now apply (Permutation_in _ (Permutation_sym P)). }
  intros P. apply equal_spec. split; apply Low; [now symmetry|exact P].
Qed.

(** The f-star of the first node of a list. *)
Definition first_value (h : store F) (v : value F) : float F :=
  match v with
  | VRef a =>
      match nth_error h a with
      | Some (ListObject (VRef m :: _)) =>
          match nth_error h m with
          | Some (Instance _ fields) => match find "f_star" fields with Some (VFloat f) => f | _ => infinity F end
          | _ => infinity F
          end
      | _ => infinity F
      end
  | _ => infinity F
  end.

Lemma first_values_of_heaps h ps cs : Forall2 (heap_in h) ps cs -> Forall (fun c => snd c <> []) cs ->
  map (first_value h) (map (fun q => VRef (at_list q)) ps) = map (first_f_star (Q := Q)) (map snd cs) /\
  (forall v, In v (map (fun q => VRef (at_list q)) ps) -> exists a m ns x, v = VRef a /\
     nth_error h a = Some (ListObject (VRef m :: ns)) /\ node_in h m x /\ first_value h v = f_star x).
Proof.
  induction 1 as [|q c ps cs (_ & E & Nodes) _ IH]; intros Ne; [split; [reflexivity|easy]|].
  apply Forall_cons_iff in Ne. destruct Ne as [Ne1 Ne]. destruct (IH Ne) as [IH1 IH2].
  destruct c as [r cq]. cbn [snd] in *. destruct cq as [|x xs]; [easy|]. inversion Nodes as [|m x' ns xs' Hm Hns En Ex].
  subst.
  rewrite <- En in E. cbn [map] in E.
  assert (Ef : first_value h (VRef (at_list q)) = f_star x).
  { cbn [first_value]. rewrite E. unfold TreeInStore.node_in in Hm. now rewrite Hm. }
  cbn [map]. split; [now rewrite Ef, IH1|]. intros v [<-|Hv]; [|now apply IH2].
  exists (at_list q), m, (map VRef ns), x. auto.
Qed.

(** Claim [python-text]. The least f-star of a level is found, and is kept; it is the program's, or equal to it. *)
Theorem the_text_finds_the_least_of_a_level n ns h p (lv : level) :
  level_in h p lv -> NoDup (owned_by_level p) ->
  exists v h', call (S (S n)) (Some (VRef (at_level p))) "least" [] [] (State ns h) = Done v (State ns h') /\
    same_least F v (Some (fst (least_f_star lv))) /\ exists p', level_in h' p' (snd (least_f_star lv)) /\
      level_becomes h p [] h' p'.
Proof.
  intros L N. pose proof L as [(v & E & V) K Hh]. pose proof Hh as [(items & D & P) Nm Hs Fall Ne].
  destruct (level_apart p N) as (N1 & N2 & N3).
  apply wp_some_answer. unfold least_f_star. unfold level_object in E. run_method.
  destruct (least lv) as [f|] eqn:El; cbn [same_least] in V; [destruct V as (f' & -> & Ef)|subst v]; run.
  - eexists. split; [reflexivity|]. cbn [fst snd objects]. split; [now exists f'|]. exists p. split; [exact L|].
    split; [reflexivity|]. split; [exact N|apply becomes_itself].
  - eapply wp_call_dict_method; [eassumption|]. run.
    destruct (first_values_of_heaps h _ _ Hs Ne) as [Ev Hv].
    assert (Pv : Permutation (map snd items) (map (fun q => VRef (at_list q)) (heaps_at p))).
    { apply (Permutation_map snd) in P. now rewrite map_map in P. }
    apply wp_gather_over_tuple with (f := fun v => VFloat (first_value h v))
      (inv := fun s' => exists a, s' = State [(str "heap", a); (str "self", Some (VRef (at_level p)))] h).
    + intros v s' Hin (a & ->). apply (Permutation_in _ Pv) in Hin.
      destruct (Hv v Hin) as (l & m & rest & x & -> & El2 & Hm & Ef).
      unfold TreeInStore.node_in, node_object, node_with in Hm. set (cs := int_tuple F (c_of x)) in Hm. run.
      pose proof (place_of_nat 0 (List.length (@VRef F m :: rest)) ltac:(cbn [List.length]; lia)) as Pl.
      change (Z.of_nat 0) with 0%Z in Pl.
      rewrite Pl. cbn [nth_error]. run. split; [now rewrite Ef|]. now eexists.
    + now eexists.
    + intros s' (a & ->). cbn [objects]. run. run_builtin. run.
      assert (Found : forall w, w = VFloat (Program.least_of (less F) (map (first_value h) (map snd items))) -> same_least F w
                        (Some (Program.least_of (less F) (map (first_f_star (Q := Q)) (map snd (heaps lv)))))).
      { intros w ->. eexists. split; [reflexivity|]. apply least_in_any_order.
        apply (Permutation_map (first_value h)) in Pv. rewrite Ev in Pv. exact Pv. }
      match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun w s' => w = VFloat (Program.least_of (less F) (map (first_value h) (map snd items))) /\ s' = s0) end.
      { destruct (map snd items) as [|w ws]; cbn [map].
        - run. split; reflexivity.
        - rewrite <- least_from_the_first.
          match goal with |- wp _ ?s0 ?R => change (wp (Python.least_of (VFloat (first_value h w)) (map (fun v => VFloat (first_value h v)) ws)) s0 R) end.
          rewrite <- (map_map (first_value h) VFloat). eapply wp_is_done; [apply least_of_floats|]. split; reflexivity. }
      intros w s' (Ew & ->). run. eexists. split; [reflexivity|]. cbn [fst snd objects]. split; [now apply Found|].
      eexists. apply (level_object_rewritten h p lv _ (at_snapshot p)); auto. apply changes_at_the_end.
Qed.

(** ** The classes *)

(** Claim [python-text]. The classes of a level are the lists of its heaps, the largest norm first; the list of them is kept. *)
Theorem the_text_lists_the_classes_of_a_level n ns h p (lv : level) :
  level_in h p lv -> NoDup (owned_by_level p) ->
  exists v h', call (S (S n)) (Some (VRef (at_level p))) "classes" [] [] (State ns h) = Done v (State ns h') /\
    exists s p', v = VRef s /\ at_snapshot p' = Some s /\ level_in h' p' (snd (classes_of lv)) /\ level_becomes h p [] h' p'.
Proof.
  intros L N. pose proof L as [(v & E & V) K Hh]. pose proof Hh as [(items & D & P) Nm Hs Fall Ne].
  destruct (level_apart p N) as (N1 & N2 & N3). pose proof (in_store _ _ _ E).
  apply wp_some_answer. unfold classes_of. unfold level_object in E. run_method.
  destruct (at_snapshot p) as [s|] eqn:Es; cbn [reference] in E.
  - destruct K as [K1 K2]. rewrite K2. run. eexists. split; [reflexivity|]. cbn [snd objects]. exists s, p.
    split; [reflexivity|]. split; [exact Es|]. split; [exact L|]. split; [reflexivity|].
    split; [exact N|apply becomes_itself].
  - rewrite K. run. run_builtin. run.
    apply wp_gather_over_tuple with (f := fun v => match v with VInt r => match find_key r items with Some x => x | None => VNone end | _ => VNone end)
      (inv := fun s' => exists a, s' = State [(str "nrm", a); (str "self", Some (VRef (at_level p)))] h).
    + intros w s' Hin (a & ->). rewrite <- map_rev, rev_involutive in Hin. apply in_map_iff in Hin.
      destruct Hin as (r & <- & Hin).
      apply in_map_iff in Hin. destruct Hin as (q & <- & Hin). destruct (in_split _ _ Hin) as (pa & pb & Eps).
      destruct (found_in_dictionary (heaps_at p) items pa q pb (norms_are_distinct h _ _ Hs Fall) P Eps) as (_ & Found).
      run. rewrite Found. run. split; [reflexivity|]. now eexists.
    + now eexists.
    + intros s' (a & ->). cbn [objects]. run. eexists. split; [reflexivity|]. cbn [snd objects]. eexists. eexists.
      split; [reflexivity|]. split; [|apply (level_object_rewritten h p lv _ (Some (List.length h))); auto].
      * reflexivity.
      * apply changes_at_the_end.
      * right. exists (List.length h). split; [reflexivity|]. split; [lia|]. split; [|reflexivity].
        rewrite nth_error_app_here. unfold list_of_heaps. do 2 f_equal. rewrite <- map_rev, rev_involutive, !map_map.
        apply map_ext_in. intros q Hin. destruct (in_split _ _ Hin) as (pa & pb & Eps).
        destruct (found_in_dictionary (heaps_at p) items pa q pb (norms_are_distinct h _ _ Hs Fall) P Eps) as (_ & Found).
        now rewrite Found.
Qed.

(** ** Tree *)

Local Notation tree := (Program.tree (float F) (less F) Q).

Lemma set_level_here (pre post : list level) lv lv' : set_level (List.length pre) lv' (pre ++ lv :: post) = pre ++ lv' :: post.
Proof. induction pre as [|l pre IH]; [reflexivity|]. cbn [List.length app set_level]. now rewrite IH. Qed.

(** A level of a tree, with what comes before and after it. *)
Record level_of (h : store F) (p : tree_places) (tr : tree) (i : nat) lpa lp lpb lva lv lvb : Prop := LevelOf {
  places_are : levels_at p = lpa ++ lp :: lpb;
  levels_are : levels tr = lva ++ lv :: lvb;
  places_before : List.length lpa = i;
  levels_before : List.length lva = i;
  before_in : Forall2 (level_in h) lpa lva;
  it_in : level_in h lp lv;
  after_in : Forall2 (level_in h) lpb lvb;
  its_places_differ : NoDup (owned_by_level lp);
  tree_apart : ~ In (at_tree p) (owned_by_level lp);
  list_apart : ~ In (at_levels p) (owned_by_level lp)
}.

Arguments it_in {h p tr i lpa lp lpb lva lv lvb}. Arguments its_places_differ {h p tr i lpa lp lpb lva lv lvb}.

Lemma level_of_tree h p tr i : tree_at h p tr -> i < List.length (levels tr) ->
  exists lpa lp lpb lva lv lvb, level_of h p tr i lpa lp lpb lva lv lvb.
Proof.
  intros [_ _ E N] Hi.
  destruct (forall2_split _ _ _ i E Hi) as (lpa & lp & lpb & lva & lv & lvb & E1 & E2 & L1 & L2 & A & B & C).
  exists lpa, lp, lpb, lva, lv, lvb. unfold owned_by_tree in N. rewrite E1, flat_map_app in N. cbn [flat_map] in N.
  apply (nodup_app (at_tree p :: at_levels p :: flat_map owned_by_level lpa)) in N. destruct N as (_ & N1 & N2).
  apply nodup_app in N1. split; try assumption; [apply N1| |]; intros Hin.
  - apply (N2 (at_tree p)); [now left|apply in_or_app; now left].
  - apply (N2 (at_levels p)); [right; now left|apply in_or_app; now left].
Qed.

Lemma level_at_is {h p tr i lpa lp lpb lva lv lvb} : level_of h p tr i lpa lp lpb lva lv lvb -> level_at i tr = lv.
Proof. intros [_ E _ <- _ _ _ _ _ _]. unfold level_at. rewrite E, app_nth2, Nat.sub_diag by lia. reflexivity. Qed.

Lemma owned_bound h p tr l : tree_at h p tr -> In l (owned_by_tree p) -> l < List.length h.
Proof. intros T Hl. destruct (owned_by_tree_is_there F H correct order h p tr l T Hl) as (o & Eo & _).
now apply (in_store h l o). Qed.

(** When a level has become another, so has the tree. *)
Lemma tree_with_level {h p} {tr : tree} {i lpa lp lpb lva lv lvb added h' lp' lv'} :
  tree_at h p tr -> level_of h p tr i lpa lp lpb lva lv lvb -> level_in h' lp' lv' -> level_becomes h lp added h' lp' ->
  let p' := TreePlaces (at_tree p) (at_levels p) (lpa ++ lp' :: lpb) in
  tree_at h' p' (with_level i lv' tr) /\ tree_becomes h p added h' p'.
Proof.
  intros T [Ep El Ip Il A B C N Nt Nl] B' [Eat [N' [[Grow Ch] O Nodes]]] p'.
  pose proof (owned_bound h p tr) as Bound. specialize (fun l => Bound l T). pose proof T as [T1 T2 _ T4].
  unfold owned_by_tree in *. rewrite Ep, flat_map_app in *. cbn [flat_map] in *.
  assert (Split : forall l, In l (at_tree p :: at_levels p :: flat_map owned_by_level lpa) \/ In l (flat_map owned_by_level lpb) -> ~ In l (owned_by_level lp)).
  { apply (nodup_app (at_tree p :: at_levels p :: flat_map owned_by_level lpa)) in T4. destruct T4 as (_ & T4 & T5).
    apply nodup_app in T4. destruct T4 as (_ & _ & T6). intros l [Hl|Hl] Hin.
    - apply (T5 l Hl), in_or_app. now left.
    - now apply (T6 l Hin). }
  assert (NodesStay : forall n x, node_in h n x -> node_in h' n x).
  { intros n x Hn. apply Ch; [exact Hn|]. intros Hin.
    destruct (owned_by_level_is_there F H correct order h lp lv n B Hin) as (o & Eo & No).
    apply (No x). unfold TreeInStore.node_in in Hn. congruence. }
  assert (OthersStay : forall qs lvs, Forall2 (level_in h) qs lvs -> (forall l, In l (flat_map owned_by_level qs) ->
    ~ In l (owned_by_level lp)) -> Forall2 (level_in h') qs lvs).
  { intros qs lvs E Apart. apply (forall2_in (level_in h)); [|exact E]. intros q l0 Hq. apply level_in_agreeing; [|auto].
    intros l o Hl Ho. apply Ch; [exact Ho|]. apply Apart, in_flat_map. now exists q. }
  assert (OwnedBy : forall l, In l (owned_by_level lp) ->
    In l (at_tree p :: at_levels p :: flat_map owned_by_level lpa ++ owned_by_level lp ++ flat_map owned_by_level lpb)).
  { intros l Hl. do 2 right. rewrite !in_app_iff. auto. }
  split; [split|split; [reflexivity|split]]; unfold owned_by_tree, nodes_of_tree; cbn [p' at_tree at_levels levels_at].
  - replace (tree_object F H correct order p' (with_level i lv' tr)) with (tree_object F H correct order p tr);
      [now apply Ch|].
    unfold tree_object, depth_of. cbn [levels with_level leaf_count p' at_levels]. rewrite length_set_level. do 5 f_equal.
    rewrite El, app_length. cbn [List.length]. rewrite Il. lia.
  - rewrite map_app in *. cbn [map] in *. rewrite Eat. now apply Ch.
  - cbn [with_level levels]. rewrite El, <- Il, set_level_here. apply Forall2_app; [|constructor; [exact B'|]].
    + apply OthersStay; [exact A|]. intros l Hl. apply Split. left. now do 2 right.
    + apply OthersStay; [exact C|]. intros l Hl. apply Split. now right.
  - rewrite flat_map_app. cbn [flat_map].
    apply (nodup_app (at_tree p :: at_levels p :: flat_map owned_by_level lpa)) in T4. destruct T4 as (T4 & T5 & T6).
    apply nodup_app in T5. destruct T5 as (_ & T5 & T7).
    assert (Apart : forall l, In l (at_tree p :: at_levels p :: flat_map owned_by_level lpa) \/ In l (flat_map owned_by_level lpb) -> ~ In l (owned_by_level lp')).
    { intros l Hl Hin. destruct (O l Hin) as [Hin'|Hin']; [now apply (Split l)|].
      enough (l < List.length h) by lia. apply Bound.
      destruct Hl as [[<-|[<-|Hl]]|Hl]; [now left|right; now left| |]; do 2 right; rewrite !in_app_iff; auto. }
    apply (nodup_app (at_tree p :: at_levels p :: flat_map owned_by_level lpa)). split; [exact T4|]. split.
    + apply nodup_app. split; [exact N'|]. split; [exact T5|]. intros l Hl Hl'. apply (Apart l); auto.
    + intros l Hl Hin. apply in_app_or in Hin. destruct Hin as [Hin|Hin]; [apply (Apart l); auto|].
      apply (T6 l Hl), in_or_app. now right.
  - split; [exact Grow|]. intros l o Ho Hl. apply Ch; [exact Ho|]. intros Hin. apply Hl. rewrite Ep, flat_map_app.
    cbn [flat_map].
    now apply OwnedBy.
  - intros l. rewrite flat_map_app. cbn [flat_map]. rewrite Ep, flat_map_app. cbn [flat_map]. 
    intros [<-|[<-|Hl]]; [left; now left|left; right; now left|]. rewrite !in_app_iff in Hl. destruct Hl as [Hl|[Hl|Hl]].
    + left. do 2 right. rewrite !in_app_iff. auto.
    + destruct (O l Hl) as [Hl'|Hl']; [left; now apply OwnedBy|now right].
    + left. do 2 right. rewrite !in_app_iff. auto.
  - intros l. rewrite Ep, !flat_map_app, !in_app_iff. cbn [flat_map]. rewrite !in_app_iff. intros [Hl|[Hl|Hl]]; auto.
    destruct (Nodes l Hl); auto.
Qed.

(** The object of the tree written anew. *)
Lemma tree_object_rewritten h p (tr tr' : tree) :
  tree_at h p tr -> levels tr' = levels tr ->
  let h' := replace_at (at_tree p) (tree_object F H correct order p tr') h in
  tree_at h' p tr' /\ tree_becomes h p [] h' p.
Proof.
  intros [T1 T2 T3 T4] El h'. pose proof T4 as T5. apply NoDup_cons_iff in T5. destruct T5 as [Na T5].
  assert (Others : forall l o, In l (at_levels p :: flat_map owned_by_level (levels_at p)) -> nth_error h l = Some o ->
    nth_error h' l = Some o).
  { intros l o Hl Ho. apply nth_error_replaced_apart; [|exact Ho]. intros Eq. apply Na. now rewrite Eq. }
  split; [split|split; [reflexivity|split; [apply changes_one; now left|now left|now left]]].
  - apply (nth_error_replaced _ _ _ _ T1).
  - apply Others; [now left|exact T2].
  - rewrite El. apply (forall2_in (level_in h)); [|exact T3]. intros q lv Hq. apply level_in_agreeing.
    + intros l o Hl. apply Others. right. apply in_flat_map. now exists q.
    + intros n x _ Hn. apply nth_error_replaced_apart; [|exact Hn]. intros Eq. rewrite Eq in T1.
      unfold TreeInStore.node_in in Hn.
      rewrite T1 in Hn. discriminate Hn.
  - exact T4.
Qed.

(** A new level at the end of the list of the levels. *)
Lemma tree_with_a_new_level h p (tr : tree) :
  tree_at h p tr ->
  let L := List.length h in
  let lp := LevelPlaces L (1 + L) (2 + L) None [] in
  let p' := TreePlaces (at_tree p) (at_levels p) (levels_at p ++ [lp]) in
  let tr' := Tree Q (levels tr ++ [empty_level Q]) (leaf_count tr) (pushes tr) (pops tr) in
  forall h1, h1 = h ++ [level_object F lp (VFloat (infinity F)); DictObject []; ListObject []] ->
    level_in h1 lp (empty_level Q) ->
  let h' := replace_at (at_tree p) (tree_object F H correct order p' tr')
              (replace_at (at_levels p) (ListObject (map (fun q => VRef (at_level q)) (levels_at p) ++ [VRef L])) h1) in
  tree_at h' p' tr' /\ tree_becomes h p [] h' p'.
Proof.
  intros T L lp p' tr' h1 Eh1 Hlp h'. pose proof (fun l => owned_bound h p tr l T) as Bound. pose proof T as [T1 T2 T3 T4].
  pose proof (in_store _ _ _ T1) as B1. pose proof (in_store _ _ _ T2) as B2.
  assert (Ntl : at_levels p <> at_tree p) by (intros Eq; apply NoDup_cons_iff in T4; apply T4; left; exact Eq).
  assert (Ch : changes_only [at_tree p; at_levels p] h h').
  { apply (changes_then _ _ h1); [rewrite Eh1; apply changes_at_the_end|].
    eapply changes_then; apply changes_one; [right; now left|now left]. }
  destruct Ch as [Grow Ch].
  assert (Nodes : forall n x, node_in h n x -> node_in h' n x).
  { intros n x Hn. unfold TreeInStore.node_in in *. apply Ch; [exact Hn|].
    intros [Eq|[Eq|[]]]; subst n; [rewrite T1 in Hn|rewrite T2 in Hn]; discriminate Hn. }
  assert (New : forall l, In l (owned_by_level lp) -> L <= l).
  { intros l Hl. unfold lp in Hl. cbn in Hl. lia. }
  split; [split|split; [reflexivity|split]]; cbn [p' tr' at_tree at_levels levels_at levels].
  - unfold h'. eapply nth_error_replaced. apply nth_error_replaced_apart; [exact Ntl|]. rewrite Eh1.
    apply nth_error_app_old. exact T1.
  - rewrite map_app. unfold h'. apply nth_error_replaced_apart; [now apply not_eq_sym|]. eapply nth_error_replaced.
    rewrite Eh1. apply nth_error_app_old. exact T2.
  - apply Forall2_app; [|constructor; [|constructor]].
    + apply (forall2_in (level_in h)); [|exact T3]. intros q lv Hq. apply level_in_agreeing; [|auto].
      intros l o Hl Ho. apply Ch; [exact Ho|]. unfold owned_by_tree in T4. apply NoDup_cons_iff in T4.
      destruct T4 as [Na T4].
      apply NoDup_cons_iff in T4. destruct T4 as [Nb _].
      intros [<-|[<-|[]]]; [apply Na; right|apply Nb]; apply in_flat_map; now exists q.
    + apply (level_in_agreeing F H correct order h1); [| |exact Hlp]; [|intros n x []].
      intros l o Hl Ho. specialize (New l Hl). unfold L in New. repeat apply nth_error_replaced_apart; [lia|lia|exact Ho].
  - unfold owned_by_tree. cbn [p' at_tree at_levels levels_at]. rewrite flat_map_app.
    apply (nodup_app (at_tree p :: at_levels p :: flat_map owned_by_level (levels_at p))). split; [exact T4|]. split.
    + cbn. repeat constructor; cbn; lia.
    + intros l Hl Hin. cbn [flat_map] in Hin. rewrite app_nil_r in Hin. specialize (New l Hin). specialize (Bound l Hl).
      unfold L in New. lia.
  - split; [exact Grow|]. intros l o Ho Hl. apply Ch; [exact Ho|].
    intros [<-|[<-|[]]]; apply Hl; [now left|right; now left].
  - unfold owned_by_tree. cbn [p' at_tree at_levels levels_at]. rewrite flat_map_app.
    intros l [<-|[<-|Hl]]; [left; now left|left; right; now left|].
    apply in_app_or in Hl. destruct Hl as [Hl|Hl]; [left; now do 2 right|right]. cbn [flat_map] in Hl.
    rewrite app_nil_r in Hl. now apply New.
  - unfold nodes_of_tree. cbn [p' levels_at]. rewrite flat_map_app. cbn [flat_map nodes_of_level heaps_at lp].
    rewrite !app_nil_r. now left.
Qed.

Lemma an_empty_tree n ns h :
  let T := List.length h in
  let p := TreePlaces T (1 + T) [] in
  let h' := h ++ [tree_object F H correct order p (Tree Q [] 0 0 0); ListObject []] in
  call (S (S n)) None "Tree" [] [] (State ns h) = Done (VRef T) (State ns h') /\ tree_at h' p (Tree Q [] 0 0 0).
Proof.
  cbv zeta. split.
  - apply wp_equal. eapply wp_call_class; [vm_compute; reflexivity|vm_compute; reflexivity|].
    eapply wp_make_by_init; [vm_compute; reflexivity|vm_compute; reflexivity|]. run.
    cbn [set_field update String.eqb Ascii.eqb Bool.eqb app objects]. rewrite <- ?app_assoc. cbn [app].
    rewrite !replace_at_app, ?app_length. cbn [Datatypes.length].
    rewrite <- ?app_assoc. cbn [app]. rewrite !replace_at_app. split; [reflexivity|].
    unfold tree_object. cbn [at_levels levels leaf_count depth_of List.length pred].
    now rewrite !(Nat.add_comm (List.length h)).
  - split; cbn [at_tree at_levels levels_at levels owned_by_tree flat_map].
    + apply nth_error_app_here.
    + rewrite Nat.add_comm. now rewrite nth_error_app_later.
    + constructor.
    + repeat constructor; cbn; lia.
Qed.

Lemma set_level_at_the_end (ls : list level) lv : set_level (List.length ls) lv ls = ls ++ [lv].
Proof. induction ls as [|l ls IH]; [reflexivity|]. cbn [List.length set_level app]. now rewrite IH. Qed.

(** The item of the list of the levels. *)
Lemma item_of_a_level {h p} {tr : tree} {i lpa lp lpb lva lv lvb} : tree_at h p tr ->
  level_of h p tr i lpa lp lpb lva lv lvb ->
  exists items, nth_error h (at_levels p) = Some (ListObject items) /\
    place (Z.of_nat i) (List.length items) = Some i /\ nth_error items i = Some (VRef (at_level lp)).
Proof.
  intros T LO. pose proof (the_list_of_levels T) as E. destruct LO as [Ep _ Li _ _ _ _ _ _ _].
  eexists. split; [exact E|]. rewrite Ep, map_app. cbn [map].
  assert (Lm : List.length (map (fun q => @VRef F (at_level q)) lpa) = i) by now rewrite map_length. split.
  - apply place_of_nat. rewrite app_length. cbn [List.length]. lia.
  - rewrite <- Lm at 1. apply nth_error_app_here.
Qed.

(** Claim [python-text]. The class of a node is named by its norm. *)
Theorem the_text_names_the_class n ns h p (tr : tree) m x :
  tree_at h p tr -> node_in h m x ->
  call (S n) (Some (VRef (at_tree p))) "class_of" [VRef m] [] (State ns h) = Done (VInt (nrm_of x)) (State ns h).
Proof.
  intros [T1 _ _ _] Hm. unfold tree_object in T1. unfold TreeInStore.node_in, node_object, node_with in Hm.
  set (cs := int_tuple F (c_of x)) in Hm. apply wp_equal. run_method. run. split; reflexivity.
Qed.

Lemma node_stays {h p} {tr : tree} {added h' p' m x} : tree_at h p tr -> tree_becomes h p added h' p' -> node_in h m x ->
  node_in h' m x.
Proof. intros T [_ [[_ Ch] _ _]] Hm. apply Ch; [exact Hm|]. now apply (owned_is_no_node F H correct order h p tr m x). Qed.

Lemma add_to_a_tree n ns h p (tr : tree) m x :
  tree_at h p tr -> node_in h m x -> h_of x <= List.length (levels tr) ->
  exists h', call (S (S (S (S n)))) (Some (VRef (at_tree p))) "add" [VRef m] [] (State ns h) = Done VNone (State ns h') /\
    exists p', tree_at h' p' (add tr x) /\ tree_becomes h p [m] h' p'.
Proof.
  intros T Hm Hx. pose proof T as [T1 T2 T3 T4]. unfold tree_object in T1.
  unfold TreeInStore.node_in, node_object, node_with in Hm. set (cs := int_tuple F (c_of x)) in Hm.
  set (deeper := h_of x =? List.length (levels tr)).
  set (tr1 := if deeper then Tree Q (levels tr ++ [empty_level Q]) (leaf_count tr) (pushes tr) (pops tr) else tr).
  assert (Len : List.length (levels_at p) = List.length (levels tr)).
  { clear - T3. induction T3 as [|q lv qs lvs _ _ IH]; [reflexivity|]. cbn [List.length]. now rewrite IH. }
  assert (Ndiff : at_levels p <> at_tree p) by (intros Eq; apply NoDup_cons_iff in T4; apply T4; left; exact Eq).
  apply wp_answer. eapply wp_call_method; [exact T1|vm_compute; reflexivity|]. run_up_to_if.
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun how s' => how = Next /\ exists h1,
    s' = State (locals s0) h1 /\ exists p1, tree_at h1 p1 tr1 /\ tree_becomes h p [] h1 p1) end.
  { cbn [locals]. run. run_builtin. run. rewrite map_length, Len.
    replace (Z.of_nat (h_of x) =? Z.of_nat (List.length (levels tr)))%Z with deeper.
    2:{ unfold deeper.
    destruct (Nat.eqb_spec (h_of x) (List.length (levels tr))); symmetry; [apply Z.eqb_eq|apply Z.eqb_neq]; lia. }
    destruct deeper eqn:Ed; run.
    - eapply wp_is_done; [apply the_text_makes_an_empty_level|].
      destruct (the_text_makes_an_empty_level n [] h) as [_ Hlp]. cbv zeta in Hlp.
      set (h1 := h ++ [_; _; _]) in *.
      assert (M1 : nth_error h1 m = Some (node_object F x)) by (unfold h1; now apply nth_error_app_old).
      assert (P1 : nth_error h1 (at_tree p) = Some (tree_object F H correct order p tr))
        by (unfold h1; now apply nth_error_app_old).
      assert (P2 : nth_error h1 (at_levels p) = Some (ListObject (map (fun q => VRef (at_level q)) (levels_at p))))
        by (unfold h1; now apply nth_error_app_old).
      unfold tree_object in P1. unfold node_object, node_with in M1. fold cs in M1.
      assert (Nm1 : at_levels p <> m) by (intros Eq; rewrite Eq, Hm in T2; discriminate T2).
      run. eapply wp_call_list_method; [exact P2|]. run. split; [reflexivity|]. eexists. split; [reflexivity|].
      eexists. unfold tr1. 
      destruct (tree_with_a_new_level h p tr T h1 eq_refl Hlp) as [New1 New2].
      unfold tree_object, depth_of in New1, New2. cbn [at_levels levels leaf_count] in New1, New2.
      rewrite app_length, Nat.add_1_r in New1, New2. cbn [pred] in New1, New2.
      unfold deeper in Ed. apply Nat.eqb_eq in Ed. rewrite Ed. split; [exact New1|exact New2].
    - split; [reflexivity|]. eexists. split; [reflexivity|]. exists p. split; [exact T|].
      split; [reflexivity|apply becomes_itself]. }
  intros how s' (-> & h1 & -> & p1 & T' & B1). cbn [locals].
  assert (Hm0 : node_in h m x) by exact Hm. pose proof (node_stays T B1 Hm0) as M1.
  assert (Lt : h_of x < List.length (levels tr1)).
  { unfold tr1, deeper. destruct (Nat.eqb_spec (h_of x) (List.length (levels tr))) as [Eq|Nq]; [|lia].
    cbn [levels]. rewrite app_length. cbn [List.length]. lia. }
  destruct (level_of_tree h1 p1 tr1 (h_of x) T' Lt) as (lpa & lp & lpb & lva & lv & lvb & LO).
  pose proof (item_of_a_level T' LO) as (items & P2 & Pl & Pn).
  pose proof (the_tree T') as P1. rewrite (proj1 B1) in P1. unfold tree_object in P1.
  assert (Name : forall ns0 n0, call (S n0) (Some (VRef (at_tree p))) "class_of" [VRef m] [] (State ns0 h1)
    = Done (VInt (nrm_of x)) (State ns0 h1)).
  { intros ns0 n0. rewrite <- (proj1 B1). now apply (the_text_names_the_class n0 ns0 h1 p1 tr1). }
  match goal with |- wp _ (State ?ns0 _) _ =>
    destruct (the_text_adds_to_a_level n ns0 h1 lp lv m x (it_in LO) (its_places_differ LO) M1)
      as (h2 & E2 & lp2 & L2 & B2) end.
  destruct (tree_with_level T' LO L2 B2) as [T2' B2'].
  set (p2 := TreePlaces _ _ _) in T2', B2'.
  assert (El : levels (with_level (h_of x) (add_to_level x lv) tr1) = levels (add tr x)).
  { cbn [with_level levels add]. rewrite <- (level_at_is LO). unfold tr1, deeper.
    destruct (Nat.eqb_spec (h_of x) (List.length (levels tr))) as [Eq|Nq]; [|reflexivity].
    rewrite Eq. unfold level_at. cbn [levels]. rewrite app_nth2, Nat.sub_diag by lia. cbn [nth].
    rewrite nth_overflow by lia. now rewrite set_level_here, set_level_at_the_end. }
  assert (Ec : leaf_count tr1 = leaf_count tr) by (unfold tr1; now destruct deeper).
  destruct (tree_object_rewritten _ _ _ (add tr x) T2' (eq_sym El)) as [T3' B3].
  assert (Q1 : nth_error h2 (at_tree p) = Some (tree_object F H correct order p2 (with_level (h_of x) (add_to_level x lv) tr1)))
    by (rewrite <- (proj1 B1); exact (the_tree T2')).
  unfold tree_object in Q1. cbn [p2 at_levels with_level leaf_count] in Q1. rewrite Ec in Q1.
  unfold TreeInStore.node_in, node_object, node_with in M1. fold cs in M1.
  run. rewrite Pl, Pn. run. eapply wp_is_done; [apply Name|]. run. eapply wp_is_done; [exact E2|]. run.
  split; [reflexivity|]. eexists. split; [reflexivity|]. exists p2. cbn [objects].
  assert (Eo : Instance "Tree" [(str "_by_norm", VBool true); (str "depth", VInt (Z.of_nat (depth_of (with_level (h_of x) (add_to_level x lv) tr1))));
      (str "leaf_count", VInt (Z.of_nat (leaf_count tr) + 1)); (str "_levels", VRef (at_levels p1))] = tree_object F H correct order p2 (add tr x)).
  { unfold tree_object, depth_of. rewrite El. cbn [p2 at_levels add leaf_count]. now rewrite Nat2Z.inj_succ, <- Z.add_1_r. }
  rewrite Eo. rewrite <- (proj1 B1). split; [exact T3'|].
  exact (tree_becomes_then (tree_becomes_then B1 B2') B3).
Qed.

Lemma adding_grows xs : forall tr : tree, List.length (levels tr) <= List.length (levels (fold_left (add (Q := Q)) xs tr)).
Proof.
  induction xs as [|x xs IH]; intros tr; cbn [fold_left]; [lia|]. specialize (IH (add tr x)).
  cbn [add levels] in IH. rewrite length_set_level in IH. lia.
Qed.

(** [Tree.replace], at its places. *)
Lemma replace_in_a_tree n ns h p (tr : tree) m x c ms xs :
  tree_at h p tr -> node_in h m x -> nth_error h c = Some (ListObject (map VRef ms)) -> Forall2 (node_in h) ms xs ->
  ~ In c (owned_by_tree p) -> h_of x < List.length (levels tr) -> In (nrm_of x) (map fst (heaps (level_at (h_of x) tr))) ->
  0 < leaf_count tr -> Forall (fun y => h_of y <= List.length (levels tr)) xs ->
  exists h', call (S (S (S (S (S n))))) (Some (VRef (at_tree p))) "replace" [VRef m; VRef c] [] (State ns h)
    = Done VNone (State ns h') /\
    exists p', tree_at h' p' (replace tr (x, xs)) /\ tree_becomes h p ms h' p'.
Proof.
  intros T Hm Hc Hms Nc Hx Hr Hlc Hd.
  destruct (level_of_tree h p tr (h_of x) T Hx) as (lpa & lp & lpb & lva & lv & lvb & LO).
  pose proof (item_of_a_level T LO) as (items & P2 & Pl & Pn).
  assert (Name : forall ns0 n0, call (S n0) (Some (VRef (at_tree p))) "class_of" [VRef m] [] (State ns0 h)
    = Done (VInt (nrm_of x)) (State ns0 h))
    by (intros ns0 n0; now apply (the_text_names_the_class n0 ns0 h p tr)).
  pose proof (the_tree T) as P1. unfold tree_object in P1.
  unfold TreeInStore.node_in, node_object, node_with in Hm. set (cs := int_tuple F (c_of x)) in Hm.
  rewrite (level_at_is LO) in Hr.
  set (names0 := [(str "self", Some (VRef (at_tree p))); (str "leaf", Some (VRef m)); (str "children", Some (VRef c)); (str "child", @None (value F))]).
  destruct (the_text_removes_the_least_of_a_class (S n) names0 h lp lv (nrm_of x) (it_in LO) (its_places_differ LO) Hr)
    as (h1 & E1 & lp1 & L1 & B1).
  destruct (tree_with_level T LO L1 B1) as [T1 B1'].
  set (p1 := TreePlaces _ _ _) in T1, B1'. set (lv1 := remove_least (nrm_of x) lv) in *.
  set (tr0 := Tree Q (set_level (h_of x) lv1 (levels tr)) (pred (leaf_count tr)) (pushes tr) (S (pops tr))).
  destruct (tree_object_rewritten _ _ _ tr0 T1 eq_refl) as [T2 B2].
  assert (Q1 : nth_error h1 (at_tree p) = Some (tree_object F H correct order p1 (with_level (h_of x) lv1 tr))) by exact (the_tree T1).
  unfold tree_object in Q1. cbn [p1 at_levels with_level leaf_count] in Q1.
  apply wp_answer. eapply wp_call_method; [exact P1|vm_compute; reflexivity|]. run. rewrite Pl, Pn. run.
  eapply wp_is_done; [apply Name|]. run. fold names0.
  eapply wp_is_done; [exact E1|]. run.
  assert (Eo : Instance "Tree" [(str "_by_norm", VBool true); (str "depth", VInt (Z.of_nat (depth_of (with_level (h_of x) lv1 tr))));
      (str "leaf_count", VInt (Z.of_nat (leaf_count tr) - 1)); (str "_levels", VRef (at_levels p))] = tree_object F H correct order p1 tr0).
  { unfold tree_object. do 3 f_equal. cbn [tr0 leaf_count p1 at_levels]. do 4 f_equal. lia. }
  rewrite Eo. change (replace_at (at_tree p)) with (@replace_at (object F) (at_tree p1)).
  set (h2 := replace_at _ _ h1) in *.
  pose proof (tree_becomes_then B1' B2) as B02. cbn [app] in B02.
  assert (Stays : forall added h' p', tree_becomes h p added h' p' -> nth_error h' c = Some (ListObject (map VRef ms))).
  { intros added h' p' [_ [[_ Ch] _ _]]. now apply Ch. }
  eapply wp_get_object; [exact (Stays _ _ _ B02)|]. cbv beta iota. run.
  apply wp_loop with (out := fun _ => False) (inv := fun i s' => exists a h', s' = State [(str "self", Some (VRef (at_tree p))); (str "leaf", Some (VRef m));
      (str "children", Some (VRef c)); (str "child", a)] h' /\
        exists p', tree_at h' p' (fold_left (add (Q := Q)) (firstn i xs) tr0) /\ tree_becomes h p (firstn i ms) h' p').
  - intros i s' (a & h' & -> & p' & _ & B'). unfold elements, bind, get_object. cbn [objects]. now rewrite (Stays _ _ _ B').
  - intros i v s' Hv (a & h' & -> & p' & T' & B'). rewrite nth_error_map in Hv.
    destruct (nth_error ms i) as [mi|] eqn:Emi; [|discriminate]. injection Hv as <-.
    destruct (forall2_nth _ _ _ _ _ Hms Emi) as (xi & Exi & Hmi).
    pose proof (node_stays T B' Hmi) as Hmi'.
    assert (Di : h_of xi <= List.length (levels (fold_left (add (Q := Q)) (firstn i xs) tr0))).
    { rewrite Forall_forall in Hd. pose proof (Hd xi (nth_error_In _ _ Exi)).
      pose proof (adding_grows (firstn i xs) tr0) as G.
      cbn [tr0 levels] in G. rewrite length_set_level in G. lia. }
    run. match goal with |- wp _ (State ?names1 _) _ => destruct (add_to_a_tree n names1 h' p' _ mi xi T' Hmi' Di)
      as (h3 & E3 & p3 & T3 & B3) end.
    rewrite (proj1 B') in E3. eapply wp_is_done; [exact E3|]. run. left. split; [reflexivity|]. do 2 eexists.
    split; [reflexivity|]. exists p3.
    rewrite (firstn_snoc _ _ _ Emi), (firstn_snoc _ _ _ Exi), fold_left_app. split; [exact T3|].
    exact (tree_becomes_then B' B3).
  - do 2 eexists. split; [reflexivity|]. exists p1. split; [exact T2|exact B02].
  - intros s' [(a & h' & -> & p' & T' & B')|[]]. run. split; [reflexivity|]. eexists. split; [reflexivity|]. exists p'.
    cbn [objects].
    assert (Len : List.length xs = List.length ms) by (clear - Hms; induction Hms; cbn [List.length]; congruence).
    rewrite map_length, firstn_all in B'. rewrite map_length, <- Len, firstn_all in T'.
    unfold replace. cbn [fst snd]. rewrite (level_at_is LO). split; [exact T'|exact B'].
Qed.

(** ** The methods that hunter.py calls *)

Local Notation tree_in := (tree_in F H correct order).
Local Notation keeps := (keeps F).
Local Notation grows := (grows F).

Lemma hidden {h p} {tr : tree} {added h' p' tr'} : tree_at h p tr -> tree_becomes h p added h' p' -> tree_at h' p' tr' ->
  exists own', tree_in own' (at_tree p) tr' h' /\ keeps (footprint p) h h' /\ grows (footprint p) h own' added.
Proof. intros T B T'. exists (footprint p'). now apply (without_places F H correct order h p tr). Qed.

(** Claim [python-text]. [Tree()] makes the program's empty tree, of new objects. *)
Theorem the_text_makes_a_tree n ns h :
  exists more own, call (S (S n)) None "Tree" [] [] (State ns h) = Done (VRef (List.length h)) (State ns (h ++ more)) /\
    tree_in own (List.length h) (Tree Q [] 0 0 0) (h ++ more) /\ forall m, In m own -> List.length h <= m.
Proof.
  destruct (an_empty_tree n ns h) as [E T]. cbv zeta in *. do 2 eexists. split; [exact E|].
  split; [eexists; split; [reflexivity|]; split; [|exact T]; reflexivity|].
  intros m Hm. cbn in Hm. lia.
Qed.

(** Claim [python-text]. [Tree.add] adds a leaf to the program's tree. *)
Theorem the_text_adds_a_leaf n ns h own l (tr : tree) m x :
  tree_in own l tr h -> node_in h m x -> h_of x <= List.length (levels tr) ->
  exists h' own', call (S (S (S (S n)))) (Some (VRef l)) "add" [VRef m] [] (State ns h) = Done VNone (State ns h') /\
    tree_in own' l (add tr x) h' /\ keeps own h h' /\ grows own h own' [m].
Proof.
  intros (p & -> & -> & T) Hm Hx. destruct (add_to_a_tree n ns h p tr m x T Hm Hx) as (h' & E & p' & T' & B).
  destruct (hidden T B T') as (own' & R). exists h', own'. now split.
Qed.

(** Claim [python-text]. [Tree.replace] takes the least leaf of a class out of the program's tree, and adds the children. *)
Theorem the_text_replaces_a_leaf n ns h own l (tr : tree) m x c ms xs :
  tree_in own l tr h -> node_in h m x -> nth_error h c = Some (ListObject (map VRef ms)) -> Forall2 (node_in h) ms xs ->
  ~ In c own -> h_of x < List.length (levels tr) -> In (nrm_of x) (map fst (heaps (level_at (h_of x) tr))) ->
  0 < leaf_count tr -> Forall (fun y => h_of y <= List.length (levels tr)) xs ->
  exists h' own', call (S (S (S (S (S n))))) (Some (VRef l)) "replace" [VRef m; VRef c] [] (State ns h)
    = Done VNone (State ns h') /\
    tree_in own' l (replace tr (x, xs)) h' /\ keeps own h h' /\ grows own h own' ms.
Proof.
  intros (p & -> & -> & T) Hm Hc Hms Nc Hx Hr Hl Hd.
  destruct (replace_in_a_tree n ns h p tr m x c ms xs T Hm Hc Hms) as (h' & E & p' & T' & B); auto.
  { intros Hin. apply Nc, in_or_app. now left. }
  destruct (hidden T B T') as (own' & R). exists h', own'. now split.
Qed.

(** Claim [python-text]. [Tree.least] is the least f-star of a depth in the program, or a float equal to it. *)
Theorem the_text_finds_the_least n ns h own l (tr : tree) k :
  tree_in own l tr h -> k < List.length (levels tr) ->
  exists h' own' f, call (S (S (S n))) (Some (VRef l)) "least" [VInt (Z.of_nat k)] [] (State ns h)
    = Done (VFloat f) (State ns h') /\
    Program.equal (less F) f (fst (least_f_star (level_at k tr))) = true /\
    tree_in own' l (with_level k (snd (least_f_star (level_at k tr))) tr) h' /\ keeps own h h' /\ grows own h own' [].
Proof.
  intros (p & -> & -> & T) Hk. destruct (level_of_tree h p tr k T Hk) as (lpa & lp & lpb & lva & lv & lvb & LO).
  pose proof (item_of_a_level T LO) as (items & P2 & Pl & Pn).
  pose proof (the_tree T) as P1. unfold tree_object in P1. rewrite (level_at_is LO).
  destruct (the_text_finds_the_least_of_a_level n [(str "self", Some (VRef (at_tree p))); (str "h", Some (VInt (Z.of_nat k)))] h lp lv
              (it_in LO) (its_places_differ LO)) as (v & h' & E & (f & -> & Ef) & lp' & L' & B).
  destruct (tree_with_level T LO L' B) as [T' B'].
  destruct (hidden T B' T') as (own' & R). exists h', own', f. split; [|split; [|exact R]].
  - apply wp_equal. run_method. run. rewrite Pl, Pn. run. eapply wp_is_done; [exact E|]. run. split; reflexivity.
  - rewrite <- Ef. unfold Program.equal. apply andb_comm.
Qed.

(** Claim [python-text]. [Tree.norm_classes] lists the program's heaps of a depth, each by its list, whose first element is its first node. *)
Theorem the_text_lists_the_classes n ns h own l (tr : tree) k :
  tree_in own l tr h -> k < List.length (levels tr) ->
  exists h' own' s rs, call (S (S (S n))) (Some (VRef l)) "norm_classes" [VInt (Z.of_nat k)] [] (State ns h)
    = Done (VRef s) (State ns h') /\
    In s own' /\ nth_error h' s = Some (ListObject (map VRef rs)) /\
    tree_in own' l (with_level k (snd (classes_of (level_at k tr))) tr) h' /\ keeps own h h' /\ grows own h own' [] /\
    Forall2 (fun r q => exists m x rest, In r own' /\ In m own' /\ nth_error h' r = Some (ListObject (VRef m :: rest)) /\
               node_in h' m x /\ first Q q = Some x) rs (fst (classes_of (level_at k tr))).
Proof.
  intros (p & -> & -> & T) Hk. destruct (level_of_tree h p tr k T Hk) as (lpa & lp & lpb & lva & lv & lvb & LO).
  pose proof (item_of_a_level T LO) as (items & P2 & Pl & Pn).
  pose proof (the_tree T) as P1. unfold tree_object in P1. rewrite (level_at_is LO).
  destruct (the_text_lists_the_classes_of_a_level n [(str "self", Some (VRef (at_tree p))); (str "h", Some (VInt (Z.of_nat k)))] h lp lv
              (it_in LO) (its_places_differ LO)) as (v & h' & E & s & lp' & -> & Es & L' & B).
  destruct (tree_with_level T LO L' B) as [T' B'].
  set (p' := TreePlaces _ _ _) in T', B'.
  pose proof (without_places F H correct order h p tr _ h' p' _ T B' T') as (R1 & R2 & R3).
  pose proof L' as [_ K Hh]. rewrite Es in K. destruct K as [K1 K2]. destruct Hh as [_ _ Hs _ Ne].
  assert (Own : forall m, In m (owned_by_level lp' ++ nodes_of_level lp') -> In m (footprint p')).
  { intros m Hm. unfold footprint, owned_by_tree, nodes_of_tree. cbn [p' levels_at at_tree at_levels].
    rewrite !flat_map_app, !in_app_iff.
    cbn [In flat_map]. rewrite !in_app_iff. apply in_app_or in Hm. tauto. }
  exists h', (footprint p'), s, (map at_list (heaps_at lp')).
  split; [|split; [|split; [|split; [exact R1|split; [exact R2|split; [exact R3|]]]]]].
  - apply wp_equal. run_method. run. rewrite Pl, Pn. run. eapply wp_is_done; [exact E|]. run. split; reflexivity.
  - apply Own, in_or_app. left. unfold owned_by_level. rewrite Es. do 3 right. now left.
  - rewrite K1. unfold list_of_heaps. now rewrite map_map.
  - assert (Eq : fst (classes_of lv) = map snd (heaps (snd (classes_of lv)))).
    { unfold classes_of in *. destruct (snapshot lv) as [qs|] eqn:Ek; cbn [fst snd heaps snapshot] in *; [|reflexivity].
      rewrite Ek in K2. now injection K2. }
    rewrite Eq.
    assert (Each : forall q c, In q (heaps_at lp') -> heap_in h' q c -> snd c <> [] ->
      exists m x rest, In (at_list q) (footprint p') /\ In m (footprint p') /\
      nth_error h' (at_list q) = Some (ListObject (VRef m :: rest)) /\ node_in h' m x /\ first Q (snd c) = Some x).
    { intros q [r cq] Hq (_ & El & Nodes) Nq. cbn [snd] in *. destruct cq as [|x xs]; [easy|].
      inversion Nodes as [|m x' ms xs' Hm Hms En Ex]. subst.
      exists m, x, (map VRef ms).
      split; [apply Own, in_or_app; left; do 3 right; apply in_or_app; right; now apply in_map|].
      split; [apply Own, in_or_app; right; apply in_flat_map; exists q; split; [exact Hq|]; rewrite <- En; now left|].
      rewrite El, <- En. now repeat split. }
    assert (All : forall ps cs, Forall2 (heap_in h') ps cs -> Forall (fun c => snd c <> []) cs -> incl ps (heaps_at lp') ->
      Forall2 (fun r q => exists m x rest, In r (footprint p') /\ In m (footprint p') /\
        nth_error h' r = Some (ListObject (VRef m :: rest)) /\
                 node_in h' m x /\ first Q q = Some x) (map at_list ps) (map snd cs)).
    { clear - Each. induction 1 as [|q c ps cs Hq _ IH]; intros Ne Sub; [constructor|]. apply Forall_cons_iff in Ne.
      cbn [map].
      constructor; [apply Each; [apply Sub; now left|exact Hq|apply Ne]|]. apply IH; [apply Ne|]. intros q' Hq'.
      apply Sub. now right. }
    apply (All _ _ Hs Ne). apply incl_refl.
Qed.

End TextOfTree.
