// SPDX-License-Identifier: Apache-2.0
// The sign-in page: what its buttons do, and what it does by itself.

import * as porchlight from '/porchlight.js';
import { byId } from './dom.js';
import { drawIcons } from './icons.js';
import { quiet, tell, warn } from './messages.js';
import { enroll, enrolledName, signIn, signUp, takeLink } from './signin-actions.js';
import { arm, failed, offers, run } from './signin-ceremony.js';
import { enter, isIn, nameAccount, nameIsFine, showEnrollment, shownCode, signup } from './signin-view.js';

const CANNOT = 'This browser cannot use passkeys. Update it, or open this page in another browser or on your phone.';

/** @param {string} form @param {() => import('./signin-actions.js').Action} action */
function onSubmit(form, action) {
  byId(form).addEventListener('submit', (event) => {
    event.preventDefault();
    run(action());
  });
}

function readLink() {
  if (takeLink()) {
    porchlight.cancel();
    quiet();
    enter('ready');
    showEnrollment(true);
    enrolledName().then(nameAccount);
  }
}

function signInInstead() {
  quiet();
  enter('ready');
  showEnrollment(false);
  byId('sign-in-button').focus();
  arm();
}

function offline() {
  if (isIn('ready', 'error')) {
    const { again, help } = offers(signIn(), false);
    enter('error', 'network');
    warn('You are offline. This page goes on when you are back.', { ways: [again, help] });
  }
}

function online() {
  if (shownCode() === 'network') {
    enter('ready');
    tell('You are back online.', { tone: 'good' });
    arm();
  }
}

async function begin() {
  const { secure, passkeys } = await porchlight.support();
  if (!passkeys) {
    const error = secure ? new porchlight.PasskeyError('unsupported', { message: CANNOT }) : new porchlight.PasskeyError('insecure');
    failed(error, signIn(), true);
  } else if (navigator.onLine) {
    arm();
  } else {
    offline();
  }
}

drawIcons();
nameIsFine();
byId('sign-up-button').hidden = signup !== 'open';
onSubmit('sign-in', signIn);
onSubmit('enroll', enroll);
byId('sign-up-button').addEventListener('click', () => run(signUp()));
byId('other-device-button').addEventListener('click', () => run(signIn(true)));
byId('instead-button').addEventListener('click', signInInstead);
byId('user-id').addEventListener('input', nameIsFine);
addEventListener('hashchange', readLink);
addEventListener('offline', offline);
addEventListener('online', online);
readLink();
begin();
