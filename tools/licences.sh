#!/bin/sh
# Prints the copyright notices of the software distributed with Octavo's programs, as Debian's
# packages have them:
#
#   sh tools/licences.sh built               what is linked statically or embedded
#   sh tools/licences.sh files FILE...       that, and the packages of these files (shared libraries)
#
# A text of /usr/share/common-licenses that a notice refers to is printed once, at the end; not with
# LICENCES_TEXTS=no, for a Debian package, since every machine has them. A part that is not from a
# Debian package is named as such: distributors of the programs must add its notice.
set -eu
texts=${LICENCES_DOC:-/usr/share/doc} common=/usr/share/common-licenses
built='libcmark-gfm-dev libcjson-dev libfcgi-dev duktape-dev libgumbo-dev libsodium-dev libsqlite3-dev
libstemmer-dev libutf8proc-dev libyaml-dev libzstd-dev zlib1g-dev libjs-codemirror libjs-katex node-prismjs bootstrap-icons openapi-specification
golang-github-yuin-goldmark-emoji-dev python3-zxcvbn libopencc-data libicu-dev'

# dpkg records some libraries as /lib/…, others as /usr/lib/… (merged /usr).
package_of() {
	real=$(readlink -f "$1")
	for name in "$1" "$real" "/usr$1" "${1#/usr}" "/usr$real" "${real#/usr}"; do
		dpkg-query -S "$name" 2>/dev/null | sed -n '1s/[:,].*//p'
	done | head -n 1
}

case ${1:-} in
built) packages=$built ;;
files)
	shift
	packages="$built $(for f; do
		package=$(package_of "$f")
		echo "${package:-${f##*/}}"
	done)" ;;
*)
	echo 'Usage: sh tools/licences.sh built | files FILE...' >&2
	exit 2 ;;
esac

all=$(mktemp)
trap 'rm -f "$all"' EXIT
echo 'Octavo contains, or is delivered with, parts of the following packages of Debian. Their notices:'
for package in $(printf '%s\n' $packages | LC_ALL=C sort -u); do
	version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || true)
	printf '\n======== %s %s ========\n\n' "$package" "$version"
	if [ -e "$texts/$package/copyright" ]; then
		tee -a "$all" <"$texts/$package/copyright"
	elif [ "$package" = libopencc-data ]; then
		# Its table is part of the source (src/text/words_variants.inc), so that building needs no package.
		echo 'OpenCC, (c) 2010-2022 BYVoid. License: Apache-2.0 (/usr/share/common-licenses/Apache-2.0)' | tee -a "$all"
	elif [ "$package" = libicu-dev ]; then
		# The same for the readings of Chinese characters (src/base/pinyin.inc).
		echo 'ICU, Copyright (c) 1991-2022 Unicode, Inc. License: Unicode-DFS-2016 (https://www.unicode.org/license.txt)' | tee -a "$all"
	else
		echo "There is no $texts/$package/copyright on the machine that built this."
	fi
done
[ "${LICENCES_TEXTS:-}" != no ] || exit 0
for text in $(grep -oE "$common/[A-Za-z0-9.+-]*[A-Za-z0-9]" "$all" | LC_ALL=C sort -u); do
	[ -f "$text" ] || continue
	printf '\n======== %s ========\n\n' "${text##*/}"
	cat "$text"
done
