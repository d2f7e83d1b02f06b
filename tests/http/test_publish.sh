#!/bin/sh
# The walk-through "Publish a site" of the manual (docs/content/customization.md), run as it is written: an empty
# folder becomes a branded site with two languages and an API reference. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
d=$tmp/walk/data
finish() {
	[ ! -f "$d/octavo.db" ] || "$octavo" down --dir "$d" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

mkdir "$tmp/walk"
awk '!fence && /^## / { on = /^## Publish a site/ } on && /^```/ { fence = !fence; kind = $0; sub(/^`*/, "", kind); next }
	on && fence && kind == "sh"' docs/content/customization.md | sed 's/--port 8080/--port 0/' >"$tmp/walk.sh"
# On a free port instead of 8080.
sed -i '/^octavo up/a URL=$(octavo status --json | jq -r .url)' "$tmp/walk.sh"
cat >"$tmp/walk/openapi.yaml" <<'END'
openapi: 3.0.3
info: {title: Pet store, version: "1"}
tags: [{name: Pets}]
paths: {/pets: {get: {tags: [Pets], operationId: listPets, summary: List pets, responses: {"200": {description: Pets}}}}}
END
printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10"/></svg>' >"$tmp/walk/logo.svg"
begun=$(date +%s)
(cd "$tmp/walk" && PATH=$(dirname "$octavo"):$PATH timeout 300 sh -eu ../walk.sh) >"$tmp/walked" 2>&1
walked=$?
same 'each command of the walk-through works' 0 $walked
[ $walked -eq 0 ] || { cat "$tmp/walked"; summary; exit; }
[ $(($(date +%s) - begun)) -lt 200 ]
same 'in much less than ten minutes' 0 $?
at=$(sed -n 's/^published *//p' "$tmp/walked")
# shown PATH WORDS...: the page has these words. The reference comes when a job has read the description.
shown() {
	s_path=$1
	shift
	s_left=100
	until curl -sf -o "$tmp/page" "$at$s_path" || [ $s_left -eq 0 ]; do
		s_left=$((s_left - 1))
		sleep 0.2
	done
	for s_words in "$@"; do
		grep -qF -- "$s_words" "$tmp/page"
		same "/$s_path has: $s_words" 0 $?
	done
}
shown '' '<html lang="en"' '<h1>Handbook</h1>' '>Prices<' '>Sign in<' '© Acme' 'Version 3 is out.' 'logo.svg" alt=' 'rel="icon"' '>Deutsch<' '~look/'
# Pages follow the reader's system: setting a picture must choose no theme.
! grep -q '<html[^>]*data-theme' "$tmp/page"
same 'the theme is that of the reader' 0 $?
shown deutsch/ '<html lang="de"' '<h1>Handbuch</h1>' '>English<' 'data-copied="Kopiert"'
shown deutsch/first-call 'Einen Schlüssel holen'
same 'the switch leads to the same page' 1 "$(grep -c 'href="[^"]*/first-call" lang="en"' "$tmp/page")"
shown api/pets 'List pets' 'GET'
shown deutsch/api/pets 'List pets'
summary
