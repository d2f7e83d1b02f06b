-- Descriptions of APIs. A specification belongs to an organization and has versions,
-- one for each content that could be read; what a version says is taken apart once,
-- when it is made, into the pages, operations and schemas that readers see.
--
-- A deleted specification keeps its row: revisions from before still show it.
CREATE TABLE openapi_spec (
  id           TEXT PRIMARY KEY,
  org          TEXT NOT NULL REFERENCES org,
  slug         TEXT NOT NULL,                  -- case-sensitive; the name in addresses and references
  url          TEXT,                           -- where it is fetched; NULL: it was given as text
  given        BLOB,                           -- text that is to be processed, until that has been done
  visibility   TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'public')),
  state        TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'progress', 'complete')),
  asked        INTEGER NOT NULL DEFAULT 1,     -- how often processing was asked for: a run for an older one is void
  versions     INTEGER NOT NULL DEFAULT 0,     -- how many there are
  latest       TEXT,                           -- id of the newest version
  hash         BLOB,                           -- BLAKE2b-256 of all that the newest version was made from
  etag         TEXT,                           -- what the server said of it, for a conditional fetch
  modified     TEXT,
  processed_at INTEGER,                        -- end of the last run
  error_code   TEXT CHECK (error_code IN ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
  errors       TEXT,                           -- JSON: the first errors of the last run
  error_count  INTEGER NOT NULL DEFAULT 0,     -- all of them
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  deleted_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX openapi_spec_slug ON openapi_spec (org, slug) WHERE deleted_at IS NULL;
CREATE INDEX openapi_spec_names ON openapi_spec (org, slug, created_at);
CREATE INDEX openapi_spec_age ON openapi_spec (org, created_at, id);

CREATE TABLE openapi_version (
  id         TEXT PRIMARY KEY,
  spec       TEXT NOT NULL REFERENCES openapi_spec,
  no         INTEGER NOT NULL,                 -- 1, 2, …
  url        TEXT,                             -- where it was fetched; NULL: it was given as text
  format     TEXT NOT NULL CHECK (format IN ('2.0', '3.0', '3.1')),
  created_at INTEGER NOT NULL,
  UNIQUE (spec, no)
) STRICT;

-- The documents of a version as they were received; number 0 is the first one.
CREATE TABLE openapi_file (
  version TEXT NOT NULL REFERENCES openapi_version,
  no      INTEGER NOT NULL,
  name    TEXT NOT NULL,                       -- address, or a name where there is none
  media   TEXT NOT NULL CHECK (media IN ('application/json', 'application/yaml')),
  data    BLOB NOT NULL,                       -- the bytes as received
  json    TEXT,                                -- what they say as JSON; NULL: they are that themselves
  PRIMARY KEY (version, no)
) STRICT;

-- The pages that a computed page expands to.
CREATE TABLE openapi_page (
  version     TEXT NOT NULL REFERENCES openapi_version,
  no          INTEGER NOT NULL,                -- their order
  kind        TEXT NOT NULL CHECK (kind IN ('info', 'operations', 'models')),
  name        TEXT NOT NULL,                   -- of the tag; "info", "models"
  title       TEXT NOT NULL,
  slug        TEXT NOT NULL,
  description TEXT NOT NULL,                   -- one line, plain text; may be empty
  markdown    TEXT NOT NULL,                   -- what stands before the operations
  PRIMARY KEY (version, no),
  UNIQUE (version, kind, name)
) STRICT;

CREATE TABLE openapi_operation (
  version TEXT NOT NULL REFERENCES openapi_version,
  no      INTEGER NOT NULL,                    -- their order
  id      TEXT NOT NULL,                       -- the same in every version: operationId, else method and path
  kind    TEXT NOT NULL CHECK (kind IN ('operation', 'webhook')),
  method  TEXT NOT NULL,
  path    TEXT NOT NULL,                       -- of a webhook its name
  title   TEXT NOT NULL,
  words   TEXT NOT NULL,                       -- what search finds it by
  uses    TEXT NOT NULL,                       -- JSON: names of the schemas that it refers to
  data    TEXT NOT NULL,                       -- JSON: parameters, bodies, responses, samples
  PRIMARY KEY (version, no)
) STRICT;
CREATE INDEX openapi_operation_path ON openapi_operation (version, path, method);

CREATE TABLE openapi_page_operation (
  version   TEXT NOT NULL REFERENCES openapi_version,
  page      INTEGER NOT NULL,
  operation INTEGER NOT NULL,
  PRIMARY KEY (version, page, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE openapi_schema (
  version TEXT NOT NULL REFERENCES openapi_version,
  name    TEXT NOT NULL,
  no      INTEGER NOT NULL,                    -- their order
  uses    TEXT NOT NULL,                       -- JSON: names of the schemas that it refers to
  data    TEXT NOT NULL,                       -- JSON
  PRIMARY KEY (version, name)
) STRICT;

-- Computed pages are looked for in whole spaces, of which few have any.
CREATE INDEX node_computed ON node (branch, until) WHERE kind = 'computed';
