-- Which jobs wait for each other is said by the job: those of one queue run one at a
-- time, oldest first, and one that is put off lets the others pass. What changes a
-- space's content, or what is derived from it, is in the queue of the space.
ALTER TABLE job ADD COLUMN queue TEXT;          -- NULL: runs beside all others
ALTER TABLE job ADD COLUMN org TEXT REFERENCES org; -- whom it is for, where it is no single space
UPDATE job SET queue = space;
DROP INDEX job_space;
CREATE INDEX job_space ON job (space, created_at, id) WHERE space IS NOT NULL;
CREATE INDEX job_org ON job (org, created_at, id) WHERE org IS NOT NULL;
CREATE INDEX job_queue ON job (queue, state, created_at, id) WHERE queue IS NOT NULL;

-- Work that comes again: when its time has come, a job is queued, unless the last one
-- has not ended yet.
CREATE TABLE schedule (
  id       TEXT PRIMARY KEY,                   -- chosen by its owner: kind, ":", what it is about
  kind     TEXT NOT NULL,                      -- of the job
  org      TEXT REFERENCES org,
  space    TEXT REFERENCES space,
  account  TEXT REFERENCES account,            -- on whose behalf; NULL: the system
  queue    TEXT,
  args     TEXT NOT NULL DEFAULT '{}',         -- of the job: JSON, no secret
  every    INTEGER NOT NULL CHECK (every >= 1000), -- ms between two
  next_at  INTEGER NOT NULL,
  last_job TEXT                                -- NULL: none yet; the row may be gone
) STRICT;
CREATE INDEX schedule_due ON schedule (next_at);
CREATE INDEX schedule_org ON schedule (org) WHERE org IS NOT NULL;
CREATE INDEX schedule_space ON schedule (space) WHERE space IS NOT NULL;
