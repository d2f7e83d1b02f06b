/*
 * Notifies the runner that a job may have been queued: SIGIO comes after any write to a file of the
 * data directory (above all octavo.db-wal). If the system does not support this, no signal comes,
 * and the runner checks the queue after its usual time.
 */
#ifndef OCTAVO_POOL_NEWS_H
#define OCTAVO_POOL_NEWS_H

/* SIGIO must be blocked; watches until the process ends. -1: not supported. */
int news_open(const char *dir);

/* Discards the notifications so far; the next write raises a signal again. */
void news_take(int fd);

#endif
