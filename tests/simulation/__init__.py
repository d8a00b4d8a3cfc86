"""Deterministic simulation: servers, stores, clients, clocks and network in one thread under one seed."""
