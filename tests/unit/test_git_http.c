/*
 * git_fetch() over the network, against real servers on loopback (nginx with git http-backend, git
 * daemon) and against servers that misbehave on purpose.
 */
#include "git_fixture.h"

#define PASSWORD "s3kret%&/=pass"
#define PASSWORD_URL "s3kret%25%26%2F%3Dpass"

static int   web_port, daemon_port;
static pid_t servers[3];

static const char nginx_conf[] =
    "daemon off; master_process off; worker_processes 1; pid %1$s/nginx.pid; error_log %1$s/nginx.err;\n"
    "events { }\n"
    "http { access_log off; client_body_temp_path %1$s/n1; proxy_temp_path %1$s/n2; fastcgi_temp_path %1$s/n3;\n"
    " uwsgi_temp_path %1$s/n4; scgi_temp_path %1$s/n5;\n"
    " server { listen 127.0.0.1:%2$d; listen 127.0.0.2:%2$d;\n"
    "  set $root %1$s; \n"
    "  location /git/ { rewrite ^/git(/.*)$ $1 break; include %1$s/cgi.conf; }\n"
    "  location /private/ { auth_basic x; auth_basic_user_file %1$s/htpasswd; rewrite ^/private(/.*)$ $1 break;\n"
    "   include %1$s/cgi.conf; }\n"
    "  location /away/ { return 301 http://127.0.0.2:%2$d/git/docs.git/info/refs?service=git-upload-pack; }\n"
    "  location /same/ { rewrite ^/same/(.*)$ /git/$1 redirect; }\n"
    "  location /loop/ { return 302 $uri?$args; }\n"
    "  location /bare/ { return 302 /git/docs.git/info/refs; }\n"
    "  location /tofile/ { return 302 file://%1$s/docs.git; }\n"
    "  location /html/ { default_type text/html; return 200 '<html>hello</html>'; }\n"
    "  location /forbidden/ { return 403; }\n"
    "  location /broken/ { return 503; }\n"
    "  location /400/ { return 400; }\n  location /402/ { return 402; }\n  location /405/ { return 405; }\n"
    "  location /418/ { return 418; }\n  location /451/ { return 451; }\n  location /501/ { return 501; }\n"
    "  location /204/ { return 204; }\n  location /410/ { return 410; }\n  location /407/ { return 407; }\n"
    "  location /408/ { return 408; }\n  location /429/ { return 429; }\n  location /500/ { return 500; }\n"
    "  location /502/ { return 502; }\n  location /504/ { return 504; }\n"
    "  location /noise/ { default_type application/x-git-upload-pack-advertisement; return 200 'no packets'; }\n"
    " } }\n";

static const char cgi_conf[] =
    "fastcgi_pass unix:%1$s/cgi.sock; fastcgi_param SCRIPT_FILENAME %2$s/git-http-backend;\n"
    "fastcgi_param GIT_PROJECT_ROOT %1$s; fastcgi_param GIT_HTTP_EXPORT_ALL 1; fastcgi_param PATH_INFO $uri;\n"
    "fastcgi_param QUERY_STRING $args; fastcgi_param REQUEST_METHOD $request_method;\n"
    "fastcgi_param CONTENT_TYPE $content_type; fastcgi_param CONTENT_LENGTH $content_length;\n"
    "fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding; fastcgi_param REMOTE_USER $remote_user;\n"
    "fastcgi_param GIT_CONFIG_NOSYSTEM 1; fastcgi_param GIT_CONFIG_GLOBAL /dev/null;\n";

static bool
write_conf(const char *name, const char *fmt, const char *exec_path)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", tmp, name);
	f = fopen(path, "w");
	if (f == NULL)
		return false;
	if (fmt == nginx_conf)
		fprintf(f, nginx_conf, tmp, web_port);
	else if (fmt == cgi_conf)
		fprintf(f, cgi_conf, tmp, exec_path);
	else
		fprintf(f, "alice:{PLAIN}%s\n", PASSWORD);
	return fclose(f) == 0;
}

static bool
web_start(const char *exec_path)
{
	char conf[200], prefix[200], sock[200];
	char *nginx[] = { "nginx", "-p", prefix, "-c", conf, NULL };
	char *cgi[] = { "fcgiwrap", "-s", sock, NULL };

	web_port = free_port();
	snprintf(conf, sizeof(conf), "%s/nginx.conf", tmp);
	snprintf(prefix, sizeof(prefix), "%s", tmp);
	snprintf(sock, sizeof(sock), "unix:%s/cgi.sock", tmp);
	if (!write_conf("nginx.conf", nginx_conf, NULL) || !write_conf("cgi.conf", cgi_conf, exec_path) ||
	    !write_conf("htpasswd", "", NULL))
		return false;
	servers[0] = start(cgi);
	servers[1] = start(nginx);
	return wait_port(web_port);
}

static bool
daemon_start(const char *exec_path)
{
	char program[300], base[200], port[40];
	char *argv[] = { program, "--export-all", base, "--listen=127.0.0.1", port, "--reuseaddr", NULL };

	daemon_port = free_port();
	snprintf(program, sizeof(program), "%s/git-daemon", exec_path);
	snprintf(base, sizeof(base), "--base-path=%s", tmp);
	snprintf(port, sizeof(port), "--port=%d", daemon_port);
	if (access(program, X_OK) != 0)
		return true;
	servers[2] = start(argv);
	return wait_port(daemon_port);
}

static int
group_start(void **state)
{
	char exec_path[200];

	(void)state;
	if (fixture_start() != 0)
		return -1;
	if (!have("git"))
		return 0;
	if (!make_repository() || !make_unreadable() || !sh("git init -q --bare empty.git"))
		return -1;
	snprintf(exec_path, sizeof(exec_path), "%s", output("git --exec-path"));
	if (have("nginx") && have("fcgiwrap") && !web_start(exec_path))
		return -1;
	return daemon_start(exec_path) ? 0 : -1;
}

static int
group_stop(void **state)
{
	size_t i;

	(void)state;
	for (i = 3; i-- > 0;)
		stop(servers[i]);
	return fixture_stop();
}

static void
need_web(void)
{
	need("git");
	need("nginx");
	need("fcgiwrap");
}

static const char *
web(const char *path)
{
	static char url[4][400];
	static int turn;
	char *u = url[turn++ % 4];

	snprintf(u, sizeof(url[0]), "http://127.0.0.1:%d%s", web_port, path);
	return u;
}

static struct git_result
fetch(const char *url, const char *ref, const char *user, const char *password)
{
	struct git_request q = request(url, "cache");
	struct git_result r;

	q.ref = ref;
	q.username = user;
	q.password = password;
	q.limits.seconds = 20;
	r = git_fetch(&q);
	assert_no_children(servers, 3);
	return r;
}

static void
a_repository_is_fetched_over_http(void **state)
{
	struct git_result r;

	(void)state;
	need_web();
	r = fetch(web("/git/docs.git"), NULL, NULL, NULL);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.ref, "refs/heads/main");
	assert_string_equal(r.commit, output("git -C docs.git rev-parse main"));
	assert_true(sh("! git -C cache cat-file -e $(git -C docs.git rev-parse side)"));
	r = fetch(web("/git/docs.git/"), "v1", NULL, NULL);
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C docs.git rev-parse 'v1^{commit}'"));
	r = fetch(web("/git/docs.git"), "side", NULL, NULL);
	assert_int_equal(r.status, GIT_DONE);
	assert_true(sh("git -C cache fsck --full"));
	assert_int_equal(fetch(web("/git/docs.git"), "nope", NULL, NULL).status, GIT_NO_REF);
	assert_int_equal(fetch(web("/git/empty.git"), NULL, NULL, NULL).status, GIT_NO_REF);
	assert_int_equal(fetch(web("/git/nothing.git"), NULL, NULL, NULL).status, GIT_NOT_FOUND);
}

static void
a_force_push_is_fetched_over_http(void **state)
{
	struct git_result r;

	(void)state;
	need_web();
	assert_int_equal(fetch(web("/git/docs.git"), "main", NULL, NULL).status, GIT_DONE);
	assert_true(sh("cp -r docs.git pushed.git && cd pushed.git && git branch -f main main~1 && "
	    "git branch -f main $(git commit-tree -p main -m Other side^{tree})"));
	r = fetch(web("/git/pushed.git"), "main", NULL, NULL);
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C pushed.git rev-parse main"));
}

static void
a_repository_is_fetched_over_git(void **state)
{
	struct git_result r;
	char url[200];

	(void)state;
	need("git");
	if (servers[2] == 0)
		skip();
	snprintf(url, sizeof(url), "git://127.0.0.1:%d/docs.git", daemon_port);
	r = fetch(url, "side", NULL, NULL);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C docs.git rev-parse side"));
	snprintf(url, sizeof(url), "git://127.0.0.1:%d/nothing.git", daemon_port);
	assert_int_equal(fetch(url, NULL, NULL, NULL).status, GIT_NOT_FOUND);
}

/* The reason why a repository cannot be read is recognized over every protocol. */
static void
unreadable_repositories_are_named(void **state)
{
	char url[2][200];

	(void)state;
	need_web();
	assert_unreadable(fetch(web("/git/sha256.git"), NULL, NULL, NULL), fetch(web("/git/partial.git"), NULL, NULL, NULL));
	assert_unreadable(fetch(web("/git/sha256.git"), "main", NULL, NULL), fetch(web("/git/partial.git"), "main", NULL, NULL));
	assert_unreadable(fetch(web("/private/sha256.git"), NULL, "alice", PASSWORD), fetch(web("/same/partial.git"), NULL, NULL, NULL));
	if (servers[2] == 0)
		skip();
	snprintf(url[0], sizeof(url[0]), "git://127.0.0.1:%d/sha256.git", daemon_port);
	snprintf(url[1], sizeof(url[1]), "git://127.0.0.1:%d/partial.git", daemon_port);
	assert_unreadable(fetch(url[0], NULL, NULL, NULL), fetch(url[1], NULL, NULL, NULL));
	/* A complete repository of the same server is fetched. */
	assert_int_equal(fetch(web("/git/docs.git"), NULL, NULL, NULL).status, GIT_DONE);
}

/* Errors that another attempt would not change are recognized by libgit2's error class, not by their text. */
static void
errors_that_pass_are_told_by_their_class(void **state)
{
	static const struct {
		const char *path;
		bool        passes;
	} rows[] = {
		{ "/204/x.git", false }, { "/400/x.git", false }, { "/402/x.git", false }, { "/405/x.git", false },
		{ "/407/x.git", false }, { "/410/x.git", false }, { "/418/x.git", false }, { "/451/x.git", false },
		{ "/501/x.git", false }, { "/noise/x.git", false },
		{ "/408/x.git", true }, { "/429/x.git", true }, { "/500/x.git", true }, { "/502/x.git", true },
		{ "/504/x.git", true },
	};
	struct git_result r;
	char url[200];
	size_t i;

	(void)state;
	need_web();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = fetch(web(rows[i].path), NULL, NULL, NULL);
		if ((r.status == GIT_FAILED) != rows[i].passes || r.status == GIT_DONE)
			fail_msg("%s: %d, %s", rows[i].path, r.status, r.message);
	}
	/* TLS to a server without it, and git's protocol to an HTTP server. */
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/git/docs.git", web_port);
	assert_int_equal(fetch(url, NULL, NULL, NULL).status, GIT_DENIED);
	snprintf(url, sizeof(url), "git://127.0.0.1:%d/docs.git", web_port);
	assert_int_equal(fetch(url, NULL, NULL, NULL).status, GIT_NOT_FOUND);
	/* A port without a listener may be a temporary failure; a name that does not exist is not. */
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/x.git", free_port());
	assert_int_equal(fetch(url, NULL, NULL, NULL).status, GIT_FAILED);
	assert_int_equal(fetch("http://no-such-name.invalid/x.git", NULL, NULL, NULL).status, GIT_NOT_FOUND);
}

static void
a_password_opens_a_repository(void **state)
{
	struct git_result r;

	(void)state;
	need_web();
	r = fetch(web("/private/docs.git"), NULL, "alice", PASSWORD);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	r = fetch(web("/private/docs.git"), NULL, "alice", "wrong-" PASSWORD);
	assert_int_equal(r.status, GIT_DENIED);
	assert_null(strstr(r.message, "s3kret"));
	r = fetch(web("/private/docs.git"), NULL, NULL, NULL);
	assert_int_equal(r.status, GIT_DENIED);
	assert_non_null(strstr(r.message, "asks for"));
	r = fetch(web("/private/docs.git"), NULL, "a-token-that-stands-alone-0123", NULL);
	assert_int_equal(r.status, GIT_DENIED);
	assert_null(strstr(r.message, "a-token"));
	assert_true(sh("! grep -r -q -e s3kret -e alice -e a-token cache"));
}

/* As the API does it: the URL is split, and its parts are passed to git_fetch(). */
static void
credentials_of_the_url_are_used(void **state)
{
	const char *clean, *user, *password;
	struct arena *a = arena_new(1 << 20);
	struct git_result r;
	char url[300];

	(void)state;
	need_web();
	snprintf(url, sizeof(url), "HTTP://alice:%s@127.0.0.1:%d/private/docs.git", PASSWORD_URL, web_port);
	assert_true(git_split_url(a, url, &clean, &user, &password));
	assert_string_equal(clean, web("/private/docs.git"));
	assert_string_equal(password, PASSWORD);
	assert_int_equal(fetch(clean, NULL, user, password).status, GIT_DONE);
	/* Also if the caller did not split it. */
	r = fetch(url, NULL, NULL, NULL);
	assert_int_equal(r.status, GIT_DONE);
	assert_true(sh("! grep -r -q -e s3kret -e alice cache"));
	arena_free(a);
}

static void
redirects_are_not_followed(void **state)
{
	struct git_result r;

	(void)state;
	need_web();
	r = fetch(web("/away/docs.git"), NULL, "alice", PASSWORD);
	assert_int_equal(r.status, GIT_BAD_URL);
	assert_non_null(strstr(r.message, "redirect"));
	assert_int_equal(fetch(web("/tofile/docs.git"), NULL, NULL, NULL).status, GIT_BAD_URL);
	assert_int_equal(fetch(web("/loop/docs.git"), NULL, NULL, NULL).status, GIT_BAD_URL);
	/* libgit2 1.5 crashes on a redirect that drops the query: only the child ends. */
	r = fetch(web("/bare/docs.git"), NULL, NULL, NULL);
	assert_true(r.status == GIT_BAD_URL || r.status == GIT_DONE);
	/* A redirect within the same host is followed. */
	assert_int_equal(fetch(web("/same/docs.git"), NULL, NULL, NULL).status, GIT_DONE);
}

static void
other_pages_are_no_repository(void **state)
{
	(void)state;
	need_web();
	assert_int_equal(fetch(web("/html/docs.git"), NULL, NULL, NULL).status, GIT_NOT_FOUND);
	assert_int_equal(fetch(web("/forbidden/docs.git"), NULL, NULL, NULL).status, GIT_DENIED);
	assert_int_equal(fetch(web("/broken/docs.git"), NULL, NULL, NULL).status, GIT_FAILED);
}

static void
private_hosts_are_refused(void **state)
{
	static const char *const urls[] = {
		"http://127.0.0.1:80/x.git", "http://localhost:80/x.git", "http://localhost.:80/x.git",
		"http://x.localhost:80/x.git", "http://0x7f.1:80/x.git", "http://2130706433:80/x.git", "http://127.1:80/x.git",
		"http://0:80/x.git", "http://[::1]:80/x.git", "http://[::ffff:127.0.0.1]:80/x.git",
		"http://[::ffff:7f00:1]:80/x.git", "git://127.0.0.1:80/x", "ssh://git@127.0.0.1:80/x",
		"https://169.254.169.254:80/latest", "http://10.0.0.1:80/x", "http://[fe80::1]:80/x", "http://[fd00::1]:80/x",
		"http://[64:ff9b::7f00:1]:80/x", "http://[2002:7f00:1::]:80/x",
	};
	char url[200], host[256] = "";
	struct git_request q;
	struct git_result r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		q = request(urls[i], "cache");
		q.private_hosts = false;
		r = git_fetch(&q);
		if (r.status != GIT_BAD_URL)
			fail_msg("%s: status %d, %s", urls[i], r.status, r.message);
	}
	/* A name that only the resolver maps to this machine: refused in the child, before it connects. */
	if (gethostname(host, sizeof(host) - 1) != 0 || host[0] == '\0')
		return;
	snprintf(url, sizeof(url), "http://%.100s:%d/git/docs.git", host, web_port == 0 ? 80 : web_port);
	q = request(url, "cache");
	q.private_hosts = false;
	r = git_fetch(&q);
	assert_true(r.status == GIT_BAD_URL || r.status == GIT_NOT_FOUND || r.status == GIT_FAILED);
	assert_true(r.status != GIT_DONE);
}

static bool
stop_at_once(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	(void)received;
	(void)total;
	(void)bytes;
	++*(int *)ctx;
	return false;
}

/* A server that accepts connections and never sends a byte. */
static void
a_silent_server_times_out(void **state)
{
	int port = 0, fd = listen_anywhere(&port), calls = 0;
	char url[100];
	struct git_request q;
	struct git_result r;
	double t = seconds_now();

	(void)state;
	assert_true(fd >= 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/docs.git", port);
	q = request(url, "cache");
	q.limits.seconds = 1;
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_TIMEOUT);
	assert_true(seconds_now() - t < 20);
	assert_no_children(servers, 3);
	q.limits.seconds = 30;
	q.progress = stop_at_once;
	q.ctx = &calls;
	t = seconds_now();
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_CANCELLED);
	assert_int_equal(calls, 1);
	assert_true(seconds_now() - t < 20);
	assert_no_children(servers, 3);
	close(fd);
	/* Now the port has no listener. */
	q = request(url, "cache");
	assert_int_equal(git_fetch(&q).status, GIT_FAILED);
}

struct peek {
	int  calls;
	bool leaked;
};

/* Reads the command lines of all children, as any user of the machine could. */
static bool
peek_at_processes(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	struct peek *p = ctx;

	(void)received;
	(void)total;
	(void)bytes;
	p->calls++;
	p->leaked |= !sh("! cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -q 'hidden-[p]assword'");
	return p->calls < 2;
}

static void
no_password_is_in_the_process_list(void **state)
{
	int port = 0, fd = listen_anywhere(&port);
	struct peek p = { 0 };
	struct git_request q;
	char url[100];

	(void)state;
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/docs.git", port);
	q = request(url, "cache");
	q.username = "u";
	q.password = "hidden-password";
	q.progress = peek_at_processes;
	q.ctx = &p;
	assert_int_equal(git_fetch(&q).status, GIT_CANCELLED);
	assert_int_equal(p.calls, 2);
	assert_false(p.leaked);
	close(fd);
}

/* Answers each connection's first request with the next of these replies. */
static pid_t
liar_start(int fd, const char *const *replies, size_t count)
{
	pid_t pid = fork();
	char buf[8192];
	size_t i, n;
	int c;

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0;; i = i + 1 < count ? i + 1 : i) {
		c = accept(fd, NULL, NULL);
		for (n = 0; n < sizeof(buf) - 1;) {
			ssize_t r = read(c, buf + n, sizeof(buf) - 1 - n);

			if (r <= 0)
				break;
			n += (size_t)r;
			buf[n] = '\0';
			if (strstr(buf, "\r\n\r\n") != NULL)
				break;
		}
		if (write(c, replies[i], strlen(replies[i])) < 0)
			_exit(1);
		close(c);
	}
}

/* A server that sends the credentials back in its error, as plain text and as it received them. */
static void
echoed_credentials_are_masked(void **state)
{
	static const char *const replies[] = {
		"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nConnection: close\r\n\r\n"
		"001e# service=git-upload-pack\n0000"
		"0056ERR no \x01\xff alice hunter2%hunter2 YWxpY2U6aHVudGVyMiVodW50ZXIy hunter2%25hunter2 end",
	};
	int port = 0, fd = listen_anywhere(&port);
	struct git_result r;
	char url[100];
	pid_t liar;

	(void)state;
	liar = liar_start(fd, replies, 2);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/docs.git", port);
	servers[0] = servers[0] == 0 ? liar : servers[0];
	{
		struct git_request q = request(url, "cache");

		q.username = "alice";
		q.password = "hunter2%hunter2";
		r = git_fetch(&q);
	}
	stop(liar);
	if (servers[0] == liar)
		servers[0] = 0;
	close(fd);
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "end"));
	assert_null(strstr(r.message, "hunter2"));
	assert_null(strstr(r.message, "YWxpY2U6"));
	assert_null(strchr(r.message, '\x01'));
}

/* Random bytes and hostile lists of refs: a result, never a crash or a hang. */
static void
lying_servers_are_errors(void **state)
{
#define ADVERT "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nConnection: close\r\n\r\n"
	static const char *const lies[] = {
		"", "rubbish\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", ADVERT, ADVERT "0000", ADVERT "zzzz", ADVERT "0001",
		ADVERT "fff0# service=git-upload-pack\n", ADVERT "001e# service=git-upload-pack\n00000000",
		ADVERT "001e# service=git-upload-pack\n0000003d0123456789012345678901234567890123456789 refs/heads/main",
		ADVERT "001e# service=git-upload-pack\n0000"
		"003e0123456789012345678901234567890123456789 refs/heads/main\n0000",
		"HTTP/1.1 301 Moved\r\nLocation: ext::sh -c date\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		int port = 0, fd = listen_anywhere(&port);
		struct git_request q;
		struct git_result r;
		char url[100];
		pid_t liar = liar_start(fd, &lies[i], 1);

		snprintf(url, sizeof(url), "http://127.0.0.1:%d/docs.git", port);
		q = request(url, "c-lies");
		q.limits.seconds = 10;
		r = git_fetch(&q);
		stop(liar);
		close(fd);
		if (r.status == GIT_DONE || r.status == GIT_TIMEOUT || strstr(r.message, "signal") != NULL || r.message[0] == '\0')
			fail_msg("lie %zu: status %d, %s", i, r.status, r.message);
	}
}

static void
limits_end_a_fetch_over_http(void **state)
{
	struct git_request q;

	(void)state;
	need_web();
	q = request(web("/git/docs.git"), "c-small");
	q.limits.objects = 3;
	assert_int_equal(git_fetch(&q).status, GIT_TOO_LARGE);
	q.limits.objects = 1000;
	q.limits.bytes = 100000;
	assert_int_equal(git_fetch(&q).status, GIT_TOO_LARGE);
	q.limits.bytes = 1 << 20;
	assert_int_equal(git_fetch(&q).status, GIT_DONE);
}

static void
an_unknown_certificate_is_refused(void **state)
{
	char conf[200], prefix[200], url[100];
	char *nginx[] = { "nginx", "-p", prefix, "-c", conf, NULL };
	struct git_request q, q2;
	struct git_result r, ids;
	int port = free_port();
	pid_t pid;

	(void)state;
	need_web();
	need("openssl");
	assert_true(sh("openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 "
	    "-subj /CN=127.0.0.1 && "
	    "sed -e 's/listen .*;/listen 127.0.0.1:%d ssl; listen 127.0.0.2:%d ssl; ssl_certificate cert.pem; ssl_certificate_key key.pem;/' "
	    "-e 's/nginx.pid/tls.pid/' nginx.conf > tls.conf", port, port));
	snprintf(conf, sizeof(conf), "%s/tls.conf", tmp);
	snprintf(prefix, sizeof(prefix), "%s", tmp);
	pid = start(nginx);
	assert_true(wait_port(port));
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/git/docs.git", port);
	q = request(url, "c-tls");
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_DENIED);
	assert_non_null(strstr(r.message, "certificate"));
	snprintf(prefix, sizeof(prefix), "%s/cert.pem", tmp);
	setenv("SSL_CERT_FILE", prefix, 1);
	r = git_fetch(&q);
	/* Recognized over TLS, too. */
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/git/sha256.git", port);
	q2 = request(url, "c-tls");
	ids = git_fetch(&q2);
	snprintf(url, sizeof(url), "https://127.0.0.1:%d/git/partial.git", port);
	assert_unreadable(ids, git_fetch(&q2));
	/* The certificate is for 127.0.0.1: another address of the same server is refused. */
	snprintf(url, sizeof(url), "https://127.0.0.2:%d/git/docs.git", port);
	assert_int_equal(git_fetch(&q).status, GIT_DENIED);
	unsetenv("SSL_CERT_FILE");
	stop(pid);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
}

/* Declared as in src/git/git_parts.h; git_certificates.c explains why the library's function is replaced. */
void git_certificates_want(void);
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

static void
certificates_are_read_only_where_wanted(void **state)
{
	(void)state;
	/* Reads nothing: a missing file is no error. */
	assert_int_equal(mbedtls_x509_crt_parse_file(NULL, "no-such-file"), 0);
	git_certificates_want();
	/* The library's own function, which opens the file. */
	assert_int_not_equal(mbedtls_x509_crt_parse_file(NULL, "no-such-file"), 0);
}

/* ---- pushes ---- */

static struct git_request
push_request(const char *url, const char *user, const char *password)
{
	static char cache[200];

	snprintf(cache, sizeof(cache), "%s/cache", tmp);
	return (struct git_request){ .url = url, .username = user, .password = password, .ref = "refs/heads/main",
		.cache = cache, .file_root = tmp, .private_hosts = true, .limits = { 60, 0, 0, 0 } };
}

static const char *
made_commit(const char *tree_of, const char *text)
{
	static char commit[41];
	char cache[200], error[300];
	bool damaged;
	struct git_edit edit = { .path = "guide/one.md", .bytes = str_of(text) };
	struct git_edits q = { .tree_of = tree_of, .parents = { tree_of }, .list = &edit, .count = 1, .message = "Edit\n",
		.author = { "Ada", "ada@example.org", 1700000000000 }, .committer = { "Ada", "ada@example.org", 1700000000000 } };

	snprintf(cache, sizeof(cache), "%s/cache", tmp);
	q.cache = cache;
	if (!git_make_commit(&q, commit, &damaged, error, sizeof(error)))
		fail_msg("%s", error);
	return commit;
}

/*
 * Over smart HTTP with a password, and into a repository on this machine; never over a commit that
 * another client pushed.
 */
static void
a_push_never_overwrites_others(void **state)
{
	char url[200], old[41], commit[41];
	struct git_request q;
	struct git_result r;
	size_t i;

	(void)state;
	need_web();
	for (i = 0; i < 2; i++) {
		assert_true(sh("rm -rf pushed.git && git clone -q --bare work pushed.git && git -C pushed.git config http.receivepack true"));
		if (i == 0)
			snprintf(url, sizeof(url), "%s", web("/private/pushed.git"));
		else
			snprintf(url, sizeof(url), "%s/pushed.git", tmp);
		q = push_request(url, i == 0 ? "alice" : NULL, i == 0 ? PASSWORD : NULL);
		r = git_fetch(&q);
		assert_int_equal(r.status, GIT_DONE);
		snprintf(old, sizeof(old), "%s", r.commit);
		snprintf(commit, sizeof(commit), "%s", made_commit(old, "three\n"));
		r = git_push_commit(&q, commit, old);
		assert_string_equal(r.message, "");
		assert_int_equal(r.status, GIT_DONE);
		assert_string_equal(output("git -C pushed.git rev-parse main"), commit);
		assert_string_equal(output("git -C pushed.git show main:guide/one.md"), "three");
		assert_string_equal(output("git -C pushed.git ls-tree main run.sh | cut -c1-6"), "100755");
		assert_true(sh("git -C pushed.git fsck --strict"));
		/*
		 * Refused: from a commit that is no longer the branch's tip, and to one that is not
		 * ahead of the tip.
		 */
		assert_int_equal(git_push_commit(&q, made_commit(old, "four\n"), old).status, GIT_MOVED);
		assert_int_equal(git_push_commit(&q, old, commit).status, GIT_MOVED);
		assert_int_equal(git_push_commit(&q, commit, NULL).status, GIT_MOVED);
		assert_string_equal(output("git -C pushed.git rev-parse main"), commit);
		/* A new branch. */
		q.ref = "refs/heads/fresh";
		assert_int_equal(git_push_commit(&q, commit, NULL).status, GIT_DONE);
		assert_string_equal(output("git -C pushed.git rev-parse fresh"), commit);
		if (i == 0) {
			q.ref = "refs/heads/main";
			q.password = "wrong-" PASSWORD;
			r = git_push_commit(&q, made_commit(commit, "five\n"), commit);
			assert_int_equal(r.status, GIT_DENIED);
			assert_null(strstr(r.message, "s3kret"));
			/* A hook that refuses the push. */
			assert_true(sh("printf '#!/bin/sh\\necho not on my watch >&2\\nexit 1\\n' >pushed.git/hooks/pre-receive && "
			    "chmod +x pushed.git/hooks/pre-receive"));
			q.password = PASSWORD;
			r = git_push_commit(&q, made_commit(commit, "five\n"), commit);
			assert_int_equal(r.status, GIT_REFUSED);
			assert_string_equal(output("git -C pushed.git rev-parse main"), commit);
		}
	}
	assert_true(sh("! grep -r -q -e s3kret -e alice cache"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repository_is_fetched_over_http),
		cmocka_unit_test(a_force_push_is_fetched_over_http),
		cmocka_unit_test(a_repository_is_fetched_over_git),
		cmocka_unit_test(unreadable_repositories_are_named),
		cmocka_unit_test(errors_that_pass_are_told_by_their_class),
		cmocka_unit_test(a_password_opens_a_repository),
		cmocka_unit_test(credentials_of_the_url_are_used),
		cmocka_unit_test(a_push_never_overwrites_others),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(other_pages_are_no_repository),
		cmocka_unit_test(private_hosts_are_refused),
		cmocka_unit_test(a_silent_server_times_out),
		cmocka_unit_test(no_password_is_in_the_process_list),
		cmocka_unit_test(echoed_credentials_are_masked),
		cmocka_unit_test(lying_servers_are_errors),
		cmocka_unit_test(limits_end_a_fetch_over_http),
		cmocka_unit_test(an_unknown_certificate_is_refused),
		/* Last, because from then on each transfer reads the certificates. */
		cmocka_unit_test(certificates_are_read_only_where_wanted),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
