-- What is done to users who are in no organization (made by the octavo command,
-- tokens for them) has its record as well: an event without one.
CREATE TABLE audit_event_of_users (
  seq          INTEGER PRIMARY KEY,            -- order of events
  id           TEXT NOT NULL UNIQUE,           -- UUID
  org          TEXT REFERENCES org,            -- NULL: of a user who is in none
  at           INTEGER NOT NULL,
  action       TEXT NOT NULL,                  -- one of include/audit.def
  source       TEXT NOT NULL CHECK (source IN ('api', 'script')), -- script: the octavo command
  actor        TEXT NOT NULL,                  -- user id; 'system': the octavo command
  actor_label  TEXT,                           -- name at that time
  address      TEXT,                           -- where the request came from
  token        TEXT,                           -- id of the token that was used
  request      TEXT,                           -- id of the request, as in the log
  target_type  TEXT NOT NULL,
  target       TEXT NOT NULL,                  -- id; never a secret
  target_label TEXT,                           -- name at that time
  before       TEXT,                           -- JSON object: what changed, as it was
  after        TEXT                            -- likewise, as it is
) STRICT;
INSERT INTO audit_event_of_users SELECT seq, id, org, at, action, source, actor, actor_label, address,
  token, request, target_type, target, target_label, before, after FROM audit_event;
DROP TABLE audit_event;
ALTER TABLE audit_event_of_users RENAME TO audit_event;
CREATE INDEX audit_org ON audit_event (org, seq);
CREATE INDEX audit_actor ON audit_event (org, actor, seq);
CREATE INDEX audit_target ON audit_event (org, target, seq);
CREATE INDEX audit_action ON audit_event (org, action, seq);
CREATE TRIGGER audit_event_kept BEFORE UPDATE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
CREATE TRIGGER audit_event_stays BEFORE DELETE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never deleted'); END;
