(** * node.py: each function of the text computes what PythonNodes.v, or the lattice, says.

    The theorems are about [node_py] of SearchText.v, for every store in which the arguments lie.  An equation
    [call ... = Done v s'] says that the call ends with the value v and the state s', so it raises no exception, and [s']
    says all that it has changed. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lattice Geometry Norms ChildNorms Model Nodes PythonNodes.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules GeneratorRules.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfNode.

Context (F : floats) (cfg : settings).

Local Notation d := (dimension cfg).
Local Notation big_K := (Z.of_nat (K (half cfg))).
Local Notation node := (leaf (float F)).
Local Notation numerators := (numerators (half cfg) d).
Local Notation call := (call search_py).
Local Notation str s := (s%string) (only parsing).

(** ** What lies in the store *)

Definition int_tuple (zs : list Z) : value F := VTuple "tuple" (map VInt zs).

Definition node_with (h i : Z) (c : value F) (nrm : Z) (f : float F) (evaluations : Z) : object F :=
  Instance "Node" [(str "h", VInt h); (str "i", VInt i); (str "c", c); (str "nrm", VInt nrm);
                   (str "f_star", VFloat f); (str "evaluations", VInt evaluations)].

Definition node_object (x : node) : object F :=
  node_with (Z.of_nat (depth x)) (Z.of_nat (index (half cfg) (place x))) (int_tuple (numerators (place x))) (norm x) (best x)
            (Z.of_nat (count x)).

(** Settings, with the places of two fractions: the cap (2 R M)^2, and the side 2 R. *)
Definition settings_object (cap side : nat) (side_as_float : float F) : object F :=
  Instance "Settings" [(str "d", VInt (Z.of_nat d)); (str "K", VInt big_K); (str "v", VInt (Z.of_nat (budget cfg)));
                       (str "h_max", VInt (Z.of_nat (h_max cfg))); (str "cap", VRef cap); (str "side", VRef side);
                       (str "side_as_float", VFloat side_as_float)].
Definition fraction (numerator denominator : Z) : object F :=
  Instance "Fraction" [(str "numerator", VInt numerator); (str "denominator", VInt denominator)].

(** ** Arithmetic *)

Lemma rounds_is h : (0 < d)%nat -> - (- Z.of_nat h / Z.of_nat d) = Z.of_nat (rounds d h).
Proof.
  intros Hd. unfold rounds. rewrite Nat2Z.inj_div. replace (Z.of_nat (h + d - 1)) with (Z.of_nat h + Z.of_nat d - 1) by lia.
  set (a := Z.of_nat h). set (b := Z.of_nat d). assert (0 < b) by (unfold b; lia).
  pose proof (Z.div_mod (- a) b ltac:(lia)). pose proof (Z.mod_pos_bound (- a) b ltac:(lia)).
  apply (Z.div_unique _ _ _ (b - 1 - (- a) mod b)); nia.
Qed.

(** ** The theorems *)

(** Claim [python-text]. The order of nodes in the text: by f-star, ties by the least index. *)
Theorem the_text_orders_nodes_by_line_5 n l m x y ns h :
  nth_error h l = Some (node_object x) -> nth_error h m = Some (node_object y) ->
  call (S n) (Some (VRef l)) "__lt__" [VRef m] [] (State ns h) = Done (VBool (before F cfg x y)) (State ns h).
Proof.
  intros Hx Hy. apply wp_equal. run_method. unfold node_object in *.
  set (cx := int_tuple (numerators (place x))) in *. set (cy := int_tuple (numerators (place y))) in *. unfold node_with in *.
  repeat step. unfold before.
  destruct (equal F (best x) (best y)); repeat step; split; try reflexivity. f_equal.
  destruct (Nat.ltb_spec (index (half cfg) (place x)) (index (half cfg) (place y))); [apply Z.ltb_lt|apply Z.ltb_ge]; lia.
Qed.

(** Claim [python-text]. [root] makes the root, before its evaluation. *)
Theorem the_text_makes_the_root n ns h :
  (0 < d)%nat -> call (S (S n)) None "root" [VInt (Z.of_nat d)] [] (State ns h) =
  Done (VRef (List.length h)) (State ns (h ++ [node_object (root F cfg)])).
Proof.
  intros Hd. apply wp_equal. run_function. repeat step. run_object. repeat step. cbn [objects].
  split; [reflexivity|]. do 3 f_equal. unfold node_object, node_with, root, new_leaf.
  cbn [depth place norm best count index Datatypes.length numerators].
  assert (N : Nrm (half cfg) d [] = 0).
  { rewrite (Nrm_is (half cfg) d Hd), <- (Z.mul_0_r (Z.of_nat d)), <- (sum_below_const d Hd). apply sum_below_ext.
    intros j _. now rewrite num_nil. }
  rewrite N, Nat2Z.id. do 4 f_equal. unfold int_tuple. do 3 f_equal.
  generalize d. intros n'. induction n' as [|n' IH]; [reflexivity|]. cbn [repeated repeat map app]. now rewrite <- IH.
Qed.

(** Claim [python-text]. [may_be_evaluated] decides line 9: whether the past evaluations are at most M ||y||. *)
Theorem the_text_decides_as_line_9 n l p x cap side f ns h :
  (0 < d)%nat -> nth_error h l = Some (node_object x) -> nth_error h p = Some (settings_object cap side f) ->
  nth_error h cap = Some (fraction (cap_num cfg) (cap_den cfg)) ->
  call (S n) None "may_be_evaluated" [VRef l; VRef p] [] (State ns h) =
  Done (VBool (may_be_evaluated F cfg x)) (State ns h).
Proof.
  intros Hd Hx Hp Hcap. apply wp_equal. run_function.
  unfold node_object, node_with, settings_object, fraction in *. set (cx := int_tuple _) in *.
  repeat step. unfold may_be_evaluated, within_cap.
  destruct (Z.eqb_spec (Z.of_nat (count x)) 0) as [E|E].
  - replace (count x =? 0)%nat with true by (symmetry; apply Nat.eqb_eq; lia). repeat step. split; reflexivity.
  - replace (count x =? 0)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
    repeat step. replace (Z.of_nat d =? 0) with false by (symmetry; apply Z.eqb_neq; lia). repeat step.
    rewrite (rounds_is _ Hd).
    replace (2 * Z.of_nat (rounds d (depth x)) <? 0) with false by (symmetry; apply Z.ltb_ge; lia).
    repeat step. split; [|reflexivity]. f_equal. rewrite Z.pow_2_r. reflexivity.
Qed.

(** The child with a digit, with its f-star and its count. *)
Definition child (x : node) (c : nat) (f : float F) (n : nat) : node := new_leaf cfg (c :: place x) f n.

Lemma child_object x c f n : (0 < d)%nat -> proper F cfg x ->
  let j := (depth x mod d)%nat in
  let at_j := big_K * nth j (numerators (place x)) 0 in
  let scaled := if (j =? 0)%nat then norm x * big_K * big_K else norm x in
  let numerator := at_j + Z.of_nat c - Z.of_nat (half cfg) in
  node_object (child x c f n) =
  node_with (Z.of_nat (S (depth x))) (Z.of_nat (K (half cfg) * index (half cfg) (place x) + c))
    (int_tuple (firstn j (numerators (place x)) ++ numerator :: skipn (S j) (numerators (place x))))
    (scaled - at_j * at_j + numerator * numerator) f (Z.of_nat n).
Proof.
  intros Hd Hx. unfold proper in Hx. unfold node_object, child, new_leaf. cbn [depth place norm best count index numerators].
  rewrite Hx. cbn [depth place norm best count new_leaf Datatypes.length].
  rewrite (norms_of_children_from_the_norm_of_the_parent (half cfg) d Hd).
  rewrite split_coordinate_is by (rewrite length_numerators; apply Nat.mod_upper_bound; lia). reflexivity.
Qed.

(** Claim [python-text]. [children] makes a new list of new nodes, the children before their evaluations, and changes nothing else. *)
Theorem the_text_makes_the_children n l x ns h :
  (0 < d)%nat -> proper F cfg x -> nth_error h l = Some (node_object x) ->
  call (S (S n)) None "children" [VRef l; VInt big_K] [] (State ns h) =
  Done (VRef (List.length h))
       (State ns (h ++ ListObject (map VRef (seq (S (List.length h)) (K (half cfg)))) ::
                       map node_object (offspring F cfg x))).
Proof.
  intros Hd Hp Hx. apply wp_equal. run_function.
  set (is_child := child_object x). specialize (fun c f n => is_child c f n Hd Hp). cbv zeta in is_child.
  set (c_x := numerators (place x)) in *. set (i_x := index (half cfg) (place x)) in *.
  remember (map (@VInt F) c_x) as cs eqn:Ecs.
  assert (is_x : node_object x = node_with (Z.of_nat (depth x)) (Z.of_nat i_x) (VTuple "tuple" cs) (norm x) (best x) (Z.of_nat (count x)))
    by (subst cs; reflexivity).
  rewrite is_x in Hx. unfold node_with in Hx, is_x.
  assert (Hc : List.length c_x = d) by apply length_numerators.
  assert (Hcs : List.length cs = d) by (subst cs; now rewrite map_length).
  set (j := (depth x mod d)%nat). assert (Hj : (j < d)%nat) by (apply Nat.mod_upper_bound; lia).
  repeat step. run_builtin. repeat step. rewrite Hcs.
  replace (Z.of_nat d =? 0) with false by (symmetry; apply Z.eqb_neq; lia). repeat step.
  rewrite <- Nat2Z.inj_mod. fold j. rewrite Hcs, bound_of_nat, Nat.min_r, Nat.sub_0_r by lia. cbn [skipn].
  rewrite position_of_nat by exact Hj.
  assert (Hat : nth_error cs j = Some (VInt (nth j c_x 0))).
  { subst cs. rewrite nth_error_map, (nth_error_nth' _ 0) by lia. reflexivity. }
  rewrite Hat. repeat step.
  replace (Z.of_nat j + 1) with (Z.of_nat (S j)) by lia. rewrite bound_of_nat, Hcs, Nat.min_r by lia.
  rewrite (firstn_all2 (skipn (S j) cs)) by (rewrite skipn_length; lia).
  set (before := firstn j cs). set (after := skipn (S j) cs). set (at_j := big_K * nth j c_x 0).
  set (scaled := if (j =? 0)%nat then norm x * big_K * big_K else norm x).
  match goal with |- wp _ ?s0 _ => apply wp_weaken with (P := fun a s' => a = VInt scaled /\ s' = s0) end.
  { unfold scaled. replace (Z.of_nat j =? 0) with (j =? 0)%nat.
    - destruct (j =? 0)%nat; repeat step; split; reflexivity.
    - destruct (Nat.eqb_spec j 0); symmetry; [apply Z.eqb_eq|apply Z.eqb_neq]; lia. }
  intros a s' [-> ->]. repeat step. run_builtin. repeat step.
  rewrite Nat2Z.id.
  set (L := List.length h).
  pose (state_of := fun (a b c : option (value F)) (objs : store F) => @State F
         [(str "parent", Some (VRef l)); (str "K", Some (VInt big_K)); (str "h", Some (VInt (Z.of_nat (depth x))));
          (str "c", Some (VTuple "tuple" cs)); (str "center", Some (VInt (big_K / 2))); (str "j", Some (VInt (Z.of_nat j)));
          (str "before", Some (VTuple "tuple" before)); (str "at", Some (VInt at_j)); (str "after", Some (VTuple "tuple" after));
          (str "others", Some (VInt (scaled - at_j * at_j))); (str "nodes", Some (VRef L));
          (str "digit", a); (str "numerator", b); (str "nrm", c)] objs).
  pose (objs := fun i => h ++ ListObject (map VRef (seq (S L) i)) :: map node_object (map (fun c => child x c (Python.infinity F) 0) (seq 0 i))).
  apply wp_loop_over_tuple with (inv := fun i s' => exists a b c, s' = state_of a b c (objs i)).
  - intros i v s' Hv (a & b & c & ->). unfold integers in Hv. rewrite nth_error_map in Hv.
    destruct (nth_error (seq 0 (K (half cfg))) i) as [i'|] eqn:Ei; [|discriminate]. cbn [option_map] in Hv.
    injection Hv as <-.
    assert (Hi : (i < K (half cfg))%nat) by (rewrite <- (seq_length (K (half cfg)) 0); apply nth_error_Some; congruence).
    rewrite (nth_error_nth' _ 0%nat), seq_nth in Ei by (rewrite ?seq_length; lia). injection Ei as <-. cbn [Nat.add].
    unfold state_of. assert (Hold : nth_error (objs i) l = Some (node_object x)).
    { unfold objs. apply nth_error_app_old. now rewrite is_x. }
    rewrite is_x in Hold.
    repeat step. run_object. repeat step.
    eapply wp_call_list_method; [unfold objs; rewrite <- app_assoc; apply nth_error_app_here|].
    repeat step. split; [reflexivity|]. do 3 eexists. unfold state_of. f_equal.
    unfold objs. rewrite <- app_assoc. cbn [app]. unfold L at 1. rewrite replace_at_app.
    rewrite !seq_S, !map_app. cbn [map Nat.add]. f_equal. f_equal.
    + do 4 f_equal. rewrite app_length. cbn [List.length]. rewrite !map_length, seq_length. unfold L. lia.
    + f_equal. f_equal. rewrite is_child. fold j. fold at_j. fold scaled. unfold node_with, int_tuple.
      replace (big_K / 2) with (Z.of_nat (half cfg)).
      2:{ unfold K. rewrite Nat2Z.inj_add, Nat2Z.inj_mul. apply (Z.div_unique _ _ _ 1); lia. }
      rewrite map_app. cbn [map]. rewrite <- firstn_map, <- skipn_map, <- Ecs. fold before. fold after. rewrite app_nil_r.
      rewrite !Nat2Z.inj_add, Nat2Z.inj_mul, Nat2Z.inj_succ. reflexivity.
  - exists None, None, None. unfold state_of, objs. cbn [seq map]. reflexivity.
  - intros s' (a & b & c & ->). unfold state_of.
    assert (Hlen : List.length (integers (F := F) (K (half cfg))) = K (half cfg)) by (unfold integers; now rewrite map_length, seq_length).
    rewrite Hlen. set (n_K := K (half cfg)) in *. set (k := half cfg) in *.
    assert (Hk : (k < n_K)%nat) by (unfold n_K, K; fold k; lia).
    assert (Hcenter : Z.of_nat n_K / 2 = Z.of_nat k).
    { unfold n_K, K. fold k. rewrite Nat2Z.inj_add, Nat2Z.inj_mul. symmetry. apply (Z.div_unique _ _ _ 1); lia. }
    assert (Hold : forall rest, nth_error (h ++ rest) l = Some (node_object x)).
    { intros rest. apply nth_error_app_old. now rewrite is_x. }
    rewrite (is_x) in Hold.
    unfold objs. set (nodes := map node_object (map (fun c => child x c (Python.infinity F) 0) (seq 0 n_K))).
    assert (Hnth : nth_error (map (@VRef F) (seq (S L) n_K)) k = Some (VRef (L + S k))).
    { rewrite nth_error_map, (nth_error_nth' _ 0%nat), seq_nth by (rewrite ?seq_length; lia). cbn [option_map].
      do 2 f_equal. lia. }
    assert (Hnode : nth_error nodes k = Some (node_object (child x k (Python.infinity F) 0))).
    { unfold nodes. rewrite map_map, nth_error_map, (nth_error_nth' _ 0%nat), seq_nth by (rewrite ?seq_length; lia).
      reflexivity. }
    rewrite is_child in Hnode. fold j at_j scaled in Hnode. unfold node_with in Hnode.
    assert (Hput : forall o rest, replace_at (L + S k) o (h ++ rest) = h ++ replace_at (S k) o rest)
      by (intros; apply replace_at_app_later).
    match type of Hnode with context [int_tuple ?c] => set (c_k := int_tuple c) in Hnode end.
    repeat step. eapply wp_get_object; [apply nth_error_app_here|]. cbv beta iota.
    rewrite map_length, seq_length, Hcenter, position_of_nat, Hnth by exact Hk.
    repeat step. eapply wp_get_object; [unfold L; rewrite nth_error_app_later; cbn [nth_error]; exact Hnode|].
    repeat step. rewrite Hput. cbn [replace_at].
    repeat step. eapply wp_get_object; [apply nth_error_app_here|]. cbv beta iota.
    rewrite map_length, seq_length, position_of_nat, Hnth by exact Hk.
    repeat step. eapply wp_get_object.
    { unfold L; rewrite nth_error_app_later; cbn [nth_error]. rewrite nth_error_replace_at, Nat.eqb_refl, Hnode. reflexivity. }
    repeat step. rewrite Hput. cbn [replace_at]. rewrite replace_at_twice.
    repeat step. cbn [objects]. split; [reflexivity|]. f_equal. f_equal. f_equal.
    apply same_elements. intros m. rewrite nth_error_replace_at. unfold nodes, offspring. fold k. fold n_K.
    rewrite !map_map, !nth_error_map.
    destruct (nth_error (seq 0 n_K) m) as [m'|] eqn:Em; [|now destruct (k =? m)%nat]. 
    assert (m' = m) as ->.
    { assert (m < n_K)%nat by (rewrite <- (seq_length n_K 0); apply nth_error_Some; congruence).
      rewrite (nth_error_nth' _ 0%nat), seq_nth in Em by (rewrite ?seq_length; lia). now injection Em. }
    cbn [option_map]. rewrite (Nat.eqb_sym m k).
    change (new_leaf cfg (m :: place x) ?f ?n) with (child x m f n).
    destruct (Nat.eqb_spec k m) as [<-|Hm]; rewrite !is_child; reflexivity.
Qed.

(** ** Exact points and norms *)

Lemma repeated_is n (v : value F) : repeated n [v] = repeat v n.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [repeated repeat app]. now rewrite IH. Qed.

Lemma repeat_is {A} (a : A) i n : repeat a n = map (fun _ => a) (seq i n).
Proof. revert i; induction n as [|n IH]; intros i; [reflexivity|]. cbn [repeat seq map]. now rewrite <- IH. Qed.

Definition splits_tuple (h : nat) : value F := int_tuple (map (fun j => Z.of_nat (splits d h j)) (seq 0 d)).

(** Claim [python-text]. [splits] counts how often each coordinate was split. *)
Theorem the_text_counts_splits n h ns objs :
  (0 < d)%nat ->
  call (S (S n)) None "splits" [VInt (Z.of_nat h); VInt (Z.of_nat d)] [] (State ns objs) =
  Done (splits_tuple h) (State ns objs).
Proof.
  intros Hd. apply wp_equal. run_function. repeat step. run_builtin. repeat step.
  replace (Z.of_nat d =? 0) with false by (symmetry; apply Z.eqb_neq; lia). repeat step.
  split; [|reflexivity]. unfold splits_tuple, int_tuple. f_equal. rewrite !repeated_is.
  set (extra := (h mod d)%nat). assert (extra < d)%nat by (apply Nat.mod_upper_bound; lia).
  rewrite <- Nat2Z.inj_mod, <- Nat2Z.inj_div, <- Nat2Z.inj_sub, !Nat2Z.id by (fold extra; lia). fold extra.
  replace (seq 0 d) with (seq 0 extra ++ seq extra (d - extra))
    by (rewrite <- seq_app; f_equal; lia).
  rewrite !map_app, !map_map. f_equal.
  - rewrite (repeat_is _ 0). apply map_ext_in. intros j Hj%in_seq. unfold splits. fold extra.
    replace (j <? extra)%nat with true by (symmetry; apply Nat.ltb_lt; lia). f_equal. lia.
  - rewrite (repeat_is _ extra). apply map_ext_in. intros j Hj%in_seq. unfold splits. fold extra.
    replace (j <? extra)%nat with false by (symmetry; apply Nat.ltb_ge; lia). f_equal. lia.
Qed.

(** Claim [python-text]. [norm] is the side times the root of Nrm / K^(2m), each operation on floats as Python has it. *)
Theorem the_text_computes_the_norm n l p x cap side f ns h :
  (0 < d)%nat -> nth_error h l = Some (node_object x) -> nth_error h p = Some (settings_object cap side f) ->
  finite F (norm x) (big_K ^ (2 * Z.of_nat (rounds d (depth x)))) = true ->
  call (S (S n)) None "norm" [VRef l; VRef p] [] (State ns h) =
  Done (VFloat (product F f (square_root F (quotient F (norm x) (big_K ^ (2 * Z.of_nat (rounds d (depth x)))))))) (State ns h).
Proof.
  intros Hd Hx Hp Hf. apply wp_equal. run_function.
  unfold node_object, node_with, settings_object in *. set (cx := int_tuple _) in *.
  repeat step. replace (Z.of_nat d =? 0) with false by (symmetry; apply Z.eqb_neq; lia). repeat step.
  rewrite (rounds_is _ Hd).
  replace (2 * Z.of_nat (rounds d (depth x)) <? 0) with false by (symmetry; apply Z.ltb_ge; lia).
  repeat step.
  replace (big_K ^ (2 * Z.of_nat (rounds d (depth x))) =? 0) with false.
  2:{ symmetry. apply Z.eqb_neq, Z.pow_nonzero; unfold K; lia. }
  rewrite Hf. repeat step. apply wp_call_module. repeat step. split; reflexivity.
Qed.

(** Claim [python-text]. The denominators of a base point are the powers of K. *)
Theorem the_text_computes_denominators n h ns objs :
  (0 < d)%nat ->
  call (S (S (S n))) None "_denominators" [VInt (Z.of_nat h); VInt (Z.of_nat d); VInt big_K] [] (State ns objs) =
  Done (int_tuple (map (fun j => big_K ^ Z.of_nat (splits d h j)) (seq 0 d))) (State ns objs).
Proof.
  intros Hd. apply wp_equal. run_function. repeat step.
  eapply wp_is_done; [now apply the_text_counts_splits|]. unfold splits_tuple, int_tuple.
  set (ss := map (fun j => Z.of_nat (splits d h j)) (seq 0 d)). remember (map VInt ss) as vs eqn:Evs. repeat step.
  apply wp_gather_over_tuple with (f := fun v => match v with VInt s => VInt (big_K ^ s) | _ => v end)
    (inv := fun s' => exists a, s' = State [(str "s", a); (str "h", Some (VInt (Z.of_nat h)));
                                            (str "d", Some (VInt (Z.of_nat d))); (str "K", Some (VInt big_K))] objs).
  - intros v s' Hv (a & ->). subst vs ss. rewrite map_map in Hv.
    apply in_map_iff in Hv. destruct Hv as (j & <- & _).
    repeat step. replace (Z.of_nat (splits d h j) <? 0) with false by (symmetry; apply Z.ltb_ge; lia). repeat step.
    split; [reflexivity|]. now eexists.
  - now eexists.
  - intros s' (a & ->). cbn [objects]. repeat step. run_builtin. repeat step. split; [|reflexivity].
    f_equal. subst vs ss. rewrite !map_map. reflexivity.
Qed.

(** Claim [python-text]. [base_point] divides the exact numerator of each coordinate by its exact denominator, once. *)
Theorem the_text_computes_base_points n l p x cap side f a b ns h :
  (0 < d)%nat -> 0 < b ->
  nth_error h l = Some (node_object x) -> nth_error h p = Some (settings_object cap side f) ->
  nth_error h side = Some (fraction a b) ->
  (forall cj, In cj (combine (numerators (place x)) (seq 0 d)) ->
    finite F (a * fst cj) (b * big_K ^ Z.of_nat (splits d (depth x) (snd cj))) = true) ->
  exists more,
  call (S (S (S (S n)))) None "base_point" [VRef l; VRef p] [] (State ns h) =
  Done (VTuple "tuple" (map (fun cj => VFloat (quotient F (a * fst cj) (b * big_K ^ Z.of_nat (splits d (depth x) (snd cj)))))
                            (combine (numerators (place x)) (seq 0 d)))) (State ns (h ++ more)).
Proof.
  intros Hd Hb Hx Hp Hside Hf.
  set (points := map _ _). exists [ListObject points]. apply wp_equal. run_function.
  unfold node_object, node_with, settings_object, fraction, int_tuple in *. remember (map VInt (numerators (place x))) as cs eqn:Ecs.
  repeat step. eapply wp_is_done; [now apply the_text_computes_denominators|]. unfold int_tuple.
  set (ds := map (fun j => big_K ^ Z.of_nat (splits d (depth x) j)) (seq 0 d)). remember (map VInt ds) as dv eqn:Edv.
  assert (Hlen : List.length cs = List.length dv) by (subst; unfold ds; now rewrite !map_length, seq_length, length_numerators).
  repeat step. run_builtin. repeat step. rewrite Hlen, Nat.eqb_refl. repeat step.
  apply wp_gather_over_tuple with
    (f := fun v => match v with VTuple _ [VInt c; VInt k] => VFloat (quotient F (a * c) (b * k)) | _ => v end)
    (inv := fun s' => exists u v, s' = State [(str "c", u); (str "k", v); (str "node", Some (VRef l));
       (str "settings", Some (VRef p)); (str "side", Some (VRef side)); (str "denominators", Some (VTuple "tuple" dv));
       (str "numerator", Some (VInt a)); (str "denominator", Some (VInt b))] h).
  - intros v s' Hv (u & w & ->).
    assert (Hv' : exists c k, v = VTuple "tuple" [VInt c; VInt k] /\ 0 < k /\ finite F (a * c) (b * k) = true).
    { subst cs dv. unfold ds in Hv. clear - Hv Hf. revert Hv Hf. generalize (seq 0 d). generalize (numerators (place x)).
      induction l as [|c cs IH]; intros [|i is] Hin Hf; try contradiction Hin. destruct Hin as [<-|Hin].
      - exists c, (big_K ^ Z.of_nat (splits d (depth x) i)). split; [reflexivity|].
        split; [apply Z.pow_pos_nonneg; unfold K; lia|exact (Hf (c, i) (or_introl eq_refl))].
      - apply (IH is Hin). intros cj Hcj. apply Hf. now right. }
    destruct Hv' as (c & k & -> & Hk & Hfin). repeat step.
    replace (b * k =? 0) with false by (symmetry; apply Z.eqb_neq; nia). rewrite Hfin. repeat step.
    split; [reflexivity|]. do 2 eexists. reflexivity.
  - now do 2 eexists.
  - intros s' (u & w & ->). cbn [objects]. 
    match goal with |- context [map ?f0 (zipped cs dv)] => replace (map f0 (zipped cs dv)) with points end.
    + repeat step. run_builtin. repeat step. eapply wp_get_object; [apply nth_error_app_here|]. repeat step.
      cbn [objects]. split; reflexivity.
    + unfold points. subst cs dv. clear. unfold ds. generalize (seq 0 d). intros is. revert is.
      induction (numerators (place x)) as [|c cs IH]; intros [|i is]; try reflexivity. cbn [map combine zipped fst snd]. now rewrite IH.
Qed.

End TextOfNode.
