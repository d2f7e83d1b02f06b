// Change requests: opened, edited, read like any content, compared, merged.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, flatten, laterClient, reader, refused, stranger, tokens } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const later = laterClient(tokens.admin);
const write = async (space, request, changes, query = { compat: false }) =>
	(await later.spaces.updateChangeRequestContent(space, request, { changes }, query)).data;

// A new space with a change request.
async function opened(subject) {
	const { space } = await newSpace(subject);
	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject });
	const pages = flatten((await admin.spaces.listPages(space.id)).data.pages);
	return { space: space.id, request, id: (title) => pages.find((p) => p.title === title).id };
}

const markdown = async (space, page) =>
	(await admin.spaces.getPageById(space, page, { format: 'markdown' })).data.markdown;

test('a change request is opened, and read by id and by number', async () => {
	const { space, request } = await opened('Read');
	assert.equal(request.status, 'draft');
	assert.equal(request.subject, 'Read');
	for (const name of [request.id, request.number]) {
		const { data } = await admin.spaces.getChangeRequestById(space, name);
		assert.deepEqual(data, request);
	}
	await refused(404, /change request/, admin.spaces.getChangeRequestById(space, '999'));
	await refused(404, /space/, stranger.spaces.getChangeRequestById(space, request.id));
	await refused(403, /./, reader.spaces.createChangeRequest(space, { subject: 'Mine' }));
});

test('what is written in a change request is not in the space before it is merged', async () => {
	const { space, request, id } = await opened('Written');
	const before = await markdown(space, id('Deep'));
	const result = await write(space, request.id, [
		{ operation: 'update_page', page: id('Deep'), document: { markdown: '# Deep\n\nChanged.\n' } },
		{ operation: 'insert_page', title: 'Added', document: { markdown: 'See [Deep](/pages/' + id('Deep') + ').' } },
		{ operation: 'delete_page', page: id('Empty') },
		{ operation: 'insert_files', files: [{ name: 'note.txt', contentType: 'text/plain', base64: Buffer.from('note').toString('base64') }] },
	]);
	assert.deepEqual(result.changes.map((c) => c.object).sort(), ['created_page', 'deleted_page', 'updated_page']);
	assert.equal(result.insertedFiles[0].name, 'note.txt');
	assert.equal(await markdown(space, id('Deep')), before);

	const { data: revision } = await admin.spaces.getRevisionOfChangeRequestById(space, request.id);
	assert.equal(revision.id, result.changeRequest.revision);
	const { data: tree } = await admin.spaces.listPagesInChangeRequest(space, request.id);
	assert.deepEqual(tree.pages, revision.pages);
	const added = flatten(tree.pages).find((p) => p.title === 'Added');
	const { data: page } = await admin.spaces.getPageInChangeRequestById(space, request.id, added.id);
	assert.ok(page.document.nodes.length > 0);
	const { data: same } = await admin.spaces.getPageInChangeRequestByPath(space, request.id, added.path);
	assert.equal(same.id, added.id);
	const files = await all((q) => admin.spaces.listFilesInChangeRequestById(space, request.id, q));
	assert.ok(files.some((f) => f.name === 'note.txt'));
	const [file] = files;
	assert.deepEqual((await admin.spaces.getFileInChangeRequestById(space, request.id, file.id)).data, file);
	const [note] = revision.reusableContents;
	assert.deepEqual((await admin.spaces.getReusableContentInChangeRequestById(space, request.id, note.id)).data, note);

	const { data: told } = await admin.spaces.getChangeRequestChanges(space, request.id, { limit: 100 });
	const kinds = told.changes.map((c) => c.type).sort();
	assert.deepEqual(kinds, ['file_created', 'page_created', 'page_deleted', 'page_edited']);

	const { data: merged } = await admin.spaces.mergeChangeRequest(space, request.id);
	assert.equal(merged.result, 'merge');
	assert.match(await markdown(space, id('Deep')), /Changed\./);
	const { data: done } = await admin.spaces.getChangeRequestById(space, request.id);
	assert.deepEqual([done.status, done.revisionMerged], ['merged', merged.revision]);
	const { data: now } = await admin.spaces.getCurrentRevision(space);
	assert.deepEqual([now.type, now.mergedFrom], ['merge', done]);
	const { data: changed } = await admin.spaces.getRevisionSemanticChanges(space, merged.revision, { limit: 100 });
	assert.deepEqual(changed.changes.map((c) => c.type).sort(), kinds);
	await refused(409, /merged/, admin.spaces.mergeChangeRequest(space, request.id));
});

test('a change request takes in what has changed in the space', async () => {
	const { space, request, id } = await opened('Updated');
	await write(space, request.id, [{ operation: 'update_page', page: id('Deep'), title: 'Deeper still' }]);
	const { data: other } = await admin.spaces.createChangeRequest(space, {});
	await write(space, other.id, [
		{ operation: 'update_page', page: id('Text'), document: { markdown: '# Text\n\nAnew.\n' } },
	]);
	await admin.spaces.mergeChangeRequest(space, other.id);
	assert.equal((await admin.spaces.getChangeRequestById(space, request.id)).data.outdated, true);
	const { data: updated } = await admin.spaces.updateChangeRequest(space, request.id);
	assert.equal(updated.result, 'update');
	const { data: now } = await admin.spaces.getChangeRequestById(space, request.id);
	assert.deepEqual([now.outdated, now.revision], [false, updated.revision]);
	const { data: text } = await admin.spaces.getPageInChangeRequestById(space, request.id, id('Text'), { format: 'markdown' });
	assert.match(text.markdown, /Anew/);
});

test('where both sides changed the same lines, nothing is lost', async () => {
	const { space, request, id } = await opened('Conflict');
	const body = (line) => [{ operation: 'update_page', page: id('Deep'), document: { markdown: `# Deep\n\n${line}\n` } }];
	await write(space, request.id, body('Ours.'));
	const { data: other } = await admin.spaces.createChangeRequest(space, {});
	await write(space, other.id, body('Theirs.'));
	await admin.spaces.mergeChangeRequest(space, other.id);
	const { data: result } = await admin.spaces.mergeChangeRequest(space, request.id);
	assert.equal(result.result, 'conflicts');
	assert.deepEqual(result.conflicts.map((c) => c.page), [id('Deep')]);
	assert.match(await markdown(space, id('Deep')), /Theirs/);
	const { data: own } = await admin.spaces.getPageInChangeRequestById(space, request.id, id('Deep'), { format: 'markdown' });
	assert.match(own.markdown, /Ours/);
});

test('an update takes in what merges beside the places that clash, and all of these are named', async () => {
	const { space, request, id } = await opened('Beside');
	const body = (lines) => ({ operation: 'update_page', page: id('Deep'), document: { markdown: `# Deep\n\n${lines.join('\n\n')}\n` } });
	const { data: first } = await admin.spaces.createChangeRequest(space, {});
	await write(space, first.id, [body(['one', 'two', 'three', 'four', 'five'])]);
	await admin.spaces.mergeChangeRequest(space, first.id);
	const { data: ours } = await admin.spaces.createChangeRequest(space, { subject: 'Ours' });
	const { data: theirs } = await admin.spaces.createChangeRequest(space, {});
	await write(space, ours.id, [body(['one ours', 'two', 'three ours', 'four', 'five'])]);
	await write(space, theirs.id, [{ ...body(['one theirs', 'two', 'three theirs', 'four', 'five theirs']), icon: 'star' }]);
	await admin.spaces.mergeChangeRequest(space, theirs.id);
	const { data: result } = await admin.spaces.updateChangeRequest(space, ours.id);
	assert.deepEqual(result.conflicts.map((c) => [c.kind, c.ours, c.theirs]),
		[['text', 'one ours\n', 'one theirs\n'], ['text', 'three ours\n', 'three theirs\n']]);
	const { data: page } = await admin.spaces.getPageInChangeRequestById(space, ours.id, id('Deep'), { format: 'markdown' });
	assert.equal(page.icon, 'star');
	assert.match(page.markdown, /one ours\n\ntwo\n\nthree ours\n\nfour\n\nfive theirs/);
	await write(space, ours.id, [body(['one both', 'two', 'three both', 'four', 'five theirs'])]);
	assert.equal((await admin.spaces.mergeChangeRequest(space, ours.id)).data.result, 'merge');
	const merged = (await admin.spaces.getSpaceById(space)).data.revision;
	const { data: told } = await admin.spaces.getRevisionSemanticChanges(space, merged, {});
	assert.equal(told.mergedFrom.id, ours.id);
	await admin.spaces.updateChangeRequestById(space, request.id, { status: 'archived' });
});

test('changes are all made or none', async () => {
	const { space, request, id } = await opened('Whole');
	await refused(404, /./, write(space, request.id, [
		{ operation: 'update_page', page: id('Deep'), title: 'Half' },
		{ operation: 'delete_page', page: 'nothing' },
	]));
	const { data } = await admin.spaces.getPageInChangeRequestById(space, request.id, id('Deep'));
	assert.equal(data.title, 'Deep');
	await refused(400, /operation must be one of insert_page,/, write(space, request.id, [{ operation: 'burn_page', page: id('Deep') }]));
});
