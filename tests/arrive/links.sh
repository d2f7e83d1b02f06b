#!/bin/sh
# Checks the links of imports of real documentation (links.py): `make links`.
#
#   sh tests/arrive/links.sh BUILD [FOLDER...]
#
# FOLDER: a checkout. Without any, the repositories of the file "repositories" are cloned into
# BUILD/repositories, from OCTAVO_REPOSITORIES if that is set, which may be a folder, else from GitHub.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
from=${OCTAVO_REPOSITORIES:-https://github.com}

clone() {
	[ -d "$build/repositories/$1" ] || git clone -q --depth 1 "$from/$1" "$build/repositories/$1" || exit 1
}

if [ $# -eq 0 ]; then
	while read -r name folder; do
		case $name in '' | '#'*) continue ;; esac
		clone "$name"
		set -- "$@" "$build/repositories/$name/$folder"
	done <"$here/repositories"
fi
OCTAVO_BUILD=$build exec python3 "$here/links.py" "$@"
