// SPDX-License-Identifier: Apache-2.0
// The views of the console. The fragment of the URL selects one, such as #users or #users/ada.

const DEFAULT = 'overview';

/** @type {Map<string, (item: string) => void>} */
const views = new Map();
let opened = false;

/** @param {string} name @param {(item: string) => void} show is called with the item in the fragment, or '' */
export function addView(name, show) {
  views.set(name, show);
}

/** @param {string} name of a view @param {string} [item] @returns {string} */
export const linkTo = (name, item = '') => `#${name}${item === '' ? '' : `/${encodeURIComponent(item)}`}`;

/** Shows the view in the URL, now and whenever the URL changes. */
export function openViews() {
  if (!opened) {
    opened = true;
    addEventListener('hashchange', show);
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
  views.get(current)?.(decoded(item));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand
  }
}
