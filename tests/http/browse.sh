# What the cases of the pages below /app share: a browser without scripts.
#
# pg METHOD PATH [FORM [HEADER...]]: as a browser, with the cookies of the jar $pg_jar, which it keeps as the
# answer says; a form has the csrf of the page that was read last, unless it names its own. pg_type: its media type.
pg_origin=${base%"$below"}
pg_jar=$tmp/pg_jar
pg_password=correct+horse+battery
: >"$pg_jar"
pg_raw() {
	pg_cookies=$(paste -sd ';' "$pg_jar" | sed 's/;/; /g')
	[ -z "$pg_cookies" ] || set -- "$@" "Cookie: $pg_cookies"
	pg_method=$1 pg_path=$2 pg_body=$3
	shift 3
	send "$pg_method" "$pg_path" - "$pg_body" "Content-Type: ${pg_type-application/x-www-form-urlencoded}" "$@"
	tr -d '\r' <"$head" | sed -n 's/^set-cookie: //Ip' >"$tmp/pg_set"
	while IFS= read -r pg_line; do
		pg_pair=${pg_line%%;*}
		grep -v "^${pg_pair%%=*}=" "$pg_jar" >"$tmp/pg_new"
		case $pg_line in *'Max-Age=0'*) ;; *) echo "$pg_pair" >>"$tmp/pg_new" ;; esac
		mv "$tmp/pg_new" "$pg_jar"
	done <"$tmp/pg_set"
}
pg() {
	pg_m=$1 pg_p=$2 pg_f=${3-}
	[ $# -lt 3 ] || shift
	shift 2
	case $pg_m.$pg_f in POST.*csrf=*) ;; POST.*) pg_f="csrf=$pg_csrf&$pg_f" ;; esac
	case "$pg_m $*" in "POST "*Origin:* | *' no-origin') ;; POST*) set -- "$@" "Origin: $pg_origin" ;; esac
	[ "${1-}" != no-origin ] || shift
	pg_raw "$pg_m" "$pg_p" "$pg_f" "$@"
	pg_now=$(sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p' "$out" | head -n 1)
	[ -z "$pg_now" ] || pg_csrf=$pg_now
}
# Is it the status; where does the answer lead to?
pg_is() { if [ "$code" = "$2" ]; then pass; else fail "$1" "$code instead of $2: $(head -c 200 "$out")"; fi; }
pg_to() { pg_is "$1" 303; same "$1: where to" "$2" "$(header location)"; }
pg_session() { sed -n 's/^octavo_session=//p' "$pg_jar"; }
# The secret of a link: pg_link invite --email ADDRESS, or reset --user ADDRESS
pg_link() {
	OCTAVO_URL=$base "$octavo" user "$1" --dir "$dir" "$2" "$3" --json >"$tmp/pg_cli" 2>"$tmp/pg_err" || fail 'a link is made' "$(cat "$tmp/pg_err")" >&2
	sed -n 's/.*link=\([A-Za-z0-9_-]*\).*/\1/p' "$tmp/pg_cli"
}
pg_enter() { pg GET /app/sign-in; pg POST /app/sign-in "email=$1@example.com&password=$pg_password"; }
# pg_join WHO...: each accepts an invitation and chooses the password; the jar of WHO is $tmp/WHO. Goes on as the last one.
pg_join() {
	for pg_who in "$@"; do
		pg_jar=$tmp/$pg_who; : >"$pg_jar"
		pg_secret=$(pg_link invite --email "$pg_who@example.com")
		pg GET "/app/welcome?link=$pg_secret"
		pg POST /app/welcome "link=$pg_secret&password=$pg_password"
	done
}
