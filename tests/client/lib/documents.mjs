// The document schemas of release 0.202.0, as far as real documents can fulfil
// them. What is relaxed, and why, is here and nowhere else; an unknown type of
// node, a value of the wrong type or a missing required member still fails.
import { Schemas, loadSpec } from './schemas.mjs';

const TOP = '#/components/schemas/DocumentBlocksTopLevels';

// Lists of blocks: what names one of these may hold more than one kind.
const BLOCKS = ['DocumentBlocksEssentials', 'DocumentBlocksTopLevels', 'DocumentBlock'].map(
	(name) => `#/components/schemas/${name}`,
);

// Both releases say which block may stand in which: no code in a hint, no image
// in a quote, no table in a tab. Pages that people wrote hold all of these, and
// the renderer shows them. So where some blocks may stand, every block may that
// may stand at the top; what belongs to one parent alone (an item in its list,
// a line in its code, a step in its stepper) still stands nowhere else.
function relaxNesting(schema) {
	if (schema === null || typeof schema !== 'object') return;
	const items = schema.nodes?.items;
	const kinds = items?.oneOf ?? (items ? [items] : []);
	if (kinds.some((kind) => BLOCKS.includes(kind.$ref))) schema.nodes.items = { $ref: TOP };
	for (const member of Object.values(schema)) relaxNesting(member);
}

// Changes of single schemas, each with its reason.
const RELAXED = {
	// `label` and `kind` stand beside `ref` or `action` by the same schema that
	// then allows nothing but `ref` or `action`: no button at all is valid.
	DocumentInlineButton: (s) => {
		for (const branch of s.properties.data.allOf[1].oneOf) delete branch.additionalProperties;
	},
	// Text is an object without known members as well, since nothing says that
	// properties of an integration are objects; so oneOf refuses every text.
	PlainObject: (s) => {
		s.type = 'object';
	},
	// A reference to a file or address fits two of the choices, so that oneOf
	// refuses every image cell and every link to a file.
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

// documentFaults(document): everything that the schemas do not allow in it.
export const documentFaults = new Schemas(relaxed()).compile('/components/schemas/JSONDocument');
