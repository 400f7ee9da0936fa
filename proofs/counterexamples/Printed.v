(** * Lemma 1 and Theorem 2 as the paper prints them, in the reading that can be true.

    The printed definitions are degenerate when "a random matrix" is any matrix of the Gaussian's
    support; here the family of realisations is finite, and it is enough for a refutation to take
    the simplest one: a single matrix, always the same.  Then g = g_p is a function of y, tau = 0 is
    admissible, and what remains of the paper's assumptions is [assumptions_hold]. *)

From Coq Require Import Reals Rpower Lra.
From EmbeddedHunter Require Import Lists Lattice Geometry Norms Vectors Model Cells WellShaped Packing RealValues Values.
Local Open Scope R_scope.

(** ** What a run did until iteration t *)

(** Number of iterations (visits of a depth) in a log; the latest event comes first. *)
Fixpoint visits_in {V} (log : list (event V)) : nat :=
  match log with
  | [] => 0
  | Visit _ :: rest => S (visits_in rest)
  | _ :: rest => visits_in rest
  end.

(** The nodes expanded, each with the number of the iteration that expanded it. *)
Fixpoint expansions {V} (log : list (event V)) : list (path * nat) :=
  match log with
  | [] => []
  | Expand p _ :: rest => (p, visits_in rest) :: expansions rest
  | _ :: rest => expansions rest
  end.

(** The values seen, each with the number of the iteration that saw it. *)
Fixpoint values_seen {V} (log : list (event V)) : list (V * nat) :=
  match log with
  | [] => []
  | Evaluate _ _ v :: rest => (v, visits_in rest) :: values_seen rest
  | _ :: rest => values_seen rest
  end.

Definition expanded_within {V} (t : nat) (p : path) (log : list (event V)) : Prop :=
  exists i, In (p, i) (expansions log) /\ (i <= t)%nat.

(** ** The problem and the paper's assumptions *)

(** A problem with one realisation of the random matrix, and the input of Algorithm 1. *)
Record problem := Problem {
  half_K : nat;             (* K = 2 half_K + 1 *)
  dim : nat;                (* d *)
  ambient : nat;            (* n *)
  depth_bound : nat;        (* h_max *)
  eta : R;
  M : R;
  cap : Z * Z;              (* (2 R M)^2 as a fraction *)
  f : vector -> R;
  A : matrix
}.

(** The quantities of the analysis. *)
Record analysis := Analysis {
  f_star : R;
  delta : nat -> R;
  tau : nat -> R;
  m : R;
  m_hat : R
}.

Section Printed.
Variable P : problem.
Variable T : analysis.

(** R = d / eta. *)
Definition box_radius : R := INR (dim P) / eta P.

Definition g (y : vector) : R := embedded (f P) (dim P) (A P) y.

Definition base (p : path) : vector := base_point (half_K P) (dim P) box_radius p.

Definition cell (p : path) : vector -> Prop := in_cell (half_K P) (dim P) box_radius p.

(** Definition 1: the cell contains a point of the least value. *)
Definition optimal (p : path) : Prop := node (half_K P) p /\ exists y, cell p y /\ g y = f_star T.

(** All but Assumption 2. *)
Record other_assumptions_hold : Prop := {
  input_is_valid : (1 <= half_K P)%nat /\ (1 <= dim P <= ambient P)%nat /\ 0 < eta P < 1
    /\ (0 < snd (cap P))%Z /\ IZR (fst (cap P)) / IZR (snd (cap P)) = (2 * box_radius * M P) ^ 2;
  f_star_is_the_least_value : (forall x, in_box (ambient P) x -> f_star T <= f P x)
    /\ exists y, in_space (dim P) box_radius y /\ g y = f_star T;
  assumption_1 : exists L, lipschitz (ambient P) (coordinates (ambient P)) L (f P);
  delta_decreases : forall h, 0 < delta T (S h) < delta T h;
  assumption_3 : 0 < m T /\ well_shaped (half_K P) (dim P) box_radius (distance (dim P)) (m T) (delta T);
  assumption_4 : (forall h, 0 <= tau T h <= tau T (S h));
  equation_7 : (exists i, (1 <= i)%nat /\ m_hat T = INR i)
    /\ forall h, (h <= depth_bound P)%nat -> tau T h + delta T h <= m_hat T * delta T h
}.

Record assumptions_hold : Prop := {
  others_hold :> other_assumptions_hold;
  assumption_2 : forall p y, optimal p -> cell p y -> Rabs (g (base p) - g y) <= delta T (length p)
}.

(** The run of Algorithm 1 on g with budget [v]. *)
Definition the_run (v : nat) : state R :=
  hunt less_real (fun p _ => g (base p))
    (Settings (half_K P) (dim P) (depth_bound P) v (fst (cap P)) (snd (cap P))).

(** |I_h|: the nodes of depth h whose base points are (m_hat delta(h))-optimal. *)
Definition near_optimal_count (h : nat) : nat :=
  length (filter (fun p => if Rle_dec (g (base p)) (f_star T + m_hat T * delta T h) then true else false)
                 (nodes_of_depth (half_K P) h)).

(** |I_0| + ... + |I_h|. *)
Definition near_optimal_count_up_to (h : nat) : nat :=
  fold_right Nat.add 0%nat (map near_optimal_count (seq 0 (S h))).

(** Claim [lemma-1] as printed, with [factor] = h_max: after t >= factor (|I_0| + ... + |I_h|)
    iterations (of which none was cut by the budget: one more has begun) an optimal node of depth at
    least h is expanded. *)
Definition lemma_1_with_factor (factor : nat) : Prop := forall v h t,
  (h <= depth_bound P)%nat -> (factor * near_optimal_count_up_to h <= t)%nat ->
  (t < iterations (the_run v))%nat ->
  exists p, optimal p /\ (h <= length p)%nat /\ expanded_within t p (log (the_run v)).

Definition lemma_1_as_printed : Prop := lemma_1_with_factor (depth_bound P).

(** Claim [theorem-2] as printed, with [factor] = h_max: h(t) is the least h with
    C h_max (sum over l <= h of (m_hat delta(l))^(-d_hat)) >= t, and after t iterations the regret is at
    most each of tau(j) + delta(j), j <= min(h(t), h_max + 1). *)
Definition bound_of_equation_9 (factor : nat) (C d_hat : R) (h : nat) : R :=
  C * INR factor * sum (seq 0 (S h)) (fun l => Rpower (m_hat T * delta T l) (- d_hat)).

Definition is_h_of_t (factor : nat) (C d_hat : R) (t h : nat) : Prop :=
  INR t <= bound_of_equation_9 factor C d_hat h
  /\ forall h', (h' < h)%nat -> bound_of_equation_9 factor C d_hat h' < INR t.

Definition regret_is_at_most (v t : nat) (b : R) : Prop :=
  exists value i, In (value, i) (values_seen (log (the_run v))) /\ (i <= t)%nat
    /\ value - f_star T <= b.

Definition theorem_2_with_factor (factor : nat) (C d_hat : R) : Prop := forall v t h j,
  (1 <= t <= iterations (the_run v))%nat -> is_h_of_t factor C d_hat t h ->
  (j <= Nat.min h (S (depth_bound P)))%nat -> regret_is_at_most v t (tau T j + delta T j).

Definition theorem_2_as_printed : R -> R -> Prop := theorem_2_with_factor (depth_bound P).

(** Claim [definition-2], repaired: fewer than C eps^(-dim) disjoint open balls of radius
    (m / m_hat) eps have their centers in Y_eps, for 0 < eps <= m_hat delta(0). *)
Definition is_admissible (C d_hat : R) : Prop := forall eps centers,
  0 < eps <= m_hat T * delta T 0 ->
  (forall y, In y centers -> near_optimal (dim P) box_radius g (f_star T) eps y) ->
  disjoint_balls (distance (dim P)) (m T / m_hat T * eps) centers ->
  INR (length centers) < C * Rpower eps (- d_hat).

(** The near-optimality dimension: the least d_hat that some C makes admissible. *)
Definition is_the_near_optimality_dimension (C d_hat : R) : Prop :=
  0 <= d_hat /\ is_admissible C d_hat
  /\ forall C' d', 0 <= d' < d_hat -> ~ is_admissible C' d'.

End Printed.

(** ** Runs over the reals, computed with rational numbers *)

Section Computing.
Variables V W : Type.
Variable value : V -> W.

Lemma visits_in_values (l : list (event V)) : visits_in (map (event_value V W value) l) = visits_in l.
Proof. induction l as [|[] l IH]; cbn; congruence. Qed.

Lemma expansions_of_values (l : list (event V)) :
  expansions (map (event_value V W value) l) = expansions l.
Proof. induction l as [|[] l IH]; cbn; rewrite ?visits_in_values; congruence. Qed.

Lemma values_seen_of_values (l : list (event V)) :
  values_seen (map (event_value V W value) l)
  = map (fun e => (value (fst e), snd e)) (values_seen l).
Proof. induction l as [|[] l IH]; cbn; rewrite ?visits_in_values; congruence. Qed.

End Computing.
