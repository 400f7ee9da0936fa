(** Extraction of the model as JSON, which translate.py turns
    into a Python module: the oracle of the differential tests. *)

From EmbeddedHunter Require Import Lattice Model.
Require Extraction.
Extraction Language JSON.
Separate Extraction hunt index.
