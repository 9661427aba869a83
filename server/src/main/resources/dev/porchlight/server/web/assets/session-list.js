// SPDX-License-Identifier: Apache-2.0
// Where somebody is signed in.

import { browserOf } from './browsers.js';
import { el } from './dom.js';
import { timeOf } from './times.js';

/** @typedef {{ session: string, authTime: number, expiresAt: number, userAgent: string, current: boolean }} Session */

/** @param {Session} session @param {(session: Session) => void} end @returns {HTMLLIElement} */
export function sessionRow(session, end) {
  const browser = browserOf(session.userAgent);
  return el(
    'li',
    { class: 'row', 'data-current': String(session.current) },
    el(
      'div',
      {},
      el('p', { class: 'browser', title: session.userAgent }, browser, session.current ? el('span', { class: 'badge here' }, 'This browser') : undefined),
      el('p', { class: 'soft' }, 'Signed in ', timeOf(session.authTime * 1000), ', ends ', timeOf(session.expiresAt)),
    ),
    session.current
      ? undefined
      : el('button', { type: 'button', class: 'small end', 'aria-label': `Sign out ${browser}`, click: () => end(session) }, 'Sign out'),
  );
}
