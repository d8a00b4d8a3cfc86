# The commands people type. Each does its own set-up and is quick when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check
LOCK := $(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11

