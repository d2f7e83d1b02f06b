#!/bin/sh
# The HTTP tests with sanitized programs:
#
#   sh tests/http/sanitized.sh        all of them
#   sh tests/http/sanitized.sh N      the Nth third of the files, from 0
#
# Left out: plain CGI and web servers, which run the code of the cases again; access rules, which run
# that of the cases with other callers; loads and packages; PostgreSQL, which runs no program of ours.
# OCTAVO_BUILD names the sanitized build.
set -u
cd "$(dirname "$0")/../.." || exit 2
export OCTAVO_BUILD="${OCTAVO_BUILD:-build-san}"
third=${1:-all}
# third FILE...: those of this third
third() { printf '%s\n' "$@" | awk -v third="$third" 'third == "all" || NR % 3 == third'; }

# The cases in two parts, each with its own fixture, since they take longer than the rest together.
set -- $(third tests/http/cases/*.sh)
odd=$(printf '%s\n' "$@" | awk 'NR % 2' | paste -sd ' ')
even=$(printf '%s\n' "$@" | awk 'NR % 2 == 0' | paste -sd ' ')
case $third in all | 0) even="$even sweep" ;; esac
exec sh tests/http/run.sh "$odd" "$even" $(third $(ls tests/http/test_*.sh |
	grep -vE 'test_(api|api_even|access|cases|cgi|postgres|hosts|shared|load|deb|install)\.sh'))
