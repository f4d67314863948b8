# Everything goes into a .venv of its own; nothing else on the machine is touched.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(shell find engines bots harness -name '*.py') pyproject.toml setup.py

# What pyproject.toml names for Croupier and for an extra, without building Croupier once more for it.
extra = mkdir -p build && $(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; print(*p['dependencies'], *p['optional-dependencies']['$(1)'], sep='\n')" > build/$(1).txt && $(BIN)/python -m pip install --quiet -r build/$(1).txt

# The tests in a folder without sources, where they find what pip installed.
beside = rm -rf build/installed && mkdir -p build/installed && cp -r tests pyproject.toml build/installed

.PHONY: all help demo test check test-source test-compiled bench bench-engines bench-isolation bench-report bench-search reference soak clean

all: .venv/installed

help:                            ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*##/\t/' | expand -t 18

demo: .venv/installed            ## a tournament over two games, played to a ranking
	$(BIN)/croupier run configs/quickstart.toml

test: check test-source test-compiled    ## everything that must hold

check: .venv/dev                 ## style, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-source: .venv/dev .venv/installed   ## all tests, on the sources as they are
	$(BIN)/python -m pytest -n auto tests

test-compiled: .venv/dev .venv/installed ## engines' and bots' tests again, on what pip installed
	$(beside)
	cd build/installed && ../../$(BIN)/python -m pytest -n auto tests/engines tests/bots
	$(BIN)/python -m tests.engines.golden lines > build/source.jsonl
	cd build/installed && ../../$(BIN)/python -m tests.engines.golden lines > ../installed.jsonl
	cmp build/source.jsonl build/installed.jsonl
	$(BIN)/python -m tests.bots.searched > build/searched.jsonl
	cd build/installed && ../../$(BIN)/python -m tests.bots.searched > ../searched-installed.jsonl
	cmp build/searched.jsonl build/searched-installed.jsonl

bench: .venv/installed build/peers  ## speed, as ratios measured in one run, also beside others' tournaments
	$(BIN)/python -P benchmarks/bench_line.py
	$(BIN)/python -P benchmarks/bench_peers.py --peers build/peers/bin/python

# Other people's tournaments, apart from ours as they pin what they need. kaggle-environments wants gigabytes
# for games that are not played here, so it comes without. Where they cannot be had, the bench says so.
build/peers:
	$(PYTHON) -m venv $@
	-$@/bin/python -m pip install --quiet axelrod
	-$@/bin/python -m pip install --quiet --no-deps kaggle-environments
	-$@/bin/python -m pip install --quiet jsonschema requests click pyyaml numpy tqdm

bench-engines: .venv/installed   ## the engines beside OpenSpiel's, with the budgets
	$(call extra,openspiel)
	$(BIN)/python -P benchmarks/bench_engines.py

bench-isolation: .venv/installed ## what a bot in a process of its own costs, with the budgets
	$(BIN)/python -P benchmarks/bench_isolation.py

bench-search: .venv/installed    ## search beside OpenSpiel's ISMCTS, and the CPU of a decision
	$(call extra,openspiel)
	$(BIN)/python -P benchmarks/bench_search.py

reference: .venv/installed       ## the reference tournament, beside the result in docs/reference.md
	$(BIN)/python -P benchmarks/reference.py

bench-report: .venv/installed    ## a report over a million matches: time and peak memory
	$(BIN)/python -P benchmarks/bench_report.py

soak: .venv/dev .venv/installed  ## half an hour and more: all slow tests, kills and truncations among them; long runs, with their memory
	$(BIN)/python -m pytest -m slow -v -rA tests/harness tests/test_first_bot.py
	$(beside)
	cd build/installed && ../../$(BIN)/python -m pytest -m slow -v -rA tests/engines
	$(BIN)/python -P benchmarks/bench_isolation.py --soak 20000
	$(BIN)/python -P benchmarks/soak_memory.py real 200000
	$(BIN)/python -P benchmarks/soak_memory.py made 1000000

clean:                           ## back to a fresh clone, reports kept
	rm -rf .venv build dist *.egg-info

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

# Machine code where there is a C compiler, pure Python where there is none.
build/wheel/made: .venv/bin/python $(SOURCES)
	rm -rf build/wheel build/lib* build/temp*
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	touch $@

# With make -j the C compiler works beside what needs no installation. Two pips do not go together in
# one folder, so where both are wanted this one waits.
.venv/installed: build/wheel/made | $(if $(filter test check test-% soak,$(MAKECMDGOALS)),.venv/dev)
	$(BIN)/python -m pip uninstall --quiet --yes croupier
	$(BIN)/python -m pip install --quiet build/wheel/*.whl
	touch $@

.venv/dev: .venv/bin/python pyproject.toml
	$(call extra,dev)
	# The outside judges of the engines; their tests skip where a Python has no build of them.
	-$(call extra,pettingzoo)
	-$(call extra,openspiel)
	touch $@
