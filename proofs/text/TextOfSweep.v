(** * hunt: the loops over the depths and over the sweeps are those of the model. *)

From Coq Require Import Permutation String.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order Steps RunsEnd PythonNodes VisitInParts.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules TextOfNode GeneratorRules TreeInStore TextOfHunter TextOfChoose
  TextOfHunt TextOfVisit.
Open Scope Z_scope.
Open Scope list_scope.

Lemma wp_field {F : floats} modules l c fields a v ns (h : store F) (Q : value F -> state F -> Prop) :
  nth_error h l = Some (Instance c fields) -> find a fields = Some v -> Q v (State ns h) ->
  wp (get_attribute modules (VRef l) a) (State ns h) Q.
Proof. intros Hl Hf HQ. apply wp_bind. apply (wp_get_object l _ ns h _ Hl). rewrite Hf. exact HQ. Qed.

Section TextOfSweep.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings) (order : total_order (less F)).
Hypothesis greatest : forall a : float F, a = Python.infinity F \/ less F a (Python.infinity F) = true.
Hypothesis d_pos : (1 <= dimension cfg)%nat.
Hypothesis k_pos : (1 <= half cfg)%nat.
Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call search_py deep None) (fun v => call search_py deep (Some v)) deep).
Variables (p cap side : nat) (side_as_float : float F) (at_tree : nat).
Local Notation shows := (shows F cfg).
Local Notation sends := (sends F oracle cfg).
Local Notation shown := (shown F).
Local Notation reached := (reached (less F) oracle cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation visit := (visit (less F) oracle cfg).
Local Notation visits := (visits (less F) oracle cfg).
Local Notation variables_are := (variables_are F oracle cfg p cap side side_as_float at_tree).
Local Notation str s := (s%string) (only parsing).

(** ** The tree gets no shallower *)

Lemma deepest_permutation (xs ys : list (leaf (float F))) : Permutation xs ys -> deepest xs = deepest ys.
Proof. induction 1; cbn [deepest]; lia. Qed.

Lemma replacing_deepens ys : forall xs, in_turn F oracle cfg ys xs ->
  (deepest xs <= deepest (fold_left (fun xs y => replaced F oracle cfg y xs) ys xs))%nat /\
  (xs <> [] -> fold_left (fun xs y => replaced F oracle cfg y xs) ys xs <> []).
Proof.
  induction ys as [|y ys IH]; intros xs H; [now split|]. destruct H as (E & _ & (others & P1 & P2) & H). cbn [fold_left].
  destruct (IH _ H) as [I1 I2].
  assert (Hc : In (node_at (less F) oracle cfg (0%nat :: place y)) (map (node_at (less F) oracle cfg) (Nodes.children cfg (place y)))).
  { apply in_map, in_children. exists 0%nat. split; [unfold K; lia|reflexivity]. }
  assert (Dy : depth y = List.length (place y)) by (rewrite E at 1; apply depth_node_at).
  split.
  - etransitivity; [|exact I1]. rewrite (deepest_permutation _ _ P1), (deepest_permutation _ _ P2).
    apply deepest_at_most. intros x [<-|Hx]; [|apply depth_le_deepest, in_or_app; now right].
    etransitivity; [|apply depth_le_deepest, in_or_app; left; exact Hc]. rewrite depth_node_at, Dy. cbn. lia.
  - intros _. apply I2. intros C. rewrite C in P2. apply Permutation_nil in P2. apply app_eq_nil in P2. destruct P2 as [P2 _].
    rewrite P2 in Hc. destruct Hc.
Qed.

Definition a_leaf_is_there (s : Model.state (float F)) : Prop := leaves s <> [].

Lemma depths_of_leaves s : a_leaf_is_there s -> depths_of F (leaves s) = S (deepest (leaves s)).
Proof. unfold a_leaf_is_there. now destruct (leaves s). Qed.

Lemma visit_deepens l s : reached s -> exhausted s = false -> (l <= h_max cfg)%nat -> a_leaf_is_there s ->
  reached (visit l s) /\ (deepest (leaves s) <= deepest (leaves (visit l s)))%nat /\ a_leaf_is_there (visit l s) /\
  sweeps (visit l s) = sweeps s.
Proof.
  intros Hr Hx Hl Ha. destruct (a_visit_in_parts F oracle cfg order k_pos d_pos l s Hr Hx Hl)
    as (_ & _ & Hr' & _ & _ & _ & _ & M5 & _ & M7 & M8 & _).
  destruct (replacing_deepens _ _ M8) as [D1 D2]. split; [exact Hr'|]. unfold a_leaf_is_there. rewrite M7. auto.
Qed.

(** Claim [python-text]. The loop over the depths makes the visits of a sweep of the model. *)
Theorem the_text_visits_the_depths s log st :
  let n := S (limit cfg s) in
  reached s -> exhausted s = false -> a_leaf_is_there s -> sweeps s <> 0%nat -> variables_are s log st ->
  goes shows sends (exec depth_loop) log st
    (fun log' how st' => how = Next /\ variables_are (visits n 0 s) log' st' /\ a_leaf_is_there (visits n 0 s)).
Proof.
  cbv zeta. set (n := S (limit cfg s)). intros Hr Hx Hleaf Hsw Hvar.
  pose proof Hvar as (own & h & first_ & l & visit_ & cl & a & b & complete & values & e & -> & Ht & Ha & Hseen).
  destruct (depth_is_there F cfg own at_tree _ h Ht) as (fields & Hobj & Hdepth).
  let c := eval vm_compute in depth_loop in change depth_loop with c. unfold hunt_locals. generator_step. generator_step.
  repeat lazymatch goal with |- wp (get_attribute _ (VRef at_tree) _) _ _ => eapply (wp_field _ _ _ _ _ _ _ _ _ Hobj Hdepth) | _ => step end.
  run_builtin. run.
  match goal with |- context [if ?c then VInt ?x else VInt ?y] => replace (if c then VInt x else VInt y) with (@VInt F (Z.of_nat (limit cfg s))) end.
  2:{ unfold limit. destruct (Z.ltb_spec (Z.of_nat (h_max cfg)) (Z.of_nat (deepest (leaves s)))); f_equal; lia. }
  run. run_builtin. run.
  replace (Z.to_nat (Z.of_nat (limit cfg s) + 1)) with n by (unfold n; lia).
  pose (inv := fun i (log' : list shown) (st' : state F) => exists si, variables_are si log' st' /\ reached si /\ exhausted si = false /\
    a_leaf_is_there si /\ sweeps si <> 0%nat /\ (deepest (leaves s) <= deepest (leaves si))%nat /\ visits n 0 s = visits (n - i) i si).
  pose (out := fun (log' : list shown) (st' : state F) => variables_are (visits n 0 s) log' st' /\ a_leaf_is_there (visits n 0 s)).
  apply (goes_loop shows sends) with (inv := inv) (out := out).
  - reflexivity.
  - intros i item log' st' Hi (si & Hv & Hri & Hxi & Hleafi & Hswi & Hd & Hn).
    assert (Hin : (i < n)%nat). { pose proof (in_bounds _ _ _ Hi) as B. unfold integers in B. rewrite map_length, seq_length in B. exact B. }
    unfold integers in Hi. rewrite nth_error_map, (nth_error_nth' _ 0%nat), seq_nth in Hi by (rewrite ?seq_length; lia).
    injection Hi as <-. cbn [Nat.add].
    assert (Hl : (i <= h_max cfg)%nat /\ (i <= deepest (leaves s))%nat) by (unfold n, limit in Hin; lia).
    replace (n - i)%nat with (S (n - S i)) in Hn by lia. cbn [Model.visits] in Hn. rewrite Hxi in Hn.
    destruct (visit_deepens i si Hri Hxi ltac:(lia) Hleafi) as (V1 & V2 & V3 & V4).
    destruct Hv as (own' & h' & first' & l' & visit' & cl' & a' & b' & complete' & values' & e' & -> & T' & A' & Seen').
    apply goes_bind_wp. unfold hunt_locals. repeat step.
    eapply goes_weaken; [apply (the_text_visits_a_depth F oracle cfg order greatest d_pos k_pos fuel p cap side side_as_float at_tree
      i si log' _ Hri Hxi ltac:(lia))|].
    + rewrite (depths_of_leaves si Hleafi). lia.
    + exact Hswi.
    + do 10 eexists. exact (conj eq_refl (conj T' A')).
    + exact Seen'.
    + cbv beta zeta. intros log2 how s2 (-> & Hv2). destruct (exhausted (visit i si)) eqn:Ex.
      * right. split; [reflexivity|]. assert (E : visits n 0 s = visit i si).
        { rewrite Hn. destruct (n - S i)%nat; cbn [Model.visits]; [reflexivity|now rewrite Ex]. }
        unfold out. rewrite E. now split.
      * left. split; [reflexivity|]. exists (visit i si). split; [exact Hv2|]. split; [exact V1|]. split; [exact Ex|]. split; [exact V3|].
        split; [congruence|]. split; [lia|exact Hn].
  - exists s. rewrite Nat.sub_0_r. repeat (split; [auto|]). reflexivity.
  - intros log' st' [(si & Hv & _ & _ & Hleafi & _ & _ & Hn)|O]; [|exact (conj eq_refl O)].
    unfold integers in Hn. rewrite map_length, seq_length, Nat.sub_diag in Hn. cbn [Model.visits] in Hn. rewrite Hn.
    exact (conj eq_refl (conj Hv Hleafi)).
Qed.

(** ** The loop of line 1 *)

(** As [variables_are], whatever nu_min is, with a variable [expanded]. *)
Definition variables_before (s : Model.state (float F)) (expanded : bool) (log : list shown) (st : state F) : Prop :=
  exists own h first_ l visit_ cl a b nu_ complete values e,
    st = State (hunt_locals F cfg p at_tree first_ (Z.of_nat (sweeps s)) l visit_ cl a b nu_
                  complete values (Model.answer s) (Z.of_nat (budget cfg - made s)) expanded e (Z.of_nat (S (iterations s)))) h /\
    tree_in F cfg own at_tree (leaves s) h /\ apart F cfg p cap side side_as_float own h /\ all_seen F oracle cfg log s.

Local Notation run_for := (run_for (less F) oracle cfg).
Local Notation sweep := (sweep (less F) oracle cfg).

(** Claim [python-text]. The loop of line 1 makes the sweeps of the model, and comes to an end. *)
Theorem the_text_sweeps_while_it_expands n s log st :
  (budget cfg - made s < deep)%nat -> (budget cfg - made s <= n)%nat -> reached s -> a_leaf_is_there s ->
  variables_before s true log st ->
  goes shows sends (exec sweep_loop) log st
    (fun log' how st' => how = Next /\ exists expanded, variables_before (run_for n s) expanded log' st').
Proof.
  intros Hfuel Hn Hr Hleaf Hvar.
  change sweep_loop with (While (BoolOp And [Compare (Name (str "left")) [Gt] [Constant (PInt 0)]; Name (str "expanded")])
    [nth 0 (body_of sweep_loop) Break; depth_loop]).
  lazymatch goal with |- goes ?a ?b (Python.exec ?m ?c ?cm ?f (While ?test ?body)) ?l ?s0 ?R =>
    change (goes a b (repeat_while f (eval_truth (Python.eval m c cm) test) (exec_all (Python.exec m c cm f) body)) l s0 R) end.
  pose (inv := fun m (log' : list shown) (st' : state F) => exists si (ex : bool), variables_before si ex log' st' /\ reached si /\ a_leaf_is_there si /\
    m = (if ex then budget cfg - made si else 0)%nat /\
    if ex then exists j, (budget cfg - made si <= j)%nat /\ run_for n s = run_for j si else run_for n s = si).
  pose (out := fun (log' : list shown) (st' : state F) => exists ex, variables_before (run_for n s) ex log' st').
  apply (goes_while shows sends) with (inv := inv) (out := out) (n := (budget cfg - made s)%nat).
  - intros m log' st' (si & ex & Hv & Hri & Hleafi & -> & Hrest).
    pose proof Hv as (own & h & first_ & l & visit_ & cl & a & b & nu_ & complete & values & e & -> & T1 & A1 & Seen).
    apply goes_wp. unfold hunt_locals. run.
    assert (El : (0 <? Z.of_nat (budget cfg - made si)) = negb (exhausted si)).
    { apply eq_true_iff_eq. rewrite Z.ltb_lt, negb_true_iff, <- not_true_iff_false, exhausted_left. lia. }
    rewrite El. destruct (exhausted si) eqn:Ex; cbn [negb]; run.
    { unfold out. assert (E : run_for n s = si).
      { destruct ex; [|exact Hrest]. destruct Hrest as (j & _ & ->). destruct j; cbn [Model.run_for]; [reflexivity|now rewrite Ex]. }
      rewrite E. now exists ex. }
    destruct ex; run.
    2:{ unfold out. rewrite Hrest. now exists false. }
    destruct Hrest as (j & Hj & Hrest). assert (Hpos : (budget cfg - made si <> 0)%nat).
    { intros C. apply exhausted_left in C. congruence. }
    destruct j as [|j]; [lia|]. cbn [Model.run_for] in Hrest. rewrite Ex in Hrest.
    cbn [exec_all]. apply goes_bind_wp.
    let c := eval vm_compute in (nth 0 (body_of sweep_loop) Break) in change (nth 0 (body_of sweep_loop) Break) with c.
    run. apply goes_bind.
    eapply goes_weaken; [apply (the_text_visits_the_depths (begin_sweep cfg si)); [|exact Ex|exact Hleafi|cbn; lia|]|].
    { eapply reached_steps; [exact Hri|]. now apply step_sweep. }
    { do 11 eexists. split; [|split; [exact T1|split; [exact A1|]]].
      - cbn [begin_sweep sweeps nu_min Model.answer made iterations expands]. unfold hunt_locals, expands. cbn [nu_min begin_sweep]. repeat f_equal. lia.
      - unfold all_seen in *. cbn [begin_sweep Model.log without_sweeps filter is_no_sweep]. exact Seen. }
    intros log2 how s2 (-> & Hv2 & Hleaf2). change (visits (S (limit cfg (begin_sweep cfg si))) 0 (begin_sweep cfg si)) with (sweep si) in *.
    pose proof (reached_leaves_are_nodes (less F) oracle cfg si Hri) as Hnodes.
    destruct Hv2 as (own2 & h2 & f2 & l2 & v2 & cl2 & a2 & b2 & co2 & va2 & e2 & -> & T2 & A2 & Seen2).
    apply goes_wp. run. left. split; [reflexivity|]. 
    pose proof (a_sweep_that_expands_evaluates (less F) oracle cfg k_pos si Ex Hnodes) as Hless.
    exists (if expands F (sweep si) then budget cfg - made (sweep si) else 0)%nat. split.
    { unfold expands. destruct (nu_min (sweep si)); [|lia]. specialize (Hless ltac:(discriminate)). lia. }
    exists (sweep si), (expands F (sweep si)). split.
    { do 12 eexists. exact (conj eq_refl (conj T2 (conj A2 Seen2))). }
    split; [eapply reached_steps; [exact Hri|]; now apply sweep_steps|]. split; [exact Hleaf2|]. split; [reflexivity|].
    unfold expands. cbv zeta in Hrest. destruct (nu_min (sweep si)); [|exact Hrest].
    exists j. split; [specialize (Hless ltac:(discriminate)); lia|exact Hrest].
  - exists s, true. split; [exact Hvar|]. split; [exact Hr|]. split; [exact Hleaf|]. split; [reflexivity|]. exists n. now split.
  - exact Hfuel.
  - intros log' st' O. exact (conj eq_refl O).
Qed.

End TextOfSweep.
