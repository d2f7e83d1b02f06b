/*
 * Calls Prism and KaTeX for octavo-typeset. Code is returned as text with spans whose class is one
 * letter. Spans neither nest nor cross line ends, so that each line can be used by itself.
 */
var CLASSES = {
	comment: 'c', prolog: 'c', doctype: 'c', cdata: 'c', blockquote: 'c', coord: 'c',
	keyword: 'k', atrule: 'k', important: 'k', deleted: 'k', 'delimiter': 'k', directive: 'k', rule: 'k',
	string: 's', 'char': 's', 'attr-value': 's', regex: 's', 'template-string': 's', inserted: 's', url: 's', 'triple-quoted-string': 's', scalar: 's',
	number: 'n', 'boolean': 'n', constant: 'n', symbol: 'n', unit: 'n', variable: 'n', 'null': 'n', datetime: 'n', date: 'n', entity: 'n',
	'function': 'f', 'function-name': 'f', 'attr-name': 'f', property: 'f', selector: 'f', key: 'f', method: 'f', title: 'f', 'header-name': 'f', table: 'f',
	'class-name': 't', tag: 't', builtin: 't', namespace: 't', type: 't', 'assign-left': 't', decorator: 't', annotation: 't'
}
function escaped(s) {
	return s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/\u0000/g, '\ufffd')
}
function written(out, text, mark) {
	if (!mark) { out.push(escaped(text)); return }
	var lines = text.split('\n')
	for (var i = 0; i < lines.length; i++) {
		if (i > 0) out.push('\n')
		if (/^\s*$/.test(lines[i])) out.push(lines[i])
		else out.push('<span class="' + mark + '">' + escaped(lines[i]) + '</span>')
	}
}
function mark_of(token, mark) {
	var names = [token.type].concat(token.alias || []), i
	for (i = names.length - 1; i >= 0; i--)
		if (Object.prototype.hasOwnProperty.call(CLASSES, names[i])) return CLASSES[names[i]]
	return token.type === 'punctuation' || token.type === 'operator' || token.type === 'interpolation' ? '' : mark
}
function walked(out, token, mark) {
	if (typeof token === 'string') written(out, token, mark)
	else if (Array.isArray(token)) for (var i = 0; i < token.length; i++) walked(out, token[i], mark)
	else walked(out, token.content, mark_of(token, mark))
}
/* Names of languages that Prism lacks, by the grammar that reads them; "": plain text. */
var NAMES = { plaintext: '', text: '', txt: '', plain: '', none: '' }
;[['bash', 'sh shell zsh ksh csh fish console shell-session shellsession shellscript curl terminal env dotenv'],
	['cpp', 'c++ cxx cc hpp hxx h++ cu cuda'],
	['c', 'h'],
	['csharp', 'c#'],
	['objectivec', 'objective-c'],
	['go', 'golang'],
	['rust', 'rs'],
	['kotlin', 'kt kts'],
	['powershell', 'ps1 psm1 pwsh ps'],
	['docker', 'dockerfile containerfile'],
	['protobuf', 'proto'],
	['json5', 'jsonc'],
	['json', 'jsonl ndjson geojson'],
	['markup', 'vue svelte astro razor xhtml xsd xsl xslt wsdl plist'],
	['fsharp', 'f# fs'],
	['hcl', 'terraform tf tfvars hcl2'],
	['sql', 'postgresql postgres psql pgsql plpgsql plsql mysql mariadb sqlite sqlite3 tsql mssql bigquery snowflake'],
	['batch', 'bat cmd'],
	['django', 'jinja j2'],
	['bazel', 'bzl starlark'],
	['python', 'python3 py3 vyper'],
	['markdown', 'mdx'],
	['javascript', 'node nodejs mjs cjs es6 mongodb mongo'],
	['groovy', 'gradle jenkinsfile'],
	['perl', 'pl pm'],
	['makefile', 'make mk'],
	['diff', 'patch'],
	['solidity', 'sol'],
	['elixir', 'ex exs'],
	['erlang', 'erl'],
	['clojure', 'clj cljs edn'],
	['ocaml', 'ml mli'],
	['julia', 'jl'],
	['graphql', 'gql'],
	['ini', 'conf cfg config gitconfig'],
	['apacheconf', 'apache htaccess'],
	['nasm', 'asm assembly'],
	['wasm', 'wat'],
	['yaml', 'docker-compose kubernetes k8s ansible helm'],
	['php', 'blade'],
	['arduino', 'ino']].forEach(function (row) {
	row[1].split(' ').forEach(function (name) { NAMES[name] = row[0] })
})
/* BUILD files consist of calls with named arguments, which Python's grammar does not mark. */
Prism.languages.bazel = Prism.languages.extend('python', {
	'function': /\b(?!(?:and|elif|else|for|if|in|lambda|not|or|return)\b)[a-z_]\w*(?=\s*\()/i
})
Prism.languages.insertBefore('bazel', 'keyword', { 'property': /\b[a-z_]\w*(?=\s*=(?!=))/i })
function set_code(language, source) {
	var name = language.toLowerCase()
	if (Object.prototype.hasOwnProperty.call(NAMES, name)) name = NAMES[name]
	var grammar = Object.prototype.hasOwnProperty.call(Prism.languages, name) ? Prism.languages[name] : null
	if (!name) return ''
	if (!grammar || typeof grammar !== 'object') return undefined
	var out = []
	walked(out, Prism.tokenize(source, grammar), '')
	return out.join('')
}
/*
 * Rewrites KaTeX's MathML as MathML Core, so that browsers and the PDF writer need no knowledge of
 * KaTeX: each property is expressed by a single element or attribute.
 *
 *   letters    double-struck, script and Fraktur letters become Unicode characters
 *   tokens     contain only text: an HTML parser accepts no elements within <mi> and <mo>
 *   functions  get thin spaces around them, since U+2061 has no width
 *   cells      get the column and row attributes of their table; cells that KaTeX fills by CSS
 *              are removed
 *   bars       used as brackets get no relation spacing, and stretch
 *   spaces     become elements with a width instead of characters
 *   lines      above and below become <menclose>, as the frame of \fcolorbox does, in the ink's color
 *   rules      have the ink's color unless another is given, so that dark pages show them
 */
var OTHER = { 'double-struck': { C: 0x2102, H: 0x210d, N: 0x2115, P: 0x2119, Q: 0x211a, R: 0x211d, Z: 0x2124 },
	script: { B: 0x212c, E: 0x2130, F: 0x2131, H: 0x210b, I: 0x2110, L: 0x2112, M: 0x2133, R: 0x211b, e: 0x212f, g: 0x210a, o: 0x2134 },
	fraktur: { C: 0x212d, H: 0x210c, I: 0x2111, R: 0x211c, Z: 0x2128 } }
var FIRST = { 'double-struck': 0x1d538, script: 0x1d49c, fraktur: 0x1d504, 'bold-fraktur': 0x1d56c }
var TOKENS = { mi: 1, mn: 1, mo: 1, ms: 1, mtext: 1 }
var SCRIPTED = { msub: 1, msup: 1, msubsup: 1, munder: 1, mover: 1, munderover: 1 }
var APPLY = '\u2061'
function is_space(node) { return node.width !== undefined && !node.children }
function space_markup() { return '<mspace width="' + +this.width.toFixed(4) + 'em"></mspace>' }
function space_of(em) { return { width: em, toMarkup: space_markup } }
function text_of(node) {
	if (node.text !== undefined) return node.text
	return (node.children || []).map(text_of).join('')
}
/* Numeric references: Duktape would write characters above U+FFFF as surrogates, which are invalid UTF-8. */
function letters_of(text, variant) {
	return escaped(text).replace(/&[a-z]+;|[A-Za-z]/g, function (c) {
		var code = c.charCodeAt(0)
		return c.length > 1 ? c : '&#' + ((OTHER[variant] || {})[c] || FIRST[variant] + code - (code < 97 ? 65 : 71)) + ';'
	})
}
function text_node(text, markup) {
	return { text: text, toMarkup: function () { return markup } }
}
function is_upright(node) {
	if (node.text !== undefined) return true
	if (node.type === 'mi' && node.attributes.mathvariant !== 'normal') return false
	return (node.type === 'mrow' || TOKENS[node.type]) && node.children.every(is_upright)
}
/* Browsers treat a bar as a relation with spaces and a fixed height: set attributes if it is a bracket. */
function mark_bar(attributes) {
	if (attributes.fence === 'true' && !attributes.stretchy) attributes.stretchy = 'true'
	if (attributes.stretchy && !attributes.lspace) attributes.lspace = attributes.rspace = '0em'
}
/* Joins upright text in a token; any other content becomes an <mrow>, with the operator's spaces around it. */
function normalize_token(node, is_base) {
	var variant = node.attributes.mathvariant, operator = node.type === 'mo' && !is_base
	if (node.children.every(function (c) { return c.text !== undefined })) {
		if (FIRST[variant]) {
			node.children = [text_node(text_of(node), letters_of(text_of(node), variant))]
			delete node.attributes.mathvariant
		}
		if (node.type === 'mo' && /^[\u2223\u2225]$/.test(text_of(node))) mark_bar(node.attributes)
	} else if (node.children.every(is_upright)) {
		node.children = [text_node(text_of(node), escaped(text_of(node)))]
		node.attributes.mathvariant = 'normal'
	} else {
		node.type = 'mrow'
		if (operator) {
			node.children.unshift(space_of(parseFloat(node.attributes.lspace || '0.2778em')))
			node.children.push(space_of(parseFloat(node.attributes.rspace || '0.2778em')))
		}
		node.attributes = {}
	}
}
/* True for a function name, with or without scripts. */
function is_function(node) {
	if (SCRIPTED[node.type]) return is_function(node.children[0])
	return node.type === 'mrow' && node.children.length > 1 && text_of(node.children[node.children.length - 1]) === APPLY
}
function space_functions(row) {
	var out = [], list = row.children, i, last, next
	function has_room(node) { return !node || node.type === 'mo' || is_space(node) }
	for (i = 0; i < list.length; i++) {
		last = out[out.length - 1]
		next = list[i + 1]
		/* Skip U+2061 at the end of a row: is_function() recognizes the row by it. */
		if (next && next.type === 'mo' && text_of(next) === APPLY && i + 2 < list.length) {
			if (!has_room(last)) out.push(space_of(0.1667))
			out.push(list[i])
			if (!has_room(list[++i + 1])) out.push(space_of(0.1667))
		} else if (is_function(list[i])) {
			if (!has_room(last)) out.push(space_of(0.1667))
			out.push(list[i])
			if (!has_room(next)) out.push(space_of(0.1667))
		} else out.push(list[i])
	}
	row.children = out
}
/* The i-th value of a MathML list attribute; the last value repeats. */
function listed_at(list, i) {
	var values = (list || '').split(' ').filter(function (v) { return v })
	return values[Math.min(i, values.length - 1)]
}
function normalize_table(table) {
	var COLUMNS = ['columnalign', 'columnspacing', 'columnlines'], ROWS = ['rowspacing', 'rowlines']
	table.children = table.children.filter(function (row, y) {
		row.children = row.children.filter(function (cell) {
			return cell.children.length > 0 || !cell.classes || !/mtr-glue|mml-eqn-num/.test(cell.classes.join(' '))
		})
		row.children.forEach(function (cell, x) {
			function put(name, i, count) {
				var value = listed_at(table.attributes[name], i)
				if (value !== undefined && value !== 'none' && (i < count - 1 || name === 'columnalign')) cell.attributes[name] = value
			}
			COLUMNS.forEach(function (name) { put(name, x, row.children.length) })
			ROWS.forEach(function (name) { put(name, y, table.children.length) })
		})
		return row.children.length > 0
	})
	COLUMNS.concat(ROWS).forEach(function (name) { delete table.attributes[name] })
}
/* Turns an overline or underline into <menclose>: the fonts' character is only as wide as a letter. */
function normalize_accent(node) {
	if (!(node.attributes.accent || node.attributes.accentunder) || text_of(node.children[1]) !== '\u203e') return
	node.attributes = { notation: node.type === 'mover' ? 'top' : 'bottom' }
	node.type = 'menclose'
	node.children.pop()
}
/* \fcolorbox: a padded element with a border by CSS. */
function frame(node) {
	node.type = 'menclose'
	node.attributes = { notation: 'box', mathbackground: node.attributes.mathbackground }
}
function without_fragments(list) {
	return list.reduce(function (all, node) {
		return all.concat(node.children && !node.type ? without_fragments(node.children) : [node])
	}, [])
}
function is_break(node) { return node.type === 'mspace' && node.attributes.linebreak === 'newline' }
/* Browsers ignore line breaks in formulas: the lines become rows of a table. */
function split_lines(node) {
	var Node = node.constructor, lines = [[]]
	node.children.forEach(function (child) {
		if (is_break(child)) lines.push([])
		else lines[lines.length - 1].push(child)
	})
	node.children = [new Node('mtable', lines.map(function (line) {
		return new Node('mtr', [new Node('mtd', [new Node('mrow', line)])])
	}))]
}
function normalize(node, is_base) {
	if (is_space(node)) node.toMarkup = space_markup
	if (!node.children) {
		/* KaTeX has no character for some accents. */
		if (!is_space(node) && typeof node.text !== 'string') throw new Error('a token without text')
		return
	}
	/* KaTeX writes \hspace* as an empty rectangle with a space. */
	if (node.type === 'mspace' && parseFloat(node.attributes.width) === 0 && parseFloat(node.attributes.height) === 0) delete node.attributes.mathbackground
	if (node.type === 'mspace' && node.attributes.mathbackground === 'black') node.attributes.mathbackground = 'currentcolor'
	if (node.type === 'mpadded' && node.attributes.style) frame(node)
	node.children = without_fragments(node.children)
	if (node.children.some(is_break)) split_lines(node)
	node.children.forEach(function (child, i) { normalize(child, SCRIPTED[node.type] && i === 0) })
	if (TOKENS[node.type]) normalize_token(node, is_base)
	else if (node.type === 'mtable') normalize_table(node)
	else if (node.type === 'mover' || node.type === 'munder') normalize_accent(node)
	else if (node.type !== 'annotation' && !SCRIPTED[node.type]) space_functions(node)
}
function set_math(display, formula) {
	var tree = katex.__renderToDomTree(formula, { output: 'mathml', displayMode: display === 'display', throwOnError: true, trust: false, strict: 'ignore', maxExpand: 500, maxSize: 50 })
	normalize(tree.children[0])
	return tree.children[0].toMarkup()
}
