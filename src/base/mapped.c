/* Memory in files that have no name. Contract: base/mapped.h. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mapped.h"

/*
 * CALLS: calls of mapped_trim() until the page faults are counted again. FAULTS: so many more until the
 * process's memory is looked at, which takes ten times as long. For a fault, the system maps up to 16
 * pages (its fault_around_bytes).
 */
enum { CALLS = 8, FAULTS = 16, FILE_MODE = 0600 };

struct mapping {
	struct mapping *next;
	void           *p;
	size_t          size;
};

/* All mappings of the process, newest first: some hundreds at most. */
static struct mapping *mappings;
/* Calls of mapped_trim(); page faults at the last look; and the shared memory after the last trim. */
static size_t calls, faults_before, resident_before;

/* A descriptor of a file without a name, with disk space for all bytes; -1: there is none. */
static int
open_nameless(const char *folder, size_t size)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, FILE_MODE);

	/* Without reserved space, a full disk would end the process at some later access (SIGBUS). */
	if (fd >= 0 && posix_fallocate(fd, 0, (off_t)size) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Bytes of files and shared memory that the process has in memory; 0: unknown. */
static size_t
shared_resident(void)
{
	unsigned long size, resident, shared = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%lu %lu %lu", &size, &resident, &shared) != 3)
		shared = 0;
	fclose(f);
	return shared * (size_t)sysconf(_SC_PAGESIZE);
}

static void
trim_mappings(void)
{
	size_t now = shared_resident();
	const struct mapping *m;

	/* Other memory of files, which was counted then, may be gone since. */
	if (now < resident_before)
		resident_before = now;
	if (now < resident_before + MAPPED_RESIDENT)
		return;
	/* The mappings are shared, so this forgets no contents (madvise(2)). */
	for (m = mappings; m != NULL; m = m->next)
		madvise(m->p, m->size, MADV_DONTNEED);
	resident_before = shared_resident();
}

void *
mapped_new(const char *folder, size_t size)
{
	struct mapping *m = malloc(sizeof(*m));   /* style: below arenas, which use it */
	int fd = open_nameless(folder, size);
	void *p = m == NULL ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE,
	    fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	/* Who needs more has filled what was mapped before. */
	trim_mappings();
	if (p == MAP_FAILED) {
		free(m);
		return NULL;
	}
	/* Without reading ahead, the kernel brings single pages back, not blocks of up to two megabytes. */
	madvise(p, size, MADV_RANDOM);
	*m = (struct mapping){ mappings, p, size };
	mappings = m;
	return p;
}

void
mapped_free(void *p)
{
	struct mapping **at = &mappings, *m;

	while ((*at)->p != p)
		at = &(*at)->next;
	m = *at;
	*at = m->next;
	munmap(m->p, m->size);
	free(m);
}

static bool
has_faulted(void)
{
	struct rusage u;
	size_t faults;

	if (getrusage(RUSAGE_SELF, &u) != 0)
		return true;
	faults = (size_t)u.ru_minflt + (size_t)u.ru_majflt;
	if (faults - faults_before < FAULTS)
		return false;
	faults_before = faults;
	return true;
}

void
mapped_trim(void)
{
	if (mappings != NULL && ++calls % CALLS == 0 && has_faulted())
		trim_mappings();
}
