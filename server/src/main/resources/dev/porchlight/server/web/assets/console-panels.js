// SPDX-License-Identifier: Apache-2.0
// Parts of the console's views.

import { textOf } from './console-api.js';
import { linkTo } from './console-views.js';
import { el } from './dom.js';

/** @param {string} id @param {string} title @param {...(Node | string | undefined)} content a string becomes a paragraph */
export const panel = (id, title, ...content) => el('section', { class: 'card panel', 'aria-labelledby': id },
  el('h3', { id }, title), ...content.map((part) => (typeof part === 'string' ? el('p', { class: 'soft' }, part) : part)));

/** @param {string} view @param {string} label @returns {HTMLElement} a link to a view's list */
export const backLink = (view, label) => el('p', {}, el('a', { href: linkTo(view) }, label));

/** @param {string[]} columns @param {HTMLElement[]} rows */
export const table = (columns, rows) => el('table', { class: 'list' },
  el('thead', {}, el('tr', {}, ...columns.map((name) => el('th', { scope: 'col' }, name)))),
  el('tbody', {}, ...rows.map((row) => labeled(columns, row))));

/** Names the cells of a row, for phones, where the columns have no heads. @param {string[]} columns @param {HTMLElement} row @returns {HTMLElement} */
export function labeled(columns, row) {
  columns.forEach((name, i) => row.children[i].setAttribute('data-label', name));
  return row;
}

/** @param {string} command to copy */
export const commandLine = (command) => el('p', { class: 'command' }, el('code', { dir: 'ltr' }, command));

/**
 * A list of any length, of which the first entries are shown.
 * @template T
 * @param {T[]} entries @param {number} size @param {(entry: T) => HTMLElement} item @param {string} more the label of the button
 * @returns {HTMLElement[]}
 */
export function itemList(entries, size, item, more) {
  const list = el('ul', { class: 'items' });
  const button = el('button', { type: 'button', class: 'quiet small', click: () => show() }, more);
  const show = () => {
    const shown = list.children.length;
    list.append(...entries.slice(shown, shown + size).map(item));
    button.hidden = list.children.length === entries.length;
    if (shown > 0) {
      list.children[shown].querySelector('a, button')?.focus();
    }
  };
  show();
  return [list, button];
}

/**
 * Loads and shows the content of a view. Late results of earlier calls are dropped.
 * @param {any} view the element
 * @returns {(load: () => Promise<Node[]>, focus?: string) => Promise<void>} with a selector of the element to focus; the title if there is none
 */
export function loader(view) {
  let latest = 0;
  return async (load, focus = undefined) => {
    const number = ++latest;
    const content = await load().catch((error) => [el('p', { class: 'message bad', role: 'alert' }, textOf(error))]);
    if (number === latest) {
      view.replaceChildren(...content);
      if (focus) {
        (view.querySelector(focus) ?? view.querySelector('h2'))?.focus({ preventScroll: focus.startsWith('#') });
      }
    }
  };
}
