(** * Priority queues, and one that is proved: the leftist heap.

    The program keeps the leaves of one class in a heap (Python's `heapq`, an array).  What it needs of a
    heap is said by [priority_queue]; the theorems about the program hold for everything that meets it.
    [leftist_heap] is an instance. *)

From Coq Require Import List Arith Bool Lia Permutation.
From EmbeddedHunter Require Import Order.
Import ListNotations.
Open Scope nat_scope.

Section PriorityQueue.

Context {A : Type} (before : A -> A -> bool).

(** [valid] holds of every queue that is made from [none] by [push] and [pop]. *)
Record priority_queue := PriorityQueue {
  queue : Type;
  none : queue;
  push : A -> queue -> queue;
  first : queue -> option A;
  pop : queue -> queue;
  contents : queue -> list A;
  valid : queue -> Prop;
  none_is_valid : valid none;
  none_is_empty : contents none = [];
  push_is_valid : forall x q, valid q -> valid (push x q);
  push_adds : forall x q, valid q -> Permutation (contents (push x q)) (x :: contents q);
  pop_is_valid : forall q, valid q -> valid (pop q);
  pop_removes_first : forall x q, valid q -> first q = Some x -> Permutation (contents q) (x :: contents (pop q));
  first_of_none : forall q, valid q -> first q = None -> contents q = [];
  first_is_least : forall x y q, valid q -> first q = Some x -> In y (contents q) -> before y x = false
}.

(** ** Leftist heaps *)

(** A binary tree; the first number is the rank, the length of the right spine. *)
Inductive heap := Empty | Branch (n : nat) (x : A) (left right : heap).

Definition rank (a : heap) : nat := match a with Empty => 0 | Branch n _ _ _ => n end.

Definition join (x : A) (a b : heap) : heap :=
  if rank a <? rank b then Branch (S (rank a)) x b a else Branch (S (rank b)) x a b.

Fixpoint merge (a : heap) : heap -> heap :=
  fix merge_a (b : heap) : heap :=
    match a, b with
    | Empty, _ => b
    | _, Empty => a
    | Branch _ x a1 a2, Branch _ y b1 b2 =>
        if before y x then join y b1 (merge_a b2) else join x a1 (merge a2 b)
    end.

Definition heap_push (x : A) (a : heap) : heap := merge (Branch 1 x Empty Empty) a.
Definition heap_first (a : heap) : option A := match a with Empty => None | Branch _ x _ _ => Some x end.
Definition heap_pop (a : heap) : heap := match a with Empty => Empty | Branch _ _ a1 a2 => merge a1 a2 end.

Fixpoint elements (a : heap) : list A :=
  match a with Empty => [] | Branch _ x a1 a2 => x :: elements a1 ++ elements a2 end.

(** The root of every subtree is its least element; ranks are right and fall to the right. *)
Fixpoint heap_ok (a : heap) : Prop :=
  match a with
  | Empty => True
  | Branch n x a1 a2 =>
      (forall y, In y (elements a1 ++ elements a2) -> before y x = false) /\
      n = S (rank a2) /\ rank a2 <= rank a1 /\ heap_ok a1 /\ heap_ok a2
  end.

Lemma merge_branch n x a1 a2 m y b1 b2 :
  merge (Branch n x a1 a2) (Branch m y b1 b2) =
  if before y x then join y b1 (merge (Branch n x a1 a2) b2)
  else join x a1 (merge a2 (Branch m y b1 b2)).
Proof. reflexivity. Qed.

Lemma join_elements x a b : Permutation (elements (join x a b)) (x :: elements a ++ elements b).
Proof.
  unfold join. destruct (rank a <? rank b); cbn [elements]; constructor; [apply Permutation_app_comm|reflexivity].
Qed.

Lemma merge_elements a b : Permutation (elements (merge a b)) (elements a ++ elements b).
Proof.
  revert b; induction a as [|n x a1 IH1 a2 IH2]; intros b; [destruct b; reflexivity|].
  induction b as [|m y b1 IHb1 b2 IHb2]; [cbn; now rewrite app_nil_r|].
  rewrite merge_branch. destruct (before y x).
  - rewrite join_elements, IHb2.
    set (X := elements (Branch n x a1 a2)). cbn [elements].
    apply (Permutation_cons_app X). rewrite !app_assoc.
    apply Permutation_app_tail, Permutation_app_comm.
  - rewrite join_elements, IH2. cbn [elements app]. constructor. now rewrite app_assoc.
Qed.

Hypothesis order : total_order before.

Lemma join_ok x a b :
  heap_ok a -> heap_ok b -> (forall y, In y (elements a ++ elements b) -> before y x = false) ->
  heap_ok (join x a b).
Proof.
  intros Ha Hb H. unfold join. destruct (rank a <? rank b) eqn:E; cbn.
  - apply Nat.ltb_lt in E. repeat split; auto; [|lia].
    intros y Hy. apply H. rewrite in_app_iff in *. tauto.
  - apply Nat.ltb_ge in E. repeat split; auto.
Qed.

Lemma merge_ok a b : heap_ok a -> heap_ok b -> heap_ok (merge a b).
Proof.
  revert b; induction a as [|n x a1 IH1 a2 IH2]; intros b Ha Hb; [destruct b; exact Hb|].
  induction b as [|m y b1 IHb1 b2 IHb2]; [exact Ha|].
  rewrite merge_branch.
  pose proof Ha as (Ha1 & _ & _ & Ha2 & Ha3). pose proof Hb as (Hb1 & _ & _ & Hb2 & Hb3).
  destruct (before y x) eqn:E.
  - apply join_ok; [exact Hb2|now apply IHb2|]. intros z Hz.
    apply in_app_or in Hz. destruct Hz as [Hz|Hz]; [apply Hb1, in_or_app; now left|].
    apply (Permutation_in z (merge_elements _ _)), in_app_or in Hz.
    destruct Hz as [[<-|Hz]|Hz]; [| |apply Hb1, in_or_app; now right].
    + now apply (less_is_asymmetric before order).
    + apply (at_most_trans before order y x z); [now apply (less_is_asymmetric before order)|now apply Ha1].
  - apply join_ok; [exact Ha2|now apply IH2|]. intros z Hz.
    apply in_app_or in Hz. destruct Hz as [Hz|Hz]; [apply Ha1, in_or_app; now left|].
    apply (Permutation_in z (merge_elements _ _)), in_app_or in Hz.
    destruct Hz as [Hz|[<-|Hz]]; [apply Ha1, in_or_app; now right|exact E|].
    apply (at_most_trans before order x y z); [exact E|now apply Hb1].
Qed.

Definition leftist_heap : priority_queue.
Proof.
  refine (PriorityQueue heap Empty heap_push heap_first heap_pop elements heap_ok I eq_refl _ _ _ _ _ _).
  - intros x q H. apply merge_ok; [|exact H]. cbn. repeat split; auto. intros y [].
  - intros x q _. unfold heap_push. now rewrite merge_elements.
  - intros [|n x a b] H; [exact I|]. cbn in *. apply merge_ok; tauto.
  - intros x [|n y a b] H [= <-]. cbn. constructor. symmetry. apply merge_elements.
  - intros [|n y a b] _ E; [reflexivity|discriminate].
  - intros x y [|n z a b] H [= <-] [<-|Hy]; [apply (at_most_refl before order)|now apply H].
Defined.

End PriorityQueue.

Arguments queue {A before}. Arguments none {A before}. Arguments push {A before}. Arguments first {A before}.
Arguments pop {A before}. Arguments contents {A before}. Arguments valid {A before}.
