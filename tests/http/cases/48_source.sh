# Links from a site's pages to other sources, as the customization allows: their files in git; pages
# of other sites in frames, under a policy that names only their hosts.
if [ $TRANSPORT = http ]; then

mkdir -p "$tmp/linked/gu ide"
printf '# Home\n\nWords.\n' >"$tmp/linked/README.md"
printf '# Quotes " & more\n\n{%% embed url="https://www.youtube.com/watch?v=abc" %%}\nA film.\n{%% endembed %%}\n\n'\
'{%% embed url="https://elsewhere.example/x" %%}\n' >"$tmp/linked/gu ide/a+b.md"
printf '# Table of contents\n\n* [Home](README.md)\n* [Quotes " & more](<gu ide/a+b.md>)\n' >"$tmp/linked/SUMMARY.md"
git_in "$tmp/linked" init -q -b main
git_in "$tmp/linked" add -A
git_in "$tmp/linked" commit -q -m first
linked=$(octavo_json '.result.space // .space' import --org "$ORG" --title Linked --url "$tmp/linked")
t 'linked: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Linked","spaces":["'$linked'"]}' 201 ''
R=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG_NAME/linked
t 'linked: the site is published' POST $R/publish admin '' 200 ''
page=$at/$(curl -s "$base$at/sitemap.xml" | sed -n "s,.*<loc>[^<]*/linked/\(.*b\)</loc>.*,\1,p" | head -n 1)
read_at $page
same 'a page from git is served' 200 "$code"
lacks 'a page has no edit link without the setting' 'Edit this page'
t 'linked: edit links are switched on' PUT $R/customization admin '{"git":{"showEditLink":true}}' 200 ''
read_at $page
holds 'a page from a folder is served' '<h1>Quotes &quot; &amp; more</h1>'
lacks 'a page from a local folder has no edit link' 'Edit this page'
from() { sql "UPDATE git_sync SET url = '$1', ref = '$2', provider = $3, tree_url = $4 WHERE space = '$linked'"; read_at $page; }
edit() { holds "the edit link has the form of the host: $1" "<a href=\"$2\">Edit this page</a>"; }
report() { holds "the report link has the form of the host: $1" "<a href=\"$2\">Report a problem</a>"; }
title='Quotes%20%22%20%26%20more'
# The web server has the page as a file: each change of the source applies at once.
from https://github.com/acme/docs.git refs/heads/main NULL NULL
edit github 'https://github.com/acme/docs/edit/main/gu%20ide/a%2Bb.md'
report github "https://github.com/acme/docs/issues/new?title=$title"
from ssh://git@gitlab.com:2222/acme/sub/docs refs/heads/feature/x NULL NULL
edit gitlab 'https://gitlab.com/acme/sub/docs/-/edit/feature/x/gu%20ide/a%2Bb.md'
report gitlab "https://gitlab.com/acme/sub/docs/-/issues/new?issue%5Btitle%5D=$title"
from https://git.example.com:8443/acme/docs.git/ refs/heads/main "'gitea'" NULL
edit gitea 'https://git.example.com:8443/acme/docs/_edit/main/gu%20ide/a%2Bb.md'
from https://codeberg.org/acme/docs refs/tags/v1 NULL NULL
lacks 'a page of a tag has no edit link' 'Edit this page'
report 'a tag' "https://codeberg.org/acme/docs/issues/new?title=$title"
from https://git.example.com/acme/docs.git refs/heads/main NULL NULL
lacks 'a page of an unknown host has no edit link' 'Edit this page'
lacks 'a page of an unknown host has no report link' 'Report a problem'
from https://git.example.com/acme/docs.git refs/heads/main NULL "'https://git.example.com/acme/docs/blob/main/'"
edit 'an address that was set' 'https://git.example.com/acme/docs/blob/main/gu%20ide/a%2Bb.md'
from https://github.com/acme/docs.git refs/heads/main NULL "'javascript:alert(1)//'"
lacks 'an address that runs a script is left out' 'javascript:'
t 'linked: the space is bound to gitlab' PUT /v1/spaces/$linked/git/binding admin \
	'{"url":"https://git.example.com/acme/docs.git","ref":"refs/heads/main","provider":"gitlab"}' 200 ''
from https://git.example.com/acme/docs.git refs/heads/main NULL NULL
edit 'the provider of the binding' 'https://git.example.com/acme/docs/-/edit/main/gu%20ide/a%2Bb.md'
t 'linked: the space is bound to github' PUT /v1/spaces/$linked/git/binding admin \
	'{"url":"https://git.example.com/acme/docs.git","ref":"refs/heads/main","provider":"github"}' 200 ''
read_at $page
edit 'another provider at once' 'https://git.example.com/acme/docs/edit/main/gu%20ide/a%2Bb.md'
t 'linked: edit links are switched on by page actions' PUT $R/customization admin '{"pageActions":{"items":["git"]}}' 200 ''
read_at $page
edit 'a setting of page actions' 'https://git.example.com/acme/docs/edit/main/gu%20ide/a%2Bb.md'
holds 'a page shows when it was updated' '<time datetime="'

# Frames.
lacks 'an embedded page is no frame without the setting' '<iframe'
holds 'an embedded page is a link without the setting' '<a class="ref" href="https://www.youtube.com/watch?v=abc" rel="noopener">'
case $(header content-security-policy) in *frame-src*) fail 'the policy allows no frames without the setting' "$(header content-security-policy)" \
	;; *) pass ;; esac
for host in 'https://a.example' 'a.example; script-src *' 'A.example' 'a..example' 'localhost' '*.example.com' 'a.example:80'; do
	t "a host that is none is refused: $host" PUT $R/customization admin '{"embeds":{"hosts":["b.example","'"$host"'"]}}' 400 \
		'.fields[0].path == "/embeds/hosts/1"'
done
t 'hosts of frames are set' PUT $R/customization admin '{"embeds":{"hosts":["www.youtube-nocookie.com","play.example.com"]}}' 200 '.embeds.hosts | length == 2'
for again in 1 2 3; do
	read_at $page
	holds "a video is a frame of its host, $again" '<iframe src="https://www.youtube-nocookie.com/embed/abc" title="www.youtube.com" loading="lazy"'
	lacks "a host that is not set is no frame, $again" '<iframe src="https://elsewhere'
	case $(header content-security-policy) in *"; frame-src 'self' https://www.youtube-nocookie.com https://play.example.com") pass ;; *) fail \
		"the policy allows the hosts that are set, $again" "$(header content-security-policy)" ;; esac
done
read_at $at/
case $(header content-security-policy) in *frame-src*) fail 'the policy of a page without frames allows none' "$(header content-security-policy)" \
	;; *) pass ;; esac
t 'hosts of frames are removed' PUT $R/customization admin '{}' 200 'has("embeds") | not'
read_at $page
lacks 'no frame any more' '<iframe'
t 'linked: the site is deleted' DELETE $R admin '' 204 ''
t 'linked: the space is deleted' DELETE /v1/spaces/$linked admin '' 204 ''
fi
