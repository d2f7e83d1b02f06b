// Signing in at the provider of an organization: whose word counts where, who becomes a member, and each refusal.
// Two organizations have the same issuer, with a client each.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

export function testOrganizations({ api, asAdmin, inSession, control, set, serve, now, issuer, service, refused, command, dir, org, admin }) {
	const first = {}, second = {};
	let team, keys;
	const octavo = (...args) => execFileSync(command, [...args, '--dir', dir], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	const ok = (answer, status = 200) => {
		assert.equal(answer.status, status, JSON.stringify(answer.body));
		return answer.body;
	};

	async function prepare(p, organization, id, body) {
		Object.assign(p, { org: organization, client: id, secret: `secret of ${id}` });
		p.made = ok(await asAdmin('POST', `/orgs/${organization}/oidc`, { label: `${id} login`, issuer, clientID: id, clientSecret: p.secret, ...body }), 201);
		p.id = p.made.id;
		p.redirect = p.made.service.redirectURI;
	}
	// The command of the manual's section, with the values of this provider.
	function by_chapter(p) {
		const chapter = readFileSync(new URL('../../docs/people/sign-in.md', import.meta.url), 'utf8');
		const section = chapter.slice(chapter.indexOf('## Single sign-on of an organization by OpenID'));
		const values = { 'https://docs.example.com': service, '/ORG/': `/${org}/`, TOKEN: admin, 'https://id.example.com': issuer, '"octavo"': `"${p.client}"`, 'the secret': p.secret };
		let line = section.match(/```sh\n([^]*?)```/)[1];
		for (const [theirs, ours] of Object.entries(values)) {
			assert.ok(line.includes(theirs), `the section's command has ${theirs}`);
			line = line.replaceAll(theirs, ours);
		}
		return JSON.parse(execFileSync('sh', ['-c', `${line.trim()} -s`], { encoding: 'utf8' }));
	}

	// A test and no hook: hooks run before the tests of the installation's provider, which serve another one.
	test('organization: an admin adds a provider with four fields', async () => {
		second.org = ok(await asAdmin('POST', '/orgs', { title: 'Second' }), 201).id;
		team = ok(await asAdmin('PUT', `/orgs/${org}/teams`, { title: 'Newcomers' }), 201).id;
		Object.assign(first, { org, client: 'acme', secret: 'secret of acme' });
		first.made = by_chapter(first);
		assert.equal(first.made.status, 'active', JSON.stringify(first.made));
		first.id = first.made.id;
		first.redirect = first.made.service.redirectURI;
		assert.deepEqual(first.made.service, { redirectURI: `${service}/app/sso/${first.id}/return`, startURL: `${service}/app/sso/${first.id}` });
		// What the section says for later.
		ok(await asAdmin('PATCH', `/orgs/${org}/oidc/${first.id}`, { label: 'acme login', defaultRole: 'comment', defaultTeam: team }));
		await prepare(second, second.org, 'second', {});
		keys = await serve({ clients: [first, second].map((p) => ({ id: p.client, secret: p.secret, redirect: p.redirect })) });
	});

	// ---- a browser ----

	const begin = async (p) => ok(await api('POST', `/sign-in/sso/${p.id}`));
	const finish = (p, body) => api('POST', `/sign-in/sso/${p.id}/return`, body);

	// A browser of its own signs in at the provider as that person: what it brings back.
	async function visit(p, person, { url, flow }) {
		const cookies = new Map();
		for (let at = url, hops = 0; hops < 10; hops++) {
			const answer = await fetch(at, { redirect: 'manual', headers: { 'x-person': person,
				cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } });
			for (const line of answer.headers.getSetCookie()) {
				const [name, value] = line.split(';')[0].split('=');
				cookies.set(name, value);
			}
			const next = answer.headers.get('location');
			assert.notEqual(next, null, await answer.text());
			at = new URL(next, at).href;
			if (at.startsWith(p.redirect)) return { flow, ...Object.fromEntries(new URL(at).searchParams) };
		}
		assert.fail('the provider redirects for ever');
	}
	const signIn = async (p, person) => finish(p, await visit(p, person, await begin(p)));

	// Begins, and comes back with a token that was signed as told. change(claims, header) -> the key's name.
	async function forged(p, change, answers = {}) {
		const started = await begin(p), query = new URL(started.url).searchParams;
		const claims = { iss: issuer, aud: p.client, sub: 'forged', nonce: query.get('nonce'), iat: now(), exp: now() + 60 };
		const header = { alg: 'RS256', kid: keys.kid };
		const key = change(claims, header) ?? 'rsa';
		await set({ token: { header, claims, key }, ...answers });
		return finish(p, { flow: started.flow, state: query.get('state'), code: 'any', iss: issuer });
	}

	// A session of the account, by a link of the command.
	async function password(email) {
		const { link } = JSON.parse(octavo('user', 'reset', '--user', email, '--json'));
		return ok(await api('POST', '/sign-in/link', { link: link.replace(/.*link=/, ''), password: 'five tired horses' }), 201);
	}
	const member = async (user, p = first) => (await asAdmin('GET', `/orgs/${p.org}/members/${user}`)).body;
	const events = async (action, p = first) => (await asAdmin('GET', `/orgs/${p.org}/audit-events?action=${action}`)).body.items;

	// ---- in, out, again ----

	test('organization: a colleague who is new becomes a member with the role and the team, and nothing else', async () => {
		const shown = ok(await api('GET', `/sign-in/sso/${first.id}`));
		assert.deepEqual([shown.label, shown.organization], ['acme login', org]);
		const s = ok(await signIn(first, 'sue'), 201);
		assert.deepEqual([s.way, s.organization, s.proof], ['provider', org, '']);
		const user = ok(await inSession(s, 'GET', '/user'));
		assert.deepEqual([user.email, user.displayName, user.organization], ['sue@elsewhere.example', 'Sue', org]);
		const m = await member(user.id);
		assert.deepEqual([m.role, m.disabled, m.sso, m.teams], ['comment', false, false, 1]);
		assert.deepEqual(ok(await asAdmin('GET', `/orgs/${org}/teams/${team}/members`)).items.map((one) => one.organization.user.id), [user.id]);
		assert.deepEqual(ok(await inSession(s, 'GET', '/orgs')).items.map((o) => o.id), [org]);
		assert.deepEqual(ok(await asAdmin('GET', `/orgs/${org}/members?search=sue@elsewhere`)).items.map((one) => one.id), [user.id]);
		// The address opens nothing: no other organization, no password, no account of the installation's provider.
		ok(await asAdmin('PATCH', `/orgs/${second.org}`, { emailDomains: ['elsewhere.example'] }));
		refused(await inSession(s, 'POST', `/orgs/${second.org}/join`), 404, /./);
		refused(await inSession(s, 'POST', '/user/tokens', { scope: 'read' }), 403, /that organization alone/);
		refused(await api('POST', '/sign-in', { email: 'sue@elsewhere.example', password: 'five tired horses' }), 401, /./);
		assert.throws(() => octavo('user', 'reset', '--user', 'sue@elsewhere.example'));
		ok(await asAdmin('PATCH', `/orgs/${second.org}`, { emailDomains: [] }));
		// Out, and in again.
		assert.equal((await inSession(s, 'DELETE', '/user/sessions/current')).status, 204);
		assert.equal((await inSession(s, 'GET', '/user')).status, 401);
		const again = ok(await signIn(first, 'sue'), 201);
		assert.equal(again.user, s.user);
		assert.notEqual(again.secret, s.secret);
		assert.equal((await events('member.joined')).filter((e) => e.target?.id === user.id || e.target === user.id || JSON.stringify(e).includes(user.id)).length, 1);
	});

	test('organization: the same person of another organization\'s provider is somebody else', async () => {
		const a = ok(await signIn(first, 'sue'), 201), b = ok(await signIn(second, 'sue'), 201);
		assert.notEqual(a.user, b.user);
		assert.equal((await member(b.user, second)).role, null);
		assert.equal((await inSession(b, 'GET', `/orgs/${org}`)).status, 404);
		assert.equal((await inSession(a, 'GET', `/orgs/${second.org}`)).status, 404);
		// Nothing of one organization's sign-ins is recorded in the other.
		assert.deepEqual((await events('session.created', second)).filter((e) => JSON.stringify(e).includes(a.user)), []);
	});

	test('organization: an address opens no account that exists, whatever the provider says', async () => {
		const me = ok(await asAdmin('GET', '/user'));
		const s = ok(await signIn(second, 'ada'), 201);
		assert.notEqual(s.user, me.id);
		const apart = ok(await inSession(s, 'GET', '/user'));
		assert.equal(apart.email, 'ada@example.com');
		assert.equal((await member(s.user, second)).role, null);
		// An admin of the organization cannot name the account by that address, nor does anything else.
		assert.equal((await member(me.id, second)).role, 'admin');
		// An address that is not verified is not even shown.
		const ann = ok(await signIn(second, 'ann'), 201);
		assert.equal(ok(await inSession(ann, 'GET', '/user')).email, undefined);
	});

	test('organization: a member with sso is found by a verified address, for this organization alone', async () => {
		ok(await asAdmin('POST', `/orgs/${org}/invites`, { emails: ['ivo@example.com'], role: 'edit', sso: true }));
		const invited = ok(await asAdmin('GET', `/orgs/${org}/members?search=ivo@example`)).items[0].id;
		refused(await signIn(first, 'ivx'), 403, /has not verified that ivo@example.com is your address/);
		assert.equal((await events('session.refused')).filter((e) => JSON.stringify(e).includes(invited)).length, 1);
		const s = ok(await signIn(first, 'ivo'), 201);
		assert.equal(s.user, invited);
		assert.deepEqual([(await member(invited)).role, s.organization], ['edit', org]);
		// Later the account belongs to another organization, too, which the provider does not open.
		ok(await asAdmin('POST', `/orgs/${second.org}/invites`, { emails: ['ivo@example.com'], role: 'admin' }));
		const later = ok(await signIn(first, 'ivo'), 201);
		assert.equal((await inSession(later, 'GET', `/orgs/${second.org}`)).status, 404);
		assert.deepEqual(ok(await inSession(later, 'GET', '/orgs')).items.map((o) => o.id), [org]);
		// And the other organization's provider does not know the account.
		assert.notEqual(ok(await signIn(second, 'ivo'), 201).user, invited);
	});

	test('organization: a member who is disabled stays so, and one who was removed is new', async () => {
		const s = ok(await signIn(first, 'sue'), 201);
		octavo('member', 'disable', '--org', org, '--user', s.user);
		assert.equal((await inSession(s, 'GET', '/user')).status, 401);
		refused(await signIn(first, 'sue'), 403, /you are disabled in this organization/);
		assert.equal((await member(s.user)).disabled, true);
		assert.equal((await events('session.refused')).filter((e) => JSON.stringify(e).includes(s.user)).length, 1);
		assert.equal((await asAdmin('DELETE', `/orgs/${org}/members/${s.user}`)).status, 204);
		const again = ok(await signIn(first, 'sue'), 201);
		assert.equal(again.user, s.user);
		assert.deepEqual([(await member(s.user)).role, (await member(s.user)).disabled], ['comment', false]);
		// A role that an admin gave is not taken back.
		ok(await asAdmin('PATCH', `/orgs/${org}/members/${s.user}`, { role: 'review' }));
		ok(await signIn(first, 'sue'), 201);
		assert.equal((await member(s.user)).role, 'review');
		octavo('user', 'disable', '--user', s.user);
		refused(await signIn(first, 'sue'), 403, /disabled/);
	});

	// ---- linking ----

	test('organization: an account is linked by a sign-in to it, and unlinked', async () => {
		octavo('user', 'create', '--email', 'lia@example.com', '--name', 'Lia');
		octavo('member', 'add', '--org', org, '--user', 'lia@example.com', '--role', 'edit');
		const lia = await password('lia@example.com');
		const link = (s, p = first) => inSession(s, 'POST', `/orgs/${p.org}/sso/${p.id}/link`);
		// Not a token, nor a provider's own session; not a provider of another organization.
		refused(await asAdmin('POST', `/orgs/${org}/sso/${first.id}/link`), 403, /a token cannot do this/);
		const apart = ok(await signIn(first, 'dan'), 201);
		refused(await link(apart), 403, /links no account/);
		refused(await inSession(lia, 'POST', `/orgs/${org}/sso/${second.id}/link`), 404, /./);
		refused(await link(lia, second), 404, /./);
		// Dan of the provider turns out to be Lia.
		const linked = ok(await finish(first, await visit(first, 'dan', ok(await link(lia)))), 201);
		assert.deepEqual([linked.user, linked.organization], [lia.user, org]);
		assert.notEqual(apart.user, lia.user);
		assert.equal(ok(await signIn(first, 'dan'), 201).user, lia.user);
		assert.equal((await member(lia.user)).role, 'edit');
		const { items: [one] } = ok(await inSession(lia, 'GET', '/user/identities'));
		assert.deepEqual([one.organization, one.label, one.subject, one.linked], [org, 'acme login', 'dan', true]);
		// Unlinked by the owner, who needs no password for it: this provider is never the only way in.
		ok(await inSession(lia, 'PATCH', `/user/identities/${one.id}`, { linked: false }));
		assert.equal((await inSession(linked, 'GET', '/user')).status, 401);
		refused(await signIn(first, 'dan'), 403, /you have unlinked this person/);
		// Linking anew is enough.
		assert.equal(ok(await finish(first, await visit(first, 'dan', ok(await link(lia)))), 201).user, lia.user);
	});

	test('organization: a link counts only while the session and the membership last', async () => {
		octavo('user', 'create', '--email', 'mia@example.com', '--name', 'Mia');
		octavo('member', 'add', '--org', org, '--user', 'mia@example.com', '--role', 'edit');
		const mia = await password('mia@example.com');
		const started = () => inSession(mia, 'POST', `/orgs/${org}/sso/${first.id}/link`);
		const left = await visit(first, 'uma', ok(await started())), out = await visit(first, 'uma', ok(await started()));
		assert.equal((await asAdmin('DELETE', `/orgs/${org}/members/${mia.user}`)).status, 204);
		refused(await finish(first, left), 403, /no member of the organization any more/);
		assert.equal((await asAdmin('GET', `/orgs/${org}/members/${mia.user}`)).status, 404);
		assert.equal((await inSession(mia, 'DELETE', '/user/sessions/current')).status, 204);
		refused(await finish(first, out), 403, /has ended/);
	});

	// ---- answers that are not for it ----

	test('organization: an answer counts once, at the provider and in the browser in which the sign-in began', async () => {
		const back = await visit(first, 'uma', await begin(first)), another = await begin(first);
		refused(await finish(second, back), 400, /another provider/);
		refused(await api('POST', '/sign-in/provider/return', back), 400, /another provider/);
		refused(await finish(first, { ...back, flow: another.flow }), 400, /another sign-in/);
		refused(await finish(first, { ...back, flow: 'AAAA' }), 400, /older than ten minutes/);
		refused(await finish(first, { ...back, iss: 'https://evil.example' }), 400, /another provider/);
		refused(await finish(first, { ...back, iss: undefined }), 400, /another provider/);
		ok(await finish(first, back), 201);
		refused(await finish(first, back), 400, /used before/);
		refused(await finish(first, { ...back, flow: another.flow, state: new URL(another.url).searchParams.get('state') }), 401, /does not know the code/);
		// A flow of the installation is none of an organization.
		const whole = ok(await api('POST', '/sign-in/provider'));
		refused(await finish(first, { flow: whole.flow, state: new URL(whole.url).searchParams.get('state'), code: 'x', iss: issuer }), 400, /another provider/);
	});

	test('organization: tokens for others, by others, too old or unsigned are refused', async () => {
		for (const [why, change] of [
			['for the installation', (c) => { c.aud = 'octavo'; }],
			['for another organization', (c) => { c.aud = second.client; }],
			['for both, made for the other', (c) => { c.aud = [first.client, second.client]; c.azp = second.client; }],
			['of another issuer', (c) => { c.iss = 'https://evil.example'; }],
			['with another nonce', (c) => { c.nonce = 'other'; }],
			['that ended', (c) => { c.exp = now() - 400; }],
			['of the future', (c) => { c.iat = now() + 400; }],
			['by another key', () => 'stranger'],
			['unsigned', (_c, h) => { h.alg = 'none'; delete h.kid; return 'none'; }],
			['by HS256 with the public key', (_c, h) => { h.alg = 'HS256'; return 'hmac'; }],
		]) {
			const answer = await forged(first, change);
			assert.equal(answer.status, 401, `${why}: ${JSON.stringify(answer.body)}`);
			await set();
		}
		const good = await forged(first, (c) => { c.sub = 'zed'; });
		ok(good, 201);
	});

	test('organization: a provider that is down is 503, and one with new keys is asked for them', async () => {
		const back = await visit(first, 'uma', await begin(first));
		await set({ down: true });
		refused(await finish(first, back), 503, /does not work now/);
		await set();
		ok(await finish(first, back), 201);
		keys = await serve({ clients: [first, second].map((p) => ({ id: p.client, secret: p.secret, redirect: p.redirect })) });
		ok(await signIn(first, 'uma'), 201);
	});

	test('organization: the browser is sent to the provider and back to this installation, whatever the request says', async () => {
		const answer = await api('POST', `/sign-in/sso/${first.id}?redirect_uri=https://evil.example`, undefined, { 'X-Forwarded-Host': 'evil.example' });
		const url = new URL(ok(answer).url);
		assert.equal(url.origin, issuer);
		assert.equal(url.searchParams.get('redirect_uri'), `${service}/app/sso/${first.id}/return`);
		assert.equal(url.searchParams.get('client_id'), 'acme');
		// The page, and the address that a person comes back to.
		const page = await (await fetch(`${service}/app/sso/${first.id}?to=https://evil.example/`)).text();
		assert.match(page, /acme login/);
		assert.doesNotMatch(page, /evil/);
		refused(await api('POST', `/sign-in/sso/${first.id}`, undefined, { Origin: 'https://evil.example' }), 403, /another site/);
		refused(await api('POST', `/sign-in/sso/${first.id}/return`, { flow: 'x', state: 'x' }, { Origin: 'https://evil.example' }), 403, /another site/);
	});

	// ---- settings ----

	test('organization: a secret is told to nobody, and to no other issuer', async () => {
		const made = ok(await asAdmin('POST', `/orgs/${org}/oidc`, { label: 'Third', issuer, clientID: 'third', clientSecret: 'Quillwraith' }), 201);
		const at = `/orgs/${org}/oidc/${made.id}`;
		assert.ok(made.secretSetAt);
		for (const path of [at, `/orgs/${org}/oidc`, `/orgs/${org}/audit-events?target=${made.id}`])
			assert.doesNotMatch(JSON.stringify(ok(await asAdmin('GET', path))), /Quillwraith/);
		ok(await asAdmin('PATCH', at, { label: 'Same' }));
		assert.ok(ok(await asAdmin('GET', at)).secretSetAt);
		assert.equal(ok(await asAdmin('PATCH', at, { issuer: 'https://other.example' })).secretSetAt, null);
		assert.ok(ok(await asAdmin('PATCH', at, { clientSecret: 'Quillwraith' })).secretSetAt);
		assert.equal(ok(await asAdmin('PATCH', at, { clientSecret: '' })).secretSetAt, null);
		// One that is not complete signs nobody in, nor is it offered.
		assert.equal(ok(await asAdmin('PATCH', at, { clientID: '' })).status, 'pending');
		refused(await api('POST', `/sign-in/sso/${made.id}`), 404, /./);
		refused(await api('GET', `/sign-in/sso/${made.id}`), 404, /./);
		assert.deepEqual(ok(await asAdmin('GET', `/orgs/${org}/sso`)).items.map((one) => one.id), [first.id]);
		assert.equal((await asAdmin('DELETE', at)).status, 204);
	});

	test('organization: sessions end with their provider, and its answers count no more', async () => {
		const third = {};
		await prepare(third, second.org, 'second', { label: 'Third' });
		await serve({ clients: [{ id: 'second', secret: third.secret, redirect: third.redirect }] });
		const s = ok(await signIn(third, 'eve'), 201), back = await visit(third, 'eve', await begin(third));
		assert.equal((await inSession(s, 'GET', `/orgs/${second.org}`)).status, 200);
		ok(await asAdmin('PATCH', `/orgs/${second.org}/oidc/${third.id}`, { issuer: `${issuer}/` }));
		assert.equal((await inSession(s, 'GET', '/user')).status, 401);
		refused(await finish(third, back), 400, /another provider/);
		ok(await asAdmin('PATCH', `/orgs/${second.org}/oidc/${third.id}`, { issuer, clientSecret: third.secret }));
		const t = ok(await signIn(third, 'eve'), 201);
		assert.equal(t.user, s.user);
		assert.equal((await asAdmin('DELETE', `/orgs/${second.org}/oidc/${third.id}`)).status, 204);
		assert.equal((await inSession(t, 'GET', '/user')).status, 401);
		refused(await finish(third, back), 404, /./);
		// The installation's own provider, for the tests that follow.
		await serve();
	});
}
