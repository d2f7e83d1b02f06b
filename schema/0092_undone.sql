-- The revisions of the primary content that a change request takes back (POST …/undo): more than one if several undo
-- operations were made in it.
CREATE TABLE request_undo (
  request  TEXT NOT NULL REFERENCES change_request,
  revision TEXT NOT NULL,                      -- id; not removed with the revision, since an undo is of the past
  PRIMARY KEY (request, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_undo_revision ON request_undo (revision, request);
-- Change requests that are not merged yet, which are few of many.
CREATE INDEX change_request_unmerged ON change_request (space, number, branch) WHERE status IN ('draft', 'open');
