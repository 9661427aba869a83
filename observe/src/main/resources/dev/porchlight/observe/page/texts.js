// SPDX-License-Identifier: Apache-2.0
// The texts of the page.

import CATALOG from './plot-texts.js';

/** The language tag, for Intl. */
export const { lang } = document.documentElement;

/** @param {number} value @returns {string} */
export const numberText = (value) => value.toLocaleString(lang);

/** @param {string} key @param {Record<string, string>} [values] for placeholders, such as `{time}` @returns {string} */
export const text = (key, values = {}) => /** @type {Record<string, string>} */ (CATALOG)[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** @param {string} key @param {number} number @returns {string} the text for a number: `key.one` or `key.other` */
export const plural = (key, number) => text(`${key}.${number === 1 ? 'one' : 'other'}`, { number: numberText(number) });
