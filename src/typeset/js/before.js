/* What Duktape lacks of what Prism and KaTeX take for granted. */
if (!Array.prototype.fill) Array.prototype.fill = function (v, from, to) {
	for (var i = from || 0, n = to === undefined ? this.length : to; i < n; i++) this[i] = v
	return this
}
var console = { log: function () {}, warn: function () {}, error: function () {} }
