/*
 * Whose an address is. Hosts and paths below them that sites are shown at, by their hostname or by
 * a proxy of their organization, belong to one organization: neither equal to nor within nor around
 * what another one has. Within an organization they may lie in each other, the longest one wins,
 * and no two sites have the same. `octavo site` decides where two want one; tables hold no such
 * rule, since rows from before it may break it: then the hostname, or the shortest, has the host.
 */
#ifndef OCTAVO_ADDRESS_HOLDER_H
#define OCTAVO_ADDRESS_HOLDER_H

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

struct holder {
	const char *site;       /* id; NULL: the installation itself, whose OCTAVO_URL it is */
	const char *org;        /* id */
	const char *address;    /* the address that it has: "docs.example.com", "example.com/docs" */
	bool        proxy;      /* by its proxy, not by its hostname */
};

/* "Example.com/Docs" as it is kept: the host in lower case. */
char *holder_address(struct arena *a, const char *address);

/*
 * Finds the site or organization that prevents this site from having an address, in the form of
 * holder_address(); false: there is none. set: to check the installation's own address too; NULL:
 * not checked.
 */
bool holder_find(struct db *db, struct arena *a, const struct settings *set, const char *site, const char *org,
    const char *address, struct holder *out);

#endif
