(** * hunt, lines 4 to 9: the loop over the classes of a depth does what [choose] of PythonNodes.v does. *)

From Coq Require Import String.
From EmbeddedHunter Require Import Lists Lattice Model Nodes PythonNodes PythonSyntax Python SearchText PythonRules TextOfNode
  GeneratorRules TextOfTree TextOfHunter.
Open Scope Z_scope.
Open Scope list_scope.

(** ** The text of [hunt], in parts *)

Definition body_of (s : stmt) : list stmt := match s with For _ _ b | While _ b => b | _ => [] end.
Definition hunt_text : list stmt := match find_function "hunt" search_py with Some (_, b) => b | None => [] end.
Definition sweep_loop : stmt := nth 6 hunt_text Break.                       (* line 1 *)
Definition depth_loop : stmt := nth 1 (body_of sweep_loop) Break.            (* line 3 *)
Definition class_loop : stmt := nth 2 (body_of depth_loop) Break.            (* line 4 *)

Section TextOfChoose.

Context (F : floats) (cfg : settings).

Local Notation d := (dimension cfg).
Local Notation node_object := (node_object F cfg).
Local Notation call := (call search_py).
Local Notation placed := (placed F).
Local Notation wanted := (wanted F cfg).
Local Notation evaluation_value := (evaluation_value F).
Local Notation nu_value := (nu_value F).
Local Notation str s := (s%string) (only parsing).

Hypothesis d_pos : (0 < d)%nat.

(** Calls are nested less deep than this. *)
Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call deep None) (fun v => call deep (Some v)) deep).
Local Notation eval := (eval search_py (call deep None) (fun v => call deep (Some v))).

(** The settings lie at p, the fraction M's cap at [cap]. *)
Variables (p cap side : nat) (side_as_float : float F).
Definition input_in (h : store F) : Prop :=
  nth_error h p = Some (settings_object F cfg cap side side_as_float) /\
  nth_error h cap = Some (fraction F (cap_num cfg) (cap_den cfg)).

Lemma input_stays ms h h' : input_in h -> same_but ms h h' -> ~ In p ms -> ~ In cap ms -> input_in h'.
Proof. intros [I1 I2] Hs Hp Hc. split; [now apply (same_but_get ms h)|now apply (same_but_get ms h)]. Qed.

(** The local variables of [hunt]. *)
Definition hunt_locals (tree : nat) (first : option (value F)) (sweep : Z) (l visit classes L_j leaf nu_min complete values : option (value F))
  (best : float F) (left : Z) (expanded : bool) (expansion : option (value F)) (t : Z) : names F :=
  [(str "settings", Some (VRef p)); (str "K", Some (VInt (Z.of_nat (K (half cfg))))); (str "h_max", Some (VInt (Z.of_nat (h_max cfg))));
   (str "v", Some (VInt (Z.of_nat (budget cfg)))); (str "tree", Some (VRef tree)); (str "first", first);
   (str "sweep", Some (VInt sweep)); (str "l", l); (str "visit", visit); (str "classes", classes);
   (str "L_j", L_j); (str "leaf", leaf); (str "nu_min", nu_min); (str "complete", complete); (str "values", values);
   (str "best", Some (VFloat best)); (str "left", Some (VInt left)); (str "expanded", Some (VBool expanded));
   (str "expansion", expansion); (str "t", Some (VInt t))].

(** ** Expansions *)

(** An expansion of the text: its leaf, and the list of its children. *)
Record grown := Grown { parent : placed; list_at : nat; kids : list placed }.

Definition expansion_value (e : grown) : value F :=
  VTuple "Expansion" [VRef (fst (parent e)); VRef (list_at e)].
Definition expansion_of (e : grown) : expansion F := (snd (parent e), map snd (kids e)).
Definition all_wanted (es : list grown) : list placed := flat_map (fun e => wanted (kids e)) es.
Definition request_of (px : placed) : request F := (snd px, S (count (snd px))).

(** Where the children of expansions and their lists lie. *)
Definition new_places (es : list grown) : list nat := flat_map (fun e => list_at e :: map fst (kids e)) es.

Definition expansion_in (h : store F) (e : grown) : Prop :=
  nth_error h (fst (parent e)) = Some (node_object (snd (parent e))) /\
  nth_error h (list_at e) = Some (ListObject (references F (kids e))) /\ in_store F cfg h (kids e).

Lemma expansion_stays ms h h' e : expansion_in h e -> same_but ms h h' ->
  ~ In (fst (parent e)) ms -> (forall m, In m (list_at e :: map fst (kids e)) -> ~ In m ms) -> expansion_in h' e.
Proof.
  intros (E1 & E2 & E3) Hs N1 N2. split; [|split].
  - now apply (same_but_get ms h).
  - apply (same_but_get ms h); auto. apply N2. now left.
  - intros q x Hq. apply (same_but_get ms h); auto. apply N2. right. exact (in_map fst _ _ Hq).
Qed.

(** [children], as a call that makes new objects. *)
Lemma children_are_new n l x ns h :
  proper F cfg x -> nth_error h l = Some (node_object x) ->
  wp (call (S (S n)) None "children" [VRef l; VInt (Z.of_nat (K (half cfg)))] []) (State ns h) (fun v s' =>
    exists e h', v = VRef (list_at e) /\ s' = State ns h' /\ parent e = (l, x) /\ map snd (kids e) = offspring F cfg x /\
      same_but [] h h' /\ expansion_in h' e /\ NoDup (new_places [e]) /\
      forall m, In m (new_places [e]) -> (List.length h <= m < List.length h')%nat).
Proof.
  intros Hc Hx. eapply wp_is_done; [exact (the_text_makes_the_children F cfg n l x ns h d_pos Hc Hx)|].
  set (ps := seq (S (List.length h)) (K (half cfg))). set (xs := offspring F cfg x).
  assert (Hlen : List.length xs = List.length ps) by (unfold xs, offspring, ps; now rewrite map_length, !seq_length).
  exists (Grown (l, x) (List.length h) (combine ps xs)). eexists. cbn [list_at parent kids].
  assert (Hfst : map fst (combine ps xs) = ps) by (now rewrite combine_map_fst).
  assert (Hsnd : map snd (combine ps xs) = xs) by (now rewrite combine_map_snd).
  split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact Hsnd|].
  split; [apply same_but_app|]. unfold expansion_in, new_places. cbn [flat_map parent list_at kids fst snd]. rewrite app_nil_r, Hfst.
  split; [split; [|split]|split].
  - now apply nth_error_app_old.
  - rewrite nth_error_app_here. unfold references. rewrite <- (map_map fst VRef). now rewrite Hfst.
  - intros q y Hq. apply In_nth_error in Hq. destruct Hq as (i & Hi).
    assert (Hi' : (i < List.length ps)%nat).
    { apply in_bounds in Hi. rewrite combine_length in Hi. lia. }
    pose proof (map_nth_error fst _ _ Hi) as H1. rewrite Hfst in H1. cbn [fst] in H1.
    pose proof (map_nth_error snd _ _ Hi) as H2. rewrite Hsnd in H2. cbn [snd] in H2.
    unfold ps in H1, Hi'. rewrite seq_length in Hi'. rewrite (nth_error_nth' _ 0%nat), seq_nth in H1 by (rewrite ?seq_length; lia).
    injection H1 as H1. assert (q = (List.length h + S i)%nat) as -> by lia.
    rewrite nth_error_app_later. cbn [nth_error]. now apply map_nth_error.
  - constructor; [|apply seq_NoDup]. intros Hin%in_seq. lia.
  - intros m Hm. rewrite app_length. cbn [List.length]. rewrite map_length. fold xs. rewrite Hlen. unfold ps. rewrite seq_length.
    destruct Hm as [<-|Hm%in_seq]; lia.
Qed.

(** ** The loop *)

(** The first reference of the list at r is to the node x. *)
Definition first_in (h : store F) (r : nat) (x : leaf (float F)) : Prop :=
  exists m rest, nth_error h r = Some (ListObject (VRef m :: rest)) /\ nth_error h m = Some (node_object x) /\ proper F cfg x.

Variables (tree v pe pv c : nat) (h0 : store F) (treev : value F) (sweep t : Z) (sweep_number : Z).
Variables (rs : list nat) (firsts : list (leaf (float F))) (nu0 : option (float F)) (room : nat) (l_ : Z).
Variables (first_ complete values : option (value F)) (best : float F) (expanded : bool) (lv : option (value F)).

(** The places that the loop changes. *)
Local Notation changed := [v; pe; pv].
Local Notation object_of_visit := (visit_object F treev sweep t l_ pe pv).

Definition ready_to_choose : Prop :=
  nth_error h0 v = Some object_of_visit /\ nth_error h0 pe = Some (ListObject []) /\
  nth_error h0 pv = Some (ListObject []) /\ nth_error h0 c = Some (ListObject (map VRef rs)) /\
  input_in h0 /\ NoDup changed /\ ~ In p changed /\ ~ In cap changed /\ ~ In c changed /\
  Forall2 (first_in h0) rs firsts.

(** What lies in the store after some classes. *)
Definition chosen_in (es : list grown) (h : store F) : Prop :=
  same_but changed h0 h /\ nth_error h v = Some object_of_visit /\
  nth_error h pe = Some (ListObject (map expansion_value es)) /\
  nth_error h pv = Some (ListObject (map evaluation_value (all_wanted es))) /\
  (forall e, In e es -> expansion_in h e) /\ NoDup (new_places es) /\
  (forall m, In m (new_places es) -> (List.length h0 <= m < List.length h)%nat) /\
  (forall e, In e es -> map snd (kids e) = offspring F cfg (snd (parent e)) /\ (fst (parent e) < List.length h0)%nat /\
                        ~ In (fst (parent e)) changed).

Definition locals_with (nu : value F) (L_j leaf expansion : option (value F)) : names F :=
  hunt_locals tree first_ sweep_number lv (Some (VRef v)) (Some (VRef c)) L_j leaf (Some nu) complete values best
              (Z.of_nat room) expanded expansion t.

Lemma new_places_app es es' : new_places (es ++ es') = new_places es ++ new_places es'.
Proof. apply flat_map_app. Qed.

Lemma all_wanted_app es es' : all_wanted (es ++ es') = all_wanted es ++ all_wanted es'.
Proof. apply flat_map_app. Qed.

(** One expansion more. *)
Lemma chosen_grows es h g h' :
  ready_to_choose -> chosen_in es h -> same_but changed h h' -> expansion_in h' g -> NoDup (new_places [g]) ->
  (forall m, In m (new_places [g]) -> (List.length h <= m < List.length h')%nat) ->
  map snd (kids g) = offspring F cfg (snd (parent g)) -> (fst (parent g) < List.length h0)%nat -> ~ In (fst (parent g)) changed ->
  nth_error h' v = Some object_of_visit ->
  nth_error h' pe = Some (ListObject (map expansion_value es ++ [expansion_value g])) ->
  nth_error h' pv = Some (ListObject (map evaluation_value (all_wanted es) ++ map evaluation_value (wanted (kids g)))) ->
  chosen_in (es ++ [g]) h'.
Proof.
  intros (V0 & E0 & W0 & _) (S1 & V1 & E1 & W1 & X1 & D1 & B1 & K1) S2 X2 D2 B2 Hk Hl Hn V2 E2 W2.
  assert (Hold : forall m, In m changed -> (m < List.length h0)%nat).
  { intros m [<-|[<-|[<-|[]]]]; eapply in_bounds; eassumption. }
  unfold chosen_in. rewrite map_app, all_wanted_app, map_app, new_places_app. cbn [map].
  replace (all_wanted [g]) with (wanted (kids g)) by (unfold all_wanted; cbn; now rewrite app_nil_r).
  split; [now apply (same_but_trans _ _ h)|]. split; [exact V2|]. split; [exact E2|]. split; [exact W2|].
  split; [|split; [|split]].
  - intros e [He|[<-|[]]]%in_app_or; [|exact X2]. destruct (K1 e He) as (_ & _ & N).
    apply (expansion_stays changed h); auto. intros m Hm Hc. specialize (Hold m Hc).
    assert (In m (new_places es)) by (apply in_flat_map; now exists e). specialize (B1 m ltac:(assumption)). lia.
  - apply nodup_app; [exact D1|exact D2|]. intros m M1 M2. specialize (B1 m M1). specialize (B2 m M2). lia.
  - destruct S1 as [L1 _], S2 as [L2 _]. intros m [Hm|Hm]%in_app_or; [specialize (B1 m Hm)|specialize (B2 m Hm)]; lia.
  - intros e [He|[<-|[]]]%in_app_or; auto.
Qed.

Lemma forall2_nth {A B} (P : A -> B -> Prop) xs ys i x :
  Forall2 P xs ys -> nth_error xs i = Some x -> exists y, nth_error ys i = Some y /\ P x y.
Proof.
  intros Hp. revert i; induction Hp as [|a b xs ys Hab Hp IH]; intros [|i] E; try discriminate E.
  - injection E as <-. now exists b.
  - now apply IH.
Qed.

Lemma forall2_length {A B} (P : A -> B -> Prop) xs ys : Forall2 P xs ys -> List.length xs = List.length ys.
Proof. induction 1; [reflexivity|]. cbn. now f_equal. Qed.

Lemma skipn_nth {A} (xs : list A) i x : nth_error xs i = Some x -> skipn i xs = x :: skipn (S i) xs.
Proof.
  revert i; induction xs as [|y xs IH]; intros [|i] E; try discriminate E; [now injection E as ->|]. now apply IH.
Qed.

(** The loop of line 4 over the list of the classes at c. *)
Definition loop_over_the_classes (n : nat) : M F (flow F) :=
  loop (VRef c) (fun x => bind (assign eval (Name "L_j") x) (fun _ => exec_all exec (body_of class_loop))) 0 n.

(** Claim [python-text]. The loop over the classes of a depth (lines 4 to 9) expands the leaves that [choose] chooses, and asks for their evaluations. *)
Theorem the_text_chooses_as_lines_4_to_9 a0 b0 e0 :
  ready_to_choose -> (0 < room)%nat ->
  wp (loop_over_the_classes (List.length (map (@VRef F) rs))) (State (locals_with (nu_value nu0) a0 b0 e0) h0) (fun how s' => how = Next /\
    exists es nu h a b e, s' = State (locals_with (nu_value nu) a b e) h /\ chosen_in es h /\
      choose F cfg firsts nu0 room = (map expansion_of es, map request_of (all_wanted es), nu)).
Proof.
  intros Hready Hroom. pose proof Hready as (V0 & E0 & W0 & C0 & I0 & N0 & Np & Ncap & Nc & Hfirsts).
  unfold loop_over_the_classes. let b := eval vm_compute in (body_of class_loop) in change (body_of class_loop) with b.
  pose (inv := fun i s' => exists es nu h a b e,
    s' = State (locals_with (nu_value nu) a b e) h /\ chosen_in es h /\ (List.length (all_wanted es) < room)%nat /\
    choose F cfg firsts nu0 room =
    match choose F cfg (skipn i firsts) nu (room - List.length (all_wanted es)) with
    | (es', more, nu') => (map expansion_of es ++ es', map request_of (all_wanted es) ++ more, nu')
    end).
  pose (out := fun s' => exists es nu h a b e, s' = State (locals_with (nu_value nu) a b e) h /\ chosen_in es h /\
      choose F cfg firsts nu0 room = (map expansion_of es, map request_of (all_wanted es), nu)).
  apply wp_loop with (inv := inv) (out := out).
  - intros i s' (es & nu & h & a & b & e & -> & (S1 & _) & _). unfold elements, bind, get_object. cbn [objects].
    now rewrite (same_but_get _ _ _ _ _ S1 C0 Nc).
  - intros i item s' Hi (es & nu & h & a & b & e & -> & Hch & Hlt & Hchoose).
    rewrite nth_error_map in Hi. destruct (nth_error rs i) as [r|] eqn:Er; [|discriminate]. injection Hi as <-.
    destruct (forall2_nth _ _ _ _ _ Hfirsts Er) as (x & Eq & m & rest & Hr & Hm & Hc).
    rewrite (skipn_nth _ _ _ Eq) in Hchoose. cbn [choose] in Hchoose.
    pose proof Hch as (S1 & V1 & E1 & W1 & X1 & D1 & B1 & K1).
    assert (Hother : forall m' o, nth_error h0 m' = Some o -> o <> object_of_visit -> o <> ListObject [] -> ~ In m' changed).
    { intros m' o Ho N1 N2 [<-|[<-|[<-|[]]]]; congruence. }
    assert (Nr : ~ In r changed) by (apply (Hother r _ Hr); discriminate).
    assert (Nm : ~ In m changed) by (apply (Hother m _ Hm); discriminate).
    pose proof (same_but_get _ _ _ _ _ S1 Hr Nr) as Hr1. pose proof (same_but_get _ _ _ _ _ S1 Hm Nm) as Hm1.
    destruct (input_stays _ _ _ I0 S1 Np Ncap) as [Ip Icap].
    pose proof (in_bounds _ _ _ Hm) as Bm. clear Hr Hm.
    unfold TextOfNode.node_object in Hm1. set (cx := int_tuple F (numerators (half cfg) d (place x))) in Hm1. unfold node_with in Hm1.
    unfold locals_with, hunt_locals. run.
    change (List.length (VRef m :: rest)) with (S (List.length rest)). rewrite position_zero. cbn [nth_error]. run.
    eapply wp_is_done; [apply the_text_decides_as_line_6|]. run.
    destruct (below (less F) (Model.best x) nu) eqn:Eb.
    + assert (Vold : forall m, In m changed -> (m < List.length h0)%nat).
      { intros m' [<-|[<-|[<-|[]]]]; eapply in_bounds; eassumption. }
      run. eapply wp_weaken; [now apply (children_are_new _ m x)|].
      intros v' s' (g & h1 & -> & -> & Hpar & Hkids & S2 & X2 & D2 & B2).
      destruct g as [[m0 x0] lg ks]. cbn [parent list_at kids] in *. injection Hpar as -> ->.
      set (g := Grown (m, x) lg ks) in *.
      assert (Old : forall m' o, nth_error h m' = Some o -> nth_error h1 m' = Some o).
      { intros m' o Ho. now apply (same_but_get [] h). }
      pose proof (Old _ _ V1) as V2. pose proof (Old _ _ E1) as E2. pose proof (Old _ _ W1) as W2.
      pose proof (Old _ _ Ip) as Ip2. pose proof (Old _ _ Icap) as Icap2. clear V1 E1 W1 Ip Icap Hr1 Hm1.
      unfold TextOfHunter.visit_object in V2.
      assert (Nv : ~ In v [pe] /\ ~ In pv [pe] /\ ~ In p [pe] /\ ~ In cap [pe] /\ ~ In v [pv] /\ ~ In pe [pv]).
      { clear - N0 Np Ncap. apply NoDup_cons_iff in N0. destruct N0 as [N1 N2]. apply NoDup_cons_iff in N2. cbn in *. intuition. }
      destruct Nv as (Nv1 & Nv2 & Nv3 & Nv4 & Nv5 & Nv6).
      assert (Ng : forall m', In m' changed -> ~ In m' (new_places [g])).
      { intros m' Hc' Hin. specialize (B2 m' Hin). specialize (Vold m' Hc'). destruct S1 as [L1 _]. lia. }
      assert (Xstays : forall ms ha hb, incl ms changed -> expansion_in ha g -> same_but ms ha hb -> expansion_in hb g).
      { intros ms ha hb Hi Hx Hs. apply (expansion_stays ms ha); auto.
        intros m' Hm' Hin. apply (Ng m' (Hi m' Hin)). unfold new_places. cbn [flat_map]. now rewrite app_nil_r. }
      (* visit.expansions.append(expansion) *)
      run. run_tuple. run. eapply wp_call_list_method; [exact E2|]. run.
      pose (h2 := replace_at pe (ListObject (map expansion_value es ++ [expansion_value g])) h1).
      match goal with |- context [replace_at pe ?o h1] => change (replace_at pe o h1) with h2 end.
      assert (S3 : same_but [pe] h1 h2) by (apply same_but_replace; now left).
      pose proof (same_but_get _ _ _ _ _ S3 V2 Nv1) as V3. pose proof (same_but_get _ _ _ _ _ S3 W2 Nv2) as W3.
      pose proof (same_but_get _ _ _ _ _ S3 Ip2 Nv3) as Ip3. pose proof (same_but_get _ _ _ _ _ S3 Icap2 Nv4) as Icap3.
      assert (E3 : nth_error h2 pe = Some (ListObject (map expansion_value es ++ [expansion_value g])))
        by exact (nth_error_replaced _ _ _ _ E2).
      assert (X3 : expansion_in h2 g) by (apply (Xstays [pe] h1); auto; intros ? [<-|[]]; now right; left).
      clearbody h2. clear V2 E2 W2 Ip2 Icap2. pose proof X3 as (_ & X3l & X3k).
      (* visit.evaluations += _evaluations(expansion, settings) *)
      run. eapply wp_is_done; [now apply (the_text_requests_evaluations F cfg _ (VRef m) lg ks p cap side side_as_float)|].
      set (ev := map evaluation_value (wanted ks)).
      pose (h3 := h2 ++ [ListObject ev]). change (h2 ++ [ListObject ev]) with h3.
      assert (V4 : nth_error h3 v = Some object_of_visit) by now apply nth_error_app_old.
      assert (W4 : nth_error h3 pv = Some (ListObject (map evaluation_value (all_wanted es)))) by now apply nth_error_app_old.
      assert (M4 : nth_error h3 (List.length h2) = Some (ListObject ev)) by apply nth_error_app_here.
      assert (E4 : nth_error h3 pe = Some (ListObject (map expansion_value es ++ [expansion_value g]))) by now apply nth_error_app_old.
      assert (S4 : same_but [] h2 h3) by apply same_but_app.
      assert (X4 : expansion_in h3 g) by (apply (Xstays [] h2); auto; easy).
      unfold TextOfHunter.visit_object in V4. clearbody h3. clear V3 W3 Ip3 Icap3 E3 X3l X3k.
      run. pose (h4 := replace_at pv (ListObject (map evaluation_value (all_wanted es) ++ ev)) h3).
      match goal with |- context [replace_at pv ?o h3] => change (replace_at pv o h3) with h4 end.
      assert (S5 : same_but [pv] h3 h4) by (apply same_but_replace; now left).
      pose proof (same_but_get _ _ _ _ _ S5 V4 Nv5) as V5. pose proof (same_but_get _ _ _ _ _ S5 E4 Nv6) as E5.
      assert (W5 : nth_error h4 pv = Some (ListObject (map evaluation_value (all_wanted es) ++ ev)))
        by exact (nth_error_replaced _ _ _ _ W4).
      assert (X5 : expansion_in h4 g) by (apply (Xstays [pv] h3); auto; intros ? [<-|[]]; now right; right; left).
      clearbody h4. run. rewrite (replace_at_same _ _ _ V5).
      (* if len(visit.evaluations) >= left: break *)
      run. run_builtin. run.
      assert (Hgrown : chosen_in (es ++ [g]) h4).
      { apply (chosen_grows es h g h4); auto.
        - apply (same_but_trans _ _ h1); [apply (same_but_weaken []); [easy|exact S2]|].
          apply (same_but_trans _ _ h2); [apply (same_but_weaken [pe]); [intros ? [<-|[]]; now right; left|exact S3]|].
          apply (same_but_trans _ _ h3); [apply (same_but_weaken []); [easy|exact S4]|].
          apply (same_but_weaken [pv]); [intros ? [<-|[]]; now right; right; left|exact S5].
        - intros m' Hm'. specialize (B2 m' Hm'). destruct S3 as [L3 _], S4 as [L4 _], S5 as [L5 _]. lia. }
      assert (Hmore : requests F cfg (x, offspring F cfg x) = map request_of (wanted ks)).
      { rewrite <- Hkids. symmetry. apply wanted_are_requests. }
      cbv zeta in Hchoose. rewrite Hmore, map_length in Hchoose.
      assert (Hes : map expansion_of (es ++ [g]) = map expansion_of es ++ [(x, offspring F cfg x)]).
      { rewrite map_app. cbn [map]. unfold expansion_of at 2.
      unfold g. cbn [parent kids snd]. now rewrite Hkids. }
      assert (Hws : map request_of (all_wanted (es ++ [g])) = map request_of (all_wanted es) ++ map request_of (wanted ks)).
      { rewrite all_wanted_app, map_app. unfold all_wanted at 2, g. cbn [flat_map kids]. now rewrite app_nil_r. }
      assert (Hlen : List.length (all_wanted (es ++ [g])) = (List.length (all_wanted es) + List.length (wanted ks))%nat).
      { rewrite <- (map_length request_of), Hws, app_length, !map_length. reflexivity. }
      replace (Z.of_nat room <=? Z.of_nat (List.length (map evaluation_value (all_wanted es) ++ ev)))
        with (room - List.length (all_wanted es) <=? List.length (wanted ks))%nat.
      2:{ unfold ev. rewrite app_length, !map_length. apply eq_true_iff_eq. rewrite Nat.leb_le, Z.leb_le. lia. }
      destruct (room - List.length (all_wanted es) <=? List.length (wanted ks))%nat eqn:El; run.
      * right. split; [reflexivity|]. exists (es ++ [g]), (Some (Model.best x)), h4. do 3 eexists. split; [reflexivity|].
        split; [exact Hgrown|]. rewrite Hchoose, Hes, Hws. reflexivity.
      * left. split; [reflexivity|]. exists (es ++ [g]), (Some (Model.best x)), h4. do 3 eexists. split; [reflexivity|].
        split; [exact Hgrown|]. apply Nat.leb_gt in El. split; [lia|]. rewrite Hchoose, Hes, Hws, Hlen.
        replace (room - List.length (all_wanted es) - List.length (wanted ks))%nat
          with (room - (List.length (all_wanted es) + List.length (wanted ks)))%nat by lia.
        match goal with |- context [choose F cfg (skipn (S i) firsts) ?a ?b] => generalize (choose F cfg (skipn (S i) firsts) a b) end.
        intros [[es' more'] nu']. now rewrite <- !app_assoc.
    + run. left. split; [reflexivity|]. exists es, nu, h. do 3 eexists. split; [reflexivity|]. auto.
  - exists [], nu0, h0, a0, b0, e0. split; [reflexivity|]. split; [|split; [exact Hroom|]].
    + unfold chosen_in. cbn. repeat (split; [first [apply same_but_refl|assumption|easy|constructor]|]). easy.
    + cbn [skipn List.length all_wanted flat_map map app]. rewrite Nat.sub_0_r. now destruct (choose F cfg firsts nu0 room) as [[? ?] ?].
  - intros s' [(es & nu & h & a & b & e & -> & Hch & Hlt & Hchoose)|Hout]; split; auto.
    exists es, nu, h, a, b, e. split; [reflexivity|]. split; [exact Hch|].
    rewrite map_length, (forall2_length _ _ _ Hfirsts), skipn_all in Hchoose. cbn [choose] in Hchoose. now rewrite !app_nil_r in Hchoose.
Qed.

End TextOfChoose.
