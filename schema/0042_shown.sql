-- To whom a site space is shown, as its site says it: a space tells of the widest of its published sites, which
-- were looked at one by one, and a space may be on thousands.
ALTER TABLE site_space ADD COLUMN shown INTEGER NOT NULL DEFAULT 0; -- 0: the site is not published; 1 visitor-auth, 2 share-link, 3 unlisted, 4 public
ALTER TABLE site_space ADD COLUMN shown_at INTEGER;                 -- when it was published; NULL: it is not

UPDATE site_space SET (shown, shown_at) = (SELECT CASE WHEN t.published_at IS NULL THEN 0 ELSE CASE t.visibility
    WHEN 'public' THEN 4 WHEN 'unlisted' THEN 3 WHEN 'share-link' THEN 2 ELSE 1 END END, t.published_at
  FROM site t WHERE t.id = site_space.site);

CREATE TRIGGER site_space_shown_new AFTER INSERT ON site_space
  BEGIN UPDATE site_space SET (shown, shown_at) = (SELECT CASE WHEN t.published_at IS NULL THEN 0 ELSE CASE t.visibility
    WHEN 'public' THEN 4 WHEN 'unlisted' THEN 3 WHEN 'share-link' THEN 2 ELSE 1 END END, t.published_at
  FROM site t WHERE t.id = NEW.site) WHERE id = NEW.id; END;
CREATE TRIGGER site_space_shown AFTER UPDATE OF visibility, published_at ON site
  WHEN OLD.visibility <> NEW.visibility OR OLD.published_at IS NOT NEW.published_at
  BEGIN UPDATE site_space SET shown = CASE WHEN NEW.published_at IS NULL THEN 0 ELSE CASE NEW.visibility
    WHEN 'public' THEN 4 WHEN 'unlisted' THEN 3 WHEN 'share-link' THEN 2 ELSE 1 END END, shown_at = NEW.published_at
  WHERE site = NEW.id; END;

-- In the order in which a space looks for its address.
DROP INDEX site_space_space;
CREATE INDEX site_space_space ON site_space (space, shown DESC, shown_at, id);
-- An address with a key leads from the key to its site.
CREATE INDEX site_share_link_secret ON site_share_link (secret);
