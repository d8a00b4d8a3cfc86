"""Print and play: a deck with the rules and a score sheet as a PDF.

Only `pdf.py` and `font.py` need the extra `print`.
"""
