-- In which spaces is a user named? One row a pair, instead of eleven indexes
-- with an entry for all that was ever written. Kept by triggers, so that no
-- writer has to think of it.

CREATE TABLE named (
  user  TEXT NOT NULL REFERENCES user,
  space TEXT NOT NULL REFERENCES space ON DELETE CASCADE,
  PRIMARY KEY (user, space)                    -- stays when a comment goes: who could read it knows the user
) STRICT, WITHOUT ROWID;
CREATE INDEX named_space ON named (space);

INSERT INTO named (user, space)
  SELECT author, space FROM comment
  UNION SELECT resolved_by, space FROM comment WHERE resolved_by IS NOT NULL
  UNION SELECT y.author, c.space FROM comment_reply y JOIN comment c ON c.id = y.comment
  UNION SELECT x.user, c.space FROM reaction x JOIN comment c ON c.id = x.comment
  UNION SELECT created_by, space FROM change_request
  UNION SELECT merged_by, space FROM change_request WHERE merged_by IS NOT NULL
  UNION SELECT v.reviewer, r.space FROM review v JOIN change_request r ON r.id = v.request
  UNION SELECT v.requested_by, r.space FROM review v JOIN change_request r ON r.id = v.request
    WHERE v.requested_by IS NOT NULL
  UNION SELECT w.user, r.space FROM requested_reviewer w JOIN change_request r ON r.id = w.request
  UNION SELECT w.requested_by, r.space FROM requested_reviewer w JOIN change_request r ON r.id = w.request
  UNION SELECT v.author, b.space FROM revision v JOIN branch b ON b.id = v.branch WHERE v.author IS NOT NULL;

CREATE TRIGGER named_by_revision AFTER INSERT ON revision WHEN NEW.author IS NOT NULL
  BEGIN INSERT INTO named (user, space) SELECT NEW.author, space FROM branch WHERE id = NEW.branch
    ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_request AFTER INSERT ON change_request
  BEGIN INSERT INTO named (user, space) VALUES (NEW.created_by, NEW.space) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_merge AFTER UPDATE OF merged_by ON change_request WHEN NEW.merged_by IS NOT NULL
  BEGIN INSERT INTO named (user, space) VALUES (NEW.merged_by, NEW.space) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_review AFTER INSERT ON review
  BEGIN INSERT INTO named (user, space) SELECT NEW.reviewer, space FROM change_request WHERE id = NEW.request
    ON CONFLICT DO NOTHING;
    INSERT INTO named (user, space) SELECT NEW.requested_by, space FROM change_request
    WHERE id = NEW.request AND NEW.requested_by IS NOT NULL ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_asking AFTER INSERT ON requested_reviewer
  BEGIN INSERT INTO named (user, space) SELECT NEW.user, space FROM change_request WHERE id = NEW.request
    ON CONFLICT DO NOTHING;
    INSERT INTO named (user, space) SELECT NEW.requested_by, space FROM change_request
    WHERE id = NEW.request ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_asking_again AFTER UPDATE OF requested_by ON requested_reviewer
  BEGIN INSERT INTO named (user, space) SELECT NEW.requested_by, space FROM change_request
    WHERE id = NEW.request ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_comment AFTER INSERT ON comment
  BEGIN INSERT INTO named (user, space) VALUES (NEW.author, NEW.space) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_resolving AFTER UPDATE OF resolved_by ON comment WHEN NEW.resolved_by IS NOT NULL
  BEGIN INSERT INTO named (user, space) VALUES (NEW.resolved_by, NEW.space) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_reply AFTER INSERT ON comment_reply
  BEGIN INSERT INTO named (user, space) SELECT NEW.author, space FROM comment WHERE id = NEW.comment
    ON CONFLICT DO NOTHING; END;
CREATE TRIGGER named_by_reaction AFTER INSERT ON reaction
  BEGIN INSERT INTO named (user, space) SELECT NEW.user, space FROM comment WHERE id = NEW.comment
    ON CONFLICT DO NOTHING; END;

DROP INDEX change_request_author;
DROP INDEX change_request_merger;
DROP INDEX review_by;
DROP INDEX review_asker;
DROP INDEX requested_reviewer_asker;
DROP INDEX requested_reviewer_user;
DROP INDEX revision_by;
DROP INDEX comment_by;
DROP INDEX comment_resolver;
DROP INDEX comment_reply_by;
DROP INDEX reaction_by;
