// SPDX-License-Identifier: Apache-2.0
// Notices about passkeys that were added since the user last signed in with the current passkey.

import { browserOf } from './browsers.js';
import { byId, el } from './dom.js';
import { fillMessage } from './messages.js';

/** @typedef {import('./passkey-card.js').Passkey} Listed */

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** @param {Listed} passkey @returns {string} */
export function sentence({ createdAt, userAgent }) {
  const date = day.format(new Date(createdAt ?? 0));
  const from = userAgent ? `, from ${browserOf(userAgent)}` : '';
  return `A passkey was added on ${date}${from}. If this wasn’t you, remove it.`;
}

/**
 * Shows a notice for each new passkey, with a button that removes it.
 * @param {Listed[]} passkeys
 * @param {(passkey: Listed) => void} remove
 */
export function announce(passkeys, remove) {
  const notices = passkeys.filter((passkey) => passkey.newSinceLastSignIn).map((passkey) => {
    const notice = el('div', { class: 'message', role: 'status' });
    fillMessage(notice, sentence(passkey), 'warn', [
      { label: 'This was me', run: () => notice.remove() },
      { label: 'Remove it', run: () => remove(passkey) },
    ]);
    notice.dataset.added = passkey.credentialId;
    return notice;
  });
  byId('added').replaceChildren(...notices);
}
