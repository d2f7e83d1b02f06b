/* Organizations. Implemented in people/orgs.c. */
#ifndef OCTAVO_API_ORGS_H
#define OCTAVO_API_ORGS_H

#include "http/req.h"

extern const struct shape Organization, OrganizationList, OrganizationCreate, OrganizationEdit, DomainOrganizations,
    AgentInstructions, AgentInstructionsEdit;

/*
 * The statement for the organization's row, for the shape Organization; not stepped. It has no row
 * if the caller is no member.
 */
struct stmt *org_row(struct req *r, const char *id);

#endif
