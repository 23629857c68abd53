# Everything happens in environments inside this folder; nothing else on the machine is touched.
#   make run            set up what is needed and open the workbench
#   make demo           the workbench on a small made-up web: a live investigation without a network
#   make test           set up what is needed and run the tests (offline; no browser, no torch)
# PYTHON names the interpreter the environments are made with: make run PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
FULL := .venv-full
LLM := .venv-llm
# Without images, and without what only the newest processors have: a native build may crash on a virtual machine.
LLAMA := -DLLAVA_BUILD=OFF -DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON
SHOTS := screenshots
PIP := -m pip --disable-pip-version-check --quiet install
TYPED := config.py seed_kb.py app.py ghost bench pages

.DEFAULT_GOAL := help
.PHONY: help run demo test test-models test-cluster test-llm test-browser lint format bench screenshots clean

help:
	@sed -n 's/^#   //p' Makefile
	@echo 'make test-models    the tests that need torch, in $(FULL) (large download)'
	@echo 'make test-cluster   the tests of long lists on Ray, in $(FULL)'
	@echo 'make test-llm       ten claims with a real, weak language model, built into $(LLM) (needs a C++ compiler)'
	@echo 'make test-browser   the tests that drive the pages in Chromium'
	@echo 'make lint           ruff and mypy; make format writes what ruff would change'
	@echo 'make bench          the benchmark: how fast a verification and the pages are, and what they need'
	@echo 'make screenshots    pictures of all pages in $(SHOTS), and those of docs/tour.md (needs Chromium)'
	@echo 'make clean          remove environments and caches, never data/ or chroma_db/'

run: $(VENV)/.light
	@$(VENV)/bin/python -m ghost page

demo: $(VENV)/.light
	@$(VENV)/bin/python -m ghost demo

test: $(VENV)/.dev
	$(VENV)/bin/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not models and not browser and not llm and not cluster"

test-models: $(FULL)/.full
	$(FULL)/bin/python -m pytest -m models

test-cluster: $(FULL)/.cluster
	$(FULL)/bin/python -m pytest -m cluster

test-llm: $(LLM)/.llm
	$(LLM)/bin/python -m pytest -m llm -s

test-browser: $(VENV)/.dev
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
		{ echo 'The browser tests need Chromium. On Debian and Ubuntu: apt-get install chromium'; exit 1; }
	$(VENV)/bin/python -m pytest -m browser

lint: $(VENV)/.dev
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy $(TYPED)

format: $(VENV)/.dev
	$(VENV)/bin/python -m ruff check --fix .
	$(VENV)/bin/python -m ruff format .

bench: $(VENV)/.light
	@$(VENV)/bin/python -m ghost bench speed
	@$(VENV)/bin/python -m ghost bench pages

screenshots: $(VENV)/.dev
	@$(VENV)/bin/python scripts/screenshots.py $(SHOTS) --folder $(SHOTS)/.filled
	@$(VENV)/bin/python scripts/screenshots.py docs/images --tour --folder $(SHOTS)/.filled

clean:
	rm -rf $(VENV) $(FULL) $(LLM) $(SHOTS) .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './data/*' -not -path './chroma_db*' -prune -exec rm -rf {} +

# A stamp is touched last, so an interrupted installation is taken up again the next time.

$(VENV)/.light: requirements-light.txt | $(VENV)/.made
	@echo 'Installing requirements-light.txt into $(VENV) (a minute or two the first time)'
	@$(VENV)/bin/python $(PIP) -r requirements-light.txt
	@$(VENV)/bin/python -m compileall -q $(TYPED) # or the first start does it
	@touch $@

$(VENV)/.dev: requirements-light.txt requirements-dev.txt | $(VENV)/.made
	@echo 'Installing requirements-dev.txt into $(VENV) (a minute or two the first time)'
	@$(VENV)/bin/python $(PIP) -r requirements-dev.txt
	@touch $@ $(VENV)/.light

$(FULL)/.full: requirements-light.txt requirements-dev.txt requirements.txt | $(FULL)/.made
	@echo 'Installing requirements.txt into $(FULL) (torch is a large download)'
	@$(FULL)/bin/python $(PIP) -r requirements.txt -r requirements-dev.txt
	@touch $@

$(FULL)/.cluster: requirements-light.txt requirements-dev.txt requirements-cluster.txt | $(FULL)/.made
	@echo 'Installing requirements-cluster.txt into $(FULL)'
	@$(FULL)/bin/python $(PIP) -r requirements-dev.txt -r requirements-cluster.txt
	@touch $@

$(LLM)/.llm: requirements-light.txt requirements-dev.txt requirements-llm.txt | $(LLM)/.made
	@echo 'Building llama-cpp-python into $(LLM) (many minutes the first time)'
	@CMAKE_ARGS="$(LLAMA)" nice -n 15 $(LLM)/bin/python $(PIP) -r requirements-llm.txt
	@touch $@

$(FULL)/.bench: requirements-training.txt | $(FULL)/.full
	@echo 'Installing requirements-training.txt into $(FULL)'
	@$(FULL)/bin/python $(PIP) -r requirements-training.txt
	@touch $@

%/.made:
	@command -v $(PYTHON) >/dev/null || { echo 'There is no $(PYTHON). Install Python 3.11 or newer, or name it: make run PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Ghost needs Python 3.11 or newer and $(PYTHON) is $$($(PYTHON) --version 2>&1). Name a newer one: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $*
	@touch $@
