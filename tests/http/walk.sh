#!/bin/sh
# The walk of a newcomer, in a browser without scripts (curl with cookies), at an installation that runs:
#
#   walk.sh URL FIRST-LINK EMAIL ORGANIZATION COMMAND...
#   walk.sh --provider URL PERSON EMAIL
#
# The first admin opens FIRST-LINK, chooses a password, signs out and in again; COMMAND invites a colleague by a
# link, who signs in, sees the organization, makes a token, and ends all sessions. COMMAND is the octavo command
# with the words that it needs before others, such as env. With --provider, PERSON of tests/oidc/provider.mjs signs
# in there, and the account page shows EMAIL. Prints "ok NAME" or "not ok NAME: WHY" for each step,
# and ends where one fails. Needs curl, sed and grep alone, so that it also runs in a bare system.
set -u
mode=password
[ "$1" != --provider ] || { mode=provider; shift; }
url=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
origin=$(printf '%s' "$url" | sed 's|^\(https*://[^/]*\).*|\1|')
below=${url#"$origin"}
password='five tired horses'

no() { echo "not ok $1: $2"; exit 1; }
# open NAME STATUS PATH [FORM-FIELD...]: a page, or a form with the csrf of the page before
open() {
	o_name=$1 o_status=$2 o_path=$3
	shift 3
	for field in "$@"; do
		set -- "$@" --data-urlencode "$field"
		shift
	done
	[ $# -eq 0 ] || set -- "$@" --data-urlencode "csrf=$csrf" -H "Origin: $origin"
	case $o_path in http*) ;; *) o_path=$url$o_path ;; esac
	code=$(curl -s -m 60 -k -b "$jar" -c "$jar" -o "$tmp/page" -D "$tmp/head" -w '%{http_code}' "$@" "$o_path")
	[ "$code" = "$o_status" ] || no "$o_name" "$code instead of $o_status: $(tr '\n' ' ' <"$tmp/page" | sed 's/<style.*<\/style>//; s/<[^>]*>//g' | head -c 300)"
	now=$(sed -n 's/.*name="csrf" value="\([^"]*\)".*/\1/p' "$tmp/page" | head -n 1)
	[ -z "$now" ] || csrf=$now
	echo "ok $o_name"
}
leads() {
	to=$(sed -n 's/^location: \([^\r]*\).*/\1/Ip' "$tmp/head" | tr -d '\r')
	[ "${to#"$origin"}" = "$below$2" ] && echo "ok $1" || no "$1" "it leads to $to"
}
shows() { grep -qF "$2" "$tmp/page" && echo "ok $1" || no "$1" "it does not show $2"; }
browser() { jar=$tmp/$1 csrf=; }

# enter NAME LINK: chooses a password by a link
enter() {
	open "$1: the link opens" 200 "$2"
	open "$1: a password is chosen" 303 /app/welcome "link=${2##*link=}" "password=$password"
	leads "$1: the link signs in" '/app?done=password'
	open "$1: the first page is shown" 200 /app
	shows "$1: it has the organization" "$org"
}

if [ "$mode" = provider ]; then
	browser provider
	open 'the sign-in page offers the provider' 200 '/app/sign-in?to=/app/account'
	open 'it leads to the provider' 200 /app/provider to=/app/account
	next=$(sed -n 's/.*<a class="btn primary full" href="\([^"]*\)".*/\1/p' "$tmp/page" | sed 's/&amp;/\&/g')
	code=$(curl -s -m 60 -L -b "$jar" -c "$jar" -H "x-person: $2" -o "$tmp/page" -w '%{http_code} %{url_effective}' "$next")
	[ "$code" = "200 $url/app/account" ] && echo 'ok the provider leads back' ||
		no 'the provider leads back' "$code: $(sed 's/<style.*<\/style>//; s/<[^>]*>//g' "$tmp/page" | tr '\n' ' ' | head -c 300)"
	shows 'the person of the provider is signed in' "$3"
	exit
fi
link=$2 email=$3 org=$4
shift 4
browser admin
enter 'the first admin' "$link"
open 'the first admin signs out' 303 /app/sign-out 'x='
open 'nobody is signed in then' 303 /app
open 'the sign-in page is shown' 200 /app/sign-in
open 'it asks for the password' 200 /app/sign-in "email=$email"
open 'a wrong password is refused' 401 /app/sign-in "email=$email" 'password=six tired horses'
open 'the password signs in' 303 /app/sign-in "email=$email" "password=$password"
leads 'sign-in leads to the first page' /app
open 'the first admin is in again' 200 /app
shows 'the first admin sees the organization' "$org"
browser stranger
open 'a link works once' 404 "$link"

"$@" user invite --email colleague@example.com --name Colleague --org "$org" --role read >"$tmp/invited" 2>&1 ||
	no 'a colleague is invited' "$(cat "$tmp/invited")"
browser colleague
enter 'a colleague' "$(sed -n 's/^link  *//p' "$tmp/invited")"
open 'the colleague opens the account' 200 /app/account
open 'the colleague makes a token' 200 /app/account/tokens label=Walk scope=read days=30
token=$(grep -o 'oct_[A-Za-z0-9_-]*' "$tmp/page" | head -n 1)
user() { curl -s -k -m 60 -H "Authorization: Bearer $token" "$url/v1/user" >"$tmp/page"; }
user
shows 'the token works' colleague@example.com
open 'the colleague ends all sessions' 303 /app/account/sessions session=all
open 'the colleague is signed out' 303 /app
