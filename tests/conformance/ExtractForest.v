(** Extraction of the forest as JSON, which translate.py turns into a Python module: the oracle of
    the differential tests of the policy forest. *)

From EmbeddedHunter Require Import Lattice Model Forest.
Require Extraction.
Extraction Language JSON.
Separate Extraction hunt nothing separate_origin one_class one_queue norm_class index inner.
