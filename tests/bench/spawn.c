/*
 * The time of a whole process, from its start to its end:
 *
 *   spawn ROUNDS RUNS A [ARGUMENT] -- B [ARGUMENT]
 *
 * prints one line per round: microseconds per process of A and of B, which alternate. Their output
 * is discarded; a process that fails ends the program.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double
micros(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
run(char **argv, long runs)
{
	posix_spawn_file_actions_t quiet;
	double start = micros();
	int status = 0;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	for (long i = 0; i < runs; i++)
		if (posix_spawn(&pid, argv[0], &quiet, NULL, argv, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0) {
			fprintf(stderr, "spawn: %s failed\n", argv[0]);
			exit(1);
		}
	posix_spawn_file_actions_destroy(&quiet);
	return (micros() - start) / (double)runs;
}

int
main(int argc, char **argv)
{
	char **a = argv + 3, **b = a;
	long rounds, runs;

	while (*b != NULL && strcmp(*b, "--") != 0)
		b++;
	if (argc < 6 || *b == NULL || b[1] == NULL) {
		fprintf(stderr, "usage: spawn ROUNDS RUNS A [ARGUMENT] -- B [ARGUMENT]\n");
		return 2;
	}
	*b++ = NULL;
	rounds = strtol(argv[1], NULL, 10);
	runs = strtol(argv[2], NULL, 10);
	while (rounds-- > 0) {
		double one = run(a, runs);
		printf("%.1f %.1f\n", one, run(b, runs));
	}
	return 0;
}
