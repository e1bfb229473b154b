# Every target sets up .venv by itself, and again only when requirements.txt changed.

PYTHON   ?= python3
PORT     ?= 8000
COURSE   ?= course
SUBMITTED ?= $(COURSE)/submitted
TIER     ?= paper
CHROMIUM ?= chromium
VENV     := .venv
BIN      := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help book pdf test check serve reproduce beyond derived assignments grade gaps scale mutants class lighthouse \
        valid bench lint lock clean venv

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Always from an empty output folder: after a failed build, an incremental one reports success. Committed outputs
# are shown where they are up to date (book/_ext/committed_outputs.py); what else was executed is kept in
# _build/.jupyter_cache (book/_ext/execution_cache.py says for how long).
book: venv  ## build the book into _build/html; any warning or failing cell is an error (FRESH=1: execute every page)
	@rm -rf _build/html _build/.doctrees
	FRESH=$(FRESH) $(BIN)/jupyter-book build . --all -n -W --keep-going

# Chromium's own clock waits for the formulas. The page lies where its style sheets expect it: at the top.
pdf: venv  ## print the whole book into _build/pdf/book.pdf (needs CHROMIUM=chromium)
	@command -v $(CHROMIUM) >/dev/null || { \
	  echo "A Chromium browser is needed, and '$(CHROMIUM)' is not there: name one, as in  make pdf CHROMIUM=google-chrome" >&2; \
	  exit 1; }
	@rm -rf _build/singlehtml _build/.doctrees _build/pdf
	$(BIN)/jupyter-book build . --all -n -W --keep-going --builder singlehtml
	@mv _build/singlehtml/book/intro.html _build/singlehtml/index.html
	@mkdir -p _build/pdf
	$(CHROMIUM) --headless --no-sandbox --disable-gpu --user-data-dir=$(CURDIR)/_build/pdf/profile \
	  --virtual-time-budget=60000 --no-pdf-header-footer --generate-pdf-document-outline \
	  --print-to-pdf=$(CURDIR)/_build/pdf/book.pdf "file://$(CURDIR)/_build/singlehtml/index.html"
	@rm -rf _build/pdf/profile

# In the order of the files, because what needs the built book comes first: one process builds it and reads it in
# the browser, the other goes on (tests/schedule.py).
PYTEST := $(BIN)/python -m pytest --numprocesses 2 --no-loadscope-reorder

test: lint  ## run every check: lint, the tests, notebooks against their outputs (ALL=1: all pages, and a fresh book)
	ALL=$(ALL) FRESH=$(ALL) $(PYTEST) --nbval --nbval-current-env tests $$(ALL=$(ALL) $(BIN)/python -m tests.rotation)

check: lint  ## what to run between two edits: lint, and the tests that are quick
	$(PYTEST) -m "not slow and not browser and not classroom and not cluster" tests

serve: book  ## build the book and serve it on this machine (PORT=8000)
	@echo "The book is at http://localhost:$(PORT)/ (Ctrl-C stops it)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

reproduce: venv  ## run the paper's 36 experiments, or what is missing of them (TIER=paper)
	$(BIN)/rb reproduce --tier $(TIER) --out $(if $(filter paper,$(TIER)),notebooks/results,_build/results-$(TIER))
	$(if $(filter paper,$(TIER)),$(MAKE) derived)

beyond: venv  ## run PlanUCB on the 36 experiments, everybody on random families, or what is missing (hours)
	$(BIN)/python notebooks/beyond/families.py
	$(BIN)/python notebooks/beyond/left_out.py
	$(BIN)/python notebooks/beyond/without_plan.py
	$(BIN)/python notebooks/beyond/confirm.py
	$(BIN)/rb race --suite classroom --out notebooks/beyond/race
	$(BIN)/rb race --suite published --out notebooks/beyond/race

derived: venv  ## make anew what is out of date of notebooks' outputs, experiment pages, claims and errata
	$(BIN)/python book/ledger
	$(BIN)/python book/outputs
	$(BIN)/python book/overview.py

# Names go through the environment: a shell would stumble over o'neil.
export VARIANT SUBMITTED COURSE ONLY DUE
GRADER := $(BIN)/python notebooks/assignments/grader --root "$$COURSE"
THIS   := $(if $(ONLY),--only "$$ONLY")
assignments: venv  ## make the course's notebooks in course (VARIANT="ada bob", or a file: with numbers of their own)
	@$(GRADER) release $(THIS) --variant "$$VARIANT" $(if $(EXCHANGE),--exchange)

grade: venv  ## grade hand-ins in a sandbox (SUBMITTED=download.zip, or a folder STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb)
	@$(GRADER) grade $(THIS) $(if $(DUE),--due "$$DUE") "$$SUBMITTED"

gaps: venv  ## measure how far schedules for large tables are from their bound (twelve minutes)
	$(BIN)/python notebooks/beyond/gaps.py

scale: venv  ## measure time and memory up to a thousand arms, and what machines share (minutes, on a quiet machine)
	$(BIN)/python -m tests.bench.scale
	$(BIN)/python -m tests.bench.machines

mutants: venv  ## break rb_core in many small ways and see that a test notices each
	$(BIN)/python -m tests.mutants

class: venv  ## grade a hundred hand-ins against the clock, and every key with 20 variants
	$(BIN)/python -m tests.course.big_class

lighthouse: book  ## score five pages of the built book with Lighthouse (needs CHROMIUM and Node.js; half an hour)
	CHROMIUM=$(CHROMIUM) $(BIN)/python -m tests.book.lighthouse

valid: book  ## let the Nu HTML Checker read every page of the built book (needs Java and Node.js)
	$(BIN)/python -m tests.book.validator

bench: venv  ## measure the speed of the simulation loop
	$(BIN)/python -m tests.bench

lint: venv  ## check style, spelling, types, the rooms of rb_core and that it stays thin
	$(BIN)/python -m ruff check .
	$(BIN)/python -m codespell_lib
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m mypy
	$(BIN)/python tests/lint.py

# Extras stay in the names (jsonschema[format-nongpl]): older versions of pip look for them beside the pinned package.
lock: venv  ## write requirements.txt anew from pyproject.toml (UPGRADE=1: with the newest versions)
	$(BIN)/python -m uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
	  --fork-strategy fewest --generate-hashes --no-strip-extras --no-header --no-emit-index-url --quiet \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.txt

clean:  ## remove what was built, and the environment; the course stays
	rm -rf _build $(VENV)

# The environment remembers what it was made from: this folder and the text of requirements.txt (not its date,
# which a checkout changes).
venv:
	@if ! { pwd; cat requirements.txt; } | cmp -s - $(VENV)/made-from || ! $(BIN)/python -c '' 2>/dev/null; then \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Python 3.11 or newer is needed, and '$(PYTHON)' is not that: name one, as in  make PYTHON=python3.12" >&2; \
	    exit 1; }; \
	  echo "Setting up $(VENV) (less than a minute, once)"; \
	  $(PYTHON) -m venv --clear $(VENV) && $(BIN)/python .ci/install.py && \
	  { pwd; cat requirements.txt; } > $(VENV)/made-from || exit 1; \
	fi
	@if ! cmp -s pyproject.toml $(VENV)/pyproject.toml; then \
	  $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable . && \
	  cp pyproject.toml $(VENV)/pyproject.toml; \
	fi
