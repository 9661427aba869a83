// SPDX-License-Identifier: Apache-2.0
// Entry point of the sign-in page.

import * as porchlight from '/porchlight.js';
import * as account from '/porchlight/account.js';
import { checkAddress } from './address.js';
import { byId } from './dom.js';
import { drawIcons } from './icons.js';
import { showAlert, showStatus } from './messages.js';
import { fetchRequest, isRequested } from './openid-request.js';
import { enroll, fetchEnrolledUser, readEnrollmentLink, signIn, signInByName, signInWithPhone, signUp } from './signin-actions.js';
import { recoveryChoices, run, showError, showSignIn, showSignUp, startAutofill } from './signin-ceremony.js';
import * as view from './signin-view.js';
import { errorText, text } from './texts.js';
import { clearToken, token } from './token-store.js';

/** Counts enrollment links, so that a late response to an earlier one is ignored. */
let linksOpened = 0;

/** @param {string} form @param {() => import('./signin-actions.js').Action | undefined} action */
function onSubmit(form, action) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    run(action());
  });
}

/** @returns {boolean} whether the address had an enrollment link */
function openEnrollmentLink() {
  if (!readEnrollmentLink()) {
    return false;
  }
  porchlight.cancel();
  showEnrolledUser();
  return true;
}

/** Shows whose account the link is for. The button stays disabled until then. */
async function showEnrolledUser() {
  view.showView('enroll');
  view.showAccountName('');
  const mine = ++linksOpened;
  const isCurrent = () => mine === linksOpened && view.currentView() === 'enroll';
  try {
    const user = await fetchEnrolledUser();
    if (isCurrent()) {
      view.showAccountName(user);
    }
  } catch (error) {
    if (isCurrent()) {
      showError(error, enroll(showEnrolledUser));
    }
  }
}

/** @returns {Promise<{ userId?: string } | undefined>} the user who can continue without a passkey */
async function fetchUser() {
  try {
    if (!isRequested) {
      return await account.session({ token: token() });
    }
    const asked = await fetchRequest();
    view.showApplication(asked);
    return asked;
  } catch (error) {
    if (isRequested && error.status === 404) {
      location.replace(view.target); // explains that the request has expired
    }
    return undefined;
  }
}

/** Shows the signed-in user, if any. @returns {Promise<boolean>} */
async function showSession() {
  const userId = (await fetchUser())?.userId;
  if (userId === undefined) {
    return false;
  }
  view.showView('signed-in', text('signin.signedInAs', { user: userId }));
  byId('continue-button').focus();
  return true;
}

async function useAnotherAccount() {
  try {
    await account.signOut({ token: token() });
  } catch (error) {
    showAlert(errorText(error), { tone: 'bad', choices: [{ label: text('common.tryAgain'), id: 'try-again', run: useAnotherAccount }] });
    return;
  }
  clearToken();
  showSignIn();
  showStatus(text('signin.signedOut'), { tone: 'good' });
}

function offline() {
  if (view.inState('ready', 'error') && view.currentView() !== 'signed-in') {
    const { again, help } = recoveryChoices(signIn());
    view.setState('error', 'network');
    showAlert(text('signin.offline'), { choices: [again, help] });
  }
}

function online() {
  if (view.currentErrorCode() === 'network') {
    view.setState('ready');
    showStatus(text('signin.online'), { tone: 'good' });
    startAutofill();
  }
}

/** @returns {boolean} whether passkeys work at this address */
function isAddressUsable() {
  const address = checkAddress(location, view.origin, view.origins);
  if (address.ok) {
    return true;
  }
  if (address.redirect) {
    location.replace(address.redirect);
    return false;
  }
  const { help } = recoveryChoices(signIn());
  const leave = { label: text('signin.goTo', { origin: view.origin }), id: 'go-to-origin', run: () => location.assign(`${view.origin}/`) };
  view.showView('sign-in');
  view.setState('error', 'config');
  showAlert(text('signin.wrongAddress', { origin: view.origin }), { tone: 'bad', choices: [leave, help] });
  return false;
}

async function start() {
  const signedOut = location.hash === '#signed-out';
  if (!isAddressUsable()) {
    return;
  }
  const { secure, passkeys } = await porchlight.support();
  if (!passkeys) {
    view.showView('sign-in');
    showError({ code: secure ? 'unsupported' : 'insecure', problem: secure ? 'browser' : undefined }, signIn());
    return;
  }
  const mayBeSignedIn = view.currentView() === 'loading' || token() !== undefined;
  if (openEnrollmentLink() || (mayBeSignedIn && (await showSession()))) {
    return;
  }
  view.showView('sign-in');
  if (signedOut) {
    history.replaceState(null, '', location.pathname + location.search);
    showStatus(text('signin.signedOut'), { tone: 'good' });
  }
  if (!navigator.onLine) {
    offline();
  }
}

drawIcons();
// The account page sends the signals.
porchlight.configure({ signal: false });
onSubmit('sign-in', signIn);
onSubmit('sign-in-by-name', signInByName);
onSubmit('sign-up', signUp);
onSubmit('enroll', () => enroll());
byId('other-device-button').addEventListener('click', () => run(signInWithPhone()));
byId('other-ways').addEventListener('toggle', () => (byId('other-ways').open ? startAutofill() : view.inState('ready') && porchlight.cancel()));
byId('show-sign-up').addEventListener('click', showSignUp);
byId('show-sign-in').addEventListener('click', showSignIn);
byId('continue-button').addEventListener('click', () => location.assign(view.target));
byId('other-account-button').addEventListener('click', useAnotherAccount);
byId('user-id').addEventListener('input', view.clearNameError);
addEventListener('hashchange', openEnrollmentLink);
addEventListener('offline', offline);
addEventListener('online', online);
// A page restored by the back button may show another user.
addEventListener('pageshow', (event) => event.persisted && location.reload());
start();
