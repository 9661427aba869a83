// SPDX-License-Identifier: Apache-2.0
// Modal forms of the console. The browser traps the focus.

import { textOf } from './console-api.js';
import { byId, el, openDialog } from './dom.js';
import { text } from './texts.js';

/**
 * Opens a form. It stays open, with the error, until the work succeeds.
 * @param {{ title: string, content: (Node | string)[], label: string, style?: string, isComplete?: () => boolean, work: () => Promise<unknown> }} form
 * @returns {Promise<any>} the result of the work, or true if it has none; undefined if it was canceled
 */
export async function openForm({ title, content, label, style = 'primary', isComplete = () => true, work }) {
  const dialog = byId('dialog');
  let result;
  const alert = el('div', { class: 'message bad', role: 'alert' });
  const submit = el('button', { type: 'submit', id: 'dialog-submit', class: style, disabled: !isComplete() }, label);
  const form = el('form', {
    method: 'dialog',
    input: () => { submit.disabled = !isComplete(); },
    submit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      submit.disabled = true;
      alert.textContent = '';
      try {
        result = (await work()) ?? true;
        dialog.close();
      } catch (error) {
        alert.textContent = textOf(error);
        alert.scrollIntoView({ block: 'nearest' });
      } finally {
        submit.disabled = !isComplete();
      }
      if (dialog.open && !form.contains(document.activeElement)) {
        submit.focus(); // lost while it was disabled
      }
    },
  }, ...content.map((part) => (typeof part === 'string' ? el('p', {}, part) : part)), alert,
  el('div', { class: 'actions' }, submit, el('button', { type: 'button', id: 'dialog-cancel', autofocus: content.every((part) => typeof part === 'string'), click: () => dialog.close() }, text('common.cancel'))));
  await open(title, form);
  return result;
}

/** Asks before something is ended or removed. @param {string} title @param {string} question @param {string} label @param {() => Promise<unknown>} work */
export const confirm = (title, question, label, work) => openForm({ title, content: [question], label, style: 'danger', work });

/** Opens a dialog that can only be closed. @param {string} title @param {...(Node | string)} content */
export const openNotice = (title, ...content) => open(title, ...content,
  el('div', { class: 'actions' }, el('button', { type: 'button', id: 'dialog-close', click: () => byId('dialog').close() }, text('console.close'))));

/** @param {string} title @param {...(Node | string)} content @returns {Promise<unknown>} */
function open(title, ...content) {
  const dialog = byId('dialog');
  dialog.replaceChildren(el('h2', { id: 'dialog-title' }, title), ...content);
  return openDialog(dialog);
}

/** @param {string} id @param {string} label @param {any} input @param {string} [hint] @returns {HTMLElement} a labeled field */
export function field(id, label, input, hint) {
  input.id = id;
  if (hint) {
    input.setAttribute('aria-describedby', `${id}-hint`);
  }
  return el('div', { class: 'field' }, el('label', { for: id }, label), input, hint ? el('p', { class: 'hint', id: `${id}-hint` }, hint) : undefined);
}

/** @param {Record<string, unknown>} [attributes] @returns {any} a text field without corrections */
export const textInput = (attributes = {}) =>
  el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', ...attributes });

/** @param {string[]} values @param {Record<string, unknown>} [attributes] @returns {any} a field with a line for each value */
export const area = (values, attributes = {}) => el('textarea',
  { rows: Math.max(2, values.length), dir: 'ltr', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', ...attributes }, values.join('\n'));

/** @param {string} id @param {string} label @param {string} hint @param {boolean} [checked] @returns {HTMLElement} a labeled check box */
export const checkBox = (id, label, hint, checked = false) => el('div', { class: 'check' },
  el('input', { id, type: 'checkbox', checked, 'aria-describedby': `${id}-hint` }), el('label', { for: id }, label), el('p', { class: 'hint', id: `${id}-hint` }, hint));

/** @param {Record<string, unknown>} [attributes] @returns {any} a field for a user id */
export const userInput = (attributes = {}) => textInput({ maxlength: 256, ...attributes });

/** A field with a value to copy. @param {string} id @param {string} label @param {string} value @returns {HTMLElement} */
export function copyField(id, label, value) {
  const input = textInput({ id, value, readonly: true, dir: 'ltr' });
  const status = el('span', { class: 'visually-hidden', role: 'status' });
  const button = el('button', {
    type: 'button', class: 'small',
    click: async () => {
      input.select();
      await navigator.clipboard.writeText(value).then(() => { button.textContent = text('console.copied'); status.textContent = text('console.copied'); }, () => {});
    },
  }, text('console.copy'));
  return el('div', { class: 'field' }, el('label', { for: id }, label), el('div', { class: 'beside' }, input, button, status));
}
