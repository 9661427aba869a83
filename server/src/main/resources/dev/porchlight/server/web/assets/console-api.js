// SPDX-License-Identifier: Apache-2.0
// Requests to the service with the operator's session or token.

import { hasText, text } from './texts.js';

const TOKEN = 'porchlight.admin-token';

/** An error response of the service. */
export class ApiError extends Error {
  /** @param {number} status @param {{ code?: string, detail?: string }} problem */
  constructor(status, { code = '', detail = '' }) {
    const key = `console.error.${code}`;
    const sentence = hasText(key) ? text(key) : text('console.error.status', { status: String(status), code });
    super([sentence, detail].filter(Boolean).join(' '));
    this.status = status;
    this.code = code;
  }
}

/** @param {unknown} error @returns {string} its text for the page */
export const textOf = (error) => (error instanceof TypeError ? text('error.network') : error instanceof Error ? error.message : String(error));

/** @param {string} token kept until the tab is closed */
export const storeToken = (token) => sessionStorage.setItem(TOKEN, token);

/** Requests have the session again, if there is one. */
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** What the operator may do, as CSS hides the rest. @param {string} permission */
export const may = (permission) => (document.body.dataset.permissions ?? '').split(' ').includes(permission);

/** Sends a request. If it needs a recent sign-in, the browser prompts for the passkey first. @param {string} path @param {RequestInit} [init] */
export async function request(path, init = {}) {
  try {
    return await send(path, init);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'recent_login_required')) {
      throw error;
    }
  }
  const { userId } = await call('/console/api/operator');
  const { signIn } = await import('/porchlight.js');
  await signIn({ userId });
  return send(path, init);
}

/** @param {string} path @param {RequestInit} init */
async function send(path, init) {
  const token = sessionStorage.getItem(TOKEN);
  const response = await fetch(path, {
    ...init,
    headers: { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    cache: 'no-store',
    credentials: 'same-origin',
  });
  if (!response.ok) {
    throw new ApiError(response.status, await response.json().catch(() => ({})));
  }
  return response;
}

/** @param {string} path @param {string} [method] @param {unknown} [body] sent as JSON @returns {Promise<any>} the JSON of the response, if any */
export async function call(path, method = 'GET', body = undefined) {
  const response = await request(path, body === undefined
    ? { method }
    : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return response.status === 204 ? undefined : response.json();
}

/** @param {string} name @returns {string} one segment of a path */
export function segment(name) {
  if (/^\.{1,2}$/.test(name)) {
    throw new Error(text('console.error.name')); // browsers would resolve it
  }
  return encodeURIComponent(name);
}

/** @param {Record<string, string | number | undefined>} parameters undefined ones are omitted @returns {string} */
export function query(parameters) {
  const defined = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const pairs = defined.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `?${pairs.join('&')}`;
}
