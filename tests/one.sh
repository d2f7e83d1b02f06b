#!/bin/sh
# Builds what one test needs and runs it: sh tests/one.sh BUILD NAME...
#
#   test_x, tests/unit/test_x.c          a unit program, its output shown whole
#   tests/http/…, access, access_ids …   what tests/http/run.sh takes
#   tests/client/cases/60-search.mjs     one file of the client suite
#   tests/oidc                           signing in at an OpenID provider
#   tests/passkey                        passkeys
#   tests/oidc/glewlwyd.sh               the manual's chapter about OpenID with a provider that Debian packages
#   tests/saml/simplesamlphp.sh          its section about SAML, likewise
set -u
cd "$(dirname "$0")/.." || exit 2
build=$1
shift
[ $# -gt 0 ] || { sed -n 's/^#   /  /p' "$0"; exit 2; }
for t in "$@"; do
	case $t in
	tests/oidc/glewlwyd.sh | tests/saml/simplesamlphp.sh)
		make -s B="$build" all || exit
		OCTAVO_BUILD=$build sh "$t" || exit ;;
	tests/oidc*)
		make -s B="$build" all || exit
		OCTAVO_BUILD=$build sh tests/oidc/run.sh || exit ;;
	tests/passkey*)
		make -s B="$build" all || exit
		OCTAVO_BUILD=$build sh tests/passkey/run.sh || exit ;;
	*.mjs)
		make -s B="$build" all || exit
		OCTAVO_BUILD=$build OCTAVO_CLIENT_CASES=${t##*/} sh tests/client/run.sh || exit ;;
	test_* | tests/unit/* | "$build"/tests/*)
		t=${t##*/}
		make -s B="$build" "$build/tests/${t%.c}" || exit
		"$build/tests/${t%.c}" || exit ;;
	*)
		make -s B="$build" all tests || exit
		OCTAVO_BUILD=$build sh tests/http/run.sh "$t" || exit ;;
	esac
done
