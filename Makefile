# Each target sees to the environment it needs. Recipes run in this folder (also under make -C) and name no path above
# it, so spaces in the path do no harm.
RUNTIME = @.ci/env.sh runtime
DEV = @.ci/env.sh dev
PY = .venv/bin/python
# Of the environment, or where there is none for this computer its own.
CADDY = PATH="$$PWD/.venv/bin:$$PATH" caddy

.PHONY: help play test check lint types fast playthroughs bench soak lock
.NOTPARALLEL:

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 14

play: ## play in the browser on this computer (PORT=8000)
	$(RUNTIME)
	@exec $(PY) manage.py serve

test: ## every test, with PostgreSQL, Redis and Chromium of its own
	$(DEV)
	@exec $(PY) .ci/passes.py test

check: lint types test ## lint, types and test: what CI runs

lint: ## style, who may import whom, Dockerfile, compose file, Caddyfile, shell scripts
	$(DEV)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/hadolint Dockerfile
	@.venv/bin/check-jsonschema --quiet --builtin-schema vendor.compose-spec docker-compose.yml
	@$(CADDY) fmt .deploy/Caddyfile >/dev/null || { echo "run: caddy fmt --overwrite .deploy/Caddyfile"; exit 1; }
	@said=$$($(CADDY) validate --config .deploy/Caddyfile --adapter caddyfile 2>&1) || { echo "$$said"; exit 1; }
	@.venv/bin/shellcheck .ci/env.sh .ci/run .deploy/*.sh

types: ## mypy on everything, pyright on the rules and the bots
	$(DEV)
	@$(PY) -m mypy
	@.venv/bin/basedpyright

fast: lint ## lint, and the tests that need no service
	@exec $(PY) .ci/passes.py fast

playthroughs: ## write the golden transcripts anew
	$(DEV)
	@exec $(PY) -m tests.playthroughs

bench: ## measure speed and load
	$(DEV)
	@exec $(PY) .ci/passes.py bench

soak: ## the long campaigns
	$(DEV)
	@exec $(PY) .ci/passes.py soak

lock: ## write the lock files anew from pyproject.toml
	$(DEV)
	@$(PY) -m uv pip compile $(LOCK) pyproject.toml -o requirements.lock
	@$(PY) -m uv pip compile $(LOCK) pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

LOCK = --quiet --universal --python-version 3.12 --generate-hashes --no-emit-index-url --custom-compile-command "make lock"
