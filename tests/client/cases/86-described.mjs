// The texts of /v1/openapi.json: every operation and field has a description or an example, and
// responses, headers and parameters are described where they occur and nowhere else.
import test from 'node:test';
import assert from 'node:assert/strict';
import { description } from '../lib/description.mjs';
import { url } from '../lib/service.mjs';

const { schemas, parameters, responses } = description.components;
const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);
const operations = Object.entries(description.paths).flatMap(([path, item]) => Object.entries(item)
	.filter(([method]) => METHODS.has(method)).map(([method, operation]) => ({ path, method, ...operation })));
const part = (value, of) => (value.$ref ? of[value.$ref.split('/').pop()] : value);
const parametersOf = (operation) => (operation.parameters ?? []).map((p) => part(p, parameters));
// Names of the operations that satisfy a condition.
const those = (holds) => operations.filter(holds).map((operation) => operation.operationId);
const none = (holds) => assert.deepEqual(those(holds), []);
const json = (body) => body?.content?.['application/json'];
// A body of bytes instead of JSON: of any type, without an example.
const bytes = (o) => o.requestBody?.content['application/octet-stream'];

test('each operation has words, one tag and an example', () => {
	assert.ok(operations.length > 250);
	none((o) => !o.summary || !o.description);
	none((o) => o.tags?.length !== 1);
	none((o) => parametersOf(o).some((p) => !p.description));
	none((o) => o.requestBody && !bytes(o) && !json(o.requestBody).examples && json(o.requestBody).example === undefined);
	none((o) => Object.entries(o.responses).some(([status, r]) => status < 300 && json(r) && !json(r).examples
		&& json(r).example === undefined));
});

test('tags are the sections of the reference', () => {
	assert.deepEqual(description.tags.map((tag) => tag.name), ['Service', 'Users and tokens', 'Organizations',
		'Organization members', 'Teams and team members', 'Sign-in', 'SSO', 'Audit', 'Collections', 'Spaces', 'Space content',
		'Change requests', 'Comments', 'Conversations', 'Translations', 'OpenAPI', 'Published content', 'Sites',
		'Site spaces', 'Site sections', 'Site section groups', 'Git', 'Imports']);
	assert.deepEqual(description.tags.filter((tag) => !tag.description), []);
	for (const tag of description.tags) assert.ok(those((o) => o.tags[0] === tag.name).length > 1, tag.name);
	for (const [method, path, tag] of [
		['get', '/spaces/{spaceId}/content/pages', 'Space content'], ['post', '/spaces/{spaceId}/git/import', 'Git'],
		['post', '/spaces/{spaceId}/comments', 'Comments'], ['get', '/orgs/{organizationId}/members', 'Organization members'],
		['post', '/spaces/{spaceId}/change-requests/{changeRequestId}/merge', 'Change requests'],
		['get', '/orgs/{organizationId}/teams', 'Teams and team members'],
	])
		assert.deepEqual(description.paths[path][method].tags, [tag], `${method} ${path}`);
});

// The fields of a schema at every depth, by their path.
function* fields(schema, at) {
	if (schema === null || typeof schema !== 'object') return;
	for (const [name, field] of Object.entries(schema.properties ?? {})) {
		yield [`${at}.${name}`, field];
		yield* fields(field, `${at}.${name}`);
	}
	for (const word of ['oneOf', 'anyOf', 'allOf'])
		for (const variant of schema[word] ?? []) yield* fields(variant, at);
	yield* fields(schema.items, `${at}[]`);
	yield* fields(schema.additionalProperties, `${at}{}`);
}

// A field that is another schema, or a list or map of one, is described by that schema.
function refers(field) {
	if (field === null || typeof field !== 'object') return false;
	if (field.$ref) return true;
	const variants = field.anyOf ?? field.oneOf;
	if (variants) return variants.every((v) => v.type === 'null' || refers(v));
	return refers(field.items) || refers(field.additionalProperties);
}

test('each field has words, a type and an example', () => {
	const wrong = { words: [], type: [], example: [] };
	let count = 0;
	for (const [name, schema] of Object.entries(schemas)) {
		for (const [at, field] of fields(schema, name)) {
			count += 1;
			if (!field.description && !(field.$ref && part(field, schemas).description)) wrong.words.push(at);
			if (!['type', '$ref', 'anyOf', 'oneOf', 'const', 'enum'].some((word) => word in field)) wrong.type.push(at);
			if (!refers(field) && !('examples' in field || 'example' in field || 'const' in field)) wrong.example.push(at);
		}
	}
	assert.ok(count > 1500, `${count} fields`);
	assert.deepEqual(wrong, { words: [], type: [], example: [] });
});

// Fields that once had no type, by name: each must refer to a schema wherever it occurs.
test('what has a form of its own is described by it', () => {
	const seen = new Map();
	for (const [name, schema] of Object.entries(schemas))
		for (const [at, field] of fields(schema, name)) {
			const last = at.split('.').pop();
			if (refers(field)) seen.set(last, [...(seen.get(last) ?? []), name]);
		}
	for (const [field, holder] of [['mergeRules', 'UpdateSpace'], ['document', 'RevisionPageDocument'],
		['target', 'RevisionPageLink'], ['target', 'Comment'], ['cover', 'RevisionPageDocument'],
		['defaultContent', 'Organization'], ['position', 'MoveContent'], ['attributes', 'RevisionSemanticChange']])
		assert.ok(seen.get(field)?.includes(holder), `${field} of ${holder}`);
});

test('a body has to be sent where a member of it has to', () => {
	const needs = (schema) => {
		const whole = part(schema, schemas);
		return (whole.required ?? []).length > 0 || (whole.oneOf ?? whole.anyOf ?? []).some(needs);
	};
	none((o) => o.requestBody && (bytes(o) || needs(json(o.requestBody).schema)) && o.requestBody.required !== true);
	assert.ok(those((o) => o.requestBody?.required).length > 40);
});

test('failures are told where they can come', () => {
	const answers = (o, status) => status in o.responses;
	none((o) => !answers(o, 405) || !answers(o, 429));
	none((o) => ('requestBody' in o) !== answers(o, 413) || ('requestBody' in o && !bytes(o)) !== answers(o, 415));
	// Who signs in proves it in the body, without a token.
	none((o) => o.tags[0] !== 'Sign-in' && (o.security?.length === 0) === answers(o, 401));
	none((o) => o.path.includes('{') && !answers(o, 404));
	none((o) => answers(o, 412) !== parametersOf(o).some((p) => p.name === 'If-Match'));
});

test('headers are told where they come', () => {
	const headers = (o, status) => Object.keys(part(o.responses[status], responses).headers ?? {});
	none((o) => Object.keys(o.responses).some((status) => !headers(o, status).includes('X-Request-Id')));
	none((o) => o.responses[201] && !headers(o, 201).includes('Location'));
	none((o) => !headers(o, 405).includes('Allow') || !headers(o, 429).includes('Retry-After'));
	none((o) => o.method === 'get' && o.responses[200] && !headers(o, 200).includes('ETag'));
});

test('metadata and computed are taken where they change the answer', () => {
	const takes = (name) => new Set(those((o) => parametersOf(o).some((p) => p.in === 'query' && p.name === name)));
	// Content of a space, of a change request and of a revision: the whole, pages, files, reusable contents.
	const part = '(pages|page/{pageId}|path/{pagePath}|files(/{fileId})?|reusable-contents/{\\w+})'.replaceAll('{', '\\{').replaceAll('}', '\\}');
	const content = new RegExp(`^/spaces/\\{spaceId\\}(/change-requests/\\{changeRequestId\\})?/(content|revisions/\\{revisionId\\})(/${part})?$`);
	const read = operations.filter((o) => o.method === 'get' && content.test(o.path));
	assert.deepEqual(takes('metadata'), new Set(read.map((o) => o.operationId)));
	// Documents of a revision and pages as HTML have no metadata.
	const documents = operations.filter((o) => o.method === 'get' && /^\/spaces\/.*(\/revisions\/.*\/document|\/html)$/.test(o.path));
	assert.deepEqual(takes('computed'), new Set([...read, ...documents].map((o) => o.operationId)));
});

test('what no request of the others gets is as it is described', async () => {
	const answer = await fetch(`${url}/v1/user`, { method: 'PUT' });
	assert.equal(answer.status, 405);
	assert.deepEqual(answer.headers.get('allow').split(', ').filter((m) => m !== 'OPTIONS' && m !== 'HEAD').sort(),
		Object.keys(description.paths['/user']).filter((m) => METHODS.has(m)).map((m) => m.toUpperCase()).sort());
	await answer.arrayBuffer();
});
