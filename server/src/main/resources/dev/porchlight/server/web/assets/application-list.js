// SPDX-License-Identifier: Apache-2.0
// The applications that the user agreed to. The button of a row dispatches the event application-revoke.

import { request } from '/porchlight.js';
import { byId, el } from './dom.js';
import { parts, text } from './texts.js';
import { timeOf } from './times.js';
import { token } from './token-store.js';

/** @typedef {{ clientId: string, name: string, agreedAt: number }} Application */

/** @param {Application} application @returns {HTMLLIElement} */
function applicationRow(application) {
  const revoke = (event) => event.target.dispatchEvent(new CustomEvent('application-revoke', { bubbles: true, detail: application }));
  return el(
    'li',
    { class: 'row', 'data-client': application.clientId },
    el(
      'div',
      {},
      el('p', { class: 'browser', dir: 'auto' }, application.name),
      el('p', { class: 'soft' }, ...parts('account.allowed', { time: timeOf(application.agreedAt) })),
    ),
    el(
      'button',
      { type: 'button', class: 'small end', 'aria-label': text('account.revokeLabel', { application: application.name }), click: revoke },
      text('account.revoke'),
    ),
  );
}

export async function showApplications() {
  const { applications } = await request('/auth/applications', { token: token() });
  byId('applications').hidden = applications.length === 0;
  byId('application-list').replaceChildren(...applications.map(applicationRow));
}

/** @param {Application} application */
export const revokeApplication = ({ clientId }) =>
  request(`/auth/applications/${encodeURIComponent(clientId)}`, { method: 'DELETE', token: token() });
