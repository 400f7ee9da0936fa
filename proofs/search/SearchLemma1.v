(** * Lemma 1 in sweeps, for any search: when the target of an optimal branch is expanded. *)

From EmbeddedHunter Require Import Lists Search SearchSteps SearchSweep SearchEnds.

Section SearchLemma1.

Context {A : search} {holds : state -> Prop} (L : lawful A holds) (order : ordered A).
Hypothesis last_sweep : forall s, exhausted s = false -> holds s -> idle (sweep s) = true -> nothing_to_expand (sweep s).
Hypothesis expanded_enter : forall s, expanded (log (enter s)) = expanded (log s).

Lemma expansions_grow s s' : holds s -> steps s s' -> exists new, expanded (log s') = new ++ expanded (log s).
Proof.
  intros Hi Hs. revert s' Hs. apply (steps_induction L s (fun s' => exists new, expanded (log s') = new ++ _) Hi); [now exists []|].
  intros s1 s2 _ Hi1 (new & IH) Hst. destruct Hst as [s1 _|l s1 _ _|x s1 _ Hin _ _|s1 s2 _ Ho].
  - destruct (log_sweep _ L s1) as (e & -> & E). exists new. change (e :: log s1) with ([e] ++ log s1).
    now rewrite (expanded_app _ L), E.
  - destruct (log_visit _ L l s1) as (e & -> & E). exists new. change (e :: log s1) with ([e] ++ log s1).
    now rewrite (expanded_app _ L), E.
  - destruct (log_expand _ L x s1 Hi1 Hin) as (l & -> & E). exists (place x :: new). change (mark x :: log s1) with ([mark x] ++ log s1).
    now rewrite !(expanded_app _ L), E, (expanded_mark _ L), IH.
  - exists new. now rewrite (expanded_outside _ L s1 s2 Ho).
Qed.

(** The number of sweeps, of the first n, for which [f] holds. *)
Fixpoint number (f : nat -> bool) (n : nat) : nat :=
  match n with
  | 0 => 0
  | S n' => (if f n' then 1 else 0) + number f n'
  end.

Lemma number_of_all n : number (fun _ => true) n = n.
Proof. induction n as [|n IH]; cbn; congruence. Qed.

Lemma number_grows f a b : a <= b -> number f a <= number f b.
Proof. induction 1; cbn [number]; lia. Qed.

(** One in [period] sweeps. *)
Lemma number_of_a_period f period i n : i < period -> (forall j, f (j * period + i) = true) -> n <= number f (n * period).
Proof.
  intros Hi Hf. induction n as [|n IH]; [lia|].
  pose proof (number_grows f (n * period) (n * period + i) ltac:(lia)) as H1.
  pose proof (number_grows f (S (n * period + i)) (S n * period) ltac:(cbn; lia)) as H2.
  cbn [number] in H2. rewrite Hf in H2. lia.
Qed.

(** An optimal branch: its [target], the leaves [above] the target, the nodes that are [near]-optimal for it, a list
    [G] of these, and the [useful] sweeps, which range over the branch: [useful n] is said of sweep n + 1. *)
Record optimal (start : state) (target : node) (above : leaf -> Prop) (near : node -> bool) (G : list node)
  (useful : nat -> bool) : Prop := Optimal {
  start_holds : holds start;
  above_is_in_range : forall n s o, useful n = true -> s = enter (rounds n start) -> exhausted s = false ->
    In o (leaves s) -> above o -> ranges (begin_sweep s) o = true;
  above_is_not_too_deep : forall o, above o -> depth o <= h_max;
  expanded_or_under_a_leaf : forall s, steps start s -> exhausted s = false ->
    In target (expanded (log s)) \/ exists o, In o (leaves s) /\ above o;
  full_expanded : forall s, steps start s -> exhausted s = false -> nothing_to_expand s -> In target (expanded (log s));
  (* A leaf that the key lemma finds for a leaf above the target is near-optimal. *)
  near_found : forall n s s' o x, useful n = true -> s = enter (rounds n start) -> exhausted s = false ->
    holds s -> In o (leaves s) -> above o -> holds s' -> In x (leaves s') -> ranges (begin_sweep s) x = true ->
    queue_of_leaf x = queue_of_leaf o -> depth x <= depth o -> at_most (best x) (best o) -> near (place x) = true;
  target_in_G : In target G;
  near_in_G : forall s x, steps start s -> In x (expanded (log s)) -> near x = true -> In x G;
  no_node_is_expanded_twice : forall s, steps start s -> NoDup (expanded (log s))
}.
Arguments start_holds {_ _ _ _ _ _}. Arguments above_is_in_range {_ _ _ _ _ _}. Arguments above_is_not_too_deep {_ _ _ _ _ _}.
Arguments expanded_or_under_a_leaf {_ _ _ _ _ _}. Arguments full_expanded {_ _ _ _ _ _}. Arguments near_found {_ _ _ _ _ _}.
Arguments target_in_G {_ _ _ _ _ _}. Arguments near_in_G {_ _ _ _ _ _}. Arguments no_node_is_expanded_twice {_ _ _ _ _ _}.

Section Sweeps.
Context {start : state} {target : node} {above : leaf -> Prop} {near : node -> bool} {G : list node} {useful : nat -> bool}.
Hypothesis O : optimal start target above near G useful.

Lemma reached_holds n : holds (run_for n start).
Proof. exact (steps_hold L _ _ (run_for_steps L n start (start_holds O)) (start_holds O)). Qed.

Lemma expansions_of_a_run_grow n m :
  n <= m -> exists new, expanded (log (run_for m start)) = new ++ expanded (log (run_for n start)).
Proof.
  intros H. apply expansions_grow; [apply reached_holds|]. exact (run_for_steps_later L last_sweep n m start (start_holds O) H).
Qed.

Lemma target_is_kept n m : n <= m ->
  In target (expanded (log (run_for n start))) -> In target (expanded (log (run_for m start))).
Proof. intros H Hp. destruct (expansions_of_a_run_grow n m H) as (new & ->). apply in_or_app. now right. Qed.

(** Each complete useful sweep that leaves the target unexpanded expands a near-optimal node. *)
Lemma expanded_or_one_per_sweep n :
  exhausted (run_for n start) = false ->
  In target (expanded (log (run_for n start))) \/
  number useful n <= length (filter near (expanded (log (run_for n start)))).
Proof.
  (* Induction on the number of sweeps. If the budget was used up before the last one, there is nothing to show. *)
  induction n as [|n IH]; intros Hx; [right; cbn; lia|].
  pose proof (run_for_steps L n start (start_holds O)) as Hs.
  destruct (run_for_next L last_sweep n start (start_holds O)) as [[E1 E2]|[Ex [E|[E Hd]]]].
  - rewrite E2 in Hx. congruence.
  (* A sweep was made, and the target was not expanded before it. *)
  - destruct (IH Ex) as [Hp|Hn]; [left; apply (target_is_kept n); auto|]. cbn [number].
    (* A sweep that does not range over the branch does not count. *)
    destruct (useful n) eqn:Eu.
    2:{ right. destruct (expansions_of_a_run_grow n (S n)) as (new & ->); [lia|]. rewrite filter_app, app_length. lia. }
    destruct (run_for_is_rounds L last_sweep n start (start_holds O)) as [Hx1|[Hf|Er]]; [congruence| |].
    { left. apply (target_is_kept n); [auto|]. now apply (full_expanded O). }
    unfold round in E. pose proof (above_is_in_range O n) as Hrange. pose proof (near_found O n) as Hnear. rewrite <- Er in Hrange, Hnear.
    set (s := enter (run_for n start)) in *.
    assert (Hs1 : steps start s) by (eapply steps_trans; [exact Hs|apply (enter_steps _ L)]).
    pose proof (steps_hold L _ _ Hs1 (start_holds O)) as Hi.
    destruct (exhausted s) eqn:Ex1; [rewrite E in Hx; congruence|].
    pose proof (expanded_enter (run_for n start)) as Ee. fold s in Ee.
    (* The target or an ancestor of it is a leaf [o] that the sweep reaches. *)
    destruct (expanded_or_under_a_leaf O s Hs1 Ex1) as [Hp|(o & Ho & Ha)];
      [left; rewrite Ee in Hp; apply (target_is_kept n); auto|].
    destruct (limit_covers _ L s o Ho) as [Hl|Hl]; [|pose proof (above_is_not_too_deep O o Ha); lia].
    (* By the key lemma the sweep expands a leaf [x] whose depth and value are at most those of [o].
       So [x] is near-optimal, and there is one more such node. *)
    destruct (sweep_expands L order s o Hi Ho Hl (Hrange s o Eu eq_refl Ex1 Ho Ha))
      as [Hex|(new & x & Elog & (Hin & (s1 & Hi1 & Hx1) & Hq & Hdx & Hrx) & Hv)]; [rewrite E in Hx; congruence|].
    right. rewrite E, Elog, (expanded_app _ L), filter_app, app_length, Ee.
    enough (Hnew : In (place x) (filter near (expanded new))) by (destruct (filter near (expanded new)); [easy|cbn; lia]).
    apply filter_In. split; [|exact (Hnear s s1 o x Eu eq_refl Ex1 Hi Ho Ha Hi1 Hx1 Hrx Hq Hdx Hv)].
    apply in_split in Hin. destruct Hin as (l1 & l2 & ->). change (mark x :: l2) with ([mark x] ++ l2).
    rewrite !(expanded_app _ L), (expanded_mark _ L), !in_app_iff. cbn. auto.
  (* No sweep was made because there is nothing to expand. Then all nodes of depth at most h_max are
     expanded, also the target. *)
  - left. rewrite E. rewrite E in Hx. now apply (full_expanded O).
Qed.

Hypothesis eq_dec : forall p q : node, {p = q} + {p <> q}.

Lemma near_nodes_leave_room s :
  steps start s -> ~ In target (expanded (log s)) -> length (filter near (expanded (log s))) < length G.
Proof.
  intros Hs Hp. enough (H : length (target :: filter near (expanded (log s))) <= length G) by exact H.
  apply NoDup_incl_length.
  - constructor; [rewrite filter_In; tauto|]. now apply NoDup_filter, (no_node_is_expanded_twice O).
  - intros x [<-|Hx%filter_In]; [exact (target_in_G O)|]. now apply (near_in_G O s).
Qed.

(** Lemma 1 in sweeps: the target is expanded within the first |G| complete useful sweeps. *)
Lemma the_target_is_expanded n :
  length G <= number useful n -> exhausted (run_for n start) = false -> In target (expanded (log (run_for n start))).
Proof.
  (* Suppose that the target is not expanded. Then each useful sweep has expanded a near-optimal node, so there are at
     least |G| of them. *)
  intros Hn Hx. destruct (expanded_or_one_per_sweep n Hx) as [H|H]; [exact H|].
  destruct (in_dec eq_dec target (expanded (log (run_for n start)))) as [Hp|Hp]; [exact Hp|].
  (* Together with the target they are more than |G| different elements of the list G: a contradiction. *)
  pose proof (near_nodes_leave_room _ (run_for_steps L n start (start_holds O)) Hp). lia.
Qed.

End Sweeps.

(** Enough iterations, of which n sweeps make at most [bound n], are [m] sweeps. *)
Lemma enough_sweeps start bound m n : holds start ->
  (forall n, iterations (run_for n start) <= bound n) -> (forall n m, n < m -> bound n < bound m) ->
  (bound m < iterations (run_for n start) \/
   bound m <= iterations (run_for n start) /\ exhausted (run_for n start) = false) ->
  m <= n /\ exhausted (run_for m start) = false.
Proof.
  intros Hi bounded grows Ht. pose proof (bounded n) as Hb.
  assert (Hn : m <= n).
  { destruct (Nat.le_gt_cases m n) as [H|H]; [exact H|]. pose proof (grows _ _ H). lia. }
  split; [exact Hn|]. destruct (exhausted (run_for m start)) eqn:Ex; [|reflexivity]. exfalso.
  rewrite (exhausted_run_stays L last_sweep m n start Hi Hn Ex) in Ht.
  pose proof (bounded m). destruct Ht as [Ht|[_ Ht]]; [lia|congruence].
Qed.

End SearchLemma1.
