-- Who may see a site also changes with its share links: octavo-site remembers pages of visitors
-- for as long as neither site_change nor access_version counts (src/site/recall.c).
CREATE TRIGGER access_by_share_link_new AFTER INSERT ON site_share_link
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_share_link AFTER UPDATE OF site, secret, active ON site_share_link
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_share_link_gone AFTER DELETE ON site_share_link
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
