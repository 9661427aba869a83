// SPDX-License-Identifier: Apache-2.0
// The views of the console. The fragment of the URL selects one, such as #users or #users/ada.

const DEFAULT = 'overview';

/** @type {Map<string, (item: string, left: string) => void>} */
const views = new Map();
let opened = false;
let shown = { name: '', item: '' };

/** @param {string} name @param {(item: string, left: string) => void} show is called with the item in the fragment, or '', and the item of the view before it */
export function addView(name, show) {
  views.set(name, show);
}

/** @param {string} name of a view @param {string} [item] @returns {string} */
export const linkTo = (name, item = '') => `#${name}${item === '' ? '' : `/${encodeURIComponent(item)}`}`;

/** A selector of the link to the item that the operator left for the list. @param {string} name of the view @param {string} left @returns {string | undefined} */
export const linkLeft = (name, left) => (left === '' ? undefined : `a[href="${linkTo(name, left)}"]`);

/** Shows the view in the URL, now and whenever the URL changes or its link is followed again. */
export function openViews() {
  if (!opened) {
    opened = true;
    addEventListener('hashchange', show);
    document.addEventListener('click', (event) => {
      if (/** @type {Element} */ (event.target).closest('a')?.getAttribute('href') === location.hash) {
        show();
      }
    });
  }
  show();
}

function show() {
  const [name, item = ''] = location.hash.slice(1).split('/');
  const current = document.querySelector(`.view[data-view="${CSS.escape(name)}"]`) ? name : DEFAULT;
  for (const element of document.querySelectorAll('[data-view]')) {
    /** @type {HTMLElement} */ (element).hidden = element.getAttribute('data-view') !== current;
  }
  for (const link of document.querySelectorAll('#views a')) {
    if (link.getAttribute('href') === linkTo(current)) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  document.dispatchEvent(new Event('console-view'));
  const left = shown.name === current ? shown.item : '';
  shown = { name: current, item: decoded(item) };
  views.get(current)?.(shown.item, left);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
}
