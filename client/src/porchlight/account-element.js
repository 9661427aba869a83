// SPDX-License-Identifier: Apache-2.0
/** See account-element.d.ts. */

import { addPasskey, configure, randomHex, report, request } from '../porchlight.js';
import { AccountView } from './account-view.js';
import * as account from './account.js';
import { loadProviders } from './passkey-names.js';
import { profileActions } from './profile-section.js';
import { addressChoice, recoveryFor } from './recovery.js';

/** Milliseconds between checks that the session still exists. */
const CHECK_MS = 60_000;
/** Errors after which the account is loaded again without a click. */
const RETRY_LATER = ['limited', 'unavailable', 'network'];
/** Seconds until the first and between later attempts. */
const FIRST_RETRY = 5;
const LAST_RETRY = 60;
const PROMPTS = { get: 'account.confirm', create: 'common.prompt' }; // by phase

export class PorchlightAccount extends AccountView {
  /** The access token, if sessions are not used. @type {string | undefined} */
  token = /** @type {any} */ (this).token; // keeps one that was set before the module was loaded

  /** The token of a link that verifies the address. @type {string | undefined} */
  emailToken = /** @type {any} */ (this).emailToken;

  #timer;
  /** All requests of an action have one trace id, and thus one support code. */
  #trace;

  get access() {
    return { token: this.token, trace: this.#trace };
  }

  /** The options of functions that may prompt. Keeps the token of a new sign-in, if the page uses tokens. */
  get prompting() {
    return {
      ...this.access,
      onPrompt: (phase, run) => this.showPrompt(phase, run, PROMPTS[phase]),
      onVerify: () => {
        this.setState('checking');
        this.showStatus(this.text('common.checking'));
      },
      onToken: token => {
        if (!this.token || !token) return;
        this.token = token;
        this.emit('token', { token });
      },
    };
  }

  async start(signal) {
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    addEventListener('online', () => this.inState('error') && !this.userId && this.#load(signal), { signal });
    document.addEventListener('visibilitychange', () => this.#check(), { signal });
    configure({ signal: false }); // the list sends the signals
    this.setState('loading');
    await this.#load(signal);
  }

  /** Loads and shows the account. While the service does not respond, tries again without a click. */
  async #load(signal, delay = FIRST_RETRY) {
    const retry = error => {
      if (!RETRY_LATER.includes(error.code) || signal.aborted) return undefined;
      this.#timer = setTimeout(() => this.#load(signal, Math.min(delay * 2, LAST_RETRY)), Math.max(error.retryAfter ?? 0, delay) * 1000);
      return this.text('account.retrying');
    };
    await this.attempt(async () => {
      clearTimeout(this.#timer);
      const current = await account.session(this.access);
      if (!current) return this.#signedOut('none');
      await Promise.all([this.loadPasskeys(), loadProviders(), this.#loadProfile(), this.loadSessions(), this.#loadApplications(), this.ways.load()]);
      if (signal.aborted) return undefined;
      this.userId = current.userId;
      this.render();
      this.announce();
      this.reset();
      if (this.hasAttribute('offer')) this.showOffer(() => this.reset());
      if (this.emailToken && !this.profile?.emailVerified) profileActions(this).confirm(this.emailToken);
      return this.#watch();
    }, retry);
  }

  async loadPasskeys() {
    this.passkeys = await account.passkeys(this.access);
  }

  async #loadProfile() {
    if (this.hasAttribute('profile')) this.profile = await account.profile(this.access);
  }

  async loadSessions() {
    if (!this.hasAttribute('sessions')) return;
    const { sessions } = await request('/auth/sessions', this.access);
    this.sessions = sessions.sort((one, other) => Number(other.current) - Number(one.current));
  }

  async #loadApplications() {
    if (this.hasAttribute('applications')) ({ applications: this.applications } = await request('/auth/applications', this.access));
  }

  #watch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check().then(() => this.userId && this.#watch()), CHECK_MS);
  }

  /** Shows without a click that the session has ended: it expired, or ended elsewhere, or an operator locked the user. */
  async #check() {
    if (document.hidden || !this.userId || !this.inState('ready', 'error')) return;
    const current = await account.session({ token: this.token }).catch(() => this); // checked again later
    if (!current && this.userId) this.#signedOut('ended');
  }

  reset() {
    this.setState('ready');
    this.clearMessages();
    if (this.isUsed) this.addButton.focus();
  }

  /** Shows the account after a change, with a message, and focuses the title of a section. */
  done(message, section = '') {
    this.render();
    this.setState('ready');
    this.showStatus(message, { tone: 'good' });
    if (section) (this.find(`#${section}:not([hidden]) [tabindex='-1']`) ?? this.heading).focus();
  }

  async add() {
    await this.attempt(async () => {
      this.clearMessages();
      this.setState('prompt');
      const added = await this.ceremony(addPasskey(this.prompting), { again: () => this.add() });
      if (!added) return;
      await Promise.all([this.loadPasskeys(), this.loadSessions()]); // a prompt renews the session
      this.done(this.text('account.added'));
      this.emit('passkey-added', { credentialId: added.credentialId });
      this.card(added.credentialId)?.querySelector('.rename').click();
    });
  }

  async rename({ credentialId }, name) {
    await this.attempt(async () => {
      this.passkeys = await account.rename(credentialId, name, this.access);
      this.done(this.text('account.renamed', { passkey: name }));
      this.card(credentialId)?.querySelector('.rename').focus();
    });
  }

  async confirmRemoval(passkey, last = this.passkeys.length === 1) {
    const choice = await this.askRemoval(passkey, last);
    if (choice === 'add') await this.add();
    else if (choice) await this.#remove(passkey, last);
  }

  async #remove(passkey, force) {
    const { credentialId } = passkey;
    const back = () => {
      this.reset();
      this.card(credentialId)?.querySelector('.remove').focus();
    };
    await this.attempt(async () => {
      const removing = account.remove(credentialId, { force, ...this.prompting }).catch(error => {
        if (error.problem !== 'last_credential') throw error;
        return { last: true }; // another passkey was removed in the meantime
      });
      const removed = await this.ceremony(removing, { again: () => this.#remove(passkey, force), back });
      if (removed?.last) await this.confirmRemoval(passkey, true);
      else if (removed) await this.#removed(passkey, removed);
    });
  }

  async #removed({ credentialId, title }, { passkeys: left, signaled }) {
    const message = this.text('account.removed', { passkey: title }) + (signaled ? '' : ` ${this.text('account.notSignaled')}`);
    this.passkeys = left;
    this.emit('passkey-removed', { credentialId });
    const signedIn = await this.loadSessions()
      .then(() => account.session(this.access))
      .catch(error => {
        if (error.status !== 401) throw error;
      });
    if (!signedIn) return this.#signedOut('ended', `${message} ${this.text(left.length > 0 ? 'account.removedCurrent' : 'account.noneLeft')}`);
    this.done(message);
    return this.heading.focus();
  }

  endSession(ended) {
    return this.attempt(async () => {
      await request(`/auth/sessions/${ended.session}`, { method: 'DELETE', ...this.access });
      await this.loadSessions();
      this.done(this.text('account.sessionGone'), 'sessions');
    });
  }

  revoke({ clientId, name }) {
    return this.attempt(async () => {
      await request(`/auth/applications/${encodeURIComponent(clientId)}`, { method: 'DELETE', ...this.access });
      await this.#loadApplications();
      this.done(this.text('account.revoked', { application: name }), 'applications');
    });
  }

  async signOutEverywhere() {
    const choice = await this.ask({
      title: this.text('account.everywhereTitle'),
      message: this.text('account.everywhereText'),
      choices: [{ value: 'sign-out', label: this.text('account.everywhere'), type: 'primary' }],
    });
    if (choice) await this.signOut(true);
  }

  async signOut(everywhere = false) {
    await this.attempt(async () => {
      await account.signOut({ everywhere, ...this.access });
      this.#signedOut('signed-out');
    });
  }

  /** Hides the account. If the session has ended, shows why; otherwise goes to the sign-in page. */
  #signedOut(reason, message = this.text('account.sessionEnded')) {
    this.token = undefined;
    this.userId = '';
    clearTimeout(this.#timer);
    this.setState('signed-out');
    const leaves = this.emit('signed-out', { reason });
    if (reason !== 'ended') return leaves && this.leave();
    this.render();
    this.heading.textContent = this.text('account.signedOut');
    const signIn = { label: this.text('common.toSignIn'), id: 'sign-in', run: () => this.leave() };
    return this.showAlert(message, { choices: this.hasAttribute('href') ? [signIn] : [] });
  }

  get #notNow() {
    return { label: this.text('account.notNow'), id: 'not-now', run: () => this.reset() };
  }

  get #help() {
    return this.hasAttribute('help') ? [{ label: this.text('common.getHelp'), id: 'get-help', run: () => this.emit('help') }] : [];
  }

  /**
   * Runs requests to the service, shows their errors, and reports them to the operator under the support code.
   * @param {() => Promise<unknown>} work
   * @param {(error: any) => string | undefined} [retry] returns a sentence if the work is tried again without a click
   */
  async attempt(work, retry = () => undefined) {
    this.#trace = randomHex(16);
    try {
      await work();
    } catch (error) {
      if (error.status === 401) return this.#signedOut('ended');
      const { code, problem } = error;
      const retrying = retry(error);
      if (retrying && this.dataset.code === code) return undefined; // already shown
      if (error.supportCode) report({ kind: 'account', start: Date.now(), ...this.access }, code, problem);
      const again = { label: this.text('common.tryAgain'), id: 'try-again', run: () => this.attempt(work, retry) };
      const message = retrying && `${this.texts.error(error)} ${retrying}`;
      this.showError(error, { tone: 'bad', message, choices: [again, ...(this.userId ? [this.#notNow] : []), ...this.#help] });
    }
    return undefined;
  }

  /** Waits for a ceremony and shows its error, if any. */
  async ceremony(running, { again, back = () => this.reset() }) {
    try {
      return await running;
    } catch (error) {
      const sessionEnded = error.status === 401 && error.problem !== 'authentication_failed';
      if (!error.supportCode || sessionEnded) throw error; // not an error of a ceremony, or the session has ended
      if (error.code === 'aborted') {
        back();
        this.showCanceled(error.supportCode);
      } else this.#explain(error, again, back);
      return undefined;
    }
  }

  #explain(error, again, back) {
    const showList = () => {
      this.reset();
      this.heading.focus();
    };
    const { choices, tone } = recoveryFor(error.code, {
      address: addressChoice(this, error),
      again: { label: this.text('common.tryAgain'), id: 'try-again', run: again },
      reload: { label: this.text('common.reload'), id: 'reload', run: () => location.reload() },
      signIn: error.code === 'duplicate' ? { label: this.text('account.showPasskeys'), id: 'show-passkeys', run: showList } : undefined,
      help: { ...this.#notNow, run: back },
    });
    this.showError(error, { tone, choices: [...choices, ...this.#help].slice(0, 3) });
  }
}

globalThis.customElements?.define('porchlight-account', PorchlightAccount);
