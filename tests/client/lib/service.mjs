// The service under test and its clients. run.sh starts the service and passes these:
//
//   OCTAVO_TEST_URL           base URL, without /v1
//   OCTAVO_TEST_ADMIN         token of an admin of the organization …
//   OCTAVO_TEST_ORG           … with this id
//   OCTAVO_TEST_READER        token of a member with the role read
//   OCTAVO_TEST_STRANGER      token of a user who is in no organization
//   OCTAVO_TEST_REPOSITORIES  a folder whose repositories may be imported
//   OCTAVO_TEST_COMMAND       the octavo command, for actions without an operation …
//   OCTAVO_TEST_DIR           … with the data of this service
//
// Every client sends through `fetchChecked`, which checks each response against the contract of the
// published client, and counts the operations called.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { GitBookAPI } from '@gitbook/api';
import { GitBookAPI as GitBookAPI202 } from '@gitbook/api-0.202';
import { Contract } from './contract.mjs';
import { pointer } from './schemas.mjs';

function setting(name) {
	const value = process.env[name];
	if (!value) throw new Error(`${name} is not set: start the tests with run.sh`);
	return value;
}

export const url = setting('OCTAVO_TEST_URL');
export const organization = setting('OCTAVO_TEST_ORG');
export const repositories = setting('OCTAVO_TEST_REPOSITORIES');
export const tokens = {
	admin: setting('OCTAVO_TEST_ADMIN'),
	reader: setting('OCTAVO_TEST_READER'),
	stranger: setting('OCTAVO_TEST_STRANGER'),
};

export const octavo = (...args) =>
	execFileSync(setting('OCTAVO_TEST_COMMAND'), [...args, '--dir', setting('OCTAVO_TEST_DIR')], { encoding: 'utf8' });

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

// The release whose operations match the specification, and the one that
// people install today. Each answer is held against every release that knows
// its operation.
export const patches = { contract: read('schema-patches.json'), later: read('schema-patches-0.202.json') };
export const contract = new Contract('@gitbook/api', patches.contract);
export const later = new Contract('@gitbook/api-0.202', patches.later);

// The release whose client sends what both have: OCTAVO_CLIENT_RELEASE.
export const newest = process.env.OCTAVO_CLIENT_RELEASE === '0.202';

// The service's own description.
export const description = await (await fetch(`${url}/v1/openapi.json`)).json();
const own = new Contract(description);

// For each operation: the statuses received, and some bodies of each.
export const called = new Map();
const SAMPLES = 10;

function remember(operation, status, body) {
	if (!called.has(operation)) called.set(operation, new Map());
	const statuses = called.get(operation);
	if (!statuses.has(status)) statuses.set(status, []);
	if (statuses.get(status).length < SAMPLES) statuses.get(status).push(body);
}

// A response that violates the contract: no test expects one.
export class ContractError extends Error {}

// Where the operation of a request is in the releases that know it, oldest first.
function find(method, path) {
	const known = Object.entries({ '0.146': contract, 0.202: later })
		.map(([release, by]) => ({ release, by, operation: by.match(method, path) }))
		.filter(({ operation }) => operation);
	if (known.length === 0) throw new ContractError(`${method} ${path} is in no release of the client`);
	return known;
}

// Headers that must be described if a response has them, and the other way round.
const DESCRIBED = ['Allow', 'ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];

function undescribed(method, path, status, headers) {
	let declared = own.match(method, path)?.responses[status];
	if (declared === undefined) return [`the description has no answer ${status} here`];
	if (declared.$ref) declared = pointer(own.spec, declared.$ref.slice(1));
	const names = Object.keys(declared.headers ?? {});
	return DESCRIBED.filter((name) => headers.has(name) !== names.includes(name))
		.map((name) => `${name} is ${headers.get(name)}, and ${names.includes(name) ? '' : 'not '}described`);
}

// Headers that the contract requires in its texts only.
function headerFaults(status, headers, body) {
	const faults = [];
	if (body !== '' && !/^application\/json\b/.test(headers.get('content-type') ?? ''))
		faults.push(`the type is ${headers.get('content-type')}`);
	if (status === 201 && !(headers.get('location') ?? '').startsWith(`${url}/v1/`))
		faults.push(`Location is ${headers.get('location')}`);
	return faults;
}

// fetch() for the clients: throws if a response violates the contract.
export async function fetchChecked(input, init) {
	const method = init?.method ?? 'GET';
	const path = new URL(input).pathname.replace(/^\/v1/, '') || '/';
	const known = find(method, path);
	const { operation } = known[0];
	const response = await fetch(input, init);
	const body = await response.text();
	const { status, headers } = response;
	const faults = [...known.flatMap((k) => k.by.check(k.operation, status, body).map((fault) => `${k.release}: ${fault}`)),
		...headerFaults(status, headers, body), ...undescribed(method, path, status, headers)];
	remember(operation.id, status, body);
	if (faults.length > 0)
		throw new ContractError(`${operation.id} ${path}: ${status}\n  ${faults.join('\n  ')}`);
	return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
}

const options = (token) => ({
	endpoint: url,
	authToken: token,
	serviceBinding: { fetch: fetchChecked },
});
export const laterClient = (token) => new GitBookAPI202(options(token));

// Which methods of the newest client were called, as group.method.
export const methods = new Set();

// The newest client, with the methods that it has no more from the earlier one.
function newestClient(token) {
	const early = new GitBookAPI(options(token));
	const late = new GitBookAPI202(options(token));
	const group = (name) => new Proxy({}, {
		get(_, method) {
			if (late[name]?.[method]) methods.add(`${name}.${method}`);
			return (late[name]?.[method] ? late : early)[name][method];
		},
	});
	return new Proxy({}, {
		get: (_, name) => (typeof late[name] === 'function' ? late[name].bind(late) : group(name)),
	});
}
export const client = (token) => (newest ? newestClient(token) : new GitBookAPI(options(token)));
export const admin = client(tokens.admin);
export const reader = client(tokens.reader);
export const stranger = client(tokens.stranger);

// The call must fail with this status, and with a message that matches.
export async function refused(status, pattern, call) {
	try {
		await call;
	} catch (e) {
		if (e instanceof ContractError || e.code === undefined) throw e;
		assert.equal(e.code, status, e.message);
		assert.match(e.errorMessage ?? e.message, pattern);
		return;
	}
	assert.fail(`it was not refused with ${status}`);
}

// Runs work on all items, a few at a time, to keep the workers busy.
export async function each(items, work, parallel = 6) {
	const queue = items.entries();
	const runner = async () => {
		for (const [i, item] of queue) await work(item, i);
	};
	await Promise.all(Array.from({ length: parallel }, runner));
}

// All items of a list, page by page.
export async function all(list, limit = 1000) {
	const items = [];
	let page;
	do {
		const { data } = await list({ limit, ...(page ? { page } : {}) });
		items.push(...data.items);
		page = data.next?.page;
	} while (page);
	return items;
}

// Every page of a tree, parents before children.
export const flatten = (pages) => pages.flatMap((p) => [p, ...flatten(p.pages ?? [])]);

// Set when an import did not end: then no other will end either, and tests do not wait for one.
let stuck = false;

// Imports a repository into a space and waits for the end; returns git/info.
export async function importRepository(space, body, seconds = 120) {
	assert.ok(!stuck, 'an earlier import did not end');
	await admin.spaces.importGitRepository(space, { ref: 'refs/heads/main', ...body });
	const end = Date.now() + seconds * 1000;
	for (;;) {
		const { data } = await admin.spaces.getSpaceGitInfo(space);
		if (data.operation?.state !== 'running') return data;
		stuck = Date.now() > end;
		assert.ok(!stuck, `the import is not done after ${seconds} seconds`);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
