// SPDX-License-Identifier: Apache-2.0
// The elements, views and states of the sign-in page.

import { byId, el } from './dom.js';
import { clearMessages } from './messages.js';
import { continueAt, requestTarget } from './openid-request.js';
import { returnTo } from './return-to.js';
import { parts, text } from './texts.js';

/**
 * @typedef {'loading' | 'sign-in' | 'sign-up' | 'enroll' | 'signed-in'} View
 * @typedef {'ready' | 'starting' | 'prompt' | 'checking' | 'done' | 'error'} State
 */

const main = byId('main');
const field = byId('user-id');
const hint = byId('user-id-hint');

/** The service's settings: its name, its origin, the sign-up mode, and the result of a login. */
export const { name, origin, login, signup } = main.dataset;
export const origins = main.dataset.origins.split(' ');

/** Where to go after a sign-in. */
export let target = requestTarget ?? returnTo(location.search, main.dataset.return === 'allowed') ?? '/account';

/** @type {Record<View, [string, string]>} title and lead */
const TEXTS = {
  loading: [text('signin.title', { name }), ''],
  'sign-in': [text('signin.title', { name }), text('signin.lead')],
  'sign-up': [text('signup.title'), text('signup.lead')],
  enroll: [text('enroll.title', { name }), text('enroll.lead')],
  'signed-in': [text('signin.signedInTitle'), ''],
};

/** @returns {View} */
export const currentView = () => main.dataset.view;

/** Switches the view and clears messages and field errors. @param {View} view @param {string} [lead] */
export function showView(view, lead = TEXTS[view][1]) {
  main.dataset.view = view;
  setState('ready');
  clearMessages();
  clearNameError();
  for (const element of document.querySelectorAll('[data-views]')) {
    element.hidden = !element.dataset.views.split(' ').includes(view);
  }
  byId('to-sign-up').hidden = view !== 'sign-in' || signup !== 'open';
  const [title] = TEXTS[view];
  byId('title').textContent = title;
  byId('lead').textContent = lead;
  document.title = title.includes(name) ? title : `${title} · ${name}`;
}

/** @param {State} next @param {string} [code] the error code */
export function setState(next, code = '') {
  main.dataset.state = next;
  main.dataset.code = code;
  const busy = ['starting', 'prompt', 'checking', 'done'].includes(next);
  main.setAttribute('aria-busy', String(busy));
  for (const control of document.querySelectorAll('[data-views] :is(button, input)')) {
    control.disabled = busy;
  }
  byId('enroll-button').disabled ||= byId('account').hidden;
}

/** @param {...State} states @returns {boolean} */
export const inState = (...states) => states.includes(/** @type {State} */ (main.dataset.state));

/** @returns {string} the code of the visible error, or an empty string */
export const currentErrorCode = () => main.dataset.code ?? '';

/** @returns {string} the typed user name of the current view; may be empty */
export const userName = () => byId(currentView() === 'sign-up' ? 'user-id' : 'known-user-id').value.trim();

/** Whether a field is visible that can offer passkeys. */
export const hasAutofillField = () => currentView() === 'sign-up' || (currentView() === 'sign-in' && byId('other-ways').open);

/** Focuses the name field of the sign-up view and shows an error. @param {string} message */
export function requireUserName(message) {
  showView('sign-up');
  hint.textContent = message;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
  field.select();
}

export function clearNameError() {
  field.removeAttribute('aria-invalid');
  hint.textContent = text('signup.hint');
}

/** Shows the account of an enrollment link, which may not be the user's own. @param {string} account empty if it is unknown yet */
export function showAccountName(account) {
  byId('account').hidden = account === '';
  byId('enroll-button').disabled = account === '';
  byId('account').replaceChildren(...parts('enroll.account', { user: el('b', {}, el('bdi', {}, account)) }));
}

/** Shows the application that asks for the sign-in. @param {{ name: string, host: string, request: string, loginHint?: string }} asked */
export function showApplication({ name: application, host, request, loginHint }) {
  target = continueAt(request);
  const link = el('span', {}, el('b', { dir: 'auto' }, application), host === '' ? '' : ` (${host})`);
  byId('application').replaceChildren(...parts('signin.application', { application: link }));
  byId('application').hidden = false;
  byId('known-user-id').value = loginHint ?? '';
}

export function openHelp() {
  byId('help').open = true;
  byId('help-summary').focus();
}

/** Shows the support code of the latest attempt in the help section. @param {string | undefined} supportCode */
export function showSupportCode(supportCode) {
  byId('last-code').hidden = !supportCode;
  byId('last-code').replaceChildren(...parts('signin.lastCode', { code: el('code', {}, supportCode ?? '') }));
}
