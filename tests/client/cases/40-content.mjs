// Content: revisions, trees, pages in both formats, files, reusable contents;
// at the head of a space and at a revision.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, each, flatten, laterClient, reader, refused, stranger, tokens } from '../lib/service.mjs';
import { shared } from '../lib/fixture.mjs';
import * as renderer from '../lib/renderer.mjs';

// The space, its revision, and every page by title.
async function content() {
	const { space } = await shared();
	const { data: revision } = await admin.spaces.getCurrentRevision(space.id);
	const pages = flatten(revision.pages);
	const named = (title) => pages.find((p) => p.title === title);
	return { space: space.id, revision, pages, named };
}

test('a revision has all that is shown of it', async () => {
	const { space, revision, pages, named } = await content();
	assert.deepEqual(renderer.revisionFaults(revision), []);
	const kinds = pages.map((p) => p.type);
	for (const kind of ['document', 'group', 'link']) assert.ok(kinds.includes(kind), kind);
	// The kind `computed` is shown only where the rows themselves are requested.
	assert.ok(!kinds.includes('computed'));
	const { data: rows } = await admin.spaces.getCurrentRevision(space, { computed: false });
	assert.ok(flatten(rows.pages).some((p) => p.type === 'computed'));
	assert.equal(pages[0].title, 'Welcome');
	assert.equal(named('First steps').hidden, true);
	assert.equal(named('First steps').path, 'guides/first-steps');
	assert.equal(named('First steps').git.path, 'guides/First-Steps.md');
	assert.equal(named('All guides').linkTitle, 'Guides');
	assert.equal(named('Source code').target.url, 'https://example.com/source');
	assert.deepEqual(revision.variables, { product: 'Octavo', version: '1' });
	const { data: seen } = await reader.spaces.getCurrentRevision(space);
	assert.deepEqual(seen, revision);
	await refused(404, /space/, stranger.spaces.getCurrentRevision(space));
});

test('a revision without git metadata is the same otherwise', async () => {
	const { space, revision } = await content();
	const { data: bare } = await admin.spaces.getCurrentRevision(space, { metadata: false });
	const without = (value) => JSON.parse(JSON.stringify(value, (key, v) => (key === 'git' ? undefined : v)));
	assert.deepEqual(bare, without(revision));
	assert.notDeepEqual(bare, revision);
});

test('a revision is read by its id as at the head', async () => {
	const { space, revision } = await content();
	const { data: same } = await admin.spaces.getRevisionById(space, revision.id, { metadata: true });
	assert.deepEqual(same, revision);
	const { data: first } = await admin.spaces.getRevisionById(space, revision.parents[0]);
	assert.deepEqual(first.pages, []);
	const { data: tree } = await admin.spaces.listPagesInRevisionById(space, revision.id);
	assert.deepEqual(tree.pages, revision.pages);
	assert.deepEqual((await admin.spaces.listPages(space)).data, tree);
	await refused(404, /revision/, admin.spaces.getRevisionById(space, 'nothing'));
});

test('every page is valid as document, and readable as Markdown', async () => {
	const { space, revision, pages } = await content();
	const known = {
		pages: new Set(pages.map((p) => p.id)),
		files: new Set(revision.files.map((f) => f.id)),
		reusable: new Set(revision.reusableContents.map((c) => c.id)),
	};
	const documents = pages.filter((p) => p.type === 'document');
	await each(documents, async (page) => {
		const { data: whole } = await admin.spaces.getPageById(space, page.id);
		assert.deepEqual(renderer.documentFaults(whole.document, known), [], page.title);
		const { data: alone } = await admin.spaces.getPageDocumentInRevisionById(space, revision.id, page.id);
		assert.deepEqual(alone, whole.document);
		const { data: text } = await admin.spaces.getPageById(space, page.id, { format: 'markdown' });
		assert.equal(text.document, undefined);
		assert.equal(typeof text.markdown, 'string');
		assert.equal({ ...whole, document: undefined }.path, page.path);
	});
});

test('every kind of block and inline is in the documents', async () => {
	const { space, pages } = await content();
	const kinds = new Set();
	const walk = (value) => {
		if (value === null || typeof value !== 'object') return;
		if (['block', 'inline', 'mark'].includes(value.object)) kinds.add(value.type);
		Object.values(value).forEach(walk);
	};
	await each(pages.filter((p) => p.type === 'document'), async (page) =>
		walk((await admin.spaces.getPageById(space, page.id)).data.document));
	const wanted = `paragraph heading-1 heading-2 heading-3 list-unordered list-ordered list-tasks list-item
		blockquote hint code code-line divider math images image file embed content-ref table expandable
		tabs tabs-item stepper stepper-step columns column updates update prompt swagger openapi-operation
		link inline-math annotation emoji mention inline-image button icon
		bold italic code strikethrough keyboard superscript subscript color`.split(/\s+/);
	assert.deepEqual(wanted.filter((kind) => !kinds.has(kind)), []);
});

test('a page is read by its path, in any spelling', async () => {
	const { space, revision, named } = await content();
	const page = named('First steps');
	for (const path of [page.path, encodeURIComponent(page.path), 'guides/First-Steps']) {
		const { data: head } = await admin.spaces.getPageByPath(space, path);
		assert.equal(head.id, page.id, path);
		const { data: old } = await admin.spaces.getPageInRevisionByPath(space, revision.id, path);
		assert.deepEqual(old, head, path);
	}
	const { data: text } = await admin.spaces.getPageByPath(space, 'guides/deep/deeper', { format: 'markdown' });
	assert.match(text.markdown, /^# Deeper\n\n## Twice\n/);
	await refused(404, /nowhere/, admin.spaces.getPageByPath(space, 'guides/nowhere'));
});

test('a page of a revision is read in both formats', async () => {
	const { space, revision, named } = await content();
	const { id } = named('Welcome');
	const { data: page } = await admin.spaces.getPageInRevisionById(space, revision.id, id);
	assert.ok(page.document.nodes.length > 0);
	assert.equal(page.description, 'Where everything begins.');
	assert.equal(page.icon, 'house');
	const { width, coverSize, coverMask } = page.layout;
	assert.deepEqual({ width, coverSize, coverMask }, { width: 'wide', coverSize: 'background', coverMask: 'radial' });
	assert.equal(page.cover.ref.kind, 'file');
	const { data: text } = await admin.spaces.getPageInRevisionById(space, revision.id, id, {
		format: 'markdown',
	});
	assert.match(text.markdown, /\[guides\]\(guides\/README\.md\)|\[guides\]\(/);
	const { data: stable } = await admin.spaces.getPageInRevisionById(space, revision.id, id, {
		format: 'markdown',
		'format.markdown.refs': 'stable',
	});
	assert.ok(stable.markdown.startsWith('# Welcome\n'), stable.markdown.slice(0, 60));
	assert.ok(stable.markdown.includes(`(/pages/${named('All guides').id})`), stable.markdown);
	const { data: links } = await laterClient(tokens.admin).spaces.listRevisionPageMetaLinks(space, revision.id, id);
	assert.equal(typeof links, 'object');
	await refused(400, /format/, admin.spaces.getPageById(space, id, { format: 'pdf' }));
});

test('files are listed and read, at the head and at a revision', async () => {
	const { space, revision } = await content();
	const head = await all((q) => admin.spaces.listFiles(space, q), 2);
	assert.deepEqual(await all((q) => admin.spaces.listFilesInRevisionById(space, revision.id, q)), head);
	const byName = (a, b) => (a.name < b.name ? -1 : 1);
	assert.deepEqual(head, [...revision.files].sort(byName));
	assert.deepEqual(head.map((f) => f.name), ['a list (1).csv', 'cover.png', 'dot.png', 'drawing.svg', 'page.html']);
	for (const file of head) {
		assert.deepEqual((await admin.spaces.getFileById(space, file.id)).data, file);
		assert.deepEqual((await admin.spaces.getFileInRevisionById(space, revision.id, file.id)).data, file);
	}
	await refused(404, /file/, admin.spaces.getFileById(space, 'nothing'));
});

test('files are downloaded as what they are, and run in no browser', async () => {
	const { revision } = await content();
	const types = { csv: 'text/csv', png: 'image/png', svg: 'image/svg+xml', html: 'text/html' };
	for (const file of revision.files) {
		const answer = await fetch(file.downloadURL);
		assert.equal(answer.status, 200, file.name);
		assert.equal((await answer.arrayBuffer()).byteLength, file.size);
		const kind = file.name.split('.').pop();
		assert.equal(file.contentType, types[kind]);
		assert.ok(answer.headers.get('content-type').startsWith(types[kind]), file.name);
		assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
		const runs = ['svg', 'html'].includes(kind);
		const shown = /^inline/.test(answer.headers.get('content-disposition') ?? 'inline');
		assert.ok(!(runs && shown), `${file.name}: ${answer.headers.get('content-disposition')}`);
	}
	const dot = revision.files.find((f) => f.name === 'dot.png');
	const part = await fetch(dot.downloadURL, { headers: { range: 'bytes=1-3' } });
	assert.deepEqual([part.status, await part.text()], [206, 'PNG']);
	assert.deepEqual(dot.dimensions, { width: 1, height: 1 });
	const forged = await fetch(dot.downloadURL.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')));
	assert.ok([403, 404].includes(forged.status), `${forged.status}`);
});

test('reusable contents are read, and stand in for themselves or for what they hold', async () => {
	const { space, revision, named } = await content();
	const note = revision.reusableContents.find((c) => c.title === 'Note');
	assert.deepEqual((await admin.spaces.getReusableContentById(space, note.id)).data, note);
	assert.deepEqual((await admin.spaces.getReusableContentInRevisionById(space, revision.id, note.id)).data, note);
	const { data: body } = await admin.spaces.getReusableContentDocumentInRevisionById(space, revision.id, note.id);
	assert.equal(body.nodes[0].type, 'hint');
	await refused(404, /content/, admin.spaces.getReusableContentById(space, 'nothing'));
	const whole = { dereferenced: 'reusable-contents', evaluated: 'deterministic-only' };
	const later = laterClient(tokens.admin);
	const document = async (title, query) =>
		(await later.spaces.getPageDocumentInRevisionById(space, revision.id, named(title).id, query)).data;
	const types = (data) => data.nodes.map((n) => n.type);
	assert.ok(types(await document('Welcome', {})).includes('reusable-content'));
	const taken = types(await document('Welcome', whole));
	assert.ok(taken.includes('hint') && !taken.includes('reusable-content'), taken.join());
	// One content twice, and one that contains itself: the page is still finite.
	assert.deepEqual(renderer.documentFaults(await document('Containers', whole)), []);
});
