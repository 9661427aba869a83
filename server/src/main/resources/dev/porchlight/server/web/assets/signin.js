// SPDX-License-Identifier: Apache-2.0
// Entry point of the sign-in page.

import * as porchlight from '/porchlight.js';
import { byId } from './dom.js';
import { drawIcons } from './icons.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { enroll, fetchEnrolledUser, signIn, signUp, readEnrollmentLink } from './signin-actions.js';
import { startAutofill, showError, recoveryChoices, run } from './signin-ceremony.js';
import { setState, inState, showAccountName, clearNameError, showEnrollment, currentErrorCode, signup } from './signin-view.js';

const UNSUPPORTED = "This browser doesn't support passkeys. Update it, or use another browser or your phone.";

/** @param {string} form @param {() => import('./signin-actions.js').Action} action */
function onSubmit(form, action) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    run(action());
  });
}

function readLink() {
  if (readEnrollmentLink()) {
    porchlight.cancel();
    clearMessages();
    setState('ready');
    showEnrollment(true);
    fetchEnrolledUser().then(showAccountName);
  }
}

function signInInstead() {
  clearMessages();
  setState('ready');
  showEnrollment(false);
  byId('sign-in-button').focus();
  startAutofill();
}

function offline() {
  if (inState('ready', 'error')) {
    const { again, help } = recoveryChoices(signIn(), false);
    setState('error', 'network');
    showAlert("You're offline. You can continue when you're back online.", { choices: [again, help] });
  }
}

function online() {
  if (currentErrorCode() === 'network') {
    setState('ready');
    showStatus("You're back online.", { tone: 'good' });
    startAutofill();
  }
}

async function begin() {
  const { secure, passkeys } = await porchlight.support();
  if (!passkeys) {
    const error = secure ? new porchlight.PasskeyError('unsupported', { message: UNSUPPORTED }) : new porchlight.PasskeyError('insecure');
    showError(error, signIn(), true);
  } else if (navigator.onLine) {
    startAutofill();
  } else {
    offline();
  }
}

drawIcons();
clearNameError();
byId('sign-up-button').hidden = signup !== 'open';
onSubmit('sign-in', signIn);
onSubmit('enroll', enroll);
byId('sign-up-button').addEventListener('click', () => run(signUp()));
byId('other-device-button').addEventListener('click', () => run(signIn(true)));
byId('instead-button').addEventListener('click', signInInstead);
byId('user-id').addEventListener('input', clearNameError);
addEventListener('hashchange', readLink);
addEventListener('offline', offline);
addEventListener('online', online);
readLink();
begin();
