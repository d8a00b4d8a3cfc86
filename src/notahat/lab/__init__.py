"""The laboratory: an arena, a PettingZoo environment, reports and plots.

The environment and the plots need the extra `lab`; nothing here is imported from them.
"""

from notahat.lab.tournament import arena

__all__ = ["arena"]
