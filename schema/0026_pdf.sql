-- PDFs of spaces and pages: one row for what was asked for, whoever asked. The file is
-- DIR/pdf/<id>.pdf; rows go first, a file without one is swept.
CREATE TABLE pdf (
  id         TEXT PRIMARY KEY,
  org        TEXT NOT NULL REFERENCES org,
  space      TEXT NOT NULL REFERENCES space,
  request    TEXT,                             -- change request that the revision is of; NULL: primary content
  revision   TEXT NOT NULL,                    -- id of what is printed
  page       TEXT NOT NULL DEFAULT '',         -- '': the whole space
  alone      INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1)), -- 1: the page without those below it
  edition    INTEGER NOT NULL,                 -- of the program's layout (include/app/pdf.h)
  shown      TEXT NOT NULL,                    -- what is printed beside the revision: titles, language
  job        TEXT NOT NULL,                    -- that makes it; its row may be gone
  made_at    INTEGER,                          -- NULL: there is no file yet
  bytes      INTEGER NOT NULL DEFAULT 0,       -- of the file
  sheets     INTEGER NOT NULL DEFAULT 0,       -- printed pages
  keep_until INTEGER NOT NULL,                 -- swept after that
  UNIQUE (space, revision, page, alone, edition, shown)
) STRICT;
CREATE INDEX pdf_org ON pdf (org, made_at);
CREATE INDEX pdf_keep ON pdf (keep_until);
