(** * Rules for a function that yields, and for loops.

    [goes] is [wp] (PythonRules.v) for a program that also yields.  The caller is described by two relations: [shows v h what]:
    the value v, yielded with the store h, shows the caller [what]; [sends what h x h']: the caller may send back x,
    and leave the store as h'.  [log] is the list of all that has been shown, the latest first.  So
    [goes m log s Q] says: whatever the caller sends, [m] ends, and Q holds of all that was shown, of the value, and of the state then. *)

From Coq Require Import List ZArith String Bool Lia.
From EmbeddedHunter Require Import PythonSyntax Python PythonRules.
Import ListNotations.
Open Scope list_scope.

Section GeneratorRules.

Context {F : floats} {seen : Type}.
Context (shows : value F -> store F -> seen -> Prop) (sends : seen -> store F -> value F -> store F -> Prop).

Inductive ends {A} (Q : list seen -> A -> state F -> Prop) : list seen -> result F A -> Prop :=
| ends_now log a s : Q log a s -> ends Q log (Done a s)
| ends_later log v h resume what :
    shows v h what -> (forall x h', sends what h x h' -> ends Q (what :: log) (resume x h')) ->
    ends Q log (Yielded v h resume).

Definition goes {A} (m : M F A) (log : list seen) (s : state F) (Q : list seen -> A -> state F -> Prop) : Prop :=
  ends Q log (m s).

Lemma ends_weaken {A} (P Q : list seen -> A -> state F -> Prop) log r :
  ends P log r -> (forall log' a s, P log' a s -> Q log' a s) -> ends Q log r.
Proof. intros H HQ. induction H; [constructor; auto|]. eapply ends_later; eauto. Qed.

Lemma ends_bind {A B} (f : A -> M F B) (Q : list seen -> B -> state F -> Prop) log r :
  ends (fun log' a s => ends Q log' (f a s)) log r -> ends Q log (bind_result r f).
Proof. intros H. induction H; [assumption|]. cbn [bind_result]. eapply ends_later; eauto. Qed.

Lemma goes_weaken {A} (m : M F A) log s (P Q : list seen -> A -> state F -> Prop) :
  goes m log s P -> (forall log' a s', P log' a s' -> Q log' a s') -> goes m log s Q.
Proof. apply ends_weaken. Qed.

Lemma goes_bind {A B} (m : M F A) (f : A -> M F B) log s (Q : list seen -> B -> state F -> Prop) :
  goes m log s (fun log' a s' => goes (f a) log' s' Q) -> goes (bind m f) log s Q.
Proof. apply ends_bind. Qed.

(** What does not yield. *)
Lemma goes_wp {A} (m : M F A) log s (Q : list seen -> A -> state F -> Prop) : wp m s (fun a s' => Q log a s') -> goes m log s Q.
Proof. intros (a & s' & E & HQ)%wp_done. unfold goes. rewrite E. now constructor. Qed.

Lemma goes_bind_wp {A B} (m : M F A) (f : A -> M F B) log s (Q : list seen -> B -> state F -> Prop) :
  wp m s (fun a s' => goes (f a) log s' Q) -> goes (bind m f) log s Q.
Proof. intros H. apply goes_bind, goes_wp, H. Qed.

Lemma goes_yield v n h log (Q : list seen -> value F -> state F -> Prop) what :
  shows v h what -> (forall x h', sends what h x h' -> Q (what :: log) x (State n h')) ->
  goes (fun s => Yielded v (objects s) (fun x h => Done x (State (locals s) h))) log (State n h) Q.
Proof. intros Hv HQ. eapply ends_later; [exact Hv|]. intros x h' Hs. constructor. now apply HQ. Qed.

Lemma goes_isolated {A} (m : M F A) n h log (Q : list seen -> A -> state F -> Prop) :
  goes m log (State [] h) (fun log' v s' => Q log' v (State n (objects s'))) -> goes (isolated m) log (State n h) Q.
Proof. intros H. apply ends_bind. eapply ends_weaken; [exact H|]. intros log' v s' HQ. now constructor. Qed.

(** ** Statements one after the other *)

Lemma goes_exec_app exec xs ys log s (Q : list seen -> flow F -> state F -> Prop) :
  goes (exec_all exec xs) log s (fun log' how s' => how = Next /\ goes (exec_all exec ys) log' s' Q) ->
  goes (exec_all exec (xs ++ ys)) log s Q.
Proof.
  revert log s; induction xs as [|x xs IH]; intros log s H; cbn [app exec_all] in *.
  - inversion H; subst. tauto.
  - apply ends_bind. unfold goes, bind in H. revert log H. generalize (exec x s). clear x s.
    induction r as [how s| |v h resume IHr]; cbn [bind_result]; intros log H.
    + constructor. destruct how; [now apply IH| |]; inversion H; subst; easy.
    + inversion H.
    + inversion H; subst. eapply ends_later; [eassumption|]. auto.
Qed.

(** ** Loops *)

(** A loop over a list or a tuple, which stays as it is.  [inv i]: i turns are made; [out]: it was left. *)
Lemma goes_loop v items body (inv : nat -> list seen -> state F -> Prop) (out : list seen -> state F -> Prop) log s
  (Q : list seen -> flow F -> state F -> Prop) :
  (forall i log' s', inv i log' s' -> elements v s' = Done items s') ->
  (forall i x log' s', nth_error items i = Some x -> inv i log' s' ->
     goes (body x) log' s' (fun log'' how t => (how = Next /\ inv (S i) log'' t) \/ (how = Broken /\ out log'' t))) ->
  inv 0%nat log s -> (forall log' s', inv (List.length items) log' s' \/ out log' s' -> Q log' Next s') ->
  goes (loop v body 0 (List.length items)) log s Q.
Proof.
  intros Hv Hbody H0 HQ.
  enough (E : forall n i log' s', (i + n)%nat = List.length items -> inv i log' s' -> goes (loop v body i n) log' s' Q)
    by now apply E.
  induction n as [|n IH]; intros i log' s' Hn Hi; cbn [loop]; apply goes_bind_wp.
  - eapply wp_is_done; [eapply Hv, Hi|]. replace (List.length items =? i)%nat with true by (symmetry; apply Nat.eqb_eq; lia).
    apply goes_wp, wp_ret, HQ. left. now replace (List.length items) with i by lia.
  - destruct (nth_error items i) as [x|] eqn:Ex; [|apply nth_error_None in Ex; lia].
    apply wp_bind. eapply wp_is_done; [eapply Hv, Hi|]. rewrite Ex. apply wp_ret, goes_bind.
    eapply goes_weaken; [now apply (Hbody i)|]. cbv beta. intros log'' how t [[-> Ht]|[-> Ht]].
    + apply IH; [lia|exact Ht].
    + apply goes_wp, wp_ret, HQ. now right.
Qed.

(** A loop that takes at most n turns from where [inv n] holds. *)
Lemma goes_while fuel test body (inv : nat -> list seen -> state F -> Prop) (out : list seen -> state F -> Prop) n log s
  (Q : list seen -> flow F -> state F -> Prop) :
  (forall m log' s', inv m log' s' ->
     goes test log' s' (fun log'' (b : bool) t =>
       if b then goes body log'' t (fun log3 how t' => (how = Next /\ exists m', (m' < m)%nat /\ inv m' log3 t') \/ (how = Broken /\ out log3 t'))
       else out log'' t)) ->
  inv n log s -> (n < fuel)%nat -> (forall log' s', out log' s' -> Q log' Next s') ->
  goes (repeat_while fuel test body) log s Q.
Proof.
  intros Hturn. revert n log s; induction fuel as [|fuel IH]; intros n log s Hn Hf HQ; [lia|].
  cbn [repeat_while]. apply goes_bind. eapply goes_weaken; [now apply (Hturn n)|]. cbv beta. intros log' [|] s' H.
  - apply goes_bind. eapply goes_weaken; [exact H|]. cbv beta. intros log'' how t [(-> & m & Hm & Hi)|[-> Ht]].
    + apply (IH m); [exact Hi|lia|exact HQ].
    + apply goes_wp, wp_ret, HQ, Ht.
  - apply goes_wp, wp_ret, HQ, H.
Qed.

End GeneratorRules.

(** ** Loops that do not yield *)

Section Loops.

Context {F : floats}.

Definition nothing_shown (_ : value F) (_ : store F) (_ : Empty_set) : Prop := False.

Lemma wp_goes {A} (m : M F A) s (Q : A -> state F -> Prop) :
  goes nothing_shown (fun _ _ _ _ => True) m [] s (fun _ a s' => Q a s') -> wp m s Q.
Proof. unfold goes, wp. intros H. inversion H as [? ? ? HQ E|? ? ? ? []]; subst. exact HQ. Qed.

Lemma wp_loop v items body (inv : nat -> state F -> Prop) (out : state F -> Prop) s (Q : flow F -> state F -> Prop) :
  (forall i s', inv i s' -> elements v s' = Done items s') ->
  (forall i x s', nth_error items i = Some x -> inv i s' ->
     wp (body x) s' (fun how t => (how = Next /\ inv (S i) t) \/ (how = Broken /\ out t))) ->
  inv 0%nat s -> (forall s', inv (List.length items) s' \/ out s' -> Q Next s') ->
  wp (loop v body 0 (List.length items)) s Q.
Proof.
  intros Hv Hbody H0 HQ. apply wp_goes, (goes_loop _ _ v items body (fun i _ => inv i) (fun _ => out)); auto.
  - intros i _. apply Hv.
  - intros i x log' s' Hx Hi. apply goes_wp. now apply (Hbody i).
Qed.

Definition kept {A} (f : A -> option (value F)) (xs : list A) : list (value F) :=
  flat_map (fun x => match f x with Some y => [y] | None => [] end) xs.

(** A comprehension that changes no object; its list holds the values [g x] of some things [x]. *)
Lemma wp_gather {A} v (g : A -> value F) xs body f (inv : state F -> Prop) s (Q : list (value F) -> state F -> Prop) :
  (forall s', inv s' -> elements v s' = Done (map g xs) s') ->
  (forall x s', In x xs -> inv s' -> wp (body (g x)) s' (fun y t => y = f x /\ inv t)) ->
  inv s -> (forall s', inv s' -> Q (kept f xs) s') ->
  wp (gather v body 0 (List.length (map g xs))) s Q.
Proof.
  intros Hv Hbody H0 HQ. rewrite map_length.
  enough (E : forall n i s' (P : list (value F) -> state F -> Prop), (i + n)%nat = List.length xs -> inv s' ->
              (forall t, inv t -> P (kept f (skipn i xs)) t) -> wp (gather v body i n) s' P)
    by (apply E; auto).
  induction n as [|n IH]; intros i s' P Hn Hi HP; cbn [gather]; apply wp_bind.
  - eapply wp_is_done; [apply Hv, Hi|]. rewrite map_length.
    replace (List.length xs =? i)%nat with true by (symmetry; apply Nat.eqb_eq; lia).
    apply wp_ret. rewrite skipn_all2 in HP by lia. now apply HP.
  - destruct (nth_error xs i) as [x|] eqn:Ex; [|apply nth_error_None in Ex; lia].
    apply wp_bind. eapply wp_is_done; [apply Hv, Hi|]. rewrite nth_error_map, Ex. apply wp_ret, wp_bind.
    eapply wp_weaken; [apply (Hbody x); [now apply nth_error_In in Ex|exact Hi]|]. intros y t [-> Ht].
    apply wp_bind, IH; [lia|exact Ht|]. intros t' Ht'. apply wp_ret.
    replace (match f x with Some a => a :: kept f (skipn (S i) xs) | None => kept f (skipn (S i) xs) end)
      with (kept f (skipn i xs)); [now apply HP|].
    apply nth_error_split in Ex. destruct Ex as (before & after & -> & <-).
    rewrite !skipn_app, !Nat.sub_diag, skipn_all2, skipn_all2 with (n := S _), Nat.sub_succ_l, Nat.sub_diag by lia.
    cbn [skipn app kept flat_map]. now destruct (f x).
Qed.

(** The same over a tuple: a loop whose body neither breaks nor returns, and a comprehension without conditions. *)
Lemma wp_loop_over_tuple kind items body (inv : nat -> state F -> Prop) (Q : flow F -> state F -> Prop) s :
  (forall i x s', nth_error items i = Some x -> inv i s' -> wp (body x) s' (fun how t => how = Next /\ inv (S i) t)) ->
  inv 0%nat s -> (forall s', inv (List.length items) s' -> Q Next s') ->
  wp (loop (VTuple kind items) body 0 (List.length items)) s Q.
Proof.
  intros Hbody H0 HQ. apply wp_loop with (inv := inv) (out := fun _ => False); [reflexivity| |exact H0|intros s' [H|[]]; auto].
  intros i x s' Hx Hi. eapply wp_weaken; [now apply (Hbody i)|auto].
Qed.

Lemma wp_gather_over_tuple kind items body (f : value F -> value F) (inv : state F -> Prop)
  (Q : list (value F) -> state F -> Prop) s :
  (forall x s', In x items -> inv s' -> wp (body x) s' (fun y t => y = Some (f x) /\ inv t)) ->
  inv s -> (forall s', inv s' -> Q (map f items) s') ->
  wp (gather (VTuple kind items) body 0 (List.length items)) s Q.
Proof.
  intros Hbody H0 HQ. rewrite <- (map_id items) at 2. apply wp_gather with (f := fun x => Some (f x)) (inv := inv); auto.
  intros s' _. now rewrite map_id.
Qed.

End Loops.

(** ** Running a function that yields *)

Ltac generator_step :=
  lazymatch goal with
  | |- goes _ _ (bind ?m _) _ _ _ => lazymatch m with context [Yield _] => apply goes_bind | _ => apply goes_bind_wp end
  | |- goes ?a ?b (eval ?m ?c ?cm ?e) ?log ?s ?Q =>
      let r := eval cbv beta iota zeta delta [eval_by] in (eval_by m c cm (eval m c cm) e) in change_no_check (goes a b r log s Q)
  | |- goes ?a ?b (exec ?m ?c ?cm ?n ?e) ?log ?s ?Q =>
      let r := eval cbv beta iota zeta delta [exec_by] in (exec_by m c cm n (exec m c cm n) e) in change_no_check (goes a b r log s Q)
  | |- goes ?a ?b (eval_items ?f ?es) ?log ?s ?Q =>
      let r := eval cbn [eval_items] in (eval_items f es) in change_no_check (goes a b r log s Q)
  | |- goes ?a ?b (exec_all ?f ?es) ?log ?s ?Q =>
      let r := eval cbn [exec_all] in (exec_all f es) in change_no_check (goes a b r log s Q)
  | |- goes _ _ (ret _) _ _ _ => apply goes_wp, wp_ret; cbv beta iota
  | |- wp _ _ _ => step
  end.
