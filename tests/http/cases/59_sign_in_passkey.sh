# Passkeys without a device: at localhost, and where the address of the installation allows none, an IP address. With one: tests/passkey.
pk_answer='"flow":"eHk","clientData":"e30","authenticatorData":"AAAA"'
case $base in
http://localhost*)
	pk_here=true pk_ways='' pk_status=200 pk_fault='.host == "localhost"' pk_refused=400 ;;
*)
	pk_here=false pk_ways=not pk_status=409 pk_fault='.error.message | test("OCTAVO_URL")' pk_refused=409 ;;
esac
t 'passkeys are a way to sign in where the host allows them' GET /v1/sign-in - '' 200 "[.ways[].way] | contains([\"passkey\"]) ${pk_ways:+| not}"
t 'a sign-in by a passkey begins there' POST /v1/sign-in/passkey - '' $pk_status "$pk_fault"
pk_return="{$pk_answer,\"credential\":\"AAAA\",\"signature\":\"AAAA\",\"user\":\"AAAA\"}"
t 'no sign-in by a passkey ends that has not begun' POST /v1/sign-in/passkey/return - "$pk_return" $pk_refused ''
t 'a token begins no passkey' GET /v1/user/passkeys/challenge admin '' 403 '.error.message | test("a token cannot")'
t 'a token adds no passkey' POST /v1/user/passkeys admin "{$pk_answer,\"label\":\"Phone\"}" 403 ''
t 'a passkey needs a name' POST /v1/user/passkeys admin "{$pk_answer,\"label\":\"\"}" 400 '.fields[0].path == "/label"'
t 'there are no passkeys' GET /v1/user/passkeys admin '' 200 '.count == 0'
t 'a passkey that is not there is not renamed' PATCH /v1/user/passkeys/k1 admin '{"label":"Phone"}' 404 ''
t 'a passkey that is not there needs no deleting' DELETE /v1/user/passkeys/k1 admin '' 204 ''

# What needs no device: a person with a session, and passkeys whose rows are made here.
for who in spk spo; do user_new $who '' ''; done
pk_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user spk@example.com --json | jq -r .link | sed 's/.*link=//')
t 'a person with passkeys signs in' POST /v1/sign-in/link - '{"link":"'"$pk_link"'","password":"six tired horses"}' 201 ''
jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/spk_s"
t 'a passkey begins where the host allows it' GET /v1/user/passkeys/challenge spk_s '' $pk_status "$pk_fault"
t 'no passkey is added without an answer to a challenge' POST /v1/user/passkeys spk_s "{$pk_answer,\"label\":\"Phone\"}" $pk_refused ''
pk_row() {
	printf "INSERT INTO passkey (id, account, rp, credential, kind, key, count, label, created_at)
		VALUES ('%s', '%s', 'localhost', x'%s', -7, x'00', 0, 'Old', %s)" "$@"
}
sql "$(pk_row pkone "$U_spk" 01 1)" "$(pk_row pktwo "$U_spk" 02 2)" "$(pk_row pkother "$U_spo" 03 3)"
t 'passkeys are listed, the newest first' GET /v1/user/passkeys spk_s '' 200 '[.items[].id] == ["pktwo", "pkone"] and all(.items[]; .usable == '$pk_here')'
# What takes a sign-in within ten minutes.
sql "UPDATE session SET created_at = created_at - 601000"
for pk_call in 'GET /v1/user/passkeys/challenge' 'DELETE /v1/user/passkeys/pkone'; do
	t "with an old session: $pk_call" ${pk_call% *} ${pk_call#* } spk_s '' 403 '.error.message | contains("sign in again")'
done
t 'with an old session no passkey is added' POST /v1/user/passkeys spk_s "{$pk_answer,\"label\":\"Phone\"}" 403 '.error.message | contains("sign in again")'
sql "UPDATE session SET created_at = created_at + 601000"
t 'a passkey is renamed' PATCH /v1/user/passkeys/pkone spk_s '{"label":"Phone"}' 200 '.label == "Phone"'
t 'a passkey of somebody else is not found' PATCH /v1/user/passkeys/pkother spk_s '{"label":"Mine"}' 404 ''
t 'nor deleted' DELETE /v1/user/passkeys/pkother spk_s '' 204 ''
same 'it is still there' Old "$(sql "SELECT label FROM passkey WHERE id = 'pkother'")"
t 'a passkey is deleted' DELETE /v1/user/passkeys/pktwo spk_s '' 204 ''
sql "DELETE FROM password WHERE account = '$U_spk'" "DELETE FROM passkey WHERE id = 'pkother'" "$(pk_row pkmore "$U_spk" 04 4)"
# A passkey of another host opens nothing here.
sql "UPDATE passkey SET rp = 'elsewhere.example' WHERE account = '$U_spk'"
t 'one of another host is not usable' PATCH /v1/user/passkeys/pkone spk_s '{"label":"Laptop"}' 200 '.usable == false and .host == "elsewhere.example"'
if [ "$TRANSPORT" = http ] && [ $pk_here = true ]; then
	same 'the page Account says so of each' 2 "$(curl -sg -H "Cookie: octavo_session=$(sed 's/ .*//' "$tmp/tokens/spk_s")" "$base/app/account" |
		grep -o 'this installation had another host' | wc -l | tr -d ' ')"
fi
t 'the only way in is not deleted' DELETE /v1/user/passkeys/pkone spk_s '' 409 '.error.message | test("only way in")'
t 'it is still listed' GET /v1/user/passkeys spk_s '' 200 '[.items[].id] == ["pkmore", "pkone"]'
