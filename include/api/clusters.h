/* Clusters of issues with one meaning. Implemented in conversations/clusters.c. */
#ifndef OCTAVO_API_CLUSTERS_H
#define OCTAVO_API_CLUSTERS_H

#include "http/req.h"

extern const struct shape IssuesCluster, IssuesClusterQuery, IssuesClusterList;

/*
 * Checks that the id is a cluster of the organization and that the caller may see it. 0 or fail().
 */
int cluster_or_fail(struct req *r, const char *org, const char *id);

#endif
