// SPDX-License-Identifier: Apache-2.0
// The parts of the sign-in page, and the states it can be in.

import { byId } from './dom.js';
import { quiet } from './messages.js';

const main = byId('main');
const field = byId('user-id');
const hint = byId('user-id-hint');
const title = byId('title').textContent;
const lead = byId('lead').textContent;

/** What the service told the page of itself: its name, its origin, whether sign-up is open, what a login yields. */
export const { name, origin, login, signup } = main.dataset;

const HINT =
  signup === 'open'
    ? 'To create an account, choose one. To sign in you may leave it empty: your passkey knows it.'
    : hint.textContent;

/** @typedef {'ready' | 'starting' | 'prompt' | 'checking' | 'done' | 'error'} State */

/** @param {State} next @param {string} [code] why, when it is an error */
export function enter(next, code = '') {
  main.dataset.state = next;
  main.dataset.code = code;
  const busy = ['starting', 'prompt', 'checking', 'done'].includes(next);
  for (const form of document.forms) {
    form.setAttribute('aria-busy', String(busy));
    form.elements[0].disabled = busy;
  }
}

/** @param {...State} states @returns {boolean} */
export const isIn = (...states) => states.includes(/** @type {State} */ (main.dataset.state));

/** @returns {string} the code of the error that is shown, or nothing */
export const shownCode = () => main.dataset.code ?? '';

/** @returns {string} the user name in the field, which may be empty */
export const userName = () => field.value.trim();

/** @param {string} text why a name is needed */
export function askForName(text) {
  enter('ready');
  quiet();
  hint.textContent = text;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
  field.select();
}

export function nameIsFine() {
  field.removeAttribute('aria-invalid');
  hint.textContent = HINT;
}

export const isEnrolling = () => main.dataset.view === 'enroll';

/** Says whose passkey it will be: a link may be for another account than its reader expects. @param {string} account */
export function nameAccount(account) {
  byId('account').hidden = account === '';
  byId('account-name').textContent = account;
}

/** @param {boolean} enrolling whether the page is for an enrollment link, rather than to sign in */
export function showEnrollment(enrolling) {
  nameAccount('');
  main.dataset.view = enrolling ? 'enroll' : 'sign-in';
  byId('enroll').hidden = !enrolling;
  byId('sign-in').hidden = enrolling;
  byId('title').textContent = enrolling ? 'Create your passkey' : title;
  byId('lead').textContent = enrolling ? `You sign in to ${name} with it, by your fingerprint, face, or screen lock.` : lead;
}

export function openHelp() {
  byId('help').open = true;
  byId('help-summary').focus();
}

/** Keeps the code of the latest attempt where somebody who needs help looks. @param {string | undefined} supportCode */
export function keepCode(supportCode) {
  byId('last-code').hidden = !supportCode;
  byId('last-support-code').textContent = supportCode ?? '';
}
