// The document schemas of release 0.202.0, as far as real documents can satisfy them. Everything
// that is relaxed is here, with the reason; an unknown type of node, a value of the wrong type or a
// missing required member still fails.
import { Schemas, loadSpec } from './schemas.mjs';

const TOP = '#/components/schemas/DocumentBlocksTopLevels';

// Lists of blocks: a reference to one of these allows more than one kind.
const BLOCKS = ['DocumentBlocksEssentials', 'DocumentBlocksTopLevels', 'DocumentBlock'].map(
	(name) => `#/components/schemas/${name}`,
);

// Both releases restrict which blocks may contain which: no code in a hint, no image in a quote, no
// table in a tab. Real pages have all of these, and the renderer shows them. So wherever some
// blocks are allowed, all top-level blocks are allowed; blocks that belong to one parent (an item
// in its list, a line in its code, a step in its stepper) are still allowed only there.
function relaxNesting(schema) {
	if (schema === null || typeof schema !== 'object') return;
	const items = schema.nodes?.items;
	const kinds = items?.oneOf ?? (items ? [items] : []);
	if (kinds.some((kind) => BLOCKS.includes(kind.$ref))) schema.nodes.items = { $ref: TOP };
	for (const member of Object.values(schema)) relaxNesting(member);
}

// Patches of single schemas, each with its reason.
const RELAXED = {
	// `label` and `kind` are required next to `ref` or `action` by the same schema that then
	// allows only `ref` or `action`: no button at all is valid.
	DocumentInlineButton: (s) => {
		for (const branch of s.properties.data.allOf[1].oneOf) delete branch.additionalProperties;
	},
	// A text is also valid as an object without known members, because nothing requires
	// properties of an integration to be objects; so oneOf refuses every text.
	PlainObject: (s) => {
		s.type = 'object';
	},
	// A reference to a file or URL matches two of the choices, so that oneOf refuses every
	// image cell and every link to a file.
	DocumentTableRecord: (s) => {
		const values = s.properties.values.additionalProperties;
		values.anyOf = values.oneOf;
		delete values.oneOf;
	},
};

function relaxed() {
	const spec = loadSpec('@gitbook/api-0.202');
	const schemas = spec.components.schemas;
	for (const [name, schema] of Object.entries(schemas))
		if (name.startsWith('Document') || name === 'JSONDocument') relaxNesting(schema);
	for (const [name, change] of Object.entries(RELAXED)) change(schemas[name]);
	return spec;
}

// documentFaults(document): all violations of the schemas.
export const documentFaults = new Schemas(relaxed()).compile('/components/schemas/JSONDocument');
