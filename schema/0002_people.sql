-- People and access: who founded an organization, addresses that may join,
-- invite links, sign-in providers, instructions, and the audit record.

ALTER TABLE org ADD COLUMN creator TEXT REFERENCES user; -- NULL: made before this column, or by a script

-- The members of org.email_domains one by one, so that a domain is looked up without reading every organization.
CREATE TABLE org_domain (
  domain TEXT NOT NULL,                        -- lower case
  org    TEXT NOT NULL REFERENCES org,
  PRIMARY KEY (domain, org)
) STRICT, WITHOUT ROWID;
CREATE INDEX org_domain_org ON org_domain (org);
INSERT INTO org_domain (domain, org)
  SELECT DISTINCT lower(d.value), o.id FROM org o, json_each(o.email_domains) d;

-- Orders that lists of members are read in.
CREATE INDEX member_joined ON member (org, joined_at, user);
CREATE INDEX member_seen ON member (org, seen_at, user) WHERE seen_at IS NOT NULL AND disabled = 0;
CREATE INDEX member_role ON member (org, role, joined_at, user);
CREATE INDEX team_title ON team (org, title, id);

-- An address that lets whoever knows it join. The id is a secret.
CREATE TABLE link_invite (
  id         TEXT PRIMARY KEY,
  org        TEXT NOT NULL REFERENCES org,
  space      TEXT REFERENCES space ON DELETE CASCADE, -- with collection NULL as well: to the organization
  collection TEXT REFERENCES collection,
  role       INTEGER CHECK (role BETWEEN 1 AND 6),  -- NULL: as a guest, without a grant
  created_at INTEGER NOT NULL,
  created_by TEXT REFERENCES user,
  CHECK (space IS NULL OR collection IS NULL)
) STRICT;
CREATE INDEX link_invite_org ON link_invite (org, created_at, id);
CREATE INDEX link_invite_space ON link_invite (space) WHERE space IS NOT NULL;
CREATE INDEX link_invite_collection ON link_invite (collection) WHERE collection IS NOT NULL;

CREATE TABLE saml_provider (
  id           TEXT PRIMARY KEY,
  org          TEXT NOT NULL REFERENCES org,
  label        TEXT NOT NULL,
  sso_url      TEXT NOT NULL DEFAULT '',
  entity_id    TEXT NOT NULL DEFAULT '',
  certificate  TEXT NOT NULL DEFAULT '',       -- the provider's, public
  default_team TEXT REFERENCES team,           -- new users join it
  default_role INTEGER CHECK (default_role BETWEEN 1 AND 6),  -- NULL: guests
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX saml_provider_org ON saml_provider (org, created_at, id);
CREATE INDEX saml_provider_team ON saml_provider (default_team) WHERE default_team IS NOT NULL;

-- What an organization tells agents; no row before the first PUT.
CREATE TABLE agent_instructions (
  org        TEXT PRIMARY KEY REFERENCES org,
  document   TEXT NOT NULL,                    -- JSON
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL REFERENCES user
) STRICT;

-- Who changed what in an organization. Rows are only ever added.
CREATE TABLE audit_event (
  seq          INTEGER PRIMARY KEY,            -- order of events
  id           TEXT NOT NULL UNIQUE,           -- UUID
  org          TEXT NOT NULL REFERENCES org,
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
CREATE INDEX audit_org ON audit_event (org, seq);
CREATE INDEX audit_actor ON audit_event (org, actor, seq);
CREATE INDEX audit_target ON audit_event (org, target, seq);
CREATE INDEX audit_action ON audit_event (org, action, seq);
CREATE TRIGGER audit_event_kept BEFORE UPDATE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
CREATE TRIGGER audit_event_stays BEFORE DELETE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never deleted'); END;
