// SPDX-License-Identifier: Apache-2.0
// Removes a passkey, with a warning if it is the last one.

import * as account from '/porchlight/account.js';
import { add, ceremony, events } from './account-add.js';
import { attempt, setState, isLastPasskey, login, showPasskeys, showSessions, showSignedOut } from './account-view.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { storeToken, token } from './token-store.js';
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
  const again = () => attempt(() => removeNow(passkey, force));
  let result;
  try {
    result = await ceremony(account.remove(passkey.credentialId, { force, token: token(), ...events }), again);
  } catch (error) {
    if (error.problem !== 'last_credential') {
      throw error;
    }
    await confirmLastRemoval(passkey); // another passkey was removed in the meantime
  }
  if (result) {
    storeToken(result, login);
    await showRemoved(passkey, result);
  }
}

/** @param {Passkey} passkey @param {import('/porchlight/account.js').Removed} result */
async function showRemoved(passkey, { passkeys, signaled }) {
  const removed = `${passkey.title} was removed.${signaled ? '' : ` ${NOT_SIGNALED}`}`;
  showPasskeys(passkeys);
  try {
    await showSessions();
  } catch (error) {
    if (error.status !== 401) {
      throw error;
    }
    showSignedOut(
      passkeys.length > 0
        ? `${removed} You had signed in with it. Sign in with another one.`
        : `${removed} You have no passkeys left. To sign in again, ask an administrator for an enrollment link.`,
    );
    return;
  }
  setState('ready');
  showStatus(removed, { tone: 'good' });
  byId('title').focus();
}
