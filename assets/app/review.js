/*
 * Keys on pages with comments and differences: from one comment or change to the next one. A dialog has the list of the
 * keys (src/views/review_keys.c), in which they can be switched off: people who dictate type letters by accident.
 */
(() => {
'use strict'
const OFF = 'octavo-keys-off', opener = document.getElementById('keys-open')
const COMMENT = '.comments > li', CHANGE = '.change'
const keys = { n: () => go(COMMENT, true), p: () => go(COMMENT, false), u: () => go(`${COMMENT}:has(> .unread)`, true), j: () => go(CHANGE, true),
	k: () => go(CHANGE, false), r: reply, c: () => focusField('#new-comment'), '?': showKeys }

let help = null, isOff = kept(store => store.getItem(OFF)) !== null

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
	const comment = document.activeElement.closest(COMMENT), link = comment && comment.querySelector('a.reply')
	if (link) openReply(link)
	else if (comment) focusField('.reply textarea', comment)
}

/* An element of another page, which is left for that page if it is not there. */
function fetchElement(address, find, use) {
	const call = new XMLHttpRequest(), leave = () => { location.href = address }
	call.open('GET', address)
	call.responseType = 'document'
	call.addEventListener('load', () => {
		const found = call.response && find(call.response)
		if (found) use(document.adoptNode(found))
		else leave()
	})
	call.addEventListener('error', leave)
	call.send()
}

/* The form of a reply takes the place of the link to its page. */
function openReply(link) {
	const comment = link.closest(COMMENT)
	fetchElement(link.href, page => page.querySelector('form.reply'), form => {
		link.replaceWith(form)
		focusField('.reply textarea', comment)
	})
}

/*
 * Reactions and "resolve" lead to the page again. While something is typed, which that would lose, they are sent from here, and
 * the comment alone is shown anew.
 */
addEventListener('submit', event => {
	const button = event.submitter, comment = button && button.closest(COMMENT)
	if (event.target.id !== 'talk' || !comment || ![...document.querySelectorAll('textarea')].some(field => field.value !== field.defaultValue)) return
	event.preventDefault()
	const call = new XMLHttpRequest(), body = new URLSearchParams(new FormData(event.target))
	body.set(button.name, button.value)
	call.open('POST', event.target.action)
	call.responseType = 'document'
	call.addEventListener('loadend', () => showAnew(comment, button, call.response))
	call.send(body)
})

/* What the server says of it, or without an answer only that it failed. What is typed stays. */
function sayFailed(comment, why) {
	const said = why ? document.adoptNode(why) : document.querySelector('#talk [role=alert]').cloneNode(true)
	said.hidden = false
	comment.append(said)
}

function showAnew(comment, button, answer) {
	const now = answer && answer.getElementById(comment.id), why = answer && answer.querySelector('[role=alert]:not([hidden])')
	const form = comment.querySelector('form.reply'), link = now && now.querySelector('a.reply')
	if (!now) return sayFailed(comment, why)
	if (form && form.contains(button)) button.remove()
	comment.replaceWith(document.adoptNode(now))
	if (form && link) link.replaceWith(form)
	focusField('.reply textarea', now)
}

/* The form at a block, or at a line of a difference. One in which something was typed stays the only one. */
function openForm(link) {
	const block = link.parentNode, open = document.querySelector('.b > form, .diff > form'), typed = open && open.querySelector('textarea')
	if (typed && typed.value) return typed.focus()
	if (!link.matches('.b > a')) return openLines(link)
	fetchElement(link.href, page => page.querySelector('.b > form'), form => {
		if (open) open.remove()
		block.append(form)
		focusField('textarea', form)
	})
}

/* A difference whose lines have links, or the form at one of them. */
function openLines(link) {
	const change = link.closest(CHANGE)
	fetchElement(link.href, page => page.getElementById(change.id).querySelector('.diff'), difference => {
		change.querySelector('.diff').replaceWith(difference)
		focusField(['#on-block', 'a.say', 'a.lines'].find(selector => difference.querySelector(selector)), difference)
	})
}

addEventListener('click', event => {
	const link = event.target instanceof Element && event.target.closest('a.reply, .b > a.say, .diff > a.lines, .diff pre a.say')
	if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
	event.preventDefault()
	if (link.matches('.reply')) openReply(link)
	else if (link.matches('.say')) openForm(link)
	else openLines(link)
})

/* The links at the blocks, in place of the one that leads to a page with them. */
const article = document.querySelector('article[data-say]'), parts = document.querySelector('a.step[href$="comment="]')

if (parts) {
	article.querySelectorAll('.b').forEach((block, i) => {
		const link = document.createElement('a')
		if (!block.id) return
		link.className = 'say'
		link.href = parts.href + block.id.slice(2)
		link.textContent = '+'
		link.setAttribute('aria-label', `${article.dataset.say}: ${i + 1}`)
		block.insertBefore(link, block.querySelector(':scope > .comments'))
	})
	const row = parts.parentNode
	parts.remove()
	if (!row.children.length) row.remove()
}

addEventListener('keydown', event => {
	if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isOff || (help && help.open) || !Object.hasOwn(keys, event.key) ||
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

function showKeys() {
	if (help) return help.showModal()
	fetchElement(opener.href, page => page.getElementById('keys'), found => {
		const off = found.querySelector('[name=off]')
		help = found
		opener.after(help)
		off.checked = isOff
		off.addEventListener('change', () => {
			isOff = off.checked
			kept(store => isOff ? store.setItem(OFF, '1') : store.removeItem(OFF))
		})
		help.showModal()
	})
}

opener.hidden = matchMedia('(hover: none)').matches
opener.addEventListener('click', event => {
	event.preventDefault()
	showKeys()
})
})()
