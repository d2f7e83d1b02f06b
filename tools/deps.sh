#!/bin/sh
# Installs the Debian packages that are missing: sh tools/deps.sh style|run|deb|test|bench
#
#   style for the house rules and the tests of the tools alone
#   run   to build and run Octavo
#   deb   that, and what `make deb` uses
#   test  that, and what the tests use
#   bench what `make bench` uses
#
# Checks for the files and programs, not for package names, so that a compiler or Node from another
# source is accepted. Only root can install; for other users it prints the command for root. Nothing
# is downloaded when nothing is missing.
set -eu

# package=program, or package=file
run='
gcc=cc make=make libc6-dev=/usr/include/stdio.h
libfcgi-dev=/usr/include/fcgiapp.h libcjson-dev=/usr/include/cjson/cJSON.h
libsqlite3-dev=/usr/include/sqlite3.h libpq-dev=/usr/include/postgresql/libpq-fe.h libcmark-gfm-dev=/usr/include/cmark-gfm.h
libcmark-gfm-extensions-dev=/usr/include/cmark-gfm-core-extensions.h
libsodium-dev=/usr/include/sodium.h libyaml-dev=/usr/include/yaml.h
libgumbo-dev=/usr/include/gumbo.h libutf8proc-dev=/usr/include/utf8proc.h
libgit2-dev=/usr/include/git2.h libarchive-dev=/usr/include/archive.h libpcre2-dev=/usr/include/pcre2.h
libstemmer-dev=/usr/include/libstemmer.h zlib1g-dev=/usr/include/zlib.h libzstd-dev=/usr/include/zstd.h
duktape-dev=/usr/include/duktape.h node-prismjs=/usr/share/nodejs/prismjs/components.json
bootstrap-icons=/usr/share/bootstrap-icons/svg/book.svg
golang-github-yuin-goldmark-emoji-dev=/usr/share/gocode/src/github.com/yuin/goldmark-emoji/definition/github.go
python3-zxcvbn=/usr/lib/python3/dist-packages/zxcvbn/frequency_lists.py
libjs-katex=/usr/share/javascript/katex/katex.min.js
libjs-codemirror=/usr/share/javascript/codemirror/lib/codemirror.js
libcurl4-openssl-dev=curl-config libcjose-dev=/usr/include/cjose/cjose.h
libfido2-dev=/usr/include/fido.h liblasso3-dev=/usr/include/lasso/lasso.h pkg-config=pkg-config
libpango1.0-dev=/usr/include/pango-1.0/pango/pangocairo.h libcairo2-dev=/usr/include/cairo/cairo-pdf.h
librsvg2-dev=/usr/include/librsvg-2.0/librsvg/rsvg.h
libgdk-pixbuf-2.0-dev=/usr/include/gdk-pixbuf-2.0/gdk-pixbuf/gdk-pixbuf.h libwebp-dev=/usr/include/webp/mux.h
openapi-specification=/usr/share/openapi-specification/schemas
nginx-light=nginx spawn-fcgi=spawn-fcgi multiwatch=multiwatch
curl=curl git=git ca-certificates=/etc/ssl/certs/ca-certificates.crt'
style='pkg-config=pkg-config gcc=cc libc6-dev=/usr/include/stdio.h make=make git=git'
deb='dpkg-dev=dpkg-shlibdeps'
test='apache2=apache2 libapache2-mod-fcgid=/usr/lib/apache2/modules/mod_fcgid.so
chromium=chromium libcmocka-dev=/usr/include/cmocka.h nodejs=node npm=npm jq=jq gojq=gojq fcgiwrap=fcgiwrap
poppler-utils=pdftotext qpdf=qpdf unzip=unzip pandoc=pandoc fonts-wqy-microhei=/usr/share/fonts/truetype/wqy/wqy-microhei.ttc
json-schema-test-suite=/usr/share/json-schema-test-suite
openssh-server=sshd openssh-client=ssh-agent xmlsec1=xmlsec1
groff-base=groff lintian=lintian postgresql-15=/usr/lib/postgresql/15/bin/postgres
apertium=apertium apertium-eng-spa=/usr/share/apertium/modes/eng-spa.mode
clang=clang libclang-rt-14-dev=/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux'
bench='jq=jq fcgiwrap=fcgiwrap wrk=wrk valgrind=valgrind'

case ${1:-} in
style) wanted=$style ;;
run) wanted=$run ;;
deb) wanted="$run $deb" ;;
test) wanted="$run $deb $test" ;;
bench) wanted="$run $bench" ;;
*)
	echo 'Usage: sh tools/deps.sh style|run|deb|test|bench' >&2
	exit 2 ;;
esac
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

list_missing() {
	for pair in $wanted; do
		case ${pair#*=} in
		/*) [ -e "${pair#*=}" ] || echo "${pair%%=*}" ;;
		*) command -v "${pair#*=}" >/dev/null 2>&1 || echo "${pair%%=*}" ;;
		esac
	done | tr '\n' ' '
}

missing=$(list_missing)
[ -n "$missing" ] || exit 0
line="apt-get update && apt-get install -y --no-install-recommends $missing"
if ! command -v apt-get >/dev/null 2>&1; then
	echo "Missing here (names of the Debian packages): $missing" >&2
	exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
	echo 'Some packages are missing, and only root may install them. Run as root:' >&2
	echo "  $line" >&2
	exit 2
fi

# Two runs at a time would conflict over apt's locks; the second one finds everything installed.
exec 9</var/lib/dpkg
flock 9
missing=$(list_missing)
[ -n "$missing" ] || exit 0
echo "Installing $(echo "$missing" | wc -w) packages with what they need (minutes, on a new machine): $missing"

# The installation must not start a web server on this machine.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap 'rm -f $policy' EXIT
	trap 'exit 1' INT TERM HUP
	printf '#!/bin/sh\nexit 101\n' >$policy
	chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
# shellcheck disable=SC2086
if ! { apt-get update -q && apt-get -o DPkg::Lock::Timeout=600 install -q -y \
	--no-install-recommends $missing; } >"$log" 2>&1; then
	cat "$log" >&2
	rm -f "$log"
	echo "Installing failed; the line was: $line" >&2
	exit 1
fi
rm -f "$log"
missing=$(list_missing)
if [ -n "$missing" ]; then
	echo "Still missing after the installation: $missing" >&2
	exit 1
fi
