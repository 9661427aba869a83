// SPDX-License-Identifier: Apache-2.0
// The little that the pages need of the DOM. Texts become text nodes and never markup.

const SVG = 'http://www.w3.org/2000/svg';

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

/** @param {string} name of a symbol in icons.svg @returns {SVGElement} a picture that says nothing the words beside it do not */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `/assets/icons.svg#${name}`);
  svg.append(use);
  return svg;
}
