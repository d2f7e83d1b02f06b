/*
 * Makes the form of a page's text (src/views/edit_page.c) better; the form works without it.
 *
 * What is typed stays in this browser until the server has it, under the person and the address of the form.
 * Only two pages delete it: the page to which saving leads (?done=saved) deletes the text that this tab sent,
 * and the page after signing out deletes all texts; the server adds the script to no other page. The preview
 * follows the text: it is the answer to the form's own preview, read as a document (by XMLHttpRequest, which
 * needs no policy of Trusted Types).
 *
 * The text is saved in the draft two seconds after a pause, and at most each ten seconds, with the form's step
 * "keep". The first of these saves makes the change request, and the form then belongs to that. Each save
 * replaces the revision of the one before, until the sitting has lasted for half an hour. A save that was not answered
 * is sent again as it was, before what was typed since, so that only one text can be on the server unknown.
 *
 * The server merges what somebody else wrote meanwhile by lines, and sends the result, which then replaces the text. If
 * more was typed since, the next save tells what it was made from, and is merged in turn.
 *
 * The text is edited with CodeMirror (Debian's libjs-codemirror), where its script was loaded; a plain field is
 * one press away.
 *
 * Files that are chosen, dropped or pasted are sent one after another (step "attach"), never while the text is
 * being saved, since both write in the draft. The answer has the Markdown that shows the file.
 */
(() => {
'use strict'
const PREFIX = 'octavo-text ', SENT = 'octavo-sent', KEEP_MS = 300, PREVIEW_MS = 250, PREVIEW_BYTES = 250
const PAUSE_MS = 2000, SAVE_MS = 10000, SITTING_MS = 30 * 60 * 1000, ANSWER_MS = 60000
/* A page may have a heading with this id. */
const text = document.querySelector('textarea#text')

function forgetAll() {
	for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
}

/* The browser may refuse storage, or have no room for a long text. */
function attempt(step) {
	try { return step() } catch (e) { return null }
}

function forgetSent() {
	localStorage.removeItem(sessionStorage.getItem(SENT))
	sessionStorage.removeItem(SENT)
}

if (!text) {
	attempt(new URLSearchParams(location.search).get('done') === 'saved' ? forgetSent : forgetAll)
	return
}

const form = text.form, editing = document.getElementById('editing'), labels = editing.dataset
let key = PREFIX + labels.person + ' ' + location.pathname
let keepTimer, previewTimer, request = null, isDropped = false

/* With what it was made from: the server merges what others write before it is taken up again. */
function keep() {
	if (isDropped) return
	attempt(() => localStorage.setItem(key, JSON.stringify({ text: text.value, about: about.value, since: saved, sinceAbout: savedAbout })))
}

function forget() {
	attempt(() => localStorage.removeItem(key))
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
		box.remove()
		if (kept.since !== saved || kept.sinceAbout !== savedAbout) {
			base = ''
			saved = kept.since
			savedAbout = kept.sinceAbout
		}
		about.value = kept.about
		setText(kept.text)
		focus()
	}), button(labels.drop, () => {
		forget()
		box.remove()
	}))
	editing.before(box)
}

/* What was kept; earlier versions of this script kept the text alone, so it is not known what that was made from. */
function readKept() {
	const found = attempt(() => localStorage.getItem(key)), kept = attempt(() => JSON.parse(found))
	if (!found || (kept && typeof kept.text === 'string')) return kept
	return { text: found, about: about.value, since: '', sinceAbout: savedAbout }
}

function recall() {
	const kept = readKept()
	if (kept && (kept.text !== text.value || kept.about !== about.value)) offer(kept)
	else if (isSaved()) forget()
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
	followText()
}

/* ---- saving ---- */

/*
 * `saved`: the text and the description that the typed ones are made from, and that the server has, if `base` is not
 * empty; `tried`: those of a save that was not answered. The form's fields may be older, since browsers fill them in again. A page that is new is saved by the button.
 * A form that comes again (the preview, a conflict) has what was typed in the field, and what that was made from in "since";
 * null: that could not be read.
 */
const about = form.elements.about, state = document.createElement('p')
const before = name => form.elements[name] ? form.elements[name].getAttribute('value') : null
const isTyped = 'typed' in labels, conflict = document.querySelector('#theirs, #places')
let saved = isTyped ? before('since') : text.defaultValue, savedAbout = isTyped ? before('sinceAbout') : about.defaultValue, tried = null
let base = before('base'), amend = '', began = 0
let saveTimer, first = 0, last = 0, sending = false, saving = null, stopped = !form.elements.base || conflict !== null, pressed = null

state.id = 'state'
state.className = 'hint'

function say(label, isFailure) {
	if (state.textContent === labels[label]) return
	state.textContent = labels[label]
	/* Only failures are read out: a screen reader that says "saved" after each sentence disturbs. */
	if (isFailure) state.setAttribute('role', 'alert')
	else state.removeAttribute('role')
}

function isSaved() {
	return base !== '' && text.value === saved && about.value === savedAbout
}

function plan() {
	const now = Date.now()
	clearTimeout(saveTimer)
	if (stopped || saving || sendingFile || isSaved()) return
	if (!first) first = now
	saveTimer = setTimeout(save, Math.max(Math.min(now + PAUSE_MS, first + SAVE_MS), last + SAVE_MS) - now)
}

function save() {
	fillField()
	const [sent, sentAbout] = tried || [text.value, about.value]
	if (Date.now() - began > SITTING_MS) amend = ''
	if (!amend) began = Date.now()
	fill()
	const body = new URLSearchParams(new FormData(form))
	body.set('step', 'keep')
	body.set('text', sent)
	body.set('about', sentAbout)
	first = 0
	last = Date.now()
	saving = new XMLHttpRequest()
	saving.open('POST', form.action)
	saving.responseType = 'document'
	saving.timeout = ANSWER_MS
	saving.addEventListener('load', () => take(saving.status, saving.response, sent, sentAbout))
	for (const name of ['error', 'timeout']) saving.addEventListener(name, () => retry(sent, sentAbout))
	if (tried === null) say('saving')
	saving.send(body)
}

/* The fields that the script knows better than the form. */
function fill() {
	if (!form.elements.base) return
	const fields = { base, amend, tried: tried ? tried[0] : '', ...saved !== null && { since: saved, sinceAbout: savedAbout } }
	for (const [name, value] of Object.entries(fields)) {
		const field = form.elements[name] || form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name }))
		field.value = value
	}
}

function take(status, answer, sent, sentAbout) {
	const done = answer && answer.getElementById('saved'), theirs = answer && answer.querySelector('#theirs, #places')
	if (status === 200 && done) {
		tried = null
		amend = done.dataset.amend
		for (const old of document.querySelectorAll('.theirs')) old.remove()
		takeSaved(done.dataset, sent, sentAbout)
		move(answer, done.dataset.at)
		if (isSaved()) forget()
		say(!isSaved() ? 'unsaved' : 'text' in done.dataset ? 'merged' : 'saved')
		return ended()
	}
	if (status === 429 || status >= 500) return retry(sent, sentAbout)
	stopped = true
	/* Nobody presses for a text that was not shown yet. */
	if (theirs) pressed = null
	if (theirs) showTheirs(answer, theirs)
	else if ((status === 401 || status === 403) && !answer.getElementById('editing')) endSession()
	else say('refused', true)
	ended()
}

/* What the server has now: what was sent, or what that was merged to. */
function takeSaved(answer, sent, sentAbout) {
	fillField()
	const isMerged = 'text' in answer, isNewer = text.value !== sent || about.value !== sentAbout
	base = isMerged && isNewer ? '' : answer.base
	saved = sent
	savedAbout = sentAbout
	if (!isMerged || isNewer) return
	saved = answer.text
	savedAbout = about.value = answer.about
	replaceText(saved)
}

/* The text is sent again. If the server has it, although its answer was lost, that is no conflict. */
function retry(sent, sentAbout) {
	tried = [sent, sentAbout]
	pressed = null
	say('offline', true)
	ended()
}

/* ---- the end of a session ---- */

/* Somebody signs in in another tab and comes back: the form gets the secret of that session, if it is of the same person. */
let isEnded = false

function endSession() {
	isEnded = true
	say('ended', true)
}

addEventListener('focus', () => {
	if (!isEnded) return
	const call = new XMLHttpRequest()
	call.open('GET', location.pathname)
	call.responseType = 'document'
	call.addEventListener('load', () => {
		const now = call.response && call.response.getElementById('editing')
		if (!isEnded || !now || now.dataset.person !== labels.person) return
		isEnded = stopped = false
		for (const field of editing.querySelectorAll('[name=csrf]')) field.value = now.querySelector('[name=csrf]').value
		say('unsaved')
		plan()
	})
	call.send()
})

function ended() {
	saving = null
	if (files.length) sendFile()
	else if (pressed) form.requestSubmit(pressed)
	else plan()
}

/* The form belongs to the draft from now on. */
function move(answer, at) {
	showKept(answer)
	const subject = form.elements.subject, preview = form.querySelector('[value=preview]')
	if (new URL(at, location).pathname === location.pathname) return
	forget()
	history.replaceState(null, '', at)
	key = PREFIX + labels.person + ' ' + location.pathname
	if (!isSaved()) keep()
	form.action = at
	preview.formAction = at + '#preview'
	if (subject) subject.closest('.field').remove()
}

/*
 * After the first save there is nothing to cancel: a link closes the form, beside words about where the text is, and a button
 * that discards the request if this form made it.
 */
function showKept(answer) {
	const cancel = form.querySelector('a.quiet'), kept = answer.getElementById('kept'), discard = answer.getElementById('discard')
	labels.saved = answer.getElementById('saved').dataset.label
	if (!cancel) return
	cancel.remove()
	state.after(document.adoptNode(kept))
	if (discard) editing.append(document.adoptNode(discard))
	watchKept()
}

function watchKept() {
	const discard = document.getElementById('discard')
	form.querySelector('#kept a').addEventListener('click', close)
	if (discard) discard.addEventListener('submit', dropAll)
}

/* What is not saved yet is saved first. Where that is not possible, this browser keeps it, and the form offers it later. */
function close(event) {
	fillField()
	if (isSaved() || event.ctrlKey || event.metaKey || event.shiftKey) return
	event.preventDefault()
	if (stopped || tried) location.href = event.currentTarget.href.replace('?done=saved', '')
	else form.requestSubmit(form.querySelector(':scope > .actions .primary'))
}

/* The text of a request that is discarded is kept nowhere. */
function dropAll() {
	stopped = isDropped = true
	clearTimeout(saveTimer)
	clearTimeout(keepTimer)
	if (saving) saving.abort()
	forget()
}

/*
 * What the page says of a conflict: places with a choice each, whose button saves again; or, as a whole, the other
 * text, for which the next press of "save" is then.
 */
function showTheirs(answer, part) {
	for (const old of document.querySelectorAll('.theirs')) old.remove()
	const isWhole = part.id === 'theirs', field = isWhole ? part.parentNode : part
	const notice = isWhole ? field.previousElementSibling : field.querySelector('.notice')
	if (isWhole) base = answer.querySelector('[name=base]').value
	for (const one of isWhole ? [notice, field] : [field]) {
		document.adoptNode(one)
		one.classList.add('theirs')
		if (isWhole) editing.before(one)
		else text.closest('.field').before(one)
	}
	notice.setAttribute('role', 'alert')
	if (!isWhole) saveChoices(field)
	say('unsaved')
}

/* The button of the places saves here, and the text is then saved by itself again. One that also merges leads on. */
function saveChoices(places) {
	const press = places.querySelector('button')
	places.classList.add('theirs')
	if (press.value === 'merge') return
	press.addEventListener('click', event => {
		event.preventDefault()
		if (saving || sendingFile) return
		clearTimeout(saveTimer)
		stopped = false
		save()
	})
}

/* ---- files ---- */

const files = [], field = document.getElementById('files')
let sendingFile = false

function addFiles(list) {
	if (!form.elements.base || sending) return
	for (const old of field.querySelectorAll('.fault')) old.remove()
	files.push(...list)
	if (!saving && !sendingFile) sendFile()
}

function textOf(label, name) {
	return labels[label].replace('%s', () => name)
}

function sendFile() {
	const file = files.shift(), body = new FormData(), call = new XMLHttpRequest()
	clearTimeout(saveTimer)
	if (file.size > Number(labels.most)) return failFile(textOf('large', file.name))
	for (const name of ['csrf', 'subject']) if (form.elements[name]) body.set(name, form.elements[name].value)
	for (const [name, value] of [['step', 'attach'], ['text', ''], ['about', ''], ['base', ''], ['amend', amend]]) body.set(name, value)
	body.set('file', file, file.name)
	sendingFile = true
	state.removeAttribute('role')
	state.textContent = textOf('uploading', file.name)
	call.open('POST', form.action)
	call.responseType = 'document'
	call.upload.addEventListener('progress', e => {
		state.textContent = `${textOf('uploading', file.name)} ${Math.floor(100 * e.loaded / e.total)} %`
	})
	call.addEventListener('load', () => takeFile(call.status, call.response, file.name))
	call.addEventListener('error', () => failFile(textOf('unsent', file.name)))
	call.send(body)
}

function takeFile(status, answer, name) {
	const done = status === 200 && answer && answer.getElementById('saved'), why = answer && answer.querySelector('[role=alert]')
	if (!done) return failFile(`${name}: ${why ? why.textContent : status === 401 || status === 403 ? labels.ended : labels.refused}`)
	if (!amend) began = Date.now()
	amend = done.dataset.amend
	move(answer, done.dataset.at)
	insert(done.dataset.added)
	say('unsaved')
	endFile()
}

function failFile(why) {
	const fault = document.createElement('p')
	fault.className = 'fault'
	fault.setAttribute('role', 'alert')
	fault.textContent = why
	field.append(fault)
	say(isSaved() ? 'saved' : 'unsaved')
	endFile()
}

function endFile() {
	sendingFile = false
	ended()
}

/* At the caret, so that "undo" takes it back. Blocks, and a picture after another one, need lines of their own. */
function insert(markdown) {
	fillField()
	const from = rich ? rich.indexFromPos(rich.getCursor('from')) : text.selectionStart
	const before = text.value.slice(0, from), after = text.value.slice(rich ? rich.indexFromPos(rich.getCursor('to')) : text.selectionEnd)
	if (markdown.startsWith('{%')) {
		if (before && !before.endsWith('\n\n')) markdown = (before.endsWith('\n') ? '\n' : '\n\n') + markdown
		if (!after.startsWith('\n')) markdown += '\n'
	} else if (/\]\(\/files\/\w+\)$/.test(before)) {
		markdown = '\n\n' + markdown
	} else if (/[^\n]\n$/.test(before) && !/^[^\n]/.test(after)) {
		/* On a line of its own, it would belong to the table or the paragraph above. */
		markdown = '\n' + markdown
	}
	focus()
	if (rich) return rich.replaceSelection(markdown, 'end')
	if (document.execCommand('insertText', false, markdown)) return
	text.setRangeText(markdown, text.selectionStart, text.selectionEnd, 'end')
	changed()
}

function drop(event) {
	if (!event.dataTransfer.files.length) return
	event.preventDefault()
	addFiles(event.dataTransfer.files)
}

/* What other programs copy as text may come with a picture of it. */
function paste(event) {
	if (!event.clipboardData.files.length || event.clipboardData.types.includes('text/plain')) return
	event.preventDefault()
	addFiles(event.clipboardData.files)
}

text.addEventListener('dragover', event => {
	if (event.dataTransfer.types.includes('Files')) event.preventDefault()
})
text.addEventListener('drop', drop)
text.addEventListener('paste', paste)
if (field) {
	field.querySelector('button').remove()
	field.querySelector('input').multiple = true
	field.querySelector('input').addEventListener('change', event => {
		addFiles(event.target.files)
		event.target.value = ''
	})
}

addEventListener('online', () => {
	last = 0
	plan()
})

/* ---- what happens ---- */

function changed() {
	clearTimeout(keepTimer)
	clearTimeout(previewTimer)
	keepTimer = setTimeout(keep, KEEP_MS)
	previewTimer = setTimeout(preview, Math.max(PREVIEW_MS, text.value.length / PREVIEW_BYTES))
	if (!stopped && !saving && !sendingFile && tried === null) say(isSaved() ? 'saved' : 'unsaved')
	plan()
}

text.addEventListener('input', changed)
about.addEventListener('input', changed)
addEventListener('pageshow', () => { sending = false })
addEventListener('pagehide', () => {
	clearTimeout(keepTimer)
	fillField()
	if (!isSaved()) keep()
})
form.addEventListener('submit', event => {
	/* A second press would make a second change request, and so would a press while the first save is under way. */
	if (sending) return event.preventDefault()
	if (saving || sendingFile) {
		pressed = event.submitter
		return event.preventDefault()
	}
	clearTimeout(saveTimer)
	fillField()
	fill()
	sending = !event.submitter || event.submitter.value !== 'preview'
	keep()
	if (sending) attempt(() => sessionStorage.setItem(SENT, key))
})
if (form.elements.base) form.querySelector(':scope > .actions').after(state)
if (document.getElementById('kept')) watchKept()
/* ---- the editor ---- */

/*
 * CodeMirror over the field, which gets its text soon after each change, so that all else here reads the field. Its
 * "contenteditable" is what screen readers, spelling and phones know. A press goes back to the field alone, and
 * the browser remembers that.
 */
const PLAIN = 'octavo-plain', tools = document.createElement('div'), keys = document.createElement('p')
const FIELD_MS = 150
let rich = null, find = null, help = null, fieldTimer

function makeRich() {
	const direction = getComputedStyle(text).direction
	/* Browsers look through the whole text of a field with dir="auto" each time that a script sets it. */
	text.dir = direction
	rich = CodeMirror.fromTextArea(text, { inputStyle: 'contenteditable', lineWrapping: true, spellcheck: true, autocorrect: true,
		autocapitalize: true, mode: { name: 'markdown', xml: false }, direction, undoDepth: 1000,
		/* Tab leads on, as in each field: the keyboard must not be caught. */
		extraKeys: { Enter: 'newlineAndIndentContinueMarkdownList', Tab: false, 'Shift-Tab': false, 'Ctrl-F': openFind, 'Cmd-F': openFind, 'Ctrl-H': openFind, 'Cmd-Alt-F': openFind } })
	const input = rich.getInputField()
	for (const [name, value] of [['role', 'textbox'], ['aria-multiline', 'true'], ['aria-label', text.labels[0].textContent]]) input.setAttribute(name, value)
	rich.on('change', () => {
		clearTimeout(fieldTimer)
		fieldTimer = setTimeout(() => {
			fillField()
			changed()
		}, FIELD_MS)
	})
	rich.on('keydown', takeInserted)
	rich.on('drop', (_, event) => drop(event))
	rich.on('paste', (_, event) => paste(event))
	help.attach(rich)
	rich.on('scroll', followText)
}

/*
 * CodeMirror reads what comes without a key (input methods, dictation, emoji) a moment later: a key that follows at
 * once would write over it.
 */
function takeInserted() {
	const { input } = rich.display
	if (input.readDOMTimeout === null || input.readDOMTimeout === undefined || input.composing) return
	clearTimeout(input.readDOMTimeout)
	input.readDOMTimeout = null
	input.updateFromDOM()
}

/* A long text is not copied into the field at each letter: that takes some hundredths of a second. */
function fillField() {
	clearTimeout(fieldTimer)
	if (rich) rich.save()
}

function makePlain() {
	closeFind()
	help.closeList()
	rich.toTextArea()
	rich = null
	text.dir = 'auto'
}

function toggle(event) {
	if (rich) makePlain()
	else makeRich()
	attempt(() => rich ? localStorage.removeItem(PLAIN) : localStorage.setItem(PLAIN, '1'))
	showTools()
	if (event) focus()
}

function showTools() {
	const others = [button(rich ? labels.plain : labels.rich, toggle)]
	if (rich) others.unshift(button(labels.find, openFind))
	help.fillBar(tools, others)
	keys.hidden = !rich
}

function focus() {
	(rich || text).focus()
}

function setText(value) {
	if (rich) rich.setValue(value)
	else text.value = value
	fillField()
	changed()
}

/* Replaces the lines that differ, so that the caret, and what is above and below it, stays where it is. */
function replaceText(value) {
	if (text.value === value) return
	const was = text.value.split('\n'), now = value.split('\n')
	let from = 0, end = 0
	while (from < Math.min(was.length, now.length) && was[from] === now[from]) from++
	while (end < Math.min(was.length, now.length) - from && was[was.length - 1 - end] === now[now.length - 1 - end]) end++
	if (rich) replaceLines(was, now, from, end)
	else {
		const before = was.slice(0, from).join('\n').length, { selectionStart, selectionEnd } = text, shift = value.length - text.value.length
		text.value = value
		text.setSelectionRange(selectionStart + (selectionStart > before ? shift : 0), selectionEnd + (selectionEnd > before ? shift : 0))
	}
	changed()
}

/*
 * Line by line between the first and the last difference, as far as both have as many; the rest at once. Through a
 * document with another history, so that "undo" takes back only what was typed here.
 */
function replaceLines(was, now, from, end) {
	const own = rich.getDoc(), doc = own.linkedDoc({ sharedHist: false })
	const here = rich.getCursor(), line = rich.getLine(here.line), lines = now.slice(from, now.length - end), old = was.length - end
	rich.operation(() => {
		if (lines.length === old - from) lines.forEach((one, i) => {
			if (one !== was[from + i]) doc.replaceRange(one, CodeMirror.Pos(from + i, 0), CodeMirror.Pos(from + i, was[from + i].length))
		})
		else if (lines.length === 0) doc.replaceRange('', from ? CodeMirror.Pos(from - 1, was[from - 1].length) : CodeMirror.Pos(0, 0),
			from ? CodeMirror.Pos(old - 1, was[old - 1].length) : CodeMirror.Pos(old, 0))
		else doc.replaceRange(old === from ? lines.join('\n') + '\n' : lines.join('\n'), CodeMirror.Pos(from, 0),
			old === from ? CodeMirror.Pos(from, 0) : CodeMirror.Pos(old - 1, was[old - 1].length))
		own.unlinkDoc(doc)
		if (rich.getValue() !== now.join('\n')) rich.setValue(now.join('\n'))
		/* The caret stays in its line, if the line is still there. */
		const at = now.indexOf(line, here.line < from ? 0 : Math.max(from, here.line - Math.abs(now.length - was.length)))
		if (at >= 0) rich.setCursor(at, here.ch)
	})
	rich.save()
}

/* The preview is as far down as the text. */
function followText() {
	const shown = document.getElementById('preview'), { top, height, clientHeight } = rich ? rich.getScrollInfo() :
		{ top: text.scrollTop, height: text.scrollHeight, clientHeight: text.clientHeight }
	if (shown && height > clientHeight) shown.scrollTop = top / (height - clientHeight) * (shown.scrollHeight - shown.clientHeight)
}

text.addEventListener('scroll', followText)

/* ---- find and replace ---- */

function openFind() {
	if (!find) find = makeFind()
	if (rich.somethingSelected() && rich.getSelection().length < 200) find.query.value = rich.getSelection()
	tools.after(find.box)
	find.query.focus()
	find.query.select()
	markFound()
}

function closeFind() {
	if (!find || !find.box.isConnected) return
	find.query.value = ''
	markFound()
	find.box.remove()
	if (rich) rich.focus()
}

function findField(label, act) {
	const input = document.createElement('input')
	input.setAttribute('aria-label', label)
	input.placeholder = label
	input.dir = 'auto'
	/* "Enter" in a field of the form would send it. */
	input.addEventListener('keydown', event => {
		if (event.key !== 'Enter' || event.isComposing) return
		event.preventDefault()
		act(event.shiftKey)
	})
	return input
}

function makeFind() {
	const box = document.createElement('div'), count = document.createElement('output')
	const query = findField(labels.find, back => goFound(back)), other = findField(labels.other, () => replaceFound())
	box.className = 'find'
	box.setAttribute('role', 'group')
	box.setAttribute('aria-label', labels.find)
	box.append(query, count, button(labels.before, () => goFound(true)), button(labels.next, () => goFound(false)), other,
		button(labels.replace, replaceFound), button(labels.all, replaceAll), button(labels.close, closeFind))
	query.addEventListener('input', markFound)
	box.addEventListener('keydown', event => { if (event.key === 'Escape') closeFind() })
	return { box, query, other, count, marks: [] }
}

function cursor(from) {
	return rich.getSearchCursor(find.query.value, from, { caseFold: find.query.value === find.query.value.toLowerCase() })
}

/* Marks at most a thousand places: more tell nobody anything, and make typing slow. */
function markFound() {
	const most = 1000
	for (const mark of find.marks) mark.clear()
	find.marks = []
	find.count.textContent = ''
	if (!find.query.value) return
	rich.operation(() => {
		for (const c = cursor(); find.marks.length < most && c.findNext();) find.marks.push(rich.markText(c.from(), c.to(), { className: 'found' }))
	})
	find.count.textContent = find.marks.length ? find.marks.length + (find.marks.length < most ? '' : '+') : labels.none
}

function goFound(back) {
	if (!find.query.value) return
	let c = cursor(rich.getCursor(back ? 'from' : 'to'))
	if (!c.find(back)) c = cursor(back ? CodeMirror.Pos(rich.lastLine()) : CodeMirror.Pos(rich.firstLine(), 0))
	if (!c.from() && !c.find(back)) return
	rich.setSelection(c.from(), c.to())
	rich.scrollIntoView({ from: c.from(), to: c.to() }, 60)
}

function replaceFound() {
	const here = cursor(rich.getCursor('from'))
	if (!find.query.value) return
	if (rich.somethingSelected() && here.findNext() && !CodeMirror.cmpPos(here.from(), rich.getCursor('from')) && !CodeMirror.cmpPos(here.to(), rich.getCursor('to')))
		rich.replaceSelection(find.other.value, 'end')
	goFound(false)
	markFound()
}

function replaceAll() {
	if (!find.query.value) return
	rich.operation(() => {
		for (const c = cursor(CodeMirror.Pos(rich.firstLine(), 0)); c.findNext();) c.replace(find.other.value)
	})
	markFound()
}

if (window.CodeMirror) {
	tools.className = 'tools'
	text.before(tools)
	keys.className = 'hint'
	keys.textContent = labels.keys
	text.after(keys)
	help = octavoEditor({ text, labels, bar: tools, rich: () => rich, focus, changed, button,
		chooseFile: field && (() => field.querySelector('input').click()),
		space: () => form.action.replace(/(\/spaces\/[^/]+)\/.*$/, '$1'),
		choices: () => form.action.replace(/\/(?:pages\/([^/]+)\/edit|new)$/, (_, page) => `/choices?page=${page || ''}`) })
	if (!attempt(() => localStorage.getItem(PLAIN))) makeRich()
	showTools()
}
recall()
if (conflict && conflict.id === 'places') saveChoices(conflict)
if (!isSaved()) say('unsaved')
plan()
/* On wide screens the preview is beside the text, also before the first letter. */
if (matchMedia('(min-width: 80rem)').matches && !document.getElementById('preview')) preview()
})()
