(** * hunt: one turn of the loop over the depths is [visit_depth] of Program.v. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lists Lattice Model Order PriorityQueue Program PythonSyntax Python SearchText PythonRules
  TextOfNode GeneratorRules TextOfHunter TextOfChoose TextOfHunt.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfVisit.

Context (F : floats) (H : heapq) (oracle : path -> nat -> float F) (cfg : settings).
#[local] Existing Instance greatest_float.
Context (order : total_order (less F)) (Q : priority_queue (before (less F))).

Local Notation d := (dimension cfg).
Local Notation tree := (Program.tree (float F) (less F) Q).
Local Notation variables := (Program.variables (float F) (less F) Q).
Local Notation grown := (grown F).
Local Notation expansion_of := (expansion_of F).
Local Notation all_wanted := (all_wanted F cfg).
Local Notation request_of := (request_of F).

Hypothesis d_pos : (0 < d)%nat.
Hypothesis k_pos : (1 <= half cfg)%nat.

Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call H search_py deep None) (fun v => call H search_py deep (Some v)) deep).

Variable tree_in : list nat -> nat -> tree -> store F -> Prop.
Hypothesis methods : tree_methods F H Q fuel tree_in.
Variables (p cap side : nat) (side_as_float : float F) (at_tree : nat).
Local Notation locals_at := (hunt_locals F cfg p at_tree).
Local Notation apart := (apart F cfg p cap side side_as_float).

(** What a visit shows the caller: its numbers, its expansions, and the evaluations that it asks for. *)
Record shown := Shown {
  sweep_shown : nat; t_shown : nat; depth_shown : nat;
  expansions_shown : list (expansion (float F)); asked : list (request (float F))
}.

Definition shows (v : value F) (h : store F) (w : shown) : Prop :=
  exists m tree pe pv es ws, v = VRef m /\
    nth_error h m = Some (visit_object F (VRef tree) (Z.of_nat (sweep_shown w)) (Z.of_nat (t_shown w)) (Z.of_nat (depth_shown w)) pe pv) /\
    nth_error h pe = Some (ListObject (map (expansion_value F) es)) /\ (forall e, In e es -> expansion_in F h e) /\
    expansions_shown w = map expansion_of es /\
    nth_error h pv = Some (ListObject (map (evaluation_value F) ws)) /\ in_store F h ws /\ asked w = map request_of ws.

(** The caller sends the values of the oracle, in a list or a tuple.  It may add objects to the store, and changes none. *)
Definition sends (w : shown) (h : store F) (x : value F) (h' : store F) : Prop :=
  exists more, h' = h ++ more /\ are_floats F h' x (map (reply oracle cfg) (asked w)).

Definition shown_by (k : nat) (P : variables) : shown :=
  match choose cfg Q (fst (norm_classes k (nu P) (leaves_of P))) (nu P) (left P) with
  | (es, ws, _) => Shown (sweep_number P) (t P) k es (firstn (left P) ws)
  end.

(** Each leaf is there when its turn comes. *)
Fixpoint each_leaf_is_there (tr : tree) (es : list (expansion (float F))) : Prop :=
  match es with
  | [] => True
  | (x, xs) :: rest =>
      (h_of x < List.length (levels tr))%nat /\ In (nrm_of x) (map fst (heaps (level_at (h_of x) tr))) /\
      (0 < leaf_count tr)%nat /\ (forall y, In y xs -> (h_of y <= List.length (levels tr))%nat) /\
      each_leaf_is_there (replace tr (x, xs)) rest
  end.

Lemma may_replace_if es : forall tr, each_leaf_is_there tr (map expansion_of es) -> may_replace F Q tr es.
Proof. induction es as [|e es IH]; intros tr; [easy|]. cbn. intros (L1 & L2 & L3 & L4 & L5). repeat (split; [assumption|]). now apply IH. Qed.

(** What the program supposes of a visit, and its invariants give. *)
Definition a_visit_is_possible (k : nat) (P : variables) : Prop :=
  (k < List.length (levels (leaves_of P)))%nat /\ (0 < left P)%nat /\
  (forall q x, In q (fst (norm_classes k (nu P) (leaves_of P))) -> first Q q = Some x -> List.length (c_of x) = d) /\
  match choose cfg Q (fst (norm_classes k (nu P) (leaves_of P))) (nu P) (left P) with
  | (es, ws, _) =>
      each_leaf_is_there (snd (norm_classes k (nu P) (leaves_of P)))
        (firstn (if (left P <? List.length ws)%nat then List.length es - 1 else List.length es)
           (record (less F) cfg es (map (reply oracle cfg) (firstn (left P) ws))))
  end.

(** An expansion asks for something: its first child has a new base point. *)
Lemma expansions_ask (x : entry (float F)) : requests cfg (x, children cfg x) <> [].
Proof.
  assert (E : exists n, K (half cfg) = S n) by (exists (2 * half cfg)%nat; unfold K; lia). destruct E as (n & E).
  unfold requests, children. rewrite E. cbn [snd seq map filter].
  replace (0 =? half cfg)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
  unfold may_be_evaluated at 1. cbn [past Nat.eqb]. discriminate.
Qed.

Lemma goes_exec_one {seen} (sh : value F -> store F -> seen -> Prop) (se : seen -> store F -> value F -> store F -> Prop)
  ex s log st (R : list seen -> state F -> Prop) :
  goes sh se (ex s) log st (fun log' how s' => how = Next /\ R log' s') ->
  goes sh se (exec_all ex [s]) log st (fun log' how s' => how = Next /\ R log' s').
Proof.
  intros G. cbn [exec_all]. apply goes_bind. eapply goes_weaken; [exact G|]. cbv beta. intros log' how s' [-> R'].
  apply goes_wp, wp_ret. now split.
Qed.

(** Claim [python-text]. One turn of the loop over the depths shows the caller what the program asks for, and leaves the variables and the tree of the program after [visit_depth]. *)
Theorem the_text_visits_a_depth k (P : variables) own h log first_ visit_ classes_ a b complete values e :
  a_visit_is_possible k P -> tree_in own at_tree (leaves_of P) h -> apart own h ->
  goes shows sends (exec_all exec (body_of depth_loop)) log
    (State (locals_at first_ (Z.of_nat (sweep_number P)) (Some (VInt (Z.of_nat k))) visit_ classes_ a b (Some (nu_value F (nu P)))
              complete values (f_least P) (Z.of_nat (left P)) (expanded P) e (Z.of_nat (t P))) h)
    (fun log' how s' => let P' := visit_depth (less F) oracle cfg Q k P in
       how = (if (left P' =? 0)%nat then Broken else Next) /\ log' = shown_by k P :: log /\
       exists own' h' visit' classes' a' b' complete' values' e',
         s' = State (locals_at first_ (Z.of_nat (sweep_number P')) (Some (VInt (Z.of_nat k))) visit' classes' a' b' (Some (nu_value F (nu P')))
                       complete' values' (f_least P') (Z.of_nat (left P')) (expanded P') e' (Z.of_nat (t P'))) h' /\
         tree_in own' at_tree (leaves_of P') h' /\ apart own' h').
Proof.
  intros (Hk & Hleft & Hc & Hmay) Ht Ha. rewrite the_body_of_the_loop_over_depths.
  apply goes_exec_app, goes_wp. eapply wp_weaken; [exact (the_text_begins_a_visit F H cfg order Q d_pos fuel tree_in methods p cap side side_as_float at_tree
    own (leaves_of P) h first_ _ k visit_ classes_ a b (nu P) complete values (f_least P) (Z.of_nat (left P)) (expanded P) e _ Ht Ha Hk Hc)|].
  intros how s' (-> & own1 & h1 & v & pe & pv & c & rs & -> & T1 & A1 & R1 & O1). split; [reflexivity|].
  apply goes_exec_app, goes_exec_one, goes_wp.
  eapply wp_weaken; [exact (the_text_chooses_as_lines_4_to_9 F H cfg Q d_pos fuel p cap side side_as_float at_tree v pe pv c h1 (VRef at_tree)
    _ _ _ rs _ (nu P) (left P) _ first_ complete values (f_least P) (expanded P) _ a b e R1 Hleft)|].
  intros how s' (-> & es & nu' & h2 & a2 & b2 & e2 & -> & (S2 & V2 & E2 & W2 & X2 & D2 & B2 & K2) & Hch). split; [reflexivity|].
  pose proof R1 as (_ & _ & _ & _ & _ & Nd & Np & Ncap & _).
  unfold shown_by, visit_depth. rewrite (surjective_pairing (norm_classes k (nu P) (leaves_of P))), Hch in *. cbn [fst snd] in *.
  apply goes_exec_app, goes_wp. unfold locals_with.
  eapply wp_weaken; [exact (the_text_cuts_a_visit F H cfg d_pos fuel p at_tree h2 first_ _ _ _ a2 b2 _ complete values (f_least P) (left P)
    (expanded P) e2 _ v pe pv _ es (all_wanted es) V2 E2 W2 Nd)|].
  intros how s' (-> & kk & h3 & -> & S3 & Hkk & P3 & W3). split; [reflexivity|].
  assert (Hlow : forall m, In m [v; pe; pv] -> (m < List.length h1)%nat).
  { destruct R1 as (V1 & E1 & W1 & _). intros m [<-|[<-|[<-|[]]]]; [exact (in_bounds _ _ _ V1)|exact (in_bounds _ _ _ E1)|exact (in_bounds _ _ _ W1)]. }
  assert (Nv : ~ In v [pv] /\ ~ In pe [pv]).
  { apply NoDup_cons_iff in Nd. destruct Nd as [N1 N2]. apply NoDup_cons_iff in N2. destruct N2 as [N2 _]. cbn in *. tauto. }
  destruct Nv as [Nv Npe].
  assert (Hone : forall e, In e es -> forall m, In m (list_at F e :: map fst (kids F e)) -> In m (new_places F es)).
  { intros g Hg m Hm. apply in_flat_map. exists g. exact (conj Hg Hm). }
  assert (X3 : forall e, In e es -> expansion_in F h3 e).
  { intros g Hg. apply (expansion_stays F [pv] h2 h3 g (X2 g Hg) S3).
    - intros [C|[]]. destruct (K2 g Hg) as (_ & _ & N). apply N. rewrite <- C. right. right. left. reflexivity.
    - intros m Hm [C|[]]. pose proof (B2 m (Hone g Hg m Hm)). pose proof (Hlow pv (or_intror (or_intror (or_introl eq_refl)))). lia. }
  pose proof (same_but_get _ _ _ _ _ S3 V2 Nv) as V3. pose proof (same_but_get _ _ _ _ _ S3 E2 Npe) as E3.
  set (ws := firstn (left P) (all_wanted es)) in *.
  assert (Hws : forall q y, In (q, y) ws -> exists e, In e es /\ In (q, y) (kids F e)).
  { intros q y Hq. assert (Hq' : In (q, y) (all_wanted es)).
    { rewrite <- (firstn_skipn (left P) (all_wanted es)). apply in_or_app. left. exact Hq. }
    apply in_flat_map in Hq'. destruct Hq' as (g & Hg & Hq'). apply filter_In in Hq'. exists g. exact (conj Hg (proj1 Hq')). }
  assert (I3 : in_store F h3 ws).
  { intros q y Hq. destruct (Hws q y Hq) as (g & Hg & Hy). exact (proj2 (proj2 (X3 g Hg)) q y Hy). }
  apply goes_exec_app, goes_exec_one.
  eapply (the_text_asks_for_values F H cfg fuel p at_tree shows sends) with
    (what := Shown (sweep_number P) (t P) k (map expansion_of es) (firstn (left P) (map request_of (all_wanted es)))).
  { exists v, at_tree, pe, pv, es, ws. cbn [sweep_shown t_shown depth_shown expansions_shown asked].
    rewrite firstn_map. exact (conj eq_refl (conj V3 (conj E3 (conj X3 (conj eq_refl (conj W3 (conj I3 eq_refl))))))). }
  intros x h4 (more & -> & Hx). cbn [asked] in Hx. split; [reflexivity|].
  set (xs := map (reply oracle cfg) (firstn (left P) (map request_of (all_wanted es)))) in *.
  assert (Hlen : List.length xs = List.length ws) by (unfold xs, ws; now rewrite map_length, !firstn_length, map_length).
  pose proof (same_but_app [] h3 more) as S4. set (h4 := h3 ++ more) in *.
  assert (get4 : forall m o, nth_error h3 m = Some o -> nth_error h4 m = Some o) by (intros m o Ho; exact (nth_error_app_old _ _ _ _ Ho)).
  assert (X4 : forall e, In e es -> expansion_in F h4 e).
  { intros g Hg. destruct (X3 g Hg) as (Y1 & Y2 & Y3). exact (conj (get4 _ _ Y1) (conj (get4 _ _ Y2) (fun q y Hq => get4 _ _ (Y3 q y Hq)))). }
  assert (I4 : in_store F h4 ws) by (intros q y Hq; exact (get4 _ _ (I3 q y Hq))).
  assert (Nws : NoDup (map fst ws)).
  { unfold ws. rewrite <- firstn_map. apply nodup_firstn. clear - D2. induction es as [|g es IH]; [constructor|].
    cbn [TextOfChoose.new_places TextOfChoose.all_wanted flat_map] in *. fold (new_places F es) in D2. fold (all_wanted es).
    destruct (nodup_parts _ _ D2) as (N1 & N2 & N3). apply NoDup_cons_iff in N1. destruct N1 as [_ N1]. rewrite map_app.
    assert (Hsub : forall q, In q (map fst (wanted F cfg (kids F g))) -> In q (map fst (kids F g))).
    { intros q Hq. apply in_map_iff in Hq. destruct Hq as (y & <- & Hy). apply filter_In in Hy. exact (in_map fst _ _ (proj1 Hy)). }
    apply nodup_app; [|exact (IH N2)|].
    - clear - N1. unfold wanted. induction (kids F g) as [|y ys IH]; [constructor|]. cbn [map filter] in *. apply NoDup_cons_iff in N1.
      destruct N1 as [M1 M2]. destruct (may_be_evaluated cfg (snd y)); [|exact (IH M2)]. cbn [map]. constructor; [|exact (IH M2)].
      intros C. apply M1. apply in_map_iff in C. destruct C as (z & Ez & Hz). apply filter_In in Hz. rewrite <- Ez. exact (in_map fst _ _ (proj1 Hz)).
    - intros q Hq C. apply (N3 q); [right; exact (Hsub q Hq)|]. apply in_map_iff in C. destruct C as ([q' y] & <- & C).
      apply in_flat_map in C. destruct C as (g' & Hg' & C). apply filter_In in C. apply in_flat_map. exists g'.
      split; [exact Hg'|]. right. exact (in_map fst _ _ (proj1 C)). }
  assert (Hes : es = [] -> ws = []) by (intros ->; unfold ws; apply firstn_nil).
  assert (Hle : (List.length ws <= left P)%nat) by (unfold ws; rewrite firstn_length; lia).
  apply goes_exec_app, goes_exec_one, goes_wp.
  eapply wp_weaken; [exact (the_text_takes_the_values F H cfg fuel p at_tree h4 first_ _ _ _ a2 b2 _ _ x (f_least P) (left P) (expanded P) e2 _
    v pe pv _ es ws xs (get4 _ _ V3) (get4 _ _ E3) (get4 _ _ W3) Hx Hlen I4 Nws Hes Hle)|].
  intros how s' (-> & ->). split; [reflexivity|].
  assert (Kp : forall e, In e es -> (fst (parent F e) < List.length h1)%nat) by (intros g Hg; exact (proj1 (proj2 (K2 g Hg)))).
  assert (Kb : forall m, In m (new_places F es) -> (List.length h1 <= m)%nat) by (intros m Hm; exact (proj1 (B2 m Hm))).
  destruct (record_in_store F cfg d_pos (List.length h1) es xs h4 X4 D2 Kp Kb) as (es' & R & SP & X5).
  replace (combine (all_wanted es) xs) with (combine ws xs) in X5.
  2:{ rewrite (combine_firstn_r (all_wanted es) xs). f_equal. rewrite Hlen. unfold ws. rewrite firstn_length.
      destruct (Nat.min_spec (left P) (List.length (all_wanted es))) as [[C ->]|[C ->]]; [reflexivity|]. rewrite firstn_all. now apply firstn_all2. }
  set (h5 := record_all F h4 (combine ws xs)) in *.
  assert (S5 : same_but [v; pe; pv] h1 h5).
  { destruct S2 as [L2 F2], S3 as [L3 F3], S4 as [L4 F4]. split; [unfold h5; rewrite length_record_all; lia|].
    intros m Hm Nm. unfold h5. rewrite record_all_elsewhere.
    - rewrite F4 by (try lia; apply (in_nil (A := nat))).
      rewrite F3 by (try lia; intros [C|[]]; apply Nm; right; right; left; exact C). apply F2; assumption.
    - intros C. apply in_map_iff in C. destruct C as ([[q y] w] & <- & C). apply in_combine_l, Hws in C. destruct C as (g & Hg & Hy).
      cbn [fst] in Hm. pose proof (B2 q (Hone g Hg q (or_intror (in_map fst _ _ Hy)))). lia. }
  assert (T5 : tree_in own1 at_tree (snd (norm_classes k (nu P) (leaves_of P))) h5).
  { apply (tree_stays F H Q fuel tree_in methods own1 at_tree _ h1); [exact T1|]. intros m Hm.
    apply S5; [exact (tree_is_there F H Q fuel tree_in methods own1 at_tree _ h1 m T1 Hm)|]. intros C. exact (O1 m C Hm). }
  pose proof (apart_stays F cfg p cap side side_as_float own1 _ h1 h5 A1 S5 Np Ncap) as A5.
  set (n := complete_ones F (left P) es (all_wanted es)) in *.
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
  { rewrite <- Hplaces, <- (firstn_skipn n es'), new_places_app in D2. exact (proj1 (nodup_parts _ _ D2)). }
  assert (Nk : ~ In kk own1).
  { intros C. destruct Hkk as [->|Hkk]; [exact (O1 pe (or_intror (or_introl eq_refl)) C)|].
    pose proof (tree_is_there F H Q fuel tree_in methods own1 at_tree _ h1 kk T1 C). destruct S2 as [L2 _]. lia. }
  assert (B5 : forall m, In m (new_places F (firstn n es')) -> ~ In m own1 /\ m <> kk /\ m <> p /\ m <> cap).
  { intros m Hm. apply Hpart, B2 in Hm. destruct A1 as ((I1 & I2) & _). pose proof (in_bounds _ _ _ I1). pose proof (in_bounds _ _ _ I2).
    split; [|split; [|split]].
    - intros C. pose proof (tree_is_there F H Q fuel tree_in methods own1 at_tree _ h1 m T1 C). lia.
    - intros ->. destruct Hkk as [->|Hkk]; [|lia]. pose proof (Hlow pe (or_intror (or_introl eq_refl))). lia.
    - lia.
    - lia. }
  assert (X6 : forall e, In e (firstn n es') -> expansion_in F h5 e).
  { intros g Hg. apply X5. rewrite <- (firstn_skipn n es'). apply in_or_app. left. exact Hg. }
  rewrite !map_length in Hmay. fold xs in Hmay. rewrite R, firstn_map in Hmay.
  change (if (left P <? List.length (all_wanted es))%nat then (List.length es - 1)%nat else List.length es) with n in Hmay.
  apply goes_exec_app, goes_exec_one, goes_wp.
  eapply wp_weaken; [exact (the_text_replaces_the_leaves F H cfg Q d_pos fuel tree_in methods p cap side side_as_float at_tree own1 _ h5
    first_ _ _ _ _ a2 b2 _ _ _ _ _ e2 _ kk (firstn n es') T5 A5 P5 Nk X6 D5 B5 (may_replace_if _ _ Hmay))|].
  intros how s' (-> & own6 & h6 & e6 & -> & T6 & A6 & _). split; [reflexivity|].
  apply goes_wp.
  eapply wp_weaken; [exact (the_text_ends_a_visit F H cfg d_pos fuel p at_tree h6 first_ _ _ _ _ a2 b2 _ _ _ _ (left P - List.length ws)%nat _ e6 _)|].
  intros how s' (-> & ->).
  assert (Hasked : List.length (firstn (left P) (map request_of (all_wanted es))) = List.length ws)
    by (unfold ws; now rewrite !firstn_length, map_length).
  assert (Hsome : match firstn (left P) (map request_of (all_wanted es)) with [] => false | _ => true end =
                  match es with [] => false | _ => true end).
  { destruct es as [|g es0]; [cbn; now rewrite firstn_nil|].
    assert (Hg : map request_of (wanted F cfg (kids F g)) <> []).
    { unfold TextOfChoose.request_of. rewrite (wanted_are_requests F cfg (snd (parent F g))), (proj1 (K2 g (or_introl eq_refl))). apply expansions_ask. }
    cbn [TextOfChoose.all_wanted flat_map]. destruct (wanted F cfg (kids F g)); [now contradiction Hg|]. destruct (left P); [lia|]. reflexivity. }
  cbv zeta. rewrite Hch. cbn [left leaves_of nu f_least expanded t sweep_number]. rewrite Hasked, Hsome. split; [reflexivity|]. split; [reflexivity|].
  exists own6, h6. do 7 eexists. split.
  { f_equal. unfold hunt_locals. repeat f_equal. rewrite Nat2Z.inj_succ. lia. }
  split; [|exact A6]. rewrite !map_length. fold xs. rewrite R, firstn_map.
  change (if (left P <? List.length (all_wanted es))%nat then (List.length es - 1)%nat else List.length es) with n.
  destruct es as [|g es0]; [|exact T6]. inversion SP; subst es'. rewrite firstn_nil in T6. exact T6.
Qed.

End TextOfVisit.
