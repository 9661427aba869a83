// SPDX-License-Identifier: Apache-2.0
// DOM helpers. Strings become text nodes, never markup.

import { el } from '/porchlight/dom.js';

export { el };

/** @param {string} id @returns {any} the element with this id, which must exist */
export const byId = (id) => document.getElementById(id);

/**
 * Opens a modal dialog. The browser traps the focus and restores it.
 * @param {any} dialog
 * @returns {Promise<string>} the return value, when it is closed
 */
export function openDialog(dialog) {
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    const closed = () => {
      if (!dialog.open) { // otherwise a late event of the dialog before this one
        dialog.removeEventListener('close', closed);
        resolve(dialog.returnValue);
      }
    };
    dialog.addEventListener('close', closed);
  });
}

/** A name that may break after punctuation, rather than within a word. @param {string} name @returns {(Node | string)[]} */
export const breakable = (name) => name.split(/([^@._-]*[@._-])/).filter(Boolean).flatMap((part, i) => (i === 0 ? [part] : [el('wbr'), part]));
