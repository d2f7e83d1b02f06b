-- Archives that people upload for imports. Their bytes arrive in parts, as files of the folder DIR/uploads/ID
-- (app/import_file.h), and leave with the import, or after two days.
CREATE TABLE import_file (
  id         TEXT PRIMARY KEY,               -- storage key of clients, and name of the folder; not to be guessed
  org        TEXT NOT NULL REFERENCES org,   -- counts against the quota of this organization
  name       TEXT NOT NULL,                  -- of the file, for reports
  size       INTEGER NOT NULL,               -- bytes, as they were announced
  received   INTEGER NOT NULL DEFAULT 0,     -- how many bytes are there, from the beginning
  run        TEXT,                           -- id of the job that imports it, which may be gone; NULL: none does
  created_by TEXT NOT NULL REFERENCES account, -- who announced it
  created_at INTEGER NOT NULL                -- when it was announced, in ms
) STRICT;
CREATE INDEX import_file_org ON import_file (org, created_at, id);
CREATE INDEX import_file_run ON import_file (run) WHERE run IS NOT NULL;
