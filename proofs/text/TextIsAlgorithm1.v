(** * The Python text is Algorithm 1.

    The text of [hunt], with the texts of tree.py and node.py that it calls, makes the run of the model (Model.v), and so
    the only run that Spec.v allows.

    What a run of the text is: [interpret] refuses nothing in it and begins the generator, which yields visits.  A visit shows the caller which
    nodes are expanded and which evaluations are asked for ([shows]), and the caller sends their values ([sends]).
    A value of [ends] says that the generator comes to its end whatever else the caller puts into the store, without
    an exception, and what holds of all visits that it has shown and of the value that it returns. *)

From Coq Require Import List ZArith String Reals Bool Arith Lia.
From EmbeddedHunter Require Import PythonSyntax Python SearchText Refusals GeneratorRules TextOfChoose TextOfVisit TextOfRun.
From EmbeddedHunter Require Import Lattice Model Order SpecPoints SpecExpansions SpecIsModel.
From EmbeddedHunter Require Spec SpecOneRun.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

(** Claim [python-text]. Nothing in the three files is refused: all that they say outside of functions means what the interpreter takes it for. *)
Theorem nothing_in_the_text_is_refused : refusals modules_py = [].
Proof. vm_compute. reflexivity. Qed.

Section TextIsAlgorithm1.

Context (F : floats) (cfg : settings) (order : total_order (less F)).
Hypothesis greatest : forall a : float F, a = Python.infinity F \/ less F a (Python.infinity F) = true.
Hypothesis d_pos : 1 <= dimension cfg.
Hypothesis k_pos : 1 <= half cfg.
Hypothesis budget_pos : 1 <= budget cfg.
(** The settings lie in the store h at p; the fuel of the interpreter is at least the budget and a little more. *)
Variables (p cap side : nat) (side_as_float : float F) (h : store F) (fuel : nat).
Hypothesis settings_in_store : input_in F cfg p cap side side_as_float h.
Hypothesis fuel_lasts : budget cfg <= fuel.

Local Notation the_text_of_hunt := (interpret modules_py (S (S (S (S (S (S (S (S fuel)))))))) "hunt" [VRef p] h).

Section AnyOracle.

Variable oracle : path -> nat -> float F.

(** Claim [python-text]. The text of [hunt] makes the run of the model: the events that the caller sees are those of the model in their order, and the answer is the model's. *)
Theorem the_python_text_makes_the_run_of_the_model :
  ends (shows F cfg) (sends F oracle cfg)
    (fun log v _ => v = VFloat (Model.answer (hunt (less F) oracle cfg)) /\
      flat_map (events_seen F oracle cfg) log = without_sweeps (Model.log (hunt (less F) oracle cfg)))
    [] the_text_of_hunt.
Proof.
  unfold interpret. rewrite nothing_in_the_text_is_refused.
  exact (the_text_of_hunt_makes_the_run F oracle cfg order greatest d_pos k_pos budget_pos fuel p cap side side_as_float h settings_in_store fuel_lasts).
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
  SpecPoints.events_of (half cfg) (flat_map (events_seen F oracle cfg) log).
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
  ends (shows F cfg) (sends F oracle cfg)
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
