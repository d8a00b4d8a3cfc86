"""Helpers that several tests share: clients, servers, databases and scripted rounds."""
