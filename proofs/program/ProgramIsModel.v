(** * The program's run is the model's run.

    Every visit, every sweep and the whole run of the program on its heaps (Program.v) makes the events of the
    model (Model.v) in the same order and ends with the same leaves and the same answer. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Steps Order Paths RunsTree Batch RunsOrder
  PriorityQueue Program ProgramNodes ProgramLevels ProgramTree ProgramVisits.

Section ProgramIsModel.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Variable Q : priority_queue (before less).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached less oracle cfg).
Local Notation entry_of := (entry_of cfg).
Local Notation tree_holds := (tree_holds less cfg Q).
Local Notation visit_depth := (visit_depth less oracle cfg Q).
Local Notation visit_depths := (visit_depths less oracle cfg Q).
Local Notation one_sweep := (one_sweep less oracle cfg Q).
Local Notation sweep_while := (sweep_while less oracle cfg Q).
Local Notation visit := (visit less oracle cfg).
Local Notation visits := (visits less oracle cfg).
Local Notation sweep := (sweep less oracle cfg).
Local Notation run_for := (run_for less oracle cfg).

(** The program's variables are those of the model: the same nu_min, the same least value, as much budget left,
    as many iterations and sweeps, the same events, and a tree that holds the same leaves. *)
Record same_state (p : variables V less Q) (s : state V) : Prop := SameState {
  same_leaves : tree_holds (leaves_of p) (leaves s);
  same_depth : length (levels (leaves_of p)) = S (deepest (leaves s));
  same_nu : nu p = nu_min s;
  same_answer : f_least p = answer s;
  same_budget : left p = budget cfg - made s;
  same_t : t p = S (iterations s);
  same_sweeps : sweep_number p = sweeps s;
  same_events : events p = log s
}.

Definition expanded_is_right (p : variables V less Q) : Prop :=
  expanded p = match nu p with None => false | Some _ => true end.

(** No value is greater than infinity, and no other one equal to it. *)
Hypothesis greatest : forall a : V, a = infinity \/ less a infinity = true.
Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.

Lemma left_is_exhausted p s : same_state p s -> (left p =? 0) = exhausted s.
Proof.
  intros H. rewrite (same_budget _ _ H). apply eq_true_iff_eq. now rewrite exhausted_left, Nat.eqb_eq.
Qed.

(** Line 5's selection is least in its class among all leaves. *)
Lemma selected_is_least s l r x rest : reached s -> In (r, x :: rest) (classes l (leaves s)) ->
  let a := argmin less x rest in
  In a (leaves s) /\ depth a = l /\ is_least_of_its_class less cfg a (leaves s) /\
  is_least less cfg a (x :: rest).
Proof.
  intros Hr Hin. cbv zeta. set (a := argmin less x rest).
  pose proof (argmin_in less x rest) as Ha. fold a in Ha.
  destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a Ha) as (Ha1 & Ha2 & Ha3).
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  assert (B : forall y, In y (x :: rest) -> y = a \/ before less (entry_of a) (entry_of y) = true).
  { intros y Hy. destruct (list_eq_dec Nat.eq_dec (place y) (place a)) as [E|N].
    - left. destruct (Hm y Hy) as (Hy1 & _). rewrite (Hn y Hy1), (Hn a Ha1). now rewrite E.
    - right. assert (Ne : y <> a) by (intros ->; now apply N).
      destruct (line_5_selects_the_least_index_among_the_least less oracle cfg order s l r x rest Hr Hin y Hy Ne)
        as [B1 B2]. fold a in B1, B2. rewrite (before_is less). cbn [f_star i_of ProgramNodes.entry_of].
      unfold at_most in B1. rewrite B1. cbn [negb andb].
      destruct B2 as [B2|B2]; [now rewrite B2|]. apply orb_true_iff. right. now apply Nat.ltb_lt. }
  split; [exact Ha1|]. split; [exact Ha2|]. split.
  - intros y Hy Hd Hnorm. apply B. rewrite (members_of_a_class l (leaves s) r _ Hin).
    apply filter_In. split; [apply filter_In; split; [exact Hy|apply Nat.eqb_eq; congruence]|].
    apply Z.eqb_eq. congruence.
  - intros y Hy _. now apply B.
Qed.

Lemma all_values_of_a_visit_are_asked xs (s : state V) :
  exhausted s = false ->
  match firstn (budget cfg - made s)
          (map (request_of less oracle cfg) (all_wanted less oracle cfg (take_until less oracle cfg (budget cfg - made s) xs)))
  with [] => false | _ => true end = match xs with [] => false | _ => true end.
Proof.
  intros Hx. destruct xs as [|x xs]; [cbn; now rewrite firstn_nil|].
  cbn [take_until all_wanted flat_map].
  pose proof (performed_nonempty less oracle cfg (place x) s k_pos Hx) as H. unfold performed in H.
  destruct (wanted less oracle cfg (place x)) as [|p ps]; [rewrite firstn_nil in H; cbn in H; lia|].
  destruct (budget cfg - made s); [cbn in H; lia|]. reflexivity.
Qed.

(** What the program chooses at depth [l], from the heaps that [norm_classes] gives, before it knows any value. *)
Lemma a_visit_chooses l p s :
  reached s -> l < length (levels (leaves_of p)) -> same_state p s ->
  let xs := chosen less (nu_min s) (classes l (leaves s)) in
  let es := take_until less oracle cfg (left p) xs in
  let qs := fst (norm_classes l (nu p) (leaves_of p)) in
  let tr := snd (norm_classes l (nu p) (leaves_of p)) in
  choose cfg Q qs (nu p) (left p) =
    (expansions less oracle cfg es, map (request_of less oracle cfg) (all_wanted less oracle cfg es), last_nu es (nu_min s)) /\
  selected less cfg l xs s /\ nodes less oracle cfg xs /\
  tree_holds tr (leaves s) /\ length (levels tr) = length (levels (leaves_of p)) /\
  forall q x, In q qs -> first Q q = Some x -> exists y, In y (leaves s) /\ x = entry_of y.
Proof.
  intros Hr Hlen [H1 H2 H3 H4 H5 H6 H7 H8]. cbv zeta.
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  set (cs := classes l (leaves s)).
  assert (Hfrom : forall a, In a (chosen less (nu_min s) cs) ->
    In a (leaves s) /\ depth a = l /\ is_least_of_its_class less cfg a (leaves s)).
  { intros a Ha. destruct (chosen_from less _ _ _ Ha) as (r & x & rest & Hin & ->).
    destruct (selected_is_least s l r x rest Hr Hin) as (A1 & A2 & A3 & _). auto. }
  assert (Hnodes : nodes less oracle cfg (chosen less (nu_min s) cs)).
  { intros a Ha. now apply Hn, Hfrom. }
  destruct (norm_classes l (nu p) (leaves_of p)) as [qs tr] eqn:E. cbn [fst snd].
  destruct (norm_classes_spec less cfg order Q l _ _ _ _ _ H1 Hlen E) as (T1 & T2 & T3).
  split; [|split; [|split; [exact Hnodes|split; [exact T1|split; [exact T2|]]]]].
  - rewrite H3. destruct T3 as [->|(-> & b & Hb & Hlow)].
    + apply (choose_is_chosen less oracle cfg d_pos Q); [|exact Hnodes].
      apply (firsts_are_selected less cfg Q _ _ _ H1).
      intros r x rest Hin. apply (selected_is_least s l r x rest Hr Hin).
    + rewrite (chosen_nothing less); [reflexivity|]. intros r ms x Hin Hx0.
      destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r ms Hin) as [_ Hm].
      destruct (Hm x Hx0) as (M1 & M2 & _). specialize (Hlow x M1 M2). rewrite H3 in Hb. now rewrite Hb.
  - split; [|exact Hfrom]. apply chosen_falls.
    + apply classes_come_largest_norm_first.
    + intros r ms x Hin Hx0. now apply (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r ms Hin).
  - intros q x Hq Hx. destruct T3 as [->|(-> & _)]; [|destruct Hq].
    destruct (proj1 (firsts_of_a_level less cfg Q _ _ (proj1 H1 l)) q x Hq Hx) as (y & Hy & ->).
    exists y. split; [|reflexivity]. apply filter_In in Hy. exact (proj1 Hy).
Qed.

(** One visit. *)
Lemma visit_depth_is_visit l p s :
  reached s -> exhausted s = false -> l <= h_max cfg -> l < length (levels (leaves_of p)) ->
  same_state p s -> expanded_is_right p ->
  same_state (visit_depth l p) (visit l s) /\ expanded_is_right (visit_depth l p) /\
  length (levels (leaves_of p)) <= length (levels (leaves_of (visit_depth l p))).
Proof.
  intros Hr Hx Hl Hlen H He. pose proof (a_visit_chooses l p s Hr Hlen H) as Hc. cbv zeta in Hc.
  destruct H as [H1 H2 H3 H4 H5 H6 H7 H8].
  pose proof (reached_leaves_are_nodes less oracle cfg s Hr) as Hn.
  set (s0 := begin_visit l s). set (cs := classes l (leaves s)) in *.
  assert (Hvs : visit l s = work less oracle cfg (chosen less (nu_min s) cs) s0)
    by apply (visit_classes_is_work less oracle cfg cs s0).
  unfold Program.visit_depth. destruct (norm_classes l (nu p) (leaves_of p)) as [qs tr].
  cbn [fst snd] in Hc. destruct Hc as (Hchoose & Hsel & Hnodes & T1 & T2 & _).
  change (selected less cfg l (chosen less (nu_min s) cs) s0) in Hsel.
  rewrite (work_is_expand_all less oracle cfg k_pos d_pos _ s0 Hnodes Hx) in Hvs.
  change (budget cfg - made s0) with (budget cfg - made s) in Hvs.
  rewrite Hchoose, H5.
  pose proof (all_values_of_a_visit_are_asked (chosen less (nu_min s) cs) s Hx) as Hsome.
  assert (Hp : forall x, In x (chosen less (nu_min s) cs) -> node k (place x)).
  { intros x Hx0. apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s (place x) Hr).
    apply in_map. now apply (proj2 Hsel). }
  assert (Hd : same_depth_of_tree less Q tr s0) by (unfold same_depth_of_tree; rewrite T2; exact H2).
  destruct (visit_follows less oracle cfg greatest order k_pos d_pos Q l _ s0 tr Hx Hn Hp Hsel T1 Hd)
    as (F1 & F2 & F3 & F4 & F5 & F6 & F7 & F8 & F9). cbv zeta in *.
  change (budget cfg - made s0) with (budget cfg - made s) in *.
  change (nu_min s0) with (nu_min s) in *. change (answer s0) with (answer s) in *.
  change (iterations s0) with (S (iterations s)) in *. change (sweeps s0) with (sweeps s) in *.
  change (log s0) with (Visit l :: log s) in *.
  rewrite <- Hvs in F1, F2, F3, F4, F5, F6, F7, F8.
  set (es := take_until less oracle cfg (budget cfg - made s) (chosen less (nu_min s) cs)) in *.
  rewrite map_length, firstn_map, map_length.
  rewrite firstn_map in Hsome.
  assert (Hnode2 : forall p0, In p0 (all_wanted less oracle cfg es) -> node k p0).
  { intros p0 Hp0. unfold all_wanted in Hp0. apply in_flat_map in Hp0. destruct Hp0 as (x & Hx0 & Hp0).
    apply (valid_wanted less oracle cfg (place x)); [|exact Hp0]. apply Hp.
    clear - Hx0. unfold es in Hx0. revert Hx0. generalize (budget cfg - made s).
    induction (chosen less (nu_min s) cs) as [|y ys IH]; intros n; [easy|]. cbn [take_until].
    intros [<-|Hin]; [now left|]. right.
    destruct (n <=? length (wanted less oracle cfg (place y))); [easy|]. exact (IH _ Hin). }
  rewrite (replies_are_samples less oracle cfg d_pos).
  2:{ intros p0 Hp0. apply Hnode2.
      rewrite <- (firstn_skipn (budget cfg - made s)). apply in_or_app. now left. }
  rewrite Hsome. unfold expansions in F7, F8, F9 |- *. rewrite ?map_length in *.
  assert (Hnil : chosen less (nu_min s) cs = [] -> es = []) by (intros N; unfold es; now rewrite N).
  assert (Hsome2 : (match chosen less (nu_min s) cs with [] => false | _ :: _ => true end || expanded p)%bool =
    match last_nu es (nu_min s) with None => false | Some _ => true end).
  { rewrite He, H3. destruct (chosen less (nu_min s) cs) as [|x xs] eqn:Ec.
    - rewrite (Hnil eq_refl). reflexivity.
    - unfold es. cbn [take_until]. unfold last_nu. cbn [fold_left orb].
      match goal with |- context [fold_left ?f ?l (Some (best x))] =>
        assert (A : exists w, fold_left f l (Some (best x)) = Some w) end.
      { match goal with |- context [fold_left ?f ?l _] => generalize l end. intros ys.
        generalize (best x). induction ys as [|y ys IH]; intros w; [eexists; reflexivity|]. apply IH. }
      destruct A as (w & ->). reflexivity. }
  assert (Htree : (if match chosen less (nu_min s) cs with [] => false | _ :: _ => true end then
      fold_left (replace (Q := Q))
        (firstn (if budget cfg - made s <? length (all_wanted less oracle cfg es) then length es - 1 else length es)
          (record less cfg (map (fun x => expansion_of less oracle cfg (place x)) es)
            (map (sample less oracle cfg) (firstn (budget cfg - made s) (all_wanted less oracle cfg es))))) tr
      else tr) =
      fold_left (replace (Q := Q))
        (firstn (if budget cfg - made s <? length (all_wanted less oracle cfg es) then length es - 1 else length es)
          (record less cfg (map (fun x => expansion_of less oracle cfg (place x)) es)
            (map (sample less oracle cfg) (firstn (budget cfg - made s) (all_wanted less oracle cfg es))))) tr).
  { destruct (chosen less (nu_min s) cs) eqn:Ec; [|reflexivity]. rewrite (Hnil eq_refl).
    cbn [map record length Nat.sub]. destruct (budget cfg - made s <? _); reflexivity. }
  rewrite Htree. split; [|split].
  - split; cbn [leaves_of nu f_least left t sweep_number events].
    + exact F7.
    + exact F8.
    + symmetry; exact F1.
    + rewrite H4. symmetry; exact F2.
    + symmetry. exact F3.
    + now rewrite H6, F4.
    + now rewrite H7, F5.
    + rewrite H8. symmetry; exact F6.
  - unfold expanded_is_right. cbn [expanded nu]. exact Hsome2.
  - cbn [leaves_of]. rewrite <- T2. exact F9.
Qed.

Lemma visit_depths_is_visits n : forall l p s,
  reached s -> exhausted s = false -> n + l <= S (h_max cfg) -> n + l <= length (levels (leaves_of p)) ->
  same_state p s -> expanded_is_right p ->
  same_state (visit_depths n l p) (visits n l s) /\ expanded_is_right (visit_depths n l p).
Proof.
  induction n as [|n IH]; intros l p s Hr Hx Hl Hlen H He; [now split|].
  cbn [Program.visit_depths Model.visits]. rewrite Hx.
  destruct (visit_depth_is_visit l p s Hr Hx ltac:(lia) ltac:(lia) H He) as (H1 & H2 & H3).
  pose proof (left_is_exhausted _ _ H1) as E.
  assert (Hr' : reached (visit l s)).
  { eapply reached_steps; [exact Hr|]. apply (moves_steps less oracle cfg l); [lia|].
    apply visit_moves; [exact Hx|]. now apply reached_leaves_are_nodes. }
  rewrite E. destruct (exhausted (visit l s)) eqn:Ex.
  - split; [|exact H2]. destruct n; cbn [Model.visits]; [exact H1|]. now rewrite Ex.
  - apply IH; auto; lia.
Qed.

Lemma one_sweep_is_sweep p s : reached s -> exhausted s = false -> same_state p s ->
  same_state (one_sweep p) (sweep s) /\ expanded_is_right (one_sweep p).
Proof.
  intros Hr Hx H. unfold Program.one_sweep, Model.sweep.
  assert (E : Nat.min (depth_of (leaves_of p)) (h_max cfg) = limit cfg s).
  { unfold depth_of, limit. now rewrite (same_depth _ _ H). }
  rewrite E. apply visit_depths_is_visits.
  - eapply reached_steps; [exact Hr|]. apply step_sweep, Hx.
  - exact Hx.
  - unfold limit. lia.
  - cbn [leaves_of]. rewrite (same_depth _ _ H). unfold limit. lia.
  - destruct H as [H1 H2 H3 H4 H5 H6 H7 H8].
    split; cbn [leaves_of nu f_least left t sweep_number events]; auto.
    + now rewrite H7.
    + now rewrite H8.
  - reflexivity.
Qed.

Lemma sweep_while_is_run_for n : forall p s, reached s -> same_state p s -> expanded p = true ->
  same_state (sweep_while n p) (run_for n s).
Proof.
  induction n as [|n IH]; intros p s Hr H He; [exact H|].
  cbn [Program.sweep_while Model.run_for]. rewrite He, andb_true_r.
  replace (0 <? left p) with (negb (exhausted s))
    by (rewrite <- (left_is_exhausted _ _ H); destruct (left p); reflexivity).
  destruct (exhausted s) eqn:Ex; [exact H|]. cbn [negb].
  destruct (one_sweep_is_sweep p s Hr Ex H) as [H1 H2]. unfold expanded_is_right in H2.
  rewrite (same_nu _ _ H1) in H2. destruct (nu_min (sweep s)).
  - apply IH; auto. eapply reached_steps; [exact Hr|]. apply sweep_steps; [exact Ex|].
    now apply reached_leaves_are_nodes.
  - destruct n; cbn [Program.sweep_while]; [exact H1|]. now rewrite H2, andb_false_r.
Qed.


Lemma begin_is_start : same_state (begin less oracle cfg Q) (start oracle cfg).
Proof.
  assert (H0 : tree_holds (Tree Q [] 0 0 0) []).
  { split; [|reflexivity]. intros h. unfold level_at. cbn [levels at_depth filter].
    replace (nth h [] (empty_level Q)) with (empty_level Q) by (destruct h; reflexivity).
    apply level_holds_nothing. }
  pose proof (tree_holds_add less cfg order Q _ [] (new_leaf cfg [] (oracle [] 1) 1) H0) as H1.
  assert (E : recorded less (root V cfg) (oracle [] 1) = entry_of (new_leaf cfg [] (oracle [] 1) 1)).
  { assert (N : Nrm k (dimension cfg) [] = 0%Z).
    { rewrite (Norms.Nrm_is k (dimension cfg) d_pos), <- (Z.mul_0_r (Z.of_nat (dimension cfg))).
      rewrite <- (Norms.sum_below_const (dimension cfg) d_pos). apply Norms.sum_below_ext. intros j _.
      now rewrite Geometry.num_nil. }
    unfold recorded, root, ProgramNodes.entry_of, new_leaf. cbn [h_of i_of c_of nrm_of f_star past depth place
      norm best count]. rewrite N. unfold min.
    destruct (greatest (oracle [] 1)) as [-> | ->]; [destruct (less infinity infinity)|]; reflexivity. }
  assert (R : reply oracle cfg (root V cfg, 1) = oracle [] 1) by reflexivity.
  unfold begin, start. rewrite R. cbv zeta. rewrite E.
  split; try reflexivity. exact H1.
Qed.

(** Claims [heaps-change-nothing] [determinism] [batch-equivalence] [ties-least-index].  The program on its data structures and the model make the same run: the
    same events in the same order, the same leaves, the same answer, as many evaluations, iterations and sweeps.  For
    every oracle with values in a total order with a greatest one, infinity, and all settings with K >= 3 and d >= 1,
    whatever the heaps are.  The f* of a node without a value is infinity, too. *)
Theorem the_program_is_the_model :
  let p := run less oracle cfg Q in
  let s := hunt less oracle cfg in
  events p = log s /\ f_least p = answer s /\ left p = budget cfg - made s /\
  t p = S (iterations s) /\ sweep_number p = sweeps s /\ nu p = nu_min s /\
  depth_of (leaves_of p) = deepest (leaves s) /\ leaf_count (leaves_of p) = length (leaves s) /\
  forall l, Forall2 (fun a b => fst a = fst b /\ Permutation (contents Q (snd a)) (map entry_of (snd b)))
              (heaps (level_at l (leaves_of p))) (classes l (leaves s)).
Proof.
  cbv zeta. assert (H : same_state (run less oracle cfg Q) (hunt less oracle cfg)).
  { apply sweep_while_is_run_for; [apply steps_none|apply begin_is_start|reflexivity]. }
  destruct H as [H1 H2 H3 H4 H5 H6 H7 H8]. repeat (split; [assumption|]).
  split; [unfold depth_of; now rewrite H2|]. split; [apply H1|].
  intros l. now apply heaps_are_classes.
Qed.

End ProgramIsModel.

(** With leftist heaps nothing is left to assume of the heaps. *)
Definition program_with_leftist_heaps {V} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings)
  (order : total_order less) := run less oracle cfg (leftist_heap (before less) (before_is_an_order less order)).

(** Claims [heaps-change-nothing] [determinism] [batch-equivalence].  The program with leftist heaps, which are proved, has the model's events
    and answer. *)
Corollary the_program_with_leftist_heaps_is_the_model {V} {top : with_infinity V} (less : V -> V -> bool)
  (oracle : path -> nat -> V) (cfg : settings) (order : total_order less) :
  (forall a : V, a = infinity \/ less a infinity = true) -> 1 <= half cfg -> 1 <= dimension cfg ->
  events (program_with_leftist_heaps less oracle cfg order) = log (hunt less oracle cfg) /\
  f_least (program_with_leftist_heaps less oracle cfg order) = answer (hunt less oracle cfg).
Proof.
  intros greatest Hk Hd. destruct (the_program_is_the_model less oracle cfg
    (leftist_heap (before less) (before_is_an_order less order)) greatest order Hk Hd) as (H1 & H2 & _).
  now split.
Qed.

(** The integers with infinity, [None]. *)
#[export] Instance none_is_infinity : with_infinity (option Z) := None.

(** Claims [nan-and-inf] [heaps-change-nothing].  A value of +infinity is never taken for none.  An instance: for oracles that give
    integers or +infinity the program has the model's events and answer, where +infinity is the worst of the values. *)
Corollary the_program_does_not_confuse_infinity_with_no_value (oracle : path -> nat -> option Z) (cfg : settings) :
  1 <= half cfg -> 1 <= dimension cfg ->
  let p := program_with_leftist_heaps less_with_infinity oracle cfg infinity_is_an_ordinary_value in
  events p = log (hunt less_with_infinity oracle cfg) /\ f_least p = answer (hunt less_with_infinity oracle cfg).
Proof.
  apply the_program_with_leftist_heaps_is_the_model. intros [a|]; [now right|now left].
Qed.
