-- A page per operation of a large tag, and per model where there are many. A tag may be below another
-- one. Which of the rows a computed page shows is decided when it is expanded (store/computed.h).
CREATE TABLE openapi_page_new (
  version     TEXT NOT NULL REFERENCES openapi_version,  -- of the description
  no          INTEGER NOT NULL,                -- their order
  -- what it shows: the description itself, a tag, one operation, all models, one model
  kind        TEXT NOT NULL CHECK (kind IN ('info', 'operations', 'operation', 'models', 'model')),
  name        TEXT NOT NULL,                   -- of the tag, the operation or the model; "info", "models"
  title       TEXT NOT NULL,                   -- its heading, and its entry in the contents
  slug        TEXT NOT NULL,                   -- last segment of its address
  description TEXT NOT NULL,                   -- one line, plain text; may be empty
  markdown    TEXT NOT NULL,                   -- what stands before the operations
  parent      INTEGER,                         -- number of the page above it; NULL: none
  weight      INTEGER NOT NULL DEFAULT 0,      -- HTML elements that its operations or models need, estimated
  method      TEXT,                            -- of the operation; NULL: a page of several, or of none
  path        TEXT,                            -- of the operation, likewise
  PRIMARY KEY (version, no),
  UNIQUE (version, kind, name)
) STRICT;
INSERT INTO openapi_page_new (version, no, kind, name, title, slug, description, markdown)
  SELECT version, no, kind, name, title, slug, description, markdown FROM openapi_page;
DROP TABLE openapi_page;
ALTER TABLE openapi_page_new RENAME TO openapi_page;
-- Each description is read once more, so that it gets these pages: unconditionally from its address,
-- or from the text that its newest version was made of.
UPDATE openapi_spec SET etag = NULL, modified = NULL WHERE deleted_at IS NULL;
UPDATE schedule SET next_at = 0 WHERE kind = 'openapi';
INSERT INTO schedule (id, kind, org, queue, args, every, next_at)
  SELECT 'openapi:' || id, 'openapi', org, id, '{"spec":"' || id || '"}', 3600000, 0 FROM openapi_spec
  WHERE deleted_at IS NULL AND url IS NULL AND latest IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM schedule s WHERE s.id = 'openapi:' || openapi_spec.id);
