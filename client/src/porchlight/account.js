// SPDX-License-Identifier: Apache-2.0
/** See account.d.ts. */

import { request, signIn, signal } from '../porchlight.js';

const CREDENTIALS = '/auth/passkey/credentials';
const PROFILE = '/auth/profile';
const RECOVERY = '/auth/recovery';

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
export async function remove(credentialId, { force, ...options } = {}) {
  const path = pathOf(credentialId) + (force ? '?force=true' : '');
  const { result, token } = await confirmed(path, { method: 'DELETE' }, options);
  return { passkeys: result.passkeys, signaled: await signal(result), token };
}

export function profile(options) {
  return request(PROFILE, options);
}

/** @param {Record<string, string | null>} changes @param {any} [options] */
export async function changeProfile(changes, options = {}) {
  return (await confirmed(PROFILE, { method: 'PATCH', body: changes }, options)).result;
}

export async function sendEmailLink(options) {
  await request(`${PROFILE}/email/link`, { method: 'POST', ...options });
}

/** @param {string} token */
export function verifyEmail(token, options) {
  return request(`${PROFILE}/email/verify`, { body: { token }, ...options });
}

export async function addDevice(options = {}) {
  const { result, token } = await confirmed('/auth/passkey/devices', { method: 'POST' }, options);
  return { ...result, token };
}

export function recovery(options) {
  return request(RECOVERY, options);
}

export async function createRecoveryCodes(options = {}) {
  const { result, token } = await confirmed(`${RECOVERY}/codes`, { method: 'POST' }, options);
  return { ...result, token };
}

export async function cancelRecovery(options) {
  await request(RECOVERY, { method: 'DELETE', ...options });
}

export function recover(userId, code, options) {
  return request(RECOVERY, { body: { userId, code }, ...options });
}

/** Sends a request. If the sign-in is too old for it, the user signs in again first. @param {string} path @param {any} init @param {any} options */
async function confirmed(path, init, { token, trace, ...events }) {
  const send = current => request(path, { ...init, token: current, trace });
  let renewed;
  const result = await send(token).catch(async error => {
    if (error.problem !== 'recent_login_required') throw error;
    const { userId } = await request('/auth/session', { token, trace });
    renewed = (await signIn({ userId, ...events })).token;
    events.onToken?.(renewed);
    return send(renewed ?? token);
  });
  return { result, token: renewed };
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
