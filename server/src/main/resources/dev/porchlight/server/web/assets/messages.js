// SPDX-License-Identifier: Apache-2.0
// What a page says to the person: progress in the status region, trouble in the alert region, one of them at a time.

import { byId, el } from './dom.js';
import { icon } from './icons.js';

const ICONS = { good: 'check', warn: 'warning', bad: 'warning', '': 'info' };

/**
 * A way to go on from here.
 * @typedef {{ label: string, go: () => void, id?: string }} Way
 * @typedef {'good' | 'warn' | 'bad' | ''} Tone
 */

/** Says nothing any more. */
export function quiet() {
  for (const id of ['status', 'alert']) {
    byId(id).replaceChildren();
  }
}

/**
 * Tells how it goes.
 * @param {string} text
 * @param {{ tone?: Tone, ways?: Way[] }} [more]
 */
export function tell(text, { tone = '', ways = [] } = {}) {
  quiet();
  show(byId('status'), text, tone, ways);
}

/**
 * Tells that something did not work, with the ways forward, and moves the focus there.
 * @param {string} text
 * @param {{ tone?: Tone, ways?: Way[], supportCode?: string }} [more]
 */
export function warn(text, { tone = 'warn', ways = [], supportCode } = {}) {
  quiet();
  const alert = byId('alert');
  show(alert, text, tone, ways, supportCode);
  alert.focus();
}

/**
 * Fills a region with a sentence in its tone.
 * @param {HTMLElement} region
 * @param {string} text
 * @param {Tone} tone
 * @param {Way[]} [ways]
 * @param {string} [supportCode]
 */
export function show(region, text, tone, ways = [], supportCode = undefined) {
  const buttons = ways.map(({ label, id, go }) => el('button', { type: 'button', class: 'small', id, click: go }, label));
  region.className = `message ${tone}`;
  region.replaceChildren(
    icon(ICONS[tone]),
    el(
      'div',
      { class: 'says' },
      el('p', { class: 'text' }, text),
      supportCode ? el('p', { class: 'support' }, 'Support code ', el('code', { id: 'support-code' }, supportCode)) : undefined,
      buttons.length > 0 ? el('div', { class: 'ways' }, ...buttons) : undefined,
    ),
  );
}
