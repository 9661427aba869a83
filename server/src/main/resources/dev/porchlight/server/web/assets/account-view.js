// SPDX-License-Identifier: Apache-2.0
// The elements and states of the account page, and its error handling.

import { request } from '/porchlight.js';
import { byId, el } from './dom.js';
import { clearToken, token } from './token-store.js';
import { clearMessages, fillMessage, showAlert } from './messages.js';
import { passkeyCard } from './passkey-card.js';
import { withTitles } from './passkey-names.js';
import { backupAdvice } from './backup-advice.js';
import { sessionRow } from './session-list.js';
import { errorText, parts, text } from './texts.js';

const main = byId('main');

/** The result of a login: `session` or `token`. */
export const { login } = main.dataset;

export const NOT_NOW = { label: text('account.notNow'), id: 'not-now', run: reset };

/** @param {'loading' | 'ready' | 'prompt' | 'checking' | 'error' | 'signed-out'} next @param {string} [code] */
export function setState(next, code = '') {
  main.dataset.state = next;
  main.dataset.code = code;
  const busy = ['loading', 'prompt', 'checking'].includes(next);
  main.setAttribute('aria-busy', String(busy));
  byId('add-passkey').disabled = busy;
}

/** Returns to the ready state. */
export function reset() {
  setState('ready');
  clearMessages();
  byId('add-passkey').focus();
}

/**
 * @param {import('./passkey-card.js').Passkey[]} credentials
 * @returns {import('./passkey-card.js').Titled[]}
 */
export function showPasskeys(credentials) {
  const passkeys = withTitles(credentials);
  const advice = backupAdvice(credentials);
  byId('passkeys').replaceChildren(...passkeys.map(passkeyCard));
  for (const notice of byId('added').querySelectorAll('[data-added]')) {
    if (!credentials.some(({ credentialId }) => credentialId === notice.dataset.added)) {
      notice.remove(); // the passkey was removed
    }
  }
  fillMessage(byId('backup-advice'), text(advice.key), advice.tone);
  return passkeys;
}

/** @param {string} credentialId @param {string} part selector of the element to focus in the passkey's card */
export function focusCard(credentialId, part) {
  document.querySelector(`[data-credential-id="${CSS.escape(credentialId)}"] ${part}`)?.focus();
}

/** @param {string} credentialId @param {string} part selector of the button to click in the passkey's card */
export function clickInCard(credentialId, part) {
  document.querySelector(`[data-credential-id="${CSS.escape(credentialId)}"] ${part}`)?.click();
}

export const isLastPasskey = () => byId('passkeys').children.length === 1;

export async function showSessions() {
  const { sessions } = await request('/auth/sessions', { token: token() });
  byId('sessions').hidden = sessions.length === 0;
  byId('session-list').replaceChildren(...[...sessions].sort((one, other) => Number(other.current) - Number(one.current)).map(sessionRow));
}

/** Shows whose account it is. @param {string} userId */
export function showUser(userId) {
  byId('signed-in-as').replaceChildren(...parts('account.signedInAs', { user: el('strong', {}, el('bdi', {}, userId)) }));
}

/** Shows or hides the content for signed-in users. @param {boolean} signedIn */
export function showSignedIn(signedIn) {
  for (const id of ['signed-in', 'content', 'add-passkey']) {
    byId(id).hidden = !signedIn;
  }
}

/** Hides the account and shows why. @param {string} reason */
export function showSignedOut(reason) {
  clearToken();
  setState('signed-out');
  showSignedIn(false);
  byId('title').textContent = text('account.signedOut');
  showAlert(reason, { choices: [{ label: text('common.signIn'), id: 'sign-in', run: () => location.assign('/') }] });
}

/** Runs requests to the service and shows their errors. @param {() => Promise<unknown>} work */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.status === 401) {
      showSignedOut(text('account.sessionEnded'));
    } else {
      const again = { label: text('common.tryAgain'), id: 'try-again', run: () => attempt(work) };
      setState('error', error.code);
      showAlert(errorText(error), { tone: 'bad', choices: [again, NOT_NOW] });
    }
  }
}
