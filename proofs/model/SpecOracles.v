(** * Every oracle of the model is a stochastic function g of base points.

    [hunt_is_algorithm_1] is about the oracles that a function g of real base points gives, and about
    caps M ||y|| with a real number M.  The model takes any oracle, a function of nodes, and a cap that
    is a fraction; a run sees no difference. *)

From Coq Require Import Reals Lra Classical_Prop.
From EmbeddedHunter Require Import Lists Lattice Model Nodes Order Steps Paths Evaluations RunsTree RunsEnd
  Causality SpecPoints SpecExpansions SpecIsModel.
From EmbeddedHunter Require Spec SpecOneRun.

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

(** Every fraction is (2 R M)^2 for some M. *)
Lemma some_M_has_the_cap (num den : Z) : (0 <= num)%Z -> (0 < den)%Z ->
  exists M : R, (0 <= M /\ IZR num / IZR den = (2 * (INR d / eta) * M) ^ 2)%R.
Proof.
  intros Hn Hd. apply IZR_le in Hn. apply IZR_lt in Hd.
  pose proof (radius_pos d eta d_pos eta_pos) as HR. set (R := (INR d / eta)%R) in *.
  assert (Hq : (0 <= IZR num / IZR den)%R) by (apply Rmult_le_pos; [exact Hn|apply Rlt_le, Rinv_0_lt_compat, Hd]).
  exists (sqrt (IZR num / IZR den) / (2 * R))%R. split.
  - apply Rmult_le_pos; [apply sqrt_pos|]. apply Rlt_le, Rinv_0_lt_compat. lra.
  - replace (2 * R * (sqrt (IZR num / IZR den) / (2 * R)))%R with (sqrt (IZR num / IZR den)) by (field; lra).
    rewrite pow2_sqrt by exact Hq. reflexivity.
Qed.

(** Claims [one-run] [determinism] [evaluation-cap].  For every oracle of the model and all its settings (K >= 3, d >= 1, v >= 1, a
    cap of at least 0) there are a g and an M with the same values and the same cap, and the run of the model is the
    only run of Algorithm 1 with them. *)
Theorem every_run_of_the_model_is_the_run_of_algorithm_1 :
  total_order less -> 1 <= k -> 1 <= budget cfg -> (0 <= cap_num cfg)%Z -> (0 < cap_den cfg)%Z ->
  let s := hunt less oracle cfg in
  exists (g : Spec.point -> nat -> V) (M : R),
    (forall p n, node k p -> length p <= S (h_max cfg) -> g (point_of p) n = oracle (birth k p) n) /\
    (0 <= M)%R /\ (IZR (cap_num cfg) / IZR (cap_den cfg) = (2 * (INR d / eta) * M) ^ 2)%R /\
    Spec.run V less g (K k) d eta M (h_max cfg) (budget cfg)
      (state_of cfg (S (iterations s)) s) (answer s) /\
    (forall s' f, Spec.run V less g (K k) d eta M (h_max cfg) (budget cfg) s' f ->
       SpecOneRun.same V s' (state_of cfg (S (iterations s)) s) /\ f = answer s).
Proof.
  intros order Hk Hv Hn Hd s.
  destruct every_oracle_is_a_function_of_base_points as (g & Hg & E).
  destruct (some_M_has_the_cap (cap_num cfg) (cap_den cfg) Hn Hd) as (M & HM & Hcap).
  exists g, M. split; [exact Hg|]. split; [exact HM|]. split; [exact Hcap|].
  unfold s. rewrite E.
  exact (hunt_is_algorithm_1 less g cfg eta M order Hk d_pos eta_pos HM Hd Hcap Hv).
Qed.

End SpecOracles.
