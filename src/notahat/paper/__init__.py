"""Print and play: a deck on paper with the rules and a score sheet, as a PDF.

Only `book.py` needs fpdf2 (the extra `print`); what is printed and where it lies is known without it.
"""
