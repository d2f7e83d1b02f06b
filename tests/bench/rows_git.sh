# Rows of a space bound to a branch, over smart HTTP on loopback. Names: run.sh.
#
# Octavo's figure is the time of the job, from its start to its end; git's is that of its command.

# git with a fixed author and without this machine's settings.
git_quiet() {
	env GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Dev GIT_AUTHOR_EMAIL=dev@example.org \
		GIT_COMMITTER_NAME=Dev GIT_COMMITTER_EMAIL=dev@example.org git "$@" >"$tmp/git.out" 2>&1 || give_up "git $*: $(cat "$tmp/git.out")"
}

# ms_of COMMAND...: its duration
ms_of() {
	m_start=$(now_ms)
	"$@" >/dev/null
	echo $(($(now_ms) - m_start))
}

# git_job [SINCE]: waits until the bound space has no job left; prints the milliseconds of the last
# one, or of the longest one since SINCE (ms)
git_job() {
	for j_i in $(seq 1200); do
		[ "$(sql "$main_dir" "SELECT count(*) FROM job WHERE space = '$bound' AND state IN ('queued', 'running')")" -gt 0 ] || break
		sleep 0.05
	done
	j_last=$(sql "$main_dir" "SELECT state || ' ' || (ended_at - started_at) FROM job WHERE space = '$bound' AND created_at >= ${1:-0}
		ORDER BY ${1:+ended_at - started_at DESC,} created_at DESC, id LIMIT 1")
	case $j_last in "done "*) echo "${j_last#done }" ;; *) give_up "the job of the bound space: $j_last" ;; esac
}

# bound_run [SINCE]
bound_run() {
	api POST "$bound_api/binding/run" "$main_admin" >/dev/null
	git_job "$@"
}

# gl-sdk on the server, a space bound to it, and two clones: one that writes, one that reads.
bound_make() {
	[ -n "${git_cgi:-}" ] || git_server_start
	mkdir -p "$g_root/repos/bound"
	bound_url=$git_base/bound/gl-sdk.git
	git clone -q --bare "$corpus/gl-sdk.bundle" "$g_root/repos/bound/gl-sdk.git"
	git -C "$g_root/repos/bound/gl-sdk.git" config http.receivepack true
	bound_branch=$(git -C "$g_root/repos/bound/gl-sdk.git" symbolic-ref --short HEAD)
	bound=$(json "$main_dir" .result.space import --org "$main_org" --title Bound --url "$bound_url" --project-dir gitbook)
	bound_api=$main_base/v1/spaces/$bound/git
	api PUT "$bound_api/binding" "$main_admin" \
		"{\"url\":\"$bound_url\",\"ref\":\"refs/heads/$bound_branch\",\"repoProjectDirectory\":\"gitbook\",\"minutes\":10080}" >/dev/null
	git_job >/dev/null
	git clone -q "$bound_url" "$tmp/writes"
	git clone -q "$bound_url" "$tmp/looks"
	bound_file=$(git -C "$tmp/writes" ls-files 'gitbook/*.md' | grep -v SUMMARY | sed -n 5p)
	bound_page=$(api GET "$main_base/v1/spaces/$bound/content/pages" "$main_admin" | jq -r "[.. | objects | select(.type == \"document\")][9].id")
}

export_ms() {
	api POST "$bound_api/export" "$main_admin" "{\"url\":\"$bound_url\",\"ref\":\"refs/heads/$bound_branch\",\"repoProjectDirectory\":\"gitbook\",\"commitMessage\":\"Bench\"}" >/dev/null
	git_job
}

ls_remote_ms() { ms_of git ls-remote "$bound_url" "refs/heads/$bound_branch"; }

# An edit in the space, merged: the job that exports it. Then the same edit by git, which is imported.
edit_here() {
	h_n=$(request_new "$main_base" "$main_admin" "$bound")
	api POST "$main_base/v1/spaces/$bound/change-requests/$h_n/content" "$main_admin" "$(edit "$bound_page" "$1")" >/dev/null
	# The merge may queue the job by itself; the requested run then has nothing to do.
	h_since=$(date +%s%3N)
	api POST "$main_base/v1/spaces/$bound/change-requests/$h_n/merge" "$main_admin" '{}' >/dev/null
	bound_run "$h_since"
}

edit_there() {
	git_quiet -C "$tmp/writes" pull -q
	git_quiet -C "$tmp/looks" pull -q
	printf '\nWords of round %s.\n' "$1" >>"$tmp/writes/$bound_file"
	ms_of commit_and_push
}

commit_and_push() {
	git_quiet -C "$tmp/writes" commit -q -am Words
	git_quiet -C "$tmp/writes" push -q
}

nodes() { sql "$main_dir" 'SELECT count(*) FROM node'; }

row_git() {
	if [ ! -r "$corpus/gl-sdk.bundle" ]; then
		row_skip 'export and taking in : git' 'no corpus'
		return
	fi
	bound_make
	in_turns export_ms ls_remote_ms
	row 'export with nothing changed : git ls-remote' ms le 1.3 "$tmp/measure"
	g_n=0 g_rows=0
	while [ $g_n -lt "$rounds" ]; do
		g_n=$((g_n + 1))
		g_here=$(edit_here "$g_n")
		g_push=$(edit_there "$g_n")
		echo "$g_here $g_push" >>"$tmp/export"
		g_fetch=$(ms_of git_quiet -C "$tmp/looks" fetch -q)
		g_before=$(nodes)
		echo "$(bound_run) $g_fetch" >>"$tmp/taken"
		g_rows=$(($(nodes) - g_before))
		[ $g_rows -le 2 ] || g_many="$g_rows rows"
	done
	row 'export of a page of gl-sdk : git commit, git push' ms le 2 "$tmp/export"
	row 'a push of one page taken in : git fetch' ms le 2 "$tmp/taken" "${g_many:-ok}"
}
