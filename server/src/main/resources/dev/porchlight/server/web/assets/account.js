// SPDX-License-Identifier: Apache-2.0
// The account page: the passkeys and sessions of whoever is signed in, and what can be done with them.

import * as porchlight from '/porchlight.js';
import { add } from './account-add.js';
import { announce } from './account-news.js';
import { remove } from './account-remove.js';
import { attempt, CREDENTIALS, enter, focusCard, reveal, settle, showPasskeys, showSessions } from './account-view.js';
import { call } from './api.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { drawIcons } from './icons.js';
import { forget } from './login.js';
import { tell } from './messages.js';
import { loadProviders } from './passkey-card.js';

/** Where it is kept that nobody wants a passkey on this device. */
const DECLINED = 'porchlight.declined';
/** The longest that a browser can wait. */
const LONGEST = 2 ** 31 - 1;

const start = () =>
  attempt(async () => {
    const session = await whoIsThere();
    if (session === undefined) {
      forget();
      location.replace('/');
      return;
    }
    const [listing] = await Promise.all([call('GET', CREDENTIALS), loadProviders(), showSessions()]);
    byId('user-id').textContent = session.userId;
    showPasskeys(listing);
    announce(listing.credentials, remove);
    reveal(true);
    enter('ready');
    porchlight.signal(listing);
    offerLocal();
    // When the session is over the page says so by itself.
    setTimeout(() => attempt(showSessions), Math.min(session.expiresAt - Date.now() + 1000, LONGEST));
  });

/** @returns {Promise<{ userId: string, expiresAt: number } | undefined>} */
async function whoIsThere() {
  try {
    return await call('GET', '/auth/session');
  } catch (error) {
    if (error.status === 401) {
      return undefined;
    }
    throw error;
  }
}

/** Offers a passkey on this device to somebody who came in with another, until they say no. */
function offerLocal() {
  if (location.hash !== '#offer') {
    return;
  }
  history.replaceState(null, '', location.pathname);
  if (localStorage.getItem(DECLINED) === null) {
    const decline = () => {
      localStorage.setItem(DECLINED, 'yes');
      settle();
    };
    tell('You signed in with a phone or a security key. Create a passkey on this device, too, and the next time you need nothing else.', {
      ways: [
        { label: 'Create a passkey here', id: 'add-here', go: add },
        { label: 'No, thank you', id: 'decline', go: decline },
      ],
    });
  }
}

/** @param {{ passkey: import('./passkey-card.js').Passkey, name: string }} detail */
const rename = ({ passkey: { credentialId }, name }) =>
  attempt(async () => {
    const listing = await call('PATCH', `${CREDENTIALS}/${credentialId}`, { name });
    showPasskeys(listing);
    porchlight.signal(listing);
    enter('ready');
    tell(`The passkey is called ${name} now.`, { tone: 'good' });
    focusCard(credentialId, '.rename');
  });

/** @param {import('./session-list.js').Session} session */
const endSession = ({ session }) =>
  attempt(async () => {
    await call('DELETE', `/auth/sessions/${session}`);
    await showSessions();
    enter('ready');
    tell('Signed out there.', { tone: 'good' });
    byId('sessions-title').focus();
  });

/** @param {string} [query] */
const signOut = (query = '') =>
  attempt(async () => {
    await call('POST', `/auth/logout${query}`);
    forget();
    location.assign('/');
  });

async function signOutEverywhere() {
  const answer = await ask({
    title: 'Sign out everywhere?',
    text: 'Every browser that is signed in as you is signed out, this one too.',
    choices: [{ value: 'sign-out', label: 'Sign out everywhere', style: 'primary' }],
  });
  if (answer === 'sign-out') {
    await signOut('?everywhere=true');
  }
}

drawIcons();
byId('add-passkey').addEventListener('click', add);
byId('passkeys').addEventListener('passkey-rename', (event) => rename(event.detail));
byId('passkeys').addEventListener('passkey-remove', (event) => remove(event.detail));
byId('session-list').addEventListener('session-end', (event) => endSession(event.detail));
byId('sign-out').addEventListener('click', () => signOut());
byId('sign-out-everywhere').addEventListener('click', signOutEverywhere);
// A page that comes back by the back button shows what was, perhaps to somebody else.
addEventListener('pageshow', (event) => event.persisted && location.reload());
start();
