"""The HTTP side of the server: requests, pages, uploads, PDFs."""
