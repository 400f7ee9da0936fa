(** * The Python text is Algorithm 1.

    The text of [hunt], with the texts of tree.py and node.py that it calls, makes the run of the model (Model.v), and so
    the only run that Spec.v allows.

    What a run of the text is: [generate] begins the generator, which yields visits.  A visit shows the caller which
    nodes are expanded and which evaluations are asked for ([shows]), and the caller sends their values ([sends]).
    A value of [ends] says that the generator comes to its end whatever else the caller puts into the store, without
    an exception, and what holds of all visits that it has shown and of the value that it returns. *)

From Coq Require Import List ZArith String Reals Bool Arith Lia.
From EmbeddedHunter Require Import PythonSyntax Python SearchText Heapq TreeInStore TextOfNode GeneratorRules TextOfChoose TextOfMethods TextOfVisit TextOfSweep
  TextOfRun TextIsPossible.
From EmbeddedHunter Require Import Lattice Model Order PriorityQueue Program ProgramNodes ProgramIsModel SpecPoints SpecExpansions SpecIsModel.
From EmbeddedHunter Require Spec SpecOneRun.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

(** A log without the marks where a sweep begins. *)
Definition is_no_sweep {V} (e : event V) : bool := match e with Sweep _ => false | _ => true end.
Definition without_sweeps {V} (events : list (event V)) : list (event V) := filter is_no_sweep events.

Section TextIsAlgorithm1.

Context (F : floats) (H : heapq) (correct : is_heapq H) (cfg : settings) (order : total_order (less F)).
#[local] Existing Instance greatest_float.
Hypothesis greatest : forall a : float F, a = Python.infinity F \/ less F a (Python.infinity F) = true.
Hypothesis d_pos : 1 <= dimension cfg.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis budget_pos : 1 <= budget cfg.
(** The settings lie in the store h at p; the fuel of the interpreter is at least the budget and a little more. *)
Variables (p cap side : nat) (side_as_float : float F) (h : store F) (fuel : nat).
Hypothesis settings_in_store : input_in F cfg p cap side side_as_float h.
Hypothesis fuel_lasts : budget cfg <= fuel.

Local Notation Q := (heap_lists (before (less F)) H correct (before_is_an_order (less F) order)).
Local Notation variables := (Program.variables (float F) (less F) Q).
Local Notation the_text_of_hunt := (generate H search_py (S (S (S (S (S (S (S (S fuel)))))))) "hunt" [VRef p] h).

Section AnyOracle.

Variable oracle : path -> nat -> float F.

(** The events of a visit that the caller has seen, the latest first. *)
Definition events_seen (w : shown F) : list (event (float F)) :=
  match sweep_shown F w with
  | 0 => rev (map (fun r => Evaluate (name cfg (fst r)) (snd r) (reply oracle cfg r)) (asked F w))
  | S _ => happened cfg (expansions_shown F w) (map (reply oracle cfg) (asked F w)) [Visit (depth_shown F w)]
  end.

Lemma without_sweeps_all (es : list (event (float F))) : (forall e, In e es -> is_no_sweep e = true) -> without_sweeps es = es.
Proof.
  induction es as [|e es IH]; intros A; [reflexivity|]. cbn [without_sweeps filter]. rewrite (A e (or_introl eq_refl)).
  f_equal. apply IH. intros e' He. exact (A e' (or_intror He)).
Qed.

Lemma without_sweeps_app (xs ys : list (event (float F))) : without_sweeps (xs ++ ys) = without_sweeps xs ++ without_sweeps ys.
Proof. apply filter_app. Qed.

Lemma without_sweeps_happened es : forall vs log,
  without_sweeps (happened cfg es vs log) = happened cfg es vs (without_sweeps (V := float F) log).
Proof.
  induction es as [|e es IH]; intros vs log; [reflexivity|]. cbn [happened]. rewrite IH, without_sweeps_app. f_equal. f_equal.
  apply without_sweeps_all. intros e' He. apply in_rev, in_map_iff in He. destruct He as (x & <- & _). reflexivity.
Qed.

Lemma happened_before es : forall vs (xs log : list (event (float F))),
  happened cfg es vs (xs ++ log) = happened cfg es vs xs ++ log.
Proof.
  induction es as [|e es IH]; intros vs xs log; [reflexivity|]. cbn [happened]. rewrite <- IH, <- app_assoc. reflexivity.
Qed.

Lemma events_of_a_visit l (P : variables) : sweep_number P <> 0 ->
  sweep_number (visit_depth (less F) oracle cfg Q l P) = sweep_number P /\
  without_sweeps (events (visit_depth (less F) oracle cfg Q l P)) = events_seen (shown_by F cfg Q l P) ++ without_sweeps (events P).
Proof.
  intros N. unfold visit_depth, shown_by. destruct (norm_classes l (nu P) (leaves_of P)) as [qs tr]. cbn [fst].
  destruct (choose cfg Q qs (nu P) (left P)) as [[es ws] nu']. cbn [sweep_number events]. split; [reflexivity|].
  rewrite without_sweeps_happened. unfold events_seen. cbn [sweep_shown expansions_shown asked depth_shown].
  destruct (sweep_number P); [contradiction N; reflexivity|]. rewrite <- happened_before. reflexivity.
Qed.

Lemma events_of_visits n : forall l (P : variables), sweep_number P <> 0 ->
  without_sweeps (events (visit_depths (less F) oracle cfg Q n l P)) =
  flat_map events_seen (shown_depths F oracle cfg Q n l P) ++ without_sweeps (events P).
Proof.
  induction n as [|n IH]; intros l P N; [reflexivity|]. cbn [visit_depths shown_depths]. cbv zeta.
  destruct (events_of_a_visit l P N) as [E1 E2]. rewrite flat_map_app, <- app_assoc. cbn [flat_map]. rewrite app_nil_r, <- E2.
  destruct (left (visit_depth (less F) oracle cfg Q l P) =? 0); [reflexivity|]. apply IH. rewrite E1. exact N.
Qed.

Lemma events_of_sweeps n : forall P : variables,
  without_sweeps (events (sweep_while (less F) oracle cfg Q n P)) =
  flat_map events_seen (shown_sweeps F oracle cfg Q n P) ++ without_sweeps (events P).
Proof.
  induction n as [|n IH]; intros P; [reflexivity|]. cbn [sweep_while shown_sweeps].
  change ((0 <? left P) && expanded P)%bool with (goes_on F Q P). destruct (goes_on F Q P); [|reflexivity].
  rewrite IH, flat_map_app, <- app_assoc. f_equal.
  change (one_sweep (less F) oracle cfg Q P) with (visit_depths (less F) oracle cfg Q (visits_of F cfg Q P) 0 (sweep_begins F cfg Q P)).
  rewrite events_of_visits by discriminate. reflexivity.
Qed.

(** Claim [python-text]. The text of [hunt] makes the run of the model: the events that the caller sees are those of the model in their order, and the answer is the model's. *)
Theorem the_python_text_makes_the_run_of_the_model :
  ends (shows F) (sends F oracle cfg)
    (fun log v _ => v = VFloat (answer (hunt (less F) oracle cfg)) /\
      flat_map events_seen log = without_sweeps (Model.log (hunt (less F) oracle cfg)))
    [] the_text_of_hunt.
Proof.
  destruct (the_program_is_the_model (top := greatest_float F) (less F) oracle cfg Q greatest order k_pos d_pos) as (E1 & E2 & _).
  eapply ends_weaken.
  - apply (the_text_of_hunt_makes_the_run F H oracle cfg order Q greatest d_pos budget_pos fuel (tree_in F H correct order)
      (the_text_has_the_methods_of_a_tree F H correct order fuel greatest) p cap side side_as_float k_pos h settings_in_store fuel_lasts).
    exact (all_sweeps_are_possible F oracle cfg order Q greatest k_pos d_pos).
  - cbv beta. intros log v _ (-> & ->). rewrite E2. split; [reflexivity|]. rewrite <- E1. unfold run.
    rewrite events_of_sweeps, flat_map_app. reflexivity.
Qed.

End AnyOracle.

(** ** Algorithm 1 *)

Variable g : Spec.point -> nat -> float F.
Variables eta M : R.
Hypothesis eta_pos : (0 < eta)%R.
Hypothesis M_nonneg : (0 <= M)%R.
Hypothesis den_pos : (0 < cap_den cfg)%Z.
Hypothesis cap_is : (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR (dimension cfg) / eta) * M) ^ 2)%R.
Local Notation oracle := (oracle_of g cfg eta).
Local Notation run_of_algorithm_1 :=
  (Spec.run (float F) (less F) g (K (half cfg)) (dimension cfg) eta M (h_max cfg) (budget cfg)).

(** What the caller has seen, as Spec.v has it, in its order; and the past of Spec.v without the marks of sweeps. *)
Definition seen_as_spec (log : list (shown F)) : list (Spec.event (float F)) :=
  SpecPoints.events_of (half cfg) (flat_map (events_seen oracle) log).
Definition past_without_sweeps (past : list (Spec.event (float F))) : list (Spec.event (float F)) :=
  filter (fun e => match e with Spec.Sweep _ _ => false | _ => true end) past.

Lemma events_of_without_sweeps (log : list (event (float F))) :
  SpecPoints.events_of (half cfg) (without_sweeps log) = past_without_sweeps (SpecPoints.events_of (half cfg) log).
Proof.
  unfold past_without_sweeps. induction log as [|e log IH]; [reflexivity|]. rewrite events_of_cons, filter_app, <- IH.
  destruct e; cbn [without_sweeps filter is_no_sweep event_of]; rewrite ?events_of_cons, ?app_nil_r; reflexivity.
Qed.

(** Claim [python-text]. The Python text is Algorithm 1: its visits and its answer are those of a run of Algorithm 1, and Algorithm 1 allows no other. *)
Theorem the_python_text_is_algorithm_1 :
  ends (shows F) (sends F oracle cfg)
    (fun log v _ => exists s f, run_of_algorithm_1 s f /\ v = VFloat f /\
      seen_as_spec log = past_without_sweeps (Spec.past (float F) s) /\
      forall s' f', run_of_algorithm_1 s' f' -> SpecOneRun.same (float F) s' s /\ f' = f)
    [] the_text_of_hunt.
Proof.
  eapply ends_weaken; [exact (the_python_text_makes_the_run_of_the_model oracle)|].
  cbv beta. intros log v _ (-> & E).
  destruct (hunt_is_algorithm_1 (less F) g cfg eta M order k_pos d_pos eta_pos M_nonneg den_pos cap_is budget_pos) as [A B].
  do 2 eexists. split; [exact A|]. split; [reflexivity|]. split; [|exact B].
  unfold seen_as_spec. rewrite E. apply events_of_without_sweeps.
Qed.

End TextIsAlgorithm1.
