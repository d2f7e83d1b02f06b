/* Reviews of change requests, and who is asked for one. What other files need of comments/reviews.c. */
#ifndef OCTAVO_API_REVIEWS_H
#define OCTAVO_API_REVIEWS_H

#include "http/req.h"

extern const struct shape ChangeRequestReview, ReviewList, ReviewListQuery, ReviewSubmit, RequestedReviewers,
    RequestedReviewerList, RequestReviewers;

#endif
