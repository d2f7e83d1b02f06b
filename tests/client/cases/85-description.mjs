// /v1/openapi.json for third-party tools: those that check descriptions and generate clients accept
// it, and a generated client works.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTS, { astToString } from 'openapi-typescript';
import { description } from '../lib/description.mjs';
import { organization, tokens, url } from '../lib/service.mjs';

const here = new URL('../', import.meta.url).pathname;
const run = promisify(execFile);
const require = createRequire(import.meta.url);
// No telemetry, and no check for a newer release.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

async function folder(work) {
	const path = await mkdtemp(join(tmpdir(), 'octavo-description-'));
	try {
		await writeFile(join(path, 'openapi.json'), JSON.stringify(description));
		return await work(path);
	} finally {
		await rm(path, { recursive: true });
	}
}

// Runs a program; returns its output and whether it succeeded.
async function told(program, args, options) {
	try {
		const { stdout, stderr } = await run(program, args, { ...options, env });
		return { ok: true, text: stdout + stderr };
	} catch (e) {
		return { ok: false, text: `${e.stdout ?? ''}${e.stderr ?? ''}` || e.message };
	}
}

const redocly = (path, ...args) =>
	told(process.execPath, [join(here, 'node_modules/@redocly/cli/bin/cli.js'), ...args], { cwd: path });

test('Redocly finds nothing wrong with the description', () =>
	folder(async (path) => {
		await copyFile(join(here, 'redocly.yaml'), join(path, 'redocly.yaml'));
		const { ok, text } = await redocly(path, 'lint', 'openapi.json', '--format=json');
		assert.ok(ok, text);
		const { problems } = JSON.parse(text.slice(text.indexOf('{\n'), text.lastIndexOf('\n}') + 2));
		assert.deepEqual(problems.map((p) => `${p.ruleId}: ${p.message}`), []);
	}));

test('Redocly bundles the description', () =>
	folder(async (path) => {
		const { ok, text } = await redocly(path, 'bundle', 'openapi.json', '-o', 'bundled.json');
		assert.ok(ok, text);
		const bundled = JSON.parse(await readFile(join(path, 'bundled.json'), 'utf8'));
		assert.deepEqual(Object.keys(bundled.paths), Object.keys(description.paths));
	}));

test('the description is valid by the schema of OpenAPI', async () => {
	const validator = new Validator();
	const { valid, errors } = await validator.validate(structuredClone(description));
	assert.ok(valid, JSON.stringify(errors));
	assert.equal(validator.version, '3.1');
});

test('a typed client made from the description compiles and works', () =>
	folder(async (path) => {
		const types = astToString(await openapiTS(structuredClone(description), { defaultNonNullable: false }));
		const vague = types.split('\n').filter((line) => /\b(unknown|any)\b/.test(line))
			.filter((line) => !/^\s*(\*|\/\*|\[\w+: string\]: unknown;)/.test(line));
		assert.deepEqual(vague, [], 'members of no type');

		await mkdir(join(path, 'out'));
		await writeFile(join(path, 'package.json'), '{"type":"module"}');
		await symlink(join(here, 'node_modules'), join(path, 'node_modules'));
		await writeFile(join(path, 'description.d.ts'), types);
		await copyFile(join(here, 'typed/drive.ts'), join(path, 'drive.ts'));
		const compiled = await told(process.execPath, [require.resolve('typescript/bin/tsc'), '--strict',
			'--noUncheckedIndexedAccess', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable',
			'--module', 'nodenext', '--typeRoots', 'none', '--outDir', 'out', 'drive.ts'], { cwd: path });
		assert.ok(compiled.ok, compiled.text);

		const { drive } = await import(join(path, 'out/drive.js'));
		assert.deepEqual(await drive(`${url}/v1`, tokens.admin, organization), [
			'user Ada', 'refused 412', 'Run make install.',
			'page_created Effects, page_created Whole', 'merge', 'Whole (whole)', 'Effects (effects)',
		]);
	}));

// A wrong call does not even compile.
test('a client that sends what the description does not know does not compile', () =>
	folder(async (path) => {
		const types = astToString(await openapiTS(structuredClone(description)));
		await writeFile(join(path, 'package.json'), '{"type":"module"}');
		await symlink(join(here, 'node_modules'), join(path, 'node_modules'));
		await writeFile(join(path, 'description.d.ts'), types);
		await writeFile(join(path, 'wrong.ts'), `
			import createClient from 'openapi-fetch';
			import type { paths } from './description.js';
			const api = createClient<paths>({ baseUrl: '' });
			export const a = api.PATCH('/spaces/{spaceId}', { params: { path: { spaceId: 's' } }, body: { title: 5 } });
			export const b = api.POST('/spaces/{spaceId}/transfer', { params: { path: { spaceId: 's' } } });
			export const c = api.GET('/spaces/{spaceId}', { params: { path: {} } });
		`);
		const { ok, text } = await told(process.execPath, [require.resolve('typescript/bin/tsc'), '--strict',
			'--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext',
			'--typeRoots', 'none', 'wrong.ts'], { cwd: path });
		assert.ok(!ok);
		assert.match(text, /wrong\.ts\(5,.*'number' is not assignable to type 'string'/s);
		assert.match(text, /wrong\.ts\(6,/);
		assert.match(text, /wrong\.ts\(7,.*spaceId/s);
	}));
