// SPDX-License-Identifier: Apache-2.0
// DOM helpers. Strings become text nodes, never markup.

/** @param {string} id @returns {any} the element with this id, which must exist */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] a function becomes a listener for that event; false and undefined are omitted
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}
