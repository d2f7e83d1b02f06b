#!/bin/sh
# What readers notice of a site, measured in a browser for Octavo and, in the same run, for
# Starlight, VitePress, Docusaurus and Material for MkDocs with the same repository, and of references of APIs for Redoc and Scalar with
# the same descriptions: `make compare`. Bytes, requests, main thread, Lighthouse, axe, a strict policy, search, and
# the cost of rendering all pages.
#
#   sh tests/bench/compare.sh BUILD
#
# Needs the corpus (see bench/run.sh), Chromium, npm and its registry, and Debian's package mkdocs-material. A generator
# is left out, as the table then says, if npm cannot install it, or the package is not installed; COMPARE_WITH="vitepress"
# takes only these, COMPARE="sites" or "api" one part, COMPARE_API="stripe" only this description.
# COMPARE_ROUNDS (3) is the number of timed searches and visits; COMPARE_KEEP=1 waits for Enter at the end of the sites, so
# that they can be inspected.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${1:-build}
case $build in /*) ;; *) build=$top/$build ;; esac
corpus=${OCTAVO_CORPUS:-$top/../shared/corpus}
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
unset OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG
tmp=$(mktemp -d)
data=$tmp/data
mkdir -p "$data"

. "$here/lib.sh"
. "$here/data.sh"
. "$here/rows_site.sh"
. "$here/rows_read.sh"
. "$here/compare_others.sh"
. "$here/compare_api.sh"

finish() {
	trap '' INT TERM HUP
	file_server_stop
	[ ! -d "$data/main" ] || "$octavo" down --dir "$data/main" >/dev/null 2>&1
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# npm_packages FOLDER: installs those of its package.json; they stay for the next run
npm_packages() {
	(cd "$1" && { cmp -s package.json node_modules/.installed-from || {
		npm install --no-audit --no-fund --no-package-lock --loglevel=error >"$tmp/npm" 2>&1 &&
			cp package.json node_modules/.installed-from; }; })
}

# The repository as it is, with additional pages in the languages of the search queries.
repository() {
	git clone -q "$corpus/gl-sdk.bundle" "$tmp/gl-sdk" || give_up 'no corpus'
	cp -r "$here/compare/pages" "$tmp/gl-sdk/gitbook/"
	printf '\n## Languages\n\n* [中文](pages/zh.md)\n* [日本語](pages/ja.md)\n* [한국어](pages/ko.md)\n* [Updates](pages/updates.md)\n' \
		>>"$tmp/gl-sdk/gitbook/SUMMARY.md"
	git -C "$tmp/gl-sdk" add -A
	git -C "$tmp/gl-sdk" -c user.name=B -c user.email=b@example.com -c commit.gpgsign=false commit -q -m languages
}

# Octavo renders all pages at once without caches: sets $octavo_base, $octavo_seconds, $octavo_mb
octavo_whole() {
	data_new main
	space=$(json "$dir" .result.space import --org "$org" --title gl-sdk --url "$tmp/gl-sdk" --project-dir gitbook)
	. "$data/main/facts"
	service "$dir"
	main_base=$base
	site_new "$space" public
	octavo_base=$site_at
	render_whole "$site_at"
	octavo_seconds=$(echo "$w_before $w_after" | awk '{ print $3 - $1 }')
	octavo_mb=$(echo "$w_after" | awk '{ print $2 }')
}

compare_sites() {
	repository
	octavo_whole
	export octavo_base octavo_seconds octavo_mb
	for c_name in ${COMPARE_WITH:-starlight vitepress docusaurus material}; do
		case $c_name in
		starlight) other_builds starlight dist node_modules/node/bin/node node_modules/astro/bin/astro.mjs build ;;
		vitepress) other_builds vitepress .vitepress/dist node node_modules/vitepress/bin/vitepress.js build . ;;
		docusaurus) other_builds docusaurus build node node_modules/@docusaurus/core/bin/docusaurus.mjs build ;;
		material) other_builds material site mkdocs build -q ;;
		esac
	done
	(cd "$here/compare" && node measure.mjs)
	c_status=$?
	[ -z "${COMPARE_KEEP:-}" ] || { echo "$octavo_base ${starlight_base:-} ${vitepress_base:-} ${docusaurus_base:-} ${material_base:-}"; read -r _; }
	file_server_stop
	return $c_status
}

npm_packages "$here/compare" || give_up "npm cannot install what is needed: $(cat "$tmp/npm")"
measured=0
for part in ${COMPARE:-sites api}; do
	compare_$part || measured=1
done
exit $measured
