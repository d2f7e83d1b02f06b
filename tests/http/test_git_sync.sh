#!/bin/sh
# The manual's story of a repository beside a space, typed as it stands, against a
# repository below OCTAVO_GIT_ROOT. Needs OCTAVO_BUILD.
set -u
. tests/http/lib.sh
. tests/http/story.sh
mkdir "$tmp/git"
git init -q --bare -b main "$tmp/git/docs.git"
OCTAVO_GIT_ROOT=$tmp/git
export OCTAVO_GIT_ROOT
fixture_start
t 'a space for the story' POST /v1/orgs/$ORG/spaces create '{"title":"Bound"}' 201 ''
S=$(jq -r .id "$out")
story docs/start/git.md SPACE="$S" REPO="file://$tmp/git/docs.git" "TOKEN=$(token_of create)" GIT_CONFIG_GLOBAL=/dev/null \
	GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=Dev GIT_COMMITTER_EMAIL=dev@example.org
same 'authors' 'Dev create' "$(git -C "$tmp/git/docs.git" log --format=%an main | sort -u | tr '\n' ' ' | sed 's/ $//')"
t 'remove all of git' DELETE /v1/spaces/$S/git/legacy-installation create '' 204 ''
t 'nothing is known of it' GET /v1/spaces/$S/git/info create '' 404 ''
t 'the content stays' GET "/v1/spaces/$S/content/path/readme?format=markdown" create '' 200 '.markdown | contains("every night")'

# Bound again: the same commits, and nothing twice, also after another repository.
B=/v1/spaces/$S/git
bind() {
	t "bind to $1" PUT $B/binding create "{\"url\":\"file://$tmp/git/$1\",\"ref\":\"refs/heads/main\"}" 200 ''
	t "run it with $1" POST $B/binding/run create '' 204 ''
	for _ in $(seq 300); do
		send GET $B/info create ''
		[ "$(jq -r .operation.state "$out")" = running ] || break
		sleep 0.2
	done
	t "in step with $1" GET $B/binding create '' 200 '.state == "synchronized" and (has("reason") | not)'
}
commits() { git -C "$tmp/git/$1" rev-list --count main; }
pages() { t "$1" GET /v1/spaces/$S/content/pages create '' 200 "[.. | objects | select(.type == \"document\")] | length == $2"; }
had=$(commits docs.git)
git clone -q --bare "$tmp/git/docs.git" "$tmp/git/other.git"
bind docs.git
same 'a second binding writes nothing again' "$had" "$(commits docs.git)"
pages 'and takes nothing in again' 1
bind other.git
same 'another repository has the same' "$had" "$(commits other.git)"
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
t 'what came from the other is here' GET "/v1/spaces/$S/content/path/readme?format=markdown" create '' 200 '.markdown | contains("Of the other.") and contains("every night")'
yes 'and in the first repository, once' test "$(git -C "$tmp/git/docs.git" show main:README.md | grep -c 'Of the other')" = 1
yes 'whose own commit is in its history' git -C "$tmp/git/docs.git" merge-base --is-ancestor 'main^{/Add a page}' main
yes 'and whose table of contents names each page once' test "$(git -C "$tmp/git/docs.git" show main:SUMMARY.md | grep -c '(.*md)')" = 2
log_check
summary
