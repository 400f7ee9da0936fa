"""Studies beside Figure 1 and the benchmark: of the forest, the baselines, time, and bits."""
