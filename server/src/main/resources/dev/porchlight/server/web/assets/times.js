// SPDX-License-Identifier: Apache-2.0
// Times in the language of the page.

import * as times from '/porchlight/times.js';
import { texts } from './texts.js';

export const { HOUR } = times;

/** @param {number} millis @returns {HTMLTimeElement} */
export const timeOf = (millis) => times.timeOf(texts, millis);
