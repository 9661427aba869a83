// SPDX-License-Identifier: Apache-2.0
/** See account.d.ts. */

import { request, signIn, signal } from '../porchlight.js';

const CREDENTIALS = '/auth/passkey/credentials';

export function session(options) {
  return request('/auth/session', options).catch(ignoreSignedOut);
}

/** @param {any} [options] */
export async function signOut({ everywhere, ...options } = {}) {
  const ended = request(`/auth/logout${everywhere ? '?everywhere=true' : ''}`, { method: 'POST', ...options });
  await (everywhere ? ended : ended.catch(ignoreSignedOut));
}

export async function passkeys(options) {
  return announce(await request(CREDENTIALS, options));
}

export async function rename(credentialId, name, options) {
  return announce(await request(pathOf(credentialId), { method: 'PATCH', body: { name }, ...options }));
}

/** @param {string} credentialId @param {any} [options] */
export async function remove(credentialId, { force, token, trace, ...events } = {}) {
  const path = pathOf(credentialId) + (force ? '?force=true' : '');
  const send = current => request(path, { method: 'DELETE', token: current, trace });
  let renewed;
  const listing = await send(token).catch(async error => {
    if (error.problem !== 'recent_login_required') throw error;
    const { userId } = await request('/auth/session', { token, trace });
    renewed = (await signIn({ userId, ...events })).token;
    events.onToken?.(renewed);
    return send(renewed ?? token);
  });
  return { passkeys: listing.passkeys, signaled: await signal(listing), token: renewed };
}

/** Passkey managers delete the passkeys that are not listed. */
function announce(listing) {
  signal(listing);
  return listing.passkeys;
}

function ignoreSignedOut(error) {
  if (error.status !== 401) throw error;
}

const pathOf = credentialId => `${CREDENTIALS}/${encodeURIComponent(credentialId)}`;
