// SPDX-License-Identifier: Apache-2.0
// Calls the service's routes for signed-in users. The ceremonies are in porchlight.js.

import { token } from './token-store.js';

/** An error response, or code `network` if there was no response. */
export class ApiError extends Error {
  /** @param {number} status @param {{ code?: string, error?: string, correlationId?: string }} problem */
  constructor(status, { code = 'unavailable', error, correlationId }) {
    super(error ?? "The service isn't responding. Try again in a moment.");
    this.status = status;
    this.code = code;
    this.correlationId = correlationId;
  }
}

/** @returns {Promise<{ userId: string, expiresAt: number } | undefined>} undefined if signed out */
export async function fetchSession() {
  try {
    return await call('GET', '/auth/session');
  } catch (error) {
    if (error.status === 401) {
      return undefined;
    }
    throw error;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the JSON of the response; undefined if it has no body
 */
export async function call(method, path, body) {
  const headers = new Headers();
  if (body) {
    headers.set('content-type', 'application/json');
  }
  if (token()) {
    headers.set('authorization', `Bearer ${token()}`);
  }
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) }).catch(() => {
    throw new ApiError(0, { code: 'network', error: "You're offline, or the service isn't responding." });
  });
  const json = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new ApiError(response.status, json ?? {});
  }
  return json;
}
