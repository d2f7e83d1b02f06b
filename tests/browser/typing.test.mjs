// How people type below /app: input methods of Japanese and Chinese, a text from right to left, a megabyte, and a session
// that ends while somebody writes: the text is kept, and offered after the sign-in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api, lookAt, org, url, writer } from './writing.mjs'

let browser, context, page, complaints, space, request, ids
const long = 'A word of *text* with some [link](https://example.com/).\n\n'.repeat(18400)

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Typed' })).id
	request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })).id
	const written = await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`, { changes: [
		{ operation: 'insert_page', title: 'Short', document: { markdown: 'One.\n' } },
		{ operation: 'insert_page', title: 'دليل', document: { markdown: 'هذا دليل قصير.\n\nفقرة ثانية.\n' } },
		{ operation: 'insert_page', title: 'Long', document: { markdown: long } } ] })
	ids = written.changes.map(change => change.page.id)
	const person = await writer('typist@example.com', 'Tove Typist', { fine: /status of 40[13]/ })
	browser = person.browser, context = person.context, page = person.page, complaints = person.complaints
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const value = () => page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.getValue())
const written = async id => (await api('GET', `/spaces/${space}/change-requests/${request}/content/page/${id}?format=markdown`)).markdown
const state = words => page.waitForFunction(words => document.getElementById('state').textContent.startsWith(words), words, { timeout: 60000 })

async function open(id) {
	await page.goto(`${url}/app/spaces/${space}/requests/${request}/pages/${id}/edit`)
	await page.waitForSelector('.CodeMirror')
	await page.evaluate(() => {
		const editor = document.querySelector('.CodeMirror').CodeMirror
		editor.setCursor(editor.lineCount(), 0)
		editor.focus()
	})
	/* CodeMirror ends compositions 20 ms after the focus came, for the menus of an old browser; no person is that quick. */
	await page.waitForTimeout(100)
}
const set = text => page.evaluate(text => document.querySelector('.CodeMirror').CodeMirror.setValue(text), text)

/* What an input method does: it shows candidates in the text, and then writes the chosen one. */
async function compose(client, candidates, chosen) {
	for (const text of candidates) {
		await client.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
		await page.waitForTimeout(30)
	}
	await client.send('Input.insertText', { text: chosen })
}

test('input methods write Japanese and Chinese', async () => {
	await open(ids[0])
	const client = await context.newCDPSession(page)
	await compose(client, ['に', 'にほ', 'にほんご', '日本語'], '日本語')
	await page.keyboard.press('Enter')
	await page.keyboard.type('/')
	await page.waitForSelector('.choices')
	await page.keyboard.press('Backspace')
	await compose(client, ['n', 'ni', 'ni h', 'ni hao'], '你好')
	await page.keyboard.type('**')
	await compose(client, ['세', '세계'], '세계')
	await page.keyboard.type('**')
	await page.waitForTimeout(200)
	assert.equal(await value(), '# Short\n\nOne.\n日本語\n你好**세계**')
	await page.waitForSelector('#preview strong:text-is("세계")')
	await state('All changes are saved')
	assert.equal(await written(ids[0]), '# Short\n\nOne.\n日本語\n你好**세계**')
	await page.keyboard.press('Control+z')
	assert.ok(!(await value()).includes('세계'), 'undo takes back what was composed')
	/* Enter that chooses a candidate neither takes a block nor begins a line. */
	await set('')
	await page.keyboard.type('/')
	await compose(client, ['こ', 'コード'], 'コード')
	await page.waitForTimeout(200)
	assert.equal(await value(), '/コード')
})

test('a text from right to left is written from right to left', async () => {
	await open(ids[1])
	assert.equal(await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.getOption('direction')), 'rtl')
	await page.keyboard.type('سطر جديد')
	await page.keyboard.press('ArrowLeft')
	await page.keyboard.type('!')
	await page.waitForTimeout(200)
	assert.equal(await value(), '# دليل\n\nهذا دليل قصير.\n\nفقرة ثانية.\nسطر جديد!')
	await page.waitForSelector('#preview :text("سطر جديد!")')
	await lookAt(page, 'right-to-left', [[1400, 'light'], [320, 'dark']])
	await state('All changes are saved')
	assert.equal(await written(ids[1]), '# دليل\n\nهذا دليل قصير.\n\nفقرة ثانية.\nسطر جديد!')
})

test('a megabyte of Markdown is opened, edited and saved', async () => {
	assert.ok(Buffer.byteLength(long) > 1_000_000)
	await open(ids[2])
	await page.keyboard.type('The end.\n')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setCursor(2, 0))
	await page.keyboard.type('The beginning. ')
	await state('All changes are saved')
	assert.equal(await written(ids[2]), `# Long\n\nThe beginning. ${long}The end.\n`)
})

test('a session that ends while somebody writes loses no letter', async () => {
	await open(ids[0])
	await set('# Short\n\nTyped before.\n')
	await state('All changes are saved')
	await context.clearCookies()
	await page.keyboard.press('Control+End')
	await page.keyboard.type('Typed after the end.\n')
	await state('Not saved: your session has ended')
	assert.equal(await written(ids[0]), '# Short\n\nTyped before.\n')
	await page.reload()
	await page.waitForURL('**/sign-in*')
	await page.fill('#email', 'typist@example.com')
	await page.click('.primary')
	await page.fill('#password', 'correct horse battery')
	await page.click('.primary')
	await page.waitForURL('**/edit')
	await page.click('.notice .btn')
	assert.equal(await value(), '# Short\n\nTyped before.\nTyped after the end.\n')
	await state('All changes are saved')
	assert.equal(await written(ids[0]), '# Short\n\nTyped before.\nTyped after the end.\n')
})
