"""Hypothesis profiles and the marker that ties a test to its claim."""

import os
import signal

from hypothesis import HealthCheck, Phase, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=200, derandomize=True, deadline=None, print_blob=True)
settings.register_profile("nightly", max_examples=5000, deadline=None)
# Without shrinking, a killed mutant costs one failing example and no more.
settings.register_profile(
    "mutation",
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# Started in the background by a shell, the tests and their children would ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Records what the tests say about the claims of the paper, in .evidence/.
pytest_plugins = ["embedded_hunter.claims.collector"]
