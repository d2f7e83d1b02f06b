#!/bin/sh
# octavo git: binds, synchronizes and unbinds a space as an admin, with a bare repository on this
# machine. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
finish() {
	[ -z "$sshd" ] || kill "$sshd" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
sshd=
at_exit finish

GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Dev GIT_AUTHOR_EMAIL=dev@example.org GIT_COMMITTER_NAME=Dev GIT_COMMITTER_EMAIL=dev@example.org
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs >"$tmp/init" || exit 1
git init -q -b main "$tmp/repo"
printf '# Home\n\nText.\n' >"$tmp/repo/README.md"
git -C "$tmp/repo" add -A
git -C "$tmp/repo" commit -q -m one
"$octavo" import --dir "$d" --org Docs --title Bound --url "$tmp/repo" >/dev/null
git clone -q --bare "$tmp/repo" "$tmp/bare.git"
S=$("$octavo" space list --dir "$d" --json | jq -r '.[].id')
bind() { "$octavo" git bind --dir "$d" --space "$S" "$@"; }
cannot() {
	c_name=$1 c_status=$2 c_pattern=$3
	shift 3
	expect "$c_name" "$c_status" "$c_pattern" "$octavo" git bind --dir "$d" --space "$S" "$@"
}

# Refused arguments.
cannot 'nothing there' 2 'nothing at /no/where on this machine' --url /no/where --ref main
cannot 'no branch' 2 '--ref R is missing' --url "$tmp/bare.git"
cannot 'a branch that is an option' 2 '--ref: ' --url "$tmp/bare.git" --ref=--upload-pack=x
cannot 'a provider that is none' 2 'provider is github' --url "$tmp/bare.git" --ref main --provider svn
for n in 0 x 5m 20000 307445734561825862 99999999999999999999 ''; do cannot "$n minutes" 2 'minutes takes 1 to' --url "$tmp/bare.git" --ref main --minutes "$n"; done
expect 'a binding of an unknown space is refused' 1 'there is no space x' "$octavo" git bind --dir "$d" --space x --url "$tmp/bare.git" --ref main
expect 'an unbound space cannot be run' 1 'is bound to no repository' "$octavo" git run --dir "$d" --space "$S"
expect 'an unbound space cannot be unbound' 1 'is bound to no repository' "$octavo" git unbind --dir "$d" --space "$S"
same 'refused bindings are not made' '[]' "$("$octavo" git list --dir "$d" --json)"

# Bound, with credentials that no output contains.
bind --url "$tmp/bare.git" --ref main --json >"$tmp/bound"
same 'a binding has a hook with a secret' true "$(jq '(.hook | test("^/v1/git/hooks/[A-Za-z0-9]{22}$")) and (.secret | length > 20)' "$tmp/bound")"
secret=$(jq -r .secret "$tmp/bound")
expect 'the first run exports' 0 '^commits' "$octavo" git run --dir "$d" --space "$S"
expect 'the binding is synchronized' 0 "^$S +file://$tmp/bare.git +refs/heads/main +synchronized" "$octavo" git list --dir "$d" --org Docs
printf '\nMore.\n' >>"$tmp/repo/README.md"
git -C "$tmp/repo" commit -q -am two
git -C "$tmp/repo" push -q "$tmp/bare.git" main
expect 'a commit is imported' 0 "^commit +$(git -C "$tmp/repo" rev-parse main)" "$octavo" git run --dir "$d" --space "$S"
same 'an import alone exports nothing' 2 "$(git -C "$tmp/bare.git" rev-list --count main)"
expect 'the imported words are in the space' 0 'More' sh -c "'$octavo' pdf --dir '$d' --space $S '$tmp/x.pdf' >/dev/null && pdftotext '$tmp/x.pdf' -"

# Over ssh, with the key of the runner's user, once the host key is known.
mkdir -p "$tmp/home/.ssh"
ssh-keygen -q -t ed25519 -N '' -f "$tmp/host"
ssh-keygen -q -t ed25519 -N '' -f "$tmp/home/.ssh/id_ed25519"
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
# Starts sshd on a free port; false: the port is taken.
sshd_start() {
	port=$(shuf -i 20000-32000 -n 1)
	/usr/sbin/sshd -D -e -f /dev/null -h "$tmp/host" -p "$port" -o ListenAddress=127.0.0.1 -o PidFile=none -o StrictModes=no \
		-o UsePAM=no -o PasswordAuthentication=no -o AuthorizedKeysFile="$tmp/home/.ssh/id_ed25519.pub" 2>"$tmp/sshd.log" &
	sshd=$!
	while kill -0 "$sshd" 2>/dev/null; do
		! grep -q 'Server listening on' "$tmp/sshd.log" || return 0
		sleep 0.1
	done
	return 1
}
for i in 1 2 3 4 5; do ! sshd_start || break; done
ssh_run() { HOME="$tmp/home" "$octavo" git run --dir "$d" --space "$S"; }
bind --url "ssh://$(id -un)@127.0.0.1:$port$tmp/bare.git" --ref main >/dev/null
same 'an unknown host key is refused' 1 "$(ssh_run 2>&1 | grep -c "host key is not in known_hosts")"
printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d' ' -f1,2 "$tmp/host.pub")" >"$tmp/home/.ssh/known_hosts"
same 'a known host key is accepted' 1 "$(ssh_run 2>&1 | grep -c '^commit ')"
same 'no private key is stored' 0 "$(cat "$d"/octavo.db* "$d"/log/* 2>/dev/null | grep -c 'PRIVATE KEY')"

# Bound again: the webhook's secret stays, the repository changes.
expect 'a binding may be made anew' 0 '^secret +as before' "$octavo" git bind --dir "$d" --space "$S" --url https://me:hunter4@git.invalid/x.git --ref refs/heads/main --provider gitlab --minutes 60
same 'a new binding keeps the hook' "$(jq -r .hook "$tmp/bound")" "$(bind --url https://git.invalid/x.git --ref main --json | jq -r .hook)"
bind --url https://git.invalid/x.git --ref main --renew-secret --json >"$tmp/again"
same 'a new secret is another one' false "$(jq --arg s "$secret" '.secret == $s or .secret == "as before"' "$tmp/again")"
same 'credentials are sealed in the database' 0 "$(cat "$d"/octavo.db* | grep -c hunter4)"
same 'credentials are kept with their address' 1 "$(sql "SELECT secret IS NOT NULL FROM git_binding")"
expect 'a binding to an unknown host is new' 0 'x.git +refs/heads/main +new' "$octavo" git list --dir "$d"

expect 'a space is unbound' 0 "^unbound +$S" "$octavo" git unbind --dir "$d" --space "$S"
same 'an unbound space has no binding, schedule or job' '0 0 0' "$(sql "SELECT (SELECT count(*) FROM git_binding) || ' ' || (SELECT count(*) FROM schedule WHERE kind = 'git') || ' ' || (SELECT count(*) FROM git_delivery)")"
same 'bindings are recorded' '5 1' "$(sql "SELECT (SELECT count(*) FROM audit_event WHERE action = 'space.git.bound') || ' ' || (SELECT count(*) FROM audit_event WHERE action = 'space.git.unbound')")"
same 'no event holds credentials' 0 "$(sql "SELECT count(*) FROM audit_event WHERE coalesce(after, '') LIKE '%hunter4%'")"
summary
