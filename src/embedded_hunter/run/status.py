"""The status of a run, which `minimize` and `EmbeddedHunter` return with the result."""

MESSAGES = {
    0: "The evaluation budget is used.",
    1: "The tree is full: every leaf lies below depth h_max.",
    2: "The callback asked to stop.",
    3: "Interrupted.",
    4: "An evaluation of the objective failed.",
    5: "The run continues.",
    6: "The checkpoint could not be written.",
}
"""What `status` of a result means; `success` is true for 0 and 1."""
