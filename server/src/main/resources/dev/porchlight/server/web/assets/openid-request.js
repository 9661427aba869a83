// SPDX-License-Identifier: Apache-2.0
// The request of an application that brought the user to the sign-in page (OpenID Connect).

/** @typedef {import('openapi').LoginRequest} Asked */

const sealed = new URLSearchParams(location.search).get('request');

/** Whether an application asks for the sign-in. */
export const isRequested = sealed !== null;

/** Where the user goes after a sign-in, if an application asks for it. */
export const requestTarget = sealed === null ? undefined : `/oauth2/continue?request=${encodeURIComponent(sealed)}`;

/**
 * Returns the application, and the signed-in user if that sign-in is recent enough.
 * @returns {Promise<Asked>}
 */
export async function fetchRequest() {
  const response = await fetch(`/oauth2/request?request=${encodeURIComponent(sealed)}`);
  if (!response.ok) {
    throw Object.assign(new Error(), { status: response.status });
  }
  return response.json();
}
