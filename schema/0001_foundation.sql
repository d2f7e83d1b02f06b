-- Octavo's schema, version 1.
-- Times are UTC milliseconds since 1970. Ids are random text, never reused.
-- Roles are numbers so that they compare: 1 read, 2 comment, 3 edit,
-- 4 review, 5 create, 6 admin; 0 is no access.

-- ---------------------------------------------------------------- people

CREATE TABLE user (
  id         TEXT PRIMARY KEY,
  email      TEXT NOT NULL UNIQUE,             -- lower case
  name       TEXT NOT NULL,                    -- shown to others
  photo_url  TEXT,
  verified   INTEGER NOT NULL DEFAULT 1 CHECK (verified IN (0, 1)), -- the address is known to be theirs
  created_at INTEGER NOT NULL
) STRICT;

-- A bearer token. The text is shown once; what is stored cannot be turned back.
CREATE TABLE token (
  id         TEXT PRIMARY KEY,
  user       TEXT NOT NULL REFERENCES user,
  hash       BLOB NOT NULL UNIQUE,             -- BLAKE2b-256 of the text
  label      TEXT NOT NULL DEFAULT '',
  scope      TEXT NOT NULL DEFAULT 'admin' CHECK (scope IN ('read', 'write', 'admin')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX token_user ON token (user, created_at, id);

CREATE TABLE org (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  email_domains  TEXT NOT NULL DEFAULT '[]',   -- JSON array
  hostname       TEXT UNIQUE,
  type           TEXT NOT NULL DEFAULT 'business',
  use_case       TEXT,
  community_type TEXT,
  default_role   INTEGER CHECK (default_role BETWEEN 1 AND 6),
  default_content TEXT,                        -- JSON object
  logo           TEXT,
  sso            INTEGER NOT NULL DEFAULT 0 CHECK (sso IN (0, 1)),
  ai             INTEGER NOT NULL DEFAULT 0 CHECK (ai IN (0, 1)),
  invite_links   INTEGER NOT NULL DEFAULT 1 CHECK (invite_links IN (0, 1)),
  merge_rules    TEXT NOT NULL DEFAULT '{"type":"none"}'  -- JSON object
) STRICT;

CREATE TABLE member (
  org       TEXT NOT NULL REFERENCES org,
  user      TEXT NOT NULL REFERENCES user,
  role      INTEGER CHECK (role BETWEEN 1 AND 6),  -- NULL: a guest
  disabled  INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  sso       INTEGER NOT NULL DEFAULT 0 CHECK (sso IN (0, 1)),
  joined_at INTEGER NOT NULL,
  seen_at   INTEGER,
  PRIMARY KEY (org, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_user ON member (user, org);

CREATE TABLE team (
  id         TEXT PRIMARY KEY,
  org        TEXT NOT NULL REFERENCES org,
  title      TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX team_org ON team (org, created_at, id);

CREATE TABLE team_member (
  team TEXT NOT NULL REFERENCES team,
  user TEXT NOT NULL REFERENCES user,
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'member')),
  PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_member_user ON team_member (user, team);

-- ---------------------------------------------------------------- places

CREATE TABLE collection (
  id            TEXT PRIMARY KEY,
  org           TEXT NOT NULL REFERENCES org,
  parent        TEXT REFERENCES collection,
  title         TEXT NOT NULL,
  description   TEXT,
  default_level INTEGER NOT NULL DEFAULT -1 CHECK (default_level BETWEEN -1 AND 6), -- -1 inherit, 0 none
  ord           TEXT NOT NULL,                 -- place among the siblings, spaces included; ties by id
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER
) STRICT;
CREATE INDEX collection_parent ON collection (org, parent, ord, id) WHERE deleted_at IS NULL;
CREATE INDEX collection_child ON collection (parent);

CREATE TABLE space (
  id            TEXT PRIMARY KEY,
  org           TEXT NOT NULL REFERENCES org,
  parent        TEXT REFERENCES collection,
  title         TEXT NOT NULL,
  emoji         TEXT NOT NULL DEFAULT '',
  icon          TEXT,
  edit_mode     TEXT NOT NULL DEFAULT 'live' CHECK (edit_mode IN ('live', 'locked')),
  default_level INTEGER NOT NULL DEFAULT -1 CHECK (default_level BETWEEN -1 AND 6),
  language      TEXT,
  merge_rules   TEXT NOT NULL DEFAULT '{"type":"inherit"}',
  ord           TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER,
  deleted_by    TEXT REFERENCES user,
  branch        INTEGER UNIQUE REFERENCES branch DEFERRABLE INITIALLY DEFERRED, -- its primary content
  comments      INTEGER NOT NULL DEFAULT 0,    -- open comments
  requests      INTEGER NOT NULL DEFAULT 0,    -- change requests: all, open, draft
  requests_open INTEGER NOT NULL DEFAULT 0,
  requests_draft INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX space_org ON space (org, ord, id) WHERE deleted_at IS NULL;
CREATE INDEX space_parent ON space (parent, ord, id);
CREATE INDEX space_deleted ON space (deleted_at) WHERE deleted_at IS NOT NULL;

-- Who may do what with one space or collection beyond their role in the organization.
CREATE TABLE access_grant (
  id         TEXT PRIMARY KEY,
  space      TEXT REFERENCES space,
  collection TEXT REFERENCES collection,
  user       TEXT REFERENCES user,
  team       TEXT REFERENCES team,
  role       INTEGER NOT NULL CHECK (role BETWEEN 1 AND 6),
  created_at INTEGER NOT NULL,
  CHECK ((space IS NULL) <> (collection IS NULL)),
  CHECK ((user IS NULL) <> (team IS NULL))
) STRICT;
CREATE UNIQUE INDEX grant_space_user ON access_grant (space, user) WHERE space IS NOT NULL AND user IS NOT NULL;
CREATE UNIQUE INDEX grant_space_team ON access_grant (space, team) WHERE space IS NOT NULL AND team IS NOT NULL;
CREATE UNIQUE INDEX grant_collection_user ON access_grant (collection, user) WHERE collection IS NOT NULL AND user IS NOT NULL;
CREATE UNIQUE INDEX grant_collection_team ON access_grant (collection, team) WHERE collection IS NOT NULL AND team IS NOT NULL;
-- For the foreign keys of what is deleted: the unique ones know half of the rows each.
CREATE INDEX grant_space ON access_grant (space) WHERE space IS NOT NULL;
CREATE INDEX grant_collection ON access_grant (collection) WHERE collection IS NOT NULL;
CREATE INDEX grant_user ON access_grant (user) WHERE user IS NOT NULL;
CREATE INDEX grant_team ON access_grant (team) WHERE team IS NOT NULL;

-- ---------------------------------------------------------------- content
-- The model and its reasons: include/content.h.

-- A line of revisions: a space's primary content, a change request, or content from outside (git, translation).
CREATE TABLE branch (
  id       INTEGER PRIMARY KEY,
  space    TEXT NOT NULL REFERENCES space,
  kind     TEXT NOT NULL CHECK (kind IN ('main', 'request', 'outside', 'alone')),
  base     INTEGER REFERENCES branch,          -- what it overlays; NULL for main: never more than one level
  base_seq INTEGER,                            -- the point of base that its newest revision overlays
  head     INTEGER NOT NULL DEFAULT 0,         -- seq of its newest revision
  CHECK ((base IS NULL) = (base_seq IS NULL)),
  CHECK ((kind = 'main') = (base IS NULL))
) STRICT;
CREATE INDEX branch_space ON branch (space, kind);
CREATE INDEX branch_base ON branch (base);

-- Never changes once written.
CREATE TABLE revision (
  id         TEXT PRIMARY KEY,
  branch     INTEGER NOT NULL REFERENCES branch,
  seq        INTEGER NOT NULL,
  base_seq   INTEGER,                          -- its own base point: old revisions of a request keep theirs
  kind       TEXT NOT NULL CHECK (kind IN ('edits', 'merge', 'update', 'rollback', 'computed')),
  parent     TEXT,                             -- revision before it; NULL for a space's first
  merged     TEXT,                             -- revision that was merged in
  author     TEXT REFERENCES user,
  created_at INTEGER NOT NULL,
  git        TEXT,                             -- JSON: oid, message, url, ref, createdByGitBook
  UNIQUE (branch, seq)
) STRICT;

-- Bytes by their BLAKE2b-256. data NULL: the file DIR/blobs/ab/cdef…
CREATE TABLE blob (
  hash BLOB PRIMARY KEY,
  size INTEGER NOT NULL,
  data BLOB
) STRICT;

-- One version of one thing, alive for the revisions since <= seq < until of its branch. Only until ever
-- changes, once.
CREATE TABLE node (
  branch   INTEGER NOT NULL REFERENCES branch,
  id       TEXT NOT NULL,                      -- page, file, reusable content; settings have fixed ids
  since    INTEGER NOT NULL,
  until    INTEGER NOT NULL DEFAULT 9007199254740991,
  origin   INTEGER,                            -- since of the base's version it was made from; NULL: the base had none
  kind     TEXT NOT NULL CHECK (kind IN ('document', 'group', 'link', 'computed', 'file', 'reusable',
           'setting', 'gone')),
  parent   TEXT NOT NULL DEFAULT '',           -- id of the page above; '' at the top
  ord      TEXT NOT NULL DEFAULT '',           -- place among the siblings: fractional key, ties by id
  slug     TEXT NOT NULL DEFAULT '',           -- lower case
  path     TEXT,                               -- only where it is not parent path / slug
  title    TEXT NOT NULL DEFAULT '',           -- file: its name
  props    TEXT NOT NULL DEFAULT '{}',         -- JSON object of API properties that have no column
  git_path TEXT,                               -- relative to the space's directory, as in git
  git_oid  TEXT,
  front    BLOB,                               -- bytes before the body (frontmatter, H1), verbatim, for export
  body     BLOB REFERENCES blob,
  refs     BLOB REFERENCES blob,               -- spelling -> target, JSON
  at       INTEGER NOT NULL,                   -- when this version was made
  made     INTEGER NOT NULL,                   -- when the thing itself was made
  PRIMARY KEY (branch, id, since),
  CHECK (since < until)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_child ON node (branch, parent, slug, since);
CREATE INDEX node_path  ON node (branch, path, since) WHERE path IS NOT NULL;
CREATE INDEX node_git   ON node (branch, git_path, since) WHERE git_path IS NOT NULL;
CREATE INDEX node_since ON node (branch, since);
CREATE INDEX node_until ON node (branch, until);
CREATE INDEX node_body  ON node (body) WHERE body IS NOT NULL;
CREATE INDEX node_refs  ON node (refs) WHERE refs IS NOT NULL;

-- Documents made from a body and the targets of its links; may be dropped at any time.
CREATE TABLE derived (
  body     BLOB NOT NULL,
  refs     BLOB NOT NULL,                      -- hash of the map that was used; empty blob: none
  version  INTEGER NOT NULL,                   -- of the code that made it
  document TEXT NOT NULL,                      -- JSON
  PRIMARY KEY (body, refs, version)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------- git and jobs

-- Where a space's content comes from and goes to.
CREATE TABLE git_sync (
  space       TEXT PRIMARY KEY REFERENCES space,
  branch      INTEGER NOT NULL REFERENCES branch,  -- kind outside: what git last held
  url         TEXT NOT NULL,                   -- without credentials
  ref         TEXT NOT NULL,
  project_dir TEXT NOT NULL DEFAULT '',
  provider    TEXT,                            -- gitInfo.provider
  info_url    TEXT,                            -- gitInfo.url
  tree_url    TEXT,                            -- prefix of file addresses
  commit_url  TEXT,                            -- prefix of commit addresses
  commit_oid  TEXT,                            -- last commit that was imported or exported
  root        TEXT NOT NULL DEFAULT '',        -- directory of the content in the repository
  stamp       INTEGER,                         -- timestamp of the last operation that gave one
  updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX git_sync_branch ON git_sync (branch);

-- Work that takes longer than a request. Jobs of one space run one after another.
CREATE TABLE job (
  id         TEXT PRIMARY KEY,
  kind       TEXT NOT NULL,
  space      TEXT REFERENCES space,
  user       TEXT REFERENCES user,             -- who asked
  state      TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed',
             'timeout', 'cancelled')),
  args       TEXT NOT NULL DEFAULT '{}',       -- JSON; holds no secret
  secret     BLOB,                             -- sealed credentials; gone when the job ends
  attempts   INTEGER NOT NULL DEFAULT 0,
  run_at     INTEGER NOT NULL,                 -- not before
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at   INTEGER,
  beat_at    INTEGER,                          -- the runner's sign of life; stale: it died
  cancel     INTEGER NOT NULL DEFAULT 0 CHECK (cancel IN (0, 1)),
  stage      TEXT NOT NULL DEFAULT '',         -- what it does now, for people
  done       INTEGER NOT NULL DEFAULT 0,       -- progress within the stage
  total      INTEGER NOT NULL DEFAULT 0,
  error      TEXT,
  result     TEXT                              -- JSON
) STRICT;
CREATE INDEX job_due ON job (state, run_at, id);
CREATE INDEX job_space ON job (space, created_at, id);

CREATE TABLE job_warning (
  job     TEXT NOT NULL REFERENCES job,
  n       INTEGER NOT NULL,
  file    TEXT NOT NULL,
  line    INTEGER NOT NULL,                    -- 1-based; 0: the whole file
  message TEXT NOT NULL,
  PRIMARY KEY (job, n)
) STRICT, WITHOUT ROWID;

-- Answers to POSTs that carried an Idempotency-Key, for 24 hours.
CREATE TABLE idempotency (
  token      TEXT NOT NULL REFERENCES token,
  path       TEXT NOT NULL,
  key        TEXT NOT NULL,
  request    BLOB NOT NULL,                    -- hash of the body
  status     INTEGER NOT NULL,
  location   TEXT,
  answer     BLOB NOT NULL,                    -- sealed under a key derived from the bearer token
  created_at INTEGER NOT NULL,
  PRIMARY KEY (token, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);
