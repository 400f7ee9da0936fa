(** * The price of norm classes, in evaluations

    A visit expands at most one leaf of each class.  With one class for each depth (Munos's rule) a sweep makes at most
    (K - 1) (h_max + 1) evaluations.  With the norm classes of Algorithm 1 a visit can expand one leaf of every norm:
    it does if the values decrease with the norm, because the largest norms come first. *)

From EmbeddedHunter Require Import ForestTerms ForestDefault ForestOutside Lattice Geometry Model Nodes Classes Steps RunsTree
  RunsEvaluations Sweep.
From EmbeddedHunter Require ForestContext.

(** ** A visit that expands every class *)

Section DecreasingValues.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation exhausted := (Model.exhausted cfg).
Local Notation visit := (Model.visit less oracle cfg).
Local Notation classes := Model.classes.

Lemma an_expansion_with_budget_left q s :
  exhausted (Model.expand less oracle cfg (Nodes.node_at less oracle cfg q) s) = false ->
  Model.made s + (K k - 1) <= Model.made (Model.expand less oracle cfg (Nodes.node_at less oracle cfg q) s).
Proof.
  intros Hx. rewrite expand_made. pose proof (length_wanted_at_least less oracle cfg q) as Hw.
  destruct (affordable less oracle cfg q s) eqn:Ha; [rewrite (performed_all _ _ _ _ _ Ha); lia|].
  exfalso. unfold Model.exhausted in Hx. apply Nat.leb_gt in Hx. rewrite expand_made in Hx.
  unfold affordable in Ha. apply Nat.leb_gt in Ha. unfold Nodes.performed in Hx.
  rewrite firstn_length_le in Hx by lia. lia.
Qed.

(** Claim [price-of-norm-classes]. A visit of a depth whose leaves all have values below nu_min, and smaller values where the norm is smaller, expands one leaf of
    each norm class, with K - 1 evaluations at least for each (unless the budget runs out first). *)
Theorem a_visit_expands_every_class_of_decreasing_values l s :
  leaves_are_nodes less oracle cfg s ->
  (forall x, In x (Model.leaves s) -> depth x = l -> Model.below less (best x) (Model.nu_min s) = true) ->
  (forall x y, In x (Model.leaves s) -> In y (Model.leaves s) -> depth x = l -> depth y = l ->
     (norm x < norm y)%Z -> less (best x) (best y) = true) ->
  exhausted (visit l s) = false ->
  length (expanded (Model.log (visit l s))) = length (expanded (Model.log s)) + length (classes l (Model.leaves s)) /\
  Model.made s + (K k - 1) * length (classes l (Model.leaves s)) <= Model.made (visit l s).
Proof.
  intros Hn Hnu Hdec Hx. set (all := classes l (Model.leaves s)) in *.
  set (P := fun (cs : list (Z * list (leaf V))) s1 => exhausted s1 = true \/
    (length (expanded (Model.log s1)) + length cs = length (expanded (Model.log s)) + length all /\
     Model.made s + (K k - 1) * length all <= Model.made s1 + (K k - 1) * length cs /\
     (forall c, In c cs -> In c all) /\
     (forall c x, In c cs -> In x (snd c) -> Model.below less (best x) (Model.nu_min s1) = true))).
  assert (members : forall r ms, In (r, ms) all -> forall x, In x ms -> In x (Model.leaves s) /\ depth x = l /\ norm x = r).
  { intros r ms Hin x Hxm. now apply (classes_hold_only_leaves_of_their_depth_and_norm l (Model.leaves s) r ms Hin). }
  assert (HP : P [] (visit l s)).
  { unfold Model.visit. apply (SearchSteps.visit_classes_induction (algorithm_one_is_lawful less oracle cfg) P l).
    - refine (fun (r : Z) (ms : list (leaf V)) cs (s1 : state V) Hn1 Hf HP => _).
      change (P cs (Model.visit_class less oracle cfg ms s1)). cbn in Hf.
      destruct Hf as [Hs Hm], HP as [HP|(H1 & H2 & H3 & H4)].
      + left. destruct ms; cbn [Model.visit_class]; [exact HP|]. now rewrite HP.
      + destruct (Hm r ms (or_introl eq_refl)) as [Hne Hy]. destruct ms as [|x rest]; [easy|].
        cbn [Model.visit_class]. destruct (exhausted s1) eqn:E1; [left; exact E1|].
        assert (Hin := argmin_in less x rest). set (a := argmin less x rest) in *.
        rewrite (H4 (r, x :: rest) a (or_introl eq_refl) Hin).
        assert (Ea := Hn1 _ (proj1 (Hy _ Hin))). 
        destruct (exhausted (Model.expand less oracle cfg a s1)) eqn:E2; [left; exact E2|right].
        rewrite Ea in E2 |- *. pose proof (an_expansion_with_budget_left (place a) s1 E2) as Hmade.
        rewrite expanded_expand. cbn [length] in *. split; [lia|]. split; [lia|].
        split; [intros c Hc; apply H3; now right|].
        intros [r' ms'] y Hc Hyin. cbn [snd] in Hyin. rewrite expand_nu. cbn [Model.below].
        unfold Nodes.value. rewrite <- Ea.
        inversion Hs as [|? ? _ Hf]; subst. rewrite Forall_forall in Hf. specialize (Hf _ Hc).
        apply Z.ltb_lt in Hf. cbn [fst] in Hf.
        destruct (members r' ms' (H3 _ (or_intror Hc)) y Hyin) as (Y1 & Y2 & Y3).
        destruct (members r (x :: rest) (H3 _ (or_introl eq_refl)) a Hin) as (A1 & A2 & A3).
        apply Hdec; auto. lia.
    - exact Hn.
    - exact (SearchSteps.frozen_ok_classes (algorithm_one_is_lawful less oracle cfg) l s).
    - right. cbn [Model.begin_visit Model.log expanded Model.made Model.nu_min].
      split; [reflexivity|]. split; [apply le_n|]. split; [auto|].
      intros [r ms] x Hc Hxm. destruct (members r ms Hc x Hxm) as (X1 & X2 & _). now apply Hnu. }
  destruct HP as [HP|(H1 & H2 & _)]; [congruence|]. cbn [length] in H1, H2. lia.
Qed.

End DecreasingValues.

(** ** One class for each depth *)

Section OneClass.

Context {V : Type} (less : V -> V -> bool) (cfg : forest_settings) (trees : nat).
Context (oracle : nat -> path -> V) (later : forest V -> path -> V).

(** Claim [price-of-norm-classes]. With one class for each depth, in one queue, a sweep makes at most (K - 1) (h_max + 1) evaluations. *)
Theorem a_sweep_with_one_class_per_depth_makes_at_most_K_minus_1_evaluations_per_depth s :
  Forest.exhausted cfg s = false ->
  ForestTerms.reached less cfg trees oracle later nothing (one_queue trees) one_class s ->
  Forest.made (Forest.sweep less cfg trees oracle later (one_queue trees) one_class s)
    <= Forest.made s + 2 * half cfg * S (h_max cfg).
Proof.
  intros Hx Hr. pose (F := ForestContext.Rules less cfg trees oracle later nothing (one_queue trees) one_class).
  pose proof (a_sweep_of_a_forest_makes_at_most_K_minus_1_evaluations_per_class (F := F) [(0, 0%Z)]) as H.
  unfold sweep_cost in H. cbn [length] in H. rewrite Nat.mul_1_r in H. apply H; [|exact Hx|exact Hr]. intros s' x Hr' Hin.
  pose proof (leaves_are_of_the_forest (F := F) ltac:(intros s0 a []) s' x Hr' Hin) as Ht. cbn in Ht.
  apply Nat.leb_gt in Ht. cbn. unfold Forest.key, one_queue, one_class. rewrite Ht. now left.
Qed.

End OneClass.

(** ** An example: |y| on the line *)

(** K = 3, d = 1, no evaluation is repeated. *)
Definition line_settings (h_max v : nat) : settings := Settings 1 1 h_max v 0 1.

(** |y|, in units of the smallest cell: the base point of p is 2 R c / 3^h. *)
Definition distance_from_0 (h_max : nat) (_ : nat) (p : path) : Z :=
  (Z.abs (num 1 1 p 0) * 3 ^ Z.of_nat (S h_max - length p))%Z.

(** The number of evaluations before node [p] is expanded; the latest event comes first. *)
Fixpoint evaluations_until (p : path) (log : list (event Z)) : option nat :=
  match log with
  | [] => None
  | Model.Expand q _ :: rest =>
      if same_path q p then Some (length (filter (fun e => match e with Model.Evaluate _ _ _ => true | _ => false end) rest))
      else evaluations_until p rest
  | _ :: rest => evaluations_until p rest
  end.

(** The evaluations before the node of depth h whose cell has 0 at its center is expanded, h_max = h.  With norm
    classes the forest of one tree is Algorithm 1 with M = 0 (ForestOneTree.v). *)
Definition price (rank : leaf Z -> Z) (h : nat) : option nat :=
  let cfg := one_dimension (line_settings h 200) in
  evaluations_until (repeat 1 h ++ [0])
    (Forest.log (Forest.hunt Z.ltb cfg 1 (distance_from_0 h) (fun _ _ => 0%Z) nothing (one_queue 1) rank)).
(** Claim [price-of-norm-classes]. An example: for |y| with K = 3 and d = 1, the numbers of evaluations before the optimal node of depth h = h_max is expanded, h = 0, ..., 6:
    with norm classes, and with one class for each depth. *)
Theorem the_price_of_norm_classes_on_the_line :
  map (price norm_class) (seq 0 7) = map Some [1; 5; 13; 27; 53; 97; 177] /\
  map (price one_class) (seq 0 7) = map Some [1; 3; 7; 13; 19; 27; 37].
Proof. split; vm_compute; reflexivity. Qed.
