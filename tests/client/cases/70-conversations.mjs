// Support conversations, their issues and clusters. lib/service.mjs checks each response against
// the published schemas.
import test from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { admin, all, refused, stranger } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const message = (body, role = 'user') => ({ type: 'message', role, body });

// The job runner works in parallel.
const analysed = async (org, id) => {
	for (let i = 0; i < 600; i++) {
		const { data } = await admin.orgs.getConversationById(org, encodeURIComponent(id));
		if (data.conversation.processedAt) return data;
		await wait(100);
	}
	throw new Error(`${id} is not analysed`);
};

test('conversations go in, what they ask comes out, a change request answers it', async () => {
	const { space } = await newSpace('Answers');
	const org = space.organization;
	await admin.orgs.ingestConversation(org, {
		id: 'client/1',
		subject: 'Locked out',
		metadata: { url: 'https://help.example.com/1', attributes: { email: 'ann@example.com' }, createdAt: '2026-01-31T09:30:00Z' },
		parts: [message('<p>Hi,</p><p>how do I reset my password?</p>'), message('Which address?', 'team-member')],
	});
	await admin.orgs.ingestConversation(org, [
		{ id: 'client/2', parts: [message('I forgot my password. Can you reset it?')] },
		{ id: 'client/3', parts: [message('The invoice is wrong.'), message('Let me see.', 'assistant')] },
	]);
	const whole = await analysed(org, 'client/3').then(() => analysed(org, 'client/1'));
	assert.equal(whole.metadata.attributes.email, 'ann@example.com');
	assert.equal(whole.parts.length, 2);
	assert.match(whole.conversation.source, /^integration:api:[^:]+$/);
	const conversations = await all((q) => admin.orgs.listConversations(org, { ...q, source: whole.conversation.source }));
	assert.ok(conversations.length >= 3);

	const { data: issues } = await admin.orgs.listConversationsIssues(org, { conversation: 'client/1' });
	assert.equal(issues.items[0].issue.title, 'how do I reset my password?');
	const { data: one } = await admin.orgs.getConversationIssueById(org, issues.items[0].issue.id);
	assert.equal(one.conversation.id, 'client/1');
	for (const orderBy of ['updatedAt', 'issues', 'conversations', 'tasksTotal', 'tasksBacklog', 'tasksStarted'])
		for (const order of ['asc', 'desc']) await admin.orgs.listConversationsIssuesClusters(org, { orderBy, order });
	const { data: cluster } = await admin.orgs.getConversationsIssuesCluster(org, one.issue.cluster);
	assert.equal(cluster.weeklyPulse.length, 13);
	assert.equal(cluster.stats.issues, 2);

	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject: 'Passwords', conversationsIssuesCluster: cluster.id });
	assert.equal(request.conversationsIssuesCluster, cluster.id);
	const { data: found } = await admin.spaces.listChangeRequestsForSpace(space.id, { conversationsIssuesCluster: cluster.id });
	assert.deepEqual(found.items.map((r) => r.id), [request.id]);
	await refused(404, /cluster/, admin.spaces.createChangeRequest(space.id, { conversationsIssuesCluster: 'xxxxxxxxxxxxxxxxxxxxxx' }));
	await refused(404, /./, stranger.orgs.listConversations(org));
});
