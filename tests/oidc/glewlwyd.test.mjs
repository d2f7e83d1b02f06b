// Signing in at Glewlwyd, set up as docs/operate/openid.md says; started by glewlwyd.sh. The tests run in their
// order: each goes on with what the one before it left.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const { OCTAVO_TEST_COMMAND: command, OCTAVO_TEST_DIR: dir, OCTAVO_TEST_ORG: org, OCTAVO_TEST_PROVIDER: provider,
	OCTAVO_TEST_CHAPTER: chapter, OCTAVO_URL: service, OCTAVO_OIDC_ISSUER: issuer, OCTAVO_OIDC_SECRET: secret, OCTAVO_OIDC_NAME: name } = process.env;
const glewlwyd = issuer.replace('/oidc', '');

// ---- the provider, set up over the API that its admin page uses ----

let cookie = '';
async function ask(method, path, body) {
	const answer = await fetch(glewlwyd + path, { method, body: body && JSON.stringify(body),
		headers: { cookie, ...(body && { 'Content-Type': 'application/json' }) } });
	const text = await answer.text();
	assert.equal(answer.status, 200, `${method} ${path}: ${text}`);
	cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') || cookie;
	return text && JSON.parse(text);
}
const key = () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
	return { key: privateKey, cert: publicKey };
};
// The rows "signature" and "PKCE" of the chapter's table; addresses and names with the scopes of the table.
const plugin = () => ({ module: 'oidc', name: 'oidc', display_name: 'OpenID', enabled: true, parameters: {
	iss: issuer, 'jwt-type': 'rsa', 'jwt-key-size': '256', ...key(), 'jwks-show': true, 'subject-type': 'public',
	'access-token-duration': 3600, 'refresh-token-duration': 1209600, 'code-duration': 600, 'refresh-token-rolling': true,
	'auth-type-code-enabled': true, 'pkce-allowed': true, 'pkce-required': true, 'oauth-as-iss-id': true,
	'name-claim': 'on-demand', 'name-claim-scope': ['profile'], 'email-claim': 'on-demand', 'email-claim-scope': ['email'],
	claims: [{ name: 'email_verified', 'user-property': 'email_verified', type: 'boolean', 'boolean-value-true': '1',
		'boolean-value-false': '0', mandatory: false, 'on-demand': false, scope: ['email'] }] } });
const person = (username, email, email_verified) => ask('POST', '/user/?source=database', { username, name: `Name of ${username}`, email,
	email_verified, password: `the password of ${username}`, enabled: true, scope: ['openid', 'email', 'profile', 'g_profile'] });
async function set_up(redirect) {
	await ask('POST', '/auth/', { username: 'admin', password: 'password' });
	await ask('POST', '/mod/plugin/', plugin());
	for (const scope of ['email', 'profile'])
		await ask('POST', '/scope/', { name: scope, display_name: scope, description: scope, password_required: true, password_max_age: 0, scheme: {} });
	const users = await ask('GET', '/mod/user/database');
	users.parameters['data-format'].email_verified = { multiple: false, read: true, write: true, 'profile-read': true, 'profile-write': false };
	await ask('PUT', '/mod/user/database', users);
	await ask('PUT', '/mod/user/database/reset');
	await ask('POST', '/client/?source=database', { client_id: 'octavo', name: 'Octavo', enabled: true, confidential: true, password: secret,
		scope: [], redirect_uri: [redirect], authorization_type: ['code'], token_endpoint_auth_method: ['client_secret_basic'] });
	await person('bob', 'bob@example.com', '1');
	await person('eve', 'eve@acme.example', '1');
	await person('max', 'max@acme.example', '0');
	await person('sue', 'sue@elsewhere.example', '1');
}

// ---- Octavo ----

const with_env = (env) => ({ encoding: 'utf8', env: { ...process.env, ...env } });
const octavo = (...args) => execFileSync(command, [...args, '--dir', dir], { encoding: 'utf8' });
const doctor = (env = {}) => spawnSync(command, ['doctor', '--dir', dir], with_env(env)).stdout;
function restart(env = {}) {
	octavo('down');
	execFileSync(command, ['up', '--dir', dir, '--port', new URL(service).port], with_env(env));
}
// The text of the chapter's row about a message.
const advice = (message) => readFileSync(chapter, 'utf8').split('\n').find((line) => line.startsWith('| `') && line.includes(message));

let browser;
async function visit(fn) {
	const context = await browser.newContext();
	const page = await context.newPage();
	page.setDefaultTimeout(30000);
	try {
		return await fn(page);
	} finally {
		await context.close();
	}
}
// Signs in at Glewlwyd's pages; scopes: those that the person allows to the client, when it asks.
async function at_provider(page, username, scopes) {
	await page.waitForURL(`${new URL(issuer).origin}/**`);
	await page.fill('#username', username);
	await page.fill('#password', `the password of ${username}`);
	await page.click('#loginbut');
	for (const scope of scopes ?? []) await page.check(`#grant-${scope}`);
	if (scopes) await page.click('text=Grant access');
	await page.click('button:has-text("Continue")');
	await page.waitForURL(`${service}/**`);
}
async function sign_in(page, username, scopes) {
	await page.goto(`${service}/app/account`);
	await page.click(`button:has-text("${name}")`);
	await at_provider(page, username, scopes);
}
const said = (page) => page.textContent('.lead');

before(async () => {
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
	await set_up(`${service}/app/provider/return`);
	restart();
});
after(() => browser?.close());

test('octavo doctor asks the provider, and finds that it fits', () => {
	assert.match(doctor(), new RegExp(`^ok +.*${issuer}`, 'm'));
});

test('octavo doctor says what the table says where the issuer is another one', () => {
	rmSync(join(dir, 'cache', 'oidc'), { recursive: true, force: true });
	const told = doctor({ OCTAVO_OIDC_ISSUER: `${issuer}/` });
	assert.match(told, /the provider calls itself ".*", and OCTAVO_OIDC_ISSUER is "/);
	assert.ok(advice('the provider calls itself'));
});

test('somebody who is invited signs in at the provider, and sees their organization', () => visit(async (page) => {
	octavo('user', 'invite', '--email', 'bob@example.com', '--name', 'Bob', '--org', org, '--role', 'read');
	await sign_in(page, 'bob', ['email', 'profile']);
	await page.waitForURL('**/app/account');
	assert.match(await said(page), /bob@example\.com/);
	await page.goto(`${service}/app`);
	assert.match(await page.textContent('main'), /Acme/);
}));

test('they sign in again, also with new keys of the provider', async () => {
	await visit(async (page) => {
		await sign_in(page, 'bob');
		await page.waitForURL('**/app/account');
	});
	await ask('PUT', '/mod/plugin/oidc', plugin());
	await ask('PUT', '/mod/plugin/oidc/reset');
	await visit(async (page) => {
		await sign_in(page, 'bob');
		await page.waitForURL('**/app/account');
		assert.match(await said(page), /bob@example\.com/);
	});
});

test('an address of a domain of an organization gets an account, and may join', () => visit(async (page) => {
	octavo('call', 'PATCH', `/orgs/${org}`, '--user', 'ada@example.com', '--body', JSON.stringify({ emailDomains: ['acme.example'] }));
	await sign_in(page, 'eve', ['email', 'profile']);
	await page.waitForURL('**/app/account');
	assert.equal(await page.inputValue('[name=name]'), 'Name of eve');
	await page.goto(`${service}/app`);
	await page.click('#join button');
	await page.waitForURL('**/app?done=joined');
}));

for (const [who, scopes, message] of [['max', ['email', 'profile'], 'the provider has not verified that'],
	['sue', ['email', 'profile'], 'nobody here has the address']])
	test(`who is refused is told what the table explains: ${message}`, () => visit(async (page) => {
		await sign_in(page, who, scopes);
		assert.match(await said(page), new RegExp(message, 'i'));
		assert.ok(advice(message), 'the chapter has no row about it');
	}));

test('who does not allow the scope email is told what the table explains', () => visit(async (page) => {
	await person('kim', 'kim@acme.example', '1');
	await sign_in(page, 'kim', ['profile']);
	assert.match(await said(page), /the provider tells no email address of you/i);
	assert.ok(advice('the provider tells no email address of you'));
}));

test('somebody who unlinks the person of the provider is refused there, until they link it again', () => visit(async (page) => {
	const link = JSON.parse(octavo('user', 'reset', '--user', 'bob@example.com', '--json')).link;
	await page.goto(link);
	await page.fill('#password', 'five tired horses');
	await page.click('button.primary');
	await page.goto(`${service}/app/account`);
	assert.match(await page.textContent('#identities'), new RegExp(name));
	await page.click('#identities button');
	await page.waitForURL('**done=unlinked**');
	await visit(async (other) => {
		await sign_in(other, 'bob');
		assert.match(await said(other), /you have unlinked this person of the provider/i);
	});
	await page.click('#identities button');
	await page.waitForURL('**done=linked**');
	await visit((other) => sign_in(other, 'bob').then(() => other.waitForURL('**/app/account')));
}));

// Glewlwyd answers 403 without a page.
test('a redirect URI that is not registered is refused by the provider', () => visit(async (page) => {
	const client = await ask('GET', '/client/octavo');
	await ask('PUT', '/client/octavo', { ...client, redirect_uri: ['https://docs.example.com/app/provider/return'] });
	await page.goto(`${service}/app/sign-in`);
	const answer = page.waitForResponse((one) => one.url().startsWith(`${issuer}/auth?`));
	await page.click(`button:has-text("${name}")`);
	assert.equal((await answer).status(), 403);
	await ask('PUT', '/client/octavo', client);
}));

// A secret that needs encoding is sent as RFC 6749 says (section 2.3.1), and Glewlwyd does not decode it.
for (const [what, there, here] of [['a wrong secret', 'another-secret', secret],
	['a secret of characters that the provider does not decode', 'one with blanks', 'one with blanks']])
	test(`${what} is told at sign-in as the table says`, () => visit(async (page) => {
		const client = await ask('GET', '/client/octavo');
		await ask('PUT', '/client/octavo', { ...client, password: there });
		restart({ OCTAVO_OIDC_SECRET: here });
		await sign_in(page, 'bob');
		assert.match(await said(page), /does not take OCTAVO_OIDC_CLIENT with OCTAVO_OIDC_SECRET/i);
		assert.ok(advice('does not take OCTAVO_OIDC_CLIENT with OCTAVO_OIDC_SECRET'));
		await ask('PUT', '/client/octavo', { ...client, password: secret });
		restart();
		// The provider has not taken the code: the same page, loaded again, signs in.
		await page.reload();
		await page.waitForURL('**/app/account');
	}));

test('where the provider is down, passwords keep working', () => visit(async (page) => {
	process.kill(Number(provider));
	rmSync(join(dir, 'cache', 'oidc'), { recursive: true, force: true });
	await page.goto(`${service}/app/account`);
	await page.click(`button:has-text("${name}")`);
	await page.waitForSelector('text=does not answer');
	assert.ok(advice('does not answer'));
	await page.goto(`${service}/app/account`);
	await page.fill('#email', 'bob@example.com');
	await page.click('button.primary');
	await page.fill('#password', 'five tired horses');
	await page.click('button.primary');
	await page.waitForURL('**/app/account');
	assert.match(doctor(), /does not answer/);
}));
