-- Branches of repositories that a space was synchronised with before it turned to another, or before
-- its git settings were removed: what a later binding to one of them goes on from. Columns
-- as in git_sync, whose row is of the present source.
CREATE TABLE git_source (
  space         TEXT NOT NULL REFERENCES space,
  url           TEXT NOT NULL,                 -- without credentials
  ref           TEXT NOT NULL,
  project_dir   TEXT NOT NULL,
  branch        INTEGER NOT NULL REFERENCES branch,  -- kind outside: what that repository last held; nobody writes to it
  provider      TEXT,                          -- who hosts it
  info_url      TEXT,                          -- where people look at it
  tree_url      TEXT,                          -- prefix of file addresses
  commit_url    TEXT,                          -- prefix of commit addresses
  commit_oid    TEXT,                          -- last commit that was imported or exported
  root          TEXT NOT NULL,                 -- directory of the content in the repository
  done_oid      TEXT,                          -- commit that says what done_seq of main said
  done_seq      INTEGER,                       -- number of that revision of main
  done_outside  INTEGER,                       -- number of the branch's revision that it is
  pending_oid   TEXT,                          -- commit that was on its way; NULL: none
  pending_seq   INTEGER,                       -- number of the revision of main that it holds
  pending_paths TEXT,                          -- JSON: files that it gives to pages, by id
  waiting       TEXT,                          -- change request that holds what clashed; NULL: none
  PRIMARY KEY (space, url, ref, project_dir)
) STRICT, WITHOUT ROWID;
CREATE INDEX git_source_branch ON git_source (branch);
