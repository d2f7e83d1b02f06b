# Sends many requests with one curl, for the tests of load and of crashes. After lib.sh.

# batch FILE: sends the requests given by lines "NAME METHOD PATH WHO BODY" on standard input, one
# after another over one connection; FILE gets a line "NAME STATUS" for each.
batch() {
	while read -r b_name b_method b_path b_who b_body; do
		printf '%s\n' silent globoff 'max-time = 60' "request = $b_method" "url = \"$base$b_path\"" \
			"header = \"Authorization: Bearer $(token_of "$b_who")\"" \
			"write-out = \"$b_name %{http_code}\\n\"" "output = /dev/null"
		[ -z "$b_body" ] || printf 'header = "Content-Type: application/json"\ndata-binary = "%s"\n' \
			"$(printf %s "$b_body" | sed 's/"/\\"/g')"
		echo next
	done | sed '$d' >"$1.curl"
	curl -K "$1.curl" >"$1" 2>/dev/null
}

# The titles of all spaces of the organization, sorted.
titles() {
	tt_next=''
	while :; do
		get "/v1/orgs/$ORG/spaces?limit=1000$tt_next"
		jq -r '.items[].title' "$out"
		tt_token=$(jq -r '.next.page // empty' "$out")
		[ -n "$tt_token" ] || break
		tt_next="&page=$tt_token"
	done | sort
}

# Sets rolled to a random number below $1; the seed is $seed. Do not call it in $(…), where the next
# seed would be lost with the subshell.
roll() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	rolled=$((seed / 65536 % $1))
}

worker_pids() { "$octavo" status --dir "$dir" --json | jq -r '.processes[] | select(.name == "api").workers[]'; }

# until_true SECONDS COMMAND...
until_true() {
	ut_n=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $ut_n -gt 0 ] || return 1
		sleep 0.1
		ut_n=$((ut_n - 1))
	done
}

answers() { get /v1/healthz; [ "$code" = 200 ]; }

check_clean() {
	"$octavo" check --dir "$dir" >"$tmp/check" 2>&1 && pass || fail "$1: octavo check" "$(cat "$tmp/check")"
}
