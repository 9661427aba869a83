// SPDX-License-Identifier: Apache-2.0
// Relative times, such as "5 minutes ago", with the exact time as a tooltip.

import { el } from './dom.js';
import { lang, text } from './texts.js';

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

const relativeFormat = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
const exactFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' });

/** @param {number} millis since 1970 @param {number} [now] @returns {string} */
export function relative(millis, now = Date.now()) {
  const seconds = Math.round((millis - now) / 1000);
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) {
      return relativeFormat.format(Math.round(seconds / length), unit);
    }
  }
  return text('account.justNow');
}

/** @param {number} millis @returns {HTMLTimeElement} */
export function timeOf(millis) {
  const date = new Date(millis);
  return el('time', { datetime: date.toISOString(), title: exactFormat.format(date) }, relative(millis));
}
