// SPDX-License-Identifier: Apache-2.0
// Numbers, units and times in the language of the page.

import { lang, numberText, text } from './texts.js';

const clockFormat = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const timeFormat = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const percentFormat = new Intl.NumberFormat(lang, { style: 'percent' });

/** @param {number} time @returns {string} hours and minutes */
export const clock = (time) => clockFormat.format(time);

/** @param {number} time @returns {string} with seconds */
export const timeOfDay = (time) => timeFormat.format(time);

/** @param {number} value @param {number} digits */
const fixed = (value, digits) => value.toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @param {number} value @returns {string} */
export const whole = (value) => numberText(Math.round(value));

/** @param {number} value @returns {string} */
export const rate = (value) => fixed(value, value >= 10 || value === 0 ? 0 : value >= 1 ? 1 : 2);

/** @param {number} share @returns {string} */
export const percent = (share) => percentFormat.format(share);

/** @param {number} value in milliseconds @returns {string} */
export const duration = (value) => (value >= 1000
  ? text('console.unit.seconds', { number: fixed(value / 1000, 1) })
  : text('console.unit.milliseconds', { number: fixed(value, value >= 10 || value === 0 ? 0 : value < 1 ? 2 : 1) }));

/** @param {number} value @returns {string} */
export const bytes = (value) => (value >= 2 ** 30
  ? text('console.unit.gibibytes', { number: fixed(value / 2 ** 30, 1) })
  : text('console.unit.mebibytes', { number: whole(value / 2 ** 20) }));
