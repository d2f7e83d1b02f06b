-- `sso` of an organization closes it to sign-ins other than at its own providers (docs/people/sign-in.md). It had no
-- effect before: whoever had set it chooses anew, so that an upgrade locks nobody out.
UPDATE org SET sso = 0 WHERE sso = 1;
ALTER TABLE org ADD COLUMN tokens TEXT NOT NULL DEFAULT 'keep' CHECK (tokens IN ('keep', 'stop')); -- with sso: whether API tokens of members who are no admins open it
-- The providers of organizations that sign people in: all that they need is set.
CREATE VIEW active_provider AS
  SELECT id, org, label, created_at FROM saml_provider WHERE sso_url <> '' AND entity_id <> '' AND certificate <> ''
  UNION ALL SELECT id, org, label, created_at FROM oidc_provider WHERE issuer <> '' AND client <> '';
