// SPDX-License-Identifier: Apache-2.0
// Notices about passkeys that were added since the user last signed in with the current passkey.

import { browserOf } from './browsers.js';
import { byId, el } from './dom.js';
import { fillMessage } from './messages.js';
import { lang, text } from './texts.js';

/** @typedef {import('./passkey-card.js').Passkey} Listed */

const day = new Intl.DateTimeFormat(lang, { dateStyle: 'long' });

/** @param {Listed} passkey @returns {string} */
export function sentence({ createdAt, userAgent }) {
  const date = day.format(new Date(createdAt ?? 0));
  return userAgent
    ? text('account.newPasskeyFrom', { date, browser: browserOf(userAgent) })
    : text('account.newPasskey', { date });
}

/**
 * Shows a notice for each new passkey, with a button that removes it.
 * @param {Listed[]} passkeys
 * @param {(passkey: Listed) => void} remove
 */
export function announce(passkeys, remove) {
  const notices = passkeys.filter((passkey) => passkey.newSinceLastLogin).map((passkey) => {
    const notice = el('div', { class: 'message', role: 'status' });
    fillMessage(notice, sentence(passkey), 'warn', [
      { label: text('account.wasMe'), run: () => notice.remove() },
      { label: text('account.removeIt'), run: () => remove(passkey) },
    ]);
    notice.dataset.added = passkey.credentialId;
    return notice;
  });
  byId('added').replaceChildren(...notices);
}
