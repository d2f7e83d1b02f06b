# Sites that other generators build from the same pages, for compare.sh. tests/tools/test_compare.sh tests this file.

# peak SESSION FILE: peak memory in MB of the processes of a session, until the file exists or the session has ended
peak() {
	until [ -e "$2" ] || ! ps -o pid= -s "$1" >/dev/null; do
		ps -o rss= -s "$1" | awk '{ s += $1 } END { print s / 1024 }'
		sleep 0.2
	done | sort -g | tail -n 1
}

# other_installed NAME: true if the generator can be run
other_installed() {
	if [ "$1" = material ]; then
		material_version=$(dpkg-query -W -f '${Version}' mkdocs-material 2>"$tmp/npm")
		export material_version
	else
		npm_packages "$here/compare/$1"
	fi
}

# other_builds NAME FOLDER COMMAND...: another generator builds the same pages without caches in $tmp/NAME, into its FOLDER:
# sets NAME_base, NAME_seconds, NAME_mb. A generator that cannot be installed or whose build fails is left out: NAME_base is empty.
other_builds() {
	s_name=$1 s_out=$2 s_at=$tmp/$1 s_base='' s_seconds=0 s_mb=0
	shift 2
	if other_installed "$s_name"; then
		mkdir -p "$s_at"
		node "$here/compare/project.mjs" "$s_name" "$tmp/gl-sdk/gitbook" "$s_at" || give_up "no project for $s_name"
		[ -e "$s_at/package.json" ] || [ "$s_name" = material ] || cp "$here/compare/$s_name/package.json" "$s_at/"
		[ "$s_name" = material ] || cp -r "$here/compare/$s_name/node_modules" "$s_at/"
		say "$s_name builds"
		(cd "$s_at" && ASTRO_TELEMETRY_DISABLED=1 DOCUSAURUS_NO_TELEMETRY=1 exec setsid -w sh -c 'echo $$ >pid; "$@"; s=$?; times >used; exit $s' - "$@") \
			>"$tmp/$s_name.log" 2>&1 &
		s_build=$!
		until [ -s "$s_at/pid" ]; do sleep 0.1; done
		s_mb=$(peak "$(cat "$s_at/pid")" "$s_at/used")
		wait "$s_build" || {
			say "no $s_name, whose build failed: $(tail -n 5 "$tmp/$s_name.log")"
			eval "export ${s_name}_base= ${s_name}_seconds=0 ${s_name}_mb=0"
			return
		}
		# The second line has the times of the children: "1m2.345s 0m1.234s".
		s_seconds=$(sed -n 2p "$s_at/used" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
		rm -rf "${s_at:?}/node_modules"
		file_server "$s_at/$s_out" 'include /etc/nginx/mime.types; gzip on; gzip_types text/css text/javascript application/javascript application/json image/svg+xml; error_page 404 /404.html; location / { try_files $uri $uri.html $uri/index.html =404; }'
		s_base=$file_base/
	else
		say "no $s_name: $(tail -n 1 "$tmp/npm")"
	fi
	eval "export ${s_name}_base=\$s_base ${s_name}_seconds=\$s_seconds ${s_name}_mb=\$s_mb"
}
