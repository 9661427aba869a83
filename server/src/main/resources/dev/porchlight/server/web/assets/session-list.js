// SPDX-License-Identifier: Apache-2.0
// The list of the user's sessions. The button of a row dispatches the event session-end.

import { browserOf } from './browsers.js';
import { el } from './dom.js';
import { parts, text } from './texts.js';
import { timeOf } from './times.js';

/** @typedef {{ session: string, authTime: number, expiresAt: number, userAgent: string, current: boolean }} Session */

/** @param {Session} session @returns {HTMLLIElement} */
export function sessionRow(session) {
  const browser = browserOf(session.userAgent);
  const end = (event) => event.target.dispatchEvent(new CustomEvent('session-end', { bubbles: true, detail: session }));
  const here = session.current ? el('span', { class: 'badge here' }, text('account.thisBrowser')) : undefined;
  return el(
    'li',
    { class: 'row', 'data-current': String(session.current) },
    el(
      'div',
      {},
      el('p', { class: 'browser', title: session.userAgent }, el('bdi', {}, browser), here),
      el('p', { class: 'soft' }, ...parts('account.session', { since: timeOf(session.authTime), until: timeOf(session.expiresAt) })),
    ),
    session.current
      ? undefined
      : el(
          'button',
          { type: 'button', class: 'small end', 'aria-label': text('account.signOutLabel', { browser }), click: end },
          text('common.signOut'),
        ),
  );
}
