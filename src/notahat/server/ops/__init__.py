"""For operators: health, metrics, logs, backup, checks."""
