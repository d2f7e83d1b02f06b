#!/bin/sh
# Runs Octavo from a checkout in one step: installs missing packages, builds, creates the first
# user, organization and token, starts the service, imports the manual (docs/), and prints its URL
# and what to try. Ctrl-C stops everything that it started. The second time it only starts; the data
# stays.
#
#   sh tools/run.sh [--port N] [--dir DIR]      default: port 8080, ./data
#
# Started by root, its programs run as the user that owns DIR: for a new DIR the system user octavo,
# which is created (OCTAVO_USER: another one). If that user cannot reach this checkout, DIR/bin has
# links to the programs, and ./data is /var/lib/octavo-trial instead.
set -eu

usage() {
	echo 'Usage: sh tools/run.sh [--port N] [--dir DIR]    (default: port 8080, ./data)'
}

dir='' port=8080
while [ $# -gt 0 ]; do
	case $1 in
	--dir=*) dir=${1#*=} ;;
	--port=*) port=${1#*=} ;;
	--dir | --port)
		[ $# -gt 1 ] || { usage >&2; exit 2; }
		if [ "$1" = --dir ]; then dir=$2; else port=$2; fi
		shift ;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done
case $port in
'' | *[!0-9]* | ??????*) port=65536 ;;
esac
[ "$port" -le 65535 ] || { echo 'run.sh: --port takes a number from 0 to 65535 (0: any that is free)' >&2; exit 2; }
given=$dir trial=/var/lib/octavo-trial
# Checked before minutes of building. (`octavo up` checks again, and names the process that has the
# port.) A running service of this data may have it itself.
port_taken() {
	[ "$port" != 0 ] && [ ! -e "$dir/run/state" ] && { [ -n "$given" ] || [ ! -e "$trial/run/state" ]; } &&
		command -v bash >/dev/null && bash -c ": </dev/tcp/127.0.0.1/$port" 2>/dev/null
}
[ -n "$dir" ] || dir=data
case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
checkout=$(cd "$(dirname "$0")/.." && pwd)
octavo=$checkout/build/octavo
started='' scratch='' pause=''

leave() {
	trap '' INT TERM HUP
	[ -z "$pause" ] || kill "$pause" 2>/dev/null || true
	[ -z "$scratch" ] || rm -rf "$scratch"
	[ -z "$started" ] || "$octavo" down --dir "$dir"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The first "id" in a JSON text: that of the outermost object, or of the first in a list.
first_id() { grep -o '"id" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4; }

api() { curl -sS --fail-with-body -m 60 -H "Authorization: Bearer $token" "$url/v1$1"; }

post() {
	curl -sS --fail-with-body -m 60 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
		-d "$2" "$url/v1$1"
}

say() { echo "$(($(date +%s) - begun)) s: $*"; }

# The first build takes a minute or two: prints its progress every 15 s.
build() {
	if [ -x "$octavo" ]; then
		make -s -C "$checkout" -j"$(nproc)" all
		return
	fi
	say "building $(sources) files of C …"
	make -s -C "$checkout" -j"$(nproc)" all &
	making=$!
	while sleep 15 && kill -0 $making 2>/dev/null; do
		say "  $(find "$checkout/build" -name '*.o' | wc -l) of about $(sources) files are compiled"
	done &
	pause=$!
	wait $making || { echo 'The build failed; its messages are above.' >&2; exit 1; }
	kill $pause 2>/dev/null || true
	pause=''
}
sources() { find "$checkout/src" "$checkout/cgi" "$checkout/command" -name '*.c' | wc -l; }

# ---- the user of the programs, if root starts them ----

as_owner() { setpriv --reuid "$owner" --regid "$group" --clear-groups "$@"; }

# A folder that its owner can reach. The default one may be below a folder that only root can enter.
own_dir() {
	[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || return 0
	if [ ! -d "$dir" ]; then
		owner=${OCTAVO_USER:-octavo}
		getent passwd "$owner" >/dev/null || useradd --system --user-group --no-create-home --home-dir / --shell /usr/sbin/nologin "$owner"
		install -d -o "$owner" -g "$(id -gn "$owner")" -m 750 "$dir"
	fi
	owner=$(stat -c %u "$dir") group=$(stat -c %g "$dir")
	[ "$owner" != 0 ] || return 0
	as_owner test -x "$dir" && return
	if [ -z "$given" ] && [ ! -e "$dir/octavo.db" ]; then
		rmdir "$dir"
		dir=$trial given=$trial
		own_dir
		return
	fi
	echo "run.sh: the user $(id -un "$owner"), who owns $dir, cannot reach it: a folder above it is closed" >&2
	exit 1
}

# Programs that the owner of the data can start. After initialise(), because `octavo init` needs an empty folder.
find_programs() {
	[ -n "$owner" ] && [ "$owner" != 0 ] || return 0
	as_owner test -x "$octavo" && return
	mkdir -p "$dir/bin" && chmod 755 "$dir/bin"
	for program in "$checkout"/build/octavo "$checkout"/build/octavo-*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		ln -f "$program" "$dir/bin/" 2>/dev/null || cp -f "$program" "$dir/bin/"
	done
	octavo=$dir/bin/octavo
}

# The member "token" of a JSON text.
token_of() { sed -n 's/.*"token" *: *"\([^"]*\)".*/\1/p'; }

# Readable by the owner only. (A umask for the whole script would lock the owner out of DIR/bin.)
keep_token() { (umask 077; printf '%s\n' "$1" | token_of >"$dir/admin-token"); }

initialise() {
	if [ ! -f "$dir/octavo.db" ]; then
		made=$("$octavo" init --dir "$dir" --email admin@example.com --name Admin --org Docs --json)
		keep_token "$made"
	elif [ ! -s "$dir/admin-token" ]; then
		made=$("$octavo" token create --dir "$dir" --user admin@example.com --json)
		keep_token "$made"
	fi
	token=$(cat "$dir/admin-token")
	[ -n "$token" ] || { echo "run.sh: there is no token in $dir/admin-token" >&2; exit 1; }
}

# A repository that contains docs/: the checkout, or a temporary one if the checkout is no repository.
manual_source() {
	if { [ -z "$owner" ] || [ "$owner" = 0 ] || as_owner test -r "$checkout/.git/HEAD"; } &&
		git -c safe.directory='*' -C "$checkout" cat-file -e HEAD:docs 2>/dev/null; then
		source=$checkout
		return
	fi
	scratch=$(mktemp -d)
	cp -r "$checkout/docs" "$scratch/docs"
	git -C "$scratch" init -q
	git -C "$scratch" add docs
	git -C "$scratch" -c user.name=Octavo -c user.email=octavo@example.com commit -q -m 'The manual'
	[ -z "$owner" ] || chown -R "$owner:$group" "$scratch"
	source=$scratch
}

import_manual() {
	[ ! -e "$dir/manual-imported" ] && [ -e "$checkout/docs/README.md" ] || return 0
	say 'importing the manual …'
	manual_source
	if "$octavo" import --dir "$dir" --org "$org" --title 'Octavo manual' --url "$source" \
		--project-dir docs; then
		touch "$dir/manual-imported"
	else
		echo 'The manual was not imported; Octavo runs all the same.' >&2
	fi
}

# Publishes the manual as a web site once, together with its import.
publish_manual() {
	[ -e "$dir/manual-imported" ] && [ -n "$space" ] && [ ! -e "$dir/manual-published" ] || return 0
	site=$(post "/orgs/$org/sites" "{\"title\":\"Octavo manual\",\"spaces\":[\"$space\"]}" | first_id)
	[ -n "$site" ] && post "/orgs/$org/sites/$site/publish" '{}' >/dev/null && touch "$dir/manual-published"
}

published_at() { api "/orgs/$org/sites?published=true" | sed -n 's/.*"published":"\([^"]*\)".*/\1/p'; }

begun=$(date +%s) owner='' group=''
if port_taken; then
	echo "run.sh: port $port is taken; choose another one with --port" >&2
	exit 1
fi
own_dir
sh "$checkout/tools/deps.sh" run
build
initialise
find_programs
if "$octavo" status --dir "$dir" >/dev/null 2>&1; then
	echo 'Octavo already runs on this data; this script leaves it running.'
else
	started=yes
	"$octavo" up --dir "$dir" --port "$port" >/dev/null || { started=''; exit 1; }
fi
url=$("$octavo" status --dir "$dir" --json | sed -n 's/.*"url":"\([^"]*\)".*/\1/p')
# The oldest one, which the first run created.
org=$("$octavo" org list --dir "$dir" --json | first_id)
import_manual
space=$(api "/orgs/$org/spaces" | first_id || true)
publish_manual || echo 'The manual was not published; Octavo runs all the same.' >&2
site_url=$(published_at || true)
# Works once and for two hours, so each run prints a new one; a password that was chosen stays until the link is used.
sign_in=$(OCTAVO_URL="$url" "$octavo" user reset --dir "$dir" --user admin@example.com --json 2>/dev/null | sed -n 's/.*"link":"\([^"]*\)".*/\1/p' || true)

try() { echo "  curl -H 'Authorization: Bearer $token' '$url/v1$1'"; }

cat <<END

Octavo runs.
  URL     $url
  Data    $dir
  Token   $token
  Organization  $org
${space:+  Space   $space
}${site_url:+  The manual as a site   $site_url
}
${sign_in:+In a browser: choose a password, then read, write and review at $url/app
  $sign_in

}Worth trying:
END
try "/orgs/$org/spaces"
if [ -n "$space" ]; then
	try "/spaces/$space/content/pages"
	try "/spaces/$space/content/path/README?format=markdown"
else
	try /user
	try /openapi.json
fi
cat <<END

Your own documentation, a repository in the git-sync layout:
  $octavo import --dir $dir --org $org --title 'My docs' --url https://git.example.com/docs.git

END
[ -n "$started" ] || exit 0
echo 'Ctrl-C stops it.'
# Unlike sleep, wait is interrupted by a signal at once.
while "$octavo" status --dir "$dir" >/dev/null 2>&1; do
	sleep 5 &
	pause=$!
	wait $pause || true
done
echo 'Octavo was stopped from elsewhere.'
started=''
