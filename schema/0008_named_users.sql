-- In which spaces is a user named? Whoever reads one of them may look the user up.
CREATE INDEX change_request_author ON change_request (created_by, space);
CREATE INDEX change_request_merger ON change_request (merged_by, space) WHERE merged_by IS NOT NULL;
CREATE INDEX review_by ON review (reviewer, request);
CREATE INDEX review_asker ON review (requested_by, request) WHERE requested_by IS NOT NULL;
CREATE INDEX requested_reviewer_asker ON requested_reviewer (requested_by, request);
CREATE INDEX revision_by ON revision (author, branch) WHERE author IS NOT NULL;
CREATE INDEX comment_by ON comment (author, space);
CREATE INDEX comment_resolver ON comment (resolved_by, space) WHERE resolved_by IS NOT NULL;
CREATE INDEX comment_reply_by ON comment_reply (author, comment);
CREATE INDEX reaction_by ON reaction (user, comment);
CREATE INDEX requested_reviewer_user ON requested_reviewer (user, request);
