/*
 * One request of a reader who tries an API through the installation (reader/relay.c), made by
 * octavo-fetch. The rules of fetch() hold for its address. In addition, the address must not be one
 * of this machine, redirects are returned and not followed, and nothing is written to a disk.
 *
 * Question and answer each consist of a line of JSON, followed by the bytes of a body:
 *
 *   { url, method, headers: ["Name: value", …], private }     private: private hosts are allowed
 *   { status, ms, headers: [["name", "value"], …] }           of the server
 *   { failure }                                               a sentence: why there is no answer
 *
 * Cookies are removed from answers. The caller has checked method, names and values of the headers.
 */
#ifndef OCTAVO_FETCH_RELAY_H
#define OCTAVO_FETCH_RELAY_H

#include "base/arena.h"
#include "base/str.h"

/* RELAY_BYTES: maximum body of a request and of an answer; RELAY_HEAD: maximum first line. */
enum { RELAY_SECONDS = 10, RELAY_BYTES = 1 << 20, RELAY_HEAD = 64 << 10 };

struct fetch_network;

/*
 * Answers a question; p NULL: it is not a valid question. network: for tests; NULL: the real
 * network.
 */
struct str fetch_relay(struct arena *a, struct str question, const struct fetch_network *network);

#endif
