/* Organizations. What other files need of people/orgs.c. */
#ifndef OCTAVO_API_ORGS_H
#define OCTAVO_API_ORGS_H

#include "http/req.h"

extern const struct shape Organization, OrganizationList, OrganizationCreate, OrganizationEdit, DomainOrganizations,
    AgentInstructions, AgentInstructionsEdit;

/* An organization as its shape wants it, before the first step; for a caller who is a member. */
struct stmt *org_row(struct req *r, const char *id);

#endif
