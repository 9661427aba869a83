// SPDX-License-Identifier: Apache-2.0

import { byId, el, openDialog } from './dom.js';
import { text } from './texts.js';

/**
 * Asks a question in a modal dialog.
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
  return openDialog(dialog).then((value) => /** @type {T | undefined} */ (value || undefined));
}
