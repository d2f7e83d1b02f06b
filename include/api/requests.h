/* Change requests as objects. What other files need of requests/requests.c. */
#ifndef OCTAVO_API_REQUESTS_H
#define OCTAVO_API_REQUESTS_H

#include "http/req.h"

extern const struct shape ChangeRequestList, ChangeRequestQuery, ChangeRequestCreate, ChangeRequestEdit,
    ContributorList;

#endif
