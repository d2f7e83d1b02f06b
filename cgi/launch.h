/*
 * octavo-launch, and the pool of workers that it starts on a host that supports only CGI programs.
 *
 * A plain CGI program pays its start-up cost at each request: loader, libraries, and SQLite reading
 * the schema. If OCTAVO_POOL sets a number of workers, these keep running:
 * DIR/run/pool-NAME-HASH.sock is their FastCGI socket, and the CGI program only relays the request
 * to it. If no pool answers there, the CGI program starts one and answers its own request as plain
 * CGI. So a host that kills processes causes delays, but no lost requests.
 *
 * HASH covers all settings: after a change, the next request starts another pool. A pool ends when
 * a newer one with its name exists, or when the data is gone. If its program was replaced, it
 * replaces each worker after that worker's current request.
 */
#ifndef OCTAVO_LAUNCH_H
#define OCTAVO_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes HOME/folder/name to out; "" if it is too long. HOME: the folder of the unpacked tarball
 * (launch.c).
 */
void launch_path(char *out, size_t n, const char *folder, const char *name);

/*
 * Replaces this process by HOME/lib/name with the arguments after argv[0]. Returns only on failure,
 * with 1.
 */
int launch_program(const char *name, char **argv);

/* Handles the CGI request described by the environment. Returns the exit status. */
int relay_request(const char *self, char **argv);

/*
 * Runs the pool of octavo-api or octavo-site workers; name selects the program. Returns the exit
 * status.
 */
int relay_pool(const char *name);

/*
 * Sends the request to the FastCGI socket, and its answer to standard output. False: the answer did
 * not arrive completely; if no part of it did, a 502 was sent.
 */
bool relay_send(int fd);

#endif
