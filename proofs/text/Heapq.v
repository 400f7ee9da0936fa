(** * Python's heapq, as far as the search relies on it.

    [is_heapq H] says what [heappush] and [heappop] do to a list.  They look at its elements only by comparing them,
    so they do to a list of references what they do to the list of the nodes referred to.  [heap_lists]:
    lists with these two operations are priority queues in the sense of PriorityQueue.v.  [sorting] meets the
    specification, so it can be met. *)

From Coq Require Import List Arith Bool Lia Permutation Sorted.
From EmbeddedHunter Require Import Order PriorityQueue Python.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

(** No element is less than the one above it: element i is above elements 2 i + 1 and 2 i + 2. *)
Definition is_heap {A} (less : A -> A -> bool) (xs : list A) : Prop :=
  forall i j x y, j = 2 * i + 1 \/ j = 2 * i + 2 -> nth_error xs i = Some x -> nth_error xs j = Some y -> less y x = false.

Record is_heapq (H : heapq) : Prop := IsHeapq {
  push_adds_it : forall A less (xs : list A) x, Permutation (Python.heap_push H less xs x) (x :: xs);
  push_keeps_a_heap : forall A less (xs : list A) x, total_order less -> is_heap less xs ->
    is_heap less (Python.heap_push H less xs x);
  pop_takes_the_first : forall A less x (xs : list A), exists rest,
    Python.heap_pop H less (x :: xs) = Some (x, rest) /\ Permutation xs rest;
  pop_keeps_a_heap : forall A less x (xs rest : list A), total_order less -> is_heap less (x :: xs) ->
    Python.heap_pop H less (x :: xs) = Some (x, rest) -> is_heap less rest;
  (* If [R] relates the elements of two lists, one for one, and they compare alike, it relates those of the results. *)
  push_only_compares : forall A B (R : A -> B -> Prop) less less',
    (forall a b a' b', R a b -> R a' b' -> less a a' = less' b b') ->
    forall xs ys x y, Forall2 R xs ys -> R x y -> Forall2 R (Python.heap_push H less xs x) (Python.heap_push H less' ys y);
  pop_only_compares : forall A B (R : A -> B -> Prop) less less',
    (forall a b a' b', R a b -> R a' b' -> less a a' = less' b b') ->
    forall xs ys x y rest rest', Forall2 R xs ys -> Python.heap_pop H less xs = Some (x, rest) ->
    Python.heap_pop H less' ys = Some (y, rest') -> Forall2 R rest rest'
}.

(** ** Lists as priority queues *)

Section HeapLists.

Context {A : Type} (less : A -> A -> bool) (H : heapq).
Hypothesis correct : is_heapq H.
Hypothesis order : total_order less.

Lemma the_first_is_least x xs y : is_heap less (x :: xs) -> In y (x :: xs) -> less y x = false.
Proof.
  intros Hh Hy. apply In_nth_error in Hy. destruct Hy as [j Hj]. revert y Hj.
  induction j as [j IH] using lt_wf_ind. intros y Hj. destruct j as [|j'].
  - injection Hj as ->. apply (at_most_refl less order).
  - set (i := j' / 2). pose proof (Nat.div_mod j' 2 ltac:(lia)) as E. fold i in E.
    pose proof (Nat.mod_upper_bound j' 2 ltac:(lia)).
    destruct (nth_error (x :: xs) i) as [z|] eqn:Ez.
    + apply (at_most_trans less order x z y); [apply (IH i); [lia|exact Ez]|].
      apply (Hh i (S j')); [lia|exact Ez|exact Hj].
    + apply nth_error_None in Ez. assert (S j' < List.length (x :: xs)) by (apply nth_error_Some; congruence). lia.
Qed.

Definition popped (xs : list A) : list A :=
  match Python.heap_pop H less xs with Some (_, rest) => rest | None => [] end.

Definition heap_lists : priority_queue less.
Proof.
  refine (PriorityQueue less (list A) [] (fun x xs => Python.heap_push H less xs x) (@hd_error A) popped (fun xs => xs)
            (fun xs => is_heap less xs) _ eq_refl _ _ _ _ _ _).
  - intros i j x y _ E. destruct i; discriminate E.
  - intros x xs Hxs. now apply push_keeps_a_heap.
  - intros x xs _. now apply push_adds_it.
  - intros [|x xs] Hxs; unfold popped.
    + destruct (Python.heap_pop H less []) as [[x rest]|] eqn:E; [|exact Hxs].
      pose proof (pop_only_compares H correct A A (fun _ _ => False) less less (fun _ _ _ _ f => match f with end)
                    [] [] x x rest rest (Forall2_nil _) E E) as R.
      destruct R; [exact Hxs|contradiction].
    + destruct (pop_takes_the_first H correct A less x xs) as (rest & E & _). rewrite E.
      now apply (pop_keeps_a_heap H correct A less x xs rest).
  - intros x [|y xs] _ E; [discriminate|]. injection E as ->. unfold popped.
    destruct (pop_takes_the_first H correct A less x xs) as (rest & -> & P). now constructor.
  - intros [|x xs] _ E; [reflexivity|discriminate].
  - intros x y [|z xs] Hxs E Hy; [discriminate|]. injection E as ->. now apply (the_first_is_least x xs).
Defined.

End HeapLists.

(** ** The specification can be met: by lists that are sorted each time *)

Section Sorting.

Context {A : Type} (less : A -> A -> bool).

Fixpoint insert (x : A) (xs : list A) : list A :=
  match xs with
  | [] => [x]
  | y :: rest => if less y x then y :: insert x rest else x :: xs
  end.
Definition sort (xs : list A) : list A := fold_right insert [] xs.

Lemma insert_permutes x xs : Permutation (insert x xs) (x :: xs).
Proof.
  induction xs as [|y xs IH]; [reflexivity|]. cbn [insert]. destruct (less y x); [|reflexivity].
  rewrite IH. apply perm_swap.
Qed.

Lemma sort_permutes xs : Permutation (sort xs) xs.
Proof. induction xs as [|x xs IH]; [reflexivity|]. cbn [sort fold_right]. rewrite insert_permutes. now constructor. Qed.

Lemma sort_sorts xs : total_order less -> StronglySorted (at_most less) (sort xs).
Proof.
  intros order. induction xs as [|x xs IH]; [constructor|]. cbn [sort fold_right]. fold (sort xs).
  induction IH as [|y ys Hs IH Hy]; [repeat constructor|]. cbn [insert]. destruct (less y x) eqn:E.
  - constructor; [exact IH|]. apply (Permutation_Forall (Permutation_sym (insert_permutes x ys))).
    constructor; [now apply less_at_most|exact Hy].
  - constructor; [now constructor|]. constructor; [exact E|]. eapply Forall_impl; [|exact Hy].
    intros z Hz. now apply (at_most_trans less order x y z).
Qed.

Lemma sorted_is_heap xs : StronglySorted (at_most less) xs -> is_heap less xs.
Proof.
  intros Hs i j x y Hij. assert (Hlt : i < j) by lia. clear Hij. revert i j Hlt.
  induction Hs as [|z zs Hs IH Hz]; intros i j Hlt Hx Hy; [destruct i; discriminate Hx|].
  destruct j as [|j]; [lia|]. destruct i as [|i].
  - injection Hx as ->. rewrite Forall_forall in Hz. exact (Hz y (nth_error_In zs j Hy)).
  - apply (IH i j); [lia|exact Hx|exact Hy].
Qed.

End Sorting.

Lemma sort_only_compares A B (R : A -> B -> Prop) less less' :
  (forall a b a' b', R a b -> R a' b' -> less a a' = less' b b') ->
  forall xs ys, Forall2 R xs ys -> Forall2 R (sort less xs) (sort less' ys).
Proof.
  intros E. induction 1 as [|x y xs ys Hxy _ IH]; [constructor|]. cbn [sort fold_right]. fold (sort less xs) (sort less' ys).
  induction IH as [|u v us vs Huv Hs IH]; [repeat constructor; exact Hxy|]. cbn [insert].
  rewrite (E u v x y Huv Hxy). destruct (less' v y); repeat constructor; assumption.
Qed.

Definition sorting : heapq :=
  Heapq (fun A less xs x => sort less (x :: xs))
        (fun A less xs => match xs with [] => None | x :: rest => Some (x, sort less rest) end).

(** Claim [python-text]. What is supposed of [heapq] can be met: lists that are sorted after each push and pop do so. *)
Theorem sorting_is_heapq : is_heapq sorting.
Proof.
  split; cbn [Python.heap_push Python.heap_pop sorting].
  - intros. apply sort_permutes.
  - intros A less xs x order _. now apply sorted_is_heap, sort_sorts.
  - intros A less x xs. exists (sort less xs). split; [reflexivity|]. symmetry. apply sort_permutes.
  - intros A less x xs rest order _ [= <-]. now apply sorted_is_heap, sort_sorts.
  - intros A B R less less' E xs ys x y Hs Hxy. apply (sort_only_compares A B R less less' E). now constructor.
  - intros A B R less less' E xs ys x y rest rest' [|a b xs' ys' _ Hs]; [discriminate|].
    intros [= _ <-] [= _ <-]. now apply sort_only_compares.
Qed.
