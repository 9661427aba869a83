// SPDX-License-Identifier: Apache-2.0
// The little that the pages need of the DOM. Texts become text nodes and never markup.

/** @param {string} id @returns {any} the element of that id, which the page is known to have */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] a function is a listener for the event of that name; false and undefined are left out
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
