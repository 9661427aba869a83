// SPDX-License-Identifier: Apache-2.0
// Calls the four endpoints without the Porchlight helper and passes options and responses on unchanged.
/* exported simple, native */
/* global SimpleWebAuthnBrowser */
'use strict';

async function call(path, { method = 'GET', token, body } = {}) {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  return response.json();
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

/** Uses @simplewebauthn/browser. */
const simple = {
  register: userId => register(userId, optionsJSON => SimpleWebAuthnBrowser.startRegistration({ optionsJSON })),
  logIn: query => logIn(query, optionsJSON => SimpleWebAuthnBrowser.startAuthentication({ optionsJSON })),
};

/** Uses the browser's native functions. */
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
