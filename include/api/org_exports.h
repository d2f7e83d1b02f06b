/* Exports of an organization. Implemented in people/org_exports.c. */
#ifndef OCTAVO_API_ORG_EXPORTS_H
#define OCTAVO_API_ORG_EXPORTS_H

#include "http/req.h"

extern const struct shape OrganizationExport, OrganizationExportList, OrganizationExportAddress;

#endif
