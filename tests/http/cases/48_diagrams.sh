# Diagrams: their source, or a frame of its own origin where the admin provides the script that draws them.
if [ $TRANSPORT = http ]; then

t 'diagrams: a space is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Drawn"}' 201 ''
di_space=$(jq -r .id "$out")
di_source='```mermaid\ngraph TD; A-->B \"<&#%\"\n```'
space_write $di_space '{"changes":[{"operation":"insert_page","title":"First","document":{"markdown":"'"$di_source"'"}},
	{"operation":"insert_page","title":"Second","document":{"markdown":"'"$di_source"'\n\n```js\nlet a\n```\n"}}]}'
t 'diagrams: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Drawn","spaces":["'$di_space'"]}' 201 ''
di_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG_NAME/drawn
t 'diagrams: the site is published' POST $di_site/publish admin '' 200 ''
read_at $at/
holds 'diagrams: without a script the source is shown' 'A--&gt;B'
lacks 'diagrams: and there is no frame' '<iframe'
case $(header content-security-policy) in *frame-src*) fail 'diagrams: nor may there be one' 'frame-src' ;; *) pass ;; esac
read_at $at/~diagram
same 'diagrams: without a script there is no frame to show' 404 "$code"

echo 'var mermaid = {}' >"$tmp/mermaid.js"
read_at $at/second
holds 'diagrams: with a script there is a frame without an origin' \
	'<iframe src="'$at'/~diagram#graph%20TD%3B%20A--%3EB%20%22%3C%26%23%25%22%0A" title="Mermaid" loading="lazy" sandbox="allow-scripts">'
holds 'diagrams: the source stays' 'A--&gt;B'
same 'diagrams: other code has none' 1 "$(grep -c '<iframe' "$out")"
case $(header content-security-policy) in *"; frame-src 'self'"*) pass ;; *) fail 'diagrams: the page may show it' "$(header content-security-policy)" ;; esac
read_at $at/~diagram
same 'diagrams: the frame is a page' '200 text/html; charset=utf-8' "$code $(header content-type)"
case $(header content-security-policy) in "default-src 'none'; script-src 'self'; "*"sandbox allow-scripts") pass ;; *) fail \
	'diagrams: the frame has a policy of its own' "$(header content-security-policy)" ;; esac
glue=$(sed -n 's/.*<script src="\(~asset[^"]*\)".*/\1/p' "$out")
read_at $at/$glue
same 'diagrams: its own script is there' 200 "$code"
read_at $at/~diagram/mermaid.js
same "diagrams: so is the admin's" '200 text/javascript; charset=utf-8 var mermaid = {}' "$code $(header content-type) $(cat "$out")"
same 'diagrams: another origin may run it' cross-origin "$(header cross-origin-resource-policy)"
for path in ~diagram/other.js ~diagram/../mermaid.js ~diagrams; do
	read_at $at/$path
	same "diagrams: nothing else is below: $path" 404 "$code"
done
rm "$tmp/mermaid.js"
t 'diagrams: the site is deleted' DELETE $di_site admin '' 204 ''
fi
