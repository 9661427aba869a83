// SPDX-License-Identifier: Apache-2.0
// Entry point of the account page: the user's passkeys and sessions.

import * as porchlight from '/porchlight.js';
import * as account from '/porchlight/account.js';
import { add } from './account-add.js';
import { announce } from './new-passkeys.js';
import { remove } from './account-remove.js';
import { revokeApplication, showApplications } from './application-list.js';
import { attempt, setState, focusCard, showSignedIn, reset, showPasskeys, showSessions, showUser } from './account-view.js';
import { ask } from './dialog.js';
import { byId } from './dom.js';
import { drawIcons } from './icons.js';
import { clearToken, token } from './token-store.js';
import { showStatus } from './messages.js';
import { loadProviders } from './passkey-names.js';
import { text } from './texts.js';

/** Storage key: the user declined a passkey on this device. */
const DECLINED = 'porchlight.declined';
/** Milliseconds until a session that has not ended as expected is checked again. */
const RECHECK_MS = 60_000;
/** The longest delay that setTimeout accepts. */
const MAX_DELAY = 2 ** 31 - 1;

const start = () =>
  attempt(async () => {
    const session = await account.session({ token: token() });
    if (session === undefined) {
      clearToken();
      location.replace('/');
      return;
    }
    const [listed] = await Promise.all([account.passkeys({ token: token() }), loadProviders(), showSessions(), showApplications()]);
    showUser(session.userId);
    const shown = showPasskeys(listed);
    announce(shown, remove);
    showSignedIn(true);
    setState('ready');
    offerLocalPasskey();
    awaitEnd(session);
  });

/**
 * Shows the end of the session without a click. A prompt on this page renews the session, so it may end later than expected.
 * @param {{ expiresAt: number }} session
 * @param {number} [atLeast] milliseconds; the clock of this device may be wrong
 */
function awaitEnd({ expiresAt }, atLeast = 0) {
  const check = async () => {
    await showSessions();
    awaitEnd(await porchlight.request('/auth/session', { token: token() }), RECHECK_MS);
  };
  setTimeout(() => attempt(check), Math.min(Math.max(expiresAt - Date.now() + 1000, atLeast), MAX_DELAY));
}

/** Offers a passkey on this device after a sign-in with another device, unless declined before. */
function offerLocalPasskey() {
  if (location.hash !== '#offer') {
    return;
  }
  history.replaceState(null, '', location.pathname);
  if (localStorage.getItem(DECLINED) === null) {
    const decline = () => {
      localStorage.setItem(DECLINED, 'yes');
      reset();
    };
    showStatus(text('account.offer'), {
      choices: [
        { label: text('account.createHere'), id: 'add-here', run: add },
        { label: text('account.noThanks'), id: 'decline', run: decline },
      ],
    });
  }
}

/** @param {{ passkey: import('./passkey-card.js').Passkey, name: string }} detail */
const rename = ({ passkey: { credentialId }, name }) =>
  attempt(async () => {
    showPasskeys(await account.rename(credentialId, name, { token: token() }));
    setState('ready');
    showStatus(text('account.renamed', { passkey: name }), { tone: 'good' });
    focusCard(credentialId, '.rename');
  });

/** @param {import('./session-list.js').Session} session */
const endSession = ({ session }) =>
  attempt(async () => {
    await porchlight.request(`/auth/sessions/${session}`, { method: 'DELETE', token: token() });
    await showSessions();
    setState('ready');
    showStatus(text('account.sessionGone'), { tone: 'good' });
    byId('sessions-title').focus();
  });

/** @param {import('./application-list.js').Application} application */
const revoke = (application) =>
  attempt(async () => {
    await revokeApplication(application);
    await showApplications();
    setState('ready');
    showStatus(text('account.revoked', { application: application.name }), { tone: 'good' });
    byId(byId('applications').hidden ? 'title' : 'applications-title').focus();
  });

/** @param {boolean} [everywhere] */
const signOut = (everywhere = false) =>
  attempt(async () => {
    await account.signOut({ everywhere, token: token() });
    clearToken();
    location.assign('/#signed-out');
  });

async function signOutEverywhere() {
  const choice = await ask({
    title: text('account.everywhereTitle'),
    message: text('account.everywhereText'),
    choices: [{ value: 'sign-out', label: text('account.everywhere'), style: 'primary' }],
  });
  if (choice === 'sign-out') {
    await signOut(true);
  }
}

drawIcons();
// The page loads the list, which sends the signals.
porchlight.configure({ signal: false });
byId('add-passkey').addEventListener('click', add);
byId('passkeys').addEventListener('passkey-rename', (event) => rename(event.detail));
byId('passkeys').addEventListener('passkey-remove', (event) => remove(event.detail));
byId('session-list').addEventListener('session-end', (event) => endSession(event.detail));
byId('application-list').addEventListener('application-revoke', (event) => revoke(event.detail));
byId('sign-out').addEventListener('click', () => signOut());
byId('sign-out-everywhere').addEventListener('click', signOutEverywhere);
// A page restored by the back button may show outdated data, or another user's.
addEventListener('pageshow', (event) => event.persisted && location.reload());
start();
