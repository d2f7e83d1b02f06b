/* Organizations. Implemented in people/orgs.c. */
#ifndef OCTAVO_API_ORGS_H
#define OCTAVO_API_ORGS_H

#include "http/req.h"

extern const struct shape Organization, OrganizationList, OrganizationCreate, OrganizationEdit, DomainOrganizations,
    AgentInstructions, AgentInstructionsEdit;

/* The organization's row for its shape, not stepped; the caller must be a member. */
struct stmt *org_row(struct req *r, const char *id);

#endif
