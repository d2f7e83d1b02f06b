/* Imports from other programs. Implemented in content/import_runs.c. */
#ifndef OCTAVO_API_IMPORT_RUNS_H
#define OCTAVO_API_IMPORT_RUNS_H

#include "http/req.h"

extern const struct shape ImportRun, ImportRunList, ImportRunStart, ImportRunsQuery, ImportReportList;

#endif
