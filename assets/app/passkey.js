/*
 * Passkeys, on the pages Sign in and Account: the form of the page gets what the device answers, and is sent.
 * Where the browser knows no passkeys, the forms stay hidden.
 */
(() => {
'use strict'
const text = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
const bytes = text => new TextEncoder().encode(text)

function fill(form, values) {
	for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = text(value)
}

async function make(form) {
	const { host, challenge, user, person } = form.dataset
	const { response } = await navigator.credentials.create({ publicKey: { challenge: bytes(challenge), rp: { id: host, name: host },
		user: { id: bytes(user), name: person, displayName: person }, attestation: 'none',
		pubKeyCredParams: [-7, -8, -257].map(alg => ({ type: 'public-key', alg })),
		authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' } } })
	fill(form, { client: response.clientDataJSON, authenticator: response.getAuthenticatorData() })
}

async function get(form) {
	const { host, challenge } = form.dataset
	const { rawId, response } = await navigator.credentials.get({ publicKey: { challenge: bytes(challenge), rpId: host, userVerification: 'required' } })
	fill(form, { credential: rawId, client: response.clientDataJSON, authenticator: response.authenticatorData,
		signature: response.signature, user: response.userHandle })
}

for (const form of window.PublicKeyCredential ? document.querySelectorAll('form.passkey') : []) {
	form.hidden = false
	/* Without a challenge the form is sent as it is: the person has to sign in again first. */
	if (form.dataset.challenge) form.addEventListener('submit', async event => {
		event.preventDefault()
		try {
			await (form.dataset.user ? make : get)(form)
			form.submit()
		} catch (e) {
			form.querySelector('.failed').hidden = false
		}
	})
}
})()
