-- A number that grows with each change of what published sites show. Nobody reads it: the
-- programs hear of the row's change, and take away pages that the web server sends by itself
-- (src/db/db_shown.c) before the change is there.

CREATE TABLE site_change (
  id INTEGER PRIMARY KEY CHECK (id = 1),       -- one row
  n  INTEGER NOT NULL
) STRICT;
INSERT INTO site_change (id, n) VALUES (1, 1);

CREATE TRIGGER shown_by_site_new AFTER INSERT ON site
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site AFTER UPDATE ON site
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_gone AFTER DELETE ON site
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_space_new AFTER INSERT ON site_space
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_space AFTER UPDATE ON site_space
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_space_gone AFTER DELETE ON site_space
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section_new AFTER INSERT ON site_section
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section AFTER UPDATE ON site_section
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section_gone AFTER DELETE ON site_section
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section_group_new AFTER INSERT ON site_section_group
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section_group AFTER UPDATE ON site_section_group
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_section_group_gone AFTER DELETE ON site_section_group
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_redirect_new AFTER INSERT ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_redirect AFTER UPDATE ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_redirect_gone AFTER DELETE ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_version_new AFTER INSERT ON openapi_version
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_version AFTER UPDATE ON openapi_version
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_version_gone AFTER DELETE ON openapi_version
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_spec_new AFTER INSERT ON openapi_spec
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_spec AFTER UPDATE OF org, slug, latest, deleted_at ON openapi_spec
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_openapi_spec_gone AFTER DELETE ON openapi_spec
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_org AFTER UPDATE OF title, hostname ON org
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_space AFTER UPDATE OF org, title, emoji, icon, language, branch, deleted_at ON space
  WHEN EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.id)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_branch AFTER UPDATE OF head ON branch
  WHEN NEW.kind = 'main' AND EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
