// SPDX-License-Identifier: Apache-2.0
// What a person can start on the sign-in page.

import * as porchlight from '/porchlight.js';
import { byId } from './dom.js';
import { askForName, userName } from './signin-view.js';

/**
 * @typedef {{ userId: string, hybrid: boolean, token?: string }} SignedIn
 * @typedef {{ begin: (events: object) => Promise<SignedIn>, button: HTMLElement, registers?: boolean, greeting: string }} Action
 */

/** The token of the enrollment link that led here. In no other place: neither history nor storage keeps it. */
let enrollment = '';

/**
 * Takes the token of an enrollment link out of the address at once, so that it is neither bookmarked nor seen.
 * @returns {boolean} whether there was one
 */
export function takeLink() {
  const link = /^#enroll?=(.*)$/.exec(location.hash);
  if (!link) {
    return false;
  }
  enrollment = link[1];
  history.replaceState(null, '', location.pathname);
  return true;
}

/** @returns {Promise<string>} the account that the link is for; empty if the service does not say */
export async function enrolledName() {
  const headers = { authorization: `Bearer ${enrollment}` };
  const options = await fetch('/auth/passkey/register/options', { headers }).then((response) => response.json()).catch(() => ({}));
  return options.user?.name ?? '';
}

/** @param {boolean} [hybrid] with the passkey of another device @returns {Action} */
export function signIn(hybrid = false) {
  const userId = userName() || undefined;
  return {
    begin: (events) => porchlight.signIn({ userId, hybrid, ...events }),
    button: byId(hybrid ? 'other-device-button' : 'sign-in-button'),
    greeting: 'Welcome back',
  };
}

/** @returns {Action | undefined} nothing when there is no name yet */
export function signUp() {
  const userId = userName();
  if (userId === '') {
    askForName('Choose a user name first, any that you like.');
    return undefined;
  }
  return {
    begin: (events) => porchlight.signUp({ userId }, events),
    button: byId('sign-up-button'),
    registers: true,
    greeting: 'Welcome',
  };
}

/** @returns {Action} */
export const enroll = () => ({
  begin: (events) => porchlight.enroll(enrollment, events),
  button: byId('enroll-button'),
  registers: true,
  greeting: 'Welcome',
});
