# Two commands do all the set-up: `make up` to run Assent, `make test` to work on it.
.DEFAULT_GOAL := help
.PHONY: help up down test compiled main-tests lint unit component browser e2e clients coverage accuracy bench soak docs pictures wheels clean
PY := .venv/bin/python
PYTEST := $(PY) -m pytest -q
# More processes than cores: most tests wait for another program. tests/schedule.py says who runs where, and when.
WORKERS := 5
SIDE_BY_SIDE = -n $(WORKERS) --dist loadgroup

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

up: ## Make the environment, start the hub, print the address of its page
	@scripts/python-env
	@$(PY) -m assent up --detach
	@command -v assent >/dev/null || echo "note    here the command is .venv/bin/assent; \`pipx install .\` puts it on your PATH as assent."

down: ## Stop the hub
	@$(PY) -m assent down

# The whole browser tier takes as long as all the rest; `make browser` runs it.
MAIN_WAYS := access elsewhere form hostile hub_restarted keep_going opening pairing permission plan question real_client \
	real_team stillness swap_race

MAIN_TESTS := tests/unit tests/component tests/e2e $(MAIN_WAYS:%=tests/browser/test_%.py)

test: ## Lint, types, unit, component, the page's main ways, and end-to-end tests with the real Claude Code
	@scripts/python-env dev
	@scripts/test-needs
	@$(MAKE) --no-print-directory -j 2 lint compiled
	@$(MAKE) --no-print-directory main-tests

# In a new tree each process of the tests would compile all of them; one does it, while the linters take the other core.
compiled:
	@[ -d tests/unit/__pycache__ ] || $(PYTEST) -qq --collect-only $(MAIN_TESTS) >/dev/null || true

main-tests:
	$(PYTEST) $(SIDE_BY_SIDE) -m 'not clients' $(MAIN_TESTS)

lint: ## ruff and mypy --strict; tsc and Biome for the page
	@scripts/python-env dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -m scripts.lint_page

unit component e2e: ## One tier of the tests
	@scripts/python-env dev
	$(PYTEST) $(SIDE_BY_SIDE) tests/$@

# Clients beside Claude Code, by their names in src/assent/harnesses, and what their editors speak.
OTHERS := $(wildcard $(patsubst src/assent/harnesses/%/facts.py,tests/e2e/test_%.py,$(wildcard src/assent/harnesses/*/facts.py)))

clients: ## Every way with every other client and identity provider; one that cannot be fetched is a failure
	@scripts/python-env dev
	@scripts/test-needs
	@$(PY) -m scripts.get_identity_providers
	ASSENT_ALL_CLIENTS=1 $(PYTEST) -n 3 --dist loadgroup $(OTHERS) tests/e2e/test_identity_providers.py

browser: ## The page, in a real Chromium, one test at a time
	@scripts/python-env dev
	$(PYTEST) tests/browser

# Tests that run the source in their own process: a hub of its own is not measured.
MEASURED := tests/unit tests/component/journal tests/component/surfaces tests/component/tui

coverage: ## How much of the source the tests run, not counting those with a real hub; fails below a floor
	@scripts/python-env dev
	@$(PY) -m coverage erase
	$(PY) -m coverage run -m pytest -q $(SIDE_BY_SIDE) $(MEASURED)
	@$(PY) -m coverage combine -q
	@$(PY) -m coverage report

accuracy: ## Judge labelled shell lines, beside the numbers of other guards
	@scripts/python-env dev
	@$(PY) -m accuracy

bench: ## Measure against the budgets, in one run, as tables
	@scripts/python-env dev
	@scripts/test-needs
	@$(PY) -m bench

soak: ## The random tests, longer and with new seeds
	@scripts/python-env dev
	HYPOTHESIS_PROFILE=soak $(PYTEST) -n 2 --timeout 900 tests/unit tests/component

docs: ## Refresh the pages made from the program itself
	@scripts/python-env dev
	@$(PY) scripts/command_reference.py
	@$(PY) scripts/wording.py

pictures: ## Make the pictures of README and docs with the real program and a real browser
	@scripts/python-env dev
	@$(PY) -m scripts.pictures

wheels: ## Build every wheel of a release, and the source distribution, into dist
	@scripts/wheels

clean: ## Remove what the commands above made in this folder
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis dist build src/assent/shim/gate
