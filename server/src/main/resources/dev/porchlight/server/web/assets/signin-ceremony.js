// SPDX-License-Identifier: Apache-2.0
// Runs a ceremony and shows its progress and its result.

import * as porchlight from '/porchlight.js';
import { countDown } from './countdown.js';
import { byId } from './dom.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { recoveryFor } from './recovery.js';
import { signIn, signInWithPhone } from './signin-actions.js';
import * as view from './signin-view.js';
import { storeToken } from './token-store.js';

/** @typedef {import('./signin-actions.js').Action} Action */

/** Errors after which the page waits before it sends requests again. */
const RETRY_LATER = ['limited', 'unavailable', 'network'];
const LINK_INVALID = 'This link has expired or was already used. Ask an administrator for a new one.';
/** Milliseconds until “Checking…” appears. */
const SLOW_MS = 300;
/** Milliseconds to read the greeting. */
const GREETING_MS = 900;

/** Whether a passkey was refused, after which autofill stays off. */
let refused = false;

/** @param {Action | undefined} action */
export async function run(action) {
  if (action === undefined) {
    return;
  }
  let slow = 0;
  clearMessages();
  view.setState('starting');
  try {
    const signedIn = await action.begin({
      onPrompt: () => {
        view.setState('prompt');
        showStatus('Follow the steps on your device.', { choices: [{ label: 'Cancel', run: porchlight.cancel, id: 'cancel' }] });
        byId('cancel').focus();
      },
      onVerify: () => {
        view.setState('checking');
        slow = setTimeout(() => showStatus('Checking…'), SLOW_MS);
      },
    });
    finishSignIn(signedIn, action.greeting);
  } catch (error) {
    showError(error, action);
    if (!RETRY_LATER.includes(error.code)) {
      startAutofill();
    }
  } finally {
    clearTimeout(slow);
  }
}

/** Offers passkeys in the visible field's autofill. Errors are ignored, because the buttons still work. */
export async function startAutofill() {
  const { autofill } = await porchlight.support();
  // The user may have pressed a button in the meantime.
  if (autofill === false || refused || !view.hasAutofillField() || !view.inState('ready', 'error')) {
    return;
  }
  try {
    finishSignIn(await porchlight.autofill({ onVerify: () => view.setState('checking') }), 'Welcome back');
  } catch (error) {
    if (view.inState('checking')) {
      showError(error, signIn());
      startAutofill();
    }
  }
}

/** @param {import('./signin-actions.js').SignedIn} signedIn @param {string} greeting */
function finishSignIn(signedIn, greeting) {
  view.setState('done');
  storeToken(signedIn, view.login);
  showStatus(`${greeting}, ${signedIn.userId}.`, { tone: 'good' });
  // Users who signed in with a phone are offered a passkey on this device.
  const offer = signedIn.hybrid && view.target === '/account' ? '#offer' : '';
  setTimeout(() => location.assign(view.target + offer), GREETING_MS);
}

/** Shows an error and the ways to recover. @param {any} error @param {Action} action the action to retry */
export function showError(error, action) {
  const { code = 'unexpected', supportCode } = error;
  if (code === 'aborted') {
    view.setState('ready');
    clearMessages();
    action.button.focus();
    return;
  }
  refused ||= code === 'refused';
  view.setState('error', code);
  view.showSupportCode(supportCode);
  const available = recoveryChoices(action);
  if (action.registers && error.status === 401) {
    showAlert(LINK_INVALID, { choices: [available.signIn, available.help], supportCode });
    return;
  }
  const { choices, tone, showsCode } = recoveryFor(code, available);
  const text = error instanceof porchlight.PasskeyError ? error.message : 'Something went wrong.';
  showAlert(text, { tone, choices, supportCode: showsCode ? supportCode : undefined });
  if (code !== 'network' && RETRY_LATER.includes(code)) {
    countDownRetry(error.retryAfter ?? 5, text);
  }
}

/** @param {Action} action @returns {any} */
export function recoveryChoices(action) {
  const { registers } = action;
  const userId = view.userName() || undefined;
  return {
    again: { label: 'Try again', id: 'try-again', run: () => run(action) },
    phone: registers ? undefined : { label: 'Use your phone', id: 'use-phone', run: () => run(signInWithPhone()) },
    signIn: registers
      ? { label: userId ? `Sign in as ${userId}` : 'Sign in', id: 'sign-in-instead', run: () => signInInstead(userId) }
      : undefined,
    signUp:
      view.signup === 'open' && !registers
        ? { label: 'Create an account', id: 'sign-up-instead', run: showSignUp }
        : undefined,
    otherWays: registers ? undefined : { label: 'Enter your user name', id: 'enter-name', run: showOtherWays },
    rename: { label: 'Choose another name', id: 'choose-name', run: () => view.requireUserName('Choose another user name.') },
    reload: { label: 'Reload this page', id: 'reload', run: () => location.reload() },
    help: { label: 'Get help', id: 'get-help', run: view.openHelp },
  };
}

/** @param {string | undefined} userId */
function signInInstead(userId) {
  view.showView('sign-in');
  run(signIn({ userId }));
}

export function showSignUp() {
  porchlight.cancel();
  view.showView('sign-up');
  byId('user-id').focus();
  startAutofill();
}

function showOtherWays() {
  view.showView('sign-in');
  byId('other-ways').open = true;
  byId('known-user-id').focus();
}

export function showSignIn() {
  porchlight.cancel();
  view.showView('sign-in');
  byId('sign-in-button').focus();
  startAutofill();
}

/** Disables the retry until the service accepts requests again. @param {number} seconds @param {string} text */
async function countDownRetry(seconds, text) {
  const again = byId('try-again');
  const sentence = again.closest('.message').querySelector('.text');
  again.disabled = true;
  // Shown on the button, because screen readers would announce it every second elsewhere.
  await countDown(seconds, (left) => (again.textContent = `Try again in ${left} ${left === 1 ? 'second' : 'seconds'}`));
  again.disabled = false;
  again.textContent = 'Try again';
  if (again.isConnected) {
    sentence.textContent = `${text} You can try again now.`;
    again.focus();
  }
}
