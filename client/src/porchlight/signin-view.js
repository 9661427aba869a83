// SPDX-License-Identifier: Apache-2.0
// The forms of the sign-in element, by view.

import { cancel } from '../porchlight.js';
import { el } from './dom.js';
import { PorchlightElement } from './element.js';
import { MEMBERS, profileField } from './profile-fields.js';

const NAME = { part: 'input', name: 'username', autocomplete: 'username webauthn', autocapitalize: 'none', spellcheck: 'false', maxlength: 256 };

/** Builds the views and switches between them. The subclass has the actions. */
export class SignInView extends PorchlightElement {
  static observedAttributes = [...PorchlightElement.observedAttributes, 'view', 'signup', 'fields', 'autofill', 'recovery'];

  /** The account of the enrollment link, when it is known. */
  account = '';
  /** The text with that account. */
  accountKey = 'enroll.account';
  /** The access token, if sessions are not used. @type {string | undefined} */
  token = /** @type {any} */ (this).token; // keeps one that was set before the module was loaded

  /** The methods of the subclass. @returns {any} */
  get actions() {
    return this;
  }

  get view() {
    return this.getAttribute('view') ?? 'sign-in';
  }

  set view(view) {
    this.setAttribute('view', view);
  }

  attributeChangedCallback(name, before, value) {
    super.attributeChangedCallback(name, before, value);
    if (name === 'view' && this.isBuilt) this.showView();
    if (['signup', 'fields', 'autofill', 'recovery'].includes(name)) this.rebuild();
  }

  build() {
    return el('div', { part: 'signin', class: 'stack signin' }, this.status, this.alert, ...this.#signIn(), this.#signUp(), this.#enroll(), this.#recovery(), this.#signedIn(), ...this.#switches());
  }

  /** @param {string} selector @returns {NodeListOf<any>} */
  #all(selector) {
    return this.root.querySelectorAll(selector);
  }

  #form(id, views, submit, ...children) {
    const listener = event => {
      event.preventDefault();
      submit();
    };
    return el('form', { id, part: 'form', 'data-views': views, novalidate: true, submit: listener }, ...children);
  }

  #label(id, key = 'signin.userName') {
    return el('label', { for: id, part: 'label' }, this.text(key));
  }

  #signIn() {
    const autofill = this.hasAttribute('autofill');
    const id = 'known-user-id';
    const name = el('input', { id, ...NAME });
    const button = this.button('signin.signIn', { id: 'sign-in-button', type: 'submit', class: 'primary', icon: 'passkey' });
    const phone = this.button('signin.phone', { id: 'other-device-button', class: 'quiet', icon: 'phone', click: () => this.actions.signInWithPhone() });
    const submit = this.button('signin.continue', { id: 'sign-in-by-name-button', type: 'submit' });
    const field = el('div', { class: 'field' }, this.#label(id), el('div', { class: 'beside' }, ...(autofill ? [name] : [name, submit])));
    const code = this.hasAttribute('recovery') ? this.button('signin.recovery', { id: 'show-recovery', class: 'quiet', icon: 'key', click: () => this.actions.switchTo('recovery') }) : undefined;
    const byName = this.#form('sign-in-by-name', undefined, () => this.actions.signInByName(), autofill ? undefined : field, phone, code);
    const toggle = ({ target }) => (target.open ? this.actions.startAutofill() : this.inState('ready') && cancel());
    const summary = el('summary', {}, this.text('signin.otherWays'));
    return [
      this.#form('sign-in', 'sign-in', () => (autofill ? this.actions.signInByName('sign-in-button') : this.actions.signIn()), autofill ? field : undefined, button),
      el('details', { id: 'other-ways', 'data-views': 'sign-in', toggle }, summary, byName),
    ];
  }

  #signUp() {
    const hint = el('p', { id: 'user-id-hint', class: 'hint' });
    const name = el('input', { id: 'user-id', ...NAME, 'aria-describedby': 'user-id-hint', input: () => this.clearNameError() });
    const button = this.button('signup.signUp', { id: 'sign-up-button', type: 'submit', class: 'primary', icon: 'passkey' });
    return this.#form('sign-up', 'sign-up', () => this.actions.signUp(), el('div', { class: 'field' }, this.#label('user-id'), name, hint), ...this.#asked(), button);
  }

  /** The members of the profile in the attribute `fields`, with a star if they are required. */
  #asked() {
    const asked = (this.getAttribute('fields') ?? '').split(/\s+/).map(field => ({ member: field.replace('*', ''), required: field.endsWith('*') }));
    return asked.filter(({ member }) => MEMBERS.includes(member)).map(({ member, required }) => profileField(this, member, { required, optional: !required }));
  }

  #enroll() {
    const account = el('p', { id: 'account', class: 'account', role: 'status' });
    const button = this.button('enroll.button', { id: 'enroll-button', type: 'submit', class: 'primary', icon: 'passkey' });
    return this.#form('enroll', 'enroll', () => this.actions.enroll(), account, button);
  }

  #recovery() {
    const field = (id, key, attributes) => el('div', { class: 'field' }, this.#label(id, key), el('input', { id, ...NAME, ...attributes }));
    return this.#form('recovery', 'recovery', () => this.actions.recover(),
      field('recovery-user', undefined, { autocomplete: 'username' }),
      field('recovery-code', 'recovery.code', { name: 'recovery-code', autocomplete: 'off', autocapitalize: 'characters', maxlength: 64 }),
      this.button('signin.continue', { id: 'recovery-button', type: 'submit', class: 'primary' }));
  }

  #signedIn() {
    const go = this.button('signin.continue', { id: 'continue-button', class: 'primary', click: () => this.leave() });
    const other = this.button('signin.otherAccount', { id: 'other-account-button', click: () => this.actions.useAnotherAccount() });
    return el('div', { id: 'signed-in', class: 'stack', 'data-views': 'signed-in' }, go, other);
  }

  #switches() {
    const link = (key, id, view) => this.button(key, { id, class: 'link', click: () => this.actions.switchTo(view) });
    const line = (views, key, button) => el('p', { part: 'switch', class: 'switch', 'data-views': views }, `${this.text(key)} `, button);
    return [
      this.hasAttribute('signup') ? line('sign-in', 'signin.newHere', link('signin.toSignUp', 'show-sign-up', 'sign-up')) : '',
      line('sign-up,enroll,recovery', 'signup.haveOne', link('common.toSignIn', 'show-sign-in', 'sign-in')),
    ];
  }

  render() {
    const account = el('b', {}, el('bdi', {}, this.account));
    this.find('#account').replaceChildren(...this.texts.parts(this.accountKey, { user: account }));
    this.showView();
  }

  /** Shows the current view without messages and field errors. */
  showView() {
    const { view } = this;
    this.setState('ready');
    this.clearMessages();
    this.clearNameError();
    for (const part of this.#all('[data-views]')) part.hidden = !part.dataset.views.split(',').includes(view);
    this.find('#account').hidden = this.account === '';
    this.emit('view', { view });
  }

  setState(state, code = '') {
    const busy = super.setState(state, code);
    for (const control of this.#all('[data-views] :is(button,input,select)')) control.disabled = busy;
    this.find('#enroll-button').disabled ||= this.account === '';
    return busy;
  }

  /** Focuses the name field of the sign-up view and shows an error. */
  requireUserName(message) {
    this.view = 'sign-up';
    const field = this.find('#user-id');
    this.find('#user-id-hint').textContent = message;
    field.setAttribute('aria-invalid', 'true');
    field.focus();
    field.select();
  }

  clearNameError() {
    this.find('#user-id').removeAttribute('aria-invalid');
    this.find('#user-id-hint').textContent = this.text('signup.hint');
  }

  /** The typed user name of the current view; undefined if there is none. */
  get userName() {
    return this.find({ 'sign-up': '#user-id', recovery: '#recovery-user' }[this.view] ?? '#known-user-id').value.trim() || undefined;
  }

  get recoveryCode() {
    return this.find('#recovery-code').value.trim();
  }

  /** Whether a field is visible that can offer passkeys. */
  get hasAutofillField() {
    const { view } = this;
    return view === 'sign-up' || (view === 'sign-in' && (this.hasAttribute('autofill') || this.find('#other-ways').open));
  }
}
