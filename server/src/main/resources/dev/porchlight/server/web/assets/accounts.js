// SPDX-License-Identifier: Apache-2.0
// Whether this browser is used with several accounts. Then a signed-in user is asked which one to continue with.

/** Storage key: a part of the hash of the last user, or SEVERAL. */
const ACCOUNT = 'porchlight.account';
const SEVERAL = 'several';

export const usesSeveral = () => localStorage.getItem(ACCOUNT) === SEVERAL;

export const chooseAccount = () => localStorage.setItem(ACCOUNT, SEVERAL);

/** Remembers a user who signed in, but not the name. @param {string} userId */
export async function rememberAccount(userId) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(userId)));
  const account = String(hash[0]);
  const before = localStorage.getItem(ACCOUNT) ?? account;
  localStorage.setItem(ACCOUNT, before === account ? account : SEVERAL);
}
