"""The laboratory: tournaments, environments for learners, reports and plots.

This module imports nothing that needs the extra `lab`.
"""

from notahat.lab.tournament import arena

__all__ = ["arena"]
