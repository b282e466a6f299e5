# Two commands: `make demo` and `make test`. Both make what is missing and can be repeated.
# `make test-all` runs every test; `make test-all SHARD=2/6` runs the second of six shards.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
SHARD ?=
sharded = $(if $(SHARD),--shard $(SHARD))
unexport PYTHONDONTWRITEBYTECODE  # hundreds of commands run: none compiles porter again
export PORTER_HOME ?= $(CURDIR)/.cache/porter

.PHONY: demo test test-all test-long fast packages mutants lint corpus hostile pages clean

$(BIN)/porter: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "porter needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(BIN)/porter
	$(BIN)/porter port fixtures/vecops --target paddle

test: $(BIN)/porter packages
	$(PYTEST) -m "not long"

test-all: $(BIN)/porter packages
	$(PYTEST) $(sharded)

test-long: $(BIN)/porter packages
	$(PYTEST) -m long $(sharded)

fast: $(BIN)/porter
	$(PYTEST) -m "not real and not long"

packages: $(BIN)/porter
	@$(BIN)/python -m tests.system

mutants: $(BIN)/porter
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.mutants --repeat 20 --output build/mutants/originals

lint: $(BIN)/porter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

corpus: $(BIN)/porter
	$(BIN)/python -m tests.corpus

hostile: $(BIN)/porter packages
	$(BIN)/python -m tests.hostile --output docs/reference/hostile-inputs.md

pages: $(BIN)/porter
	$(BIN)/python -m porter.rules.pages
	$(BIN)/python -m porter.cli.pages

clean:
	rm -rf $(VENV) .cache build dist
