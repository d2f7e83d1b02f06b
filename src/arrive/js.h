/*
 * Reads settings that are written as JavaScript or TypeScript, as data: sidebars.js,
 * docusaurus.config.ts. Nothing is executed. Objects, lists, strings, numbers and names of
 * constants of the same file are read, also within `${NAME}`. A call with one argument has the value of that
 * argument (require.resolve('./x'), defineConfig({...})). All other expressions have no value; they are counted.
 */
#ifndef OCTAVO_ARRIVE_JS_H
#define OCTAVO_ARRIVE_JS_H

#include <stdbool.h>

#include "base/yaml.h"

struct js_skipped {
	size_t count;       /* number of expressions that have no value */
	size_t line;        /* line of the first one; 0: none */
	bool   full;        /* something was left out at a limit: 200,000 values (each use of a constant counts as its values) */
};

/*
 * The value that a file exports (module.exports, export default), or that an exported function
 * returns; for a JSON file, its value. NULL: none is found.
 * Uses of a constant share its members, so the caller must not change the value.
 */
struct yaml *js_read(struct arena *a, struct str text, struct js_skipped *skipped);

#endif
