// SPDX-License-Identifier: Apache-2.0

import { byId, el } from './dom.js';
import { text } from './texts.js';

/**
 * Opens a modal dialog. The browser traps the focus and restores it.
 * @template {string} T
 * @param {{ title: string, message: string, choices: { value: T, label: string, style?: string }[] }} question
 * @returns {Promise<T | undefined>} the chosen value; undefined if canceled
 */
export function ask({ title, message, choices }) {
  const dialog = byId('dialog');
  dialog.replaceChildren(
    el('h2', { id: 'dialog-title' }, title),
    el('p', { id: 'dialog-text' }, message),
    el(
      'div',
      { class: 'actions' },
      ...choices.map(({ value, label, style }) =>
        el('button', { type: 'button', id: `dialog-${value}`, class: style, click: () => dialog.close(value) }, label),
      ),
      el('button', { type: 'button', id: 'dialog-cancel', autofocus: true, click: () => dialog.close('') }, text('common.cancel')),
    ),
  );
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue || undefined), { once: true });
  });
}
