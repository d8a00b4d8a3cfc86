"""Settings for all tests of the laboratory."""

import support.settings  # noqa: F401 - for its effect
