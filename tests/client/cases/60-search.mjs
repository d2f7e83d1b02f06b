// Search in a space and in an organization.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, organization, reader, refused, stranger } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

test('pages are found by their words, by those who may read them', async () => {
	const { space } = await newSpace('Searched');
	const found = (who, query) => all((q) => who.spaces.searchSpaceContent(space.id, { query, ...q }));
	const [first] = await found(admin, 'terminal');
	assert.equal(first.title, 'First steps');
	assert.equal(first.path, 'guides/first-steps');
	assert.deepEqual((await found(admin, 'nowhere-to-be-found')), []);
	assert.ok((await found(reader, 'DEEPER')).some((p) => p.title === 'Deeper'));
	await refused(404, /space/, found(stranger, 'deeper'));
	await refused(400, /query/, found(admin, 'x'.repeat(513)));
});

test('an organization is searched space by space', async () => {
	const found = await all((q) => admin.orgs.searchOrganizationContent(organization, { query: 'terminal', ...q }));
	assert.ok(found.length > 0);
	for (const space of found) assert.ok(space.pages.length > 0, space.title);
	await refused(404, /organization/, stranger.orgs.searchOrganizationContent(organization, { query: 'terminal' }));
});
