// Writing by touch on a phone: the toolbar, the list after "/" and completions by taps, letters as a phone's keyboard sends
// them, a picture from the phone, and saving. Nothing needs a keyboard with keys, a pointer or a wide screen.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api, org, url, writer } from './writing.mjs'

const { OCTAVO_SHOTS: shots } = process.env
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let browser, page, complaints, client, space, request, start, red

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'By touch' })).id
	request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })).id
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [
		{ operation: 'insert_page', title: 'Start', document: { markdown: 'One.\n' } },
		{ operation: 'insert_page', title: 'Red houses', document: { markdown: 'Text.\n' } } ] })
	;[start, red] = (await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`)).pages.map(page => page.id)
	const person = await writer('touch@example.com', 'Tina Touch', { screen: PHONE })
	browser = person.browser, page = person.page, complaints = person.complaints
	client = await person.context.newCDPSession(page)
	await page.goto(`${url}/app/spaces/${space}/requests/${request}/pages/${start}/edit`)
	await page.waitForSelector('.CodeMirror')
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const value = () => page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.getValue())
const written = async () => (await api('GET', `/spaces/${space}/change-requests/${request}/content/page/${start}?format=markdown`)).markdown
const look = name => shots && page.screenshot({ path: `${shots}/touch-${name}.png` })

/* A phone's keyboard marks the letters of a word while it is typed, and offers others. */
async function compose(word) {
	for (let n = 1; n <= word.length; n++) {
		await client.send('Input.imeSetComposition', { text: word.slice(0, n), selectionStart: n, selectionEnd: n })
		await page.waitForTimeout(30)
	}
}
const write = text => client.send('Input.insertText', { text })

/* Empties the text, and taps behind it, as a finger puts the caret there. */
async function begin(text) {
	const at = await page.evaluate(text => {
		const editor = document.querySelector('.CodeMirror').CodeMirror
		editor.setValue(text)
		editor.getWrapperElement().scrollIntoView({ block: 'center' })
		const { right, top, bottom } = editor.charCoords({ line: editor.lineCount(), ch: 1e9 }, 'window')
		return { x: right + 2, y: (top + bottom) / 2 }
	}, text)
	await page.touchscreen.tap(at.x, at.y)
	await page.waitForTimeout(150)
}

/* The text is read from the field a moment after the keyboard has written. */
async function is(expected) {
	for (let i = 0; i < 40 && await value() !== expected; i++) await page.waitForTimeout(50)
	assert.equal(await value(), expected)
}

async function fits(node) {
	const box = await page.locator(node).boundingBox()
	assert.ok(box.x >= 0 && box.x + box.width <= 390, `${node} is on the screen: ${JSON.stringify(box)}`)
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen')
}

test('words are made bold and blocks inserted by taps on the toolbar', async () => {
	await begin('Some words')
	await page.tap('.tools [data-name=bold]')
	await write('bold')
	await is('Some words**bold**')
	await begin('Before.\n\n')
	await page.tap('.tools [aria-haspopup=menu]')
	await page.waitForSelector('.menu [role=menuitem]')
	await fits('.menu')
	await look('menu')
	await page.tap('.menu [role=menuitem]:text-is("Hint")')
	await write('Careful')
	await is('Before.\n\n{% hint style="info" %}\nCareful\n{% endhint %}\n')
	const small = await page.locator('.tools button').evaluateAll(list => list.filter(b => b.getBoundingClientRect().height < 24).length)
	assert.equal(small, 0, 'buttons are large enough for a finger')
})

test('a block is chosen by a tap in the list after "/"', async () => {
	await begin('Before.\n\n')
	await write('/')
	await page.waitForSelector('.choices [role=option]')
	await fits('.choices')
	await look('slash')
	await page.tap('.choices [role=option]:text-is("Table")')
	await page.waitForFunction(() => document.querySelector('.CodeMirror').CodeMirror.getValue().includes('| --- '))
	assert.ok(!(await value()).includes('/'))
	assert.equal(await page.locator('.choices').count(), 0)
	/* The keyboard still marks a word, which is not yet in the text, when the finger takes the block: nothing of it stays. */
	await begin('Before.\n\n')
	await write('/')
	await page.waitForSelector('.choices [role=option]')
	await compose('hint')
	await page.waitForTimeout(300)
	await page.tap('.choices [role=option]:text-is("Hint")')
	await is('Before.\n\n{% hint style="info" %}\n\n{% endhint %}\n')
})

test('a page is completed by a tap', async () => {
	await begin('See [red](')
	await write('red h')
	await page.waitForSelector('.choices [role=option]')
	await fits('.choices')
	await look('completion')
	await page.tap('.choices [role=option] >> nth=0')
	await is(`See [red](/pages/${red})`)
})

test('a picture of the phone is added, and what was written is saved', async () => {
	await begin('# Start\n\nBy touch.\n\n')
	const [chooser] = await Promise.all([page.waitForEvent('filechooser'), (async () => {
		await page.tap('.tools [aria-haspopup=menu]')
		await page.tap('.menu [role=menuitem]:text-matches("picture", "i")')
	})()])
	await chooser.setFiles({ name: 'red house.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') })
	await page.waitForFunction(() => /!\[red house\]\(\/files\/\w+\)/.test(document.querySelector('.CodeMirror').CodeMirror.getValue()))
	await begin(`${(await value()).trimEnd()}\n\n`)
	await compose('Last')
	await write('Last')
	await page.waitForFunction(() => document.querySelector('.CodeMirror').CodeMirror.getValue().endsWith('Last'))
	const text = await value()
	await look('saved')
	await page.tap('.actions .primary')
	await page.waitForURL('**/pages/*?done=saved')
	assert.equal(await written(), text)
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the saved page is not wider than the screen')
	assert.equal(await page.locator('main img').evaluateAll(list => list.filter(i => i.naturalWidth === 1).length), 1)
})
