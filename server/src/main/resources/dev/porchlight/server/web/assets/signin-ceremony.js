// SPDX-License-Identifier: Apache-2.0
// What the sign-in page shows while something is under way, and after it ended.

import * as porchlight from '/porchlight.js';
import { countDown } from './countdown.js';
import { byId } from './dom.js';
import { keep } from './login.js';
import { quiet, tell, warn } from './messages.js';
import { signIn, signUp } from './signin-actions.js';
import { askForName, enter, isEnrolling, isIn, keepCode, login, openHelp, origin, showEnrollment, signup, userName } from './signin-view.js';
import { waysAfter } from './ways.js';

/** @typedef {import('./signin-actions.js').Action} Action */

/** After these the service is left alone for a while. */
const WAITING = ['limited', 'unavailable', 'network'];
const LINK_SPENT = 'This link was used already, or it is too old. Ask an administrator for a new one.';
const SLOW = 300;
const READING = 900;

/** @param {Action | undefined} action */
export async function run(action) {
  if (action === undefined) {
    return;
  }
  let registering = action.registers ?? false;
  let slow = 0;
  quiet();
  enter('starting');
  try {
    const signedIn = await action.begin({
      onPrompt: (phase) => {
        clearTimeout(slow);
        registering = phase === 'create';
        enter('prompt');
        tell(
          action.registers && !registering
            ? 'Your passkey is ready. Use it once to sign in.'
            : 'Follow the steps on your device.',
          { ways: [{ label: 'Cancel', go: porchlight.cancel, id: 'cancel' }] },
        );
        byId('cancel').focus();
      },
      onVerify: () => {
        enter('checking');
        slow = setTimeout(() => tell('Checking…'), SLOW);
      },
    });
    welcome(signedIn, action.greeting);
  } catch (error) {
    // A passkey that was made is there: what is left to do is to sign in with it.
    failed(error, action.registers && !registering ? { ...signIn(), greeting: action.greeting } : action, registering);
    if (!WAITING.includes(error.code)) {
      arm();
    }
  } finally {
    clearTimeout(slow);
  }
}

/** Offers passkeys in the field's autofill. Whatever keeps that from working, the buttons still do. */
export async function arm() {
  const { autofill } = await porchlight.support();
  // Somebody may have pressed a button by now.
  if (autofill === false || isEnrolling() || !isIn('ready', 'error')) {
    return;
  }
  try {
    welcome(await porchlight.autofill({ onVerify: () => enter('checking') }), 'Welcome back');
  } catch (error) {
    if (isIn('checking')) {
      failed(error, signIn(), false);
      arm();
    }
  }
}

/** @param {import('./signin-actions.js').SignedIn} signedIn @param {string} greeting */
function welcome(signedIn, greeting) {
  enter('done');
  keep(signedIn, login);
  tell(`${greeting}, ${signedIn.userId}.`, { tone: 'good' });
  // Somebody who used a phone is offered a passkey on this device, next.
  setTimeout(() => location.assign(signedIn.hybrid ? '/account#offer' : '/account'), READING);
}

/**
 * Says what happened and how to go on.
 * @param {any} error
 * @param {Action} action what to do again
 * @param {boolean} registering whether a passkey was to be made, rather than used
 */
export function failed(error, action, registering) {
  const { code = 'unforeseen', supportCode } = error;
  if (code === 'aborted') {
    enter('ready');
    quiet();
    action.button.focus();
    return;
  }
  enter('error', code);
  keepCode(supportCode);
  const offered = offers(action, registering);
  if (registering && error.status === 401) {
    warn(LINK_SPENT, { ways: [offered.signIn, offered.help], supportCode });
    return;
  }
  const { ways, tone, showsCode } = waysAfter(code, offered);
  const text = error instanceof porchlight.PasskeyError ? error.message : 'Something went wrong on this page.';
  warn(text, { tone, ways, supportCode: showsCode ? supportCode : undefined });
  if (code !== 'network' && WAITING.includes(code)) {
    wait(error.retryAfter ?? 5, text);
  }
}

/** @param {Action} action @param {boolean} registering @returns {any} */
export function offers(action, registering) {
  const named = userName();
  const signInInstead = () => {
    showEnrollment(false);
    run(signIn());
  };
  return {
    again: { label: 'Try again', id: 'try-again', go: () => run(action) },
    phone: registering ? undefined : { label: 'Use your phone', id: 'use-phone', go: () => run(signIn(true)) },
    signIn: registering
      ? { label: named ? `Sign in as ${named}` : 'Sign in', id: 'sign-in-instead', go: signInInstead }
      : undefined,
    signUp:
      signup === 'open' && !registering
        ? { label: 'Create an account', id: 'sign-up-instead', go: () => run(signUp()) }
        : undefined,
    rename: { label: 'Choose another name', id: 'choose-name', go: () => askForName('Choose another user name.') },
    // Passkeys work where they were made: perhaps this is the right page under a wrong name.
    there:
      origin === location.origin
        ? undefined
        : { label: `Go to ${origin}`, id: 'go-there', go: () => location.assign(`${origin}/`) },
    reload: { label: 'Reload this page', id: 'reload', go: () => location.reload() },
    help: { label: 'Get help', id: 'get-help', go: openHelp },
  };
}

/** Holds the buttons back until the service wants to hear from us again. @param {number} seconds @param {string} text */
async function wait(seconds, text) {
  const again = byId('try-again');
  const sentence = again.closest('.message').querySelector('.text');
  const buttons = [again, ...document.querySelectorAll('form button')];
  buttons.forEach((button) => (button.disabled = true));
  // On the button, which is not read out every second.
  await countDown(seconds, (left) => (again.textContent = `Try again in ${left} s`));
  buttons.forEach((button) => (button.disabled = false));
  again.textContent = 'Try again';
  if (again.isConnected) {
    sentence.textContent = `${text} You can try again now.`;
    again.focus();
    arm();
  }
}
