"""Measure how our own computer players play, and compare it with their targets. Researchers import none of it."""
