# Every operation with one failing call of the C library: the Nth allocation, read, write, sync and so
# on (tests/fault/fault.c), by plain CGI and by the commands, so that a run is one process and its
# children. After each run: a clean error or none, what was acknowledged is there and what was refused
# is not, `octavo check --deep` finds nothing, no temporary file stays, and the next request works.
# After tests/http/lib.sh, with TRANSPORT=cgi, and tests/http/load.sh.

ANOMALY_CALLS='malloc mmap open read write full short sync rename mkdir unlink cut fork pipe connect lock back ahead
	malloc+ open+ read+ write+ full+ sync+ rename+ lock+ inodes inodes+ readonly readonly+'
ANOMALY_KINDS='space patch request team invite write file delete comment merge publish signin upload token import export tarball site
	backup rebackup backupfile refile restore migrate sweep pdf init leave salvage repair'

shim=$OCTAVO_BUILD/tests/fault.so
kept=$tmp/kept other=$tmp/other

# ---- the fixture: one installation, of which each run has a copy ----

fixture_small() {
	octavo_json . init --email admin@example.com --name admin --org Acme >"$tmp/init"
	ORG=$(jq -r .organization "$tmp/init") U_admin=$(jq -r .user "$tmp/init")
	jq -r .token "$tmp/init" >"$tmp/tokens/admin"
	mkdir -p "$tmp/repo/.gitbook/assets"
	printf '# Home\n\nFirst words. ![](.gitbook/assets/dot.png)\n' >"$tmp/repo/README.md"
	printf '# Second\n\nMore, see [home](README.md).\n\n```c\nint x;\n```\n' >"$tmp/repo/second.md"
	printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\007\0\0\0\005\010\002\0\0\0' >"$tmp/repo/.gitbook/assets/dot.png"
	git_in "$tmp/repo" init -q -b main
	git_in "$tmp/repo" add -A
	git_in "$tmp/repo" commit -q -m first
	SPACE=$(space_new "$ORG" Manual) GONE=$(space_new "$ORG" Gone)
	OCTAVO_DIR=$dir
	export OCTAVO_DIR
	send POST /v1/spaces/$SPACE/change-requests admin '{"subject":"One"}'
	send POST "/v1/spaces/$SPACE/change-requests/1/content" admin \
		'{"changes":[{"operation":"insert_page","title":"Merged","document":{"markdown":"Words that are merged."}}]}'
	get "/v1/spaces/$SPACE/content/pages"
	HOME_PAGE=$(jq -r '.pages[0].id' "$out")
	send POST /v1/orgs/$ORG/sites admin '{"title":"Site","visibility":"public","spaces":["'$SPACE'"]}'
	SITE=$(jq -r .id "$out")
	send POST /v1/orgs/$ORG/sites admin '{"title":"Shown","visibility":"public","spaces":["'$SPACE'"]}'
	SHOWN=$(jq -r .id "$out")
	send POST /v1/orgs/$ORG/sites/$SHOWN/publish admin ''
	link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user admin@example.com --json | jq -r .link | sed 's/.*link=//')
	send POST /v1/sign-in/link - '{"link":"'$link'","password":"five tired horses"}'
	jobs_once
}

# What some operations begin with: a backup, a full export, an older database, a space that is to be removed.
fixture_others() {
	mkdir "$other"
	printf '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n' >"$tmp/a.svg"
	truncate -s 46 "$tmp/a.svg"
	"$octavo" backup "$other/backup" --dir "$dir" >/dev/null && "$octavo" backup "$other/backup.tar" --dir "$dir" >/dev/null && "$octavo" export "$other/export" --dir "$dir" >/dev/null ||
		give_up fixture 'backup and export'
	mkdir "$other/old"
	: >"$other/old/octavo.db"
	for fo in schema/*.sql; do
		fo_n=${fo#schema/} fo_n=${fo_n%%_*}
		[ "${fo_n#"${fo_n%%[!0]*}"}" -gt 40 ] ||
			"$OCTAVO_BUILD/tests/sql" "$other/old/octavo.db" --script "$(cat "$fo"); PRAGMA user_version = $((1$fo_n - 10000))" ||
			give_up fixture "$fo"
	done
	"$OCTAVO_BUILD/tests/sql" "$other/old/octavo.db" "INSERT INTO org (id, title, created_at) VALUES ('o', 'Old', 1)" >/dev/null ||
		give_up fixture 'an organization of old'
	cp "$dir/octavo.key" "$other/old/"
}

# What is copied must be at rest. A deleted space and a blob that a killed writer left are due to be removed.
fixture_rest() {
	latest=$(sql 'PRAGMA user_version')
	sql "UPDATE space SET deleted_at = 1 WHERE id = '$GONE'" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	rm -f "$dir"/octavo.db-* "$dir"/blobs/.swept
	fr_blob=$(find "$dir/blobs" -type f -path '*/??/*' | head -n 1)
	cp "$fr_blob" "$fr_blob.77.0"
	touch -d '3 days ago' "$fr_blob.77.0"
	cp -r "$dir" "$kept"
}

# ---- the operations ----
# run_KIND makes the call, and sets $got to a status of HTTP or of the process. is_KIND: true if it was done.

preload=''
asks() {
	[ -z "$preload" ] || export LD_PRELOAD="$preload"
	send "$@"
	got=$code
	unset LD_PRELOAD
}
program() { timeout 60 env LD_PRELOAD="$preload" "$@" >"$tmp/said" 2>&1; got=$?; }
runs() { program "$octavo" "$@"; }
has() { [ "$(sql "$1")" != 0 ]; }

run_space() { asks POST /v1/orgs/$ORG/spaces admin '{"title":"Fault"}'; }
is_space() { has "SELECT count(*) FROM space WHERE title = 'Fault'"; }
run_patch() { asks PATCH /v1/spaces/$SPACE admin '{"title":"Fault"}'; }
is_patch() { is_space; }
run_request() { asks POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Fault"}'; }
is_request() { has "SELECT count(*) FROM change_request WHERE subject = 'Fault'"; }
run_team() { asks PUT /v1/orgs/$ORG/teams admin '{"title":"Fault"}'; }
is_team() { has "SELECT count(*) FROM team WHERE title = 'Fault'"; }
run_invite() { asks POST /v1/orgs/$ORG/link-invites admin '{"role":"read"}'; }
is_invite() { has 'SELECT count(*) FROM link_invite'; }
run_write() {
	asks POST "/v1/spaces/$SPACE/change-requests/1/content" admin \
		'{"changes":[{"operation":"insert_page","title":"Fault","document":{"markdown":"Words of a fault."}}]}'
}
is_write() { has "SELECT count(*) FROM node WHERE title = 'Fault'"; }
run_file() {
	asks POST "/v1/spaces/$SPACE/change-requests/1/content" admin \
		'{"changes":[{"operation":"insert_files","files":[{"name":"fault.txt","contentType":"text/plain","base64":"ZmF1bHQK"}]}]}'
}
is_file() { has "SELECT count(*) FROM node WHERE title = 'fault.txt'"; }
run_delete() { asks DELETE "/v1/spaces/$SPACE" admin ''; }
is_delete() { has "SELECT count(*) FROM space WHERE id = '$SPACE' AND deleted_at IS NOT NULL"; }
run_comment() { asks POST "/v1/spaces/$SPACE/comments" admin '{"body":{"markdown":"Fault."},"page":"'$HOME_PAGE'"}'; }
is_comment() { has 'SELECT count(*) FROM comment'; }
run_merge() { asks POST "/v1/spaces/$SPACE/change-requests/1/merge" admin ''; }
is_merge() { has "SELECT count(*) FROM change_request WHERE space = '$SPACE' AND status = 'merged'"; }
run_publish() { asks POST "/v1/orgs/$ORG/sites/$SITE/publish" admin ''; }
is_publish() { has "SELECT count(*) FROM site WHERE id = '$SITE' AND published_at IS NOT NULL"; }
run_signin() { asks POST /v1/sign-in - '{"email":"admin@example.com","password":"five tired horses"}'; }
is_signin() { has 'SELECT count(*) > 1 FROM session'; }
# The address is valid for some minutes.
run_upload() {
	u_preload=$preload preload=''
	asks POST /v1/orgs/$ORG/storage/upload admin '{"kind":"organization_file","file":{"name":"a.svg","type":"image/svg+xml","size":46}}'
	PUT_AT=$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out") preload=$u_preload
	asks PUT "$PUT_AT" - "@$tmp/a.svg" 'Content-Type: image/svg+xml'
}
is_upload() { has 'SELECT count(*) FROM stored_file WHERE hash IS NOT NULL'; }
run_token() { runs token create --user admin@example.com --label fault --dir "$dir"; }
is_token() { has "SELECT count(*) FROM token WHERE label = 'fault'"; }
run_import() { runs import --org "$ORG" --title Fault --url "$tmp/repo" --dir "$dir"; }
is_import() { has "SELECT count(*) FROM space s JOIN node n ON n.branch = s.branch WHERE s.title = 'Fault' AND n.title = 'Second'"; }
run_export() { runs export "$tmp/made" --dir "$dir"; }
# True if an export can be imported.
is_taken() { "$octavo" import "$1" --dir "$tmp/made.taken" >/dev/null 2>&1 && "$octavo" check --deep --dir "$tmp/made.taken" >/dev/null 2>&1; }
is_export() { is_taken "$tmp/made"; }
run_tarball() { runs export "$tmp/made.tar" --dir "$dir"; }
is_tarball() { is_taken "$tmp/made.tar"; }
run_site() { runs site export "$SHOWN" "$tmp/made" --dir "$dir"; }
is_site() { [ -s "$tmp/made/index.html" ]; }
run_backup() { runs backup "$tmp/made" --dir "$dir"; }
is_backup() { "$octavo" backup --verify "$tmp/made" >/dev/null 2>&1; }
run_rebackup() { cp -r "$other/backup" "$tmp/made"; runs backup "$tmp/made" --dir "$dir"; }
is_rebackup() { is_backup; }
# What a failure must leave whole.
keeps_rebackup() { is_backup; }
run_backupfile() { runs backup "$tmp/made.tar" --dir "$dir"; }
is_backupfile() { "$octavo" backup --verify "$tmp/made.tar" >/dev/null 2>&1; }
run_refile() { cp "$other/backup.tar" "$tmp/made.tar"; runs backup "$tmp/made.tar" --dir "$dir"; }
is_refile() { is_backupfile; }
keeps_refile() { is_backupfile; }
run_restore() { runs restore "$other/backup" --dir "$tmp/made"; }
is_restore() { "$octavo" check --deep --dir "$tmp/made" >/dev/null 2>&1; }
run_migrate() { cp -r "$other/old" "$tmp/made"; runs migrate --dir "$tmp/made"; }
is_migrate() { [ "$("$OCTAVO_BUILD/tests/sql" "$tmp/made/octavo.db" 'PRAGMA user_version')" = "$latest" ]; }
# The runner goes on where its housekeeping fails: that acknowledges nothing.
run_sweep() { program "$OCTAVO_BUILD/octavo-jobs" --once; is_sweep || got=1; [ -s "$tmp/said" ] || echo nothing >"$tmp/said"; }
is_sweep() { has "SELECT count(*) = 0 FROM space WHERE id = '$GONE'"; }
run_pdf() { runs pdf --space "$SPACE" "$tmp/made.pdf" --dir "$dir"; }
is_pdf() { [ "$(tail -c 6 "$tmp/made.pdf" 2>/dev/null)" = '%%EOF' ]; }
run_init() { runs init --dir "$tmp/made" --email a@example.com --name A --org New; }
is_init() { [ "$("$OCTAVO_BUILD/tests/sql" "$tmp/made/octavo.db" 'SELECT count(*) FROM org' 2>/dev/null)" = 1 ]; }
run_leave() { runs import "$other/export" --dir "$tmp/made"; }
is_leave() { is_restore; }
# What a failed salvage could read stays, and the next one needs another folder.
run_salvage() { rm -rf "$tmp/made"; runs salvage "$tmp/made" --dir "$dir"; }
is_salvage() { is_restore; }
run_repair() { runs check --repair --deep --dir "$dir"; }
is_repair() { true; }

# ---- one run ----

# Files of the data folder with names that are not for good.
left_over() {
	find "$dir" -type f 2>/dev/null | grep -vE '/(octavo\.(db|key|backup)|octavo\.db-(wal|shm)|octavo\.db\.schema-[0-9]+)$|/(run|log)/|/blobs/\.swept$' |
		grep -vE '/blobs/[0-9a-f]{2}/[0-9a-f]{62}$|/cache/(git/[0-9a-f]{32}|typeset|served)/|/pdf/[A-Za-z0-9]{22}\.pdf$' |
		grep -vF "$fr_blob.77.0"
}

wrong() { fail "$a_kind: $a_call $a_n" "$*: $(head -c 300 "$tmp/said" | tr '\n' ' ')"; a_right=no; }

# True if the answer is a clean one: of the API, with its form; of a command, with a message.
is_clean() {
	case $got in
	0 | 2??) return 0 ;;
	1) [ -s "$tmp/said" ] ;;
	70) grep -q 'panic\|out of memory' "$tmp/said" ;;
	000) case $a_call in write* | full* | malloc* | mmap | read+) true ;; *) false ;; esac ;;
	4?? | 5??) grep -q '"error":{"code":'"$got"',"message":"..*' "$out" && cp "$out" "$tmp/said" ;;
	*) false ;;
	esac
}

check_run() {
	case $got in
	0 | 2??) "is_$a_kind" || wrong "acknowledged ($got) and not there" ;;
	*) is_clean || wrong "ended with $got"
		[ "$a_call" != short ] || wrong "a short write is not continued: $got" ;;
	esac
	case $a_kind in rebackup | refile) "keeps_$a_kind" || wrong "it damaged what was there" ;; esac
	case $got in
	4?? | 5??) ! "is_$a_kind" || wrong "refused ($got) and there" ;;
	esac
	"$octavo" check --deep --dir "$dir" >"$tmp/check" 2>&1 || wrong "octavo check: $(cat "$tmp/check")"
	cr=$(left_over)
	# A program that ends for lack of memory leaves its unfinished blobs to the daily sweep.
	! grep -q 'panic: ' "$tmp/said" || cr=$(printf '%s' "$cr" | grep -vE '/blobs/../[0-9a-f]{62}\.[0-9]+\.[0-9]+$')
	# On a disk that stays read-only nothing can be removed: unfinished blobs go with the daily sweep, an unfinished
	# export is its owner's.
	if [ "$a_call" = readonly+ ]; then
		cr=$(printf '%s' "$cr" | grep -vE '/blobs/../[0-9a-f]{62}\.[0-9]+\.[0-9]+$')
		case $a_kind in export | tarball | site) rm -rf "$tmp"/made* ;; esac
	fi
	[ -z "$cr" ] || wrong "left: $cr"
	case $got in 0 | 2??) return ;; esac
	# The answer was lost, not the write.
	[ "$got" != 000 ] || ! "is_$a_kind" || return 0
	"run_$a_kind" 2>>"$tmp/said"
	case $got in 0 | 2??) "is_$a_kind" || wrong 'tried again: not there' ;; *) wrong "tried again: $got $(cat "$tmp/said" "$out")" ;; esac
}

# The run itself, on a fresh copy; sets $calls and $fired.
run_once() {
	a_kind=$1 a_call=$2 a_n=$3 a_right=yes
	rm -rf "$dir" "$tmp"/made*
	cp -r "$kept" "$dir"
	: >"$tmp/said"
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >"$tmp/state"
	export FAULT_CALL="$a_call" FAULT_AT="$a_n" FAULT_STATE="$tmp/state"
	preload=$shim
	"run_$a_kind" 2>>"$tmp/said"
	preload=''
	read -r calls fired <<-END
		$(od -An -t d8 "$tmp/state")
	END
}

# anomaly KIND CALL N: the Nth call fails; nothing is checked if there is none.
anomaly() {
	run_once "$@"
	[ "$fired" -gt 0 ] || return 0
	check_run
	[ $a_right = no ] || pass
}

# anomalies KIND CALL MOST: N = 1, 2, … until no call is the Nth; of more than MOST calls a sample of so many.
anomalies() {
	run_once "$1" "$2" 0
	as_total=$calls as_i=0
	while [ "$as_total" -gt 0 ] && as_i=$((as_i + 1)) && [ "$as_i" -le "$3" ]; do
		as_n=$as_i
		if [ "$as_total" -gt "$3" ]; then
			roll $((as_total / $3))
			as_n=$(((as_i - 1) * as_total / $3 + rolled + 1))
		fi
		anomaly "$1" "$2" "$as_n"
		[ "$fired" -gt 0 ] || [ "$as_total" -gt "$3" ] || break
	done
}
