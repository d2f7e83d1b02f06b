/*
 * Joining an organization: invitations by email address, invite links, and the domain of one's own
 * address. Implemented in people/invites.c.
 */
#ifndef OCTAVO_API_INVITES_H
#define OCTAVO_API_INVITES_H

#include "http/req.h"

extern const struct shape InviteByEmail, Invited, InviteLink, InviteLinkList, InviteLinksQuery, InviteLinkCreate,
    InviteLinkEdit;

/*
 * The checks of the access rules INVITE_MANAGE and INVITE_SECRET, which set r->invite. 0 or fail().
 * The caller of invite_manage() has checked that r->who is a member.
 */
int invite_manage(struct req *r);
int invite_secret(struct req *r);

/* The domain of the caller's email address; NULL if the address is not verified. */
const char *own_domain(struct req *r);

#endif
