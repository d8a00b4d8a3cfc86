"""A laboratory for Not a Hat: tournaments, environments for learners, export of decisions."""

from notahat_lab.tournament import arena

__version__ = "0.4.0"
__all__ = ["arena"]
