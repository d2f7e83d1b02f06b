/* Polyfills: functions that Prism and KaTeX need and Duktape lacks. */
if (!Array.prototype.fill) Array.prototype.fill = function (v, from, to) {
	for (var i = from || 0, n = to === undefined ? this.length : to; i < n; i++) this[i] = v
	return this
}
var console = { log: function () {}, warn: function () {}, error: function () {} }
