// SPDX-License-Identifier: Apache-2.0
// DOM helpers. Strings become text nodes, never markup.

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

/**
 * Creates an element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] a function becomes a listener for that event; false and undefined are omitted
 * @param {...(Node | string | undefined)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, /** @type {EventListener} */ (value));
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A name that may break after punctuation, rather than within a word. @param {string} name @returns {(Node | string)[]} */
export const breakable = (name) => name.split(/([^@._-]*[@._-])/).filter(Boolean).flatMap((part, i) => (i === 0 ? [part] : [el('wbr'), part]));
