// SPDX-License-Identifier: Apache-2.0
// What a page says to the person: progress in the status region, trouble in the alert region, one of them at a time.

import { byId, el } from './dom.js';

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

/** @param {HTMLElement} region @param {string} text @param {Tone} tone @param {Way[]} ways @param {string} [supportCode] */
function show(region, text, tone, ways, supportCode) {
  region.className = `message ${tone}`;
  const parts = [el('p', { class: 'text' }, text)];
  if (supportCode) {
    parts.push(el('p', { class: 'support' }, 'Support code ', el('code', { id: 'support-code' }, supportCode)));
  }
  if (ways.length > 0) {
    parts.push(
      el(
        'div',
        { class: 'ways' },
        ...ways.map((way) => el('button', { type: 'button', class: 'small', id: way.id, click: way.go }, way.label)),
      ),
    );
  }
  region.replaceChildren(...parts);
}
