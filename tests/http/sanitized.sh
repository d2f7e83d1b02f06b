#!/bin/sh
# The HTTP tests with sanitized programs:
#
#   sh tests/http/sanitized.sh        all of them
#   sh tests/http/sanitized.sh N      the Nth fifth of the files, from 0
#
# Left out: plain CGI and web servers, which run the code of the cases again; access rules, which run
# that of the cases with other callers; loads and packages; PostgreSQL, which runs no program of ours.
# OCTAVO_BUILD names the sanitized build.
set -u
cd "$(dirname "$0")/../.." || exit 2
export OCTAVO_BUILD="${OCTAVO_BUILD:-build-san}"
fifth=${1:-all}
# fifth FILE...: those of this fifth
fifth() { printf '%s\n' "$@" | awk -v fifth="$fifth" 'fifth == "all" || NR % 5 == fifth'; }

# The cases in two parts, each with its own fixture, since they take longer than the rest together.
set -- $(fifth tests/http/cases/*.sh)
odd=$(printf '%s\n' "$@" | awk 'NR % 2' | paste -sd ' ')
even=$(printf '%s\n' "$@" | awk 'NR % 2 == 0' | paste -sd ' ')
case $fifth in all | 0) even="$even sweep" ;; esac
exec sh tests/http/run.sh "$odd" "$even" $(fifth $(ls tests/http/test_*.sh |
	grep -vE 'test_(api|api_even|access|cases|cgi|postgres|hosts|shared|load|deb|install)\.sh'))
