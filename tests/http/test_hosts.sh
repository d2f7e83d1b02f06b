#!/bin/sh
# The unchanged cases of the HTTP API behind each web server that the manual describes, at the root
# and below a path:
#
#   sh tests/http/run.sh tests/http/test_hosts.sh                a sample of cases on each host
#   sh tests/http/run.sh 'tests/http/test_hosts.sh cgid/docs'    all cases on one; or: cgid FILE...
#
# HOST is nginx, proxy_fcgi, fcgid or cgid, and HOST/docs the same below /docs; `make hosts` runs
# all of them. nginx and proxy_fcgi use the files of `make install` and the pools of `octavo up`;
# fcgid and cgid use the archive for shared hosts with its .htaccess, and start programs by
# themselves.
#
# Apache must not run as root: if root runs this, it continues as nobody. Needs OCTAVO_BUILD.
set -u
. tests/http/archive.sh
HOSTS='nginx nginx/docs proxy_fcgi proxy_fcgi/docs fcgid fcgid/docs cgid cgid/docs'
# Cases in which web servers differ: paths and methods, hosts, and files with ETags and ranges,
# cookies and forms.
SAMPLE='20_http 49_hostname 51_downloads 68_pages'
if [ "$(id -u)" -eq 0 ]; then
	# Directly in /tmp, because paths of sockets must be short.
	TMPDIR=$(mktemp -d /tmp/oh-XXXXXX)
	chown nobody "$TMPDIR"
	HOME=$TMPDIR
	export TMPDIR HOME
	# The archive is made by a user who may write to the build folder.
	case $OCTAVO_BUILD${1:-cgid} in
	*-san*) ;;
	*cgid*) archive_make "$TMPDIR/octavo.tar.gz" && chmod 644 "$TMPDIR/octavo.tar.gz" ;;
	esac
	OCTAVO_ARCHIVE=$TMPDIR/octavo.tar.gz
	export OCTAVO_ARCHIVE
	setpriv --reuid=nobody --regid=nogroup --clear-groups sh "$0" "$@" &
	trap 'kill $!' INT TERM HUP
	wait $!
	status=$?
	# A trap ends the first wait before the signalled process has exited.
	trap '' INT TERM HUP
	wait $!
	rm -rf "$TMPDIR"
	exit $status
fi
TRANSPORT=http
. tests/http/lib.sh
PATH=$PATH:/usr/sbin
th_modules=/usr/lib/apache2/modules

# Processes of the current host: web servers, by their own files, and programs started by requests,
# by their environment.
of_host() { grep -lzs "^OCTAVO_DIR=$dir" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||' | grep -vx $$; }
gone() { ! kill -0 "$1" 2>/dev/null; }
host_stop() {
	for hs_file in "$th_dir"/*.pid; do
		[ -s "$hs_file" ] || continue
		hs_pid=$(cat "$hs_file")
		kill "$hs_pid" 2>/dev/null
		hs_left=100
		until gone "$hs_pid" || [ $hs_left = 0 ]; do sleep 0.1; hs_left=$((hs_left - 1)); done
	done
	[ -z "$th_pools" ] || "$octavo" down --dir "$dir" >/dev/null 2>&1
	for hs_pid in $(of_host); do
		case $(cat "/proc/$hs_pid/comm" 2>/dev/null) in octavo* | ld.so | *.fcgi | *.cgi) kill "$hs_pid" 2>/dev/null ;; esac
	done
}
th_dir='' th_pools=''
finish() {
	[ -z "$th_dir" ] || host_stop
	rm -rf "$tmp"
	ended_early
}

port_free() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

# Requests that a server refuses before it chooses a site (bytes that are no path, names longer than
# a file's, lines longer than its buffer): the site in front, or Apache, answers them.
answered_before() {
	case $th_host:$c_name in
	nginx:* | nginx/docs:'an id of 8,000'*) return 1 ;;
	proxy_fcgi:'an escape of'* | proxy_fcgi*:'an id of 8,000'* | proxy_fcgi:'an address of 8,200'*) return 1 ;;
	*:'a NUL in an address'* | *:'an escape of'* | *:'an id of 8,000'* | *:'an address of 8,200'*)
		[ -z "$(header x-request-id)" ] ;;
	*) return 1 ;;
	esac
}

# ---- the hosts: each writes its configuration into $th_dir and starts ----

# The web server's files from `make install`, for the pools of `octavo up`. The rate limit is
# raised, since a test sends more requests than a client may.
installed() {
	DESTDIR=$th_dir/root PREFIX=/usr STATE=$dir RUN=$dir/run sh tools/install.sh install
	th_share=$th_dir/root/usr/share
	sed -i "s|/usr/share|$th_share|g" "$th_share"/octavo/nginx/*.conf "$th_share"/octavo/apache/*.conf
	sed -i -E 's|rate=[0-9]+r/s|rate=100000r/s|; s|burst=[0-9]+|burst=10000|; s|/var/log/nginx/octavo.log|'"$dir"'/log/access.log|' \
		"$th_share"/octavo/nginx/*.conf
	OCTAVO_URL=$base "$octavo" up --dir "$dir" --port 0 --workers 4 >"$tmp/up" 2>&1 || give_up 'octavo up' "$(cat "$tmp/up")"
}

nginx_start() {
	mkdir "$th_dir/nginx"
	cat >"$th_dir/nginx.conf" <<-END
		daemon on; pid $th_dir/nginx.pid; error_log $th_dir/nginx/error.log;
		worker_processes 2;
		events { worker_connections 1024; }
		http {
			client_body_temp_path $th_dir/nginx/b; fastcgi_temp_path $th_dir/nginx/f; proxy_temp_path $th_dir/nginx/p;
			uwsgi_temp_path $th_dir/nginx/u; scgi_temp_path $th_dir/nginx/s;
			include $th_share/octavo/nginx/http.conf;
			access_log off;
			$1
		}
	END
	nginx -c "$th_dir/nginx.conf" 2>"$th_dir/start" || give_up "$th_host" "$(cat "$th_dir/start")"
}

host_nginx() {
	installed
	nginx_start "server {
		listen 127.0.0.1:$port;
		access_log $dir/log/access.log octavo;
		include $th_share/octavo/nginx/locations.conf;
	}"
}

# beside.conf, and the location for the other site that its comment describes.
host_nginx_docs() {
	installed
	th_inner=$(port_free)
	sed -i "s/8470/$th_inner/; s|access_log off|access_log $dir/log/access.log octavo|" "$th_share/octavo/nginx/beside.conf"
	nginx_start "include $th_share/octavo/nginx/beside.conf;
		server {
			listen 127.0.0.1:$port;
			location / { return 200 'the other site'; }
			$(sed -n '/location ^~/,/^#        }/{s/^#//;p;}' "$th_share/octavo/nginx/beside.conf")
		}"
}

# apache_start MODULES: the rest of the configuration is read from standard input
apache_start() {
	{
		printf 'ServerRoot %s\nServerName localhost\nListen 127.0.0.1:%s\nPidFile %s/apache.pid\nErrorLog %s/error.log\n' "$th_dir" "$port" "$th_dir" "$th_dir"
		for m in mpm_event authz_core authz_host alias dir env filter deflate headers mime rewrite setenvif log_config $1; do
			[ ! -e $th_modules/mod_$m.so ] || printf 'LoadModule %s_module %s/mod_%s.so\n' "$m" $th_modules "$m"
		done
		printf 'TypesConfig /dev/null\nStartServers 1\nThreadsPerChild 16\nMaxRequestWorkers 16\nServerLimit 1\n'
		printf 'DocumentRoot %s/html\n<Directory />\nRequire all denied\n</Directory>\n' "$th_dir"
		cat
	} >"$th_dir/apache.conf"
	mkdir -p "$th_dir/html"
	APACHE_LOG_DIR=$dir/log apache2 -f "$th_dir/apache.conf" -k start >"$th_dir/start" 2>&1 || give_up "$th_host" "$(cat "$th_dir/start" "$th_dir/error.log")"
}

# The file of `make install`, without the parts that need a certificate.
host_proxy_fcgi() {
	installed
	sed -e "s/\*:443/127.0.0.1:$port/; /SSL/d; /^<VirtualHost \*:80>/,\$d; s|octavo\.log|access.log|" \
		"$th_share/octavo/apache/octavo.conf" | apache_start 'proxy proxy_fcgi'
}

host_proxy_fcgi_docs() {
	installed
	# The log is in the other site's file; the existing one is that of `octavo up`'s nginx,
	# which gets no requests.
	rm -f "$dir/log/access.log"
	apache_start 'proxy proxy_fcgi' <<-END
		<VirtualHost 127.0.0.1:$port>
			<Directory $th_dir/html>
				Require all granted
			</Directory>
			Include $th_share/octavo/apache/beside.conf
		</VirtualHost>
	END
}

# shared MODULE: the archive, unpacked and configured as the chapter "Shared hosting" says.
shared() {
	th_www=$th_dir/html$below
	mkdir -p "$th_www"
	tar -C "$th_dir" -xzf "$OCTAVO_ARCHIVE"
	mv "$th_dir/octavo/www/.htaccess" "$th_dir/octavo/www/"* "$th_www/"
	sed -i "s|^SetEnv OCTAVO_URL .*|SetEnv OCTAVO_URL $base|" "$th_www/.htaccess"
	printf 'SetEnv %s\n' "OCTAVO_DIR $dir" 'OCTAVO_SELFCHECK 1' "OCTAVO_ACCESS_LOG $OCTAVO_ACCESS_LOG" >>"$th_www/.htaccess"
	# Settings that a host makes for all customers: without the first, %2F is refused (the chapter says so).
	apache_start "$1" <<-END
		AllowEncodedSlashes NoDecode
		<Directory $th_dir/html>
			AllowOverride All
			Require all granted
		</Directory>
		<IfModule mod_cgid.c>
			ScriptSock $th_dir/cgid.sock
		</IfModule>
		<IfModule mod_fcgid.c>
			FcgidIPCDir $th_dir/fcgid
			FcgidProcessTableFile $th_dir/fcgid.shm
			FcgidMaxRequestLen 20971520
		</IfModule>
	END
}
host_fcgid() { shared fcgid; }
host_fcgid_docs() { shared fcgid; }
host_cgid() { shared cgid; }
host_cgid_docs() { shared cgid; }

# On shared hosts a request starts a runner, which ends with the queue; jobs that the cases queue in
# other ways wait for cron.
runner_stays() { [ -n "$th_pools" ]; }

# Replaces `octavo up`, which lib.sh starts.
service_start() {
	port=$(port_free) below=''
	case $th_host in */docs) below=/docs ;; esac
	base=http://127.0.0.1:$port$below
	case $th_host in nginx* | proxy*) th_pools=1 ;; *) th_pools='' ;; esac
	mkdir -p "$dir/log"
	"host_$(echo "$th_host" | tr / _)"
}

# run_on HOST CASES...: copies the fixture's data, starts the host, runs the cases, stops the host
run_on() {
	th_host=$1 th_dir=$tmp/$(echo "$1" | tr / -)
	shift
	dir=$th_dir/data
	mkdir "$th_dir"
	cp -a "$tmp/data" "$dir"
	fixture_serve
	for cases in "$@"; do
		. "$cases"
	done
	log_check
	host_stop
	th_dir=''
}

case $OCTAVO_BUILD in *-san)
	# A sanitizer's runtime reads its threads below /proc, which this user may not.
	skip hosts 'not with sanitized programs'
	summary
	;;
esac
if ! command -v apache2 >/dev/null || ! command -v nginx >/dev/null || [ ! -e $th_modules/mod_fcgid.so ]; then
	skip hosts 'needs nginx-light, apache2 and libapache2-mod-fcgid'
	summary
fi
[ $# -gt 0 ] || set -- "$HOSTS"
if [ -z "${OCTAVO_ARCHIVE:-}" ]; then
	OCTAVO_ARCHIVE=$tmp/octavo.tar.gz
	case $1 in *cgid*) archive_make "$OCTAVO_ARCHIVE" || give_up archive 'not made' ;; esac
fi
fixture_people
fixture_spaces
if [ "$1" = "$HOSTS" ]; then
	set --
	for name in $SAMPLE; do set -- "$@" "tests/http/cases/$name.sh"; done
	for each in $HOSTS; do
		before="$passed passed" failed_before=$failed
		run_on "$each" "$@"
		[ "$failed" -eq "$failed_before" ] || echo "on $each: $((failed - failed_before)) failed"
	done
else
	th_one=$1
	shift
	[ $# -gt 0 ] || set -- tests/http/cases/*.sh
	run_on "$th_one" "$@"
fi
summary
