// SPDX-License-Identifier: Apache-2.0
// Relative times, such as "5 minutes ago", with the exact time as a tooltip.

import { el } from './dom.js';

/** In seconds. */
export const HOUR = 3_600;

/** @type {[Intl.RelativeTimeFormatUnit, number][]} longest first */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', HOUR],
  ['minute', 60],
];

/** @param {import('./texts.js').Texts} texts @param {number} millis since 1970 @param {number} [now] @returns {string} */
export function relative(texts, millis, now = Date.now()) {
  const seconds = Math.round((millis - now) / 1000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  return unit
    ? new Intl.RelativeTimeFormat(texts.language, { numeric: 'auto' }).format(Math.round(seconds / length), unit)
    : texts.text('account.justNow');
}

/** @param {import('./texts.js').Texts} texts @param {number} millis @returns {HTMLTimeElement} */
export function timeOf(texts, millis) {
  const date = new Date(millis);
  const title = new Intl.DateTimeFormat(texts.language, { dateStyle: 'long', timeStyle: 'short' }).format(date);
  return el('time', { datetime: date.toISOString(), title }, relative(texts, millis));
}
