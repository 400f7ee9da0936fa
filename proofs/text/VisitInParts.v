(** * A visit of the model in parts: what it chooses, all its evaluations at once, and line 10 at the end.

    [hunt] of hunter.py first chooses the expansions of a visit, then asks for all its values, and replaces the leaves
    afterwards.  The model expands one leaf after the other ([visit]).  [a_visit_in_parts]: both come to the same. *)

From Coq Require Import Permutation.
From EmbeddedHunter Require Import Python.
From EmbeddedHunter Require Import Lists Lattice Geometry Norms Model Classes Nodes Steps Order Paths RunsTree Batch RunsOrder PythonNodes.

Section VisitInParts.

Context (F : floats) (oracle : path -> nat -> float F) (cfg : settings).
Hypothesis greatest : forall a : float F, a = infinity F \/ less F a (infinity F) = true.
Hypothesis order : total_order (less F).
Hypothesis k_pos : 1 <= half cfg.
Hypothesis d_pos : 1 <= dimension cfg.

Local Notation node := (leaf (float F)).
Local Notation state := (Model.state (float F)).
Local Notation log := (Model.log).
Local Notation exhausted := (exhausted cfg).
Local Notation reached := (reached (less F) oracle cfg).
Local Notation node_at := (node_at (less F) oracle cfg).
Local Notation wanted := (wanted (less F) oracle cfg).
Local Notation sample := (sample (less F) oracle cfg).
Local Notation performed := (performed (less F) oracle cfg).
Local Notation affordable := (affordable (less F) oracle cfg).
Local Notation expand := (expand (less F) oracle cfg).
Local Notation leaves_are_nodes := (leaves_are_nodes (less F) oracle cfg).
Local Notation chosen := (chosen (less F)).
Local Notation before := (before F cfg).
Local Notation expansion_of := (expansion_of F oracle cfg).
Local Notation children := (Nodes.children cfg).
Local Notation happened := (happened F cfg).

(** ** Expansion by expansion *)

Fixpoint work (xs : list node) (s : state) : state :=
  match xs with
  | [] => s
  | x :: rest => if exhausted s then s else work rest (expand x s)
  end.

Lemma work_exhausted xs s : exhausted s = true -> work xs s = s.
Proof. intros H. destruct xs; cbn [work]; [reflexivity|]. now rewrite H. Qed.

Lemma nu_after_expand x s : nu_min (expand x s) = Some (best x).
Proof. apply (expand_in_batch (less F) cfg oracle oracle x s). intros r _. reflexivity. Qed.

Lemma visit_classes_is_work cs s : visit_classes (less F) oracle cfg cs s = work (chosen (nu_min s) cs) s.
Proof.
  revert s; induction cs as [|[r [|x rest]] cs IH]; intros s; [reflexivity|apply IH|].
  cbn [Batch.chosen Model.visit_classes Model.visit_class].
  destruct (exhausted s) eqn:Ex.
  - rewrite IH, !work_exhausted by exact Ex. reflexivity.
  - destruct (below (less F) (best (argmin (less F) x rest)) (nu_min s)); [|apply IH].
    cbn [work]. rewrite Ex, IH, nu_after_expand. reflexivity.
Qed.

(** The leaves that are expanded when [room] evaluations are left. *)
Fixpoint take_until (room : nat) (xs : list node) : list node :=
  match xs with
  | [] => []
  | x :: rest =>
      let n := length (wanted (place x)) in
      x :: (if room <=? n then [] else take_until (room - n) rest)
  end.

Definition nodes (xs : list node) : Prop := forall x, In x xs -> x = node_at (place x).

Lemma nodes_tail x xs : nodes (x :: xs) -> nodes xs.
Proof. intros H y Hy. apply H. now right. Qed.

Lemma made_after_expand q s :
  budget cfg - made (expand (node_at q) s) = budget cfg - made s - length (wanted q).
Proof. rewrite expand_made. unfold Nodes.performed. rewrite firstn_length. lia. Qed.

Lemma exhausted_after_expand q s :
  exhausted (expand (node_at q) s) = (budget cfg - made s <=? length (wanted q)).
Proof. apply eq_true_iff_eq. rewrite exhausted_left, made_after_expand, Nat.leb_le. lia. Qed.

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

(** ** What is chosen *)

Definition last_nu (xs : list node) (nu : option (float F)) : option (float F) :=
  fold_left (fun _ x => Some (best x)) xs nu.
Definition all_wanted (xs : list node) : list path := flat_map (fun x => wanted (place x)) xs.
Definition expansions (xs : list node) : list (expansion F) := map (fun x => expansion_of (place x)) xs.

(** The leaf that line 5 selects of a class. *)
Definition first_is (x : node) (c : Z * list node) : Prop :=
  exists y rest, snd c = y :: rest /\ x = argmin (less F) y rest.

Lemma choose_is_chosen firsts cs nu room :
  Forall2 first_is firsts cs -> nodes (chosen nu cs) ->
  choose F cfg firsts nu room =
  (expansions (take_until room (chosen nu cs)), map (request_of F oracle cfg) (all_wanted (take_until room (chosen nu cs))),
   last_nu (take_until room (chosen nu cs)) nu).
Proof.
  intros H. revert nu room. induction H as [|a [r ms] firsts cs (x & rest & E & Ea) H IH]; intros nu room Hn; [reflexivity|].
  cbn [snd] in E. subst ms. cbn [PythonNodes.choose Batch.chosen]. cbn [Batch.chosen] in Hn. rewrite <- Ea in *.
  destruct (below (less F) (best a) nu); [|now apply IH].
  assert (En : a = node_at (place a)) by (apply Hn; now left).
  replace (a, offspring F cfg a) with (expansion_of (place a)).
  2:{ unfold PythonNodes.expansion_of. rewrite <- (offspring_of_node_at F oracle cfg). now rewrite <- En. }
  rewrite (requests_of_expansion F oracle cfg d_pos), map_length.
  cbn [take_until]. destruct (room <=? length (wanted (place a))).
  - cbn. now rewrite app_nil_r.
  - rewrite IH by (eauto using nodes_tail). unfold expansions, all_wanted. cbn [map flat_map].
    rewrite map_app. reflexivity.
Qed.

Lemma chosen_from nu cs a : In a (chosen nu cs) ->
  exists r x rest, In (r, x :: rest) cs /\ a = argmin (less F) x rest.
Proof.
  revert nu; induction cs as [|[r [|x rest]] cs IH]; intros nu; cbn [Batch.chosen]; [easy| |].
  - intros H. destruct (IH _ H) as (r' & x & rest & H1 & H2). exists r', x, rest. split; [now right|exact H2].
  - destruct (below (less F) (best (argmin (less F) x rest)) nu).
    + intros [<-|H]; [exists r, x, rest; split; [now left|reflexivity]|].
      destruct (IH _ H) as (r' & x' & rest' & H1 & H2). exists r', x', rest'. split; [now right|exact H2].
    + intros H. destruct (IH _ H) as (r' & x' & rest' & H1 & H2). exists r', x', rest'. split; [now right|exact H2].
Qed.

Definition falling (x y : node) : Prop := (norm y < norm x)%Z.

Lemma chosen_falls nu cs :
  StronglySorted larger_norm cs -> (forall r ms x, In (r, ms) cs -> In x ms -> norm x = r) ->
  StronglySorted falling (chosen nu cs).
Proof.
  intros H. revert nu. induction H as [|[r ms] cs Hs IH Hf]; intros nu Hn; cbn [Batch.chosen]; [constructor|].
  assert (Hn' : forall r' ms' x, In (r', ms') cs -> In x ms' -> norm x = r').
  { intros r' ms' x Hin. apply Hn. now right. }
  destruct ms as [|x rest]; [now apply IH|].
  destruct (below (less F) (best (argmin (less F) x rest)) nu); [|now apply IH].
  constructor; [now apply IH|]. apply Forall_forall. intros y Hy.
  destruct (chosen_from _ _ _ Hy) as (r' & x' & rest' & Hin & ->). unfold falling.
  rewrite (Hn' r' _ _ Hin (argmin_in (less F) x' rest')).
  rewrite (Hn r (x :: rest) _ (or_introl eq_refl) (argmin_in (less F) x rest)).
  rewrite Forall_forall in Hf. exact (Hf _ Hin).
Qed.

(** Least in its class among all leaves. *)
Definition is_least_of_its_class (x : node) (xs : list node) : Prop :=
  forall y, In y xs -> depth y = depth x -> norm y = norm x -> y = x \/ before x y = true.

(** Line 5's selection is least in its class among all leaves. *)
Lemma selected_is_least s l r x rest : reached s -> In (r, x :: rest) (classes l (leaves s)) ->
  let a := argmin (less F) x rest in
  In a (leaves s) /\ depth a = l /\ is_least_of_its_class a (leaves s) /\
  forall y, In y (x :: rest) -> y = a \/ before a y = true.
Proof.
  intros Hr Hin. cbv zeta. set (a := argmin (less F) x rest).
  pose proof (argmin_in (less F) x rest) as Ha. fold a in Ha.
  destruct (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r _ Hin) as [_ Hm].
  destruct (Hm a Ha) as (Ha1 & Ha2 & Ha3).
  pose proof (reached_leaves_are_nodes (less F) oracle cfg s Hr) as Hn.
  assert (B : forall y, In y (x :: rest) -> y = a \/ before a y = true).
  { intros y Hy. destruct (list_eq_dec Nat.eq_dec (place y) (place a)) as [E|N].
    - left. destruct (Hm y Hy) as (Hy1 & _). rewrite (Hn y Hy1), (Hn a Ha1). now rewrite E.
    - right. assert (Ne : y <> a) by (intros ->; now apply N).
      destruct (line_5_selects_the_least_index_among_the_least (less F) oracle cfg order s l r x rest Hr Hin y Hy Ne)
        as [B1 B2]. fold a in B1, B2. rewrite (before_is F cfg).
      unfold at_most in B1. rewrite B1. cbn [negb andb].
      destruct B2 as [B2|B2]; [now rewrite B2|]. apply orb_true_iff. right. now apply Nat.ltb_lt. }
  split; [exact Ha1|]. split; [exact Ha2|]. split; [|exact B].
  intros y Hy Hd Hnorm. apply B.
  destruct (every_leaf_of_the_depth_is_in_its_class l (leaves s) y Hy ltac:(congruence)) as (ms & Hms & Hyms).
  rewrite Hnorm, Ha3 in Hms.
  now rewrite (one_class_of_a_norm _ _ _ _ _ Hms Hin) in Hyms.
Qed.

(** ** Values, events and leaves *)

(** What line 10 makes of the leaves when x is expanded. *)
Definition replaced (x : node) (xs : list node) : list node :=
  replace_leaf (place x) (map node_at (children (place x))) xs.

(** Each leaf is there when its turn comes to be replaced, and is least in its class. *)
Fixpoint in_turn (es xs : list node) : Prop :=
  match es with
  | [] => True
  | x :: rest =>
      x = node_at (place x) /\ is_least_of_its_class x xs /\
      (exists others, Permutation xs (x :: others) /\ Permutation (replaced x xs) (map node_at (children (place x)) ++ others)) /\
      in_turn rest (replaced x xs)
  end.

(** Leaves of depth [l], each least in its class, of falling norms. *)
Definition selected (l : nat) (xs : list node) (s : state) : Prop :=
  StronglySorted falling xs /\
  forall x, In x xs -> In x (leaves s) /\ depth x = l /\ is_least_of_its_class x (leaves s).

Lemma leaves_split x s : leaves_are_nodes s -> In x (leaves s) -> exists others,
  Permutation (leaves s) (x :: others) /\ Permutation (replaced x (leaves s)) (map node_at (children (place x)) ++ others).
Proof.
  intros Hn Hx. destruct (replace_leaf_split (place x) (map node_at (children (place x))) (leaves s) (in_map place _ _ Hx))
    as (l1 & y & l2 & E & Hy & E'). exists (l1 ++ l2).
  assert (y = x) as ->.
  { rewrite (Hn x Hx), (Hn y) by (rewrite E; apply in_or_app; right; now left). now rewrite Hy. }
  unfold replaced. rewrite E', E. split; [symmetry; apply Permutation_middle|].
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma leaves_after_expand x s : x = node_at (place x) -> affordable (place x) s = true ->
  leaves (expand x s) = replaced x (leaves s).
Proof. intros E Ha. rewrite E at 1. now rewrite expand_leaves, Ha. Qed.

Lemma selected_after_expand l x xs s : leaves_are_nodes s -> selected l (x :: xs) s -> selected l xs (expand x s).
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

Lemma leaves_are_nodes_after_expand x s : leaves_are_nodes s -> In x (leaves s) -> leaves_are_nodes (expand x s).
Proof. intros Hn Hx. rewrite (Hn x Hx). now apply leaves_are_nodes_expand. Qed.

Lemma happened_app (e : expansion F) es (vs ws : list (float F)) log :
  length vs = length (requests F cfg e) ->
  happened (e :: es) (vs ++ ws) log = happened es ws (happened [e] vs log).
Proof.
  intros H. cbn [PythonNodes.happened]. rewrite <- H, skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app].
  rewrite combine_firstn_l, firstn_app, H, firstn_all2, Nat.sub_diag by lia. cbn [firstn]. rewrite app_nil_r.
  reflexivity.
Qed.

Lemma happened_is_log x s : x = node_at (place x) ->
  happened [expansion_of (place x)] (map sample (performed (place x) s)) (log s) = log (expand x s).
Proof.
  intros E. cbn [PythonNodes.happened]. rewrite (requests_of_expansion F oracle cfg d_pos).
  replace (expand x s) with (expand (node_at (place x)) s) by (now rewrite <- E). rewrite expand_log.
  cbn [fst PythonNodes.expansion_of]. rewrite place_node_at. f_equal. f_equal.
  unfold Nodes.performed. generalize (budget cfg - made s).
  induction (wanted (place x)) as [|p ps IH]; intros n; [now rewrite firstn_nil|].
  destruct n as [|n]; [reflexivity|]. cbn [firstn map combine]. f_equal; [|apply IH].
  cbn [fst snd PythonNodes.request_of]. now rewrite place_pending.
Qed.

(** The evaluations that the budget allows, in the text's words and in the model's. *)
Lemma replies_are_samples (ps : list path) : map (reply F oracle cfg) (map (request_of F oracle cfg) ps) = map sample ps.
Proof. rewrite map_map. apply map_ext. intros p. apply reply_request_of. Qed.

(** The nodes that are recorded are those of the model. *)
Definition finished (x : node) : expansion F := (x, map node_at (children (place x))).

Lemma record_cut xs n m : nodes xs -> m <= length xs -> length (all_wanted (firstn m xs)) <= n ->
  firstn m (record F cfg (expansions xs) (map sample (firstn n (all_wanted xs)))) = map finished (firstn m xs).
Proof.
  revert n m. induction xs as [|x xs IH]; intros n [|m] Hn Hm Hl; try reflexivity.
  cbn [firstn all_wanted flat_map] in Hl. fold (all_wanted (firstn m xs)) in Hl. rewrite app_length in Hl. cbn [length] in Hm.
  cbn [expansions map record all_wanted flat_map]. fold (all_wanted xs) (expansions xs).
  rewrite firstn_app, (firstn_all2 (wanted (place x))) by lia. unfold PythonNodes.expansion_of at 1. rewrite map_app.
  rewrite (take_values_of_expansion F oracle cfg d_pos greatest). cbn [firstn map]. f_equal.
  - unfold finished. f_equal. symmetry. apply Hn. now left.
  - apply IH; [eauto using nodes_tail|lia|lia].
Qed.

(** How many expansions are complete if [room] evaluations are left. *)
Definition complete (room : nat) (es : list node) : nat :=
  if room <? length (all_wanted es) then length es - 1 else length es.

(** The choice against the expansions of the model, one after another. *)
Lemma expansions_in_parts l xs : forall s,
  exhausted s = false -> leaves_are_nodes s -> selected l xs s ->
  let room := budget cfg - made s in
  let es := take_until room xs in
  let asked := firstn room (all_wanted es) in
  let s' := fold_left (fun s x => expand x s) es s in
  let whole := firstn (complete room es) es in
  nu_min s' = last_nu es (nu_min s) /\
  Model.answer s' = fold_left (fun a v => smaller (less F) v a) (map sample asked) (Model.answer s) /\
  budget cfg - made s' = room - length asked /\
  iterations s' = iterations s /\ sweeps s' = sweeps s /\
  log s' = happened (expansions es) (map sample asked) (log s) /\
  leaves s' = fold_left (fun ls x => replaced x ls) whole (leaves s) /\
  in_turn whole (leaves s) /\ length (all_wanted whole) <= room.
Proof.
  induction xs as [|x xs IH]; intros s Hx Hn Hsel; cbv zeta.
  - cbn [take_until all_wanted flat_map expansions map]. rewrite !firstn_nil.
    cbn. rewrite Nat.sub_0_r. repeat split; lia.
  - destruct (proj2 Hsel x (or_introl eq_refl)) as (Hin & Hdx & Hleast).
    pose proof (Hn x Hin) as E. destruct (leaves_split x s Hn Hin) as (others & P1 & P2).
    set (n := length (wanted (place x))). set (room := budget cfg - made s).
    assert (Er : budget cfg - made (expand x s) = room - n) by (rewrite E; apply made_after_expand).
    assert (Ex' : exhausted (expand x s) = (room <=? n)) by (rewrite E; apply exhausted_after_expand).
    assert (En : nu_min (expand x s) = Some (best x)) by apply nu_after_expand.
    assert (Ea : Model.answer (expand x s)
      = fold_left (fun a v => smaller (less F) v a) (map sample (performed (place x) s)) (Model.answer s)).
    { rewrite E at 1. rewrite expand_answer. generalize (Model.answer s).
      induction (performed (place x) s) as [|p ps IHp]; intros a; [reflexivity|]. cbn. apply IHp. }
    assert (Ei : iterations (expand x s) = iterations s) by (rewrite E; apply expand_iterations).
    assert (Es : sweeps (expand x s) = sweeps s) by (rewrite E; apply expand_sweeps).
    pose proof (happened_is_log x s E) as El.
    cbn [take_until]. fold n. destruct (room <=? n) eqn:Ern.
    + (* the last expansion of the visit *)
      apply Nat.leb_le in Ern. unfold complete. cbn [all_wanted flat_map fold_left]. rewrite app_nil_r.
      change (firstn room (wanted (place x))) with (performed (place x) s). fold n.
      assert (Elen : room - length (performed (place x) s) = 0).
      { unfold Nodes.performed. fold room. rewrite firstn_length. fold n. lia. }
      rewrite Elen. cbn [last_nu fold_left].
      split; [exact En|]. split; [exact Ea|]. split; [lia|]. split; [exact Ei|]. split; [exact Es|].
      split; [symmetry; exact El|]. cbn [length].
      destruct (room <? n) eqn:Ecut.
      * (* cut: the children do not enter the tree *)
        apply Nat.ltb_lt in Ecut. cbn. split; [|split; [exact I|lia]].
        rewrite E at 1. rewrite expand_leaves. unfold Nodes.affordable. fold room n.
        now rewrite (proj2 (Nat.leb_gt n room)).
      * apply Nat.ltb_ge in Ecut.
        assert (Haff : affordable (place x) s = true) by (apply Nat.leb_le; fold room n; exact Ecut).
        cbn [firstn fold_left in_turn all_wanted flat_map]. rewrite app_nil_r. fold n.
        split; [now apply leaves_after_expand|]. split; [|exact Ecut].
        split; [exact E|]. split; [exact Hleast|]. split; [now exists others|exact I].
    + apply Nat.leb_gt in Ern.
      assert (Haff : affordable (place x) s = true) by (apply Nat.leb_le; fold room n; lia).
      specialize (IH (expand x s) Ex' (leaves_are_nodes_after_expand x s Hn Hin) (selected_after_expand l x xs s Hn Hsel)).
      cbv zeta in IH. rewrite Er in IH. rewrite (leaves_after_expand x s E Haff) in IH.
      set (es := take_until (room - n) xs) in *.
      unfold complete in *. cbn [all_wanted flat_map fold_left expansions map length]. fold (all_wanted es) (expansions es).
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
      { rewrite I6, <- El. symmetry. apply happened_app.
        rewrite (requests_of_expansion F oracle cfg d_pos), !map_length. reflexivity. }
      replace (room <? n + length (all_wanted es)) with (room - n <? length (all_wanted es))
        by (apply eq_true_iff_eq; rewrite !Nat.ltb_lt; lia).
      replace (if room - n <? length (all_wanted es) then S (length es) - 1 else S (length es))
        with (S (if room - n <? length (all_wanted es) then length es - 1 else length es)).
      2:{ destruct (room - n <? length (all_wanted es)) eqn:Ec; [|reflexivity].
          destruct es; [|cbn; lia]. apply Nat.ltb_lt in Ec. cbn in Ec. lia. }
      cbn [firstn fold_left in_turn all_wanted flat_map]. rewrite app_length. fold n.
      split; [exact I7|]. split; [|match goal with |- _ + length ?a <= _ => change (length a <= room - n) in I9 end; lia].
      split; [exact E|]. split; [exact Hleast|]. split; [now exists others|exact I8].
Qed.

(** Claim [python-text] [batch-equivalence]. A visit of the model in parts: what it chooses, all values at once, and line 10 afterwards. *)
Theorem a_visit_in_parts l s : reached s -> exhausted s = false -> l <= h_max cfg ->
  let xs := chosen (nu_min s) (classes l (leaves s)) in
  let room := budget cfg - made s in
  let es := take_until room xs in
  let asked := firstn room (all_wanted es) in
  let s' := visit (less F) oracle cfg l s in
  let whole := firstn (complete room es) es in
  nodes xs /\ nodes es /\ reached s' /\
  nu_min s' = last_nu es (nu_min s) /\
  Model.answer s' = fold_left (fun a v => smaller (less F) v a) (map sample asked) (Model.answer s) /\
  budget cfg - made s' = room - length asked /\
  iterations s' = S (iterations s) /\ sweeps s' = sweeps s /\
  log s' = happened (expansions es) (map sample asked) (Visit l :: log s) /\
  leaves s' = fold_left (fun ls x => replaced x ls) whole (leaves s) /\
  in_turn whole (leaves s) /\ length (all_wanted whole) <= room.
Proof.
  intros Hr Hx Hl. cbv zeta. pose proof (reached_leaves_are_nodes (less F) oracle cfg s Hr) as Hn.
  set (cs := classes l (leaves s)). set (xs := chosen (nu_min s) cs). set (room := budget cfg - made s).
  assert (Hfrom : forall a, In a xs -> In a (leaves s) /\ depth a = l /\ is_least_of_its_class a (leaves s)).
  { intros a Ha. destruct (chosen_from _ _ _ Ha) as (r & x & rest & Hin & ->).
    destruct (selected_is_least s l r x rest Hr Hin) as (A1 & A2 & A3 & _). auto. }
  assert (Hnodes : nodes xs) by (intros a Ha; now apply Hn, Hfrom).
  assert (Hes : nodes (take_until room xs)).
  { clear - Hnodes. revert Hnodes. generalize xs, room. clear. induction xs as [|x xs IH]; intros room Hn y Hy; [easy|].
    cbn [take_until] in Hy. destruct Hy as [<-|Hy]; [apply Hn; now left|].
    destruct (room <=? length (wanted (place x))); [easy|]. apply (IH _ (nodes_tail _ _ Hn) y Hy). }
  assert (Hsel : selected l xs (begin_visit l s)).
  { split; [|exact Hfrom]. apply chosen_falls; [apply classes_come_largest_norm_first|].
    intros r ms x Hin Hx0. now apply (classes_hold_only_leaves_of_their_depth_and_norm l (leaves s) r ms Hin). }
  assert (Hvs : visit (less F) oracle cfg l s = fold_left (fun s x => expand x s) (take_until room xs) (begin_visit l s)).
  { change room with (budget cfg - made (begin_visit l s)). rewrite <- work_is_expand_all; [|exact Hnodes|exact Hx].
    apply (visit_classes_is_work cs (begin_visit l s)). }
  split; [exact Hnodes|]. split; [exact Hes|]. split.
  - eapply reached_steps; [exact Hr|]. apply (moves_steps (less F) oracle cfg l); [exact Hl|]. now apply visit_moves.
  - rewrite Hvs. exact (expansions_in_parts l xs (begin_visit l s) Hx Hn Hsel).
Qed.

End VisitInParts.
