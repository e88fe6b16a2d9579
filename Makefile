# Two commands set everything up: `make run` opens the floor, `make test` checks. Both make a virtual environment first.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test bench pins clean

VENV ?= .venv
PYTHON := $(VENV)/bin/python
TESTS ?=
ENGINE_TESTS := tests/table tests/rulebooks tests/clauses/test_kept_in_code.py tests/records/test_replaying.py

help:
	@echo "make run    set up, then open the live floor in the browser"
	@echo "make test   set up, then lint, type-check and test everything"
	@echo "make bench  measure the engine beside other libraries (docs: benchmarks/engine/README.md)"

run:
	@requirements/install run $(VENV)
	@exec $(VENV)/bin/pitboss serve --open

# All tests on every core, then the branches of the engine that its records and tests reach; the closing line of the
# tests is printed last.
test:
	@requirements/install dev $(VENV)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest -n auto $(TESTS) | tee $(VENV)/pytest.log
	$(PYTHON) -m coverage run -m pytest -q $(ENGINE_TESTS) | tail -n 1
	$(PYTHON) -m coverage report --include "*/pitboss/table/*,*/pitboss/ledger/*,*/pitboss/basics/*" --fail-under 99.9
	@tail -n 1 $(VENV)/pytest.log

bench:
	@requirements/install run $(VENV)
	$(PYTHON) benchmarks/engine/run.py

# For maintainers, after changing dependencies; wants uv.
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
pins:
	$(COMPILE) pyproject.toml requirements/build.in --extra web -o requirements/run.txt
	$(COMPILE) pyproject.toml requirements/build.in --extra dev -c requirements/run.txt -o requirements/dev.txt

clean:
	rm -rf $(VENV) benchmarks/.venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage dist
