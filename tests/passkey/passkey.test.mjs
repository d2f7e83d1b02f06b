// Passkeys as people meet them: added on the page Account, used on the page Sign in; and what is refused.
import { test, before, after } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright-core'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_COMMAND: octavo, OCTAVO_TEST_DIR: dir, OCTAVO_TEST_ORG: org } = process.env
const password = 'correct horse battery'
let browser

before(async () => {
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
})
after(() => browser?.close())

const command = (...words) => JSON.parse(execFileSync(octavo, [...words, '--dir', dir, '--json'], { env: process.env }))

// A browser of its own with a device that has verified its person, and an account of this name with a passkey.
async function open(name, fn) {
	const context = await browser.newContext({ locale: 'en' })
	const page = await context.newPage()
	const complaints = []
	page.setDefaultTimeout(20000)
	page.on('pageerror', e => complaints.push(String(e)))
	const tools = await context.newCDPSession(page)
	await tools.send('WebAuthn.enable')
	const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'internal',
		hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })
	const device = (method, more = {}) => tools.send(`WebAuthn.${method}`, { authenticatorId, ...more })
	try {
		await page.goto(command('user', 'invite', '--email', `${name}@example.com`, '--name', name, '--org', org, '--role', 'read').link)
		await page.fill('#password', password)
		await page.click('.primary')
		await page.waitForURL('**/app?done=password')
		await fn(page, { context, device })
		assert.deepEqual(complaints, [])
	} finally {
		await context.close()
	}
}

async function add(page, name = 'Laptop') {
	await page.goto(`${url}/app/account`)
	await page.fill('#passkey-name', name)
	await page.click('form.passkey button')
	await page.waitForURL('**/account?done=passkey#passkeys')
}

async function leave(page) {
	await page.goto(`${url}/app`)
	await page.click('.quiet')
	await page.waitForURL('**/sign-in?done=out')
}

const enter = page => page.click('form.passkey button')
const refused = async (page, pattern) => {
	await page.waitForURL('**/app/passkey')
	assert.match(await page.textContent('main'), pattern)
}

test('a passkey is added, and signs in without a password', () => open('pia', async page => {
	await add(page)
	assert.match(await page.textContent('#passkeys'), /Laptop.*localhost/s)
	await leave(page)
	await page.goto(`${url}/app/sign-in?to=/app/account`)
	await enter(page)
	await page.waitForSelector('#passkeys')
	assert.match(await page.textContent('main'), /pia@example.com/)
	await leave(page)
	await enter(page)
	await page.waitForURL('**/app')
}))

test('an answer counts once, and only in the browser that was asked', () => open('quinn', async (page, { context }) => {
	await add(page)
	await leave(page)
	let sent
	await page.route('**/app/passkey', async route => { sent = route.request().postData(); await route.continue() })
	const cookie = async () => (await context.cookies()).find(c => c.name.endsWith('octavo_passkey'))
	const flow = await cookie()
	await enter(page)
	await page.waitForURL('**/app')
	await leave(page)
	await page.unroute('**/app/passkey')
	// The form of this page, with what the device answered before: another challenge.
	const again = async () => {
		const csrf = await page.inputValue('form.passkey [name=csrf]')
		const fields = new URLSearchParams(sent)
		fields.set('csrf', csrf)
		return context.request.post(`${url}/app/passkey`, { headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' }, data: String(fields), maxRedirects: 0 })
	}
	let answer = await again()
	assert.equal(answer.status(), 400)
	assert.match(await answer.text(), /another page than the last one/)
	// And with the cookie of then.
	await context.addCookies([flow])
	answer = await again()
	assert.equal(answer.status(), 400)
	assert.match(await answer.text(), /used before/)
	// And without one.
	await context.clearCookies({ name: flow.name })
	assert.ok((await again()).status() >= 400)
}))

test('a counter that went back is refused', () => open('rosa', async (page, { device }) => {
	await add(page)
	await leave(page)
	await enter(page)
	await page.waitForURL('**/app')
	await leave(page)
	const { credentials: [credential] } = await device('getCredentials')
	await device('removeCredential', { credentialId: credential.credentialId })
	await device('addCredential', { credential: { ...credential, signCount: 0 } })
	await enter(page)
	await refused(page, /copy of this passkey/)
}))

test('a device that did not verify its person is refused', () => open('sven', async (page, { device }) => {
	await add(page)
	await leave(page)
	await device('setUserVerified', { isUserVerified: false })
	await enter(page)
	await page.waitForSelector('form.passkey .failed:not([hidden])')
}))

test('a passkey is renamed on the page Account', () => open('wim', async page => {
	await add(page, 'Laptop')
	await add(page, 'Phone')
	const row = name => page.locator('#passkeys li', { hasText: name })
	await row('Laptop').getByLabel('Name of the passkey Laptop').fill('x'.repeat(500))
	await row('Laptop').getByRole('button', { name: 'Rename Laptop' }).click()
	await page.waitForURL('**/account/passkeys/rename')
	assert.match(await row('Laptop').locator('.fault').textContent(), /./)
	assert.equal(await page.locator('#passkeys .fault:visible').count(), 1)
	await row('Laptop').getByRole('textbox').fill('Old laptop')
	await row('Laptop').getByRole('button', { name: 'Rename' }).click()
	await page.waitForURL('**/account?done=renamed#passkeys')
	assert.match(await page.textContent('#passkeys .notice'), /was renamed/)
	assert.deepEqual(await page.locator('#passkeys strong').allTextContents(), ['Phone', 'Old laptop'])
	// The name alone is another one.
	await leave(page)
	await enter(page)
	await page.waitForURL('**/app')
}))

test('a passkey that was deleted signs nobody in', () => open('tara', async page => {
	await add(page)
	await page.getByRole('button', { name: 'Delete Laptop' }).click()
	await page.waitForURL('**/account?done=no-passkey#passkeys')
	await leave(page)
	await enter(page)
	await refused(page, /not of an account here/)
}))

test('a disabled account is not signed in', () => open('ulla', async page => {
	await add(page)
	execFileSync(octavo, ['user', 'disable', '--user', 'ulla@example.com', '--dir', dir], { env: process.env })
	await page.context().clearCookies()
	await page.goto(`${url}/app/sign-in`)
	await enter(page)
	await refused(page, /disabled/)
}))

test('an answer that another origin asked for is refused', () => open('vera', async page => {
	await add(page)
	await leave(page)
	const challenge = await page.getAttribute('form.passkey', 'data-challenge')
	// The client data name the origin: one that is changed is refused before the signature is looked at.
	await page.evaluate(([challenge]) => {
		const form = document.querySelector('form.passkey'), code = text => btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
		const client = { type: 'webauthn.get', challenge: code(challenge), origin: 'http://127.0.0.1:1', crossOrigin: false }
		for (const name of ['credential', 'authenticator', 'signature', 'user']) form.elements.namedItem(name).value = 'AAAA'
		form.elements.namedItem('client').value = code(JSON.stringify(client))
		form.submit()
	}, [challenge])
	await refused(page, /another address than OCTAVO_URL/)
}))
