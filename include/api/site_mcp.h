/*
 * Servers of the Model Context Protocol that the assistants of a site may use besides the site's
 * own (~mcp). Implemented in sites/site_mcp.c.
 */
#ifndef OCTAVO_API_SITE_MCP_H
#define OCTAVO_API_SITE_MCP_H

#include "http/req.h"

extern const struct shape SiteMcpServer, SiteMcpServerList, SiteMcpServerCreate, SiteMcpServerEdit;

#endif
