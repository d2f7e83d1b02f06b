# The access matrix through the application: each view of views.def as each role of an organization, as a person of
# another one, and without a session. A view does nothing that its caller may not do, and shows no form and no link
# to it.
# Views by plain CGI are tried in the cases before: what is tried here does not depend on the program that runs it.
[ "$TRANSPORT" = http ] || return 0
. tests/http/views.sh

# The lowest role of each view, and what a form holds besides the ids. The order of roles is that of docs/people/roles.md.
# A person without a role is "any", everybody "open"; what people do with their own account or session is "own".
va_rules=$tmp/va_rules
cat >"$va_rules" <<END
GET  - any
GET  /account any
POST /account own
POST /account/identities own
POST /account/passkeys own
POST /account/passkeys/delete own
POST /account/passkeys/rename own
POST /account/password own
POST /account/remove own
POST /account/revoke own
POST /account/sessions own
POST /account/tokens own
GET  /authorize own
POST /authorize own
POST /join own
GET  /orgs/: guest
GET  /orgs/:/admin guest
GET  /orgs/:/audit admin
POST /orgs/:/exports admin
POST /orgs/:/invites admin role=read
GET  /orgs/:/join/: any
POST /orgs/:/join/: own
POST /orgs/:/member admin user=$U_read&role=read
GET  /orgs/:/search guest
POST /orgs/:/sso admin sso=0&tokens=keep
GET  /orgs/:/topics/: create
POST /orgs/:/translations create run=nothing
POST /passkey own
POST /provider own
GET  /provider open
GET  /provider/return own
GET  /reset open
POST /reset own
GET  /sign-in open
POST /sign-in own
POST /sign-out own
GET  /spaces/: read
GET  /spaces/:/choices read
POST /spaces/:/comments comment text=Words
GET  /spaces/:/files read
GET  /spaces/:/files/: read
POST /spaces/:/files/: edit was-name=a&name=Words.png&subject=Words
GET  /spaces/:/git read
POST /spaces/:/git review
GET  /spaces/:/history read
GET  /spaces/:/links read
GET  /spaces/:/pages/: read
GET  /spaces/:/pages/:/edit edit
POST /spaces/:/pages/:/edit edit text=Words&subject=Words
GET  /spaces/:/pages/:/place edit
POST /spaces/:/pages/:/place edit subject=Words&slug=words
POST /spaces/:/reply comment text=Words&comment=REMARK
GET  /spaces/:/requests read
POST /spaces/:/requests edit subject=Words
GET  /spaces/:/requests/: read
POST /spaces/:/requests/:/about edit subject=Words&description=Words
GET  /spaces/:/requests/:/choices read
POST /spaces/:/requests/:/comments comment text=Words
GET  /spaces/:/requests/:/conflicts read
POST /spaces/:/requests/:/conflicts edit revision=x
GET  /spaces/:/requests/:/files read
GET  /spaces/:/requests/:/files/: read
POST /spaces/:/requests/:/files/: edit was-name=a&name=Words.png
POST /spaces/:/requests/:/merge review
GET  /spaces/:/requests/:/new edit
POST /spaces/:/requests/:/new edit title=Words&text=Words
GET  /spaces/:/requests/:/pages/: read
GET  /spaces/:/requests/:/pages/:/delete edit
POST /spaces/:/requests/:/pages/:/delete edit
GET  /spaces/:/requests/:/pages/:/edit edit
POST /spaces/:/requests/:/pages/:/edit edit text=Words
GET  /spaces/:/requests/:/pages/:/place edit
POST /spaces/:/requests/:/pages/:/place edit step=move&at=1
GET  /spaces/:/requests/:/preview read
POST /spaces/:/requests/:/read read until=2099-01-01T00:00:00.000Z
POST /spaces/:/requests/:/reply comment text=Words&comment=COMMENT
POST /spaces/:/requests/:/review review status=approved
POST /spaces/:/requests/:/reviewers edit email=create@example.com
POST /spaces/:/requests/:/state edit status=open
POST /spaces/:/requests/:/update edit
GET  /spaces/:/revisions/: read
GET  /spaces/:/revisions/:/pages/: read
POST /spaces/:/revisions/:/pages/:/restore edit
POST /spaces/:/revisions/:/undo edit
GET  /spaces/:/search read
GET  /sso/: open
POST /sso/: own
POST /sso/:/acs own
GET  /sso/:/metadata own
GET  /sso/:/return own
GET  /visit open
GET  /welcome open
POST /welcome own
END
va_level() {
	case $1 in
	nobody | open) echo 0 ;;
	other | any | own) echo 1 ;;
	*) echo 'guest 2, read 3, comment 4, edit 5, review 6, create 7, admin 8' | sed "s/.*$1 \([0-9]\).*/\1/" ;;
	esac
}
va_row() { awk -v m="$1" -v p="${2:--}" '$1 == m && $2 == p' "$va_rules"; }
for va_method in GET POST; do
	for va_pattern in $(views_of $va_method | sed 's/^$/-/'); do
		[ -n "$(va_row $va_method $va_pattern)" ] && pass || fail 'each view has a lowest role here' "$va_method $va_pattern"
	done
done

# What people can change below /app, as text.
va_state() {
	sql "SELECT (SELECT count(*) FROM revision), (SELECT group_concat(status, ' ') FROM change_request), (SELECT count(*) FROM comment),
		(SELECT count(*) FROM comment_reply), (SELECT count(*) FROM review), (SELECT count(*) FROM requested_reviewer),
		(SELECT count(*) FROM reaction), (SELECT count(*) FROM last_look),
		(SELECT count(*) FROM link_invite), (SELECT group_concat(CAST(role AS TEXT), ' ') FROM member), (SELECT count(*) FROM job),
		(SELECT group_concat(CAST(resolved_at AS TEXT), ' ') FROM comment)"
}

# Lines "METHOD ADDRESS", with addresses that are relative to the page's path made whole.
va_whole() {
	awk -v page="$1" '
		$2 !~ "^([/?#]|[a-z]+:)" {
			sub("[^/]*$", "", page)
			$2 = page $2
			while (sub("/[^/]+/[.][.]/", "/", $2));
		}
		{ print $1, $2 }'
}

# The forms and links of the page that lead to a view of the organization or the space above the level.
va_above() {
	{
		tr '>' '\n' <"$out" | sed -n 's/.*<form method="post" action="\([^"]*\)".*/POST \1/p'
		tr '>' '\n' <"$out" | sed -n 's/.* formaction="\([^"]*\)".*/POST \1/p'
		tr '>' '\n' <"$out" | sed -n 's/.*<a [^<]*href="\([^"]*\)".*/GET \1/p'
	} | va_whole "$below${pg_path%%\?*}" | grep -e "/$ORG" -e "/$va_shown" |
		sed -n "s,^\([A-Z]*\) $below/app\([^?#]*\).*,\1 \2,p" | sort -u | awk -v level="$1" -v rules="$va_rules" '
		BEGIN {
			split("open any guest read comment edit review create admin", names, " ")
			for (i in names) number[names[i]] = i - 1
			number["own"] = 1
			while ((getline line <rules) > 0) {
				split(line, f, " ")
				gsub(":", "[^/]+", f[2])
				sub("^-$", "", f[2])
				method[++n] = f[1]; form[n] = "^" f[2] "$"; lowest[n] = number[f[3]]
			}
		}
		{ for (i = 1; i <= n; i++) if (method[i] == $1 && $2 ~ form[i] && lowest[i] > level) print $1, $2 }'
}

view_world 'The shown title' 'Some words.'
# Whom a provider signs in reads its label before.
send PATCH /v1/orgs/$ORG/oidc/$vw_sso admin '{"label":"Acme login"}'
# A space that admins alone can read.
va_shown=$vw_spaces
va_hidden=$(space_empty 'The hidden title')
space_write "$va_hidden" '{"changes":[{"operation":"insert_page","title":"The hidden page","document":{"markdown":"Hidden words."}}]}'
send PATCH /v1/spaces/$va_hidden admin '{"defaultLevel":null}'

: >"$tmp/vw_nobody"
for va_who in nobody other guest read comment edit review create admin; do
	if [ $va_who = nobody ]; then pg_jar=$tmp/vw_nobody; else view_enter $va_who; fi
	va_is=$(va_level $va_who)
	for va_pattern in $(views_of GET | sed 's/^$/-/'); do
		va_row=$(va_row GET $va_pattern)
		va_role=$(echo "$va_row" | awk '{ print $3 }')
		[ "$va_role" != own ] && [ "$va_pattern" != /provider ] || continue
		va_at=$(view_at "${va_pattern#-}")
		pg GET "$va_at?q=words"
		va_name="$va_who opens $va_at"
		case $va_role.$va_is in
		open.*) case $code in 200 | 303 | 400 | 404) pass ;; *) fail "$va_name" "$code" ;; esac ;;
		*.0) pg_is "$va_name: to sign in first" 303 ;;
		*) if [ $va_is -ge $(va_level $va_role) ]; then pg_is "$va_name" 200
			else case $code in 403 | 404) pass ;; *) fail "$va_name: refused" "$code" ;; esac; fi ;;
		esac
		same "$va_name: no form or link leads to what is refused" '' "$(va_above $va_is | head -n 3)"
		[ $va_who = admin ] || lacks "$va_name: nothing of a hidden space is shown" 'he hidden'
		[ $va_is -gt 1 ] || lacks "$va_name: nothing of another organization is shown" 'The shown'
		case $va_pattern in
		/spaces/:*)
			[ $va_is -gt 0 ] && [ $va_is -lt 8 ] || continue
			vw_spaces=$va_hidden
			pg GET "$(view_at $va_pattern)?q=words"
			case $code in 403 | 404) pass ;; *) fail "$va_who opens $va_pattern of a hidden space" "$code" ;; esac
			lacks "$va_who sees nothing of a hidden space: $va_pattern" 'he hidden'
			vw_spaces=$va_shown ;;
		esac
	done
done

for va_who in nobody other guest read comment edit review create admin; do
	pg_jar=$tmp/vw_$va_who
	va_is=$(va_level $va_who)
	pg GET /app
	for va_pattern in $(views_of POST); do
		va_row=$(va_row POST $va_pattern)
		va_role=$(echo "$va_row" | awk '{ print $3 }') va_form=$(echo "$va_row" | awk '{ print $4 }' | sed "s/REMARK/$vw_remark/; s/COMMENT/$vw_comment/")
		va_at=$(view_at $va_pattern) va_before=''
		va_name="$va_who sends the form of $va_at"
		[ "$va_role" != own ] || continue
		# A form that may be sent changes the state of those after it: requests are merged last, by those who may.
		[ $va_is -ge $(va_level $va_role) ] || va_before=$(va_state)
		pg POST "$va_at" "$va_form"
		if [ -n "$va_before" ]; then
			case $va_is.$code in 0.303 | *.4??) pass ;; *) fail "$va_name: refused" "$code" ;; esac
			same "$va_name: nothing has changed" "$va_before" "$(va_state)"
		else
			case $code in 401 | 403 | 5??) fail "$va_name" "$code: $(head -c 300 "$out")" ;; *) pass ;; esac
		fi
		[ $va_who = admin ] || lacks "$va_name: nothing of a hidden space is shown" 'he hidden'
		[ $va_is -gt 1 ] || lacks "$va_name: nothing of another organization is shown" 'The shown'
	done
done

# Each form needs its protection, whoever sends it: what SAML providers send is signed instead (60_saml).
pg_jar=$tmp/vw_admin
pg GET /app
va_before=$(va_state)
for va_pattern in $(views_of POST | grep -v '/acs$'); do
	va_form=$(va_row POST $va_pattern | awk '{ print $4 }' | sed "s/REMARK/$vw_remark/; s/COMMENT/$vw_comment/") va_at=$(view_at $va_pattern)
	pg POST "$va_at" "csrf=x&$va_form"
	pg_is "the form of $va_pattern is refused without its protection" 403
	pg GET /app
	pg POST "$va_at" "$va_form" 'Origin: https://evil.example'
	pg_is "the form of $va_pattern is refused from another site" 403
done
same 'refused forms have changed nothing' "$va_before" "$(va_state)"

# The organization takes sign-ins at its own provider alone: a member who came by password reads nothing, changes nothing,
# and is led to the provider.
sql "UPDATE org SET sso = 1 WHERE id = '$ORG'"
for va_who in guest create; do
	pg_jar=$tmp/vw_$va_who
	pg GET /app
	pg_is "$va_who opens the first page" 200
	holds "$va_who finds the provider there" "/app/sso/$vw_sso?to="
	for va_pattern in $(views_of GET | grep -e ^/orgs/: -e ^/spaces/:); do
		[ "$va_pattern" != /orgs/:/join/: ] || continue
		va_at=$(view_at "$va_pattern")
		pg GET "$va_at?q=words"
		va_name="$va_who, who came by password, opens $va_at"
		[ $va_who = guest ] || pg_is "$va_name" 403
		case $code in 403) holds "$va_name: is led to the provider" "/app/sso/$vw_sso?to=%2Fapp" ;; 404) pass ;; *) fail "$va_name" "$code" ;; esac
		lacks "$va_name: reads nothing" 'The shown'
	done
	for va_pattern in $(views_of POST | grep -e ^/orgs/: -e ^/spaces/:); do
		[ "$va_pattern" != /orgs/:/join/: ] || continue
		va_at=$(view_at "$va_pattern") va_before=$(va_state)
		pg POST "$va_at" "$(va_row POST "$va_pattern" | awk '{ print $4 }' | sed "s/REMARK/$vw_remark/; s/COMMENT/$vw_comment/")"
		case $code in 4??) pass ;; *) fail "$va_who, who came by password, sends the form of $va_at" "$code" ;; esac
		same "$va_who, who came by password, changes nothing by $va_at" "$va_before" "$(va_state)"
	done
	pg GET /app/sso/$vw_sso
	holds "$va_who can link the account" "name=\"link\" value=\"$ORG\""
done
pg_jar=$tmp/vw_admin
pg GET /app/orgs/$ORG/admin
pg_is 'an admin still comes in by password' 200
holds 'and finds the providers and the tokens of members' "/app/sso/$vw_sso?to="
pg POST /app/orgs/$ORG/sso 'sso=0&tokens=keep'
pg_is 'and turns it off' 303
same 'it is off' 0 "$(sql "SELECT sso FROM org WHERE id = '$ORG'")"
pg POST /app/orgs/$ORG/sso 'sso=1&tokens=stop'
pg_is 'but not on, without a sign-in at the provider' 403
same 'nothing was changed' 0keep "$(sql "SELECT sso || tokens FROM org WHERE id = '$ORG'")"
view_world_end
