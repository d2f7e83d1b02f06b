// OpenAPI descriptions of the published client's releases, prepared for ajv.
//
// A description is read from the installed package, changed by patches (each with its reason), and
// converted from OpenAPI 3.0 to JSON Schema: `nullable` becomes a separate type, and a choice among
// objects that are distinguished by one member (for example `type`) becomes if/then, which accepts
// the same values but names the wrong member where oneOf would say "matches none of 24".
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const require = createRequire(import.meta.url);

// Members that distinguish variants.
const TAGS = ['type', 'kind', 'object', 'operation'];

// The description in the package `name`.
export function loadSpec(name) {
	return JSON.parse(readFileSync(require.resolve(`${name}/spec/openapi.json`), 'utf8'));
}

const unescape = (part) => part.replaceAll('~1', '/').replaceAll('~0', '~');
export const escape = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1');

export function pointer(root, path) {
	return path.split('/').slice(1).reduce((at, part) => at?.[unescape(part)], root);
}

// Changes spec by patches: { at, value, reason } sets the value at the JSON pointer `at`; without a
// value it removes it. `at` must exist already, so that a new release of the package cannot make a
// patch useless unnoticed.
export function patch(spec, patches) {
	for (const { at, value, reason } of patches) {
		if (!reason) throw new Error(`patch of ${at}: no reason is given`);
		if (pointer(spec, at) === undefined) throw new Error(`patch of ${at}: nothing is there`);
		const parts = at.split('/').slice(1).map(unescape);
		const last = parts.pop();
		const parent = parts.reduce((o, part) => o[part], spec);
		if (value === undefined) delete parent[last];
		else parent[last] = value;
	}
	return spec;
}

const follow = (spec, schema) =>
	schema?.$ref ? follow(spec, pointer(spec, schema.$ref.slice(1))) : schema;

// The values that the required member `tag` may have in an object of this schema; null if the schema does not say.
function tagValues(spec, schema, tag, depth = 0) {
	const s = follow(spec, schema);
	if (!s || depth > 8) return null;
	const own = follow(spec, s.properties?.[tag]);
	if (own && s.required?.includes(tag)) return own.enum ?? (own.const !== undefined ? [own.const] : null);
	for (const part of s.allOf ?? []) {
		const values = tagValues(spec, part, tag, depth + 1);
		if (values) return values;
	}
	if (!s.oneOf) return null;
	const all = s.oneOf.map((part) => tagValues(spec, part, tag, depth + 1));
	return all.every(Boolean) ? all.flat() : null;
}

// oneOf over objects with distinct values of one member, as if/then; otherwise null.
function discriminated(spec, branches) {
	for (const tag of TAGS) {
		const values = branches.map((branch) => tagValues(spec, branch, tag));
		const all = values.flat();
		if (branches.length < 2 || !values.every(Boolean) || new Set(all).size !== all.length) continue;
		return {
			type: 'object',
			required: [tag],
			properties: { [tag]: { enum: all } },
			allOf: branches.map((branch, i) => ({
				if: { properties: { [tag]: { enum: values[i] } } },
				then: branch,
			})),
		};
	}
	return null;
}

// The JSON Schema equivalent to a schema of OpenAPI 3.0 or 3.1.
export function normalise(spec, schema) {
	if (Array.isArray(schema)) return schema.map((item) => normalise(spec, item));
	if (schema === null || typeof schema !== 'object') return schema;
	const out = {};
	for (const [key, value] of Object.entries(schema)) out[key] = normalise(spec, value);
	const choice = Array.isArray(schema.oneOf) ? discriminated(spec, schema.oneOf) : null;
	if (choice) {
		delete out.oneOf;
		delete out.discriminator;
		out.allOf = [...(out.allOf ?? []), normalise(spec, choice)];
	}
	if (schema.nullable !== true) return out;
	delete out.nullable;
	return { anyOf: [{ type: 'null' }, out] };
}

// Compiles schemas of one description. `compile(pointer)` returns a function that takes a value and
// returns a list of faults, empty if it is valid. `keywords` adds keywords to the schemas: name →
// such a function.
export class Schemas {
	constructor(spec, keywords = {}) {
		this.ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: true });
		for (const [keyword, check] of Object.entries(keywords)) {
			const validate = (_, value) => {
				validate.errors = check(value).map((message) => ({ message, params: {} }));
				return validate.errors.length === 0;
			};
			this.ajv.addKeyword({ keyword, validate, errors: true });
		}
		addFormats(this.ajv);
		this.ajv.addFormat('emoji', true);
		this.ajv.addFormat('icon', /^[a-z0-9-]*$/);
		this.ajv.addFormat('byte', true);
		this.ajv.addSchema(
			{ components: normalise(spec, spec.components), paths: normalise(spec, spec.paths) },
			'spec',
		);
		this.compiled = new Map();
	}

	compile(at) {
		if (!this.compiled.has(at)) {
			const validate = this.ajv.compile({ $ref: `spec#${encodeURI(at)}` });
			this.compiled.set(at, (value) => (validate(value) ? [] : faults(validate.errors)));
		}
		return this.compiled.get(at);
	}
}

// The deepest errors: if a choice failed, those of the branch that matched furthest.
function faults(errors) {
	const depth = (e) => e.instancePath.split('/').length;
	const deepest = Math.max(...errors.map(depth));
	return errors
		.filter((e) => depth(e) === deepest && e.keyword !== 'if')
		.slice(0, 5)
		.map((e) => `${e.instancePath} ${e.message}${details(e.params)}`);
}

const details = (params) => (Object.keys(params).length ? ` ${JSON.stringify(params)}` : '');
