(** * Rules for what the interpreter does.

    [wp m s Q]: from state s, [m] ends with a value, and Q holds of the value and the state then.  So it raises nothing
    and does not yield.  The tactics run the interpreter on the text, one step after the other. *)

From Coq Require Import List ZArith String Bool Lia.
From EmbeddedHunter Require Import PythonSyntax Python.
Import ListNotations.
Open Scope list_scope.

(** ** Lists *)

Lemma replace_at_app {A} (h rest : list A) o o' : replace_at (List.length h) o' (h ++ o :: rest) = h ++ o' :: rest.
Proof. induction h as [|x h IH]; [reflexivity|]. cbn [List.length replace_at app]. now rewrite IH. Qed.

Lemma replace_at_app_later {A} (h rest : list A) i o : replace_at (List.length h + i) o (h ++ rest) = h ++ replace_at i o rest.
Proof. induction h as [|x h IH]; [reflexivity|]. cbn [List.length replace_at app Nat.add]. now rewrite IH. Qed.

Lemma nth_error_replace_at {A} (h : list A) l m o :
  nth_error (replace_at l o h) m = if (l =? m)%nat then match nth_error h m with Some _ => Some o | None => None end
                                   else nth_error h m.
Proof.
  revert l m; induction h as [|x h IH]; intros l m.
  - destruct l, m; cbn; try reflexivity; now destruct (l =? m)%nat.
  - destruct l as [|l], m as [|m]; try reflexivity. cbn [replace_at nth_error Nat.eqb]. apply IH.
Qed.

Lemma length_replace_at {A} (h : list A) l o : List.length (replace_at l o h) = List.length h.
Proof. revert l; induction h as [|x h IH]; intros [|l]; try reflexivity. cbn [replace_at List.length]. now rewrite IH. Qed.

Lemma replace_at_twice {A} (h : list A) l o o' : replace_at l o (replace_at l o' h) = replace_at l o h.
Proof. revert l; induction h as [|x h IH]; intros [|l]; try reflexivity. cbn [replace_at]. now rewrite IH. Qed.

Lemma same_elements {A} (xs ys : list A) : (forall i, nth_error xs i = nth_error ys i) -> xs = ys.
Proof.
  revert ys; induction xs as [|x xs IH]; intros [|y ys] E; try reflexivity; [discriminate (E 0%nat)|discriminate (E 0%nat)|].
  f_equal; [now injection (E 0%nat)|]. apply IH. intros i. exact (E (S i)).
Qed.

Lemma nth_error_app_here {A} (h rest : list A) o : nth_error (h ++ o :: rest) (List.length h) = Some o.
Proof. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. Qed.

Lemma nth_error_app_later {A} (h rest : list A) i : nth_error (h ++ rest) (List.length h + i) = nth_error rest i.
Proof. rewrite nth_error_app2 by lia. now replace (List.length h + i - List.length h)%nat with i by lia. Qed.

Lemma nth_error_app_old {A} (h rest : list A) l o : nth_error h l = Some o -> nth_error (h ++ rest) l = Some o.
Proof. intros E. rewrite nth_error_app1; [exact E|]. apply nth_error_Some. congruence. Qed.

Lemma nth_error_replaced {A} (h : list A) l o o' : nth_error h l = Some o' -> nth_error (replace_at l o h) l = Some o.
Proof. intros E. now rewrite nth_error_replace_at, Nat.eqb_refl, E. Qed.

Lemma nth_error_replaced_apart {A} (h : list A) l m o o' :
  l <> m -> nth_error h m = Some o -> nth_error (replace_at l o' h) m = Some o.
Proof. intros N E. rewrite nth_error_replace_at. now rewrite (proj2 (Nat.eqb_neq l m) N). Qed.

Section Stores.

Context {A : Type}.

(** [same_but ms h h']: of the objects of h only those at the places [ms] may have changed. *)
Definition same_but (ms : list nat) (h h' : list A) : Prop :=
  (List.length h <= List.length h')%nat /\
  forall m, (m < List.length h)%nat -> ~ In m ms -> nth_error h' m = nth_error h m.

Lemma same_but_refl ms h : same_but ms h h.
Proof. now split. Qed.

Lemma same_but_trans ms h h' h'' : same_but ms h h' -> same_but ms h' h'' -> same_but ms h h''.
Proof. intros [L1 E1] [L2 E2]. split; [lia|]. intros m Hm Hn. rewrite E2, E1 by (try lia; auto). reflexivity. Qed.

Lemma same_but_weaken ms ms' h h' : incl ms ms' -> same_but ms h h' -> same_but ms' h h'.
Proof. intros Hi [L E]. split; [exact L|]. intros m Hm Hn. apply E; auto. Qed.

Lemma same_but_app ms h more : same_but ms h (h ++ more).
Proof. split; [rewrite app_length; lia|]. intros m Hm _. now rewrite nth_error_app1. Qed.

Lemma same_but_replace ms h l o : In l ms -> same_but ms h (replace_at l o h).
Proof.
  intros Hl. split; [now rewrite length_replace_at|]. intros m Hm Hn. rewrite nth_error_replace_at.
  destruct (Nat.eqb_spec l m) as [->|N]; [contradiction|reflexivity].
Qed.

(** Putting back what is there. *)
Lemma replace_at_same (h : list A) l o : nth_error h l = Some o -> replace_at l o h = h.
Proof.
  intros E. apply same_elements. intros m. rewrite nth_error_replace_at.
  destruct (Nat.eqb_spec l m) as [->|N]; [now rewrite E|reflexivity].
Qed.

Lemma same_but_get ms h h' m o : same_but ms h h' -> nth_error h m = Some o -> ~ In m ms -> nth_error h' m = Some o.
Proof.
  intros [L E] Hm Hn. rewrite E; auto. apply nth_error_Some. congruence.
Qed.

Lemma in_bounds (h : list A) m o : nth_error h m = Some o -> (m < List.length h)%nat.
Proof. intros E. apply nth_error_Some. congruence. Qed.

Lemma combine_map_fst {B} (xs : list A) (ys : list B) : List.length ys = List.length xs -> map fst (combine xs ys) = xs.
Proof. revert ys; induction xs as [|x xs IH]; intros [|y ys] E; try discriminate E; [reflexivity|]. cbn. rewrite IH; auto. Qed.

Lemma combine_map_snd {B} (xs : list A) (ys : list B) : List.length ys = List.length xs -> map snd (combine xs ys) = ys.
Proof. revert ys; induction xs as [|x xs IH]; intros [|y ys] E; try discriminate E; [reflexivity|]. cbn. rewrite IH; auto. Qed.

End Stores.

Lemma position_of_nat j n : (j < n)%nat -> position (Z.of_nat j) n = Some j.
Proof.
  intros Hj. unfold position. replace (Z.of_nat j <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia).
  replace ((0 <=? Z.of_nat j) && (Z.of_nat j <? Z.of_nat n))%Z with true; [now rewrite Nat2Z.id|].
  symmetry. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia.
Qed.

Lemma bound_of_nat j n : bound (Z.of_nat j) n = Nat.min n j.
Proof. unfold bound. replace (Z.of_nat j <? 0)%Z with false by (symmetry; apply Z.ltb_ge; lia). lia. Qed.

Section Rules.

Context {F : floats}.

Definition wp {A} (m : M F A) (s : state F) (Q : A -> state F -> Prop) : Prop :=
  match m s with Done a s' => Q a s' | _ => False end.

Lemma wp_done {A} (m : M F A) s Q : wp m s Q -> exists a s', m s = Done a s' /\ Q a s'.
Proof. unfold wp. destruct (m s) as [a s'| |]; [|easy|easy]. intros HQ. now exists a, s'. Qed.

Lemma wp_is_done {A} (m : M F A) s a s' (Q : A -> state F -> Prop) : m s = Done a s' -> Q a s' -> wp m s Q.
Proof. unfold wp. now intros ->. Qed.

Lemma wp_equal {A} (m : M F A) s a s' : wp m s (fun b t => b = a /\ t = s') -> m s = Done a s'.
Proof. unfold wp. destruct (m s) as [b t| |]; [|easy|easy]. now intros [-> ->]. Qed.

Lemma wp_ret {A} (a : A) s (Q : A -> state F -> Prop) : Q a s -> wp (ret a) s Q.
Proof. exact (fun HQ => HQ). Qed.

Lemma wp_bind {A B} (m : M F A) (f : A -> M F B) s Q : wp m s (fun a s' => wp (f a) s' Q) -> wp (bind m f) s Q.
Proof. unfold wp, bind. destruct (m s) as [a s'| |]; easy. Qed.

Lemma wp_weaken {A} (m : M F A) s (P Q : A -> state F -> Prop) :
  wp m s P -> (forall a s', P a s' -> Q a s') -> wp m s Q.
Proof. unfold wp. destruct (m s) as [a s'| |]; auto. Qed.

Lemma wp_get_name x v n h (Q : value F -> state F -> Prop) : find x n = Some (Some v) -> Q v (State n h) -> wp (get_name x) (State n h) Q.
Proof. unfold wp, get_name. cbn [locals]. now intros ->. Qed.

Lemma wp_get_global x n h (Q : value F -> state F -> Prop) : find x n = None -> Q (VGlobal x) (State n h) -> wp (get_name x) (State n h) Q.
Proof. unfold wp, get_name. cbn [locals]. now intros ->. Qed.

Lemma wp_set_name x v n n' h (Q : unit -> state F -> Prop) :
  update x (Some v) n = Some n' -> Q tt (State n' h) -> wp (set_name x v) (State n h) Q.
Proof. unfold wp, set_name. cbn [locals objects]. now intros ->. Qed.

Lemma wp_get_object l o n h (Q : object F -> state F -> Prop) : nth_error h l = Some o -> Q o (State n h) -> wp (get_object l) (State n h) Q.
Proof. unfold wp, get_object. cbn [objects]. now intros ->. Qed.

Lemma wp_set_object l o n h (Q : unit -> state F -> Prop) : Q tt (State n (replace_at l o h)) -> wp (set_object l o) (State n h) Q.
Proof. exact (fun HQ => HQ). Qed.

Lemma wp_new_object o n h (Q : value F -> state F -> Prop) : Q (VRef (List.length h)) (State n (h ++ [o])) -> wp (new_object o) (State n h) Q.
Proof. exact (fun HQ => HQ). Qed.

Lemma wp_isolated {A} (m : M F A) n h (Q : A -> state F -> Prop) :
  wp m (State [] h) (fun v s' => Q v (State n (objects s'))) -> wp (isolated m) (State n h) Q.
Proof. unfold wp, isolated. cbn [locals objects]. destruct (m (State [] h)) as [v s'| |]; easy. Qed.

Lemma wp_within {A} xs (m : M F A) n h (Q : A -> state F -> Prop) :
  wp m (State (unbound xs ++ n) h) (fun v s' => Q v (State n (objects s'))) -> wp (within xs m) (State n h) Q.
Proof. unfold wp, within. cbn [locals objects]. destruct (m (State (unbound xs ++ n) h)) as [v s'| |]; easy. Qed.

Lemma wp_enter ps body n n' h (Q : unit -> state F -> Prop) :
  joined ps (unbound (not_among (flat_map assigned body) (first_names ps))) = n' -> Q tt (State n' h) ->
  wp (enter ps body) (State n h) Q.
Proof. unfold wp, enter. cbn [objects]. now intros ->. Qed.

(** ** Calls *)

Context (modules : list stmt).

Lemma wp_call_function n f a body vs kws s (Q : value F -> state F -> Prop) :
  find_function f modules = Some (a, body) ->
  wp (run_function modules (call modules n None) (fun v => call modules n (Some v)) n a body vs kws) s Q ->
  wp (call modules (S n) None f vs kws) s Q.
Proof.
  unfold wp. cbn [call]. intros ->. unfold sealed.
  destruct (run_function _ _ _ _ _ _ _ _ _) as [v s'| |]; easy.
Qed.

Lemma wp_call_class n c b vs kws s (Q : value F -> state F -> Prop) :
  find_function c modules = None -> find_class c modules = Some b ->
  wp (make_instance modules (call modules n None) (fun v => call modules n (Some v)) n c vs kws) s Q ->
  wp (call modules (S n) None c vs kws) s Q.
Proof.
  unfold wp. cbn [call]. intros -> ->. unfold sealed.
  destruct (make_instance _ _ _ _ _ _ _ _) as [v s'| |]; easy.
Qed.

(** a < b, for [insort]. *)
Definition less_than (n : nat) (a b : value F) : M F bool :=
  match a with
  | VRef _ => bind (call modules n (Some a) "__lt__" [b] []) (fun v => match v with VBool c => ret c | _ => raise "TypeError" end)
  | _ => compare Lt a b
  end.

Lemma wp_call_builtin n f vs kws s (Q : value F -> state F -> Prop) :
  find_function f modules = None -> find_class f modules = None ->
  wp (builtin (less_than n) f vs kws) s Q -> wp (call modules (S n) None f vs kws) s Q.
Proof. unfold wp. cbn [call]. now intros -> ->. Qed.

Lemma wp_call_module n m f vs kws s (Q : value F -> state F -> Prop) :
  wp (builtin (less_than n) (m ++ "." ++ f)%string vs kws) s Q ->
  wp (call modules (S n) (Some (VGlobal m)) f vs kws) s Q.
Proof. exact (fun HQ => HQ). Qed.

Lemma wp_call_method n l c fields f a body vs kws ns h (Q : value F -> state F -> Prop) :
  nth_error h l = Some (Instance c fields) -> method modules c f = Some (a, body) ->
  wp (run_function modules (call modules n None) (fun v => call modules n (Some v)) n a body (VRef l :: vs) kws)
     (State ns h) Q ->
  wp (call modules (S n) (Some (VRef l)) f vs kws) (State ns h) Q.
Proof.
  unfold wp. cbn [call]. unfold bind, get_object. cbn [objects]. intros ->. cbn [bind_result]. intros ->.
  unfold sealed. destruct (run_function _ _ _ _ _ _ _ _ _) as [v s'| |]; easy.
Qed.

Lemma wp_call_list_method n l items f vs kws ns h (Q : value F -> state F -> Prop) :
  nth_error h l = Some (ListObject items) ->
  wp (builtin_method l (ListObject items) f vs kws) (State ns h) Q ->
  wp (call modules (S n) (Some (VRef l)) f vs kws) (State ns h) Q.
Proof. unfold wp. cbn [call]. unfold bind, get_object. cbn [objects]. now intros ->. Qed.

Lemma wp_call_dict_method n l items f vs kws ns h (Q : value F -> state F -> Prop) :
  nth_error h l = Some (DictObject items) ->
  wp (builtin_method l (DictObject items) f vs kws) (State ns h) Q ->
  wp (call modules (S n) (Some (VRef l)) f vs kws) (State ns h) Q.
Proof. unfold wp. cbn [call]. unfold bind, get_object. cbn [objects]. now intros ->. Qed.

Lemma wp_make_object c cm n k b es ks vs kws s (Q : value F -> state F -> Prop) :
  find_class k modules = Some ([], b, [Call (Name "dataclass") es ks]) -> find_function "__init__" b = None ->
  wp (isolated (by_position modules c cm (fields_of b) [] vs kws)) s
     (fun xs s' => wp (new_object (Instance k (values_of xs))) s' Q) ->
  wp (make_instance modules c cm n k vs kws) s Q.
Proof. unfold make_instance. intros -> -> HQ. apply wp_bind. exact HQ. Qed.

Lemma wp_make_by_init c cm n k b a init vs kws ns h (Q : value F -> state F -> Prop) :
  find_class k modules = Some ([], b, []) -> find_function "__init__" b = Some (a, init) ->
  wp (run_function modules c cm n a init (VRef (List.length h) :: vs) kws) (State ns (h ++ [Instance k []]))
     (fun _ s' => Q (VRef (List.length h)) s') ->
  wp (make_instance modules c cm n k vs kws) (State ns h) Q.
Proof.
  unfold make_instance. intros -> -> HQ. apply wp_bind, wp_new_object, wp_bind.
  eapply wp_weaken; [exact HQ|]. intros a0 s' E. now apply wp_ret.
Qed.

Lemma wp_make_tuple c cm n k b vs kws s (Q : value F -> state F -> Prop) :
  find_class k modules = Some ([Name "NamedTuple"], b, []) -> find_function "__init__" b = None ->
  wp (isolated (by_position modules c cm (fields_of b) [] vs kws)) s
     (fun xs s' => Q (VTuple k (map snd (values_of xs))) s') ->
  wp (make_instance modules c cm n k vs kws) s Q.
Proof. unfold make_instance. intros -> -> HQ. apply wp_bind. exact HQ. Qed.

End Rules.

(** ** Running the interpreter *)

Ltac lookup := cbv [find update String.eqb Ascii.eqb Bool.eqb]; reflexivity.

(** One function of the interpreter unfolded, where it is what happens now. *)
Ltac now_is m b :=
  match goal with |- wp _ ?s ?Q => change_no_check (wp b s Q) end.

Ltac small m :=
  let b := eval cbv beta iota zeta delta
    [literal eval_integer eval_optional eval_truth eval_element eval_comprehension eval_index eval_by exec_by delete
     augment get_attribute set_attribute truth compare operate plain elements operate_in_place get_item get_slice set_item
     delete_item delete_slice builtin builtin_method answer make_instance run_function bound_names
     set_field find update find_class find_function combine first_names fields_of negb andb
     String.eqb Ascii.eqb Bool.eqb String.append int_of] in m in
  now_is m b.
Ltac medium m := let b := eval cbn [eval_items eval_keywords exec_all assign assign_all by_keyword by_position] in m in now_is m b.

Ltac object :=
  first [eassumption
        |match goal with Hold : forall rest, nth_error (_ ++ rest) _ = Some _ |- _ => apply Hold end
        |reflexivity].

Ltac step :=
  lazymatch goal with
  | |- wp (bind _ _) _ _ => apply wp_bind
  | |- wp (ret _) _ _ => apply wp_ret; cbv beta iota
  | |- wp (eval ?m ?c ?cm ?e) ?s ?Q =>
      let b := eval cbv beta iota zeta delta [eval_by] in (eval_by m c cm (eval m c cm) e) in change_no_check (wp b s Q)
  | |- wp (exec ?m ?c ?cm ?n ?e) ?s ?Q =>
      let b := eval cbv beta iota zeta delta [exec_by] in (exec_by m c cm n (exec m c cm n) e) in change_no_check (wp b s Q)
  | |- wp (get_name _) _ _ =>
      first [eapply wp_get_name; [lookup|] | apply wp_get_global; [lookup|]]; cbv beta iota
  | |- wp (set_name _ _) _ _ => eapply wp_set_name; [lookup|]; cbv beta iota
  | |- wp (get_object _) _ _ => eapply wp_get_object; [object|]; cbv beta iota
  | |- wp (set_object _ _) _ _ => apply wp_set_object; cbv beta iota
  | |- wp (new_object _) _ _ => apply wp_new_object; cbv beta iota
  | |- wp (isolated _) _ _ => apply wp_isolated
  | |- wp (within _ _) _ _ => apply wp_within; cbn [unbound map app]
  | |- wp (enter ?ps ?body) (@State ?F ?n ?h) ?Q =>
      let bound := eval cbv [first_names] in (first_names ps) in
      let more := eval vm_compute in (@unbound F (not_among (flat_map assigned body) bound)) in
      let n' := eval cbv [joined] in (joined ps more) in
      apply (wp_enter ps body n n' h Q); [reflexivity|]; cbv beta iota
  | |- wp (eval_items _ _) _ _ => progress (match goal with |- wp ?m _ _ => medium m end)
  | |- wp (eval_keywords _ _) _ _ => progress (match goal with |- wp ?m _ _ => medium m end)
  | |- wp (exec_all _ _) _ _ => progress (match goal with |- wp ?m _ _ => medium m end)
  | |- wp (assign _ _ _) _ _ => progress (match goal with |- wp ?m _ _ => medium m end)
  | |- wp (assign_all _ _ _) _ _ => progress (match goal with |- wp ?m _ _ => medium m end)
  | |- wp (by_keyword ?m ?c ?cm ?ps ?kws) _ _ =>
      let b := eval cbv beta iota zeta delta [by_keyword find String.eqb Ascii.eqb Bool.eqb] in (by_keyword m c cm ps kws)
      in now_is (by_keyword m c cm ps kws) b
  | |- wp (by_position ?m ?c ?cm ?ps ?only ?vs ?kws) _ _ =>
      let ps' := eval vm_compute in ps in let only' := eval vm_compute in only in
      let b := eval cbv beta iota zeta delta [by_position forallb existsb fst first_names joined String.eqb Ascii.eqb Bool.eqb orb andb]
        in (by_position m c cm ps' only' vs kws) in
      now_is (by_position m c cm ps only vs kws) b
  | |- wp (if (Z.ltb (Zpos ?p) Z0) then _ else _) _ _ => change (Z.ltb (Zpos p) Z0) with false
  | |- wp (if (Z.eqb (Zpos ?p) Z0) then _ else _) _ _ => change (Z.eqb (Zpos p) Z0) with false
  | |- wp (if true then _ else _) _ _ => cbv iota
  | |- wp (if false then _ else _) _ _ => cbv iota
  | |- wp (call _ _ _ _ _ _) _ _ => fail
  | |- wp ?m _ _ => progress (small m)
  end.

(** What lies at a place of a store that has been written to, or has grown. *)
Ltac look :=
  first [eassumption
        |eapply nth_error_replaced; look
        |eapply nth_error_replaced_apart; [solve [assumption | apply not_eq_sym; assumption | lia]|look]
        |apply nth_error_app_here
        |eapply nth_error_app_old; look].
Ltac run := repeat first [step | eapply wp_get_object; [look|]; cbv beta iota].

(** The call of something in the text: what is called, and with it the values of its parameters.  It is found before the
    rule is applied, as evars in a large context would make [vm_compute] slow. *)
Ltac run_method :=
  eapply wp_call_method;
  [eassumption
  |lazymatch goal with |- ?found = _ => let r := eval vm_compute in found in exact (eq_refl r <: found = r) end
  |].
Ltac run_function :=
  lazymatch goal with
  | |- wp (call ?m (S ?n) None ?f ?vs ?kws) ?s ?Q =>
      let r := eval vm_compute in (find_function f m) in
      lazymatch r with Some (?a, ?body) => apply (wp_call_function m n f a body vs kws s Q); [vm_compute; reflexivity|] end
  end.
Ltac run_builtin := apply wp_call_builtin; [vm_compute; reflexivity|vm_compute; reflexivity|].
Ltac with_class k modules tactic :=
  let r := eval vm_compute in (find_class k modules) in
  lazymatch r with Some (?bases, ?body, ?decorators) => tactic bases body decorators end.
Ltac run_dataclass :=
  lazymatch goal with
  | |- wp (call ?m (S ?n) None ?k ?vs ?kws) ?s ?Q =>
      with_class k m ltac:(fun bases body decorators =>
        apply (wp_call_class m n k (bases, body, decorators) vs kws s Q); [vm_compute; reflexivity|vm_compute; reflexivity|];
        eapply (wp_make_object m _ _ n k body); [vm_compute; reflexivity|vm_compute; reflexivity|])
  end.
Ltac run_object := run_dataclass; repeat step; cbn [objects locals values_of].
