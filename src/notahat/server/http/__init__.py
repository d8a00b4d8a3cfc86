"""The HTTP API: requests, pages and uploads."""
