(** * Values that are real numbers: the strict comparison of the model, on the reals *)

From Coq Require Import Reals Lra.
From EmbeddedHunter Require Import Model Nodes Order.
Local Open Scope R_scope.

Definition less_real (a b : R) : bool := if Rlt_dec a b then true else false.

Lemma smaller_is_below_both : forall a b, smaller less_real a b <= a /\ smaller less_real a b <= b.
Proof. intros. unfold smaller, less_real. destruct (Rlt_dec a b); lra. Qed.

(** Claim [one-run]. The real numbers are values in the sense of Order.v. *)
Theorem real_values_are_totally_ordered : total_order less_real.
Proof.
  unfold less_real. constructor.
  - intros a b. destruct (Rlt_dec a b), (Rlt_dec b a); try reflexivity; lra.
  - unfold at_most. intros a b c. destruct (Rlt_dec b a), (Rlt_dec c b), (Rlt_dec c a);
      intros; try reflexivity; try discriminate; lra.
Qed.

Lemma at_most_is_below : forall a b, at_most less_real a b <-> a <= b.
Proof.
  intros a b. unfold at_most, less_real. destruct (Rlt_dec b a); split; intros; try lra; try reflexivity;
    discriminate.
Qed.

Lemma reals_are_equal_or_not : forall a b : R, a = b \/ a <> b.
Proof. intros. destruct (Req_dec a b); auto. Qed.
