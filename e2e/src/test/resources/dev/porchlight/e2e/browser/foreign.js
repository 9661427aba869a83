// SPDX-License-Identifier: Apache-2.0
// The four endpoints as an application calls them that has no helper of ours: what is asked for is handed on as it is.
/* exported simple, native */
/* global SimpleWebAuthnBrowser */
'use strict';

async function call(path, { method = 'GET', token, body } = {}) {
  const answer = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  return answer.json();
}

async function register(userId, create) {
  const { token } = await call('/auth/signup', { method: 'POST', body: { userId } });
  const options = await call('/auth/passkey/register/options', { token });
  return call('/auth/passkey/register/finish', { method: 'POST', token, body: await create(options) });
}

async function logIn(query, get) {
  const options = await call('/auth/passkey/login/options' + query);
  return call('/auth/passkey/login/finish' + query, { method: 'POST', body: await get(options) });
}

/** By @simplewebauthn/browser. */
const simple = {
  register: userId => register(userId, optionsJSON => SimpleWebAuthnBrowser.startRegistration({ optionsJSON })),
  logIn: query => logIn(query, optionsJSON => SimpleWebAuthnBrowser.startAuthentication({ optionsJSON })),
};

/** By what the browser itself has. */
const native = {
  register: userId =>
    register(userId, async options => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      return (await navigator.credentials.create({ publicKey })).toJSON();
    }),
  logIn: query =>
    logIn(query, async options => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      return (await navigator.credentials.get({ publicKey })).toJSON();
    }),
};
