// Signing in at the provider of the installation. Each test has a network address of its own, since
// tries are counted by it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, test } from 'node:test';

const { OCTAVO_TEST_COMMAND: command, OCTAVO_TEST_DIR: dir, OCTAVO_TEST_URL: service, OCTAVO_TEST_TOKEN: admin,
	OCTAVO_TEST_ORG: org, OCTAVO_OIDC_ISSUER: issuer, OCTAVO_OIDC_SECRET: secret } = process.env;
const redirect = `${service}/app/provider/return`;
let address = 0, kid, ecKid;

// ---- the provider ----

const control = async (path, body = {}) =>
	(await fetch(`${issuer}/test/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
// What the programs know of the provider may go at any time.
const forget = () => rmSync(join(dir, 'cache', 'oidc'), { recursive: true, force: true });
const set = (answers = {}) => control('set', answers);
const serve = async (more = {}) => ({ kid, ecKid } = await control('serve', { redirect, secret, ...more }));

// ---- the service ----

async function api(method, path, body, headers = {}) {
	const answer = await fetch(`${service}/v1${path}`, { method, body: body && JSON.stringify(body),
		headers: { 'X-Forwarded-For': `192.0.2.${address}`, ...(body && { 'Content-Type': 'application/json' }), ...headers } });
	const text = await answer.text();
	return { status: answer.status, headers: answer.headers, ...(text && { body: JSON.parse(text) }) };
}
const asAdmin = (method, path, body) => api(method, path, body, { Authorization: `Bearer ${admin}` });
const inSession = (s, method, path, body) => api(method, path, body,
	{ Cookie: `${s.cookie}=${s.secret}`, 'X-CSRF-Token': s.csrf, Origin: new URL(service).origin });
const begin = async () => (await api('POST', '/sign-in/provider')).body;
const finish = (body) => api('POST', '/sign-in/provider/return', body);

// A browser of its own signs in at the provider as that person: what it brings back.
async function visit(person, { url, flow }) {
	const cookies = new Map();
	for (let at = url, hops = 0; hops < 10; hops++) {
		const answer = await fetch(at, { redirect: 'manual', headers: { 'x-person': person,
			cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } });
		for (const line of answer.headers.getSetCookie()) {
			const [name, value] = line.split(';')[0].split('=');
			cookies.set(name, value);
		}
		const next = answer.headers.get('location');
		if (next === null) return { stayed: answer.status, text: await answer.text() };
		at = new URL(next, at).href;
		if (at.startsWith(redirect)) return { flow, ...Object.fromEntries(new URL(at).searchParams) };
	}
	assert.fail('the provider redirects for ever');
}
const signIn = async (person) => finish(await visit(person, await begin()));

// ---- tokens of the test's own ----

const now = () => Math.floor(Date.now() / 1000);

// Begins, and comes back with a token that was signed as told. change(claims, header) -> the key's name.
async function forged(change, answers = {}) {
	const started = await begin(), query = new URL(started.url).searchParams;
	const claims = { iss: issuer, aud: 'octavo', sub: 'forged', nonce: query.get('nonce'), iat: now(), exp: now() + 60,
		email: 'forged@acme.example', email_verified: true };
	const header = { alg: 'RS256', kid };
	const key = change(claims, header) ?? 'rsa';
	await set({ token: { header, claims, key }, ...answers });
	return finish({ flow: started.flow, state: query.get('state'), code: 'any', iss: issuer });
}

const message = (answer) => answer.body?.error?.message ?? '';
function refused(answer, status, pattern) {
	assert.equal(answer.status, status, JSON.stringify(answer.body));
	assert.match(message(answer), pattern);
}

before(async () => {
	await serve();
	await asAdmin('PATCH', `/orgs/${org}`, { emailDomains: ['acme.example'] });
});
beforeEach(async () => {
	address++;
	await set();
});

// ---- in, out, again ----

test('a person with an address of an organization gets an account, joins, signs out and in again', async () => {
	const first = await signIn('eve');
	assert.equal(first.status, 201, JSON.stringify(first.body));
	assert.equal(first.body.way, 'provider');
	const user = (await inSession(first.body, 'GET', '/user')).body;
	assert.equal(user.email, 'eve@acme.example');
	assert.equal(user.displayName, 'Eve of Acme');
	assert.equal((await inSession(first.body, 'POST', `/orgs/${org}/join`)).status, 204);
	assert.equal((await inSession(first.body, 'DELETE', '/user/sessions/current')).status, 204);
	assert.equal((await inSession(first.body, 'GET', '/user')).status, 401);
	const again = await signIn('eve');
	assert.equal(again.status, 201);
	assert.equal(again.body.user, first.body.user);
	assert.notEqual(again.body.secret, first.body.secret);
	// A disabled member may sign in, and stays disabled.
	execFileSync(command, ['member', 'disable', '--dir', dir, '--org', org, '--user', user.id]);
	assert.equal((await inSession(again.body, 'GET', '/user')).status, 401);
	const third = await signIn('eve');
	assert.equal(third.status, 201);
	assert.equal((await inSession(third.body, 'GET', `/orgs/${org}`)).status, 404);
	assert.equal((await inSession(third.body, 'POST', `/orgs/${org}/join`)).status, 404);
});

test('a verified address finds the account that has it, and then the person is known by the subject', async () => {
	const first = await signIn('ada'), me = (await asAdmin('GET', '/user')).body;
	assert.equal(first.status, 201, JSON.stringify(first.body));
	assert.equal(first.body.user, me.id);
	const events = (await asAdmin('GET', `/orgs/${org}/audit-events?action=identity.linked`)).body;
	assert.equal(events.items.length, 1);
	// The same subject with another address, and none at all.
	for (const email of ['else@nowhere.example', undefined]) {
		const answer = await forged((claims) => Object.assign(claims, { sub: 'ada', email }) && 'rsa');
		assert.equal(answer.status, 201, JSON.stringify(answer.body));
		assert.equal(answer.body.user, me.id);
	}
});

test('an account that an admin made for somebody is theirs once the provider has verified the address', async () => {
	execFileSync(command, ['user', 'create', '--dir', dir, '--email', 'dan@example.com', '--name', 'Dan']);
	assert.equal((await signIn('dan')).status, 201);
});

test('whoever unlinks a person of the provider is signed in as them no more, until they link them again', async () => {
	execFileSync(command, ['user', 'create', '--dir', dir, '--email', 'uma@example.com', '--name', 'Uma']);
	const first = (await signIn('uma')).body, elsewhere = (await signIn('uma')).body;
	const { items: [one] } = (await inSession(first, 'GET', '/user/identities')).body;
	assert.deepEqual([one.issuer, one.subject, one.label, one.linked], [issuer, 'uma', issuer, true]);
	const change = (s, linked) => inSession(s, 'PATCH', `/user/identities/${one.id}`, { linked });
	refused(await change(first, false), 409, /set a password first/);
	assert.equal((await signIn('uma')).status, 201);
	const own = (await inSession(first, 'PUT', '/user/password', { password: 'five tired horses' })).body;
	assert.equal((await change(own, false)).status, 200);
	assert.equal((await inSession(elsewhere, 'GET', '/user')).status, 401);
	// The provider has verified the address; nevertheless, and the account's owner sees the try.
	refused(await signIn('uma'), 403, /unlinked .* sign in with your password, and link it again/);
	const events = JSON.parse(execFileSync(command, ['audit', '--dir', dir, '--target', own.user, '--json'], { encoding: 'utf8' }));
	assert.deepEqual(events.map((e) => e.action).filter((a) => /identity|refused/.test(a)), ['identity.linked', 'identity.unlinked', 'session.refused']);
	assert.equal((await change(own, true)).status, 200);
	assert.equal((await signIn('uma')).body.user, own.user);
});

test('the UserInfo endpoint is asked where the token has no address', async () => {
	await serve({ inToken: false });
	const answer = await signIn('ray');
	assert.equal(answer.status, 201, JSON.stringify(answer.body));
	assert.equal((await inSession(answer.body, 'GET', '/user')).body.email, 'ray@acme.example');
	const bare = (claims) => { delete claims.email; };
	refused(await forged(bare, { userinfo: { sub: 'another', email: 'ada@example.com', email_verified: true } }), 401, /another person/);
	// Whether it is verified and the address come from one place.
	refused(await forged(bare, { userinfo: { sub: 'forged', email: 'ada@example.com' } }), 403, /has not verified/);
	await serve();
});

// ---- who may not ----

test('an address that the provider has not verified signs nobody in, and its owner sees the try', async () => {
	const tries = async () => (await asAdmin('GET', `/orgs/${org}/audit-events?action=session.refused`)).body.items;
	const before = (await tries()).length;
	refused(await signIn('ann'), 403, /has not verified that ada@example.com is your address/);
	refused(await signIn('max'), 403, /has not verified/);
	assert.equal((await tries()).length, before + 1);
});

test('a person without an account and without an address of an organization is told to ask for an invitation', async () => {
	refused(await signIn('sue'), 403, /nobody here has the address sue@elsewhere.example: ask an admin for an invitation/);
	refused(await signIn('nil'), 403, /tells no email address/);
	refused(await forged((claims) => { claims.email = 'no address'; }), 403, /tells no email address/);
	// The id of an account is no address of it.
	const me = (await asAdmin('GET', '/user')).body.id;
	refused(await forged((claims) => { claims.email = me; }), 403, /tells no email address/);
});

// ---- codes, flows, states ----

test('a sign-in counts once, and its code as well', async () => {
	const back = await visit('eve', await begin());
	assert.equal((await finish(back)).status, 201);
	refused(await finish(back), 400, /used before/);
	const other = await begin();
	refused(await finish({ ...back, flow: other.flow, state: new URL(other.url).searchParams.get('state') }), 401,
		/does not know the code/);
});

test('two tries at the same time with one flow sign in once', async () => {
	const back = await visit('eve', await begin());
	// 503: no place to ask the provider was free; then the flow was not used, and the browser tries again.
	const insist = async () => {
		let answer = await finish(back);
		for (let n = 0; answer.status === 503 && n < 50; n += 1) answer = await finish(back);
		return answer.status;
	};
	assert.deepEqual((await Promise.all([insist(), insist(), insist()])).sort(), [201, 400, 400]);
	refused(await finish(back), 400, /used before/);
});

test('an answer counts only in the browser in which the sign-in began', async () => {
	const mine = await begin(), theirs = await visit('eve', await begin());
	refused(await finish({ ...theirs, flow: mine.flow }), 400, /another sign-in/);
	refused(await finish({ ...theirs, state: 'foreign' }), 400, /another sign-in/);
	refused(await finish({ ...theirs, flow: 'x' }), 400, /older than ten minutes, or began in another browser/);
	refused(await finish({ ...theirs, flow: `${theirs.flow.slice(0, -2)}AA` }), 400, /another browser/);
	refused(await finish({ ...theirs, flow: undefined }), 400, /flow/);
	assert.equal((await finish(theirs)).status, 201);
});

test('an answer of another issuer, or of none, is refused', async () => {
	const back = await visit('eve', await begin());
	refused(await finish({ ...back, iss: 'https://evil.example' }), 400, /another provider/);
	refused(await finish({ ...back, iss: `${issuer}/` }), 400, /another provider/);
	refused(await finish({ ...back, iss: undefined }), 400, /another provider/);
	assert.equal((await finish(back)).status, 201);
});

test('an error of the provider is told', async () => {
	const { flow, url } = await begin(), state = new URL(url).searchParams.get('state');
	refused(await finish({ flow, state, iss: issuer, error: 'access_denied' }), 403, /cancelled/);
	refused(await finish({ flow, state, iss: issuer, error: 'server_error' }), 403, /server_error/);
	refused(await finish({ flow, state, iss: issuer }), 400, /code/);
	refused(await finish({ flow, state: 'foreign', iss: issuer, error: 'access_denied' }), 400, /another sign-in/);
});

test('the browser is sent to the provider and back to this installation, whatever Host and query say', async () => {
	const started = (await api('POST', '/sign-in/provider?redirect_uri=https://evil.example', undefined,
		{ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })).body ?? await begin();
	const url = new URL(started.url);
	assert.equal(url.origin, issuer);
	assert.equal(url.searchParams.get('redirect_uri'), redirect);
	assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
	for (const away of ['https://evil.example/', `${redirect}/../else`, `${redirect}?x`, `${redirect}@evil.example`]) {
		url.searchParams.set('redirect_uri', away);
		const back = await visit('eve', { url: url.href, flow: '' });
		assert.equal(back.stayed, 400, away);
	}
});

// ---- tokens ----

const minutes = (n) => (claims) => Object.assign(claims, { iat: now() + 60 * n, exp: now() + 60 * n + 3600 }) && 'rsa';
const ends = (n) => (claims) => Object.assign(claims, { iat: now() - 3600, exp: now() + 60 * n }) && 'rsa';
const tokens = [
	['signed by the provider', () => 'rsa', null],
	['by PS256, by the one key that fits', (_c, h) => { h.alg = 'PS256'; delete h.kid; }, null],
	['by ES256', (_c, h) => Object.assign(h, { alg: 'ES256', kid: ecKid }) && 'ec', null],
	['by a clock four minutes ahead', minutes(4), null],
	['by a clock six minutes ahead', minutes(6), /from the future/],
	['that ended four minutes ago', ends(-4), null],
	['that ended six minutes ago', ends(-6), /expired/],
	['without an end', (c) => { delete c.exp; }, /when it was made and ends/],
	['without its time', (c) => { delete c.iat; }, /when it was made and ends/],
	['that is valid later', (c) => { c.nbf = now() + 360; }, /from the future/],
	['without a signature', (_c, h) => Object.assign(h, { alg: 'none' }) && 'none', /signed by "none"/],
	['without a signature, as None', (_c, h) => Object.assign(h, { alg: 'None' }) && 'none', /signed by "None"/],
	['with an empty signature by RS256', () => 'none', /signature is not valid/],
	['by HS256 with the public key', (_c, h) => Object.assign(h, { alg: 'HS256' }) && 'hmac', /signed by "HS256"/],
	['by HS256 with the client secret', (_c, h) => Object.assign(h, { alg: 'HS256' }) && 'empty', /signed by "HS256"/],
	['by RS512', (_c, h) => { h.alg = 'RS512'; }, /signed by "RS512"/],
	['by another key under the name of the right one', () => 'stranger', /signature is not valid/],
	['by a key that nobody knows', (_c, h) => Object.assign(h, { kid: 'unknown' }) && 'stranger', /none of the provider's keys/],
	['by a key inside of it', (_c, h) => Object.assign(h, { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }) && 'stranger', /not valid/],
	['with an extension that must be understood', (_c, h) => { h.crit = ['b64']; h.b64 = false; }, /demands an extension/],
	['of another purpose', (_c, h) => { h.typ = 'at+jwt'; }, /another purpose/],
	['of another issuer', (c) => { c.iss = 'https://evil.example'; }, /another issuer/],
	['of the issuer with a slash', (c) => { c.iss = `${issuer}/`; }, /another issuer/],
	['for another client', (c) => { c.aud = 'other'; }, /another client \(aud\)/],
	['for nobody', (c) => { delete c.aud; }, /another client \(aud\)/],
	['for several clients, made for ours', (c) => Object.assign(c, { aud: ['other', 'octavo'], azp: 'octavo' }) && 'rsa', null],
	['for several clients, made for none', (c) => { c.aud = ['octavo', 'other']; }, /azp/],
	['for ours, made for another', (c) => { c.azp = 'other'; }, /azp/],
	['of another sign-in', (c) => { c.nonce = 'other'; }, /another sign-in \(nonce\)/],
	['without a nonce', (c) => { delete c.nonce; }, /another sign-in \(nonce\)/],
	['without a subject', (c) => { delete c.sub; }, /names no person/],
	['with a subject that is no text', (c) => { c.sub = 7; }, /names no person/],
];
test('an ID token', async (t) => {
	for (const [i, [name, change, pattern]] of tokens.entries())
		await t.test(`${name} ${pattern === null ? 'signs in' : 'is refused'}`, async () => {
			// Ten of them from one address are tries enough.
			address = 100 + Math.floor(i / 10);
			const answer = await forged(change);
			if (pattern === null) assert.equal(answer.status, 201, JSON.stringify(answer.body));
			else refused(answer, 401, pattern);
		});
	address = 20;
});

test('algorithms count as the provider announces them, and with keys of their kind', async () => {
	const discovery = { id_token_signing_alg_values_supported: ['PS256', 'ES256', 'HS256', 'none'] };
	const ask = async (change, more = {}) => {
		forget();
		await set({ discovery });
		const answer = await forged(change, { discovery, ...more });
		return answer;
	};
	assert.equal((await ask((_c, h) => { h.alg = 'PS256'; })).status, 201);
	assert.equal((await ask((_c, h) => Object.assign(h, { alg: 'ES256', kid: ecKid }) && 'ec')).status, 201);
	refused(await ask(() => 'rsa'), 401, /signed by "RS256"/);
	refused(await ask((_c, h) => Object.assign(h, { alg: 'HS256' }) && 'hmac'), 401, /signed by "HS256"/);
	refused(await ask((_c, h) => Object.assign(h, { alg: 'PS256', kid: 'named-0' }) && 'weak', { keys: { keys: [], named: ['weak'] } }),
		401, /damaged or too small/);
	refused(await ask((_c, h) => Object.assign(h, { alg: 'ES256', kid: 'named-0' }) && 'wide', { keys: { keys: [], named: ['wide'] } }),
		401, /none of the provider's keys/);
	refused(await ask((_c, h) => Object.assign(h, { alg: 'PS256', kid: 'named-0' }) && 'stranger',
		{ keys: { keys: [], named: ['stranger'], more: { use: 'enc' } } }), 401, /none of the provider's keys/);
	refused(await ask((_c, h) => { h.alg = 'PS256'; delete h.kid; }, { keys: { keys: [], named: ['stranger', 'weak'] } }), 401,
		/which of the provider's keys/);
	forget();
});

test('keys are fetched again when the provider has new ones, and once for a key that nobody knows', async () => {
	assert.equal((await signIn('eve')).status, 201);
	await serve();
	await set();
	assert.equal((await signIn('eve')).status, 201);
	const asked = await (await fetch(`${issuer}/test/seen`)).json();
	assert.equal(asked['/jwks'], 1);
	assert.equal(asked['/.well-known/openid-configuration'], undefined);
	refused(await forged((_c, h) => Object.assign(h, { kid: 'unknown' }) && 'stranger'), 401, /none of the provider's keys/);
	assert.equal((await (await fetch(`${issuer}/test/seen`)).json())['/jwks'], 1);
});

// ---- a provider that is down, or another than was set ----

test('a provider that is down is 503, at each step, and is not asked by everybody who tries', async () => {
	const back = await visit('eve', await begin());
	await set({ down: true });
	refused(await finish(back), 503, /does not work now.*try again/);
	forget();
	for (let i = 0; i < 3; i++) refused(await api('POST', '/sign-in/provider'), 503, /does not work now: the provider does not answer/);
	const asked = await (await fetch(`${issuer}/test/seen`)).json();
	assert.equal(asked['/.well-known/openid-configuration'], 1);
	forget();
	await set();
	assert.equal((await signIn('eve')).status, 201);
	for (const [token, status, pattern] of [[{ status: 500, body: 'x' }, 503, /does not work now/],
		[{ status: 200, body: 'x' }, 503, /no JSON object/], [{ status: 200, body: {} }, 503, /no ID token/],
		[{ status: 400, body: { error: 'invalid_grant' } }, 401, /does not know the code/],
		[{ status: 401, body: { error: 'invalid_client' } }, 503, /admin of this installation.*invalid_client/],
		[{ status: 200, body: { id_token: 'a.b' } }, 401, /no signed token/],
		[{ status: 200, body: 'x'.repeat(300000) }, 503, /does not work now/]]) {
		const { flow, url } = await begin();
		await set({ token });
		refused(await finish({ flow, state: new URL(url).searchParams.get('state'), iss: issuer, code: 'any' }), status, pattern);
	}
});

test('a sign-in that the provider did not answer is tried again with the same answer of the browser', async () => {
	const back = await visit('eve', await begin());
	for (const token of [{ status: 500, body: 'x' }, { status: 401, body: { error: 'invalid_client' } }]) {
		await set({ token });
		refused(await finish(back), 503, /does not work/);
	}
	await set();
	assert.equal((await finish(back)).status, 201);
	refused(await finish(back), 400, /used before/);
});

test('a description of another issuer, or with addresses that lead away, is refused', async () => {
	for (const [discovery, pattern] of [[{ issuer: `${issuer}/` }, /they must be the same, to the last slash/],
		[{ issuer: 'https://evil.example' }, /they must be the same/], [{ issuer: null }, /they must be the same/],
		[{ token_endpoint: 'http://evil.example/token' }, /it is not https/],
		[{ token_endpoint: 'file:///etc/passwd' }, /token_endpoint is refused/],
		[{ authorization_endpoint: 'javascript:alert(1)' }, /authorization_endpoint is refused/],
		[{ authorization_endpoint: null }, /names no authorization_endpoint/],
		[{ jwks_uri: 'https://user:word@evil.example/' }, /jwks_uri is refused/],
		[{ id_token_signing_alg_values_supported: ['HS256', 'none'] }, /signs with none of/],
		[{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, /neither by client_secret_basic/]]) {
		forget();
		await set({ discovery });
		refused(await api('POST', '/sign-in/provider'), 503, pattern);
	}
	// A private address that is not the issuer's own is not asked.
	forget();
	await set({ discovery: { jwks_uri: 'https://127.0.0.2/jwks' } });
	refused(await forged(() => 'rsa', { discovery: { jwks_uri: 'https://127.0.0.2/jwks' } }), 503, /127\.0\.0\.2/);
	forget();
});

test('tries are counted by the network address', async () => {
	address = 30;
	const statuses = [];
	for (let i = 0; i < 70; i += 10)
		statuses.push(...await Promise.all(Array.from({ length: 10 }, async () => (await finish({ flow: 'x', state: 'x' })).status)));
	assert.equal(statuses.filter((status) => status === 400).length >= 60, true);
	assert.equal(statuses.at(-1), 429);
	address = 31;
	assert.equal((await signIn('eve')).status, 201);
});

test('people of one network who sign in use up no tries of others there', async () => {
	address = 32;
	for (let i = 0; i < 58; i++) refused(await finish({ flow: 'x', state: 'x' }), 400, /older than/);
	for (let i = 0; i < 6; i++) assert.equal((await signIn('eve')).status, 201);
});

test('neither secrets nor tokens are in logs and files', async () => {
	const files = [];
	const walk = (folder) => {
		for (const entry of readdirSync(folder, { withFileTypes: true }))
			if (entry.isDirectory()) walk(join(folder, entry.name));
			else if (entry.isFile()) files.push(join(folder, entry.name));
	};
	walk(join(dir, 'log'));
	walk(join(dir, 'cache'));
	for (const file of files) {
		const text = readFileSync(file, 'latin1');
		assert.equal(text.includes(secret), false, file);
		assert.equal(/ocv_|ocn_|eyJ/.test(text), false, file);
	}
});

// ---- organizations and pages ----

// Last, and one after the other with the tests above: they have one provider.
const { testOrganizations } = await import('./organizations.mjs');
testOrganizations({ api, asAdmin, inSession, control, set, serve, now, issuer, service, refused, command, dir, org, admin });
const { testPages } = await import('./pages.mjs');
testPages({ service, issuer, set, forget, serve, asAdmin, org });
