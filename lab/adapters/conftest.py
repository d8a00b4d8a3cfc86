"""Find the adapters, and the packages that `make test-adapters` installed beside the environment."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parents[1] / "build" / "adapters")]  # behind the environment, whose packages win
