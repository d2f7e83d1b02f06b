// What a release of the published client knows of the API: its operations, and
// which schema the answer of each has by status.
import { documentFaults } from './documents.mjs';
import { Schemas, escape, loadSpec, patch, pointer } from './schemas.mjs';

// In patches, for documents: valid by the relaxed schemas of documents.mjs.
const KEYWORDS = { relaxedDocument: documentFaults };
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const ERROR = '/components/schemas/Error';

// pagePath is a path of its own, with its slashes.
const expression = (template) =>
	new RegExp(`^${template.replace(/\{(\w+)\}/g, (_, name) => (name === 'pagePath' ? '.+' : '[^/]+'))}$`);

export class Contract {
	// `objects` is an earlier contract that says what an object is where both
	// know it: then this one only adds operations and objects. In the place
	// of a package's name may be a description itself.
	constructor(name, patches = [], objects = null) {
		this.objects = objects;
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
		// What is spelled out goes before what a variable would take as well.
		this.ordered = [...this.operations.values()].sort((a, b) => a.variables - b.variables);
	}

	// The operation of a request, by its path below /v1; undefined if there is none.
	match(method, path) {
		return this.ordered.find((o) => o.method === method && o.expression.test(path));
	}

	// Everything about an answer that the contract does not allow. `body` is
	// what was sent, as text.
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
		const earlier = this.objects && pointer(this.objects.spec, at);
		return (earlier ? this.objects : this).schemas.compile(at)(value);
	}

	// Where the schema of an answer is: null if it has no body, undefined if
	// there is no such answer. Errors are not all listed, but all alike.
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
