-- Git both ways: how far a space and its repository know each other, and bindings that
-- keep them in step.
--
-- done: the commit and the revision of main that say the same. What main changed after it
-- is what an export writes. pending: a commit that is being pushed; after a crash it is in the
-- repository, and is taken for done, or it is not, and is forgotten.
ALTER TABLE git_sync ADD COLUMN done_oid TEXT;          -- commit; NULL: nothing was exported yet
ALTER TABLE git_sync ADD COLUMN done_seq INTEGER;       -- number of the revision of main that it holds
ALTER TABLE git_sync ADD COLUMN done_outside INTEGER;   -- number of the outside branch's revision that it is
ALTER TABLE git_sync ADD COLUMN pending_oid TEXT;       -- commit; NULL: none is on its way
ALTER TABLE git_sync ADD COLUMN pending_seq INTEGER;    -- number of the revision of main that it holds
ALTER TABLE git_sync ADD COLUMN pending_paths TEXT;     -- JSON: files that it gives to pages, by id
ALTER TABLE git_sync ADD COLUMN waiting TEXT;           -- change request that holds what clashed; NULL: none

-- A space and a branch of a repository that are kept in step; at most one a space. A job of
-- the kind "git" does it: on its schedule, after a merge, and when the repository calls the hook.
CREATE TABLE git_binding (
  space       TEXT PRIMARY KEY REFERENCES space,
  id          TEXT NOT NULL UNIQUE,            -- in the address of the hook
  url         TEXT NOT NULL,                   -- without credentials
  ref         TEXT NOT NULL,                   -- refs/heads/…
  project_dir TEXT NOT NULL DEFAULT '',
  secret      BLOB,                            -- user name and password, sealed; NULL: none
  local       INTEGER NOT NULL DEFAULT 0 CHECK (local IN (0, 1)), -- made by the admin's command: any path may be read
  provider    TEXT NOT NULL DEFAULT 'plain' CHECK (provider IN ('github', 'gitlab', 'gitea', 'plain')),
  info_url    TEXT,                            -- where people look at the repository
  tree_url    TEXT,                            -- prefix of file addresses
  commit_url  TEXT,                            -- prefix of commit addresses
  message     TEXT NOT NULL,                   -- template of commit messages
  every       INTEGER NOT NULL,                -- ms between two looks at the repository
  hook        BLOB NOT NULL,                   -- secret of the hook, sealed
  created_by  TEXT NOT NULL REFERENCES account,
  created_at  INTEGER NOT NULL,
  state       TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'synchronized', 'conflict', 'waiting', 'failing')),
  reason      TEXT,                            -- what is in the way, and what to do; NULL: nothing
  failures    INTEGER NOT NULL DEFAULT 0,      -- in a row
  checked_at  INTEGER                          -- end of the last run
) STRICT;
CREATE INDEX git_binding_user ON git_binding (created_by);

-- Calls of hooks that were taken: none is taken twice.
CREATE TABLE git_delivery (
  binding TEXT NOT NULL,                       -- id
  mark    BLOB NOT NULL,                       -- BLAKE2b-256 of what makes the call one of a kind
  at      INTEGER NOT NULL,
  PRIMARY KEY (binding, mark)
) STRICT, WITHOUT ROWID;
CREATE INDEX git_delivery_at ON git_delivery (at);

-- The address that stands in commits; NULL: one that takes no mail.
ALTER TABLE account ADD COLUMN commit_email TEXT;
