"""Settings for all tests, of the game and of the laboratory. HYPOTHESIS_PROFILE=wander tries new examples."""

import os
import signal

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# no deadline: a busy machine may be slow
settings.register_profile("wander", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("known", settings.get_profile("wander"), derandomize=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "known")
settings.load_profile(PROFILE)
if PROFILE == "known":  # else examples would depend on the constants of the modules imported so far
    providers._get_local_constants = lambda: providers._local_constants

# some shells start background jobs with SIGINT ignored, and child processes inherit that
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
