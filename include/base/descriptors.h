/*
 * Closes descriptors that a child must not inherit: sockets and databases of its parent. Needs only
 * the C library, so that octavo-launch can use it.
 */
#ifndef OCTAVO_DESCRIPTORS_H
#define OCTAVO_DESCRIPTORS_H

/*
 * Closes all descriptors from `first` on, in a child between fork and exec: with close_range(2) (since
 * Linux 5.9), or one by one if the system refuses it, as older kernels and some sandboxes do.
 */
void descriptors_close_from(int first);

/* The same without close_range(2). Public for its test. */
void descriptors_close_each(int first);

#endif
