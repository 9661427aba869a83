// SPDX-License-Identifier: Apache-2.0
// The views of the console. The fragment of the URL selects one, such as #users or #users/ada.

const DEFAULT = 'overview';

/** @param {string} name of a view @param {string} [item] @returns {string} */
export const linkTo = (name, item = '') => `#${name}${item === '' ? '' : `/${encodeURIComponent(item)}`}`;

/** A selector of the link to the item that the operator left for the list. @param {string} name of the view @param {string} left @returns {string | undefined} */
export const linkLeft = (name, left) => (left === '' ? undefined : `a[href="${linkTo(name, left)}"]`);

/**
 * Shows the view in the URL.
 * @param {import('./console-model.js').ConsoleModel} model
 * @param {Record<string, (item: string, left: string) => void>} views are called with the item in the fragment, or '', and the item of the view before it
 */
export function showView(model, views) {
  const [fragment, item = ''] = location.hash.slice(1).split('/');
  const name = document.querySelector(`.view[data-view="${CSS.escape(fragment)}"]`) ? fragment : DEFAULT;
  const left = model.view.name === name ? model.view.item : '';
  model.view = { name, item: decoded(item) };
  for (const element of document.querySelectorAll('[data-view]')) {
    /** @type {HTMLElement} */ (element).hidden = element.getAttribute('data-view') !== name;
  }
  for (const link of document.querySelectorAll('#views a')) {
    if (link.getAttribute('href') === linkTo(name)) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  views[name]?.(model.view.item, left);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
}
