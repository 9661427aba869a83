// SPDX-License-Identifier: Apache-2.0
// What is left of a sign-in for the next page. Usually nothing: the session is in a cookie that no script can read. Where
// the service gives tokens only, the token is kept until the tab is closed.

const KEY = 'porchlight.token';

/** @param {{ token?: string }} signedIn @param {string | undefined} kind `session` or `token`, as the page was told */
export function keep(signedIn, kind) {
  if (kind === 'token' && signedIn.token) {
    sessionStorage.setItem(KEY, signedIn.token);
  }
}

/** @returns {string | undefined} */
export const token = () => sessionStorage.getItem(KEY) ?? undefined;

export const forget = () => sessionStorage.removeItem(KEY);
