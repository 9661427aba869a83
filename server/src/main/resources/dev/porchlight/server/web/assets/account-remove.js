// SPDX-License-Identifier: Apache-2.0
// Removing a passkey, with care when it is the last.

import * as porchlight from '/porchlight.js';
import { add, ceremony, events } from './account-add.js';
import { attempt, CREDENTIALS, enter, isLast, login, settle, showPasskeys, showSessions, signedOut } from './account-view.js';
import { call } from './api.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { keep } from './login.js';
import { tell } from './messages.js';
import { titleOf } from './passkey-card.js';

/** @typedef {import('./passkey-card.js').Passkey} Passkey */

const STILL_THERE = 'You may still see it in your password manager: remove it there, too.';

/** @param {Passkey} passkey */
export const remove = (passkey) => attempt(() => (isLast() ? askAboutLast(passkey) : askFirst(passkey)));

/** @param {Passkey} passkey */
async function askFirst(passkey) {
  const answer = await ask({
    title: `Remove ${titleOf(passkey)}?`,
    text: 'You can no longer sign in with it, and whoever is signed in with it is signed out.',
    choices: [{ value: 'remove', label: 'Remove', style: 'danger' }],
  });
  if (answer === 'remove') {
    await removeNow(passkey, false);
  }
}

/** @param {Passkey} passkey */
async function askAboutLast(passkey) {
  const answer = await ask({
    title: 'This is your last passkey',
    text: 'Without it you cannot sign in again. Only an administrator could let you back in, with an enrollment link.',
    choices: [
      { value: 'add', label: 'Add another passkey', style: 'primary' },
      { value: 'force', label: 'Remove it anyway', style: 'danger' },
    ],
  });
  if (answer === 'add') {
    await add();
  } else if (answer === 'force') {
    await removeNow(passkey, true);
  }
}

/** @param {Passkey} passkey @param {boolean} evenTheLast */
async function removeNow(passkey, evenTheLast) {
  let listing;
  try {
    listing = await call('DELETE', `${CREDENTIALS}/${passkey.credentialId}${evenTheLast ? '?force=true' : ''}`);
  } catch (refusal) {
    if (refusal.code === 'last_credential') {
      await askAboutLast(passkey); // another one went meanwhile
    } else if (refusal.code === 'recent_login_required') {
      await confirmFirst(passkey, evenTheLast);
    } else {
      throw refusal;
    }
    return;
  }
  await afterwards(passkey, listing);
}

/** @param {Passkey} passkey @param {{ credentials: Passkey[] }} listing */
async function afterwards(passkey, listing) {
  const told = await porchlight.signal(listing);
  const removed = `${titleOf(passkey)} was removed.${told ? '' : ` ${STILL_THERE}`}`;
  showPasskeys(listing);
  try {
    await showSessions();
  } catch (error) {
    if (error.status !== 401) {
      throw error;
    }
    signedOut(
      listing.credentials.length > 0
        ? `${removed} You had signed in with it, so sign in with another one.`
        : `${removed} You have none left: to come back, ask an administrator for an enrollment link.`,
    );
    return;
  }
  enter('ready');
  tell(removed, { tone: 'good' });
  byId('title').focus();
}

/** Asks for the passkey in the same click, and goes on. @param {Passkey} passkey @param {boolean} evenTheLast */
async function confirmFirst(passkey, evenTheLast) {
  const userId = byId('user-id').textContent;
  const again = () => attempt(() => confirmFirst(passkey, evenTheLast));
  const signedIn = await ceremony(porchlight.signIn({ userId, ...events }), again);
  if (signedIn) {
    keep(signedIn, login);
    settle();
    await removeNow(passkey, evenTheLast);
  }
}
