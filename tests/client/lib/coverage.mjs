// The last tests: every operation of both the API and the published client was called with success,
// each response matches the API's own description, and each patch of the client's schemas is still
// needed.
import test from 'node:test';
import assert from 'node:assert/strict';
import { Contract } from './contract.mjs';
import { description } from './description.mjs';
import { called, contract, later, methods, newest, patches } from './service.mjs';

test('every operation that the client knows was called', async (t) => {
	const missing = [];
	const unknown = [];
	for (const [path, item] of Object.entries(description.paths)) {
		for (const [method, operation] of Object.entries(item)) {
			const id = operation.operationId;
			if (!id) continue;
			const published = (newest ? null : contract.operations.get(id)) ?? later.operations.get(id);
			if (!published) {
				unknown.push(`${method.toUpperCase()} ${path} (${id})`);
				continue;
			}
			assert.equal(`${method.toUpperCase()} ${path}`, `${published.method} ${published.path}`);
			const statuses = [...(called.get(id)?.keys() ?? [])];
			if (!statuses.some((status) => status < 300)) missing.push(id);
		}
	}
	t.diagnostic(`not in ${newest ? 'the newest release' : 'any release'} of the client: ${unknown.join(', ')}`);
	if (newest) assert.ok(methods.size > 200, `the newest client sent ${methods.size} operations`);
	assert.deepEqual(missing, [], 'never called with success');
});

test('every answer is as the description of the API has it', () => {
	const own = new Contract(description);
	let checked = 0;
	const faults = [];
	for (const [id, statuses] of called) {
		const operation = own.operations.get(id);
		if (!operation) continue;
		for (const [status, bodies] of statuses)
			for (const body of bodies) {
				checked += 1;
				faults.push(...own.check(operation, status, body).map((fault) => `${id} ${status}: ${fault}`));
			}
	}
	assert.ok(checked > 100, `${checked} answers`);
	assert.deepEqual([...new Set(faults)], []);
});

// Patches hide differences; one that hides nothing any more has to go. Documents
// of every kind are only in the run that reads the repositories.
const needed = newest ? [] : [['@gitbook/api', patches.contract], ['@gitbook/api-0.202', patches.later]];
for (const [name, all] of needed) for (const [i, patch] of all.entries()) {
	test(`the schemas of ${name} need the patch of ${patch.at}`, () => {
		const others = new Contract(name, all.filter((_, n) => n !== i));
		for (const [id, statuses] of called) {
			const operation = others.operations.get(id);
			if (!operation) continue;
			for (const [status, bodies] of statuses)
				if (bodies.some((body) => others.check(operation, status, body).length > 0)) return;
		}
		assert.fail('all answers are valid without it');
	});
}
