"""For operators: health check, metrics, logs, backup and doctor."""
