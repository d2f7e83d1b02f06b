/*
 * octavo-launch: the only program of the tarball that a shared host starts directly. It is
 * linked statically and starts the others with the libraries and the loader of the tarball, so
 * that nothing depends on the host's versions. Its name (argv[0], or that of its file) selects
 * what it does:
 *
 *   octavo.cgi                a CGI program: relays the request to a pool of permanent workers
 *                             (cgi/launch.h), or becomes octavo-api or octavo-site for it
 *   api.fcgi, site.fcgi       FastCGI workers: becomes octavo-api or octavo-site
 *   octavo, octavo-jobs, octavo-fetch, octavo-pdf, octavo-typeset, octavo-picture, octavo-oidc, octavo-unpack, octavo-leave
 *                             becomes HOME/lib/NAME, with its arguments
 *
 * HOME is the folder into which the tarball was unpacked. A program in HOME/bin finds it by its
 * own path. A program in the web server's folder reads it from the file octavo.home next to it;
 * without that file, it searches for a folder "octavo" that contains lib/octavo-api and has the
 * same owner, next to one of the three folders above.
 *
 * Settings come from the web server (SetEnv). Defaults: OCTAVO_DIR is HOME/data, and OCTAVO_JOBS
 * is HOME/bin/octavo-jobs.
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

/* HOME, set by try_home(). */
static char home[PATH_MAX];

/* A path that is too long becomes "": a truncated one would name another file. */
void
launch_path(char *out, size_t n, const char *folder, const char *name)
{
	if ((size_t)snprintf(out, n, "%s/%s/%s", home, folder, name) >= n)
		*out = '\0';
}

/* why must not contain quotes, since it is inserted into JSON unescaped. */
static int
refuse_start(const char *why)
{
	/*
	 * Answer in the CGI format for a web server (RFC 3875 section 6.2.1), as plain text for a
	 * person at a shell.
	 */
	if (getenv("GATEWAY_INTERFACE") != NULL)
		printf("Status: 503 Service Unavailable\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
		    "\r\n{\"error\":{\"code\":503,\"message\":\"Octavo is not ready: %s\"}}", why);
	fprintf(stderr, "octavo-launch: %s\n", why);
	return 1;
}

/* If this is the unpacked folder, stores it as HOME. */
static bool
try_home(const char *path)
{
	char program[PATH_MAX * 2];

	snprintf(program, sizeof(program), "%s/lib/octavo-api", path);
	return access(program, R_OK) == 0 && realpath(path, home) != NULL;
}

/*
 * A guessed folder must belong to the owner of this program, or to root: other users may have
 * folders next to ours.
 */
static bool
guess_home(const char *path)
{
	struct stat own, theirs;

	return stat("/proc/self/exe", &own) == 0 && stat(path, &theirs) == 0 &&
	    (theirs.st_uid == own.st_uid || theirs.st_uid == 0) && try_home(path);
}

/*
 * octavo.home needs no further check: a user who can write the file can also replace this program.
 */
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
	 * The parent of HOME/bin, then a folder "octavo" beside the web server's folder, or one or
	 * two levels up (cgi-bin below public_html).
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

/* Keeps a variable that is already set. */
static void
preset_path(const char *name, const char *folder, const char *file)
{
	char path[PATH_MAX * 2];

	launch_path(path, sizeof(path), folder, file);
	if (*path != '\0')
		setenv(name, path, 0);
}

/* Uses the loader and libraries of the tarball, so that the host's versions do not matter. */
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

/* Programs started by people or by other Octavo programs. */
static bool
is_program(const char *name)
{
	static const char *const names[] = { "octavo", "octavo-jobs", "octavo-fetch", "octavo-pdf", "octavo-typeset", "octavo-picture",
		"octavo-oidc", "octavo-unpack", "octavo-leave" };
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

	/* Uses /proc/self/exe instead of argv[0], which a web server may set to any text. */
	if (n <= 0)
		return refuse_start("/proc is not there");
	memcpy(copy, self, sizeof(copy));
	if (!find_home(dirname(copy)))
		return refuse_start("the folder octavo was not found; write its path into octavo.home beside octavo.cgi");
	preset_path("OCTAVO_DIR", "data", "");
	launch_path(launcher, sizeof(launcher), "bin", "octavo-jobs");
	setenv("OCTAVO_LAUNCHER", launcher, 1);
	/*
	 * Do not set it for the runner and the programs it starts: they must not start another
	 * runner.
	 */
	if (strcmp(name, "octavo-jobs") != 0)
		preset_path("OCTAVO_JOBS", "bin", "octavo-jobs");
	/*
	 * A web server may pass words of the query as arguments (RFC 3875 section 4.4); these must
	 * not start a pool.
	 */
	if (argc == 3 && getenv("GATEWAY_INTERFACE") == NULL && strcmp(argv[1], "--pool") == 0)
		return relay_pool(argv[2]);
	if (is_program(name))
		return launch_program(name, argv);
	argv[0] = NULL;
	if (strcmp(name, "api.fcgi") == 0 || strcmp(name, "site.fcgi") == 0) {
		/* SetEnv passes settings to FastCGI programs only with each request. */
		setenv("OCTAVO_LATE", "1", 1);
		return launch_program(*name == 'a' ? "octavo-api" : "octavo-site", argv);
	}
	return relay_request(self, argv);
}
