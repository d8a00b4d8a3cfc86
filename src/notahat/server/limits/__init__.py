"""Rate limits, quotas and timeouts for everything that strangers send."""
