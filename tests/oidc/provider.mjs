// An OpenID provider for the tests: oidc-provider from npm, behind a front that answers in its place
// what a test asks for. Prints its issuer, then serves until it is killed.
//
//   POST /test/serve {redirect, secret, inToken, clients}  begin to be a provider, with keys that were not there before
//   POST /test/set {down, discovery, keys, token, userinfo}   answer this instead, until the next /test/set
//   GET  /test/seen                   how often each path was asked since the last /test/set
import { createServer } from 'node:http';
import { createHmac, createPublicKey, generateKeyPairSync, sign, constants } from 'node:crypto';
import Provider from 'oidc-provider';

const rsa = (bits) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey;
const ec = (curve) => generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
const jwk = (key, kid, more) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig', ...more });
const shown = ({ d, p, q, dp, dq, qi, ...open }) => open;

// Whom the provider knows, by the name that a test's browser says in x-person.
const people = {
	eve: { email: 'eve@acme.example', email_verified: true, name: 'Eve\tof Acme' },
	ada: { email: 'ADA@example.com', email_verified: true, name: 'Ada' },
	ann: { email: 'ada@example.com', email_verified: false, name: 'Ann' },
	max: { email: 'max@acme.example', email_verified: false, name: 'Max' },
	sue: { email: 'sue@elsewhere.example', email_verified: true, name: 'Sue' },
	nil: { name: 'Nil' },
	dan: { email: 'dan@example.com', email_verified: true, name: 'Dan' },
	uma: { email: 'uma@example.com', email_verified: true, name: 'Uma' },
	ivo: { email: 'IVO@example.com', email_verified: true, name: 'Ivo' },
	ivx: { email: 'ivo@example.com', email_verified: false, name: 'Ivo' },
	ray: { email: 'ray@acme.example', email_verified: 'true' },
};
const keys = { stranger: rsa(2048), weak: rsa(1024), wide: ec('P-384') };
let provider, answers = {}, seen = {}, issuer, round = 0;

const client = (client_id, client_secret, redirect) => ({ client_id, client_secret, redirect_uris: [redirect],
	response_types: ['code'], grant_types: ['authorization_code'] });

// A provider with new keys.
function serve({ redirect, secret, inToken = true, clients = [] }) {
	keys.rsa = rsa(2048);
	keys.ec = ec('P-256');
	round++;
	provider = new Provider(issuer, {
		clients: [client('octavo', secret, redirect), ...clients.map((c) => client(c.id, c.secret, c.redirect))],
		jwks: { keys: [jwk(keys.rsa, `rsa-${round}`), jwk(keys.ec, `ec-${round}`)] },
		claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
		conformIdTokenClaims: !inToken,
		pkce: { required: () => true, methods: ['S256'] },
		features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
		interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
		cookies: { keys: ['for the tests'] },
		findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
	});
	return { kid: `rsa-${round}`, ecKid: `ec-${round}` };
}

// The person is who the browser says, without a form.
async function interact(req, res) {
	const { params } = await provider.interactionDetails(req, res);
	const accountId = req.headers['x-person'];
	const grant = new provider.Grant({ accountId, clientId: params.client_id });
	grant.addOIDCScope('openid email profile');
	await provider.interactionFinished(req, res, { login: { accountId }, consent: { grantId: await grant.save() } });
}

const encoded = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

// A token that is signed as it is told: {header, claims, key, raw}.
function forge({ header, claims, key, raw }) {
	if (raw !== undefined) return raw;
	const text = `${encoded(header)}.${encoded(claims)}`;
	const pss = header.alg.startsWith('PS') && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
	let mac;
	if (key === 'none') mac = '';
	else if (key === 'hmac') // the trap of RFC 8725, section 2.1: the public key as the secret
		mac = createHmac('sha256', createPublicKey(keys.rsa).export({ type: 'spki', format: 'pem' })).update(text).digest('base64url');
	else if (key === 'empty') mac = createHmac('sha256', '').update(text).digest('base64url');
	else mac = sign('sha256', Buffer.from(text), { key: keys[key], dsaEncoding: 'ieee-p1363', ...pss }).toString('base64url');
	return `${text}.${mac}`;
}

function reply(res, status, value) {
	res.writeHead(status, { 'Content-Type': 'application/json' });
	res.end(typeof value === 'string' ? value : JSON.stringify(value));
}

async function control(req, res, path) {
	let text = '';
	for await (const piece of req) text += piece;
	const body = text === '' ? {} : JSON.parse(text);
	if (path === '/test/serve') return reply(res, 200, serve(body));
	if (path === '/test/seen') return reply(res, 200, seen);
	answers = body;
	seen = {};
	// Keys of a test, by the names that tokens are signed with.
	for (const [i, name] of (answers.keys?.named ?? []).entries())
		answers.keys.keys.push(shown(jwk(keys[name], `named-${i}`, answers.keys.more)));
	return reply(res, 200, {});
}

// The provider's own description, with what a test changes in it.
async function describe(res) {
	const own = await (await fetch(`${issuer}/.well-known/openid-configuration?own`)).json();
	for (const [name, value] of Object.entries(answers.discovery)) own[name] = value ?? undefined;
	reply(res, 200, own);
}

async function answer(req, res) {
	const path = req.url.split('?')[0];
	if (path.startsWith('/test/')) return control(req, res, path);
	if (!req.url.endsWith('?own')) seen[path] = (seen[path] ?? 0) + 1;
	if (answers.down) return req.socket.destroy();
	if (path.startsWith('/interaction/')) return interact(req, res);
	if (path.endsWith('/openid-configuration') && answers.discovery && !req.url.endsWith('?own')) return describe(res);
	if (path === '/jwks' && answers.keys) return reply(res, 200, { keys: answers.keys.keys });
	if (path === '/token' && answers.token?.status) return reply(res, answers.token.status, answers.token.body);
	if (path === '/token' && answers.token)
		return reply(res, 200, { access_token: 'opaque', token_type: 'Bearer', id_token: forge(answers.token) });
	if (path === '/me' && answers.userinfo) return reply(res, 200, answers.userinfo);
	return provider.callback()(req, res);
}

const server = createServer((req, res) => answer(req, res).catch((e) => reply(res, 500, { error: String(e) })));
server.listen(0, '127.0.0.1', () => {
	issuer = `http://127.0.0.1:${server.address().port}`;
	console.log(issuer);
});
