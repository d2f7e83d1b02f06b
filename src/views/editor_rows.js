/*
 * What Tab and Enter do in tables and lists (for src/views/editor.js), and one more column. tab() and enter() are true if they have
 * done something; otherwise the key does what it does elsewhere. Tab always leads out of a table or list in the end: the keyboard
 * must not be caught.
 */
const octavoRows = (() => {
'use strict'
const ITEM = /^(\s*)(?:([*+-])|(\d{1,9})([.)]))( +|$)/

/* ---- tables ---- */

/* The cells of a row of a table: where the words of each begin and end. null: it is no such row. */
function cellsOf(line) {
	if (!/^\s*\|.*\|\s*$/.test(line)) return null
	const bars = [...line.matchAll(/\\.|\|/g)].filter(found => found[0] === '|').map(found => found.index)
	return bars.slice(1).map((bar, i) => {
		const inner = line.slice(bars[i] + 1, bar), words = inner.trim(), from = bars[i] + 1 + (words ? inner.indexOf(words) : Math.min(1, inner.length))
		/* Of an empty cell, what is written replaces all of its space but one at each side. */
		return [from, words ? from + words.length : Math.max(from, bar - 1)]
	})
}

function isEmpty(line, cells) {
	return cells.every(([from, to]) => !line.slice(from, to).trim())
}

function isRule(line) {
	return /^[\s|:-]+$/.test(line) && line.includes('-')
}

function rowAt(rich, line) {
	return line >= 0 && line < rich.lineCount() ? cellsOf(rich.getLine(line)) : null
}

/* Makes an empty row below a line; the caret goes into its first cell. */
function addRow(rich, line, count) {
	rich.replaceRange('\n|' + '  |'.repeat(count), CodeMirror.Pos(line, rich.getLine(line).length))
	rich.setCursor(line + 1, 2)
	return true
}

/* Goes to the next cell, or to the one before. After the last row a new one is made, unless that row is empty. */
function goToCell(rich, isBack) {
	const at = rich.getCursor(), step = isBack ? -1 : 1
	let line = at.line, cells = cellsOf(rich.getLine(line))
	if (!cells) return false
	let i = cells.findLastIndex(([from]) => at.ch >= from) + step
	if (i < 0 || i >= cells.length) {
		do line += step; while (line >= 0 && line < rich.lineCount() && isRule(rich.getLine(line)))
		const next = rowAt(rich, line)
		if (!next && (isBack || isEmpty(rich.getLine(at.line), cells))) return false
		if (!next) return addRow(rich, at.line, cells.length)
		cells = next
		i = isBack ? cells.length - 1 : 0
	}
	rich.setSelection(CodeMirror.Pos(line, cells[i][0]), CodeMirror.Pos(line, cells[i][1]))
	return true
}

/* Below an empty last row, which goes: on a line with an empty one before it. */
function leaveTable(rich, line) {
	rich.replaceRange('', CodeMirror.Pos(line, 0), CodeMirror.Pos(line, rich.getLine(line).length))
	if (line + 1 === rich.lineCount() || rich.getLine(line + 1).trim()) rich.replaceRange('\n', CodeMirror.Pos(line, 0))
	rich.setCursor(line + 1, 0)
	return true
}

/* In a cell: a new row below, or out of the table from an empty last row. After the last bar, Enter is Enter. */
function splitRow(rich) {
	const at = rich.getCursor(), line = rich.getLine(at.line), cells = cellsOf(line), next = rowAt(rich, at.line + 1)
	if (!cells || isRule(line) || at.ch <= line.indexOf('|') || at.ch > line.lastIndexOf('|')) return false
	let rule = at.line
	while (rowAt(rich, rule) && !isRule(rich.getLine(rule))) rule--
	if (rowAt(rich, rule)) return isEmpty(line, cells) && !next ? leaveTable(rich, at.line) : addRow(rich, at.line, cells.length)
	return next !== null && isRule(rich.getLine(at.line + 1)) && addRow(rich, at.line + 1, cells.length)
}

function isInTable(rich) {
	return rowAt(rich, rich.getCursor().line) !== null
}

/* After the cell of the caret, in each row. */
function addColumn(rich) {
	const at = rich.getCursor(), own = cellsOf(rich.getLine(at.line)), column = Math.max(0, own.findLastIndex(([from]) => at.ch >= from))
	let line = at.line
	while (rowAt(rich, line - 1)) line--
	rich.operation(() => {
		for (let cells; (cells = rowAt(rich, line)); line++) {
			const text = rich.getLine(line), [, end] = cells[Math.min(column, cells.length - 1)], bar = text.indexOf('|', end)
			rich.replaceRange(isRule(text) ? ' --- |' : '  |', CodeMirror.Pos(line, bar + 1))
		}
		rich.setCursor(at.line, cellsOf(rich.getLine(at.line))[column + 1][0])
	})
	rich.focus()
}

/* ---- lists ---- */

function itemAt(rich, line) {
	const found = ITEM.exec(rich.getLine(line))
	return found && { line, indent: found[1].length, mark: found[2], number: Number(found[3]), end: found[4], text: found[0].length + (found[5] ? 0 : 1), found }
}

/* The nearest item above that is not below a sibling of this one; null: the list begins here. */
function itemBefore(rich, item) {
	for (let line = item.line - 1; line >= 0; line--) {
		const text = rich.getLine(line), before = itemAt(rich, line)
		if (before && before.indent <= item.indent) return before
		if (text.trim() && !/^\s/.test(text)) return null
	}
	return null
}

/* Moves an item, with what is below it, and counts anew where it goes. */
function moveItem(rich, item, indent, mark) {
	const head = ' '.repeat(indent) + mark + ' ', by = head.length - item.text
	let last = item.line + 1
	while (last < rich.lineCount() && /^\s*/.exec(rich.getLine(last))[0].length > item.indent) last++
	rich.operation(() => {
		rich.replaceRange(head, CodeMirror.Pos(item.line, 0), CodeMirror.Pos(item.line, item.found[0].length))
		for (let line = item.line + 1; line < last; line++)
			rich.replaceRange(' '.repeat(Math.max(0, by)), CodeMirror.Pos(line, 0), CodeMirror.Pos(line, Math.max(0, -by)))
		rich.setCursor(item.line, head.length)
	})
	return true
}

/* Below the item before it: as deep as that one's words begin. */
function nest(rich, item) {
	const before = itemBefore(rich, item)
	const above = before && itemAt(rich, item.line - 1), number = above && above.indent === before.text && above.end ? above.number + 1 : 1
	return before !== null && before.indent === item.indent && moveItem(rich, item, before.text, item.mark || `${number}${item.end}`)
}

/* Beside the item that it is below. */
function unnest(rich, item) {
	let parent = itemBefore(rich, item)
	while (parent && parent.indent === item.indent) parent = itemBefore(rich, parent)
	return parent !== null && moveItem(rich, item, parent.indent, parent.mark || `${parent.number + 1}${parent.end}`)
}

/* At the beginning of an item's words. */
function moveInList(rich, isBack) {
	const at = rich.getCursor(), item = itemAt(rich, at.line)
	return item !== null && at.ch === Math.min(item.text, rich.getLine(at.line).length) && (isBack ? unnest(rich, item) : nest(rich, item))
}

/* ---- what is asked for ---- */

function tab(rich, isBack) {
	return goToCell(rich, isBack) || (!rich.somethingSelected() && moveInList(rich, isBack))
}

function enter(rich) {
	if (rich.somethingSelected()) return false
	const at = rich.getCursor(), item = itemAt(rich, at.line)
	return splitRow(rich) || (item !== null && rich.getLine(at.line).trim() === item.found[0].trim() && unnest(rich, item))
}

return { tab, enter, isInTable, addColumn }
})()
