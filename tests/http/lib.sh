# Shared by the tests of the HTTP API: a service with a fixture, and cases.
#
#   t NAME METHOD PATH WHO BODY STATUS EXPRESSION [HEADER...]
#
# is one case: it sends the request, wants that status, and a true value of the jq expression over
# the body ('' wants none). WHO names a token below $tmp/tokens, or is - for none. BODY is text,
# @FILE, or '' for none; a body is sent as application/json unless a HEADER says otherwise. Every
# response must also satisfy the rules for all responses (rules_of_answers). Afterwards $code is the
# status, and $tmp/body and $tmp/head hold the response.
#
# TRANSPORT is `http`, through nginx and the workers, or `cgi`, which starts octavo-api with the
# environment of RFC 3875. Case files (cases/*.sh) use only t and the functions around it, so that
# they run with both.
#
# Names of functions begin with their subject; variables of the fixture are in capital letters: ORG
# ORG_B, SPACE (imported, two revisions) EMPTY LOCKED PRIVATE DELETED SPACE_B, PAGE FILE REUSABLE,
# REV (newest) REV_OLD, COLLECTION TEAM REQUEST EVENT, X_B for those of the other organization
# ORG_B, and U_<who> for each user.

. tests/at_exit.sh
. tests/http/tables.sh
octavo=$OCTAVO_BUILD/octavo
tmp=$(mktemp -d)
dir=$tmp/data
out=$tmp/body head=$tmp/head
passed=0 failed=0 skipped=0
TRANSPORT=${TRANSPORT:-http}
base=http://127.0.0.1:1
# The path of base, with which URLs without a host begin.
below=''
newline='
'
mkdir "$tmp/tokens"

# jq checks some thousand responses and takes twenty times as long to start as gojq does. Programs
# over the whole description use jq itself.
jq() { gojq "$@"; }

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL [$TRANSPORT] $1: $2"; }
skip() { skipped=$((skipped + 1)); echo "skipped [$TRANSPORT] $1: $2"; }

# same NAME WANT GOT
same() {
	if [ "$2" = "$3" ]; then pass; else fail "$1" "\"$3\" instead of \"$2\""; fi
}

# yes NAME COMMAND...: the command must succeed
yes() {
	yes_name=$1
	shift
	if "$@"; then pass; else fail "$yes_name" "not so: $*"; fi
}

# If a signal ended the test: print the counts until then, with the current case as failed.
ended_early() {
	[ -n "$at_exit_signal" ] || return 0
	echo "FAIL ended by SIG$at_exit_signal after the case \"${c_name:-}\""
	echo "$passed passed, $((failed + 1)) failed, $skipped skipped"
}

summary() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

finish() {
	{ [ -f "$dir/octavo.db" ] || [ -n "${OCTAVO_DB:-}" ]; } && "$octavo" down --dir "$dir" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

give_up() {
	fail "$1" "$2"
	summary
}

# ---- the fixture ----

# octavo_json JQ-EXPRESSION ARGUMENTS...: runs octavo with --json and filters its output
octavo_json() {
	oj_want=$1
	shift
	"$octavo" "$@" --dir "$dir" --json >"$tmp/cli" || give_up fixture "octavo $*"
	jq -r "$oj_want" "$tmp/cli"
}

# sql STATEMENT...: on the file of the service, or on the server that OCTAVO_DB names (sql.c)
sql() { "$OCTAVO_BUILD/tests/sql" "$dir/octavo.db" "$@" || give_up sql "$*"; }

# on_sqlite NAME: true if the service has a file; otherwise the case is skipped
on_sqlite() {
	[ -n "${OCTAVO_DB:-}" ] || return 0
	skip "$1" 'only SQLite has that'
	return 1
}

# user_new WHO ORG [ROLE]: creates a user with that name and a token; a member if ORG is not empty
user_new() {
	un_id=$(octavo_json .user user create --email "$1@example.com" --name "$1")
	eval "U_$1=$un_id"
	octavo_json .token token create --user "$un_id" --expires never >"$tmp/tokens/$1"
	[ -z "$2" ] || "$octavo" member add --dir "$dir" --org "$2" --user "$un_id" --role "$3" >/dev/null ||
		give_up fixture "member $1"
}

# Makes two commits: the second changes one page, adds one, deletes one.
repository_make() {
	mkdir -p "$1/guide" "$1/.gitbook/assets" "$1/.gitbook/includes"
	printf '# Welcome\n\nFirst words. See [the guide](guide/README.md) and ![](.gitbook/assets/dot.png).\n' >"$1/README.md"
	printf '# Guide\n\n{%% include "../.gitbook/includes/note.md" %%}\n\nOld text with [a broken link](nowhere.md).\n' >"$1/guide/README.md"
	printf '# Set-up\n\n1. one\n2. two\n\n```c\nint x;\n```\n' >"$1/guide/set-up.md"
	printf '# Gone later\n\nShort-lived.\n' >"$1/guide/gone.md"
	printf '# Ünïcode & Ωmega\n\nTïtle.\n' >"$1/guide/unicode.md"
	printf 'Take care.\n' >"$1/.gitbook/includes/note.md"
	printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\007\0\0\0\005\010\002\0\0\0' >"$1/.gitbook/assets/dot.png"
	printf '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' >"$1/.gitbook/assets/act.svg"
	printf 'plain words\n' >"$1/.gitbook/assets/a b&c.txt"
	cat >"$1/SUMMARY.md" <<-END
		# Table of contents

		* [Welcome](README.md)

		## Learn

		* [Guide](guide/README.md)
		  * [Set-up](guide/set-up.md)
		  * [Gone later](guide/gone.md)
		  * [Ünïcode & Ωmega](guide/unicode.md)
		* [Elsewhere](https://example.org/docs)
	END
	git_in "$1" init -q -b main
	git_in "$1" add -A
	git_in "$1" commit -q -m first
}

repository_change() {
	printf '# Guide\n\n{%% include "../.gitbook/includes/note.md" %%}\n\nNew text.\n' >"$1/guide/README.md"
	printf '# Added\n\nFresh.\n' >"$1/guide/added.md"
	rm "$1/guide/gone.md"
	sed 's/Gone later](guide.gone.md/Added](guide\/added.md/' "$1/SUMMARY.md" >"$1/SUMMARY.new"
	mv "$1/SUMMARY.new" "$1/SUMMARY.md"
	git_in "$1" add -A
	git_in "$1" commit -q -m second
}

git_in() {
	gi_dir=$1
	shift
	git -C "$gi_dir" -c user.name=T -c user.email=t@example.com -c commit.gpgsign=false \
		-c init.defaultBranch=main "$@" || give_up fixture "git $*"
}

import() { octavo_json .result.revision import --org "$ORG" "$@"; }

space_new() { octavo_json .result.space import --org "$1" --title "$2" --url "$tmp/repo"; }
# space_empty: an empty space for one case. space_write SPACE BODY: merges changes into it (the
# response is $tmp/written).
space_empty() { send POST /v1/orgs/$ORG/spaces admin '{"title":"'"$1"'"}'; jq -r .id "$out"; }
space_write() {
	send POST /v1/spaces/$1/change-requests admin '{"subject":"x"}'
	sw_number=$(jq -r .number "$out")
	send POST "/v1/spaces/$1/change-requests/$sw_number/content?compat=false" admin "$2"
	cp "$out" "$tmp/written"
	send POST /v1/spaces/$1/change-requests/$sw_number/merge admin ''
}
# jwt_make KEY CLAIMS [HEADER]: a JSON Web Token
jwt_base64() { base64 -w0 | tr '+/' '-_' | tr -d =; }
jwt_make() {
	jm_text=$(printf '%s' "${3:-{\"alg\":\"HS256\"\}}" | jwt_base64).$(printf '%s' "$2" | jwt_base64)
	echo "$jm_text.$(printf '%s' "$jm_text" | openssl dgst -sha256 -hmac "$1" -binary | jwt_base64)"
}
# site_resolve URL [VISITOR]: the look-up that a renderer makes; its token becomes the caller `site`
site_resolve() { send POST /v1/urls/published read "{\"url\":\"$1\",\"visitor\":${2:-{\}}}"; jq -r '.apiToken // ""' "$out" >"$tmp/tokens/site"; }

fixture_people() {
	octavo_json . init --email admin@example.com --name admin --org Acme >"$tmp/init"
	ORG=$(jq -r .organization "$tmp/init") U_admin=$(jq -r .user "$tmp/init")
	# The name of the organization in addresses of its sites.
	ORG_NAME=$(sql "SELECT hostname FROM org WHERE id = '$ORG'")
	jq -r .token "$tmp/init" >"$tmp/tokens/admin"
	for who in create review edit comment read guest disabled; do
		user_new $who "$ORG" "$(echo $who | sed 's/disabled/admin/')"
	done
	"$octavo" member disable --dir "$dir" --org "$ORG" --user disabled@example.com >/dev/null
	user_new other '' ''
	user_new stranger '' ''
	ORG_B=$(octavo_json .organization org create --title 'Other' --user other@example.com)
	octavo_json .token token create --user admin@example.com --scope read >"$tmp/tokens/readonly"
	octavo_json .token token create --user admin@example.com --scope write >"$tmp/tokens/writeonly"
	octavo_json .token token create --user admin@example.com --label dead >"$tmp/tokens/revoked"
	octavo_json .token token create --user admin@example.com --label late --expires 2200-01-01T00:00:00Z \
		>"$tmp/tokens/expired"
	sql "UPDATE token SET expires_at = 1577836800000 WHERE label = 'late'"
	"$octavo" token list --dir "$dir" --user admin@example.com --json >"$tmp/cli"
	"$octavo" token revoke --dir "$dir" "$(jq -r '.[] | select(.label == "dead").id' "$tmp/cli")" >/dev/null
	echo 'oct_thisTokenWasNeverMadeByAnybody00000000000000' >"$tmp/tokens/unknown"
}

fixture_spaces() {
	repository_make "$tmp/repo"
	SPACE=$(space_new "$ORG" Manual)
	SPACE_B=$(space_new "$ORG_B" Theirs)
	LOCKED=$(space_new "$ORG" Locked)
	PRIVATE=$(space_new "$ORG" Private)
	DELETED=$(space_new "$ORG" Deleted)
	repository_change "$tmp/repo"
	import --space "$SPACE" --url "$tmp/repo" >/dev/null
	mkdir "$tmp/nothing"
	git_in "$tmp/nothing" init -q -b main
	git_in "$tmp/nothing" commit -q --allow-empty -m empty
	EMPTY=$(octavo_json .result.space import --org "$ORG" --title Empty --url "$tmp/nothing")
	sql "UPDATE space SET edit_mode = 'locked' WHERE id = '$LOCKED'" \
		"UPDATE space SET default_level = 0 WHERE id = '$PRIVATE'" \
		"INSERT INTO access_grant (id, space, account, role, created_at)
		 VALUES ('grant-guest', '$PRIVATE', '$U_guest', 1, 0)" \
		"INSERT INTO collection (id, org, title, ord, created_at, updated_at)
		 VALUES ('collectionOfTheFixture', '$ORG', 'Fixture', 'E', 0, 0), ('collectionOfTheOthers', '$ORG_B', 'Theirs', 'E', 0, 0)" \
		"INSERT INTO team (id, org, title, created_at) VALUES ('teamOfTheFixture', '$ORG', 'Fixture', 0),
		 ('teamOfTheOthers', '$ORG_B', 'Theirs', 0)" \
		"INSERT INTO team_member (team, account) VALUES ('teamOfTheFixture', '$U_read')" \
		"UPDATE space SET deleted_at = $(date +%s)000 WHERE id = '$DELETED'"
}

# Ids of content, read through the API.
fixture_ids() {
	get /v1/spaces/$SPACE/content
	REV=$(jq -r .id "$out") REV_OLD=$(jq -r '.parents[0]' "$out")
	PAGE=$(jq -r '[.. | objects | select(.path? == "guide")][0].id' "$out")
	FILE=$(jq -r '.files[] | select(.name == "dot.png").id' "$out")
	COLLECTION=collectionOfTheFixture COLLECTION_B=collectionOfTheOthers
	TEAM=teamOfTheFixture TEAM_B=teamOfTheOthers
	REUSABLE=$(jq -r '.reusableContents[0].id' "$out")
	get /v1/spaces/$SPACE_B/content other
	PAGE_B=$(jq -r '[.. | objects | select(.path? == "guide")][0].id' "$out")
	FILE_B=$(jq -r '.files[0].id' "$out") REV_B=$(jq -r .id "$out")
}

# service_start [UP-OPTIONS...]
service_start() {
	# Cases must not fail because requests take long on a busy machine: tests of that limit set it themselves.
	OCTAVO_SELFCHECK=1 OCTAVO_WORK="${OCTAVO_WORK:-0}" "$octavo" up --dir "$dir" --port 0 --workers "${WORKERS:-4}" "$@" >"$tmp/up" 2>&1 ||
		give_up 'octavo up' "$(cat "$tmp/up")"
	base=$("$octavo" status --dir "$dir" --json | jq -r .url)
	port=${base##*:}
}

# Everything: data, service (for http), ids.
fixture_start() {
	fixture_people
	fixture_spaces
	fixture_serve "$@"
}

fixture_serve() {
	OCTAVO_DIR=$dir OCTAVO_SELFCHECK=1 OCTAVO_ACCESS_LOG=$dir/log/requests.log
	# Where the case of EPUB and DOCX puts pandoc: before it, the program is missing.
	OCTAVO_PANDOC=$tmp/pandoc
	# Likewise the case of diagrams and their script.
	OCTAVO_MERMAID=$tmp/mermaid.js
	export OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG OCTAVO_PANDOC OCTAVO_MERMAID
	if [ "$TRANSPORT" = http ]; then service_start "$@"; fi
	fixture_ids
	REQUEST='' EVENT=''
	send POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Fixture"}'
	[ "$code" != 201 ] || REQUEST=$(jq -r .id "$out")
	get /v1/orgs/$ORG/audit-events
	[ "$code" != 200 ] || EVENT=$(jq -r '.items[0].id // empty' "$out")
	for id in "$SPACE" "$REV" "$REV_OLD" "$PAGE" "$FILE" "$REUSABLE" "$PAGE_B" "$FILE_B" "$REV_B"; do
		case $id in *[!A-Za-z0-9_-]* | null | '') give_up fixture "\"$id\" is no id" ;; esac
	done
}

# ---- requests ----

token_of() { cat "$tmp/tokens/$1"; }

# bearer WHO: sets $bearer to the token. There are ten thousand requests, and starting a program for
# each would take a millisecond.
bearer() { bearer='' && read -r bearer <"$tmp/tokens/$1"; }

get() { send GET "$1" "${2:-admin}" ''; }

# send METHOD PATH WHO BODY [HEADER...]: sends by tests/http/exchange.c. Sets $headers to the head
# of the response in lower case, with a newline before each line.
send() {
	s_method=$1 s_path=$2 s_who=$3 s_body=$4
	shift 4
	s_type='Content-Type: application/json'
	for s_h in "$@"; do
		case $s_h in [Cc]ontent-[Tt]ype:*) s_type=$s_h ;; *) set -- "$@" "$s_h" ;; esac
		shift
	done
	[ -z "$s_body" ] || set -- "$s_type" "$@"
	[ "$s_who" = - ] || bearer "$s_who"
	case $s_who,$bearer in
	-,*) ;;
	*,ocs_*) set -- "Cookie: octavo_session=${bearer% *}" "X-CSRF-Token: ${bearer#* }" "Origin: $base" "$@" ;;
	*) set -- "Authorization: Bearer $bearer" "$@" ;;
	esac
	[ "$TRANSPORT" = cgi ] || s_path=$base$s_path
	: >"$out"
	answer=$(OCTAVO_URL=$base "$OCTAVO_BUILD/tests/exchange" "$s_method" "$s_path" "$out" "$head" "$s_body" "$@")
	code=${answer%%"$newline"*} headers=${answer#"$code"}$newline
}

# The value of a header of the last response; '' if there is none.
header() { tr -d '\r' <"$head" | sed -n "s/^$1: //Ip" | tail -n 1; }

# True if a job runner stays; otherwise one is started for queued jobs and ends with them.
runner_stays() { [ "$TRANSPORT" = http ]; }
jobs_once() { runner_stays || OCTAVO_URL="$base" "$OCTAVO_BUILD/octavo-jobs" --once; }

# Waits until no job is queued or running: a job would change the database during a test.
jobs_rest() {
	jr_n=0
	until [ "$(sql "SELECT count(*) FROM job WHERE state IN ('queued', 'running')")" = 0 ]; do
		jr_n=$((jr_n + 1))
		[ $jr_n -lt 1200 ] || give_up jobs 'jobs do not come to an end'
		jobs_once
		sleep 0.05
	done
}

# openapi_done ORG SLUG WHO: waits until an OpenAPI description has been processed
openapi_done() {
	od_left=300
	while get "/v1/orgs/$1/openapi/$2" "$3" && [ "$(jq -r .processingState "$out")" != complete ]; do
		od_left=$((od_left - 1))
		[ $od_left -gt 0 ] || give_up 'openapi' "$2 is not processed"
		jobs_once
		sleep 0.1
	done
}

# ---- cases ----

# The usual error: one line with an unescaped message. It satisfies the rule for errors, so jq is not needed.
plain_error() {
	pe_line='' pe_more=''
	{ read -r pe_line; read -r pe_more; } <"$out"
	pe_text=${pe_line#"{\"error\":{\"code\":$code,\"message\":\""} && pe_text=${pe_text%'"}}'}
	case $pe_text in '' | *[\"\\[:cntrl:]]*) return 1 ;; esac
	[ "$pe_line$pe_more" = "{\"error\":{\"code\":$code,\"message\":\"$pe_text\"}}" ]
}

has_header() { case $headers in *"$newline$1"*) return 0 ;; esac; return 1; }

# Checks the rules for every response; sets $rule to the jq program that the body must satisfy.
rules_of_answers() {
	rule=true
	# Responses made by nginx itself have no id.
	has_header 'x-request-id: ' || case $TRANSPORT$code in
	http400 | http41? | http431 | http5??) ;;
	*) wrong='no X-Request-Id' ;;
	esac
	case $code in
	4?? | 5??)
		plain_error || rule="(.error | keys == [\"code\", \"message\"] and .code == $code and (.message | length > 0))
			and (keys - [\"error\", \"fields\"] == [])
			and all(.fields[]?; (keys == [\"message\", \"path\"]) and (.path == \"\" or (.path | startswith(\"/\"))))"
		has_header 'content-type: application/json' || wrong='an error that is not JSON'
		! has_header 'etag: ' || wrong='an error with an ETag' ;;
	200)
		[ "$c_method" != GET ] || has_header 'etag: "' || has_header 'etag: w/"' || wrong='no ETag' ;;
	204 | 304)
		[ ! -s "$out" ] || wrong="a body with $code" ;;
	esac
	case $code in
	201) has_header "location: $(printf %s "$base" | tr A-Z a-z)/v1/" || wrong='no absolute Location' ;;
	401) has_header 'www-authenticate: bearer' || wrong='no WWW-Authenticate' ;;
	405) has_header 'allow: ' || wrong='no Allow' ;;
	429 | 503) has_header 'retry-after: ' || wrong='no Retry-After' ;;
	esac
	has_header 'cache-control: ' || [ "$code" -ge 400 ] || wrong='no Cache-Control'
}

# True if the response was made by a server in front, not by Octavo or its configuration. Defined by test_hosts.sh.
answered_before() { false; }

t() {
	c_name=$1 c_method=$2 c_want=$6 c_expr=$7
	t_path=$3 t_who=$4 t_body=$5
	shift 7
	send "$c_method" "$t_path" "$t_who" "$t_body" "$@"
	if answered_before; then
		skip "$c_name" "the server in front answers it by itself, with $code"
		return
	fi
	if [ "$code" != "$c_want" ]; then
		fail "$c_name" "$c_method $t_path: $code instead of $c_want: $(head -c 300 "$out")"
		return
	fi
	wrong=''
	rules_of_answers
	if [ -n "$wrong" ]; then
		fail "$c_name" "$c_method $t_path: $wrong"
		return
	fi
	[ -z "$c_expr" ] || rule="($rule) and ($c_expr)"
	if [ "$c_method" = HEAD ] || { [ "$rule" = true ] && [ -z "$c_expr" ]; } ||
		jq -e "$rule" "$out" >/dev/null 2>"$tmp/jq"; then
		pass
	else
		fail "$c_name" "$c_method $t_path: not $c_expr: $(cat "$tmp/jq") $(head -c 400 "$out")"
	fi
}

# ---- afterwards ----

# No worker died, and no secret is in a log (docs/design/security.md, "S20").
log_check() {
	lc_bad=$(grep -lE 'does not fit its shape|the reply is no JSON|panic|ERROR: |runtime error' "$dir"/log/* 2>/dev/null)
	[ -z "$lc_bad" ] && pass || fail 'logs' "$(grep -hE 'shape|JSON|panic|ERROR: |runtime error' $lc_bad | head -n 5)"
	for lc_who in "$tmp"/tokens/*; do
		if grep -qsF -e "$(cat "$lc_who")" "$dir"/log/*; then fail 'logs' "the token of ${lc_who##*/} is in one"; else pass; fi
	done
}

# ---- pages of sites ----

# read_at PATH [CURL OPTION...]: reads as a browser does, without a token; sets $code, $out, $head
read_at() {
	ra_path=$1
	shift
	code=$(curl -sg -m 30 --path-as-is -o "$out" -D "$head" -w '%{http_code}' "$@" "$base$ra_path")
}

# holds NAME TEXT, lacks NAME TEXT: the last response must (not) contain the text
holds() { if grep -qF -- "$2" "$out"; then pass; else fail "$1" "no $2"; fi; }
lacks() { if grep -qF -- "$2" "$out"; then fail "$1" "there is $2"; else pass; fi; }
