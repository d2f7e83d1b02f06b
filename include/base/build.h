/*
 * The version from which the program was built: `git describe`, or "release" outside of a checkout
 * (see the Makefile). GET /v1/ returns it. It is also part of every ETag that is computed before
 * its answer (not_modified() in req.h), since another build may write the same content in another
 * form.
 */
#ifndef OCTAVO_BUILD_H
#define OCTAVO_BUILD_H

extern const char octavo_build[];

#endif
