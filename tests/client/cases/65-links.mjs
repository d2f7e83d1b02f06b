// Links of spaces, pages and change requests, and backlinks of a page or file.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, flatten, laterClient, refused, stranger, tokens } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const later = laterClient(tokens.admin);
// One or the other release of the client has the operation.
const call = (name, ...args) =>
	(admin.spaces[name] ? admin : later).spaces[name](...args);

test('links are listed and counted, in a space, a page and a change request', async () => {
	const { space } = await newSpace('Linked');
	const pages = flatten((await admin.spaces.listPages(space.id)).data.pages);
	const page = pages.find((p) => p.type === 'document');
	const { data: links } = await call('listSpaceLinks', space.id);
	assert.ok(links.stats.total > 0);
	assert.ok(links.items.length > 0);
	await call('listPageLinksInSpace', space.id, page.id);
	await call('listSpacePageBacklinks', space.id, page.id);
	const [file] = await all((q) => admin.spaces.listFiles(space.id, q));
	await call('listSpaceFileBacklinks', space.id, file.id);
	await refused(404, /space/, stranger.spaces.listSpaceLinks(space.id));

	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject: 'Links' });
	await call('listPageLinksInChangeRequest', space.id, request.id, page.id);
	await call('listChangeRequestLinks', space.id, request.id);
	await call('listChangeRequestPageBacklinks', space.id, request.id, page.id);
	await call('listChangeRequestFileBacklinks', space.id, request.id, file.id);
});
