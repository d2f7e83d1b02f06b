/* Reviews of change requests, and requested reviewers. Implemented in comments/reviews.c. */
#ifndef OCTAVO_API_REVIEWS_H
#define OCTAVO_API_REVIEWS_H

#include "http/req.h"

extern const struct shape ChangeRequestReview, ReviewList, ReviewListQuery, ReviewSubmit, RequestedReviewers,
    RequestedReviewerList, RequestReviewers;

#endif
