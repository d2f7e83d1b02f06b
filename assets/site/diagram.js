// In the frame of a diagram (src/reader/diagrams.c): draws the source that the fragment of the address has,
// and says to the page how high it is, or that it failed.
'use strict'
const say = height => parent.postMessage({ diagram: height }, '*')
const at = document.getElementById('diagram')
const size = () => say(Math.ceil(at.getBoundingClientRect().height) + 16)
;(async () => {
	mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' })
	const { svg } = await mermaid.render('drawing', decodeURIComponent(location.hash.slice(1)))
	at.innerHTML = svg
	size()
	setTimeout(size, 500)
	addEventListener('resize', size)
})().catch(() => say(0))
