// The preview of a whole site with a change request: from the request and from its editor, with its pages and pictures;
// the bar that says so and ends it; accessible in both looks and at three widths; others see what is published.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api, lookAt, org, url, writer } from './writing.mjs'

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let browser, page, complaints, request, site, start

before(async () => {
	const space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Shown before' })).id
	const first = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })).id
	await api('POST', `/spaces/${space}/change-requests/${first}/content`, { changes: [
		{ operation: 'insert_page', title: 'Start', document: { markdown: 'Published words.\n' } },
		{ operation: 'insert_page', title: 'Gone', document: { markdown: 'Words that go.\n' } } ] })
	await api('POST', `/spaces/${space}/change-requests/${first}/merge`)
	const { pages } = await api('GET', `/spaces/${space}/content/pages`)
	start = pages[0].id
	const made = await api('POST', `/orgs/${org}/sites`, { title: 'Shown before', visibility: 'unlisted', spaces: [space] })
	site = (await api('POST', `/orgs/${org}/sites/${made.id}/publish`)).urls.published
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'Platypus & co' })
	await api('POST', `/spaces/${space}/change-requests/${id}/content`, { changes: [
		{ operation: 'insert_files', files: [{ ref: 'dot', name: 'dot.png', base64: DOT }] },
		{ operation: 'update_page', page: start, document: { markdown: 'Words of the draft.\n\n![A dot](./dot)\n' } },
		{ operation: 'insert_page', title: 'Platypus', document: { markdown: 'Only in the draft.\n' } },
		{ operation: 'delete_page', page: pages[1].id } ] })
	request = `${url}/app/spaces/${space}/requests/${id}`
	const person = await writer('previews@example.com', 'Paula Preview', { fine: /status of 404/ })
	browser = person.browser, page = person.page, complaints = person.complaints
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

async function openPreview(address) {
	await page.goto(address)
	const [tab] = await Promise.all([page.waitForEvent('popup'), page.click('a:text-is("Preview the site")')])
	await tab.waitForLoadState()
	return tab
}

test('the whole site is previewed with the change request', async () => {
	const tab = await openPreview(request)
	assert.equal(tab.url(), `${site}platypus`, 'it begins with the first page that changes')
	await tab.click('nav.toc a:text-is("Start")')
	await tab.waitForURL(site)
	assert.match(await tab.textContent('main'), /Words of the draft\./)
	assert.ok(await tab.evaluate(() => document.querySelector('main img').naturalWidth === 1), 'the picture of the draft is shown')
	assert.match(await tab.textContent('.preview'), /#2 Platypus & co .*Search finds what is published\./)
	assert.deepEqual(await tab.locator('nav.toc a:not(.shut)').allTextContents(), ['Start', 'Platypus'])
	await lookAt(tab, 'preview')
	await tab.click('nav.toc a:text-is("Platypus")')
	await tab.waitForURL(`${site}platypus`)
	assert.match(await tab.textContent('main'), /Only in the draft\./)
	assert.ok(await tab.isVisible('.preview'))
	assert.equal((await tab.goto(`${site}gone`)).status(), 404)
	await tab.fill('[role=search] input', 'words')
	await tab.keyboard.press('Enter')
	await tab.waitForURL('**/~search**')
	assert.ok(await tab.isVisible('.preview'))
	const others = await (await fetch(site)).text()
	assert.match(others, /Published words\./)
	assert.ok(!others.includes('Platypus'))
	await tab.click('.preview a:text-is("End the preview")')
	await tab.waitForURL(site)
	assert.match(await tab.textContent('main'), /Published words\./)
	assert.equal(await tab.locator('.preview').count(), 0)
	await tab.close()
})

test('the editor previews its page, which is still open beside it', async () => {
	const edit = `${request}/pages/${start}/edit`
	await page.goto(edit)
	await lookAt(page, 'preview-link', [[1400, 'light'], [320, 'dark']])
	const tab = await openPreview(edit)
	assert.match(await tab.textContent('main'), /Words of the draft\./)
	assert.equal(page.url(), edit)
	await tab.click('.preview a >> nth=0')
	await tab.waitForURL(`**/requests/2`)
	assert.match(await tab.textContent('h1'), /#2 Platypus & co/)
	await tab.close()
})
