(** * SequOOL's rule: where it finds the optimal node, and after how many expansions

    The rule is in SequoolRule.v.  If at each depth h = 1, ..., l at most floor(H/h) nodes are as good as the optimal node of depth h may be, the optimal
    node of depth l + 1 is evaluated.  The number of expansions is of the order H ln H. *)

From Coq Require Import Permutation Reals Lra.
From EmbeddedHunter Require Import Lists Filters Model Order SequoolRule.

(** ** The n nodes with the least values *)

Section Least.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V).

Local Notation insert := (insert less value).
Local Notation sorted := (sorted less value).
Local Notation n_least := (n_least less value).

(** The number of nodes of [xs] with a value of at most [v]. *)
Definition number_up_to (v : V) (xs : list Node) : nat :=
  length (filter (fun x => negb (less v (value x))) xs).

Lemma filter_permutes {A} (p : A -> bool) xs ys : Permutation xs ys -> Permutation (filter p xs) (filter p ys).
Proof.
  induction 1; cbn [filter]; [constructor | destruct (p x); [constructor|]; assumption | | etransitivity; eassumption].
  destruct (p x), (p y); try constructor; reflexivity.
Qed.

Lemma insert_permutes x xs : Permutation (x :: xs) (insert x xs).
Proof.
  induction xs as [|y rest IH]; cbn [insert]; [reflexivity|].
  destruct (less (value y) (value x)); [|reflexivity].
  rewrite perm_swap. now constructor.
Qed.

Lemma sorted_permutes xs : Permutation xs (sorted xs).
Proof.
  induction xs as [|x rest IH]; cbn [sorted]; [constructor|].
  rewrite <- insert_permutes. now constructor.
Qed.

Hypothesis order : total_order less.

Local Notation in_order := (StronglySorted (fun x y => at_most less (value x) (value y))).

Lemma insert_keeps_order x xs : in_order xs -> in_order (insert x xs).
Proof.
  induction 1 as [|y rest sorted_rest IH above]; cbn [insert]; [repeat constructor|].
  destruct (less (value y) (value x)) eqn:E.
  - constructor; [exact IH|]. rewrite <- insert_permutes. constructor; [|exact above].
    now apply less_at_most.
  - constructor; [now constructor|]. constructor; [exact E|].
    eapply Forall_impl; [|exact above]. cbn beta. intros z. now apply at_most_trans.
Qed.

Lemma sorted_is_in_order xs : in_order (sorted xs).
Proof. induction xs; cbn [sorted]; [constructor|]. now apply insert_keeps_order. Qed.

Lemma a_node_with_few_better_ones_is_among_the_least o n xs :
  In o xs -> number_up_to (value o) xs <= n -> In o (n_least n xs).
Proof.
  intros inside few. unfold n_least.
  assert (inside' : In o (sorted xs)) by (now rewrite <- sorted_permutes).
  assert (few' : number_up_to (value o) (sorted xs) <= n).
  { unfold number_up_to in *. erewrite Permutation_length; [exact few|].
    symmetry. apply filter_permutes, sorted_permutes. }
  clear inside few. pose proof (sorted_is_in_order xs) as ordered. revert n inside' few'.
  induction ordered as [|y rest ordered IH above]; intros n inside few; [easy|].
  unfold number_up_to in few. cbn [filter] in few.
  assert (counted : negb (less (value o) (value y)) = true).
  { apply negb_true_iff. destruct inside as [-> | inside]; [apply at_most_refl; assumption|].
    rewrite Forall_forall in above. now apply above. }
  rewrite counted in few. cbn [length] in few. destruct n as [|n]; [lia|]. cbn [firstn].
  destruct inside as [same | inside]; [now left|]. right. apply IH; [exact inside|]. unfold number_up_to. lia.
Qed.

End Least.

(** ** Some of a list, each as often at most *)

Definition some_of {A} (xs ys : list A) : Prop := exists rest, Permutation ys (xs ++ rest).

Lemma some_of_filter {A} (p : A -> bool) xs ys : some_of xs ys -> some_of (filter p xs) (filter p ys).
Proof. intros [rest all]. exists (filter p rest). rewrite <- filter_app. now apply filter_permutes. Qed.

Lemma some_of_length {A} (xs ys : list A) : some_of xs ys -> length xs <= length ys.
Proof. intros [rest all]. apply Permutation_length in all. rewrite app_length in all. lia. Qed.

Lemma some_of_trans {A} (xs ys zs : list A) : some_of xs ys -> some_of ys zs -> some_of xs zs.
Proof.
  intros [rest all] [rest' all']. exists (rest ++ rest'). rewrite app_assoc. rewrite all', all. reflexivity.
Qed.

Lemma some_of_app {A} (xs xs' ys ys' : list A) : some_of xs ys -> some_of xs' ys' -> some_of (xs ++ xs') (ys ++ ys').
Proof.
  intros [rest all] [rest' all']. exists (rest ++ rest'). rewrite all, all'.
  rewrite <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma some_of_flat_map {A B} (f : A -> list B) xs ys : some_of xs ys -> some_of (flat_map f xs) (flat_map f ys).
Proof. intros [rest all]. exists (flat_map f rest). rewrite <- flat_map_app. now apply Permutation_flat_map. Qed.

Lemma n_least_are_some {V Node} (less : V -> V -> bool) (value : Node -> V) n xs : some_of (n_least less value n xs) xs.
Proof.
  exists (skipn n (sorted less value xs)). unfold n_least. rewrite firstn_skipn. apply sorted_permutes.
Qed.

Section Sequool.

Context {V Node : Type} (less : V -> V -> bool) (value : Node -> V) (children : Node -> list Node).

(** The roots of the trees, one at least.  Nodes compete within a queue: SequOOL has one queue, and a forest in which the
    nodes of the zero vector are apart has two. *)
Context (root : Node) (other_roots : list Node) (queue : Node -> nat) (queues : nat).

(** The greatest depth that is visited. *)
Context (H : nat).

Local Notation roots := (roots root other_roots).
Local Notation share := (share root other_roots H).
Local Notation selected := (selected less value root other_roots queue queues H).
Local Notation level := (level less value children root other_roots queue queues H).
Local Notation expanded := (expanded less value children root other_roots queue queues H).
Local Notation answer := (answer less value children root other_roots queue queues H).
Local Notation nodes_of_depth := (nodes_of_depth children root other_roots).
Local Notation in_queue := (in_queue queue).

Lemma selected_are_some h xs : some_of (selected h xs) xs.
Proof.
  unfold selected. generalize (seq_NoDup queues 0). generalize (seq 0 queues). intros qs distinct. revert xs.
  induction distinct as [|q qs new distinct IH]; intros xs; cbn [flat_map]; [now exists xs|].
  apply some_of_trans with (in_queue q xs ++ filter (fun x => negb (queue x =? q)) xs).
  - apply some_of_app; [apply n_least_are_some|].
    assert (others : flat_map (fun q' => n_least less value (share h) (in_queue q' xs)) qs
      = flat_map (fun q' => n_least less value (share h) (in_queue q' (filter (fun x => negb (queue x =? q)) xs))) qs).
    { clear IH distinct. induction qs as [|q' qs IH]; cbn [flat_map]; [reflexivity|].
      rewrite IH by (intros ?; apply new; now right). f_equal. f_equal.
      assert (q' <> q) by (intros ->; apply new; now left). unfold in_queue. clear IH new.
      induction xs as [|x rest IH]; cbn [filter]; [reflexivity|].
      destruct (Nat.eqb_spec (queue x) q); cbn [negb filter]; destruct (Nat.eqb_spec (queue x) q');
        rewrite ?IH; try reflexivity. lia. }
    rewrite others. apply IH.
  - exists []. rewrite app_nil_r. unfold in_queue. induction xs as [|x rest all]; cbn [filter]; [constructor|].
    destruct (queue x =? q); cbn [negb]; [now constructor|].
    rewrite <- Permutation_middle. now constructor.
Qed.

Lemma evaluated_nodes_are_nodes h : some_of (level h) (nodes_of_depth h).
Proof.
  induction h as [|h IH]; cbn [level nodes_of_depth]; [exists []; now rewrite app_nil_r|].
  apply some_of_flat_map. eapply some_of_trans; [apply selected_are_some | exact IH].
Qed.

(** ** Where the optimal node is found *)

Section Branch.

Hypothesis order : total_order less.

(** o_0, o_1, ...: a root, and of each node a child. *)
Variable branch : nat -> Node.
Hypothesis the_branch_begins_at_a_root : In (branch 0) roots.
Hypothesis the_branch_goes_on : forall h, In (branch (S h)) (children (branch h)).
Hypothesis it_has_queues : forall h, queue (branch h) < queues.

(** The threshold f* + eps_h of depth h. *)
Variable threshold : nat -> V.
Hypothesis the_branch_is_near_optimal : forall h, at_most less (value (branch h)) (threshold h).

(** N_h: the number of nodes of depth h, in the queue of the branch, with a value of at most the threshold. *)
Definition near_optimal (h : nat) : nat :=
  number_up_to less value (threshold h) (in_queue (queue (branch h)) (nodes_of_depth h)).

Lemma a_node_of_the_branch_is_expanded h : In (branch h) (level h) ->
  (h = 0 \/ near_optimal h <= H / h) -> In (branch h) (expanded h).
Proof.
  intros inside few. unfold expanded, selected. apply in_flat_map. exists (queue (branch h)).
  split; [apply in_seq; specialize (it_has_queues h); lia|].
  assert (inside' : In (branch h) (in_queue (queue (branch h)) (level h))).
  { unfold in_queue. apply filter_In. now rewrite Nat.eqb_refl. }
  apply a_node_with_few_better_ones_is_among_the_least; [exact order | exact inside'|].
  destruct h as [|h].
  - cbn [level share] in *. unfold number_up_to, in_queue. etransitivity; apply length_filter.
  - destruct few as [few | few]; [discriminate|]. cbn [share]. etransitivity; [|exact few].
    unfold near_optimal, number_up_to. etransitivity.
    + apply some_of_length. apply some_of_filter, some_of_filter, evaluated_nodes_are_nodes.
    + apply length_filter_mono. intros x _ E%negb_true_iff. apply negb_true_iff.
      apply (at_most_trans less order _ (value (branch (S h)))); [exact E | apply the_branch_is_near_optimal].
Qed.

(** Claim [sequool]. SequOOL's rule: if h N_h <= H at the depths h = 1, ..., l, where N_h is the number of nodes of depth h
    with a value of at most the threshold, the optimal node of depth l + 1 is evaluated. *)
Theorem sequool_evaluates_the_optimal_node l :
  (forall h, 1 <= h <= l -> h * near_optimal h <= H) -> In (branch (S l)) (level (S l)).
Proof.
  intros few.
  assert (found : forall h, h <= S l -> In (branch h) (level h)); [|now apply found].
  induction h as [|h IH]; intros small; [exact the_branch_begins_at_a_root|].
  cbn [level]. apply in_flat_map. exists (branch h). split; [|apply the_branch_goes_on].
  apply a_node_of_the_branch_is_expanded; [apply IH; lia|].
  destruct h as [|h]; [now left | right]. apply Nat.div_le_lower_bound; [lia|]. apply few. lia.
Qed.

Lemma depths_found_are_visited l : (forall h, 1 <= h <= l -> h * near_optimal h <= H) -> l <= H.
Proof.
  intros few. destruct l as [|l]; [lia|].
  assert (1 <= near_optimal (S l)); [|specialize (few (S l) ltac:(lia)); nia].
  assert (inside : In (branch (S l)) (nodes_of_depth (S l))).
  { generalize (S l). induction n as [|n IH]; [exact the_branch_begins_at_a_root|].
    cbn [nodes_of_depth]. apply in_flat_map. exists (branch n). split; [exact IH | apply the_branch_goes_on]. }
  unfold near_optimal, number_up_to. destruct (filter _ _) as [|x rest] eqn:E; [exfalso|cbn; lia].
  assert (In (branch (S l)) []) as []. rewrite <- E. apply filter_In. split.
  - apply filter_In. now rewrite Nat.eqb_refl.
  - apply negb_true_iff. apply the_branch_is_near_optimal.
Qed.

(** Claim [sequool]. Then the least value of the run is at most the threshold of depth l + 1. *)
Theorem the_answer_of_sequool_is_near_optimal l :
  (forall h, 1 <= h <= l -> h * near_optimal h <= H) -> at_most less answer (threshold (S l)).
Proof.
  intros few. eapply at_most_trans; [exact order | | apply the_branch_is_near_optimal].
  unfold answer. apply (fold_smaller less order). apply in_flat_map. exists (S l). split.
  - apply in_seq. pose proof (depths_found_are_visited l few). lia.
  - now apply sequool_evaluates_the_optimal_node.
Qed.

(** Claim [sequool]. If no depth has more than C near-optimal nodes, the optimal node of depth floor(H/C) + 1 bounds the
    answer. *)
Theorem the_answer_of_sequool_with_few_near_optimal_nodes C : 1 <= C -> (forall h, near_optimal h <= C) ->
  at_most less answer (threshold (S (H / C))).
Proof.
  intros positive few. apply the_answer_of_sequool_is_near_optimal. intros h range.
  pose proof (Nat.mul_div_le H C ltac:(lia)). specialize (few h). nia.
Qed.

End Branch.

(** ** The number of expansions *)

Definition expansions : nat := length (flat_map expanded (seq 0 (S H))).

(** floor(H/1) + ... + floor(H/n). *)
Fixpoint sum_of_shares (n : nat) : nat := match n with 0 => 0 | S n' => sum_of_shares n' + H / S n' end.

Lemma few_are_selected h xs : length (selected h xs) <= queues * share h.
Proof.
  unfold selected. rewrite <- (seq_length queues 0) at 2. generalize (seq 0 queues). intros qs.
  induction qs as [|q rest IH]; cbn [flat_map length]; [lia|]. rewrite app_length.
  pose proof (firstn_le_length (share h) (sorted less value (in_queue q xs))). unfold n_least at 1. lia.
Qed.

(** Claim [sequool]. The rule makes at most P + q (floor(H/1) + ... + floor(H/H)) expansions, of P trees with q queues. *)
Theorem sequool_makes_few_expansions : expansions <= length roots + queues * sum_of_shares H.
Proof.
  unfold expansions. cbn [seq flat_map]. rewrite app_length. apply Nat.add_le_mono.
  - apply some_of_length, (selected_are_some 0 roots).
  - assert (sums : forall n, length (flat_map expanded (seq 1 n)) <= queues * sum_of_shares n); [|apply sums].
    induction n as [|n IH]; [cbn; lia|]. rewrite seq_S, flat_map_app, app_length.
    cbn [flat_map sum_of_shares plus]. rewrite app_nil_r.
    pose proof (few_are_selected (S n) (level (S n))) as bound. change (share (S n)) with (H / S n) in bound.
    unfold expanded at 2. lia.
Qed.

End Sequool.

Local Open Scope R_scope.

Lemma logarithm_grows n : (1 <= n)%nat -> / INR (S n) <= ln (INR (S n)) - ln (INR n).
Proof.
  intros positive. assert (0 < INR n) by (apply lt_0_INR; lia). assert (0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (quotient : INR n / INR (S n) <= exp (- / INR (S n))).
  { replace (INR n / INR (S n)) with (1 + - / INR (S n)) by (rewrite S_INR in *; field; lra). apply exp_ineq1_le. }
  assert (positive_quotient : 0 < INR n / INR (S n)) by (apply Rdiv_lt_0_compat; assumption).
  assert (logarithms : ln (INR n / INR (S n)) <= - / INR (S n)).
  { destruct quotient as [smaller | same]; [|rewrite same, ln_exp; lra].
    apply (ln_increasing _ _ positive_quotient) in smaller. rewrite ln_exp in smaller. lra. }
  unfold Rdiv in logarithms. rewrite ln_mult, ln_Rinv in logarithms by (try apply Rinv_0_lt_compat; assumption). lra.
Qed.

(** Claim [sequool]. The sum of the shares is at most H (1 + ln H). *)
Theorem the_shares_of_sequool_add_up_to_H_log_H (H : nat) : (1 <= H)%nat ->
  INR (sum_of_shares H H) <= INR H * (1 + ln (INR H)).
Proof.
  intros positive.
  assert (sums : forall n, (1 <= n)%nat -> INR (sum_of_shares H n) <= INR H * (1 + ln (INR n))); [|now apply sums].
  assert (0 <= INR H) by apply pos_INR.
  assert (quotient : forall n, INR (H / S n) <= INR H * / INR (S n)).
  { intros n. assert (0 < INR (S n)) by (apply lt_0_INR; lia).
    apply Rmult_le_reg_r with (INR (S n)); [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite <- mult_INR. apply le_INR. rewrite Nat.mul_comm. apply Nat.mul_div_le. lia. }
  induction n as [|n IH]; intros some; [lia|]. cbn [sum_of_shares]. rewrite plus_INR. specialize (quotient n).
  destruct n as [|n].
  - cbn [sum_of_shares] in *. change (INR 1) with 1 in *. rewrite ln_1. change (INR 0) with 0. lra.
  - pose proof (logarithm_grows (S n) ltac:(lia)). specialize (IH ltac:(lia)).
    apply Rle_trans with (INR H * (1 + ln (INR (S n))) + INR H * / INR (S (S n))); [lra|].
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra.
Qed.

(** ** An example *)

(** In a binary tree the node of depth h that is reached by going left alone has the value -h, all others have 0.  The rule
    goes straight down: with H it finds the value -(H + 1). *)
Definition left_or_right (p : list bool) : list (list bool) := [true :: p; false :: p].

Definition depth_on_the_left (p : list bool) : Z := if forallb (fun b => b) p then - Z.of_nat (length p) else 0.

Lemma one_node_is_on_the_left h :
  filter (forallb (fun b => b)) (nodes_of_depth left_or_right [] [] h) = [repeat true h].
Proof.
  induction h as [|h IH]; [reflexivity|]. cbn [nodes_of_depth repeat].
  change [true :: repeat true h] with (map (cons true) [repeat true h]). rewrite <- IH.
  generalize (nodes_of_depth left_or_right [] [] h). intros xs. induction xs as [|p rest all]; [reflexivity|].
  cbn [flat_map left_or_right app filter forallb andb]. rewrite all.
  destruct (forallb (fun b => b) p); reflexivity.
Qed.

(** Claim [sequool]. An instance: in a tree whose leftmost node of depth h has the value -h and whose other nodes have the
    value 0, every depth has one near-optimal node, and the answer is at most -(H + 1). *)
Theorem sequool_goes_straight_down (H : nat) :
  (answer Z.ltb depth_on_the_left left_or_right [] [] (fun _ => O) 1 H <= - Z.of_nat (S H))%Z.
Proof.
  apply Z.ltb_ge. replace (S H) with (S (H / 1)) by (now rewrite Nat.div_1_r).
  apply (the_answer_of_sequool_with_few_near_optimal_nodes Z.ltb depth_on_the_left left_or_right [] [] (fun _ => O) 1 H)
    with (branch := repeat true) (C := 1%nat) (threshold := fun h => (- Z.of_nat h)%Z).
  - exact the_integers_are_totally_ordered.
  - now left.
  - intros h. now left.
  - intros _. lia.
  - intros h. unfold at_most, depth_on_the_left. apply Z.ltb_ge.
    assert (all : forallb (fun b => b) (repeat true h) = true) by (induction h; [reflexivity | exact IHh]).
    rewrite all, repeat_length. lia.
  - lia.
  - intros h. unfold near_optimal, number_up_to, in_queue.
    destruct h as [|h]; [cbn; lia|].
    change 1%nat with (length [repeat true (S h)]). rewrite <- one_node_is_on_the_left.
    generalize (nodes_of_depth left_or_right [] [] (S h)). intros xs. cbn [Nat.eqb]. induction xs as [|p rest IH]; [cbn; lia|]. cbn [filter]. unfold depth_on_the_left at 1.
    destruct (forallb (fun b => b) p) eqn:left.
    + destruct (_ <? _)%Z; cbn [negb length]; lia.
    + assert (positive : (- Z.of_nat (S h) <? 0)%Z = true) by (apply Z.ltb_lt; lia). rewrite positive. exact IH.
Qed.
