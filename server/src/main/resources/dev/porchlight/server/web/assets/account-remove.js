// SPDX-License-Identifier: Apache-2.0
// Removes a passkey, with a warning if it is the last one.

import * as porchlight from '/porchlight.js';
import { add, ceremony, events } from './account-add.js';
import { attempt, CREDENTIALS, setState, isLastPasskey, login, reset, showPasskeys, showSessions, showSignedOut } from './account-view.js';
import { call } from './api.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { storeToken } from './token-store.js';
import { showStatus } from './messages.js';

/** @typedef {import('./passkey-card.js').Titled} Passkey */

const NOT_SIGNALED = 'It may still appear in your password manager. Delete it there too.';

/** @param {Passkey} passkey */
export const remove = (passkey) => attempt(() => (isLastPasskey() ? confirmLastRemoval(passkey) : confirmRemoval(passkey)));

/** @param {Passkey} passkey */
async function confirmRemoval(passkey) {
  const choice = await ask({
    title: `Remove ${passkey.title}?`,
    text: 'You won’t be able to sign in with it. Browsers that signed in with it are signed out.',
    choices: [{ value: 'remove', label: 'Remove', style: 'danger' }],
  });
  if (choice === 'remove') {
    await removeNow(passkey, false);
  }
}

/** @param {Passkey} passkey */
async function confirmLastRemoval(passkey) {
  const choice = await ask({
    title: 'This is your last passkey',
    text: 'Without it you can’t sign in. You would need an enrollment link from an administrator.',
    choices: [
      { value: 'add', label: 'Add another passkey', style: 'primary' },
      { value: 'force', label: 'Remove it anyway', style: 'danger' },
    ],
  });
  if (choice === 'add') {
    await add();
  } else if (choice === 'force') {
    await removeNow(passkey, true);
  }
}

/** @param {Passkey} passkey @param {boolean} force */
async function removeNow(passkey, force) {
  let listing;
  try {
    listing = await call('DELETE', `${CREDENTIALS}/${passkey.credentialId}${force ? '?force=true' : ''}`);
  } catch (error) {
    if (error.code === 'last_credential') {
      await confirmLastRemoval(passkey); // another passkey was removed in the meantime
    } else if (error.code === 'recent_login_required') {
      await signInThenRemove(passkey, force);
    } else {
      throw error;
    }
    return;
  }
  await showRemoved(passkey, listing);
}

/** @param {Passkey} passkey @param {{ credentials: import('./passkey-card.js').Passkey[] }} listing */
async function showRemoved(passkey, listing) {
  const signaled = await porchlight.signal(listing);
  const removed = `${passkey.title} was removed.${signaled ? '' : ` ${NOT_SIGNALED}`}`;
  showPasskeys(listing);
  try {
    await showSessions();
  } catch (error) {
    if (error.status !== 401) {
      throw error;
    }
    showSignedOut(
      listing.credentials.length > 0
        ? `${removed} You had signed in with it. Sign in with another one.`
        : `${removed} You have no passkeys left. To sign in again, ask an administrator for an enrollment link.`,
    );
    return;
  }
  setState('ready');
  showStatus(removed, { tone: 'good' });
  byId('title').focus();
}

/** Asks for the passkey, then removes the other one in the same click. @param {Passkey} passkey @param {boolean} force */
async function signInThenRemove(passkey, force) {
  const userId = byId('user-id').textContent;
  const again = () => attempt(() => signInThenRemove(passkey, force));
  const signedIn = await ceremony(porchlight.signIn({ userId, ...events }), again);
  if (signedIn) {
    storeToken(signedIn, login);
    reset();
    await removeNow(passkey, force);
  }
}
