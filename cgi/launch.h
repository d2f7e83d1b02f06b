/*
 * octavo-launch, and the pool of workers that it starts where a host has CGI programs only.
 *
 * A CGI program pays for its start at each request: loader, libraries, and SQLite's reading of
 * the schema. Where OCTAVO_POOL says how many, workers stay instead: DIR/run/pool-NAME-HASH.sock
 * is their FastCGI socket, and the CGI program only carries the request to it. Whoever finds
 * nobody there starts the pool and answers its own request as a plain CGI, so that a host that
 * ends processes costs time and no requests.
 *
 * HASH is that of all settings: when one changes, the next request starts another pool. A pool
 * ends when a newer one of its name is there, when the data is gone, and, after the request at
 * hand, replaces its workers when their program was replaced.
 */
#ifndef OCTAVO_LAUNCH_H
#define OCTAVO_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

/* HOME/folder/name; "" where that is too long. */
void launch_path(char *out, size_t n, const char *folder, const char *name);

/* Becomes HOME/lib/name with the arguments after argv[0]; returns, with 1, only where that fails. */
int launch_program(const char *name, char **argv);

/* A request of CGI, by the environment. */
int relay_request(const char *self, char **argv);

/* Keeps the workers of octavo-api or octavo-site, by name. */
int relay_pool(const char *name);

/* Sends the request to the FastCGI socket and the answer to standard output. False: no answer came; 502 was sent. */
bool relay_send(int fd);

#endif
