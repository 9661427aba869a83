// SPDX-License-Identifier: Apache-2.0
// The parts of the account page, the states it can be in, and what it shows when the service says no.

import { call } from './api.js';
import { byId } from './dom.js';
import { forget } from './login.js';
import { quiet, show, warn } from './messages.js';
import { passkeyCard } from './passkey-card.js';
import { safety } from './safety.js';
import { sessionRow } from './session-list.js';

export const CREDENTIALS = '/auth/passkey/credentials';

const main = byId('main');

/** What a login yields here: `session` or `token`. */
export const { login } = main.dataset;

export const notNow = { label: 'Not now', id: 'not-now', go: settle };

/** @param {'loading' | 'ready' | 'prompt' | 'checking' | 'error' | 'signed-out'} next @param {string} [code] */
export function enter(next, code = '') {
  main.dataset.state = next;
  main.dataset.code = code;
  const busy = ['loading', 'prompt', 'checking'].includes(next);
  main.setAttribute('aria-busy', String(busy));
  byId('add-passkey').disabled = busy;
}

/** Back to where one can choose what to do. */
export function settle() {
  enter('ready');
  quiet();
  byId('add-passkey').focus();
}

/** @param {{ credentials: import('./passkey-card.js').Passkey[] }} listing */
export function showPasskeys({ credentials }) {
  const { text, tone } = safety(credentials);
  byId('passkeys').replaceChildren(...credentials.map(passkeyCard));
  for (const notice of byId('added').querySelectorAll('[data-added]')) {
    if (!credentials.some(({ credentialId }) => credentialId === notice.dataset.added)) {
      notice.remove(); // its passkey is gone
    }
  }
  show(byId('safety'), text, tone);
}

/** @param {string} credentialId @param {string} part moves the focus to this part of the passkey's card */
export function focusCard(credentialId, part) {
  document.querySelector(`[data-credential-id="${CSS.escape(credentialId)}"] ${part}`)?.focus();
}

export const isLast = () => byId('passkeys').children.length === 1;

export async function showSessions() {
  const { sessions } = await call('GET', '/auth/sessions');
  byId('sessions').hidden = sessions.length === 0;
  byId('session-list').replaceChildren(...sessions.map(sessionRow));
}

/** Shows or hides what belongs to somebody who is signed in. @param {boolean} signedIn */
export function reveal(signedIn) {
  for (const id of ['who', 'content', 'add-passkey']) {
    byId(id).hidden = !signedIn;
  }
}

/** Takes away what is nobody's business any more, and says why. @param {string} text */
export function signedOut(text) {
  forget();
  enter('signed-out');
  reveal(false);
  byId('title').textContent = 'You are signed out';
  warn(text, { ways: [{ label: 'Sign in', id: 'sign-in', go: () => location.assign('/') }] });
}

/** Runs something that asks the service, and tells when it went wrong. @param {() => Promise<unknown>} work */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.status === 401) {
      signedOut('Your session has ended. Sign in again to go on.');
    } else {
      const again = { label: 'Try again', id: 'try-again', go: () => attempt(work) };
      enter('error', error.code);
      warn(error.message, { tone: 'bad', ways: [again, notNow] });
    }
  }
}
