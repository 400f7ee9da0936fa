(** * What the files on the forest have in common: the parameters of a forest, and the names of Forest.v and ForestTerms.v with
    these parameters. *)

From EmbeddedHunter Require Export ForestTerms.

Class rules (V : Type) := Rules {
  less : V -> V -> bool;
  cfg : forest_settings;
  trees : nat;
  oracle : nat -> path -> V;
  later : forest V -> path -> V;
  arrivals : forest V -> list (arrival V);
  queue : leaf V -> nat;
  rank : leaf V -> Z
}.
Arguments Rules {V}.

(** Parameters that are given are put in their places. *)
Ltac with_given_rules := cbn [less cfg trees oracle later arrivals queue rank] in *.

Notation k := (half cfg) (only parsing).
Notation children := (Nodes.children cfg) (only parsing).
Notation new_leaf := (Forest.new_leaf cfg) (only parsing).
Notation exhausted := (Forest.exhausted cfg) (only parsing).
Notation evaluate := (Forest.evaluate less trees oracle later) (only parsing).
Notation sample := (Forest.sample trees oracle later) (only parsing).
Notation make_children := (Forest.make_children less cfg trees oracle later) (only parsing).
Notation expand := (Forest.expand less cfg trees oracle later queue) (only parsing).
Notation visit_class := (Forest.visit_class less cfg trees oracle later queue) (only parsing).
Notation key := (Forest.key queue rank) (only parsing).
Notation in_range := (Forest.in_range cfg) (only parsing).
Notation classes := (Forest.classes cfg queue rank) (only parsing).
Notation visit_classes := (Forest.visit_classes less cfg trees oracle later queue) (only parsing).
Notation visit := (Forest.visit less cfg trees oracle later queue rank) (only parsing).
Notation visits := (Forest.visits less cfg trees oracle later queue rank) (only parsing).
Notation limit := (Forest.limit cfg) (only parsing).
Notation begin_sweep := (Forest.begin_sweep cfg) (only parsing).
Notation sweep := (Forest.sweep less cfg trees oracle later queue rank) (only parsing).
Notation plant := (Forest.plant cfg) (only parsing).
Notation enter_one := (Forest.enter_one less cfg trees oracle later) (only parsing).
Notation enter := (Forest.enter less cfg trees oracle later) (only parsing).
Notation round := (Forest.round less cfg trees oracle later arrivals queue rank) (only parsing).
Notation idle := (Forest.idle cfg) (only parsing).
Notation run_for := (Forest.run_for less cfg trees oracle later arrivals queue rank) (only parsing).
Notation start := (Forest.start cfg trees oracle) (only parsing).
Notation hunt := (Forest.hunt less cfg trees oracle later arrivals queue rank) (only parsing).

Notation value := (ForestTerms.value cfg oracle) (only parsing).
Notation node_at := (ForestTerms.node_at cfg oracle) (only parsing).
Notation forest_node := (ForestTerms.forest_node cfg trees) (only parsing).
Notation forest_levels := (ForestTerms.forest_levels cfg trees) (only parsing).
Notation is_zero := (ForestTerms.is_zero cfg) (only parsing).
Notation sound := (ForestTerms.sound cfg trees oracle) (only parsing).
Notation leaves_are_nodes := (ForestTerms.leaves_are_nodes cfg trees oracle) (only parsing).
Notation invariant := (ForestTerms.invariant cfg trees oracle) (only parsing).
Notation nothing_to_expand := (ForestTerms.nothing_to_expand cfg) (only parsing).
Notation ended := (ForestTerms.ended cfg) (only parsing).
Notation of_the_zero_vector := (ForestTerms.of_the_zero_vector cfg trees) (only parsing).
Notation own := (ForestTerms.own trees) (only parsing).
Notation own_made := (ForestTerms.own_made trees) (only parsing).
Notation sweep_cost := (ForestTerms.sweep_cost cfg) (only parsing).
Notation search := (forest_search less cfg trees oracle later arrivals queue rank) (only parsing).
Notation steps := (ForestTerms.steps less cfg trees oracle later arrivals queue rank) (only parsing).
Notation reached := (ForestTerms.reached less cfg trees oracle later arrivals queue rank) (only parsing).
Notation in_group := (ForestTerms.in_group cfg) (only parsing).
Notation trees_in := (ForestTerms.trees_in cfg trees) (only parsing).
Notation has_turns := (ForestTerms.has_turns cfg) (only parsing).
Notation period := (ForestTerms.period cfg) (only parsing).
Notation optimal_branch := (ForestTerms.optimal_branch less cfg oracle) (only parsing).
Notation near := (ForestTerms.near less cfg oracle queue) (only parsing).
Notation G := (ForestTerms.G less cfg trees oracle queue) (only parsing).
Notation S_ := (ForestTerms.S_ less cfg trees oracle queue) (only parsing).
Notation below_a_threshold := (ForestTerms.below_a_threshold less cfg oracle) (only parsing).
Notation rest_near := (ForestTerms.rest_near less cfg trees oracle) (only parsing).
Notation all_near := (ForestTerms.all_near less cfg trees oracle) (only parsing).
