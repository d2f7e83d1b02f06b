-- Pages of sites show users by their names (tables, mentions). What is kept of a page has this number
-- in its key (src/site/view.c), as which users a page shows is known only when it is made.
ALTER TABLE site_change ADD COLUMN names INTEGER NOT NULL DEFAULT 0;  -- how often a user got another name

CREATE TRIGGER shown_by_account AFTER UPDATE OF name ON account WHEN OLD.name <> NEW.name
  BEGIN UPDATE site_change SET n = n + 1, names = names + 1 WHERE id = 1; END;
