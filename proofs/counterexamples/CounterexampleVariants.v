(** * Three variants of Algorithm 1, and what they break; and the sharpness of Lemma 1.

    The text of the paper leaves three things open or says them twice.  Each variant below changes
    one function of Model.v, and is computed on a small instance with integer values. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree RunsEvaluations
  Geometry Norms Sweep RunsEnd SweepCosts Lemma1 Printed.

(** ** Classes that are read again after each expansion *)

Section ReadAgain.
Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

(** L^j_(t,l) read when it is visited: the j-th class of the leaves as they are then. *)
Fixpoint visit_classes_read_again (fuel j l : nat) (s : state V) : state V :=
  match fuel with
  | 0 => s
  | S fuel' =>
      match nth_error (classes l (leaves s)) j with
      | None => s
      | Some (_, members) =>
          visit_classes_read_again fuel' (S j) l (visit_class less oracle cfg members s)
      end
  end.

Definition visit_read_again (l : nat) (s : state V) : state V :=
  visit_classes_read_again (length (leaves s)) 0 l (begin_visit l s).

Fixpoint visits_read_again (n l : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' => if exhausted cfg s then s else visits_read_again n' (S l) (visit_read_again l s)
  end.

Fixpoint sweeps_read_again (n : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' => sweeps_read_again n' (visits_read_again (S (limit cfg s)) 0 (begin_sweep cfg s))
  end.

End ReadAgain.

(** K = 3, d = 1, h_max = 1: the right child is worth 3, all other base points 0. *)
Definition one_bad_child (p : path) (visit : nat) : Z := match p with [2] => 3%Z | _ => 0%Z end.
Definition one_bad_child_settings : settings := Settings 1 1 1 100 0 1.

(** Claim [frozen-classes]. If the classes are read again after each expansion, even the corrected Lemma 1
    fails: S_1 = 3, Algorithm 1 expands the optimal node within 3 sweeps, the variant does not. *)
Theorem reading_the_classes_again_breaks_the_corrected_lemma_1 :
  let theta := fun _ : nat => 0%Z in
  let start := start one_bad_child one_bad_child_settings in
  optimal_branch Z.ltb one_bad_child one_bad_child_settings theta [1]
  /\ S_ Z.ltb one_bad_child one_bad_child_settings theta 1 = 3
  /\ In [1] (expanded (log (run_for Z.ltb one_bad_child one_bad_child_settings 3 start)))
  /\ ~ In [1] (expanded (log (sweeps_read_again Z.ltb one_bad_child one_bad_child_settings 3 start))).
Proof.
  cbv zeta. split; [|split; [|split]].
  - intros q Hq. destruct Hq as [[|a [|b l]] E].
    + cbn in E. subst q. vm_compute. reflexivity.
    + injection E as <- <-. vm_compute. reflexivity.
    + exfalso. apply (f_equal (@length nat)) in E. cbn in E. rewrite app_length in E. lia.
  - vm_compute. reflexivity.
  - vm_compute. auto.
  - vm_compute. intros H. repeat (destruct H as [H|H]; [discriminate|]). exact H.
Qed.

(** ** The rule of the text: strictly smaller than nodes of greater or equal norm *)

Section Text.
Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

(** f* of [x] is strictly smaller than those of all leaves of smaller depth, and of all other leaves of
    its depth whose norm is greater or equal. *)
Definition text_allows (xs : list (leaf V)) (x : leaf V) : bool :=
  forallb (fun y =>
    same_path (place y) (place x)
    || negb ((depth y <? depth x) || ((depth y =? depth x) && (norm x <=? norm y)%Z))
    || less (best x) (best y)) xs.

Definition text_visit (l : nat) (s : state V) : state V :=
  fold_left (fun s' x => if text_allows (leaves s) x then expand less oracle cfg x s' else s')
    (filter (fun x => depth x =? l) (leaves s)) (begin_visit l s).

Definition text_sweep (s : state V) : state V :=
  fold_left (fun s' l => text_visit l s') (seq 0 (S (limit cfg s))) (begin_sweep cfg s).

Fixpoint text_sweeps (n : nat) (s : state V) : state V :=
  match n with 0 => s | S n' => text_sweep (text_sweeps n' s) end.

(** No leaf may be expanded. *)
Definition stuck (s : state V) : Prop :=
  forall x, In x (leaves s) -> text_allows (leaves s) x = false.

Lemma a_stuck_visit_does_nothing l s : stuck s ->
  leaves (text_visit l s) = leaves s /\ made (text_visit l s) = made s.
Proof.
  intros H. unfold text_visit.
  assert (F : forall xs, (forall x, In x xs -> In x (leaves s)) ->
    forall s0, fold_left (fun s' x => if text_allows (leaves s) x then expand less oracle cfg x s' else s')
      xs s0 = s0).
  { induction xs as [|x xs IH]; intros I s0; [reflexivity|]. cbn [fold_left].
    rewrite (H x) by (apply I; left; reflexivity). apply IH. intros y Hy. apply I. right. exact Hy. }
  rewrite F; [split; reflexivity|]. intros x Hx. apply filter_In in Hx. tauto.
Qed.

Lemma a_stuck_sweep_does_nothing s : stuck s ->
  leaves (text_sweep s) = leaves s /\ made (text_sweep s) = made s.
Proof.
  intros H. unfold text_sweep.
  assert (F : forall ls s0, leaves s0 = leaves s -> made s0 = made s ->
    leaves (fold_left (fun s' l => text_visit l s') ls s0) = leaves s
    /\ made (fold_left (fun s' l => text_visit l s') ls s0) = made s).
  { induction ls as [|l ls IH]; intros s0 E1 E2; [auto|]. cbn [fold_left].
    assert (H0 : stuck s0) by (intros x; rewrite E1; apply H).
    destruct (a_stuck_visit_does_nothing l s0 H0) as [A B]. apply IH; congruence. }
  apply F; reflexivity.
Qed.

Lemma stuck_for_ever n m s : stuck (text_sweeps m s) ->
  leaves (text_sweeps (n + m) s) = leaves (text_sweeps m s)
  /\ made (text_sweeps (n + m) s) = made (text_sweeps m s).
Proof.
  intros H. induction n as [|n [A B]]; [auto|]. cbn [Nat.add text_sweeps].
  assert (H0 : stuck (text_sweeps (n + m) s)) by (intros x; rewrite A; apply H).
  destruct (a_stuck_sweep_does_nothing _ H0) as [A' B']. split; congruence.
Qed.

End Text.

(** A constant function in dimension 2 (K = 3, h_max = 7, budget 1000, eta = 3/10, M = 5). *)
Definition constant (p : path) (visit : nat) : Z := 0%Z.
Definition constant_settings : settings := Settings 1 2 7 1000 40000 9.

(** Claim [strict-expansion-sentence]. On a constant function the rule of the text expands the root and
    then nothing, for ever, with 3 of 1000 evaluations made; Algorithm 1 expands a node in each sweep. *)
Theorem the_rule_of_the_text_deadlocks_on_a_constant_function :
  let start := start constant constant_settings in
  (forall n, made (text_sweeps Z.ltb constant constant_settings (S n) start) = 3
     /\ map place (leaves (text_sweeps Z.ltb constant constant_settings (S n) start)) = [[0]; [1]; [2]])
  /\ map (fun n => length (expanded (log (run_for Z.ltb constant constant_settings n start))))
       [1; 2; 3; 4; 5; 6] = [1; 2; 3; 4; 5; 6].
Proof.
  cbv zeta. split.
  - intros n. rewrite <- Nat.add_1_r.
    assert (H : stuck Z.ltb (text_sweeps Z.ltb constant constant_settings 1 (start constant constant_settings))).
    { intros x Hx. vm_compute in Hx. destruct Hx as [<-|[<-|[<-|[]]]]; vm_compute; reflexivity. }
    destruct (stuck_for_ever Z.ltb constant constant_settings n 1 _ H) as [A B]. rewrite A, B.
    vm_compute. auto.
  - vm_compute. reflexivity.
Qed.

(** ** The factor h_max + 1 is attained *)

(** All base points are worth 1, and the optimal node is the center of its depth. *)
Definition all_equal (p : path) (visit : nat) : Z := 1%Z.

(** With h_max = [depth], S_h_max is the number of all nodes up to that depth, and the center of the depth is
    expanded last, at the last iteration that Lemma 1 allows. *)
Definition the_center_is_expanded_at_the_last_iteration (k depth : nat) : Prop :=
  let cfg := Settings k 1 depth 1000 0 1 in
  let S_depth := S_ Z.ltb all_equal cfg (fun _ => 1%Z) depth in
  S_depth = length (levels k depth)
  /\ In (repeat k depth, triangle (S depth) S_depth)
       (expansions (log (hunt Z.ltb all_equal cfg))).

(** Claim [lemma-1]. Lemma 1 in iterations is sharp: on a constant function the optimal node is expanded at
    iteration triangle (h_max + 1) (S_h_max) exactly; for h_max = 1 and K = 3, 5, 7, 9 this is 2 S - 1, and for
    h_max = 2 and K = 3, 5, 7 it is 3 S - 3. *)
Theorem the_corrected_lemma_1_is_attained :
  Forall (fun k => the_center_is_expanded_at_the_last_iteration k 1) [1; 2; 3; 4]
  /\ Forall (fun k => the_center_is_expanded_at_the_last_iteration k 2) [1; 2; 3].
Proof.
  assert (found : forall p t (l : list (path * nat)),
    existsb (fun e => same_path (fst e) p && (snd e =? t)) l = true -> In (p, t) l).
  { intros p t l H. apply existsb_exists in H. destruct H as ([q u] & Hin & E).
    apply andb_prop in E. cbn in E. destruct E as [E1 E2].
    apply same_path_iff in E1. apply Nat.eqb_eq in E2. subst. exact Hin. }
  split; repeat apply Forall_cons; try apply Forall_nil;
    (split; [vm_compute; reflexivity | apply found; vm_compute; reflexivity]).
Qed.

(** K = 3, d = 1: the center and node [2; 2] are worth 0, all other base points 1. *)
Definition two_good_points (p : path) (visit : nat) : Z :=
  match p with [] | [2; 2] => 0%Z | _ => 1%Z end.

(** Claim [lemma-1]. Lemma 1 in iterations is sharp for h_max = 3, too: S_3 = 6, and the center of depth 3 is
    expanded at iteration 18 = 1 + 2 + 3 + 4 + 4 + 4. *)
Theorem the_corrected_lemma_1_is_attained_at_h_max_3 :
  let cfg := Settings 1 1 3 1000 0 1 in
  S_ Z.ltb two_good_points cfg (fun _ => 0%Z) 3 = 6 /\ triangle 4 6 = 18
  /\ In ([1; 1; 1], 18) (expansions (log (run_for Z.ltb two_good_points cfg 6 (start two_good_points cfg)))).
Proof. split; [|split]; vm_compute; auto. Qed.

(** *** The loop bound read again at each depth *)

Section BoundReadAgain.
Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Fixpoint visits_bound_read_again (n l : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' =>
      if exhausted cfg s then s
      else if l <=? limit cfg s then visits_bound_read_again n' (S l) (visit less oracle cfg l s)
      else s
  end.

Fixpoint sweeps_bound_read_again (n : nat) (s : state V) : state V :=
  match n with
  | 0 => s
  | S n' => sweeps_bound_read_again n'
      (visits_bound_read_again (S (h_max cfg)) 0 (begin_sweep cfg s))
  end.

End BoundReadAgain.

(** Nine times |x - 2/9| at the base points of depths 0 and 1. *)
Definition nine_times_the_distance (p : path) (visit : nat) : Z :=
  match p with [] => 2%Z | [0] => 8%Z | [2] => 4%Z | _ => 0%Z end.

(** Claim [lemma-1], [loop-bound-static]. If the loop bound is read again at each depth, the factor
    h_max + 1 itself is attained: f(x) = |x - 2/9|, h_max = 1, S_1 = 2, and the optimal node of depth 1 is
    expanded at iteration 4 = (h_max + 1) S_1. *)
Theorem with_the_bound_read_again_the_factor_h_max_plus_1_is_attained :
  let cfg := Settings 1 1 1 100 0 1 in
  S_ Z.ltb nine_times_the_distance cfg (fun _ => 2%Z) 1 = 2
  /\ expansions (log (sweeps_bound_read_again Z.ltb nine_times_the_distance cfg 2
       (start nine_times_the_distance cfg))) = [([1], 4); ([2], 4); ([], 1)].
Proof. split; vm_compute; reflexivity. Qed.
