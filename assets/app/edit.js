/*
 * Makes the form of a page's text (src/views/edit_page.c) better; the form works without it.
 *
 * What is typed stays in this browser until the server has it: under the person and the address, with the
 * revision that it was typed for. A text is dropped when the form comes with a newer revision after it was
 * sent, and all texts are dropped at sign-out. The preview follows the text: it is the answer to the form's
 * own preview, read as a document (by XMLHttpRequest, which needs no policy of Trusted Types).
 */
(() => {
'use strict'
const PREFIX = 'octavo-text ', SAVE_MS = 300, PREVIEW_MS = 600
const text = document.getElementById('text')

function forgetAll() {
	for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

/* The browser may refuse storage, or have no room for a long text. */
function tried(step) {
	try { return step() } catch (e) { return null }
}

if (!text) {
	tried(forgetAll)
	return
}

const form = text.form, editing = document.getElementById('editing'), labels = editing.dataset
const key = PREFIX + labels.person + ' ' + location.pathname
const revision = form.elements.revision.value
let saveTimer, previewTimer, request = null

function keep(sent) {
	tried(() => localStorage.setItem(key, JSON.stringify({ text: text.value, revision, sent })))
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
		text.value = kept.text
		box.remove()
		text.focus()
		changed()
	}), button(labels.drop, () => {
		forget()
		box.remove()
	}))
	editing.before(box)
}

/* The server has a text that was sent if the form is for another revision now. */
function recall() {
	const kept = tried(() => JSON.parse(localStorage.getItem(key)))
	if (!kept) return
	if (kept.text === text.value || (kept.sent && kept.revision !== revision)) forget()
	else offer(kept)
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
	saveTimer = setTimeout(() => keep(false), SAVE_MS)
	previewTimer = setTimeout(preview, PREVIEW_MS)
}

text.addEventListener('input', changed)
addEventListener('pageshow', () => { form.dataset.sent = '' })
addEventListener('pagehide', () => {
	clearTimeout(saveTimer)
	if (text.value !== text.defaultValue) keep(form.dataset.sent === 'yes')
})
form.addEventListener('submit', event => {
	/* A second press would make a second change request. */
	if (form.dataset.sent === 'yes') return event.preventDefault()
	form.dataset.sent = event.submitter && event.submitter.value === 'preview' ? '' : 'yes'
	keep(form.dataset.sent === 'yes')
})
recall()
})()
