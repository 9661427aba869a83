// SPDX-License-Identifier: Apache-2.0
// Adds a passkey, and shows the progress of ceremonies on the account page.

import * as porchlight from '/porchlight.js';
import { passkeys } from '/porchlight/account.js';
import { attempt, setState, clickInCard, login, NOT_NOW, reset, showPasskeys } from './account-view.js';
import { byId } from './dom.js';
import { errorText, text } from './texts.js';
import { storeToken, token } from './token-store.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { recoveryFor } from './recovery.js';

/** Callbacks that show the progress of a ceremony. */
export const events = {
  onPrompt: (/** @type {'create' | 'get'} */ phase) => {
    setState('prompt');
    const message = text(phase === 'get' ? 'account.confirm' : 'common.followSteps');
    showStatus(message, { choices: [{ label: text('common.cancel'), id: 'cancel', run: porchlight.cancel }] });
    byId('cancel').focus();
  },
  onVerify: () => {
    setState('checking');
    showStatus(text('common.checking'));
  },
};

export const add = () =>
  attempt(async () => {
    clearMessages();
    setState('prompt');
    const added = await ceremony(porchlight.addPasskey({ token: token(), ...events }), add);
    if (added) {
      storeToken(added, login);
      showPasskeys(await passkeys({ token: token() }));
      setState('ready');
      showStatus(text('account.added'), { tone: 'good' });
      clickInCard(added.credentialId, '.rename');
    }
  });

/**
 * Waits for a ceremony and shows its error, if any.
 * @template T
 * @param {Promise<T>} running
 * @param {() => void} again
 * @returns {Promise<T | undefined>}
 */
export async function ceremony(running, again) {
  try {
    return await running;
  } catch (error) {
    if (!error.supportCode || error.status === 401) {
      throw error; // not an error of a ceremony, or the session has ended
    }
    if (error.code === 'aborted') {
      reset();
    } else {
      showError(error, again);
    }
    return undefined;
  }
}

/** @param {porchlight.PasskeyError} error @param {() => void} again */
function showError(error, again) {
  const { code, supportCode } = error;
  const { choices, tone, showsCode } = recoveryFor(code, {
    again: { label: text('common.tryAgain'), id: 'try-again', run: again },
    reload: { label: text('common.reload'), id: 'reload', run: () => location.reload() },
    signIn: { label: text('account.showPasskeys'), id: 'show-passkeys', run: showPasskeyList },
    help: NOT_NOW,
  });
  setState('error', code);
  showAlert(errorText(error), { tone, choices, supportCode: showsCode ? supportCode : undefined });
}

function showPasskeyList() {
  reset();
  byId('title').focus();
}
