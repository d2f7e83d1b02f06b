# Backup of a large installation while clients write.
#
# BENCH_BACKUP_MB is its size (default: 1024, of which a quarter are files), which the row shows.
# Four clients send 125 writes per second each; their rate while `octavo backup` runs is compared
# with their rate without it, in turns. The backup is a single file, so that every byte is copied.

backup_mb=${BENCH_BACKUP_MB:-1024}

# A quarter of the data are files that a page could name, the rest are rows, like the bodies of pages.
backup_data() {
	say "an installation of $backup_mb MB"
	bk_token=$(json "$bk_dir" .token init --email b@example.com --name B --org Backup)
	mkdir -p "$tmp/backup_repo/.gitbook/assets"
	printf '# Home\n' >"$tmp/backup_repo/README.md"
	for bk_i in $(seq $((backup_mb / 16 + 1))); do head -c 4194304 /dev/urandom >"$tmp/backup_repo/.gitbook/assets/f$bk_i.bin"; done
	git -C "$tmp/backup_repo" init -q -b main
	git -C "$tmp/backup_repo" -c core.compression=0 add -A
	git -C "$tmp/backup_repo" -c user.name=B -c user.email=b@example.com -c commit.gpgsign=false commit -q -m one
	bk_space=$(json "$bk_dir" .result.space import --org Backup --title Backup --url "$tmp/backup_repo")
	rm -rf "$tmp/backup_repo"
	sql "$bk_dir" "INSERT INTO blob_data (data, size) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
		WHERE i < $((backup_mb * 12))) SELECT randomblob(65000), 65000 FROM n" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
}

# writes_while COMMAND...: writes per second while it runs. The part of the URL after # only makes
# curl repeat it; stdbuf(1) makes curl print each status at once.
writes_while() {
	rm -f "$tmp"/written.*
	for bk_i in 1 2 3 4; do
		stdbuf -oL curl -s -m 60 --rate 125/s -o /dev/null -w '%{http_code}\n' -X POST -H "Authorization: Bearer $bk_token" \
			-H 'Content-Type: application/json' -d '{"subject":"B"}' \
			"$base/v1/spaces/$bk_space/change-requests#[1-1000000]" >"$tmp/written.$bk_i" 2>/dev/null &
		eval "bk_pid$bk_i=\$!"
	done
	sleep 1
	bk_from=$(now_ms) bk_before=$(cat "$tmp"/written.* | grep -c '^201')
	"$@" >"$tmp/backup.log" 2>&1 || give_up "$*: $(cat "$tmp/backup.log")"
	bk_to=$(now_ms) bk_after=$(cat "$tmp"/written.* | grep -c '^201')
	kill $bk_pid1 $bk_pid2 $bk_pid3 $bk_pid4
	wait $bk_pid1 $bk_pid2 $bk_pid3 $bk_pid4 2>/dev/null
	! grep -qvE '^201$' "$tmp"/written.[1-4] || give_up "a write: $(cat "$tmp"/written.* | sort | uniq -c | tr '\n' ' ')"
	bk_ms=$((bk_to - bk_from))
	awk -v n=$((bk_after - bk_before)) -v ms=$bk_ms 'BEGIN { print n * 1000 / ms }'
}

row_backup() {
	bk_dir=$tmp/backup_data
	backup_data
	service "$bk_dir"
	: >"$tmp/measure"
	for bk_round in 1 2 3; do
		bk_with=$(writes_while "$octavo" backup "$tmp/backup.tar" --dir "$bk_dir")
		bk_without=$(writes_while sleep 5)
		echo "$bk_with $bk_without" >>"$tmp/measure"
	done
	bk_bytes=$(stat -c %s "$tmp/backup.tar")
	"$octavo" backup "$tmp/backup.tar" --verify >"$tmp/backup.log" 2>&1 || give_up "the backup: $(cat "$tmp/backup.log")"
	"$octavo" down --dir "$bk_dir" >/dev/null 2>&1
	rm -rf "$bk_dir" "$tmp/backup.tar"
	row "500 writes/s during backup of $((bk_bytes >> 20)) MB : without" '/s' ge 0.8 "$tmp/measure"
}
