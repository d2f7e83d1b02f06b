/*
 * Keys on pages with comments and differences: from one comment or change to the next one. The page has the list of the
 * keys as a dialog (src/views/review_keys.c), in which they can be switched off: people who dictate type letters by accident.
 */
(() => {
'use strict'
const OFF = 'octavo-keys-off', help = document.getElementById('keys'), opener = document.getElementById('keys-open'), off = help.querySelector('[name=off]')
const COMMENT = '.comments > li', CHANGE = '.change'
const keys = { n: () => go(COMMENT, true), p: () => go(COMMENT, false), u: () => go(`${COMMENT}:has(> .unread)`, true), j: () => go(CHANGE, true),
	k: () => go(CHANGE, false), r: reply, c: () => focusField('#new-comment'), '?': () => help.showModal() }

/* Browsers may keep nothing, by the wish of their user. */
function kept(change) {
	try {
		return change(localStorage)
	} catch (e) {
		return null
	}
}

/*
 * The one after or before what has the focus; back from inside of one leads to its beginning. Where nothing has the focus,
 * it is the one at the edge of the window.
 */
function beside(list, forward) {
	const from = document.activeElement
	if (from === document.body) return forward ? list.find(e => e.getBoundingClientRect().top > 0) : list.findLast(e => e.getBoundingClientRect().top < 0)
	const is = (e, place) => from.compareDocumentPosition(e) & place
	return forward ? list.find(e => is(e, Node.DOCUMENT_POSITION_FOLLOWING)) : list.findLast(e => is(e, Node.DOCUMENT_POSITION_PRECEDING))
}

function unfold(element) {
	for (let fold; (fold = element.closest('details:not([open])'));) fold.open = true
}

function go(selector, forward) {
	const to = beside([...document.querySelectorAll(selector)], forward)
	if (!to) return
	unfold(to)
	to.focus({ focusVisible: true, preventScroll: true })
	to.scrollIntoView({ block: 'nearest' })
}

function focusField(selector, within = document) {
	const field = within.querySelector(selector)
	if (!field) return
	unfold(field)
	field.focus()
}

function reply() {
	const comment = document.activeElement.closest(COMMENT)
	if (comment) focusField('.reply textarea', comment)
}

addEventListener('keydown', event => {
	if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || off.checked || help.open || !Object.hasOwn(keys, event.key) ||
		event.target.closest('input, textarea, select, [contenteditable]')) return
	event.preventDefault()
	keys[event.key]()
})
/* ---- changes that were viewed ---- */

/*
 * Each change has a tick, which this browser keeps with a number made from the change: where it has changed since, the
 * tick is gone.
 */
const list = document.querySelector('.changes[data-viewed]'), VIEWED = `octavo-viewed ${location.pathname}`

function readViewed() {
	const found = kept(store => JSON.parse(store.getItem(VIEWED)))
	return found && typeof found === 'object' ? found : {}
}

function numberOf(change) {
	let n = 0
	for (const part of change.querySelectorAll('pre, .attribute, figure')) for (const c of part.textContent) n = n * 31 + c.codePointAt() | 0
	return n
}

function keepViewed(name, value) {
	const now = readViewed()
	if (value === null) delete now[name]
	else now[name] = value
	kept(store => store.setItem(VIEWED, JSON.stringify(now)))
}

function fold(change, folded) {
	const difference = change.querySelector('.diff')
	if (difference) difference.open = !folded
}

function addTick(change, before) {
	const label = document.createElement('label'), tick = document.createElement('input')
	const name = change.querySelector('.what').textContent, number = numberOf(change)
	tick.type = 'checkbox'
	tick.checked = Object.hasOwn(before, name) && before[name] === number
	tick.addEventListener('change', () => {
		keepViewed(name, tick.checked ? number : null)
		fold(change, tick.checked)
	})
	label.className = 'pick viewed'
	label.append(tick, list.dataset.viewed)
	change.prepend(label)
	if (tick.checked) fold(change, true)
}

if (list) {
	const before = readViewed()
	for (const change of list.children) addTick(change, before)
}

/* ---- keys ---- */

off.checked = kept(store => store.getItem(OFF)) !== null
off.addEventListener('change', () => kept(store => off.checked ? store.setItem(OFF, '1') : store.removeItem(OFF)))
opener.hidden = matchMedia('(hover: none)').matches
opener.addEventListener('click', () => help.showModal())
})()
