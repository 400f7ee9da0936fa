(** * Which evaluations a run makes: each the one that its node wants, none repeated. *)

From EmbeddedHunter Require Import Lists Lattice Model Nodes Steps Paths Order RunsTree Geometry Norms.

Section Evaluations.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V) (cfg : settings).

Local Notation k := (half cfg).
Local Notation within_cap := (within_cap cfg).
Local Notation node_at := (node_at less oracle cfg).
Local Notation visits_of := (visits_of less oracle cfg).
Local Notation evaluated := (evaluated less oracle cfg).
Local Notation reached := (reached less oracle cfg).

(** The nodes that were evaluated, the latest first. *)
Definition evaluated_nodes (log : list (event V)) : list path :=
  map (fun e => fst (fst e)) (evaluations log).

Lemma evaluations_expand q s :
  evaluations (log (expand less oracle cfg (node_at q) s)) =
  map (fun p => (p, visits_of p, sample less oracle cfg p)) (rev (performed less oracle cfg q s)) ++ evaluations (log s).
Proof. now rewrite expand_log, evaluations_evaluations. Qed.

Lemma evaluated_nodes_expand q s :
  evaluated_nodes (log (expand less oracle cfg (node_at q) s)) = rev (performed less oracle cfg q s) ++ evaluated_nodes (log s).
Proof.
  unfold evaluated_nodes. rewrite evaluations_expand, map_app, map_map.
  f_equal. apply map_id.
Qed.

(** ** Every evaluation is the one that its node wants *)

Lemma evaluations_of_nodes s :
  reached s ->
  forall p n v, In (p, n, v) (evaluations (log s)) ->
    n = visits_of p /\ v = sample less oracle cfg p /\ evaluated p = true /\ node k p /\
    (forall c q, p = c :: q -> In q (expanded (log s))).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - intros p n v [[= <- <- <-]|[]]. repeat split; auto; [constructor|discriminate].
  - intros q s Hr Hx Hin Hd Hb IH p n v H. rewrite evaluations_expand in H.
    rewrite expanded_expand. apply in_app_or in H. destruct H as [H|H].
    + apply in_map_iff in H. destruct H as (p' & [= <- <- <-] & H).
      apply in_rev, performed_wanted, in_wanted in H. destruct H as (c & Hc & -> & He).
      repeat split; auto.
      * constructor; [exact Hc|].
        now apply (leaves_have_depth_at_most_h_max_plus_1 less oracle cfg s q Hr).
      * intros c' q' [= _ ->]. now left.
    + destruct (IH p n v H) as (H1 & H2 & H3 & H4 & H5). repeat split; auto.
      intros c q' E. right. eauto.
Qed.

Lemma in_evaluated_nodes s p :
  In p (evaluated_nodes s) -> exists n v, In (p, n, v) (evaluations s).
Proof.
  unfold evaluated_nodes. intros H. apply in_map_iff in H.
  destruct H as ([[p' n] v] & <- & H). eauto.
Qed.

Lemma no_node_is_evaluated_twice s : reached s -> NoDup (evaluated_nodes (log s)).
Proof.
  revert s. refine (reached_induction less oracle cfg _ _ _ _ _); auto.
  - repeat constructor; auto.
  - intros q s Hr Hx Hin Hd Hb IH. rewrite evaluated_nodes_expand.
    apply nodup_app; [apply NoDup_rev, nodup_performed|exact IH|].
    intros p Hp Hp'. apply in_rev, performed_wanted, in_wanted in Hp.
    destruct Hp as (c & _ & -> & _).
    apply in_evaluated_nodes in Hp'. destruct Hp' as (n & v & H).
    destruct (evaluations_of_nodes s Hr _ _ _ H) as (_ & _ & _ & _ & H5).
    apply (an_expanded_node_is_no_leaf less oracle cfg s Hr Hx q); [|exact Hin]. eapply H5. eauto.
Qed.

Lemma visits_of_cons c q :
  visits_of (c :: q) =
  if c =? k then (if within_cap (node_at q) then S (visits_of q) else visits_of q) else 1.
Proof.
  unfold Nodes.visits_of. cbn [Nodes.node_at]. destruct (c =? k); [destruct (within_cap (node_at q))|]; reflexivity.
Qed.

Lemma visits_of_positive p : 1 <= visits_of p.
Proof.
  induction p as [|c q IH]; [cbn; lia|]. rewrite visits_of_cons.
  destruct (c =? k); [destruct (within_cap (node_at q))|]; lia.
Qed.

Lemma visits_of_chain n p : visits_of p <= visits_of (repeat k n ++ p).
Proof.
  induction n as [|n IH]; [auto|]. cbn [repeat app]. rewrite visits_of_cons, Nat.eqb_refl.
  destruct (within_cap _); lia.
Qed.

Lemma evaluated_chain n p :
  evaluated (repeat k (S n) ++ p) = true -> visits_of p < visits_of (repeat k (S n) ++ p).
Proof.
  cbn [repeat app Nodes.evaluated]. rewrite visits_of_cons, Nat.eqb_refl. cbn [negb orb].
  intros ->. pose proof (visits_of_chain n p). lia.
Qed.

Lemma same_visit_same_node p q :
  evaluated p = true -> evaluated q = true -> birth k p = birth k q ->
  visits_of p = visits_of q -> p = q.
Proof.
  assert (H : forall p q, evaluated q = true -> birth k p = birth k q ->
    visits_of p = visits_of q -> length p <= length q -> p = q).
  { clear p q. intros p q Hq E En Hl.
    destruct (same_birth_nested k p q E Hl) as ([|n] & ->); [reflexivity|].
    pose proof (evaluated_chain n p Hq). lia. }
  intros Hp Hq E En. destruct (Nat.le_ge_cases (length p) (length q)); [auto|].
  symmetry. apply H; auto.
Qed.

(** Claim [evaluation-cap].  No base point is evaluated twice under one visit
    number, so that under the policy `indexed` no evaluation is repeated. *)
Theorem no_evaluation_is_repeated s :
  reached s -> NoDup (map (fun e => (birth k (fst (fst e)), snd (fst e))) (evaluations (log s))).
Proof.
  intros Hr. pose proof (no_node_is_evaluated_twice s Hr) as Hn. unfold evaluated_nodes in Hn.
  pose proof (evaluations_of_nodes s Hr) as He.
  induction (evaluations (log s)) as [|[[p n] v] l IH]; [constructor|].
  cbn in *. inversion Hn; subst. constructor; [|apply IH; auto].
  intros H. apply in_map_iff in H. destruct H as ([[p' n'] v'] & [= E1 E2] & H).
  apply H1. apply in_map_iff. exists (p', n', v'). split; [cbn|exact H].
  destruct (He p n v (or_introl eq_refl)) as (-> & _ & H4 & _).
  destruct (He p' n' v' (or_intror H)) as (-> & _ & H4' & _).
  cbn in E2. now apply same_visit_same_node.
Qed.

(** The visit numbers of one base point are distinct. *)
Lemma visit_numbers_are_distinct s b : reached s ->
  NoDup (map (fun e => snd (fst e)) (filter (fun e => same_path (birth k (fst (fst e))) b) (evaluations (log s)))).
Proof.
  intros Hr. pose proof (no_evaluation_is_repeated s Hr) as Hn.
  induction (evaluations (log s)) as [|e l IH]; [constructor|].
  cbn [map] in Hn. inversion Hn as [|? ? Hnot Hn']; subst. cbn [filter].
  destruct (same_path (birth k (fst (fst e))) b) eqn:Ef; [|auto].
  cbn [map]. constructor; [|auto]. intros H. apply Hnot. apply in_map_iff in H.
  destruct H as (e' & E & H). apply filter_In in H. destruct H as [H Hf].
  apply in_map_iff. exists e'. split; [|exact H]. apply same_path_iff in Ef, Hf. congruence.
Qed.

End Evaluations.
