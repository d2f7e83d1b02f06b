# The mutants of C files: one change of an operator, a constant, a condition or a call each, also
# inside the statements of SQL(…). Prints a line for each:
#
#   FILE <tab> LINE <tab> COLUMN <tab> LENGTH <tab> REPLACEMENT
#
# with the bytes of the line to replace. `only` (optional) names a file with lines "FILE <tab> FIRST
# <tab> LAST": only these lines are changed. Comments, preprocessor lines, asserts and panics are
# not changed, nor is code whose change shows in no result: the version number of a cache, whether a
# transaction that only reads takes the lock, columns other than 1 where only the existence of the
# row matters, and limits above what a whole database can need.
BEGIN {
	split("< <=,>= <= <,> > >=,<= >= >,< == != != == && || || && << >> >> << += -= -= += |= = &= = ++ -- -- ++", p, " ")
	for (i = 1; i in p; i += 2)
		swap[p[i]] = p[i + 1]
	# These count as binary operators only between spaces.
	split("+ - - + * / / * % / & | | &", p, " ")
	for (i = 1; i in p; i += 2)
		between[p[i]] = p[i + 1]
	split("AND OR OR AND <> = = <> < <= <= < > >= >= > + - - + DESC ASC MIN MAX MAX MIN", p, " ")
	for (i = 1; i in p; i += 2)
		sql_swap[p[i]] = p[i + 1]
	# A role becomes the one below it and the one above (base/role.h).
	n = split("NONE READ COMMENT EDIT REVIEW CREATE ADMIN", p, " ")
	for (i = 1; i <= n; i++)
		near["ROLE_" p[i]] = (i > 1 ? "ROLE_" p[i - 1] : "") (i > 1 && i < n ? "," : "") (i < n ? "ROLE_" p[i + 1] : "")
	near["SQL_ROLE_READ"] = "\"0\",\"2\""
	near["SQL_ROLE_CREATE"] = "\"4\",\"6\""
	near["SQL_ROLE_ADMIN"] = "\"5\""
	near["SQL_LEVEL_INHERIT"] = "\"0\""
	while (only != "" && (getline line < only) > 0) {
		split(line, p, "\t")
		for (i = p[2] + 0; i <= p[3] + 0; i++)
			wanted[p[1], i] = 1
	}
	keyword = "^(return|if|for|while|switch|sizeof|assert|else|do|case)$"
	# Calls that only free memory or descriptors: no result shows that one is missing.
	release = "^(free|arena_free|arena_reset|buf_free|close|fclose|va_end|va_start|memset)$"
}

FNR == 1 { comment = in_sql = sql_set = macro = 0 }

function emit(column, length_, text) {
	if (only == "" || (FILENAME, FNR) in wanted)
		printf "%s\t%d\t%d\t%d\t%s\n", FILENAME, FNR, column, length_, text
}

function emit_all(column, length_, texts,    t, i) {
	split(texts, t, ",")
	for (i = 1; i in t; i++)
		emit(column, length_, t[i])
}

function number(column, text) {
	emit(column, length(text), text + 1)
	if (text + 0 > 0)
		emit(column, length(text), text - 1)
}

# A constant of C that begins with 0, such as a file mode, is octal.
function octal(column, text,    i, value) {
	for (i = 2; i <= length(text); i++)
		value = value * 8 + substr(text, i, 1)
	emit(column, length(text), sprintf("0%o", value + 1))
	if (value > 0)
		emit(column, length(text), sprintf("0%o", value - 1))
}

# The text of the literal inside SQL(…) that begins at the column.
function sql(column, text,    i, word) {
	for (i = 1; i <= length(text); i += length(word)) {
		if (match(substr(text, i), /^[A-Za-z_:][A-Za-z0-9_.:]*/)) {
			word = substr(text, i, RLENGTH)
			if (word == "SET") sql_set = 1
			if (word == "WHERE") sql_set = 0
			if (word == "IS" && substr(text, i, 11) == "IS NOT NULL") {
				word = "IS NOT NULL"
				emit(column + i - 1, 11, "IS NULL")
			} else if (word == "IS" && substr(text, i, 7) == "IS NULL")
				emit(column + i - 1, 7, "IS NOT NULL")
			else if (word == "NOT" && substr(text, i, 11) ~ /^NOT (EXISTS|IN)/)
				emit(column + i - 1, 4, "")
			else if (word in sql_swap)
				emit(column + i - 1, length(word), sql_swap[word])
		} else if (match(substr(text, i), /^[0-9]+/)) {
			word = substr(text, i, RLENGTH)
			if (word == 1 && substr(text, 1, i - 1) ~ /SELECT $/)
				emit(column + i - 1, 1, 0)
			else
				number(column + i - 1, word)
		} else if (match(substr(text, i), /^'[^']*'/)) {
			word = substr(text, i, RLENGTH)
		} else if (match(substr(text, i), /^ (<>|<=|>=|=|<|>|\+|-) /)) {
			word = substr(text, i + 1, RLENGTH - 2)
			if (!sql_set || word != "=")
				emit(column + i, length(word), sql_swap[word])
			word = " " word
		} else
			word = substr(text, i, 1)
	}
}

# The end of the literal that begins at s[i].
function literal_end(s, i,    q) {
	q = substr(s, i, 1)
	for (i++; i <= length(s) && substr(s, i, 1) != q; i++)
		if (substr(s, i, 1) == "\\")
			i++
	return i
}

function operator(s, i,    two) {
	two = substr(s, i, 2)
	if (two == "->")
		return two
	return two in swap ? two : substr(s, i, 1)
}

# Whole statements: a call whose result is not used, break and continue.
function statement(s,    body) {
	body = s
	sub(/^\t+/, "", body)
	match(body, /^[a-z_][a-z_0-9]*/)
	# Like an assert, panic() checks what callers owe.
	if (body ~ /^panic\(/)
		return
	if ((body ~ /^[a-z_][a-z_0-9]*\(.*\);$/ && substr(body, 1, RLENGTH) !~ keyword &&
	    substr(body, 1, RLENGTH) !~ release) || body ~ /^(break|continue);$/)
		emit(length(s) - length(body) + 1, length(body), ";")
}

function word_at(s, i, word) {
	if (word == "true") emit(i, 4, "false")
	else if (word == "false" && s !~ /db_begin\([^;]*, false\)/) emit(i, 5, "true")
	else if (word == "SQL") in_sql = 1
	else if (word in near) emit_all(i, length(word), near[word])
	else if ((word == "if" || word == "while") && substr(s, i + length(word), 2) == " (") {
		emit(i + length(word) + 2, 0, "0 && ")
		if (word == "if")
			emit(i + length(word) + 2, 0, "1 || ")
	}
}

{
	s = $0
	if (!comment && (macro || s ~ /^#/ || s ~ /^enum \{ VERSION = [0-9]+ \};$/)) {
		macro = s ~ /\\$/
		next
	}
	if (!comment)
		statement(s)
	# Limits of buffers and arenas are far above their usual content.
	bound = s ~ /(buf_init|arena_new|arena_within|arena_alloc)\(|PAGE_DEPTH \* 2/
	# A declaration with the length of an array.
	array = s ~ /^\t*(static |const |unsigned )*(char|int|u?int[0-9]+_t|size_t|struct [a-z_]+) [^=(]*\[[^=(]*;/
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (comment) {
			if (substr(s, i, 2) == "*/") { comment = 0; i++ }
		} else if (substr(s, i, 2) == "/*") { comment = 1; i++ }
		else if (substr(s, i, 2) == "//")
			break
		else if (c == "\"" || c == "'") {
			end = literal_end(s, i)
			if (in_sql && c == "\"")
				sql(i + 1, substr(s, i + 1, end - i - 1))
			i = end
		} else if (match(substr(s, i), /^[A-Za-z_][A-Za-z0-9_]*/)) {
			n = RLENGTH
			word = substr(s, i, n)
			if (word ~ /^(assert|static_assert|_Static_assert|panic)$/)
				break
			word_at(s, i, word)
			i += n - 1
		} else if (match(substr(s, i), /^[0-9][0-9A-Za-z.]*/)) {
			n = RLENGTH
			word = substr(s, i, n)
			if (!array && !bound && word ~ /^0[0-7]+$/)
				octal(i, word)
			else if (!array && !bound && word ~ /^[0-9]+$/)
				number(i, word)
			i += n - 1
		} else {
			op = operator(s, i)
			if (op ~ /^(\+\+|--)$/ && s ~ /^\t*for \(/)
				;
			else if (bound && (op == "<<" || substr(s, i) ~ /^([<>] PAGE_DEPTH \*|\* 2)/))
				;
			else if (op in swap && op != "->")
				emit_all(i, length(op), swap[op])
			else if (op in between && substr(s, i - 1, 1) == " " && substr(s, i + 1, 1) ~ /^ ?$/)
				emit_all(i, 1, between[op])
			else if (op == "!" && substr(s, i + 1, 1) != "=")
				emit(i, 1, "")
			i += length(op) - 1
		}
	}
	if (in_sql && s ~ /\);$/)
		in_sql = sql_set = 0
}
