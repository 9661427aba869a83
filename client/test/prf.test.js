// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { BASE, asserted, browser } from '../fakes/browser.js';
import { configure } from '../src/porchlight.js';
import { deriveKey } from '../src/porchlight/prf.js';

const NONCE = new Uint8Array(12);
const PLAIN = new TextEncoder().encode('note');

let authenticator, service;

beforeEach(() => {
  ({ authenticator, service } = browser());
  configure({ base: BASE, fetch: service.fetch, report: true, signal: true });
});

/** An authenticator whose results depend on the salt. */
function respond({ publicKey }) {
  const results = { first: new Uint8Array(32).fill(publicKey.extensions.prf.eval.first[0]).buffer };
  authenticator.results = results;
  return Object.assign(asserted(), { extensions: { prf: { results } } });
}

const encrypt = async key => new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: NONCE }, key, PLAIN));

test('a passkey derives the same key for the same salt only', async () => {
  authenticator.get = respond;
  const [one, same, other] = [await deriveKey('notes'), await deriveKey(new TextEncoder().encode('notes')), await deriveKey('mail')];

  assert.deepEqual(await encrypt(one), await encrypt(same));
  assert.notDeepEqual(await encrypt(one), await encrypt(other));
});

test('the key cannot be exported, and the secret is overwritten', async () => {
  authenticator.get = respond;
  const key = await deriveKey('notes');

  assert.equal(key.extractable, false);
  assert.deepEqual(key.algorithm, { name: 'AES-GCM', length: 256 });
  assert.deepEqual(new Uint8Array(authenticator.results.first), new Uint8Array(32));
  await assert.rejects(crypto.subtle.exportKey('raw', key));
});

test('user verification is required, and the service does not receive the secret', async () => {
  authenticator.get = respond;
  let user;
  await deriveKey('notes', { userId: 'ada', onSignIn: signedIn => (user = signedIn.userId) });

  assert.equal(authenticator.prompts[0].publicKey.userVerification, 'required');
  assert.equal(user, 'ada');
  const [finish] = service.to('/auth/passkey/login/finish');
  assert.deepEqual(finish.body.clientExtensionResults, { prf: {} });
});

test('a passkey without prf signs in and derives nothing', async () => {
  const users = [];
  await assert.rejects(deriveKey('notes', { onSignIn: ({ userId }) => users.push(userId) }), {
    code: 'unsupported',
    message: /derive keys/,
  });
  assert.deepEqual(users, ['ada']);
});
