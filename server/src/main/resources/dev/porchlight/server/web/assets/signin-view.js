// SPDX-License-Identifier: Apache-2.0
// The elements and states of the sign-in page.

import { byId } from './dom.js';
import { clearMessages } from './messages.js';

const main = byId('main');
const field = byId('user-id');
const hint = byId('user-id-hint');
const title = byId('title').textContent;
const lead = byId('lead').textContent;

/** The service's settings: its name, its origin, the sign-up mode, and the result of a login. */
export const { name, origin, login, signup } = main.dataset;

const HINT =
  signup === 'open'
    ? 'New here? Choose a user name. Signing in? You can leave this empty.'
    : hint.textContent;

/** @typedef {'ready' | 'starting' | 'prompt' | 'checking' | 'done' | 'error'} State */

/** @param {State} next @param {string} [code] the error code */
export function setState(next, code = '') {
  main.dataset.state = next;
  main.dataset.code = code;
  const busy = ['starting', 'prompt', 'checking', 'done'].includes(next);
  for (const form of document.forms) {
    form.setAttribute('aria-busy', String(busy));
    form.elements[0].disabled = busy;
  }
}

/** @param {...State} states @returns {boolean} */
export const inState = (...states) => states.includes(/** @type {State} */ (main.dataset.state));

/** @returns {string} the code of the visible error, or an empty string */
export const currentErrorCode = () => main.dataset.code ?? '';

/** @returns {string} the typed user name; may be empty */
export const userName = () => field.value.trim();

/** Focuses the name field and shows a hint. @param {string} text */
export function requireUserName(text) {
  setState('ready');
  clearMessages();
  hint.textContent = text;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
  field.select();
}

export function clearNameError() {
  field.removeAttribute('aria-invalid');
  hint.textContent = HINT;
}

export const isEnrolling = () => main.dataset.view === 'enroll';

/** Shows the account of the link, which may not be the user's own. @param {string} account */
export function showAccountName(account) {
  byId('account').hidden = account === '';
  byId('account-name').textContent = account;
}

/** @param {boolean} enrolling whether to show the enrollment view instead of the sign-in view */
export function showEnrollment(enrolling) {
  showAccountName('');
  main.dataset.view = enrolling ? 'enroll' : 'sign-in';
  byId('enroll').hidden = !enrolling;
  byId('sign-in').hidden = enrolling;
  byId('title').textContent = enrolling ? 'Create your passkey' : title;
  byId('lead').textContent = enrolling ? `Use your fingerprint, face, or screen lock to sign in to ${name}.` : lead;
}

export function openHelp() {
  byId('help').open = true;
  byId('help-summary').focus();
}

/** Shows the support code of the latest attempt in the help section. @param {string | undefined} supportCode */
export function showSupportCode(supportCode) {
  byId('last-code').hidden = !supportCode;
  byId('last-support-code').textContent = supportCode ?? '';
}
