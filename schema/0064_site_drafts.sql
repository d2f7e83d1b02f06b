-- Drafts in the structure of a site: who manages the site sees them and works on them, and no
-- visitor does. A section is concealed where it or a group above it is a draft; a site space is
-- shown to nobody where it or its section is.
ALTER TABLE site_space ADD COLUMN draft INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1));         -- 1: no visitor sees it
ALTER TABLE site_section ADD COLUMN draft INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1));       -- 1: no visitor sees it, nor what is in it
ALTER TABLE site_section_group ADD COLUMN draft INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1)); -- 1: no visitor sees it, nor what is in it
ALTER TABLE site_section ADD COLUMN concealed INTEGER NOT NULL DEFAULT 0 CHECK (concealed IN (0, 1)); -- 1: it or a group above it is a draft
-- A preview shows drafts unless it was made without them.
ALTER TABLE site_pass ADD COLUMN drafts INTEGER NOT NULL DEFAULT 0 CHECK (drafts IN (0, 1));        -- 1: a preview that shows drafts

CREATE VIEW site_draft_group AS
  WITH RECURSIVE below (id, site) AS (SELECT id, site FROM site_section_group WHERE draft = 1
    UNION SELECT g.id, g.site FROM below JOIN site_section_group g ON g.parent = below.id)
  SELECT id, site FROM below;

CREATE TRIGGER site_group_concealed AFTER UPDATE OF draft, parent ON site_section_group
  WHEN OLD.draft <> NEW.draft OR OLD.parent IS NOT NEW.parent
  BEGIN UPDATE site_section SET concealed = CASE WHEN draft = 1 OR section_group IN
    (SELECT id FROM site_draft_group WHERE site = NEW.site) THEN 1 ELSE 0 END WHERE site = NEW.site; END;
CREATE TRIGGER site_section_concealed_new AFTER INSERT ON site_section
  WHEN NEW.draft = 1 OR NEW.section_group IS NOT NULL
  BEGIN UPDATE site_section SET concealed = CASE WHEN draft = 1 OR section_group IN
    (SELECT id FROM site_draft_group WHERE site = NEW.site) THEN 1 ELSE 0 END WHERE id = NEW.id; END;
CREATE TRIGGER site_section_concealed AFTER UPDATE OF draft, section_group ON site_section
  WHEN OLD.draft <> NEW.draft OR OLD.section_group IS NOT NEW.section_group
  BEGIN UPDATE site_section SET concealed = CASE WHEN draft = 1 OR section_group IN
    (SELECT id FROM site_draft_group WHERE site = NEW.site) THEN 1 ELSE 0 END WHERE id = NEW.id; END;

-- To whom a site space is shown (0042), for one with its site and section.
CREATE VIEW site_space_audience AS
  SELECT x.id, x.site, x.section, CASE WHEN t.published_at IS NULL OR x.draft = 1 OR c.concealed = 1 THEN 0
    ELSE CASE t.visibility WHEN 'public' THEN 4 WHEN 'unlisted' THEN 3 WHEN 'share-link' THEN 2 ELSE 1 END END AS shown,
    t.published_at AS shown_at
  FROM site_space x JOIN site t ON t.id = x.site LEFT JOIN site_section c ON c.id = x.section;
DROP TRIGGER site_space_shown_new;
DROP TRIGGER site_space_shown;
CREATE TRIGGER site_space_shown_new AFTER INSERT ON site_space
  BEGIN UPDATE site_space SET (shown, shown_at) = (SELECT a.shown, a.shown_at FROM site_space_audience a
    WHERE a.id = NEW.id) WHERE id = NEW.id; END;
CREATE TRIGGER site_space_shown_draft AFTER UPDATE OF draft, section ON site_space
  WHEN OLD.draft <> NEW.draft OR OLD.section IS NOT NEW.section
  BEGIN UPDATE site_space SET (shown, shown_at) = (SELECT a.shown, a.shown_at FROM site_space_audience a
    WHERE a.id = NEW.id) WHERE id = NEW.id; END;
CREATE TRIGGER site_space_shown_section AFTER UPDATE OF concealed ON site_section WHEN OLD.concealed <> NEW.concealed
  BEGIN UPDATE site_space SET (shown, shown_at) = (SELECT a.shown, a.shown_at FROM site_space_audience a
    WHERE a.id = site_space.id) WHERE section = NEW.id; END;
CREATE TRIGGER site_space_shown AFTER UPDATE OF visibility, published_at ON site
  WHEN OLD.visibility <> NEW.visibility OR OLD.published_at IS NOT NEW.published_at
  BEGIN UPDATE site_space SET (shown, shown_at) = (SELECT a.shown, a.shown_at FROM site_space_audience a
    WHERE a.id = site_space.id) WHERE site = NEW.id; END;
