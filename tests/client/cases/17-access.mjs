// Access: settings of an organization, invites, sign-in, grants on spaces and collections.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, laterClient, organization, reader, refused, stranger, tokens } from '../lib/service.mjs';

const me = async (who) => (await who.user.getAuthenticatedUser()).data;
const newOrganization = async (title, more) =>
	(await laterClient(tokens.admin).orgs.createOrganization({ title, ...more })).data;

test('an organization is changed by its admins', async () => {
	const { id } = await newOrganization('Before');
	const change = async (body) => (await admin.orgs.updateOrganizationById(id, body)).data;
	assert.equal((await change({ title: 'After', hostname: 'after-docs' })).title, 'After');
	assert.deepEqual((await change({ emailDomains: ['example.org'] })).emailDomains, ['example.org']);
	assert.equal((await change({ defaultRole: 'edit' })).hostname, 'after-docs');
	const { data: subdomain } = await admin.subdomains.getSubdomain('after-docs');
	assert.deepEqual(subdomain.target, { type: 'organization', organization: id });
	await refused(400, /title/, change({ title: 'A' }));
	await refused(403, /./, reader.orgs.updateOrganizationById(organization, { title: 'Ours' }));
	await refused(404, /./, stranger.orgs.updateOrganizationById(organization, { title: 'Ours' }));
});

test('instructions for agents are a document', async () => {
	const { data: before } = await admin.orgs.getOrganizationAgentInstructions(organization);
	assert.deepEqual(before.instructions.nodes, []);
	const leaf = { object: 'leaf', text: 'Be kind.', marks: [] };
	const nodes = [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf] }] }];
	const instructions = { object: 'document', data: {}, nodes };
	const { data: after } = await admin.orgs.updateOrganizationAgentInstructions(organization, { instructions });
	assert.match(JSON.stringify(after.instructions), /Be kind\./);
	assert.equal(after.updatedBy, (await me(admin)).id);
});

test('one joins by email domain, by invite, and by link', async () => {
	const { id } = await newOrganization('Joined', { emailDomains: ['example.com'] });
	const sam = await me(stranger);
	const leave = () => admin.orgs.removeMemberFromOrganizationById(id, sam.id);
	const { data: domain } = await stranger.emailDomains.getOrganizationsForEmailDomain('example.com');
	assert.ok(domain.organizations.some((o) => o.id === id));
	await stranger.orgs.joinOrganization(id);
	assert.equal((await admin.orgs.getMemberInOrganizationById(id, sam.id)).data.user.id, sam.id);
	await leave();
	const { data: invited } = await admin.orgs.inviteUsersToOrganization(id, { emails: ['sam@example.com'], role: 'edit' });
	assert.deepEqual(invited.users, [sam.id]);
	assert.equal((await admin.orgs.getMemberInOrganizationById(id, sam.id)).data.role, 'edit');
	await leave();
	const { data: link } = await admin.orgs.createOrganizationInvite(id, { role: 'read' });
	assert.equal((await all((q) => admin.orgs.listOrganizationInviteLinks(id, q)))[0].id, link.id);
	await admin.orgs.updateOrganizationInviteById(id, link.id, { role: 'comment' });
	await stranger.orgs.getOrganizationInviteLink(id, link.id);
	await stranger.orgs.joinOrganizationWithInvite(id, link.id);
	assert.equal((await admin.orgs.getMemberInOrganizationById(id, sam.id)).data.role, 'comment');
	await admin.orgs.deleteOrganizationInviteById(id, link.id);
	await refused(404, /./, stranger.orgs.joinOrganizationWithInvite(id, link.id));
	await leave();
});

test('sign-in is set up step by step', async () => {
	const { data: made } = await admin.orgs.createOrganizationSamlProvider(organization, { label: 'Acme' });
	assert.equal(made.status, 'pending');
	assert.deepEqual((await admin.orgs.getOrganizationSamlProviderById(organization, made.id)).data, made);
	const { data: changed } = await admin.orgs.updateOrganizationSamlProvider(organization, made.id, { label: 'Login' });
	assert.equal(changed.label, 'Login');
	assert.deepEqual((await all((q) => admin.orgs.listSamlProvidersInOrganizationById(organization, q))).map((p) => p.id), [made.id]);
	assert.ok(Array.isArray((await admin.orgs.listSsoProviderLoginsInOrganization(organization)).data.items));
	await refused(403, /./, reader.orgs.listSamlProvidersInOrganizationById(organization));
	await admin.orgs.deleteOrganizationSamlProvider(organization, made.id);
	await refused(404, /./, admin.orgs.getOrganizationSamlProviderById(organization, made.id));
});

test('users change their own name alone', async () => {
	const sam = await me(stranger);
	const { data: changed } = await stranger.users.updateUserById(sam.id, { displayName: 'Samuel' });
	assert.equal(changed.displayName, 'Samuel');
	await stranger.users.updateUserById(sam.id, { displayName: 'Sam' });
	await refused(404, /./, stranger.users.updateUserById((await me(admin)).id, { displayName: 'Nobody' }));
});

for (const kind of ['Space', 'Collection'])
	test(`grants on one object: ${kind}`, async () => {
		const [group, make] = kind === 'Space' ? ['spaces', 'createSpace'] : ['collections', 'createCollection'];
		const { data: object } = await admin.orgs[make](organization, { title: 'Granted' });
		const { data: team } = await admin.orgs.createOrganizationTeam(organization, { title: `For ${kind}` });
		const rita = await me(reader);
		const call = (name, ...rest) => admin[group][name](object.id, ...rest);
		const users = async () =>
			Object.fromEntries((await all((q) => call(`listUserPermissionsIn${kind}`, q))).map((p) => [p.user.id, p.permission]));
		const teams = async () =>
			Object.fromEntries((await all((q) => call(`listTeamPermissionsIn${kind}`, q))).map((p) => [p.team.id, p.permission]));
		await call(`inviteTo${kind}`, {
			role: 'comment',
			users: [rita.id],
			teams: [team.id],
		});
		assert.equal((await users())[rita.id], 'comment');
		assert.equal((await teams())[team.id], 'comment');
		await call(`updateUserPermissionIn${kind}`, rita.id, { role: 'review' });
		await call(`updateTeamPermissionIn${kind}`, team.id, { role: 'read' });
		assert.equal((await users())[rita.id], 'review');
		assert.equal((await teams())[team.id], 'read');
		const everyone = await all((q) => call(`listPermissionsAggregateIn${kind}`, q));
		assert.ok(everyone.some((p) => p.user.id === rita.id && p.permission === 'review'));
		await refused(403, /./, reader[group][`inviteTo${kind}`](object.id, { role: 'read', users: [rita.id] }));
		await call(`removeUserFrom${kind}`, rita.id);
		await call(`removeTeamFrom${kind}`, team.id);
		assert.equal((await users())[rita.id], undefined);
		assert.equal((await teams())[team.id], undefined);
		await admin.orgs.removeTeamFromOrganizationById(organization, team.id);
	});

test('a site has a role for users and teams', async () => {
	const { data: site } = await admin.orgs.createSite(organization, { title: 'Granted' });
	assert.equal(site.defaultLevel, 'inherit');
	const { data: team } = await admin.orgs.createOrganizationTeam(organization, { title: 'For sites' });
	const rita = await me(reader);
	const newest = laterClient(tokens.admin).orgs;
	const users = async () =>
		Object.fromEntries((await all((q) => newest.listUserPermissionsInSite(organization, site.id, q))).map((p) => [p.user.id, p.permission]));
	const teams = async () =>
		Object.fromEntries((await all((q) => newest.listTeamPermissionsInSite(organization, site.id, q))).map((p) => [p.team.id, p.permission]));
	await refused(404, /site/, reader.orgs.getSiteById(organization, site.id));
	await newest.inviteToSite(organization, site.id, { role: 'comment', users: [rita.id], teams: [team.id] });
	assert.equal((await users())[rita.id], 'comment');
	assert.equal((await teams())[team.id], 'comment');
	assert.equal((await reader.orgs.getSiteById(organization, site.id)).data.permissions.admin, false);
	await newest.updateUserPermissionInSite(organization, site.id, rita.id, { role: 'create' });
	await newest.updateTeamPermissionInSite(organization, site.id, team.id, { role: 'read' });
	assert.equal((await reader.orgs.updateSiteById(organization, site.id, { title: 'Theirs' })).data.permissions.admin, true);
	const everyone = await all((q) => newest.listPermissionsAggregateInSite(organization, site.id, q));
	assert.deepEqual(everyone.find((p) => p.user.id === rita.id).origin, { type: 'site', site: site.id, reason: 'member' });
	assert.equal((await admin.orgs.getMemberInOrganizationById(organization, rita.id)).data.sites, 1);
	await newest.removeUserFromSite(organization, site.id, rita.id);
	await newest.removeTeamFromSite(organization, site.id, team.id);
	assert.deepEqual([await users(), await teams()], [{}, {}]);
	await admin.orgs.removeTeamFromOrganizationById(organization, team.id);
	await admin.orgs.deleteSiteById(organization, site.id);
});
