# With only Python 3.11+ and make: `make demo` shows what Tacenda does, `make test` runs the tests that take seconds, `make test-slow` the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-slow lint docs bench clean
.DELETE_ON_ERROR:

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py

# Tests start many processes: each would compile the package again where the environment forbids to keep what is compiled.
export PYTHONDONTWRITEBYTECODE :=

# Tests of one policy stay in one process (--dist loadgroup), so that its knowledge is loaded once.
test: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

# What needs minutes, a browser, Java or an office program; and the properties once more, with more random examples.
test-slow: $(VENV)/.installed
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto --dist loadgroup -m "slow or hypothesis"

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.installed
	$(BIN)/python scripts/make_reference.py

# make bench DATA=folder-of-collections BENCH="--only tables spark"
bench: $(VENV)/.installed
	PYTHONPATH=src $(BIN)/python -m benchmarks.speed $(if $(DATA),--data $(DATA)) $(BENCH)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
