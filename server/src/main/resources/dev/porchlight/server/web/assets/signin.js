// SPDX-License-Identifier: Apache-2.0
// The sign-in page: what its buttons do, and what it shows while and after they do it.

import * as porchlight from '/porchlight.js';
import { countDown } from './countdown.js';
import { byId } from './dom.js';
import { keep } from './login.js';
import { quiet, tell, warn } from './messages.js';
import { waysAfter } from './ways.js';

/**
 * One thing a person can start here.
 * @typedef {{ begin: (events: object) => Promise<{ userId: string, hybrid: boolean, token?: string }>, button: HTMLElement,
 *   registers?: boolean, greeting?: string }} Action
 */

const main = byId('main');
const field = byId('user-id');
const hint = byId('user-id-hint');
const signupOpen = main.dataset.signup === 'open';
const HINT = signupOpen
  ? 'To create an account, choose one. To sign in you may leave it empty: your passkey knows it.'
  : hint.textContent;

const LINK_SPENT = 'This link was used already, or it is too old. Ask an administrator for a new one.';

/** The token of the enrolment link that led here. In no other place: neither history nor storage keeps it. */
let enrolment = '';

/** @param {'ready' | 'starting' | 'prompt' | 'checking' | 'done' | 'error'} name @param {string} [code] */
function state(name, code) {
  main.dataset.state = name;
  main.dataset.code = code ?? '';
  const busy = ['starting', 'prompt', 'checking', 'done'].includes(name);
  for (const form of document.forms) {
    form.setAttribute('aria-busy', String(busy));
    form.elements[0].disabled = busy;
  }
}

// What can be started.

/** @returns {Action} */
const signIn = () => {
  const userId = field.value.trim() || undefined;
  return { begin: (events) => porchlight.signIn({ userId, ...events }), button: byId('sign-in-button') };
};

/** @returns {Action} */
const signInByPhone = () => {
  const userId = field.value.trim() || undefined;
  return { begin: (events) => porchlight.signIn({ userId, hybrid: true, ...events }), button: byId('other-device-button') };
};

/** @returns {Action | undefined} */
const signUp = () => {
  const userId = field.value.trim();
  if (userId === '') {
    askForName('Choose a user name first, any that you like.');
    return undefined;
  }
  return {
    begin: (events) => porchlight.signUp({ userId }, events),
    button: byId('sign-up-button'),
    registers: true,
    greeting: 'Welcome',
  };
};

/** @returns {Action} */
const enrol = () => ({
  begin: (events) => porchlight.enrol(enrolment, events),
  button: byId('enrol-button'),
  registers: true,
  greeting: 'Welcome',
});

// What happens then.

/** @param {Action | undefined} action */
async function run(action) {
  if (action === undefined) {
    return;
  }
  let { registers } = action;
  let slow = 0;
  quiet();
  state('starting');
  try {
    const signedIn = await action.begin({
      onPrompt: (phase) => {
        clearTimeout(slow);
        const second = action.registers && phase === 'get';
        registers = phase === 'create';
        state('prompt');
        tell(
          second ? 'Your passkey is ready. Use it once to sign in.' : 'Follow the steps on your device.',
          { ways: [{ label: 'Cancel', go: porchlight.cancel, id: 'cancel' }] },
        );
        byId('cancel').focus();
      },
      onVerify: () => {
        state('checking');
        slow = setTimeout(() => tell('Checking…'), 300);
      },
    });
    clearTimeout(slow);
    welcome(signedIn, action.greeting);
  } catch (error) {
    clearTimeout(slow);
    // A passkey that was made is there: what is left to do is to sign in with it.
    failed(error, action.registers && !registers ? { ...signIn(), greeting: action.greeting } : action, registers);
    arm();
  }
}

/** @param {{ userId: string, hybrid: boolean, token?: string }} signedIn */
function welcome(signedIn, greeting = 'Welcome back') {
  state('done');
  keep(signedIn, main.dataset.login);
  tell(`${greeting}, ${signedIn.userId}.`, { tone: 'good' });
  // Somebody who used a phone is offered a passkey on this device, next.
  setTimeout(() => location.assign(signedIn.hybrid ? '/account#offer' : '/account'), 900);
}

/** @param {any} error @param {Action} action @param {boolean | undefined} registering */
function failed(error, action, registering) {
  const { code = 'unforeseen', supportCode } = error;
  if (code === 'aborted') {
    state('ready');
    quiet();
    action.button.focus();
    return;
  }
  state('error', code);
  remember(supportCode);
  const offered = offers(action, registering);
  const { ways, tone, showsCode } = waysAfter(code, offered);
  if (registering && error.status === 401) {
    warn(LINK_SPENT, { ways: [offered.signIn, offered.help], supportCode });
    return;
  }
  const text = error instanceof porchlight.PasskeyError ? error.message : 'Something went wrong on this page.';
  warn(text, { tone, ways, supportCode: showsCode ? supportCode : undefined });
  if (code === 'limited' || code === 'unavailable') {
    wait(error.retryAfter ?? 5, text);
  }
}

/** @param {Action} action @param {boolean | undefined} registering @returns {import('./ways.js').Offers} */
function offers(action, registering) {
  const named = field.value.trim();
  return {
    again: { label: 'Try again', id: 'try-again', go: () => run(action) },
    phone: registering ? undefined : { label: 'Use your phone', id: 'use-phone', go: () => run(signInByPhone()) },
    signIn: registering
      ? { label: named ? `Sign in as ${named}` : 'Sign in', id: 'sign-in-instead', go: () => signInInstead() }
      : undefined,
    signUp: signupOpen && !registering ? { label: 'Create an account', id: 'sign-up-instead', go: () => run(signUp()) } : undefined,
    rename: { label: 'Choose another name', id: 'choose-name', go: () => askForName('Choose another user name.') },
    reload: { label: 'Reload this page', id: 'reload', go: () => location.reload() },
    help: { label: 'Get help', id: 'get-help', go: help },
  };
}

/** Holds the buttons back until the service wants to hear from us again. @param {number} seconds @param {string} text */
async function wait(seconds, text) {
  const again = byId('try-again');
  const sentence = again.closest('.message').querySelector('.text');
  const buttons = [again, ...main.querySelectorAll('form button')];
  buttons.forEach((button) => (button.disabled = true));
  await countDown(seconds, (left) => {
    // Read out once, not every second.
    again.textContent = `Try again in ${left} s`;
  });
  buttons.forEach((button) => (button.disabled = false));
  again.textContent = 'Try again';
  if (again.isConnected) {
    sentence.textContent = `${text} You can try again now.`;
    again.focus();
  }
}

/** @param {string} text */
function askForName(text) {
  state('ready');
  quiet();
  hint.textContent = text;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
  field.select();
}

function signInInstead() {
  view('sign-in');
  run(signIn());
}

function help() {
  byId('help').open = true;
  byId('help-summary').focus();
}

/** @param {string | undefined} supportCode */
function remember(supportCode) {
  byId('last-code').hidden = !supportCode;
  byId('last-support-code').textContent = supportCode ?? '';
}

// Without a button.

/** Offers passkeys in the field's autofill. Whatever keeps that from working, the buttons still do. */
async function arm() {
  if (main.dataset.view !== 'sign-in' || (await porchlight.support()).autofill === false) {
    return;
  }
  try {
    welcome(await porchlight.autofill({ onVerify: () => state('checking') }));
  } catch (error) {
    if (main.dataset.state === 'checking') {
      failed(error, signIn(), false);
      arm();
    }
  }
}

/** @param {'sign-in' | 'enrol'} name */
function view(name) {
  const enrolling = name === 'enrol';
  main.dataset.view = name;
  byId('enrol').hidden = !enrolling;
  byId('sign-in').hidden = enrolling;
  if (enrolling) {
    byId('title').textContent = 'Create your passkey';
    byId('lead').textContent = 'You sign in with it from now on, by your fingerprint, face, or screen lock.';
  } else {
    byId('title').textContent = title;
    byId('lead').textContent = lead;
  }
}

const title = byId('title').textContent;
const lead = byId('lead').textContent;

/** Takes the token of an enrolment link out of the address at once, so that it is neither bookmarked nor seen. */
function readLink() {
  if (location.hash.startsWith('#enrol=')) {
    enrolment = location.hash.slice('#enrol='.length);
    history.replaceState(null, '', location.pathname);
    porchlight.cancel();
    quiet();
    state('ready');
    view('enrol');
  }
}

function offline() {
  if (main.dataset.state === 'ready' || main.dataset.state === 'error') {
    state('error', 'network');
    warn('You are offline. This page goes on when you are back.', { ways: [offers(signIn(), false).help] });
  }
}

function online() {
  if (main.dataset.code === 'network') {
    state('ready');
    tell('You are back online.', { tone: 'good' });
    arm();
  }
}

async function start() {
  hint.textContent = HINT;
  byId('sign-up-button').hidden = !signupOpen;
  byId('sign-in').addEventListener('submit', (event) => {
    event.preventDefault();
    run(signIn());
  });
  byId('enrol').addEventListener('submit', (event) => {
    event.preventDefault();
    run(enrol());
  });
  byId('sign-up-button').addEventListener('click', () => run(signUp()));
  byId('other-device-button').addEventListener('click', () => run(signInByPhone()));
  byId('instead-button').addEventListener('click', () => {
    view('sign-in');
    byId('sign-in-button').focus();
    arm();
  });
  field.addEventListener('input', () => {
    field.removeAttribute('aria-invalid');
    hint.textContent = HINT;
  });
  addEventListener('hashchange', readLink);
  addEventListener('offline', offline);
  addEventListener('online', online);

  readLink();
  const { secure, passkeys } = await porchlight.support();
  if (!passkeys) {
    const code = secure ? 'unsupported' : 'insecure';
    failed(
      new porchlight.PasskeyError(code, {
        message: secure
          ? 'This browser cannot use passkeys. Update it, or open this page in another browser or on your phone.'
          : undefined,
      }),
      signIn(),
      true,
    );
  } else if (!navigator.onLine) {
    offline();
  } else {
    arm();
  }
}

start();
