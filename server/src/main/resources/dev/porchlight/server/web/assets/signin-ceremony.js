// SPDX-License-Identifier: Apache-2.0
// Runs a ceremony and shows its progress and its result.

import * as porchlight from '/porchlight.js';
import { countDown } from './countdown.js';
import { byId } from './dom.js';
import { storeToken } from './token-store.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { signIn, signUp } from './signin-actions.js';
import { requireUserName, setState, isEnrolling, inState, showSupportCode, login, openHelp, origin, showEnrollment, signup, userName } from './signin-view.js';
import { recoveryFor } from './recovery.js';

/** @typedef {import('./signin-actions.js').Action} Action */

/** Errors after which the page waits before it sends requests again. */
const RETRY_LATER = ['limited', 'unavailable', 'network'];
const LINK_INVALID = 'This link has expired or was already used. Ask an administrator for a new one.';
/** Milliseconds until “Checking…” appears. */
const SLOW_MS = 300;
/** Milliseconds to read the greeting. */
const GREETING_MS = 900;

/** @param {Action | undefined} action */
export async function run(action) {
  if (action === undefined) {
    return;
  }
  let registering = action.registers ?? false;
  let slow = 0;
  clearMessages();
  setState('starting');
  try {
    const signedIn = await action.begin({
      onPrompt: (phase) => {
        clearTimeout(slow);
        registering = phase === 'create';
        setState('prompt');
        showStatus(
          action.registers && !registering
            ? 'Your passkey is ready. Use it once to sign in.'
            : 'Follow the steps on your device.',
          { choices: [{ label: 'Cancel', run: porchlight.cancel, id: 'cancel' }] },
        );
        byId('cancel').focus();
      },
      onVerify: () => {
        setState('checking');
        slow = setTimeout(() => showStatus('Checking…'), SLOW_MS);
      },
    });
    finishSignIn(signedIn, action.greeting);
  } catch (error) {
    // The passkey was created, so only the sign-in is left.
    showError(error, action.registers && !registering ? { ...signIn(), greeting: action.greeting } : action, registering);
    if (!RETRY_LATER.includes(error.code)) {
      startAutofill();
    }
  } finally {
    clearTimeout(slow);
  }
}

/** Offers passkeys in the field's autofill. Errors are ignored, because the buttons still work. */
export async function startAutofill() {
  const { autofill } = await porchlight.support();
  // The user may have pressed a button in the meantime.
  if (autofill === false || isEnrolling() || !inState('ready', 'error')) {
    return;
  }
  try {
    finishSignIn(await porchlight.autofill({ onVerify: () => setState('checking') }), 'Welcome back');
  } catch (error) {
    if (inState('checking')) {
      showError(error, signIn(), false);
      startAutofill();
    }
  }
}

/** @param {import('./signin-actions.js').SignedIn} signedIn @param {string} greeting */
function finishSignIn(signedIn, greeting) {
  setState('done');
  storeToken(signedIn, login);
  showStatus(`${greeting}, ${signedIn.userId}.`, { tone: 'good' });
  // Users who signed in with a phone are offered a passkey on this device.
  setTimeout(() => location.assign(signedIn.hybrid ? '/account#offer' : '/account'), GREETING_MS);
}

/**
 * Shows an error and the ways to recover.
 * @param {any} error
 * @param {Action} action the action to retry
 * @param {boolean} registering whether the error occurred while creating a passkey
 */
export function showError(error, action, registering) {
  const { code = 'unexpected', supportCode } = error;
  if (code === 'aborted') {
    setState('ready');
    clearMessages();
    action.button.focus();
    return;
  }
  setState('error', code);
  showSupportCode(supportCode);
  const available = recoveryChoices(action, registering);
  if (registering && error.status === 401) {
    showAlert(LINK_INVALID, { choices: [available.signIn, available.help], supportCode });
    return;
  }
  const { choices, tone, showsCode } = recoveryFor(code, available);
  const text = error instanceof porchlight.PasskeyError ? error.message : 'Something went wrong. Try again, or reload this page.';
  showAlert(text, { tone, choices, supportCode: showsCode ? supportCode : undefined });
  if (code !== 'network' && RETRY_LATER.includes(code)) {
    countDownRetry(error.retryAfter ?? 5, text);
  }
}

/** @param {Action} action @param {boolean} registering @returns {any} */
export function recoveryChoices(action, registering) {
  const typedName = userName();
  const signInInstead = () => {
    showEnrollment(false);
    run(signIn());
  };
  return {
    again: { label: 'Try again', id: 'try-again', run: () => run(action) },
    phone: registering ? undefined : { label: 'Use your phone', id: 'use-phone', run: () => run(signIn(true)) },
    signIn: registering
      ? { label: typedName ? `Sign in as ${typedName}` : 'Sign in', id: 'sign-in-instead', run: signInInstead }
      : undefined,
    signUp:
      signup === 'open' && !registering
        ? { label: 'Create an account', id: 'sign-up-instead', run: () => run(signUp()) }
        : undefined,
    rename: { label: 'Choose another name', id: 'choose-name', run: () => requireUserName('Choose another user name.') },
    // Passkeys only work at the configured origin.
    correctOrigin:
      origin === location.origin
        ? undefined
        : { label: `Go to ${origin}`, id: 'go-to-origin', run: () => location.assign(`${origin}/`) },
    reload: { label: 'Reload this page', id: 'reload', run: () => location.reload() },
    help: { label: 'Get help', id: 'get-help', run: openHelp },
  };
}

/** Disables the buttons until the service accepts requests again. @param {number} seconds @param {string} text */
async function countDownRetry(seconds, text) {
  const again = byId('try-again');
  const sentence = again.closest('.message').querySelector('.text');
  const buttons = [again, ...document.querySelectorAll('form button')];
  buttons.forEach((button) => (button.disabled = true));
  // Shown on the button, because screen readers would announce it every second elsewhere.
  await countDown(seconds, (left) => (again.textContent = `Try again in ${left} ${left === 1 ? 'second' : 'seconds'}`));
  buttons.forEach((button) => (button.disabled = false));
  again.textContent = 'Try again';
  if (again.isConnected) {
    sentence.textContent = `${text} You can try again now.`;
    again.focus();
    startAutofill();
  }
}
