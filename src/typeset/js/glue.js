/*
 * What octavo-typeset asks of Prism and KaTeX. Code comes out as text with flat spans of one
 * letter, a line at a time, so that a line can be taken by itself.
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
var NAMES = { sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', curl: 'bash', terminal: 'bash', 'c++': 'cpp', 'c#': 'csharp', 'objective-c': 'objectivec', golang: 'go', rs: 'rust', kt: 'kotlin', ps1: 'powershell', dockerfile: 'docker', proto: 'protobuf', jsonc: 'json5', vue: 'markup', 'f#': 'fsharp', plaintext: '', text: '', txt: '' }
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
function set_math(display, formula) {
	var html = katex.renderToString(formula, { output: 'mathml', displayMode: display === 'display', throwOnError: true, trust: false, strict: 'ignore', maxExpand: 500, maxSize: 50 })
	return html.replace(/^<span class="katex">/, '').replace(/<\/span>$/, '')
}
