(** * The methods of tree.py, as [hunt] uses them. *)

From Coq Require Import List ZArith String Bool Arith Lia.
From EmbeddedHunter Require Import Lists Lattice Model Order PriorityQueue Program ProgramNodes PythonSyntax Python SearchText PythonRules
  TextOfNode GeneratorRules Heapq TreeInStore TextOfTree TextOfHunter TextOfChoose TextOfHunt.
Import ListNotations.
Open Scope list_scope.

#[local] Existing Instance greatest_float.

(** Claim [python-text]. The methods of the text of tree.py do what the proof of [hunt] supposes of them. *)
Theorem the_text_has_the_methods_of_a_tree (F : floats) (H : heapq) (correct : is_heapq H) (order : total_order (less F)) fuel :
  (forall a, a = Python.infinity F \/ less F a (Python.infinity F) = true) ->
  tree_methods F H (heap_lists (before (less F)) H correct (before_is_an_order (less F) order)) fuel (tree_in F H correct order).
Proof.
  intros greatest.
  assert (K : forall own h h', TreeInStore.keeps F own h h' -> TextOfHunt.keeps F own h h').
  { intros own h h' (K1 & K2 & K3). split; [split; [exact K1|]|exact K3]. intros m Hm Nm. exact (K2 m Nm Hm). }
  split.
  - intros own l tr h h' T. exact (tree_in_frame F H correct order own l tr h h' T).
  - intros own l tr h m T. exact (tree_in_bounds F H correct order own l tr h T m).
  - intros own l tr h T. exact (depth_in_store F H correct order own l tr h T).
  - intros ns h. destruct (the_text_makes_a_tree F H correct order (S (S (S (S (S (S fuel)))))) ns h) as (more & own & E & T & B).
    exists own, (List.length h), (h ++ more). split; [exact E|]. split; [exact T|]. split.
    + split; [apply same_but_app|]. intros m x Hm. exact (nth_error_app_old _ _ _ _ Hm).
    + intros m Hm. right. right. exact (B m Hm).
  - intros ns h own l tr m x T Hm _ Hx.
    destruct (the_text_adds_a_leaf F H correct order (S (S (S (S fuel)))) ns h own l tr m x T Hm Hx) as (h' & own' & E & T' & K' & G).
    exists own', h'. exact (conj E (conj T' (conj (K _ _ _ K') G))).
  - intros ns h own l tr m x c kids T Hm Hx Hr Hl Hc Hkids _ Hn Hd.
    destruct (the_text_replaces_a_leaf F H correct order (S (S (S fuel))) ns h own l tr m x c (map fst kids) (map snd kids) T Hm) as (h' & own' & E & T' & K' & G); auto.
    + rewrite Hc. unfold references. now rewrite map_map.
    + clear - Hkids. induction kids as [|[q y] kids IH]; constructor; [apply Hkids; now left|].
      apply IH. intros q' y' Hq. apply Hkids. now right.
    + apply Hn. now left.
    + apply Forall_forall. exact Hd.
    + exists own', h'. exact (conj E (conj T' (conj (K _ _ _ K') G))).
  - intros ns h own l tr k T Hk.
    destruct (the_text_finds_the_least F H correct order greatest (S (S (S (S (S fuel))))) ns h own l tr k T Hk) as (h' & own' & f & E & Ef & T' & K' & G).
    exists own', h', f. exact (conj E (conj Ef (conj T' (conj (K _ _ _ K') G)))).
  - intros ns h own l tr k T Hk.
    destruct (the_text_lists_the_classes F H correct order (S (S (S (S (S fuel))))) ns h own l tr k T Hk) as (h' & own' & s & rs & E & Hs & Hl & T' & K' & G & Q').
    exists own', h', s, rs. exact (conj E (conj Hs (conj Hl (conj T' (conj (K _ _ _ K') (conj G Q')))))).
Qed.
