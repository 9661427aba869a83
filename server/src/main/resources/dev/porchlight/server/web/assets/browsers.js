// SPDX-License-Identifier: Apache-2.0

import { text } from './texts.js';

/** The first match wins, because most browsers also claim to be others. @type {[RegExp, string][]} */
const BROWSERS = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** @param {string} userAgent @returns {string} for example `Firefox on Windows`; never empty */
export function browserOf(userAgent) {
  const named = (/** @type {[RegExp, string][]} */ list) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? (userAgent.split(/[\s/]/, 1)[0] || text('account.application'));
  const system = named(SYSTEMS);
  return system ? text('account.browser', { browser, system }) : browser;
}
