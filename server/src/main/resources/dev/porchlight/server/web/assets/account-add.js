// SPDX-License-Identifier: Apache-2.0
// Adding a passkey, and what the account page shows of any ceremony.

import * as porchlight from '/porchlight.js';
import { attempt, CREDENTIALS, enter, focusCard, login, notNow, settle, showPasskeys } from './account-view.js';
import { call } from './api.js';
import { byId } from './dom.js';
import { keep, token } from './login.js';
import { quiet, tell, warn } from './messages.js';
import { waysAfter } from './ways.js';

/** What the page says while the browser, then the service, is at work. */
export const events = {
  onPrompt: (/** @type {'create' | 'get'} */ phase) => {
    enter('prompt');
    const text = phase === 'get' ? 'It has been a while. Confirm with your passkey that it’s you.' : 'Follow the steps on your device.';
    tell(text, { ways: [{ label: 'Cancel', id: 'cancel', go: porchlight.cancel }] });
    byId('cancel').focus();
  },
  onVerify: () => {
    enter('checking');
    tell('Checking…');
  },
};

export const add = () =>
  attempt(async () => {
    quiet();
    enter('prompt');
    const added = await ceremony(porchlight.addPasskey({ token: token(), ...events }), add);
    if (added) {
      keep(added, login);
      showPasskeys(await call('GET', CREDENTIALS));
      enter('ready');
      tell('Your new passkey is ready. Give it a name that you will recognise.', { tone: 'good' });
      focusCard(added.credentialId, '.rename');
    }
  });

/**
 * Waits for a ceremony, and says why it did not end well when it did not.
 * @template T
 * @param {Promise<T>} running
 * @param {() => void} again
 * @returns {Promise<T | undefined>}
 */
export async function ceremony(running, again) {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof porchlight.PasskeyError) || error.status === 401) {
      throw error;
    }
    if (error.code === 'aborted') {
      settle();
    } else {
      explain(error, again);
    }
    return undefined;
  }
}

/** @param {porchlight.PasskeyError} error @param {() => void} again */
function explain({ code, message, supportCode }, again) {
  const { ways, tone, showsCode } = waysAfter(code, {
    again: { label: 'Try again', id: 'try-again', go: again },
    reload: { label: 'Reload this page', id: 'reload', go: () => location.reload() },
    signIn: { label: 'Show my passkeys', id: 'show-passkeys', go: showMine },
    help: notNow,
  });
  enter('error', code);
  warn(message, { tone, ways, supportCode: showsCode ? supportCode : undefined });
}

function showMine() {
  settle();
  byId('title').focus();
}
