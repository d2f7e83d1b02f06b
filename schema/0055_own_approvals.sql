-- Whether the approval of a change request's own author counts became a setting of merge rules
-- (countOwnApprovals). Rules that were set before go on counting it until somebody changes them.
UPDATE org SET merge_rules = json_set(merge_rules, '$.countOwnApprovals', json('true'))
  WHERE json_extract(merge_rules, '$.type') = 'rules';
UPDATE space SET merge_rules = json_set(merge_rules, '$.countOwnApprovals', json('true'))
  WHERE json_extract(merge_rules, '$.type') = 'rules';
