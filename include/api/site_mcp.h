/* What the other files of the room use of site_mcp.c. */
#ifndef OCTAVO_API_SITE_MCP_H
#define OCTAVO_API_SITE_MCP_H

#include "http/req.h"

extern const struct shape SiteMcpServer, SiteMcpServerList, SiteMcpServerCreate, SiteMcpServerEdit;

#endif
