#!/bin/sh
# clang-tidy over every source of the programs: sh tools/tidy.sh BUILD
#
# .clang-tidy lists the checks that are left out, each with its reason. Any other finding makes this exit with 1.
# BUILD contains the generated headers.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:?}
command -v clang-tidy >/dev/null || { echo "tidy: needs clang-tidy (apt-get install clang-tidy)" >&2; exit 2; }
flags="-std=c11 -D_GNU_SOURCE -Iinclude -I$build/gen -DOCTAVO_BUILD=\"\" -DOCTAVO_SCRIPTS=\"$build/gen/typeset.js\"
	$(pkg-config --cflags pangocairo librsvg-2.0 gdk-pixbuf-2.0 lasso libxml-2.0 | sed 's/-I/-isystem /g')"
export flags
# shellcheck disable=SC2016
ls src/*/*.c src/*/*/*.c command/*.c command/*/*.c cgi/*.c |
	xargs -P "$(nproc)" -n 10 sh -c 'clang-tidy --quiet "$@" -- $flags 2>/dev/null' tidy
