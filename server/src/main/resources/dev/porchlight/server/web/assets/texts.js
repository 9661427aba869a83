// SPDX-License-Identifier: Apache-2.0
// The texts of the page in its language, such as `signin.title`.

import { byId } from './dom.js';

/** @type {Record<string, string>} */
const texts = JSON.parse(byId('texts').textContent);

/** The language tag, for Intl. */
export const { lang, dir } = document.documentElement;

/** Whether a value could change the direction of the text around it. */
const isForeign = (/** @type {unknown} */ value) => typeof value === 'string' && (dir === 'rtl' || /[\u0590-\u08ff]/.test(value));

/**
 * Returns a text as children for an element.
 * @param {string} key
 * @param {Record<string, any>} [values] a string or an element for each placeholder, such as `{user}`
 * @returns {any[]}
 */
export function parts(key, values = {}) {
  const value = (/** @type {string} */ name) => (isForeign(values[name]) ? `\u2068${values[name]}\u2069` : values[name]);
  return texts[key].split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : value(part)));
}

/** @param {string} key @param {Record<string, string>} [values] @returns {string} */
export const text = (key, values) => parts(key, values).join('');

/** @param {string} key */
export const hasText = (key) => key in texts;

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

/** Returns the message for an error of the helper or the service. @param {any} error @returns {string} */
export function errorText({ problem, code, status }) {
  const isLogin = problem === undefined || problem === 'authentication_failed';
  const known = [problem, code === 'refused' && !isLogin ? 'rejected' : code, statusCode(status), 'unexpected'];
  return text(known.map((name) => `error.${name}`).find((key) => key in texts) ?? '');
}

/** @param {number | undefined} status @returns {string | undefined} */
const statusCode = (status = 0) => (status === 429 ? 'limited' : status >= 500 ? 'unavailable' : undefined);
