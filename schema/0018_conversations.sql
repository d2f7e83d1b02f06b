-- Support conversations, the issues that their users state, and issues of one meaning
-- in clusters. What is derived is kept up to date by the statements of the room
-- support, each change in the transaction that makes it.

CREATE TABLE conversation (
  n            INTEGER PRIMARY KEY,
  org          TEXT NOT NULL REFERENCES org,
  id           TEXT NOT NULL,                  -- chosen by the caller
  source       TEXT NOT NULL,                  -- integration:NAME:ID, or email
  subject      TEXT,
  url          TEXT,                           -- where it is to be seen at its source
  created_at   INTEGER NOT NULL,               -- at its source, as far as the caller said
  ingested_at  INTEGER NOT NULL,               -- last time
  processed_at INTEGER,                        -- NULL: waits for its analysis
  version      INTEGER NOT NULL DEFAULT 1,     -- times ingested: an analysis of an older text is thrown away
  parts        TEXT NOT NULL,                  -- JSON as it came
  attributes   TEXT NOT NULL DEFAULT '{}',     -- JSON: name -> value
  UNIQUE (org, id)
) STRICT;
CREATE INDEX conversation_list ON conversation (org, created_at, n);
CREATE INDEX conversation_source ON conversation (org, source, created_at, n);
CREATE INDEX conversation_waiting ON conversation (org, n) WHERE processed_at IS NULL;

-- The same attributes, to find conversations by.
CREATE TABLE conversation_attribute (
  org          TEXT NOT NULL REFERENCES org,
  name         TEXT NOT NULL,
  value        TEXT NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation,
  PRIMARY KEY (org, name, value, conversation)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_attribute_of ON conversation_attribute (conversation);

CREATE TABLE issues_cluster (
  n             INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  org           TEXT NOT NULL REFERENCES org,
  label         TEXT NOT NULL DEFAULT '',      -- title of its face
  summary       TEXT NOT NULL DEFAULT '',      -- summary of its face
  face          INTEGER NOT NULL DEFAULT 0,    -- number of the issue that is most like all of them; 0: to be found
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,              -- last time an issue came or went
  issues        INTEGER NOT NULL DEFAULT 0,
  conversations INTEGER NOT NULL DEFAULT 0,
  checked       INTEGER NOT NULL DEFAULT 0,    -- issues that it had when it was last looked at for a split
  centroid      BLOB NOT NULL DEFAULT x''      -- sums of its issues' terms (src/support/pack.c)
) STRICT;
CREATE INDEX issues_cluster_updated ON issues_cluster (org, updated_at, n);
CREATE INDEX issues_cluster_issues ON issues_cluster (org, issues, n);
CREATE INDEX issues_cluster_conversations ON issues_cluster (org, conversations, n);

CREATE TABLE conversation_issue (
  n            INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  org          TEXT NOT NULL REFERENCES org,
  conversation INTEGER NOT NULL REFERENCES conversation,
  cluster      INTEGER REFERENCES issues_cluster, -- NULL: within the transaction that makes it, only
  title        TEXT NOT NULL,
  summary      TEXT NOT NULL,
  language     TEXT NOT NULL DEFAULT '',       -- ISO 639-1; '': not known
  clear        INTEGER NOT NULL,               -- how much the title tells by itself: 0 little, 100 a lot
  created_at   INTEGER NOT NULL,               -- of its conversation
  ingested_at  INTEGER NOT NULL,
  reviewed     INTEGER NOT NULL,               -- clock of conversation_state when it was last placed
  mix          INTEGER NOT NULL,               -- hash of the text: samples are taken in this order
  terms        BLOB NOT NULL                   -- src/support/pack.c
) STRICT;
CREATE INDEX conversation_issue_list ON conversation_issue (org, created_at, n);
CREATE INDEX conversation_issue_cluster ON conversation_issue (cluster, created_at, n);
CREATE INDEX conversation_issue_sample ON conversation_issue (cluster, mix, n);
CREATE INDEX conversation_issue_of ON conversation_issue (conversation, cluster);
CREATE INDEX conversation_issue_reviewed ON conversation_issue (org, reviewed, n);

-- The clusters in which a term weighs most: how the clusters that an issue may belong to are found.
CREATE TABLE cluster_term (
  org     TEXT NOT NULL REFERENCES org,
  term    INTEGER NOT NULL,                    -- hash (conversations/analysis.h)
  rank    INTEGER NOT NULL,                    -- 200 minus four times the binary logarithm of its sum
  cluster INTEGER NOT NULL REFERENCES issues_cluster,
  PRIMARY KEY (org, term, rank, cluster)
) STRICT, WITHOUT ROWID;
CREATE INDEX cluster_term_of ON cluster_term (cluster, term, rank);

-- Issues that hold a term.
CREATE TABLE issue_term (
  org    TEXT NOT NULL REFERENCES org,
  term   INTEGER NOT NULL,
  issues INTEGER NOT NULL,
  PRIMARY KEY (org, term)
) STRICT, WITHOUT ROWID;

-- Issues of a cluster by the week of their conversation, and by its source.
CREATE TABLE cluster_week (
  cluster INTEGER NOT NULL REFERENCES issues_cluster,
  week    INTEGER NOT NULL,                    -- weeks since Monday, 29 December 1969, UTC
  issues  INTEGER NOT NULL,
  PRIMARY KEY (cluster, week)
) STRICT, WITHOUT ROWID;
CREATE TABLE cluster_source (
  cluster INTEGER NOT NULL REFERENCES issues_cluster,
  source  TEXT NOT NULL,
  issues  INTEGER NOT NULL,
  PRIMARY KEY (cluster, source)
) STRICT, WITHOUT ROWID;

-- One row for an organization that has ingested anything.
CREATE TABLE conversation_state (
  org           TEXT PRIMARY KEY REFERENCES org,
  conversations INTEGER NOT NULL DEFAULT 0,
  issues        INTEGER NOT NULL DEFAULT 0,
  clusters      INTEGER NOT NULL DEFAULT 0,
  clock         INTEGER NOT NULL DEFAULT 0     -- goes up with each issue that is placed
) STRICT;

CREATE INDEX change_request_cluster ON change_request (cluster) WHERE cluster IS NOT NULL;
