/* Change requests. Implemented in requests/requests.c. */
#ifndef OCTAVO_API_REQUESTS_H
#define OCTAVO_API_REQUESTS_H

#include "http/req.h"

extern const struct shape ChangeRequestList, ChangeRequestQuery, ChangeRequestsQuery, ChangeRequestCreate, ChangeRequestEdit,
    ContributorList;

#endif
