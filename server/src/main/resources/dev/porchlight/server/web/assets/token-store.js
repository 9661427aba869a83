// SPDX-License-Identifier: Apache-2.0
// Keeps the access token until the tab is closed, if the service issues tokens only. Sessions are in an HttpOnly cookie.

const KEY = 'porchlight.token';

/** @param {{ token?: string }} signedIn @param {string | undefined} kind `session` or `token` */
export function storeToken(signedIn, kind) {
  if (kind === 'token' && signedIn.token) {
    sessionStorage.setItem(KEY, signedIn.token);
  }
}

/** @returns {string | undefined} */
export const token = () => sessionStorage.getItem(KEY) ?? undefined;

export const clearToken = () => sessionStorage.removeItem(KEY);
