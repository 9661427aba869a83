// SPDX-License-Identifier: Apache-2.0
// The texts of the page in its language, such as `signin.title`.

import { Texts } from '/porchlight/texts.js';
import { byId } from './dom.js';

/** The language tag, for Intl. */
export const { lang } = document.documentElement;

/** @type {Record<string, string>} */
export const catalog = JSON.parse(byId('texts').textContent);

export const texts = new Texts(lang, catalog);

/** @param {string} key @param {Record<string, any>} [values] @returns {any[]} the text as children for an element */
export const parts = (key, values) => texts.parts(key, values);

/** @param {string} key @param {Record<string, string>} [values] @returns {string} */
export const text = (key, values) => texts.text(key, values);

/** @param {string} key */
export const hasText = (key) => key in catalog;

const pluralRules = new Intl.PluralRules(lang);
const numberFormat = new Intl.NumberFormat(lang);

/** @param {number} value @returns {string} */
export const numberText = (value) => numberFormat.format(value);

/**
 * Returns the text for a number: `key.one` or `key.other`, in which `{number}` is the number.
 * @param {string} key
 * @param {number} number
 * @param {Record<string, string>} [values]
 * @returns {string}
 */
export function plural(key, number, values) {
  const form = `${key}.${pluralRules.select(number)}`;
  return text(hasText(form) ? form : `${key}.other`, { number: numberText(number), ...values });
}
