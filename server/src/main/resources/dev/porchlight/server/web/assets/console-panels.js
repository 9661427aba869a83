// SPDX-License-Identifier: Apache-2.0
// Parts of the console's views.

import { textOf } from './console-api.js';
import { linkTo } from './console-views.js';
import { el } from './dom.js';
import { text } from './texts.js';

const PAGE_SIZE = 50;

/** @param {string} id @param {string} title @param {...(Node | string | undefined)} content a string becomes a paragraph */
export const panel = (id, title, ...content) => el('section', { class: 'card panel', 'aria-labelledby': id },
  el('h3', { id }, title), ...content.map((part) => (typeof part === 'string' ? el('p', { class: 'soft' }, part) : part)));

/** The first panel of a view. @param {string} id @param {(Node | string)[]} title @param {Node} beside it @param {...(Node | undefined)} content */
export const mainPanel = (id, title, beside, ...content) => el('section', { class: 'card panel', 'aria-labelledby': id },
  el('div', { class: 'between' }, el('h2', { id, tabindex: -1, dir: 'auto' }, ...title), beside), ...content);

/** Announces what was done. @param {string} done may be empty */
export const doneMessage = (done) => el('div', { class: 'message good', role: 'status' }, done || undefined);

/** @param {unknown} error */
export const errorMessage = (error) => el('p', { class: 'message bad', role: 'alert' }, textOf(error));

/** @param {string} view @param {string} label @returns {HTMLElement} a link to a view's list */
export const backLink = (view, label) => el('p', {}, el('a', { href: linkTo(view) }, label));

/** @param {string} view @param {{ item: string, label?: string }[]} items @returns {(Node | string)[]} links, separated by commas */
export const links = (view, items) =>
  items.flatMap(({ item, label = item }, i) => [i === 0 ? '' : ', ', el('a', { href: linkTo(view, item), dir: 'auto' }, label)]);

/** @param {Record<string, string | undefined>} facts by the key of their name; those without a value are omitted @returns {HTMLElement | undefined} */
export function comparison(facts) {
  const known = Object.entries(facts).filter(([, value]) => value);
  return known.length === 0 ? undefined
    : el('dl', { class: 'compared' }, ...known.map(([key, value]) => el('div', {}, el('dt', {}, text(key)), el('dd', {}, el('bdi', { lang: 'en' }, value)))));
}

/**
 * Buttons for actions, and a message about the error of the last one.
 * @param {...([label: string, work: () => unknown, done: () => void, style?: string, needs?: string] | undefined)} actions `work` returns nothing if it was canceled
 * @returns {HTMLElement[]}
 */
export function actionButtons(...actions) {
  const alert = el('div', { class: 'message bad', role: 'alert' });
  const buttons = actions.map((action) => action && el('button', {
    type: 'button', class: `small ${action[3] ?? ''}`, 'data-needs': action[4],
    click: async () => {
      const [, work, done] = action;
      alert.textContent = '';
      try {
        if (await work()) {
          done();
        }
      } catch (error) {
        alert.textContent = textOf(error);
      }
    },
  }, action[0]));
  return [alert, el('div', { class: 'actions' }, ...buttons)];
}

/** @param {string[]} columns @param {HTMLElement[]} rows @returns {any} */
export const table = (columns, rows) => el('table', { class: 'list' },
  el('thead', {}, el('tr', {}, ...columns.map((name, i) => el('th', { scope: 'col', class: rows[0]?.children[i].matches('.number') && 'number' }, name)))),
  el('tbody', {}, ...rows.map((row) => labeled(columns, row))));

/** Names the cells of a row, for phones, where the columns have no heads. @param {string[]} columns @param {HTMLElement} row @returns {HTMLElement} */
function labeled(columns, row) {
  columns.forEach((name, i) => row.children[i].setAttribute('data-label', name));
  return row;
}

/**
 * A table, and a button that loads its next page.
 * @template {{ next?: string }} Page
 * @param {string[]} columns @param {Page} first @param {(page: Page) => HTMLElement[]} rowsOf @param {(after: string | undefined) => Promise<Page>} load
 * @returns {{ list: HTMLElement, more: HTMLElement, status: HTMLElement }}
 */
export function pagedTable(columns, first, rowsOf, load) {
  const list = table(columns, rowsOf(first));
  const status = el('p', { class: 'soft', role: 'status' });
  let { next } = first;
  const more = el('button', {
    type: 'button', class: 'quiet small', hidden: next === undefined,
    click: async () => {
      status.textContent = '';
      try {
        const page = await load(next);
        const added = rowsOf(page).map((row) => labeled(columns, row));
        list.tBodies[0].append(...added);
        (added[0]?.querySelector('a, button') ?? list.parentElement).focus();
        next = page.next;
        more.hidden = next === undefined;
      } catch (error) {
        status.textContent = textOf(error);
      }
    },
  }, text('console.more'));
  return { list, more, status };
}

/** @param {string} command to copy */
export const commandLine = (command) => el('p', { class: 'command' }, el('code', { dir: 'ltr' }, command));

/**
 * A panel with a list of any length, of which the first entries are shown.
 * @template T
 * @param {string} id @param {string} title @param {T[]} entries @param {(entry: T) => HTMLElement} item @param {string} none @param {string} [note]
 */
export function listPanel(id, title, entries, item, none, note) {
  const list = el('ul', { class: 'items', id });
  const more = el('button', { type: 'button', class: 'quiet small', click: () => show() }, text('console.more'));
  const show = () => {
    const shown = list.children.length;
    list.append(...entries.slice(shown, shown + PAGE_SIZE).map(item));
    more.hidden = list.children.length === entries.length;
    if (shown > 0) {
      list.children[shown].querySelector('a, button')?.focus();
    }
  };
  show();
  return panel(`${id}-title`, title, note, ...(entries.length === 0 ? [none] : [list, more]));
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
    const content = await load().catch((error) => [errorMessage(error)]);
    if (number === latest) {
      view.replaceChildren(...content);
      if (focus) {
        (view.querySelector(focus) ?? view.querySelector('h2'))?.focus({ preventScroll: focus.startsWith('#') });
      }
    }
  };
}
