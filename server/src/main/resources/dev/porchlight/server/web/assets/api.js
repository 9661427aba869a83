// SPDX-License-Identifier: Apache-2.0
// The service's routes for whoever is signed in. The ceremonies themselves are the helper's.

import { token } from './login.js';

/** Why the service did not do it: its own code and sentence, or `network` when it could not be asked. */
export class Refusal extends Error {
  /** @param {number} status @param {{ code?: string, error?: string, correlationId?: string }} problem */
  constructor(status, { code = 'unavailable', error, correlationId }) {
    super(error ?? 'The service cannot answer right now. Try again in a moment.');
    this.status = status;
    this.code = code;
    this.correlationId = correlationId;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the answer's JSON, or undefined when it has no body
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
    throw new Refusal(0, { code: 'network', error: 'You are offline, or the service cannot be reached.' });
  });
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new Refusal(response.status, answer ?? {});
  }
  return answer;
}
