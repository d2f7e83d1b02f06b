-- Addresses may hold secrets: who signs in, a token. They are kept as they may be shown (octavo_shown_url()),
-- and whole under octavo.key only. Old bytes are overwritten.
PRAGMA secure_delete = ON;
-- The whole address, sealed under octavo.key; NULL: url is all of it; empty: it was lost, for the key was not there.
ALTER TABLE openapi_spec ADD COLUMN url_sealed BLOB;
UPDATE openapi_spec SET url_sealed = COALESCE(octavo_seal(url), x''), url = octavo_shown_url(url)
  WHERE octavo_shown_url(url) <> url;
ALTER TABLE site_mcp_server ADD COLUMN url_sealed BLOB;  -- likewise
UPDATE site_mcp_server SET url_sealed = COALESCE(octavo_seal(url), x''), url = octavo_shown_url(url)
  WHERE octavo_shown_url(url) <> url;
-- These are shown only, and never fetched again.
UPDATE openapi_version SET url = octavo_shown_url(url) WHERE octavo_shown_url(url) <> url;
UPDATE openapi_file SET name = octavo_shown_url(name) WHERE octavo_shown_url(name) <> name;
-- Records of before addresses were hidden in them.
DROP TRIGGER audit_event_kept;
UPDATE audit_event SET before = json_replace(before, '$.sourceURL', octavo_shown_url(before ->> '$.sourceURL'))
  WHERE target_type = 'openapi-spec' AND octavo_shown_url(before ->> '$.sourceURL') <> before ->> '$.sourceURL';
UPDATE audit_event SET after = json_replace(after, '$.sourceURL', octavo_shown_url(after ->> '$.sourceURL'))
  WHERE target_type = 'openapi-spec' AND octavo_shown_url(after ->> '$.sourceURL') <> after ->> '$.sourceURL';
CREATE TRIGGER audit_event_kept BEFORE UPDATE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
