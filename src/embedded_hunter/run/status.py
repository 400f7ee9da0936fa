"""The status of a run, which `minimize` and `EmbeddedHunter` return with the result."""

USED, FULL, STOPPED, INTERRUPTED, FAILED, RUNNING, UNWRITTEN, AT_EDGE, INFINITE, FIXED = range(10)

MESSAGES = {
    USED: "The evaluation budget is used.",
    FULL: "The tree is full: every leaf lies below depth h_max.",
    STOPPED: "The callback asked to stop.",
    INTERRUPTED: "Interrupted.",
    FAILED: "An evaluation of the objective failed.",
    RUNNING: "The run continues.",
    UNWRITTEN: "The checkpoint could not be written.",
    AT_EDGE: "The run is complete, but its best point lies at the edge of what it searched: better "
    "points may lie beyond. Try a greater scale (sigma R).",
    INFINITE: "The run is complete, but every value was +inf.",
    FIXED: "The bounds fix every variable: the only point was evaluated.",
}
"""What `status` of a result means."""

SUCCESS = (USED, FULL, FIXED)
"""Where `success` is true."""
COMPLETE = (*SUCCESS, AT_EDGE, INFINITE)
"""Where nothing is left to do."""
