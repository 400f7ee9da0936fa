(** * hunter.py: the functions that [hunt] calls.

    The theorems are about [hunter_py] of SearchText.v, and each is an equation, as in TextOfNode.v. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lattice Model Nodes PythonNodes PythonSyntax Python SearchText PythonRules TextOfNode
  GeneratorRules.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.

(** The attribute of a named tuple. *)
Lemma wp_tuple_attribute {F : floats} modules k bases b decorators items a v (s : state F) (Q : value F -> state F -> Prop) :
  find_class k modules = Some (bases, b, decorators) -> find a (combine (first_names (fields_of b)) items) = Some v ->
  Q v s -> wp (get_attribute modules (VTuple k items) a) s Q.
Proof. unfold wp, get_attribute. now intros -> ->. Qed.

Lemma wp_make_named_tuple {F : floats} modules c cm n k b vs kws items (s : state F) (Q : value F -> state F -> Prop) :
  find_class k modules = Some ([Name "NamedTuple"], b, []) -> find_function "__init__" b = None ->
  wp (isolated (by_position modules c cm (fields_of b) [] vs kws)) s (fun xs s' => map snd (values_of xs) = items /\ s' = s) ->
  Q (VTuple k items) s -> wp (make_instance modules c cm n k vs kws) s Q.
Proof.
  intros Hc Hi Hp HQ. eapply wp_make_tuple; [exact Hc|exact Hi|]. eapply wp_weaken; [exact Hp|]. now intros xs s' [<- ->].
Qed.

Ltac tuple_attribute :=
  lazymatch goal with
  | |- wp (get_attribute ?m (VTuple ?k ?items) ?a) ?s ?Q =>
      with_class k m ltac:(fun bases body decorators =>
        eapply (wp_tuple_attribute m k bases body decorators items a _ s Q); [vm_compute; reflexivity|reflexivity|]; cbv beta iota)
  end.
Ltac run := repeat lazymatch goal with |- wp (get_attribute _ (VTuple _ _) _) _ _ => tuple_attribute | _ => step end.
Ltac run_tuple :=
  lazymatch goal with
  | |- wp (call ?m (S ?n) None ?k ?vs ?kws) ?s ?Q =>
      with_class k m ltac:(fun bases body decorators =>
        apply (wp_call_class m n k (bases, body, decorators) vs kws s Q); [vm_compute; reflexivity|vm_compute; reflexivity|];
        eapply (wp_make_named_tuple m _ _ n k body);
          [vm_compute; reflexivity|vm_compute; reflexivity
          |run; cbn [objects locals values_of map snd]; split; reflexivity|]; cbv beta iota)
  end.

Section TextOfHunter.

Context (F : floats) (cfg : settings).

Local Notation d := (dimension cfg).
Local Notation node := (leaf (float F)).
Local Notation call := (call search_py).
Local Notation str s := (s%string) (only parsing).

(** ** Line 6 *)

Definition nu_value (nu : option (float F)) : value F := match nu with None => VNone | Some w => VFloat w end.

(** Claim [python-text]. [is_below] decides line 6: f-star < nu_min, strictly; everything is below the first nu_min. *)
Theorem the_text_decides_as_line_6 n f nu ns h :
  call (S n) None "is_below" [VFloat f; nu_value nu] [] (State ns h) = Done (VBool (below (less F) f nu)) (State ns h).
Proof. apply wp_equal. run_function. destruct nu; cbn [nu_value]; run; split; reflexivity. Qed.

(** ** Line 9 *)

(** A node and its place in the store. *)
Definition placed : Type := nat * node.
Definition in_store (h : store F) (xs : list placed) : Prop :=
  forall p x, In (p, x) xs -> nth_error h p = Some (node_object F cfg x).
Definition references (xs : list placed) : list (value F) := map (fun px => VRef (fst px)) xs.

(** The nodes that are evaluated, and the request of one. *)
Definition wanted (xs : list placed) : list placed := filter (fun px => may_be_evaluated F cfg (snd px)) xs.
Definition evaluation_value (px : placed) : value F :=
  VTuple "Evaluation" [VRef (fst px); VInt (Z.of_nat (S (count (snd px))))].

Lemma wanted_are_requests leaf xs :
  map (fun px => (snd px, S (count (snd px)))) (wanted xs) = requests F cfg (leaf, map snd xs).
Proof.
  unfold requests, wanted. cbn [snd]. induction xs as [|[p x] xs IH]; [reflexivity|]. cbn [filter map snd].
  destruct (may_be_evaluated F cfg x); cbn [map snd]; now rewrite IH.
Qed.

(** Claim [python-text]. [_evaluations] makes the list of the children that may be evaluated, in their order, each with the number of its evaluation. *)
Theorem the_text_requests_evaluations n leaf l xs p cap side f ns h :
  (0 < d)%nat -> nth_error h p = Some (settings_object F cfg cap side f) ->
  nth_error h cap = Some (fraction F (cap_num cfg) (cap_den cfg)) ->
  nth_error h l = Some (ListObject (references xs)) -> in_store h xs ->
  call (S (S n)) None "_evaluations" [VTuple "Expansion" [leaf; VRef l]; VRef p] [] (State ns h) =
  Done (VRef (List.length h)) (State ns (h ++ [ListObject (map evaluation_value (wanted xs))])).
Proof.
  intros Hd Hp Hcap Hl Hxs. apply wp_equal. run_function. run.
  apply wp_gather with
    (f := fun px => if may_be_evaluated F cfg (snd px) then Some (evaluation_value px) else None)
    (inv := fun s' => exists a, s' = State [(str "child", a); (str "expansion", Some (VTuple "Expansion" [leaf; VRef l]));
                                            (str "settings", Some (VRef p))] h).
  - intros s' (a & ->). unfold elements, bind, get_object. cbn [objects]. now rewrite Hl.
  - intros [q x] s' Hx (a & ->). cbn [fst snd]. specialize (Hxs q x Hx). run.
    eapply wp_is_done; [now apply (the_text_decides_as_line_9 F cfg n q p x cap side f)|]. run.
    unfold TextOfNode.node_object in Hxs. set (cx := int_tuple F (numerators (half cfg) d (place x))) in *. unfold node_with in Hxs.
    destruct (may_be_evaluated F cfg x); run.
    + run_tuple. run. split; [|now eexists]. unfold evaluation_value. cbn [fst snd]. do 5 f_equal. lia.
    + split; [reflexivity|now eexists].
  - now eexists.
  - intros s' (a & ->). cbn [objects]. run. cbn [objects]. split; [reflexivity|]. do 4 f_equal.
    unfold kept, wanted. clear. induction xs as [|[q x] xs IH]; [reflexivity|]. cbn [flat_map filter snd].
    destruct (may_be_evaluated F cfg x); cbn [app map]; now rewrite IH.
Qed.

(** ** Values *)

Definition visit_object (tree : value F) (sweep t l : Z) (expansions evaluations : nat) : object F :=
  Instance "Visit" [(str "tree", tree); (str "sweep", VInt sweep); (str "t", VInt t); (str "l", VInt l);
                    (str "expansions", VRef expansions); (str "evaluations", VRef evaluations)].

(** A list or a tuple of floats. *)
Definition are_floats (h : store F) (v : value F) (xs : list (float F)) : Prop :=
  forall ns, elements v (State ns h) = Done (map VFloat xs) (State ns h).

(** min (a, b). *)
Definition least (a b : float F) : float F := smaller (less F) b a.

(** The store after the nodes have been given their values. *)
Definition record_one (h : store F) (r : placed * float F) : store F :=
  replace_at (fst (fst r)) (node_object F cfg (recorded F (snd (fst r)) (snd r))) h.
Fixpoint record_all (h : store F) (rs : list (placed * float F)) : store F :=
  match rs with [] => h | r :: rest => record_all (record_one h r) rest end.

Lemma record_all_app h rs rs' : record_all h (rs ++ rs') = record_all (record_all h rs) rs'.
Proof. revert h; induction rs as [|r rs IH]; intros h; [reflexivity|]. apply IH. Qed.

Lemma record_all_elsewhere rs h m : ~ In m (map (fun r : placed * float F => fst (fst r)) rs) ->
  nth_error (record_all h rs) m = nth_error h m.
Proof.
  revert h; induction rs as [|[[p x] v] rs IH]; intros h Hm; [reflexivity|]. cbn [record_all map fst In] in *.
  rewrite IH by tauto. unfold record_one. cbn [fst snd].
  rewrite nth_error_replace_at. replace (p =? m)%nat with false; [reflexivity|]. symmetry. apply Nat.eqb_neq. tauto.
Qed.

Lemma length_record_all rs h : List.length (record_all h rs) = List.length h.
Proof. revert h; induction rs as [|r rs IH]; intros h; [reflexivity|]. cbn [record_all]. rewrite IH. apply length_replace_at. Qed.

Lemma zipped_is (xs : list placed) (vs : list (float F)) :
  zipped (map evaluation_value xs) (map VFloat vs) =
  map (fun r => VTuple "tuple" [evaluation_value (fst r); VFloat (snd r)]) (combine xs vs).
Proof.
  revert vs; induction xs as [|x xs IH]; intros [|v vs]; try reflexivity. cbn [map zipped combine fst snd]. now rewrite IH.
Qed.

(** Claim [python-text]. [record] gives each node its value, adds one to its count, and returns the least value so far. *)
Theorem the_text_records_values n visit tree sweep t l expansions evaluations v best asked values ns h :
  nth_error h visit = Some (visit_object tree sweep t l expansions evaluations) ->
  nth_error h evaluations = Some (ListObject (map evaluation_value asked)) ->
  are_floats h v values -> List.length values = List.length asked ->
  in_store h asked -> NoDup (map fst asked) ->
  call (S (S n)) None "record" [VRef visit; v; VFloat best] [] (State ns h) =
  Done (VFloat (fold_left least values best)) (State ns (record_all h (combine asked values))).
Proof.
  intros Hvisit Heval Hv Hlen Hin Hnd. apply wp_equal. run_function. unfold visit_object in Hvisit. run. run_builtin. run.
  eapply wp_is_done; [apply Hv|]. rewrite !map_length, <- Hlen, Nat.eqb_refl. run.
  rewrite zipped_is. set (pairs := combine asked values).
  match goal with |- wp (loop (VTuple _ ?xs) _ _ _) _ _ => set (items := xs) end.
  assert (Hn : List.length pairs = List.length values) by (unfold pairs; rewrite combine_length; lia).
  apply wp_loop_over_tuple with (inv := fun i s' => exists a b c, s' = State
    [(str "visit", Some (VRef visit)); (str "values", Some v);
     (str "best", Some (VFloat (fold_left least (firstn i values) best))); (str "node", a); (str "_", b); (str "value", c)]
    (record_all h (firstn i pairs))).
  - intros i item s' Hi (a & b & c & ->). unfold items in Hi. rewrite nth_error_map in Hi.
    destruct (nth_error pairs i) as [[[p x] w]|] eqn:Ei; [|discriminate]. injection Hi as <-. cbn [fst snd].
    assert (Hsplit : firstn (S i) pairs = firstn i pairs ++ [((p, x), w)] /\
                     firstn (S i) values = firstn i values ++ [w] /\ In (p, x) asked /\
                     ~ In p (map (fun r : placed * float F => fst (fst r)) (firstn i pairs))).
    { clear - Ei Hnd Hlen. unfold pairs in *. clear pairs. revert i values Hlen Ei. induction asked as [|[q y] asked' IH]; intros [|i] [|u values] Hlen Ei;
        try discriminate Ei; try discriminate Hlen; cbn [combine nth_error firstn map fst] in *.
      - injection Ei as -> -> ->. cbn. tauto.
      - apply NoDup_cons_iff in Hnd. destruct Hnd as [Hq Hnd]. injection Hlen as Hlen.
        destruct (IH Hnd i values Hlen Ei) as (E1 & E2 & E3 & E4). cbn [combine firstn] in E1, E4 |- *.
        rewrite E1, E2. cbn [app map fst In]. repeat split; try reflexivity; [now right|].
        intros [->|Hp]; [|now apply E4]. apply Hq. now apply (in_map fst _ _ E3). }
    destruct Hsplit as (E1 & E2 & E3 & E4).
    pose proof (Hin p x E3) as Hx. rewrite <- (record_all_elsewhere _ h p E4) in Hx.
    unfold evaluation_value. cbn [fst snd].
    unfold TextOfNode.node_object in Hx. set (cx := int_tuple F (numerators (half cfg) d (place x))) in *. unfold node_with in Hx.
    set (h' := record_all h (firstn i pairs)) in *. set (best' := fold_left _ _ _) in *.
    assert (Hput : forall o, nth_error (replace_at p o h') p = Some o)
      by (intros o; now rewrite nth_error_replace_at, Nat.eqb_refl, Hx).
    run. run_builtin. run.
    eapply wp_get_object; [apply Hput|]. run. eapply wp_get_object; [apply Hput|]. run. run_builtin. run.
    split; [reflexivity|]. do 3 eexists. rewrite E1, E2, fold_left_app, record_all_app.
    fold h'. fold best'. cbn [fold_left record_all]. unfold record_one. cbn [fst snd].
    rewrite replace_at_twice. unfold TextOfNode.node_object, recorded. cbn [depth place norm Model.best Model.count]. fold cx. unfold node_with.
    f_equal; [|do 9 f_equal].
    + do 6 f_equal. unfold least, smaller. now destruct (less F w best').
    + unfold least, smaller. now destruct (less F w (Model.best x)).
    + do 2 f_equal. lia.
  - do 3 eexists. reflexivity.
  - intros s' (a & b & c & ->). unfold items. rewrite map_length, Hn, firstn_all, firstn_all2 by lia. run.
    split; reflexivity.
Qed.

End TextOfHunter.
