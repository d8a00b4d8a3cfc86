"""Rate limits, quotas and timeouts for clients."""
