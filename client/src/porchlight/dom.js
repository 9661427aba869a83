// SPDX-License-Identifier: Apache-2.0
// Creates elements and icons. Strings become text nodes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {keyof typeof PATHS} IconName */

/** SVG paths in a 24 by 24 view box. */
const PATHS = {
  passkey:
    'M5.25 7.5a3.75 3.75 0 1 0 7.5 0a3.75 3.75 0 1 0-7.5 0M2.5 20c0-3.6 2.9-6 6.5-6 1 0 2 .2 2.9.55' +
    'M14.75 13a2.75 2.75 0 1 0 5.5 0a2.75 2.75 0 1 0-5.5 0M17.5 15.75V21l1.9-1.5M17.5 18.4l1.7-.9',
  phone: 'M9.5 2.5h5a2.5 2.5 0 0 1 2.5 2.5v14a2.5 2.5 0 0 1-2.5 2.5h-5a2.5 2.5 0 0 1-2.5-2.5V5a2.5 2.5 0 0 1 2.5-2.5zM10.8 18.5h2.4',
  cloud: 'M7 18.5a4.25 4.25 0 0 1-.5-8.47 5.75 5.75 0 0 1 11.1-.6A4.6 4.6 0 0 1 17 18.5z',
  device: 'M5.5 4.5h13a2 2 0 0 1 2 2V14a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V6.5a2 2 0 0 1 2-2zM2 19.5h20',
  key: 'M3.5 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11.5 12h10M18.5 12v3.5M15 12v2.5',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M4 20l.9-4.2L16 4.7a1.8 1.8 0 0 1 2.55 0l.75.75a1.8 1.8 0 0 1 0 2.55L8.2 19.1z',
  bin: 'M4.5 6.5h15M9.5 6V4h5v2M6.5 6.5l.9 13.5h9.2l.9-13.5M10 10.5v6M14 10.5v6',
  leave: 'M14 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5',
  check: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 12.3l2.8 2.7L16 9.5',
  warning: 'M12 3.5L2.5 20h19zM12 10v4.5M12 17.2v.1',
  info: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5.5M12 7.7v.1',
};

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
    if (typeof value === 'function') element.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(child => child !== undefined));
  return element;
}

/**
 * Opens a modal dialog. The browser traps the focus and restores it.
 * @param {any} dialog
 * @returns {Promise<string>} the return value, when it is closed
 */
export function openDialog(dialog) {
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    const closed = () => {
      if (dialog.open) return; // a late event of the dialog before this one
      dialog.removeEventListener('close', closed);
      resolve(dialog.returnValue);
    };
    dialog.addEventListener('close', closed);
  });
}

/** @param {IconName} name @returns {SVGElement} a decorative icon, hidden from screen readers */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { class: 'icon', 'data-name': name, viewBox: '0 0 24 24', 'aria-hidden': 'true' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
