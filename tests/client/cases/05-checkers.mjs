// The checkers detect faults: one valid document, and copies of it with one fault each, which must be named.
import test from 'node:test';
import assert from 'node:assert/strict';
import * as renderer from '../lib/renderer.mjs';
import { documentFaults } from '../lib/documents.mjs';
import { contract } from '../lib/service.mjs';

let count = 0;
const key = () => `k${(count += 1)}`;
const text = (value) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type, rest) => ({ object: 'block', type, key: key(), ...rest });
const paragraph = (value) => block('paragraph', { nodes: [text(value)] });
const voided = (type, data) => block(type, { isVoid: true, data });
const list = (...items) => block('list-unordered', { nodes: items });
const item = (...nodes) => block('list-item', { nodes });
const inline = (type, rest) => ({ object: 'inline', type, ...rest });
const of = (...nodes) => ({ object: 'document', data: {}, nodes });
const grid = (data) => ({
	...voided('table', {
		view: { type: 'grid', columns: ['c'], hideHeader: false },
		definition: { c: { id: 'c', title: 'C', type: 'text', textAlignment: 'left' } },
		records: { r: { orderIndex: '0', values: { c: 'f' } } },
		...data,
	}),
	fragments: [{ object: 'fragment', fragment: 'f', nodes: [paragraph('cell')] }],
});

const good = of(
	block('heading-1', { data: {}, meta: { id: 'top' }, nodes: [text('Top')] }),
	paragraph('text'),
	list(item(paragraph('one'), block('hint', { data: { style: 'info' }, nodes: [grid({})] }))),
	block('code', { data: {}, nodes: [block('code-line', { data: {}, nodes: [text('x')] })] }),
);

test('a sound document has no fault', () => {
	assert.deepEqual(renderer.documentFaults(good), []);
	assert.deepEqual(documentFaults(good), []);
});

const known = { pages: new Set(['p']), files: new Set(['f']), reusable: new Set() };
for (const [name, pattern, ...nodes] of [
	['a text without leaves', /without leaves/, block('paragraph', { nodes: [{ object: 'text' }] })],
	['a leaf without marks', /without marks/,
		block('paragraph', { nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x' }] }] })],
	['an item without its list', /stands in document/, item(paragraph('x'))],
	['a paragraph in a list', /stands in list/, list(paragraph('x'))],
	['an empty item', /is empty/, list(item())],
	['an image alone', /stands in document/,
		{ ...voided('image', { ref: { kind: 'url', url: 'https://e.x' } }), fragments: [] }],
	['a style of its own', /style success2/, block('hint', { data: { style: 'success2' }, nodes: [paragraph('x')] })],
	['a heading without anchor', /no anchor/, block('heading-1', { data: {}, nodes: [text('x')] })],
	['a heading without data', /no data/, block('heading-2', { meta: { id: 'x' }, nodes: [text('x')] })],
	['a fourth level', /not? block that is shown/, block('heading-4', { data: {}, nodes: [] })],
	['tabs without key', /no key/, { object: 'block', type: 'tabs', nodes: [block('tabs-item', { data: {}, nodes: [paragraph('x')] })] }],
	['a cell without fragment', /no fragment g/, grid({ records: { r: { orderIndex: '0', values: { c: 'g' } } } })],
	['a column without definition', /no definition of column d/,
		grid({ view: { type: 'grid', columns: ['d'], hideHeader: false } })],
	['an inline without data', /no data/, block('paragraph', { nodes: [inline('emoji', { isVoid: true })] })],
	['a link to no page', /no page q/,
		block('paragraph', { nodes: [inline('link', { data: { ref: { kind: 'page', page: 'q' } }, nodes: [text('x')] })] })],
	['a file that is not there', /no file g/, voided('file', { ref: { kind: 'file', file: 'g' } })],
	['one key twice', /key same twice/,
		...[1, 2].map(() => ({ ...paragraph('x'), key: 'same' }))],
	['one anchor twice', /anchor same twice/,
		...[1, 2].map(() => block('heading-1', { data: {}, meta: { id: 'same' }, nodes: [text('x')] }))],
	['an expandable without title', /no title/, { ...voided('expandable', {}), fragments: [] }],
])
	test(`the renderer's checker finds ${name}`, () => {
		const faults = renderer.documentFaults(of(...nodes), known);
		assert.ok(faults.some((fault) => pattern.test(fault)), faults.join('\n') || 'no fault');
	});

for (const [name, pattern, ...nodes] of [
	['a type of nobody', /allowed values/, block('zork', { nodes: [] })],
	['a mark of nobody', /allowed values/,
		block('paragraph', { nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [{ object: 'mark', type: 'blink' }] }] }] })],
	['a missing member', /required property 'url'/, voided('embed', {})],
	['a wrong type', /must be string/, voided('math', { formula: 1 })],
	['an item at the top', /allowed values/, item(paragraph('x'))],
	['a code line in a hint', /allowed values/,
		block('hint', { data: { style: 'info' }, nodes: [block('code-line', { data: {}, nodes: [] })] })],
	['a bad reference', /allowed values/, voided('content-ref', { ref: { kind: 'planet' } })],
])
	test(`the schemas find ${name}`, () => {
		const faults = documentFaults(of(...nodes));
		assert.ok(faults.some((fault) => pattern.test(fault)), faults.join('\n') || 'no fault');
	});

test("the contract's checker finds what is wrong with an answer", () => {
	const user = { object: 'user', id: 'u', displayName: 'U', urls: { location: 'https://e.x/u' } };
	const check = (status, body) => contract.check(contract.match('GET', '/user'), status, body);
	assert.deepEqual(check(200, JSON.stringify(user)), []);
	assert.match(check(200, JSON.stringify({ ...user, id: 1 })).join(), /must be string/);
	assert.match(check(200, JSON.stringify({ ...user, urls: {} })).join(), /required property 'location'/);
	assert.match(check(200, 'User').join(), /not JSON/);
	assert.match(check(201, JSON.stringify(user)).join(), /no answer 201/);
	assert.match(check(403, '{}').join(), /required property 'error'/);
	assert.match(check(500, '{}').join(), /the answer is 500/);
	assert.match(contract.check(contract.match('DELETE', '/spaces/x'), 204, '{}').join(), /has a body/);
});

test("the revision's checker finds what is wrong with a tree", () => {
	const page = { type: 'group', id: 'g', title: 'G', path: 'g', pages: [] };
	const revision = { urls: { app: 'https://e.x' }, createdAt: '2026-01-01T00:00:00.000Z', pages: [page], files: [], reusableContents: [] };
	const faults = (change) => renderer.revisionFaults({ ...revision, ...change }).join('\n');
	assert.equal(faults({}), '');
	assert.match(faults({ files: undefined }), /no files/);
	assert.match(faults({ pages: [page, { ...page, path: 'h' }] }), /id g is missing or there twice/);
	assert.match(faults({ pages: [{ ...page, path: 'G' }] }), /not in lower case/);
	assert.match(faults({ pages: [{ ...page, pages: undefined }] }), /no pages/);
	assert.match(faults({ pages: [{ ...page, type: 'document' }] }), /no layout.width/);
	assert.match(faults({ pages: [{ ...page, type: 'link' }] }), /without target/);
	assert.match(faults({ files: [{ id: 'f', name: 'f', contentType: 'a/b', size: 1 }] }), /not whole/);
});
