/*
 * Moves pages in the tree of a change request: by dragging, and with Alt+Shift and the arrow keys. Each move sends the
 * form of the page's place (src/views/place_page.c), and the tree of the answer takes the place of the old one. Without
 * the script, the properties of a page have the same moves.
 */
(() => {
'use strict'
const tree = document.querySelector('nav.tree[data-pages]'), { pages, hint, moved } = tree.dataset
const state = document.createElement('p'), isRight = getComputedStyle(tree).direction === 'rtl'
let dragged = null, target = null, busy = false

state.className = 'hint'
state.setAttribute('role', 'status')
state.textContent = hint
tree.querySelector('.fold').append(state)

const rows = () => tree.querySelector('.fold > ul')
const itemOf = node => node instanceof Element ? node.closest('li[data-id]') : null
const parentOf = item => item.parentNode.closest('li[data-id]')
const siblings = item => [...item.parentNode.children]
const label = item => item.firstElementChild.textContent

/* ---- a move ---- */

/* parent: a row; null: the top. at: place among the others there; null: the end. */
function move(item, parent, at) {
	const { id } = item.dataset, body = new URLSearchParams({ csrf: document.querySelector('[name=csrf]').value, step: 'move' })
	const name = label(item), call = new XMLHttpRequest()
	if (busy) return
	busy = true
	if (at !== null) body.set('at', at)
	if (parent !== parentOf(item)) {
		body.set('from', '?')
		body.set('into', parent ? parent.dataset.id : '')
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
	const call = new XMLHttpRequest()
	call.open('GET', location.href)
	call.responseType = 'document'
	call.addEventListener('load', () => {
		const now = call.response && call.response.querySelector('nav.tree .fold > ul')
		if (now) rows().replaceWith(document.adoptNode(now))
		end(moved.replace('%s', () => name))
		const row = tree.querySelector(`li[data-id="${CSS.escape(id)}"] > a`)
		if (row) row.focus()
	})
	call.addEventListener('error', () => end('!'))
	call.send()
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
