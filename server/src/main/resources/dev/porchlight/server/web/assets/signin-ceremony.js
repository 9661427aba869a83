// SPDX-License-Identifier: Apache-2.0
// Runs a ceremony and shows its progress and its result.

import * as porchlight from '/porchlight.js';
import { countDown } from './countdown.js';
import { byId } from './dom.js';
import { clearMessages, showAlert, showStatus } from './messages.js';
import { recoveryFor } from './recovery.js';
import { signIn, signInWithPhone } from './signin-actions.js';
import * as view from './signin-view.js';
import { errorText, lang, text } from './texts.js';
import { storeToken } from './token-store.js';

/** @typedef {import('./signin-actions.js').Action} Action */

/** Errors after which the page waits before it sends requests again. */
const RETRY_LATER = ['limited', 'unavailable', 'network'];
/** Milliseconds until “Checking…” appears. */
const SLOW_MS = 300;
/** Milliseconds to read the greeting. */
const GREETING_MS = 900;

const inSeconds = new Intl.RelativeTimeFormat(lang);

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
        showStatus(text('common.followSteps'), { choices: [{ label: text('common.cancel'), run: porchlight.cancel, id: 'cancel' }] });
        byId('cancel').focus();
      },
      onVerify: () => {
        view.setState('checking');
        slow = setTimeout(() => showStatus(text('common.checking')), SLOW_MS);
      },
    });
    finishSignIn(signedIn, action.registers ? 'signup.greeting' : 'signin.greeting');
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
    finishSignIn(await porchlight.autofill({ onVerify: () => view.setState('checking') }), 'signin.greeting');
  } catch (error) {
    if (view.inState('checking')) {
      showError(error, signIn());
      startAutofill();
    }
  }
}

/** @param {import('./signin-actions.js').SignedIn} signedIn @param {string} greeting key of the text */
function finishSignIn(signedIn, greeting) {
  view.setState('done');
  storeToken(signedIn, view.login);
  showStatus(text(greeting, { user: signedIn.userId }), { tone: 'good' });
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
    showAlert(text('enroll.invalid'), { choices: [available.signIn, available.help], supportCode });
    return;
  }
  const { choices, tone, showsCode } = recoveryFor(code, available);
  const message = errorText(error);
  showAlert(message, { tone, choices, supportCode: showsCode ? supportCode : undefined });
  if (code !== 'network' && RETRY_LATER.includes(code)) {
    countDownRetry(error.retryAfter ?? 5, message);
  }
}

/** @param {Action} action @returns {any} */
export function recoveryChoices(action) {
  const { registers } = action;
  const userId = view.userName() || undefined;
  return {
    again: { label: text('common.tryAgain'), id: 'try-again', run: action.retry ?? (() => run(action)) },
    phone: registers ? undefined : { label: text('signin.usePhone'), id: 'use-phone', run: () => run(signInWithPhone()) },
    signIn: registers
      ? {
          label: userId ? text('signin.signInAs', { user: userId }) : text('common.signIn'),
          id: 'sign-in-instead',
          run: () => signInInstead(userId),
        }
      : undefined,
    signUp:
      view.signup === 'open' && !registers
        ? { label: text('signin.createAccount'), id: 'sign-up-instead', run: showSignUp }
        : undefined,
    otherWays: registers ? undefined : { label: text('signin.enterName'), id: 'enter-name', run: showOtherWays },
    rename: { label: text('signup.otherName'), id: 'choose-name', run: () => view.requireUserName(text('signup.nameTaken')) },
    reload: { label: text('common.reload'), id: 'reload', run: () => location.reload() },
    help: { label: text('signin.getHelp'), id: 'get-help', run: view.openHelp },
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

/** Disables the retry until the service accepts requests again. @param {number} seconds @param {string} message */
async function countDownRetry(seconds, message) {
  const again = byId('try-again');
  const sentence = again.closest('.message').querySelector('.text');
  again.disabled = true;
  // Shown on the button, because screen readers would announce it every second elsewhere.
  await countDown(seconds, (left) => (again.textContent = text('signin.tryAgainIn', { time: inSeconds.format(left, 'second') })));
  again.disabled = false;
  again.textContent = text('common.tryAgain');
  if (again.isConnected) {
    sentence.textContent = `${message} ${text('signin.tryAgainNow')}`;
    again.focus();
  }
}
