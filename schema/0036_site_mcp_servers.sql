-- Servers of the Model Context Protocol that assistants of a site may ask, as those who
-- manage it set them.
CREATE TABLE site_mcp_server (
  id         TEXT PRIMARY KEY,
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  name       TEXT NOT NULL,
  url        TEXT NOT NULL,
  headers    BLOB NOT NULL,                    -- sent with each request: a JSON object, sealed, since it may hold tokens
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX site_mcp_server_list ON site_mcp_server (site, created_at, id);
