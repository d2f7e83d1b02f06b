-- A number that grows whenever it may change who can read what: what a worker
-- counted stays true as long as it is the same. Roles in an organization are
-- not among its causes: who uses the number has the caller's role at hand.

CREATE TABLE access_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),       -- one row
  n  INTEGER NOT NULL
) STRICT;
INSERT INTO access_version (id, n) VALUES (1, 1);

CREATE TRIGGER access_by_space_new AFTER INSERT ON space
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_space AFTER UPDATE OF org, parent, default_level, deleted_at ON space
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_space_gone AFTER DELETE ON space
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_collection_new AFTER INSERT ON collection
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_collection AFTER UPDATE OF org, parent, default_level, deleted_at ON collection
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_collection_gone AFTER DELETE ON collection
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_grant_new AFTER INSERT ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_grant AFTER UPDATE ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_grant_gone AFTER DELETE ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_team_new AFTER INSERT ON team_member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_team AFTER UPDATE OF team, user ON team_member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_team_gone AFTER DELETE ON team_member
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
