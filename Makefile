# The commands of the project; `make` alone lists them. Each builds the environment .venv if needed.
# PYTHON selects its interpreter (3.10 to 3.14).

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
SUBMISSION ?= solution
RESULTS ?= results.json

# User-supplied names go through the environment so that neither make nor the shell expands them.
override SUBMISSION := $(value SUBMISSION)
override RESULTS := $(value RESULTS)
override Q := $(value Q)
override CASE := $(value CASE)
override ENTRY := $(value ENTRY)
override EXPORT := $(value EXPORT)
override OUT := $(value OUT)
override PART := $(value PART)
override PLATFORM := $(value PLATFORM)
export SUBMISSION RESULTS Q CASE ENTRY EXPORT OUT PART PLATFORM

# Messages name the commands of make, and no variable lets Python run other code than this folder's.
export TYPED_COMMAND := make
unexport PYTHONOPTIMIZE PYTHONPATH PYTHONSAFEPATH

.DEFAULT_GOAL := help
.PHONY: help grade test try class check check-all settings starter cases handout lock release browser submit quiz bench play lab matrix clean

ifneq ($(filter command%,$(origin q) $(origin case)),)
$(error names of variables are in capitals: make test Q=1, make test CASE=1.2/3)
endif
# `make test 1` would run everything before it fails at the target 1.
ifneq ($(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(MAKECMDGOALS)),)
$(error a question is named like this: make test Q=1, a case like this: make test CASE=1.2/3)
endif

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-9s %s\n", $$1, $$2 }'

grade: $(VENV)/.grading ## grade SUBMISSION=dir-or-zip as Gradescope would (default: solution), to RESULTS=file
	@$(RUN) -m autograder grade --results="$$RESULTS" -- "$$SUBMISSION"

test: $(VENV)/.grading ## the student's command: grade starter/; Q=2 one question, CASE=2.3/17 one case
	@$(RUN) -m autograder test $${Q:+--question="$$Q"} $${CASE:+--case="$$CASE"}

try: $(VENV)/.grading ## run CASE=2.3/17 in your own Python, with prints and breakpoint()
	@$(RUN) -m autograder try -- "$$CASE"

check: $(VENV)/.checking ## style, types and the quick tests of the project itself, 2 minutes; Q=2 those of one question, 30 s
	@$(RUN) -m autograder.selftest $${Q:+--question="$$Q"}

check-all: $(VENV)/.checking ## the same with all tests and banks, 25 minutes; Q=2 those of one question, PART=1/4 a quarter
	@$(RUN) -m autograder.selftest --all $${Q:+--question="$$Q"} $${PART:+--part="$$PART"}

class: $(VENV)/.class ## grade a whole class, EXPORT=dir-or-zip into OUT=dir, with its report and similar submissions
	@$(RUN) -m autograder class grade --out="$$OUT" -- "$$EXPORT" || { s=$$?; [ $$s = 3 ] || exit $$s; }
	@$(RUN) -m autograder class report -- "$$OUT"
	@$(RUN) -m autograder class similar -- "$$OUT"

settings: $(VENV)/.checking ## apply assignment.toml: write what depends on it, print a summary
	@$(RUN) -m autograder.author.settings

starter: $(VENV)/.grading ## generate the stubs in starter/ from the solution
	@$(RUN) -m autograder.author.stubs

cases: $(VENV)/.checking ## generate the public cases in tests/cases/ from the solution; Q=2 one question's
	@$(RUN) -m autograder.author.cases $${Q:+--question="$$Q"}

handout: $(VENV)/.checking ## refresh what is generated in handout.md, README.md and docs/: points, pictures, figures
	@$(RUN) -m autograder.author.handout
	@$(RUN) -m autograder.selftest.support.readme

lock: $(VENV)/.checking ## pin in requirements.lock what grading installs besides pyproject.toml's pins
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check ".[lock]"
	@$(RUN) -m autograder.author.packages

release: $(VENV)/.checking ## build dist/: the zips, dist/browser, a folder for each platform (PLATFORM=name: for one)
	@$(RUN) -m autograder.author.release $${PLATFORM:+--platform="$$PLATFORM"}
	@$(RUN) -m browser.build --optional

browser: $(VENV)/.checking ## build dist/browser, the assignment as a static site; needs npm
	@$(RUN) -m browser.build

submit: $(VENV)/.grading ## check starter/ and write submission.zip
	@$(RUN) -m autograder submit

quiz: $(VENV)/.grading ## answer questions about the search in starter/; Q=2 about one question
	@$(RUN) -m autograder quiz $${Q:+--question="$$Q"}

bench: $(VENV)/.bench ## measure the speed of the games, and write it to docs/figures.md (Python 3.11 or later)
	@$(RUN) -m bench

play: $(VENV)/.grading ## play in the terminal against a perfect player, or your own functions
	@$(RUN) -m lab.play

lab: $(VENV)/.lab ## open the lab in the browser: play, watch a search, measure
	@$(RUN) -m lab

matrix: $(VENV)/.checking ## show how many wrong submissions each test catches; UPDATE=1 grades them again (Q=N: of one question), ENTRY=name shows one
	@$(RUN) -m autograder.selftest.support.matrix $(if $(UPDATE),--update) $${Q:+--question="$$Q"} $${ENTRY:+--entry="$$ENTRY"}

clean: ## remove what was built, and the environment
	rm -rf $(VENV) dist build browser/page/node_modules results.* submission.zip

# --- the environment ------------------------------------------------------------------------------

$(VENV)/.python:
	@echo "building $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 10) <= v < (3, 15) else f"Python 3.10 to 3.14 is needed, not {v.major}.{v.minor}: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.grading: pyproject.toml | $(VENV)/.python
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check .
	@touch $@

$(VENV)/.checking: pyproject.toml | $(VENV)/.python
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check ".[check,lab]"
	@touch $@ $(VENV)/.grading $(VENV)/.class $(VENV)/.lab

$(VENV)/.class: pyproject.toml | $(VENV)/.python
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check ".[class]"
	@touch $@ $(VENV)/.grading

$(VENV)/.bench: pyproject.toml | $(VENV)/.python
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check ".[bench]"
	@touch $@

$(VENV)/.lab: pyproject.toml | $(VENV)/.python
	@$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check ".[lab]"
	@touch $@
