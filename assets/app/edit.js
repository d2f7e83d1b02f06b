/*
 * Makes the form of a page's text (src/views/edit_page.c) better; the form works without it.
 *
 * What is typed stays in this browser until the server has it, under the person and the address of the form.
 * Only two pages delete it: the page to which saving leads (?done=saved) deletes the text that this tab sent,
 * and the page after signing out deletes all texts; the server adds the script to no other page. The preview
 * follows the text: it is the answer to the form's own preview, read as a document (by XMLHttpRequest, which
 * needs no policy of Trusted Types).
 */
(() => {
'use strict'
const PREFIX = 'octavo-text ', SENT = 'octavo-sent', SAVE_MS = 300, PREVIEW_MS = 600
/* A page may have a heading with this id. */
const text = document.querySelector('textarea#text')

function forgetAll() {
	for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

/* The browser may refuse storage, or have no room for a long text. */
function tried(step) {
	try { return step() } catch (e) { return null }
}

function forgetSent() {
	localStorage.removeItem(sessionStorage.getItem(SENT))
	sessionStorage.removeItem(SENT)
}

if (!text) {
	tried(new URLSearchParams(location.search).get('done') === 'saved' ? forgetSent : forgetAll)
	return
}

const form = text.form, editing = document.getElementById('editing'), labels = editing.dataset
const key = PREFIX + labels.person + ' ' + location.pathname
let saveTimer, previewTimer, request = null

function keep() {
	tried(() => localStorage.setItem(key, text.value))
}

function forget() {
	tried(() => localStorage.removeItem(key))
}

/* ---- a text of before ---- */

function button(label, act) {
	const b = document.createElement('button')
	b.type = 'button'
	b.className = 'btn small'
	b.textContent = label
	b.addEventListener('click', act)
	return b
}

function offer(kept) {
	const box = document.createElement('div'), actions = document.createElement('div')
	box.className = 'notice'
	box.setAttribute('role', 'status')
	box.append(labels.kept, actions)
	actions.className = 'actions'
	actions.append(button(labels.take, () => {
		text.value = kept
		box.remove()
		text.focus()
		changed()
	}), button(labels.drop, () => {
		forget()
		box.remove()
	}))
	editing.before(box)
}

function recall() {
	const kept = tried(() => localStorage.getItem(key))
	if (kept === text.value) forget()
	else if (kept) offer(kept)
}

/* ---- the preview ---- */

function preview() {
	const step = form.querySelector('[value=preview]')
	if (!step) return
	const body = new URLSearchParams(new FormData(form))
	body.set('step', 'preview')
	if (request) request.abort()
	request = new XMLHttpRequest()
	request.open('POST', step.formAction)
	request.responseType = 'document'
	request.addEventListener('load', () => show(request.response))
	request.send(body)
}

function show(answer) {
	const now = answer && answer.getElementById('preview'), old = document.getElementById('preview')
	if (!now) return
	document.adoptNode(now)
	if (old) old.replaceWith(now)
	else form.after(now)
}

function changed() {
	clearTimeout(saveTimer)
	clearTimeout(previewTimer)
	saveTimer = setTimeout(keep, SAVE_MS)
	previewTimer = setTimeout(preview, PREVIEW_MS)
}

text.addEventListener('input', changed)
let sending = false
addEventListener('pageshow', () => { sending = false })
addEventListener('pagehide', () => {
	clearTimeout(saveTimer)
	if (text.value !== text.defaultValue) keep()
})
form.addEventListener('submit', event => {
	/* A second press would make a second change request. */
	if (sending) return event.preventDefault()
	sending = !event.submitter || event.submitter.value !== 'preview'
	keep()
	if (sending) tried(() => sessionStorage.setItem(SENT, key))
})
recall()
})()
