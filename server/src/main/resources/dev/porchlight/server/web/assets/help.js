// SPDX-License-Identifier: Apache-2.0
// The help section of a page, which repeats the latest support code.

import { byId, el } from './dom.js';
import { parts } from './texts.js';

export function openHelp() {
  byId('help').open = true;
  byId('help-summary').focus();
}

/** Opens the section when an element asks for it, and shows its support codes there. @param {HTMLElement} element */
export function helpWith(element) {
  element.addEventListener('porchlight-help', openHelp);
  const show = (/** @type {CustomEvent<{ supportCode?: string }>} */ { detail: { supportCode } }) => {
    byId('last-code').hidden = !supportCode;
    byId('last-code').replaceChildren(...parts('common.lastCode', { code: el('code', {}, supportCode ?? '') }));
  };
  element.addEventListener('porchlight-error', show);
  element.addEventListener('porchlight-code', show);
}
