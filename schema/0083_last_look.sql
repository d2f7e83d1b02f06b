-- When a person last read the conversation of a change request: comments and replies of others after it are unread. No
-- row: all of them are.
CREATE TABLE last_look (
  request TEXT NOT NULL REFERENCES change_request,
  account TEXT NOT NULL REFERENCES account,
  at      INTEGER NOT NULL,                    -- time of the last comment or reply that was read, in ms
  PRIMARY KEY (request, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX last_look_account ON last_look (account, request);
