// The API as a release of the published client describes it: its operations, and the schema of each
// response by status.
import { documentFaults } from './documents.mjs';
import { Schemas, escape, loadSpec, patch, pointer } from './schemas.mjs';

// Keyword of patches for documents: valid by the relaxed schemas of documents.mjs.
const KEYWORDS = { relaxedDocument: documentFaults };
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const ERROR = '/components/schemas/Error';

// pagePath is a path with slashes.
const expression = (template) =>
	new RegExp(`^${template.replace(/\{(\w+)\}/g, (_, name) => (name === 'pagePath' ? '.+' : '[^/]+'))}$`);

export class Contract {
	// In the place of a package's name may be a description itself.
	constructor(name, patches = []) {
		this.spec = patch(typeof name === 'string' ? loadSpec(name) : structuredClone(name), patches);
		this.schemas = new Schemas(this.spec, KEYWORDS);
		this.operations = new Map();
		for (const [path, item] of Object.entries(this.spec.paths)) {
			for (const method of METHODS) {
				const operation = item[method];
				if (!operation?.operationId) continue;
				this.operations.set(operation.operationId, {
					id: operation.operationId,
					method: method.toUpperCase(),
					path,
					expression: expression(path),
					variables: path.split('{').length - 1,
					responses: operation.responses,
				});
			}
		}
		// Literal paths come before paths with variables that would match as well.
		this.ordered = [...this.operations.values()].sort((a, b) => a.variables - b.variables);
	}

	// The operation of a request, by its path below /v1; undefined if there is none.
	match(method, path) {
		return this.ordered.find((o) => o.method === method && o.expression.test(path));
	}

	// All violations of the contract in a response. `body` is the body as text.
	check(operation, status, body) {
		if (status >= 500) return [`the answer is ${status}: ${body}`];
		if (status === 304) return body === '' ? [] : ['304 with a body'];
		const at = this.schemaAt(operation, status);
		if (at === undefined) return [`the contract has no answer ${status} here: ${body.slice(0, 200)}`];
		if (at === null) return body === '' ? [] : [`${status} has a body: ${body.slice(0, 200)}`];
		let value;
		try {
			value = JSON.parse(body);
		} catch (e) {
			return [`not JSON: ${body.slice(0, 200)}`];
		}
		return this.schemas.compile(at)(value);
	}

	// The pointer to the schema of a response: null if it has no body, undefined if there is no
	// such response. Errors are not all listed, but all have one schema.
	schemaAt(operation, status) {
		const declared = operation.responses[status];
		if (declared === undefined) return status >= 400 ? ERROR : undefined;
		const below = declared.$ref
			? declared.$ref.slice(1)
			: `/paths/${escape(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`;
		const at = `${below}/content/application~1json/schema`;
		const schema = pointer(this.spec, at);
		return schema ? (schema.$ref?.slice(1) ?? at) : null;
	}
}
