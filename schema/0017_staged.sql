-- Imports write in short transactions, under a revision number that nobody reads
-- yet (include/store/stage.h). Search and links follow in the same way.

ALTER TABLE branch ADD COLUMN staged INTEGER;  -- seq of a revision that is being written; NULL: none
CREATE INDEX branch_staged ON branch (space) WHERE staged IS NOT NULL;

ALTER TABLE search_page ADD COLUMN turn INTEGER; -- seq of the main branch from which on live is the other way round
CREATE INDEX search_page_turn ON search_page (space, turn, live) WHERE turn IS NOT NULL;

-- All links of a main branch at one time. The next edition is written while the
-- one before is still shown.
CREATE TABLE link_edition (
  no     INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL REFERENCES branch,
  shown  INTEGER NOT NULL CHECK (shown IN (0, 1))  -- tells of the branch's head; at most one a branch
) STRICT;
CREATE INDEX link_edition_branch ON link_edition (branch, shown);
INSERT INTO link_edition (no, branch, shown) SELECT DISTINCT branch, branch, 1 FROM link_count;

-- What the links of an edition lead to, one row a distinct target.
CREATE TABLE link_target_new (
  id      INTEGER PRIMARY KEY,
  edition INTEGER NOT NULL REFERENCES link_edition,
  key     TEXT NOT NULL,                       -- kind and what names it: also the order of lists
  kind    TEXT NOT NULL CHECK (kind IN ('page', 'file', 'reusable', 'space', 'url', 'other', 'missing')),
  node    TEXT,                                -- page, file, reusable content; space
  anchor  TEXT,                                -- page: a place in it
  url     TEXT,                                -- url: the address; missing: how it was spelled
  status  TEXT NOT NULL CHECK (status IN ('ok', 'broken', 'in-app')),
  links   INTEGER NOT NULL,                    -- that lead to it
  UNIQUE (edition, key)
) STRICT;
INSERT INTO link_target_new (id, edition, key, kind, node, anchor, url, status, links)
  SELECT id, branch, key, kind, node, anchor, url, status, links FROM link_target
  WHERE branch IN (SELECT no FROM link_edition);

-- A link in a page or reusable content.
CREATE TABLE link_new (
  edition  INTEGER NOT NULL REFERENCES link_edition,
  source   TEXT NOT NULL,                      -- node
  n        INTEGER NOT NULL,                   -- its number there
  target   INTEGER NOT NULL REFERENCES link_target,
  line     INTEGER NOT NULL,                   -- in the file, from 1; 0: a property, or not known
  spelling TEXT NOT NULL,
  tried    INTEGER NOT NULL CHECK (tried IN (0, 1)),  -- found by looking now, not by the page's own map
  PRIMARY KEY (edition, source, n)
) STRICT, WITHOUT ROWID;
INSERT INTO link_new (edition, source, n, target, line, spelling, tried)
  SELECT branch, source, n, target, line, spelling, tried FROM link
  WHERE branch IN (SELECT no FROM link_edition);

-- How many there are, so that nobody has to count.
CREATE TABLE link_count_new (
  edition INTEGER NOT NULL REFERENCES link_edition,
  status  TEXT NOT NULL,
  targets INTEGER NOT NULL,
  links   INTEGER NOT NULL,
  PRIMARY KEY (edition, status)
) STRICT, WITHOUT ROWID;
INSERT INTO link_count_new (edition, status, targets, links)
  SELECT branch, status, targets, links FROM link_count;

DROP TABLE link;
DROP TABLE link_target;
DROP TABLE link_count;
ALTER TABLE link_target_new RENAME TO link_target;
ALTER TABLE link_new RENAME TO link;
ALTER TABLE link_count_new RENAME TO link_count;
CREATE INDEX link_target_status ON link_target (edition, status, key);
CREATE INDEX link_target_node ON link_target (edition, node) WHERE node IS NOT NULL;
CREATE INDEX link_to ON link (target, source, n);
