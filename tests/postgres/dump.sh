# Shared by tests that compare the rows of two databases: source it beside a function sql().

# dump: all rows that are moved, sorted, but for the jobs that a move adds
dump() {
	sql_tables | grep -vE '^(search_(place|reads|text|page|space|posting|index.*)|octavo_(schema|moving.*)|job)$' >"$tmp/tables"
	set --
	while read -r table; do set -- "$@" "SELECT '$table', * FROM \"$table\""; done <"$tmp/tables"
	sql "$@" | LC_ALL=C sort
}
