-- What a site expects its visitors to claim.

-- JSON Schema, as PUT …/adaptive-schema took it; NULL: none was set.
ALTER TABLE site ADD COLUMN adaptive_schema TEXT;
ALTER TABLE site ADD COLUMN adaptive_schema_at INTEGER;   -- when
