#!/bin/sh
# Makes .venv hold what a lock file says, or leaves it alone if it does already: .ci/env.sh runtime|dev
# Only needs some Python 3.12+ on this computer; PYTHON=/path/to/python3 says which.
set -eu
cd "$(dirname "$0")/.."
kind=$1
here=$(pwd -P)
log() { echo "getaway: $*" >&2; }

# What the site needs of an interpreter. Asked for real: a pyenv shim exists for versions that it then refuses to run.
probe='import sys, venv, ensurepip, sqlite3, ssl; sys.exit(sys.version_info < (3, 12))'
fits() { "$1" -c "$probe" >/dev/null 2>&1 </dev/null; }

candidates() {
    for name in python3.13 python3.12 python3.14 python3 python; do
        command -v "$name" || :
    done
    for version in 3.13 3.12 3.14 3.15; do
        for path in "${PYENV_ROOT:-${HOME:-/nowhere}/.pyenv}"/versions/"$version"*/bin/python; do
            echo "$path"
        done
    done
    if command -v uv >/dev/null; then
        uv python find --offline '>=3.12' 2>/dev/null || :
    fi
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        if fits "$PYTHON"; then echo "$PYTHON"; fi
        return
    fi
    candidates | while IFS= read -r path; do
        if fits "$path"; then
            echo "$path"
            break
        fi
    done
}

version() { "$1" -c 'import sys; print(sys.version)' 2>/dev/null; }

usable() {
    [ "$(cat .venv/made-at 2>/dev/null)" = "$here" ] && fits .venv/bin/python || return 1
    # A Python asked for by name replaces one of another version.
    [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version .venv/bin/python)" ]
}

make_venv() {
    python=$(find_python)
    if [ -z "$python" ]; then
        log "needs Python 3.12 or later with venv, ssl and sqlite3; found ${PYTHON:-$(python3 --version 2>&1 | tail -n 1 || :)}." \
            "Install one (pyenv install 3.12, or your system's python3.12 and python3.12-venv)," \
            "or name one: make PYTHON=/path/to/python3.12 ..."
        exit 1
    fi
    log "making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
    echo "$here" >.venv/made-at
}

install() {
    log "installing what $1 lists"
    .venv/bin/python -m pip install -qq --no-input --disable-pip-version-check --require-hashes -r "$1" >&2
    # A copy says what was installed, and only once all of it was.
    cp "$1" .venv/
}

holds() { cmp -s "$1" ".venv/$1"; }

usable || make_venv
case $kind in
    runtime) holds requirements.lock || holds requirements-dev.lock || install requirements.lock ;;
    dev) holds requirements-dev.lock || install requirements-dev.lock ;;
    *) log "say runtime or dev"; exit 2 ;;
esac
