# Shared by tests that read every table: source it beside a function sql().

# Names of the tables
sql_tables() {
	if [ -z "${OCTAVO_DB:-}" ]; then
		sql "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name"
	else
		sql "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()
			AND table_type = 'BASE TABLE' ORDER BY table_name"
	fi
}
