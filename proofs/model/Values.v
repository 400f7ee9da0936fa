(** * Only the order of the values matters.

    Two runs whose oracles give values in the same order, of whatever types, are the same run.
    So a run over the real numbers can be computed with rational ones. *)

From Coq Require Import List ZArith Bool QArith Reals Qreals Lra.
From EmbeddedHunter Require Import Lattice Model RealValues.
Import ListNotations.

Section Values.
Variables V W : Type.
Variable less_V : V -> V -> bool.
Variable less_W : W -> W -> bool.
Variable value : V -> W.
Variable oracle_V : path -> nat -> V.
Variable oracle_W : path -> nat -> W.
Variable cfg : settings.
Hypothesis same_order : forall a b, less_W (value a) (value b) = less_V a b.
Hypothesis same_values : forall p n, oracle_W p n = value (oracle_V p n).

Definition leaf_value (x : leaf V) : leaf W :=
  Leaf (depth x) (place x) (norm x) (value (best x)) (count x).

Definition event_value (e : event V) : event W :=
  match e with
  | Sweep lim => Sweep lim
  | Visit l => Visit l
  | Expand p nu => Expand p (value nu)
  | Evaluate p n v => Evaluate p n (value v)
  end.

Definition state_value (s : state V) : state W :=
  State (map leaf_value (leaves s)) (option_map value (nu_min s)) (value (answer s)) (made s)
        (iterations s) (sweeps s) (map event_value (log s)).

Lemma smaller_value a b : smaller less_W (value a) (value b) = value (smaller less_V a b).
Proof. unfold smaller. rewrite same_order. destruct (less_V a b); reflexivity. Qed.

Lemma evaluate_value p n s : evaluate less_W oracle_W cfg p n (state_value s)
  = (value (fst (evaluate less_V oracle_V cfg p n s)),
     state_value (snd (evaluate less_V oracle_V cfg p n s))).
Proof. unfold evaluate. rewrite same_values. cbn. rewrite smaller_value. reflexivity. Qed.

Lemma make_children_value digits x s :
  make_children less_W oracle_W cfg digits (leaf_value x) (state_value s)
  = (option_map (map leaf_value) (fst (make_children less_V oracle_V cfg digits x s)),
     state_value (snd (make_children less_V oracle_V cfg digits x s))).
Proof.
  revert s. induction digits as [|c rest IH]; intros s; cbn [make_children]; [reflexivity|].
  change (within_cap cfg (leaf_value x)) with (within_cap cfg x).
  change (place (leaf_value x)) with (place x). change (count (leaf_value x)) with (count x).
  change (best (leaf_value x)) with (value (best x)).
  change (exhausted cfg (state_value s)) with (exhausted cfg s).
  destruct ((c =? half cfg)%nat && negb (within_cap cfg x)).
  - rewrite IH. destruct (make_children less_V oracle_V cfg rest x s) as [[cs|] s']; reflexivity.
  - destruct (exhausted cfg s); [reflexivity|]. rewrite evaluate_value.
    set (n := if (c =? half cfg)%nat then _ else _).
    destruct (evaluate less_V oracle_V cfg (c :: place x) n s) as [v s1]. cbn [fst snd].
    rewrite IH. destruct (make_children less_V oracle_V cfg rest x s1) as [[cs|] s'];
      [|reflexivity]. cbn. rewrite smaller_value.
    destruct (c =? half cfg)%nat; reflexivity.
Qed.

Lemma replace_leaf_value p cs xs :
  replace_leaf p (map leaf_value cs) (map leaf_value xs) = map leaf_value (replace_leaf p cs xs).
Proof.
  induction xs as [|x xs IH]; cbn [map replace_leaf]; [reflexivity|].
  change (place (leaf_value x)) with (place x). destruct (same_path (place x) p).
  - rewrite map_app. reflexivity.
  - cbn [map]. rewrite IH. reflexivity.
Qed.

Lemma expand_value x s : expand less_W oracle_W cfg (leaf_value x) (state_value s)
  = state_value (expand less_V oracle_V cfg x s).
Proof.
  unfold expand. set (s1 := State (leaves s) _ _ _ _ _ _).
  change (State (leaves (state_value s)) _ _ _ _ _ _) with (state_value s1).
  rewrite make_children_value. destruct (make_children less_V oracle_V cfg _ x s1) as [[cs|] s2];
    cbn; [|reflexivity]. rewrite replace_leaf_value. reflexivity.
Qed.

Lemma argmin_value x rest : argmin less_W (leaf_value x) (map leaf_value rest)
  = leaf_value (argmin less_V x rest).
Proof.
  revert x. induction rest as [|y rest IH]; intros x; cbn [map argmin]; [reflexivity|].
  change (best (leaf_value x)) with (value (best x)).
  change (best (leaf_value y)) with (value (best y)). rewrite same_order.
  destruct (less_V (best y) (best x)); apply IH.
Qed.

Lemma visit_class_value members s : visit_class less_W oracle_W cfg (map leaf_value members) (state_value s)
  = state_value (visit_class less_V oracle_V cfg members s).
Proof.
  destruct members as [|x rest]; cbn [map visit_class]; [reflexivity|].
  rewrite argmin_value. change (exhausted cfg (state_value s)) with (exhausted cfg s).
  destruct (exhausted cfg s); [reflexivity|].
  assert (B : below less_W (best (leaf_value (argmin less_V x rest))) (nu_min (state_value s))
    = below less_V (best (argmin less_V x rest)) (nu_min s)).
  { destruct s as [a nu b c d e f]. destruct nu; cbn; [apply same_order | reflexivity]. }
  rewrite B. destruct (below less_V _ _); [apply expand_value | reflexivity].
Qed.

Definition class_value (c : Z * list (leaf V)) := (fst c, map leaf_value (snd c)).

Lemma classes_value l xs : classes l (map leaf_value xs) = map class_value (classes l xs).
Proof.
  induction xs as [|x xs IH]; cbn [map classes]; [reflexivity|].
  change (depth (leaf_value x)) with (depth x). rewrite IH. destruct (depth x =? l)%nat; [|reflexivity].
  generalize (classes l xs). intros cs. clear IH. induction cs as [|[r ms] cs IH]; [reflexivity|].
  cbn [map class_value fst snd add_to_classes]. change (norm (leaf_value x)) with (norm x).
  destruct (norm x =? r)%Z; [reflexivity|]. destruct (r <? norm x)%Z; [reflexivity|].
  cbn [map]. rewrite IH. reflexivity.
Qed.

Lemma visit_classes_value cs s : visit_classes less_W oracle_W cfg (map class_value cs) (state_value s)
  = state_value (visit_classes less_V oracle_V cfg cs s).
Proof.
  revert s. induction cs as [|[r ms] cs IH]; intros s; cbn [map visit_classes class_value fst snd];
    [reflexivity|]. rewrite visit_class_value. apply IH.
Qed.

Lemma visit_value l s : visit less_W oracle_W cfg l (state_value s)
  = state_value (visit less_V oracle_V cfg l s).
Proof.
  unfold visit. change (leaves (state_value s)) with (map leaf_value (leaves s)).
  rewrite classes_value. change (begin_visit l (state_value s)) with (state_value (begin_visit l s)).
  apply visit_classes_value.
Qed.

Lemma visits_value n l s : visits less_W oracle_W cfg n l (state_value s)
  = state_value (visits less_V oracle_V cfg n l s).
Proof.
  revert l s. induction n as [|n IH]; intros l s; cbn [visits]; [reflexivity|].
  change (exhausted cfg (state_value s)) with (exhausted cfg s).
  destruct (exhausted cfg s); [reflexivity|]. rewrite visit_value. apply IH.
Qed.

Lemma limit_value s : limit cfg (state_value s) = limit cfg s.
Proof.
  unfold limit. f_equal. cbn. induction (leaves s) as [|x xs IH]; [reflexivity|].
  cbn. rewrite IH. reflexivity.
Qed.

Lemma sweep_value s : sweep less_W oracle_W cfg (state_value s)
  = state_value (sweep less_V oracle_V cfg s).
Proof.
  unfold sweep. rewrite limit_value.
  replace (begin_sweep cfg (state_value s)) with (state_value (begin_sweep cfg s)).
  - apply visits_value.
  - unfold begin_sweep. rewrite limit_value. reflexivity.
Qed.

Lemma run_for_value n s : run_for less_W oracle_W cfg n (state_value s)
  = state_value (run_for less_V oracle_V cfg n s).
Proof.
  revert s. induction n as [|n IH]; intros s; cbn [run_for]; [reflexivity|].
  change (exhausted cfg (state_value s)) with (exhausted cfg s).
  destruct (exhausted cfg s); [reflexivity|]. rewrite sweep_value.
  change (nu_min (state_value (sweep less_V oracle_V cfg s)))
    with (option_map value (nu_min (sweep less_V oracle_V cfg s))).
  destruct (nu_min (sweep less_V oracle_V cfg s)); cbn [option_map]; [apply IH | reflexivity].
Qed.

Lemma start_value : start oracle_W cfg = state_value (start oracle_V cfg).
Proof. unfold start. rewrite same_values. reflexivity. Qed.

(** Claim [determinism]. Oracles that give values in the same order give the same run. *)
Theorem only_the_order_of_the_values_matters :
  hunt less_W oracle_W cfg = state_value (hunt less_V oracle_V cfg).
Proof. unfold hunt. rewrite start_value. apply run_for_value. Qed.

End Values.

(** The order of the rational numbers is that of the reals. *)
Definition less_rational (a b : Q) : bool := negb (Qle_bool b a).

Lemma less_real_of_rationals a b : less_real (Q2R a) (Q2R b) = less_rational a b.
Proof.
  unfold less_real, less_rational. destruct (Rlt_dec (Q2R a) (Q2R b)) as [H|H]; symmetry.
  - apply Rlt_Qlt in H. apply Bool.negb_true_iff, Bool.not_true_iff_false. intros E.
    apply Qle_bool_iff in E. exact (Qlt_not_le _ _ H E).
  - apply Bool.negb_false_iff, Qle_bool_iff. apply Qnot_lt_le. intros E. apply H, Qlt_Rlt, E.
Qed.
