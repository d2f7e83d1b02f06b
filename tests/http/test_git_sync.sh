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
log_check
summary
