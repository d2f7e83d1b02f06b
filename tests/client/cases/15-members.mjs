// Members of an organization, and teams of members.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, organization, reader, refused, stranger } from '../lib/service.mjs';

const me = async (who) => (await who.user.getAuthenticatedUser()).data;
const newTeam = async (title, members) =>
	(await admin.orgs.createOrganizationTeam(organization, { title, members })).data;

test('members are listed, read, and given roles', async () => {
	const rita = await me(reader);
	const list = (query) => all((q) => admin.orgs.listMembersInOrganizationById(organization, { ...query, ...q }));
	assert.deepEqual((await list({})).map((m) => m.user.displayName).sort(), ['Ada', 'Rita']);
	assert.deepEqual((await list({ role: 'read' })).map((m) => m.id), [rita.id]);
	assert.deepEqual((await list({ search: 'RITA@' })).map((m) => m.id), [rita.id]);
	const { data: member } = await admin.orgs.getMemberInOrganizationById(organization, rita.id);
	assert.deepEqual([member.role, member.disabled], ['read', false]);
	const change = async (role) =>
		(await admin.orgs.updateMemberInOrganizationById(organization, rita.id, { role })).data.role;
	assert.equal(await change('edit'), 'edit');
	assert.equal(await change(null), null);
	assert.equal(await change('read'), 'read');
	await refused(403, /./, reader.orgs.updateMemberInOrganizationById(organization, rita.id, { role: 'admin' }));
	await refused(404, /./, admin.orgs.getMemberInOrganizationById(organization, (await me(stranger)).id));
});

test('the last admin stays one', async () => {
	const ada = await me(admin);
	await refused(409, /admin/, admin.orgs.updateMemberInOrganizationById(organization, ada.id, { role: 'read' }));
	await refused(409, /admin/, admin.orgs.removeMemberFromOrganizationById(organization, ada.id));
	await admin.orgs.removeMemberFromOrganizationById(organization, 'nobody');
});

test('what a member may do and where is listed', async () => {
	const rita = await me(reader);
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'Seen' });
	const spaces = await all((q) => admin.orgs.listSpacesForOrganizationMember(organization, rita.id, q));
	assert.equal(spaces.find((s) => s.space.id === space.id).permission, 'read');
	const { data: sso } = await admin.orgs.setUserAsSsoMemberForOrganization(organization, rita.id);
	assert.equal(sso.sso, true);
	const { data: ping } = await reader.orgs.updateOrganizationMemberLastSeenAt(organization);
	assert.match(ping.gitbookVisitorClaims, /^[\w-]+\.[\w-]+\.[\w-]+$/);
	const { data: seen } = await admin.orgs.getMemberInOrganizationById(organization, rita.id);
	assert.ok(seen.lastSeenAt);
});

test('teams are made, filled, renamed and removed', async () => {
	const rita = await me(reader);
	const team = await newTeam('Writers', []);
	assert.equal(team.members, 0);
	assert.deepEqual((await admin.orgs.getTeamInOrganizationById(organization, team.id)).data, team);
	const listed = await all((q) => admin.orgs.listTeamsInOrganizationById(organization, { title: 'WRIT', ...q }));
	assert.deepEqual(listed.map((t) => t.id), [team.id]);
	const { data: renamed } = await admin.orgs.updateTeamInOrganizationById(organization, team.id, { title: 'Authors' });
	assert.equal(renamed.title, 'Authors');

	const members = async () =>
		(await all((q) => admin.orgs.listTeamMembersInOrganizationById(organization, team.id, q))).map((m) => [
			m.organization.id,
			m.team.role,
		]);
	await admin.orgs.updateMembersInOrganizationTeam(organization, team.id, {
		add: ['rita@example.com'],
		memberships: { [rita.id]: { role: 'owner' } },
	});
	assert.deepEqual(await members(), [[rita.id, 'owner']]);
	await admin.orgs.addMemberToOrganizationTeamById(organization, team.id, rita.id, { role: 'member' });
	assert.deepEqual(await members(), [[rita.id, 'member']]);
	const { data: teams } = await admin.orgs.listTeamsForOrganizationMember(organization, rita.id);
	assert.deepEqual(teams.items.map((t) => t.team.id), [team.id]);
	await admin.orgs.deleteMemberFromOrganizationTeamById(organization, team.id, rita.id);
	assert.deepEqual(await members(), []);
	await refused(403, /./, reader.orgs.updateTeamInOrganizationById(organization, team.id, { title: 'Ours' }));
	await admin.orgs.removeTeamFromOrganizationById(organization, team.id);
	await refused(404, /team/, admin.orgs.getTeamInOrganizationById(organization, team.id));
	await admin.orgs.removeTeamFromOrganizationById(organization, team.id);
});
