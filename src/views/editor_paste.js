/*
 * What is pasted as HTML, or from a spreadsheet, as Markdown (for src/views/editor.js).
 *
 * The pages allow no script to give a text to the browser as HTML (require-trusted-types-for), so the HTML is read
 * here, tag by tag, into a tree of a few known elements. Everything else of it is dropped: scripts, styles,
 * addresses that are not of the web. What is text there remains text: characters that Markdown would read are
 * escaped. Blocks of Octavo's own pages become what they were made of.
 */
const octavoPaste = (() => {
'use strict'
const DEPTH_MOST = 60, SPAN_MOST = 50
const BLOCK = new Set('p div section article header footer main aside nav address figure figcaption center body html h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr table caption thead tbody tfoot tr td th details summary'.split(' '))
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/* Left out with all that is in them. */
const DROPPED = new Set('script style head title template noscript iframe object svg select textarea button audio video canvas xml'.split(' '))
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”',
	lsquo: '‘', rsquo: '’', bull: '•', middot: '·', copy: '©', reg: '®', trade: '™', euro: '€', deg: '°', times: '×', auml: 'ä', ouml: 'ö', uuml: 'ü', szlig: 'ß',
	Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', shy: '', zwnj: '', zwj: '' }
/* An element that open ones of the first kind end, up to one of the second. */
const ENDS = Object.fromEntries([['li', 'li', 'ul ol'], ['tr', 'tr td th', 'table'], ['td', 'td th', 'tr table'], ['th', 'td th', 'tr table'],
	['dt', 'dt dd', 'dl'], ['dd', 'dt dd', 'dl']].map(([tag, ended, within]) => [tag, [new Set(ended.split(' ')), new Set(within.split(' '))]]))
const ENDS_WORDS = [new Set(['p']), new Set(['li', 'td', 'th', 'blockquote'])]

/* ---- reading ---- */

function decode(s) {
	return s.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));?/g, (all, decimal, hex, name) => {
		if (name) return ENTITIES[name] ?? all
		const code = decimal ? Number(decimal) : parseInt(hex, 16)
		return code > 0x1f && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
	})
}

function attribute(source, name) {
	const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(source)
	return found ? decode(found[1] ?? found[2] ?? found[3]) : ''
}

function read(html) {
	const token = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][\w:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>|<[!?][^>]*>|[^<]+|</g
	const root = { tag: '', kids: [] }, open = [root]
	let dropped = ''

	for (const [all, end, name, rest] of html.matchAll(token)) {
		const tag = name && name.toLowerCase(), last = open[open.length - 1]
		if (dropped) {
			if (end && tag === dropped) dropped = ''
		} else if (!tag) {
			if (!/^<[!?]/.test(all)) last.kids.push(decode(all))
		} else if (end) {
			const at = open.findLastIndex(node => node.tag === tag)
			if (at > 0) open.length = at
		} else if (DROPPED.has(tag)) {
			if (!rest.endsWith('/')) dropped = tag
		} else {
			add(open, tag, rest)
		}
	}
	return root
}

function add(open, tag, rest) {
	const [ended, within] = ENDS[tag] || ENDS_WORDS
	for (let i = open.length - 1; i > 0 && BLOCK.has(tag) && !within.has(open[i].tag); i--)
		if (ended.has(open[i].tag)) open.length = i
	const node = { tag, rest, kids: [] }
	open[open.length - 1].kids.push(node)
	if (BLOCK.has(tag)) for (const one of open) one.holdsBlock = true
	if (!VOID.has(tag) && open.length < DEPTH_MOST) open.push(node)
}

/* ---- writing: words ---- */

function escape(s) {
	return s.replace(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~/gu, c => c === '~~' ? '\\~~' : `\\${c}`)
		.replace(/\{(?=[%{#])/g, '&#123;').replace(/\$\$/g, '&#36;&#36;').replace(/&(?=#?\w{1,31};)/g, (c, at, all) => /^&#(?:123|36);/.test(all.slice(at)) ? c : '&amp;')
}

/* Marks are next to the words: not around white space. */
function wrap(mark, s) {
	const [, before, words, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(s)
	return words ? before + mark + words + mark + after : s
}

/* own: address of the space below /app. Its pages are named by their ids, as what the server completes. */
let own = ''

/* An address of the web, or of a page of the space, or ''. */
function address(s) {
	const page = own && s.startsWith(own) ? /^(?:\/requests\/\w+)?\/pages\/(\w+)(#[\w%.~-]+)?$/.exec(s.slice(own.length)) : null
	if (page) return `/pages/${page[1]}${page[2] || ''}`
	const plain = s.replace(/[\u0000-\u0020]+/g, c => c.includes(' ') ? '%20' : '').replace(/^(?:%20)+|(?:%20)+$/g, '')
	return /^(?:https?:\/\/|mailto:)/i.test(plain) && plain.length < 2000 ? plain.replace(/[()<>"\\`|*_[\]{}]/g, c => c === '_' ? c : `%${c.charCodeAt(0).toString(16).toUpperCase()}`) : ''
}

function style(node) {
	return attribute(node.rest, 'style').toLowerCase()
}

const MARKS = { strong: '**', b: '**', em: '_', i: '_', s: '~~', del: '~~', strike: '~~' }

function markOf(node, isRich) {
	const css = /^(b|strong|span|i|em)$/.test(node.tag) ? style(node) : ''
	if (/font-weight\s*:\s*(normal|400)/.test(css) && MARKS[node.tag] === '**') return ''
	if (node.tag === 'span' && isRich) return /font-weight\s*:\s*(bold|[6-9]00)/.test(css) ? '**' : /font-style\s*:\s*italic/.test(css) ? '_' : ''
	return MARKS[node.tag] || ''
}

/* in: marks that are open, `cell`, `link`, `isRich` (programs that write marks as styles of spans). */
function inline(node, state) {
	if (typeof node === 'string') return escape(node.replace(/\s+/g, ' '))
	if (node.tag === 'br') return state.cell ? '<br>' : '\\\n'
	if (node.tag === 'img') return picture(node)
	if (isHidden(node)) return ''
	if (node.tag === 'math') return formula(node)
	if (/^(code|kbd|samp|tt)$/.test(node.tag)) return code(plain(node).replace(/\s+/g, ' '))
	const mark = markOf(node, state.isRich), to = node.tag === 'a' && !state.link ? address(attribute(node.rest, 'href')) : ''
	const isOpen = mark && (state.marks || '').includes(mark)
	const s = node.kids.map(kid => inline(kid, { ...state, link: state.link || to, marks: (state.marks || '') + mark })).join('')
	/* Headings have links to themselves, some with a sign as their text. */
	if (to && state.heading && [state.heading, encodeURI(state.heading)].includes(to.slice(to.lastIndexOf('#') + 1))) return /^[#¶§🔗\u200b\s\\]*$/u.test(s) ? '' : s
	if (to) return s.trim() ? `[${s.trim()}](${to})` : ''
	return mark && !isOpen ? wrap(mark, s) : s
}

/* Shown twice, for eyes alone. */
function isHidden(node) {
	return attribute(node.rest, 'aria-hidden') === 'true'
}

/* The first element that a test finds. */
function find(node, test) {
	for (const kid of node.kids) {
		const found = typeof kid === 'string' ? null : test(kid) ? kid : find(kid, test)
		if (found) return found
	}
	return null
}

/* Many programs that show formulas keep their source in them, and browsers copy what of it is not hidden. */
function formula(node) {
	const source = find(node, kid => kid.tag === 'annotation' && /tex/i.test(attribute(kid.rest, 'encoding')))
	const tex = source ? plain(source).trim() : attribute(node.rest, 'alttext').trim()
	return !tex || tex.includes('$$') ? escape(plain(node).replace(/\s+/g, ' ')) : isBlock(node) ? `$$\n${tex}\n$$` : `$$${tex}$$`
}

function isBlock(node) {
	return BLOCK.has(node.tag) || node.holdsBlock || (node.tag === 'math' && attribute(node.rest, 'display') === 'block')
}

function picture(node) {
	const from = address(attribute(node.rest, 'src'))
	return from && !from.startsWith('mailto') ? `![${escape(attribute(node.rest, 'alt').replace(/\s+/g, ' '))}](${from})` : ''
}

function code(s) {
	if (!s.trim()) return s
	const fence = '`'.repeat(Math.max(0, ...(s.match(/`+/g) || []).map(run => run.length)) + 1), space = /^`|`$/.test(s) ? ' ' : ''
	return fence + space + s + space + fence
}

function plain(node) {
	return typeof node === 'string' ? node : node.tag === 'br' ? '\n' : node.kids.map(plain).join('')
}

/* ---- writing: blocks ---- */

/* A paragraph: what Markdown reads at the beginning of a line is escaped. */
function paragraph(s) {
	return s.replace(/(?:\\\n\s*)+$/, '').trim().split('\n').map(line => line.trim()
		.replace(/^(#{1,6}(?=\s|$)|[-+>](?=\s|$|-)|=+$|\|)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')).join('\n')
}

function writeBlocks(kids, state) {
	const out = []
	let line = ''
	const flush = () => {
		if (line.trim()) out.push(paragraph(line))
		line = ''
	}
	for (const kid of kids) {
		if (typeof kid === 'string' || !isBlock(kid)) line += inline(kid, state)
		else {
			flush()
			out.push(...block(kid, state))
		}
	}
	flush()
	return out.filter(Boolean)
}

function indent(s, first, rest) {
	return s.split('\n').map((line, i) => i ? line && rest + line : first + line).join('\n')
}

function writeList(node, state) {
	const items = node.kids.filter(kid => kid.tag && (kid.tag !== 'br'))
	return items.map((item, i) => {
		const marker = node.tag === 'ol' ? `${i + 1}. ` : '* '
		/* Some programs write lists in lists beside the items. */
		const inner = item.tag === 'ul' || item.tag === 'ol' ? [writeList(item, state)] : writeBlocks(item.kids, state)
		const whole = inner.reduce((all, part) => all + (/^(?:\* |\d+\. )/.test(part) ? '\n' : '\n\n') + part, '').trim()
		return indent(whole, marker, ' '.repeat(marker.length))
	}).join('\n')
}

/* Of code, as most programs that write HTML name it. */
function languageOf(node) {
	const inner = node.kids.find(kid => kid.tag === 'code'), names = `${attribute(node.rest, 'class')} ${inner ? attribute(inner.rest, 'class') : ''}`
	return (/(?:^|\s)lang(?:uage)?-([\w+#-]{1,30})(?:\s|$)/.exec(names) || [])[1] || ''
}

function writeCode(node) {
	const s = plain(node).replace(/\r\n?/g, '\n').replace(/^\n|\n+$/g, '')
	const fence = '`'.repeat(Math.max(2, ...(s.match(/`+/g) || []).map(run => run.length)) + 1)
	return s ? `${fence}${languageOf(node)}\n${s}\n${fence}` : ''
}

/* ---- writing: blocks of Octavo's own pages ---- */

function hasClass(node, name) {
	return Boolean(node.tag) && ` ${attribute(node.rest, 'class')} `.includes(` ${name} `)
}

function tag(name, attributes, inner) {
	return `{% ${name}${attributes} %}\n${inner}\n{% end${name} %}`
}

function titled(s) {
	return ` title="${s.replace(/["\s%]+/g, ' ').trim()}"`
}

function writeHint(node, state) {
	const kind = attribute(node.rest, 'class').split(' ').find(name => /^(info|success|warning|danger)$/.test(name))
	return tag('hint', ` style="${kind || 'info'}"`, writeBlocks(node.kids.filter(kid => !hasClass(kid, 'label')), state).join('\n\n'))
}

function writeSteps(node, state) {
	return tag('stepper', '', node.kids.filter(kid => kid.tag === 'li').map(step => tag('step', '', writeBlocks(step.kids, state).join('\n\n'))).join('\n\n'))
}

function writeTabs(node, state) {
	const labels = node.kids.filter(kid => kid.tag === 'label'), panels = node.kids.filter(kid => hasClass(kid, 'panel'))
	return tag('tabs', '', panels.map((panel, i) => tag('tab', titled(labels[i] ? plain(labels[i]) : String(i + 1)), writeBlocks(panel.kids, state).join('\n\n'))).join('\n\n'))
}

function writeDetails(node, state) {
	const summary = node.kids.find(kid => kid.tag === 'summary'), rest = node.kids.filter(kid => kid !== summary)
	return `<details>\n\n<summary>${summary ? escape(plain(summary).replace(/\s+/g, ' ').trim()) : ''}</summary>\n\n${writeBlocks(rest, state).join('\n\n')}\n\n</details>`
}

/* The name of the language, and a title, are above the code. */
function writeFigure(node) {
	const code = find(node, kid => kid.tag === 'pre'), lang = find(node, kid => hasClass(kid, 'lang')), caption = find(node, kid => kid.tag === 'figcaption')
	const title = caption && caption.kids.find(kid => kid !== lang), name = lang ? plain(lang).trim() : ''
	const s = code ? writeCode(code).replace(/^(`+)(?=\n)/, (_, fence) => fence + (/^[\w+#-]{1,30}$/.test(name) ? name : '')) : ''
	return title && title.tag && plain(title).trim() && s ? tag('code', titled(plain(title)), s) : s
}

/* Words in a table that is written as HTML. */
function inHtml(node) {
	if (typeof node === 'string') return node.replace(/\s+/g, ' ').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\{(?=[%{#])/g, '&#123;')
	const s = node.kids.map(inHtml).join(''), to = node.tag === 'a' ? address(attribute(node.rest, 'href')) : ''
	return to ? `<a href="${to}">${s}</a>` : /^(?:strong|em|code|del)$/.test(node.tag) ? `<${node.tag}>${s}</${node.tag}>` : node.tag === 'br' ? '<br>' : s
}

/* Each card has its words, a link over all of it and a picture; the words of the first one tell the columns. */
function writeCards(node) {
	const cards = node.kids.filter(kid => kid.tag === 'li').map(card => {
		const cells = find(card, kid => hasClass(kid, 'cells')), over = card.kids.find(kid => hasClass(kid, 'over')), cover = find(card, kid => kid.tag === 'img')
		return [cells ? cells.kids.filter(kid => kid.tag).map(inHtml) : [], over ? address(attribute(over.rest, 'href')) : '', cover ? address(attribute(cover.rest, 'src')) : '']
	})
	const columns = Math.max(1, ...cards.map(([cells]) => cells.length)), link = to => `<td>${to ? `<a href="${to}"></a>` : ''}</td>`
	return `<table data-view="cards"><thead><tr>${'<th></th>'.repeat(columns)}<th data-hidden data-card-target data-type="content-ref"></th>` +
		'<th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody>\n' +
		cards.map(([cells, to, cover]) => `<tr>${Array.from({ length: columns }, (_, i) => `<td>${cells[i] || ''}</td>`).join('')}${link(to)}${link(cover)}</tr>\n`).join('') + '</tbody></table>'
}

function ownBlock(node, state) {
	if (node.tag === 'ul' && hasClass(node, 'cards')) return writeCards(node)

	if (hasClass(node, 'hint')) return writeHint(node, state)
	if (node.tag === 'ol' && hasClass(node, 'steps')) return writeSteps(node, state)
	if (node.tag === 'div' && hasClass(node, 'tabs') && node.kids.some(kid => hasClass(kid, 'panel'))) return writeTabs(node, state)
	if (node.tag === 'figure' && hasClass(node, 'code')) return writeFigure(node)
	return node.tag === 'details' ? writeDetails(node, state) : null
}

function block(node, state) {
	if (isHidden(node)) return []
	if (node.tag === 'math') return [formula(node)]
	const whole = ownBlock(node, state)
	if (whole !== null) return [whole]
	if (/^h[1-6]$/.test(node.tag)) {
		const s = node.kids.map(kid => inline(kid, { ...state, cell: true, marks: '**', heading: attribute(node.rest, 'id') })).join('').replace(/<br>/g, ' ').trim()
		/* The title of the page is its only heading of the first level. Octavo's pages skip no level, and keep the one that was written. */
		return [s && `${'#'.repeat(Math.max(2, Number((/(?:^|\s)l([2-6])(?:\s|$)/.exec(attribute(node.rest, 'class')) || [])[1] || node.tag[1])))} ${s}`]
	}
	if (node.tag === 'ul' || node.tag === 'ol') return [writeList(node, state)]
	if (node.tag === 'blockquote') return [indent(writeBlocks(node.kids, state).join('\n\n'), '> ', '> ').replace(/\n\n/g, '\n>\n')]
	if (node.tag === 'pre') return [writeCode(node)]
	if (node.tag === 'hr') return ['---']
	if (node.tag === 'table') return writeTable(node, state)
	return writeBlocks(node.kids, state)
}

function rowsOf(node) {
	return node.kids.flatMap(kid => kid.tag === 'tr' ? [kid] : kid.tag && kid.tag !== 'table' ? rowsOf(kid) : [])
}

function cellText(cell, state) {
	return cell.kids.map(kid => inline(kid, { ...state, cell: true })).join(cell.holdsBlock ? '<br>' : '').replace(/(?:\s*<br>\s*)+/g, '<br>').replace(/^<br>|<br>$/g, '')
		.replace(/\n/g, ' ').trim()
}

function writeTable(node, state) {
	const rows = rowsOf(node).map(row => row.kids.filter(kid => kid.tag === 'td' || kid.tag === 'th').flatMap(cell =>
		[cellText(cell, state), ...Array(Math.min(SPAN_MOST, Math.max(1, Number(attribute(cell.rest, 'colspan')) || 1)) - 1).fill('')]))
	/* Some programs lay out pages with tables of one column. */
	if (Math.max(0, ...rows.map(row => row.length)) < 2) return rowsOf(node).flatMap(row => writeBlocks(row.kids, state))
	return [grid(rows)]
}

/* A table from its rows of cells. */
function grid(rows) {
	while (rows.length > 1 && rows[rows.length - 1].every(cell => !cell)) rows.pop()
	const columns = Math.max(...rows.map(row => row.length))
	const line = cells => `| ${Array.from({ length: columns }, (_, i) => (cells[i] || '').replace(/\|/g, '\\|') || ' ').join(' | ')} |`
	return [line(rows[0]), `|${' --- |'.repeat(columns)}`, ...rows.slice(1).map(line)].join('\n')
}

/* ---- what is asked for ---- */

/* Only such elements make a text worth converting: editors of programs copy text with colours, as HTML as well. */
const STRUCTURE = /<(?:a\s[^>]*href|strong|b|em|i|h[1-6]|ul|ol|table|blockquote|img|code|math)[\s>/]/i

/* space: its address below /app. */
function fromHtml(html, space) {
	own = space
	const isRich = /docs-internal-guid|google-sheets/i.test(html)
	const tree = read(html)
	return writeBlocks(tree.kids, { isRich }).join('\n\n')
}

/* True if the HTML says more than the text beside it. */
function isStructured(html) {
	return STRUCTURE.test(html.replace(/<!--[\s\S]*?-->/g, '')) && !/^\s*(?:<(?:meta|html|head|body)[^>]*>\s*|<!--[\s\S]*?-->\s*)*<pre[\s>]/i.test(html)
}

/* Cells with tabs between them, as spreadsheets copy them, as a table; '': it is no such text. */
function fromCells(text) {
	const rows = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n').map(line => line.split('\t'))
	if (rows.length < 2 || rows[0].length < 2 || rows.some(row => row.length !== rows[0].length) || rows.every(row => !row[0].trim())) return ''
	return grid(rows.map(row => row.map(cell => escape(cell.trim().replace(/^"([\s\S]*)"$/, (_, s) => s.replace(/""/g, '"'))))))
}

return { fromHtml, fromCells, isStructured }
})()
