// Writing pages below /app in a browser: the preview follows the text; what was typed and is not saved is kept in the
// browser and offered again, until the server has it or the person signs out; accessible in both looks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir, OCTAVO_TEST_ORG: org,
	OCTAVO_SHOTS: shots } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let browser, context, page, space, at
const complaints = []

async function api(method, path, body) {
	const answer = await fetch(`${url}/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body) })
	assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
	return answer.json()
}

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Written here' })).id
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })
	await api('POST', `/spaces/${space}/change-requests/${id}/content`, { changes: [{ operation: 'insert_page', title: 'Start', document: { markdown: 'One.\n' } }] })
	await api('POST', `/spaces/${space}/change-requests/${id}/merge`)
	at = `${url}/app/spaces/${space}/pages/${(await api('GET', `/spaces/${space}/content/pages`)).pages[0].id}/edit`
	const { link } = JSON.parse(execFileSync(octavo, ['user', 'invite', '--email', 'writer@example.com', '--name', 'Writer', '--org', org, '--role', 'edit',
		'--dir', dir, '--json'], { env: { ...process.env, OCTAVO_URL: url } }))
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
	context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
	page = await context.newPage()
	page.setDefaultTimeout(20000)
	page.on('console', m => { if (m.type() === 'error') complaints.push(m.text()) })
	page.on('pageerror', e => complaints.push(String(e)))
	await page.goto(link)
	await page.fill('#password', 'correct horse battery')
	await page.click('.primary')
	await page.waitForURL('**/app?done=password')
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const kept = () => page.evaluate(() => Object.keys(localStorage).filter(k => k.startsWith('octavo-text ')).length)

test('the preview follows the text', async () => {
	await page.goto(at)
	await page.fill('#text', '# Start\n\nA **bold** word, <script>alert(1)</script>.\n')
	await page.waitForSelector('#preview strong')
	assert.equal(await page.textContent('#preview strong'), 'bold')
	assert.equal(await page.locator('#preview script').count(), 0)
	await page.fill('#text', '# Start\n\nAn *italic* word.\n')
	await page.waitForSelector('#preview em')
	assert.equal(await page.locator('#preview').count(), 1)
	for (const look of [{ viewport: { width: 1400, height: 900 }, scheme: 'light' }, { viewport: { width: 320, height: 640 }, scheme: 'dark' }]) {
		await page.setViewportSize(look.viewport)
		await page.emulateMedia({ colorScheme: look.scheme })
		await page.evaluate(axe)
		const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
		assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes[0].html}`), [])
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the form is wider than the screen')
		if (shots) await page.screenshot({ path: `${shots}/edit-${look.scheme}.png`, fullPage: true })
	}
	await page.setViewportSize({ width: 1400, height: 900 })
})

test('a text that was not saved is offered again', async () => {
	assert.equal(await kept(), 1)
	await page.goto(`${url}/app`)
	await page.goto(at)
	assert.equal(await page.inputValue('#text'), '# Start\n\nOne.\n')
	await page.goto(`${at.slice(0, -'/edit'.length)}?done=saved`)
	assert.equal(await kept(), 1, 'an address alone deletes no text')
	await page.goto(at)
	await page.click('.notice .btn')
	assert.equal(await page.inputValue('#text'), '# Start\n\nAn *italic* word.\n')
	assert.equal(await page.locator('.notice').count(), 0)
})

test('a text that the server has is kept no longer', async () => {
	await page.click('.primary')
	await page.waitForURL('**/requests/*/pages/*')
	assert.ok((await page.textContent('article')).includes('italic'))
	await page.click('text=Edit')
	await page.waitForURL('**/edit')
	await page.fill('#text', '# Start\n\nTwice.')
	await page.click('.primary')
	await page.waitForURL('**/requests/*/pages/*')
	await page.click('text=Edit')
	await page.waitForURL('**/edit')
	assert.equal(await kept(), 0)
	assert.equal(await page.locator('.notice').count(), 0)
	assert.equal(await page.inputValue('#text'), '# Start\n\nTwice.')
	await page.goto(at)
	assert.equal(await page.locator('.notice').count(), 0, 'a text that is in a change request counts as saved')
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
