// A client made from the description alone: openapi-typescript writes
// description.d.ts, openapi-fetch sends. tsc --strict compiles this file, so
// that a member which the description lacks, or calls by another type, is an
// error before anything runs. No `any`, no casts.
import createClient from 'openapi-fetch';
import type { components, paths } from './description.js';

type Node = components['schemas']['DocumentNode'];
type Page = components['schemas']['RevisionPage'];
type Failure = components['schemas']['Error'];

function check(condition: boolean, message: string): asserts condition {
	if (!condition) throw new Error(message);
}

// The answer's body; a failure tells its message.
function body<T>(answer: { data?: T; error?: Failure; response: Response }): T {
	if (answer.data !== undefined) return answer.data;
	throw new Error(`${answer.response.status} ${answer.error?.error.message ?? 'without a message'}`);
}

function textOf(node: Node): string {
	switch (node.object) {
		case 'text':
			return node.leaves.map((leaf) => leaf.text).join('');
		case 'inline':
		case 'block':
			return (node.nodes ?? []).map(textOf).join('');
	}
}

// Titles of a tree, each variant by its own members.
function titles(pages: Page[]): string[] {
	return pages.flatMap((page) => {
		const here = page.type === 'document' ? `${page.title} (${page.path})`
			: page.type === 'link' && page.target.kind === 'url' ? `${page.title} -> ${page.target.url}`
			: page.title;
		return [here, ...titles(page.pages)];
	});
}

export async function drive(baseUrl: string, token: string, organizationId: string): Promise<string[]> {
	const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
	const told: string[] = [];

	const me = body(await api.GET('/user'));
	told.push(`user ${me.displayName}`);

	// A key makes the repeat give the first answer again.
	const create = () => api.POST('/orgs/{organizationId}/spaces', {
		params: { path: { organizationId }, header: { 'Idempotency-Key': `typed-${me.id}` } },
		body: { title: 'Typed', mergeRules: undefined },
	});
	const made = await create();
	const space = body(made);
	check(made.response.status === 201, `${made.response.status}`);
	check(made.response.headers.get('location') === space.urls.location, 'Location is another one');
	check(body(await create()).id === space.id, 'the key made another space');
	const spaceId = space.id;

	// What was read is changed only while it is as it was read.
	const read = await api.GET('/spaces/{spaceId}', { params: { path: { spaceId } } });
	const tag = read.response.headers.get('etag') ?? '';
	const rename = (title: string) => api.PATCH('/spaces/{spaceId}', {
		params: { path: { spaceId }, header: { 'If-Match': tag } },
		body: { title, mergeRules: { type: 'rules', rules: [{ rule: 'require_change_request_subject' }] } },
	});
	const renamed = body(await rename('Typed handbook'));
	check(renamed.mergeRules.type === 'rules' && renamed.mergeRules.rules.length === 1, 'the rules are not kept');
	const stale = await rename('Another');
	check(stale.error !== undefined && stale.response.status === 412, 'a stale tag was taken');
	told.push(`refused ${stale.error.error.code}`);
	const missing = await api.GET('/spaces/{spaceId}', { params: { path: { spaceId: 'nobodyAtAll' } } });
	check(missing.error?.error.code === 404, 'an unknown space was found');

	const request = body(await api.POST('/spaces/{spaceId}/change-requests', {
		params: { path: { spaceId } },
		body: { subject: 'First steps' },
	}));
	const changeRequestId = request.id;
	const write = (compat: boolean, title: string) => api.POST(
		'/spaces/{spaceId}/change-requests/{changeRequestId}/content', {
			params: { path: { spaceId, changeRequestId }, query: { compat } },
			body: { changes: [{
				operation: 'insert_page', title, ref: 'one',
				document: { markdown: 'Run **make** [install](https://example.org/).' },
			}] },
		});

	// Both answers of one operation.
	const whole = body(await write(true, 'Whole'));
	check('object' in whole && whole.object === 'change-request', 'compat=true answers something else');
	const effects = body(await write(false, 'Effects'));
	check('changes' in effects, 'compat=false answers something else');
	const effect = effects.changes[0];
	check(effect?.object === 'created_page' && effect.ref === 'one', 'no page was made');
	const pageId = effect.page.id;

	const page = body(await api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}', {
		params: { path: { spaceId, changeRequestId, pageId }, query: { format: 'document' } },
	}));
	check(page.type === 'document' && page.document !== undefined, 'the page has no document');
	told.push(page.document.nodes.map(textOf).join('|'));

	const changes = body(await api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/changes', {
		params: { path: { spaceId, changeRequestId }, query: { diff: true } },
	}));
	told.push(changes.changes.map((change) => `${change.type} ${change.page?.title ?? ''}`).sort().join(', '));

	const merged = body(await api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/merge', {
		params: { path: { spaceId, changeRequestId } },
	}));
	told.push(merged.result);
	const tree = body(await api.GET('/spaces/{spaceId}/content/pages', { params: { path: { spaceId } } }));
	told.push(...titles(tree.pages));

	// A list, item by item.
	const names: string[] = [];
	let next: string | undefined;
	do {
		const part = body(await api.GET('/orgs/{organizationId}/spaces', {
			params: { path: { organizationId }, query: { limit: 1, page: next } },
		}));
		names.push(...part.items.map((item) => item.title));
		next = part.next?.page;
	} while (next !== undefined);
	check(names.includes('Typed handbook'), 'the list lacks the space');

	const gone = await api.DELETE('/spaces/{spaceId}', { params: { path: { spaceId } } });
	check(gone.response.status === 204, 'the space is not deleted');
	return told;
}
