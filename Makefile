# Two commands set everything up: `make run` opens the floor, `make test` checks. Both make a virtual environment first.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run check test proofs bench pins sbom clean

VENV ?= .venv
PYTHON := $(VENV)/bin/python
TESTS ?=
# What is imported is compiled once, not by every process for itself.
unexport PYTHONDONTWRITEBYTECODE
# Many tests wait for servers and browsers: two workers a core keep the cores busy.
WORKERS := -n $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN)))) --maxprocesses 16 --dist worksteal
# Logs are synced at every write. In memory that costs nothing, and a killed process finds its files there all the same.
SCRATCH := $(shell free=$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }'); \
	if [ "$${free:-0}" -gt 4000000 ]; then echo /dev/shm; else echo /tmp; fi)
test: export TMPDIR := $(SCRATCH)

help:
	@echo "make run    set up, then open the live floor in the browser"
	@echo "make check  lint, type-check and run the tests that matter while typing, in less than a minute"
	@echo "make test   set up, then lint, type-check and test everything"
	@echo "make proofs the long proofs of which make test takes samples (docs: CONTRIBUTING.md)"
	@echo "make sbom   print what is installed with it (CycloneDX)"
	@echo "make bench  measure the engine beside other libraries (docs: benchmarks/engine/README.md)"

run:
	@requirements/install run $(VENV)
	@exec $(VENV)/bin/pitboss serve --open

check:
	@requirements/install dev $(VENV)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	@$(PYTHON) -m mypy & types=$$!; failed=0; \
	$(PYTHON) -m pytest -q -n 2 -p no:schemathesis $$($(PYTHON) tests/nearby.py) || failed=1; \
	wait $$types || failed=1; exit $$failed

# While one core checks the types, the other compiles the kernels and tests that every worker would otherwise compile for
# itself.
# The branches of the engine that its own tests and records reach are measured in the same run as everything else; the
# closing line of the tests is printed last.
test:
	@requirements/install dev $(VENV)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	@{ $(PYTHON) tests/kernels.py && $(PYTHON) -m pytest --collect-only -qq >/dev/null; } & \
	compiled=$$!; $(PYTHON) -m mypy && wait $$compiled
ifeq ($(TESTS),)
	@rm -f .coverage .coverage.*
	PITBOSS_COVERAGE=1 $(PYTHON) -m pytest $(WORKERS) | tee $(VENV)/pytest.log
	$(PYTHON) -m coverage combine --quiet
	$(PYTHON) -m coverage report --include "*/pitboss/table/*,*/pitboss/ledger/*,*/pitboss/basics/*" --fail-under 98.5
	@tail -n 1 $(VENV)/pytest.log
else
	$(PYTHON) -m pytest $(WORKERS) $(TESTS)
endif

# What `make test` samples, in full, and a sixth rulebook under every test.
proofs:
	@requirements/install dev $(VENV)
	PITBOSS_PROOFS=1 $(PYTHON) -m pytest $(WORKERS) tests/properties tests/records/test_fuzz.py tests/floor/test_simulation.py tests/project/test_sixth_rulebook.py tests/project/test_extend.py

bench:
	@requirements/install run $(VENV)
	$(PYTHON) benchmarks/engine/run.py

# For maintainers, after changing dependencies; wants uv.
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
pins:
	$(COMPILE) pyproject.toml requirements/build.in --extra web -o requirements/run.txt
	$(COMPILE) pyproject.toml requirements/build.in --extra dev -c requirements/run.txt -o requirements/dev.txt

# What is installed with it, for whoever asks: CycloneDX, from the pins and their hashes.
sbom:
	@python3 requirements/sbom.py run

clean:
	rm -rf $(VENV) benchmarks/.venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage dist
