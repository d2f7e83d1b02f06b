/*
 * What the editor of a page's text has beside CodeMirror: a toolbar, the blocks of the dialect in a menu and after
 * "/" in an empty line, completion of links, API operations and people, pasted HTML and cells as Markdown (src/views/editor_paste.js),
 * and Tab and Enter in tables and lists (src/views/editor_rows.js). assets/app/edit.js calls it with the text and what it needs of the form.
 */
const octavoEditor = host => {
'use strict'
/* Where the caret goes in the Markdown of a block (src/views/edit_blocks.c). */
const CARET = '‸', ASK_MS = 120, HTML_MOST = 1e6, CHOICES_MOST = 12, STYLES = ['info', 'success', 'warning', 'danger']
const { text, labels } = host
const blocks = [...document.querySelector('ul#blocks').children].map(li => ({ ...li.dataset, label: li.textContent }))
	.filter(block => block.kind !== 'file' || host.chooseFile)

/* ---- the text ---- */

/* What is selected, and the text around it, as far as blank lines depend on it. */
function around() {
	const rich = host.rich(), { value, selectionStart, selectionEnd } = text
	if (!rich) return { before: value.slice(0, selectionStart), selected: value.slice(selectionStart, selectionEnd), after: value.slice(selectionEnd) }
	const from = rich.getCursor('from'), to = rich.getCursor('to')
	return { before: rich.getRange(CodeMirror.Pos(Math.max(0, from.line - 2), 0), from), selected: rich.getSelection(),
		after: rich.getRange(to, CodeMirror.Pos(to.line + 1, 1)) }
}

/* Replaces what is selected, and selects a part of the new text. */
function replace(markdown, from, to) {
	const rich = host.rich()
	host.focus()
	if (rich) {
		const at = rich.indexFromPos(rich.getCursor('from'))
		rich.replaceSelection(markdown)
		rich.setSelection(rich.posFromIndex(at + from), rich.posFromIndex(at + to))
		rich.scrollIntoView(null)
		return
	}
	const at = text.selectionStart
	if (!document.execCommand('insertText', false, markdown)) {
		text.setRangeText(markdown, at, text.selectionEnd, 'end')
		host.changed()
	}
	text.setSelectionRange(at + from, at + to)
}

/* Line breaks before and after a block at the caret. */
function blank(before, after) {
	return [!before || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n', after.startsWith('\n') ? '' : '\n']
}

function put(block) {
	if (block.kind === 'file') return host.chooseFile()
	if (block.kind === 'part') return putPart(block)
	const { before, selected, after } = around(), [head, tail] = block.markdown.split(CARET)
	if (block.kind === 'mark' && head === tail && before.endsWith(head) && after.startsWith(tail)) return dropMark(head.length, selected)
	if (block.kind === 'mark' && head === tail && !selected && after.startsWith(tail)) return select(tail.length, tail.length)
	const [lead, end] = block.kind === 'block' ? blank(before, after) : ['', '']
	/* A selected text becomes the words of a link, and the caret goes to its target. */
	const from = lead.length + head.length + (block.name === 'link' && selected ? selected.length + tail.length - 1 : 0)
	replace(lead + head + selected + tail + end, from, block.name === 'link' ? from : from + selected.length)
	typed = true
	refreshSoon()
}

/* Selects between two distances from the beginning of what is selected. */
function select(from, to) {
	const rich = host.rich(), at = rich ? rich.indexFromPos(rich.getCursor('from')) : text.selectionStart
	host.focus()
	if (rich) rich.setSelection(rich.posFromIndex(at + from), rich.posFromIndex(at + to))
	else text.setSelectionRange(at + from, at + to)
}

/* Takes a mark away that is around what is selected. */
function dropMark(length, selected) {
	select(-length, selected.length + length)
	replace(selected, 0, selected.length)
}

/* ---- one more part of a block ---- */

/* Tags of what holds the parts, and of a part. */
const PARTS = {
	step: [/\{% (end)?stepper\b/g, /\{% (end)?step %\}/g], tab: [/\{% (end)?tabs\b/g, /\{% (end)?tab\b[^%\n]*%\}/g],
	card: [/<(\/)?table data-view="cards"|<(\/)table>/g, /<(\/)?tr>/g],
}

function depth(s, tag) {
	let open = 0
	for (const found of s.matchAll(tag)) open = Math.max(0, open + (found[1] || found[2] ? -1 : 1))
	return open
}

/* Where the part ends that the caret is in, counted from the caret; 0: between two parts; -1: in no such block. */
function endOfPart(name, before, after) {
	const [whole, part] = PARTS[name]
	if (!depth(before, whole)) return -1
	if (!depth(before, part)) return 0
	let open = 1
	for (const found of after.matchAll(part)) {
		open += found[1] ? -1 : 1
		if (!open) return found.index + found[0].length
	}
	return -1
}

function halves() {
	const rich = host.rich(), value = rich ? rich.getValue() : text.value, at = rich ? rich.indexFromPos(rich.getCursor('to')) : text.selectionEnd
	return [value.slice(0, at), value.slice(at)]
}

/* What the menu and "/" offer at the caret. */
function offered() {
	const [before, after] = halves(), rich = host.rich()
	const isHere = name => name === 'column' ? rich && !isInCode(rich) && octavoRows.isInTable(rich) : endOfPart(name, before, after) >= 0
	return blocks.filter(b => b.kind !== 'mark' && (b.kind !== 'part' || isHere(b.name)))
}

/* A card is a line of its table, between which there is no empty line; its cells are those of the card before. */
function putPart(block) {
	if (block.name === 'column') return octavoRows.addColumn(host.rich())
	const [before, after] = halves(), end = endOfPart(block.name, before, after), all = before + after.slice(0, end)
	select(end, end)
	if (block.name !== 'card') return put({ ...block, kind: 'block' })
	const card = (all.match(/<tr>(?:(?!<tr>)[^])*<\/tr>/g) || []).at(-1).replace(/>[^<>]+</g, '><').replace(/href="[^"]*"/g, 'href=""'), at = /^(?:<\w+>)*/.exec(card)[0].length
	const lead = all.endsWith('\n') ? '' : '\n'
	replace(lead + card, lead.length + at, lead.length + at)
}

/* ---- the toolbar ---- */

function fillBar(bar, others) {
	const insert = host.button(labels.insert, () => menu ? closeMenu(true) : openMenu(bar, insert))
	insert.setAttribute('aria-haspopup', 'menu')
	insert.setAttribute('aria-expanded', 'false')
	const own = blocks.filter(b => b.kind === 'mark' || b.name === 'heading' || b.name === 'list').map(block => {
		const b = host.button(block.label, () => put(block))
		b.dataset.name = block.name
		return b
	})
	bar.setAttribute('role', 'toolbar')
	bar.setAttribute('aria-label', labels.tools)
	bar.replaceChildren(...own, insert, ...others)
	rove(bar, bar.firstChild)
}

/* One stop of Tab for the whole bar (the toolbar pattern of WAI-ARIA). */
function rove(bar, current) {
	for (const b of bar.children) b.tabIndex = b === current ? 0 : -1
}

function step(event, items, keys) {
	const [back, on] = keys, at = items.indexOf(document.activeElement)
	const next = { [back]: at - 1, [on]: at + 1, Home: 0, End: items.length - 1 }[event.key]
	if (next === undefined) return null
	event.preventDefault()
	return items[(next + items.length) % items.length]
}

host.bar.addEventListener('keydown', event => {
	const isRight = getComputedStyle(host.bar).direction === 'rtl'
	const next = step(event, [...host.bar.children], isRight ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'])
	if (next) {
		rove(host.bar, next)
		next.focus()
	} else if (event.key === 'ArrowDown' && event.target.hasAttribute('aria-haspopup')) {
		event.preventDefault()
		openMenu(host.bar, event.target)
	}
})
host.bar.addEventListener('click', event => { if (event.target.parentNode === host.bar) rove(host.bar, event.target) })

/* ---- the menu of blocks ---- */

let menu = null

function openMenu(bar, opener) {
	if (menu) return
	menu = document.createElement('div')
	menu.className = 'choices menu'
	menu.setAttribute('role', 'menu')
	menu.setAttribute('aria-label', labels.insert)
	for (const block of offered()) {
		const item = document.createElement('button')
		item.type = 'button'
		item.tabIndex = -1
		item.setAttribute('role', 'menuitem')
		item.textContent = block.label
		item.addEventListener('click', () => {
			closeMenu(false)
			put(block)
		})
		menu.append(item)
	}
	menu.addEventListener('keydown', event => {
		const items = [...menu.children], next = step(event, items, ['ArrowUp', 'ArrowDown'])
		if (next) return next.focus()
		if (event.key === 'Escape') return closeMenu(true)
		if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
		const at = items.indexOf(document.activeElement), first = event.key.toLowerCase()
		const found = [...items.slice(at + 1), ...items.slice(0, at)].find(item => item.textContent.toLowerCase().startsWith(first))
		if (found) found.focus()
	})
	menu.addEventListener('focusout', event => { if (menu && !menu.contains(event.relatedTarget) && event.relatedTarget !== opener) closeMenu(false) })
	opener.setAttribute('aria-expanded', 'true')
	menu.opener = opener
	bar.after(menu)
	place(menu, opener.getBoundingClientRect())
	menu.firstChild.focus()
}

function closeMenu(isBack) {
	const old = menu
	menu = null
	if (!old) return
	old.opener.setAttribute('aria-expanded', 'false')
	old.remove()
	if (isBack) old.opener.focus()
}

/* Below a place of the window, within its sides. */
function place(node, at) {
	const base = (node.offsetParent || document.documentElement).getBoundingClientRect(), room = document.documentElement.clientWidth
	node.style.left = `${Math.max(8, Math.min(at.left, room - node.offsetWidth - 8)) - base.left}px`
	node.style.top = `${at.bottom + 4 - base.top}px`
}

addEventListener('resize', () => {
	if (menu) place(menu, menu.opener.getBoundingClientRect())
	if (list) place(list.node, list.rich.cursorCoords(list.context.from, 'window'))
})

/* ---- the list at the caret ---- */

/* Its focus stays in the text: the text names the option that Enter takes. */
let list = null, typed = false, refreshTimer, dismissed = '', call = null

/* What stands before the caret, and what is searched for: `kind`, `query`, and `from`, where the choice is written. */
const CONTEXTS = [
	['block', /^\s*\/([\p{L}\p{N} ]{0,30})$/u], ['file', /!\[[^\]]*\]\(([^)]{0,100})$/], ['link', /\]\(([^)]{0,100})$/], ['link', /<a href="([^"]{0,100})$/],
	['file', /<img\b[^<>]* src="([^"]{0,100})$/], ['style', /\{% hint style="([a-z]{0,20})$/],
	['page', /\{% content-ref url="([^"]{0,200})$/], ['include', /\{% include "([^"]{0,200})$/], ['file', /\{% file src="([^"]{0,200})$/],
	['spec', /\{% openapi-operation spec="([^"]{0,200})$/], ['operation', /\{% openapi-operation spec="([^"]+)" path="([^"]{0,200})$/],
	['person', /(?:^|[\s(])@([\p{L}\p{N}._-]{0,60})$/u],
]

function readContext(rich) {
	const at = rich.getCursor(), before = rich.getLine(at.line).slice(0, at.ch)
	if (rich.somethingSelected()) return null
	for (const [kind, pattern] of CONTEXTS) {
		const found = pattern.exec(before)
		/* Only now: it reads many lines before the caret again. */
		if (found && isInCode(rich)) return null
		/* "/" and "@" are replaced together with what was typed after them. */
		if (found) return { kind, query: found.slice(1).join('#'),
			from: CodeMirror.Pos(at.line, at.ch - found.at(-1).length - (kind === 'block' || kind === 'person' ? 1 : 0)) }
	}
	return null
}

function refreshSoon() {
	clearTimeout(refreshTimer)
	refreshTimer = setTimeout(refresh, 0)
}

function refresh() {
	const rich = host.rich(), context = rich && readContext(rich), isTyped = typed
	typed = false
	if (!context || (!list && !isTyped)) {
		dismissed = context ? dismissed : ''
		return closeList()
	}
	const name = `${context.kind} ${context.from.line} ${context.from.ch}`
	if (name === dismissed) return
	dismissed = ''
	if (context.kind === 'block') {
		const query = context.query.trim().toLowerCase()
		return showList(rich, context, offered().filter(b => b.label.toLowerCase().includes(query) || b.name.startsWith(query)).map(block => ({ label: block.label, block })))
	}
	if (context.kind === 'style') return showList(rich, context, STYLES.filter(name => name.startsWith(context.query) && name !== context.query).map(name => ({ label: name, markdown: name })))
	if (context.query.startsWith('#') && document.getElementById('preview')) return showList(rich, context, ownHeadings(context.query.slice(1).toLowerCase()))
	clearTimeout(refreshTimer)
	refreshTimer = setTimeout(() => ask(rich, context), ASK_MS)
}

/* Of the text as it is now: the server knows those that are saved. */
function ownHeadings(query) {
	return [...document.querySelectorAll('#preview article :is(h1, h2, h3, h4, h5, h6)[id]')].map(heading => ({ label: heading.textContent, markdown: `#${heading.id}` }))
		.filter(({ label, markdown }) => label.toLowerCase().includes(query) || markdown.includes(query)).slice(0, CHOICES_MOST)
}

/* The server finds them (src/views/edit_choices.c). */
function askChoices(kind, query, take) {
	const call = new XMLHttpRequest()
	call.open('GET', `${host.choices()}&${new URLSearchParams({ kind, q: query })}`)
	call.responseType = 'document'
	call.addEventListener('load', () => {
		const found = call.response && call.response.querySelector('ul#choices')
		if (found) take([...found.children].map(li => ({ label: li.textContent, detail: li.dataset.detail, markdown: li.dataset.markdown })))
	})
	call.send()
	return call
}

function ask(rich, context) {
	if (call) call.abort()
	call = askChoices(context.kind, context.query, items => {
		const now = host.rich() === rich && readContext(rich)
		if (now && now.query === context.query) showList(rich, context, items)
	})
}

function showList(rich, context, items) {
	closeList()
	if (!items.length) return
	const node = document.createElement('ul')
	node.className = 'choices'
	node.id = 'choices-here'
	node.setAttribute('role', 'listbox')
	node.setAttribute('aria-label', labels.insert)
	/* A long list scrolls; a press on its bar leaves the focus in the text. */
	node.tabIndex = 0
	node.addEventListener('mousedown', event => event.preventDefault())
	items.forEach((item, i) => {
		const option = document.createElement('li')
		option.id = `choice-${i}`
		option.setAttribute('role', 'option')
		option.textContent = item.label
		if (item.detail) {
			const detail = document.createElement('small')
			detail.textContent = item.detail
			option.append(' ', detail)
		}
		option.addEventListener('mousedown', event => {
			event.preventDefault()
			list.at = i
			choose()
		})
		node.append(option)
	})
	rich.getWrapperElement().after(node)
	place(node, rich.cursorCoords(context.from, 'window'))
	list = { rich, context, items, node, at: 0 }
	rich.addKeyMap(KEYS)
	const input = rich.getInputField()
	input.setAttribute('aria-haspopup', 'listbox')
	input.setAttribute('aria-controls', node.id)
	mark(0)
}

function mark(at) {
	list.at = (at + list.items.length) % list.items.length
	;[...list.node.children].forEach((option, i) => option.setAttribute('aria-selected', String(i === list.at)))
	list.node.children[list.at].scrollIntoView({ block: 'nearest' })
	list.rich.getInputField().setAttribute('aria-activedescendant', `choice-${list.at}`)
}

function closeList() {
	if (!list) return
	list.node.remove()
	list.rich.removeKeyMap(KEYS)
	for (const name of ['aria-haspopup', 'aria-controls', 'aria-activedescendant']) list.rich.getInputField().removeAttribute(name)
	list = null
}

function choose() {
	const { rich, context, items, at } = list, item = items[at]
	typed = false
	closeList()
	const to = rich.getCursor()
	rich.setSelection(context.from, to)
	if (item.block) {
		rich.replaceSelection('')
		return put(item.block)
	}
	/* Whoever types "](" has not closed it yet. */
	const isOpen = /\]\([^)]*$/.test(rich.getLine(to.line).slice(0, to.ch)) && rich.getRange(to, CodeMirror.Pos(to.line, to.ch + 1)) !== ')'
	/* A choice of an operation has its method, too. */
	const method = context.kind === 'operation' && /^[^"]*" method="[^"]*/.exec(rich.getLine(to.line).slice(to.ch))
	if (method) rich.setSelection(context.from, CodeMirror.Pos(to.line, to.ch + method[0].length))
	rich.replaceSelection(item.markdown + (isOpen ? ')' : ''))
	if (context.kind === 'spec') goToPath(rich)
}

/* After a description was chosen: to its operations. */
function goToPath(rich) {
	const at = rich.getCursor(), path = /^" path="[^"]*/.exec(rich.getLine(at.line).slice(at.ch))
	if (!path) return
	rich.setCursor(at.line, at.ch + path[0].length)
	typed = true
	refreshSoon()
}

const KEYS = { Up: () => mark(list.at - 1), Down: () => mark(list.at + 1), Enter: choose, Tab: choose, Esc: () => {
	dismissed = `${list.context.kind} ${list.context.from.line} ${list.context.from.ch}`
	closeList()
} }

/* ---- pasted text ---- */

function isInCode(rich) {
	return rich && (/comment/.test(rich.getTokenTypeAt(rich.getCursor()) || '') || Boolean(rich.getStateAfter(rich.getCursor().line, true).fencedEndRE))
}

/* Files are the form's (edit.js). Pasted without styles (Ctrl+Shift+V), there is no HTML, and nothing is changed but tables. */
function paste(event) {
	const data = event.clipboardData, html = data.getData('text/html')
	if (event.defaultPrevented || isInCode(host.rich())) return
	const markdown = html && html.length <= HTML_MOST && octavoPaste.isStructured(html) ? octavoPaste.fromHtml(html, host.space()) : octavoPaste.fromCells(data.getData('text/plain'))
	if (!markdown.trim()) return
	event.preventDefault()
	const { before, after } = around(), isBlock = /\n|^(?:#|\* |\d+\. |---$|\|)/.test(markdown)
	const [lead, end] = isBlock ? blank(before, after) : ['', '']
	replace(lead + markdown + end, lead.length + markdown.length, lead.length + markdown.length)
	for (const at of new Set(markdown.match(/(?<=\]\(|href=")[^()"\s]+\/~files\/[^()"\s]+/g))) nameFile(at)
}

/* Addresses of files end after some days. The server knows the file, if it is of this space. */
function nameFile(address) {
	askChoices('file', address, ([file]) => {
		const rich = host.rich()
		if (!file) return
		if (rich) rich.operation(() => { for (const found = rich.getSearchCursor(address); found.findNext();) found.replace(file.markdown) })
		else {
			const { selectionStart, value } = text, before = value.slice(0, selectionStart).replaceAll(address, file.markdown)
			text.value = before + value.slice(selectionStart).replaceAll(address, file.markdown)
			text.setSelectionRange(before.length, before.length)
			host.changed()
		}
	})
}

text.addEventListener('paste', paste)

/* ---- the editor ---- */

function attach(rich) {
	rich.on('change', (_, change) => {
		if (/^[+*](input|compose)/.test(change.origin || '')) typed = true
		refreshSoon()
	})
	rich.on('cursorActivity', refreshSoon)
	rich.on('blur', closeList)
	rich.on('paste', (_, event) => paste(event))
	rich.on('keydown', (_, event) => {
		if (event.key === 'Tab' && !list && !event.ctrlKey && !event.altKey && !event.metaKey && !isInCode(rich) && octavoRows.tab(rich, event.shiftKey)) event.preventDefault()
	})
	rich.addKeyMap({ Enter: () => isInCode(rich) || !octavoRows.enter(rich) ? CodeMirror.Pass : undefined, 'Ctrl-Space': () => {
		typed = true
		dismissed = ''
		refresh()
	}, 'Ctrl-B': () => put(blocks.find(b => b.name === 'bold')), 'Ctrl-I': () => put(blocks.find(b => b.name === 'italic')),
	'Cmd-B': () => put(blocks.find(b => b.name === 'bold')), 'Cmd-I': () => put(blocks.find(b => b.name === 'italic')) })
}

return { attach, fillBar, closeList }
}
