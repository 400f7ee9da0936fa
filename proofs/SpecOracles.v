(** * Every oracle of the model is a stochastic function g of base points.

    [hunt_is_algorithm_1] is about the oracles that a function g of real base points gives.  The model
    takes any oracle, a function of nodes; a run sees no difference. *)

From Coq Require Import List ZArith Reals Arith Lia Classical_Prop.
From EmbeddedHunter Require Import Lattice Model Nodes Steps Paths Evaluations RunsTree RunsEnd
  Causality SpecPoints SpecIsModel.
From EmbeddedHunter Require Spec.
Import ListNotations.
Open Scope nat_scope.

Section SpecOracles.

Context {V : Type} (less : V -> V -> bool) (oracle : path -> nat -> V).
Variable cfg : settings.
Variable eta : R.

Local Notation k := (half cfg).
Local Notation d := (dimension cfg).
Local Notation point_of := (point_of k d eta).

Hypothesis d_pos : 1 <= d.
Hypothesis eta_pos : (0 < eta)%R.

(** Look up the node of depth at most h_max + 1 whose base point it is. *)
Definition g_of (y : Spec.point) (n : nat) : V :=
  match find (fun p => if Spec.same_point (point_of p) y then true else false) (levels k (S (h_max cfg))) with
  | Some p => oracle (birth k p) n
  | None => oracle [] n
  end.

Lemma g_of_point_of p n : node k p -> length p <= S (h_max cfg) ->
  g_of (point_of p) n = oracle (birth k p) n.
Proof.
  intros Hp Hl. unfold g_of.
  destruct (find _ (levels k (S (h_max cfg)))) as [q|] eqn:F.
  - apply find_some in F. destruct F as [F1 F2]. apply in_levels in F1.
    destruct (Spec.same_point (point_of q) (point_of p)) as [E|]; [|discriminate].
    apply (equal_points_iff k d eta d_pos eta_pos) in E; [congruence|apply F1|exact Hp].
  - exfalso. assert (I : In p (levels k (S (h_max cfg)))) by (apply in_levels; auto).
    apply (find_none _ _ F) in I. destruct (Spec.same_point (point_of p) (point_of p)); congruence.
Qed.

(** Claim [determinism].  For every oracle of the model there is a function g of real base points with the same values
    and the same run. *)
Theorem every_oracle_is_a_function_of_base_points :
  exists g : Spec.point -> nat -> V,
    (forall p n, node k p -> length p <= S (h_max cfg) -> g (point_of p) n = oracle (birth k p) n) /\
    hunt less oracle cfg = hunt less (oracle_of g cfg eta) cfg.
Proof.
  exists g_of. split; [exact g_of_point_of|].
  destruct (runs_differ_only_after_their_oracles_do less cfg oracle (oracle_of g_of cfg eta)
    (fun a b => classic (a = b))) as [E | (p & n & earlier & later & later' & E & _ & N)]; [exact E|].
  exfalso. apply N. clear N.
  pose proof (run_for_reached less oracle cfg (budget cfg)) as Hr. fold (hunt less oracle cfg) in Hr.
  destruct (evaluations_of_nodes less oracle cfg _ Hr p n (oracle (birth k p) n)) as (_ & _ & _ & Hp & Hpar).
  { unfold seen in E. rewrite E. apply in_or_app. right. now left. }
  unfold oracle_of. rewrite (point_of_birth k d eta d_pos eta_pos p Hp). symmetry.
  apply g_of_point_of; [exact Hp|]. destruct p as [|c q]; [cbn; lia|].
  destruct (expanded_nodes_have_depth_at_most_h_max less oracle cfg _ q Hr (Hpar c q eq_refl)) as [_ H].
  cbn. lia.
Qed.

End SpecOracles.
