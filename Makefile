# Every command does its own set-up first, from nothing, and quickly when there is nothing to do.
SETUP := @sh build/python.sh build/setup.py
PYTHON := @.venv/bin/python

.PHONY: run test check bench fmt contract package

run: ## Open the app; without a display, serve it and print the link (ARGS="serve --port 8080")
	$(SETUP) run
	$(PYTHON) build/run.py $(ARGS)

test: ## Run every test (ARGS="tests/unit -k name" for some of the Python ones)
	$(SETUP) test
	$(PYTHON) build/suite.py $(ARGS)

check: ## Lint, types, layers, formats and the generated contract; changes nothing
	$(SETUP) dev
	$(PYTHON) build/check.py

bench: ## Measure (ARGS="stream" for those whose name holds it)
	$(SETUP) test
	$(PYTHON) build/bench.py $(ARGS)

fmt: ## Put every file into its format and mend what a tool can mend
	$(SETUP) dev
	$(PYTHON) build/check.py --mend

contract: ## Write the page's types from app/sidekicks/contract
	$(SETUP) dev
	$(PYTHON) build/contract.py

package: ## Build the app that needs nothing installed, and try it
	$(SETUP) package
	$(PYTHON) build/package.py
