-- What published sites show to whom, besides their structure.

-- A hostname of the site's own; NULL: it is below OCTAVO_URL. Lower case. octavo site hostname sets it.
ALTER TABLE site ADD COLUMN hostname TEXT;
-- How it is to look: JSON as PUT …/customization took it; NULL: the defaults (visit/look.h).
ALTER TABLE site ADD COLUMN customization TEXT;
-- The key that the claims of its visitors are signed with, sealed; NULL: nobody asked for one yet.
ALTER TABLE site ADD COLUMN visitor_key BLOB;
-- Who signs them: "custom" or an integration's name.
ALTER TABLE site ADD COLUMN visitor_backend TEXT NOT NULL DEFAULT 'custom';
-- Where visitors without claims are sent to get some; NULL: nowhere.
ALTER TABLE site ADD COLUMN visitor_fallback TEXT;
CREATE UNIQUE INDEX site_hostname ON site (hostname) WHERE hostname IS NOT NULL;
CREATE INDEX site_proxy ON site (proxy_origin, created_at) WHERE proxy_origin IS NOT NULL;

-- What one site space wants to look otherwise: JSON, only members that it sets; NULL: nothing.
ALTER TABLE site_space ADD COLUMN customization TEXT;

-- Links with a secret that open a site of visibility share-link.
CREATE TABLE site_share_link (
  id         TEXT PRIMARY KEY,
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  name       TEXT NOT NULL,
  secret     TEXT NOT NULL,                    -- a segment of addresses
  active     INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE (site, secret)
) STRICT;
CREATE INDEX site_share_link_list ON site_share_link (site, created_at, id);

-- Old addresses of a site, and where they lead.
CREATE TABLE site_redirect (
  id          TEXT PRIMARY KEY,
  site        TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  source      TEXT NOT NULL,                   -- path below the site's address, with its first slash
  destination TEXT NOT NULL,                   -- JSON
  created_at  INTEGER NOT NULL,
  UNIQUE (site, source)
) STRICT;
