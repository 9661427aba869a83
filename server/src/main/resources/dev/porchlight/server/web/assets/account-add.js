// SPDX-License-Identifier: Apache-2.0
// Adds a passkey, and shows the progress of ceremonies on the account page.

import * as porchlight from '/porchlight.js';
import { passkeys } from '/porchlight/account.js';
import { attempt, setState, clickInCard, login, NOT_NOW, reset, showPasskeys, showSessions } from './account-view.js';
import { byId } from './dom.js';
import { errorText, text } from './texts.js';
import { storeToken, token } from './token-store.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { recoveryFor } from './recovery.js';

/** Callbacks that show the progress of a ceremony and keep the token of a new sign-in. */
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
  onToken: (/** @type {string | undefined} */ renewed) => storeToken({ token: renewed }, login),
};

export const add = () =>
  attempt(async () => {
    clearMessages();
    setState('prompt');
    const added = await ceremony(porchlight.addPasskey({ token: token(), ...events }), add);
    if (added) {
      const [listed] = await Promise.all([passkeys({ token: token() }), showSessions()]); // a prompt renews the session
      showPasskeys(listed);
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
 * @param {() => void} [back] returns to the ready state
 * @returns {Promise<T | undefined>}
 */
export async function ceremony(running, again, back = reset) {
  try {
    return await running;
  } catch (error) {
    const sessionEnded = error.status === 401 && error.problem !== 'authentication_failed';
    if (!error.supportCode || sessionEnded) {
      throw error; // not an error of a ceremony, or the session has ended
    }
    if (error.code === 'aborted') {
      back();
    } else {
      showError(error, again, back);
    }
    return undefined;
  }
}

/** @param {porchlight.PasskeyError} error @param {() => void} again @param {() => void} back */
function showError(error, again, back) {
  const { code, supportCode } = error;
  const { choices, tone, showsCode } = recoveryFor(code, {
    again: { label: text('common.tryAgain'), id: 'try-again', run: again },
    reload: { label: text('common.reload'), id: 'reload', run: () => location.reload() },
    signIn: code === 'duplicate' ? { label: text('account.showPasskeys'), id: 'show-passkeys', run: showPasskeyList } : undefined,
    help: { ...NOT_NOW, run: back },
  });
  setState('error', code);
  showAlert(errorText(error), { tone, choices, supportCode: showsCode ? supportCode : undefined });
}

function showPasskeyList() {
  reset();
  byId('title').focus();
}
