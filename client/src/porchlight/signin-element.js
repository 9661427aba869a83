// SPDX-License-Identifier: Apache-2.0
/** See signin-element.d.ts. */

import { PasskeyError, autofill, cancel, signIn, signUp, support } from '../porchlight.js';
import { PorchlightElement, el } from './element.js';

/** Errors after which a passkey on a phone may help. */
const OFFERS_PHONE = ['unsupported', 'blocked', 'dismissed', 'timeout', 'authenticator', 'refused'];

export class PorchlightSignIn extends PorchlightElement {
  static observedAttributes = [...PorchlightElement.observedAttributes, 'view', 'signup', 'autofill'];

  static messages = {
    signIn: 'Sign in with a passkey',
    phone: 'Use a passkey from another device',
    newHere: 'New here?',
    toSignUp: 'Create an account',
    userName: 'User name',
    nameRequired: 'Choose a user name first.',
    signUp: 'Create account',
    haveOne: 'Already have a passkey?',
    toSignIn: 'Sign in',
    prompt: 'Follow the steps on your device.',
    checking: 'Checking…',
    cancel: 'Cancel',
    signedIn: 'You’re signed in as {userId}.',
    supportCode: 'Support code {supportCode}.',
    unexpected: 'Something went wrong. Try again.',
  };

  #refused = false;
  #retry;

  get view() {
    return this.getAttribute('view') === 'sign-up' ? 'sign-up' : 'sign-in';
  }

  set view(view) {
    this.setAttribute('view', view);
  }

  attributeChangedCallback(name, before, value) {
    super.attributeChangedCallback(name, before, value);
    if (this.shadowRoot && ['view', 'signup', 'autofill'].includes(name)) this.render();
  }

  disconnectedCallback() {
    clearTimeout(this.#retry);
    super.disconnectedCallback();
  }

  build() {
    this.label = el('label', { part: 'label', for: 'name' });
    this.field = el('input', {
      part: 'input',
      id: 'name',
      name: 'username',
      autocomplete: 'username webauthn',
      autocapitalize: 'none',
      spellcheck: 'false',
      maxlength: 256,
      'aria-describedby': 'hint',
      input: () => this.#showHint(),
    });
    this.hint = el('p', { part: 'hint', id: 'hint', class: 'error', hidden: '' });
    this.submitButton = el('button', { part: 'button primary', class: 'primary', type: 'submit' });
    this.phoneButton = this.button('phone', { hidden: '', click: () => this.#signIn(true) });
    this.switchText = el('span', {});
    this.switchButton = el('button', { part: 'link', class: 'link', type: 'button', click: () => this.#switch() });
    this.switch = el('p', { part: 'switch' }, this.switchText, ' ', this.switchButton);
    const form = el(
      'form',
      { part: 'form', novalidate: '', submit: event => this.#submit(event) },
      this.label,
      this.field,
      this.hint,
      this.submitButton,
      this.phoneButton,
      this.status,
      this.cancelButton,
      this.alert,
      this.switch,
    );
    this.form = form;
    this.render();
    return form;
  }

  async start() {
    const { secure, passkeys } = await support();
    if (!passkeys) {
      this.fail(new PasskeyError(secure ? 'unsupported' : 'insecure'));
      this.submitButton.disabled = true;
    } else {
      this.#arm();
    }
  }

  render() {
    const signingUp = this.view === 'sign-up';
    this.label.textContent = this.text('userName');
    for (const part of [this.label, this.field]) part.hidden = !signingUp && !this.hasAttribute('autofill');
    this.submitButton.textContent = this.text(signingUp ? 'signUp' : 'signIn');
    this.phoneButton.textContent = this.text('phone');
    this.cancelButton.textContent = this.text('cancel');
    this.switchText.textContent = this.text(signingUp ? 'haveOne' : 'newHere');
    this.switchButton.textContent = this.text(signingUp ? 'toSignIn' : 'toSignUp');
    this.switch.hidden = !signingUp && !this.hasAttribute('signup');
    if (signingUp) this.phoneButton.hidden = true;
  }

  #switch() {
    cancel();
    this.say();
    this.#showHint();
    this.view = this.view === 'sign-up' ? 'sign-in' : 'sign-up';
    (this.view === 'sign-up' ? this.field : this.submitButton).focus();
    this.#arm();
  }

  #submit(event) {
    event.preventDefault();
    if (this.view === 'sign-in') return this.#signIn(false);
    const userId = this.field.value.trim();
    if (userId === '') {
      this.#showHint(this.text('nameRequired'));
      return this.field.focus();
    }
    return this.#finish(() => signUp({ userId }, this.events), true);
  }

  #signIn(hybrid) {
    const userId = this.field.hidden ? undefined : this.field.value.trim() || undefined;
    return this.#finish(() => signIn({ userId, hybrid, ...this.events }), false);
  }

  async #finish(task, signedUp) {
    const signedIn = await this.run(() => task().catch(error => this.#explain(error)), this.submitButton);
    if (signedIn) this.#welcome(signedIn, signedUp);
    else this.#arm();
  }

  #explain(error) {
    this.phoneButton.hidden = this.view === 'sign-up' || !OFFERS_PHONE.includes(error.code);
    this.#refused ||= error.code === 'refused';
    if (error.retryAfter) {
      // After run() has enabled the button again.
      setTimeout(() => (this.submitButton.disabled = true));
      this.#retry = setTimeout(() => (this.submitButton.disabled = false), error.retryAfter * 1000);
    }
    throw error;
  }

  #welcome(signedIn, signedUp) {
    this.phoneButton.hidden = true;
    this.say(this.text('signedIn', signedIn));
    this.emit('signed-in', { ...signedIn, signedUp });
    this.leave();
  }

  /** Offers passkeys in the field's autofill, but not after a refusal: it would offer the refused one again. */
  async #arm() {
    if (this.field.hidden || this.#refused || !this.isConnected || !(await support()).autofill) return;
    try {
      this.#welcome(await autofill({ onVerify: () => this.verifying() }), false);
    } catch (error) {
      if (error.code !== 'aborted') this.fail(error);
    }
  }

  #showHint(text = '') {
    this.hint.textContent = text;
    this.hint.hidden = text === '';
    this.field.setAttribute('aria-invalid', String(text !== ''));
  }
}

globalThis.customElements?.define('porchlight-signin', PorchlightSignIn);
