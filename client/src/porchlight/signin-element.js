// SPDX-License-Identifier: Apache-2.0
/** See signin-element.d.ts. */

import { PasskeyError, autofill, cancel, enroll, randomHex, report, request, signIn, signUp, support, supportCode as codeOf } from '../porchlight.js';
import { recover, signOut } from './account.js';
import { countDown } from './countdown.js';
import { readFields } from './profile-fields.js';
import { addressChoice, recoveryFor } from './recovery.js';
import { SignInView } from './signin-view.js';

/** Of the token of an enrollment link. */
const PREFIX = /^enroll_/i;
/** Errors after which the element waits before it sends requests again. */
const RETRY_LATER = ['limited', 'unavailable', 'network'];
/** Seconds until the first and between later attempts to open an enrollment link without a click. */
const FIRST_RETRY = 5;
const LAST_RETRY = 60;
/** Milliseconds until “Checking…” appears. */
const SLOW_MS = 300;
/** Milliseconds to read the greeting. */
const GREETING_MS = 900;

/** An attempt without a ceremony. @param {'login' | 'registration' | 'account'} kind */
const newRun = kind => ({ kind, trace: randomHex(16), start: Date.now() });

export class PorchlightSignIn extends SignInView {
  /** The token of an enrollment link. Kept only in memory, not in an attribute. @type {string | undefined} */
  enrollment = /** @type {any} */ (this).enrollment; // keeps one that was set before the module was loaded

  /** The request of an application that the sign-in is for. @type {string | undefined} */
  requestId = /** @type {any} */ (this).requestId;

  #refused = false;

  async start(signal) {
    addEventListener('offline', () => this.#offline(), { signal });
    addEventListener('online', () => this.#online(), { signal });
    const { secure, passkeys } = await support();
    if (signal.aborted) return;
    if (!passkeys) {
      this.view = 'sign-in';
      const error = new PasskeyError(secure ? 'unsupported' : 'insecure', { problem: secure ? 'browser' : undefined });
      this.#explain(await this.reported(error), this.#signingIn());
    } else if (this.enrollment !== undefined) {
      this.openEnrollment(this.enrollment);
    } else {
      this.#begin();
    }
  }

  /** Reports an error outside a ceremony to the operator, and returns it with its support code, if the report arrived. @param {PasskeyError} error */
  async reported(error) {
    this.setState('loading');
    const { trace, kind: ceremony } = newRun(this.enrollment === undefined ? 'login' : 'registration');
    const body = { ceremony, outcome: error.code, error: error.problem, origin: location.origin };
    const refused = await request('/auth/passkey/report', { trace, body }).catch(cause => cause);
    const arrived = !refused || refused.origin;
    return Object.assign(error, { origin: refused?.origin, supportCode: arrived && codeOf({ trace }) });
  }

  #begin() {
    if (navigator.onLine) this.startAutofill();
    else this.#offline();
  }

  /** @param {{ userId?: string, hybrid?: boolean, button?: string }} [options] */
  #signingIn({ userId, hybrid, button = 'sign-in-button' } = {}) {
    return { begin: events => signIn({ userId, hybrid, ...events }), button, userId };
  }

  signIn() {
    return this.#run(this.#signingIn());
  }

  /** Signs in with the typed user name, if any. */
  signInByName(button = 'sign-in-by-name-button') {
    return this.#run(this.#signingIn({ userId: this.userName, button }));
  }

  signInWithPhone() {
    return this.#run(this.#signingIn({ userId: this.userName, hybrid: true, button: 'other-device-button' }));
  }

  signUp() {
    const userId = this.userName;
    if (userId === undefined) return this.requireUserName(this.text('signup.nameRequired'));
    const profile = readFields(this, this.find('#sign-up'));
    if (!profile) return undefined;
    const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== ''));
    return this.#run({ begin: events => signUp({ userId, ...given }, events), button: 'sign-up-button', registers: true, userId });
  }

  #enrolling(retry) {
    return { begin: events => enroll(this.enrollment, events), button: 'enroll-button', registers: true, retry };
  }

  enroll() {
    return this.#run(this.#enrolling());
  }

  /** Exchanges a recovery code for an enrollment. */
  async recover(run = newRun('registration')) {
    const { userName: userId = '', recoveryCode: code } = this;
    if (!userId || !code) return this.find(userId ? '#recovery-code' : '#recovery-user').focus();
    this.clearMessages();
    this.setState('starting');
    try {
      const { token, validFrom } = await recover(userId, code, { trace: run.trace });
      this.find('#recovery-code').value = '';
      if (token) {
        this.accountKey = 'recovery.accepted';
        return this.openEnrollment(token);
      }
      const date = new Intl.DateTimeFormat(this.language, { dateStyle: 'long', timeStyle: 'short' }).format(validFrom);
      this.setState('ready');
      this.showStatus(this.text('recovery.waiting', { date }), { tone: 'good' });
    } catch (error) {
      report(run, error.code, error.problem);
      const edit = () => (this.showView(), this.find('#recovery-code').select());
      this.#explain(error, { button: 'recovery-button', registers: true, retry: () => this.recover(), edit });
    }
    return undefined;
  }

  /** Shows whose account an enrollment link is for. The button stays disabled until then. All attempts have one support code. */
  async openEnrollment(link, run = newRun('registration'), delay = FIRST_RETRY) {
    const token = PREFIX.test(link) ? link : `enroll_${link}`; // so that a damaged link is explained
    this.enrollment = token;
    if (!this.isBuilt) return; // opened when the element starts
    cancel();
    this.account = '';
    if (delay === FIRST_RETRY) this.view = 'enroll'; // later attempts leave the message
    const isCurrent = () => this.enrollment === token && this.view === 'enroll';
    try {
      const { user } = await request('/auth/passkey/register/options', { token, trace: run.trace });
      if (!isCurrent()) return;
      this.account = user.name;
      this.render();
    } catch (error) {
      report(run, error.code, error.problem);
      error.retryAfter = Math.max(error.retryAfter ?? 0, delay);
      if (isCurrent()) this.#explain(error, this.#enrolling(() => this.openEnrollment(token, run, Math.min(delay * 2, LAST_RETRY))));
    }
  }

  /** Shows a view after it was decided which one. `signed-in` asks a user with a session whether to continue. */
  show(view) {
    this.view = view;
    if (view === 'signed-in') this.find('#continue-button').focus();
    else this.#begin();
  }

  async useAnotherAccount(run = newRun('account')) {
    try {
      await signOut({ token: this.token, trace: run.trace });
    } catch (error) {
      report(run, error.code, error.problem);
      const again = { label: this.text('common.tryAgain'), id: 'try-again', run: () => this.useAnotherAccount() };
      return this.showError(error, { tone: 'bad', choices: [again] });
    }
    this.emit('signed-out', { reason: 'signed-out' });
    this.switchTo('sign-in');
    return this.showStatus(this.text('signin.signedOut'), { tone: 'good' });
  }

  switchTo(view) {
    cancel();
    this.view = view;
    this.accountKey = 'enroll.account';
    this.find({ 'sign-up': '#user-id', recovery: '#recovery-user' }[view] ?? '#sign-in-button').focus();
    this.startAutofill();
  }

  async #run(action) {
    let slow = 0;
    this.clearMessages();
    this.setState('starting');
    try {
      const signedIn = await action.begin({
        requestId: this.requestId,
        onPrompt: (phase, run) => this.showPrompt(phase, run),
        onVerify: () => {
          this.setState('checking');
          slow = setTimeout(() => this.showStatus(this.text('common.checking')), SLOW_MS);
        },
      });
      this.#welcome(signedIn, action.registers ?? false);
    } catch (error) {
      this.#explain(error, action);
      if (!RETRY_LATER.includes(error.code)) this.startAutofill();
    } finally {
      clearTimeout(slow);
    }
  }

  /** Offers passkeys in the visible field's autofill, but not after a refusal: it would offer the refused one again. */
  async startAutofill() {
    const possible = () => !this.#refused && this.isConnected && this.hasAutofillField && this.inState('ready', 'error');
    if (!possible() || (await support()).autofill === false || !possible()) return; // the user may have pressed a button
    try {
      this.#welcome(await autofill({ requestId: this.requestId, onVerify: () => this.setState('checking') }), false);
    } catch (error) {
      // Other errors are ignored, because the buttons still work; all are before the user has acted.
      if (!this.inState('checking')) return;
      if (!this.isUsed) return void this.setState('ready');
      this.#explain(error, this.#signingIn());
      this.startAutofill();
    }
  }

  #welcome(signedIn, signedUp) {
    const leaves = this.emit('signed-in', { ...signedIn, signedUp }) && this.hasAttribute('href');
    this.setState(leaves ? 'done' : 'ready');
    this.showStatus(this.text(signedUp ? 'signup.greeting' : 'signin.greeting', { user: signedIn.userId }), { tone: 'good' });
    if (leaves) setTimeout(() => this.leave(), GREETING_MS);
  }

  /** Shows an error and the ways to recover. */
  #explain(error, action) {
    const { code = 'unexpected' } = error;
    if (code === 'aborted') {
      this.setState('ready');
      this.showCanceled(error.supportCode);
      return void this.find(`#${action.button}`).focus();
    }
    this.#refused ||= code === 'refused';
    const available = this.#choices(action, error);
    if (/^(enrollment|recovery)_/.test(error.problem)) {
      const edit = error.problem === 'enrollment_recovery_ended' ? () => this.switchTo('recovery') : action.edit;
      const again = edit && { ...available.again, run: edit };
      return void this.showError(error, { choices: [again, available.signIn, available.help].filter(Boolean) });
    }
    const { choices, tone } = recoveryFor(code, available);
    const name = action.userId === undefined ? '' : ` ${this.text('signin.asUser', { user: action.userId })}`;
    this.showError(error, { tone, message: this.messageOf(error) + name, choices });
    if (code !== 'network' && RETRY_LATER.includes(code)) this.#countDown(error.retryAfter ?? FIRST_RETRY, action.retry);
  }

  /** Offers to sign in without a name: no user may have the typed one, or another one. */
  #choices(action, error = {}) {
    const { registers } = action;
    const choice = (key, id, run) => ({ label: this.text(key), id, run });
    const signInInstead = () => {
      this.view = 'sign-in';
      this.signIn();
    };
    return {
      address: addressChoice(this, error),
      again: choice('common.tryAgain', 'try-again', action.retry ?? (() => this.#run(action))),
      phone: registers ? undefined : choice('signin.usePhone', 'use-phone', () => this.signInWithPhone()),
      signIn: registers ? choice('common.toSignIn', 'sign-in-instead', signInInstead) : undefined,
      signUp: this.hasAttribute('signup') && !registers && !action.userId ? choice('signin.toSignUp', 'sign-up-instead', () => this.switchTo('sign-up')) : undefined,
      otherWays: registers ? undefined : choice('signin.enterName', 'enter-name', () => this.#enterName()),
      rename: choice('signup.otherName', 'choose-name', () => this.requireUserName(this.text('signup.nameTaken'))),
      reload: choice('common.reload', 'reload', () => location.reload()),
      help: this.hasAttribute('help') ? choice('common.getHelp', 'get-help', () => this.emit('help')) : undefined,
    };
  }

  #enterName() {
    this.view = 'sign-in';
    this.find('#other-ways').open = true;
    this.find('#known-user-id').focus();
  }

  /** Disables the retry until the service accepts requests again, and then does what needs no click. */
  async #countDown(seconds, retry) {
    const again = this.find('#try-again');
    const sentence = this.alert.querySelector('.text');
    const inSeconds = new Intl.RelativeTimeFormat(this.language);
    again.disabled = true;
    // Shown on the button, because screen readers would announce it every second elsewhere.
    await countDown(seconds, left => (again.textContent = this.text('signin.tryAgainIn', { time: inSeconds.format(left, 'second') })));
    if (retry && again.isConnected) return retry();
    again.disabled = false;
    again.textContent = this.text('common.tryAgain');
    if (again.isConnected) {
      sentence.textContent += ` ${this.text('signin.tryAgainNow')}`;
      if (this.isUsed) again.focus();
    }
    return undefined;
  }

  #offline() {
    if (!this.inState('ready', 'error') || ['signed-in', 'loading'].includes(this.view)) return;
    const { again, help } = this.#choices(this.#signingIn());
    this.setState('error', 'network');
    this.showAlert(this.text('signin.offline'), { choices: [again, help].filter(Boolean) });
  }

  #online() {
    if (this.dataset.code !== 'network') return;
    if (this.view === 'enroll' && this.account === '') return void this.openEnrollment(this.enrollment);
    this.setState('ready');
    this.showStatus(this.text('signin.online'), { tone: 'good' });
    this.startAutofill();
  }
}

globalThis.customElements?.define('porchlight-signin', PorchlightSignIn);
