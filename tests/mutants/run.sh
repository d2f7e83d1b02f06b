#!/bin/sh
# Mutation tests: changes one operator, constant, condition or call of a C file at a time
# (mutate.awk), runs the unit tests that execute the changed line, and prints the changes that no
# test detected:
#
#   make mutants FILES="src/merge/three_way.c src/store/node.c"
#   make mutants BASE=origin/main          the differences from there
#   make mutants FILES=… SAMPLE=40 SEED=2  a random sample of forty, from this seed
#   make mutants FILES=… TESTS="test_tree test_content"    with these programs only
#
#   FILE:LINE: OLD LINE  ->  NEW LINE      survived, or: not covered by any test
#   N mutants: N killed, N survived (N %), N explained, N without effect, N not C
#
# A mutant with the object code of the original has no effect and does not count; nor does one that
# does not compile, nor one that tests/mutants/explained gives a reason for (FILE NAME <tab> OLD
# LINE <tab> NEW LINE <tab> REASON). Exits with 1 if more than MAX_PERCENT (default 10) of the rest
# survived.
#
# Everything is done in a copy of the working tree, build-mutants/tree; a second run at the same
# time needs another folder (WORK=build-mutants-2). The lines that each test executes are measured
# there with gcov, and again only for tests that have changed or that executed a changed file. Tests
# run one at a time, first those that execute most of the file in the shortest time, until one
# fails; at most BUDGET seconds of CPU (as measured for the map) are spent on a mutant, but at least
# one test runs. Tests beyond the budget are skipped, and named if the mutant survives. A test may
# take four times its CPU time in the map, plus ten seconds; the limit on elapsed time only ends
# tests that sleep forever. OCTAVO_SEEDS is passed to random tests.
#
# For mutants that survive, SANITIZED of the unit tests (default 6) run again with AddressSanitizer,
# with which the check runs all of them: reading past an array changes no result. Then the HTTP
# cases run that tests/mutants/cases names for the file (FILE CASE...); CASES= for none, or
# CASES="cases/57_links test_openapi access_matrix" (a file below tests/http, or a part that
# tests/http/test_cases.sh knows).
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
top=$PWD work=${WORK:-build-mutants}
case $work in /*) ;; *) work=$top/$work ;; esac
tree=$work/tree map=$work/map
FILES=${FILES:-} BASE=${BASE:-} SAMPLE=${SAMPLE:-0} SEED=${SEED:-1} BUDGET=${BUDGET:-40}
SANITIZED=${SANITIZED:-6}
CASES=${CASES-by file}
MAX_PERCENT=${MAX_PERCENT:-10}
LC_ALL=C
export LC_ALL
# Options of the make that runs this script must not reach the makes that build.
unset MAKEFLAGS MFLAGS
tab=$(printf '\t')

[ -n "$FILES$BASE" ] || { sed -n 's/^#   make/make/p' "$0"; exit 2; }
give_up() { echo "mutants: $1" >&2; exit 2; }

mkdir -p "$tree" "$map"
# Two runs would change the same files, and each would test the mutants of the other.
exec 9>"$work/lock"
flock -n 9 || give_up "another run is at work in $work; name another folder for this one (WORK=build-mutants-2)"
tmp=$(mktemp -d "$work/run.XXXXXX")
leave() { rm -rf "$tmp"; }
at_exit leave

# ---- the copy of the working tree ----

tree_make() {
	git ls-files -co --exclude-standard | while read -r f; do [ ! -f "$f" ] || echo "$f"; done | sort >"$tmp/files"
	[ ! -f "$work/files" ] || comm -13 "$tmp/files" "$work/files" | (cd "$tree" && xargs -r rm -f)
	# Files left by a mutant are deleted as well; unchanged files keep their time, so that little is built.
	while read -r f; do
		cmp -s "$f" "$tree/$f" || { mkdir -p "$tree/$(dirname "$f")"; cp "$f" "$tree/$f"; }
	done <"$tmp/files"
	cp "$tmp/files" "$work/files"
	# Some tests read real repositories beside the checkout.
	[ ! -d "$top/../shared" ] || ln -sfn "$(cd "$top/../shared" && pwd)" "$work/shared"
}

# build KIND TARGET...: KIND is `cov` (with coverage), `san` (with sanitizers) or `plain`
build() {
	kind=$1
	shift
	flags='-O1 -g0' link=''
	[ "$kind" != cov ] || flags='-O0 -g0 --coverage' link=--coverage
	[ "$kind" != san ] || flags="-O1 -g0 $sanitize" link=$sanitize
	make -s -C "$tree" B="build-$kind" CFLAGS="$flags" LDFLAGS="$link" WARN=-std=c11 "$@" >"$tmp/make" 2>&1
}

sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

sum() { cksum <"$tree/$1" | tr ' ' -; }

# ---- the map: which test executes which line ----

# bounded CPU ELAPSED COMMAND...: runs it within these limits; sets $used to its CPU time in
# seconds, $status to its exit status
bounded() {
	cpu=$1 elapsed=$2
	shift 2
	mkdir -p "$tmp/t"
	(cd "$tree" && TMPDIR=$tmp/t timeout -k 5 "$elapsed" sh -c 'ulimit -t "$0"; ulimit -c 0
		"$@" >/dev/null 2>&1; s=$?; times; exit $s' "$cpu" "$@") >"$tmp/times" 2>/dev/null 9>&- &
	wait $!
	status=$?
	used=$(tail -n 1 "$tmp/times" | sed 's/[ms]/ /g' | awk '{ n = $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.1f", n }')
	rm -rf "$tmp/t"
}

# map_make TEST: runs it with coverage. The map begins with the test's checksum and its CPU time;
# then "FILE SUM LINE" for each executed line.
map_make() {
	find "$tree/build-cov" -name '*.gcda' -exec rm -f {} +
	bounded 300 900 "build-cov/tests/$1"
	[ "$status" -eq 0 ] || echo "mutants: $1 fails without a mutant (status $status); it is left out" >&2
	(cd "$tree" && find build-cov -name '*.gcda' ! -path '*/tests/*' | xargs -r gcov -t 2>/dev/null) | awk -v ok="$status" \
		-v head="$(sum "tests/unit/$1.c") $used" '
		BEGIN { print head }
		ok != 0 { next }
		/^ *-: *0:Source:/ { sub(/.*Source:/, ""); file = $0; next }
		/^ *[0-9]+\*?: *[0-9]+:/ { split($0, p, ":"); print file "\t" p[2] + 0 }' >"$map/$1.new"
	cut -sf1 "$map/$1.new" | sort -u | while read -r f; do
		[ ! -f "$tree/$f" ] || echo "$f$tab$(sum "$f")"
	done >"$map/$1.sums"
	mv "$map/$1.new" "$map/$1"
}

# True if the map of a test is still valid: neither the test nor any file to be mutated that it executed has changed.
map_fresh() {
	[ -f "$map/$1" ] && [ -f "$map/$1.sums" ] || return 1
	read -r head _ <"$map/$1"
	[ "$head" = "$(sum "tests/unit/$1.c")" ] || return 1
	for f in $FILES; do
		known=$(awk -F'\t' -v f="$f" '$1 == f { print $2 }' "$map/$1.sums")
		[ -z "$known" ] || [ "$known" = "$(sum "$f")" ] || return 1
	done
}

maps_make() {
	tests=${TESTS:-$(cd "$tree/tests/unit" && ls test_*.c | sed 's/\.c$//')}
	for t in $tests; do
		map_fresh "$t" && continue
		build cov "build-cov/tests/$t" || { cat "$tmp/make"; give_up "$t does not build"; }
		map_make "$t"
	done
	for f in $FILES; do lines_make "$f"; done
}

# Prints "LINE TEST" for each line of the file, first the tests that execute most of it in the
# shortest time. A line that is not executed itself counts like the one before it in its function; a
# statement like the lines that use it; anything else outside of a function like the whole file.
lines_make() {
	name=$(echo "$1" | tr / _)
	for t in $tests; do
		awk -F'\t' -v f="$1" -v t="$t" 'NR == 1 { split($0, p, " "); next } $1 == f { line[++n] = $2 }
			END { for (i = 1; i <= n; i++) print (p[2] + 0.3) / n, t, line[i], p[2] }' "$map/$t"
	done | sort -k1,1n -k2,2 >"$tmp/ranked"
	object=$tree/build-cov/${1%.c}.o
	build cov "build-cov/${1%.c}.o" || give_up "$1 does not build"
	rm -f "${object%.o}.gcda"
	(cd "$tree" && gcov -t -o "$(dirname "build-cov/$1")" "$(basename "${1%.c}").o" 2>/dev/null) | awk -v f="$1" '
		/^ *-: *0:Source:/ { sub(/.*Source:/, ""); here = $0 == f; next }
		here && /^ *(#####|=====|[0-9]+\*?): *[0-9]+:/ { split($0, p, ":"); print p[2] + 0 }' >"$tmp/executable"
	awk -v executable="$tmp/executable" -v ranked="$tmp/ranked" '
		BEGIN {
			while ((getline l < executable) > 0) can[l] = 1
			while ((getline l < ranked) > 0) {
				split(l, p, " ")
				if (!(p[2] in seen)) { order[++n] = p[2]; seen[p[2]] = p[4] }
				does[p[2], p[3]] = 1
			}
		}
		{ text[NR] = $0 }
		/^SQL\(/ { name = $0; sub(/^SQL\(/, "", name); sub(/[,)].*/, "", name); inside = name }
		inside != "" { sql[NR] = inside }
		inside != "" && /\);$/ { inside = "" }
		function put(line, from,    i) {
			for (i = 1; i <= n; i++)
				if ((order[i], from) in does && !((line, order[i]) in put_)) {
					put_[line, order[i]] = 1
					print line, order[i], seen[order[i]]
				}
		}
		END {
			for (i = 1; i <= NR; i++) {
				if (i in can) { put(i, i); continue }
				if (i in sql) {
					used = 0
					for (k = 1; k <= NR; k++)
						if (k in can && index(text[k], sql[i])) { used = 1; put(i, k) }
					if (used) continue
				} else {
					for (k = i - 1; k > 0 && !(k in can) && text[k] !~ /^}/; k--)
						;
					if (k in can && text[k] !~ /^}/) { put(i, k); continue }
				}
				for (k = 1; k <= n; k++)
					print i, order[k], seen[order[k]]
			}
		}' "$tree/$1" >"$work/lines.$name"
}

# ---- the mutants ----

# The lines that differ from BASE: FILE FIRST LAST.
changed_lines() {
	git diff -U0 --no-color --no-ext-diff "$BASE" -- '*.c' | awk '
		/^\+\+\+ / { file = substr($2, 3) }
		/^@@ / { split($3, p, ","); n = 2 in p ? p[2] : 1; if (n > 0) print file "\t" p[1] + 0 "\t" p[1] + n - 1; delete p[2] }' |
		grep -v '^tests/'
}

# Draws the sample with a fixed generator, since every awk has another one. Its numbers are
# multiples of its start value, so the seed is an exponent: start values 1, 2 and 3 would draw
# almost the same.
draw() {
	awk -v n="$SEED" 'BEGIN { for (seed = 1; n > 0; n--) seed = (seed * 48271) % 2147483647 } { for (i = 0; i < 3; i++) seed = (seed * 16807) % 2147483647; print seed "\t" $0 }' |
		sort -n | { if [ "$SAMPLE" -gt 0 ]; then head -n "$SAMPLE"; else cat; fi; } | cut -f2- | sort -t"$tab" -k1,1 -k2,2n -k3,3n
}

count() { eval "$1=\$(($1 + 1))"; }

shown() { sed -n "$2p" "$1" | sed 's/^[[:blank:]]*//'; }

report() { printf '%s\n' "$file:$line: $old  ->  $new  ($1)"; }

# affordable SECONDS: true if the budget has room for a test; always true for the first one
affordable() { [ -z "$tried" ] || awk -v s="$spent" -v t="$1" -v b="$BUDGET" 'BEGIN { exit s + t > b }'; }

# mutant: tests the mutant in $file $line $column $length $text
mutant() {
	awk -v l="$line" -v c="$column" -v n="$length" -v t="$text" 'NR == l {
		$0 = substr($0, 1, c - 1) t substr($0, c + n) } { print }' "$file" >"$tree/$file"
	old=$(shown "$file" "$line") new=$(shown "$tree/$file" "$line")
	object=build-plain/${file%.c}.o
	if awk -F'\t' -v f="${file##*/}" 'BEGIN { o = ENVIRON["OLD"]; n = ENVIRON["NEW"] }
		$1 == f && $2 == o && $3 == n { found = 1 } END { exit !found }' "$tmp/explained"; then
		count explained
		return
	fi
	build plain "$object" || { count broken; return; }
	if cmp -s "$tree/$object" "$tmp/original.o"; then count same; return; fi
	grep "^$line " "$work/lines.$(echo "$file" | tr / _)" >"$tmp/tests"
	spent=0 tried='' beyond=''
	while read -r _ t seconds <&3; do
		affordable "$seconds" || { beyond="$beyond $t"; continue; }
		spent=$(echo "$spent $seconds" | awk '{ print $1 + $2 }')
		build plain "build-plain/tests/$t" || give_up "$t does not build: $(cat "$tmp/make")"
		limit=$(echo "$seconds" | awk '{ printf "%d", 10 + 4 * $1 }')
		bounded "$limit" $((limit * 10 + 60)) "build-plain/tests/$t"
		tried="$tried $t"
		[ "$status" -eq 0 ] || { count killed; [ -z "${VERBOSE:-}" ] || report "killed by $t"; return; }
	done 3<"$tmp/tests"
	if sanitizer_kills || case_kills; then count killed; return; fi
	count survived
	if [ -z "$tried" ]; then report 'not covered'; else report "survived$tried${beyond:+; beyond BUDGET:$beyond}"; fi
}

# True if one of the quickest tests fails under the sanitizers, but passes without them.
sanitizer_kills() {
	while read -r _ t seconds <&3; do
		build san "build-san/tests/$t" || return 1
		limit=$(echo "$seconds" | awk '{ printf "%d", 60 + 20 * $1 }')
		bounded "$limit" $((limit * 4)) "build-san/tests/$t"
		[ "$status" -eq 0 ] || { [ -z "${VERBOSE:-}" ] || report "killed by $t, sanitized"; return 0; }
	done 3<<-END
	$(sort -k3,3n "$tmp/tests" | head -n "$SANITIZED")
	END
	return 1
}

# True if an HTTP case fails that passes without the mutant.
case_kills() {
	[ -n "$cases" ] && build plain all helpers || return 1
	for c in $cases; do
		tried="$tried $c"
		case_passes "$c" && continue
		case_sound "$c" || continue
		[ -z "${VERBOSE:-}" ] || report "killed by $c"
		return 0
	done
	return 1
}

# A file of cases, or a part of the access tests.
case_passes() {
	what=tests/http/$1.sh
	[ -f "$tree/$what" ] || what=$1
	bounded 300 1800 env OCTAVO_BUILD=build-plain sh tests/http/run.sh "$what"
	[ "$status" -eq 0 ]
}

# True if the case passes with the original file: checked once, when it has failed.
case_sound() {
	! grep -qx "$1" "$tmp/unsound" || return 1
	! grep -qx "$1" "$tmp/sound" || return 0
	cp "$tree/$file" "$tmp/mutant"
	cp "$top/$file" "$tree/$file"
	build plain all helpers || give_up "the programs do not build: $(cat "$tmp/make")"
	if case_passes "$1"; then
		echo "$1" >>"$tmp/sound"
		return 0
	fi
	echo "mutants: $1 fails without a mutant; it is left out" >&2
	echo "$1" >>"$tmp/unsound"
	cp "$tmp/mutant" "$tree/$file"
	build plain all helpers
	return 1
}

# The cases for $file.
cases_of_file() {
	cases=$CASES
	[ "$CASES" != 'by file' ] || cases=$(awk -v f="$file" '$1 == f { for (i = 2; i <= NF; i++) print $i }' tests/mutants/cases)
}

file_mutants() {
	cp "$top/$file" "$tree/$file"
	build plain "build-plain/${file%.c}.o" || give_up "$file does not build: $(cat "$tmp/make")"
	cp "$tree/build-plain/${file%.c}.o" "$tmp/original.o"
	cases_of_file
	while IFS=$tab read -r _ line column length text <&4; do
		OLD=$(shown "$file" "$line")
		NEW=$(awk -v l="$line" -v c="$column" -v n="$length" -v t="$text" 'NR == l {
			print substr($0, 1, c - 1) t substr($0, c + n) }' "$file" | sed 's/^[[:blank:]]*//')
		export OLD NEW
		mutant
	done 4<"$tmp/todo"
	cp "$top/$file" "$tree/$file"
}

if [ -n "$BASE" ]; then
	changed_lines >"$tmp/only"
	[ -n "$FILES" ] || FILES=$(cut -f1 "$tmp/only" | sort -u)
fi
for f in $FILES; do [ -f "$f" ] || give_up "no file $f"; done
[ -n "$FILES" ] || { echo 'mutants: no C file has changed'; exit 0; }
grep -v '^#' tests/mutants/explained >"$tmp/explained"
tree_make
maps_make
# shellcheck disable=SC2086
awk -f tests/mutants/mutate.awk ${BASE:+-v only="$tmp/only"} $FILES >"$tmp/all"
draw <"$tmp/all" >"$tmp/sample"
touch "$tmp/sound" "$tmp/unsound"
killed=0 survived=0 explained=0 same=0 broken=0
for file in $FILES; do
	awk -F'\t' -v f="$file" '$1 == f' "$tmp/sample" >"$tmp/todo"
	[ ! -s "$tmp/todo" ] || file_mutants
done
counted=$((killed + survived))
percent=$((counted == 0 ? 0 : (survived * 1000 / counted + 5) / 10))
echo "$((counted + explained + same + broken)) mutants of $(wc -l <"$tmp/all"): $killed killed, $survived survived ($percent %)," \
	"$explained explained, $same without effect, $broken not C"
[ "$percent" -le "$MAX_PERCENT" ]
