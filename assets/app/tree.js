/*
 * The tree of pages: a branch opens and closes without leaving the page, and in a change request pages are moved, by
 * dragging and with Alt+Shift and the arrow keys. Each move sends the form of the page's place (src/views/place_page.c),
 * and the tree of the answer takes the place of the old one. Without the script, a branch opens with its page or its
 * group, and the properties of a page have the same moves.
 */
(() => {
'use strict'
const tree = document.querySelector('nav.tree'), { branch, pages, hint, moved } = tree.dataset
const rows = () => tree.querySelector('.fold > ul')

/* The id of a row: of a group from its link, of a page from its address; '': the row is a link to elsewhere that is no address. */
function idOf(item) {
	const link = item.firstElementChild
	if (item.dataset.id || !link.href) return item.dataset.id
	if (!URL.canParse(link.href)) return ''
	const { searchParams, pathname } = new URL(link.href)
	return link.className === 'group' ? searchParams.get('show') || searchParams.get('hide') : pathname.split('/').pop()
}

function get(address, done, failed) {
	const call = new XMLHttpRequest()
	call.open('GET', address)
	call.responseType = 'document'
	call.addEventListener('load', () => done(call.response))
	call.addEventListener('error', failed)
	call.send()
}

/* ---- branches ---- */

/* The rows below one, from the page on which they are written. */
function openBranch(item, address, opened) {
	const leave = () => { location.href = address }
	get(address, page => {
		const there = page && [...page.querySelectorAll('nav.tree li')].find(li => idOf(li) === idOf(item)), list = there && there.querySelector(':scope > ul')
		if (!list) return leave()
		item.append(document.adoptNode(list))
		addTwists(list)
		opened(true)
	}, leave)
}

/* twist: the button of a page, or the link of a group, which the server remembers as open. */
function addTwist(item) {
	const link = item.firstElementChild, isGroup = link.className === 'group', twist = isGroup ? link : document.createElement('button')
	const list = () => item.querySelector(':scope > ul'), show = open => {
		list().hidden = !open
		twist.setAttribute('aria-expanded', open)
	}
	if (!isGroup) {
		twist.type = 'button'
		twist.className = 'twist'
		twist.setAttribute('aria-label', `${branch}: ${link.textContent}`)
		link.after(twist)
	}
	twist.setAttribute('aria-expanded', list() !== null)
	twist.addEventListener('click', event => {
		const open = list() === null || list().hidden, address = new URL(link.href), id = idOf(item)
		event.preventDefault()
		if (isGroup) {
			address.search = address.search.replace(/^\?(show|hide)/, open ? '?show' : '?hide')
			link.href = address
		}
		if (!list()) return openBranch(item, address, show)
		show(open)
		if (isGroup) get(address, () => {}, () => {})
	})
}

function addTwists(within) {
	for (const link of within.querySelectorAll('.more > a')) addTwist(link.parentNode)
}

addTwists(rows())

/* ---- a move ---- */

if (!pages) return
const state = document.createElement('p'), isRight = getComputedStyle(tree).direction === 'rtl'
let dragged = null, target = null, busy = false

state.className = 'hint'
state.setAttribute('role', 'status')
state.textContent = hint
tree.querySelector('.fold').append(state)

const itemOf = node => node instanceof Element ? node.closest('.tree li') : null
const parentOf = item => item.parentNode.closest('.tree li')
const siblings = item => [...item.parentNode.children]
const label = item => item.firstElementChild.textContent

/* parent: a row; null: the top. at: place among the others there; null: the end. */
function move(item, parent, at) {
	const id = idOf(item), body = new URLSearchParams({ csrf: document.querySelector('[name=csrf]').value, step: 'move' })
	const name = label(item), call = new XMLHttpRequest()
	if (busy) return
	busy = true
	if (at !== null) body.set('at', at)
	if (parent !== parentOf(item)) {
		body.set('from', '?')
		body.set('into', parent ? idOf(parent) : '')
	}
	call.open('POST', `${pages}${id}/place`)
	call.responseType = 'document'
	call.addEventListener('load', () => {
		const why = call.response && call.response.querySelector('main [role=alert], .card .lead')
		if (call.status === 200) return refresh(id, name)
		end(why ? why.textContent : String(call.status))
	})
	call.addEventListener('error', () => end('!'))
	call.send(body)
}

/* The tree as this page has it now. */
function refresh(id, name) {
	get(location.href, page => {
		const now = page && page.querySelector('nav.tree .fold > ul')
		if (now) {
			rows().replaceWith(document.adoptNode(now))
			addTwists(rows())
		}
		end(moved.replace('%s', () => name))
		const row = [...rows().querySelectorAll('li')].find(item => idOf(item) === id)
		if (row) row.firstElementChild.focus()
	}, () => end('!'))
}

function end(text) {
	busy = false
	state.textContent = text
}

/* ---- the keyboard ---- */

const KEYS = {
	ArrowUp: item => siblings(item)[0] !== item && [parentOf(item), siblings(item).indexOf(item) - 1],
	ArrowDown: item => siblings(item).at(-1) !== item && [parentOf(item), siblings(item).indexOf(item) + 1],
	/* Below the page before it, and after the page that it is below. */
	[isRight ? 'ArrowLeft' : 'ArrowRight']: item => item.previousElementSibling && [item.previousElementSibling, null],
	[isRight ? 'ArrowRight' : 'ArrowLeft']: item => parentOf(item) && [parentOf(parentOf(item)), siblings(parentOf(item)).indexOf(parentOf(item)) + 1],
}

tree.addEventListener('keydown', event => {
	const item = itemOf(event.target), to = item && event.altKey && event.shiftKey && KEYS[event.key] && KEYS[event.key](item)
	if (!to) return
	event.preventDefault()
	move(item, ...to)
})

/* ---- dragging ---- */

/* Above the middle of a row: before it; below: after it; in its middle: below it in the tree. */
function placeAt(item, y) {
	const { top, height } = item.firstElementChild.getBoundingClientRect(), part = (y - top) / height
	return part < 0.3 ? 'before' : part > 0.7 ? 'after' : 'into'
}

function mark(item, place) {
	if (target) target.item.removeAttribute('data-drop')
	target = item && { item, place }
	if (target) item.dataset.drop = place
}

tree.addEventListener('dragstart', event => {
	dragged = itemOf(event.target)
	if (dragged) event.dataTransfer.effectAllowed = 'move'
})
tree.addEventListener('dragover', event => {
	const item = itemOf(event.target)
	if (!dragged || !item || dragged.contains(item)) return mark(null)
	event.preventDefault()
	mark(item, placeAt(item, event.clientY))
})
tree.addEventListener('drop', event => {
	if (!dragged || !target) return
	event.preventDefault()
	const { item, place } = target, others = siblings(item).filter(one => one !== dragged)
	const to = place === 'into' ? [item, null] : [parentOf(item), others.indexOf(item) + (place === 'after' ? 1 : 0)]
	mark(null)
	move(dragged, ...to)
})
tree.addEventListener('dragend', () => {
	mark(null)
	dragged = null
})
})()
