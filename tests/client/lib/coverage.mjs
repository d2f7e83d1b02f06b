// The last tests: that every operation which the API and the published client
// both have was called with success, and that each change of the client's
// schemas is still needed.
import test from 'node:test';
import assert from 'node:assert/strict';
import { Contract } from './contract.mjs';
import { called, contract, later, patches, url } from './service.mjs';

test('every operation that the client knows was called', async (t) => {
	const description = await (await fetch(`${url}/v1/openapi.json`)).json();
	const missing = [];
	const unknown = [];
	for (const [path, item] of Object.entries(description.paths)) {
		for (const [method, operation] of Object.entries(item)) {
			const id = operation.operationId;
			if (!id) continue;
			const published = contract.operations.get(id) ?? later.operations.get(id);
			if (!published) {
				unknown.push(`${method.toUpperCase()} ${path} (${id})`);
				continue;
			}
			assert.equal(`${method.toUpperCase()} ${path}`, `${published.method} ${published.path}`);
			const statuses = [...(called.get(id)?.keys() ?? [])];
			if (!statuses.some((status) => status < 300)) missing.push(id);
		}
	}
	t.diagnostic(`in no release of the client: ${unknown.join(', ')}`);
	assert.deepEqual(missing, [], 'never called with success');
});

// Patches hide differences; one that hides nothing any more has to go.
for (const [i, patch] of patches.entries()) {
	test(`the schemas need the patch of ${patch.at}`, () => {
		const others = new Contract('@gitbook/api', patches.filter((_, n) => n !== i));
		for (const [id, statuses] of called) {
			const operation = others.operations.get(id);
			if (!operation) continue;
			for (const [status, bodies] of statuses)
				if (bodies.some((body) => others.check(operation, status, body).length > 0)) return;
		}
		assert.fail('all answers are valid without it');
	});
}
