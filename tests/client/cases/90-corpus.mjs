// Real repositories: number of pages, every page as document and as Markdown, every file.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, each, flatten, laterClient, tokens } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';
import { missing, place, spaces } from '../lib/corpus.mjs';
import * as renderer from '../lib/renderer.mjs';

const RUN = ['text/javascript', 'text/css', 'application/wasm'];

const later = laterClient(tokens.admin);
const options = { skip: missing };

// Faults of many pages, shortened: a few of each kind.
function report(faults) {
	const kinds = new Map();
	for (const [page, fault] of faults) {
		const kind = fault.replace(/[0-9]+/g, 'N').replace(/[A-Za-z0-9_-]{20,}/g, 'ID');
		if (!kinds.has(kind)) kinds.set(kind, []);
		kinds.get(kind).push(`${page}: ${fault}`);
	}
	return [...kinds.values()].map((all) => `${all.length} × ${all.slice(0, 2).join('\n      ')}`).join('\n  ');
}

function countPages(pages) {
	const of = (type, holds = () => true) => pages.filter((p) => p.type === type && holds(p)).length;
	return {
		documents: of('document', (p) => p.git),
		groups: of('group'),
		links: of('link'),
		computed: of('computed'),
		fileless: of('document', (p) => !p.git),
	};
}

for (const { name, repository, directory, counts } of spaces) {
	let id;
	let revision;
	let pages;

	test(`${name}: import finds every page`, options, async () => {
		const { space } = await newSpace(name.slice(0, 50), {
			url: place(repository),
			...(directory ? { repoProjectDirectory: directory } : {}),
		});
		id = space.id;
		revision = (await admin.spaces.getCurrentRevision(id, { computed: false })).data;
		pages = flatten(revision.pages);
		assert.deepEqual(countPages(pages), counts);
		assert.deepEqual(renderer.revisionFaults(revision), []);
	});

	// The client's fetch has already checked that it matches its schema.
	test(`${name}: every page is a document that can be shown`, options, async () => {
		const known = {
			pages: new Set(pages.map((p) => p.id)),
			files: new Set(revision.files.map((f) => f.id)),
			reusable: new Set(revision.reusableContents.map((c) => c.id)),
		};
		const faults = [];
		await each(pages.filter((p) => p.type === 'document'), async (page) => {
			const { data } = await admin.spaces.getPageDocumentInRevisionById(id, revision.id, page.id);
			const add = (document, note) =>
				renderer.documentFaults(document, known).forEach((fault) => faults.push([page.path + note, fault]));
			add(data, '');
			if (!JSON.stringify(data).includes('"reusable-content"')) return;
			const whole = { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' };
			add((await later.spaces.getPageDocumentInRevisionById(id, revision.id, page.id, whole)).data, ' dereferenced');
		});
		assert.equal(faults.length, 0, report(faults));
	});

	test(`${name}: every page is readable as Markdown`, options, async () => {
		await each(pages.filter((p) => p.type === 'document'), async (page) => {
			const { data } = await admin.spaces.getPageById(id, page.id, { format: 'markdown' });
			assert.equal(typeof data.markdown, 'string', page.path);
			assert.equal(data.document, undefined, page.path);
		});
	});

	test(`${name}: every reusable content is a valid document`, options, async () => {
		await each(revision.reusableContents, async (content) => {
			const { data } = await admin.spaces.getReusableContentDocumentInRevisionById(id, revision.id, content.id);
			assert.deepEqual(renderer.documentFaults(data), [], content.title);
		});
	});

	test(`${name}: every file is there for download`, options, async () => {
		const files = await all((q) => admin.spaces.listFiles(id, q));
		assert.equal(files.length, revision.files.length);
		await each(files, async (file) => {
			const { status, headers } = await fetch(file.downloadURL, {
				method: 'HEAD',
				headers: { 'accept-encoding': 'identity' },
			});
			assert.equal(status, 200, file.name);
			assert.equal(Number(headers.get('content-length')), file.size, file.name);
			const type = file.contentType.split(';')[0];
			// Files that a browser could run as a page are sent as bytes.
			const sent = RUN.includes(type) ? 'application/octet-stream' : type;
			assert.equal(headers.get('content-type').split(';')[0], sent, file.name);
		});
	});
}
