// SPDX-License-Identifier: Apache-2.0
// Requests to the service with the operator's token.

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
  }
}

/** @param {unknown} error @returns {string} its text for the page */
export const textOf = (error) => (error instanceof TypeError ? text('error.network') : error instanceof Error ? error.message : String(error));

/** @param {string} token kept until the tab is closed */
export function storeToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

/** Whether a token is stored. */
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/** @param {string} path @param {RequestInit} [init] */
export async function request(path, init = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const response = await fetch(path, {
    ...init,
    headers: { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    cache: 'no-store',
    credentials: 'omit',
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
