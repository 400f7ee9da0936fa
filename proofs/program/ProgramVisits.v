(** * The expansions of a visit, all values asked for at once.

    What the program chooses from its heaps before it knows any value of the visit, and what it does with the
    values afterwards, is what the model does expansion by expansion. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Lists Lattice Model Classes Nodes Steps Order Paths RunsTree Batch RunsOrder
  PriorityQueue Program ProgramNodes ProgramLevels ProgramTree.

Section ProgramVisits.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Hypothesis greatest : forall a : V, a = infinity \/ less a infinity = true.
Hypothesis order : total_order less.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.
Variable Q : priority_queue (before less).

Local Notation k := (half cfg).
Local Notation exhausted := (exhausted cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation value := (value less oracle cfg).
Local Notation wanted := (wanted less oracle cfg).
Local Notation sample := (sample less oracle cfg).
Local Notation performed := (performed less oracle cfg).
Local Notation affordable := (affordable less oracle cfg).
Local Notation expand := (expand less oracle cfg).
Local Notation visit_classes := (visit_classes less oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes less oracle cfg).
Local Notation chosen := (chosen less).
Local Notation entry_of := (entry_of cfg).
Local Notation expansion_of := (expansion_of less oracle cfg).
Local Notation request_of := (request_of less oracle cfg).
Local Notation tree_holds := (tree_holds less cfg Q).
Local Notation children := (Nodes.children cfg).
Local Notation tree := (tree V less Q).

(** ** A visit of the model, expansion by expansion *)

Fixpoint work (xs : list (leaf V)) (s : state V) : state V :=
  match xs with
  | [] => s
  | x :: rest => if exhausted s then s else work rest (expand x s)
  end.

Lemma work_exhausted xs s : exhausted s = true -> work xs s = s.
Proof. intros H. destruct xs; cbn [work]; [reflexivity|]. now rewrite H. Qed.

Lemma nu_after_expand x s : nu_min (expand x s) = Some (best x).
Proof. apply (expand_in_batch less cfg oracle oracle x s). intros r _. reflexivity. Qed.

Lemma visit_classes_is_work cs s : visit_classes cs s = work (chosen (nu_min s) cs) s.
Proof.
  revert s; induction cs as [|[r [|x rest]] cs IH]; intros s; [reflexivity|apply IH|].
  cbn [Batch.chosen Model.visit_classes Model.visit_class].
  destruct (exhausted s) eqn:Ex.
  - rewrite IH, !work_exhausted by exact Ex. reflexivity.
  - destruct (below less (best (argmin less x rest)) (nu_min s)); [|apply IH].
    cbn [work]. rewrite Ex, IH, nu_after_expand. reflexivity.
Qed.

(** The leaves that are expanded when [room] evaluations are left. *)
Fixpoint take_until (room : nat) (xs : list (leaf V)) : list (leaf V) :=
  match xs with
  | [] => []
  | x :: rest =>
      let n := length (wanted (place x)) in
      x :: (if room <=? n then [] else take_until (room - n) rest)
  end.

Definition nodes (xs : list (leaf V)) : Prop := forall x, In x xs -> x = node_at (place x).

Lemma nodes_tail x xs : nodes (x :: xs) -> nodes xs.
Proof. intros H y Hy. apply H. now right. Qed.

Lemma made_after_expand q s :
  budget cfg - made (expand (node_at q) s) = budget cfg - made s - length (wanted q).
Proof.
  rewrite expand_made. unfold Nodes.performed. rewrite firstn_length. lia.
Qed.

Lemma exhausted_after_expand q s :
  exhausted (expand (node_at q) s) = (budget cfg - made s <=? length (wanted q)).
Proof.
  apply eq_true_iff_eq. rewrite exhausted_left, made_after_expand, Nat.leb_le. lia.
Qed.

Lemma work_is_expand_all xs s : nodes xs -> exhausted s = false ->
  work xs s = fold_left (fun s x => expand x s) (take_until (budget cfg - made s) xs) s.
Proof.
  revert s; induction xs as [|x xs IH]; intros s Hn Hx; [reflexivity|].
  cbn [work take_until fold_left]. rewrite Hx.
  assert (E : x = node_at (place x)) by (apply Hn; now left).
  pose proof (exhausted_after_expand (place x) s) as Ex. rewrite <- E in Ex.
  destruct (budget cfg - made s <=? length (wanted (place x))).
  - rewrite work_exhausted by exact Ex. reflexivity.
  - rewrite IH by (eauto using nodes_tail). pose proof (made_after_expand (place x) s) as M.
    rewrite <- E in M. now rewrite M.
Qed.

(** ** What the program chooses *)

Definition last_nu (xs : list (leaf V)) (nu : option V) : option V :=
  fold_left (fun _ x => Some (best x)) xs nu.

Definition all_wanted (xs : list (leaf V)) : list path := flat_map (fun x => wanted (place x)) xs.

Definition expansions (xs : list (leaf V)) : list (expansion V) := map (fun x => expansion_of (place x)) xs.

Lemma choose_is_chosen qs cs nu room :
  Forall2 (first_is less cfg Q) qs cs -> nodes (chosen nu cs) ->
  choose cfg Q qs nu room =
  (expansions (take_until room (chosen nu cs)), map request_of (all_wanted (take_until room (chosen nu cs))),
   last_nu (take_until room (chosen nu cs)) nu).
Proof.
  intros H. revert nu room. induction H as [|q [r ms] qs cs (x & rest & E & F) H IH]; intros nu room Hn.
  - reflexivity.
  - cbn [snd] in E. subst ms. cbn [choose Batch.chosen]. cbn [Batch.chosen] in Hn. rewrite F.
    set (a := argmin less x rest) in *.
    change (f_star (entry_of a)) with (best a).
    replace (match nu with None => true | Some w => less (best a) w end)
      with (below less (best a) nu) by (destruct nu; reflexivity).
    destruct (below less (best a) nu); [|now apply IH].
    assert (Ea : a = node_at (place a)) by (apply Hn; now left).
    assert (Ee : entry_of a = entry_at less oracle cfg (place a)) by (unfold entry_at; now rewrite <- Ea).
    rewrite Ee, (children_of_entry_at less oracle cfg d_pos).
    change (entry_at less oracle cfg (place a), map (pending less oracle cfg) (children (place a)))
      with (expansion_of (place a)).
    rewrite (requests_of_expansion less oracle cfg d_pos), map_length.
    cbn [take_until]. destruct (room <=? length (wanted (place a))).
    + cbn. now rewrite app_nil_r.
    + rewrite IH by (eauto using nodes_tail). unfold expansions, all_wanted. cbn [map flat_map].
      rewrite map_app. reflexivity.
Qed.

Lemma chosen_from nu cs a : In a (chosen nu cs) ->
  exists r x rest, In (r, x :: rest) cs /\ a = argmin less x rest.
Proof.
  revert nu; induction cs as [|[r [|x rest]] cs IH]; intros nu; cbn [Batch.chosen]; [easy| |].
  - intros H. destruct (IH _ H) as (r' & x & rest & H1 & H2). exists r', x, rest. split; [now right|exact H2].
  - destruct (below less (best (argmin less x rest)) nu).
    + intros [<-|H]; [exists r, x, rest; split; [now left|reflexivity]|].
      destruct (IH _ H) as (r' & x' & rest' & H1 & H2). exists r', x', rest'. split; [now right|exact H2].
    + intros H. destruct (IH _ H) as (r' & x' & rest' & H1 & H2). exists r', x', rest'. split; [now right|exact H2].
Qed.

Lemma chosen_nothing nu cs :
  (forall r ms x, In (r, ms) cs -> In x ms -> below less (best x) nu = false) -> chosen nu cs = [].
Proof.
  induction cs as [|[r [|x rest]] cs IH]; intros H; cbn [Batch.chosen]; [reflexivity| |].
  - apply IH. intros r' ms y Hin. apply (H r' ms y). now right.
  - rewrite (H r (x :: rest) (argmin less x rest)) by (try apply argmin_in; now left).
    apply IH. intros r' ms y Hin. apply (H r' ms y). now right.
Qed.

Definition falling (x y : leaf V) : Prop := (norm y < norm x)%Z.

Lemma chosen_falls nu cs :
  StronglySorted larger_norm cs -> (forall r ms x, In (r, ms) cs -> In x ms -> norm x = r) ->
  StronglySorted falling (chosen nu cs).
Proof.
  intros H. revert nu. induction H as [|[r ms] cs Hs IH Hf]; intros nu Hn; cbn [Batch.chosen]; [constructor|].
  assert (Hn' : forall r' ms' x, In (r', ms') cs -> In x ms' -> norm x = r').
  { intros r' ms' x Hin. apply Hn. now right. }
  destruct ms as [|x rest]; [now apply IH|].
  destruct (below less (best (argmin less x rest)) nu); [|now apply IH].
  constructor; [now apply IH|]. apply Forall_forall. intros y Hy.
  destruct (chosen_from _ _ _ Hy) as (r' & x' & rest' & Hin & ->). unfold falling.
  rewrite (Hn' r' _ _ Hin (argmin_in less x' rest')).
  rewrite (Hn r (x :: rest) _ (or_introl eq_refl) (argmin_in less x rest)).
  rewrite Forall_forall in Hf. exact (Hf _ Hin).
Qed.

(** ** Values, events and leaves of a visit *)

Lemma deepest_children q : deepest (map node_at (children q)) = S (length q).
Proof.
  unfold children, children_of. rewrite map_map. apply Nat.le_antisymm.
  - apply deepest_at_most. intros x Hx. apply in_map_iff in Hx. destruct Hx as (c & <- & _).
    now rewrite depth_node_at.
  - pose proof (depth_le_deepest (map (fun c => node_at (c :: q)) (seq 0 (K k))) (node_at (0 :: q))) as H.
    rewrite depth_node_at in H. apply H. apply in_map_iff. exists 0. split; [reflexivity|].
    apply in_seq. unfold K. lia.
Qed.

Definition same_depth_of_tree (tr : tree) (s : state V) : Prop := length (levels tr) = S (deepest (leaves s)).

(** What line 5 leaves to the visit: leaves of depth [l], each least in its class, of falling norms. *)
Definition selected (l : nat) (xs : list (leaf V)) (s : state V) : Prop :=
  StronglySorted falling xs /\
  forall x, In x xs -> In x (leaves s) /\ depth x = l /\ is_least_of_its_class less cfg x (leaves s).

Lemma leaves_split x new s : leaves_are_nodes s -> In x (leaves s) ->
  exists l1 l2, leaves s = l1 ++ x :: l2 /\ replace_leaf (place x) new (leaves s) = l1 ++ new ++ l2.
Proof.
  intros Hn Hx. destruct (replace_leaf_split (place x) new (leaves s) (in_map place _ _ Hx))
    as (l1 & y & l2 & E & Hy & E'). exists l1, l2. split; [|exact E'].
  assert (y = x); [|now subst].
  rewrite (Hn x Hx), (Hn y) by (rewrite E; apply in_or_app; right; now left). now rewrite Hy.
Qed.

(** One expansion that the budget allows: the program's tree follows the model's leaves. *)
Lemma replace_follows (tr : tree) s x :
  leaves_are_nodes s -> In x (leaves s) -> is_least_of_its_class less cfg x (leaves s) ->
  affordable (place x) s = true -> tree_holds tr (leaves s) -> same_depth_of_tree tr s ->
  let tr' := replace tr (entry_at less oracle cfg (place x),
                         map (entry_at less oracle cfg) (children (place x))) in
  tree_holds tr' (leaves (expand x s)) /\ same_depth_of_tree tr' (expand x s) /\
  length (levels tr) <= length (levels tr').
Proof.
  intros Hn Hx Hl Ha Ht Hd. cbv zeta. pose proof (Hn x Hx) as E.
  assert (D : depth x = length (place x)) by (rewrite E at 1; apply depth_node_at).
  assert (EL : leaves (expand x s) = replace_leaf (place x) (map node_at (children (place x))) (leaves s)).
  { rewrite E at 1. rewrite expand_leaves, Ha. reflexivity. }
  destruct (leaves_split x (map node_at (children (place x))) s Hn Hx) as (l1 & l2 & E1 & E2).
  unfold same_depth_of_tree in *. rewrite EL, E2, E1 in *.
  assert (P : Permutation (l1 ++ x :: l2) (x :: l1 ++ l2)) by (symmetry; apply Permutation_middle).
  replace (entry_at less oracle cfg (place x)) with (entry_of x) by (unfold entry_at; now rewrite <- E).
  change (map (entry_at less oracle cfg) (children (place x)))
    with (map (fun p => entry_of (node_at p)) (children (place x))).
  rewrite <- (map_map node_at entry_of). split.
  - apply (tree_holds_permutation less cfg Q _ (map node_at (children (place x)) ++ l1 ++ l2)).
    + rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
    + apply (tree_holds_replace less cfg order Q).
      * apply (tree_holds_permutation less cfg Q _ (l1 ++ x :: l2)); assumption.
      * intros y Hy. apply Hl. now apply (Permutation_in y (Permutation_sym P)).
  - assert (L : length (levels (replace tr (entry_of x, map entry_of (map node_at (children (place x))))))
      = Nat.max (S (S (depth x))) (length (levels tr))).
    { apply length_replace; [| |reflexivity].
      - intros y Hy. apply in_map_iff in Hy. destruct Hy as (p & <- & Hp). apply (in_children cfg) in Hp.
        destruct Hp as (c & _ & ->). rewrite depth_node_at, D. reflexivity.
      - intros N. apply map_eq_nil in N. pose proof (length_children cfg (place x)) as L. rewrite N in L.
        unfold K in L. cbn in L. lia. }
    rewrite L. split; [|lia]. rewrite Hd, !deepest_app. cbn [deepest]. rewrite deepest_children, D. lia.
Qed.

Lemma selected_after_expand l x xs s : leaves_are_nodes s -> selected l (x :: xs) s ->
  selected l xs (expand x s).
Proof.
  intros Hn [Hs Hl]. inversion Hs as [|? ? Hs' Hf]; subst. split; [exact Hs'|]. intros y Hy.
  destruct (Hl x (or_introl eq_refl)) as (Hx1 & Hx2 & _).
  destruct (Hl y (or_intror Hy)) as (Hy1 & Hy2 & Hy3).
  pose proof (Hn x Hx1) as E. rewrite Forall_forall in Hf. specialize (Hf y Hy). unfold falling in Hf.
  split; [|split; [exact Hy2|]].
  - rewrite E, expand_leaves. destruct (affordable (place x) s); [|exact Hy1]. apply replace_leaf_keeps; [exact Hy1|].
    intros N. rewrite (Hn y Hy1), N, <- E in Hf. lia.
  - intros z Hz Hd Hnz. apply Hy3; [|exact Hd|exact Hnz]. rewrite E, expand_leaves in Hz.
    destruct (affordable (place x) s); [|exact Hz].
    destruct (in_replace_leaf _ _ _ _ Hz) as [H|H]; [|exact H]. exfalso.
    apply in_map_iff in H. destruct H as (p & <- & Hp). apply (in_children cfg) in Hp. destruct Hp as (c & _ & ->).
    rewrite depth_node_at in Hd. cbn [length] in Hd. rewrite E, depth_node_at in Hx2. lia.
Qed.

Lemma valid_wanted q p : node k q -> In p (wanted q) -> node k p.
Proof. intros H Hp. apply in_wanted in Hp. destruct Hp as (c & Hc & -> & _). now constructor. Qed.

Lemma leaves_are_nodes_after_expand x s : leaves_are_nodes s -> In x (leaves s) -> leaves_are_nodes (expand x s).
Proof. intros Hn Hx. rewrite (Hn x Hx). now apply leaves_are_nodes_expand. Qed.

Lemma happened_app (e : expansion V) es (vs ws : list V) log :
  length vs = length (requests cfg e) ->
  happened cfg (e :: es) (vs ++ ws) log = happened cfg es ws (happened cfg [e] vs log).
Proof.
  intros H. cbn [happened]. rewrite <- H, skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app].
  rewrite combine_firstn_l, firstn_app, H, firstn_all2, Nat.sub_diag by lia. cbn [firstn]. rewrite app_nil_r.
  reflexivity.
Qed.

Lemma happened_is_log x s : node k (place x) -> x = node_at (place x) -> exhausted s = false ->
  happened cfg [expansion_of (place x)] (map sample (performed (place x) s)) (log s) = log (expand x s).
Proof.
  intros Hp E Hx. cbn [happened]. rewrite (requests_of_expansion less oracle cfg d_pos).
  replace (expand x s) with (expand (node_at (place x)) s) by (now rewrite <- E). rewrite expand_log.
  cbn [fst ProgramNodes.expansion_of]. rewrite (name_entry_at less oracle cfg d_pos) by exact Hp.
  change (f_star (entry_at less oracle cfg (place x))) with (value (place x)). f_equal. f_equal.
  unfold Nodes.performed.
  assert (W : forall p, In p (wanted (place x)) -> node k p) by (intros p; now apply valid_wanted).
  generalize (budget cfg - made s). induction (wanted (place x)) as [|p ps IH] in W |- *; intros n; [now rewrite firstn_nil|].
  destruct n as [|n]; [reflexivity|]. cbn [firstn map combine]. f_equal.
  - cbn [fst snd ProgramNodes.request_of]. rewrite (name_pending less oracle cfg d_pos) by (apply W; now left). reflexivity.
  - apply IH. intros q Hq. apply W. now right.
Qed.

(** The evaluations that the budget allows, in the program's words and in the model's. *)
Lemma replies_are_samples (ps : list path) : (forall p, In p ps -> node k p) ->
  map (reply oracle cfg) (map request_of ps) = map sample ps.
Proof.
  intros H. rewrite map_map. apply map_ext_in. intros p Hp.
  apply (reply_request_of less oracle cfg d_pos). now apply H.
Qed.

Lemma whole_expansions x xs (vs : list V) : vs = map sample (wanted (place x)) ->
  forall ws, record less cfg (expansions (x :: xs)) (vs ++ ws) =
  (entry_at less oracle cfg (place x), map (entry_at less oracle cfg) (children (place x)))
  :: record less cfg (expansions xs) ws.
Proof.
  intros -> ws. unfold expansions. cbn [map record]. unfold ProgramNodes.expansion_of at 1.
  rewrite (take_values_of_expansion less oracle cfg d_pos greatest). reflexivity.
Qed.

(** The visit of the program against the expansions of the model, one after another. *)
Lemma visit_follows l xs : forall s (tr : tree),
  exhausted s = false -> leaves_are_nodes s -> (forall x, In x xs -> node k (place x)) -> selected l xs s ->
  tree_holds tr (leaves s) -> same_depth_of_tree tr s ->
  let room := budget cfg - made s in
  let es := take_until room xs in
  let asked := firstn room (all_wanted es) in
  let values := map sample asked in
  let s' := fold_left (fun s x => expand x s) es s in
  let whole := firstn (if room <? length (all_wanted es) then length es - 1 else length es)
                 (record less cfg (expansions es) values) in
  let tr' := fold_left (replace (Q := Q)) whole tr in
  nu_min s' = last_nu es (nu_min s) /\
  answer s' = fold_left (fun a value => smaller less value a) values (answer s) /\
  budget cfg - made s' = room - length asked /\
  iterations s' = iterations s /\ sweeps s' = sweeps s /\
  log s' = happened cfg (expansions es) values (log s) /\
  tree_holds tr' (leaves s') /\ same_depth_of_tree tr' s' /\
  length (levels tr) <= length (levels tr').
Proof.
  induction xs as [|x xs IH]; intros s tr Hx Hn Hnode Hsel Ht Hd; cbv zeta.
  - cbn [take_until all_wanted flat_map expansions map record]. rewrite firstn_nil.
    cbn [map length firstn fold_left happened last_nu]. rewrite Nat.sub_0_r.
    repeat (split; [first [reflexivity | exact Ht | exact Hd]|]). reflexivity.
  - destruct (proj2 Hsel x (or_introl eq_refl)) as (Hin & Hdx & Hleast).
    pose proof (Hn x Hin) as E.
    assert (Hp : node k (place x)) by (apply Hnode; now left).
    set (n := length (wanted (place x))). set (room := budget cfg - made s).
    assert (Er : budget cfg - made (expand x s) = room - n).
    { rewrite E. apply made_after_expand. }
    assert (Ex' : exhausted (expand x s) = (room <=? n)).
    { rewrite E. apply exhausted_after_expand. }
    assert (En : nu_min (expand x s) = Some (best x)) by apply nu_after_expand.
    assert (Ea : answer (expand x s)
      = fold_left (fun a value => smaller less value a) (map sample (performed (place x) s)) (answer s)).
    { rewrite E at 1. rewrite expand_answer. generalize (answer s).
      induction (performed (place x) s) as [|p ps IHp]; intros a; [reflexivity|]. cbn. apply IHp. }
    assert (Ei : iterations (expand x s) = iterations s) by (rewrite E; apply expand_iterations).
    assert (Es : sweeps (expand x s) = sweeps s) by (rewrite E; apply expand_sweeps).
    pose proof (happened_is_log x s Hp E Hx) as El.
    cbn [take_until]. fold n. destruct (room <=? n) eqn:Ern.
    + (* the last expansion of the visit *)
      apply Nat.leb_le in Ern. cbn [all_wanted flat_map fold_left]. rewrite app_nil_r.
      change (firstn room (wanted (place x))) with (performed (place x) s). fold n.
      assert (Elen : room - length (performed (place x) s) = 0).
      { unfold Nodes.performed. fold room. rewrite firstn_length. fold n. lia. }
      rewrite Elen. cbn [last_nu fold_left].
      split; [exact En|]. split; [exact Ea|]. split; [lia|]. split; [exact Ei|]. split; [exact Es|].
      split; [symmetry; exact El|]. cbn [length expansions map].
      destruct (room <? n) eqn:Ecut.
      * (* cut: the children do not enter the tree *)
        apply Nat.ltb_lt in Ecut.
        assert (EL : leaves (expand x s) = leaves s).
        { rewrite E at 1. rewrite expand_leaves. unfold Nodes.affordable. fold room n.
          now rewrite (proj2 (Nat.leb_gt n room)). }
        cbn [Nat.sub firstn fold_left]. unfold same_depth_of_tree in *. rewrite EL. auto.
      * apply Nat.ltb_ge in Ecut.
        assert (Haff : affordable (place x) s = true) by (apply Nat.leb_le; fold room n; exact Ecut).
        rewrite (performed_all _ _ _ _ _ Haff).
        pose proof (whole_expansions x [] _ eq_refl []) as W. rewrite app_nil_r in W.
        change [expansion_of (place x)] with (expansions [x]). rewrite W. cbn [expansions map record firstn fold_left].
        destruct (replace_follows tr s x Hn Hin Hleast Haff Ht Hd) as (T1 & T2 & T3).
        split; [exact T1|]. split; [exact T2|exact T3].
    + apply Nat.leb_gt in Ern.
      assert (Haff : affordable (place x) s = true) by (apply Nat.leb_le; fold room n; lia).
      destruct (replace_follows tr s x Hn Hin Hleast Haff Ht Hd) as (T1 & T2 & T3).
      specialize (IH (expand x s) _ Ex' (leaves_are_nodes_after_expand x s Hn Hin)
        (fun y Hy => Hnode y (or_intror Hy)) (selected_after_expand l x xs s Hn Hsel) T1 T2).
      cbv zeta in IH. rewrite Er in IH.
      set (es := take_until (room - n) xs) in *.
      cbn [all_wanted flat_map fold_left expansions map length]. fold (all_wanted es) (expansions es).
      rewrite app_length. fold n.
      rewrite firstn_app. fold n. rewrite (firstn_all2 (wanted (place x))) by (fold n; lia).
      rewrite map_app.
      destruct IH as (I1 & I2 & I3 & I4 & I5 & I6 & I7 & I8 & I9).
      rewrite (performed_all _ _ _ _ _ Haff) in Ea, El.
      split; [rewrite I1, En; reflexivity|].
      split; [rewrite I2, Ea, fold_left_app; reflexivity|].
      split; [rewrite I3, app_length; fold n; lia|].
      split; [congruence|]. split; [congruence|].
      split.
      { rewrite I6, <- El. unfold expansions at 2. symmetry. apply happened_app.
        rewrite (requests_of_expansion less oracle cfg d_pos), !map_length. reflexivity. }
      change (expansion_of (place x) :: expansions es) with (expansions (x :: es)).
      rewrite (whole_expansions x es _ eq_refl).
      set (ws := map sample (firstn (room - n) (all_wanted es))) in *.
      replace (room <? n + length (all_wanted es)) with (room - n <? length (all_wanted es))
        by (apply eq_true_iff_eq; rewrite !Nat.ltb_lt; lia).
      replace (if room - n <? length (all_wanted es) then S (length es) - 1 else S (length es))
        with (S (if room - n <? length (all_wanted es) then length es - 1 else length es)).
      2:{ destruct (room - n <? length (all_wanted es)) eqn:Ec; [|reflexivity].
          destruct es; [|cbn; lia]. apply Nat.ltb_lt in Ec. cbn in Ec. lia. }
      cbn [firstn fold_left]. split; [exact I7|]. split; [exact I8|].
      etransitivity; [exact T3|exact I9].
Qed.
End ProgramVisits.
