// SPDX-License-Identifier: Apache-2.0
// Removes a passkey, with a warning if it is the last one.

import * as account from '/porchlight/account.js';
import { add, ceremony, events } from './account-add.js';
import { attempt, focusCard, setState, isLastPasskey, reset, showPasskeys, showSessions, showSignedOut } from './account-view.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { token } from './token-store.js';
import { showStatus } from './messages.js';
import { text } from './texts.js';

/** @typedef {import('./passkey-card.js').Titled} Passkey */

/** @param {Passkey} passkey */
export const remove = (passkey) => attempt(() => (isLastPasskey() ? confirmLastRemoval(passkey) : confirmRemoval(passkey)));

/** @param {Passkey} passkey */
async function confirmRemoval(passkey) {
  const choice = await ask({
    title: text('account.removeTitle', { passkey: passkey.title }),
    message: text('account.removeText'),
    choices: [{ value: 'remove', label: text('account.remove'), style: 'danger' }],
  });
  if (choice === 'remove') {
    await removeNow(passkey, false);
  }
}

/** @param {Passkey} passkey */
async function confirmLastRemoval(passkey) {
  const choice = await ask({
    title: text('account.lastTitle'),
    message: text('account.lastText'),
    choices: [
      { value: 'add', label: text('account.addAnother'), style: 'primary' },
      { value: 'force', label: text('account.removeAnyway'), style: 'danger' },
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
  const back = () => {
    reset();
    focusCard(passkey.credentialId, '.remove');
  };
  let result;
  try {
    result = await ceremony(account.remove(passkey.credentialId, { force, token: token(), ...events }), again, back);
  } catch (error) {
    if (error.problem !== 'last_credential') {
      throw error;
    }
    await confirmLastRemoval(passkey); // another passkey was removed in the meantime
  }
  if (result) {
    await showRemoved(passkey, result);
  }
}

/** @param {Passkey} passkey @param {import('/porchlight/account.js').Removed} result */
async function showRemoved(passkey, { passkeys, signaled }) {
  const removed = text('account.removed', { passkey: passkey.title }) + (signaled ? '' : ` ${text('account.notSignaled')}`);
  showPasskeys(passkeys);
  try {
    await showSessions();
  } catch (error) {
    if (error.status !== 401) {
      throw error;
    }
    showSignedOut(`${removed} ${text(passkeys.length > 0 ? 'account.removedCurrent' : 'account.noneLeft')}`);
    return;
  }
  setState('ready');
  showStatus(removed, { tone: 'good' });
  byId('title').focus();
}
