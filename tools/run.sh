#!/bin/sh
# Octavo from a checkout, in one step: installs what is missing, builds, makes
# the first user, organization and token, starts the service, imports the manual
# (docs/), and prints where it is and what to try. Ctrl-C stops what it started.
# The second time it only starts; the data stays.
#
#   sh tools/run.sh [--port N] [--dir DIR]      default: port 8080, ./data
set -eu

usage() {
	echo 'Usage: sh tools/run.sh [--port N] [--dir DIR]    (default: port 8080, ./data)'
}

dir=data port=8080
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

build() {
	[ -x "$octavo" ] || echo 'Building …'
	make -s -C "$checkout" -j"$(nproc)" all
}

# The member "token" of a JSON text.
token_of() { sed -n 's/.*"token" *: *"\([^"]*\)".*/\1/p'; }

initialise() {
	umask 077
	if [ ! -f "$dir/octavo.db" ]; then
		made=$("$octavo" init --dir "$dir" --email admin@example.com --name Admin --org Docs --json)
		printf '%s\n' "$made" | token_of >"$dir/admin-token"
	elif [ ! -s "$dir/admin-token" ]; then
		made=$("$octavo" token create --dir "$dir" --user admin@example.com --json)
		printf '%s\n' "$made" | token_of >"$dir/admin-token"
	fi
	token=$(cat "$dir/admin-token")
	[ -n "$token" ] || { echo "There is no token in $dir/admin-token" >&2; exit 1; }
}

# A repository that holds docs/: the checkout, or a temporary one where it is none.
manual_source() {
	if git -c safe.directory='*' -C "$checkout" cat-file -e HEAD:docs 2>/dev/null; then
		source=$checkout
		return
	fi
	scratch=$(mktemp -d)
	cp -r "$checkout/docs" "$scratch/docs"
	git -C "$scratch" init -q
	git -C "$scratch" add docs
	git -C "$scratch" -c user.name=Octavo -c user.email=octavo@example.com commit -q -m 'The manual'
	source=$scratch
}

import_manual() {
	[ ! -e "$dir/manual-imported" ] && [ -e "$checkout/docs/README.md" ] || return 0
	manual_source
	if "$octavo" import --dir "$dir" --org "$org" --title 'Octavo manual' --url "$source" \
		--project-dir docs; then
		touch "$dir/manual-imported"
	else
		echo 'The manual was not imported; Octavo runs all the same.' >&2
	fi
}

# The manual as a web site: published once, with the import of it.
publish_manual() {
	[ -e "$dir/manual-imported" ] && [ -n "$space" ] && [ ! -e "$dir/manual-published" ] || return 0
	site=$(post "/orgs/$org/sites" "{\"title\":\"Octavo manual\",\"spaces\":[\"$space\"]}" | first_id)
	[ -n "$site" ] && post "/orgs/$org/sites/$site/publish" '{}' >/dev/null && touch "$dir/manual-published"
}

published_at() { api "/orgs/$org/sites?published=true" | sed -n 's/.*"published":"\([^"]*\)".*/\1/p'; }

sh "$checkout/tools/deps.sh" run
build
initialise
if "$octavo" status --dir "$dir" >/dev/null 2>&1; then
	echo 'Octavo already runs on this data; this script leaves it running.'
else
	started=yes
	"$octavo" up --dir "$dir" --port "$port" >/dev/null || { started=''; exit 1; }
fi
url=$("$octavo" status --dir "$dir" --json | sed -n 's/.*"url":"\([^"]*\)".*/\1/p')
org=$(api /orgs | first_id)
import_manual
space=$(api "/orgs/$org/spaces" | first_id || true)
publish_manual || echo 'The manual was not published; Octavo runs all the same.' >&2
site_url=$(published_at || true)

try() { echo "  curl -H 'Authorization: Bearer $token' '$url/v1$1'"; }

cat <<END

Octavo runs.
  URL     $url
  Token   $token
  Organization  $org
${space:+  Space   $space
}${site_url:+  The manual as a site   $site_url
}
Worth trying:
END
try "/orgs/$org/spaces"
if [ -n "$space" ]; then
	try "/spaces/$space/content/pages"
	try "/spaces/$space/content/path/README?format=markdown"
else
	try /user
	try /openapi.json
fi
echo
[ -n "$started" ] || exit 0
echo 'Ctrl-C stops it.'
# wait, unlike sleep, is interrupted by a signal at once.
while "$octavo" status --dir "$dir" >/dev/null 2>&1; do
	sleep 5 &
	pause=$!
	wait $pause || true
done
echo 'Octavo was stopped from elsewhere.'
started=''
