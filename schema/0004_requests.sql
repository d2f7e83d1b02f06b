-- Change requests, their reviews, and comments.
-- The counters (here and in space) are kept by the writes themselves, in the
-- same transaction; nothing recomputes them on read.

-- ---------------------------------------------------------------- change requests

-- A branch that people review and merge. Its content is the branch's; a request never leaves the space.
CREATE TABLE change_request (
  id               TEXT PRIMARY KEY,
  space            TEXT NOT NULL REFERENCES space,
  number           INTEGER NOT NULL,           -- 1, 2, 3 … within the space, never reused
  status           TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'open', 'archived', 'merged')),
  subject          TEXT NOT NULL DEFAULT '',
  description      TEXT,                       -- document, JSON; NULL: none
  branch           INTEGER NOT NULL UNIQUE REFERENCES branch, -- kind request
  cluster          TEXT,                       -- id of the conversations issues cluster it answers
  created_by       TEXT NOT NULL REFERENCES user,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,           -- last change of it or of its content; comments do not count
  revision_initial TEXT NOT NULL,              -- revision of main that it started from
  merged_ancestor  TEXT NOT NULL,              -- revision of main that it took in last
  revision_merged  TEXT,                       -- revision of main that its merge made or found
  merged_by        TEXT REFERENCES user,
  merged_at        INTEGER,
  comments         INTEGER NOT NULL DEFAULT 0, -- open comments
  CHECK ((status = 'merged') = (merged_at IS NOT NULL)),
  CHECK ((status = 'merged') = (revision_merged IS NOT NULL)),
  UNIQUE (space, number)
) STRICT;
CREATE INDEX change_request_status ON change_request (space, status, number);

-- Who wrote in a branch: contributors are read from the revisions themselves.
CREATE INDEX revision_author ON revision (branch, author, created_at) WHERE author IS NOT NULL;

-- A review that is asked for and not yet given; submitting one takes the row away.
CREATE TABLE requested_reviewer (
  request      TEXT NOT NULL REFERENCES change_request,
  user         TEXT NOT NULL REFERENCES user,
  requested_by TEXT NOT NULL REFERENCES user,
  revision     TEXT NOT NULL,                  -- of the request, when it was asked for
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (request, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX requested_reviewer_user ON requested_reviewer (user, request);

-- A review never changes, but a newer one by the same reviewer, or a newer request for one, outdates it.
CREATE TABLE review (
  id           TEXT PRIMARY KEY,
  request      TEXT NOT NULL REFERENCES change_request,
  reviewer     TEXT NOT NULL REFERENCES user,
  requested_by TEXT REFERENCES user,           -- NULL: nobody had asked
  status       TEXT NOT NULL CHECK (status IN ('approved', 'changes-requested')),
  revision     TEXT NOT NULL,                  -- of the request, as the reviewer saw it
  outdated     INTEGER NOT NULL DEFAULT 0 CHECK (outdated IN (0, 1)),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX review_request ON review (request, created_at, id);
CREATE INDEX review_reviewer ON review (request, reviewer) WHERE outdated = 0;

-- ---------------------------------------------------------------- comments

-- On the primary content of a space or on a change request; perhaps on a page, a block, a table cell.
CREATE TABLE comment (
  id          TEXT PRIMARY KEY,
  space       TEXT NOT NULL REFERENCES space,
  scope       TEXT NOT NULL,                   -- id of its change request; of the space: on the primary content
  review      TEXT REFERENCES review,          -- that it came with
  author      TEXT NOT NULL REFERENCES user,
  created_at  INTEGER NOT NULL,
  edited_at   INTEGER,
  body        TEXT NOT NULL,                   -- Markdown; a document is turned into it, with /pages/ID for links
  page        TEXT,                            -- id
  node        TEXT,                            -- key of a block of the page; gone when the block is deleted
  record      TEXT,                            -- table cell: row
  definition  TEXT,                            -- table cell: column
  revision    TEXT NOT NULL,                   -- in which page and node are found
  resolved_at INTEGER,                         -- NULL: it is open
  resolved_by TEXT REFERENCES user,
  replies     INTEGER NOT NULL DEFAULT 0,
  CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
  CHECK ((record IS NULL) = (definition IS NULL)),
  CHECK (node IS NULL OR page IS NOT NULL)
) STRICT;
CREATE INDEX comment_scope ON comment (scope, created_at, id);
CREATE INDEX comment_page ON comment (scope, page, node) WHERE page IS NOT NULL;
CREATE INDEX comment_author ON comment (scope, author);
CREATE INDEX comment_space ON comment (space);
CREATE INDEX comment_review ON comment (review) WHERE review IS NOT NULL;

CREATE TABLE comment_reply (
  id         TEXT PRIMARY KEY,
  comment    TEXT NOT NULL REFERENCES comment,
  author     TEXT NOT NULL REFERENCES user,
  created_at INTEGER NOT NULL,
  edited_at  INTEGER,
  body       TEXT NOT NULL                     -- Markdown
) STRICT;
CREATE INDEX comment_reply_comment ON comment_reply (comment, created_at, id);
CREATE INDEX comment_reply_author ON comment_reply (comment, author);

-- One emoji of one user on a comment or on one of its replies.
CREATE TABLE reaction (
  comment    TEXT NOT NULL REFERENCES comment,
  target     TEXT NOT NULL,                    -- id of the comment or of the reply
  emoji      TEXT NOT NULL,
  user       TEXT NOT NULL REFERENCES user,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (comment, target, emoji, user)
) STRICT, WITHOUT ROWID;
