// SPDX-License-Identifier: Apache-2.0
// DOM helpers. Strings become text nodes, never markup.

import { el } from '/porchlight/dom.js';

export { el, openDialog } from '/porchlight/dom.js';

/** @param {string} id @returns {any} the element with this id, which must exist */
export const byId = (id) => document.getElementById(id);

/** A name that may break after punctuation, rather than within a word. @param {string} name @returns {(Node | string)[]} */
export const breakable = (name) => name.split(/([^@._-]*[@._-])/).filter(Boolean).flatMap((part, i) => (i === 0 ? [part] : [el('wbr'), part]));
