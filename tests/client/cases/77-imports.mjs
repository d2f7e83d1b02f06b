// Imports from other programs by the newest release of the client: an archive is uploaded as to a storage
// elsewhere, in two parts, and becomes pages of a space.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { admin, all, laterClient, organization, refused, tokens } from '../lib/service.mjs';

const id = organization;
const newest = laterClient(tokens.admin);
const reader = laterClient(tokens.reader);
const PART = 1 << 20;

// An archive of somewhat more than a part.
function archive() {
	const folder = mkdtempSync(join(tmpdir(), 'octavo-imports-'));
	writeFileSync(join(folder, 'README.md'), '# Imported\n\nWords, and a [lost page](lost.md).\n\n![Noise](noise.png)\n');
	writeFileSync(join(folder, 'noise.png'), randomBytes(PART));
	execFileSync('tar', ['-cf', 'all.tar', 'README.md', 'noise.png'], { cwd: folder });
	const bytes = readFileSync(join(folder, 'all.tar'));
	rmSync(folder, { recursive: true });
	return bytes;
}

async function ended(run) {
	for (let i = 0; i < 600; i++) {
		const { data } = await newest.org.getImportRun(id, run);
		if (data.status !== 'pending' && data.status !== 'in-progress')
			return data;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error('the import does not end');
}

test('an archive is imported', async () => {
	const bytes = archive();
	const { data: at } = await newest.orgs.generateStorageUploadUrl(id,
		{ kind: 'import_file', file: { name: 'all.tar', type: 'application/x-tar', size: bytes.length } });
	assert.equal((await fetch(at.url, { method: 'PUT', body: bytes.subarray(0, PART) })).status, 204);
	const { received } = await (await fetch(at.url)).json();
	assert.equal(received, PART);
	const { data: space } = await admin.orgs.createSpace(id, { title: 'Imported' });
	const wanted = { source: { type: 'file', files: [at.key] }, target: { space: space.id }, enhance: false };
	await refused(400, /upload the rest/, newest.org.startImportRun(id, wanted));
	assert.equal((await fetch(`${at.url}&offset=${received}`, { method: 'PUT', body: bytes.subarray(received) })).status, 204);
	const { data: run, status } = await newest.org.startImportRun(id, wanted);
	assert.equal(status, 201);
	assert.deepEqual([run.source, run.target], [wanted.source, wanted.target]);
	const done = await ended(run.id);
	assert.equal(done.status, 'completed');
	const { data: page } = await admin.spaces.getPageByPath(space.id, 'readme');
	assert.match(JSON.stringify(page), /Words/);
	assert.deepEqual((await all((q) => newest.org.listImportRuns(id, { space: space.id, status: 'completed', ...q }))).map((one) => one.id), [run.id]);
	assert.equal((await newest.org.cancelImportRun(id, run.id)).data.status, 'completed');
	await refused(403, /create/, reader.org.listImportRuns(id));
	await refused(404, /uploaded file/, newest.org.startImportRun(id, wanted));
});
