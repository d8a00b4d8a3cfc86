"""The HTTP API: requests, pages, uploads and PDFs."""
