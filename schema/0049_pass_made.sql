-- A site token reads no revision that was replaced before it was made: its bearer was never shown that one.
ALTER TABLE site_pass ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0; -- of those that were there: as early as they can be
UPDATE site_pass SET made_at = expires_at - 7200000;
