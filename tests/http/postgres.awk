# Rewrites records of build/tests/statements for PostgreSQL, one per line:
#
#   awk -v out=schema    the schema's CREATE statements
#   awk -v out=prepare   PREPARE of each declared statement, after its file, its name and a tab
#
# SQL is rewritten word by word, outside of strings, and only as follows:
#
#   :name                      $1 for the first name of a statement, and so on
#   INTEGER, BLOB              bigint, bytea; x'' as their default: '\x'
#   STRICT, WITHOUT ROWID      omitted: PostgreSQL always behaves like that
#   REFERENCES table ...       omitted, like triggers: statements are prepared in the same way without them,
#                              and tables would have to be created in their order
BEGIN { RS = "\036"; FS = "\037" }

function words_of_schema(s) {
	gsub(/ REFERENCES [a-z_]+( \([a-z_, ]+\))?( ON DELETE (CASCADE|SET NULL))?( DEFERRABLE INITIALLY DEFERRED)?/, "", s)
	gsub(/ INTEGER/, " bigint", s)
	gsub(/ BLOB/, " bytea", s)
	sub(/\) *(STRICT|WITHOUT ROWID)(, *(STRICT|WITHOUT ROWID))? *$/, ")", s)
	return s
}

function words_of_statement(s,   done, name) {
	gsub(/AS INTEGER\)/, "AS bigint)", s)
	gsub(/AS BLOB\)/, "AS bytea)", s)
	while (match(s, /:[A-Za-z_][A-Za-z_0-9]*/)) {
		name = substr(s, RSTART, RLENGTH)
		if (!(name in number))
			number[name] = ++numbers
		done = done substr(s, 1, RSTART - 1) "$" number[name]
		s = substr(s, RSTART + RLENGTH)
	}
	return done s
}

function rewrite(s,   part, n, i, line) {
	gsub(/--[^\n]*/, "", s)
	gsub(/\/\*[^*]*\*\//, "", s)
	gsub(/DEFAULT x''/, "DEFAULT '\\x'", s)
	gsub(/[ \t\n]+/, " ", s)
	split("", number)
	numbers = 0
	n = split(s, part, "'")
	for (i = 1; i <= n; i++) {
		if (i % 2)
			part[i] = out == "schema" ? words_of_schema(part[i]) : words_of_statement(part[i])
		line = line (i > 1 ? "'" : "") part[i]
	}
	return line
}

NF == 3 && out == "schema" && $1 == "schema" { print rewrite($3) ";" }
NF == 3 && out == "prepare" && $1 != "schema" { print $1 " " $2 "\tPREPARE s" ++count " AS " rewrite($3) ";" }
