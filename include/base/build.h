/*
 * What the program was built from: `git describe`, or "release" outside a
 * checkout (see the Makefile). GET /v1/ tells it, and it is part of every tag
 * that is made before its answer (not_modified() in req.h): another build may
 * write the same content in another form.
 */
#ifndef OCTAVO_BUILD_H
#define OCTAVO_BUILD_H

extern const char octavo_build[];

#endif
