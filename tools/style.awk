# The house rules that a machine can check, one C file after the other. Prints FILE:LINE: MESSAGE
# for each breach, and exits with 1 if there is any. tools/style.sh runs it; `/* style: reason */`
# on a line exempts that line.

function complain(line, message) {
	printf "%s:%d: %s\n", file, line, message
	found = 1
}

function breach(line, message) {
	if (line in excuse)
		used[line] = 1
	else
		complain(line, message)
}

# The line without comments, and with string contents blanked; the contents go to `literal`.
function code_of(s,    out, i, c, n) {
	out = ""
	literal = ""
	n = length(s)
	for (i = 1; i <= n; i++) {
		c = substr(s, i, 1)
		if (in_comment) {
			if (c == "*" && substr(s, i + 1, 1) == "/") {
				in_comment = 0
				i++
			}
		} else if (c == "/" && substr(s, i + 1, 1) == "*") {
			in_comment = 1
			out = out " "
			i++
		} else if (c == "/" && substr(s, i + 1, 1) == "/") {
			break
		} else if (c == "\"" || c == "'") {
			out = out c
			for (i++; i <= n && substr(s, i, 1) != c; i++) {
				if (substr(s, i, 1) == "\\")
					literal = literal substr(s, i++, 1)
				if (c == "\"")
					literal = literal substr(s, i, 1)
			}
			literal = literal "\001"
			out = out c
		} else {
			out = out c
		}
	}
	return out
}

# index() first, because some awks compile a dynamic expression again each time.
function calls(code, name) {
	return index(code, name) && match(code, "(^|[^A-Za-z0-9_>.])" name "[ \t]*\\(")
}

function check_calls(code, line,    i) {
	for (i = 1; i <= banned_count; i++)
		if (calls(code, banned[i]) && !(in_tests && banned[i] ~ /^(system|popen|s?rand|qsort|bsearch)$/) &&
		    !(file == "include/base/sort.h" && banned[i] ~ /^(qsort|bsearch)$/))
			breach(line, banned[i] "() is banned: " why[i])
	if (file != "src/base/arena.c" && !in_tests)
		for (i = 1; i <= heap_count; i++)
			if (calls(code, heap[i]))
				breach(line, heap[i] "() is banned: memory comes from an arena")
	if (code ~ /^typedef /)
		breach(line, "typedef: say struct x")
}

# Numbers that have a name. Roles in documents (an ARIA role, the role of a cell) are no such numbers.
function check_names(code, text, line) {
	if (in_tests)
		return
	if (code ~ /(role|who\.cap|who->cap) *[<>=!]=? *-?[0-9]/ || text ~ /role (=|<>|[<>]=?) -?[0-9]/)
		breach(line, "a role has a name, not a number (base/role.h)")
	if ((code text) ~ /9007199254740991/ && file != "include/base/exact.h")
		breach(line, "2^53 - 1 is EXACT_MAX (base/exact.h)")
}

# Which module may use which library. src/git has its own names that begin with git_, so libgit2 is
# recognized by its header.
function check_modules(code, raw, line) {
	if (in_tests)
		return
	if (code ~ /(^|[^A-Za-z0-9_])sqlite3_/ && file !~ /^src\/db\/sqlite\//)
		breach(line, "sqlite3_* belongs in src/db/sqlite/")
	if (code ~ /(^|[^A-Za-z0-9_])FCG[XI]_/ && file !~ /^cgi\//)
		breach(line, "FCGX_* belongs in cgi/")
	if (raw ~ /^#[ \t]*include[ \t]*<git2/ && file !~ /^src\/git\//)
		breach(line, "libgit2 belongs in src/git/")
	if (raw ~ /^#[ \t]*include[ \t]*<curl\// && file !~ /^src\/fetch\/[^\/]*\.c$/ && file != "src/objects/objects_curl.h")
		breach(line, "libcurl belongs in src/fetch/*.c, and in src/objects")
}

# SQL that PostgreSQL does not accept.
function check_sql(text, line) {
	if (file !~ /^src\// || text !~ /(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|AND|ORDER BY|RETURNING) /)
		return
	if (text ~ /:[a-z_]+ IS (NOT )?NULL/)
		breach(line, "SQL: CAST(:x AS TEXT) IS NULL, not :x IS NULL")
	if (text ~ / IS (NOT )?:/)
		breach(line, "SQL: IS NOT DISTINCT FROM, not IS :x")
	if (text ~ /LIMIT -1/)
		breach(line, "SQL: LIMIT -1")
	if (text ~ /AUTOINCREMENT/)
		breach(line, "SQL: AUTOINCREMENT")
	if (text ~ /INSERT OR (REPLACE|IGNORE)/)
		breach(line, "SQL: ON CONFLICT, not INSERT OR")
	if (file ~ /^src\/(db|search)\//)
		return
	if (text ~ /->>?[ ]*'/ || text ~ /json_(extract|each|object|group)/)
		breach(line, "SQL: JSON is read in C")
	if (text ~ /(^|[^a-z_])(max|min)\([^()]*(\([^()]*\))?[^()]*,/)
		breach(line, "SQL: max() and min() of two arguments are SQLite's")
	if (text ~ /(FROM|JOIN|INTO|UPDATE|\.) ?user([^a-z_]|$)/)
		breach(line, "SQL: user is reserved; the table is account")
	if (text ~ /(^|[^a-z_])(rowid|GLOB|MATCH|ifnull|IFNULL|strftime|julianday|unixepoch|INDEXED BY)([^a-z_]|$)/)
		breach(line, "SQL: only SQLite knows this word")
}

function end_file(    l) {
	if (file == "")
		return
	if (FNR_last > 800 && !in_script)
		breach(FNR_last, "the file has " FNR_last " lines; the ceiling is 800")
	for (l in excuse)
		if (!(l in used))
			complain(l, "this excuse is not needed")
	if (in_comment)
		breach(FNR_last, "a comment without an end")
}

BEGIN {
	split("use arena_printf|use buf|use snprintf or arena_printf|use vsnprintf|use strcspn|use fgets" \
	    "|use strtol|use strtol|use strtod|use time_format|use time_format|use time_format" \
	    "|use time_format|use execv|use execv|use the arena|use secret_random|use secret_random" \
	    "|use mkstemp|use mkstemp|use sort_list|use find_sorted", why, "|")
	banned_count = split("strcpy strcat sprintf vsprintf strtok gets atoi atol atof gmtime localtime" \
	    " ctime asctime system popen alloca rand srand tmpnam mktemp qsort bsearch", banned, " ")
	heap_count = split("malloc calloc realloc strdup strndup asprintf", heap, " ")
}

FNR == 1 {
	end_file()
	file = FILENAME
	in_tests = file ~ /^tests\//
	in_script = file ~ /\.(sh|mjs|jq)$/
	in_comment = 0
	body = 0
	split("", excuse)
	split("", used)
}

# Only the length of lines is checked in test scripts: a case per line is read in a terminal.
in_script {
	FNR_last = FNR
	if (length($0) > 159)
		breach(FNR, "the line has " length($0) " bytes; lines of tests end before column 160")
	next
}

{
	FNR_last = FNR
	if ($0 ~ /\/\* style: [^*]+\*\//)
		excuse[FNR] = 1
	code = code_of($0)
	check_calls(code, FNR)
	check_modules(code, $0, FNR)
	check_sql(literal, FNR)
	check_names(code, literal, FNR)
	if ($0 ~ /[ \t]$/)
		breach(FNR, "white space at the end of the line")
	if ($0 ~ /\r$/)
		breach(FNR, "carriage return")
	if (length($0) > 160)
		breach(FNR, "the line has " length($0) " bytes")
	if (code ~ /^\{/)
		body = FNR
	if (code ~ /^\}/ && body > 0) {
		if (FNR - body - 1 > 60)
			breach(body, "the function has " FNR - body - 1 " lines; the ceiling is 60")
		body = 0
	}
}

END {
	end_file()
	exit found
}
