# What admins look after below /app: members, invitations, translations, exports, the audit record, git.
. tests/http/browse.sh
user_new adada "$ORG" admin
user_new adbob "$ORG" edit
pg_join adada adbob
ad_at=/app/orgs/$ORG/admin
pg_jar=$tmp/adbob
pg GET $ad_at
lacks 'who is no admin sees no roles of members' '?member='
pg POST /app/orgs/$ORG/member "user=$U_adada&role=read"
pg_is 'and changes none' 403
pg GET /app/orgs/$ORG/audit
pg_is 'nor does the audit record open' 403
pg GET /app/orgs/$ORG_B/admin
pg_is 'an organization of others is not there' 404
pg_jar=$tmp/adada
pg GET /app/orgs/$ORG
holds 'an admin is led to the administration' "$below$ad_at"
pg GET $ad_at
holds 'an admin sees the members with their roles' '<span class="tag">edit</span><a '
holds 'each with a link to what changes it' "href=\"admin?member=$U_adbob#members\""
pg GET "$ad_at?member=$U_adbob"
holds 'a role is chosen' "id=\"role-$U_adbob\""
same 'of this member alone' 1 "$(grep -o 'name="user" value=' "$out" | wc -l)"
holds 'what removes a member looks like it' 'class="btn small danger">Remove<'
holds 'and is behind a first press' '<summary>Remove<'
pg POST /app/orgs/$ORG/member "user=$U_adbob&role=review"
pg_to 'a role is changed' "$below$ad_at?done=1#members"
t 'the member has the role' GET /v1/orgs/$ORG/members/$U_adbob admin '' 200 '.role == "review"'
pg POST /app/orgs/$ORG/member "user=$U_adbob&role="
t 'a member becomes a guest' GET /v1/orgs/$ORG/members/$U_adbob admin '' 200 '.role == null'
pg POST /app/orgs/$ORG/member "user=nobody&role=read"
pg_is 'who is no member has no role' 404
holds 'and the reason is said' 'role="alert"'
pg POST /app/orgs/$ORG/invites 'role=comment'
pg_to 'a link is made' "$below$ad_at?done=1#invites"
pg GET $ad_at
ad_link=$(sed -n 's/.*class="secret">\([^<]*\)<.*/\1/p' "$out" | tail -n 1)
ad_link=/app${ad_link#*/app}
user_new adcyd "$ORG" read
pg POST /app/orgs/$ORG/member "remove=$U_adcyd"
pg_to 'a member is removed' "$below$ad_at?done=1#members"
t 'who was removed is no member' GET /v1/orgs/$ORG/members/$U_adcyd admin '' 404 ''
pg GET "$ad_link"
pg_is 'a link shows what it gives' 200
holds 'its role' 'comment'
pg_jar=$tmp/adbob
pg GET "$ad_link"
pg POST "$ad_link"
pg_to 'who has the link joins' "$below/app?done=joined"
t 'with its role' GET /v1/orgs/$ORG/members/$U_adbob admin '' 200 '.role == "comment"'
pg_jar=$tmp/adada
pg GET $ad_at
pg POST /app/orgs/$ORG/invites "revoke=${ad_link##*/}"
pg_to 'a link is revoked' "$below$ad_at?done=1#invites"
pg GET "$ad_link"
pg_is 'a revoked link leads nowhere' 404
pg GET $ad_at
pg POST /app/orgs/$ORG/exports
pg_to 'an export is asked for' "$below$ad_at?done=1#exports"
pg GET $ad_at
holds 'the exports are listed' 'id="exports-title"'
get /v1/orgs/$ORG/exports
ad_export=$(jq -r '.items[0].id' "$out")
pg POST /app/orgs/$ORG/exports "cancel=$ad_export"
# The runner may have ended it already.
case $code in 303 | 409) pass ;; *) fail 'an export is cancelled' "$code" ;; esac
pg POST /app/orgs/$ORG/translations 'run=nothing'
pg_is 'a translation that is not there is not run' 404
pg GET /app/orgs/$ORG/audit
holds 'the audit record says what was done' 'member.'
ad_s=$(space_empty 'Without git')
pg GET /app/spaces/$ad_s/git
holds 'a space without a repository says so' 'not kept equal'
pg POST /app/spaces/$ad_s/git
pg_is 'and cannot be brought together with one' 404
t 'a space is bound' PUT /v1/spaces/$ad_s/git/binding admin '{"url":"https://git.example.com/docs.git","ref":"refs/heads/main"}' 200 ''
pg GET /app/spaces/$ad_s/git
holds 'a bound space shows its repository' 'https://git.example.com/docs.git'
# The first run may still be under way, and ends with a reason of its own.
for ad_try in 1 2 3 4 5 6 7 8; do
	sql "UPDATE git_binding SET state = 'failing', failures = 1, reason = 'the repository <is> gone: name another' WHERE space = '$ad_s'"
	pg GET /app/spaces/$ad_s/git
	! grep -q 'the repository &lt;is&gt; gone' "$out" || break
	sleep 1
done
holds 'the last error of git is shown, as text' 'role="alert">the repository &lt;is&gt; gone: name another<'
pg POST /app/spaces/$ad_s/git
pg_to 'a run is asked for' "$below/app/spaces/$ad_s/git"
pg GET /app/spaces/$ad_s/git
lacks 'the time of the last run is not called history' '<dt>History'
t 'the space is bound no more' DELETE /v1/spaces/$ad_s/git/binding admin '' 204 ''
ad_s=$(space_empty 'To be translated')
send POST /v1/orgs/$ORG/translations admin "{\"source\":{\"space\":\"$ad_s\",\"language\":\"en\"},\"language\":\"fr\"}"
ad_t=$(jq -r .id "$out")
pg GET $ad_at
holds 'a translation has its languages and its state' 'en → fr</a>'
holds 'which is pending before it is run' '>pending</span>'
sql "UPDATE translation SET error = 'the translator <is> away' WHERE id = '$ad_t'"
pg GET $ad_at
holds 'its last error is shown, as text' 'the translator &lt;is&gt; away'
pg POST /app/orgs/$ORG/translations "run=$ad_t"
pg_to 'it is run' "$below$ad_at?done=1#translations"
