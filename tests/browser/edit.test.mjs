// Writing pages below /app in a browser: the preview follows the text; what was typed and is not saved is kept in the
// browser and offered again, until the server has it or the person signs out; it is saved in a draft by itself, also
// over a network that fails, and never over what somebody else wrote; the editor and the plain field; accessible in both looks.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { api, lookAt, org, url, writer } from './writing.mjs'

const { OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir } = process.env

let browser, context, page, complaints, space, at

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Written here' })).id
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })
	await api('POST', `/spaces/${space}/change-requests/${id}/content`, { changes: [{ operation: 'insert_page', title: 'Start', document: { markdown: 'One.\n' } }] })
	await api('POST', `/spaces/${space}/change-requests/${id}/merge`)
	at = `${url}/app/spaces/${space}/pages/${(await api('GET', `/spaces/${space}/content/pages`)).pages[0].id}/edit`
	const person = await writer('writer@example.com', 'Writer', { fine: /ERR_FAILED|status of 4(?:00|09)/, clock: true })
	browser = person.browser, context = person.context, page = person.page, complaints = person.complaints
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const kept = () => page.evaluate(() => Object.keys(localStorage).filter(k => k.startsWith('octavo-text ')).length)

/* Waits until the server has the text; what the page of the draft then reads; how many revisions the draft has. */
const isSaved = () => says('All changes are saved')
async function says(beginning) {
	for (let i = 0; i < 60; i++) {
		if ((await page.textContent('#state')).startsWith(beginning)) return
		/* Until the next save is due: at most each ten seconds. */
		await context.clock.runFor(5000)
		await new Promise(done => setTimeout(done, 100))
	}
	assert.fail(await page.textContent('#state'))
}
async function written() {
	const [, request, id] = page.url().match(/requests\/([^/]+)\/pages\/([^/?]+)/)
	return (await api('GET', `/spaces/${space}/change-requests/${request}/content/page/${id}?format=markdown`)).markdown
}
async function revisions() {
	const [, request] = page.url().match(/requests\/([^/]+)\//)
	let { revision } = await api('GET', `/spaces/${space}/change-requests/${request}`), count = 0
	for (; revision !== undefined; count++) [revision] = (await api('GET', `/spaces/${space}/revisions/${revision}`)).parents
	return count
}

test('the preview follows the text', async () => {
	/* First the field alone, which the editor is made over. */
	await page.evaluate(() => localStorage.setItem('octavo-plain', '1'))
	await page.goto(at)
	await page.fill('#text', '# Start\n\nA **bold** word, <script>alert(1)</script>.\n')
	await page.waitForSelector('#preview strong')
	assert.equal(await page.textContent('#preview strong'), 'bold')
	assert.equal(await page.locator('#preview script').count(), 0)
	await page.fill('#text', '# Start\n\nAn *italic* word.\n')
	await page.waitForSelector('#preview em')
	assert.equal(await page.locator('#preview').count(), 1)
})

test('a text is saved in a draft after a pause', async () => {
	await isSaved()
	assert.match(page.url(), /\/requests\/[^/]+\/pages\/[^/]+\/edit$/)
	assert.equal(await kept(), 0)
	assert.equal(await written(), '# Start\n\nAn *italic* word.\n')
	const before = await revisions()
	for (const word of ['one', 'two', 'three']) {
		await page.locator('#text').press('Control+End')
		await page.keyboard.type(word)
		await isSaved()
		assert.ok((await written()).endsWith(word))
	}
	assert.equal(await revisions(), before, 'a sitting is one revision')
	assert.equal((await api('GET', `/spaces/${space}/change-requests`)).items.filter(r => r.status === 'draft').length, 1)
	/* Where the text is, and that leaving keeps it. */
	assert.match(await page.textContent('#kept'), /change request “#\d+ .*Readers see it once/)
	assert.equal(await page.locator('text=Cancel').count(), 0)
	await lookAt(page, 'edit', [[1400, 'light'], [320, 'dark']])
})

test('undo goes back over saves', async () => {
	await page.locator('#text').press('Control+z')
	assert.ok(!(await page.inputValue('#text')).endsWith('three'))
	await page.locator('#text').press('Control+Shift+z')
	assert.ok((await page.inputValue('#text')).endsWith('three'))
})

// A picture of one dot, as a file of the browser.
const dot = name => `new File([Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), c => c.charCodeAt(0))],
	'${name}', { type: 'image/png' })`
const give = (event, member, ...files) => page.evaluate(`(() => {
	const data = new DataTransfer()
	for (const file of [${files.join(',')}]) data.items.add(file)
	document.getElementById('text').dispatchEvent(new ${event}('${event === 'DragEvent' ? 'drop' : 'paste'}',
		{ ${member}: data, bubbles: true, cancelable: true }))
})()`)

test('pictures are dropped, pasted and chosen', async () => {
	const before = await revisions()
	await page.fill('#text', '# Start\n\nPictures.\n\n')
	await give('DragEvent', 'dataTransfer', dot('red house.png'), dot('two.png'))
	await page.waitForFunction(() => /!\[red house\]\(\/files\/\w+\)\n\n!\[two\]\(\/files\/\w+\)/.test(document.getElementById('text').value))
	await page.waitForSelector('#preview img')
	await page.waitForFunction(() => [...document.querySelectorAll('#preview img')].every(i => i.complete && i.naturalWidth === 1))
	await give('ClipboardEvent', 'clipboardData', dot('image.png'))
	await page.waitForFunction(() => document.getElementById('text').value.includes('![image]'))
	await page.fill('#text', '# Start\n\n| a |\n| - |\n')
	await give('ClipboardEvent', 'clipboardData', dot('below.png'))
	await page.waitForFunction(() => document.getElementById('text').value.includes('| - |\n\n![below]'))
	await page.locator('#file').setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') })
	await page.waitForFunction(() => document.getElementById('text').value.includes('\n\n{% file src="/files/'))
	await isSaved()
	assert.equal(await written(), await page.inputValue('#text'))
	assert.equal(await revisions(), before, 'pictures belong to the sitting')
	await page.locator('#file').setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
	await page.waitForSelector('#files .fault')
	assert.ok((await page.textContent('#files .fault')).startsWith('large.png is larger than 5 MB'))
	await lookAt(page, 'files', [[1400, 'light']])
	await page.locator('#text').press('Control+z')
	assert.ok(!(await page.inputValue('#text')).includes('{% file'), 'undo takes a file back')
	await isSaved()
})

test('who writes on and on is saved every ten seconds, and a text of another person is not offered', async () => {
	let saves = 0
	await context.clock.runFor(30000)
	await isSaved()
	await context.route('**/edit', route => {
		saves += new URLSearchParams(route.request().postData()).get('step') === 'keep'
		return route.continue()
	})
	await page.locator('#text').press('Control+End')
	for (let second = 0; second < 30; second++) {
		await page.keyboard.type('three'[second % 5])
		await context.clock.runFor(1000)
	}
	assert.ok(saves >= 2 && saves <= 4, `${saves} saves in thirty seconds`)
	await context.unroute('**/edit')
	await isSaved()
	await page.evaluate(() => localStorage.setItem(`octavo-text somebody ${location.pathname}`, JSON.stringify({ text: 'Not yours.', about: '', since: '', sinceAbout: '' })))
	await page.reload()
	assert.equal(await page.locator('.notice').count(), 0)
	await page.evaluate(() => localStorage.removeItem(`octavo-text somebody ${location.pathname}`))
})

test('a text is kept while the server cannot be reached, and then saved', async () => {
	await context.route('**/edit', route => route.abort())
	await page.fill('#text', '# Start\n\nOffline.\n')
	await says('Not saved: the server')
	assert.equal(await kept(), 1)
	await context.unroute('**/edit')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOffline.\n')
	assert.equal(await kept(), 0)
	/* The answer of a save is lost, and the person writes on. */
	let lost = 0
	await context.route('**/edit', async route => {
		await route.fetch()
		lost++
		await route.abort()
	})
	await page.fill('#text', '# Start\n\nLost answer.\n')
	await says('Not saved: the server')
	assert.equal(await written(), '# Start\n\nLost answer.\n')
	await context.unroute('**/edit')
	await page.fill('#text', '# Start\n\nLost answer. And on.\n')
	await isSaved()
	assert.ok(lost > 0)
	assert.equal(await written(), '# Start\n\nLost answer. And on.\n')
})

test('a text that was not saved is offered again', async () => {
	const draft = page.url()
	await page.fill('#text', '# Start\n\nNot yet.\n')
	await page.goto(`${url}/app`)
	assert.equal(await kept(), 1)
	await page.goto(draft)
	assert.equal(await page.inputValue('#text'), '# Start\n\nLost answer. And on.\n')
	await page.goto(`${at.slice(0, -'/edit'.length)}?done=saved`)
	assert.equal(await kept(), 1, 'an address alone deletes no text')
	await page.goto(draft)
	await page.click('.notice .btn')
	assert.equal(await page.inputValue('#text'), '# Start\n\nNot yet.\n')
	assert.equal(await page.locator('.notice').count(), 0)
	await isSaved()
	assert.equal(await written(), '# Start\n\nNot yet.\n')
})

/* What another person writes in the page of the draft. */
async function theirs(markdown, description) {
	const [, request, id] = page.url().match(/requests\/([^/]+)\/pages\/([^/]+)/)
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [{ operation: 'update_page', page: id, document: { markdown }, description }] })
}

test('a text that was kept is merged with what others wrote since', async () => {
	const draft = page.url()
	await page.fill('#text', '# Start\n\nOne.\n\nTwo.\n')
	await isSaved()
	await page.fill('#text', '# Start\n\nOne, kept.\n\nTwo.\n')
	await page.goto(`${url}/app`)
	await page.goBack()
	await page.goto(draft)
	await theirs('# Start\n\nOne.\n\nTwo by them.\n')
	await page.goto(draft)
	await page.click('.notice .btn')
	assert.equal(await page.inputValue('#text'), '# Start\n\nOne, kept.\n\nTwo.\n')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOne, kept.\n\nTwo by them.\n')
	assert.equal(await page.inputValue('#text'), await written())
})

test('a text that an earlier version of the script kept is offered, and replaces nothing unseen', async () => {
	await page.evaluate(() => localStorage.setItem(`octavo-text ${document.getElementById('editing').dataset.person} ${location.pathname}`,
		'# Start\n\nKept long ago.\n'))
	await page.reload()
	await page.click('.notice .btn')
	assert.equal(await page.inputValue('#text'), '# Start\n\nKept long ago.\n')
	await page.waitForSelector('#places')
	assert.ok((await written()).includes('One, kept'), 'nothing is saved before the person says so')
	for (const mine of await page.locator('#places [value=mine]').all()) await mine.check()
	await page.click('#places .primary')
	await isSaved()
	assert.equal(await written(), '# Start\n\nKept long ago.\n')
})

test('what somebody else wrote meanwhile is merged by lines', async () => {
	await page.fill('#text', '# Start\n\nOne.\n\nTwo.\n\nThree.\n')
	await isSaved()
	await theirs('# Start\n\nOne.\n\nTwo.\n\nThree by them.\n', 'Their description')
	await page.evaluate(() => document.getElementById('text').setSelectionRange(13, 13))
	await page.keyboard.type(' Mine.')
	await isSaved()
	const merged = '# Start\n\nOne. Mine.\n\nTwo.\n\nThree by them.\n'
	assert.equal(await page.inputValue('#text'), merged)
	assert.equal(await page.inputValue('#about'), 'Their description')
	assert.equal(await written(), merged)
	assert.equal(await page.evaluate(() => document.getElementById('text').selectionStart), 19, 'the caret stays')
	/* Words that are typed while the text is on its way are merged, too. */
	await theirs(merged.replace('Two.', 'Two by them.'))
	await context.route('**/edit', async route => {
		const answer = await route.fetch()
		await page.keyboard.type(' More.')
		await route.fulfill({ response: answer })
		await context.unroute('**/edit')
	})
	await page.keyboard.type(' Again.')
	await page.waitForFunction(() => /Again\. More\.\n\nTwo by them/.test(document.getElementById('text').value))
	await isSaved()
	assert.equal(await written(), '# Start\n\nOne. Mine. Again. More.\n\nTwo by them.\n\nThree by them.\n')
})

test('where both wrote in the same lines, the person chooses', async () => {
	const all = '# Start\n\nOne.\n\nTwo.\n'
	await page.fill('#text', all)
	await isSaved()
	await theirs(all.replace('One.', 'One by them.').replace('Two.', 'Two, too.'))
	await page.fill('#text', all.replace('One.', 'One by me.').replace('Two.', 'Two as well.'))
	await page.waitForSelector('#places')
	assert.equal(await page.locator('#places fieldset').count(), 2)
	assert.deepEqual(await page.locator('#places pre').allTextContents(), ['One by me.\n', 'One by them.\n', 'Two as well.\n', 'Two, too.\n'])
	await lookAt(page, 'places', [[1400, 'light'], [320, 'dark']])
	await page.locator('#text').press('Control+End')
	await page.keyboard.type('And on.\n')
	await context.clock.runFor(20000)
	assert.ok((await written()).includes('One by them'), 'nothing is saved before the person says so')
	assert.equal(await kept(), 1)
	await page.locator('#places [value=both]').first().check()
	await page.click('#places .primary')
	await page.waitForFunction(() => document.querySelectorAll('#places :checked').length === 1)
	assert.ok((await written()).includes('One by them'), 'a place without a choice is asked for again')
	await page.waitForFunction(() => document.querySelectorAll('#places fieldset').length === 2)
	await page.locator('#places fieldset').last().locator('[value=theirs]').check()
	await page.click('#places .primary')
	await isSaved()
	assert.equal(await page.locator('#places').count(), 0)
	assert.equal(await written(), '# Start\n\nOne by them.\n\nOne by me.\n\nTwo, too.\n')
	assert.equal(await page.inputValue('#text'), await written())
	await page.fill('#text', all)
	await isSaved()
	assert.equal(await written(), all, 'the text is saved by itself again')
})

test('without scripts, too', async () => {
	const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() }), form = await plain.newPage()
	await form.goto(page.url())
	await theirs('# Start\n\nOne.\n\nTwo by them.\n')
	await form.fill('#text', '# Start\n\nOne by me.\n\nTwo.\n')
	await form.click('.actions .primary')
	await form.waitForURL('**/requests/*/pages/*?done=saved')
	assert.equal(await written(), '# Start\n\nOne by me.\n\nTwo by them.\n')
	await form.click('text="Edit"')
	await theirs('# Start\n\nOne by all.\n')
	await form.fill('#text', '# Start\n\nOne by none.\n\nTwo by them.\n')
	await form.fill('#about', 'About')
	await form.click('.actions .primary')
	await form.waitForSelector('#places')
	assert.equal(await form.inputValue('#text'), '# Start\n\nOne by none.\n\nTwo by them.\n')
	await form.check('#places [value=mine]')
	await form.locator('.actions .primary').last().click()
	await form.waitForURL('**/requests/*/pages/*?done=saved')
	assert.match(await written(), /One by none/)
	await plain.close()
	await page.reload()
})

test('a text that the server has is kept no longer', async () => {
	await page.reload()
	await page.fill('#text', '# Start\n\nTwice.')
	await page.click('.primary')
	await page.waitForURL('**/requests/*/pages/*?done=saved')
	await page.click('text="Edit"')
	await page.waitForURL('**/edit')
	assert.equal(await kept(), 0)
	assert.equal(await page.locator('.notice').count(), 0)
	assert.equal(await page.inputValue('#text'), '# Start\n\nTwice.')
	await page.goto(at)
	assert.equal(await page.locator('.notice').count(), 0, 'a text that is in a change request counts as saved')
})

test('the editor over the field saves, finds, replaces and undoes', async () => {
	await page.goto(at)
	/* Compressed, also what the browser has kept from another page. */
	const fresh = await browser.newContext({ storageState: await context.storageState() }), first = await fresh.newPage()
	await first.goto(at)
	const sent = await first.evaluate(() => ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
		.reduce((sum, entry) => sum + entry.encodedBodySize, 0))
	await fresh.close()
	assert.ok(sent > 50_000 && sent < 250_000, `${sent} bytes`)
	await page.click('text=Editor with colours')
	await page.waitForSelector('.CodeMirror')
	await page.keyboard.press('Control+End')
	await page.keyboard.type('## Heading\n\nA **bold** house, a house.\n')
	await page.waitForSelector('#preview strong')
	await page.waitForURL('**/requests/*/pages/*/edit')
	await isSaved()
	assert.equal(await page.locator('.CodeMirror .cm-header-2').count(), 1)
	assert.ok((await written()).endsWith('A **bold** house, a house.\n'))
	await page.keyboard.press('Control+f')
	await page.keyboard.type('house')
	assert.equal(await page.textContent('.find output'), '2')
	await page.locator('.find input').nth(1).fill('barn')
	await lookAt(page, 'editor', [[1400, 'light'], [768, 'light'], [320, 'dark']])
	await page.click('text=Replace all')
	await page.waitForFunction(() => document.getElementById('text').value.includes('a barn'))
	await isSaved()
	assert.ok((await written()).endsWith('A **bold** barn, a barn.\n'))
	await page.keyboard.press('Escape')
	assert.equal(await page.locator('.find').count(), 0)
	/* What another person writes is not taken back. */
	await theirs((await written()).replace('## Heading', '## Their heading'))
	await page.keyboard.type('Me.\n')
	await context.clock.runFor(500)
	await isSaved()
	assert.ok((await page.inputValue('#text')).includes('## Their heading'))
	await page.keyboard.press('Control+z')
	await page.keyboard.press('Control+z')
	await page.waitForFunction(() => document.getElementById('text').value.includes('a house'))
	assert.ok((await page.inputValue('#text')).includes('## Their heading'))
	await page.keyboard.press('Tab')
	assert.ok(await page.evaluate(() => !document.querySelector('.CodeMirror').contains(document.activeElement)), 'Tab leads on')
	/* All work of the page for a letter, while letters follow each other: scripts, styles and layout. */
	await page.evaluate(() => {
		const editor = document.querySelector('.CodeMirror').CodeMirror
		editor.setValue('A word of *text* with some [link](x.md).\n\n'.repeat(4700))
		editor.setCursor(4700, 3)
		editor.focus()
	})
	await page.waitForTimeout(1500)
	const client = await context.newCDPSession(page), LETTERS = 30
	const work = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(m => [m.name, m.value]))
	await client.send('Performance.enable')
	const before = await work()
	for (let i = 0; i < LETTERS; i++) {
		await page.keyboard.press('x')
		await page.waitForTimeout(90)
	}
	const after = await work()
	const letter = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].reduce((sum, name) => sum + after[name] - before[name], 0) * 1000 / LETTERS
	console.log(`# an edit page has ${sent} bytes; a letter in 200 kB takes ${letter.toFixed(1)} ms`)
	assert.equal(await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.getLine(4700).length), 40 + LETTERS)
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setValue('# Start\n\nShort again.\n'))
	await page.waitForFunction(() => document.getElementById('text').value.includes('Short again'))
	await isSaved()
	await page.click('text=Plain text field')
	assert.equal(await page.inputValue('#text'), '# Start\n\nShort again.\n')
})

test('a worker of another build loses no letter of a page that is open', async () => {
	execFileSync(octavo, ['reload', '--dir', dir])
	await page.fill('#text', '# Start\n\nAfter other workers.\n')
	await isSaved()
	assert.equal(await written(), '# Start\n\nAfter other workers.\n')
	/* A form of an earlier build: its hash is another one, and it does not say what its text was made from. */
	await context.route('**/edit', async route => {
		const body = new URLSearchParams(route.request().postData())
		if (body.get('step') !== 'keep') return route.continue()
		body.set('base', 'of-an-earlier-build')
		for (const name of ['since', 'sinceAbout', 'from']) body.delete(name)
		await route.continue({ postData: body.toString() })
	})
	await page.fill('#text', '# Start\n\nOf an earlier form.\n')
	await context.clock.runFor(15000)
	await page.waitForSelector('#theirs, #places')
	await context.unroute('**/edit')
	assert.equal(await page.inputValue('#text'), '# Start\n\nOf an earlier form.\n')
	assert.equal(await kept(), 1)
	await page.reload()
	await page.click('.notice .btn')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOf an earlier form.\n')
	/* An answer of a later build, which the script does not know, though the text is written; and one that refuses. */
	for (const [status, line] of [[200, 'To a later build.'], [400, 'To a stricter build.']]) {
		await context.route('**/edit', async route => {
			if (status === 200) await route.fetch()
			await route.fulfill({ status, contentType: 'text/html', body: '<!doctype html><p id="otherwise">' })
		})
		await page.fill('#text', `# Start\n\n${line}\n`)
		await says('Not saved')
		await page.locator('#text').press('Control+End')
		await page.keyboard.type('And on.')
		await page.waitForTimeout(500)
		assert.equal(await kept(), 1)
		await context.unroute('**/edit')
		await page.reload()
		await page.click('.notice .btn')
		assert.equal(await page.inputValue('#text'), `# Start\n\n${line}\nAnd on.`)
		await isSaved()
		assert.equal(await written(), `# Start\n\n${line}\nAnd on.`)
	}
})

/* Types a text and presses a button at once, before the text is saved by itself. */
const press = (value, button) => page.evaluate(([now, selector]) => {
	const field = document.getElementById('text')
	field.value = now
	field.dispatchEvent(new Event('input', { bubbles: true }))
	document.querySelector(selector).click()
}, [value, button])
const SAVE = '#editing form > .actions .primary', PREVIEW = '#editing [value=preview]'

async function beginDraft(markdown) {
	await page.goto(at)
	await page.evaluate(() => localStorage.setItem('octavo-plain', '1'))
	await page.goto(at)
	await page.fill('#text', markdown)
	await isSaved()
}

/*
 * A second build: the program of this one with another build id, which runs once for each request, with the same data.
 * Returns a function that answers a request of the browser.
 */
async function startOtherBuild() {
	const program = readFileSync(`${dirname(octavo)}/octavo-api`), folder = mkdtempSync(`${tmpdir()}/build`)
	const id = (await api('GET', '/')).build, other = id.replace(/./g, 'x')
	let count = 0
	for (let at = -1; (at = program.indexOf(`${id}\0`, at + 1)) >= 0; count++) program.write(other, at)
	assert.ok(count > 0, `the program has its build id ${id}`)
	writeFileSync(`${folder}/octavo-api`, program, { mode: 0o755 })
	const run = (method, address, headers, body) => {
		const { pathname, search } = new URL(address), variables = Object.entries(headers).map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value])
		const answer = execFileSync(`${folder}/octavo-api`, { input: body, maxBuffer: 1 << 26, env: { PATH: process.env.PATH, ...Object.fromEntries(variables),
			OCTAVO_DIR: dir, OCTAVO_URL: url, GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: method, REQUEST_URI: pathname + search, QUERY_STRING: search.slice(1),
			CONTENT_TYPE: headers['content-type'] ?? '', CONTENT_LENGTH: String(body.length), REMOTE_ADDR: '127.0.0.1' } })
		const end = answer.indexOf('\r\n\r\n'), lines = answer.subarray(0, end).toString().split('\r\n').map(line => line.match(/^([^:]+): (.*)$/).slice(1))
		return { status: Number(lines.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200), body: answer.subarray(end + 4),
			headers: Object.fromEntries(lines.filter(([name]) => name !== 'Status')) }
	}
	assert.equal(JSON.parse(run('GET', `${url}/v1/`, { authorization: `Bearer ${process.env.OCTAVO_TEST_TOKEN}` }, '').body).build, other)
	return { end: () => rmSync(folder, { recursive: true }), answer: async route => {
		const request = route.request()
		return route.fulfill(run(request.method(), request.url(), await request.allHeaders(), request.postDataBuffer() ?? Buffer.alloc(0)))
	} }
}

test('workers of two builds in turn lose no letter of a page that is open', async () => {
	const other = await startOtherBuild(), pages = address => address.pathname.startsWith('/app/spaces/')
	const turns = { this: 0, other: 0 }
	let text = '# Start\n\nOf two builds.\n\nEnd.\n'
	await context.route(pages, route => {
		if ((turns.this + turns.other) % 2 === 0) return turns.this++, route.continue()
		turns.other++
		return other.answer(route)
	})
	await page.fill('#text', text)
	await isSaved()
	for (let n = 1; n <= 6; n++) {
		if (n === 3) await theirs(text = text.replace('End.', 'End by them.'))
		await page.focus('#text')
		await page.evaluate(() => { const field = document.getElementById('text'), at = field.value.indexOf('\n\nEnd'); field.setSelectionRange(at, at) })
		await page.keyboard.type(` Round ${n}.`)
		text = text.replace('\n\nEnd', ` Round ${n}.\n\nEnd`)
		await isSaved()
		assert.equal(await page.inputValue('#text'), text)
		assert.equal(await written(), text)
		if (n === 5) await page.reload()
	}
	/* Letters that were typed and not saved when the next page comes from the other build. */
	await page.locator('#text').press('Control+End')
	await page.keyboard.type('Unsaved.')
	await page.waitForTimeout(500)
	await page.reload()
	await page.click('.notice .btn')
	await isSaved()
	assert.equal(await written(), `${text}Unsaved.`)
	assert.ok(turns.this > 5 && turns.other > 5, JSON.stringify(turns))
	await context.unroute(pages)
	other.end()
})

test('a conflict after a press of Save is decided for the own lines, with either button', async () => {
	for (const button of [SAVE, '#places .primary']) {
		await beginDraft('# Start\n\nOne line.\n')
		await theirs('# Start\n\nOne line by them.\n')
		await press('# Start\n\nOne line by me.\n', SAVE)
		await page.waitForSelector('#places')
		await context.clock.runFor(20000)
		assert.equal(await written(), '# Start\n\nOne line by them.\n', 'nothing is saved before the person says so')
		await page.check('#places [value=mine]')
		await page.click(button)
		if (button === SAVE) await page.waitForURL('**/requests/*/pages/*?done=saved')
		else await isSaved()
		assert.equal(await written(), '# Start\n\nOne line by me.\n')
	}
	assert.equal(await page.locator('#places').count(), 0)
	await page.fill('#text', '# Start\n\nOne line by me, and more.\n')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOne line by me, and more.\n')
})

test('a text is saved by itself also after a press of Preview, over nothing that others wrote', async () => {
	await beginDraft('# Start\n\nOne line.\n')
	await press('# Start\n\nOne line, seen.\n', PREVIEW)
	await page.waitForURL('**#preview')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOne line, seen.\n')
	await theirs('# Start\n\nOne line by them.\n')
	await press('# Start\n\nOne line by me.\n', PREVIEW)
	await page.waitForSelector('#places')
	assert.equal(await written(), '# Start\n\nOne line by them.\n')
	await page.check('#places [value=mine]')
	await page.click('#places .primary')
	await isSaved()
	assert.equal(await written(), '# Start\n\nOne line by me.\n')
})

const requestNow = () => api('GET', `/spaces/${space}/change-requests/${page.url().match(/requests\/([^/?]+)/)[1]}`)

test('a form that has saved its text is closed, or its change request is discarded', async () => {
	await page.goto(at)
	assert.equal(await page.locator('text=Cancel').count(), 1)
	await page.fill('#text', '# Start\n\nTo be discarded.\n')
	await isSaved()
	await page.locator('#text').press('Control+End')
	await page.keyboard.type('More.')
	await page.click('text=Discard: archive')
	await page.waitForURL(/requests\/[^/]+$/)
	assert.equal((await requestNow()).status, 'archived')
	assert.equal(await kept(), 0)
	await page.goto(at)
	await page.fill('#text', '# Start\n\nTo be kept.\n')
	await isSaved()
	await page.locator('#text').press('Control+End')
	await page.keyboard.type('More.')
	await page.click('#kept a')
	await page.waitForURL('**/requests/*/pages/*?done=saved')
	assert.equal(await written(), '# Start\n\nTo be kept.\nMore.')
	/* A request that was there before is not discarded by this form, which says so; nor is an open one called a draft. */
	await api('PATCH', `/spaces/${space}/change-requests/${(await requestNow()).id}`, { status: 'open' })
	await page.goto(page.url().replace('?done=saved', '/edit'))
	await page.locator('#text').press('Control+End')
	await page.keyboard.type(' And more.')
	await says('All changes are saved in the open change request')
	assert.equal(await page.locator('#discard').count(), 0)
	assert.match(await page.textContent('#kept'), /Closing this page does not undo/)
})

test('signing out deletes texts that were kept', async () => {
	await page.fill('#text', 'Secret words.')
	await page.waitForTimeout(500)
	assert.ok(await kept() > 0)
	await page.goto(`${url}/app`)
	await page.click('text=Sign out')
	await page.waitForURL('**/sign-in?done=out')
	await page.waitForFunction(() => !Object.keys(localStorage).some(k => k.startsWith('octavo-text ')))
})
