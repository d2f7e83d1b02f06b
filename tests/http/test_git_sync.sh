#!/bin/sh
# The chapter of the manual about a repository beside a space: runs its commands as written, with a
# repository below OCTAVO_GIT_ROOT. Needs OCTAVO_BUILD.
set -u
. tests/http/lib.sh
. tests/http/story.sh
mkdir "$tmp/git"
git init -q --bare -b main "$tmp/git/docs.git"
OCTAVO_GIT_ROOT=$tmp/git
export OCTAVO_GIT_ROOT
fixture_start
t 'a space for the story is created' POST /v1/orgs/$ORG/spaces create '{"title":"Bound"}' 201 ''
S=$(jq -r .id "$out")
story docs/start/git.md SPACE="$S" REPO="file://$tmp/git/docs.git" "TOKEN=$(token_of create)" GIT_CONFIG_GLOBAL=/dev/null \
	GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=Dev GIT_COMMITTER_EMAIL=dev@example.org
same 'commits have their authors' 'Dev create' "$(git -C "$tmp/git/docs.git" log --format=%an main | sort -u | tr '\n' ' ' | sed 's/ $//')"
t 'all of git is removed' DELETE /v1/spaces/$S/git/legacy-installation create '' 204 ''
t 'git info of a removed binding answers 404' GET /v1/spaces/$S/git/info create '' 404 ''
t 'the content of an unbound space stays' GET "/v1/spaces/$S/content/path/readme?format=markdown" create '' 200 '.markdown | contains("every night")'

# Bound again: the same commits, and nothing twice, even after another repository in between.
B=/v1/spaces/$S/git
bind() {
	t "the space is bound to $1" PUT $B/binding create "{\"url\":\"file://$tmp/git/$1\",\"ref\":\"refs/heads/main\"}" 200 ''
	t "the binding to $1 is run" POST $B/binding/run create '' 204 ''
	for _ in $(seq 300); do
		send GET $B/info create ''
		[ "$(jq -r .operation.state "$out")" = running ] || break
		sleep 0.2
	done
	t "the binding to $1 is synchronized" GET $B/binding create '' 200 '.state == "synchronized" and (has("reason") | not)'
}
commits() { git -C "$tmp/git/$1" rev-list --count main; }
pages() { t "$1" GET /v1/spaces/$S/content/pages create '' 200 "[.. | objects | select(.type == \"document\")] | length == $2"; }
had=$(commits docs.git)
git clone -q --bare "$tmp/git/docs.git" "$tmp/git/other.git"
bind docs.git
same 'a second binding writes nothing again' "$had" "$(commits docs.git)"
pages 'and takes nothing in again' 1
bind other.git
same 'another repository has the same commits' "$had" "$(commits other.git)"
there() {
	(cd "$tmp" && rm -rf there && git clone -q "git/$1" there && cd there && printf '\n%s\n' "$2" >>README.md &&
		git -c user.name=Dev -c user.email=dev@example.org commit -q -am "$2" && git push -q origin HEAD:main)
}
there other.git 'Of the other.'
bind other.git
(cd "$tmp" && rm -rf there && git clone -q git/docs.git there && cd there && printf '# New\n\nOf the first.\n' >new.md &&
	printf '* [New](new.md)\n' >>SUMMARY.md && git add -A && git -c user.name=Dev -c user.email=dev@example.org commit -q -m 'Add a page' &&
	git push -q origin HEAD:main)
bind docs.git
pages 'one page came' 2
t 'commits of the second repository are imported' GET "/v1/spaces/$S/content/path/readme?format=markdown" create '' 200 '.markdown | contains("Of the other.") and contains("every night")'
yes 'commits of the second repository are in the first once' test "$(git -C "$tmp/git/docs.git" show main:README.md | grep -c 'Of the other')" = 1
yes 'commits of the first repository stay in its history' git -C "$tmp/git/docs.git" merge-base --is-ancestor 'main^{/Add a page}' main
yes 'the table of contents names each page once' test "$(git -C "$tmp/git/docs.git" show main:SUMMARY.md | grep -c '(.*md)')" = 2
log_check
summary
