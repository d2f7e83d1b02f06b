/*
 * Finds the organization or site to which an address belongs. A site is shown at a host or at a
 * path below a host: at its hostname, or at the address of a proxy of its organization. Each of
 * these addresses belongs to one organization: it must not be equal to an address of another
 * organization, below it or above it. Within an organization an address may be below another one;
 * then the longest matching address is used, and no two sites may have the same. If two
 * organizations claim the same address, the admin decides with `octavo site`. The tables have no
 * such constraint, because older rows may violate it. In that case the host belongs to the
 * organization of the site that has it as hostname; without such a site, to the organization with
 * the shortest matching address. Addresses of other organizations at this host do not work.
 */
#ifndef OCTAVO_ADDRESS_HOLDER_H
#define OCTAVO_ADDRESS_HOLDER_H

#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

struct holder {
	const char *site;       /* id of the site; NULL: the address is that of the installation (OCTAVO_URL) */
	const char *org;        /* id of the organization */
	const char *address;    /* the address of that site: "docs.example.com", "example.com/docs" */
	bool        proxy;      /* the address is that of the site's proxy, and not its hostname */
};

/* The form in which addresses are stored: "example.com/Docs", with the host in lower case. */
char *holder_address(struct arena *a, const char *address);

/*
 * Finds the site or organization that prevents this site from having an address, in the form of
 * holder_address(); false: there is none. set: to check the installation's own address too; NULL:
 * not checked.
 */
bool holder_find(struct db *db, struct arena *a, const struct settings *set, const char *site, const char *org,
    const char *address, struct holder *out);

/*
 * True if this installation serves the host (in lower case, without a port): it is the host of
 * OCTAVO_URL, or a site is shown there.
 */
bool holder_is_own(struct db *db, struct arena *a, const struct settings *set, const char *host);

#endif
