# Two commands: `make demo` and `make test`. Both make what is missing and can be repeated.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder
export PORTER_HOME ?= $(CURDIR)/.cache/porter

.PHONY: demo test fast meaning mutants lint corpus pages clean

$(BIN)/porter: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "porter needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(BIN)/porter
	$(BIN)/porter port fixtures/vecops --target paddle

test: $(BIN)/porter
	$(BIN)/python -m pytest $(PARALLEL)

fast: $(BIN)/porter
	$(BIN)/python -m pytest $(PARALLEL) -m "not real"

meaning: $(BIN)/porter
	$(BIN)/python -m pytest -m meaning

mutants: $(BIN)/porter
	$(BIN)/python -m tests.mutants
	$(BIN)/python -m tests.mutants --repeat 20 --output build/mutants/originals

lint: $(BIN)/porter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

corpus: $(BIN)/porter
	$(BIN)/python -m tests.corpus

pages: $(BIN)/porter
	$(BIN)/python -m porter.rules.pages
	$(BIN)/python -m porter.cli.pages

clean:
	rm -rf $(VENV) .cache build dist
