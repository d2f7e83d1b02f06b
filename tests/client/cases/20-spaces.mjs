// Spaces: created, listed, changed, deleted, restored, duplicated.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, flatten, organization, reader, refused, stranger, url } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const list = (who, limit) => all((q) => who.orgs.listSpacesInOrganizationById(organization, q), limit);

test('a space is made and read', async () => {
	const { data: made } = await admin.orgs.createSpace(organization, { title: 'Handbook', emoji: '1f4d6' });
	assert.equal(made.title, 'Handbook');
	assert.equal(made.emoji, '1f4d6');
	assert.equal(made.organization, organization);
	assert.equal(made.urls.location, `${url}/v1/spaces/${made.id}`);
	const { data: read } = await admin.spaces.getSpaceById(made.id);
	assert.deepEqual(read, made);
	const { data: seen } = await reader.spaces.getSpaceById(made.id);
	assert.deepEqual([seen.permissions.view, seen.permissions.edit], [true, false]);
	await refused(404, /space/, stranger.spaces.getSpaceById(made.id));
	assert.equal((await admin.spaces.getSpaceById(made.id, { shareKey: 'anything' })).data.id, made.id);
	await refused(403, /./, reader.spaces.updateSpaceById(made.id, { title: 'Mine' }));
});

test('a space without content is empty, not broken', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, {});
	assert.equal(space.title, 'Untitled');
	const { data: revision } = await admin.spaces.getCurrentRevision(space.id);
	assert.deepEqual([revision.pages, revision.files], [[], []]);
	assert.equal(revision.id, space.revision);
	await refused(404, /git/i, admin.spaces.getSpaceGitInfo(space.id));
	await refused(404, /page/, admin.spaces.getPageById(space.id, 'nothing'));
});

test('lists of spaces have no gaps and nothing twice', async () => {
	for (let i = 0; i < 5; i += 1) await admin.orgs.createSpace(organization, { title: `Listed ${i}` });
	const whole = (await list(admin)).map((s) => s.id);
	assert.ok(whole.length >= 5);
	assert.deepEqual((await list(admin, 2)).map((s) => s.id), whole);
	assert.deepEqual((await list(reader)).map((s) => s.id), whole);
	await refused(404, /organization/, list(stranger));
});

test('a space is changed, one member at a time', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'Before' });
	const change = async (body) => (await admin.spaces.updateSpaceById(space.id, body)).data;
	assert.equal((await change({ title: 'After' })).title, 'After');
	assert.equal((await change({ language: 'fr' })).title, 'After');
	assert.equal((await change({ defaultLevel: 'edit' })).defaultLevel, 'edit');
	assert.deepEqual((await change({ mergeRules: { type: 'none' } })).mergeRules, { type: 'none' });
	assert.equal((await change({ emoji: '1f600' })).language, 'fr');
	assert.equal((await change({ editMode: 'locked' })).permissions.edit, false);
	assert.equal((await change({ editMode: 'live' })).permissions.edit, true);
	await refused(400, /title/, change({ title: 'x'.repeat(51) }));
	await refused(400, /title/, change({ titel: 'x' }));
	assert.equal((await change({ defaultLevel: null })).defaultLevel, null);
	await refused(404, /space/, reader.spaces.getSpaceById(space.id));
});

test('a space is deleted and restored', async () => {
	const { space } = await newSpace('Deleted');
	await admin.spaces.deleteSpaceById(space.id);
	const { data: gone } = await admin.spaces.getSpaceById(space.id);
	assert.ok(gone.deletedAt);
	assert.ok(!(await list(admin)).some((s) => s.id === space.id));
	await refused(404, /./, admin.spaces.getCurrentRevision(space.id));
	await admin.spaces.deleteSpaceById(space.id);
	const { data: back } = await admin.spaces.restoreSpace(space.id);
	assert.equal(back.deletedAt, undefined);
	assert.ok((await list(admin)).some((s) => s.id === space.id));
	assert.ok((await admin.spaces.listPages(space.id)).data.pages.length > 0);
	await admin.spaces.deleteSpaceById('there-is-no-such-space');
});

test('a space is duplicated with its content', async () => {
	const { space } = await newSpace('Original');
	const { data: copy } = await admin.spaces.duplicateSpace(space.id);
	assert.equal(copy.title, 'Original (copy)');
	const ids = async (id) => flatten((await admin.spaces.listPages(id)).data.pages).map((p) => p.id);
	assert.deepEqual(await ids(copy.id), await ids(space.id));
	assert.equal(copy.gitSync, undefined);
	await admin.spaces.deleteSpaceById(space.id);
	assert.ok((await ids(copy.id)).length > 0);
});
