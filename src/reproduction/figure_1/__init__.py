"""The paper's experiments, rerun and compared with what was published."""
