// The pages of signing in at the provider, in a real browser of a phone's width: in and back to the page that was
// wanted, and each way in which it ends otherwise. axe-core checks them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// service, issuer: addresses; set: what the provider answers; forget: what the programs know of it; serve: which
// clients it has.
export function testPages({ service, issuer, set, forget, serve, asAdmin, org }) {
	let browser, visits = 0;
	before(async () => {
		browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
	});
	after(() => browser?.close());

	// A browser whose person at the provider is this one, with a network address of its own.
	async function open(person, fn) {
		const context = await browser.newContext({ viewport: { width: 320, height: 640 },
			extraHTTPHeaders: { 'x-person': person, 'X-Forwarded-For': `198.51.100.${++visits}` } });
		const page = await context.newPage();
		page.setDefaultTimeout(30000);
		try {
			await fn(page, context);
		} finally {
			await context.close();
		}
	}

	async function look_at(page, name) {
		await page.evaluate(axe);
		const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
		assert.deepEqual(violations.map((v) => `${name}: ${v.id}: ${v.nodes[0].html}`), []);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the screen`);
	}

	// The page that leads on to the provider does not, until somebody follows its link.
	const stay = (page) => page.route('**/app/provider', async (route) => {
		const answer = await route.fetch();
		await route.fulfill({ response: answer, body: (await answer.text()).replace(/<meta http-equiv="refresh"[^>]*>/, '') });
	});
	const to_provider = (page) => page.click('form[action$="/app/provider"] button');
	const said = (page) => page.textContent('.lead');

	test('somebody signs in at the provider, and comes back to the page that they wanted', () => open('eve', async (page, context) => {
		await page.goto(`${service}/app/account`);
		await page.waitForURL('**/app/sign-in?to=%2Fapp%2Faccount');
		await look_at(page, 'sign-in with a provider');
		await stay(page);
		await to_provider(page);
		assert.ok((await page.getAttribute('a.primary', 'href')).startsWith(`${issuer}/`));
		await look_at(page, 'on the way to the provider');
		await page.click('a.primary');
		await page.waitForURL('**/app/account');
		assert.match(await said(page), /eve@acme\.example/);
		await look_at(page, 'account');
		const names = (await context.cookies(service)).map((c) => c.name).sort();
		assert.deepEqual(names.filter((name) => /flow|octavo_to/.test(name)), []);
		assert.ok(names.includes('octavo_session'));
	}));

	test('the account shows who signs in to it at the provider, and the only way in cannot be unlinked', () => open('eve', async (page) => {
		await page.goto(`${service}/app/account`);
		await to_provider(page);
		await page.waitForURL('**/app/account');
		assert.match(await page.textContent('#identities'), /eve · first sign-in/);
		await page.click('#identities button');
		await page.waitForURL('**/app/account/identities');
		assert.match(await page.textContent('#identities [role=alert]'), /set a password first/);
		await look_at(page, 'the only way in');
	}));

	test('an address to come back to does not lead away from the pages', () => open('eve', async (page) => {
		await page.goto(`${service}/app/sign-in?to=https://evil.example/`);
		await to_provider(page);
		await page.waitForURL('**/app');
		assert.ok(page.url().startsWith(service));
	}));

	test('who has no account here is told to ask for an invitation', () => open('sue', async (page) => {
		await page.goto(`${service}/app/sign-in`);
		await to_provider(page);
		await page.waitForURL('**/app/provider/return?**');
		assert.match(await said(page), /Nobody here has the address sue@elsewhere\.example: ask an admin for an invitation/);
		await look_at(page, 'no account');
	}));

	test('who cancels at the provider is told so', () => open('eve', async (page) => {
		await page.route(`${issuer}/**`, (route) => {
			const asked = new URL(route.request().url()).searchParams;
			const back = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '', iss: issuer });
			return route.fulfill({ status: 303, headers: { location: `${asked.get('redirect_uri')}?${back}` } });
		});
		await page.goto(`${service}/app/sign-in`);
		await to_provider(page);
		await page.waitForURL('**/app/provider/return?**');
		assert.match(await said(page), /cancelled at the provider/);
		await look_at(page, 'cancelled');
	}));

	test('an answer that this browser did not ask for is refused', () => open('eve', async (page) => {
		const answer = await page.goto(`${service}/app/provider/return?code=stolen&state=foreign`);
		assert.equal(answer.status(), 400);
		await look_at(page, 'not asked for');
		// With a sign-in of its own under way as well: that of somebody else is not taken for it.
		await stay(page);
		await page.goto(`${service}/app/sign-in`);
		await to_provider(page);
		await page.waitForSelector('a.primary');
		const other = await page.goto(`${service}/app/provider/return?code=stolen&state=foreign`);
		assert.equal(other.status(), 400);
		assert.match(await said(page), /another sign-in/);
	}));

	test('a sign-in that the provider did not answer is finished by loading the page again', () => open('eve', async (page) => {
		await page.goto(`${service}/app/account`);
		await set({ token: { status: 500, body: 'x' } });
		await to_provider(page);
		await page.waitForURL('**/app/provider/return?**');
		assert.match(await said(page), /try again in a moment/);
		await set();
		await page.reload();
		await page.waitForURL('**/app/account');
	}));

	test('a colleague signs in at the provider of an organization, and sees what that is valid for', () => open('ray', async (page) => {
		const { body: made } = await asAdmin('POST', `/orgs/${org}/oidc`, { label: 'Acme login', issuer, clientID: 'acme', clientSecret: 's3cret', defaultRole: 'read' });
		await serve({ clients: [{ id: 'acme', secret: 's3cret', redirect: made.service.redirectURI }] });
		await page.goto(`${service}/app/sso/${made.id}?to=/app/account`);
		await look_at(page, 'sign-in of an organization');
		assert.equal(await page.locator('form:has(button.full)').count(), 1);
		await page.click('form:has(button.full) button');
		await page.waitForURL('**/app/account');
		assert.match(await page.textContent('main'), /valid for that organization alone/);
		assert.equal(await page.locator('form[action$="account/tokens"]').count(), 0);
		await look_at(page, 'account for one organization');
		await page.goto(`${service}/app`);
		await page.waitForSelector(`a[href$="/orgs/${org}"]`);
		await look_at(page, 'home for one organization');
		// With this sign-in no account is linked, and without a flow no answer is taken.
		await page.goto(`${service}/app/sso/${made.id}`);
		assert.equal(await page.locator('form:has(button.full)').count(), 1);
		const stolen = await page.goto(`${service}/app/sso/${made.id}/return?code=stolen&state=foreign`);
		assert.equal(stolen.status(), 400);
		await asAdmin('DELETE', `/orgs/${org}/oidc/${made.id}`);
		await serve();
	}));

	test('a provider that is down is told, and the way by password stays', () => open('eve', async (page) => {
		forget();
		await set({ down: true });
		await page.goto(`${service}/app/sign-in`);
		await to_provider(page);
		await page.waitForURL('**/app/provider');
		assert.match(await said(page), /does not work now/);
		await look_at(page, 'provider down');
		await page.goto(`${service}/app/sign-in`);
		assert.ok(await page.isVisible('#email'));
		await set();
		forget();
	}));
}
