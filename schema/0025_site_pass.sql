-- What the renderer of a published site reads with (visit/pass.h): what it was given for one
-- visitor. Only what the visitor showed is kept; whether that still opens the site is looked at
-- each time. Rows that have expired are removed when others are made.
CREATE TABLE site_pass (
  hash       BLOB PRIMARY KEY,                 -- of the handle, which is in no table
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  claims     TEXT,                             -- JSON object, with those that nobody signed under "unsigned"; NULL: none
  share_link TEXT REFERENCES site_share_link ON DELETE CASCADE, -- by which they came; NULL: by none
  signer     BLOB,                             -- hash of the site's key that signed the claims; NULL: it did not
  account    TEXT REFERENCES account ON DELETE CASCADE, -- whose claims the organization's ping gave; NULL: nobody's
  preview    INTEGER NOT NULL DEFAULT 0 CHECK (preview IN (0, 1)), -- for somebody who manages the site
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX site_pass_site ON site_pass (site);
CREATE INDEX site_pass_share_link ON site_pass (share_link) WHERE share_link IS NOT NULL;
CREATE INDEX site_pass_account ON site_pass (account) WHERE account IS NOT NULL;
CREATE INDEX site_pass_expired ON site_pass (expires_at);
