/* octavo doctor: requests through the web server. Contract: command/doctor.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/build.h"
#include "base/file.h"
#include "doctor.h"
#include "cmd_data.h"
#include "command/service.h"

static const char *
address_of(struct doctor *d)
{
	const char *url = cli_option(d->cli, "url");

	return url != NULL ? url : data_url(d->cli);
}

struct reply {
	int         status;    /* HTTP status; 0: no answer */
	const char *text;      /* the body, or curl's message if there was no answer */
};

/*
 * Runs in the child: ignores curl's configuration files, and sends standard output and error into
 * the pipe.
 */
static void
become_curl(const char *url, const char *header, int out)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	/*
	 * -q must come first, or curl reads a .curlrc (curl(1)); -- prevents an address that begins
	 * with a hyphen from being read as an option.
	 */
	execlp("curl", "curl", "-q", "-sS", "-m", "15", "--max-filesize", "100000", "-w", "\n%{http_code}",
	    "-H", header, "--", url, (char *)NULL);
	_exit(127);
}

/* Requests the address. False: curl is not installed. */
static bool
request_url(struct doctor *d, const char *url, const char *header, struct reply *r)
{
	struct arena *a = d->cli->arena;
	const char *output, *line;
	int out[2], status = 0;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) != 0)
		return false;
	pid = fork();
	if (pid == 0)
		become_curl(url, header, out[1]);
	close(out[1]);
	output = pid < 0 ? "" : service_read_all(a, out[0]);
	close(out[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return false;
	/* The -w option appends the status as the last line, after the body. */
	line = strrchr(output, '\n');
	r->status = line == NULL ? 0 : (int)strtol(line + 1, NULL, 10);
	r->text = line == NULL ? output : arena_strndup(a, output, (size_t)(line - output));
	return true;
}

/* Returns the first line of a reply, for messages. */
static const char *
first_line(struct doctor *d, const struct reply *r)
{
	const char *p = r->text + strspn(r->text, "\n ");

	return arena_printf(d->cli->arena, "%.*s", (int)(strcspn(p, "\n") < 200 ? strcspn(p, "\n") : 200), p);
}

/* Returns the address with https instead of http. */
static const char *
with_tls(struct doctor *d, const char *url)
{
	return arena_printf(d->cli->arena, "https%s", url + strlen("http"));
}

/*
 * Reports that OCTAVO_URL says http but the web server requires https: it redirects clients, or
 * refuses plain HTTP at that port. A message about an invalid certificate shows that https is served,
 * too, except after a 404: then another site may answer at both addresses. False: that is not the
 * cause, and nothing was reported.
 */
static bool
report_http_for_https(struct doctor *d, const char *url, const struct reply *r)
{
	const char *other = with_tls(d, url);
	struct reply tls;

	if (strncmp(url, "http:", 5) != 0 || r->status < 300 || r->status > 499 ||
	    !request_url(d, arena_printf(d->cli->arena, "%s/v1/healthz", other), "Accept: application/json", &tls))
		return false;
	if (tls.status != 200 && (r->status == 404 || strstr(tls.text, "ertificate") == NULL))
		return false;
	doctor_find(d, BAD, arena_printf(d->cli->arena, "%s gives %d, %s answers: OCTAVO_URL says http, the web server wants https", url,
	    r->status, other), arena_printf(d->cli->arena, "OCTAVO_URL=%s in %s, then systemctl restart octavo-api octavo-site "
	    "octavo-jobs", other, d->env_file));
	return true;
}

/* Reports that there was no answer; the cause follows from curl's message. */
static void
report_no_answer(struct doctor *d, const char *url, const struct reply *r)
{
	struct arena *a = d->cli->arena;

	if (strncmp(url, "https:", 6) == 0 && (strstr(r->text, "wrong version number") != NULL ||
	    strstr(r->text, "unexpected message") != NULL || strstr(r->text, "packet length") != NULL))
		doctor_find(d, BAD, arena_printf(a, "%s is served without TLS: OCTAVO_URL says https, http answers there", url),
		    "give the web server a certificate for that port, or say http:// in OCTAVO_URL");
	else if (strstr(r->text, "ertificate") != NULL || strstr(r->text, "no alternative") != NULL)
		doctor_find(d, BAD, arena_printf(a, "the certificate of %s is not one that clients take: %s", url, first_line(d, r)),
		    "get one for that name (certbot certonly), or renew it (certbot renew), then reload the web server");
	else if (strstr(r->text, "resolve host") != NULL)
		doctor_find(d, BAD, arena_printf(a, "the name in %s is not known here: %s", url, first_line(d, r)),
		    "give it an address in DNS or /etc/hosts, or mend OCTAVO_URL");
	else
		doctor_find(d, BAD, arena_printf(a, "%s does not answer: %s", url, first_line(d, r)),
		    "is the web server running, does it listen there, and does the name lead to this machine?");
}

/* Reports an answer that is not "ok". The usual cause depends on the status; the advice names it. */
static void
report_unhealthy(struct doctor *d, const char *url, const struct reply *r)
{
	struct arena *a = d->cli->arena;
	const char *what = arena_printf(a, "%s/v1/healthz gives %d: %s", url, r->status, first_line(d, r));

	if (r->status == 0)
		report_no_answer(d, url, r);
	else if (report_http_for_https(d, url, r))
		return;
	else if (r->status == 502)
		doctor_find(d, BAD, what, "the web server runs, the workers do not: octavo status, systemctl status octavo-api");
	else if (r->status == 503)
		doctor_find(d, BAD, what, "Octavo answers and says why; its log has more");
	else if (r->status == 404 && strstr(r->text, "\"error\"") == NULL)
		doctor_find(d, BAD, what, "another site answers there: is Octavo's configuration enabled, with this name, "
		    "and was the web server reloaded?");
	else
		doctor_find(d, BAD, what, "the web server's error log says more");
}

/*
 * Sends an invalid token: Octavo refuses it with a different message than a request without a
 * token.
 */
static void
check_token(struct doctor *d, const char *url)
{
	struct reply r;

	if (!request_url(d, arena_printf(d->cli->arena, "%s/v1/user", url), "Authorization: Bearer octavo-doctor", &r))
		return;
	if (r.status == 401 && strstr(r.text, "the token is not valid") != NULL)
		doctor_find(d, GOOD, "tokens reach the programs", NULL);
	else if (r.status == 401)
		doctor_find(d, BAD, "the web server keeps the Authorization header to itself",
		    "Apache: CGIPassAuth On; or, in .htaccess: RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]");
	else
		doctor_find(d, BAD, arena_printf(d->cli->arena, "%s/v1/user gives %d: %s", url, r.status, first_line(d, &r)),
		    "the web server's error log says more");
}

static void
check_build(struct doctor *d, const char *url)
{
	struct reply r;

	if (!request_url(d, arena_printf(d->cli->arena, "%s/v1/", url), "Accept: application/json", &r) || r.status != 200)
		return;
	if (strstr(r.text, arena_printf(d->cli->arena, "\"build\":\"%s\"", octavo_build)) == NULL)
		doctor_find(d, NOTE, arena_printf(d->cli->arena, "the programs that answer are of another build than this "
		    "command (%s): %s", octavo_build, first_line(d, &r)), "octavo reload, or systemctl restart octavo-api octavo-site octavo-jobs");
}

void
doctor_check_web(struct doctor *d)
{
	const char *url = address_of(d);
	struct reply r;

	if (url == NULL || *url == '\0') {
		doctor_find(d, NOTE, "the web server was not asked: nothing says at which address it serves",
		    "--url https://docs.example.com, or OCTAVO_URL");
		return;
	}
	url = arena_strndup(d->cli->arena, url, strlen(url) - (url[strlen(url) - 1] == '/'));
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) {
		doctor_find(d, BAD, arena_printf(d->cli->arena, "\"%s\" is no address", url),
		    "OCTAVO_URL begins with https:// or http://");
		return;
	}
	if (!request_url(d, arena_printf(d->cli->arena, "%s/v1/healthz", url), "Accept: application/json", &r)) {
		doctor_find(d, NOTE, "the web server was not asked: there is no curl here",
		    arena_printf(d->cli->arena, "open %s/v1/healthz in a browser", url));
		return;
	}
	if (r.status != 200 || strstr(r.text, "\"status\":\"ok\"") == NULL) {
		report_unhealthy(d, url, &r);
		return;
	}
	doctor_find(d, GOOD, arena_printf(d->cli->arena, "%s answers, and can read its database", url), NULL);
	check_token(d, url);
	check_build(d, url);
}
