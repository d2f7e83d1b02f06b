/* Clusters of issues of one meaning. What other files need of conversations/clusters.c. */
#ifndef OCTAVO_API_CLUSTERS_H
#define OCTAVO_API_CLUSTERS_H

#include "http/req.h"

extern const struct shape IssuesCluster, IssuesClusterQuery, IssuesClusterList;

/* Is it a cluster of conversations' issues in the organization, and may the caller see it? 0 or fail(). */
int cluster_or_fail(struct req *r, const char *org, const char *id);

#endif
