/*
 * Whether somebody may have queued a job: any write to the data directory's files (octavo.db-wal,
 * above all) is told by SIGIO. Where the system does not tell, nothing comes, and whoever waits
 * looks again after its time.
 */
#ifndef OCTAVO_POOL_NEWS_H
#define OCTAVO_POOL_NEWS_H

/* With SIGIO blocked, for the life of the process. -1: the system does not tell. */
int news_open(const char *dir);

/* What was told so far is known; the next write is told again. */
void news_take(int fd);

#endif
