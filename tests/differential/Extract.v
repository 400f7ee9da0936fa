(** Extraction of Algorithm 1 and of the forest as JSON, which translate.py turns into Python modules: the
    oracles of the differential tests. *)

From EmbeddedHunter Require Import Lattice Model Forest.
Require Extraction.
Extraction Language JSON.
Separate Extraction Model.hunt index
  Forest.hunt nothing separate_origin one_class one_queue norm_class inner.
