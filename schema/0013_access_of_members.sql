-- The role in an organization counts as access from here on: what is remembered
-- under access_version needs nothing beside it.

CREATE TRIGGER access_by_member_new AFTER INSERT ON member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_member AFTER UPDATE OF org, user, role, disabled ON member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_member_gone AFTER DELETE ON member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
