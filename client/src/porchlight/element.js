// SPDX-License-Identifier: Apache-2.0
/**
 * What the elements share: texts, messages, dialogs and events. Parses no HTML and sets no style attributes, so that it works
 * with a strict Content-Security-Policy and with trusted types.
 */

import { PasskeyError, cancel, configure, report, supportCode as codeOf } from '../porchlight.js';
import { el, icon, openDialog } from './dom.js';
import { styles } from './style.js';
import { Texts, catalogOf } from './texts.js';

export { useTexts } from './texts.js';

/**
 * @typedef {import('./recovery.js').Choice} Choice
 * @typedef {import('./recovery.js').Tone} Tone
 * @typedef {{ tone?: Tone, choices?: Choice[], supportCode?: string }} Options
 */

/** Milliseconds until the support code of a prompt appears, which may not have opened. */
const WAIT_MS = 20_000;
/** Errors without a response of the service, unless they have its code. */
const UNREACHABLE = ['network', 'unavailable'];

/** @type {Record<Tone, import('./dom.js').IconName>} */
const ICONS = { good: 'check', warn: 'warning', bad: 'warning', '': 'info' };

/** On a server the elements extend nothing, so that they can be imported there. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * The base class of the elements. Subclasses build their content, show their data in it, and start when they are connected.
 * @abstract
 */
export class PorchlightElement extends Base {
  static observedAttributes = ['base', 'messages', 'lang'];

  /** @type {Record<string, string>} */
  #custom = {};
  /** Whether the content exists. */
  isBuilt = false;
  /** Whether the user has focused or clicked something in it. Until then it does not take the focus from the page. */
  isUsed = false;
  /** The kind of the last prompt: `get` or `create`. */
  phase = '';
  #setReady;
  #connection;
  #waiting;
  /** The support code of the last prompt that did not respond. */
  #waited;

  /** Resolves when the content exists. */
  ready = new Promise(resolve => (this.#setReady = resolve));

  /** The language of the nearest `lang` attribute, or else of the browser. */
  get language() {
    const nearest = /** @type {HTMLElement | null} */ (this.closest('[lang]'));
    return nearest?.lang || navigator.language;
  }

  /** Where the content is: in the shadow root, or in the element itself if the page styles it. */
  get root() {
    return this.shadowRoot ?? this;
  }

  async connectedCallback() {
    this.#adopt('messages', 'view');
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    await this.#loadTexts();
    if (signal.aborted) return; // removed or moved
    if (!this.isBuilt) {
      if (!this.hasAttribute('unstyled')) this.attachShadow({ mode: 'open', delegatesFocus: true }).adoptedStyleSheets = styles();
      for (const type of ['focusin', 'click']) this.addEventListener(type, () => (this.isUsed = true), { once: true });
      this.isBuilt = true;
      this.#build();
      this.#setReady();
    }
    this.start(signal);
  }

  disconnectedCallback() {
    this.#connection.abort();
    cancel();
  }

  async #loadTexts() {
    const { language } = this;
    const catalog = await catalogOf(language);
    if (this.texts && language !== this.language) return; // another one was set in the meantime
    this.texts = new Texts(language, catalog, this.#custom);
  }

  #build() {
    this.status = el('div', { id: 'status', part: 'status', class: 'message', role: 'status' });
    this.alert = el('div', { id: 'alert', part: 'alert', class: 'message', role: 'alert', tabindex: -1 });
    this.dialog = el('dialog', { id: 'dialog', part: 'dialog', class: 'card', 'aria-labelledby': 'dialog-title' });
    this.root.replaceChildren(this.build(), this.dialog);
    this.render();
  }

  /** Passes properties that were set before the module was loaded to their setters. */
  #adopt(...names) {
    for (const name of names.filter(one => Object.hasOwn(this, one))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  attributeChangedCallback(name, _, value) {
    if (name === 'base' && value !== null) configure({ base: value.replace(/\/$/, '') });
    if (name === 'messages') this.messages = JSON.parse(value ?? '{}');
    if (name === 'lang') this.rebuild();
  }

  /** The texts to use instead of the shipped ones. */
  get messages() {
    return this.#custom;
  }

  set messages(texts) {
    this.#custom = texts ?? {};
    this.rebuild();
  }

  async rebuild() {
    if (!this.isBuilt) return;
    await this.#loadTexts();
    this.#build();
  }

  /** @returns {Node} @abstract */
  build() {
    throw new Error();
  }

  /** @abstract */
  render() {}

  /** Called each time the element is connected. @param {AbortSignal} _signal aborted when it is removed or moved @abstract */
  start(_signal) {}

  /** @param {string} key @param {Record<string, string>} [values] */
  text(key, values) {
    return this.texts.text(key, values);
  }

  /** @param {string} selector @returns {any} */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /**
   * Creates a button with a text. The last part of the text's key is also a part of the element, for styles.
   * @param {string} key
   * @param {Record<string, any>} [attributes]
   */
  button(key, { class: type = '', icon: name, ...attributes } = {}) {
    const part = `button ${type} ${key.split('.').pop()}`;
    return el('button', { type: 'button', part, class: type, ...attributes }, name && icon(name), this.text(key));
  }

  /** Dispatches an event. Returns false if a listener prevented the default. */
  emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(`porchlight-${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  /** Goes to the page in the attribute `href`, if any. */
  leave() {
    const href = this.getAttribute('href');
    if (href) location.assign(href);
  }

  /** Sets the state, which is also visible to the page. Returns whether the element is busy. */
  setState(state, code = '') {
    clearTimeout(this.#waiting);
    Object.assign(this.dataset, { state, code });
    const busy = ['loading', 'starting', 'prompt', 'checking', 'done'].includes(state);
    this.setAttribute('aria-busy', String(busy));
    return busy;
  }

  inState(...states) {
    return states.includes(this.dataset.state);
  }

  clearMessages() {
    this.status.replaceChildren();
    this.alert.replaceChildren();
  }

  /**
   * Shows progress or success, with buttons for the user's choices.
   * @param {string} text
   * @param {Options} [options]
   */
  showStatus(text, { tone = '', choices = [], supportCode } = {}) {
    this.clearMessages();
    this.fill(this.status, text, tone, choices, supportCode);
  }

  /**
   * Shows a problem with the user's choices, and moves the focus to it if the user has acted here.
   * @param {string} text
   * @param {Options} [options]
   */
  showAlert(text, { tone = 'warn', choices = [], supportCode } = {}) {
    this.clearMessages();
    this.fill(this.alert, text, tone, choices, supportCode);
    if (this.isUsed) this.alert.focus();
  }

  /** Whether the user closed the prompt for a new passkey. @param {any} error */
  isNotCreated = ({ code }) => code === 'dismissed' && this.phase === 'create';

  /** @param {any} error @returns {string} */
  messageOf = error => (error.origin ? this.text('signin.wrongAddress', error) : this.isNotCreated(error) ? this.text('error.notCreated') : this.texts.error(error));

  /**
   * Shows an error of the helper, or a bug. An attempt that the service did not receive has no support code: no report would
   * arrive either, and operators would find nothing.
   * @param {any} error @param {Options & { message?: string }} options
   */
  showError(error, { message = this.messageOf(error), ...options }) {
    if (UNREACHABLE.includes(error.code) && !error.problem) error.supportCode = undefined;
    this.setState('error', error.code);
    this.showAlert(message, { supportCode: error.supportCode, ...options });
    this.emit('error', error);
    if (!(error instanceof PasskeyError)) console.error(error);
  }

  /**
   * Replaces the content of a message region.
   * @param {HTMLElement} region
   * @param {string} text
   * @param {Tone} tone
   * @param {Choice[]} [choices]
   * @param {string} [supportCode]
   */
  fill(region, text, tone, choices = [], supportCode = undefined) {
    const buttons = choices.map(({ label, id, run }, i) =>
      el('button', { type: 'button', part: 'button', class: i === 0 && choices.length > 1 ? 'small primary' : 'small', id, click: run }, label),
    );
    const code = supportCode && el('code', { id: 'support-code', dir: 'ltr' }, supportCode);
    region.className = `message ${tone}`;
    region.replaceChildren(
      icon(ICONS[tone]),
      el(
        'div',
        { class: 'body' },
        text && el('p', { class: 'text' }, text),
        code && el('p', { class: 'support' }, ...this.texts.parts('common.supportCode', { code })),
        buttons.length > 0 ? el('div', { class: 'actions' }, ...buttons) : undefined,
      ),
    );
  }

  /** Shows that the prompt of a ceremony is open. @param {string} phase @param {import('../porchlight.js').Run} run @param {string} [key] */
  showPrompt(phase, run, key = 'common.prompt') {
    this.phase = phase;
    this.setState('prompt');
    const show = (text, supportCode = undefined) => {
      this.showStatus(this.text(text), { choices: [{ label: this.text('common.cancel'), id: 'cancel', run: cancel }], supportCode });
      this.find('#cancel').focus();
    };
    show(key);
    this.#waiting = setTimeout(() => {
      report(run, 'waiting');
      this.#waited = codeOf(run);
      show('common.waiting', codeOf(run));
      this.emit('code', { supportCode: codeOf(run) });
    }, WAIT_MS);
  }

  /** Keeps the code of a prompt that did not respond visible after the user has canceled it. @param {string} supportCode */
  showCanceled(supportCode) {
    this.clearMessages();
    if (supportCode && supportCode === this.#waited) this.showStatus('', { supportCode });
    this.emit('code', { supportCode });
  }

  /** Asks a question in a modal dialog. Returns the chosen value, or an empty string if canceled. */
  ask({ title, message, choices }) {
    const { dialog } = this;
    const buttons = choices.map(({ value, label, type }) =>
      el('button', { type: 'button', id: `dialog-${value}`, part: `button ${type}`, class: type, click: () => dialog.close(value) }, label),
    );
    const cancelButton = this.button('common.cancel', { id: 'dialog-cancel', autofocus: true, click: () => dialog.close('') });
    dialog.replaceChildren(
      el('h2', { id: 'dialog-title' }, title),
      el('p', { id: 'dialog-text' }, message),
      el('div', { class: 'actions' }, ...buttons, cancelButton),
    );
    return openDialog(dialog);
  }
}
