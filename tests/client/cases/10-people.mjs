// The API's description, users and organizations.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, client, laterClient, organization, reader, refused, stranger, tokens, url } from '../lib/service.mjs';

test('the API tells about itself', async () => {
	await admin.getApiInformation();
});

test('a token is somebody', async () => {
	const { data: user } = await admin.user.getAuthenticatedUser();
	assert.equal(user.displayName, 'Ada');
	assert.equal(user.email, 'ada@example.com');
	assert.equal(user.urls.location, `${url}/v1/users/${user.id}`);
	await refused(401, /token/, client('oct_nobody').user.getAuthenticatedUser());
	await refused(401, /token/, client(undefined).user.getAuthenticatedUser());
});

test('users are known to those who share an organization', async () => {
	const { data: ada } = await admin.user.getAuthenticatedUser();
	const { data: seen } = await reader.users.getUserById(ada.id);
	assert.equal(seen.displayName, 'Ada');
	await refused(404, /user/, stranger.users.getUserById(ada.id));
	await refused(404, /user/, admin.users.getUserById('nobody'));
});

test('organizations are listed, read and made', async () => {
	const { data: made } = await laterClient(tokens.stranger).orgs.createOrganization({ title: 'Second' });
	assert.equal(made.title, 'Second');
	const { data: read } = await stranger.orgs.getOrganizationById(made.id);
	assert.deepEqual(read, made);
	assert.equal(read.permissions.admin, true);
	const of = async (who) => (await all((q) => who.orgs.listOrganizationsForAuthenticatedUser(q))).map((o) => o.title);
	assert.deepEqual(await of(stranger), ['Second']);
	assert.deepEqual(await of(reader), ['Acme']);
	await refused(404, /organization/, stranger.orgs.getOrganizationById(organization));
	await refused(404, /organization/, admin.orgs.getOrganizationById(made.id));
	const { data: acme } = await reader.orgs.getOrganizationById(organization);
	assert.equal(acme.permissions.admin, false);
	assert.equal(acme.permissions.view, true);
});

test('what a list cannot give is refused', async () => {
	const list = (query) => admin.orgs.listOrganizationsForAuthenticatedUser(query);
	await refused(400, /limit/, list({ limit: 1001 }));
	await refused(400, /limit/, list({ limit: -1 }));
	await refused(400, /page/, list({ page: 'not-ours' }));
	const { data } = await list({ limit: 0 });
	assert.deepEqual([data.items.length, data.count], [0, 1]);
});
