(** * hunt: one turn of the loop over the depths is a visit of the model. *)

From Coq Require Import String.
From EmbeddedHunter Require Import Lists Filters Lattice Model Classes Nodes Order Steps Batch RunsTree PythonNodes VisitInParts.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules TextOfNode GeneratorRules TreeInStore TextOfTree TextOfHunter
  TextOfChoose TextOfHunt.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfVisit.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings) (order : total_order (less F)).
Hypothesis greatest : forall a : float F, a = Python.infinity F \/ less F a (Python.infinity F) = true.
Hypothesis d_pos : (1 <= dimension cfg)%nat.
Hypothesis k_pos : (1 <= half cfg)%nat.

Local Notation expansion_of := (expansion_of F).
Local Notation all_wanted := (all_wanted F cfg).
Local Notation request_of := (request_of F).
Local Notation tree_in := (tree_in F cfg).
Local Notation made_room s := (budget cfg - made s)%nat.

Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call search_py deep None) (fun v => call search_py deep (Some v)) deep).
Variables (p cap side : nat) (side_as_float : float F) (at_tree : nat).
Local Notation locals_at := (hunt_locals F cfg p at_tree).
Local Notation apart := (apart F cfg p cap side side_as_float).

(** What a visit shows the caller: its numbers, its expansions, and the evaluations that it asks for. *)
Record shown := Shown {
  sweep_shown : nat; t_shown : nat; depth_shown : nat;
  expansions_shown : list (expansion F); asked : list (request F)
}.

Definition shows (v : value F) (h : store F) (w : shown) : Prop :=
  exists m tree pe pv es ws, v = VRef m /\
    nth_error h m = Some (visit_object F (VRef tree) (Z.of_nat (sweep_shown w)) (Z.of_nat (t_shown w)) (Z.of_nat (depth_shown w)) pe pv) /\
    nth_error h pe = Some (ListObject (map (expansion_value F) es)) /\ (forall e, In e es -> expansion_in F cfg h e) /\
    expansions_shown w = map expansion_of es /\
    nth_error h pv = Some (ListObject (map (evaluation_value F) ws)) /\ in_store F cfg h ws /\ asked w = map request_of ws.

(** The caller sends the values of the oracle, in a list or a tuple.  It may add objects to the store, and changes none. *)
Definition sends (w : shown) (h : store F) (x : value F) (h' : store F) : Prop :=
  exists more, h' = h ++ more /\ are_floats F h' x (map (reply F oracle cfg) (asked w)).

(** The events of a visit that the caller has seen, the latest first. *)
Definition events_seen (w : shown) : list (event (float F)) :=
  match sweep_shown w with
  | 0%nat => rev (map (fun r => Evaluate (place (fst r)) (snd r) (reply F oracle cfg r)) (asked w))
  | S _ => happened F cfg (expansions_shown w) (map (reply F oracle cfg) (asked w)) [Visit (depth_shown w)]
  end.

(** A log without the marks where a sweep begins. *)
Definition is_no_sweep {V} (e : event V) : bool := match e with Sweep _ => false | _ => true end.
Definition without_sweeps {V} (events : list (event V)) : list (event V) := filter is_no_sweep events.

Lemma without_sweeps_happened es : forall vs log,
  without_sweeps (happened F cfg es vs log) = happened F cfg es vs (without_sweeps log).
Proof.
  induction es as [|e es IH]; intros vs log; [reflexivity|]. cbn [happened]. rewrite IH. unfold without_sweeps at 1. rewrite filter_app.
  cbn [filter is_no_sweep]. fold (without_sweeps log). f_equal. f_equal.
  apply filter_all. intros e' He. apply in_rev, in_map_iff in He. destruct He as (x & <- & _). reflexivity.
Qed.

Lemma happened_before es : forall vs (xs log : list (event (float F))),
  happened F cfg es vs (xs ++ log) = happened F cfg es vs xs ++ log.
Proof.
  induction es as [|e es IH]; intros vs xs log; [reflexivity|]. cbn [happened]. rewrite <- IH, <- app_assoc. reflexivity.
Qed.

(** The caller has seen what the model has logged. *)
Definition all_seen (log : list shown) (s : Model.state (float F)) : Prop := flat_map events_seen log = without_sweeps (Model.log s).

Lemma goes_exec_one {seen} (sh : value F -> store F -> seen -> Prop) (se : seen -> store F -> value F -> store F -> Prop)
  ex s log st (R : list seen -> state F -> Prop) :
  goes sh se (ex s) log st (fun log' how s' => how = Next /\ R log' s') ->
  goes sh se (exec_all ex [s]) log st (fun log' how s' => how = Next /\ R log' s').
Proof.
  intros G. cbn [exec_all]. apply goes_bind. eapply goes_weaken; [exact G|]. cbv beta. intros log' how s' [-> R'].
  apply goes_wp, wp_ret. now split.
Qed.

(** The variable [expanded] of the text. *)
Definition expands (s : Model.state (float F)) : bool := match nu_min s with None => false | Some _ => true end.

(** The variables of the text are those of the model, its tree lies in the store, and the caller has seen what is logged. *)
Definition variables_are (s : Model.state (float F)) (log : list shown) (st : state F) : Prop :=
  exists own h first_ l visit_ cl a b complete values e,
    st = State (locals_at first_ (Z.of_nat (sweeps s)) l visit_ cl a b (Some (nu_value F (nu_min s)))
                  complete values (Model.answer s) (Z.of_nat (made_room s)) (expands s) e (Z.of_nat (S (iterations s)))) h /\
    tree_in own at_tree (leaves s) h /\ apart own h /\ all_seen log s.

Lemma last_nu_is_some es nu : (match es with [] => false | _ => true end || match nu with None => false | Some _ => true end)%bool =
  match last_nu F es nu with None => false | Some _ => true end.
Proof.
  destruct es as [|x es]; [reflexivity|]. cbn [orb]. unfold last_nu. cbn [fold_left]. generalize (best x).
  induction es as [|y es IH]; intros w; [reflexivity|]. apply IH.
Qed.

(** Claim [python-text]. One turn of the loop over the depths shows the caller a visit of the model, and leaves the variables and the leaves of the model after it. *)
Theorem the_text_visits_a_depth l s log st :
  reached (less F) oracle cfg s -> exhausted cfg s = false -> (l <= h_max cfg)%nat -> (l < depths_of F (leaves s))%nat -> sweeps s <> 0%nat ->
  (exists own h first_ visit_ cl a b complete values e,
    st = State (locals_at first_ (Z.of_nat (sweeps s)) (Some (VInt (Z.of_nat l))) visit_ cl a b (Some (nu_value F (nu_min s)))
                  complete values (Model.answer s) (Z.of_nat (made_room s)) (expands s) e (Z.of_nat (S (iterations s)))) h /\
    tree_in own at_tree (leaves s) h /\ apart own h) -> all_seen log s ->
  goes shows sends (exec_all exec (body_of depth_loop)) log st
    (fun log' how st' => let s' := visit (less F) oracle cfg l s in
       how = (if exhausted cfg s' then Broken else Next) /\ variables_are s' log' st').
Proof.
  intros Hr Hx Hl Hk Hsw (own & h & first_ & visit_ & cl & a & b & complete & values & e & -> & Ht & Ha) Hseen.
  destruct (a_visit_in_parts F oracle cfg order k_pos d_pos l s Hr Hx Hl)
    as (Hnodes & Hes & Hr' & M1 & M2 & M3 & M4 & M5 & M6 & M7 & M8 & M9).
  set (s' := visit (less F) oracle cfg l s) in *. set (xs := chosen (less F) (nu_min s) (classes l (leaves s))) in *.
  set (room := made_room s) in *. set (ys := take_until F oracle cfg room xs) in *.
  assert (Hleft : (0 < room)%nat).
  { unfold room. apply Nat.leb_gt in Hx. lia. }
  rewrite the_body_of_the_loop_over_depths.
  apply goes_exec_app, goes_wp. eapply wp_weaken; [exact (the_text_begins_a_visit F cfg d_pos fuel p cap side side_as_float at_tree
    own (leaves s) h first_ _ (Z.of_nat l) visit_ cl a b _ complete values _ _ _ e _ Ht Ha)|].
  intros how st' (-> & h1 & v & pe & pv & -> & S1 & V1 & E1 & W1 & Nd & O1). split; [reflexivity|].
  assert (T1 : tree_in own at_tree (leaves s) h1).
  { apply (tree_stays F cfg own at_tree (leaves s) h); [exact Ht|]. intros m Hm. apply S1; [exact (tree_is_there F cfg own at_tree _ h m Ht Hm)|apply (in_nil (A := nat))]. }
  assert (A1 : apart own h1) by (apply (apart_stays F cfg p cap side side_as_float own [] h); auto).
  assert (Np : ~ In p [v; pe; pv] /\ ~ In cap [v; pe; pv]).
  { destruct Ha as ((I1 & I2) & _). apply in_bounds in I1, I2. split; intros C; apply O1 in C; lia. }
  destruct Np as [Np Ncap].
  assert (Oown : forall m, In m [v; pe; pv] -> ~ In m own).
  { intros m Hm C. apply O1 in Hm. pose proof (tree_is_there F cfg own at_tree _ h m Ht C). lia. }
  apply goes_exec_app, goes_wp.
  assert (Hleast : forall c x, In c (classes l (leaves s)) -> In x (snd c) -> (forall y, In y (snd c) -> before F cfg y x = false) ->
    proper F cfg x /\ first_is F x c).
  { intros [r ms] x Hc Hxc Hy. cbn [snd] in *. destruct ms as [|z zs]; [easy|].
    destruct (selected_is_least F oracle cfg order s l r z zs Hr Hc) as (G1 & G2 & _ & G4).
    destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r _ Hc) as [_ Hm]. destruct (Hm x Hxc) as (Hin & _).
    split.
    - rewrite (reached_leaves_are_nodes (less F) oracle cfg s Hr x Hin). apply node_at_is_proper.
    - exists z, zs. split; [reflexivity|]. destruct (G4 x Hxc) as [E|B]; [exact E|].
      rewrite (Hy _ (argmin_in (less F) z zs)) in B. discriminate B. }
  eapply wp_weaken; [exact (the_text_expands_the_leaves F cfg order d_pos fuel p cap side side_as_float at_tree own (leaves s) h1
    first_ _ l v pe pv cl a b (nu_min s) complete values _ room _ e _ T1 A1 Hk Hleft V1 E1 W1 Nd Np Ncap Hleast)|].
  intros how st' (-> & more1 & firsts & es & nu' & h2 & cl2 & a2 & b2 & e2 & -> & Hfirsts & (S2 & V2 & E2 & W2 & X2 & D2 & B2 & K2) & Hch).
  split; [reflexivity|].
  rewrite (choose_is_chosen F oracle cfg d_pos firsts (classes l (leaves s)) (nu_min s) room Hfirsts Hnodes) in Hch.
  fold xs ys in Hch. injection Hch as Hch1 Hch2 Hch3. symmetry in Hch1, Hch2. subst nu'.
  set (h1' := h1 ++ more1) in *.
  assert (T1' : tree_in own at_tree (leaves s) h1').
  { apply (tree_stays F cfg own at_tree (leaves s) h1); [exact T1|]. intros m Hm. apply nth_error_app1. exact (tree_is_there F cfg own at_tree _ h1 m T1 Hm). }
  assert (A1' : apart own h1') by (apply (apart_stays F cfg p cap side side_as_float own [] h1); auto; apply same_but_app).
  apply goes_exec_app, goes_wp. 
  eapply wp_weaken; [exact (the_text_cuts_a_visit F cfg d_pos fuel p at_tree h2 first_ _ _ cl2 a2 b2 _ complete values _ room
    _ e2 _ v pe pv _ es (all_wanted es) V2 E2 W2 Nd)|].
  intros how st' (-> & kk & h3 & -> & S3 & Hkk & P3 & W3). split; [reflexivity|].
  assert (Hlow : forall m, In m [v; pe; pv] -> (m < List.length h1')%nat).
  { intros m Hm. unfold h1'. rewrite app_length. destruct Hm as [<-|[<-|[<-|[]]]]; [apply in_bounds in V1|apply in_bounds in E1|apply in_bounds in W1]; lia. }
  assert (Nv : ~ In v [pv] /\ ~ In pe [pv]).
  { apply NoDup_cons_iff in Nd. destruct Nd as [N1 N2]. apply NoDup_cons_iff in N2. destruct N2 as [N2 _]. cbn in *. tauto. }
  destruct Nv as [Nv Npe].
  assert (Hone : forall e, In e es -> forall m, In m (list_at F e :: map fst (kids F e)) -> In m (new_places F es)).
  { intros g Hg m Hm. apply in_flat_map. exists g. exact (conj Hg Hm). }
  assert (X3 : forall e, In e es -> expansion_in F cfg h3 e).
  { intros g Hg. apply (expansion_stays F cfg [pv] h2 h3 g (X2 g Hg) S3).
    - intros [C|[]]. destruct (K2 g Hg) as (_ & _ & N). apply N. rewrite <- C. right. right. left. reflexivity.
    - intros m Hm [C|[]]. pose proof (B2 m (Hone g Hg m Hm)). pose proof (Hlow pv (or_intror (or_intror (or_introl eq_refl)))). lia. }
  pose proof (same_but_get _ _ _ _ _ S3 V2 Nv) as V3. pose proof (same_but_get _ _ _ _ _ S3 E2 Npe) as E3.
  set (ws := firstn room (all_wanted es)) in *.
  assert (Hws : forall q y, In (q, y) ws -> exists e, In e es /\ In (q, y) (kids F e)).
  { intros q y Hq. assert (Hq' : In (q, y) (all_wanted es)).
    { rewrite <- (firstn_skipn room (all_wanted es)). apply in_or_app. left. exact Hq. }
    apply in_flat_map in Hq'. destruct Hq' as (g & Hg & Hq'). apply filter_In in Hq'. exists g. exact (conj Hg (proj1 Hq')). }
  assert (I3 : in_store F cfg h3 ws).
  { intros q y Hq. destruct (Hws q y Hq) as (g & Hg & Hy). exact (proj2 (proj2 (X3 g Hg)) q y Hy). }
  set (asked_ := firstn room (VisitInParts.all_wanted F oracle cfg ys)) in *.
  assert (Hasked : map request_of ws = map (PythonNodes.request_of F oracle cfg) asked_).
  { unfold ws, asked_. rewrite <- !firstn_map, Hch2. reflexivity. }
  set (xs0 := map (sample (less F) oracle cfg) asked_) in *.
  assert (Hreply : map (reply F oracle cfg) (map request_of ws) = xs0) by (rewrite Hasked; apply replies_are_samples).
  apply goes_exec_app, goes_exec_one.
  eapply (the_text_asks_for_values F cfg fuel p at_tree shows sends) with
    (what := Shown (sweeps s) (S (iterations s)) l (map expansion_of es) (map request_of ws)).
  { exists v, at_tree, pe, pv, es, ws. cbn [sweep_shown t_shown depth_shown expansions_shown asked].
    exact (conj eq_refl (conj V3 (conj E3 (conj X3 (conj eq_refl (conj W3 (conj I3 eq_refl))))))). }
  intros x h4 (more & -> & Hx4). cbn [asked] in Hx4. rewrite Hreply in Hx4. split; [reflexivity|].
  assert (Hlen : List.length xs0 = List.length ws) by (rewrite <- Hreply; now rewrite !map_length).
  pose proof (same_but_app [] h3 more) as S4. set (h4 := h3 ++ more) in *.
  assert (get4 : forall m o, nth_error h3 m = Some o -> nth_error h4 m = Some o) by (intros m o Ho; exact (nth_error_app_old _ _ _ _ Ho)).
  assert (X4 : forall e, In e es -> expansion_in F cfg h4 e).
  { intros g Hg. destruct (X3 g Hg) as (Y1 & Y2 & Y3). exact (conj (get4 _ _ Y1) (conj (get4 _ _ Y2) (fun q y Hq => get4 _ _ (Y3 q y Hq)))). }
  assert (I4 : in_store F cfg h4 ws) by (intros q y Hq; exact (get4 _ _ (I3 q y Hq))).
  assert (Nws : NoDup (map fst ws)).
  { unfold ws. rewrite <- firstn_map. apply nodup_firstn. clear - D2. induction es as [|g es IH]; [constructor|].
    cbn [TextOfChoose.new_places TextOfChoose.all_wanted flat_map] in *. fold (new_places F es) in D2. fold (all_wanted es).
    destruct (nodup_app_parts _ _ D2) as (N1 & N2 & N3). apply NoDup_cons_iff in N1. destruct N1 as [_ N1]. rewrite map_app.
    assert (Hsub : forall q, In q (map fst (wanted F cfg (kids F g))) -> In q (map fst (kids F g))).
    { intros q Hq. apply in_map_iff in Hq. destruct Hq as (y & <- & Hy). apply filter_In in Hy. exact (in_map fst _ _ (proj1 Hy)). }
    apply nodup_app; [|exact (IH N2)|].
    - clear - N1. unfold wanted. induction (kids F g) as [|y ys IH]; [constructor|]. cbn [map filter] in *. apply NoDup_cons_iff in N1.
      destruct N1 as [M1 M2]. destruct (may_be_evaluated F cfg (snd y)); [|exact (IH M2)]. cbn [map]. constructor; [|exact (IH M2)].
      intros C. apply M1. apply in_map_iff in C. destruct C as (z & Ez & Hz). apply filter_In in Hz. rewrite <- Ez. exact (in_map fst _ _ (proj1 Hz)).
    - intros q Hq C. apply (N3 q); [right; exact (Hsub q Hq)|]. apply in_map_iff in C. destruct C as ([q' y] & <- & C).
      apply in_flat_map in C. destruct C as (g' & Hg' & C). apply filter_In in C. apply in_flat_map. exists g'.
      split; [exact Hg'|]. right. exact (in_map fst _ _ (proj1 C)). }
  assert (Hnil : es = [] -> ws = []) by (intros ->; unfold ws; apply firstn_nil).
  assert (Hle : (List.length ws <= room)%nat) by (unfold ws; rewrite firstn_length; lia).
  apply goes_exec_app, goes_exec_one, goes_wp.
  eapply wp_weaken; [exact (the_text_takes_the_values F cfg fuel p at_tree h4 first_ _ _ cl2 a2 b2 _ _ x _ room _ e2 _
    v pe pv _ es ws xs0 (get4 _ _ V3) (get4 _ _ E3) (get4 _ _ W3) Hx4 Hlen I4 Nws Hnil Hle)|].
  intros how st' (-> & ->). split; [reflexivity|].
  assert (Kp : forall e, In e es -> (fst (parent F e) < List.length h1')%nat) by (intros g Hg; exact (proj1 (proj2 (K2 g Hg)))).
  assert (Kb : forall m, In m (new_places F es) -> (List.length h1' <= m)%nat) by (intros m Hm; exact (proj1 (B2 m Hm))).
  destruct (record_in_store F cfg d_pos (List.length h1') es xs0 h4 X4 D2 Kp Kb) as (es' & R & SP & X5).
  replace (combine (all_wanted es) xs0) with (combine ws xs0) in X5.
  2:{ rewrite (combine_firstn_r (all_wanted es) xs0). f_equal. rewrite Hlen. unfold ws. rewrite firstn_length.
      destruct (Nat.min_spec room (List.length (all_wanted es))) as [[C ->]|[C ->]]; [reflexivity|]. rewrite firstn_all. now apply firstn_all2. }
  set (h5 := record_all F cfg h4 (combine ws xs0)) in *.
  assert (S5 : same_but [v; pe; pv] h1' h5).
  { destruct S2 as [L2 F2], S3 as [L3 F3], S4 as [L4 F4]. split; [unfold h5; rewrite length_record_all; lia|].
    intros m Hm Nm. unfold h5. rewrite record_all_elsewhere.
    - rewrite F4 by (try lia; apply (in_nil (A := nat))).
      rewrite F3 by (try lia; intros [C|[]]; apply Nm; right; right; left; exact C). apply F2; assumption.
    - intros C. apply in_map_iff in C. destruct C as ([[q y] w] & <- & C). apply in_combine_l, Hws in C. destruct C as (g & Hg & Hy).
      cbn [fst] in Hm. pose proof (B2 q (Hone g Hg q (or_intror (in_map fst _ _ Hy)))). lia. }
  assert (T5 : tree_in own at_tree (leaves s) h5).
  { apply (tree_stays F cfg own at_tree _ h1'); [exact T1'|]. intros m Hm.
    apply S5; [exact (tree_is_there F cfg own at_tree _ h1' m T1' Hm)|]. intros C. exact (Oown m C Hm). }
  pose proof (apart_stays F cfg p cap side side_as_float own _ h1' h5 A1' S5 Np Ncap) as A5.
  set (n := complete_ones F room es (all_wanted es)) in *.
  assert (Hn : n = VisitInParts.complete F oracle cfg room ys).
  { unfold n, complete_ones, VisitInParts.complete.
    pose proof (f_equal (@List.length _) Hch1) as L1. pose proof (f_equal (@List.length _) Hch2) as L2. unfold expansions in L1.
    rewrite !map_length in L1, L2. now rewrite L1, L2. }
  assert (Hvalues : map (expansion_value F) es' = map (expansion_value F) es).
  { clear - SP. induction SP as [|g g' gs gs' (Q1 & Q2 & _) SP IH]; [reflexivity|]. cbn [map]. unfold expansion_value at 1 3. now rewrite Q1, Q2, IH. }
  assert (Hplaces : new_places F es' = new_places F es).
  { clear - SP. induction SP as [|g g' gs gs' (_ & Q2 & Q3) SP IH]; [reflexivity|]. cbn [TextOfChoose.new_places flat_map].
    fold (new_places F gs) (new_places F gs'). now rewrite Q2, Q3, IH. }
  assert (P5 : nth_error h5 kk = Some (ListObject (map (expansion_value F) (firstn n es')))).
  { rewrite <- firstn_map, Hvalues, firstn_map. unfold h5. rewrite record_all_elsewhere; [exact (get4 _ _ P3)|].
    intros C. apply in_map_iff in C. destruct C as ([[q y] w] & Eq & C). apply in_combine_l, I4 in C. cbn [fst] in Eq. subst q.
    rewrite (get4 _ _ P3) in C. discriminate C. }
  assert (Hpart : forall m, In m (new_places F (firstn n es')) -> In m (new_places F es)).
  { intros m Hm. rewrite <- Hplaces, <- (firstn_skipn n es'), new_places_app. apply in_or_app. left. exact Hm. }
  assert (D5 : NoDup (new_places F (firstn n es'))).
  { rewrite <- Hplaces, <- (firstn_skipn n es'), new_places_app in D2. exact (proj1 (nodup_app_parts _ _ D2)). }
  assert (Nk : ~ In kk own).
  { intros C. destruct Hkk as [->|Hkk]; [exact (Oown pe (or_intror (or_introl eq_refl)) C)|].
    pose proof (tree_is_there F cfg own at_tree _ h1' kk T1' C). destruct S2 as [L2 _]. lia. }
  assert (B5 : forall m, In m (new_places F (firstn n es')) -> ~ In m own /\ m <> kk /\ m <> p /\ m <> cap).
  { intros m Hm. apply Hpart, B2 in Hm. destruct A1' as ((I1 & I2) & _). pose proof (in_bounds _ _ _ I1). pose proof (in_bounds _ _ _ I2).
    split; [|split; [|split]].
    - intros C. pose proof (tree_is_there F cfg own at_tree _ h1' m T1' C). lia.
    - intros ->. destruct Hkk as [->|Hkk]; [|lia]. pose proof (Hlow pe (or_intror (or_introl eq_refl))). lia.
    - lia.
    - lia. }
  assert (X6 : forall e, In e (firstn n es') -> expansion_in F cfg h5 e).
  { intros g Hg. apply X5. rewrite <- (firstn_skipn n es'). apply in_or_app. left. exact Hg. }
  set (whole := firstn n ys). rewrite <- Hn in M7, M8, M9. fold whole in M7, M8, M9.
  assert (Hdone : map expansion_of (firstn n es') = map (finished F oracle cfg) whole).
  { rewrite <- firstn_map, <- R, Hch1. unfold xs0, asked_, whole. apply record_cut; [exact greatest|exact k_pos|exact d_pos|exact Hes| |exact M9].
    rewrite Hn. unfold VisitInParts.complete. destruct (_ <? _)%nat; lia. }
  apply goes_exec_app, goes_exec_one, goes_wp.
  eapply wp_weaken; [exact (the_text_replaces_the_leaves F oracle cfg order d_pos fuel p cap side side_as_float at_tree own (leaves s) h5
    first_ _ _ _ cl2 a2 b2 _ _ _ _ _ e2 _ kk (firstn n es') whole T5 A5 P5 Nk X6 D5 B5 Hdone M8)|].
  intros how st' (-> & own6 & h6 & e6 & -> & T6 & A6). split; [reflexivity|].
  apply goes_wp.
  eapply wp_weaken; [exact (the_text_ends_a_visit F cfg d_pos fuel p at_tree h6 first_ _ _ _ cl2 a2 b2 _ _ _ _ (room - List.length ws)%nat _ e6 _)|].
  intros how st' (-> & ->). cbv zeta.
  assert (Lws : List.length ws = List.length asked_).
  { rewrite <- (map_length request_of), Hasked. apply map_length. }
  rewrite Lws, <- M3. split.
  { replace (made_room s' =? 0)%nat with (exhausted cfg s'); [reflexivity|]. apply eq_true_iff_eq. now rewrite exhausted_left, Nat.eqb_eq. }
  exists own6, h6. do 9 eexists. split; [|split; [rewrite M7; exact T6|split; [exact A6|]]].
  { f_equal. unfold hunt_locals. rewrite M1, M2, M4, M5. unfold expands. rewrite M1.
    assert (Hsome : (match es with [] => false | _ => true end || match nu_min s with None => false | Some _ => true end)%bool =
      match last_nu F ys (nu_min s) with None => false | Some _ => true end).
    { rewrite <- (last_nu_is_some ys (nu_min s)). f_equal. pose proof (f_equal (@List.length _) Hch1) as L1. unfold expansions in L1.
      rewrite !map_length in L1. destruct es, ys; reflexivity || discriminate L1. }
    rewrite Hsome. unfold xs0. repeat f_equal. lia. }
  unfold all_seen in *. cbn [flat_map]. rewrite Hseen, M6. unfold events_seen. cbn [sweep_shown depth_shown expansions_shown asked].
  destruct (sweeps s) as [|sw]; [now contradiction Hsw|]. rewrite Hreply, Hch1, without_sweeps_happened, <- happened_before. reflexivity.
Qed.

End TextOfVisit.
