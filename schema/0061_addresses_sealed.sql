-- Addresses may hold secrets: who signs in, a token. They are kept as they may be shown (octavo_shown_url()),
-- and whole under octavo.key only. Old bytes are overwritten.
PRAGMA secure_delete = ON;
-- The whole address, sealed under octavo.key; NULL: url is all of it; empty: whoever migrated had opened no key, and it is lost.
ALTER TABLE openapi_spec ADD COLUMN url_sealed BLOB;
UPDATE openapi_spec SET url_sealed = COALESCE(octavo_seal(url), x''), url = octavo_shown_url(url)
  WHERE octavo_shown_url(url) <> url;
ALTER TABLE site_mcp_server ADD COLUMN url_sealed BLOB;  -- likewise
UPDATE site_mcp_server SET url_sealed = COALESCE(octavo_seal(url), x''), url = octavo_shown_url(url)
  WHERE octavo_shown_url(url) <> url;
-- These are shown only, and never fetched again.
UPDATE openapi_version SET url = octavo_shown_url(url) WHERE octavo_shown_url(url) <> url;
UPDATE openapi_file SET name = octavo_shown_url(name) WHERE octavo_shown_url(name) <> name;
-- Audit records of before addresses were hidden in them. What a record says of who did what stays as it was
-- written; only the part of sourceURL that is a secret becomes ***, as in records of today: they are read by all
-- admins and kept in each backup, and "there is no secret in it" is what the manual promises of them. This is the
-- one change that was ever made to them, by octavo migrate alone, and the manual names it (docs/people/audit.md).
DROP TRIGGER audit_event_kept;
UPDATE audit_event SET before = json_replace(before, '$.sourceURL', octavo_shown_url(before ->> '$.sourceURL'))
  WHERE target_type = 'openapi-spec' AND octavo_shown_url(before ->> '$.sourceURL') <> before ->> '$.sourceURL';
UPDATE audit_event SET after = json_replace(after, '$.sourceURL', octavo_shown_url(after ->> '$.sourceURL'))
  WHERE target_type = 'openapi-spec' AND octavo_shown_url(after ->> '$.sourceURL') <> after ->> '$.sourceURL';
CREATE TRIGGER audit_event_kept BEFORE UPDATE ON audit_event
  BEGIN SELECT RAISE(ABORT, 'audit records are never changed'); END;
