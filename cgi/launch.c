/*
 * octavo-launch: the one program of the tarball that a shared host starts itself. It is
 * linked statically and finds the others, which come with their libraries and loader, so
 * that nothing depends on what the host has. By its name (argv[0], or that of its file) it is
 *
 *   octavo.cgi                a CGI program: hands the request to a pool of workers that
 *                             stays (cgi/relay.h), or becomes octavo-api or octavo-site for it
 *   api.fcgi, site.fcgi       FastCGI workers: becomes octavo-api, octavo-site
 *   octavo, octavo-jobs, octavo-fetch, octavo-pdf, octavo-typeset, octavo-picture   becomes HOME/lib/NAME, with its arguments
 *
 * HOME is the folder that was unpacked. A program in HOME/bin knows it by its own place; one
 * in the web server's folder reads it from the file octavo.home beside it, or finds a folder
 * "octavo" with lib/octavo-api in it, and of the same owner, beside one of the three folders above.
 *
 * Settings come from the web server (SetEnv). Where they say nothing, OCTAVO_DIR is HOME/data
 * and OCTAVO_JOBS is HOME/bin/octavo-jobs.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"

/* HOME, once try_home() has found it. */
static char home[PATH_MAX];

/* A path that was cut would name another file: none is better. */
void
launch_path(char *out, size_t n, const char *folder, const char *name)
{
	if ((size_t)snprintf(out, n, "%s/%s/%s", home, folder, name) >= n)
		*out = '\0';
}

/* why has no quotes: it goes into JSON as it is. */
static int
refuse_start(const char *why)
{
	/* A person at a shell, or a web server, reads it: RFC 3875 section 6.2.1. */
	if (getenv("GATEWAY_INTERFACE") != NULL)
		printf("Status: 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
		    "\r\n{\"error\":{\"code\":503,\"message\":\"Octavo is not ready: %s\"}}", why);
	fprintf(stderr, "octavo-launch: %s\n", why);
	return 1;
}

/* Is this the folder that was unpacked? Then it is HOME. */
static bool
try_home(const char *path)
{
	char program[PATH_MAX * 2];

	snprintf(program, sizeof(program), "%s/lib/octavo-api", path);
	return access(program, R_OK) == 0 && realpath(path, home) != NULL;
}

/* A guess: it must belong to whom this program belongs, or root. Others have folders beside ours. */
static bool
guess_home(const char *path)
{
	struct stat own, theirs;

	return stat("/proc/self/exe", &own) == 0 && stat(path, &theirs) == 0 &&
	    (theirs.st_uid == own.st_uid || theirs.st_uid == 0) && try_home(path);
}

/* Trusted as this program is: whoever can write beside it can replace it. */
static bool
home_from_file(const char *folder)
{
	char path[PATH_MAX + 32], line[PATH_MAX] = "";
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "%s/octavo.home", folder);
	f = fopen(path, "re");
	ok = f != NULL && fgets(line, sizeof(line), f) != NULL;
	if (f != NULL)
		fclose(f);
	line[strcspn(line, "\r\n")] = '\0';
	return ok && *line == '/' && try_home(line);
}

static bool
find_home(const char *folder)
{
	/*
	 * HOME/bin itself, then a folder "octavo" beside the web server's folder, or one or two
	 * levels up: cgi-bin below public_html.
	 */
	static const char *const places[] = { "..", "../octavo", "../../octavo", "../../../octavo" };
	char path[PATH_MAX + 32];

	if (home_from_file(folder))
		return true;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, places[i]);
		if (guess_home(path))
			return true;
	}
	return false;
}

/* What is set already stays. */
static void
preset_path(const char *name, const char *folder, const char *file)
{
	char path[PATH_MAX * 2];

	launch_path(path, sizeof(path), folder, file);
	if (*path != '\0')
		setenv(name, path, 0);
}

/* By the loader that came along, with its libraries: what the host has plays no part. */
int
launch_program(const char *name, char **argv)
{
	char loader[PATH_MAX * 2], libraries[PATH_MAX * 2], program[PATH_MAX * 2], *words[64];
	size_t n = 0;

	launch_path(loader, sizeof(loader), "lib", "ld.so");
	launch_path(libraries, sizeof(libraries), "lib", "");
	launch_path(program, sizeof(program), "lib", name);
	words[n++] = loader;
	words[n++] = "--argv0";
	words[n++] = (char *)name;
	words[n++] = "--library-path";
	words[n++] = libraries;
	words[n++] = program;
	for (argv = *argv == NULL ? argv : argv + 1; *argv != NULL && n < 63; argv++)
		words[n++] = *argv;
	words[n] = NULL;
	execv(loader, words);
	return refuse_start(strerror(errno));
}

/* What is started by a person, or by another of the programs. */
static bool
is_program(const char *name)
{
	static const char *const names[] = { "octavo", "octavo-jobs", "octavo-fetch", "octavo-pdf", "octavo-typeset", "octavo-picture" };
	size_t i = 0;

	while (i < sizeof(names) / sizeof(names[0]) && strcmp(name, names[i]) != 0)
		i++;
	return i < sizeof(names) / sizeof(names[0]);
}

int
main(int argc, char **argv)
{
	char self[PATH_MAX] = "", copy[PATH_MAX], launcher[PATH_MAX * 2];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *name = argc > 0 && strrchr(argv[0], '/') != NULL ? strrchr(argv[0], '/') + 1 : argc > 0 ? argv[0] : "";

	/* /proc/self/exe, not argv[0]: a web server may give any text as that. */
	if (n <= 0)
		return refuse_start("/proc is not there");
	memcpy(copy, self, sizeof(copy));
	if (!find_home(dirname(copy)))
		return refuse_start("the folder octavo was not found; write its path into octavo.home beside octavo.cgi");
	preset_path("OCTAVO_DIR", "data", "");
	launch_path(launcher, sizeof(launcher), "bin", "octavo-jobs");
	setenv("OCTAVO_LAUNCHER", launcher, 1);
	/* A runner, and what it starts, must not be told to start another. */
	if (strcmp(name, "octavo-jobs") != 0)
		preset_path("OCTAVO_JOBS", "bin", "octavo-jobs");
	/* A web server hands words of a query over as arguments (RFC 3875 section 4.4): those start nothing. */
	if (argc == 3 && getenv("GATEWAY_INTERFACE") == NULL && strcmp(argv[1], "--pool") == 0)
		return relay_pool(argv[2]);
	if (is_program(name))
		return launch_program(name, argv);
	argv[0] = NULL;
	if (strcmp(name, "api.fcgi") == 0 || strcmp(name, "site.fcgi") == 0) {
		/* SetEnv reaches FastCGI programs with the requests alone. */
		setenv("OCTAVO_LATE", "1", 1);
		return launch_program(*name == 'a' ? "octavo-api" : "octavo-site", argv);
	}
	return relay_request(self, argv);
}
