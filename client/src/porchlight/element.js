// SPDX-License-Identifier: Apache-2.0
/**
 * What the elements share: styles, texts, messages and events. Parses no HTML and sets no style attributes, so that it works
 * with a strict Content-Security-Policy and with trusted types.
 */

import { PasskeyError, cancel, configure } from '../porchlight.js';

const STYLE = `
  :host {
    display: block;
    max-inline-size: 24rem;
    line-height: 1.5;
    --_accent: var(--porchlight-accent, #1d4f91);
    --_on-accent: var(--porchlight-on-accent, #fff);
    --_error: var(--porchlight-error, #b3261e);
    --_border: var(--porchlight-border, #6f7479);
  }
  @supports (color: light-dark(#000, #fff)) {
    :host {
      --_accent: var(--porchlight-accent, light-dark(#1d4f91, #a8c7fa));
      --_on-accent: var(--porchlight-on-accent, light-dark(#fff, #0a2a52));
      --_error: var(--porchlight-error, light-dark(#b3261e, #f9b4ae));
      --_border: var(--porchlight-border, light-dark(#6f7479, #92979c));
    }
  }
  :host([hidden]), [hidden] { display: none !important; }
  form, .stack { display: grid; gap: var(--porchlight-gap, 0.75rem); }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .between { justify-content: space-between; }
  p, ul { margin: 0; padding: 0; list-style: none; }
  label { margin-block-end: -0.375rem; font-weight: 600; }
  button, input {
    box-sizing: border-box;
    min-block-size: 2.75rem;
    padding: 0.5rem 0.875rem;
    font: inherit;
    color: inherit;
    background: transparent;
    border: 1px solid var(--_border);
    border-radius: var(--porchlight-radius, 0.5rem);
  }
  input { inline-size: 100%; }
  input[aria-invalid='true'] { border-color: var(--_error); }
  button { cursor: pointer; overflow-wrap: anywhere; }
  button:disabled { cursor: default; opacity: 0.6; }
  .primary { color: var(--_on-accent); background: var(--_accent); border-color: var(--_accent); font-weight: 600; }
  .link { min-block-size: 1.5rem; padding: 0; border: 0; color: var(--_accent); text-decoration: underline; }
  .item { padding: 0.875rem; border: 1px solid var(--_border); border-radius: var(--porchlight-radius, 0.5rem); }
  .name { font-weight: 600; overflow-wrap: anywhere; }
  :focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
  [role='alert'], .error { color: var(--_error); }
  [role='status']:empty, [role='alert']:empty { display: none; }
`;

/** The languages other than English, loaded when they are needed. Bundlers find the modules by these imports. */
const LANGUAGES = { de: () => import('./texts-de.js'), es: () => import('./texts-es.js') };

/** The texts by language. */
const catalogs = {};

let sheet;

function style() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

/** Creates an element. Functions are event listeners; undefined attributes and children are omitted. */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== undefined));
  return element;
}

/** Errors that support cannot explain better than their message. */
const PLAIN = ['insecure', 'dismissed', 'timeout', 'duplicate', 'exists', 'closed', 'network'];

/** The base class of the elements. On a server it extends nothing, so that it can be imported there. */
export class PorchlightElement extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ['base', 'messages', 'lang'];

  #custom = {};
  #language;
  #cancelable = false;

  /** The language of the nearest `lang` attribute, or else of the browser. */
  get language() {
    return this.closest('[lang]')?.lang || navigator.language;
  }

  connectedCallback() {
    this.#inLanguage(() => this.isConnected && this.#show());
  }

  /** Runs a task as soon as the texts are available: immediately in English, or after they are loaded. */
  #inLanguage(task) {
    const language = this.language.split('-')[0].toLowerCase();
    this.#language = language;
    if (catalogs[language] || !Object.hasOwn(LANGUAGES, language)) return task();
    return LANGUAGES[language]().then(module => (catalogs[language] = module.default), () => {}).then(task);
  }

  #show() {
    if (!this.shadowRoot) {
      this.#adopt('messages', 'view');
      this.attachShadow({ mode: 'open', delegatesFocus: true }).adoptedStyleSheets = [style()];
      this.status = el('p', { part: 'status', role: 'status' });
      this.alert = el('p', { part: 'alert', role: 'alert', tabindex: -1 });
      this.cancelButton = this.button('cancel', { hidden: '', click: cancel });
      this.shadowRoot.append(this.build());
    }
    this.start();
  }

  disconnectedCallback() {
    cancel();
  }

  /** Passes properties that were set before the module was loaded to their setters. */
  #adopt(...names) {
    for (const name of names.filter(name => Object.hasOwn(this, name))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  attributeChangedCallback(name, _, value) {
    if (name === 'base' && value !== null) configure({ base: value.replace(/\/$/, '') });
    if (name === 'messages') this.messages = JSON.parse(value ?? '{}');
    if (name === 'lang' && this.shadowRoot) this.#inLanguage(() => this.render());
  }

  /** The texts. Those that are not set have their default. */
  get messages() {
    return { ...this.constructor.messages, ...catalogs[this.#language], ...this.#custom };
  }

  set messages(texts) {
    this.#custom = texts ?? {};
    if (this.shadowRoot) this.render();
  }

  /** Returns a text with its placeholders, such as {userId}, replaced. */
  text(name, values = {}) {
    return this.messages[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
  }

  button(text, { class: type, ...attributes } = {}) {
    const part = ['button', type, text].filter(Boolean).join(' ');
    return el('button', { type: 'button', part, class: type, ...attributes }, this.text(text));
  }

  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(`porchlight-${name}`, { detail, bubbles: true, composed: true }));
  }

  /** Goes to the page in the attribute `href`, if any. */
  leave() {
    const href = this.getAttribute('href');
    if (href) location.assign(href);
  }

  say(text = '') {
    this.alert.textContent = '';
    this.status.textContent = text;
  }

  /** Shows an error and moves the focus to it. */
  fail(error) {
    const known = error instanceof PasskeyError;
    const { code, problem, supportCode } = error;
    const rejected = code === 'refused' && problem && problem !== 'authentication_failed' ? 'rejected' : code;
    const { messages } = this;
    const sentence = this.#custom[code] ?? messages[problem] ?? messages[rejected] ?? (known ? error.message : this.text('unexpected'));
    const hint = supportCode && !PLAIN.includes(code) ? ` ${this.text('supportCode', { supportCode })}` : '';
    this.say();
    this.alert.textContent = sentence + hint;
    this.alert.focus();
    this.emit('error', error);
    if (!known) console.error(error);
  }

  /** Called after a task has failed. */
  failed(error) {
    this.fail(error);
  }

  /** Callbacks that show the progress of a ceremony. */
  get events() {
    return {
      onPrompt: () => {
        this.say(this.text('prompt'));
        this.cancelButton.hidden = false;
        this.cancelButton.focus();
        this.#cancelable = true;
      },
      onVerify: () => this.verifying(),
    };
  }

  verifying() {
    this.say(this.text('checking'));
    this.cancelButton.hidden = true;
  }

  /** Runs a task with all other buttons disabled. Returns undefined if it failed or was canceled. */
  async run(task, focusAfter) {
    const controls = [...this.shadowRoot.querySelectorAll('button, input')].filter(control => control !== this.cancelButton && !control.disabled);
    for (const control of controls) control.disabled = true;
    this.setAttribute('aria-busy', 'true');
    this.say();
    let failure;
    try {
      return await task();
    } catch (error) {
      failure = error;
      return undefined;
    } finally {
      for (const control of controls) control.disabled = false;
      this.removeAttribute('aria-busy');
      this.cancelButton.hidden = true;
      this.say();
      if (failure && failure.code !== 'aborted') this.failed(failure);
      else if (failure && this.#cancelable) focusAfter?.focus();
      this.#cancelable = false;
    }
  }
}
