// SPDX-License-Identifier: Apache-2.0
// The ceremonies that the sign-in page can start.

import * as porchlight from '/porchlight.js';
import { byId } from './dom.js';
import { requireUserName, userName } from './signin-view.js';
import { text } from './texts.js';

/**
 * @typedef {{ userId: string, hybrid: boolean, token?: string }} SignedIn
 * @typedef {{ begin: (events: object) => Promise<SignedIn>, button: HTMLElement, registers?: boolean, retry?: () => void }} Action
 */

/** The token of the enrollment link. Kept only in memory, not in the history or in storage. */
let enrollment = '';

/**
 * Moves the token of an enrollment link from the address to memory, so that it is not bookmarked or seen.
 * @returns {boolean} whether the address had a token
 */
export function readEnrollmentLink() {
  const link = /^#enroll?=(.*)$/.exec(location.hash);
  if (!link) {
    return false;
  }
  enrollment = link[1];
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}

/** @returns {Promise<string>} the user name that the link is for */
export const fetchEnrolledUser = async () =>
  (await porchlight.request('/auth/passkey/register/options', { token: enrollment })).user.name;

/** @param {{ userId?: string, hybrid?: boolean, button?: string }} [options] @returns {Action} */
export const signIn = ({ userId, hybrid, button = 'sign-in-button' } = {}) => ({
  begin: (events) => porchlight.signIn({ userId, hybrid, ...events }),
  button: byId(button),
});

/** Signs in with the typed user name, if any. @returns {Action} */
export const signInByName = () => signIn({ userId: userName() || undefined, button: 'sign-in-by-name-button' });

/** @returns {Action} */
export const signInWithPhone = () => signIn({ userId: userName() || undefined, hybrid: true, button: 'other-device-button' });

/** @returns {Action | undefined} undefined if the user name is missing */
export function signUp() {
  const userId = userName();
  if (userId === '') {
    requireUserName(text('signup.nameMissing'));
    return undefined;
  }
  return {
    begin: (events) => porchlight.signUp({ userId }, events),
    button: byId('sign-up-button'),
    registers: true,
  };
}

/** @param {() => void} [retry] repeats the step that failed @returns {Action} */
export const enroll = (retry) => ({
  begin: (events) => porchlight.enroll(enrollment, events),
  button: byId('enroll-button'),
  registers: true,
  retry,
});
