(** * hunt: the whole generator makes the run of the model. *)

From Coq Require Import String.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order Steps PythonNodes VisitInParts.
From EmbeddedHunter Require Import PythonSyntax Python SearchText PythonRules TextOfNode GeneratorRules TreeInStore TextOfTree TextOfHunter
  TextOfChoose TextOfHunt TextOfVisit TextOfSweep.
Open Scope Z_scope.
Open Scope list_scope.

Section TextOfRun.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings) (order : total_order (less F)).
Hypothesis greatest : forall a : float F, a = Python.infinity F \/ less F a (Python.infinity F) = true.
Hypothesis d_pos : (1 <= dimension cfg)%nat.
Hypothesis k_pos : (1 <= half cfg)%nat.
Hypothesis budget_pos : (1 <= budget cfg)%nat.
Variable fuel : nat.
Local Notation deep := (S (S (S (S (S (S (S (S fuel)))))))).
Local Notation exec := (exec search_py (call search_py deep None) (fun v => call search_py deep (Some v)) deep).
Variables (p cap side : nat) (side_as_float : float F).
Local Notation shows := (shows F cfg).
Local Notation sends := (sends F oracle cfg).

(** The statements before the loop of line 1. *)
Definition beginning : list stmt := firstn 6 hunt_text.
Definition first_shown : shown F := Shown F 0 0 0 [] [(root F cfg, 1%nat)].

(** Claim [python-text]. The statements of [hunt] before its loops ask for the value of the root, and make what the model begins with. *)
Theorem the_text_begins_a_run h : input_in F cfg p cap side side_as_float h ->
  goes shows sends (exec_all exec beginning) []
    (State (("settings"%string, Some (VRef p)) :: unbound (not_among (flat_map assigned hunt_text) ["settings"%string])) h)
    (fun log how s' => how = Next /\ exists at_tree, variables_before F oracle cfg p cap side side_as_float at_tree (start oracle cfg) true log s').
Proof.
  intros [I1 I2].
  let c := eval vm_compute in (not_among (flat_map assigned hunt_text) ["settings"%string]) in
    change (not_among (flat_map assigned hunt_text) ["settings"%string]) with c.
  cbn [unbound map]. unfold settings_object in I1.
  let c := eval vm_compute in beginning in change beginning with c.
  cbn [exec_all]. apply goes_bind_wp. run. apply goes_bind_wp. run.
  lazymatch goal with |- wp _ (State ?ns _) _ => destruct (the_text_makes_a_tree F cfg (S (S (S (S (S (S fuel)))))) ns h) as (own1 & at_tree & h1 & Call1 & T1 & [S1 F1] & G1) end.
  eapply wp_is_done; [exact Call1|]. run.
  pose proof (same_but_get _ _ _ _ _ S1 I1 (in_nil (a := p))) as J1. pose proof (same_but_get _ _ _ _ _ S1 I2 (in_nil (a := cap))) as J2.
  apply goes_bind_wp. run.
  eapply wp_is_done; [exact (the_text_makes_the_root F cfg _ _ h1 d_pos)|]. run. run_tuple. run.
  run_dataclass. run. run_builtin. run. cbn [objects locals values_of]. run.
  rewrite !app_length. cbn [List.length]. rewrite <- !app_assoc. cbn [app].
  set (v := (List.length h1 + 1 + 1 + 1)%nat). set (pe := (List.length h1 + 1 + 1)%nat). set (pv := (List.length h1 + 1)%nat). set (r := List.length h1).
  set (h2 := h1 ++ _).
  assert (S2 : same_but [] h1 h2) by apply same_but_app.
  assert (R2 : nth_error h2 r = Some (node_object F cfg (root F cfg))) by (unfold h2, r; apply nth_error_app_here).
  assert (W2 : nth_error h2 pv = Some (ListObject (map (evaluation_value F) [(r, root F cfg)]))) by (unfold h2, pv; now rewrite nth_error_app_later).
  assert (E2 : nth_error h2 pe = Some (ListObject (map (expansion_value F) []))) by (unfold h2, pe; rewrite <- Nat.add_assoc; now rewrite nth_error_app_later).
  assert (V2 : nth_error h2 v = Some (visit_object F (VRef at_tree) 0 0 0 pe pv)) by (unfold h2, v; rewrite <- !Nat.add_assoc; now rewrite nth_error_app_later).
  assert (B : (r < pv < pe)%nat /\ (pe < v)%nat) by (unfold v, pe, pv, r; lia).
  assert (Br : r = List.length h1) by reflexivity.
  clearbody h2 v pe pv r.
  repeat generator_step.
  eapply (goes_yield shows sends) with (what := first_shown).
  { exists v, at_tree, pe, pv, [], [(r, root F cfg)]. split; [reflexivity|]. split; [exact V2|]. split; [exact E2|]. split; [intros g []|].
    split; [reflexivity|]. split; [exact W2|]. split; [|reflexivity]. intros q y [[= <- <-]|[]]. exact R2. }
  intros x h3 (more & -> & Hx). cbv beta. cbn [asked first_shown map] in Hx.
  set (value := reply F oracle cfg (root F cfg, 1%nat)) in *.
  assert (get3 : forall m o, nth_error h2 m = Some o -> nth_error (h2 ++ more) m = Some o) by (intros m o Ho; exact (nth_error_app_old _ _ _ _ Ho)).
  pose proof (get3 _ _ V2) as V3. pose proof (get3 _ _ W2) as W3. pose proof (get3 _ _ R2) as R3. clear R2 W2 E2 V2.
  repeat generator_step.
  apply goes_wp. eapply wp_is_done; [apply (the_text_records_values F cfg _ v (VRef at_tree) 0 0 0 pe pv x _ [(r, root F cfg)] [value] _ (h2 ++ more) V3 W3 Hx eq_refl)|].
  { intros q y [[= <- <-]|[]]. exact R3. }
  { constructor; [intros []|constructor]. }
  cbn [combine record_all fold_left]. unfold record_one. cbn [fst snd]. cbv beta.
  replace (least F (Python.infinity F) value) with value.
  2:{ symmetry. now apply smaller_than_infinity. }
  set (h4 := replace_at r _ (h2 ++ more)).
  assert (S4 : same_but [r] (h2 ++ more) h4) by (apply same_but_replace; now left).
  assert (V4 : nth_error h4 v = Some (visit_object F (VRef at_tree) 0 0 0 pe pv)) by (apply (same_but_get _ _ _ _ _ S4 V3); intros [C|[]]; lia).
  assert (W4 : nth_error h4 pv = Some (ListObject (map (evaluation_value F) [(r, root F cfg)]))) by (apply (same_but_get _ _ _ _ _ S4 W3); intros [C|[]]; lia).
  assert (R4 : nth_error h4 r = Some (node_object F cfg (recorded F (root F cfg) value))) by exact (nth_error_replaced _ _ _ _ R3).
  cbn [map] in W4. unfold evaluation_value in W4. cbn [fst snd] in W4. unfold visit_object in V4.
  assert (T4 : tree_in F cfg own1 at_tree ([]) h4).
  { apply (tree_stays F cfg own1 at_tree _ h1 h4 T1). intros m Hm.
    pose proof (tree_is_there F cfg own1 at_tree _ h1 m T1 Hm) as Bm.
    rewrite (proj2 S4) by (try (rewrite app_length; destruct S2; lia); intros [C|[]]; lia).
    rewrite nth_error_app1 by (destruct S2; lia). apply S2; [exact Bm|apply (in_nil (a := m))]. }
  assert (N4 : ~ In r own1).
  { intros C. pose proof (tree_is_there F cfg own1 at_tree _ h1 r T1 C). lia. }
  assert (A4 : apart F cfg p cap side side_as_float own1 h4).
  { pose proof (in_bounds _ _ _ I1) as B1. pose proof (in_bounds _ _ _ I2) as B2.
    assert (G : forall m o, nth_error h1 m = Some o -> nth_error h4 m = Some o).
    { intros m o Ho. pose proof (in_bounds _ _ _ Ho). apply (same_but_get _ _ _ _ _ S4); [|intros [C|[]]; lia].
      apply get3, (same_but_get _ _ _ _ _ S2 Ho). apply (in_nil (a := m)). }
    split; [split; [exact (G _ _ J1)|exact (G _ _ J2)]|]. split; intros C; destruct (G1 _ C) as [[]|[[]|C']]; lia. }
  clearbody h4.
  repeat generator_step.
  match goal with |- context [position 0 ?n] => change (position 0 n) with (Some 0%nat) end. cbn [nth_error].
  repeat first [lazymatch goal with |- wp _ _ _ => progress run end | generator_step].
  lazymatch goal with |- wp _ (State ?ns _) _ => destruct (the_text_adds_a_leaf F cfg order (S (S (S (S (S fuel))))) ns h4 own1 at_tree _ r _ T4 R4 (le_n 0)) as (own5 & h5 & Call5 & T5 & K5 & G5) end.
  eapply wp_is_done; [exact Call5|].
  assert (A5 : apart F cfg p cap side side_as_float own5 h5).
  { pose proof (in_bounds _ _ _ J1). pose proof (in_bounds _ _ _ J2).
    apply (apart_later F cfg d_pos p cap side side_as_float own1 own5 [r] h4 h5 A4 K5 G5); intros [C|[]]; lia. }
  repeat generator_step. cbv beta iota. repeat generator_step.

  split; [reflexivity|]. exists at_tree, own5, h5. do 10 eexists.
  assert (Root : recorded F (root F cfg) value = new_leaf cfg [] (oracle [] 1%nat) 1).
  { unfold recorded, root. cbn [depth place norm best count new_leaf]. rewrite smaller_than_infinity by exact greatest. reflexivity. }
  split; [|split; [cbn [start leaves]; rewrite <- Root; exact T5|split; [exact A5|]]].
  - cbn [start sweeps Model.answer made iterations]. unfold hunt_locals. fold value. repeat f_equal. lia.
  - reflexivity.
Qed.

(** Claim [python-text]. The generator [hunt] shows the caller the visits of the model's run, comes to an end, and returns its answer. *)
Theorem the_text_of_hunt_makes_the_run h : input_in F cfg p cap side side_as_float h -> (budget cfg <= fuel)%nat ->
  ends shows sends (fun log v _ => v = VFloat (Model.answer (hunt (less F) oracle cfg)) /\ all_seen F oracle cfg log (hunt (less F) oracle cfg))
    [] (generate search_py deep "hunt" [VRef p] h).
Proof.
  intros Hin Hfuel. unfold generate.
  replace (find_function "hunt" search_py) with (Some (Arguments ["settings"%string] [] [] [], hunt_text)) by (vm_compute; reflexivity).
  lazymatch goal with |- ends _ _ ?R _ (run_function ?m ?c ?cm ?n ?a ?b ?vs ?kws ?s) =>
    change (goes shows sends (run_function m c cm n a b vs kws) [] s R) end.
  unfold run_function. apply goes_isolated. apply goes_bind_wp.
  lazymatch goal with |- wp (by_position _ _ _ ?ps ?only _ _) _ _ =>
    let ps' := eval vm_compute in ps in let only' := eval vm_compute in only in change ps with ps'; change only with only' end.
  apply wp_bind, wp_ret, wp_ret. apply goes_bind_wp. unfold wp, enter. cbn [first_names joined objects].
  apply goes_bind.
  lazymatch goal with |- context [exec_all ?f hunt_text] =>
    change (exec_all f hunt_text) with (exec_all f (beginning ++ [sweep_loop] ++ [Return (Name "best"%string)])) end.
  apply goes_exec_app. eapply goes_weaken; [exact (the_text_begins_a_run h Hin)|]. cbv beta.
  intros log how s' (-> & at_tree & Hvar). split; [reflexivity|]. apply goes_exec_app, goes_exec_one.
  eapply goes_weaken; [apply (the_text_sweeps_while_it_expands F oracle cfg order greatest d_pos k_pos fuel p cap side side_as_float at_tree
    (budget cfg) (start oracle cfg)); [cbn; lia|cbn; lia|apply steps_none|discriminate|exact Hvar]|].
  intros log2 how s2 (-> & ex & own2 & h2 & f2 & l2 & v2 & cl2 & a2 & b2 & n2 & co2 & va2 & e2 & -> & T2 & A2 & Seen).
  split; [reflexivity|]. unfold hunt_locals.
  repeat (cbv beta iota; first [lazymatch goal with |- goes _ _ (answer _) _ _ _ => apply goes_wp; unfold answer end | generator_step]).
  cbn [objects]. split; [reflexivity|exact Seen].
Qed.

End TextOfRun.
