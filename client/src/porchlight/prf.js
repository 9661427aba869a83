// SPDX-License-Identifier: Apache-2.0
/** See prf.d.ts. */

import { PasskeyError, signIn } from '../porchlight.js';

const INFO = 'porchlight deriveKey AES-GCM 256';

const toBytes = data => (typeof data === 'string' ? new TextEncoder().encode(data) : data);

/** @param {string | BufferSource} salt @param {any} [options] */
export async function deriveKey(salt, { onOptions, onVerify, onSignIn, ...options } = {}) {
  let secret;
  const signedIn = await signIn({
    ...options,
    onOptions(publicKey, phase) {
      // Authenticators have another secret for prompts without user verification.
      publicKey.userVerification = 'required';
      publicKey.extensions = { ...publicKey.extensions, prf: { eval: { first: toBytes(salt) } } };
      onOptions?.(publicKey, phase);
    },
    onVerify(credential) {
      secret = credential.getClientExtensionResults().prf?.results?.first;
      onVerify?.(credential);
    },
  });
  onSignIn?.(signedIn);
  if (!secret) {
    const message = "This passkey can't derive keys. Use another one.";
    throw new PasskeyError('unsupported', { message, supportCode: signedIn.supportCode });
  }
  return toKey(secret);
}

/** The secret is overwritten, and the key cannot be exported. */
async function toKey(secret) {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  new Uint8Array(secret.buffer ?? secret).fill(0);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: toBytes(INFO) };
  return crypto.subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
