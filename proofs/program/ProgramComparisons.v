(** * The comparisons that the heaps of a run make.

    [comparisons] goes through a run of Program.v once more and adds up the comparisons of all its pushes and pops in
    leftist heaps.  With v evaluations they are at most (2 v - 1) (3 + 2 log2 v). *)

From Coq Require Import List ZArith Bool Arith Lia Permutation.
From EmbeddedHunter Require Import Lattice Model Order PriorityQueue Program ProgramNodes ProgramLevels ProgramTree ProgramVisits
  ProgramIsModel ProgramCosts.
Import ListNotations.
Open Scope nat_scope.

Section Comparisons.

Context {V : Type} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).
Variable Q : priority_queue (before less).

(** What a push and a pop cost, when done in this queue. *)
Variable push_cost : entry V -> queue Q -> nat.
Variable pop_cost : queue Q -> nat.

Local Notation tree := (tree V less Q).

(** ** The costs of a run *)

(** Of [push_into] and [pop_from]. *)
Fixpoint push_into_cost (r : Z) (x : entry V) (hs : list (Z * queue Q)) : nat :=
  match hs with
  | [] => push_cost x (none Q)
  | (r', q) :: rest =>
      if (r =? r')%Z then push_cost x q
      else if (r' <? r)%Z then push_cost x (none Q)
      else push_into_cost r x rest
  end.

Fixpoint pop_from_cost (r : Z) (hs : list (Z * queue Q)) : nat :=
  match hs with
  | [] => 0
  | (r', q) :: rest => if (r =? r')%Z then pop_cost q else pop_from_cost r rest
  end.

Definition add_cost (tr : tree) (x : entry V) : nat := push_into_cost (nrm_of x) x (heaps (level_at (h_of x) tr)).

Fixpoint adds_cost (xs : list (entry V)) (tr : tree) : nat :=
  match xs with
  | [] => 0
  | x :: rest => add_cost tr x + adds_cost rest (add tr x)
  end.

(** The tree after the pop of [replace]. *)
Definition popped (tr : tree) (leaf : entry V) : tree :=
  Tree Q (set_level (h_of leaf) (remove_least (nrm_of leaf) (level_at (h_of leaf) tr)) (levels tr))
       (pred (leaf_count tr)) (pushes tr) (S (pops tr)) (snapshots tr) (minima tr).

Definition replace_cost (tr : tree) (e : expansion V) : nat :=
  pop_from_cost (nrm_of (fst e)) (heaps (level_at (h_of (fst e)) tr)) + adds_cost (snd e) (popped tr (fst e)).

Fixpoint replaces_cost (es : list (expansion V)) (tr : tree) : nat :=
  match es with
  | [] => 0
  | e :: rest => replace_cost tr e + replaces_cost rest (replace tr e)
  end.

Definition visit_cost (l : nat) (s : variables V less Q) : nat :=
  let (qs, tr) := norm_classes l (nu s) (leaves_of s) in
  match choose cfg Q qs (nu s) (left s) with
  | (es, wanted, _) =>
      let cut := left s <? length wanted in
      let asked := firstn (left s) wanted in
      let whole := firstn (if cut then length es - 1 else length es) (record less cfg es (map (reply oracle cfg) asked)) in
      match asked with [] => 0 | _ => replaces_cost whole tr end
  end.

Fixpoint visits_cost (n l : nat) (s : variables V less Q) : nat :=
  match n with
  | 0 => 0
  | S n' =>
      let s' := visit_depth less oracle cfg Q l s in
      visit_cost l s + (if left s' =? 0 then 0 else visits_cost n' (S l) s')
  end.

Definition sweep_cost (s : variables V less Q) : nat :=
  let last := Nat.min (depth_of (leaves_of s)) (h_max cfg) in
  visits_cost (S last) 0
    (Variables Q (leaves_of s) None (f_least s) (left s) (t s) (S (sweep_number s)) false (Sweep last :: events s)
       (expanding s)).

Fixpoint sweeps_cost (n : nat) (s : variables V less Q) : nat :=
  match n with
  | 0 => 0
  | S n' => if (0 <? left s) && expanded s then sweep_cost s + sweeps_cost n' (one_sweep less oracle cfg Q s) else 0
  end.

(** The root is pushed into an empty heap. *)
Definition run_cost : nat := push_cost (root V cfg) (none Q) + sweeps_cost (budget cfg) (begin less oracle cfg Q).

(** ** The bound *)

Hypothesis push_is_cheap : forall x q, valid Q q -> push_cost x q <= 1 + Nat.log2 (length (contents Q q) + 1).
Hypothesis pop_is_cheap : forall q, valid Q q -> pop_cost q <= 2 * Nat.log2 (length (contents Q q)).
Hypothesis pop_adds_nothing : forall q, valid Q q -> length (contents Q (pop Q q)) <= length (contents Q q).

(** What an operation costs at most, when [n] elements have been pushed so far. *)
Definition price (n : nat) : nat := 1 + 2 * Nat.log2 (n + 1).

Lemma price_mono m n : m <= n -> price m <= price n.
Proof. intros H. unfold price. pose proof (Nat.log2_le_mono (m + 1) (n + 1) ltac:(lia)). lia. Qed.

Lemma push_price x q n : valid Q q -> length (contents Q q) <= n -> push_cost x q <= price n.
Proof.
  intros Hv Hn. pose proof (push_is_cheap x q Hv). pose proof (Nat.log2_le_mono (length (contents Q q) + 1) (n + 1) ltac:(lia)).
  unfold price. lia.
Qed.

Lemma pop_price q n : valid Q q -> length (contents Q q) <= n -> pop_cost q <= price n.
Proof.
  intros Hv Hn. pose proof (pop_is_cheap q Hv). pose proof (Nat.log2_le_mono (length (contents Q q)) (n + 1) ltac:(lia)).
  unfold price. lia.
Qed.

(** Every heap is valid and holds at most as many elements as have been pushed. *)
Definition all_small (n : nat) (hs : list (Z * queue Q)) : Prop :=
  forall r q, In (r, q) hs -> valid Q q /\ length (contents Q q) <= n.
Definition small (tr : tree) : Prop := forall h, all_small (pushes tr) (heaps (level_at h tr)).

Lemma none_small n : valid Q (none Q) /\ length (contents Q (none Q)) <= n.
Proof. split; [apply none_is_valid|]. rewrite none_is_empty. cbn. lia. Qed.

Lemma push_small n x q : valid Q q /\ length (contents Q q) <= n ->
  valid Q (push Q x q) /\ length (contents Q (push Q x q)) <= S n.
Proof.
  intros [Hv Hn]. split; [now apply push_is_valid|]. rewrite (Permutation_length (push_adds _ Q x q Hv)). cbn. lia.
Qed.

Lemma push_into_small n r x hs : all_small n hs ->
  push_into_cost r x hs <= price n /\ all_small (S n) (push_into Q r x hs).
Proof.
  induction hs as [|[r' q] hs IH]; intros H; cbn [push_into_cost push_into].
  - destruct (none_small n) as [N1 N2]. split; [now apply push_price|]. intros r0 q0 [[= <- <-]|[]].
    apply push_small. now split.
  - assert (H' : all_small n hs) by (intros r0 q0 Hi; apply (H r0); now right).
    destruct (H r' q (or_introl eq_refl)) as [Q1 Q2]. destruct (none_small n) as [N1 N2].
    assert (Hs : all_small (S n) ((r', q) :: hs)).
    { intros r0 q0 Hi. destruct (H r0 q0 Hi). split; [assumption|lia]. }
    destruct (r =? r')%Z; [|destruct (r' <? r)%Z].
    + split; [now apply push_price|]. intros r0 q0 [[= <- <-]|Hi]; [apply push_small; now split|].
      destruct (H' r0 q0 Hi). split; [assumption|lia].
    + split; [now apply push_price|]. intros r0 q0 [[= <- <-]|Hi]; [apply push_small; now split|now apply (Hs r0)].
    + destruct (IH H') as [I1 I2]. split; [exact I1|]. intros r0 q0 [[= <- <-]|Hi]; [split; [assumption|lia]|now apply (I2 r0)].
Qed.

Lemma pop_from_small n r hs : all_small n hs -> pop_from_cost r hs <= price n /\ all_small n (pop_from Q r hs).
Proof.
  induction hs as [|[r' q] hs IH]; intros H; cbn [pop_from_cost pop_from]; [split; [lia|exact H]|].
  assert (H' : all_small n hs) by (intros r0 q0 Hi; apply (H r0); now right).
  destruct (H r' q (or_introl eq_refl)) as [Q1 Q2]. destruct (r =? r')%Z.
  - split; [now apply pop_price|]. destruct (first Q (pop Q q)); [|exact H'].
    intros r0 q0 [[= <- <-]|Hi]; [|now apply (H' r0)]. split; [now apply pop_is_valid|].
    pose proof (pop_adds_nothing q Q1). lia.
  - destruct (IH H') as [I1 I2]. split; [exact I1|]. intros r0 q0 [[= <- <-]|Hi]; [now split|now apply (I2 r0)].
Qed.

Lemma level_at_set h h' lv (tr : tree) n1 n2 n3 n4 n5 :
  level_at h' (Tree Q (set_level h lv (levels tr)) n1 n2 n3 n4 n5) = if h' =? h then lv else level_at h' tr.
Proof. unfold level_at. cbn [levels]. apply nth_set_level. Qed.

Lemma add_small tr x : small tr -> add_cost tr x <= price (pushes tr) /\ small (add tr x).
Proof.
  intros H. unfold add_cost. destruct (push_into_small (pushes tr) (nrm_of x) x _ (H (h_of x))) as [A B].
  split; [exact A|]. intros h. unfold add. rewrite level_at_set. cbn [pushes].
  destruct (h =? h_of x); [exact B|]. intros r q Hi. destruct (H h r q Hi). split; [assumption|lia].
Qed.

Lemma popped_small tr leaf : small tr ->
  pop_from_cost (nrm_of leaf) (heaps (level_at (h_of leaf) tr)) <= price (pushes tr) /\ small (popped tr leaf).
Proof.
  intros H. destruct (pop_from_small (pushes tr) (nrm_of leaf) _ (H (h_of leaf))) as [A B].
  split; [exact A|]. intros h. unfold popped. rewrite level_at_set. cbn [pushes].
  destruct (h =? h_of leaf); [exact B|apply H].
Qed.

(** The number of operations so far. *)
Definition operations (tr : tree) : nat := pushes tr + pops tr.

(** From [tr] to [tr'] with comparisons [c]: operations are added, each at the price of the end at most. *)
Definition paid (tr tr' : tree) (c : nat) : Prop :=
  small tr' /\ pushes tr <= pushes tr' /\ operations tr <= operations tr' /\
  c + operations tr * price (pushes tr') <= operations tr' * price (pushes tr').

Lemma paid_nothing tr tr' : small tr' -> pushes tr' = pushes tr -> pops tr' = pops tr -> paid tr tr' 0.
Proof. intros H E1 E2. unfold paid, operations. rewrite E1, E2. split; [exact H|]. split; [|split]; apply Nat.le_refl. Qed.

Lemma paid_one tr tr' c : small tr' -> pushes tr <= pushes tr' -> operations tr' = S (operations tr) ->
  c <= price (pushes tr) -> paid tr tr' c.
Proof.
  intros H E1 E2 Hc. split; [exact H|]. split; [exact E1|]. split; [lia|]. pose proof (price_mono _ _ E1). rewrite E2. nia.
Qed.

Lemma paid_more tr tr1 tr2 c c' : paid tr tr1 c -> paid tr1 tr2 c' -> paid tr tr2 (c + c').
Proof.
  intros (A1 & A2 & A3 & A4) (B1 & B2 & B3 & B4). split; [exact B1|]. split; [lia|]. split; [lia|].
  pose proof (price_mono _ _ B2) as P. set (p1 := price (pushes tr1)) in *. set (p2 := price (pushes tr2)) in *.
  assert (c + operations tr * p2 <= operations tr1 * p2) by nia. lia.
Qed.

Lemma adds_paid xs : forall tr, small tr -> paid tr (fold_left (add (Q := Q)) xs tr) (adds_cost xs tr).
Proof.
  induction xs as [|x xs IH]; intros tr H; cbn [fold_left adds_cost]; [now apply paid_nothing|].
  destruct (add_small tr x H) as [A B]. apply (paid_more tr (add tr x)); [|now apply IH].
  apply paid_one; auto; cbn; unfold operations; cbn; lia.
Qed.

Lemma replaces_paid es : forall tr, small tr -> paid tr (fold_left (replace (Q := Q)) es tr) (replaces_cost es tr).
Proof.
  induction es as [|e es IH]; intros tr H; cbn [fold_left replaces_cost]; [now apply paid_nothing|].
  assert (P : paid tr (replace tr e) (replace_cost tr e)).
  { unfold replace_cost. destruct (popped_small tr (fst e) H) as [A B].
    apply (paid_more tr (popped tr (fst e))); [|exact (adds_paid (snd e) _ B)].
    apply paid_one; auto; unfold operations; cbn; lia. }
  apply (paid_more tr (replace tr e)); [exact P|]. apply IH. apply P.
Qed.

Lemma norm_classes_small l bound tr : small tr -> small (snd (norm_classes l bound tr)).
Proof.
  intros H. unfold norm_classes, least_f_star, classes_of.
  assert (G : forall lv n m, heaps lv = heaps (level_at l tr) -> small (with_level l lv n m tr)).
  { intros lv n m E h. unfold with_level. rewrite level_at_set. cbn [pushes]. destruct (Nat.eqb_spec h l) as [->|N]; [rewrite E|]; apply H. }
  destruct (least (level_at l tr)), (snapshot (level_at l tr)) eqn:S, bound as [b|]; cbn [snapshot];
    rewrite ?S; repeat match goal with |- context [if ?c then _ else _] => destruct c end; cbn [snd]; auto.
Qed.

Local Notation visit_depth := (visit_depth less oracle cfg Q).
Local Notation visit_depths := (visit_depths less oracle cfg Q).
Local Notation one_sweep := (one_sweep less oracle cfg Q).

Lemma visit_paid l s : small (leaves_of s) -> paid (leaves_of s) (leaves_of (visit_depth l s)) (visit_cost l s).
Proof.
  intros H. unfold Program.visit_depth, visit_cost.
  pose proof (norm_classes_small l (nu s) (leaves_of s) H) as N.
  pose proof (norm_classes_costs less Q l (nu s) (leaves_of s)) as [N1 N2].
  destruct (norm_classes l (nu s) (leaves_of s)) as [qs tr]. cbn [snd] in N, N1, N2.
  destruct (choose cfg Q qs (nu s) (left s)) as [[es wanted] nu1]. cbn [leaves_of].
  destruct (firstn (left s) wanted) as [|r rs]; [now apply paid_nothing|].
  change (replaces_cost ?a tr) with (0 + replaces_cost a tr).
  apply (paid_more _ tr); [now apply paid_nothing|now apply replaces_paid].
Qed.

Lemma visits_paid n : forall l s, small (leaves_of s) ->
  paid (leaves_of s) (leaves_of (visit_depths n l s)) (visits_cost n l s).
Proof.
  induction n as [|n IH]; intros l s H; cbn [Program.visit_depths visits_cost]; [now apply paid_nothing|].
  pose proof (visit_paid l s H) as P. destruct (left (visit_depth l s) =? 0).
  - rewrite Nat.add_0_r. exact P.
  - apply (paid_more _ (leaves_of (visit_depth l s))); [exact P|]. apply IH. apply P.
Qed.

Lemma sweeps_paid n : forall s, small (leaves_of s) ->
  paid (leaves_of s) (leaves_of (sweep_while less oracle cfg Q n s)) (sweeps_cost n s).
Proof.
  induction n as [|n IH]; intros s H; cbn [sweep_while sweeps_cost]; [now apply paid_nothing|].
  destruct ((0 <? left s) && expanded s); [|now apply paid_nothing].
  assert (P : paid (leaves_of s) (leaves_of (one_sweep s)) (sweep_cost s))
    by (unfold Program.one_sweep, sweep_cost; match goal with |- context [visits_cost ?n 0 ?s0] => exact (visits_paid n 0 s0 H) end).
  apply (paid_more _ (leaves_of (one_sweep s))); [exact P|]. apply IH. apply P.
Qed.

Lemma run_is_paid : let tr := leaves_of (run less oracle cfg Q) in run_cost <= operations tr * price (pushes tr).
Proof.
  cbv zeta. unfold run, run_cost. set (s := begin less oracle cfg Q).
  assert (E0 : small (Tree Q [] 0 0 0 0 0)) by (intros h r q; destruct h; intros []).
  destruct (add_small _ (recorded less (root V cfg) (reply oracle cfg (root V cfg, 1))) E0) as [_ H].
  change (small (leaves_of s)) in H.
  destruct (sweeps_paid (budget cfg) s H) as (_ & P2 & _ & P4).
  assert (E1 : operations (leaves_of s) = 1) by reflexivity. rewrite E1 in P4.
  set (tr := leaves_of (sweep_while less oracle cfg Q (budget cfg) s)) in *.
  assert (C : push_cost (root V cfg) (none Q) <= price (pushes tr)) by (apply push_price; apply (none_small (pushes tr))).
  lia.
Qed.

Hypothesis k_pos : 1 <= half cfg.
Hypothesis budget_pos : 1 <= budget cfg.

Lemma run_cost_at_most : let v := budget cfg - left (run less oracle cfg Q) in
  run_cost <= (2 * v - 1) * (3 + 2 * Nat.log2 v).
Proof.
  cbv zeta. pose proof run_is_paid as P. cbv zeta in P.
  destruct (a_run_makes_at_most_two_heap_operations_per_evaluation less oracle cfg Q k_pos budget_pos) as (A & B & C).
  set (v := budget cfg - left (run less oracle cfg Q)) in *. set (tr := leaves_of (run less oracle cfg Q)) in *.
  assert (Hv : 1 <= v) by lia.
  assert (L : price (pushes tr) <= 3 + 2 * Nat.log2 v).
  { unfold price. pose proof (Nat.log2_le_mono (pushes tr + 1) (2 * v) ltac:(lia)) as M.
    rewrite Nat.log2_double in M by lia. lia. }
  unfold operations in P. transitivity ((pushes tr + pops tr) * (3 + 2 * Nat.log2 v)); [nia|].
  apply Nat.mul_le_mono_r. lia.
Qed.

End Comparisons.

(** The comparisons that the heaps of the program make in its run, the heaps being leftist. *)
Definition comparisons {V} {top : with_infinity V} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings) (order : total_order less) : nat :=
  run_cost less oracle cfg (leftist_heap (before less) (before_is_an_order less order))
    (push_comparisons (before less)) (pop_comparisons (before less)).

(** Claim [heaps-change-nothing].  A run with leftist heaps that makes v evaluations makes at most (2 v - 1) (3 + 2 log2 v) comparisons in its heaps. *)
Theorem a_run_makes_at_most_linearithmically_many_comparisons {V} {top : with_infinity V} (less : V -> V -> bool)
  (oracle : path -> nat -> V) (cfg : settings) (order : total_order less) : 1 <= half cfg -> 1 <= budget cfg ->
  let v := budget cfg - left (program_with_leftist_heaps less oracle cfg order) in
  comparisons less oracle cfg order <= (2 * v - 1) * (3 + 2 * Nat.log2 v).
Proof.
  intros Hk Hv. apply run_cost_at_most; auto.
  - intros x q H. now apply a_push_takes_logarithmically_many_comparisons.
  - intros q H. now apply a_pop_takes_logarithmically_many_comparisons.
  - intros [|n x a b] H; [apply Nat.le_refl|]. cbn. rewrite (Permutation_length (merge_elements _ a b)). lia.
Qed.

Definition an_oracle (p : path) (n : nat) : option Z := Some (Z.of_nat ((5 + n + 3 * length p + 2 * list_sum p) mod 11)).

(** Claim [heaps-change-nothing]. An instance with v = 100: the heaps make 101 comparisons; the bound is 2985. *)
Theorem the_heaps_of_a_run_compare :
  left (program_with_leftist_heaps less_with_infinity an_oracle (Settings 1 2 4 100 9 1) infinity_is_an_ordinary_value) = 0 /\
  comparisons less_with_infinity an_oracle (Settings 1 2 4 100 9 1) infinity_is_an_ordinary_value = 101.
Proof. vm_compute. auto. Qed.
