/*
 * Ways into an organization: invitations by address, links, and the domain of one's own address. What other files
 * need of people/invites.c.
 */
#ifndef OCTAVO_API_INVITES_H
#define OCTAVO_API_INVITES_H

#include "http/req.h"

extern const struct shape InviteByEmail, Invited, InviteLink, InviteLinkList, InviteLinksQuery, InviteLinkCreate,
    InviteLinkEdit;

/* The access rules of invite links (invites.c), which fill r->invite. 0 or fail(). INVITE_MANAGE is of members. */
int invite_manage(struct req *r);
int invite_secret(struct req *r);

/* The domain of the caller's address; NULL where it is not verified. */
const char *own_domain(struct req *r);

#endif
