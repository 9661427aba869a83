// SPDX-License-Identifier: Apache-2.0
// The account page: the passkeys and sessions of whoever is signed in, and what can be done with them.

import * as porchlight from '/porchlight.js';
import { call } from './api.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { forget, keep, token } from './login.js';
import { quiet, show, tell, warn } from './messages.js';
import { loadProviders, passkeyCard, titleOf } from './passkey-card.js';
import { safety } from './safety.js';
import { sessionRow } from './session-list.js';
import { waysAfter } from './ways.js';

const CREDENTIALS = '/auth/passkey/credentials';
const STILL_THERE = 'You may still see it in your password manager: remove it there, too.';

const main = byId('main');
const notNow = { label: 'Not now', id: 'not-now', go: () => settle() };
let userId = '';

/** @param {'loading' | 'ready' | 'prompt' | 'checking' | 'error' | 'signed-out'} name @param {string} [code] */
function state(name, code = '') {
  main.dataset.state = name;
  main.dataset.code = code;
  const busy = ['loading', 'prompt', 'checking'].includes(name);
  main.setAttribute('aria-busy', String(busy));
  byId('add-passkey').disabled = busy;
}

function settle() {
  state('ready');
  quiet();
  byId('add-passkey').focus();
}

// What is shown.

/** @param {{ credentials: import('./passkey-card.js').Passkey[] }} listing */
function showPasskeys({ credentials }) {
  byId('passkeys').replaceChildren(...credentials.map((passkey) => passkeyCard(passkey, { rename, remove })));
  const { text, tone } = safety(credentials);
  show(byId('safety'), text, tone);
}

async function showSessions() {
  const { sessions } = await call('GET', '/auth/sessions');
  byId('sessions').hidden = sessions.length === 0;
  byId('session-list').replaceChildren(...sessions.map((session) => sessionRow(session, endSession)));
}

/** Hides what belongs to somebody who is signed in, and says why it went. @param {string} text */
function signedOut(text) {
  forget();
  state('signed-out');
  byId('content').hidden = true;
  byId('who').hidden = true;
  warn(text, { ways: [{ label: 'Sign in', id: 'sign-in', go: () => location.assign('/') }] });
}

/** Runs something that asks the service, and tells when it went wrong. @param {() => Promise<unknown>} work */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.status === 401) {
      signedOut('Your session has ended. Sign in again to go on.');
    } else {
      state('error', error.code);
      warn(error.message, { tone: 'bad', ways: [{ label: 'Try again', id: 'try-again', go: () => attempt(work) }, notNow] });
    }
  }
}

// What can be done.

const add = () =>
  attempt(async () => {
    quiet();
    state('prompt');
    try {
      const { credentialId } = await porchlight.addPasskey({ token: token(), ...events });
      showPasskeys(await call('GET', CREDENTIALS));
      state('ready');
      tell('Your new passkey is ready. Give it a name that you will recognise.', { tone: 'good' });
      card(credentialId)?.querySelector('.rename').focus();
    } catch (error) {
      if (!(error instanceof porchlight.PasskeyError) || error.status === 401) {
        throw error;
      }
      notAdded(error);
    }
  });

/** What the page says while the browser, then the service, is at work. */
const events = {
  onPrompt: () => {
    state('prompt');
    tell('Follow the steps on your device.', { ways: [{ label: 'Cancel', id: 'cancel', go: porchlight.cancel }] });
    byId('cancel').focus();
  },
  onVerify: () => {
    state('checking');
    tell('Checking…');
  },
};

/** @param {any} error */
function notAdded(error) {
  if (error.code === 'aborted') {
    settle();
    return;
  }
  state('error', error.code);
  const { ways, tone, showsCode } = waysAfter(error.code, {
    again: { label: 'Try again', id: 'try-again', go: add },
    reload: { label: 'Reload this page', id: 'reload', go: () => location.reload() },
    signIn: { label: 'Show my passkeys', id: 'show-passkeys', go: () => (settle(), byId('title').focus()) },
    help: notNow,
  });
  warn(error.message, { tone, ways, supportCode: showsCode ? error.supportCode : undefined });
}

/** @type {import('./passkey-card.js').Acts['rename']} */
const rename = (passkey, name) =>
  attempt(async () => {
    const listing = await call('PATCH', `${CREDENTIALS}/${passkey.credentialId}`, { name });
    showPasskeys(listing);
    porchlight.signal(listing);
    state('ready');
    tell(`The passkey is called ${name} now.`, { tone: 'good' });
    card(passkey.credentialId)?.querySelector('.rename').focus();
  });

/** @type {import('./passkey-card.js').Acts['remove']} */
async function remove(passkey) {
  const title = titleOf(passkey);
  const answer = await ask({
    title: `Remove ${title}?`,
    text: 'You can no longer sign in with it, and whoever is signed in with it is signed out.',
    choices: [{ value: 'remove', label: 'Remove', style: 'danger' }],
  });
  if (answer === 'remove') {
    await attempt(() => removeNow(passkey, false));
  }
}

/** @param {import('./passkey-card.js').Passkey} passkey @param {boolean} evenTheLast */
async function removeNow(passkey, evenTheLast) {
  const listing = await call('DELETE', `${CREDENTIALS}/${passkey.credentialId}${evenTheLast ? '?force=true' : ''}`).catch(
    async (refusal) => {
      if (refusal.code === 'last_credential') {
        await removeLast(passkey);
      } else if (refusal.code === 'recent_login_required') {
        await signInAgain(passkey);
      } else {
        throw refusal;
      }
    },
  );
  if (listing === undefined) {
    return;
  }
  const told = await porchlight.signal(listing);
  const removed = `${titleOf(passkey)} was removed.${told ? '' : ` ${STILL_THERE}`}`;
  showPasskeys(listing);
  try {
    await showSessions();
  } catch (error) {
    if (error.status !== 401) {
      throw error;
    }
    signedOut(`${removed} You had signed in with it, so you are signed out here.`);
    return;
  }
  state('ready');
  tell(removed, { tone: 'good' });
  byId('title').focus();
}

/** @param {import('./passkey-card.js').Passkey} passkey */
async function removeLast(passkey) {
  const answer = await ask({
    title: 'This is your last passkey',
    text: 'Without it you cannot sign in again. Only an administrator could let you back in, with an enrolment link.',
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

/** @param {import('./passkey-card.js').Passkey} passkey */
async function signInAgain(passkey) {
  const answer = await ask({
    title: 'Sign in again first',
    text: 'To remove your last passkey you must have signed in within the last five minutes.',
    choices: [{ value: 'sign-in', label: 'Sign in again', style: 'primary' }],
  });
  if (answer !== 'sign-in') {
    return;
  }
  try {
    keep(await porchlight.signIn({ userId, ...events }), main.dataset.login);
  } catch (error) {
    notAdded(error);
    return;
  }
  await removeNow(passkey, true);
}

/** @param {import('./session-list.js').Session} session */
const endSession = (session) =>
  attempt(async () => {
    await call('DELETE', `/auth/sessions/${session.session}`);
    await showSessions();
    state('ready');
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

/** @param {string} credentialId */
const card = (credentialId) => document.querySelector(`[data-credential-id="${CSS.escape(credentialId)}"]`);

const start = () =>
  attempt(async () => {
    const session = await call('GET', '/auth/session').catch((error) => {
      if (error.status === 401) {
        forget();
        location.replace('/');
        return undefined;
      }
      throw error;
    });
    if (session === undefined) {
      return;
    }
    userId = session.userId;
    const [listing] = await Promise.all([call('GET', CREDENTIALS), loadProviders(), showSessions()]);
    byId('user-id').textContent = userId;
    showPasskeys(listing);
    byId('who').hidden = false;
    byId('content').hidden = false;
    state('ready');
    porchlight.signal(listing);
    offerLocal();
  });

/** Offers a passkey on this device to somebody who came in by the phone. */
function offerLocal() {
  if (location.hash === '#offer') {
    history.replaceState(null, '', location.pathname);
    tell('You signed in with another device. Create a passkey on this one, too, and the next time you need no phone.', {
      ways: [{ label: 'Create a passkey here', id: 'add-here', go: add }, notNow],
    });
  }
}

byId('add-passkey').addEventListener('click', add);
byId('sign-out').addEventListener('click', () => signOut());
byId('sign-out-everywhere').addEventListener('click', signOutEverywhere);
// A page that comes back by the back button shows what was, perhaps to somebody else.
addEventListener('pageshow', (event) => event.persisted && location.reload());
start();
