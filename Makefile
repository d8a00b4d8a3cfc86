# The commands people type. Each does its own set-up and is quick when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
LOCK := uv pip compile pyproject.toml --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 --extra postgres --extra lab --group dev

STATIC := src/notahat/server/static/index.html
WEB_SOURCES := $(shell find web src/notahat/gifts src/notahat/bots/remarks tools/web_catalogue.py tools/lesson.py \( -name node_modules -o -name made -o -name __pycache__ \) -prune -o -type f -print)

.PHONY: play test check bench browser web screenshots contact-sheet lock clean

play: .venv/ready $(STATIC)
	$(BIN)/notahat serve

test: .venv/ready browser $(STATIC) check
	$(BIN)/python tools/npm.py --silent run check
	$(BIN)/python tools/npm.py --silent test
	$(BIN)/pytest -n 2 --cov --cov-report=term --cov-report=json:.coverage.json
	$(BIN)/python tools/covered.py .coverage.json notahat/rules

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/bench browser $(STATIC)
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/sockets.py
	$(BIN)/python bench/load.py
	$(BIN)/python bench/bots.py
	$(BIN)/python bench/env.py
	$(BIN)/python bench/web.py

# once, before anything asks for it: tests install nothing
browser: .venv/ready
	@$(BIN)/python tools/browser.py

web: $(STATIC)

screenshots: browser $(STATIC)
	$(BIN)/python tools/screenshots.py

contact-sheet: browser web/node_modules/ready
	$(BIN)/python tools/contact_sheet.py

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) tools/python_version.py
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

.venv/bench: .venv/ready requirements-bench.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	touch $@

web/node_modules/ready: web/package-lock.json .venv/ready
	$(BIN)/python tools/npm.py ci
	touch $@

$(STATIC): web/node_modules/ready $(WEB_SOURCES)
	$(BIN)/python tools/web_catalogue.py
	$(BIN)/python tools/npm.py --silent run build

lock: .venv/ready
	$(BIN)/$(LOCK) --upgrade -o requirements.lock
	$(BIN)/$(LOCK) --extra bench -c requirements.lock -o requirements-bench.lock

clean:
	rm -rf .venv web/node_modules web/src/made src/notahat/server/static build dist .coverage .coverage.json .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
