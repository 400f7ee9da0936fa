(** * hunt: the loops over the depths and over the sweeps are those of Program.v. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lists Lattice Model Order PriorityQueue Program PythonSyntax Python SearchText PythonRules
  TextOfNode GeneratorRules TextOfHunter TextOfChoose TextOfHunt TextOfVisit.
Import ListNotations.
Open Scope Z_scope.
Open Scope list_scope.

Lemma wp_field {F : floats} modules l c fields a v ns (h : store F) (Q : value F -> state F -> Prop) :
  nth_error h l = Some (Instance c fields) -> find a fields = Some v -> Q v (State ns h) ->
  wp (get_attribute modules (VRef l) a) (State ns h) Q.
Proof. intros Hl Hf HQ. apply wp_bind. apply (wp_get_object l _ ns h _ Hl). rewrite Hf. exact HQ. Qed.

Section TextOfSweep.

Context (F : floats) (H : heapq) (oracle : path -> nat -> float F) (cfg : settings).
#[local] Existing Instance greatest_float.
Context (order : total_order (less F)) (Q : priority_queue (before (less F))).
Local Notation variables := (Program.variables (float F) (less F) Q).
Hypothesis d_pos : (0 < dimension cfg)%nat.
Hypothesis k_pos : (1 <= half cfg)%nat.
Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call H search_py deep None) (fun v => call H search_py deep (Some v)) deep).
Variable tree_in : list nat -> nat -> Program.tree (float F) (less F) Q -> store F -> Prop.
Hypothesis methods : tree_methods F H Q fuel tree_in.
Variables (p cap side : nat) (side_as_float : float F) (at_tree : nat).
Local Notation locals_at := (hunt_locals F cfg p at_tree).
Local Notation apart := (apart F cfg p cap side side_as_float).
Local Notation shows := (shows F).
Local Notation sends := (sends F oracle cfg).
Local Notation visit_depth := (visit_depth (less F) oracle cfg Q).
Local Notation visit_depths := (visit_depths (less F) oracle cfg Q).
Local Notation shown_by := (shown_by F cfg Q).
Local Notation str s := (s%string) (only parsing).
Local Notation possible := (a_visit_is_possible F oracle cfg Q).

(** What n visits from depth l on show, the latest first, and that each is possible. *)
Fixpoint shown_depths (n l : nat) (P : variables) : list (shown F) :=
  match n with
  | 0%nat => []
  | S n' => let P' := visit_depth l P in (if (left P' =? 0)%nat then [] else shown_depths n' (S l) P') ++ [shown_by l P]
  end.
Fixpoint visits_are_possible (n l : nat) (P : variables) : Prop :=
  match n with
  | 0%nat => True
  | S n' => possible l P /\ let P' := visit_depth l P in if (left P' =? 0)%nat then True else visits_are_possible n' (S l) P'
  end.

(** The variables of the program are those of the text, and its tree lies in the store. *)
Definition variables_are (P : variables) (s : state F) : Prop :=
  exists own h first_ l visit_ classes_ a b complete values e,
    s = State (locals_at first_ (Z.of_nat (sweep_number P)) l visit_ classes_ a b (Some (nu_value F (nu P)))
                 complete values (f_least P) (Z.of_nat (left P)) (expanded P) e (Z.of_nat (t P))) h /\
    tree_in own at_tree (leaves_of P) h /\ apart own h.

(** Claim [python-text]. The loop over the depths makes the visits of [visit_depths]. *)
Theorem the_text_visits_the_depths (P : variables) s log :
  let n := S (Nat.min (depth_of (leaves_of P)) (h_max cfg)) in
  visits_are_possible n 0 P -> variables_are P s ->
  goes shows sends (exec depth_loop) log s
    (fun log' how s' => how = Next /\ log' = shown_depths n 0 P ++ log /\ variables_are (visit_depths n 0 P) s').
Proof.
  cbv zeta. set (n := S _). intros Hpos (own & h & first_ & l & visit_ & classes_ & a & b & complete & values & e & -> & Ht & Ha).
  destruct (depth_is_there F H Q fuel tree_in methods own at_tree _ h Ht) as (fields & Hobj & Hdepth).
  let c := eval vm_compute in depth_loop in change depth_loop with c. unfold hunt_locals. generator_step. generator_step.
  repeat lazymatch goal with |- wp (get_attribute _ (VRef at_tree) _) _ _ => eapply (wp_field _ _ _ _ _ _ _ _ _ Hobj Hdepth) | _ => step end.
  run_builtin. run.
  match goal with |- context [if ?c then VInt ?x else VInt ?y] => replace (if c then VInt x else VInt y) with (@VInt F (Z.of_nat (Nat.min (depth_of (leaves_of P)) (h_max cfg)))) end.
  2:{ destruct (Z.ltb_spec (Z.of_nat (h_max cfg)) (Z.of_nat (depth_of (leaves_of P)))); f_equal; lia. }
  run. run_builtin. run.
  replace (Z.to_nat (Z.of_nat (Nat.min (depth_of (leaves_of P)) (h_max cfg)) + 1)) with n by (unfold n; lia).
  pose (inv := fun i (log' : list (shown F)) (s' : state F) => exists Pi, variables_are Pi s' /\ visits_are_possible (n - i) i Pi /\
    shown_depths n 0 P ++ log = shown_depths (n - i) i Pi ++ log' /\ visit_depths n 0 P = visit_depths (n - i) i Pi).
  pose (out := fun (log' : list (shown F)) (s' : state F) => log' = shown_depths n 0 P ++ log /\ variables_are (visit_depths n 0 P) s').
  apply (goes_loop shows sends) with (inv := inv) (out := out).
  - reflexivity.
  - intros i item log' s' Hi (Pi & (own' & h' & first' & l' & visit' & classes' & a' & b' & complete' & values' & e' & -> & T' & A') & Hp & Hs & Hv).
    assert (Hin : (i < n)%nat). { pose proof (in_bounds _ _ _ Hi) as B. unfold integers in B. rewrite map_length, seq_length in B. exact B. }
    unfold integers in Hi. rewrite nth_error_map, (nth_error_nth' _ 0%nat), seq_nth in Hi by (rewrite ?seq_length; lia).
    injection Hi as <-. cbn [Nat.add].
    replace (n - i)%nat with (S (n - S i)) in Hp, Hs, Hv by lia. cbn [visits_are_possible shown_depths Program.visit_depths] in Hp, Hs, Hv. cbv zeta in Hp, Hs, Hv.
    destruct Hp as [Hp1 Hp2].
    apply goes_bind_wp. unfold hunt_locals. repeat step.
    eapply goes_weaken; [exact (the_text_visits_a_depth F H oracle cfg order Q d_pos k_pos fuel tree_in methods p cap side side_as_float at_tree
      i Pi own' h' log' first' visit' classes' a' b' complete' values' e' Hp1 T' A')|].
    cbv zeta. intros log2 how s2 (-> & -> & own2 & h2 & v2 & c2 & a2 & b2 & co2 & va2 & e2 & -> & T2 & A2).
    destruct (left (visit_depth i Pi) =? 0)%nat.
    + right. split; [reflexivity|]. split; [symmetry; exact Hs|]. rewrite Hv. do 11 eexists. exact (conj eq_refl (conj T2 A2)).
    + left. split; [reflexivity|]. exists (visit_depth i Pi). split; [do 11 eexists; exact (conj eq_refl (conj T2 A2))|].
      split; [exact Hp2|]. split; [rewrite Hs, <- app_assoc; reflexivity|exact Hv].
  - exists P. rewrite Nat.sub_0_r. split; [do 11 eexists; exact (conj eq_refl (conj Ht Ha))|]. split; [exact Hpos|]. split; reflexivity.
  - intros log' s' [(Pi & Hvar & _ & Hs & Hv)|[E Hvar]]; [|exact (conj eq_refl (conj E Hvar))].
    unfold integers in Hs, Hv. rewrite map_length, seq_length, Nat.sub_diag in Hs, Hv. cbn [shown_depths Program.visit_depths app] in Hs, Hv.
    rewrite Hv. exact (conj eq_refl (conj (eq_sym Hs) Hvar)).
Qed.

(** ** The loop of line 1 *)

Local Notation sweep_while := (sweep_while (less F) oracle cfg Q).
Local Notation one_sweep := (one_sweep (less F) oracle cfg Q).

Definition goes_on (P : variables) : bool := ((0 <? left P)%nat && expanded P)%bool.
Definition sweep_begins (P : variables) : variables :=
  Variables Q (leaves_of P) None (f_least P) (left P) (t P) (S (sweep_number P)) false
    (Sweep (Nat.min (depth_of (leaves_of P)) (h_max cfg)) :: events P).
Definition visits_of (P : variables) : nat := S (Nat.min (depth_of (leaves_of P)) (h_max cfg)).

Fixpoint shown_sweeps (n : nat) (P : variables) : list (shown F) :=
  match n with
  | 0%nat => []
  | S n' => if goes_on P then shown_sweeps n' (one_sweep P) ++ shown_depths (visits_of P) 0 (sweep_begins P) else []
  end.
Fixpoint sweeps_are_possible (n : nat) (P : variables) : Prop :=
  match n with
  | 0%nat => True
  | S n' => if goes_on P then visits_are_possible (visits_of P) 0 (sweep_begins P) /\ sweeps_are_possible n' (one_sweep P) else True
  end.

Lemma visit_depth_left l (P : variables) :
  (left (visit_depth l P) <= left P)%nat /\
  (expanded (visit_depth l P) = true -> expanded P = true \/ (left (visit_depth l P) < left P)%nat).
Proof.
  unfold Program.visit_depth. destruct (norm_classes l (nu P) (leaves_of P)) as [qs tr].
  destruct (choose cfg Q qs (nu P) (left P)) as [[es ws] nu']. cbn [left expanded]. split; [lia|].
  destruct (firstn (left P) ws) as [|w rest] eqn:E; [now left|]. intros _. right.
  assert (L : (List.length (firstn (left P) ws) <= left P)%nat) by (rewrite firstn_length; lia). rewrite E in *. cbn [List.length] in *. lia.
Qed.

Lemma visit_depths_left n : forall l (P : variables),
  (left (visit_depths n l P) <= left P)%nat /\
  (expanded (visit_depths n l P) = true -> expanded P = true \/ (left (visit_depths n l P) < left P)%nat).
Proof.
  induction n as [|n IH]; intros l P; cbn [Program.visit_depths]; [split; [lia|now left]|].
  destruct (visit_depth_left l P) as [L1 L2]. destruct (left (visit_depth l P) =? 0)%nat; [now split|].
  destruct (IH (S l) (visit_depth l P)) as [L3 L4]. split; [lia|]. intros E. destruct (L4 E) as [E'|E']; [|right; lia].
  destruct (L2 E') as [E2|E2]; [now left|right; lia].
Qed.

Definition measure (P : variables) : nat := if goes_on P then left P else 0.

Lemma a_sweep_costs P : goes_on P = true -> (measure (one_sweep P) < measure P)%nat.
Proof.
  intros G. unfold measure. rewrite G. unfold goes_on in *. apply andb_true_iff in G. destruct G as [G _]. apply Nat.ltb_lt in G.
  destruct (visit_depths_left (visits_of P) 0 (sweep_begins P)) as [_ L].
  change (visit_depths (visits_of P) 0 (sweep_begins P)) with (one_sweep P) in L. cbn [expanded left sweep_begins] in L.
  destruct (0 <? left (one_sweep P))%nat; [|exact G]. destruct (expanded (one_sweep P)); [|exact G].
  destruct (L eq_refl) as [C|C]; [discriminate C|exact C].
Qed.

(** As [variables_are], whatever nu_min is. *)
Definition variables_before (P : variables) (s : state F) : Prop :=
  exists own h first_ l visit_ classes_ a b nu_ complete values e,
    s = State (locals_at first_ (Z.of_nat (sweep_number P)) l visit_ classes_ a b nu_
                 complete values (f_least P) (Z.of_nat (left P)) (expanded P) e (Z.of_nat (t P))) h /\
    tree_in own at_tree (leaves_of P) h /\ apart own h.

(** Claim [python-text]. The loop of line 1 makes the sweeps of [sweep_while], and comes to an end. *)
Theorem the_text_sweeps_while_it_expands (P : variables) s log n :
  (measure P < deep)%nat -> (measure P <= n)%nat -> sweeps_are_possible n P -> variables_before P s ->
  goes shows sends (exec sweep_loop) log s
    (fun log' how s' => how = Next /\ log' = shown_sweeps n P ++ log /\ variables_before (sweep_while n P) s').
Proof.
  intros Hfuel Hn Hpos Hvar.
  change sweep_loop with (While (BoolOp And [Compare (Name (str "left")) [Gt] [Constant (PInt 0)]; Name (str "expanded")])
    [nth 0 (body_of sweep_loop) Break; depth_loop]).
  lazymatch goal with |- goes ?a ?b (Python.exec ?m ?c ?cm ?f (While ?test ?body)) ?l ?s0 ?R =>
    change (goes a b (repeat_while f (eval_truth (Python.eval m c cm) test) (exec_all (Python.exec m c cm f) body)) l s0 R) end.
  pose (inv := fun m (log' : list (shown F)) (s' : state F) => exists Pi j, variables_before Pi s' /\ m = measure Pi /\ (m <= j)%nat /\
    sweeps_are_possible j Pi /\ shown_sweeps n P ++ log = shown_sweeps j Pi ++ log' /\ sweep_while n P = sweep_while j Pi).
  pose (out := fun (log' : list (shown F)) (s' : state F) => log' = shown_sweeps n P ++ log /\ variables_before (sweep_while n P) s').
  apply (goes_while shows sends) with (inv := inv) (out := out) (n := measure P).
  - intros m log' s' (Pi & j & (own & h & first_ & l & visit_ & classes_ & a & b & nu_ & complete & values & e & -> & T1 & A1) & -> & Hj & Hp & Hs & Hw).
    apply goes_wp. unfold hunt_locals. run.
    replace (0 <? Z.of_nat (left Pi)) with (0 <? left Pi)%nat by (apply eq_true_iff_eq; rewrite Nat.ltb_lt, Z.ltb_lt; lia).
    assert (Hvar' : variables_before Pi (State (locals_at first_ (Z.of_nat (sweep_number Pi)) l visit_ classes_ a b nu_ complete values
      (f_least Pi) (Z.of_nat (left Pi)) (expanded Pi) e (Z.of_nat (t Pi))) h)) by (do 12 eexists; exact (conj eq_refl (conj T1 A1))).
    assert (Hend : goes_on Pi = false -> log' = shown_sweeps n P ++ log /\ sweep_while n P = Pi).
    { intros G. rewrite Hs, Hw. destruct j; cbn [shown_sweeps Program.sweep_while]; [now split|].
      unfold goes_on in *. rewrite G. now split. }
    destruct (0 <? left Pi)%nat eqn:El; run.
    2:{ destruct Hend as [E1 E2]; [unfold goes_on; now rewrite El|]. split; [exact E1|]. rewrite E2. exact Hvar'. }
    destruct (expanded Pi) eqn:Ee.
    2:{ destruct Hend as [E1 E2]; [unfold goes_on; now rewrite El, Ee|]. split; [exact E1|]. rewrite E2. exact Hvar'. }
    assert (G : goes_on Pi = true) by (unfold goes_on; now rewrite El, Ee).
    pose proof (a_sweep_costs Pi G) as Hless.
    destruct j as [|j]; [unfold measure in Hj; rewrite G in Hj; apply Nat.ltb_lt in El; lia|].
    cbn [sweeps_are_possible shown_sweeps Program.sweep_while] in Hp, Hs, Hw. rewrite G in Hp, Hs.
    change ((0 <? left Pi)%nat && expanded Pi)%bool with (goes_on Pi) in Hw. rewrite G in Hw. destruct Hp as [Hp1 Hp2].
    cbn [exec_all]. apply goes_bind_wp.
    let c := eval vm_compute in (nth 0 (body_of sweep_loop) Break) in change (nth 0 (body_of sweep_loop) Break) with c.
    run. apply goes_bind.
    eapply goes_weaken; [apply (the_text_visits_the_depths (sweep_begins Pi)); [exact Hp1|]|].
    { do 11 eexists. split; [|exact (conj T1 A1)]. cbn [sweep_begins sweep_number nu f_least left expanded t]. unfold hunt_locals.
      repeat f_equal. lia. }
    intros log2 how s2 (-> & -> & own2 & h2 & f2 & l2 & v2 & c2 & a2 & b2 & co2 & va2 & e2 & -> & T2 & A2).
    apply goes_wp. run. left. split; [reflexivity|]. exists (measure (one_sweep Pi)). split; [exact Hless|].
    exists (one_sweep Pi), j. split; [do 12 eexists; exact (conj eq_refl (conj T2 A2))|]. split; [reflexivity|]. split; [lia|].
    split; [exact Hp2|]. split; [rewrite Hs, <- app_assoc; reflexivity|exact Hw].
  - exists P, n. split; [exact Hvar|]. split; [reflexivity|]. split; [exact Hn|]. split; [exact Hpos|]. split; reflexivity.
  - exact Hfuel.
  - intros log' s' [E Hv]. exact (conj eq_refl (conj E Hv)).
Qed.

End TextOfSweep.
