/*
 * Makes the addresses of pages of the application (below /app, room views) for answers of the API.
 * If OCTAVO_APP is 0, there is no application, and the addresses are those of the objects in the
 * API. Implemented in app_address.c.
 */
#ifndef OCTAVO_API_APP_ADDRESS_H
#define OCTAVO_API_APP_ADDRESS_H

#include "http/req.h"

char *app_space_address(struct req *r, const char *space);
char *app_revision_address(struct req *r, const char *space, const char *revision);
/*
 * The address of a page: of the primary content, or of a revision or a change request if one of
 * them is not NULL.
 */
char *app_page_address(struct req *r, const char *space, const char *revision, const char *request, const char *page);

#endif
