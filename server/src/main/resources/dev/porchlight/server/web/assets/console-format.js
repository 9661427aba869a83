// SPDX-License-Identifier: Apache-2.0
// Codes in the language of the page.

import { hasText, text } from './texts.js';

/** @param {string} key @param {string} code @returns {string} the text, or the words of a code that has none */
export const known = (key, code) => (hasText(key) ? text(key) : code.replaceAll('_', ' '));

/** @param {string} code of a refusal or of an error in the browser @returns {string} */
export const codeText = (code) => known(`console.code.${code}`, code);
