# Two commands: `make demo` and `make test`. Both make what is missing and can be repeated.
# `make test-all` runs every test; `make test-all SHARD=2/6` runs the second of six shards.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
ENVIRONMENTS := $(BIN)/python -m tests.environments
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
PIP_WHEEL := $(BIN)/python -m pip wheel -q --no-deps --no-build-isolation --wheel-dir dist
# For every Python that porter supports, and every system.
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header \
	--python-version 3.11 pyproject.toml
SHARD ?=
SECONDS ?= 60
sharded = $(if $(SHARD),--shard $(SHARD))
unexport PYTHONDONTWRITEBYTECODE  # hundreds of commands run: none compiles porter again
export PORTER_HOME ?= $(CURDIR)/.cache/porter

.PHONY: demo test test-all test-long fast packages mutants lint fuzz hostile lock sbom dist release-check corpus copies pages pictures docs clean

$(BIN)/porter: pyproject.toml requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "porter needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --requirement requirements-dev.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(BIN)/cyclonedx-py: requirements-tools.lock $(BIN)/porter
	$(PIP) --require-hashes --requirement requirements-tools.lock
	@touch $@

$(BIN)/mkdocs: requirements-docs.lock $(BIN)/porter
	$(PIP) --require-hashes --requirement requirements-docs.lock
	@touch $@

demo: $(BIN)/porter
	$(BIN)/porter port fixtures/vecops --target paddle

test: $(BIN)/porter packages
	$(ENVIRONMENTS) & $(PYTEST) -m "not long"

test-all: $(BIN)/porter packages
	$(ENVIRONMENTS) & $(PYTEST) $(sharded)

test-long: $(BIN)/porter packages
	$(ENVIRONMENTS) & $(PYTEST) -m long $(sharded)

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
	$(BIN)/mypy tests/mutants
	$(BIN)/python -m porter.unit.package build/compat
	$(BIN)/mypy --config-file rules/paddle/compat/pyproject.toml build/compat/porter_compat

fuzz: $(BIN)/cyclonedx-py
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# After a change of the dependencies in pyproject.toml; `LOCK_OPTIONS=--upgrade` takes new versions.
lock: $(BIN)/cyclonedx-py
	$(LOCK) $(LOCK_OPTIONS) --extra dev --extra docs --extra fuzz --extra release \
		-o requirements-tools.lock
	$(LOCK) --constraints requirements-tools.lock --extra dev -o requirements-dev.lock
	$(LOCK) --constraints requirements-tools.lock --extra docs -o requirements-docs.lock
	$(LOCK) --constraints requirements-tools.lock -o requirements.lock

sbom: $(BIN)/cyclonedx-py
	mkdir -p dist
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible --of JSON -o dist/porter.cdx.json requirements.lock

# What a tag releases: both wheels, the SBOM, and what the changelog says of this version.
dist: $(BIN)/porter sbom
	rm -f dist/*.whl
	$(PIP_WHEEL) .
	$(PIP_WHEEL) rules/paddle/compat
	$(BIN)/python -m tests.release notes > dist/notes.md

release-check: $(BIN)/porter
	$(BIN)/python -m tests.release check "$(TAG)"

corpus: $(BIN)/porter
	$(BIN)/python -m tests.corpus

copies: $(BIN)/porter
	$(BIN)/python -m tests.installed_copies

hostile: $(BIN)/porter packages
	$(BIN)/python -m tests.hostile --output docs/reference/hostile-inputs.md

pages: $(BIN)/porter
	$(BIN)/python -m porter.rules.pages
	$(BIN)/python -m porter.unit.pages
	$(BIN)/python -m porter.cli.pages
	$(BIN)/python -m tests.support

# Needs Debian's chromium and chromium-driver; ports a fixture, which takes minutes.
pictures: $(BIN)/porter
	$(BIN)/python -m tests.pictures

docs: $(BIN)/mkdocs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo build/site/index.html

clean:
	rm -rf $(VENV) .cache build dist
