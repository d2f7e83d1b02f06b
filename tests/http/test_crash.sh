#!/bin/sh
# kill -9 and SIGSTOP of any programs of the service under a mixed load: a sample for the checks.
# `make kills ROUNDS=300` tries more (tests/fault/kills.py).
set -u
rounds=${OCTAVO_ROUNDS:-4} seed=${OCTAVO_SEED:-1}
unset OCTAVO_ROUNDS OCTAVO_SEED
exec python3 tests/fault/kills.py "$OCTAVO_BUILD" "$rounds" "$seed"
