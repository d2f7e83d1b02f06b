/*
 * The program that Octavo is compared with: a libfcgi program that answers every request with the
 * bytes of a file (headers and body, as a CGI program writes them), which it reads once at the
 * start. Like octavo-api it is a FastCGI worker or a plain CGI program, depending on how it was
 * started.
 *
 *   constant FILE
 */
#include <fcgiapp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_ANSWER = 4 << 20 };

static char answer[MAX_ANSWER];

static void
on_term(int sig)
{
	(void)sig;
	FCGX_ShutdownPending();
}

static int
serve(int size)
{
	struct sigaction sa = { .sa_handler = on_term };
	FCGX_Request request;

	sigaction(SIGTERM, &sa, NULL);
	if (FCGX_InitRequest(&request, 0, FCGI_FAIL_ACCEPT_ON_INTR) != 0)
		return 1;
	while (FCGX_Accept_r(&request) == 0) {
		FCGX_PutStr(answer, size, request.out);
		FCGX_Finish_r(&request);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	size_t n = f == NULL ? 0 : fread(answer, 1, sizeof(answer), f);

	if (n == 0) {
		fprintf(stderr, "constant: takes a file that holds an answer\n");
		return 2;
	}
	fclose(f);
	FCGX_Init();
	if (FCGX_IsCGI())
		return write(STDOUT_FILENO, answer, n) == (ssize_t)n ? 0 : 1;
	return serve((int)n);
}
