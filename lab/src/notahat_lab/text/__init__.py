"""The game as plain text: for language models, with a memory that the environment limits (docs/text.md)."""

from notahat_lab.text.text_table import Memory, Outcome, Setup, TextTable, Trace, derive

__all__ = ["Memory", "Outcome", "Setup", "TextTable", "Trace", "derive"]
