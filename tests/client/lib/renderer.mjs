// What the open-source renderer of the published API requires beyond the schemas. It was found by
// removing one member at a time: without one of these it answers 500, drops the block, or shows a
// wrong one. Each check returns a list of faults, "path: reason", empty if there are none.

const HINTS = ['info', 'warning', 'danger', 'success'];

// Blocks that the renderer shows, and the parent of those that belong to one.
const BLOCKS = new Set(
	`paragraph heading-1 heading-2 heading-3 list-unordered list-ordered list-tasks list-item blockquote
	hint code code-line divider math images image file drawing embed content-ref table expandable tabs
	tabs-item stepper stepper-step columns column updates update prompt reusable-content integration
	swagger openapi-operation openapi-schemas openapi-webhook if`.split(/\s+/),
);
const PARENT = {
	'list-item': ['list-unordered', 'list-ordered', 'list-tasks'],
	image: ['images'],
	'code-line': ['code'],
	'tabs-item': ['tabs'],
	'stepper-step': ['stepper'],
	column: ['columns'],
	update: ['updates'],
};
const CHILD = Object.fromEntries(
	Object.entries(PARENT).flatMap(([child, parents]) => parents.map((parent) => [parent, child])),
);
const INLINES = new Set(
	'link inline-math annotation emoji mention inline-image button icon expression'.split(' '),
);
const NEEDS_DATA = new Set(
	`heading-1 heading-2 heading-3 list-ordered hint code code-line math images image file embed
	content-ref table expandable tabs-item column update prompt reusable-content integration swagger
	openapi-operation openapi-schemas openapi-webhook`.split(/\s+/),
);
const NEEDS_REF = new Set(
	'image file content-ref reusable-content swagger openapi-operation link mention inline-image'.split(' '),
);
const NEEDS_NODES = new Set(
	'list-item hint blockquote tabs tabs-item stepper stepper-step columns column updates update prompt images'.split(' '),
);
const COLUMNS = {
	number: (v) => typeof v === 'number',
	rating: (v) => typeof v === 'number',
	checkbox: (v) => typeof v === 'boolean',
	files: (v) => Array.isArray(v),
	users: (v) => Array.isArray(v),
	select: (v) => Array.isArray(v),
	'content-ref': (v) => typeof v?.kind === 'string',
	image: (v) => typeof (v?.ref ?? v)?.kind === 'string',
};

const isObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);

// Checks one document. `known` (optional) has the ids of the revision as sets: pages, files,
// reusable; references into the same space must be in them.
export function documentFaults(document, known) {
	const check = new Check(known);
	if (!Array.isArray(document?.nodes)) return ['/: no nodes'];
	document.nodes.forEach((node, i) => check.block(node, `/nodes/${i}`, 'document'));
	return check.faults;
}

class Check {
	constructor(known) {
		this.known = known;
		this.faults = [];
		this.keys = new Set();
		this.anchors = new Set();
	}

	need(holds, path, reason) {
		if (!holds) this.faults.push(`${path}: ${reason}`);
		return Boolean(holds);
	}

	// A name that must be unique on the page.
	once(set, name, path, what) {
		if (!this.need(typeof name === 'string' && name !== '', path, `no ${what}`)) return;
		this.need(!set.has(name), path, `${what} ${name} twice`);
		set.add(name);
	}

	list(list, path, parent, each) {
		if (this.need(Array.isArray(list), path, 'no list of nodes'))
			list.forEach((node, i) => each.call(this, node, `${path}/${i}`, parent));
	}

	block(node, path, parent) {
		if (!this.need(isObject(node) && node.object === 'block', path, `no block, in ${parent}`)) return;
		const { type } = node;
		const here = `${path}(${type})`;
		if (!this.need(BLOCKS.has(type), here, 'no block that is shown')) return;
		if (PARENT[type]) this.need(PARENT[type].includes(parent), here, `stands in ${parent}`);
		if (CHILD[parent]) this.need(type === CHILD[parent], here, `stands in ${parent}`);
		if (NEEDS_DATA.has(type)) this.need(isObject(node.data), here, 'no data');
		if (NEEDS_REF.has(type)) this.need(isObject(node.data?.ref), here, 'no reference');
		if (NEEDS_NODES.has(type)) this.need(node.nodes?.length > 0, here, 'it is empty');
		if (type !== 'code-line') this.once(this.keys, node.key, here, 'key');
		if (node.meta?.id !== undefined) this.once(this.anchors, node.meta.id, here, 'anchor');
		for (const ref of [node.data?.ref, node.data?.refDark]) this.reference(ref, here);
		(this[type] ?? this.common).call(this, node, here, parent);
	}

	common(node, path) {
		if (node.isVoid) return;
		this.list(node.nodes, `${path}/nodes`, node.type, this.block);
	}

	inlines(node, path) {
		this.list(node.nodes, `${path}/nodes`, node.type, this.inline);
	}

	inline(node, path) {
		if (node?.object === 'text') return this.text(node, path);
		if (!this.need(node?.object === 'inline', path, 'neither text nor inline')) return undefined;
		const here = `${path}(${node.type})`;
		this.need(INLINES.has(node.type), here, 'no inline that is shown');
		if (node.type !== 'annotation') this.need(isObject(node.data), here, 'no data');
		if (NEEDS_REF.has(node.type)) this.need(isObject(node.data?.ref), here, 'no reference');
		for (const ref of [node.data?.ref, node.data?.refDark]) this.reference(ref, here);
		if (node.type === 'button')
			this.need(node.data?.ref || node.data?.action, here, 'a button without reference and action');
		if (node.type === 'annotation') {
			const body = node.fragments?.find((f) => f.type === 'annotation-body');
			if (this.need(body, here, 'no annotation-body'))
				this.list(body.nodes, `${here}/fragments/nodes`, 'annotation', this.block);
		}
		if (node.type === 'link' || node.type === 'annotation') this.inlines(node, here);
		else this.need(node.isVoid === true, here, 'not void');
		return undefined;
	}

	text(node, path) {
		if (!this.need(Array.isArray(node.leaves), path, 'a text without leaves')) return;
		node.leaves.forEach((leaf, i) => {
			const here = `${path}/leaves/${i}`;
			this.need(leaf?.object === 'leaf' && typeof leaf.text === 'string', here, 'no leaf');
			if (this.need(Array.isArray(leaf?.marks), here, 'a leaf without marks'))
				this.need(leaf.marks.every((m) => m?.object === 'mark'), here, 'no mark');
		});
	}

	// An unknown page is shown as a broken link; a missing file is not shown at all.
	reference(ref, path) {
		if (ref === undefined || ref === null) return;
		if (!this.need(typeof ref.kind === 'string', path, 'a reference without kind')) return;
		if (!this.known || ref.space !== undefined) return;
		if (ref.kind === 'file') this.need(this.known.files.has(ref.file), path, `no file ${ref.file}`);
		if (ref.kind === 'page' || (ref.kind === 'anchor' && ref.page !== undefined))
			this.need(this.known.pages.has(ref.page), path, `no page ${ref.page}`);
		if (ref.kind === 'reusable-content')
			this.need(this.known.reusable.has(ref.reusableContent), path, `no content ${ref.reusableContent}`);
	}

	paragraph(node, path) {
		this.inlines(node, path);
	}

	// The outline of the page contains its top-level headings.
	heading(node, path, parent) {
		this.need(node.meta?.id || parent !== 'document', path, 'no anchor');
		this.inlines(node, path);
	}

	hint(node, path) {
		this.need(HINTS.includes(node.data?.style), path, `style ${node.data?.style}`);
		this.common(node, path);
	}

	'code-line'(node, path) {
		this.inlines(node, path);
	}

	image(node, path) {
		for (const f of node.fragments ?? [])
			this.list(f.nodes, `${path}/fragments/nodes`, 'caption', this.block);
	}

	divider(node, path) {
		this.need(node.isVoid === true && isObject(node.data), path, 'not void, or no data');
	}

	math(node, path) {
		this.need(typeof node.data?.formula === 'string', path, 'no formula');
	}

	embed(node, path) {
		this.need(typeof node.data?.url === 'string' && node.data.url !== '', path, 'no address');
	}

	update(node, path) {
		this.need(!Number.isNaN(Date.parse(node.data?.date)), path, 'no date');
		this.common(node, path);
	}

	expandable(node, path) {
		const part = (type) => node.fragments?.find((f) => f.type === type);
		const title = part('expandable-title');
		const body = part('expandable-body');
		if (this.need(title?.nodes?.[0]?.type === 'paragraph', path, 'no title'))
			this.list(title.nodes, `${path}/title`, 'expandable', this.block);
		if (this.need(body?.nodes?.length > 0, path, 'no body'))
			this.list(body.nodes, `${path}/body`, 'expandable', this.block);
	}

	prompt(node, path) {
		this.need(typeof node.data?.description === 'string', path, 'no description');
		this.need(node.nodes?.every((n) => n.type === 'code'), path, 'it holds more than code');
		this.list(node.nodes, `${path}/nodes`, 'prompt', this.block);
	}

	table(node, path) {
		const { view, definition, records } = node.data ?? {};
		if (!this.need(view && isObject(definition) && isObject(records), path, 'view, definition or records are missing'))
			return;
		this.need(['grid', 'cards'].includes(view.type), path, `view ${view.type}`);
		this.need(view.type !== 'cards' || ['medium', 'large'].includes(view.cardSize), path, 'no size of cards');
		if (this.need(Array.isArray(view.columns), path, 'no columns'))
			for (const id of view.columns) this.need(definition[id], path, `no definition of column ${id}`);
		for (const key of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'])
			this.need(view[key] === undefined || definition[view[key]], path, `no definition of ${key}`);
		const fragments = new Map((node.fragments ?? []).map((f) => [f.fragment, f]));
		for (const [id, d] of Object.entries(definition))
			this.need(d.id === id && typeof d.title === 'string' && d.type, path, `column ${id} is not whole`);
		for (const [id, record] of Object.entries(records))
			this.record(record, `${path}/records/${id}`, definition, fragments);
		for (const f of fragments.values())
			this.list(f.nodes, `${path}/fragments/${f.fragment}`, 'table', this.block);
	}

	record(record, path, definition, fragments) {
		this.need(typeof record?.orderIndex === 'string', path, 'no orderIndex');
		if (!this.need(isObject(record?.values), path, 'no values')) return;
		for (const [id, value] of Object.entries(record.values)) {
			const here = `${path}/${id}`;
			const type = definition[id]?.type;
			if (!this.need(type, here, 'no such column') || value === null) continue;
			if (type === 'text') this.need(fragments.has(value), here, `no fragment ${value}`);
			else this.need(COLUMNS[type]?.(value), here, `no value of ${type}: ${JSON.stringify(value)}`);
			if (type === 'content-ref' || type === 'image') this.reference(value.ref ?? value, here);
			if (type === 'files' && this.known)
				for (const file of value) this.need(this.known.files.has(file), here, `no file ${file}`);
		}
	}
}
for (const level of [1, 2, 3]) Check.prototype[`heading-${level}`] = Check.prototype.heading;

const LAYOUT = `width cover coverSize coverMask title description tableOfContents outline pagination
	metadata tags actions anchors`.split(/\s+/);

function pageFaults(page, path, ids, paths) {
	const faults = [];
	const need = (holds, reason) => holds || faults.push(`${path}: ${reason}`);
	const isLink = page.type === 'link';
	need(['document', 'group', 'link', 'computed'].includes(page.type), `type ${page.type}`);
	need(typeof page.id === 'string' && !ids.has(page.id), `id ${page.id} is missing or there twice`);
	need(typeof page.title === 'string' && page.title !== '', 'no title');
	ids.add(page.id);
	if (isLink) need(typeof page.target?.kind === 'string', 'a link without target');
	if (page.type === 'document' || page.type === 'group') {
		need(page.path === page.path?.toLowerCase(), `the path ${page.path} is not in lower case`);
		need(page.path && !paths.has(page.path), `the path ${page.path} is missing or there twice`);
		need(Array.isArray(page.pages), 'no pages, be it none');
		paths.add(page.path);
	}
	if (page.type === 'document') {
		for (const key of LAYOUT) need(page.layout?.[key] !== undefined, `no layout.${key}`);
		need(Array.isArray(page.tags), 'no tags');
		need(page.document === undefined && page.markdown === undefined, 'a body in the tree');
	}
	(page.pages ?? []).forEach((child, i) => {
		need(child.type !== 'group', 'a group within a page');
		faults.push(...pageFaults(child, `${path}/pages/${i}`, ids, paths));
	});
	return faults;
}

// A whole revision: what the renderer reads of it for every page.
export function revisionFaults(revision) {
	const faults = [];
	const need = (holds, reason) => holds || faults.push(`/: ${reason}`);
	const ids = new Set();
	const paths = new Set();
	for (const key of ['pages', 'files', 'reusableContents'])
		if (need(Array.isArray(revision[key]), `no ${key}`) !== true) return faults;
	need(URL.canParse?.(revision.urls?.app) ?? revision.urls?.app, 'no urls.app');
	need(!Number.isNaN(Date.parse(revision.createdAt)), 'no createdAt');
	revision.pages.forEach((page, i) => faults.push(...pageFaults(page, `/pages/${i}`, ids, paths)));
	for (const file of revision.files) {
		const known = file.id && typeof file.name === 'string' && file.contentType;
		need(known && /^https?:/.test(file.downloadURL) && file.size >= 0, `file ${file.name} is not whole`);
		need(!ids.has(file.id), `id ${file.id} twice`);
		ids.add(file.id);
	}
	return faults;
}
