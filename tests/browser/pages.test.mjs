// Pages of a change request below /app: their properties, their place in the tree by dragging and by the keyboard, and
// what links to a page before it is deleted; accessible in both looks and at three widths.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api, lookAt, org, url, writer } from './writing.mjs'

let browser, page, complaints, space, request, at, ids

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Tree' })).id
	request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })).id
	const written = await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`, { changes: [
		...['Start', 'Second', 'Third'].map(title => ({ operation: 'insert_page', title, ref: title, document: { markdown: `${title} links to [it](Second.md).\n` } })),
		{ operation: 'insert_page', title: 'Below', into: 'Third', document: { markdown: 'Below.\n' } } ] })
	ids = written.changes.map(change => change.page.id)
	at = `${url}/app/spaces/${space}/requests/${request}`
	const person = await writer('pages@example.com', 'Paul Pages', { fine: /status of 400/ })
	browser = person.browser, page = person.page, complaints = person.complaints
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const tree = async () => {
	const outline = pages => pages.map(p => p.pages?.length ? [p.title, outline(p.pages)] : p.title)
	return outline((await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`)).pages)
}
const read = id => api('GET', `/spaces/${space}/change-requests/${request}/content/page/${id}?format=markdown`)

test('the properties of a page are one form', async () => {
	await page.goto(`${at}/pages/${ids[0]}`)
	await page.click('main >> text=Properties')
	await page.fill('#title', 'Begin here')
	await page.fill('#description', 'The first page')
	await page.fill('#icon', 'rocket')
	await page.fill('#condition', 'visitor.claims.beta == true')
	await page.selectOption('#noRobotsIndex', '1')
	await page.setInputFiles('#file', { name: 'day.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') })
	await page.fill('#coverDarkURL', 'https://example.com/night.png')
	await lookAt(page, 'properties')
	await page.click('main .primary')
	await page.waitForURL(`**/pages/${ids[0]}*`)
	const now = await read(ids[0]), { cover } = now
	assert.deepEqual([now.title, now.description, now.icon, now.condition, now.noRobotsIndex, now.hidden ?? false, now.slug],
		['Begin here', 'The first page', 'rocket', 'visitor.claims.beta == true', true, false, 'start'])
	assert.equal(cover.ref.kind, 'file')
	assert.equal(cover.refDark.url, 'https://example.com/night.png')
	/* What others changed meanwhile stays, unless the form changes it, too. */
	await page.click('main >> text=Properties')
	assert.equal(await page.inputValue('#cover'), cover.ref.file)
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [{ operation: 'update_page', page: ids[0], icon: 'book' }] })
	await page.fill('#condition', 'visitor.(')
	await page.click('main .primary')
	await page.waitForSelector('.wrong #condition')
	await page.fill('#condition', '')
	await page.selectOption('#cover', '')
	await page.click('main .primary')
	await page.waitForURL(`**/pages/${ids[0]}*`)
	const then = await read(ids[0])
	assert.deepEqual([then.icon, then.condition, then.cover.ref, then.cover.refDark.url], ['book', undefined, undefined, 'https://example.com/night.png'])
})

test('a page is moved with the keyboard', async () => {
	const press = async key => {
		await page.keyboard.press(`Alt+Shift+${key}`)
		await page.waitForFunction(() => document.querySelector('.tree [role=status]').textContent === '“Second” is moved.')
		await page.evaluate(() => { document.querySelector('.tree [role=status]').textContent = '' })
	}
	await page.focus(`.tree a[href$="${ids[1]}"]`)
	await press('ArrowUp')
	assert.deepEqual(await tree(), ['Second', 'Begin here', ['Third', ['Below']]])
	await press('ArrowDown')
	await press('ArrowRight')
	assert.deepEqual(await tree(), [['Begin here', ['Second']], ['Third', ['Below']]])
	assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Second', 'the page keeps the focus')
	await press('ArrowLeft')
	assert.deepEqual(await tree(), ['Begin here', 'Second', ['Third', ['Below']]])
	await page.keyboard.press('Alt+Shift+ArrowLeft')
	assert.deepEqual(await tree(), ['Begin here', 'Second', ['Third', ['Below']]])
	await lookAt(page, 'tree')
})

test('a page is moved by dragging', async () => {
	const drag = async (from, to, part) => {
		const target = page.locator(`.tree a[href$="${to}"]`), { height } = await target.boundingBox()
		await page.locator(`.tree a[href$="${from}"]`).dragTo(target, { targetPosition: { x: 20, y: height * part } })
		await page.waitForFunction(() => document.querySelector('.tree [role=status]').textContent.endsWith('is moved.'))
		await page.evaluate(() => { document.querySelector('.tree [role=status]').textContent = '' })
	}
	await drag(ids[1], ids[0], 0.1)
	assert.deepEqual(await tree(), ['Second', 'Begin here', ['Third', ['Below']]])
	await drag(ids[1], ids[2], 0.9)
	assert.deepEqual(await tree(), ['Begin here', ['Third', ['Below']], 'Second'])
	await drag(ids[0], ids[2], 0.5)
	assert.deepEqual(await tree(), [['Third', ['Below', 'Begin here']], 'Second'])
})

test('before a page is deleted, its links are listed', async () => {
	await page.goto(`${at}/pages/${ids[1]}`)
	await page.click('text=Delete page')
	assert.deepEqual((await page.locator('main .rows a').allTextContents()).sort(), ['Begin here', 'Third'])
	await lookAt(page, 'deletion')
	await page.click('main .danger')
	await page.waitForURL(`**/requests/${request}`)
	assert.deepEqual(await tree(), [['Third', ['Below', 'Begin here']]])
	await page.goto(`${at}/pages/${ids[2]}`)
	await page.click('text=Delete page')
	assert.ok((await page.textContent('main')).includes('The pages below it are deleted, too.'))
})

test('the properties of a page of the space make a change request', async () => {
	await api('POST', `/spaces/${space}/change-requests/${request}/merge`)
	await page.goto(`${url}/app/spaces/${space}/pages/${ids[2]}`)
	await page.click('main >> text=Properties')
	await page.fill('#title', 'Renamed')
	await page.click('main .primary')
	await page.waitForURL('**/requests/*/pages/*')
	assert.ok(!page.url().includes(request))
	assert.equal((await api('GET', `/spaces/${space}/content/page/${ids[2]}`)).title, 'Third')
	assert.equal(await page.textContent('h1'), 'Renamed')
})

test('a file is replaced and described, and deleted after what uses it was shown', async () => {
	request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'A map' })).id
	const written = await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`, { changes: [
		{ operation: 'insert_files', files: [{ ref: 'map', name: 'map.txt', base64: 'b25l' }] },
		{ operation: 'insert_page', title: 'Ways', document: { markdown: '![](./map)\n' } } ] })
	const file = written.insertedFiles[0].id, own = written.changes[0].page.id
	const now = () => api('GET', `/spaces/${space}/change-requests/${request}/content/files/${file}`)
	await page.goto(`${url}/app/spaces/${space}/requests/${request}`)
	await page.click('main a:text-is("Files")')
	await page.click('main .rows a:text-is("map.txt")')
	await page.waitForSelector('#users')
	assert.deepEqual(await page.locator('#users .rows a').allTextContents(), ['Ways'])
	await page.setInputFiles('#file', { name: 'new.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') })
	await page.fill('#name', 'map.png')
	await page.fill('#description', 'A map of the ways')
	await page.click('main .primary')
	await page.waitForSelector('.notice:has-text("Saved in the change request")')
	assert.deepEqual([(await now()).name, (await now()).dimensions, (await now()).description], ['map.png', { width: 1, height: 1 }, 'A map of the ways'])
	await lookAt(page, 'file')
	await page.goto(`${url}/app/spaces/${space}/requests/${request}/pages/${own}`)
	assert.equal(await page.locator('article img').last().getAttribute('alt'), 'A map of the ways')
	await page.goto(`${url}/app/spaces/${space}/requests/${request}/files`)
	await lookAt(page, 'files-of-a-request')
	await page.click('main .rows a:text-is("map.png")')
	await page.click('main .danger')
	await page.waitForURL(`**/requests/${request}`)
	assert.deepEqual((await api('GET', `/spaces/${space}/change-requests/${request}/content/files`)).items.map(f => f.name), ['day.png'])
})
