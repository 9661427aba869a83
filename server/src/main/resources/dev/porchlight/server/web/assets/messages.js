// SPDX-License-Identifier: Apache-2.0
// Messages to the user: progress in the status region, errors in the alert region, one at a time.

import { byId, el } from './dom.js';
import { icon } from './icons.js';
import { parts } from './texts.js';

const ICONS = { good: 'check', warn: 'warning', bad: 'warning', '': 'info' };

/**
 * A button below a message.
 * @typedef {{ label: string, run: () => void, id?: string }} Choice
 * @typedef {'good' | 'warn' | 'bad' | ''} Tone
 */

export function clearMessages() {
  for (const id of ['status', 'alert']) {
    byId(id).replaceChildren();
  }
}

/**
 * Shows progress or success.
 * @param {string} text
 * @param {{ tone?: Tone, choices?: Choice[] }} [options]
 */
export function showStatus(text, { tone = '', choices = [] } = {}) {
  clearMessages();
  fillMessage(byId('status'), text, tone, choices);
}

/**
 * Shows an error with the user's choices, and moves the focus to it.
 * @param {string} text
 * @param {{ tone?: Tone, choices?: Choice[], supportCode?: string }} [options]
 */
export function showAlert(text, { tone = 'warn', choices = [], supportCode } = {}) {
  clearMessages();
  const alert = byId('alert');
  fillMessage(alert, text, tone, choices, supportCode);
  alert.focus();
}

/**
 * Replaces the content of a message region.
 * @param {HTMLElement} region
 * @param {string} text
 * @param {Tone} tone
 * @param {Choice[]} [choices]
 * @param {string} [supportCode]
 */
export function fillMessage(region, text, tone, choices = [], supportCode = undefined) {
  const buttons = choices.map(({ label, id, run }, i) =>
    el('button', { type: 'button', class: i === 0 && choices.length > 1 ? 'small primary' : 'small', id, click: run }, label),
  );
  region.className = `message ${tone}`;
  region.replaceChildren(
    icon(ICONS[tone]),
    el(
      'div',
      { class: 'body' },
      el('p', { class: 'text' }, text),
      supportCode ? el('p', { class: 'support' }, ...parts('common.supportCode', { code: el('code', { id: 'support-code' }, supportCode) })) : undefined,
      buttons.length > 0 ? el('div', { class: 'actions' }, ...buttons) : undefined,
    ),
  );
}
