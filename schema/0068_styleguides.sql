-- Style guides: spaces that say how to write, for the sites that name them, and the checks of spaces
-- against them. A check is a change request for each space, in which whoever checks proposes changes.
ALTER TABLE space ADD COLUMN styleguide INTEGER NOT NULL DEFAULT 0 CHECK (styleguide IN (0, 1)); -- 1: it is a style guide
ALTER TABLE site ADD COLUMN styleguide TEXT REFERENCES space ON DELETE SET NULL; -- its style guide; NULL: none
CREATE INDEX site_styleguide ON site (styleguide, id) WHERE styleguide IS NOT NULL;
CREATE INDEX space_styleguide ON space (org, id) WHERE styleguide = 1;

CREATE TABLE styleguide_run (
  id         TEXT PRIMARY KEY,
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  styleguide TEXT NOT NULL,                    -- id of the style guide, which may have gone since
  spaces     TEXT NOT NULL,                    -- JSON: ids of the spaces that were to be checked
  created_by TEXT NOT NULL REFERENCES account,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX styleguide_run_list ON styleguide_run (site, created_at, id);
ALTER TABLE change_request ADD COLUMN styleguide_run TEXT REFERENCES styleguide_run ON DELETE SET NULL; -- the check that it is for; NULL: none
CREATE INDEX change_request_styleguide ON change_request (styleguide_run) WHERE styleguide_run IS NOT NULL;
-- Lists of change requests by their last change.
CREATE INDEX change_request_updated ON change_request (space, updated_at, number);
