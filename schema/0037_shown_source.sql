-- Pages may link to their files in git: where these are is shown on published sites too.
CREATE TRIGGER shown_by_git_sync_new AFTER INSERT ON git_sync
  WHEN EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_git_sync AFTER UPDATE ON git_sync
  WHEN (OLD.url <> NEW.url OR OLD.ref <> NEW.ref OR OLD.provider IS NOT NEW.provider OR
  OLD.tree_url IS NOT NEW.tree_url) AND EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_git_sync_gone AFTER DELETE ON git_sync
  WHEN EXISTS (SELECT 1 FROM site_space x WHERE x.space = OLD.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_git_binding_new AFTER INSERT ON git_binding
  WHEN EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_git_binding AFTER UPDATE ON git_binding
  WHEN (OLD.url <> NEW.url OR OLD.ref <> NEW.ref OR OLD.provider <> NEW.provider OR
  OLD.tree_url IS NOT NEW.tree_url) AND EXISTS (SELECT 1 FROM site_space x WHERE x.space = NEW.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_git_binding_gone AFTER DELETE ON git_binding
  WHEN EXISTS (SELECT 1 FROM site_space x WHERE x.space = OLD.space)
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
