#!/bin/sh
# Every program of the build is hardened: sh tests/tools/test_hardening.sh BUILD
#
#   by the linker    position independent, relocations read-only after the start, all of them bound by then
#   by the compiler  stack protector, checked calls of the C library; the debug information shows that each
#                    unit was compiled with the flags
#
# Programs of build/fixed have a fixed address on purpose (Makefile). Last line: N passed, …
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${1:-build}
. tests/at_exit.sh
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0
machine=$(cc -dumpmachine)

# lacks FLAG: units compiled without the flag, of those that record their flags.
lacks() { grep -v -- "$1" "$tmp/units" | sed "s/^.*/a unit without $1/" | head -n 1; }

# weak PROGRAM [fixed]: prints what is missing, one per line
weak() {
	readelf -hldW "$1" >"$tmp/headers" 2>/dev/null
	readelf -sW "$1" | awk '{ sub(/@.*/, "", $8); print $8 }' >"$tmp/symbols"
	readelf -p .debug_str "$1" 2>/dev/null | grep -E 'GNU C|clang version' >"$tmp/units"
	[ "${2:-}" = fixed ] || grep -q 'Type: *DYN' "$tmp/headers" || echo 'an address of its own'
	grep -q GNU_RELRO "$tmp/headers" || echo 'relocations that stay writable'
	grep -qE 'BIND_NOW|FLAGS_1.*NOW' "$tmp/headers" || echo 'relocations that are bound late'
	grep -qx '__stack_chk_fail' "$tmp/symbols" || echo 'no guard of the stack'
	grep -qxE '__(memcpy|memset|memmove|(v|f|vf|sn|vsn)*printf|read|pread|realpath|strcpy|fdelt)_chk' "$tmp/symbols" ||
		echo 'no checked call of the C library'
	[ -s "$tmp/units" ] || echo 'no unit that says how it was compiled'
	# clang does not record its flags.
	grep -q 'GNU C' "$tmp/units" || return 0
	lacks -fstack-protector-strong
	lacks -fstack-clash-protection
	case $machine in x86_64* | i?86*) lacks -fcf-protection ;; esac
}

# strong WANT NAME PROGRAM [fixed]: WANT is the output of weak in one line
strong() {
	want=$1 name=$2
	shift 2
	got=$(weak "$@" | paste -sd ';')
	if [ "$got" = "$want" ]; then passed=$((passed + 1))
	else failed=$((failed + 1)) && echo "FAIL $name: \"$got\" instead of \"$want\""; fi
}

for program in "$build"/octavo "$build"/octavo-*; do
	case $program in *.*) continue ;; esac
	strong '' "$program is hardened" "$program"
done
for program in "$build"/fixed/octavo-*; do
	[ ! -x "$program" ] || strong '' "$program is hardened" "$program" fixed
done
[ $passed -ge 9 ] || { failed=$((failed + 1)) && echo "FAIL programs: only $passed in $build"; }

# A weak program is detected: it copies a text of the caller.
cat >"$tmp/weak.c" <<'C'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) { char b[9]; strcpy(b, argv[argc - 1]); return puts(b); }
C
all='-O2 -g -fPIE -pie -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wl,-z,relro -Wl,-z,now'
case $machine in x86_64* | i?86*) all="$all -fcf-protection" ;; esac
# without FLAGS WANT
without() {
	# shellcheck disable=SC2086
	cc $all $1 -o "$tmp/weak" "$tmp/weak.c" 2>"$tmp/log" || cat "$tmp/log"
	strong "$2" "without ${1:-anything left out}" "$tmp/weak"
}
without '' ''
without -no-pie 'an address of its own'
without -Wl,-z,norelro 'relocations that stay writable'
without -Wl,-z,lazy 'relocations that are bound late'
without -fno-stack-protector 'no guard of the stack'
without -U_FORTIFY_SOURCE 'no checked call of the C library'
without -fno-stack-clash-protection 'a unit without -fstack-clash-protection'
without -g0 'no unit that says how it was compiled'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
