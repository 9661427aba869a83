// SPDX-License-Identifier: Apache-2.0
/** See account-element.d.ts. */

import { addPasskey, configure, request } from '../porchlight.js';
import { AccountView } from './account-view.js';
import * as account from './account.js';
import { loadProviders } from './passkey-names.js';
import { recoveryFor } from './recovery.js';

/** Milliseconds until a session that has not ended as expected is checked again. */
const RECHECK_MS = 60_000;
/** The longest delay that setTimeout accepts. */
const MAX_DELAY = 2 ** 31 - 1;

export class PorchlightAccount extends AccountView {
  /** The access token, if sessions are not used. @type {string | undefined} */
  token = /** @type {any} */ (this).token; // keeps one that was set before the module was loaded

  #end;

  get #access() {
    return { token: this.token };
  }

  /** The options of functions that may prompt. Keeps the token of a new sign-in, if the page uses tokens. */
  get #prompting() {
    return {
      ...this.#access,
      onPrompt: phase => this.showPrompt(phase === 'get' ? 'account.confirm' : 'common.prompt'),
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
    signal.addEventListener('abort', () => clearTimeout(this.#end));
    configure({ signal: false }); // the list sends the signals
    this.setState('loading');
    await this.#attempt(async () => {
      const current = await account.session(this.#access);
      if (!current) return this.#signedOut('none');
      await Promise.all([this.#loadPasskeys(), loadProviders(), this.#loadSessions(), this.#loadApplications()]);
      if (signal.aborted) return undefined;
      this.userId = current.userId;
      this.render();
      this.announce();
      this.setState('ready');
      if (this.hasAttribute('offer')) this.#offer();
      return this.#awaitEnd(current);
    });
  }

  async #loadPasskeys() {
    this.passkeys = await account.passkeys(this.#access);
  }

  async #loadSessions() {
    if (!this.hasAttribute('sessions')) return;
    const { sessions } = await request('/auth/sessions', this.#access);
    this.sessions = sessions.sort((one, other) => Number(other.current) - Number(one.current));
  }

  async #loadApplications() {
    if (this.hasAttribute('applications')) ({ applications: this.applications } = await request('/auth/applications', this.#access));
  }

  /**
   * Shows the end of the session without a click. A prompt renews it, so it may end later than expected.
   * @param {{ expiresAt?: number }} session
   */
  #awaitEnd({ expiresAt }, atLeast = 0) {
    const check = async () => {
      await this.#loadSessions();
      this.render();
      this.#awaitEnd(await request('/auth/session', this.#access), RECHECK_MS);
    };
    // The clock of this device may be wrong.
    if (expiresAt) this.#end = setTimeout(() => this.#attempt(check), Math.min(Math.max(expiresAt - Date.now() + 1000, atLeast), MAX_DELAY));
  }

  /** Offers a passkey on this device, after a sign-in with another one. */
  #offer() {
    const decline = () => {
      this.emit('offer-declined');
      this.#reset();
    };
    this.showStatus(this.text('account.offer'), {
      choices: [
        { label: this.text('account.createHere'), id: 'add-here', run: () => this.add() },
        { label: this.text('account.noThanks'), id: 'decline', run: decline },
      ],
    });
  }

  #reset() {
    this.setState('ready');
    this.clearMessages();
    this.addButton.focus();
  }

  /** Shows the account after a change, with a message. */
  #done(message) {
    this.render();
    this.setState('ready');
    this.showStatus(message, { tone: 'good' });
  }

  async add() {
    await this.#attempt(async () => {
      this.clearMessages();
      this.setState('prompt');
      const added = await this.#ceremony(addPasskey(this.#prompting), () => this.add());
      if (!added) return;
      await Promise.all([this.#loadPasskeys(), this.#loadSessions()]); // a prompt renews the session
      this.#done(this.text('account.added'));
      this.emit('passkey-added', { credentialId: added.credentialId });
      this.card(added.credentialId)?.querySelector('.rename').click();
    });
  }

  async rename({ credentialId }, name) {
    await this.#attempt(async () => {
      this.passkeys = await account.rename(credentialId, name, this.#access);
      this.#done(this.text('account.renamed', { passkey: name }));
      this.card(credentialId)?.querySelector('.rename').focus();
    });
  }

  async confirmRemoval(passkey, last = this.passkeys.length === 1) {
    const choice = await this.ask(
      last
        ? {
            title: this.text('account.lastTitle'),
            message: this.text('account.lastText'),
            choices: [
              { value: 'add', label: this.text('account.addAnother'), type: 'primary' },
              { value: 'force', label: this.text('account.removeAnyway'), type: 'danger' },
            ],
          }
        : {
            title: this.text('account.removeTitle', { passkey: passkey.title }),
            message: this.text('account.removeText'),
            choices: [{ value: 'remove', label: this.text('account.remove'), type: 'danger' }],
          },
    );
    if (choice === 'add') await this.add();
    else if (choice) await this.#remove(passkey, last);
  }

  async #remove(passkey, force) {
    const { credentialId } = passkey;
    const back = () => {
      this.#reset();
      this.card(credentialId)?.querySelector('.remove').focus();
    };
    await this.#attempt(async () => {
      const removing = account.remove(credentialId, { force, ...this.#prompting }).catch(error => {
        if (error.problem !== 'last_credential') throw error;
        return { last: true }; // another passkey was removed in the meantime
      });
      const removed = await this.#ceremony(removing, () => this.#remove(passkey, force), back);
      if (removed?.last) await this.confirmRemoval(passkey, true);
      else if (removed) await this.#removed(passkey, removed);
    });
  }

  async #removed({ credentialId, title }, { passkeys: left, signaled }) {
    const message = this.text('account.removed', { passkey: title }) + (signaled ? '' : ` ${this.text('account.notSignaled')}`);
    this.passkeys = left;
    this.emit('passkey-removed', { credentialId });
    const signedIn = await this.#loadSessions()
      .then(() => account.session(this.#access))
      .catch(error => {
        if (error.status !== 401) throw error;
      });
    if (!signedIn) return this.#signedOut('ended', `${message} ${this.text(left.length > 0 ? 'account.removedCurrent' : 'account.noneLeft')}`);
    this.#done(message);
    return this.heading.focus();
  }

  async endSession(ended) {
    await this.#attempt(async () => {
      await request(`/auth/sessions/${ended.session}`, { method: 'DELETE', ...this.#access });
      await this.#loadSessions();
      this.#done(this.text('account.sessionGone'));
      this.find('#sessions-title').focus();
    });
  }

  async revoke({ clientId, name }) {
    await this.#attempt(async () => {
      await request(`/auth/applications/${encodeURIComponent(clientId)}`, { method: 'DELETE', ...this.#access });
      await this.#loadApplications();
      this.#done(this.text('account.revoked', { application: name }));
      (this.applicationSection.hidden ? this.heading : this.find('#applications-title')).focus();
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
    await this.#attempt(async () => {
      await account.signOut({ everywhere, ...this.#access });
      this.#signedOut('signed-out');
    });
  }

  /** Hides the account. If the session has ended, shows why; otherwise goes to the sign-in page. */
  #signedOut(reason, message = this.text('account.sessionEnded')) {
    this.token = undefined;
    this.userId = '';
    clearTimeout(this.#end);
    this.setState('signed-out');
    const leaves = this.emit('signed-out', { reason });
    if (reason !== 'ended') return leaves && this.leave();
    this.render();
    this.heading.textContent = this.text('account.signedOut');
    const signIn = { label: this.text('common.toSignIn'), id: 'sign-in', run: () => this.leave() };
    return this.showAlert(message, { choices: this.hasAttribute('href') ? [signIn] : [] });
  }

  get #notNow() {
    return { label: this.text('account.notNow'), id: 'not-now', run: () => this.#reset() };
  }

  /** Runs requests to the service and shows their errors. */
  async #attempt(work) {
    try {
      await work();
    } catch (error) {
      if (error.status === 401) return this.#signedOut('ended');
      const again = { label: this.text('common.tryAgain'), id: 'try-again', run: () => this.#attempt(work) };
      this.showError(error, { tone: 'bad', choices: [again, this.#notNow] });
    }
    return undefined;
  }

  /** Waits for a ceremony and shows its error, if any. */
  async #ceremony(running, again, back = () => this.#reset()) {
    try {
      return await running;
    } catch (error) {
      const sessionEnded = error.status === 401 && error.problem !== 'authentication_failed';
      if (!error.supportCode || sessionEnded) throw error; // not an error of a ceremony, or the session has ended
      if (error.code === 'aborted') back();
      else this.#explain(error, again, back);
      return undefined;
    }
  }

  #explain(error, again, back) {
    const showList = () => {
      this.#reset();
      this.heading.focus();
    };
    const { choices, tone, showsCode } = recoveryFor(error.code, {
      again: { label: this.text('common.tryAgain'), id: 'try-again', run: again },
      reload: { label: this.text('common.reload'), id: 'reload', run: () => location.reload() },
      signIn: error.code === 'duplicate' ? { label: this.text('account.showPasskeys'), id: 'show-passkeys', run: showList } : undefined,
      help: { ...this.#notNow, run: back },
    });
    this.showError(error, { tone, choices, supportCode: showsCode ? error.supportCode : undefined });
  }
}

globalThis.customElements?.define('porchlight-account', PorchlightAccount);
