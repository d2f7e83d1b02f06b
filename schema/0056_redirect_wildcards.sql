-- Redirects as the newest client has them. A source that ends in "*" stands for all that begins like it.
ALTER TABLE site_redirect ADD COLUMN permanent INTEGER NOT NULL DEFAULT 0 CHECK (permanent IN (0, 1)); -- 308 in place of 302, where everybody reads the site
ALTER TABLE site_redirect ADD COLUMN capture INTEGER NOT NULL DEFAULT 0 CHECK (capture IN (0, 1)); -- what "*" stood for goes behind the destination
ALTER TABLE site_redirect ADD COLUMN updated_at INTEGER; -- NULL: never changed
CREATE INDEX site_redirect_wild ON site_redirect (site) WHERE substr(source, -1) = '*';
